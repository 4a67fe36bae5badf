/* A region whose own clauses map the data: what it accessed must be known before
   libgomp has unmapped it.  SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 16 };

int
main (void)
{
  double *a = malloc (N * sizeof *a), *b = malloc (N * sizeof *b), sum = 0;
  for (int i = 0; i < N; i++)
    {
      a[i] = i;
      b[i] = 0;
    }
#pragma omp target teams distribute parallel for map(to: a[:N]) map(tofrom: b[:N])
  for (int i = 1; i < N - 1; i++)
    b[i] += a[i - 1] + a[i + 1];
  for (int i = 0; i < N; i++)
    sum += b[i];
  printf ("sum %.0f\n", sum);
  free (a);
  free (b);
  return 0;
}
