/* Launches whose accesses are all told: they take the time, and make their accesses in the
   order, of a GPU's (gpu/gpu.h).  Who tells is the GPU's own code (ptx/), or an
   instrumented host version, whose threads run first and report; what they reported is
   then gone through.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "simcuda/driver/driver.h"
#include "device/device.h"

#include <stdbool.h>
#include <stdint.h>

/* As `model', `report', `order' and `ran' in device/device.h.  */
bool sim_told_set (const struct ummgr_device_watch *watch, unsigned threads,
		   uint64_t (*worked) (void));
void sim_told_report (const struct ummgr_trace_nest_ref *refs, uint32_t n, uint64_t work);
const char *sim_told_order (void);
bool sim_told_ran (struct ummgr_device *device, struct ummgr_device_ran *out);

/* Is FUNCTION's host version to run so?  One note for each that can't.  Under the lock of
   launches, as what follows.  */
bool sim_told_can (struct sim_function *function);

/* The launch thread is about to run FUNCTION's host version, as wide.h says, or has.  */
void sim_told_begin (struct sim_function *function);
void sim_told_end (void);

/* Then: the calling thread has come to a barrier, or to its end; the team has.  */
void sim_told_pause (void);
void sim_told_team_end (void);

/* The launch of the kernel NAME on DEVICE has run.  */
struct ummgr_gpu_result;
void sim_told_took (int device, const char *name, unsigned teams, unsigned warps,
		    const struct ummgr_gpu_result *result);
