/* Flow tables in memory, written down block by block, for the tests of the
   analysis.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include "flow/flow.h"
#include "ummgr-table.h"

#include <math.h>
#include <string.h>

#define OUT UMMGR_EDGE_RETURN

struct build
{
  struct ummgr_table_unit unit;
  struct ummgr_table_region regions[16];
  struct ummgr_table_function functions[16];
  struct ummgr_table_block blocks[256];
  struct ummgr_table_edge edges[1024];
  struct ummgr_table_event events[512];
  unsigned block_count, edge_count, event_count;
};

static inline void
build_begin (struct build *b, unsigned regions)
{
  memset (b, 0, sizeof *b);
  b->unit.regions = b->regions;
  b->unit.region_count = regions;
  b->unit.functions = b->functions;
}

static inline void
build_function (struct build *b, const char *name, uint32_t flags)
{
  b->functions[b->unit.function_count++] = (struct ummgr_table_function) {
    .name = name, .flags = flags, .blocks = b->blocks + b->block_count
  };
}

/* Begin the next block of the last function.  */
static inline void
build_block (struct build *b)
{
  b->functions[b->unit.function_count - 1].block_count++;
  b->blocks[b->block_count++] = (struct ummgr_table_block) {
    .events = b->events + b->event_count, .edges = b->edges + b->edge_count
  };
}

static inline void
build_event (struct build *b, uint32_t kind,
	     const struct ummgr_table_region *region, const char *function)
{
  b->blocks[b->block_count - 1].event_count++;
  b->events[b->event_count++]
    = (struct ummgr_table_event) {
	.kind = kind, .region = region, .function = function, .in_function = "", .loop_file = ""
      };
}

/* The last event is in the loop at LINE, 0 for none, of NAME.  */
static inline void
build_around (struct build *b, const char *name, uint32_t line)
{
  struct ummgr_table_event *event = &b->events[b->event_count - 1];
  event->in_function = name;
  event->loop_file = line ? "loops.c" : "";
  event->loop_line = line;
}

static inline void
build_launch (struct build *b, unsigned region)
{
  build_event (b, UMMGR_EVENT_LAUNCH, &b->regions[region], "");
}

static inline void
build_call (struct build *b, const char *function)
{
  build_event (b, UMMGR_EVENT_CALL, NULL, function);
}

static inline void
build_edge (struct build *b, unsigned to, double p, bool exact)
{
  b->blocks[b->block_count - 1].edge_count++;
  b->edges[b->edge_count++] = (struct ummgr_table_edge) {
    to, exact ? UMMGR_EDGE_EXACT : 0, p
  };
}

static inline struct ummgr_flow *
build_flow (const struct build *a, const struct build *b)
{
  const struct ummgr_table_unit *units[2] = { &a->unit, b ? &b->unit : NULL };
  return ummgr_flow_new (units, b ? 2 : 1);
}

/* Equal, or both infinite, to within rounding.  */
static inline bool
is_near (double a, double b)
{
  return a == b || fabs (a - b) <= 1e-9 * fmax (fabs (a), fabs (b));
}
