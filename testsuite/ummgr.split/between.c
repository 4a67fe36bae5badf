/* What regions over two GPUs use of each other's memory: a stencil reads an element beyond its half of
   a, a sum nothing.  Halves are whole pages, so that nothing else is shared.  */
/* { spread-pieces stencil 3 } { spread-pieces sum 3 } */

#include "check.h"

#include <stdlib.h>

enum { N = 131072 };

static void
stencil (const double *a, double *b)
{
#pragma omp target teams distribute parallel for map(to: a[0:N]) map(from: b[0:N])
  for (int i = 1; i < N - 1; i++)
    b[i] = a[i - 1] + a[i + 1];
}

static void
sum (const double *a, double *b)
{
#pragma omp target teams distribute parallel for map(to: a[0:N]) map(from: b[0:N])
  for (int i = 0; i < N; i++)
    b[i] = a[i] + 1;
}

int
main (int argc, char **argv)
{
  double *a = malloc (N * sizeof *a), *b = malloc (N * sizeof *b);
  int sums = argc > 1 ? atoi (argv[1]) : 2, stencils = argc > 2 ? atoi (argv[2]) : 2;
  for (int i = 0; i < N; i++)
    a[i] = b[i] = i;
#pragma omp target data map(to: a[0:N]) map(from: b[0:N])
  {
    for (int k = 0; k < sums; k++)
      sum (a, b);
    for (int k = 0; k < stencils; k++)
      stencil (a, b);
  }
  for (int i = 1; i < N - 1; i++)
    CHECK (b[i] == (stencils ? 2.0 * i : sums ? i + 1.0 : b[i]));
  free (a);
  free (b);
  return 0;
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */
