/* The CUDA driver, through dlopen.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The only place of the library that calls cu*.  A device is named by its
   driver ordinal.  Its context belongs to libgomp's nvptx plugin and is given
   to ummgr_cuda_attach once it exists; every slot of device.h pushes it and pops it
   again, so the calling thread's own context never changes.  Any thread.  */

#pragma once

#include "device/cuda-types.h"
#include "device/device.h"

/* Those of a context of our own (measure.h).  */
#define UMMGR_CUDA_MEASURE_CALLS(CALL)                                        \
  CALL (cuDriverGetVersion, (int *), true)                                    \
  CALL (cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice), true)              \
  CALL (cuDevicePrimaryCtxRelease_v2, (CUdevice), true)                       \
  CALL (cuCtxSynchronize, (void), true)                                       \
  CALL (cuCtxEnablePeerAccess, (CUcontext, unsigned), true)                   \
  CALL (cuModuleLoadData, (CUmodule *, const void *), true)                   \
  CALL (cuModuleGetFunction, (CUfunction *, CUmodule, const char *), true)    \
  CALL (cuModuleUnload, (CUmodule), true)                                     \
  CALL (cuLaunchKernel, (CUfunction, unsigned, unsigned, unsigned, unsigned,  \
			 unsigned, unsigned, unsigned, CUstream, void **,     \
			 void **), true)                                      \
  CALL (cuEventCreate, (CUevent *, unsigned), true)                           \
  CALL (cuEventRecord, (CUevent, CUstream), true)                             \
  CALL (cuEventSynchronize, (CUevent), true)                                  \
  CALL (cuEventElapsedTime, (float *, CUevent, CUevent), true)                \
  CALL (cuEventDestroy_v2, (CUevent), true)                                   \
  CALL (cuStreamCreate, (CUstream *, unsigned), true)                         \
  CALL (cuStreamDestroy_v2, (CUstream), true)                                 \
  CALL (cuStreamSynchronize, (CUstream), true)                                \
  CALL (cuMemcpyHtoDAsync_v2, (CUdeviceptr, const void *, size_t, CUstream),  \
	true)                                                                 \
  CALL (cuMemcpyDtoHAsync_v2, (void *, CUdeviceptr, size_t, CUstream), true)  \
  CALL (cuMemcpyDtoDAsync_v2, (CUdeviceptr, CUdeviceptr, size_t, CUstream), true) \
  CALL (cuMemcpyPeerAsync, (CUdeviceptr, CUcontext, CUdeviceptr, CUcontext,   \
			    size_t, CUstream), true)

/* Every entry point used: return type is CUresult.  The last column says
   whether an old driver may lack it.  */
#define UMMGR_CUDA_CALLS(CALL)                                                \
  CALL (cuInit, (unsigned), false)                                            \
  CALL (cuDeviceGetCount, (int *), false)                                     \
  CALL (cuDeviceGetAttribute, (int *, int, CUdevice), false)                  \
  CALL (cuCtxGetCurrent, (CUcontext *), false)                                \
  CALL (cuCtxPushCurrent_v2, (CUcontext), false)                              \
  CALL (cuCtxPopCurrent_v2, (CUcontext *), false)                             \
  CALL (cuMemAlloc_v2, (CUdeviceptr *, size_t), false)                        \
  CALL (cuMemFree_v2, (CUdeviceptr), false)                                   \
  CALL (cuMemAllocManaged, (CUdeviceptr *, size_t, unsigned), false)          \
  CALL (cuMemHostAlloc, (void **, size_t, unsigned), false)                   \
  CALL (cuMemFreeHost, (void *), false)                                       \
  CALL (cuMemHostGetDevicePointer_v2, (CUdeviceptr *, void *, unsigned),      \
	false)                                                                \
  CALL (cuMemcpyHtoD_v2, (CUdeviceptr, const void *, size_t), false)          \
  CALL (cuMemcpyDtoH_v2, (void *, CUdeviceptr, size_t), false)                \
  CALL (cuMemGetInfo_v2, (size_t *, size_t *), false)                         \
  CALL (cuMemGetAddressRange_v2, (CUdeviceptr *, size_t *, CUdeviceptr),      \
	false)                                                                \
  CALL (cuMemPrefetchAsync, (CUdeviceptr, size_t, CUdevice, CUstream), true)  \
  CALL (cuMemAdvise, (CUdeviceptr, size_t, int, CUdevice), true)              \
  CALL (cuMemDiscardBatchAsync, (CUdeviceptr *, size_t *, size_t, unsigned long long, CUstream), true) \
  CALL (cuDeviceGetName, (char *, int, CUdevice), true)                       \
  CALL (cuDeviceTotalMem_v2, (size_t *, CUdevice), true)                      \
  CALL (cuDeviceGetUuid, (CUuuid *, CUdevice), true)                          \
  CALL (cuDeviceGetUuid_v2, (CUuuid *, CUdevice), true)                       \
  CALL (cuDeviceGetPCIBusId, (char *, int, CUdevice), true)                   \
  CALL (cuDeviceGetP2PAttribute, (int *, CUdevice_P2PAttribute, CUdevice,     \
				  CUdevice), true)                            \
  CALL (cuGetErrorString, (CUresult, const char **), true)                    \
  CALL (cuMemcpyPeer, (CUdeviceptr, CUcontext, CUdeviceptr, CUcontext,        \
		       size_t), true)                                         \
  UMMGR_CUDA_MEASURE_CALLS (CALL)

struct ummgr_cuda_driver
{
#define CALL(NAME, ARGS, OPTIONAL) CUresult (*NAME) ARGS;
  UMMGR_CUDA_CALLS (CALL)
#undef CALL
};

/* Open the driver that libgomp's plugin uses (or will use) and resolve it.
   False, without a message, if there is none: the plugin then finds no device
   either.  GPU is the option: with "sim", or where UMMGR_GPU asks for "auto"
   and no real GPU is visible, the simulated driver beside this library is
   loaded first, so that the plugin gets it by its soname.  */
bool ummgr_cuda_open (const char *gpu);

/* Load only, for the shim; see above.  */
void ummgr_cuda_choose (const char *gpu);

/* Use DRIVER instead (unit tests), where MORE, or nothing if that is NULL, stands in
   the slots that CUDA has not.  */
void ummgr_cuda_use (const struct ummgr_cuda_driver *driver,
		     const struct ummgr_device_ops *more);

/* Current context of the calling thread, or NULL.  */
void *ummgr_cuda_current_context (void);

/* Make DEVICE's context current, if it has one and another is; true: leave it afterwards.  */
bool ummgr_cuda_enter (int device);
void ummgr_cuda_leave (void);

/* CONTEXT is DEVICE's from now on; NULL: it is gone, and every later call on
   the device fails silently with UMMGR_ERR_NODEV.  */
void ummgr_cuda_attach (int device, void *context);
bool ummgr_cuda_attached (int device);
