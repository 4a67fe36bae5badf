/* dc: degree centrality, the arcs that leave each node and that lead to it.
   SPDX-License-Identifier: GPL-3.0-or-later

   A node's own arcs are as many as its row is long; those that lead to it are
   counted by the nodes they come from, atomically.  Each repetition counts
   again.  Checked against the host, exactly.  */

#include "vertices.h"

static void
clear (int32_t *in, int64_t n)
{
#pragma omp target teams distribute parallel for
  for (int64_t v = 0; v < n; v++)
    in[v] = 0;
}

static void
count (const int64_t *row, const int32_t *col, int32_t *in, int32_t *out,
       int64_t n)
{
#pragma omp target teams distribute parallel for
  for (int64_t v = 0; v < n; v++)
    {
      out[v] = row[v + 1] - row[v];
      for (int64_t e = row[v]; e < row[v + 1]; e++)
	{
#pragma omp atomic update
	  in[col[e]]++;
	}
    }
}

static void
run (const struct vertices *p, int32_t *in, int32_t *out)
{
  const int64_t n = p->graph.n, m = p->graph.m, *row = p->graph.row;
  const int32_t *col = p->graph.col;
  BENCH_MAPPED (m);
#pragma omp target data if(!p->common.unified)                                \
  map(to: row[0:n + 1], col[0:m]) map(from: in[0:n], out[0:n])
  for (uint64_t k = 0; k < p->common.iterations; k++)
    {
      clear (in, n);
      count (row, col, in, out, n);
    }
}

static bool
check (const struct graph *g, const int32_t *in, const int32_t *out)
{
  int32_t *expected = bench_alloc (false, 2 * g->n * sizeof *expected);
  memset (expected, 0, 2 * g->n * sizeof *expected);
  for (int64_t v = 0, e = 0; e < g->m; e++)
    {
      while (e >= g->row[v + 1])
	v++;
      expected[g->n + v]++;
      expected[g->col[e]]++;
    }
  bool equal = vertices_equal ("in-degree", in, expected, g->n)
	       && vertices_equal ("out-degree", out, expected + g->n, g->n);
  free (expected);
  return equal;
}

static uint64_t
footprint_of (int64_t n, int64_t m)
{
  return (n + 1) * sizeof (int64_t) + (m + 2 * n) * sizeof (int32_t);
}

int
main (int argc, char **argv)
{
  struct vertices p = { { .size = 16 << 20, .iterations = 4, .seed = 1 },
			.about = "Count the arcs of each node, both ways.",
			.footprint_of = footprint_of };
  if (!vertices_begin (argc, argv, &p))
    return 0;
  int64_t n = p.graph.n, most = 0;
  int32_t *in = bench_alloc (p.common.unified, n * sizeof *in);
  int32_t *out = bench_alloc (p.common.unified, n * sizeof *out);
  double start = omp_get_wtime ();
  run (&p, in, out);
  double seconds = omp_get_wtime () - start;

  bool correct = p.common.no_check || check (&p.graph, in, out);
  for (int64_t v = 0; v < n; v++)
    most = in[v] > most ? in[v] : most;
  uint64_t sum = bench_checksum (in, n * sizeof *in)
		 ^ 3 * bench_checksum (out, n * sizeof *out);
  bench_free (p.common.unified, in);
  bench_free (p.common.unified, out);
  return vertices_end (&p, seconds, correct, "most", most, sum);
}
