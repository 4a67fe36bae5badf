/* Ranks of an MPI program, as one run (ummgr_report_join), for those that write it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The statistics of such a run are like any other's, with sums over the ranks for counts and bytes,
   and the slowest rank's seconds.  "ranks" has what each rank's own statistics say.  */

#pragma once

#include "report/sheet.h"

/* The rank that failed, and why; false: none did, or STATS are no ranks'.  */
bool ummgr_ranks_failed (const json_t *stats, char *buf, size_t size);

/* A table of the ranks, LIMIT at most, their sums, and how unevenly they share: the greatest over
   the mean.  Nothing where STATS are no ranks'.  */
void ummgr_ranks_put (struct ummgr_sheet *s, const json_t *stats, size_t limit);

/* The latter by the totals' names; NULL where STATS are no ranks'.  */
json_t *ummgr_ranks_imbalance (const json_t *stats);
