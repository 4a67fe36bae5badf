/* The order in which a device's work runs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the queues and the driver's threads.  Each device has one list of
   pending work in the order of submission, a thread that runs launches and
   copies, and one that calls back into the program; both are made when first
   needed.  Work of one stream runs in order; the default stream and the
   blocking streams of its context are ordered against each other; a wait for
   an event adds its own order.  Since work only ever depends on earlier
   submissions, taking the first that is ready cannot deadlock.

   In modelled time an operation begins when its submitter had got so far, what it is
   ordered after is over, and the event that it waits for has happened.  Who
   submits it goes on; who waits for it is no earlier than its end.  A copy behind
   another one in its stream begins as that one's bytes have moved: the link's latency
   is beside the other.  (Small copies that were queued took 2.3 us each, as published
   for an H20, FlexKV's pull request 193; one by one 7 and more, nvbandwidth.)  */

#include "config.h"
#include "simcuda/driver/driver.h"
#include "base/log.h"
#include "simcuda/run/thread.h"

#include <stdlib.h>

/* Guarded by sim_driver_lock.  */
static struct queue
{
  int device;
  struct sim_op *first, **last_p;
  pthread_cond_t work;		/* Something may be ready.  */
  bool started[2];		/* The thread for [host] work.  */
} queues[SIM_MAX_DEVICES];

static pthread_cond_t finished = PTHREAD_COND_INITIALIZER;
static uint64_t sequence;

struct sim_record *
sim_record_get (struct sim_record *record)
{
  if (record)
    record->references++;
  return record;
}

void
sim_record_put (struct sim_record *record)
{
  if (record && --record->references == 0)
    free (record);
}

/* Must B wait for A, which was submitted before it?  */
static bool
ordered (const struct sim_stream *a, const struct sim_stream *b)
{
  return a == b
	 || (a->context == b->context && a->blocking && b->blocking
	     && (a->legacy || b->legacy));
}

static bool
stream_ready (const struct queue *q, const struct sim_stream *stream,
	      const struct sim_op *end)
{
  for (const struct sim_op *op = q->first; op != end; op = op->next)
    if (ordered (op->stream, stream))
      return false;
  return true;
}

static struct sim_op *
next_ready (struct queue *q, bool host)
{
  for (struct sim_op *op = q->first; op; op = op->next)
    if (!op->running && op->host == host && !(op->after && !op->after->done)
	&& stream_ready (q, op->stream, op))
      return op;
  return NULL;
}

static void
unlink_op (struct queue *q, struct sim_op *op)
{
  struct sim_op **p = &q->first;
  while (*p != op)
    p = &(*p)->next;
  *p = op->next;
  if (!*p)
    q->last_p = p;
}

/* Everyone who may wait for something looks again.  A record may be what
   another device's queue waits for.  */
static void
announce (void)
{
  pthread_cond_broadcast (&finished);
  for (int d = 0; d < sim_profile.device_count; d++)
    if (queues[d].first)
      pthread_cond_broadcast (&queues[d].work);
}

static double
later (double a, double b)
{
  return a > b ? a : b;
}

/* When what comes in STREAM is over, of which that itself is at END, and what it is ordered
   after.  */
static double
end_with (const struct sim_context *context, const struct sim_stream *stream, double end)
{
  if (stream != &context->null_stream && ordered (&context->null_stream, stream))
    end = later (end, context->null_stream.end);
  if (stream != &context->thread_stream && ordered (&context->thread_stream, stream))
    end = later (end, context->thread_stream.end);
  for (const struct sim_stream *s = context->streams; s; s = s->next)
    if (s != stream && ordered (s, stream))
      end = later (end, s->end);
  return end;
}

/* When what a wait for STREAM, or CONTEXT, is about is over.  */
static double
end_of (const struct sim_context *context, const struct sim_stream *stream)
{
  return stream ? end_with (context, stream, stream->end) : context->end;
}

/* OP is to run in this thread now, at this time; sim_driver_lock is held.  */
static void
begin (const struct sim_op *op)
{
  const struct sim_stream *s = op->stream;
  double start = later (op->at, end_with (s->context, s, op->copies ? s->moved : s->end));
  sim_mem_set_time (op->after ? later (start, op->after->time) : start);
}

/* OP ran with RESULT in this thread; sim_driver_lock is held.  Does not free OP.  */
static void
settle (struct sim_op *op, CUresult result)
{
  struct sim_stream *stream = op->stream;
  struct sim_context *context = stream->context;
  /* An event is when the device has done what it was told before.  */
  if (op->record)
    sim_mem_wait_until (sim_model_now (context->device));
  double end = sim_mem_time ();
  stream->end = later (stream->end, end);
  stream->moved = op->copies ? sim_mem_copied () : stream->end;
  context->end = later (context->end, end);
  if (result != CUDA_SUCCESS && context->error == CUDA_SUCCESS)
    __atomic_store_n (&context->error, result, __ATOMIC_RELEASE);
  if (op->record)
    {
      op->record->time = end;
      __atomic_store_n (&op->record->done, true, __ATOMIC_RELEASE);
      sim_record_put (op->record);
    }
  sim_record_put (op->after);
  if (--stream->pending == 0 && stream->destroyed)
    free (stream);
}

static void
engine_loop (struct queue *q, bool host)
{
  sim_thread_self ()->engine = true;
  sim_mem_thread_idle (true);
  pthread_mutex_lock (&sim_driver_lock);
  for (;;)
    {
      struct sim_op *op = next_ready (q, host);
      if (!op)
	{
	  pthread_cond_wait (&q->work, &sim_driver_lock);
	  continue;
	}
      op->running = true;
      begin (op);
      pthread_mutex_unlock (&sim_driver_lock);
      /* A callback is host code; a launch is the GPU's side, and a copy is
	 the driver's own.  */
      if (host)
	sim_mem_thread_idle (false);
      CUresult result = op->run ? op->run (op) : CUDA_SUCCESS;
      if (host)
	sim_mem_thread_idle (true);
      pthread_mutex_lock (&sim_driver_lock);
      unlink_op (q, op);
      settle (op, result);
      free (op);
      announce ();
    }
}

static void *
launch_thread (void *q)
{
  engine_loop (q, false);
  return NULL;
}

static void *
callback_thread (void *q)
{
  engine_loop (q, true);
  return NULL;
}

static bool
start_thread (struct queue *q, bool host)
{
  if (q->started[host])
    return true;
  q->started[host]
    = sim_thread_start (host ? callback_thread : launch_thread, q) == 0;
  if (!q->started[host])
    ummgr_error ("simcuda: cannot start a thread for device %d", q->device);
  return q->started[host];
}

static struct queue *
queue_of (int device)
{
  struct queue *q = &queues[device];
  if (!q->last_p)
    {
      q->device = device;
      q->last_p = &q->first;
      pthread_cond_init (&q->work, NULL);
    }
  return q;
}

/* Run OP in the caller, which stands for the stream being idle.  The lock is
   held on entry and released on return.  */
static CUresult
run_at_once (const struct sim_op *template, struct sim_stream *stream)
{
  struct sim_op op = *template;
  op.stream = stream;
  stream->pending++;
  begin (&op);
  CUresult result = CUDA_SUCCESS;
  if (op.run)
    {
      pthread_mutex_unlock (&sim_driver_lock);
      result = op.run (&op);
      pthread_mutex_lock (&sim_driver_lock);
    }
  settle (&op, result);
  sim_mem_set_time (op.at);
  announce ();
  pthread_mutex_unlock (&sim_driver_lock);
  return result;
}

CUresult
sim_engine_submit (struct sim_stream *stream, const struct sim_op *given)
{
  struct sim_op timed = *given, *template = &timed;
  timed.at = sim_mem_time ();
  pthread_mutex_lock (&sim_driver_lock);
  struct queue *q = queue_of (stream->context->device);
  bool launch = template->run == sim_launch_run;
  if (!template->host && !launch && !(template->after && !template->after->done)
      && stream_ready (q, stream, NULL))
    return run_at_once (template, stream);
  struct sim_op *op = malloc (sizeof *op);
  if (!op || !start_thread (q, template->host))
    {
      pthread_mutex_unlock (&sim_driver_lock);
      free (op);
      return CUDA_ERROR_OUT_OF_MEMORY;
    }
  *op = *template;
  op->stream = stream;
  op->sequence = ++sequence;
  op->running = false;
  op->next = NULL;
  stream->pending++;
  *q->last_p = op;
  q->last_p = &op->next;
  pthread_cond_broadcast (&q->work);
  pthread_mutex_unlock (&sim_driver_lock);
  return CUDA_SUCCESS;
}

/* Is anything pending in DEVICE's queue, up to LIMIT, that a wait for STREAM
   (or, if that is NULL, for CONTEXT) is about?  */
static bool
outstanding (const struct sim_context *context, const struct sim_stream *stream,
	     uint64_t limit)
{
  const struct queue *q = &queues[context->device];
  for (const struct sim_op *op = q->first; op && op->sequence <= limit;
       op = op->next)
    if (stream ? ordered (op->stream, stream) : op->stream->context == context)
      return true;
  return false;
}

/* Wait until an operation has finished.  The lock is held.  This is no place for a
   thread to be cancelled: the lock would stay with it.  */
static void
wait_finished (void)
{
  int before;
  pthread_setcancelstate (PTHREAD_CANCEL_DISABLE, &before);
  pthread_cond_wait (&finished, &sim_driver_lock);
  pthread_setcancelstate (before, NULL);
}

static void
wait_for (struct sim_context *context, struct sim_stream *stream)
{
  uint64_t limit = sequence;
  sim_mem_thread_idle (true);
  while (outstanding (context, stream, limit))
    wait_finished ();
  sim_mem_thread_idle (false);
  sim_mem_wait_until (end_of (context, stream));
}

static CUresult
wait_result (struct sim_context *context, struct sim_stream *stream)
{
  if (!sim_thread_self ()->engine)
    {
      pthread_mutex_lock (&sim_driver_lock);
      wait_for (context, stream);
      pthread_mutex_unlock (&sim_driver_lock);
    }
  return __atomic_load_n (&context->error, __ATOMIC_ACQUIRE);
}

CUresult
sim_engine_wait_stream (struct sim_stream *stream)
{
  return wait_result (stream->context, stream);
}

void
sim_engine_did (struct sim_context *context)
{
  double now = sim_mem_time ();
  pthread_mutex_lock (&sim_driver_lock);
  context->null_stream.moved = context->null_stream.end = later (context->null_stream.end, now);
  context->end = later (context->end, now);
  pthread_mutex_unlock (&sim_driver_lock);
}

CUresult
sim_engine_wait_context (struct sim_context *context)
{
  return wait_result (context, NULL);
}

bool
sim_engine_drain (struct sim_context *context)
{
  bool may_wait = !sim_thread_self ()->engine
		  && !__atomic_load_n (&sim_exiting, __ATOMIC_ACQUIRE);
  pthread_mutex_lock (&sim_driver_lock);
  if (may_wait)
    wait_for (context, NULL);
  bool idle = !outstanding (context, NULL, UINT64_MAX);
  pthread_mutex_unlock (&sim_driver_lock);
  return idle;
}

bool
sim_engine_stream_idle (struct sim_stream *stream)
{
  pthread_mutex_lock (&sim_driver_lock);
  bool idle = !outstanding (stream->context, stream, UINT64_MAX);
  pthread_mutex_unlock (&sim_driver_lock);
  return idle;
}

/* RECORD is the caller's own reference.  */
void
sim_engine_wait_record (struct sim_record *record)
{
  pthread_mutex_lock (&sim_driver_lock);
  sim_mem_thread_idle (true);
  while (!record->done)
    wait_finished ();
  sim_mem_thread_idle (false);
  sim_mem_wait_until (record->time);
  pthread_mutex_unlock (&sim_driver_lock);
}
