/* bfs: breadth-first search, level by level, over compressed sparse rows.
   SPDX-License-Identifier: GPL-3.0-or-later

   Two target regions for each level: `expand` visits the frontier (a mask)
   and marks what it reaches, `settle` makes the marked nodes the next
   frontier.  Several nodes may reach the same one at once; all store the same
   values, atomically.  Data is mapped around all levels, the levels there and back
   and the rest to the device, as in Rodinia 3.1's openmp/bfs/bfs.cpp (with
   OMP_OFFLOAD).  The levels must equal those of a queue-based search on
   the host.  */

#include "common.h"
#include "graph.h"

struct search
{
  const struct graph *graph;
  unsigned char *frontier, *marked, *visited;
  int32_t *level;	/* -1: not reached.  */
};

static void
expand (const int64_t *row, const int32_t *col, unsigned char *frontier,
	unsigned char *marked, const unsigned char *visited, int32_t *level,
	int64_t n)
{
#pragma omp target teams distribute parallel for
  for (int64_t v = 0; v < n; v++)
    if (frontier[v])
      {
	frontier[v] = 0;
	for (int64_t e = row[v]; e < row[v + 1]; e++)
	  if (!visited[col[e]])
	    {
#pragma omp atomic write
	      level[col[e]] = level[v] + 1;
#pragma omp atomic write
	      marked[col[e]] = 1;
	    }
      }
}

/* Returns the size of the new frontier.  */
static int64_t
settle (unsigned char *frontier, unsigned char *marked, unsigned char *visited,
	int64_t n)
{
  int64_t size = 0;
#pragma omp target teams distribute parallel for reduction(+: size)          \
  map(tofrom: size)
  for (int64_t v = 0; v < n; v++)
    if (marked[v])
      {
	marked[v] = 0;
	visited[v] = 1;
	frontier[v] = 1;
	size++;
      }
  return size;
}

/* Search from the frontier that is set; returns the number of levels.  */
static int64_t
search_run (const struct search *s, bool unified)
{
  const int64_t n = s->graph->n, m = s->graph->m;
  const int64_t *row = s->graph->row;
  const int32_t *col = s->graph->col;
  unsigned char *frontier = s->frontier, *marked = s->marked;
  unsigned char *visited = s->visited;
  int32_t *level = s->level;
  int64_t levels = 1;
#pragma omp target data if(!unified)                                         \
  map(to: row[0:n + 1], col[0:m], frontier[0:n], marked[0:n], visited[0:n])  \
  map(tofrom: level[0:n])
  while (levels <= n)	/* More only if the device's data is wrong.  */
    {
      expand (row, col, frontier, marked, visited, level, n);
      if (settle (frontier, marked, visited, n) == 0)
	break;
      levels++;
    }
  return levels;
}

static void
search_start (const struct search *s, int64_t source)
{
  int64_t n = s->graph->n;
  memset (s->frontier, 0, n);
  memset (s->marked, 0, n);
  memset (s->visited, 0, n);
  for (int64_t v = 0; v < n; v++)
    s->level[v] = -1;
  s->frontier[source] = s->visited[source] = 1;
  s->level[source] = 0;
}

/* Levels by a queue, on the host.  */
static bool
check (const struct graph *g, int64_t source, const int32_t *level)
{
  int32_t *expected = bench_alloc (false, g->n * sizeof *expected);
  int32_t *queue = bench_alloc (false, g->n * sizeof *queue);
  int64_t head = 0, tail = 0;
  memset (expected, -1, g->n * sizeof *expected);
  expected[source] = 0;
  queue[tail++] = source;
  while (head < tail)
    {
      int64_t v = queue[head++];
      for (int64_t e = g->row[v]; e < g->row[v + 1]; e++)
	if (expected[g->col[e]] < 0)
	  {
	    expected[g->col[e]] = expected[v] + 1;
	    queue[tail++] = g->col[e];
	  }
    }
  int64_t v = 0;
  while (v < g->n && level[v] == expected[v])
    v++;
  if (v < g->n)
    bench_message ("wrong result: node %lld is on level %d, not %d",
		   (long long) v, level[v], expected[v]);
  free (expected);
  free (queue);
  return v == g->n;
}

/* N nodes with DEGREE random arcs each on average, and one arc to the next
   node, so that node 0 reaches all, or those before node REACH: arcs lead from
   these to these, and from the others to the others.  */
static struct graph
generate (int64_t n, int64_t reach, uint64_t degree, uint64_t seed,
	  bool unified)
{
  uint64_t state = seed;
  int64_t m = 0;
  int64_t *row = bench_alloc (false, (n + 1) * sizeof *row);
  for (int64_t v = 0; v < n; v++)
    {
      row[v] = m;
      m += 1 + bench_below (&state, 2 * degree - 1);
    }
  row[n] = m;
  struct graph g = graph_alloc (n, m, unified);
  memcpy (g.row, row, (n + 1) * sizeof *row);
  for (int64_t v = 0; v < n; v++)
    for (int64_t e = row[v]; e < row[v + 1]; e++)
      {
	int64_t lo = v < reach ? 0 : reach, count = v < reach ? reach : n - reach;
	g.col[e] = lo + (e == row[v] ? (v + 1 - lo) % count
			 : (int64_t) bench_below (&state, count));
      }
  free (row);
  return g;
}

static uint64_t
footprint_of (int64_t n, int64_t m)
{
  return (n + 1) * sizeof (int64_t) + m * sizeof (int32_t)
	 + n * (3 * sizeof (unsigned char) + sizeof (int32_t));
}

static void
write_levels (const char *name, const int32_t *level, int64_t n)
{
  FILE *f = fopen (name, "wb");
  if (!f || fwrite (level, sizeof *level, n, f) != (size_t) n
      || fclose (f) != 0)
    bench_fatal ("can't write %s: %s", name, strerror (errno));
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 48 << 20, .iterations = 1, .seed = 1 };
  uint64_t nodes = 0, degree = 8, source = 0, reachable = 100;
  const char *name = NULL, *output = NULL;
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    { "nodes", BENCH_NUMBER, &nodes, "of the graph; 0: from --size" },
    { "degree", BENCH_NUMBER, &degree, "average arcs of a node" },
    { "graph", BENCH_TEXT, &name,
      "uniform, regular, skewed, or a file, instead" },
    { "reachable", BENCH_NUMBER, &reachable,
      "percent of the nodes that node 0 reaches; 0: itself alone; without --graph" },
    { "source", BENCH_NUMBER, &source, "node to start from" },
    { "output", BENCH_TEXT, &output, "write each node's level (int32)" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options,
	       "Breadth-first search of a graph in target regions.");
  if (degree < 1 || degree > 1 << 20)
    bench_fatal ("--degree must be between 1 and %d", 1 << 20);
  if (reachable > 100)
    bench_fatal ("--reachable is a percentage");
  if (common.iterations < 1)
    bench_fatal ("--iterations must be at least 1");
  if (!nodes)
    nodes = common.size / (footprint_of (1, degree) - footprint_of (0, 0));
  enum graph_kind kind = graph_kind (name);
  bool file = name && kind == GRAPH_FILE;
  if (!file && (nodes < 1 || nodes > INT32_MAX))
    bench_fatal ("%llu nodes: expected 1 to %d (see --size, --nodes)",
		 (unsigned long long) nodes, INT32_MAX);
  common.unified = bench_unified (common.unified);
  struct graph g = file ? graph_read (name, common.unified)
		   : name ? graph_generate (kind, nodes, degree, false,
					    common.seed, common.unified)
			: generate (nodes, reachable ? (nodes * reachable + 99) / 100
					     : 1, degree, common.seed,
				    common.unified);
  if (name && !file && source < (uint64_t) g.n)
    source = graph_source (&g, source);
  if (source >= (uint64_t) g.n)
    bench_fatal ("--source=%llu: the graph has %lld nodes",
		 (unsigned long long) source, (long long) g.n);
  uint64_t footprint = footprint_of (g.n, g.m);
  if (common.footprint)
    {
      printf ("%llu\n", (unsigned long long) footprint);
      graph_free (&g);
      return 0;
    }

  struct search s = { .graph = &g };
  s.frontier = bench_alloc (common.unified, g.n);
  s.marked = bench_alloc (common.unified, g.n);
  s.visited = bench_alloc (common.unified, g.n);
  s.level = bench_alloc (common.unified, g.n * sizeof *s.level);
  int64_t levels = 0;
  double seconds = 0;
  for (uint64_t k = 0; k < common.iterations; k++)
    {
      search_start (&s, source);
      double start = omp_get_wtime ();
      levels = search_run (&s, common.unified);
      seconds += omp_get_wtime () - start;
    }

  bool correct = common.no_check || check (&g, source, s.level);
  if (output)
    write_levels (output, s.level, g.n);
  char extra[256];
  snprintf (extra, sizeof extra,
	    "nodes=%lld arcs=%lld %s levels=%lld checksum=%016llx",
	    (long long) g.n, (long long) g.m, graph_spread (&g).words,
	    (long long) levels,
	    (unsigned long long) bench_checksum (s.level,
						 g.n * sizeof *s.level));
  bench_free (common.unified, s.frontier);
  bench_free (common.unified, s.marked);
  bench_free (common.unified, s.visited);
  bench_free (common.unified, s.level);
  graph_free (&g);
  return bench_result (&common, footprint, seconds, !common.no_check, correct,
		       extra);
}
