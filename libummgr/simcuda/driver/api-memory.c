/* Entry points: allocation and registration.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Checks and keeps book (holdings.c); the memory half owns the bytes.  */

#include "config.h"
#include "simcuda/driver/driver.h"
#include "simcuda/driver/init.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

/* More than any machine's address space has room for.  */
#define TOO_MUCH ((size_t) 1 << 47)

/* ALLOC is CONTEXT's, or freed.  */
static CUresult
hold (struct sim_alloc *alloc, struct sim_context *context, unsigned flags)
{
  CUresult r = sim_holding_add (alloc, context, flags);
  if (r != CUDA_SUCCESS)
    sim_mem_free (alloc);
  return r;
}

/* Enter, and if what the program gave is GOOD, allocate and record; the base
   address goes to *BASE_P.  */
static CUresult
allocate (bool good, enum sim_mem_kind kind, size_t size, unsigned flags,
	  uintptr_t *base_p)
{
  struct sim_context *context;
  struct sim_alloc *alloc;
  CUresult r = sim_given (sim_enter_context (&context), good && size);
  if (r != CUDA_SUCCESS)
    return r;
  if (size > TOO_MUCH)
    return CUDA_ERROR_OUT_OF_MEMORY;
  int device = kind == SIM_MEM_PLAIN || kind == SIM_MEM_MANAGED ? context->device : SIM_HOST;
  r = sim_mem_alloc (kind, device, size, sim_thread_self ()->scratch, &alloc);
  if (r == CUDA_SUCCESS)
    r = hold (alloc, context, flags);
  if (r == CUDA_SUCCESS)
    *base_p = alloc->base;
  return r;
}

/* Give back the holding of one of KINDS at BASE.  A GPU waits for its work
   first.  */
static CUresult
release (struct sim_context *context, uintptr_t base, unsigned kinds,
	 CUresult missing)
{
  struct sim_holding h;
  if (!sim_holding_get (base, &h) || !(SIM_KIND (h.alloc->kind) & kinds))
    return missing;
  bool idle = sim_engine_drain (h.context) && sim_engine_drain (context);
  if (!sim_holding_take (base, kinds, &h))
    return missing;
  /* Running at exit: the region keeps its memory, and so does the process. */
  return idle ? sim_mem_free (h.alloc) : CUDA_SUCCESS;
}

CUresult
cuMemGetInfo_v2 (size_t *free_p, size_t *total_p)
{
  struct sim_context *context;
  CUresult r = sim_enter_context (&context);
  if (r != CUDA_SUCCESS)
    return r;
  uint64_t unused, total;
  sim_mem_info (context->device, &unused, &total);
  if (free_p)
    *free_p = unused;
  if (total_p)
    *total_p = total;
  return CUDA_SUCCESS;
}

CUresult
cuMemAlloc_v2 (CUdeviceptr *out, size_t size)
{
  uintptr_t base;
  CUresult r = allocate (out, SIM_MEM_PLAIN, size, 0, &base);
  if (r == CUDA_SUCCESS)
    *out = base;
  return r;
}

/* Rows of 512 bytes' multiples, the alignment of the real driver's.  */
CUresult
cuMemAllocPitch_v2 (CUdeviceptr *out, size_t *pitch_p, size_t width,
		    size_t height, unsigned element)
{
  bool good = out && pitch_p && width && height
	      && (element == 4 || element == 8 || element == 16);
  size_t pitch = (width + 511) & -(size_t) 512, size;
  if (pitch < width || __builtin_mul_overflow (pitch, height, &size))
    size = SIZE_MAX;
  uintptr_t base;
  CUresult r = allocate (good, SIM_MEM_PLAIN, size, 0, &base);
  if (r != CUDA_SUCCESS)
    return r;
  *out = base;
  *pitch_p = pitch;
  return CUDA_SUCCESS;
}

CUresult
cuMemFree_v2 (CUdeviceptr address)
{
  struct sim_context *context;
  if (sim_child_exits ())
    return CUDA_SUCCESS;
  CUresult r = sim_enter_context (&context);
  if (r != CUDA_SUCCESS || !address)
    return r;
  return release (context, address,
		  SIM_KIND (SIM_MEM_PLAIN) | SIM_KIND (SIM_MEM_MANAGED),
		  CUDA_ERROR_INVALID_VALUE);
}

CUresult
cuMemAllocManaged (CUdeviceptr *out, size_t size, unsigned flags)
{
  uintptr_t base;
  bool good = out && (flags == CU_MEM_ATTACH_GLOBAL
		      || flags == CU_MEM_ATTACH_HOST);
  CUresult r = allocate (good, SIM_MEM_MANAGED, size, flags, &base);
  if (r == CUDA_SUCCESS)
    *out = base;
  return r;
}

CUresult
cuMemGetAddressRange_v2 (CUdeviceptr *base_p, size_t *size_p,
			 CUdeviceptr address)
{
  struct sim_context *context;
  CUresult r = sim_enter_context (&context);
  if (r != CUDA_SUCCESS)
    return r;
  struct sim_alloc *alloc = sim_mem_find (address);
  if (!alloc)
    return CUDA_ERROR_NOT_FOUND;
  if (base_p)
    *base_p = alloc->base;
  if (size_p)
    *size_p = alloc->size;
  return CUDA_SUCCESS;
}

/* --- host memory -------------------------------------------------------- */

CUresult
cuMemHostAlloc (void **out, size_t size, unsigned flags)
{
  const unsigned known = CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP
			 | CU_MEMHOSTALLOC_WRITECOMBINED;
  uintptr_t base;
  CUresult r = allocate (out && !(flags & ~known), SIM_MEM_HOST, size,
			 flags | CU_MEMHOSTALLOC_DEVICEMAP, &base);
  if (r == CUDA_SUCCESS)
    *out = (void *) base;
  return r;
}

CUresult
cuMemAllocHost_v2 (void **out, size_t size)
{
  return cuMemHostAlloc (out, size, 0);
}

CUresult
cuMemFreeHost (void *address)
{
  struct sim_context *context;
  CUresult r = sim_enter_context (&context);
  return r == CUDA_SUCCESS
	 ? release (context, (uintptr_t) address, SIM_KIND (SIM_MEM_HOST),
		    CUDA_ERROR_INVALID_VALUE) : r;
}

/* Is all of [ADDRESS, +SIZE) mapped memory?  */
static bool
is_mapped (uintptr_t address, size_t size)
{
  size_t page = sysconf (_SC_PAGESIZE);
  uintptr_t start = address & -page;
  size_t pages = (address + size - start + page - 1) / page;
  unsigned char vec[1024];
  for (size_t i = 0; i < pages; i += sizeof vec)
    {
      size_t n = pages - i < sizeof vec ? pages - i : sizeof vec;
      if (mincore ((void *) (start + i * page), n * page, vec) != 0
	  && errno == ENOMEM)
	return false;
    }
  return true;
}

CUresult
cuMemHostRegister_v2 (void *host, size_t size, unsigned flags)
{
  const unsigned known = CU_MEMHOSTREGISTER_PORTABLE
			 | CU_MEMHOSTREGISTER_DEVICEMAP
			 | CU_MEMHOSTREGISTER_READ_ONLY;
  struct sim_context *context;
  uintptr_t address = (uintptr_t) host;
  CUresult r
    = sim_given (sim_enter_context (&context),
		 host && size && address + size >= address
		 && !(flags & ~known & ~(unsigned) CU_MEMHOSTREGISTER_IOMEMORY));
  if (r != CUDA_SUCCESS)
    return r;
  if (flags & CU_MEMHOSTREGISTER_IOMEMORY)
    return CUDA_ERROR_NOT_SUPPORTED;
  if (sim_holding_overlaps_host (address, size))
    return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  if (sim_mem_find (address) || sim_mem_find (address + size - 1)
      || !is_mapped (address, size))
    return CUDA_ERROR_INVALID_VALUE;
  struct sim_alloc *alloc;
  r = sim_mem_register (host, size, &alloc);
  return r == CUDA_SUCCESS
	 ? hold (alloc, context, flags | CU_MEMHOSTALLOC_DEVICEMAP) : r;
}

CUresult
cuMemHostUnregister (void *host)
{
  struct sim_context *context;
  CUresult r = sim_given (sim_enter_context (&context), host);
  return r == CUDA_SUCCESS
	 ? release (context, (uintptr_t) host, SIM_KIND (SIM_MEM_REGISTERED),
		    CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED) : r;
}

/* The pinned or registered memory that HOST is in, or NULL.  */
static struct sim_alloc *
host_memory (void *host)
{
  return sim_driver_range ((uintptr_t) host, 1,
			   SIM_KIND (SIM_MEM_HOST)
			   | SIM_KIND (SIM_MEM_REGISTERED));
}

/* Addresses are unified: the device reaches host memory where the host does. */
CUresult
cuMemHostGetDevicePointer_v2 (CUdeviceptr *out, void *host, unsigned flags)
{
  struct sim_context *context;
  CUresult r = sim_enter_context (&context);
  r = sim_given (r, r == CUDA_SUCCESS && out && host && !flags
		    && host_memory (host));
  if (r == CUDA_SUCCESS)
    *out = (uintptr_t) host;
  return r;
}

CUresult
cuMemHostGetFlags (unsigned *out, void *host)
{
  struct sim_context *context;
  CUresult r = sim_enter_context (&context);
  if (r != CUDA_SUCCESS)
    return r;
  struct sim_alloc *alloc = host_memory (host);
  struct sim_holding h;
  if (!out || !alloc || !sim_holding_get (alloc->base, &h))
    return CUDA_ERROR_INVALID_VALUE;
  *out = h.flags;
  return CUDA_SUCCESS;
}
