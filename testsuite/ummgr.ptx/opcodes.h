/* A table of instructions with values worked by hand, and the module that runs them.
   SPDX-License-Identifier: GPL-3.0-or-later

   Each case is a function of its own, twice: one lane standing for 32, in a loop over the
   rows, with registers of untyped bits; and 32 lanes with a row each, with typed ones.
   A letter is a register: h 16 bits, w 32, l 64, f .f32, e .f64, p a predicate; the first
   is the result %d, the others are %a, %b, %c, %e.  F and E: as f and e, right to 20 bits.
   A NaN that is expected is any NaN.  */

#pragma once

#include "ptx-test.h"

#include <math.h>

enum { OPERANDS = 4, ROWS = 32, MOST_CASES = 1500 };

struct row
{
  uint64_t want, in[OPERANDS];
};

struct op_case
{
  char text[200], types[8];
  int rows;
  struct row row[ROWS];
};

static struct op_case cases[MOST_CASES];
static int case_count;

static inline uint64_t
F (float v)
{
  uint32_t u;
  memcpy (&u, &v, sizeof u);
  return u;
}

static inline uint64_t
D (double v)
{
  uint64_t u;
  memcpy (&u, &v, sizeof u);
  return u;
}

#define FNAN 0x7fffffffull
#define FSNAN 0x7f800001ull
#define FINF 0x7f800000ull
#define FMAX_ 0x7f7fffffull
#define FMIN_ 0x00800000ull
#define FTINY 0x00000001ull
#define FNEG 0x80000000ull
#define DNAN 0x7ff8000000000001ull
#define DINF 0x7ff0000000000000ull
#define DMAX_ 0x7fefffffffffffffull
#define DTINY 0x0000000000000001ull
#define DNEG 0x8000000000000000ull
#define LTOP 0x8000000000000000ull
#define LMAX 0x7fffffffffffffffull
#define LALL 0xffffffffffffffffull
#define WTOP 0x80000000ull
#define WMAX 0x7fffffffull
#define WALL 0xffffffffull

/* TEXT is an opcode, with operands as TYPES say, or statements.  */
static void
op (const char *text, const char *types, int rows, const uint64_t (*row)[1 + OPERANDS])
{
  CHECK (case_count < MOST_CASES && rows > 0 && rows <= ROWS);
  struct op_case *c = &cases[case_count++];
  static const char *const operands[] = { "", "%d", "%d, %a", "%d, %a, %b",
					  "%d, %a, %b, %c", "%d, %a, %b, %c, %e" };
  int n = strchr (text, ';') ? snprintf (c->text, sizeof c->text, "%s", text)
			     : snprintf (c->text, sizeof c->text, "%s %s;", text,
					 operands[strlen (types)]);
  CHECK (n < (int) sizeof c->text && strlen (types) < sizeof c->types);
  strcpy (c->types, types);
  c->rows = rows;
  for (int i = 0; i < rows; i++)
    {
      c->row[i].want = row[i][0];
      memcpy (c->row[i].in, &row[i][1], sizeof c->row[i].in);
    }
}

#define OP(TEXT, TYPES, ...)							\
  do										\
    {										\
      const uint64_t rows_[][1 + OPERANDS] = { __VA_ARGS__ };			\
      op (TEXT, TYPES, sizeof rows_ / sizeof *rows_, rows_);			\
    }										\
  while (0)

/* What the instructions' files define: all cases of one.  */
static void make_cases (void);

static const char *
register_type (char letter, bool typed)
{
  switch (letter)
    {
    case 'h':
      return typed ? ".u16" : ".b16";
    case 'w':
      return typed ? ".s32" : ".b32";
    case 'l':
      return typed ? ".u64" : ".b64";
    case 'f': case 'F':
      return typed ? ".f32" : ".b32";
    case 'e': case 'E':
      return typed ? ".f64" : ".b64";
    default:
      return ".pred";
    }
}

static void
put_case (struct text *t, int k, bool lanes)
{
  const struct op_case *c = &cases[k];
  static const char names[] = "dabce";
  put (t, ".func op%d%c (.param .u64 %%in_ar0, .param .u64 %%in_ar1)\n{\n"
       ".reg .u64 %%in, %%out, %%x, %%y;\n.reg .u32 %%t, %%u, %%i;\n"
       ".reg .pred %%p, %%q, %%r;\n", k, lanes ? 'l' : 'u');
  for (size_t i = 0; i < strlen (c->types); i++)
    put (t, ".reg %s %%%c;\n", register_type (c->types[i], lanes), names[i]);
  put (t, "ld.param.u64 %%in, [%%in_ar0];\nld.param.u64 %%out, [%%in_ar1];\n");
  if (lanes)
    put (t, "mov.u32 %%i, %%laneid;\nmul.wide.u32 %%x, %%i, %d;\nadd.u64 %%in, %%in, %%x;\n"
	 "mul.wide.u32 %%x, %%i, 8;\nadd.u64 %%out, %%out, %%x;\n", OPERANDS * 8);
  else
    put (t, "mov.u32 %%i, 0;\n$L1:\n");
  for (size_t i = 1; i < strlen (c->types); i++)
    {
      char n = names[i];
      put (t, "ld.global.u64 %%x, [%%in+%zu];\n", (i - 1) * 8);
      switch (c->types[i])
	{
	case 'h':
	  put (t, "cvt.u16.u64 %%%c, %%x;\n", n);
	  break;
	case 'w':
	  put (t, "cvt.u32.u64 %%%c, %%x;\n", n);
	  break;
	case 'f': case 'F':
	  put (t, "cvt.u32.u64 %%t, %%x;\nmov.b32 %%%c, %%t;\n", n);
	  break;
	case 'p':
	  put (t, "setp.ne.u64 %%%c, %%x, 0;\n", n);
	  break;
	default:
	  put (t, "mov.b64 %%%c, %%x;\n", n);
	}
    }
  put (t, "%s\n", c->text);
  switch (*c->types)
    {
    case 'h':
      put (t, "cvt.u64.u16 %%x, %%d;\n");
      break;
    case 'w':
      put (t, "cvt.u64.u32 %%x, %%d;\n");
      break;
    case 'f': case 'F':
      put (t, "mov.b32 %%t, %%d;\ncvt.u64.u32 %%x, %%t;\n");
      break;
    case 'p':
      put (t, "selp.u64 %%x, 1, 0, %%d;\n");
      break;
    default:
      put (t, "mov.b64 %%x, %%d;\n");
    }
  put (t, "st.global.u64 [%%out], %%x;\n");
  if (!lanes)
    put (t, "add.u64 %%in, %%in, %d;\nadd.u64 %%out, %%out, 8;\nadd.u32 %%i, %%i, 1;\n"
	 "setp.lt.u32 %%p, %%i, %d;\n@%%p bra $L1;\n", OPERANDS * 8, ROWS);
  put (t, "ret;\n}\n");
}

/* Of the buffer that kernels get: per case the rows' operands, and the results of both
   ways.  */
enum { IN = ROWS * OPERANDS, PER_CASE = IN + 2 * ROWS };

static void
put_kernel (struct text *t, const char *name, bool lanes)
{
  put (t, ".visible .entry %s (.param .u64 %%in_ar0)\n{\n.reg .u64 %%b, %%x, %%y;\n"
       "ld.param.u64 %%b, [%%in_ar0];\n", name);
  for (int k = 0; k < case_count; k++)
    put (t, "{\n.param .u64 %%out_arg1, %%out_arg2;\nadd.u64 %%x, %%b, %d;\n"
	 "add.u64 %%y, %%b, %d;\nst.param.u64 [%%out_arg1], %%x;\n"
	 "st.param.u64 [%%out_arg2], %%y;\ncall op%d%c, (%%out_arg1, %%out_arg2);\n}\n",
	 k * PER_CASE * 8, (k * PER_CASE + IN + lanes * ROWS) * 8, k, lanes ? 'l' : 'u');
  put (t, "ret;\n}\n");
}

static void
make_text (struct text *t)
{
  make_cases ();
  put_preamble (t);
  for (int k = 0; k < case_count; k++)
    {
      put_case (t, k, false);
      put_case (t, k, true);
    }
  put_kernel (t, "uniform", false);
  put_kernel (t, "lanes", true);
}

static bool
near (double want, double got)
{
  return want == got || fabs (want - got) <= 0x1p-20 * fmax (fabs (want), 0x1p-126);
}

static bool
fits (char type, uint64_t want, uint64_t got)
{
  float f, g;
  double d, e;
  uint32_t low = want, got_low = got;
  memcpy (&f, &low, sizeof f);
  memcpy (&g, &got_low, sizeof g);
  memcpy (&d, &want, sizeof d);
  memcpy (&e, &got, sizeof e);
  if (strchr ("fF", type) && isnan (f))
    return isnan (g);
  if (strchr ("eE", type) && isnan (d))
    return isnan (e);
  if (type == 'F')
    return want == got || (f && near (f, g));
  if (type == 'E')
    return want == got || (d && near (d, e));
  return want == got;
}

static int
compare (int k, const uint64_t *got, const char *how)
{
  const struct op_case *c = &cases[k];
  int wrong = 0;
  for (int i = 0; i < ROWS; i++)
    {
      const struct row *r = &c->row[i % c->rows];
      if (!fits (*c->types, r->want, got[i]) && wrong++ < 3)
	fprintf (stderr, "%s (%s), lane %d: %#llx, %#llx, %#llx, %#llx: %#llx, not %#llx\n",
		 c->text, how, i, (long long) r->in[0], (long long) r->in[1],
		 (long long) r->in[2], (long long) r->in[3], (long long) got[i],
		 (long long) r->want);
    }
  return wrong != 0;
}

static void
test (CUmodule module)
{
  size_t size = (size_t) case_count * PER_CASE * 8;
  uint64_t *buffer = calloc (1, size);
  CHECK (buffer);
  for (int k = 0; k < case_count; k++)
    for (int i = 0; i < ROWS; i++)
      memcpy (&buffer[k * PER_CASE + i * OPERANDS], cases[k].row[i % cases[k].rows].in,
	      sizeof cases[k].row[i].in);
  OK (run_kernel (module, "uniform", 1, buffer, size));
  OK (run_kernel (module, "lanes", 1, buffer, size));
  int wrong = 0;
  for (int k = 0; k < case_count; k++)
    {
      wrong += compare (k, &buffer[k * PER_CASE + IN], "uniform");
      wrong += compare (k, &buffer[k * PER_CASE + IN + ROWS], "lanes");
    }
  free (buffer);
  CHECK_EQ (wrong, 0);
}
