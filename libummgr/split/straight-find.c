/* What of a launch's data can go in slices, and which these are.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Looks at clauses, tables and what is mapped; weighs nothing, and owns nothing.  */

#include "config.h"
#include "split/straight-plan.h"

#include "base/process.h"
#include "device/device.h"
#include "gomp/real.h"
#include "hints/footprint.h"
#include "hints/live.h"
#include "hints/turns.h"
#include "memory/mapping.h"
#include "memory/unified.h"
#include "split/managed.h"
#include "ummgr-table.h"

#include <stdlib.h>
#include <string.h>

/* Of an object, what comes in for all pieces is at most so much more than the object: else it is better mapped.  */
#define AGAIN_MOST 1.5

/* --- which data can go so ----------------------------------------------------- */

/* Is clause I data that only this construct maps, and the tables have bounds for?  */
static bool
is_candidate (struct ummgr_manager *manager, const struct ummgr_table_region *known,
	      const struct ummgr_clauses *clauses, size_t i)
{
  bool implicit;
  int kind = ummgr_clause_kind (clauses, i, &implicit);
  const struct ummgr_table_arg *arg = &known->args[i];
  char *address = clauses->hostaddrs[i];
  size_t size = clauses->sizes[i];
  if (!address || size < ummgr_process.options.min_size || arg->hidden || !ummgr_kind_is_data (kind)
      || ummgr_kind_is_always (kind) || ummgr_clause_shares (clauses, i))
    return false;
  if (size >> 31 && !(known->split.flags & UMMGR_SPLIT_ALL_BOUNDS))
    return false;
  return !ummgr_unified_within ((uintptr_t) address, size)
	 && !ummgr_objects_overlap (&manager->mapped, (uintptr_t) address, size)
	 && !ummgr_real (omp_target_is_present) (address, manager->device)
	 && !ummgr_real (omp_target_is_present) (address + size - 1, manager->device);
}

/* --- slices --------------------------------------------------------------------- */

/* From the first to the last byte of S, to [*LO_P, *HI_P), which may be empty.  */
static void
hull (const struct ummgr_intervals *s, int64_t *lo_p, int64_t *hi_p)
{
  if (!s->count)
    return;
  int64_t lo = s->at[0].lo, hi = s->at[s->count - 1].hi;
  bool empty = *lo_p >= *hi_p;
  *lo_p = empty || lo < *lo_p ? lo : *lo_p;
  *hi_p = empty || hi > *hi_p ? hi : *hi_p;
}

/* What iterations as INPUTS have them use of OBJECT.  False: not known, or it isn't in what is mapped.  */
static bool
slice_fill (const struct ummgr_table_region *known, const struct ummgr_straight_object *object,
	    const struct ummgr_code_inputs *inputs, struct ummgr_straight_slice *out)
{
  struct ummgr_footprint used;
  ummgr_footprint_fill (&known->args[object->argument], inputs, &used);
  *out = (struct ummgr_straight_slice) { 0 };
  hull (&used.writes, &out->out_lo, &out->out_hi);
  out->lo = out->out_lo;
  out->hi = out->out_hi;
  hull (&used.reads, &out->lo, &out->hi);
  return used.known && out->lo >= 0 && out->hi <= (int64_t) object->size;
}

static uint64_t
length (const struct ummgr_straight_slice *slice)
{
  return slice->hi > slice->lo ? (uint64_t) (slice->hi - slice->lo) : 0;
}

static uint64_t
written (const struct ummgr_straight_slice *slice)
{
  return slice->out_hi > slice->out_lo ? (uint64_t) (slice->out_hi - slice->out_lo) : 0;
}

static bool
moves_any (const struct ummgr_straight_object *o)
{
  return ummgr_straight_comes_any (o) || ummgr_interval_length (o->leaves) > 0;
}

/* Of [LO, HI) of O, what the device doesn't have.  */
static uint64_t
beyond (const struct ummgr_straight_object *o, int64_t lo, int64_t hi)
{
  const struct ummgr_interval all = { lo, hi };
  return (uint64_t) (ummgr_interval_length (all) - ummgr_interval_length (ummgr_interval_common (all, o->kept)));
}

static uint64_t
beyond_all (const struct ummgr_straight_object *o, const struct ummgr_intervals *s)
{
  uint64_t sum = 0;
  for (unsigned i = 0; i < s->count; i++)
    sum += beyond (o, s->at[i].lo, s->at[i].hi);
  return sum;
}

bool
ummgr_straight_is_apart (const struct ummgr_straight *s, size_t n, bool all)
{
  int64_t lo = 0, hi = 0;
  bool up = true, down = true, any = false;
  for (uint64_t i = 0; i < s->pieces.count; i++)
    {
      const struct ummgr_straight_slice *slice = &s->slice[i * s->count + n];
      if (!(all ? length (slice) : written (slice)))
	continue;
      up &= !any || hi <= (all ? slice->lo : slice->out_lo);
      down &= !any || (all ? slice->hi : slice->out_hi) <= lo;
      lo = all ? slice->lo : slice->out_lo;
      hi = all ? slice->hi : slice->out_hi;
      any = true;
    }
  return up || down;
}

/* Fill in of object N what all its slices say.  */
static void
measure (struct ummgr_straight *s, size_t n)
{
  struct ummgr_straight_object *object = &s->object[n];
  object->slot = object->bytes_in = object->bytes_out = object->bytes_come = object->bytes_leave = 0;
  for (uint64_t i = 0; i < s->pieces.count; i++)
    {
      const struct ummgr_straight_slice *slice = &s->slice[i * s->count + n];
      object->bytes_come += (uint64_t) ummgr_interval_length (ummgr_straight_comes (object, slice));
      object->bytes_leave += (uint64_t) ummgr_interval_length (ummgr_straight_leaves (object, slice));
      if (ummgr_straight_has (object, slice))
	continue;
      object->slot = length (slice) > object->slot ? length (slice) : object->slot;
      object->bytes_in += object->in ? beyond (object, slice->lo, slice->hi) : 0;
      object->bytes_out += object->out ? beyond (object, slice->out_lo, slice->out_hi) : 0;
    }
  if (object->slot)
    object->slot = (object->slot + 2 * UMMGR_STRAIGHT_ALIGNED - 1) & -(uint64_t) UMMGR_STRAIGHT_ALIGNED;
  /* What several pieces use comes once.  */
  if (object->bytes_come > (uint64_t) ummgr_interval_length (object->comes))
    object->bytes_come = (uint64_t) ummgr_interval_length (object->comes);
  object->slots = 1 + (object->bytes_in ? UMMGR_STRAIGHT_AHEAD : 0) + (object->bytes_out ? UMMGR_STRAIGHT_AHEAD : 0);
}

bool
ummgr_straight_slices (struct ummgr_straight *s, const struct ummgr_table_region *known,
		       const struct ummgr_clauses *clauses, void **values)
{
  const struct ummgr_code_inputs inputs = { .hostaddrs = values, .sizes = clauses->sizes };
  const struct ummgr_pieces *pieces = &s->pieces;
  uint64_t lo, hi, all = (uintptr_t) clauses->hostaddrs[pieces->lo + 1];
  free (s->slice);
  s->slice = calloc (pieces->count * s->count + 1, sizeof *s->slice);
  for (uint64_t i = 0; s->slice && i < pieces->count; i++)
    {
      ummgr_pieces_range (pieces, i, all, &lo, &hi);
      values[pieces->lo] = (void *) (uintptr_t) lo;
      values[pieces->lo + 1] = (void *) (uintptr_t) hi;
      for (size_t n = 0; n < s->count; n++)
	if (!slice_fill (known, &s->object[n], &inputs, &s->slice[i * s->count + n]))
	  return false;
    }
  for (size_t n = 0; s->slice && n < s->count; n++)
    measure (s, n);
  return s->slice;
}

void
ummgr_straight_rest_add (struct ummgr_straight_rest *rest, const struct ummgr_straight_object *object, bool each)
{
  *(each ? &rest->read_each : &rest->read) += object->read;
  *(each ? &rest->sent_each : &rest->sent) += object->sent;
}

void
ummgr_straight_leave_out (struct ummgr_straight *s, size_t n, bool each, struct ummgr_straight_rest *rest)
{
  ummgr_straight_rest_add (rest, &s->object[n], each);
  if (!each && moves_any (&s->object[n]))
    {
      s->object[n].own = true;
      measure (s, n);
      return;
    }
  s->count--;
  memmove (&s->object[n], &s->object[n + 1], (s->count - n) * sizeof s->object[n]);
  for (uint64_t i = 0, to = 0; s->slice && i < s->pieces.count * (s->count + 1); i++)
    if (i % (s->count + 1) != n)
      s->slice[to++] = s->slice[i];
}

/* --- what is mapped by the construct, and before it --------------------------------- */

void
ummgr_straight_find (struct ummgr_manager *manager, const struct ummgr_table_region *known,
		     const struct ummgr_clauses *clauses, struct ummgr_straight *s)
{
  bool implicit;
  const struct ummgr_code_inputs inputs = { .hostaddrs = clauses->hostaddrs, .sizes = clauses->sizes };
  for (size_t i = 0; i < clauses->count && s->count < UMMGR_STRAIGHT_MOST; i++)
    if (is_candidate (manager, known, clauses, i))
      {
	int kind = ummgr_clause_kind (clauses, i, &implicit);
	/* What goes back with a slice and was not written there is what it was.  */
	const struct ummgr_hint_extent extent = { .size = clauses->sizes[i] };
	bool in = kind & UMMGR_MAP_TO
		  || (kind & UMMGR_MAP_FROM && !ummgr_live_overwritten (&known->args[i], &inputs, extent));
	s->object[s->count++] = (struct ummgr_straight_object) {
	  .argument = i, .base = (uintptr_t) clauses->hostaddrs[i], .size = clauses->sizes[i], .in = in,
	  .out = kind & UMMGR_MAP_FROM
	};
      }
}

/* Has another clause than I memory of OBJECT's, or a value that is its address?  */
static bool
is_shared (struct ummgr_manager *manager, const struct ummgr_clauses *clauses, size_t i,
	   const struct ummgr_object *object)
{
  for (size_t j = 0; j < clauses->count; j++)
    if (j != i && clauses->hostaddrs[j]
	&& (ummgr_managed_at (manager, (uintptr_t) clauses->hostaddrs[j], 1) == object
	    || ummgr_managed_by_value (manager, (uintptr_t) clauses->hostaddrs[j]) == object))
      return true;
  return false;
}

struct ummgr_interval
ummgr_straight_kept (const struct ummgr_object *object, uint64_t offset, size_t size,
		     const struct ummgr_straight_asked *asked)
{
  if (asked->foresees)
    return (struct ummgr_interval) {
      0, object == asked->object ? (int64_t) (asked->first < size ? asked->first : size)
	 : (int64_t) (asked->share * (double) size)
    };
  struct ummgr_interval kept = ummgr_managed_kept (object);
  kept.lo -= (int64_t) offset;
  kept.hi -= (int64_t) offset;
  return ummgr_interval_common ((struct ummgr_interval) { 0, (int64_t) size }, kept);
}

/* What of [OFFSET, +SIZE) of OBJECT is among ARRIVALS.  */
static struct ummgr_interval
comes_of (const struct ummgr_arrivals *arrivals, const struct ummgr_object *object, uint64_t offset, size_t size)
{
  struct ummgr_interval comes = { 0, 0 };
  unsigned times = 0;
  for (size_t i = 0; arrivals && i < arrivals->count; i++)
    if (arrivals->at[i].copy == &object->copy)
      {
	times++;
	comes.lo = (int64_t) arrivals->at[i].lo - (int64_t) offset;
	comes.hi = (int64_t) arrivals->at[i].hi - (int64_t) offset;
      }
  return times == 1 ? ummgr_interval_common ((struct ummgr_interval) { 0, (int64_t) size }, comes)
	 : (struct ummgr_interval) { 0, 0 };
}

/* What of OBJECT, whose bytes from OFFSET on are KEPT but for what COMES, leaves.  */
static struct ummgr_interval
leaves_of (const struct ummgr_object *object, uint64_t offset, struct ummgr_interval kept, struct ummgr_interval comes)
{
  const bool goes = ummgr_interval_length (comes) == 0 && object->view.path == UMMGR_PATH_UNIFIED
		    && ummgr_turns_host_after (object->view.base + offset, object->view.size - offset, true);
  return goes ? kept : (struct ummgr_interval) { 0, 0 };
}

struct ummgr_object *
ummgr_straight_mapped (struct ummgr_manager *manager, const struct ummgr_clauses *clauses, size_t i)
{
  bool implicit;
  const int kind = ummgr_clause_kind (clauses, i, &implicit);
  const bool data = ummgr_kind_is_data (kind) || kind == UMMGR_MAP_ZERO_LEN_ARRAY_SECTION;
  return data && clauses->hostaddrs[i]
    ? ummgr_managed_at (manager, (uintptr_t) clauses->hostaddrs[i], clauses->sizes[i]) : NULL;
}

/* What argument I's object sends over the link if it stays where it is: REST gets that, or, if it may go in slices, OUT
   the object.  */
static bool
mapped_look (struct ummgr_manager *manager, const struct ummgr_table_region *known, const struct ummgr_clauses *clauses,
	     size_t i, const struct ummgr_straight_asked *asked, struct ummgr_straight_object *out,
	     struct ummgr_straight_rest *rest)
{
  bool implicit;
  int kind = ummgr_clause_kind (clauses, i, &implicit);
  const struct ummgr_code_inputs inputs = { .hostaddrs = clauses->hostaddrs, .sizes = clauses->sizes };
  const struct ummgr_table_arg *arg = &known->args[i];
  struct ummgr_object *object = ummgr_straight_mapped (manager, clauses, i);
  if (!object)
    return false;
  const uint64_t offset = (uintptr_t) clauses->hostaddrs[i] - object->view.base;
  const size_t size = object->view.size - offset;
  const struct ummgr_hint_extent extent = { .size = size };
  struct ummgr_footprint used;
  *out = (struct ummgr_straight_object) {
    .argument = i, .mapped = object, .base = object->copy.address + offset, .size = size,
    .kept = ummgr_straight_kept (object, offset, size, asked),
    .comes = comes_of (asked->arrivals, object, offset, size),
    .in = !ummgr_live_overwritten (arg, &inputs, extent), .out = true
  };
  if (!asked->foresees)
    out->leaves = leaves_of (object, offset, out->kept, out->comes);
  if (beyond (out, 0, (int64_t) size) == 0 && !moves_any (out))
    return false;
  ummgr_footprint_fill (arg, &inputs, &used);
  out->read = (double) (used.known ? beyond_all (out, &used.reads) : beyond (out, 0, (int64_t) size));
  out->sent = (double) (used.known ? beyond_all (out, &used.writes) : 0);
  bool stays = object->view.path == UMMGR_PATH_UNIFIED || object->refcount > 1;
  if (used.known && !arg->hidden && size >= ummgr_process.options.min_size && stays
      && !ummgr_kind_is_always (kind) && !object->copy.chunk && !object->attached
      && (!(size >> 31) || known->split.flags & UMMGR_SPLIT_ALL_BOUNDS) && !is_shared (manager, clauses, i, object))
    return true;
  ummgr_straight_rest_add (rest, out, true);
  return false;
}

void
ummgr_straight_find_mapped (struct ummgr_manager *manager, const struct ummgr_table_region *known,
			    const struct ummgr_clauses *clauses, const struct ummgr_straight_asked *asked,
			    struct ummgr_straight *s, struct ummgr_straight_rest *rest)
{
  for (size_t i = 0; i < clauses->count && s->count < UMMGR_STRAIGHT_MOST; i++)
    s->count += mapped_look (manager, known, clauses, i, asked, &s->object[s->count], rest);
}

const char *
ummgr_straight_check (struct ummgr_straight *s, const struct ummgr_table_region *known,
		      const struct ummgr_clauses *clauses, void **values, struct ummgr_straight_rest *rest)
{
  const char *why = NULL;
  const struct ummgr_code_inputs whole = { .hostaddrs = clauses->hostaddrs, .sizes = clauses->sizes };
  struct ummgr_straight_slice all;
  for (size_t n = 0; n < s->count;)
    if (slice_fill (known, &s->object[n], &whole, &all))
      n++;
    else
      {
	why = "it isn't known which part of its data a range of its loop uses";
	ummgr_straight_leave_out (s, n, true, rest);
      }
  if (s->count && !ummgr_straight_slices (s, known, clauses, values))
    return UMMGR_STRAIGHT_NO_MEMORY;
  bool out[UMMGR_STRAIGHT_MOST], much[UMMGR_STRAIGHT_MOST];
  const size_t count = s->count;
  for (size_t n = 0; n < count; n++)
    {
      uint64_t used = 0;
      for (uint64_t i = 0; i < s->pieces.count; i++)
	used += length (&s->slice[i * count + n]);
      bool apart = ummgr_straight_is_apart (s, n, false);
      /* What leaves is used no more.  */
      if (!ummgr_straight_is_apart (s, n, true))
	s->object[n].leaves = (struct ummgr_interval) { 0, 0 };
      much[n] = (double) used > AGAIN_MOST * (double) s->object[n].size;
      measure (s, n);
      out[n] = !apart || much[n];
      if (out[n])
	why = apart ? "each range of its loop uses much of its data"
	  : "several ranges of its loop may write to the same places";
    }
  for (size_t n = count; n-- > 0;)
    if (out[n])
      ummgr_straight_leave_out (s, n, much[n], rest);
  return s->count ? NULL : why;
}
