/* Contexts, and the stack of them that each thread has.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the context stacks (each its thread's own, no lock) and what
   sim_thread says of a thread.  */

#include "config.h"
#include "simcuda/driver/driver.h"
#include "base/grow.h"
#include "simcuda/driver/init.h"
#include "base/log.h"

#include <stdlib.h>
#include <string.h>

static __thread struct sim_thread self;
static pthread_key_t stack_key;
static pthread_once_t stack_once = PTHREAD_ONCE_INIT;

static void
make_key (void)
{
  pthread_key_create (&stack_key, free);
}

struct sim_thread *
sim_thread_self (void)
{
  return &self;
}

CUresult
sim_enter (void)
{
  enum sim_state state = sim_driver_state ();
  if (state == SIM_FORKED && !sim_child_exits ())
    ummgr_warn_once ("simcuda: the driver was used in the child of a fork, "
		     "where no GPU can be used (exec first)");
  if (state != SIM_READY)
    return CUDA_ERROR_NOT_INITIALIZED;
  /* As documented for cuStreamAddCallback; libgomp's plugin relies on it.  */
  return self.callback ? CUDA_ERROR_NOT_PERMITTED : CUDA_SUCCESS;
}

CUresult
sim_enter_device (CUdevice device)
{
  CUresult r = sim_enter ();
  if (r == CUDA_SUCCESS && (device < 0 || device >= sim_profile.device_count))
    r = CUDA_ERROR_INVALID_DEVICE;
  return r;
}

struct sim_context *
sim_context_current (void)
{
  return self.depth ? self.stack[self.depth - 1] : NULL;
}

CUresult
sim_enter_context (struct sim_context **context_p)
{
  CUresult r = sim_enter ();
  if (r != CUDA_SUCCESS)
    return r;
  struct sim_context *context = sim_context_current ();
  if (!context)
    return CUDA_ERROR_INVALID_CONTEXT;
  if (__atomic_load_n (&context->destroyed, __ATOMIC_ACQUIRE))
    return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  *context_p = context;
  return __atomic_load_n (&context->error, __ATOMIC_ACQUIRE);
}

CUresult
sim_context_check (CUcontext handle, struct sim_context **context_p)
{
  pthread_mutex_lock (&sim_driver_lock);
  struct sim_context *context = sim_handle_get (handle, SIM_CONTEXT);
  pthread_mutex_unlock (&sim_driver_lock);
  if (!context)
    return CUDA_ERROR_INVALID_CONTEXT;
  *context_p = context;
  return CUDA_SUCCESS;
}

/* Limits a new context starts with, as the real driver's.  */
static void
set_limits (struct sim_context *context)
{
  context->limits[CU_LIMIT_STACK_SIZE] = 1024;
  context->limits[CU_LIMIT_PRINTF_FIFO_SIZE] = 1 << 20;
  context->limits[CU_LIMIT_MALLOC_HEAP_SIZE] = 8 << 20;
  context->limits[CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH] = 2;
  context->limits[CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT] = 2048;
  context->limits[CU_LIMIT_MAX_L2_FETCH_GRANULARITY] = 64;
}

CUresult
sim_context_new (int device, unsigned flags, struct sim_context **out_p)
{
  struct sim_context *context = calloc (1, sizeof *context);
  if (!context)
    return CUDA_ERROR_OUT_OF_MEMORY;
  context->device = device;
  context->flags = flags;
  set_limits (context);
  sim_stream_setup (&context->null_stream, context);
  context->null_stream.legacy = true;
  sim_stream_setup (&context->thread_stream, context);
  pthread_mutex_lock (&sim_driver_lock);
  bool added = sim_handle_add (&context->handle, SIM_CONTEXT);
  pthread_mutex_unlock (&sim_driver_lock);
  if (!added)
    {
      free (context);
      return CUDA_ERROR_OUT_OF_MEMORY;
    }
  sim_watch_exit ();
  *out_p = context;
  return CUDA_SUCCESS;
}

/* Destroy what CONTEXT holds, and mark it destroyed.  */
void
sim_context_close (struct sim_context *context)
{
  bool keep_memory = !sim_engine_drain (context);
  sim_peer_close (context);
  pthread_mutex_lock (&sim_driver_lock);
  sim_handle_remove (&context->handle);
  __atomic_store_n (&context->destroyed, true, __ATOMIC_RELEASE);
  pthread_mutex_unlock (&sim_driver_lock);
  while (context->modules)
    sim_module_close (context->modules, keep_memory);
  if (!keep_memory)
    {
      sim_stream_free_all (context);
      sim_event_free_all (context);
    }
  sim_holding_free_all (context, keep_memory);
}

CUresult
sim_context_push (struct sim_context *context)
{
  if (self.depth == self.room)
    {
      if (!UMMGR_GROW (self.stack, self.room, self.depth + 1))
	return CUDA_ERROR_OUT_OF_MEMORY;
      pthread_once (&stack_once, make_key);
      pthread_setspecific (stack_key, self.stack);
    }
  self.stack[self.depth++] = context;
  return CUDA_SUCCESS;
}
