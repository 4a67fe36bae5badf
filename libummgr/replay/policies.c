/* Replay of a trace under the policies of objects.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the players, one for each run, while a trace is read.  A player gives
   memory/execute.h objects that are all managed memory, and its machine as a
   device.  */

#include "config.h"
#include "replay/policies.h"
#include "replay/best.h"
#include "replay/bound.h"
#include "replay/machine.h"

#include "base/grow.h"
#include "base/log.h"
#include "memory/execute.h"

#include <stdlib.h>
#include <string.h>

enum
{
  PAGE = 4096,
  POLICY_BYTES = 576		/* Of memory for an object: what a player and its
				   policy keep, at most.  */
};

struct object
{
  struct ummgr_object_view view;
  struct ummgr_copy copy;	/* Its address is that of its first unit's place.  */
  unsigned remedies;		/* That it has: bit N for kind N.  */
};

struct player
{
  struct ummgr_replay_run *run;
  struct ummgr_executor executor;
  struct ummgr_replay_machine_state *machine;
  struct object **objects;	/* In the order of units.  */
  size_t count, room;
  /* The running launch.  */
  struct ummgr_region_view view;
  struct ummgr_object_view **used;
  struct ummgr_hint *hints;
  size_t used_count, used_room;
  uint64_t sequence;
  const struct ummgr_figures *figures; /* The machine's.  */
  uint64_t memory;		/* Its own.  */
  struct ummgr_budget budget;
  bool asked;			/* BUDGET is what the trace says.  */
  struct ummgr_trace_taken taken; /* So far.  */
};

struct players
{
  struct player *player;
  size_t count;
  struct ummgr_best *best;	/* NULL: nobody asks for it.  */
};

/* --- objects --------------------------------------------------------------- */

static uint32_t
first_unit (const struct object *o)
{
  return o->copy.address / PAGE;
}

static struct object *
object_at (const struct player *p, uint32_t unit)
{
  size_t lo = 0, hi = p->count;
  while (hi - lo > 1)
    {
      size_t mid = lo + (hi - lo) / 2;
      if (first_unit (p->objects[mid]) <= unit)
	lo = mid;
      else
	hi = mid;
    }
  return p->count ? p->objects[lo] : NULL;
}

/* O, which is T, gets what is for it.  */
static void
object_remedy (struct player *p, struct object *o, const struct ummgr_page_object *t)
{
  const struct ummgr_replay_run *run = p->run;
  for (size_t i = 0; i < run->remedy_count; i++)
    {
      const struct ummgr_remedy *r = &run->remedies[i];
      if (t->unified && !(o->remedies >> r->kind & 1)
	  && ummgr_remedy_is_for (r, t->name, t->file, t->line)
	  && ummgr_execute_remedy (&p->executor, &o->view, 0, r->kind) == UMMGR_OK)
	o->remedies |= 1u << r->kind;
    }
}

static bool
object_new (struct player *p, const struct ummgr_page_object *t)
{
  /* Names come later.  */
  struct object *known = object_at (p, t->first);
  if (known && known->view.id == t->object)
    {
      object_remedy (p, known, t);
      return true;
    }
  if (!ummgr_machine_object (p->machine, t))
    return false;
  if (!UMMGR_GROW (p->objects, p->room, p->count + 1))
    return false;
  struct object *o = calloc (1, sizeof *o);
  if (!o)
    return false;
  *o = (struct object) {
    .view = { .id = t->object, .base = t->base, .size = t->size,
	      .path = UMMGR_PATH_UNIFIED, .placed = &o->copy.placed,
	      .copies = &o->copy },
    .copy = { .device = ummgr_machine_device (p->machine),
	      .storage = UMMGR_STORAGE_UNIFIED,
	      .address = (uintptr_t) t->first * PAGE + t->start }
  };
  p->objects[p->count++] = o;
  struct ummgr_decision d = ummgr_execute_map (&p->executor, &o->view);
  ummgr_execute_start (&p->executor, &d);
  object_remedy (p, o, t);
  return true;
}

/* The budget, as memory/manager.c has it: when the device is first used, and when a
   construct begins.  */
static void
budget_first (struct player *p)
{
  uint64_t taken = p->taken.bytes < p->memory ? p->taken.bytes : p->memory;
  p->budget.libgomp = p->taken.libgomp;
  p->budget.room = p->memory - taken + p->taken.libgomp;
  p->asked = true;
  ummgr_execute_budget (&p->executor, ummgr_budget_bytes (&p->budget));
}

static void
budget_look (struct player *p)
{
  if (p->asked && ummgr_budget_look (&p->budget, p->taken.libgomp))
    ummgr_execute_budget (&p->executor, ummgr_budget_bytes (&p->budget));
}

/* --- launches -------------------------------------------------------------- */

static bool
launch_begin (struct player *p, const struct ummgr_page_region *r)
{
  size_t room = p->used_room;
  budget_look (p);
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
    .region = r->region, .name = r->name,
    .invocation = r->invocation, .sequence = p->sequence, .hints = p->hints
  };
  if (p->used_count)
    ummgr_execute_begin (&p->executor, &p->view, p->used, p->used_count);
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
  if (p->used_count)
    ummgr_execute_end (&p->executor, &p->view, p->used, p->used_count);
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
  return !all->best || ummgr_best_grow (all->best, units);
}

static bool
object (void *data, const struct ummgr_page_object *t)
{
  const struct players *all = data;
  for (size_t i = 0; i < all->count; i++)
    if (!object_new (&all->player[i], t))
      return false;
  /* Names come later, here, too.  */
  return !all->best || ummgr_best_object (all->best, t);
}

/* What the machine can't do alone: a region's end, and an object's.  */
static void
special (struct player *p, const struct ummgr_page_event *e)
{
  if (e->kind == UMMGR_PAGE_REGION_END)
    launch_end (p);
  struct object *o
    = e->kind == UMMGR_PAGE_FREE ? object_at (p, e->unit) : NULL;
  if (o && first_unit (o) == e->unit)
    ummgr_execute_unmap (&p->executor, &o->view);
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
  return !all->best || ummgr_best_events (all->best, e, count);
}

static bool
region (void *data, const struct ummgr_page_region *r)
{
  const struct players *all = data;
  for (size_t i = 0; i < all->count; i++)
    if (!launch_begin (&all->player[i], r))
      return false;
  if (all->best)
    ummgr_best_region (all->best, r);
  return true;
}

/* So far TO bytes, and *FROM of them were counted.  */
static void
copied (struct player *p, uint64_t *from, uint64_t to, bool in)
{
  if (to <= *from)
    return;
  ummgr_machine_copied (p->machine, to - *from, in);
  *from = to;
}

static void
taken (void *data, const struct ummgr_trace_taken *t)
{
  const struct players *all = data;
  for (size_t i = 0; i < all->count; i++)
    {
      struct player *p = &all->player[i];
      ummgr_machine_taken (p->machine, t->bytes);
      copied (p, &p->taken.copied_in, t->copied_in, true);
      copied (p, &p->taken.copied_out, t->copied_out, false);
      if (t->copies > p->taken.copies)
	{
	  ummgr_machine_copies (p->machine, t->copies - p->taken.copies);
	  p->taken.copies = t->copies;
	}
      p->taken.bytes = t->bytes;
      p->taken.libgomp = t->libgomp;
      if (!p->asked)
	budget_first (p);
    }
  if (all->best)
    ummgr_best_taken (all->best, t);
}

/* Is DEVICE, as a trace has it, one with figures F, but for its memory?  */
static bool
is_such (const struct ummgr_trace_device *device, const struct ummgr_figures *f)
{
  return device->in_rate == ummgr_figures_whole (f->h2d_rate) && device->out_rate == ummgr_figures_whole (f->d2h_rate)
	 && device->latency == ummgr_figures_whole (f->link_latency * 1e9)
	 && device->gpu_fault == ummgr_figures_whole (ummgr_figures_gpu_fault_ns (f))
	 && device->cpu_fault == ummgr_figures_whole (f->cpu_fault_cost * 1e9)
	 && device->fault_size == f->fault_granularity;
}

/* On other machines it may have gone otherwise.  */
static void
ran (void *data, const struct ummgr_trace_ran *r, const struct ummgr_trace_device *device)
{
  const struct players *all = data;
  for (size_t i = 0; i < all->count; i++)
    if (is_such (device, all->player[i].figures))
      ummgr_machine_ran (all->player[i].machine, r);
  if (all->best && is_such (device, ummgr_best_figures (all->best)))
    ummgr_best_ran (all->best, r);
}

static void
told (void *data)
{
  const struct players *all = data;
  for (size_t i = 0; i < all->count; i++)
    ummgr_machine_told (all->player[i].machine);
  if (all->best)
    ummgr_best_told (all->best);
}

static bool
steps (void *data, struct ummgr_gpu_steps *of, const struct ummgr_areas *areas)
{
  const struct players *all = data;
  for (size_t i = 0; i < all->count; i++)
    if (!ummgr_machine_steps (all->player[i].machine, of, areas))
      return false;
  return !all->best || ummgr_best_steps (all->best, of, areas);
}

/* --- all ------------------------------------------------------------------- */

static bool
known (const struct ummgr_replay_run *r)
{
  const struct ummgr_policy_ops *ops = ummgr_policy_find (r->policy);
  if (ummgr_replay_is_best (r))
    {
      if (ummgr_bound_available ())
	return true;
      ummgr_error ("replay: --policy=best: this ummgr was built without GLPK, which works it out "
		   "(install libglpk-dev, configure and build again)");
    }
  else if (!ops || ops->passive)
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
  p->executor.paged = true;
  p->figures = &r->device;
  uint64_t memory = r->device.memory_bytes;
  p->memory = memory;
  p->budget = (struct ummgr_budget) {
    .room = memory, .reserve = ummgr_policy_reserve (memory)
  };
  struct ummgr_policy_config config
    = ummgr_policy_configure (&(struct ummgr_policy_given) {
	.figures = &r->device, .budget = p->budget, .transfer = r->transfer,
	.partial = r->partial, .by_demand = true, .discards = true
      });
  p->machine
    = ummgr_machine_create (&r->device, ummgr_paging_find (r->evict));
  return p->machine
	 && ummgr_execute_init (&p->executor, ummgr_policy_find (r->policy),
				&config);
}

/* What came of P's run.  */
static void
player_fini (struct player *p)
{
  if (p->machine)
    p->run->counters = ummgr_machine_counters (p->machine);
  p->run->decisions = p->executor.decisions;
  for (size_t i = 0; i < p->count; i++)
    {
      ummgr_execute_unmap (&p->executor, &p->objects[i]->view);
      free (p->objects[i]);
    }
  ummgr_execute_fini (&p->executor);
  free (p->objects);
  free (p->used);
  free (p->hints);
  ummgr_machine_destroy (p->machine);
}

/* A player for each run but those of the best possible, for which one will do: they
   differ in memory alone.  */
static bool
players_init (struct players *all, struct ummgr_replay_run *runs, size_t count)
{
  bool good = all->player;
  for (size_t i = 0; i < count && good; i++)
    if (!ummgr_replay_is_best (&runs[i]))
      good = player_init (&all->player[all->count++], &runs[i]);
    else if (!all->best)
      good = (all->best = ummgr_best_create (&runs[i].device)) != NULL;
  return good;
}

static struct ummgr_page_sink
sink_of (struct players *all)
{
  struct ummgr_page_sink sink = {
    .data = all, .grow = grow, .object = object, .events = events,
    .region = region, .taken = taken, .ran = ran, .told = told, .steps = steps,
    .object_bytes = all->count * (ummgr_machine_object_bytes () + POLICY_BYTES)
  };
  for (size_t i = 0; i < all->count; i++)
    sink.unit_bytes += ummgr_machine_unit_bytes (all->player[i].machine);
  if (all->best)
    {
      sink.unit_bytes += ummgr_best_unit_bytes (all->best);
      sink.object_bytes += 2 * ummgr_machine_object_bytes ();
    }
  return sink;
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
  struct players all = { .player = calloc (count, sizeof *all.player) };
  enum ummgr_status status = UMMGR_OK;
  if (!players_init (&all, runs, count))
    {
      ummgr_error ("%s: not enough memory to replay it", path);
      status = UMMGR_ERR_NOMEM;
    }
  else
    {
      struct ummgr_page_sink sink = sink_of (&all);
      status = ummgr_pages_read (path, &own, &sink, &found);
      if (!status && !found.footprint)
	{
	  ummgr_pages_complain (path);
	  status = UMMGR_ERR_INVALID;
	}
      if (totals)
	*totals = found;
    }
  for (size_t i = 0; i < count && !status; i++)
    if (ummgr_replay_is_best (&runs[i]))
      status = ummgr_best_seconds (all.best, runs[i].device.memory_bytes,
				   &runs[i].counters.model_seconds);
  for (size_t i = 0; i < all.count; i++)
    player_fini (&all.player[i]);
  ummgr_best_destroy (all.best);
  free (all.player);
  return status;
}
