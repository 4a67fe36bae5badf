/* Where the lanes of a warp differ.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A forward data flow over sets of bits, with the bits of the predicates that control
   depends on, as in Coutinho et al., "Divergence Analysis and Optimizations" (PACT'11);
   lanes meet at the immediate post-dominator of the branch that parts them.  */

#include "config.h"
#include "simcuda/ptx/ptx.h"

#include <stdlib.h>
#include <string.h>

#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

#define ALL_BITS 31

/* What a register holds of another one's value: part INDEX of it, as lane BFLY xor one's
   own has it (0: one's own).  In force while OF keeps its VERSION.  */
struct ptx_piece
{
  int of;			/* -1: nothing known.  */
  unsigned version;
  int index, count;
  unsigned bfly;
};

static void *
get (struct ptx_vary *v, size_t size)
{
  void *p = obstack_alloc (&v->memory, size ? size : 1);
  return memset (p, 0, size);
}

/* --- one instruction ------------------------------------------------------ */

static bool
lane_register (const char *name)
{
  return strcmp (name, "%laneid") == 0 || strcmp (name, "%tid.x") == 0
	 || strncmp (name, "%lanemask", 9) == 0;
}

unsigned char
ptx_vary_operand (const struct ptx_vary *v, const struct ptx_function *f,
		  const struct ptx_operand *o, const unsigned char *state)
{
  unsigned char bits = 0;
  switch (o->kind)
    {
    case PTX_REGISTER:
      return state[o->reg];
    case PTX_LOCAL:
      return v->any ? ALL_BITS : 0;
    case PTX_SPECIAL:
      return v->any && lane_register (o->name) ? ALL_BITS : 0;
    case PTX_MEMORY:
      return ptx_vary_operand (v, f, o->base, state);
    case PTX_TUPLE:
      for (int i = 0; i < o->count; i++)
	bits |= ptx_vary_operand (v, f, &o->part[i], state);
      return bits;
    default:
      return 0;
    }
}

void
ptx_vary_begin (struct ptx_vary *v, const struct ptx_function *f)
{
  for (int r = 0; r < f->regs; r++)
    v->piece[r].of = -1;
}

/* The piece that operand O is, if it is one in force; by default all of itself.  */
static struct ptx_piece
piece_of (const struct ptx_vary *v, const struct ptx_operand *o)
{
  struct ptx_piece none = { .of = -1 };
  if (o->kind != PTX_REGISTER)
    return none;
  struct ptx_piece p = v->piece[o->reg];
  if (p.of >= 0 && p.version == v->version[p.of])
    return p;
  return (struct ptx_piece) { o->reg, v->version[o->reg], 0, 1, 0 };
}

/* X op Y, where one is the other's value in lane BFLY xor the own: BFLY; else 0.  */
static unsigned
symmetric (const struct ptx_vary *v, const struct ptx_insn *x)
{
  static const char *const ops[] = { "add", "mul", "min", "max", "and", "or", "xor" };
  bool known = false;
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    known |= ptx_is (x, ops[i]);
  if (!known || x->args != 3)
    return 0;
  struct ptx_piece a = piece_of (v, &x->arg[1]), b = piece_of (v, &x->arg[2]);
  if (a.of < 0 || a.of != b.of || a.version != b.version || a.index != b.index
      || a.count != b.count)
    return 0;
  return a.bfly ^ b.bfly;
}

static void
set (struct ptx_vary *v, const struct ptx_operand *o, unsigned char bits, bool keeps,
     unsigned char *state, struct ptx_piece piece)
{
  if (o->kind == PTX_TUPLE)
    {
      for (int i = 0; i < o->count; i++)
	{
	  struct ptx_piece part = piece;
	  part.index = i;
	  part.count = o->count;
	  set (v, &o->part[i], bits, keeps, state, part);
	}
      return;
    }
  if (o->kind != PTX_REGISTER)
    return;
  state[o->reg] = keeps ? state[o->reg] | bits : bits;
  v->version[o->reg]++;
  v->piece[o->reg] = piece;
  if (keeps)
    v->piece[o->reg].of = -1;
}

static bool
enter_mark (const struct ptx_function *f, const struct ptx_insn *x)
{
  return ptx_is (x, "mov") && x->args == 2 && x->arg[0].kind == PTX_REGISTER
	 && strcmp (f->reg[x->arg[0].reg].name, "%ustmp2") == 0
	 && x->arg[1].kind == PTX_INTEGER;
}

/* Does F say when it enters a simd region, or begin with the other part of that, the
   predicate of the lane that does atomics for all?  GCC writes so where it makes a
   difference; in other code lanes are threads of their own from the begin.  */
static bool
has_marks (const struct ptx_function *f)
{
  for (int r = 0; r < f->regs; r++)
    if (strncmp (f->reg[r].name, "%ustmp", 6) == 0)
      return true;
  return false;
}

/* All parts of one register's, in order: that register as seen by lane bfly.  */
static struct ptx_piece
joined (const struct ptx_vary *v, const struct ptx_operand *tuple)
{
  struct ptx_piece none = { .of = -1 }, first = none;
  for (int i = 0; i < tuple->count; i++)
    {
      struct ptx_piece p = piece_of (v, &tuple->part[i]);
      if (p.of < 0 || p.count != tuple->count || p.index != i)
	return none;
      if (i == 0)
	first = p;
      else if (p.of != first.of || p.version != first.version || p.bfly != first.bfly)
	return none;
    }
  first.index = 0;
  first.count = 1;
  return first;
}

void
ptx_vary_step (struct ptx_vary *v, const struct ptx_function *f, int b,
	       const struct ptx_insn *x, unsigned char *state)
{
  unsigned char *simd = &state[f->regs];
  unsigned char always = v->control[b] | (x->guard >= 0 ? state[x->guard] : 0);
  bool keeps = x->guard >= 0;
  struct ptx_piece piece = { .of = -1 };
  if (!v->any)
    return;
  if (ptx_is (x, "call"))
    {
      if (x->result >= 0)
	set (v, &(struct ptx_operand) { PTX_REGISTER, .reg = x->result },
	     always | (*simd ? ALL_BITS : 0), keeps, state, piece);
      return;
    }
  if (enter_mark (f, x))
    *simd = x->arg[1].bits != 0;
  if (!x->sets)
    return;
  unsigned char bits = 0;
  for (int i = 1; i < x->args; i++)
    bits |= ptx_vary_operand (v, f, &x->arg[i], state);
  if (ptx_is (x, "mov") && x->arg[1].kind == PTX_SPECIAL && x->arg[0].kind == PTX_REGISTER
      && strncmp (f->reg[x->arg[0].reg].name, "%ustmp", 6) == 0 && !*simd)
    bits = 0;
  else if (ptx_is (x, "atom"))
    bits = *simd ? ALL_BITS : 0;
  else if (ptx_is (x, "vote") || ptx_is (x, "activemask") || ptx_is (x, "bar") || ptx_is (x, "barrier"))
    bits = 0;
  else if (ptx_is (x, "shfl") && x->args >= 4)
    {
      unsigned char from = ptx_vary_operand (v, f, &x->arg[1], state);
      unsigned char how = ptx_vary_operand (v, f, &x->arg[2], state);
      bool whole = x->arg[3].kind == PTX_INTEGER && x->arg[3].bits == 31;
      if (ptx_has (x, "idx") && whole)
	bits = from ? how : 0;
      else if (ptx_has (x, "bfly") && whole && !how)
	{
	  bits = from;
	  piece = piece_of (v, &x->arg[1]);
	  if (x->arg[2].kind == PTX_INTEGER && piece.of >= 0 && !always)
	    piece.bfly ^= x->arg[2].bits & 31;
	  else
	    piece.of = -1;
	}
      else
	bits = ALL_BITS;
    }
  else if (ptx_is (x, "mov") && x->args == 2 && !always)
    {
      piece = x->arg[1].kind == PTX_TUPLE ? joined (v, &x->arg[1])
					  : piece_of (v, &x->arg[1]);
      if (x->arg[0].kind == PTX_TUPLE
	  && (x->arg[1].kind == PTX_TUPLE || piece.count != 1))
	piece.of = -1;
    }
  else if (!always)
    bits &= ~symmetric (v, x);
  set (v, &x->arg[0], bits | always, keeps, state, piece);
}

/* --- the graph ------------------------------------------------------------ */

static int
successors (const struct ptx_function *f, int b, int out[2])
{
  const struct ptx_insn *x = &f->insn[f->block[b].end - 1];
  int n = 0;
  for (int i = 0; i < 2; i++)
    if (f->block[b].next[i] >= 0)
      out[n++] = f->block[b].next[i];
  if (ptx_is (x, "ret"))
    out[n++] = f->blocks;
  return n;
}

static int
common (const int *ipdom, const int *order, int a, int b)
{
  while (a != b)
    {
      while (order[a] > order[b])
	a = ipdom[a];
      while (order[b] > order[a])
	b = ipdom[b];
    }
  return a;
}

/* Cooper, Harvey and Kennedy's "A Simple, Fast Dominance Algorithm", backwards.  */
static void
post_dominators (struct ptx_vary *v, const struct ptx_function *f, int *ipdom)
{
  int n = f->blocks;
  int *order = get (v, (n + 1) * sizeof *order);
  int *queue = get (v, (n + 1) * sizeof *queue);
  char *seen = get (v, n + 1);
  int *head = get (v, (n + 1) * sizeof *head);
  int *link = get (v, 2 * (n + 1) * sizeof *link), *from = get (v, 2 * (n + 1) * sizeof *from);
  int edges = 0, out[2];
  memset (head, -1, (n + 1) * sizeof *head);
  for (int b = 0; b < n; b++)
    for (int i = 0, k = successors (f, b, out); i < k; i++)
      {
	from[edges] = b;
	link[edges] = head[out[i]];
	head[out[i]] = edges++;
      }
  /* Depth first from the end, against the edges; numbered in reverse post-order.  */
  int *stack = get (v, (n + 1) * sizeof *stack), *at = get (v, (n + 1) * sizeof *at);
  int top = 0, count = 0;
  stack[top] = n;
  at[top++] = head[n];
  seen[n] = 1;
  while (top)
    {
      int e = at[top - 1];
      if (e < 0)
	{
	  queue[count++] = stack[--top];
	  continue;
	}
      at[top - 1] = link[e];
      if (!seen[from[e]])
	{
	  seen[from[e]] = 1;
	  stack[top] = from[e];
	  at[top++] = head[from[e]];
	}
    }
  for (int i = 0; i < count; i++)
    order[queue[i]] = count - 1 - i;
  for (int b = 0; b <= n; b++)
    ipdom[b] = -1;
  ipdom[n] = n;
  for (bool changed = true; changed;)
    {
      changed = false;
      for (int i = count - 2; i >= 0; i--)
	{
	  int b = queue[i], best = -1;
	  for (int j = 0, k = successors (f, b, out); j < k; j++)
	    if (ipdom[out[j]] >= 0)
	      best = best < 0 ? out[j] : common (ipdom, order, best, out[j]);
	  if (best >= 0 && ipdom[b] != best)
	    {
	      ipdom[b] = best;
	      changed = true;
	    }
	}
    }
}

/* Add BITS to the control of all blocks on ways from B to MEET.  */
static bool
spread (struct ptx_vary *v, const struct ptx_function *f, int b, int meet,
	unsigned char bits, int *stack, char *seen)
{
  bool changed = false;
  int top = 0, out[2];
  memset (seen, 0, f->blocks + 1);
  stack[top++] = b;
  for (bool first = true; top; first = false)
    {
      int from = stack[--top];
      if (!first && (v->control[from] | bits) != v->control[from])
	{
	  v->control[from] |= bits;
	  changed = true;
	}
      for (int i = 0, k = successors (f, from, out); i < k; i++)
	if (out[i] != meet && out[i] < f->blocks && !seen[out[i]])
	  {
	    seen[out[i]] = 1;
	    stack[top++] = out[i];
	  }
    }
  return changed;
}

static void
flow (struct ptx_vary *v, const struct ptx_function *f)
{
  size_t n = f->regs + 1;
  unsigned char *state = get (v, n);
  int out[2];
  if (!v->in[0])
    {
      v->in[0] = get (v, n);
      v->in[0][f->regs] = !has_marks (f);
    }
  for (bool changed = true; changed;)
    {
      changed = false;
      for (int b = 0; b < f->blocks; b++)
	{
	  if (!v->in[b])
	    continue;
	  memcpy (state, v->in[b], n);
	  ptx_vary_begin (v, f);
	  for (int i = f->block[b].first; i < f->block[b].end; i++)
	    ptx_vary_step (v, f, b, &f->insn[i], state);
	  for (int i = 0, k = successors (f, b, out); i < k; i++)
	    {
	      if (out[i] == f->blocks)
		continue;
	      if (!v->in[out[i]])
		{
		  v->in[out[i]] = get (v, n);
		  changed = true;
		}
	      for (size_t r = 0; r < n; r++)
		if ((v->in[out[i]][r] | state[r]) != v->in[out[i]][r])
		  {
		    v->in[out[i]][r] |= state[r];
		    changed = true;
		  }
	    }
	}
    }
}

/* --- loops that wait ------------------------------------------------------ */

/* Instructions of one function that are looked at for this, at most; compilers' loops take
   a hundredth of that.  Of the loops that are left it is not known how they end.  */
#define MOST_WORK (1l << 24)

/* The blocks of the loop that the branch from B back to HEAD closes.  */
static void
loop_of (const struct ptx_function *f, int b, int head, int *stack, char *forward,
	 char *in, long *work)
{
  int top = 0, out[2];
  memset (forward, 0, f->blocks);
  memset (in, 0, f->blocks);
  stack[top++] = head;
  forward[head] = 1;
  while (top)
    {
      int from = stack[--top];
      for (int i = 0, k = successors (f, from, out); i < k; i++)
	if (out[i] < f->blocks && !forward[out[i]])
	  {
	    forward[out[i]] = 1;
	    stack[top++] = out[i];
	  }
    }
  /* Those of them that reach B, not by way of HEAD.  */
  in[b] = in[head] = 1;
  for (bool changed = true; changed && *work > 0; *work -= f->blocks)
    {
      changed = false;
      for (int c = f->blocks - 1; c >= 0; c--)
	if (forward[c] && !in[c])
	  for (int i = 0, k = successors (f, c, out); i < k; i++)
	    if (out[i] < f->blocks && in[out[i]] && out[i] != head)
	      in[c] = changed = true;
    }
}

static bool
mark_registers (const struct ptx_operand *o, char *wanted)
{
  bool changed = false;
  if (o->kind == PTX_REGISTER && !wanted[o->reg])
    wanted[o->reg] = changed = true;
  if (o->kind == PTX_MEMORY)
    changed |= mark_registers (o->base, wanted);
  for (int i = 0; o->kind == PTX_TUPLE && i < o->count; i++)
    changed |= mark_registers (&o->part[i], wanted);
  return changed;
}

/* Is X, whose result is wanted, one that others' stores can change?  */
static bool
reads_memory (const struct ptx_insn *x)
{
  return ptx_is (x, "call") || ptx_is (x, "atom") || ptx_is (x, "ldu")
	 || (ptx_is (x, "ld") && !ptx_has (x, "param"));
}

static bool
reads_clock (const struct ptx_insn *x)
{
  for (int k = 0; k < x->args; k++)
    if (x->arg[k].kind == PTX_SPECIAL
	&& (strstr (x->arg[k].name, "clock") || strstr (x->arg[k].name, "timer")))
      return true;
  return false;
}

static bool
all_steady (const struct ptx_operand *o, const char *steady, int but)
{
  if (o->kind == PTX_REGISTER)
    return o->reg == but || steady[o->reg];
  if (o->kind == PTX_MEMORY)
    return all_steady (o->base, steady, but);
  for (int i = 0; o->kind == PTX_TUPLE && i < o->count; i++)
    if (!all_steady (&o->part[i], steady, but))
      return false;
  return true;
}

/* Mark in STEADY the registers that every pass through the blocks IN sets to the same,
   as long as memory stays as it is: those that are not set, or made of such and of what
   lies in memory.  One that counts is made of itself alone, and is none.  STATE has room
   for all registers.  */
static void
find_steady (const struct ptx_function *f, const char *in, char *steady, char *state,
	     long *work)
{
  enum { SET = 1, BAD = 2, FRESH = 4 };
  memset (steady, 0, f->regs + 1);
  for (bool changed = true; changed && *work > 0; *work -= f->insns + f->regs)
    {
      changed = false;
      memset (state, 0, f->regs + 1);
      for (int b = 0; b < f->blocks; b++)
	for (int i = f->block[b].first; in[b] && i < f->block[b].end; i++)
	  {
	    const struct ptx_insn *x = &f->insn[i];
	    int reg[8], n = ptx_set_by (x, reg);
	    for (int j = 0; j < n; j++)
	      {
		bool good = !ptx_is (x, "call"), fresh = true;
		for (int k = 1; k < x->args; k++)
		  {
		    good &= all_steady (&x->arg[k], steady, reg[j]);
		    fresh &= all_steady (&x->arg[k], steady, -1);
		  }
		state[reg[j]] |= SET | (good ? 0 : BAD) | (fresh ? FRESH : 0);
	      }
	  }
      for (int r = 0; r < f->regs; r++)
	if (!steady[r] && (!state[r] || (!(state[r] & BAD) && (state[r] & FRESH))))
	  steady[r] = changed = true;
    }
}

/* Does a way out of the blocks IN that GUARD decides hang on what is in memory?  */
static bool
hangs_on_memory (const struct ptx_function *f, const char *in, int guard, char *wanted,
		 long *work)
{
  memset (wanted, 0, f->regs + 1);
  wanted[guard] = 1;
  for (bool changed = true; changed && *work > 0; *work -= f->insns)
    {
      changed = false;
      for (int b = 0; b < f->blocks; b++)
	for (int i = f->block[b].first; in[b] && i < f->block[b].end; i++)
	  {
	    const struct ptx_insn *x = &f->insn[i];
	    int reg[8], n = ptx_set_by (x, reg);
	    bool hit = false;
	    for (int j = 0; j < n; j++)
	      hit |= wanted[reg[j]];
	    if (!hit)
	      continue;
	    if (reads_memory (x) || reads_clock (x))
	      return true;
	    for (int k = 1; k < x->args; k++)
	      changed |= mark_registers (&x->arg[k], wanted);
	    if (x->guard >= 0 && !wanted[x->guard])
	      wanted[x->guard] = changed = true;
	  }
    }
  return false;
}

static bool
has_effect (const struct ptx_function *f, const char *in)
{
  for (int b = 0; b < f->blocks; b++)
    for (int i = f->block[b].first; in[b] && i < f->block[b].end; i++)
      if (ptx_is (&f->insn[i], "call")
	  || (ptx_is (&f->insn[i], "st") && !ptx_has (&f->insn[i], "param")))
	return true;
  return false;
}

/* How the loop of blocks IN ends: by itself; perhaps when others have stored something;
   only then, for all that is seen.  WANTED and STEADY have room for all registers.  */
static enum ptx_wait
how_it_ends (const struct ptx_function *f, const char *in, char *wanted, char *steady,
	     long *work)
{
  bool leaves = false, some = false, only = false;
  int out[2];
  find_steady (f, in, steady, wanted, work);
  for (int b = 0; b < f->blocks; b++)
    for (int i = 0, k = in[b] ? successors (f, b, out) : 0; i < k; i++)
      if (out[i] == f->blocks || !in[out[i]])
	{
	  const struct ptx_insn *x = &f->insn[f->block[b].end - 1];
	  leaves = true;
	  if (x->guard >= 0 && hangs_on_memory (f, in, x->guard, wanted, work))
	    {
	      some = true;
	      only |= steady[x->guard];
	    }
	}
  return only && !has_effect (f, in) ? PTX_WAITS : some || !leaves ? PTX_MAY_WAIT
	 : PTX_ENDS;
}

static void
find_waits (struct ptx_vary *v, const struct ptx_function *f, int *stack)
{
  char *forward = get (v, f->blocks), *in = get (v, f->blocks);
  char *wanted = get (v, f->regs + 1), *steady = get (v, f->regs + 1);
  long work = MOST_WORK;
  for (int b = 0; b < f->blocks; b++)
    {
      int to = f->block[b].next[0];
      if (to < 0 || to > b)
	continue;
      loop_of (f, b, to, stack, forward, in, &work);
      enum ptx_wait how = how_it_ends (f, in, wanted, steady, &work);
      v->waits[b] = work > 0 ? how : PTX_MAY_WAIT;
    }
}

/* --- all of it ------------------------------------------------------------ */

/* Does F part its warps, or only look which lane it is in, as code does that is the
   same for all?  */
static bool
looks_at_lane (const struct ptx_function *f)
{
  for (int i = 0; i < f->insns; i++)
    {
      const struct ptx_insn *x = &f->insn[i];
      if (enter_mark (f, x) && x->arg[1].bits)
	return true;
      for (int k = 1; k < x->args; k++)
	if (x->arg[k].kind == PTX_SPECIAL && lane_register (x->arg[k].name)
	    && !(x->arg[0].kind == PTX_REGISTER
		 && strncmp (f->reg[x->arg[0].reg].name, "%ustmp", 6) == 0))
	  return true;
    }
  return false;
}

void
ptx_vary (const struct ptx_function *f, struct ptx_vary *v)
{
  size_t blocks = f->blocks;
  memset (v, 0, sizeof *v);
  obstack_init (&v->memory);
  v->any = looks_at_lane (f);
  v->in = get (v, blocks * sizeof *v->in);
  v->control = get (v, blocks);
  v->meet = get (v, blocks * sizeof *v->meet);
  v->ever = get (v, f->regs + 1);
  v->waits = get (v, blocks * sizeof *v->waits);
  v->piece = get (v, (f->regs + 1) * sizeof *v->piece);
  v->version = get (v, (f->regs + 1) * sizeof *v->version);
  memset (v->meet, -1, blocks * sizeof *v->meet);
  int *stack = get (v, (blocks + 1) * sizeof *stack);
  find_waits (v, f, stack);
  if (!v->any)
    {
      /* Nothing differs; which blocks are reached is of no interest.  */
      unsigned char *none = get (v, f->regs + 1);
      for (size_t b = 0; b < blocks; b++)
	v->in[b] = none;
      return;
    }
  int *ipdom = get (v, (blocks + 1) * sizeof *ipdom);
  char *seen = get (v, blocks + 1);
  unsigned char *state = get (v, f->regs + 1);
  post_dominators (v, f, ipdom);
  for (bool changed = true; changed;)
    {
      changed = false;
      flow (v, f);
      for (size_t b = 0; b < blocks; b++)
	{
	  const struct ptx_insn *x = &f->insn[f->block[b].end - 1];
	  if (!v->in[b] || x->guard < 0 || f->block[b].next[1] < 0)
	    continue;
	  memcpy (state, v->in[b], f->regs + 1);
	  ptx_vary_begin (v, f);
	  for (int i = f->block[b].first; i < f->block[b].end - 1; i++)
	    ptx_vary_step (v, f, b, &f->insn[i], state);
	  if (!state[x->guard])
	    continue;
	  v->meet[b] = ipdom[b] < 0 ? (int) blocks : ipdom[b];
	  changed |= spread (v, f, b, v->meet[b], state[x->guard], stack, seen);
	}
    }
  for (size_t b = 0; b < blocks; b++)
    if (v->in[b])
      {
	memcpy (state, v->in[b], f->regs + 1);
	ptx_vary_begin (v, f);
	for (int i = f->block[b].first; i < f->block[b].end; i++)
	  {
	    ptx_vary_step (v, f, b, &f->insn[i], state);
	    for (int r = 0; r < f->regs; r++)
	      v->ever[r] |= state[r] != 0;
	  }
      }
}

void
ptx_vary_free (struct ptx_vary *v)
{
  obstack_free (&v->memory, NULL);
}
