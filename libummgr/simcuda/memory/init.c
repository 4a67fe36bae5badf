/* The machine: coming up, fork, counters, and the check of the books.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns sim_profile and sim_machine's fixed part, the instance of uvm/ with it.  */

#include "config.h"
#include "simcuda/memory/mem.h"
#include "base/log.h"
#include "base/options.h"
#include "device/profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct ummgr_profile sim_profile;
struct sim_machine sim_machine
  = { .lock = PTHREAD_MUTEX_INITIALIZER, .launch_device = SIM_NOWHERE };

bool
sim_as_cuda (void)
{
  return getenv ("UMMGR_SIM_AS_CUDA") != NULL;
}

/* Only the options that this half reads: a bad UMMGR_POLICY is libummgr's
   to report.  A real GPU has all of its memory.  */
static bool
read_options (struct ummgr_options *options)
{
  static const char *const ours[]
    = { "profile", "gpus", "device-mem", "scale", "access-counters", "evict", "placement",
	"scheduling", NULL };
  bool good = ummgr_options_some_from_environment (options, ours) == UMMGR_OK;
  if (sim_as_cuda ())
    {
      options->device_mem = 0;
      options->placement = "none";
    }
  return good;
}

static bool
set_up (const struct ummgr_options *options)
{
  struct uvm_config config
    = uvm_configure (sim_profile.device, sim_profile.device_count);
  memcpy (config.peer_rate, sim_profile.peer_rate, sizeof config.peer_rate);
  memcpy (config.peer_latency, sim_profile.peer_latency, sizeof config.peer_latency);
  config.host_rate = sim_profile.host_rate;
  memcpy (config.uplink, sim_profile.uplink, sizeof config.uplink);
  memcpy (config.uplink_rate, sim_profile.uplink_rate, sizeof config.uplink_rate);
  config.paging = ummgr_paging_find (options->evict);
  if (!config.paging)
    {
      ummgr_error ("UMMGR_EVICT: no replacement policy '%s'", options->evict);
      return false;
    }
  sim_layout_init (options->placement);
  sim_machine.devices = config.devices;
  sim_machine.block_stride
    = sizeof (struct sim_block)
      + (1 + sim_machine.devices) * sizeof (struct sim_entries);
  sim_machine.uvm = uvm_create (&config);
  if (sim_machine.uvm)
    uvm_observe (sim_machine.uvm, &sim_observer, NULL);
  return sim_machine.uvm;
}

CUresult
sim_mem_init (void)
{
  struct ummgr_options options;
  ummgr_log_init ();
  if (sysconf (_SC_PAGESIZE) != (long) SIM_PAGE)
    {
      ummgr_error ("simcuda: the host's pages are %ld bytes; the simulator"
		   " needs 4096", sysconf (_SC_PAGESIZE));
      return CUDA_ERROR_NOT_SUPPORTED;
    }
  if (!read_options (&options)
      || !ummgr_profile_find (options.profile, &sim_profile)
      || !ummgr_profile_adjust (&sim_profile, &options))
    return CUDA_ERROR_INVALID_VALUE;
  if (!set_up (&options))
    return CUDA_ERROR_OUT_OF_MEMORY;
  if (!sim_shared_init ())
    return CUDA_ERROR_INVALID_VALUE;
  CUresult result = sim_plain_init ();
  if (result == CUDA_SUCCESS)
    result = sim_managed_init ();
  if (result == CUDA_SUCCESS)
    {
      sim_trap_signals ();
      sim_machine.up = true;
    }
  return result;
}

void
sim_mem_after_fork (void)
{
  /* The parent's thread may have been anywhere in here.  */
  pthread_mutex_init (&sim_machine.lock, NULL);
  sim_machine.up = false;
  sim_shared_forked ();
  sim_machine.launch_device = SIM_NOWHERE;
  sim_access_after_fork ();
  sim_trap_after_fork ();
  sim_threads_after_fork ();
}

bool
sim_mem_device_counters (int device, struct ummgr_counters *out)
{
  if (!sim_machine.up || device < 0 || device >= sim_machine.devices)
    return false;
  sim_lock ();
  *out = uvm_counters (sim_machine.uvm, device);
  sim_unlock ();
  return true;
}

void
sim_mem_work (int device, const uint64_t count[UMMGR_WORKS])
{
  sim_lock ();
  for (int i = 0; i < UMMGR_WORKS; i++)
    sim_machine.uvm->device[device].counters.instructions[i] += count[i];
  sim_unlock ();
}

uint64_t
sim_mem_taken (int device)
{
  if (!sim_machine.up || device < 0 || device >= sim_machine.devices)
    return 0;
  sim_lock ();
  uint64_t bytes = sim_machine.uvm->device[device].taken_bytes;
  sim_unlock ();
  return bytes;
}

bool
sim_mem_range_counters (const void *pointer, struct ummgr_counters *out)
{
  if (!sim_machine.up)
    return false;
  sim_lock ();
  struct sim_range *r = sim_range_find ((uintptr_t) pointer);
  if (r)
    *out = *r->counters;
  sim_unlock ();
  return r;
}

uint64_t
sim_mem_range_held (const void *pointer, int device)
{
  if (!sim_machine.up || device < 0 || device >= sim_machine.devices)
    return 0;
  sim_lock ();
  const struct sim_range *r = sim_range_find ((uintptr_t) pointer);
  uint64_t bytes = r && r->managed ? r->managed->held[device] : 0;
  sim_unlock ();
  return bytes;
}

bool
sim_mem_range_extent (const void *pointer, int device, uint64_t *lo,
		      uint64_t *hi)
{
  if (!sim_machine.up || device < 0 || device >= sim_machine.devices)
    return false;
  *lo = UINT64_MAX;
  *hi = 0;
  sim_lock ();
  struct sim_range *r = sim_range_find ((uintptr_t) pointer);
  for (uint32_t i = 0; r && i < sim_range_blocks (r); i++)
    {
      uint64_t at = (uint64_t) i << sim_machine.uvm->block_shift;
      UVM_MASK_RUNS (&sim_range_block (r, i)->of->by[1 + device].resident,
		     from, to)
	{
	  *lo = *lo < at + from * SIM_PAGE ? *lo : at + from * SIM_PAGE;
	  *hi = at + to * SIM_PAGE;
	}
    }
  if (r && *hi > r->alloc.size)
    *hi = r->alloc.size;
  sim_unlock ();
  return *lo < *hi;
}

bool
sim_mem_on_host (uintptr_t address, size_t size)
{
  bool is = sim_machine.up;
  uintptr_t end = address + size;
  sim_lock ();
  for (uintptr_t at = address & -SIM_PAGE; is && at < end; at += SIM_PAGE)
    {
      const struct sim_block *b = sim_block_at (at);
      is = b && sim_holds (b, sim_page_of (at), UVM_CPU);
    }
  sim_unlock ();
  return is;
}

bool
sim_mem_resident (int device, uint64_t *plain, uint64_t *managed)
{
  if (!sim_machine.up || device < 0 || device >= sim_machine.devices)
    return false;
  sim_lock ();
  *plain = sim_machine.uvm->device[device].taken_bytes;
  *managed = sim_machine.uvm->device[device].managed_bytes;
  sim_unlock ();
  return true;
}

/* --- sim_mem_check ------------------------------------------------------ */

struct check
{
  bool ok;
  uint64_t plain[SIM_MAX_DEVICES];
};

static void
complain (void *data, const char *text)
{
  struct check *c = data;
  if (c->ok)
    ummgr_error ("simcuda: books disagree: %s", text);
  c->ok = false;
}

static void
check_block (struct check *c, const struct sim_block *b)
{
  char text[80];
  if (uvm_block_at (sim_machine.uvm, b->of->unit) != b->of || b->of->user != b)
    {
      snprintf (text, sizeof text, "block %u is not in the table", b->of->unit);
      complain (c, text);
    }
  for (int p = 0; p <= sim_machine.devices; p++)
    {
      struct uvm_mask old
	= uvm_mask_andnot (&b->in[p].mapped, &b->of->by[p].resident);
      if (uvm_mask_empty (&old) || b->in[p].stale)
	continue;
      snprintf (text, sizeof text, "block %u is stale in view %d unnoticed",
		b->of->unit, p);
      complain (c, text);
    }
}

static void
check_range (struct sim_range *r, void *data)
{
  struct check *c = data;
  if (r->alloc.kind == SIM_MEM_PLAIN && !r->alloc.scratch)
    c->plain[r->alloc.device] += (r->alloc.size + 511) / 512 * 512;
  for (uint32_t i = 0; i < sim_range_blocks (r); i++)
    check_block (c, sim_range_block (r, i));
}

bool
sim_mem_check (void)
{
  struct check c = { .ok = true };
  char text[80];
  sim_lock ();
  uvm_check (sim_machine.uvm, complain, &c);
  sim_range_each (check_range, &c);
  for (int d = 0; d < sim_machine.devices; d++)
    {
      uint64_t taken = sim_machine.uvm->device[d].taken_bytes;
      if (taken == c.plain[d])
	continue;
      snprintf (text, sizeof text,
		"device %d: plain %" PRIu64 ", allocations %" PRIu64, d, taken,
		c.plain[d]);
      complain (&c, text);
    }
  sim_unlock ();
  return c.ok;
}
