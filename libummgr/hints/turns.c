/* How often the loops go round that a launch is in.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Holds how many loops have begun, and for each thread those that it is in, the innermost last.  */

#include "config.h"
#include "hints/turns.h"

/* Loops that have begun, of all threads.  */
static uint64_t begun;

/* Loops deeper than that are not looked at, nor more that the host goes over after one.  */
enum { DEEPEST = 32, AFTER_MOST = 8 };

static __thread struct
{
  unsigned depth;
  struct
  {
    uint64_t id, turns, over, number;
    unsigned launches, before;	/* In this turn so far, and in the one before.  */
    unsigned after_count;
    const void *after[AFTER_MOST];	/* What the host goes over then.  */
  } at[DEEPEST];
} loops;

/* The place of the loop ID, or how many there are.  */
static unsigned
find (uint64_t id)
{
  unsigned i = loops.depth;
  while (i-- > 0)
    if (loops.at[i].id == id)
      return i;
  return loops.depth;
}

__attribute__ ((visibility ("default"))) void
__ummgr_turns (unsigned long long id, unsigned long long turns)
{
  loops.depth = find (id);
  if (loops.depth == DEEPEST)
    return;
  loops.at[loops.depth].id = id;
  loops.at[loops.depth].turns = turns;
  loops.at[loops.depth].number = __atomic_add_fetch (&begun, 1, __ATOMIC_RELAXED);
  loops.at[loops.depth].launches = loops.at[loops.depth].before = loops.at[loops.depth].after_count = 0;
  loops.at[loops.depth++].over = 0;
}

__attribute__ ((visibility ("default"))) void
__ummgr_host_after (unsigned long long id, const void *ptr)
{
  unsigned i = find (id);
  if (i < loops.depth && ptr && loops.at[i].after_count < AFTER_MOST)
    loops.at[i].after[loops.at[i].after_count++] = ptr;
}

__attribute__ ((visibility ("default"))) void
__ummgr_turn (unsigned long long id, unsigned long long goes_on)
{
  unsigned i = find (id);
  if (i == loops.depth)
    return;
  loops.at[i].over++;
  loops.at[i].before = loops.at[i].launches;
  loops.at[i].launches = 0;
  loops.depth = goes_on ? i + 1 : i;
}

bool
ummgr_turns_host_after (uintptr_t address, size_t size, bool last)
{
  for (unsigned i = 0; i < loops.depth; i++)
    if (!last || (loops.at[i].over && loops.at[i].over + 1 == loops.at[i].turns
		  && loops.at[i].launches == loops.at[i].before))
      for (unsigned k = 0; k < loops.at[i].after_count; k++)
	if ((uintptr_t) loops.at[i].after[k] - address < size)
	  return true;
  return false;
}

unsigned
ummgr_turns_loops (struct ummgr_region_loop *out, uint64_t *innermost)
{
  double left = 1, whole = 1;
  unsigned n = 0;
  *innermost = loops.depth ? loops.at[loops.depth - 1].number : 0;
  for (unsigned i = 0; i < loops.depth; i++)
    loops.at[i].launches++;
  for (unsigned i = loops.depth; i-- > 0 && n < UMMGR_REGION_LOOPS;)
    {
      uint64_t turns = loops.at[i].turns, over = loops.at[i].over;
      if (!(loops.at[i].id & 1) || turns == ~UINT64_C (0))
	break;
      left += turns > over ? (double) (turns - over - 1) * whole : 0;
      whole *= (double) turns;
      out[n++] = (struct ummgr_region_loop) { left, loops.at[i].number };
    }
  return n;
}
