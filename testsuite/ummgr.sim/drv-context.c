/* A context stack that loses an entry, a destroyed context that still works,
   or a handle that is followed without being checked.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-env "UMMGR_PROFILE=v100-nvlink2 UMMGR_GPUS=2" } */

#include "driver-test.h"

#include <pthread.h>

static CUcontext
current (void)
{
  CUcontext context;
  OK (cuCtxGetCurrent (&context));
  return context;
}

static void
stack (void)
{
  CUcontext a, b, popped;
  CUdevice device;
  unsigned flags;
  CHECK (current () == NULL);
  GIVES (INVALID_CONTEXT, cuCtxGetDevice (&device));
  GIVES (INVALID_CONTEXT, cuCtxSynchronize ());
  GIVES (INVALID_CONTEXT, cuCtxPopCurrent_v2 (&popped));
  GIVES (INVALID_VALUE, cuCtxCreate_v2 (NULL, 0, 0));
  GIVES (INVALID_VALUE, cuCtxCreate_v2 (&a, 0x8000, 0));
  GIVES (INVALID_DEVICE, cuCtxCreate_v2 (&a, 0, 5));
  OK (cuCtxCreate_v2 (&a, CU_CTX_SCHED_YIELD, 0));
  OK (cuCtxCreate_v2 (&b, 0, 1));
  CHECK (current () == b);
  OK (cuCtxGetDevice (&device));
  CHECK_EQ (device, 1);
  GIVES (INVALID_VALUE, cuCtxGetDevice (NULL));
  OK (cuCtxPopCurrent_v2 (&popped));
  CHECK (popped == b && current () == a);
  OK (cuCtxGetFlags (&flags));
  CHECK_EQ (flags, CU_CTX_SCHED_YIELD);
  for (int i = 0; i < 40; i++)
    OK (cuCtxPushCurrent_v2 (i % 2 ? a : b));
  for (int i = 40; i-- > 0;)
    {
      OK (cuCtxPopCurrent_v2 (&popped));
      CHECK (popped == (i % 2 ? a : b));
    }
  OK (cuCtxSetCurrent (b));
  CHECK (current () == b);
  OK (cuCtxSetCurrent (NULL));
  CHECK (current () == NULL);
  OK (cuCtxSetCurrent (a));
  OK (cuCtxDestroy_v2 (a));
  CHECK (current () == NULL);
  GIVES (INVALID_CONTEXT, cuCtxPushCurrent_v2 (a));
  GIVES (INVALID_CONTEXT, cuCtxSetCurrent (a));
  GIVES (INVALID_CONTEXT, cuCtxDestroy_v2 (a));
  GIVES (INVALID_CONTEXT, cuCtxPushCurrent_v2 (NULL));
  GIVES (INVALID_CONTEXT, cuCtxPushCurrent_v2 ((CUcontext) &a));
  GIVES (INVALID_CONTEXT, cuCtxPushCurrent_v2 ((CUcontext) 0x10));
  OK (cuCtxDestroy_v2 (b));
}

/* Current to another thread when it is destroyed.  */
static pthread_barrier_t barrier;

static void *
other (void *context)
{
  CUdevice device;
  CUdeviceptr p;
  CHECK (current () == NULL);
  OK (cuCtxSetCurrent (context));
  OK (cuMemAlloc_v2 (&p, 64));
  pthread_barrier_wait (&barrier);
  pthread_barrier_wait (&barrier);
  CHECK (current () == context);
  GIVES (CONTEXT_IS_DESTROYED, cuCtxGetDevice (&device));
  GIVES (CONTEXT_IS_DESTROYED, cuMemFree_v2 (p));
  GIVES (CONTEXT_IS_DESTROYED, cuCtxSynchronize ());
  OK (cuCtxSetCurrent (NULL));
  return NULL;
}

static void
destroyed_elsewhere (void)
{
  pthread_t thread;
  size_t before, after, total;
  CUcontext context = start (0), second = start (0);
  OK (cuMemGetInfo_v2 (&before, &total));
  pthread_barrier_init (&barrier, NULL, 2);
  pthread_create (&thread, NULL, other, context);
  pthread_barrier_wait (&barrier);
  OK (cuMemGetInfo_v2 (&after, &total));
  CHECK (after < before);
  OK (cuCtxDestroy_v2 (context));
  pthread_barrier_wait (&barrier);
  pthread_join (thread, NULL);
  /* Its memory went with it.  */
  OK (cuMemGetInfo_v2 (&after, &total));
  CHECK_EQ (before, after);
  OK (cuCtxDestroy_v2 (second));
  OK (cuCtxPopCurrent_v2 (&context));
}

static void
primary (void)
{
  CUcontext a, b;
  unsigned flags;
  int active;
  GIVES (INVALID_CONTEXT, cuDevicePrimaryCtxRelease_v2 (1));
  GIVES (INVALID_DEVICE, cuDevicePrimaryCtxRetain (&a, 2));
  OK (cuDevicePrimaryCtxGetState (1, &flags, &active));
  CHECK_EQ (active, 0);
  OK (cuDevicePrimaryCtxSetFlags_v2 (1, CU_CTX_SCHED_SPIN));
  OK (cuDevicePrimaryCtxRetain (&a, 1));
  OK (cuDevicePrimaryCtxRetain (&b, 1));
  CHECK (a == b);
  CHECK (current () == NULL);
  OK (cuDevicePrimaryCtxGetState (1, &flags, &active));
  CHECK (active == 1 && flags == CU_CTX_SCHED_SPIN);
  GIVES (INVALID_CONTEXT, cuCtxDestroy_v2 (a));
  OK (cuDevicePrimaryCtxRelease_v2 (1));
  OK (cuCtxPushCurrent_v2 (a));
  OK (cuDevicePrimaryCtxRelease_v2 (1));
  GIVES (CONTEXT_IS_DESTROYED, cuCtxSynchronize ());
  OK (cuCtxPopCurrent_v2 (&b));
  OK (cuDevicePrimaryCtxReset_v2 (1));
}

static void
limits (void)
{
  CUcontext context = start (0);
  size_t value;
  int least, greatest;
  CUfunc_cache cache;
  OK (cuCtxGetLimit (&value, CU_LIMIT_STACK_SIZE));
  CHECK (value > 0);
  OK (cuCtxSetLimit (CU_LIMIT_MALLOC_HEAP_SIZE, 12345678));
  OK (cuCtxGetLimit (&value, CU_LIMIT_MALLOC_HEAP_SIZE));
  CHECK_EQ (value, 12345678);
  GIVES (INVALID_VALUE, cuCtxGetLimit (&value, 99));
  GIVES (INVALID_VALUE, cuCtxSetLimit (-1, 0));
  OK (cuCtxGetStreamPriorityRange (&least, &greatest));
  CHECK (least >= greatest);
  OK (cuCtxSetCacheConfig (CU_FUNC_CACHE_PREFER_EQUAL));
  OK (cuCtxGetCacheConfig (&cache));
  CHECK_EQ (cache, CU_FUNC_CACHE_PREFER_EQUAL);
  OK (cuCtxDestroy_v2 (context));
}

int
main (void)
{
  OK (cuInit (0));
  stack ();
  destroyed_elsewhere ();
  primary ();
  limits ();
  return 0;
}
