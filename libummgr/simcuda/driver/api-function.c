/* Entry points: attributes of functions, and occupancy.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Where a kernel's own code is translated, what it takes of registers is known; else
   it is that of a typical one.  libgomp's plugin derives its default number of teams from
   them: the blocks that fit at 8 warps each.  */

#include "config.h"
#include "simcuda/driver/driver.h"
#include "gpu/gpu.h"

#include <stdlib.h>

/* Of a kernel that nobody has looked at: GCC's take 40 to 80 on sm_70.  */
#define REGISTERS 64
/* How registers are given out, and the fewest.  */
#define REGISTER_STEP 8
#define FEWEST_REGISTERS 16
#define MOST_REGISTERS 255
#define MAX_THREADS 1024

/* GCC's PTX is of version 6.3 for the oldest GPU simulated.  */
#define PTX_VERSION 63

static CUresult
function_check (CUfunction handle, struct sim_function **out)
{
  return sim_handle_check (sim_enter (), handle, SIM_FUNCTION, out);
}

int
sim_register_limit (void)
{
  const char *bound = getenv ("UMMGR_KERNEL_REGISTERS");
  int limit = bound ? atoi (bound) : 0;
  return limit > 0 && limit < MOST_REGISTERS ? limit : MOST_REGISTERS;
}

int
sim_function_registers (const struct sim_function *f)
{
  int limit = sim_register_limit (), some = limit < REGISTERS ? limit : REGISTERS;
  int n = f->registers ? f->registers : some;
  n = (n + REGISTER_STEP - 1) / REGISTER_STEP * REGISTER_STEP;
  return n < FEWEST_REGISTERS ? FEWEST_REGISTERS : n;
}

/* Threads of F that a block can have: its registers are a multiprocessor's.  */
static int
threads_of (const struct sim_function *f, const struct ummgr_figures *d)
{
  int registers = d->registers_per_sm ? d->registers_per_sm : 65536;
  int threads = registers / sim_function_registers (f) / 32 * 32;
  return threads < MAX_THREADS ? threads : MAX_THREADS;
}

CUresult
cuFuncGetAttribute (int *out, CUfunction_attribute attribute,
		    CUfunction handle)
{
  struct sim_function *f;
  CUresult r = sim_given (function_check (handle, &f),
			  out && attribute >= 0
			  && attribute < CU_FUNC_ATTRIBUTE_MAX);
  if (r != CUDA_SUCCESS)
    return r;
  const struct ummgr_figures *d
    = &sim_profile.device[f->module->context->device];
  *out = attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? threads_of (f, d)
	 : attribute == CU_FUNC_ATTRIBUTE_NUM_REGS ? sim_function_registers (f)
	 : attribute == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES ? f->shared
	 : attribute == CU_FUNC_ATTRIBUTE_PTX_VERSION ? PTX_VERSION
	 : attribute == CU_FUNC_ATTRIBUTE_BINARY_VERSION
	 ? d->compute_major * 10 + d->compute_minor
	 : attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
	 ? f->max_dynamic_shared : 0;
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
  CUresult r = sim_given (function_check (handle, &f), out);
  if (r == CUDA_SUCCESS)
    *out = (CUmodule) f->module;
  return r;
}

CUresult
cuFuncSetCacheConfig (CUfunction handle, CUfunc_cache config)
{
  struct sim_function *f;
  return sim_given (function_check (handle, &f),
		    sim_cache_config_valid (config));
}

/* Blocks of SIZE threads of F that an SM holds at once.  */
static int
blocks_per_sm (const struct sim_function *f, int size)
{
  const struct ummgr_figures *d = &sim_profile.device[f->module->context->device];
  return (int) ummgr_gpu_whole (d, ((unsigned) size + UMMGR_GPU_LANES - 1) / UMMGR_GPU_LANES,
				(unsigned) sim_function_registers (f), (uint64_t) f->shared);
}

CUresult
cuOccupancyMaxActiveBlocksPerMultiprocessor (int *out, CUfunction handle,
					     int block_size, size_t shared)
{
  struct sim_function *f;
  CUresult r = sim_given (function_check (handle, &f), out && block_size > 0
			  && block_size <= MAX_THREADS);
  if (r == CUDA_SUCCESS)
    *out = blocks_per_sm (f, block_size);
  return r;
}

CUresult
cuOccupancyMaxPotentialBlockSize (int *grid, int *block, CUfunction handle,
				  CUoccupancyB2DSize shared_of, size_t shared,
				  int limit)
{
  struct sim_function *f;
  CUresult r = sim_given (function_check (handle, &f),
			  grid && block && limit >= 0);
  if (r != CUDA_SUCCESS)
    return r;
  int device = f->module->context->device;
  int most = limit && limit < MAX_THREADS ? limit : MAX_THREADS;
  int best = most < 32 ? most : 32, best_threads = 0;
  for (int size = most / 32 * 32; size >= 32; size -= 32)
    {
      int threads = size * blocks_per_sm (f, size);
      if (threads > best_threads)
	{
	  best_threads = threads;
	  best = size;
	}
    }
  *block = best;
  *grid = blocks_per_sm (f, best) * sim_profile.device[device].sm_count;
  return CUDA_SUCCESS;
}
