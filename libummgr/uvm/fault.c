/* What an access to managed memory does.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns no state.  Decides as NVIDIA's open kernel driver does
   (kernel-open/nvidia-uvm/uvm_va_block.c, whose names stand in quotation marks)
   for a discrete GPU on a host that cannot map its memory: a CPU reaches
   no device's memory; a device reaches the CPU's, and that of enabled peers.  */

#include "config.h"
#include "uvm/rules.h"

enum { PAGE_SECTORS = UVM_PAGE / 32 };

static bool
can_reach (const struct uvm *u, unsigned p, unsigned q)
{
  return p == q || (p != UVM_CPU && (q == UVM_CPU
				     || uvm_peer_link (u, p - 1, q - 1)));
}

/* "block_select_residency", without thrashing hints and atomics.  */
unsigned
uvm_destination (const struct uvm *u, const struct uvm_block *b, unsigned page,
		 unsigned p, enum uvm_kind kind, enum uvm_how *how_p)
{
  const struct uvm_combination *a = uvm_page_advice (u, b, page);
  *how_p = UVM_MOVE;
  /* No policy on the page: the faulting processor is the new residency.  */
  if (!a)
    return p;
  /* Read duplication is on: a read fault always makes a copy in the faulting
     processor's memory, and any other access gets a local page that is alone.  */
  if (a->read_mostly)
    {
      *how_p = kind == UVM_WRITE ? UVM_MOVE : UVM_COPY;
      return p;
    }
  int holder = uvm_holder (u, b, page, p);
  bool preferred = a->preferred != UVM_NOWHERE;
  unsigned location = preferred ? a->preferred + 1 : 0;
  /* The faulting processor is in accessed_by and not the preferred location, where
     it would always migrate: the page keeps its residency, and the missing mapping
     is added.  Access counters ask for it in spite of that.  */
  if (holder >= 0 && location != p && (a->accessed_by >> p & 1)
      && can_reach (u, p, holder) && kind != UVM_COUNTED)
    return holder;
  /* The preferred location can be accessed from the faulting processor: the page
     goes there, or, resident nowhere, comes into being there.  */
  if (preferred && can_reach (u, p, location))
    return location;
  /* Resident elsewhere than at the preferred location, or that is out of reach: the
     faulting processor is the new residency.  */
  return p;
}

static bool
resident_nowhere (const struct uvm *u, const struct uvm_block *b)
{
  for (int p = 0; p <= u->devices; p++)
    if (!uvm_mask_empty (&b->by[p].resident))
      return false;
  return true;
}

/* Those of S that are advised as PAGE is.  */
static struct uvm_mask
same_advice (const struct uvm_block *b, const struct uvm_mask *s, unsigned page)
{
  struct uvm_mask same = *s;
  if (b->mixed)
    for (unsigned i = 0; i < b->pages; i++)
      if (b->advice[i] != b->advice[page])
	same.w[i / 64] &= ~(UINT64_C (1) << i % 64);
  return same;
}

struct uvm_mask
uvm_granule (const struct uvm *u, const struct uvm_block *b, unsigned page)
{
  struct uvm_mask one = uvm_mask_range (page, page + 1);
  struct uvm_mask s = uvm_tree_granules (&one, b->pages, u->granule_pages);
  return same_advice (b, &s, page);
}

/* What comes to processor TO along with pages S, one of which is PAGE: what the
   prefetcher adds to the faults ("uvm_perf_prefetch_get_hint_va_block"); where the block
   is resident nowhere and TO is its preferred location, all of it is populated.  */
static struct uvm_mask
comes_along (const struct uvm *u, const struct uvm_block *b, const struct uvm_mask *s,
	     unsigned page, unsigned to)
{
  const struct uvm_combination *a = uvm_page_advice (u, b, page);
  const struct uvm_device *dev = &u->device[to == UVM_CPU ? 0 : to - 1];
  struct uvm_mask all
    = a && a->preferred + 1 == (int) to && resident_nowhere (u, b)
	? uvm_mask_range (0, b->pages)
	: uvm_tree_ranges (&b->by[to].resident, s, b->pages,
			   u->granule_pages, dev->figures.prefetch_threshold);
  return same_advice (b, &all, page);
}

static void
count_gpu_faults (struct uvm *u, struct uvm_block *b, int device, unsigned count)
{
  u->device[device].counters.gpu_faults += count;
  b->range->counters.gpu_faults += count;
}

static void
count_cpu_fault (struct uvm *u, struct uvm_block *b, int device)
{
  u->device[device].counters.cpu_faults++;
  b->range->counters.cpu_faults++;
  uvm_clock_cpu_fault (u, device);
}

static void
tell_entered (struct uvm *u, struct uvm_block *b, const struct uvm_mask *s,
	      unsigned p)
{
  if (u->observer->entered)
    u->observer->entered (u->observer_data, b, s, p);
}

/* DEVICE gets a mapping of pages S of B, which another processor holds.  */
static void
map_remotely (struct uvm *u, struct uvm_block *b, struct uvm_mask *s, int device)
{
  if (u->observer->remote)
    u->observer->remote (u->observer_data, b, s, 1 + device);
  uvm_mask_add (&b->by[1 + device].remote, s);
  b->remotely_used = true;
}

/* DEVICE uses what processor HOLDER has of the granules of pages S, one of which is PAGE,
   over the link.  */
static void
use_remotely (struct uvm *u, struct uvm_block *b, const struct uvm_mask *s, unsigned page,
	      int device, int holder)
{
  struct uvm_mask used = uvm_tree_granules (s, b->pages, u->granule_pages);
  used = same_advice (b, &used, page);
  used = uvm_mask_and (&used, &b->by[holder].resident);
  if (u->regions && !u->told)
    UVM_MASK_RUNS (&used, lo, hi)
      for (unsigned i = lo; i < hi; i++)
	uvm_used_remotely (u, b, i, device, PAGE_SECTORS);
  map_remotely (u, b, &used, device);
}

/* A remote mapping that the driver made earlier, or at once for accessed-by, does not
   fault.  */
static bool
is_mapped (const struct uvm *u, const struct uvm_block *b, unsigned page, int device)
{
  unsigned me = 1 + device;
  const struct uvm_combination *a = uvm_page_advice (u, b, page);
  return uvm_mask_test (&b->by[me].remote, page)
	 || (a && (a->accessed_by >> me & 1) && uvm_holder (u, b, page, me) >= 0);
}

/* Pages S of B, one of which is PAGE, are to be on processor TO for DEVICE, which has no
   copy of them.  */
static void
bring (struct uvm *u, struct uvm_block *b, const struct uvm_mask *s, unsigned page,
       int device, unsigned to, enum uvm_how how)
{
  unsigned me = 1 + device;
  if (to == me)
    {
      struct uvm_mask all = comes_along (u, b, s, page, me);
      if (uvm_migrate (u, b, &all, me, how, true))
	{
	  tell_entered (u, b, &all, me);
	  return;
	}
      /* The device is full of what can't leave it ("NV_ERR_NO_MEMORY"): the pages
	 stay in, or come into being in, the CPU's memory.  */
      to = UVM_CPU;
    }
  struct uvm_mask missing = uvm_mask_andnot (s, &b->by[to].resident);
  if (!uvm_mask_empty (&missing))
    {
      struct uvm_mask all = comes_along (u, b, &missing, page, to);
      if (!uvm_migrate (u, b, &all, to, UVM_MOVE, true))
	{
	  to = UVM_CPU;		/* As above, of the preferred location.  */
	  uvm_migrate (u, b, &all, to, UVM_MOVE, true);
	}
    }
  use_remotely (u, b, s, page, device, to);
}

/* What an access to PAGE is, of those that write WRITE; NULL: access counters ask.  */
static enum uvm_kind
kind_of (const struct uvm_mask *write, unsigned page)
{
  return !write ? UVM_COUNTED : uvm_mask_test (write, page) ? UVM_WRITE : UVM_READ;
}

/* Those of S that go where PAGE goes, and as it does.  */
static struct uvm_mask
same_way (const struct uvm *u, const struct uvm_block *b, const struct uvm_mask *s,
	  const struct uvm_mask *write, unsigned page, unsigned me)
{
  if (!b->advice)
    return *s;
  enum uvm_how how, its;
  unsigned to = uvm_destination (u, b, page, me, kind_of (write, page), &how);
  struct uvm_mask same = { { 0 } }, alike = same_advice (b, s, page);
  UVM_MASK_RUNS (&alike, lo, hi)
    for (unsigned i = lo; i < hi; i++)
      if (uvm_destination (u, b, i, me, kind_of (write, i), &its) == to && its == how)
	uvm_mask_set (&same, i);
  return same;
}

/* How many of S, which are to be on processor TO, DEVICE faults on.  */
static unsigned
faults (const struct uvm *u, const struct uvm_block *b, const struct uvm_mask *s,
	int device, unsigned to)
{
  unsigned me = 1 + device, count = 0;
  if (to == me)
    return uvm_mask_count (s);
  UVM_MASK_RUNS (s, lo, hi)
    for (unsigned i = lo; i < hi; i++)
      count += uvm_holder (u, b, i, me) != (int) to || !is_mapped (u, b, i, device);
  return count;
}

/* DEVICE has no copy of pages S of B, of which it wants to write WRITE.  One decision and
   one evaluation of the tree for all that go the same way.  */
static void
gpu_miss (struct uvm *u, struct uvm_block *b, const struct uvm_mask *s,
	  const struct uvm_mask *write, int device)
{
  unsigned me = 1 + device;
  struct uvm_mask rest = *s;
  while (!uvm_mask_empty (&rest))
    {
      unsigned page = uvm_mask_next (&rest, 0, true);
      enum uvm_how how;
      unsigned to = uvm_destination (u, b, page, me, kind_of (write, page), &how);
      struct uvm_mask same = same_way (u, b, &rest, write, page, me);
      count_gpu_faults (u, b, device, faults (u, b, &same, device, to));
      bring (u, b, &same, page, device, to, how);
      uvm_mask_remove (&rest, &same);
    }
}

/* The CPU has no copy of PAGE.  First touches are not counted: cpu_faults
   are those that a device's holding the page causes.  */
static void
cpu_miss (struct uvm *u, struct uvm_block *b, unsigned page, bool write)
{
  enum uvm_how how;
  int holder = uvm_holder (u, b, page, UVM_CPU);
  unsigned to = uvm_destination (u, b, page, UVM_CPU, write, &how);
  if (holder > 0)
    count_cpu_fault (u, b, holder - 1);
  struct uvm_mask one = uvm_mask_range (page, page + 1);
  struct uvm_mask s = comes_along (u, b, &one, page, to);
  uvm_migrate (u, b, &s, to, how, true);
  uvm_mask_add (&b->on_cpu, &s);
  tell_entered (u, b, &s, to);
}

/* P, which holds PAGE, writes to it while others have copies: theirs go.  */
static void
own (struct uvm *u, struct uvm_block *b, unsigned page, unsigned p)
{
  struct uvm_mask s = uvm_granule (u, b, page);
  s = uvm_mask_and (&s, &b->by[p].resident);
  uvm_collapse (u, b, &s, p);
  if (u->observer->owned)
    u->observer->owned (u->observer_data, b, &s, p);
}

/* The same as a fault by itself.  */
static void
write_shared (struct uvm *u, struct uvm_block *b, unsigned page, unsigned p)
{
  if (p != UVM_CPU)
    {
      count_gpu_faults (u, b, p - 1, 1);
      uvm_clock_fault (u, p - 1, b->unit);
    }
  for (int q = 1; p == UVM_CPU && q <= u->devices; q++)
    if (uvm_mask_test (&b->by[q].resident, page))
      {
	count_cpu_fault (u, b, q - 1);
	break;
      }
  own (u, b, page, p);
}

/* DEVICE's access to PAGE, of which it has no copy, is no part of a batch.  */
static void
alone (struct uvm *u, struct uvm_block *b, unsigned page, bool write, int device)
{
  const uint64_t *faults = &u->device[device].counters.gpu_faults, before = *faults;
  struct uvm_mask one = uvm_mask_range (page, page + 1), none = { { 0 } };
  gpu_miss (u, b, &one, write ? &one : &none, device);
  if (*faults != before)
    uvm_clock_fault (u, device, b->unit);
}

/* P holds PAGE, and others do, too.  */
static bool
is_shared (const struct uvm *u, const struct uvm_block *b, unsigned page, unsigned p)
{
  struct uvm_mask one = uvm_mask_range (page, page + 1);
  struct uvm_mask others = uvm_held_elsewhere (u, b, &one, p);
  return !uvm_mask_empty (&others);
}

bool
uvm_access_page (struct uvm *u, struct uvm_block *b, unsigned page, unsigned p, bool write)
{
  if (!uvm_mask_test (&b->by[p].resident, page))
    {
      if (p == UVM_CPU)
	cpu_miss (u, b, page, write);
      else
	alone (u, b, page, write, p - 1);
      return true;
    }
  if (!write || !b->advice || !is_shared (u, b, page, p))
    return false;
  write_shared (u, b, page, p);
  return true;
}

bool
uvm_access (struct uvm *u, struct uvm_block *b, unsigned page, unsigned p,
	    bool write)
{
  uvm_clock_by (u, p);
  uvm_heed (u, p);
  bool changed = uvm_access_page (u, b, page, p, write);
  uvm_heed (u, p);
  uvm_clock_done (u, p);
  return changed;
}

enum uvm_reach
uvm_reaches (struct uvm *u, struct uvm_block *b, unsigned page, int device, bool write)
{
  unsigned me = 1 + device;
  enum uvm_how how;
  if (uvm_mask_test (&b->by[me].resident, page))
    return write && b->advice && is_shared (u, b, page, me) ? UVM_FAULTS : UVM_LOCAL;
  if (!uvm_mask_test (&b->by[me].remote, page))
    {
      if (!b->advice || !is_mapped (u, b, page, device)
	  || (int) uvm_destination (u, b, page, me, write, &how)
	     != uvm_holder (u, b, page, me))
	return UVM_FAULTS;
      uvm_access_page (u, b, page, me, write);
    }
  return UVM_REMOTE;
}

static void
count_notified (struct uvm *u, struct uvm_block *b, int device, unsigned pages)
{
  u->device[device].counters.notified_pages += pages;
  b->range->counters.notified_pages += pages;
}

/* "service_va_block_locked" (kernel-open/nvidia-uvm/uvm_gpu_access_counters.c): pages go
   where advice wants them for a read; what is there already stays.  */
bool
uvm_gpu_notified (struct uvm *u, struct uvm_block *b, const struct uvm_mask *s, int device)
{
  unsigned me = 1 + device;
  struct uvm_mask rest = uvm_mask_andnot (s, &b->by[me].resident);
  while (!uvm_mask_empty (&rest))
    {
      unsigned page = uvm_mask_next (&rest, 0, true);
      enum uvm_how how;
      unsigned to = uvm_destination (u, b, page, me, UVM_COUNTED, &how);
      struct uvm_mask same = same_way (u, b, &rest, NULL, page, me);
      uvm_mask_remove (&rest, &same);
      struct uvm_mask fresh = uvm_mask_andnot (&same, &b->by[to].resident);
      if (uvm_mask_empty (&fresh))
	continue;
      struct uvm_mask all = comes_along (u, b, &fresh, page, to);
      struct uvm_mask come = uvm_mask_andnot (&all, &b->by[to].resident);
      if (!uvm_migrate (u, b, &all, to, how, true))
	return false;
      count_notified (u, b, device, uvm_mask_count (&come));
      if (to == me)
	tell_entered (u, b, &all, me);
      else
	map_remotely (u, b, &come, device);
    }
  return true;
}

void
uvm_gpu_faults (struct uvm *u, struct uvm_block *b, const struct uvm_mask *s,
		const struct uvm_mask *write, int device)
{
  unsigned me = 1 + device;
  struct uvm_mask shared = uvm_mask_and (s, &b->by[me].resident);
  struct uvm_mask missing = uvm_mask_andnot (s, &shared);
  count_gpu_faults (u, b, device, uvm_mask_count (&shared));
  UVM_MASK_RUNS (&shared, lo, hi)
    for (unsigned i = lo; i < hi; i++)
      if (is_shared (u, b, i, me))
	own (u, b, i, me);
  gpu_miss (u, b, &missing, write, device);
}
