/* After how many launches an object is used next in most cases, on graphs small
   enough to work out by hand: would break if ways that come together were not
   added up, a function returned to the wrong caller, or a distance that is only
   one of many were given out as the likely one.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include <stdbool.h>
#include "flow-build.h"

#include "check.h"

/* From region FROM to one of those whose bits are in USERS.  */
static double
likely (struct ummgr_flow *flow, const struct build *b, unsigned from,
	unsigned users)
{
  const struct ummgr_table_region *list[16];
  size_t n = 0;
  for (unsigned i = 0; i < 16; i++)
    if (users & 1u << i)
      list[n++] = &b->regions[i];
  return ummgr_flow_likely_in (flow, &b->regions[from], list, n);
}

/* SC'19 Fig. 3: loop { R0; loop { R1; R2 } }, of which the inner one goes on with
   INNER and the outer one with OUTER.  */
static void
nested_loop (double inner, double outer)
{
  struct build b;
  build_begin (&b, 3);
  build_function (&b, "main", 0);
  build_block (&b);
  build_launch (&b, 0);
  build_edge (&b, 1, 1, true);
  build_block (&b);
  build_launch (&b, 1);
  build_launch (&b, 2);
  build_edge (&b, 1, inner, true);
  build_edge (&b, 0, (1 - inner) * outer, true);
  build_edge (&b, OUT, (1 - inner) * (1 - outer), true);
  struct ummgr_flow *flow = build_flow (&b, NULL);
  CHECK (flow);
  /* O in TR0, used in TR2; F in TR2, used in TR1: as the paper has them, if the
     inner loop mostly goes on.  */
  int round = inner > 0.5 ? 0 : 1;
  CHECK (likely (flow, &b, 0, 1u << 2) == 2);
  CHECK (likely (flow, &b, 1, 1u << 1) == 2 + round);
  CHECK (likely (flow, &b, 2, 1u << 1 | 1u << 2) == 1 + round);
  /* Either way leads to a user at once, though to different ones.  */
  CHECK (likely (flow, &b, 2, 1u << 0 | 1u << 1) == 1);
  /* 1, 3, 5, ... launches: none is likely, but where the loop seldom goes on. */
  double out = likely (flow, &b, 2, 1u << 0);
  CHECK (inner < 0.4 ? out == 1 : isnan (out));
  ummgr_flow_free (flow);
}

/* loop { sum; sum; R1 }, where sum, a function, launches R0: as srad does.  A
   walk that forgot which call it is in would return to the other one half of the
   times.  */
static void
two_calls (void)
{
  struct build b;
  build_begin (&b, 2);
  build_function (&b, "main", 0);
  build_block (&b);
  build_call (&b, "sum");
  build_call (&b, "sum");
  build_launch (&b, 1);
  build_edge (&b, 0, 0.9, false);
  build_edge (&b, OUT, 0.1, false);
  build_function (&b, "sum", 0);
  build_block (&b);
  build_launch (&b, 0);
  build_edge (&b, OUT, 1, true);
  struct ummgr_flow *flow = build_flow (&b, NULL);
  CHECK (flow);
  CHECK (likely (flow, &b, 1, 1u << 1) == 3);
  CHECK (likely (flow, &b, 1, 1u << 0) == 1);
  /* From the first of them it is 2, from the second 1.  */
  CHECK (isnan (likely (flow, &b, 0, 1u << 1)));
  CHECK (likely (flow, &b, 0, 3) == 1);
  ummgr_flow_free (flow);
}

/* R0 before a loop of R1, which mostly ends: what comes after main, and a user
   that nothing leads to.  */
static void
ends (void)
{
  struct build b;
  build_begin (&b, 3);
  build_function (&b, "main", 0);
  build_block (&b);
  build_launch (&b, 0);
  build_edge (&b, 1, 0.8, false);
  build_block (&b);
  build_launch (&b, 1);
  build_edge (&b, 1, 0.3, false);
  build_edge (&b, OUT, 0.6, false);
  struct ummgr_flow *flow = build_flow (&b, NULL);
  CHECK (flow);
  CHECK (likely (flow, &b, 0, 1u << 1) == 1);
  CHECK (likely (flow, &b, 1, 1u << 1) == INFINITY);
  CHECK (likely (flow, &b, 0, 1u << 0) == INFINITY);
  CHECK (likely (flow, &b, 1, 0) == INFINITY);
  /* No launch of this one is known.  */
  CHECK (isnan (likely (flow, &b, 2, 1u << 1)));
  ummgr_flow_free (flow);
}

/* Two ways of the same length through different regions to one user; and a
   function that calls itself before it launches, which must come to an end.  */
static void
together (void)
{
  struct build b;
  build_begin (&b, 4);
  build_function (&b, "main", 0);
  build_block (&b);
  build_launch (&b, 0);
  build_edge (&b, 1, 0.5, false);
  build_edge (&b, 2, 0.5, false);
  build_block (&b);
  build_launch (&b, 1);
  build_edge (&b, 3, 1, true);
  build_block (&b);
  build_launch (&b, 2);
  build_edge (&b, 3, 1, true);
  build_block (&b);
  build_call (&b, "deep");
  build_edge (&b, OUT, 1, true);
  build_function (&b, "deep", 0);
  build_block (&b);
  build_edge (&b, 1, 0.45, false);
  build_edge (&b, 2, 0.55, false);
  build_block (&b);
  build_call (&b, "deep");
  build_edge (&b, 2, 1, true);
  build_block (&b);
  build_launch (&b, 3);
  build_edge (&b, OUT, 1, true);
  struct ummgr_flow *flow = build_flow (&b, NULL);
  CHECK (flow);
  CHECK (likely (flow, &b, 0, 1u << 3) == 2);
  CHECK (isnan (likely (flow, &b, 0, 1u << 1)));
  CHECK (likely (flow, &b, 1, 1u << 3) == 1);
  ummgr_flow_free (flow);
}

/* A loop without a launch that never ends by the guesses.  */
static void
endless (void)
{
  struct build b;
  build_begin (&b, 1);
  build_function (&b, "main", 0);
  build_block (&b);
  build_launch (&b, 0);
  build_edge (&b, 1, 1, true);
  build_block (&b);
  build_edge (&b, 1, 1, false);
  struct ummgr_flow *flow = build_flow (&b, NULL);
  CHECK (flow);
  CHECK (isnan (likely (flow, &b, 0, 1u << 0)));
  ummgr_flow_free (flow);
}

int
main (void)
{
  nested_loop (2. / 3, 0.9);
  nested_loop (0.3, 0.9);
  nested_loop (0.8, 0.999);
  two_calls ();
  ends ();
  together ();
  endless ();
  return 0;
}
