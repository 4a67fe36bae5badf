/* Breaks if a region of a task is forgotten, which may run where a later region waits for what it
   depends on: what it writes then comes back with the data construct's map, or never.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

int
within (int *a, int n)
{
  int x = 0, l[50] = { 1 };
#pragma omp task depend(out: x) shared(l)
  {
#pragma omp target map(tofrom: l)
    l[1] = 5;
  }
#pragma omp target data map(tofrom: l)
  {
#pragma omp target depend(in: x) map(tofrom: a[0:n])
    for (int i = 0; i < n; i++)
      a[i] += l[i];
  }
  return l[1];
}

int
before (int *a, int n)
{
  int x = 0, l[50] = { 1 };
#pragma omp task depend(out: x) shared(x)
  x = 1;
#pragma omp target data map(tofrom: l) /* { dg-warning ".l. is copied back" } */
  {
#pragma omp target depend(in: x) map(tofrom: a[0:n])
    for (int i = 0; i < n; i++)
      a[i] += l[i];
  }
  return l[1];
}
