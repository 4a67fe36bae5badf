/* Diagnosis: copies, and what became of them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Each byte of a copy is blamed on one thing: not used, else overwritten,
   else brought for the second time; what it takes to make the copy at all, on
   what makes all of it needless.  Owns the slots and the waste of objects,
   and the copies whose outcome is not known yet.  */

#include "config.h"
#include "diagnose/traced.h"

enum { SLOTS = 64, PLACES = 64 };

const struct ummgr_trace_device *
ummgr_diagnose_device (const struct ummgr_diagnosing *g, int32_t device)
{
  for (size_t i = 0; i < g->d.device_count; i++)
    if ((int64_t) g->d.devices[i].device == device)
      return &g->d.devices[i];
  return g->d.device_count ? g->d.devices : NULL;
}

double
ummgr_diagnose_copy_cost (const struct ummgr_diagnosing *g, int32_t device,
			  uint64_t bytes, bool out, bool whole)
{
  const struct ummgr_trace_device *d = ummgr_diagnose_device (g, device);
  uint64_t rate = !d ? 0 : out ? d->out_rate : d->in_rate;
  if (!rate)
    return 0;
  return (double) bytes / rate + (whole ? d->latency * 1e-9 : 0);
}

bool
ummgr_diagnose_matters (const struct ummgr_diagnosing *g, uint64_t bytes,
			uint64_t size)
{
  return bytes && bytes >= g->options.share * size;
}

bool
ummgr_diagnose_seen (const struct ummgr_diagnosing *g, uint64_t size)
{
  /* Sampling takes blocks of 256 bytes; with eight of them or so an object
     that is used isn't missed.  */
  return !g->d.lost && (g->d.run.sample <= 1 || size / g->d.run.sample >= 8 * 256);
}

struct ummgr_waste *
ummgr_diagnose_waste (struct ummgr_diagnosing *g, struct ummgr_traced *t,
		      enum ummgr_finding_kind kind, bool out,
		      const char *file, uint32_t line, uint32_t phase)
{
  struct ummgr_waste *w = NULL;
  for (size_t i = 0; i < t->waste_count && !w; i++)
    if (t->waste[i].kind == kind && t->waste[i].out == out
	&& ((t->waste[i].file == file && t->waste[i].line == line)
	    || t->waste_count >= PLACES))
      w = &t->waste[i];
  if (!w)
    {
      if (!ummgr_arena_grow (&g->arena, &t->waste, t->waste_count,
			     &t->waste_room, sizeof *w))
	return NULL;
      w = &t->waste[t->waste_count++];
      *w = (struct ummgr_waste) { .kind = kind, .out = out, .file = file,
				  .line = line, .phase = phase };
    }
  if (w->last_phase != phase)
    w->phases++;
  w->last_phase = phase;
  w->times++;
  return w;
}

/* Blame BYTES of a copy.  WHOLE: without their cause there is none, if it was one of its own.  */
static struct ummgr_waste *
blame (struct ummgr_diagnosing *g, const struct ummgr_pending *p,
       enum ummgr_finding_kind kind, uint64_t bytes, bool out, bool whole)
{
  struct ummgr_waste *w = ummgr_diagnose_waste (g, p->object, kind, out,
						p->file, p->line, p->phase);
  if (!w)
    return NULL;
  w->bytes += bytes;
  w->of_bytes += p->size;
  w->reused |= p->reused;
  if (!out && p->copy && p->copy == p->object->o.first_in)
    p->object->o.first_vain += bytes;
  w->seconds += ummgr_diagnose_copy_cost (g, p->device, bytes, out, whole && !p->gathered);
  return w;
}

/* PART of WORDS of a copy of SIZE, in bytes: also where not all of it was
   seen.  */
static uint64_t
part_of (uint64_t size, uint64_t part, uint64_t words)
{
  if (!words || part >= words)
    return part ? size : 0;
  uint64_t bytes = 4 * words >= size && 4 * words - size < 8
    ? 4 * part : (uint64_t) ((double) size * part / words);
  return bytes < size ? bytes : size;
}

static void
settle (struct ummgr_diagnosing *g, const struct ummgr_pending *p,
	const struct ummgr_trace_outcome *outcome)
{
  uint64_t left = p->size, unused = 0, overwritten = 0;
  if (outcome && g->d.run.instrumented && ummgr_diagnose_seen (g, p->size))
    {
      unused = part_of (p->size, outcome->unused, outcome->words);
      overwritten = part_of (p->size, outcome->overwritten, outcome->words);
    }
  if (ummgr_diagnose_matters (g, unused, p->size))
    {
      blame (g, p, UMMGR_FINDING_UNUSED_COPY, unused, false,
	     unused >= p->size);
      left -= unused;
    }
  if (overwritten > left)
    overwritten = left;
  if (ummgr_diagnose_matters (g, overwritten, p->size))
    {
      blame (g, p, UMMGR_FINDING_OVERWRITTEN_COPY, overwritten, false,
	     overwritten >= p->size);
      left -= overwritten;
    }
  if (!left)
    p->object->useless = p->copy;
  /* After one that nobody needed this is the first, not a repetition.  */
  bool first = p->before && p->before == p->object->useless
	       && p->again == UMMGR_FINDING_DUPLICATE_COPY;
  if (p->again < 0 || !left || first)
    return;
  struct ummgr_waste *w = blame (g, p, p->again, left, false, true);
  if (w && w->times == 1)
    {
      w->out_file = p->out_file;
      w->out_line = p->out_line;
    }
  else if (w && (w->out_file != p->out_file || w->out_line != p->out_line))
    w->out_file = NULL;
  if (!w || !p->kept)
    return;
  w->kept_bytes += p->size;
  w->kept_seconds += ummgr_diagnose_copy_cost (g, p->device, p->size, true, true);
}

static void
settle_pending (struct ummgr_diagnosing *g, struct ummgr_pending *p,
		const struct ummgr_trace_outcome *outcome)
{
  settle (g, p, outcome);
  p->next = g->free_pending;
  g->free_pending = p;
}

void
ummgr_diagnose_outcome (struct ummgr_diagnosing *g,
			const struct ummgr_trace_outcome *outcome)
{
  struct ummgr_pending *p = ummgr_number_find (&g->copies, outcome->copy);
  if (!p)
    return;
  ummgr_number_forget (&g->copies, outcome->copy);
  if (outcome->unused < outcome->words)
    p->object->device_used = true;
  settle_pending (g, p, outcome);
}

void
ummgr_diagnose_taken (struct ummgr_diagnosing *g, const struct ummgr_trace_taken *taken)
{
  if (taken->device >= 0 && taken->device < UMMGR_DEVICES_TOLD)
    g->taken[taken->device] = *taken;
}

static void
add_copies (struct ummgr_diagnosing *g, const struct ummgr_trace_device *d, uint64_t in,
	    uint64_t out, uint64_t copies)
{
  int32_t device = (int32_t) d->device;
  g->d.copied_in += in;
  g->d.copied_out += out;
  g->d.copies += copies;
  g->d.copy_seconds += ummgr_diagnose_copy_cost (g, device, in, false, false)
		       + ummgr_diagnose_copy_cost (g, device, out, true, false)
		       + (double) copies * (double) (d->in_rate ? d->latency : 0) * 1e-9;
}

/* Of the run.  Devices count what libgomp copies; of objects that a policy places it copies
   nothing.  */
static void
sum_copies (struct ummgr_diagnosing *g)
{
  uint64_t in = 0, out = 0, copies = 0;
  for (size_t i = 0; i < g->d.object_count; i++)
    {
      const struct ummgr_traced_object *o = &g->all[i]->o;
      in += o->copied_in;
      out += o->copied_out;
      copies += o->copies;
    }
  for (size_t i = 0; i < g->d.device_count; i++)
    if (g->d.devices[i].device < UMMGR_DEVICES_TOLD)
      {
	const struct ummgr_trace_taken *t = &g->taken[g->d.devices[i].device];
	add_copies (g, &g->d.devices[i], t->copied_in, t->copied_out, t->copies);
	g->d.busy_seconds += t->seconds;
      }
  if (g->d.device_count && (g->d.copied_in < in || g->d.copied_out < out))
    add_copies (g, &g->d.devices[0], in, out, copies);
}

void
ummgr_diagnose_copies_end (struct ummgr_diagnosing *g)
{
  sum_copies (g);
  for (size_t i = 0; i < g->copies.room; i++)
    if (g->copies.entries[i].key && g->copies.entries[i].value)
      settle_pending (g, g->copies.entries[i].value, NULL);
  for (size_t i = 0; i < g->d.object_count; i++)
    ummgr_diagnose_copies_gone (g, g->all[i], NULL);
}

/* --- where launches alone say what was used --- */

/* The copy that S waits for is over: all of it was replaced or went (WHOLE), or nobody
   knows.  */
static void
settle_waiting (struct ummgr_diagnosing *g, struct ummgr_slot *s, bool whole)
{
  struct ummgr_pending *p = s->waiting;
  s->waiting = NULL;
  if (!p)
    return;
  if (whole && !ummgr_diagnose_launched (g, p->device, p->launches))
    blame (g, p, UMMGR_FINDING_UNUSED_COPY, p->size, false, true);
  else
    settle (g, p, NULL);
  p->next = g->free_pending;
  g->free_pending = p;
}

static void
wait_for (struct ummgr_diagnosing *g, struct ummgr_slot *s, const struct ummgr_pending *one)
{
  struct ummgr_pending *p = g->free_pending;
  if (p)
    g->free_pending = p->next;
  else if (!(p = ummgr_arena_get (&g->arena, sizeof *p)))
    return;
  *p = *one;
  p->launches = ummgr_diagnose_launches (g, p->device);
  s->waiting = p;
}

void
ummgr_diagnose_copies_gone (struct ummgr_diagnosing *g, struct ummgr_traced *t,
			    const struct ummgr_trace_present *p)
{
  for (size_t i = 0; i < t->slot_count; i++)
    {
      struct ummgr_slot *s = &t->slots[i];
      if (!p)
	settle_waiting (g, s, !g->d.cut);
      else if (s->device == p->device && s->offset >= p->offset
	       && s->offset - p->offset < p->size)
	settle_waiting (g, s, s->size <= p->size - (s->offset - p->offset));
    }
}

/* The slot of the range, new if need be; others that overlap it no longer
   hold what was copied there (IN), or host bytes that are known.  */
static struct ummgr_slot *
slot_of (struct ummgr_diagnosing *g, struct ummgr_traced *t,
	 const struct ummgr_trace_move *m, int32_t device, bool in)
{
  struct ummgr_slot *found = NULL;
  for (size_t i = 0; i < t->slot_count; i++)
    {
      struct ummgr_slot *s = &t->slots[i];
      if (s->device == device && s->offset == m->offset
	  && s->size == m->size)
	found = s;
      else if (s->device == device && in
	       && (m->offset - s->offset < s->size || s->offset - m->offset < m->size))
	{
	  s->in_hash = s->out_hash = 0;
	  settle_waiting (g, s, false);
	}
    }
  if (found)
    return found;
  if (t->slot_count < SLOTS)
    {
      if (!ummgr_arena_grow (&g->arena, &t->slots, t->slot_count,
			     &t->slot_room, sizeof *found))
	return NULL;
      found = &t->slots[t->slot_count++];
    }
  else
    {
      found = &t->slots[t->slot_next++ % SLOTS];
      settle_waiting (g, found, false);
    }
  *found = (struct ummgr_slot) { .device = device, .offset = m->offset,
				 .size = m->size };
  return found;
}

/* What the slot knows of a copy of HASH to the device: the kind of finding,
   or -1.  */
static int
again (struct ummgr_diagnosing *g, const struct ummgr_traced *t,
       const struct ummgr_trace_move *m, const struct ummgr_slot *slot)
{
  if (!m->hash)
    return -1;
  /* If the device has written there, the copy puts the old bytes back; if
     they came out like that, it was the same as leaving them there.  */
  if (m->hash == slot->in_hash
      && (!slot->out_hash || slot->out_hash == slot->in_hash)
      && !ummgr_diagnose_pages_written (g, t, m->offset, m->size))
    return UMMGR_FINDING_DUPLICATE_COPY;
  if (m->hash == slot->out_hash)
    return UMMGR_FINDING_ROUND_TRIP;
  return -1;
}

static void
copy_in (struct ummgr_diagnosing *g, struct ummgr_traced *t,
	 const struct ummgr_trace_move *m, const char *file)
{
  struct ummgr_pending *p = g->free_pending, one;
  struct ummgr_slot *slot = slot_of (g, t, m, m->to, true);
  if (!slot)
    return;
  one = (struct ummgr_pending) {
    .object = t, .size = m->size, .file = file, .line = m->line,
    .phase = ummgr_diagnose_phase (g), .device = m->to,
    .again = again (g, t, m, slot), .reused = slot->held, .gathered = m->gathered,
    .copy = m->copy, .before = slot->copy
  };
  /* The host's code reports its accesses: what it has not looked at need not have come.  */
  one.kept = one.again == UMMGR_FINDING_ROUND_TRIP && !slot->needed && g->d.run.instrumented & 1
	     && g->d.run.sample <= 1 && t->host_epoch < slot->out_epoch;
  if (one.again == UMMGR_FINDING_ROUND_TRIP)
    {
      one.out_file = slot->out_file;
      one.out_line = slot->out_line;
    }
  slot->in_hash = m->hash;
  slot->out_hash = 0;
  slot->held = true;
  slot->copy = m->copy;
  ummgr_diagnose_pages_copied (g, t, m, file);
  settle_waiting (g, slot, true);
  if (ummgr_diagnose_by_launches (g))
    {
      wait_for (g, slot, &one);
      return;
    }
  if (!m->copy || !g->d.run.instrumented)
    {
      settle (g, &one, NULL);
      return;
    }
  void **place = ummgr_number_slot (&g->copies, m->copy);
  if (p)
    g->free_pending = p->next;
  else
    p = ummgr_arena_get (&g->arena, sizeof *p);
  if (!p || !place)
    {
      g->arena.failed = true;
      return;
    }
  *p = one;
  if (*place)
    settle_pending (g, *place, NULL);
  *place = p;
}

static void
copy_out (struct ummgr_diagnosing *g, struct ummgr_traced *t,
	  const struct ummgr_trace_move *m, const char *file)
{
  struct ummgr_slot *slot = slot_of (g, t, m, m->from, false);
  if (!slot)
    return;
  struct ummgr_pending p = {
    .object = t, .size = m->size, .file = file, .line = m->line,
    .phase = ummgr_diagnose_phase (g), .device = m->from
  };
  uint64_t bytes = 0;
  if (g->d.run.instrumented)
    {
      if (m->unchanged < m->size / 4)
	t->device_used = true;
      if (ummgr_diagnose_seen (g, m->size))
	{
	  uint64_t sample = g->d.run.sample > 1 ? g->d.run.sample : 1;
	  uint64_t words = (m->size + 3) / 4 / sample;
	  bytes = part_of (m->size, m->unchanged, words);
	}
    }
  else if (m->hash && m->hash == slot->in_hash)
    bytes = m->size;
  if (ummgr_diagnose_matters (g, bytes, m->size))
    blame (g, &p, UMMGR_FINDING_UNCHANGED_COPY, bytes, true,
	   bytes >= m->size);
  slot->out_hash = m->hash;
  slot->out_epoch = g->epoch;
  slot->out_file = file;
  slot->out_line = m->line;
  slot->needed = ummgr_diagnose_matters (g, bytes, m->size);
}

void
ummgr_diagnose_copy (struct ummgr_diagnosing *g,
		     const struct ummgr_trace_move *move)
{
  struct ummgr_traced *t = ummgr_diagnose_find (g, move->object);
  bool in = move->from == UMMGR_TRACE_HOST && move->to != UMMGR_TRACE_HOST;
  bool out = move->to == UMMGR_TRACE_HOST && move->from != UMMGR_TRACE_HOST;
  if (!t || !move->size || (!in && !out))
    return;
  const char *file = ummgr_arena_string (&g->arena, move->file);
  if (!t->o.copies++ || t->o.copied_begin > move->offset)
    t->o.copied_begin = move->offset;
  if (t->o.copied_end < move->offset + move->size)
    t->o.copied_end = move->offset + move->size;
  struct ummgr_moved *moved = g->d.run.instrumented ? NULL
    : ummgr_diagnose_moved (g, t, file, move->line, false);
  if (moved)
    {
      moved->copies++;
      *(in ? &moved->copied_in : &moved->copied_out) += move->size;
    }
  t->on_device = true;
  t->device = in ? move->to : move->from;
  if (in)
    {
      if (!t->o.copied_in)
	t->o.first_in = move->copy;
      t->o.copied_in += move->size;
      copy_in (g, t, move, file);
    }
  else
    {
      t->o.copied_out += move->size;
      if (t->largest_out < move->size)
	t->largest_out = move->size;
      copy_out (g, t, move, file);
    }
}
