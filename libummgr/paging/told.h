/* The parts of the policy `hint'.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   hint.c follows what comes and goes and which regions run; told-victim.c forecasts;
   told-ways.c knows other ways to choose, and which is best.  */

#pragma once

#include "paging/map.h"
#include "paging/params.h"
#include "paging/ring.h"

enum
{
  TOLD_AREAS = 64,		/* Objects that are followed.  */
  TOLD_REGIONS = 4,		/* Of an object.  */
  TOLD_NO_AREA = 255,
  TOLD_RATES = 24,		/* Classes of how soon units come back.  */
  TOLD_TRIES = 64,		/* Units passed over in a search.  */
  TOLD_LISTS = TOLD_AREAS + 1	/* Of AGE.  */
};

/* Ways to choose a victim: what is needed last by the forecast; the one that came
   first; the one that comes back latest; HPE's.  */
enum told_way
{
  TOLD_FORECAST,
  TOLD_AGE,
  TOLD_RATE,
  TOLD_CHAIN,
  TOLD_WAYS
};

/* A region that uses an object.  */
struct told_region
{
  uint64_t region;
  double next_seen;		/* Regions from that to the object's next use, the
				   last time; 0: not known.  */
  /* Evictions of units that the running launch was taken to be done with, and how
     many came back in it; of late.  */
  float gone, back;
};

/* An object.  */
struct told_area
{
  uint32_t lo, hi;		/* Its units; those whose area_of says so.  */
  uint32_t resident;
  uint64_t region;		/* That used it last, and  */
  uint32_t use_lo, use_hi;	/* what of it.  */
  double sweeps;		/* By the table.  */
  bool unread;			/* It only wrote.  */
  double next;			/* Regions from that to the next use.  */
  float span;			/* Faults from a unit's own to the last use that
				   belongs to it, of most units.  */
  uint32_t ripe;		/* The youngest node of AGE older than SPAN, by the
				   last look; or the list.  */
  struct told_region known[TOLD_REGIONS];
  unsigned current;		/* Of KNOWN, that of REGION, from 1; 0: none yet. */
  unsigned count, oldest;	/* Of KNOWN.  */
};

struct ummgr_paging
{
  struct ummgr_paging *chain;	/* HPE's.  */
  struct ummgr_told_params params;
  uint32_t units;
  /* By unit.  */
  uint8_t *area_of;
  uint8_t *way;			/* That evicted it, and 1; 0: none did.  */
  uint32_t *came, *left;	/* The faults that brought and took it.  */
  uint8_t *rate;		/* Logarithm of the faults until it came back,
				   of late; 0: never did.  */
  struct ummgr_ring *age;	/* By when they came: list 0, of units without an
				   area, and of area I list I + 1; a unit's node is
				   its number + TOLD_LISTS.  */
  struct ummgr_ring *by_rate;	/* List of each class; a unit's node is its
				   number + TOLD_RATES.  */
  struct unit_map resident;
  struct ummgr_ring *away;	/* List 0: evicted not long ago, in that order;
				   a unit's node is its number + 1.  */
  uint32_t strangers;		/* Resident units of no area.  */
  uint32_t used;		/* Resident units.  */
  uint32_t faults;

  struct told_area area[TOLD_AREAS];
  unsigned areas;

  /* The running region.  */
  uint64_t region;		/* Its number.  */
  uint32_t began;		/* The fault before it.  */

  /* What became of each way's evictions, of late.  */
  struct
  {
    uint32_t away;		/* Units of its in AWAY.  */
    float count;		/* Evictions.  */
    float back, soon;		/* Those that came back, and that soon.  */
    float time;			/* Units away, summed over faults.  */
  } ways[TOLD_WAYS];
  float gap;			/* Faults that units are gone, on average, and  */
  uint32_t gaps;		/* how many it is the average of.  */
  enum told_way rest;		/* The best way but for the forecast.  */
  uint32_t turn, tried;		/* Count victims, and those of other ways.  */
};

static inline struct told_area *
told_area_of (struct ummgr_paging *p, uint32_t unit)
{
  return p->area_of[unit] == TOLD_NO_AREA ? NULL : &p->area[p->area_of[unit]];
}

/* What is known of A in the region that used it last; NULL: none did.  */
static inline struct told_region *
told_current (struct told_area *a)
{
  return a->current ? &a->known[a->current - 1] : NULL;
}

/* Does the running region use A?  */
static inline bool
told_area_active (const struct ummgr_paging *p, const struct told_area *a)
{
  return a->current && a->region == p->region;
}

/* A's list in AGE.  */
static inline uint32_t
told_list_of (const struct ummgr_paging *p, const struct told_area *a)
{
  return a ? a - p->area + 1 : 0;
}

/* Faults since UNIT, resident, came.  */
static inline uint32_t
told_age (const struct ummgr_paging *p, uint32_t unit)
{
  return p->faults - p->came[unit];
}

/* --- told-victim.c ----------------------------------------------------------- */

/* Who asks for a victim, and the best one so far.  */
struct told_chooser
{
  struct ummgr_paging *p;
  bool (*pinned) (void *data, uint32_t unit);
  void *data;
  uint32_t unit;		/* UMMGR_PAGING_NONE: none.  */
  double time;			/* Of its next use, in regions from now.  */
  uint32_t age;			/* The younger one counts if times are equal.  */
  bool passed;			/* It is the forecast's.  */
};

static inline bool
told_may_leave (const struct told_chooser *c, uint32_t unit)
{
  return told_age (c->p, unit) >= c->p->params.young
	 && !(c->pinned && c->pinned (c->data, unit));
}

/* Let C have the unit whose next use is farthest.  */
void told_forecast (struct told_chooser *c);

/* UNIT, of A, which the running region uses, comes by a fault, and was there before:
   what does that say of A?  Before it is resident.  */
void told_forecast_learn (struct ummgr_paging *p, struct told_area *a,
			  uint32_t unit);

/* --- told-ways.c --------------------------------------------------------------- */

/* UNIT comes by a fault.  Before it is resident.  */
void told_ways_judge (struct ummgr_paging *p, uint32_t unit);

/* UNIT is not away any more, or what becomes of it says nothing.  */
void told_ways_forget (struct ummgr_paging *p, uint32_t unit);

/* Let C have what the best way chooses, given that it has the forecast's choice;
   return which way it was.  */
enum told_way told_ways_choose (struct told_chooser *c);

/* UNIT is evicted that WAY.  */
void told_ways_evicted (struct ummgr_paging *p, uint32_t unit,
			enum told_way way);
