/* The types, constants and entry points of the CUDA driver API that ummgr
   uses, so that it builds without the toolkit.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Values are those of the driver's public interface (CUDA Driver API
   reference, 13.0); cuda-check.c proves at compile time that they agree with
   cuda.h where that is found.  The simulated driver implements, and cuda.c
   calls, exactly these.  Both the versioned names (cuMemAlloc_v2) and the
   types they take are written out: nothing here is renamed by macros.  */

#pragma once

#include <stddef.h>
#include <stdint.h>

/* Enumerations of cuda.h are plain ints here: the ABI is the same.  */
typedef int CUresult;
typedef int CUdevice;
typedef int CUdevice_attribute;
typedef int CUdevice_P2PAttribute;
typedef int CUdriverProcAddressQueryResult;
typedef int CUfunc_cache;
typedef int CUfunction_attribute;
typedef int CUjitInputType;
typedef int CUjit_option;
typedef int CUlimit;
typedef int CUmem_advise;
typedef int CUmem_range_attribute;
typedef int CUmemLocationType;
typedef int CUmemorytype;
typedef int CUpointer_attribute;
typedef uint64_t CUdeviceptr;
typedef uint64_t cuuint64_t;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUlinkState_st *CUlinkState;
typedef struct CUarray_st *CUarray;
typedef void (*CUhostFn) (void *);
typedef void (*CUstreamCallback) (CUstream, CUresult, void *);
typedef size_t (*CUoccupancyB2DSize) (int);

typedef struct CUuuid_st
{
  char bytes[16];
} CUuuid;

typedef struct CUmemLocation_st
{
  CUmemLocationType type;
  int id;
} CUmemLocation;

typedef struct CUDA_MEMCPY2D_st
{
  size_t srcXInBytes, srcY;
  CUmemorytype srcMemoryType;
  const void *srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  size_t srcPitch;
  size_t dstXInBytes, dstY;
  CUmemorytype dstMemoryType;
  void *dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  size_t dstPitch;
  size_t WidthInBytes, Height;
} CUDA_MEMCPY2D;

typedef struct CUDA_MEMCPY3D_st
{
  size_t srcXInBytes, srcY, srcZ, srcLOD;
  CUmemorytype srcMemoryType;
  const void *srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  void *reserved0;
  size_t srcPitch, srcHeight;
  size_t dstXInBytes, dstY, dstZ, dstLOD;
  CUmemorytype dstMemoryType;
  void *dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  void *reserved1;
  size_t dstPitch, dstHeight;
  size_t WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D;

enum
{
#define CUDA_RESULT(NAME, VALUE, TEXT) NAME = VALUE,
#include "device/cuda-results.def"
#define CUDA_CONSTANT(NAME, VALUE) NAME = VALUE,
#include "device/cuda-constants.def"
#undef CUDA_CONSTANT
};

#define CU_DEVICE_CPU ((CUdevice) -1)
#define CU_DEVICE_INVALID ((CUdevice) -2)

/* The last parameter of cuLaunchKernel.  */
#define CU_LAUNCH_PARAM_END ((void *) 0)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *) 1)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *) 2)

/* Streams that are always there.  */
#define CU_STREAM_LEGACY ((CUstream) 1)
#define CU_STREAM_PER_THREAD ((CUstream) 2)

/* Only the simulated driver defines these, and exports them.  */
#pragma GCC visibility push(default)
#define CUDA_ENTRY(NAME, PARAMETERS) extern CUresult NAME PARAMETERS;
#include "device/cuda-entry.def"
#undef CUDA_ENTRY
#pragma GCC visibility pop
