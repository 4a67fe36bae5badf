// A loop that is never entered: each team writes its variable, whose value then is nobody's business, by code
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
  printf ("%d\n", a[20]);
  return 0;
}
