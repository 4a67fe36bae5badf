/* What the compiler proves that the host doesn't write stays on the device without the kernel's help, also what regions
   write; until it is freed, resized, used in part, by a region on the host, or on another device.  */
/* { dg-do run } */
/* { dg-require-effective-target ummgr_plugin } */
/* { dg-additional-options "-fplugin=[ummgr_plugin] -O2" } */
/* { dg-ummgr-policies "auto" } */
/* { dg-ummgr-env "UMMGR_GPUS=2 UMMGR_MIN_SIZE=4K" } */
/* 64 KiB each: the two arrays that stay once, others twice, and once on the other device.  */
/* { dg-ummgr-counter auto h2d_bytes >= 1114112 } */
/* { dg-ummgr-counter auto h2d_bytes < 1130000 } */

#include "check.h"

#include <omp.h>
#include <stdlib.h>

enum { N = 1 << 14 };

/* Functions of each test's own: what is proved of a region is so wherever it is launched from.  */
#define REGIONS(NAME)							      \
  static __attribute__ ((noinline)) long				      \
  sum_##NAME (const int *x, int n, int offload, int device)		      \
  {									      \
    long s = 0;								      \
    _Pragma ("omp target teams distribute parallel for map(to: x[:n]) map(tofrom: s) reduction(+: s) \
	      if(target: offload) device(device)")			      \
    for (int i = 0; i < n; i++)						      \
      s += x[i];							      \
    return s;								      \
  }									      \
  static __attribute__ ((noinline, unused)) void			      \
  add_##NAME (int *x, int n, int k, int offload, int device)		      \
  {									      \
    _Pragma ("omp target teams distribute parallel for map(tofrom: x[:n]) if(target: offload) device(device)") \
    for (int i = 0; i < n; i++)						      \
      x[i] += k;							      \
  }

static int *
ones (void)
{
  int *x = malloc (N * sizeof *x);
  CHECK (x);
  for (int i = 0; i < N; i++)
    x[i] = 1;
  return x;
}

REGIONS (stays)
static void
stays (void)
{
  int *x = ones (), *y = ones ();
  for (int t = 0; t < 20; t++)
    {
      add_stays (x, N, 1, 1, 0);
      CHECK_EQ (sum_stays (x, N, 1, 0), (t + 2) * N);
      CHECK_EQ (sum_stays (y, N, 1, 0), N);
    }
  free (x);
  free (y);
}

REGIONS (freed)
static void
freed (void)
{
  int *x = ones ();
  CHECK_EQ (sum_freed (x, N, 1, 0), N);
  free (x);
  int *y = calloc (N, sizeof *y);
  CHECK (y);
  CHECK_EQ (sum_freed (y, N, 1, 0), 0);
  free (y);
}

REGIONS (resized)
static void
resized (void)
{
  int *x = ones ();
  CHECK_EQ (sum_resized (x, N, 1, 0), N);
  free (x);
  int *y = ones ();
  y[5] = 6;
  CHECK_EQ (sum_resized (y, N, 1, 0), N + 5);
  free (y);
}

REGIONS (part)
static void
part (void)
{
  int *x = ones ();
  CHECK_EQ (sum_part (x, N, 1, 0), N);
  add_part (x, 10, 1, 1, 0);
  CHECK_EQ (sum_part (x, N, 1, 0), N + 10);
  free (x);
}

REGIONS (inner)
static void
inner (void)
{
  int *x = ones ();
  CHECK_EQ (sum_inner (x, N, 1, 0), N);
  add_inner (x + 20, 10, 1, 1, 0);
  CHECK_EQ (sum_inner (x, N, 1, 0), N + 10);
  free (x);
}

REGIONS (host)
static void
host (void)
{
  int *x = ones ();
  CHECK_EQ (sum_host (x, N, 1, 0), N);
  add_host (x, N, 1, 0, 0);
  CHECK_EQ (sum_host (x, N, 1, 0), 2 * N);
  free (x);
}

REGIONS (within)
static void
within (void)
{
  int *x = ones ();
#pragma omp target data map(to: x[:N])
  {
    x[5] = 4;
    CHECK_EQ (sum_within (x, N, 1, 0), N);
  }
  CHECK_EQ (sum_within (x, N, 1, 0), N + 3);
  free (x);
}

REGIONS (other)
static void
other (void)
{
  int *x = ones ();
  CHECK_EQ (sum_other (x, N, 1, 0), N);
  add_other (x, N, 1, 1, 1);
  CHECK_EQ (sum_other (x, N, 1, 0), 2 * N);
  free (x);
}

int
main (void)
{
  if (omp_get_num_devices () < 2)
    return 0;
  stays ();
  freed ();
  resized ();
  part ();
  inner ();
  host ();
  within ();
  other ();
  return 0;
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */
