/* Launches that run the GPU's own code (--kernels=ptx).
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "device/device.h"
#include "simcuda/driver/driver.h"

/* Translate MODULE's text, if that is wanted.  Where that fails, ->kernels stays NULL and
   host versions run, after one message.  Its variables are there already, and get what the
   text says they begin with.  */
void sim_kernels_load (struct sim_module *module);
void sim_kernels_close (struct sim_module *module, bool keep_memory);

/* The kernel NAME; NULL, after one message where that was wanted: its host version is to
   run.  */
void (*sim_kernels_find (struct sim_module *module, const char *name))
  (struct ptx_warp *, const char *);

/* Registers of 32 bits that a thread of its kernels takes, and bytes of shared memory that
   a team has; 0: not known.  */
int sim_kernels_registers (const struct sim_module *module);
int sim_kernels_shared (const struct sim_module *module);

/* Is the GPU's own code to run?  */
bool sim_kernels_wanted (void);

/* Does somebody ask for accesses?  Then launches are told (sim_mem_told).  */
bool sim_kernels_watched (void);

/* As watch in device/device.h.  */
bool sim_kernels_watch (const struct ummgr_device_watch *watch);

/* In the launch thread.  */
CUresult sim_kernels_run (struct sim_op *op);
