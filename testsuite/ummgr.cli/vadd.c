/* A vector addition that needs its copies to be right.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <stdlib.h>
int
main (void)
{
  int n = 1 << 18;
  float *a = malloc (n * sizeof *a), *b = malloc (n * sizeof *b),
	*c = malloc (n * sizeof *c);
  for (int i = 0; i < n; i++)
    a[i] = i, b[i] = 2 * i, c[i] = -1;
#pragma omp target teams distribute parallel for map(to: a[:n], b[:n]) map(from: c[:n])
  for (int i = 0; i < n; i++)
    c[i] = a[i] + b[i];
  for (int i = 0; i < n; i++)
    if (c[i] != a[i] + b[i])
      return printf ("vadd: wrong at %d\n", i), 1;
  puts ("vadd: right");
  return 0;
}
