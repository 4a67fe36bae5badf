/* Between cuda.c and cuda-measure.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "device/cuda.h"
#include "device/measure.h"

/* How devices of DRIVER, the one that is open, are measured; NULL if it is too old.  */
const struct ummgr_measure_ops *
ummgr_cuda_measure (const struct ummgr_cuda_driver *driver);
