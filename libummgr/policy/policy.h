/* The interface between policies and the runtime.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A policy reads objects and regions and writes a plan; memory/plan.c applies it.
   A policy moves no data, calls no driver, takes no lock: the runtime holds
   the manager's lock around every slot, so a policy can be tested with no
   device at all.  One policy is one file.  */

#ifndef UMMGR_POLICY_H
#define UMMGR_POLICY_H

#include "device/figures.h"
#include "base/status.h"

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
};

struct ummgr_object_view
{
  uint64_t id;
  uintptr_t base;		/* The host address.  */
  size_t size;			/* Bytes.  */
  int device;
  enum ummgr_data_path path;
  bool pinned;			/* Must not move: its address got out, or it
				   shares pages with others.  */
  unsigned running;		/* Regions that use it right now.  */
  enum ummgr_place place;	/* Of [placed_lo, placed_hi); the rest is
				   HOST.  */
  size_t placed_lo, placed_hi;
  struct ummgr_object_mark mark;
  /* The variable by which a region first used it, as in the source; NULL: not
     known, or nobody reads reasons.  As long-lived as the policy's state.  */
  const char *name;
};

/* What is known of one object's use in one launch, from the compiler's tables
   and from what was seen so far (hints/hints.h fills it).  SC'19 section 4; design
   section 4.  */
struct ummgr_hint
{
  /* Of the fields below; what is not known is 0 (or -1, where it says so).  */
  bool known;
  bool read, write;
  bool overwritten;		/* Fully, before it is read.  */
  bool estimated;		/* Locality and density are estimates.  */
  double locality;		/* RL: accesses in this launch.  */
  double density;		/* Accessed bytes by the object's size; each
				   byte counts once.  -1: not known.  */
  double density_most;		/* What it can be at most, where a guess at how
				   often something happens is in it that nothing
				   stands behind; else it is no more.  */
  double density_sc19;		/* As SC'19 section 4.2 has it: bytes per
				   iteration by trip count by size; may be above
				   1.  -1: not known.  */
  uint64_t lo, hi;		/* The range that is accessed, bytes; 0, 0: not
				   known, all of it.  */
  double global_locality;	/* GL: the sum of RF by RL over regions.  */
  /* Region invocations until the next use of the object (1: the next region);
     INFINITY: never again; -1: not known.  */
  double reuse_static;		/* SC'19 section 4.3, from the flow graph: what
				   is expected on average.  */
  double reuse_likely;		/* From there, too: one whole number that is
				   right as often as can be (flow/flow.h).  0: not
				   known.  */
  double reuse_seen;		/* From the sequence of this run.  */
  const char *reason;		/* Why something is not known; or NULL.  */
  /* DENSITY is what the run has shown of data-dependent accesses: of what is not
     on the device yet, in what the driver moves (hints/data.h).  */
  bool corrected;
  double density_static;	/* The compiler's, if CORRECTED.  */
  const char *name;		/* The variable, as in the source; or NULL.  */
  double density_program;	/* As DENSITY, of all launches that use the
				   object together; -1: not known.  */
  double scatter;		/* Where only some iterations use the object:
				   the places of it, in what the driver moves,
				   that one such iteration goes to; or 0.  */
  /* Bytes that the device reads and writes over the link if the object stays on
     the host, each page of what is accessed once.  0: not known.  */
  double remote;
  double remote_most;		/* What it can be at most, where guesses are at
				   their worst, and no cache keeps what is accessed
				   again; INFINITY: nobody knows.  */
  double remote_program;	/* In all launches that use the object.  */
  /* What comes between this launch and the next that uses the object.  */
  bool host_known;		/* Else what follows is the worst.  */
  bool host_reads, host_writes;	/* The host may.  */
  bool dead;			/* Nobody reads what the region leaves there. */
  double host_next;		/* How probable it is that the host goes over
				   the object first.  */
};

struct ummgr_region_view
{
  const void *host_function;
  const char *name;
  uint64_t invocation;		/* Of this region, from 1.  */
  uint64_t sequence;		/* Of all regions on the device, from 1.  */
  int device;
  /* One for each object of the call, in their order; NULL: nothing is known of
     any.  */
  const struct ummgr_hint *hints;
};

/* One decision about [LO, HI) of OBJECT.  REASON is a string that outlives
   the plan (a literal, or the policy's own).  An empty range moves nothing: it
   says why the object stays where it is.  */
struct ummgr_decision
{
  struct ummgr_object_view *object;
  size_t lo, hi;
  enum ummgr_place place;
  enum ummgr_transfer transfer;
  const char *reason;
};

struct ummgr_plan
{
  struct ummgr_decision *decisions;
  size_t count;
  size_t capacity;
};

/* Append; false without memory.  Decisions that make room come before those
   that fill it: they are applied in order.  */
bool ummgr_plan_add (struct ummgr_plan *plan, struct ummgr_object_view *object,
		     size_t lo, size_t hi, enum ummgr_place place,
		     enum ummgr_transfer transfer, const char *reason);

/* How finely memory is divided: objects as a whole; any range of any number
   of them; or, as SC'19 section 3.4 has it, the first part of one.  */
enum ummgr_partial
{
  UMMGR_PARTIAL_OFF,
  UMMGR_PARTIAL_ON,
  UMMGR_PARTIAL_PAPER
};

struct ummgr_policy_config
{
  int device;
  uint64_t budget;		/* Bytes that objects may take on the device. */
  const char *transfer;		/* Options of the same names.  */
  enum ummgr_partial partial;
  bool explain;			/* Somebody reads the reasons.  */
  /* Parts of objects begin and end at multiples of this power of 2: what the
     driver gives device memory to, and evicts, at once.  0: 64K.  */
  uint64_t unit;
  /* Bytes that could be sent in the time that one fault takes, and the faults
     that bring all of a unit by demand, one place after the other.  0: not known,
     or nothing comes by demand, and policies don't weigh the one against the
     other.  */
  uint64_t fault_bytes;
  unsigned unit_faults;
};

/* Of a device with TOTAL bytes, how many are not for objects.  */
uint64_t ummgr_policy_reserve (uint64_t total);

/* Set what CONFIG says of the device, from its FIGURES.  */
void ummgr_policy_configure (struct ummgr_policy_config *config,
			     const struct ummgr_figures *figures);

struct ummgr_policy_ops
{
  const char *name;
  const char *description;
  const char *source;		/* Paper and section.  */

  /* True if the policy leaves mapped objects and omp_target_alloc to
     libgomp altogether (`explicit`).  */
  bool passive;

  /* True if it reads hints: only then are they worked out before a region
     begins.  */
  bool hints;

  /* State for each device: STATE_SIZE zeroed bytes, then init; fini before
     they are freed.  Both may be NULL.  */
  size_t state_size;
  enum ummgr_status (*init) (void *state,
			     const struct ummgr_policy_config *config);
  void (*fini) (void *state);

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

/* [LO, HI) of VIEW is in PLACE now.  Not for policies: for those who carry out
   their decisions.  */
void ummgr_object_placed (struct ummgr_object_view *view, size_t lo, size_t hi,
			  enum ummgr_place place);

/* By name, or NULL; and all of them, ended by NULL.  */
const struct ummgr_policy_ops *ummgr_policy_find (const char *name);
extern const struct ummgr_policy_ops *const ummgr_policy_all[];

#endif
