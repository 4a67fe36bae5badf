/* Text as mkoffload writes it beside GCC's (gcc/config/nvptx/mkoffload.cc of GCC 13 and later, for reverse offload and
   functions that are called indirectly): directives without a line's end between them, and a table of as many
   functions as it has values.  Would break if such a program didn't load, or found another function, or if the table
   had another size, for which libgomp's plugin ends the program.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "ptx-test.h"

static void
make_text (struct text *t)
{
  put (t, ".version 7.1.target sm_80.file 1 \"<dummy>\".func __dummy$func ( );"
	  ".func __dummy$func ( ){}\n");
  for (int i = 0; i < 3; i++)
    put (t, ".func (.param .u64 out) add%d (.param .u64 in)\n{\n  .reg .u64 %%a;\n  ld.param.u64 %%a, [in];\n"
	    "  add.u64 %%a, %%a, %d;\n  st.param.u64 [out], %%a;\n  ret;\n}\n", i, 100 * (i + 1));
  put (t, ".visible .global .align 8 .u64 $offload_ind_func_table[] = {add0,add1,\n\t\tadd2};\n"
	  ".visible .global .align 4 .u32 few[] = {7};\n.visible .global .align 4 .u32 grid[][2] = {{1,2},{3,4},{5,6}};\n"
	  ".visible .entry calls (.param .u64 p, .param .u64 q, .param .u64 r)\n{\n"
	  "  .reg .u64 %%p, %%f, %%i, %%t;\n  ld.param.u64 %%p, [p];\n  ld.global.u64 %%i, [%%p];\n"
	  "  mov.u64 %%t, $offload_ind_func_table;\n  mad.lo.u64 %%t, %%i, 8, %%t;\n  ld.global.u64 %%f, [%%t];\n"
	  "  {\n  .param .u64 result;\n  .param .u64 argument;\n  st.param.u64 [argument], %%i;\n"
	  "  shape: .callprototype (.param .u64 _) _ (.param .u64 _);\n"
	  "  call (result), %%f, (argument), shape;\n  ld.param.u64 %%i, [result];\n  }\n"
	  "  st.global.u64 [%%p], %%i;\n  ret;\n}\n");
}

static void
has (CUmodule module, const char *name, size_t size)
{
  CUdeviceptr at;
  size_t bytes;
  OK (cuModuleGetGlobal_v2 (&at, &bytes, module, name));
  CHECK_EQ (bytes, size);
}

static void
test (CUmodule module)
{
  for (uint64_t i = 0; i < 3; i++)
    {
      uint64_t v = i;
      OK (run_kernel (module, "calls", 1, &v, sizeof v));
      CHECK_EQ (v, i + 100 * (i + 1));
    }
  has (module, "$offload_ind_func_table", 24);
  has (module, "few", 4);
  has (module, "grid", 24);
}
