/* Ends of a process that don't come by exit: signals, and _exit.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A signal that ends the process may come while its thread holds any lock, malloc's
   for example.  So its handler, which is installed only where there was none, just
   wakes a thread that writes what is to be written, and stays until that has
   ended the process by the same signal.  If that thread makes no progress, since
   it needs such a lock, the handler returns, and the program goes on until the
   thread is done.  The program's own handlers stand: they come after, or replace,
   this one.  A second signal, a second after the first, ends the process at once.  */

#pragma once

#include <stdbool.h>

/* There is something to lose now: from here on FINISH is called, once, in a thread
   of its own, before a signal or _exit ends the process.  Meanwhile the program may
   go on: FINISH leaves alone what it uses.  Returns the kernel's number of the
   thread, 0 if there is none.  Later calls only return that.  Any thread.  */
int ummgr_ending_watch (void (*finish) (void));

/* Until then a process that ends by _exit leaves TEXT in FILE, unless another has
   written there.  Both stay the caller's, for good.  Before other threads exist.  */
void ummgr_ending_idle (const char *file, const char *text);

/* In the child of a fork there is no such thread.  */
void ummgr_ending_after_fork (void);

/* What ends the process: exit with *STATUS_P, or *SIGNAL_P, which is 0 then.  False: nothing does so
   yet, or nobody watches.  FINISH and destructors may ask.  */
bool ummgr_ending_how (int *status_p, int *signal_p);

/* The process is about to exit by itself.  If a signal is ending it already, that
   is its end: doesn't return then.  */
void ummgr_ending_exits (void);

/* The process is about to call _exit with STATUS: wait for FINISH, while it makes progress.
   May be called by a signal's handler.  */
void ummgr_ending_leave (int status);
