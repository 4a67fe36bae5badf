/* Breaks if a copy is reported of which nearly all is read before it is written:
   what is not is less than a tenth.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-no-finding overwritten-copy } */
/* { dg-ummgr-no-finding early-copy } */

#include "pattern.h"

int
main (void)
{
  enum { READ = N / 100 * 92 };
  int *data = malloc (N * sizeof *data);
  long sum = 0;
  for (int i = 0; i < N; i++)
    data[i] = 1;
#pragma omp target teams distribute parallel for map(tofrom: data[:N])
  for (int i = 0; i < N; i++)
    if (i < READ)
      data[i] += 1;
    else
      data[i] = 2;
  for (int i = 0; i < N; i++)
    sum += data[i];
  free (data);
  return expect (sum, 2L * N);
}
