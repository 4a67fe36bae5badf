/* CODA's placement.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns what launches wanted of the objects that were used last.  */

#include "config.h"
#include "placement/coda.h"

#include "base/log.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
  OBJECTS = 256,		/* Two in one place take it from each other.  */
  WANTED = 4			/* Layouts of one; what is least wanted goes.  */
};

static const struct ummgr_layout by_lines
  = { .grain = UMMGR_LAYOUT_LINE, .chunk = UMMGR_LAYOUT_LINE };

static struct object
{
  uint64_t number, address;
  unsigned count;		/* Of layouts; the first is in force.  */
  double afar[WANTED];		/* By layout: bytes that launches would have read from afar
				   with it.  */
  struct ummgr_layout layout[WANTED];
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

void
ummgr_coda_layout (const struct ummgr_device_use *use, const struct ummgr_device_spread *spread,
		   struct ummgr_layout *out)
{
  const struct ummgr_exclusive *e = &use->exclusive;
  ummgr_layout_copy (out, &by_lines);
  if (!spread->teams || e->pace == 0)
    return;
  /* Iterations of a team; without chunks some have one more than others.  */
  double piece = e->chunk ? (double) e->chunk : (double) e->iterations / spread->teams;
  double chunk = fabs (e->pace) * piece * spread->together + 0.5;
  double first = use->address + e->first, row = e->row;
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

/* --- all of them ------------------------------------------------------------------ */

static struct object *
object_of (const struct ummgr_device_use *use)
{
  struct object *o = &objects[use->object % OBJECTS];
  if (o->number != use->object || o->address != use->address)
    {
      o->number = use->object;
      o->address = use->address;
      o->count = 0;
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

/* A launch that wants LAYOUT uses BYTES of O: all layouts but that one have most of them
   elsewhere.  */
static void
note (struct object *o, const struct ummgr_layout *layout, double bytes, unsigned gpus)
{
  unsigned mine = find (o, layout);
  for (unsigned i = 0; i < o->count; i++)
    if (i != mine)
      o->afar[i] += bytes * (gpus - 1) / gpus;
}

/* Is another one worth SIZE bytes that go elsewhere?  Then it is the first from now on.  */
static void
choose (struct object *o, uint64_t size, unsigned gpus)
{
  unsigned best = 0;
  for (unsigned i = 1; i < o->count; i++)
    if (o->afar[i] < o->afar[best])
      best = i;
  if (o->afar[0] - o->afar[best] <= 2.0 * size * (gpus - 1) / gpus)
    return;
  struct ummgr_layout first;
  ummgr_layout_copy (&first, &o->layout[best]);
  ummgr_layout_copy (&o->layout[best], &o->layout[0]);
  ummgr_layout_copy (&o->layout[0], &first);
  memset (o->afar, 0, sizeof o->afar);
}

static const char *
use_name (const struct ummgr_device_use *use)
{
  return use->hint.name ? use->hint.name : "an array";
}

/* Bytes that a launch uses, each as often as caches don't have it: at least once.  */
static double
bytes_of (const struct ummgr_device_use *use)
{
  return use->size * (use->hint.density >= 0 ? fmin (use->hint.density, 1) : 1);
}

void
ummgr_coda_decide (const struct ummgr_device_use *uses, size_t count,
		   const struct ummgr_device_spread *spread, struct ummgr_layout *out)
{
  for (size_t i = 0; i < count; i++)
    {
      struct ummgr_layout layout;
      ummgr_coda_layout (&uses[i], spread, &layout);
      struct object *o = object_of (&uses[i]);
      note (o, &layout, bytes_of (&uses[i]), spread->gpus);
      choose (o, uses[i].size, spread->gpus);
      ummgr_layout_copy (&out[i], &o->layout[0]);
      ummgr_debug ("coda: %s, object %" PRIu64 ": %.6g bytes an iteration of %" PRIu64 ", %u "
		   "teams, %u together: chunks of %" PRIu64 " bytes%s", use_name (&uses[i]),
		   uses[i].object, uses[i].exclusive.pace, uses[i].exclusive.iterations,
		   spread->teams, spread->together, out[i].chunk,
		   ummgr_layout_same (&layout, &out[i]) ? "" : ", as another region wants them");
    }
}
