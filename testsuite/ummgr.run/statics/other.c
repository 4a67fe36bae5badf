/* The second unit of wave.c.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "wave.h"

#pragma omp declare target
static double w[N];		/* place of other.c w */
#pragma omp end declare target

void
other (double *sum)
{
  double all = 0;
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    w[i] = 3;
#pragma omp target teams distribute parallel for reduction (+: all)
  for (int i = 0; i < N; i++)
    all += w[i];
  *sum = all;
}
