/* Which of HPE's six access patterns a trace shows.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Three readings: the first finds the footprint, against which visits are
   counted in the second; the third draws.  The distance between two uses of a page is taken as the
   number of first uses and new visits of other pages in between: a counter that
   stands still while pages that are in use already are used again.

   Owns nothing beyond a call.  */

#include "config.h"
#include "replay/classify.h"

#include "log.h"
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

struct classifying
{
  struct ummgr_classified *c;
  struct page *pages;		/* By unit.  */
  uint32_t units;
  uint64_t clock;		/* Visits so far.  */
  uint64_t event;		/* Uses so far.  */
  uint64_t footprint;
  size_t object_room;
};

/* --- reading ------------------------------------------------------------- */

static bool
grow (void *data, uint32_t units)
{
  struct classifying *k = data;
  struct page *pages = reallocarray (k->pages, units, sizeof *pages);
  if (!pages)
    return false;
  memset (pages + k->units, 0, (units - k->units) * sizeof *pages);
  k->pages = pages;
  k->units = units;
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
  for (size_t i = c->object_count; i-- > 0;)
    if (c->objects[i].first == o->first)
      return name (&c->objects[i], o);
  if (c->object_count == k->object_room)
    {
      size_t room = k->object_room ? 2 * k->object_room : 16;
      struct ummgr_classified_object *objects
	= reallocarray (c->objects, room, sizeof *objects);
      if (!objects)
	return false;
      c->objects = objects;
      k->object_room = room;
    }
  struct ummgr_classified_object *n = &c->objects[c->object_count];
  *n = (struct ummgr_classified_object) {
    .size = o->size, .first = o->first, .units = o->units
  };
  c->object_count++;
  return name (n, o);
}

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
      use (k, events[i].unit);
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
  struct ummgr_classified *c;
  const uint32_t *place;
  uint64_t event, events, footprint;
  struct ummgr_replay_memory **memory;
};

/* What HPE's own evaluation gives the GPU.  */
#define HPE_PART 0.75

static bool
drawing_init (struct drawing *d)
{
  size_t count = d->c->object_count;
  d->memory = calloc (count + 1, sizeof *d->memory);
  for (size_t i = 0; d->memory && i <= count; i++)
    {
      uint64_t pages = i < count ? d->c->objects[i].facts.pages
		       : d->c->facts.pages;
      uint32_t capacity = HPE_PART * pages;
      if (pages)
	d->memory[i]
	  = ummgr_replay_memory_create (&ummgr_paging_hpe, NULL,
					capacity ? capacity : 1,
					UMMGR_REPLAY_HITS_WALKS);
      if (pages && !d->memory[i])
	return false;
    }
  return d->memory;
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

/* The object with UNIT; they are in the order of units.  */
static size_t
object_of (const struct ummgr_classified *c, uint32_t unit)
{
  size_t lo = 0, hi = c->object_count;
  while (hi - lo > 1)
    {
      size_t mid = lo + (hi - lo) / 2;
      if (c->objects[mid].first <= unit)
	lo = mid;
      else
	hi = mid;
    }
  return lo;
}

static bool
drawing_grow (void *data, uint32_t units)
{
  struct drawing *d = data;
  for (size_t i = 0; i <= d->c->object_count; i++)
    if (d->memory[i] && !ummgr_replay_memory_grow (d->memory[i], units))
      return false;
  return true;
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
      struct ummgr_replay_memory *own
	= d->memory[object_of (d->c, events[i].unit)];
      if (own)
	ummgr_replay_memory_events (own, &events[i], 1);
      if (events[i].kind > UMMGR_PAGE_WRITE)
	continue;
      uint64_t row = (uint64_t) d->place[events[i].unit] * UMMGR_PICTURE_ROWS
		     / d->footprint;
      d->c->picture[row][column]++;
      d->event++;
    }
  ummgr_replay_memory_events (d->memory[d->c->object_count], events, count);
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
    .data = k, .grow = grow, .object = object, .events = events
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
  struct drawing d = { c, place, 0, k->event, c->facts.pages, NULL };
  struct ummgr_page_sink drawer
    = { .data = &d, .grow = drawing_grow, .events = draw };
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
  struct classifying k = { .c = calloc (1, sizeof *k.c) };
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
