/* The policy `hint' does not do what the tables allow: keep a part of what is
   swept again and again, let go first what is not needed again, follow a sweep
   that runs down; does not learn for how long units are used, what comes back in
   a region and what is done with, and which region follows; is worse than chance
   where there is no order; or it names units that are not there, are pinned or
   young.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"
#include "paging/told.h"
#include "paging/map.h"
#include "paging/params.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const struct ummgr_paging_ops *const ops = &ummgr_paging_hint;

enum { UNITS = 4000 };

struct memory
{
  struct ummgr_paging *p;
  bool there[UNITS];
  uint32_t used, capacity;
  uint64_t faults;
};

static void
start (struct memory *m, uint32_t capacity, uint32_t young)
{
  struct ummgr_told_params params = ummgr_told_defaults ();
  params.young = young;
  *m = (struct memory) { .capacity = capacity };
  m->p = ummgr_paging_hint_create (UNITS, &params);
  CHECK (m->p);
}

static void
leave (struct memory *m, uint32_t unit)
{
  CHECK (unit < UNITS && m->there[unit]);
  ops->remove (m->p, unit);
  m->there[unit] = false;
  m->used--;
}

static void
use (struct memory *m, uint32_t unit)
{
  if (m->there[unit])
    return;
  m->faults++;
  if (m->used == m->capacity)
    leave (m, ops->victim (m->p, NULL, NULL));
  ops->insert (m->p, unit);
  m->there[unit] = true;
  m->used++;
}

static void
region (struct memory *m, uint32_t lo, uint32_t hi, double next, bool down)
{
  struct ummgr_paging_use u = {
    .lo = lo, .hi = hi, .sweeps = 1, .density = 1, .next_use = next,
    .down = down
  };
  ops->region (m->p, &u, 1);
}

/* 1000 units in memory for 750, ten regions that sweep them all: MIN has 1000
   faults, then 250 and some a region; LRU 10000.  */
static void
sweeps (bool down)
{
  struct memory m;
  start (&m, 750, 0);
  for (int r = 0; r < 10; r++)
    {
      region (&m, 100, 1100, 1, down);
      for (uint32_t i = 0; i < 1000; i++)
	use (&m, down ? 1099 - i : 100 + i);
    }
  CHECK (m.faults >= 1000 + 9 * 250);
  CHECK (m.faults <= 1000 + 9 * 340);
  ops->destroy (m.p);
}

/* What is never used again goes before what is; what the next region needs
   stays before what is needed later.  */
static void
order (void)
{
  struct memory m;
  start (&m, 300, 0);
  struct ummgr_paging_use u[] = {
    { .lo = 0, .hi = 100, .sweeps = 1, .density = 1, .next_use = INFINITY },
    { .lo = 100, .hi = 200, .sweeps = 1, .density = 1, .next_use = 1 },
    { .lo = 200, .hi = 300, .sweeps = 1, .density = 1, .next_use = 5 }
  };
  ops->region (m.p, u, 3);
  for (uint32_t i = 0; i < 100; i++)
    for (uint32_t k = 0; k < 3; k++)
      use (&m, k * 100 + i);
  /* The next region brings 200 others.  */
  region (&m, 1000, 1200, 1, false);
  for (uint32_t i = 0; i < 200; i++)
    {
      use (&m, 1000 + i);
      uint32_t old = 0, later = 0, soon = 0;
      for (uint32_t k = 0; k < 100; k++)
	{
	  old += m.there[k];
	  soon += m.there[100 + k];
	  later += m.there[200 + k];
	}
      CHECK (soon == 100);
      CHECK (old == 0 || later == 100);
    }
  ops->destroy (m.p);
}

/* What is known of an object is of the last regions that used it; the oldest goes.  */
static void
many_regions (void)
{
  static const uint64_t begun[] = { 1, 2, 3, 4, 1, 5, 6, 4 };
  static const uint64_t known[] = { 5, 6, 3, 4 };
  struct memory m;
  start (&m, 100, 0);
  for (size_t i = 0; i < sizeof begun / sizeof *begun; i++)
    {
      struct ummgr_paging_use u[] = {
	{ .lo = 10, .hi = 50, .region = begun[i], .next_use = 1 },
	{ .lo = 60, .hi = 70, .region = begun[i], .next_use = 1 }
      };
      /* The second is not in all of them.  */
      ops->region (m.p, u, i % 3 ? 1 : 2);
      CHECK_EQ (told_current (&m.p->area[0])->region, begun[i]);
    }
  const struct told_area *a = m.p->area;
  CHECK_EQ (a[0].count, TOLD_REGIONS);
  for (int i = 0; i < TOLD_REGIONS; i++)
    CHECK_EQ (a[0].known[i].region, known[i]);
  CHECK_EQ (a[0].known[0].next_seen, 1);
  /* Nothing came after the last.  */
  CHECK_EQ (a[0].known[3].next_seen, 1);
  CHECK_EQ (a[0].next, 1);
  CHECK_EQ (a[1].known[0].next_seen, 3);
  CHECK_EQ (a[1].known[1].next_seen, 3);
  CHECK_EQ (a[1].known[2].next_seen, 0);
  ops->destroy (m.p);
}

static bool
is_pinned (void *data, uint32_t unit)
{
  return unit == *(uint32_t *) data;
}

static void
young_and_pinned (void)
{
  struct memory m;
  start (&m, 200, 50);
  region (&m, 0, 1000, 1, false);
  for (uint32_t i = 0; i < 200; i++)
    use (&m, i);
  uint32_t victim = ops->victim (m.p, NULL, NULL);
  CHECK_EQ (victim, 149);
  uint32_t pinned = 149;
  CHECK_EQ (ops->victim (m.p, is_pinned, &pinned), 148);
  ops->destroy (m.p);
}

/* Without tables it is HPE.  */
static void
unknown (void)
{
  struct memory m;
  start (&m, 100, 128);
  for (uint32_t i = 0; i < 2000; i++)
    use (&m, i * 7 % UNITS);
  CHECK_EQ (m.used, 100);
  CHECK_EQ (m.faults, 2000);
  for (uint32_t i = 0; i < UNITS; i++)
    if (m.there[i])
      {
	leave (&m, i);
	ops->forget (m.p, i);
      }
  CHECK_EQ (ops->victim (m.p, NULL, NULL), UMMGR_PAGING_NONE);
  ops->destroy (m.p);
}

/* The map against an array.  */
static void
map (void)
{
  static bool there[10000];
  struct unit_map m = { 0 };
  unsigned s = 1;
  CHECK (unit_map_grow (&m, 100) && unit_map_grow (&m, 10000));
  for (int i = 0; i < 100000; i++)
    {
      s = s * 1103515245u + 12345u;
      uint32_t u = (s >> 8) % 10000, end = (s >> 3) % 10000;
      if (i % 3 == 0)
	{
	  CHECK (unit_map_add (&m, u) == !there[u]);
	  there[u] = true;
	}
      else if (i % 3 == 1 && i % 40 < 38)
	{
	  CHECK (unit_map_remove (&m, u) == there[u]);
	  there[u] = false;
	}
      else if (i % 40 == 0)
	{
	  uint32_t up = u, down = u;
	  while (up < end && !there[up])
	    up++;
	  CHECK_EQ (unit_map_next (&m, u, end),
		    up < end ? up : UMMGR_PAGING_NONE);
	  while (down > end && !there[down])
	    down--;
	  CHECK_EQ (unit_map_previous (&m, u, end),
		    down >= end && there[down] ? down : UMMGR_PAGING_NONE);
	}
    }
  unit_map_free (&m);
}

/* An order that only the faults tell: the I-th unit of a sweep of 1000.  */
static uint32_t
shuffled (uint32_t i)
{
  return 100 + i * 387 % 1000;
}

/* As `sweeps', but neither up nor down.  */
static void
learned (void)
{
  struct memory m;
  start (&m, 750, 0);
  for (int r = 0; r < 10; r++)
    {
      region (&m, 100, 1100, 1, false);
      for (uint32_t i = 0; i < 1000; i++)
	use (&m, shuffled (i));
    }
  CHECK (m.faults >= 1000 + 9 * 250);
  CHECK (m.faults <= 1000 + 9 * 300);
  ops->destroy (m.p);
}

/* Two regions take turns on two objects, in the opposite order on one of them;
   the table knows nothing of the next use.  */
static void
turns (void)
{
  struct memory m;
  start (&m, 900, 0);
  for (int r = 0; r < 20; r++)
    {
      struct ummgr_paging_use u[] = {
	{ .lo = 0, .hi = 600, .region = r % 2 + 1, .next_use = -1 },
	{ .lo = 1000, .hi = 1600, .region = 2, .next_use = -1 }
      };
      ops->region (m.p, u, 1 + r % 2);
      for (uint32_t i = 0; i < 600; i++)
	{
	  use (&m, r % 2 ? 599 - i : i);
	  if (r % 2)
	    use (&m, 1000 + i);
	}
    }
  /* Of 1200 units 300 have no place, once each two regions.  */
  CHECK (m.faults <= 1200 + 9 * 450);
  ops->destroy (m.p);
}

/* Within one region, 500 units are swept again and again, while 1000 others pass
   and are done with: room for all that is needed and 200 more.  */
static void
within (void)
{
  struct memory m;
  start (&m, 720, 8);
  struct ummgr_paging_use u[] = {
    { .lo = 0, .hi = 500, .sweeps = 50, .density = 1, .next_use = 1 },
    { .lo = 1000, .hi = 2000, .sweeps = 50, .density = 1, .next_use = 1 }
  };
  ops->region (m.p, u, 2);
  for (uint32_t pass = 0; pass < 50; pass++)
    for (uint32_t i = 0; i < 500; i++)
      {
	use (&m, i);
	use (&m, 1000 + pass * 20 + i % 20);
      }
  CHECK (m.faults >= 1500);
  CHECK (m.faults <= 1500 + 300);
  ops->destroy (m.p);
}

/* The same in few sweeps: before anything comes back, the table tells what is
   swept again.  */
static void
many (void)
{
  struct memory m;
  start (&m, 720, 8);
  struct ummgr_paging_use u[] = {
    { .lo = 0, .hi = 600, .sweeps = 100, .density = 1, .next_use = 1 },
    { .lo = 1000, .hi = 1900, .sweeps = 2, .density = 1, .next_use = 1 }
  };
  ops->region (m.p, u, 2);
  for (uint32_t pass = 0; pass < 3; pass++)
    {
      for (uint32_t i = 0; i < 300; i++)
	use (&m, 1000 + pass * 300 + i);
      for (uint32_t i = 0; i < 600; i++)
	use (&m, i);
    }
  CHECK (m.faults >= 1500);
  CHECK (m.faults <= 1600);
  ops->destroy (m.p);
}

/* What a region leaves out of its object goes before what it uses.  */
static void
outside (void)
{
  struct memory m;
  start (&m, 600, 0);
  for (uint32_t r = 0; r < 3; r++)
    {
      struct ummgr_paging_use u = {
	.lo = r * 200, .hi = 600 + r * 200, .object_hi = 1000, .region = 1,
	.sweeps = 1, .density = -1, .next_use = 1
      };
      ops->region (m.p, &u, 1);
      for (uint32_t i = u.lo; i < u.hi; i++)
	use (&m, i);
    }
  CHECK_EQ (m.faults, 1000);
  ops->destroy (m.p);
}

/* Of an object the upper part is left out, in which another one lies: what leaves is
   of the one that is needed later.  Nothing is below.  */
static void
outside_above (double next_use, double other, uint32_t victim)
{
  struct memory m;
  struct ummgr_paging_use u[] = {
    { .lo = 450, .hi = 480, .region = 1, .sweeps = 1, .next_use = other },
    { .lo = 600, .hi = 800, .object_hi = 1000, .region = 1, .sweeps = 1,
      .next_use = 1 }
  };
  start (&m, 600, 0);
  ops->region (m.p, u, 2);
  for (uint32_t i = 450; i < 800; i++)
    if (i < 480 || i >= 600)
      use (&m, i);
  u[1].lo = 200;
  u[1].hi = 400;
  u[1].region = 2;
  u[1].next_use = next_use;
  ops->region (m.p, &u[1], 1);
  CHECK_EQ (ops->victim (m.p, NULL, NULL), victim);
  ops->destroy (m.p);
}

/* UNIT comes, leaves STAYED faults later and comes back after GAP more.  */
static void
comes_back (struct memory *m, uint32_t unit, uint32_t stayed, uint32_t gap)
{
  static uint32_t other = 2000;	/* Of no object.  */
  use (m, unit);
  for (uint32_t i = 0; i < stayed; i++)
    use (m, other++);
  leave (m, unit);
  for (uint32_t i = 0; i < gap - 1; i++)
    use (m, other++);
  use (m, unit);
}

/* A unit that comes back sooner than it had stayed was in use still, and one that
   comes back in the launch, if that took less than a quarter of memory; what took
   longer is used again.  */
static void
back_again (void)
{
  struct memory m;
  start (&m, 1000, 0);
  region (&m, 0, 100, 1, false);
  struct told_area *a = &m.p->area[0];
  const struct told_region *r = told_current (a);
  for (uint32_t i = 10; i < 90; i++)
    use (&m, i);
  comes_back (&m, 0, 10, 5);
  CHECK (a->span > 7 && a->span < 15 && r->back == 0);
  /* Hundred units are there: 35 faults are more than a quarter.  */
  comes_back (&m, 1, 5, 30);
  CHECK (a->span < 15 && r->back == 1);
  for (uint32_t i = 1000; i < 1400; i++)
    use (&m, i);
  comes_back (&m, 2, 5, 30);
  CHECK (a->span > 20 && r->back > 0.9 && r->back < 1);
  /* One that stayed for long left for want of others.  */
  float span = a->span;
  comes_back (&m, 3, 300, 200);
  CHECK (a->span < span && r->back > 1.8);
  /* Of the launch before: it was not used yet in this one.  */
  use (&m, 4);
  region (&m, 0, 100, 1, false);
  CHECK (r == told_current (a));
  float back = r->back;
  span = a->span;
  leave (&m, 4);
  use (&m, 2999);
  use (&m, 4);
  CHECK (a->span < span && r->back < back);
  /* Another object's memory has no past.  */
  leave (&m, 4);
  ops->forget (m.p, 4);
  CHECK_EQ (m.p->left[4], 0);
  ops->destroy (m.p);
}

/* Each unit is in use until 40 others have come, and swept again and again: the span
   is found, and little more is kept for it.  */
static void
in_flight (void)
{
  struct memory m;
  start (&m, 750, 8);
  for (int r = 0; r < 20; r++)
    {
      region (&m, 0, 1000, 1, false);
      for (uint32_t i = 0; i < 1000; i++)
	for (uint32_t k = 0; k <= 40 && k <= i; k += 8)
	  use (&m, i - k);
    }
  /* MIN has 250 and as many as are in flight.  */
  CHECK (m.faults >= 1000 + 19 * 250);
  CHECK (m.faults <= 1000 + 19 * 360);
  ops->destroy (m.p);
}

/* An object is read, another one written, and both are long overdue: what nobody
   has read stays.  */
static void
awaits_reader (void)
{
  struct memory m;
  start (&m, 300, 0);
  struct ummgr_paging_use u[] = {
    { .lo = 0, .hi = 100, .sweeps = 1, .next_use = 1, .read = true },
    { .lo = 100, .hi = 200, .sweeps = 1, .next_use = 1, .write = true }
  };
  ops->region (m.p, u, 2);
  for (uint32_t i = 0; i < 200; i++)
    use (&m, i);
  for (uint32_t r = 0; r < 4; r++)
    {
      region (&m, 1000 + 50 * r, 1050 + 50 * r, 1, false);
      for (uint32_t i = 0; i < 50; i++)
	use (&m, 1000 + 50 * r + i);
    }
  for (uint32_t i = 0; i < 100; i++)
    CHECK (!m.there[i] && m.there[100 + i]);
  ops->destroy (m.p);
}

/* What the tables say of an order: of threads that stride over pages, or of what is
   not exact, none.  */
static void
said_of_order (void)
{
  static const struct { int64_t stride; bool exact, random, down; } cases[] = {
    { 4, true, false, false }, { -4, true, false, true },
    { 4, false, true, false }, { 4096, true, true, false },
    { 4095, true, false, false }, { -4096, true, true, true }
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      struct ummgr_paging_use u = { .random = !cases[i].random };
      struct ummgr_hint h = { .locality = 20480, .stride = cases[i].stride,
			      .estimated = !cases[i].exact, .reuse_static = 3,
			      .density = 0.5, .write = true };
      ummgr_paging_use_fill (&u, &h, 10);
      CHECK_EQ (u.random, cases[i].random);
      CHECK_EQ (u.down, cases[i].down);
      CHECK_EQ (u.sweeps, 2);
      CHECK (u.next_use == 3 && u.density == 0.5 && u.write && !u.read);
      h.locality = 0;
      h.reuse_likely = 2;
      ummgr_paging_use_fill (&u, &h, 10);
      CHECK_EQ (u.next_use, 2);
      CHECK_EQ (u.sweeps, 0);
    }
}

/* Uses in no order, of which half go to a tenth of the units: not worse than if
   victims were chosen by lot, and better since some come back sooner.  */
static void
no_order (void)
{
  struct memory m;
  start (&m, 500, 8);
  struct ummgr_paging_use u = {
    .lo = 0, .hi = 1000, .sweeps = 9, .density = -1, .next_use = -1,
    .random = true
  };
  ops->region (m.p, &u, 1);
  unsigned s = 3;
  uint64_t uses = 0;
  for (; uses < 200000; uses++)
    {
      s = s * 1103515245u + 12345u;
      uint32_t r = s >> 8;
      use (&m, r % 2 ? r / 2 % 100 : r / 2 % 1000);
    }
  /* By lot, some 29 % are faults; knowing all frequencies, 25 %.  */
  CHECK (m.faults <= uses * 28 / 100);
  ops->destroy (m.p);
}

/* Random regions and uses: nothing but what is there is named.  */
static void
random_regions (void)
{
  struct memory m;
  unsigned s = 7;
  start (&m, 300, 20);
  for (int i = 0; i < 200000; i++)
    {
      s = s * 1103515245u + 12345u;
      uint32_t r = s >> 8;
      if (i % 500 == 0)
	{
	  struct ummgr_paging_use u[5];
	  for (unsigned k = 0; k < 5; k++)
	    {
	      s = s * 1103515245u + 12345u;
	      uint32_t lo = (s >> 8) % (UNITS / 50) * 50;
	      u[k] = (struct ummgr_paging_use) {
		.lo = lo, .hi = lo + (s >> 20) % 900,
		.object_lo = s & 128 ? lo / 2 : 0,
		.object_hi = s & 128 ? UNITS : 0, .region = s >> 5 & 7, .sweeps = s % 7,
		.density = -1, .next_use = s % 5 ? s % 4 - 1.0 : INFINITY,
		.down = s & 32, .random = s & 64
	      };
	    }
	  ops->region (m.p, u, r % 6);
	}
      if (r % 50 == 0 && m.there[r / 64 % UNITS])
	{
	  leave (&m, r / 64 % UNITS);
	  ops->forget (m.p, r / 64 % UNITS);
	}
      else
	use (&m, i % 2 ? (uint32_t) i / 3 % 700 : r % UNITS);
    }
  CHECK (m.used <= m.capacity);
  ops->destroy (m.p);
}

int
main (void)
{
  sweeps (false);
  sweeps (true);
  learned ();
  turns ();
  within ();
  many ();
  outside ();
  outside_above (9, 1, 600);
  outside_above (1, 4, 479);
  back_again ();
  in_flight ();
  awaits_reader ();
  said_of_order ();
  no_order ();
  order ();
  many_regions ();
  young_and_pinned ();
  unknown ();
  map ();
  random_regions ();
  return 0;
}
