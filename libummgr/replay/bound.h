/* The least time that a run takes on a machine, whoever places its data: a lower bound.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A run is a sequence of windows: launches, and what the host does between two of them.
   Its data are chunks, each of pages to which the same happens: a launch uses them in some
   window, or the host does.  Whoever places them has these means, and no others:

   - pages come over the link, at in_rate, and go back, at out_rate, both ways, together at
     both_rate, and the launches side by side, and from within a launch in as small parts as one likes, so
     that what it uses need never be in memory at one time;
   - between two windows what is on the device has room there;
   - a launch uses pages that are on the device, or over the link, at remote_rate, reads and
     writes together at that times WAYS, beside what is copied to the device where it only
     reads them;
   - what is overwritten before it is read, or never used again, need not be copied; nor
     what is on the device unchanged, when it leaves.

   What faults, batches and single copies cost besides is not counted, nor that memory comes
   in blocks.  So no placement takes less that runs all of a launch before the next, in
   whichever order.

   The least is a linear program's (a page may be there in part), solved with GLPK's dual
   simplex: where that is stopped for the time it takes, what it has proven by then is a
   lower bound, too.  With T of a window its time, and for a chunk of S bytes and an event
   of it

     G, D    bytes that are on the device behind it; of them, changed there;
     G', D'  the same before it;
     I, O    what comes and goes in its window; R what it uses over the link, and J what of
	     that comes when it is written;
     i, o    what comes and goes in the windows up to the next event, K what stays there
	     all along: G', D' are K + i, D - o there, else G, D of the event before

     a launch	G' + I + R >= S, G <= G' + I + J, D' + R <= S + O where it needs the content;
		D >= D' - O, or, where it writes, D >= S - R - O, G <= S - R + J, G <= D + O + J
     the host	O >= D', D = 0; where it writes, G = 0
     a launch's time  T >= least - (R / memory_rate), T >= launch_cost + R / (WAYS * remote_rate)
     the link   of what comes, or goes, or both, within windows a to b, the time <= the sum of their T
     memory	the sum of G, or K + i, of all chunks <= room, between any two windows

   Not thread-safe; no globals.  */

#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes per second, seconds.  */
struct ummgr_bound_machine
{
  double memory_rate, in_rate, out_rate, remote_rate, launch_cost;
  double both_rate;		/* 0: each way has its rate, whatever goes the other way.  */
  double ways;			/* 1 to 2.  */
  /* What is used over the link and what comes may each have all of it.  */
  bool apart;
};

struct ummgr_bound_window
{
  bool launch;
  double least;			/* Of a launch whose data is all there; with launch_cost.  */
  double room;			/* Bytes of the device's memory, at its end.  */
};

struct ummgr_bound_event
{
  uint32_t window;		/* Rising within a chunk.  */
  bool host;
  bool needed;			/* What was there before; else it is overwritten.  */
  bool written;
  bool dead;			/* Overwritten next, or not used again.  */
  double price;			/* Bytes that cross the link for each that is used there;
				   or come from local memory.  */
};

struct ummgr_bound_chunk
{
  double bytes;
  /* It was used before the first window, and may be anywhere, as one likes; else it is
     nowhere.  */
  bool begun;
  const struct ummgr_bound_event *event;
  size_t events;
};

struct ummgr_bound
{
  struct ummgr_bound_machine machine;
  const struct ummgr_bound_window *window;
  uint32_t windows;
  double room;			/* Bytes of the device's memory, before the first.  */
  const struct ummgr_bound_chunk *chunk;
  size_t chunks;
};

/* Is there a solver?  */
bool ummgr_bound_available (void);

/* Seconds, at least; takes about MOST of them to find.  UMMGR_ERR_NOMEM without memory,
   UMMGR_ERR_INVALID where the solver fails or there is none; not logged.  */
enum ummgr_status ummgr_bound_solve (const struct ummgr_bound *bound, double most,
				     double *seconds_p);
