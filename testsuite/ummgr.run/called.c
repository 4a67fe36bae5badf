/* Part of called.exp: data by other names than it was allocated by, also from a section within.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 65536 };

__attribute__ ((noinline)) static void
add (double *e, const double *q, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: e[0:n]) map(to: q[0:n]) /* mapped here */
  for (int i = 0; i < n; i++)
    e[i] += q[i];
}

/* The argument is how often; 3 times otherwise.  */
int
main (int argc, char **argv)
{
  int times = argc > 1 ? atoi (argv[1]) : 3;
  double *energy = calloc (N, sizeof *energy), *viscosity = calloc (N, sizeof *viscosity);
  for (int t = 0; t < times; t++)
    {
      viscosity[t] = t + 1;
      add (energy, viscosity, N);
    }
  printf ("%g\n", energy[0] + energy[1] + energy[2]);
  free (energy);
  free (viscosity);
  return 0;
}
