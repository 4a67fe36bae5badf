/* Breaks if what is left of the loops that a launch is in isn't what then comes: random nests are run
   twice, and the first time launches are only counted.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"
#include "hints/turns.h"

#include <stdbool.h>
#include <string.h>

enum { NESTS = 500, LAUNCHES = 700, DEEP = UMMGR_REGION_LOOPS };

static char places[DEEP][16];
static uint32_t seed;

static unsigned
rnd (unsigned below)
{
  seed = seed * 1664525 + 1013904223;
  return (seed >> 8) % below;
}

/* Of each launch, in order, the run of each loop around it, the outermost first.  */
static unsigned of[LAUNCHES][DEEP], launches, runs;
static bool tells;

/* DEPTH loops, each within the other.  */
struct nest
{
  bool same[DEEP], counted[DEEP], left[DEEP], after[DEEP];
  unsigned turns[DEEP], depth;
};

static void
launch (const struct nest *n, const unsigned *run)
{
  struct ummgr_region_loop loops[UMMGR_REGION_LOOPS];
  uint64_t innermost;
  if (!tells)
    {
      memcpy (of[launches++], run, DEEP * sizeof *run);
      return;
    }
  unsigned count = ummgr_turns_loops (loops, &innermost), d = n->depth;
  CHECK (innermost > 0);
  for (unsigned i = 0; i < count; i++)
    {
      unsigned left = 0;
      CHECK (d > 0 && n->same[d - 1] && n->counted[d - 1]);
      d--;
      for (unsigned k = launches; k < LAUNCHES; k++)
	left += of[k][d] == of[launches][d];
      CHECK (loops[i].turns == left);
      CHECK (i == 0 ? loops[i].number == innermost : loops[i].number < loops[i - 1].number);
    }
  CHECK (d == 0 || !n->same[d - 1] || !n->counted[d - 1]);
  /* Loops whose turns have the same number of launches each, and which have no more: those after which the host goes
     over its place of PLACES, of which it is told of a byte within.  Turns are compared, so one alone says nothing.  */
  for (d = 0; d < n->depth; d++)
    {
      unsigned left = 0;
      for (unsigned k = launches; k < LAUNCHES; k++)
	left += of[k][d] == of[launches][d];
      bool tells_of = n->after[d] && n->counted[d];
      CHECK (ummgr_turns_host_after ((uintptr_t) places[d], sizeof places[d], false) == tells_of);
      CHECK (ummgr_turns_host_after ((uintptr_t) places[d], sizeof places[d], true)
	     == (tells_of && left == 1 && n->turns[d] > 1));
    }
  launches++;
}

static void
go (const struct nest *n, unsigned depth, unsigned *run)
{
  if (depth == n->depth)
    {
      launch (n, run);
      return;
    }
  unsigned long long id = (depth + 1) * 2 | n->same[depth];
  run[depth] = ++runs;
  if (tells)
    __ummgr_turns (id, n->counted[depth] ? n->turns[depth] : ~0ULL);
  if (tells && n->counted[depth] && n->after[depth])
    __ummgr_host_after (id, &places[depth][depth]);
  for (unsigned k = 0; k < n->turns[depth]; k++)
    {
      go (n, depth + 1, run);
      if (tells && n->counted[depth])
	__ummgr_turn (id, 1);
    }
  /* One that is left by an exception says nothing.  */
  if (tells && !n->left[depth])
    __ummgr_turn (id, 0);
}

int
main (void)
{
  struct ummgr_region_loop loops[UMMGR_REGION_LOOPS];
  uint64_t loop = 7;
  CHECK (ummgr_turns_loops (loops, &loop) == 0 && loop == 0);
  for (int i = 0; i < NESTS; i++)
    {
      struct nest n = { .depth = 1 + rnd (DEEP) };
      unsigned run[DEEP] = { 0 };
      for (unsigned d = 0; d < n.depth; d++)
	{
	  n.same[d] = rnd (3);
	  n.counted[d] = rnd (5);
	  n.left[d] = d && rnd (8) == 0;
	  n.turns[d] = 1 + rnd (5);
	  n.after[d] = rnd (2);
	}
      memset (of, 0, sizeof of);
      for (int k = 0; k < 2; k++)
	{
	  launches = runs = 0;
	  tells = k;
	  go (&n, 0, run);
	}
    }
  CHECK (ummgr_turns_loops (loops, &loop) == 0 && loop == 0);
  /* Loops that nobody ends, deeper than is looked at.  */
  for (unsigned long long id = 100; id < 300; id++)
    __ummgr_turns (id, 3);
  __ummgr_turn (100, 0);
  CHECK (ummgr_turns_loops (loops, &loop) == 0 && loop == 0);
  return 0;
}
