/* Residency: who holds which page; capacity and eviction.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns every struct uvm_holding, the charges against capacity, the order of
   eviction, the ledgers, and the counters of bytes.

   As NVIDIA's open kernel driver: a device holds a block's pages in one
   chunk, so a block costs its whole extent while any page of it is there;
   eviction takes whole blocks; a block becomes the most recent whenever
   pages are made resident in it, since the driver sees no accesses.  */

#include "config.h"
#include "uvm/rules.h"

uint64_t
uvm_charge (const struct uvm *u, const struct uvm_block *b)
{
  unsigned g = u->granule_pages;
  return (b->pages + g - 1) / g * g * UVM_PAGE;
}

static void
update_peak (struct uvm_device *dev)
{
  uint64_t now = dev->taken_bytes + dev->managed_bytes;
  if (dev->counters.device_peak_bytes < now)
    dev->counters.device_peak_bytes = now;
}

void
uvm_peer (struct uvm *u, int device, int peer, bool enabled)
{
  uint32_t *peers = &u->device[device].peers, bit = UINT32_C (1) << peer;
  *peers = enabled ? *peers | bit : *peers & ~bit;
}

bool
uvm_peer_link (const struct uvm *u, int a, int b)
{
  return (u->device[a].peers >> b & 1) || (u->device[b].peers >> a & 1);
}

int
uvm_holder (const struct uvm *u, const struct uvm_block *b, unsigned page,
	    unsigned from)
{
  if (uvm_mask_test (&b->by[from].resident, page))
    return from;
  for (int p = 0; p <= u->devices; p++)
    if (uvm_mask_test (&b->by[p].resident, page))
      return p;
  return -1;
}

struct uvm_mask
uvm_held_elsewhere (const struct uvm *u, const struct uvm_block *b,
		    const struct uvm_mask *s, unsigned p)
{
  struct uvm_mask c = { { 0 } };
  /* Only read-mostly pages are held twice.  */
  for (int q = 0; b->advice && q <= u->devices; q++)
    if (q != (int) p)
      uvm_mask_add (&c, &b->by[q].resident);
  return uvm_mask_and (&c, s);
}

/* PAGES pages of R went from processor FROM to TO.  */
static void
count_move (struct uvm *u, struct uvm_range *r, unsigned from, unsigned to,
	    unsigned pages)
{
  uint64_t bytes = pages * UVM_PAGE;
  if (from != UVM_CPU && to != UVM_CPU && uvm_peer_link (u, from - 1, to - 1))
    {
      u->device[to - 1].counters.d2d_bytes += bytes;
      u->device[to - 1].between.copied[from - 1] += bytes;
      r->counters.d2d_bytes += bytes;
      uvm_clock_peer (u, from - 1, to - 1, bytes);
      return;
    }
  /* Two devices without a link between them: through the host.  */
  if (from != UVM_CPU)
    {
      u->device[from - 1].counters.d2h_bytes += bytes;
      r->counters.d2h_bytes += bytes;
      uvm_clock_move (u, from - 1, bytes, false);
    }
  if (to != UVM_CPU)
    {
      u->device[to - 1].counters.h2d_bytes += bytes;
      r->counters.h2d_bytes += bytes;
      uvm_clock_move (u, to - 1, bytes, true);
    }
}

static void
tell_lost (struct uvm *u, struct uvm_block *b, const struct uvm_mask *s,
	   unsigned p)
{
  if (u->observer->lost)
    u->observer->lost (u->observer_data, b, s, p);
}

/* P gives up pages S of B; DROPPED: without them going anywhere.  */
static void
give_up (struct uvm *u, struct uvm_block *b, const struct uvm_mask *s,
	 unsigned p, bool dropped)
{
  struct uvm_mask had = uvm_mask_and (&b->by[p].resident, s);
  if (uvm_mask_empty (&had))
    return;
  uvm_mask_remove (&b->by[p].resident, &had);
  tell_lost (u, b, &had, p);
  if (p == UVM_CPU)
    {
      uvm_mask_remove (&b->on_cpu, &had);
      return;
    }
  struct uvm_device *dev = &u->device[p - 1];
  uint64_t bytes = uvm_mask_count (&had) * UVM_PAGE;
  *(dropped ? &dev->ledger.dropped_bytes : &dev->ledger.out_bytes) += bytes;
  if (uvm_mask_empty (&b->by[p].resident))
    {
      dev->managed_bytes -= uvm_charge (u, b);
      b->range->held[p - 1] -= uvm_charge (u, b);
      u->policy->remove (dev->paging, b->unit);
    }
}

/* Remote mappings of S end when the pages move.  */
static void
unmap_remote (struct uvm *u, struct uvm_block *b, const struct uvm_mask *s)
{
  if (b->remotely_used)
    for (int p = 1; p <= u->devices; p++)
      {
	struct uvm_mask gone = uvm_mask_and (&b->by[p].remote, s);
	uvm_mask_remove (&b->by[p].remote, s);
	if (!uvm_mask_empty (&gone))
	  tell_lost (u, b, &gone, p);
      }
}

/* The whole of B leaves DEVICE for the CPU.  Pages of which the CPU has a
   valid copy (read-mostly) need no transfer.  */
static void
evict (struct uvm *u, struct uvm_block *b, int device)
{
  struct uvm_mask all = b->by[1 + device].resident;
  struct uvm_mask moves = uvm_mask_andnot (&all, &b->by[UVM_CPU].resident);
  count_move (u, b->range, 1 + device, UVM_CPU, uvm_mask_count (&moves));
  uvm_mask_add (&b->by[UVM_CPU].resident, &moves);
  unmap_remote (u, b, &all);
  give_up (u, b, &all, 1 + device, false);
  uvm_mask_add (&b->by[1 + device].evicted, &all);
  u->device[device].counters.evictions++;
  b->range->counters.evictions++;
}

struct keep
{
  const struct uvm *u;
  const struct uvm_block *block; /* Or NULL.  */
};

static bool
is_kept (void *data, uint32_t unit)
{
  const struct keep *k = data;
  return (k->block && k->block->unit == unit) || uvm_keeps (k->u, unit);
}

/* What of DEV nobody else has.  */
static uint64_t
capacity_of (const struct uvm_device *dev)
{
  uint64_t all = dev->figures.memory_bytes, others = dev->others_bytes;
  return others < all ? all - others : 0;
}

/* Room for BYTES on DEVICE, evicting blocks but KEEP.  */
static bool
make_room (struct uvm *u, int device, uint64_t bytes,
	   const struct uvm_block *keep)
{
  struct uvm_device *dev = &u->device[device];
  uint64_t capacity = capacity_of (dev);
  if (dev->taken_bytes + bytes > capacity)
    return false;		/* Evicting would not help.  */
  while (dev->taken_bytes + dev->managed_bytes + bytes > capacity)
    {
      struct keep k = { u, keep };
      uint32_t unit = u->policy->victim (dev->paging, is_kept, &k);
      if (unit == UMMGR_PAGING_NONE)
	return false;
      evict (u, u->blocks[unit], device);
    }
  return true;
}

bool
uvm_take (struct uvm *u, int device, uint64_t bytes)
{
  struct uvm_device *dev = &u->device[device];
  if (bytes > dev->figures.memory_bytes - dev->taken_bytes
      || !make_room (u, device, bytes, NULL))
    return false;
  dev->taken_bytes += bytes;
  update_peak (dev);
  return true;
}

void
uvm_give (struct uvm *u, int device, uint64_t bytes)
{
  u->device[device].taken_bytes -= bytes;
}

bool
uvm_taken (struct uvm *u, int device, uint64_t bytes)
{
  uint64_t had = u->device[device].taken_bytes;
  if (bytes >= had)
    return uvm_take (u, device, bytes - had);
  uvm_give (u, device, had - bytes);
  return true;
}

/* Room for B on DEVICE, and B the most recent there; FAULT: because of one.  */
static bool
charge (struct uvm *u, struct uvm_block *b, int device, bool fault)
{
  struct uvm_device *dev = &u->device[device];
  if (uvm_mask_empty (&b->by[1 + device].resident))
    {
      uint64_t bytes = uvm_charge (u, b);
      if (!make_room (u, device, bytes, b))
	return false;
      dev->managed_bytes += bytes;
      b->range->held[device] += bytes;
      update_peak (dev);
    }
  if (fault)
    u->policy->insert (dev->paging, b->unit);
  else
    ummgr_paging_prefetched (u->policy, dev->paging, b->unit);
  return true;
}

/* Pages S of B leave the CPU's page tables, for TO.  */
static void
unmap_host (struct uvm *u, struct uvm_block *b, const struct uvm_mask *s, unsigned to,
	    bool fault)
{
  struct uvm_mask mapped = uvm_mask_and (&b->on_cpu, s);
  uvm_mask_remove (&b->on_cpu, &mapped);
  if (fault && to != UVM_CPU && u->launch_device != UVM_NOWHERE)
    u->device[u->launch_device].paging_now.unmapped += uvm_mask_count (&mapped);
}

/* Pages FRESH of B come to device TO: those that it had to give up are back.  */
static void
count_back (struct uvm *u, struct uvm_block *b, const struct uvm_mask *fresh, int device)
{
  struct uvm_mask back = uvm_mask_and (&b->by[1 + device].evicted, fresh);
  uint64_t bytes = uvm_mask_count (&back) * UVM_PAGE;
  uvm_mask_remove (&b->by[1 + device].evicted, &back);
  u->device[device].counters.refetched_bytes += bytes;
  b->range->counters.refetched_bytes += bytes;
}

/* Bring the pages FRESH of B to TO: from whoever holds them, or new.  */
static void
fetch (struct uvm *u, struct uvm_block *b, const struct uvm_mask *fresh,
       unsigned to)
{
  struct uvm_mask missing = *fresh;
  unsigned moved = 0;
  for (int p = 0; p <= u->devices; p++)
    if (p != (int) to)
      {
	struct uvm_mask from = uvm_mask_and (&b->by[p].resident, &missing);
	unsigned n = uvm_mask_count (&from);
	if (!n)
	  continue;
	count_move (u, b->range, p, to, n);
	uvm_mask_remove (&missing, &from);
	moved += n;
      }
  uvm_mask_add (&b->by[to].resident, fresh);
  if (to != UVM_CPU)
    {
      count_back (u, b, fresh, to - 1);
      struct uvm_ledger *l = &u->device[to - 1].ledger;
      l->in_bytes += moved * UVM_PAGE;
      l->born_bytes += uvm_mask_count (&missing) * UVM_PAGE;
    }
}

/* Pages that are now held more than once must not be written unseen.  */
static void
tell_shared (struct uvm *u, struct uvm_block *b, const struct uvm_mask *s,
	     unsigned to)
{
  for (int p = 0; u->observer->shared && p <= u->devices; p++)
    {
      struct uvm_mask copies = uvm_mask_and (&b->by[p].resident, s);
      if (p != (int) to && !uvm_mask_empty (&copies))
	{
	  u->observer->shared (u->observer_data, b, &copies, p);
	  u->observer->shared (u->observer_data, b, &copies, to);
	}
    }
}

bool
uvm_migrate (struct uvm *u, struct uvm_block *b, const struct uvm_mask *s,
	     unsigned to, enum uvm_how how, bool fault)
{
  if (to != UVM_CPU && !charge (u, b, to - 1, fault))
    return false;
  struct uvm_mask fresh = uvm_mask_andnot (s, &b->by[to].resident);
  if (!uvm_mask_empty (&fresh))
    {
      fetch (u, b, &fresh, to);
      unmap_remote (u, b, &fresh);
      unmap_host (u, b, &fresh, to, fault);
    }
  if (how == UVM_COPY)
    tell_shared (u, b, s, to);
  else
    for (int p = 0; p <= u->devices; p++)
      if (p != (int) to)
	give_up (u, b, s, p, false);
  return true;
}

void
uvm_collapse (struct uvm *u, struct uvm_block *b, const struct uvm_mask *s,
	      unsigned to)
{
  for (int p = 0; p <= u->devices; p++)
    if (p != (int) to)
      {
	struct uvm_mask gone = uvm_mask_and (&b->by[p].resident, s);
	unmap_remote (u, b, &gone);
	give_up (u, b, &gone, p, true);
      }
}

void
uvm_discard (struct uvm *u, struct uvm_block *b, const struct uvm_mask *s)
{
  unmap_remote (u, b, s);
  for (int p = 0; p <= u->devices; p++)
    {
      give_up (u, b, s, p, true);
      uvm_mask_remove (&b->by[p].evicted, s);
    }
}

void
uvm_drop (struct uvm *u, struct uvm_block *b)
{
  struct uvm_mask all = uvm_mask_range (0, b->pages);
  for (int p = 0; p <= u->devices; p++)
    {
      give_up (u, b, &all, p, true);
      if (p != UVM_CPU && u->policy->forget)
	u->policy->forget (u->device[p - 1].paging, b->unit);
    }
  uvm_forget_notified (u, b);
}
