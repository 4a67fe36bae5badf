/* Residency: who holds which page; capacity and eviction.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns every struct sim_holding's RESIDENT and REMOTE, the charges against
   capacity, the order of eviction, and the counters of bytes.  Page tables
   follow through view.c.  Everything here runs with the lock held, possibly
   in a signal handler.

   As NVIDIA's open kernel driver: a device holds a block's pages in one
   chunk, so a block costs its whole extent while any page of it is there;
   eviction takes whole blocks; a block becomes the most recent whenever
   pages are made resident in it, since the driver sees no accesses.  */

#include "config.h"
#include "simcuda/memory/mem.h"

uint64_t
sim_block_charge (const struct sim_block *b)
{
  unsigned g = sim_machine.granule_pages;
  return (b->pages + g - 1) / g * g * SIM_PAGE;
}

void
sim_peak_update (int device)
{
  struct sim_device *dev = &sim_machine.device[device];
  uint64_t now = dev->plain_bytes + dev->managed_bytes;
  if (dev->counters.device_peak_bytes < now)
    dev->counters.device_peak_bytes = now;
}

bool
sim_peer_link (int a, int b)
{
  return ((sim_machine.device[a].peers >> b & 1)
	  || (sim_machine.device[b].peers >> a & 1));
}

int
sim_block_holder (const struct sim_block *b, unsigned page, unsigned from)
{
  if (sim_mask_test (&b->by[from].resident, page))
    return from;
  for (int p = 0; p <= sim_machine.devices; p++)
    if (sim_mask_test (&b->by[p].resident, page))
      return p;
  return -1;
}

/* PAGES pages of R went from processor FROM to TO.  */
static void
count_move (struct sim_range *r, unsigned from, unsigned to, unsigned pages)
{
  uint64_t bytes = pages * SIM_PAGE;
  if (from != SIM_CPU && to != SIM_CPU && sim_peer_link (from - 1, to - 1))
    {
      sim_machine.device[to - 1].counters.d2d_bytes += bytes;
      r->counters.d2d_bytes += bytes;
      sim_model_peer (from - 1, to - 1, bytes);
      return;
    }
  /* Two devices without a link between them: through the host.  */
  if (from != SIM_CPU)
    {
      sim_machine.device[from - 1].counters.d2h_bytes += bytes;
      r->counters.d2h_bytes += bytes;
      sim_model_move (from - 1, bytes, false);
    }
  if (to != SIM_CPU)
    {
      sim_machine.device[to - 1].counters.h2d_bytes += bytes;
      r->counters.h2d_bytes += bytes;
      sim_model_move (to - 1, bytes, true);
    }
}

/* P gives up pages S of B; DROPPED: without them going anywhere.  */
static void
give_up (struct sim_block *b, const struct sim_mask *s, unsigned p,
	 bool dropped)
{
  struct sim_mask had = sim_mask_and (&b->by[p].resident, s);
  if (sim_mask_empty (&had))
    return;
  sim_mask_remove (&b->by[p].resident, &had);
  sim_view_lost (b, &had, p);
  sim_access_lost (b, &had, p);
  if (p == SIM_CPU)
    return;
  struct sim_device *dev = &sim_machine.device[p - 1];
  uint64_t bytes = sim_mask_count (&had) * SIM_PAGE;
  *(dropped ? &dev->ledger.dropped_bytes : &dev->ledger.out_bytes) += bytes;
  if (sim_mask_empty (&b->by[p].resident))
    {
      dev->managed_bytes -= sim_block_charge (b);
      sim_machine.policy->remove (dev->paging, b->unit);
    }
}

/* Remote mappings of S end when the pages move.  */
static void
unmap_remote (struct sim_block *b, const struct sim_mask *s)
{
  if (b->remotely_used)
    for (int p = 1; p <= sim_machine.devices; p++)
      {
	struct sim_mask gone = sim_mask_and (&b->by[p].remote, s);
	sim_mask_remove (&b->by[p].remote, s);
	if (sim_mask_empty (&gone))
	  continue;
	sim_view_lost (b, &gone, p);
	sim_access_lost (b, &gone, p);
      }
}

/* The whole of B leaves DEVICE for the CPU.  Pages of which the CPU has a
   valid copy (read-mostly) need no transfer.  */
static void
evict (struct sim_block *b, int device)
{
  struct sim_mask all = b->by[1 + device].resident;
  struct sim_mask moves = sim_mask_andnot (&all, &b->by[SIM_CPU].resident);
  count_move (b->range, 1 + device, SIM_CPU, sim_mask_count (&moves));
  sim_mask_add (&b->by[SIM_CPU].resident, &moves);
  unmap_remote (b, &all);
  give_up (b, &all, 1 + device, false);
  sim_machine.device[device].counters.evictions++;
  b->range->counters.evictions++;
}

static bool
is_kept (void *data, uint32_t unit)
{
  const struct sim_block *keep = data;
  return (keep && keep->unit == unit) || sim_retry_keeps (unit);
}

bool
sim_make_room (int device, uint64_t bytes, const struct sim_block *keep)
{
  struct sim_device *dev = &sim_machine.device[device];
  if (dev->plain_bytes + bytes > dev->capacity)
    return false;		/* Evicting would not help.  */
  while (dev->plain_bytes + dev->managed_bytes + bytes > dev->capacity)
    {
      uint32_t unit = sim_machine.policy->victim (dev->paging, is_kept,
						  (void *) keep);
      if (unit == UMMGR_PAGING_NONE)
	return false;
      evict (sim_machine.blocks[unit], device);
    }
  return true;
}

/* Room for B on DEVICE, and B the most recent there; FAULT: because of one.  */
static bool
charge (struct sim_block *b, int device, bool fault)
{
  struct sim_device *dev = &sim_machine.device[device];
  if (sim_mask_empty (&b->by[1 + device].resident))
    {
      uint64_t bytes = sim_block_charge (b);
      if (!sim_make_room (device, bytes, b))
	return false;
      dev->managed_bytes += bytes;
      sim_peak_update (device);
    }
  if (fault)
    sim_machine.policy->insert (dev->paging, b->unit);
  else
    ummgr_paging_prefetched (sim_machine.policy, dev->paging, b->unit);
  return true;
}

/* Bring the pages FRESH of B to TO: from whoever holds them, or new.  */
static void
fetch (struct sim_block *b, const struct sim_mask *fresh, unsigned to)
{
  struct sim_mask missing = *fresh;
  unsigned moved = 0;
  for (int p = 0; p <= sim_machine.devices; p++)
    if (p != (int) to)
      {
	struct sim_mask from = sim_mask_and (&b->by[p].resident, &missing);
	unsigned n = sim_mask_count (&from);
	if (!n)
	  continue;
	count_move (b->range, p, to, n);
	sim_mask_remove (&missing, &from);
	moved += n;
      }
  sim_mask_add (&b->by[to].resident, fresh);
  if (to != SIM_CPU)
    {
      struct sim_ledger *l = &sim_machine.device[to - 1].ledger;
      l->in_bytes += moved * SIM_PAGE;
      l->born_bytes += sim_mask_count (&missing) * SIM_PAGE;
    }
}

/* Pages that are now held more than once must not be written unseen: what
   other views have of them goes, and comes back read-only.  */
static void
protect_copies (struct sim_block *b, const struct sim_mask *s, unsigned to)
{
  sim_access_changed ();
  for (int p = 0; p <= sim_machine.devices; p++)
    {
      struct sim_mask copies = sim_mask_and (&b->by[p].resident, s);
      if (p != (int) to && !sim_mask_empty (&copies))
	{
	  sim_view_zap (b, &copies, p);
	  sim_view_zap (b, &copies, to);
	}
    }
}

static bool
migrate (struct sim_block *b, const struct sim_mask *s, unsigned to, bool copy,
	 bool fault)
{
  if (to != SIM_CPU && !charge (b, to - 1, fault))
    return false;
  struct sim_mask fresh = sim_mask_andnot (s, &b->by[to].resident);
  if (!sim_mask_empty (&fresh))
    {
      fetch (b, &fresh, to);
      unmap_remote (b, &fresh);
    }
  if (copy)
    protect_copies (b, s, to);
  else
    for (int p = 0; p <= sim_machine.devices; p++)
      if (p != (int) to)
	give_up (b, s, p, false);
  return true;
}

bool
sim_migrate (struct sim_block *b, const struct sim_mask *s, unsigned to,
	     bool copy)
{
  return migrate (b, s, to, copy, true);
}

bool
sim_migrate_ahead (struct sim_block *b, const struct sim_mask *s, unsigned to,
		   bool copy)
{
  return migrate (b, s, to, copy, false);
}

void
sim_collapse (struct sim_block *b, const struct sim_mask *s, unsigned to)
{
  for (int p = 0; p <= sim_machine.devices; p++)
    if (p != (int) to)
      {
	struct sim_mask gone = sim_mask_and (&b->by[p].resident, s);
	unmap_remote (b, &gone);
	give_up (b, &gone, p, true);
      }
}

void
sim_block_drop (struct sim_block *b)
{
  struct sim_mask all = sim_mask_range (0, b->pages);
  for (int p = 0; p <= sim_machine.devices; p++)
    {
      give_up (b, &all, p, true);
      if (p != SIM_CPU && sim_machine.policy->forget)
	sim_machine.policy->forget (sim_machine.device[p - 1].paging, b->unit);
    }
}
