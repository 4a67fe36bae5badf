/* Entry points: copies and fills.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Synchronous calls are ordered as on the default stream.  Asynchronous ones
   from memory that is not pinned take it in at once, and those to such memory
   are synchronous, as with the real driver.  */

#include "config.h"
#include "simcuda/driver/driver.h"

#include <stdlib.h>
#include <string.h>

/* What an address given to a copy has to be.  */
enum side
{
  DEVICE,	/* Memory a device can reach.  */
  HOST,		/* Anything but plain device memory.  */
  ANY
};

/* Can SIZE bytes at ADDRESS be used as SIDE says?  Of the host's memory all has to be registered at once, or nothing
   (CUDA's manual, as CUDA.jl pull request 258 quotes it: else CUDA_ERROR_INVALID_VALUE).  */
static bool
usable (uintptr_t address, size_t size, enum side side)
{
  if (!address || address + size < address)
    return false;
  struct sim_alloc *alloc = sim_mem_find (address);
  if (!alloc)
    return side != DEVICE && !sim_holding_overlaps_host (address, size);
  if (side == HOST && alloc->kind == SIM_MEM_PLAIN)
    return false;
  return size <= alloc->size
	 && address - alloc->base <= alloc->size - size;
}

static CUresult
do_copy (int device, uintptr_t dst, uintptr_t src, size_t size)
{
  bool paused = sim_launch_pause (dst, src, size);
  CUresult r = sim_mem_copy_by (device, dst, src, size);
  if (paused)
    sim_launch_resume ();
  return r;
}

static CUresult
run_copy (struct sim_op *op)
{
  CUresult r = do_copy (op->stream->context->device, op->u.copy.dst, op->u.copy.src, op->u.copy.size);
  free (op->u.copy.staging);
  return r;
}

static CUresult
run_set (struct sim_op *op)
{
  return sim_mem_set (op->u.set.dst, op->u.set.value, op->u.set.width,
		      op->u.set.count);
}

/* Where two-sided calls say where their bytes are.  */
struct copy
{
  uintptr_t dst, src;
  size_t size;
  enum side dst_side, src_side;
};

/* Checked by the caller; 0 bytes are nothing to check.  */
static CUresult
check_copy (const struct copy *c)
{
  return usable (c->dst, c->size, c->dst_side)
	 && usable (c->src, c->size, c->src_side)
	 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Copy as on the default stream: after what is pending there, and done on
   return.  */
static CUresult
copy_now (struct sim_context *context, const struct copy *c)
{
  CUresult r = check_copy (c);
  if (r == CUDA_SUCCESS)
    r = sim_engine_wait_stream (&context->null_stream);
  if (r == CUDA_SUCCESS)
    r = do_copy (context->device, c->dst, c->src, c->size);
  sim_engine_did (context);
  return r;
}

static bool
is_pageable (uintptr_t address)
{
  return !sim_mem_find (address);
}

static CUresult
copy_later (struct sim_context *context, CUstream handle,
	    const struct copy *c)
{
  struct sim_stream *stream;
  CUresult r = sim_stream_check (context, handle, &stream);
  if (r != CUDA_SUCCESS || !c->size)
    return r;
  r = check_copy (c);
  if (r != CUDA_SUCCESS)
    return r;
  struct sim_op op = { .run = run_copy, .copies = true,
		       .u.copy = { c->dst, c->src, c->size, NULL } };
  if (is_pageable (c->src) && !sim_engine_stream_idle (stream))
    {
      op.u.copy.staging = malloc (c->size);
      if (!op.u.copy.staging)
	return CUDA_ERROR_OUT_OF_MEMORY;
      bool paused = sim_launch_pause (c->src, 0, c->size);
      memcpy (op.u.copy.staging, (const void *) c->src, c->size);
      if (paused)
	sim_launch_resume ();
      op.u.copy.src = (uintptr_t) op.u.copy.staging;
    }
  bool wait = is_pageable (c->dst);
  r = sim_engine_submit (stream, &op);
  return r == CUDA_SUCCESS && wait ? sim_engine_wait_stream (stream) : r;
}

static CUresult
enter_copy (const struct copy *c)
{
  struct sim_context *context;
  CUresult r = sim_enter_context (&context);
  return r == CUDA_SUCCESS && c->size ? copy_now (context, c) : r;
}

static CUresult
enter_copy_async (const struct copy *c, CUstream stream)
{
  struct sim_context *context;
  CUresult r = sim_enter_context (&context);
  return r == CUDA_SUCCESS ? copy_later (context, stream, c) : r;
}

CUresult
cuMemcpy (CUdeviceptr dst, CUdeviceptr src, size_t size)
{
  return enter_copy (&(struct copy) { dst, src, size, ANY, ANY });
}

CUresult
cuMemcpyAsync (CUdeviceptr dst, CUdeviceptr src, size_t size, CUstream stream)
{
  return enter_copy_async (&(struct copy) { dst, src, size, ANY, ANY },
			   stream);
}

CUresult
cuMemcpyHtoD_v2 (CUdeviceptr dst, const void *src, size_t size)
{
  return enter_copy (&(struct copy) { dst, (uintptr_t) src, size, DEVICE,
				      HOST });
}

CUresult
cuMemcpyHtoDAsync_v2 (CUdeviceptr dst, const void *src, size_t size,
		      CUstream stream)
{
  return enter_copy_async (&(struct copy) { dst, (uintptr_t) src, size,
					    DEVICE, HOST }, stream);
}

CUresult
cuMemcpyDtoH_v2 (void *dst, CUdeviceptr src, size_t size)
{
  return enter_copy (&(struct copy) { (uintptr_t) dst, src, size, HOST,
				      DEVICE });
}

CUresult
cuMemcpyDtoHAsync_v2 (void *dst, CUdeviceptr src, size_t size, CUstream stream)
{
  return enter_copy_async (&(struct copy) { (uintptr_t) dst, src, size, HOST,
					    DEVICE }, stream);
}

CUresult
cuMemcpyDtoD_v2 (CUdeviceptr dst, CUdeviceptr src, size_t size)
{
  return enter_copy (&(struct copy) { dst, src, size, DEVICE, DEVICE });
}

CUresult
cuMemcpyDtoDAsync_v2 (CUdeviceptr dst, CUdeviceptr src, size_t size,
		      CUstream stream)
{
  return enter_copy_async (&(struct copy) { dst, src, size, DEVICE, DEVICE },
			   stream);
}

/* --- between contexts --------------------------------------------------- */

static CUresult
enter_contexts (struct sim_context **context_p, CUcontext a, CUcontext b)
{
  struct sim_context *unused;
  CUresult r = sim_enter_context (context_p);
  if (r == CUDA_SUCCESS)
    r = sim_context_check (a, &unused);
  return r == CUDA_SUCCESS ? sim_context_check (b, &unused) : r;
}

CUresult
cuMemcpyPeer (CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src,
	      CUcontext src_context, size_t size)
{
  struct sim_context *context;
  CUresult r = enter_contexts (&context, dst_context, src_context);
  if (r != CUDA_SUCCESS || !size)
    return r;
  const struct copy c = { dst, src, size, DEVICE, DEVICE };
  r = check_copy (&c);
  if (r == CUDA_SUCCESS)
    r = sim_engine_wait_context ((struct sim_context *) src_context);
  if (r == CUDA_SUCCESS)
    r = sim_engine_wait_context ((struct sim_context *) dst_context);
  if (r == CUDA_SUCCESS)
    r = do_copy (context->device, dst, src, size);
  sim_engine_did ((struct sim_context *) src_context);
  sim_engine_did ((struct sim_context *) dst_context);
  return r;
}

CUresult
cuMemcpyPeerAsync (CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src,
		   CUcontext src_context, size_t size, CUstream stream)
{
  struct sim_context *context;
  CUresult r = enter_contexts (&context, dst_context, src_context);
  const struct copy c = { dst, src, size, DEVICE, DEVICE };
  return r == CUDA_SUCCESS ? copy_later (context, stream, &c) : r;
}

/* --- fills -------------------------------------------------------------- */

static CUresult
fill (CUdeviceptr dst, unsigned value, int width, size_t count,
      const CUstream *stream_handle)
{
  struct sim_context *context;
  struct sim_stream *stream;
  size_t size;
  CUresult r = sim_enter_context (&context);
  if (r == CUDA_SUCCESS)
    r = sim_stream_check (context, stream_handle ? *stream_handle : NULL,
			  &stream);
  if (r != CUDA_SUCCESS || !count)
    return r;
  if (__builtin_mul_overflow (count, (size_t) width, &size) || dst % width
      || !usable (dst, size, DEVICE))
    return CUDA_ERROR_INVALID_VALUE;
  struct sim_op op = { .run = run_set, .u.set = { dst, value, width, count } };
  r = sim_engine_submit (stream, &op);
  return r == CUDA_SUCCESS && !stream_handle ? sim_engine_wait_stream (stream)
					     : r;
}

CUresult
cuMemsetD8_v2 (CUdeviceptr dst, unsigned char value, size_t count)
{
  return fill (dst, value, 1, count, NULL);
}

CUresult
cuMemsetD16_v2 (CUdeviceptr dst, unsigned short value, size_t count)
{
  return fill (dst, value, 2, count, NULL);
}

CUresult
cuMemsetD32_v2 (CUdeviceptr dst, unsigned value, size_t count)
{
  return fill (dst, value, 4, count, NULL);
}

CUresult
cuMemsetD8Async (CUdeviceptr dst, unsigned char value, size_t count,
		 CUstream stream)
{
  return fill (dst, value, 1, count, &stream);
}

CUresult
cuMemsetD16Async (CUdeviceptr dst, unsigned short value, size_t count,
		  CUstream stream)
{
  return fill (dst, value, 2, count, &stream);
}

CUresult
cuMemsetD32Async (CUdeviceptr dst, unsigned value, size_t count,
		  CUstream stream)
{
  return fill (dst, value, 4, count, &stream);
}
