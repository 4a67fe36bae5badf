/* gcolor: colours for nodes, no two neighbours the same.
   SPDX-License-Identifier: GPL-3.0-or-later

   Jones and Plassmann, "A parallel graph coloring heuristic" (1993).  Nodes have
   a random order.  `choose` lets each node that comes before all its neighbours
   without a colour have the least colour that no neighbour has; `settle` makes
   it its colour.  Each repetition starts anew.  Checked on the host: the colours
   are those of going through the nodes in their order, and no neighbours' are the
   same.  */

#include "vertices.h"

#define NONE (-1)

static void
start_plain (int32_t *colour, int32_t *chosen, int64_t n)
{
#pragma omp target teams distribute parallel for
  for (int64_t v = 0; v < n; v++)
    colour[v] = chosen[v] = NONE;
}

static void
choose (const int64_t *row, const int32_t *col, const int32_t *order,
	const int32_t *colour, int32_t *chosen, int64_t n)
{
#pragma omp target teams distribute parallel for
  for (int64_t v = 0; v < n; v++)
    {
      bool first = colour[v] == NONE;
      for (int64_t e = row[v]; first && e < row[v + 1]; e++)
	first = colour[col[e]] != NONE || order[col[e]] >= order[v];
      if (!first)
	continue;
      /* Colours from BASE on that neighbours have.  */
      uint64_t used = UINT64_MAX;
      int32_t base = -64;
      while (used == UINT64_MAX)
	{
	  used = 0;
	  base += 64;
	  for (int64_t e = row[v]; e < row[v + 1]; e++)
	    {
	      int32_t above = colour[col[e]] - base;
	      if (above >= 0 && above < 64)
		used |= UINT64_C (1) << above;
	    }
	}
      while (used & 1)
	{
	  used >>= 1;
	  base++;
	}
      chosen[v] = base;
    }
}

/* Returns how many nodes have no colour yet.  */
static int64_t
settle (int32_t *colour, const int32_t *chosen, int64_t n)
{
  int64_t left = 0;
#pragma omp target teams distribute parallel for reduction(+: left)           \
  map(tofrom: left)
  for (int64_t v = 0; v < n; v++)
    {
      colour[v] = chosen[v];
      left += chosen[v] == NONE;
    }
  return left;
}

/* Returns the number of rounds.  */
static int64_t
run (const struct vertices *p, const int32_t *order, int32_t *colour,
     int32_t *chosen)
{
  const int64_t n = p->graph.n, m = p->graph.m, *row = p->graph.row;
  const int32_t *col = p->graph.col;
  int64_t rounds = 0;
  BENCH_MAPPED (m);
#pragma omp target data if(!p->common.unified)                                \
  map(to: row[0:n + 1], col[0:m], order[0:n]) map(alloc: chosen[0:n])         \
  map(from: colour[0:n])
  for (uint64_t k = 0; k < p->common.iterations; k++)
    {
      start_plain (colour, chosen, n);
      /* More than N only if the device's data is wrong.  */
      for (rounds = 1; rounds <= n; rounds++)
	{
	  choose (row, col, order, colour, chosen, n);
	  if (settle (colour, chosen, n) == 0)
	    break;
	}
    }
  return rounds;
}

/* The least colour that no neighbour of V has.  STAMP[c] is V where one has
   colour c.  */
static int32_t
least_free (const struct graph *g, int64_t v, const int32_t *colour,
	    int32_t *stamp)
{
  for (int64_t e = g->row[v]; e < g->row[v + 1]; e++)
    if (colour[g->col[e]] != NONE)
      stamp[colour[g->col[e]]] = v;
  int32_t c = 0;
  while (stamp[c] == v)
    c++;
  return c;
}

static bool
proper (const struct graph *g, const int32_t *colour)
{
  for (int64_t v = 0; v < g->n; v++)
    for (int64_t e = g->row[v]; e < g->row[v + 1]; e++)
      if (colour[v] == colour[g->col[e]] && g->col[e] != v)
	{
	  bench_message ("wrong result: nodes %lld and %d have colour %d",
			 (long long) v, g->col[e], colour[v]);
	  return false;
	}
  return true;
}

static bool
check (const struct graph *g, const int32_t *order, const int32_t *colour)
{
  int32_t *expected = bench_alloc (false, g->n * sizeof *expected);
  int32_t *stamp = bench_alloc (false, (g->n + 1) * sizeof *stamp);
  int32_t *at = bench_alloc (false, g->n * sizeof *at);
  for (int64_t v = 0; v < g->n; v++)
    {
      expected[v] = stamp[v] = NONE;
      at[order[v]] = v;
    }
  stamp[g->n] = NONE;
  for (int64_t i = 0; i < g->n; i++)
    expected[at[i]] = least_free (g, at[i], expected, stamp);
  bool good = proper (g, colour)
	      && vertices_equal ("colour", colour, expected, g->n);
  free (expected);
  free (stamp);
  free (at);
  return good;
}

static uint64_t
footprint_of (int64_t n, int64_t m)
{
  return (n + 1) * sizeof (int64_t) + (m + 3 * n) * sizeof (int32_t);
}

int
main (int argc, char **argv)
{
  struct vertices p = { { .size = 16 << 20, .iterations = 1, .seed = 1 },
			.about = "Colour the nodes of a graph.",
			.both = true, .footprint_of = footprint_of };
  if (!vertices_begin (argc, argv, &p))
    return 0;
  bool unified = p.common.unified;
  int64_t n = p.graph.n, colours = 0;
  uint64_t state = ~p.common.seed;
  int32_t *shuffled = graph_shuffled (n, &state);
  int32_t *order = bench_alloc (unified, n * sizeof *order);
  int32_t *colour = bench_alloc (unified, n * sizeof *colour);
  int32_t *chosen = bench_alloc (unified, n * sizeof *chosen);
  memcpy (order, shuffled, n * sizeof *order);
  free (shuffled);
  double start = omp_get_wtime ();
  run (&p, order, colour, chosen);
  double seconds = omp_get_wtime () - start;

  bool correct = p.common.no_check || check (&p.graph, order, colour);
  for (int64_t v = 0; v < n; v++)
    colours = colour[v] >= colours ? colour[v] + 1 : colours;
  uint64_t sum = bench_checksum (colour, n * sizeof *colour);
  bench_free (unified, order);
  bench_free (unified, colour);
  bench_free (unified, chosen);
  return vertices_end (&p, seconds, correct, "colours", colours, sum);
}
