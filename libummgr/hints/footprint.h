/* Which bytes of an argument a range of a region's iterations may use: what a slice of it
   would have to hold.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   From the tables' expressions for ranges (include/ummgr-table.h, RANGE_REFS and
   RANGE_DIMS), with LO and HI of the range for the two arguments that the plugin added.
   Each reference is taken from its first to its last byte; what meets or overlaps is one
   interval.

   An example: for (i = 1; i < n - 1; i++) for (j < m) b[i * m + j] = a[(i - 1) * m + j] +
   a[(i + 1) * m + j] + a[7], n = 1000 and m = 200, iterations [499, 998): i = 500 ... 998.
   b is written in [800,000, 1,598,400); a is read in [56, 64) and in [798,400, 1,600,000):
   rows 499 to 997 and 501 to 999 overlap.

   And: for (i < n) for (k < 5) x[k * n + i] = 0, n = 1000, iterations [500, 1000): x is
   written in [4,000, 40,000), and, in rows of 8,000 bytes, 0 to 4, in [4,000, 8,000) of each.

   It is as right as the analysis, which takes conversions of types for exact: data that is
   wrong where this is wrong must not rest on it.  No state.  */

#pragma once

#include "hints/cover.h"
#include "tables/decode.h"

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

enum { UMMGR_FOOTPRINT_MOST = 8 };

/* Bytes [LO, HI).  */
struct ummgr_interval
{
  int64_t lo, hi;
};

/* Ascending, apart.  Beyond MOST those with the shortest gap between them are one.  */
struct ummgr_intervals
{
  unsigned count;
  struct ummgr_interval at[UMMGR_FOOTPRINT_MOST];
};

/* The same where it repeats in rows, [FIRST, LAST), ROW bytes each: arrays of which each
   iteration uses an element of every row, as x[k * n + i].  Intervals are within a row.  */
struct ummgr_rows
{
  int64_t row;			/* 0: it doesn't.  */
  int64_t first, last;
  struct ummgr_intervals reads, writes;
};

struct ummgr_footprint
{
  bool known;			/* Else it may be any byte.  */
  bool read, written;
  double bytes;			/* Accessed, places that are known once, others as often as is
				   expected; INFINITY: not known.  */
  bool guessed;			/* BYTES are, where others are known at all.  */
  struct ummgr_intervals reads, writes; /* From the argument's address on.  */
  struct ummgr_rows rows;
};

/* Of ARG in a launch with INPUTS, whose LO and HI are the range's.  */
void ummgr_footprint_fill (const struct ummgr_table_arg *arg,
			   const struct ummgr_code_inputs *inputs,
			   struct ummgr_footprint *out);

static inline int64_t
ummgr_interval_length (struct ummgr_interval i)
{
  return i.hi > i.lo ? i.hi - i.lo : 0;
}

/* What both have; nothing is [0, 0).  */
static inline struct ummgr_interval
ummgr_interval_common (struct ummgr_interval a, struct ummgr_interval b)
{
  struct ummgr_interval out = { a.lo > b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi };
  return out.lo < out.hi ? out : (struct ummgr_interval) { 0, 0 };
}

/* TO and [LO, HI).  */
void ummgr_intervals_add (struct ummgr_intervals *to, int64_t lo, int64_t hi);

/* TO and what of ONE is not in OWN, which may be empty.  */
void ummgr_intervals_add_beyond (struct ummgr_intervals *to, struct ummgr_interval one,
				 struct ummgr_interval own);

/* TO and FROM, which is of memory OFFSET bytes behind TO's: one object's of one launch.  */
void ummgr_footprint_merge (struct ummgr_footprint *to,
			    const struct ummgr_footprint *from, int64_t offset);

/* What a nest of COUNT dimensions runs, in all: of all of its iterations, or, with RANGE, those
   of the range; INFINITY where that can't be told.  */
double ummgr_dims_passes (const struct ummgr_table_dim *dims, unsigned count,
			  const struct ummgr_code_inputs *inputs, bool range);

/* What affine REF accesses, OFFSET bytes on: all of its iterations, or, with RANGE, those of
   the range.  False if that can't be told; a box that runs over no bytes: nothing.  */
bool ummgr_ref_box (const struct ummgr_table_ref *ref,
		    const struct ummgr_code_inputs *inputs, uint64_t offset, bool range,
		    struct ummgr_box *box);

#pragma GCC visibility pop
