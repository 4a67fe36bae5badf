/* PTX, as text, in memory and as C.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The names of instructions, types and state spaces are those of NVIDIA's "Parallel
   Thread Execution ISA"; sections are quoted by their titles.  What a module holds
   lives until ptx_free.  Nothing here knows of launches or devices.  */

#pragma once

#include <obstack.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A fundamental type; KIND is one of "usbf", 'p' for predicates, 0 for none.  */
struct ptx_type
{
  char kind;
  unsigned char bits;
};

enum ptx_operand_kind
{
  PTX_REGISTER,
  PTX_INTEGER,			/* BITS.  */
  PTX_FLOAT,			/* BITS, as 0f or 0d has them; WIDTH.  */
  PTX_SYMBOL,			/* Address of NAME, and OFFSET.  */
  PTX_LOCAL,			/* Address of the function's .local, at OFFSET.  */
  PTX_SPECIAL,			/* Special register NAME.  */
  PTX_MEMORY,			/* What BASE, moved by OFFSET, points to.  */
  PTX_TUPLE,			/* PART, COUNT of them.  */
  PTX_SINK			/* '_' */
};

struct ptx_operand
{
  enum ptx_operand_kind kind;
  bool negated;			/* "!%p".  */
  int reg;
  unsigned width;
  uint64_t bits;
  int64_t offset;
  const char *name;
  struct ptx_operand *base, *part;
  int count;
};

/* One instruction.  WORD are the parts of its name behind the first, SOURCE the last
   type among them, TYPE the one before, where there are two, else the same.  */
struct ptx_insn
{
  const char *op;
  const char *word[12];
  int words;
  struct ptx_type type, source;
  int guard;			/* Predicate register, -1: always.  */
  bool guard_not;
  struct ptx_operand *arg;
  int args;
  bool sets;			/* The first operand.  */
  /* Of calls.  */
  struct ptx_operand *callee;
  int result;			/* Register, or -1.  */
  const char *label;		/* Of bra.  */
  int target;			/* Its block.  */
  int line, file;		/* .loc, 0: none.  */
  int at;			/* Line of the text.  */
};

struct ptx_register
{
  const char *name;
  struct ptx_type type;
};

struct ptx_block
{
  int first, end;		/* Instructions.  */
  int next[2];			/* Blocks, or -1; [0] is the branch's.  */
};

struct ptx_function
{
  const char *name;
  bool entry, external, weak, visible;
  int result;			/* Register, or -1: none.  */
  struct ptx_type result_type;
  int *parameter;		/* Registers.  */
  struct ptx_type *parameter_type;
  int parameters;
  struct ptx_register *reg;
  int regs;
  struct ptx_insn *insn;
  int insns;
  struct ptx_block *block;
  int blocks;
  unsigned local;		/* Bytes of .local.  */
  const char *why;		/* What can't be translated, or NULL.  */
  bool body;
  struct ptx_function *next;
};

/* An address in a variable's initial value.  */
struct ptx_fixup
{
  size_t at;
  const char *name;
  int64_t offset;
  struct ptx_fixup *next;
};

enum ptx_space { PTX_GLOBAL, PTX_CONST, PTX_SHARED };

struct ptx_variable
{
  const char *name;
  enum ptx_space space;
  bool external, weak, visible;
  size_t size, align;
  unsigned char *init;		/* INIT_SIZE bytes; zeros are behind.  */
  size_t init_size;
  struct ptx_fixup *fixups;
  struct ptx_variable *next;
};

struct ptx_alias
{
  const char *name, *of;
  struct ptx_alias *next;
};

struct ptx_module
{
  struct obstack memory;
  struct ptx_function *functions;
  struct ptx_variable *variables;
  struct ptx_alias *aliases;
  const char **file;		/* By number of .file.  */
  int files;
  char error[256];		/* Empty: none.  */
};

/* parse.c: SIZE bytes of text, up to a NUL, which need not stay.  NULL without memory;
   else look at ->error, which tells line and what was not understood.  */
struct ptx_module *ptx_parse (const char *text, size_t size);
void ptx_free (struct ptx_module *module);

/* The words of an instruction.  */
bool ptx_has (const struct ptx_insn *insn, const char *word);
bool ptx_is (const struct ptx_insn *insn, const char *op);
/* The registers that X sets, at most 8; their number.  */
int ptx_set_by (const struct ptx_insn *x, int reg[8]);

/* vary.c: in which of a function's registers the 32 lanes of a warp may differ, where
   the warp parts, and where it meets again.

   GCC's code is "uniform SIMT": outside of simd regions all lanes do the same with the
   same values, and one stands for all.  Lanes differ from where %laneid is read; where
   there are atomics or calls, which one lane does for all outside of simd regions, GCC
   marks these (%ustmp).  The
   state at a point has for every register the bits of the lane's number that its value
   may depend on; x op shfl.bfly (x, 1 << k) no longer depends on bit k, so a reduction
   ends with none.  A value set where control depends on a lane depends on it as well.

   Example, one lane a digit, of four lanes:

	mov.u32 %r1, %laneid		%r1: bits 0 and 1	0 1 2 3
	setp.lt.u32 %p, %r1, %r9	%p: bits 0 and 1
     @!%p bra $L2			parts the warp; meets at $L2
	add.u32 %r2, %r2, %r1		%r2: bits 0 and 1, also behind $L2
     $L2:
	shfl.bfly %r3, %r2, 1		%r3: bits 0 and 1
	add.u32 %r2, %r2, %r3		%r2: bit 1
	shfl.bfly %r3, %r2, 2
	add.u32 %r2, %r2, %r3		%r2: none: uniform again  */
enum ptx_wait { PTX_ENDS, PTX_MAY_WAIT, PTX_WAITS };

struct ptx_vary
{
  bool any;			/* Does %laneid matter at all?  */
  /* By block: the state at its begin, one byte a register and ->regs for the function's
     own, which is 1 where lanes are threads of their own; NULL: never reached.  */
  unsigned char **in;
  unsigned char *control;	/* By block: bits that reaching it depends on.  */
  int *meet;			/* By block: where the lanes meet that its branch parts;
				   -1: parts none; ->blocks: at the function's end.  */
  bool *ever;			/* By register: does it vary anywhere?  */
  enum ptx_wait *waits;		/* By block: how the loop ends that its branch back
				   closes.  */
  /* The walk through one block: what registers are of others.  */
  struct ptx_piece *piece;
  unsigned *version;
  struct obstack memory;
};
void ptx_vary (const struct ptx_function *f, struct ptx_vary *out);
void ptx_vary_free (struct ptx_vary *v);

/* Begin to walk through a block; STATE, of ->regs + 1 bytes, before instruction X of
   block B becomes that behind it.  */
void ptx_vary_begin (struct ptx_vary *v, const struct ptx_function *f);
void ptx_vary_step (struct ptx_vary *v, const struct ptx_function *f, int b,
		    const struct ptx_insn *x, unsigned char *state);
/* Bits of operand O in STATE.  */
unsigned char ptx_vary_operand (const struct ptx_vary *v, const struct ptx_function *f,
				const struct ptx_operand *o, const unsigned char *state);

/* live.c: registers of 32 bits that F can't do without.  */
unsigned ptx_pressure (const struct ptx_function *f);
/* Does X bring a register something from memory?  */
bool ptx_loads (const struct ptx_insn *x);
/* Does X access memory, not parameters?  */
bool ptx_accesses (const struct ptx_insn *x);
/* Which of F's instructions, by number, wait for loads that their block made before: they
   access memory, and need what one brings, or what was made of it; or they end the block,
   or what no load passes.  For example

	ld.global.f32 %r1, [%r8];
	mul.f32 %r2, %r1, 0f3fc00000;	needs %r1, but need not be made yet
	ld.global.f32 %r3, [%r9];	goes out beside the first
	fma.rn.f32 %r4, %r2, %r3, %r4;
	st.global.f32 [%r10], %r4;	waits for both
	ld.global.f32 %r1, [%r11];	goes out beside the store  */
void ptx_waits (const struct ptx_function *f, bool *waits);

/* Bytes that a kernel's parameters have at most.  */
#define PTX_MOST_PARAMETERS 64

/* emit.c: MODULE as C, for abi.h.  */
void ptx_emit (struct ptx_module *module, FILE *out);
