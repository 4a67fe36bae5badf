/* Which part of an object each GPU is to have: a part that another writes, bytes that a GPU uses
   and nobody has for it, shared memory that is taken for parts, or parts for shared memory.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "placement/parts.h"
#include "check.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 88172645463325252ull;

static int64_t
between (int64_t lo, int64_t hi)
{
  return lo + (int64_t) (random64 (&state) % (uint64_t) (hi - lo + 1));
}

static struct ummgr_footprint use[UMMGR_PARTS_GPUS];

static void
clear (void)
{
  for (unsigned g = 0; g < UMMGR_PARTS_GPUS; g++)
    use[g] = (struct ummgr_footprint) { .known = true };
}

static void
reads (unsigned g, int64_t lo, int64_t hi)
{
  use[g].read = true;
  ummgr_intervals_add (&use[g].reads, lo, hi);
}

static void
writes (unsigned g, int64_t lo, int64_t hi)
{
  use[g].written = true;
  ummgr_intervals_add (&use[g].writes, lo, hi);
}

static bool
is (struct ummgr_interval i, int64_t lo, int64_t hi)
{
  return i.lo == lo && i.hi == hi;
}

/* The header's example.  */
static void
example (void)
{
  struct ummgr_parts p;
  clear ();
  reads (0, 0, 801600);
  reads (0, 56, 64);
  reads (1, 56, 64);
  reads (1, 798400, 1600000);
  ummgr_parts_decide (use, 2, 1600000, &p);
  CHECK_EQ (p.way, UMMGR_PARTS_OWN);
  CHECK (is (p.gpu[0].own, 0, 800000) && is (p.gpu[1].own, 800000, 1600000));
  CHECK (p.gpu[0].far.count == 1 && is (p.gpu[0].far.at[0], 800000, 801600));
  CHECK (p.gpu[1].far.count == 2 && is (p.gpu[1].far.at[0], 56, 64)
	 && is (p.gpu[1].far.at[1], 798400, 800000));
  clear ();
  writes (0, 1600, 800000);
  writes (1, 800000, 1598400);
  ummgr_parts_decide (use, 2, 1600000, &p);
  CHECK_EQ (p.way, UMMGR_PARTS_OWN);
  CHECK (is (p.gpu[0].own, 1600, 800000) && is (p.gpu[1].own, 800000, 1598400));
  CHECK (p.gpu[0].far.count == 0 && p.gpu[1].far.count == 0);
}

static void
by_hand (void)
{
  struct ummgr_parts p;
  /* All read all: copies; and one that is unknown.  */
  clear ();
  for (unsigned g = 0; g < 4; g++)
    reads (g, 0, 100000);
  ummgr_parts_decide (use, 4, 100000, &p);
  CHECK_EQ (p.way, UMMGR_PARTS_COPIES);
  CHECK (is (p.gpu[3].far.at[0], 0, 100000) && is (p.gpu[3].own, 0, 0));
  clear ();
  for (unsigned g = 0; g < 4; g++)
    reads (g, g * 25000, g * 25000 + 25000);
  use[2].known = false;
  ummgr_parts_decide (use, 4, 100000, &p);
  CHECK_EQ (p.way, UMMGR_PARTS_COPIES);
  CHECK (is (p.gpu[2].far.at[0], 0, 100000) && is (p.gpu[1].far.at[0], 25000, 50000));
  /* Columns: each writes nearly from end to end.  */
  clear ();
  for (unsigned g = 0; g < 4; g++)
    writes (g, g * 1000, 97000 + g * 1000);
  ummgr_parts_decide (use, 4, 100000, &p);
  CHECK_EQ (p.way, UMMGR_PARTS_HOME);
  /* Backwards, and a GPU that does nothing; bytes beyond the object are not there.  */
  clear ();
  writes (0, 60000, 120000);
  writes (2, -500, 50000);
  ummgr_parts_decide (use, 3, 100000, &p);
  CHECK_EQ (p.way, UMMGR_PARTS_OWN);
  CHECK (is (p.gpu[0].own, 60000, 100000) && is (p.gpu[2].own, 0, 50000)
	 && is (p.gpu[1].own, 0, 0));
  /* One reads what all write their part of.  */
  clear ();
  for (unsigned g = 0; g < 2; g++)
    writes (g, g * 50000, g * 50000 + 50000);
  reads (1, 0, 100000);
  ummgr_parts_decide (use, 2, 100000, &p);
  CHECK_EQ (p.way, UMMGR_PARTS_OWN);
  CHECK (p.gpu[0].far.count == 0 && p.gpu[1].far.count == 1
	 && is (p.gpu[1].far.at[0], 0, 50000));
  clear ();
  ummgr_parts_decide (use, 4, 100000, &p);
  CHECK_EQ (p.way, UMMGR_PARTS_UNUSED);
  /* Rows of 800,000 bytes, of which each uses 200,000, and 8 bytes of its neighbour's; shorter
     ones are not worth it.  */
  for (int64_t row = 800000; row >= 80000; row /= 10)
    {
      clear ();
      for (unsigned g = 0; g < 4; g++)
	{
	  int64_t lo = g * row / 4, hi = lo + row / 4;
	  writes (g, lo, 4 * row + hi);
	  use[g].rows = (struct ummgr_rows) { .row = row, .first = 0, .last = 5 };
	  ummgr_intervals_add (&use[g].rows.writes, lo, hi);
	  ummgr_intervals_add (&use[g].rows.reads, lo, hi + 8);
	}
      ummgr_parts_decide (use, 4, (uint64_t) (5 * row), &p);
      CHECK_EQ (p.way, row == 800000 ? UMMGR_PARTS_OWN : UMMGR_PARTS_HOME);
      CHECK (p.row == (row == 800000 ? row : 0) && p.last == (row == 800000 ? 5 : 1));
      CHECK (row < 800000 || (is (p.gpu[1].own, 200000, 400000) && p.gpu[1].far.count == 1
			      && is (p.gpu[1].far.at[0], 400000, 400008)));
    }
}

static bool
has (const struct ummgr_intervals *s, int64_t at)
{
  for (unsigned i = 0; i < s->count; i++)
    if (s->at[i].lo <= at && at < s->at[i].hi)
      return true;
  return false;
}

static bool
in (struct ummgr_interval i, int64_t at)
{
  return i.lo <= at && at < i.hi;
}

/* Whatever it is: what a GPU uses is its own or named; no byte is two GPUs' own.  */
static void
anything (void)
{
  enum { SIZE = 3000 };
  struct ummgr_parts p;
  unsigned count = (unsigned) between (1, UMMGR_PARTS_GPUS);
  clear ();
  for (unsigned g = 0; g < count; g++)
    for (int64_t n = between (0, 3); n > 0; n--)
      {
	int64_t lo = between (-100, SIZE), hi = lo + between (0, 800);
	if (between (0, 2))
	  reads (g, lo, hi);
	else
	  writes (g, lo, hi);
      }
  ummgr_parts_decide (use, count, SIZE, &p);
  for (int64_t b = 0; b < SIZE; b++)
    {
      unsigned owners = 0;
      for (unsigned g = 0; g < count; g++)
	{
	  bool mine = in (p.gpu[g].own, b);
	  owners += mine;
	  bool uses = has (&use[g].reads, b) || has (&use[g].writes, b);
	  CHECK (!uses || p.way == UMMGR_PARTS_UNUSED || mine || has (&p.gpu[g].far, b));
	  CHECK (!mine || p.way == UMMGR_PARTS_OWN);
	  CHECK (!mine || !has (&p.gpu[g].far, b));
	}
      CHECK (owners <= 1);
    }
  for (unsigned g = 0; g < count; g++)
    CHECK (p.gpu[g].own.lo >= 0 && p.gpu[g].own.hi <= SIZE);
}

/* Of a quarter of the accesses as large a part is far as of the bytes; of more than all, all.  */
static void
far_part (void)
{
  struct ummgr_parts parts = { .last = 1 };
  parts.gpu[0] = (struct ummgr_parts_gpu) { .own = { 0, 1000 }, .bytes = 1000,
					    .far = { .count = 1, .at = { { 1000, 4000 } } } };
  CHECK (ummgr_parts_far (&parts, 0, 3000) == 750);
  parts.gpu[0].bytes = 4000;
  CHECK (ummgr_parts_far (&parts, 0, 3000) == 3000);
  parts.gpu[0].bytes = INFINITY;
  CHECK (ummgr_parts_far (&parts, 0, 3000) == 3000);
  parts.row = 4000;
  parts.last = 10;
  parts.gpu[0].bytes = 4000;
  CHECK (ummgr_parts_far (&parts, 0, 30000) == 3000);
  CHECK (ummgr_parts_even (&parts, 4, 65536, 4096, 4096) && parts.gpu[3].own.lo == 49152);
  CHECK (!ummgr_parts_even (&parts, 4, 65536, 4096, 16385));
}

int
main (void)
{
  example ();
  by_hand ();
  far_part ();
  for (int i = 0; i < 3000; i++)
    anything ();
  return 0;
}
