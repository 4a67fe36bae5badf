/* What the compiler's tables say of the next launch, for the replacement policy.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns what was told of each device's next launch.  All under the lock; a policy's
   region may allocate, and no launch is under way when it is called.  */

#include "config.h"
#include "simcuda/memory/mem.h"

#include "device/sim-api.h"

#include <string.h>

enum { MOST = 64 };		/* Uses of a launch; more are left out.  */

static struct
{
  struct ummgr_device_use use[MOST];
  size_t count;
} next[SIM_MAX_DEVICES];

bool
sim_mem_uses (int device, const struct ummgr_device_use *uses, size_t count)
{
  if (!sim_machine.up || device < 0 || device >= sim_machine.devices
      || !sim_machine.uvm->policy->region)
    return false;
  if (!uses)
    return true;
  if (count > MOST)
    count = MOST;
  sim_lock ();
  memcpy (next[device].use, uses, count * sizeof *uses);
  next[device].count = count;
  sim_unlock ();
  return true;
}

/* The first unit at or below ADDRESS of the arena, and the first after END.  */
static uint32_t
unit_below (uintptr_t address)
{
  return sim_offset (address) >> sim_machine.uvm->block_shift;
}

static uint32_t
unit_after (uintptr_t end)
{
  return unit_below (end - 1) + 1;
}

/* U, of which the launch uses [LO, HI).  */
static struct ummgr_paging_use
in_units (const struct ummgr_device_use *u, uintptr_t lo, uintptr_t hi)
{
  double pages
    = (double) ((hi - 1) / SIM_PAGE) - (double) (lo / SIM_PAGE) + 1;
  struct ummgr_paging_use use = {
    .lo = unit_below (lo), .hi = unit_after (hi),
    .object_lo = unit_below (u->base),
    .object_hi = unit_after (u->base + u->size), .region = u->region
  };
  ummgr_paging_use_fill (&use, &u->hint, pages);
  return use;
}

void
sim_uses_begin (int device)
{
  struct ummgr_paging_use uses[MOST];
  size_t count = 0;
  if (!sim_machine.uvm->policy->region)
    return;
  /* Only managed memory is replaced.  */
  for (size_t i = 0; i < next[device].count; i++)
    {
      const struct ummgr_device_use *u = &next[device].use[i];
      uint64_t lo, hi;
      ummgr_hint_range (&u->hint, u->size, &lo, &hi);
      if (lo < hi && sim_block_at (u->base) && sim_block_at (u->base + lo)
	  && sim_block_at (u->base + hi - 1)
	  && sim_block_at (u->base + u->size - 1))
	uses[count++] = in_units (u, u->base + lo, u->base + hi);
    }
  next[device].count = 0;
  uvm_region (sim_machine.uvm, device, uses, count);
}
