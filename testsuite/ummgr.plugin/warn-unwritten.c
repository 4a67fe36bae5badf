/* Copied back and never written: would break if an atomic, a reduction, an asm,
   a function's or an alias's write were missed.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

#include <string.h>

extern void elsewhere (void);
static void poke (int *p, int i) { p[i] = i; }
static int last (const int *p, int n) { return n ? p[n - 1] : 0; }
static void through (int *const *p) { **p = 1; }

void
has (int *a, int *b, int n)
{
  int sum = 0;
#pragma omp target teams distribute parallel for map(tofrom: a[0:n]) map(from: b[0:n]) /* { dg-warning ".a. " } */
  for (int i = 0; i < n; i++)
    b[i] = a[i];
#pragma omp target parallel for reduction(+: sum) map(sum) map(a[0:n]) /* { dg-warning ".a. is copied back from" } */
  for (int i = 0; i < n; i++)
    sum += last (a, i);
#pragma omp target map(from: a[0:n]) map(from: b[0:n]) /* { dg-warning ".a. is copied back from" } */
  memcpy (b, a, n * sizeof *a);
}

void
nearly (int *a, int *b, int n, int m, int (*f) (void))
{
  int sum = 0, *held[1] = { a };
#pragma omp target map(tofrom: a[0:n])
  if (a[n - 1] > m)
    a[0] = 1;
#pragma omp target parallel for map(tofrom: a[0:n], sum)
  for (int i = 0; i < n; i++)
    {
#pragma omp atomic
      sum += a[i];
#pragma omp atomic write
      a[0] = 1;
    }
#pragma omp target parallel for map(tofrom: a[0:n]) map(from: b[0:n]) reduction(+: a[0:2])
  for (int i = 0; i < n; i++)
    a[0] += b[i] = i;
#pragma omp target map(tofrom: a[0:n]) map(from: b[0:n])
  for (int i = 0; i < n; i++)
    {
      b[i] = a[i];
      poke (a + 1, i);
    }
#pragma omp target map(tofrom: a[0:n]) map(from: b[0:n])
  {
    int *p = a;
    b[0] = a[1];
    through (&p);
  }
#pragma omp target map(tofrom: a[0:n]) map(from: b[0:n])
  {
    b[0] = a[1];
    elsewhere ();
  }
#pragma omp target map(tofrom: a[0:n]) map(from: b[0:n])
  {
    b[0] = a[1];
    __asm__ volatile ("" : : "r" (a) : "memory");
  }
#pragma omp target map(tofrom: a[0:n]) map(from: b[0:n]) map(to: held)
  {
    b[0] = a[1];
    held[0][m] = 2;
  }
#pragma omp target map(tofrom: a[0:n]) map(from: b[0:n])
  {
    b[0] = a[1];
    ((int *) ((__UINTPTR_TYPE__) a | 4))[0] = 2;
  }
#pragma omp target map(tofrom: a[0:n]) map(from: b[0:n]) firstprivate(f)
  b[0] = a[1] + f ();
}

void
not (int *a, int *b, int n)
{
#pragma omp target teams distribute parallel for map(to: a[0:n]) map(from: b[0:n])
  for (int i = 0; i < n; i++)
    b[i] = a[i];
#pragma omp target map(tofrom: a[0:n])
  memset (a, a[0], n);
}

/* { dg-final { scan-ummgr-output {.-fplugin-arg-ummgr-warn unwritten.$} } } */
