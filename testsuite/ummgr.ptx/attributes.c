/* What a kernel takes: registers that are live at a time, shared memory.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "ptx-test.h"

enum { VALUES = 8 };

static void
make_text (struct text *t)
{
  put_preamble (t);
  put (t, ".shared .align 64 .b8 team[192];\n"
	  ".visible .entry sum (.param .u64 p, .param .u64 q, .param .u64 r)\n{\n"
	  "  .reg .u64 %%v<%d>, %%s, %%p;\n  ld.param.u64 %%p, [p];\n", VALUES);
  /* All are live behind the last load, with the address: 18 registers of 32 bits.  */
  for (int i = 0; i < VALUES; i++)
    put (t, "  ld.global.u64 %%v%d, [%%p+%d];\n", i, 8 * i);
  put (t, "  mov.u64 %%s, 0;\n");
  for (int i = VALUES - 1; i >= 0; i--)
    put (t, "  mad.lo.u64 %%s, %%v%d, %d, %%s;\n", i, i + 1);
  put (t, "  st.shared.u64 [team+184], %%s;\n  ld.shared.u64 %%v0, [team+184];\n"
	  "  st.global.u64 [%%p], %%v0;\n  ret;\n}\n");
}

static void
test (CUmodule module)
{
  uint64_t v[VALUES], want = 0;
  for (int i = 0; i < VALUES; i++)
    {
      v[i] = 1000 + i;
      want += v[i] * (i + 1);
    }
  OK (run_kernel (module, "sum", 1, v, sizeof v));
  CHECK_EQ (v[0], want);
  CUfunction f;
  int value;
  OK (cuModuleGetFunction (&f, module, "sum"));
  /* The sum joins them, before the first is gone: 20; twice that, and 8 at a time.  */
  OK (cuFuncGetAttribute (&value, CU_FUNC_ATTRIBUTE_NUM_REGS, f));
  CHECK_EQ (value, 40);
  OK (cuFuncGetAttribute (&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, f));
  CHECK_EQ (value, 192);
  /* 65,536 registers of a multiprocessor hold 6 blocks of 256 such threads.  */
  int blocks;
  OK (cuOccupancyMaxActiveBlocksPerMultiprocessor (&blocks, f, 256, 0));
  CHECK_EQ (blocks, 6);
}
