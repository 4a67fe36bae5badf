/* An iteration whose kernels map what they use, each for itself.  MENDED: as `ummgr advise' has it.
   LOOKS: the host looks at the result of each round; CHANGES: it changes what a kernel reads.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, ROUNDS = 20 };

static double *weights;

static void
apply (const double *from, double *to)
{
#pragma omp target teams distribute parallel for map(to: weights[0:N], from[0:N]) map(from: to[0:N])
  for (int i = 0; i < N; i++)
    to[i] = weights[i] * from[i] + from[i ? i - 1 : 0];
}

static void
add (double factor, const double *what, double *to)
{
#pragma omp target teams distribute parallel for map(to: what[0:N]) map(tofrom: to[0:N])
  for (int i = 0; i < N; i++)
    to[i] += factor * what[i];
}

int
main (void)
{
  double *x = calloc (N, sizeof *x), *y = calloc (N, sizeof *y), seen = 0;
  weights = malloc (N * sizeof *weights);
  for (int i = 0; i < N; i++)
    {
      weights[i] = (i % 7) / 8.0;
      x[i] = i % 5;
    }
#ifdef MENDED
#pragma omp target data map(to: weights[0:N]) map(tofrom: x[0:N]) map(from: y[0:N])
#endif
  for (int round = 0; round < ROUNDS; round++)
    {
      apply (x, y);
      add (0.01, y, x);
#ifdef LOOKS
#ifdef MENDED
#pragma omp target update from(x[0:N])
#endif
      for (int i = 0; i < N; i++)
	seen += x[i];
#endif
#ifdef CHANGES
      for (int i = 0; i < N; i++)
	weights[i] *= 0.5;
#ifdef MENDED
#pragma omp target update to(weights[0:N])
#endif
#endif
    }
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += x[i] + 3 * y[i];
  printf ("%.15g %.15g\n", sum, seen);
}
