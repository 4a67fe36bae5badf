/* Breaks if rlm, glm or rdm with --partial=paper decide otherwise than SC'19's text has it
   (policy-sc19.h), over random programs, or in its own examples.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "policy-apply.h"
#include "policy-given.h"
#include "policy-sc19.h"
#include "random.h"

#include <math.h>

#define UNIT 65536
#define REGIONS 5
#define READINGS 24

struct use
{
  bool used;
  double locality, distance, density;
};

struct program
{
  const struct ummgr_policy_ops *policy;
  void *state;
  enum ummgr_partial partial;
  int objects, regions;
  double frequency[REGIONS];
  struct use use[REGIONS][SC19_MOST];
  uint64_t sequence, invocations[REGIONS];
  struct sc19 paper;
  struct ummgr_object_view o[SC19_MOST];
  struct ummgr_placed placed[SC19_MOST];
};

static struct ummgr_plan plan;
static uint64_t seed = 88172645463325252u;
static unsigned long launches, compared, open, odd, alone;
static bool trace;

static unsigned
rnd (unsigned n)
{
  return random64 (&seed) % n;
}

static void
make_uses (struct program *p)
{
  static const double likely[] = { 1, 1, 1, 2, 2, 3, 5, INFINITY };
  for (int r = 0; r < p->regions; r++)
    {
      p->frequency[r] = 1 + rnd (4);
      for (int i = 0; i < p->objects; i++)
	p->use[r][i] = (struct use) {
	  .used = rnd (3) > 0, .locality = 1000.0 * (1 + rnd (rnd (2) ? 4 : 400)),
	  .distance = likely[rnd (8)], .density = rnd (10) * 0.125
	};
    }
}

/* Equation 1.  */
static double
global_locality (const struct program *p, int i)
{
  double sum = 0;
  for (int r = 0; r < p->regions; r++)
    if (p->use[r][i].used)
      sum += p->frequency[r] * p->use[r][i].locality;
  return sum;
}

static void
program_begin (struct program *p, enum sc19_scheme scheme, enum ummgr_partial partial,
	       uint64_t room)
{
  static const char *const names[] = { "rlm", "glm", "rdm" };
  struct ummgr_policy_config config = policy_config (room, "hybrid", partial, UNIT, 1);
  p->policy = ummgr_policy_find (names[scheme]);
  p->partial = partial;
  p->paper.scheme = scheme;
  p->paper.room = room;
  p->state = calloc (1, p->policy->state_size);
  CHECK (p->policy->init (p->state, &config) == UMMGR_OK);
}

static void
program_map (struct program *p, int i, size_t size)
{
  struct ummgr_object_view *o = &p->o[i];
  policy_clear (o, &p->placed[i]);
  o->id = i + 1;
  o->base = (uintptr_t) (i + 1) << 32;
  o->size = size;
  o->path = UMMGR_PATH_MAPPED;
  policy_map_part (p->policy, p->state, o, &plan);
  policy_apply (&plan);
  p->paper.o[i] = (struct sc19_object) {
    .size = size, .has = policy_on_device (o), .gl = global_locality (p, i)
  };
}

static void
program_unmap (struct program *p, int i)
{
  p->policy->on_unmap (p->state, &p->o[i]);
  p->paper.o[i] = (struct sc19_object) { 0 };
  policy_clear (&p->o[i], &p->placed[i]);
}

static void
program_end (struct program *p)
{
  for (int i = 0; i < p->objects; i++)
    if (p->paper.o[i].size)
      program_unmap (p, i);
  if (p->policy->fini)
    p->policy->fini (p->state);
  free (p->state);
}

static struct ummgr_hint
hint_of (const struct program *p, int r, int i)
{
  const struct use *u = &p->use[r][i];
  struct ummgr_hint h = UMMGR_HINT_UNKNOWN;
  h.known = h.read = h.host_known = true;
  h.locality = u->locality;
  h.density = h.density_most = h.density_sc19 = h.density_program = u->density;
  h.global_locality = p->paper.o[i].gl;
  h.reuse_static = h.reuse_likely = u->distance;
  h.name = "a";
  return h;
}

/* Region R begins, its clauses in random order; what the policy wants is in the plan.  */
static void
ask (struct program *p, int r)
{
  struct ummgr_object_view *objects[SC19_MOST];
  struct ummgr_hint hints[SC19_MOST];
  size_t n = 0;
  for (int i = 0; i < p->objects; i++)
    if (p->paper.o[i].used)
      {
	size_t at = rnd (n + 1);
	objects[n] = objects[at];
	hints[n] = hints[at];
	objects[at] = &p->o[i];
	hints[at] = hint_of (p, r, i);
	n++;
      }
  struct ummgr_region_view view = {
    .region = r + 1, .name = "r", .invocation = ++p->invocations[r],
    .sequence = ++p->sequence, .hints = hints
  };
  plan.count = 0;
  p->policy->on_region_begin (p->state, &view, objects, n, &plan);
}

static void
permute (int *order)
{
  for (int i = 0; i < SC19_MOST; i++)
    {
      int at = rnd (i + 1);
      order[i] = order[at];
      order[at] = i;
    }
}

static bool
same (const struct sc19 *a, const struct program *p)
{
  for (int i = 0; i < SC19_MOST; i++)
    if (a->o[i].size && (a->o[i].has == a->o[i].size)
	!= (policy_on_device (&p->o[i]) == p->o[i].size))
      return false;
  return true;
}

static void
show (const char *what, const struct sc19 *s, const struct program *p)
{
  printf ("%s:", what);
  for (int i = 0; i < SC19_MOST; i++)
    if (s->o[i].size)
      printf (" %d%s size %g rl %g gl %g next %g has %g%s", i, s->o[i].used ? "*" : "",
	      s->o[i].size / 65536., s->o[i].rl, s->o[i].gl, s->o[i].next,
	      s->o[i].has / 65536., "");
  printf (" | ours");
  for (int i = 0; i < SC19_MOST; i++)
    if (s->o[i].size)
      printf (" %g", policy_on_device (&p->o[i]) / 65536.);
  printf (" room %g\n", s->room / 65536.);
}

static bool
equal_results (const struct sc19 *a, const struct sc19 *b)
{
  for (int i = 0; i < SC19_MOST; i++)
    if (a->o[i].has != b->o[i].has)
      return false;
  return true;
}

static void
launch (struct program *p, int r)
{
  double distance[SC19_MOST];
  for (int i = 0; i < p->objects; i++)
    {
      struct sc19_object *o = &p->paper.o[i];
      o->used = o->size && p->use[r][i].used;
      o->rl = p->use[r][i].locality;
      distance[i] = p->use[r][i].distance;
    }
  ask (p, r);
  policy_apply (&plan);
  struct sc19 first, now, before = p->paper;
  bool several = false, found = false;
  for (int k = 0; k < READINGS || (several && !found && k < 2000); k++)
    {
      struct sc19_reading how = { .equals = rnd (2) };
      permute (how.turn);
      permute (how.leave);
      now = before;
      sc19_launch (&now, &how, distance);
      if (k == 0)
	first = now;
      several |= !equal_results (&first, &now);
      found |= same (&now, p);
    }
  launches++;
  if (!several)
    {
      compared++;
      if (!found)
	{
	  odd++;
	  if (trace)
	    {
	      show ("before", &before, p);
	      show ("paper ", &first, p);
	    }
	}
    }
  else
    {
      open++;
      if (!found)
	{
	  alone++;
	  if (trace)
	    {
	      show ("before(open)", &before, p);
	      show ("paper one   ", &first, p);
	    }
	}
    }
  p->paper = first;
  for (int i = 0; i < SC19_MOST; i++)
    if (p->paper.o[i].size)
      p->paper.o[i].has = policy_on_device (&p->o[i]);
}

static void
random_program (enum sc19_scheme scheme, enum ummgr_partial partial)
{
  struct program p = { .objects = 1 + rnd (SC19_MOST), .regions = 1 + rnd (REGIONS) };
  size_t sizes[SC19_MOST], sum = 0;
  bool blocks = rnd (4);
  make_uses (&p);
  for (int i = 0; i < p.objects; i++)
    {
      sizes[i] = (size_t) (1 + rnd (rnd (3) ? 3 : 12)) * UNIT - (blocks ? 0 : rnd (UNIT));
      sum += sizes[i];
    }
  program_begin (&p, scheme, partial, rnd (8) ? sum * rnd (17) / 16 : rnd (2) ? 0 : sum);
  for (int step = 0; step < 40; step++)
    {
      int i = rnd (p.objects);
      if (!p.paper.o[i].size && rnd (2))
	program_map (&p, i, sizes[i]);
      else if (p.paper.o[i].size && rnd (16) == 0)
	program_unmap (&p, i);
      else
	launch (&p, rnd (p.regions));
    }
  program_end (&p);
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 100;
  trace = argc > 2;
  for (int scheme = 0; scheme < 3; scheme++)
    for (int partial = 0; partial < 3; partial += 2)
      {
	launches = compared = open = odd = alone = 0;
	for (int round = 0; round < rounds; round++)
	  random_program (scheme, partial);
	printf ("scheme %d partial %d: %lu launches, %lu compared %lu differ, %lu open %lu found nowhere\n",
		scheme, partial, launches, compared, odd, open, alone);
      }
  free (plan.decisions);
  return 0;
}
