/* What is said, before an allocation that may be shared, of those behind it.  Would break if what can't be known by
   then were counted, or what has been allocated already.  */
/* { dg-do compile } */
/* { dg-options "-O2" } */

#include <stdlib.h>

extern int other (int);

static __attribute__ ((noinline)) void *
need (size_t count, size_t size)
{
  void *p = malloc (count * size ? count * size : 1);
  if (!p)
    abort ();
  return p;
}

static __attribute__ ((noinline)) double
use (double *to, const double *from, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: to[0:n]) map(to: from[0:n])
  for (int i = 0; i < n; i++)
    to[i] = from[i] + 1;
  double s = 0;
  for (int i = 0; i < n; i++)
    s += to[i];
  return s;
}

/* Three in a row: 80 and 160 more, 160 more, none.  */
double
constant (void)
{
  double *a = malloc (5 * sizeof *a), *b = calloc (10, sizeof *b), *c = need (20, sizeof *c);
  for (int i = 0; i < 5; i++)
    b[i] = c[i] = i;
  double s = use (a, b, 5) + use (b, c, 5) + use (c, a, 5);
  free (a), free (b), free (c);
  return s;
}
/* { dg-final { scan-ummgr-dump-times {ahead of an allocation in constant: 240$} 1 ummgr-unify } } */
/* { dg-final { scan-ummgr-dump-times {ahead of an allocation in constant: 160$} 1 ummgr-unify } } */
/* { dg-final { scan-ummgr-dump-times {ahead of an allocation in constant} 2 ummgr-unify } } */

/* How large the second is, nobody knows before the first.  */
double
unknown (int n)
{
  double *a = malloc (n * sizeof *a);
  int m = other (n);
  double *b = malloc (m * sizeof *b);
  for (int i = 0; i < m; i++)
    b[i] = i;
  double s = use (a, b, n);
  free (a), free (b);
  return s;
}
/* { dg-final { scan-ummgr-dump-not {ahead of an allocation in unknown} ummgr-unify } } */

/* By its arguments, through a function that returns it.  */
double
argument (int n)
{
  double *a = need (n, sizeof *a), *b = need (n, sizeof *b);
  for (int i = 0; i < n; i++)
    b[i] = i;
  double s = use (a, b, n);
  free (a), free (b);
  return s;
}
/* { dg-final { scan-ummgr-dump-times {ahead of an allocation in argument: MAX_EXPR <.*_[0-9]+.* \* 8, 1>$} 1 ummgr-unify } } */

/* The second is hardly ever allocated.  */
double
seldom (int n)
{
  double *b = malloc (n * sizeof *b), s = 0;
  for (int i = 0; i < n; i++)
    b[i] = i;
  if (__builtin_expect (n == 1234567, 0))
    {
      double *a = malloc (n * sizeof *a);
      s = use (a, b, n);
      free (a);
    }
  free (b);
  return s;
}
/* { dg-final { scan-ummgr-dump-not {ahead of an allocation in seldom} ummgr-unify } } */
/* SPDX-License-Identifier: GPL-3.0-or-later  */
