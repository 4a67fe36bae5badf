/* Breaks if an input that stays, or a result that is made there, is reported.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-no-finding unchanged-copy } */

#include "pattern.h"

int
main (void)
{
  int *input = malloc (N * sizeof *input), *out = malloc (N * sizeof *out);
  long sum = 0;
  for (int i = 0; i < N; i++)
    input[i] = 1;
#pragma omp target enter data map(to: input[:N]) map(alloc: out[:N])
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    out[i] = input[i] + 1;
#pragma omp target update from(out[:N])
#pragma omp target exit data map(delete: input[:N], out[:N])
  for (int i = 0; i < N; i++)
    sum += out[i];
  free (input);
  free (out);
  return expect (sum, 2L * N);
}
