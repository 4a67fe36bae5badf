/* A launch: what is known of it before it runs, and what came for it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "hints/data.h"
#include "hints/hints.h"
#include "memory/mapping.h"
#include "memory/objects.h"
#include "memory/regions.h"
#include "policy/policy.h"
#include "tables/decode.h"

/* --- launch-data.c: hints that depend on data -------------------------------

   Decides from what the runtime knows of objects whether reading an array here
   moves nothing and shows what the device will see.  All under the manager's
   lock.  */

/* Launches with more arguments, or more objects, run without hints.  */
enum { UMMGR_LAUNCH_HINTS_MAX = 128 };

struct ummgr_launch_data
{
  struct ummgr_data_launch launch;
  /* Objects of which it matters what comes by demand.  */
  unsigned count;
  struct
  {
    struct ummgr_object *object;
    unsigned arg;
    double before;		/* The share that was on the device.  */
  } watched[UMMGR_LAUNCH_HINTS_MAX];
};

/* What may be read now, or is left, of each of CLAUSES, of which clause I is in
   OBJECTS[OBJECT[I]], or in none if that is negative.  */
void ummgr_launch_data_memory (const struct ummgr_clauses *clauses,
			       struct ummgr_object_view *const *objects, const int *object,
			       struct ummgr_code_memory *out);

/* Correct HINTS, one for each of REGION's arguments, with the same OBJECT.  */
void ummgr_launch_data_hints (const struct ummgr_table_region *region,
			      const struct ummgr_clauses *clauses,
			      struct ummgr_object_view *const *objects,
			      const int *object,
			      const struct ummgr_hint_extent *extents,
			      struct ummgr_hint *hints,
			      struct ummgr_launch_data *data);

/* The plan has been applied and the region is about to run; it has ended.  Its
   objects count as running in both.  */
void ummgr_launch_data_begin (struct ummgr_launch_data *data);
void ummgr_launch_data_end (struct ummgr_launch_data *data);

/* --- launch-members.c: what pointers in memory lead to ------------------------ */

/* MAPPING, a launch of REGION with CLAUSES, uses what its members lead to, as far as that is
   known.  The manager's lock is held, here and below.  */
void ummgr_launch_members_use (const struct ummgr_table_region *region,
			       const struct ummgr_clauses *clauses,
			       struct ummgr_mapping *mapping);

/* In which of OBJECTS[0..COUNT) each of REGION's members leads, and where in it.  False: not all
   are known, or there are others.  */
bool ummgr_launch_members (const struct ummgr_table_region *region,
			   const struct ummgr_clauses *clauses,
			   struct ummgr_object_view *const *objects, size_t count,
			   struct ummgr_hint_extent *extents, int *object);

/* --- launch-hints.c ---------------------------------------------------------- */

/* OBJECT[I]: in which of OBJECTS[0..COUNT) argument I of a launch of REGION with CLAUSES is,
   as many as it has; or -1.  */
void ummgr_launch_objects (const struct ummgr_table_region *region,
			   const struct ummgr_clauses *clauses,
			   struct ummgr_object_view *const *objects, size_t count,
			   int *object);

/* Give what a launch of REGION (NULL: the tables don't have it) with CLAUSES used the names by
   which it did: MANAGER's objects (NULL: it used none), also those that libgomp keeps, if they
   have none, and the recorder's.  Before it is unmapped, without the manager's lock.  */
void ummgr_launch_names (struct ummgr_manager *manager,
			 const struct ummgr_table_region *region,
			 const struct ummgr_clauses *clauses);

/* Fill OUT, one for each of OBJECTS, for a launch of REGION with CLAUSES, and
   DATA with what is to be watched of it.  False where nothing is known.  The
   manager's lock is held.  */
bool ummgr_launch_hints (const struct ummgr_table_region *region,
			 const struct ummgr_clauses *clauses,
			 struct ummgr_object_view *const *objects,
			 size_t count, struct ummgr_hint *out,
			 struct ummgr_launch_data *data);

/* --- launch-live.c: copies that a launch can go without ---------------------- */

/* Fill KINDS, of UMMGR_LAUNCH_HINTS_MAX, with those of the launch of REGION with
   CLAUSES, less the copies in of what the region overwrites, and less the copies
   back of what nobody reads after it.  False if that is none.  */
bool ummgr_launch_drop (const struct ummgr_table_region *region,
			const struct ummgr_clauses *clauses,
			unsigned short *kinds);

/* --- launch-spread.c: over all GPUs ------------------------------------------ */

struct ummgr_gpus_launch;
struct ummgr_pieces;

/* May launches of MANAGER's device go over several GPUs?  With --spread; the first time, all
   are made ready for it.  No lock is held.  */
bool ummgr_launch_spreads (struct ummgr_manager *manager);

/* Plan a launch of KNOWN, or NULL, whose data is mapped.  PIECES: in how many it can go, if in
   one, *WHY_P says why.  APART: others may run beside it.  *WHY_P becomes why it does not go
   over several GPUs, if it doesn't.  MANAGER's lock is held.  */
void ummgr_launch_spread (struct ummgr_manager *manager,
			  const struct ummgr_table_region *known,
			  const struct ummgr_clauses *clauses,
			  const struct ummgr_pieces *pieces, bool apart,
			  const char **why_p, struct ummgr_gpus_launch *out);

/* --- launch-apply.c: remedies that were asked for (--apply) ------------------- */

/* Is any asked for?  */
bool ummgr_launch_applies (void);

/* Give OBJECTS[0..COUNT), which a launch on their manager's device with CLAUSES uses, those that
   are for them; KNOWN is its region in the tables, or NULL.  The manager's lock is held.  */
void ummgr_launch_apply (const struct ummgr_table_region *known,
			 const struct ummgr_clauses *clauses,
			 struct ummgr_object_view *const *objects, size_t count);

/* --- launch-check.c: what the checker is told of a construct --------------------- */

/* In how: the clause has a construct of its own.  Above enum ummgr_check_map.  */
enum { UMMGR_LAUNCH_CHECK_OWN = 128 };

/* A construct that is checked.  */
struct ummgr_launch_check
{
  int device;
  struct ummgr_clauses clauses;	/* A copy: libgomp writes into those of the program.  */
  unsigned char *how;		/* Of each clause: enum ummgr_check_map and the above.  */
  void *memory;
  struct ummgr_launch_check *previous;
  size_t depth;		/* Of nested `target data'.  */
};

/* Before libgomp maps CLAUSES on DEVICE.  False, and nothing more is to be done, if nothing is
   checked.  No lock is held, here and below.  */
bool ummgr_launch_check_begin (struct ummgr_launch_check *check, int device,
			       const struct ummgr_clauses *clauses);
/* Map what a structured construct maps, for KNOWN or NULL: not for enter data.  */
void ummgr_launch_check_map (struct ummgr_launch_check *check,
			     const struct ummgr_table_region *known);
/* libgomp has mapped, or unmapped, all.  */
void ummgr_launch_check_tell (const struct ummgr_launch_check *check);
/* What was mapped is the data construct's alone from now on: `exit data' within it counts as ever.  */
void ummgr_launch_check_release (struct ummgr_launch_check *check);
/* The construct, or its data's, has ended.  */
void ummgr_launch_check_end (struct ummgr_launch_check *check);

/* --- launch-trace.c: what the trace and the simulated driver are told -------- */

/* Does DEVICE's driver replace pages by what the tables say?  */
bool ummgr_launch_told (int device);

/* Note for LAUNCH, the trace's number or 0, how REGION uses OBJECTS[0..COUNT), and
   tell the driver if it wants to know.
   HINTS are those that the policy got, or NULL: then they are worked out here.
   Takes MANAGER's lock.  */
void ummgr_launch_trace (uint64_t launch, struct ummgr_manager *manager,
			 const struct ummgr_region *region,
			 const struct ummgr_clauses *clauses,
			 struct ummgr_object_view *const *objects, size_t count,
			 const struct ummgr_hint *hints);
