/* Whether what is said of reuse distances comes true in this run.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"
#include "policy/reuse-said.h"

#include <math.h>

/* A promise is kept that is right to this factor: many distances are what is
   expected on average.  */
#define FACTOR 2

/* A promise costs when it is made, for those that aren't kept may never be heard
   of again; one that is kept gives more back, since an average is missed as often
   as not and an inner loop that ends breaks what was said in it.  Those of one
   launch cost as one.  The last few decide.  */
enum { MADE = -1, KEPT = 3, MOST = 6, LEAST = -4, DISTRUST = -2 };

uint32_t
ummgr_said_key (uint64_t region, const char *name, unsigned source)
{
  uint64_t x = region * UMMGR_SAID_KEYS + source;
  for (const char *p = name; p && *p; p++)
    x = (x ^ (unsigned char) *p) * UINT64_C (0x100000001b3);
  x *= UINT64_C (0x9e3779b97f4a7c15);
  return x >> 32 & (UMMGR_SAID_KEYS - 1);
}

bool
ummgr_said_trusted (const struct ummgr_said *said, uint32_t key)
{
  return said->score[key] > DISTRUST;
}

static void
change (struct ummgr_said *said, uint32_t key, int by)
{
  int score = said->score[key] + by;
  said->score[key] = score > MOST ? MOST : score < LEAST ? LEAST : score;
}

void
ummgr_said_add (struct ummgr_said *said,
		const struct ummgr_said_promise *promise)
{
  if (promise->regions < INFINITY
      && said->last[promise->key] != promise->sequence)
    change (said, promise->key, MADE);
  said->last[promise->key] = promise->sequence;
}

void
ummgr_said_came (struct ummgr_said *said, struct ummgr_said_promise *promise,
		 uint64_t sequence)
{
  double regions = (double) (sequence - promise->sequence);
  if (promise->regions == INFINITY)
    change (said, promise->key, MADE);
  else if (regions <= promise->regions * FACTOR
	   && regions * FACTOR >= promise->regions)
    change (said, promise->key, KEPT);
  promise->regions = 0;
}
