/* An object in parts on several GPUs, as a launch over them wants it (placement/parts.h).
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The object stays one piece of managed memory, so that any GPU, and libgomp, finds all of
   it at its address: parts are prefetched to their GPUs, and what a GPU uses of another's it
   is advised to reach there.  What was laid stays so until a launch wants it otherwise, or
   the host has had it.

   The object's manager's lock is held; parts are numbered by the launch's GPUs.  */

#pragma once

#include "memory/objects.h"
#include "placement/parts.h"

/* What a launch runs on: COUNT GPUs by their numbers, at most UMMGR_PARTS_GPUS.  */
struct ummgr_gpus
{
  unsigned count;
  int device[UMMGR_PARTS_GPUS];
  uint64_t room[UMMGR_PARTS_GPUS]; /* Bytes that a launch may still have sent there.  */
  bool joined;			/* Each reaches the others' memory.  */
};

/* Have OBJECT, which is managed memory, lie as PARTS say: with NOW at once, else once what is
   used from afar is twice what is to be moved; where no launch has used it yet and such a one is
   expected AGAIN, as soon as the launch would use half as much.  What GPUs have no room for stays
   where it is.  Moves nothing that lies so already.  */
void ummgr_parts_lay (struct ummgr_object *object, const struct ummgr_parts *parts,
		      struct ummgr_gpus *gpus, bool now, bool again);

/* All GPUs that launches may go over, for good; what then is written by the driver before any
   launch has wanted it lies on them in equal parts, as most loops want it.  NULL: it doesn't.  */
void ummgr_parts_over (const struct ummgr_gpus *gpus);

/* From now on what is written so lies on the first of these alone, or, with ON false, on all.  Any
   thread.  */
void ummgr_parts_whole (bool on);

/* The driver is about to write all of OBJECT.  */
void ummgr_parts_begin (struct ummgr_object *object);

/* Host code has written or read OBJECT's memory: pages may have gone.  */
void ummgr_parts_moved (struct ummgr_object *object);

/* Copy [LO, HI) of OBJECT between the program's memory and the GPUs that have it, those with
   parts all at once: no page leaves them.  False, and nothing is done: no launch over GPUs has
   laid it, or, of a copy in, it is in no parts now.  LEFT is called for what a GPU can't
   copy.  */
bool ummgr_parts_copy (const struct ummgr_object *object, size_t lo, size_t hi, bool in,
		       void (*left) (const struct ummgr_object *object, size_t lo, size_t hi,
				     bool in));

/* Add to BYTES, of each of GPUS, what it has to get of OBJECT from others of them, or to use there,
   where PARTS are wanted; what the host has it gets from there.  */
void ummgr_parts_missing (const struct ummgr_object *object, const struct ummgr_parts *parts,
			  const struct ummgr_gpus *gpus, uint64_t *bytes);

/* Add to HELD what each of GPUS has of OBJECT, or, where the host has it, to SENT what each is to
   get as its own where PARTS are wanted.  */
void ummgr_parts_together (const struct ummgr_object *object, const struct ummgr_parts *parts,
			   const struct ummgr_gpus *gpus, uint64_t *held, uint64_t *sent);

/* The bytes that DEVICE has of OBJECT, as far as that is known.  */
uint64_t ummgr_parts_held (const struct ummgr_object *object, int device);
