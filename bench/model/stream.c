/* stream: one or two arrays, from end to end.
   SPDX-License-Identifier: GPL-3.0-or-later

   A thread each element, in blocks of 256: x[i] += 1, or y[i] += x[i].  The host
   writes the arrays once before, or not at all, so that the GPU is the first to
   touch them, or before each step.  */

#include "model.h"

static void
add_one (float *y, long n)
{
  MODEL_THREADS (n)
    y[MODEL_THREAD] += 1;
}

static void
add_array (float *y, const float *x, long n)
{
  MODEL_THREADS (n)
    y[MODEL_THREAD] += x[MODEL_THREAD];
}

static float *
array_make (size_t n, bool touch)
{
  float *p = bench_alloc (true, n * sizeof *p);
  if (touch)
    for (size_t i = 0; i < n; i += 4096 / sizeof *p)
      p[i] = 1;
  return p;
}

/* Y has one and X, if there is one, what the host has given each page's first
   element.  */
static bool
check (const float *y, float first, float added, const struct model *m)
{
  for (size_t i = 0; i < m->n; i += 4096 / sizeof *y)
    if (!model_close ("y", i, y[i], first + m->common.iterations * added, 0))
      return false;
  return true;
}

int
main (int argc, char **argv)
{
  struct model m = { .common = { .size = 16 << 20, .iterations = 1, .seed = 1 } };
  uint64_t arrays = 1;
  bool untouched = false, turns = false;
  const struct bench_option options[] = {
    { "size", BENCH_SIZE, &m.common.size, "bytes of all data" },
    { "arrays", BENCH_NUMBER, &arrays, "1 or 2" },
    { "untouched", BENCH_SWITCH, &untouched, "the host writes nothing" },
    { "turns", BENCH_SWITCH, &turns, "the host adds 1 before each step, too" },
    MODEL_COMMON_OPTIONS (m),
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Stream through arrays.");
  if (arrays < 1 || arrays > 2 || arrays + untouched + turns > 2)
    bench_fatal ("--arrays=%llu: expected 1 or 2, and 1 with --untouched or "
		 "--turns, not both", (unsigned long long) arrays);
  size_t n = m.n = m.common.size / arrays / sizeof (float) / MODEL_BLOCK
    * MODEL_BLOCK;
  if (!n)
    bench_fatal ("--size: too small");
  uint64_t footprint = arrays * n * sizeof (float);
  model_begin (&m, footprint);
  float *y = array_make (n, !untouched);
  float *x = arrays > 1 ? array_make (n, true) : NULL;

  double start = omp_get_wtime ();
  for (uint64_t k = 0; k < m.common.iterations; k++)
    {
      for (size_t i = 0; turns && i < n; i++)
	y[i] += 1;
      if (x)
	add_array (y, x, n);
      else
	add_one (y, n);
    }
  double seconds = omp_get_wtime () - start;

  bool correct = m.common.no_check
    || check (y, untouched ? 0 : 1, turns ? 2 : 1, &m);
  uint64_t sum = m.common.no_check ? 0 : bench_checksum (y, n * sizeof *y);
  bench_free (true, y);
  if (x)
    bench_free (true, x);
  return model_result (&m, footprint, seconds, correct, sum);
}
