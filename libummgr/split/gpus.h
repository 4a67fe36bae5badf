/* A launch over several GPUs: a range of its loop's iterations on each, side by side.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   All that the region reaches through its arguments is managed memory of ours, which has one
   address on all GPUs: a launch gets that address by value, as a firstprivate integer, so
   that libgomp maps nothing for it, on whichever GPU.  Reductions go to memory that each GPU
   has for itself; afterwards they are merged on the host, in the GPUs' order, so that a run
   gives what the run before gave.  Pointers and descriptors to such memory, which libgomp would
   make for its device, go as firstprivate copies with managed addresses in them; pointers that
   are attached within it libgomp writes before, and takes back afterwards.  What the region
   reaches through pointers that it finds in that memory (UMMGR_TABLE_MEMBERS) is looked up
   and counts as an argument.  A region that runs whole can go to another GPU than its own in
   the same way.

   One thread launches for each GPU; on devices of the simulator, which can set a thread's
   time back, one does it for all, in the GPUs' order: what the model says is then the same
   each time.

   Planned with the lock of the launch's manager, run without it; one launch with reductions
   at a time has a GPU's memory for these.  */

#pragma once

#include "gomp/clauses.h"
#include "memory/manager.h"
#include "memory/parts.h"
#include "split/past.h"
#include "split/split.h"
#include "tables/decode.h"

#include <stdbool.h>
#include <stdint.h>

/* How a GPU gets an argument.  */
struct ummgr_gpus_argument
{
  struct ummgr_object *object;	/* By its address; NULL: as libgomp has it.  */
  uint64_t offset;		/* In the object.  */
  const struct ummgr_table_reduction *reduction; /* Instead, memory for that.  */
  char *copy;			/* Or, firstprivate, COPY_SIZE bytes from there.  */
  size_t copy_size;		/* 0: none.  */
  bool unused;			/* The region doesn't look at it.  */
  bool attached;		/* libgomp is to write the pointer there.  */
  char *seen;			/* SEEN_SIZE bytes of its memory, if that WAS_SEEN.  */
  size_t seen_size;
  bool was_seen;
  size_t next;			/* The next argument with the same object, or 0.  */
};

/* How an object is to lie for a launch.  */
struct ummgr_gpus_want
{
  struct ummgr_object *object;
  size_t first, last;		/* Arguments with it.  */
  struct ummgr_parts parts;
};

struct ummgr_gpus_launch
{
  struct ummgr_gpus gpus;	/* None: libgomp runs it as it is.  */
  uint64_t lo[UMMGR_PARTS_GPUS], hi[UMMGR_PARTS_GPUS]; /* Iterations.  */
  unsigned lo_argument;		/* HI is the next.  */
  uint64_t trip;		/* All of them; 0: not known.  */
  bool whole;			/* On one.  */
  size_t arguments;
  struct ummgr_gpus_argument *argument; /* Of each clause, and what lies behind pointers in
					   their memory; owned, with their copies.  */
  size_t wants;
  const struct ummgr_gpus_want *want; /* The library's; good as long as the lock is held.  */
  bool gather;			/* All is to go there, and to stay.  */
  bool again;			/* Some launches more are expected.  */
  const struct ummgr_table_region *known;
  double gain;			/* Seconds that it was foreseen to, at most.  */
  struct ummgr_past_work *work;	/* What is known of the region's; or NULL.  */
  double seconds;		/* That the first GPU took.  */
  bool sent;			/* It had to wait for data, too.  */
  double most;			/* That all iterations take on it, by the tables.  */
};

/* Before the first launch, and before what it uses is mapped: where regions that run on one GPU
   alone, by the tables, are launched half as often as those that may go over several, or more
   often, all begins on one: what these use would go to and fro.  */
void ummgr_gpus_begin (void);

struct ummgr_gpus_wish
{
  bool apart;			/* It shall run beside others.  */
  bool by_demand;		/* Data comes so; nothing is weighed.  */
};

/* How a launch of KNOWN (NULL: it has no table) with CLAUSES, mapped for MANAGER, goes over
   GPUS, if it can go in PIECES; else *WHY_P says why it can't.  Where it doesn't go over
   several, as it can't, as it is not WISHed, or as that takes longer (split/past.h), it goes
   to the one that has most of its data, if it can go there, and else OUT has no GPU; *WHY_P, a
   string that lives as long as the table, says why.  */
void ummgr_gpus_plan (struct ummgr_manager *manager, const struct ummgr_table_region *known,
		      const struct ummgr_clauses *clauses, const struct ummgr_gpus *gpus,
		      const struct ummgr_pieces *pieces, const struct ummgr_gpus_wish *wish,
		      const char **why_p, struct ummgr_gpus_launch *out);

/* Have its objects lie as it wants them.  */
void ummgr_gpus_lay (struct ummgr_gpus_launch *launch);

/* Run it; false without memory for it: nothing has been run.  */
bool ummgr_gpus_run (const struct ummgr_split_launch *launch,
		     struct ummgr_gpus_launch *over);

/* It has run: remember how long that took, for the region's next.  With the same lock.  */
void ummgr_gpus_learn (const struct ummgr_gpus_launch *launch);

void ummgr_gpus_free (struct ummgr_gpus_launch *launch);
