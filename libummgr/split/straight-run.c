/* The launches whose data goes in slices: what is copied beside them, and when.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   libgomp waits after each launch for all that its context was asked for before (cuCtxSynchronize in GOMP_OFFLOAD_run,
   libgomp/plugin/plugin-nvptx.c of GCC 12), copies beside it, too.  So these are asked for by other threads, bit by
   bit: a launch then waits for a bit at most, and the link has the next one meanwhile.  A simulated device's time is
   set back for that to when the thread would have begun, once the launch is over.

   Owns nothing beyond the launch it is handed.  */

#include "config.h"
#include "split/straight-copy.h"

#include "base/log.h"
#include "device/device.h"
#include "memory/account.h"
#include "memory/plan.h"

/* Begin to copy for piece I, in or TO_HOST, if there is one.  */
static void
begin (struct ummgr_straight *s, uint64_t i, bool to_host)
{
  const unsigned lane = i % UMMGR_STRAIGHT_AHEAD;
  struct ummgr_straight_copies *c = &s->copies[to_host][lane];
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
  for (unsigned n = 0; n < UMMGR_STAGING_THREADS && (n == 0 || n < s->threads[to_host]); n++)
    {
      struct ummgr_straight_worker *worker = &s->workers[to_host][lane][n];
      worker->of = c;
      worker->has_thread = pthread_create (&worker->thread, NULL, ummgr_straight_copy, worker) == 0;
      if (!worker->has_thread)
	ummgr_straight_copy (worker);
    }
}

/* What was begun last in that lane is over, or, of a simulated device, gets its times: those before it have theirs.  */
static void
wait (struct ummgr_straight *s, uint64_t lane, bool to_host, bool over)
{
  lane %= UMMGR_STRAIGHT_AHEAD;
  struct ummgr_straight_copies *c = &s->copies[to_host][lane];
  const struct ummgr_device_ops *ops = s->device->ops;
  for (unsigned n = 0; over && n < UMMGR_STAGING_THREADS; n++)
    {
      struct ummgr_straight_worker *worker = &s->workers[to_host][lane][n];
      if (worker->has_thread)
	pthread_join (worker->thread, NULL);
      worker->has_thread = false;
    }
  double now = ops->set_time ? ops->time () : 0;
  if (c->due)
    {
      c->time = ummgr_straight_copy_modelled (c, c->time);
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
    s->clauses.hostaddrs[s->object[n].argument] = (void *) ummgr_straight_origin (s, i, n);
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
