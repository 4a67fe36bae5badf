/* Which policy won, and why, by what the runs counted.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct demo_run
{
  char job[32], policy[32], outcome[32];
  json_t *stats;	/* Of `ummgr run'; NULL: it left none.  */
};

/* Did it end with the right result?  What others counted until they ended means nothing.  */
bool demo_is_good (const struct demo_run *run);

/* Seconds that RUN took: modelled from its beginning to its end, or on a real GPU by the clock.  */
double demo_seconds (const struct demo_run *run);

/* 1234567 as "1,234,567".  */
void demo_group (char *out, size_t size, json_int_t n);

/* "out of memory" of "out-of-memory".  */
void demo_outcome (const struct demo_run *run, char *buf, size_t size);

/* One sentence on RUNS[0..COUNT), all of one job, on one line.  */
void demo_verdict (const struct demo_run *runs, size_t count);
