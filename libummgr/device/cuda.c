/* The CUDA driver's calls.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the driver's function table, the contexts it was told of, and the
   software counters.  Knows nothing of objects or policies.  */

#include "config.h"
#include "device/cuda.h"
#include "device/cuda-open.h"
#include "base/log.h"

#include <pthread.h>
#include <string.h>

/* CUdevice_attribute values (CUDA Driver API reference, 13.0).  */
#define ATTRIBUTE_CONCURRENT_MANAGED_ACCESS 89

struct device
{
  void *context;		/* Atomic; NULL: none.  */
  uint64_t h2d_bytes, d2h_bytes, d2d_bytes;	/* Atomic.  */
};

static struct ummgr_cuda_driver driver;
static const struct ummgr_sim_api *sim;
static struct device devices[UMMGR_CUDA_MAX_DEVICES];

/* Guards opening; OPENED is -1 until it was tried.  */
static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static int opened = -1;

bool
ummgr_cuda_open (const char *gpu)
{
  int state = __atomic_load_n (&opened, __ATOMIC_ACQUIRE);
  if (state >= 0)
    return state;
  pthread_mutex_lock (&open_lock);
  if (opened < 0)
    {
      struct ummgr_cuda_driver found;
      const struct ummgr_sim_api *found_sim = NULL;
      memset (&found, 0, sizeof found);
      bool ok = ummgr_cuda_resolve (gpu, &found, &found_sim);
      if (ok)
	{
	  driver = found;
	  sim = found_sim;
	}
      __atomic_store_n (&opened, ok, __ATOMIC_RELEASE);
    }
  pthread_mutex_unlock (&open_lock);
  return opened;
}

void
ummgr_cuda_use (const struct ummgr_cuda_driver *other,
		const struct ummgr_sim_api *other_sim)
{
  driver = *other;
  sim = other_sim;
  __atomic_store_n (&opened, 1, __ATOMIC_RELEASE);
}

const struct ummgr_sim_api *
ummgr_cuda_sim (void)
{
  return __atomic_load_n (&opened, __ATOMIC_ACQUIRE) == 1 ? sim : NULL;
}

static enum ummgr_status
failed (const char *call, CUresult r)
{
  const char *text = NULL;
  if (driver.cuGetErrorString)
    driver.cuGetErrorString (r, &text);
  ummgr_warn ("cuda: %s failed: %s (%d)", call, text ? text : "unknown", r);
  return UMMGR_ERR_DRIVER;
}

/* Make DEVICE's context current.  False if it has none (any more).  */
static bool
enter (int device)
{
  if (device < 0 || device >= UMMGR_CUDA_MAX_DEVICES)
    return false;
  void *context = __atomic_load_n (&devices[device].context, __ATOMIC_ACQUIRE);
  if (!context)
    return false;
  CUresult r = driver.cuCtxPushCurrent_v2 (context);
  if (r != CUDA_SUCCESS)
    {
      failed ("cuCtxPushCurrent_v2", r);
      return false;
    }
  return true;
}

static void
leave (void)
{
  CUcontext old;
  driver.cuCtxPopCurrent_v2 (&old);
}

/* The common shape: enter, call, leave.  */
#define CALL_ON(DEVICE, R, NAME, ...)                                         \
  do                                                                          \
    {                                                                         \
      if (!enter (DEVICE))                                                    \
	return UMMGR_ERR_NODEV;                                               \
      R = driver.NAME (__VA_ARGS__);                                          \
      leave ();                                                               \
    }                                                                         \
  while (0)

void *
ummgr_cuda_current_context (void)
{
  CUcontext context = NULL;
  if (driver.cuCtxGetCurrent (&context) != CUDA_SUCCESS)
    return NULL;
  return context;
}

void
ummgr_cuda_attach (int device, void *context)
{
  if (device >= 0 && device < UMMGR_CUDA_MAX_DEVICES)
    __atomic_store_n (&devices[device].context, context, __ATOMIC_RELEASE);
}

bool
ummgr_cuda_attached (int device)
{
  return device >= 0 && device < UMMGR_CUDA_MAX_DEVICES
    && __atomic_load_n (&devices[device].context, __ATOMIC_ACQUIRE);
}

/* Pinned memory: its host address, and by it the device's.  */
static CUresult
alloc_pinned (size_t size, uintptr_t *host_p, CUdeviceptr *address_p)
{
  void *host;
  CUresult r = driver.cuMemHostAlloc (&host, size, CU_MEMHOSTALLOC_PORTABLE
				      | CU_MEMHOSTALLOC_DEVICEMAP);
  if (r != CUDA_SUCCESS)
    return r;
  r = driver.cuMemHostGetDevicePointer_v2 (address_p, host, 0);
  if (r != CUDA_SUCCESS)
    driver.cuMemFreeHost (host);
  *host_p = (uintptr_t) host;
  return r;
}

enum ummgr_status
ummgr_cuda_alloc (int device, enum ummgr_cuda_kind kind, size_t size,
		  uintptr_t *host_p, uintptr_t *device_p)
{
  static const char *const calls[]
    = { "cuMemAlloc_v2", "cuMemAllocManaged", "cuMemHostAlloc" };
  CUdeviceptr address = 0;
  uintptr_t host = 0;
  CUresult r;
  if (!enter (device))
    return UMMGR_ERR_NODEV;
  switch (kind)
    {
    case UMMGR_CUDA_PLAIN:
      r = driver.cuMemAlloc_v2 (&address, size);
      break;
    case UMMGR_CUDA_MANAGED:
      r = driver.cuMemAllocManaged (&address, size, CU_MEM_ATTACH_GLOBAL);
      host = address;
      break;
    default:
      r = alloc_pinned (size, &host, &address);
    }
  leave ();
  if (r == CUDA_ERROR_OUT_OF_MEMORY)
    return UMMGR_ERR_DEVMEM;
  if (r != CUDA_SUCCESS)
    return failed (calls[kind], r);
  *host_p = host;
  *device_p = address;
  return UMMGR_OK;
}

enum ummgr_status
ummgr_cuda_free (int device, enum ummgr_cuda_kind kind, uintptr_t host,
		 uintptr_t address)
{
  CUresult r;
  if (kind == UMMGR_CUDA_PINNED)
    CALL_ON (device, r, cuMemFreeHost, (void *) host);
  else
    CALL_ON (device, r, cuMemFree_v2, address);
  return r == CUDA_SUCCESS ? UMMGR_OK
    : failed (kind == UMMGR_CUDA_PINNED ? "cuMemFreeHost" : "cuMemFree_v2", r);
}

static void
count (uint64_t *counter, size_t bytes)
{
  __atomic_fetch_add (counter, bytes, __ATOMIC_RELAXED);
}

enum ummgr_status
ummgr_cuda_copy_in (int device, uintptr_t dst, const void *src, size_t size)
{
  CUresult r;
  CALL_ON (device, r, cuMemcpyHtoD_v2, dst, src, size);
  if (r != CUDA_SUCCESS)
    return failed ("cuMemcpyHtoD_v2", r);
  count (&devices[device].h2d_bytes, size);
  return UMMGR_OK;
}

enum ummgr_status
ummgr_cuda_copy_out (int device, void *dst, uintptr_t src, size_t size)
{
  CUresult r;
  CALL_ON (device, r, cuMemcpyDtoH_v2, dst, src, size);
  if (r != CUDA_SUCCESS)
    return failed ("cuMemcpyDtoH_v2", r);
  count (&devices[device].d2h_bytes, size);
  return UMMGR_OK;
}

enum ummgr_status
ummgr_cuda_copy_within (int device, uintptr_t dst, uintptr_t src, size_t size)
{
  if (!enter (device))
    return UMMGR_ERR_NODEV;
  CUresult r = driver.cuMemcpyDtoD_v2 (dst, src, size);
  /* Device to device copies return before they are done.  */
  if (r == CUDA_SUCCESS)
    r = driver.cuCtxSynchronize ();
  leave ();
  if (r != CUDA_SUCCESS)
    return failed ("cuMemcpyDtoD_v2", r);
  count (&devices[device].d2d_bytes, size);
  return UMMGR_OK;
}

enum ummgr_status
ummgr_cuda_prefetch (int device, uintptr_t address, size_t size, bool to_host)
{
  CUresult r;
  if (!driver.cuMemPrefetchAsync)
    return UMMGR_ERR_UNSUPPORTED;
  CALL_ON (device, r, cuMemPrefetchAsync, address, size,
	   to_host ? CU_DEVICE_CPU : device, NULL);
  return r == CUDA_SUCCESS ? UMMGR_OK : failed ("cuMemPrefetchAsync", r);
}

enum ummgr_status
ummgr_cuda_keep_on_host (int device, uintptr_t address, size_t size, bool on)
{
  if (!driver.cuMemAdvise)
    return UMMGR_ERR_UNSUPPORTED;
  if (!enter (device))
    return UMMGR_ERR_NODEV;
  CUresult r
    = driver.cuMemAdvise (address, size,
			  on ? CU_MEM_ADVISE_SET_PREFERRED_LOCATION
			  : CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION,
			  CU_DEVICE_CPU);
  if (r == CUDA_SUCCESS)
    r = driver.cuMemAdvise (address, size,
			    on ? CU_MEM_ADVISE_SET_ACCESSED_BY
			    : CU_MEM_ADVISE_UNSET_ACCESSED_BY, device);
  leave ();
  return r == CUDA_SUCCESS ? UMMGR_OK : failed ("cuMemAdvise", r);
}

bool
ummgr_cuda_pages_on_demand (int device)
{
  int value = 0;
  return driver.cuMemPrefetchAsync && driver.cuMemAdvise
    && driver.cuDeviceGetAttribute (&value, ATTRIBUTE_CONCURRENT_MANAGED_ACCESS,
				    device) == CUDA_SUCCESS
    && value;
}

enum ummgr_status
ummgr_cuda_memory (int device, uint64_t *free_p, uint64_t *total_p)
{
  size_t free_bytes, total;
  CUresult r;
  CALL_ON (device, r, cuMemGetInfo_v2, &free_bytes, &total);
  if (r != CUDA_SUCCESS)
    return failed ("cuMemGetInfo_v2", r);
  *free_p = free_bytes;
  *total_p = total;
  return UMMGR_OK;
}

bool
ummgr_cuda_range (int device, uintptr_t address, uintptr_t *base_p,
		  size_t *size_p)
{
  CUdeviceptr base;
  size_t size;
  if (!enter (device))
    return false;
  CUresult r = driver.cuMemGetAddressRange_v2 (&base, &size, address);
  leave ();
  if (r != CUDA_SUCCESS)
    return false;
  *base_p = base;
  *size_p = size;
  return true;
}

void
ummgr_cuda_counters (int device, struct ummgr_counters *out)
{
  memset (out, 0, sizeof *out);
  if (device < 0 || device >= UMMGR_CUDA_MAX_DEVICES)
    return;
  if (sim && sim->device_counters (device, out))
    return;
  const struct device *d = &devices[device];
  out->h2d_bytes = __atomic_load_n (&d->h2d_bytes, __ATOMIC_RELAXED);
  out->d2h_bytes = __atomic_load_n (&d->d2h_bytes, __ATOMIC_RELAXED);
  out->d2d_bytes = __atomic_load_n (&d->d2d_bytes, __ATOMIC_RELAXED);
}

bool
ummgr_cuda_range_counters (uintptr_t address, struct ummgr_counters *out)
{
  return sim && sim->range_counters ((const void *) address, out);
}

bool
ummgr_cuda_range_extent (uintptr_t address, int device, uint64_t *lo,
			 uint64_t *hi)
{
  return sim && sim->range_extent
	 && sim->range_extent ((const void *) address, device, lo, hi);
}
