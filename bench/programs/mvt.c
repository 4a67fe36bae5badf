/* mvt: a matrix and its transpose, each by a vector, added to two others.
   SPDX-License-Identifier: GPL-3.0-or-later

   x1 += A y1 and x2 += A^T y2, as PolyBench's MVT: in region 1 a thread walks
   along a row of A of its own, in region 2 down a column, neighbouring
   threads side by side.  Repetitions add the same again.  Checked against the
   host in double, to a relative 1e-4: all terms are positive, in float.  */

#include "common.h"

#include <math.h>

#define TOLERANCE 1e-4

struct vectors
{
  float *x1, *x2, *y1, *y2;
};

static void
add_product (const float *a, const float *y1, float *x1, long n)
{
#pragma omp target teams distribute parallel for
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      x1[i] += a[i * n + j] * y1[j];
}

static void
add_transposed (const float *a, const float *y2, float *x2, long n)
{
#pragma omp target teams distribute parallel for
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      x2[i] += a[j * n + i] * y2[j];
}

static void
run (const float *a, const struct vectors *v, long n, uint64_t iterations,
     bool unified)
{
  float *x1 = v->x1, *x2 = v->x2, *y1 = v->y1, *y2 = v->y2;
#pragma omp target data if(!unified) map(to: a[0:n * n], y1[0:n], y2[0:n])    \
  map(tofrom: x1[0:n], x2[0:n])
  for (uint64_t k = 0; k < iterations; k++)
    {
      add_product (a, y1, x1, n);
      add_transposed (a, y2, x2, n);
    }
}

static bool
check_vector (const char *name, const float *x, const float *initial,
	      const double *sum, long n, uint64_t iterations)
{
  for (long i = 0; i < n; i++)
    {
      double expected = initial[i] + iterations * sum[i];
      /* Written so that a NaN fails too.  */
      if (!(fabs (x[i] - expected) <= TOLERANCE * expected))
	{
	  bench_message ("wrong result: %s[%ld] is %.7g, not %.7g", name, i,
			 x[i], expected);
	  return false;
	}
    }
  return true;
}

/* INITIAL is x1, then x2, before the first repetition.  */
static bool
check (const float *a, const struct vectors *v, const float *initial, long n,
       uint64_t iterations)
{
  double *sum1 = bench_alloc (false, n * sizeof *sum1);
  double *sum2 = bench_alloc (false, n * sizeof *sum2);
  for (long i = 0; i < n; i++)
    sum1[i] = sum2[i] = 0;
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      {
	sum1[i] += (double) a[i * n + j] * v->y1[j];
	sum2[j] += (double) a[i * n + j] * v->y2[i];
      }
  bool correct = check_vector ("x1", v->x1, initial, sum1, n, iterations)
		 && check_vector ("x2", v->x2, initial + n, sum2, n,
				  iterations);
  free (sum1);
  free (sum2);
  return correct;
}

static float *
vector_make (long n, bool unified, uint64_t *state)
{
  float *x = bench_alloc (unified, n * sizeof *x);
  for (long i = 0; i < n; i++)
    x[i] = bench_uniform (state);
  return x;
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 48 << 20, .iterations = 1, .seed = 1 };
  uint64_t order = 0;
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    { "order", BENCH_NUMBER, &order, "of the matrix; 0: from --size" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options,
	       "Add products of a matrix and its transpose to two vectors.");
  /* n * n of the matrix and 4 n of the vectors.  */
  long n = order ? (long) order
		 : (long) (sqrt (common.size / 4.0 + 4) - 2);
  if (n < 1 || n > 1 << 20)
    bench_fatal ("the matrix's order must be between 1 and %d, not %ld (see "
		 "--order and --size)", 1 << 20, n);
  uint64_t footprint = sizeof (float) * ((uint64_t) n * n + 4 * n);
  if (common.footprint)
    {
      printf ("%llu\n", (unsigned long long) footprint);
      return 0;
    }

  bool unified = common.unified = bench_unified (common.unified);
  uint64_t state = common.seed;
  float *a = vector_make (n * n, unified, &state);
  struct vectors v;
  v.x1 = vector_make (n, unified, &state);
  v.x2 = vector_make (n, unified, &state);
  v.y1 = vector_make (n, unified, &state);
  v.y2 = vector_make (n, unified, &state);
  float *initial = bench_alloc (false, 2 * n * sizeof *initial);
  memcpy (initial, v.x1, n * sizeof *initial);
  memcpy (initial + n, v.x2, n * sizeof *initial);

  double start = omp_get_wtime ();
  run (a, &v, n, common.iterations, unified);
  double seconds = omp_get_wtime () - start;

  bool correct = common.no_check
		 || check (a, &v, initial, n, common.iterations);
  uint64_t sums = bench_checksum (v.x1, n * sizeof (float)) * 31
		  + bench_checksum (v.x2, n * sizeof (float));
  char extra[96];
  snprintf (extra, sizeof extra, "order=%ld checksum=%016llx", n,
	    (unsigned long long) sums);
  float *const arrays[] = { a, v.x1, v.x2, v.y1, v.y2 };
  for (int k = 0; k < 5; k++)
    bench_free (unified, arrays[k]);
  free (initial);
  return bench_result (&common, footprint, seconds, !common.no_check, correct,
		       extra);
}
