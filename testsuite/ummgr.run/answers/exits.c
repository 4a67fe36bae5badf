/* Data that a region makes and an exit data copies back, before a loop that copies it in each time;
   MENDED: as `ummgr advise' has it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 15000, ROUNDS = 10 };

int
main (void)
{
  double *state = calloc (N, sizeof *state), *sum = calloc (N, sizeof *sum), all = 0;
#pragma omp target enter data map(alloc: state[0:N])
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    state[i] = i % 9;
#pragma omp target exit data map(from: state[0:N])
#ifdef MENDED
#pragma omp target data map(tofrom: state[0:N], sum[0:N])
#endif
  for (int round = 0; round < ROUNDS; round++)
    {
#pragma omp target teams distribute parallel for map(tofrom: state[0:N], sum[0:N])
      for (int i = 0; i < N; i++)
	{
	  sum[i] += state[i];
	  state[i] *= 0.5;
	}
    }
  for (int i = 0; i < N; i++)
    all += sum[i] + state[i];
  printf ("%.15g\n", all);
}
