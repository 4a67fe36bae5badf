/* References in nests whose inner loops are longer or shorter from one iteration of the loop
   around to the next, as in triangles: how often, and which bytes.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   In iteration X of the dimension OF a dimension's iterations, of those that it may have, are
   SKIP + SKIP_SLOPE * X to that + FIRST + SLOPE * X (include/ummgr-table.h).  For a[i * n + j]
   with j from 0 to i, FIRST and SLOPE are 1, and all accesses are of different elements: n * (n + 1) / 2.
   No state.  */

#pragma once

#include "tables/decode.h"

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Of SIZE bytes of an object those that references touch, each once: how many, and what they lie
   in, [LO, HI).  */
struct ummgr_slope_cover
{
  double bytes;
  int64_t lo, hi;
};

/* How often REF, which has dimensions that depend on others, accesses.  False if that can't be
   told.  */
bool ummgr_slope_accesses (const struct ummgr_table_ref *ref,
			   const struct ummgr_code_inputs *inputs, double *accesses);

/* What USE's references, all exact but for such dimensions, touch of the SIZE bytes that begin
   OFFSET bytes before the argument.  False if that can't be told, or takes too long.  */
bool ummgr_slope_cover (const struct ummgr_table_use *use,
			const struct ummgr_code_inputs *inputs, uint64_t offset, uint64_t size,
			struct ummgr_slope_cover *out);

#pragma GCC visibility pop
