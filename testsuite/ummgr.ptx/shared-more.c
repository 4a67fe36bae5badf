/* Shared memory that a launch asks for beyond its kernel's own, as libgomp's plugin does for the low-latency allocator
   (libgomp/config/nvptx/allocator.c of GCC 14).  Would break if it lay on the kernel's own, on another team's, or
   nowhere, or if the kernel were told another size.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "ptx-test.h"

enum { TEAMS = 5 };

static void
make_text (struct text *t)
{
  put_preamble (t);
  /* Thread I of team J leaves 1000 J + I in both, as soon as all have it is read again.  */
  put (t, ".shared .align 8 .u64 own[4];\n.extern .shared .align 8 .u8 more[];\n"
	  ".visible .entry fill (.param .u64 p, .param .u64 q, .param .u64 r)\n{\n"
	  "  .reg .u64 %%p, %%o, %%m, %%v, %%s, %%u, %%t, %%w;\n"
	  "  .reg .u32 %%size, %%at, %%team, %%lane, %%i;\n  .reg .pred %%z;\n"
	  "  ld.param.u64 %%p, [p];\n  mov.u32 %%size, %%dynamic_smem_size;\n  mov.u32 %%i, %%tid.y;\n"
	  "  mov.u32 %%team, %%ctaid.x;\n  mov.u32 %%lane, %%tid.x;\n"
	  "  mad.lo.u32 %%at, %%team, 1000, %%i;\n  cvt.u64.u32 %%v, %%at;\n"
	  "  cvt.u64.u32 %%t, %%i;\n  mov.u64 %%o, own;\n  mad.lo.u64 %%o, %%t, 8, %%o;\n"
	  "  cvt.u64.u32 %%s, %%size;\n  mov.u64 %%m, more;\n  add.u64 %%m, %%m, %%s;\n  mul.lo.u64 %%u, %%t, 8;\n"
	  "  sub.u64 %%m, %%m, %%u;\n  sub.u64 %%m, %%m, 8;\n"
	  "  setp.ne.u32 %%z, %%lane, 0;\n  @%%z bra READ;\n"
	  "  st.shared.u64 [%%o], %%v;\n  st.shared.u64 [%%m], %%v;\nREAD:\n  bar.sync 0;\n"
	  "  ld.shared.u64 %%u, [%%o];\n  ld.shared.u64 %%w, [%%m];\n"
	  "  cvt.u64.u32 %%v, %%team;\n  mad.lo.u64 %%v, %%v, 4, %%t;\n  mad.lo.u64 %%p, %%v, 24, %%p;\n"
	  "  @%%z bra END;\n  st.global.u64 [%%p], %%u;\n  st.global.u64 [%%p+8], %%w;\n  st.global.u64 [%%p+16], %%s;\nEND:\n"
	  "  ret;\n}\n");
}

static void
test (CUmodule module)
{
  static uint64_t got[TEAMS][4][3];
  CUfunction f;
  CUdeviceptr p;
  OK (cuModuleGetFunction (&f, module, "fill"));
  OK (cuMemAlloc_v2 (&p, sizeof got));
  for (unsigned more = 32; more <= 32 << 10; more *= 32)
    {
      void *block[] = { (void *) p, NULL, NULL };
      size_t block_size = sizeof block;
      void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, block, CU_LAUNCH_PARAM_BUFFER_SIZE, &block_size,
			CU_LAUNCH_PARAM_END };
      OK (cuLaunchKernel (f, TEAMS, 1, 1, 32, 4, 1, more, NULL, NULL, extra));
      OK (cuCtxSynchronize ());
      OK (cuMemcpyDtoH_v2 (got, p, sizeof got));
      for (unsigned team = 0; team < TEAMS; team++)
	for (unsigned i = 0; i < 4; i++)
	  {
	    CHECK_EQ (got[team][i][0], 1000 * team + i);
	    CHECK_EQ (got[team][i][1], 1000 * team + i);
	    CHECK_EQ (got[team][i][2], more);
	  }
    }
  OK (cuMemFree_v2 (p));
}
