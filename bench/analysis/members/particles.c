/* Particles in a box, one array a coordinate: C, a struct with pointer members.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct particles
{
  int n;
  double *x, *y, *z;
  double *vx, *vy, *vz;
  double *charge;
};

static struct particles *
particles_new (int n)
{
  struct particles *p = malloc (sizeof *p);
  p->n = n;
  p->x = malloc (n * sizeof *p->x);
  p->y = malloc (n * sizeof *p->y);
  p->z = malloc (n * sizeof *p->z);
  p->vx = calloc (n, sizeof *p->vx);
  p->vy = calloc (n, sizeof *p->vy);
  p->vz = calloc (n, sizeof *p->vz);
  p->charge = malloc (n * sizeof *p->charge);
  for (int i = 0; i < n; i++)
    {
      p->x[i] = i % 17 / 17.0;
      p->y[i] = i % 23 / 23.0;
      p->z[i] = i % 29 / 29.0;
      p->charge[i] = i % 2 ? 1 : -1;
    }
  return p;
}

/* A uniform field along z.  */
static void
kick (struct particles *p, double ez, double dt)
{
  int n = p->n;
#pragma omp target teams distribute parallel for map(to: p[0:1], p->charge[0:n]) map(tofrom: p->vz[0:n])
  for (int i = 0; i < n; i++)
    p->vz[i] += dt * ez * p->charge[i];
}

static void
drift (struct particles *p, double dt)
{
  int n = p->n;
#pragma omp target teams distribute parallel for map(to: p[0:1], p->vx[0:n], p->vy[0:n], p->vz[0:n]) \
  map(tofrom: p->x[0:n], p->y[0:n], p->z[0:n])
  for (int i = 0; i < n; i++)
    {
      p->x[i] += dt * p->vx[i];
      p->y[i] += dt * p->vy[i];
      p->z[i] += dt * p->vz[i];
    }
}

/* Particles leave the box at its walls and come back in on the other side.  */
static void
wrap (struct particles *p)
{
  int n = p->n;
#pragma omp target teams distribute parallel for map(to: p[0:1]) map(tofrom: p->z[0:n])
  for (int i = 0; i < n; i++)
    {
      if (p->z[i] >= 1)
	p->z[i] -= 1;
      if (p->z[i] < 0)
	p->z[i] += 1;
    }
}

static double
energy (struct particles *p)
{
  double e = 0;
#pragma omp target teams distribute parallel for reduction(+: e) map(tofrom: e) map(to: p[0:1]) \
  map(to: p->vx[0:p->n], p->vy[0:p->n], p->vz[0:p->n])
  for (int i = 0; i < p->n; i++)
    e += 0.5 * (p->vx[i] * p->vx[i] + p->vy[i] * p->vy[i] + p->vz[i] * p->vz[i]);
  return e;
}

int
main (int argc, char **argv)
{
  struct particles *p = particles_new (argc > 1 ? atoi (argv[1]) : 4000);
  for (int step = 0; step < 5; step++)
    {
      kick (p, 0.5, 0.01);
      drift (p, 0.01);
      wrap (p);
    }
  printf ("%.12g %.12g\n", energy (p), p->z[7]);
  return 0;
}
