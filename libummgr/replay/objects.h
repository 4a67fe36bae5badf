/* Inside pages.c: the objects of a trace, and their units.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   An object has units from when a device has it; managed memory, from when it
   appears.  What the host did with it before is kept until then, so that what is the
   host's alone never is anybody's business.  Not thread-safe.  */

#pragma once

#include "replay/reach.h"

/* Of memory for an object or region, with its small strings.  */
enum { UMMGR_PAGED_BYTES = 256 };

struct ummgr_paged_object
{
  struct ummgr_trace_object o;	/* Its strings are ours.  */
  bool placed;			/* Has units.  */
  bool gone;
  unsigned said;		/* enum ummgr_trace_present_flag, or-ed.  */
  bool *touched;		/* Without units: pages that were used, or NULL.  */
  uint32_t units;
  struct ummgr_extent extent;	/* Its SIZE is 0 without units.  */
};

struct ummgr_paged
{
  struct ummgr_emitter *emitter;
  struct ummgr_reaches *reaches;
  void *table;			/* Judy, by number.  */
  uint64_t page_size;		/* A power of 2.  */
  uint32_t units;		/* Beyond the last one.  */
  bool managed;			/* The program has managed memory.  */
  uint64_t unify;		/* As struct ummgr_page_options has it.  */
};

/* NULL: there is none.  */
struct ummgr_paged_object *ummgr_paged_find (struct ummgr_paged *s, uint64_t id);

/* Give O units, the first time it is needed; false if it has none.  */
bool ummgr_paged_place (struct ummgr_paged *s, struct ummgr_paged_object *o);

/* Is O libgomp's?  Where the program maps all that regions use, it is taken for
   managed memory like the rest: else there might be nothing to replay.  */
bool ummgr_paged_is_libgomps (const struct ummgr_paged *s,
			      const struct ummgr_paged_object *o);

/* As reach.h's FIND.  */
bool ummgr_paged_extent (void *data, uint64_t id, bool on_device,
			 struct ummgr_extent *out);

/* What the trace says of objects: one appears, or is named; one is gone.  */
void ummgr_paged_appear (struct ummgr_paged *s,
			 const struct ummgr_trace_object *t);
void ummgr_paged_go (struct ummgr_paged *s, uint64_t id);

void ummgr_paged_free (struct ummgr_paged *s);
