/* How often regions were launched in a run that was counted.
   SPDX-License-Identifier: GPL-3.0-or-later

   Statistics of a run (ummgr run --stats) say it of each region: its unit, the
   function around it, and how many of that function's regions come before it.  The
   checksum of the function says if it still is what it was.  Where there are no
   statistics GCC's profile says it, if it has one.  */

#pragma once

#include "flow/flow.h"
#include "regions/regions.h"

/* Have FILE for the statistics.  False after an error.  */
bool count_open (const char *file);

/* Append REGION's record to RECORDS.  PROFILED: its launches by GCC's profile, negative
   where that doesn't say.  Warns where statistics were given that don't fit.  */
void count_emit (const ummgr_region *region, double profiled, ummgr_strings *strings,
		 vec<char> *records);
