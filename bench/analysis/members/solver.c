/* Conjugate gradients for a tridiagonal matrix: C, a solver that is on the device while it
   solves, and whose regions have only its struct.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

struct solver
{
  int n;
  double *lower, *diagonal, *upper;
  double *x, *r, *p, *q;
};

static void
multiply (struct solver *s)
{
  int n = s->n;
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    {
      double sum = s->diagonal[i] * s->p[i];
      if (i > 0)
	sum += s->lower[i] * s->p[i - 1];
      if (i < n - 1)
	sum += s->upper[i] * s->p[i + 1];
      s->q[i] = sum;
    }
}

static double
dot_pq (struct solver *s)
{
  double sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum) map(tofrom: sum)
  for (int i = 0; i < s->n; i++)
    sum += s->p[i] * s->q[i];
  return sum;
}

static double
dot_rr (struct solver *s)
{
  double sum = 0;
  double *r = s->r;
  int n = s->n;
#pragma omp target teams distribute parallel for reduction(+: sum) map(tofrom: sum)
  for (int i = 0; i < n; i++)
    sum += r[i] * r[i];
  return sum;
}

static void
step (struct solver *s, double alpha)
{
  int n = s->n;
#pragma omp target teams distribute parallel for map(to: s[0:1])
  for (int i = 0; i < n; i++)
    {
      s->x[i] += alpha * s->p[i];
      s->r[i] -= alpha * s->q[i];
    }
}

static void
direction (struct solver *s, double beta)
{
  int n = s->n;
#pragma omp target teams distribute parallel for map(to: s->r[0:n]) map(tofrom: s->p[0:n])
  for (int i = 0; i < n; i++)
    s->p[i] = s->r[i] + beta * s->p[i];
}

static void
solve (struct solver *s, int iterations)
{
  int n = s->n;
#pragma omp target enter data map(to: s[0:1])
#pragma omp target enter data map(to: s->lower[0:n], s->diagonal[0:n], s->upper[0:n], s->x[0:n]) \
  map(to: s->r[0:n], s->p[0:n]) map(alloc: s->q[0:n])
  double rr = dot_rr (s);
  for (int i = 0; i < iterations; i++)
    {
      multiply (s);
      step (s, rr / dot_pq (s));
      double next = dot_rr (s);
      direction (s, next / rr);
      rr = next;
    }
#pragma omp target exit data map(from: s->x[0:n]) map(delete: s->lower[0:n], s->diagonal[0:n]) \
  map(delete: s->upper[0:n], s->r[0:n], s->p[0:n], s->q[0:n])
#pragma omp target exit data map(delete: s[0:1])
}

static double *
filled (int n, double value)
{
  double *p = malloc (n * sizeof *p);
  for (int i = 0; i < n; i++)
    p[i] = value;
  return p;
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 4000;
  struct solver *s = malloc (sizeof *s);
  *s = (struct solver) { n, filled (n, -1), filled (n, 4), filled (n, -1), filled (n, 0),
			 filled (n, 1), filled (n, 1), filled (n, 0) };
  solve (s, 6);
  printf ("%.12g %.12g\n", s->x[0], s->x[n / 2]);
  return 0;
}
