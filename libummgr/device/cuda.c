/* The CUDA driver's calls.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the driver's function table, the contexts it was told of, and the
   software counters.  Knows nothing of objects or policies.  */

#include "config.h"
#include "device/cuda.h"
#include "device/attributes.h"
#include "device/cuda-measure.h"
#include "device/cuda-open.h"
#include "base/log.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

struct device
{
  struct ummgr_device base;
  void *context;		/* Atomic; NULL: none.  */
  uint64_t h2d_bytes, d2h_bytes, d2d_bytes;	/* Atomic.  */
  uint64_t tried, peers;	/* Atomic: bits of those that it was to reach, and does.  */
  CUstream beside[2][UMMGR_DEVICE_LANES]; /* For what comes in, and goes out, beside launches; atomic.  */
  CUstream ordered;		/* For what the stream NULL can't have, in order with that; atomic.  */
};

static struct ummgr_cuda_driver driver;
static const struct ummgr_device_ops cuda;
static struct ummgr_device_ops ops;	/* CUDA's, and maybe more.  */
/* The last stands for all that can't be.  */
static struct device devices[] = {
  [0 ... UMMGR_DEVICES_MAX] = { .base = { &cuda, -1 } }
};

/* Guards opening; OPENED is -1 until it was tried.  */
static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static int opened = -1;

static enum ummgr_status
failed (const char *call, CUresult r)
{
  const char *text = NULL;
  if (driver.cuGetErrorString)
    driver.cuGetErrorString (r, &text);
  ummgr_warn ("cuda: %s failed: %s (%d)", call, text ? text : "unknown", r);
  return UMMGR_ERR_DRIVER;
}

static bool
exists (int device)
{
  return device >= 0 && device < UMMGR_DEVICES_MAX;
}

/* Make DEVICE's context current.  False if it has none (any more).  */
static bool
enter (const struct ummgr_device *device)
{
  void *context = __atomic_load_n (&((const struct device *) device)->context,
				   __ATOMIC_ACQUIRE);
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
  if (!exists (device))
    return;
  /* Access goes with either context.  */
  for (int i = 0; i < UMMGR_DEVICES_MAX; i++)
    __atomic_fetch_and (&devices[i].tried, ~(UINT64_C (1) << device), __ATOMIC_RELAXED);
  __atomic_store_n (&devices[device].tried, 0, __ATOMIC_RELAXED);
  /* Those of the old one are gone with it.  */
  for (unsigned i = 0; i < 2 * UMMGR_DEVICE_LANES; i++)
    __atomic_store_n (&devices[device].beside[i / UMMGR_DEVICE_LANES][i % UMMGR_DEVICE_LANES], NULL,
		      __ATOMIC_RELAXED);
  __atomic_store_n (&devices[device].ordered, NULL, __ATOMIC_RELAXED);
  __atomic_store_n (&devices[device].context, context, __ATOMIC_RELEASE);
}

bool
ummgr_cuda_attached (int device)
{
  return exists (device)
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

static enum ummgr_status
cuda_alloc (struct ummgr_device *device, enum ummgr_device_memory kind,
	    size_t size, uintptr_t *host_p, uintptr_t *address_p)
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
    case UMMGR_DEVICE_PLAIN:
      r = driver.cuMemAlloc_v2 (&address, size);
      break;
    case UMMGR_DEVICE_MANAGED:
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
  *address_p = address;
  return UMMGR_OK;
}

static enum ummgr_status
cuda_free (struct ummgr_device *device, enum ummgr_device_memory kind,
	   uintptr_t host, uintptr_t address)
{
  CUresult r;
  if (kind == UMMGR_DEVICE_PINNED)
    CALL_ON (device, r, cuMemFreeHost, (void *) host);
  else
    CALL_ON (device, r, cuMemFree_v2, address);
  return r == CUDA_SUCCESS ? UMMGR_OK
    : failed (kind == UMMGR_DEVICE_PINNED ? "cuMemFreeHost" : "cuMemFree_v2", r);
}

static void
count (uint64_t *counter, size_t bytes)
{
  __atomic_fetch_add (counter, bytes, __ATOMIC_RELAXED);
}

static enum ummgr_status
copy_in (struct ummgr_device *device, uintptr_t dst, const void *src, size_t size)
{
  CUresult r;
  CALL_ON (device, r, cuMemcpyHtoD_v2, dst, src, size);
  if (r != CUDA_SUCCESS)
    return failed ("cuMemcpyHtoD_v2", r);
  count (&((struct device *) device)->h2d_bytes, size);
  return UMMGR_OK;
}

static enum ummgr_status
copy_out (struct ummgr_device *device, void *dst, uintptr_t src, size_t size)
{
  CUresult r;
  CALL_ON (device, r, cuMemcpyDtoH_v2, dst, src, size);
  if (r != CUDA_SUCCESS)
    return failed ("cuMemcpyDtoH_v2", r);
  count (&((struct device *) device)->d2h_bytes, size);
  return UMMGR_OK;
}

static void *
context_of (const struct ummgr_device *device)
{
  return __atomic_load_n (&((const struct device *) device)->context, __ATOMIC_ACQUIRE);
}

bool
ummgr_cuda_enter (int device)
{
  struct ummgr_device *d = ummgr_device_of (device);
  void *context = exists (device) ? context_of (d) : NULL;
  return context && context != ummgr_cuda_current_context () && enter (d);
}

void
ummgr_cuda_leave (void)
{
  leave ();
}

/* Have DEVICE reach PEER's memory, which is tried once.  */
static bool
reach (struct ummgr_device *device, struct ummgr_device *peer)
{
  struct device *d = (struct device *) device;
  uint64_t bit = UINT64_C (1) << peer->number;
  void *context = context_of (peer);
  if (!context || !driver.cuCtxEnablePeerAccess)
    return false;
  if (__atomic_fetch_or (&d->tried, bit, __ATOMIC_RELAXED) & bit)
    return __atomic_load_n (&d->peers, __ATOMIC_RELAXED) & bit;
  if (!enter (device))
    return false;
  CUresult r = driver.cuCtxEnablePeerAccess (context, 0);
  leave ();
  bool can = r == CUDA_SUCCESS || r == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
  if (can)
    __atomic_fetch_or (&d->peers, bit, __ATOMIC_RELAXED);
  else
    ummgr_info ("cuda: device %d has no access to device %d (%d); what goes between them goes"
		" through the host", device->number, peer->number, r);
  return can;
}

static enum ummgr_status
copy_peer (struct ummgr_device *to, uintptr_t dst, struct ummgr_device *from,
	   uintptr_t src, size_t size)
{
  CUresult r;
  if (!driver.cuMemcpyPeer || !driver.cuCtxSynchronize)
    return UMMGR_ERR_UNSUPPORTED;
  if (to != from)
    {
      reach (to, from);
      reach (from, to);
    }
  void *to_context = context_of (to), *from_context = context_of (from);
  if (!to_context || !from_context)
    return UMMGR_ERR_NODEV;
  CALL_ON (to, r, cuMemcpyPeer, dst, to_context, src, from_context, size);
  if (r != CUDA_SUCCESS)
    return failed ("cuMemcpyPeer", r);
  /* It is in order with all that either device has, but not done on return.  */
  CALL_ON (to, r, cuCtxSynchronize, );
  if (r != CUDA_SUCCESS)
    return failed ("cuCtxSynchronize", r);
  if (to != from)
    count (&((struct device *) to)->d2d_bytes, size);
  return UMMGR_OK;
}

/* The stream *AT, which is made with FLAGS when there is none; its context is current.  */
static CUresult
stream_get (CUstream *at, unsigned flags, CUstream *out)
{
  CUstream none = NULL;
  *out = __atomic_load_n (at, __ATOMIC_ACQUIRE);
  if (*out)
    return CUDA_SUCCESS;
  CUresult r = driver.cuStreamCreate (out, flags);
  /* Another thread was before.  */
  if (r == CUDA_SUCCESS
      && !__atomic_compare_exchange_n (at, &none, *out, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    {
      driver.cuStreamDestroy_v2 (*out);
      *out = none;
    }
  return r;
}

/* The stream of LANE in that direction; its context is current.  */
static CUresult
beside_get (struct device *device, bool to_host, unsigned lane, CUstream *out)
{
  return stream_get (&device->beside[to_host][lane], CU_STREAM_NON_BLOCKING, out);
}

/* BESIDE: on the stream of LANE in that direction, else behind all that was launched.  */
static enum ummgr_status
prefetch_on (struct ummgr_device *device, uintptr_t address, size_t size, bool to_host,
	     bool beside, unsigned lane)
{
  CUstream stream = NULL;
  if (!driver.cuMemPrefetchAsync)
    return UMMGR_ERR_UNSUPPORTED;
  if (!enter (device))
    return UMMGR_ERR_NODEV;
  CUresult r
    = beside ? beside_get ((struct device *) device, to_host, lane, &stream) : CUDA_SUCCESS;
  if (r == CUDA_SUCCESS)
    r = driver.cuMemPrefetchAsync (address, size, to_host ? CU_DEVICE_CPU : device->number,
				   stream);
  leave ();
  return r == CUDA_SUCCESS ? UMMGR_OK : failed ("cuMemPrefetchAsync", r);
}

static enum ummgr_status
prefetch (struct ummgr_device *device, uintptr_t address, size_t size, bool to_host)
{
  return prefetch_on (device, address, size, to_host, false, 0);
}

/* The stream must not be NULL (cuda.h of CUDA 13.0), and what comes next on others must not be beside it: it is behind
   all that was asked for before, and over on return.  Nothing is said there of ranges that aren't whole pages.  */
static enum ummgr_status
discard (struct ummgr_device *device, uintptr_t address, size_t size)
{
  static bool unable;		/* Atomic.  */
  const uintptr_t page = sysconf (_SC_PAGESIZE);
  CUdeviceptr first = (address + page - 1) & -page;
  uintptr_t end = (address + size) & -page;
  CUstream stream;
  if (!driver.cuMemDiscardBatchAsync || !driver.cuStreamCreate || !driver.cuStreamSynchronize
      || __atomic_load_n (&unable, __ATOMIC_RELAXED))
    return UMMGR_ERR_UNSUPPORTED;
  if (first >= end)
    return UMMGR_OK;
  size_t bytes = end - first;
  if (!enter (device))
    return UMMGR_ERR_NODEV;
  CUresult r = stream_get (&((struct device *) device)->ordered, CU_STREAM_DEFAULT, &stream);
  if (r == CUDA_SUCCESS)
    r = driver.cuMemDiscardBatchAsync (&first, &bytes, 1, 0, stream);
  if (r == CUDA_SUCCESS)
    r = driver.cuStreamSynchronize (stream);
  leave ();
  if (r == CUDA_SUCCESS)
    return UMMGR_OK;
  /* Nobody needs it: what is of no use is moved then.  */
  if (!__atomic_exchange_n (&unable, true, __ATOMIC_RELAXED) && r != CUDA_ERROR_NOT_SUPPORTED)
    failed ("cuMemDiscardBatchAsync", r);
  return UMMGR_ERR_UNSUPPORTED;
}

static enum ummgr_status
prefetch_beside (struct ummgr_device *device, uintptr_t address, size_t size, bool to_host, unsigned lane)
{
  if (!driver.cuStreamCreate || !driver.cuStreamSynchronize)
    return UMMGR_ERR_UNSUPPORTED;
  return prefetch_on (device, address, size, to_host, true, lane);
}

static enum ummgr_status
copy_beside (struct ummgr_device *device, uintptr_t to, uintptr_t from, size_t size, bool out, bool within,
	     unsigned lane)
{
  struct device *d = (struct device *) device;
  CUstream stream;
  if (!driver.cuStreamCreate || !driver.cuStreamSynchronize || !driver.cuMemcpyHtoDAsync_v2
      || !driver.cuMemcpyDtoHAsync_v2 || (within && !driver.cuMemcpyDtoDAsync_v2))
    return UMMGR_ERR_UNSUPPORTED;
  if (!enter (device))
    return UMMGR_ERR_NODEV;
  CUresult r = beside_get (d, out, lane, &stream);
  if (r == CUDA_SUCCESS)
    r = within ? driver.cuMemcpyDtoDAsync_v2 (to, from, size, stream)
      : out ? driver.cuMemcpyDtoHAsync_v2 ((void *) to, from, size, stream)
	    : driver.cuMemcpyHtoDAsync_v2 (to, (const void *) from, size, stream);
  leave ();
  if (r != CUDA_SUCCESS)
    return failed (within ? "cuMemcpyDtoDAsync_v2" : out ? "cuMemcpyDtoHAsync_v2" : "cuMemcpyHtoDAsync_v2", r);
  if (!within)
    count (out ? &d->d2h_bytes : &d->h2d_bytes, size);
  return UMMGR_OK;
}

static enum ummgr_status
copied (struct ummgr_device *device, bool out, unsigned lane)
{
  CUstream stream = __atomic_load_n (&((struct device *) device)->beside[out][lane], __ATOMIC_ACQUIRE);
  if (!stream)
    return UMMGR_OK;
  if (!enter (device))
    return UMMGR_ERR_NODEV;
  CUresult r = driver.cuStreamSynchronize (stream);
  leave ();
  return r == CUDA_SUCCESS ? UMMGR_OK : failed ("cuStreamSynchronize", r);
}

static enum ummgr_status
settle (struct ummgr_device *device)
{
  enum ummgr_status in = copied (device, false, 0), out = copied (device, true, 0);
  return in != UMMGR_OK ? in : out;
}

static enum ummgr_status
keep_on_host (struct ummgr_device *device, uintptr_t address, size_t size, bool on)
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
			    : CU_MEM_ADVISE_UNSET_ACCESSED_BY, device->number);
  leave ();
  return r == CUDA_SUCCESS ? UMMGR_OK : failed ("cuMemAdvise", r);
}

static enum ummgr_status
cuda_advise (struct ummgr_device *device, uintptr_t address, size_t size,
	     enum ummgr_device_advice advice, bool on)
{
  static const int set[] = { CU_MEM_ADVISE_SET_READ_MOSTLY,
			     CU_MEM_ADVISE_SET_PREFERRED_LOCATION,
			     CU_MEM_ADVISE_SET_ACCESSED_BY };
  static const int unset[] = { CU_MEM_ADVISE_UNSET_READ_MOSTLY,
			       CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION,
			       CU_MEM_ADVISE_UNSET_ACCESSED_BY };
  CUresult r;
  if (!driver.cuMemAdvise)
    return UMMGR_ERR_UNSUPPORTED;
  CALL_ON (device, r, cuMemAdvise, address, size, on ? set[advice] : unset[advice],
	   device->number);
  return r == CUDA_SUCCESS ? UMMGR_OK : failed ("cuMemAdvise", r);
}

static bool
pages_on_demand (struct ummgr_device *device)
{
  int value = 0;
  return driver.cuMemPrefetchAsync && driver.cuMemAdvise
    && driver.cuDeviceGetAttribute (&value,
				    CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS,
				    device->number) == CUDA_SUCCESS
    && value;
}

static enum ummgr_status
memory (struct ummgr_device *device, uint64_t *free_p, uint64_t *total_p)
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

static bool
range (struct ummgr_device *device, uintptr_t address, uintptr_t *base_p,
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

static bool
counters (struct ummgr_device *device, struct ummgr_counters *out)
{
  const struct device *d = (const struct device *) device;
  memset (out, 0, sizeof *out);
  out->h2d_bytes = __atomic_load_n (&d->h2d_bytes, __ATOMIC_RELAXED);
  out->d2h_bytes = __atomic_load_n (&d->d2h_bytes, __ATOMIC_RELAXED);
  out->d2d_bytes = __atomic_load_n (&d->d2d_bytes, __ATOMIC_RELAXED);
  return false;
}

static bool
figures (struct ummgr_device *device, struct ummgr_figures *out)
{
  return ummgr_attributes_figures (&driver, device->number,
				   "/sys/bus/pci/devices", out);
}

static bool
pci (struct ummgr_device *device, char *id, size_t size)
{
  return ummgr_attributes_pci (&driver, device->number, id, size);
}

static bool
identity (struct ummgr_device *device, char *id, size_t size)
{
  return ummgr_attributes_identity (&driver, device->number, id, size);
}

static bool
device_link (struct ummgr_device *device, struct ummgr_device *other,
	     struct ummgr_device_link *out)
{
  return ummgr_attributes_link (&driver, device->number, other->number, out);
}

/* --- opening --------------------------------------------------------------- */

/* What CUDA has a call for, and nothing that is simulated does by itself.  */
#define CUDA_SLOTS(SLOT)                                                      \
  SLOT (alloc, cuda_alloc)                                                    \
  SLOT (free, cuda_free)                                                      \
  SLOT (copy_in, copy_in)                                                     \
  SLOT (copy_out, copy_out)                                                   \
  SLOT (copy_peer, copy_peer)                                                 \
  SLOT (prefetch, prefetch)                                                   \
  SLOT (prefetch_beside, prefetch_beside)                                     \
  SLOT (settle, settle)                                                       \
  SLOT (copy_beside, copy_beside)                                             \
  SLOT (copied, copied)                                                       \
  SLOT (discard, discard)                                                     \
  SLOT (keep_on_host, keep_on_host)                                           \
  SLOT (advise, cuda_advise)                                                  \
  SLOT (reach, reach)                                                         \
  SLOT (pages_on_demand, pages_on_demand)                                     \
  SLOT (memory, memory)                                                       \
  SLOT (range, range)

static const struct ummgr_device_ops cuda = {
  .name = "cuda",
#define SLOT(NAME, FUNCTION) .NAME = FUNCTION,
  CUDA_SLOTS (SLOT)
#undef SLOT
  .counters = counters,
  .figures = figures,
  .pci = pci,
  .identity = identity,
  .link = device_link
};

static void
take (const struct ummgr_cuda_driver *found,
      const struct ummgr_device_ops *more)
{
  driver = *found;
  ops = more ? *more : cuda;
#define SLOT(NAME, FUNCTION) ops.NAME = FUNCTION;
  CUDA_SLOTS (SLOT)
#undef SLOT
  if (!ops.counters)
    ops.counters = counters;
  if (!ops.figures)
    ops.figures = figures;
  ops.measure = ummgr_cuda_measure (found);
  for (int i = 0; i <= UMMGR_DEVICES_MAX; i++)
    devices[i].base = (struct ummgr_device) { &ops, i };
}

bool
ummgr_cuda_open (const char *gpu)
{
  int state = __atomic_load_n (&opened, __ATOMIC_ACQUIRE);
  if (state >= 0)
    return state;
  pthread_mutex_lock (&open_lock);
  if (opened < 0)
    {
      struct ummgr_cuda_driver found = { 0 };
      const struct ummgr_device_ops *more = NULL;
      bool ok = ummgr_cuda_resolve (gpu, &found, &more);
      if (ok)
	take (&found, more);
      __atomic_store_n (&opened, ok, __ATOMIC_RELEASE);
    }
  pthread_mutex_unlock (&open_lock);
  return opened;
}

void
ummgr_cuda_use (const struct ummgr_cuda_driver *other,
		const struct ummgr_device_ops *more)
{
  take (other, more);
  __atomic_store_n (&opened, 1, __ATOMIC_RELEASE);
}

struct ummgr_device *
ummgr_device_of (int number)
{
  return &devices[exists (number) ? number : UMMGR_DEVICES_MAX].base;
}

const struct ummgr_device_ops *
ummgr_device_ops (void)
{
  static const struct ummgr_device_ops none;
  return __atomic_load_n (&opened, __ATOMIC_ACQUIRE) == 1 ? &ops : &none;
}

void
ummgr_device_counters (int number,
		       void (*plugin) (int, struct ummgr_counters *),
		       struct ummgr_counters *out)
{
  static const struct ummgr_counters none;
  struct ummgr_device *device = ummgr_device_of (number);
  struct ummgr_counters more;
  if (device->ops->counters (device, out) || !plugin)
    return;
  plugin (number, &more);
  ummgr_counters_add_delta (out, &more, &none);
}

/* A sector is what UMMGR_GPU_SECTOR (gpu/gpu.h) says.  */
struct ummgr_remote
ummgr_device_remote (struct ummgr_device *device)
{
  struct ummgr_figures f = ummgr_device_figures (device);
  const char *fidelity = device->ops->fidelity ? device->ops->fidelity () : "access";
  if (strcmp (fidelity, "touch") == 0)
    return (struct ummgr_remote) { .grain = 4096, .ways = ummgr_figures_ways (&f) };
  return (struct ummgr_remote) {
    .grain = 32, .threads = ummgr_figures_threads (&f), .waited = f.remote_rate * f.remote_latency,
    .cache = f.cache_bytes, .ways = ummgr_figures_ways (&f)
  };
}

struct ummgr_figures
ummgr_device_figures (struct ummgr_device *device)
{
  static const struct ummgr_figures untold = UMMGR_FIGURES_UNTOLD;
  struct ummgr_figures found = untold;
  if (device->ops->figures && device->ops->figures (device, &found))
    return found;
  return untold;
}
