/* tc: triangles of a graph, three nodes that are all neighbours.
   SPDX-License-Identifier: GPL-3.0-or-later

   Nodes are ranked by their number of neighbours, and rows hold those of higher
   rank, in order of their numbers (Schank and Wagner, "Finding, counting and
   listing all triangles in large graphs", 2005): so no row is long, and each
   triangle is found once, by its node of lowest rank, which has both arcs to the
   others.  A thread has a node; it goes along its row and that of each neighbour
   there together, and counts what is in both.  Each repetition counts again.
   Checked on the host, which marks the neighbours of each node and goes along
   theirs: each node's triangles, exactly.  */

#include "vertices.h"

static void
count (const int64_t *row, const int32_t *col, int64_t *triangles, int64_t n)
{
#pragma omp target teams distribute parallel for
  for (int64_t v = 0; v < n; v++)
    {
      int64_t found = 0;
      for (int64_t e = row[v]; e < row[v + 1]; e++)
	{
	  int64_t a = row[v], b = row[col[e]];
	  const int64_t a_end = row[v + 1], b_end = row[col[e] + 1];
	  while (a < a_end && b < b_end)
	    {
	      int32_t x = col[a], y = col[b];
	      found += x == y;
	      a += x <= y;
	      b += y <= x;
	    }
	}
      triangles[v] = found;
    }
}

static void
run (const struct vertices *p, int64_t *triangles)
{
  const int64_t n = p->graph.n, m = p->graph.m, *row = p->graph.row;
  const int32_t *col = p->graph.col;
  BENCH_MAPPED (m);
#pragma omp target data if(!p->common.unified)                                \
  map(to: row[0:n + 1], col[0:m]) map(from: triangles[0:n])
  for (uint64_t k = 0; k < p->common.iterations; k++)
    count (row, col, triangles, n);
}

/* --- the graph ----------------------------------------------------------------- */

/* Is A of lower rank than B?  */
static bool
lower (const struct graph *g, int64_t a, int64_t b)
{
  int64_t of_a = g->row[a + 1] - g->row[a], of_b = g->row[b + 1] - g->row[b];
  return of_a != of_b ? of_a < of_b : a < b;
}

/* The arcs of G that lead to nodes of higher rank, each once, rows by number:
   nodes add themselves to their neighbours' rows one after another.  */
static struct graph
ascending (const struct graph *g, bool unified)
{
  int64_t *end = bench_alloc (false, (g->n + 1) * sizeof *end);
  int32_t *col = bench_alloc (false, g->m * sizeof *col);
  int64_t m = 0;
  memcpy (end, g->row, g->n * sizeof *end);
  for (int64_t v = 0; v < g->n; v++)
    for (int64_t e = g->row[v]; e < g->row[v + 1]; e++)
      {
	int32_t u = g->col[e];
	if (!lower (g, u, v))
	  continue;
	if (end[u] > g->row[u] && col[end[u] - 1] == v)
	  bench_fatal ("node %lld has two arcs to node %d", (long long) v, u);
	col[end[u]++] = v;
	m++;
      }
  struct graph up = graph_alloc (g->n, m, unified);
  up.row[0] = 0;
  for (int64_t v = 0; v < g->n; v++)
    {
      int64_t count = end[v] - g->row[v];
      memcpy (up.col + up.row[v], col + g->row[v], count * sizeof *col);
      up.row[v + 1] = up.row[v] + count;
    }
  free (end);
  free (col);
  return up;
}

/* --- the check ------------------------------------------------------------------ */

static bool
check (const struct graph *g, const int64_t *triangles)
{
  int32_t *marked = bench_alloc (false, g->n * sizeof *marked);
  int64_t *expected = bench_alloc (false, g->n * sizeof *expected);
  for (int64_t v = 0; v < g->n; v++)
    {
      marked[v] = -1;
      expected[v] = 0;
    }
  for (int64_t v = 0; v < g->n; v++)
    {
      for (int64_t e = g->row[v]; e < g->row[v + 1]; e++)
	marked[g->col[e]] = v;
      for (int64_t e = g->row[v]; e < g->row[v + 1]; e++)
	for (int64_t u = g->col[e], f = g->row[u]; u < v && f < g->row[u + 1]; f++)
	  {
	    int64_t w = g->col[f];
	    if (w < u && marked[w] == v)
	      {
		int64_t low = lower (g, u, v) ? u : v;
		expected[lower (g, w, low) ? w : low]++;
	      }
	  }
    }
  int64_t v = 0;
  while (v < g->n && triangles[v] == expected[v])
    v++;
  bool equal = v == g->n;
  if (!equal)
    bench_message ("wrong result: node %lld has %lld triangles, not %lld",
		   (long long) v, (long long) triangles[v],
		   (long long) expected[v]);
  free (marked);
  free (expected);
  return equal;
}

/* --- main ------------------------------------------------------------------------ */

static uint64_t
footprint_of (int64_t n, int64_t m)
{
  return (n + 1) * sizeof (int64_t) + m * sizeof (int32_t)
	 + n * sizeof (int64_t);
}

int
main (int argc, char **argv)
{
  struct vertices p = { { .size = 16 << 20, .iterations = 1, .seed = 1 },
			.about = "Count the triangles of a graph.",
			.both = true, .footprint_of = footprint_of,
			.prepare = ascending };
  if (!vertices_begin (argc, argv, &p))
    return 0;
  int64_t n = p.graph.n, all = 0;
  int64_t *triangles = bench_alloc (p.common.unified, n * sizeof *triangles);
  double start = omp_get_wtime ();
  run (&p, triangles);
  double seconds = omp_get_wtime () - start;

  bool correct = p.common.no_check || check (&p.whole, triangles);
  for (int64_t v = 0; v < n; v++)
    all += triangles[v];
  uint64_t sum = bench_checksum (triangles, n * sizeof *triangles);
  bench_free (p.common.unified, triangles);
  return vertices_end (&p, seconds, correct, "triangles", all, sum);
}
