/* Data that stays mapped over regions: a data region, updates, unstructured
   mappings with an attached pointer, and `always'.  SPDX-License-Identifier: GPL-3.0-or-later  */

#include "program.h"

enum { N = 1 << 14 };

struct list { int count; int *items; };

static int a[N], b[N];

static void
structured (void)
{
  for (int i = 0; i < N; i++)
    a[i] = i;
#pragma omp target data map (tofrom: a) map (from: b)
  {
#pragma omp target map (tofrom: a) map (from: b)
    for (int i = 0; i < N; i++)
      b[i] = a[i]++;
#pragma omp target update from (b)
    for (int i = 0; i < N; i++)
      EXPECT (b[i] == i);
    for (int i = 0; i < N; i++)
      b[i] = 2 * i;
#pragma omp target update to (b)
#pragma omp target map (tofrom: a) map (always, from: b)
    for (int i = 0; i < N; i++)
      b[i] += a[i];
    for (int i = 0; i < N; i++)
      EXPECT (b[i] == 3 * i + 1);
  }
  for (int i = 0; i < N; i++)
    EXPECT (a[i] == i + 1 && b[i] == 3 * i + 1);
}

static void
unstructured (void)
{
  struct list list = { N, malloc (N * sizeof (int)) };
  for (int i = 0; i < N; i++)
    list.items[i] = 5 * i;
#pragma omp target enter data map (to: list) map (to: list.items[:N])
#pragma omp target map (tofrom: list.items[:N])
  for (int i = 0; i < N; i++)
    list.items[i]++;
#pragma omp target exit data map (from: list.items[:N]) map (release: list)
  for (int i = 0; i < N; i++)
    EXPECT (list.items[i] == 5 * i + 1);
  free (list.items);
}

int
main (void)
{
  structured ();
  unstructured ();
  return right ();
}
