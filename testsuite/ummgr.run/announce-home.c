/* Managed memory that the host goes over after a loop of regions: would break if
   it came page by page, if another object were taken for it, or if a pointer that
   is no such memory did harm.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target ummgr_plugin } */
/* { dg-additional-options "-fplugin=[ummgr_plugin]" } */
/* { dg-ummgr-counter prefetch cpu_faults > 0 } */
/* { dg-ummgr-counter otm cpu_faults == 0 } */
/* { dg-ummgr-counter rlm cpu_faults == 0 } */
/* { dg-ummgr-counter glm cpu_faults == 0 } */
/* { dg-ummgr-counter rdm cpu_faults == 0 } */
/* Each object goes home once: not after each region, and not twice.  */
/* { dg-ummgr-counter rdm d2h_bytes <= 4300000 } */

#include "check.h"

#include <dlfcn.h>
#include <stdlib.h>

enum { N = 1 << 18, TURNS = 6 };

struct state
{
  int *level, *plain;
  int turns;
};

static void
step (int *p, int *left)
{
#pragma omp target teams distribute parallel for map(tofrom: left[0:1])
  for (int i = 0; i < N; i++)
    {
      p[i] += 3;
      if (i == 0)
	left[0]--;
    }
}

__attribute__ ((noinline)) static void
run (struct state *s)
{
  int left = s->turns;
  while (left > 0)
    step (s->level, &left);
}

__attribute__ ((noinline)) static int
right (const int *p, int value)
{
  int good = 0;
  for (int i = 0; i < N; i++)
    good += p[i] == i + value;
  return good;
}

int
main (void)
{
  void *(*get) (size_t) = (void *(*) (size_t)) dlsym (RTLD_DEFAULT,
						      "ummgr_malloc");
  if (!get)
    get = malloc;
  struct state s = { get (N * sizeof (int)), malloc (N * sizeof (int)), TURNS };
  int *q = get (N * sizeof *q);
  CHECK (s.level && s.plain && q);
  for (int i = 0; i < N; i++)
    s.level[i] = s.plain[i] = q[i] = i;
  if (get != malloc)
    {
      /* Its caller goes over what the callee's regions have used.  */
      run (&s);
      CHECK_EQ (right (s.level, 3 * TURNS), N);
      CHECK_EQ (right (s.level, 3 * TURNS), N);
      int left = TURNS;
      while (left > 0)
	step (q, &left);
      long sum = 0;
      for (int k = 0; k < 2; k++)
	for (int i = 0; i < N; i++)
	  sum += q[i] - i;
      CHECK_EQ (sum, 2L * N * 3 * TURNS);
    }
  CHECK_EQ (right (s.plain, 0), N);
  return 0;
}
