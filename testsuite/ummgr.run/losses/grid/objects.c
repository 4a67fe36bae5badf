/* Two of 200 objects in each launch, some of them often.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "grid.h"

enum { M = 200 };

int
main (int argc, char **argv)
{
  long n = argc > 1 ? atol (argv[1]) : 5000;
  int it = argc > 2 ? atoi (argv[2]) : 300;
  double *o[M], s = 0;
  for (int i = 0; i < M; i++)
    {
      o[i] = grid_vector (n);
      double *p = o[i];
#pragma omp target enter data map(to: p[0:n])
    }
  for (int t = 0; t < it; t++)
    {
      int i = grid_random () % 4 ? grid_random () % 20 : grid_random () % M,
	  j = grid_random () % M;
      double *p = o[i], *q = o[j];
#pragma omp target teams distribute parallel for reduction(+:s) map(tofrom: s)
      for (long k = 0; k < n; k++)
	s += p[k] * q[k];
    }
  for (int i = 0; i < M; i++)
    {
      double *p = o[i];
#pragma omp target exit data map(release: p[0:n])
    }
  printf ("%g\n", s);
}
