/* Operations of a function's blocks, as they are left when the code gets to the GPU.
   SPDX-License-Identifier: GPL-3.0-or-later

   Counted on the code as it is long before it is optimised for the GPU, by what GCC then
   makes of it for nvptx at -O2:

   - An operation in floating point is one, a multiplication that only an addition or a
     subtraction uses is part of that (GCC contracts them), and library functions are as
     many as the code that PTX has for them, roughly.
   - A loop has a pointer for each array that it goes through, which one addition moves on;
     references at constant distances share it.  Then the loop needs no index of its own,
     unless that is used otherwise.  Its setting up is two operations in front of it.
   - Other addresses take a shift and an addition, besides what the source says of their
     index, and a conversion if that is narrower and not just loaded; a block's at constant
     distances share them.
   - An access to an element of a thread's own array is one of integers.
   - A comparison and its branch are two; conversions that change nothing, copies, and
     in a loop loads and integers that don't vary there are none.  What doesn't vary in
     floating point is done before the loop.
   - Not optimised (-O0), all that is written counts.

   daxpy's loop, y[i] += a * x[i], is 1 operation in floating point (a fused one), 4 of
   integers (two pointers, a comparison, a branch), 2 loads and 1 store.  */

#pragma once

#include "ummgr-plugin.h"

struct ops_counts
{
  unsigned flops, integers, loads, stores;
};

/* Fill *BLOCKS, by index, for cfun; with loops (loop_optimizer_init), if it has any to
   tell.  */
void ops_count (vec<ops_counts> *blocks);
