/* How far long work is: a line on standard error that is drawn again and again.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Nothing is shown before ummgr_progress_enable, which commands call, as the library in a program doesn't;
   where standard error is no terminal, or one that can't go back to the begin of a
   line (TERM=dumb); nor of work that takes less than a moment.  One thread at a time; a message
   (log.h) of any thread wipes the line.  */

#pragma once

#include <stdint.h>

/* Before the first of the following; before other threads.  */
void ummgr_progress_enable (void);

/* DONE of ALL is done of WHAT, which names the work or its file; ALL may be 0, unknown: then what is shown
   is that it goes on.  Cheap enough for a loop.  */
void ummgr_progress_show (const char *what, uint64_t done, uint64_t all);

/* The work is done: the line goes.  */
void ummgr_progress_end (void);

/* Is a line shown, take it away.  Any thread.  */
void ummgr_progress_wipe (void);
