/* Statistics of a run: how conditions in regions came out.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What code that was compiled with -fcount reports, from any thread, long before
   statistics are started or not.  Owns the table of places, which holds PLACES_MAX of
   them; of a program with more nothing is said, as of what is missing nobody could
   tell whether it was ever reached.  */

#include "config.h"
#include "report/collected.h"
#include "ummgr-trace-abi.h"

#include <jansson.h>
#include <string.h>

enum { PLACES = 1 << 14, PLACES_MAX = PLACES / 4 * 3 };

struct place
{
  bool used;			/* Set when the key is there.  */
  uint32_t line;
  uint64_t region, place;
  uint64_t times, held;		/* Atomic.  */
};

static struct place places[PLACES];
static unsigned place_count;
static bool overflowed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The place with this key, or where it would be.  */
static struct place *
place_slot (uint64_t region, uint64_t place)
{
  uint64_t hash = (region ^ place) * UINT64_C (0x9e3779b97f4a7c15);
  for (size_t i = hash >> 50; ; i = (i + 1) % PLACES)
    {
      struct place *p = &places[i];
      if (!__atomic_load_n (&p->used, __ATOMIC_ACQUIRE)
	  || (p->region == region && p->place == place))
	return p;
    }
}

/* A new place; NULL: there is no room.  */
static struct place *
place_add (uint64_t region, uint64_t place, uint32_t line)
{
  pthread_mutex_lock (&lock);
  struct place *p = place_slot (region, place);
  if (!p->used && place_count == PLACES_MAX)
    {
      overflowed = true;
      p = NULL;
    }
  else if (!p->used)
    {
      p->region = region;
      p->place = place;
      p->line = line;
      place_count++;
      __atomic_store_n (&p->used, true, __ATOMIC_RELEASE);
    }
  pthread_mutex_unlock (&lock);
  return p;
}

__attribute__ ((visibility ("default"))) void
ummgr_trace_decided (uint64_t region, uint64_t place, uint32_t line, uint32_t held)
{
  struct place *p = place_slot (region, place);
  if (!__atomic_load_n (&p->used, __ATOMIC_ACQUIRE))
    p = place_add (region, place, line);
  if (!p)
    return;
  __atomic_fetch_add (&p->times, 1, __ATOMIC_RELAXED);
  if (held)
    __atomic_fetch_add (&p->held, 1, __ATOMIC_RELAXED);
}

struct json_t *
ummgr_stats_decided (uint64_t id)
{
  json_t *out = NULL;
  for (size_t i = 0; place_count && !overflowed && i < PLACES; i++)
    {
      const struct place *p = &places[i];
      if (!p->used || p->region != id)
	continue;
      if (!out)
	out = json_array ();
      json_array_append_new (
	out, json_pack ("{s:i, s:I, s:I, s:I, s:I}", "line", (int) p->line,
			"code", (json_int_t) (p->place >> 32),
			"number", (json_int_t) (p->place & 0xffffffffu),
			"times", (json_int_t) p->times, "held", (json_int_t) p->held));
    }
  return out;
}

void
ummgr_stats_decided_free (void)
{
  pthread_mutex_lock (&lock);
  memset (places, 0, sizeof places);
  place_count = 0;
  overflowed = false;
  pthread_mutex_unlock (&lock);
}
