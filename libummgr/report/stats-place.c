/* The places of data constructs, bounded.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns them.  Beyond the limit constructs of one kind share a place, which has no
   address.  */

#include "config.h"
#include "report/collected.h"

#include <Judy.h>
#include <stdlib.h>

struct ummgr_stats_place *
ummgr_stats_place_get (enum ummgr_stats_construct kind, const void *address)
{
  struct ummgr_stats *s = &ummgr_stats;
  PPvoid_t known = JudyLGet (s->by_address, (Word_t) address, PJE0);
  struct ummgr_stats_place *place = known ? *known : NULL;
  /* Beyond the limit all kinds are at no address.  */
  while (place && place->kind != kind)
    place = place->twin;
  if (place)
    return place;
  if (s->place_count >= UMMGR_STATS_PLACES && address)
    return ummgr_stats_place_get (kind, NULL);
  place = calloc (1, sizeof *place);
  PPvoid_t slot = place ? JudyLIns (&s->by_address, (Word_t) address, PJE0) : NULL;
  if (!slot || slot == PPJERR)
    {
      free (place);
      return NULL;
    }
  place->address = address;
  place->kind = kind;
  place->index = s->place_count++;
  place->twin = *slot;
  *slot = place;
  *(s->last_place ? &s->last_place->next : &s->places) = place;
  s->last_place = place;
  return place;
}

void
ummgr_stats_places_free (void)
{
  for (struct ummgr_stats_place *p = ummgr_stats.places, *next; p; p = next)
    {
      next = p->next;
      free (p);
    }
  JudyLFreeArray (&ummgr_stats.by_address, PJE0);
}
