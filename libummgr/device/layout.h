/* Where memory lies on GPUs behind one address space, and which teams run where: the
   machine of Kim et al., "CODA: enabling co-location of computation and data for multiple
   GPU systems", ACM TACO 15(3), 2018 (CODA below).
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Bytes of a grain lie together, on the GPU that the grain's middle belongs to:

     GPU = (middle - origin) / chunk mod GPUs	(CODA, equation 3)

   or, where equal parts of a loop's iterations use parts of memory that differ, of which the
   I-th begins at AT[I],

     GPU = (part of the middle, with its fraction) / together mod GPUs

   What repeats in rows does so from ORIGIN on.

   CODA rounds chunks up to pages; here they are as long as what the teams of a GPU use,
   and only where one ends in the middle of a page the page goes to one side: otherwise the
   error would grow from chunk to chunk.  With grain = chunk = 128 memory is interleaved by
   lines, with 4096 by pages (CODA, section 5.1: FGP and CGP).

   Teams of so many one after another have affinity to one GPU:

     GPU = team / together mod GPUs		(CODA, equation 1)

   where TOGETHER is how many a GPU has in flight; or, where there are fewer than that for
   each, an equal part of all, as CODA says of it ("T/N thread blocks have the same
   affinity").  In blocks TOGETHER is an equal part of all: fewer borders, where neighbours
   share memory, and the same numbers of teams; but a GPU that gets the long ones has them all.

   CODA's figure 2, lines of 64 bytes, 4 GPUs, fine = 256: team T uses lines 2 T and 2 T + 1.
   Lines 8 and 9 lie on GPU 2, since 512 / 256 mod 4 = 2, and team 4 runs on GPU 0.  Figure 6:
   teams of 3 lines, of which 4 are in flight on a GPU: chunk = 3 * 64 * 4 = 768, so that
   lines 0 to 11 are on GPU 0 with teams 0 to 3, and lines 12 to 23 on GPU 1 with 4 to 7.  */

#pragma once

#include "base/exclusive.h"
#include "device/figures.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* All of it 0: the GPU that uses a page first has it.  */
struct ummgr_layout
{
  uint64_t origin;		/* An address.  */
  uint64_t grain;		/* Bytes, a power of 2; addresses are aligned to it.  */
  uint64_t chunk;		/* Bytes.  */
  uint64_t backward;		/* 1: chunks go down from ORIGIN; else 0.  */
  uint64_t row;			/* Bytes; 0: there are no rows.  */
  uint64_t parts;		/* 0: chunks are equal.  */
  double together;		/* Parts that go to one GPU.  */
  int64_t at[UMMGR_EXCLUSIVE_PARTS + 1]; /* From ORIGIN on; not set without PARTS.  */
};

#define UMMGR_LAYOUT_PAGE UINT64_C (4096)
#define UMMGR_LAYOUT_LINE UINT64_C (128)

/* The part that has OFFSET, which is not before the first, with its fraction.  */
static inline double
ummgr_layout_part (const struct ummgr_layout *layout, int64_t offset)
{
  uint64_t lo = 0, hi = layout->parts;
  while (hi - lo > 1)
    {
      uint64_t middle = (lo + hi) / 2;
      if (layout->at[middle] <= offset)
	lo = middle;
      else
	hi = middle;
    }
  double width = (double) (layout->at[lo + 1] - layout->at[lo]);
  double part = width > 0 ? (double) (offset - layout->at[lo]) / width : 0;
  return (double) lo + (part < 1 ? part : 1 - 1e-9);
}

/* The GPU, of GPUS, that has ADDRESS; LAYOUT has a grain.  */
static inline unsigned
ummgr_layout_home (const struct ummgr_layout *layout, uint64_t address, unsigned gpus)
{
  uint64_t middle = (address & -layout->grain) + layout->grain / 2;
  int64_t offset = (int64_t) (layout->backward ? layout->origin - middle : middle - layout->origin);
  if (layout->row && (offset %= (int64_t) layout->row) < 0)
    offset += (int64_t) layout->row;
  /* A page that begins before what it holds the first of.  */
  if (offset < 0)
    return 0;
  uint64_t group = layout->parts ? (uint64_t) (ummgr_layout_part (layout, offset) / layout->together)
		   : (uint64_t) offset / layout->chunk;
  return group % gpus;
}

/* Its bytes that say something.  */
static inline size_t
ummgr_layout_bytes (const struct ummgr_layout *layout)
{
  return offsetof (struct ummgr_layout, at) + ummgr_exclusive_at (layout->parts);
}

static inline void
ummgr_layout_copy (struct ummgr_layout *to, const struct ummgr_layout *from)
{
  memcpy (to, from, ummgr_layout_bytes (from));
}

static inline bool
ummgr_layout_same (const struct ummgr_layout *a, const struct ummgr_layout *b)
{
  return a->parts == b->parts && memcmp (a, b, ummgr_layout_bytes (a)) == 0;
}

/* Of TEAMS in all, those that go together; IN_FLIGHT on all GPUs at once.  */
static inline unsigned
ummgr_layout_together (unsigned teams, unsigned in_flight, unsigned gpus,
		       enum ummgr_scheduling scheduling)
{
  bool all = scheduling >= UMMGR_SCHEDULING_BLOCK || teams < in_flight;
  unsigned together = ((all ? teams : in_flight) + gpus - 1) / gpus;
  return together ? together : 1;
}
