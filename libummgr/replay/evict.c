/* Replay of a trace under page replacement policies, all in one pass.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the memories while a trace is read.  Each batch of events goes through
   one memory after the other, so that a memory's tables stay in the cache.  */

#include "config.h"
#include "replay/evict.h"
#include "replay/ideal.h"

#include "base/log.h"
#include "paging/params.h"

#include <stdlib.h>
#include <string.h>

struct runner
{
  struct ummgr_replay_case *c;
  struct ummgr_replay_memory *memory;	/* Or  */
  struct ummgr_ideal *ideal;
  uint8_t *there;		/* Ideal: was it used since it left?  */
  uint32_t room;
  struct ummgr_replay_counts counts;	/* Ideal's own.  */
};

struct runners
{
  struct runner *runner;
  size_t count;
};

static bool
is_ideal (const struct ummgr_replay_case *c)
{
  return strcmp (c->policy, "ideal") == 0;
}

static bool
is_hpe (const struct ummgr_replay_case *c)
{
  return strncmp (c->policy, "hpe", 3) == 0;
}

/* --- MIN ----------------------------------------------------------------- */

static void
ideal_event (struct runner *r, const struct ummgr_page_event *e)
{
  switch (e->kind)
    {
    case UMMGR_PAGE_READ:
    case UMMGR_PAGE_WRITE:
    case UMMGR_PAGE_SERVED_READ:
    case UMMGR_PAGE_SERVED_WRITE:
      r->counts.touches += e->kind <= UMMGR_PAGE_WRITE;
      ummgr_ideal_use (r->ideal, e->unit, true);
      r->there[e->unit] = 1;
      break;
    case UMMGR_PAGE_PREFETCH_IN:
      /* Until then the page is kept in vain: it comes without a fault.  */
      if (r->there[e->unit])
	ummgr_ideal_gone (r->ideal, e->unit);
      ummgr_ideal_use (r->ideal, e->unit, false);
      r->there[e->unit] = 1;
      break;
    case UMMGR_PAGE_HOST_READ:
    case UMMGR_PAGE_HOST_WRITE:
    case UMMGR_PAGE_PREFETCH_OUT:
    case UMMGR_PAGE_FREE:
      if (r->there[e->unit])
	ummgr_ideal_gone (r->ideal, e->unit);
      r->there[e->unit] = 0;
      break;
    default:
      break;
    }
}

static bool
ideal_grow (struct runner *r, uint32_t units)
{
  if (units <= r->room)
    return true;
  uint32_t room = units > 2 * r->room ? units : 2 * r->room;
  uint8_t *there = realloc (r->there, room);
  if (!there)
    return false;
  memset (there + r->room, 0, room - r->room);
  r->there = there;
  r->room = room;
  return ummgr_ideal_grow (r->ideal, room);
}

/* --- the sink ------------------------------------------------------------ */

static bool
grow (void *data, uint32_t units)
{
  const struct runners *all = data;
  for (size_t i = 0; i < all->count; i++)
    {
      struct runner *r = &all->runner[i];
      if (!(r->memory ? ummgr_replay_memory_grow (r->memory, units)
	    : ideal_grow (r, units)))
	return false;
    }
  return true;
}

static bool
events (void *data, const struct ummgr_page_event *events, size_t count)
{
  const struct runners *all = data;
  for (size_t i = 0; i < all->count; i++)
    {
      struct runner *r = &all->runner[i];
      if (r->memory)
	ummgr_replay_memory_events (r->memory, events, count);
      else
	for (size_t e = 0; e < count; e++)
	  ideal_event (r, &events[e]);
    }
  return true;
}

static bool
region (void *data, const struct ummgr_page_region *region)
{
  const struct runners *all = data;
  for (size_t i = 0; i < all->count; i++)
    if (all->runner[i].memory)
      ummgr_replay_memory_region (all->runner[i].memory, region);
  return true;
}

/* --- all ----------------------------------------------------------------- */

static bool
runner_init (struct runner *r, struct ummgr_replay_case *c,
	     const struct ummgr_replay_options *options)
{
  r->c = c;
  if (is_ideal (c))
    return (r->ideal = ummgr_ideal_create (c->capacity));
  r->memory = ummgr_replay_memory_create (ummgr_paging_find (c->policy), NULL,
					  c->capacity, options->hits,
					  &options->pages.tlb);
  if (r->memory && is_hpe (c))
    ummgr_paging_hpe_measure (ummgr_replay_memory_paging (r->memory));
  return r->memory;
}

const char *
ummgr_replay_category (unsigned category)
{
  static const char *const names[]
    = { NULL, "regular", "irregular#1", "irregular#2" };
  return names[category];
}

static double
mean (uint64_t sum, uint64_t count)
{
  return count ? (double) sum / count : -1;
}

static void
runner_result (struct runner *r)
{
  struct ummgr_replay_case *c = r->c;
  if (r->ideal)
    {
      struct ummgr_ideal_counts n = ummgr_ideal_counts (r->ideal);
      c->counts = r->counts;
      c->counts.faults = n.faults;
      c->counts.evictions = n.evictions;
      c->counts.pages_in = n.faults;
      c->counts.pages_out = n.evictions;
      c->was_full = n.evictions;
      return;
    }
  c->counts = ummgr_replay_memory_counts (r->memory);
  c->was_full = ummgr_replay_memory_was_full (r->memory);
  if (is_hpe (c))
    {
      struct ummgr_hpe_state state;
      ummgr_paging_hpe_state (ummgr_replay_memory_paging (r->memory), &state);
      c->has_ratios = c->was_full;
      c->ratio1 = state.ratio1;
      c->ratio2 = state.ratio2;
      c->category = ummgr_replay_category (state.category);
      c->switches = state.switches;
      c->compared = mean (state.comparisons, state.searches);
      c->entries = mean (state.entries, state.transfers);
    }
}

static void
runners_free (struct runners *all)
{
  for (size_t i = 0; i < all->count; i++)
    {
      ummgr_replay_memory_destroy (all->runner[i].memory);
      ummgr_ideal_destroy (all->runner[i].ideal);
      free (all->runner[i].there);
    }
  free (all->runner);
}

/* Make parts of the footprint capacities.  */
static enum ummgr_status
size_up (const char *path, const struct ummgr_replay_options *options,
	 struct ummgr_replay_case *cases, size_t count)
{
  struct ummgr_page_totals totals = { .page_size = 4096 };
  bool parts = false;
  for (size_t i = 0; i < count; i++)
    parts |= cases[i].part > 0;
  if (parts)
    {
      enum ummgr_status status
	= ummgr_pages_footprint (path, &options->pages, &totals);
      if (status)
	return status;
    }
  for (size_t i = 0; i < count; i++)
    {
      struct ummgr_replay_case *c = &cases[i];
      double pages = c->part > 0 ? c->part * totals.footprint
		     : (double) (c->bytes / totals.page_size);
      c->capacity = pages < 1 ? 1 : pages < UINT32_MAX ? pages : UINT32_MAX;
    }
  return UMMGR_OK;
}

/* Of memory for a unit in MIN (ideal.c), at most.  */
enum { IDEAL_UNIT_BYTES = 32 };

/* The same for all: a byte here, what the policies keep, and where TLBs have it.  */
static size_t
unit_bytes (const struct runners *all, const struct ummgr_tlbs_shape *tlb)
{
  size_t bytes = 0;
  for (size_t i = 0; i < all->count; i++)
    {
      const struct ummgr_paging_ops *ops
	= ummgr_paging_find (all->runner[i].c->policy);
      bytes += 1 + (ops ? ops->unit_bytes : IDEAL_UNIT_BYTES)
	       + (ops && ops->touch ? ummgr_tlbs_unit_bytes (tlb) : 0);
    }
  return bytes;
}

enum ummgr_status
ummgr_replay_evict (const char *path,
		    const struct ummgr_replay_options *options,
		    struct ummgr_replay_case *cases, size_t count,
		    struct ummgr_page_totals *totals)
{
  enum ummgr_status status = size_up (path, options, cases, count);
  if (status)
    return status;
  struct runners all = { calloc (count, sizeof *all.runner), 0 };
  bool good = all.runner;
  while (good && all.count < count)
    {
      good = runner_init (&all.runner[all.count], &cases[all.count], options);
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
	.data = &all, .unit_bytes = unit_bytes (&all, &options->pages.tlb),
	.served = true, .grow = grow, .events = events, .region = region
      };
      status = ummgr_pages_read (path, &options->pages, &sink, totals);
    }
  for (size_t i = 0; !status && i < count; i++)
    runner_result (&all.runner[i]);
  runners_free (&all);
  return status;
}

double
ummgr_replay_seconds (const struct ummgr_replay_machine *m,
		      const struct ummgr_replay_counts *c,
		      const struct ummgr_page_totals *t)
{
  double page = t->page_size;
  double batches = (c->faults + m->fault_batch - 1) / m->fault_batch;
  return t->launches * m->launch_cost + c->touches * page / m->memory_rate
	 + (uint64_t) batches * m->gpu_fault_cost
	 + c->cpu_faults * m->cpu_fault_cost + c->pages_in * page / m->in_rate
	 + c->pages_out * page / m->out_rate;
}
