/* Two outputs are copied back in each step, and nobody reads them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

enum { N = 100000, STEPS = 5 };

int
main (void)
{
  double *a = malloc (sizeof *a * N), *b = malloc (sizeof *b * N);
  double *change = malloc (sizeof *a * N), *before = malloc (sizeof *a * N);
  int bad = 0;
  for (int i = 0; i < N; i++)
    {
      a[i] = 64;
      b[i] = 0;
    }
#pragma omp target data map(tofrom: a[0:N]) map(to: b[0:N])
  for (int t = 0; t < STEPS; t++)
    {
#pragma omp target teams distribute parallel for	\
  map(from: change[0:N], before[0:N])
      for (int i = 0; i < N; i++)
	{
	  double old = a[i];
	  a[i] = 0.5 * (old + b[i]);
	  change[i] = a[i] - old;
	  before[i] = old;
	}
    }
  for (int i = 0; i < N; i++)
    bad += a[i] != 2;
  return bad != 0;
}
