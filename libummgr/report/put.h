/* Inside the statistics: how their JSON is put together.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Only stats-json.c and stats-tracks.c use it, with the statistics' lock.  What nobody
   counted is left out, never written as 0.  */

#pragma once

#include "base/counters.h"
#include "base/json-text.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>

/* Which counters a run has.  */
enum
{
  HAS_BYTES = 1,	/* What crossed the link.  */
  HAS_PAGING = 2,	/* Faults and evictions.  */
  HAS_MODEL = 4		/* What only the simulated driver knows.  */
};

static inline void
put_text (json_t *to, const char *key, const char *text)
{
  json_object_set_new (to, key, ummgr_json_string (text));
}

static inline void
put_count (json_t *to, const char *key, uint64_t value)
{
  json_object_set_new (to, key, json_integer (value > INT64_MAX ? INT64_MAX : value));
}

static inline void
put_real (json_t *to, const char *key, double value)
{
  json_object_set_new (to, key, json_real (isfinite (value) ? value : 0));
}

/* Those of C that are KNOWN.  */
void ummgr_stats_put_counters (json_t *to, const struct ummgr_counters *c, unsigned known);

/* All that is drawn over time: "timeline", "outside_timeline", "constructs",
   "construct_timeline", "host_seconds", "host_before_seconds", "host_timeline" and
   "memory_timeline".  TO has "wall_seconds".  */
void ummgr_stats_put_tracks (json_t *to, unsigned known);
