/* single: one thread of the GPU touches pages, one after another.
   SPDX-License-Identifier: GPL-3.0-or-later

   It needs what it has read before it goes on, so that there is never more than
   one fault at a time: each page says which is next.  They are --stride bytes
   apart.  */

#include "model.h"

static unsigned
follow (const unsigned *next, unsigned n)
{
  unsigned at = 0;
#pragma omp target map(tofrom: at)
  for (unsigned k = 0; k < n; k++)
    at = next[at];
  return at;
}

int
main (int argc, char **argv)
{
  struct model m = { .common = { .size = 16 << 20, .iterations = 1, .seed = 1 } };
  uint64_t stride = 4096;
  const struct bench_option options[] = {
    { "size", BENCH_SIZE, &m.common.size, "bytes of data" },
    { "stride", BENCH_SIZE, &stride, "bytes between two accesses" },
    MODEL_COMMON_OPTIONS (m),
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Touch pages, one after another.");
  size_t apart = stride / sizeof (unsigned);
  if (!apart || m.common.size < stride || m.common.size > UINT64_C (8) << 30)
    bench_fatal ("--size and --stride: expected at most 8G, and a stride of at "
		 "least 4 bytes that is not greater");
  size_t n = m.n = m.common.size / stride;
  uint64_t footprint = n * stride;
  model_begin (&m, footprint);
  unsigned *next = bench_alloc (true, footprint);
  for (size_t i = 0; i < n; i++)
    next[i * apart] = (i + 1) * apart;

  double start = omp_get_wtime ();
  unsigned last = 0;
  for (uint64_t k = 0; k < m.common.iterations; k++)
    last = follow (next, n);
  double seconds = omp_get_wtime () - start;

  bool correct = m.common.no_check || last == n * apart;
  if (!correct)
    bench_message ("wrong result: %u, not %zu", last, n * apart);
  bench_free (true, next);
  return model_result (&m, footprint, seconds, correct, last);
}
