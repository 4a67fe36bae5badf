/* Between cuda.c and cuda-open.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "device/cuda.h"

/* Load the driver, fill DRIVER, and set *MORE_P to the slots that a simulated one
   fills, or to NULL.  False if there is none, or (after a warning) if it lacks a
   needed entry point.  */
bool ummgr_cuda_resolve (const char *gpu, struct ummgr_cuda_driver *driver,
			 const struct ummgr_device_ops **more_p);
