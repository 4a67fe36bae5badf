/* The manager of one device: its policy, budget and objects.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Lock order: a manager's lock, then the unified table's, then libgomp's own
   device lock (taken inside its calls), then the object tables'.  What the
   shim calls under libgomp's lock never waits for a manager's.  */

#pragma once

#include "memory/objects.h"
#include "policy/policy.h"
#include "policy/reasons.h"

#include <pthread.h>

struct ummgr_manager
{
  int device;			/* libgomp's number and the driver's.  */
  pthread_mutex_t lock;		/* Guards all that follows.  */

  struct ummgr_executor executor; /* Of its policy.  */
  /* Leave new data to libgomp: the policy says so, or a CUDA call of ours
     failed.  Only ever becomes true.  Atomic.  */
  bool passive;
  struct ummgr_remote remote;	/* How launches get at what is not there.  */
  bool plain_copies;		/* Option copies=plain.  */
  bool plain_first;		/* What is sent as a whole when it is mapped is plain, and managed
				   memory when some of it has to leave.  */
  bool gone;			/* libgomp has closed the device.  */
  uint64_t budget;		/* What objects may take of the device.  */
  uint64_t taken;		/* Of that, what objects have storage for.  */
  const struct ummgr_clauses *mapping; /* That are being mapped, if the policy plans by constructs and
					  they may not fit; else NULL.  */
  struct ummgr_kept *kept;	/* Copies of what is mapped no more (kept.h); NULL: none are kept.  */
  struct ummgr_budget room;	/* What BUDGET was found from.  */
  uint64_t cap;			/* Of ROOM: by option --device-mem.  */
  struct ummgr_admission *admission; /* With other processes; NULL: there are none.  */
  uint64_t variables;		/* Of images; what came later is libgomp's.  */
  bool crowded;			/* It has much of its reserve: small data are
				   objects too.  */

  struct ummgr_objects mapped;	/* By host address.  */
  struct ummgr_objects placed;	/* The same, by device address.  */
  void *attached;		/* memory/attached.h's.  */
  uint64_t construct;		/* Number of the construct at hand.  */
  uint64_t sequence;		/* Regions begun; atomic.  */
  bool explain;			/* Somebody reads reasons and names.  */
  struct ummgr_reasons names;	/* Of variables.  */
  uintptr_t staging;		/* ummgr_manager_staging's, on the host; 0: there is none yet.  */
  bool stages;			/* Somebody has it; atomic.  */
};

/* The manager of libgomp's device DEVICE (which may be UMMGR_DEVICE_ICV), or
   NULL where ummgr has no part: the host, no such device, ummgr off.  Makes
   it at the first call, which initialises the device unless the policy is
   passive.  Must be called without any lock of ours.  */
struct ummgr_manager *ummgr_manager_for (int device);

/* The same, if it was made; never makes one.  */
struct ummgr_manager *ummgr_manager_existing (int device);

/* Make managed memory usable on MANAGER's device, which a passive policy has
   not done yet.  False if it has none.  Without its lock.  */
bool ummgr_manager_prepare (struct ummgr_manager *manager);

/* Before a construct maps its data, of which BYTES are new to the device, but for copies of KEPT bytes that stayed
   there (memory/kept.h): find the budget anew if libgomp's own memory, or what other processes have, is not what it
   was.  With the lock.  */
void ummgr_manager_look (struct ummgr_manager *manager, uint64_t bytes, uint64_t kept);

/* SIZE bytes of registered memory for copies to pass, always as many: one caller has them until they are given back,
   and they stay, since registering takes longer than most copies.  0: another has them, or there are none.  With the
   lock; given back with it or without.  */
uintptr_t ummgr_manager_staging (struct ummgr_manager *manager, size_t size);
void ummgr_manager_staged (struct ummgr_manager *manager);

/* A driver call of ours failed: leave new data to libgomp from now on.  */
void ummgr_manager_give_up (struct ummgr_manager *manager, const char *what);

/* libgomp closes DEVICE: account its objects and forget them.  Waits only
   briefly for the lock: a thread that exits may hold it.  False: another holds
   it still, and goes on to use the device, which has to stay.  */
bool ummgr_manager_close (int device);

/* All that were made, at the end.  */
void ummgr_manager_close_all (void);

/* Account all objects as they are now; the managers go on.  At an early end.  */
void ummgr_manager_account_all (void);

static inline bool
ummgr_manager_passive (const struct ummgr_manager *manager)
{
  return __atomic_load_n (&manager->passive, __ATOMIC_RELAXED);
}

/* Make and free a manager outside any device (unit tests).  */
struct ummgr_manager *ummgr_manager_new (int device,
					 const struct ummgr_policy_ops *policy,
					 const struct ummgr_policy_config *c);
void ummgr_manager_free (struct ummgr_manager *manager);
