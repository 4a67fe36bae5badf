/* HPE on traces worked out by hand from its paper: constants, the chain's
   partitions (Figs 5 and 6), division (the NW example of IV-C), the hit record
   cache, Table III, MRU-C and Algorithm 1.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "paging/params.h"

static const struct ummgr_paging_ops *const ops = &ummgr_paging_hpe;
static struct ummgr_paging *p;

static void
begin (uint32_t units, enum ummgr_hpe_hits hits)
{
  struct ummgr_hpe_params params = ummgr_hpe_defaults ();
  params.hits = hits;
  p = ummgr_paging_hpe_create (units, &params);
  CHECK (p);
}

static struct ummgr_hpe_state
state (void)
{
  struct ummgr_hpe_state s;
  ummgr_paging_hpe_state (p, &s);
  return s;
}

static void
insert (uint32_t first, uint32_t count, uint32_t step)
{
  for (uint32_t i = 0; i < count; i++)
    ops->insert (p, first + i * step);
}

static void
touch (uint32_t first, uint32_t count, uint32_t times)
{
  for (uint32_t i = 0; i < count * times; i++)
    ops->touch (p, first + i % count);
}

static uint32_t
evict (void)
{
  uint32_t unit = ops->victim (p, NULL, NULL);
  ops->remove (p, unit);
  return unit;
}

static void
check_partitions (uint32_t old, uint32_t middle, uint32_t new)
{
  struct ummgr_hpe_state s = state ();
  CHECK_EQ (s.old, old);
  CHECK_EQ (s.middle, middle);
  CHECK_EQ (s.new, new);
}

static void
constants (void)
{
  struct ummgr_hpe_params a = ummgr_hpe_defaults ();
  CHECK_EQ (a.page_set, 16);
  CHECK_EQ (a.interval, 64);
  CHECK_EQ (a.counter_most, 64);
  CHECK (a.ratio1 == 0.3 && a.ratio2 == 2 && a.adjust);
  CHECK_EQ (a.fifo, 128);
  CHECK_EQ (a.wrong_most, 16);
  CHECK_EQ (a.jump, 16);
  CHECK_EQ (a.jump_least, 4 * 16);
  CHECK_EQ (a.transfer, 16);
  CHECK_EQ (a.hir_entries, 1024);
  CHECK_EQ (a.hir_ways, 8);
  CHECK_EQ (a.hir_most, 3);
  CHECK (ummgr_paging_find ("hpe") == ops);
  CHECK (!ummgr_paging_find ("hpe-nohits")->touch);
}

/* Is FIELD, a number of *A, good as GOOD but not as BAD?  */
static void
limit (struct ummgr_hpe_params *a, uint32_t *field, uint32_t good, uint32_t bad)
{
  uint32_t before = *field;
  *field = bad;
  CHECK (!ummgr_paging_hpe_create (100, a));
  *field = good;
  struct ummgr_paging *made = ummgr_paging_hpe_create (100, a);
  CHECK (made);
  ops->destroy (made);
  *field = before;
}

static void
limits (void)
{
  struct ummgr_hpe_params a = ummgr_hpe_defaults ();
  limit (&a, &a.page_set, 8, 12);
  limit (&a, &a.page_set, 2, 1);
  limit (&a, &a.page_set, 64, 128);
  limit (&a, &a.page_set, 32, 0);
  limit (&a, &a.counter_most, 4096, 4097);
  limit (&a, &a.counter_most, 16, 15);
  limit (&a, &a.interval, 1, 0);
  limit (&a, &a.fifo, 1, 0);
  limit (&a, &a.wrong_most, 1, 0);
  limit (&a, &a.transfer, 1, 0);
  limit (&a, &a.hir_ways, 8, 7);
  limit (&a, &a.hir_ways, 1, 0);
  limit (&a, &a.hir_entries, 1u << 24, 1u << 25);
  limit (&a, &a.hir_entries, 8, 24);
  limit (&a, &a.hir_most, 255, 256);
  limit (&a, &a.hir_most, 1, 0);
}

/* An interval is 64 faults; sets go from new to middle to old, and a touch
   takes one back, once an interval.  */
static void
partitions (void)
{
  begin (1024, UMMGR_HPE_HITS_EXACT);
  insert (0, 63, 1);
  check_partitions (0, 0, 4);
  insert (63, 1, 1);		/* The 64th fault ends the interval.  */
  check_partitions (0, 4, 0);
  ops->touch (p, 17);		/* Set 1 moves; then it stays.  */
  check_partitions (0, 3, 1);
  ops->touch (p, 18);
  check_partitions (0, 3, 1);
  insert (64, 64, 1);		/* Sets 4 to 7.  */
  check_partitions (3, 5, 0);
  insert (128, 64, 1);
  check_partitions (8, 4, 0);

  /* Sets 0, 2, 3 and then 1: LRU to MRU of the old ones, and 4 to 7 behind.
     All but 1 have counter 16, so the application is regular, and MRU-C takes
     the most recent of those, in the order of addresses.  */
  for (uint32_t u = 112; u < 128; u++)
    CHECK_EQ (evict (), u);
  CHECK_EQ (state ().category, UMMGR_HPE_REGULAR);
  CHECK (state ().mru_c);
  check_partitions (7, 4, 0);	/* Set 7 is gone.  */
  for (uint32_t u = 96; u > 64; u -= 16)
    for (uint32_t i = 0; i < 16; i++)
      CHECK_EQ (evict (), u + i);
  for (uint32_t i = 0; i < 16; i++)
    evict ();			/* Set 4.  */
  CHECK_EQ (evict (), 48);	/* Not 16 to 31: set 1 has counter 18.  */
  for (uint32_t i = 0; i < 47; i++)
    evict ();
  CHECK_EQ (evict (), 16);	/* The least counter above 16.  */
  for (uint32_t i = 0; i < 15; i++)
    evict ();
  /* The old partition is empty: LRU in the middle one.  */
  CHECK_EQ (evict (), 128);
  check_partitions (0, 4, 0);
  ops->destroy (p);
}

/* NW: even units first, then odd ones.  Page set 1 is units 16 to 31.  */
static void
division (void)
{
  begin (1024, UMMGR_HPE_HITS_EXACT);
  insert (16, 8, 2);		/* Counter 8.  */
  for (int i = 0; i < 55; i++)
    ops->touch (p, 16);
  CHECK_EQ (state ().divided, 0);
  ops->touch (p, 16);		/* 64, and 8 units untouched.  */
  CHECK_EQ (state ().divided, 1);
  check_partitions (0, 0, 1);
  insert (17, 8, 2);		/* The secondary.  */
  check_partitions (0, 0, 2);
  insert (128, 112, 1);		/* Sets 8 to 14; two intervals end.  */
  touch (128, 48, 1);
  check_partitions (2, 4, 3);	/* 8 to 10, touched, are new.  */
  /* Counters: 64 and 8 of the halves, three of 32, four of 16.  MRU-C wants
     16, and finds it in no old set; above it is the primary.  */
  for (uint32_t i = 0; i < 8; i++)
    CHECK_EQ (evict (), 16 + 2 * i);
  CHECK (state ().ratio1 == 1. / 8 && state ().ratio2 == 1. / 7);
  CHECK_EQ (state ().category, UMMGR_HPE_REGULAR);
  check_partitions (1, 4, 3);
  /* Gone from the chain, the primary is known by the history buffer: its
     units come back to a set apart from the secondary.  */
  insert (16, 1, 1);
  check_partitions (1, 4, 4);
  insert (18, 7, 2);
  check_partitions (1, 4, 4);
  ops->touch (p, 17);
  check_partitions (0, 4, 5);
  for (int i = 0; i < 100; i++)
    ops->touch (p, 17);
  CHECK_EQ (state ().divided, 1); /* Never again.  */
  ops->destroy (p);

  /* All touched: it stays whole.  */
  begin (64, UMMGR_HPE_HITS_EXACT);
  insert (16, 16, 1);
  touch (16, 16, 4);
  CHECK_EQ (state ().divided, 0);
  ops->destroy (p);
}

/* The HIR's content comes with every 16th fault, at most 3 of each unit.  */
static void
transfers (void)
{
  begin (4096 * 16, UMMGR_HPE_HITS_CACHE);
  insert (0, 8, 1);
  insert (16, 56, 1);		/* 64 faults; set 0 is in the middle.  */
  check_partitions (0, 5, 0);
  touch (0, 1, 100);
  insert (2048, 15, 1);
  check_partitions (0, 5, 1);
  insert (2063, 1, 1);		/* The 16th.  */
  check_partitions (0, 4, 2);
  ops->destroy (p);

  /* 8 ways: of 9 sets that are 128 apart, one finds no place.  */
  begin (4096 * 16, UMMGR_HPE_HITS_CACHE);
  insert (0, 9, 128 * 16);
  touch (0, 1, 1);
  for (uint32_t i = 0; i < 9; i++)
    ops->touch (p, i * 128 * 16);
  CHECK_EQ (state ().hits_lost, 1);
  ops->touch (p, 4 * 128 * 16);
  CHECK_EQ (state ().hits_lost, 1);
  insert (16, 7, 1);		/* The 16th fault flushes.  */
  ops->touch (p, 8 * 128 * 16);
  CHECK_EQ (state ().hits_lost, 1);
  ops->destroy (p);

  begin (256, UMMGR_HPE_HITS_NONE);
  insert (0, 64, 1);
  touch (0, 64, 3);
  insert (64, 16, 1);
  check_partitions (0, 4, 1);
  ops->destroy (p);
}

/* SETS16 sets with counter 16, and so on; ODD with counter 17.  */
static void
census (int sets16, int sets32, int sets48, int sets64, int odd,
	enum ummgr_hpe_category category)
{
  begin (4096, UMMGR_HPE_HITS_EXACT);
  int set = 0;
  const int counts[] = { sets16, sets32, sets48, sets64 };
  for (int times = 0; times < 4; times++)
    for (int i = 0; i < counts[times]; i++, set++)
      {
	insert (set * 16, 16, 1);
	touch (set * 16, 16, times);
      }
  for (int i = 0; i < odd; i++, set++)
    {
      insert (set * 16, 16, 1);
      ops->touch (p, set * 16);
    }
  CHECK_EQ (state ().category, UMMGR_HPE_UNKNOWN);
  evict ();
  CHECK_EQ (state ().category, category);
  CHECK (state ().mru_c == (category == UMMGR_HPE_REGULAR));
  ops->destroy (p);
}

/* Table III at its borders.  */
static void
classification (void)
{
  census (10, 0, 0, 0, 3, UMMGR_HPE_REGULAR); /* ratio1 is 0.3 exactly.  */
  census (10, 0, 0, 0, 4, UMMGR_HPE_IRREGULAR2);
  census (2, 2, 4, 3, 0, UMMGR_HPE_REGULAR); /* ratio2 is 7/4.  */
  census (2, 2, 4, 4, 0, UMMGR_HPE_IRREGULAR1); /* 2.  */
  census (0, 0, 1, 0, 0, UMMGR_HPE_IRREGULAR1); /* Infinite.  */
  census (0, 0, 0, 0, 1, UMMGR_HPE_IRREGULAR2);
  census (4, 0, 9, 0, 4, UMMGR_HPE_IRREGULAR2); /* 4/13 comes first.  */
  census (4, 0, 10, 0, 4, UMMGR_HPE_IRREGULAR1);
}

/* Regular with SETS old sets when memory is full; WRONG evicted units come
   back.  Returns how far the search point is.  */
static uint32_t
jump_after (uint32_t sets, uint32_t wrong)
{
  begin (8192, UMMGR_HPE_HITS_EXACT);
  insert (0, (sets + 4) * 16, 1);	/* The last 4 are in the middle.  */
  check_partitions (sets, 4, 0);
  for (uint32_t i = 0; i < wrong; i++)
    ops->insert (p, evict ());
  CHECK_EQ (state ().switches, 0);
  uint32_t at = state ().search_point;
  if (at)
    /* Each wrong eviction took a set to the new partition; of what is
       left, 16 are left out.  */
    CHECK_EQ (evict (), (sets - 1 - wrong - 16) * 16);
  ops->destroy (p);
  return at;
}

struct step
{
  int wait;			/* Intervals that pass first; -1: the end.  */
  bool mru_c;			/* After 16 wrong evictions.  */
};

/* Irregular#2: all counters are 17.  */
static void
switching (const struct step *step)
{
  begin (1 << 16, UMMGR_HPE_HITS_EXACT);
  for (uint32_t set = 0; set < 200; set++)
    {
      insert (set * 16, 16, 1);
      ops->touch (p, set * 16);
    }
  uint32_t fresh = 200 * 16;
  ops->victim (p, NULL, NULL);
  CHECK_EQ (state ().category, UMMGR_HPE_IRREGULAR2);
  CHECK (!state ().mru_c);
  for (; step->wait >= 0; step++)
    {
      uint32_t rest = 64 - state ().faults % 64 + 64 * (step->wait - 1);
      if (step->wait)
	{
	  insert (fresh, rest, 1);
	  fresh += rest;
	}
      bool before = state ().mru_c;
      for (int k = 0; k < 16; k++)
	{
	  CHECK (state ().mru_c == before);
	  ops->insert (p, evict ());
	}
      CHECK (state ().mru_c == step->mru_c);
    }
  ops->destroy (p);
}

static void
switches (void)
{
  static const struct step slowly[] = {
    { 3, true },		/* LRU went 3; MRU-C was never tried.  */
    { 2, false },		/* MRU-C went 2: LRU went longer.  */
    { 1, true },		/* LRU went 1 this time.  */
    { 4, true },		/* MRU-C went 4.  */
    { 1, true },		/* 1 each: nothing changes.  */
    { -1, false }
  };
  static const struct step at_once[] = {
    { 3, true },
    { 0, false },		/* In the interval in which it was tried.  */
    { 1, false },
    { -1, false }
  };
  switching (slowly);
  switching (at_once);
}

/* 128 evictions are remembered, 129 are not.  */
static void
fifo (uint32_t between, uint32_t expected)
{
  begin (8192, UMMGR_HPE_HITS_EXACT);
  insert (0, 100 * 16, 1);
  uint32_t first[16];
  for (int i = 0; i < 16; i++)
    first[i] = evict ();
  for (uint32_t i = 0; i < between; i++)
    evict ();
  for (int i = 0; i < 16; i++)
    ops->insert (p, first[i]);
  CHECK_EQ (state ().search_point, expected);
  ops->destroy (p);
}

/* In two intervals each, 20 evictions are wrong.  The search point of policy NAME jumps
   once, or again.  */
static void
jumps_again (const char *name, uint32_t expected)
{
  p = ummgr_paging_find (name)->create (8192);
  CHECK (p);
  insert (0, 204 * 16, 1);
  for (int i = 0; i < 20; i++)
    ops->insert (p, evict ());
  CHECK_EQ (state ().search_point, 16);
  insert (4096, 64, 1);		/* The next interval.  */
  for (int i = 0; i < 20; i++)
    ops->insert (p, evict ());
  CHECK_EQ (state ().search_point, expected);
  ops->destroy (p);
}

/* Sets are compared from the most recent old one on: until one with counter 16,
   or all.  */
static void
comparisons (void)
{
  begin (1024, UMMGR_HPE_HITS_EXACT);
  insert (0, 14 * 16, 1);	/* Set 8 on are in the middle, or new.  */
  check_partitions (8, 4, 2);
  CHECK_EQ (evict (), 112);
  CHECK_EQ (state ().searches, 0);
  ummgr_paging_hpe_measure (p);
  for (uint32_t i = 1; i < 16; i++)
    CHECK_EQ (evict (), 112 + i);
  CHECK_EQ (state ().searches, 15);
  CHECK_EQ (state ().comparisons, 15);
  ops->destroy (p);

  begin (1024, UMMGR_HPE_HITS_EXACT);
  insert (0, 128, 1);
  touch (48, 80, 1);		/* Sets 3 to 7 have 32.  */
  insert (512, 128, 1);
  touch (512, 64, 1);
  check_partitions (8, 4, 4);
  ummgr_paging_hpe_measure (p);
  CHECK_EQ (evict (), 32);
  CHECK_EQ (state ().comparisons, 1 + 5);
  touch (0, 16, 1);		/* To the new ones.  */
  touch (16, 16, 1);
  touch (33, 15, 1);
  CHECK_EQ (evict (), 112);	/* All that are left have 32.  */
  CHECK_EQ (state ().searches, 2);
  CHECK_EQ (state ().comparisons, 6 + 5);
  ops->destroy (p);
}

/* Hits on three page sets between two transfers, 16 faults apart.  */
static void
entries_in_use (void)
{
  begin (1024, UMMGR_HPE_HITS_CACHE);
  insert (0, 48, 1);
  uint64_t transfers = state ().transfers, entries = state ().entries;
  touch (0, 48, 2);
  insert (48, 16, 1);
  CHECK_EQ (state ().transfers, transfers + 1);
  CHECK_EQ (state ().entries, entries + 3);
  ops->destroy (p);
}

int
main (void)
{
  constants ();
  limits ();
  partitions ();
  division ();
  transfers ();
  classification ();
  CHECK_EQ (jump_after (64, 15), 0);
  CHECK_EQ (jump_after (64, 16), 16);
  CHECK_EQ (jump_after (64, 17), 16);
  CHECK_EQ (jump_after (60, 40), 0);
  switches ();
  fifo (112, 16);
  fifo (113, 0);
  jumps_again ("hpe", 16);
  jumps_again ("hpe-jumps", 32);
  comparisons ();
  entries_in_use ();
  return 0;
}
