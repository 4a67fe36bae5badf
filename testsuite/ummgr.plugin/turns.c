/* How often loops that launch go round: would break if that weren't said before a loop whose end is known
   then, if turns that use the same memory weren't told from those that don't, if a loop that may end sooner
   were counted, if those without a launch were told of, or if what the host goes over after a loop weren't said before
   it, or where a region or nothing may come first.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

struct field
{
  double *a, *b;
};

__attribute__ ((noinline)) static void
smooth (const double *from, double *to, long n)
{
#pragma omp target teams distribute parallel for map(to: from[0:n]) map(from: to[0:n])
  for (long i = 0; i < n; i++)
    to[i] = from[i] / 2;
}

void
counted (double *a, double *b, long n, int steps)
{
  for (int k = 0; k < steps; k++) /* Line 24.  */
    {
      smooth (a, b, n);
      smooth (b, a, n);
    }
}

void
nested (double **patch, double **next, long n, int turns)
{
  for (int k = turns; k >= 2; k--) /* Line 34.  */
    for (int p = 0; p < 48; p++) /* Line 35.  */
      for (int t = 0; t < 1 << p % 3; t++) /* Line 36.  */
	smooth (patch[p], next[p], n);
}

void
swapped (struct field *f, long n)
{
  double *a = f->a, *b = f->b;
  int left = 7;
  do
    {
      smooth (a, b, n);
      double *t = a;
      a = b;
      b = t;
    }
  while (--left); /* Line 52.  */
}

int
ends_sooner (double *a, double *b, long n, int steps)
{
  int k;
  for (k = 0; k < steps; k++) /* Line 59.  */
    {
      smooth (a, b, n);
      if (b[0] < 1e-3)
	break;
    }
  return k;
}

void
blocks (double *a, double *b, long n)
{
  for (long k = 0; k < 4; k++) /* Line 71.  */
    smooth (a + k * n, b + k * n, n);
  for (long k = 0; k < 5; k++) /* Line 73.  */
    a[k] = k;
}

double
read_after (double *x, double *y, double *z, long n, int steps)
{
  double sum = 0;
  for (int k = 0; k < steps; k++)
    smooth (x, y, n);
  for (long i = 0; i < n; i++)
    sum += y[i];
  for (int k = 0; k < steps; k++)
    smooth (x, z, n);
  smooth (z, x, n);
  for (long i = 0; i < n; i++)
    sum += z[i];
  for (int k = 0; k < steps; k++)
    smooth (z, x, n);
  if (steps > 3)
    for (long i = 0; i < n; i++)
      sum += x[i];
  return sum;
}

/* { dg-final { scan-ummgr-dump {tells before a loop what the host goes over after it: y_} ummgr-announce } } */
/* { dg-final { scan-ummgr-dump-not {tells before a loop what the host goes over after it: [xz]_} ummgr-announce } } */
/* { dg-final { scan-ummgr-dump {turns of a loop at line 24: [^\n]*steps[^\n]*, the same memory} ummgr-announce } } */
/* { dg-final { scan-ummgr-dump {turns of a loop at line 34: [^\n]*turns[^\n]*, the same memory} ummgr-announce } } */
/* { dg-final { scan-ummgr-dump {turns of a loop at line 35: 48, other memory} ummgr-announce } } */
/* { dg-final { scan-ummgr-dump {turns of a loop at line 36: [^\n]*1 << [^\n]*p_[0-9]+[^\n]*% 3[^\n]*, the same memory} ummgr-announce } } */
/* { dg-final { scan-ummgr-dump {turns of a loop at line [0-9]+: 7, the same memory} ummgr-announce } } */
/* { dg-final { scan-ummgr-dump {turns of a loop at line 59: not known, the same memory} ummgr-announce } } */
/* { dg-final { scan-ummgr-dump {turns of a loop at line 71: 4, the same memory} ummgr-announce } } */
/* { dg-final { scan-ummgr-dump-not {turns of a loop at line 73} ummgr-announce } } */
