/* The TLB of a replay has other hits than one that is searched: a set's pages are
   out of order, a page that left is still there, sets that are no power of 2 get
   each other's pages, or a multiprocessor has those of another.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "replay/tlb.h"
#include "slow-tlb.h"

static uint64_t seed = 7;

static uint32_t
pick (uint32_t n)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t) (seed >> 33) % n;
}

static void
against_the_slow (uint32_t entries, uint32_t ways)
{
  static struct slow_tlb slow;
  struct ummgr_tlb *t = ummgr_tlb_create (entries, ways);
  CHECK (t);
  slow_tlb_clear (&slow, entries, ways);
  uint32_t pages = 1, hits = 0;
  CHECK (ummgr_tlb_grow (t, pages));
  for (int i = 0; i < 60000; i++)
    {
      if (i % 1000 == 0)
	{
	  pages += pick (entries);
	  CHECK (ummgr_tlb_grow (t, pages));
	}
      if (!pick (500))
	{
	  uint32_t lo = pick (pages), hi = lo + pick (pages - lo + 1);
	  ummgr_tlb_forget (t, lo, hi);
	  slow_tlb_forget (&slow, lo, hi);
	}
      /* Mostly few, so that there are hits.  */
      uint32_t most = pick (3) ? 1 + pages / 4 : pages;
      uint32_t page = pick (most);
      bool hit = ummgr_tlb_use (t, page);
      CHECK_EQ (hit, slow_tlb_hit (&slow, page));
      hits += hit;
    }
  CHECK (hits > 0 && hits < 60000);
  ummgr_tlb_destroy (t);
}

/* All of a GPU: what a multiprocessor has not, the shared one may have.  */
static void
all_levels (struct ummgr_tlbs_shape shape)
{
  static struct slow_tlbs slow;
  struct ummgr_tlbs *t = ummgr_tlbs_create (&shape);
  uint32_t pages = 60, hits = 0;
  CHECK_EQ (t != NULL, ummgr_tlbs_any (&shape));
  if (!t)
    return;
  CHECK (ummgr_tlbs_grow (t, pages));
  slow_tlbs_clear (&slow, &shape);
  for (int i = 0; i < 30000; i++)
    {
      uint32_t sm = pick (shape.sms), page = pick (pick (3) ? 20 : pages);
      if (!pick (50))
	{
	  ummgr_tlbs_forget (t, page, page + 1);
	  slow_tlbs_forget (&slow, page);
	}
      bool hit = ummgr_tlbs_use (t, sm, page);
      CHECK_EQ (hit, slow_tlbs_hit (&slow, sm, page));
      hits += hit;
    }
  CHECK (hits > 0 && hits < 30000);
  ummgr_tlbs_destroy (t);
}

int
main (void)
{
  static const uint32_t shape[][2]
    = { { 1, 1 }, { 4, 1 }, { 6, 2 }, { 8, 8 }, { 12, 4 }, { 64, 64 },
	{ 100, 20 }, { 512, 16 } };
  for (unsigned i = 0; i < sizeof shape / sizeof *shape; i++)
    against_the_slow (shape[i][0], shape[i][1]);
  CHECK (!ummgr_tlb_create (16, 0));
  CHECK (!ummgr_tlb_create (16, 3));
  CHECK (!ummgr_tlb_create (0, 1));
  CHECK (!ummgr_tlb_create (2 * (UMMGR_TLB_WAYS_MOST + 1),
			    UMMGR_TLB_WAYS_MOST + 1));
  all_levels ((struct ummgr_tlbs_shape) { { 0, 0 }, { 0, 0 }, 3 });
  all_levels ((struct ummgr_tlbs_shape) { { 24, 4 }, { 0, 0 }, 3 });
  all_levels ((struct ummgr_tlbs_shape) { { 0, 0 }, { 8, 8 }, 5 });
  all_levels ((struct ummgr_tlbs_shape) { { 24, 4 }, { 8, 8 }, 3 });
  return 0;
}
