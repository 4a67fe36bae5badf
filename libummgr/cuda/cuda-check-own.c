/* The half of cuda-check.c that looks at our own declarations.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"
#include "cuda-types.h"
#include "cuda-check.h"
