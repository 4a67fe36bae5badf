/* The objects of a trace, and their units.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the table of them, by number, and their names.  */

#include "config.h"
#include "replay/objects.h"

#include <Judy.h>
#include <stdlib.h>
#include <string.h>

/* Units are page numbers modulo this.  */
enum { ALIGN = 512 };

/* Objects beyond this many pages in all (16 TiB) are not followed.  */
#define UNITS_MAX (UINT32_C (1) << 31)

struct ummgr_paged_object *
ummgr_paged_find (struct ummgr_paged *s, uint64_t id)
{
  PPvoid_t slot = JudyLGet (s->table, id, PJE0);
  return slot ? *slot : NULL;
}

/* Where O is to be thought of: what is mapped gets storage of its own, which begins
   with a block.  */
static uint64_t
address_of (const struct ummgr_paged_object *o)
{
  return o->o.flags & UMMGR_TRACE_OBJECT_UNIFIED ? o->o.base : 0;
}

static void
show (struct ummgr_paged *s, const struct ummgr_paged_object *o)
{
  struct ummgr_page_object shown = {
    .object = o->o.object, .name = o->o.name, .file = o->o.file, .line = o->o.line,
    .first = o->extent.first, .units = o->units,
    .unified = o->o.flags & UMMGR_TRACE_OBJECT_UNIFIED, .base = o->o.base, .size = o->o.size,
    .start = o->extent.start
  };
  if (s->emitter->sink->object && !s->emitter->failed
      && !s->emitter->sink->object (s->emitter->sink->data, &shown))
    s->emitter->failed = true;
}

/* How many pages O has; 0: too many, or it is none.  */
static uint64_t
pages_of (const struct ummgr_paged *s, const struct ummgr_paged_object *o)
{
  uint64_t start = address_of (o) % s->page_size, size = o->o.size;
  uint64_t pages = size ? (start + size - 1) / s->page_size + 1 : 0;
  return o->o.base + size < size || pages > UNITS_MAX ? 0 : pages;
}

/* The host had O, which has units now, for itself.  */
static void
touch_early (struct ummgr_paged *s, struct ummgr_paged_object *o)
{
  for (uint32_t i = 0; o->touched && i < o->units; i++)
    if (o->touched[i])
      {
	ummgr_emit (s->emitter, o->extent.first + i, UMMGR_PAGE_HOST_WRITE);
	s->emitter->host_events--; /* Counted when it was.  */
      }
  free (o->touched);
  o->touched = NULL;
  ummgr_reaches_forget (s->reaches);
}

bool
ummgr_paged_place (struct ummgr_paged *s, struct ummgr_paged_object *o)
{
  if (o->placed)
    return o->units;
  o->placed = true;
  uint64_t address = address_of (o), page = address / s->page_size;
  uint64_t pages = pages_of (s, o);
  uint64_t first = s->units + (page - s->units) % ALIGN;
  if (!pages || first + pages > UNITS_MAX)
    return false;
  uint32_t end = first + pages;
  if (!ummgr_emitter_memory (s->emitter, s->emitter->sink->object_bytes
					  + pages * s->emitter->sink->own_bytes)
      || !ummgr_emitter_grow (s->emitter, end))
    return false;
  o->extent = (struct ummgr_extent) {
    .first = first, .start = address % s->page_size, .size = o->o.size
  };
  o->units = pages;
  s->units = end;
  show (s, o);
  touch_early (s, o);
  return !s->emitter->failed;
}

bool
ummgr_paged_is_libgomps (const struct ummgr_paged *s,
			 const struct ummgr_paged_object *o)
{
  if (s->unify && !(o->o.flags & UMMGR_TRACE_OBJECT_UNIFIED))
    return !(o->o.flags & UMMGR_TRACE_OBJECT_HEAP) || o->o.size < s->unify;
  return o->said & UMMGR_TRACE_PRESENT_VARIABLE
	 || (o->said & UMMGR_TRACE_PRESENT_SMALL && s->managed);
}

/* O without units, which may be large, and never be a device's.  */
static void
touch_object (struct ummgr_paged *s, struct ummgr_paged_object *o,
	      struct ummgr_extent *out)
{
  uint64_t pages = pages_of (s, o);
  if (!pages || (!o->touched && !ummgr_emitter_memory (s->emitter, pages)))
    return;
  if (!o->touched && !(o->touched = calloc (pages, sizeof *o->touched)))
    s->emitter->failed = true;
  *out = (struct ummgr_extent) {
    .start = address_of (o) % s->page_size, .size = o->o.size,
    .touched = o->touched
  };
}

bool
ummgr_paged_extent (void *data, uint64_t id, bool on_device,
		    struct ummgr_extent *out)
{
  struct ummgr_paged *s = data;
  struct ummgr_paged_object *o = ummgr_paged_find (s, id);
  if (o && !o->placed 
      && (!on_device || ummgr_paged_is_libgomps (s, o)))
    touch_object (s, o, out);
  else if (o && ummgr_paged_place (s, o))
    *out = o->extent;
  return !s->emitter->failed;
}

/* Names may come later than the object, in a second record of it.  */
static void
rename_object (struct ummgr_paged *s, struct ummgr_paged_object *o,
	       const struct ummgr_trace_object *t)
{
  free ((char *) o->o.name);
  free ((char *) o->o.file);
  o->o.name = ummgr_emitter_copy (s->emitter, t->name);
  o->o.file = ummgr_emitter_copy (s->emitter, t->file);
  o->o.line = t->line;
  if (o->units && !s->emitter->failed)
    show (s, o);
}

void
ummgr_paged_appear (struct ummgr_paged *s, const struct ummgr_trace_object *t)
{
  struct ummgr_paged_object *o = ummgr_paged_find (s, t->object);
  if (o)
    {
      rename_object (s, o, t);
      return;
    }
  if (!ummgr_emitter_memory (s->emitter, UMMGR_PAGED_BYTES))
    return;
  o = calloc (1, sizeof *o);
  PPvoid_t slot = o ? JudyLIns (&s->table, t->object, PJE0) : NULL;
  if (!slot || slot == (PPvoid_t) PPJERR)
    {
      free (o);
      s->emitter->failed = true;
      return;
    }
  o->o = *t;
  o->o.name = o->o.file = NULL;
  rename_object (s, o, t);
  *slot = o;
  ummgr_reaches_forget (s->reaches);
  /* Policies see managed memory when it is allocated, in that order.  */
  s->managed |= (t->flags & UMMGR_TRACE_OBJECT_UNIFIED) != 0;
  if (t->flags & UMMGR_TRACE_OBJECT_UNIFIED && !s->emitter->failed)
    ummgr_paged_place (s, o);
}

/* Its numbers are not used again; its strings may be asked for.  */
void
ummgr_paged_go (struct ummgr_paged *s, uint64_t id)
{
  struct ummgr_paged_object *o = ummgr_paged_find (s, id);
  if (!o || o->gone || !ummgr_emitter_steps (s->emitter, o->units))
    return;
  o->gone = true;
  for (uint32_t i = 0; i < o->units; i++)
    ummgr_emit (s->emitter, o->extent.first + i, UMMGR_PAGE_FREE);
  free (o->touched);
  o->touched = NULL;
  ummgr_reaches_forget (s->reaches);
}

void
ummgr_paged_free (struct ummgr_paged *s)
{
  Word_t index = 0;
  for (PPvoid_t slot = JudyLFirst (s->table, &index, PJE0); slot;
       slot = JudyLNext (s->table, &index, PJE0))
    {
      struct ummgr_paged_object *o = *slot;
      free ((char *) o->o.name);
      free ((char *) o->o.file);
      free (o->touched);
      free (o);
    }
  JudyLFreeArray (&s->table, PJE0);
}
