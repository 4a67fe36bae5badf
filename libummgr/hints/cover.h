/* How many bytes of an object references touch, each byte once.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A box is what a reference touches: a run of bytes, repeated at strides.  No
   state.  */

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UMMGR_BOX_DIMS = 8 };

struct ummgr_box
{
  int64_t base;			/* Bytes from the object's start.  */
  uint64_t run;			/* Bytes without a gap.  */
  unsigned dims;
  uint64_t stride[UMMGR_BOX_DIMS];	/* Ascending; each above what is
					   below.  */
  uint64_t count[UMMGR_BOX_DIMS];
  double weight;		/* The part of it that is expected to be
				   touched: 1 is all.  */
};

/* Add the dimension to BOX, in any order; false if there are too many, or it goes
   over more than any memory.  Then end it.  */
bool ummgr_box_add (struct ummgr_box *box, int64_t stride, uint64_t count);
void ummgr_box_end (struct ummgr_box *box);
/* The bytes of it that differ, and the end of its last one.  */
double ummgr_box_bytes (const struct ummgr_box *box);
int64_t ummgr_box_limit (const struct ummgr_box *box);

/* The bytes of [0, SIZE) in the union of BOXES, those of WEIGHT below LEAST left
   out.  *EXACT becomes false where that is an estimate.  */
double ummgr_boxes_cover (const struct ummgr_box *boxes, size_t count,
			  uint64_t size, double least, bool *exact);
