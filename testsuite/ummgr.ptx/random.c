/* Random kernels whose lanes differ, against an interpreter that runs each lane by itself
   and knows nothing of warps: a lane that is left behind, does what another should, meets
   the others too early or sees a register's old value after a branch, a loop, a guard, a
   return or a reduction.  One half is structured, with instructions between lanes where
   all of them come by; one half jumps to wherever.  With UMMGR_RANDOM_KERNELS=N there are
   N of each.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "ptx-test.h"

enum { WORDS = 10, LONGS = 4, PREDICATES = 5, TABLE = 64, OUT = 24, LOCALS = 4,
       MOST_INSNS = 600, KERNELS = 16 };

/* Registers by number; those that end a name in L are of 64 bits, in P predicates.  */
enum op
{
  ADD, SUB, MUL, AND, OR, XOR, MIN_U, MIN_S, MAX_U, MAX_S, SHL, SHR_U, SHR_S, DIV_U, DIV_S,
  REM_U, REM_S, MUL_HI, MAD, SELECT, SHF, LOP, PRMT, BFE, BFI,
  NOT, NEG, POPC, CLZ, BREV, MOVE, CONSTANT, LANE,
  SETP_LT_U, SETP_LT_S, SETP_EQ, SETP_AND, SETP_PAIR, AND_P, XOR_P, NOT_P, SET,
  WIDEN, NARROW, ADD_L, MUL_L, SHR_L, WIDE, PACK, UNPACK, SETP_L, SELECT_L,
  LOAD, LOAD_ONE, LOAD_PAIR, STORE, STORE_LOCAL, LOAD_LOCAL, CALL, CALL_BY,
  BALLOT, ALL, ANY, BFLY, BFLY_SUM, BFLY_L, IDX, UP, ATOMIC,
  BRANCH, RETURN, LABEL, OPS
};

struct insn
{
  enum op op;
  int d, a, b, c;
  int guard;			/* -1: none; else 2 * predicate + (not).  */
  unsigned constant;
  int target;			/* Label.  */
};

struct kernel
{
  struct insn insn[MOST_INSNS];
  int count, labels;
  int stays;			/* Loops around that all lanes go round.  */
};

static unsigned long state;

static unsigned
rnd (unsigned below)
{
  state = state * 6364136223846793005ul + 1442695040888963407ul;
  return (state >> 33) % below;
}

/* --- text ------------------------------------------------------------------ */

/* $d, $a, $b, $c: words; $D..$C: longs; $P, $Q, $R, $S: predicates by d, a, b, c;
   $k: the constant.  */
static const char *const texts[OPS] = {
  [ADD] = "add.u32 $d, $a, $b;", [SUB] = "sub.u32 $d, $a, $b;",
  [MUL] = "mul.lo.u32 $d, $a, $b;", [AND] = "and.b32 $d, $a, $b;",
  [OR] = "or.b32 $d, $a, $b;", [XOR] = "xor.b32 $d, $a, $b;",
  [MIN_U] = "min.u32 $d, $a, $b;", [MIN_S] = "min.s32 $d, $a, $b;",
  [MAX_U] = "max.u32 $d, $a, $b;", [MAX_S] = "max.s32 $d, $a, $b;",
  [SHL] = "shl.b32 $d, $a, $b;", [SHR_U] = "shr.u32 $d, $a, $b;",
  [SHR_S] = "shr.s32 $d, $a, $b;", [DIV_U] = "div.u32 $d, $a, $b;",
  [DIV_S] = "div.s32 $d, $a, $b;", [REM_U] = "rem.u32 $d, $a, $b;",
  [REM_S] = "rem.s32 $d, $a, $b;", [MUL_HI] = "mul.hi.s32 $d, $a, $b;",
  [MAD] = "mad.lo.s32 $d, $a, $b, $c;", [SELECT] = "selp.u32 $d, $a, $b, $S;",
  [SHF] = "shf.l.wrap.b32 $d, $a, $b, $c;", [LOP] = "lop3.b32 $d, $a, $b, $c, 0xd8;",
  [PRMT] = "prmt.b32 $d, $a, $b, $c;", [BFE] = "bfe.s32 $d, $a, $b, 5;",
  [BFI] = "bfi.b32 $d, $a, $b, $c, 7;", [NOT] = "not.b32 $d, $a;",
  [NEG] = "neg.s32 $d, $a;", [POPC] = "popc.b32 $d, $a;", [CLZ] = "clz.b32 $d, $a;",
  [BREV] = "brev.b32 $d, $a;", [MOVE] = "mov.u32 $d, $a;", [CONSTANT] = "mov.u32 $d, $k;",
  [LANE] = "mov.u32 $d, %laneid;", [SETP_LT_U] = "setp.lt.u32 $P, $a, $b;",
  [SETP_LT_S] = "setp.lt.s32 $P, $a, $b;", [SETP_EQ] = "setp.eq.u32 $P, $a, $b;",
  [SETP_AND] = "setp.ge.and.u32 $P, $a, $b, !$S;",
  [SETP_PAIR] = "setp.gt.or.s32 $P|$Q, $b, $k, $S;", [AND_P] = "and.pred $P, $Q, $R;",
  [XOR_P] = "xor.pred $P, $Q, $R;", [NOT_P] = "not.pred $P, $Q;",
  [SET] = "set.le.u32.s32 $d, $a, $b;", [WIDEN] = "cvt.s64.s32 $D, $a;",
  [NARROW] = "cvt.u32.u64 $d, $A;", [ADD_L] = "add.u64 $D, $A, $B;",
  [MUL_L] = "mul.lo.u64 $D, $A, $B;", [SHR_L] = "shr.u64 $D, $A, $k;",
  [WIDE] = "mul.wide.u32 $D, $a, $b;", [PACK] = "mov.b64 $D, {$a, $b};",
  [UNPACK] = "mov.b64 {$d, $b}, $A;", [SETP_L] = "setp.lt.u64 $P, $A, $B;",
  [SELECT_L] = "selp.u64 $D, $A, $B, $S;",
  [LOAD] = "and.b32 %t, $a, 63; mul.wide.u32 %u, %t, 4; add.u64 %u, %u, %table; "
	   "ld.global.u32 $d, [%u];",
  [LOAD_ONE] = "ld.global.u32 $d, [%table+$k];",
  [LOAD_PAIR] = "and.b32 %t, $a, 62; mul.wide.u32 %u, %t, 4; add.u64 %u, %u, %table; "
		"ld.global.v2.u32 {$d, $b}, [%u];",
  [STORE] = "st.global.u32 [%out+$k], $a;", [STORE_LOCAL] = "st.local.u32 [mine+$k], $a;",
  [LOAD_LOCAL] = "ld.local.u32 $d, [mine+$k];",
  [CALL] = "{ .param .u32 %value_in; .param .u32 %out_arg1, %out_arg2; "
	   "st.param.u32 [%out_arg1], $a; st.param.u32 [%out_arg2], $b; "
	   "call (%value_in), helper, (%out_arg1, %out_arg2); ld.param.u32 $d, [%value_in]; }",
  [CALL_BY] = "{ .param .u32 %value_in; .param .u32 %out_arg1, %out_arg2; "
	      "st.param.u32 [%out_arg1], $a; st.param.u32 [%out_arg2], $b; "
	      "mov.u64 %u, helper; call (%value_in), %u, (%out_arg1, %out_arg2), prototype; "
	      "ld.param.u32 $d, [%value_in]; }",
  [BALLOT] = "vote.sync.ballot.b32 $d, $Q, -1;",
  [ALL] = "vote.sync.all.pred $P, $Q, -1;", [ANY] = "vote.sync.any.pred $P, !$Q, -1;",
  [BFLY] = "shfl.sync.bfly.b32 $d, $a, $k, 31, -1;",
  [BFLY_SUM] = "shfl.sync.bfly.b32 $b, $a, 16, 31, -1; add.u32 $a, $a, $b; "
	       "shfl.sync.bfly.b32 $b, $a, 8, 31, -1; add.u32 $a, $b, $a; "
	       "shfl.sync.bfly.b32 $b, $a, 4, 31, -1; add.u32 $a, $a, $b; "
	       "shfl.sync.bfly.b32 $b, $a, 2, 31, -1; add.u32 $a, $a, $b; "
	       "shfl.sync.bfly.b32 $b, $a, 1, 31, -1; add.u32 $a, $a, $b;",
  [BFLY_L] = "mov.b64 {%t, %v}, $A; shfl.sync.bfly.b32 %t, %t, $k, 31, -1; "
	     "shfl.sync.bfly.b32 %v, %v, $k, 31, -1; mov.b64 %u, {%t, %v}; "
	     "max.u64 $A, $A, %u;",
  [IDX] = "shfl.sync.idx.b32 $d, $a, $b, 31, -1;",
  [UP] = "shfl.sync.up.b32 $d|$P, $a, $k, 0, -1;",
  [ATOMIC] = "atom.global.add.u32 $d, [%out+$k], $a;"
};

static void
put_insn (struct text *t, const struct insn *x)
{
  if (x->op == LABEL)
    {
      put (t, "$L%d:\n", x->target);
      return;
    }
  /* A guard is for the last of several.  */
  const char *p = x->op == BRANCH ? "bra $l;" : x->op == RETURN ? "ret;" : texts[x->op];
  const char *last = p;
  for (const char *q = p; *q && q[1]; q++)
    if (q[0] == ';')
      last = q + 2;
  if (*last == '}')
    last = p;
  for (bool begun = false; *p; p++)
    {
      if (!begun && p == last && x->guard >= 0)
	put (t, "@%s%%p%d ", x->guard & 1 ? "!" : "", x->guard / 2);
      begun = p >= last;
      if (*p != '$')
	{
	  put (t, "%c", *p);
	  continue;
	}
      switch (*++p)
	{
	case 'd': put (t, "%%r%d", x->d); break;
	case 'a': put (t, "%%r%d", x->a); break;
	case 'b': put (t, "%%r%d", x->b); break;
	case 'c': put (t, "%%r%d", x->c); break;
	case 'D': put (t, "%%x%d", x->d % LONGS); break;
	case 'A': put (t, "%%x%d", x->a % LONGS); break;
	case 'B': put (t, "%%x%d", x->b % LONGS); break;
	case 'P': put (t, "%%p%d", x->d % PREDICATES); break;
	case 'Q': put (t, "%%p%d", x->a % PREDICATES); break;
	case 'R': put (t, "%%p%d", x->b % PREDICATES); break;
	case 'S': put (t, "%%p%d", x->c % PREDICATES); break;
	case 'k': put (t, "%u", x->constant); break;
	default: put (t, "$L%d", x->target);
	}
    }
  put (t, "\n");
}

/* At the end, and before each return: all registers.  */
static void
put_registers (struct text *t)
{
  for (int i = 0; i < WORDS; i++)
    put (t, "st.global.u32 [%%out+%d], %%r%d;\n", (OUT + i) * 4, i);
  for (int i = 0; i < LONGS; i++)
    put (t, "st.global.u64 [%%out+%d], %%x%d;\n", (OUT + WORDS + 2 * i) * 4, i);
}

enum { PER_LANE = OUT + WORDS + 2 * LONGS };

static void
put_kernel (struct text *t, const struct kernel *k, int number)
{
  put (t, ".visible .entry k%d (.param .u64 %%in_ar0)\n{\n.reg .u32 %%r<%d>;\n"
       ".reg .u64 %%x<%d>;\n.reg .pred %%p<%d>;\n.reg .u32 %%t, %%v;\n"
       ".reg .u64 %%u, %%table, %%out;\n.local .align 8 .b8 mine[%d];\n"
       "prototype: .callprototype (.param .u32 _) _ (.param .u32 _, .param .u32 _);\n",
       number, WORDS, LONGS, PREDICATES, LOCALS * 4);
  put (t, "ld.param.u64 %%table, [%%in_ar0];\nmov.u32 %%t, %%laneid;\n"
       "mul.wide.u32 %%out, %%t, %d;\nadd.u64 %%out, %%out, %%table;\n"
       "add.u64 %%out, %%out, %d;\n", PER_LANE * 4, TABLE * 4);
  for (int i = 0; i < WORDS; i++)
    put (t, "mov.u32 %%r%d, %d;\n", i, 3 * i + 1);
  for (int i = 0; i < LONGS; i++)
    put (t, "mov.u64 %%x%d, %d;\n", i, 5 * i + 2);
  for (int i = 0; i < PREDICATES; i++)
    put (t, "setp.eq.u32 %%p%d, %d, 1;\n", i, i % 2);
  for (int i = 0; i < LOCALS; i++)
    put (t, "st.local.u32 [mine+%d], %d;\n", 4 * i, i);
  /* As GCC marks a simd region in a function with calls or atomics.  */
  if (number % 4 >= 2)
    put (t, ".reg .u32 %%ustmp2;\nmov.u32 %%ustmp2, -1;\n");
  for (int i = 0; i < k->count; i++)
    {
      const struct insn *x = &k->insn[i];
      if (x->op != RETURN)
	put_insn (t, x);
      else
	{
	  if (x->guard >= 0)
	    put (t, "@%s%%p%d bra $O%d;\n", x->guard & 1 ? "" : "!", x->guard / 2, i);
	  put_registers (t);
	  put (t, "ret;\n$O%d:\n", i);
	}
    }
  put_registers (t);
  put (t, "ret;\n}\n");
}

static const char helper[] = ".func (.param .u32 %value_out) helper (.param .u32 %in_ar0, .param .u32 %in_ar1)\n"
  "{\n.reg .u32 %a, %b, %n;\n.reg .pred %p;\nld.param.u32 %a, [%in_ar0];\n"
  "ld.param.u32 %b, [%in_ar1];\nand.b32 %n, %b, 7;\n$Loop:\nsetp.eq.u32 %p, %n, 0;\n"
  "@%p bra $Done;\nmad.lo.u32 %a, %a, 5, %n;\nsub.u32 %n, %n, 1;\nbra $Loop;\n$Done:\n"
  "xor.b32 %a, %a, %b;\nst.param.u32 [%value_out], %a;\nret;\n}\n";

/* --- the interpreter ------------------------------------------------------- */

struct lane
{
  unsigned r[WORDS], local[LOCALS], out[PER_LANE];
  uint64_t x[LONGS];
  bool p[PREDICATES];
  int at;			/* Instruction; -1: has ended.  */
};

static unsigned
help (unsigned a, unsigned b)
{
  for (unsigned n = b & 7; n; n--)
    a = a * 5 + n;
  return a ^ b;
}

static unsigned
bytes (unsigned a, unsigned b, unsigned how)
{
  unsigned char from[8], to[4];
  memcpy (from, &a, 4);
  memcpy (from + 4, &b, 4);
  for (int i = 0; i < 4; i++, how >>= 4)
    to[i] = how & 8 ? (from[how & 7] & 128 ? 255 : 0) : from[how & 7];
  memcpy (&a, to, 4);
  return a;
}

/* Five bits from AT on, of which the top one fills up.  */
static int
field (unsigned v, unsigned at)
{
  at &= 255;
  long wide = (int) v;		/* Beyond the top are copies of the sign.  */
  if (at > 31)
    return wide < 0 ? -1 : 0;
  return (int) ((unsigned long) (wide >> at) << 59 >> 32) >> 27;
}

static unsigned
insert (unsigned a, unsigned b, unsigned at)
{
  at &= 255;
  if (at > 31)
    return b;
  unsigned mask = 127u << at;
  return (b & ~mask) | (a << at & mask);
}

static unsigned
arithmetic (enum op op, unsigned a, unsigned b, unsigned c, bool s)
{
  int sa = a, sb = b;
  switch (op)
    {
    case ADD: return a + b;
    case SUB: return a - b;
    case MUL: return a * b;
    case AND: return a & b;
    case OR: return a | b;
    case XOR: return a ^ b;
    case MIN_U: return a < b ? a : b;
    case MIN_S: return sa < sb ? a : b;
    case MAX_U: return a > b ? a : b;
    case MAX_S: return sa > sb ? a : b;
    case SHL: return b > 31 ? 0 : a << b;
    case SHR_U: return b > 31 ? 0 : a >> b;
    case SHR_S: return sa >> (b > 31 ? 31 : b);
    case DIV_U: return b ? a / b : -1;
    case DIV_S: return b ? (long) sa / sb : -1;
    case REM_U: return b ? a % b : -1;
    case REM_S: return b ? (long) sa % sb : -1;
    case MUL_HI: return (long) sa * sb >> 32;
    case MAD: return a * b + c;
    case SELECT: return s ? a : b;
    case SHF: return c & 31 ? b << (c & 31) | a >> (32 - (c & 31)) : b;
    case LOP: return (c & b) | (~c & a);
    case PRMT: return bytes (a, b, c);
    case BFE: return field (a, b);
    case BFI: return insert (a, b, c);
    case NOT: return ~a;
    case NEG: return -a;
    case POPC: return __builtin_popcount (a);
    case CLZ: return a ? __builtin_clz (a) : 32;
    case BREV:
      for (c = 0, b = 32; b--; a >>= 1)
	c = c << 1 | (a & 1);
      return c;
    case SET: return sa <= sb ? -1 : 0;
    default: return a;
    }
}

static void
predicate (struct lane *l, const struct insn *x)
{
  unsigned a = l->r[x->a], b = l->r[x->b];
  bool *d = &l->p[x->d % PREDICATES], q = l->p[x->a % PREDICATES], r = l->p[x->b % PREDICATES];
  bool s = l->p[x->c % PREDICATES];
  bool more = (int) b > (int) x->constant;
  switch (x->op)
    {
    case SETP_LT_U: *d = a < b; break;
    case SETP_LT_S: *d = (int) a < (int) b; break;
    case SETP_EQ: *d = a == b; break;
    case SETP_AND: *d = a >= b && !s; break;
    case SETP_PAIR:
      *d = more || s;
      l->p[x->a % PREDICATES] = !more || s;
      break;
    case AND_P: *d = q && r; break;
    case XOR_P: *d = q != r; break;
    case NOT_P: *d = !q; break;
    default: *d = l->x[x->a % LONGS] < l->x[x->b % LONGS];
    }
}

/* One that concerns one lane, NUMBER.  */
static void
alone (struct lane *l, const struct insn *x, int number, const unsigned *table)
{
  unsigned a = l->r[x->a], b = l->r[x->b], *d = &l->r[x->d];
  uint64_t wa = l->x[x->a % LONGS], wb = l->x[x->b % LONGS], *wd = &l->x[x->d % LONGS];
  switch (x->op)
    {
    case CONSTANT: *d = x->constant; break;
    case LANE: *d = number; break;
    case SETP_LT_U ... NOT_P: case SETP_L: predicate (l, x); break;
    case WIDEN: *wd = (int64_t) (int) a; break;
    case NARROW: *d = wa; break;
    case ADD_L: *wd = wa + wb; break;
    case MUL_L: *wd = wa * wb; break;
    case SHR_L: *wd = wa >> x->constant; break;
    case WIDE: *wd = (uint64_t) a * b; break;
    case PACK: *wd = (uint64_t) b << 32 | a; break;
    case UNPACK:
      *d = wa;
      l->r[x->b] = wa >> 32;
      break;
    case SELECT_L: *wd = l->p[x->c % PREDICATES] ? wa : wb; break;
    case LOAD: *d = table[a & 63]; break;
    case LOAD_ONE: *d = table[x->constant / 4]; break;
    case LOAD_PAIR:
      *d = table[a & 62];
      l->r[x->b] = table[(a & 62) + 1];
      break;
    case STORE: l->out[x->constant / 4] = a; break;
    case STORE_LOCAL: l->local[x->constant / 4] = a; break;
    case LOAD_LOCAL: *d = l->local[x->constant / 4]; break;
    case CALL: case CALL_BY: *d = help (a, b); break;
    case ATOMIC:
      b = l->out[x->constant / 4];
      l->out[x->constant / 4] += a;
      *d = b;
      break;
    default:
      *d = arithmetic (x->op, a, b, l->r[x->c], l->p[x->c % PREDICATES]);
    }
}

/* One that concerns all.  */
static void
together (struct lane *l, const struct insn *x)
{
  unsigned mask = 0, sum = 0, was[32];
  uint64_t wide[32];
  for (int i = 0; i < 32; i++)
    {
      mask |= (unsigned) l[i].p[x->a % PREDICATES] << i;
      was[i] = l[i].r[x->a];
      wide[i] = l[i].x[x->a % LONGS];
      sum += was[i];
    }
  for (int i = 0; i < 32; i++)
    {
      unsigned *d = &l[i].r[x->d];
      bool *p = &l[i].p[x->d % PREDICATES];
      uint64_t other = wide[(i ^ x->constant) & 31];
      switch (x->op)
	{
	case BALLOT: *d = mask; break;
	case ALL: *p = mask == ~0u; break;
	case ANY: *p = mask != ~0u; break;
	case BFLY: *d = was[(i ^ x->constant) & 31]; break;
	case BFLY_SUM:
	  l[i].r[x->b] = 0;	/* Set below.  */
	  l[i].r[x->a] = sum;
	  break;
	case BFLY_L: l[i].x[x->a % LONGS] = wide[i] > other ? wide[i] : other; break;
	case IDX: *d = was[l[i].r[x->b] & 31]; break;
	default:
	  *p = i >= (int) x->constant;
	  *d = was[*p ? i - x->constant : (unsigned) i];
	}
    }
  if (x->op == BFLY_SUM)
    /* What the last step got from the neighbour.  */
    for (int i = 0; i < 32; i++)
      for (int k = 0; k < 32; k++)
	if ((k ^ i) & 1)
	  l[i].r[x->b] += was[k];
}

static bool
is_together (enum op op)
{
  return op >= BALLOT && op <= UP;
}

static int
find_label (const struct kernel *k, int label)
{
  for (int i = 0; i < k->count; i++)
    if (k->insn[i].op == LABEL && k->insn[i].target == label)
      return i;
  abort ();
}

/* Until it ends, or comes to what concerns all.  */
static void
go_on (const struct kernel *k, struct lane *l, int number, const unsigned *table)
{
  while (l->at >= 0 && l->at < k->count)
    {
      const struct insn *x = &k->insn[l->at];
      bool does = x->guard < 0 || l->p[x->guard / 2] != (x->guard & 1);
      if (is_together (x->op))
	return;
      l->at++;
      if (!does || x->op == LABEL)
	continue;
      if (x->op == BRANCH)
	l->at = find_label (k, x->target);
      else if (x->op == RETURN)
	break;
      else
	alone (l, x, number, table);
    }
  l->at = -1;
  memcpy (l->out + OUT, l->r, sizeof l->r);
  memcpy (l->out + OUT + WORDS, l->x, sizeof l->x);
}

static void
interpret (const struct kernel *k, struct lane *l, const unsigned *table)
{
  for (int i = 0; i < 32; i++)
    {
      memset (&l[i], 0, sizeof l[i]);
      for (int j = 0; j < WORDS; j++)
	l[i].r[j] = 3 * j + 1;
      for (int j = 0; j < LONGS; j++)
	l[i].x[j] = 5 * j + 2;
      for (int j = 0; j < PREDICATES; j++)
	l[i].p[j] = j % 2;
      for (int j = 0; j < LOCALS; j++)
	l[i].local[j] = j;
    }
  for (;;)
    {
      for (int i = 0; i < 32; i++)
	go_on (k, &l[i], i, table);
      for (int i = 1; i < 32; i++)
	CHECK_EQ (l[i].at, l[0].at);
      if (l[0].at < 0)
	return;
      together (l, &k->insn[l[0].at]);
      for (int i = 0; i < 32; i++)
	l[i].at++;
    }
}

/* --- kernels --------------------------------------------------------------- */

static struct insn *
add (struct kernel *k, enum op op)
{
  CHECK (k->count < MOST_INSNS);
  struct insn *x = &k->insn[k->count++];
  *x = (struct insn) { .op = op, .d = rnd (WORDS - 2), .a = rnd (WORDS - 2),
		       .b = rnd (WORDS - 2), .c = rnd (WORDS - 2), .guard = -1,
		       .constant = rnd (4) ? rnd (40) : rnd (~0u) };
  /* Both results of one instruction are not the same.  */
  if (x->d % PREDICATES == x->a % PREDICATES && (op == SETP_PAIR || op == UP))
    x->a = (x->a + 1) % (WORDS - 2);
  while (x->d == x->b && (op == UNPACK || op == LOAD_PAIR))
    x->b = rnd (WORDS - 2);
  while (op == BFLY_SUM && x->a == x->b)
    x->b = rnd (WORDS - 2);
  if (op == LOAD_ONE)
    x->constant = x->constant % TABLE * 4;
  if (op == STORE || op == ATOMIC)
    x->constant = x->constant % OUT * 4;
  if (op == STORE_LOCAL || op == LOAD_LOCAL)
    x->constant = x->constant % LOCALS * 4;
  if (op == SHR_L)
    x->constant %= 64;
  if (op == BFLY || op == BFLY_L || op == UP)
    x->constant %= 32;
  return x;
}

static void
add_plain (struct kernel *k)
{
  struct insn *x = add (k, rnd (BALLOT - 1));
  if (rnd (20) == 0)
    x = add (k, ATOMIC);
  if (rnd (4) == 0 && x->op != CALL && x->op != CALL_BY)
    x->guard = rnd (2 * PREDICATES);
}

static void
branch (struct kernel *k, int guard, int label)
{
  struct insn *x = add (k, BRANCH);
  x->guard = guard;
  x->target = label;
}

static void
label (struct kernel *k, int label)
{
  add (k, LABEL)->target = label;
}

/* Does a lane return before others, so that it does not come by what concerns all?  */
static bool
returns (const struct kernel *k)
{
  for (int i = 0; i < k->count; i++)
    if (k->insn[i].op == RETURN)
      return true;
  return false;
}

/* A statement.  ALL: every lane comes by.  LEAVE: the label behind the loop around it, or
   -1.  The loops' counters are the last two words, which nothing else sets.  */
static void
statement (struct kernel *k, int depth, bool all, int leave, int loops)
{
  unsigned what = rnd (20);
  all &= !returns (k);
  int one = k->labels++, other = k->labels++;
  if (what < 3 && depth)
    {
      branch (k, rnd (2 * PREDICATES), one);
      for (unsigned i = rnd (4) + 1; i--;)
	statement (k, depth - 1, false, leave, loops);
      if (rnd (2))
	{
	  branch (k, -1, other);
	  label (k, one);
	  for (unsigned i = rnd (4) + 1; i--;)
	    statement (k, depth - 1, false, leave, loops);
	  label (k, other);
	}
      else
	label (k, one);
    }
  else if (what < 5 && depth && loops < 2)
    {
      /* As often as a word has bits; or three times, by all lanes.  */
      bool same = rnd (2);
      int counter = WORDS - 1 - loops;
      struct insn *x = add (k, same ? CONSTANT : MOVE);
      x->d = counter;
      x->constant = 4;
      label (k, one);
      bool still = all && same;
      k->stays += still;
      for (unsigned i = rnd (5) + 1; i--;)
	statement (k, depth - 1, still, still ? -1 : other, loops + 1);
      /* Half as much each time, until it is 0.  */
      k->stays -= still;
      x = add (k, CONSTANT);
      x->d = 2;
      x->constant = 1;
      x = add (k, SHR_U);
      x->d = x->a = counter;
      x->b = 2;
      x = add (k, CONSTANT);
      x->d = 3;
      x->constant = 0;
      x = add (k, SETP_LT_U);
      x->d = 1;
      x->a = 3;
      x->b = counter;
      branch (k, 2, one);
      label (k, other);
    }
  else if (what == 5 && leave >= 0)
    branch (k, rnd (2 * PREDICATES), leave);
  else if (what == 6 && !all && !k->stays && depth < 3 && rnd (3) == 0)
    add (k, RETURN)->guard = rnd (2 * PREDICATES);
  else if (what < 10 && all)
    add (k, BALLOT + rnd (UP - BALLOT + 1));
  else
    add_plain (k);
}

static void
make_structured (struct kernel *k)
{
  add (k, LANE)->d = 0;
  while (k->count < 60)
    statement (k, 4, true, -1, 0);
}

/* Blocks that go to any other; the last word counts how often.  */
static void
make_wild (struct kernel *k)
{
  int count = 3 + rnd (8);
  add (k, LANE)->d = 0;
  struct insn *x = add (k, CONSTANT);
  x->d = 9;
  x->constant = 40;
  for (int i = 0; i < count; i++)
    {
      label (k, i);
      x = add (k, CONSTANT);
      x->d = 8;
      x->constant = -1;
      x = add (k, ADD);
      x->d = x->a = 9;
      x->b = 8;
      x = add (k, SETP_EQ);
      x->d = 0;
      x->a = 8;
      x->b = 9;
      branch (k, 0, count);
      for (unsigned n = rnd (5); n--;)
	add_plain (k);
      if (rnd (8) == 0)
	add (k, RETURN)->guard = rnd (2 * PREDICATES);
      branch (k, rnd (2 * PREDICATES), rnd (count + 1));
      if (rnd (3) == 0)
	branch (k, rnd (2) ? -1 : (int) rnd (2 * PREDICATES), rnd (count + 1));
    }
  label (k, count);
}

static struct kernel *kernels;
static int kernel_count;

static void
make_text (struct text *t)
{
  const char *many = getenv ("UMMGR_RANDOM_KERNELS"), *seed = getenv ("UMMGR_RANDOM_SEED");
  kernel_count = many ? 2 * atoi (many) : 2 * KERNELS;
  state = seed ? strtoul (seed, NULL, 0) : 1;
  kernels = calloc (kernel_count, sizeof *kernels);
  CHECK (kernels && kernel_count > 0);
  put_preamble (t);
  put (t, "%s", helper);
  for (int i = 0; i < kernel_count; i++)
    {
      if (i % 2)
	make_wild (&kernels[i]);
      else
	make_structured (&kernels[i]);
      put_kernel (t, &kernels[i], i);
    }
}

static void
test (CUmodule module)
{
  int wrong = 0;
  for (int i = 0; i < kernel_count; i++)
    {
      struct { unsigned table[TABLE], out[32][PER_LANE]; } b = { 0 };
      static struct lane lane[32];
      char name[20];
      for (int j = 0; j < TABLE; j++)
	b.table[j] = rnd (3) ? rnd (40) : rnd (~0u);
      snprintf (name, sizeof name, "k%d", i);
      interpret (&kernels[i], lane, b.table);
      OK (run_kernel (module, name, 1, &b, sizeof b));
      for (int l = 0; l < 32; l++)
	for (int j = 0; j < PER_LANE; j++)
	  if (b.out[l][j] != lane[l].out[j] && wrong++ < 20)
	    fprintf (stderr, "%s, lane %d, word %d: %#x, not %#x\n", name, l, j, b.out[l][j],
		     lane[l].out[j]);
    }
  free (kernels);
  CHECK_EQ (wrong, 0);
}
