/* Decoding a trace's raw bytes into records.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The bytes had the right checksum, but may still be anything: every read is
   bounded, every slot was defined, and sums wrap.  Knows no files.  */

#include "config.h"
#include "trace/code.h"

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
	decoder->slots[slot].last, slot, decoder->actor.team
      };
      break;
    default:
      return false;
    }
  decoder->in.at = payload.end;
  return true;
}

/* An access of a slot that is defined.  False, with nothing changed: something
   else is next.  */
static bool
row_one (struct ummgr_trace_decoder *decoder, struct row *row)
{
  struct ummgr_trace_cursor in = decoder->in;
  unsigned op = *in.at++;
  bool predicted = op < UMMGR_TRACE_OP_STEP;
  uint64_t sizes = 0, index = predicted ? op : op - UMMGR_TRACE_OP_STEP;
  if (op >= UMMGR_TRACE_OP_ACTOR)
    return false;
  if (op == UMMGR_TRACE_OP_NEXT_FAR || op == UMMGR_TRACE_OP_STEP_FAR)
    index = ummgr_trace_need (&in);
  if (!predicted)
    sizes = ummgr_trace_unzigzag (ummgr_trace_need (&in));
  struct ummgr_trace_slot *slot = slot_of (decoder, index);
  if (!slot || in.bad)
    return false;
  if (!predicted)
    slot->step = (int64_t) (sizes * slot->size);
  slot->last += slot->step;
  row->points[row->count++]
      = (struct ummgr_trace_point) { slot->last, index, decoder->actor.team };
  decoder->in.at = in.at;
  return true;
}

/* One or two bytes of a number, which are at the low end of *BYTES.  Their
   lengths are hard to foretell, so this doesn't branch.  False: more.  */
static inline bool
get_short (uint64_t *bytes, unsigned *length, uint64_t *value)
{
  unsigned two = *bytes >> 7 & 1;
  *value = (*bytes & 0x7f) | (*bytes >> 1 & (0 - two) & 0x3f80);
  *length += 1 + two;
  bool more = two & *bytes >> 15;
  *bytes >>= 8 << two;
  return !more;
}

/* Where threads take turns each access has another actor: the operation at AT, of
   which 8 bytes are there, if it stays in the launch and is short.  Its length;
   0, with nothing changed: it is something else.  */
static inline unsigned
row_same_launch (struct ummgr_trace_decoder *decoder, const unsigned char *at)
{
  if (*at == UMMGR_TRACE_OP_ACTOR && !decoder->actor_step.launch)
    {
      move_actor (decoder);
      return 1;
    }
  /* The payload's length, then the launch's step.  */
  if (*at != UMMGR_TRACE_OP_TAG + UMMGR_TRACE_TAG_ACTOR || at[2])
    return 0;
  uint64_t bytes = ummgr_trace_get_u32 (at + 3), team, thread;
  unsigned length = 1;
  if (!get_short (&bytes, &length, &team)
      || !get_short (&bytes, &length, &thread) || length != at[1])
    return 0;
  decoder->actor_step = (struct ummgr_trace_actor) {
    0, ummgr_trace_unzigzag (team), ummgr_trace_unzigzag (thread)
  };
  move_actor (decoder);
  return 2 + length;
}

/* Accesses as of row_one, as many as follow each other while there are enough
   bytes not to look for the end: what takes most of the time of reading.  */
static void
row_plain (struct ummgr_trace_decoder *decoder, struct row *row)
{
  const unsigned char *at = decoder->in.at, *end = decoder->in.end;
  uint64_t defined = decoder->defined < UMMGR_TRACE_SLOTS ? decoder->defined
		     : UMMGR_TRACE_SLOTS;
  struct ummgr_trace_point *to = row->points + row->count;
  struct ummgr_trace_point *full = row->points + row->room;
  const unsigned char *stop = end - at >= 8 ? end - 7 : at;
  while (at < stop && to < full)
    {
      unsigned length = 1, op = *at;
      uint64_t index = op, bytes, sizes;
      struct ummgr_trace_slot *slot;
      if (op < UMMGR_TRACE_OP_NEXT_FAR)
	{
	  if (index >= defined)
	    break;
	  slot = &decoder->slots[index];
	  uint64_t last = slot->last;
	  do
	    {
	      last += slot->step;
	      *to++ = (struct ummgr_trace_point) { last, index,
						   decoder->actor.team };
	    }
	  while (*++at == op && at < stop && to < full);
	  slot->last = last;
	  continue;
	}
      if (op >= UMMGR_TRACE_OP_ACTOR)
	{
	  unsigned passed = row_same_launch (decoder, at);
	  if (!passed)
	    break;
	  at += passed;
	  continue;
	}
      bytes = ummgr_trace_get_u32 (at + 1);
      index = op - UMMGR_TRACE_OP_STEP;
      if (((op == UMMGR_TRACE_OP_NEXT_FAR || op == UMMGR_TRACE_OP_STEP_FAR)
	   && !get_short (&bytes, &length, &index))
	  || index >= defined)
	break;
      slot = &decoder->slots[index];
      int64_t step = slot->step;
      if (op != UMMGR_TRACE_OP_NEXT_FAR)
	{
	  if (!get_short (&bytes, &length, &sizes))
	    break;
	  step = (int64_t) ((uint64_t) ummgr_trace_unzigzag (sizes)
			    * slot->size);
	  slot->step = step;
	}
      slot->last += step;
      *to++ = (struct ummgr_trace_point) { slot->last, index,
					   decoder->actor.team };
      at += length;
    }
  row->count = to - row->points;
  decoder->in.at = at;
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
	  in->at = begin;
	  more = row_one (decoder, &row);
	  if (more)
	    row_plain (decoder, &row);
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
