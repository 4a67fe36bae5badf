/* What tests configure policies with.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include "policy/policy.h"

/* BUDGET bytes of a device with blocks of UNIT, of which each comes by six faults, and
   FAULT_BYTES could be sent in the time of one; 0: nothing comes by demand.  */
static inline struct ummgr_policy_config
policy_config (uint64_t budget, const char *transfer, enum ummgr_partial partial,
	       uint64_t unit, uint64_t fault_bytes)
{
  static const char *const words[] = { "off", "on", "paper" };
  const struct ummgr_figures figures = {
    .block_bytes = unit, .fault_granularity = unit >> 5, .h2d_rate = 1e9,
    .gpu_fault_cost = ((double) fault_bytes + 0.5) * 1e-9, .fault_batch = 1
  };
  return ummgr_policy_configure (&(struct ummgr_policy_given) {
    .figures = &figures, .budget = { .room = budget }, .transfer = transfer,
    .partial = words[partial], .by_demand = fault_bytes
  });
}
