/* Host accesses that are hard to see, between regions, with more data than the
   device holds: would break if data were thrown away, or not copied, that
   somebody still reads.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target ummgr_plugin } */
/* { dg-additional-options "-fplugin=[ummgr_plugin]" } */
/* { dg-ummgr-policies "otm rlm glm rdm" } */

#include "check.h"
#include "ummgr.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 200000 };

/* Ordinary memory, or managed memory where there is libummgr.  */
static void *(*get) (size_t) = malloc;
static void (*put) (void *) = free;

static int *
filled (int value)
{
  int *p = get (N * sizeof *p);
  CHECK (p);
  for (int i = 0; i < N; i++)
    p[i] = value;
  return p;
}

static void
check_all (const int *p, int value)
{
  for (int i = 0; i < N; i++)
    CHECK_EQ (p[i], value);
}

/* Pushes others out of the device.  */
static void
press (void)
{
  int *p = filled (1), *q = filled (2);
#pragma omp target map(tofrom: p[0:N], q[0:N])
  for (int i = 0; i < N; i++)
    p[i] += q[i];
  check_all (p, 3);
  put (p);
  put (q);
}

/* Writes under a condition that nearly always holds.  */
static void
nearly (int hole)
{
  int *p = filled (7);
#pragma omp target map(tofrom: p[0:N])
  for (int i = 0; i < N; i++)
    if (i != hole)
      p[i] = 8;
  press ();
  CHECK_EQ (p[hole], 7);
  CHECK_EQ (p[hole + 1], 8);
  put (p);
}

/* A loop that is left early.  */
static void
broken (int end)
{
  int *p = filled (7), *q = filled (0);
  q[end] = 1;
#pragma omp target map(tofrom: p[0:N]) map(to: q[0:N])
  for (int i = 0; i < N; i++)
    {
      if (q[i])
	break;
      p[i] = 8;
    }
  CHECK_EQ (p[end - 1], 8);
  CHECK_EQ (p[end], 7);
  CHECK_EQ (p[N - 1], 7);
  put (p);
  put (q);
}

/* Loops that don't run, or not to the end.  */
static void
partly (int from, int to)
{
  int *p = filled (7);
#pragma omp target teams distribute parallel for map(tofrom: p[0:N])
  for (int i = from; i < to; i++)
    p[i] = 8;
  for (int i = 0; i < N; i++)
    CHECK_EQ (p[i], i >= from && i < to ? 8 : 7);
  put (p);
}

/* All of it, which needs nothing of the old.  */
static void
wholly (void)
{
  int *p = filled (7);
  for (int k = 0; k < 3; k++)
    {
#pragma omp target teams distribute parallel for map(tofrom: p[0:N])
      for (int i = 0; i < N; i++)
	p[i] = k;
      press ();
      check_all (p, k);
    }
  put (p);
}

/* A number of iterations that wraps.  */
static void
wrapped (unsigned a, unsigned b)
{
  int *p = filled (7);
  unsigned n = a * b;
#pragma omp target map(tofrom: p[0:N])
  for (unsigned i = 0; i < n && i < N; i++)
    p[i] = 8;
  for (unsigned i = 0; i < N; i++)
    CHECK_EQ (p[i], i < n ? 8 : 7);
  put (p);
}

/* Read by an alias, under a condition.  */
static void
alias (int wanted)
{
  int *p = filled (7), *q = p;
#pragma omp target map(tofrom: p[0:N])
  for (int i = 0; i < N; i++)
    p[i]++;
  press ();
  if (wanted)
    check_all (q, 8);
  put (p);
}

/* Read by whom nobody sees.  */
static int *stored;
static void (*volatile reader) (int);

static void
read_stored (int value)
{
  check_all (stored, value);
}

static void
hidden (void)
{
  int *p = filled (7);
  stored = p;
  reader = read_stored;
#pragma omp target map(tofrom: p[0:N])
  for (int i = 0; i < N; i++)
    p[i]++;
  press ();
  reader (8);
  put (p);
}

/* Read after a jump.  */
static jmp_buf back;

static void
jump (int *p)
{
#pragma omp target map(tofrom: p[0:N])
  for (int i = 0; i < N; i++)
    p[i]++;
  longjmp (back, 1);
}

static void
jumped (void)
{
  int *volatile kept = filled (7);
  if (setjmp (back) == 0)
    jump (kept);
  check_all (kept, 8);
  put (kept);
}

/* Only a part is new when it is read.  */
static void
renewed (void)
{
  int *p = filled (7);
#pragma omp target map(tofrom: p[0:N])
  for (int i = 0; i < N; i++)
    p[i]++;
  press ();
  memset (p, 0, N / 2 * sizeof *p);
  CHECK_EQ (p[N / 2 - 1], 0);
  CHECK_EQ (p[N / 2], 8);
  put (p);
}

/* A local that nobody reads, and one that is.  */
static int
locals (void)
{
  static int sink;
  int scratch[1000], used[1000];
  memset (used, 0, sizeof used);
  for (int k = 0; k < 3; k++)
    {
#pragma omp target map(tofrom: scratch, used)
      for (int i = 0; i < 1000; i++)
	{
	  scratch[i] = i + k;
	  used[i] += scratch[i];
	}
    }
  for (int i = 0; i < 1000; i++)
    CHECK_EQ (used[i], 3 * i + 3);
  return sink;
}

/* The pointer of a loop's last turn.  */
static void
turns (void)
{
  int *old = NULL;
  for (int k = 0; k < 4; k++)
    {
      int *p = filled (k);
      if (old)
	check_all (old, k);
      if (old)
	put (old);
#pragma omp target map(tofrom: p[0:N])
      for (int i = 0; i < N; i++)
	p[i]++;
      old = p;
    }
  check_all (old, 4);
  put (old);
}

/* By the other threads.  */
static void
threads (void)
{
  int *p = filled (7);
#pragma omp parallel num_threads(3)
  {
#pragma omp single
    {
#pragma omp target map(tofrom: p[0:N])
      for (int i = 0; i < N; i++)
	p[i]++;
    }
    check_all (p, 8);
  }
  put (p);
}

static void
all (void)
{
  nearly (N / 2);
  broken (N / 3);
  partly (0, N);
  partly (5, N);
  partly (0, N - 1);
  partly (9, 3);
  wholly ();
  wrapped (1u << 16, (1u << 16) + 1);
  wrapped (3, 7);
  alias (1);
  hidden ();
  jumped ();
  renewed ();
  locals ();
  turns ();
  threads ();
}

int
main (int argc, char **argv)
{
  /* Without a policy the device stays as large as it is.  */
  if (getenv ("UMMGR_POLICY") && !getenv ("UMMGR_DEVICE_MEM"))
    {
      CHECK (setenv ("UMMGR_DEVICE_MEM", "3M", 1) == 0);
      execv ("/proc/self/exe", argv);
      return 1;
    }
  all ();
  get = (void *(*) (size_t)) dlsym (RTLD_DEFAULT, "ummgr_malloc");
  put = (void (*) (void *)) dlsym (RTLD_DEFAULT, "ummgr_free");
  if (get && put)
    all ();
  return 0;
}
