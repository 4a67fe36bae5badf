/* README's first example: three arrays of 128 MiB, and a kernel that names all of them in its clauses.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

int
main (void)
{
  size_t n = 128 << 20 >> 2;
  float *a = malloc (n * sizeof *a), *b = malloc (n * sizeof *b), *c = malloc (n * sizeof *c);
  for (size_t i = 0; i < n; i++)
    {
      a[i] = i % 1000;
      b[i] = 2;
      c[i] = 1;
    }
  for (int step = 0; step < 4; step++)
#pragma omp target teams distribute parallel for map(to: a[0:n], b[0:n]) map(tofrom: c[0:n])
    for (size_t i = 0; i < n; i++)
      c[i] += a[i] + b[i];
  for (size_t i = 0; i < n; i++)
    if (c[i] != 9 + 4 * (i % 1000))
      return printf ("c[%zu] is %g\n", i, c[i]), 1;
  puts ("right");
  return 0;
}
