/* What host code does between regions: would break if an access were missed
   (data would be taken for unused), or what is sure were not known.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The host goes over what it gets.  */
double
sum_after (int n)
{
  double *after = malloc (n * sizeof *after), s = 0;
#pragma omp target map(tofrom: after[0:n])
  after[0] = 1;
  for (int i = 0; i < n; i++)
    s += after[i];
  free (after);
  return s;
}

/* After a loop that takes long, and has nothing to do with it.  */
double
fill_far (const double *other, int n)
{
  double *far = malloc (n * sizeof *far), s = 0;
  for (int turn = 0; turn < 10; turn++)
    {
#pragma omp target map(tofrom: far[0:n])
      far[0] += 1;
      for (int i = 0; i < 100000; i++)
	s += other[i];
      for (int i = 0; i < 1000; i++)
	far[i] = i;
    }
  free (far);
  return s;
}

/* All of it, whatever happens.  */
double
sum_fixed (void)
{
  double fixed[100], s = 0;
#pragma omp target map(from: fixed)
  for (int i = 0; i < 100; i++)
    fixed[i] = i;
  s += fixed[0];
  for (int i = 0; i < 100; i++)
    s += fixed[i];
  return s;
}

void
copied (double *out)
{
  double whole[100];
#pragma omp target map(from: whole)
  whole[0] = 1;
  memcpy (out, whole, sizeof whole);
}

/* Only another region reads it.  */
void
pass_on (int n, double *out)
{
  double *between = malloc (n * sizeof *between);
#pragma omp target map(from: between[0:n])
  between[0] = 1;
#pragma omp target map(to: between[0:n]) map(from: out[0:n])
  out[0] = between[0];
  free (between);
}

/* Only under a condition.  */
double
sum_maybe (int n, int wanted)
{
  double *perhaps = malloc (n * sizeof *perhaps), s = 0;
#pragma omp target map(tofrom: perhaps[0:n])
  perhaps[0] = 1;
  if (wanted)
    for (int i = 0; i < n; i++)
      s += perhaps[i];
#pragma omp target map(tofrom: perhaps[0:n])
  perhaps[0] += 1;
  free (perhaps);
  return s;
}

/* By the callee, which is seen.  */
static double
first_of (const double *p)
{
  return p[0];
}

double
by_callee (int n)
{
  double *called = malloc (n * sizeof *called);
#pragma omp target map(tofrom: called[0:n])
  called[0] = 1;
  double s = first_of (called);
  free (called);
  return s;
}

/* Written, and not read.  */
void
refilled (int n)
{
  int *fill = malloc (n * sizeof *fill);
  for (int k = 0; k < 3; k++)
    {
#pragma omp target map(tofrom: fill[0:n])
      fill[0] = k;
      for (int i = 0; i < n; i++)
	fill[i] = k;
    }
  free (fill);
}

/* { dg-final { scan-ummgr-dump-times {live after host reads maybe writes no next 1\.00 needed$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {live far host reads no writes maybe next 1\.00 needed$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {live fixed host reads yes writes no next 1\.00 needed$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {live whole host reads yes writes no next 1\.00 surely needed$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {live between host reads no writes no next 0\.00 needed$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {live between host reads no writes no next 0\.00 dead$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {live perhaps host reads maybe writes no next 0\.[3-7]\d needed$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {live perhaps host reads no writes no next 0\.00 dead$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {live called host reads yes writes no next 0\.00 needed$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {live fill host reads no writes maybe next 1\.00 needed$} 1 ummgr-tables } } */
