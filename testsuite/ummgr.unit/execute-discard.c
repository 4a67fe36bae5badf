/* What is of no use: values that somebody reads after the driver was told that nobody does, and what
   moves though nobody wants it.  Random programs of two objects, of which each region overwrites all
   of it or reads it, and is told what is so; against which pages have a value.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "memory/execute.h"
#include "check.h"
#include "random.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, PAGES = 64, SIZE = PAGES * PAGE, OBJECTS = 2, BASE = 1 << 20, FIRST = BASE / PAGE };

/* Of both objects, one behind the other.  */
static struct page { bool device, value; } page[OBJECTS * PAGES];
static unsigned moved, discarded;	/* Pages.  */
static bool able;

static enum ummgr_status
prefetch (struct ummgr_device *device, uintptr_t address, size_t size, bool to_host)
{
  (void) device;
  for (uintptr_t i = address / PAGE - FIRST; i < (address + size + PAGE - 1) / PAGE - FIRST; i++)
    {
      moved += page[i].value && page[i].device == to_host;
      page[i].device = !to_host;
    }
  return UMMGR_OK;
}

static enum ummgr_status
keep_on_host (struct ummgr_device *device, uintptr_t address, size_t size, bool on)
{
  (void) device, (void) address, (void) size, (void) on;
  return UMMGR_OK;
}

static enum ummgr_status
discard (struct ummgr_device *device, uintptr_t address, size_t size)
{
  (void) device;
  if (!able)
    return UMMGR_ERR_UNSUPPORTED;
  for (uintptr_t i = (address + PAGE - 1) / PAGE - FIRST; i < (address + size) / PAGE - FIRST; i++)
    {
      page[i].value = false;
      discarded++;
    }
  return UMMGR_OK;
}

static const struct ummgr_device_ops device_ops
  = { .prefetch = prefetch, .keep_on_host = keep_on_host, .discard = discard };

/* The policy decides what the test wants.  */
static struct ummgr_decision wanted[4];
static unsigned wanted_count;

static void
decide (void *state, const struct ummgr_region_view *region, struct ummgr_object_view *const *objects, size_t count,
	struct ummgr_plan *plan)
{
  (void) state, (void) region, (void) objects, (void) count;
  for (unsigned i = 0; i < wanted_count; i++)
    CHECK (ummgr_plan_add (plan, wanted[i].object, wanted[i].lo, wanted[i].hi, wanted[i].place,
			   wanted[i].transfer, "it is wanted"));
}

static struct ummgr_policy_ops policy = { .name = "test", .hints = true, .on_region_begin = decide };

struct run
{
  struct ummgr_device device;
  struct ummgr_copy copy[OBJECTS];
  struct ummgr_object_view view[OBJECTS];
  struct ummgr_executor executor;
};

static void
run_begin (struct run *r)
{
  struct ummgr_policy_config config = { 0 };
  *r = (struct run) { .device = { .ops = &device_ops } };
  for (unsigned i = 0; i < OBJECTS; i++)
    {
      r->copy[i] = (struct ummgr_copy) {
	.device = &r->device, .address = BASE + i * SIZE, .storage = UMMGR_STORAGE_UNIFIED,
	.placed = { UMMGR_PLACE_HOST, 0, SIZE }
      };
      r->view[i] = (struct ummgr_object_view) {
	.base = r->copy[i].address, .size = SIZE, .path = UMMGR_PATH_UNIFIED, .copies = &r->copy[i],
	.placed = &r->copy[i].placed
      };
    }
  for (unsigned i = 0; i < OBJECTS * PAGES; i++)
    page[i] = (struct page) { .value = true };
  moved = discarded = wanted_count = 0;
  CHECK (ummgr_execute_init (&r->executor, &policy, &config));
  r->executor.paged = true;
}

static void
want (struct run *r, unsigned object, unsigned lo, unsigned hi, enum ummgr_place place, enum ummgr_transfer transfer)
{
  wanted[wanted_count++] = (struct ummgr_decision) {
    .object = &r->view[object], .lo = lo * PAGE, .hi = hi * PAGE, .place = place, .transfer = transfer
  };
}

/* A region on OBJECT, of which HINT is known: what it reads has a value.  */
static void
region (struct run *r, unsigned object, const struct ummgr_hint *hint, bool apart)
{
  struct ummgr_object_view *views[] = { &r->view[object] };
  struct ummgr_region_view region = { .region = 1, .hints = hint, .apart = apart };
  ummgr_execute_begin (&r->executor, &region, views, 1);
  wanted_count = 0;
  for (unsigned i = object * PAGES; i < (object + 1) * PAGES; i++)
    {
      CHECK (page[i].value || hint->overwritten);
      page[i].value |= hint->write;
    }
  ummgr_execute_end (&r->executor, &region, views, 1);
}

static struct ummgr_hint
hint_of (bool read, bool overwritten, bool dead)
{
  return (struct ummgr_hint) { .known = true, .read = read, .write = true, .overwritten = overwritten,
			       .dead = dead, .host_known = true, .density = 1 };
}

#define HERE UMMGR_PLACE_DEVICE
#define AWAY UMMGR_PLACE_HOST
#define SEND UMMGR_TRANSFER_EXPLICIT

static void
by_hand (void)
{
  const struct ummgr_hint reads = hint_of (true, false, false), fills = hint_of (false, true, false),
			  last = hint_of (true, false, true), fills_last = hint_of (false, true, true);
  struct run r;
  /* It comes without a copy; what was there already stays.  */
  run_begin (&r);
  want (&r, 0, 0, PAGES, HERE, SEND);
  region (&r, 0, &fills, false);
  CHECK (moved == 0 && discarded == PAGES);
  want (&r, 0, 0, PAGES / 2, AWAY, SEND);
  region (&r, 1, &reads, false);
  CHECK (moved == PAGES / 2 && discarded == PAGES);
  want (&r, 0, 0, PAGES, HERE, SEND);
  region (&r, 0, &fills, false);
  CHECK (moved == PAGES / 2 && discarded == PAGES + PAGES / 2);
  ummgr_execute_fini (&r.executor);
  /* What is read comes, and goes.  */
  run_begin (&r);
  want (&r, 0, 0, PAGES, HERE, SEND);
  region (&r, 0, &reads, false);
  want (&r, 0, 0, PAGES, AWAY, SEND);
  region (&r, 1, &reads, false);
  CHECK (moved == 2 * PAGES && discarded == 0);
  ummgr_execute_fini (&r.executor);
  /* What is dead goes without a copy, or home.  */
  for (unsigned home = 0; home < 2; home++)
    {
      run_begin (&r);
      want (&r, 0, 0, PAGES, HERE, SEND);
      region (&r, 0, &last, false);
      CHECK (moved == PAGES && discarded == 0);
      if (home)
	want (&r, 0, 0, PAGES, HERE, UMMGR_TRANSFER_HOME);
      else
	want (&r, 0, 0, PAGES, AWAY, SEND);
      region (&r, 1, &reads, false);
      CHECK (moved == PAGES && discarded == PAGES);
      ummgr_execute_fini (&r.executor);
    }
  /* Not while it may still run, where the host may write there, or where nothing is known of the host; not in what
     shares pages, or what a remedy has settled; little of it isn't worth a call.  */
  for (unsigned k = 0; k < 6; k++)
    {
      struct ummgr_hint hint = last;
      unsigned pages = k == 5 ? 8 : PAGES;
      hint.host_writes = k == 1;
      hint.host_known = k != 2;
      run_begin (&r);
      want (&r, 0, 0, PAGES, HERE, SEND);
      region (&r, 0, &hint, k == 0);
      moved = 0;
      if (k == 3)
	r.copy[0].chunk = (struct ummgr_small_chunk *) &r;
      if (k == 4)
	r.copy[0].settled = true;
      want (&r, 0, PAGES - pages, PAGES, AWAY, SEND);
      region (&r, 1, &reads, false);
      CHECK (moved == (k == 3 || k == 4 ? 0 : pages) && discarded == 0);
      ummgr_execute_fini (&r.executor);
    }
  /* A driver that can't moves it; a policy that reads no hints has it moved.  */
  for (unsigned k = 0; k < 2; k++)
    {
      run_begin (&r);
      able = k == 0;
      policy.hints = k == 1;
      want (&r, 0, 0, PAGES, HERE, SEND);
      region (&r, 0, &fills_last, false);
      want (&r, 0, 0, PAGES, AWAY, SEND);
      region (&r, 1, &reads, false);
      CHECK (moved == 2 * PAGES && discarded == 0);
      ummgr_execute_fini (&r.executor);
    }
  able = policy.hints = true;
}

/* A program whose regions are drawn from the last to the first, so that what is told of each is so.  */
static void
any (uint64_t seed)
{
  enum { STEPS = 40 };
  struct { unsigned object; struct ummgr_hint hint; } steps[STEPS];
  uint64_t state = seed;
  struct run r;
  bool needed[OBJECTS];	/* Its next use reads it.  */
  for (unsigned i = 0; i < OBJECTS; i++)
    needed[i] = random64 (&state) % 2;
  bool at_last[OBJECTS];
  memcpy (at_last, needed, sizeof needed);
  for (unsigned k = STEPS; k-- > 0;)
    {
      bool overwrites = random64 (&state) % 2;
      unsigned o = steps[k].object = random64 (&state) % OBJECTS;
      struct ummgr_hint hint = hint_of (!overwrites, overwrites, !needed[o] && random64 (&state) % 4);
      /* The host writes all of it, or nothing is known of it: then nobody may say that it is of no use.  */
      hint.host_known = random64 (&state) % 8;
      hint.host_writes = random64 (&state) % 8 == 0;
      steps[k].hint = hint;
      needed[o] = !overwrites;
    }
  run_begin (&r);
  for (unsigned k = 0; k < STEPS; k++)
    {
      for (unsigned i = random64 (&state) % 4; i > 0; i--)
	{
	  unsigned lo = random64 (&state) % PAGES, hi = lo + 1 + random64 (&state) % (PAGES - lo);
	  want (&r, random64 (&state) % OBJECTS, lo, hi, random64 (&state) % 2 ? HERE : AWAY,
		random64 (&state) % 4 ? SEND
		: random64 (&state) % 2 ? UMMGR_TRANSFER_HOME : UMMGR_TRANSFER_IMPLICIT);
	}
      region (&r, steps[k].object, &steps[k].hint, random64 (&state) % 8 == 0);
      if (steps[k].hint.host_writes)
	for (unsigned i = 0; i < PAGES; i++)
	  page[steps[k].object * PAGES + i].value = true;
    }
  for (unsigned o = 0; o < OBJECTS; o++)
    for (unsigned i = 0; i < PAGES; i++)
      CHECK (page[o * PAGES + i].value || !at_last[o]);
  ummgr_execute_fini (&r.executor);
}

int
main (void)
{
  unsigned all = 0;
  able = true;
  by_hand ();
  for (unsigned seed = 1; seed <= 2000; seed++)
    {
      any (seed);
      all += discarded;
    }
  CHECK (all > 2000 * PAGES);
  return 0;
}
