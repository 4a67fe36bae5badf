/* Launches in pieces whose data comes straight from the program's memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing beyond the launch it is handed.  */

#include "config.h"
#include "split/straight.h"

#include "base/log.h"
#include "base/process.h"
#include "device/device.h"
#include "gomp/real.h"
#include "hints/footprint.h"
#include "hints/live.h"
#include "memory/account.h"
#include "memory/kept.h"
#include "memory/mapping.h"
#include "memory/plan.h"
#include "memory/unified.h"
#include "ummgr-table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So many pieces at least: with less, hardly anything is beside something else.  */
enum { LEAST_PIECES = 4 };
/* As CUDA aligns what it allocates; code may rest on an address's last bits.  */
enum { ALIGNED = 256 };
/* Of an object, what comes in for all pieces is at most so much more than the object: else it is better mapped.  */
#define AGAIN_MOST 1.5

/* --- which data can go so ----------------------------------------------------- */

/* Is clause I of a kind that leads nowhere else?  */
static bool
kind_is_simple (const struct ummgr_clauses *clauses, size_t i)
{
  bool implicit;
  int kind = ummgr_clause_kind (clauses, i, &implicit);
  return ummgr_kind_is_data (kind) || kind == UMMGR_MAP_FIRSTPRIVATE || kind == UMMGR_MAP_FIRSTPRIVATE_INT
	 || kind == UMMGR_MAP_ZERO_LEN_ARRAY_SECTION;
}

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
  return !ummgr_objects_overlap (&manager->mapped, (uintptr_t) address, size)
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

/* All of S's slices, in as many pieces as it has; VALUES is scratch.  False: one isn't known, or without memory.  */
static bool
slices_fill (struct ummgr_straight *s, const struct ummgr_table_region *known, const struct ummgr_clauses *clauses,
	     void **values)
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
  return s->slice;
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

/* Does each piece write to OBJECT N behind what all pieces before it write, or each before that?  */
static bool
is_apart (const struct ummgr_straight *s, size_t n)
{
  const struct ummgr_straight_slice *before = NULL;
  bool up = true, down = true;
  for (uint64_t i = 0; i < s->pieces.count; i++)
    {
      const struct ummgr_straight_slice *slice = &s->slice[i * s->count + n];
      if (!written (slice))
	continue;
      up &= !before || before->out_hi <= slice->out_lo;
      down &= !before || slice->out_hi <= before->out_lo;
      before = slice;
    }
  return up || down;
}

/* Fill in of object N what all its slices say.  */
static void
measure (struct ummgr_straight *s, size_t n)
{
  struct ummgr_straight_object *object = &s->object[n];
  object->slot = object->bytes_in = object->bytes_out = 0;
  for (uint64_t i = 0; i < s->pieces.count; i++)
    {
      const struct ummgr_straight_slice *slice = &s->slice[i * s->count + n];
      object->slot = length (slice) > object->slot ? length (slice) : object->slot;
      object->bytes_in += object->in ? length (slice) : 0;
      object->bytes_out += object->out ? written (slice) : 0;
    }
  object->slot = (object->slot + 2 * ALIGNED - 1) & -(uint64_t) ALIGNED;
}

/* Object N is mapped.  */
static void
leave_out (struct ummgr_straight *s, size_t n)
{
  s->count--;
  memmove (&s->object[n], &s->object[n + 1], (s->count - n) * sizeof s->object[n]);
}

/* --- planning ------------------------------------------------------------------- */

/* Bytes that come to the device for CLAUSES beside S's objects.  */
static uint64_t
others (struct ummgr_manager *manager, const struct ummgr_clauses *clauses, const struct ummgr_straight *s)
{
  uint64_t sum = ummgr_mapping_new_bytes (manager, clauses, SIZE_MAX);
  for (size_t n = 0; n < s->count; n++)
    sum -= s->object[n].size;
  return sum;
}

static bool
all_simple (const struct ummgr_clauses *clauses)
{
  bool simple = true;
  for (size_t i = 0; i < clauses->count; i++)
    simple &= !clauses->hostaddrs[i] || kind_is_simple (clauses, i);
  return simple;
}

/* What could go so, as far as that can be told without any slices.  */
static void
objects_find (struct ummgr_manager *manager, const struct ummgr_table_region *known,
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

static const char no_memory[] = "there is no memory";

/* Leave out what isn't known of all iterations, or is no slice: in a few pieces, look at what they use.  Returns why
   nothing is left, or NULL.  */
static const char *
objects_check (struct ummgr_straight *s, const struct ummgr_table_region *known, const struct ummgr_clauses *clauses,
	       void **values)
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
	leave_out (s, n);
      }
  if (s->count && !slices_fill (s, known, clauses, values))
    return no_memory;
  bool out[UMMGR_STRAIGHT_MOST];
  const size_t count = s->count;
  for (size_t n = 0; n < count; n++)
    {
      uint64_t used = 0;
      for (uint64_t i = 0; i < s->pieces.count; i++)
	used += length (&s->slice[i * count + n]);
      bool apart = is_apart (s, n), again = (double) used > AGAIN_MOST * (double) s->object[n].size;
      measure (s, n);
      out[n] = !apart || again;
      if (out[n])
	why = apart ? "each range of its loop uses much of its data"
	  : "several ranges of its loop may write to the same places";
    }
  for (size_t n = count; n-- > 0;)
    if (out[n])
      leave_out (s, n);
  return s->count ? NULL : why;
}

/* Iterations that are enough for the device to be busy: a team each, maybe.  */
static uint64_t
pieces_most (const struct ummgr_figures *f, uint64_t trip, bool always)
{
  uint64_t teams = 2 * (uint64_t) (f->sm_count > 0 ? f->sm_count : 1);
  return always || trip < teams ? trip : trip / teams;
}

/* Cut S into as many pieces as take the least time, and have three slices each in ROOM bytes; or why not.  */
static const char *
cut (struct ummgr_straight *s, const struct ummgr_table_region *known, const struct ummgr_clauses *clauses,
     void **values, const struct ummgr_figures *f, uint64_t room, bool always)
{
  const uint64_t most = pieces_most (f, s->pieces.trip, always);
  uint64_t all_in = 0, all_out = 0, sizes = 0, slots;
  unsigned copies[2] = { 0, 0 };
  if (most < (always ? 2 : LEAST_PIECES))
    return "ranges of its loop would leave most of the device idle";
  for (size_t n = 0; n < s->count; n++)
    {
      const struct ummgr_straight_object *o = &s->object[n];
      all_in += o->bytes_in;
      all_out += o->bytes_out;
      copies[0] += o->bytes_in > 0;
      copies[1] += o->bytes_out > 0;
      sizes += o->size;
    }
  double each = f->launch_cost + (copies[0] > copies[1] ? copies[0] : copies[1]) * f->link_latency;
  double alone = (double) all_in / f->h2d_rate + (double) all_out / f->d2h_rate;
  double best = fmax (sqrt (alone / each), LEAST_PIECES);
  s->pieces.count = (uint64_t) fmin (best, (double) most);
  for (;;)
    {
      if (!slices_fill (s, known, clauses, values))
	return no_memory;
      slots = all_in = all_out = 0;
      for (size_t n = 0; n < s->count; n++)
	{
	  measure (s, n);
	  slots += s->object[n].slot;
	  all_in += s->object[n].bytes_in;
	  all_out += s->object[n].bytes_out;
	}
      if (UMMGR_STRAIGHT_SLICES * slots <= room || s->pieces.count >= most)
	break;
      /* So many as slices were too large, but for halos.  */
      double larger = (double) (UMMGR_STRAIGHT_SLICES * slots) / (double) (room + 1);
      s->pieces.count = (uint64_t) fmin ((double) s->pieces.count * fmax (larger, 1.1) + 1, (double) most);
    }
  for (size_t n = 0; n < s->count; n++)
    if (!is_apart (s, n))
      return "several ranges of its loop may write to the same places";
  double beside = ummgr_figures_copying (f, (double) all_in, (double) all_out);
  double takes = beside + alone / (double) s->pieces.count + (double) s->pieces.count * each;
  /* Mapped, it is copied before and after, and what there is no room for is used over the link between.  */
  double away = sizes > room ? (double) (sizes - room) / (double) sizes : 0;
  double mapped = alone + away * ummgr_figures_remote (f, (double) all_in, (double) all_out);
  ummgr_debug ("split: %s in %llu pieces: %.3g MB in, %.3g out: %.3g us; mapped %.3g us", s->where,
	       (unsigned long long) s->pieces.count, (double) all_in / 1e6, (double) all_out / 1e6,
	       1e6 * takes, 1e6 * mapped);
  return UMMGR_STRAIGHT_SLICES * slots > room ? "there is no room for slices of its data beside the rest"
	 : always || takes < mapped ? NULL : "slices of its data would take longer";
}

/* Memory on the device for all slots, and what libgomp is told.  */
static bool
prepare (struct ummgr_manager *manager, struct ummgr_straight *s, const struct ummgr_clauses *clauses)
{
  uint64_t slots = 0;
  uintptr_t host;
  s->clauses = *clauses;
  s->clauses.hostaddrs = malloc ((clauses->count + 1) * sizeof *clauses->hostaddrs);
  s->clauses.kinds = malloc ((clauses->count + 1) * sizeof *clauses->kinds);
  if (!s->clauses.hostaddrs || !s->clauses.kinds)
    return false;
  memcpy (s->clauses.hostaddrs, clauses->hostaddrs, clauses->count * sizeof *clauses->hostaddrs);
  memcpy (s->clauses.kinds, clauses->kinds, clauses->count * sizeof *clauses->kinds);
  for (size_t n = 0; n < s->count; n++)
    {
      s->clauses.kinds[s->object[n].argument] = UMMGR_MAP_FIRSTPRIVATE_INT;
      slots += s->object[n].slot;
    }
  enum ummgr_status status;
  do
    status = s->device->ops->alloc (s->device, UMMGR_DEVICE_PLAIN, UMMGR_STRAIGHT_SLICES * slots, &host, &s->memory);
  while (status == UMMGR_ERR_DEVMEM && ummgr_kept_drop (manager, false));
  if (status != UMMGR_OK)
    {
      s->memory = 0;
      return false;
    }
  uintptr_t next = s->memory;
  for (size_t n = 0; n < s->count; n++)
    {
      s->object[n].address = next;
      next += UMMGR_STRAIGHT_SLICES * s->object[n].slot;
    }
  return true;
}

/* Why CLAUSES, or the region, allow no slices at all; or NULL.  */
static const char *
refused (const struct ummgr_table_region *known, const struct ummgr_clauses *clauses, const struct ummgr_device *device)
{
  if (!known || known->arg_count != clauses->count)
    return "it was compiled without the plugin";
  if (known->split.flags & UMMGR_SPLIT_CALLS)
    return "it calls what is not known here";
  if (!(known->split.flags & UMMGR_SPLIT_BOUNDS))
    return "its indices may be cut to 32 bits, and then divided; or an older plugin compiled it";
  if (!device->ops->copy_beside)
    return "its device copies nothing beside launches";
  return ummgr_unified_any () ? "its memory is unified"
	 : all_simple (clauses) ? NULL : "its data has pointers, or descriptors";
}

/* Plan OUT, whose objects are found.  */
static const char *
plan (struct ummgr_manager *manager, const struct ummgr_table_region *known, const struct ummgr_clauses *clauses,
      bool always, struct ummgr_straight *out)
{
  const struct ummgr_figures f = ummgr_device_figures (out->device);
  void **values = malloc ((clauses->count + 1) * sizeof *values);
  if (!values)
    return no_memory;
  memcpy (values, clauses->hostaddrs, clauses->count * sizeof *values);
  const char *why = objects_check (out, known, clauses, values);
  if (!why)
    {
      uint64_t rest = manager->taken + others (manager, clauses, out);
      uint64_t room = rest < manager->budget ? manager->budget - rest : 0;
      why = cut (out, known, clauses, values, &f, room, always);
    }
  free (values);
  return why ? why : prepare (manager, out, clauses) ? NULL : no_memory;
}

const char *
ummgr_straight_plan (struct ummgr_manager *manager, const struct ummgr_table_region *known,
		     const struct ummgr_clauses *clauses, const struct ummgr_pieces *pieces, const char *name,
		     bool always, struct ummgr_straight *out)
{
  *out = (struct ummgr_straight) {
    .manager = manager, .device = ummgr_device_of (manager->device), .where = name, .pieces = *pieces
  };
  const char *why = refused (known, clauses, out->device);
  if (!why)
    {
      objects_find (manager, known, clauses, out);
      out->pieces.count = pieces->trip < 2 * LEAST_PIECES ? pieces->trip : 2 * LEAST_PIECES;
      why = pieces->trip < 2 ? "its loop has one iteration"
	: !out->count ? "its data is mapped already, or in several clauses" : plan (manager, known, clauses, always, out);
    }
  if (!why)
    return NULL;
  ummgr_straight_forget (out);
  out->pieces.count = 0;
  return why;
}

void
ummgr_straight_forget (struct ummgr_straight *s)
{
  if (s->memory)
    s->device->ops->free (s->device, UMMGR_DEVICE_PLAIN, 0, s->memory);
  free (s->slice);
  free (s->clauses.hostaddrs);
  free (s->clauses.kinds);
  s->memory = 0;
  s->slice = NULL;
  s->clauses = (struct ummgr_clauses) { .count = 0 };
  s->count = 0;
}

/* --- running --------------------------------------------------------------------- */

/* Where the device has byte 0 of OBJECT N for piece I, were it all there.  Its slice's first byte has the last bits of
   that in the program's memory.  */
static uintptr_t
origin (const struct ummgr_straight *s, uint64_t i, size_t n)
{
  const struct ummgr_straight_object *o = &s->object[n];
  const struct ummgr_straight_slice *slice = &s->slice[i * s->count + n];
  uintptr_t slot = o->address + i % UMMGR_STRAIGHT_SLICES * o->slot;
  uintptr_t host = o->base + (uintptr_t) slice->lo;
  return slot + ((host - slot) & (ALIGNED - 1)) - (uintptr_t) slice->lo;
}

/* A wrong result is worse than none.  */
__attribute__ ((noreturn)) static void
end_program (const struct ummgr_straight *s, const struct ummgr_straight_object *o, uint64_t i, bool to_host)
{
  ummgr_error ("split: %s: copying a part of [%#lx, +%zu) %s device %d failed, and the program can't go on without it;"
	       " the host has what the first %llu of %llu parts of the loop computed, and UMMGR_STREAM=off maps all"
	       " of the data before the region runs", s->where, (unsigned long) o->base, o->size,
	       to_host ? "back from" : "to", s->device->number,
	       (unsigned long long) (to_host ? i : i < 2 ? 0 : i - 2), (unsigned long long) s->pieces.count);
  exit (EXIT_FAILURE);
}

/* Copy what C says; in a thread of its own where that takes real time.  */
static void *
copy (void *data)
{
  const struct ummgr_straight_copies *c = data;
  struct ummgr_straight *s = c->of;
  for (size_t n = 0; n < s->count; n++)
    {
      const struct ummgr_straight_object *o = &s->object[n];
      const struct ummgr_straight_slice *slice = &s->slice[c->piece * s->count + n];
      int64_t lo = c->to_host ? slice->out_lo : slice->lo, hi = c->to_host ? slice->out_hi : slice->hi;
      if (!(c->to_host ? o->out : o->in) || lo >= hi)
	continue;
      if (s->device->ops->copy_beside (s->device, origin (s, c->piece, n) + (uintptr_t) lo,
				       (void *) (o->base + (uintptr_t) lo), (size_t) (hi - lo), c->to_host)
	  != UMMGR_OK)
	end_program (s, o, c->piece, c->to_host);
    }
  return NULL;
}

/* Begin to copy for piece I, in or TO_HOST, if there is one.  A simulated device's time is set back to when that
   began.  */
static void
begin (struct ummgr_straight *s, uint64_t i, bool to_host)
{
  struct ummgr_straight_copies *c = &s->copies[to_host];
  const struct ummgr_device_ops *ops = s->device->ops;
  *c = (struct ummgr_straight_copies) { .of = s, .piece = i, .to_host = to_host };
  if (i >= s->pieces.count)
    return;
  if (!ops->set_time)
    {
      c->has_thread = pthread_create (&c->thread, NULL, copy, c) == 0;
      if (!c->has_thread)
	copy (c);
      return;
    }
  double now = ops->time ();
  copy (c);
  s->until = fmax (s->until, ops->time ());
  ops->set_time (now);
}

/* What was begun is over.  */
static void
wait (struct ummgr_straight *s)
{
  const struct ummgr_device_ops *ops = s->device->ops;
  for (int k = 0; k < 2; k++)
    if (s->copies[k].has_thread)
      {
	pthread_join (s->copies[k].thread, NULL);
	s->copies[k].has_thread = false;
      }
  if (ops->set_time && ops->time () < s->until)
    ops->set_time (s->until);
}

void
ummgr_straight_next (void *data, uint64_t i)
{
  struct ummgr_straight *s = data;
  if (i == 0)
    begin (s, 0, false);
  wait (s);
  for (size_t n = 0; n < s->count; n++)
    s->clauses.hostaddrs[s->object[n].argument] = (void *) origin (s, i, n);
  begin (s, i + 1, false);
  begin (s, i ? i - 1 : s->pieces.count, true);
}

/* What the statistics say of object N: as of one that is mapped, stays on the host and is copied as far as slices
   were.  */
static void
account (struct ummgr_straight *s, size_t n, const struct ummgr_table_region *known, const void *site)
{
  const struct ummgr_straight_object *o = &s->object[n];
  const char *name = known->args[o->argument].name;
  struct ummgr_object *object = ummgr_object_new (o->base, o->size, s->manager->device, UMMGR_PATH_MAPPED);
  if (!object)
    return;
  ummgr_account_open (object, site);
  ummgr_account_use (object);
  object->copied_in = o->bytes_in;
  object->copied_out = o->bytes_out;
  object->copy.storage = UMMGR_STORAGE_PINNED;
  object->copy.placed.place = UMMGR_PLACE_HOST;
  object->reason = "in slices, beside the launches";
  if (*name)
    ummgr_plan_name (s->manager, &object->view, name, known->file, known->line);
  ummgr_account_close (object);
  ummgr_object_drop (object);
}

void
ummgr_straight_end (struct ummgr_straight *s, const struct ummgr_table_region *known, const void *site)
{
  wait (s);
  begin (s, s->pieces.count - 1, true);
  wait (s);
  pthread_mutex_lock (&s->manager->lock);
  for (size_t n = 0; n < s->count; n++)
    account (s, n, known, site);
  pthread_mutex_unlock (&s->manager->lock);
  ummgr_straight_forget (s);
}
