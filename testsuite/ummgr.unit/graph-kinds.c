/* The benches' generated graphs: breaks if a kind is more or less regular than it
   says, if a graph has loops, arcs twice or none back, if the same seed makes
   another one, or if the spread of its arcs is wrong.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"

#include "../../bench/graph.h"

enum { DEGREE = 8 };

static const enum graph_kind kinds[] =
  { GRAPH_REGULAR, GRAPH_UNIFORM, GRAPH_SKEWED };

/* No node twice in a row, and not the node itself.  */
static void
check_simple (const struct graph *g)
{
  int64_t *seen = calloc (g->n, sizeof *seen);
  graph_validate (g, "generated");
  for (int64_t v = 0; v < g->n; v++)
    for (int64_t e = g->row[v]; e < g->row[v + 1]; e++)
      {
	CHECK (g->col[e] != v && seen[g->col[e]] != v + 1);
	seen[g->col[e]] = v + 1;
      }
  free (seen);
}

/* The arcs that lead to each node, as rows.  */
static struct graph
turned (const struct graph *g)
{
  int32_t (*pairs)[2] = malloc (g->m * sizeof *pairs + 1);
  for (int64_t v = 0; v < g->n; v++)
    for (int64_t e = g->row[v]; e < g->row[v + 1]; e++)
      {
	pairs[e][0] = g->col[e];
	pairs[e][1] = v;
      }
  struct graph back = graph_from_pairs (g->n, pairs, g->m, false, false);
  free (pairs);
  return back;
}

static void
check_spread (enum graph_kind kind, const struct graph *g)
{
  struct graph_spread s = graph_spread (g);
  CHECK (s.mean > 0.9 * DEGREE && s.mean <= DEGREE);
  switch (kind)
    {
    case GRAPH_REGULAR:
      CHECK (s.variation < 0.1);
      break;
    case GRAPH_UNIFORM:	/* A Poisson distribution's: 8^-0.5.  */
      CHECK (s.variation > 0.33 && s.variation < 0.38);
      break;
    default:
      CHECK (s.variation > 2 && s.variation < 10);
    }
}

static void
test_kinds (bool both)
{
  for (int k = 0; k < 3; k++)
    {
      struct graph g = graph_generate (kinds[k], 20000, DEGREE, both, 1, false);
      struct graph same = graph_generate (kinds[k], 20000, DEGREE, both, 1, false);
      struct graph other = graph_generate (kinds[k], 20000, DEGREE, both, 2, false);
      check_simple (&g);
      CHECK (graph_symmetric (&g) == both);
      CHECK_EQ (g.m, same.m);
      CHECK (memcmp (g.row, same.row, (g.n + 1) * sizeof *g.row) == 0);
      CHECK (memcmp (g.col, same.col, g.m * sizeof *g.col) == 0);
      CHECK (g.m != other.m || memcmp (g.col, other.col, g.m * sizeof *g.col) != 0);
      check_spread (kinds[k], &g);
      /* What leads to nodes is spread as what leaves them, but that of the ring's
	 arcs some lead anywhere.  */
      struct graph back = turned (&g);
      if (kinds[k] != GRAPH_REGULAR || both)
	check_spread (kinds[k], &back);
      graph_free (&g);
      graph_free (&same);
      graph_free (&other);
      graph_free (&back);
    }
}

static void
test_small (void)
{
  for (int k = 0; k < 3; k++)
    for (int64_t n = 1; n < 20; n++)
      for (uint64_t degree = 1; degree < 40; degree += 19)
	{
	  struct graph g = graph_generate (kinds[k], n, degree, degree & 2, n, false);
	  check_simple (&g);
	  CHECK_EQ (g.n, n);
	  CHECK (g.m <= (int64_t) degree * n && g.m <= n * (n - 1));
	  graph_free (&g);
	}
}

/* Three nodes with no, three and one arcs: the mean is 4/3, and the squares of
   what they are off are 16/9, 25/9 and 1/9.  */
static void
test_by_hand (void)
{
  int64_t row[] = { 0, 0, 3, 4 };
  int32_t col[] = { 0, 1, 2, 1 };
  struct graph g = { .n = 3, .m = 4, .row = row, .col = col };
  struct graph_spread s = graph_spread (&g);
  CHECK (strcmp (s.words, "mean=1.333 deviation=1.247 variation=0.935") == 0);
  CHECK_EQ (graph_source (&g, 0), 1);
  CHECK_EQ (graph_source (&g, 2), 2);
  CHECK (!graph_symmetric (&g));
  row[1] = row[2] = row[3] = g.m = 0;
  CHECK_EQ (graph_source (&g, 1), 1);
  CHECK (graph_spread (&g).variation == 0);
}

static void
test_names (void)
{
  CHECK (graph_kind ("uniform") == GRAPH_UNIFORM);
  CHECK (graph_kind ("regular") == GRAPH_REGULAR);
  CHECK (graph_kind ("skewed") == GRAPH_SKEWED);
  CHECK (graph_kind ("./skewed") == GRAPH_FILE);
  CHECK (graph_kind (NULL) == GRAPH_FILE);
}

int
main (void)
{
  test_kinds (false);
  test_kinds (true);
  test_small ();
  test_by_hand ();
  test_names ();
  return 0;
}
