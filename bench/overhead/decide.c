/* decide: what a policy's decision costs.
   SPDX-License-Identifier: GPL-3.0-or-later

   Linked with libummgr's own policies; there is no device, plans are carried
   out by writing down that they were.  Four regions in turn use half of the
   objects each, with what a compiler might have said of them, and half of
   the objects fit.  Nothing settles: every region makes some leave.  */

#include "config.h"
#include "policy/policy.h"

#include "common.h"

enum { REGIONS = 4 };

struct setting
{
  const struct ummgr_policy_ops *policy;
  void *state;
  uint64_t count;		/* Objects,  */
  size_t used;			/* and those of one region.  */
  struct ummgr_object_view *objects;
  struct ummgr_object_view **uses[REGIONS];
  struct ummgr_hint *hints[REGIONS];
  struct ummgr_plan plan;
};

/* Do what the plan says; where a part leaves, its end does.  */
static void
apply (struct ummgr_plan *plan)
{
  for (size_t i = 0; i < plan->count; i++)
    {
      const struct ummgr_decision *d = &plan->decisions[i];
      if (d->lo == d->hi)
	continue;
      bool leaves = d->place == UMMGR_PLACE_HOST;
      struct ummgr_placed *placed = (struct ummgr_placed *) d->object->placed;
      placed->place = leaves && d->lo == 0 ? UMMGR_PLACE_HOST
	: UMMGR_PLACE_DEVICE;
      placed->hi = leaves && d->lo ? d->lo : d->hi;
    }
  plan->count = 0;
}

static void
setting_open (struct setting *s, const char *policy, uint64_t *state)
{
  static const struct ummgr_figures figures = UMMGR_FIGURES_UNTOLD;
  struct ummgr_policy_given given
    = { .figures = &figures, .transfer = "hybrid" };
  s->policy = ummgr_policy_find (policy);
  if (!s->policy)
    bench_fatal ("--policy=%s: no such policy", policy);
  s->objects = bench_alloc (false, s->count * sizeof *s->objects);
  memset (s->objects, 0, s->count * sizeof *s->objects);
  struct ummgr_placed *placed = bench_alloc (false, s->count * sizeof *placed);
  memset (placed, 0, s->count * sizeof *placed);
  for (uint64_t i = 0; i < s->count; i++)
    {
      s->objects[i].id = i;
      s->objects[i].placed = &placed[i];
      s->objects[i].base = (i + 1) << 32;
      s->objects[i].size = (1 + bench_below (state, 64)) << 20;
      given.budget.room += s->objects[i].size / 2;
    }
  struct ummgr_policy_config config = ummgr_policy_configure (&given);
  s->state = bench_alloc (false, s->policy->state_size + 1);
  memset (s->state, 0, s->policy->state_size);
  if (s->policy->init && s->policy->init (s->state, &config) != UMMGR_OK)
    bench_fatal ("no memory for the policy");
  for (uint64_t i = 0; i < s->count; i++)
    {
      s->policy->on_map (s->state, &s->objects[i], &s->plan);
      apply (&s->plan);
    }
  s->used = (s->count + 1) / 2;
  for (int r = 0; r < REGIONS; r++)
    {
      s->uses[r] = bench_alloc (false, s->used * sizeof *s->uses[r]);
      s->hints[r] = bench_alloc (false, s->used * sizeof *s->hints[r]);
      uint64_t first = bench_below (state, s->count);
      for (size_t i = 0; i < s->used; i++)
	{
	  s->uses[r][i] = &s->objects[(first + i) % s->count];
	  s->hints[r][i] = (struct ummgr_hint) {
	    .known = true, .locality = 1 + bench_below (state, 1000),
	    .density = bench_below (state, 100) / 100.0,
	    .global_locality = 1 + s->uses[r][i]->size % 1000,
	    .reuse_static = 1 + bench_below (state, 10), .reuse_seen = -1
	  };
	}
    }
}

/* Seconds for one region and object, over CALLS regions.  */
static double
setting_run (struct setting *s, uint64_t *sequence, uint64_t calls)
{
  double seconds = 0;
  for (uint64_t i = 0; i < calls; i++)
    {
      int r = i % REGIONS;
      struct ummgr_region_view region = {
	.region = 1 + r, .name = "region", .invocation = 1,
	.sequence = ++*sequence, .hints = s->hints[r]
      };
      double start = omp_get_wtime ();
      s->policy->on_region_begin (s->state, &region, s->uses[r], s->used,
				  &s->plan);
      seconds += omp_get_wtime () - start;
      apply (&s->plan);
    }
  return seconds / calls / s->used;
}

static void
setting_close (struct setting *s)
{
  if (s->policy->fini)
    s->policy->fini (s->state);
  for (int r = 0; r < REGIONS; r++)
    {
      free (s->uses[r]);
      free (s->hints[r]);
    }
  free (s->plan.decisions);
  free ((void *) s->objects[0].placed);
  free (s->objects);
  free (s->state);
}

int
main (int argc, char **argv)
{
  struct setting s = { .count = 32 };
  uint64_t rounds = 9, seed = 1, sequence = 0;
  const char *policy = "rdm";
  const struct bench_option options[] = {
    { "policy", BENCH_TEXT, &policy, "whose decisions are measured" },
    { "objects", BENCH_NUMBER, &s.count, "of which a region uses half" },
    { "rounds", BENCH_NUMBER, &rounds, "whose median counts" },
    { "seed", BENCH_NUMBER, &seed, "of sizes and hints" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Measure a policy's decisions.");
  if (s.count < 1 || s.count > 10000000 || rounds < 1 || rounds > 1000)
    bench_fatal ("--objects and --rounds must be at least 1");
  setting_open (&s, policy, &seed);
  uint64_t calls = 40000 / s.count / REGIONS * REGIONS + REGIONS;
  double *seconds = bench_alloc (false, rounds * sizeof *seconds);
  setting_run (&s, &sequence, calls);
  for (uint64_t i = 0; i < rounds; i++)
    seconds[i] = setting_run (&s, &sequence, calls);
  qsort (seconds, rounds, sizeof *seconds, bench_by_value);
  printf ("policy=%s used=%zu decision_ns=%.1f\n", policy, s.used,
	  seconds[rounds / 2] * 1e9);
  free (seconds);
  setting_close (&s);
  return 0;
}
