/* hotspot: transient temperature of a chip, a five-point stencil.
   SPDX-License-Identifier: GPL-3.0-or-later

   The chip is a grid of cells, each with a heat capacity, a dissipated power
   and thermal resistances to its four neighbours and to the package.  One
   explicit Euler step per iteration:

     T' = T + dt / C * (P + (N + S - 2T) / Ry + (E + W - 2T) / Rx
			+ (Tamb - T) / Rz)

   where a cell at the edge sees itself as the missing neighbour.  Data is mapped
   around all steps, the power to the device and both grids there and back, as in
   Rodinia 3.1's openmp/hotspot/hotspot_openmp.cpp (with OMP_OFFLOAD), whose chip and constants it has, and in
   A. Mishra's version of it for GPUs (almishra/rodinia_3.1).

   Checked against the same steps on the host in double, to a relative 1e-5 (the grid
   is in float: 24 bits, and a GPU may contract a * b + c).  */

#include "common.h"

#include <math.h>

#define TOLERANCE 1e-5
#define AMBIENT 80.0

/* Geometry and silicon, in SI units.  */
#define CHIP_SIDE 0.016
#define CHIP_THICKNESS 0.0005
#define CONDUCTIVITY 100.0	/* W / (m K) */
#define HEAT_CAPACITY 1.75e6	/* J / (m^3 K) */
#define CAPACITY_FACTOR 0.5	/* Lumped model's correction.  */
#define MAX_POWER_DENSITY 3.0e6	/* W / m^3: bounds the step.  */
#define PRECISION 0.001

struct chip
{
  float rx_inv, ry_inv, rz_inv;	/* 1 / resistance.  */
  float step;			/* dt / C.  */
};

static struct chip
chip_make (long rows, long cols)
{
  double height = CHIP_SIDE / rows, width = CHIP_SIDE / cols;
  double capacity = CAPACITY_FACTOR * HEAT_CAPACITY * CHIP_THICKNESS * width
		    * height;
  double max_slope = MAX_POWER_DENSITY
		     / (CAPACITY_FACTOR * CHIP_THICKNESS * HEAT_CAPACITY);
  struct chip chip;
  chip.rx_inv = 2 * CONDUCTIVITY * CHIP_THICKNESS * height / width;
  chip.ry_inv = 2 * CONDUCTIVITY * CHIP_THICKNESS * width / height;
  chip.rz_inv = CONDUCTIVITY * height * width / CHIP_THICKNESS;
  chip.step = PRECISION / max_slope / capacity;
  /* An explicit step must stay below half the fastest time constant; small
     cells have fast ones.  */
  double limit = 0.4 / (2.0 * chip.rx_inv + 2.0 * chip.ry_inv + chip.rz_inv);
  if (chip.step > limit)
    chip.step = limit;
  return chip;
}

static void
step (struct chip chip, const float *from, const float *power, float *to,
      long rows, long cols)
{
#pragma omp target teams distribute parallel for collapse(2)
  for (long r = 0; r < rows; r++)
    for (long c = 0; c < cols; c++)
      {
	long i = r * cols + c;
	float t = from[i];
	float north = r > 0 ? from[i - cols] : t;
	float south = r < rows - 1 ? from[i + cols] : t;
	float west = c > 0 ? from[i - 1] : t;
	float east = c < cols - 1 ? from[i + 1] : t;
	to[i] = t + chip.step * (power[i]
				 + (north + south - 2 * t) * chip.ry_inv
				 + (east + west - 2 * t) * chip.rx_inv
				 + ((float) AMBIENT - t) * chip.rz_inv);
      }
}

/* ITERATIONS steps from A; the result is in A if their number is even, else
   in B.  */
static void
simulate (const struct bench_common *common, struct chip chip, float *a,
	  float *b, const float *power, long rows, long cols)
{
  long n = rows * cols;
#pragma omp target data if(!common->unified)                                 \
  map(to: power[0:n]) map(tofrom: a[0:n], b[0:n])
  for (uint64_t k = 0; k < common->iterations; k++)
    if (k % 2 == 0)
      step (chip, a, power, b, rows, cols);
    else
      step (chip, b, power, a, rows, cols);
}

static double
cell (const double *t, const float *power, struct chip chip, long r, long c,
      long rows, long cols)
{
  long i = r * cols + c;
  double up = t[r ? i - cols : i], down = t[r + 1 < rows ? i + cols : i];
  double left = t[c ? i - 1 : i], right = t[c + 1 < cols ? i + 1 : i];
  double flow = power[i] + (up - t[i] + down - t[i]) * chip.ry_inv
		+ (left - t[i] + right - t[i]) * chip.rx_inv
		+ (AMBIENT - t[i]) * chip.rz_inv;
  return t[i] + chip.step * flow;
}

/* The host's own steps, from INITIAL, compared with RESULT.  */
static bool
check (const float *initial, const float *power, const float *result,
       struct chip chip, long rows, long cols, uint64_t iterations)
{
  long n = rows * cols;
  double *now = bench_alloc (false, n * sizeof *now);
  double *next = bench_alloc (false, n * sizeof *next);
  for (long i = 0; i < n; i++)
    now[i] = initial[i];
  for (uint64_t k = 0; k < iterations; k++)
    {
#pragma omp parallel for
      for (long r = 0; r < rows; r++)
	for (long c = 0; c < cols; c++)
	  next[r * cols + c] = cell (now, power, chip, r, c, rows, cols);
      double *swap = now;
      now = next;
      next = swap;
    }
  long i = 0;
  /* Written so that a NaN ends the loop too.  */
  while (i < n && fabs (result[i] - now[i]) <= TOLERANCE * now[i])
    i++;
  if (i < n)
    bench_message ("wrong result: cell %ld is at %.7g degrees, not %.7g", i,
		   result[i], now[i]);
  free (now);
  free (next);
  return i == n;
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 48 << 20, .iterations = 10,
				 .seed = 1 };
  uint64_t rows_wanted = 0, cols_wanted = 1024;
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    { "rows", BENCH_NUMBER, &rows_wanted, "of the grid; 0: from --size" },
    { "cols", BENCH_NUMBER, &cols_wanted, "of the grid" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options,
	       "Simulate the temperature of a chip in target regions.");
  if (cols_wanted < 1 || cols_wanted > 1 << 24 || rows_wanted > 1 << 24)
    bench_fatal ("--rows and --cols must be between 1 and %d", 1 << 24);
  long cols = cols_wanted;
  long rows = rows_wanted ? rows_wanted
			  : common.size / (3 * sizeof (float) * cols);
  if (rows < 1)
    bench_fatal ("--size=%llu is too small for a row of %ld columns",
		 (unsigned long long) common.size, cols);
  long n = rows * cols;
  uint64_t footprint = 3 * sizeof (float) * (uint64_t) n;
  if (common.footprint)
    {
      printf ("%llu\n", (unsigned long long) footprint);
      return 0;
    }

  common.unified = bench_unified (common.unified);
  float *a = bench_alloc (common.unified, n * sizeof *a);
  float *b = bench_alloc (common.unified, n * sizeof *b);
  float *power = bench_alloc (common.unified, n * sizeof *power);
  float *initial = bench_alloc (false, n * sizeof *initial);
  struct chip chip = chip_make (rows, cols);
  uint64_t state = common.seed;
  for (long i = 0; i < n; i++)
    {
      initial[i] = a[i] = 320 + 20 * bench_uniform (&state);
      b[i] = 0;
      power[i] = 2 * bench_uniform (&state);
    }

  double start = omp_get_wtime ();
  simulate (&common, chip, a, b, power, rows, cols);
  double seconds = omp_get_wtime () - start;

  const float *result = common.iterations % 2 ? b : a;
  bool correct = common.no_check
		 || check (initial, power, result, chip, rows, cols,
			   common.iterations);
  char extra[128];
  snprintf (extra, sizeof extra, "rows=%ld cols=%ld checksum=%016llx", rows,
	    cols,
	    (unsigned long long) bench_checksum (result, n * sizeof *result));
  bench_free (common.unified, a);
  bench_free (common.unified, b);
  bench_free (common.unified, power);
  free (initial);
  return bench_result (&common, footprint, seconds, !common.no_check, correct,
		       extra);
}
