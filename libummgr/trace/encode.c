/* Coding records into a trace's raw bytes.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What can be predicted costs one byte.  The slots are the encoder's; it
   does no output, and knows no blocks or files.  */

#include "config.h"
#include "trace/code.h"

unsigned char *
ummgr_trace_encode_reset (struct ummgr_trace_encoder *encoder,
			  unsigned char *to)
{
  /* Stale slots and hashes do no harm: DEFINED says which count.  */
  encoder->defined = 0;
  encoder->actor = encoder->actor_step = (struct ummgr_trace_actor) { 0 };
  *to++ = UMMGR_TRACE_OP_TAG + UMMGR_TRACE_TAG_RESET;
  *to++ = 0;
  return to;
}

static unsigned char *
put_actor (struct ummgr_trace_encoder *encoder,
	   const struct ummgr_trace_access *access, unsigned char *to)
{
  struct ummgr_trace_actor step
      = { access->launch - encoder->actor.launch,
	  access->team - encoder->actor.team,
	  access->thread - encoder->actor.thread };
  encoder->actor = (struct ummgr_trace_actor) { access->launch, access->team,
						access->thread };
  const struct ummgr_trace_actor *last = &encoder->actor_step;
  if (step.launch == last->launch && step.team == last->team
      && step.thread == last->thread)
    {
      *to++ = UMMGR_TRACE_OP_ACTOR;
      return to;
    }
  encoder->actor_step = step;
  unsigned char *start = to;
  to = ummgr_trace_put_signed (to + 2, step.launch);
  to = ummgr_trace_put_signed (to, (int32_t) step.team);
  to = ummgr_trace_put_signed (to, (int32_t) step.thread);
  start[0] = UMMGR_TRACE_OP_TAG + UMMGR_TRACE_TAG_ACTOR;
  start[1] = to - start - 2;
  return to;
}

/* OFFSET modulo SIZE; nearly all sizes are powers of two.  */
static inline uint32_t
phase_of (uint64_t offset, uint32_t size)
{
  if (!(size & (size - 1)))
    return offset & (size - 1);
  return offset % size;
}

static inline unsigned
hash (const struct ummgr_trace_access *a, uint32_t phase)
{
  uint64_t h = a->object * 0x9e3779b97f4a7c15u + a->access;
  h ^= ((uint64_t) a->size << 32 | phase) * 0xc2b2ae3d27d4eb4fu;
  if (a->count != 1)
    h ^= (a->count + 31 * (uint64_t) a->stride) * 0x165667b19e3779f9u;
  h *= 0x9e3779b97f4a7c15u;
  return h >> 52;
}

static inline bool
same_kind (const struct ummgr_trace_slot *slot,
	   const struct ummgr_trace_access *a, uint32_t phase)
{
  return slot->object == a->object && slot->size == a->size
	 && slot->access == a->access && slot->phase == phase
	 && slot->count == a->count && slot->stride == a->stride;
}

static unsigned char *
put_slot (struct ummgr_trace_encoder *encoder,
	  const struct ummgr_trace_access *a, uint32_t phase, unsigned bucket,
	  unsigned char *to)
{
  unsigned index = encoder->defined++ % UMMGR_TRACE_SLOTS;
  encoder->find[bucket] = index;
  encoder->slots[index] = (struct ummgr_trace_slot) {
    .object = a->object, .last = a->offset,
    /* A row of a matrix is often followed by the next.  */
    .step = a->count == 1 ? (int64_t) a->size
	    : (int64_t) (a->count * (uint64_t) a->stride),
    .stride = a->stride, .count = a->count, .size = a->size,
    .phase = phase, .access = a->access
  };
  unsigned char *start = to;
  to = ummgr_trace_put (to + 2, a->object);
  to = ummgr_trace_put (to, a->offset);
  to = ummgr_trace_put (to, a->size);
  to = ummgr_trace_put (to, a->access);
  to = ummgr_trace_put (to, a->count);
  to = ummgr_trace_put_signed (to, a->stride);
  start[0] = UMMGR_TRACE_OP_TAG + UMMGR_TRACE_TAG_SLOT;
  start[1] = to - start - 2;
  return to;
}

/* The difference in sizes: exact, as both offsets have the slot's phase. */
static inline int64_t
in_sizes (int64_t step, uint32_t size)
{
  if (!(size & (size - 1)))
    return step >> __builtin_ctz (size);
  return step / (int64_t) size;
}

unsigned char *
ummgr_trace_encode_access (struct ummgr_trace_encoder *encoder,
			   const struct ummgr_trace_access *access,
			   unsigned char *to)
{
  if (access->thread != encoder->actor.thread
      || access->team != encoder->actor.team
      || access->launch != encoder->actor.launch)
    to = put_actor (encoder, access, to);

  uint32_t phase = phase_of (access->offset, access->size);
  unsigned bucket = hash (access, phase);
  unsigned index = encoder->find[bucket];
  struct ummgr_trace_slot *slot = &encoder->slots[index];
  int64_t step = access->offset - slot->last;
  /* Beyond a signed 64-bit distance a step of odd sizes is not exact.  */
  if (index >= encoder->defined || !same_kind (slot, access, phase)
      || (step < 0) != (access->offset < slot->last))
    return put_slot (encoder, access, phase, bucket, to);

  slot->last = access->offset;
  if (step == slot->step)
    {
      if (index < UMMGR_TRACE_OP_NEXT_FAR)
	*to++ = index;
      else
	{
	  *to++ = UMMGR_TRACE_OP_NEXT_FAR;
	  to = ummgr_trace_put (to, index);
	}
      return to;
    }
  slot->step = step;
  if (index < UMMGR_TRACE_OP_STEP_FAR - UMMGR_TRACE_OP_STEP)
    *to++ = UMMGR_TRACE_OP_STEP + index;
  else
    {
      *to++ = UMMGR_TRACE_OP_STEP_FAR;
      to = ummgr_trace_put (to, index);
    }
  return ummgr_trace_put_signed (to, in_sizes (step, access->size));
}

unsigned char *
ummgr_trace_encode_record (const struct ummgr_trace_record *record,
			   uint64_t records, uint64_t accesses,
			   unsigned char *to)
{
  /* A length of three bytes, so that the payload need not be moved.  */
  unsigned char *start = to, *payload = to + 4;
  to = ummgr_trace_payload_put (record, payload);
  if (record->kind == UMMGR_TRACE_END)
    {
      to = ummgr_trace_put (to, records);
      to = ummgr_trace_put (to, accesses);
    }
  unsigned length = to - payload;
  start[0] = UMMGR_TRACE_OP_TAG + record->kind;
  start[1] = length | 0x80;
  start[2] = length >> 7 | 0x80;
  start[3] = length >> 14;
  return to;
}
