/* What the warps of a launch do: entries, and a source made of them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the entries of a launch, and of the teams in flight how far each warp is.  */

#include "config.h"
#include "gpu/steps.h"

#include "base/grow.h"
#include "trace/bytes.h"

#include <stdlib.h>
#include <string.h>

enum
{
  AGAIN = 0x40,			/* Operations.  */
  BEGINS = 0x7f,
  KIND = 3, JOINS = 4, LANES = 8, MORE = 16, /* Of a stream's flags.  */
  STREAMS = UMMGR_GPU_STREAMS,
  ALIKE = 8,			/* Streams beyond which one jumps rather than another begins.  */
  NEAR = 4096,			/* Bytes, no jump.  */
  ALL = 16,			/* The barrier of all of a team, behind the numbered ones.  */
  WARPS = 1024,			/* Of a team.  */
  FLIGHT = 1 << 17		/* Warps that any machine has in flight.  */
};

#define NONE UINT32_MAX

/* How far on the next is taken for.  */
static int64_t
first_step (const struct ummgr_gpu_stream *s)
{
  return s->lanes > 1 ? s->lanes * (int64_t) s->stride : s->size;
}

static struct ummgr_gpu_stream
stream_of (const struct ummgr_gpu_access *a, uint32_t issued)
{
  return (struct ummgr_gpu_stream) {
    .last = a->address,
    .work = a->issued - issued, .stride = a->stride, .size = a->size,
    .lanes = a->lanes, .more = a->more,
    .flags = a->kind | (a->joins ? JOINS : 0) | (a->lanes > 1 || a->stride ? LANES : 0)
	     | (a->more ? MORE : 0)
  };
}

/* --- taking down ---------------------------------------------------------------- */

static bool
alike (const struct ummgr_gpu_stream *a, const struct ummgr_gpu_stream *b)
{
  return a->work == b->work && a->stride == b->stride && a->size == b->size
	 && a->lanes == b->lanes && a->more == b->more && a->flags == b->flags;
}

static bool
foretold (const struct ummgr_gpu_stream *s, const struct ummgr_gpu_stream *a)
{
  return alike (s, a) && s->last + s->step == a->last;
}

/* The stream for A: one that foretells it, else the nearest; STREAMS: it shall begin one.  */
static unsigned
find (const struct ummgr_gpu_coder *c, const struct ummgr_gpu_stream *a)
{
  unsigned count = c->begun < STREAMS ? c->begun : STREAMS;
  unsigned likely = c->next[c->current], best = STREAMS, same = 0;
  uint64_t nearest = UINT64_MAX;
  if (likely < count && foretold (&c->stream[likely], a))
    return likely;
  for (unsigned i = 0; i < count; i++)
    {
      const struct ummgr_gpu_stream *s = &c->stream[i];
      if (!alike (s, a))
	continue;
      if (s->last + s->step == a->last)
	return i;
      uint64_t apart = a->last > s->last ? a->last - s->last : s->last - a->last;
      same++;
      if (apart < nearest)
	{
	  nearest = apart;
	  best = i;
	}
    }
  return nearest < NEAR || same >= ALIKE ? best : STREAMS;
}

/* The place where the next stream begins.  */
static unsigned
place_next (struct ummgr_gpu_coder *c)
{
  return c->begun++ % STREAMS;
}

static unsigned char *
put_stream (unsigned char *to, const struct ummgr_gpu_stream *a, uint64_t before)
{
  *to++ = BEGINS;
  *to++ = a->flags;
  *to++ = a->size;
  if (a->flags & LANES)
    {
      *to++ = a->lanes;
      to = ummgr_trace_put_signed (to, a->stride);
    }
  if (a->flags & MORE)
    *to++ = a->more;
  to = ummgr_trace_put (to, a->work);
  return ummgr_trace_put_signed (to, (int64_t) (a->last - before));
}

static unsigned char *
put_access (unsigned char *to, struct ummgr_gpu_coder *c, const struct ummgr_gpu_access *access)
{
  struct ummgr_gpu_stream a = stream_of (access, c->issued);
  unsigned i = find (c, &a);
  if (i == STREAMS)
    {
      to = put_stream (to, &a, c->last);
      i = place_next (c);
      c->stream[i] = a;
      c->stream[i].step = first_step (&a);
    }
  else
    {
      struct ummgr_gpu_stream *s = &c->stream[i];
      int64_t step = (int64_t) (a.last - s->last);
      *to++ = i + (step == s->step ? 0 : AGAIN);
      if (step != s->step)
	to = ummgr_trace_put_signed (to, step);
      s->step = step;
      s->last = a.last;
    }
  c->next[c->current] = i;
  c->current = i;
  c->last = a.last;
  c->issued = access->issued;
  return to;
}

unsigned char *
ummgr_gpu_steps_put (unsigned char *to, struct ummgr_gpu_coder *c,
		     const struct ummgr_gpu_step *step)
{
  unsigned char body[UMMGR_GPU_ENTRY_BYTES], *end = ummgr_trace_put (body, step->work);
  for (unsigned i = 0; i < step->count && i < UMMGR_GPU_ENTRY; i++)
    end = put_access (end, c, &step->access[i]);
  to = ummgr_trace_put (to, 2 * (uint64_t) (end - body) + 1);
  return mempcpy (to, body, end - body);
}

unsigned char *
ummgr_gpu_steps_put_barrier (unsigned char *to, const struct ummgr_gpu_barrier *b)
{
  unsigned char body[4 * UMMGR_TRACE_VARINT_MAX], *end = ummgr_trace_put (body, b->which);
  end = ummgr_trace_put (end, b->warps);
  end = ummgr_trace_put (end, b->passed);
  end = ummgr_trace_put (end, b->waits);
  to = ummgr_trace_put (to, 2 * (uint64_t) (end - body));
  return mempcpy (to, body, end - body);
}

/* --- parts --------------------------------------------------------------------- */

struct ummgr_gpu_part
{
  size_t users;
  size_t size;
  unsigned char bytes[];
};

struct ummgr_gpu_part *
ummgr_gpu_part_create (const void *bytes, size_t size)
{
  struct ummgr_gpu_part *p = malloc (sizeof *p + size);
  if (!p)
    return NULL;
  p->users = 1;
  p->size = size;
  memcpy (p->bytes, bytes, size);
  return p;
}

struct ummgr_gpu_part *
ummgr_gpu_part_use (struct ummgr_gpu_part *p)
{
  p->users++;
  return p;
}

void
ummgr_gpu_part_leave (struct ummgr_gpu_part *p)
{
  if (p && !--p->users)
    free (p);
}

/* --- the steps of a launch ------------------------------------------------------ */

/* A part as a launch has it.  */
struct member
{
  struct ummgr_gpu_part *part;
  uint32_t next;		/* Of the team; NONE: it is the last.  */
};

struct team
{
  uint32_t first, last;		/* Members, or NONE.  */
};

/* A warp of a team in flight.  */
struct running
{
  uint32_t member;		/* Where it is, or NONE: it ends.  */
  struct ummgr_trace_cursor in;	/* Entries there.  */
  const unsigned char *begun;	/* The last one.  */
  uint8_t waits;		/* At that barrier, and 1.  */
  struct ummgr_gpu_coder coder;
};

struct slot
{
  unsigned live;
  unsigned arrived[ALL + 1], passed[ALL + 1];
};

struct ummgr_gpu_steps
{
  struct ummgr_device_shape shape;
  uint32_t teams, warps;	/* As far as they make sense.  */
  struct team *team;
  struct member *member;
  size_t count, room;
  struct running *running;	/* By slot and number.  */
  struct ummgr_gpu_access *log;	/* UMMGR_GPU_ENTRY of each.  */
  struct slot *slot;
  size_t slots;			/* There is room for.  */
};

struct ummgr_gpu_steps *
ummgr_gpu_steps_create (const struct ummgr_device_shape *shape)
{
  struct ummgr_gpu_steps *s = calloc (1, sizeof *s);
  if (!s)
    return NULL;
  s->shape = *shape;
  s->warps = shape->warps <= WARPS ? shape->warps : 0;
  s->teams = s->warps ? shape->teams : 0;
  s->team = malloc ((s->teams + (size_t) 1) * sizeof *s->team);
  if (!s->team)
    {
      free (s);
      return NULL;
    }
  for (uint32_t i = 0; i < s->teams; i++)
    s->team[i] = (struct team) { NONE, NONE };
  return s;
}

void
ummgr_gpu_steps_destroy (struct ummgr_gpu_steps *s)
{
  if (!s)
    return;
  for (size_t i = 0; i < s->count; i++)
    ummgr_gpu_part_leave (s->member[i].part);
  free (s->team);
  free (s->member);
  free (s->running);
  free (s->log);
  free (s->slot);
  free (s);
}

uint64_t
ummgr_gpu_steps_least (const struct ummgr_device_shape *shape)
{
  uint64_t warps = (uint64_t) shape->teams * shape->warps;
  uint64_t flight = warps < FLIGHT ? warps : FLIGHT;
  return sizeof (struct ummgr_gpu_steps) + shape->teams * sizeof (struct team)
	 + flight * (sizeof (struct running) + UMMGR_GPU_ENTRY * sizeof (struct ummgr_gpu_access));
}

uint64_t
ummgr_gpu_steps_memory (const struct ummgr_gpu_steps *s)
{
  return ummgr_gpu_steps_least (&s->shape) + s->room * sizeof *s->member;
}

bool
ummgr_gpu_steps_add (struct ummgr_gpu_steps *s, uint32_t team, struct ummgr_gpu_part *p)
{
  if (team >= s->teams || s->count == NONE)
    return true;
  if (!UMMGR_GROW (s->member, s->room, s->count + 1))
    return false;
  struct team *t = &s->team[team];
  s->member[s->count] = (struct member) { ummgr_gpu_part_use (p), NONE };
  if (t->last == NONE)
    t->first = s->count;
  else
    s->member[t->last].next = s->count;
  t->last = s->count++;
  return true;
}

/* --- as a source ------------------------------------------------------------------ */

static bool
get_stream (struct ummgr_trace_cursor *in, uint64_t before, struct ummgr_gpu_stream *s)
{
  if (in->end - in->at < 2)
    return false;
  *s = (struct ummgr_gpu_stream) { .flags = in->at[0], .size = in->at[1], .lanes = 1 };
  in->at += 2;
  if (s->flags & LANES)
    {
      s->lanes = ummgr_trace_need (in);
      s->stride = ummgr_trace_get_signed (in);
    }
  if (s->flags & MORE)
    s->more = ummgr_trace_need (in);
  s->work = ummgr_trace_need (in);
  s->last = before + ummgr_trace_get_signed (in);
  s->step = first_step (s);
  return !in->bad && s->size && s->lanes && s->lanes <= UMMGR_GPU_LANES;
}

/* The stream of the next access, which is where that is.  */
static const struct ummgr_gpu_stream *
get_access (struct ummgr_trace_cursor *in, struct ummgr_gpu_coder *c)
{
  unsigned op = *in->at++;
  struct ummgr_gpu_stream begun, *s;
  if (op == BEGINS)
    {
      if (!get_stream (in, c->last, &begun))
	return NULL;
      s = &c->stream[place_next (c)];
      *s = begun;
    }
  else
    {
      unsigned i = op % AGAIN;
      if (op > BEGINS || i >= STREAMS || i >= c->begun)
	return NULL;
      s = &c->stream[i];
      if (op >= AGAIN)
	s->step = ummgr_trace_get_signed (in);
      if (in->bad)
	return NULL;
      s->last += s->step;
    }
  c->last = s->last;
  c->issued += s->work;
  return s;
}

/* The accesses of the entry IN, into LOG, and what follows them.  */
static struct ummgr_gpu_step
decode (struct ummgr_trace_cursor *in, struct ummgr_gpu_coder *c, struct ummgr_gpu_access *log)
{
  struct ummgr_gpu_step step = { .work = ummgr_trace_get (in), .access = log };
  const struct ummgr_gpu_stream *a;
  unsigned made = 0;
  while (in->at < in->end && made < UMMGR_GPU_ENTRY && (a = get_access (in, c)))
    {
      log[made++] = (struct ummgr_gpu_access) {
	.address = a->last, .stride = a->stride, .issued = c->issued, .size = a->size,
	.lanes = a->lanes, .more = a->more, .kind = (a->flags & KIND) % 3,
	.joins = a->flags & JOINS
      };
      /* Only whole instructions.  */
      if (step.count + log[step.count].more < made)
	step.count = made;
    }
  return step;
}

/* R is the warp NUMBER of its team: find its entries in the member where it is, which may
   be none.  */
static void
find_entries (const struct ummgr_gpu_steps *s, struct running *r, uint32_t number)
{
  if (r->member == NONE)
    return;
  const struct ummgr_gpu_part *p = s->member[r->member].part;
  struct ummgr_trace_cursor in = { p->bytes, p->bytes + p->size, false };
  uint64_t size = 0;
  for (uint32_t i = 0; i <= number && !in.bad; i++)
    {
      in.at += size;
      size = ummgr_trace_get (&in);
      in.bad |= size > (uint64_t) (in.end - in.at);
    }
  r->in = in;
  r->in.end = in.bad ? in.at : in.at + size;
}

/* R's next entry, *STEP_P: it is one.  False: it ends.  */
static bool
next_entry (const struct ummgr_gpu_steps *s, struct running *r, uint32_t number,
	    struct ummgr_trace_cursor *entry, bool *step_p)
{
  while (r->member != NONE)
    {
      r->begun = r->in.at;
      uint64_t head = r->in.at < r->in.end ? ummgr_trace_need (&r->in) : 0;
      uint64_t size = head / 2;
      if (head && !r->in.bad && size <= (uint64_t) (r->in.end - r->in.at))
	{
	  *entry = (struct ummgr_trace_cursor) { r->in.at, r->in.at + size, false };
	  *step_p = head & 1;
	  r->in.at += size;
	  return true;
	}
      r->member = s->member[r->member].next;
      find_entries (s, r, number);
    }
  return false;
}

static bool
begin (void *data, unsigned slot, uint32_t team)
{
  struct ummgr_gpu_steps *s = data;
  s->slot[slot] = (struct slot) { .live = s->warps };
  for (uint32_t i = 0; i < s->warps; i++)
    {
      struct running *r = &s->running[slot * s->warps + i];
      r->member = s->team[team].first;
      r->waits = 0;
      memset (&r->coder, 0, sizeof r->coder);
      find_entries (s, r, i);
    }
  return true;
}

/* Those that wait at BARRIER of SLOT go on.  */
static void
pass (struct ummgr_gpu_steps *s, unsigned slot, unsigned barrier)
{
  s->slot[slot].arrived[barrier] = 0;
  s->slot[slot].passed[barrier]++;
  for (uint32_t i = 0; i < s->warps; i++)
    {
      struct running *r = &s->running[slot * s->warps + i];
      if (r->waits != barrier + 1)
	continue;
      r->waits = 0;
      ummgr_gpu_wake (ummgr_gpu_running (), slot * s->warps + i);
    }
}

/* A warp, R, is at the barrier that ENTRY says.  False: it waits there, or until others have
   passed that it is not of, and comes again.  */
static bool
arrive (struct ummgr_gpu_steps *s, const struct ummgr_trace_cursor *entry, unsigned slot,
	struct running *r)
{
  struct ummgr_trace_cursor in = *entry;
  unsigned which = ummgr_trace_get (&in) % ALL;
  uint64_t wanted = ummgr_trace_get (&in), passed = ummgr_trace_get (&in);
  bool waits = ummgr_trace_get (&in);
  struct slot *t = &s->slot[slot];
  which = wanted ? which : ALL;
  if (wanted && passed > t->passed[which])
    {
      r->in.at = r->begun;
      r->waits = which + 1;
      return false;
    }
  t->arrived[which]++;
  if (t->arrived[which] >= (wanted ? wanted : t->live))
    {
      pass (s, slot, which);
      return true;
    }
  r->waits = waits ? which + 1 : 0;
  return !waits;
}

/* A warp of SLOT has ended: those at the barrier of all may be all that are left.  */
static void
ended (struct ummgr_gpu_steps *s, unsigned slot)
{
  struct slot *t = &s->slot[slot];
  t->live--;
  if (t->live && t->arrived[ALL] == t->live)
    pass (s, slot, ALL);
}

static enum ummgr_gpu_next
next (void *data, unsigned number, struct ummgr_gpu_step *out)
{
  struct ummgr_gpu_steps *s = data;
  struct running *r = &s->running[number];
  struct ummgr_trace_cursor entry;
  bool step;
  while (next_entry (s, r, number % s->warps, &entry, &step))
    {
      if (step)
	{
	  *out = decode (&entry, &r->coder, &s->log[(size_t) number * UMMGR_GPU_ENTRY]);
	  return UMMGR_GPU_STEP;
	}
      if (!arrive (s, &entry, number / s->warps, r))
	return UMMGR_GPU_WAITS;
    }
  ended (s, number / s->warps);
  return UMMGR_GPU_ENDS;
}

bool
ummgr_gpu_steps_source (struct ummgr_gpu_steps *s, struct ummgr_gpu_options *o)
{
  struct ummgr_device_shape shape = s->shape;
  shape.teams = s->teams;
  shape.warps = s->warps;
  ummgr_gpu_fit (o, &shape);
  uint64_t slots = ummgr_gpu_slots (o);
  size_t warps = slots * s->warps;
  if (slots > s->slots)
    {
      free (s->running);
      free (s->log);
      free (s->slot);
      s->running = malloc (warps * sizeof *s->running);
      s->log = malloc (warps * UMMGR_GPU_ENTRY * sizeof *s->log);
      s->slot = malloc (slots * sizeof *s->slot);
      s->slots = s->running && s->log && s->slot ? slots : 0;
    }
  o->data = s;
  o->begin = begin;
  o->next = next;
  return slots <= s->slots;
}
