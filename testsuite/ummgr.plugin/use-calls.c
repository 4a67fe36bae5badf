/* Functions that a region calls: would break if an argument were not followed
   into them, if recursion did not end, or if what is passed to unseen code were
   taken for unused.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-additional-options "-fno-inline" } */

#pragma omp declare target
void unseen (float *);
struct holder { float *p; }; void take (struct holder *);
static float get (const float *p, int i) { return p[2 * i]; }
static void set (float *p, int i) { p[i] = get (p, i); }
static int down (int *p, int i) { return i > 0 ? down (p, i - 1) * down (p, i - 2) : p[0]; }
#pragma omp end declare target

void
f (float *a, float *b, int *c, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:2 * n])
  for (int i = 0; i < n; i++)
    set (a, i);
#pragma omp target map(tofrom: b[0:n])
  unseen (b);
#pragma omp target map(tofrom: c[0:n])
  c[1] = down (c, n);
#pragma omp target map(tofrom: a[0:n])
  {
    struct holder h = { a };
    take (&h);
  }
}

/* { dg-final { scan-ummgr-dump-times {ref line 10 r size 4 .* exact base 0 shared \[8 x n\]$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 11 w size 4 .* exact base 0 shared \[4 x n\]$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use b read written unknown why passed to unseen, .*} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use c read written$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use a read written unknown why passed to take, .*} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use a .*unknown} 1 ummgr-tables } } */
