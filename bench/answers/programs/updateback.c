/* A target update in each iteration of a result that the host looks at once, at the end.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, ROUNDS = 15 };

int
main (void)
{
  double *state = malloc (N * sizeof *state);
  for (int i = 0; i < N; i++)
    state[i] = i % 9;
#pragma omp target data map(tofrom: state[0:N])
  for (int round = 0; round < ROUNDS; round++)
    {
#pragma omp target teams distribute parallel for map(tofrom: state[0:N])
      for (int i = 0; i < N; i++)
	state[i] = 0.5 * state[i] + 1;
#ifndef MENDED
#pragma omp target update from(state[0:N]) /* HERE */
#endif
    }
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += state[i];
  printf ("%.15g\n", sum);
}
