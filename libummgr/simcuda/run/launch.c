/* Kernel launches.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the lock that lets one launch run at a time, over all devices.  Modelled time knows
   nothing of it: launches of two devices are side by side there (memory/time.c).  It isn't a
   device's own lock, since of these there is one for all launches:

     - a host version's variables: declare target variables are exchanged with those of the
       host, in place (image/globals.c), and a copy of such waits for that;
     - what a team is: the launch that threads of libgomp's and crews read (teams.c, crew.c),
       and the pool of threads that run PTX (ptx/run.c);
     - who is on the GPU's side: a thread that appears while a launch runs is taken for the
       launch's (memory/threads.c), and a thread that touches a device's memory, or what it
       reports, for a thread of the device whose launch is in force (memory/launch.c,
       memory/access.c, memory/gpu.c);
     - the view in force: managed memory has one place in the address space, where what
       one device may touch is mapped, and every trap there is its launch's (memory/view.c,
       memory/fault.c); uvm/, too, knows of one launch.

   The first and the last can't be had twice in a process, so a lock for each device would do
   only for PTX that uses no managed memory.  */

#include "config.h"
#include "simcuda/driver/driver.h"
#include "base/log.h"
#include "simcuda/run/kernels.h"
#include "simcuda/run/teams.h"
#include "simcuda/run/told.h"

#include <string.h>

static pthread_mutex_t launching = PTHREAD_MUTEX_INITIALIZER;

/* OpenMP's number of the device, as libgomp has written it into the image;
   the driver's own where the image does not ask.  */
static int
device_number (struct sim_module *module)
{
  for (struct sim_variable *v = module->variables; v; v = v->next)
    if (!v->host && v->name && strcmp (v->name, "__gomp_device_num") == 0)
      return *(const int *) v->alloc->base;
  return module->context->device;
}

/* In the launch thread.  If the region crashes, aborts or exits, so does the
   program, as it would without a GPU.  */
CUresult
sim_launch_run (struct sim_op *op)
{
  struct sim_function *function = op->u.launch.function;
  int device = function->module->context->device;
  void *arguments = op->u.launch.arguments;
  size_t size = 0;
  struct sim_alloc *alloc = sim_mem_find ((uintptr_t) arguments);
  if (alloc)
    size = alloc->base + alloc->size - (uintptr_t) arguments;
  if (size > SIM_MAX_BLOCK)
    size = SIM_MAX_BLOCK;
  CUresult result = CUDA_SUCCESS;
  pthread_mutex_lock (&launching);
  bool told = function->ptx ? sim_kernels_watched () : sim_told_can (function);
  if (told)
    sim_mem_told ();
  uintptr_t word[2];
  memcpy (word, op->u.launch.parameters, sizeof word);
  sim_mem_launch_begin (device, arguments, size);
  /* Parameter 1 of GCC's kernels.  */
  sim_mem_launch_stacks (word[1]);
  sim_globals_reach (function);
  if (function->ptx)
    result = sim_kernels_run (op);
  else
    {
      sim_globals_load (function, arguments, size);
      sim_teams_run (function, arguments, op->u.launch.grid,
		     op->u.launch.threads, device_number (function->module),
		     device, told);
      sim_globals_store (function, arguments, size);
    }
  sim_mem_launch_end (device);
  pthread_mutex_unlock (&launching);
  return result;
}

bool
sim_launch_pause (uintptr_t a, uintptr_t b, size_t size)
{
  if (!sim_globals_near (a, size) && !sim_globals_near (b, size))
    return false;
  /* A program that exits within a region copies from its own launch.  */
  if (sim_thread_self ()->engine
      || __atomic_load_n (&sim_exiting, __ATOMIC_ACQUIRE))
    return pthread_mutex_trylock (&launching) == 0;
  pthread_mutex_lock (&launching);
  return true;
}

void
sim_launch_resume (void)
{
  pthread_mutex_unlock (&launching);
}

/* The parameters, OUT, of which the first word is the one argument that a region's
   host version has.  OpenMP: a buffer.  OpenACC: one kernel parameter.  */
static CUresult
read_arguments (void **parameters, void **extra, char out[SIM_PARAMETERS])
{
  memset (out, 0, SIM_PARAMETERS);
  if (parameters && extra)
    return CUDA_ERROR_INVALID_VALUE;
  if (parameters)
    {
      if (!parameters[0])
	return CUDA_ERROR_INVALID_VALUE;
      memcpy (out, parameters[0], sizeof (void *));
      return CUDA_SUCCESS;
    }
  const void *buffer = NULL;
  size_t size = 0;
  for (; extra && *extra != CU_LAUNCH_PARAM_END; extra += 2)
    if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = extra[1];
    else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE && extra[1])
      size = *(const size_t *) extra[1];
    else
      return CUDA_ERROR_INVALID_VALUE;
  if (!buffer || size < sizeof (void *))
    return CUDA_ERROR_INVALID_VALUE;
  memcpy (out, buffer, size < SIM_PARAMETERS ? size : SIM_PARAMETERS);
  return CUDA_SUCCESS;
}

CUresult
cuLaunchKernel (CUfunction handle, unsigned grid_x, unsigned grid_y,
		unsigned grid_z, unsigned block_x, unsigned block_y,
		unsigned block_z, unsigned shared, CUstream stream_handle,
		void **parameters, void **extra)
{
  struct sim_context *context;
  struct sim_stream *stream;
  CUresult r = sim_enter_context (&context);
  if (r != CUDA_SUCCESS)
    return r;
  pthread_mutex_lock (&sim_driver_lock);
  struct sim_function *function = sim_handle_get (handle, SIM_FUNCTION);
  pthread_mutex_unlock (&sim_driver_lock);
  if (!function || function->module->context != context)
    return CUDA_ERROR_INVALID_HANDLE;
  r = sim_stream_check (context, stream_handle, &stream);
  if (r != CUDA_SUCCESS)
    return r;
  if (!grid_x || !grid_y || !grid_z || !block_x || !block_y || !block_z
      || grid_x > INT32_MAX || grid_y > 65535 || grid_z > 65535
      || block_x > 1024 || block_y > 1024 || block_z > 64
      || (uint64_t) block_x * block_y * block_z > 1024
      || shared > (unsigned) function->max_dynamic_shared
      || (uint64_t) grid_x * grid_y * grid_z > INT32_MAX)
    return CUDA_ERROR_INVALID_VALUE;
  struct sim_op op = { .run = sim_launch_run };
  r = read_arguments (parameters, extra, op.u.launch.parameters);
  if (r != CUDA_SUCCESS)
    return r;
  if (sim_thread_self ()->engine)
    {
      ummgr_error ("simcuda: kernel %s: launched from within a launch, which "
		   "a GPU can't do", function->name);
      return CUDA_ERROR_NOT_PERMITTED;
    }
  /* libgomp's plugin launches a program's constructors, and destructors, as one thread (since GCC 15).  A warp of
     them does the same: what an OpenMP kernel does outside of simd regions all lanes do alike.  */
  bool alone = block_x == 1 && block_y == 1 && block_z == 1;
  if (function->ptx && ((block_x != 32 && !alone) || block_z != 1 || grid_y != 1 || grid_z != 1))
    {
      ummgr_error ("simcuda: kernel %s is launched as %u x %u x %u teams of %u x %u x %u "
		   "threads; PTX runs as N x 1 x 1 of 32 x M x 1 or 1 x 1 x 1, as OpenMP has them",
		   function->name, grid_x, grid_y, grid_z, block_x, block_y, block_z);
      return CUDA_ERROR_NOT_SUPPORTED;
    }
  sim_watch_exit ();
  op.u.launch.function = function;
  memcpy (&op.u.launch.arguments, op.u.launch.parameters, sizeof (void *));
  op.u.launch.grid = grid_x * grid_y * grid_z;
  op.u.launch.threads = block_y;
  op.u.launch.shared = shared;
  return sim_engine_submit (stream, &op);
}
