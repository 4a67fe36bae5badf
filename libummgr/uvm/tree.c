/* The density prefetcher of NVIDIA's open kernel driver.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing.  The rule (kernel-open/nvidia-uvm/uvm_perf_prefetch.c,
   parameters uvm_perf_prefetch_threshold, 51 by default, and
   uvm_perf_prefetch_min_faults, 1): a block's pages are the leaves of a
   binary tree; the granules of all pages that a batch faults on count as resident;
   over each of them the greatest subtree of which more than the threshold per cent
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
uvm_tree_granules (const struct uvm_mask *s, unsigned pages, unsigned granule_pages)
{
  struct uvm_mask all = { { 0 } };
  for (unsigned page = uvm_mask_next (s, 0, true); page < pages;)
    {
      unsigned lo = page & -granule_pages, hi = lo + granule_pages;
      struct uvm_mask one = uvm_mask_range (lo, hi < pages ? hi : pages);
      uvm_mask_add (&all, &one);
      page = hi < UVM_BLOCK_PAGES ? uvm_mask_next (s, hi, true) : UVM_BLOCK_PAGES;
    }
  return all;
}

/* The greatest subtree over the granule that begins at LO.  */
static struct uvm_mask
subtree (const struct uvm_mask *counted, unsigned lo, unsigned pages, unsigned granule_pages,
	 int threshold)
{
  unsigned hi = lo + granule_pages < pages ? lo + granule_pages : pages;
  for (unsigned page = lo, n = 2 * granule_pages; n < 2 * pages; n *= 2)
    {
      unsigned first = page & -n;
      unsigned last = first + n < pages ? first + n : pages;
      if (count_range (counted, first, last) * 100
	  > (last - first) * (unsigned) threshold)
	{
	  lo = first;
	  hi = last;
	}
    }
  return uvm_mask_range (lo, hi);
}

struct uvm_mask
uvm_tree_ranges (const struct uvm_mask *resident, const struct uvm_mask *faulted,
		 unsigned pages, unsigned granule_pages, int threshold)
{
  struct uvm_mask all = uvm_tree_granules (faulted, pages, granule_pages);
  if (threshold <= 0)
    return all;
  struct uvm_mask counted = *resident, granules = all;
  uvm_mask_add (&counted, &granules);
  for (unsigned lo = uvm_mask_next (&granules, 0, true); lo < pages;)
    {
      struct uvm_mask more = subtree (&counted, lo, pages, granule_pages, threshold);
      uvm_mask_add (&all, &more);
      lo += granule_pages;
      lo = lo < UVM_BLOCK_PAGES ? uvm_mask_next (&granules, lo, true) : UVM_BLOCK_PAGES;
    }
  return all;
}
