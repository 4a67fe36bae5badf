/* Belady's MIN in one pass.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing but its instances.  Each page that was used has a mark at the
   time of its last use.  Marks stand in the order of time at positions below
   END; when those run out, they move together.  The value of a mark is the
   greatest number of pages in memory at a use after the mark before it, up to
   its own: all questions are about the uses after some mark, so that is all
   there is to know of the uses in between.

   How few faults there can be and how few evictions are two questions where pages
   leave by themselves: to keep a page until then saves an eviction, but no
   fault.  A second instance asks the second, for which a departure is as good as
   a use.

   The values are the leaves of a binary tree, in which a node has the greatest
   value below it, less what its ancestors add.  */

#include "config.h"
#include "replay/ideal.h"

#include <stdlib.h>

#define NOWHERE UINT32_MAX
/* Of a position without a mark: far below all values, whatever is added.  */
#define EMPTY (-(1 << 30))

struct node
{
  int32_t most, add;
};

struct ummgr_ideal
{
  uint32_t capacity;
  uint32_t pages;
  uint32_t *position;		/* Of each page's mark, or NOWHERE.  */
  uint32_t *page;		/* Of each position below END, or NOWHERE.  */
  struct node *tree;		/* Node 1 is the root; LEAVES the first leaf.  */
  uint32_t leaves;		/* A power of 2.  */
  uint32_t end, marks;
  int32_t *values;		/* Room for all marks', while they move.  */
  int32_t pending;		/* Value of the uses after the last mark.  */
  uint64_t uses, faults;
  struct ummgr_ideal *evictions; /* Answers for evictions; NULL in itself.  */
  uint64_t lost;		/* Of that: pages not kept until they were used
				   again, or left.  */
};

static struct ummgr_ideal *
create (uint32_t capacity)
{
  struct ummgr_ideal *d = calloc (1, sizeof *d);
  if (d)
    d->capacity = capacity;
  return d;
}

struct ummgr_ideal *
ummgr_ideal_create (uint32_t capacity)
{
  struct ummgr_ideal *d = create (capacity);
  if (d)
    d->evictions = create (capacity);
  if (d && !(d->evictions && ummgr_ideal_grow (d, 1)))
    {
      ummgr_ideal_destroy (d);
      d = NULL;
    }
  return d;
}

void
ummgr_ideal_destroy (struct ummgr_ideal *d)
{
  if (!d)
    return;
  ummgr_ideal_destroy (d->evictions);
  free (d->position);
  free (d->page);
  free (d->values);
  free (d->tree);
  free (d);
}

/* --- the tree -------------------------------------------------------------- */

static int32_t
greater (int32_t a, int32_t b)
{
  return a > b ? a : b;
}

/* What its ancestors add to node I.  */
static int32_t
above (const struct ummgr_ideal *d, uint32_t i)
{
  int32_t sum = 0;
  for (i /= 2; i; i /= 2)
    sum += d->tree[i].add;
  return sum;
}

static void
refresh (struct ummgr_ideal *d, uint32_t i)
{
  for (i /= 2; i; i /= 2)
    d->tree[i].most = greater (d->tree[2 * i].most, d->tree[2 * i + 1].most)
		      + d->tree[i].add;
}

static int32_t
value (const struct ummgr_ideal *d, uint32_t position)
{
  uint32_t leaf = d->leaves + position;
  return d->tree[leaf].most + above (d, leaf);
}

static void
set_value (struct ummgr_ideal *d, uint32_t position, int32_t v)
{
  uint32_t leaf = d->leaves + position;
  d->tree[leaf].most = v - above (d, leaf);
  refresh (d, leaf);
}

/* The greatest value after POSITION.  */
static int32_t
most_after (const struct ummgr_ideal *d, uint32_t position)
{
  int32_t most = EMPTY;
  for (uint32_t i = d->leaves + position; i > 1; i /= 2)
    {
      if (!(i & 1))
	most = greater (most, d->tree[i + 1].most);
      most += d->tree[i / 2].add;
    }
  return most;
}

static void
add_after (struct ummgr_ideal *d, uint32_t position)
{
  uint32_t leaf = d->leaves + position;
  for (uint32_t i = leaf; i > 1; i /= 2)
    if (!(i & 1))
      {
	d->tree[i + 1].most++;
	d->tree[i + 1].add++;
      }
  refresh (d, leaf);
}

/* --- marks ----------------------------------------------------------------- */

/* Put all marks' values, in order, where they outlive the tree.  */
static void
take_values (struct ummgr_ideal *d)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < d->end; i++)
    if (d->page[i] != NOWHERE)
      d->values[n++] = value (d, i);
}

/* Move the marks together, with those values.  */
static void
put_values (struct ummgr_ideal *d)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < d->end; i++)
    if (d->page[i] != NOWHERE)
      {
	d->page[n] = d->page[i];
	d->position[d->page[n]] = n;
	n++;
      }
  d->end = n;
  for (uint32_t i = 0; i < d->leaves; i++)
    d->tree[d->leaves + i]
      = (struct node) { i < n ? d->values[i] : EMPTY, 0 };
  for (uint32_t i = d->leaves - 1; i; i--)
    d->tree[i] = (struct node) {
      greater (d->tree[2 * i].most, d->tree[2 * i + 1].most), 0
    };
}

/* Make the tree one of LEAVES.  */
static bool
grow_leaves (struct ummgr_ideal *d, uint32_t leaves)
{
  uint32_t *page = realloc (d->page, leaves * sizeof *page);
  if (page)
    d->page = page;
  int32_t *values = realloc (d->values, leaves / 2 * sizeof *values);
  if (values)
    d->values = values;
  struct node *tree = malloc (2 * (size_t) leaves * sizeof *tree);
  if (!page || !values || !tree)
    {
      free (tree);
      return false;
    }
  take_values (d);
  free (d->tree);
  d->tree = tree;
  d->leaves = leaves;
  put_values (d);
  return true;
}

bool
ummgr_ideal_grow (struct ummgr_ideal *d, uint32_t pages)
{
  if (d->evictions && !ummgr_ideal_grow (d->evictions, pages))
    return false;
  if (pages <= d->pages)
    return true;
  uint32_t *position = realloc (d->position, pages * sizeof *position);
  if (!position)
    return false;
  d->position = position;
  for (uint32_t i = d->pages; i < pages; i++)
    position[i] = NOWHERE;
  uint32_t leaves = d->leaves ? d->leaves : 2;
  /* Half are free after they have moved together.  */
  while (leaves / 2 < pages)
    leaves *= 2;
  if (leaves > d->leaves && !grow_leaves (d, leaves))
    return false;
  d->pages = pages;
  return true;
}

/* The mark after POSITION, or NOWHERE.  */
static uint32_t
next_mark (const struct ummgr_ideal *d, uint32_t position)
{
  uint32_t i = d->leaves + position;
  while (i > 1 && (i & 1 || d->tree[i + 1].most < EMPTY / 2))
    i /= 2;
  if (i == 1)
    return NOWHERE;
  i++;
  while (i < d->leaves)
    i = 2 * i + (d->tree[2 * i].most < EMPTY / 2);
  return i - d->leaves;
}

/* Take PAGE's mark away; what it knew goes to the next one, or is the result
   if there is none (else 0).  */
static int32_t
unmark (struct ummgr_ideal *d, uint32_t page)
{
  uint32_t at = d->position[page];
  int32_t v = value (d, at);
  set_value (d, at, EMPTY);
  d->page[at] = NOWHERE;
  d->position[page] = NOWHERE;
  d->marks--;
  uint32_t next = next_mark (d, at);
  if (next == NOWHERE)
    return v;
  if (v > value (d, next))
    set_value (d, next, v);
  return 0;
}

/* Would PAGE, whose mark is at AT, have been kept until now?  */
static bool
room_since (const struct ummgr_ideal *d, uint32_t at)
{
  return greater (most_after (d, at), d->pending) < (int32_t) d->capacity;
}

/* Keep the page whose mark is at AT until now, if there was room.  */
static bool
keep (struct ummgr_ideal *d, uint32_t at)
{
  if (!room_since (d, at))
    return false;
  add_after (d, at);
  d->pending += d->pending != 0;
  return true;
}

void
ummgr_ideal_use (struct ummgr_ideal *d, uint32_t page, bool fault)
{
  if (d->evictions)
    ummgr_ideal_use (d->evictions, page, fault);
  uint32_t at = d->position[page];
  int32_t v = 1;
  bool kept = false;
  if (at != NOWHERE)
    {
      kept = keep (d, at);
      d->lost += !kept;
      v = greater (v, unmark (d, page));
    }
  v = greater (v, d->pending);
  d->pending = 0;
  d->uses++;
  d->faults += !kept && fault;
  if (d->end == d->leaves)
    {
      take_values (d);
      put_values (d);
    }
  d->page[d->end] = page;
  d->position[page] = d->end;
  d->marks++;
  set_value (d, d->end++, v);
}

void
ummgr_ideal_gone (struct ummgr_ideal *d, uint32_t page)
{
  if (d->evictions)
    ummgr_ideal_gone (d->evictions, page);
  uint32_t at = d->position[page];
  if (at == NOWHERE)
    return;
  if (!d->evictions)
    d->lost += !keep (d, at);
  d->pending = greater (d->pending, unmark (d, page));
}

/* Pages that can be kept until now, of all that have a mark: those used last are
   in the way of the fewest others.  */
static uint32_t
kept_to_end (const struct ummgr_ideal *d)
{
  int32_t most = d->pending;
  uint32_t kept = 0;
  for (uint32_t i = d->end; i-- > 0;)
    if (d->page[i] != NOWHERE)
      {
	/* It would be one more at all uses after its own.  */
	if (most < (int32_t) d->capacity)
	  {
	    kept++;
	    most++;
	  }
	most = greater (most, value (d, i));
      }
  return kept;
}

struct ummgr_ideal_counts
ummgr_ideal_counts (const struct ummgr_ideal *d)
{
  const struct ummgr_ideal *e = d->evictions;
  return (struct ummgr_ideal_counts) {
    d->uses, d->faults, e->lost + e->marks - kept_to_end (e)
  };
}
