/* Stacks that a thread changes between without a system call.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What a change keeps is what a function that is called keeps by the platform's
   ABI: general registers, and how floating point numbers are rounded, which each
   stack has of its own.  Masks of signals, errno and whatever else is the thread's
   stay with the thread: a signal handler that changes the stack first lets through
   what it holds back.  */

#pragma once

#include <stddef.h>

/* One that runs, or waits.  Stays where it is while it is used.  */
struct sim_stack
{
  void *top;			/* Of what it keeps; while it waits.  */
  void *tsan;			/* base/tsan.h  */
};

/* Make S, in the SIZE bytes at MEMORY, which a guard page should precede: the first
   change to it calls FUNCTION (DATA), in the calling thread's present mode of
   rounding.  FUNCTION must not return, but change to another for good; an exception
   that it doesn't catch ends the program.  */
void sim_stack_make (struct sim_stack *s, void *memory, size_t size,
		     void (*function) (void *), void *data);

/* S, which does not run, will not be changed to again.  */
void sim_stack_end (struct sim_stack *s);

/* What the calling thread runs on; its own, if it has not changed.  */
struct sim_stack *sim_stack_current (void);

/* Have TO, which waits, go on, and the current one wait.  In the thread that TO was
   first run in: code may know where that one's variables are.  */
void sim_stack_switch (struct sim_stack *to);
