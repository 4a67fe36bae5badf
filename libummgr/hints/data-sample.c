/* A sample of the iterations of one reference.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Stratified: one iteration of each of as many equal parts, so that what is
   sorted is seen as sorted.  What the iterations access grows with them (rows of
   a matrix), or goes anywhere (a gather): in the first case each part covers what
   lies between its first place and the next part's; in the second the places are
   random draws from as many as the sample shows to differ.  Holds no state.  */

#include "config.h"
#include "hints/data.h"

#include "ummgr-table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Within each of these parts conditions are taken to be evenly true; in all of
   them where they don't differ by more than chance.  */
enum { GROUPS = 16 };

/* Samples of more steps are not taken.  */
enum { STEPS = 32 };

/* What one iteration does.  */
struct point
{
  bool active;			/* It gets there, conditions on data aside.  */
  int64_t lo, hi;		/* The places, bytes from the argument.  */
  double weight;		/* Accesses,  */
  double runs;			/* in so many runs.  */
  double pass[UMMGR_DATA_VARIANTS];
};

struct walk
{
  const struct ummgr_table_ref *ref;
  const struct ummgr_code_inputs *inputs;
  struct ummgr_code_sample sample;
  uint64_t transient;
  int64_t link;			/* What an access over the link brings.  */
  uint64_t iterations[UMMGR_SAMPLE_LOOPS];
  uint64_t counts[UMMGR_SAMPLE_LOOPS];	/* Of the outer loops.  */
  unsigned outer;		/* Loops up to the last work-shared one.  */
  double all;			/* Their iterations.  */
  uint64_t random;
  bool placed;			/* The place is known.  */
  bool complete;		/* All conditions could be told.  */
  bool guessed;			/* How often a loop runs, could not.  */
  bool outside, inside;		/* There are some on data outside loops within an
				   iteration, or inside.  */
  uint64_t elements[STEPS];	/* What the steps' conditions read.  */
  /* Of the points.  */
  unsigned count, active;
  bool sorted;
  double width, bytes;		/* Of a run, on average.  */
  double tests[UMMGR_DATA_GRANULES];	/* Of conditions for a granule of it.  */
  int64_t cache;		/* The device's, bytes.  */
  unsigned looked, near, far;	/* Points whose next iterations are known, are on the same page of the link, or are
				   further away than the cache's bytes reach to both sides.  */
  struct point points[UMMGR_DATA_SAMPLE];
};

/* The bytes of a granule of W's reference.  */
static double
grain_of (const struct walk *w, enum ummgr_data_granule granule)
{
  return granule == UMMGR_DATA_PAGES ? UMMGR_DATA_PAGE
    : granule == UMMGR_DATA_LINK ? w->link : w->ref->element_size;
}

/* splitmix64's finish: the same numbers each time.  */
static uint64_t
random_below (struct walk *w, uint64_t limit)
{
  uint64_t x = w->random += 0x9e3779b97f4a7c15ull;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return (x ^ x >> 31) % limit;
}

static bool
evaluate (const struct walk *w, const unsigned char *code, int64_t *value)
{
  return code && ummgr_code_evaluate_sample (code, w->inputs, &w->sample, value);
}

/* The iterations of the loop of STEP; false where that can't be told.  */
static bool
loop_count (const struct walk *w, const struct ummgr_table_step *step,
	    double *count)
{
  int64_t value;
  if (!step->code)
    *count = step->value;
  else if (!evaluate (w, step->code, &value))
    return false;
  else
    *count = value > 0 ? (double) value : 0;
  /* More than this nobody waits for.  */
  return *count < 0x1p53;
}

/* Count the outer loops; those of a triangular nest as in the middle.  */
static bool
outer_count (struct walk *w)
{
  const struct ummgr_table_sample *s = &w->ref->sample;
  unsigned loops = 0;
  w->all = 1;
  for (unsigned i = 0; i < s->step_count; i++)
    if (s->steps[i].kind <= UMMGR_STEP_LOOP && ++loops
	&& s->steps[i].kind == UMMGR_STEP_SHARED)
      w->outer = loops;
  loops = 0;
  for (unsigned i = 0; loops < w->outer; i++)
    {
      double count;
      if (s->steps[i].kind > UMMGR_STEP_LOOP)
	continue;
      if (!loop_count (w, &s->steps[i], &count))
	return false;
      w->counts[loops] = (uint64_t) count;
      w->iterations[loops++] = (uint64_t) (count / 2);
      w->all *= floor (count);
    }
  return w->all >= 1 && w->all < 0x1p53;
}

static void
outer_set (struct walk *w, uint64_t iteration)
{
  for (unsigned i = w->outer; i-- > 0;)
    {
      w->iterations[i] = iteration % w->counts[i];
      iteration /= w->counts[i];
    }
}

/* Multiply P's passes by what the condition of STEP, which reads ELEMENTS,
   says.  */
static void
condition_apply (struct walk *w, const struct ummgr_table_step *step,
		 uint64_t elements, struct point *p)
{
  int64_t value = 0;
  bool can = evaluate (w, step->code, &value);
  bool holds = step->kind == UMMGR_STEP_POSITIVE ? value > 0
	       : (value == 0) == (step->kind == UMMGR_STEP_ZERO);
  double expected = step->value < 1 ? step->value : 1;
  double now = can ? holds : expected;
  w->complete &= can;
  if (!elements)
    {
      /* As known as the loops are.  */
      p->active &= !can || holds;
      return;
    }
  p->pass[UMMGR_DATA_NOW] *= now;
  p->pass[UMMGR_DATA_MOST] *= can ? holds : 1;
  p->pass[UMMGR_DATA_LASTING] *= elements & w->transient ? expected : now;
}

/* Where a run in loop LOOP of COUNT iterations lies, if it is one: its places
   must grow evenly.  */
static bool
run_fill (struct walk *w, unsigned loop, double count, struct point *p)
{
  int64_t first, last, here = p->lo;
  uint64_t at = w->iterations[loop];
  w->iterations[loop] = 0;
  bool good = !ummgr_code_gathers (w->ref->sample.address, loop)
	      && evaluate (w, w->ref->sample.address, &first);
  w->iterations[loop] = (uint64_t) count - 1;
  good = good && evaluate (w, w->ref->sample.address, &last);
  double stride = good ? ((double) last - (double) first) / (count - 1) : 0;
  if (!good || fabs (stride) > UMMGR_DATA_PAGE
      || (double) first + stride * (double) at != (double) here)
    return false;
  p->lo = first < last ? first : last;
  p->hi = (first < last ? last : first) + w->ref->element_size;
  return true;
}

/* Fill P for the iteration that is set.  False if it can't be told.  */
static bool
point_fill (struct walk *w, struct point *p)
{
  const struct ummgr_table_sample *s = &w->ref->sample;
  unsigned loops = 0, inner = 0;
  double count = 1;
  *p = (struct point) { .active = true, .weight = 1, .pass = { 1, 1, 1, 1 } };
  for (unsigned i = 0; i < s->step_count && p->active; i++)
    {
      const struct ummgr_table_step *step = &s->steps[i];
      double part = step->value < 1 ? step->value : 1;
      if (step->kind == UMMGR_STEP_PART)
	{
	  p->pass[UMMGR_DATA_NOW] *= part;
	  p->pass[UMMGR_DATA_LASTING] *= part;
	}
      else if (step->kind > UMMGR_STEP_LOOP)
	{
	  condition_apply (w, step, w->elements[i], p);
	  *(inner ? &w->inside : &w->outside) |= w->elements[i] != 0;
	}
      else if (loops++ >= w->outer)
	{
	  if (!loop_count (w, step, &count))
	    return false;
	  w->guessed |= !step->code;
	  inner++;
	  p->weight *= count;
	  p->active = count > 0;
	  uint64_t whole = count < 1 ? 1 : (uint64_t) count;
	  w->iterations[loops - 1] = random_below (w, whole);
	}
    }
  p->runs = p->weight;
  if (!p->active || !s->address)
    return true;
  if (!evaluate (w, s->address, &p->lo) || p->lo < -(INT64_C (1) << 60)
      || p->lo > INT64_C (1) << 60)
    return false;
  p->hi = p->lo + w->ref->element_size;
  if (inner == 1 && count > 1 && run_fill (w, loops - 1, count, p))
    p->runs = 1;
  return true;
}

/* Look whether the iteration behind ITERATION, which P is of, goes to the same page of the link; loops within
   iterations are where they were in it.  */
static void
near_look (struct walk *w, uint64_t iteration, const struct point *p)
{
  int64_t next;
  if (!w->placed || p->runs < p->weight || iteration + 1 >= w->all)
    return;
  outer_set (w, iteration + 1);
  if (!evaluate (w, w->ref->sample.address, &next) || llabs (next) > INT64_C (1) << 60)
    return;
  w->looked++;
  w->near += next / w->link == p->lo / w->link;
  w->far += llabs (next - p->lo) > w->cache / 2;
}

/* Fill the points, of which those outside [LO, HI) are none; false if that is not
   possible.  */
static bool
points_fill (struct walk *w, unsigned sample, int64_t lo, int64_t hi)
{
  int64_t before = INT64_MIN;
  w->count = w->all < sample ? (unsigned) w->all : sample;
  w->sorted = true;
  for (unsigned i = 0; i < w->count; i++)
    {
      uint64_t from = (uint64_t) (w->all / w->count * i);
      uint64_t to = (uint64_t) (w->all / w->count * (i + 1));
      struct point *p = &w->points[i];
      const uint64_t iteration = from + random_below (w, to > from ? to - from : 1);
      outer_set (w, iteration);
      /* What a condition keeps from being executed may lead anywhere.  */
      if (!point_fill (w, p))
	{
	  if (p->pass[UMMGR_DATA_NOW] > 0)
	    return false;
	  p->active = false;
	}
      if (w->placed)
	p->active &= p->lo >= lo && p->hi <= hi;
      if (!p->active)
	continue;
      w->sorted &= p->lo >= before;
      before = p->lo;
      w->active++;
      w->width += (double) (p->hi - p->lo);
      for (int g = 0; g < UMMGR_DATA_GRANULES; g++)
	w->tests[g] += p->weight / p->runs
		       / fmax (1, (double) (p->hi - p->lo) / grain_of (w, g));
      double bytes = p->weight / p->runs * w->ref->element_size;
      w->bytes += fmin (bytes, (double) (p->hi - p->lo));
      near_look (w, iteration, p);
    }
  if (w->active)
    {
      w->width /= w->active;
      w->bytes /= w->active;
      for (int g = 0; g < UMMGR_DATA_GRANULES; g++)
	w->tests[g] /= w->active;
    }
  return true;
}

/* The part of the active points of [FIRST, LAST) that pass; their number to
   *ACTIVE.  */
static double
part_passing (const struct walk *w, unsigned first, unsigned last,
	      enum ummgr_data_variant variant, unsigned *active)
{
  double pass = 0;
  *active = 0;
  for (unsigned i = first; i < last; i++)
    if (w->points[i].active)
      {
	++*active;
	pass += w->points[i].pass[variant];
      }
  return *active ? pass / *active : 0;
}

/* Do as many points pass everywhere, as far as the sample shows?  Pearson's
   chi-squared against its mean and two standard deviations; but of two points both
   are in one group by chance too often for that, one time in GROUPS.  */
static bool
passes_evenly (const struct walk *w, enum ummgr_data_variant variant)
{
  unsigned all, active, groups = 0;
  double p = part_passing (w, 0, w->count, variant, &all), x = 0;
  for (unsigned g = 0; g < GROUPS; g++)
    {
      double here = part_passing (w, g * w->count / GROUPS,
				  (g + 1) * w->count / GROUPS, variant,
				  &active);
      groups += active > 0;
      if (active && p > 0 && p < 1)
	x += active * (here - p) * (here - p) / (p * (1 - p));
    }
  double free = groups > 1 ? groups - 1 : 1;
  return p * all < 2.5 || x <= free + 2 * sqrt (2 * free);
}

/* In how many places the ACTIVE points of [FIRST, LAST), which grow, and what is
   between them are: one for each iteration, or, where most points are on the page
   of the one before, one for each that isn't.  */
static double
places_of (const struct walk *w, unsigned first, unsigned last, unsigned active)
{
  unsigned places = 0;
  int64_t before = INT64_MIN;
  for (unsigned i = first; i < last; i++)
    if (w->points[i].active)
      {
	int64_t at = w->points[i].lo / w->link;
	places += at != before;
	before = at;
      }
  return places <= active / 2 ? places : w->all / w->count * active;
}

/* What the parts [FIRST, LAST) cover where places grow, up to END.  EVEN: the part
   of them that passes, or negative: as it is.  */
static double
group_cover (const struct walk *w, unsigned first, unsigned last, int64_t end,
	     double even, enum ummgr_data_variant variant,
	     enum ummgr_data_granule granule)
{
  unsigned active;
  double pass = part_passing (w, first, last, variant, &active);
  int64_t lo = end;
  for (unsigned i = last; i-- > first;)
    if (w->points[i].active)
      lo = w->points[i].lo;
  if (!active)
    return 0;
  if (even >= 0)
    pass = even;
  double iterations = w->all / w->count * active, places = iterations;
  if (granule == UMMGR_DATA_LINK)
    places = places_of (w, first, last, active);
  double unit = granule == UMMGR_DATA_BYTES ? w->bytes
		: fmax (w->width, grain_of (w, granule));
  double span = fmax ((double) (end - lo), w->bytes);
  double full = fmin (span, places * unit);
  double times = full > 0 ? fmax (1, iterations * unit / full) : 1;
  /* Each access of a run has a condition of its own: one is enough for a page.  */
  if (granule != UMMGR_DATA_BYTES && w->inside && !w->outside)
    times *= fmax (1, w->tests[granule]);
  return full * -expm1 (times * log1p (-fmin (pass, 1 - 1e-12)));
}

static double
sorted_cover (const struct walk *w, enum ummgr_data_variant variant,
	      enum ummgr_data_granule granule)
{
  unsigned active;
  double sum = 0, even = -1;
  int64_t end = INT64_MIN;
  if (passes_evenly (w, variant))
    even = part_passing (w, 0, w->count, variant, &active);
  for (unsigned i = w->count; i-- > 0 && end == INT64_MIN;)
    if (w->points[i].active)
      end = w->points[i].hi;
  for (unsigned g = GROUPS; g-- > 0;)
    {
      unsigned first = g * w->count / GROUPS;
      unsigned last = (g + 1) * w->count / GROUPS;
      sum += group_cover (w, first, last, end, even, variant, granule);
      for (unsigned i = last; i-- > first;)
	if (w->points[i].active)
	  end = w->points[i].lo;
    }
  return sum;
}

static int
compare (const void *a, const void *b)
{
  int64_t x = *(const int64_t *) a, y = *(const int64_t *) b;
  return (x > y) - (x < y);
}

/* How many granules there are to draw from, at most MOST, if N draws have found
   FOUND (linear counting: n (1 - exp (-N/n)) are found of n).  A few that were
   found twice by chance must not count: two more than their standard deviations
   are looked at.  */
static double
support (double n, double found, double most)
{
  double lo = found, hi = most;
  double twice = n + most * expm1 (-n / most);
  if (found >= most || n - found <= twice + 2 * sqrt (twice) + 2)
    return most;
  for (int i = 0; i < 50; i++)
    {
      double middle = (lo + hi) / 2;
      *(-middle * expm1 (-n / middle) < found ? &lo : &hi) = middle;
    }
  return lo;
}

/* The granules of an object of SIZE bytes that places which go anywhere may
   be in.  */
static double
scattered_among (const struct walk *w, double size,
		 enum ummgr_data_granule granule)
{
  int64_t places[UMMGR_DATA_SAMPLE];
  unsigned n = 0, found = 0;
  double grain = grain_of (w, granule), most = fmax (1, size / grain);
  if (!w->placed)
    return most;
  for (unsigned i = 0; i < w->count; i++)
    if (w->points[i].active)
      places[n++] = (int64_t) floor ((double) w->points[i].lo / grain);
  qsort (places, n, sizeof *places, compare);
  for (unsigned i = 0; i < n; i++)
    found += i == 0 || places[i] != places[i - 1];
  if (n < 2)
    return most;
  /* N draws span all but 2 / (N + 1) of what they are from, on average.  */
  double span = (double) (places[n - 1] - places[0]) * (n + 1) / (n - 1) + 1;
  return support (n, found, fmin (most, span));
}

/* The part of the accesses that share no page of the link with the next iteration's, as far as is known; never 0.  */
static double
apart_of (const struct walk *w)
{
  return w->looked ? fmax (1, (double) w->looked - w->near) / w->looked : 1;
}

/* Bytes that an access brings over the link: a page, which those of the next iterations share that go there.  An
   example: of 256 accesses, 64 are on the page of 32 bytes of the next iteration's; 32 * 3 / 4.  */
static double
brings_of (const struct walk *w)
{
  double page = fmax (w->ref->element_size, w->link);
  return w->looked ? page * apart_of (w) : w->ref->element_size;
}

/* What draws cover of the AMONG granules.  */
static double
scattered_cover (const struct walk *w, double among,
		 enum ummgr_data_variant variant,
		 enum ummgr_data_granule granule)
{
  double draws = 0, grain = grain_of (w, granule);
  for (unsigned i = 0; i < w->count; i++)
    if (w->points[i].active)
      {
	const struct point *p = &w->points[i];
	draws += p->runs * p->pass[variant]
		 * fmax (1, (double) (p->hi - p->lo) / grain);
      }
  draws *= w->all / w->count;
  if (granule == UMMGR_DATA_LINK)
    draws *= apart_of (w);
  return among > 0 ? -among * expm1 (-draws / among) * grain : 0;
}

/* Fill OUT's shares of an object of SIZE bytes.  */
static void
shares_fill (const struct walk *w, double size, struct ummgr_data_ref *out)
{
  bool sorted = w->sorted && w->placed;
  for (int g = 0; g < UMMGR_DATA_GRANULES; g++)
    {
      double among = sorted ? 0 : scattered_among (w, size, g);
      for (int v = 0; v < UMMGR_DATA_VARIANTS; v++)
	out->share[v][g]
	  = fmin (1, (sorted ? sorted_cover (w, v, g)
		      : scattered_cover (w, among, v, g)) / size);
    }
}

/* Fill what OUT says of what can be at most: of N iterations that were found, two
   standard deviations more, and three where none is (the rule of three); but no more
   than all.  A sample of all iterations is no sample.  */
static void
most_fill (const struct walk *w, double size, struct ummgr_data_ref *out)
{
  double found = 0, link = 0, accesses = 0;
  for (unsigned i = 0; i < w->count; i++)
    if (w->points[i].active)
      {
	const struct point *p = &w->points[i];
	found += p->pass[UMMGR_DATA_MOST];
	link += p->runs * ((double) (p->hi - p->lo) + w->link);
	accesses += p->weight;
      }
  double more = w->all > w->count ? 2 * sqrt (found) + 3 : 0;
  double each = w->active ? w->all / w->count / w->active : 0;
  const double (*share)[UMMGR_DATA_GRANULES] = out->share;
  out->most_link = share[UMMGR_DATA_MOST][UMMGR_DATA_LINK] * size
		   + more * each * link;
  out->most_accesses = out->accesses[UMMGR_DATA_MOST] + more * each * accesses;
  out->most_link = fmin (out->most_link,
			 share[UMMGR_DATA_ANY][UMMGR_DATA_LINK] * size);
  out->most_accesses = fmin (out->most_accesses, out->accesses[UMMGR_DATA_ANY]);
  if (w->guessed)
    out->most_link = out->most_accesses = INFINITY;
}

/* The pages that an iteration goes to.  */
static double
scatter_of (const struct walk *w)
{
  double sum = 0;
  for (unsigned i = 0; i < w->count; i++)
    if (w->points[i].active)
      sum += w->points[i].runs
	     * fmax (1, (double) (w->points[i].hi - w->points[i].lo)
			/ UMMGR_DATA_PAGE);
  return w->active && w->placed ? sum / w->active : 0;
}

void
ummgr_data_sample (const struct ummgr_table_ref *ref,
		   const struct ummgr_code_inputs *inputs,
		   const struct ummgr_code_memory *memory, uint64_t transient,
		   struct ummgr_hint_extent extent, unsigned sample,
		   struct ummgr_data_ref *out)
{
  struct walk w;
  memset (&w, 0, offsetof (struct walk, points));
  w.ref = ref;
  w.inputs = inputs;
  w.sample = (struct ummgr_code_sample) { w.iterations, memory };
  w.transient = transient;
  w.link = extent.remote.grain ? extent.remote.grain : UMMGR_DATA_LINK_PAGE;
  w.cache = (int64_t) extent.remote.cache;
  w.placed = ref->sample.address != NULL;
  w.complete = true;
  *out = (struct ummgr_data_ref) { .known = false };
  int64_t lo = -(int64_t) extent.offset;
  for (unsigned i = 0; i < ref->sample.step_count && i < STEPS; i++)
    w.elements[i] = ummgr_code_elements (ref->sample.steps[i].code);
  if (!ref->sample.step_count || ref->sample.step_count > STEPS || !extent.size || !ref->element_size || !sample
      || sample > UMMGR_DATA_SAMPLE || !outer_count (&w)
      || !points_fill (&w, sample, lo, lo + (int64_t) extent.size))
    return;
  out->known = true;
  out->complete = w.complete;
  out->guessed = w.guessed;
  out->each = w.inside && !w.outside;
  out->sampled = w.count;
  out->iterations = (uint64_t) w.all;
  for (int v = 0; v < UMMGR_DATA_VARIANTS; v++)
    for (unsigned i = 0; i < w.count; i++)
      if (w.points[i].active)
	out->accesses[v] += w.points[i].weight * w.points[i].pass[v]
			    * (w.all / w.count);
  out->scatter = scatter_of (&w);
  out->brings = brings_of (&w);
  out->far = w.looked > w.near ? (double) w.far / (w.looked - w.near) : w.looked ? 0 : -1;
  shares_fill (&w, (double) extent.size, out);
  most_fill (&w, (double) extent.size, out);
}

bool
ummgr_data_places (const struct ummgr_table_ref *ref, const struct ummgr_code_inputs *inputs,
		   const struct ummgr_code_memory *memory, unsigned parts, int64_t *out)
{
  struct walk w;
  memset (&w, 0, offsetof (struct walk, points));
  w.ref = ref;
  w.inputs = inputs;
  w.sample = (struct ummgr_code_sample) { w.iterations, memory };
  if (!ref->sample.step_count || !ref->sample.address || !parts || !outer_count (&w))
    return false;
  /* Loops within an iteration begin at 0.  */
  memset (w.iterations, 0, sizeof w.iterations);
  for (unsigned i = 0; i <= parts; i++)
    {
      uint64_t at = (uint64_t) (w.all / parts * i);
      outer_set (&w, at < w.all ? at : (uint64_t) w.all - 1);
      if (!evaluate (&w, ref->sample.address, &out[i]))
	return false;
    }
  return true;
}
