/* A target update in each iteration of what has not changed.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, ROUNDS = 15 };

int
main (void)
{
  double *factor = malloc (N * sizeof *factor), *state = malloc (N * sizeof *state);
  for (int i = 0; i < N; i++)
    {
      factor[i] = (i % 3) / 3.0;
      state[i] = i % 9;
    }
#pragma omp target data map(to: factor[0:N]) map(tofrom: state[0:N])
  for (int round = 0; round < ROUNDS; round++)
    {
#ifndef MENDED
#pragma omp target update to(factor[0:N]) /* HERE */
#endif
#pragma omp target teams distribute parallel for map(to: factor[0:N]) map(tofrom: state[0:N])
      for (int i = 0; i < N; i++)
	state[i] = factor[i] * state[i] + 1;
    }
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += state[i];
  printf ("%.15g\n", sum);
}
