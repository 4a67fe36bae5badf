/* sssp: the shortest way from one node to each.
   SPDX-License-Identifier: GPL-3.0-or-later

   Bellman and Ford's method from a frontier, with two distances a node, after
   Harish and Narayanan, "Accelerating large graph algorithms on the GPU using
   CUDA" (2007).  `relax` offers each node that the frontier leads to the way
   through the frontier, and the least offer stays; `settle` takes offers that
   are shorter than what is known, and makes their nodes the next frontier.  Each
   repetition searches again.  Distances must equal those that Dijkstra's method
   finds on the host, with a heap.  */

#include "vertices.h"

#define HEAVIEST 16		/* Arcs weigh 1 to HEAVIEST.  */
#define FAR INT32_MAX		/* Nobody came here yet.  */

struct search
{
  int32_t *weight;		/* Of arcs.  */
  unsigned char *frontier;
  int32_t *offered, *known;	/* Distances.  */
};

static void
search_start (unsigned char *frontier, int32_t *offered, int32_t *known,
	      int64_t source, int64_t n)
{
#pragma omp target teams distribute parallel for
  for (int64_t v = 0; v < n; v++)
    {
      frontier[v] = v == source;
      offered[v] = known[v] = v == source ? 0 : FAR;
    }
}

static void
relax (const int64_t *row, const int32_t *col, const int32_t *weight,
       const unsigned char *frontier, int32_t *offered, const int32_t *known,
       int64_t n)
{
#pragma omp target teams distribute parallel for
  for (int64_t v = 0; v < n; v++)
    if (frontier[v])
      for (int64_t e = row[v]; e < row[v + 1]; e++)
	{
	  int32_t u = col[e], offer = known[v] + weight[e];
	  ATOMIC_MIN (offered[u], offer);
	}
}

/* Returns the size of the new frontier.  */
static int64_t
settle (unsigned char *frontier, const int32_t *offered, int32_t *known,
	int64_t n)
{
  int64_t size = 0;
#pragma omp target teams distribute parallel for reduction(+: size)           \
  map(tofrom: size)
  for (int64_t v = 0; v < n; v++)
    {
      frontier[v] = offered[v] < known[v];
      if (frontier[v])
	{
	  known[v] = offered[v];
	  size++;
	}
    }
  return size;
}

/* Returns the number of rounds of a search.  */
static int64_t
run (const struct vertices *p, const struct search *s, int64_t source)
{
  const int64_t n = p->graph.n, m = p->graph.m, *row = p->graph.row;
  const int32_t *col = p->graph.col, *weight = s->weight;
  unsigned char *frontier = s->frontier;
  int32_t *offered = s->offered, *known = s->known;
  int64_t rounds = 0;
  BENCH_MAPPED (m);
#pragma omp target data if(!p->common.unified)                                \
  map(to: row[0:n + 1], col[0:m], weight[0:m])                                \
  map(alloc: frontier[0:n], offered[0:n]) map(from: known[0:n])
  for (uint64_t k = 0; k < p->common.iterations; k++)
    {
      search_start (frontier, offered, known, source, n);
      /* More than N only if the device's data is wrong.  */
      for (rounds = 1; rounds <= n; rounds++)
	{
	  relax (row, col, weight, frontier, offered, known, n);
	  if (settle (frontier, offered, known, n) == 0)
	    break;
	}
    }
  return rounds;
}

/* --- the check: a heap of nodes, the nearest first --------------------------- */

struct way
{
  int32_t distance, node;
};

static void
heap_add (struct way *heap, int64_t at, struct way way)
{
  for (; at > 0 && heap[(at - 1) / 2].distance > way.distance;
       at = (at - 1) / 2)
    heap[at] = heap[(at - 1) / 2];
  heap[at] = way;
}

/* Takes the first of COUNT away.  */
static struct way
heap_take (struct way *heap, int64_t count)
{
  struct way first = heap[0], last = heap[count - 1];
  int64_t at = 0;
  for (int64_t child = 1; child < count - 1; child = 2 * at + 1)
    {
      if (child + 1 < count - 1
	  && heap[child + 1].distance < heap[child].distance)
	child++;
      if (heap[child].distance >= last.distance)
	break;
      heap[at] = heap[child];
      at = child;
    }
  heap[at] = last;
  return first;
}

/* Each arc may add its node once more; what comes late is passed over.  */
static void
dijkstra (const struct graph *g, const int32_t *weight, int64_t source,
	  int32_t *distance)
{
  struct way *heap = bench_alloc (false, (g->m + 1) * sizeof *heap);
  int64_t count = 0;
  for (int64_t v = 0; v < g->n; v++)
    distance[v] = FAR;
  distance[source] = 0;
  heap_add (heap, count++, (struct way) { 0, source });
  while (count > 0)
    {
      struct way w = heap_take (heap, count--);
      if (w.distance > distance[w.node])
	continue;
      for (int64_t e = g->row[w.node]; e < g->row[w.node + 1]; e++)
	if (w.distance + weight[e] < distance[g->col[e]])
	  {
	    distance[g->col[e]] = w.distance + weight[e];
	    heap_add (heap, count++,
		      (struct way) { distance[g->col[e]], g->col[e] });
	  }
    }
  free (heap);
}

static bool
check (const struct graph *g, const struct search *s, int64_t source)
{
  int32_t *distance = bench_alloc (false, g->n * sizeof *distance);
  dijkstra (g, s->weight, source, distance);
  bool equal = vertices_equal ("distance", s->known, distance, g->n);
  free (distance);
  return equal;
}

/* --- data and main ----------------------------------------------------------- */

static uint64_t
footprint_of (int64_t n, int64_t m)
{
  return (n + 1) * sizeof (int64_t) + 2 * m * sizeof (int32_t)
	 + n * (sizeof (unsigned char) + 2 * sizeof (int32_t));
}

int
main (int argc, char **argv)
{
  struct vertices p = { { .size = 16 << 20, .iterations = 1, .seed = 1 },
			.about = "Find the shortest way from a node to each.",
			.footprint_of = footprint_of };
  if (!vertices_begin (argc, argv, &p))
    return 0;
  bool unified = p.common.unified;
  int64_t n = p.graph.n, m = p.graph.m, source = graph_source (&p.graph, 0);
  if (n > INT32_MAX / HEAVIEST)
    bench_fatal ("%lld nodes: ways may be longer than %d", (long long) n, FAR);
  struct search s;
  s.weight = bench_alloc (unified, m * sizeof *s.weight);
  s.frontier = bench_alloc (unified, n);
  s.offered = bench_alloc (unified, n * sizeof *s.offered);
  s.known = bench_alloc (unified, n * sizeof *s.known);
  uint64_t state = ~p.common.seed;
  for (int64_t e = 0; e < m; e++)
    s.weight[e] = 1 + bench_below (&state, HEAVIEST);
  double start = omp_get_wtime ();
  int64_t rounds = run (&p, &s, source);
  double seconds = omp_get_wtime () - start;

  bool correct = p.common.no_check || check (&p.graph, &s, source);
  uint64_t sum = bench_checksum (s.known, n * sizeof *s.known);
  bench_free (unified, s.weight);
  bench_free (unified, s.frontier);
  bench_free (unified, s.offered);
  bench_free (unified, s.known);
  return vertices_end (&p, seconds, correct, "rounds", rounds, sum);
}
