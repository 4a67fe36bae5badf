/* Which of HPE's six access patterns a trace shows.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Three readings: the first finds the footprint, against which visits are
   counted in the second; the third draws.  The distance between two uses of a page is taken as the
   number of first uses and new visits of other pages in between: a counter that
   stands still while pages that are in use already are used again.

   What is kept of an object grows with its own size: a stream leaves out up to
   511 units between two objects, so here all have numbers of their own, without
   the sets of pages that no object has.

   Owns nothing beyond a call.  */

#include "config.h"
#include "replay/classify.h"

#include "base/grow.h"
#include "base/log.h"
#include "paging/params.h"
#include "replay/evict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A use begins a new visit if more than this part of the pages were visited
   since; it is long-distance beyond the second.  */
#define VISIT_PART 0.02
#define FAR_PART 0.5
/* Most pages are more than this part of them.  */
#define MOST_PART 0.6

const char *const ummgr_pattern_number[UMMGR_PATTERNS]
  = { "-", "I", "II", "III", "IV", "V", "VI" };
const char *const ummgr_pattern_name[UMMGR_PATTERNS]
  = { "not accessed", "streaming", "thrashing", "part repetitive",
      "most repetitive", "repetitive-thrashing", "region moving" };

struct page
{
  uint64_t clock;		/* Of its last use.  */
  uint64_t first, last;		/* Events.  */
  uint32_t visits, far;
};

/* An object's units in the stream, and by how much its own numbers are less.  */
struct extent
{
  uint32_t first, end;
  uint32_t less;
};

/* Of memory for a unit of an object and for an object: here, and in the drawing's
   memories, which are made between two readings.  Of a small object that is a
   memory's own structures, and the rest of its sets of pages.  */
enum
{
  UNIT_BYTES = sizeof (struct page) + sizeof (uint32_t)
	       + 2 * UMMGR_PAGING_UNIT_BYTES,
  OBJECT_BYTES = 8192
};

struct classifying
{
  struct ummgr_classified *c;
  struct extent *extents;	/* Of C's objects.  */
  size_t object_room;
  size_t last;			/* Object that was used last.  */
  struct page *pages;		/* By own number.  */
  uint32_t units, room;
  uint32_t page_set;		/* HPE's; own numbers keep to it.  */
  uint64_t clock;		/* Visits so far.  */
  uint64_t event;		/* Uses so far.  */
  uint64_t footprint;
};

/* --- objects --------------------------------------------------------------- */

/* The object with UNIT; they are in the order of units.  Uses come by the
   object.  */
static size_t
object_of (struct classifying *k, uint32_t unit)
{
  size_t lo = 0, hi = k->c->object_count;
  const struct extent *e = &k->extents[k->last];
  if (unit >= e->first && unit < e->end)
    return k->last;
  while (hi - lo > 1)
    {
      size_t mid = lo + (hi - lo) / 2;
      if (k->extents[mid].first <= unit)
	lo = mid;
      else
	hi = mid;
    }
  return k->last = lo;
}

static uint32_t
own_number (struct classifying *k, uint32_t unit)
{
  return unit - k->extents[object_of (k, unit)].less;
}

/* The stream announces units, and then each object that has some.  */
static bool
grow (void *data, uint32_t units)
{
  (void) data;
  (void) units;
  return true;
}

static bool
grow_objects (struct classifying *k)
{
  size_t room = k->object_room, count = k->c->object_count + 1;
  return UMMGR_GROW (k->c->objects, room, count)
    && UMMGR_GROW (k->extents, k->object_room, count);
}

static bool
grow_pages (struct classifying *k, uint32_t units)
{
  k->units = units;
  if (units <= k->room)
    return true;
  uint32_t room = units > 2 * k->room ? units : 2 * k->room;
  struct page *pages = reallocarray (k->pages, room, sizeof *pages);
  if (!pages)
    return false;
  memset (pages + k->room, 0, (room - k->room) * sizeof *pages);
  k->pages = pages;
  k->room = room;
  return true;
}

static bool
name (struct ummgr_classified_object *n, const struct ummgr_page_object *o)
{
  free (n->name);
  free (n->file);
  n->name = strdup (o->name);
  n->file = strdup (o->file);
  n->line = o->line;
  return n->name && n->file;
}

static bool
object (void *data, const struct ummgr_page_object *o)
{
  struct classifying *k = data;
  struct ummgr_classified *c = k->c;
  size_t count = c->object_count;
  uint32_t set = k->page_set, less = 0, end = 0;
  if (count && o->first < k->extents[count - 1].end)
    return name (&c->objects[object_of (k, o->first)], o);
  if (!grow_objects (k))
    return false;
  if (count)
    {
      less = k->extents[count - 1].less;
      end = (k->extents[count - 1].end + set - 1) / set * set;
    }
  if (o->first > end)
    less += (o->first - end) / set * set;
  if (!grow_pages (k, o->first + o->units - less))
    return false;
  k->extents[count] = (struct extent) { o->first, o->first + o->units, less };
  struct ummgr_classified_object *n = &c->objects[c->object_count++];
  *n = (struct ummgr_classified_object) {
    .size = o->size, .first = o->first - less, .units = o->units
  };
  return name (n, o);
}

/* --- reading ------------------------------------------------------------- */

static void
use (struct classifying *k, uint32_t unit)
{
  struct page *p = &k->pages[unit];
  uint64_t since = k->clock - p->clock;
  bool again = p->visits;
  k->event++;
  if (!again || since > VISIT_PART * k->footprint)
    {
      k->clock++;
      p->visits++;
      p->far += again && since > FAR_PART * k->footprint;
    }
  if (!again)
    p->first = k->event;
  p->last = k->event;
  p->clock = k->clock;
}

static bool
events (void *data, const struct ummgr_page_event *events, size_t count)
{
  struct classifying *k = data;
  for (size_t i = 0; i < count; i++)
    if (events[i].kind <= UMMGR_PAGE_WRITE)
      use (k, own_number (k, events[i].unit));
  return true;
}

/* --- drawing --------------------------------------------- */

/* Each unit's place among those that were used.  */
static uint32_t *
places_of (const struct classifying *k)
{
  uint32_t *place = calloc (k->units + 1, sizeof *place);
  uint32_t n = 0;
  for (uint32_t u = 0; place && u < k->units; u++)
    {
      place[u] = n;
      n += k->pages[u].visits != 0;
    }
  return place;
}

/* The third reading: the picture, and HPE's opinion of each object and of all
   (the last memory).  */
struct drawing
{
  struct classifying *k;
  struct ummgr_classified *c;
  const uint32_t *place;
  uint64_t event, events, footprint;
  struct ummgr_replay_memory **memory;
};

/* What HPE's own evaluation gives the GPU.  */
#define HPE_PART 0.75

/* A memory for PAGES of UNITS.  The record of hits of a few sets is no larger
   than would lose none.  NULL without memory.  */
static struct ummgr_replay_memory *
memory_for (uint64_t pages, uint32_t units)
{
  struct ummgr_hpe_params params = ummgr_hpe_defaults ();
  uint32_t capacity = HPE_PART * pages;
  uint32_t sets = units / params.page_set + 1, entries = params.hir_ways;
  while (entries < sets && entries < params.hir_entries)
    entries *= 2;
  params.hir_entries = entries;
  struct ummgr_paging *hpe = ummgr_paging_hpe_create (0, &params);
  if (!hpe)
    return NULL;
  struct ummgr_replay_memory *m
    = ummgr_replay_memory_create (&ummgr_paging_hpe, hpe,
				  capacity ? capacity : 1,
				  UMMGR_REPLAY_HITS_WALKS, NULL);
  if (m && ummgr_replay_memory_grow (m, units))
    return m;
  ummgr_replay_memory_destroy (m);
  return NULL;
}

/* The first number of O's own memory, where its first page set begins.  */
static uint32_t
origin_of (const struct drawing *d, const struct ummgr_classified_object *o)
{
  return o->first / d->k->page_set * d->k->page_set;
}

static bool
drawing_init (struct drawing *d)
{
  size_t count = d->c->object_count;
  d->memory = calloc (count + 1, sizeof *d->memory);
  if (!d->memory)
    return false;
  for (size_t i = 0; i < count; i++)
    {
      const struct ummgr_classified_object *o = &d->c->objects[i];
      /* Memory for one page is never full of this one.  */
      if (o->facts.pages && o->units > 1
	  && !(d->memory[i] = memory_for (o->facts.pages, o->first + o->units
					  - origin_of (d, o))))
	return false;
    }
  d->memory[count] = memory_for (d->c->facts.pages, d->k->units);
  return d->memory[count];
}

static void
opinion (struct ummgr_pattern_facts *f, const struct ummgr_replay_memory *m)
{
  struct ummgr_hpe_state state;
  if (!m || !ummgr_replay_memory_was_full (m))
    return;
  ummgr_paging_hpe_state (ummgr_replay_memory_paging (m), &state);
  f->category = ummgr_replay_category (state.category);
  f->ratio1 = state.ratio1;
  f->ratio2 = state.ratio2;
}

static void
drawing_end (struct drawing *d)
{
  size_t count = d->c->object_count;
  for (size_t i = 0; d->memory && i <= count; i++)
    {
      opinion (i < count ? &d->c->objects[i].facts : &d->c->facts,
	       d->memory[i]);
      ummgr_replay_memory_destroy (d->memory[i]);
    }
  free (d->memory);
}

/* E, with the object's own number instead of the unit, in the memories.  */
static void
remember (struct drawing *d, size_t object, struct ummgr_page_event e)
{
  struct ummgr_replay_memory *own = d->memory[object];
  ummgr_replay_memory_events (d->memory[d->c->object_count], &e, 1);
  e.unit -= origin_of (d, &d->c->objects[object]);
  if (own)
    ummgr_replay_memory_events (own, &e, 1);
}

static bool
draw (void *data, const struct ummgr_page_event *events, size_t count)
{
  struct drawing *d = data;
  for (size_t i = 0; i < count; i++)
    {
      uint64_t column = d->event * UMMGR_PICTURE_COLUMNS / d->events;
      if (column >= UMMGR_PICTURE_COLUMNS)
	column = UMMGR_PICTURE_COLUMNS - 1;
      if (events[i].kind == UMMGR_PAGE_REGION_BEGIN)
	d->c->launches_at[column]++;
      if (events[i].kind >= UMMGR_PAGE_REGION_BEGIN)
	continue;
      size_t object = object_of (d->k, events[i].unit);
      uint32_t number = events[i].unit - d->k->extents[object].less;
      remember (d, object, (struct ummgr_page_event) { number, events[i].kind,
						       events[i].sm });
      if (events[i].kind > UMMGR_PAGE_WRITE)
	continue;
      uint64_t row = (uint64_t) d->place[number] * UMMGR_PICTURE_ROWS
		     / d->footprint;
      d->c->picture[row][column]++;
      d->event++;
    }
  return true;
}

/* --- rules --------------------------------------------------------------- */

static enum ummgr_pattern
pattern_of (const struct ummgr_pattern_facts *f)
{
  if (!f->pages)
    return UMMGR_PATTERN_NONE;
  /* All pages once.  */
  if (f->repeated < 0.1)
    return UMMGR_PATTERN_STREAMING;
  /* Again and again, with all others in between: the same number of times, or
     not.  */
  if (f->far >= 0.6 && f->repeated >= MOST_PART)
    return f->spread < 0.5 ? UMMGR_PATTERN_THRASHING
	   : UMMGR_PATTERN_REPETITIVE_THRASHING;
  /* Pages are used for a while and then no more.  */
  if (f->far < 0.2 && f->life < 0.4 && f->repeated >= 0.3)
    return UMMGR_PATTERN_REGION_MOVING;
  if (f->repeated < MOST_PART)
    return UMMGR_PATTERN_PART_REPETITIVE;
  return f->far >= 0.3 ? UMMGR_PATTERN_REPETITIVE_THRASHING
	 : UMMGR_PATTERN_MOST_REPETITIVE;
}

/* Of units [LO, HI).  */
static struct ummgr_pattern_facts
facts_of (const struct classifying *k, uint32_t lo, uint32_t hi)
{
  struct ummgr_pattern_facts f = { 0 };
  double squares = 0, life = 0, repeated = 0, far = 0;
  uint64_t first = UINT64_MAX, last = 0;
  for (uint32_t u = lo; u < hi && u < k->units; u++)
    {
      const struct page *p = &k->pages[u];
      if (!p->visits)
	continue;
      f.pages++;
      f.visits += p->visits;
      squares += (double) p->visits * p->visits;
      repeated += p->visits > 1;
      far += p->far;
      life += p->last - p->first;
      first = p->first < first ? p->first : first;
      last = p->last > last ? p->last : last;
    }
  if (f.pages)
    {
      double mean = (double) f.visits / f.pages;
      double variance = squares / f.pages - mean * mean;
      f.repeated = repeated / f.pages;
      f.far = f.visits > f.pages ? far / (f.visits - f.pages) : 0;
      f.spread = variance > 0 ? sqrt (variance) / mean : 0;
      f.life = last > first ? life / f.pages / (last - first) : 0;
    }
  f.pattern = pattern_of (&f);
  return f;
}

/* --- all ----------------------------------------------------------------- */

static enum ummgr_status
classify_known (const char *path, const struct ummgr_page_options *options,
		struct classifying *k)
{
  struct ummgr_classified *c = k->c;
  struct ummgr_page_sink count = {
    .data = k, .own_bytes = UNIT_BYTES, .object_bytes = OBJECT_BYTES,
    .grow = grow, .object = object, .events = events
  };
  enum ummgr_status status
    = ummgr_pages_read (path, options, &count, &c->totals);
  if (status)
    return status;
  c->facts = facts_of (k, 0, k->units);
  for (size_t i = 0; i < c->object_count; i++)
    c->objects[i].facts
      = facts_of (k, c->objects[i].first,
		  c->objects[i].first + c->objects[i].units);
  uint32_t *place = places_of (k);
  if (!place)
    {
      ummgr_error ("%s: not enough memory to classify it", path);
      return UMMGR_ERR_NOMEM;
    }
  struct drawing d = { k, c, place, 0, k->event, c->facts.pages, NULL };
  struct ummgr_page_sink drawer
    = { .data = &d, .served = true, .grow = grow, .events = draw };
  if (drawing_init (&d))
    status = ummgr_pages_read (path, options, &drawer, NULL);
  else
    {
      ummgr_error ("%s: not enough memory to classify it", path);
      status = UMMGR_ERR_NOMEM;
    }
  drawing_end (&d);
  free (place);
  return status;
}

enum ummgr_status
ummgr_classify (const char *path, const struct ummgr_page_options *options,
		struct ummgr_classified **out)
{
  *out = NULL;
  /* Visits are counted against the footprint, which comes first.  */
  struct ummgr_page_totals totals;
  struct classifying k = {
    .c = calloc (1, sizeof *k.c),
    .page_set = ummgr_hpe_defaults ().page_set
  };
  if (!k.c)
    {
      ummgr_error ("%s: not enough memory to classify it", path);
      return UMMGR_ERR_NOMEM;
    }
  enum ummgr_status status = ummgr_pages_footprint (path, options, &totals);
  if (!status)
    {
      k.footprint = totals.footprint;
      status = classify_known (path, options, &k);
    }
  free (k.pages);
  free (k.extents);
  if (status)
    ummgr_classified_free (k.c);
  else
    *out = k.c;
  return status;
}

void
ummgr_classified_free (struct ummgr_classified *c)
{
  if (!c)
    return;
  for (size_t i = 0; i < c->object_count; i++)
    {
      free (c->objects[i].name);
      free (c->objects[i].file);
    }
  free (c->objects);
  free (c);
}
