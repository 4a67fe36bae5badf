/* Where the host comes next: would break if a host that goes over memory after a
   loop of regions weren't announced, or if what no region used, what another
   region uses first, or what is freed at once were.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

#include <stdlib.h>
#include <string.h>

struct state
{
  double *level;
  int n;
};

double *everywhere;

__attribute__ ((noinline)) static int
turn (double *p, int n)
{
  int more = 0;
#pragma omp target teams distribute parallel for map(tofrom: more)
  for (int i = 0; i < n; i++)
    if (p[i]++ < 9)
      more = 1;
  return more;
}

__attribute__ ((noinline)) static void
run (struct state *s)
{
  while (turn (s->level, s->n))
    ;
}

__attribute__ ((noinline)) static double
sum (const double *p, int n)
{
  double s = 0;
  for (int i = 0; i < n; i++)
    s += p[i];
  return s;
}

double
directly (double *direct, int n)
{
  double s = 0;
  while (turn (direct, n))
    ;
  for (int j = 0; j < 2; j++)
    for (int i = 0; i < n; i++)
      s += direct[i];		/* LOOP */
  return s;
}

double
by_call (int n)
{
  struct state s = { calloc (n, sizeof (double)), n };
  double *passed = s.level, out;
  run (&s);
  out = sum (passed, n);	/* CALL */
  free (passed);
  return out;
}

double
by_parallel (double *shared, int n)
{
  double s = 0;
  while (turn (shared, n))
    ;
#pragma omp parallel for reduction(+: s)	/* PARALLEL */
  for (int i = 0; i < n; i++)
    s += shared[i];
  return s;
}

void
by_copy (double *from, double *other, int n)
{
  while (turn (from, n))
    ;
  memcpy (other, from, n * sizeof *from);	/* COPY */
}

double
of_global (int n)
{
  double s = 0;
  while (turn (everywhere, n))
    ;
  for (int i = 0; i < n; i++)
    s += everywhere[i];		/* GLOBAL */
  return s;
}

/* The rest announces nothing.  */
void
before_only (int n)
{
  double *before = malloc (n * sizeof *before);
  for (int i = 0; i < n; i++)
    before[i] = i;
  while (turn (before, n))
    ;
  free (before);
}

double
unrelated (double *used, int n)
{
  double *alone = malloc (n * sizeof *alone), s = 0;
  while (turn (used, n))
    ;
  for (int i = 0; i < n; i++)
    alone[i] = i;
  for (int i = 0; i < n; i++)
    s += alone[i];
  free (alone);
  return s;
}

double
one_element (double *single, int n)
{
  while (turn (single, n))
    ;
  return single[3];
}

double
rarely (double *seldom, int n, int why)
{
  double s = 0;
  while (turn (seldom, n))
    ;
  for (int k = 0; k < n; k++)
    if (__builtin_expect (why == k, 0))
      for (int i = 0; i < n; i++)
	s += seldom[i];
  return s;
}

/* { dg-final { scan-ummgr-dump {announced: direct at announce.c:52} ummgr-announce } } */
/* { dg-final { scan-ummgr-dump {announced: (passed|_[0-9]+) at announce.c:62} ummgr-announce } } */
/* { dg-final { scan-ummgr-dump {announced: [^\n]*shared} ummgr-announce } } */
/* { dg-final { scan-ummgr-dump {announced: from at announce.c:84} ummgr-announce } } */
/* { dg-final { scan-ummgr-dump {announced: everywhere at announce.c:94} ummgr-announce } } */
/* { dg-final { scan-ummgr-dump-not {announced: (before|used|alone|single|seldom)} ummgr-announce } } */
