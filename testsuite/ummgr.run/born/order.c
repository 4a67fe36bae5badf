/* An input that one region reads, mapped before memory that all regions use, each of which fits by itself.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 20, ROUNDS = 6 };
static int in[N], work[N];

int
main (void)
{
  long sum = 0, expected = 0;
  for (int i = 0; i < N; i++)
    in[i] = i % 1000;
#pragma omp target data map (to: in[:N]) map (alloc: work[:N])
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
      work[i] = 2 * in[i];
    for (int r = 0; r < ROUNDS; r++)
      {
#pragma omp target teams distribute parallel for
	for (int i = 0; i < N; i++)
	  work[i] = work[i] * 3 % 1009;
      }
#pragma omp target teams distribute parallel for reduction (+: sum)
    for (int i = 0; i < N; i++)
      sum += work[i];
  }
  for (int i = 0; i < N; i++)
    {
      int w = 2 * (i % 1000);
      for (int r = 0; r < ROUNDS; r++)
	w = w * 3 % 1009;
      expected += w;
    }
  printf ("wrong %d\n", sum != expected);
  return 0;
}
