/* The other unit of units.c.  SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

struct pair
{
  int *first, *second;
};

int *shared;

static void
add (int *a, int n, int what)
{
#pragma omp target teams distribute parallel for map(tofrom: a[:n])
  for (int i = 0; i < n; i++)
    a[i] += what;
}

void
unit_run (int *a, int n)
{
  add (a, n, 1);
  add (shared, n, 2);
}

void
unit_fill (struct pair *p, int n)
{
  int *a = p->first;
#pragma omp target teams distribute parallel for map(from: a[:n])
  for (int i = 0; i < n; i++)
    a[i] = 7;
}

int
unit_sum (const int *a, int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i];
  return sum;
}

void
unit_free (void *p)
{
  free (p);
}
