/* Breaks if what is left of the loops that a launch is in isn't what then comes: random nests are run
   twice, and the first time launches are only counted.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"
#include "hints/turns.h"

#include <stdbool.h>
#include <string.h>

enum { NESTS = 500, LAUNCHES = 1 << 16, DEEP = 4 };

static uint32_t seed;

static unsigned
rnd (unsigned below)
{
  seed = seed * 1664525 + 1013904223;
  return (seed >> 8) % below;
}

/* Of each launch, in order: the run of its outermost loop of those around it, from the innermost on, that use the same
   memory; 0: none, or one of them ends when it likes.  */
static unsigned of[LAUNCHES], launches, loops;
static bool tells;

static void
launch (unsigned run)
{
  uint64_t loop;
  if (!tells)
    of[launches++] = run;
  else
    {
      unsigned left = 0;
      for (unsigned i = launches; run && i < LAUNCHES && of[i]; i++)
	left += of[i] == run;
      CHECK (ummgr_turns_left (&loop) == left);
      launches++;
    }
}

/* DEPTH loops, each within the other; RUN: of the outermost with the same memory so far.  */
struct nest
{
  bool same[DEEP], counted[DEEP], left[DEEP];
  unsigned turns[DEEP], depth;
};

static void
go (const struct nest *n, unsigned depth, unsigned run, bool known)
{
  if (depth == n->depth)
    {
      launch (known ? run : 0);
      return;
    }
  unsigned long long id = (depth + 1) * 2 | n->same[depth];
  unsigned mine = !n->same[depth] ? 0 : run ? run : ++loops;
  bool all = n->counted[depth] && (run ? known : true);
  if (!n->same[depth])
    all = true;
  if (tells)
    __ummgr_turns (id, n->counted[depth] ? n->turns[depth] : ~0ULL);
  for (unsigned k = 0; k < n->turns[depth]; k++)
    {
      go (n, depth + 1, mine, all);
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
  uint64_t loop = 7;
  CHECK (ummgr_turns_left (&loop) == 0 && loop == 0);
  for (int i = 0; i < NESTS; i++)
    {
      struct nest n = { .depth = 1 + rnd (DEEP) };
      for (unsigned d = 0; d < n.depth; d++)
	{
	  n.same[d] = rnd (3);
	  n.counted[d] = rnd (5);
	  n.left[d] = d && rnd (8) == 0;
	  n.turns[d] = 1 + rnd (5);
	}
      launches = loops = 0;
      memset (of, 0, sizeof of);
      tells = false;
      go (&n, 0, 0, true);
      launches = loops = 0;
      tells = true;
      go (&n, 0, 0, true);
    }
  CHECK (ummgr_turns_left (&loop) == 0 && loop == 0);
  /* Loops that nobody ends, deeper than is looked at.  */
  for (unsigned long long id = 100; id < 300; id++)
    __ummgr_turns (id, 3);
  __ummgr_turn (100, 0);
  CHECK (ummgr_turns_left (&loop) == 0 && loop == 0);
  return 0;
}
