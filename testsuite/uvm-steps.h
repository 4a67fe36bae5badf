/* Random operations on unified memory, by whoever has one, and on the slow model: a
   wrong residency, count or order of eviction shows with its seed and step.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include "check.h"
#include "uvm-model.h"

#include <stdbool.h>
#include <stdint.h>

#define MAX_ALLOCS 24
#define MAX_PLAIN 6

/* What is tested: each does to the real thing what the steps do to the model.
   Devices: -1 is the host.  */
struct real
{
  void (*alloc) (struct object *o, size_t bytes);
  void (*free) (struct object *o);
  /* BYTES of D's memory for something else, in SLOT; false: there is no room.  */
  int (*take) (int slot, int d, size_t bytes);
  void (*give) (int slot);
  void (*touch) (struct object *o, int page, int d, int write);
  int (*prefetch) (struct object *o, int lo, int hi, int d);
  void (*advise) (struct object *o, int lo, int hi, int advice, int d);
  /* The driver copies pages [LO, HI), from the host or to it; NULL: it can't.  */
  void (*copy_in) (struct object *o, int lo, int hi);
  void (*copy_out) (struct object *o, int lo, int hi);
  void (*launch) (int d, int begin);
  struct ummgr_counters (*counters) (int d);
  unsigned (*holders) (const struct object *o, int page);
  void (*check) (void);		/* Its own books.  */
  /* D's COUNT faults are served at once; NULL: it can't.  */
  struct batch (*serve) (const struct fault *f, int count, int d);
  /* What pages [LO, HI) have is of no use; NULL: it can't.  */
  void (*discard) (struct object *o, int lo, int hi);
};

static const struct real *real;
static bool modelled = true;	/* Else only REAL itself compares.  */
static struct object objects[MAX_ALLOCS];
static struct { int device; size_t bytes; } plain[MAX_PLAIN];
static uint64_t random_state;
static unsigned seed;
static long step;

static void
differs (const char *what, double got, double wanted)
{
  fprintf (stderr, "seed %u step %ld: %s: %.15g, model %.15g\n", seed, step,
	   what, got, wanted);
  abort ();
}

static unsigned
rnd (unsigned n)
{
  random_state = random_state * 6364136223846793005UL + 1442695040888963407UL;
  return (random_state >> 33) % n;
}

static struct object *
pick (void)
{
  for (int tries = 0; tries < 50; tries++)
    {
      struct object *o = &objects[rnd (MAX_ALLOCS)];
      if (o->page)
	return o;
    }
  return NULL;
}

static void
step_alloc (void)
{
  struct object *o = &objects[rnd (MAX_ALLOCS)];
  if (o->page)
    return;
  size_t size = 1 + rnd (5 * block_pages * PAGE / 2);
  model_object (o, (size + PAGE - 1) / PAGE, rnd (devices));
  real->alloc (o, size);
}

static void
step_free (void)
{
  struct object *o = pick ();
  if (!o || rnd (3))
    return;
  real->free (o);
  model_free (o);
}

static void
step_plain (void)
{
  int k = rnd (MAX_PLAIN), d = rnd (devices);
  if (plain[k].bytes)
    {
      plain_used[plain[k].device] -= plain[k].bytes;
      plain[k].bytes = 0;
      real->give (k);
      return;
    }
  size_t size = 1 + rnd (capacity[d] / (rnd (8) ? 4 : 1));
  size_t cost = (size + 511) / 512 * 512;
  int fits = model_take (d, cost), got = real->take (k, d, size);
  if (modelled)
    CHECK_EQ (!!got, fits);
  if (!got)
    return;
  plain[k].device = d;
  plain[k].bytes = cost;
}

/* Touch some pages of some object.  */
static void
touch_some (int d)
{
  struct object *o = pick ();
  if (!o)
    return;
  int i = rnd (o->pages), count = rnd (4) ? 1 : 1 + rnd (2 * block_pages);
  int write = rnd (2);
  for (int k = i; k < o->pages && k < i + count; k++)
    {
      if (d < 0)
	model_cpu (o, k, write);
      else
	model_gpu (o, k, d, write);
      real->touch (o, k, d, write);
    }
}

/* A batch of faults, many of them in few blocks.  */
static void
serve_some (int d)
{
  struct fault f[64];
  int count = 1 + rnd (64);
  struct object *o = NULL;
  for (int i = 0; i < count; i++)
    {
      if (!o || !rnd (8))
	o = pick ();
      if (!o)
	return;
      f[i] = i && !rnd (4) ? f[rnd (i)] : (struct fault) { o, rnd (o->pages), 0 };
      f[i].write = !rnd (3);
    }
  struct batch wanted = model_serve (d, f, count), got = real->serve (f, count, d);
  if (!modelled)
    return;
  CHECK_EQ (got.pages, wanted.pages);
  CHECK_EQ (got.same, wanted.same);
  CHECK_EQ (got.blocks, wanted.blocks);
  if (fabs (got.seconds - wanted.seconds) > 1e-9 * wanted.seconds)
    differs ("seconds of a batch", got.seconds, wanted.seconds);
}

static void
step_launch (void)
{
  int d = rnd (devices), batches = real->serve && rnd (2);
  model_launch_begin (d);
  real->launch (d, 1);
  for (int n = rnd (6); n > 0; n--)
    (batches ? serve_some : touch_some) (d);
  real->launch (d, 0);
  model_launch_end (d);
}

static void
step_cpu (void)
{
  touch_some (-1);
}

static void
step_prefetch (void)
{
  struct object *o = pick ();
  if (!o)
    return;
  int lo = rnd (o->pages), hi = lo + 1 + rnd (o->pages - lo);
  int d = (int) rnd (devices + 1) - 1;
  int ok = model_prefetch (o, lo, hi, d);
  int got = real->prefetch (o, lo, hi, d);
  if (modelled)
    CHECK_EQ (!!got, ok);
}

static void
step_advise (void)
{
  struct object *o = pick ();
  if (!o)
    return;
  int lo = rnd (o->pages), hi = lo + 1 + rnd (o->pages - lo);
  int advice = 1 + rnd (6), d = (int) rnd (devices + 1) - 1;
  model_advise (o, lo, hi, advice, d);
  real->advise (o, lo, hi, advice, d);
}

static void
step_discard (void)
{
  struct object *o = pick ();
  if (!o || !real->discard)
    return;
  int lo = rnd (o->pages), hi = lo + 1 + rnd (o->pages - lo);
  model_discard (o, lo, hi);
  real->discard (o, lo, hi);
}

/* Host buffer to managed memory, or back.  */
static void
step_copy (void)
{
  struct object *o = pick ();
  if (!o)
    return;
  int lo = rnd (o->pages), n = 1 + rnd (o->pages - lo);
  int hi = lo + (n > 64 ? 64 : n), out = rnd (2);
  if (!real->copy_in)
    return;
  if (out)
    model_copy_out (o, lo, hi);
  else
    model_copy_in (o, lo, hi);
  (out ? real->copy_out : real->copy_in) (o, lo, hi);
}

static void
compare_pages (void)
{
  for (int k = 0; k < MAX_ALLOCS; k++)
    for (int i = 0; objects[k].page && i < objects[k].pages; i++)
      {
	unsigned holders = real->holders (&objects[k], i);
	/* Bit 16: the CPU has it mapped.  */
	unsigned wanted = objects[k].page[i].holders
			  | (unsigned) objects[k].page[i].on_cpu << 16;
	if (modelled && holders != wanted)
	  differs ("holders of a page", holders, wanted);
      }
  real->check ();
}

/* After model_begin.  */
static inline void
run_steps (const struct real *r, long steps, unsigned s)
{
  static void (*const kinds[]) (void)
    = { step_alloc, step_alloc, step_free, step_plain, step_launch,
	step_launch, step_cpu, step_cpu, step_prefetch, step_advise,
	step_copy, step_discard };
  real = r;
  seed = random_state = s;
  memset (objects, 0, sizeof objects);
  memset (plain, 0, sizeof plain);
  for (step = 0; step < steps; step++)
    {
      kinds[rnd (sizeof kinds / sizeof *kinds)]();
      for (int d = 0; d < devices; d++)
	{
	  struct ummgr_counters got = real->counters (d);
	  if (modelled)
	    model_compare (d, &got, differs);
	}
      if (step % 64 == 0)
	compare_pages ();
    }
  compare_pages ();
}
