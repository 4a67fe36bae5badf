/* Entry points: attributes of functions, and occupancy.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Nothing is compiled, so a function's resources are those of a typical
   kernel.  libgomp's plugin derives its default number of teams from them:
   the blocks that fit at 8 warps each.  */

#include "config.h"
#include "simcuda/driver/driver.h"

/* GCC's kernels take 40 to 80 registers on sm_70.  */
#define REGISTERS 64
#define MAX_THREADS 1024

/* GCC's PTX is of version 6.3 for the oldest GPU simulated.  */
#define PTX_VERSION 63

static CUresult
function_check (CUfunction handle, struct sim_function **out)
{
  CUresult r = sim_enter ();
  if (r != CUDA_SUCCESS)
    return r;
  pthread_mutex_lock (&sim_driver_lock);
  *out = sim_handle_get (handle, SIM_FUNCTION);
  pthread_mutex_unlock (&sim_driver_lock);
  return *out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult
cuFuncGetAttribute (int *out, CUfunction_attribute attribute,
		    CUfunction handle)
{
  struct sim_function *f;
  CUresult r = function_check (handle, &f);
  if (r != CUDA_SUCCESS)
    return r;
  if (!out || attribute < 0 || attribute >= CU_FUNC_ATTRIBUTE_MAX)
    return CUDA_ERROR_INVALID_VALUE;
  const struct ummgr_figures *d
    = &sim_profile.device[f->module->context->device];
  switch (attribute)
    {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *out = MAX_THREADS;
      break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      *out = REGISTERS;
      break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      *out = PTX_VERSION;
      break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      *out = d->compute_major * 10 + d->compute_minor;
      break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *out = f->max_dynamic_shared;
      break;
    default:
      *out = 0;
    }
  return CUDA_SUCCESS;
}

CUresult
cuFuncSetAttribute (CUfunction handle, CUfunction_attribute attribute,
		    int value)
{
  struct sim_function *f;
  CUresult r = function_check (handle, &f);
  if (r != CUDA_SUCCESS)
    return r;
  switch (attribute)
    {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      if (value < 0 || value > 96 << 10)
	return CUDA_ERROR_INVALID_VALUE;
      f->max_dynamic_shared = value;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      return value < -1 || value > 100 ? CUDA_ERROR_INVALID_VALUE
				       : CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult
cuFuncGetModule (CUmodule *out, CUfunction handle)
{
  struct sim_function *f;
  CUresult r = function_check (handle, &f);
  if (r != CUDA_SUCCESS)
    return r;
  if (!out)
    return CUDA_ERROR_INVALID_VALUE;
  *out = (CUmodule) f->module;
  return CUDA_SUCCESS;
}

CUresult
cuFuncSetCacheConfig (CUfunction handle, CUfunc_cache config)
{
  struct sim_function *f;
  CUresult r = function_check (handle, &f);
  if (r != CUDA_SUCCESS)
    return r;
  return config < CU_FUNC_CACHE_PREFER_NONE
	 || config > CU_FUNC_CACHE_PREFER_EQUAL
	 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

/* Blocks of SIZE threads that an SM of DEVICE holds at once.  */
static int
blocks_per_sm (int device, int size)
{
  int by_registers = 65536 / (REGISTERS * size);
  int by_threads = sim_profile.device[device].max_threads_per_sm / size;
  int blocks = by_registers < by_threads ? by_registers : by_threads;
  return blocks < 32 ? blocks : 32;
}

CUresult
cuOccupancyMaxActiveBlocksPerMultiprocessor (int *out, CUfunction handle,
					     int block_size, size_t shared)
{
  struct sim_function *f;
  CUresult r = function_check (handle, &f);
  if (r != CUDA_SUCCESS)
    return r;
  if (!out || block_size <= 0 || block_size > MAX_THREADS)
    return CUDA_ERROR_INVALID_VALUE;
  *out = blocks_per_sm (f->module->context->device, block_size);
  return CUDA_SUCCESS;
}

CUresult
cuOccupancyMaxPotentialBlockSize (int *grid, int *block, CUfunction handle,
				  CUoccupancyB2DSize shared_of, size_t shared,
				  int limit)
{
  struct sim_function *f;
  CUresult r = function_check (handle, &f);
  if (r != CUDA_SUCCESS)
    return r;
  if (!grid || !block || limit < 0)
    return CUDA_ERROR_INVALID_VALUE;
  int device = f->module->context->device;
  int most = limit && limit < MAX_THREADS ? limit : MAX_THREADS;
  int best = most < 32 ? most : 32, best_threads = 0;
  for (int size = most / 32 * 32; size >= 32; size -= 32)
    {
      int threads = size * blocks_per_sm (device, size);
      if (threads > best_threads)
	{
	  best_threads = threads;
	  best = size;
	}
    }
  *block = best;
  *grid = blocks_per_sm (device, best) * sim_profile.device[device].sm_count;
  return CUDA_SUCCESS;
}
