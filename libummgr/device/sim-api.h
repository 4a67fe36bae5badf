/* What the simulated libcuda.so.1 offers beyond the driver API.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   libummgr finds `ummgr_sim_api` with dlsym; what it gives is what tells the
   simulated driver from a real one.  Every function may be called from any
   thread once cuInit has succeeded.

   With UMMGR_SIM_AS_CUDA in the environment, which is for tests, the driver claims to be
   real, and is one as far as a program can tell: it runs the GPU's own code, knows nothing
   of --device-mem, and gives no such table.  */

#pragma once

#include "device/device.h"

struct ummgr_sim_api
{
  /* Of device/device.h, what CUDA has no call for; the others are NULL.  */
  struct ummgr_device_ops ops;

  /* False, after one warning, if the fault mechanism can't serve kernel-mode
     accesses (simcuda/memory/fault.c); "ummgr info" says what that costs.  */
  bool (*kernel_faults) (void);
};

/* Exported by the simulated driver; the only symbol it adds.  NULL: it claims to be
   real.  */
extern const struct ummgr_sim_api *ummgr_sim_api (void);
