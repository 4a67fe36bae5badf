/* Asking a policy about one device, and carrying out what it decides: in live runs
   (plan.h) and in replays (replay/policies.h).
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The caller's lock guards the executor, its policy's state and its objects.  Moves
   data by the slots of device/device.h alone.  */

#pragma once

#include "base/remedy.h"
#include "device/device.h"
#include "policy/policy.h"

struct ummgr_small_chunk;

/* What holds a device's copy of an object.  */
enum ummgr_storage
{
  UMMGR_STORAGE_LIBGOMP,	/* libgomp's own: known, but not ours.  */
  UMMGR_STORAGE_MANAGED,	/* Managed memory: pages move, the address
				   stays.  */
  UMMGR_STORAGE_PLAIN,		/* Device memory; moving changes the
				   address.  */
  UMMGR_STORAGE_PINNED,		/* Host memory that the device reaches; the
				   same.  */
  UMMGR_STORAGE_UNIFIED		/* The object itself is managed memory.  */
};

/* How far regions have gone with a copy.  */
enum ummgr_copy_state
{
  UMMGR_COPY_NEW,
  UMMGR_COPY_USED,
  UMMGR_COPY_WRITTEN		/* They may have.  */
};

/* A device's copy of an object.  */
struct ummgr_copy
{
  struct ummgr_device *device;
  struct ummgr_placed placed;
  struct ummgr_copy *next;	/* On another device.  */
  uintptr_t host;		/* Host address of the storage, or 0.  */
  uintptr_t address;		/* Device address of the storage.  */
  struct ummgr_small_chunk *chunk; /* That its storage shares with others; or
				      NULL (small.h).  */
  /* The construct that copied it in last; 0: none.  With STATE it tells whether its
     contents may be read (gomp/hooks/launch-data.c).  */
  uint64_t filled;
  enum ummgr_storage storage : 8; /* There are many objects.  */
  enum ummgr_copy_state state : 8;
  /* How what is placed on the device gets there: what demand brings is copied by
     whoever touches it.  */
  enum ummgr_transfer transfer : 8;
  /* A remedy says where it is to be: it is not a policy's to move.  */
  bool settled;
  /* What is placed on the device is read-mostly, as a policy wants it,  */
  bool copies;
  /* or all of it as a remedy says, which policies don't change.  */
  bool read_mostly;
  /* What it has is of no use: the region that is about to run overwrites all of it, or nobody reads what the last one
     has left there.  Then it need not move where it is to be.  */
  bool useless;
};

/* Bytes [LO, HI) of COPY's object, managed memory, that are to be on the device and were not so far.  */
struct ummgr_arrival
{
  const struct ummgr_copy *copy;
  size_t lo, hi;
};

struct ummgr_arrivals
{
  size_t count;
  struct ummgr_arrival at[16];
};

struct ummgr_executor
{
  const struct ummgr_policy_ops *policy;
  void *state;			/* The policy's.  */
  struct ummgr_plan plan;	/* Scratch.  */
  uint64_t decisions;		/* So far.  */
  bool paged;			/* Managed memory pages on demand.  */
  /* What leaves goes home now, and not as the driver needs its memory: another process waits for it.  */
  bool at_once;
  /* What is to come to the device is noted here, as far as there is room, and whoever gave this sends for it
     (ummgr_execute_arrive); NULL: it is sent for at once.  */
  struct ummgr_arrivals *arrivals;
  const struct ummgr_executor_ops *ops;
};

/* Of whoever it works for.  Each slot may be NULL.  */
struct ummgr_executor_ops
{
  /* The policy has decided COUNT times, in NS.  */
  void (*decided) (size_t count, uint64_t ns);

  /* DECISION was carried out, or STATUS says why not.  */
  void (*done) (const struct ummgr_decision *decision, enum ummgr_status status);

  /* Move an object whose COPY is no managed memory, if there is such; it may be managed
     memory then, all of it on the host.  */
  enum ummgr_status (*move) (struct ummgr_object_view *object,
			     struct ummgr_copy *copy, enum ummgr_place place);

  /* The device was told so, as the recorder is (record/record.h).  */
  void (*prefetched) (uint64_t address, size_t size, int device);
  void (*advised) (uint64_t address, size_t size, int device, unsigned advice);
};

/* Begin with POLICY as CONFIG has it, and OPS for none; false without
   memory.  */
bool ummgr_execute_init (struct ummgr_executor *executor,
			 const struct ummgr_policy_ops *policy,
			 const struct ummgr_policy_config *config);
void ummgr_execute_fini (struct ummgr_executor *executor);

/* How new OBJECT starts, which its policy is told of.  */
struct ummgr_decision ummgr_execute_map (struct ummgr_executor *executor,
					 struct ummgr_object_view *object);

/* The same for one that is managed memory by itself, and place it by DECISION.  */
void ummgr_execute_start (struct ummgr_executor *executor,
			  const struct ummgr_decision *decision);

void ummgr_execute_unmap (struct ummgr_executor *executor,
			  struct ummgr_object_view *object);

/* A region on OBJECTS[0..COUNT) begins or ends.  */
void ummgr_execute_begin (struct ummgr_executor *executor,
			  const struct ummgr_region_view *region,
			  struct ummgr_object_view *const *objects,
			  size_t count);
void ummgr_execute_end (struct ummgr_executor *executor,
			const struct ummgr_region_view *region,
			struct ummgr_object_view *const *objects, size_t count);

/* BYTES could not be allocated; objects may take BUDGET bytes; the host goes over
   OBJECT next; no construct maps OBJECT any more, which its policy has forgotten: it goes home.  */
void ummgr_execute_pressure (struct ummgr_executor *executor, size_t bytes);
void ummgr_execute_budget (struct ummgr_executor *executor, uint64_t budget);
void ummgr_execute_over (struct ummgr_executor *executor, struct ummgr_object_view *object);
void ummgr_execute_host_next (struct ummgr_executor *executor,
			      struct ummgr_object_view *object);

/* Send for what is to come.  */
void ummgr_execute_arrive (const struct ummgr_executor *executor, const struct ummgr_arrival *arrival);

static inline bool
ummgr_copy_is_managed (const struct ummgr_copy *copy)
{
  return copy->storage == UMMGR_STORAGE_MANAGED
    || copy->storage == UMMGR_STORAGE_UNIFIED;
}

/* Put [LO, HI) of OBJECT, as far as DEVICE has a copy, in PLACE, and say so in the
   copy.  UMMGR_ERR_UNSUPPORTED, without a message, if it can't move now, or shares
   pages with others (small.h).  */
enum ummgr_status ummgr_execute_place (struct ummgr_executor *executor,
				       struct ummgr_object_view *object,
				       int device, size_t lo, size_t hi,
				       enum ummgr_place place,
				       enum ummgr_transfer transfer);

/* As that, for a managed COPY, and without saying so.  */
enum ummgr_status ummgr_execute_managed (const struct ummgr_executor *executor,
					 const struct ummgr_copy *copy,
					 size_t lo, size_t hi,
					 enum ummgr_place place,
					 enum ummgr_transfer transfer);

/* Apply the remedy KIND to all of OBJECT, which is in managed memory of its own on DEVICE.
   UMMGR_ERR_UNSUPPORTED, without a message, if it is in other memory, or another remedy
   has said where it is to be.  */
enum ummgr_status ummgr_execute_remedy (struct ummgr_executor *executor,
					struct ummgr_object_view *object, int device,
					enum ummgr_remedy_kind kind);

/* [LO, HI) of a managed COPY to the host, which keeps what it has.  */
enum ummgr_status ummgr_execute_home (const struct ummgr_executor *executor,
				      const struct ummgr_copy *copy, size_t lo,
				      size_t hi);
