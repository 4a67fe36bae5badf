/* Belady's MIN in one pass.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing but its instances.  Each use has a position, in the order of
   time; each page has that of its last use.  Positions without a page are of no
   use but to frames; when those below END run out, what is left of them moves
   together.

   A frame of memory is known by the last position at which it holds a page that
   is kept, or used there: it is free from then on.  To keep a page from its last
   use until now takes a frame that was free by then.  Of those, the one that was
   free last, since the others serve more that may be asked later.  A page that
   was not kept comes into the frame that was free last of all: that of the use
   before.  So one look for the greatest position of a frame at or below some
   other one answers all.

   How few faults there can be and how few evictions are two questions where pages
   leave by themselves: to keep a page until then saves an eviction, but no
   fault.  A second schedule of frames asks the second; until a page leaves, it is
   the same as the first.  */

#include "config.h"
#include "replay/ideal.h"

#include "paging/map.h"
#include "paging/paging.h"

#include <stdlib.h>
#include <string.h>

#define NOWHERE UINT32_MAX

/* Frames by position.  */
struct schedule
{
  uint32_t *frames;		/* Of each position.  */
  struct unit_map some;		/* Positions that have any.  */
  uint32_t used;		/* Frames that ever held a page.  */
  uint64_t lost;		/* Pages not kept until they were used again, or,
				   where that counts, left.  */
};

enum { FAULTS, EVICTIONS, SCHEDULES };

struct ummgr_ideal
{
  uint32_t capacity;
  uint32_t pages;
  uint32_t *position;		/* Of each page's last use, or NOWHERE.  */
  uint32_t *page;		/* Of each position below END, or NOWHERE.  */
  uint32_t positions, end;
  uint32_t marks;		/* Pages with a position.  */
  struct schedule schedule[SCHEDULES];
  bool apart;			/* The second is in use.  */
  uint64_t uses, faults;
};

struct ummgr_ideal *
ummgr_ideal_create (uint32_t capacity)
{
  struct ummgr_ideal *d = calloc (1, sizeof *d);
  if (!d)
    return NULL;
  d->capacity = capacity;
  if (ummgr_ideal_grow (d, 1))
    return d;
  ummgr_ideal_destroy (d);
  return NULL;
}

void
ummgr_ideal_destroy (struct ummgr_ideal *d)
{
  if (!d)
    return;
  for (int i = 0; i < SCHEDULES; i++)
    {
      free (d->schedule[i].frames);
      unit_map_free (&d->schedule[i].some);
    }
  free (d->position);
  free (d->page);
  free (d);
}

static bool
schedule_grow (struct schedule *s, uint32_t old, uint32_t positions)
{
  uint32_t *frames = reallocarray (s->frames, positions, sizeof *frames);
  if (!frames)
    return false;
  s->frames = frames;
  memset (frames + old, 0, (positions - old) * sizeof *frames);
  return unit_map_grow (&s->some, positions);
}

bool
ummgr_ideal_grow (struct ummgr_ideal *d, uint32_t pages)
{
  if (pages <= d->pages)
    return true;
  /* More than half are free after they have moved together.  */
  uint64_t positions = 2 * (uint64_t) pages + 64;
  if (positions >= NOWHERE)
    return false;
  uint32_t *position = reallocarray (d->position, pages, sizeof *position);
  if (position)
    d->position = position;
  uint32_t *page = reallocarray (d->page, positions, sizeof *page);
  if (page)
    d->page = page;
  if (!position || !page
      || !schedule_grow (&d->schedule[FAULTS], d->positions, positions)
      || !schedule_grow (&d->schedule[EVICTIONS], d->positions, positions))
    return false;
  memset (position + d->pages, 0xff, (pages - d->pages) * sizeof *position);
  d->pages = pages;
  d->positions = positions;
  return true;
}

/* --- frames ---------------------------------------------------------------- */

static void
put (struct schedule *s, uint32_t at, uint32_t frames)
{
  if (frames && !s->frames[at])
    unit_map_add (&s->some, at);
  s->frames[at] += frames;
}

/* The frame that was free last by AT is taken until TO; false if there is none
   and all of CAPACITY are in use.  */
static bool
take (struct schedule *s, uint32_t capacity, uint32_t at, uint32_t to)
{
  uint32_t from = unit_map_previous (&s->some, at, 0);
  if (from != UMMGR_PAGING_NONE)
    {
      if (!--s->frames[from])
	unit_map_remove (&s->some, from);
    }
  else if (s->used < capacity)
    s->used++;
  else
    return false;
  put (s, to, 1);
  return true;
}

/* A page, last used at AT or never, is used NOW.  Was it kept?  */
static bool
use (struct schedule *s, uint32_t capacity, uint32_t at, uint32_t now)
{
  if (at != NOWHERE)
    {
      if (take (s, capacity, at, now))
	return true;
      s->lost++;
    }
  take (s, capacity, now, now);
  return false;
}

/* --- positions ------------------------------------------------------------- */

/* The frames of position FROM go on to those of *CARRIED.  */
static void
lift (struct schedule *s, uint32_t from, uint32_t *carried)
{
  if (!s->frames[from])
    return;
  *carried += s->frames[from];
  s->frames[from] = 0;
  unit_map_remove (&s->some, from);
}

/* Move the positions of pages together.  Frames go on to the next page's: all
   questions are about these.  Those after the last get a position of their
   own.  */
static void
squeeze (struct ummgr_ideal *d)
{
  uint32_t n = 0, carried[SCHEDULES] = { 0 };
  for (uint32_t i = 0; i < d->end; i++)
    {
      for (int s = 0; s < SCHEDULES; s++)
	lift (&d->schedule[s], i, &carried[s]);
      if (d->page[i] == NOWHERE && i + 1 < d->end)
	continue;
      for (int s = 0; s < SCHEDULES; s++)
	put (&d->schedule[s], n, carried[s]);
      memset (carried, 0, sizeof carried);
      d->page[n] = d->page[i];
      if (d->page[n] != NOWHERE)
	d->position[d->page[n]] = n;
      n++;
    }
  d->end = n;
}

/* The second schedule becomes what it was all the time.  */
static void
part (struct ummgr_ideal *d)
{
  const struct schedule *from = &d->schedule[FAULTS];
  struct schedule *to = &d->schedule[EVICTIONS];
  for (uint32_t i = 0; i < d->end; i++)
    put (to, i, from->frames[i]);
  to->used = from->used;
  to->lost = from->lost;
  d->apart = true;
}

static void
unmark (struct ummgr_ideal *d, uint32_t page)
{
  d->page[d->position[page]] = NOWHERE;
  d->position[page] = NOWHERE;
  d->marks--;
}

/* --- what happens ---------------------------------------------------------- */

void
ummgr_ideal_use (struct ummgr_ideal *d, uint32_t page, bool fault)
{
  if (d->end == d->positions)
    squeeze (d);
  uint32_t at = d->position[page], now = d->end++;
  bool kept = use (&d->schedule[FAULTS], d->capacity, at, now);
  if (d->apart)
    use (&d->schedule[EVICTIONS], d->capacity, at, now);
  d->uses++;
  d->faults += !kept && fault;
  if (at != NOWHERE)
    d->page[at] = NOWHERE;
  else
    d->marks++;
  d->page[now] = page;
  d->position[page] = now;
}

void
ummgr_ideal_gone (struct ummgr_ideal *d, uint32_t page)
{
  uint32_t at = d->position[page];
  if (at == NOWHERE)
    return;
  if (!d->apart)
    part (d);
  struct schedule *s = &d->schedule[EVICTIONS];
  s->lost += !take (s, d->capacity, at, d->end - 1);
  unmark (d, page);
}

/* Pages that can be kept until now, of all that have a position: those used last
   are in the way of the fewest others.  */
static uint32_t
kept_to_end (const struct ummgr_ideal *d, const struct schedule *s)
{
  uint32_t most = 0, kept = 0, frames = 0;
  for (uint32_t i = d->end; i-- > 0;)
    {
      /* It would take one more frame at all uses after its own.  */
      if (d->page[i] != NOWHERE && most < d->capacity)
	{
	  kept++;
	  most++;
	}
      /* In use there, or later.  */
      frames += s->frames[i];
      most = frames > most ? frames : most;
    }
  return kept;
}

struct ummgr_ideal_counts
ummgr_ideal_counts (const struct ummgr_ideal *d)
{
  const struct schedule *e = &d->schedule[d->apart ? EVICTIONS : FAULTS];
  return (struct ummgr_ideal_counts) {
    d->uses, d->faults, e->lost + d->marks - kept_to_end (d, e)
  };
}
