/* Going through what the threads of a warp have reported.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns no state but the warp's.  Where the threads of a path are in the same
   loops, and the same distance apart, one look tells what all of them touch.  */

#include "config.h"
#include "gpu-order/warp.h"

#include <string.h>

typedef struct ummgr_trace_nest_ref nest_ref;

/* Reference R of what LANE is in.  */
static nest_ref
ref_of (const struct ummgr_order_path *path,
	const struct ummgr_order_lane *lane, uint32_t r)
{
  if (!path->single)
    return ummgr_order_refs_at (lane)[r];
  const uint64_t *words = lane->words + lane->at;
  return (nest_ref) { .address = words[1], .count = { 1, 1 },
		      .how = (uint32_t) words[2] };
}

static bool
has_next (const struct ummgr_order_lane *lane, uint32_t step)
{
  return lane->at < lane->used
    && ummgr_order_step_of (lane->words[lane->at]) == step;
}

/* Are A and B at the same place of the program, as far as can be seen?  */
static bool
same_form (const struct ummgr_order_lane *a, const struct ummgr_order_lane *b)
{
  uint64_t head = a->words[a->at];
  uint32_t n = ummgr_order_refs_of (head);
  if (b->words[b->at] != head)
    return false;
  if (!n)
    return a->words[a->at + 2] == b->words[b->at + 2];
  const nest_ref *x = ummgr_order_refs_at (a), *y = ummgr_order_refs_at (b);
  for (uint32_t r = 0; r < n; r++)
    if (x[r].how != y[r].how || x[r].inner != y[r].inner)
      return false;
  return true;
}

/* Do all threads go round equally often, and by the same strides?  */
static bool
same_shape (const struct ummgr_order_warp *warp, uint32_t first)
{
  const struct ummgr_order_path *path = &warp->path;
  if (path->single)
    return true;
  const nest_ref *x = ummgr_order_refs_at (&warp->lanes[first]);
  for (uint32_t k = first + 1; k < warp->count; k++)
    if (path->live >> k & 1)
      {
	const nest_ref *y = ummgr_order_refs_at (&warp->lanes[k]);
	for (uint32_t r = 0; r < path->n; r++)
	  if (memcmp (x[r].stride, y[r].stride, sizeof x[r].stride) != 0
	      || memcmp (x[r].count, y[r].count, sizeof x[r].count) != 0)
	    return false;
      }
  return true;
}

/* Are the accesses of R so close to each other that they touch all between
   them?  */
static struct ummgr_order_fast
fast_of (const struct ummgr_order_warp *warp, uint32_t first, uint32_t r,
	 uint64_t gap)
{
  struct ummgr_order_fast fast = { .valid = true };
  uint64_t last = 0;
  for (uint32_t k = first; k < warp->count; k++)
    if (warp->path.live >> k & 1)
      {
	uint64_t at = ref_of (&warp->path, &warp->lanes[k], r).address;
	if (k == first)
	  fast.address = at;
	else if (at < last || at - last > gap)
	  return (struct ummgr_order_fast) { .valid = false };
	last = at;
      }
  fast.span = last - fast.address;
  return fast;
}

/* The references of the inner loop that begins with FIRST.  */
static void
begin_inner (struct ummgr_order_warp *warp, uint32_t first)
{
  struct ummgr_order_path *path = &warp->path;
  path->first = path->ref = first;
  path->j = path->most[1] = 0;
  path->end = first;
  bool begun = false;
  uint32_t inner = 0;
  for (uint32_t k = 0; k < warp->count; k++)
    {
      if (!(path->live >> k & 1))
	continue;
      for (uint32_t r = first; r < path->n; r++)
	{
	  nest_ref ref = ref_of (path, &warp->lanes[k], r);
	  if (!begun)
	    inner = ref.inner;
	  begun = true;
	  if (ref.inner != inner)
	    break;
	  path->end = r + 1;
	  if (path->i < ref.count[0] && ref.count[1] > path->most[1])
	    path->most[1] = ref.count[1];
	}
      if (path->same)
	break;
    }
}

/* Find threads that have something to report in STEP: the first of them, and
   those on its path.  */
static bool
begin_path (struct ummgr_order_warp *warp, uint32_t step, uint64_t gap,
	    uint64_t mask)
{
  struct ummgr_order_path *path = &warp->path;
  uint32_t first = 0;
  while (first < warp->count && !has_next (&warp->lanes[first], step))
    first++;
  if (first == warp->count)
    return false;
  const struct ummgr_order_lane *leader = &warp->lanes[first];
  uint64_t head = leader->words[leader->at];
  path->live = 0;
  path->single = ummgr_order_refs_of (head) == 0;
  path->n = path->single ? 1 : ummgr_order_refs_of (head);
  path->i = path->most[0] = 0;
  for (uint32_t k = first; k < warp->count; k++)
    if (has_next (&warp->lanes[k], step)
	&& same_form (leader, &warp->lanes[k]))
      {
	path->live |= UINT32_C (1) << k;
	for (uint32_t r = 0; r < path->n; r++)
	  {
	    nest_ref ref = ref_of (path, &warp->lanes[k], r);
	    if (ref.count[0] > path->most[0])
	      path->most[0] = ref.count[0];
	  }
      }
  path->same = same_shape (warp, first);
  for (uint32_t r = 0; r < path->n && r < UMMGR_ORDER_FAST; r++)
    {
      path->fast[r].valid = false;
      if (path->same && !mask)
	path->fast[r] = fast_of (warp, first, r, gap);
    }
  begin_inner (warp, 0);
  return true;
}

static void
end_path (struct ummgr_order_warp *warp)
{
  for (uint32_t k = 0; k < warp->count; k++)
    if (warp->path.live >> k & 1)
      {
	struct ummgr_order_lane *lane = &warp->lanes[k];
	lane->at += ummgr_order_words_of (lane->words[lane->at]);
      }
  warp->path.live = 0;
}

static void
tell (struct ummgr_order_teller *teller, uint32_t thread, uint64_t lo,
      uint64_t hi, uint32_t how)
{
  teller->touch.lo = lo;
  teller->touch.hi = hi;
  teller->touch.kind = UMMGR_TRACE_HOW_KIND (how) & 7;
  teller->touch.thread = thread;
  teller->options->touch (teller->options->data, &teller->touch);
}

/* Make access J of turn I of reference R, if any thread has it.  True if one
   has.  */
static bool
make_access (struct ummgr_order_warp *warp, uint32_t r,
	     struct ummgr_order_teller *teller)
{
  struct ummgr_order_path *path = &warp->path;
  uint32_t k = (uint32_t) __builtin_ctz (path->live);
  if (r < UMMGR_ORDER_FAST && path->fast[r].valid)
    {
      nest_ref ref = ref_of (path, &warp->lanes[k], r);
      if (path->i >= ref.count[0] || path->j >= ref.count[1])
	return false;
      uint64_t lo = path->fast[r].address + path->i * (uint64_t) ref.stride[0]
		    + path->j * (uint64_t) ref.stride[1];
      tell (teller, warp->number + k, lo,
	    lo + path->fast[r].span + UMMGR_TRACE_HOW_SIZE (ref.how), ref.how);
      return true;
    }
  bool any = false;
  for (; k < warp->count; k++)
    {
      if (!(path->live >> k & 1))
	continue;
      nest_ref ref = ref_of (path, &warp->lanes[k], r);
      if (path->i >= ref.count[0] || path->j >= ref.count[1])
	continue;
      uint64_t lo = ref.address + path->i * (uint64_t) ref.stride[0]
		    + path->j * (uint64_t) ref.stride[1];
      any = true;
      if (ummgr_trace_sampled (lo, teller->options->mask))
	tell (teller, warp->number + k, lo,
	      lo + UMMGR_TRACE_HOW_SIZE (ref.how), ref.how);
    }
  return any;
}

/* Go on to the next reference, turn or inner loop.  False: the path has
   ended.  */
static bool
advance (struct ummgr_order_warp *warp)
{
  struct ummgr_order_path *path = &warp->path;
  if (++path->ref < path->end)
    return true;
  path->ref = path->first;
  if (++path->j < path->most[1])
    return true;
  if (path->end < path->n)
    begin_inner (warp, path->end);
  else if (++path->i < path->most[0])
    begin_inner (warp, 0);
  else
    return false;
  return true;
}

bool
ummgr_order_warp_go (struct ummgr_order_warp *warp, uint32_t step,
		     struct ummgr_order_teller *teller)
{
  struct ummgr_order_path *path = &warp->path;
  const struct ummgr_order_options *o = teller->options;
  /* Reports may be empty: they take no turn.  */
  for (;;)
    {
      if (!path->live && !begin_path (warp, step, o->gap, o->mask))
	return false;
      bool made = make_access (warp, path->ref, teller);
      if (!advance (warp))
	end_path (warp);
      if (made)
	return true;
    }
}
