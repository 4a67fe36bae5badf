/* A launch of one thread, as libgomp's plugin has for a program's constructors (GOMP_OFFLOAD_load_image of GCC 15 and
   later; libgcc/config/nvptx/gbl-ctors.c).  Would break if it was refused, or if what it does happened once for each
   lane of a warp.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "ptx-test.h"

/* As GCC has atomic operations outside of simd regions: by the lane that __nvptx_uni names, which such a kernel sets
   to 0 for its only thread.  */
static void
make_text (struct text *t)
{
  put_preamble (t);
  put (t, ".shared .align 4 .u32 __nvptx_uni[32];\n.visible .global .align 8 .u64 made[2] = {5, 7};\n"
	  ".visible .entry __do_global_ctors__entry__mgomp (.param .u64 in)\n{\n"
	  "  .reg .u64 %%a, %%v, %%w;\n  .reg .u32 %%lane, %%uni, %%master;\n  .reg .pred %%z;\n"
	  "  st.shared.u32 [__nvptx_uni], 0;\n  mov.u64 %%a, made;\n"
	  "  ld.global.u64 %%v, [%%a];\n  add.u64 %%v, %%v, 1;\n  st.global.u64 [%%a], %%v;\n"
	  "  mov.u32 %%lane, %%laneid;\n  ld.shared.u32 %%uni, [__nvptx_uni];\n  and.b32 %%master, %%lane, %%uni;\n"
	  "  setp.eq.u32 %%z, %%master, %%lane;\n  @%%z atom.global.add.u64 %%w, [%%a+8], 1;\n  ret;\n}\n");
}

static void
test (CUmodule module)
{
  CUfunction f;
  CUdeviceptr at, stack;
  size_t bytes;
  uint64_t made[2];
  OK (cuModuleGetFunction (&f, module, "__do_global_ctors__entry__mgomp"));
  OK (cuMemAlloc_v2 (&stack, 128 << 10));
  void *parameters[] = { &stack };
  OK (cuLaunchKernel (f, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
  OK (cuCtxSynchronize ());
  OK (cuModuleGetGlobal_v2 (&at, &bytes, module, "made"));
  CHECK_EQ (bytes, sizeof made);
  OK (cuMemcpyDtoH_v2 (made, at, sizeof made));
  CHECK (made[0] == 6 && made[1] == 8);
  OK (cuMemFree_v2 (stack));
}
