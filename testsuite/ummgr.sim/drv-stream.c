/* Work that overtakes what it has to wait for, an event that is done too
   early, or a callback that may call the driver.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-env "UMMGR_PROFILE=v100-nvlink2 UMMGR_GPUS=2" } */

#include "driver-test.h"

#include <pthread.h>
#include <semaphore.h>

/* The regions: one that waits to be let go, one that notes its turn.  */
static sem_t gate;
static int order[16], turns;

static void
hold (void *data)
{
  sem_wait (&gate);
  order[__atomic_fetch_add (&turns, 1, __ATOMIC_SEQ_CST)] = (intptr_t) data;
}

static void
note (void *data)
{
  order[__atomic_fetch_add (&turns, 1, __ATOMIC_SEQ_CST)] = (intptr_t) data;
}

static const char ptx[]
  = ".version 6.3\n.target sm_75\n.address_size 64\n"
    ".visible .entry hold (.param .u64 %in) { ret; }\n"
    ".visible .entry note (.param .u64 %in) { ret; }\n";
OFFLOAD_FUNCTIONS functions[] = { hold, note };
static const struct test_function function_names[] = { { "hold", { 0 } },
							{ "note", { 0 } } };
static const struct test_ptx texts[] = { { ptx, sizeof ptx } };
extern const struct test_description description;
const struct test_description description = { texts, 1, NULL, 0,
					      function_names, 2 };

static CUfunction held, noted;
static CUstream a, b, free_stream;

static void
go (void)
{
  sem_post (&gate);
  OK (cuCtxSynchronize ());
}

static void
expect (int n, const int *what)
{
  CHECK_EQ (turns, n);
  for (int i = 0; i < n; i++)
    CHECK_EQ (order[i], what[i]);
  turns = 0;
}

/* Streams are apart, but not from the default stream.  */
static void
ordering (void)
{
  OK (launch (held, 1, a, (void *) 1));
  OK (launch (noted, 1, a, (void *) 2));
  GIVES (NOT_READY, cuStreamQuery (a));
  OK (cuStreamQuery (b));
  OK (cuStreamQuery (free_stream));
  GIVES (NOT_READY, cuStreamQuery (NULL));
  go ();
  OK (cuStreamQuery (a));
  expect (2, (int[]) { 1, 2 });

  OK (launch (held, 1, a, (void *) 1));
  OK (launch (noted, 1, NULL, (void *) 2));
  OK (launch (noted, 1, b, (void *) 3));
  GIVES (NOT_READY, cuStreamQuery (b));
  go ();
  expect (3, (int[]) { 1, 2, 3 });
}

static void
events (void)
{
  CUevent e, untimed, never, far;
  CUcontext own, peer;
  CUstream far_stream;
  float ms = -1;
  GIVES (INVALID_VALUE, cuEventCreate (NULL, 0));
  GIVES (INVALID_VALUE, cuEventCreate (&e, 0x80));
  GIVES (INVALID_VALUE, cuEventCreate (&e, CU_EVENT_INTERPROCESS));
  OK (cuEventCreate (&e, 0));
  OK (cuEventCreate (&never, 0));
  OK (cuEventCreate (&untimed, CU_EVENT_DISABLE_TIMING));
  OK (cuEventQuery (never));
  OK (cuEventSynchronize (never));
  OK (cuStreamWaitEvent (b, never, 0));
  GIVES (INVALID_VALUE, cuStreamWaitEvent (b, e, 8));

  OK (launch (held, 1, a, (void *) 1));
  OK (cuEventRecord (e, a));
  OK (cuStreamWaitEvent (b, e, 0));
  OK (launch (noted, 1, b, (void *) 2));
  GIVES (NOT_READY, cuEventQuery (e));
  GIVES (NOT_READY, cuStreamQuery (b));
  GIVES (NOT_READY, cuEventElapsedTime (&ms, e, e));
  sem_post (&gate);
  OK (cuEventSynchronize (e));
  OK (cuEventQuery (e));
  OK (cuStreamSynchronize (b));
  expect (2, (int[]) { 1, 2 });

  CUevent end;
  CUdeviceptr p;
  static char bytes[1 << 20];
  OK (cuMemAlloc_v2 (&p, sizeof bytes));
  OK (cuEventCreate (&end, 0));
  OK (cuEventRecord (e, NULL));
  OK (cuMemcpyHtoD_v2 (p, bytes, sizeof bytes));
  OK (cuEventRecord (end, NULL));
  OK (cuEventElapsedTime (&ms, e, end));
  CHECK (ms > 0);
  GIVES (INVALID_HANDLE, cuEventElapsedTime (&ms, e, never));
  OK (cuEventRecord (untimed, NULL));
  GIVES (INVALID_HANDLE, cuEventElapsedTime (&ms, e, untimed));
  GIVES (INVALID_VALUE, cuEventElapsedTime (NULL, e, end));

  /* Another device's event may be waited for, but not recorded here.  */
  OK (cuCtxGetCurrent (&own));
  peer = start (1);
  OK (cuEventCreate (&far, 0));
  OK (cuStreamCreate (&far_stream, 0));
  OK (cuEventRecord (far, far_stream));
  GIVES (INVALID_HANDLE, cuStreamSynchronize (a));
  OK (cuCtxSetCurrent (own));
  OK (cuStreamWaitEvent (a, far, 0));
  GIVES (INVALID_HANDLE, cuEventRecord (far, a));
  GIVES (INVALID_HANDLE, cuStreamQuery (far_stream));
  OK (cuCtxDestroy_v2 (peer));
  GIVES (INVALID_HANDLE, cuEventQuery (far));

  /* Destroyed while it is waited for.  */
  OK (launch (held, 1, a, (void *) 1));
  OK (cuEventRecord (e, a));
  OK (cuStreamWaitEvent (b, e, 0));
  OK (launch (noted, 1, b, (void *) 2));
  OK (cuEventDestroy_v2 (e));
  GIVES (INVALID_HANDLE, cuEventDestroy_v2 (e));
  go ();
  expect (2, (int[]) { 1, 2 });
  GIVES (INVALID_HANDLE, cuEventRecord (e, a));
  GIVES (INVALID_HANDLE, cuEventQuery (NULL));
}

static sem_t called;
static int permitted = -1;

static void
callback (CUstream stream, CUresult status, void *data)
{
  CUdevice device;
  CHECK (stream == a && status == CUDA_SUCCESS);
  permitted = cuCtxGetDevice (&device);
  note (data);
}

static void
wait_called (void *data)
{
  sem_wait (&called);
  note (data);
}

static void
callbacks (void)
{
  OK (launch (held, 1, a, (void *) 1));
  OK (cuStreamAddCallback (a, callback, (void *) 2, 0));
  OK (launch (noted, 1, a, (void *) 3));
  go ();
  expect (3, (int[]) { 1, 2, 3 });
  CHECK_EQ (permitted, CUDA_ERROR_NOT_PERMITTED);
  GIVES (INVALID_VALUE, cuStreamAddCallback (a, NULL, NULL, 0));
  GIVES (INVALID_VALUE, cuStreamAddCallback (a, callback, NULL, 1));
  GIVES (INVALID_VALUE, cuLaunchHostFunc (a, NULL, NULL));

  /* One that waits for the program does not hold up another stream.  */
  OK (cuLaunchHostFunc (a, wait_called, (void *) 1));
  OK (launch (noted, 1, free_stream, (void *) 2));
  OK (launch (noted, 1, b, (void *) 3));
  OK (cuStreamSynchronize (free_stream));
  OK (cuStreamSynchronize (b));
  CHECK_EQ (turns, 2);
  sem_post (&called);
  OK (cuCtxSynchronize ());
  expect (3, (int[]) { 2, 3, 1 });
}

static void
handles (void)
{
  CUstream s;
  unsigned flags;
  int priority;
  CUcontext context, own;
  GIVES (INVALID_VALUE, cuStreamCreate (NULL, 0));
  GIVES (INVALID_VALUE, cuStreamCreate (&s, 0x10));
  OK (cuStreamCreateWithPriority (&s, CU_STREAM_NON_BLOCKING, -100));
  OK (cuStreamGetFlags (s, &flags));
  CHECK_EQ (flags, CU_STREAM_NON_BLOCKING);
  OK (cuStreamGetPriority (s, &priority));
  CHECK (priority < 0 && priority > -100);
  OK (cuStreamGetCtx (s, &context));
  OK (cuCtxGetCurrent (&own));
  CHECK (context == own);
  /* Destroyed with work in it: the work still runs.  */
  OK (launch (held, 1, s, (void *) 1));
  OK (cuStreamDestroy_v2 (s));
  GIVES (INVALID_HANDLE, cuStreamDestroy_v2 (s));
  GIVES (INVALID_HANDLE, cuStreamQuery (s));
  GIVES (INVALID_HANDLE, cuStreamDestroy_v2 (NULL));
  go ();
  expect (1, (int[]) { 1 });
  OK (cuStreamSynchronize (CU_STREAM_LEGACY));
  OK (cuStreamSynchronize (CU_STREAM_PER_THREAD));
}

/* Freeing memory waits for what may use it, and a copy for the default
   stream.  */
static void *
release (void *data)
{
  usleep (50000);
  sem_post (&gate);
  return NULL;
}

static void
implied_waits (void)
{
  CUdeviceptr p;
  int value;
  pthread_t thread;
  OK (cuMemAlloc_v2 (&p, 64));
  pthread_create (&thread, NULL, release, NULL);
  OK (launch (held, 1, a, (void *) 1));
  OK (cuMemcpyDtoH_v2 (&value, p, sizeof value));
  expect (1, (int[]) { 1 });
  pthread_join (thread, NULL);
  pthread_create (&thread, NULL, release, NULL);
  OK (launch (held, 1, free_stream, (void *) 1));
  OK (cuMemFree_v2 (p));
  expect (1, (int[]) { 1 });
  pthread_join (thread, NULL);
}

/* Memory that is not pinned may change once the call is back.  */
static void
staging (void)
{
  CUdeviceptr p;
  int value = 5, got = 0;
  OK (cuMemAlloc_v2 (&p, sizeof value));
  OK (launch (held, 1, a, (void *) 1));
  OK (cuMemcpyHtoDAsync_v2 (p, &value, sizeof value, a));
  value = 6;
  GIVES (NOT_READY, cuStreamQuery (a));
  go ();
  OK (cuMemcpyDtoHAsync_v2 (&got, p, sizeof got, a));
  CHECK_EQ (got, 5);
  expect (1, (int[]) { 1 });
  OK (cuMemFree_v2 (p));
}

int
main (void)
{
  start (0);
  sem_init (&gate, 0, 0);
  sem_init (&called, 0, 0);
  CUmodule module = load (ptx, sizeof ptx);
  OK (cuModuleGetFunction (&held, module, "hold"));
  OK (cuModuleGetFunction (&noted, module, "note"));
  OK (cuStreamCreate (&a, CU_STREAM_DEFAULT));
  OK (cuStreamCreate (&b, CU_STREAM_DEFAULT));
  OK (cuStreamCreate (&free_stream, CU_STREAM_NON_BLOCKING));
  ordering ();
  events ();
  callbacks ();
  handles ();
  implied_waits ();
  staging ();
  return 0;
}
