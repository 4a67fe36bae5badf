/* Whether what is said of reuse distances comes true in this run.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The compiler knows when a region runs again, and takes it that its argument is
   the same memory then.  Where a loop goes over many objects, each is used by the
   next launch as far as the tables say, and by the hundredth in truth.  So does
   an object that comes to a region by two arguments in turn look as if it were
   used as soon after the one as after the other.  So what a source says of one
   argument of one region counts only as long as it mostly comes true, of whatever
   objects.  Owns a fixed table, where arguments that fall together share a score.
   Constant time; no locks.  */

#pragma once

#include <stdbool.h>
#include <stdint.h>

#define UMMGR_SAID_KEYS 1024

/* All zero: nothing has been said.  */
struct ummgr_said
{
  signed char score[UMMGR_SAID_KEYS];
  uint64_t last[UMMGR_SAID_KEYS];	/* The region that made a promise last.  */
};

/* What was said of one object's next use.  All zero: nothing.  */
struct ummgr_said_promise
{
  double regions;		/* 0: nothing; INFINITY: it is not used again.  */
  uint64_t sequence;		/* When it was said,  */
  uint32_t key;			/* and of what.  */
};

/* The key of what SOURCE, a number, says of the argument NAME (NULL: not known) of
   REGION, by its number.  */
uint32_t ummgr_said_key (uint64_t region, const char *name,
			 unsigned source);

/* Is what is said of KEY to be believed?  */
bool ummgr_said_trusted (const struct ummgr_said *said, uint32_t key);

/* PROMISE is made.  */
void ummgr_said_add (struct ummgr_said *said,
		     const struct ummgr_said_promise *promise);

/* The object of PROMISE is used by the region numbered SEQUENCE: that promise is
   over.  */
void ummgr_said_came (struct ummgr_said *said,
		      struct ummgr_said_promise *promise, uint64_t sequence);
