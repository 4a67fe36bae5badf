/* A set-associative TLB, each set with LRU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing but its instances.  A set's pages stand in the order of their
   last use.  */

#include "config.h"
#include "replay/tlb.h"

#include <stdlib.h>
#include <string.h>

#define NOTHING UINT32_MAX
#define WRITTEN (UINT32_C (1) << 31)

struct ummgr_tlb
{
  uint32_t sets, ways;
  uint32_t entry[];		/* A page, with WRITTEN, or NOTHING.  */
};

struct ummgr_tlb *
ummgr_tlb_create (uint32_t entries, uint32_t ways)
{
  if (!ways || ways > 64 || !entries || entries % ways)
    return NULL;
  struct ummgr_tlb *t
    = malloc (sizeof *t + entries * sizeof *t->entry);
  if (!t)
    return NULL;
  t->sets = entries / ways;
  t->ways = ways;
  memset (t->entry, 0xff, entries * sizeof *t->entry);
  return t;
}

void
ummgr_tlb_destroy (struct ummgr_tlb *t)
{
  free (t);
}

bool
ummgr_tlb_hit (struct ummgr_tlb *t, uint32_t page, bool write)
{
  uint32_t *set = t->entry + page % t->sets * t->ways;
  uint32_t i = 0;
  while (i < t->ways && (set[i] == NOTHING || (set[i] & ~WRITTEN) != page))
    i++;
  bool there = i < t->ways;
  bool written = there && set[i] & WRITTEN;
  if (!there)
    i = t->ways - 1;
  memmove (set + 1, set, i * sizeof *set);
  set[0] = page | (write || written ? WRITTEN : 0);
  return there && (written || !write);
}

void
ummgr_tlb_forget (struct ummgr_tlb *t, uint32_t lo, uint32_t hi)
{
  for (uint32_t i = 0; i < t->sets * t->ways; i++)
    if (t->entry[i] != NOTHING && (t->entry[i] & ~WRITTEN) >= lo
	&& (t->entry[i] & ~WRITTEN) < hi)
      t->entry[i] = NOTHING;
}
