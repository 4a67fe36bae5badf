/* ccomp: which nodes of a graph hang together.
   SPDX-License-Identifier: GPL-3.0-or-later

   Trees of nodes that grow together, after Soman, Kishore and Narayanan, "A fast
   GPU algorithm for graph connectivity" (2010).  `hook` compares the roots of an
   arc's two nodes, and makes the smaller one the parent of the greater, or what
   is less than that by another arc; `jump` takes each node to its new root.  Until
   none moves: then a root is the smallest node of its component.  `hook` changes
   parents of roots alone and reads roots alone, `jump` the other way round.
   Each repetition starts anew.  Checked against union and find on the host,
   exactly.  */

#include "vertices.h"

static void
start_alone (int32_t *parent, int32_t *root, int64_t n)
{
#pragma omp target teams distribute parallel for
  for (int64_t v = 0; v < n; v++)
    parent[v] = root[v] = v;
}

static void
hook (const int64_t *row, const int32_t *col, int32_t *parent,
      const int32_t *root, int64_t n)
{
#pragma omp target teams distribute parallel for
  for (int64_t v = 0; v < n; v++)
    for (int64_t e = row[v]; e < row[v + 1]; e++)
      {
	int32_t own = root[v], other = root[col[e]];
	if (other < own)
	  ATOMIC_MIN (parent[own], other);
      }
}

/* Returns how many nodes have another root than before.  */
static int64_t
jump (const int32_t *parent, int32_t *root, int64_t n)
{
  int64_t moved = 0;
#pragma omp target teams distribute parallel for reduction(+: moved)          \
  map(tofrom: moved)
  for (int64_t v = 0; v < n; v++)
    {
      int32_t top = root[v];
      while (parent[top] != top)
	top = parent[top];
      moved += top != root[v];
      root[v] = top;
    }
  return moved;
}

static void
run (const struct vertices *p, int32_t *parent, int32_t *root)
{
  const int64_t n = p->graph.n, m = p->graph.m, *row = p->graph.row;
  const int32_t *col = p->graph.col;
  BENCH_MAPPED (m);
#pragma omp target data if(!p->common.unified)                                \
  map(to: row[0:n + 1], col[0:m]) map(alloc: parent[0:n]) map(from: root[0:n])
  for (uint64_t k = 0; k < p->common.iterations; k++)
    {
      start_alone (parent, root, n);
      /* More than N only if the device's data is wrong.  */
      for (int64_t round = 0; round <= n; round++)
	{
	  hook (row, col, parent, root, n);
	  if (jump (parent, root, n) == 0)
	    break;
	}
    }
}

static int32_t
find (int32_t *parent, int32_t v)
{
  while (parent[v] != v)
    v = parent[v] = parent[parent[v]];
  return v;
}

static bool
check (const struct graph *g, const int32_t *root)
{
  int32_t *parent = bench_alloc (false, g->n * sizeof *parent);
  for (int64_t v = 0; v < g->n; v++)
    parent[v] = v;
  for (int64_t v = 0; v < g->n; v++)
    for (int64_t e = g->row[v]; e < g->row[v + 1]; e++)
      {
	int32_t a = find (parent, v), b = find (parent, g->col[e]);
	parent[a > b ? a : b] = a > b ? b : a;
      }
  for (int64_t v = 0; v < g->n; v++)
    parent[v] = find (parent, v);
  bool equal = vertices_equal ("root", root, parent, g->n);
  free (parent);
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
  struct vertices p = { { .size = 16 << 20, .iterations = 1, .seed = 1 },
			.about = "Find the connected components of a graph.",
			.both = true, .footprint_of = footprint_of };
  if (!vertices_begin (argc, argv, &p))
    return 0;
  int64_t n = p.graph.n, components = 0;
  int32_t *parent = bench_alloc (p.common.unified, n * sizeof *parent);
  int32_t *root = bench_alloc (p.common.unified, n * sizeof *root);
  double start = omp_get_wtime ();
  run (&p, parent, root);
  double seconds = omp_get_wtime () - start;

  bool correct = p.common.no_check || check (&p.graph, root);
  for (int64_t v = 0; v < n; v++)
    components += root[v] == v;
  uint64_t sum = bench_checksum (root, n * sizeof *root);
  bench_free (p.common.unified, parent);
  bench_free (p.common.unified, root);
  return vertices_end (&p, seconds, correct, "components", components, sum);
}
