/* The density prefetcher of NVIDIA's open kernel driver.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing.  The rule (uvm_perf_prefetch.c, parameters
   uvm_perf_prefetch_threshold, 51 by default, and
   uvm_perf_prefetch_min_faults, 1): a block's pages are the leaves of a
   binary tree; the granule of the page that faulted counts as resident; the
   greatest subtree over the page of which more than the threshold per cent
   are resident comes whole.  The driver applies it to CPU faults too, with
   the same granule.  Not modelled: thrashing detection (uvm_perf_thrashing),
   which pins or throttles pages by wall-clock windows that modelled time
   has no equal of.  */

#include "config.h"
#include "simcuda/memory/mem.h"

static unsigned
count_range (const struct sim_mask *m, unsigned lo, unsigned hi)
{
  unsigned n = 0;
  for (unsigned i = lo / 64; i <= (hi - 1) / 64; i++)
    n += __builtin_popcountll (m->w[i] & sim_mask_word (i, lo, hi));
  return n;
}

struct sim_mask
sim_tree_region (const struct sim_mask *resident, unsigned page,
		 unsigned pages, unsigned granule_pages, int threshold)
{
  unsigned lo = page & -granule_pages, hi = lo + granule_pages;
  if (hi > pages)
    hi = pages;
  struct sim_mask granule = sim_mask_range (lo, hi);
  if (threshold <= 0)
    return granule;
  struct sim_mask counted = *resident;
  sim_mask_add (&counted, &granule);
  for (unsigned n = 2 * granule_pages; n < 2 * pages; n *= 2)
    {
      unsigned first = page & -n;
      unsigned last = first + n < pages ? first + n : pages;
      if (count_range (&counted, first, last) * 100
	  > (last - first) * (unsigned) threshold)
	{
	  lo = first;
	  hi = last;
	}
    }
  return sim_mask_range (lo, hi);
}
