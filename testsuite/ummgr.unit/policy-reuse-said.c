/* Breaks if what is said of reuse distances is believed though it isn't so, or not
   believed though it mostly is: an average, an inner loop's end, many objects of one
   launch, what is never heard of again, what is used after all.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"
#include "policy/reuse-said.h"

#include <math.h>
#include <string.h>

static struct ummgr_said said;
static const uint32_t key = 5;

static struct ummgr_said_promise
promise (double regions, uint64_t sequence)
{
  struct ummgr_said_promise p = { regions, sequence, key };
  ummgr_said_add (&said, &p);
  return p;
}

/* COUNT times in turn: DISTANCE is said, and it takes as many as ACTUAL says.  */
static bool
trusted_after (int count, double distance, const int *actual, int actuals)
{
  uint64_t now = 1;
  memset (&said, 0, sizeof said);
  for (int i = 0; i < count; i++)
    {
      struct ummgr_said_promise p = promise (distance, now);
      now += actual[i % actuals];
      ummgr_said_came (&said, &p, now);
      CHECK_EQ (p.regions, 0);
    }
  return ummgr_said_trusted (&said, key);
}

int
main (void)
{
  CHECK (ummgr_said_trusted (&said, key));
  CHECK (trusted_after (40, 1, (const int[]) { 1, 1, 2, 30 }, 4));
  CHECK (trusted_after (40, 4, (const int[]) { 2, 8 }, 2));
  CHECK (trusted_after (40, 4, (const int[]) { 4, 30, 30 }, 3));
  CHECK (!trusted_after (40, 4, (const int[]) { 9, 1, 1, 9 }, 4));
  CHECK (!trusted_after (40, 4, (const int[]) { 1 }, 1));
  /* It is believed again as soon as it is so.  */
  for (int i = 0; i < 2; i++)
    {
      struct ummgr_said_promise p = promise (3, 100 + i);
      ummgr_said_came (&said, &p, 103 + i);
    }
  CHECK (ummgr_said_trusted (&said, key));

  /* Nothing is heard of them: two launches, of any number of objects.  */
  memset (&said, 0, sizeof said);
  for (int i = 0; i < 9; i++)
    promise (1, 1);
  CHECK (ummgr_said_trusted (&said, key));
  promise (1, 2);
  CHECK (!ummgr_said_trusted (&said, key));
  CHECK (ummgr_said_trusted (&said, key + 1));

  /* However long it was kept.  */
  CHECK (trusted_after (40, 1, (const int[]) { 1 }, 1));
  for (int i = 0; i < 8; i++)
    promise (1, 100 + i);
  CHECK (!ummgr_said_trusted (&said, key));

  /* Never again, and then it is.  */
  CHECK (trusted_after (1, INFINITY, (const int[]) { 7 }, 1));
  CHECK (!trusted_after (2, INFINITY, (const int[]) { 7 }, 1));
  memset (&said, 0, sizeof said);
  for (int i = 0; i < 9; i++)
    promise (INFINITY, i);
  CHECK (ummgr_said_trusted (&said, key));

  /* Nothing was said.  */
  struct ummgr_said_promise none = { 0, 0, key };
  ummgr_said_came (&said, &none, 5);
  CHECK (ummgr_said_trusted (&said, key));

  /* What is told apart.  */
  uint32_t a = ummgr_said_key (1, "a", 1);
  CHECK_EQ (a, ummgr_said_key (1, "a", 1));
  CHECK (a < UMMGR_SAID_KEYS && a != ummgr_said_key (1, "b", 1)
	 && a != ummgr_said_key (1, "a", 3)
	 && a != ummgr_said_key (2, "a", 1)
	 && a != ummgr_said_key (1, NULL, 1));
  return 0;
}
