/* A function that maps what it is given is called with data that the host reads next, and with data that it doesn't:
   what isn't read stays on the device, what is read is right.  Would break if the proof of one call were taken for
   another's: for that behind it, in a call of it, in another thread, or after a call that never came back.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target ummgr_plugin } */
/* { dg-additional-options "-fplugin=[ummgr_plugin] -O2" } */
/* { dg-ummgr-policies "auto" } */
/* { dg-ummgr-env "UMMGR_MIN_SIZE=4K" } */
/* 64 KiB at a time: 11 in turns, 7 in within, 2 in left, as they say.  Besides, from GCC 13 on, the device's
   ICVs after each launch.  */
/* { dg-ummgr-counter auto d2h_bytes >= 1310720 } */
/* { dg-ummgr-counter auto d2h_bytes < 1312500 } */

#include "check.h"

#include <setjmp.h>
#include <stdlib.h>

enum { N = 1 << 14, TURNS = 10 };

static __attribute__ ((noinline)) void
add (int *x, int k)
{
#pragma omp target teams distribute parallel for map(tofrom: x[:N])
  for (int i = 0; i < N; i++)
    x[i] += k;
}

/* y's ten, and x's last one.  */
static __attribute__ ((noinline)) long
turns (void)
{
  int *x = calloc (N, sizeof *x), *y = calloc (N, sizeof *y);
  long seen = 0;
  for (int t = 0; t < TURNS; t++)
    {
      add (x, 1);
      add (y, 2);
      seen += y[t];
      add (x, 1);
    }
  for (int i = 0; i < N; i++)
    seen += x[i];
  free (x);
  free (y);
  return seen;
}

/* The number of the outer call is no more where one within it has come back.  */
static int *inner;
static void (*volatile call_back) (void);

static __attribute__ ((noinline)) void
add_twice (int *x, int k)
{
#pragma omp target teams distribute parallel for map(tofrom: x[:N])
  for (int i = 0; i < N; i++)
    x[i] += k;
  if (call_back)
    call_back ();
#pragma omp target teams distribute parallel for map(tofrom: x[:N])
  for (int i = 0; i < N; i++)
    x[i] += k;
}

static void
again (void)
{
  call_back = NULL;
  add_twice (inner, 5);
  CHECK (inner[3] == 10);
}

/* The first region's each time, since nobody knows what call_back does; the second one's where x is read behind it; and
   inner's two.  */
static __attribute__ ((noinline)) long
within (void)
{
  int *x = calloc (N, sizeof *x);
  long seen = 0;
  inner = calloc (N, sizeof *inner);
  call_back = again;
  add_twice (x, 1);
  seen += x[0];
  add_twice (x, 1);
  add_twice (x, 1);
  seen += x[1];
  free (x);
  free (inner);
  return seen;
}

static jmp_buf out;

static __attribute__ ((noinline)) void
add_and_leave (int *x, int k)
{
#pragma omp target teams distribute parallel for map(tofrom: x[:N])
  for (int i = 0; i < N; i++)
    x[i] += k;
  if (k == 7)
    longjmp (out, 1);
}

/* Nothing can be put into a function that setjmp comes back to: two copies.  */
static __attribute__ ((noinline)) long
left (void)
{
  int *volatile x = calloc (N, sizeof *x);
  if (!setjmp (out))
    {
      add_and_leave (x, 7);
      add_and_leave (x, 1);
    }
  add_and_leave (x, 1);
  long seen = x[5];
  free (x);
  return seen;
}

/* Each thread is in a call of its own.  */
static __attribute__ ((noinline)) long
threads (void)
{
  long seen = 0;
#pragma omp parallel for reduction(+: seen) num_threads (4)
  for (int t = 0; t < 4; t++)
    seen += turns ();
  return seen;
}

int
main (void)
{
  const long once = 2L * (TURNS + 1) * TURNS / 2 + 2L * TURNS * N;
  CHECK (turns () == once);
  CHECK (within () == 2 + 6);
  CHECK (left () == 8);
#ifdef THREADS
  CHECK (threads () == 4 * once);
#else
  (void) threads;
#endif
  return 0;
}
