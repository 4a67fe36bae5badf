/* What a launch in a GPU's order finds at an address.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The trace says so of whole allocations (record AREA), launch by launch, and where objects
   and their copies on the device are: here it is put together.  Not thread-safe.  */

#pragma once

#include "replay/objects.h"

struct ummgr_areas
{
  struct ummgr_paged *objects;
  void *area;			/* JudyL, by begin: of the launch under way.  */
  void *part;			/* JudyL, by begin: of objects, or their copies.  */
};

/* The launch finds nothing anywhere yet.  */
void ummgr_areas_begin (struct ummgr_areas *a);
/* AREA is there.  False without memory; so does the next.  */
bool ummgr_areas_add (struct ummgr_areas *a, const struct ummgr_trace_area *area);

/* [ADDRESS, ADDRESS + SIZE) is OBJECT, from OFFSET on; or no longer.  */
bool ummgr_areas_part (struct ummgr_areas *a, uint64_t address, uint64_t size, uint64_t object,
		       uint64_t offset);
void ummgr_areas_part_gone (struct ummgr_areas *a, uint64_t address);

struct ummgr_area
{
  uint64_t base, end, key;	/* As in the trace; or a part of it.  */
  uint32_t kind;
  uint32_t units;		/* Not 0: it is managed memory, an object's from FIRST on, ...  */
  uint32_t first;
  uint64_t within;		/* ... and BASE is so many bytes behind that.  */
};

/* What ADDRESS is in.  */
struct ummgr_area ummgr_areas_find (const struct ummgr_areas *a, uint64_t address);

void ummgr_areas_free (struct ummgr_areas *a);
