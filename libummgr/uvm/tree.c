/* The density prefetcher of NVIDIA's open kernel driver.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing.  The rule (kernel-open/nvidia-uvm/uvm_perf_prefetch.c,
   parameters uvm_perf_prefetch_threshold, 51 by default, and
   uvm_perf_prefetch_min_faults, 1): a block's pages are the leaves of a
   binary tree; the granule of the page that faulted counts as resident; the
   greatest subtree over the page of which more than the threshold per cent
   are resident comes whole.  The driver applies it to CPU faults too, with
   the same granule.  Not modelled: thrashing detection (uvm_perf_thrashing),
   which pins or throttles pages by wall-clock windows that modelled time
   has no equal of.  */

#include "config.h"
#include "uvm/rules.h"

static unsigned
count_range (const struct uvm_mask *m, unsigned lo, unsigned hi)
{
  unsigned n = 0;
  for (unsigned i = lo / 64; i <= (hi - 1) / 64; i++)
    n += __builtin_popcountll (m->w[i] & uvm_mask_word (i, lo, hi));
  return n;
}

struct uvm_mask
uvm_tree_range (const struct uvm_mask *resident, unsigned page,
		unsigned pages, unsigned granule_pages, int threshold)
{
  unsigned lo = page & -granule_pages, hi = lo + granule_pages;
  if (hi > pages)
    hi = pages;
  struct uvm_mask granule = uvm_mask_range (lo, hi);
  if (threshold <= 0)
    return granule;
  struct uvm_mask counted = *resident;
  uvm_mask_add (&counted, &granule);
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
  return uvm_mask_range (lo, hi);
}
