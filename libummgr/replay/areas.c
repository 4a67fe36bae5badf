/* What a launch in a GPU's order finds at an address.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the two tables.  */

#include "config.h"
#include "replay/areas.h"

#include "gpu/gpu.h"

#include <Judy.h>
#include <stdlib.h>

struct part
{
  uint64_t begin, end;
  uint64_t object, offset;
};

static void
free_all (void **table)
{
  Word_t index = 0;
  for (PPvoid_t slot = JudyLFirst (*table, &index, PJE0); slot;
       slot = JudyLNext (*table, &index, PJE0))
    free (*slot);
  JudyLFreeArray (table, PJE0);
}

void
ummgr_areas_begin (struct ummgr_areas *a)
{
  free_all (&a->area);
}

void
ummgr_areas_free (struct ummgr_areas *a)
{
  free_all (&a->area);
  free_all (&a->part);
}

/* Room for SIZE bytes at INDEX of TABLE; NULL: no memory.  */
static void *
slot_of (void **table, Word_t index, size_t size)
{
  PPvoid_t slot = JudyLIns (table, index, PJE0);
  if (!slot || slot == (PPvoid_t) PPJERR)
    return NULL;
  if (!*slot && !(*slot = malloc (size)))
    JudyLDel (table, index, PJE0);
  return *slot;
}

bool
ummgr_areas_add (struct ummgr_areas *a, const struct ummgr_trace_area *area)
{
  struct ummgr_trace_area *to = slot_of (&a->area, area->base, sizeof *to);
  if (to)
    *to = *area;
  return to;
}

bool
ummgr_areas_part (struct ummgr_areas *a, uint64_t address, uint64_t size, uint64_t object,
		  uint64_t offset)
{
  struct part *to = slot_of (&a->part, address, sizeof *to);
  if (to)
    *to = (struct part) { address, address + size, object, offset };
  return to;
}

void
ummgr_areas_part_gone (struct ummgr_areas *a, uint64_t address)
{
  PPvoid_t slot = JudyLGet (a->part, address, PJE0);
  if (!slot)
    return;
  free (*slot);
  JudyLDel (&a->part, address, PJE0);
}

static uint64_t
greater (uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

static uint64_t
lesser (uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

/* PART of OBJECT is at ADDRESS: what lies there, up to the parts before and behind it.  */
static void
find_object (const struct ummgr_areas *a, const struct part *part,
	     const struct ummgr_paged_object *object, struct ummgr_area *out)
{
  uint64_t origin = part->begin - part->offset - object->extent.start;
  Word_t index = part->begin;
  PPvoid_t slot = JudyLPrev (a->part, &index, PJE0);
  const struct part *other = slot ? *slot : NULL;
  out->base = greater (out->base, origin > part->begin ? part->begin : origin);
  if (other)
    out->base = greater (out->base, lesser (other->end, part->begin));
  index = part->begin;
  if (JudyLNext (a->part, &index, PJE0))
    out->end = lesser (out->end, index);
  out->end = lesser (out->end, origin + object->units * a->objects->page_size);
  out->units = object->units;
  out->first = object->extent.first;
  out->within = out->base - origin;
}

struct ummgr_area
ummgr_areas_find (const struct ummgr_areas *a, uint64_t address)
{
  Word_t index = address;
  PPvoid_t slot = JudyLLast (a->area, &index, PJE0);
  const struct ummgr_trace_area *area = slot ? *slot : NULL;
  uint64_t sector = address & -(uint64_t) UMMGR_GPU_SECTOR;
  if (!area || address >= area->end)
    return (struct ummgr_area) {
      .base = sector, .end = sector + UMMGR_GPU_SECTOR, .kind = UMMGR_GPU_NONE
    };
  struct ummgr_area out = { area->base, area->end, area->key, area->kind, 0, 0, 0 };
  /* Objects may begin within a sector.  */
  index = sector + UMMGR_GPU_SECTOR - 1;
  slot = out.kind != UMMGR_GPU_NONE ? JudyLLast (a->part, &index, PJE0) : NULL;
  const struct part *part = slot ? *slot : NULL;
  const struct ummgr_paged_object *object
    = part && address < part->end ? ummgr_paged_find (a->objects, part->object) : NULL;
  if (object && object->units)
    find_object (a, part, object, &out);
  uint64_t room = out.units * a->objects->page_size;
  if (address >= out.base && address < out.end
      && (!room || (out.within < room && address - out.base < room - out.within)))
    return out;
  /* A trace that was made with intent.  */
  return (struct ummgr_area) {
    .base = sector, .end = sector + UMMGR_GPU_SECTOR, .kind = UMMGR_GPU_NONE
  };
}
