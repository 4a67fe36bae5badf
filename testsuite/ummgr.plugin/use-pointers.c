/* Calls through pointers in a region: would break if what the functions do that such a call may
   reach were left out, or called exact, or if what is not known were.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-additional-options "-fno-inline" } */

#pragma omp declare target
static void add (float *p, int i) { p[i] += 1; }
static void set (float *p, int i) { p[2 * i] = 1; }
static void (*const table[2]) (float *, int) = { add, set };
static void (*const single[1]) (float *, int) = { set };
void (*anyone) (float *, int);
#pragma omp end declare target

void
f (float *a, float *b, float *c, float *d, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:2 * n]) map(to: d[0:n])
  for (int i = 0; i < n; i++)
    table[i & 1] (a, i);
#pragma omp target teams distribute parallel for map(tofrom: b[0:2 * n])
  for (int i = 0; i < n; i++)
    single[0] (b, i);
#pragma omp target map(tofrom: c[0:n], d[0:n])
  anyone (c, n);
}

/* { dg-final { scan-ummgr-dump-times {use a read written$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 7 r size 4 frequency 0\.5 affine base 0 shared \[4 x n\]} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 8 w size 4 frequency 0\.5 affine base 0 shared \[8 x n\]} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use d$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use b written$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 8 w size 4 frequency 1 exact base 0 shared \[8 x n\]} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use c read written unknown why passed to an unknown function, .*} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use d read written unknown why a call through a pointer that may lead to unknown functions} 1 ummgr-tables } } */
