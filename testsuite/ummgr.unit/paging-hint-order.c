/* What `hint' learns of the order in which a region uses an object is wrong: a
   unit that was used has no rank, times don't ascend, what a later launch brings
   is not put among the rest, residency is lost, or a unit is taken for dead that
   came back.  Against lists that are searched from end to end.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"
#include "paging/told-order.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LO = 70, UNITS = 200, HI = LO + UNITS };

/* The slow one.  */
struct list
{
  uint32_t unit[UNITS];
  float at[UNITS];
  uint32_t count;
  bool there[HI];
};

static unsigned seed = 1;

static unsigned
draw (unsigned below)
{
  seed = seed * 1103515245u + 12345u;
  return (seed >> 8) % below;
}

static bool
knows (const struct list *l, uint32_t unit)
{
  for (uint32_t i = 0; i < l->count; i++)
    if (l->unit[i] == unit)
      return true;
  return false;
}

/* Behind all with a time up to AT.  */
static void
put (struct list *l, uint32_t unit, float at)
{
  uint32_t i = l->count;
  while (i && l->at[i - 1] > at)
    i--;
  memmove (&l->unit[i + 1], &l->unit[i], (l->count - i) * sizeof *l->unit);
  memmove (&l->at[i + 1], &l->at[i], (l->count - i) * sizeof *l->at);
  l->unit[i] = unit;
  l->at[i] = at;
  l->count++;
}

static void
compare (const struct told_order *o, const struct list *l)
{
  CHECK_EQ (o->count, l->count);
  for (uint32_t r = 0; r < l->count; r++)
    {
      CHECK_EQ (o->unit[r], l->unit[r]);
      CHECK (o->at[r] == l->at[r]);
      CHECK_EQ (told_order_rank (o, l->unit[r]), r);
      CHECK (unit_map_has (&o->there, r) == l->there[l->unit[r]]);
      CHECK (!unit_map_has (&o->others, l->unit[r] - LO));
    }
  for (uint32_t u = LO; u < HI; u++)
    if (!knows (l, u))
      {
	CHECK_EQ (told_order_rank (o, u), UMMGR_PAGING_NONE);
	CHECK (unit_map_has (&o->others, u - LO) == l->there[u]);
      }
}

/* The last that is dead, found by looking at each.  */
static void
compare_dead (struct told_order *o, const struct list *l)
{
  float clock = draw (100) / 100.f;
  told_order_advance (o, clock);
  uint32_t front = 0;
  while (front < l->count && l->at[front] <= clock)
    front++;
  CHECK_EQ (o->front, front);
  uint32_t last = UMMGR_PAGING_NONE;
  for (uint32_t r = 0; r < front; r++)
    if (l->there[l->unit[r]] && told_order_dead (o, r) < clock)
      last = r;
  int tries = 10 * UNITS;
  CHECK_EQ (told_order_last_dead (o, front, clock, &tries), last);
  o->front = 0;
}

/* One launch: some units come, some without a rank by a fault, and some go.  */
static void
launch (struct told_order *o, struct list *l)
{
  /* What is new gets its rank at the end; but in the first launch at once.  */
  static struct list fresh;
  fresh = (struct list) { .count = 0 };
  bool first = !l->count;
  float clock = 0;
  told_order_begin (o);
  CHECK (o->learning == first);
  for (int i = 0; i < 150; i++)
    {
      uint32_t u = LO + draw (UNITS);
      clock += draw (3) / 512.f;
      if (l->there[u])
	{
	  told_order_leave (o, u);
	  l->there[u] = false;
	  continue;
	}
      if (told_order_rank (o, u) != UMMGR_PAGING_NONE)
	{
	  uint32_t rank = told_order_rank (o, u);
	  if (o->at[rank] < clock && draw (2))
	    {
	      told_order_back (o, rank, clock, draw (2));
	      CHECK (told_order_dead (o, rank) >= clock);
	    }
	}
      else if (draw (3))
	{
	  told_order_fault (o, u, clock);
	  if (first)
	    put (l, u, clock);
	  else if (!knows (&fresh, u))
	    put (&fresh, u, clock);
	}
      told_order_arrive (o, u);
      l->there[u] = true;
    }
  if (first)
    compare (o, l);
  float scale = draw (2) ? 1 : 0.5f;
  told_order_finish (o, scale);
  for (uint32_t i = 0; first && i < l->count; i++)
    l->at[i] *= scale;
  for (uint32_t i = 0; i < fresh.count; i++)
    put (l, fresh.unit[i], fresh.at[i] * scale);
}

/* How long the first launch is, is known when it is over: all times that it gave
   grow, also those that are of most of a block.  */
static void
grown (void)
{
  struct told_order *o = told_order_create (7, LO, HI);
  CHECK (o);
  told_order_begin (o);
  told_order_fault (o, LO, 0.125f);
  told_order_fault (o, LO + 1, 0.25f);
  told_order_back (o, 0, 0.25f, true);
  /* Of the first its own, of the second its neighbour's.  */
  float first = told_order_dead (o, 0), second = told_order_dead (o, 1);
  CHECK (first > 0.25f && second > 0.125f && second != first);
  told_order_finish (o, 2);
  CHECK (o->at[0] == 0.25f && o->at[1] == 0.5f);
  CHECK (told_order_dead (o, 0) == 2 * first);
  CHECK (told_order_dead (o, 1) == 2 * second);
  told_order_destroy (o);
}

int
main (void)
{
  grown ();
  for (int run = 0; run < 40; run++)
    {
      static struct list l;
      l = (struct list) { .count = 0 };
      struct told_order *o = told_order_create (7, LO, HI);
      CHECK (o);
      for (int i = 0; i < 12; i++)
	{
	  launch (o, &l);
	  compare (o, &l);
	  compare_dead (o, &l);
	}
      CHECK (l.count > UNITS / 2);
      told_order_destroy (o);
    }
  return 0;
}
