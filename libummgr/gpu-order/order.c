/* Teams in flight: the order in which warps take turns.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the teams and their streams.  Reports arrive a team at a time.  They are
   told only as far as it takes to have room for the next team: until one of
   those in flight ends.  */

#include "config.h"
#include "gpu-order/warp.h"
#include "base/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct team
{
  uint32_t number;
  uint32_t threads;		/* That have reported.  */
  uint32_t room;
  uint32_t step;		/* At which all threads are.  */
  uint64_t words;		/* In all streams.  */
  struct ummgr_order_lane *lanes;
  struct ummgr_order_warp *warps; /* As many as LANES need.  */
  struct team *next;		/* Spare.  */
};

struct ummgr_order
{
  struct ummgr_order_options options;
  struct ummgr_order_teller teller;
  struct team **slots;
  unsigned in_flight;
  unsigned position;		/* The slot whose turn it is.  */
  struct team *filling;		/* Reports arrive for it.  */
  struct team *spare;
  uint64_t words;		/* Of all teams.  */
  uint64_t relieved;
  unsigned idle;		/* Slots in a row in which nobody could go.  */
  double wake;			/* The first of those that wait there.  */
};

struct ummgr_order *
ummgr_order_create (const struct ummgr_order_options *o)
{
  struct ummgr_order *order = calloc (1, sizeof *order);
  if (!order)
    return NULL;
  order->options = *o;
  order->teller.options = &order->options;
  order->wake = INFINITY;
  order->slots = calloc (o->teams, sizeof *order->slots);
  if (!order->slots)
    {
      free (order);
      return NULL;
    }
  return order;
}

static void
free_team (struct team *team)
{
  if (!team)
    return;
  for (uint32_t k = 0; k < team->room; k++)
    free (team->lanes[k].words);
  free (team->lanes);
  free (team->warps);
  free (team);
}

void
ummgr_order_destroy (struct ummgr_order *order)
{
  if (!order)
    return;
  for (unsigned s = 0; s < order->options.teams; s++)
    free_team (order->slots[s]);
  free_team (order->filling);
  while (order->spare)
    {
      struct team *team = order->spare;
      order->spare = team->next;
      free_team (team);
    }
  free (order->slots);
  free (order);
}

uint64_t
ummgr_order_relieved (const struct ummgr_order *order)
{
  return order->relieved;
}

/* --- teams --------------------------------------------------------------- */

static void
empty_team (struct ummgr_order *order, struct team *team)
{
  for (uint32_t k = 0; k < team->threads; k++)
    team->lanes[k].at = team->lanes[k].used = 0;
  order->words -= team->words;
  team->words = 0;
}

/* Threads up to THREAD are in TEAM.  */
static bool
have_thread (struct team *team, uint32_t thread)
{
  if (thread >= team->room)
    {
      uint32_t room = (thread / UMMGR_ORDER_WARP + 1) * UMMGR_ORDER_WARP;
      struct ummgr_order_lane *lanes
	= realloc (team->lanes, room * sizeof *lanes);
      if (!lanes)
	return false;
      memset (lanes + team->room, 0, (room - team->room) * sizeof *lanes);
      team->lanes = lanes;
      struct ummgr_order_warp *warps
	= realloc (team->warps, room / UMMGR_ORDER_WARP * sizeof *warps);
      if (!warps)
	return false;
      team->warps = warps;
      team->room = room;
    }
  if (thread >= team->threads)
    team->threads = thread + 1;
  return true;
}

/* The least step at which a thread of TEAM is.  False: all have ended.  */
static bool
find_step (struct team *team)
{
  bool any = false;
  for (uint32_t k = 0; k < team->threads; k++)
    {
      const struct ummgr_order_lane *lane = &team->lanes[k];
      if (lane->at == lane->used)
	continue;
      uint32_t step = ummgr_order_step_of (lane->words[lane->at]);
      if (!any || step < team->step)
	team->step = step;
      any = true;
    }
  return any;
}

/* Put TEAM, whose reports are there, into slot S.  False: it has none.  */
static bool
take_in (struct ummgr_order *order, struct team *team, unsigned s)
{
  if (!find_step (team))
    return false;
  uint32_t count = (team->threads + UMMGR_ORDER_WARP - 1) / UMMGR_ORDER_WARP;
  for (uint32_t w = 0; w < count; w++)
    {
      uint32_t first = w * UMMGR_ORDER_WARP, left = team->threads - first;
      team->warps[w].lanes = team->lanes + first;
      team->warps[w].number = first;
      team->warps[w].count = left < UMMGR_ORDER_WARP ? left : UMMGR_ORDER_WARP;
      team->warps[w].path.live = 0;
      team->warps[w].ready = 0;
    }
  order->slots[s] = team;
  order->in_flight++;
  return true;
}

/* --- turns --------------------------------------------------------------- */

/* WARP of TEAM waits for data still.  */
static bool
sleeps (struct ummgr_order *order, const struct ummgr_order_warp *warp)
{
  const struct ummgr_order_clock *clock = order->options.clock;
  if (!clock || warp->ready <= clock->now)
    return false;
  if (warp->ready < order->wake)
    order->wake = warp->ready;
  return true;
}

/* WARP makes one access.  False: it has none.  */
static bool
turn_warp (struct ummgr_order *order, struct team *team,
	   struct ummgr_order_warp *warp)
{
  struct ummgr_order_clock *clock = order->options.clock;
  if (clock)
    clock->ready = 0;
  bool made = ummgr_order_warp_go (warp, team->step, &order->teller);
  if (clock)
    warp->ready = clock->ready;
  order->teller.touch.turn++;
  return made;
}

/* Each warp of TEAM, in slot S, that need not wait makes one access.  False: none
   has any.  */
static bool
turn_team (struct ummgr_order *order, struct team *team, unsigned s)
{
  struct ummgr_order_teller *teller = &order->teller;
  uint32_t count = (team->threads + UMMGR_ORDER_WARP - 1) / UMMGR_ORDER_WARP;
  teller->touch.team = team->number;
  teller->touch.sm = s % order->options.sms;
  do
    {
      bool went = false, waits = false;
      for (uint32_t w = 0; w < count; w++)
	if (sleeps (order, &team->warps[w]))
	  waits = true;
	else
	  went |= turn_warp (order, team, &team->warps[w]);
      order->idle = went ? 0 : order->idle + waits;
      if (went || waits)
	return true;
    }
  while (find_step (team));
  return false;
}

/* If nobody can go, until somebody can.  */
static void
pass_time (struct ummgr_order *order)
{
  if (order->idle < order->in_flight)
    return;
  if (order->options.clock && order->wake > order->options.clock->now)
    order->options.clock->now = order->wake;
  order->wake = INFINITY;
  order->idle = 0;
}

/* Take turns until a team has ended, which leaves slot *SLOT.  There is one.  */
static struct team *
turn_until_end (struct ummgr_order *order, unsigned *slot)
{
  for (;;)
    {
      unsigned s = order->position;
      order->position = (s + 1) % order->options.teams;
      struct team *team = order->slots[s];
      if (!team || turn_team (order, team, s))
	{
	  if (order->idle)
	    pass_time (order);
	  continue;
	}
      order->slots[s] = NULL;
      order->in_flight--;
      *slot = s;
      return team;
    }
}

static void
keep_spare (struct ummgr_order *order, struct team *team)
{
  empty_team (order, team);
  team->threads = 0;
  team->next = order->spare;
  order->spare = team;
}

/* The team that fills has all its reports.  */
static void
close_team (struct ummgr_order *order)
{
  struct team *team = order->filling;
  unsigned s = 0;
  order->filling = NULL;
  if (!team)
    return;
  while (s < order->options.teams && order->slots[s])
    s++;
  if (s == order->options.teams)
    keep_spare (order, turn_until_end (order, &s));
  if (!take_in (order, team, s))
    keep_spare (order, team);
}

static void
turn_all (struct ummgr_order *order)
{
  unsigned s;
  while (order->in_flight)
    keep_spare (order, turn_until_end (order, &s));
  order->position = 0;
}

void
ummgr_order_end (struct ummgr_order *order)
{
  close_team (order);
  turn_all (order);
}

/* --- reports ------------------------------------------------------------- */

/* Too much waits.  What fills may be most of it: then it goes on its own, as far
   as it is there.  */
static void
relieve (struct ummgr_order *order)
{
  struct team *team = order->filling;
  unsigned s;
  order->relieved++;
  turn_all (order);
  if (order->words * sizeof (uint64_t) > order->options.memory / 2
      && take_in (order, team, 0))
    {
      turn_until_end (order, &s);
      empty_team (order, team);
    }
}

static bool
open_team (struct ummgr_order *order, uint32_t number)
{
  if (order->filling && order->filling->number == number)
    return true;
  close_team (order);
  struct team *team = order->spare;
  if (team)
    order->spare = team->next;
  else if (!(team = calloc (1, sizeof *team)))
    return false;
  team->number = number;
  order->filling = team;
  return true;
}

/* Room for COUNT words in the stream of THREAD of TEAM, or NULL.  */
static uint64_t *
append (struct ummgr_order *order, uint32_t team, uint32_t thread,
	size_t count)
{
  if (!open_team (order, team))
    return NULL;
  if ((order->words + count) * sizeof (uint64_t) > order->options.memory)
    relieve (order);
  if (!have_thread (order->filling, thread))
    return NULL;
  struct ummgr_order_lane *lane = &order->filling->lanes[thread];
  if (!UMMGR_GROW (lane->words, lane->room, lane->used + count))
    return NULL;
  uint64_t *at = lane->words + lane->used;
  lane->used += count;
  order->filling->words += count;
  order->words += count;
  return at;
}

bool
ummgr_order_access (struct ummgr_order *order, uint32_t team, uint32_t thread,
		    uint32_t step, uint64_t address, uint32_t how)
{
  uint64_t head = step;
  uint64_t *at = append (order, team, thread, ummgr_order_words_of (head));
  if (!at)
    return false;
  at[0] = head;
  at[1] = address;
  at[2] = how;
  return true;
}

bool
ummgr_order_nest (struct ummgr_order *order, uint32_t team, uint32_t thread,
		  uint32_t step, const struct ummgr_trace_nest_ref *refs,
		  uint32_t n)
{
  uint64_t head = (uint64_t) n << 32 | step;
  if (!n)
    return true;
  uint64_t *at = append (order, team, thread, ummgr_order_words_of (head));
  if (!at)
    return false;
  at[0] = head;
  memcpy (at + 1, refs, n * sizeof *refs);
  return true;
}
