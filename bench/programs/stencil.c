/* stencil: Jacobi steps of a seven-point stencil in a cube.
   SPDX-License-Identifier: GPL-3.0-or-later

     a' = c1 (sum of the six neighbours) - c0 a

   for each point inside; the faces keep their values.  A thread has a point.
   Steps go from one grid to the other and back, so each sweeps both.  Checked
   against the same steps on the host in double, to 1e-5 of the largest value
   that can occur, 1: c0 and c1 make each step a mean.  */

#include "kernels.h"

#define TOLERANCE 1e-5
#define C0 -0.4f
#define C1 0.1f

static void
step (const float *from, float *to, long nz, long ny, long nx)
{
#pragma omp target teams distribute parallel for collapse(3)
  for (long z = 1; z < nz - 1; z++)
    for (long y = 1; y < ny - 1; y++)
      for (long x = 1; x < nx - 1; x++)
	{
	  long i = (z * ny + y) * nx + x;
	  to[i] = C1 * (from[i - nx * ny] + from[i + nx * ny] + from[i - nx]
			+ from[i + nx] + from[i - 1] + from[i + 1])
		  - C0 * from[i];
	}
}

/* The result is in A if the number of steps is even, else in B.  */
static void
simulate (const struct bench_common *common, float *a, float *b, long nz,
	  long ny, long nx)
{
  long n = nz * ny * nx;
#pragma omp target data if(!common->unified) map(tofrom: a[0:n], b[0:n])
  for (uint64_t k = 0; k < common->iterations; k++)
    if (k % 2 == 0)
      step (a, b, nz, ny, nx);
    else
      step (b, a, nz, ny, nx);
}

static void
host_step (const double *a, double *next, long nz, long ny, long nx)
{
#pragma omp parallel for
  for (long i = 0; i < nz * ny * nx; i++)
    {
      long z = i / (ny * nx), y = i / nx % ny, x = i % nx;
      bool face = !x || !y || !z || x == nx - 1 || y == ny - 1 || z == nz - 1;
      double sum = 0;
      const long strides[] = { 1, nx, nx * ny };
      for (int k = 0; k < 3 && !face; k++)
	sum += a[i - strides[k]] + a[i + strides[k]];
      next[i] = face ? a[i] : C1 * sum - C0 * a[i];
    }
}

static bool
check (const float *initial, const float *result, long nz, long ny, long nx,
       uint64_t iterations)
{
  long n = nz * ny * nx;
  double *now = bench_alloc (false, n * sizeof *now);
  double *next = bench_alloc (false, n * sizeof *next);
  for (long i = 0; i < n; i++)
    now[i] = initial[i];
  for (uint64_t k = 0; k < iterations; k++)
    {
      host_step (now, next, nz, ny, nx);
      double *swap = now;
      now = next;
      next = swap;
    }
  bool correct = bench_close ("point", 0, result, now, n, 0, TOLERANCE);
  free (now);
  free (next);
  return correct;
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 24 << 20, .iterations = 10,
				 .seed = 1 };
  uint64_t nx = 128, ny = 128;
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    { "nx", BENCH_NUMBER, &nx, "points of a row" },
    { "ny", BENCH_NUMBER, &ny, "rows of a plane" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Iterate a seven-point stencil.");
  if (nx < 3 || ny < 3 || nx > 1 << 16 || ny > 1 << 16)
    bench_fatal ("--nx and --ny must be between 3 and %d", 1 << 16);
  long nz = common.size / (2 * sizeof (float) * nx * ny);
  if (nz < 3)
    bench_fatal ("--size=%llu is too small for three planes",
		 (unsigned long long) common.size);
  long n = nz * ny * nx;
  uint64_t footprint = 2 * sizeof (float) * (uint64_t) n, state = common.seed;
  if (bench_footprint (&common, footprint))
    return 0;

  bool unified = common.unified = bench_unified (common.unified);
  float *a = bench_floats (unified, n, &state);
  float *b = bench_alloc (unified, n * sizeof *b);
  float *initial = bench_alloc (false, n * sizeof *initial);
  memcpy (initial, a, n * sizeof *a);
  memcpy (b, a, n * sizeof *a);
  double start = omp_get_wtime ();
  simulate (&common, a, b, nz, ny, nx);
  double seconds = omp_get_wtime () - start;

  const float *result = common.iterations % 2 ? b : a;
  bool correct = common.no_check
		 || check (initial, result, nz, ny, nx, common.iterations);
  uint64_t sum = bench_checksum (result, n * sizeof *result);
  bench_free (unified, a);
  bench_free (unified, b);
  free (initial);
  return bench_report (&common, footprint, seconds, correct, "nz", nz, sum);
}
