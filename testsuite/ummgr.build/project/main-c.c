/* Regions of its own and of two libraries.  SPDX-License-Identifier: GPL-3.0-or-later  */
#include "sample.h"

#include <stdio.h>
#include <stdlib.h>

int
main (void)
{
  enum { N = 20000 };
  double *a = malloc (N * sizeof *a);
  int wrong = 0;
#pragma omp target teams distribute parallel for map(from: a[0:N])
  for (int i = 0; i < N; i++)
    a[i] = i;
  scale (a, N, 2);
  shift (a, N, 1);
  for (int i = 0; i < N; i++)
    wrong += a[i] != 2 * i + 1;
  puts (wrong ? "c: wrong" : "c: right");
  free (a);
  return wrong != 0;
}
