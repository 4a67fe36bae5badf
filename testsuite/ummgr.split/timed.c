/* A kernel, launched again and again on data that was mapped before and doesn't fit: slices of its data come where
   copies are faster than what it reads over the link.  An argument is how many numbers there are.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

int
main (int argc, char **argv)
{
  long n = argc > 1 ? atol (argv[1]) : 60007;
  int *a = malloc (n * sizeof *a), *b = malloc (n * sizeof *b), *c = malloc (n * sizeof *c);
  for (long i = 0; i < n; i++)
    {
      a[i] = i % 1009;
      b[i] = i % 77;
    }
#pragma omp target data map(to: a[0:n], b[0:n]) map(from: c[0:n])
  for (int round = 0; round < 6; round++)
#pragma omp target teams distribute parallel for
    for (long i = 0; i < n; i++)
      c[i] = a[i] + round * b[i];
  for (long i = 0; i < n; i++)
    if (c[i] != i % 1009 + 5 * (i % 77))
      return printf ("c[%ld] is %d\n", i, c[i]), 1;
  return 0;
}
