/* Breaks if explicit, um, prefetch or host stop deciding as SC'19 states
   them, or if the registry and the option table disagree about names.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "base/options.h"
#include "policy-apply.h"

static struct ummgr_placed at_a, at_b, at_c;
static struct ummgr_object_view a = { .id = 1, .base = 4096, .size = 1000,
				     .placed = &at_a };
static struct ummgr_object_view b = { .id = 2, .base = 8192, .size = 2000,
				     .placed = &at_b };
static struct ummgr_object_view c = { .id = 3, .base = 16384, .size = 3000,
				     .placed = &at_c };
static struct ummgr_object_view *all[] = { &a, &b, &c };
static struct ummgr_plan plan;

static void
check_decision (size_t i, struct ummgr_object_view *o, enum ummgr_place place,
		enum ummgr_transfer transfer)
{
  CHECK (i < plan.count);
  CHECK (plan.decisions[i].object == o);
  CHECK_EQ (plan.decisions[i].lo, 0);
  CHECK_EQ (plan.decisions[i].hi, o->size);
  CHECK_EQ (plan.decisions[i].place, place);
  CHECK_EQ (plan.decisions[i].transfer, transfer);
}

static void
check_names (void)
{
  for (const struct ummgr_policy_ops *const *p = ummgr_policy_all; *p; p++)
    {
      CHECK (ummgr_policy_find ((*p)->name) == *p);
      CHECK ((*p)->description && (*p)->source);
      CHECK ((*p)->on_map && (*p)->on_region_begin);
    }
  CHECK (!ummgr_policy_find ("") && !ummgr_policy_find ("lr"));
}

static void
map_all (const struct ummgr_policy_ops *p, enum ummgr_place place,
	 enum ummgr_transfer transfer)
{
  CHECK (p);
  for (int i = 0; i < 3; i++)
    {
      policy_map (p, NULL, all[i], &plan);
      check_decision (0, all[i], place, transfer);
      policy_apply (&plan);
    }
}

int
main (void)
{
  check_names ();

  const struct ummgr_policy_ops *p = ummgr_policy_find ("explicit");
  map_all (p, UMMGR_PLACE_LIBGOMP, UMMGR_TRANSFER_NONE);
  CHECK (p->passive);
  policy_begin (p, NULL, all, 3, &plan);
  CHECK_EQ (plan.count, 0);

  p = ummgr_policy_find ("um");
  map_all (p, UMMGR_PLACE_ANY, UMMGR_TRANSFER_IMPLICIT);
  CHECK (!p->passive);
  policy_begin (p, NULL, all, 3, &plan);
  CHECK_EQ (plan.count, 0);

  /* In argument order, every time, budget or not.  */
  p = ummgr_policy_find ("prefetch");
  map_all (p, UMMGR_PLACE_ANY, UMMGR_TRANSFER_IMPLICIT);
  struct ummgr_object_view *args[] = { &c, &a };
  for (int round = 0; round < 2; round++)
    {
      policy_begin (p, NULL, args, 2, &plan);
      CHECK_EQ (plan.count, 2);
      check_decision (0, &c, UMMGR_PLACE_DEVICE, UMMGR_TRANSFER_EXPLICIT);
      check_decision (1, &a, UMMGR_PLACE_DEVICE, UMMGR_TRANSFER_EXPLICIT);
      policy_apply (&plan);
    }
  c.running = 1;
  a.pinned = true;
  policy_begin (p, NULL, args, 2, &plan);
  CHECK_EQ (plan.count, 0);
  c.running = 0;
  a.pinned = false;

  /* Host: what came otherwise goes to the host at its first region.  */
  p = ummgr_policy_find ("host");
  policy_begin (p, NULL, args, 2, &plan);
  CHECK_EQ (plan.count, 2);
  check_decision (0, &c, UMMGR_PLACE_HOST, UMMGR_TRANSFER_NONE);
  policy_apply (&plan);
  map_all (p, UMMGR_PLACE_HOST, UMMGR_TRANSFER_NONE);
  policy_begin (p, NULL, all, 3, &plan);
  CHECK_EQ (plan.count, 0);
  free (plan.decisions);
  return 0;
}
