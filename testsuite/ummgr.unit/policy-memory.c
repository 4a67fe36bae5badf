/* A policy that keeps memory, or that breaks where it can't have any: the same
   regions with every allocation failing once.  What it then decides may be worse,
   but is carried out like any other.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "policy-apply.h"
#include "policy-given.h"
#include "watch.h"

#include <math.h>
#include <stdlib.h>

enum { OBJECTS = 70, USED = 12, REGIONS = 150 };
#define PAGE ((size_t) 1 << 16)

static const struct ummgr_policy_ops *policy;
static struct ummgr_policy_config config;
static struct ummgr_object_view object[OBJECTS];
static struct ummgr_placed placed[OBJECTS];
static bool mapped[OBJECTS];
static struct ummgr_plan plan;
static void *state;
static uint64_t seed;

static unsigned
rnd (unsigned n)
{
  seed = seed * UINT64_C (6364136223846793005) + 1442695040888963407u;
  return (unsigned) (seed >> 33) % n;
}

static void
map (int i)
{
  struct ummgr_object_view *o = &object[i];
  size_t size = PAGE * (1 + rnd (8));
  placed[i] = (struct ummgr_placed) { UMMGR_PLACE_HOST, 0, size };
  *o = (struct ummgr_object_view) {
    .id = i + 1, .base = (i + 1) * PAGE * 16, .size = size,
    .path = UMMGR_PATH_MAPPED, .placed = &placed[i]
  };
  plan.count = 0;
  policy->on_map (state, o, &plan);
  CHECK (plan.count <= 1 && (!plan.count || plan.decisions[0].object == o));
  mapped[i] = true;
  if (plan.count)
    policy_apply (&plan);
}

static void
unmap (int i)
{
  if (policy->on_unmap)
    policy->on_unmap (state, &object[i]);
  mapped[i] = false;
}

static void
region (unsigned name)
{
  struct ummgr_object_view *used[USED];
  struct ummgr_hint hints[USED];
  size_t n = 0;
  for (int i = rnd (6); i < OBJECTS && n < USED; i += 1 + rnd (6))
    if (mapped[i])
      {
	hints[n] = (struct ummgr_hint) {
	  .known = rnd (8), .read = true, .write = true, .locality = rnd (100),
	  .density = 1, .density_most = 1, .density_sc19 = 1,
	  .density_program = 1, .global_locality = rnd (1000),
	  .reuse_static = rnd (4) ? rnd (6) : -1, .reuse_seen = -1, .name = "v"
	};
	used[n++] = &object[i];
      }
  struct ummgr_region_view view = {
    .region = 1 + name, .name = "r", .invocation = 1,
    .sequence = ++config.fault_bytes, .hints = rnd (4) ? hints : NULL
  };
  plan.count = 0;
  policy->on_region_begin (state, &view, used, n, &plan);
  policy_apply (&plan);
  if (policy->on_region_end)
    policy->on_region_end (state, &view, used, n, &plan);
  policy_apply (&plan);
}

static void
work (void)
{
  for (int i = 0; i < REGIONS; i++)
    {
      int changed = rnd (OBJECTS);
      if (!mapped[changed])
	map (changed);
      else if (rnd (6) == 0)
	unmap (changed);
      region (i % 7);
    }
  for (int i = 0; i < OBJECTS; i++)
    if (mapped[i])
      unmap (i);
}

/* Did the FAILING'th allocation fail?  */
static bool
run (long failing)
{
  seed = 1;
  config.fault_bytes = 1000;
  state = calloc (1, policy->state_size + 1);
  watch_failing = failing;
  if (!policy->init || policy->init (state, &config) == UMMGR_OK)
    {
      work ();
      if (policy->fini)
	policy->fini (state);
    }
  else
    CHECK (failing >= 0);
  bool failed = watch_failing < 0;
  watch_failing = -1;
  free (state);
  free (plan.decisions);
  plan = (struct ummgr_plan) { NULL };
  CHECK_EQ (watch_blocks, 0);
  return failed;
}

int
main (void)
{
  watch_failing = 0;
  CHECK (!ummgr_plan_add (&plan, object, 0, 1, UMMGR_PLACE_HOST,
			  UMMGR_TRANSFER_NONE, ""));
  CHECK_EQ (plan.count, 0);
  for (int i = 0; (policy = ummgr_policy_all[i]); i++)
    for (int kind = 0; kind < 4; kind++)
      {
	config = policy_config (60 * PAGE, "hybrid", kind & 1 ? UMMGR_PARTIAL_ON
				: UMMGR_PARTIAL_OFF, PAGE, 0);
	config.explain = kind & 2;
	CHECK (run (-1));
	/* Later ones are of the same kinds: some of them, but for `make check-all'.  */
	const long stride = getenv ("UMMGR_ALL") ? 1 : 7;
	for (long failing = 0; !policy->passive && run (failing); failing += failing < 150 ? 1 : stride)
	  ;
      }
  return 0;
}
