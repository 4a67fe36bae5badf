/* What the simulated libcuda.so.1 offers beyond the driver API.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   libummgr finds `ummgr_sim_api` with dlsym; its presence is what tells the
   simulated driver from a real one.  Every function may be called from any
   thread once cuInit has succeeded.  */

#ifndef UMMGR_SIM_API_H
#define UMMGR_SIM_API_H

#include "counters.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UMMGR_SIM_API_VERSION 1

struct ummgr_sim_api
{
  uint32_t version;

  /* "v100-nvlink2"; and one line that says what --scale and --device-mem
     changed, empty when nothing was.  Static storage.  */
  const char *(*profile) (void);
  const char *(*scaling) (void);

  /* "touch" or "access": how local and remote bytes were found.  */
  const char *(*fidelity) (void);

  /* Counters of device DEVICE since start.  False if there is none such.  */
  bool (*device_counters) (int device, struct ummgr_counters *out);

  /* Counters of the allocation (plain, managed or registered) that holds
     POINTER, summed over devices; model_seconds and peak are left 0.  False
     if no allocation holds it.  */
  bool (*range_counters) (const void *pointer, struct ummgr_counters *out);

  /* While ON, what this thread allocates is scratch of libgomp's plugin (the
     soft stacks it makes for a launch): real GPUs hold them too, but they do
     not shrink with --scale or --device-mem, so the simulated capacity does
     not count them.  */
  void (*scratch_alloc) (bool on);

  /* Bytes of DEVICE's memory in use now: plain and managed.  */
  bool (*device_resident) (int device, uint64_t *plain, uint64_t *managed);

  /* False, after one warning, if the fault mechanism can't serve kernel-mode
     accesses (see faults.c); "ummgr info" says what that costs.  */
  bool (*kernel_faults) (void);
};

/* Exported by the simulated driver; the only symbol it adds.  */
extern const struct ummgr_sim_api *ummgr_sim_api (void);

#endif
