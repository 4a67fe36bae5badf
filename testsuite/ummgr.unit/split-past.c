/* Whether regions run over several GPUs: programs that pay for it for ever, programs that pay
   once and gain for long, and mixtures, which must not take much longer than the better of the
   two ways.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "split/past.h"
#include "check.h"
#include "random.h"

#include <math.h>
#include <stdint.h>

static uint64_t state = 88172645463325252ull;

static double
any (void)
{
  return (double) (random64 (&state) >> 11) * 0x1p-53;
}

/* The header's example, launch by launch.  */
static void
example (void)
{
  struct ummgr_past past = { .whole = false };
  for (int launch = 1; launch <= 68; launch++)
    {
      bool was = past.whole;
      ummgr_past_whole (&past, 1, 10);
      /* What is decided is the launch at hand, too.  */
      CHECK (was == (launch >= 4 && launch <= 24) || was == (launch >= 28));
    }
  CHECK (past.patience >= 4);
}

/* Gains that are worth a payment now and then.  */
static void
worth_it (void)
{
  struct ummgr_past past = { .whole = false };
  for (int launch = 0; launch < 1000; launch++)
    CHECK (!ummgr_past_whole (&past, 1, launch % 20 == 0 ? 10 : 0));
}

/* Random ones: seconds against those of the better way, of one that knew.  */
static void
mixtures (void)
{
  for (int program = 0; program < 2000; program++)
    {
      struct ummgr_past past = { .whole = false };
      double level = 4 * any (), most = 0.01 + any (), dearest = 0;
      double here = 0, split = 0, whole = 0;
      for (int launch = 0; launch < 5000; launch++)
	{
	  double gain = most * any (), pay = any () < 0.3 ? level * most * any () : 0;
	  bool one = ummgr_past_whole (&past, gain, pay);
	  dearest = fmax (dearest, pay);
	  here += one ? gain : pay;
	  split += pay;
	  whole += gain;
	}
      CHECK (here <= 1.5 * fmin (split, whole) + 60 * dearest);
    }
}

/* The header's example of what is foreseen, and what undoes it.  */
static void
foreseen (void)
{
  for (int launches = 3; launches <= 10; launches += 7)
    {
      struct ummgr_past past = { .whole = false };
      struct ummgr_past_region region = { .launches = 0 };
      for (int i = 0; i < launches; i++)
	CHECK (ummgr_past_foresees (&past, &region, 9, launches, 30) == (launches == 10));
    }

  /* One that gains more than the other loses, as the tables have it, until it has run.  */
  struct ummgr_past past = { .whole = false };
  struct ummgr_past_region a = { .expected = 10 }, b = { .expected = 10 };
  CHECK (!ummgr_past_foresees (&past, &a, -20, 10, 30) && past.ahead == -200);
  CHECK (!ummgr_past_foresees (&past, &b, 9, 10, 30) && past.ahead == -110);
  ummgr_past_gains (&past, &a, 20, 25);
  CHECK (past.ahead == -110);
  ummgr_past_gains (&past, &a, 20, 5);
  CHECK (past.ahead == -110 + 9 * 15);
  CHECK (!ummgr_past_foresees (&past, &b, 9, 10, 30));
  CHECK (ummgr_past_foresees (&past, &b, 13, 10, 30));

  /* Nothing is tried while it is a loss, and a region that is new says whether that lasts.  */
  for (int i = 0; i < 1000; i++)
    CHECK (ummgr_past_whole (&past, 1, 0));
  struct ummgr_past_region c = { .launches = 0 };
  CHECK (ummgr_past_foresees (&past, &c, -100, 10, 30) && past.ahead < 0);
  double ahead = past.ahead;
  CHECK (ummgr_past_foresees (&past, &c, 100, 10, 30) && past.ahead == ahead);
  CHECK (!ummgr_past_whole (&past, 1, 0));

  /* What was foreseen of nobody is lost first: as much as it takes to have all on one.  */
  past = (struct ummgr_past) { .together = 50 };
  for (int launch = 1; launch <= 6; launch++)
    CHECK (ummgr_past_whole (&past, 1, 10) == (launch == 6));
}

/* What slices lose adds up, what they gain makes up for it, but not ahead; and each region
   has its own.  */
static void
sliced (void)
{
  struct ummgr_past_slices s = { .vain = false };
  for (int launch = 0; launch < 100; launch++)
    {
      ummgr_past_sliced (&s, launch % 2 ? 1.1 : 0.9, 1);
      CHECK (!s.vain);
    }
  ummgr_past_sliced (&s, 1.1, 1);
  CHECK (s.vain);
  s = (struct ummgr_past_slices) { .vain = false };
  ummgr_past_sliced (&s, 1.2, 1);
  CHECK (s.vain);
  ummgr_past_sliced (&s, 0, 1);
  CHECK (s.vain);

  /* Two launches as a whole: the first brought its data, the second is half as large.  */
  s = (struct ummgr_past_slices) { .vain = false };
  CHECK (ummgr_past_otherwise (&s, 4) == 0);
  ummgr_past_unsliced (&s, 8, 4);
  CHECK (ummgr_past_otherwise (&s, 4) == 0);
  ummgr_past_unsliced (&s, 1.5, 2);
  CHECK (ummgr_past_otherwise (&s, 4) == 3);
  static char regions[2000];
  for (int i = 0; i < 2000; i++)
    {
      struct ummgr_past_region *r = ummgr_past_of (&regions[i], 0);
      CHECK ((r != NULL) == (i < 1024));
      if (r)
	r->work.seconds = i + 1;
    }
  CHECK (!ummgr_past_of (&regions[0], 1));
  for (int i = 0; i < 1024; i++)
    CHECK (ummgr_past_of (&regions[i], 0)->work.seconds == i + 1);
}

static void
took (void)
{
  struct ummgr_past_work work = { .seconds = 0 };
  ummgr_past_took (&work, 0, 1, 0, false, INFINITY);
  CHECK (work.seconds == 0);
  ummgr_past_took (&work, 100, 3, 1, true, INFINITY);
  CHECK (fabs (work.seconds - 0.02) < 1e-12 && !work.sure);
  ummgr_past_took (&work, 100, 3, 1, true, 0.01);
  CHECK (fabs (work.seconds - 0.01) < 1e-12);
  ummgr_past_took (&work, 100, 1.5, 1, false, INFINITY);
  CHECK (fabs (work.seconds - 0.005) < 1e-12 && work.sure);
  ummgr_past_took (&work, 100, 9, 1, true, INFINITY);
  CHECK (fabs (work.seconds - 0.005) < 1e-12);
  ummgr_past_took (&work, 100, 0.5, 1, false, INFINITY);
  CHECK (work.seconds > 0 && work.seconds < 1e-12);
}

int
main (void)
{
  example ();
  worth_it ();
  mixtures ();
  foreseen ();
  sliced ();
  took ();
  return 0;
}
