/* Floating-point arithmetic and comparisons: a rounding, a subnormal number that .ftz has to
   make zero, a NaN in min or a comparison, or the sign of a zero that is not as NVIDIA's
   "Parallel Thread Execution ISA" says.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "opcodes.h"

#define FINFN (FINF | FNEG)
#define DINFN (DINF | DNEG)

/* 1 and 2^-24, between 1 and the next; 2^-53 likewise.  */
static void
sums (void)
{
  const uint64_t h = F (0x1p-24f), next = F (1) + 1, d = D (0x1p-53), dnext = D (1) + 1;
  OP ("add.f32", "fff", { F (1), F (1), h }, { next + 1, next, h }, { 0, F (1), F (-1) },
      { FINF, FMAX_, FMAX_ }, { FNAN, FINF, FINFN }, { FNAN, FNAN, F (1) },
      { FNEG, FNEG, FNEG }, { 0, FNEG, 0 }, { 2, FTINY, FTINY }, { FNAN, F (1), FSNAN });
  OP ("add.rn.f32", "fff", { F (1), F (1), h }, { next + 1, next, h });
  OP ("add.rz.f32", "fff", { F (1), F (1), h }, { next, next, h }, { FMAX_, FMAX_, FMAX_ },
      { 0, F (1), F (-1) });
  OP ("add.rm.f32", "fff", { F (1), F (1), h }, { next | FNEG, F (-1), h | FNEG },
      { FNEG, F (1), F (-1) }, { FMAX_, FMAX_, FMAX_ }, { FINFN, FMAX_ | FNEG, FMAX_ | FNEG });
  OP ("add.rp.f32", "fff", { next, F (1), h }, { F (-1), F (-1), h | FNEG },
      { 0, F (1), F (-1) }, { FINF, FMAX_, FMAX_ }, { FMAX_ | FNEG, FMAX_ | FNEG, FMAX_ | FNEG });
  OP ("add.ftz.f32", "fff", { 0, FTINY, FTINY }, { FNEG, FTINY | FNEG, FTINY | FNEG },
      { FNEG, FMIN_, FMIN_ | FNEG | 1 }, { FMIN_, FMIN_, FTINY }, { F (3), F (1), F (2) });
  OP ("add.sat.f32", "fff", { F (1), F (0.75), F (0.75) }, { 0, F (-1), F (0.5) },
      { 0, FNAN, F (1) }, { F (0.5), F (0.25), F (0.25) }, { F (1), FINF, F (1) });
  OP ("add.rz.ftz.sat.f32", "fff", { 0, FTINY, FTINY }, { F (1), F (1), h });
  OP ("add.f64", "eee", { D (1), D (1), d }, { dnext + 1, dnext, d }, { DNAN, DINF, DINFN },
      { 2, DTINY, DTINY });
  OP ("add.rz.f64", "eee", { dnext, dnext, d });
  OP ("add.rm.f64", "eee", { dnext | DNEG, D (-1), d | DNEG }, { DNEG, D (1), D (-1) });
  OP ("add.rp.f64", "eee", { dnext, D (1), d }, { DINF, DMAX_, DMAX_ });
  OP ("sub.f32", "fff", { F (-1), F (1), F (2) }, { FNAN, FINF, FINF }, { 0, F (1), F (1) },
      { FNEG, FNEG, 0 });
  OP ("sub.rm.f32", "fff", { FNEG, F (1), F (1) });
  OP ("sub.rz.f32", "fff", { F (1) - 1, F (1), F (0x1p-30f) });
  OP ("sub.rp.f32", "fff", { F (1), F (1), F (0x1p-30f) });
  OP ("sub.ftz.f32", "fff", { 0, FMIN_ + 1, FMIN_ }, { 0, FTINY, 0 });
  OP ("sub.sat.f32", "fff", { 0, F (1), F (2) }, { F (1), F (4), F (2) });
  OP ("sub.f64", "eee", { D (-1), D (1), D (2) });
  OP ("sub.rz.f64", "eee", { D (1) - 1, D (1), D (0x1p-60) });
}

static void
products (void)
{
  const uint64_t third = F (1 / 3.0f);	/* 0x3eaaaaab, above 1/3.  */
  OP ("mul.f32", "fff", { F (6), F (2), F (3) }, { FINF, FMAX_, F (2) }, { FNAN, 0, FINF },
      { FNEG, 0, F (-1) }, { FMIN_ >> 1, FMIN_, F (0.5) });
  OP ("mul.rz.f32", "fff", { FMAX_, FMAX_, F (2) }, { 0x3de38e39, third, third });
  OP ("mul.rn.f32", "fff", { 0x3de38e3a, third, third });
  OP ("mul.rm.f32", "fff", { FMAX_, FMAX_, F (2) }, { FINFN, FMAX_, F (-2) },
      { FTINY | FNEG, FTINY, F (-0.25) });
  OP ("mul.rp.f32", "fff", { FINF, FMAX_, F (2) }, { FMAX_ | FNEG, FMAX_, F (-2) },
      { FTINY, FTINY, F (0.25) }, { FNEG, FTINY, F (-0.25) });
  OP ("mul.ftz.f32", "fff", { 0, FMIN_, F (0.5) }, { FNEG, FMIN_, F (-0.5) },
      { 0, FTINY, F (0x1p100f) });
  OP ("mul.sat.f32", "fff", { F (1), F (2), F (3) }, { 0, F (-2), F (3) }, { 0, FNAN, 0 });
  OP ("mul.f64", "eee", { D (6), D (2), D (3) }, { DINF, DMAX_, D (2) });
  OP ("mul.rz.f64", "eee", { DMAX_, DMAX_, D (2) });
  OP ("mul.rm.f64", "eee", { DINFN, DMAX_, D (-2) }, { DTINY | DNEG, DTINY, D (-0.25) });
  OP ("mul.rp.f64", "eee", { DTINY, DTINY, D (0.25) });
  /* (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24: the last bit is lost when rounded in between.  */
  const uint64_t a = F (1 + 0x1p-12f), c = F (-1 - 0x1p-11f);
  const uint64_t e = D (1 + 0x1p-27), g = D (-1 - 0x1p-26);
  OP ("fma.rn.f32", "ffff", { F (0x1p-24f), a, a, c }, { FNAN, FINF, 0, F (1) },
      { FNAN, FINF, F (1), FINFN }, { FNEG, 0, F (-1), FNEG }, { F (7), F (2), F (3), F (1) });
  OP ("fma.rz.f32", "ffff", { F (1), F (1), F (1), F (0x1p-25f) },
      { F (1) - 1, F (1), F (1), F (-0x1p-40f) });
  OP ("fma.rm.f32", "ffff", { FNEG, F (1), F (1), F (-1) }, { F (1), F (1), F (1), F (0x1p-25f) });
  OP ("fma.rp.f32", "ffff", { F (1) + 1, F (1), F (1), F (0x1p-25f) },
      { 0, F (1), F (1), F (-1) });
  OP ("fma.rn.ftz.f32", "ffff", { 0, FMIN_, F (0.5), 0 }, { F (1), FTINY, F (0x1p127f), F (1) },
      { F (2), F (1), F (2), FTINY });
  OP ("fma.rn.sat.f32", "ffff", { F (1), F (2), F (2), F (2) }, { 0, F (-2), F (2), F (2) },
      { 0, FNAN, 0, 0 });
  OP ("fma.rn.f64", "eeee", { D (0x1p-54), e, e, g }, { DNAN, DINF, 0, D (1) });
  OP ("fma.rz.f64", "eeee", { D (1) - 1, D (1), D (1), D (-0x1p-80) });
  OP ("fma.rm.f64", "eeee", { DNEG, D (1), D (1), D (-1) });
  OP ("fma.rp.f64", "eeee", { D (1) + 1, D (1), D (1), D (0x1p-80) });
  OP ("mad.rn.f32", "ffff", { F (0x1p-24f), a, a, c });
  OP ("mad.rz.f32", "ffff", { F (1), F (1), F (1), F (0x1p-25f) });
  OP ("mad.rn.ftz.sat.f32", "ffff", { F (1), F (2), F (2), F (2) }, { 0, FTINY, F (1), 0 });
  OP ("mad.rn.f64", "eeee", { D (0x1p-54), e, e, g });
  OP ("mad.rp.f64", "eeee", { D (1) + 1, D (1), D (1), D (0x1p-80) });
}

static void
quotients (void)
{
  OP ("div.rn.f32", "fff", { 0x3eaaaaab, F (1), F (3) }, { FINF, F (1), 0 },
      { FINFN, F (-1), 0 }, { FNAN, 0, 0 }, { FNAN, FINF, FINF }, { FNEG, 0, F (-1) },
      { FMIN_ >> 1, FMIN_, F (2) });
  OP ("div.rz.f32", "fff", { 0x3eaaaaaa, F (1), F (3) }, { 0xbeaaaaaa, F (-1), F (3) });
  OP ("div.rm.f32", "fff", { 0x3eaaaaaa, F (1), F (3) }, { 0xbeaaaaab, F (-1), F (3) });
  OP ("div.rp.f32", "fff", { 0x3eaaaaab, F (1), F (3) }, { 0xbeaaaaaa, F (-1), F (3) });
  OP ("div.rn.ftz.f32", "fff", { 0, FMIN_, F (2) }, { FINF, F (1), FTINY }, { 0, FTINY, F (1) });
  OP ("div.full.f32", "Fff", { F (4), F (8), F (2) }, { F (1 / 3.0f), F (1), F (3) });
  OP ("div.approx.f32", "Fff", { F (4), F (8), F (2) }, { FINF, F (1), 0 });
  OP ("div.approx.ftz.f32", "Fff", { F (4), F (8), F (2) }, { 0, FTINY, F (1) });
  OP ("div.rn.f64", "eee", { 0x3fd5555555555555, D (1), D (3) }, { DNAN, 0, 0 },
      { DINFN, D (1), DNEG });
  OP ("div.rz.f64", "eee", { 0x3fd5555555555555, D (1), D (3) });
  OP ("div.rm.f64", "eee", { 0xbfd5555555555556, D (-1), D (3) });
  OP ("div.rp.f64", "eee", { 0x3fd5555555555556, D (1), D (3) });
  OP ("rcp.rn.f32", "ff", { 0x3eaaaaab, F (3) }, { FINF, 0 }, { FINFN, FNEG }, { 0, FINF });
  OP ("rcp.rz.f32", "ff", { 0x3eaaaaaa, F (3) });
  OP ("rcp.rm.f32", "ff", { 0x3eaaaaaa, F (3) });
  OP ("rcp.rp.f32", "ff", { 0x3eaaaaab, F (3) });
  OP ("rcp.rn.ftz.f32", "ff", { FINFN, FTINY | FNEG }, { 0, F (0x1p127f) });
  OP ("rcp.approx.f32", "Ff", { F (0.5), F (2) }, { FINFN, FNEG }, { FNEG, FINFN });
  OP ("rcp.approx.ftz.f32", "Ff", { F (0.5), F (2) }, { FINF, FTINY });
  OP ("rcp.rn.f64", "ee", { 0x3fd5555555555555, D (3) }, { DINF, 0 });
  OP ("rcp.rz.f64", "ee", { 0x3fd5555555555555, D (3) });
  OP ("rcp.rm.f64", "ee", { 0x3fd5555555555555, D (3) });
  OP ("rcp.rp.f64", "ee", { 0x3fd5555555555556, D (3) });
  OP ("rcp.approx.ftz.f64", "Ee", { D (0.5), D (2) }, { DINFN, DTINY | DNEG });
}

static void
roots (void)
{
  OP ("sqrt.rn.f32", "ff", { 0x3fb504f3, F (2) }, { FNEG, FNEG }, { FNAN, F (-1) },
      { FINF, FINF }, { F (3), F (9) }, { 0x1a3504f3, FTINY });
  OP ("sqrt.rz.f32", "ff", { 0x3fb504f3, F (2) });
  OP ("sqrt.rm.f32", "ff", { 0x3fb504f3, F (2) });
  OP ("sqrt.rp.f32", "ff", { 0x3fb504f4, F (2) });
  OP ("sqrt.rn.ftz.f32", "ff", { 0, FTINY }, { FNEG, FTINY | FNEG });
  OP ("sqrt.approx.f32", "Ff", { F (3), F (9) }, { FNEG, FNEG }, { FNAN, F (-1) });
  OP ("sqrt.approx.ftz.f32", "Ff", { F (3), F (9) }, { 0, FTINY });
  OP ("sqrt.rn.f64", "ee", { 0x3ff6a09e667f3bcd, D (2) }, { DNEG, DNEG }, { DNAN, D (-1) });
  OP ("sqrt.rz.f64", "ee", { 0x3ff6a09e667f3bcc, D (2) });
  OP ("sqrt.rm.f64", "ee", { 0x3ff6a09e667f3bcc, D (2) });
  OP ("sqrt.rp.f64", "ee", { 0x3ff6a09e667f3bcd, D (2) });
  OP ("rsqrt.approx.f32", "Ff", { F (0.5), F (4) }, { FINF, 0 }, { FINFN, FNEG },
      { FNAN, F (-1) }, { 0, FINF }, { F (0x1.6a09e6p+74), FTINY });
  OP ("rsqrt.approx.ftz.f32", "Ff", { F (0.5), F (4) }, { FINF, FTINY }, { FINFN, FTINY | FNEG });
  OP ("rsqrt.approx.f64", "Ee", { D (0.5), D (4) }, { DINF, 0 }, { DNAN, D (-1) });
}

static void
functions (void)
{
  OP ("ex2.approx.f32", "Ff", { F (8), F (3) }, { F (1), 0 }, { F (1), FNEG }, { 0, FINFN },
      { FINF, FINF }, { FINF, F (128) }, { FNAN, FNAN }, { F (0x1p-140f), F (-140) });
  OP ("ex2.approx.ftz.f32", "Ff", { F (8), F (3) }, { 0, F (-140) }, { F (1), FTINY });
  OP ("lg2.approx.f32", "Ff", { F (3), F (8) }, { FINFN, 0 }, { FINFN, FNEG }, { FNAN, F (-1) },
      { FINF, FINF }, { F (-149), FTINY }, { 0, F (1) });
  OP ("lg2.approx.ftz.f32", "Ff", { F (3), F (8) }, { FINFN, FTINY });
  OP ("sin.approx.f32", "Ff", { F (0x1.eaee87p-2f), F (0.5) }, { FNAN, FINF }, { 0, 0 },
      { FNEG, FNEG });
  OP ("sin.approx.ftz.f32", "Ff", { F (0x1.eaee87p-2f), F (0.5) }, { FNEG, FTINY | FNEG });
  OP ("cos.approx.f32", "Ff", { F (0x1.c1528p-1f), F (0.5) }, { FNAN, FINFN }, { F (1), 0 },
      { F (1), FNEG });
  OP ("cos.approx.ftz.f32", "Ff", { F (0x1.c1528p-1f), F (0.5) }, { F (1), FTINY });
  OP ("tanh.approx.f32", "Ff", { F (1), FINF }, { F (-1), FINFN }, { 0, 0 },
      { F (0x1.d9353ep-2f), F (0.5) }, { FNAN, FNAN });
}

/* "If one of the inputs is NaN, the other is the result"; with .NaN a NaN is; -0 < +0.  */
static void
least_and_most (void)
{
  OP ("min.f32", "fff", { F (1), F (1), F (2) }, { F (1), FNAN, F (1) }, { F (1), F (1), FNAN },
      { FNAN, FNAN, FNAN }, { FNEG, FNEG, 0 }, { FNEG, 0, FNEG }, { FINFN, FINFN, F (1) },
      { F (1), FSNAN, F (1) }, { FTINY, FTINY, F (1) });
  OP ("max.f32", "fff", { F (2), F (1), F (2) }, { F (1), FNAN, F (1) }, { F (1), F (1), FNAN },
      { FNAN, FNAN, FNAN }, { 0, FNEG, 0 }, { 0, 0, FNEG }, { F (1), FINFN, F (1) });
  OP ("min.ftz.f32", "fff", { 0, FTINY, F (1) }, { FNEG, FTINY | FNEG, 0 });
  OP ("max.ftz.f32", "fff", { 0, FTINY, F (-1) }, { F (1), FTINY, F (1) });
  OP ("min.NaN.f32", "fff", { FNAN, FNAN, F (1) }, { FNAN, F (1), FNAN }, { F (1), F (1), F (2) },
      { FNEG, 0, FNEG });
  OP ("max.NaN.f32", "fff", { FNAN, FNAN, F (1) }, { FNAN, F (1), FNAN }, { F (2), F (1), F (2) });
  OP ("min.ftz.NaN.f32", "fff", { FNAN, FNAN, F (1) }, { 0, FTINY, F (1) });
  OP ("min.f64", "eee", { D (1), D (1), D (2) }, { D (1), DNAN, D (1) }, { DNEG, 0, DNEG },
      { DNAN, DNAN, DNAN });
  OP ("max.f64", "eee", { D (2), D (1), D (2) }, { D (1), D (1), DNAN }, { 0, 0, DNEG });
  OP ("neg.f32", "ff", { F (-1), F (1) }, { FNEG, 0 }, { 0, FNEG }, { FNAN, FNAN },
      { FTINY, FTINY | FNEG });
  OP ("neg.ftz.f32", "ff", { FNEG, FTINY }, { F (-1), F (1) });
  OP ("neg.f64", "ee", { D (-1), D (1) }, { DNEG, 0 });
  OP ("abs.f32", "ff", { F (1), F (-1) }, { 0, FNEG }, { FINF, FINFN }, { FTINY, FTINY | FNEG });
  OP ("abs.ftz.f32", "ff", { 0, FTINY | FNEG });
  OP ("abs.f64", "ee", { D (1), D (-1) }, { 0, DNEG });
  /* The sign of the first with the value of the second.  */
  OP ("copysign.f32", "fff", { F (-2), F (-1), F (2) }, { F (2), F (1), F (-2) },
      { F (-2), FNEG, F (2) });
  OP ("copysign.f64", "eee", { D (-2), D (-1), D (2) }, { D (2), D (1), D (-2) });
}

/* "As a special case, positive and negative zero are considered normal numbers."  */
static void
properties (void)
{
  static const struct { const char *name; int is[8]; } known[] = {
    /* 1, -0, tiny, -tiny, inf, -inf, NaN, largest  */
    { "finite", { 1, 1, 1, 1, 0, 0, 0, 1 } }, { "infinite", { 0, 0, 0, 0, 1, 1, 0, 0 } },
    { "number", { 1, 1, 1, 1, 1, 1, 0, 1 } }, { "notanumber", { 0, 0, 0, 0, 0, 0, 1, 0 } },
    { "normal", { 1, 1, 0, 0, 0, 0, 0, 1 } }, { "subnormal", { 0, 0, 1, 1, 0, 0, 0, 0 } }
  };
  const uint64_t f[8] = { F (1), FNEG, FTINY, FTINY | FNEG, FINF, FINFN, FNAN, FMAX_ };
  const uint64_t e[8] = { D (1), DNEG, DTINY, DTINY | DNEG, DINF, DINFN, DNAN, DMAX_ };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    {
      char text[40];
      uint64_t row[8][1 + OPERANDS] = { 0 };
      for (int wide = 0; wide < 2; wide++)
	{
	  for (int j = 0; j < 8; j++)
	    {
	      row[j][0] = known[i].is[j];
	      row[j][1] = wide ? e[j] : f[j];
	    }
	  snprintf (text, sizeof text, "testp.%s.f%d", known[i].name, wide ? 64 : 32);
	  op (text, wide ? "pe" : "pf", 8, row);
	}
    }
}

/* What a comparison is of less, equal, greater, and with a NaN.  */
static void
comparisons (void)
{
  static const struct { const char *name; int is[4]; } orders[] = {
    { "eq", { 0, 1, 0, 0 } }, { "ne", { 1, 0, 1, 0 } }, { "lt", { 1, 0, 0, 0 } },
    { "le", { 1, 1, 0, 0 } }, { "gt", { 0, 0, 1, 0 } }, { "ge", { 0, 1, 1, 0 } },
    { "equ", { 0, 1, 0, 1 } }, { "neu", { 1, 0, 1, 1 } }, { "ltu", { 1, 0, 0, 1 } },
    { "leu", { 1, 1, 0, 1 } }, { "gtu", { 0, 0, 1, 1 } }, { "geu", { 0, 1, 1, 1 } },
    { "num", { 1, 1, 1, 0 } }, { "nan", { 0, 0, 0, 1 } }
  };
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
    {
      char text[120];
      const int *is = orders[i].is;
      snprintf (text, sizeof text, "setp.%s.f32", orders[i].name);
      OP (text, "pff", { is[0], F (-1), F (1) }, { is[1], F (1), F (1) }, { is[1], FNEG, 0 },
	  { is[2], F (1), FTINY }, { is[3], FNAN, F (1) }, { is[3], F (1), FNAN },
	  { is[3], FNAN, FNAN }, { is[0], FINFN, FINF }, { is[0], 0, FTINY });
      snprintf (text, sizeof text, "setp.%s.ftz.f32", orders[i].name);
      OP (text, "pff", { is[1], FTINY, FTINY | FNEG }, { is[0], FTINY, FMIN_ });
      snprintf (text, sizeof text, "setp.%s.f64", orders[i].name);
      OP (text, "pee", { is[0], D (-1), D (1) }, { is[1], DNEG, 0 }, { is[2], D (1), DTINY },
	  { is[3], DNAN, D (1) }, { is[3], D (1), DNAN });
      snprintf (text, sizeof text, "setp.%s.and.f32 %%p|%%q, %%a, %%b, %%c; "
		"selp.u32 %%d, 1, 0, %%p; @%%q or.b32 %%d, %%d, 2;", orders[i].name);
      OP (text, "wffp", { is[0] ? 1 : 2, F (1), F (2), 1 }, { is[3] ? 1 : 2, F (1), FNAN, 1 },
	  { 0, F (1), F (2), 0 });
      snprintf (text, sizeof text, "set.%s.u32.f32", orders[i].name);
      OP (text, "wff", { is[0] ? WALL : 0, F (1), F (2) }, { is[3] ? WALL : 0, F (1), FNAN });
      snprintf (text, sizeof text, "set.%s.f32.f64", orders[i].name);
      OP (text, "fee", { is[2] ? F (1) : 0, D (2), D (1) }, { is[3] ? F (1) : 0, D (1), DNAN });
    }
  OP ("set.lt.or.ftz.f32.f32", "fffp", { 0, 0, FTINY, 0 }, { F (1), 0, FTINY, 1 });
}

static void
make_cases (void)
{
  sums ();
  products ();
  quotients ();
  roots ();
  functions ();
  least_and_most ();
  properties ();
  comparisons ();
}
