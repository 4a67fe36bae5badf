/* Which part of an array each iteration has for itself (hints/exclusive.h finds it).
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { UMMGR_EXCLUSIVE_PARTS = 64 };

struct ummgr_exclusive
{
  double pace;			/* Bytes from one iteration to the next, on average;
				   negative: down.  0: they share it, or who knows.  */
  double first;			/* Where iteration 0 is, bytes from the array's begin.  */
  double row;			/* Bytes after which all repeats; 0: nothing does.  */
  uint64_t iterations;
  uint64_t chunk;		/* Iterations that teams take by turns; 0: each team has one
				   piece, and the pieces are equal.  */
  /* Where iteration 0, 1 / PARTS, ... of all begin, likewise, not falling; if PARTS is 0, they
     are evenly spread, and AT is not set.  */
  unsigned parts;
  int64_t at[UMMGR_EXCLUSIVE_PARTS + 1];
};

/* Bytes of AT that are set where there are PARTS: mostly none, and there are many of these
   in a launch.  */
static inline size_t
ummgr_exclusive_at (uint64_t parts)
{
  return parts ? (parts + 1) * sizeof (int64_t) : 0;
}

/* Iterations share it, or nobody knows.  */
static inline void
ummgr_exclusive_clear (struct ummgr_exclusive *e)
{
  e->pace = e->first = e->row = 0;
  e->iterations = e->chunk = e->parts = 0;
}

static inline void
ummgr_exclusive_copy (struct ummgr_exclusive *to, const struct ummgr_exclusive *from)
{
  memcpy (to, from, offsetof (struct ummgr_exclusive, at) + ummgr_exclusive_at (from->parts));
}
