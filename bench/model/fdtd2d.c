/* fdtd2d, in CUDA's shape: an electromagnetic wave on a grid.
   SPDX-License-Identifier: GPL-3.0-or-later

   PolyBench/GPU's FDTD-2D: three launches a step, a thread each point, in blocks
   of 32 by 8.  ex has a column more than the others, ey a row.  */

#include "model.h"

static void
update_ey (const float *drive, float *ey, const float *hz, long step, long n)
{
  MODEL_POINTS (n)
    {
      long i = MODEL_ROW (n), j = MODEL_COLUMN (n);
      if (i == 0)
	ey[j] = drive[step];
      else
	ey[i * n + j] -= 0.5f * (hz[i * n + j] - hz[(i - 1) * n + j]);
    }
}

static void
update_ex (float *ex, const float *hz, long n)
{
  MODEL_POINTS (n)
    {
      long i = MODEL_ROW (n), j = MODEL_COLUMN (n);
      if (j > 0)
	ex[i * (n + 1) + j] -= 0.5f * (hz[i * n + j] - hz[i * n + j - 1]);
    }
}

static void
update_hz (const float *ex, const float *ey, float *hz, long n)
{
  MODEL_POINTS (n)
    {
      long i = MODEL_ROW (n), j = MODEL_COLUMN (n);
      const float *x = ex + i * (n + 1) + j, *y = ey + i * n + j;
      hz[i * n + j] -= 0.7f * (x[1] - x[0] + y[n] - y[0]);
    }
}

struct grids
{
  float *drive, *ex, *ey, *hz;
};

static void
step_on_host (const struct grids *g, uint64_t step, long n)
{
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      g->ey[i * n + j] = i == 0 ? g->drive[step]
	: g->ey[i * n + j] - 0.5f * (g->hz[i * n + j] - g->hz[(i - 1) * n + j]);
  for (long i = 0; i < n; i++)
    for (long j = 1; j < n; j++)
      g->ex[i * (n + 1) + j]
	-= 0.5f * (g->hz[i * n + j] - g->hz[i * n + j - 1]);
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      g->hz[i * n + j] -= 0.7f * (g->ex[i * (n + 1) + j + 1]
				  - g->ex[i * (n + 1) + j]
				  + g->ey[(i + 1) * n + j] - g->ey[i * n + j]);
}

static float *
copy_of (const float *p, size_t count)
{
  float *copy = bench_alloc (false, count * sizeof *copy);
  memcpy (copy, p, count * sizeof *copy);
  return copy;
}

/* HOST is what the grids were before the first step.  */
static bool
check (const struct grids *g, struct grids *host, const struct model *m)
{
  for (uint64_t step = 0; step < m->common.iterations; step++)
    step_on_host (host, step, m->n);
  for (size_t i = 0; i < m->n * m->n; i++)
    if (!model_close ("hz", i, g->hz[i], host->hz[i], 1e-5))
      return false;
  return true;
}

int
main (int argc, char **argv)
{
  struct model m = { .n = 2048, .common.iterations = 2 };
  model_parse (&m, argc, argv, "Step an electromagnetic wave.",
	       "order of the grids");
  model_multiple (&m, MODEL_LANES, 1 << 20);
  size_t n = m.n, steps = m.common.iterations;
  uint64_t footprint = sizeof (float) * (n * n + 2 * n * (n + 1) + steps);
  model_begin (&m, footprint);
  uint64_t state = m.common.seed;
  struct grids g, host = { NULL };
  g.drive = model_fill (&m, steps, &state);
  g.ex = model_fill (&m, n * (n + 1), &state);
  g.ey = model_fill (&m, n * (n + 1), &state);
  g.hz = model_fill (&m, n * n, &state);
  if (!m.common.no_check)
    {
      host.drive = g.drive;
      host.ex = copy_of (g.ex, n * (n + 1));
      host.ey = copy_of (g.ey, n * (n + 1));
      host.hz = copy_of (g.hz, n * n);
    }

  double start = omp_get_wtime ();
  for (size_t step = 0; step < steps; step++)
    {
      update_ey (g.drive, g.ey, g.hz, step, n);
      update_ex (g.ex, g.hz, n);
      update_hz (g.ex, g.ey, g.hz, n);
    }
  double seconds = omp_get_wtime () - start;

  bool correct = m.common.no_check || check (&g, &host, &m);
  uint64_t sum = m.common.no_check ? 0 : bench_checksum (g.hz, n * n * 4);
  float *const all[] = { g.drive, g.ex, g.ey, g.hz };
  for (int k = 0; k < 4; k++)
    bench_free (true, all[k]);
  free (host.ex);
  free (host.ey);
  free (host.hz);
  return model_result (&m, footprint, seconds, correct, sum);
}
