/* Mapped and not used: would break if a use as a pointer, or one in a nested
   function, were missed.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

static void put (int *p) { *p = 1; }
static void nothing (int *p, int i) { (void) p; (void) i; }

int
has (int *a, int n)
{
  int e;
#pragma omp target map(to: a[0:n]) map(from: e) /* { dg-warning ".a. is mapped" } */
  e = n;
  return e;
}

int
nearly (int *a, int *b, int n)
{
  int c[100], e;
  /* Is it present?  */
#pragma omp target map(alloc: a[0:n]) map(from: e)
  e = a != 0;
#pragma omp target map(from: c) map(from: e)
  {
    put (c);
    e = n;
  }
#pragma omp target map(tofrom: a[0:n])
  b[0] = n;
  nothing (c, e);
  return c[0] + e;
}

int
not (int *a, int n)
{
  int c[100], e;
#pragma omp target map(to: a[0:n]) map(from: e)
  e = a[n - 1];
  /* GCC drops the clause itself.  */
#pragma omp target map(tofrom: c) map(from: e)
  e = n;
  return e;
}

/* { dg-final { scan-ummgr-output {.-fplugin-arg-ummgr-warn unused.$} } } */
