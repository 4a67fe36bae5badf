/* Faults of a GPU, a batch at a time.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing.  How entries get into a batch, and what becomes of those that don't, is
   the GPU's matter and its driver's loop: gpu/buffer.c.  */

#include "config.h"
#include "uvm/rules.h"

#include <stdlib.h>

int
uvm_by_address (const void *a, const void *b)
{
  const struct uvm_fault *f = a, *g = b;
  if (f->block->unit != g->block->unit)
    return f->block->unit < g->block->unit ? -1 : 1;
  return f->page < g->page ? -1 : f->page > g->page;
}

/* Pages of the COUNT faults at F, all in one block, that DEVICE may not access; those that it
   wants to write.  */
static struct uvm_mask
missing (struct uvm *u, int device, const struct uvm_fault *f, unsigned count,
	 struct uvm_mask *write)
{
  struct uvm_mask s = { { 0 } };
  *write = s;
  for (unsigned i = 0; i < count; i++)
    if (uvm_reaches (u, f[i].block, f[i].page, device, f[i].write) == UVM_FAULTS)
      {
	uvm_mask_set (&s, f[i].page);
	if (f[i].write)
	  uvm_mask_set (write, f[i].page);
      }
  return s;
}

struct uvm_batch
uvm_serve (struct uvm *u, int device, struct uvm_fault *fault, unsigned count)
{
  struct uvm_device *dev = &u->device[device];
  struct uvm_served served[UVM_GROUP];
  struct uvm_batch batch = { 0 };
  uvm_clock_by (u, 1 + device);
  qsort (fault, count, sizeof *fault, uvm_by_address);
  for (unsigned i = 1; i < count; i++)
    batch.duplicates += uvm_by_address (&fault[i - 1], &fault[i]) == 0;
  for (unsigned i = 0, end; i < count; i = end)
    {
      for (end = i; end < count && fault[end].block == fault[i].block;)
	end++;
      struct uvm_mask write, s = missing (u, device, fault + i, end - i, &write);
      const struct uvm_served before = uvm_clock_served (dev);
      if (uvm_mask_empty (&s) || batch.blocks == UVM_GROUP)
	continue;
      uvm_gpu_faults (u, fault[i].block, &s, &write, device);
      batch.pages += uvm_mask_count (&s);
      served[batch.blocks++] = uvm_clock_since (dev, &before);
    }
  uvm_clock_batch (u, device, served, &batch);
  uvm_clock_done (u, 1 + device);
  return batch;
}
