/* Whether it pays to run regions over several GPUs, or in slices.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns what is known of each region.  */

#include "config.h"
#include "split/past.h"

#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#define TRIES 2

/* Beyond that many regions, how long those take that come later isn't known.  */
enum { REGIONS = 1024 };
static struct
{
  const void *region;
  int device;
  struct ummgr_past_region past;
} regions[REGIONS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct ummgr_past_region *
ummgr_past_of (const void *region, int device)
{
  size_t place = ((uintptr_t) region / 16 + device) % REGIONS, i = 0;
  struct ummgr_past_region *found = NULL;
  pthread_mutex_lock (&lock);
  while (i < REGIONS && regions[place].region
	 && (regions[place].region != region || regions[place].device != device))
    {
      place = (place + 1) % REGIONS;
      i++;
    }
  if (i < REGIONS)
    {
      regions[place].region = region;
      regions[place].device = device;
      found = &regions[place].past;
    }
  pthread_mutex_unlock (&lock);
  return found;
}

bool
ummgr_past_foresees (struct ummgr_past *past, struct ummgr_past_region *region, double loses,
		     double expected, double together)
{
  past->together = fmax (past->together, together);
  double left = fmax (expected - region->launches, 1);
  if (!past->whole || region->launches < 1)
    {
      past->ahead += left * loses - region->ahead;
      region->ahead = left * loses;
    }
  region->launches++;
  if (!past->whole && past->ahead > past->together)
    {
      past->whole = true;
      past->balance = 0;
    }
  return past->whole;
}

void
ummgr_past_gains (struct ummgr_past *past, struct ummgr_past_region *region, double gain,
		  double most)
{
  double less = fmax (region->expected - region->launches, 1) * fmax (gain - most, 0);
  past->ahead += less;
  region->ahead += less;
}

bool
ummgr_past_whole (struct ummgr_past *past, double gain, double pay)
{
  past->patience = fmax (past->patience, TRIES);
  if (!past->whole)
    past->dearest = fmax (past->dearest, pay);
  double limit = past->whole ? fmax (past->patience * past->dearest, past->together)
		 : past->together > 0 ? fmax (past->together, past->dearest) : TRIES * past->dearest;
  past->balance = fmin (past->balance + (past->whole ? -gain : gain - pay), 0);
  if (-past->balance > limit && !(past->whole && past->ahead > 0))
    {
      past->patience *= past->whole ? 2 : 1;
      past->whole = !past->whole;
      past->balance = 0;
    }
  return past->whole;
}

void
ummgr_past_unsliced (struct ummgr_past_slices *slices, double took, double bytes)
{
  double rate = took / bytes;
  slices->rate = slices->wholes++ ? fmin (slices->rate, rate) : rate;
}

double
ummgr_past_otherwise (const struct ummgr_past_slices *slices, double bytes)
{
  return slices->wholes < 2 ? 0 : bytes * slices->rate;
}

void
ummgr_past_sliced (struct ummgr_past_slices *slices, double took, double otherwise)
{
  slices->lost = fmax (slices->lost + took - otherwise, 0);
  slices->vain |= slices->lost > otherwise / 8;
}

void
ummgr_past_took (struct ummgr_past_work *work, double iterations, double seconds,
		 double overhead, bool sent, double most)
{
  if (iterations < 1 || (work->sure && sent))
    return;
  work->sure = !sent;
  work->seconds = fmin (fmax (seconds - overhead, 1e-12) / iterations, most);
}
