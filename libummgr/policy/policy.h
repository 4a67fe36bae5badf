/* The interface between policies and the runtime.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A policy reads objects and regions and writes a plan; memory/execute.c applies it.
   A policy moves no data, calls no driver, takes no lock: the runtime holds
   the manager's lock around every slot, so a policy can be tested with no
   device at all.  One policy is one file.  */

#pragma once

#include "base/hint.h"
#include "base/status.h"
#include "device/figures.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ummgr_data_path
{
  UMMGR_PATH_MAPPED,	/* Ordinary memory under map clauses.  */
  UMMGR_PATH_UNIFIED	/* Managed memory, shared by address.  */
};

enum ummgr_place
{
  UMMGR_PLACE_LIBGOMP,	/* Not ours: libgomp allocates and copies.  */
  UMMGR_PLACE_DEVICE,
  UMMGR_PLACE_HOST,	/* Host memory that the device reads remotely.  */
  UMMGR_PLACE_ANY	/* Wherever demand takes it (plain managed).  */
};

/* How a range that is placed on the device gets there.  */
enum ummgr_transfer
{
  UMMGR_TRANSFER_NONE,
  UMMGR_TRANSFER_EXPLICIT,	/* Copied or prefetched before the region.  */
  UMMGR_TRANSFER_IMPLICIT,	/* On demand, by faults.  */
  UMMGR_TRANSFER_HOME		/* Managed memory: prefetched to the host, and
				   no decision about its place.  */
};

/* What a policy may know of an object.  The runtime owns it; a policy
   changes only MARK.  */
struct ummgr_object_mark
{
  struct ummgr_object_view *prev, *next;	/* A list of the policy's.  */
  uint64_t last_use;
  uint64_t score;
  void *record;			/* What the policy has of its own for it.  */
  bool copies;			/* It is to be read-mostly,  */
  bool host_writes;		/* and the host may write it before the next region.  */
};

/* What a device has of an object: [LO, HI) is in PLACE, the rest on the host.  */
struct ummgr_placed
{
  enum ummgr_place place;
  size_t lo, hi;
};

struct ummgr_object_view
{
  uint64_t id;
  uintptr_t base;		/* The host address.  */
  size_t size;			/* Bytes.  */
  int device;
  enum ummgr_data_path path;
  bool plain;			/* All of it is in memory that is the device's alone:
				   what leaves is copied.  */
  bool pinned;			/* Must not move: its address got out, or it
				   shares pages with others.  */
  bool devices;			/* Unified, and the host doesn't touch it: omp_target_alloc's.  */
  unsigned running;		/* Regions that use it right now.  */
  const struct ummgr_placed *placed;	/* Of its copy on DEVICE.  */
  uint64_t ahead;		/* When it comes into being: bytes that its construct is yet to map, and
				   that have their place first.  */
  struct ummgr_object_mark mark;
  /* Unified: constructs mapped it, and none does any more; until one uses it again.  */
  bool over;
  /* What devices have of it, for those who carry decisions out
     (memory/execute.h).  */
  struct ummgr_copy *copies;
  /* The variable by which a region first used it, as in the source; NULL: not
     known, or nobody reads reasons.  As long-lived as the policy's state.  */
  const char *name;
};

enum { UMMGR_REGION_LOOPS = 4 };

struct ummgr_region_view
{
  uint64_t region;		/* Its number, from 1, in the order in which regions
				   first ran: the same each time, in a replay, too. */
  const char *name;
  uint64_t invocation;		/* Of this region, from 1.  */
  uint64_t sequence;		/* Of all regions on the device, from 1.  */
  int device;
  /* One for each object of the call, in their order; NULL: nothing is known of
     any.  */
  const struct ummgr_hint *hints;
  uint64_t trip;		/* Iterations that are shared out; 0: not known.  */
  /* The loops that it is in, the innermost first, as far as their turns use the same memory and are known
     (hints/turns.h); and the number of the innermost in any case, 0: it is in none.  */
  uint64_t loop;
  unsigned loop_count;
  struct ummgr_region_loop
  {
    double turns;		/* Launches like it, it included, that the loop has from it on.  */
    uint64_t number;		/* Of those that begin later it is greater.  */
  } loops[UMMGR_REGION_LOOPS];
  /* Of its objects the one that is best there before all others, as its launches come in slices; NULL: by rank.  */
  const struct ummgr_object_view *first;
  double took;			/* Seconds, when it has ended; 0: not known.  */
  bool apart;			/* It may go on when it has ended (nowait).  */
};

/* One decision about [LO, HI) of OBJECT as DEVICE has it.  REASON is a string that outlives
   the plan (a literal, or the policy's own).  An empty range moves nothing: it
   says why the object stays where it is.  */
struct ummgr_decision
{
  struct ummgr_object_view *object;
  int device;
  size_t lo, hi;
  enum ummgr_place place;
  enum ummgr_transfer transfer;
  /* Of managed memory on the device: who reads it gets a copy, so that the host keeps what it
     has.  Until a decision about the same range says otherwise.  */
  bool copies;
  /* Of one that begins on the device as a whole: best in memory that is the device's alone,
     until some of it has to leave.  */
  bool plain;
  const char *reason;
};

struct ummgr_plan
{
  struct ummgr_decision *decisions;
  size_t count;
  size_t capacity;
};

/* Append, for the object's device; false without memory.  Decisions that make room come before those
   that fill it: they are applied in order.  */
bool ummgr_plan_add (struct ummgr_plan *plan, struct ummgr_object_view *object,
		     size_t lo, size_t hi, enum ummgr_place place,
		     enum ummgr_transfer transfer, const char *reason);

/* How finely memory is divided: objects as a whole; any range of any number
   of them; as SC'19 section 3.4 has it, the first part of one; or as the policy's
   paper describes it: in ranges under rdm, whose part it is there, else whole.  */
enum ummgr_partial
{
  UMMGR_PARTIAL_OFF,
  UMMGR_PARTIAL_ON,
  UMMGR_PARTIAL_PAPER,
  UMMGR_PARTIAL_POLICY
};

struct ummgr_policy_config
{
  int device;
  uint64_t budget;		/* Bytes that objects may take on the device. */
  const char *transfer;		/* Options of the same names.  */
  enum ummgr_partial partial;
  bool explain;			/* Somebody reads the reasons.  */
  bool discards;		/* What is of no use need not move (device/device.h, discard).  */
  /* Parts of objects begin and end at multiples of this power of 2: what the
     driver gives device memory to, and evicts, at once.  0: 64K.  */
  uint64_t unit;
  uint64_t granule;		/* Of the last of an object all that a multiple of this holds; 0: not known.  */
  /* Bytes that could be sent in the time that one fault takes, and the faults
     that bring all of a unit by demand, one place after the other.  0: not known,
     or nothing comes by demand, and policies don't weigh the one against the
     other.  */
  uint64_t fault_bytes;
  unsigned unit_faults;
  /* Seconds: of any launch; of an access to the device's memory; of a byte over the link, and of one that is
     sent.  0: not known.  */
  double launch_seconds, access_seconds, remote_seconds, sent_seconds;
  double threads;		/* In flight, at most (ummgr_figures_threads).  */
};

/* Of a device with TOTAL bytes, how many are not for objects.  */
uint64_t ummgr_policy_reserve (uint64_t total);

/* What a device has for objects, in bytes.  */
struct ummgr_budget
{
  uint64_t room;		/* Nobody else's but libgomp's.  */
  uint64_t reserve;		/* Of those, at least, that are not for objects. */
  uint64_t libgomp;		/* That libgomp has.  */
  uint64_t slices;		/* For what comes in and leaves while a region runs
				   (split/stream.h).  */
};
uint64_t ummgr_budget_bytes (const struct ummgr_budget *budget);
/* Of the room, what is not for objects.  */
uint64_t ummgr_budget_aside (const struct ummgr_budget *budget);

/* Libgomp has LIBGOMP bytes now; false if that changes too little to count.  */
bool ummgr_budget_look (struct ummgr_budget *budget, uint64_t libgomp);

/* What a policy's configuration is made from.  */
struct ummgr_policy_given
{
  int device;
  const struct ummgr_figures *figures;	/* The device's.  */
  struct ummgr_budget budget;
  const char *transfer, *partial; /* Options of the same names; PARTIAL NULL: "policy".  */
  bool by_demand;		/* Data may come so: not in plain copies.  */
  bool explain, discards;	/* The configuration's.  */
};

struct ummgr_policy_config
ummgr_policy_configure (const struct ummgr_policy_given *given);

struct ummgr_policy_ops
{
  const char *name;
  const char *description;
  const char *source;		/* Paper and section.  */

  /* True if the policy leaves mapped objects and omp_target_alloc to
     libgomp altogether (`explicit`).  */
  bool passive;

  /* True if what it sends as a whole when it is mapped is best in plain device memory,
     until some of it has to leave.  */
  bool plain;

  /* True if plain copies may stay when their mapping ends (memory/kept.h).  */
  bool keeps;

  /* True if what a construct alone maps may go in slices straight from the program's memory where there is no room
     for it (split/straight.h).  */
  bool slices;

  /* True if memory that host and devices may share is best shared where it doesn't fit (memory/unify.h), and goes home
     when the last construct that brings it back ends (memory/plan.h).  */
  bool shares;

  /* True if it reads how long regions took, and of how many iterations (struct ummgr_region_view).  */
  bool times;

  /* True if it reads hints: only then are they worked out before a region
     begins.  */
  bool hints;

  /* State for each device: STATE_SIZE zeroed bytes, then init; fini before
     they are freed.  Both may be NULL.  */
  size_t state_size;
  enum ummgr_status (*init) (void *state,
			     const struct ummgr_policy_config *config);
  void (*fini) (void *state);

  /* A construct is about to map BYTES that the device doesn't have yet.  May be
     NULL.  */
  void (*on_construct) (void *state, uint64_t bytes);

  /* OBJECT is about to come into being on the device (first map, or
     allocation).  The one decision added says how it starts; its PLACE is
     also what UMMGR_PATH_MAPPED objects are given as storage.  */
  void (*on_map) (void *state, struct ummgr_object_view *object,
		  struct ummgr_plan *plan);

  /* A region is about to run and uses OBJECTS[0..COUNT).  Decisions may name
     any object on the device, those that are pinned or running excepted.  */
  void (*on_region_begin) (void *state, const struct ummgr_region_view *region,
			   struct ummgr_object_view *const *objects,
			   size_t count, struct ummgr_plan *plan);

  /* It ended; may be NULL.  Decisions may name its objects.  */
  void (*on_region_end) (void *state, const struct ummgr_region_view *region,
			 struct ummgr_object_view *const *objects,
			 size_t count, struct ummgr_plan *plan);

  /* OBJECT is about to go; drop every reference to it.  May be NULL.  */
  void (*on_unmap) (void *state, struct ummgr_object_view *object);

  /* An allocation of BYTES failed: name what should leave (decisions with
     PLACE_HOST).  May be NULL.  */
  void (*on_pressure) (void *state, size_t bytes, struct ummgr_plan *plan);

  /* Objects may take BUDGET bytes from now on; name what should leave for that.
     May be NULL.  */
  void (*on_budget) (void *state, uint64_t budget, struct ummgr_plan *plan);
};

/* [LO, HI) of an object of SIZE is in PLACE now.  Not for policies: for those who carry
   out their decisions.  */
void ummgr_placed_change (struct ummgr_placed *placed, size_t size, size_t lo,
			  size_t hi, enum ummgr_place place);

/* By name, or NULL; and all of them, ended by NULL.  */
const struct ummgr_policy_ops *ummgr_policy_find (const char *name);
extern const struct ummgr_policy_ops *const ummgr_policy_all[];
