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
   launch for each p it is 4 times used, with the last one once.  In a loop over k and t alone it is 12 times to begin
   with.

   Any thread, for itself.  */

#pragma once

#include <stdint.h>

/* The loop ID begins, of TURNS; ~0: not known.  The lowest bit of ID is set where its turns use the same memory.  */
void __ummgr_turns (unsigned long long id, unsigned long long turns);
/* A turn of it is over; and all are, unless GOES_ON.  */
void __ummgr_turn (unsigned long long id, unsigned long long goes_on);

/* How many launches like the one at hand, it included, this thread's loops will have from it on, with the same memory;
   0: not known.  *LOOP becomes the number of the outermost of these loops, from 1, another each time that one begins;
   0: there is none.  */
double ummgr_turns_left (uint64_t *loop);
