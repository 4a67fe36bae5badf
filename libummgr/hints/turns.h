/* How often the loops go round that a launch is in.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Code that the plugin compiled tells before such a loop begins how many turns it has, where that is known then, and
   when a turn is over, or all are (gcc-plugin/announce/turns.cc).  For estimates: an exception or longjmp leaves a loop
   behind that is over, until one around it says something.

   An example: of

     for (k = 0; k < 3; k++)
       for (p = 0; p < 48; p++)
	 for (t = 0; t < 4; t++)
	   smooth (patch[p], next[p]);

   the innermost loop's turns use the same memory, those of the loop over p don't.  So with the first
   launch for each p the innermost has 4 like it, with the last one 1, and nothing is said of those around it.  In loops
   over k and t alone the innermost has 4, and that around it 12 to begin with.

   And of a loop after which the host goes over something next: which launch is its last.

   Any thread, for itself.  */

#pragma once

#include "policy/policy.h"

/* The loop ID begins, of TURNS; ~0: not known.  The lowest bit of ID is set where its turns use the same memory.  */
void __ummgr_turns (unsigned long long id, unsigned long long turns);
/* A turn of it is over; and all are, unless GOES_ON.  */
void __ummgr_turn (unsigned long long id, unsigned long long goes_on);

/* Of the loop ID that has just begun: the host goes over what PTR points to next when all its turns are over.  */
void __ummgr_host_after (unsigned long long id, const void *ptr);

/* A launch begins: the loops that this thread is in, to OUT, the innermost first: as far as their turns use the same
   memory and are known.  Returns how many; *INNERMOST becomes the number of the innermost in any case, or 0.  */
unsigned ummgr_turns_loops (struct ummgr_region_loop *out, uint64_t *innermost);

/* Is the launch that has begun last in a loop after which the host goes over SIZE bytes at ADDRESS next; and, if it is
   to be the LAST, the last one there, as far as one can tell by the turn before?  */
bool ummgr_turns_host_after (uintptr_t address, size_t size, bool last);
