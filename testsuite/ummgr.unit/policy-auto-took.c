/* Breaks if auto doesn't bring what launches show to cost more from afar than was foreseen, if it does so
   before that has cost what coming does, or beyond what accesses can bring; if it doesn't take that back
   where the link wasn't it; or if it judges launches that aren't understood: of unknown accesses, or for
   which something moved, or beside which others ran.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "policy-apply.h"
#include "policy-given.h"
#include "policy/outcome.h"

#include <math.h>

enum { MB = 1 << 20 };

/* A launch of region 1 with one use over the link, of LINK seconds, AT MOST, and COMES; the rest is one second.  */
static void
launch (struct ummgr_outcome *o, double link, double most, double comes)
{
  o->launch = (struct ummgr_outcome_launch) {
    .region = 1, .sequence = 1, .accesses = 1000, .wait = 1e-3, .count = 1,
    .use = { { 7, link * ummgr_outcome_factor (o, 7), most, comes } }
  };
}

static void
outcomes (void)
{
  static struct ummgr_outcome o;
  double link;
  launch (&o, 0.25, 100, 1);
  CHECK (ummgr_outcome_foresees (&o, &link) == 1.25 && link == 0.25);
  /* As foreseen, and half as much again: nothing is learned of the use.  The rest takes what it took.  */
  CHECK (ummgr_outcome_took (&o, 1.25) == 1 && ummgr_outcome_took (&o, 1.875) == 1);
  CHECK (ummgr_outcome_factor (&o, 7) == 1);
  CHECK (ummgr_outcome_took (&o, 0.75) == 1 && ummgr_outcome_foresees (&o, &link) == 0.75);
  /* Each launch loses 0.75, and coming takes 1: so the second says it.  It took 4 times as much over the link.  */
  CHECK (ummgr_outcome_took (&o, 1.5) == 1);
  CHECK (ummgr_outcome_took (&o, 1.5) == 4 && ummgr_outcome_factor (&o, 7) == 4);
  launch (&o, 0.25, 100, 1);
  CHECK (ummgr_outcome_foresees (&o, &link) == 1.5 && link == 1);
  CHECK (ummgr_outcome_took (&o, 1.5) == 1);
  /* No more than its accesses bring.  */
  launch (&o, 0.25, 1.5, 1);
  CHECK (ummgr_outcome_took (&o, 50) == 1.5 && ummgr_outcome_factor (&o, 7) == 6);
  /* It came, and the launch takes less, though more than foreseen: it was right.  */
  launch (&o, 0, 0, 0);
  CHECK (ummgr_outcome_took (&o, 30) == 1 && ummgr_outcome_factor (&o, 7) == 6);
  /* Or it takes as long: that wasn't it.  */
  CHECK (ummgr_outcome_took (&o, 50) == 0 && ummgr_outcome_factor (&o, 7) == 1);
  CHECK (ummgr_outcome_foresees (&o, &link) == 50);
  CHECK (ummgr_outcome_took (&o, 80) == 1 && ummgr_outcome_took (&o, 50) == 1);
  /* Another region has its own.  */
  launch (&o, 0.25, 100, 1);
  o.launch.region = 1 + UMMGR_OUTCOME_REGIONS;
  CHECK (ummgr_outcome_foresees (&o, &link) == 1.25);
}

/* --- the policy ------------------------------------------------------------------------------- */

static struct ummgr_placed at[2];
static struct ummgr_object_view o[2];
static struct ummgr_hint hints[2];
static struct ummgr_plan plan;
static const struct ummgr_policy_ops *policy;
static void *state;
static uint64_t now, trip = 1000;

/* A and B of 8 MB, and room for one, which A has got.  A launch makes a million accesses of each, 2 ms; over the link
   each would take 8 ms.  */
static void
start (void)
{
  struct ummgr_policy_config config = policy_config (8 * MB, "hybrid", UMMGR_PARTIAL_ON, MB / 4, 1);
  config.access_seconds = 1e-7;
  config.threads = 100;
  config.remote_seconds = config.sent_seconds = 1e-9;
  config.explain = true;
  policy = ummgr_policy_find ("auto");
  state = calloc (1, policy->state_size);
  CHECK (state && policy->init (state, &config) == UMMGR_OK);
  policy->on_construct (state, 16 * MB);
  for (int i = 0; i < 2; i++)
    {
      policy_clear (&o[i], &at[i]);
      o[i].id = i;
      o[i].base = (uintptr_t) (i + 1) << 32;
      o[i].size = 8 * MB;
      o[i].path = UMMGR_PATH_MAPPED;
      hints[i] = (struct ummgr_hint) UMMGR_HINT_UNKNOWN;
      hints[i].known = hints[i].read = true;
      hints[i].name = i ? "b" : "a";
      hints[i].locality = 1e6;
      hints[i].density = hints[i].density_most = hints[i].density_sc19 = 1;
      hints[i].reuse_static = hints[i].reuse_likely = 1;
      hints[i].remote = 8 * MB;
      hints[i].remote_most = 800. * MB;
      hints[i].remote_program = INFINITY;
      policy_map_part (policy, state, &o[i], &plan);
      policy_apply (&plan);
    }
  CHECK_EQ (policy_on_device (&o[0]), 8 * MB);
}

static void
stop (void)
{
  for (int i = 0; i < 2; i++)
    policy->on_unmap (state, &o[i]);
  policy->fini (state);
  free (state);
}

static const double ms = 1e-3, use = 8 * MB * 1e-9;	/* Seconds; of a use over the link.  */

/* A region that takes TOOK; with ANOTHER beside it, that uses nothing.  Is B on the device in it?  */
static bool
runs (double took, bool another)
{
  struct ummgr_object_view *list[] = { &o[0], &o[1] };
  struct ummgr_region_view view = { .region = 1, .name = "r", .invocation = now, .sequence = ++now, .hints = hints,
				    .trip = trip };
  plan.count = 0;
  policy->on_region_begin (state, &view, list, 2, &plan);
  policy_apply (&plan);
  bool there = policy_on_device (&o[1]) == 8 * MB;
  if (another)
    {
      struct ummgr_region_view beside = { .region = 2, .name = "s", .invocation = now, .sequence = ++now };
      struct ummgr_plan none = { 0 };
      policy->on_region_begin (state, &beside, list, 0, &none);
      free (none.decisions);
    }
  view.took = took;
  plan.count = 0;
  policy->on_region_end (state, &view, list, 2, &plan);
  policy_apply (&plan);
  return there;
}

int
main (void)
{
  outcomes ();

  /* As foreseen.  */
  start ();
  for (int i = 0; i < 20; i++)
    CHECK (!runs (2 * ms + use, false));
  stop ();

  /* B takes ten times as long.  That is seen at once, so that B comes instead of A for the next, which takes 2 ms and
     A's use.  */
  start ();
  CHECK (!runs (2 * ms + 10 * use, false));
  for (int i = 0; i < 20; i++)
    CHECK (runs (2 * ms + use, false));
  stop ();

  /* So few iterations that it takes as long for want of threads; or nobody knows how many there are.  */
  start ();
  trip = 2;
  for (int i = 0; i < 20; i++)
    CHECK (!runs (100 * ms + use, false));
  stop ();
  start ();
  trip = 0;
  for (int i = 0; i < 20; i++)
    CHECK (!runs (2 * ms + 10 * use, false));
  trip = 1000;
  stop ();

  /* Nobody knows how often B is accessed; or how long it took.  */
  start ();
  hints[1].estimated = true;
  for (int i = 0; i < 20; i++)
    CHECK (!runs (2 * ms + 10 * use, false));
  stop ();
  start ();
  for (int i = 0; i < 20; i++)
    CHECK (!runs (0, false));
  stop ();

  /* Others run beside it.  */
  start ();
  for (int i = 0; i < 20; i++)
    CHECK (!runs (2 * ms + 10 * use, true));
  stop ();
  free (plan.decisions);
  return 0;
}
