/* A region that runs the wrong host function, a variable with another's
   storage, a name that is found though it is not there, or a launch that a
   real driver refuses.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-env "UMMGR_PROFILE=v100-nvlink2 UMMGR_LOG=error" } */

#include "driver-test.h"

#include <stdio.h>

static int first_ran, second_ran, counter = 40, unused = 7;
static const int table[4] = { 1, 2, 3, 4 };
static int *chain = &counter;

static void
first (void *data)
{
  first_ran++;
  *(int *) data = counter + table[3];
  counter++;
  *chain += 100;
}

static void
second (void *data)
{
  second_ran++;
}

static const char ptx[]
  = "// BEGIN PREAMBLE\n.version 6.3\n.target sm_75\n.address_size 64\n"
    ".extern .func helper (.param .u64 %in_ar0);\n"
    ".visible .global .align 4 .u32 counter[1] = {40 };\n"
    ".visible .global .align 8 .u64 chain[1] = { counter };\n"
    ".visible .global .align 4 .u32 unused[1] = { 7 };\n"
    ".visible .const .align 4 .u32 table[4] = { 1, 2, 3, 4 };\n"
    ".visible .global .align 4 .u32 __gomp_device_num;\n"
    ".visible .global .align 8 .f64 grid[3][5];\n"
    ".visible .entry second (.param .u64 %in) { ret; }\n"
    ".visible .entry first (.param .u64 %in)\n{\n"
    "ld.u64 %r1,[chain];\n{ ld.const.u32 %r2,[table+12]; }\nret;\n}\n";

/* As mkoffload orders them: not as the text does.  */
OFFLOAD_FUNCTIONS functions[] = { first, second };
OFFLOAD_VARIABLES variables[] = {
  { &unused, sizeof unused }, { (void *) table, sizeof table },
  { &chain, sizeof chain }, { &counter, sizeof counter }
};
static const char *const variable_names[] = { "unused", "table", "chain",
					       "counter" };
static const struct test_function function_names[] = { { "first", { 0 } },
							{ "second", { 0 } } };
static const struct test_ptx texts[] = { { ptx, sizeof ptx } };
/* Not read here; the driver looks for it.  */
extern const struct test_description description;
const struct test_description description
  = { texts, 1, variable_names, 4, function_names, 2 };

static void
linking (void)
{
  CUlinkState link;
  CUmodule module;
  void *cubin;
  char log[100] = "unset";
  CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER,
			     CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
  void *values[] = { log, (void *) sizeof log };
  OK (cuLinkCreate_v2 (2, options, values, &link));
  GIVES (INVALID_VALUE, cuLinkComplete (link, &cubin, NULL));
  GIVES (INVALID_PTX, cuLinkAddData_v2 (link, CU_JIT_INPUT_PTX,
					(void *) "junk", 5, "junk.ptx", 0,
					NULL, NULL));
  CHECK (strstr (log, "junk.ptx"));
  GIVES (INVALID_IMAGE, cuLinkAddData_v2 (link, CU_JIT_INPUT_CUBIN,
					  (void *) "junk", 5, NULL, 0, NULL,
					  NULL));
  GIVES (INVALID_VALUE, cuLinkAddData_v2 (link, 77, (void *) ptx, sizeof ptx,
					  NULL, 0, NULL, NULL));
  GIVES (INVALID_VALUE, cuLinkAddData_v2 (link, CU_JIT_INPUT_PTX, NULL, 0,
					  NULL, 0, NULL, NULL));
  OK (cuLinkDestroy (link));
  GIVES (INVALID_HANDLE, cuLinkDestroy (link));
  GIVES (INVALID_HANDLE, cuLinkComplete (link, &cubin, NULL));
  GIVES (INVALID_IMAGE, cuModuleLoadData (&module, "not an image"));
  GIVES (INVALID_VALUE, cuModuleLoadData (&module, NULL));
  GIVES (FILE_NOT_FOUND, cuModuleLoad (&module, "/nonexistent.ptx"));
}

/* Text that no program carries: its kernels can't run.  */
static void
from_file (void)
{
  char name[] = "/tmp/drv-module-XXXXXX";
  int fd = mkstemp (name);
  CUmodule module;
  CUfunction function;
  CHECK (fd >= 0 && write (fd, ptx, sizeof ptx - 1) == sizeof ptx - 1);
  close (fd);
  OK (cuModuleLoad (&module, name));
  unlink (name);
  GIVES (NOT_FOUND, cuModuleGetFunction (&function, module, "first"));
  OK (cuModuleUnload (module));
}

static int
device_value (CUmodule module, const char *name)
{
  CUdeviceptr p;
  size_t size;
  int value;
  OK (cuModuleGetGlobal_v2 (&p, &size, module, name));
  OK (cuMemcpyDtoH_v2 (&value, p, sizeof value));
  return value;
}

static void
globals (CUmodule module)
{
  CUdeviceptr p, q;
  size_t size;
  OK (cuModuleGetGlobal_v2 (&p, &size, module, "table"));
  CHECK_EQ (size, sizeof table);
  OK (cuModuleGetGlobal_v2 (&q, &size, module, "counter"));
  CHECK (p != q && q != (CUdeviceptr) &counter);
  CHECK_EQ (size, sizeof counter);
  /* The image's value, not what the program has stored since.  */
  CHECK_EQ (device_value (module, "counter"), 40);
  CHECK_EQ (device_value (module, "unused"), 7);
  OK (cuModuleGetGlobal_v2 (NULL, &size, module, "__gomp_device_num"));
  CHECK_EQ (size, 4);
  OK (cuModuleGetGlobal_v2 (&p, &size, module, "grid"));
  CHECK_EQ (size, 120);
  GIVES (NOT_FOUND, cuModuleGetGlobal_v2 (&p, &size, module, "nothing"));
  GIVES (NOT_FOUND, cuModuleGetGlobal_v2 (&p, &size, module, "helper"));
  GIVES (INVALID_VALUE, cuModuleGetGlobal_v2 (&p, &size, module, NULL));
  GIVES (INVALID_VALUE, cuMemFree_v2 (q));
}

static void
running (CUmodule module, CUfunction f, CUfunction s)
{
  CUdeviceptr p;
  int value = 0;
  OK (cuMemAlloc_v2 (&p, sizeof (int)));
  OK (launch (f, 1, NULL, (void *) p));
  OK (cuCtxSynchronize ());
  OK (cuMemcpyDtoH_v2 (&value, p, sizeof value));
  CHECK (first_ran == 1 && second_ran == 0);
  CHECK_EQ (value, 44);
  CHECK_EQ (counter, 1000);
  CHECK_EQ (device_value (module, "counter"), 141);
  OK (launch (s, 1, NULL, (void *) p));
  OK (cuStreamSynchronize (NULL));
  CHECK (first_ran == 1 && second_ran == 1);
  OK (cuMemFree_v2 (p));
}

static CUresult
launch_shape (CUfunction f, unsigned gx, unsigned gy, unsigned bx, unsigned by,
	      unsigned shared)
{
  void *argument = NULL, *parameters[] = { &argument };
  return cuLaunchKernel (f, gx, gy, 1, bx, by, 1, shared, NULL, parameters,
			 NULL);
}

static void
refused (CUfunction s)
{
  void *argument = NULL, *parameters[] = { &argument };
  size_t size = 24;
  void *block[3] = { NULL };
  void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, block,
		    CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END };
  void *odd[] = { (void *) 9, block, CU_LAUNCH_PARAM_END };
  GIVES (INVALID_VALUE, launch_shape (s, 0, 1, 32, 1, 0));
  GIVES (INVALID_VALUE, launch_shape (s, 1, 1, 0, 1, 0));
  GIVES (INVALID_VALUE, launch_shape (s, 1, 1, 32, 33, 0));
  GIVES (INVALID_VALUE, launch_shape (s, 1, 70000, 32, 1, 0));
  GIVES (INVALID_VALUE, launch_shape (s, 1, 1, 32, 1, 1 << 20));
  GIVES (INVALID_HANDLE, launch_shape (NULL, 1, 1, 32, 1, 0));
  GIVES (INVALID_HANDLE, launch_shape ((CUfunction) block, 1, 1, 32, 1, 0));
  GIVES (INVALID_VALUE, cuLaunchKernel (s, 1, 1, 1, 32, 1, 1, 0, NULL,
					parameters, extra));
  GIVES (INVALID_VALUE,
	 cuLaunchKernel (s, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, odd));
  GIVES (INVALID_VALUE,
	 cuLaunchKernel (s, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
  GIVES (INVALID_HANDLE, cuLaunchKernel (s, 1, 1, 1, 32, 1, 1, 0,
					 (CUstream) block, parameters, NULL));
  CHECK_EQ (second_ran, 1);
}

static void
attributes (CUfunction f, CUmodule module)
{
  int value, grid, block;
  CUmodule owner;
  OK (cuFuncGetAttribute (&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, f));
  CHECK (value >= 256 && value <= 1024);
  OK (cuFuncGetAttribute (&value, CU_FUNC_ATTRIBUTE_NUM_REGS, f));
  CHECK (value > 0 && value <= 255);
  GIVES (INVALID_VALUE, cuFuncGetAttribute (&value, 99, f));
  GIVES (INVALID_HANDLE,
	 cuFuncGetAttribute (&value, CU_FUNC_ATTRIBUTE_NUM_REGS, NULL));
  OK (cuFuncGetModule (&owner, f));
  CHECK (owner == module);
  OK (cuFuncSetAttribute (f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
			  64 << 10));
  OK (launch_shape (f, 1, 1, 32, 1, 60 << 10));
  OK (cuCtxSynchronize ());
  OK (cuOccupancyMaxPotentialBlockSize (&grid, &block, f, NULL, 0, 0));
  CHECK (block >= 32 && block <= 1024 && grid >= 80);
  OK (cuOccupancyMaxActiveBlocksPerMultiprocessor (&value, f, block, 0));
  CHECK_EQ (grid, 80 * value);
}

int
main (void)
{
  CUfunction f, s, again, other;
  CUcontext a = start (0), b;
  linking ();
  from_file ();
  counter = 1000;
  CUmodule module = load (ptx, sizeof ptx);
  globals (module);
  OK (cuModuleGetFunction (&s, module, "second"));
  OK (cuModuleGetFunction (&f, module, "first"));
  OK (cuModuleGetFunction (&again, module, "first"));
  CHECK (f == again && f != s);
  GIVES (NOT_FOUND, cuModuleGetFunction (&other, module, "third"));
  GIVES (NOT_FOUND, cuModuleGetFunction (&other, module, "counter"));
  GIVES (INVALID_VALUE, cuModuleGetFunction (&other, module, ""));
  GIVES (INVALID_HANDLE, cuModuleGetFunction (&other, NULL, "first"));
  running (module, f, s);
  refused (s);
  attributes (s, module);
  /* Of another context.  */
  OK (cuCtxCreate_v2 (&b, 0, 0));
  GIVES (INVALID_HANDLE, launch (f, 1, NULL, NULL));
  OK (cuCtxDestroy_v2 (b));
  OK (cuCtxSetCurrent (a));
  OK (cuModuleUnload (module));
  GIVES (INVALID_HANDLE, cuModuleUnload (module));
  GIVES (INVALID_HANDLE, launch (f, 1, NULL, NULL));
  return 0;
}
