/* The launches whose data goes in slices: what is copied beside them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   libgomp waits after each launch for all that its context was asked for before (cuCtxSynchronize in GOMP_OFFLOAD_run,
   libgomp/plugin/plugin-nvptx.c of GCC 12), copies beside it, too.  So these are asked for by other threads, bit by
   bit: a launch then waits for a bit at most, and the link has the next one meanwhile.  A simulated device's time is
   set back for that to when the thread would have begun, once the launch is over.

   The program's memory is copied as it is, pageable: the driver stages it.  To register each slice before its copy
   (cuMemHostRegister) has been told to gain (cupy issue 3450: 17 GB/s with it, 7 staged) and to lose (GenomeWorks pull
   request 481; stark-backend 384: 1 to 2 GB/s to lock pages), and on a GH200 there is nothing to gain (vortex 7815: 93
   and 97 GB/s).  Nobody has measured it here: calibrate/ has no figure for it, and the model has one rate for both.

   Owns nothing beyond the launch it is handed.  */

#include "config.h"
#include "split/straight.h"

#include "base/log.h"
#include "device/device.h"
#include "memory/account.h"
#include "memory/plan.h"

#include <stdlib.h>

/* Bytes that a thread asks for at once: 20 us of a link of 50 GB/s, more than the link's latency.  */
enum { BIT = 1 << 20 };

/* Where the device has byte 0 of OBJECT N for piece I, were it all there.  Its slice's first byte has the last bits of
   that in the program's memory.  */
static uintptr_t
origin (const struct ummgr_straight *s, uint64_t i, size_t n)
{
  const struct ummgr_straight_object *o = &s->object[n];
  const struct ummgr_straight_slice *slice = &s->slice[i * s->count + n];
  if (ummgr_straight_has (o, slice))
    return o->base;
  uintptr_t slot = o->address + i % o->slots * o->stride;
  uintptr_t host = o->base + (uintptr_t) slice->lo;
  uintptr_t first = slot + ((host - slot) & (UMMGR_STRAIGHT_ALIGNED - 1));
  /* By turns a slice is next to the guard before it and to that behind it.  */
  if (s->guarded && i & 1)
    first += (slot + o->stride - UMMGR_DEVICE_GUARD - first - (uintptr_t) (slice->hi - slice->lo))
	     & -(uintptr_t) UMMGR_STRAIGHT_ALIGNED;
  return first - (uintptr_t) slice->lo;
}

/* Pieces whose results the host surely has when C begins.  */
static uint64_t
done (const struct ummgr_straight_copies *c)
{
  uint64_t behind = c->to_host ? UMMGR_STRAIGHT_AHEAD - 1 : 2 * UMMGR_STRAIGHT_AHEAD;
  return c->piece < behind ? 0 : c->piece - behind;
}

/* A wrong result is worse than none.  */
__attribute__ ((noreturn)) static void
end_program (const struct ummgr_straight_copies *c)
{
  const struct ummgr_straight *s = c->of;
  ummgr_error ("split: %s: copying data of part %llu of %llu of the loop %s device %d failed, and the program can't go"
	       " on without it; the host has what the first %llu parts computed, and UMMGR_STREAM=off maps all of the"
	       " data before the region runs", s->where, (unsigned long long) c->piece + 1,
	       (unsigned long long) s->pieces.count, c->to_host ? "back from" : "to", s->device->number,
	       (unsigned long long) done (c));
  exit (EXIT_FAILURE);
}

/* The lane of C's copies; and that of what comes to its place, or leaves it, one for all pieces: in theirs the copies
   behind it would wait for the link's latency, too.  */
static unsigned
lane_of (const struct ummgr_straight_copies *c, bool place)
{
  return place ? UMMGR_STRAIGHT_AHEAD : c->piece % UMMGR_STRAIGHT_AHEAD;
}

/* What was asked for for C in LANE is there.  */
static void
arrive (const struct ummgr_straight_copies *c, unsigned lane)
{
  struct ummgr_device *device = c->of->device;
  if (device->ops->copied (device, c->to_host, lane) != UMMGR_OK)
    end_program (c);
}

/* Copy WHAT of object N as C says; WITHIN: the device has it, where it is mapped.  */
static void
copy_part (const struct ummgr_straight_copies *c, size_t n, struct ummgr_interval what, bool within)
{
  struct ummgr_straight *s = c->of;
  struct ummgr_device *device = s->device;
  const int64_t most = c->has_thread ? BIT : INT64_MAX;
  for (int64_t size; what.lo < what.hi; what.lo += size)
    {
      uintptr_t there = origin (s, c->piece, n) + (uintptr_t) what.lo;
      uintptr_t home = s->object[n].base + (uintptr_t) what.lo;
      size = what.hi - what.lo < most ? what.hi - what.lo : most;
      if (device->ops->copy_beside (device, c->to_host ? home : there, c->to_host ? there : home, (size_t) size,
				    c->to_host, within, lane_of (c, false)) != UMMGR_OK)
	end_program (c);
      if (c->has_thread)
	arrive (c, lane_of (c, false));
    }
}

/* What of piece C's part of object N has a place on the device comes there; or goes home, as nobody there uses it
   again.  Where it doesn't, it comes by demand.  True: there is such a part.  */
static bool
move (const struct ummgr_straight_copies *c, size_t n)
{
  const struct ummgr_straight *s = c->of;
  const struct ummgr_straight_object *o = &s->object[n];
  const struct ummgr_straight_slice *slice = &s->slice[c->piece * s->count + n];
  const struct ummgr_interval part = c->to_host ? ummgr_straight_leaves (o, slice) : ummgr_straight_comes (o, slice);
  if (part.lo >= part.hi)
    return false;
  s->device->ops->prefetch_beside (s->device, o->base + (uintptr_t) part.lo, (size_t) (part.hi - part.lo), c->to_host,
				   lane_of (c, true));
  return true;
}

/* Copy what C says of object N.  */
static void
copy_slice (const struct ummgr_straight_copies *c, size_t n)
{
  const struct ummgr_straight *s = c->of;
  const struct ummgr_straight_object *o = &s->object[n];
  const struct ummgr_straight_slice *slice = &s->slice[c->piece * s->count + n];
  struct ummgr_interval all = c->to_host ? (struct ummgr_interval) { slice->out_lo, slice->out_hi }
    : (struct ummgr_interval) { slice->lo, slice->hi };
  if (!(c->to_host ? o->out : o->in) || ummgr_straight_has (o, slice))
    return;
  struct ummgr_interval there = ummgr_interval_common (all, o->kept);
  if (there.lo >= there.hi)
    there.lo = there.hi = all.hi;
  copy_part (c, n, (struct ummgr_interval) { all.lo, there.lo }, false);
  copy_part (c, n, there, true);
  copy_part (c, n, (struct ummgr_interval) { there.hi, all.hi }, false);
}

/* Copy what C says.  */
static void *
copy (void *data)
{
  const struct ummgr_straight_copies *c = data;
  bool moves = false;
  for (size_t n = 0; n < c->of->count; n++)
    copy_slice (c, n);
  for (size_t n = 0; n < c->of->count; n++)
    moves |= move (c, n);
  arrive (c, lane_of (c, false));
  if (moves)
    arrive (c, lane_of (c, true));
  return NULL;
}

/* Begin to copy for piece I, in or TO_HOST, if there is one.  */
static void
begin (struct ummgr_straight *s, uint64_t i, bool to_host)
{
  struct ummgr_straight_copies *c = &s->copies[to_host][i % UMMGR_STRAIGHT_AHEAD];
  const struct ummgr_device_ops *ops = s->device->ops;
  if (i >= s->pieces.count)
    return;
  *c = (struct ummgr_straight_copies) { .of = s, .piece = i, .to_host = to_host };
  if (ops->set_time)
    {
      c->due = true;
      c->time = ops->time ();
      return;
    }
  c->has_thread = true;
  if (pthread_create (&c->thread, NULL, copy, c) == 0)
    return;
  c->has_thread = false;
  copy (c);
}

/* What was begun last in that lane is over, or, of a simulated device, gets its times: those before it have theirs.  */
static void
wait (struct ummgr_straight *s, uint64_t lane, bool to_host, bool over)
{
  struct ummgr_straight_copies *c = &s->copies[to_host][lane % UMMGR_STRAIGHT_AHEAD];
  const struct ummgr_device_ops *ops = s->device->ops;
  if (c->has_thread && over)
    {
      pthread_join (c->thread, NULL);
      c->has_thread = false;
    }
  double now = ops->set_time ? ops->time () : 0;
  if (c->due)
    {
      ops->set_time (c->time);
      copy (c);
      c->time = ops->time ();
      c->due = false;
      ops->set_time (now);
    }
  if (over && ops->set_time && now < c->time)
    ops->set_time (c->time);
}

void
ummgr_straight_next (void *data, uint64_t i)
{
  struct ummgr_straight *s = data;
  for (uint64_t k = 0; i == 0 && k < UMMGR_STRAIGHT_AHEAD; k++)
    begin (s, k, false);
  /* What began beside piece I - 1.  */
  for (uint64_t k = 0; k < UMMGR_STRAIGHT_AHEAD; k++)
    {
      wait (s, i + k, false, false);
      wait (s, i + k, true, false);
    }
  /* What had to come for the launch has, once its first piece has run: that doesn't count.  */
  if (i == 1)
    s->began = ummgr_device_now (s->device);
  wait (s, i, false, true);
  for (size_t n = 0; n < s->count; n++)
    s->clauses.hostaddrs[s->object[n].argument] = (void *) origin (s, i, n);
  /* What comes next goes where piece I - 1 - AHEAD was, whose results are in the lane that I - 1 has, too.  */
  wait (s, i + UMMGR_STRAIGHT_AHEAD - 1, true, true);
  begin (s, i + UMMGR_STRAIGHT_AHEAD, false);
  if (i)
    begin (s, i - 1, true);
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

/* How long it took tells whether its region goes so again.  */
static void
learn (struct ummgr_straight *s)
{
  double pieces = (double) s->pieces.count, took = (ummgr_device_now (s->device) - s->began) * pieces / (pieces - 1);
  ummgr_debug ("split: %s took %.3g us in slices; as a whole %.3g us, as far as is known", s->where, 1e6 * took,
	       1e6 * s->otherwise);
  if (!s->past || s->past->vain || !(took > 0))
    return;
  ummgr_past_sliced (s->past, took, s->otherwise);
  if (!s->past->vain)
    return;
  ummgr_straight_vain (s);
  ummgr_info ("split: %s: in slices it took %.3g us, and takes %.3g as a whole: no longer", s->where, 1e6 * took,
		1e6 * s->otherwise);
}

void
ummgr_straight_end (struct ummgr_straight *s, const struct ummgr_table_region *known, const void *site)
{
  wait (s, s->pieces.count, true, false);
  wait (s, s->pieces.count - 1, true, true);
  begin (s, s->pieces.count - 1, true);
  for (uint64_t k = 0; k < UMMGR_STRAIGHT_AHEAD; k++)
    wait (s, s->pieces.count + k, true, true);
  pthread_mutex_lock (&s->manager->lock);
  /* What no piece has used of what was to come; the rest is there.  */
  for (size_t n = 0; n < s->count; n++)
    if (ummgr_interval_length (s->object[n].comes) > 0)
      s->device->ops->prefetch (s->device, s->object[n].base + (uintptr_t) s->object[n].comes.lo,
				(size_t) ummgr_interval_length (s->object[n].comes), false);
  for (size_t n = 0; n < s->count; n++)
    if (!s->object[n].mapped)
      account (s, n, known, site);
  if (s->object[0].mapped)
    learn (s);
  pthread_mutex_unlock (&s->manager->lock);
  ummgr_straight_forget (s);
}
