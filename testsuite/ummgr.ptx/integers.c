/* Integer arithmetic, comparisons and bits: an overflow, a shift beyond the width, a
   division by zero or a field beyond the top that gives another value than NVIDIA's
   "Parallel Thread Execution ISA" says; what it leaves to the machine is as the machine
   code that ptxas makes has it.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "opcodes.h"

static void
sums (void)
{
  OP ("add.u16", "hhh", { 0, 0xffff, 1 }, { 0x8000, 0x7fff, 1 });
  OP ("add.s16", "hhh", { 0x8000, 0x7fff, 1 }, { 0xfffe, 0xffff, 0xffff });
  OP ("add.u32", "www", { 0, WALL, 1 }, { 7, 3, 4 });
  OP ("add.s32", "www", { WTOP, WMAX, 1 }, { 0xfffffffe, WALL, WALL });
  OP ("add.sat.s32", "www", { WMAX, WMAX, 1 }, { WTOP, WTOP, WALL }, { 5, 2, 3 },
      { WALL, WTOP, WMAX });
  OP ("add.u64", "lll", { 0, LALL, 1 }, { 0x100000000, WALL, 1 });
  OP ("add.s64", "lll", { LTOP, LMAX, 1 });
  OP ("sub.u16", "hhh", { 0xffff, 0, 1 });
  OP ("sub.s16", "hhh", { 0x7fff, 0x8000, 1 });
  OP ("sub.u32", "www", { WALL, 0, 1 }, { 1, 5, 4 });
  OP ("sub.s32", "www", { WMAX, WTOP, 1 });
  OP ("sub.sat.s32", "www", { WTOP, WTOP, 1 }, { WMAX, 0, WTOP }, { WMAX, 1, WTOP },
      { WALL, 2, 3 });
  OP ("sub.u64", "lll", { LALL, 0, 1 });
  OP ("sub.s64", "lll", { LMAX, LTOP, 1 });
  OP ("neg.s16", "hh", { 0x8000, 0x8000 }, { 0xffff, 1 });
  OP ("neg.s32", "ww", { WTOP, WTOP }, { WALL, 1 }, { 0, 0 });
  OP ("neg.s64", "ll", { LTOP, LTOP }, { LALL, 1 });
  OP ("abs.s16", "hh", { 0x8000, 0x8000 }, { 1, 0xffff }, { 5, 5 });
  OP ("abs.s32", "ww", { WTOP, WTOP }, { 1, WALL }, { 5, 5 });
  OP ("abs.s64", "ll", { LTOP, LTOP }, { 1, LALL });
  OP ("sad.u16", "hhhh", { 3, 1, 0xffff, 5 }, { 7, 9, 4, 2 });
  OP ("sad.s16", "hhhh", { 7, 1, 0xffff, 5 });
  OP ("sad.u32", "wwww", { 3, 1, WALL, 5 });
  OP ("sad.s32", "wwww", { 7, 1, WALL, 5 }, { 7, WALL, 1, 5 });
  OP ("sad.u64", "llll", { 3, 1, LALL, 5 });
  OP ("sad.s64", "llll", { 13, LALL - 4, 7, 1 });
}

static void
products (void)
{
  OP ("mul.lo.u16", "hhh", { 1, 0xffff, 0xffff }, { 0, 0x100, 0x100 });
  OP ("mul.lo.s16", "hhh", { 1, 0xffff, 0xffff }, { 0x8000, 0x8000, 0xffff });
  OP ("mul.hi.u16", "hhh", { 0xfffe, 0xffff, 0xffff });
  OP ("mul.hi.s16", "hhh", { 0, 0xffff, 0xffff }, { 0x4000, 0x8000, 0x8000 },
      { 0xffff, 0xffff, 1 });
  OP ("mul.wide.u16", "whh", { 0xfffe0001, 0xffff, 0xffff });
  OP ("mul.wide.s16", "whh", { 0xfffffffe, 0xffff, 2 }, { 0x40000000, 0x8000, 0x8000 });
  OP ("mul.lo.u32", "www", { 1, WALL, WALL }, { 0, 0x10000, 0x10000 });
  OP ("mul.lo.s32", "www", { WTOP, WTOP, WALL });
  OP ("mul.hi.u32", "www", { 0xfffffffe, WALL, WALL });
  OP ("mul.hi.s32", "www", { 0x40000000, WTOP, WTOP }, { WALL, WALL, 1 },
      { 0xc0000000, WTOP, WMAX });
  OP ("mul.wide.u32", "lww", { 0xfffffffe00000001, WALL, WALL });
  OP ("mul.wide.s32", "lww", { 1, WALL, WALL }, { LALL - 1, WALL, 2 });
  OP ("mul.lo.u64", "lll", { 1, LALL, LALL });
  OP ("mul.lo.s64", "lll", { LTOP, LTOP, LALL });
  OP ("mul.hi.u64", "lll", { LALL - 1, LALL, LALL }, { 1, 0x100000000, 0x100000000 });
  OP ("mul.hi.s64", "lll", { 0x4000000000000000, LTOP, LTOP }, { LALL, LALL, 1 },
      { 0, LALL, LALL });
  OP ("mad.lo.u16", "hhhh", { 1, 0xffff, 2, 3 });
  OP ("mad.lo.s16", "hhhh", { 0xfff9, 0xfffe, 5, 3 });
  OP ("mad.hi.u16", "hhhh", { 0, 0xffff, 0xffff, 2 });
  OP ("mad.hi.s16", "hhhh", { 0x4003, 0x8000, 0x8000, 3 });
  OP ("mad.wide.u16", "whhw", { 0, 0xffff, 0xffff, 0x1ffff });
  OP ("mad.wide.s16", "whhw", { 1, 0xffff, 2, 3 });
  OP ("mad.lo.u32", "wwww", { 1, WALL, 2, 3 });
  OP ("mad.lo.s32", "wwww", { 0xfffffff9, 0xfffffffe, 5, 3 });
  OP ("mad.hi.u32", "wwww", { 1, WALL, WALL, 3 });
  OP ("mad.hi.s32", "wwww", { 2, WALL, 1, 3 });
  OP ("mad.hi.sat.s32", "wwww", { WMAX, WTOP, WTOP, WMAX }, { WTOP, WTOP, WMAX, WTOP },
      { 2, WALL, 1, 3 });
  OP ("mad.wide.u32", "lwwl", { 0xfffffffe00000003, WALL, WALL, 2 });
  OP ("mad.wide.s32", "lwwl", { LALL, WALL, 2, 1 });
  OP ("mad.lo.u64", "llll", { 1, LALL, 2, 3 });
  OP ("mad.lo.s64", "llll", { LALL - 6, LALL - 1, 5, 3 });
  OP ("mad.hi.u64", "llll", { 1, LALL, LALL, 3 });
  OP ("mad.hi.s64", "llll", { 2, LALL, 1, 3 });
  OP ("mul24.lo.u32", "www", { 6, 0xff000002, 3 }, { 0xfe000001, 0xffffff, 0xffffff });
  OP ("mul24.hi.u32", "www", { 0xfffffe00, 0xffffff, 0xffffff });
  OP ("mul24.lo.s32", "www", { 0xfffffffe, 0xffffff, 2 }, { 6, 0x7f000002, 3 });
  OP ("mul24.hi.s32", "www", { WALL, 0xffffff, 2 }, { 0x40000000, 0x800000, 0x800000 });
  OP ("mad24.lo.u32", "wwww", { 11, 0xff000002, 3, 5 });
  OP ("mad24.hi.u32", "wwww", { 0xfffffe05, 0xffffff, 0xffffff, 5 });
  OP ("mad24.lo.s32", "wwww", { 3, 0xffffff, 2, 5 });
  OP ("mad24.hi.s32", "wwww", { 4, 0xffffff, 2, 5 });
  OP ("mad24.hi.sat.s32", "wwww", { WMAX, 0x800000, 0x800000, WMAX }, { 4, 0xffffff, 2, 5 });
}

/* "Division by zero yields an unspecified, machine-specific value": ptxas ends division and
   remainder with a selection of all bits.  */
static void
quotients (void)
{
  OP ("div.u16", "hhh", { 0xfff, 0xffff, 0x10 }, { 0, 3, 7 });
  OP ("div.s16", "hhh", { 0xfffd, 0xfff9, 2 }, { 0xfffd, 7, 0xfffe });
  OP ("div.u32", "www", { 0x7fffffff, WALL, 2 }, { WALL, 5, 0 }, { WALL, 0, 0 });
  OP ("div.s32", "www", { 0xfffffffd, 0xfffffff9, 2 }, { WTOP, WTOP, WALL },
      { WALL, 5, 0 }, { WALL, 0xfffffffb, 0 });
  OP ("div.u64", "lll", { LMAX, LALL, 2 }, { LALL, 5, 0 });
  OP ("div.s64", "lll", { LALL - 2, LALL - 6, 2 }, { LTOP, LTOP, LALL }, { LALL, 5, 0 });
  OP ("rem.u16", "hhh", { 0xf, 0xffff, 0x10 });
  OP ("rem.s16", "hhh", { 0xffff, 0xfff9, 2 }, { 1, 7, 0xfffe });
  OP ("rem.u32", "www", { 1, WALL, 2 }, { WALL, 5, 0 });
  OP ("rem.s32", "www", { WALL, 0xfffffff9, 2 }, { 1, 7, 0xfffffffe }, { 0, WTOP, WALL },
      { WALL, 5, 0 }, { WALL, 0xfffffff9, 0 });
  OP ("rem.u64", "lll", { 1, LALL, 2 }, { LALL, 5, 0 });
  OP ("rem.s64", "lll", { LALL, LALL - 6, 2 }, { 0, LTOP, LALL }, { LALL, 5, 0 });
}

static void
least_and_most (void)
{
  OP ("min.u16", "hhh", { 1, 1, 0xffff });
  OP ("min.s16", "hhh", { 0xffff, 1, 0xffff });
  OP ("min.u32", "www", { 1, 1, WALL });
  OP ("min.s32", "www", { WALL, 1, WALL }, { WTOP, WMAX, WTOP });
  OP ("min.u64", "lll", { 1, LALL, 1 });
  OP ("min.s64", "lll", { LALL, LALL, 1 });
  OP ("max.u16", "hhh", { 0xffff, 1, 0xffff });
  OP ("max.s16", "hhh", { 1, 1, 0xffff });
  OP ("max.u32", "www", { WALL, 1, WALL });
  OP ("max.s32", "www", { 1, 1, WALL }, { WMAX, WMAX, WTOP });
  OP ("max.u64", "lll", { LALL, LALL, 1 });
  OP ("max.s64", "lll", { 1, LALL, 1 });
}

static void
logic (void)
{
  OP ("and.b16", "hhh", { 0x0f00, 0xff00, 0x0ff0 });
  OP ("or.b16", "hhh", { 0xfff0, 0xff00, 0x0ff0 });
  OP ("xor.b16", "hhh", { 0xf0f0, 0xff00, 0x0ff0 });
  OP ("not.b16", "hh", { 0x00ff, 0xff00 });
  OP ("cnot.b16", "hh", { 1, 0 }, { 0, 0x100 });
  OP ("and.b32", "www", { 0x0f00ff00, 0xff00ff00, 0x0ff0ff0f });
  OP ("or.b32", "www", { 0xfff0ff0f, 0xff00ff00, 0x0ff0ff0f });
  OP ("xor.b32", "www", { 0xf0f0000f, 0xff00ff00, 0x0ff0ff0f });
  OP ("not.b32", "ww", { 0x00ff00ff, 0xff00ff00 });
  OP ("cnot.b32", "ww", { 1, 0 }, { 0, WTOP });
  OP ("and.b64", "lll", { LTOP, LALL, LTOP });
  OP ("or.b64", "lll", { LALL, LMAX, LTOP });
  OP ("xor.b64", "lll", { LMAX, LALL, LTOP });
  OP ("not.b64", "ll", { LMAX, LTOP });
  OP ("cnot.b64", "ll", { 1, 0 }, { 0, LTOP });
  OP ("and.pred", "ppp", { 0, 0, 0 }, { 0, 0, 1 }, { 0, 1, 0 }, { 1, 1, 1 });
  OP ("or.pred", "ppp", { 0, 0, 0 }, { 1, 0, 1 }, { 1, 1, 0 }, { 1, 1, 1 });
  OP ("xor.pred", "ppp", { 0, 0, 0 }, { 1, 0, 1 }, { 1, 1, 0 }, { 0, 1, 1 });
  OP ("not.pred", "pp", { 1, 0 }, { 0, 1 });
  OP ("mov.pred", "pp", { 0, 0 }, { 1, 1 });
  OP ("lop3.b32 %d, %a, %b, %c, 0x96;", "wwww", { 0x69, 0x0f, 0x33, 0x55 });
  OP ("lop3.b32 %d, %a, %b, %c, 0xe8;", "wwww", { 0x17, 0x0f, 0x33, 0x55 });
  OP ("lop3.b32 %d, %a, %b, %c, 0xf0;", "wwww", { 0x0f, 0x0f, 0x33, 0x55 });
  OP ("lop3.b32 %d, %a, %b, %c, 0xcc;", "wwww", { 0x33, 0x0f, 0x33, 0x55 });
  OP ("lop3.b32 %d, %a, %b, %c, 0xaa;", "wwww", { 0x55, 0x0f, 0x33, 0x55 });
  OP ("lop3.b32 %d, %a, %b, %c, 0x01;", "wwww", { 0xffffff80, 0x0f, 0x33, 0x55 });
}

static void
shifts (void)
{
  OP ("shl.b16", "hhw", { 0, 1, 16 }, { 0x8000, 1, 15 }, { 0, 1, WALL }, { 0, 0xffff, 32 });
  OP ("shl.b32", "www", { 0, 1, 32 }, { WTOP, 1, 31 }, { 0, 1, WALL }, { 6, 3, 1 });
  OP ("shl.b64", "llw", { 0, 1, 64 }, { LTOP, 1, 63 }, { 0, 1, WALL },
      { 0x100000000, 1, 32 });
  OP ("shr.b16", "hhw", { 0, 0xffff, 16 }, { 1, 0x8000, 15 });
  OP ("shr.u16", "hhw", { 0, 0xffff, 16 }, { 1, 0x8000, 15 });
  OP ("shr.s16", "hhw", { 0xffff, 0x8000, 16 }, { 0xffff, 0x8000, 15 }, { 0, 0x7fff, 99 },
      { 0xc000, 0x8000, 1 });
  OP ("shr.b32", "www", { 0, WALL, 32 }, { 1, WTOP, 31 });
  OP ("shr.u32", "www", { 0, WALL, 32 }, { 1, WTOP, 31 }, { 0, WALL, WALL });
  OP ("shr.s32", "www", { WALL, WTOP, 32 }, { WALL, WTOP, 31 }, { 0, WMAX, WALL },
      { 0xc0000000, WTOP, 1 }, { WALL, WTOP, WALL });
  OP ("shr.u64", "llw", { 0, LALL, 64 }, { 1, LTOP, 63 });
  OP ("shr.s64", "llw", { LALL, LTOP, 64 }, { LALL, LTOP, 63 }, { 0, LMAX, WALL });
  OP ("shf.l.wrap.b32", "wwww", { 3, WTOP, 1, 1 }, { 3, WTOP, 1, 33 }, { 1, WTOP, 1, 32 });
  OP ("shf.l.clamp.b32", "wwww", { 3, WTOP, 1, 1 }, { WTOP, WTOP, 1, 33 },
      { WTOP, WTOP, 1, 32 }, { 1, WTOP, 1, 0 });
  OP ("shf.r.wrap.b32", "wwww", { 0xc0000000, WTOP, 1, 1 }, { WTOP, WTOP, 1, 32 });
  OP ("shf.r.clamp.b32", "wwww", { 0xc0000000, WTOP, 1, 1 }, { 1, WTOP, 1, 32 },
      { 1, WTOP, 1, WALL });
}

static void
bits (void)
{
  OP ("popc.b32", "ww", { 0, 0 }, { 32, WALL }, { 3, 0x80000101 });
  OP ("popc.b64", "wl", { 64, LALL }, { 2, 0x8000000000000001 });
  OP ("clz.b32", "ww", { 32, 0 }, { 0, WALL }, { 31, 1 });
  OP ("clz.b64", "wl", { 64, 0 }, { 63, 1 }, { 31, 0x100000000 });
  OP ("brev.b32", "ww", { WTOP, 1 }, { 0x0f000000, 0xf0 });
  OP ("brev.b64", "ll", { LTOP, 1 }, { 1, LTOP });
  OP ("bfind.u32", "ww", { WALL, 0 }, { 31, WALL }, { 4, 0x1f });
  OP ("bfind.s32", "ww", { WALL, 0 }, { WALL, WALL }, { 30, WMAX }, { 30, WTOP },
      { 2, 0xfffffff8 }, { 1, 0xfffffffd });
  OP ("bfind.u64", "wl", { WALL, 0 }, { 63, LALL }, { 32, 0x1ffffffff });
  OP ("bfind.s64", "wl", { WALL, LALL }, { 62, LTOP }, { 32, 0x1ffffffff });
  OP ("bfind.shiftamt.u32", "ww", { WALL, 0 }, { 0, WALL }, { 27, 0x1f });
  OP ("bfind.shiftamt.s32", "ww", { WALL, WALL }, { 1, WMAX }, { 1, WTOP });
  OP ("bfind.shiftamt.u64", "wl", { 0, LALL }, { 63, 1 });
  OP ("bfind.shiftamt.s64", "wl", { 1, LTOP }, { WALL, 0 });
  OP ("bfe.u32", "wwww", { 0xbe, 0xdeadbeef, 8, 8 }, { 0xd, 0xdeadbeef, 28, 8 },
      { 0, 0xdeadbeef, 32, 8 }, { 0, 0xdeadbeef, 0, 0 }, { 0xdeadbeef, 0xdeadbeef, 0, 255 },
      { 0xbe, 0xdeadbeef, 0x108, 0x308 });
  OP ("bfe.s32", "wwww", { 0xffffffbe, 0xdeadbeef, 8, 8 }, { 0, 0xdeadbeef, 8, 0 },
      { 0xfffffffd, 0xdeadbeef, 28, 8 }, { WALL, 0xdeadbeef, 40, 4 }, { 0x7, 0x70, 4, 4 },
      { WALL, WALL, 31, 1 });
  OP ("bfe.u64", "llww", { 0xbe, 0xdeadbeef00000000, 40, 8 }, { 0, LALL, 64, 8 },
      { LALL, LALL, 0, 255 });
  OP ("bfe.s64", "llww", { 0xffffffffffffffbe, 0xdeadbeef00000000, 40, 8 },
      { LALL, LTOP, 70, 8 }, { 0, LALL, 3, 0 });
  OP ("bfi.b32", "wwwww", { 0xab0, 0xab, 0, 4, 8 }, { 7, 0xab, 7, 4, 0 },
      { 0xb0000000, 0xab, 0, 28, 8 }, { 0xfffffa0f, 0xa0, WALL, 4, 8 },
      { 0x12345678, 0xab, 0x12345678, 32, 8 }, { 0xab, 0xab, WALL, 0, 255 });
  OP ("bfi.b64", "lllww", { 0xab000000000, 0xab, 0, 36, 8 }, { 0xb000000000000000, 0xab, 0, 60, 8 },
      { LALL, 0, LALL, 64, 3 });
  OP ("prmt.b32", "wwww", { 0x77665544, 0x33221100, 0x77665544, 0x7654 },
      { 0x66442200, 0x33221100, 0x77665544, 0x6420 },
      { 0xff00ff80, 0x00008000, 0xff, 0xc891 }, { 0x00000080, 0x00008000, 0, 0x8881 });
  OP ("prmt.b32.f4e", "wwww", { 0x33221100, 0x33221100, 0x77665544, 0 },
      { 0x44332211, 0x33221100, 0x77665544, 1 }, { 0x55443322, 0x33221100, 0x77665544, 2 },
      { 0x66554433, 0x33221100, 0x77665544, 7 });
  OP ("prmt.b32.b4e", "wwww", { 0x55667700, 0x33221100, 0x77665544, 0 },
      { 0x66770011, 0x33221100, 0x77665544, 1 }, { 0x77001122, 0x33221100, 0x77665544, 2 },
      { 0x00112233, 0x33221100, 0x77665544, 3 });
  OP ("prmt.b32.rc8", "wwww", { 0, 0x33221100, 0x77665544, 0 },
      { 0x11111111, 0x33221100, 0x77665544, 1 }, { 0x33333333, 0x33221100, 0x77665544, 3 });
  OP ("prmt.b32.ecl", "wwww", { 0x33221100, 0x33221100, 0x77665544, 0 },
      { 0x33221111, 0x33221100, 0x77665544, 1 }, { 0x33222222, 0x33221100, 0x77665544, 2 },
      { 0x33333333, 0x33221100, 0x77665544, 3 });
  OP ("prmt.b32.ecr", "wwww", { 0, 0x33221100, 0x77665544, 0 },
      { 0x11111100, 0x33221100, 0x77665544, 1 }, { 0x22221100, 0x33221100, 0x77665544, 2 },
      { 0x33221100, 0x33221100, 0x77665544, 3 });
  OP ("prmt.b32.rc16", "wwww", { 0x11001100, 0x33221100, 0x77665544, 0 },
      { 0x33223322, 0x33221100, 0x77665544, 1 }, { 0x11001100, 0x33221100, 0x77665544, 2 },
      { 0x33223322, 0x33221100, 0x77665544, 3 });
}

/* What a comparison is of less, equal and greater.  */
static const struct { const char *name; int is[3]; } orders[] = {
  { "eq", { 0, 1, 0 } }, { "ne", { 1, 0, 1 } }, { "lt", { 1, 0, 0 } },
  { "le", { 1, 1, 0 } }, { "gt", { 0, 0, 1 } }, { "ge", { 0, 1, 1 } },
  { "lo", { 1, 0, 0 } }, { "ls", { 1, 1, 0 } }, { "hi", { 0, 0, 1 } },
  { "hs", { 0, 1, 1 } }
};

/* SMALL < LARGE by TYPE.  */
static void
order (const char *type, const char *types, uint64_t small, uint64_t large)
{
  char text[100], of[8];
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
    {
      if ((*type == 's' && i >= 6) || (*type == 'b' && i >= 2))
	break;
      uint64_t less = orders[i].is[0], same = orders[i].is[1], more = orders[i].is[2];
      snprintf (text, sizeof text, "setp.%s.%s", orders[i].name, type);
      snprintf (of, sizeof of, "p%s", types);
      OP (text, of, { less, small, large }, { same, small, small }, { more, large, small },
	  { same, large, large });
      snprintf (text, sizeof text, "set.%s.u32.%s", orders[i].name, type);
      snprintf (of, sizeof of, "w%s", types);
      OP (text, of, { less ? WALL : 0, small, large }, { same ? WALL : 0, small, small },
	  { more ? WALL : 0, large, small });
      snprintf (text, sizeof text, "set.%s.f32.%s", orders[i].name, type);
      snprintf (of, sizeof of, "f%s", types);
      OP (text, of, { less ? F (1) : 0, small, large }, { same ? F (1) : 0, large, large });
    }
}

static void
comparisons (void)
{
  order ("u16", "hh", 1, 0xffff);
  order ("s16", "hh", 0xffff, 1);
  order ("b16", "hh", 0xffff, 1);
  order ("u32", "ww", 1, WALL);
  order ("s32", "ww", WTOP, 1);
  order ("b32", "ww", WTOP, 0);
  order ("u64", "ll", 1, LALL);
  order ("s64", "ll", LTOP, 1);
  order ("b64", "ll", LTOP, 0);
  OP ("set.lt.s32.s32", "www", { WALL, WALL, 0 }, { 0, 0, WALL });
  /* 1: the first predicate, 2: the second.  */
#define BOTH "selp.u32 %d, 1, 0, %p; @%q or.b32 %d, %d, 2;"
  OP ("setp.lt.s32 %p|%q, %a, %b; " BOTH, "www", { 1, 1, 2 }, { 2, 2, 1 });
  OP ("setp.lt.and.s32 %p|%q, %a, %b, %c; " BOTH, "wwwp", { 1, 1, 2, 1 }, { 2, 2, 1, 1 },
      { 0, 1, 2, 0 }, { 0, 2, 1, 0 });
  OP ("setp.lt.or.s32 %p|%q, %a, %b, %c; " BOTH, "wwwp", { 3, 1, 2, 1 }, { 3, 2, 1, 1 },
      { 1, 1, 2, 0 }, { 2, 2, 1, 0 });
  OP ("setp.lt.xor.s32 %p|%q, %a, %b, %c; " BOTH, "wwwp", { 2, 1, 2, 1 }, { 1, 2, 1, 1 },
      { 1, 1, 2, 0 }, { 2, 2, 1, 0 });
  OP ("setp.lt.and.u32 %p|%q, %a, %b, !%c; " BOTH, "wwwp", { 0, 1, 2, 1 }, { 1, 1, 2, 0 },
      { 2, 2, 1, 0 });
  OP ("setp.lt.or.s32 %c|%q, %a, %b, %c; mov.pred %p, %c; " BOTH, "wwwp", { 1, 1, 2, 0 },
      { 2, 2, 1, 0 }, { 3, 1, 2, 1 });
  OP ("setp.lt.xor.s32 %d, %a, %b, !%c;", "pwwp", { 1, 1, 2, 1 }, { 0, 1, 2, 0 },
      { 1, 2, 1, 0 });
  OP ("set.lt.and.u32.s32", "wwwp", { WALL, 1, 2, 1 }, { 0, 1, 2, 0 }, { 0, 2, 1, 1 });
  OP ("set.lt.or.f32.s32", "fwwp", { F (1), 1, 2, 0 }, { 0, 2, 1, 0 }, { F (1), 2, 1, 1 });
  OP ("setp.gt.s32 %p|%q, %a, %b; @!%p mov.b32 %d, 7; @%p mov.b32 %d, 8;", "www",
      { 8, 2, 1 }, { 7, 1, 2 });
}

static void
choices (void)
{
  OP ("selp.b16", "hhhp", { 1, 1, 2, 1 }, { 2, 1, 2, 0 });
  OP ("selp.s32", "wwwp", { WTOP, WTOP, 2, 1 }, { 2, 1, 2, 0 });
  OP ("selp.u64", "lllp", { LTOP, LTOP, 2, 1 }, { 2, 1, 2, 0 });
  OP ("selp.f32", "fffp", { FSNAN, FSNAN, 2, 1 }, { FNEG, 1, FNEG, 0 });
  OP ("selp.f64", "eeep", { D (2), D (2), 2, 1 }, { DNEG, 1, DNEG, 0 });
  OP ("slct.b16.s32", "hhhw", { 1, 1, 2, 0 }, { 2, 1, 2, WALL });
  OP ("slct.u32.s32", "wwww", { 1, 1, 2, WMAX }, { 2, 1, 2, WTOP });
  OP ("slct.u64.s32", "lllw", { 1, 1, 2, 0 }, { 2, 1, 2, WTOP });
  OP ("slct.f32.s32", "fffw", { F (1), F (1), F (2), 0 }, { F (2), F (1), F (2), WTOP });
  /* "-0.0 is treated as +0.0"; of a NaN the second.  */
  OP ("slct.u32.f32", "wwwf", { 1, 1, 2, F (0) }, { 1, 1, 2, FNEG }, { 2, 1, 2, F (-1) },
      { 2, 1, 2, FNAN }, { 2, 1, 2, 0x80000001 });
  OP ("slct.ftz.u32.f32", "wwwf", { 1, 1, 2, 0x80000001 }, { 2, 1, 2, F (-1) });
  OP ("slct.f64.f32", "eeef", { D (1), D (1), D (2), F (1) }, { D (2), D (1), D (2), F (-1) });
}

static void
moves (void)
{
  OP ("mov.u16", "hh", { 0xffff, 0xffff });
  OP ("mov.b32", "ww", { WTOP, WTOP });
  OP ("mov.u32", "ww", { WTOP, WTOP });
  OP ("mov.s64", "ll", { LTOP, LTOP });
  OP ("mov.f32", "ff", { FNEG, FNEG }, { F (1), F (1) });
  OP ("mov.f64", "ee", { DNEG, DNEG });
  OP ("mov.b32", "wf", { F (1), F (1) });
  OP ("mov.b64", "le", { D (1), D (1) });
  OP ("mov.b64 %d, {%a, %b};", "lww", { 0x0000000280000001, 0x80000001, 2 });
  OP ("mov.b32 %d, {%a, %b};", "whh", { 0x00028001, 0x8001, 2 });
  OP ("mov.b64 %d, {%a, %b, %c, %e};", "lhhhh", { 0x0004000300028001, 0x8001, 2, 3, 4 });
  OP ("mov.b64 {%t, %u}, %a; add.u32 %d, %t, %u;", "wl", { 0x80000003, 0x0000000280000001 });
  OP ("mov.b64 {%t, %u}, %a; sub.u32 %d, %t, %u;", "we", { (0 - (D (1) >> 32)) & WALL, D (1) });
  OP ("{ .reg .b16 %x1, %x2; mov.b32 {%x1, %x2}, %a; sub.u16 %d, %x1, %x2; }", "hw",
      { 3, 0x00050008 });
  OP ("mov.b64 {_, %d}, %a;", "wl", { 2, 0x0000000280000001 });
  OP ("mov.b64 {%t, %u}, %a; mov.b64 %d, {%u, %t};", "ll",
      { 0x8000000100000002, 0x0000000280000001 });
  /* A literal's type is the instruction's.  */
  OP ("add.u32 %d, %a, -1;", "ww", { 4, 5 });
  OP ("add.s64 %d, %a, -1;", "ll", { 4, 5 });
  OP ("mov.u32 %d, 0xffffffffU;", "w", { WALL });
  OP ("mov.u32 %d, 0b101;", "w", { 5 });
  OP ("mov.u32 %d, 017;", "w", { 15 });
  OP ("mov.u64 %d, 0x8000000000000000;", "l", { LTOP });
  OP ("mov.f32 %d, 0f3F800000;", "f", { F (1) });
  OP ("mov.f64 %d, 0d3FF0000000000000;", "e", { D (1) });
  OP ("shr.s32 %d, -8, 1;", "w", { 0xfffffffc });
  OP ("setp.lt.s32 %d, %a, -1;", "pw", { 1, 0xfffffffe }, { 0, 0 });
  OP ("mov.u32 %d, WARP_SZ;", "w", { 32 });
  OP ("mov.u32 %d, %ntid.x;", "w", { 32 });
}

static void
videos (void)
{
  OP ("vadd.u32.u32.u32.add", "wwww", { 1, WALL, 1, 1 }, { 9, 2, 3, 4 });
  OP ("vsub.u32.u32.u32.add", "wwww", { 3, 2, 3, 4 });
}

static void
make_cases (void)
{
  sums ();
  products ();
  quotients ();
  least_and_most ();
  logic ();
  shifts ();
  bits ();
  comparisons ();
  choices ();
  moves ();
  videos ();
}
