/* What a region writes, and the compiler proves that the host doesn't read before another region does, is not copied
   back; but for what the proof doesn't speak of.  Would break if a copy that was put off were lost, or made all the
   same.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target ummgr_plugin } */
/* { dg-additional-options "-fplugin=[ummgr_plugin] -O2" } */
/* { dg-ummgr-policies "auto" } */
/* { dg-ummgr-env "UMMGR_MIN_SIZE=4K" } */
/* 64 KiB ten times: twice in later, once in each other test, and in stays x alone; none in freed and
   reused.  Besides, the sums, and, from GCC 13 on, the device's ICVs after each launch (16 bytes,
   gomp_copy_back_icvs in libgomp).  */
/* { dg-ummgr-counter auto d2h_bytes >= 655360 } */
/* { dg-ummgr-counter auto d2h_bytes < 658000 } */

#include "check.h"

#include <omp.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 1 << 14 };

/* Functions of each test's own: what is proved of a region is so wherever it is launched from.  */
#define REGIONS(NAME)							      \
  static __attribute__ ((noinline, unused)) long			      \
  sum_##NAME (const int *x, int n)					      \
  {									      \
    long s = 0;								      \
    _Pragma ("omp target teams distribute parallel for map(to: x[:n]) map(tofrom: s) reduction(+: s)") \
    for (int i = 0; i < n; i++)						      \
      s += x[i];							      \
    return s;								      \
  }									      \
  static __attribute__ ((noinline, unused)) void			      \
  set_##NAME (int *x, int n, int k)					      \
  {									      \
    _Pragma ("omp target teams distribute parallel for map(from: x[:n])")      \
    for (int i = 0; i < n; i++)						      \
      x[i] = k;								      \
  }									      \
  static __attribute__ ((noinline, unused)) void			      \
  add_##NAME (int *x, int n, int k)					      \
  {									      \
    _Pragma ("omp target teams distribute parallel for map(tofrom: x[:n])")    \
    for (int i = 0; i < n; i++)						      \
      x[i] += k;							      \
  }									      \
  static __attribute__ ((noinline, unused)) void			      \
  spoil_##NAME (int *x, int n)						      \
  {									      \
    _Pragma ("omp target teams distribute parallel for map(to: x[:n])")	      \
    for (int i = 0; i < n; i++)						      \
      x[i] = 99;							      \
  }

static int *
some (void)
{
  int *x = malloc (N * sizeof *x);
  CHECK (x);
  return x;
}

/* Nothing of t comes back, of x the last.  */
REGIONS (stays)
REGIONS (returns)
static void
stays (void)
{
  int *t = some (), *x = some ();
  for (int i = 0; i < 20; i++)
    {
      set_stays (t, N, i);
      add_stays (t, N, 1);
      CHECK_EQ (sum_stays (t, N), (i + 1) * N);
    }
  set_returns (x, N, 3);
  CHECK_EQ (x[5] + x[N - 1], 6);
  free (t);
  free (x);
}

/* What was freed nobody wants, and another gets the address.  */
REGIONS (freed)
static void
freed (void)
{
  for (int i = 0; i < 5; i++)
    {
      int *x = some ();
      set_freed (x, N, i);
      CHECK_EQ (sum_freed (x, N), i * N);
      free (x);
    }
}

/* Nor is what has the address then written to.  */
REGIONS (reused)
static void
reused (void)
{
  int *x = some ();
  set_reused (x, N, 3);
  CHECK_EQ (sum_reused (x, N), 3 * N);
  free (x);
  int *y = calloc (N, sizeof *y);
  CHECK (y);
#pragma omp target enter data map(alloc: y[:N])
  CHECK_EQ (y[5], 0);
#pragma omp target exit data map(delete: y[:N])
  free (y);
}

/* The last region that uses it only reads: then it comes back.  */
REGIONS (read)
static void
read_last (void)
{
  int *x = some ();
  set_read (x, N, 7);
  CHECK_EQ (sum_read (x, N), 7 * N);
  CHECK_EQ (x[N / 2], 7);
  free (x);
}

/* A region changes it in vain: the host gets what there was before.  */
REGIONS (spoiled)
static void
spoiled (void)
{
  int *x = some ();
  set_spoiled (x, N, 7);
  spoil_spoiled (x, N);
  CHECK_EQ (x[N / 2], 7);
  free (x);
}

/* A data construct copies what the host has.  */
REGIONS (within)
static void
within (void)
{
  int *x = some ();
  set_within (x, N, 4);
#pragma omp target data map(to: x[:N])
  CHECK_EQ (sum_within (x, N), 4 * N);
  free (x);
}

REGIONS (entered)
static void
entered (void)
{
  int *x = some ();
  set_entered (x, N, 5);
#pragma omp target enter data map(to: x[:N])
  CHECK_EQ (sum_entered (x, N), 5 * N);
#pragma omp target exit data map(delete: x[:N])
  free (x);
}

/* A part, by a region, and by the host's hand.  */
REGIONS (part)
static void
part (void)
{
  int *x = some ();
  set_part (x, N, 2);
  add_part (x, 10, 1);
  CHECK_EQ (sum_part (x, N), 2 * N + 10);
  free (x);
}

/* A region that is not waited for, and one on the host.  */
REGIONS (later)
static void
later (void)
{
  int *x = some ();
  set_later (x, N, 6);
#pragma omp target map(tofrom: x[:N]) nowait
  x[3]++;
#pragma omp taskwait
  CHECK_EQ (sum_later (x, N), 6 * N + 1);
  free (x);
}

REGIONS (host)
static __attribute__ ((noinline)) void
on_host (int *x, int n, int offload)
{
#pragma omp target map(tofrom: x[:n]) if (offload)
  x[4] += x[5];
}

static void
host (int offload)
{
  int *x = some ();
  set_host (x, N, 8);
  on_host (x, N, offload);
  CHECK_EQ (sum_host (x, N), 8 * N + 8);
  free (x);
}

/* A child has no device, and all that its parent had.  */
REGIONS (forked)
static void
forked (int offload)
{
  int *x = some ();
  set_forked (x, N, 9);
  pid_t child = fork ();
  CHECK (child >= 0);
  if (child == 0)
    {
      on_host (x, N, offload);
      _exit (x[4] != 18);
    }
  int status;
  CHECK_EQ (waitpid (child, &status, 0), child);
  CHECK_EQ (status, 0);
  free (x);
}

int
main (int argc, char **argv)
{
  (void) argv;
  stays ();
  freed ();
  reused ();
  read_last ();
  spoiled ();
  within ();
  entered ();
  part ();
  later ();
  host (argc < 1);
  forked (argc < 1);
  return 0;
}
