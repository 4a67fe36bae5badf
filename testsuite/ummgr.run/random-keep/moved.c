/* An array that is kept from one mapping to the next, and then becomes managed memory, as another needs its room.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 19, M = 3 << 19 };

static __attribute__ ((noinline)) long
small_sum (const int *x)
{
  long s = 0;
#pragma omp target teams distribute parallel for map(to: x[:N]) map(tofrom: s) reduction(+: s)
  for (int i = 0; i < N; i++)
    s += x[i];
  return s;
}

static __attribute__ ((noinline)) long
large_sum (const int *x)
{
  long s = 0;
#pragma omp target teams distribute parallel for map(to: x[:M]) map(tofrom: s) reduction(+: s)
  for (int i = 0; i < M; i++)
    s += x[i];
  return s;
}

int
main (void)
{
  int *a = calloc (N, sizeof *a), *b = calloc (M, sizeof *b);
  long s = 0;
  for (int t = 0; t < 40; t++)
    s += small_sum (a);
#pragma omp target enter data map(to: a[:N])
#pragma omp target enter data map(to: b[:M])
  for (int t = 0; t < 30; t++)
    s += large_sum (b);
#pragma omp target exit data map(delete: a[:N], b[:M])
  printf ("%ld\n", s);
  free (a);
  free (b);
  return 0;
}
