/* Which part of an object each of several ordinary GPUs is to have, when ranges of one loop
   run on them side by side.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   After Kim et al., "CODA: enabling co-location of computation and data for multiple GPU
   systems", ACM TACO 15(3), 2018, section 4: what is exclusive goes to whom it is exclusive
   to, the rest is shared.  Between GPUs with memory of their own there are three ways, which
   keep bytes on the links few:

   - parts: what a GPU writes, or, where nobody writes, the longest piece that it reads, is
     its own, if those of different GPUs hardly overlap.  They are cut where the writes end,
     else in the middle of the overlap.  What a GPU reads beyond, it reads from its
     neighbour (a stencil's halo);
     Where all of it overlaps, but GPUs use different parts of rows, each of 64 KiB at least,
     it is these parts;
   - copies: nobody writes it, and GPUs use the same bytes: each has a copy of those it
     reads. Where each reads less than a copy would be long (columns of a matrix, the arcs of its
     nodes of a graph), equal parts, of which it reads the others' where they are;
   - home: written, and shared or not known: one place that all reach.

   An example: hints/footprint.h's, two GPUs, iterations [0, 499) and [499, 998).  b is written in
   [1,600, 800,000) and [800,000, 1,598,400): parts, cut at 800,000.  a is read in [0, 801,600)
   and [798,400, 1,600,000): parts, cut at 800,000; beyond them the first GPU reads
   [800,000, 801,600), the second [56, 64) and [798,400, 800,000).

   Decides only; it costs time where it is wrong, never results.  No state.  */

#pragma once

#include "hints/footprint.h"

#include <stdint.h>

#pragma GCC visibility push(hidden)

enum { UMMGR_PARTS_GPUS = 16 };

enum ummgr_parts_way
{
  UMMGR_PARTS_UNUSED,
  UMMGR_PARTS_OWN,
  UMMGR_PARTS_COPIES,
  UMMGR_PARTS_HOME
};

/* What one GPU has to do with the object, bytes from its start, or of each row.  */
struct ummgr_parts_gpu
{
  struct ummgr_interval own;	/* To be there before the launch.  */
  struct ummgr_intervals far;	/* Used, too, and another's.  Copies: all that is used.  */
  double bytes;			/* Accessed in all, at most, as ummgr_footprint's.  */
};

struct ummgr_parts
{
  enum ummgr_parts_way way;
  /* Rows [FIRST, LAST), ROW bytes each, are all so; without rows ROW is 0 and LAST 1.  */
  int64_t row, first, last;
  struct ummgr_parts_gpu gpu[UMMGR_PARTS_GPUS];
};

/* Bytes that are worth a part, of all or of each row: shorter ones cost more calls than they
   save.  */
#define UMMGR_PARTS_LEAST 65536

/* Each of COUNT GPUs has an equal part of SIZE bytes, in multiples of GRAIN, a power of 2; false
   if that is less than LEAST.  */
bool ummgr_parts_even (struct ummgr_parts *parts, unsigned count, uint64_t size,
		       uint64_t grain, uint64_t least);

/* What GPU G accesses of BYTES of its own or far: where it does not access all of that, as large a
   part of these as of all.  */
uint64_t ummgr_parts_far (const struct ummgr_parts *parts, unsigned g, uint64_t bytes);

/* An object of SIZE bytes, which GPUs 0 ... COUNT - 1, at most PARTS_GPUS, use by USE, in
   bytes from its start.  */
void ummgr_parts_decide (const struct ummgr_footprint *use, unsigned count, uint64_t size,
			 struct ummgr_parts *out);

#pragma GCC visibility pop
