/* What an access to managed memory does.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns no state.  Decides as NVIDIA's open kernel driver does
   (kernel-open/nvidia-uvm/uvm_va_block.c, whose names stand in quotation marks)
   for a discrete GPU on a host that cannot map its memory: a CPU reaches
   no device's memory; a device reaches the CPU's, and that of enabled peers.  */

#include "config.h"
#include "uvm/rules.h"

static bool
can_reach (const struct uvm *u, unsigned p, unsigned q)
{
  return p == q || (p != UVM_CPU && (q == UVM_CPU
				     || uvm_peer_link (u, p - 1, q - 1)));
}

/* "block_select_residency", without thrashing hints, atomics and access counters.  */
unsigned
uvm_destination (const struct uvm *u, const struct uvm_block *b, unsigned page,
		 unsigned p, bool write, enum uvm_how *how_p)
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
      *how_p = write ? UVM_MOVE : UVM_COPY;
      return p;
    }
  int holder = uvm_holder (u, b, page, p);
  bool preferred = a->preferred != UVM_NOWHERE;
  unsigned location = preferred ? a->preferred + 1 : 0;
  /* The faulting processor is in accessed_by and not the preferred location, where
     it would always migrate: the page keeps its residency, and the missing mapping
     is added.  */
  if (holder >= 0 && location != p && (a->accessed_by >> p & 1)
      && can_reach (u, p, holder))
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
  unsigned g = u->granule_pages, lo = page & -g;
  struct uvm_mask s
    = uvm_mask_range (lo, lo + g < b->pages ? lo + g : b->pages);
  return same_advice (b, &s, page);
}

/* What comes to processor TO along with PAGE: what the prefetcher adds to the fault
   ("uvm_perf_prefetch_get_hint"); where the block is resident nowhere and TO is its
   preferred location, all of it is populated.  */
static struct uvm_mask
comes_along (const struct uvm *u, const struct uvm_block *b, unsigned page,
	     unsigned to)
{
  const struct uvm_combination *a = uvm_page_advice (u, b, page);
  const struct uvm_device *dev = &u->device[to == UVM_CPU ? 0 : to - 1];
  struct uvm_mask s
    = a && a->preferred + 1 == (int) to && resident_nowhere (u, b)
	? uvm_mask_range (0, b->pages)
	: uvm_tree_range (&b->by[to].resident, page, b->pages,
			  u->granule_pages, dev->figures.prefetch_threshold);
  return same_advice (b, &s, page);
}

static void
count_gpu_fault (struct uvm *u, struct uvm_block *b, int device)
{
  u->device[device].counters.gpu_faults++;
  b->range->counters.gpu_faults++;
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

/* DEVICE uses what processor HOLDER has of PAGE's granule over the link.  */
static void
use_remotely (struct uvm *u, struct uvm_block *b, unsigned page, int device,
	      int holder)
{
  struct uvm_mask s = uvm_granule (u, b, page);
  s = uvm_mask_and (&s, &b->by[holder].resident);
  if (u->observer->remote)
    u->observer->remote (u->observer_data, b, &s, 1 + device);
  uvm_mask_add (&b->by[1 + device].remote, &s);
  b->remotely_used = true;
}

/* DEVICE has no copy of PAGE.  */
static void
gpu_miss (struct uvm *u, struct uvm_block *b, unsigned page, int device,
	  bool write)
{
  unsigned me = 1 + device;
  enum uvm_how how;
  unsigned to = uvm_destination (u, b, page, me, write, &how);
  const struct uvm_combination *a = uvm_page_advice (u, b, page);
  int holder = uvm_holder (u, b, page, me);
  /* A remote mapping that the driver made earlier, or at once for
     accessed-by, does not fault.  */
  bool mapped = (uvm_mask_test (&b->by[me].remote, page)
		 || (a && holder >= 0 && (a->accessed_by >> me & 1)));
  if (to == me || holder != (int) to || !mapped)
    count_gpu_fault (u, b, device);

  if (to == me)
    {
      struct uvm_mask s = comes_along (u, b, page, me);
      if (uvm_migrate (u, b, &s, me, how, true))
	{
	  tell_entered (u, b, &s, me);
	  return;
	}
      /* The device is full of what can't leave it ("NV_ERR_NO_MEMORY"): the page
	 stays in, or comes into being in, the CPU's memory.  */
      to = UVM_CPU;
    }
  if (holder != (int) to)
    {
      struct uvm_mask s = comes_along (u, b, page, to);
      if (!uvm_migrate (u, b, &s, to, UVM_MOVE, true))
	{
	  to = UVM_CPU;		/* As above, of the preferred location.  */
	  uvm_migrate (u, b, &s, to, UVM_MOVE, true);
	}
    }
  use_remotely (u, b, page, device, to);
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
  struct uvm_mask s = comes_along (u, b, page, to);
  uvm_migrate (u, b, &s, to, how, true);
  tell_entered (u, b, &s, to);
}

/* P, which holds PAGE, writes to it while others have copies: theirs go.  */
static void
write_shared (struct uvm *u, struct uvm_block *b, unsigned page, unsigned p)
{
  if (p != UVM_CPU)
    count_gpu_fault (u, b, p - 1);
  for (int q = 1; p == UVM_CPU && q <= u->devices; q++)
    if (uvm_mask_test (&b->by[q].resident, page))
      {
	count_cpu_fault (u, b, q - 1);
	break;
      }
  struct uvm_mask s = uvm_granule (u, b, page);
  s = uvm_mask_and (&s, &b->by[p].resident);
  uvm_collapse (u, b, &s, p);
  if (u->observer->owned)
    u->observer->owned (u->observer_data, b, &s, p);
}

bool
uvm_access (struct uvm *u, struct uvm_block *b, unsigned page, unsigned p,
	    bool write)
{
  if (!uvm_mask_test (&b->by[p].resident, page))
    {
      if (p == UVM_CPU)
	cpu_miss (u, b, page, write);
      else
	gpu_miss (u, b, page, p - 1, write);
      return true;
    }
  if (!write || !b->advice)
    return false;
  struct uvm_mask one = uvm_mask_range (page, page + 1);
  struct uvm_mask others = uvm_held_elsewhere (u, b, &one, p);
  if (uvm_mask_empty (&others))
    return false;
  write_shared (u, b, page, p);
  return true;
}
