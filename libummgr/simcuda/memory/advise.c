/* Prefetch, advice and range attributes of managed memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the table of advice combinations.  What advice does to a fault is
   fault.c's.  */

#include "config.h"
#include "simcuda/memory/mem.h"
#include "base/log.h"

#include <stdlib.h>

#define DEVICE_INVALID (-2)	/* CU_DEVICE_INVALID.  */
#define COMBINATIONS 4096

/* Combination 0 is "none".  Only ever grows: pages name them by number.  */
static struct sim_advice combination[COMBINATIONS]
  = { { .preferred = SIM_NOWHERE } };
static unsigned combinations = 1;

const struct sim_advice *
sim_advice_get (unsigned number)
{
  return &combination[number];
}

/* The number of the combination A; -1 if there are too many.  */
static int
intern (struct sim_advice a)
{
  for (unsigned i = 0; i < combinations; i++)
    if (combination[i].preferred == a.preferred
	&& combination[i].read_mostly == a.read_mostly
	&& combination[i].accessed_by == a.accessed_by)
      return i;
  if (combinations == COMBINATIONS)
    return -1;
  combination[combinations] = a;
  return combinations++;
}

/* The part [*LO_P, *HI_P) of a block that a range of whole pages covers;
   steps through the range.  */
struct walk
{
  uintptr_t at, end;
  struct sim_block *block;
  unsigned lo, hi;
};

static struct walk
walk_begin (uintptr_t address, size_t size)
{
  return (struct walk) { .at = address & -SIM_PAGE,
			 .end = (address + size + SIM_PAGE - 1) & -SIM_PAGE };
}

static bool
walk_next (struct walk *w)
{
  if (w->at >= w->end)
    return false;
  w->block = sim_block_at (w->at);
  if (!w->block)
    return false;
  uintptr_t base = sim_machine.arena + sim_block_offset (w->block);
  w->lo = (w->at - base) / SIM_PAGE;
  w->at = base + sim_machine.block_bytes;
  w->hi = (w->end < w->at ? w->end - base : sim_machine.block_bytes)
	  / SIM_PAGE;
  if (w->hi > w->block->pages)
    w->hi = w->block->pages;
  return w->lo < w->hi;
}

static struct sim_mask
read_mostly_pages (const struct sim_block *b, unsigned lo, unsigned hi)
{
  struct sim_mask m = { { 0 } };
  for (unsigned i = lo; b->advice && i < hi; i++)
    if (sim_advice_get (b->advice[i])->read_mostly)
      sim_mask_set (&m, i);
  return m;
}

/* --- prefetch ----------------------------------------------------------- */

static bool
prefetch_block (const struct walk *w, unsigned to)
{
  struct sim_mask s = sim_mask_range (w->lo, w->hi);
  struct sim_mask copies = read_mostly_pages (w->block, w->lo, w->hi);
  sim_mask_remove (&s, &copies);
  w->block->last_prefetch = (int) to - 1;
  return (sim_mask_empty (&s) || sim_migrate_ahead (w->block, &s, to, false))
	 && (sim_mask_empty (&copies)
	     || sim_migrate_ahead (w->block, &copies, to, true));
}

/* As cuMemPrefetchAsync: block after block in the order of addresses, the
   least recent leaving as room is needed, so a range larger than the device
   ends with its tail there.  */
CUresult
sim_mem_prefetch (uintptr_t address, size_t size, int device)
{
  if (!sim_machine.up)
    return CUDA_ERROR_NOT_INITIALIZED;
  if (device != SIM_HOST && (device < 0 || device >= sim_machine.devices))
    return CUDA_ERROR_INVALID_DEVICE;
  CUresult result = CUDA_SUCCESS;
  sim_lock ();
  struct sim_range *r = sim_range_find (address);
  if (!r || r->alloc.kind != SIM_MEM_MANAGED)
    result = CUDA_ERROR_INVALID_VALUE;
  int charged = device == SIM_HOST && r ? r->home : device;
  uint64_t before = 0;
  if (result == CUDA_SUCCESS)
    before = r->counters.h2d_bytes + r->counters.d2h_bytes;
  struct walk w = walk_begin (address, size);
  while (result == CUDA_SUCCESS && walk_next (&w))
    if (!prefetch_block (&w, 1 + device))
      result = CUDA_ERROR_OUT_OF_MEMORY;
  if (r && r->counters.h2d_bytes + r->counters.d2h_bytes != before)
    sim_model_latency (charged);
  sim_unlock ();
  return result;
}

/* --- advice ------------------------------------------------------------- */

static struct sim_advice
changed (struct sim_advice a, int advice, int device)
{
  uint32_t bit = UINT32_C (1) << (device + 1);
  switch (advice)
    {
    case CU_MEM_ADVISE_SET_READ_MOSTLY:
      a.read_mostly = true;
      break;
    case CU_MEM_ADVISE_UNSET_READ_MOSTLY:
      a.read_mostly = false;
      break;
    case CU_MEM_ADVISE_SET_PREFERRED_LOCATION:
      a.preferred = device;
      break;
    case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
      a.preferred = SIM_NOWHERE;
      break;
    case CU_MEM_ADVISE_SET_ACCESSED_BY:
      a.accessed_by |= bit;
      break;
    default:
      a.accessed_by &= ~bit;
    }
  return a;
}

/* Read-mostly ends: of several copies one stays, at the preferred location
   if that has one, else the first holder's.  */
static void
keep_one_copy (struct sim_block *b, unsigned page)
{
  const struct sim_advice *a = sim_advice_get (b->advice[page]);
  int keep = sim_block_holder (b, page, SIM_CPU);
  if (a->preferred != SIM_NOWHERE
      && sim_mask_test (&b->by[a->preferred + 1].resident, page))
    keep = a->preferred + 1;
  if (keep < 0)
    return;
  struct sim_mask one = sim_mask_range (page, page + 1);
  sim_collapse (b, &one, keep);
  one = sim_mask_and (&one, &b->protected);
  sim_view_zap (b, &one, sim_view_now ());
}

static CUresult
advise_block (const struct walk *w, int advice, int device)
{
  struct sim_block *b = w->block;
  if (!b->advice)
    b->advice = calloc (b->pages, sizeof *b->advice);
  if (!b->advice)
    return CUDA_ERROR_OUT_OF_MEMORY;
  unsigned old = COMBINATIONS;
  int number = 0;
  for (unsigned i = w->lo; i < w->hi; i++)
    {
      if (b->advice[i] != old)
	number = intern (changed (combination[b->advice[i]], advice, device));
      if (number < 0)
	return CUDA_ERROR_OUT_OF_MEMORY;
      if (advice == CU_MEM_ADVISE_UNSET_READ_MOSTLY)
	keep_one_copy (b, i);
      old = b->advice[i];
      b->advice[i] = number;
    }
  return CUDA_SUCCESS;
}

CUresult
sim_mem_advise (uintptr_t address, size_t size, int advice, int device)
{
  if (!sim_machine.up)
    return CUDA_ERROR_NOT_INITIALIZED;
  if (advice < CU_MEM_ADVISE_SET_READ_MOSTLY
      || advice > CU_MEM_ADVISE_UNSET_ACCESSED_BY)
    return CUDA_ERROR_INVALID_VALUE;
  /* Read-mostly and "unset preferred location" ignore the device.  */
  if (advice <= CU_MEM_ADVISE_UNSET_READ_MOSTLY
      || advice == CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION)
    device = SIM_HOST;
  if (device != SIM_HOST && (device < 0 || device >= sim_machine.devices))
    return CUDA_ERROR_INVALID_DEVICE;
  CUresult result = CUDA_SUCCESS;
  sim_lock ();
  if (advice == CU_MEM_ADVISE_SET_READ_MOSTLY
      && (!sim_trap_cpu () || !sim_trap_want_protection ()))
    {
      ummgr_warn_once ("simcuda: read-mostly advice is ignored: userfaultfd"
		       " cannot write-protect shared memory here");
      sim_unlock ();
      return CUDA_SUCCESS;
    }
  struct walk w = walk_begin (address, size);
  while (result == CUDA_SUCCESS && walk_next (&w))
    result = advise_block (&w, advice, device);
  sim_unlock ();
  return result;
}

/* --- attributes --------------------------------------------------------- */

static struct sim_advice
advice_at (const struct sim_block *b, unsigned page)
{
  return combination[b->advice ? b->advice[page] : 0];
}

/* What all pages of a range have in common.  */
struct common
{
  bool first, read_mostly;
  int preferred, last_prefetch;
  uint32_t accessed_by;
};

static struct common
common_of (uintptr_t address, size_t size)
{
  struct common c = { .first = true };
  struct walk w = walk_begin (address, size);
  while (walk_next (&w))
    for (unsigned i = w.lo; i < w.hi; i++)
      {
	struct sim_advice a = advice_at (w.block, i);
	int last = w.block->last_prefetch;
	if (c.first)
	  c = (struct common) { false, a.read_mostly, a.preferred, last,
				a.accessed_by };
	c.read_mostly &= a.read_mostly;
	c.accessed_by &= a.accessed_by;
	if (c.preferred != a.preferred)
	  c.preferred = DEVICE_INVALID;
	if (c.last_prefetch != last)
	  c.last_prefetch = DEVICE_INVALID;
      }
  return c;
}

/* Places: SIM_HOST is CU_DEVICE_CPU, SIM_NOWHERE is CU_DEVICE_INVALID, by
   their values.  The last prefetch is known by whole blocks.  */
CUresult
sim_mem_range_attribute (void *data, size_t data_size, int attribute,
			 uintptr_t address, size_t size)
{
  if (!sim_machine.up)
    return CUDA_ERROR_NOT_INITIALIZED;
  if (!data || !size || data_size < sizeof (int) || data_size % sizeof (int)
      || (attribute != CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY
	  && data_size != sizeof (int)))
    return CUDA_ERROR_INVALID_VALUE;
  sim_lock ();
  struct common c = common_of (address, size);
  sim_unlock ();
  int *out = data;
  switch (attribute)
    {
    case CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
      *out = c.read_mostly;
      return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
      *out = c.preferred;
      return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
      *out = c.last_prefetch;
      return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY:
      {
	size_t n = 0;
	for (int d = SIM_HOST; d < sim_machine.devices; d++)
	  if ((c.accessed_by >> (d + 1) & 1) && n < data_size / sizeof (int))
	    out[n++] = d;
	while (n < data_size / sizeof (int))
	  out[n++] = DEVICE_INVALID;
	return CUDA_SUCCESS;
      }
    default:
      return CUDA_ERROR_INVALID_VALUE;
    }
}
