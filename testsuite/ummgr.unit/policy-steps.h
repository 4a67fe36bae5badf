/* Random steps of a policy that ranks, each beside its reference.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include "policy-reference.h"

static void
compare (void)
{
  int64_t total = 0;
  for (int i = 0; i < N; i++)
    if (alive[i])
      {
	CHECK_EQ (policy_on_device (&o[i]), has (i));
	if (has (i))
	  CHECK_EQ (o[i].placed->lo, ref[i].lo);
	total += has (i);
      }
  CHECK (total <= budget);
}

static void
step_map (void *state, int i)
{
  policy_clear (&o[i], &placed[i]);
  o[i].id = i;
  o[i].base = 4096 * (1 + i);
  o[i].size = 1 + rnd (rnd (8) ? 40 * UNIT : 130 * UNIT);
  o[i].path = rnd (2) ? UMMGR_PATH_MAPPED : UMMGR_PATH_UNIFIED;
  if (which == 'd' && rnd (3) == 0)
    {
      int64_t bytes = o[i].size + rnd (100 * UNIT);
      waits = partial != UMMGR_PARTIAL_PAPER && bytes > free_bytes ();
      policy->on_construct (state, bytes);
    }
  bool fits = free_bytes () >= (int64_t) o[i].size && !(waits && o[i].path == UMMGR_PATH_MAPPED);
  policy_map (policy, state, &o[i], &plan);
  policy_apply (&plan);
  alive[i] = true;
  ref[i].lo = 0;
  ref[i].hi = fits ? o[i].size : 0;
  ref[i].used = ref[i].written = false;
  ref[i].uses = ref[i].count = ref[i].last = 0;
  memset (ref[i].promise, 0, sizeof ref[i].promise);
  ref[i].most_lo = ref[i].most_hi = ref[i].lost_lo = ref[i].lost_hi = 0;
  ref[i].moves_back = false;
  ref[i].remote = ref[i].missed = 0;
  ref[i].global = -1;
  ref[i].distance = which == 'd' ? FAR : which == 'g' ? 0 : INFINITY;
  ref[i].value = which == 'd' || which == 'g' ? -1 : 0;
  ref[i].recency = ++ref_clock;
}

static struct ummgr_hint
random_hint (int i)
{
  static const char *const names[] = { "a", "b", "c", NULL };
  static const double reuse[] = { -1, 1, 2, 3, 3, 5, 40, INFINITY, 0.5 };
  struct ummgr_hint h = {
    .known = rnd (6) > 0, .density = rnd (3) ? rnd (100) / 100.0 : -1,
    .density_sc19 = rnd (2) ? rnd (200) / 10.0 : -1, .estimated = rnd (2),
    .density_program = rnd (2) ? rnd (100) / 100.0 : -1,
    .host_known = rnd (2), .host_next = rnd (5) / 4.0,
    .locality = rnd (4), .global_locality = i % 4,
    .reuse_static = reuse[rnd (9)], .reuse_seen = -1,
    .read = rnd (4) > 0, .write = rnd (4) == 0, .name = names[i % 4],
    .overwritten = rnd (3) == 0, .dead = rnd (3) == 0, .host_writes = rnd (3) == 0
  };
  if (rnd (3) == 0)
    {
      h.remote = 1 + rnd (o[i].size);
      h.remote_most = rnd (5) ? h.remote + rnd (1 + o[i].size / 4) : INFINITY;
      h.remote_program = h.remote * (1 + rnd (3));
    }
  if (rnd (3) == 0)
    {
      h.lo = rnd (o[i].size);
      h.hi = h.lo + rnd (o[i].size);
    }
  return h;
}

/* Carry the plan out; with LOSS, one decision in that many fails, and with it
   those about the same object that follow.  */
static void
carry_out (const bool *frozen, unsigned loss)
{
  bool stuck[N] = { false };
  for (size_t d = 0; d < plan.count; d++)
    {
      struct ummgr_plan one = { &plan.decisions[d], 1, 1 };
      CHECK (!frozen[one.decisions->object->id]
	     || one.decisions->lo == one.decisions->hi);
      if (loss)
	stuck[one.decisions->object->id] |= rnd (loss) == 0;
      if (stuck[one.decisions->object->id])
	continue;
      policy_apply (&one);
      int64_t sum = 0;
      for (int i = 0; i < N; i++)
	sum += alive[i] ? policy_on_device (&o[i]) : 0;
      CHECK (loss || sum <= budget);
    }
}

static void
step_region (void *state, unsigned loss)
{
  int args[N], n = 0, most = 1 + rnd (5), name = 1 + rnd (4);
  struct ummgr_object_view *objects[N + 1];
  struct ummgr_hint hints[N + 1];
  bool frozen[N];
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
  for (int i = 0; i < N; i++)
    frozen[i] = !movable (i);
  /* Given twice is given once.  */
  objects[n] = objects[0];
  hints[n] = hints[0];
  struct ummgr_region_view region
    = { .region = name, .name = "r",
	.invocation = 1, .sequence = ++now, .hints = hints };
  plan.count = 0;
  policy->on_region_begin (state, &region, objects, n + rnd (2), &plan);
  carry_out (frozen, loss);
  if (which == 'd')
    ummgr_seen_begin (seen, name, now);
  region_name = name;
  if (!loss)
    ref_region (args, hints, n);
}

static void
step_pressure (void *state)
{
  bool frozen[N];
  for (int i = 0; i < N; i++)
    frozen[i] = !movable (i);
  plan.count = 0;
  policy->on_pressure (state, 1, &plan);
  int left = -1;
  if (plan.count)
    left = plan.decisions[0].object->id;
  CHECK (plan.count <= 1);
  carry_out (frozen, 0);
  for (int i = 0; i < N; i++)
    if (alive[i] && movable (i) && has (i))
      {
	CHECK (left >= 0);
	/* No other was worse.  */
	CHECK (i == left
	       || !ref_worse (ref[i].distance, ref[i].value, ref[i].recency,
			      ref[left].distance, ref[left].value,
			      ref[left].recency));
      }
  /* The last byte's unit, or all of it.  */
  int64_t stays = left >= 0 && partial == UMMGR_PARTIAL_ON ? (has (left) - 1) / UNIT * UNIT : 0;
  if (left >= 0)
    ref_set (left, stays ? ref[left].lo : 0, stays ? ref[left].lo + stays : 0);
}

static void
step (void *state, unsigned loss)
{
  int i = rnd (N);
  if (!alive[i])
    step_map (state, i);
  else if (rnd (12) == 0)
    {
      policy->on_unmap (state, &o[i]);
      CHECK (!o[i].mark.record);
      alive[i] = false;
      ref_set (i, 0, 0);
      o[i].pinned = false;
      o[i].running = 0;
    }
  else if (rnd (20) == 0)
    o[i].running = !o[i].running;
  else if (rnd (40) == 0)
    o[i].pinned = true;
  else if (rnd (30) == 0 && !loss)
    step_pressure (state);
  else
    step_region (state, loss);
  if (!loss)
    compare ();
}

static void
round_of (const char *name, int number)
{
  static const char *const transfers[] = { "hybrid", "explicit", "implicit" };
  unsigned loss = number % 7 == 6 ? 4 : 0;
  budget = (int64_t) (20 + rnd (200)) * UNIT + rnd (UNIT);
  partial = number % 3;
  struct ummgr_policy_config config
    = policy_config (budget, transfers[rnd (3)], partial, UNIT,
		     number % 5 ? 1000000 : 0);
  config.explain = number % 2;
  config.discards = discards = rnd (2);
  weighs = config.fault_bytes && config.transfer[0] == 'h';
  policy = ummgr_policy_find (name);
  which = name[0] == 'r' ? (name[1] == 'd' ? 'd' : 'r') : name[0];
  void *state = calloc (1, policy->state_size);
  CHECK (policy->init (state, &config) == UMMGR_OK);
  seen = ummgr_seen_new ();
  memset (&said, 0, sizeof said);
  memset (alive, 0, sizeof alive);
  memset (ref, 0, sizeof ref);
  for (int i = 0; i < N; i++)
    policy_clear (&o[i], &placed[i]);
  ref_clock = now = 0;
  waits = false;
  ref_part = -1;
  for (int i = 0; i < 1500; i++)
    step (state, loss);
  policy->fini (state);
  free (state);
  ummgr_seen_free (seen);
}
