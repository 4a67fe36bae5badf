/* The plugin's tables in the loaded program: which region is this?
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A program that was not compiled with the plugin has no tables; then every
   answer is NULL, and nothing else differs.

   What is handed out stays valid until the process ends, even when the
   object it came from is unloaded.  */

#pragma once

#include "tables/decode.h"

#include <stddef.h>

/* Look for tables in all loaded objects.  Cheap when no object came or went
   since the last call (no lock of libummgr's is held by the caller, or one
   that ummgr_tables_scan's callers all take first).  A table that can't be
   read is left out with one warning.  Any thread; not from a signal
   handler.  */
void ummgr_tables_scan (void);

/* The region whose host function (GOMP_target_ext's FN) is HOST_FUNCTION, or
   NULL.  One hash look-up, no lock.  Any thread.  On NULL a caller that has
   not seen HOST_FUNCTION before may scan (it may have come by dlopen), ask
   again, and remember the answer.  */
const struct ummgr_table_region *
ummgr_tables_region (const void *host_function);

/* The allocation site whose id is ID, or NULL; of the objects loaded now, or of one that was unloaded.
   Looks at all sites.  Any thread.  */
const struct ummgr_table_site *ummgr_tables_site (uint64_t id);

/* How many regions the loaded objects have now, and how many tables were
   left out so far.  */
struct ummgr_tables_count
{
  size_t tables;
  size_t regions;
  size_t refused;
};
struct ummgr_tables_count ummgr_tables_count (void);

/* All tables ever found, *COUNT_P of them: those of the objects loaded now, in
   the order of their addresses, which within an object is that of linking; then
   those of objects that were unloaded.  The caller frees the list; NULL and 0
   without memory.  */
const struct ummgr_table_unit **ummgr_tables_units (size_t *count_p);
