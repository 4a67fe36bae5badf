/* A driver and a libgomp in a few lines, for tests of the runtime: device
   memory is malloc's, associations are a list.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include "check.h"
#include "policy-given.h"
#include "device/cuda.h"
#include "fake-record.h"
#include "gomp/real.h"
#include "base/process.h"
#include "memory/manager.h"
#include "memory/plan.h"
#include "memory/storage.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static struct
{
  size_t plain_left;		/* Device memory for cuMemAlloc.  */
  bool paged;
  int allocations, frees, advice, prefetches, to_host, copies_in, copies_out;
  const char *failing;		/* A call that fails, by its name; or NULL.  */
  int spared;			/* So many of it first succeed, */
  int most;			/* and so many then fail.  */
  CUresult code;
  int failed;			/* Calls that have failed.  */
  int strays;			/* Associations ended that were none.  */
  struct { uintptr_t lo, hi; } prefetched[2]; /* The last but one, the last.  */
  size_t memory_left, memory;	/* What cuMemGetInfo says.  */
} fake = { .plain_left = SIZE_MAX, .paged = true };

struct fake_association { uintptr_t host, device; size_t size; int on; };
static struct fake_association fake_list[64];
static int fake_count;

/* From now on MOST calls of NAME, one of the driver's or of libgomp's, fail with
   CODE, after the first SPARED.  */
static inline void
fake_fail_some (const char *name, int spared, int most, CUresult code)
{
  fake.failing = name;
  fake.spared = spared;
  fake.most = most;
  fake.code = code;
  fake.failed = 0;
}

/* All of NAME's; NULL: none of any.  */
static inline void
fake_fail (const char *name, int spared, CUresult code)
{
  fake_fail_some (name, spared, INT_MAX, code);
}

static CUresult
fake_result (const char *name)
{
  if (!fake.failing || strcmp (fake.failing, name) != 0 || fake.spared-- > 0
      || fake.failed >= fake.most)
    return CUDA_SUCCESS;
  fake.failed++;
  return fake.code;
}

/* The call that this stands in fails if it is to.  */
#define FAKE_CALL(NAME)                                                       \
  do                                                                          \
    {                                                                         \
      CUresult fake_r = fake_result (#NAME);                                  \
      if (fake_r != CUDA_SUCCESS)                                             \
	return fake_r;                                                        \
    }                                                                         \
  while (0)

static CUresult fake_ok (void) { return CUDA_SUCCESS; }
static CUresult
fake_push (CUcontext context)
{
  FAKE_CALL (cuCtxPushCurrent_v2);
  return CUDA_SUCCESS;
}
static CUresult
fake_pop (CUcontext *context)
{
  FAKE_CALL (cuCtxPopCurrent_v2);
  return CUDA_SUCCESS;
}
/* Managed memory, of which alone the driver takes advice.  */
static struct fake_copy fake_pages[FAKE_COPIES];
static int fake_pages_count;
static bool
fake_is_managed (CUdeviceptr p, size_t size)
{
  for (int i = 0; i < fake_pages_count; i++)
    if (p - fake_pages[i].host < fake_pages[i].size
	&& p - fake_pages[i].host + size <= fake_pages[i].size)
      return size > 0;
  return false;
}
static CUresult
fake_take (void **p, size_t size)
{
  /* Aligned as the driver's.  */
  *p = aligned_alloc (256, (size + 255) & -256);
  if (!*p)
    return CUDA_ERROR_OUT_OF_MEMORY;
  memset (*p, 0, size);
  fake.allocations++;
  return CUDA_SUCCESS;
}
static CUresult
fake_alloc (CUdeviceptr *p, size_t size)
{
  FAKE_CALL (cuMemAlloc_v2);
  if (size > fake.plain_left)
    return CUDA_ERROR_OUT_OF_MEMORY;
  fake.plain_left -= fake.plain_left == SIZE_MAX ? 0 : size;
  return fake_take ((void **) p, size);
}
static CUresult
fake_managed (CUdeviceptr *p, size_t size, unsigned flags)
{
  FAKE_CALL (cuMemAllocManaged);
  CUresult r = fake_take ((void **) p, size);
  if (r == CUDA_SUCCESS)
    {
      CHECK (fake_pages_count < FAKE_COPIES);
      fake_pages[fake_pages_count++] = (struct fake_copy) { *p, *p, size, 0 };
    }
  return r;
}
static CUresult
fake_pinned (void **p, size_t size, unsigned flags)
{
  FAKE_CALL (cuMemHostAlloc);
  return fake_take (p, size);
}
static CUresult
fake_free (CUdeviceptr p)
{
  FAKE_CALL (cuMemFree_v2);
  fake_forgotten (p);
  for (int i = 0; i < fake_pages_count; i++)
    if (fake_pages[i].host == p)
      fake_pages[i--] = fake_pages[--fake_pages_count];
  fake.allocations--;
  fake.frees++;
  free ((void *) p);
  return CUDA_SUCCESS;
}
static CUresult
fake_free_host (void *p)
{
  FAKE_CALL (cuMemFreeHost);
  fake_forgotten ((uintptr_t) p);
  fake.allocations--;
  fake.frees++;
  free (p);
  return CUDA_SUCCESS;
}
static CUresult
fake_device_pointer (CUdeviceptr *p, void *host, unsigned flags)
{
  FAKE_CALL (cuMemHostGetDevicePointer_v2);
  *p = (CUdeviceptr) host;
  return CUDA_SUCCESS;
}
static CUresult
fake_in (CUdeviceptr to, const void *from, size_t size)
{
  FAKE_CALL (cuMemcpyHtoD_v2);
  fake.copies_in++;
  memcpy ((void *) to, from, size);
  return CUDA_SUCCESS;
}
static CUresult
fake_out (void *to, CUdeviceptr from, size_t size)
{
  FAKE_CALL (cuMemcpyDtoH_v2);
  fake.copies_out++;
  memcpy (to, (void *) from, size);
  return CUDA_SUCCESS;
}
static CUresult
fake_attribute (int *value, int attribute, CUdevice device)
{
  FAKE_CALL (cuDeviceGetAttribute);
  *value = attribute == CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS
	   ? fake.paged : 0;
  return CUDA_SUCCESS;
}
static CUresult
fake_prefetch (CUdeviceptr p, size_t size, CUdevice device, CUstream stream)
{
  FAKE_CALL (cuMemPrefetchAsync);
  CHECK (fake_is_managed (p, size));
  fake.prefetches++;
  fake.prefetched[0] = fake.prefetched[1];
  fake.prefetched[1].lo = p;
  fake.prefetched[1].hi = p + size;
  fake.to_host += device == CU_DEVICE_CPU;
  fake_ask (FAKE_PREFETCH, p, size,
	    device == CU_DEVICE_CPU ? UMMGR_TRACE_HOST : device, 0);
  return CUDA_SUCCESS;
}
static CUresult
fake_advise (CUdeviceptr p, size_t size, int advice, CUdevice device)
{
  CHECK (fake_is_managed (p, size));
  /* The first of two pieces of advice is the one that is told.  */
  bool first = advice == CU_MEM_ADVISE_SET_PREFERRED_LOCATION
    || advice == CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION;
  if (first && fake_copy_in (p, size))
    fake_ask (FAKE_ADVICE, p, size, UMMGR_TRACE_HOST, advice);
  else if (first)
    {
      CHECK (fake_shared_count < FAKE_COPIES);
      fake_shared[fake_shared_count].lo = p;
      fake_shared[fake_shared_count].hi = p + size;
      fake_shared[fake_shared_count++].advice = advice;
    }
  CUresult r = fake_result ("cuMemAdvise");
  if (r != CUDA_SUCCESS)
    {
      fake_asked.what = FAKE_NOTHING;
      return r;
    }
  fake.advice++;
  return CUDA_SUCCESS;
}

static CUresult
fake_memory (size_t *left, size_t *all)
{
  FAKE_CALL (cuMemGetInfo_v2);
  *left = fake.memory_left;
  *all = fake.memory;
  return CUDA_SUCCESS;
}

static struct fake_association *
fake_find_on (uintptr_t lo, uintptr_t hi, int device)
{
  for (int i = 0; i < fake_count; i++)
    if (fake_list[i].on == device && hi > fake_list[i].host
	&& lo < fake_list[i].host + fake_list[i].size)
      return &fake_list[i];
  return NULL;
}
static inline struct fake_association *
fake_find (uintptr_t lo, uintptr_t hi)
{
  return fake_find_on (lo, hi, 0);
}
static int
fake_is_present (const void *p, int device)
{
  return fake_find_on ((uintptr_t) p, (uintptr_t) p + 1, device) != NULL;
}
static int
fake_associate (const void *host, const void *address, size_t size,
		size_t offset, int device)
{
  FAKE_CALL (omp_target_associate_ptr);
  if (fake_find_on ((uintptr_t) host, (uintptr_t) host + size, device))
    return EINVAL;
  CHECK (fake_count < 64);
  fake_list[fake_count++] = (struct fake_association) {
    (uintptr_t) host, (uintptr_t) address + offset, size, device };
  return 0;
}
static int
fake_disassociate (const void *host, int device)
{
  FAKE_CALL (omp_target_disassociate_ptr);
  struct fake_association *a
    = fake_find_on ((uintptr_t) host, (uintptr_t) host + 1, device);
  if (!a || a->host != (uintptr_t) host)
    {
      fake.strays++;
      return EINVAL;
    }
  *a = fake_list[--fake_count];
  return 0;
}

/* libgomp with two devices, the driver with one context.  */
static int fake_devices (void) { return 2; }
static int fake_default (void) { return 1; }

/* A driver that tells MORE than CUDA.  */
static struct ummgr_cuda_driver fake_driver;
static inline void
fake_simulated (const struct ummgr_device_ops *more)
{
  ummgr_cuda_use (&fake_driver, more);
}

static void
fake_prepare (void)
{
  static const struct ummgr_real_calls calls = {
    .GOMP_target_ext = (void *) fake_ok,
    .omp_get_num_devices = fake_devices,
    .omp_get_default_device = fake_default,
    .omp_target_is_present = fake_is_present,
    .omp_target_associate_ptr = fake_associate,
    .omp_target_disassociate_ptr = fake_disassociate
  };
  static int context;
  fake_driver.cuCtxPushCurrent_v2 = fake_push;
  fake_driver.cuCtxPopCurrent_v2 = fake_pop;
  fake_driver.cuDeviceGetAttribute = fake_attribute;
  fake_driver.cuMemAlloc_v2 = fake_alloc;
  fake_driver.cuMemAllocManaged = fake_managed;
  fake_driver.cuMemHostAlloc = fake_pinned;
  fake_driver.cuMemFree_v2 = fake_free;
  fake_driver.cuMemFreeHost = fake_free_host;
  fake_driver.cuMemHostGetDevicePointer_v2 = fake_device_pointer;
  fake_driver.cuMemcpyHtoD_v2 = fake_in;
  fake_driver.cuMemcpyDtoH_v2 = fake_out;
  fake_driver.cuMemPrefetchAsync = fake_prefetch;
  fake_driver.cuMemAdvise = fake_advise;
  fake_driver.cuMemGetInfo_v2 = fake_memory;
  ummgr_cuda_use (&fake_driver, NULL);
  ummgr_cuda_attach (0, &context);
  ummgr_real_use (&calls);
  ummgr_process.options.min_size = 1;
}

/* A manager of device 0 under POLICY with BUDGET bytes.  */
static inline struct ummgr_manager *
fake_start (const char *policy, uint64_t budget)
{
  fake_prepare ();
  struct ummgr_policy_config config
    = policy_config (budget, "hybrid", UMMGR_PARTIAL_OFF, 0, 0);
  struct ummgr_manager *m
    = ummgr_manager_new (0, ummgr_policy_find (policy), &config);
  CHECK (m);
  m->executor.paged = fake.paged;
  return m;
}

static inline enum ummgr_status
fake_place (struct ummgr_object *o, size_t lo, size_t hi, enum ummgr_place place,
	    enum ummgr_transfer transfer)
{
  return ummgr_execute_place (&o->manager->executor, &o->view, 0, lo, hi, place,
			      transfer);
}

/* A mapped object of M, placed by its policy and known to libgomp.  */
static inline struct ummgr_object *
fake_object (struct ummgr_manager *m, void *base, size_t size)
{
  struct ummgr_object *o
    = ummgr_object_new ((uintptr_t) base, size, 0, UMMGR_PATH_MAPPED);
  o->manager = m;
  CHECK (ummgr_plan_map (o));
  CHECK_EQ (fake_associate (base, (void *) o->copy.address, size, 0, 0), 0);
  CHECK (ummgr_objects_insert (&m->placed, o->copy.address, o));
  return o;
}

static inline void
fake_drop (struct ummgr_object *o)
{
  ummgr_plan_unmap (o);
  CHECK_EQ (fake_disassociate ((void *) o->view.base, 0), 0);
  ummgr_objects_remove (&o->manager->placed, o->copy.address);
  ummgr_storage_destroy (o);
  ummgr_object_drop (o);
}
