/* A little of what is in an array, evenly spread, kept from when it was copied to a device:
   later the host may have written or freed it, and reading it back from the device costs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   For estimates only: what regions have written since is not in it.  */

#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum
{
  UMMGR_GLIMPSES = 64,		/* Equal parts, at whose ends they are.  */
  UMMGR_GLIMPSE = 128		/* Bytes, half of them on each side.  */
};

struct ummgr_glimpses
{
  uint64_t size;		/* The array's, at least UMMGR_GLIMPSE.  */
  bool known[UMMGR_GLIMPSES + 1];
  char bytes[UMMGR_GLIMPSES + 1][UMMGR_GLIMPSE];
};

/* Where the K-th begins.  */
static inline uint64_t
ummgr_glimpse_begin (uint64_t size, unsigned k)
{
  uint64_t middle = size / UMMGR_GLIMPSES * k + size % UMMGR_GLIMPSES * k / UMMGR_GLIMPSES;
  uint64_t begin = middle < UMMGR_GLIMPSE / 2 ? 0 : middle - UMMGR_GLIMPSE / 2;
  return begin < size - UMMGR_GLIMPSE ? begin : size - UMMGR_GLIMPSE;
}

/* Bytes [LO, HI) of the array, which begins at ARRAY, can be read now.  */
static inline void
ummgr_glimpses_take (struct ummgr_glimpses *g, const char *array, uint64_t lo, uint64_t hi)
{
  for (unsigned k = 0; k <= UMMGR_GLIMPSES; k++)
    {
      uint64_t begin = ummgr_glimpse_begin (g->size, k);
      if (begin < lo || begin + UMMGR_GLIMPSE > hi)
	continue;
      memcpy (g->bytes[k], array + begin, UMMGR_GLIMPSE);
      g->known[k] = true;
    }
}

/* The SIZE bytes at OFFSET, or NULL.  */
static inline const char *
ummgr_glimpse_find (const struct ummgr_glimpses *g, uint64_t offset, uint64_t size)
{
  if (offset >= g->size || size > UMMGR_GLIMPSE)
    return NULL;
  unsigned near = (unsigned) ((double) offset / (double) g->size * UMMGR_GLIMPSES + 0.5);
  for (unsigned k = near ? near - 1 : 0; k <= near + 1 && k <= UMMGR_GLIMPSES; k++)
    {
      uint64_t from = offset - ummgr_glimpse_begin (g->size, k);
      if (g->known[k] && from <= UMMGR_GLIMPSE - size)
	return g->bytes[k] + from;
    }
  return NULL;
}
