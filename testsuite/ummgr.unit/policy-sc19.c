/* Breaks if rlm, glm or rdm decide otherwise than SC'19's text (policy-sc19.h), over random
   programs and in the paper's own example, or by the order of clauses.
   SPDX-License-Identifier: GPL-3.0-or-later

   After each launch the bytes of each object on the device are compared.  With
   --partial=paper "all is as printed" (ranked-choose.c): compared are all launches of
   which the text says what comes out; of the others that it is one of the things that it
   leaves open.  What is documented and departs from the text:

   - rdm's distance is what the run has shown, where that proved right (ummgr(1), rdm.c): the
     reference is then given that distance (reuse-seen.h), and not the compiler's.
   - rdm without partial mapping moves only what pays, and believes distances that come true
     (NEWS, ranked-choose.c, rdm.c): there regions go round in an order that the compiler
     knows, all objects are there from the start, and launches are left out in which
     the text has something replaced.
   - rlm, glm and rdm leave on the host what fits but of which launches read little (NEWS,
     ranked-transfer.c): without --partial=paper the hints don't know what is used over the
     link.
   - What a fault costs is weighed against what sending takes (ummgr-run(1), --transfer): here
     a fault costs next to nothing, and the paper's threshold is what is left.

   The paper knows neither pinned objects nor regions that run at the same time.
   Arguments: the first seed, and how many programs of each kind.  */
/* { dg-do run } */

#include "policy-apply.h"
#include "policy-given.h"
#include "policy-sc19.h"
#include "policy/reuse-seen.h"
#include "random.h"

#include <math.h>

#define UNIT 65536
#define REGIONS 5
#define LAUNCHES 40
#define READINGS 24		/* That are tried to see if all agree,  */
#define READINGS_MOST 4000	/* and to find one that is right.  */

struct use
{
  bool used;
  double locality, distance, density;
};

struct program
{
  const struct ummgr_policy_ops *policy;
  void *state;
  struct ummgr_seen *seen;
  int objects, regions;
  double frequency[REGIONS];
  struct use use[REGIONS][SC19_MOST];
  uint64_t sequence, invocations[REGIONS];
  struct sc19 paper;
  struct ummgr_object_view o[SC19_MOST];
  struct ummgr_placed placed[SC19_MOST];
};

static struct ummgr_plan plan;
static unsigned first_seed = 1;
static uint64_t seed;		/* The state of what follows.  */
static unsigned program_seed;

/* Of one kind of programs: launches, those of which the text says all, those in
   which something left or was refused, and those of several readings or left out.  */
static unsigned long launches, compared, replaced, refused, open, left_out;

static unsigned
rnd (unsigned n)
{
  return random64 (&seed) % n;
}

/* --- programs ------------------------------------------------------------ */

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

/* The regions go round in their order, and the compiler knows it.  */
static void
make_round (struct program *p)
{
  for (int r = 0; r < p->regions; r++)
    for (int i = 0; i < p->objects; i++)
      {
	int next = 1;
	while (!p->use[(r + next) % p->regions][i].used && next < p->regions)
	  next++;
	p->use[r][i].distance = next;
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
	       size_t room)
{
  static const char *const names[] = { "rlm", "glm", "rdm" };
  struct ummgr_policy_config config = policy_config (room, "hybrid", partial, UNIT, 1);
  p->policy = ummgr_policy_find (names[scheme]);
  p->paper = (struct sc19) {
    .scheme = scheme, .room = room, .unit = UNIT, .partial = partial == UMMGR_PARTIAL_PAPER
  };
  p->seen = ummgr_seen_new ();
  p->state = calloc (1, p->policy->state_size);
  CHECK (p->seen && p->policy->init (p->state, &config) == UMMGR_OK);
}

/* What a map places is taken over: the paper has regions alone decide.  */
static void
program_map (struct program *p, int i, size_t size)
{
  struct ummgr_object_view *o = &p->o[i];
  policy_clear (o, &p->placed[i]);
  o->id = i + 1;
  o->base = (uintptr_t) (i + 1) << 32;
  o->size = size;
  o->path = UMMGR_PATH_MAPPED;
  policy_map (p->policy, p->state, o, &plan);
  policy_apply (&plan);
  size_t has = policy_on_device (o);
  CHECK (has == 0 || sc19_free (&p->paper) >= size);
  p->paper.o[i] = (struct sc19_object) {
    .size = size, .has = has, .gl = -1, .next = SC19_UNKNOWN
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
  ummgr_seen_free (p->seen);
}

/* --- a launch of ours ---------------------------------------------------- */

static struct ummgr_hint
hint_of (const struct program *p, int r, int i)
{
  const struct use *u = &p->use[r][i];
  struct ummgr_hint h = UMMGR_HINT_UNKNOWN;
  h.known = h.read = h.host_known = true;
  h.locality = u->locality;
  h.density = h.density_most = h.density_sc19 = h.density_program = u->density;
  h.global_locality = global_locality (p, i);
  h.reuse_static = h.reuse_likely = u->distance;
  h.name = "a";
  if (p->paper.partial)
    {
      h.remote = h.remote_most = h.remote_program = rnd (UNIT);
      h.density_most = 1;
    }
  return h;
}

/* The distances of what region R uses, by I.  */
static void
distances (struct program *p, int r, struct ummgr_object_view *const *objects, size_t n,
	   double *distance)
{
  ummgr_seen_begin (p->seen, r + 1, p->sequence);
  for (size_t k = 0; k < n; k++)
    {
      int i = objects[k]->id - 1;
      uint32_t object = ummgr_seen_object (p->seen, objects[k]->base);
      struct ummgr_seen_distance seen = ummgr_seen_use (p->seen, object);
      distance[i] = seen.proved ? seen.regions : p->use[r][i].distance;
    }
}

/* What comes goes by its density (section 3.1), what leaves goes to the host.  */
static void
check_plan (const struct program *p, int r)
{
  for (size_t k = 0; k < plan.count; k++)
    {
      const struct ummgr_decision *d = &plan.decisions[k];
      if (d->lo < d->hi && d->place == UMMGR_PLACE_DEVICE)
	CHECK_EQ (d->transfer, p->use[r][d->object->id - 1].density < 0.5
		  ? UMMGR_TRANSFER_IMPLICIT : UMMGR_TRANSFER_EXPLICIT);
    }
}

/* Region R runs, its clauses in random order.  */
static void
run (struct program *p, int r, double *distance)
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
  distances (p, r, objects, n, distance);
  plan.count = 0;
  p->policy->on_region_begin (p->state, &view, objects, n, &plan);
  check_plan (p, r);
  policy_apply (&plan);
  for (size_t k = 0; k < n; k++)
    CHECK (policy_on_device (objects[k])
	   ? objects[k]->placed->lo == 0 : objects[k]->placed->place == UMMGR_PLACE_HOST);
  p->policy->on_region_end (p->state, &view, objects, n, &plan);
  CHECK_EQ (plan.count, 0);
}

/* --- and the paper's ----------------------------------------------------- */

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
agree (const struct sc19 *a, const struct sc19 *b)
{
  for (int i = 0; i < SC19_MOST; i++)
    if (a->o[i].has != b->o[i].has)
      return false;
  return true;
}

/* One of its readings at random.  */
static struct sc19
read_paper (const struct sc19 *before, const double *distance)
{
  struct sc19_reading how = { .equals = rnd (3) };
  struct sc19 s = *before;
  permute (how.turn);
  permute (how.leave);
  sc19_launch (&s, &how, distance);
  return s;
}

static void
show (const char *what, const struct sc19 *s)
{
  fprintf (stderr, "%s, room %zu:\n", what, s->room);
  for (int i = 0; i < SC19_MOST; i++)
    if (s->o[i].size)
      fprintf (stderr, "  %d%s: %zu of %zu, RL %g, GL %g, next use %g\n", i,
	       s->o[i].used ? " (used)" : "", s->o[i].has, s->o[i].size, s->o[i].rl,
	       s->o[i].gl, s->o[i].next);
}

/* OURS came of BEFORE.  Returns it as the paper's present.  */
static struct sc19
judge (const struct sc19 *before, const struct sc19 *ours, const double *distance)
{
  struct sc19 s = read_paper (before, distance), first = s;
  bool one = true, found = agree (&s, ours);
  for (int k = 1; k < READINGS || (!one && !found && k < READINGS_MOST); k++)
    {
      s = read_paper (before, distance);
      one &= agree (&s, &first);
      found |= agree (&s, ours);
    }
  bool leave_out = s.scheme == SC19_RDM && !s.partial && first.replaced > before->replaced;
  launches++;
  left_out += leave_out;
  open += !leave_out && !one;
  compared += !leave_out && one;
  replaced += !leave_out && first.replaced > before->replaced;
  refused += !leave_out && first.refused > before->refused;
  if (!found && !leave_out)
    {
      show ("before", before);
      show ("the paper", &first);
      show ("ours", ours);
      fprintf (stderr, "scheme %d, seed %u%s\n", s.scheme, program_seed,
	       one ? "" : ", which is none of several readings");
    }
  CHECK (found || leave_out);
  for (int i = 0; i < SC19_MOST; i++)
    first.o[i].has = ours->o[i].has;
  return first;
}

static void
launch (struct program *p, int r)
{
  double distance[SC19_MOST] = { 0 };
  for (int i = 0; i < p->objects; i++)
    {
      struct sc19_object *o = &p->paper.o[i];
      o->used = o->size && p->use[r][i].used;
      o->rl = p->use[r][i].locality;
      if (o->used)
	o->gl = global_locality (p, i);
    }
  run (p, r, distance);
  struct sc19 ours = p->paper;
  for (int i = 0; i < p->objects; i++)
    ours.o[i].has = ours.o[i].size ? policy_on_device (&p->o[i]) : 0;
  p->paper = judge (&p->paper, &ours, distance);
}

/* --- random programs ----------------------------------------------------- */

static void
go_round (struct program *p, const size_t *sizes)
{
  for (int i = 0; i < p->objects; i++)
    program_map (p, i, sizes[i]);
  for (int step = 0; step < LAUNCHES; step++)
    launch (p, step % p->regions);
}

static void
go_anyhow (struct program *p, const size_t *sizes)
{
  for (int step = 0; step < LAUNCHES; step++)
    {
      int i = rnd (p->objects);
      if (!p->paper.o[i].size && rnd (2))
	program_map (p, i, sizes[i]);
      else if (p->paper.o[i].size && rnd (16) == 0)
	program_unmap (p, i);
      else
	launch (p, rnd (p->regions));
    }
}

static void
random_program (enum sc19_scheme scheme, enum ummgr_partial partial)
{
  struct program p = { .objects = 1 + rnd (SC19_MOST), .regions = 1 + rnd (REGIONS) };
  size_t sizes[SC19_MOST], sum = 0;
  bool blocks = rnd (4);
  bool round = rnd (2) || (scheme == SC19_RDM && partial == UMMGR_PARTIAL_OFF);
  make_uses (&p);
  if (round)
    make_round (&p);
  for (int i = 0; i < p.objects; i++)
    {
      sizes[i] = (size_t) (1 + rnd (rnd (3) ? 3 : 12)) * UNIT - (blocks ? 0 : rnd (UNIT));
      sum += sizes[i];
    }
  program_begin (&p, scheme, partial, sum * rnd (17) / 16);
  (round ? go_round : go_anyhow) (&p, sizes);
  program_end (&p);
}

static void
random_programs (enum sc19_scheme scheme, enum ummgr_partial partial, unsigned count)
{
  launches = compared = replaced = refused = open = left_out = 0;
  for (unsigned k = 0; k < count; k++)
    {
      program_seed = first_seed + k;
      seed = program_seed * UINT64_C (0x9e3779b97f4a7c15);
      random_program (scheme, partial);
    }
  printf ("%s%s: of %lu launches %lu compared, %lu open, %lu left out; %lu replace, %lu refuse\n",
	  scheme == SC19_RLM ? "rlm" : scheme == SC19_GLM ? "glm" : "rdm",
	  partial == UMMGR_PARTIAL_PAPER ? ", paper" : "", launches, compared, open, left_out,
	  replaced, refused);
  /* Most, and enough of those of which there is something to be said.  */
  CHECK (compared * 10 >= launches * 8);
  CHECK (count < 100 || refused * 10 >= launches);
  CHECK (count < 100 || replaced * 60 >= launches || left_out);
}

/* --- by hand ------------------------------------------------------------- */

/* V, N, F and O of cfd (Fig. 3) by their global locality; TR0, and inside TR1 and TR2.
   There is room for two.  */
static void
cfd (enum sc19_scheme scheme, bool *n_stays, bool *f_stays)
{
  struct program p = {
    .objects = 4, .regions = 3, .frequency = { 1, 10, 10 },
    .use = {
      { { true, 100, 1, 1 }, { 0 }, { 0 }, { true, 30, 2, 1 } },
      { { true, 100, 1, 1 }, { true, 90, 2, 1 }, { true, 40, 1, 1 }, { 0 } },
      { { true, 100, 1, 1 }, { 0 }, { true, 40, 1, 1 }, { true, 20, 2, 1 } }
    }
  };
  *n_stays = *f_stays = true;
  program_begin (&p, scheme, UMMGR_PARTIAL_PAPER, 2 * UNIT);
  for (int i = 0; i < 4; i++)
    program_map (&p, i, UNIT);
  launch (&p, 0);
  for (int i = 0; i < 16; i++)
    {
      launch (&p, 1 + i % 2);
      CHECK_EQ (policy_on_device (&p.o[0]), UNIT);
      *n_stays &= policy_on_device (&p.o[1]) == UNIT;
      *f_stays &= policy_on_device (&p.o[2]) == UNIT;
    }
  program_end (&p);
}

static void
check_cfd (void)
{
  bool n, f;
  cfd (SC19_GLM, &n, &f);	/* "GLM will place V and N … throughout".  */
  CHECK (n && !f);
  cfd (SC19_RDM, &n, &f);	/* "RDM will keep F instead of N".  */
  CHECK (f && !n);
  cfd (SC19_RLM, &n, &f);	/* "Neither GLM nor RLM …"  */
  CHECK (!n && !f);
}

/* X and Y, used by each launch, room for one, mapped and named in either order: global
   locality decides.  */
static void
check_tie (enum ummgr_partial partial, bool x_maps_first, bool x_first)
{
  const struct ummgr_policy_ops *rdm = ummgr_policy_find ("rdm");
  struct ummgr_policy_config config = policy_config (8 * UNIT, "hybrid", partial, UNIT, 1);
  struct ummgr_placed placed[2];
  struct ummgr_object_view x, y, *order[] = { x_first ? &x : &y, x_first ? &y : &x };
  struct ummgr_hint hint[2] = { UMMGR_HINT_UNKNOWN, UMMGR_HINT_UNKNOWN };
  void *state = calloc (1, rdm->state_size);
  policy_clear (&x, &placed[0]);
  policy_clear (&y, &placed[1]);
  x.size = y.size = 8 * UNIT;
  x.base = 1 << 24;
  y.base = 2 << 24;
  CHECK (rdm->init (state, &config) == UMMGR_OK);
  for (int k = 0; k < 2; k++)
    {
      struct ummgr_hint *h = &hint[k];
      bool is_x = order[k] == &x;
      policy_map (rdm, state, (k == 0) == x_maps_first ? &x : &y, &plan);
      policy_apply (&plan);
      h->known = h->host_known = true;
      h->read = h->estimated = is_x;
      h->write = !is_x;
      h->density = h->density_most = h->density_program = 1;
      h->density_sc19 = h->locality = h->global_locality = is_x ? 16 : 1;
      h->remote = h->locality * (double) x.size;
      h->remote_most = h->remote_program = INFINITY;
      h->reuse_static = h->reuse_likely = 1;
    }
  for (int k = 0; k < 20; k++)
    {
      policy_begin_hinted (rdm, state, 1, order, hint, 2, &plan);
      policy_apply (&plan);
      CHECK_EQ (policy_on_device (&x), x.size);
      CHECK_EQ (policy_on_device (&y), 0);
    }
  rdm->on_unmap (state, &x);
  rdm->on_unmap (state, &y);
  rdm->fini (state);
  free (state);
}

int
main (int argc, char **argv)
{
  unsigned count = argc > 2 ? atoi (argv[2]) : 300;
  first_seed = argc > 1 ? atoi (argv[1]) : 1;
  seed = first_seed;
  check_cfd ();
  for (int k = 0; k < 8; k++)
    check_tie (k & 4 ? UMMGR_PARTIAL_PAPER : UMMGR_PARTIAL_OFF, k & 1, k & 2);
  for (enum sc19_scheme scheme = SC19_RLM; scheme <= SC19_RDM; scheme++)
    {
      random_programs (scheme, UMMGR_PARTIAL_OFF, count);
      random_programs (scheme, UMMGR_PARTIAL_PAPER, count);
    }
  free (plan.decisions);
  return 0;
}
