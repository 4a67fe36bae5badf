/* Prefetch, advice and range attributes of managed memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing: checks what is asked, for uvm/advise.c to do.  */

#include "config.h"
#include "simcuda/memory/mem.h"
#include "base/log.h"

#include <string.h>

#define DEVICE_INVALID (-2)	/* CU_DEVICE_INVALID.  */

_Static_assert ((int) UVM_SET_READ_MOSTLY == CU_MEM_ADVISE_SET_READ_MOSTLY
		&& (int) UVM_UNSET_ACCESSED_BY == CU_MEM_ADVISE_UNSET_ACCESSED_BY
		&& DEVICE_INVALID == UVM_NOWHERE, "advice is the driver's");

CUresult
sim_mem_prefetch (uintptr_t address, size_t size, int device)
{
  if (!sim_machine.up)
    return CUDA_ERROR_NOT_INITIALIZED;
  if (device != SIM_HOST && (device < 0 || device >= sim_machine.devices))
    return CUDA_ERROR_INVALID_DEVICE;
  CUresult result = CUDA_SUCCESS;
  sim_time_lock ();
  struct sim_range *r = sim_range_find (address);
  if (!r || r->alloc.kind != SIM_MEM_MANAGED)
    result = CUDA_ERROR_INVALID_VALUE;
  else if (!uvm_prefetch (sim_machine.uvm, sim_offset (address), size, device))
    result = CUDA_ERROR_OUT_OF_MEMORY;
  sim_time_unlock ();
  return result;
}

CUresult
sim_mem_discard (uintptr_t address, size_t size)
{
  uintptr_t lo = (address + SIM_PAGE - 1) & -SIM_PAGE, hi = (address + size) & -SIM_PAGE;
  if (!sim_machine.up)
    return CUDA_ERROR_NOT_INITIALIZED;
  CUresult result = CUDA_SUCCESS;
  sim_time_lock ();
  struct sim_range *r = sim_range_find (address);
  if (!r || r->alloc.kind != SIM_MEM_MANAGED)
    result = CUDA_ERROR_INVALID_VALUE;
  else if (lo < hi)
    {
      uvm_discard_range (sim_machine.uvm, sim_offset (lo), hi - lo);
      /* Who reads it before it is written shall see that.  */
      memset (sim_managed_alias (lo), SIM_DISCARDED, hi - lo);
    }
  sim_time_unlock ();
  return result;
}

/* Pages of [ADDRESS, +SIZE) that are entered read-only are no longer held twice.  */
static void
unprotect (uintptr_t address, size_t size)
{
  uintptr_t at = address & -SIM_PAGE, block_bytes = sim_machine.uvm->block_bytes;
  while (at < address + size)
    {
      struct sim_block *b = sim_block_at (at);
      uintptr_t end = (at | (block_bytes - 1)) + 1;
      uintptr_t last = (end < address + size ? end : address + size) - 1;
      struct uvm_mask s
	= uvm_mask_range (sim_page_of (at), sim_page_of (last) + 1);
      s = uvm_mask_and (&s, &b->protected);
      sim_view_zap (b, &s, sim_view_now ());
      at = end;
    }
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
  sim_lock ();
  if (advice == CU_MEM_ADVISE_SET_READ_MOSTLY
      && (!sim_trap_cpu () || !sim_trap_want_protection ()))
    {
      ummgr_warn_once ("simcuda: read-mostly advice is ignored: userfaultfd"
		       " cannot write-protect shared memory here");
      sim_unlock ();
      return CUDA_SUCCESS;
    }
  bool good = uvm_advise (sim_machine.uvm, sim_offset (address), size, advice,
			  device);
  if (advice == CU_MEM_ADVISE_UNSET_READ_MOSTLY)
    unprotect (address, size);
  sim_unlock ();
  return good ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
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
  struct uvm_common c
    = uvm_common (sim_machine.uvm, sim_offset (address), size);
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
