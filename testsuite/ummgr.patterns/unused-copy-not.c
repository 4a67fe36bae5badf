/* Breaks if a copy that is used, by bytes and through an index, is reported.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-no-finding unused-copy } */
/* { dg-ummgr-no-finding early-copy } */

#include "pattern.h"

int
main (void)
{
  unsigned char *bytes = malloc (N);
  int *index = malloc (N * sizeof *index);
  long sum = 0;
  for (int i = 0; i < N; i++)
    {
      bytes[i] = i % 3;
      index[i] = (i * 5) % N;
    }
#pragma omp target teams distribute parallel for reduction (+: sum) map (tofrom: sum) \
  map(to: bytes[:N], index[:N])
  for (int i = 0; i < N; i++)
    sum += bytes[index[i]];
  long wanted = 0;
  for (int i = 0; i < N; i++)
    wanted += i % 3;
  free (bytes);
  free (index);
  return expect (sum, wanted);
}
