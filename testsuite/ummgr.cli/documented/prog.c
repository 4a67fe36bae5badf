/* Any program: some steps over two arrays.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

int
main (int argc, char **argv)
{
  int n = argc > 1 && atoi (argv[1]) > 0 ? atoi (argv[1]) : 50000;
  double *a = calloc (n, sizeof *a), *b = malloc (n * sizeof *b), sum = 0;
  for (int i = 0; i < n; i++)
    b[i] = i;
#pragma omp target data map(tofrom: a[0:n]) map(to: b[0:n])
  for (int step = 0; step < 4; step++)
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
      a[i] += b[i];
  for (int i = 0; i < n; i++)
    sum += a[i];
  printf ("%s\n", sum == 2.0 * n * (n - 1) ? "right" : "wrong");
  return sum != 2.0 * n * (n - 1);
}
