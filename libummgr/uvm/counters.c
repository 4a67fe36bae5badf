/* Access counters: memory that a GPU uses over its link often enough comes to it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns every struct uvm_counter, and each device's list of those that have notified.

   Volta and later count what a GPU accesses in others' memory, for each region of
   access_counter_granularity; at access_counter_threshold a counter notifies the driver,
   once, with what was accessed there since it was cleared, in parts of 64 KiB: a granule
   here.  The driver (kernel-open/nvidia-uvm/uvm_gpu_access_counters.c) takes up to 256
   notifications, sorts them by address, brings the accessed pages of a block that are where
   the one is that was accessed last, as it serves faults, tree and all, but for pages that
   are to be elsewhere by advice; and clears the counters.  A block that finds no room ends
   the batch: its notifications, and those behind, are lost, and not cleared.

   Off by default there (uvm_perf_access_counter_mimc_migration_enable) but where CPU and
   GPU share page tables.  Newer drivers, which take notifications by virtual
   address, serve none of them where the host's pages are of 4 KiB (service_notifications);
   earlier ones do, by physical address: a region is 2 MiB of the holder's memory, and that
   of a block here.  What an access is to the counters is not documented: gpu/ counts each
   sector that a multiprocessor asks for beyond its own cache.  */

#include "config.h"
#include "uvm/rules.h"

#include <stdlib.h>

static struct uvm_counted *
counted_of (const struct uvm *u, const struct uvm_block *b, int device)
{
  return (struct uvm_counted *) ((char *) b + uvm_counted_offset (u->devices)
				 + device * uvm_counted_bytes (u->regions));
}

static struct uvm_counter *
counter_at (const struct uvm *u, uint32_t number, int device)
{
  const struct uvm_block *b = u->blocks[number / u->regions];
  return &counted_of (u, b, device)->region[number % u->regions];
}

static uint32_t
number_of (const struct uvm *u, const struct uvm_block *b, unsigned page)
{
  return b->unit * u->regions + page / u->region_pages;
}

/* Counter NUMBER is the last of DEVICE's that have notified.  */
static void
append (struct uvm *u, uint32_t number, int device)
{
  struct uvm_device *dev = &u->device[device];
  *(dev->notified ? &counter_at (u, dev->last_notified, device)->next
		  : &dev->first_notified) = number;
  dev->last_notified = number;
  dev->notified++;
}

/* The first of them, which no longer is one.  */
static uint32_t
take_first (struct uvm *u, int device)
{
  struct uvm_device *dev = &u->device[device];
  uint32_t number = dev->first_notified;
  dev->first_notified = counter_at (u, number, device)->next;
  dev->notified--;
  return number;
}

bool
uvm_used_remotely (struct uvm *u, struct uvm_block *b, unsigned page, int device,
		   unsigned accesses)
{
  struct uvm_device *dev = &u->device[device];
  unsigned threshold = dev->figures.access_counter_threshold;
  if (!u->regions || !threshold)
    return false;
  uint32_t number = number_of (u, b, page);
  struct uvm_counter *c = counter_at (u, number, device);
  uvm_mask_set (&counted_of (u, b, device)->touched, page);
  if (c->notified)
    return false;
  c->count += accesses;
  if (c->count < threshold)
    return false;
  c->notified = true;
  c->page = page;
  append (u, number, device);
  dev->counters.notifications++;
  b->range->counters.notifications++;
  return true;
}

unsigned
uvm_notified (struct uvm *u, int device, struct uvm_fault *entry, unsigned most)
{
  unsigned count = 0;
  while (count < most && u->device[device].notified)
    {
      uint32_t number = take_first (u, device);
      entry[count++] = (struct uvm_fault) {
	u->blocks[number / u->regions], counter_at (u, number, device)->page, false
      };
    }
  qsort (entry, count, sizeof *entry, uvm_by_address);
  return count;
}

/* The pages of the region that E is of.  */
static struct uvm_mask
region_of (const struct uvm *u, const struct uvm_fault *e)
{
  unsigned lo = e->page / u->region_pages * u->region_pages;
  return uvm_mask_range (lo, lo + u->region_pages);
}

/* The pages that E's notification, of DEVICE, asks for.  */
static struct uvm_mask
asked_for (const struct uvm *u, const struct uvm_fault *e, int device)
{
  const struct uvm_block *b = e->block;
  struct uvm_mask none = { { 0 } };
  int holder = uvm_holder (u, b, e->page, 1 + device);
  if (holder < 0 || holder == 1 + device)
    return none;
  struct uvm_mask s = region_of (u, e);
  s = uvm_mask_and (&s, &counted_of (u, b, device)->touched);
  s = uvm_tree_granules (&s, b->pages, u->granule_pages);
  return uvm_mask_and (&s, &b->by[holder].resident);
}

static void
clear (struct uvm *u, const struct uvm_fault *e, int device)
{
  struct uvm_mask s = region_of (u, e);
  uvm_mask_remove (&counted_of (u, e->block, device)->touched, &s);
  *counter_at (u, number_of (u, e->block, e->page), device) = (struct uvm_counter) { 0 };
}

/* Is anything of B mapped on DEVICE?  Else what notified is no longer so.  */
static bool
is_mapped (const struct uvm_block *b, int device)
{
  const struct uvm_holding *h = &b->by[1 + device];
  return !uvm_mask_empty (&h->resident) || !uvm_mask_empty (&h->remote);
}

/* COUNT entries at E, all of one block.  False: no room.  */
static bool
serve_block (struct uvm *u, int device, const struct uvm_fault *e, unsigned count)
{
  struct uvm_mask s = { { 0 } };
  for (unsigned i = 0; i < count; i++)
    {
      struct uvm_mask more = asked_for (u, &e[i], device);
      uvm_mask_add (&s, &more);
    }
  if (is_mapped (e->block, device) && !uvm_gpu_notified (u, e->block, &s, device))
    return false;
  for (unsigned i = 0; i < count; i++)
    clear (u, &e[i], device);
  return true;
}

struct uvm_batch
uvm_serve_notified (struct uvm *u, int device, const struct uvm_fault *entry, unsigned count)
{
  struct uvm_device *dev = &u->device[device];
  struct uvm_served served[UVM_GROUP];
  struct uvm_batch batch = { 0 };
  uvm_clock_by (u, 1 + device);
  const uint64_t pages = dev->counters.notified_pages;
  bool room = true;
  for (unsigned i = 0, end; room && i < count; i = end)
    {
      for (end = i; end < count && entry[end].block == entry[i].block;)
	end++;
      const struct uvm_served before = uvm_clock_served (dev);
      room = serve_block (u, device, entry + i, end - i);
      served[batch.blocks++] = uvm_clock_since (dev, &before);
    }
  batch.pages = dev->counters.notified_pages - pages;
  uvm_clock_notified (u, device, served, &batch);
  uvm_clock_done (u, 1 + device);
  return batch;
}

void
uvm_heed (struct uvm *u, unsigned p)
{
  struct uvm_fault entry[UVM_GROUP];
  while (p != UVM_CPU && !u->told && u->device[p - 1].notified)
    uvm_serve_notified (u, p - 1, entry, uvm_notified (u, p - 1, entry, UVM_GROUP));
}

void
uvm_forget_notified (struct uvm *u, const struct uvm_block *b)
{
  for (int d = 0; u->regions && d < u->devices; d++)
    for (uint32_t left = u->device[d].notified; left > 0; left--)
      {
	uint32_t number = take_first (u, d);
	if (number / u->regions != b->unit)
	  append (u, number, d);
      }
}
