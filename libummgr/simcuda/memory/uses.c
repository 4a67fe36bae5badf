/* What the compiler's tables say of the next launch, for the replacement policy.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns what was told of each device's next launch.  All under the lock; a policy's
   region may allocate, and no launch is under way when it is called.  */

#include "config.h"
#include "simcuda/memory/mem.h"

#include "device/sim-api.h"


static struct uses
{
  struct ummgr_device_use use[SIM_USES];
  size_t count;
} uses_of[SIM_MAX_DEVICES][2];
static unsigned char now_of[SIM_MAX_DEVICES]; /* Which is the launch's in force.  */

static struct uses *
now (int device)
{
  return &uses_of[device][now_of[device]];
}

static struct uses *
next (int device)
{
  return &uses_of[device][!now_of[device]];
}

bool
sim_mem_uses (int device, const struct ummgr_device_use *uses, size_t count)
{
  if (!sim_machine.up || device < 0 || device >= sim_machine.devices
      || (!sim_machine.uvm->policy->region && !sim_layout_asked ()))
    return false;
  if (!uses)
    return true;
  if (count > SIM_USES)
    count = SIM_USES;
  sim_lock ();
  for (size_t i = 0; i < count; i++)
    ummgr_device_use_copy (&next (device)->use[i], &uses[i]);
  next (device)->count = count;
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

size_t
sim_uses_now (int device, const struct ummgr_device_use **uses_p)
{
  *uses_p = now (device)->use;
  return now (device)->count;
}

void
sim_uses_begin (int device)
{
  struct ummgr_paging_use uses[SIM_USES];
  size_t count = 0;
  now_of[device] = !now_of[device];
  next (device)->count = 0;
  if (!sim_machine.uvm->policy->region)
    return;
  /* Only managed memory is replaced.  */
  for (size_t i = 0; i < now (device)->count; i++)
    {
      const struct ummgr_device_use *u = &now (device)->use[i];
      uint64_t lo, hi;
      ummgr_hint_range (&u->hint, u->size, &lo, &hi);
      if (lo < hi && sim_block_at (u->base) && sim_block_at (u->base + lo)
	  && sim_block_at (u->base + hi - 1)
	  && sim_block_at (u->base + u->size - 1))
	uses[count++] = in_units (u, u->base + lo, u->base + hi);
    }
  uvm_region (sim_machine.uvm, device, uses, count);
}
