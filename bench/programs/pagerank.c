/* pagerank: how often a random walk is at each node.
   SPDX-License-Identifier: GPL-3.0-or-later

   The walk of Brin and Page, "The anatomy of a large-scale hypertextual web
   search engine" (1998): with probability 0.85 on along one of the node's arcs,
   else, and where there is none, to any node.  A row holds the nodes whose arcs
   lead to the node, so that each iteration has two regions: `spread` divides
   each rank by the node's arcs, `gather` adds up what comes along the row, in
   its order and in double, since some rows are long.  What nodes without arcs
   have is added up as a whole number, which no order of threads changes.
   Checked against the host in double, to a relative 1e-4.  */

#include "vertices.h"

#define DAMPING 0.85f
#define TOLERANCE 1e-4
#define WHOLE 0x1p62f	/* As a whole number, a rank of 1.  */

struct walk
{
  int32_t *arcs;		/* That leave each node.  */
  float *rank, *share;
};

static void
start_evenly (float *rank, int64_t n)
{
#pragma omp target teams distribute parallel for
  for (int64_t v = 0; v < n; v++)
    rank[v] = 1.0f / n;
}

/* Returns what is on nodes without arcs.  */
static int64_t
spread (const int32_t *arcs, const float *rank, float *share, int64_t n)
{
  int64_t stuck = 0;
#pragma omp target teams distribute parallel for reduction(+: stuck)          \
  map(tofrom: stuck)
  for (int64_t v = 0; v < n; v++)
    if (arcs[v] > 0)
      share[v] = rank[v] / arcs[v];
    else
      stuck += (int64_t) (rank[v] * WHOLE);
  return stuck;
}

static void
gather (const int64_t *row, const int32_t *col, const float *share,
	float *rank, float everywhere, int64_t n)
{
#pragma omp target teams distribute parallel for
  for (int64_t v = 0; v < n; v++)
    {
      double sum = 0;
      for (int64_t e = row[v]; e < row[v + 1]; e++)
	sum += share[col[e]];
      rank[v] = everywhere + DAMPING * (float) sum;
    }
}

static void
run (const struct vertices *p, const struct walk *w)
{
  const int64_t n = p->graph.n, m = p->graph.m, *row = p->graph.row;
  const int32_t *col = p->graph.col, *arcs = w->arcs;
  float *rank = w->rank, *share = w->share;
  BENCH_MAPPED (m);
#pragma omp target data if(!p->common.unified)                                \
  map(to: row[0:n + 1], col[0:m], arcs[0:n]) map(alloc: share[0:n])           \
  map(from: rank[0:n])
  {
    start_evenly (rank, n);
    for (uint64_t k = 0; k < p->common.iterations; k++)
      {
	float stuck = spread (arcs, rank, share, n) / WHOLE;
	gather (row, col, share, rank, (1 - DAMPING + DAMPING * stuck) / n, n);
      }
  }
}

/* One iteration of the check: from RANK to NEXT.  */
static void
step (const struct graph *g, const int32_t *arcs, const double *rank,
      double *next)
{
  double damping = DAMPING, stuck = 0;
  for (int64_t v = 0; v < g->n; v++)
    {
      next[v] = 0;
      if (arcs[v] == 0)
	stuck += rank[v];
    }
  for (int64_t v = 0; v < g->n; v++)
    for (int64_t e = g->row[v]; e < g->row[v + 1]; e++)
      next[v] += damping * rank[g->col[e]] / arcs[g->col[e]];
  for (int64_t v = 0; v < g->n; v++)
    next[v] += (1 - damping + damping * stuck) / g->n;
}

static bool
check (const struct graph *g, const struct walk *w, uint64_t iterations)
{
  double *rank = bench_alloc (false, g->n * sizeof *rank);
  double *next = bench_alloc (false, g->n * sizeof *next);
  for (int64_t v = 0; v < g->n; v++)
    rank[v] = 1.0 / g->n;
  for (uint64_t k = 0; k < iterations; k++)
    {
      step (g, w->arcs, rank, next);
      double *swap = rank;
      rank = next;
      next = swap;
    }
  bool near = bench_close ("rank of node", 0, w->rank, rank, g->n, TOLERANCE,
			   0);
  free (rank);
  free (next);
  return near;
}

static uint64_t
footprint_of (int64_t n, int64_t m)
{
  return (n + 1) * sizeof (int64_t) + (m + n) * sizeof (int32_t)
	 + 2 * n * sizeof (float);
}

int
main (int argc, char **argv)
{
  struct vertices p = { { .size = 16 << 20, .iterations = 10, .seed = 1 },
			.about = "Rank nodes by the nodes whose arcs lead there.",
			.footprint_of = footprint_of };
  if (!vertices_begin (argc, argv, &p))
    return 0;
  bool unified = p.common.unified;
  int64_t n = p.graph.n, first = 0;
  struct walk w;
  w.arcs = bench_alloc (unified, n * sizeof *w.arcs);
  w.rank = bench_alloc (unified, n * sizeof *w.rank);
  w.share = bench_alloc (unified, n * sizeof *w.share);
  memset (w.arcs, 0, n * sizeof *w.arcs);
  for (int64_t e = 0; e < p.graph.m; e++)
    w.arcs[p.graph.col[e]]++;
  double start = omp_get_wtime ();
  run (&p, &w);
  double seconds = omp_get_wtime () - start;

  bool correct = p.common.no_check || check (&p.graph, &w, p.common.iterations);
  for (int64_t v = 0; v < n; v++)
    first = w.rank[v] > w.rank[first] ? v : first;
  uint64_t sum = bench_checksum (w.rank, n * sizeof *w.rank);
  bench_free (unified, w.arcs);
  bench_free (unified, w.rank);
  bench_free (unified, w.share);
  return vertices_end (&p, seconds, correct, "first", first, sum);
}
