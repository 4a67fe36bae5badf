/* The chain launches as often as was counted, whatever was guessed, and what is exact
   stays: would break if a count were believed before a proof, got lost between functions, or
   made a probability something else.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include <stdbool.h>
#include "flow/chain.h"
#include "flow-build.h"

#include "check.h"

static struct build a;

static void
counted (unsigned region, double launches)
{
  a.regions[region].count.source = UMMGR_COUNT_STATISTICS;
  a.regions[region].count.launches = launches;
}

/* All ways out of a block are at most 1 together.  */
static void
check_ways (const struct ummgr_flow *flow)
{
  for (unsigned i = 0; i < flow->node_count; i++)
    {
      double sum = 0;
      for (unsigned j = 0; j < flow->nodes[i].edge_count; j++)
	{
	  CHECK (flow->nodes[i].edges[j].p >= 0);
	  sum += flow->nodes[i].edges[j].p;
	}
      CHECK (sum <= 1 + 1e-9);
    }
}

static bool
is_about (double got, double wanted)
{
  return fabs (got - wanted) <= 1e-4 * wanted;
}

/* for (s) { launch 0; if (?) launch 1; }, guessed as 8 and 1/3.  */
static void
loop_build (void)
{
  build_begin (&a, 2);
  build_function (&a, "main", 0);
  build_block (&a);
  build_edge (&a, 1, 1, false);
  build_block (&a);
  build_launch (&a, 0);
  build_edge (&a, 2, 0.33, false);
  build_edge (&a, 1, 0.59, false);
  build_edge (&a, OUT, 0.08, false);
  build_block (&a);
  build_launch (&a, 1);
  build_edge (&a, 1, 0.88, false);
  build_edge (&a, OUT, 0.12, false);
}

static void
test_loop (void)
{
  double p;
  loop_build ();
  struct ummgr_flow *flow = build_flow (&a, NULL);
  CHECK (flow && !(ummgr_flow_flags_in (flow, &a.regions[0]) & UMMGR_FLOW_COUNTED));
  CHECK (ummgr_flow_frequency_in (flow, &a.regions[0]) < 20);
  ummgr_flow_free (flow);
  counted (0, 1000);
  counted (1, 2);
  flow = build_flow (&a, NULL);
  CHECK (flow);
  check_ways (flow);
  CHECK (ummgr_flow_frequency_in (flow, &a.regions[0]) == 1000);
  CHECK (ummgr_flow_frequency_in (flow, &a.regions[1]) == 2);
  CHECK (ummgr_flow_flags_in (flow, &a.regions[1]) & UMMGR_FLOW_COUNTED);
  CHECK (is_about (flow->frequency[0], 1000) && is_about (flow->frequency[1], 2));
  /* After 999 of the 1,000 another comes.  */
  ummgr_flow_distance_in (flow, &a.regions[0], &a.regions[0], &p);
  CHECK (fabs (p - 0.999) < 1e-4);
  ummgr_flow_free (flow);
  /* Never launched in that run, which isn't never.  */
  counted (1, 0);
  flow = build_flow (&a, NULL);
  CHECK (flow && ummgr_flow_frequency_in (flow, &a.regions[1]) == 0);
  CHECK (flow->frequency[1] > 0 && flow->frequency[1] < 0.01);
  CHECK (ummgr_flow_distance_in (flow, &a.regions[0], &a.regions[1], &p) > 0 && p < 0.01);
  ummgr_flow_free (flow);
}

/* A proof is better than a run, and a count of one region says nothing of another.  */
static void
test_exact (void)
{
  build_begin (&a, 2);
  build_function (&a, "main", 0);
  build_block (&a);
  build_edge (&a, 1, 1, true);
  build_block (&a);
  build_launch (&a, 0);
  build_edge (&a, 1, 0.9, true);
  build_edge (&a, 2, 0.1, true);
  build_block (&a);
  build_launch (&a, 1);
  build_edge (&a, 2, 0.75, false);
  build_edge (&a, OUT, 0.25, false);
  counted (0, 7);
  struct ummgr_flow *flow = build_flow (&a, NULL);
  CHECK (flow && is_near (ummgr_flow_frequency_in (flow, &a.regions[0]), 10));
  CHECK (ummgr_flow_flags_in (flow, &a.regions[0]) & UMMGR_FLOW_EXACT);
  CHECK (!(ummgr_flow_flags_in (flow, &a.regions[0]) & UMMGR_FLOW_COUNTED));
  CHECK (is_near (ummgr_flow_frequency_in (flow, &a.regions[1]), 4));
  ummgr_flow_free (flow);
}

/* main calls f in a loop, or once; f launches in a loop, or once.  */
static void
test_calls (bool loop_in_main, bool loop_in_f)
{
  build_begin (&a, 1);
  build_function (&a, "main", 0);
  build_block (&a);
  build_edge (&a, 1, 1, true);
  build_block (&a);
  build_call (&a, "f");
  if (loop_in_main)
    build_edge (&a, 1, 0.875, false);
  build_edge (&a, OUT, loop_in_main ? 0.125 : 1, !loop_in_main);
  build_function (&a, "f", 0);
  build_block (&a);
  build_launch (&a, 0);
  if (loop_in_f)
    build_edge (&a, 0, 0.875, false);
  build_edge (&a, OUT, loop_in_f ? 0.125 : 1, !loop_in_f);
  counted (0, 5000);
  struct ummgr_flow *flow = build_flow (&a, NULL);
  CHECK (flow);
  check_ways (flow);
  CHECK (is_about (flow->frequency[0], 5000));
  ummgr_flow_free (flow);
}

/* Counts that no probabilities give are told all the same, and break nothing.  */
static void
test_impossible (void)
{
  build_begin (&a, 2);
  build_function (&a, "main", 0);
  build_block (&a);
  build_edge (&a, 1, 1, false);
  build_block (&a);
  build_launch (&a, 0);
  build_edge (&a, 2, 1, false);
  build_block (&a);
  build_launch (&a, 1);
  build_edge (&a, OUT, 1, false);
  counted (0, 3);
  counted (1, 0);
  struct ummgr_flow *flow = build_flow (&a, NULL);
  CHECK (flow);
  check_ways (flow);
  CHECK (is_near (flow->frequency[0], 1) && is_near (flow->frequency[1], 1));
  CHECK (ummgr_flow_frequency_in (flow, &a.regions[0]) == 3);
  ummgr_flow_free (flow);
}

static unsigned long long seed = 9;

static unsigned
random_below (unsigned n)
{
  seed = seed * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned) (seed >> 33) % n;
}

/* A block's ways: on, back to where it likes, or out.  */
static void
random_ways (unsigned i, unsigned blocks)
{
  double back = (1 + random_below (7)) / 8.0 * 0.75, out = (1 - back) / 4;
  build_edge (&a, i + 1 < blocks ? i + 1 : OUT, 1 - back - out, false);
  build_edge (&a, random_below (i + 1), back, false);
  build_edge (&a, OUT, out, false);
}

/* main launches, and calls f, which launches others.  */
static void
random_build (unsigned *regions)
{
  static const char *const names[] = { "main", "f" };
  build_begin (&a, 8);
  *regions = 0;
  for (unsigned f = 0; f < 2; f++)
    {
      unsigned blocks = 2 + random_below (3);
      build_function (&a, names[f], 0);
      for (unsigned i = 0; i < blocks; i++)
	{
	  build_block (&a);
	  if (f == 0 && i == 1)
	    build_call (&a, "f");
	  else
	    build_launch (&a, (*regions)++);
	  random_ways (i, blocks);
	}
    }
}

/* What the same program launches with other probabilities is given as counts.  */
static void
test_random (void)
{
  for (unsigned round = 0; round < 200; round++)
    {
      unsigned regions;
      random_build (&regions);
      struct ummgr_flow *flow = build_flow (&a, NULL);
      CHECK (flow);
      for (unsigned i = 0; i < regions; i++)
	counted (i, ummgr_flow_frequency_in (flow, &a.regions[i]));
      ummgr_flow_free (flow);
      for (unsigned i = 0; i < a.edge_count; i += 3)
	{
	  double back = (1 + random_below (7)) / 8.0 * 0.75;
	  a.edges[i + 1].probability = back;
	  a.edges[i + 2].probability = (1 - back) / 4;
	  a.edges[i].probability = (1 - back) * 3 / 4;
	}
      flow = build_flow (&a, NULL);
      CHECK (flow);
      check_ways (flow);
      for (unsigned i = 0; i < regions; i++)
	CHECK (fabs (flow->frequency[i] - a.regions[i].count.launches)
	       <= 0.01 * a.regions[i].count.launches);
      ummgr_flow_free (flow);
    }
}

int
main (void)
{
  test_loop ();
  test_exact ();
  for (unsigned i = 0; i < 3; i++)
    test_calls (i != 0, i != 1);
  test_impossible ();
  test_random ();
  return 0;
}
