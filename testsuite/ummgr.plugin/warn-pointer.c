/* Pointers that are set by way of their addresses: would break if such a pointer
   were taken to point only to what it was made of.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

#pragma omp declare target
extern int *other;

static void
turn (int **p)
{
  *p = other;
}
#pragma omp end declare target

void
has (int *a, int *b, int n)
{
#pragma omp target map(tofrom: a[0:n]) map(tofrom: b[0:n]) /* { dg-warning ".a. is copied back" } */
  {
    int *p = b, s = 0;
    for (int i = 0; i < n; i++)
      s += a[i];
    p[0] += s;
  }
}

void
nearly (int *a, int *b, int n)
{
  /* P may be a by then.  */
#pragma omp target map(tofrom: a[0:n]) map(tofrom: b[0:n])
  {
    int *p = b, **q = &p, s = 0;
    *q = a;
    for (int i = 0; i < n; i++)
      s += a[i];
    p[0] += s;
  }
  /* Or what other is, which may be a.  */
#pragma omp target map(tofrom: a[0:n]) map(tofrom: b[0:n])
  {
    int *p = b, s = 0;
    turn (&p);
    for (int i = 0; i < n; i++)
      s += a[i];
    p[0] += s;
  }
}
