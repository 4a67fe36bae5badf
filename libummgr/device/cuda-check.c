/* Proof at compile time that cuda-types.h agrees with the toolkit's cuda.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Built only where cuda.h is found; nothing links it.  The .def lists, which
   name types and not their definitions, are checked against cuda.h directly.
   What cuda-types.h defines itself is described by CHECK_TYPE and CHECK_FIELD
   lines, checked twice: once here, where the types are cuda.h's, and once in
   cuda-check-own.c, where they are ours.  */

#include "config.h"

/* Makes cuda.h declare the names without _v2 as well, unrenamed.  */
#define __CUDA_API_VERSION_INTERNAL 1
#include <cuda.h>

#include "device/cuda-check.h"

#define CUDA_RESULT(NAME, VALUE, TEXT)                                        \
  _Static_assert ((long long) NAME == VALUE, #NAME);
#if CUDA_VERSION < 13000
# define CUDA_RESULT_NEW(NAME, VALUE, TEXT)
#endif
#include "device/cuda-results.def"

#define CUDA_CONSTANT(NAME, VALUE)                                            \
  _Static_assert ((long long) NAME == VALUE, #NAME);
#include "device/cuda-constants.def"
#undef CUDA_CONSTANT

/* A second, differing declaration of a function is an error.  */
#define CUDA_ENTRY(NAME, PARAMETERS) extern CUresult CUDAAPI NAME PARAMETERS;
#include "device/cuda-entry.def"
#undef CUDA_ENTRY
