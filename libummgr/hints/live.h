/* What launches overwrite, and what follows them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What is said here may be used to throw data away: it is proved, or not said.
   Any thread; holds which call each is in.  */

#pragma once

#include "hints/hints.h"

/* Does a launch of ARG's region with INPUTS write every byte of the object at
   EXTENT, and read none of it?  One reference must do so by itself, in place
   and whatever happens; what the compiler calls certain is taken to be free of
   overflow, so that elements are few enough for numbers of 32 bits.  */
bool ummgr_live_overwritten (const struct ummgr_table_arg *arg,
			     const struct ummgr_code_inputs *inputs,
			     struct ummgr_hint_extent extent);

/* Instrumented code is about to make the call ID of the tables, or has made it: 0 (gcc-plugin/announce/calls.cc).
   Any thread, for itself.  Exported.  */
void __ummgr_called (unsigned long long id);

/* Which call this thread is in: the last that it was told, or 0.  */
uint64_t ummgr_live_call (void);

/* What follows launches of ARG's region from the call that this thread is in.  */
const struct ummgr_table_live *ummgr_live_of (const struct ummgr_table_arg *arg);

/* Fill what OUT says of the time after a launch by this thread.  */
void ummgr_live_fill (const struct ummgr_table_arg *arg,
		      struct ummgr_hint *out);

/* Two arguments in one object, in TO.  */
void ummgr_live_merge (struct ummgr_hint *to, const struct ummgr_hint *from);
