/* Diagnosis: objects, as they come, go and are present on devices.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Objects of the same name, place and size that come and go (temporaries of
   each step) are one entry.  */

#include "config.h"
#include "diagnose/traced.h"

#include <stdlib.h>
#include <string.h>

enum { SMALL_IDS = 1 << 20 };

struct ummgr_traced *
ummgr_diagnose_find (struct ummgr_diagnosing *g, uint64_t id)
{
  if (id == g->last_id)
    return g->last;
  g->last_id = id;
  return g->last = id < g->small_room ? g->small_ids[id]
	 : ummgr_number_find (&g->ids, id);
}

/* Numbers are given from 1 on, so an array finds nearly all.  */
static void
keep_small (struct ummgr_diagnosing *g, uint64_t id, struct ummgr_traced *t)
{
  size_t room = g->small_room ? g->small_room : 256;
  if (id >= SMALL_IDS)
    return;
  while (room <= id)
    room *= 2;
  if (room > g->small_room)
    {
      struct ummgr_traced **larger
	  = realloc (g->small_ids, room * sizeof *larger);
      if (!larger)
	{
	  g->arena.failed = true;
	  return;
	}
      for (size_t i = g->small_room; i < room; i++)
	larger[i] = ummgr_number_find (&g->ids, i);
      g->small_ids = larger;
      g->small_room = room;
    }
  g->small_ids[id] = t;
}

/* Strings have one address each, so that is what tells them apart.  */
static uint64_t
kind_of (const struct ummgr_traced_object *o)
{
  uint64_t h = (uintptr_t) o->name * 0x9e3779b97f4a7c15u;
  h = (h ^ (uintptr_t) o->file) * 0xc2b2ae3d27d4eb4fu;
  h = (h ^ o->line) * 0x165667b19e3779f9u;
  h = (h ^ o->size) * 0x9e3779b97f4a7c15u;
  /* Without a name and a place only the address tells.  */
  if (!*o->name && !*o->file)
    h = (h ^ o->base) * 0xc2b2ae3d27d4eb4fu;
  return h ? h : 1;
}

static bool
same_kind (const struct ummgr_traced_object *a,
	   const struct ummgr_traced_object *b)
{
  return a->name == b->name && a->file == b->file && a->line == b->line
	 && a->size == b->size
	 && (*a->name || *a->file || a->base == b->base);
}

static struct ummgr_traced *
new_entry (struct ummgr_diagnosing *g, const struct ummgr_traced_object *o,
	   uint64_t kind)
{
  if (!ummgr_arena_grow (&g->arena, &g->all, g->d.object_count,
			 &g->object_room, sizeof *g->all))
    return NULL;
  struct ummgr_traced *t = ummgr_arena_get (&g->arena, sizeof *t);
  if (!t)
    return NULL;
  t->o = *o;
  t->file = "";
  t->order = g->d.object_count;
  t->kind = kind;
  g->all[g->d.object_count++] = t;
  return t;
}

/* T goes; the next that is like it will be shown as the same.  */
static void
put_gone (struct ummgr_diagnosing *g, struct ummgr_traced *t)
{
  void **first = ummgr_number_slot (&g->kinds, t->kind);
  t->live = false;
  if (!first)
    {
      g->arena.failed = true;
      return;
    }
  t->same = *first;
  *first = t;
}

/* One that is gone and was like O, or NULL.  */
static struct ummgr_traced *
take_gone (struct ummgr_diagnosing *g, uint64_t kind,
	   const struct ummgr_traced_object *o)
{
  struct ummgr_traced *t = ummgr_number_find (&g->kinds, kind);
  if (!t || !same_kind (&t->o, o))
    return NULL;
  *ummgr_number_slot (&g->kinds, kind) = t->same;
  t->same = NULL;
  return t;
}

/* More is known of an object that is there: its name, as a rule.  */
static void
update (struct ummgr_traced *t, const struct ummgr_traced_object *o)
{
  if (*o->name)
    t->o.name = o->name;
  if (*o->file)
    {
      t->o.file = o->file;
      t->o.line = o->line;
    }
  if (*o->layout)
    t->o.layout = o->layout;
  if (o->element_size)
    t->o.element_size = o->element_size;
  t->o.flags |= o->flags;
  t->unified |= (o->flags & UMMGR_TRACE_OBJECT_UNIFIED) != 0;
}

void
ummgr_diagnose_object (struct ummgr_diagnosing *g,
		       const struct ummgr_trace_object *object)
{
  struct ummgr_arena *arena = &g->arena;
  struct ummgr_traced_object o = {
    .id = object->object, .base = object->base, .size = object->size,
    .name = ummgr_arena_string (arena, object->name),
    .file = ummgr_arena_string (arena, object->file), .line = object->line,
    .flags = object->flags, .element_size = object->element_size,
    .layout = ummgr_arena_string (arena, object->layout), .merged = 1
  };
  if (!object->object)
    return;
  g->last_id = 0;
  g->last = NULL;
  struct ummgr_traced *t = ummgr_number_find (&g->ids, object->object);
  if (t)
    {
      update (t, &o);
      return;
    }
  void **id = ummgr_number_slot (&g->ids, object->object);
  if (!id)
    {
      arena->failed = true;
      return;
    }
  uint64_t kind = kind_of (&o);
  t = take_gone (g, kind, &o);
  if (t)
    {
      t->o.merged++;
      t->o.base = o.base;
      t->o.flags |= o.flags;
    }
  else
    t = new_entry (g, &o, kind);
  if (!t)
    return;
  t->live = true;
  t->unified |= (t->o.flags & UMMGR_TRACE_OBJECT_UNIFIED) != 0;
  *id = t;
  keep_small (g, object->object, t);
}

void
ummgr_diagnose_gone (struct ummgr_diagnosing *g, uint64_t id)
{
  struct ummgr_traced *t = ummgr_diagnose_find (g, id);
  g->last_id = 0;
  g->last = NULL;
  if (!t)
    return;
  ummgr_diagnose_pages_end (g, t);
  ummgr_diagnose_copies_gone (g, t, NULL);
  ummgr_diagnose_here_end (g, t);
  if (t->live)
    put_gone (g, t);
  t->slot_count = t->slot_next = 0;
  t->read_mostly = t->mapped = false;
  /* Its number stays known: its facts may come at the end of the phase.  */
}

void
ummgr_diagnose_present (struct ummgr_diagnosing *g,
			const struct ummgr_trace_present *p, bool absent)
{
  struct ummgr_traced *t = ummgr_diagnose_find (g, p->object);
  if (!t)
    return;
  ummgr_diagnose_here (g, t, p, absent);
  if (absent)
    {
      ummgr_diagnose_copies_gone (g, t, p);
      for (size_t i = 0; i < t->slot_count; i++)
	if (t->slots[i].device == p->device)
	  t->slots[i].held = false;
      return;
    }
  t->on_device = true;
  t->variable |= (p->flags & UMMGR_TRACE_PRESENT_VARIABLE) != 0;
  t->device = p->device;
  /* Unified memory is where it is.  */
  if (p->address == t->o.base + p->offset)
    {
      t->unified = true;
      t->o.flags |= UMMGR_TRACE_OBJECT_UNIFIED;
    }
  if (!*t->file && p->file && *p->file)
    {
      t->file = ummgr_arena_string (&g->arena, p->file);
      t->line = p->line;
    }
}

void
ummgr_diagnose_advice (struct ummgr_diagnosing *g,
		       const struct ummgr_trace_move *move)
{
  struct ummgr_traced *t = ummgr_diagnose_find (g, move->object);
  /* Of most of it: a page more or less is not what matters.  */
  if (!t || move->size < t->o.size - t->o.size / 4)
    return;
  switch (move->advice)
    {
    case UMMGR_TRACE_READ_MOSTLY:
    case UMMGR_TRACE_NOT_READ_MOSTLY:
      t->read_mostly = move->advice == UMMGR_TRACE_READ_MOSTLY;
      break;
    case UMMGR_TRACE_ACCESSED_BY:
    case UMMGR_TRACE_NOT_ACCESSED_BY:
      t->mapped = move->advice == UMMGR_TRACE_ACCESSED_BY;
      break;
    default:
      break;
    }
}

const char *
ummgr_diagnose_called (const struct ummgr_traced *t, const char *file,
		       uint32_t line)
{
  for (size_t i = 0; i < t->called_count; i++)
    if (t->called[i].file == file && t->called[i].line == line)
      return t->called[i].name;
  return NULL;
}

void
ummgr_diagnose_use (struct ummgr_diagnosing *g,
		    const struct ummgr_trace_use *use)
{
  enum { CALLED = 64 };
  struct ummgr_traced *t = ummgr_diagnose_find (g, use->object);
  const struct ummgr_trace_region *r = ummgr_diagnose_region (g, use->launch);
  const char *name = use->hint.name;
  if (!t || !r || !name || !*name || t->called_count >= CALLED
      || ummgr_diagnose_called (t, r->file, r->line)
      || !ummgr_arena_grow (&g->arena, &t->called, t->called_count,
			    &t->called_room, sizeof *t->called))
    return;
  t->called[t->called_count++] = (struct ummgr_called) {
    r->file, r->line, ummgr_arena_string (&g->arena, name)
  };
}
