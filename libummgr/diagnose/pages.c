/* Diagnosis: accesses, by page of each object.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   For the findings about time: which launch first needs a page of a copy,
   which needs it last, and how often host and device take turns.  An access
   costs O(pages that it covers).  A page is 4 KiB, larger in objects of more
   than 256 MiB, so that no object has more than 65536.

   Owns struct ummgr_pages and the launches that are remembered.  */

#include "config.h"
#include "diagnose/traced.h"

enum
{
  PAGE_SHIFT = 12,
  PAGES_MAX = 1 << 16,
  BULK_PAGES = 16,		/* A copy of fewer is not worth cutting.  */
  LATE = 2,			/* Launches later than the first.  */
  HOST = 1, DEVICE = 2,
  WROTE = 1, BY_DEVICE = 2	/* In stamps, below the launch.  */
};

static struct ummgr_pages *
pages_of (struct ummgr_diagnosing *g, struct ummgr_traced *t)
{
  struct ummgr_pages *u = t->pages;
  if (u)
    return u;
  if (!t->o.size || !(u = ummgr_arena_get (&g->arena, sizeof *u)))
    return NULL;
  u->shift = PAGE_SHIFT;
  while ((t->o.size - 1) >> u->shift >= PAGES_MAX)
    u->shift++;
  u->count = ((t->o.size - 1) >> u->shift) + 1;
  u->pages = ummgr_arena_get (&g->arena, u->count * sizeof *u->pages);
  u->stamps = ummgr_arena_get (&g->arena, u->count * sizeof *u->stamps);
  return u->pages && u->stamps ? t->pages = u : NULL;
}

void
ummgr_diagnose_launch (struct ummgr_diagnosing *g,
		       const struct ummgr_trace_launch *launch)
{
  struct ummgr_recent *r = &g->recent[launch->launch % UMMGR_RECENT];
  uint64_t turn = 0;
  void *index = ummgr_number_find (&g->region_index, launch->region);
  if (index)
    turn = ++g->d.region_launches[(uintptr_t) index - 1];
  g->d.launches++;
  g->phase_launches++;
  *r = (struct ummgr_recent) { .launch = launch->launch,
			       .region = launch->region, .turn = turn,
			       .index = ++g->launch_index };
  g->last_launch = 0;
  g->launch = NULL;
}

static struct ummgr_recent *
launch_of (struct ummgr_diagnosing *g, uint64_t launch)
{
  if (launch == g->last_launch)
    return g->launch;
  struct ummgr_recent *r = &g->recent[launch % UMMGR_RECENT];
  g->last_launch = launch;
  return g->launch = r->launch == launch ? r : NULL;
}

const struct ummgr_trace_region *
ummgr_diagnose_region (struct ummgr_diagnosing *g, uint64_t launch)
{
  const struct ummgr_recent *r = launch ? launch_of (g, launch) : NULL;
  void *index = r ? ummgr_number_find (&g->region_index, r->region) : NULL;
  return index ? &g->d.regions[(uintptr_t) index - 1] : NULL;
}

/* The account of the launch that used the object until now is closed.  */
static void
close_launch (struct ummgr_pages *u)
{
  struct ummgr_region_use *r = u->region;
  if (!u->distinct)
    return;
  u->uses += u->distinct;
  u->users++;
  if (!u->first_user)
    u->first_user = u->launch;
  u->last_user = u->launch;
  if (r)
    {
      if (!r->launches++)
	r->first = u->distinct;
      else if (u->distinct > r->last)
	r->grew = true;
      r->last = u->distinct;
    }
  u->distinct = 0;
}

static void
open_launch (struct ummgr_pages *u, const struct ummgr_recent *launch)
{
  close_launch (u);
  u->launch = launch->index;
  u->region = NULL;
  for (unsigned i = 0; i < u->region_count; i++)
    if (u->regions[i].region == launch->region)
      u->region = &u->regions[i];
  if (!u->region && u->region_count < UMMGR_REGIONS_USED)
    {
      u->region = &u->regions[u->region_count++];
      *u->region = (struct ummgr_region_use) { .region = launch->region };
    }
  u->turn = 0;
  if (!u->region)
    return;
  if (!u->region->base)
    u->region->base = launch->turn;
  uint32_t turn = launch->turn - u->region->base;
  u->turn = turn < UINT16_MAX ? turn : UINT16_MAX;
}

static void
touch_anew (struct ummgr_traced *t, struct ummgr_pages *u,
	    size_t index, uint32_t stamp)
{
  struct ummgr_page *page = &u->pages[index];
  uint32_t *last = &u->stamps[index];
  unsigned side = stamp & BY_DEVICE ? DEVICE : HOST;
  *last = (*last | WROTE) == (stamp | WROTE) ? *last | stamp : stamp;
  if (page->side != side)
    {
      if (page->side && page->handovers < UINT16_MAX
	  && ++page->handovers > t->handovers)
	t->handovers = page->handovers;
      page->side = side;
    }
  if (side == HOST)
    return;
  page->written |= stamp & WROTE;
  if (page->last == u->launch)
    return;
  page->last = u->launch;
  u->distinct++;
  if (!page->first)
    {
      page->first = u->launch;
      page->turn = u->turn;
    }
}

/* The bytes from BEGIN to END, which lie in the object.  */
static inline void
touch_range (struct ummgr_diagnosing *g, struct ummgr_traced *t,
	     uint64_t begin, uint64_t end, uint32_t stamp)
{
  struct ummgr_pages *u = t->pages;
  size_t p = begin >> u->shift, last = (end - 1) >> u->shift;
  if (!ummgr_trace_limit_steps (g->limit, last - p + 1))
    return;
  for (; p <= last; p++)
    {
      /* Most often the same one was here just before.  */
      if (u->stamps[p] != stamp && u->stamps[p] != (stamp | WROTE))
	touch_anew (t, u, p, stamp);
    }
}

/* Several at a distance of more than a page: as many as lie in the object. */
static void
touch_apart (struct ummgr_diagnosing *g, struct ummgr_traced *t,
	     const struct ummgr_trace_access *a, uint32_t stamp)
{
  const struct ummgr_pages *u = t->pages;
  uint64_t size = t->o.size, at = a->offset;
  /* Each step leads to another page, unless the numbers wrap.  */
  for (uint64_t i = 0; i < a->count && i < u->count && at < size; i++)
    {
      uint64_t end = size - at < a->size ? size : at + a->size;
      touch_range (g, t, at, end, stamp);
      at += a->stride;
    }
}

static void
touch_many (struct ummgr_diagnosing *g, struct ummgr_traced *t,
	    const struct ummgr_trace_access *a, uint32_t stamp)
{
  uint64_t size = t->o.size, stride = a->stride;
  bool down = a->stride < 0;
  if (down)
    stride = -stride;
  if (stride >> t->pages->shift)
    {
      touch_apart (g, t, a, stamp);
      return;
    }
  uint64_t most = down ? a->offset : size - a->offset;
  uint64_t reach = stride && (a->count - 1) > most / stride
    ? most : (a->count - 1) * stride;
  uint64_t begin = down ? a->offset - reach : a->offset;
  uint64_t last = down ? a->offset : a->offset + reach;
  if (last >= size)
    last = size - 1;
  uint64_t end = size - last < a->size ? size : last + a->size;
  touch_range (g, t, begin, end, stamp);
}

/* What the device or host did with the object's pages; SLOT is as it must be
   for the next of the slot.  */
static void
touch (struct ummgr_diagnosing *g, const struct ummgr_trace_access *a,
       struct ummgr_slot_pages *slot)
{
  if (!a->object)
    return;
  struct ummgr_traced *t = ummgr_diagnose_find (g, a->object);
  struct ummgr_pages *u;
  if (!t || a->offset >= t->o.size || !(u = pages_of (g, t)))
    return;
  /* Not 0: that is a page that nobody has touched.  */
  uint32_t stamp = (g->launch_index + 1) << 2;
  if (a->launch)
    {
      const struct ummgr_recent *launch = launch_of (g, a->launch);
      if (!launch)
	return;
      t->device_used = true;
      stamp = (launch->index + 1) << 2 | BY_DEVICE;
      if (launch->index != u->launch)
	open_launch (u, launch);
    }
  else
    t->host_epoch = g->epoch;
  if (a->access & UMMGR_TRACE_WRITE)
    stamp |= WROTE;
  *slot = (struct ummgr_slot_pages) {
    .epoch = g->epoch, .stamps = u->stamps, .object = t,
    .below = a->count == 1 && a->size <= t->o.size
	     ? t->o.size - a->size + 1 : 0,
    .reach = a->size - 1, .stamp = stamp, .shift = u->shift
  };
  if (a->count > 1)
    {
      touch_many (g, t, a, stamp);
      return;
    }
  uint64_t end = t->o.size - a->offset < a->size ? t->o.size
    : a->offset + a->size;
  touch_range (g, t, a->offset, end, stamp);
}

void
ummgr_diagnose_accesses (struct ummgr_diagnosing *g,
			 const struct ummgr_trace_batch *batch)
{
  if (batch->launch != g->batch_launch || batch->epoch != g->batch_epoch)
    g->epoch++;
  g->batch_launch = batch->launch;
  g->batch_epoch = batch->epoch;
  g->d.accesses += batch->count;
  const uint64_t epoch = g->epoch;
  for (size_t i = 0; i < batch->count; i++)
    {
      const struct ummgr_trace_point *point = &batch->points[i];
      struct ummgr_slot_pages *slot = &g->slots[point->slot];
      uint64_t page = point->offset >> slot->shift;
      if (__builtin_expect (slot->epoch != epoch
			    || point->offset >= slot->below
			    || ((point->offset + slot->reach) >> slot->shift
				!= page), 0))
	{
	  struct ummgr_trace_access a = ummgr_trace_batch_access (batch, i);
	  touch (g, &a, slot);
	}
      /* Most often the same one was here just before.  */
      else if (slot->stamps[page] != slot->stamp
	       && slot->stamps[page] != (slot->stamp | WROTE))
	touch_anew (slot->object, slot->object->pages, page, slot->stamp);
    }
}

/* The pages that lie in the range, which may not lie in the object; none where
   looking at them would take too long.  */
static void
range_pages (struct ummgr_diagnosing *g, const struct ummgr_traced *t,
	     uint64_t offset, uint64_t size, size_t *begin, size_t *end)
{
  const struct ummgr_pages *u = t->pages;
  *begin = *end = 0;
  if (!u || offset >= t->o.size || !size)
    return;
  if (size > t->o.size - offset)
    size = t->o.size - offset;
  *begin = offset >> u->shift;
  *end = ((offset + size - 1) >> u->shift) + 1;
  if (!ummgr_trace_limit_steps (g->limit, *end - *begin))
    *end = *begin;
}

bool
ummgr_diagnose_pages_written (struct ummgr_diagnosing *g,
			      const struct ummgr_traced *t, uint64_t offset,
			      uint64_t size)
{
  size_t begin, end;
  range_pages (g, t, offset, size, &begin, &end);
  for (size_t i = begin; i < end; i++)
    if (t->pages->pages[i].written)
      return true;
  return false;
}

/* Judge the last bulk copy by the launches that used its pages.  */
static void
judge_copy (struct ummgr_diagnosing *g, struct ummgr_traced *t)
{
  struct ummgr_pages *u = t->pages;
  size_t begin, end, used = 0, late = 0;
  uint32_t first = UINT32_MAX;
  range_pages (g, t, u->offset, u->size, &begin, &end);
  for (size_t i = begin; i < end; i++)
    if (u->pages[i].first)
      {
	used++;
	late += u->pages[i].turn >= LATE;
	if (first > u->pages[i].first)
	  first = u->pages[i].first;
      }
  u->copied = false;
  if (!used)
    return;
  enum ummgr_finding_kind kind = UMMGR_FINDING_EARLY_COPY;
  /* A copy that libgomp makes for a launch comes after its beginning.  */
  uint64_t bytes = u->size, wait = first > u->at ? first - u->at - 1 : 0;
  if (wait < LATE)
    {
      if (2 * late < end - begin)
	return;
      bytes = late << u->shift;
      if (bytes > u->size)
	bytes = u->size;
      if (2 * u->uses <= 3 * used)
	kind = UMMGR_FINDING_OVERLAP;
      wait = 0;
    }
  if (!ummgr_diagnose_matters (g, bytes, u->size))
    return;
  struct ummgr_waste *w = ummgr_diagnose_waste (g, t, kind, false, u->file,
						u->line, u->phase);
  if (!w)
    return;
  w->bytes += bytes;
  w->of_bytes += u->size;
  w->seconds += ummgr_diagnose_copy_cost (g, u->device, bytes, false, false);
  w->detail = wait ? wait : u->users;
  w->reused = wait != 0;
}

/* Does the device need fewer and fewer pages?  Then those that it needs no
   more could go back while it works on the others, unless the program copies
   parts out already.  */
static void
judge_shrinking (struct ummgr_diagnosing *g, struct ummgr_traced *t)
{
  struct ummgr_pages *u = t->pages;
  const struct ummgr_region_use *r = NULL;
  for (unsigned i = 0; i < u->region_count; i++)
    {
      const struct ummgr_region_use *x = &u->regions[i];
      if (x->launches > LATE + 1 && !x->grew && 2 * x->last < x->first
	  && 2 * (size_t) x->first >= u->count && (!r || r->first < x->first))
	r = x;
    }
  if (!r || 2 * t->largest_out < t->o.size || t->unified
      || t->o.size < 16 * g->options.smallest)
    return;
  size_t done = 0;
  for (size_t i = 0; i < u->count; i++)
    done += u->pages[i].last && u->pages[i].last + LATE <= u->last_user;
  uint64_t bytes = (uint64_t) done << u->shift;
  if (bytes > t->o.size)
    bytes = t->o.size;
  if (!ummgr_diagnose_matters (g, bytes, t->o.size))
    return;
  struct ummgr_waste *w
      = ummgr_diagnose_waste (g, t, UMMGR_FINDING_OVERLAP, true, t->file,
			      t->line, ummgr_diagnose_phase (g));
  if (!w)
    return;
  w->bytes += bytes;
  w->of_bytes += t->o.size;
  w->first_pages = r->first;
  w->last_pages = r->last;
  w->detail = r->launches;
  w->seconds += ummgr_diagnose_copy_cost (g, t->device, bytes, true, false);
}

void
ummgr_diagnose_pages_copied (struct ummgr_diagnosing *g,
			     struct ummgr_traced *t,
			     const struct ummgr_trace_move *m,
			     const char *file)
{
  size_t begin, end;
  struct ummgr_pages *u = pages_of (g, t);
  if (!u)
    return;
  close_launch (u);
  u->launch = 0;
  bool bulk = m->size >> u->shift >= BULK_PAGES;
  range_pages (g, t, m->offset, m->size, &begin, &end);
  if (u->copied && bulk)
    judge_copy (g, t);
  for (size_t i = begin; i < end; i++)
    {
      u->pages[i].written = false;
      u->stamps[i] = 0;
      if (bulk)
	u->pages[i].first = 0;
    }
  if (!bulk)
    return;
  u->copied = true;
  u->offset = m->offset;
  u->size = m->size;
  u->file = file;
  u->line = m->line;
  u->phase = ummgr_diagnose_phase (g);
  u->device = m->to;
  u->at = g->launch_index;
  u->uses = u->users = 0;
  for (unsigned i = 0; i < u->region_count; i++)
    u->regions[i].base = 0;
}

void
ummgr_diagnose_pages_end (struct ummgr_diagnosing *g, struct ummgr_traced *t)
{
  struct ummgr_pages *u = t->pages;
  if (!u || !ummgr_trace_limit_steps (g->limit, u->count))
    return;
  close_launch (u);
  if (u->copied)
    judge_copy (g, t);
  judge_shrinking (g, t);
  /* The next of its kind begins anew, on the same pages.  */
  for (size_t i = 0; i < u->count; i++)
    {
      u->pages[i] = (struct ummgr_page) { 0 };
      u->stamps[i] = 0;
    }
  *u = (struct ummgr_pages) { .shift = u->shift, .count = u->count,
			      .pages = u->pages, .stamps = u->stamps };
}
