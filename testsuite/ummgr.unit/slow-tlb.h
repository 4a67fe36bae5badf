/* A set-associative TLB with LRU, slowly: each set an array in the order of last
   use.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { SLOW_TLB_MOST = 4096 };

struct slow_tlb
{
  uint32_t sets, ways;
  struct { int64_t page; bool written; } entry[SLOW_TLB_MOST];
};

static void
slow_tlb_clear (struct slow_tlb *t, uint32_t entries, uint32_t ways)
{
  t->sets = entries / ways;
  t->ways = ways;
  for (uint32_t i = 0; i < entries; i++)
    t->entry[i].page = -1;
}

static inline bool
slow_tlb_has (const struct slow_tlb *t, uint32_t page)
{
  for (uint32_t i = 0; i < t->ways; i++)
    if (t->entry[page % t->sets * t->ways + i].page == page)
      return true;
  return false;
}

/* Was PAGE there, and written if this is a WRITE?  */
static bool
slow_tlb_hit (struct slow_tlb *t, uint32_t page, bool write)
{
  uint32_t first = page % t->sets * t->ways, at = first;
  while (at < first + t->ways && t->entry[at].page != page)
    at++;
  bool there = at < first + t->ways;
  bool written = there && t->entry[at].written;
  if (!there)
    at--;
  memmove (&t->entry[first + 1], &t->entry[first],
	   (at - first) * sizeof *t->entry);
  t->entry[first].page = page;
  t->entry[first].written = write || written;
  return there && (written || !write);
}

static void
slow_tlb_forget (struct slow_tlb *t, uint32_t lo, uint32_t hi)
{
  for (uint32_t i = 0; i < t->sets * t->ways; i++)
    if (t->entry[i].page >= lo && t->entry[i].page < hi)
      t->entry[i].page = -1;
}
