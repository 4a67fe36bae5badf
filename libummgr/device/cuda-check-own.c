/* The half of cuda-check.c that looks at our own declarations.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"
#include "device/cuda-types.h"
#include "device/cuda-check.h"
