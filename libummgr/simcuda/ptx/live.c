/* How many registers of the machine a function needs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Backward data flow: a register of PTX is live where its value may still be used.  The
   most that is live at a time, in registers of 32 bits, is what an allocator can't do
   without; NVIDIA's takes about twice that (load.c).  Predicates have registers of their
   own.  */

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
