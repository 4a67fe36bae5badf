/* What the warps of a launch do, in few bytes: taken down, and gone through again.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What a source (gpu.h) says of a warp, each time that it is asked, is an entry:

     2 * B + 1	  what follows has B bytes, and is a step:
       work	  instructions behind the accesses
       access*	  one after another, as far as B goes
     2 * B	  or a barrier:
       which, warps, passed, waits  as struct ummgr_gpu_barrier has it

   Warps meet at barriers as they did, also where one that has waited for another by asking
   memory comes there too soon.  A team's steps are those of its warps, one after another: how many bytes, and entries.
   If they are many they come in parts, each of which has a part of every warp's.

   Numbers are LEB128, signed ones zigzag.  A warp's entries go on from one another: they
   hold streams of accesses that look alike, each with where its last one was, and how far
   that was from the one before:

     0x00 .. 0x3e  the next of that stream, as far on as its last
     0x40 .. 0x7e  the next of that stream (less 0x40); how far on follows
     0x7f	   a stream begins, in the place of the oldest where there are 63: kind + 4 *
		   joins + 8 if lanes and stride follow + 16 if more does, size, these,
		   instructions since the access before, and how far on from that the
		   address is

   So loops are the same bytes again and again, which a trace's compression makes vanish,
   and teams that do the same in two launches have the same bytes.  */

#pragma once

#include "gpu/gpu.h"

#pragma GCC visibility push(hidden)

enum
{
  UMMGR_GPU_ENTRY = 64,		/* Accesses of one, at most.  */
  UMMGR_GPU_ENTRY_BYTES = 2048	/* At most.  */
};

/* --- taking down ---------------------------------------------------------------- */

/* Accesses that look alike.  */
struct ummgr_gpu_stream
{
  uint64_t last;
  int64_t step;
  uint32_t work;		/* Instructions since the access before, itself among them.  */
  int32_t stride;
  uint8_t size, lanes, more, flags;
};

enum { UMMGR_GPU_STREAMS = 63 };

/* Of a warp: zeroed before its first entry.  */
struct ummgr_gpu_coder
{
  uint64_t last;		/* The access before.  */
  uint32_t issued;		/* Instructions up to there.  */
  unsigned begun, current;	/* Streams that have begun; the last one's place.  */
  struct ummgr_gpu_stream stream[UMMGR_GPU_STREAMS];
  uint8_t next[UMMGR_GPU_STREAMS]; /* That came behind it the last time.  */
};

/* Write the entry for STEP to TO; for a barrier.  The end.  */
unsigned char *ummgr_gpu_steps_put (unsigned char *to, struct ummgr_gpu_coder *coder,
				    const struct ummgr_gpu_step *step);
unsigned char *ummgr_gpu_steps_put_barrier (unsigned char *to,
					    const struct ummgr_gpu_barrier *barrier);

/* --- going through ---------------------------------------------------------------- */

/* A part of a team's steps, which several launches may have.  */
struct ummgr_gpu_part;

/* Of SIZE bytes, which are copied; one user has it.  NULL without memory.  */
struct ummgr_gpu_part *ummgr_gpu_part_create (const void *bytes, size_t size);
struct ummgr_gpu_part *ummgr_gpu_part_use (struct ummgr_gpu_part *p);
/* A user has it no more; the last one's goodbye frees it.  NULL is ignored.  */
void ummgr_gpu_part_leave (struct ummgr_gpu_part *p);

struct ummgr_gpu_steps;

/* Of a launch of SHAPE; NULL without memory.  */
struct ummgr_gpu_steps *ummgr_gpu_steps_create (const struct ummgr_device_shape *shape);
void ummgr_gpu_steps_destroy (struct ummgr_gpu_steps *s);

/* Bytes of memory that this takes; that it has besides parts, and that it takes as a source, at most.  */
uint64_t ummgr_gpu_steps_least (const struct ummgr_device_shape *shape);
uint64_t ummgr_gpu_steps_memory (const struct ummgr_gpu_steps *s);

/* The next part of TEAM's steps, of which S is a user now.  False without memory.  */
bool ummgr_gpu_steps_add (struct ummgr_gpu_steps *s, uint32_t team, struct ummgr_gpu_part *p);

/* The launch's source, from its begin; O has the machine.  Again after it has run.  What is
   no entry ends its warp.  False without memory.  */
bool ummgr_gpu_steps_source (struct ummgr_gpu_steps *s, struct ummgr_gpu_options *o);

#pragma GCC visibility pop
