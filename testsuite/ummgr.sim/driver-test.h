/* What the tests of the simulated driver's entry points share.
   SPDX-License-Identifier: GPL-3.0-or-later

   OFFLOAD_FUNCTIONS puts host functions where GCC puts the host versions of target
   regions, and a description where mkoffload puts its own, so that a plain C
   program carries an offload image.  */

#pragma once

#include "check.h"
#include "device/cuda-types.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#define OK(CALL) CHECK_EQ (CALL, CUDA_SUCCESS)
#define GIVES(RESULT, CALL) CHECK_EQ (CALL, CUDA_ERROR_##RESULT)

/* A context on DEVICE, current.  */
static inline CUcontext
start (int device)
{
  CUcontext context;
  OK (cuInit (0));
  OK (cuCtxCreate_v2 (&context, 0, device));
  return context;
}

struct test_ptx
{
  const char *text;
  size_t size;
};
struct test_function
{
  const char *name;
  unsigned short dim[3];
};
struct test_description
{
  const struct test_ptx *ptx;
  unsigned ptx_count;
  const char *const *variables;
  unsigned variable_count;
  const struct test_function *functions;
  unsigned function_count;
};

#define OFFLOAD_FUNCTIONS                                                     \
  __attribute__ ((section (".gnu.offload_funcs"), used)) static void *const
#define OFFLOAD_VARIABLES                                                     \
  __attribute__ ((section (".gnu.offload_vars"), used)) static const struct   \
  {                                                                           \
    void *address;                                                            \
    uintptr_t size;                                                           \
  }

/* Launch FUNCTION (ARGUMENT) as libgomp's plugin does, as GRID teams.  */
static inline CUresult
launch (CUfunction function, unsigned grid, CUstream stream, void *argument)
{
  void *block[] = { argument, NULL, NULL };
  size_t size = sizeof block;
  void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, block,
		    CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END };
  return cuLaunchKernel (function, grid, 1, 1, 32, 8, 1, 0, stream, NULL,
			 extra);
}

/* Link and load TEXT as libgomp's plugin does.  */
static inline CUmodule
load (const char *text, size_t size)
{
  CUlinkState link;
  CUmodule module;
  void *cubin;
  size_t cubin_size;
  OK (cuLinkCreate_v2 (0, NULL, NULL, &link));
  OK (cuLinkAddData_v2 (link, CU_JIT_INPUT_PTX, (void *) text, size, "test",
			0, NULL, NULL));
  OK (cuLinkComplete (link, &cubin, &cubin_size));
  OK (cuModuleLoadData (&module, cubin));
  OK (cuLinkDestroy (link));
  return module;
}
