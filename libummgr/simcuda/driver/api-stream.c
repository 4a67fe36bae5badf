/* Entry points: streams, and calls back into the program.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the streams of each context.  */

#include "config.h"
#include "simcuda/driver/driver.h"

#include <stdlib.h>

/* As the real driver's; the order of work does not depend on it here.  */
#define LEAST_PRIORITY 0
#define GREATEST_PRIORITY (-5)

void
sim_stream_setup (struct sim_stream *stream, struct sim_context *context)
{
  stream->context = context;
  stream->blocking = true;
}

CUresult
sim_stream_check (struct sim_context *context, CUstream handle,
		  struct sim_stream **stream_p)
{
  if (!handle || handle == CU_STREAM_LEGACY)
    *stream_p = &context->null_stream;
  else if (handle == CU_STREAM_PER_THREAD)
    *stream_p = &context->thread_stream;
  else
    {
      CUresult r = sim_handle_check (CUDA_SUCCESS, handle, SIM_STREAM, stream_p);
      return r == CUDA_SUCCESS && (*stream_p)->context != context
	     ? CUDA_ERROR_INVALID_HANDLE : r;
    }
  return CUDA_SUCCESS;
}

/* The current context and HANDLE's stream.  */
static CUresult
enter_stream (CUstream handle, struct sim_stream **stream_p)
{
  struct sim_context *context;
  CUresult r = sim_enter_context (&context);
  return r == CUDA_SUCCESS ? sim_stream_check (context, handle, stream_p) : r;
}

CUresult
cuStreamCreateWithPriority (CUstream *out, unsigned flags, int priority)
{
  struct sim_context *context;
  CUresult r = sim_given (sim_enter_context (&context),
			  out && !(flags & ~(unsigned) CU_STREAM_NON_BLOCKING));
  if (r != CUDA_SUCCESS)
    return r;
  struct sim_stream *stream = calloc (1, sizeof *stream);
  if (!stream)
    return CUDA_ERROR_OUT_OF_MEMORY;
  sim_stream_setup (stream, context);
  stream->flags = flags;
  stream->blocking = !(flags & CU_STREAM_NON_BLOCKING);
  stream->priority = priority < GREATEST_PRIORITY ? GREATEST_PRIORITY
		     : priority > LEAST_PRIORITY ? LEAST_PRIORITY : priority;
  pthread_mutex_lock (&sim_driver_lock);
  bool added = sim_handle_add (&stream->handle, SIM_STREAM);
  if (added)
    {
      stream->next = context->streams;
      context->streams = stream;
    }
  pthread_mutex_unlock (&sim_driver_lock);
  if (!added)
    {
      free (stream);
      return CUDA_ERROR_OUT_OF_MEMORY;
    }
  *out = (CUstream) stream;
  return CUDA_SUCCESS;
}

CUresult
cuStreamCreate (CUstream *out, unsigned flags)
{
  return cuStreamCreateWithPriority (out, flags, 0);
}

/* With sim_driver_lock held.  What is pending still runs; the engine frees
   the stream after it.  */
static void
destroy (struct sim_stream *stream)
{
  struct sim_stream **p = &stream->context->streams;
  while (*p != stream)
    p = &(*p)->next;
  *p = stream->next;
  sim_handle_remove (&stream->handle);
  stream->destroyed = true;
  if (!stream->pending)
    free (stream);
}

CUresult
cuStreamDestroy_v2 (CUstream handle)
{
  struct sim_stream *stream;
  CUresult r = enter_stream (handle, &stream);
  if (r != CUDA_SUCCESS)
    return r;
  if (stream == &stream->context->null_stream
      || stream == &stream->context->thread_stream)
    return CUDA_ERROR_INVALID_HANDLE;
  pthread_mutex_lock (&sim_driver_lock);
  destroy (stream);
  pthread_mutex_unlock (&sim_driver_lock);
  return CUDA_SUCCESS;
}

SIM_ALIAS (cuStreamDestroy, cuStreamDestroy_v2);

void
sim_stream_free_all (struct sim_context *context)
{
  pthread_mutex_lock (&sim_driver_lock);
  while (context->streams)
    destroy (context->streams);
  pthread_mutex_unlock (&sim_driver_lock);
}

CUresult
cuStreamQuery (CUstream handle)
{
  struct sim_stream *stream;
  CUresult r = enter_stream (handle, &stream);
  if (r == CUDA_SUCCESS && !sim_engine_stream_idle (stream))
    return CUDA_ERROR_NOT_READY;
  /* Whoever knows that is as late as the stream.  */
  return r == CUDA_SUCCESS ? sim_engine_wait_stream (stream) : r;
}

CUresult
cuStreamSynchronize (CUstream handle)
{
  struct sim_stream *stream;
  CUresult r = enter_stream (handle, &stream);
  return r == CUDA_SUCCESS ? sim_engine_wait_stream (stream) : r;
}

CUresult
cuStreamGetFlags (CUstream handle, unsigned *out)
{
  struct sim_stream *stream;
  CUresult r = sim_given (enter_stream (handle, &stream), out);
  if (r == CUDA_SUCCESS)
    *out = stream->flags;
  return r;
}

CUresult
cuStreamGetPriority (CUstream handle, int *out)
{
  struct sim_stream *stream;
  CUresult r = sim_given (enter_stream (handle, &stream), out);
  if (r == CUDA_SUCCESS)
    *out = stream->priority;
  return r;
}

CUresult
cuStreamGetCtx (CUstream handle, CUcontext *out)
{
  struct sim_stream *stream;
  CUresult r = sim_given (enter_stream (handle, &stream), out);
  if (r == CUDA_SUCCESS)
    *out = (CUcontext) stream->context;
  return r;
}

CUresult
cuCtxGetStreamPriorityRange (int *least, int *greatest)
{
  struct sim_context *context;
  CUresult r = sim_enter_context (&context);
  if (r != CUDA_SUCCESS)
    return r;
  if (least)
    *least = LEAST_PRIORITY;
  if (greatest)
    *greatest = GREATEST_PRIORITY;
  return CUDA_SUCCESS;
}

/* --- callbacks ---------------------------------------------------------- */

static CUresult
run_callback (struct sim_op *op)
{
  struct sim_thread *self = sim_thread_self ();
  self->callback = true;
  if (op->u.callback.host_function)
    op->u.callback.host_function (op->u.callback.data);
  else
    op->u.callback.function (op->u.callback.stream, CUDA_SUCCESS,
			     op->u.callback.data);
  self->callback = false;
  return CUDA_SUCCESS;
}

/* One of the two functions is to be called with DATA.  */
static CUresult
call_back (CUstream handle, bool good, CUstreamCallback function,
	   CUhostFn host_function, void *data)
{
  struct sim_stream *stream;
  CUresult r = sim_given (enter_stream (handle, &stream), good);
  struct sim_op op = {
    .run = run_callback, .host = true,
    .u.callback = { function, host_function, data, handle }
  };
  return r == CUDA_SUCCESS ? sim_engine_submit (stream, &op) : r;
}

CUresult
cuStreamAddCallback (CUstream handle, CUstreamCallback function, void *data,
		     unsigned flags)
{
  return call_back (handle, function && !flags, function, NULL, data);
}

CUresult
cuLaunchHostFunc (CUstream handle, CUhostFn function, void *data)
{
  return call_back (handle, function, NULL, function, data);
}
