/* What runs were counted to do: launches of regions, and conditions in them.
   SPDX-License-Identifier: GPL-3.0-or-later

   Statistics of a run (ummgr run --stats) say it of each region: its unit, the
   function around it, and how many of that function's regions come before it.  The
   checksum of the function says if it still is what it was.  Where there are no
   statistics GCC's profile says it, if it has one.

   A program that was compiled with -fcount also counts how the conditions of its
   regions' code come out: a call before each of those that the analysis asked for.  That is
   exact, and needs no more than the condition itself; what is accessed how often, which a
   trace could tell, doesn't say why, and filters what it has seen.  A condition
   is known by the code that its function has when the tables are made, and its number
   there: so shares hold for a build with the same options, and launches for any.  */

#pragma once

#include "regions/regions.h"

/* Have FILES, one or more with commas between them, for the statistics, beside
   those that are there.  False after an error.  */
bool count_open (const char *files);

/* How a condition came out in all runs: so often, and so often true.  */
struct count_share
{
  double times, held;
};

/* The share of COND, which is in the code that REGION runs in FUN, into *OUT; false where
   nobody has counted it.  It is asked for: with -fcount it will be counted.  */
bool count_share_find (const ummgr_region *region, function *fun, gcond *cond,
		       count_share *out);

/* The launches of REGION in the runs that shares are of.  */
double count_share_launches (const ummgr_region *region);

/* Append REGION's record to RECORDS.  PROFILED: its launches by GCC's profile, negative
   where that doesn't say.  Warns where statistics were given that don't fit.  */
void count_emit (const ummgr_region *region, double profiled, ummgr_strings *strings,
		 vec<char> *records);

/* count/insert.cc: REGION asks for COND, number NUMBER of the code CODE of FUN.  */
void count_ask (const ummgr_region *region, function *fun, gcond *cond, unsigned code,
		unsigned number);
/* What is asked for from now on is to be counted.  */
void count_enable (void);
bool count_enabled (void);
/* The pass that has it counted; after the tables.  */
#define UMMGR_PASS_COUNT "ummgr-count"
opt_pass *ummgr_pass_count_new (void);
