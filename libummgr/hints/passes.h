/* How often bytes go over the link in one launch, where the device's cache doesn't keep them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Threads in flight go through equal shares of the work-shared loops side by side: in a step each
   does one iteration.  If what a step touches of all arguments is more than the cache has, it is
   gone when the next step wants it again, and what many iterations share comes once a step.  Else
   each byte comes once.  It is a rough model, good enough to tell a matrix that is read a thousand
   times from one that is read once.

   What is read and what is written goes over the link at once, both together as far as it carries them: each counts its
   part of that.  An example: of 8 bytes read and 4 written, where both ways carry 1.6 times one way, the link has 8 in
   all: what is read counts 0.75 of its bytes (8 by itself, 4 more than what is written takes: 6), what is written 0.5.

   A thread waits for each access.  Where there are too few of them to have the link carry all it could
   meanwhile, the launch takes as long as if it carried that: so many bytes count (Little's law).

   An example: c[i][j] += a[i][k] * b[k][j], i, j and k below 295, elements of 4 bytes, 80 threads, a cache of 96 KiB,
   32 bytes an access over the link.  An iteration has a row of a, 1,211 bytes, a column of b, 10,325, and 35 of c.
   A step touches 96,880 bytes of a, all of b, 348,100, and 2,800 of c, which the cache doesn't keep; 1,088
   steps bring b 1,088 times and a 303 times; c comes once, since it is used all the time.  At 40 GB/s and 578 ns an
   access the link carries 23,120 bytes in that time, and 80 threads ask for 2,560: 9 times as many bytes count.  */

#pragma once

#include "hints/hints.h"

#pragma GCC visibility push(hidden)

/* OUT, one for each argument of REGION, has what ummgr_hints_evaluate says of each alone: REMOTE becomes what comes
   in all steps.  EXTENTS as there.  No state.  */
void ummgr_passes_fill (const struct ummgr_table_region *region, const struct ummgr_code_inputs *inputs,
			const struct ummgr_hint_extent *extents, struct ummgr_hint *out);

#pragma GCC visibility pop
