/* louvain: community detection by modularity, all levels.
   SPDX-License-Identifier: GPL-3.0-or-later

   After Blondel et al., "Fast unfolding of communities in large networks"
   (2008), made safe for many threads and deterministic:

   - Weights are whole numbers, so sums don't depend on their order, gains are
     compared exactly, and modularity is a ratio of integers: with w the total
     weight of all arcs, Q = (inside * w - sum of tot[c]^2) / w^2.
   - A sweep has STEPS steps.  In each, only the nodes of one class (a hash of
     node and sweep) move, all at once, deciding by the state before the step;
     so neighbours seldom swap places.  Of equal gains the smallest community
     wins, and a node alone moves to another node alone only if that one's
     number is smaller.
   - Moves made at once can still lower Q: the best state is kept, and a level
     ends when a sweep gains less than the threshold.
   - Each node collects the weights to its neighbouring communities in a hash
     table of its own, a part of one array with two slots for each arc.

   Between levels the host merges each community into one node.  Checks: the
   labels equal those of the same method with its regions on the host
   (if(target: ...) false), and Q recomputed from the input and the labels
   alone equals the last level's, as integers.  Nothing is rounded, so there
   is no tolerance.  */

#include "common.h"
#include "graph.h"

#define STEPS 4
#define EMPTY (-1)

/* Up to here (2 * total)^2 fits in 64 bits.  */
#define MAX_TOTAL INT64_C (1500000000)

/* One level: a weighted graph and its communities, numbered like the nodes.
   All pointers are arrays of N but row (N + 1), those of arcs (M) and those
   of slots (2 M).  */
struct level
{
  int64_t n, m, total;
  int64_t *row, *weight;	/* weight: of arcs; both directions.  */
  int32_t *col;
  int64_t *strength;		/* Of nodes: sum of weight.  */
  int64_t *tot;			/* Of communities: sum of strength.  */
  int32_t *members;		/* Of communities.  */
  int32_t *label, *next, *best;	/* Of nodes.  */
  int64_t *slot_weight;
  int32_t *slot_key;
};

struct settings
{
  bool unified, offload;
  uint64_t sweeps;
  double threshold;
};

/* Which nodes may move in step STEP of SWEEP?  */
#define MAY_MOVE(V, SWEEP, STEP)                                              \
  ((((uint32_t) (V) * 2654435761u + (uint32_t) (SWEEP) * 40503u) >> 16)       \
   % STEPS == (uint32_t) (STEP))

/* --- target regions ----------------------------------------------------- */

/* Set next[v] for each node that may move in this step.  */
static void
decide (const struct level *g, bool offload, int sweep, int step)
{
  const int64_t n = g->n, total = g->total;
  const int64_t *row = g->row, *weight = g->weight;
  const int64_t *strength = g->strength, *tot = g->tot;
  const int32_t *col = g->col, *label = g->label, *members = g->members;
  int64_t *slot_weight = g->slot_weight;
  int32_t *slot_key = g->slot_key, *next = g->next;
#pragma omp target teams distribute parallel for if(target: offload)
  for (int64_t v = 0; v < n; v++)
    {
      next[v] = label[v];
      int64_t degree = row[v + 1] - row[v];
      if (degree == 0 || !MAY_MOVE (v, sweep, step))
	continue;
      int64_t slots = 2 * degree;
      int64_t *w = slot_weight + 2 * row[v];
      int32_t *key = slot_key + 2 * row[v];
      for (int64_t s = 0; s < slots; s++)
	key[s] = EMPTY;
      int32_t own = label[v];
      int64_t own_weight = 0;
      for (int64_t e = row[v]; e < row[v + 1]; e++)
	{
	  int32_t c = label[col[e]];
	  if (col[e] == v)
	    continue;
	  if (c == own)
	    {
	      own_weight += weight[e];
	      continue;
	    }
	  int64_t s = (int64_t) ((uint32_t) c * 2654435761u) % slots;
	  while (key[s] != EMPTY && key[s] != c)
	    s = s + 1 < slots ? s + 1 : 0;
	  if (key[s] == EMPTY)
	    {
	      key[s] = c;
	      w[s] = 0;
	    }
	  w[s] += weight[e];
	}
      /* Gains are scaled by total^2 / 2, which makes them integers.  */
      int64_t k = strength[v];
      int64_t stay = own_weight * total - k * (tot[own] - k);
      int64_t best = stay;
      int32_t to = own;
      for (int64_t s = 0; s < slots; s++)
	if (key[s] != EMPTY)
	  {
	    int64_t gain = w[s] * total - k * tot[key[s]];
	    if (gain > best || (gain == best && gain > stay && key[s] < to))
	      {
		best = gain;
		to = key[s];
	      }
	  }
      if (to > own && members[own] == 1 && members[to] == 1)
	continue;
      next[v] = to;
    }
}

/* Make the moves that `decide` chose.  */
static void
move (const struct level *g, bool offload)
{
  const int64_t n = g->n;
  const int64_t *strength = g->strength;
  const int32_t *next = g->next;
  int32_t *label = g->label, *members = g->members;
  int64_t *tot = g->tot;
#pragma omp target teams distribute parallel for if(target: offload)
  for (int64_t v = 0; v < n; v++)
    {
      int32_t from = label[v], to = next[v];
      if (from == to)
	continue;
      label[v] = to;
#pragma omp atomic update
      tot[from] -= strength[v];
#pragma omp atomic update
      tot[to] += strength[v];
#pragma omp atomic update
      members[from]--;
#pragma omp atomic update
      members[to]++;
    }
}

/* Modularity times total squared.  */
static int64_t
quality (const struct level *g, bool offload)
{
  const int64_t n = g->n;
  const int64_t *row = g->row, *weight = g->weight, *tot = g->tot;
  const int32_t *col = g->col, *label = g->label;
  int64_t inside = 0, squares = 0;
#pragma omp target teams distribute parallel for if(target: offload)         \
  reduction(+: inside) map(tofrom: inside)
  for (int64_t v = 0; v < n; v++)
    for (int64_t e = row[v]; e < row[v + 1]; e++)
      if (label[col[e]] == label[v])
	inside += weight[e];
#pragma omp target teams distribute parallel for if(target: offload)         \
  reduction(+: squares) map(tofrom: squares)
  for (int64_t c = 0; c < n; c++)
    squares += tot[c] * tot[c];
  return inside * g->total - squares;
}

static void
keep (const struct level *g, bool offload)
{
  const int64_t n = g->n;
  const int32_t *label = g->label;
  int32_t *best = g->best;
#pragma omp target teams distribute parallel for if(target: offload)
  for (int64_t v = 0; v < n; v++)
    best[v] = label[v];
}

/* --- one level ---------------------------------------------------------- */

/* Sweep until the gain is small; g->best is the result.  Returns its
   quality; counts sweeps in *SWEEPS.  */
static int64_t
level_sweep (const struct level *g, const struct settings *set,
	     uint64_t *sweeps)
{
  int64_t best = quality (g, set->offload);
  keep (g, set->offload);
  for (uint64_t k = 0; k < set->sweeps; k++)
    {
      for (int step = 0; step < STEPS; step++)
	{
	  decide (g, set->offload, k, step);
	  move (g, set->offload);
	}
      ++*sweeps;
      int64_t now = quality (g, set->offload);
      double gain = (double) (now - best) / g->total / g->total;
      if (now > best)
	{
	  keep (g, set->offload);
	  best = now;
	}
      /* Written so that a graph without arcs (0 / 0) ends here too.  */
      if (!(gain >= set->threshold))
	break;
    }
  return best;
}

/* GCC 12 doesn't count a map clause as a use.  */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"

/* The same inside a data environment for the whole level.  */
static int64_t
level_run (const struct level *g, const struct settings *set,
	   uint64_t *sweeps)
{
  const int64_t n = g->n, m = g->m;
  int64_t *row = g->row, *weight = g->weight, *strength = g->strength;
  int64_t *tot = g->tot, *slot_weight = g->slot_weight;
  int32_t *col = g->col, *members = g->members, *label = g->label;
  int32_t *next = g->next, *best = g->best, *slot_key = g->slot_key;
  int64_t result;
#pragma omp target data if(set->offload && !set->unified)                    \
  map(to: row[0:n + 1], col[0:m], weight[0:m], strength[0:n])                \
  map(to: tot[0:n], members[0:n], label[0:n])                                \
  map(alloc: next[0:n], slot_weight[0:2 * m], slot_key[0:2 * m])             \
  map(from: best[0:n])
  result = level_sweep (g, set, sweeps);
  return result;
}

#pragma GCC diagnostic pop

/* --- memory of a level -------------------------------------------------- */

static uint64_t
footprint_of (int64_t n, int64_t m)
{
  return (n + 1) * 8 + n * (2 * 8 + 4 * 4) + m * (8 + 4 + 2 * (8 + 4));
}

static struct level
level_alloc (int64_t n, int64_t m, bool unified)
{
  struct level g = { .n = n, .m = m };
  g.row = bench_alloc (unified, (n + 1) * sizeof *g.row);
  g.weight = bench_alloc (unified, m * sizeof *g.weight);
  g.col = bench_alloc (unified, m * sizeof *g.col);
  g.strength = bench_alloc (unified, n * sizeof *g.strength);
  g.tot = bench_alloc (unified, n * sizeof *g.tot);
  g.members = bench_alloc (unified, n * sizeof *g.members);
  g.label = bench_alloc (unified, n * sizeof *g.label);
  g.next = bench_alloc (unified, n * sizeof *g.next);
  g.best = bench_alloc (unified, n * sizeof *g.best);
  g.slot_weight = bench_alloc (unified, 2 * m * sizeof *g.slot_weight);
  g.slot_key = bench_alloc (unified, 2 * m * sizeof *g.slot_key);
  return g;
}

static void
level_free (const struct level *g, bool unified)
{
  void *const arrays[] = { g->row, g->weight, g->col, g->strength, g->tot,
			   g->members, g->label, g->next, g->best,
			   g->slot_weight, g->slot_key };
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
    bench_free (unified, arrays[k]);
}

/* Every node alone in its own community.  */
static void
level_start (struct level *g)
{
  g->total = 0;
  for (int64_t v = 0; v < g->n; v++)
    {
      g->strength[v] = 0;
      for (int64_t e = g->row[v]; e < g->row[v + 1]; e++)
	g->strength[v] += g->weight[e];
      g->tot[v] = g->strength[v];
      g->members[v] = 1;
      g->label[v] = v;
      g->total += g->strength[v];
    }
}

/* --- between levels ----------------------------------------------------- */

/* Number the communities in g->best from 0 in the order of their first
   nodes, in place.  Returns how many there are.  The labels come from the
   device: wrong ones must be told here, before they are used as indices.  */
static int64_t
renumber (struct level *g)
{
  int32_t *number = bench_alloc (false, g->n * sizeof *number);
  int64_t count = 0;
  memset (number, -1, g->n * sizeof *number);
  for (int64_t v = 0; v < g->n; v++)
    {
      int32_t c = g->best[v];
      if (c < 0 || c >= g->n)
	{
	  bench_message ("wrong result: node %lld is in community %d of %lld",
			 (long long) v, c, (long long) g->n);
	  exit (1);
	}
      if (number[c] < 0)
	number[c] = count++;
      g->best[v] = number[c];
    }
  free (number);
  return count;
}

/* Nodes ordered by community: those of c are order[first[c]] up to
   order[first[c + 1]].  */
static void
sort_by_community (const struct level *g, int64_t count, int64_t *first,
		   int32_t *order)
{
  memset (first, 0, (count + 2) * sizeof *first);
  for (int64_t v = 0; v < g->n; v++)
    first[g->best[v] + 2]++;
  for (int64_t c = 0; c < count; c++)
    first[c + 2] += first[c + 1];
  for (int64_t v = 0; v < g->n; v++)
    order[first[g->best[v] + 1]++] = v;
}

/* The next level: communities of G as nodes, the weights between them summed
   (those inside become a loop).  */
static struct level
merge (const struct level *g, int64_t count, bool unified)
{
  int64_t *first = bench_alloc (false, (count + 2) * sizeof *first);
  int32_t *order = bench_alloc (false, g->n * sizeof *order);
  int64_t *row = bench_alloc (false, (count + 1) * sizeof *row);
  int64_t *where = bench_alloc (false, count * sizeof *where);
  int32_t *col = bench_alloc (false, g->m * sizeof *col);
  int64_t *weight = bench_alloc (false, g->m * sizeof *weight);
  int64_t m = 0;
  sort_by_community (g, count, first, order);
  memset (where, -1, count * sizeof *where);
  for (int64_t c = 0; c < count; c++)
    {
      row[c] = m;
      for (int64_t i = first[c]; i < first[c + 1]; i++)
	for (int64_t e = g->row[order[i]]; e < g->row[order[i] + 1]; e++)
	  {
	    int32_t to = g->best[g->col[e]];
	    if (where[to] < row[c])
	      {
		where[to] = m;
		col[m] = to;
		weight[m++] = 0;
	      }
	    weight[where[to]] += g->weight[e];
	  }
    }
  row[count] = m;
  struct level next = level_alloc (count, m, unified);
  memcpy (next.row, row, (count + 1) * sizeof *row);
  memcpy (next.col, col, m * sizeof *col);
  memcpy (next.weight, weight, m * sizeof *weight);
  free (first);
  free (order);
  free (row);
  free (where);
  free (col);
  free (weight);
  return next;
}

/* --- all levels --------------------------------------------------------- */

struct result
{
  int32_t *community;	/* Of each node of the input.  */
  int64_t communities, total, quality;
  uint64_t levels, sweeps;
  double seconds;	/* Of the levels, without the merging between.  */
};

static struct level
first_level (const struct graph *input, bool unified)
{
  struct level g = level_alloc (input->n, input->m, unified);
  memcpy (g.row, input->row, (input->n + 1) * sizeof *g.row);
  memcpy (g.col, input->col, input->m * sizeof *g.col);
  for (int64_t e = 0; e < input->m; e++)
    g.weight[e] = 1;
  return g;
}

static struct result
louvain (const struct graph *input, const struct settings *set)
{
  struct result r = { .communities = input->n, .quality = INT64_MIN };
  r.community = bench_alloc (false, input->n * sizeof *r.community);
  for (int64_t v = 0; v < input->n; v++)
    r.community[v] = v;
  struct level g = first_level (input, set->unified);
  for (;;)
    {
      level_start (&g);
      double start = omp_get_wtime ();
      int64_t quality = level_run (&g, set, &r.sweeps);
      r.seconds += omp_get_wtime () - start;
      r.levels++;
      r.communities = renumber (&g);
      for (int64_t v = 0; v < input->n; v++)
	r.community[v] = g.best[r.community[v]];
      r.total = g.total;
      bool better = quality > r.quality && r.communities < g.n;
      r.quality = quality;
      if (!better)
	break;
      struct level next = merge (&g, r.communities, set->unified);
      level_free (&g, set->unified);
      g = next;
    }
  level_free (&g, set->unified);
  return r;
}

/* --- checks ------------------------------------------------------------- */

/* Modularity times total squared from the input and the labels alone.  */
static bool
check_quality (const struct graph *g, const struct result *r)
{
  int64_t *tot = calloc (g->n, sizeof *tot);
  int64_t inside = 0, squares = 0;
  if (!tot)
    bench_fatal ("no memory for the check");
  for (int64_t v = 0; v < g->n; v++)
    {
      tot[r->community[v]] += g->row[v + 1] - g->row[v];
      for (int64_t e = g->row[v]; e < g->row[v + 1]; e++)
	inside += r->community[g->col[e]] == r->community[v];
    }
  for (int64_t c = 0; c < g->n; c++)
    squares += tot[c] * tot[c];
  free (tot);
  int64_t quality = inside * g->m - squares;
  if (quality != r->quality || g->m != r->total)
    bench_message ("wrong result: modularity is %lld / %lld^2, not %lld / "
		   "%lld^2", (long long) r->quality, (long long) r->total,
		   (long long) quality, (long long) g->m);
  return quality == r->quality && g->m == r->total;
}

static bool
check (const struct graph *g, const struct result *r, struct settings set)
{
  if (!check_quality (g, r))
    return false;
  set.offload = set.unified = false;
  struct result host = louvain (g, &set);
  int64_t v = 0;
  while (v < g->n && host.community[v] == r->community[v])
    v++;
  if (v < g->n)
    bench_message ("wrong result: node %lld is in community %d, on the host "
		   "in %d", (long long) v, r->community[v], host.community[v]);
  free (host.community);
  return v == g->n;
}

/* --- input and main ----------------------------------------------------- */

/* Groups of 32 nodes; three of four edges stay inside.  */
static struct graph
generate (int64_t n, uint64_t degree, uint64_t seed)
{
  uint64_t state = seed;
  int64_t count = n * degree / 2;
  int32_t (*pairs)[2] = bench_alloc (false, count * sizeof *pairs);
  for (int64_t i = 0; i < count; i++)
    {
      int64_t v = bench_below (&state, n), group = v / 32 * 32;
      int64_t size = n - group < 32 ? n - group : 32;
      bool inside = bench_below (&state, 4) != 0;
      pairs[i][0] = v;
      pairs[i][1] = inside ? group + (int64_t) bench_below (&state, size)
			   : (int64_t) bench_below (&state, n);
    }
  struct graph g = graph_from_pairs (n, pairs, count, true, false);
  free (pairs);
  return g;
}

static void
write_communities (const char *name, const struct result *r, int64_t n)
{
  FILE *f = fopen (name, "wb");
  if (!f || fwrite (r->community, sizeof *r->community, n, f) != (size_t) n
      || fclose (f) != 0)
    bench_fatal ("can't write %s: %s", name, strerror (errno));
}

static void
describe (char *buf, size_t size, const struct graph *g,
	  const struct result *r)
{
  double q = g->m ? (double) r->quality / r->total / r->total : 0;
  snprintf (buf, size, "nodes=%lld arcs=%lld levels=%llu sweeps=%llu "
	    "communities=%lld modularity=%.6f checksum=%016llx",
	    (long long) g->n, (long long) g->m, (unsigned long long) r->levels,
	    (unsigned long long) r->sweeps, (long long) r->communities, q,
	    (unsigned long long) bench_checksum (r->community,
						 g->n * sizeof *r->community));
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 24 << 20, .iterations = 16,
				 .seed = 1 };
  uint64_t nodes = 0, degree = 12;
  const char *file = NULL, *output = NULL;
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    { "nodes", BENCH_NUMBER, &nodes, "of the graph; 0: from --size" },
    { "degree", BENCH_NUMBER, &degree, "average edges of a node" },
    { "graph", BENCH_TEXT, &file, "read the graph from this file instead" },
    { "output", BENCH_TEXT, &output, "write each node's community (int32)" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options,
	       "Find the communities of a graph in target regions.\n"
	       "--iterations is the most sweeps in each level.");
  if (degree < 1 || degree > 1 << 20)
    bench_fatal ("--degree must be between 1 and %d", 1 << 20);
  if (!nodes)
    nodes = common.size / (footprint_of (1, degree) - footprint_of (0, 0));
  if (!file && (nodes < 1 || nodes > INT32_MAX))
    bench_fatal ("%llu nodes: expected 1 to %d (see --size, --nodes)",
		 (unsigned long long) nodes, INT32_MAX);
  struct graph g = file ? graph_read (file, false)
			: generate (nodes, degree, common.seed);
  if (g.m > MAX_TOTAL)
    bench_fatal ("%lld arcs are too many: at most %lld", (long long) g.m,
		 (long long) MAX_TOTAL);
  if (file && !graph_symmetric (&g))
    bench_fatal ("%s: not every arc goes both ways", file);
  uint64_t footprint = footprint_of (g.n, g.m);
  if (common.footprint)
    {
      printf ("%llu\n", (unsigned long long) footprint);
      graph_free (&g);
      return 0;
    }

  common.unified = bench_unified (common.unified);
  struct settings set = { .unified = common.unified, .offload = true,
			  .sweeps = common.iterations, .threshold = 1e-4 };
  struct result r = louvain (&g, &set);
  bool correct = common.no_check || check (&g, &r, set);
  if (output)
    write_communities (output, &r, g.n);
  char extra[256];
  describe (extra, sizeof extra, &g, &r);
  free (r.community);
  graph_free (&g);
  return bench_result (&common, footprint, r.seconds, !common.no_check,
		       correct, extra);
}
