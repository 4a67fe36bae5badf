/* What policies are told of the device that they are for.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Live runs and replays of traces ask here, so that both decide alike.  No
   state.  */

#include "config.h"
#include "policy/policy.h"

#include <string.h>

/* What is left of device memory to libgomp, the kernels' stacks and the driver:
   at most RESERVE, and no more than a twentieth of a small device.  */
#define RESERVE (UINT64_C (64) << 20)
#define RESERVE_FRACTION 20

uint64_t
ummgr_policy_reserve (uint64_t total)
{
  uint64_t reserve = total / RESERVE_FRACTION;
  return reserve < RESERVE ? reserve : RESERVE;
}

/* What libgomp has comes out of its reserve first; a quarter of that is kept for
   what comes next.  */
uint64_t
ummgr_budget_aside (const struct ummgr_budget *b)
{
  uint64_t aside = b->libgomp + b->reserve / 4;
  return (aside < b->reserve ? b->reserve : aside) + b->slices;
}

uint64_t
ummgr_budget_bytes (const struct ummgr_budget *b)
{
  uint64_t aside = ummgr_budget_aside (b);
  return aside < b->room ? b->room - aside : 0;
}

bool
ummgr_budget_look (struct ummgr_budget *b, uint64_t libgomp)
{
  uint64_t change
    = libgomp > b->libgomp ? libgomp - b->libgomp : b->libgomp - libgomp;
  if (!b->reserve || change < b->reserve / 16)
    return false;
  b->libgomp = libgomp;
  return true;
}

static enum ummgr_partial
find_partial (const char *word)
{
  return !word ? UMMGR_PARTIAL_POLICY
    : strcmp (word, "on") == 0 ? UMMGR_PARTIAL_ON
    : strcmp (word, "off") == 0 ? UMMGR_PARTIAL_OFF
    : strcmp (word, "paper") == 0 ? UMMGR_PARTIAL_PAPER : UMMGR_PARTIAL_POLICY;
}

static double
of_rate (double rate)
{
  return rate > 0 ? 1 / rate : 0;
}

/* A part of an object that ended within a block would take all of its last
   one.  The tree prefetcher brings a part of a block as soon as more than half of it
   is there (kernel-open/nvidia-uvm/uvm_perf_prefetch.c of NVIDIA's open kernel modules): pages 0, 1, 2, 4,
   8 and 16 of a block of 32 fault.  */
struct ummgr_policy_config
ummgr_policy_configure (const struct ummgr_policy_given *given)
{
  const struct ummgr_figures *figures = given->figures;
  struct ummgr_policy_config config = {
    .device = given->device,
    .budget = ummgr_budget_bytes (&given->budget),
    .transfer = given->transfer,
    .partial = find_partial (given->partial),
    .explain = given->explain,
    .discards = given->discards,
    .unit = figures->block_bytes,
    .granule = figures->fault_granularity,
    .unit_faults = 1,
    .launch_seconds = figures->launch_cost,
    .access_seconds = figures->memory_latency,
    .remote_seconds = of_rate (figures->remote_rate),
    .sent_seconds = of_rate (figures->h2d_rate),
    .threads = ummgr_figures_threads (figures)
  };
  for (uint64_t size = figures->fault_granularity; size && size < config.unit;
       size *= 2)
    config.unit_faults++;
  /* The CPU has had what is to come; what is sent need not be unmapped from it.  */
  double unmapped = config.unit / 4096. / config.unit_faults * figures->host_page_cost;
  if (given->by_demand)
    config.fault_bytes
      = (uint64_t) ((ummgr_figures_gpu_fault_ns (figures) * 1e-9 + unmapped)
		    * figures->h2d_rate);
  return config;
}
