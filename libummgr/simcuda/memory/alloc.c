/* Allocations of every kind: making, finding, freeing them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the table of allocations, by base address.  What managed memory does
   with its pages is managed.c's and uvm/'s.  */

#include "config.h"
#include "simcuda/memory/mem.h"
#include "base/log.h"

#include <Judy.h>
#include <stdlib.h>
#include <sys/mman.h>

#define GAP (1 << 20)

/* JudyL: base address to struct sim_range.  Guarded by the machine's lock. */
static void *ranges;

static size_t
page_round (size_t size)
{
  return (size + SIM_PAGE - 1) & -SIM_PAGE;
}

struct sim_range *
sim_range_find (uintptr_t address)
{
  Word_t key = address, *slot;
  JLL (slot, ranges, key);
  if (!slot)
    return NULL;
  struct sim_range *r = (struct sim_range *) *slot;
  return address - r->alloc.base < r->alloc.size ? r : NULL;
}

void
sim_range_gap (uintptr_t address, uintptr_t *lo_p, uintptr_t *hi_p)
{
  Word_t key = address, *slot;
  JLL (slot, ranges, key);
  const struct sim_range *before = slot ? (struct sim_range *) *slot : NULL;
  *lo_p = before ? before->alloc.base + before->alloc.size : 0;
  key = address;
  JLF (slot, ranges, key);
  *hi_p = slot ? key : UINTPTR_MAX;
}

void
sim_range_each (void (*visit) (struct sim_range *r, void *data), void *data)
{
  Word_t key = 0, *slot;
  JLF (slot, ranges, key);
  while (slot)
    {
      visit ((struct sim_range *) *slot, data);
      JLN (slot, ranges, key);
    }
}

struct sim_alloc *
sim_mem_find (uintptr_t address)
{
  if (!sim_machine.up)
    return NULL;
  sim_lock ();
  struct sim_range *r = sim_range_find (address);
  sim_unlock ();
  return r ? &r->alloc : NULL;
}

static bool
range_record (struct sim_range *r)
{
  Word_t *slot;
  JLI (slot, ranges, r->alloc.base);
  if (slot == PJERR)
    return false;
  *slot = (Word_t) r;
  sim_layout_allocated (r);
  sim_access_allocated (r);
  return true;
}

/* What a plain allocation of SIZE takes of the device.  */
static uint64_t
plain_charge (const struct sim_alloc *a)
{
  return a->scratch ? 0 : (a->size + 511) / 512 * 512;
}

static CUresult
alloc_plain (struct sim_range *r)
{
  uint64_t charge = plain_charge (&r->alloc);
  if (!uvm_take (sim_machine.uvm, r->alloc.device, charge))
    return CUDA_ERROR_OUT_OF_MEMORY;
  r->alloc.base = sim_plain_take (r->alloc.device, r->alloc.size,
				  &r->alloc.gap);
  if (r->alloc.base)
    return CUDA_SUCCESS;
  uvm_give (sim_machine.uvm, r->alloc.device, charge);
  return CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult
alloc_host (struct sim_range *r)
{
  void *p = mmap (NULL, page_round (r->alloc.size), PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED)
    return CUDA_ERROR_OUT_OF_MEMORY;
  r->alloc.base = (uintptr_t) p;
  return CUDA_SUCCESS;
}

/* Give the memory of R back.  */
static void
release (struct sim_range *r)
{
  sim_access_freed (r);
  sim_layout_freed (r);
  switch (r->alloc.kind)
    {
    case SIM_MEM_PLAIN:
      sim_plain_give (r->alloc.device, r->alloc.base, r->alloc.size,
		      r->alloc.gap);
      uvm_give (sim_machine.uvm, r->alloc.device, plain_charge (&r->alloc));
      sim_launch_forget (r->alloc.base, r->alloc.size);
      break;
    case SIM_MEM_MANAGED:
      sim_managed_free (r);
      break;
    case SIM_MEM_HOST:
      munmap ((void *) r->alloc.base, page_round (r->alloc.size));
      break;
    case SIM_MEM_REGISTERED:
    case SIM_MEM_VARIABLE:
      break;
    }
}

CUresult
sim_mem_alloc (enum sim_mem_kind kind, int device, size_t size, bool scratch,
	       struct sim_alloc **out_p)
{
  if (!sim_machine.up)
    return CUDA_ERROR_NOT_INITIALIZED;
  /* Pointers to elements beside the first and last are seldom farther from
     them than the array is long.  */
  size_t gap = kind == SIM_MEM_VARIABLE ? (size | 511) + 1 + GAP : 0;
  if (gap)
    kind = SIM_MEM_PLAIN;
  if (!size || size >> 47 || kind == SIM_MEM_REGISTERED
      || (kind == SIM_MEM_PLAIN
	  && (device < 0 || device >= sim_machine.devices)))
    return CUDA_ERROR_INVALID_VALUE;
  struct sim_range *r = calloc (1, sizeof *r);
  if (!r)
    return CUDA_ERROR_OUT_OF_MEMORY;
  r->counters = &r->own;
  r->alloc.kind = kind;
  r->alloc.size = size;
  r->alloc.device = kind == SIM_MEM_PLAIN ? device : SIM_HOST;
  r->alloc.scratch = scratch;
  r->alloc.gap = gap;
  int home = device >= 0 && device < sim_machine.devices ? device : 0;

  sim_time_lock ();
  CUresult result = (kind == SIM_MEM_PLAIN     ? alloc_plain (r)
		     : kind == SIM_MEM_MANAGED ? sim_managed_alloc (r, home)
					       : alloc_host (r));
  if (result == CUDA_SUCCESS && !range_record (r))
    {
      release (r);
      result = CUDA_ERROR_OUT_OF_MEMORY;
    }
  sim_time_unlock ();
  if (result != CUDA_SUCCESS)
    {
      free (r);
      return result;
    }
  *out_p = &r->alloc;
  return CUDA_SUCCESS;
}

CUresult
sim_mem_register (void *host, size_t size, struct sim_alloc **out_p)
{
  uintptr_t base = (uintptr_t) host;
  if (!sim_machine.up)
    return CUDA_ERROR_NOT_INITIALIZED;
  if (!host || !size || base + size < base)
    return CUDA_ERROR_INVALID_VALUE;
  struct sim_range *r = calloc (1, sizeof *r);
  if (!r)
    return CUDA_ERROR_OUT_OF_MEMORY;
  r->counters = &r->own;
  r->alloc = (struct sim_alloc) { .kind = SIM_MEM_REGISTERED,
				  .base = base,
				  .size = size,
				  .device = SIM_HOST };
  CUresult result = CUDA_SUCCESS;
  sim_lock ();
  /* The last allocation that begins before the end must end before HOST.  */
  Word_t key = base + size - 1, *slot;
  JLL (slot, ranges, key);
  struct sim_range *before = slot ? (struct sim_range *) *slot : NULL;
  if (before && before->alloc.base + before->alloc.size > base)
    result = (before->alloc.kind == SIM_MEM_REGISTERED
	      || before->alloc.kind == SIM_MEM_HOST
	      ? CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED
	      : CUDA_ERROR_INVALID_VALUE);
  else if (!range_record (r))
    result = CUDA_ERROR_OUT_OF_MEMORY;
  sim_unlock ();
  if (result != CUDA_SUCCESS)
    free (r);
  else
    *out_p = &r->alloc;
  return result;
}

CUresult
sim_mem_free (struct sim_alloc *alloc)
{
  if (!sim_machine.up)
    return CUDA_ERROR_NOT_INITIALIZED;
  struct sim_range *r = (struct sim_range *) alloc;
  int rc;
  sim_lock ();
  JLD (rc, ranges, alloc->base);
  if (rc == 1)
    release (r);
  sim_unlock ();
  if (rc != 1)
    return CUDA_ERROR_INVALID_VALUE;
  free (r);
  return CUDA_SUCCESS;
}

void
sim_mem_info (int device, uint64_t *free_p, uint64_t *total_p)
{
  sim_lock ();
  const struct uvm_device *dev = &sim_machine.uvm->device[device];
  *total_p = dev->figures.memory_bytes;
  uint64_t used = dev->taken_bytes + dev->managed_bytes + dev->others_bytes;
  *free_p = used < *total_p ? *total_p - used : 0;
  sim_unlock ();
}
