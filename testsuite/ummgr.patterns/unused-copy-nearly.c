/* Breaks if a copy of which a part below the threshold (a tenth, though more than
   4 KiB) goes unused is reported.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-no-finding unused-copy } */
/* { dg-ummgr-no-finding low-density } */
/* { dg-ummgr-no-finding early-copy } */

#include "pattern.h"

int
main (void)
{
  enum { USED = N / 100 * 92 };
  int *data = malloc (N * sizeof *data);
  long sum = 0;
  for (int i = 0; i < N; i++)
    data[i] = i & 1;
#pragma omp target teams distribute parallel for reduction (+: sum) map (tofrom: sum) \
  map(to: data[:N])
  for (int i = N - USED; i < N; i++)
    sum += data[i];
  free (data);
  return expect (sum, USED / 2);
}
