/* 24 MiB in three arrays, for a device of 8 MiB.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <stdlib.h>
int
main (void)
{
  int n = 1 << 20;
  double *a = malloc (n * sizeof *a), *b = malloc (n * sizeof *b),
	 *c = malloc (n * sizeof *c);
  for (int i = 0; i < n; i++)
    a[i] = i, b[i] = 3 * i, c[i] = 0;
#pragma omp target data map(to: a[:n], b[:n]) map(tofrom: c[:n])
  for (int k = 0; k < 3; k++)
    {
#pragma omp target teams distribute parallel for map(to: a[:n], b[:n]) map(tofrom: c[:n])
      for (int i = 0; i < n; i++)
	c[i] += a[i] + b[i];
    }
  for (int i = 0; i < n; i++)
    if (c[i] != 12.0 * i)
      return printf ("big: wrong at %d\n", i), 1;
  puts ("big: right");
  return 0;
}
