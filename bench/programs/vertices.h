/* What the programs over the vertices of a graph share: their options, the
   graph itself, the line of results.
   SPDX-License-Identifier: GPL-3.0-or-later

   For the programs that stand for GraphBIG's in Table 2 of CODA (Kim et al.
   2018).  Each is written from the definition of its algorithm: a thread has a
   node and goes along its arcs.  A region reads what regions before it wrote,
   and what threads add to or make less together are whole numbers, atomically,
   so that neither results nor the number of launches depend on the order of
   threads.  */

#pragma once

#include "graph.h"
#include "kernels.h"

/* AT, an int32_t, becomes VALUE if that is less.  GCC 11 has no `atomic compare'.  */
#if __GNUC__ >= 12
# define ATOMIC_MIN(AT, VALUE)							\
  do										\
    {										\
      _Pragma ("omp atomic compare")						\
      AT = AT > VALUE ? VALUE : AT;						\
    }										\
  while (0)
#else
# define ATOMIC_MIN(AT, VALUE)							\
  for (int32_t old_ = __atomic_load_n (&AT, __ATOMIC_RELAXED);			\
       old_ > VALUE && !__atomic_compare_exchange_n (&AT, &old_, VALUE, false,	\
						     __ATOMIC_RELAXED, __ATOMIC_RELAXED);)
#endif

struct vertices
{
  struct bench_common common;
  const char *about;
  bool both;			/* Has each arc one back?  */
  uint64_t (*footprint_of) (int64_t n, int64_t m);
  /* From the graph the one that is used, with one of each two arcs; or NULL.  */
  struct graph (*prepare) (const struct graph *, bool unified);

  uint64_t nodes, degree;	/* As asked for.  */
  struct graph graph, whole;	/* The one that is used; before `prepare`.  */
  struct graph_spread spread;
  uint64_t footprint;
};

/* The graph called NAME, or a uniform one.  */
static inline void
vertices_make (struct vertices *p, const char *name)
{
  enum graph_kind kind = name ? graph_kind (name) : GRAPH_UNIFORM;
  uint64_t arcs = p->degree * (p->prepare ? 1 : 2);	/* Of two nodes.  */
  if (!p->nodes)
    p->nodes = 2 * p->common.size
	       / (p->footprint_of (2, arcs) - p->footprint_of (0, 0));
  if (kind != GRAPH_FILE && (p->nodes < 1 || p->nodes > INT32_MAX))
    bench_fatal ("%llu nodes: expected 1 to %d (see --size, --nodes)",
		 (unsigned long long) p->nodes, INT32_MAX);
  bool unified = p->common.unified && !p->prepare;
  p->graph = kind == GRAPH_FILE ? graph_read (name, unified)
	     : graph_generate (kind, p->nodes, p->degree, p->both,
			       p->common.seed, unified);
  if (kind == GRAPH_FILE && p->both && !graph_symmetric (&p->graph))
    bench_fatal ("%s: not every arc goes both ways", name);
  p->spread = graph_spread (&p->graph);
  if (p->prepare)
    {
      p->whole = p->graph;
      p->graph = p->prepare (&p->whole, p->common.unified);
    }
}

static inline void
vertices_free (struct vertices *p)
{
  graph_free (&p->graph);
  if (p->prepare)
    graph_free (&p->whole);
}

/* Read the command line and get the graph.  False: all that was asked for is
   done.  */
static inline bool
vertices_begin (int argc, char **argv, struct vertices *p)
{
  const char *name = NULL;
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (p->common),
    { "nodes", BENCH_NUMBER, &p->nodes, "of the graph; 0: from --size" },
    { "degree", BENCH_NUMBER, &p->degree, "average arcs of a node" },
    { "graph", BENCH_TEXT, &name,
      "uniform, regular, skewed, or a file (default: uniform)" },
    { NULL, 0, NULL, NULL }
  };
  p->degree = 8;
  bench_parse (argc, argv, options, p->about);
  if (p->degree < 1 || p->degree > 1 << 20)
    bench_fatal ("--degree must be between 1 and %d", 1 << 20);
  if (p->common.iterations < 1)
    bench_fatal ("--iterations must be at least 1");
  p->common.unified = bench_unified (p->common.unified);
  vertices_make (p, name);
  p->footprint = p->footprint_of (p->graph.n, p->graph.m);
  if (!bench_footprint (&p->common, p->footprint))
    return true;
  vertices_free (p);
  return false;
}

/* As bench_report, with the graph's properties.  Frees the graph.  */
static inline int
vertices_end (struct vertices *p, double seconds, bool correct,
	      const char *word, int64_t number, uint64_t checksum)
{
  char extra[256];
  snprintf (extra, sizeof extra,
	    "nodes=%lld arcs=%lld %s %s=%lld checksum=%016llx",
	    (long long) p->graph.n, (long long) p->graph.m, p->spread.words,
	    word, (long long) number, (unsigned long long) checksum);
  vertices_free (p);
  return bench_result (&p->common, p->footprint, seconds, !p->common.no_check,
		       correct, extra);
}

/* Is what each node GOT what is expected of WHAT?  */
static inline bool
vertices_equal (const char *what, const int32_t *got, const int32_t *expected,
		int64_t n)
{
  for (int64_t v = 0; v < n; v++)
    if (got[v] != expected[v])
      {
	bench_message ("wrong result: %s of node %lld is %d, not %d", what,
		       (long long) v, got[v], expected[v]);
	return false;
      }
  return true;
}
