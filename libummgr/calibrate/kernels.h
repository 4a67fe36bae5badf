/* What runs on the GPU to measure it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   PTX for every GPU that has unified memory.  Each kernel takes the address of its
   arguments, which the GPU reads.  */

#pragma once

#include <stdint.h>

/* "empty" does nothing, and reads no arguments.  */
extern const char ummgr_calibrate_empty[];

/* "touch": of COUNT places, STRIDE bytes apart from BASE on, team I reads 8 bytes of
   place I, I + teams and so on, one after another.  All that is read is 0.  */
extern const char ummgr_calibrate_touch[];
struct ummgr_touch_arguments
{
  uint64_t base, stride, count;
};

/* "sweep": read so much from BASE on for each team, of 8 warps, once.  */
extern const char ummgr_calibrate_sweep[];
enum { UMMGR_SWEEP = 32 << 10, UMMGR_SWEEP_WARPS = 8 };
struct ummgr_sweep_arguments
{
  uint64_t base;
};
