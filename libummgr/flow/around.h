/* The loop around all launches of several regions: where data that they share can be mapped once.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   From main, or the one function that nothing in the tables calls, down: the first function one
   of whose outermost loops launches all of the regions, itself or by what it calls.  A function
   without one that calls one which launches all is left for that.  The outermost loop, since
   what the regions find on the device again they may find in each of its iterations.

   Worked example: main calls setup (), which launches A, and then, in a loop at line 9, step (),
   which launches A and B.  Around A and B: the loop at line 9 of main.  Around A alone, too:
   the one launch in setup is outside, and pays its own copies.  */

#pragma once

#include "tables/decode.h"

#include <stdbool.h>
#include <stddef.h>

struct ummgr_around
{
  const char *function;		/* As the source names it.  */
  const char *file;		/* "": no loop of the function launches all.  */
  uint32_t line;
  const char *names;		/* The function's variables that can be named there: "a b n".  */
};

enum { UMMGR_AROUND_REGIONS = 64 };

/* In the program that consists of the COUNT units, whose strings OUT gets.  False: there are too
   many regions, no memory, or no one place.  */
bool ummgr_flow_around (const struct ummgr_table_unit *const *units, size_t count,
			const struct ummgr_table_region *const *regions, unsigned region_count,
			struct ummgr_around *out);
