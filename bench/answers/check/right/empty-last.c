// A loop that is never entered: each team leaves in its variable what it had at the beginning, by code
// of the construct's own.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>

int
main (void)
{
  int i, n = 10, a[32] = { 0 };
#pragma omp target teams distribute simd map(tofrom: a)
  for (i = 20; i < n; i++)
    a[i] = 1;
  printf ("%d %d\n", i, a[20]);
  return i != 20;
}
