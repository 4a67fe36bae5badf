/* Parts of teams' steps.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns those that may be named, in the order in which they came.  */

#include "config.h"
#include "replay/parts.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

struct ummgr_kept
{
  struct ummgr_gpu_part *part;
  uint64_t size;
};

/* Of memory for one, besides its bytes.  */
enum { KEPT_BYTES = 64 };

/* The first COUNT may be named no more.  */
static void
forget (struct ummgr_parts *p, size_t count)
{
  for (size_t i = 0; i < count; i++)
    {
      ummgr_gpu_part_leave (p->kept[i].part);
      p->bytes -= p->kept[i].size;
      p->limit->memory += p->kept[i].size + KEPT_BYTES;
    }
  p->count -= count;
  p->first += count;
  memmove (p->kept, p->kept + count, p->count * sizeof *p->kept);
}

/* Those go that are too far back; many at a time, so that this takes little.  */
static void
forget_old (struct ummgr_parts *p)
{
  uint64_t rest = p->bytes;
  size_t old = 0;
  if (p->bytes <= 2 * UMMGR_TRACE_PARTS_MAX)
    return;
  while (old < p->count && rest > UMMGR_TRACE_PARTS_MAX)
    rest -= p->kept[old++].size;
  forget (p, old);
}

static bool
add (struct ummgr_parts *p, struct ummgr_gpu_part **part_p)
{
  if (!UMMGR_GROW (p->kept, p->room, p->count + 1)
      || !ummgr_trace_limit_memory (p->limit, p->size + KEPT_BYTES)
      || !(*part_p = ummgr_gpu_part_create (p->piece, p->size)))
    return false;
  p->kept[p->count++] = (struct ummgr_kept) { *part_p, p->size };
  p->bytes += p->size;
  p->size = 0;
  forget_old (p);
  return true;
}

bool
ummgr_parts_take (struct ummgr_parts *p, const struct ummgr_trace_steps *s,
		  struct ummgr_gpu_part **part_p)
{
  *part_p = NULL;
  if (s->same)
    {
      uint64_t i = s->same - 1 - p->first;
      *part_p = i < p->count ? p->kept[i].part : NULL;
      return true;
    }
  if (!UMMGR_GROW (p->piece, p->piece_room, p->size + s->size))
    return false;
  memcpy (p->piece + p->size, s->bytes, s->size);
  p->size += s->size;
  return s->left || add (p, part_p);
}

void
ummgr_parts_free (struct ummgr_parts *p)
{
  for (size_t i = 0; i < p->count; i++)
    ummgr_gpu_part_leave (p->kept[i].part);
  free (p->kept);
  free (p->piece);
}
