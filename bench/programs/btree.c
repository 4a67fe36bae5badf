/* btree: look-ups in a B+ tree, and sums over ranges of keys.
   SPDX-License-Identifier: GPL-3.0-or-later

   A node has --order keys, ascending, and as many links: of an inner node to
   the children, whose least keys these are; of a leaf to the records.  Leaves
   lie one behind the other, before all levels above, and the root is last.
   Region 1 looks up keys; region 2 descends to the least key of a range and
   walks along the leaves to its end, adding up what the records hold.  A
   thread has a query and begins at the root.  Records are in random order of
   keys.  Each repetition asks for other keys.  Checked against the list of
   keys that the tree was made from, exactly.

   As in Rodinia's b+tree, where each command allocates and copies all that it
   uses, each region has a tree of its own on the device.  */

#include "kernels.h"

#define SPAN 64		/* Keys of a range, at most.  */
#define ABSENT -1

struct tree
{
  long order, keys, nodes, leaves, levels;
  int *node;			/* [nodes][2][order]: keys, then links.  */
  int *record;			/* [keys] */
  int *ranges_node;		/* The same for region 2.  */
  int *ranges_record;
  int *ascending;		/* [keys]: the host's list.  */
  int *holds;			/* [keys]: of each one's record; host's.  */
};

struct queries
{
  long count;
  int *key, *found;		/* Region 1's */
  int *low, *high;		/* Region 2's, both ends included.  */
  long *sum;
};

/* Which of the ORDER KEYS is the last that is not above KEY, or the first.  */
#pragma omp declare target
static inline long
child_of (const int *keys, long order, int key)
{
  long at = 0;
  while (at < order - 1 && keys[at + 1] <= key)
    at++;
  return at;
}
#pragma omp end declare target

static void
look_up (const int *node, const int *record, const int *key, int *found,
	 long count, long order, long levels, long root)
{
#pragma omp target teams distribute parallel for
  for (long q = 0; q < count; q++)
    {
      int wanted = key[q];
      const int *keys = node + root * 2 * order;
      long at = child_of (keys, order, wanted);
      for (long l = 1; l < levels; l++)
	{
	  keys = node + keys[order + at] * 2 * order;
	  at = child_of (keys, order, wanted);
	}
      found[q] = keys[at] == wanted ? record[keys[order + at]] : ABSENT;
    }
}

static void
add_ranges (const int *node, const int *record, const int *low,
	    const int *high, long *sum, long count, long order, long levels,
	    long root, long leaves)
{
#pragma omp target teams distribute parallel for
  for (long q = 0; q < count; q++)
    {
      int from = low[q], to = high[q];
      long leaf = root, total = 0;
      for (long l = 1; l < levels; l++)
	{
	  const int *keys = node + leaf * 2 * order;
	  leaf = keys[order + child_of (keys, order, from)];
	}
      for (bool more = true; more && leaf < leaves; leaf++)
	{
	  const int *keys = node + leaf * 2 * order;
	  for (long at = 0; at < order && more; at++)
	    {
	      more = keys[at] <= to;
	      if (more && keys[at] >= from)
		total += record[keys[order + at]];
	    }
	}
      sum[q] = total;
    }
}

static void
ask (const struct tree *t, const struct queries *s, bool unified)
{
  long size = t->nodes * 2 * t->order, records = t->keys, count = s->count;
  const int *node = t->node, *record = t->record, *key = s->key;
  const int *low = s->low, *high = s->high;
  int *found = s->found;
  long *sum = s->sum;
  BENCH_MAPPED (size), BENCH_MAPPED (records);
#pragma omp target data if(!unified)                                          \
  map(to: node[0:size], record[0:records], key[0:count])                      \
  map(from: found[0:count])
  look_up (node, record, key, found, count, t->order, t->levels, t->nodes - 1);
  node = t->ranges_node;
  record = t->ranges_record;
#pragma omp target data if(!unified)                                          \
  map(to: node[0:size], record[0:records], low[0:count], high[0:count])       \
  map(from: sum[0:count])
  add_ranges (node, record, low, high, sum, count, t->order, t->levels,
	      t->nodes - 1, t->leaves);
}

/* Where the first of the keys is that is not below KEY.  */
static long
place_of (const struct tree *t, int key)
{
  long from = 0, to = t->keys;
  while (from < to)
    {
      long middle = (from + to) / 2;
      if (t->ascending[middle] < key)
	from = middle + 1;
      else
	to = middle;
    }
  return from;
}

static bool
check (const struct tree *t, const struct queries *s)
{
  for (long q = 0; q < s->count; q++)
    {
      long at = place_of (t, s->key[q]), sum = 0;
      bool is = at < t->keys && t->ascending[at] == s->key[q];
      int expected = is ? t->holds[at] : ABSENT;
      if (s->found[q] != expected)
	{
	  bench_message ("wrong result: key %d has %d, not %d", s->key[q],
			 s->found[q], expected);
	  return false;
	}
      for (at = place_of (t, s->low[q]);
	   at < t->keys && t->ascending[at] <= s->high[q]; at++)
	sum += t->holds[at];
      if (s->sum[q] != sum)
	{
	  bench_message ("wrong result: keys %d to %d sum up to %ld, not %ld",
			 s->low[q], s->high[q], s->sum[q], sum);
	  return false;
	}
    }
  return true;
}

/* Every second key or so is there; about one in three of those asked for is
   not.  */
static void
queries_make (const struct tree *t, struct queries *s, uint64_t *state)
{
  for (long q = 0; q < s->count; q++)
    {
      long at = bench_below (state, t->keys);
      s->key[q] = t->ascending[at] + (int) bench_below (state, 2);
      at = bench_below (state, t->keys);
      long end = at + (long) bench_below (state, SPAN);
      s->low[q] = t->ascending[at];
      s->high[q] = t->ascending[end < t->keys ? end : t->keys - 1];
      s->found[q] = s->sum[q] = 0;
    }
}

/* How many levels and nodes there must be for LEAVES.  */
static void
tree_fit (struct tree *t, long leaves)
{
  t->leaves = t->nodes = leaves;
  t->keys = leaves * t->order;
  t->levels = 1;
  for (long above = leaves; above > 1; t->levels++)
    {
      above = (above + t->order - 1) / t->order;
      t->nodes += above;
    }
}

/* Links of a level that ends before node FIRST + COUNT, for the one above.  */
static void
level_make (struct tree *t, long first, long count)
{
  for (long i = 0; i < (count + t->order - 1) / t->order * t->order; i++)
    {
      int *above = t->node + (first + count + i / t->order) * 2 * t->order;
      long below = first + (i < count ? i : count - 1);
      above[i % t->order] = i < count ? t->node[below * 2 * t->order]
				      : INT32_MAX;
      above[t->order + i % t->order] = below;
    }
}

static void
tree_make (struct tree *t, uint64_t *state)
{
  int key = 0;
  long *at = bench_alloc (false, t->keys * sizeof *at);
  for (long i = 0; i < t->keys; i++)
    {
      long j = bench_below (state, i + 1);
      at[i] = at[j];
      at[j] = i;
    }
  for (long i = 0; i < t->keys; i++)
    {
      int *leaf = t->node + i / t->order * 2 * t->order;
      t->ascending[i] = key;
      t->holds[i] = t->record[at[i]] = bench_below (state, 1 << 20);
      leaf[i % t->order] = key;
      leaf[t->order + i % t->order] = at[i];
      key += 1 + (int) bench_below (state, 3);
    }
  free (at);
  long first = 0;
  for (long count = t->leaves; count > 1;
       count = (count + t->order - 1) / t->order)
    {
      level_make (t, first, count);
      first += count;
    }
}

static uint64_t
bytes_of (const struct tree *t, long queries)
{
  return 2 * sizeof (int) * (uint64_t) (t->nodes * 2 * t->order + t->keys)
	 + (4 * sizeof (int) + sizeof (long)) * (uint64_t) queries;
}

/* As many leaves as SIZE holds.  */
static bool
tree_size (struct tree *t, uint64_t size, long queries)
{
  long low = 0, high = 1 << 28;
  high = high / t->order;
  while (low < high)
    {
      long middle = (low + high + 1) / 2;
      tree_fit (t, middle);
      if (bytes_of (t, queries) <= size)
	low = middle;
      else
	high = middle - 1;
    }
  tree_fit (t, low);
  return low > 0;
}

static bool
run (const struct bench_common *common, const struct tree *t,
     struct queries *s, uint64_t *state, uint64_t *hash, double *seconds)
{
  bool correct = true;
  for (uint64_t k = 0; k < common->iterations && correct; k++)
    {
      queries_make (t, s, state);
      double start = omp_get_wtime ();
      ask (t, s, common->unified);
      *seconds += omp_get_wtime () - start;
      correct = common->no_check || check (t, s);
      *hash = *hash * 31 + bench_checksum (s->found, s->count * sizeof (int));
      *hash = *hash * 31 + bench_checksum (s->sum, s->count * sizeof (long));
    }
  return correct;
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 16 << 20, .iterations = 1, .seed = 1 };
  uint64_t order = 64, count = 10000;
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    { "order", BENCH_NUMBER, &order, "keys of a node" },
    { "queries", BENCH_NUMBER, &count, "of keys, and as many of ranges" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Ask for keys and ranges of a B+ tree.");
  if (order < 2 || order > 1 << 12 || count < 1 || count > 1 << 24)
    bench_fatal ("--order must be between 2 and %d, --queries between 1 and "
		 "%d", 1 << 12, 1 << 24);
  struct tree t = { .order = order };
  struct queries s = { .count = count };
  if (!tree_size (&t, common.size, count))
    bench_fatal ("--size=%llu is too small for the queries and a leaf",
		 (unsigned long long) common.size);
  uint64_t footprint = bytes_of (&t, count);
  if (bench_footprint (&common, footprint))
    return 0;

  bool unified = common.unified = bench_unified (common.unified);
  size_t nodes_size = t.nodes * 2 * order * sizeof *t.node;
  size_t records_size = t.keys * sizeof *t.record;
  t.node = bench_alloc (unified, nodes_size);
  t.record = bench_alloc (unified, records_size);
  t.ranges_node = bench_alloc (unified, nodes_size);
  t.ranges_record = bench_alloc (unified, records_size);
  t.ascending = bench_alloc (false, t.keys * sizeof *t.ascending);
  t.holds = bench_alloc (false, t.keys * sizeof *t.holds);
  int **const lists[] = { &s.key, &s.found, &s.low, &s.high };
  for (int k = 0; k < 4; k++)
    *lists[k] = bench_alloc (unified, count * sizeof (int));
  s.sum = bench_alloc (unified, count * sizeof *s.sum);
  uint64_t state = common.seed, hash = 0;
  tree_make (&t, &state);
  memcpy (t.ranges_node, t.node, nodes_size);
  memcpy (t.ranges_record, t.record, records_size);
  double seconds = 0;
  bool correct = run (&common, &t, &s, &state, &hash, &seconds);
  bench_free (unified, t.node);
  bench_free (unified, t.record);
  bench_free (unified, t.ranges_node);
  bench_free (unified, t.ranges_record);
  free (t.ascending);
  free (t.holds);
  for (int k = 0; k < 4; k++)
    bench_free (unified, *lists[k]);
  bench_free (unified, s.sum);
  return bench_report (&common, footprint, seconds, correct, "keys", t.keys,
		       hash);
}
