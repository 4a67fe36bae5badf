/* What the host does after a region as one call of its function, or one launch of several, has it: would break if it
   were that of all calls, or of another, or if something were said of a function that others call, too.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-additional-options "-O1" } */

#include <stdlib.h>

static __attribute__ ((noinline)) void
add (double *to, const double *what, int n)
{
#pragma omp target map(tofrom: to[0:n]) map(to: what[0:n])
  to[0] += what[0];
}

/* Of which both calls are alike.  */
static __attribute__ ((noinline)) void
same (double *to1, int n)
{
#pragma omp target map(tofrom: to1[0:n])
  to1[0]++;
}

/* That other units call.  */
__attribute__ ((noinline)) void
open_to_all (double *to2, int n)
{
#pragma omp target map(tofrom: to2[0:n])
  to2[0]++;
}

/* Once at each call, wherever its code goes.  */
static inline __attribute__ ((always_inline)) void
copied (double *to3, int n)
{
#pragma omp target map(tofrom: to3[0:n])
  to3[0]++;
}

double
solve (int n)
{
  double *x = calloc (n, sizeof *x), *r = calloc (n, sizeof *r), sum = 0;
  for (int i = 0; i < n; i++)
    {
      add (x, r, n);		/* Read after the loop.  */
      add (r, x, n);		/* Line 47: read here.  */
      sum += r[0];
      same (x, n);
      same (x, n);
      open_to_all (r, n);
      open_to_all (x, n);
      copied (r, n);		/* Line 53.  */
      copied (r, n);
      sum += r[1];
    }
  sum += x[0];
  free (x);
  free (r);
  return sum;
}

/* { dg-final { scan-ummgr-dump-times {called at line} 4 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {add\._omp_fn[^\n]*(\n;; ummgr:   (live what|own)[^\n]*)*\n;; ummgr:   live to host reads maybe} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {called at line 46(\n;; ummgr:   (live what|own)[^\n]*)*\n;; ummgr:   live to host reads no writes no} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {called at line 47(\n;; ummgr:   (live what|own)[^\n]*)*\n;; ummgr:   live to host reads yes writes no} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {called at line 53(\n;; ummgr:   (live what|own)[^\n]*)*\n;; ummgr:   live to3 host reads no writes no} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {called at line 54(\n;; ummgr:   (live what|own)[^\n]*)*\n;; ummgr:   live to3 host reads yes writes no} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {says which it is} 4 ummgr-announce } } */
