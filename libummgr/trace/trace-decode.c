/* Decoding a trace's raw bytes into records.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The bytes had the right checksum, but may still be anything: every read is
   bounded, every slot was defined, and sums wrap.  Knows no files.  */

#include "config.h"
#include "trace-code.h"

static void
forget_slots (struct ummgr_trace_decoder *decoder)
{
  decoder->defined = 0;
  decoder->epoch++;
  decoder->actor = decoder->actor_step = (struct ummgr_trace_actor) { 0 };
}

void
ummgr_trace_decode_begin (struct ummgr_trace_decoder *decoder,
			  const void *raw, size_t size)
{
  decoder->in = (struct ummgr_trace_cursor) {
    .at = raw, .end = (const unsigned char *) raw + size
  };
  forget_slots (decoder);
}

static inline void
fill (const struct ummgr_trace_decoder *decoder,
      const struct ummgr_trace_slot *slot, struct ummgr_trace_record *record)
{
  record->kind = UMMGR_TRACE_ACCESS;
  record->time = 0;
  record->u.access = (struct ummgr_trace_access) {
    .object = slot->object, .offset = slot->last, .stride = slot->stride,
    .count = slot->count, .launch = decoder->actor.launch,
    .size = slot->size, .team = decoder->actor.team,
    .thread = decoder->actor.thread, .access = slot->access
  };
}

static inline void
move_actor (struct ummgr_trace_decoder *decoder)
{
  decoder->actor.launch += decoder->actor_step.launch;
  decoder->actor.team += decoder->actor_step.team;
  decoder->actor.thread += decoder->actor_step.thread;
}

static bool
get_slot (struct ummgr_trace_decoder *decoder, struct ummgr_trace_cursor *in)
{
  struct ummgr_trace_slot slot = { 0 };
  slot.object = ummgr_trace_get (in);
  slot.last = ummgr_trace_get (in);
  uint64_t size = ummgr_trace_get (in);
  slot.access = ummgr_trace_get (in);
  slot.count = ummgr_trace_get (in);
  slot.stride = ummgr_trace_get_signed (in);
  slot.size = size;
  if (in->bad || !size || size > UINT32_MAX || !slot.count)
    return false;
  slot.step = slot.count == 1 ? (int64_t) slot.size
	      : (int64_t) (slot.count * (uint64_t) slot.stride);
  if (decoder->defined >= UMMGR_TRACE_SLOTS)
    decoder->epoch++;
  decoder->slots[decoder->defined++ % UMMGR_TRACE_SLOTS] = slot;
  return true;
}

static void
get_actor (struct ummgr_trace_decoder *decoder, struct ummgr_trace_cursor *in)
{
  decoder->actor_step.launch = ummgr_trace_get_signed (in);
  decoder->actor_step.team = ummgr_trace_get_signed (in);
  decoder->actor_step.thread = ummgr_trace_get_signed (in);
  move_actor (decoder);
}

/* An operation with a payload: 1 if it is a record, 0 if it only changed the
   state or is not known, -1 if it is wrong.  */
static int
decode_tagged (struct ummgr_trace_decoder *decoder, unsigned tag,
	       struct ummgr_trace_record *record)
{
  struct ummgr_trace_cursor *in = &decoder->in;
  uint64_t length = ummgr_trace_need (in);
  if (in->bad || length > (uint64_t) (in->end - in->at))
    return -1;
  struct ummgr_trace_cursor payload = { in->at, in->at + length, false };
  in->at += length;
  int result = 0;
  switch (tag)
    {
    case UMMGR_TRACE_TAG_RESET:
      forget_slots (decoder);
      break;
    case UMMGR_TRACE_TAG_ACTOR:
      get_actor (decoder, &payload);
      break;
    case UMMGR_TRACE_TAG_SLOT:
      if (!get_slot (decoder, &payload))
	return -1;
      fill (decoder,
	    &decoder->slots[(decoder->defined - 1) % UMMGR_TRACE_SLOTS],
	    record);
      return 1;
    case UMMGR_TRACE_END:
      record->kind = UMMGR_TRACE_END;
      record->time = ummgr_trace_get (&payload);
      decoder->end_records = ummgr_trace_get (&payload);
      decoder->end_accesses = ummgr_trace_get (&payload);
      result = 1;
      break;
    default:
      result = ummgr_trace_payload_get (&payload, tag, record,
					&decoder->arrays);
      decoder->unknown += !result;
    }
  return payload.bad ? -1 : result;
}

/* Slot INDEX, if it was defined.  */
static inline struct ummgr_trace_slot *
slot_of (struct ummgr_trace_decoder *decoder, uint64_t index)
{
  if (index >= decoder->defined || index >= UMMGR_TRACE_SLOTS)
    return NULL;
  return &decoder->slots[index];
}

int
ummgr_trace_decode (struct ummgr_trace_decoder *decoder,
		    struct ummgr_trace_record *record)
{
  struct ummgr_trace_cursor *in = &decoder->in;
  while (in->at < in->end)
    {
      unsigned op = *in->at++;
      if (op >= UMMGR_TRACE_OP_TAG)
	{
	  int result = decode_tagged (decoder, op - UMMGR_TRACE_OP_TAG, record);
	  if (result)
	    return result;
	  continue;
	}
      if (op == UMMGR_TRACE_OP_ACTOR)
	{
	  move_actor (decoder);
	  continue;
	}
      bool predicted = op < UMMGR_TRACE_OP_STEP;
      uint64_t index = predicted ? op : op - UMMGR_TRACE_OP_STEP;
      if (op == UMMGR_TRACE_OP_NEXT_FAR || op == UMMGR_TRACE_OP_STEP_FAR)
	index = ummgr_trace_need (in);
      struct ummgr_trace_slot *slot = slot_of (decoder, index);
      if (!slot)
	return -1;
      if (!predicted)
	{
	  int64_t sizes = ummgr_trace_unzigzag (ummgr_trace_need (in));
	  slot->step = (int64_t) ((uint64_t) sizes * slot->size);
	}
      if (in->bad)
	return -1;
      slot->last += slot->step;
      fill (decoder, slot, record);
      return 1;
    }
  return 0;
}

/* Where a row of accesses is: what decode_points keeps at hand.  */
struct row
{
  struct ummgr_trace_point *points;
  size_t count, room;
  uint64_t launch;		/* Of the first.  */
};

/* As get_actor for an actor as far on as the last, or further in PAYLOAD,
   unless that ends the row.  */
static bool
row_actor (struct ummgr_trace_decoder *decoder, struct row *row,
	   struct ummgr_trace_cursor *payload)
{
  struct ummgr_trace_actor actor = decoder->actor, step = decoder->actor_step;
  if (payload)
    get_actor (decoder, payload);
  else
    move_actor (decoder);
  if (!(payload && payload->bad)
      && (!row->count || decoder->actor.launch == row->launch))
    return true;
  decoder->actor = actor;
  decoder->actor_step = step;
  return false;
}

/* The operation TAG at the cursor.  False, with nothing changed: it ends the
   row.  */
static bool
row_tagged (struct ummgr_trace_decoder *decoder, struct row *row, unsigned tag)
{
  struct ummgr_trace_cursor in = decoder->in;
  uint64_t length = ummgr_trace_need (&in);
  if (in.bad || length > (uint64_t) (in.end - in.at))
    return false;
  struct ummgr_trace_cursor payload = { in.at, in.at + length, false };
  switch (tag)
    {
    case UMMGR_TRACE_TAG_RESET:
      if (row->count)
	return false;
      forget_slots (decoder);
      break;
    case UMMGR_TRACE_TAG_ACTOR:
      if (!row_actor (decoder, row, &payload))
	return false;
      break;
    case UMMGR_TRACE_TAG_SLOT:
      if ((row->count && decoder->defined >= UMMGR_TRACE_SLOTS)
	  || !get_slot (decoder, &payload))
	return false;
      uint32_t slot = (decoder->defined - 1) % UMMGR_TRACE_SLOTS;
      row->points[row->count++] = (struct ummgr_trace_point) {
	decoder->slots[slot].last, slot
      };
      break;
    default:
      return false;
    }
  decoder->in.at = payload.end;
  return true;
}

/* One or two bytes of a number, which is what nearly all take.  */
static inline uint64_t
get_short (struct ummgr_trace_cursor *in)
{
  if (in->end - in->at < 2)
    return ummgr_trace_need (in);
  unsigned low = in->at[0], high = in->at[1];
  if (low < 0x80)
    {
      in->at++;
      return low;
    }
  if (high < 0x80)
    {
      in->at += 2;
      return (low & 0x7f) | high << 7;
    }
  return ummgr_trace_need (in);
}

/* Accesses of slots that are defined, as many as follow each other.  */
static void
row_plain (struct ummgr_trace_decoder *decoder, struct row *row)
{
  struct ummgr_trace_cursor in = decoder->in;
  uint64_t defined = decoder->defined < UMMGR_TRACE_SLOTS ? decoder->defined
		     : UMMGR_TRACE_SLOTS;
  size_t n = row->count;
  while (in.at < in.end && n < row->room)
    {
      const unsigned char *begin = in.at;
      unsigned op = *in.at++;
      bool predicted = op < UMMGR_TRACE_OP_STEP;
      uint64_t index = predicted ? op : op - UMMGR_TRACE_OP_STEP;
      if (op >= UMMGR_TRACE_OP_ACTOR)
	index = UINT64_MAX;
      else if (op == UMMGR_TRACE_OP_NEXT_FAR || op == UMMGR_TRACE_OP_STEP_FAR)
	index = get_short (&in);
      uint64_t sizes = predicted || index >= defined ? 0 : get_short (&in);
      if (index >= defined || in.bad)
	{
	  in.at = begin;
	  break;
	}
      struct ummgr_trace_slot *slot = &decoder->slots[index];
      if (!predicted)
	slot->step = (int64_t) ((uint64_t) ummgr_trace_unzigzag (sizes)
				* slot->size);
      slot->last += slot->step;
      row->points[n++] = (struct ummgr_trace_point) { slot->last, index };
    }
  row->count = n;
  decoder->in.at = in.at;
}

size_t
ummgr_trace_decode_points (struct ummgr_trace_decoder *decoder,
			   struct ummgr_trace_point *points, size_t room,
			   uint64_t *launch)
{
  struct ummgr_trace_cursor *in = &decoder->in;
  struct row row = { .points = points, .room = room };
  while (in->at < in->end && row.count < room)
    {
      const unsigned char *begin = in->at;
      unsigned op = *in->at++;
      bool more;
      if (op == UMMGR_TRACE_OP_ACTOR)
	more = row_actor (decoder, &row, NULL);
      else if (op >= UMMGR_TRACE_OP_TAG)
	more = row_tagged (decoder, &row, op - UMMGR_TRACE_OP_TAG);
      else
	{
	  size_t count = row.count;
	  in->at = begin;
	  row_plain (decoder, &row);
	  more = row.count > count;
	}
      if (!more)
	{
	  in->at = begin;
	  break;
	}
      row.launch = decoder->actor.launch;
    }
  *launch = row.launch;
  return row.count;
}
