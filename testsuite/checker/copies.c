/* The checker's copies: each word of a span has the one that brought it.
   SPDX-License-Identifier: GPL-3.0-or-later

   Owns what is counted of each copy, and what the trace has said of it.  The
   two are compared at the end: the trace says it once, and a copy's words may
   go one after the other.  */

#include "checker.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct copy
{
  bool made, told;
  struct counts mine, theirs;
};

static struct copy *copies;
static uint64_t room;

static struct copy *
copy_of (uint64_t number)
{
  if (number >= room)
    {
      uint64_t more = 2 * number + 64;
      copies = realloc (copies, more * sizeof *copies);
      if (!copies)
	abort ();
      memset (copies + room, 0, (more - room) * sizeof *copies);
      room = more;
    }
  return &copies[number];
}

void
copies_bring (uint64_t copy, struct span *span, uint64_t address,
	      uint64_t size)
{
  uint64_t end = word_end (address, size), first = span->address / 4;
  copy_of (copy)->made = true;
  for (uint64_t n = address / 4; n < end; n++)
    span->brought[n - first] = copy;
}

void
copies_settle (struct span *span, uint64_t address, uint64_t size)
{
  uint64_t end = word_end (address, size), first = span->address / 4;
  for (uint64_t n = address / 4; n < end; n++)
    {
      const struct word *w = word_at (n);
      uint64_t *brought = &span->brought[n - first];
      if (!*brought)
	continue;
      struct copy *copy = copy_of (*brought);
      copy->mine.words++;
      copy->mine.unused += w->unread && !w->last_gpu;
      copy->mine.overwritten += w->unread && w->last_gpu;
      *brought = 0;
    }
}

void
copies_told (const struct ummgr_trace_outcome *outcome)
{
  struct copy *copy = copy_of (outcome->copy);
  if (copy->told)
    differ ("copy %" PRIu64 ": its outcome is told twice", outcome->copy);
  copy->told = true;
  copy->theirs = (struct counts) { outcome->words, outcome->unused,
				   outcome->overwritten };
}

void
copies_end (void)
{
  for (uint64_t i = 0; i < room; i++)
    {
      const struct copy *c = &copies[i];
      compared += c->made;
      if (c->made != c->told)
	differ ("copy %" PRIu64 ": %s", i,
		c->made ? "no outcome" : "an outcome, but no such copy");
      else if (memcmp (&c->mine, &c->theirs, sizeof c->mine) != 0)
	differ ("copy %" PRIu64 ": %" PRIu64 " words, %" PRIu64 " unused, %"
		PRIu64 " overwritten; should be %" PRIu64 ", %" PRIu64 ", %"
		PRIu64, i, c->theirs.words, c->theirs.unused,
		c->theirs.overwritten, c->mine.words, c->mine.unused,
		c->mine.overwritten);
    }
  free (copies);
}
