/* Ordered regions: threads wait for each other's turn.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int
main ()
{
  int o[50], k = 0;
#pragma omp target map(tofrom : o, k)
#pragma omp parallel for ordered schedule(static, 1) num_threads(5)
  for (int i = 0; i < 50; i++)
    {
#pragma omp ordered
      o[k++] = i;
    }
  int bad = 0;
  for (int i = 0; i < 50; i++)
    if (o[i] != i)
      bad++;
  printf ("%d %d\n", bad, k);
}
