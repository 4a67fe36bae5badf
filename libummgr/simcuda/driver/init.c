/* Life of the simulated driver: cuInit, fork, exit.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the driver's state.  It never tears the machine down: a process that
   ends takes it along.  */

#include "config.h"
#include "simcuda/driver/driver.h"
#include "simcuda/driver/init.h"
#include "base/log.h"
#include "simcuda/run/kernels.h"
#include "simcuda/run/told.h"
#include "simcuda/run/wide.h"
#include "device/sim-api.h"
#include "simcuda/run/teams.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

bool sim_exiting;

static enum sim_state state;	/* Atomic.  */
static pthread_mutex_t init_lock = PTHREAD_MUTEX_INITIALIZER;
static bool ready;		/* Guarded by init_lock, as is RESULT.  */
static CUresult result;

enum sim_state
sim_driver_state (void)
{
  return __atomic_load_n (&state, __ATOMIC_ACQUIRE);
}

bool
sim_child_exits (void)
{
  return sim_driver_state () == SIM_FORKED
	 && __atomic_load_n (&sim_exiting, __ATOMIC_ACQUIRE);
}

/* In the child of a fork the machine is gone, as a real GPU's context is.
   No lock is touched: another thread of the parent may have held it.  */
static void
after_fork (void)
{
  if (sim_driver_state () != SIM_READY)
    return;
  __atomic_store_n (&state, SIM_FORKED, __ATOMIC_RELEASE);
  sim_mem_after_fork ();
}

static void
at_exit (void)
{
  __atomic_store_n (&sim_exiting, true, __ATOMIC_RELEASE);
}

/* libgomp's exit handler closes the devices.  This one has to run before it,
   so it is registered after: when a context is made, which libgomp does only
   after registering its own.  */
void
sim_watch_exit (void)
{
  static bool watching;
  if (!__atomic_exchange_n (&watching, true, __ATOMIC_ACQ_REL))
    atexit (at_exit);
}

CUresult
cuInit (unsigned int flags)
{
  if (flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (sim_driver_state () == SIM_FORKED)
    return CUDA_ERROR_NOT_INITIALIZED;
  pthread_mutex_lock (&init_lock);
  if (!ready)
    {
      ready = true;
      ummgr_log_init ();
      result = sim_mem_init ();
      /* sim_mem_init has said what is wrong.  At another error libgomp 14 and later end the program, whose
	 regions can run on the host (nvptx_get_num_devices).  */
      if (result != CUDA_SUCCESS || sim_profile.device_count == 0)
	result = CUDA_ERROR_NO_DEVICE;
      if (result == CUDA_SUCCESS)
	{
	  pthread_atfork (NULL, NULL, after_fork);
	  __atomic_store_n (&state, SIM_READY, __ATOMIC_RELEASE);
	  ummgr_info ("simcuda: %d simulated GPU%s, profile %s",
		      sim_profile.device_count,
		      sim_profile.device_count == 1 ? "" : "s",
		      sim_profile.name);
	}
    }
  CUresult r = result;
  pthread_mutex_unlock (&init_lock);
  return r;
}

CUresult
cuDriverGetVersion (int *version)
{
  if (!version)
    return CUDA_ERROR_INVALID_VALUE;
  *version = SIM_DRIVER_VERSION;
  return CUDA_SUCCESS;
}

/* --- beyond the driver API ---------------------------------------------- */

static const char *
api_profile (void)
{
  return sim_profile.name;
}

static const char *
api_scaling (void)
{
  return sim_profile.scaling;
}

static void
api_scratch (bool on)
{
  sim_thread_self ()->scratch = on;
}

static void
api_access (uintptr_t address, int64_t stride, uint64_t count, uint32_t size,
	    unsigned kind)
{
  if (sim_teams_place ()->device >= 0)
    sim_mem_access (sim_globals_on_device (address), stride, count, size, kind);
}

static bool
api_figures (struct ummgr_device *device, struct ummgr_figures *out)
{
  if (device->number < 0 || device->number >= sim_profile.device_count)
    return false;
  *out = sim_profile.device[device->number];
  return true;
}

static bool
api_link (struct ummgr_device *device, struct ummgr_device *other,
	  struct ummgr_device_link *out)
{
  int n = sim_profile.device_count, to = device->number, from = other->number;
  if (to < 0 || to >= n || from < 0 || from >= n)
    return false;
  double rate = sim_profile.peer_rate[to][from];
  *out = (struct ummgr_device_link) { .direct = rate > 0, .rate = rate };
  return true;
}

static bool
api_identity (struct ummgr_device *device, char *id, size_t size)
{
  uint64_t number = sim_shared_number ();
  return number && snprintf (id, size, "sim-%" PRIx64 "-%d", number, device->number) < (int) size;
}

static uint64_t
api_taken (struct ummgr_device *device)
{
  return sim_mem_taken (device->number);
}

static bool
api_counters (struct ummgr_device *device, struct ummgr_counters *out)
{
  return sim_mem_device_counters (device->number, out);
}

static bool
api_range_counters (struct ummgr_device *device, uintptr_t address,
		    struct ummgr_counters *out)
{
  (void) device;
  return sim_mem_range_counters ((const void *) address, out);
}

static bool
api_range_extent (struct ummgr_device *device, uintptr_t address, uint64_t *lo,
		  uint64_t *hi)
{
  return sim_mem_range_extent ((const void *) address, device->number, lo, hi);
}

static uint64_t
api_range_held (struct ummgr_device *device, uintptr_t address)
{
  return sim_mem_range_held ((const void *) address, device->number);
}

static unsigned
api_pairs (struct ummgr_device *device, uint64_t bytes[][UMMGR_FIGURES_GPUS])
{
  return sim_access_pairs (device->number, bytes);
}

static bool
api_between (struct ummgr_device *device, struct ummgr_between *out)
{
  return sim_access_between (device->number, out);
}

static bool
api_uses (struct ummgr_device *device, const struct ummgr_device_use *uses,
	  size_t count)
{
  return sim_mem_uses (device->number, uses, count);
}

__attribute__ ((visibility ("default")))
const struct ummgr_sim_api *
ummgr_sim_api (void)
{
  static const struct ummgr_sim_api api = {
    .ops = {
      .name = "sim",
      .limited = true,
      .taken = api_taken,
      .counters = api_counters,
      .range_counters = api_range_counters,
      .range_extent = api_range_extent,
      .range_held = api_range_held,
      .on_host = sim_mem_on_host,
      .figures = api_figures,
      .identity = api_identity,
      .link = api_link,
      .pairs = api_pairs,
      .between = api_between,
      .uses = api_uses,
      .lay_by = sim_layout_decide,
      .guard = sim_mem_guard,
      .profile = api_profile,
      .scaling = api_scaling,
      .fidelity = sim_mem_fidelity,
      .place = sim_teams_place,
      .set_access_fidelity = sim_mem_set_access,
      .access = api_access,
      .watch = sim_kernels_watch,
      .model = sim_told_set,
      .report = sim_told_report,
      .expect = sim_wide_expect,
      .ran = sim_told_ran,
      .order = sim_told_order,
      .scratch_alloc = api_scratch,
      .time = sim_mem_time,
      .set_time = sim_mem_set_time,
      .elapsed = sim_mem_elapsed,
      .own_thread = sim_mem_own_thread
    },
    .kernel_faults = sim_mem_kernel_faults
  };
  return sim_as_cuda () ? NULL : &api;
}
