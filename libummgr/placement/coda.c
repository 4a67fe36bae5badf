/* CODA's placement.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns what launches wanted of the objects that were used last.  */

#include "config.h"
#include "placement/coda.h"

#include "base/log.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
  OBJECTS = 256,		/* Two in one place take it from each other.  */
  WANTED = 4,			/* Layouts of one; what is least wanted goes.  */
  VOTERS = 8			/* Regions that use one; others are not asked.  */
};

static const struct ummgr_layout by_lines
  = { .grain = UMMGR_LAYOUT_LINE, .chunk = UMMGR_LAYOUT_LINE };

/* What a region wants of an object: of its last launch, or, if there was none yet, of that to come.  */
struct voter
{
  uint64_t region, launches;
  double bytes, frequency;	/* Of a launch; launches in a run.  */
  struct ummgr_layout layout;
};

static struct object
{
  uint64_t number, address;
  unsigned count;		/* Of layouts; the first is in force.  */
  double afar[WANTED];		/* By layout: bytes that launches would have read from afar
				   with it.  */
  struct ummgr_layout layout[WANTED];
  unsigned voter_count;
  struct voter voters[VOTERS];
} objects[OBJECTS];

/* --- one launch ----------------------------------------------------------------- */

/* Teams take E's chunks by turns, in rounds of one chunk for each.  Can a layout say so, with
   rows of *ROW bytes maybe?  */
static bool
rounds_fit (const struct ummgr_exclusive *e, const struct ummgr_device_spread *spread,
	    double *row)
{
  double round = (double) e->chunk * spread->teams;
  bool again = e->iterations > round;
  /* The next round's first team is the next one of the GPUs, too.  */
  bool on = spread->teams % (spread->together * spread->gpus) == 0;
  /* Within a part only its ends are known.  */
  if (e->parts && (double) e->chunk * spread->together * e->parts < e->iterations)
    return false;
  if (!again || on)
    return true;
  if (e->parts || e->row > 0)
    return false;
  *row = fabs (e->pace) * round;
  return *row < INT64_MAX / 2 && fmod (*row, 1) == 0;
}

/* OUT: how what is at ADDRESS is to lie where iterations have E for themselves.  */
static void
layout_fill (const struct ummgr_exclusive *e, uintptr_t address, const struct ummgr_device_spread *spread,
	     struct ummgr_layout *out)
{
  ummgr_layout_copy (out, &by_lines);
  if (!spread->teams || e->pace == 0)
    return;
  /* Iterations of a team; without chunks some have one more than others.  */
  double piece = e->chunk ? (double) e->chunk : (double) e->iterations / spread->teams;
  double chunk = fabs (e->pace) * piece * spread->together + 0.5;
  double first = address + e->first, row = e->row;
  if (chunk < UMMGR_LAYOUT_PAGE || chunk > INT64_MAX / 2 || !(first >= 0 && first < INT64_MAX)
      || (e->chunk && !rounds_fit (e, spread, &row)))
    return;
  out->origin = (uint64_t) first;
  out->grain = UMMGR_LAYOUT_PAGE;
  out->chunk = (uint64_t) chunk;
  out->backward = e->pace < 0;
  out->row = (uint64_t) row;
  out->parts = e->parts;
  out->together = piece * spread->together / e->iterations * e->parts;
  for (unsigned i = 0; e->parts && i <= e->parts; i++)
    out->at[i] = e->at[i] - e->at[0];
}

void
ummgr_coda_layout (const struct ummgr_device_use *use, const struct ummgr_device_spread *spread,
		   struct ummgr_layout *out)
{
  layout_fill (&use->exclusive, use->address, spread, out);
}

/* --- all of them ------------------------------------------------------------------ */

/* Bytes that a launch uses, each as often as caches don't have it: at least once.  */
static double
bytes_of (const struct ummgr_device_use *use)
{
  return use->size * (use->hint.density >= 0 ? fmin (use->hint.density, 1) : 1);
}

static struct object *
object_of (const struct ummgr_device_use *use)
{
  struct object *o = &objects[use->object % OBJECTS];
  if (o->number != use->object || o->address != use->address)
    {
      o->number = use->object;
      o->address = use->address;
      o->count = o->voter_count = 0;
    }
  return o;
}

/* Which of O's layouts LAYOUT is, from now on.  */
static unsigned
find (struct object *o, const struct ummgr_layout *layout)
{
  unsigned worst = 1;
  for (unsigned i = 0; i < o->count; i++)
    if (ummgr_layout_same (&o->layout[i], layout))
      return i;
  if (o->count < WANTED)
    worst = o->count++;
  else
    for (unsigned i = 2; i < WANTED; i++)
      if (o->afar[i] > o->afar[worst])
	worst = i;
  /* It would have had none of what others wanted so far.  */
  double afar = 0;
  for (unsigned i = 0; i < o->count; i++)
    if (i != worst && o->afar[i] > afar)
      afar = o->afar[i];
  ummgr_layout_copy (&o->layout[worst], layout);
  o->afar[worst] = afar;
  return worst;
}

/* Of BYTES that lie as nobody wants them, those with other GPUs.  */
static double
with_others (double bytes, unsigned gpus)
{
  return bytes * (gpus - 1) / gpus;
}

/* A launch that wants LAYOUT uses BYTES of O: all layouts but that one have most of them
   elsewhere.  */
static void
note (struct object *o, const struct ummgr_layout *layout, double bytes, unsigned gpus)
{
  unsigned mine = find (o, layout);
  for (unsigned i = 0; i < o->count; i++)
    if (i != mine)
      o->afar[i] += with_others (bytes, gpus);
}

/* Layout I of O is in force from now on.  */
static void
lay (struct object *o, unsigned i)
{
  struct ummgr_layout first;
  ummgr_layout_copy (&first, &o->layout[i]);
  ummgr_layout_copy (&o->layout[i], &o->layout[0]);
  ummgr_layout_copy (&o->layout[0], &first);
  memset (o->afar, 0, sizeof o->afar);
}

/* Bytes that it has to be worth to lay SIZE anew: what is saved is as far from sure as what is lost.  */
static double
price (uint64_t size, unsigned gpus)
{
  return with_others (2.0 * size, gpus);
}

/* Is another one worth SIZE bytes that go elsewhere, by what was?  */
static void
choose (struct object *o, uint64_t size, unsigned gpus)
{
  unsigned best = 0;
  for (unsigned i = 1; i < o->count; i++)
    if (o->afar[i] < o->afar[best])
      best = i;
  if (o->afar[0] - o->afar[best] > price (size, gpus))
    lay (o, best);
}

/* --- launches to come -------------------------------------------------------------- */

/* REGION's voter, which is new in O where there is none; NULL: no more are asked.  */
static struct voter *
voter_get (struct object *o, uint64_t region)
{
  for (unsigned i = 0; i < o->voter_count; i++)
    if (o->voters[i].region == region)
      return &o->voters[i];
  if (o->voter_count == VOTERS)
    return NULL;
  struct voter *v = &o->voters[o->voter_count++];
  v->region = region;
  v->launches = 0;
  return v;
}

/* How OTHER's teams will be spread, where those of a launch of ITERATIONS (0: not known) are as SPREAD says: where
   these are as many as its iterations need, so will those be.  */
static struct ummgr_device_spread
spread_of (const struct ummgr_device_other *other, uint64_t iterations, const struct ummgr_device_spread *spread)
{
  struct ummgr_device_spread out = *spread;
  uint64_t threads = spread->threads;
  if (other->teams)
    out.teams = other->teams;
  else if (iterations && threads && (iterations + threads - 1) / threads == spread->teams
	   && other->exclusive.iterations)
    out.teams = (unsigned) fmin ((double) ((other->exclusive.iterations + threads - 1) / threads), INT_MAX);
  if (out.teams != spread->teams)
    out.together = ummgr_layout_together (out.teams, out.in_flight, out.gpus, out.scheduling);
  return out;
}

/* A launch of ITERATIONS, which USE is of, wants LAYOUT: note it, and what others will want.  Returns whether it is its
   region's first with O.  */
static bool
ask (struct object *o, const struct ummgr_device_use *use, uint64_t iterations,
     const struct ummgr_layout *layout, const struct ummgr_device_spread *spread)
{
  struct voter *v = voter_get (o, use->region);
  if (!v)
    return false;
  v->bytes = bytes_of (use);
  v->frequency = use->hint.frequency;
  ummgr_layout_copy (&v->layout, layout);
  if (v->launches++)
    return false;
  for (unsigned i = 0; i < use->other_count; i++)
    {
      const struct ummgr_device_other *other = &use->others[i];
      struct voter *w = voter_get (o, other->region);
      if (!w || w->launches)
	continue;
      const struct ummgr_device_spread its = spread_of (other, iterations, spread);
      w->bytes = (double) use->size;
      w->frequency = other->frequency;
      layout_fill (&other->exclusive, use->address, &its, &w->layout);
    }
  return true;
}

/* Bytes that launches to come would have from afar with LAYOUT, that of REGION which is about to run among them.  */
static double
ahead (const struct object *o, uint64_t region, const struct ummgr_layout *layout, unsigned gpus)
{
  double sum = 0;
  for (unsigned i = 0; i < o->voter_count; i++)
    {
      const struct voter *v = &o->voters[i];
      double left = v->frequency - (double) v->launches + (v->region == region);
      if (left > 0 && !ummgr_layout_same (&v->layout, layout))
	sum += with_others (left * v->bytes, gpus);
    }
  return sum;
}

/* How O is to lie by what launches to come want, first of all that which USE is of: that costs nothing where nothing
   was laid BEFORE.  */
static void
foresee (struct object *o, const struct ummgr_device_use *use, bool before, unsigned gpus)
{
  double least = ahead (o, use->region, &o->layout[0], gpus) - (before ? price (use->size, gpus) : 0);
  const struct voter *best = NULL;
  for (unsigned i = 0; i < o->voter_count; i++)
    {
      double one = ahead (o, use->region, &o->voters[i].layout, gpus);
      if (one < least)
	{
	  least = one;
	  best = &o->voters[i];
	}
    }
  if (best)
    lay (o, find (o, &best->layout));
}

static const char *
use_name (const struct ummgr_device_use *use)
{
  return use->hint.name ? use->hint.name : "an array";
}

void
ummgr_coda_decide (const struct ummgr_device_use *uses, size_t count,
		   const struct ummgr_device_spread *spread, struct ummgr_layout *out)
{
  uint64_t iterations = 0;
  for (size_t i = 0; i < count && !iterations; i++)
    iterations = uses[i].exclusive.iterations;
  for (size_t i = 0; i < count; i++)
    {
      struct ummgr_layout layout;
      ummgr_coda_layout (&uses[i], spread, &layout);
      struct object *o = object_of (&uses[i]);
      bool before = o->count;
      bool first = ask (o, &uses[i], iterations, &layout, spread);
      if (first)
	{
	  find (o, &layout);
	  foresee (o, &uses[i], before, spread->gpus);
	}
      note (o, &layout, bytes_of (&uses[i]), spread->gpus);
      if (!first)
	choose (o, uses[i].size, spread->gpus);
      ummgr_layout_copy (&out[i], &o->layout[0]);
      ummgr_debug ("coda: %s, object %" PRIu64 ": %.6g bytes an iteration of %" PRIu64 ", %u "
		   "teams, %u together: chunks of %" PRIu64 " bytes%s", use_name (&uses[i]),
		   uses[i].object, uses[i].exclusive.pace, uses[i].exclusive.iterations,
		   spread->teams, spread->together, out[i].chunk,
		   ummgr_layout_same (&layout, &out[i]) ? "" : ", as another region wants them");
    }
}
