/* How many registers of the machine a function needs, and which instructions wait for
   loads.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Backward data flow: a register of PTX is live where its value may still be used.  The
   most that is live at a time, in registers of 32 bits, is what an allocator can't do
   without; NVIDIA's takes about twice that (load.c).  Predicates have registers of their
   own.

   A warp goes on after a load until an instruction needs what it brings, and NVIDIA's
   assembler has a block's loads made as early as may be.  So an access goes out beside the
   ones before it, unless what it needs comes, by whatever way, from a load of these; none
   passes a store that waits, a barrier, a call, or the end of its block.  */

#include "config.h"
#include "simcuda/ptx/ptx.h"

#include <stdlib.h>
#include <string.h>

struct live
{
  const struct ptx_function *f;
  size_t words;			/* Of a set.  */
  uint64_t *in;			/* Sets by block.  */
  uint64_t *now;
};

static void
use (struct live *l, const struct ptx_operand *o)
{
  if (o->kind == PTX_REGISTER)
    l->now[o->reg / 64] |= UINT64_C (1) << o->reg % 64;
  else if (o->kind == PTX_MEMORY)
    use (l, o->base);
  for (int i = 0; o->kind == PTX_TUPLE && i < o->count; i++)
    use (l, &o->part[i]);
}

/* From behind X to before it.  */
static void
step (struct live *l, const struct ptx_insn *x)
{
  int set[8], n = x->guard < 0 ? ptx_set_by (x, set) : 0;
  for (int i = 0; i < n; i++)
    l->now[set[i] / 64] &= ~(UINT64_C (1) << set[i] % 64);
  for (int i = x->sets; i < x->args; i++)
    use (l, &x->arg[i]);
  if (x->callee)
    use (l, x->callee);
  if (x->guard >= 0)
    use (l, &(struct ptx_operand) { PTX_REGISTER, .reg = x->guard });
  if (ptx_is (x, "ret") && l->f->result >= 0)
    use (l, &(struct ptx_operand) { PTX_REGISTER, .reg = l->f->result });
}

static unsigned
weight (const struct live *l)
{
  unsigned sum = 0;
  for (size_t w = 0; w < l->words; w++)
    for (uint64_t bits = l->now[w]; bits; bits &= bits - 1)
      {
	struct ptx_type t = l->f->reg[w * 64 + __builtin_ctzll (bits)].type;
	sum += t.kind == 'p' ? 0 : t.bits > 32 ? 2 : 1;
      }
  return sum;
}

/* What is live at B's end, in ->now.  */
static void
at_end (struct live *l, int b)
{
  memset (l->now, 0, l->words * 8);
  for (int i = 0; i < 2; i++)
    {
      int next = l->f->block[b].next[i];
      for (size_t w = 0; next >= 0 && w < l->words; w++)
	l->now[w] |= l->in[next * l->words + w];
    }
}

unsigned
ptx_pressure (const struct ptx_function *f)
{
  struct live l = { .f = f, .words = (f->regs + 63) / 64 };
  unsigned most = 0;
  l.in = calloc (f->blocks * l.words + 1, 8);
  l.now = calloc (l.words + 1, 8);
  if (!l.in || !l.now)
    abort ();
  for (bool changed = true; changed;)
    {
      changed = false;
      for (int b = f->blocks - 1; b >= 0; b--)
	{
	  at_end (&l, b);
	  for (int i = f->block[b].end - 1; i >= f->block[b].first; i--)
	    step (&l, &f->insn[i]);
	  if (memcmp (&l.in[b * l.words], l.now, l.words * 8) != 0)
	    {
	      memcpy (&l.in[b * l.words], l.now, l.words * 8);
	      changed = true;
	    }
	}
    }
  for (int b = 0; b < f->blocks; b++)
    {
      at_end (&l, b);
      for (int i = f->block[b].end - 1; i >= f->block[b].first; i--)
	{
	  unsigned now = weight (&l);
	  most = now > most ? now : most;
	  step (&l, &f->insn[i]);
	}
    }
  free (l.in);
  free (l.now);
  return most;
}

bool
ptx_loads (const struct ptx_insn *x)
{
  return (ptx_is (x, "ld") && !ptx_has (x, "param")) || ptx_is (x, "atom");
}

bool
ptx_accesses (const struct ptx_insn *x)
{
  return ptx_loads (x) || ptx_is (x, "red") || (ptx_is (x, "st") && !ptx_has (x, "param"));
}

static bool
common (const uint64_t *a, const uint64_t *b, size_t words)
{
  for (size_t w = 0; w < words; w++)
    if (a[w] & b[w])
      return true;
  return false;
}

/* Add what X sets to SET.  */
static void
add_set (const struct ptx_insn *x, uint64_t *set)
{
  int reg[8];
  for (int n = ptx_set_by (x, reg); n--;)
    set[reg[n] / 64] |= UINT64_C (1) << reg[n] % 64;
}

void
ptx_waits (const struct ptx_function *f, bool *waits)
{
  struct live l = { .f = f, .words = (f->regs + 63) / 64 };
  size_t bytes = l.words * 8;
  uint64_t *coming = malloc (bytes + 1), *set = malloc (bytes + 1);
  l.now = malloc (bytes + 1);
  if (!l.now || !coming || !set)
    abort ();
  for (int b = 0; b < f->blocks; b++)
    {
      const struct ptx_block *block = &f->block[b];
      bool any = false;
      memset (coming, 0, bytes);
      for (int i = block->first; i < block->end; i++)
	{
	  const struct ptx_insn *x = &f->insn[i];
	  memset (l.now, 0, bytes);
	  memset (set, 0, bytes);
	  step (&l, x);
	  add_set (x, set);
	  bool needs = common (l.now, coming, l.words), moves = ptx_accesses (x);
	  waits[i] = any && ((moves && needs) || i == block->end - 1 || ptx_is (x, "call")
			     || ptx_is (x, "bar") || ptx_is (x, "membar"));
	  if (waits[i])
	    memset (coming, 0, bytes);
	  any = (any && !waits[i]) || ptx_loads (x);
	  bool late = ptx_loads (x) || (needs && !waits[i]);
	  for (size_t w = 0; w < l.words; w++)
	    coming[w] = late ? coming[w] | set[w] : coming[w] & ~set[w];
	}
    }
  free (l.now);
  free (coming);
  free (set);
}
