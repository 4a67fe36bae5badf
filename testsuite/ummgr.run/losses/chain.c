/* Many small objects in a chain: each comes to the region as `q' and then as `p',
   and not again before all others have.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

enum { M = 120, N = 2000, ROUNDS = 3 };

int
main (void)
{
  double *o[M], *want[M];
  int bad = 0;
  for (int i = 0; i < M; i++)
    {
      double *p = o[i] = malloc (sizeof *p * N);
      want[i] = malloc (sizeof *p * N);
      for (int k = 0; k < N; k++)
	want[i][k] = p[k] = k % 8;
#pragma omp target enter data map(to: p[0:N])
    }
  for (int t = 0; t < ROUNDS; t++)
    for (int i = 0; i + 1 < M; i++)
      {
	double *p = o[i], *q = o[i + 1];
#pragma omp target teams distribute parallel for
	for (int k = 0; k < N; k++)
	  q[k] = 0.5 * (p[k] + q[k]);
	for (int k = 0; k < N; k++)
	  want[i + 1][k] = 0.5 * (want[i][k] + want[i + 1][k]);
      }
  for (int i = 0; i < M; i++)
    {
      double *p = o[i];
#pragma omp target exit data map(from: p[0:N])
      for (int k = 0; k < N; k++)
	bad += p[k] != want[i][k];
    }
  return bad != 0;
}
