/* A region before the loop makes what the loop's goes on with: what a construct around the loop alone
   maps has to come in, or the construct goes around both.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, ROUNDS = 12 };

int
main (void)
{
  double *state = malloc (N * sizeof *state), sum = 0;
#ifdef MENDED
#pragma omp target data map(from: state[0:N])
  {
#endif
#pragma omp target teams distribute parallel for map(from: state[0:N]) /* HERE */
  for (int i = 0; i < N; i++)
    state[i] = i % 6;
  for (int round = 0; round < ROUNDS; round++)
    {
#pragma omp target teams distribute parallel for map(tofrom: state[0:N]) /* HERE */
      for (int i = 0; i < N; i++)
	state[i] = 0.75 * state[i] + round;
    }
#ifdef MENDED
  }
#endif
  for (int i = 0; i < N; i++)
    sum += state[i];
  printf ("%.15g\n", sum);
}
