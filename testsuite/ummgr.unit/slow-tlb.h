/* Set-associative TLBs with LRU, slowly: each set an array in the order of last
   use.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include "replay/tlb.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { SLOW_TLB_MOST = 4096, SLOW_TLB_SMS = 8 };

struct slow_tlb
{
  uint32_t sets, ways;
  int64_t page[SLOW_TLB_MOST];
};

static void
slow_tlb_clear (struct slow_tlb *t, uint32_t entries, uint32_t ways)
{
  t->sets = entries / ways;
  t->ways = ways;
  for (uint32_t i = 0; i < entries; i++)
    t->page[i] = -1;
}

/* Was PAGE there?  */
static bool
slow_tlb_hit (struct slow_tlb *t, uint32_t page)
{
  int64_t *set = &t->page[page % t->sets * t->ways];
  uint32_t at = 0;
  while (at < t->ways && set[at] != page)
    at++;
  bool there = at < t->ways;
  memmove (set + 1, set, (there ? at : at - 1) * sizeof *set);
  set[0] = page;
  return there;
}

static void
slow_tlb_forget (struct slow_tlb *t, uint32_t lo, uint32_t hi)
{
  for (uint32_t i = 0; i < t->sets * t->ways; i++)
    if (t->page[i] >= lo && t->page[i] < hi)
      t->page[i] = -1;
}

/* --- all of a GPU -------------------------------------------------------- */

struct slow_tlbs
{
  struct ummgr_tlbs_shape shape;
  struct slow_tlb shared, own[SLOW_TLB_SMS];
};

static inline void
slow_tlbs_clear (struct slow_tlbs *t, const struct ummgr_tlbs_shape *shape)
{
  t->shape = *shape;
  if (shape->shared.entries)
    slow_tlb_clear (&t->shared, shape->shared.entries, shape->shared.ways);
  for (uint32_t sm = 0; shape->own.entries && sm < shape->sms; sm++)
    slow_tlb_clear (&t->own[sm], shape->own.entries, shape->own.ways);
}

static inline bool
slow_tlbs_hit (struct slow_tlbs *t, uint32_t sm, uint32_t page)
{
  if (t->shape.own.entries && slow_tlb_hit (&t->own[sm], page))
    return true;
  return t->shape.shared.entries && slow_tlb_hit (&t->shared, page);
}

static inline void
slow_tlbs_forget (struct slow_tlbs *t, uint32_t page)
{
  if (t->shape.shared.entries)
    slow_tlb_forget (&t->shared, page, page + 1);
  for (uint32_t sm = 0; t->shape.own.entries && sm < t->shape.sms; sm++)
    slow_tlb_forget (&t->own[sm], page, page + 1);
}
