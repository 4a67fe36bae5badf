/* fdtd2d: an electromagnetic wave in two dimensions, finite differences in time.
   SPDX-License-Identifier: GPL-3.0-or-later

   The job and the three regions for each time step of PolyBench's FDTD-2D:
   the two components of the electric field, then the magnetic one.  The first
   row of ey is driven by the step's number.  --iterations is the number of
   steps.  Checked against own steps in double, to an absolute 1e-5 for each
   unit of the drive: fields are in float, a GPU may contract a * b + c.  */

#include "common.h"

#include <math.h>

#define TOLERANCE 1e-5
#define ELECTRIC 0.5f
#define MAGNETIC 0.7f

struct fields
{
  float *ex, *ey, *hz;		/* [n][n].  */
};

static void
step_ey (const float *fict, float *ey, const float *hz, long n, long t)
{
#pragma omp target teams distribute parallel for collapse(2)
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      if (i == 0)
	ey[i * n + j] = fict[t];
      else
	ey[i * n + j] -= ELECTRIC * (hz[i * n + j] - hz[(i - 1) * n + j]);
}

static void
step_ex (float *ex, const float *hz, long n)
{
#pragma omp target teams distribute parallel for collapse(2)
  for (long i = 0; i < n; i++)
    for (long j = 1; j < n; j++)
      ex[i * n + j] -= ELECTRIC * (hz[i * n + j] - hz[i * n + j - 1]);
}

static void
step_hz (const float *ex, const float *ey, float *hz, long n)
{
#pragma omp target teams distribute parallel for collapse(2)
  for (long i = 0; i < n - 1; i++)
    for (long j = 0; j < n - 1; j++)
      hz[i * n + j] -= MAGNETIC * (ex[i * n + j + 1] - ex[i * n + j]
				   + ey[(i + 1) * n + j] - ey[i * n + j]);
}

static void
simulate (const struct fields *fields, const float *fict, long n, long steps,
	  bool unified)
{
  float *ex = fields->ex, *ey = fields->ey, *hz = fields->hz;
#pragma omp target data if(!unified) map(to: fict[0:steps])                   \
  map(tofrom: ex[0:n * n], ey[0:n * n], hz[0:n * n])
  for (long t = 0; t < steps; t++)
    {
      step_ey (fict, ey, hz, n, t);
      step_ex (ex, hz, n);
      step_hz (ex, ey, hz, n);
    }
}

static void
host_step (double *ex, double *ey, double *hz, long n, long t)
{
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      {
	long k = i * n + j;
	ey[k] = i ? ey[k] - ELECTRIC * (hz[k] - hz[k - n]) : t;
	if (j)
	  ex[k] -= ELECTRIC * (hz[k] - hz[k - 1]);
      }
#pragma omp parallel for
  for (long i = 0; i < n - 1; i++)
    for (long j = 0; j < n - 1; j++)
      {
	long k = i * n + j;
	hz[k] -= MAGNETIC * (ex[k + 1] - ex[k] + ey[k + n] - ey[k]);
      }
}

static bool
check_field (const char *name, const float *field, const double *expected,
	     long n, double tolerance)
{
  long k = 0;
  /* Written so that a NaN ends the loop too.  */
  while (k < n * n && fabs (field[k] - expected[k]) <= tolerance)
    k++;
  if (k < n * n)
    bench_message ("wrong result: %s at %ld, %ld is %.7g, not %.7g", name,
		   k / n, k % n, field[k], expected[k]);
  return k == n * n;
}

/* ex, ey and hz of SEED, element by element.  */
static void
initial (uint64_t *state, float out[3])
{
  for (int f = 0; f < 3; f++)
    out[f] = bench_uniform (state);
}

static bool
check (const struct fields *fields, long n, long steps, uint64_t state)
{
  double *ex = bench_alloc (false, n * n * sizeof *ex);
  double *ey = bench_alloc (false, n * n * sizeof *ey);
  double *hz = bench_alloc (false, n * n * sizeof *hz);
  for (long k = 0; k < n * n; k++)
    {
      float value[3];
      initial (&state, value);
      ex[k] = value[0];
      ey[k] = value[1];
      hz[k] = value[2];
    }
  for (long t = 0; t < steps; t++)
    host_step (ex, ey, hz, n, t);
  double tolerance = TOLERANCE * (1 + steps);
  bool correct = check_field ("ex", fields->ex, ex, n, tolerance)
		 && check_field ("ey", fields->ey, ey, n, tolerance)
		 && check_field ("hz", fields->hz, hz, n, tolerance);
  free (ex);
  free (ey);
  free (hz);
  return correct;
}

static struct fields
fields_make (long n, bool unified, uint64_t state)
{
  struct fields fields;
  fields.ex = bench_alloc (unified, n * n * sizeof (float));
  fields.ey = bench_alloc (unified, n * n * sizeof (float));
  fields.hz = bench_alloc (unified, n * n * sizeof (float));
  for (long k = 0; k < n * n; k++)
    {
      float value[3];
      initial (&state, value);
      fields.ex[k] = value[0];
      fields.ey[k] = value[1];
      fields.hz[k] = value[2];
    }
  return fields;
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 48 << 20, .iterations = 10,
				 .seed = 1 };
  uint64_t order = 0;
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    { "order", BENCH_NUMBER, &order, "of the grids; 0: from --size" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Simulate an electromagnetic wave.");
  if (common.iterations > 1 << 20)
    bench_fatal ("--iterations=%llu: at most %d steps",
		 (unsigned long long) common.iterations, 1 << 20);
  long steps = common.iterations;
  double grids = common.size / (double) sizeof (float) - steps;
  long n = order ? (long) order : grids > 0 ? (long) sqrt (grids / 3) : 0;
  if (n < 2 || n > 1 << 20)
    bench_fatal ("the grids' order must be between 2 and %d, not %ld (see "
		 "--order and --size)", 1 << 20, n);
  uint64_t footprint = sizeof (float) * (3 * (uint64_t) n * n + steps);
  if (common.footprint)
    {
      printf ("%llu\n", (unsigned long long) footprint);
      return 0;
    }

  common.unified = bench_unified (common.unified);
  struct fields fields = fields_make (n, common.unified, common.seed);
  float *fict = bench_alloc (common.unified, steps * sizeof *fict);
  for (long t = 0; t < steps; t++)
    fict[t] = t;

  double start = omp_get_wtime ();
  simulate (&fields, fict, n, steps, common.unified);
  double seconds = omp_get_wtime () - start;

  bool correct = common.no_check || check (&fields, n, steps, common.seed);
  uint64_t sum = 0;
  float *const arrays[] = { fields.ex, fields.ey, fields.hz };
  for (int f = 0; f < 3; f++)
    {
      sum = sum * 31 + bench_checksum (arrays[f], n * n * sizeof (float));
      bench_free (common.unified, arrays[f]);
    }
  bench_free (common.unified, fict);
  char extra[96];
  snprintf (extra, sizeof extra, "order=%ld checksum=%016llx", n,
	    (unsigned long long) sum);
  return bench_result (&common, footprint, seconds, !common.no_check, correct,
		       extra);
}
