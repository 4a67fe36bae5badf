/* The timeline of one device's regions, bounded.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the entries of each struct ummgr_timeline.  When the limit is
   reached, neighbours are merged and from then on each entry takes twice as
   many invocations, so the cost of an invocation stays constant on average
   and sums over the timeline stay what they were.  */

#include "config.h"
#include "report/collected.h"

#include <stdlib.h>

static void
merge (struct ummgr_timeline_entry *to,
       const struct ummgr_timeline_entry *entry)
{
  static const struct ummgr_counters zero;
  if (to->region == entry->region)
    to->region_seconds += entry->region_seconds;
  else if (entry->region_seconds > to->region_seconds)
    {
      to->region = entry->region;
      to->region_seconds = entry->region_seconds;
    }
  to->calls += entry->calls;
  if (entry->model_start < to->model_start)
    to->model_start = entry->model_start;
  if (entry->model_end > to->model_end)
    to->model_end = entry->model_end;
  if (entry->elapsed_start < to->elapsed_start)
    to->elapsed_start = entry->elapsed_start;
  if (entry->elapsed_end > to->elapsed_end)
    to->elapsed_end = entry->elapsed_end;
  if (entry->wall_start < to->wall_start)
    to->wall_start = entry->wall_start;
  if (entry->wall_end > to->wall_end)
    to->wall_end = entry->wall_end;
  ummgr_counters_add_delta (&to->counters, &entry->counters, &zero);
}

static void
halve (struct ummgr_timeline *t)
{
  size_t n = 0;
  for (size_t i = 0; i < t->count; i += 2, n++)
    {
      t->entries[n] = t->entries[i];
      if (i + 1 < t->count)
	merge (&t->entries[n], &t->entries[i + 1]);
    }
  t->count = n;
  t->stride *= 2;
}

void
ummgr_timeline_add (struct ummgr_timeline *t,
		    const struct ummgr_timeline_entry *entry)
{
  if (t->stride == 0)
    t->stride = 1;
  if (t->count == t->limit
      && t->entries[t->count - 1].calls + entry->calls > t->stride)
    halve (t);
  if (t->count && t->entries[t->count - 1].calls + entry->calls <= t->stride)
    {
      merge (&t->entries[t->count - 1], entry);
      return;
    }
  if (t->count == t->capacity)
    {
      size_t capacity = t->capacity ? 2 * t->capacity : 64;
      if (capacity > t->limit)
	capacity = t->limit;
      struct ummgr_timeline_entry *grown
	= realloc (t->entries, capacity * sizeof *grown);
      if (!grown)
	return;			/* The totals don't depend on it.  */
      t->entries = grown;
      t->capacity = capacity;
    }
  t->entries[t->count++] = *entry;
}
