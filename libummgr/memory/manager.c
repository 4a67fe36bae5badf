/* The manager of one device: its policy, budget and objects.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the managers.  One is made when a construct first names its device,
   and lives until the process ends.  */

#include "config.h"
#include "memory/manager.h"
#include "admission/admission.h"
#include "memory/attached.h"
#include "memory/account.h"
#include "memory/holdings.h"
#include "memory/kept.h"
#include "device/cuda.h"
#include "gomp/abi.h"
#include "gomp/real.h"
#include "gomp/shim-api.h"
#include "base/live.h"
#include "base/process.h"
#include "base/log.h"
#include "memory/plan.h"
#include "memory/regions.h"
#include "memory/statics.h"
#include "record/record.h"
#include "report/stats.h"
#include "memory/unified.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct ummgr_manager *managers[UMMGR_DEVICES_MAX];	/* Atomic. */
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

struct ummgr_manager *
ummgr_manager_new (int device, const struct ummgr_policy_ops *policy,
		   const struct ummgr_policy_config *config)
{
  struct ummgr_manager *m = calloc (1, sizeof *m);
  if (!m || !ummgr_execute_init (&m->executor, policy, config))
    {
      free (m);
      return NULL;
    }
  m->executor.ops = &ummgr_plan_ops;
  m->device = device;
  m->passive = policy->passive;
  m->budget = config->budget;
  m->explain = config->explain;
  pthread_mutex_init (&m->lock, NULL);
  ummgr_objects_init (&m->mapped);
  ummgr_objects_init (&m->placed);
  return m;
}

void
ummgr_manager_free (struct ummgr_manager *manager)
{
  ummgr_execute_fini (&manager->executor);
  ummgr_objects_clear (&manager->mapped);
  ummgr_objects_clear (&manager->placed);
  ummgr_attached_clear (manager);
  ummgr_kept_end (manager);
  ummgr_admission_leave (manager->admission);
  ummgr_reasons_free (&manager->names);
  free (manager);
}

/* Have libgomp initialise DEVICE, and get hold of its context.  False after
   one warning: then ummgr only watches.  */
static bool
attach (int device)
{
  static const char anything;
  const struct ummgr_shim_api *shim = ummgr_process.shim;
  if (ummgr_cuda_attached (device))
    return true;
  /* Any call that names the device will do.  */
  ummgr_real (omp_target_is_present) (&anything, device);
  void *context = shim ? shim->context (device) : NULL;
  if (!context || !ummgr_cuda_open (ummgr_process.options.gpu))
    {
      ummgr_warn_once ("no CUDA context of device %d was seen; ummgr only "
		       "watches", device);
      return false;
    }
  ummgr_cuda_attach (device, context);
  return true;
}

static uint64_t
libgomp_bytes (int device)
{
  const struct ummgr_shim_api *shim = ummgr_process.shim;
  return shim ? shim->allocated (device) : 0;
}

/* The device's part in a manager: its room, how much of that the user allows, and how it is shared.  */
struct room
{
  struct ummgr_budget budget;
  uint64_t cap;
  struct ummgr_admission *admission;
};

/* Others leave ROOM so much.  True if that is not what it was.  */
static bool
room_set (struct ummgr_budget *budget, uint64_t cap, const struct ummgr_admission_terms *terms)
{
  uint64_t room = terms->room < cap ? terms->room : cap;
  bool changed = room != budget->room;
  budget->room = room;
  return changed;
}

/* Of what DEVICE has, LEFT of TOTAL bytes are free.  */
static void
room_share (int device, uint64_t left, uint64_t total, struct room *out)
{
  struct ummgr_device *d = ummgr_device_of (device);
  char id[80];
  if (!ummgr_process.options.admission || !d->ops->identity || !d->ops->identity (d, id, sizeof id))
    return;
  out->admission = ummgr_admission_join (id, left + out->budget.libgomp, total);
  if (!out->admission)
    return;
  struct ummgr_admission_need need = { .aside = ummgr_budget_aside (&out->budget) };
  struct ummgr_admission_terms terms = ummgr_admission_ask (out->admission, &need);
  room_set (&out->budget, out->cap, &terms);
  ummgr_stats_shared (device, terms.processes, terms.others, terms.room);
}

/* What is free of DEVICE, and libgomp's.  */
static struct room
room_find (int device)
{
  uint64_t left, total, option = ummgr_process.options.device_mem;
  struct ummgr_device *d = ummgr_device_of (device);
  struct room out = { .cap = UINT64_MAX, .budget.libgomp = libgomp_bytes (device) };
  out.budget.room = option + out.budget.libgomp;
  if (d->ops->memory (d, &left, &total) != UMMGR_OK)
    return out;
  out.budget.reserve = ummgr_policy_reserve (option && option < total ? option : total);
  /* The driver has taken images' variables from what is left, but not from a limit of ours.  */
  uint64_t own = d->ops->limited ? 0 : ummgr_statics_bytes (device);
  option -= option > own ? own : 0;
  if (option)
    out.cap = option + out.budget.libgomp;
  out.budget.room = (option && option < left ? option : left) + out.budget.libgomp;
  room_share (device, left, total, &out);
  return out;
}

/* Has what other processes leave MANAGER changed, which is about to take BYTES, KEPT of them copies that stayed?  */
static bool
look_around (struct ummgr_manager *manager, uint64_t bytes, uint64_t kept)
{
  /* What the user doesn't allow this process is not to be kept from others.  */
  uint64_t aside = ummgr_budget_aside (&manager->room), most = manager->cap > aside ? manager->cap - aside : 0;
  uint64_t data = manager->taken + bytes, spare = ummgr_kept_bytes (manager) - kept;
  data = data < most ? data : most;
  struct ummgr_admission_need need = {
    .data = data, .spare = spare < most - data ? spare : most - data, .aside = aside
  };
  if (!ummgr_admission_asks (manager->admission, &need))
    return false;
  struct ummgr_admission_terms terms = ummgr_admission_ask (manager->admission, &need);
  ummgr_stats_shared (manager->device, terms.processes, terms.others, terms.room);
  return room_set (&manager->room, manager->cap, &terms);
}

void
ummgr_manager_look (struct ummgr_manager *manager, uint64_t bytes, uint64_t kept)
{
  struct ummgr_budget *room = &manager->room;
  uint64_t later = ummgr_statics_bytes (manager->device) - manager->variables;
  bool changed = ummgr_budget_look (room, libgomp_bytes (manager->device) + later);
  bool others = manager->admission && look_around (manager, bytes, kept);
  if (!changed && !others)
    return;
  manager->crowded = room->libgomp > room->reserve / 2;
  uint64_t budget = ummgr_budget_bytes (room);
  manager->executor.at_once = others;
  if (budget != manager->budget)
    ummgr_plan_budget (manager, budget);
  manager->executor.at_once = false;
  if (others)
    {
      if (ummgr_kept_bytes (manager) > 0 && manager->taken + ummgr_kept_bytes (manager) > budget)
	ummgr_kept_drop (manager, false);
      ummgr_admission_settle (manager->admission);
    }
}

/* Is libgomp's device DEVICE the driver's?  Only if all of libgomp's devices
   came through the shim are the numbers the same.  */
static bool
is_known (int device, int libgomp_devices)
{
  const struct ummgr_shim_api *shim = ummgr_process.shim;
  if (device >= UMMGR_DEVICES_MAX)
    return false;
  if (shim && shim->num_devices () == libgomp_devices)
    return true;
  ummgr_warn_once ("libgomp's %d devices are not those of its nvptx plugin "
		   "behind ummgr's shim (%d); ummgr leaves them alone",
		   libgomp_devices, shim ? shim->num_devices () : -1);
  return false;
}

static bool
pages_on_demand (int device)
{
  struct ummgr_device *d = ummgr_device_of (device);
  return d->ops->pages_on_demand (d);
}

static struct ummgr_manager *
make (int device)
{
  const struct ummgr_options *o = &ummgr_process.options;
  const struct ummgr_policy_ops *policy = ummgr_policy_find (o->policy);
  if (!policy)
    policy = ummgr_policy_find ("explicit");
  bool asks = !policy->passive && ummgr_regions_ask_host ();
  if (asks)
    ummgr_warn_once ("the program requires reverse_offload, for which libgomp has to map all data itself: "
		     "policy %s is explicit", policy->name);
  bool able = policy->passive || (!asks && attach (device));
  if (!able)
    policy = ummgr_policy_find ("explicit");
  struct room found = { .cap = UINT64_MAX };
  if (!policy->passive)
    found = room_find (device);
  bool plain = o->copies[0] == 'p';
  bool paged = !policy->passive && pages_on_demand (device);
  struct ummgr_figures figures = ummgr_device_figures (ummgr_device_of (device));
  ummgr_stats_set_figures (device, &figures);
  struct ummgr_policy_config config
    = ummgr_policy_configure (&(struct ummgr_policy_given) {
	.device = device, .figures = &figures, .budget = found.budget,
	.transfer = o->transfer, .partial = o->partial,
	.by_demand = paged && !plain,
	.discards = paged && ummgr_device_discards (ummgr_device_of (device)),
	.explain = ummgr_log_level >= UMMGR_LOG_INFO || ummgr_live_is_on () || o->stats || o->report
      });
  struct ummgr_manager *m = ummgr_manager_new (device, policy, &config);
  if (!m)
    {
      ummgr_admission_leave (found.admission);
      return NULL;
    }
  m->room = found.budget;
  m->cap = found.cap;
  m->admission = found.admission;
  m->variables = ummgr_statics_bytes (device);
  m->plain_copies = plain;
  m->remote = ummgr_device_remote (ummgr_device_of (device));
  m->executor.paged = paged;
  if (policy->keeps && o->keep)
    ummgr_kept_start (m);
  m->plain_first = policy->plain && paged && !plain && !ummgr_options_spread (o);
  if (!policy->passive && !paged && !plain)
    ummgr_warn ("device %d can't page managed memory on demand: data is"
		" placed whole, in plain copies (--copies=plain says that"
		" it should)", device);
  ummgr_debug ("device %d: policy %s, budget %llu bytes", device,
	       policy->name, (unsigned long long) m->budget);
  return m;
}

struct ummgr_manager *
ummgr_manager_existing (int device)
{
  return device >= 0 && device < UMMGR_DEVICES_MAX
    ? __atomic_load_n (&managers[device], __ATOMIC_ACQUIRE) : NULL;
}

struct ummgr_manager *
ummgr_manager_for (int device)
{
  if (!ummgr_is_active ())
    return NULL;
  if (device == UMMGR_DEVICE_ICV)
    device = ummgr_real (omp_get_default_device) ();
  struct ummgr_manager *m = ummgr_manager_existing (device);
  if (__builtin_expect (m != NULL, 1) || device < 0)
    return m;
  /* This starts libgomp's offloading where nothing did before.  */
  int count = ummgr_real (omp_get_num_devices) ();
  if (device >= count || !is_known (device, count))
    return NULL;
  pthread_mutex_lock (&making);
  m = ummgr_manager_existing (device);
  if (!m && ummgr_is_active ())
    {
      if (ummgr_process.devices_met)
	ummgr_process.devices_met (count);
      m = make (device);
      __atomic_store_n (&managers[device], m, __ATOMIC_RELEASE);
    }
  pthread_mutex_unlock (&making);
  if (m)
    ummgr_record_device (device);
  return m;
}

bool
ummgr_manager_prepare (struct ummgr_manager *manager)
{
  if (manager->executor.paged)
    return true;
  pthread_mutex_lock (&making);
  bool ok = attach (manager->device);
  if (ok)
    manager->executor.paged = pages_on_demand (manager->device);
  pthread_mutex_unlock (&making);
  return ok && manager->executor.paged;
}

void
ummgr_manager_give_up (struct ummgr_manager *manager, const char *what)
{
  if (!__atomic_exchange_n (&manager->passive, true, __ATOMIC_RELAXED))
    ummgr_warn ("device %d: %s failed; libgomp handles new data from now on",
		manager->device, what);
}

/* Lock MANAGER within a tenth of a second.  At exit its holder may wait for
   a lock of libgomp's that the exiting thread holds.  */
static bool
lock_briefly (struct ummgr_manager *manager)
{
  struct timespec until;
  clock_gettime (CLOCK_REALTIME, &until);
  until.tv_nsec += 100000000;
  if (until.tv_nsec >= 1000000000)
    {
      until.tv_nsec -= 1000000000;
      until.tv_sec++;
    }
  return pthread_mutex_timedlock (&manager->lock, &until) == 0;
}

uintptr_t
ummgr_manager_staging (struct ummgr_manager *manager, size_t size)
{
  struct ummgr_device *device = ummgr_device_of (manager->device);
  uintptr_t address;
  if (__atomic_load_n (&manager->stages, __ATOMIC_ACQUIRE))
    return 0;
  __atomic_store_n (&manager->stages, true, __ATOMIC_RELAXED);
  /* What can't be had once isn't asked for again: it is taken for good.  */
  if (!manager->staging
      && device->ops->alloc (device, UMMGR_DEVICE_PINNED, size, &manager->staging, &address) != UMMGR_OK)
    manager->staging = 0;
  return manager->staging;
}

void
ummgr_manager_staged (struct ummgr_manager *manager)
{
  __atomic_store_n (&manager->stages, false, __ATOMIC_RELEASE);
}

/* Objects that the program never unmapped.  Their memory goes with the
   context; libgomp's table of them is of no use any more.  */
static void
close_objects (struct ummgr_manager *manager)
{
  struct ummgr_object *object;
  uintptr_t address = 0;
  ummgr_holdings_last (manager);
  while ((object = ummgr_objects_next (&manager->mapped, address)))
    {
      ummgr_account_held (object, ummgr_holdings_of (object, manager->device));
      ummgr_account_close (object);
      address = object->view.base + 1;
    }
  ummgr_unified_close (manager);
}

bool
ummgr_manager_close (int device)
{
  struct ummgr_manager *m = ummgr_manager_existing (device);
  if (!m)
    return true;
  if (!lock_briefly (m))
    return false;
  if (!m->gone)
    close_objects (m);
  m->gone = true;
  m->staging = 0;
  ummgr_kept_drop (m, true);
  ummgr_admission_leave (m->admission);
  m->admission = NULL;
  __atomic_store_n (&m->passive, true, __ATOMIC_RELAXED);
  ummgr_cuda_attach (device, NULL);
  pthread_mutex_unlock (&m->lock);
  return true;
}

void
ummgr_manager_account_all (void)
{
  for (int i = 0; i < UMMGR_DEVICES_MAX; i++)
    {
      struct ummgr_manager *m = ummgr_manager_existing (i);
      if (!m || !lock_briefly (m))
	continue;
      if (!m->gone)
	close_objects (m);
      pthread_mutex_unlock (&m->lock);
    }
}

void
ummgr_manager_close_all (void)
{
  for (int i = 0; i < UMMGR_DEVICES_MAX; i++)
    ummgr_manager_close (i);
}
