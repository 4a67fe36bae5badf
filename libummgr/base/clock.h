/* Time as one number.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include <stdint.h>
#include <time.h>

static inline uint64_t
ummgr_nanoseconds (clockid_t clock)
{
  struct timespec t = { 0, 0 };
  clock_gettime (clock, &t);
  return (uint64_t) t.tv_sec * 1000000000 + t.tv_nsec;
}
