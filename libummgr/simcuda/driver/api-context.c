/* Entry points: contexts and primary contexts.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the primary contexts.  */

#include "config.h"
#include "simcuda/driver/driver.h"
#include "simcuda/driver/init.h"

/* A device's primary context.  Guarded by sim_driver_lock.  */
static struct
{
  struct sim_context *context;
  unsigned references;
  unsigned flags;
} primary[SIM_MAX_DEVICES];

static bool
flags_valid (unsigned flags)
{
  unsigned sched = flags & CU_CTX_SCHED_MASK;
  return !(flags & ~(unsigned) CU_CTX_FLAGS_MASK)
	 && (sched == CU_CTX_SCHED_AUTO || sched == CU_CTX_SCHED_SPIN
	     || sched == CU_CTX_SCHED_YIELD
	     || sched == CU_CTX_SCHED_BLOCKING_SYNC);
}

CUresult
cuCtxCreate_v2 (CUcontext *out, unsigned flags, CUdevice device)
{
  struct sim_context *context;
  CUresult r = sim_given (sim_enter (), out && flags_valid (flags));
  if (r == CUDA_SUCCESS)
    r = sim_enter_device (device);
  if (r == CUDA_SUCCESS)
    r = sim_context_new (device, flags, &context);
  if (r == CUDA_SUCCESS)
    r = sim_context_push (context);
  if (r == CUDA_SUCCESS)
    *out = (CUcontext) context;
  return r;
}

SIM_ALIAS (cuCtxCreate, cuCtxCreate_v2);

CUresult
cuCtxDestroy_v2 (CUcontext handle)
{
  struct sim_context *context;
  if (sim_child_exits ())
    return CUDA_SUCCESS;
  CUresult r = sim_enter ();
  if (r == CUDA_SUCCESS)
    r = sim_context_check (handle, &context);
  if (r != CUDA_SUCCESS)
    return r;
  if (context->primary)
    return CUDA_ERROR_INVALID_CONTEXT;
  sim_context_close (context);
  struct sim_thread *self = sim_thread_self ();
  if (sim_context_current () == context)
    self->depth--;
  return CUDA_SUCCESS;
}

SIM_ALIAS (cuCtxDestroy, cuCtxDestroy_v2);

CUresult
cuCtxPushCurrent_v2 (CUcontext handle)
{
  struct sim_context *context;
  CUresult r = sim_enter ();
  if (r == CUDA_SUCCESS)
    r = sim_context_check (handle, &context);
  return r == CUDA_SUCCESS ? sim_context_push (context) : r;
}

SIM_ALIAS (cuCtxPushCurrent, cuCtxPushCurrent_v2);

CUresult
cuCtxPopCurrent_v2 (CUcontext *out)
{
  CUresult r = sim_enter ();
  if (r != CUDA_SUCCESS)
    return r;
  struct sim_thread *self = sim_thread_self ();
  if (!self->depth)
    return CUDA_ERROR_INVALID_CONTEXT;
  struct sim_context *context = self->stack[--self->depth];
  if (out)
    *out = (CUcontext) context;
  return CUDA_SUCCESS;
}

SIM_ALIAS (cuCtxPopCurrent, cuCtxPopCurrent_v2);

CUresult
cuCtxSetCurrent (CUcontext handle)
{
  struct sim_context *context;
  struct sim_thread *self = sim_thread_self ();
  CUresult r = sim_enter ();
  if (r != CUDA_SUCCESS)
    return r;
  if (!handle)
    {
      if (self->depth)
	self->depth--;
      return CUDA_SUCCESS;
    }
  r = sim_context_check (handle, &context);
  if (r != CUDA_SUCCESS)
    return r;
  if (!self->depth)
    return sim_context_push (context);
  self->stack[self->depth - 1] = context;
  return CUDA_SUCCESS;
}

CUresult
cuCtxGetCurrent (CUcontext *out)
{
  CUresult r = sim_given (sim_enter (), out);
  if (r == CUDA_SUCCESS)
    *out = (CUcontext) sim_context_current ();
  return r;
}

CUresult
cuCtxGetDevice (CUdevice *out)
{
  struct sim_context *context;
  /* libgomp's plugin takes this for a callback, and asks no further.  */
  if (sim_child_exits ())
    return CUDA_ERROR_NOT_PERMITTED;
  CUresult r = sim_given (sim_enter_context (&context), out);
  if (r == CUDA_SUCCESS)
    *out = context->device;
  return r;
}

CUresult
cuCtxGetFlags (unsigned *out)
{
  struct sim_context *context;
  CUresult r = sim_given (sim_enter_context (&context), out);
  if (r == CUDA_SUCCESS)
    *out = context->flags;
  return r;
}

CUresult
cuCtxSynchronize (void)
{
  struct sim_context *context;
  CUresult r = sim_enter_context (&context);
  return r == CUDA_SUCCESS ? sim_engine_wait_context (context) : r;
}

CUresult
cuCtxSetLimit (CUlimit limit, size_t value)
{
  struct sim_context *context;
  CUresult r = sim_given (sim_enter_context (&context),
			  limit >= 0 && limit < CU_LIMIT_MAX);
  if (r == CUDA_SUCCESS)
    __atomic_store_n (&context->limits[limit], value, __ATOMIC_RELAXED);
  return r;
}

CUresult
cuCtxGetLimit (size_t *out, CUlimit limit)
{
  struct sim_context *context;
  CUresult r = sim_given (sim_enter_context (&context),
			  out && limit >= 0 && limit < CU_LIMIT_MAX);
  if (r == CUDA_SUCCESS)
    *out = __atomic_load_n (&context->limits[limit], __ATOMIC_RELAXED);
  return r;
}

CUresult
cuCtxGetApiVersion (CUcontext handle, unsigned *out)
{
  struct sim_context *context;
  CUresult r = sim_enter ();
  if (r == CUDA_SUCCESS)
    r = handle ? sim_context_check (handle, &context)
	       : sim_enter_context (&context);
  r = sim_given (r, out);
  if (r == CUDA_SUCCESS)
    *out = 3020;
  return r;
}

CUresult
cuCtxGetCacheConfig (CUfunc_cache *out)
{
  struct sim_context *context;
  CUresult r = sim_given (sim_enter_context (&context), out);
  if (r == CUDA_SUCCESS)
    *out = context->cache;
  return r;
}

CUresult
cuCtxSetCacheConfig (CUfunc_cache config)
{
  struct sim_context *context;
  CUresult r = sim_given (sim_enter_context (&context),
			  sim_cache_config_valid (config));
  if (r == CUDA_SUCCESS)
    context->cache = config;
  return r;
}

/* --- primary contexts --------------------------------------------------- */

CUresult
cuDevicePrimaryCtxRetain (CUcontext *out, CUdevice device)
{
  CUresult r = sim_given (sim_enter_device (device), out);
  if (r != CUDA_SUCCESS)
    return r;
  /* A lock of its own: making a context takes sim_driver_lock.  */
  static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock (&making);
  if (!primary[device].context)
    {
      struct sim_context *context;
      r = sim_context_new (device, primary[device].flags, &context);
      if (r == CUDA_SUCCESS)
	{
	  context->primary = true;
	  pthread_mutex_lock (&sim_driver_lock);
	  primary[device].context = context;
	  pthread_mutex_unlock (&sim_driver_lock);
	}
    }
  pthread_mutex_lock (&sim_driver_lock);
  if (r == CUDA_SUCCESS)
    {
      primary[device].references++;
      *out = (CUcontext) primary[device].context;
    }
  pthread_mutex_unlock (&sim_driver_lock);
  pthread_mutex_unlock (&making);
  return r;
}

CUresult
cuDevicePrimaryCtxRelease_v2 (CUdevice device)
{
  CUresult r = sim_enter_device (device);
  if (r != CUDA_SUCCESS)
    return r;
  struct sim_context *last = NULL;
  pthread_mutex_lock (&sim_driver_lock);
  if (!primary[device].references)
    r = CUDA_ERROR_INVALID_CONTEXT;
  else if (--primary[device].references == 0)
    {
      last = primary[device].context;
      primary[device].context = NULL;
    }
  pthread_mutex_unlock (&sim_driver_lock);
  if (last)
    sim_context_close (last);
  return r;
}

SIM_ALIAS (cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2);

CUresult
cuDevicePrimaryCtxReset_v2 (CUdevice device)
{
  CUresult r = sim_enter_device (device);
  if (r != CUDA_SUCCESS)
    return r;
  pthread_mutex_lock (&sim_driver_lock);
  struct sim_context *context = primary[device].context;
  primary[device].context = NULL;
  primary[device].references = 0;
  pthread_mutex_unlock (&sim_driver_lock);
  if (context)
    sim_context_close (context);
  return CUDA_SUCCESS;
}

SIM_ALIAS (cuDevicePrimaryCtxReset, cuDevicePrimaryCtxReset_v2);

CUresult
cuDevicePrimaryCtxGetState (CUdevice device, unsigned *flags, int *active)
{
  CUresult r = sim_given (sim_enter_device (device), flags && active);
  if (r != CUDA_SUCCESS)
    return r;
  pthread_mutex_lock (&sim_driver_lock);
  *flags = primary[device].flags;
  *active = primary[device].context != NULL;
  pthread_mutex_unlock (&sim_driver_lock);
  return CUDA_SUCCESS;
}

CUresult
cuDevicePrimaryCtxSetFlags_v2 (CUdevice device, unsigned flags)
{
  CUresult r = sim_given (sim_enter_device (device), flags_valid (flags));
  if (r != CUDA_SUCCESS)
    return r;
  pthread_mutex_lock (&sim_driver_lock);
  primary[device].flags = flags;
  if (primary[device].context)
    primary[device].context->flags = flags;
  pthread_mutex_unlock (&sim_driver_lock);
  return CUDA_SUCCESS;
}

SIM_ALIAS (cuDevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags_v2);
