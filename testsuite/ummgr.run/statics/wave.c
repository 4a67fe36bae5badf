/* Arrays of the device's own, one of them by the name of another unit's: see statics.exp.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "wave.h"

#include <stdio.h>
#include <stdlib.h>

#pragma omp declare target
double u[N], v[N];		/* place of u v */
static double w[N];		/* place of wave.c w */
double unused[N];
static double silent[N];
int count;
#pragma omp end declare target

static void
step (void)
{
#pragma omp target teams distribute parallel for
  for (int i = 1; i < N - 1; i++)
    v[i] = u[i - 1] + u[i + 1] + w[i];
}

int
main (void)
{
  double sum = 0, *z = malloc (N * sizeof *z);
  for (int i = 0; i < N; i++)
    {
      u[i] = i;
      w[i] = 1;
    }
#pragma omp target update to(u, w)
  for (int i = 0; i < 3; i++)
    step ();
#pragma omp target update to(u[:1000])
#pragma omp target update from(v)
#pragma omp target teams distribute parallel for map(from: z[:N])
  for (int i = 0; i < N; i++)
    z[i] = v[i] + count;
  if (z[2] > 1e9)
    {
#pragma omp target
      silent[0] = unused[0];
    }
  other (&sum);
  printf ("%g %g %g\n", v[5], z[6], sum);
  return !(v[5] == 11 && z[6] == 13 && sum == 3.0 * N);
}
