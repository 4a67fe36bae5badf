/* What goes home after a region: would break if a policy sent what the device
   uses next, or what is not its own to move.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"
#include "policy/policy.h"

#include <stdlib.h>

enum { SIZE = 1 << 20 };

static struct ummgr_plan plan;

/* What POLICY decides after a region that used OBJECT.  */
static const struct ummgr_decision *
after (const char *policy, struct ummgr_object_view *object,
       const struct ummgr_hint *hint)
{
  const struct ummgr_policy_ops *ops = ummgr_policy_find (policy);
  CHECK (ops && ops->hints && ops->on_region_end);
  struct ummgr_region_view region = { .name = "r", .hints = hint };
  plan.count = 0;
  ops->on_region_end (NULL, &region, &object, 1, &plan);
  CHECK (plan.count <= 1);
  return plan.count ? &plan.decisions[0] : NULL;
}

static void
check_policy (const char *policy)
{
  struct ummgr_placed placed = { UMMGR_PLACE_DEVICE, 4096, SIZE / 2 };
  struct ummgr_object_view object = {
    .size = SIZE, .path = UMMGR_PATH_UNIFIED, .placed = &placed
  };
  struct ummgr_hint hint = { .known = true, .host_known = true,
			     .host_next = 1 };
  const struct ummgr_decision *d = after (policy, &object, &hint);
  CHECK (d && d->object == &object && d->transfer == UMMGR_TRANSFER_HOME);
  CHECK (d->lo == 4096 && d->hi == SIZE / 2);
  placed.place = UMMGR_PLACE_ANY;
  d = after (policy, &object, &hint);
  CHECK (d && d->lo == 0 && d->hi == SIZE);
  /* It is there.  */
  placed.place = UMMGR_PLACE_HOST;
  CHECK (!after (policy, &object, &hint));
  placed.place = UMMGR_PLACE_DEVICE;
  /* Another region uses it right now.  */
  object.running = 1;
  CHECK (!after (policy, &object, &hint));
  object.running = 0;
  /* Its copy back is the map clause's.  */
  object.path = UMMGR_PATH_MAPPED;
  CHECK (!after (policy, &object, &hint));
  object.path = UMMGR_PATH_UNIFIED;
  /* As likely as not, and not known.  */
  hint.host_next = 0.5;
  CHECK (!after (policy, &object, &hint));
  hint.host_next = 1;
  hint.known = false;
  CHECK (!after (policy, &object, &hint));
  CHECK (!after (policy, &object, NULL));
}

int
main (void)
{
  for (unsigned i = 0; ummgr_policy_all[i]; i++)
    if (ummgr_policy_all[i]->hints)
      check_policy (ummgr_policy_all[i]->name);
    else
      CHECK (!ummgr_policy_all[i]->on_region_end);
  free (plan.decisions);
  return 0;
}
