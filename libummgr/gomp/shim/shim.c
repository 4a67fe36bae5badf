/* The shim in front of libgomp's nvptx plugin: what it takes a look at.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Has the plugin's soname, so libgomp loads it in its place; opens the real
   one and passes everything on.  On the way it learns each device's CUDA
   context, counts what libgomp copies, keeps plain allocations within
   --device-mem on a real GPU, and makes copies of memory onto itself (unified
   data) the no-ops that they are.

   Owns the devices' counters and contexts.  Called under libgomp's lock of
   the device, but for run.  Decides nothing about placement while libummgr is
   in the process; what it can and can't do without, gomp/shim/alone.c says.  */

#include "config.h"
#include "gomp/shim/shim.h"
#include "device/cuda.h"
#include "gomp/abi.h"
#include "base/log.h"
#include "base/output.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__ ((visibility ("default")))

/* The prototypes of the plugin interface.  */
#define ENTRY(RETURN, NAME, ARGS) EXPORT RETURN GOMP_OFFLOAD_##NAME ARGS;
UMMGR_SHIM_WRAPPED (ENTRY)
#undef ENTRY

/* Blocks of so many bytes at most, and so many of them, that libgomp has freed stay allocated for
   its next.  It has one for the arguments of each launch, and cuMemFree waits for all that the
   device is doing: for copies beside launches, too.  */
enum { KEPT_SIZE = 4096, KEPT = 8 };

struct kept
{
  void *address;		/* NULL: none.  */
  size_t size;
};

/* The variable of an image with what omp_get_device_num and its like answer.  */
struct icvs
{
  const void *image;		/* NULL: none is known.  */
  uintptr_t address;
  size_t size;
};

struct device
{
  struct icvs icvs;		/* Of the first image that has one.  Under libgomp's lock.  */
  struct kept kept[KEPT];	/* Under libgomp's lock.  */
  void *context;		/* Atomic.  */
  /* Atomic.  */
  uint64_t h2d_bytes, d2h_bytes, copies, launches;
  uint64_t allocated;		/* Plain bytes; written under libgomp's lock,
				   read anywhere: atomic.  */
  int inside;			/* Threads in the plugin; atomic.  */
  bool closing;			/* By libgomp, at exit; atomic.  */
};

static struct device devices[UMMGR_DEVICES_MAX];
static struct ummgr_options options;
static const struct ummgr_shim_client *client;
static bool loaded;
/* An interface version that we don't know: pass on, and touch nothing.  */
static bool pass_on;
static int device_count = -1;
/* This is the child of a process that had devices.  */
static bool forked;
/* This thread is in the plugin, with libgomp's lock of a device.  */
static __thread bool under_lock;

static struct device *
device_of (int ordinal)
{
  return ordinal >= 0 && ordinal < UMMGR_DEVICES_MAX ? &devices[ordinal]
    : NULL;
}

static void
count (uint64_t *counter, uint64_t n)
{
  __atomic_fetch_add (counter, n, __ATOMIC_RELAXED);
}

/* Is this the recorder's own affair?  */
static bool
is_own (void)
{
  return client && client->own ();
}

static uint64_t
allocated_on (const struct device *d)
{
  return __atomic_load_n (&d->allocated, __ATOMIC_RELAXED);
}

/* SIZE bytes were copied to ADDRESS of device ORDINAL, D, IN, or from there.  */
static void
count_copy (int ordinal, struct device *d, const void *address, size_t size, bool in)
{
  if (!d || is_own ())
    return;
  count (in ? &d->h2d_bytes : &d->d2h_bytes, size);
  count (&d->copies, 1);
  if (client && !pass_on)
    client->copied (ordinal, (uintptr_t) address, size, in);
}

/* Does libummgr write a trace?  */
static bool
tracing (void)
{
  return client && __atomic_load_n (client->tracing, __ATOMIC_RELAXED)
    && !pass_on;
}

/* Does libummgr check what the program does?  */
static bool
checking (void)
{
  return client && client->checking && !pass_on
    && __atomic_load_n (client->checking, __ATOMIC_RELAXED) && !is_own ();
}

static void
after_fork (void)
{
  forked = true;
}

/* libgomp's first call.  */
unsigned
GOMP_OFFLOAD_version (void)
{
  if (!loaded)
    {
      ummgr_log_init ();
      if (!client
	  && ummgr_options_from_environment (&options) != UMMGR_OK)
	options.policy = "explicit";
      if (!client)
	ummgr_output_resolve (&options, &options, false);
      ummgr_cuda_choose (options.gpu);
      loaded = ummgr_shim_load (&options);
      pthread_atfork (NULL, NULL, after_fork);
    }
  if (!loaded)
    return ummgr_shim_libgomp_version ();
  unsigned version = ummgr_shim_plugin.version ();
  if (version > UMMGR_GOMP_VERSION_KNOWN)
    {
      ummgr_warn ("shim: libgomp's plugin interface %u is unknown (known: up "
		  "to %u); ummgr only passes it on", version,
		  UMMGR_GOMP_VERSION_KNOWN);
      pass_on = true;
    }
  return version;
}

int
GOMP_OFFLOAD_get_num_devices (unsigned requires_mask)
{
  if (!loaded)
    return 0;
  int n = ummgr_shim_plugin.get_num_devices (requires_mask);
  if (n > 0 && !pass_on)
    {
      device_count = n;
      ummgr_cuda_open (options.gpu);
      if (!client)
	ummgr_shim_alone_start (&options, n);
    }
  return n;
}

/* The plugin ends the program where a call of the driver fails, under libgomp's
   lock of the device in some cases, for which libgomp's exit handler then waits
   for ever.  This one comes before it.  What the program has to do at its exit and
   registered before it used a device is then lost, as at an abort.  */
static void
at_exit (void)
{
  if (under_lock)
    {
      fflush (NULL);
      _exit (EXIT_FAILURE);
    }
  if (client && !forked && !pass_on)
    client->exiting ();
}

/* Registered after libgomp's own: that is there when it has found devices.  */
static void
watch_exit (void)
{
  static bool watching;
  if (!__atomic_exchange_n (&watching, true, __ATOMIC_ACQ_REL))
    atexit (at_exit);
}

bool
GOMP_OFFLOAD_init_device (int ordinal)
{
  struct device *d = device_of (ordinal);
  watch_exit ();
  under_lock = true;
  bool ok = ummgr_shim_plugin.init_device (ordinal);
  under_lock = false;
  if (ok && d && !pass_on && ummgr_cuda_open (options.gpu))
    {
      /* The plugin leaves its context current on this thread.  */
      void *context = ummgr_cuda_current_context ();
      ummgr_cuda_attach (ordinal, context);
      __atomic_store_n (&d->context, context, __ATOMIC_RELEASE);
    }
  return ok;
}

/* A thread is about to use D through libgomp.  libgomp closes its devices at
   exit whatever other threads do with them, and its plugin would then use
   what it has freed.  So the plugin is left alone by fini_device while a
   thread is inside, and a thread that comes later waits for the process to
   end.  Sequentially consistent: of an enter and a close at the same time, one
   at least sees the other.  */
static void
device_enter (struct device *d)
{
  if (!d)
    return;
  __atomic_fetch_add (&d->inside, 1, __ATOMIC_SEQ_CST);
  if (__builtin_expect (__atomic_load_n (&d->closing, __ATOMIC_SEQ_CST), 0)
      && !forked)
    for (;;)
      pause ();
}

static void
device_leave (struct device *d)
{
  if (d)
    __atomic_fetch_sub (&d->inside, 1, __ATOMIC_RELEASE);
}

/* Has libgomp any device open?  */
static bool
any_open (void)
{
  for (int i = 0; i < UMMGR_DEVICES_MAX; i++)
    if (__atomic_load_n (&devices[i].context, __ATOMIC_ACQUIRE))
      return true;
  return false;
}

bool
GOMP_OFFLOAD_fini_device (int ordinal)
{
  struct device *d = device_of (ordinal);
  /* The device is the parent's.  Asking the driver would end the child's exit
     with an error.  */
  if (forked && d && d->context)
    return true;
  bool keep = false;
  if (d && d->context)
    {
      if (client)
	keep = client->device_closing (ordinal);
      ummgr_cuda_attach (ordinal, NULL);
      memset (d->kept, 0, sizeof d->kept);
      d->icvs.image = NULL;
      __atomic_store_n (&d->context, NULL, __ATOMIC_RELEASE);
      if (client && !any_open ())
	client->closed ();
    }
  if (d)
    {
      __atomic_store_n (&d->closing, true, __ATOMIC_SEQ_CST);
      if (keep || __atomic_load_n (&d->inside, __ATOMIC_SEQ_CST) > 0)
	return true;
    }
  return ummgr_shim_plugin.fini_device (ordinal);
}

/* What mkoffload has of an image, up to the members used here (libgomp/plugin/plugin-nvptx.c,
   nvptx_tdata).  */
struct image_data
{
  const void *objects;
  unsigned object_count;
  const void *variables;
  unsigned variable_count;
  const void *functions;
  unsigned function_count;
};

/* The last of the COUNT pairs in TABLE may be the image's variable of that kind.  libgomp 13 and later enter its
   host side for each image that has one, always the same, and end the program at the second: "Duplicate node"
   (gomp_load_image_to_device in libgomp/target.c).  So of all images but the first it gets none, and they have what
   the first one's has.  */
static void
icvs_once (int ordinal, const struct image_data *image, uintptr_t (*table)[2], int count)
{
  struct device *d = device_of (ordinal);
  uintptr_t *last = table[count - 1];
  if (!d || (unsigned) count <= image->function_count + image->variable_count || !last[0])
    return;
  if (!d->icvs.image)
    {
      d->icvs = (struct icvs) { image, last[0], last[1] - last[0] };
      return;
    }
  if (last[1] - last[0] == d->icvs.size)
    ummgr_shim_plugin.dev2dev (ordinal, (void *) last[0], (void *) d->icvs.address, d->icvs.size);
  last[0] = last[1] = 0;
}

bool
GOMP_OFFLOAD_unload_image (int ordinal, unsigned version, const void *data)
{
  struct device *d = device_of (ordinal);
  if (d && d->icvs.image == data)
    d->icvs.image = NULL;
  return ummgr_shim_plugin.unload_image (ordinal, version, data);
}

int
GOMP_OFFLOAD_load_image (int ordinal, unsigned version, const void *data,
			 void *targets, void *reverse, void *indirect)
{
  under_lock = true;
  int n = ummgr_shim_plugin.load_image (ordinal, version, data, targets, reverse,
					indirect);
  under_lock = false;
  if (n > 0 && !pass_on)
    icvs_once (ordinal, data, *(uintptr_t (**)[2]) targets, n);
  if (n > 0 && client && !pass_on)
    client->loaded (ordinal, data, *(const uintptr_t (**)[2]) targets, n);
  return n;
}

/* A real GPU has more than --device-mem, and the limit is kept here, as the driver
   would: by refusing.  */
static bool
within_budget (struct device *d, size_t size)
{
  return !options.device_mem || ummgr_device_ops ()->limited
    || allocated_on (d) + size <= options.device_mem;
}

/* One that has room for SIZE bytes, and little more; or NULL.  */
static void *
kept_take (struct device *d, size_t size)
{
  for (unsigned i = 0; i < KEPT; i++)
    {
      struct kept *k = &d->kept[i];
      if (!k->address || k->size < size || k->size - size > KEPT_SIZE / 8)
	continue;
      void *address = k->address;
      count (&d->allocated, k->size);
      k->address = NULL;
      return address;
    }
  return NULL;
}

static bool
kept_put (struct device *d, void *address, size_t size)
{
  for (unsigned i = 0; size <= KEPT_SIZE && i < KEPT; i++)
    if (!d->kept[i].address)
      {
	d->kept[i] = (struct kept) { address, size };
	return true;
      }
  return false;
}

/* --- memory that is lent to libgomp ------------------------------------------ */

struct loan
{
  struct loan *next;
  int ordinal;
  uint64_t address;
};

static pthread_mutex_t lending = PTHREAD_MUTEX_INITIALIZER;
static struct loan *loans;
/* What the thread's next allocation is.  */
static __thread struct loan *offered;

static void
lend (int ordinal, uint64_t address)
{
  free (offered);
  offered = address ? calloc (1, sizeof *offered) : NULL;
  if (offered)
    *offered = (struct loan) { .ordinal = ordinal, .address = address };
}

static bool
lent (int ordinal, uint64_t address)
{
  pthread_mutex_lock (&lending);
  const struct loan *loan = loans;
  while (loan && (loan->ordinal != ordinal || loan->address != address))
    loan = loan->next;
  pthread_mutex_unlock (&lending);
  return loan;
}

/* What is offered to libgomp on ORDINAL; NULL: nothing.  */
static void *
loan_take (int ordinal)
{
  struct loan *loan = offered;
  if (!loan || loan->ordinal != ordinal)
    return NULL;
  offered = NULL;
  pthread_mutex_lock (&lending);
  loan->next = loans;
  loans = loan;
  pthread_mutex_unlock (&lending);
  return (void *) (uintptr_t) loan->address;
}

/* libgomp gives ADDRESS back; false if that was no loan.  */
static bool
loan_return (int ordinal, const void *address)
{
  pthread_mutex_lock (&lending);
  struct loan **link = &loans, *loan;
  while ((loan = *link) && (loan->ordinal != ordinal || loan->address != (uintptr_t) address))
    link = &loan->next;
  if (loan)
    *link = loan->next;
  pthread_mutex_unlock (&lending);
  free (loan);
  return loan;
}

static void
refuse (int ordinal, size_t size)
{
  if (client)
    client->refused (ordinal, size);
}

void *
GOMP_OFFLOAD_alloc (int ordinal, size_t size)
{
  struct device *d = device_of (ordinal);
  if (!d || pass_on)
    return ummgr_shim_plugin.alloc (ordinal, size);
  void *loan = loan_take (ordinal);
  if (loan)
    return loan;
  if (!client)
    {
      void *p = ummgr_shim_alone_alloc (ordinal, size);
      if (p)
	return p;
    }
  bool own = is_own ();
  if (!own && !within_budget (d, size))
    {
      ummgr_info ("shim: %zu bytes more than --device-mem allows are refused",
		  size);
      refuse (ordinal, size);
      return NULL;
    }
  bool checked = checking ();
  void *address = own || checked ? NULL : kept_take (d, size);
  if (address)
    return address;
  device_enter (d);
  under_lock = true;
  address = checked ? ummgr_shim_guard_alloc (client, ordinal, size)
    : ummgr_shim_plugin.alloc (ordinal, size);
  under_lock = false;
  device_leave (d);
  if (address && !own)
    count (&d->allocated, size);
  else if (!address)
    refuse (ordinal, size);
  return address;
}

bool
GOMP_OFFLOAD_free (int ordinal, void *address)
{
  struct device *d = device_of (ordinal);
  uintptr_t base;
  size_t size;
  if (loan_return (ordinal, address))
    return true;
  if (client && ummgr_shim_guard_free (client, ordinal, address, &size))
    {
      if (d)
	count (&d->allocated, -size);
      return true;
    }
  if (d && !pass_on)
    {
      if (!client)
	ummgr_shim_alone_forget (address);
      uint64_t now = allocated_on (d);
      struct ummgr_device *from = ummgr_device_of (ordinal);
      if (now && from->ops->range (from, (uintptr_t) address, &base, &size))
	{
	  count (&d->allocated, -(size < now ? size : now));
	  if (tracing ())
	    client->freeing (ordinal, base, size);
	  if (base == (uintptr_t) address && kept_put (d, address, size))
	    return true;
	}
    }
  device_enter (d);
  bool ok = ummgr_shim_plugin.free (ordinal, address);
  device_leave (d);
  return ok;
}

bool
GOMP_OFFLOAD_dev2host (int ordinal, void *dst, const void *src, size_t size)
{
  struct device *d = device_of (ordinal);
  if (dst == src)
    return true;
  device_enter (d);
  bool ok = ummgr_shim_plugin.dev2host (ordinal, dst, src, size);
  device_leave (d);
  if (ok)
    count_copy (ordinal, d, src, size, false);
  if (ok && checking ())
    client->check_out (ordinal, (uintptr_t) src, dst, size);
  if (ok && tracing ())
    client->copied_out (ordinal, (uintptr_t) src, dst, size);
  return ok;
}

bool
GOMP_OFFLOAD_host2dev (int ordinal, void *dst, const void *src, size_t size)
{
  struct device *d = device_of (ordinal);
  if (dst == src)
    return true;
  if (checking ())
    client->check_in (ordinal, (uintptr_t) dst, src, size);
  if (tracing ())
    client->copying_in (ordinal, (uintptr_t) dst, src, size);
  device_enter (d);
  bool ok = ummgr_shim_plugin.host2dev (ordinal, dst, src, size);
  device_leave (d);
  if (ok)
    count_copy (ordinal, d, dst, size, true);
  return ok;
}

bool
GOMP_OFFLOAD_dev2dev (int ordinal, void *dst, const void *src, size_t size)
{
  struct device *d = device_of (ordinal);
  if (checking ())
    client->check_within (ordinal, (uintptr_t) dst, (uintptr_t) src, size);
  device_enter (d);
  bool ok = ummgr_shim_plugin.dev2dev (ordinal, dst, src, size);
  device_leave (d);
  return ok;
}

void
GOMP_OFFLOAD_run (int ordinal, void *function, void *variables,
		  void **arguments)
{
  struct device *d = device_of (ordinal);
  /* The plugin makes the kernels' stacks here, sized for a whole GPU.  */
  void (*scratch) (bool) = pass_on ? NULL : ummgr_device_ops ()->scratch_alloc;
  if (d)
    count (&d->launches, 1);
  if (d && !client && !pass_on)
    ummgr_shim_alone_run (ordinal, function, variables);
  bool traced = tracing ();
  if (traced)
    client->launching (ordinal, (uintptr_t) variables);
  device_enter (d);
  if (scratch)
    scratch (true);
  /* The plugin makes a device's context current for all but this: a region without
     arguments would be launched on whatever device the thread used last.  */
  bool entered = !pass_on && ummgr_cuda_enter (ordinal);
  ummgr_shim_plugin.run (ordinal, function, variables, arguments);
  if (entered)
    ummgr_cuda_leave ();
  if (scratch)
    scratch (false);
  device_leave (d);
  if (traced)
    client->launched (ordinal);
  if (d && !client && !pass_on)
    ummgr_shim_alone_ran (ordinal);
}

static void
set_client (const struct ummgr_shim_client *c, const struct ummgr_options *o)
{
  client = c;
  options = *o;
}

static int
num_devices (void)
{
  return device_count;
}

static void *
context (int ordinal)
{
  struct device *d = device_of (ordinal);
  return d ? __atomic_load_n (&d->context, __ATOMIC_ACQUIRE) : NULL;
}

void
ummgr_shim_counters (int ordinal, struct ummgr_counters *out)
{
  const struct device *d = device_of (ordinal);
  memset (out, 0, sizeof *out);
  if (!d)
    return;
  out->h2d_bytes = __atomic_load_n (&d->h2d_bytes, __ATOMIC_RELAXED);
  out->d2h_bytes = __atomic_load_n (&d->d2h_bytes, __ATOMIC_RELAXED);
  out->launches = __atomic_load_n (&d->launches, __ATOMIC_RELAXED);
}

static uint64_t
allocated (int ordinal)
{
  const struct device *d = device_of (ordinal);
  return d ? allocated_on (d) : 0;
}

static uint64_t
copies (int ordinal)
{
  const struct device *d = device_of (ordinal);
  return d ? __atomic_load_n (&d->copies, __ATOMIC_RELAXED) : 0;
}

EXPORT const struct ummgr_shim_api ummgr_shim_api = {
  .version = UMMGR_SHIM_API_VERSION,
  .set_client = set_client,
  .num_devices = num_devices,
  .context = context,
  .counters = ummgr_shim_counters,
  .allocated = allocated,
  .copies = copies,
  .lend = lend,
  .lent = lent
};
