/* Breaks if a result that is not copied in counts as overwritten.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-no-finding overwritten-copy } */
/* { dg-ummgr-no-finding unused-copy } */
/* { dg-ummgr-no-finding early-copy } */

#include "pattern.h"

int
main (void)
{
  int *data = malloc (N * sizeof *data), *out = malloc (N * sizeof *out);
  long sum = 0;
  for (int i = 0; i < N; i++)
    data[i] = out[i] = 1;
#pragma omp target teams distribute parallel for map(to: data[:N]) \
  map(from: out[:N])
  for (int i = 0; i < N; i++)
    out[i] = data[i] + 1;
  for (int i = 0; i < N; i++)
    sum += out[i];
  free (data);
  free (out);
  return expect (sum, 2L * N);
}
