/* Shallow water in a channel: C, an array of structs, behind a member and in a local, and
   arrays in a struct, each mapped by itself.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { GAUGES = 512 };

struct cell
{
  double h, hu;			/* Depth and momentum.  */
  double bed;
  int wet;
};

struct channel
{
  int n;
  double dx;
  struct cell *cell;
  double *flux;
};

/* Along the channel, and what they showed.  */
static struct
{
  int at[GAUGES];
  double level[GAUGES];
  double highest[GAUGES];
} gauges;

/* Flux through the left face of each cell.  */
static void
fluxes (struct channel *c)
{
  int n = c->n;
  struct cell *cell = c->cell;
  double *flux = c->flux;
#pragma omp target teams distribute parallel for map(to: cell[0:n]) map(from: flux[0:n])
  for (int i = 0; i < n; i++)
    flux[i] = i == 0 ? 0 : 0.5 * (cell[i - 1].hu + cell[i].hu)
			   - 0.5 * (cell[i].h - cell[i - 1].h);
}

static void
update (struct channel *c, double dt)
{
  int n = c->n;
  double r = dt / c->dx;
#pragma omp target teams distribute parallel for map(to: c[0:1], c->flux[0:n]) map(tofrom: c->cell[0:n])
  for (int i = 0; i < n - 1; i++)
    c->cell[i].h -= r * (c->flux[i + 1] - c->flux[i]);
}

static void
slope (struct channel *c, double dt)
{
  int n = c->n;
  struct cell *cell = c->cell;
#pragma omp target teams distribute parallel for map(tofrom: cell[0:n])
  for (int i = 1; i < n - 1; i++)
    {
      cell[i].hu -= dt * 9.81 * cell[i].h * (cell[i + 1].bed - cell[i - 1].bed);
      cell[i].wet = cell[i].h > 1e-6;
    }
}

static void
measure (struct channel *c)
{
  int n = c->n;
  struct cell *cell = c->cell;
#pragma omp target teams distribute parallel for map(to: cell[0:n], gauges.at) \
  map(from: gauges.level) map(tofrom: gauges.highest)
  for (int g = 0; g < GAUGES; g++)
    {
      gauges.level[g] = cell[gauges.at[g]].h + cell[gauges.at[g]].bed;
      if (gauges.level[g] > gauges.highest[g])
	gauges.highest[g] = gauges.level[g];
    }
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 6000;
  struct channel c = { n, 0.1, malloc (n * sizeof *c.cell), malloc (n * sizeof *c.flux) };
  for (int i = 0; i < n; i++)
    c.cell[i] = (struct cell) { i < n / 2 ? 2 : 1, 0, 0.001 * i, 1 };
  for (int g = 0; g < GAUGES; g++)
    gauges.at[g] = (int) ((long) g * n / GAUGES);
  for (int step = 0; step < 5; step++)
    {
      fluxes (&c);
      update (&c, 0.01);
      slope (&c, 0.01);
      measure (&c);
    }
  printf ("%.12g %.12g %.12g\n", c.cell[n / 2].h, c.cell[n / 2].hu, gauges.highest[GAUGES / 2]);
  return 0;
}
