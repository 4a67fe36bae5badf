/* Work in functions of `declare target': would break if an argument were lost
   on the way into one, if a loop that a function shares were not one, or if a
   function that is not called were counted.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-additional-options "-fno-inline" } */

#pragma omp declare target
static float at (const float *p, long i) { return p[i]; }
static float twice (const float *p, long i) { return at (p, 2 * i); }
static void never (float *p) { p[7] = 1; }

static void
spread (float *p, long n)
{
#pragma omp for
  for (long i = 0; i < n; i++)
    p[i] = 1;
}

static void
row (float *p, long n)
{
  for (long i = 0; i < n; i++)
    p[i] = 2;
}
#pragma omp end declare target

void
f (float *a, float *b, float *c, long n, long m)
{
#pragma omp target teams distribute parallel for map(to: a[0:2 * n]) map(from: b[0:n])
  for (long i = 0; i < n; i++)
    b[i] = twice (a, i);
#pragma omp target parallel map(from: c[0:n])
  spread (c, n);
#pragma omp target teams distribute parallel for map(from: b[0:n * m])
  for (long i = 0; i < n; i++)
    row (b + i * m, m);
#pragma omp target map(tofrom: c[0:8])
  if (n < 0)
    c[0] = 1;
  never (c);
}

/* { dg-final { scan-ummgr-dump-times {ref line 8 r size 4 frequency 1 exact base 0 shared \[8 x n\]$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use of region f._omp_fn.2 trip n exact$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 17 w size 4 frequency 1 exact base 0 shared \[4 x n\]$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 24 w size 4 frequency 1 exact base 0 shared \[4\*m x n\] inner \[4 x m\]$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {ref line 10 } ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {unknown|data-dependent} ummgr-tables } } */
