/* Statistics of objects, bounded.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the records.  Up to the limit every object has its own; beyond it,
   those of one allocation site share one, and sites beyond the limit share
   the last.  */

#include "config.h"
#include "report/collected.h"
#include "base/grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <Judy.h>

static char *
copy (const char *text)
{
  return text ? strdup (text) : NULL;
}

static void
release (struct ummgr_stats_record *record)
{
  free ((char *) record->object.name);
  free ((char *) record->object.where_allocated);
  free ((char *) record->object.path);
  free ((char *) record->object.place);
  free ((char *) record->object.reason);
  free ((char *) record->object.density_reason);
}

static void
own_strings (struct ummgr_stats_object *o)
{
  o->name = copy (o->name);
  o->where_allocated = copy (o->where_allocated);
  o->path = copy (o->path);
  o->place = copy (o->place);
  o->reason = copy (o->reason);
  o->density_reason = copy (o->density_reason);
}

/* TO becomes the record of one more object, O, or of MERGED of them.  */
static void
merge (struct ummgr_stats_record *to, const struct ummgr_stats_object *o,
       uint64_t merged)
{
  static const struct ummgr_counters zero;
  to->merged += merged;
  to->object.size += o->size;
  to->object.maps += o->maps;
  to->object.regions += o->regions;
  to->object.on_device += o->on_device;
  ummgr_counters_add_delta (&to->object.counters, &o->counters, &zero);
  /* Of several there is no one density.  */
  free ((char *) to->object.density_reason);
  to->object.density_reason = NULL;
  if (o->place && (!to->object.place
		   || strcmp (to->object.place, o->place) != 0))
    {
      free ((char *) to->object.place);
      to->object.place = strdup ("several");
    }
  if (o->reason && (!to->object.reason
		    || strcmp (to->object.reason, o->reason) != 0))
    {
      free ((char *) to->object.reason);
      to->object.reason = strdup ("several");
    }
}

static bool
append (struct ummgr_stats_objects *objects,
	const struct ummgr_stats_object *o)
{
  if (!UMMGR_GROW (objects->records, objects->capacity, objects->count + 1))
    return false;
  struct ummgr_stats_record *record = &objects->records[objects->count++];
  record->object = *o;
  record->merged = 1;
  own_strings (&record->object);
  return true;
}

/* The slot of O's site, which holds its record's number plus 1, or 0 if it
   is new.  NULL if it is not there and CREATE is false, or without memory.  */
static Word_t *
site_slot (struct ummgr_stats_objects *objects,
	   const struct ummgr_stats_object *o, bool create)
{
  char key[512];
  snprintf (key, sizeof key, "%s\n%s\n%s\n%d",
	    o->where_allocated ? o->where_allocated : "",
	    o->name ? o->name : "", o->path ? o->path : "", o->device);
  PPvoid_t slot = create ? JudySLIns (&objects->sites, (uint8_t *) key, PJE0)
    : JudySLGet (objects->sites, (uint8_t *) key, PJE0);
  return slot == PPJERR ? NULL : (Word_t *) slot;
}

/* Put the records of each site together.  */
static void
merge_sites (struct ummgr_stats_objects *objects)
{
  size_t n = 0;
  for (size_t i = 0; i < objects->count; i++)
    {
      struct ummgr_stats_record *record = &objects->records[i];
      Word_t *slot = site_slot (objects, &record->object, true);
      if (slot && *slot)
	{
	  merge (&objects->records[*slot - 1], &record->object,
		 record->merged);
	  release (record);
	  continue;
	}
      objects->records[n++] = *record;
      if (slot)
	*slot = n;
    }
  objects->count = n;
  objects->merging = true;
}

/* O's site is one too many: the table must not grow with the sites.  */
static void
merge_other (struct ummgr_stats_objects *objects,
	     const struct ummgr_stats_object *o)
{
  static const struct ummgr_stats_object other
    = { .name = "other objects", .device = -1 };
  if (!objects->other && append (objects, &other))
    {
      objects->other = objects->count;
      objects->records[objects->other - 1].merged = 0;
    }
  if (objects->other)
    merge (&objects->records[objects->other - 1], o, 1);
}

void
ummgr_stats_objects_add (struct ummgr_stats_objects *objects,
			 const struct ummgr_stats_object *o, size_t limit)
{
  objects->seen++;
  if (!objects->merging && objects->count == limit)
    merge_sites (objects);
  if (!objects->merging)
    {
      append (objects, o);
      return;
    }
  Word_t *slot = site_slot (objects, o, objects->count < limit);
  if (slot && *slot)
    merge (&objects->records[*slot - 1], o, 1);
  else if (slot && append (objects, o))
    *slot = objects->count;
  else
    merge_other (objects, o);
}

void
ummgr_stats_objects_free (struct ummgr_stats_objects *objects)
{
  for (size_t i = 0; i < objects->count; i++)
    release (&objects->records[i]);
  free (objects->records);
  JudySLFreeArray (&objects->sites, PJE0);
  memset (objects, 0, sizeof *objects);
}
