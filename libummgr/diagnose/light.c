/* Diagnosis: what copies, launches and faults show where accesses were not looked at.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What was on a device while nothing ran there was not used.  That a region ran says
   nothing: it may have used it or not.  And where the program has addresses of the
   device's, or libgomp ran what was not announced, nothing is said.

   Owns the counts of launches, and the places where objects move.  */

#include "config.h"
#include "diagnose/traced.h"

#include <stdlib.h>

enum { PLACES = 64 };		/* Of an object; what moves at others is the last's.  */

bool
ummgr_diagnose_by_launches (const struct ummgr_diagnosing *g)
{
  return !g->d.run.instrumented && g->d.run.scope & UMMGR_TRACE_HANDS;
}

static bool
is_counted (int32_t device)
{
  return device >= 0 && device < UMMGR_DEVICES_TOLD;
}

uint64_t
ummgr_diagnose_launches (const struct ummgr_diagnosing *g, int32_t device)
{
  /* One that is under way has been there from now on, too.  */
  return is_counted (device) ? g->begun[device] - (g->under_way[device] > 0) : 0;
}

bool
ummgr_diagnose_launched (const struct ummgr_diagnosing *g, int32_t device,
			 uint64_t since)
{
  return !is_counted (device) || g->handed[device] || g->begun[device] != since;
}

void
ummgr_diagnose_begun (struct ummgr_diagnosing *g, int32_t device, bool finished)
{
  if (!is_counted (device))
    return;
  if (!finished)
    {
      g->begun[device]++;
      g->under_way[device]++;
    }
  else if (g->under_way[device])
    g->under_way[device]--;
}

void
ummgr_diagnose_handed (struct ummgr_diagnosing *g, int32_t device)
{
  if (is_counted (device))
    g->handed[device] = true;
}

/* --- mappings --------------------------------------------------------------- */

/* Was the same range there before?  Then that it was taken away was in vain, unless the
   copies that this takes are blamed on it already.  */
static void
remapped (struct ummgr_diagnosing *g, struct ummgr_traced *t,
	  const struct ummgr_trace_present *p)
{
  for (size_t i = 0; i < UMMGR_TAKEN_AWAY; i++)
    if (t->away[i].size == p->size && t->away[i].offset == p->offset
	&& t->away[i].device == p->device)
      {
	struct ummgr_waste *w
	  = ummgr_diagnose_waste (g, t, UMMGR_FINDING_REMAPPED, false,
				  ummgr_arena_string (&g->arena, p->file), p->line,
				  ummgr_diagnose_phase (g));
	t->away[i].size = 0;
	if (w)
	  {
	    w->bytes += p->size;
	    w->of_bytes += p->size;
	  }
	return;
      }
}

void
ummgr_diagnose_here (struct ummgr_diagnosing *g, struct ummgr_traced *t,
		     const struct ummgr_trace_present *p, bool absent)
{
  if (!ummgr_diagnose_by_launches (g) || p->address == t->o.base + p->offset)
    return;
  /* Of which device was it?  */
  if (t->here && p->device != t->here_on)
    t->device_used = true;
  if (!absent)
    {
      remapped (g, t, p);
      if (t->here++ == 0)
	{
	  t->here_on = p->device;
	  t->here_since = ummgr_diagnose_launches (g, p->device);
	}
      return;
    }
  t->device_used |= ummgr_diagnose_launched (g, p->device, t->here_since);
  t->here -= t->here > 0;
  t->away[t->away_next++ % UMMGR_TAKEN_AWAY]
    = (struct ummgr_away) { p->device, p->offset, p->size };
}

void
ummgr_diagnose_here_end (struct ummgr_diagnosing *g, struct ummgr_traced *t)
{
  if (t->here)
    t->device_used |= g->d.cut || ummgr_diagnose_launched (g, t->here_on, t->here_since);
  t->here = t->away_next = 0;
  for (size_t i = 0; i < UMMGR_TAKEN_AWAY; i++)
    t->away[i].size = 0;
}

/* --- places ----------------------------------------------------------------- */

struct ummgr_moved *
ummgr_diagnose_moved (struct ummgr_diagnosing *g, struct ummgr_traced *t,
		      const char *file, uint32_t line, bool behind)
{
  for (size_t i = 0; i < t->moved_count; i++)
    if (t->moved[i].file == file && t->moved[i].line == line
	&& t->moved[i].behind == behind)
      return &t->moved[i];
  if (t->moved_count >= PLACES)
    return &t->moved[PLACES - 1];
  if (!ummgr_arena_grow (&g->arena, &t->moved, t->moved_count, &t->moved_room,
			 sizeof *t->moved))
    return NULL;
  t->moved[t->moved_count] = (struct ummgr_moved) {
    .object = &t->o, .file = file, .line = line, .behind = behind
  };
  return &t->moved[t->moved_count++];
}

void
ummgr_diagnose_faults (struct ummgr_diagnosing *g, const struct ummgr_trace_faults *f)
{
  struct ummgr_traced *t = ummgr_diagnose_find (g, f->object);
  struct ummgr_moved *m
    = t ? ummgr_diagnose_moved (g, t, ummgr_arena_string (&g->arena, f->file), f->line,
				!f->launch) : NULL;
  if (!m)
    return;
  m->gpu_faults += f->gpu_faults;
  m->cpu_faults += f->cpu_faults;
  m->evictions += f->evictions;
  m->in += f->in;
  m->out += f->out;
}

static int
by_bytes (const void *a_p, const void *b_p)
{
  const struct ummgr_moved *a = a_p, *b = b_p;
  uint64_t x = a->copied_in + a->copied_out + a->in + a->out;
  uint64_t y = b->copied_in + b->copied_out + b->in + b->out;
  if (x != y)
    return x > y ? -1 : 1;
  if (a->object->id != b->object->id)
    return a->object->id < b->object->id ? -1 : 1;
  return a->line != b->line ? (a->line > b->line) - (a->line < b->line)
    : a->behind - b->behind;
}

void
ummgr_diagnose_moved_end (struct ummgr_diagnosing *g)
{
  size_t count = 0;
  for (size_t i = 0; i < g->d.object_count; i++)
    count += g->all[i]->moved_count;
  struct ummgr_moved *all = count ? ummgr_arena_get (&g->arena, count * sizeof *all) : NULL;
  if (!all)
    return;
  for (size_t i = 0; i < g->d.object_count; i++)
    for (size_t j = 0; j < g->all[i]->moved_count; j++)
      all[g->d.moved_count++] = g->all[i]->moved[j];
  qsort (all, count, sizeof *all, by_bytes);
  g->d.moved = all;
}
