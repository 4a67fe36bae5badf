/* The GPU's half of the measurements.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"
#include "calibrate/kernels.h"

/* A module each: what one takes of registers is not the others' affair.  */
#define HEAD                                                                  \
  "// ummgr calibrate\n"                                                      \
  ".version 6.0\n"                                                            \
  ".target sm_30\n"                                                           \
  ".address_size 64\n"

const char ummgr_calibrate_empty[]
  = HEAD
    ".visible .entry empty (.param .u64 arguments)\n"
    "{\n"
    "ret;\n"
    "}\n";

const char ummgr_calibrate_touch[]
  = HEAD
    ".visible .entry touch (.param .u64 arguments)\n"
    "{\n"
    ".reg .u64 %a, %base, %stride, %count, %place, %teams, %from, %read;\n"
    ".reg .u32 %team, %all;\n"
    ".reg .pred %end, %strange;\n"
    "ld.param.u64 %a, [arguments];\n"
    "ld.global.u64 %base, [%a];\n"
    "ld.global.u64 %stride, [%a+8];\n"
    "ld.global.u64 %count, [%a+16];\n"
    "mov.u32 %team, %ctaid.x;\n"
    "mov.u32 %all, %nctaid.x;\n"
    "cvt.u64.u32 %place, %team;\n"
    "cvt.u64.u32 %teams, %all;\n"
    "mov.u64 %read, 0;\n"
    "NEXT:\n"
    "setp.ge.u64 %end, %place, %count;\n"
    "@%end bra DONE;\n"
    "mad.lo.u64 %from, %place, %stride, %base;\n"
    /* So that the next read waits for this one.  */
    "add.u64 %from, %from, %read;\n"
    "ld.volatile.global.u64 %read, [%from];\n"
    "add.u64 %place, %place, %teams;\n"
    "bra NEXT;\n"
    "DONE:\n"
    "setp.ne.u64 %strange, %read, 0;\n"
    "@%strange st.global.u64 [%a], %read;\n"
    "ret;\n"
    "}\n";

/* Of team T's 32 KiB, 4 a round.  Few registers, for many threads in flight.  */
const char ummgr_calibrate_sweep[]
  = HEAD
    ".visible .entry sweep (.param .u64 arguments)\n"
    "{\n"
    ".reg .u64 %a, %from, %at, %end;\n"
    ".reg .u32 %team, %warp, %lane, %thread;\n"
    ".reg .u32 %v<4>, %sum;\n"
    ".reg .pred %more, %strange;\n"
    "ld.param.u64 %a, [arguments];\n"
    "ld.global.u64 %from, [%a];\n"
    "mov.u32 %team, %ctaid.x;\n"
    "mov.u32 %warp, %tid.y;\n"
    "mov.u32 %lane, %tid.x;\n"
    "mad.lo.u32 %thread, %warp, 32, %lane;\n"
    "mul.wide.u32 %at, %team, 32768;\n"
    "add.u64 %from, %from, %at;\n"
    "add.u64 %end, %from, 32768;\n"
    "mul.wide.u32 %at, %thread, 16;\n"
    "add.u64 %from, %from, %at;\n"
    "mov.u32 %sum, 0;\n"
    "NEXT:\n"
    "ld.global.v4.u32 {%v0, %v1, %v2, %v3}, [%from];\n"
    "or.b32 %sum, %sum, %v0;\n"
    "or.b32 %sum, %sum, %v1;\n"
    "or.b32 %sum, %sum, %v2;\n"
    "or.b32 %sum, %sum, %v3;\n"
    "add.u64 %from, %from, 4096;\n"
    "setp.lt.u64 %more, %from, %end;\n"
    "@%more bra NEXT;\n"
    /* All that is read is 0, which the compiler can't know.  */
    "setp.ne.u32 %strange, %sum, 0;\n"
    "@%strange st.global.u32 [%a], %sum;\n"
    "ret;\n"
    "}\n";
