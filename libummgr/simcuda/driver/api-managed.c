/* Entry points: prefetch, advice, and questions about addresses.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"
#include "simcuda/driver/driver.h"

#include <string.h>

static CUresult
enter_managed (struct sim_context **context_p, CUdeviceptr address,
	       size_t size)
{
  CUresult r = sim_enter_context (context_p);
  if (r != CUDA_SUCCESS)
    return r;
  return size && sim_driver_range (address, size, SIM_KIND (SIM_MEM_MANAGED))
	 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult
check_place (int device)
{
  return device == CU_DEVICE_CPU
	 || (device >= 0 && device < sim_profile.device_count)
	 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

/* The device number of an interface that took plain numbers.  */
static CUresult
read_location (CUmemLocation location, int *device_p)
{
  switch (location.type)
    {
    case CU_MEM_LOCATION_TYPE_DEVICE:
      *device_p = location.id;
      return location.id < 0 ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
    case CU_MEM_LOCATION_TYPE_HOST:
    case CU_MEM_LOCATION_TYPE_HOST_NUMA:
    case CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT:
      *device_p = CU_DEVICE_CPU;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
    }
}

/* --- prefetch ----------------------------------------------------------- */

static CUresult
run_prefetch (struct sim_op *op)
{
  return sim_mem_prefetch (op->u.prefetch.address, op->u.prefetch.size,
			   op->u.prefetch.device);
}

CUresult
cuMemPrefetchAsync (CUdeviceptr address, size_t size, CUdevice device,
		    CUstream handle)
{
  struct sim_context *context;
  struct sim_stream *stream;
  CUresult r = enter_managed (&context, address, size);
  if (r == CUDA_SUCCESS)
    r = check_place (device);
  if (r == CUDA_SUCCESS)
    r = sim_stream_check (context, handle, &stream);
  if (r != CUDA_SUCCESS)
    return r;
  struct sim_op op = {
    .run = run_prefetch,
    .u.prefetch = { address, size,
		    device == CU_DEVICE_CPU ? SIM_HOST : device }
  };
  return sim_engine_submit (stream, &op);
}

CUresult
cuMemPrefetchAsync_v2 (CUdeviceptr address, size_t size,
		       CUmemLocation location, unsigned flags, CUstream stream)
{
  int device;
  CUresult r = sim_enter ();
  if (r == CUDA_SUCCESS)
    r = flags ? CUDA_ERROR_INVALID_VALUE : read_location (location, &device);
  return r == CUDA_SUCCESS ? cuMemPrefetchAsync (address, size, device, stream)
			   : r;
}

static CUresult
run_discard (struct sim_op *op)
{
  return sim_mem_discard (op->u.prefetch.address, op->u.prefetch.size);
}

/* All of them, or none.  */
CUresult
cuMemDiscardBatchAsync (CUdeviceptr *addresses, size_t *sizes, size_t count, unsigned long long flags,
			CUstream handle)
{
  struct sim_context *context;
  struct sim_stream *stream;
  CUresult r = sim_enter_context (&context);
  if (r == CUDA_SUCCESS && (!addresses || !sizes || !count || flags || !handle || handle == CU_STREAM_LEGACY))
    r = CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < count && r == CUDA_SUCCESS; i++)
    r = enter_managed (&context, addresses[i], sizes[i]);
  if (r == CUDA_SUCCESS)
    r = sim_stream_check (context, handle, &stream);
  for (size_t i = 0; i < count && r == CUDA_SUCCESS; i++)
    {
      struct sim_op op = { .run = run_discard, .u.prefetch = { addresses[i], sizes[i], SIM_HOST } };
      r = sim_engine_submit (stream, &op);
    }
  return r;
}

/* --- advice ------------------------------------------------------------- */

CUresult
cuMemAdvise (CUdeviceptr address, size_t size, CUmem_advise advice,
	     CUdevice device)
{
  struct sim_context *context;
  CUresult r = enter_managed (&context, address, size);
  if (r != CUDA_SUCCESS)
    return r;
  switch (advice)
    {
    case CU_MEM_ADVISE_SET_PREFERRED_LOCATION:
    case CU_MEM_ADVISE_SET_ACCESSED_BY:
    case CU_MEM_ADVISE_UNSET_ACCESSED_BY:
      r = check_place (device);
      break;
    case CU_MEM_ADVISE_SET_READ_MOSTLY:
    case CU_MEM_ADVISE_UNSET_READ_MOSTLY:
    case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
      device = CU_DEVICE_CPU; /* Ignored.  */
      break;
    default:
      r = CUDA_ERROR_INVALID_VALUE;
    }
  if (r != CUDA_SUCCESS)
    return r;
  return sim_mem_advise (address, size, advice,
			 device == CU_DEVICE_CPU ? SIM_HOST : device);
}

CUresult
cuMemAdvise_v2 (CUdeviceptr address, size_t size, CUmem_advise advice,
		CUmemLocation location)
{
  int device = CU_DEVICE_CPU;
  CUresult r = sim_enter ();
  if (r == CUDA_SUCCESS
      && (advice == CU_MEM_ADVISE_SET_PREFERRED_LOCATION
	  || advice == CU_MEM_ADVISE_SET_ACCESSED_BY
	  || advice == CU_MEM_ADVISE_UNSET_ACCESSED_BY))
    r = read_location (location, &device);
  return r == CUDA_SUCCESS ? cuMemAdvise (address, size, advice, device) : r;
}

/* --- attributes of managed ranges --------------------------------------- */

static bool
attribute_valid (CUmem_range_attribute attribute, size_t data_size)
{
  switch (attribute)
    {
    case CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
      return data_size == sizeof (int);
    case CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY:
      return data_size && data_size % sizeof (int) == 0;
    default:
      return false;
    }
}

CUresult
cuMemRangeGetAttribute (void *data, size_t data_size,
			CUmem_range_attribute attribute, CUdeviceptr address,
			size_t size)
{
  struct sim_context *context;
  CUresult r = sim_given (enter_managed (&context, address, size),
			  data && attribute_valid (attribute, data_size));
  return r == CUDA_SUCCESS ? sim_mem_range_attribute (data, data_size, attribute,
						      address, size) : r;
}

CUresult
cuMemRangeGetAttributes (void **data, size_t *data_sizes,
			 CUmem_range_attribute *attributes, size_t count,
			 CUdeviceptr address, size_t size)
{
  CUresult r = sim_given (sim_enter (),
			  data && data_sizes && attributes && count);
  if (r != CUDA_SUCCESS)
    return r;
  for (size_t i = 0; i < count && r == CUDA_SUCCESS; i++)
    r = cuMemRangeGetAttribute (data[i], data_sizes[i], attributes[i], address,
				size);
  return r;
}

/* --- attributes of pointers --------------------------------------------- */

/* The context that ALLOC came from; NULL for a module's variables.  */
static CUcontext
owner_of (const struct sim_alloc *alloc)
{
  struct sim_holding h;
  return sim_holding_get (alloc->base, &h) ? (CUcontext) h.context : NULL;
}

static int
ordinal_of (const struct sim_alloc *alloc)
{
  struct sim_holding h;
  if (alloc->kind == SIM_MEM_PLAIN || !sim_holding_get (alloc->base, &h))
    return alloc->device;
  return h.context->device;
}

/* Write ATTRIBUTE of ADDRESS, in ALLOC, which may be NULL.  */
static CUresult
pointer_attribute (void *data, CUpointer_attribute attribute,
		   uintptr_t address, const struct sim_alloc *alloc)
{
  const bool device = alloc && (alloc->kind == SIM_MEM_PLAIN
				|| alloc->kind == SIM_MEM_MANAGED);
  switch (attribute)
    {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      *(CUcontext *) data = alloc ? owner_of (alloc) : NULL;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      *(unsigned *) data = !alloc ? 0 : device ? CU_MEMORYTYPE_DEVICE
					       : CU_MEMORYTYPE_HOST;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      *(CUdeviceptr *) data = alloc ? address : 0;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      *(void **) data = alloc && alloc->kind != SIM_MEM_PLAIN
			? (void *) address : NULL;
      return alloc && alloc->kind == SIM_MEM_PLAIN ? CUDA_ERROR_INVALID_VALUE
						   : CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
      *(unsigned *) data = 0;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
      *(uint64_t *) data = alloc ? alloc->base : 0;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      *(unsigned *) data = alloc && alloc->kind == SIM_MEM_MANAGED;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      *(int *) data = alloc ? ordinal_of (alloc) : CU_DEVICE_INVALID;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      *(CUdeviceptr *) data = alloc ? alloc->base : 0;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      *(size_t *) data = alloc ? alloc->size : 0;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MAPPED:
      *(unsigned *) data = alloc != NULL;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult
cuPointerGetAttribute (void *data, CUpointer_attribute attribute,
		       CUdeviceptr address)
{
  struct sim_context *context;
  CUresult r = sim_enter_context (&context);
  if (r != CUDA_SUCCESS)
    return r;
  const struct sim_alloc *alloc = sim_mem_find (address);
  if (!data || !alloc)
    return CUDA_ERROR_INVALID_VALUE;
  return pointer_attribute (data, attribute, address, alloc);
}

/* Unlike the above, this answers for any pointer.  */
CUresult
cuPointerGetAttributes (unsigned count, CUpointer_attribute *attributes,
			void **data, CUdeviceptr address)
{
  struct sim_context *context;
  CUresult r = sim_given (sim_enter_context (&context),
			  count && attributes && data);
  if (r != CUDA_SUCCESS)
    return r;
  const struct sim_alloc *alloc = sim_mem_find (address);
  for (unsigned i = 0; i < count; i++)
    {
      if (attributes[i] < CU_POINTER_ATTRIBUTE_CONTEXT || !data[i])
	return CUDA_ERROR_INVALID_VALUE;
      r = pointer_attribute (data[i], attributes[i], address, alloc);
      /* A host address that plain memory lacks is no error here.  */
      if (r != CUDA_SUCCESS
	  && attributes[i] != CU_POINTER_ATTRIBUTE_HOST_POINTER)
	return r;
    }
  return CUDA_SUCCESS;
}
