/* Breaks if a long run's statistics grow without bound, or if merging the
   timeline or the objects loses or invents anything.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"
#include "report/collected.h"

#include <stdio.h>
#include <string.h>

static void
timeline (void)
{
  struct ummgr_timeline t = { .limit = 64 };
  uint64_t bytes = 0;
  for (int i = 0; i < 100000; i++)
    {
      struct ummgr_timeline_entry e = {
	.sequence = i + 1, .region = i % 7, .calls = 1,
	.model_start = i, .model_end = i + 0.5,
	.region_seconds = i % 7 == 3 ? 1 : 0.1,
	.counters = { .h2d_bytes = i, .gpu_faults = 2 }
      };
      bytes += i;
      ummgr_timeline_add (&t, &e);
      CHECK (t.count <= t.limit);
      uint64_t calls = 0, faults = 0;
      if (i % 5000 && i > 200)
	continue;
      for (size_t k = 0; k < t.count; k++)
	{
	  calls += t.entries[k].calls;
	  faults += t.entries[k].counters.gpu_faults;
	  CHECK (k == 0 || t.entries[k].model_start
		 > t.entries[k - 1].model_end);
	}
      CHECK_EQ (calls, i + 1);
      CHECK_EQ (faults, 2 * (i + 1));
    }
  uint64_t sum = 0;
  for (size_t k = 0; k < t.count; k++)
    sum += t.entries[k].counters.h2d_bytes;
  CHECK_EQ (sum, bytes);
  CHECK (t.count >= t.limit / 2);
  /* The region that took longest stands for its neighbours.  */
  CHECK_EQ (t.entries[0].region, 3);
  free (t.entries);
}

/* N objects of SITES sites; what is left after merging.  */
static void
objects (int n, int sites, size_t limit, size_t expected)
{
  struct ummgr_stats_objects o = { 0 };
  uint64_t size = 0;
  for (int i = 0; i < n; i++)
    {
      char where[32];
      snprintf (where, sizeof where, "f.c:%d", i % sites);
      struct ummgr_stats_object object = {
	.id = i + 1, .where_allocated = where, .path = "mapped",
	.place = i % 2 ? "host" : "device", .size = i, .maps = 1,
	.counters = { .d2h_bytes = 3 }
      };
      size += i;
      ummgr_stats_objects_add (&o, &object, limit);
    }
  uint64_t merged = 0, sum = 0, maps = 0, d2h = 0;
  for (size_t i = 0; i < o.count; i++)
    {
      merged += o.records[i].merged;
      sum += o.records[i].object.size;
      maps += o.records[i].object.maps;
      d2h += o.records[i].object.counters.d2h_bytes;
    }
  CHECK_EQ (o.count, expected);
  CHECK_EQ (o.seen, n);
  CHECK_EQ (merged, n);
  CHECK_EQ (sum, size);
  CHECK_EQ (maps, n);
  CHECK_EQ (d2h, 3 * (uint64_t) n);
  ummgr_stats_objects_free (&o);
  CHECK_EQ (o.count, 0);
}

int
main (void)
{
  timeline ();
  objects (100, 100, 100, 100);		/* Just below the limit.  */
  objects (101, 10, 100, 10);		/* Above it: by site.  */
  objects (5000, 10, 100, 10);
  objects (5000, 1000, 100, 101);	/* Too many sites: the rest.  */
  return 0;
}
