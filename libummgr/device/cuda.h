/* The CUDA driver, through dlopen.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The only place of the library that calls cu*.  A device is named by its
   driver ordinal.  Its context belongs to libgomp's nvptx plugin and is given
   to ummgr_cuda_attach once it exists; every call here pushes it and pops it
   again, so the calling thread's own context never changes.  Any thread.  */

#ifndef UMMGR_CUDA_H
#define UMMGR_CUDA_H

#include "base/counters.h"
#include "device/cuda-types.h"
#include "device/sim-api.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UMMGR_CUDA_MAX_DEVICES 64

/* Every entry point used: return type is CUresult.  The last column says
   whether an old driver may lack it.  */
#define UMMGR_CUDA_CALLS(CALL)                                                \
  CALL (cuInit, (unsigned), false)                                            \
  CALL (cuDeviceGetCount, (int *), false)                                     \
  CALL (cuDeviceGetAttribute, (int *, int, CUdevice), false)                  \
  CALL (cuCtxGetCurrent, (CUcontext *), false)                                \
  CALL (cuCtxPushCurrent_v2, (CUcontext), false)                              \
  CALL (cuCtxPopCurrent_v2, (CUcontext *), false)                             \
  CALL (cuCtxSynchronize, (void), false)                                      \
  CALL (cuMemAlloc_v2, (CUdeviceptr *, size_t), false)                        \
  CALL (cuMemFree_v2, (CUdeviceptr), false)                                   \
  CALL (cuMemAllocManaged, (CUdeviceptr *, size_t, unsigned), false)          \
  CALL (cuMemHostAlloc, (void **, size_t, unsigned), false)                   \
  CALL (cuMemFreeHost, (void *), false)                                       \
  CALL (cuMemHostGetDevicePointer_v2, (CUdeviceptr *, void *, unsigned),      \
	false)                                                                \
  CALL (cuMemcpyHtoD_v2, (CUdeviceptr, const void *, size_t), false)          \
  CALL (cuMemcpyDtoH_v2, (void *, CUdeviceptr, size_t), false)                \
  CALL (cuMemcpyDtoD_v2, (CUdeviceptr, CUdeviceptr, size_t), false)           \
  CALL (cuMemGetInfo_v2, (size_t *, size_t *), false)                         \
  CALL (cuMemGetAddressRange_v2, (CUdeviceptr *, size_t *, CUdeviceptr),      \
	false)                                                                \
  CALL (cuMemPrefetchAsync, (CUdeviceptr, size_t, CUdevice, CUstream), true)  \
  CALL (cuMemAdvise, (CUdeviceptr, size_t, int, CUdevice), true)              \
  CALL (cuGetErrorString, (CUresult, const char **), true)

struct ummgr_cuda_driver
{
#define CALL(NAME, ARGS, OPTIONAL) CUresult (*NAME) ARGS;
  UMMGR_CUDA_CALLS (CALL)
#undef CALL
};

enum ummgr_cuda_kind
{
  UMMGR_CUDA_PLAIN,	/* cuMemAlloc: device memory.  */
  UMMGR_CUDA_MANAGED,	/* cuMemAllocManaged.  */
  UMMGR_CUDA_PINNED	/* Host memory the device reaches.  */
};

/* Open the driver that libgomp's plugin uses (or will use) and resolve it.
   False, without a message, if there is none: the plugin then finds no device
   either.  GPU is the option: with "sim", or where UMMGR_GPU asks for "auto"
   and no real GPU is visible, the simulated driver beside this library is
   loaded first, so that the plugin gets it by its soname.  */
bool ummgr_cuda_open (const char *gpu);

/* Load only, for the shim; see above.  */
void ummgr_cuda_choose (const char *gpu);

/* Use DRIVER instead (unit tests); SIM may be NULL.  */
void ummgr_cuda_use (const struct ummgr_cuda_driver *driver,
		     const struct ummgr_sim_api *sim);

/* The simulated driver's own interface, or NULL on a real one.  */
const struct ummgr_sim_api *ummgr_cuda_sim (void);

/* Current context of the calling thread, or NULL.  */
void *ummgr_cuda_current_context (void);

/* CONTEXT is DEVICE's from now on; NULL: it is gone, and every later call on
   the device fails silently with UMMGR_ERR_NODEV.  */
void ummgr_cuda_attach (int device, void *context);
bool ummgr_cuda_attached (int device);

/* Allocate SIZE bytes.  *HOST_P is the address by which host code may use
   them (0 for PLAIN), *DEVICE_P that for the device.  UMMGR_ERR_DEVMEM
   without a message when memory is short.  */
enum ummgr_status ummgr_cuda_alloc (int device, enum ummgr_cuda_kind kind,
				    size_t size, uintptr_t *host_p,
				    uintptr_t *device_p);
enum ummgr_status ummgr_cuda_free (int device, enum ummgr_cuda_kind kind,
				   uintptr_t host, uintptr_t address);

/* Synchronous copies; they count.  */
enum ummgr_status ummgr_cuda_copy_in (int device, uintptr_t dst,
				      const void *src, size_t size);
enum ummgr_status ummgr_cuda_copy_out (int device, void *dst, uintptr_t src,
				       size_t size);
enum ummgr_status ummgr_cuda_copy_within (int device, uintptr_t dst,
					  uintptr_t src, size_t size);

/* Managed memory: move [ADDRESS, +SIZE) to DEVICE or to the host, in stream
   order before what follows on the device.  */
enum ummgr_status ummgr_cuda_prefetch (int device, uintptr_t address,
				       size_t size, bool to_host);

/* Managed memory: keep the range on the host and let DEVICE reach it there,
   or take that advice back.  */
enum ummgr_status ummgr_cuda_keep_on_host (int device, uintptr_t address,
					   size_t size, bool on);

/* Can managed memory be used while a kernel runs (Pascal and later)?  */
bool ummgr_cuda_pages_on_demand (int device);

enum ummgr_status ummgr_cuda_memory (int device, uint64_t *free_p,
				     uint64_t *total_p);

/* The allocation that holds ADDRESS; false if none does.  */
bool ummgr_cuda_range (int device, uintptr_t address, uintptr_t *base_p,
		       size_t *size_p);

/* Counters of DEVICE: the simulator's, or the bytes copied here.  */
void ummgr_cuda_counters (int device, struct ummgr_counters *out);
/* Counters of the allocation at ADDRESS; false on a real GPU.  */
bool ummgr_cuda_range_counters (uintptr_t address, struct ummgr_counters *out);
/* Where the part of the managed allocation at ADDRESS lies that is on DEVICE,
   bytes [*LO, *HI) from its start; false on a real GPU, or where there is none. */
bool ummgr_cuda_range_extent (uintptr_t address, int device, uint64_t *lo,
			      uint64_t *hi);

#endif
