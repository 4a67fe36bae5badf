/* Page events on their way to the sink.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing but what is in an emitter, and its TLBs.  */

#include "config.h"
#include "replay/emit.h"

#include <stdlib.h>
#include <string.h>

bool
ummgr_emitter_steps (struct ummgr_emitter *e, uint64_t steps)
{
  if (!ummgr_trace_limit_steps (e->limit, steps))
    e->failed = true;
  return !e->failed;
}

bool
ummgr_emitter_memory (struct ummgr_emitter *e, uint64_t bytes)
{
  if (!ummgr_trace_limit_memory (e->limit, bytes))
    e->failed = true;
  return !e->failed;
}

char *
ummgr_emitter_copy (struct ummgr_emitter *e, const char *text)
{
  char *copy = strdup (text);
  e->failed |= !copy;
  return copy;
}

void
ummgr_emitter_flush (struct ummgr_emitter *e)
{
  if (e->count && !e->failed
      && !e->sink->events (e->sink->data, e->batch, e->count))
    e->failed = true;
  e->count = 0;
}

void
ummgr_emit (struct ummgr_emitter *e, uint32_t unit, unsigned kind)
{
  ummgr_emit_inline (e, unit, kind);
}

bool
ummgr_emitter_grow (struct ummgr_emitter *e, uint32_t units)
{
  ummgr_emitter_flush (e);
  if (units > e->units)
    {
      uint32_t room = units > 2 * e->units ? units : 2 * e->units;
      /* The sink grows as this does.  */
      if (!ummgr_emitter_memory (e, (uint64_t) (room - e->units)
				    * (sizeof *e->seen + e->tlb_bytes
				       + e->sink->unit_bytes)))
	return false;
      uint8_t *seen = realloc (e->seen, room * sizeof *seen);
      if (seen)
	{
	  memset (seen + e->units, 0, (room - e->units) * sizeof *seen);
	  e->seen = seen;
	}
      if (!seen || (e->tlb && !ummgr_tlbs_grow (e->tlb, room)))
	e->failed = true;
      else
	e->units = room;
    }
  if (!e->failed && !e->sink->grow (e->sink->data, units))
    e->failed = true;
  return !e->failed;
}

void
ummgr_emitter_fini (struct ummgr_emitter *e)
{
  ummgr_tlbs_destroy (e->tlb);
  free (e->seen);
}
