/* Fibers: functions that wait for each other in one thread.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A fiber stays in the thread that started it.  */

#pragma once

struct sim_fiber;

/* Run FUNCTION (DATA) on a stack of its own, until it waits or returns.  The
   fiber if it waits, else NULL.  Aborts without memory for a stack, as libgomp
   does where it can't start a thread.  From no fiber.  */
struct sim_fiber *sim_fiber_start (void (*function) (void *), void *data);

/* Let FIBER go on where it waits, until it does so again or returns.  False: it
   has returned, and is no more.  */
_Bool sim_fiber_resume (struct sim_fiber *fiber);

/* From within a fiber: back to who started or resumed it.  A signal handler may
   do so where the code that it interrupted could have, once it has let through
   again the signals that the interrupted code does: the mask stays the thread's.  */
void sim_fiber_wait (void);
