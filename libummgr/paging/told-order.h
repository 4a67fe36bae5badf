/* The order in which a region uses an object's units, as its faults tell.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   For the policy `hint'.  Time runs from 0 to 1 while a region runs.  A unit has
   a rank and a time once it had a fault in the region; nothing is known of those
   that were there all the time.  The order follows which of its units are
   resident.

   Not thread-safe.  Only create and finish allocate.  */

#pragma once

#include "paging/map.h"
#include "paging/paging.h"

/* Ranks side by side whose lives are alike.  */
enum { TOLD_BLOCK = 16 };

struct told_fresh
{
  uint32_t unit;
  float at;
};

struct told_order
{
  uint64_t region;
  uint32_t lo, hi;		/* The object's units.  */
  uint32_t count;		/* Units with a rank.  */
  uint32_t *rank;		/* By unit less LO; UMMGR_PAGING_NONE.  */
  uint32_t *unit;		/* By rank.  */
  float *at;			/* By rank, ascending: the first use.  */
  float *until;			/* By rank: when it was last seen to come back,
				   and some more; 0: never.  */
  float *typical;		/* By block of ranks: likewise, of most.  */
  float *soonest;		/* By block of ranks: none is dead before; 0:
				   not worked out.  */
  float life;			/* In the first launch, of those of which
				   nothing is known.  */
  struct unit_map there;	/* Ranks of resident units.  */
  struct unit_map others;	/* Resident units without a rank, less LO.  */
  struct told_fresh *fresh;	/* Of the running launch, not ranked yet.  */
  uint32_t fresh_count;
  bool learning;		/* In the first launch: ranked at once.  */
  uint32_t front;		/* Ranks below have come, by the clock.  */
  /* Evictions of what had been used in the running launch, and how many of them
     came back in it; of late.  */
  float gone, back;
  /* What followed the last time, and after how many regions; 0: not known.  */
  struct told_order *next;
  double next_seen;
};

/* Of an object's units [LO, HI), of which none is resident as far as it knows.
   NULL without memory.  */
struct told_order *told_order_create (uint64_t region, uint32_t lo, uint32_t hi);
void told_order_destroy (struct told_order *o);
/* The like of O; its NEXT is O's still.  */
struct told_order *told_order_copy (const struct told_order *o);

/* UNIT, of the object, becomes resident, or is no more.  */
void told_order_arrive (struct told_order *o, uint32_t unit);
void told_order_leave (struct told_order *o, uint32_t unit);

static inline uint32_t
told_order_rank (const struct told_order *o, uint32_t unit)
{
  return o->rank[unit - o->lo];
}

/* A launch of the region begins.  */
void told_order_begin (struct told_order *o);

/* UNIT, without a rank, has a fault at time AT; times ascend.  */
void told_order_fault (struct told_order *o, uint32_t unit, float at);

/* The unit of RANK came back at time AT.  Where it is not certain that it had
   been used before, it says nothing of others.  */
void told_order_back (struct told_order *o, uint32_t rank, float at,
		      bool certain);

/* The launch is over.  The times that it gave grow by SCALE.  Without memory
   what it brought is forgotten.  */
void told_order_finish (struct told_order *o, float scale);

/* When the unit of RANK is not used any more.  */
static inline float
told_order_dead (const struct told_order *o, uint32_t rank)
{
  return o->until[rank] > 0 ? o->until[rank]
	 : o->typical[rank / TOLD_BLOCK] > 0 ? o->typical[rank / TOLD_BLOCK]
	 : o->at[rank] + (o->learning ? o->life : 0);
}

/* The last rank below RANK that is resident and dead at CLOCK;
   UMMGR_PAGING_NONE; TRIES, which counts down, bounds the search.  */
uint32_t told_order_last_dead (struct told_order *o, uint32_t rank, float clock,
			       int *tries);

/* Let FRONT be CLOCK's.  */
static inline void
told_order_advance (struct told_order *o, float clock)
{
  while (o->front < o->count && o->at[o->front] <= clock)
    o->front++;
}
