/* A queue of warps beside one that looks at all of them: one that comes out early, late, in
   another order than it came among equals, or never; far times, near ones, all at once, and
   such as are over already.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "gpu/queue.h"

enum { NUMBERS = 200 };

static uint64_t random_state = 1;

static unsigned
rnd (unsigned n)
{
  random_state = random_state * 6364136223846793005UL + 1442695040888963407UL;
  return (random_state >> 33) % n;
}

static struct { bool in; double ready; uint64_t order; } slow[NUMBERS];

static int
slow_first (void)
{
  int first = -1;
  for (int i = 0; i < NUMBERS; i++)
    if (slow[i].in
	&& (first < 0 || slow[i].ready < slow[first].ready
	    || (slow[i].ready == slow[first].ready && slow[i].order < slow[first].order)))
      first = i;
  return first;
}

/* A time from NOW on, where the ring spans a microsecond.  */
static double
some_time (double now, unsigned kind)
{
  switch (rnd (kind))
    {
    case 0: return now;
    case 1: return now + rnd (1000) * 1e-9;
    case 2: return now + rnd (4) * 0.25e-9;
    case 3: return now + rnd (1000) * 1e-8;
    case 4: return now + 1;
    default: return now > 1e-6 ? now - rnd (1000) * 1e-9 : 0;
    }
}

static void
try (unsigned kind)
{
  struct ummgr_gpu_queue q;
  uint64_t orders = 0;
  double now = 0;
  CHECK (ummgr_gpu_queue_set_up (&q, NUMBERS, 1e-6));
  for (int step = 0; step < 20000; step++)
    {
      int number = rnd (NUMBERS), first = slow_first ();
      const struct ummgr_gpu_entry *e = ummgr_gpu_queue_first (&q);
      CHECK ((first < 0) == !e);
      CHECK (!e || (e->number == (unsigned) first && e->ready == slow[first].ready));
      /* Mostly full, or mostly empty, by turns.  */
      if (e && rnd (8) < (step / 1000 % 2 ? 6 : 2))
	{
	  ummgr_gpu_queue_take (&q, e);
	  slow[first].in = false;
	  now = slow[first].ready > now ? slow[first].ready : now;
	}
      else if (!slow[number].in)
	{
	  slow[number].in = true;
	  slow[number].ready = some_time (now, kind);
	  slow[number].order = orders++;
	  ummgr_gpu_queue_add (&q, number, slow[number].ready);
	}
    }
  for (int first; (first = slow_first ()) >= 0; slow[first].in = false)
    {
      const struct ummgr_gpu_entry *e = ummgr_gpu_queue_first (&q);
      CHECK (e && e->number == (unsigned) first);
      ummgr_gpu_queue_take (&q, e);
    }
  CHECK (!ummgr_gpu_queue_first (&q));
  ummgr_gpu_queue_tear_down (&q);
}

int
main (void)
{
  for (unsigned kind = 1; kind <= 6; kind++)
    try (kind);
  return 0;
}
