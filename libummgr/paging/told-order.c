/* The order in which a region uses an object's units.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing but its instances.  */

#include "config.h"
#include "paging/told-order.h"
#include "paging/copy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t
blocks (uint32_t units)
{
  return units / TOLD_BLOCK + 1;
}

/* --- instances ------------------------------------------------------------- */

struct told_order *
told_order_create (uint64_t region, uint32_t lo, uint32_t hi)
{
  struct told_order *o = calloc (1, sizeof *o);
  uint32_t n = hi - lo;
  if (!o)
    return NULL;
  o->region = region;
  o->lo = lo;
  o->hi = hi;
  o->rank = malloc (n * sizeof *o->rank);
  o->unit = malloc (n * sizeof *o->unit);
  o->at = malloc (n * sizeof *o->at);
  o->until = malloc (n * sizeof *o->until);
  o->typical = calloc (blocks (n), sizeof *o->typical);
  o->soonest = calloc (blocks (n), sizeof *o->soonest);
  o->fresh = malloc (n * sizeof *o->fresh);
  if (!o->rank || !o->unit || !o->at || !o->until || !o->typical
      || !o->soonest || !o->fresh || !unit_map_grow (&o->there, n)
      || !unit_map_grow (&o->others, n))
    {
      told_order_destroy (o);
      return NULL;
    }
  memset (o->rank, 0xff, n * sizeof *o->rank);
  return o;
}

void
told_order_destroy (struct told_order *o)
{
  if (!o)
    return;
  free (o->rank);
  free (o->unit);
  free (o->at);
  free (o->until);
  free (o->typical);
  free (o->soonest);
  free (o->fresh);
  unit_map_free (&o->there);
  unit_map_free (&o->others);
  free (o);
}

struct told_order *
told_order_copy (const struct told_order *o)
{
  struct told_order *c = malloc (sizeof *c);
  size_t n = o->hi - o->lo;
  if (!c)
    return NULL;
  *c = *o;
  bool good = ummgr_paging_copied (&c->rank, n * sizeof *c->rank);
  good &= ummgr_paging_copied (&c->unit, n * sizeof *c->unit);
  good &= ummgr_paging_copied (&c->at, n * sizeof *c->at);
  good &= ummgr_paging_copied (&c->until, n * sizeof *c->until);
  good &= ummgr_paging_copied (&c->typical, blocks (n) * sizeof *c->typical);
  good &= ummgr_paging_copied (&c->soonest, blocks (n) * sizeof *c->soonest);
  good &= ummgr_paging_copied (&c->fresh, n * sizeof *c->fresh);
  good &= unit_map_copied (&c->there);
  good &= unit_map_copied (&c->others);
  if (good)
    return c;
  told_order_destroy (c);
  return NULL;
}

void
told_order_arrive (struct told_order *o, uint32_t unit)
{
  uint32_t rank = told_order_rank (o, unit);
  if (rank == UMMGR_PAGING_NONE)
    unit_map_add (&o->others, unit - o->lo);
  else
    unit_map_add (&o->there, rank);
}

void
told_order_leave (struct told_order *o, uint32_t unit)
{
  uint32_t rank = told_order_rank (o, unit);
  if (rank == UMMGR_PAGING_NONE)
    unit_map_remove (&o->others, unit - o->lo);
  else
    unit_map_remove (&o->there, rank);
}

/* --- a launch -------------------------------------------------------------- */

void
told_order_begin (struct told_order *o)
{
  o->learning = !o->count;
  o->front = 0;
  o->fresh_count = 0;
}

void
told_order_fault (struct told_order *o, uint32_t unit, float at)
{
  if (!o->learning)
    {
      if (o->fresh_count < o->hi - o->lo)
	o->fresh[o->fresh_count++] = (struct told_fresh) { unit, at };
      return;
    }
  uint32_t rank = o->count++;
  bool there = unit_map_remove (&o->others, unit - o->lo);
  o->rank[unit - o->lo] = rank;
  o->unit[rank] = unit;
  o->at[rank] = at;
  o->until[rank] = 0;
  o->soonest[rank / TOLD_BLOCK] = 0;
  if (there)
    unit_map_add (&o->there, rank);
}

void
told_order_back (struct told_order *o, uint32_t rank, float at, bool certain)
{
  o->soonest[rank / TOLD_BLOCK] = 0;
  if (!certain)
    {
      if (o->until[rank] < at)
	o->until[rank] = at;
      return;
    }
  /* In the first launch it stays about to the end: to try it again and again costs
     a fault each time, and to wait but room.  Later the launches before tell.  */
  float lived = at - o->at[rank], until = at + lived * (o->learning ? 16 : 0.125f);
  float *typical = &o->typical[rank / TOLD_BLOCK];
  /* One that lives longer than its neighbours says nothing of them.  */
  bool usual = o->until[rank] <= 0 || o->until[rank] <= *typical;
  if (until > o->until[rank])
    o->until[rank] = until;
  if (usual && lived > o->life)
    o->life += (lived - o->life) / 2;
  if (usual && until > *typical)
    *typical = *typical > 0 ? *typical + (until - *typical) / 4
	       : o->at[rank] + (until - o->at[rank]) / 4;
}

static void
find_soonest (struct told_order *o, uint32_t block)
{
  float soonest = INFINITY;
  for (uint32_t r = block * TOLD_BLOCK;
       r < (block + 1) * TOLD_BLOCK && r < o->count; r++)
    if (told_order_dead (o, r) < soonest)
      soonest = told_order_dead (o, r);
  o->soonest[block] = soonest;
}

uint32_t
told_order_last_dead (struct told_order *o, uint32_t rank, float clock,
		      int *tries)
{
  while (rank && (*tries)-- > 0)
    {
      rank = unit_map_previous (&o->there, rank - 1, 0);
      if (rank == UMMGR_PAGING_NONE)
	break;
      if (o->soonest[rank / TOLD_BLOCK] <= 0)
	find_soonest (o, rank / TOLD_BLOCK);
      if (o->soonest[rank / TOLD_BLOCK] >= clock)
	rank = rank / TOLD_BLOCK * TOLD_BLOCK;
      else if (told_order_dead (o, rank) < clock)
	return rank;
    }
  return UMMGR_PAGING_NONE;
}

/* --- its end --------------------------------------------------------------- */

static void
rescale (struct told_order *o, float scale)
{
  for (uint32_t r = 0; r < o->count; r++)
    {
      o->at[r] *= scale;
      o->until[r] *= scale;
    }
  for (uint32_t b = 0; b < blocks (o->hi - o->lo); b++)
    {
      o->typical[b] *= scale;
      o->soonest[b] = 0;
    }
}

struct ranks
{
  uint32_t *unit;
  float *at, *until, *typical;
  uint8_t *there;
  uint32_t count;
};

static void
append (struct ranks *to, uint32_t unit, float at, float until, bool there)
{
  to->unit[to->count] = unit;
  to->at[to->count] = at;
  to->until[to->count] = until;
  to->there[to->count++] = there;
}

/* One list of the ranked and the fresh; of one mentioned twice the first
   counts.  */
static void
merge (struct told_order *o, float scale, struct ranks *to)
{
  uint32_t f = 0;
  for (uint32_t r = 0; r <= o->count; r++)
    {
      for (; f < o->fresh_count
	     && (r == o->count || o->fresh[f].at * scale < o->at[r]); f++)
	{
	  uint32_t place = o->fresh[f].unit - o->lo;
	  if (o->rank[place] != UMMGR_PAGING_NONE)
	    continue;
	  o->rank[place] = to->count;
	  append (to, o->fresh[f].unit, o->fresh[f].at * scale, 0,
		  unit_map_remove (&o->others, place));
	}
      if (r == o->count)
	return;
      float *typical = &to->typical[to->count / TOLD_BLOCK];
      if (o->typical[r / TOLD_BLOCK] > *typical)
	*typical = o->typical[r / TOLD_BLOCK];
      append (to, o->unit[r], o->at[r], o->until[r],
	      unit_map_remove (&o->there, r));
    }
}

static void
release (struct ranks *r)
{
  free (r->unit);
  free (r->at);
  free (r->until);
  free (r->typical);
  free (r->there);
}

void
told_order_finish (struct told_order *o, float scale)
{
  uint32_t n = o->hi - o->lo;
  if (o->learning)
    rescale (o, scale);
  o->learning = false;
  if (!o->fresh_count)
    return;
  struct ranks to = {
    malloc (n * sizeof *to.unit), malloc (n * sizeof *to.at),
    malloc (n * sizeof *to.until), calloc (blocks (n), sizeof *to.typical),
    malloc (n), 0
  };
  if (to.unit && to.at && to.until && to.typical && to.there)
    {
      merge (o, scale, &to);
      struct ranks old = { o->unit, o->at, o->until, o->typical, to.there, 0 };
      o->unit = to.unit;
      o->at = to.at;
      o->until = to.until;
      o->typical = to.typical;
      o->count = to.count;
      for (uint32_t r = 0; r < o->count; r++)
	{
	  o->rank[o->unit[r] - o->lo] = r;
	  if (to.there[r])
	    unit_map_add (&o->there, r);
	}
      memset (o->soonest, 0, blocks (n) * sizeof *o->soonest);
      to = old;
    }
  o->fresh_count = 0;
  release (&to);
}
