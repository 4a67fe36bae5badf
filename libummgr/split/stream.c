/* A launch in pieces whose data comes in before each, and leaves behind it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns launches' state, and how many regions go so.  */

#include "config.h"
#include "split/stream.h"

#include "base/log.h"
#include "device/device.h"
#include "memory/plan.h"
#include "record/record.h"
#include "split/managed.h"
#include "trace/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of what objects may take, what slices get: three of them cost as much of each launch as is
   not kept for them.  */
#define SLICES_FRACTION 8
/* Where slices take less than this share of the link's time, as figures have it, nobody looks first
   how long the region takes as a whole.  */
#define CLEAR 0.5
enum { BEFORE, NOW, NEXT };

/* Regions that have gone so, and not in vain.  Atomic.  */
static unsigned going;

/* --- what pieces use ------------------------------------------------------------- */

static int64_t
total (const struct ummgr_intervals *s)
{
  int64_t sum = 0;
  for (unsigned i = 0; i < s->count; i++)
    sum += ummgr_interval_length (s->at[i]);
  return sum;
}

static void
add_all (struct ummgr_intervals *to, const struct ummgr_intervals *from)
{
  for (unsigned i = 0; i < from->count; i++)
    ummgr_intervals_add (to, from->at[i].lo, from->at[i].hi);
}

/* FROM without what OTHER has.  */
static void
take_away (struct ummgr_intervals *from, const struct ummgr_intervals *other)
{
  for (unsigned k = 0; k < other->count; k++)
    {
      struct ummgr_intervals left = { 0 };
      for (unsigned i = 0; i < from->count; i++)
	ummgr_intervals_add_beyond (&left, from->at[i], other->at[k]);
      *from = left;
    }
}

/* Add to NEEDS what OBJECT has of USED, bytes from OFFSET on, and doesn't keep.  */
static void
needs_add (struct ummgr_intervals *needs, const struct ummgr_stream *stream,
	   const struct ummgr_stream_object *object, uint64_t offset,
	   const struct ummgr_intervals *used)
{
  const int64_t base = (int64_t) object->object->copy.address, grain = stream->grain;
  const struct ummgr_interval all = { 0, (int64_t) object->object->view.size };
  for (unsigned i = 0; i < used->count; i++)
    {
      struct ummgr_interval one = { used->at[i].lo + (int64_t) offset,
				    used->at[i].hi + (int64_t) offset };
      struct ummgr_intervals left = { 0 };
      ummgr_intervals_add_beyond (&left, ummgr_interval_common (one, all), object->kept);
      for (unsigned k = 0; k < left.count; k++)
	{
	  /* Whole grains, but none that is kept.  */
	  struct ummgr_interval grains = { (base + left.at[k].lo) & -grain,
					   (base + left.at[k].hi + grain - 1) & -grain };
	  struct ummgr_interval kept = { base + object->kept.lo, base + object->kept.hi };
	  struct ummgr_interval whole = { base, base + all.hi };
	  ummgr_intervals_add_beyond (needs, ummgr_interval_common (grains, whole), kept);
	}
    }
}

/* What piece I uses of each object, to their NEEDS[WHICH]; nothing if there is no such piece.  */
static void
needs_fill (struct ummgr_stream *stream, uint64_t i, int which)
{
  const struct ummgr_clauses *clauses = stream->clauses;
  const struct ummgr_code_inputs inputs = { .hostaddrs = stream->values,
					    .sizes = clauses->sizes };
  uint64_t lo, hi;
  for (size_t n = 0; n < stream->count; n++)
    memset (&stream->object[n].needs[which], 0, sizeof stream->object[n].needs[which]);
  if (i >= stream->pieces.count)
    return;
  ummgr_pieces_range (&stream->pieces, i, stream->all, &lo, &hi);
  stream->values[stream->pieces.lo] = (void *) (uintptr_t) lo;
  stream->values[stream->pieces.lo + 1] = (void *) (uintptr_t) hi;
  for (size_t a = 0; a < clauses->count; a++)
    {
      const struct ummgr_stream_argument *arg = &stream->argument[a];
      struct ummgr_footprint used;
      if (arg->object < 0)
	continue;
      struct ummgr_stream_object *object = &stream->object[arg->object];
      ummgr_footprint_fill (&stream->known->args[a], &inputs, &used);
      needs_add (&object->needs[which], stream, object, arg->offset, &used.reads);
      needs_add (&object->needs[which], stream, object, arg->offset, &used.writes);
    }
}

/* --- planning ---------------------------------------------------------------------- */

/* The object of argument I, of managed memory that has a place; *OFFSET_P in it.  */
static struct ummgr_object *
object_of (struct ummgr_manager *manager, const struct ummgr_table_region *known,
	   const struct ummgr_clauses *clauses, size_t i, uint64_t *offset_p)
{
  bool implicit;
  int kind = ummgr_clause_kind (clauses, i, &implicit);
  uintptr_t address = (uintptr_t) clauses->hostaddrs[i];
  struct ummgr_object *object;
  if (known->args[i].hidden || !address)
    return NULL;
  if (kind == UMMGR_MAP_FIRSTPRIVATE_INT)
    {
      object = ummgr_managed_by_value (manager, address);
      *offset_p = object ? address - object->copy.address : 0;
    }
  else
    {
      object = ummgr_kind_is_data (kind) || kind == UMMGR_MAP_ZERO_LEN_ARRAY_SECTION
	? ummgr_managed_at (manager, address, clauses->sizes[i]) : NULL;
      *offset_p = object ? address - object->view.base : 0;
    }
  return object && !object->copy.chunk ? object : NULL;
}

static bool
is_away (const struct ummgr_object *object)
{
  return ummgr_interval_length (ummgr_managed_kept (object)) < (int64_t) object->view.size;
}

/* How all of the launch uses argument I.  */
static void
whole_use (const struct ummgr_stream *stream, size_t i, struct ummgr_footprint *out)
{
  const struct ummgr_code_inputs inputs = { .hostaddrs = stream->clauses->hostaddrs,
					    .sizes = stream->clauses->sizes };
  ummgr_footprint_fill (&stream->known->args[i], &inputs, out);
}

/* Its objects that are not all on the device, unless it isn't known what each piece uses.  */
static void
objects_fill (struct ummgr_manager *manager, struct ummgr_stream *stream)
{
  const struct ummgr_clauses *clauses = stream->clauses;
  for (size_t i = 0; i < clauses->count; i++)
    {
      struct ummgr_stream_argument *arg = &stream->argument[i];
      struct ummgr_object *object
	= object_of (manager, stream->known, clauses, i, &arg->offset);
      struct ummgr_footprint used;
      size_t n = 0;
      arg->object = -1;
      if (!object)
	continue;
      whole_use (stream, i, &used);
      /* Caches have what is used again soon, so that it comes over the link once.  */
      double bytes = fmin (used.bytes, (double) (total (&used.reads) + total (&used.writes)));
      stream->bytes += bytes;
      if (!is_away (object))
	continue;
      while (n < stream->count && stream->object[n].object != object)
	n++;
      if (n == stream->count)
	stream->object[stream->count++]
	  = (struct ummgr_stream_object) { .object = object, .kept = ummgr_managed_kept (object),
					   .known = true };
      arg->object = (int) n;
      stream->object[n].known &= used.known;
      stream->object[n].written |= used.written;
      stream->object[n].bytes += bytes;
      stream->object[n].sent += fmin (bytes, (double) total (&used.writes));
    }
}

/* Object N stays where it is.  */
static void
leave_out (struct ummgr_stream *stream, size_t n)
{
  stream->object[n] = stream->object[--stream->count];
  for (size_t i = 0; i < stream->clauses->count; i++)
    {
      int *its = &stream->argument[i].object;
      *its = *its == (int) n ? -1 : *its == (int) stream->count ? (int) n : *its;
    }
}

/* What all pieces together use, and find on the host, comes in once at least.  */
static void
look_at_all (struct ummgr_stream *stream)
{
  stream->pieces.count = 1;
  needs_fill (stream, 0, NOW);
  for (size_t n = 0; n < stream->count; n++)
    stream->object[n].away = (double) total (&stream->object[n].needs[NOW]);
}

/* Bytes of object N that come in for the pieces, and how many the device has of it at once, as
   far as some pieces tell: where they are smaller than a grain, most bring nothing.  */
static void
look (struct ummgr_stream *stream)
{
  const uint64_t count = stream->pieces.count;
  const uint64_t looked[] = { 0, count / 2, count - 1 };
  for (size_t n = 0; n < stream->count; n++)
    stream->object[n].in = stream->object[n].room = 0;
  for (unsigned k = 0; k < 3; k++)
    {
      needs_fill (stream, looked[k] ? looked[k] - 1 : count, BEFORE);
      needs_fill (stream, looked[k], NOW);
      needs_fill (stream, looked[k] + 1, NEXT);
      for (size_t n = 0; n < stream->count; n++)
	{
	  struct ummgr_stream_object *o = &stream->object[n];
	  struct ummgr_intervals fresh = o->needs[NOW], all = o->needs[NOW];
	  take_away (&fresh, &o->needs[BEFORE]);
	  add_all (&all, &o->needs[BEFORE]);
	  add_all (&all, &o->needs[NEXT]);
	  /* The first piece is one, the others are many.  */
	  o->in += k == 0 ? (double) total (&fresh)
	    : (double) total (&fresh) * ((double) count - 1) / 2;
	  o->room = fmax (o->room, (double) total (&all));
	}
    }
  for (size_t n = 0; n < stream->count; n++)
    stream->object[n].in = fmax (stream->object[n].in, stream->object[n].away);
}

/* Cut into so many pieces that all slices have ROOM, and that calls and slices take the least
   time; what doesn't fit is left out.  */
static void
cut (struct ummgr_stream *stream, const struct ummgr_figures *f, double room)
{
  const uint64_t trip = stream->pieces.trip;
  while (stream->count)
    {
      double in = 0, all = 0;
      size_t worst = 0;
      stream->pieces.count = trip < 2 ? trip : 2;
      look (stream);
      for (size_t n = 0; n < stream->count; n++)
	in += stream->object[n].in;
      double each = fmax (f->launch_cost, (double) stream->count * f->link_latency);
      double best = sqrt (in / f->h2d_rate / each);
      uint64_t most = (uint64_t) fmin ((double) trip, fmax (2, in / (double) stream->grain));
      if (stream->always)
	best = fmax (best, 5), most = trip;
      stream->pieces.count = (uint64_t) fmin (fmax (best, 2), (double) most);
      for (;;)
	{
	  look (stream);
	  all = 0;
	  for (size_t n = 0; n < stream->count; n++)
	    {
	      all += stream->object[n].room;
	      if (stream->object[n].room > stream->object[worst].room)
		worst = n;
	    }
	  if (all <= room || stream->pieces.count >= most)
	    break;
	  stream->pieces.count += stream->pieces.count / 4 + 1;
	  if (stream->pieces.count > most)
	    stream->pieces.count = most;
	}
      if (all <= room)
	return;
      leave_out (stream, worst);
    }
}

/* The seconds in which OBJECT comes in, and goes out beside that.  */
static double
comes (const struct ummgr_stream_object *o, const struct ummgr_figures *f)
{
  return ummgr_figures_copying (f, o->in, o->written ? o->in : 0);
}

/* The part of its bytes that is away.  */
static double
away (const struct ummgr_stream_object *o)
{
  double size = (double) o->object->view.size;
  return 1 - (double) ummgr_interval_length (o->kept) / size;
}

/* The seconds in which all of these are used over the link.  */
static double
stays (const struct ummgr_stream_object *o, const struct ummgr_figures *f)
{
  return ummgr_figures_remote (f, (o->bytes - o->sent) * away (o), o->sent * away (o));
}

/* Does it pay?  What is better used where it is, is left out.  */
static bool
pays (struct ummgr_stream *stream, const struct ummgr_figures *f, double room)
{
  double in = 0, out = 0, read = 0, sent = 0;
  look_at_all (stream);
  cut (stream, f, room);
  const size_t count = stream->count;
  for (size_t n = 0; n < stream->count;)
    if (!stream->always && stays (&stream->object[n], f) < comes (&stream->object[n], f))
      leave_out (stream, n);
    else
      n++;
  if (stream->count < count)
    cut (stream, f, room);
  for (size_t n = 0; n < stream->count; n++)
    {
      const struct ummgr_stream_object *o = &stream->object[n];
      in += o->in;
      out += o->written ? o->in : 0;
      read += (o->bytes - o->sent) * away (o);
      sent += o->sent * away (o);
    }
  double calls = (double) stream->pieces.count
		 * fmax (f->launch_cost, (double) stream->count * f->link_latency);
  /* The first slice is not beside another, and what gave up its room for slices comes, too.  */
  double far = ummgr_figures_remote (f, read, sent);
  double slices = ummgr_figures_copying (f, in, out) + calls
		  + (in / (double) stream->pieces.count + room) / f->h2d_rate;
  if (stream->count)
    ummgr_debug ("split: %s:%u in %llu pieces: %.3g MB in, %.3g out: %.3g us, over the link %.3g us",
		 stream->known->file, stream->known->line,
		 (unsigned long long) stream->pieces.count, in / 1e6, out / 1e6, 1e6 * slices,
		 1e6 * far);
  stream->otherwise = far;
  if (stream->past)
    {
      double seen = ummgr_past_otherwise (stream->past, stream->bytes);
      stream->otherwise = seen > 0 ? seen : far;
      stream->whole = !(seen > 0) && slices > far * CLEAR;
    }
  return stream->count && stream->pieces.count > 1
	 && (stream->always || slices < stream->otherwise);
}

/* Memory for all that a launch with so many arguments has.  */
static bool
allocate (struct ummgr_stream *out)
{
  size_t count = out->clauses->count;
  out->object = calloc (count + 1, sizeof *out->object);
  out->argument = calloc (count + 1, sizeof *out->argument);
  out->values = malloc ((count + 1) * sizeof *out->values);
  if (!out->object || !out->argument || !out->values)
    return false;
  memcpy (out->values, out->clauses->hostaddrs, count * sizeof *out->values);
  return true;
}

void
ummgr_stream_forget (struct ummgr_stream *stream)
{
  free (stream->object);
  free (stream->argument);
  free (stream->values);
  stream->object = NULL;
  stream->argument = NULL;
  stream->values = NULL;
  stream->count = 0;
}

bool
ummgr_stream_plan (struct ummgr_manager *manager, const struct ummgr_table_region *known,
		   const struct ummgr_clauses *clauses, const struct ummgr_pieces *pieces,
		   bool always, struct ummgr_stream *out)
{
  struct ummgr_budget *room = &manager->room;
  uint64_t slices = room->slices ? room->slices : manager->budget / SLICES_FRACTION;
  bool any = false;
  uint64_t offset;
  *out = (struct ummgr_stream) {
    .known = known, .clauses = clauses, .pieces = *pieces,
    .device = ummgr_device_of (manager->device), .always = always
  };
  if (!out->device->ops->prefetch_beside || !manager->executor.paged)
    return false;
  for (size_t i = 0; i < clauses->count && !any; i++)
    {
      const struct ummgr_object *object = object_of (manager, known, clauses, i, &offset);
      any = object && is_away (object);
    }
  if (!any)
    return false;
  struct ummgr_past_region *past = ummgr_past_of (known, manager->device);
  if (!always && past && past->slices.vain)
    return false;
  out->past = past && !always ? &past->slices : NULL;
  const struct ummgr_figures f = ummgr_device_figures (out->device);
  out->all = (uintptr_t) clauses->hostaddrs[pieces->lo + 1];
  out->grain = (int64_t) f.fault_granularity;
  if (allocate (out))
    objects_fill (manager, out);
  for (size_t n = 0; n < out->count;)
    if (out->object[n].known)
      n++;
    else
      leave_out (out, n);
  if (out->count && pays (out, &f, (double) slices))
    {
      if (out->whole)
	{
	  out->began = ummgr_device_now (out->device);
	  ummgr_stream_forget (out);
	  return false;
	}
      if (!room->slices)
	ummgr_plan_slices (manager, slices);
      return true;
    }
  ummgr_stream_forget (out);
  /* It looked as if it paid, until objects had to do with less.  */
  if (room->slices && out->past && !out->whole
      && __atomic_load_n (&going, __ATOMIC_RELAXED) == 0)
    {
      past->slices.vain = true;
      ummgr_plan_slices (manager, 0);
    }
  out->whole = false;
  return false;
}

/* --- running ----------------------------------------------------------------------- */

/* What is read alone comes as a copy, which no longer being one drops.  */
static void
copies (const struct ummgr_stream *stream, struct ummgr_interval pages, bool on)
{
  struct ummgr_device *d = stream->device;
  size_t size = (size_t) ummgr_interval_length (pages);
  if (d->ops->advise (d, (uintptr_t) pages.lo, size, UMMGR_DEVICE_READ_MOSTLY, on) == UMMGR_OK)
    ummgr_record_advice ((uint64_t) pages.lo, size, d->number,
			 on ? UMMGR_TRACE_READ_MOSTLY : UMMGR_TRACE_NOT_READ_MOSTLY);
}

static void
send (const struct ummgr_stream *stream, struct ummgr_interval pages, bool home)
{
  struct ummgr_device *d = stream->device;
  size_t size = (size_t) ummgr_interval_length (pages);
  if (d->ops->prefetch_beside (d, (uintptr_t) pages.lo, size, home, 0) == UMMGR_OK)
    ummgr_record_prefetch ((uint64_t) pages.lo, size, home ? UMMGR_TRACE_HOST : d->number);
}

static void
come (const struct ummgr_stream *stream, const struct ummgr_stream_object *o,
      struct ummgr_intervals what)
{
  for (unsigned i = 0; i < what.count; i++)
    {
      if (!o->written)
	copies (stream, what.at[i], true);
      send (stream, what.at[i], false);
    }
}

static void
leave (const struct ummgr_stream *stream, const struct ummgr_stream_object *o,
       struct ummgr_intervals what)
{
  for (unsigned i = 0; i < what.count; i++)
    if (o->written)
      send (stream, what.at[i], true);
    else
      copies (stream, what.at[i], false);
}

void
ummgr_stream_next (void *data, uint64_t i)
{
  struct ummgr_stream *stream = data;
  struct ummgr_device *d = stream->device;
  if (i == 0)
    {
      stream->began = ummgr_device_now (d);
      needs_fill (stream, stream->pieces.count, BEFORE);
      needs_fill (stream, 0, NOW);
      for (size_t n = 0; n < stream->count; n++)
	come (stream, &stream->object[n], stream->object[n].needs[NOW]);
    }
  else
    for (size_t n = 0; n < stream->count; n++)
      {
	struct ummgr_stream_object *o = &stream->object[n];
	o->needs[BEFORE] = o->needs[NOW];
	o->needs[NOW] = o->needs[NEXT];
      }
  d->ops->settle (d);
  needs_fill (stream, i + 1, NEXT);
  for (size_t n = 0; n < stream->count; n++)
    {
      const struct ummgr_stream_object *o = &stream->object[n];
      struct ummgr_intervals done = o->needs[BEFORE], fresh = o->needs[NEXT];
      take_away (&done, &o->needs[NOW]);
      take_away (&done, &o->needs[NEXT]);
      take_away (&fresh, &o->needs[NOW]);
      leave (stream, o, done);
      come (stream, o, fresh);
    }
}

void
ummgr_stream_end (struct ummgr_stream *stream)
{
  stream->took = ummgr_device_now (stream->device) - stream->began;
  for (size_t n = 0; n < stream->count; n++)
    {
      const struct ummgr_stream_object *o = &stream->object[n];
      struct ummgr_intervals left = o->needs[NOW];
      add_all (&left, &o->needs[NEXT]);
      leave (stream, o, left);
    }
  ummgr_stream_forget (stream);
}

void
ummgr_stream_learn (struct ummgr_manager *manager, const struct ummgr_stream *stream)
{
  struct ummgr_past_slices *past = stream->past;
  if (!(stream->took > 0) || !past || past->vain)
    return;
  ummgr_debug ("split: %s:%u took %.3g us %s", stream->known->file, stream->known->line,
	       1e6 * stream->took, stream->whole ? "as a whole" : "in slices");
  if (stream->whole)
    {
      ummgr_past_unsliced (past, stream->took, stream->bytes);
      return;
    }
  if (!past->used)
    __atomic_add_fetch (&going, 1, __ATOMIC_RELAXED);
  past->used = true;
  ummgr_past_sliced (past, stream->took, stream->otherwise);
  if (!past->vain)
    return;
  ummgr_info ("split: %s:%u: in slices it took %.3g us, and takes %.3g as a whole: no longer",
	      stream->known->file, stream->known->line, 1e6 * stream->took,
	      1e6 * stream->otherwise);
  if (__atomic_sub_fetch (&going, 1, __ATOMIC_RELAXED) == 0)
    ummgr_plan_slices (manager, 0);
}
