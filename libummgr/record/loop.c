/* The recorder's loops: many accesses in one report.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns no state.  What the shadow says after a loop is what it would say after
   all of its accesses one by one.  Where no reference touches words that
   another writes, each can be done as a whole; only those that may meet are
   done iteration by iteration.  */

#include "config.h"
#include "record/loop.h"

#include <stdlib.h>

enum
{
  MANY = UMMGR_RECORD_LOOP_MANY
};

struct extent
{
  uint64_t lo, hi;
};

/* The words that REF touches, as addresses.  */
static struct extent
extent_of (const struct ummgr_trace_ref *ref)
{
  uint64_t last = ref->address + (uint64_t) ref->stride * (ref->count - 1);
  uint64_t lo = ref->stride < 0 ? last : ref->address;
  uint64_t hi = (ref->stride < 0 ? ref->address : last)
		+ UMMGR_TRACE_HOW_SIZE (ref->how);
  return (struct extent) { lo & -(uint64_t) 4, (hi + 3) & -(uint64_t) 4 };
}

static bool
writes (const struct ummgr_trace_ref *ref)
{
  return (ummgr_shadow_op (false, UMMGR_TRACE_HOW_KIND (ref->how)) & 2) != 0;
}

/* Do A and B touch the same words in the same iterations, and no word in
   two?  */
static bool
in_step (const struct ummgr_trace_ref *a, const struct ummgr_trace_ref *b)
{
  uint32_t size = UMMGR_TRACE_HOW_SIZE (a->how);
  return a->address == b->address && a->stride == b->stride
    && a->count == b->count && size == UMMGR_TRACE_HOW_SIZE (b->how)
    && ((a->address | size | ummgr_record_distance (a->stride)) & 3) == 0
    && ummgr_record_distance (a->stride) >= size;
}

/* Does the order between A's and B's accesses matter?  */
static bool
meet (const struct ummgr_trace_ref *a, const struct extent *ea,
      const struct ummgr_trace_ref *b, const struct extent *eb)
{
  if (!(ea->lo < eb->hi && eb->lo < ea->hi) || !(writes (a) || writes (b)))
    return false;
  /* Columns of one matrix, fields of one array of structs.  */
  uint64_t step = ummgr_record_distance (a->stride);
  return step != ummgr_record_distance (b->stride)
	 || !ummgr_record_apart (a->address, UMMGR_TRACE_HOW_SIZE (a->how),
				 b->address, UMMGR_TRACE_HOW_SIZE (b->how),
				 step);
}

static void
mark (const struct ummgr_record_thread *t, const struct ummgr_trace_ref *ref)
{
  ummgr_shadow_strided (ref->address, ref->stride, ref->count,
			UMMGR_TRACE_HOW_SIZE (ref->how),
			ummgr_shadow_op (t->gpu,
					 UMMGR_TRACE_HOW_KIND (ref->how)),
			t->base.mask);
}

/* The same with sampling, and the trace's part, of a reference whose elements lie in a block
   each: asked for once each.  False: they don't.  */
static bool
take_sampled (struct ummgr_record_thread *t, const struct ummgr_trace_ref *ref)
{
  uint64_t mask = t->base.mask, address = ref->address;
  uint32_t size = UMMGR_TRACE_HOW_SIZE (ref->how);
  unsigned kind = UMMGR_TRACE_HOW_KIND (ref->how) & 7;
  if (!mask || ummgr_record_distance (ref->stride) <= 1u << UMMGR_TRACE_SAMPLE_SHIFT)
    return false;
  for (uint64_t i = 0; i < ref->count; i++, address += (uint64_t) ref->stride)
    if (ummgr_trace_sampled (address, mask))
      {
	ummgr_shadow_element (address, size, t->kinds[kind]);
	ummgr_record_touch (t, address, address + size, kind);
      }
  return true;
}

/* The references that GROUP says are GROUP's, iteration by iteration.  */
static void
mark_in_turn (const struct ummgr_record_thread *t,
	      const struct ummgr_trace_ref *refs, uint32_t n,
	      const uint32_t *groups, uint32_t group)
{
  uint64_t most = 0;
  bool moves = false;
  for (uint32_t i = 0; i < n; i++)
    if (!groups || groups[i] == group)
      {
	most = refs[i].count > most ? refs[i].count : most;
	moves |= refs[i].stride != 0;
      }
  /* A third turn on the same words changes nothing; but a reference that
     stops before the others changes what a turn is.  */
  for (uint32_t i = 0; i < n; i++)
    moves |= (!groups || groups[i] == group) && refs[i].count != most;
  if (!moves && most > 2)
    most = 2;
  for (uint64_t turn = 0; turn < most; turn++)
    for (uint32_t i = 0; i < n; i++)
      if ((!groups || groups[i] == group) && turn < refs[i].count)
	{
	  uint64_t at = refs[i].address + turn * (uint64_t) refs[i].stride;
	  if (ummgr_trace_sampled (at, t->base.mask))
	    ummgr_shadow_element (at, UMMGR_TRACE_HOW_SIZE (refs[i].how),
				  t->kinds[UMMGR_TRACE_HOW_KIND (refs[i].how)
					   & 7]);
	}
}

/* Groups of references that touch the same words, some of them writing: a
   group is called after its last one.  IN_TURN[G]: their order matters beyond
   that in which they stand.  */
static void
find_groups (const struct ummgr_trace_ref *refs, uint32_t n, uint32_t *groups,
	     bool *in_turn)
{
  struct extent extents[MANY];
  for (uint32_t i = 0; i < n; i++)
    {
      extents[i] = refs[i].count ? extent_of (&refs[i])
	: (struct extent) { 0, 0 };
      groups[i] = i;
      in_turn[i] = false;
      for (uint32_t j = 0; j < i; j++)
	{
	  if (!meet (&refs[j], &extents[j], &refs[i], &extents[i]))
	    continue;
	  in_turn[i] |= in_turn[groups[j]] || !in_step (&refs[j], &refs[i]);
	  for (uint32_t from = groups[j], k = 0; k < i; k++)
	    if (groups[k] == from)
	      groups[k] = i;
	}
    }
}

static bool
is_alone (const uint32_t *groups, uint32_t n, uint32_t i)
{
  for (uint32_t k = 0; k < n; k++)
    if (k != i && groups[k] == groups[i])
      return false;
  return true;
}

/* Have REF, the I-th, cover those after it that go along right behind it, such
   as fields of one array of structs: they are JOINED then.  */
static void
join_neighbours (const struct ummgr_record_thread *t,
		 struct ummgr_trace_ref *ref, uint32_t i,
		 const struct ummgr_trace_ref *refs, uint32_t n,
		 const uint32_t *groups, bool *joined)
{
  unsigned kind = UMMGR_TRACE_HOW_KIND (ref->how);
  if (t->base.mask || (ummgr_shadow_op (false, kind) & 3) == 3)
    return;
  for (uint32_t j = i + 1; j < n; j++)
    {
      uint64_t size = UMMGR_TRACE_HOW_SIZE (ref->how);
      uint64_t more = UMMGR_TRACE_HOW_SIZE (refs[j].how);
      if (refs[j].address == ref->address + size
	  && refs[j].stride == ref->stride && refs[j].count == ref->count
	  && UMMGR_TRACE_HOW_KIND (refs[j].how) == kind
	  && size + more <= ummgr_record_distance (ref->stride)
	  && size + more < 1 << 24 && !joined[j] && is_alone (groups, n, j))
	{
	  ref->how = UMMGR_TRACE_HOW (size + more, kind);
	  joined[j] = true;
	}
    }
}

void
ummgr_record_loop_mark (struct ummgr_record_thread *t,
			const struct ummgr_trace_ref *refs, uint32_t n, uint32_t *taken)
{
  uint32_t groups[MANY];
  bool in_turn[MANY], joined[MANY] = { false };
  if (n == 1)
    {
      if (taken && take_sampled (t, refs))
	*taken = 1;
      else
	mark (t, refs);
      return;
    }
  if (n > MANY)
    {
      mark_in_turn (t, refs, n, NULL, 0);
      return;
    }
  find_groups (refs, n, groups, in_turn);
  for (uint32_t i = 0; i < n; i++)
    if (!in_turn[groups[i]])
      {
	struct ummgr_trace_ref ref = refs[i];
	if (!joined[i] && is_alone (groups, n, i))
	  join_neighbours (t, &ref, i, refs, n, groups, joined);
	if (taken && take_sampled (t, &ref))
	  *taken |= UINT32_C (1) << i;
	else if (!joined[i])
	  mark (t, &ref);
      }
    else if (groups[i] == i)
      mark_in_turn (t, refs, n, groups, i);
}

/* The trace's part, in step: in each window of iterations the fastest
   reference crosses one page (or sector) at most.  */
void
ummgr_record_loop_touch (struct ummgr_record_thread *t,
			 const struct ummgr_trace_ref *refs, uint32_t n)
{
  uint64_t most = 0, fastest = 0;
  for (uint32_t i = 0; i < n; i++)
    {
      most = refs[i].count > most ? refs[i].count : most;
      if (refs[i].count > 1 && ummgr_record_distance (refs[i].stride) > fastest)
	fastest = ummgr_record_distance (refs[i].stride);
    }
  /* Nearly always short, and a division is not.  */
  uint64_t window = most;
  if (fastest * most > ummgr_record.grain)
    window = fastest < ummgr_record.grain ? ummgr_record.grain / fastest : 1;
  for (uint64_t at = 0; at < most; at += window)
    for (uint32_t i = 0; i < n; i++)
      {
	const struct ummgr_trace_ref *ref = &refs[i];
	if (at >= ref->count)
	  continue;
	struct ummgr_trace_ref part = *ref;
	part.address += at * (uint64_t) ref->stride;
	part.count = ref->count - at < window ? ref->count - at : window;
	uint64_t last = part.address + (part.count - 1)
					 * (uint64_t) ref->stride;
	uint64_t lo = ref->stride < 0 ? last : part.address;
	uint64_t hi = ref->stride < 0 ? part.address : last;
	ummgr_record_touch (t, lo, hi + UMMGR_TRACE_HOW_SIZE (ref->how),
			    UMMGR_TRACE_HOW_KIND (ref->how) & 7);
      }
}

/* The same with sampling: only what is sampled, one reference after the
   other.  */
void
ummgr_record_loop_touch_sampled (struct ummgr_record_thread *t,
				 const struct ummgr_trace_ref *ref)
{
  uint64_t mask = t->base.mask, step = ummgr_record_distance (ref->stride);
  uint32_t size = UMMGR_TRACE_HOW_SIZE (ref->how);
  unsigned kind = UMMGR_TRACE_HOW_KIND (ref->how) & 7;
  if (step <= 1u << UMMGR_TRACE_SAMPLE_SHIFT)
    {
      uint64_t last = ref->address + (ref->count - 1) * (uint64_t) ref->stride;
      uint64_t lo = ref->stride < 0 ? last : ref->address;
      uint64_t end = (ref->stride < 0 ? ref->address : last) + size;
      struct ummgr_shadow_piece piece;
      for (uint64_t word = lo >> 2;
	   ummgr_shadow_piece (word, (end + 3) >> 2, mask, &piece);
	   word = piece.word + piece.count)
	{
	  uint64_t from = piece.word << 2;
	  ummgr_record_touch (t, from > lo ? from : lo,
			      (piece.word + piece.count) << 2, kind);
	}
      return;
    }
  uint64_t address = ref->address;
  for (uint64_t i = 0; i < ref->count; i++, address += ref->stride)
    if (ummgr_trace_sampled (address, mask))
      ummgr_record_touch (t, address, address + size, kind);
}

/* Is any of REFS to a variable of the device's own?  */
static bool
any_there (struct ummgr_record_thread *t, const struct ummgr_trace_ref *refs, uint32_t n)
{
  bool any = false;
  for (uint32_t i = 0; i < n; i++)
    any |= ummgr_record_there (t, refs[i].address) != refs[i].address;
  return any;
}

static void
loop (struct ummgr_record_thread *t, const struct ummgr_trace_ref *refs, uint32_t n)
{
  uint32_t taken = 0;
  ummgr_record_loop_mark (t, refs, n, &taken);
  if (!t->base.mask)
    ummgr_record_loop_touch (t, refs, n);
  else
    for (uint32_t i = 0; i < n; i++)
      if (refs[i].count && (i >= MANY || !(taken >> i & 1)))
	ummgr_record_loop_touch_sampled (t, &refs[i]);
}

/* The same, of the device's own.  */
static void
loop_there (struct ummgr_record_thread *t, const struct ummgr_trace_ref *refs, uint32_t n)
{
  struct ummgr_trace_ref few[MANY] = { 0 }, *all = n <= MANY ? few : malloc (n * sizeof *all);
  if (!all)
    return;
  for (uint32_t i = 0; i < n; i++)
    {
      all[i] = refs[i];
      all[i].address = ummgr_record_there (t, refs[i].address);
    }
  loop (t, all, n);
  if (all != few)
    free (all);
}

/* Do REF's elements, if they are few and lie apart, touch no block that is sampled?  */
static bool
elements_left_out (const struct ummgr_trace_ref *ref, uint64_t mask)
{
  enum { FEW = 16 };
  uint64_t address = ref->address;
  if (ref->count > FEW
      || ummgr_record_distance (ref->stride) <= 1u << UMMGR_TRACE_SAMPLE_SHIFT)
    return false;
  for (uint64_t i = 0; i < ref->count; i++, address += (uint64_t) ref->stride)
    {
      uint64_t end = address + UMMGR_TRACE_HOW_SIZE (ref->how);
      if (!ummgr_record_left_out (address & -(uint64_t) 4, (end + 3) & -(uint64_t) 4, mask))
	return false;
    }
  return true;
}

/* Most loops of a sampled trace are short, and touch no block that is sampled: then there is
   nothing to mark or to forget.  */
static bool
is_left_out (const struct ummgr_record_thread *t, const struct ummgr_trace_ref *refs,
	     uint32_t n)
{
  uint64_t mask = t->base.mask;
  if (!mask || t->forward)
    return false;
  for (uint32_t i = 0; i < n; i++)
    {
      struct extent e = extent_of (&refs[i]);
      if (refs[i].count && !ummgr_record_left_out (e.lo, e.hi, mask)
	  && !elements_left_out (&refs[i], mask))
	return false;
    }
  return true;
}

void
ummgr_record_loop (struct ummgr_trace_thread *base,
		   const struct ummgr_trace_ref *refs, uint32_t n)
{
  struct ummgr_record_thread *t = (struct ummgr_record_thread *) base;
  if (!ummgr_record_ready (t))
    return;
  if (ummgr_record_modelled (t))
    {
      ummgr_record_modelled_loop (t, refs, n);
      return;
    }
  bool left_out = is_left_out (t, refs, n);
  for (uint32_t i = 0; i < n; i++)
    {
      ummgr_record_count (t, refs[i].count);
      if (left_out)
	continue;
      ummgr_record_forget_elements (t, refs[i].address, refs[i].stride,
				    refs[i].count,
				    UMMGR_TRACE_HOW_SIZE (refs[i].how));
      if (t->forward && refs[i].count)
	t->forward (refs[i].address, refs[i].stride, refs[i].count,
			      UMMGR_TRACE_HOW_SIZE (refs[i].how),
			      UMMGR_TRACE_HOW_KIND (refs[i].how) & 7);
    }
  if (!t->stream || left_out)
    return;
  if (__builtin_expect (any_there (t, refs, n), 0))
    loop_there (t, refs, n);
  else
    loop (t, refs, n);
}
