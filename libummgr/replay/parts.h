/* Inside pages.c: parts of teams' steps, which launches share.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   As trace/format.h has them: numbered as they come, and kept as long as they may be
   named.  Not thread-safe.  */

#pragma once

#include "gpu/steps.h"
#include "trace/format.h"
#include "trace/limit.h"

struct ummgr_parts
{
  struct ummgr_trace_limit *limit; /* What they take is taken from it.  */
  struct ummgr_kept *kept;	/* Those that may be named.  */
  size_t count, room;
  uint64_t first;		/* Number of the first of them, less 1.  */
  uint64_t bytes;		/* Of them.  */
  unsigned char *piece;		/* Of the one that comes.  */
  size_t size, piece_room;
};

/* STEPS has come.  Its part, which stays the table's, in *PART_P; NULL: more pieces of it
   are to come, or it is none.  False without memory, or beyond the limit.  */
bool ummgr_parts_take (struct ummgr_parts *p, const struct ummgr_trace_steps *steps,
		       struct ummgr_gpu_part **part_p);

void ummgr_parts_free (struct ummgr_parts *p);
