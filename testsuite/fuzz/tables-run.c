/* The plugin's tables at run time: notes as they lie in a program, and what is
   worked out of them at a launch.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"
#include "fuzz.h"
#include "flow/flow.h"
#include "hints/hints.h"
#include "tables/sites.h"
#include "tables/decode.h"

enum { ARGS_MOST = 32, ARRAY = 64 };

/* A launch whose arguments are small arrays, which end where memory does.  */
static void
launch (const struct ummgr_table_region *region)
{
  static char *array;
  void *hostaddrs[ARGS_MOST];
  size_t sizes[ARGS_MOST];
  struct ummgr_hint hints[ARGS_MOST];
  struct ummgr_hint_extent extents[ARGS_MOST];
  uint64_t trip;
  int64_t stride;
  if (region->arg_count > ARGS_MOST)
    return;
  if (!array)
    CHECK (array = calloc (1, ARRAY));
  for (unsigned i = 0; i < region->arg_count; i++)
    {
      hostaddrs[i] = array;
      sizes[i] = ARRAY;
      extents[i] = (struct ummgr_hint_extent) { .size = ARRAY };
      memset (array + 8 * i % ARRAY, i, 8);
    }
  ummgr_hints_evaluate (region, hostaddrs, sizes, extents, hints);
  ummgr_hints_trip (region, hostaddrs, sizes, &trip);
  const struct ummgr_code_inputs inputs = { .hostaddrs = hostaddrs, .sizes = sizes };
  for (unsigned i = 0; i < region->arg_count; i++)
    ummgr_hints_stride (region, i, &inputs, &stride);
}

static void
ignore_end (const struct ummgr_table_flow_end *end, void *data)
{
  (void) data;
  fputs (end->name, fuzz_null);
}

static void
table_found (const void *table, size_t size, void *data)
{
  (void) data;
  struct ummgr_table_unit *unit;
  const char *reason;
  if (ummgr_table_decode (table, size, 0x1000, &unit, &reason))
    return;
  const struct ummgr_table_unit *units = unit;
  struct ummgr_flow *flow = ummgr_flow_new (&units, 1);
  struct ummgr_sites *sites = ummgr_sites_new (&units, 1);
  CHECK (flow && sites);
  for (size_t i = 0; i < unit->region_count; i++)
    {
      launch (&unit->regions[i]);
      ummgr_flow_frequency_in (flow, &unit->regions[i]);
      ummgr_flow_distance_in (flow, NULL, &unit->regions[i], NULL);
    }
  for (size_t i = 0; i < unit->arg_count; i++)
    ummgr_sites_each (sites, &unit->args[i], ignore_end, NULL);
  ummgr_flow_free (flow);
  ummgr_sites_free (sites);
  /* Hints are kept by the region's address, which must stay its own.  */
  static struct ummgr_table_unit **kept;
  static size_t count;
  kept = realloc (kept, (count + 1) * sizeof *kept);
  CHECK (kept);
  kept[count++] = unit;
}

static void
fuzz_one (const unsigned char *bytes, size_t size)
{
  ummgr_table_notes (bytes, size, 4, table_found, NULL);
}
