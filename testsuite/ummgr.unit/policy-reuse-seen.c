/* Breaks if the reuse distances learned from a run are wrong once a loop has
   gone round once (the nest of SC'19 Fig. 3, alternations, many inner
   rounds), if a wrong one is called proved for long, or if random sequences
   or more objects than are kept upset the book-keeping.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"
#include "random.h"
#include "policy/reuse-seen.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 200000 };

/* A sequence of regions, each a letter; objects are letters, too.  */
static char regions[MOST];
static int count;
static const char *(*uses) (char region);

/* The truth: regions until OBJECT is used again; 0: never.  */
static int
next_use (int at, char object)
{
  for (int i = at + 1; i < count; i++)
    if (strchr (uses (regions[i]), object))
      return i - at;
  return 0;
}

struct score
{
  int asked, right, proved, proved_right;
};

/* Run the sequence; score the predictions from region FROM on.  */
static struct score
run (int from)
{
  struct ummgr_seen *seen = ummgr_seen_new ();
  struct score score = { 0, 0, 0, 0 };
  for (int i = 0; i < count; i++)
    {
      ummgr_seen_begin (seen, regions[i] * 16, i + 1);
      for (const char *o = uses (regions[i]); *o; o++)
	{
	  uint32_t n = ummgr_seen_object (seen, *o * 4096);
	  struct ummgr_seen_distance d = ummgr_seen_use (seen, n);
	  int truth = next_use (i, *o);
	  if (i < from || !truth)
	    continue;
	  score.asked++;
	  score.right += d.regions == truth;
	  score.proved += d.proved;
	  score.proved_right += d.proved && d.regions == truth;
	}
    }
  ummgr_seen_free (seen);
  return score;
}

/* SC'19 Fig. 3: O, and V, in TR0; V, N and F in TR1; V, F and O in TR2.  */
static const char *
cfd_uses (char region)
{
  return region == '0' ? "VO" : region == '1' ? "VNF" : "VFO";
}

static int
cfd (int outer, int inner)
{
  count = 0;
  for (int i = 0; i < outer; i++)
    {
      regions[count++] = '0';
      for (int j = 0; j < inner; j++)
	{
	  regions[count++] = '1';
	  regions[count++] = '2';
	}
    }
  return 1 + 2 * inner;
}

/* After one round, and the region that shows it was one, all is right.  */
static void
nests (void)
{
  uses = cfd_uses;
  for (int inner = 1; inner <= 40; inner++)
    {
      int round = cfd (6, inner);
      struct score s = run (round);
      CHECK_EQ (s.right, s.asked);
      s = run (3 * round);
      CHECK_EQ (s.right, s.asked);
      CHECK (s.proved * 100 > s.asked * 95);
    }
  /* Rounds too long for any context: wrong at their ends at most.  */
  int round = cfd (20, 300);
  struct score s = run (round);
  CHECK (s.right * 100 >= s.asked * 98);
}

static const char *
own_letter (char region)
{
  static char text[3] = "ab";
  text[0] = region;
  text[1] = 'z';
  return text;
}

static void
alternations (void)
{
  uses = own_letter;
  count = 0;
  for (int i = 0; i < 50; i++)
    regions[count++] = i % 2 ? 'p' : 'q';
  struct score s = run (3);
  CHECK_EQ (s.right, s.asked);
  /* Inner loops of 3 and 5 rounds in turn: right from the second time on.  */
  count = 0;
  for (int i = 0; i < 40; i++)
    {
      regions[count++] = 'h';
      for (int j = 0; j < (i % 2 ? 3 : 5); j++)
	{
	  regions[count++] = 'p';
	  regions[count++] = 'q';
	}
    }
  s = run (50);
  CHECK_EQ (s.right, s.asked);
  /* Phases: what was right before is found again.  */
  count = 0;
  for (int phase = 0; phase < 6; phase++)
    for (int i = 0; i < 30; i++)
      regions[count++] = phase % 2 ? "pqr"[i % 3] : "rqqp"[i % 4];
  s = run (60);
  CHECK (s.right * 100 >= s.asked * 90);
}

/* Nothing can be known: but most that is called proved must not be wrong all
   the time, and z, used by each region, is always next.  */
static void
disorder (void)
{
  uint64_t x = 88172645463325252u;
  uses = own_letter;
  count = 0;
  for (int i = 0; i < 3000; i++)
    regions[count++] = 'a' + random64 (&x) % 5;
  struct score s = run (100);
  CHECK (s.right * 2 >= s.asked);
}

/* When a prediction counts as proved.  One region uses the object, at distances
   that the test chooses, with others in between that come only once each, so
   that the last distance is all there is to go by.  */
static void
proofs (void)
{
  static const struct { int distance; bool proved; } uses[] = {
    /* Nothing is known, then nothing predicted, then hits.  */
    { 0, false }, { 2, false }, { 2, true }, { 2, true }, { 2, true },
    { 2, true }, { 2, true },
    /* It takes three misses on end to unprove that, however many hits there
       were.  */
    { 3, true }, { 5, true }, { 3, false },
    /* And one hit to prove something again, however many misses.  */
    { 5, false }, { 3, false }, { 4, false }, { 6, false }, { 6, true },
    { 5, false }, { 4, false }, { 4, true }
  };
  struct ummgr_seen *seen = ummgr_seen_new ();
  uint64_t sequence = 0;
  uint64_t other = 1000;
  uint32_t n = ummgr_seen_object (seen, 4096);
  for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
    {
      for (int j = 1; j < uses[i].distance; j++)
	ummgr_seen_begin (seen, ++other, ++sequence);
      ummgr_seen_begin (seen, 16, ++sequence);
      struct ummgr_seen_distance d = ummgr_seen_use (seen, n);
      CHECK_EQ (d.regions, i ? uses[i].distance : -1);
      CHECK_EQ (d.proved, uses[i].proved);
    }
  ummgr_seen_free (seen);
}

/* The history wraps around many times, objects come back, and more come than
   are kept.  */
static void
much (void)
{
  struct ummgr_seen *seen = ummgr_seen_new ();
  uint64_t sequence = 0;
  for (int i = 0; i < 400000; i++)
    {
      ummgr_seen_begin (seen, 1 + i % 7, ++sequence);
      for (int j = 0; j < 3; j++)
	{
	  uint32_t n = ummgr_seen_object (seen, 64 + (i + j) % 14);
	  struct ummgr_seen_distance d = ummgr_seen_use (seen, n);
	  if (i > 100)
	    CHECK_EQ ((int) d.regions, j ? 1 : 12);
	  /* Twice in one region is one use.  */
	  CHECK (ummgr_seen_use (seen, n).regions < 0);
	}
    }
  uint32_t first = ummgr_seen_object (seen, 1);
  CHECK (first && ummgr_seen_object (seen, 1) == first);
  for (uint64_t i = 0; i < 70000; i++)
    ummgr_seen_object (seen, (i + 2) * 4096);
  CHECK_EQ (ummgr_seen_object (seen, 1), first);
  CHECK_EQ (ummgr_seen_object (seen, 3), 0);
  CHECK (ummgr_seen_use (seen, 0).regions < 0);
  ummgr_seen_free (seen);
}

/* A distance beyond 32 bits is none, and not what is left of it in these.  */
static void
far (void)
{
  struct ummgr_seen *seen = ummgr_seen_new ();
  const uint64_t long_way = (UINT64_C (1) << 32) + 5;
  for (uint64_t i = 0; i < 4; i++)
    {
      ummgr_seen_begin (seen, 16, 1 + i * long_way);
      struct ummgr_seen_distance d
	= ummgr_seen_use (seen, ummgr_seen_object (seen, 4096));
      CHECK (d.regions == -1 && !d.proved);
    }
  ummgr_seen_free (seen);
}

int
main (void)
{
  nests ();
  alternations ();
  disorder ();
  proofs ();
  much ();
  far ();
  return 0;
}
