/* A launch in pieces whose data comes in before each, and leaves behind it, beside the launches
   of the others: for data that is not all on the device.

   What a policy has placed on the device stays there.  The rest of each object lies on the host,
   in managed memory; of that, what piece I + 1 uses is on its way in, and what I - 1 has used is
   on its way out, while I runs.  So a slice waits for nothing, and the device has room for three
   (SLICES of the manager's room) beside what stays.  What is only read comes in as a copy, which
   is dropped where it is: the host has it still.  What two neighbours use stays from one to the
   other.

   It is managed memory: a piece that uses more than the tables say finds it, by way of its link
   or by demand.

   An example: c[i] += a[i] + b[i], 2^24 doubles each, on a device with room for 112 MiB beside
   the slices, which have 16: c's first 112 MiB.  In 64 pieces each has 2 MiB of an object.  The
   first 56 bring 4 MiB of a and b, the other eight 2 more of c; those three at a time are 12
   and 18: too much.  In 80, 1.6 MiB an object, they are 9.6 and 14.4.

   Planned with the manager's lock, run without it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "hints/footprint.h"
#include "memory/manager.h"
#include "split/past.h"
#include "split/split.h"

#include <stdbool.h>
#include <stdint.h>

/* An object, or the part of one, that comes in slices.  */
struct ummgr_stream_object
{
  struct ummgr_object *object;
  struct ummgr_interval kept;	/* Bytes of it that stay on the device.  */
  bool known, written;
  double bytes, sent;		/* That the launch accesses of it, and of these, writes.  */
  double away;			/* That no piece has without the link.  */
  double in, room;		/* That come in, and are there at once.  */
  struct ummgr_intervals needs[3]; /* Addresses, whole pages: of the piece before, of this
				      one, of the next.  */
};

struct ummgr_stream_argument
{
  int object;			/* Of OBJECTS; -1: none.  */
  uint64_t offset;		/* In it.  */
};

struct ummgr_stream
{
  const struct ummgr_table_region *known;
  const struct ummgr_clauses *clauses;
  struct ummgr_pieces pieces;
  uint64_t all;			/* What the last piece goes to.  */
  struct ummgr_device *device;
  int64_t grain;		/* Slices are of whole grains; a power of 2.  */
  bool always;			/* Whether or not it pays.  */
  size_t count;			/* 0: nothing comes in slices.  */
  struct ummgr_stream_object *object; /* Owned, as those behind it.  */
  struct ummgr_stream_argument *argument;
  void **values;		/* Scratch: hostaddrs for a piece.  */
  struct ummgr_past_slices *past; /* Of the region; NULL: not known.  */
  bool whole;			/* It is to run as a whole, and be timed.  */
  double bytes;			/* That it uses of managed memory, wherever they are.  */
  double otherwise;		/* Seconds that it takes as a whole, as far as is known.  */
  double began, took;		/* Seconds; it took 0 if it was not timed.  */
};

/* How a launch of KNOWN, mapped for MANAGER with CLAUSES, which can go in PIECES (of which only
   TRIP and LO matter), goes so.  False where that is not needed, not possible, or, but for
   ALWAYS, takes longer than to use it where it is, as far as the figures tell; then OUT owns
   nothing.  Nor do the first two launches for which the figures say that it pays, but not by how
   much: they are timed (OUT's WHOLE), since what caches save and what the link's directions do side
   by side is not in the figures.  When one first does, MANAGER's objects give up some of the device's memory for
   slices, for good: better asked before they have their places, too.  */
bool ummgr_stream_plan (struct ummgr_manager *manager, const struct ummgr_table_region *known,
			const struct ummgr_clauses *clauses, const struct ummgr_pieces *pieces,
			bool always, struct ummgr_stream *out);

/* It doesn't run so.  */
void ummgr_stream_forget (struct ummgr_stream *stream);

/* Have come in what piece I needs, and begin with what I + 1 does: a ummgr_piece_next.  */
void ummgr_stream_next (void *stream, uint64_t i);

/* It has run, in pieces or as a whole: what is left leaves.  */
void ummgr_stream_end (struct ummgr_stream *stream);

/* After that, with MANAGER's lock: how long it took tells whether its region goes so again.
   Objects get the slices' room back when no region does.  */
void ummgr_stream_learn (struct ummgr_manager *manager, const struct ummgr_stream *stream);
