/* What is copied for a piece whose data goes in slices, by one or by several threads (memory/staging.h).
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing beyond the launch it is handed.  */

#include "config.h"
#include "split/straight-copy.h"

#include "base/log.h"
#include "device/device.h"

#include <stdlib.h>

/* Its slice's first byte has the last bits of that in the program's memory.  */
uintptr_t
ummgr_straight_origin (const struct ummgr_straight *s, uint64_t i, size_t n)
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

/* The bits of a piece's copies, one after the other.  */
struct walk
{
  const struct ummgr_straight_copies *c;
  struct ummgr_straight_worker *only; /* Whose bits are copied; NULL: all workers', each at its own time.  */
  uint64_t bit;			/* Staged so far, its number among all,  */
  int64_t most;			/* and bytes of each, at most.  */
};

/* The worker that does what comes next, or NULL: it isn't for W.  */
static struct ummgr_straight_worker *
begin_work (const struct walk *w, unsigned n)
{
  struct ummgr_straight_worker *worker = &w->c->of->workers[w->c->to_host][lane_of (w->c, false)][n];
  if (w->only)
    return w->only == worker ? worker : NULL;
  w->c->of->device->ops->set_time (worker->staging.time);
  return worker;
}

static void
end_work (const struct walk *w, struct ummgr_straight_worker *worker)
{
  if (!w->only)
    worker->staging.time = w->c->of->device->ops->time ();
}

/* Ask for SIZE bytes from one side to the other; WITHIN: the device has both.  */
static void
ask (const struct ummgr_straight_copies *c, uintptr_t there, uintptr_t home, size_t size, bool within)
{
  struct ummgr_device *device = c->of->device;
  if (device->ops->copy_beside (device, c->to_host ? home : there, c->to_host ? there : home, size, c->to_host, within,
				lane_of (c, false)) != UMMGR_OK)
    end_program (c);
}

static struct ummgr_staging_lane
lane (const struct ummgr_straight_copies *c)
{
  return (struct ummgr_staging_lane) { c->of->device, c->to_host, lane_of (c, false), c->of->staging_rate };
}

/* One bit by way of staging memory.  */
static void
stage (const struct walk *w, uintptr_t there, uintptr_t home, size_t size)
{
  const struct ummgr_staging_lane l = lane (w->c);
  struct ummgr_straight_worker *worker = begin_work (w, (unsigned) (w->bit % w->c->of->threads[w->c->to_host]));
  if (!worker)
    return;
  if (ummgr_staging_bit (&l, &worker->staging, there, home, size) != UMMGR_OK)
    end_program (w->c);
  end_work (w, worker);
}

/* All of C's bits have been asked for.  */
static void
flush (const struct walk *w)
{
  const struct ummgr_staging_lane l = lane (w->c);
  for (unsigned n = 0; n < w->c->of->threads[w->c->to_host]; n++)
    {
      struct ummgr_straight_worker *worker = begin_work (w, n);
      if (!worker)
	continue;
      if (ummgr_staging_flush (&l, &worker->staging) != UMMGR_OK)
	end_program (w->c);
      end_work (w, worker);
    }
}

/* Copy WHAT of object N; WITHIN: the device has it, where it is mapped.  */
static void
copy_part (struct walk *w, size_t n, struct ummgr_interval what, bool within)
{
  const struct ummgr_straight_copies *c = w->c;
  const bool staged = c->of->threads[c->to_host] && !within;
  const int64_t most = staged ? w->most : w->only ? UMMGR_STAGING_BIT : INT64_MAX;
  for (int64_t size; what.lo < what.hi; what.lo += size, w->bit += staged)
    {
      uintptr_t there = ummgr_straight_origin (c->of, c->piece, n) + (uintptr_t) what.lo;
      uintptr_t home = c->of->object[n].base + (uintptr_t) what.lo;
      size = what.hi - what.lo < most ? what.hi - what.lo : most;
      struct ummgr_straight_worker *worker;
      if (staged)
	stage (w, there, home, (size_t) size);
      else if ((worker = begin_work (w, 0)))
	{
	  ask (c, there, home, (size_t) size, within);
	  if (w->only)
	    arrive (c, lane_of (c, false));
	  end_work (w, worker);
	}
    }
}

/* What of the piece's part of object N has a place on the device comes there; or goes home, as nobody there uses it
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

/* What is to be copied of object N.  */
static struct ummgr_interval
slice_of (const struct ummgr_straight_copies *c, size_t n)
{
  const struct ummgr_straight *s = c->of;
  const struct ummgr_straight_object *o = &s->object[n];
  const struct ummgr_straight_slice *slice = &s->slice[c->piece * s->count + n];
  if (!(c->to_host ? o->out : o->in) || ummgr_straight_has (o, slice))
    return (struct ummgr_interval) { 0, 0 };
  return c->to_host ? (struct ummgr_interval) { slice->out_lo, slice->out_hi }
    : (struct ummgr_interval) { slice->lo, slice->hi };
}

static void
copy_slice (struct walk *w, size_t n)
{
  const struct ummgr_interval all = slice_of (w->c, n);
  struct ummgr_interval there = ummgr_interval_common (all, w->c->of->object[n].kept);
  if (there.lo >= there.hi)
    there.lo = there.hi = all.hi;
  copy_part (w, n, (struct ummgr_interval) { all.lo, there.lo }, false);
  copy_part (w, n, there, true);
  copy_part (w, n, (struct ummgr_interval) { there.hi, all.hi }, false);
}

/* Bits of which each of THREADS has one at least, of a few pages.  */
static int64_t
bit_of (const struct ummgr_straight_copies *c, unsigned threads)
{
  enum { LEAST = 1 << 16 };
  int64_t sum = 0;
  for (size_t n = 0; n < c->of->count; n++)
    sum += ummgr_interval_length (slice_of (c, n));
  int64_t bit = threads ? (sum / threads + LEAST) & -(int64_t) LEAST : 0;
  return bit < UMMGR_STAGING_BIT ? bit : UMMGR_STAGING_BIT;
}

static void
walk (struct walk *w)
{
  const struct ummgr_straight_copies *c = w->c;
  bool moves = false;
  w->most = bit_of (c, c->of->threads[c->to_host]);
  for (size_t n = 0; n < c->of->count; n++)
    copy_slice (w, n);
  flush (w);
  struct ummgr_straight_worker *worker = begin_work (w, 0);
  if (!worker)
    return;
  for (size_t n = 0; n < c->of->count; n++)
    moves |= move (c, n);
  arrive (c, lane_of (c, false));
  if (moves)
    arrive (c, lane_of (c, true));
  end_work (w, worker);
}

void *
ummgr_straight_copy (void *data)
{
  struct ummgr_straight_worker *worker = data;
  struct walk w = { .c = worker->of, .only = worker };
  walk (&w);
  return NULL;
}

double
ummgr_straight_copy_modelled (const struct ummgr_straight_copies *c, double time)
{
  struct ummgr_straight_worker *workers = c->of->workers[c->to_host][lane_of (c, false)];
  struct walk w = { .c = c };
  for (unsigned n = 0; n < UMMGR_STAGING_THREADS; n++)
    workers[n].staging.time = time;
  walk (&w);
  for (unsigned n = 0; n < UMMGR_STAGING_THREADS; n++)
    time = workers[n].staging.time > time ? workers[n].staging.time : time;
  return time;
}
