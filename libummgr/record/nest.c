/* The recorder's nests: loops around loops in one report.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns no state.  As record/loop.c for loops: references that touch nothing
   that another writes are done as a whole, as boxes whose rows run along the
   shorter stride, whichever loop that is; those that may meet are done row by
   row in the order of execution.  */

#include "config.h"
#include "record/loop.h"

#include <stdlib.h>

enum
{
  MANY = UMMGR_RECORD_LOOP_MANY
};

/* Words, as addresses.  */
struct extent
{
  uint64_t lo, hi;
};

static bool
is_empty (const struct ummgr_trace_nest_ref *ref)
{
  return !ref->count[0] || !ref->count[1];
}

static enum ummgr_shadow_op
op_of (const struct ummgr_record_thread *t,
       const struct ummgr_trace_nest_ref *ref)
{
  return ummgr_shadow_op (t->gpu, UMMGR_TRACE_HOW_KIND (ref->how));
}

static struct extent
extent_of (const struct ummgr_trace_nest_ref *ref)
{
  uint64_t lo = ref->address, hi = ref->address;
  for (int i = 0; i < 2; i++)
    {
      uint64_t span = ummgr_record_distance (ref->stride[i])
		      * (ref->count[i] - 1);
      if (ref->stride[i] < 0)
	lo -= span;
      else
	hi += span;
    }
  hi += UMMGR_TRACE_HOW_SIZE (ref->how);
  return (struct extent) { lo & -(uint64_t) 4, (hi + 3) & -(uint64_t) 4 };
}

static struct ummgr_trace_ref
row_of (const struct ummgr_trace_nest_ref *ref, uint64_t turn)
{
  return (struct ummgr_trace_ref) {
    ref->address + turn * (uint64_t) ref->stride[0], ref->stride[1],
    ref->count[1], ref->how, 0
  };
}

/* The words of REF, if it doesn't matter in which order and how often it
   touches them, as rows, one after another or apart: strides are positive, the
   inner one not the longer.  */
static struct ummgr_trace_nest_ref
in_rows (const struct ummgr_trace_nest_ref *ref)
{
  struct ummgr_trace_nest_ref box = *ref;
  for (int i = 0; i < 2; i++)
    {
      uint64_t step = ummgr_record_distance (box.stride[i]);
      if (!step)
	box.count[i] = 1;
      if (box.stride[i] < 0)
	box.address -= step * (box.count[i] - 1);
      box.stride[i] = (int64_t) step;
    }
  if (box.count[0] > 1
      && (box.count[1] == 1 || box.stride[0] < box.stride[1]))
    {
      int64_t stride = box.stride[0];
      uint64_t count = box.count[0];
      box.stride[0] = box.stride[1];
      box.count[0] = box.count[1];
      box.stride[1] = stride;
      box.count[1] = count;
    }
  uint64_t s0 = (uint64_t) box.stride[0], s1 = (uint64_t) box.stride[1];
  uint64_t size = UMMGR_TRACE_HOW_SIZE (ref->how);
  if (box.count[0] > 1 && s0 == s1 * box.count[1])
    {
      box.count[1] *= box.count[0];
      box.count[0] = 1;
    }
  /* Rows without holes that touch or overlap.  */
  else if (box.count[0] > 1 && (s1 <= size || box.count[1] == 1)
	   && size % 4 == 0 && s0 % size == 0 && s1 == size
	   && s0 <= s1 * box.count[1])
    {
      box.count[1] += s0 / s1 * (box.count[0] - 1);
      box.count[0] = 1;
    }
  return box;
}

static void
mark_box (const struct ummgr_record_thread *t,
	  const struct ummgr_trace_nest_ref *ref)
{
  enum ummgr_shadow_op op = op_of (t, ref);
  bool update = (op & 3) == 3;
  struct ummgr_trace_nest_ref box = update ? *ref : in_rows (ref);
  /* From the second time on nothing changes.  */
  if (!box.stride[0] && box.count[0] > 2)
    box.count[0] = 2;
  for (uint64_t i = 0; i < box.count[0]; i++)
    ummgr_shadow_strided (box.address + i * (uint64_t) box.stride[0],
			  box.stride[1], box.count[1],
			  UMMGR_TRACE_HOW_SIZE (box.how), op, t->base.mask);
}

/* Does REF touch each of its words in one turn of each loop only, but for those
   that don't move it?  */
static bool
is_injective (const struct ummgr_trace_nest_ref *ref)
{
  uint64_t size = UMMGR_TRACE_HOW_SIZE (ref->how);
  uint64_t s0 = ref->count[0] > 1 ? ummgr_record_distance (ref->stride[0]) : 0;
  uint64_t s1 = ref->count[1] > 1 ? ummgr_record_distance (ref->stride[1]) : 0;
  if ((ref->address | size | s0 | s1) & 3)
    return false;
  uint64_t shorter = s0 < s1 ? s0 : s1, longer = s0 < s1 ? s1 : s0;
  uint64_t count = ref->count[s0 < s1 ? 0 : 1];
  if (!shorter)
    return !longer || longer >= size;
  return shorter >= size && longer >= shorter * (count - 1) + size;
}

/* Do A and B touch the same words in the same turns, and no word in two that
   something else comes between?  */
static bool
in_step (const struct ummgr_trace_nest_ref *a,
	 const struct ummgr_trace_nest_ref *b)
{
  return a->address == b->address && a->stride[0] == b->stride[0]
    && a->stride[1] == b->stride[1] && a->count[0] == b->count[0]
    && a->count[1] == b->count[1]
    && UMMGR_TRACE_HOW_SIZE (a->how) == UMMGR_TRACE_HOW_SIZE (b->how)
    && is_injective (a)
    && (a->inner == b->inner || a->count[1] == 1 || a->stride[1]);
}

/* Does a loop that does not move REF repeat it?  */
static bool
repeats (const struct ummgr_trace_nest_ref *ref)
{
  return (!ref->stride[0] && ref->count[0] > 1)
    || (!ref->stride[1] && ref->count[1] > 1);
}

/* One group's references, or all if GROUPS is NULL.  */
struct group
{
  const struct ummgr_trace_nest_ref *refs;
  uint32_t n;
  const uint32_t *groups;
  uint32_t number;
};

static bool
has (const struct group *g, uint32_t i)
{
  return !g->groups || g->groups[i] == g->number;
}

/* How often the outer loop goes round for G.  A third turn on the same words
   changes nothing; but a reference that stops before the others changes what a
   turn is.  */
static uint64_t
turns_of (const struct group *g)
{
  uint64_t most = 0;
  bool moves = false;
  for (uint32_t i = 0; i < g->n; i++)
    if (has (g, i) && g->refs[i].count[0] > most)
      most = g->refs[i].count[0];
  for (uint32_t i = 0; i < g->n; i++)
    moves |= has (g, i)
      && (g->refs[i].stride[0] || g->refs[i].count[0] != most);
  return !moves && most > 2 ? 2 : most;
}

/* The references of G that turn TURN of the outer loop makes from *AT on, until
   the next that is not interleaved with them; *AT is then there.  */
static uint32_t
next_rows (const struct group *g, uint64_t turn, uint32_t *at,
	   struct ummgr_trace_ref *rows, uint32_t room)
{
  uint32_t n = 0, i = *at;
  uint32_t inner = i < g->n ? g->refs[i].inner : 0;
  for (; i < g->n && n < room && g->refs[i].inner == inner; i++)
    if (has (g, i) && turn < g->refs[i].count[0])
      rows[n++] = row_of (&g->refs[i], turn);
  *at = i;
  return n;
}

static void
mark_in_turn (struct ummgr_record_thread *t, const struct group *g)
{
  struct ummgr_trace_ref rows[MANY];
  uint64_t turns = turns_of (g);
  for (uint64_t turn = 0; turn < turns; turn++)
    for (uint32_t at = 0; at < g->n;)
      {
	uint32_t n = next_rows (g, turn, &at, rows, MANY);
	if (n)
	  ummgr_record_loop_mark (t, rows, n, NULL);
      }
}

/* Do A and B never touch the same word, though their extents overlap?  Both
   move by multiples of one step.  */
static bool
apart (const struct ummgr_trace_nest_ref *a,
       const struct ummgr_trace_nest_ref *b)
{
  uint64_t step = 0;
  for (int i = 0; i < 2; i++)
    {
      if (a->count[i] > 1)
	step = ummgr_record_gcd (step, ummgr_record_distance (a->stride[i]));
      if (b->count[i] > 1)
	step = ummgr_record_gcd (step, ummgr_record_distance (b->stride[i]));
    }
  return ummgr_record_apart (a->address, UMMGR_TRACE_HOW_SIZE (a->how),
			     b->address, UMMGR_TRACE_HOW_SIZE (b->how), step);
}

/* As record/loop.c does: a group is called after its last.  REPEATED[G]: it is
   done twice as a whole.  */
static void
find_groups (const struct ummgr_record_thread *t,
	     const struct ummgr_trace_nest_ref *refs, uint32_t n,
	     uint32_t *groups, bool *in_turn, bool *repeated)
{
  struct extent extents[MANY];
  bool writes[MANY];
  for (uint32_t i = 0; i < n; i++)
    {
      extents[i] = is_empty (&refs[i]) ? (struct extent) { 0, 0 }
	: extent_of (&refs[i]);
      writes[i] = (op_of (t, &refs[i]) & 2) != 0;
      groups[i] = i;
      in_turn[i] = repeated[i] = false;
      for (uint32_t j = 0; j < i; j++)
	{
	  if (!(extents[j].lo < extents[i].hi && extents[i].lo < extents[j].hi
		&& (writes[i] || writes[j]))
	      || apart (&refs[j], &refs[i]))
	    continue;
	  in_turn[i] |= in_turn[groups[j]] || !in_step (&refs[j], &refs[i]);
	  repeated[i] |= repeats (&refs[i]);
	  for (uint32_t from = groups[j], k = 0; k < i; k++)
	    if (groups[k] == from)
	      groups[k] = i;
	}
    }
}

static void
mark_all (struct ummgr_record_thread *t,
	  const struct ummgr_trace_nest_ref *refs, uint32_t n)
{
  uint32_t groups[MANY];
  bool in_turn[MANY], repeated[MANY];
  find_groups (t, refs, n, groups, in_turn, repeated);
  for (uint32_t i = 0; i < n; i++)
    {
      if (groups[i] != i)
	continue;
      struct group g = { refs, n, groups, i };
      if (in_turn[i])
	mark_in_turn (t, &g);
      else
	for (int turn = 0; turn <= repeated[i]; turn++)
	  for (uint32_t j = 0; j <= i; j++)
	    if (groups[j] == i && !is_empty (&refs[j]))
	      mark_box (t, &refs[j]);
    }
}

/* How many turns of the outer loop touch so few pages (or sectors), each loop's
   rows together, that their order is of no interest; 0: not one.  */
static uint64_t
window_of (const struct ummgr_trace_nest_ref *refs, uint32_t n)
{
  const uint64_t grain = ummgr_record.grain;
  uint64_t fastest = 0, most = 0, cells = 0;
  for (uint32_t i = 0; i < n; i++)
    {
      uint64_t outer = ummgr_record_distance (refs[i].stride[0]);
      uint64_t inner = ummgr_record_distance (refs[i].stride[1]);
      if (refs[i].count[0] > most)
	most = refs[i].count[0];
      if (refs[i].count[0] > 1 && outer > fastest)
	fastest = outer;
      if (refs[i].count[1] > UMMGR_RECORD_CELLS * grain)
	return 0;
      cells += 1 + (inner > grain ? refs[i].count[1]
		    : inner * refs[i].count[1] / grain);
    }
  if (fastest > grain || cells > UMMGR_RECORD_CELLS / 2
      || !ummgr_record.filter)
    return 0;
  return fastest ? grain / fastest : most;
}

/* LIVE turns of REF's outer loop from TURN on, which cross one page at most.  */
static void
touch_window (struct ummgr_record_thread *t,
	      const struct ummgr_trace_nest_ref *ref, uint64_t turn,
	      uint64_t live)
{
  uint64_t outer = ummgr_record_distance (ref->stride[0]) * (live - 1);
  uint64_t inner = ummgr_record_distance (ref->stride[1]);
  uint64_t lo = row_of (ref, turn).address;
  uint64_t size = outer + UMMGR_TRACE_HOW_SIZE (ref->how);
  uint64_t count = ref->count[1];
  unsigned kind = UMMGR_TRACE_HOW_KIND (ref->how) & 7;
  if (ref->stride[0] < 0)
    lo -= outer;
  if (inner <= ummgr_record.grain)
    {
      if (ref->stride[1] < 0)
	lo -= inner * (count - 1);
      ummgr_record_touch (t, lo, lo + inner * (count - 1) + size, kind);
    }
  else
    for (; count; count--, lo += (uint64_t) ref->stride[1])
      ummgr_record_touch (t, lo, lo + size, kind);
}

static void
touch_all (struct ummgr_record_thread *t,
	   const struct ummgr_trace_nest_ref *refs, uint32_t n)
{
  struct ummgr_trace_ref rows[MANY];
  struct group all = { refs, n, NULL, 0 };
  uint64_t most = 0, window = window_of (refs, n);
  for (uint32_t i = 0; i < n; i++)
    if (refs[i].count[0] > most)
      most = refs[i].count[0];
  if (!window)
    {
      for (uint64_t turn = 0; turn < most; turn++)
	for (uint32_t at = 0; at < n;)
	  {
	    uint32_t live = next_rows (&all, turn, &at, rows, MANY);
	    if (live)
	      ummgr_record_loop_touch (t, rows, live);
	  }
      return;
    }
  for (uint64_t turn = 0; turn < most; turn += window)
    for (uint32_t i = 0; i < n; i++)
      if (turn < refs[i].count[0] && refs[i].count[1])
	{
	  uint64_t left = refs[i].count[0] - turn;
	  touch_window (t, &refs[i], turn, left < window ? left : window);
	}
}

static void
touch_sampled (struct ummgr_record_thread *t,
	       const struct ummgr_trace_nest_ref *ref)
{
  struct ummgr_trace_nest_ref box = in_rows (ref);
  for (uint64_t i = 0; i < box.count[0]; i++)
    {
      struct ummgr_trace_ref row = row_of (&box, i);
      ummgr_record_loop_touch_sampled (t, &row);
    }
}

/* As record/loop.c's: row by row, as rows lie apart.  */
static bool
is_left_out (const struct ummgr_record_thread *t,
	     const struct ummgr_trace_nest_ref *refs, uint32_t n)
{
  enum { ROWS = 32 };
  if (!t->base.mask || t->forward)
    return false;
  for (uint32_t i = 0; i < n; i++)
    if (!is_empty (&refs[i]))
      {
	struct ummgr_trace_nest_ref row = in_rows (&refs[i]);
	uint64_t rows = row.count[0];
	if (rows > ROWS)
	  return false;
	row.count[0] = 1;
	for (; rows; rows--, row.address += (uint64_t) row.stride[0])
	  {
	    struct extent e = extent_of (&row);
	    if (!ummgr_record_left_out (e.lo, e.hi, t->base.mask))
	      return false;
	  }
      }
  return true;
}

/* To the simulator, in the order of execution.  */
static void
forward_all (struct ummgr_record_thread *t,
	     const struct ummgr_trace_nest_ref *refs, uint32_t n)
{
  uint64_t most = 0;
  for (uint32_t i = 0; i < n; i++)
    if (refs[i].count[0] > most)
      most = refs[i].count[0];
  for (uint64_t turn = 0; turn < most; turn++)
    for (uint32_t i = 0; i < n; i++)
      if (turn < refs[i].count[0] && refs[i].count[1])
	{
	  struct ummgr_trace_ref row = row_of (&refs[i], turn);
	  t->forward (row.address, row.stride, row.count,
		      UMMGR_TRACE_HOW_SIZE (row.how),
		      UMMGR_TRACE_HOW_KIND (row.how) & 7);
	}
}

static void
nest (struct ummgr_record_thread *t, const struct ummgr_trace_nest_ref *refs, uint32_t n)
{
  struct group all = { refs, n, NULL, 0 };
  if (n > MANY)
    mark_in_turn (t, &all);
  else
    mark_all (t, refs, n);
  if (!t->base.mask)
    touch_all (t, refs, n);
  else
    for (uint32_t i = 0; i < n; i++)
      if (!is_empty (&refs[i]))
	touch_sampled (t, &refs[i]);
}

/* Are any of REFS to variables of the device's own?  Then do the same of those.  */
static bool
nest_there (struct ummgr_record_thread *t, const struct ummgr_trace_nest_ref *refs, uint32_t n)
{
  struct ummgr_trace_nest_ref few[MANY] = { 0 }, *all;
  bool any = false;
  for (uint32_t i = 0; i < n; i++)
    any |= ummgr_record_there (t, refs[i].address) != refs[i].address;
  if (!any || !(all = n <= MANY ? few : malloc (n * sizeof *all)))
    return any;
  for (uint32_t i = 0; i < n; i++)
    {
      all[i] = refs[i];
      all[i].address = ummgr_record_there (t, refs[i].address);
    }
  nest (t, all, n);
  if (all != few)
    free (all);
  return true;
}

void
ummgr_record_nest (struct ummgr_trace_thread *base,
		   const struct ummgr_trace_nest_ref *refs, uint32_t n)
{
  struct ummgr_record_thread *t = (struct ummgr_record_thread *) base;
  if (!ummgr_record_ready (t))
    return;
  if (ummgr_record_modelled (t))
    {
      ummgr_record_modelled_nest (t, refs, n);
      return;
    }
  for (uint32_t i = 0; i < n; i++)
    ummgr_record_count (t, refs[i].count[0] * refs[i].count[1]);
  if (is_left_out (t, refs, n))
    return;
  ummgr_record_forget_seen (t);
  if (t->forward)
    forward_all (t, refs, n);
  if (!t->stream)
    return;
  if (!nest_there (t, refs, n))
    nest (t, refs, n);
}
