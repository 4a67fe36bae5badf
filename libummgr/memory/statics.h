/* Variables that each device has of its own: `declare target'.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Known from the offload images that the program registers; where devices have them, from what
   libgomp's plugin says when it has loaded an image.  The device's code has their addresses, so
   no policy has a say in where they are.  A variable that is declared with `link' is none: a
   device has a pointer there, to what a map clause brings.  */

#pragma once

#include "gomp/abi.h"
#include "memory/regions.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An image comes or goes; arguments as those of ummgr_regions_register, DATA without what stands
   before it.  */
void ummgr_statics_register (const void *host_table, const struct ummgr_nvptx_data *data);
void ummgr_statics_unregister (const void *host_table);

/* DEVICE has the image of DATA now: its functions, and then its variables, from PAIRS[I][0] to
   PAIRS[I][1].  Called, as the next one, under libgomp's lock of the device.  */
void ummgr_statics_loaded (int device, const void *data, const uintptr_t (*pairs)[2],
			   size_t count);

/* libgomp has copied SIZE bytes to ADDRESS of DEVICE (IN), or from there.  */
void ummgr_statics_copied (int device, uint64_t address, size_t size, bool in);

/* Is ADDRESS in a variable that is declared with `link'?  *BASE_P and *SIZE_P: it.  */
bool ummgr_statics_linked (uintptr_t address, uintptr_t *base_p, size_t *size_p);

/* A launch of REGION was on DEVICE: it uses what the tables say.  */
void ummgr_statics_use (struct ummgr_region *region, int device);

/* What they take of DEVICE's memory.  */
uint64_t ummgr_statics_bytes (int device);

/* Read DEVICE's counters of them, while it is there; then have the statistics list them.  */
void ummgr_statics_account (int device);
void ummgr_statics_report (void);
