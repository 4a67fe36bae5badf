/* doitgen: a tensor's rows multiplied by a matrix, in place.
   SPDX-License-Identifier: GPL-3.0-or-later

   The job and the two regions of PolyBench's DOITGEN, both for each plane r of
   the tensor: sum[r][q][p] is the product of row A[r][q] and column p of C4,
   then A[r][q] is overwritten with it.  Repetitions multiply again; the
   columns of C4 sum to about 1, so that elements stay of order 1.  Checked
   against the host in double for a random sample of the rows, to a relative
   1e-4: all terms are positive, in float.  */

#include "common.h"

#include <math.h>

#define TOLERANCE 1e-4
#define CHECKED 64

struct shape
{
  long nr, nq, np;		/* Planes, rows of each, elements of a row.  */
};

static void
multiply_plane (const float *a, const float *c4, float *sum, long nq, long np,
		long r)
{
#pragma omp target teams distribute parallel for collapse(2)
  for (long q = 0; q < nq; q++)
    for (long p = 0; p < np; p++)
      {
	long row = (r * nq + q) * np;
	sum[row + p] = 0;
	for (long s = 0; s < np; s++)
	  sum[row + p] += a[row + s] * c4[s * np + p];
      }
}

static void
copy_plane (float *a, const float *sum, long nq, long np, long r)
{
#pragma omp target teams distribute parallel for collapse(2)
  for (long q = 0; q < nq; q++)
    for (long p = 0; p < np; p++)
      a[(r * nq + q) * np + p] = sum[(r * nq + q) * np + p];
}

static void
run (float *a, const float *c4, float *sum, struct shape shape,
     uint64_t iterations, bool unified)
{
  long nr = shape.nr, nq = shape.nq, np = shape.np, n = nr * nq * np;
  BENCH_MAPPED (n);
#pragma omp target data if(!unified) map(to: c4[0:np * np])                   \
  map(tofrom: a[0:n]) map(alloc: sum[0:n])
  for (uint64_t k = 0; k < iterations; k++)
    for (long r = 0; r < nr; r++)
      {
	multiply_plane (a, c4, sum, nq, np, r);
	copy_plane (a, sum, nq, np, r);
      }
}

/* Element INDEX of A before the first repetition; by its place, so that the
   check needs no copy of the tensor.  */
static float
initial (uint64_t seed, long index)
{
  uint64_t state = ~seed + UINT64_C (0x9e3779b97f4a7c15) * index;
  return bench_uniform (&state);
}

/* OUT = ROW times C4.  */
static void
multiply_row (const double *row, const float *c4, double *out, long np)
{
  for (long p = 0; p < np; p++)
    out[p] = 0;
  for (long s = 0; s < np; s++)
    for (long p = 0; p < np; p++)
      out[p] += row[s] * c4[s * np + p];
}

static bool
check (const float *a, const float *c4, struct shape shape,
       const struct bench_common *common)
{
  long np = shape.np, rows = shape.nr * shape.nq, p = 0;
  double *row = bench_alloc (false, np * sizeof *row);
  double *next = bench_alloc (false, np * sizeof *next);
  uint64_t state = common->seed;
  for (int sample = 0; sample < CHECKED && p == (sample ? np : 0); sample++)
    {
      long at = bench_below (&state, rows) * np;
      for (p = 0; p < np; p++)
	row[p] = initial (common->seed, at + p);
      for (uint64_t k = 0; k < common->iterations; k++)
	{
	  multiply_row (row, c4, next, np);
	  double *swap = row;
	  row = next;
	  next = swap;
	}
      p = 0;
      /* Written so that a NaN ends the loop too.  */
      while (p < np && fabs (a[at + p] - row[p]) <= TOLERANCE * row[p])
	p++;
      if (p < np)
	bench_message ("wrong result: element %ld of row %ld is %.7g, not %.7g",
		       p, at / np, a[at + p], row[p]);
    }
  free (row);
  free (next);
  return p == np;
}

/* The largest of BYTES in all; NP is 0 for a cube.  */
static struct shape
shape_for (uint64_t bytes, uint64_t np)
{
  double elements = bytes / (double) sizeof (float);
  struct shape shape = { .np = np };
  if (!np)
    {
      shape.np = cbrt (elements / 2);
      while (shape.np > 0
	     && (2.0 * shape.np + 1) * shape.np * shape.np > elements)
	shape.np--;
    }
  double left = elements - (double) shape.np * shape.np;
  double rows = shape.np && left > 0 ? left / (2.0 * shape.np) : 0;
  shape.nq = np ? (long) sqrt (rows) : shape.np;
  shape.nr = np && shape.nq ? (long) (rows / shape.nq) : shape.nq;
  return shape;
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 2 << 20, .iterations = 1, .seed = 1 };
  uint64_t np = 0;
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    { "inner", BENCH_NUMBER, &np, "elements of a row; 0: the tensor is a cube" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Multiply a tensor's rows by a matrix.");
  if (np > 1 << 16)
    bench_fatal ("--inner=%llu: at most %d", (unsigned long long) np, 1 << 16);
  struct shape shape = shape_for (common.size, np);
  if (shape.nr < 1)
    bench_fatal ("--size=%llu is too small for a row%s",
		 (unsigned long long) common.size,
		 np ? " of that length and the matrix (see --inner)" : "");
  long n = shape.nr * shape.nq * shape.np, square = shape.np * shape.np;
  uint64_t footprint = sizeof (float) * (2 * (uint64_t) n + square);
  if (common.footprint)
    {
      printf ("%llu\n", (unsigned long long) footprint);
      return 0;
    }

  common.unified = bench_unified (common.unified);
  float *a = bench_alloc (common.unified, n * sizeof *a);
  float *sum = bench_alloc (common.unified, n * sizeof *sum);
  float *c4 = bench_alloc (common.unified, square * sizeof *c4);
  uint64_t state = common.seed;
  for (long k = 0; k < n; k++)
    a[k] = initial (common.seed, k);
  for (long k = 0; k < square; k++)
    c4[k] = 2 * bench_uniform (&state) / shape.np;

  double start = omp_get_wtime ();
  run (a, c4, sum, shape, common.iterations, common.unified);
  double seconds = omp_get_wtime () - start;

  bool correct = common.no_check || check (a, c4, shape, &common);
  char extra[160];
  snprintf (extra, sizeof extra, "nr=%ld nq=%ld np=%ld checksum=%016llx",
	    shape.nr, shape.nq, shape.np,
	    (unsigned long long) bench_checksum (a, n * sizeof *a));
  bench_free (common.unified, a);
  bench_free (common.unified, sum);
  bench_free (common.unified, c4);
  return bench_result (&common, footprint, seconds, !common.no_check, correct,
		       extra);
}
