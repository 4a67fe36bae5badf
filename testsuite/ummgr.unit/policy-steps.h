/* Random steps of a policy that ranks, each beside its reference.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include "policy-reference.h"

/* Bytes of the budget that objects have, as they are charged.  */
static int64_t
charged (void)
{
  int64_t sum = 0;
  for (int i = 0; i < N; i++)
    if (alive[i] && policy_on_device (&o[i]))
      sum += (o[i].plain || placed[i].hi < o[i].size ? (int64_t) placed[i].hi : managed_end (i)) - placed[i].lo;
  return sum;
}

static void
compare (void)
{
  for (int i = 0; i < N; i++)
    if (alive[i])
      {
	CHECK_EQ (policy_on_device (&o[i]), ref_there (i) - ref[i].lo);
	if (has (i))
	  CHECK_EQ (o[i].placed->lo, ref[i].lo);
      }
}

/* Carry the plan out; with LOSS, one decision in that many fails, and with it
   those about the same object that follow.  */
static void
carry_out (unsigned loss)
{
  bool stuck[N] = { false };
  for (size_t d = 0; d < plan.count; d++)
    {
      struct ummgr_plan one = { &plan.decisions[d], 1, 1 };
      int i = one.decisions->object->id;
      bool moves = one.decisions->lo < one.decisions->hi;
      int64_t before = charged ();
      CHECK (movable (i) || !moves);
      CHECK (!moves || !o[i].plain || one.decisions->transfer != UMMGR_TRANSFER_IMPLICIT);
      if (loss)
	stuck[i] |= rnd (loss) == 0;
      if (stuck[i])
	continue;
      policy_apply (&one);
      o[i].plain &= !moves || one.decisions->place == UMMGR_PLACE_DEVICE;
      /* What couldn't leave as the budget shrank may still be there.  */
      CHECK (loss || charged () <= (before > budget ? before : budget));
    }
  if (!loss)
    {
      ref_settle ();
      compare ();
    }
}

static void
step_map (void *state, int i, unsigned loss)
{
  ref_map (i);
  plan.count = 0;
  policy->on_map (state, &o[i], &plan);
  CHECK_EQ (plan.count, 1);
  const struct ummgr_decision d = plan.decisions[0];
  CHECK (d.object == &o[i] && d.lo == 0);
  alive[i] = true;
  if (!loss)
    {
      bool sends = which == 'a' && o[i].path == UMMGR_PATH_MAPPED;
      CHECK_EQ (d.plain, sends && ref_plain && ref[i].hi == (int64_t) o[i].size);
      CHECK_EQ (d.place, has (i) ? UMMGR_PLACE_DEVICE : UMMGR_PLACE_HOST);
      CHECK_EQ (d.transfer, !has (i) ? UMMGR_TRANSFER_NONE
		: config.transfer[0] == 'e' ? UMMGR_TRANSFER_EXPLICIT
		: sends ? UMMGR_TRANSFER_NONE : UMMGR_TRANSFER_IMPLICIT);
    }
  policy_apply (&plan);
  o[i].plain = d.plain;
  if (!loss)
    compare ();
}

/* A construct maps some of what isn't there.  */
static void
step_construct (void *state, int first, unsigned loss)
{
  int comes[3], n = 0, most = 1 + rnd (3);
  int64_t bytes = 0;
  for (int i = first; i < N && n < most; i++)
    if (!alive[i])
      {
	policy_clear (&o[i], &placed[i]);
	o[i].id = i;
	o[i].base = 4096 * (1 + i);
	o[i].size = rnd (4) ? 1 + rnd (rnd (8) ? 40 * UNIT : 130 * UNIT) : 8 * UNIT;
	o[i].path = rnd (3) ? UMMGR_PATH_MAPPED : UMMGR_PATH_UNIFIED;
	o[i].devices = o[i].path == UMMGR_PATH_UNIFIED && rnd (3) == 0;
	bytes += o[i].size;
	comes[n++] = i;
      }
  if (policy->on_construct && (which == 'a' || rnd (3) == 0))
    {
      bytes += rnd (2) ? rnd (100 * UNIT) : 0;
      ref_construct (bytes);
      policy->on_construct (state, bytes);
    }
  for (int k = 0; k < n; k++)
    {
      for (int l = k + 1; l < n; l++)
	if (o[comes[l]].path == UMMGR_PATH_MAPPED && o[comes[l]].size < o[comes[k]].size)
	  o[comes[k]].ahead += o[comes[l]].size;
      step_map (state, comes[k], loss);
    }
}

/* --- regions -------------------------------------------------------------- */

static struct
{
  double turns, over;
  bool known;			/* And the same memory in each.  */
} loops[3];
static uint64_t loops_begun;

/* A loop begins, or a turn of one is over.  */
static void
step_loop (void)
{
  if (depth < 3 && rnd (2))
    {
      loops[depth].turns = 1 + rnd (6);
      loops[depth].over = 0;
      loops[depth].known = rnd (5) > 0;
      nest[depth++] = ++loops_begun;
      CHECK (loops_begun < LOOPS);
    }
  else if (depth)
    {
      depth = 1 + rnd (depth);
      depth -= ++loops[depth - 1].over == loops[depth - 1].turns;
    }
}

/* The loops that VIEW is in, as policy.h has them.  */
static void
view_loops (struct ummgr_region_view *view)
{
  double left = 1, all = 1;
  view->loop = depth ? nest[depth - 1] : 0;
  for (int l = depth - 1; l >= 0 && loops[l].known; l--)
    {
      left += (loops[l].turns - loops[l].over - 1) * all;
      all *= loops[l].turns;
      view->loops[view->loop_count++] = (struct ummgr_region_loop) { left, nest[l] };
    }
}

static unsigned ranges;		/* Of so many hints one says what range it is of.  */

static struct ummgr_hint
random_hint (int i)
{
  static const char *const names[] = { "a", "b", "c", NULL };
  static const double reuse[] = { -1, 1, 2, 3, 3, 5, 40, INFINITY, 0.5 };
  struct ummgr_hint h = {
    .known = rnd (6) > 0, .density = rnd (3) ? rnd (100) / 100.0 : -1,
    .density_most = rnd (3) ? 0 : rnd (150) / 100.0,
    .density_sc19 = rnd (2) ? rnd (200) / 10.0 : -1, .estimated = rnd (2),
    .density_program = rnd (2) ? rnd (100) / 100.0 : -1,
    .host_known = rnd (2), .host_next = rnd (5) / 4.0,
    .locality = rnd (4), .global_locality = i % 4,
    .reuse_static = reuse[rnd (9)], .reuse_likely = rnd (3) ? 0 : 1 + rnd (4), .reuse_seen = -1,
    .scatter = rnd (4) ? 0 : 1 + rnd (200),
    .read = rnd (4) > 0, .write = rnd (4) == 0, .name = names[i % 4],
    .overwritten = rnd (3) == 0, .dead = rnd (3) == 0, .host_writes = rnd (3) == 0
  };
  if (rnd (2))
    {
      h.remote = (double) (1 + rnd (o[i].size)) * (rnd (4) ? 1 : 6);
      h.remote_most = rnd (5) ? h.remote + rnd (1 + o[i].size / 4) : INFINITY;
      h.remote_program = h.remote * (1 + rnd (3));
    }
  if (rnd (ranges) == 0)
    {
      h.lo = rnd (o[i].size);
      h.hi = h.lo + rnd (o[i].size);
    }
  return h;
}

/* How each of REGION's objects comes.  */
static void
check_transfers (const struct ummgr_region_view *view, const int *args, int n)
{
  for (size_t d = 0; d < plan.count; d++)
    {
      const struct ummgr_decision *one = &plan.decisions[d];
      int k = 0;
      if (one->place == UMMGR_PLACE_HOST || one->lo == one->hi)
	continue;
      while (k < n && args[k] != (int) one->object->id)
	k++;
      CHECK (k < n);
      const struct ummgr_hint *h = &view->hints[k];
      if (one->transfer == UMMGR_TRANSFER_IMPLICIT)
	CHECK (!ref[args[k]].sends);
      else
	CHECK (ref[args[k]].sends || (config.transfer[0] == 'h' && one->lo >= h->lo && one->hi <= h->hi));
    }
}

/* A region; and maybe one that begins before it ends.  */
static void
step_region (void *state, unsigned loss, bool alone)
{
  int args[N], n = 0, most = 1 + rnd (5);
  struct ummgr_object_view *objects[N + 1];
  struct ummgr_hint hints[N + 1];
  for (int tries = 0; tries < 30 && n < most; tries++)
    {
      int i = rnd (N);
      bool twice = false;
      for (int j = 0; j < n; j++)
	twice |= args[j] == i;
      if (alive[i] && !twice)
	args[n++] = i;
    }
  for (int i = 0; i < n; i++)
    {
      objects[i] = &o[args[i]];
      hints[i] = random_hint (args[i]);
    }
  if (n == 0)
    return;
  /* Given twice is given once.  */
  objects[n] = objects[0];
  hints[n] = hints[0];
  struct ummgr_region_view view
    = { .region = 1 + rnd (NAMES - 1), .name = "r",
	.invocation = 1, .sequence = ++now, .hints = hints, .trip = rnd (8) ? 1 + rnd (300) : 0,
	.first = rnd (4) ? NULL : objects[rnd (n)] };
  int given = n + rnd (2);
  view_loops (&view);
  plan.count = 0;
  policy->on_region_begin (state, &view, objects, given, &plan);
  if (by_distance ())
    ummgr_seen_begin (seen, view.region, now);
  region = view;
  if (!loss)
    {
      ref_region (args, hints, n);
      check_transfers (&view, args, n);
    }
  carry_out (loss);
  static const double times[] = { 0, 0.5, 1, 1.4, 2, 3, 20 };
  view.took = times[rnd (7)] * (loss ? 1e-3 : ref_foreseen ());
  if (alone && rnd (8) == 0)
    {
      for (int i = 0; i < n; i++)
	o[args[i]].running++;
      step_region (state, loss, false);
      for (int i = 0; i < n; i++)
	o[args[i]].running--;
    }
  region = view;
  ref_took (view.took);
  plan.count = 0;
  policy->on_region_end (state, &view, objects, n, &plan);
  for (size_t d = 0; d < plan.count; d++)
    CHECK_EQ (plan.decisions[d].transfer, UMMGR_TRANSFER_HOME);
}

/* An allocation needs room, or somebody else the budget's, while a region runs that ends then.  */
static void
step_leave (void *state, unsigned loss)
{
  int64_t bytes = 1 + rnd (3 * UNIT), runs = 1 + rnd (3);
  for (int i = 0; i < N; i++)
    o[i].running += i % runs > 0;
  plan.count = 0;
  if (rnd (2))
    policy->on_pressure (state, bytes, &plan);
  else
    {
      budget = (int64_t) (rnd (2) ? 20 + rnd (200) : rnd (20)) * UNIT + rnd (UNIT);
      bytes = -free_bytes ();
      policy->on_budget (state, budget, &plan);
    }
  ref_evict (bytes);
  carry_out (loss);
  for (int i = 0; i < N; i++)
    o[i].running -= i % runs > 0;
}

/* Object ONE goes, or ALL do.  */
static void
step_unmap (void *state, int one, bool all)
{
  for (int i = all ? 0 : one; i < (all ? N : one + 1); i++)
    if (alive[i])
      {
	policy->on_unmap (state, &o[i]);
	CHECK (!o[i].mark.record);
	alive[i] = false;
	ref_set (i, 0, 0);
      }
}

static void
step (void *state, unsigned loss)
{
  int i = rnd (N);
  if (!alive[i])
    step_construct (state, i, loss);
  else if (rnd (12) == 0)
    step_unmap (state, i, rnd (20) == 0);
  else if (rnd (20) == 0)
    o[i].running = !o[i].running;
  else if (rnd (40) == 0)
    o[i].pinned = true;
  else if (rnd (10) == 0)
    o[i].over = o[i].path == UMMGR_PATH_UNIFIED && !o[i].over;
  else if (rnd (15) == 0)
    step_leave (state, loss);
  else if (rnd (4) == 0)
    step_loop ();
  else
    step_region (state, loss, true);
}

static void
round_of (const char *name, int number)
{
  static const char *const transfers[] = { "hybrid", "explicit", "implicit" };
  unsigned loss = number % 7 == 6 ? 4 : 0;
  budget = (int64_t) (20 + rnd (200)) * UNIT + rnd (UNIT);
  which = name[0] == 'r' ? (name[1] == 'd' ? 'd' : 'r') : name[0];
  config = policy_config (budget, transfers[rnd (3)], number % 3, UNIT, number % 5 ? rnd (2) ? 1000000 : 3000 : 0);
  /* Auto divides objects in any case.  */
  partial = which == 'a' ? UMMGR_PARTIAL_ON : config.partial;
  config.explain = number % 2;
  config.discards = discards = rnd (2);
  config.remote_seconds = rnd (4) * 0.7 * config.sent_seconds;
  config.granule = rnd (2) ? UNIT : UNIT / 32;
  config.launch_seconds = 1e-5;
  config.access_seconds = rnd (4) ? 1e-2 : 0;
  config.threads = 100;
  weighs = config.fault_bytes && config.transfer[0] == 'h';
  granule = which == 'a' ? config.granule : 1;
  dear = config.remote_seconds / config.sent_seconds;
  policy = ummgr_policy_find (name);
  void *state = calloc (1, policy->state_size);
  CHECK (policy->init (state, &config) == UMMGR_OK);
  seen = ummgr_seen_new ();
  memset (&said, 0, sizeof said);
  memset (alive, 0, sizeof alive);
  memset (ref, 0, sizeof ref);
  memset (factors, 0, sizeof factors);
  memset (took_region, 0, sizeof took_region);
  for (int i = 0; i < N; i++)
    policy_clear (&o[i], &placed[i]);
  ref_clock = now = loops_begun = 0;
  waits = ref_plain = false;
  depth = 0;
  ranges = 1 + rnd (3);
  ref_part = -1;
  for (int i = 0; i < 1500; i++)
    step (state, loss);
  policy->fini (state);
  free (state);
  ummgr_seen_free (seen);
}
