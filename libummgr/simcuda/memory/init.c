/* The machine: coming up, fork, counters, and the check of the books.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns sim_profile and sim_machine's fixed part.  */

#include "config.h"
#include "simcuda/memory/mem.h"
#include "base/log.h"
#include "base/options.h"
#include "simcuda/memory/profile.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sim_profile sim_profile;
struct sim_machine sim_machine
  = { .lock = PTHREAD_MUTEX_INITIALIZER, .launch_device = SIM_NOWHERE };

/* Only the options that this half reads: a bad UMMGR_POLICY is libummgr's
   to report.  */
static bool
read_options (struct ummgr_options *options)
{
  static const char *const ours[]
    = { "profile", "gpus", "device-mem", "scale", "evict", NULL };
  return ummgr_options_some_from_environment (options, ours) == UMMGR_OK;
}

static bool
set_up (const struct ummgr_options *options)
{
  const struct sim_profile_device *first = &sim_profile.device[0];
  sim_machine.devices = sim_profile.device_count;
  sim_machine.block_bytes = first->block_bytes;
  sim_machine.block_shift = __builtin_ctzll (first->block_bytes);
  sim_machine.granule_pages = first->fault_granularity / SIM_PAGE;
  sim_machine.block_stride
    = sizeof (struct sim_block)
      + (1 + sim_machine.devices) * sizeof (struct sim_holding);
  sim_machine.policy = ummgr_paging_find (options->evict);
  if (!sim_machine.policy)
    {
      ummgr_error ("UMMGR_EVICT: no replacement policy '%s'", options->evict);
      return false;
    }
  for (int d = 0; d < sim_machine.devices; d++)
    {
      sim_machine.device[d].capacity = sim_profile.device[d].memory_bytes;
      sim_machine.device[d].paging = sim_machine.policy->create (64);
      if (!sim_machine.device[d].paging)
	return false;
    }
  sim_machine.units = 64;
  return true;
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
      || !sim_profile_find (options.profile, &sim_profile)
      || !sim_profile_adjust (&sim_profile, &options))
    return CUDA_ERROR_INVALID_VALUE;
  if (!set_up (&options))
    return CUDA_ERROR_OUT_OF_MEMORY;
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
  *out = sim_machine.device[device].counters;
  out->model_seconds = sim_machine.device[device].clock;
  sim_unlock ();
  return true;
}

bool
sim_mem_range_counters (const void *pointer, struct ummgr_counters *out)
{
  if (!sim_machine.up)
    return false;
  sim_lock ();
  struct sim_range *r = sim_range_find ((uintptr_t) pointer);
  if (r)
    *out = r->counters;
  sim_unlock ();
  return r;
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
  for (uint32_t i = 0; r && r->block_memory && i < r->block_count; i++)
    {
      uint64_t at = (uint64_t) i << sim_machine.block_shift;
      SIM_MASK_RUNS (&sim_range_block (r, i)->by[1 + device].resident, from, to)
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
sim_mem_resident (int device, uint64_t *plain, uint64_t *managed)
{
  if (!sim_machine.up || device < 0 || device >= sim_machine.devices)
    return false;
  sim_lock ();
  *plain = sim_machine.device[device].plain_bytes;
  *managed = sim_machine.device[device].managed_bytes;
  sim_unlock ();
  return true;
}

/* --- sim_mem_check ------------------------------------------------------ */

struct check
{
  bool ok;
  uint64_t plain[SIM_MAX_DEVICES];
  uint64_t charged[SIM_MAX_DEVICES];
  uint64_t pages[SIM_MAX_DEVICES];
};

static void __attribute__ ((format (printf, 2, 3)))
disagree (struct check *c, const char *format, ...)
{
  char text[256];
  va_list args;
  va_start (args, format);
  vsnprintf (text, sizeof text, format, args);
  va_end (args);
  if (c->ok)
    ummgr_error ("simcuda: books disagree: %s", text);
  c->ok = false;
}

static void
check_block (struct check *c, const struct sim_block *b)
{
  struct sim_mask held = { { 0 } };
  struct sim_mask inside = sim_mask_range (0, b->pages);
  if (sim_machine.blocks[b->unit] != b)
    disagree (c, "block %u is not in the table", b->unit);
  for (int p = 0; p <= sim_machine.devices; p++)
    {
      const struct sim_mask *resident = &b->by[p].resident;
      struct sim_mask twice = sim_mask_and (&held, resident);
      SIM_MASK_RUNS (&twice, lo, hi)
	for (unsigned i = lo; i < hi; i++)
	  if (!sim_block_advice (b, i) || !sim_block_advice (b, i)->read_mostly)
	    disagree (c, "page %u of block %u is held twice", i, b->unit);
      sim_mask_add (&held, resident);
      struct sim_mask outside = sim_mask_andnot (resident, &inside);
      if (!sim_mask_empty (&outside))
	disagree (c, "block %u holds pages beyond its end", b->unit);
      struct sim_mask old = sim_mask_andnot (&b->by[p].mapped, resident);
      if (!sim_mask_empty (&old) && !b->by[p].stale)
	disagree (c, "block %u is stale in view %d unnoticed", b->unit, p);
      if (p > 0 && !sim_mask_empty (resident))
	{
	  c->charged[p - 1] += sim_block_charge (b);
	  c->pages[p - 1] += sim_mask_count (resident);
	}
    }
}

static void
check_range (struct sim_range *r, void *data)
{
  struct check *c = data;
  if (r->alloc.kind == SIM_MEM_PLAIN && !r->alloc.scratch)
    c->plain[r->alloc.device] += (r->alloc.size + 511) / 512 * 512;
  for (uint32_t i = 0; i < r->block_count; i++)
    check_block (c, sim_range_block (r, i));
}

static void
check_device (struct check *c, int d)
{
  const struct sim_device *dev = &sim_machine.device[d];
  const struct sim_ledger *l = &dev->ledger;
  if (dev->plain_bytes != c->plain[d])
    disagree (c, "device %d: plain %" PRIu64 ", allocations %" PRIu64, d,
	      dev->plain_bytes, c->plain[d]);
  if (dev->managed_bytes != c->charged[d])
    disagree (c, "device %d: managed %" PRIu64 ", blocks %" PRIu64, d,
	      dev->managed_bytes, c->charged[d]);
  if (dev->plain_bytes + dev->managed_bytes > dev->capacity)
    disagree (c, "device %d holds more than its capacity", d);
  uint64_t resident = c->pages[d] * SIM_PAGE;
  if (l->in_bytes + l->born_bytes - l->out_bytes - l->dropped_bytes
      != resident)
    disagree (c, "device %d: in %" PRIu64 " + born %" PRIu64 " - out %" PRIu64
	      " - dropped %" PRIu64 " is not resident %" PRIu64, d,
	      l->in_bytes, l->born_bytes, l->out_bytes, l->dropped_bytes,
	      resident);
}

bool
sim_mem_check (void)
{
  struct check c = { .ok = true };
  sim_lock ();
  sim_range_each (check_range, &c);
  for (int d = 0; d < sim_machine.devices; d++)
    check_device (&c, d);
  sim_unlock ();
  return c.ok;
}
