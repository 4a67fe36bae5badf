/* A launch in pieces whose data comes in slices, beside the launches of other pieces: straight from the program's
   memory, and back there, what the construct itself maps and the device has no room for; from managed memory what
   was mapped before and isn't all on the device.

   The former is never mapped.  Of either the device has room for some slices of each object.  While piece I runs in
   one of them, what I + 1 and I + 2 use is copied into two others, and what I - 1 and I - 2 have written is copied back
   from two more: the next copies are asked for before those under way are over, so that the link never waits.
   libgomp is told the address that the object would have on the device if all of it were around that slice, as a
   value (GOMP_MAP_FIRSTPRIVATE_INT).  What of mapped objects is on the device stays there: a piece that uses nothing
   else gets the object's own address.  What has its place on the device, but has yet to come there, comes beside the
   launches, too, each piece's part before that runs, in place of all of it before the launch.  And with a loop's
   last launch what the host goes over next (hints/turns.h) goes home behind the pieces that use it, in place of all of
   it after the launch.

   All rests on the tables here: what a piece touches beyond its slice is another slice, or no memory.  So only where
   they give bounds that hold (UMMGR_SPLIT_BOUNDS), of all references; where these lie in what is mapped;
   where no two pieces write the same; where no other clause has a part of the same memory, nor a pointer to it, nor,
   for what is mapped, the region follows pointers that it finds in memory.  Everything else is mapped as ever, once
   around all pieces.

   An example: c[i] = a[i] + b[i], 2^26 floats each, 768 MiB in all on a device with 192 MiB.  In 40 pieces each has
   6.4 MiB of an object; three slices of each are 58 MiB.  512 MiB come in, at 44.7 GB/s in 12.0 ms, and beside
   that 256 MiB leave.

   And: `target data' around launches of b[i][j] = (a[i - 1][j] + a[i + 1][j]) / 2, of which the device has a third of
   each.  Of 30 pieces ten use what is there; the others' rows of a come in slices.  b's borders are not written, so
   that slices of it would have to come, too: it is written where it is, over the link, which carries that the other
   way.

   Planned with the manager's lock, run without it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "hints/footprint.h"
#include "memory/manager.h"
#include "memory/staging.h"
#include "split/past.h"
#include "split/split.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum
{
  UMMGR_STRAIGHT_MOST = 16,
  UMMGR_STRAIGHT_AHEAD = UMMGR_DEVICE_LANES - 1,	/* Pieces whose copies are under way, in each direction.  */
  UMMGR_STRAIGHT_ALIGNED = 256	/* As CUDA aligns what it allocates; code may rest on an address's last bits.  */
};

_Static_assert (2 * UMMGR_STRAIGHT_AHEAD == UMMGR_STAGING_COPIES, "each has its staging memory");

/* What comes in slices.  */
struct ummgr_straight_object
{
  size_t argument;
  struct ummgr_object *mapped;	/* NULL: nobody has mapped it.  */
  uintptr_t base;		/* In the program's memory, or MAPPED's managed memory.  */
  size_t size;
  /* Of what is MAPPED:  */
  struct ummgr_interval kept;	/* Bytes that have their place on the device,  */
  struct ummgr_interval comes;	/* and of those what is to come there beside the launches,  */
  struct ummgr_interval leaves;	/* and what goes home beside them, as the host goes over it next.  */
  bool own;			/* It is used where it is, and goes in no slices.  */
  bool in, out;
  double read, sent;		/* MAPPED: bytes that go over the link if it isn't in slices.  */
  uint64_t bytes_in, bytes_out;	/* That are copied for it, in all;  */
  uint64_t bytes_come, bytes_leave; /* that come to their place, and leave it.  */
  uint64_t slot;		/* Bytes on the device for one slice,  */
  unsigned slots;		/* and for so many.  */
  uintptr_t address;		/* Of the first.  */
  uint64_t stride;		/* From one to the next.  */
};

/* Bytes of an object that a piece uses, [LO, HI), and of those what it writes.  */
struct ummgr_straight_slice
{
  int64_t lo, hi, out_lo, out_hi;
};

/* Is SLICE of OBJECT used where that is mapped?  */
static inline bool
ummgr_straight_has (const struct ummgr_straight_object *object, const struct ummgr_straight_slice *slice)
{
  return object->mapped && (object->own || (object->kept.lo <= slice->lo && slice->hi <= object->kept.hi));
}

/* What of SLICE of OBJECT comes to its place.  */
static inline struct ummgr_interval
ummgr_straight_comes (const struct ummgr_straight_object *object, const struct ummgr_straight_slice *slice)
{
  const struct ummgr_interval all = { slice->lo, slice->hi };
  return ummgr_interval_common (all, object->comes);
}

/* What of SLICE of OBJECT leaves its place.  */
static inline struct ummgr_interval
ummgr_straight_leaves (const struct ummgr_straight_object *object, const struct ummgr_straight_slice *slice)
{
  const struct ummgr_interval all = { slice->lo, slice->hi };
  return ummgr_interval_common (all, object->leaves);
}

/* What is copied for a piece in one direction.  */
struct ummgr_straight_copies
{
  struct ummgr_straight *of;
  uint64_t piece;
  bool to_host;
  bool due;			/* Modelled: they are to be asked for at TIME, and  */
  double time;			/* when they are over.  */
};

/* Who copies some of that.  */
struct ummgr_straight_worker
{
  const struct ummgr_straight_copies *of;
  bool has_thread;
  pthread_t thread;
  struct ummgr_staging_worker staging;
};

struct ummgr_straight
{
  struct ummgr_manager *manager;
  struct ummgr_device *device;
  const char *where;		/* The region's name; for messages.  */
  struct ummgr_pieces pieces;
  size_t count;			/* Of OBJECT; 0: nothing goes so.  */
  struct ummgr_straight_object object[UMMGR_STRAIGHT_MOST];
  struct ummgr_straight_slice *slice;	/* Owned: of piece I, OBJECT[N], at I * COUNT + N.  */
  uintptr_t memory;		/* On the device, for all slots.  */
  bool guarded;			/* Each slot has a guard before it and behind it (device/device.h).  */
  struct ummgr_clauses clauses;	/* What libgomp is told; owns its addresses and kinds.  */
  struct ummgr_straight_copies copies[2][UMMGR_STRAIGHT_AHEAD]; /* In, and out; those of piece I in lane I.  */
  struct ummgr_straight_worker workers[2][UMMGR_STRAIGHT_AHEAD][UMMGR_STAGING_THREADS];
  /* In, and out: threads that stage what comes from the program's memory, and goes there; 0: the driver does, whom the
     first one asks.  */
  unsigned threads[2];
  bool staged;			/* It has its manager's staging memory.  */
  double staging_rate;
  /* Of what is mapped.  */
  struct ummgr_past_slices *past; /* Of the region; NULL: not known.  */
  double whole;			/* Seconds that its launch takes as a whole; 0: not known.  */
  /* What comes first for that, and it; what it takes in slices, and when it began so.  */
  double otherwise, takes, began;
  double remote;		/* What it takes as a whole where its objects are foreseen to be.  */
};

/* A launch that may go so.  */
struct ummgr_straight_launch
{
  struct ummgr_manager *manager;
  const struct ummgr_table_region *known; /* NULL: its region isn't known.  */
  const struct ummgr_clauses *clauses;
  struct ummgr_pieces pieces;	/* Of which only TRIP and LO matter.  */
  const char *name;		/* Lives as long as what is planned of it.  */
  uint64_t bytes;		/* That were mapped before, if any.  */
  bool always;			/* Even if there is room for its data, or it is slower.  */
};

/* How LAUNCH, nothing of whose data is mapped yet, goes so.  Returns why it doesn't, or NULL; then OUT is to be ended,
   or forgotten.  */
const char *ummgr_straight_plan (const struct ummgr_straight_launch *launch, struct ummgr_straight *out);

/* The same of what is mapped, and has its place on the device of its manager, for which of ARRIVALS is still
   to come.  Where it is known that it takes longer than the link needs as a whole (ummgr_straight_whole), slices don't
   help, but for what comes; where a piece leaves threads of the device idle, it must be known.  */
const char *ummgr_straight_plan_mapped (const struct ummgr_straight_launch *launch,
					const struct ummgr_arrivals *arrivals, struct ummgr_straight *out);

/* Might what the device has of VIEW's object go home beside the launch at hand?  */
bool ummgr_straight_brings (const struct ummgr_object_view *view);

/* Does S send for what comes of COPY?  */
bool ummgr_straight_sends (const struct ummgr_straight *s, const struct ummgr_copy *copy);

/* How many bytes of the device's memory LAUNCH wants for its slices, if of each object that was mapped before
   the part SHARE has a place there; 0: it is better not cut.  At most MOST.  */
uint64_t ummgr_straight_wants (const struct ummgr_straight_launch *launch, double share, uint64_t most);

/* The same where its loop has TURNS like it, if one object has its place before all others: which one that
   is best, *FIRST_P; all that the loop is to take is weighed, what comes before it, and what goes home after.  0: as a
   whole that takes no longer.  */
uint64_t ummgr_straight_first (const struct ummgr_straight_launch *launch, double turns, uint64_t most,
			       const struct ummgr_object_view **first_p);

/* S's region, whose data is mapped, goes so no more; the last one gives objects the slices' room back.  With the
   manager's lock.  */
void ummgr_straight_vain (struct ummgr_straight *s);

/* A launch of KNOWN on MANAGER's device took so many seconds as a whole, with BYTES mapped.  */
void ummgr_straight_whole (struct ummgr_manager *manager, const struct ummgr_table_region *known, double took,
			   uint64_t bytes);

/* Have come in what piece I needs, and begin with what I + 1 does: a ummgr_piece_next.  Ends the program where a
   copy fails: what it would compute were wrong.  */
void ummgr_straight_next (void *straight, uint64_t i);

/* All pieces of KNOWN's launch at SITE have run: what the last one wrote goes back, and the device's memory too; the
   statistics get what was copied.  Without the manager's lock.  */
void ummgr_straight_end (struct ummgr_straight *straight, const struct ummgr_table_region *known, const void *site);

/* It doesn't run so.  */
void ummgr_straight_forget (struct ummgr_straight *straight);
