/* Sizes and offsets that cuda.h and cuda-types.h must both have.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Included after either of them.  The numbers are those of the x86-64 and
   other LP64 ABIs.  */

#pragma once

#include <stddef.h>
#include <stdint.h>

#define CHECK_TYPE(TYPE, SIZE) _Static_assert (sizeof (TYPE) == SIZE, #TYPE)
#define CHECK_FIELD(TYPE, FIELD, OFFSET)                                      \
  _Static_assert (offsetof (TYPE, FIELD) == OFFSET, #TYPE "." #FIELD)

CHECK_TYPE (CUresult, 4);
CHECK_TYPE (CUdevice, 4);
CHECK_TYPE (CUdevice_attribute, 4);
CHECK_TYPE (CUdevice_P2PAttribute, 4);
CHECK_TYPE (CUdriverProcAddressQueryResult, 4);
CHECK_TYPE (CUfunc_cache, 4);
CHECK_TYPE (CUfunction_attribute, 4);
CHECK_TYPE (CUjitInputType, 4);
CHECK_TYPE (CUjit_option, 4);
CHECK_TYPE (CUlimit, 4);
CHECK_TYPE (CUmem_advise, 4);
CHECK_TYPE (CUmem_range_attribute, 4);
CHECK_TYPE (CUmemLocationType, 4);
CHECK_TYPE (CUmemorytype, 4);
CHECK_TYPE (CUpointer_attribute, 4);
CHECK_TYPE (CUdeviceptr, 8);
CHECK_TYPE (cuuint64_t, 8);
CHECK_TYPE (CUuuid, 16);
CHECK_TYPE (CUmemLocation, 8);
CHECK_TYPE (CUDA_MEMCPY2D, 128);
CHECK_TYPE (CUDA_MEMCPY3D, 200);
CHECK_FIELD (CUmemLocation, id, 4);
CHECK_FIELD (CUDA_MEMCPY2D, srcMemoryType, 16);
CHECK_FIELD (CUDA_MEMCPY2D, srcPitch, 48);
CHECK_FIELD (CUDA_MEMCPY2D, dstMemoryType, 72);
CHECK_FIELD (CUDA_MEMCPY2D, dstPitch, 104);
CHECK_FIELD (CUDA_MEMCPY2D, Height, 120);
CHECK_FIELD (CUDA_MEMCPY3D, srcMemoryType, 32);
CHECK_FIELD (CUDA_MEMCPY3D, reserved0, 64);
CHECK_FIELD (CUDA_MEMCPY3D, dstXInBytes, 88);
CHECK_FIELD (CUDA_MEMCPY3D, dstMemoryType, 120);
CHECK_FIELD (CUDA_MEMCPY3D, reserved1, 152);
CHECK_FIELD (CUDA_MEMCPY3D, Depth, 192);

#define CHECK_CONSTANT(NAME, VALUE)                                           \
  _Static_assert ((intptr_t) (NAME) == VALUE, #NAME)
CHECK_CONSTANT (CU_DEVICE_CPU, -1);
CHECK_CONSTANT (CU_DEVICE_INVALID, -2);
CHECK_CONSTANT (CU_LAUNCH_PARAM_END, 0);
CHECK_CONSTANT (CU_LAUNCH_PARAM_BUFFER_POINTER, 1);
CHECK_CONSTANT (CU_LAUNCH_PARAM_BUFFER_SIZE, 2);
CHECK_CONSTANT (CU_STREAM_LEGACY, 1);
CHECK_CONSTANT (CU_STREAM_PER_THREAD, 2);
