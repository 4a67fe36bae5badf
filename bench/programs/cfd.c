/* cfd: inviscid compressible flow over an unstructured grid.
   SPDX-License-Identifier: GPL-3.0-or-later

   Finite volumes: each cell knows its four neighbours by number (or that a
   wall or the far field is there) and the outward area vectors of its faces.
   The flux through a face is the mean of both sides' with Rusanov's
   dissipation.  Each iteration is five kinds of regions: the old variables are
   kept, the step of each cell is chosen, then three Runge-Kutta stages of
   fluxes and time step.  The grid goes to the device once, the variables are
   made there, all of it is used in every iteration, and only the variables
   come back: nothing to find fault with.  The gas and its speed are those of Rodinia's cfd (euler3d).

   Cells are numbered at random, as a mesh generator's would be.  Checked
   against the same steps on the host, to a relative 1e-8 (double; a GPU may
   contract a * b + c).  */

#include "common.h"

#include <math.h>

#define TOLERANCE 1e-8
#define FACES 4
#define STAGES 3
#define GAMMA 1.4
#define MACH 1.2
#define COURANT 0.8
#define TILT 0.3	/* Of the grid's plane, so that all components count. */

enum { WALL = -1, FAR_FIELD = -2 };
enum variable { DENSITY, MOMENTUM_X, MOMENTUM_Y, MOMENTUM_Z, ENERGY, VARIABLES };

struct state
{
  double u[VARIABLES];
};

struct grid
{
  long n;			/* Cells.  */
  double *areas;		/* [n].  */
  int *elements_surrounding_elements; /* [FACES][n].  */
  double *normals;		/* [FACES][3][n].  */
};

struct flow
{
  double *variables, *old_variables, *fluxes; /* [VARIABLES][n].  */
  double *step_factors;		/* [n].  */
};

#pragma omp declare target
static inline struct state
state_load (const double *variables, long n, long i)
{
  struct state s;
  for (int v = 0; v < VARIABLES; v++)
    s.u[v] = variables[v * n + i];
  return s;
}

static inline double
state_pressure (struct state s)
{
  double square = s.u[MOMENTUM_X] * s.u[MOMENTUM_X]
		  + s.u[MOMENTUM_Y] * s.u[MOMENTUM_Y]
		  + s.u[MOMENTUM_Z] * s.u[MOMENTUM_Z];
  return (GAMMA - 1) * (s.u[ENERGY] - 0.5 * square / s.u[DENSITY]);
}

/* Fastest wave through a face of area vector X, Y, Z and its size AREA.  */
static inline double
state_speed (struct state s, double x, double y, double z, double area)
{
  double through = (s.u[MOMENTUM_X] * x + s.u[MOMENTUM_Y] * y
		    + s.u[MOMENTUM_Z] * z) / s.u[DENSITY];
  return fabs (through)
	 + area * sqrt (GAMMA * state_pressure (s) / s.u[DENSITY]);
}

/* Flux of S through the face.  */
static inline struct state
state_flux (struct state s, double x, double y, double z)
{
  double p = state_pressure (s);
  double through = (s.u[MOMENTUM_X] * x + s.u[MOMENTUM_Y] * y
		    + s.u[MOMENTUM_Z] * z) / s.u[DENSITY];
  struct state f;
  f.u[DENSITY] = s.u[DENSITY] * through;
  f.u[MOMENTUM_X] = s.u[MOMENTUM_X] * through + p * x;
  f.u[MOMENTUM_Y] = s.u[MOMENTUM_Y] * through + p * y;
  f.u[MOMENTUM_Z] = s.u[MOMENTUM_Z] * through + p * z;
  f.u[ENERGY] = (s.u[ENERGY] + p) * through;
  return f;
}

static inline struct state
far_field (void)
{
  struct state s;
  s.u[DENSITY] = GAMMA;
  s.u[MOMENTUM_X] = GAMMA * MACH;
  s.u[MOMENTUM_Y] = 0;
  s.u[MOMENTUM_Z] = GAMMA * MACH * TILT;
  s.u[ENERGY] = 1 / (GAMMA - 1)
		+ 0.5 * GAMMA * MACH * MACH * (1 + TILT * TILT);
  return s;
}
#pragma omp end declare target

static void
initialize_variables (double *variables, long n, bool offload)
{
#pragma omp target teams distribute parallel for if(target: offload)
  for (long i = 0; i < n; i++)
    {
      struct state s = far_field ();
      for (int v = 0; v < VARIABLES; v++)
	variables[v * n + i] = s.u[v];
    }
}

static void
keep_old (const double *variables, double *old_variables, long n, bool offload)
{
#pragma omp target teams distribute parallel for if(target: offload)
  for (long i = 0; i < VARIABLES * n; i++)
    old_variables[i] = variables[i];
}

/* How far each cell may go: no wave leaves it through its faces.  */
static void
compute_step_factor (const double *variables, const double *areas,
		     const int *elements_surrounding_elements,
		     const double *normals, double *step_factors, long n,
		     bool offload)
{
#pragma omp target teams distribute parallel for if(target: offload)
  for (long i = 0; i < n; i++)
    {
      struct state s = state_load (variables, n, i);
      double sound = sqrt (GAMMA * state_pressure (s) / s.u[DENSITY]), sum = 0;
      for (int face = 0; face < FACES; face++)
	{
	  double x = normals[(face * 3 + 0) * n + i];
	  double y = normals[(face * 3 + 1) * n + i];
	  double z = normals[(face * 3 + 2) * n + i];
	  double area = sqrt (x * x + y * y + z * z);
	  /* Nothing flows through a wall; sound comes back from it.  */
	  sum += elements_surrounding_elements[face * n + i] == WALL
		 ? sound * area : state_speed (s, x, y, z, area);
	}
      step_factors[i] = COURANT * areas[i] / sum;
    }
}

static void
compute_flux (const double *variables,
	      const int *elements_surrounding_elements, const double *normals,
	      double *fluxes, long n, bool offload)
{
#pragma omp target teams distribute parallel for if(target: offload)
  for (long i = 0; i < n; i++)
    {
      struct state here = state_load (variables, n, i), sum;
      for (int v = 0; v < VARIABLES; v++)
	sum.u[v] = 0;
      for (int face = 0; face < FACES; face++)
	{
	  int neighbour = elements_surrounding_elements[face * n + i];
	  double x = normals[(face * 3 + 0) * n + i];
	  double y = normals[(face * 3 + 1) * n + i];
	  double z = normals[(face * 3 + 2) * n + i];
	  if (neighbour == WALL)
	    {
	      double p = state_pressure (here);
	      sum.u[MOMENTUM_X] -= p * x;
	      sum.u[MOMENTUM_Y] -= p * y;
	      sum.u[MOMENTUM_Z] -= p * z;
	      continue;
	    }
	  struct state there = neighbour == FAR_FIELD
			       ? far_field ()
			       : state_load (variables, n, neighbour);
	  double area = sqrt (x * x + y * y + z * z);
	  double fast = fmax (state_speed (here, x, y, z, area),
			      state_speed (there, x, y, z, area));
	  struct state f = state_flux (here, x, y, z);
	  struct state g = state_flux (there, x, y, z);
	  for (int v = 0; v < VARIABLES; v++)
	    sum.u[v] -= 0.5 * (f.u[v] + g.u[v]
			       - fast * (there.u[v] - here.u[v]));
	}
      for (int v = 0; v < VARIABLES; v++)
	fluxes[v * n + i] = sum.u[v];
    }
}

static void
time_step (int stage, const double *old_variables, double *variables,
	   const double *step_factors, const double *areas,
	   const double *fluxes, long n, bool offload)
{
#pragma omp target teams distribute parallel for if(target: offload)
  for (long i = 0; i < n; i++)
    {
      double factor = step_factors[i] / areas[i] / (STAGES - stage);
      for (int v = 0; v < VARIABLES; v++)
	variables[v * n + i] = old_variables[v * n + i]
			       + factor * fluxes[v * n + i];
    }
}

static void
simulate (const struct grid *grid, const struct flow *flow,
	  uint64_t iterations, bool mapped, bool offload)
{
  long n = grid->n;
  double *areas = grid->areas, *normals = grid->normals;
  int *elements_surrounding_elements = grid->elements_surrounding_elements;
  double *variables = flow->variables, *old_variables = flow->old_variables;
  double *fluxes = flow->fluxes, *step_factors = flow->step_factors;
#pragma omp target enter data if(mapped) map(alloc: areas[0:n],              \
  elements_surrounding_elements[0:FACES * n], normals[0:FACES * 3 * n],      \
  variables[0:VARIABLES * n], old_variables[0:VARIABLES * n],                \
  fluxes[0:VARIABLES * n], step_factors[0:n])
  initialize_variables (variables, n, offload);
#pragma omp target update if(mapped) to(areas[0:n],                          \
  elements_surrounding_elements[0:FACES * n], normals[0:FACES * 3 * n])
  for (uint64_t k = 0; k < iterations; k++)
    {
      keep_old (variables, old_variables, n, offload);
      compute_step_factor (variables, areas, elements_surrounding_elements,
			   normals, step_factors, n, offload);
      for (int stage = 0; stage < STAGES; stage++)
	{
	  compute_flux (variables, elements_surrounding_elements, normals,
			fluxes, n, offload);
	  time_step (stage, old_variables, variables, step_factors, areas,
		     fluxes, n, offload);
	}
    }
#pragma omp target update if(mapped) from(variables[0:VARIABLES * n])
#pragma omp target exit data if(mapped) map(delete: areas[0:n],              \
  elements_surrounding_elements[0:FACES * n], normals[0:FACES * 3 * n],      \
  variables[0:VARIABLES * n], old_variables[0:VARIABLES * n],                \
  fluxes[0:VARIABLES * n], step_factors[0:n])
}

/* Corner I, J of a lattice over a bump in the lower wall.  */
static void
corner (long i, long j, long cols, long rows, double *x, double *y)
{
  double s = (double) i / cols, t = (double) j / rows;
  double bump = s > 0.3 && s < 0.7 ? 0.05 * sin ((s - 0.3) * 2.5 * M_PI) : 0;
  *x = s + 0.1 / cols * sin (7.0 * i + 3.0 * j);
  *y = t + (1 - t) * bump;
}

/* Face FACE of cell I, J: its vector, outward.  */
static void
face_normal (long i, long j, int face, long cols, long rows, double normal[3])
{
  static const int begin[FACES][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
  double x0, y0, x1, y1;
  const int *b = begin[face], *e = begin[(face + 1) % FACES];
  corner (i + b[0], j + b[1], cols, rows, &x0, &y0);
  corner (i + e[0], j + e[1], cols, rows, &x1, &y1);
  normal[0] = y1 - y0;
  normal[1] = x0 - x1;
  normal[2] = TILT * normal[0];
}

static double
cell_area (long i, long j, long cols, long rows)
{
  double x0, y0, x1, y1, x2, y2, x3, y3;
  corner (i, j, cols, rows, &x0, &y0);
  corner (i + 1, j, cols, rows, &x1, &y1);
  corner (i + 1, j + 1, cols, rows, &x2, &y2);
  corner (i, j + 1, cols, rows, &x3, &y3);
  double flat = 0.5 * ((x2 - x0) * (y3 - y1) - (x3 - x1) * (y2 - y0));
  return flat * sqrt (1 + TILT * TILT);
}

static void
grid_make (struct grid *grid, long cols, long rows, bool unified, uint64_t seed)
{
  long n = grid->n = cols * rows;
  grid->areas = bench_alloc (unified, n * sizeof (double));
  grid->normals = bench_alloc (unified, FACES * 3 * n * sizeof (double));
  grid->elements_surrounding_elements
    = bench_alloc (unified, FACES * n * sizeof (int));
  int *number = bench_alloc (false, n * sizeof *number);
  for (long c = 0; c < n; c++)
    {
      long other = bench_below (&seed, c + 1);
      number[c] = number[other];
      number[other] = c;
    }
  static const int step[FACES][2] = { { 0, -1 }, { 1, 0 }, { 0, 1 }, { -1, 0 } };
  for (long c = 0; c < n; c++)
    {
      long i = c % cols, j = c / cols, cell = number[c];
      grid->areas[cell] = cell_area (i, j, cols, rows);
      for (int face = 0; face < FACES; face++)
	{
	  long to_i = i + step[face][0], to_j = j + step[face][1];
	  bool inside = to_i >= 0 && to_i < cols && to_j >= 0 && to_j < rows;
	  grid->elements_surrounding_elements[face * n + cell]
	    = inside ? number[to_j * cols + to_i] : to_j < 0 ? WALL : FAR_FIELD;
	  double normal[3];
	  face_normal (i, j, face, cols, rows, normal);
	  for (int k = 0; k < 3; k++)
	    grid->normals[(face * 3 + k) * n + cell] = normal[k];
	}
    }
  free (number);
}

static struct flow
flow_make (long n, bool unified)
{
  struct flow flow;
  flow.variables = bench_alloc (unified, VARIABLES * n * sizeof (double));
  flow.old_variables = bench_alloc (unified, VARIABLES * n * sizeof (double));
  flow.fluxes = bench_alloc (unified, VARIABLES * n * sizeof (double));
  flow.step_factors = bench_alloc (unified, n * sizeof (double));
  return flow;
}

static void
flow_free (struct flow *flow, bool unified)
{
  bench_free (unified, flow->variables);
  bench_free (unified, flow->old_variables);
  bench_free (unified, flow->fluxes);
  bench_free (unified, flow->step_factors);
}

static bool
check (const struct grid *grid, const double *variables, uint64_t iterations)
{
  struct flow host = flow_make (grid->n, false);
  simulate (grid, &host, iterations, false, false);
  long i = 0, n = grid->n * VARIABLES;
  while (i < n && fabs (variables[i] - host.variables[i])
		  <= TOLERANCE * (1 + fabs (host.variables[i])))
    i++;
  if (i < n)
    bench_message ("wrong result: variable %ld of cell %ld is %.15g, not %.15g",
		   i / grid->n, i % grid->n, variables[i], host.variables[i]);
  long cell = 0;
  while (cell < grid->n && host.variables[cell] > 0)
    cell++;
  if (cell < grid->n)
    bench_message ("wrong result: the flow of cell %ld has diverged", cell);
  flow_free (&host, false);
  return i == n && cell == grid->n;
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 24 << 20, .iterations = 5, .seed = 1 };
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Simulate a supersonic flow over a bump.");
  uint64_t each = sizeof (double) * (3 * VARIABLES + 3 * FACES + 2)
		  + sizeof (int) * FACES;
  long cells = common.size / each;
  long rows = sqrt (cells), cols = rows ? cells / rows : 0;
  if (rows < 2)
    bench_fatal ("--size=%llu is too small: a cell takes %llu bytes, and a grid "
		 "4 cells", (unsigned long long) common.size,
		 (unsigned long long) each);
  if (common.footprint)
    {
      printf ("%llu\n", (unsigned long long) (rows * cols * each));
      return 0;
    }

  common.unified = bench_unified (common.unified);
  struct grid grid;
  grid_make (&grid, cols, rows, common.unified, common.seed);
  struct flow flow = flow_make (grid.n, common.unified);
  double start = omp_get_wtime ();
  simulate (&grid, &flow, common.iterations, !common.unified, true);
  double seconds = omp_get_wtime () - start;
  bool correct = common.no_check
		 || check (&grid, flow.variables, common.iterations);
  char extra[96];
  snprintf (extra, sizeof extra, "cells=%ld checksum=%016llx", grid.n,
	    (unsigned long long) bench_checksum (flow.variables,
						 grid.n * VARIABLES
						 * sizeof (double)));
  flow_free (&flow, common.unified);
  bench_free (common.unified, grid.areas);
  bench_free (common.unified, grid.normals);
  bench_free (common.unified, grid.elements_surrounding_elements);
  return bench_result (&common, rows * cols * each, seconds, !common.no_check,
		       correct, extra);
}
