/* bc: betweenness centrality, how many shortest paths lead through each node.
   SPDX-License-Identifier: GPL-3.0-or-later

   Brandes, "A faster algorithm for betweenness centrality" (2001), from as many
   nodes as there are iterations, evenly spread.  Level by level away from such a
   node, `reach` adds each node's number of paths to its neighbours' on the next
   level, and `settle` gives these their level.  Back again, `gather` takes from
   the neighbours one level on what part of their paths comes through the node.
   Numbers of paths are whole, up to 2^64.  Checked against the same method on
   the host, node by node in the order of a queue, to a relative 1e-9.  */

#include "vertices.h"

#define TOLERANCE 1e-9

struct betweenness
{
  int32_t *level;		/* -1: not reached.  */
  uint64_t *paths;
  double *through;		/* Of one source.  */
  double *centrality;
};

/* The K-th node to start from.  */
static int64_t
source_of (const struct vertices *p, uint64_t k)
{
  return graph_source (&p->graph, (double) k / p->common.iterations
				  * p->graph.n);
}

static void
clear (double *centrality, int64_t n)
{
#pragma omp target teams distribute parallel for
  for (int64_t v = 0; v < n; v++)
    centrality[v] = 0;
}

static void
search_start (int32_t *level, uint64_t *paths, double *through, int64_t source,
	      int64_t n)
{
#pragma omp target teams distribute parallel for
  for (int64_t v = 0; v < n; v++)
    {
      level[v] = v == source ? 0 : -1;
      paths[v] = v == source;
      through[v] = 0;
    }
}

static void
reach (const int64_t *row, const int32_t *col, const int32_t *level,
       uint64_t *paths, int32_t depth, int64_t n)
{
#pragma omp target teams distribute parallel for
  for (int64_t v = 0; v < n; v++)
    if (level[v] == depth)
      for (int64_t e = row[v]; e < row[v + 1]; e++)
	if (level[col[e]] < 0)
	  {
#pragma omp atomic update
	    paths[col[e]] += paths[v];
	  }
}

/* Returns how many nodes are on level DEPTH.  */
static int64_t
settle (int32_t *level, const uint64_t *paths, int32_t depth, int64_t n)
{
  int64_t size = 0;
#pragma omp target teams distribute parallel for reduction(+: size)           \
  map(tofrom: size)
  for (int64_t v = 0; v < n; v++)
    if (level[v] < 0 && paths[v] > 0)
      {
	level[v] = depth;
	size++;
      }
  return size;
}

static void
gather (const int64_t *row, const int32_t *col, const int32_t *level,
	const uint64_t *paths, double *through, double *centrality,
	int32_t depth, int64_t n)
{
#pragma omp target teams distribute parallel for
  for (int64_t v = 0; v < n; v++)
    if (level[v] == depth)
      {
	double sum = 0;
	for (int64_t e = row[v]; e < row[v + 1]; e++)
	  if (level[col[e]] == depth + 1)
	    sum += (1 + through[col[e]]) / paths[col[e]];
	through[v] = sum * paths[v];
	centrality[v] += through[v];
      }
}

/* Returns the number of levels of the last source.  */
static int32_t
run (const struct vertices *p, const struct betweenness *b)
{
  const int64_t n = p->graph.n, m = p->graph.m, *row = p->graph.row;
  const int32_t *col = p->graph.col;
  int32_t *level = b->level, depth = 0;
  uint64_t *paths = b->paths, sources = p->common.iterations;
  double *through = b->through, *centrality = b->centrality;
  BENCH_MAPPED (m);
#pragma omp target data if(!p->common.unified)                                \
  map(to: row[0:n + 1], col[0:m])                                             \
  map(alloc: level[0:n], paths[0:n], through[0:n]) map(from: centrality[0:n])
  {
    clear (centrality, n);
    for (uint64_t k = 0; k < sources; k++)
      {
	search_start (level, paths, through, source_of (p, k), n);
	/* More than N only if the device's data is wrong.  */
	for (depth = 0; depth < n; depth++)
	  {
	    reach (row, col, level, paths, depth, n);
	    if (settle (level, paths, depth + 1, n) == 0)
	      break;
	  }
	for (int32_t d = depth - 1; d > 0; d--)
	  gather (row, col, level, paths, through, centrality, d, n);
      }
  }
  return depth + 1;
}

/* --- the check --------------------------------------------------------------- */

struct brandes
{
  int32_t *queue, *level;
  double *paths, *through, *centrality;
};

static void
brandes_source (const struct graph *g, const struct brandes *b, int64_t source)
{
  int64_t head = 0, tail = 0;
  for (int64_t v = 0; v < g->n; v++)
    {
      b->level[v] = -1;
      b->paths[v] = b->through[v] = 0;
    }
  b->level[source] = 0;
  b->paths[source] = 1;
  b->queue[tail++] = source;
  while (head < tail)
    {
      int32_t v = b->queue[head++];
      for (int64_t e = g->row[v]; e < g->row[v + 1]; e++)
	{
	  int32_t u = g->col[e];
	  if (b->level[u] < 0)
	    {
	      b->level[u] = b->level[v] + 1;
	      b->queue[tail++] = u;
	    }
	  if (b->level[u] == b->level[v] + 1)
	    b->paths[u] += b->paths[v];
	}
    }
  while (tail > 1)
    {
      int32_t u = b->queue[--tail];
      b->centrality[u] += b->through[u];
      for (int64_t e = g->row[u]; e < g->row[u + 1]; e++)
	{
	  int32_t v = g->col[e];
	  if (b->level[v] == b->level[u] - 1)
	    b->through[v] += b->paths[v] / b->paths[u] * (1 + b->through[u]);
	}
    }
}

static bool
check (const struct vertices *p, const double *centrality)
{
  const int64_t n = p->graph.n;
  struct brandes b;
  b.queue = bench_alloc (false, 2 * n * sizeof *b.queue);
  b.level = b.queue + n;
  b.paths = bench_alloc (false, 3 * n * sizeof *b.paths);
  b.through = b.paths + n;
  b.centrality = b.through + n;
  for (int64_t v = 0; v < n; v++)
    b.centrality[v] = 0;
  for (uint64_t k = 0; k < p->common.iterations; k++)
    brandes_source (&p->graph, &b, source_of (p, k));
  bool near = true;
  for (int64_t v = 0; near && v < n; v++)
    near = bench_near ("centrality of node", v, centrality[v], b.centrality[v],
		       TOLERANCE, 0);
  free (b.queue);
  free (b.paths);
  return near;
}

/* --- data and main ----------------------------------------------------------- */

static uint64_t
footprint_of (int64_t n, int64_t m)
{
  return (n + 1) * sizeof (int64_t) + (m + n) * sizeof (int32_t)
	 + n * (sizeof (uint64_t) + 2 * sizeof (double));
}

int
main (int argc, char **argv)
{
  struct vertices p = { { .size = 16 << 20, .iterations = 4, .seed = 1 },
			.about = "Count the shortest paths through each node.",
			.both = true, .footprint_of = footprint_of };
  if (!vertices_begin (argc, argv, &p))
    return 0;
  bool unified = p.common.unified;
  int64_t n = p.graph.n;
  struct betweenness b;
  b.level = bench_alloc (unified, n * sizeof *b.level);
  b.paths = bench_alloc (unified, n * sizeof *b.paths);
  b.through = bench_alloc (unified, n * sizeof *b.through);
  b.centrality = bench_alloc (unified, n * sizeof *b.centrality);
  double start = omp_get_wtime ();
  int32_t levels = run (&p, &b);
  double seconds = omp_get_wtime () - start;

  bool correct = p.common.no_check || check (&p, b.centrality);
  uint64_t sum = bench_checksum (b.centrality, n * sizeof *b.centrality);
  bench_free (unified, b.level);
  bench_free (unified, b.paths);
  bench_free (unified, b.through);
  bench_free (unified, b.centrality);
  return vertices_end (&p, seconds, correct, "levels", levels, sum);
}
