/* Replay of a trace under the policies of objects.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the players, one for each run, while a trace is read.  A player is to its
   machine what manager.c and plan.c are to the driver.  */

#include "config.h"
#include "replay/policies.h"
#include "replay/machine.h"

#include "base/grow.h"
#include "base/log.h"

#include <stdlib.h>
#include <string.h>

enum
{
  PAGE = 4096,
  POLICY_BYTES = 512		/* Of memory for an object: what a player and its
				   policy keep, at most.  */
};

struct object
{
  struct ummgr_object_view view;	/* First: a decision names it.  */
  uint32_t first, units;
};

struct player
{
  struct ummgr_replay_run *run;
  const struct ummgr_policy_ops *ops;
  void *state;
  struct ummgr_replay_machine_state *machine;
  struct object **objects;	/* In the order of units.  */
  size_t count, room;
  struct ummgr_plan plan;
  /* The running launch.  */
  struct ummgr_region_view view;
  struct ummgr_object_view **used;
  struct ummgr_hint *hints;
  size_t used_count, used_room;
  uint64_t sequence;
};

struct players
{
  struct player *player;
  size_t count;
};

/* --- decisions (plan.c, storage.c) ------------------------------------------ */

static bool
covers_host (const struct ummgr_object_view *v, size_t lo, size_t hi)
{
  return v->place == UMMGR_PLACE_HOST
	 || (v->place == UMMGR_PLACE_DEVICE
	     && (hi > v->placed_hi || lo < v->placed_lo));
}

/* Bytes [LO, HI) of O as units: whole pages, as the driver takes them.  */
static void
carry_out (struct player *p, struct object *o, size_t lo, size_t hi,
	   enum ummgr_place place, enum ummgr_transfer transfer)
{
  struct ummgr_object_view *v = &o->view;
  if (hi > v->size)
    hi = v->size;
  if (place == UMMGR_PLACE_LIBGOMP || lo >= hi)
    return;
  uint64_t start = v->base % PAGE;
  uint32_t from = o->first + (start + lo) / PAGE;
  uint32_t to = o->first + (start + hi + PAGE - 1) / PAGE;
  if (transfer == UMMGR_TRANSFER_HOME)
    {
      ummgr_machine_prefetch (p->machine, from, to, false);
      return;
    }
  if (place == UMMGR_PLACE_HOST || covers_host (v, lo, hi))
    ummgr_machine_advise (p->machine, from, to,
			  place == UMMGR_PLACE_HOST ? UMMGR_REPLAY_HOST
			  : UMMGR_REPLAY_ANY);
  if (transfer == UMMGR_TRANSFER_EXPLICIT)
    ummgr_machine_prefetch (p->machine, from, to,
			    place != UMMGR_PLACE_HOST);
  ummgr_object_placed (v, lo, hi, place);
}

static void
apply (struct player *p)
{
  p->run->decisions += p->plan.count;
  for (size_t i = 0; i < p->plan.count; i++)
    {
      const struct ummgr_decision *d = &p->plan.decisions[i];
      carry_out (p, (struct object *) d->object, d->lo, d->hi, d->place,
		 d->transfer);
    }
  p->plan.count = 0;
}

/* --- objects --------------------------------------------------------------- */

static struct object *
object_at (const struct player *p, uint32_t unit)
{
  size_t lo = 0, hi = p->count;
  while (hi - lo > 1)
    {
      size_t mid = lo + (hi - lo) / 2;
      if (p->objects[mid]->first <= unit)
	lo = mid;
      else
	hi = mid;
    }
  return p->count ? p->objects[lo] : NULL;
}

/* plan.c's ummgr_plan_unified.  */
static void
first_place (struct player *p, struct object *o)
{
  p->plan.count = 0;
  p->ops->on_map (p->state, &o->view, &p->plan);
  struct ummgr_decision d = {
    .object = &o->view, .hi = o->view.size, .place = UMMGR_PLACE_ANY,
    .transfer = UMMGR_TRANSFER_IMPLICIT
  };
  if (p->plan.count && p->plan.decisions[0].object == &o->view)
    d = p->plan.decisions[0];
  p->plan.count = 0;
  p->run->decisions++;
  o->view.place = UMMGR_PLACE_ANY;
  o->view.placed_hi = o->view.size;
  carry_out (p, o, d.lo, d.hi, d.place,
	     d.transfer == UMMGR_TRANSFER_EXPLICIT ? UMMGR_TRANSFER_NONE
	     : d.transfer);
  if (d.hi < o->view.size)
    carry_out (p, o, d.hi, o->view.size, UMMGR_PLACE_HOST,
	       UMMGR_TRANSFER_NONE);
}

static bool
object_new (struct player *p, const struct ummgr_page_object *t)
{
  /* Names come later; nobody asks for them.  */
  if (p->count && object_at (p, t->first)->view.id == t->object)
    return true;
  if (!ummgr_machine_object (p->machine, t))
    return false;
  if (!UMMGR_GROW (p->objects, p->room, p->count + 1))
    return false;
  struct object *o = calloc (1, sizeof *o);
  if (!o)
    return false;
  *o = (struct object) {
    .view = { .id = t->object, .base = t->base, .size = t->size,
	      .path = UMMGR_PATH_UNIFIED },
    .first = t->first, .units = t->units
  };
  p->objects[p->count++] = o;
  first_place (p, o);
  return true;
}

/* --- launches -------------------------------------------------------------- */

static bool
launch_begin (struct player *p, const struct ummgr_page_region *r)
{
  size_t room = p->used_room;
  if (!UMMGR_GROW (p->hints, room, r->use_count)
      || !UMMGR_GROW (p->used, p->used_room, r->use_count))
    return false;
  p->used_count = 0;
  for (size_t i = 0; i < r->use_count; i++)
    {
      struct object *o = object_at (p, r->uses[i].lo);
      if (!o || o->view.id != r->uses[i].object)
	continue;
      p->used[p->used_count] = &o->view;
      p->hints[p->used_count++] = r->uses[i].hint;
    }
  p->sequence++;
  p->view = (struct ummgr_region_view) {
    .host_function = (const void *) (uintptr_t) r->region, .name = r->name,
    .invocation = r->invocation, .sequence = p->sequence, .hints = p->hints
  };
  p->plan.count = 0;
  if (p->used_count)
    p->ops->on_region_begin (p->state, &p->view, p->used, p->used_count,
			     &p->plan);
  apply (p);
  for (size_t i = 0; i < p->used_count; i++)
    p->used[i]->running++;
  ummgr_machine_region (p->machine, r);
  return true;
}

static void
launch_end (struct player *p)
{
  for (size_t i = 0; i < p->used_count; i++)
    p->used[i]->running--;
  p->plan.count = 0;
  if (p->ops->on_region_end && p->used_count)
    p->ops->on_region_end (p->state, &p->view, p->used, p->used_count,
			   &p->plan);
  apply (p);
  p->used_count = 0;
}

/* --- the sink ---------------------------------------------------------------- */

static bool
grow (void *data, uint32_t units)
{
  const struct players *all = data;
  for (size_t i = 0; i < all->count; i++)
    if (!ummgr_machine_grow (all->player[i].machine, units))
      return false;
  return true;
}

static bool
object (void *data, const struct ummgr_page_object *t)
{
  const struct players *all = data;
  for (size_t i = 0; i < all->count; i++)
    if (!object_new (&all->player[i], t))
      return false;
  return true;
}

/* What the machine can't do alone: a region's end, and an object's.  */
static void
special (struct player *p, const struct ummgr_page_event *e)
{
  if (e->kind == UMMGR_PAGE_REGION_END)
    launch_end (p);
  struct object *o
    = e->kind == UMMGR_PAGE_FREE ? object_at (p, e->unit) : NULL;
  if (o && o->first == e->unit && p->ops->on_unmap)
    p->ops->on_unmap (p->state, &o->view);
}

static bool
events (void *data, const struct ummgr_page_event *e, size_t count)
{
  const struct players *all = data;
  for (size_t i = 0; i < all->count; i++)
    {
      struct player *p = &all->player[i];
      size_t done = 0;
      for (size_t n = 0; n < count; n++)
	if (e[n].kind == UMMGR_PAGE_REGION_END || e[n].kind == UMMGR_PAGE_FREE)
	  {
	    ummgr_machine_events (p->machine, e + done, n + 1 - done);
	    done = n + 1;
	    special (p, &e[n]);
	  }
      ummgr_machine_events (p->machine, e + done, count - done);
    }
  return true;
}

static bool
region (void *data, const struct ummgr_page_region *r)
{
  const struct players *all = data;
  for (size_t i = 0; i < all->count; i++)
    if (!launch_begin (&all->player[i], r))
      return false;
  return true;
}

/* --- all ------------------------------------------------------------------- */

static bool
known (const struct ummgr_replay_run *r)
{
  const struct ummgr_policy_ops *ops = ummgr_policy_find (r->policy);
  if (!ops || ops->passive)
    ummgr_error ("replay: --policy=%s: %s", r->policy,
		 ops ? "libgomp's own way can't be replayed"
		 : "there is no such policy");
  else if (!ummgr_paging_find (r->evict))
    ummgr_error ("replay: --evict=%s: the simulated driver has no such policy",
		 r->evict);
  else
    return true;
  return false;
}

static bool
player_init (struct player *p, struct ummgr_replay_run *r)
{
  p->run = r;
  p->ops = ummgr_policy_find (r->policy);
  uint64_t memory = r->device.memory_bytes;
  struct ummgr_figures figures = sim_profile_figures (&r->device);
  struct ummgr_policy_config config = {
    .budget = memory - ummgr_policy_reserve (memory), .transfer = r->transfer,
    .partial = r->partial
  };
  ummgr_policy_configure (&config, &figures);
  p->state = calloc (1, p->ops->state_size + 1);
  p->machine
    = ummgr_machine_create (&r->device, ummgr_paging_find (r->evict));
  r->decisions = 0;
  return p->state && p->machine
	 && (!p->ops->init || p->ops->init (p->state, &config) == UMMGR_OK);
}

static void
player_free (struct player *p)
{
  for (size_t i = 0; i < p->count; i++)
    {
      if (p->ops->on_unmap)
	p->ops->on_unmap (p->state, &p->objects[i]->view);
      free (p->objects[i]);
    }
  if (p->ops && p->ops->fini && p->state)
    p->ops->fini (p->state);
  free (p->objects);
  free (p->plan.decisions);
  free (p->used);
  free (p->hints);
  free (p->state);
  ummgr_machine_destroy (p->machine);
}

enum ummgr_status
ummgr_replay_policies (const char *path,
		       const struct ummgr_page_options *options,
		       struct ummgr_replay_run *runs, size_t count,
		       struct ummgr_page_totals *totals)
{
  for (size_t i = 0; i < count; i++)
    if (!known (&runs[i]))
      return UMMGR_ERR_INVALID;
  /* The machine's pages, and those of plans.  */
  struct ummgr_page_options own = *options;
  own.page_size = PAGE;
  struct ummgr_page_totals found = { 0 };
  enum ummgr_status status = UMMGR_OK;
  struct players all = { calloc (count, sizeof *all.player), 0 };
  bool good = all.player;
  while (good && all.count < count)
    {
      good = player_init (&all.player[all.count], &runs[all.count]);
      all.count++;
    }
  if (!good)
    {
      ummgr_error ("%s: not enough memory to replay it", path);
      status = UMMGR_ERR_NOMEM;
    }
  else
    {
      struct ummgr_page_sink sink = {
	.data = &all, .grow = grow, .object = object, .events = events,
	.region = region
      };
      for (size_t i = 0; i < count; i++)
	sink.unit_bytes += ummgr_machine_unit_bytes (all.player[i].machine);
      sink.object_bytes
	= count * (ummgr_machine_object_bytes () + POLICY_BYTES);
      status = ummgr_pages_read (path, &own, &sink, &found);
      if (!status && !found.footprint)
	{
	  ummgr_pages_complain (path);
	  status = UMMGR_ERR_INVALID;
	}
      if (totals)
	*totals = found;
    }
  for (size_t i = 0; i < all.count; i++)
    {
      if (all.player[i].machine)
	runs[i].counters = ummgr_machine_counters (all.player[i].machine);
      player_free (&all.player[i]);
    }
  free (all.player);
  return status;
}
