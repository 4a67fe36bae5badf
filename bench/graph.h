/* Graphs in compressed sparse rows: file format, generated ones, regularity.
   SPDX-License-Identifier: GPL-3.0-or-later

   A file is the 8 bytes "UMMGRCSR", then in the machine's byte order n and m
   (uint64_t), row[0..n] (int64_t) and col[0..m) (int32_t): the arcs of node
   v lead to col[row[v]] .. col[row[v+1]-1].  Used by bfs, louvain, the
   programs of programs/vertices.h and the demo's tools.  */

#pragma once

#include "common.h"

#include <math.h>

#define GRAPH_MAGIC "UMMGRCSR"

struct graph
{
  int64_t n, m;
  int64_t *row;
  int32_t *col;
  bool unified;		/* Where row and col come from.  */
};

static inline void
graph_free (struct graph *g)
{
  bench_free (g->unified, g->row);
  bench_free (g->unified, g->col);
}

static inline struct graph
graph_alloc (int64_t n, int64_t m, bool unified)
{
  struct graph g = { .n = n, .m = m, .unified = unified };
  g.row = bench_alloc (unified, (n + 1) * sizeof *g.row);
  g.col = bench_alloc (unified, m * sizeof *g.col);
  return g;
}

/* Rows must begin at 0, never shrink and end at m; arcs must lead to
   nodes.  A kernel would trust them.  */
static inline void
graph_validate (const struct graph *g, const char *name)
{
  bool good = g->row[0] == 0 && g->row[g->n] == g->m;
  for (int64_t v = 0; good && v < g->n; v++)
    good = g->row[v] <= g->row[v + 1];
  for (int64_t e = 0; good && e < g->m; e++)
    good = g->col[e] >= 0 && g->col[e] < g->n;
  if (!good)
    bench_fatal ("%s: rows or arcs out of range", name);
}

static inline FILE *
graph_open (const char *name, int64_t *n, int64_t *m)
{
  FILE *f = fopen (name, "rb");
  if (!f)
    bench_fatal ("%s: %s", name, strerror (errno));
  char magic[8];
  uint64_t counts[2];
  if (fread (magic, 8, 1, f) != 1 || memcmp (magic, GRAPH_MAGIC, 8) != 0
      || fread (counts, sizeof counts, 1, f) != 1)
    bench_fatal ("%s: not a graph file", name);
  if (counts[0] < 1 || counts[0] > INT32_MAX || counts[1] > UINT64_C (1) << 40)
    bench_fatal ("%s: %llu nodes and %llu arcs are out of range", name,
		 (unsigned long long) counts[0],
		 (unsigned long long) counts[1]);
  *n = counts[0];
  *m = counts[1];
  return f;
}

/* In and out by way of ordinary memory: no system call sees managed
   memory, which older drivers would refuse.  */
static inline struct graph
graph_read (const char *name, bool unified)
{
  int64_t n, m;
  FILE *f = graph_open (name, &n, &m);
  struct graph file = graph_alloc (n, m, false);
  if (fread (file.row, sizeof *file.row, n + 1, f) != (size_t) n + 1
      || fread (file.col, sizeof *file.col, m, f) != (size_t) m
      || getc (f) != EOF)
    bench_fatal ("%s: the file's length doesn't match its header", name);
  fclose (f);
  graph_validate (&file, name);
  if (!unified)
    return file;
  struct graph g = graph_alloc (n, m, true);
  memcpy (g.row, file.row, (n + 1) * sizeof *g.row);
  memcpy (g.col, file.col, m * sizeof *g.col);
  graph_free (&file);
  return g;
}

static inline void
graph_write (const struct graph *g, const char *name)
{
  FILE *f = fopen (name, "wb");
  uint64_t counts[2] = { g->n, g->m };
  if (!f || fwrite (GRAPH_MAGIC, 8, 1, f) != 1
      || fwrite (counts, sizeof counts, 1, f) != 1
      || fwrite (g->row, sizeof *g->row, g->n + 1, f) != (size_t) g->n + 1
      || fwrite (g->col, sizeof *g->col, g->m, f) != (size_t) g->m
      || fclose (f) != 0)
    bench_fatal ("can't write %s: %s", name, strerror (errno));
}

/* Turn N arc pairs into rows, sorted, without loops and duplicates.  With
   BOTH each pair is an arc in both directions.  */
static inline struct graph
graph_from_pairs (int64_t n, const int32_t (*pairs)[2], int64_t count,
		  bool both, bool unified)
{
  int64_t *start = calloc (n + 2, sizeof *start);
  int32_t *col = malloc ((both ? 2 : 1) * count * sizeof *col + 1);
  int64_t *seen = malloc (n * sizeof *seen + 1);
  if (!start || !col || !seen)
    bench_fatal ("no memory for %lld arcs", (long long) count);
  /* Two counting sorts in one array: start[v + 2] counts, then start[v + 1]
     is where v's next arc goes, then start[v] is where v's arcs begin.  */
  for (int64_t i = 0; i < count; i++)
    {
      start[pairs[i][0] + 2]++;
      if (both)
	start[pairs[i][1] + 2]++;
    }
  for (int64_t v = 0; v < n; v++)
    start[v + 2] += start[v + 1];
  for (int64_t i = 0; i < count; i++)
    {
      col[start[pairs[i][0] + 1]++] = pairs[i][1];
      if (both)
	col[start[pairs[i][1] + 1]++] = pairs[i][0];
    }
  memset (seen, -1, n * sizeof *seen);
  int64_t kept = 0;
  for (int64_t v = 0, e = 0; v < n; v++)
    {
      int64_t end = start[v + 1];
      for (start[v] = kept; e < end; e++)
	if (col[e] != v && seen[col[e]] != v)
	  {
	    seen[col[e]] = v;
	    col[kept++] = col[e];
	  }
    }
  start[n] = kept;
  struct graph g = graph_alloc (n, kept, unified);
  memcpy (g.row, start, (n + 1) * sizeof *g.row);
  memcpy (g.col, col, kept * sizeof *g.col);
  free (start);
  free (col);
  free (seen);
  return g;
}

/* Does every arc go both ways, equally often?  Compares the sum of a hash over
   the arcs with that over their reverses.  */
static inline bool
graph_symmetric (const struct graph *g)
{
  uint64_t there = 0, back = 0;
  for (int64_t v = 0; v < g->n; v++)
    for (int64_t e = g->row[v]; e < g->row[v + 1]; e++)
      {
	uint64_t a = (uint64_t) v << 32 | g->col[e];
	uint64_t b = (uint64_t) g->col[e] << 32 | v;
	there += bench_random (&a);
	back += bench_random (&b);
      }
  return there == back;
}

/* --- generated graphs ------------------------------------------------------ */

enum graph_kind
{
  GRAPH_FILE,		/* None that is generated.  */
  GRAPH_UNIFORM,	/* Both ends of an arc anywhere.  */
  /* As many arcs from each node, to the next ones in a ring; one of 16 leads
     anywhere instead, or the ring would be as deep as it is long (Watts and
     Strogatz, "Collective dynamics of small-world networks", 1998).  */
  GRAPH_REGULAR,
  /* The r-th node has r^(-2/3) of the first one's arcs, so that degrees follow
     a power law with exponent 2.5; the nodes are in random order.  */
  GRAPH_SKEWED
};

#define GRAPH_FAR 16

static inline enum graph_kind
graph_kind (const char *name)
{
  static const char *const names[] = { "uniform", "regular", "skewed" };
  for (int k = 0; name && k < 3; k++)
    if (strcmp (name, names[k]) == 0)
      return GRAPH_UNIFORM + k;
  return GRAPH_FILE;
}

/* The numbers below N, in random order.  */
static inline int32_t *
graph_shuffled (int64_t n, uint64_t *state)
{
  int32_t *order = bench_alloc (false, n * sizeof *order);
  for (int64_t i = 0; i < n; i++)
    {
      int64_t j = bench_below (state, i + 1);
      order[i] = order[j];
      order[j] = i;
    }
  return order;
}

/* N nodes with DEGREE arcs on average, a few less where some are the same.
   With BOTH each arc has one back.  */
static inline struct graph
graph_generate (enum graph_kind kind, int64_t n, uint64_t degree, bool both,
		uint64_t seed, bool unified)
{
  uint64_t state = seed;
  int64_t count = n * degree / (both ? 2 : 1);
  int32_t (*pairs)[2] = bench_alloc (false, count * sizeof *pairs);
  int32_t *shuffled = kind == GRAPH_SKEWED ? graph_shuffled (n, &state) : NULL;
  for (int64_t i = 0; i < count; i++)
    for (int end = 0; end < 2; end++)
      if (kind == GRAPH_SKEWED)
	{
	  double x = bench_uniform (&state);
	  pairs[i][end] = shuffled[(int64_t) (x * x * x * n)];
	}
      else if (kind == GRAPH_REGULAR
	       && (end == 0 || bench_below (&state, GRAPH_FAR) != 0))
	pairs[i][end] = (i + end * (i / n + 1)) % n;
      else
	pairs[i][end] = bench_below (&state, n);
  struct graph g = graph_from_pairs (n, pairs, count, both, unified);
  free (shuffled);
  free (pairs);
  return g;
}

/* How many arcs nodes have: the mean, the standard deviation, and their
   ratio, the coefficient of variation.  The more regular, the smaller.  */
struct graph_spread
{
  double mean, deviation, variation;
  char words[80];		/* For the line of results.  */
};

static inline struct graph_spread
graph_spread (const struct graph *g)
{
  double mean = (double) g->m / g->n, squares = 0;
  for (int64_t v = 0; v < g->n; v++)
    {
      double off = g->row[v + 1] - g->row[v] - mean;
      squares += off * off;
    }
  double deviation = sqrt (squares / g->n);
  struct graph_spread s = { mean, deviation, g->m ? deviation / mean : 0, "" };
  snprintf (s.words, sizeof s.words, "mean=%.3f deviation=%.3f variation=%.3f",
	    s.mean, s.deviation, s.variation);
  return s;
}

/* Where to start: the first node from FROM on that has arcs.  */
static inline int64_t
graph_source (const struct graph *g, int64_t from)
{
  int64_t v = from;
  while (v < g->n && g->row[v] == g->row[v + 1])
    v++;
  return v < g->n ? v : from;
}
