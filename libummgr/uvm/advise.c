/* What the program says of managed memory, and what the driver does with it by
   itself: prefetches, advice, copies.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the table of advice combinations, of which each page names one by its
   number.  What advice does to an access is fault.c's.  */

#include "config.h"
#include "uvm/rules.h"

#include <stdlib.h>

enum { COMBINATIONS = 4096 };	/* At most.  */

/* The number of the combination A; -1 if there are too many, or no memory.  */
static int
intern (struct uvm *u, struct uvm_combination a)
{
  for (unsigned i = 0; i < u->combinations; i++)
    if (u->combination[i].preferred == a.preferred
	&& u->combination[i].read_mostly == a.read_mostly
	&& u->combination[i].accessed_by == a.accessed_by)
      return i;
  unsigned n = u->combinations;
  if (n == COMBINATIONS)
    return -1;
  /* There is room for a power of 2.  */
  if (!(n & (n - 1)))
    {
      struct uvm_combination *grown
	= realloc (u->combination, 2 * n * sizeof *grown);
      if (!grown)
	return -1;
      u->combination = grown;
    }
  u->combination[u->combinations] = a;
  return u->combinations++;
}

/* The part [LO, HI) of a block that a range of bytes touches; steps through the
   range.  */
struct walk
{
  const struct uvm *u;
  uint64_t at, end;
  struct uvm_block *block;
  unsigned lo, hi;
};

static struct walk
walk_begin (const struct uvm *u, uint64_t offset, uint64_t size)
{
  return (struct walk) { .u = u, .at = offset & -UVM_PAGE,
			 .end = (offset + size + UVM_PAGE - 1) & -UVM_PAGE };
}

static bool
walk_next (struct walk *w)
{
  if (w->at >= w->end)
    return false;
  w->block = uvm_block_at (w->u, w->at >> w->u->block_shift);
  if (!w->block)
    return false;
  uint64_t base = (uint64_t) w->block->unit << w->u->block_shift;
  w->lo = (w->at - base) / UVM_PAGE;
  w->at = base + w->u->block_bytes;
  w->hi = (w->end < w->at ? w->end - base : w->u->block_bytes) / UVM_PAGE;
  if (w->hi > w->block->pages)
    w->hi = w->block->pages;
  return w->lo < w->hi;
}

/* --- prefetch --------------------------------------------------------------- */

static struct uvm_mask
read_mostly_pages (const struct uvm *u, const struct uvm_block *b, unsigned lo,
		   unsigned hi)
{
  struct uvm_mask m = { { 0 } };
  for (unsigned i = lo; b->advice && i < hi; i++)
    if (u->combination[b->advice[i]].read_mostly)
      uvm_mask_set (&m, i);
  return m;
}

static bool
prefetch_block (struct uvm *u, const struct walk *w, unsigned to)
{
  struct uvm_mask s = uvm_mask_range (w->lo, w->hi);
  struct uvm_mask copies = read_mostly_pages (u, w->block, w->lo, w->hi);
  uvm_mask_remove (&s, &copies);
  w->block->last_prefetch = (int) to - 1;
  return (uvm_mask_empty (&s)
	  || uvm_migrate (u, w->block, &s, to, UVM_MOVE, false))
	 && (uvm_mask_empty (&copies)
	     || uvm_migrate (u, w->block, &copies, to, UVM_COPY, false));
}

/* As cuMemPrefetchAsync: block after block in the order of addresses, the
   least recent leaving as room is needed, so a range larger than the device
   ends with its tail there.  */
bool
uvm_prefetch (struct uvm *u, uint64_t offset, uint64_t size, int device)
{
  const struct uvm_block *first = uvm_block_at (u, offset >> u->block_shift);
  if (!first)
    return true;
  const struct uvm_range *r = first->range;
  uint64_t before = r->counters.h2d_bytes + r->counters.d2h_bytes;
  bool good = true;
  struct walk w = walk_begin (u, offset, size);
  while (good && walk_next (&w))
    good = prefetch_block (u, &w, 1 + device);
  if (r->counters.h2d_bytes + r->counters.d2h_bytes != before)
    uvm_clock_latency (u, device == UVM_HOST ? r->home : device, 1);
  return good;
}

void
uvm_discard_range (struct uvm *u, uint64_t offset, uint64_t size)
{
  struct walk w = walk_begin (u, offset, size);
  while (walk_next (&w))
    {
      struct uvm_mask s = uvm_mask_range (w.lo, w.hi);
      uvm_discard (u, w.block, &s);
    }
}

/* --- advice ------------------------------------------------------------------- */

static struct uvm_combination
changed (struct uvm_combination a, enum uvm_advice advice, int device)
{
  uint32_t bit = UINT32_C (1) << (device + 1);
  switch (advice)
    {
    case UVM_SET_READ_MOSTLY:
      a.read_mostly = true;
      break;
    case UVM_UNSET_READ_MOSTLY:
      a.read_mostly = false;
      break;
    case UVM_SET_PREFERRED:
      a.preferred = device;
      break;
    case UVM_UNSET_PREFERRED:
      a.preferred = UVM_NOWHERE;
      break;
    case UVM_SET_ACCESSED_BY:
      a.accessed_by |= bit;
      break;
    case UVM_UNSET_ACCESSED_BY:
      a.accessed_by &= ~bit;
      break;
    }
  return a;
}

/* Read-mostly ends: of several copies one stays, at the preferred location
   if that has one, else the first holder's.  */
static void
keep_one_copy (struct uvm *u, struct uvm_block *b, unsigned page)
{
  const struct uvm_combination *a = &u->combination[b->advice[page]];
  int keep = uvm_holder (u, b, page, UVM_CPU);
  if (a->preferred != UVM_NOWHERE
      && uvm_mask_test (&b->by[a->preferred + 1].resident, page))
    keep = a->preferred + 1;
  struct uvm_mask one = uvm_mask_range (page, page + 1);
  if (keep >= 0)
    uvm_collapse (u, b, &one, keep);
}

static bool
advise_pages (struct uvm *u, const struct walk *w, enum uvm_advice advice,
	      int device)
{
  struct uvm_block *b = w->block;
  unsigned old = COMBINATIONS;
  int number = 0;
  for (unsigned i = w->lo; i < w->hi; i++)
    {
      if (b->advice[i] != old)
	number = intern (u, changed (u->combination[b->advice[i]], advice,
				     device));
      if (number < 0)
	return false;
      if (advice == UVM_UNSET_READ_MOSTLY)
	keep_one_copy (u, b, i);
      old = b->advice[i];
      b->advice[i] = number;
    }
  return true;
}

static bool
advise_block (struct uvm *u, const struct walk *w, enum uvm_advice advice,
	      int device)
{
  struct uvm_block *b = w->block;
  if (!b->advice)
    b->advice = calloc (b->pages, sizeof *b->advice);
  if (!b->advice)
    return false;
  bool good = advise_pages (u, w, advice, device);
  b->mixed = false;
  for (unsigned i = 1; i < b->pages; i++)
    b->mixed |= b->advice[i] != b->advice[0];
  return good;
}

bool
uvm_advise (struct uvm *u, uint64_t offset, uint64_t size,
	    enum uvm_advice advice, int device)
{
  bool good = true;
  struct walk w = walk_begin (u, offset, size);
  while (good && walk_next (&w))
    good = advise_block (u, &w, advice, device);
  return good;
}

struct uvm_common
uvm_common (const struct uvm *u, uint64_t offset, uint64_t size)
{
  struct uvm_common c = { .preferred = UVM_NOWHERE,
			  .last_prefetch = UVM_NOWHERE };
  bool first = true;
  struct walk w = walk_begin (u, offset, size);
  while (walk_next (&w))
    for (unsigned i = w.lo; i < w.hi; i++)
      {
	const struct uvm_block *b = w.block;
	struct uvm_combination a = u->combination[b->advice ? b->advice[i] : 0];
	if (first)
	  c = (struct uvm_common) { a.read_mostly, a.preferred,
				    b->last_prefetch, a.accessed_by };
	first = false;
	c.read_mostly &= a.read_mostly;
	c.accessed_by &= a.accessed_by;
	if (c.preferred != a.preferred)
	  c.preferred = UVM_NOWHERE;
	if (c.last_prefetch != b->last_prefetch)
	  c.last_prefetch = UVM_NOWHERE;
      }
  return c;
}

/* --- the driver's copies ------------------------------------------------------ */

/* Managed memory is read where it is; pages that nobody ever touched come into being
   on the CPU.  */
void
uvm_copied_from (struct uvm *u, struct uvm_block *b, unsigned lo, unsigned hi)
{
  struct uvm_mask s = uvm_mask_range (lo, hi);
  for (int p = 0; p <= u->devices; p++)
    uvm_mask_remove (&s, &b->by[p].resident);
  if (!uvm_mask_empty (&s))
    uvm_migrate (u, b, &s, UVM_CPU, UVM_MOVE, false);
}

/* Written from DEVICE, its pages go there first, as a write by that device would
   take them, though without faults (the driver's copies know their range); those
   whose advice keeps them elsewhere are written there.  */
void
uvm_copied_to (struct uvm *u, struct uvm_block *b, unsigned lo, unsigned hi,
	       int device)
{
  enum uvm_how how;
  while (lo < hi)
    {
      unsigned to = uvm_destination (u, b, lo, 1 + device, true, &how);
      unsigned end = lo;
      while (end < hi
	     && uvm_destination (u, b, end, 1 + device, true, &how) == to)
	end++;
      struct uvm_mask s = uvm_mask_range (lo, end);
      if (!uvm_migrate (u, b, &s, to, UVM_MOVE, false))
	uvm_migrate (u, b, &s, UVM_CPU, UVM_MOVE, false);
      lo = end;
    }
}
