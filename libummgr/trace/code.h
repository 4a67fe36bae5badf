/* Coding records into a trace's raw bytes and back.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Accesses are coded against what came before in the same chunk.  A slot
   holds one stream of accesses that look alike (object, size, kind, stride
   and count, and offset modulo size): where the last one was and how far it
   was from the one before.  The actor is who accesses: launch, team, thread.
   Both sides keep the same slots and the same actor:

     0x00 .. 0x3e   the next access of that slot, as far on as the last
     0x3f N	    the same for slot N
     0x40 .. 0x7d D the next access of that slot (less 0x40), D sizes on
     0x7e N D	    the same for slot N
     0x7f	    another actor: as far on as the last change was
     TAG_SLOT	    defines the next slot, and is its first access
     TAG_ACTOR	    another actor, by its difference in each part
     TAG_RESET	    a chunk begins: no slots, and the actor is 0, 0, 0

   Regular code becomes a periodic sequence of single bytes, which zstd
   makes vanish.  Slots are numbered as they are defined, and reused in that
   order when all are taken.

   Nothing here allocates, locks or prints.  */

#pragma once

#include "trace/bytes.h"
#include "trace/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of the format: both sides count slots modulo this.  */
#define UMMGR_TRACE_SLOTS 1024

/* States of a word: a byte.  */
#define UMMGR_TRACE_STATES_MAX 256

enum ummgr_trace_operation
{
  UMMGR_TRACE_OP_NEXT_FAR = 0x3f,
  UMMGR_TRACE_OP_STEP = 0x40,
  UMMGR_TRACE_OP_STEP_FAR = 0x7e,
  UMMGR_TRACE_OP_ACTOR = 0x7f,
  UMMGR_TRACE_OP_TAG = 0x80,

  /* Tags beside those of enum ummgr_trace_kind.  */
  UMMGR_TRACE_TAG_SLOT = 64,
  UMMGR_TRACE_TAG_ACTOR = 65,
  UMMGR_TRACE_TAG_RESET = 66
};

/* Bytes that the coding of one access takes at most, changes of actor and
   slot included; and of any other record.  */
#define UMMGR_TRACE_ACCESS_ROOM 128u
#define UMMGR_TRACE_RECORD_ROOM (4 * (UMMGR_TRACE_STRING_MAX + 8) + 256)

/* An access, short: where and by which team, and which slot says the rest.  */
struct ummgr_trace_point
{
  uint64_t offset;
  uint32_t slot;
  uint32_t team;
};

struct ummgr_trace_slot
{
  uint64_t object;
  uint64_t last;		/* Offset of the last access.  */
  int64_t step;			/* From the one before, in bytes.  */
  int64_t stride;
  uint64_t count;
  uint32_t size;
  uint32_t phase;		/* Offset modulo size; the encoder's.  */
  uint8_t access;
};

struct ummgr_trace_actor
{
  uint64_t launch;
  uint32_t team, thread;
};

struct ummgr_trace_encoder
{
  uint64_t defined;		/* Slots since the chunk began.  */
  struct ummgr_trace_actor actor, actor_step;
  struct ummgr_trace_slot slots[UMMGR_TRACE_SLOTS];
  uint16_t find[4 * UMMGR_TRACE_SLOTS]; /* Slot by hash; may be stale.  */
};

/* Begin a chunk at TO; the new end.  Any struct will do, if it was zeroed
   once.  */
unsigned char *ummgr_trace_encode_reset (struct ummgr_trace_encoder *encoder,
					 unsigned char *to);

/* Append ACCESS (count and size at least 1, stride 0 if count is 1) at TO,
   which has room for UMMGR_TRACE_ACCESS_ROOM; the new end.  */
unsigned char *
ummgr_trace_encode_access (struct ummgr_trace_encoder *encoder,
			   const struct ummgr_trace_access *access,
			   unsigned char *to);

/* Append any other record at TO, which has room for UMMGR_TRACE_RECORD_ROOM;
   the new end.  RECORDS and ACCESSES are stored with UMMGR_TRACE_END: how
   many records stand before it, and how many accesses they are, runs counted
   in full.  */
unsigned char *
ummgr_trace_encode_record (const struct ummgr_trace_record *record,
			   uint64_t records, uint64_t accesses,
			   unsigned char *to);

/* What a record of facts points to, while it is the current one.  */
struct ummgr_trace_arrays
{
  struct ummgr_trace_state states[UMMGR_TRACE_STATES_MAX];
  struct ummgr_trace_cells runs[UMMGR_TRACE_CELLS_MAX];
};

struct ummgr_trace_decoder
{
  struct ummgr_trace_cursor in;
  uint64_t defined;
  struct ummgr_trace_actor actor, actor_step;
  uint64_t epoch;		/* Changes when a slot's meaning does.  */
  uint64_t unknown;		/* Records skipped, since the decoder was
				   zeroed.  */
  uint64_t end_records, end_accesses; /* What the end record says.  */
  struct ummgr_trace_slot slots[UMMGR_TRACE_SLOTS];
  struct ummgr_trace_arrays arrays;
};

/* Begin a block: SIZE bytes at RAW, which stay until it is decoded; strings
   point into them.  */
void ummgr_trace_decode_begin (struct ummgr_trace_decoder *decoder,
			       const void *raw, size_t size);

/* The next record: 1 and *RECORD; 0 at the end of the block; -1 if the bytes
   are no records, with in.at near the place.  */
int ummgr_trace_decode (struct ummgr_trace_decoder *decoder,
			struct ummgr_trace_record *record);

/* The next accesses that are of one launch, *LAUNCH, and use no slot in two
   meanings: up to ROOM of them, in POINTS.  0 if something else is next, which
   ummgr_trace_decode tells.  */
size_t ummgr_trace_decode_points (struct ummgr_trace_decoder *decoder,
				  struct ummgr_trace_point *points,
				  size_t room, uint64_t *launch);

/* Is TAG a kind whose payload is trace/payload.c's: none of accesses, the end
   and those that are not known?  */
static inline bool
ummgr_trace_has_payload (unsigned tag)
{
  return tag >= UMMGR_TRACE_RUN && tag <= UMMGR_TRACE_FAULTS
	 && tag != UMMGR_TRACE_ACCESS;
}

/* The payload of a record other than an access (trace/payload.c), with its
   arrays in ARRAYS.  False for a kind that is not known.  Counts that don't
   fit make IN bad.  */
bool ummgr_trace_payload_get (struct ummgr_trace_cursor *in, unsigned tag,
			      struct ummgr_trace_record *record,
			      struct ummgr_trace_arrays *arrays);
unsigned char *
ummgr_trace_payload_put (const struct ummgr_trace_record *record,
			 unsigned char *to);
