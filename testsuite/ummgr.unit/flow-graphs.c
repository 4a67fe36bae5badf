/* Frequencies and distances of graphs small enough to work out by hand: would
   break if a call, a loop, a recursion or a way out were counted wrongly.  */
/* { dg-do run } */

#include <stdbool.h>
#include "flow-build.h"

#include "check.h"

static double
frequency (struct ummgr_flow *flow, const struct build *b, unsigned region)
{
  return ummgr_flow_frequency_in (flow, &b->regions[region]);
}

static double
distance (struct ummgr_flow *flow, const struct build *b, unsigned from,
	  unsigned to, double *p)
{
  return ummgr_flow_distance_in (flow, &b->regions[from], &b->regions[to], p);
}

/* R0; R1.  */
static void
straight_line (void)
{
  struct build b;
  double p;
  build_begin (&b, 3);
  build_function (&b, "main", 0);
  build_block (&b);
  build_launch (&b, 0);
  build_launch (&b, 1);
  build_edge (&b, OUT, 1, true);
  struct ummgr_flow *flow = build_flow (&b, NULL);
  CHECK (flow);
  CHECK (frequency (flow, &b, 0) == 1);
  CHECK (ummgr_flow_flags_in (flow, &b.regions[1])
	 == (UMMGR_FLOW_KNOWN | UMMGR_FLOW_EXACT));
  CHECK (distance (flow, &b, 0, 1, &p) == 1 && p == 1);
  CHECK (distance (flow, &b, 1, 0, &p) == INFINITY && p == 0);
  CHECK (ummgr_flow_distance_in (flow, NULL, &b.regions[1], &p) == 2);
  CHECK (p == 1);
  /* No launch of the third was seen; the fourth is of another program.  */
  CHECK (isnan (frequency (flow, &b, 2)) && isnan (frequency (flow, &b, 3)));
  CHECK (isnan (distance (flow, &b, 0, 2, &p)) && isnan (p));
  ummgr_flow_free (flow);
}

/* SC'19 Fig. 3: loop N { R0; loop M { R1; R2 } }.  */
static void
nested_loop (double n, double m)
{
  struct build b;
  double p;
  build_begin (&b, 3);
  build_function (&b, "main", 0);
  build_block (&b);
  build_launch (&b, 0);
  build_edge (&b, 1, 1, true);
  build_block (&b);
  build_launch (&b, 1);
  build_launch (&b, 2);
  build_edge (&b, 1, 1 - 1 / m, true);
  build_edge (&b, 0, 1 / m * (1 - 1 / n), true);
  build_edge (&b, OUT, 1 / m / n, true);
  struct ummgr_flow *flow = build_flow (&b, NULL);
  CHECK (flow);
  CHECK (is_near (frequency (flow, &b, 0), n));
  CHECK (is_near (frequency (flow, &b, 1), n * m));
  CHECK (is_near (frequency (flow, &b, 2), n * m));
  CHECK (distance (flow, &b, 1, 2, &p) == 1 && p == 1);
  CHECK (is_near (distance (flow, &b, 0, 2, &p), 2));
  /* 2 (M - 1) more launches in the mean, then R0; the way out is the same
     however long that took.  */
  CHECK (is_near (distance (flow, &b, 2, 0, &p), 2 * (m - 1) + 1));
  CHECK (is_near (p, 1 - 1 / n));
  /* At once, or after R0.  */
  double once = 1 - 1 / m, later = 1 / m * (1 - 1 / n);
  CHECK (is_near (distance (flow, &b, 2, 1, &p),
		  (once + 2 * later) / (once + later)));
  CHECK (is_near (p, once + later));
  ummgr_flow_free (flow);
}

/* R0, then R1 with 0.3 or R2 with 0.6 or exit, then R3.  */
static void
branch (void)
{
  struct build b;
  double p;
  build_begin (&b, 4);
  build_function (&b, "main", 0);
  build_block (&b);
  build_launch (&b, 0);
  build_edge (&b, 1, 0.3, false);
  build_edge (&b, 2, 0.6, false);
  for (unsigned i = 1; i < 4; i++)
    {
      build_block (&b);
      build_launch (&b, i);
      build_edge (&b, i == 3 ? OUT : 3, 1, true);
    }
  struct ummgr_flow *flow = build_flow (&b, NULL);
  CHECK (is_near (frequency (flow, &b, 2), 0.6));
  CHECK (is_near (frequency (flow, &b, 3), 0.9));
  CHECK (ummgr_flow_flags_in (flow, &b.regions[0]) & UMMGR_FLOW_EXACT);
  CHECK (!(ummgr_flow_flags_in (flow, &b.regions[3]) & UMMGR_FLOW_EXACT));
  CHECK (is_near (distance (flow, &b, 0, 1, &p), 1) && is_near (p, 0.3));
  CHECK (is_near (distance (flow, &b, 0, 3, &p), 2) && is_near (p, 0.9));
  ummgr_flow_free (flow);
}

/* main: loop 10 { f }; f: R0, g; g: R1.  As one unit, or f and g in another,
   where a local g of main's own must not be taken for it.  */
static void
calls (bool split)
{
  struct build a, c, *b = split ? &c : &a;
  double p;
  build_begin (&a, 2);
  build_begin (&c, 2);
  build_function (&a, "main", 0);
  build_block (&a);
  build_call (&a, "f");
  build_edge (&a, 0, 0.9, true);
  build_edge (&a, OUT, 0.1, true);
  if (split)
    {
      build_function (&a, "g", UMMGR_FUNCTION_LOCAL);
      build_block (&a);
      build_launch (&a, 0);
      build_edge (&a, OUT, 1, true);
    }
  build_function (b, "f", 0);
  build_block (b);
  build_launch (b, 0);
  build_call (b, "g");
  build_call (b, "printf");
  build_edge (b, OUT, 1, true);
  build_function (b, "g", 0);
  build_block (b);
  build_launch (b, 1);
  build_edge (b, OUT, 1, true);
  struct ummgr_flow *flow = build_flow (&a, split ? &c : NULL);
  CHECK (is_near (frequency (flow, b, 0), 10));
  CHECK (is_near (frequency (flow, b, 1), 10));
  CHECK (ummgr_flow_flags_in (flow, &b->regions[1]) & UMMGR_FLOW_EXACT);
  CHECK (is_near (distance (flow, b, 0, 1, &p), 1) && is_near (p, 1));
  CHECK (is_near (distance (flow, b, 1, 0, &p), 1) && is_near (p, 0.9));
  CHECK (is_near (distance (flow, b, 1, 1, &p), 2) && is_near (p, 0.9));
  if (split)
    CHECK (ummgr_flow_flags_in (flow, &a.regions[0]) & UMMGR_FLOW_ASSUMED);
  ummgr_flow_free (flow);
}

/* Two callers of one function: what follows it depends on who called.
   main: f; R1; loop 4 { f; R2 }; f: R0.  */
static void
two_callers (void)
{
  struct build b;
  double p;
  build_begin (&b, 3);
  build_function (&b, "main", 0);
  build_block (&b);
  build_call (&b, "f");
  build_launch (&b, 1);
  build_edge (&b, 1, 1, true);
  build_block (&b);
  build_call (&b, "f");
  build_launch (&b, 2);
  build_edge (&b, 1, 0.75, true);
  build_edge (&b, OUT, 0.25, true);
  build_function (&b, "f", UMMGR_FUNCTION_LOCAL);
  build_block (&b);
  build_launch (&b, 0);
  build_edge (&b, OUT, 1, true);
  struct ummgr_flow *flow = build_flow (&b, NULL);
  CHECK (is_near (frequency (flow, &b, 0), 5));
  /* From one launch of five, at distance 1.  */
  CHECK (is_near (distance (flow, &b, 0, 1, &p), 1) && is_near (p, 0.2));
  /* From four at 1, from one at 3.  */
  CHECK (is_near (distance (flow, &b, 0, 2, &p), 1.4) && is_near (p, 1));
  ummgr_flow_free (flow);
}

/* f: R0; again with probability AGAIN, TIMES calls of itself.  */
static struct ummgr_flow *
recursion_flow (struct build *b, double again, unsigned times)
{
  build_begin (b, 2);
  build_function (b, "main", 0);
  build_block (b);
  build_call (b, "f");
  build_launch (b, 1);
  build_edge (b, OUT, 1, true);
  build_function (b, "f", 0);
  build_block (b);
  build_launch (b, 0);
  build_edge (b, 1, again, false);
  build_edge (b, OUT, 1 - again, false);
  build_block (b);
  for (unsigned i = 0; i < times; i++)
    build_call (b, "f");
  build_edge (b, OUT, 1, true);
  struct ummgr_flow *flow = build_flow (b, NULL);
  CHECK (flow);
  return flow;
}

static void
recursions (void)
{
  struct build b;
  double p;
  struct ummgr_flow *flow = recursion_flow (&b, 0.75, 1);
  CHECK (fabs (frequency (flow, &b, 0) - 4) < 1e-6);
  CHECK (fabs (frequency (flow, &b, 1) - 1) < 1e-6);
  CHECK (fabs (distance (flow, &b, 0, 0, &p) - 1) < 1e-6);
  CHECK (fabs (p - 0.75) < 1e-6);
  CHECK (fabs (distance (flow, &b, 0, 1, &p) - 4) < 1e-6);
  CHECK (ummgr_flow_flags_in (flow, &b.regions[0])
	 == (UMMGR_FLOW_KNOWN | UMMGR_FLOW_RECURSIVE));
  ummgr_flow_free (flow);

  /* Two calls with 0.4: 1 / (1 - 0.8) launches.  */
  flow = recursion_flow (&b, 0.4, 2);
  CHECK (fabs (frequency (flow, &b, 0) - 5) < 1e-6);
  ummgr_flow_free (flow);

  /* Two calls with 0.7 would never end.  */
  flow = recursion_flow (&b, 0.7, 2);
  CHECK (ummgr_flow_flags_in (flow, &b.regions[0]) & UMMGR_FLOW_CLAMPED);
  CHECK (fabs (frequency (flow, &b, 0) - 10) < 1e-5);
  CHECK (fabs (frequency (flow, &b, 1) - 1) < 1e-5);
  CHECK (isfinite (distance (flow, &b, 0, 1, &p)) && fabs (p - 1) < 1e-5);
  ummgr_flow_free (flow);
}

/* A loop of a million turns, a loop without end, a call by pointer, and no
   main.  */
static void
corners (void)
{
  struct build b;
  double p;
  build_begin (&b, 3);
  build_function (&b, "library", 0);
  build_block (&b);
  build_launch (&b, 0);
  build_event (&b, UMMGR_EVENT_UNKNOWN, NULL, "");
  build_edge (&b, 0, 1 - 1e-6, true);
  build_edge (&b, 1, 1e-6, true);
  build_block (&b);
  build_launch (&b, 1);
  build_edge (&b, 2, 0.5, false);
  build_edge (&b, OUT, 0.5, false);
  build_block (&b);
  build_launch (&b, 2);
  build_edge (&b, 2, 1, true);
  struct ummgr_flow *flow = build_flow (&b, NULL);
  CHECK (is_near (frequency (flow, &b, 0), 1e6));
  CHECK (is_near (frequency (flow, &b, 1), 1));
  CHECK (ummgr_flow_flags_in (flow, &b.regions[0]) & UMMGR_FLOW_ASSUMED);
  CHECK (is_near (distance (flow, &b, 0, 1, &p), 1e6) && is_near (p, 1));
  CHECK (is_near (distance (flow, &b, 1, 2, &p), 1) && is_near (p, 0.5));
  /* Endless is a million.  */
  CHECK (is_near (frequency (flow, &b, 2), 0.5e6));
  CHECK (is_near (distance (flow, &b, 2, 2, &p), 1) && p > 0.99999);
  CHECK (isnan (ummgr_flow_distance_in (flow, NULL, &b.regions[0], &p)));
  ummgr_flow_free (flow);
}

/* Of two copies of an inline function the first counts; one that was too large
   is unknown.  */
static void
copies (void)
{
  struct build a, c;
  build_begin (&a, 1);
  build_begin (&c, 1);
  build_function (&a, "main", 0);
  build_block (&a);
  build_call (&a, "inline");
  build_call (&a, "large");
  build_edge (&a, OUT, 1, true);
  build_function (&a, "large", UMMGR_FUNCTION_TOO_LARGE);
  for (unsigned i = 0; i < 2; i++)
    {
      struct build *b = i ? &c : &a;
      build_function (b, "inline", UMMGR_FUNCTION_COMDAT);
      build_block (b);
      build_launch (b, 0);
      build_edge (b, OUT, 1, true);
    }
  struct ummgr_flow *flow = build_flow (&a, &c);
  CHECK (frequency (flow, &a, 0) == 1);
  CHECK (isnan (frequency (flow, &c, 0)));
  ummgr_flow_free (flow);
}

static bool
is_exact (struct ummgr_flow *flow, const struct build *b, unsigned region)
{
  return ummgr_flow_flags_in (flow, &b->regions[region]) & UMMGR_FLOW_EXACT;
}

/* R0; then R1 or, guessed, R2 a guessed number of times; R3, wherever control came from.  LEAK:
   the second way may also end the program.  */
static struct ummgr_flow *
joining_flow (struct build *b, bool leak)
{
  build_begin (b, 4);
  build_function (b, "main", 0);
  build_block (b);
  build_launch (b, 0);
  build_edge (b, 1, 0.25, false);
  build_edge (b, 2, 0.75, false);
  build_block (b);
  build_launch (b, 1);
  build_edge (b, 3, 1, true);
  build_block (b);
  build_launch (b, 2);
  build_edge (b, 2, 0.5, false);
  build_edge (b, 3, leak ? 0.25 : 0.5, false);
  build_block (b);
  build_launch (b, 3);
  build_edge (b, 0, 0.5, true);
  build_edge (b, OUT, 0.5, true);
  return build_flow (b, NULL);
}

/* What all ways lead to is exact, whichever were guessed; not what one of them may miss.  */
static void
joins (void)
{
  struct build b;
  struct ummgr_flow *flow = joining_flow (&b, false);
  CHECK (is_near (frequency (flow, &b, 0), 2) && is_exact (flow, &b, 0));
  CHECK (is_near (frequency (flow, &b, 1), 0.5) && !is_exact (flow, &b, 1));
  CHECK (is_near (frequency (flow, &b, 2), 3) && !is_exact (flow, &b, 2));
  CHECK (is_near (frequency (flow, &b, 3), 2) && is_exact (flow, &b, 3));
  ummgr_flow_free (flow);
  flow = joining_flow (&b, true);
  for (unsigned i = 0; i < 4; i++)
    CHECK (!is_exact (flow, &b, i));
  ummgr_flow_free (flow);
}

/* A region that may run on the host, and a function that others may call by pointer: neither's
   launches are exact.  */
static void
elsewhere (void)
{
  struct build b;
  build_begin (&b, 2);
  b.regions[0].flags = UMMGR_REGION_DEVICE | UMMGR_REGION_ELSEWHERE;
  build_function (&b, "main", 0);
  build_block (&b);
  build_launch (&b, 0);
  build_call (&b, "f");
  build_edge (&b, OUT, 1, true);
  build_function (&b, "f", 0);
  build_block (&b);
  build_launch (&b, 1);
  build_edge (&b, OUT, 1, true);
  struct ummgr_flow *flow = build_flow (&b, NULL);
  CHECK (frequency (flow, &b, 0) == 1 && !is_exact (flow, &b, 0));
  CHECK (frequency (flow, &b, 1) == 1 && is_exact (flow, &b, 1));
  ummgr_flow_free (flow);
  /* Another unit takes its address.  */
  struct build other;
  const struct ummgr_table_taken taken = { "f", "vp", 0 };
  build_begin (&other, 0);
  other.unit.taken = &taken;
  other.unit.taken_count = 1;
  flow = build_flow (&b, &other);
  CHECK (frequency (flow, &b, 1) == 1 && !is_exact (flow, &b, 1));
  ummgr_flow_free (flow);
}

/* Calls by which a region is launched that are not counted, by their lines.  */
static void
uncounted_add (const struct ummgr_table_taken *by, const struct ummgr_table_call *call, void *data)
{
  CHECK (strcmp (by->function, "f") == 0);
  unsigned *lines = data;
  *lines = *lines * 100 + call->line;
}

static unsigned
uncounted (struct ummgr_flow *flow, const struct build *b, unsigned region)
{
  unsigned lines = 0;
  CHECK (ummgr_flow_uncounted (flow, &b->regions[region], uncounted_add, &lines));
  return lines;
}

static void
not_counted (void)
{
  static const struct ummgr_table_taken taken[] = { { "f", "vp", 0 }, { "f", "vp", 0 } };
  static const struct ummgr_table_call calls[] = {
    { "g", "a.c", 11, UMMGR_CALL_POINTER, "vp", "" },
    { "g", "a.c", 12, UMMGR_CALL_POINTER, "vpi", "" },	/* Of another type.  */
    { "g", "a.c", 13, UMMGR_CALL_VIRTUAL, "vp", "" },	/* It is not virtual.  */
    { "g", "a.c", 14, UMMGR_CALL_POINTER, "?", "" },
    { "g", "a.c", 15, UMMGR_CALL_POINTER, "vp", "" },
    { "g", "a.c", 15, UMMGR_CALL_POINTER, "vp", "f" },	/* Counted as a guess.  */
    { "g", "b.c", 15, UMMGR_CALL_POINTER, "vp", "" }
  };
  struct build b;
  build_begin (&b, 3);
  build_function (&b, "main", 0);
  build_block (&b);
  build_launch (&b, 0);
  build_edge (&b, OUT, 1, true);
  build_function (&b, "f", 0);
  build_block (&b);
  build_launch (&b, 1);
  build_call (&b, "h");
  build_edge (&b, OUT, 1, true);
  build_function (&b, "h", UMMGR_FUNCTION_LOCAL);
  build_block (&b);
  build_launch (&b, 2);
  build_edge (&b, OUT, 1, true);
  b.unit.taken = taken;
  b.unit.taken_count = 2;
  b.unit.calls = calls;
  b.unit.call_count = sizeof calls / sizeof *calls;
  struct ummgr_flow *flow = build_flow (&b, NULL);
  CHECK (uncounted (flow, &b, 0) == 0);
  CHECK (uncounted (flow, &b, 1) == 111415);
  CHECK (uncounted (flow, &b, 2) == 111415);
  ummgr_flow_free (flow);
}

int
main (void)
{
  joins ();
  elsewhere ();
  not_counted ();
  straight_line ();
  nested_loop (1000, 3);
  nested_loop (5, 100000);
  branch ();
  calls (false);
  calls (true);
  two_callers ();
  recursions ();
  corners ();
  copies ();
  return 0;
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */
