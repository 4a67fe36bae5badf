/* The inner loop's bound comes from memory, from a launch's own argument or one
   that was mapped before.  All of the matrix is used.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

int
main (int argc, char **argv)
{
  int n = 700, before = argc > 1;
  int *bound = malloc (sizeof *bound);
  double *a = malloc (sizeof *a * n * n), *s = malloc (sizeof *s * n);
  *bound = n;
  for (long i = 0; i < (long) n * n; i++)
    a[i] = i % 7;
#pragma omp target enter data map(to: bound[0:1]) if (before)
#pragma omp target teams distribute parallel for map(from: s[0:n])	\
  map(to: a[0:(long) n * n], bound[0:1])
  for (int j = 0; j < n; j++)
    {
      double t = 0;
      for (int i = 0; i < *bound; i++)
	t += a[(long) i * n + j];
      s[j] = t;
    }
#pragma omp target exit data map(release: bound[0:1]) if (before)
  double want = 0;
  for (int i = 0; i < n; i++)
    want += a[(long) i * n + n / 2];
  return s[n / 2] != want;
}
