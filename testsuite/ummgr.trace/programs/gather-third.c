/* A region reads an array through an index: a third of its 64 KiB places, and more
   of it than many a device has room for.  What weighs a fault against a copy
   decides what becomes of it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1 << 21, PLACE = 8192, READS = 1 << 14, TIMES = 3 };

/* Its arguments, which are those of the bench's programs, change nothing.  */
int
main (void)
{
  double *a = malloc (N * sizeof *a), sum = 0;
  int *index = malloc (READS * sizeof *index);
  unsigned x = 1;
  for (int i = 0; i < N; i++)
    a[i] = 1;
  for (int i = 0; i < READS; i++)
    {
      x = x * 1664525u + 1013904223u;
      index[i] = (x >> 8) % (N / PLACE / 3) * 3 * PLACE + (x >> 20) % PLACE;
    }
#pragma omp target data map(to: a[0:N], index[0:READS])
  for (int t = 0; t < TIMES; t++)
    {
#pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)
      for (int i = 0; i < READS; i++)
	sum += a[index[i]];
    }
  printf ("%g\n", sum);
  free (a);
  free (index);
  return sum == TIMES * READS ? 0 : 1;
}
