/* hotspot3d: temperature of a stack of layers, a seven-point stencil.
   SPDX-License-Identifier: GPL-3.0-or-later

   As hotspot, with layers above each other: a cell has six neighbours, one
   that is missing counts as the cell itself, and heat leaves towards the
   surroundings.  One explicit step an iteration:

     T' = T + kx (W + E - 2T) + ky (N + S - 2T) + kz (B + A - 2T)
	    + kp P + ka (Tamb - T)

   A thread has a column of cells, one of each layer, and walks up.  Steps go
   from one grid to the other and back, so each sweeps all data.  Checked
   against the same steps on the host in double, to a relative 1e-5.  */

#include "kernels.h"

#define TOLERANCE 1e-5
#define AMBIENT 80.0f

/* Shares of a difference that flow in a step; their sum, each of the first
   three twice, is below one.  */
#define KX 0.11f
#define KY 0.11f
#define KZ 0.19f
#define KA 0.02f
#define KP 0.5f

struct grid
{
  long layers, rows, cols;
};

static void
step (const float *from, const float *power, float *to, long layers, long rows,
      long cols)
{
#pragma omp target teams distribute parallel for collapse(2)
  for (long r = 0; r < rows; r++)
    for (long c = 0; c < cols; c++)
      for (long z = 0; z < layers; z++)
	{
	  long i = (z * rows + r) * cols + c;
	  float t = from[i];
	  float west = c > 0 ? from[i - 1] : t;
	  float east = c < cols - 1 ? from[i + 1] : t;
	  float north = r > 0 ? from[i - cols] : t;
	  float south = r < rows - 1 ? from[i + cols] : t;
	  float below = z > 0 ? from[i - rows * cols] : t;
	  float above = z < layers - 1 ? from[i + rows * cols] : t;
	  to[i] = t + KX * (west + east - 2 * t) + KY * (north + south - 2 * t)
		  + KZ * (below + above - 2 * t) + KP * power[i]
		  + KA * (AMBIENT - t);
	}
}

/* The result is in A if the number of steps is even, else in B.  */
static void
simulate (const struct bench_common *common, struct grid g, float *a, float *b,
	  const float *power)
{
  long n = g.layers * g.rows * g.cols;
#pragma omp target data if(!common->unified)                                  \
  map(to: power[0:n]) map(tofrom: a[0:n], b[0:n])
  for (uint64_t k = 0; k < common->iterations; k++)
    if (k % 2 == 0)
      step (a, power, b, g.layers, g.rows, g.cols);
    else
      step (b, power, a, g.layers, g.rows, g.cols);
}

/* What flows to cell I from the one that is STRIDE further, if there is ONE.  */
static double
flow (const double *t, long i, long stride, bool one)
{
  return one ? t[i + stride] - t[i] : 0;
}

static void
host_step (const double *t, const float *power, double *next, struct grid g)
{
  long layer = g.rows * g.cols;
#pragma omp parallel for
  for (long i = 0; i < g.layers * layer; i++)
    {
      long z = i / layer, r = i / g.cols % g.rows, c = i % g.cols;
      double x = flow (t, i, -1, c > 0) + flow (t, i, 1, c + 1 < g.cols);
      double y = flow (t, i, -g.cols, r > 0)
		 + flow (t, i, g.cols, r + 1 < g.rows);
      double up = flow (t, i, -layer, z > 0)
		  + flow (t, i, layer, z + 1 < g.layers);
      next[i] = t[i] + KX * x + KY * y + KZ * up + KP * power[i]
		+ KA * (AMBIENT - t[i]);
    }
}

static bool
check (const float *initial, const float *power, const float *result,
       struct grid g, uint64_t iterations)
{
  long n = g.layers * g.rows * g.cols;
  double *now = bench_alloc (false, n * sizeof *now);
  double *next = bench_alloc (false, n * sizeof *next);
  for (long i = 0; i < n; i++)
    now[i] = initial[i];
  for (uint64_t k = 0; k < iterations; k++)
    {
      host_step (now, power, next, g);
      double *swap = now;
      now = next;
      next = swap;
    }
  bool correct = bench_close ("cell", 0, result, now, n, TOLERANCE, 0);
  free (now);
  free (next);
  return correct;
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 24 << 20, .iterations = 10,
				 .seed = 1 };
  uint64_t cols = 512, layers = 8;
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    { "cols", BENCH_NUMBER, &cols, "of a layer" },
    { "layers", BENCH_NUMBER, &layers, "of the stack" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options,
	       "Simulate the temperature of a stack of layers.");
  if (cols < 1 || layers < 1 || cols > 1 << 20 || layers > 1 << 10)
    bench_fatal ("--cols must be between 1 and %d, --layers and %d", 1 << 20,
		 1 << 10);
  struct grid g = { .layers = layers, .cols = cols };
  g.rows = common.size / (3 * sizeof (float) * cols * layers);
  if (g.rows < 1)
    bench_fatal ("--size=%llu is too small for a row",
		 (unsigned long long) common.size);
  long n = g.layers * g.rows * g.cols;
  uint64_t footprint = 3 * sizeof (float) * (uint64_t) n, state = common.seed;
  if (bench_footprint (&common, footprint))
    return 0;

  bool unified = common.unified = bench_unified (common.unified);
  float *a = bench_floats (unified, n, &state);
  float *b = bench_alloc (unified, n * sizeof *b);
  float *power = bench_floats (unified, n, &state);
  float *initial = bench_alloc (false, n * sizeof *initial);
  for (long i = 0; i < n; i++)
    {
      initial[i] = a[i] = 320 + 20 * a[i];
      b[i] = 0;
    }
  double start = omp_get_wtime ();
  simulate (&common, g, a, b, power);
  double seconds = omp_get_wtime () - start;

  const float *result = common.iterations % 2 ? b : a;
  bool correct = common.no_check
		 || check (initial, power, result, g, common.iterations);
  uint64_t sum = bench_checksum (result, n * sizeof *result);
  bench_free (unified, a);
  bench_free (unified, b);
  bench_free (unified, power);
  free (initial);
  return bench_report (&common, footprint, seconds, correct, "rows", g.rows,
		       sum);
}
