/* bicg: the two products of the biconjugate gradient method.
   SPDX-License-Identifier: GPL-3.0-or-later

   s = A^T r and q = A p, as PolyBench's BICG: in region 1 a thread walks down
   a column of A, neighbouring threads side by side; in region 2 each walks
   along a row of its own.  Repetitions compute the same again.  Checked
   against the host in double, to a relative 1e-4: all terms are positive, in
   float.  */

#include "common.h"

#include <math.h>

#define TOLERANCE 1e-4

struct system
{
  long n;
  float *a;			/* [n][n].  */
  float *r, *s, *p, *q;		/* [n].  */
};

static void
multiply_transposed (const float *a, const float *r, float *s, long n)
{
#pragma omp target teams distribute parallel for
  for (long j = 0; j < n; j++)
    {
      s[j] = 0;
      for (long i = 0; i < n; i++)
	s[j] += r[i] * a[i * n + j];
    }
}

static void
multiply (const float *a, const float *p, float *q, long n)
{
#pragma omp target teams distribute parallel for
  for (long i = 0; i < n; i++)
    {
      q[i] = 0;
      for (long j = 0; j < n; j++)
	q[i] += a[i * n + j] * p[j];
    }
}

static void
run (const struct system *system, uint64_t iterations, bool unified)
{
  long n = system->n;
  float *a = system->a, *r = system->r, *s = system->s;
  float *p = system->p, *q = system->q;
#pragma omp target data if(!unified) map(to: a[0:n * n], r[0:n], p[0:n])      \
  map(from: s[0:n], q[0:n])
  for (uint64_t k = 0; k < iterations; k++)
    {
      multiply_transposed (a, r, s, n);
      multiply (a, p, q, n);
    }
}

static bool
check_vector (const char *name, const float *v, const double *expected, long n)
{
  long i = 0;
  /* Written so that a NaN ends the loop too.  */
  while (i < n && fabs (v[i] - expected[i]) <= TOLERANCE * expected[i])
    i++;
  if (i < n)
    bench_message ("wrong result: %s[%ld] is %.7g, not %.7g", name, i, v[i],
		   expected[i]);
  return i == n;
}

static bool
check (const struct system *system)
{
  long n = system->n;
  double *s = bench_alloc (false, n * sizeof *s);
  double *q = bench_alloc (false, n * sizeof *q);
  for (long i = 0; i < n; i++)
    s[i] = 0;
  for (long i = 0; i < n; i++)
    {
      const float *row = system->a + i * n;
      double sum = 0;
      for (long j = 0; j < n; j++)
	{
	  s[j] += (double) system->r[i] * row[j];
	  sum += (double) system->p[j] * row[j];
	}
      q[i] = sum;
    }
  bool correct = check_vector ("s", system->s, s, n)
		 && check_vector ("q", system->q, q, n);
  free (s);
  free (q);
  return correct;
}

static struct system
system_make (long n, bool unified, uint64_t seed)
{
  struct system system = { .n = n };
  system.a = bench_alloc (unified, n * n * sizeof (float));
  float **const vectors[] = { &system.r, &system.s, &system.p, &system.q };
  for (int v = 0; v < 4; v++)
    *vectors[v] = bench_alloc (unified, n * sizeof (float));
  for (long k = 0; k < n * n; k++)
    system.a[k] = bench_uniform (&seed);
  for (long i = 0; i < n; i++)
    {
      system.r[i] = bench_uniform (&seed);
      system.p[i] = bench_uniform (&seed);
      system.s[i] = system.q[i] = -1;
    }
  return system;
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
	       "Multiply a matrix, and its transpose, by a vector.");
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

  common.unified = bench_unified (common.unified);
  struct system system = system_make (n, common.unified, common.seed);
  double start = omp_get_wtime ();
  run (&system, common.iterations, common.unified);
  double seconds = omp_get_wtime () - start;

  bool correct = common.no_check || common.iterations == 0 || check (&system);
  uint64_t sums = bench_checksum (system.s, n * sizeof (float)) * 31
		  + bench_checksum (system.q, n * sizeof (float));
  char extra[96];
  snprintf (extra, sizeof extra, "order=%ld checksum=%016llx", n,
	    (unsigned long long) sums);
  float *const arrays[] = { system.a, system.r, system.s, system.p, system.q };
  for (int k = 0; k < 5; k++)
    bench_free (common.unified, arrays[k]);
  return bench_result (&common, footprint, seconds, !common.no_check, correct,
		       extra);
}
