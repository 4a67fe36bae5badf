/* The launches whose data goes in slices: what is copied beside them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing beyond the launch it is handed.  */

#include "config.h"
#include "split/straight.h"

#include "base/log.h"
#include "device/device.h"
#include "memory/account.h"
#include "memory/plan.h"

#include <math.h>
#include <stdlib.h>

/* Where the device has byte 0 of OBJECT N for piece I, were it all there.  Its slice's first byte has the last bits of
   that in the program's memory.  */
static uintptr_t
origin (const struct ummgr_straight *s, uint64_t i, size_t n)
{
  const struct ummgr_straight_object *o = &s->object[n];
  const struct ummgr_straight_slice *slice = &s->slice[i * s->count + n];
  if (ummgr_straight_has (o, slice))
    return o->base;
  uintptr_t slot = o->address + i % UMMGR_STRAIGHT_SLICES * o->slot;
  uintptr_t host = o->base + (uintptr_t) slice->lo;
  return slot + ((host - slot) & (UMMGR_STRAIGHT_ALIGNED - 1)) - (uintptr_t) slice->lo;
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

/* Copy WHAT of object N as C says; WITHIN: the device has it, where it is mapped.  */
static void
copy_part (const struct ummgr_straight_copies *c, size_t n, struct ummgr_interval what, bool within)
{
  struct ummgr_straight *s = c->of;
  const struct ummgr_straight_object *o = &s->object[n];
  if (what.lo >= what.hi)
    return;
  uintptr_t there = origin (s, c->piece, n) + (uintptr_t) what.lo, home = o->base + (uintptr_t) what.lo;
  if (s->device->ops->copy_beside (s->device, c->to_host ? home : there, c->to_host ? there : home,
				   (size_t) (what.hi - what.lo), c->to_host, within) != UMMGR_OK)
    end_program (s, o, c->piece, c->to_host);
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
      struct ummgr_interval all = c->to_host ? (struct ummgr_interval) { slice->out_lo, slice->out_hi }
	: (struct ummgr_interval) { slice->lo, slice->hi };
      if (!(c->to_host ? o->out : o->in) || ummgr_straight_has (o, slice))
	continue;
      struct ummgr_interval there = ummgr_interval_common (all, o->kept);
      if (there.lo >= there.hi)
	there.lo = there.hi = all.hi;
      copy_part (c, n, (struct ummgr_interval) { all.lo, there.lo }, false);
      copy_part (c, n, there, true);
      copy_part (c, n, (struct ummgr_interval) { there.hi, all.hi }, false);
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
    {
      s->began = ummgr_device_now (s->device);
      begin (s, 0, false);
    }
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

/* How long it took tells whether its region goes so again.  */
static void
learn (struct ummgr_straight *s)
{
  double took = ummgr_device_now (s->device) - s->began;
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
  wait (s);
  begin (s, s->pieces.count - 1, true);
  wait (s);
  pthread_mutex_lock (&s->manager->lock);
  for (size_t n = 0; n < s->count; n++)
    if (!s->object[n].mapped)
      account (s, n, known, site);
  if (s->object[0].mapped)
    learn (s);
  pthread_mutex_unlock (&s->manager->lock);
  ummgr_straight_forget (s);
}
