/* Conjugate gradients: a matrix and vectors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "grid.h"

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 600, it = argc > 2 ? atoi (argv[2]) : 6;
  double *A = grid_vector ((long) n * n), *x = calloc (n, 8),
	 *r = grid_vector (n), *p = grid_vector (n), *q = malloc (8L * n);
  long N = (long) n * n;
  for (int i = 0; i < n; i++)
    A[(long) i * n + i] += 20 * n;
#pragma omp target data map(to: A[0:N], r[0:n], p[0:n]) \
  map(tofrom: x[0:n]) map(alloc: q[0:n])
  for (int t = 0; t < it; t++)
    {
      double rr = 0, pq = 0, r2 = 0;
#pragma omp target teams distribute parallel for
      for (int i = 0; i < n; i++)
	{
	  double s = 0;
	  for (int j = 0; j < n; j++)
	    s += A[(long) i * n + j] * p[j];
	  q[i] = s;
	}
#pragma omp target teams distribute parallel for reduction(+:rr) map(tofrom: rr)
      for (int i = 0; i < n; i++)
	rr += r[i] * r[i];
#pragma omp target teams distribute parallel for reduction(+:pq) map(tofrom: pq)
      for (int i = 0; i < n; i++)
	pq += p[i] * q[i];
      double al = rr / pq;
#pragma omp target teams distribute parallel for reduction(+:r2) map(tofrom: r2)
      for (int i = 0; i < n; i++)
	{
	  x[i] += al * p[i];
	  r[i] -= al * q[i];
	  r2 += r[i] * r[i];
	}
      double be = r2 / rr;
#pragma omp target teams distribute parallel for
      for (int i = 0; i < n; i++)
	p[i] = r[i] + be * p[i];
    }
  printf ("%.6g\n", grid_sum (x, n));
}
