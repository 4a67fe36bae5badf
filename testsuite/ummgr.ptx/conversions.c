/* cvt in all forms: a value beyond the destination's range, a NaN, a sign that is not
   extended, bits of a wider register that count, or a rounding that is not as NVIDIA's
   "Parallel Thread Execution ISA" says.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "opcodes.h"

#define FINFN (FINF | FNEG)
#define DINFN (DINF | DNEG)

/* V's low BITS, as an integer.  */
static __int128
value_of (uint64_t v, int bits, bool is_signed)
{
  if (bits < 64)
    v &= ((uint64_t) 1 << bits) - 1;
  if (is_signed && v >> (bits - 1) & 1)
    return (__int128) v - ((__int128) 1 << bits);
  return v;
}

/* "The destination is sign- or zero-extended to the register's width" by its type.  */
static uint64_t
in_register (__int128 v, int bits, bool is_signed)
{
  int width = bits == 64 ? 64 : 32;
  uint64_t r = (uint64_t) value_of ((uint64_t) v, bits, is_signed);
  return width == 64 ? r : r & WALL;
}

static __int128
clamped (__int128 v, int bits, bool is_signed)
{
  __int128 low = is_signed ? -((__int128) 1 << (bits - 1)) : 0;
  __int128 high = ((__int128) 1 << (is_signed ? bits - 1 : bits)) - 1;
  return v < low ? low : v > high ? high : v;
}

static void
between_integers (void)
{
  static const uint64_t values[] = { 0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff,
    WMAX, WTOP, WALL, LMAX, LTOP, LALL, 0x123456789abcdef0, 0xfedcba9876543281 };
  enum { N = sizeof values / sizeof *values };
  for (int to = 0; to < 8; to++)
    for (int from = 0; from < 8; from++)
      for (int sat = 0; sat < 2; sat++)
	{
	  int to_bits = 8 << to / 2, from_bits = 8 << from / 2;
	  bool to_signed = to & 1, from_signed = from & 1;
	  uint64_t row[N][1 + OPERANDS] = { 0 };
	  /* Only where some value has to be clamped.  */
	  if (sat && (to_bits > from_bits || (to_bits == from_bits && to_signed == from_signed))
	      && (to_signed || !from_signed))
	    continue;
	  char text[60], types[3] = { to_bits == 64 ? 'l' : 'w', from_bits == 64 ? 'l' : 'w' };
	  snprintf (text, sizeof text, "cvt.%s%c%d.%c%d", sat ? "sat." : "", "us"[to_signed],
		    to_bits, "us"[from_signed], from_bits);
	  for (int i = 0; i < N; i++)
	    {
	      __int128 v = value_of (values[i], from_bits, from_signed);
	      if (sat)
		v = clamped (v, to_bits, to_signed);
	      row[i][0] = in_register (v, to_bits, to_signed);
	      row[i][1] = values[i];
	    }
	  op (text, types, N, row);
	}
}

static void
floats_into_32 (void)
{
  OP ("cvt.rni.s32.f32", "wf", { 2, F (2.5) }, { 4, F (3.5) }, { 0xfffffffe, F (-2.5) },
      { WMAX, F (1e10f) }, { WTOP, F (-1e10f) }, { 0, FNAN }, { WMAX, FINF }, { WTOP, FINFN },
      { 0, FNEG }, { WMAX, F (0x1p31f) }, { 0x7fffff80, F (0x1.fffffep30f) });
  OP ("cvt.rzi.s32.f32", "wf", { 2, F (2.9f) }, { 0xfffffffe, F (-2.9f) });
  OP ("cvt.rmi.s32.f32", "wf", { 2, F (2.9f) }, { 0xfffffffd, F (-2.1f) }, { WALL, FTINY | FNEG });
  OP ("cvt.rpi.s32.f32", "wf", { 3, F (2.1f) }, { 0xfffffffe, F (-2.9f) }, { 1, FTINY });
  OP ("cvt.rpi.ftz.s32.f32", "wf", { 3, F (2.1f) }, { 0, FTINY });
  OP ("cvt.rzi.sat.s32.f32", "wf", { WMAX, F (1e10f) });
  OP ("cvt.rni.u32.f32", "wf", { 0, F (-1) }, { 0xffffff00, F (0x1.fffffep31f) },
      { WALL, F (0x1p32f) }, { 0, FNAN }, { WALL, FINF }, { 0, F (0.5) }, { 2, F (1.5) });
  OP ("cvt.rmi.u32.f32", "wf", { 0, F (-0.5) }, { 3, F (3.9f) });
  OP ("cvt.rzi.s32.f64", "we", { WMAX, D (2147483647.5) }, { WTOP, D (-2147483648.5) },
      { WTOP, DNAN }, { WMAX, D (1e300) }, { 0xfffffff9, D (-7.9) });
  OP ("cvt.rni.s32.f64", "we", { WMAX, D (2147483647.5) }, { 0, D (0.5) }, { 2, D (1.5) });
  OP ("cvt.rmi.s32.f64", "we", { 0xfffffff8, D (-7.1) });
  OP ("cvt.rpi.s32.f64", "we", { 0xfffffff9, D (-7.1) });
  OP ("cvt.rzi.u32.f64", "we", { WALL, D (4294967295.5) }, { 0, D (-1) }, { WTOP, DNAN },
      { WALL, DINF }, { 0xfffffffe, D (4294967294.9) });
}

static void
floats_into_64 (void)
{
  OP ("cvt.rzi.s64.f32", "lf", { LMAX, F (0x1p63f) }, { LTOP, F (-0x1p63f) }, { LTOP, FNAN },
      { 0x7fffff8000000000, F (0x1.fffffep62f) }, { LALL - 1, F (-2.9f) });
  OP ("cvt.rni.u64.f32", "lf", { LALL, F (0x1p64f) }, { 0, F (-1) }, { LTOP, FNAN },
      { 0xffffff0000000000, F (0x1.fffffep63f) });
  OP ("cvt.rzi.s64.f64", "le", { LMAX, D (0x1p63) }, { LTOP, D (-0x1p63) }, { LTOP, DNAN },
      { LTOP, DINFN }, { LALL - 6, D (-7.9) }, { 0x20000000000000, D (0x1p53) });
  OP ("cvt.rmi.s64.f64", "le", { LALL - 7, D (-7.1) });
  OP ("cvt.rpi.s64.f64", "le", { LALL - 6, D (-7.1) });
  OP ("cvt.rni.s64.f64", "le", { 2, D (2.5) }, { 4, D (3.5) });
  OP ("cvt.rzi.u64.f64", "le", { LALL, D (0x1p64) }, { 0, D (-0.9) }, { 0, D (-5) },
      { LTOP, DNAN }, { 0xfffffffffffff800, D (0x1.fffffffffffffp63) });
}

static void
floats_into_less (void)
{
  OP ("cvt.rzi.s16.f32", "hf", { 0x7fff, F (40000) }, { 0x8000, F (-40000) }, { 0, FNAN },
      { 0xffff, F (-1.5) });
  OP ("cvt.rzi.u16.f32", "hf", { 0xffff, F (70000) }, { 0, F (-1) }, { 0, FNAN }, { 7, F (7.9f) });
  OP ("cvt.rni.s8.f32", "wf", { 127, F (200) }, { 0xffffff80, F (-200) }, { 2, F (2.5) });
  OP ("cvt.rzi.u8.f32", "wf", { 255, F (300) }, { 0, F (-1) }, { 254, F (254.9f) });
  OP ("cvt.rzi.s16.f64", "he", { 0x7fff, D (40000) }, { 0xfffe, D (-2.5) });
  OP ("cvt.rzi.u16.f64", "he", { 0xffff, D (70000) }, { 2, D (2.5) });
  OP ("cvt.rpi.s8.f64", "we", { 127, D (200) }, { 0xfffffffe, D (-2.5) });
  OP ("cvt.rmi.u8.f64", "we", { 255, D (300) }, { 2, D (2.5) });
}

static void
integers_into_floats (void)
{
  const uint64_t big = 0x4b800000;	/* 2^24.  */
  OP ("cvt.rn.f32.s32", "fw", { big, 16777217 }, { big + 2, 16777219 }, { F (-1), WALL },
      { 0xcf000000, WTOP });
  OP ("cvt.rz.f32.s32", "fw", { big, 16777217 }, { big + 1, 16777219 }, { 0x4effffff, WMAX });
  OP ("cvt.rp.f32.s32", "fw", { big + 1, 16777217 }, { big | FNEG, 0 - 16777217u });
  OP ("cvt.rm.f32.s32", "fw", { big, 16777217 }, { (big + 1) | FNEG, 0 - 16777217u });
  OP ("cvt.rn.f32.u32", "fw", { 0x4f800000, WALL }, { big, 16777217 });
  OP ("cvt.rz.f32.u32", "fw", { 0x4f7fffff, WALL });
  OP ("cvt.rn.f32.s64", "fl", { 0xdf000000, LTOP }, { 0x5f000000, LMAX }, { F (-1), LALL });
  OP ("cvt.rz.f32.s64", "fl", { 0x5effffff, LMAX });
  OP ("cvt.rn.f32.u64", "fl", { 0x5f800000, LALL }, { 0x5f000000, 0x8000008000000000 },
      { 0x5f000001, 0x8000008000000001 });
  OP ("cvt.rz.f32.u64", "fl", { 0x5f7fffff, LALL });
  OP ("cvt.rp.f32.u64", "fl", { 0x5f000001, LTOP + 1 });
  OP ("cvt.rn.f32.u16", "fh", { F (65535), 0xffff });
  OP ("cvt.rn.f32.s16", "fh", { F (-1), 0xffff });
  OP ("cvt.rn.f32.s8", "fw", { F (-128), 0xabcdef80 }, { F (127), 0x17f });
  OP ("cvt.rn.f32.u8", "fw", { F (128), 0xabcdef80 });
  OP ("cvt.rn.f64.s32", "ew", { D (-2147483648.0), WTOP });
  OP ("cvt.rn.f64.u32", "ew", { D (4294967295.0), WALL });
  OP ("cvt.rn.f64.s16", "eh", { D (-1), 0xffff });
  OP ("cvt.rn.f64.u8", "ew", { D (255), 0xfff });
  OP ("cvt.rn.f64.s64", "el", { D (0x1p53), 9007199254740993 }, { D (-0x1p63), LTOP });
  OP ("cvt.rp.f64.s64", "el", { D (0x1p53 + 2), 9007199254740993 });
  OP ("cvt.rz.f64.s64", "el", { D (0x1p53), 9007199254740993 },
      { D (-0x1p53), 0 - 9007199254740993ull });
  OP ("cvt.rm.f64.s64", "el", { D (-0x1p53 - 2), 0 - 9007199254740993ull });
  OP ("cvt.rn.f64.u64", "el", { 0x43f0000000000000, LALL });
  OP ("cvt.rz.f64.u64", "el", { 0x43efffffffffffff, LALL });
  OP ("cvt.rn.sat.f32.s32", "fw", { F (1), 5 }, { 0, WALL }, { 0, 0 });
}

static void
between_floats (void)
{
  OP ("cvt.rn.f32.f64", "fe", { F (1), D (1 + 0x1p-25) }, { F (1), D (1 + 0x1p-24) },
      { F (1) + 1, D (1 + 0x1.8p-24) }, { FINF, D (1e300) }, { FNAN, DNAN }, { FNEG, DNEG },
      { FTINY, D (0x1p-149) }, { 0, D (0x1p-150) });
  OP ("cvt.rz.f32.f64", "fe", { F (1), D (1 + 0x1.8p-24) }, { FMAX_, D (1e300) },
      { F (-1), D (-1 - 0x1p-30) });
  OP ("cvt.rm.f32.f64", "fe", { F (1), D (1 + 0x1.8p-24) }, { (F (1) + 1) | FNEG, D (-1 - 0x1p-30) });
  OP ("cvt.rp.f32.f64", "fe", { F (1) + 1, D (1 + 0x1p-30) }, { FTINY, D (0x1p-200) });
  OP ("cvt.rn.ftz.f32.f64", "fe", { 0, D (1e-40) }, { FNEG, D (-1e-40) }, { F (2), D (2) });
  OP ("cvt.rn.sat.f32.f64", "fe", { F (1), D (2) }, { 0, D (-2) }, { 0, DNAN }, { F (0.5), D (0.5) });
  OP ("cvt.f64.f32", "ef", { 0x36a0000000000000, FTINY }, { DNAN, FNAN }, { DINFN, FINFN },
      { D (1.5), F (1.5) }, { DNEG, FNEG });
  OP ("cvt.ftz.f64.f32", "ef", { 0, FTINY }, { DNEG, FTINY | FNEG }, { D (1.5), F (1.5) });
  OP ("cvt.sat.f64.f32", "ef", { D (1), F (1.5) }, { 0, F (-1) }, { 0, FNAN });
  OP ("cvt.f32.f32", "ff", { F (1.5), F (1.5) }, { FTINY, FTINY }, { FNEG, FNEG });
  OP ("cvt.ftz.f32.f32", "ff", { FNEG, FTINY | FNEG });
  OP ("cvt.sat.f32.f32", "ff", { F (1), F (1.5) }, { 0, F (-1.5) }, { 0, FNAN }, { F (0.5), F (0.5) });
  OP ("cvt.rni.f32.f32", "ff", { F (2), F (2.5) }, { FNEG, F (-0.5) }, { F (4), F (3.5) },
      { FINF, FINF }, { F (1e20f), F (1e20f) });
  OP ("cvt.rzi.f32.f32", "ff", { F (2), F (2.9f) }, { FNEG, F (-0.9f) });
  OP ("cvt.rmi.f32.f32", "ff", { F (2), F (2.9f) }, { F (-1), F (-0.1f) }, { F (-1), FTINY | FNEG });
  OP ("cvt.rpi.f32.f32", "ff", { F (3), F (2.1f) }, { FNEG, F (-0.9f) });
  OP ("cvt.rpi.ftz.f32.f32", "ff", { 0, FTINY }, { F (1), F (0.5) });
  OP ("cvt.rni.sat.f32.f32", "ff", { F (1), F (2.5) }, { 0, F (0.5) });
  OP ("cvt.rni.f64.f64", "ee", { D (2), D (2.5) }, { DNEG, D (-0.5) });
  OP ("cvt.rzi.f64.f64", "ee", { D (2), D (2.9) }, { DNEG, D (-0.9) });
  OP ("cvt.rmi.f64.f64", "ee", { D (-3), D (-2.1) });
  OP ("cvt.rpi.f64.f64", "ee", { D (-2), D (-2.1) });
}

static void
make_cases (void)
{
  between_integers ();
  floats_into_32 ();
  floats_into_64 ();
  floats_into_less ();
  integers_into_floats ();
  between_floats ();
  OP ("cvta.global.u64", "ll", { 5, 5 });
  OP ("cvta.to.global.u64", "ll", { 5, 5 });
}
