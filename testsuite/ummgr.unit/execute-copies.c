/* Read-mostly pages that a policy did not want so, or not any more: the device would have a copy of
   what it is to read over the link, and who writes them takes a fault for each.  Random decisions,
   carried out on a device that only takes down what it is told of each page.  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "random.h"
#include "memory/execute.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, PAGES = 64, SIZE = PAGES * PAGE, BASE = 1 << 20 };

/* What the device knows of a page, and where a valid one is.  */
struct page
{
  bool read_mostly, preferred, kept, on_device, on_host;
};

static struct page page[PAGES];

static void
range (uintptr_t address, size_t size, unsigned *lo_p, unsigned *hi_p)
{
  *lo_p = (address - BASE) / PAGE;
  *hi_p = (address + size - BASE + PAGE - 1) / PAGE;
  CHECK (address >= BASE && *lo_p < *hi_p && *hi_p <= PAGES);
}

static enum ummgr_status
prefetch (struct ummgr_device *device, uintptr_t address, size_t size, bool to_host)
{
  unsigned lo, hi;
  (void) device;
  range (address, size, &lo, &hi);
  for (unsigned i = lo; i < hi; i++)
    {
      struct page *p = &page[i];
      p->on_device = !to_host || (p->read_mostly && p->on_device);
      p->on_host = to_host || (p->read_mostly && p->on_host);
    }
  return UMMGR_OK;
}

static enum ummgr_status
keep_on_host (struct ummgr_device *device, uintptr_t address, size_t size, bool on)
{
  unsigned lo, hi;
  (void) device;
  range (address, size, &lo, &hi);
  for (unsigned i = lo; i < hi; i++)
    page[i].kept = on;
  return UMMGR_OK;
}

/* As nvidia-uvm ends read duplication: what is at the preferred location stays, else the host's.  */
static enum ummgr_status
advise (struct ummgr_device *device, uintptr_t address, size_t size,
	enum ummgr_device_advice advice, bool on)
{
  unsigned lo, hi;
  (void) device;
  range (address, size, &lo, &hi);
  for (unsigned i = lo; i < hi; i++)
    {
      struct page *p = &page[i];
      if (advice == UMMGR_DEVICE_PREFERRED)
	p->preferred = on;
      if (advice != UMMGR_DEVICE_READ_MOSTLY)
	continue;
      p->read_mostly = on;
      if (!on && p->on_device && p->on_host)
	*(p->preferred ? &p->on_host : &p->on_device) = false;
    }
  return UMMGR_OK;
}

/* A policy that decides what the test wants.  */
static struct ummgr_decision wanted;

static void
begin (void *state, const struct ummgr_region_view *region,
       struct ummgr_object_view *const *objects, size_t count, struct ummgr_plan *plan)
{
  (void) state, (void) region, (void) objects, (void) count;
  CHECK (ummgr_plan_add (plan, wanted.object, wanted.lo, wanted.hi, wanted.place,
			 wanted.transfer, "it is wanted"));
  plan->decisions[0].copies = wanted.copies;
}

static const struct ummgr_policy_ops policy = { .name = "test", .on_region_begin = begin };
static const struct ummgr_device_ops device_ops
  = { .prefetch = prefetch, .keep_on_host = keep_on_host, .advise = advise };

struct run
{
  struct ummgr_device device;
  struct ummgr_copy copy;
  struct ummgr_object_view view;
  struct ummgr_executor executor;
};

static void
run_begin (struct run *r)
{
  struct ummgr_policy_config config = { 0 };
  *r = (struct run) { .device = { .ops = &device_ops } };
  r->copy = (struct ummgr_copy) {
    .device = &r->device, .address = BASE, .storage = UMMGR_STORAGE_UNIFIED,
    .placed = { UMMGR_PLACE_ANY, 0, SIZE }
  };
  r->view = (struct ummgr_object_view) {
    .base = BASE, .size = SIZE, .path = UMMGR_PATH_UNIFIED, .copies = &r->copy,
    .placed = &r->copy.placed
  };
  for (unsigned i = 0; i < PAGES; i++)
    page[i] = (struct page) { .on_host = true };
  CHECK (ummgr_execute_init (&r->executor, &policy, &config));
  r->executor.paged = true;
}

static void
decide (struct run *r, unsigned lo, unsigned hi, enum ummgr_place place,
	enum ummgr_transfer transfer, bool copies)
{
  struct ummgr_object_view *objects[] = { &r->view };
  struct ummgr_region_view region = { .invocation = 1, .sequence = 1 };
  wanted = (struct ummgr_decision) {
    .object = &r->view, .lo = (size_t) lo * PAGE, .hi = (size_t) hi * PAGE, .place = place,
    .transfer = transfer, .copies = copies
  };
  ummgr_execute_begin (&r->executor, &region, objects, 1);
}

static unsigned
count (bool read_mostly, bool on_device, bool on_host)
{
  unsigned n = 0;
  for (unsigned i = 0; i < PAGES; i++)
    n += page[i].read_mostly == read_mostly && page[i].on_device == on_device
      && page[i].on_host == on_host;
  return n;
}

/* The host keeps what is sent; the device keeps its own once it writes, the host once that does.  */
static void
by_hand (void)
{
  struct run r;
  run_begin (&r);
  decide (&r, 0, PAGES, UMMGR_PLACE_DEVICE, UMMGR_TRANSFER_EXPLICIT, true);
  CHECK_EQ (count (true, true, true), PAGES);
  decide (&r, 0, PAGES, UMMGR_PLACE_DEVICE, UMMGR_TRANSFER_IMPLICIT, false);
  CHECK_EQ (count (false, true, false), PAGES);
  CHECK (!page[0].preferred && !page[PAGES - 1].preferred);
  decide (&r, 0, PAGES, UMMGR_PLACE_HOST, UMMGR_TRANSFER_EXPLICIT, false);
  decide (&r, 0, PAGES / 2, UMMGR_PLACE_DEVICE, UMMGR_TRANSFER_EXPLICIT, true);
  CHECK_EQ (count (true, true, true), PAGES / 2);
  CHECK_EQ (count (false, false, true), PAGES / 2);
  decide (&r, 0, PAGES / 2, UMMGR_PLACE_DEVICE, UMMGR_TRANSFER_HOME, true);
  CHECK_EQ (count (true, true, true), PAGES / 2);
  decide (&r, 0, PAGES / 2, UMMGR_PLACE_DEVICE, UMMGR_TRANSFER_HOME, false);
  CHECK_EQ (count (false, false, true), PAGES);
  /* And again, though it is where it was to be.  */
  decide (&r, 0, PAGES / 2, UMMGR_PLACE_DEVICE, UMMGR_TRANSFER_EXPLICIT, true);
  CHECK_EQ (count (true, true, true), PAGES / 2);
  /* What leaves is the host's alone.  */
  decide (&r, PAGES / 4, PAGES / 2, UMMGR_PLACE_HOST, UMMGR_TRANSFER_EXPLICIT, false);
  CHECK_EQ (count (true, true, true), PAGES / 4);
  CHECK_EQ (count (false, false, true), PAGES - PAGES / 4);
  ummgr_execute_fini (&r.executor);
}

/* A remedy is the user's word.  */
static void
remedy (void)
{
  struct run r;
  run_begin (&r);
  CHECK_EQ (ummgr_execute_remedy (&r.executor, &r.view, 0, UMMGR_REMEDY_READ_MOSTLY), UMMGR_OK);
  decide (&r, 0, PAGES, UMMGR_PLACE_DEVICE, UMMGR_TRANSFER_EXPLICIT, false);
  CHECK_EQ (count (true, true, true), PAGES);
  decide (&r, 0, PAGES, UMMGR_PLACE_DEVICE, UMMGR_TRANSFER_HOME, false);
  CHECK_EQ (count (true, true, true), PAGES);
  ummgr_execute_fini (&r.executor);
}

/* A policy places a range, or takes its end away, as ranked.c does; each page is read-mostly if
   the last decision about it said so, and nothing is lost.  */
static void
any (uint64_t state)
{
  struct run r;
  unsigned lo = 0, hi = 0;
  bool copies = false;
  run_begin (&r);
  for (unsigned step = 0; step < 60; step++)
    {
      bool sent = random64 (&state) % 2;
      enum ummgr_transfer transfer = sent ? UMMGR_TRANSFER_EXPLICIT : UMMGR_TRANSFER_IMPLICIT;
      unsigned kind = hi > lo ? random64 (&state) % 4 : 0;
      if (kind == 0)
	{
	  unsigned to = 1 + random64 (&state) % PAGES;
	  lo = random64 (&state) % to;
	  hi = to;
	  copies = random64 (&state) % 2;
	  decide (&r, 0, PAGES, UMMGR_PLACE_HOST, UMMGR_TRANSFER_EXPLICIT, false);
	  decide (&r, lo, hi, UMMGR_PLACE_DEVICE, transfer, copies);
	}
      else if (kind == 1)
	decide (&r, lo, hi, UMMGR_PLACE_DEVICE, transfer, copies = random64 (&state) % 2);
      else if (kind == 2)
	decide (&r, lo, hi, UMMGR_PLACE_DEVICE, UMMGR_TRANSFER_HOME,
		copies = copies && random64 (&state) % 2);
      else
	{
	  unsigned to = lo + random64 (&state) % (hi - lo);
	  decide (&r, to, hi, UMMGR_PLACE_HOST, UMMGR_TRANSFER_EXPLICIT, false);
	  hi = to;
	}
      for (unsigned i = 0; i < PAGES; i++)
	{
	  bool there = i >= lo && i < hi;
	  CHECK_EQ (page[i].read_mostly, there && copies);
	  CHECK (page[i].on_device || page[i].on_host);
	  CHECK (!page[i].preferred && !(there && page[i].kept));
	  CHECK (!(page[i].on_device && page[i].on_host) || page[i].read_mostly);
	}
    }
  ummgr_execute_fini (&r.executor);
}

int
main (void)
{
  by_hand ();
  remedy ();
  for (unsigned seed = 1; seed <= 200; seed++)
    any (seed);
  return 0;
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */
