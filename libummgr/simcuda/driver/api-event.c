/* Entry points: events.  Their times are modelled, never measured.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the events of each context.  */

#include "config.h"
#include "simcuda/driver/driver.h"

#include <stdlib.h>

CUresult
cuEventCreate (CUevent *out, unsigned flags)
{
  const unsigned known = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING
			 | CU_EVENT_INTERPROCESS;
  struct sim_context *context;
  CUresult r
    = sim_given (sim_enter_context (&context),
		 out && !(flags & ~known) && (!(flags & CU_EVENT_INTERPROCESS)
					      || flags & CU_EVENT_DISABLE_TIMING));
  if (r != CUDA_SUCCESS)
    return r;
  struct sim_event *event = calloc (1, sizeof *event);
  if (!event)
    return CUDA_ERROR_OUT_OF_MEMORY;
  event->context = context;
  event->flags = flags;
  pthread_mutex_lock (&sim_driver_lock);
  bool added = sim_handle_add (&event->handle, SIM_EVENT);
  if (added)
    {
      event->next = context->events;
      context->events = event;
    }
  pthread_mutex_unlock (&sim_driver_lock);
  if (!added)
    {
      free (event);
      return CUDA_ERROR_OUT_OF_MEMORY;
    }
  *out = (CUevent) event;
  return CUDA_SUCCESS;
}

/* The live event of HANDLE, with a reference to its record if it has one.  */
static CUresult
event_check (CUevent handle, struct sim_event **event_p,
	     struct sim_record **record_p)
{
  struct sim_context *context;
  CUresult r = sim_enter_context (&context);
  if (r != CUDA_SUCCESS)
    return r;
  pthread_mutex_lock (&sim_driver_lock);
  *event_p = sim_handle_get (handle, SIM_EVENT);
  if (*event_p && record_p)
    *record_p = sim_record_get ((*event_p)->record);
  pthread_mutex_unlock (&sim_driver_lock);
  return *event_p ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

static void
record_release (struct sim_record *record)
{
  pthread_mutex_lock (&sim_driver_lock);
  sim_record_put (record);
  pthread_mutex_unlock (&sim_driver_lock);
}

/* With sim_driver_lock held.  */
static void
destroy (struct sim_event *event)
{
  struct sim_event **p = &event->context->events;
  while (*p != event)
    p = &(*p)->next;
  *p = event->next;
  sim_handle_remove (&event->handle);
  sim_record_put (event->record);
  free (event);
}

CUresult
cuEventDestroy_v2 (CUevent handle)
{
  struct sim_event *event;
  CUresult r = event_check (handle, &event, NULL);
  if (r != CUDA_SUCCESS)
    return r;
  pthread_mutex_lock (&sim_driver_lock);
  destroy (event);
  pthread_mutex_unlock (&sim_driver_lock);
  return CUDA_SUCCESS;
}

SIM_ALIAS (cuEventDestroy, cuEventDestroy_v2);

void
sim_event_free_all (struct sim_context *context)
{
  pthread_mutex_lock (&sim_driver_lock);
  while (context->events)
    destroy (context->events);
  pthread_mutex_unlock (&sim_driver_lock);
}

CUresult
cuEventRecord (CUevent handle, CUstream stream_handle)
{
  struct sim_event *event;
  struct sim_stream *stream;
  CUresult r = event_check (handle, &event, NULL);
  if (r == CUDA_SUCCESS)
    r = sim_stream_check (sim_context_current (), stream_handle, &stream);
  if (r != CUDA_SUCCESS)
    return r;
  if (event->context != stream->context)
    return CUDA_ERROR_INVALID_HANDLE;
  struct sim_record *record = calloc (1, sizeof *record);
  if (!record)
    return CUDA_ERROR_OUT_OF_MEMORY;
  record->references = 3;	/* The event, the queue, and this call.  */
  struct sim_op op = { .record = record };
  r = sim_engine_submit (stream, &op);
  pthread_mutex_lock (&sim_driver_lock);
  if (r == CUDA_SUCCESS)
    {
      sim_record_put (event->record);
      event->record = record;
    }
  else
    record->references -= 2;
  sim_record_put (record);
  pthread_mutex_unlock (&sim_driver_lock);
  return r;
}

CUresult
cuEventQuery (CUevent handle)
{
  struct sim_event *event;
  struct sim_record *record = NULL;
  CUresult r = event_check (handle, &event, &record);
  if (r != CUDA_SUCCESS)
    return r;
  if (record && !__atomic_load_n (&record->done, __ATOMIC_ACQUIRE))
    r = CUDA_ERROR_NOT_READY;
  else if (record)
    sim_mem_wait_until (record->time);
  record_release (record);
  return r;
}

CUresult
cuEventSynchronize (CUevent handle)
{
  struct sim_event *event;
  struct sim_record *record = NULL;
  CUresult r = event_check (handle, &event, &record);
  if (r != CUDA_SUCCESS)
    return r;
  if (record && !sim_thread_self ()->engine)
    sim_engine_wait_record (record);
  record_release (record);
  return __atomic_load_n (&event->context->error, __ATOMIC_ACQUIRE);
}

CUresult
cuEventElapsedTime (float *out, CUevent start_handle, CUevent end_handle)
{
  struct sim_event *start, *end;
  struct sim_record *from = NULL, *to = NULL;
  CUresult r = event_check (start_handle, &start, &from);
  if (r != CUDA_SUCCESS)
    return r;
  r = event_check (end_handle, &end, &to);
  if (r == CUDA_SUCCESS)
    {
      if (!out)
	r = CUDA_ERROR_INVALID_VALUE;
      else if (start->context != end->context || !from || !to
	       || ((start->flags | end->flags) & CU_EVENT_DISABLE_TIMING))
	r = CUDA_ERROR_INVALID_HANDLE;
      else if (!__atomic_load_n (&from->done, __ATOMIC_ACQUIRE)
	       || !__atomic_load_n (&to->done, __ATOMIC_ACQUIRE))
	r = CUDA_ERROR_NOT_READY;
      else
	*out = (to->time - from->time) * 1e3;
    }
  record_release (from);
  record_release (to);
  return r;
}

CUresult
cuStreamWaitEvent (CUstream stream_handle, CUevent handle, unsigned flags)
{
  struct sim_event *event;
  struct sim_stream *stream;
  struct sim_record *record = NULL;
  CUresult r = event_check (handle, &event, &record);
  if (r != CUDA_SUCCESS)
    return r;
  r = sim_stream_check (sim_context_current (), stream_handle, &stream);
  if (r == CUDA_SUCCESS && flags & ~(unsigned) CU_EVENT_WAIT_EXTERNAL)
    r = CUDA_ERROR_INVALID_VALUE;
  /* An event that was never recorded is no wait at all.  */
  if (r != CUDA_SUCCESS || !record)
    {
      record_release (record);
      return r;
    }
  struct sim_op op = { .after = record };
  r = sim_engine_submit (stream, &op);
  if (r != CUDA_SUCCESS)
    record_release (record);
  return r;
}
