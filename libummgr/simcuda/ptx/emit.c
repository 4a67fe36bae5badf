/* PTX in memory as C.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Registers become variables of their type without a sign: R12, and V12[32] where its
   value differs between lanes (vary.c).  An instruction that lanes have to do one by one
   stands in a loop over I, whose mask is M where the warp is parted.  What abi.h has is
   in capitals.  */

#include "config.h"
#include "simcuda/ptx/ptx.h"
#include "base/counters.h"
#include "base/grow.h"

#include <ctype.h>
#include <search.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

/* Of .loc.  */
struct ptx_place
{
  int file, line;
};

/* What is kept for all registers before each of a function's blocks; what compilers write
   has a hundredth of that.  */
#define MOST_STATES ((size_t) 1 << 29)

enum symbol_kind { FUNCTION, EXTERN_FUNCTION, VARIABLE, SHARED };

struct symbol
{
  const char *name;
  enum symbol_kind kind;
  int number;
  struct ptx_function *function;
  struct ptx_variable *variable;
  struct symbol *next;
};

struct emit
{
  struct ptx_module *module;
  FILE *out;
  struct obstack text;
  void *tree;			/* Symbols by name.  */
  struct symbol *symbols;
  int symbol_count;
  size_t site_count, site_room;
  struct ptx_place *site;	/* Of accesses, by number.  */
  /* The function that is written.  */
  struct ptx_function *f;
  struct ptx_vary v;
  unsigned char *before, *after; /* States around the instruction.  */
  int b;			/* Its block.  */
  const struct ptx_insn *x;
  bool masked;			/* Some lanes may be missing here.  */
  bool meets;			/* Some branch parts the warp.  */
  bool dest_varies;
  const char *why;
};

/* --- text ------------------------------------------------------------------ */

static const char *__attribute__ ((format (printf, 2, 3)))
str (struct emit *e, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  obstack_vprintf (&e->text, format, args);
  va_end (args);
  obstack_1grow (&e->text, 0);
  return obstack_finish (&e->text);
}

static const char *
cannot (struct emit *e, const char *what)
{
  if (!e->why)
    e->why = str (e, "%s, line %d", what, e->x->at);
  return "0";
}

static bool
is_float (struct ptx_type t)
{
  return t.kind == 'f';
}

/* The C type of T: u32, s32, f64; bits are unsigned.  */
static const char *
c_type (struct emit *e, struct ptx_type t)
{
  return t.kind == 'p' ? "u8" : str (e, "%c%d", t.kind == 'b' ? 'u' : t.kind, t.bits);
}

/* That of a register of T.  */
static const char *
reg_type (struct emit *e, struct ptx_type t)
{
  return is_float (t) ? c_type (e, t) : str (e, "u%d", t.bits);
}

/* --- symbols --------------------------------------------------------------- */

static int
by_name (const void *a, const void *b)
{
  return strcmp (((const struct symbol *) a)->name, ((const struct symbol *) b)->name);
}

static struct symbol *
find_symbol (struct emit *e, const char *name)
{
  struct symbol key = { .name = name };
  struct symbol **found = tfind (&key, &e->tree, by_name);
  return found ? *found : NULL;
}

static struct symbol *
add_symbol (struct emit *e, const char *name)
{
  struct symbol *s = find_symbol (e, name);
  if (s)
    return s;
  s = obstack_alloc (&e->module->memory, sizeof *s);
  memset (s, 0, sizeof *s);
  s->name = name;
  s->number = e->symbol_count++;
  s->next = e->symbols;
  e->symbols = s;
  tsearch (s, &e->tree, by_name);
  return s;
}

/* A declaration, and where it is, a definition, of each name.  */
static void
list_symbols (struct emit *e)
{
  for (struct ptx_function *f = e->module->functions; f; f = f->next)
    {
      struct symbol *s = add_symbol (e, f->name);
      if (s->function && s->function->body && f->body)
	s->function->why = f->why = "it is defined twice";
      if (!s->function || f->body)
	s->function = f;
      s->kind = s->function->body ? FUNCTION : EXTERN_FUNCTION;
    }
  for (struct ptx_variable *v = e->module->variables; v; v = v->next)
    {
      struct symbol *s = add_symbol (e, v->name);
      if (s->function)
	{
	  s->function->why = "there is a variable of this name";
	  continue;
	}
      if (!s->variable || s->variable->external)
	s->variable = v;
      s->kind = s->variable->space == PTX_SHARED ? SHARED : VARIABLE;
    }
}

static const char *
function_name (struct emit *e, const struct symbol *s)
{
  char *name = obstack_copy0 (&e->text, s->name, strlen (s->name));
  for (char *p = name; *p; p++)
    if (!isalnum ((unsigned char) *p))
      *p = '_';
  return str (e, "f%d_%s", s->number, name);
}

static const char *
symbol_address (struct emit *e, const char *name)
{
  struct symbol *s = find_symbol (e, name);
  if (!s)
    return cannot (e, str (e, "%s is not declared", name));
  switch (s->kind)
    {
    case FUNCTION:
      return str (e, "(u64) %s", function_name (e, s));
    case EXTERN_FUNCTION:
      return str (e, "(u64) x%d", s->number);
    case SHARED:
      return str (e, "(u64) (w->shared + o%d)", s->number);
    default:
      return str (e, "(u64) g%d", s->number);
    }
}

/* --- operands -------------------------------------------------------------- */

static const char *
reg_name (struct emit *e, int reg, const unsigned char *state)
{
  return state[reg] ? str (e, "V%d[i]", reg) : str (e, "R%d", reg);
}

static const char *
special (struct emit *e, const char *name)
{
  static const struct { const char *name, *text; } known[] = {
    { "%tid.y", "w->tid_y" }, { "%tid.z", "0u" }, { "%ntid.x", "32u" },
    { "%ntid.y", "w->ntid_y" }, { "%ntid.z", "1u" }, { "%ctaid.x", "w->ctaid" },
    { "%ctaid.y", "0u" }, { "%ctaid.z", "0u" }, { "%nctaid.x", "w->nctaid" },
    { "%nctaid.y", "1u" }, { "%nctaid.z", "1u" }, { "%warpid", "w->tid_y" },
    { "%nwarpid", "w->ntid_y" }, { "%smid", "0u" }, { "%nsmid", "1u" },
    { "%gridid", "0u" }, { "WARP_SZ", "32u" }, { "%clock", "TIMER ()" },
    { "%clock64", "TIMER ()" }, { "%clock_hi", "(TIMER () >> 32)" },
    { "%globaltimer", "TIMER ()" }, { "%globaltimer_lo", "TIMER ()" },
    { "%globaltimer_hi", "(TIMER () >> 32)" }, { "%lanemask_eq", "(1u << LANE)" },
    { "%lanemask_lt", "((1u << LANE) - 1)" }, { "%lanemask_le", "((2u << LANE) - 1)" },
    { "%lanemask_ge", "~((1u << LANE) - 1)" }, { "%lanemask_gt", "~((2u << LANE) - 1)" },
    { "%tid.x", "LANE" }, { "%laneid", "LANE" }, { "%dynamic_smem_size", "w->shared_more" },
    { "%total_smem_size", "w->shared_size" }
  };
  const char *lane = e->v.any && e->dest_varies ? "i" : "w->laneid";
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (strcmp (known[k].name, name) == 0)
      {
	const char *t = known[k].text, *at = strstr (t, "LANE");
	return at ? str (e, "%.*s%s%s", (int) (at - t), t, lane, at + 4) : t;
      }
  return cannot (e, str (e, "special register %s", name));
}

static const char *rd (struct emit *e, const struct ptx_operand *o, struct ptx_type t);

static const struct ptx_type U64 = { 'u', 64 }, U32 = { 'u', 32 }, PRED = { 'p', 8 };

/* The type of each of COUNT parts of T; without bits: there is none.  */
static struct ptx_type
part_type (struct ptx_type t, int count)
{
  unsigned bits = t.bits / count;
  return (struct ptx_type) { 'b', bits * count == t.bits && !(bits % 8) && !(bits & (bits - 1))
				  ? bits : 0 };
}

/* The parts of O put together into T.  */
static const char *
packed (struct emit *e, const struct ptx_operand *o, struct ptx_type t)
{
  struct ptx_type part = part_type (t, o->count);
  if (!part.bits)
    return cannot (e, "parts that don't fit");
  const char *text = "0";
  for (int i = 0; i < o->count; i++)
    text = str (e, "%s | (u%d) %s << %d", text, t.bits, rd (e, &o->part[i], part),
		i * part.bits);
  return is_float (t) ? str (e, "FB%d (%s)", t.bits, text) : str (e, "(%s)", text);
}

static const char *
read_register (struct emit *e, int reg, struct ptx_type t)
{
  struct ptx_type d = e->f->reg[reg].type;
  const char *name = reg_name (e, reg, e->before);
  if (t.kind == 'p' || d.kind == 'p')
    return name;
  if (is_float (d) && !is_float (t))
    return str (e, "(%s) BF%d (%s)", c_type (e, t), d.bits, name);
  if (!is_float (d) && is_float (t))
    return str (e, "FB%d (%s)", t.bits, name);
  if (is_float (d) || (d.bits == t.bits && t.kind != 's'))
    return name;
  return str (e, "(%s) %s", c_type (e, t), name);
}

static const char *
integer (struct emit *e, uint64_t v, struct ptx_type t)
{
  if (t.kind == 'p')
    return v ? "1" : "0";
  if (is_float (t))
    return str (e, "(%s) %lld", c_type (e, t), (long long) v);
  if (t.bits < 64)
    v &= ((uint64_t) 1 << t.bits) - 1;
  return str (e, "(%s) 0x%llxu%s", c_type (e, t), (unsigned long long) v,
	      t.bits == 64 ? "ll" : "");
}

/* O as a value of type T.  */
static const char *
rd (struct emit *e, const struct ptx_operand *o, struct ptx_type t)
{
  const char *text;
  switch (o->kind)
    {
    case PTX_REGISTER:
      text = read_register (e, o->reg, t);
      return o->negated ? str (e, "!%s", text) : text;
    case PTX_INTEGER:
      return integer (e, o->bits, t);
    case PTX_FLOAT:
      text = str (e, "FB%u (0x%llx%s)", o->width, (unsigned long long) o->bits,
		  o->width == 64 ? "ull" : "u");
      return is_float (t) ? text : str (e, "(%s) 0x%llxull", c_type (e, t),
					(unsigned long long) o->bits);
    case PTX_SYMBOL:
      text = symbol_address (e, o->name);
      return o->offset ? str (e, "(%s + %lldll)", text, (long long) o->offset) : text;
    case PTX_LOCAL:
      return str (e, "(LOCAL (%s) + %lldu)", e->v.any ? "i" : "w->laneid",
		  (long long) o->offset);
    case PTX_SPECIAL:
      return str (e, "(%s) %s", c_type (e, t), special (e, o->name));
    case PTX_TUPLE:
      return packed (e, o, t);
    default:
      return cannot (e, "an operand of another kind");
    }
}

/* What address O points to.  */
static const char *
address (struct emit *e, const struct ptx_operand *o)
{
  if (o->kind != PTX_MEMORY)
    return cannot (e, "an operand that is no address");
  if (o->base->kind == PTX_REGISTER && e->f->reg[o->base->reg].type.bits != 64)
    return cannot (e, "an address that has not 64 bits");
  const char *base = rd (e, o->base, U64);
  return o->offset ? str (e, "%s + %lldll", base, (long long) o->offset) : base;
}

/* A statement that sets O, as T, to VALUE.  */
static const char *
wr (struct emit *e, const struct ptx_operand *o, struct ptx_type t, const char *value)
{
  if (o->kind == PTX_SINK)
    return str (e, "(void) (%s);", value);
  if (o->kind != PTX_REGISTER)
    return cannot (e, "a result that is no register");
  struct ptx_type d = e->f->reg[o->reg].type;
  const char *name = reg_name (e, o->reg, e->after);
  if (d.kind == 'p')
    return str (e, "%s = (%s) != 0;", name, value);
  if (is_float (d) && !is_float (t))
    return str (e, "%s = FB%d ((u%d) (%s));", name, d.bits, d.bits, value);
  if (!is_float (d) && is_float (t))
    return str (e, "%s = BF%d (%s);", name, t.bits, value);
  return str (e, "%s = (%s) (%s);", name, c_type (e, t), value);
}

/* --- lanes ----------------------------------------------------------------- */

static const char *
lanes (const struct emit *e)
{
  return e->masked ? "SOME" : "ALL";
}

static bool
varies (struct emit *e, const struct ptx_operand *o)
{
  return ptx_vary_operand (&e->v, e->f, o, e->before) != 0;
}

static bool
any_varies (struct emit *e, int from)
{
  for (int i = from; i < e->x->args; i++)
    if (varies (e, &e->x->arg[i]))
      return true;
  return false;
}

static bool
set_varies (struct emit *e, const struct ptx_operand *o)
{
  if (o->kind == PTX_REGISTER)
    return e->after[o->reg] != 0;
  for (int i = 0; o->kind == PTX_TUPLE && i < o->count; i++)
    if (set_varies (e, &o->part[i]))
      return true;
  return false;
}

/* After a uniform value was set: what merges with lanes' own reads V.  */
static const char *
spread_out (struct emit *e, const struct ptx_operand *o)
{
  const char *text = "";
  if (o->kind == PTX_REGISTER && !e->after[o->reg] && e->v.ever[o->reg])
    return str (e, " ALL V%d[i] = R%d;", o->reg, o->reg);
  for (int i = 0; o->kind == PTX_TUPLE && i < o->count; i++)
    text = str (e, "%s%s", text, spread_out (e, &o->part[i]));
  return text;
}

/* STATEMENT, that reads lanes' own values if READS, in as many lanes as it takes.  */
static const char *
in_lanes (struct emit *e, bool reads, bool each, const char *statement)
{
  if (each)
    return str (e, "%s { %s }", lanes (e), statement);
  return reads ? str (e, "ONE { %s }", statement) : statement;
}

/* Set the first operand, as T, to VALUE.  */
static const char *
result (struct emit *e, struct ptx_type t, const char *value)
{
  const struct ptx_operand *d = &e->x->arg[0];
  return str (e, "%s%s",
	      in_lanes (e, any_varies (e, 1), e->dest_varies, wr (e, d, t, value)),
	      spread_out (e, d));
}

/* --- memory ---------------------------------------------------------------- */

static int
next_site (struct emit *e)
{
  if (!UMMGR_GROW (e->site, e->site_room, e->site_count + 1))
    abort ();
  e->site[e->site_count] = (struct ptx_place) { e->x->file, e->x->line };
  return (int) e->site_count++;
}

/* How many parts of how many bytes X moves.  */
static int
parts_of (const struct ptx_insn *x)
{
  return ptx_has (x, "v2") ? 2 : ptx_has (x, "v4") ? 4 : 1;
}

static bool
own_space (const struct ptx_insn *x)
{
  return ptx_has (x, "shared") || ptx_has (x, "local");
}

/* Begin with the address in A_; lanes' own in an array.  */
static const char *
access_head (struct emit *e, const struct ptx_operand *o, bool each, const char *kind)
{
  const struct ptx_insn *x = e->x;
  int size = parts_of (x) * x->source.bits / 8;
  const char *where = own_space (x) ? "NEAR" : "FAR";
  if (each)
    return str (e, "u64 a_[32]; %s a_[i] = %s; %s_%s_LANES (a_, %s, %d, %d);", lanes (e),
		address (e, o), where, kind, e->masked ? "m" : "~0u", size, next_site (e));
  return str (e, "const u64 a_ = %s; %s_%s (a_, %d, %d);",
	      varies (e, o) ? str (e, "({ ONE_I; %s; })", address (e, o)) : address (e, o),
	      where, kind, size, next_site (e));
}

/* The C type of what the load or store X finds; ORDER: the word by which others see it
   in time.  */
static const char *
memory_type (struct emit *e, const char *order)
{
  const struct ptx_insn *x = e->x;
  return str (e, "%s%s", ptx_has (x, "volatile") || ptx_has (x, "relaxed")
			 || ptx_has (x, order) ? "volatile " : "", c_type (e, x->source));
}

static const struct ptx_operand *
part_of (const struct ptx_operand *o, int i)
{
  return o->kind == PTX_TUPLE ? &o->part[i] : o;
}

static const char *
load (struct emit *e)
{
  const struct ptx_insn *x = e->x;
  const struct ptx_operand *d = &x->arg[0], *from = &x->arg[1];
  struct ptx_type t = x->source;
  if (ptx_has (x, "param"))
    {
      if (from->kind != PTX_MEMORY || from->base->kind != PTX_REGISTER || from->offset)
	return cannot (e, "a parameter that is read in parts");
      return str (e, "%s%s",
		  in_lanes (e, varies (e, from), e->dest_varies,
			    wr (e, d, t, rd (e, from->base, t))), spread_out (e, d));
    }
  bool each = varies (e, from);
  int n = parts_of (x);
  if (n != (d->kind == PTX_TUPLE ? d->count : 1))
    return cannot (e, "parts that don't fit");
  const char *text = access_head (e, from, each, "LOAD");
  const char *type = memory_type (e, "acquire");
  for (int i = 0; i < n; i++)
    {
      const struct ptx_operand *p = part_of (d, i);
      if (each)
	text = str (e, "%s %s { %s }", text, lanes (e),
		    wr (e, p, t, str (e, "*(%s *) (a_[i] + %d)", type, i * t.bits / 8)));
      else
	text = str (e, "%s const %s x%d_ = *(%s *) (a_ + %d); %s", text, c_type (e, t), i,
		    type, i * t.bits / 8,
		    in_lanes (e, false, e->dest_varies,
			      wr (e, p, t, str (e, "x%d_", i))));
    }
  return str (e, "{ %s%s }", text, spread_out (e, d));
}

static const char *
store (struct emit *e)
{
  const struct ptx_insn *x = e->x;
  const struct ptx_operand *to = &x->arg[0], *v = &x->arg[1];
  struct ptx_type t = x->source;
  /* Whole parameters were moved (parameters_moved).  */
  if (ptx_has (x, "param"))
    return cannot (e, "st.param as a store");
  bool each = varies (e, to), values = varies (e, v);
  int n = parts_of (x);
  if (n != (v->kind == PTX_TUPLE ? v->count : 1))
    return cannot (e, "parts that don't fit");
  const char *text = access_head (e, to, each, "STORE");
  const char *type = memory_type (e, "release");
  for (int i = 0; i < n; i++)
    text = str (e, "%s %s", text,
		in_lanes (e, false, each || values,
			  str (e, "*(%s *) (a_%s + %d) = %s;", type, each ? "[i]" : "",
			       i * t.bits / 8, rd (e, part_of (v, i), t))));
  return str (e, "{ %s }", text);
}

static const char *
atomic (struct emit *e)
{
  const struct ptx_insn *x = e->x;
  static const char *const ops[] = { "add", "exch", "cas", "and", "or", "xor", "min",
				     "max", "inc", "dec" };
  const char *op = NULL;
  int first = ptx_is (x, "red") ? 0 : 1;
  struct ptx_type t = x->source;
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    if (ptx_has (x, ops[i]))
      op = ops[i];
  bool counts = op && (!strcmp (op, "inc") || !strcmp (op, "dec"));
  if (!op || x->args != first + 2 + !strcmp (op, "cas") || t.bits < 32
      || (is_float (t) && strcmp (op, "add")) || (counts && (t.kind != 'u' || t.bits != 32)))
    return cannot (e, "an atomic of another kind");
  bool each = e->before[e->f->regs];
  const char *value
    = str (e, "ATOMIC_%s_%s (%s, %s, %s%s%s, %d, %s)", op,
	   is_float (t) ? "f" : "i", c_type (e, t),
	   address (e, &x->arg[first]), rd (e, &x->arg[first + 1], t),
	   strcmp (op, "cas") ? "" : ", ",
	   strcmp (op, "cas") ? "" : rd (e, &x->arg[first + 2], t), next_site (e),
	   own_space (x) ? "NEAR" : "FAR");
  bool reads = any_varies (e, first);
  if (!first)
    return in_lanes (e, reads, each, str (e, "(void) %s;", value));
  const struct ptx_operand *d = &x->arg[0];
  if (each || !e->dest_varies)
    return str (e, "%s%s", in_lanes (e, reads, each, wr (e, d, t, value)),
		spread_out (e, d));
  return str (e, "{ const %s x_ = ({ ONE_I; %s; }); %s }", c_type (e, t), value,
	      in_lanes (e, false, true, wr (e, d, t, "x_")));
}

/* --- between lanes --------------------------------------------------------- */

static const char *
mask_of (struct emit *e, const char *predicate)
{
  return str (e, "u32 k_ = 0; %s k_ |= (u32) !!(%s) << i;", lanes (e), predicate);
}

static const char *
vote (struct emit *e)
{
  const struct ptx_insn *x = e->x;
  if (!ptx_has (x, "ballot") && !ptx_has (x, "all") && !ptx_has (x, "any") && !ptx_has (x, "uni"))
    return cannot (e, "vote of another kind");
  const char *p = rd (e, &x->arg[1], PRED);
  const char *m = e->masked ? "m" : "~0u";
  const char *member = x->args > 2 && !varies (e, &x->arg[2])
		       ? str (e, " & %s", rd (e, &x->arg[2], U32)) : "";
  const char *head = e->v.any ? mask_of (e, p) : str (e, "u32 k_ = %s ? ~0u : 0u;", p);
  const char *value
    = ptx_has (x, "ballot") ? str (e, "k_%s", member)
      : ptx_has (x, "all") ? str (e, "(k_ | ~(%s%s)) == ~0u", m, member)
      : ptx_has (x, "any") ? str (e, "(k_%s) != 0", member)
      : str (e, "!(k_%s) || (k_ | ~(%s%s)) == ~0u", member, m, member);
  struct ptx_type t = ptx_has (x, "ballot") ? U32 : PRED;
  return str (e, "{ %s %s%s }", head,
	      in_lanes (e, false, e->dest_varies, wr (e, &x->arg[0], t, value)),
	      spread_out (e, &x->arg[0]));
}

/* All threads of the team wait, and get of their predicates whether one holds, or all, or how many.  */
static const char *
reducing_barrier (struct emit *e)
{
  const struct ptx_insn *x = e->x;
  if (!ptx_has (x, "popc") && !ptx_has (x, "and") && !ptx_has (x, "or"))
    return cannot (e, "a barrier of another kind");
  if (varies (e, &x->arg[1]) || (x->args > 3 && varies (e, &x->arg[2])))
    return cannot (e, "a barrier that is another one in each lane");
  const char *p = rd (e, &x->arg[x->args - 1], PRED);
  const char *head = e->v.any ? mask_of (e, p) : str (e, "u32 k_ = %s ? ~0u : 0u;", p);
  const char *threads = x->args > 3 ? rd (e, &x->arg[2], U32) : "0";
  return str (e, "{ %s const u32 r_ = REDUCE (%s, %s, __builtin_popcount (k_ & %s), %s); %s%s }", head,
	      rd (e, &x->arg[1], U32), threads, e->masked ? "m" : "~0u",
	      ptx_has (x, "popc") ? "PTX_HOW_MANY" : ptx_has (x, "and") ? "PTX_ALL" : "PTX_ANY",
	      in_lanes (e, false, e->dest_varies, wr (e, &x->arg[0], ptx_has (x, "popc") ? U32 : PRED, "r_")),
	      spread_out (e, &x->arg[0]));
}

static const char *
active_mask (struct emit *e)
{
  return result (e, U32, e->masked ? "m" : "~0u");
}

static const char *
shuffle (struct emit *e)
{
  const struct ptx_insn *x = e->x;
  const struct ptx_operand *d = &x->arg[0], *to = d, *valid = NULL;
  const char *how = ptx_has (x, "idx") ? "idx" : ptx_has (x, "bfly") ? "bfly"
		    : ptx_has (x, "up") ? "up" : ptx_has (x, "down") ? "down" : NULL;
  struct ptx_type t = { 'b', 32 };
  if (d->kind == PTX_TUPLE && d->count != 2)
    return cannot (e, "parts that don't fit");
  if (d->kind == PTX_TUPLE)
    {
      to = &d->part[0];
      valid = &d->part[1];
    }
  if (!how)
    return cannot (e, "shfl of another kind");
  if (!e->v.any)
    /* One lane stands for all, which have the same.  */
    return str (e, "%s %s", wr (e, to, t, rd (e, &x->arg[1], t)),
		valid ? wr (e, valid, PRED, "1") : "");
  const char *b = rd (e, &x->arg[2], U32), *c = rd (e, &x->arg[3], U32);
  const char *body
    = str (e, "u8 p_; const unsigned j_ = SHUFFLE_%s (i, %s, %s, &p_); %s %s", how, b, c,
	   wr (e, to, t, "x_[j_]"), valid ? wr (e, valid, PRED, "p_") : "(void) p_;");
  return str (e, "{ u32 x_[32]; ALL x_[i] = %s; %s%s }", rd (e, &x->arg[1], t),
	      e->dest_varies ? in_lanes (e, true, true, body) : str (e, "ONE { %s }", body),
	      spread_out (e, d));
}

/* --- arithmetic ------------------------------------------------------------ */

static const char *
arg (struct emit *e, int i, struct ptx_type t)
{
  if (i >= e->x->args)
    return cannot (e, "too few operands");
  const char *text = rd (e, &e->x->arg[i], t);
  return is_float (t) && ptx_has (e->x, "ftz") ? str (e, "FTZ%d (%s)", t.bits, text) : text;
}

/* The rounding of floating-point arithmetic, NULL: to nearest.  */
static const char *
rounding (const struct ptx_insn *x)
{
  return ptx_has (x, "rz") ? "FE_TOWARDZERO" : ptx_has (x, "rm") ? "FE_DOWNWARD"
	 : ptx_has (x, "rp") ? "FE_UPWARD" : NULL;
}

/* A value of floating-point type with .ftz, .sat and rounding done.  */
static const char *
finished (struct emit *e, struct ptx_type t, const char *value)
{
  if (ptx_has (e->x, "ftz"))
    value = str (e, "FTZ%d (%s)", t.bits, value);
  if (ptx_has (e->x, "sat"))
    value = str (e, "SAT%d (%s)", t.bits, value);
  return value;
}

static const char *
binary (struct emit *e, const char *op)
{
  const struct ptx_insn *x = e->x;
  struct ptx_type t = x->source;
  const char *a = arg (e, 1, t), *b = arg (e, 2, t);
  if (t.kind == 'p')
    return result (e, t, str (e, "%s %s %s", a, op, b));
  if (is_float (t))
    {
      const char *value
	= rounding (x) ? str (e, "ROUNDED%d (%s, %s, %s, %s)", t.bits, rounding (x), a, op, b)
	  : str (e, "%s %s %s", a, op, b);
      return result (e, t, finished (e, t, value));
    }
  if (ptx_has (x, "sat"))
    return result (e, t, str (e, "CLAMP32 ((s64) %s %s (s64) %s)", a, op, b));
  if (ptx_has (x, "cc"))
    return cannot (e, "a carry");
  return result (e, t, str (e, "%s %s %s", a, op, b));
}

static const char *
multiply (struct emit *e, bool adds)
{
  const struct ptx_insn *x = e->x;
  struct ptx_type t = x->source, wide = { t.kind, 2 * t.bits };
  const char *a = arg (e, 1, t), *b = arg (e, 2, t), *value;
  if (ptx_has (x, "cc"))
    return cannot (e, "a carry");
  if (is_float (t))
    {
      if (adds)
	{
	  const char *mode = rounding (x);
	  value = str (e, "%sFMA%d (%s%s%s, %s, %s)", mode ? "ROUNDED_" : "", t.bits,
		       mode ? mode : "", mode ? ", " : "", a, b, arg (e, 3, t));
	  return result (e, t, finished (e, t, value));
	}
      return binary (e, "*");
    }
  if (strchr (x->op, '2'))	/* mul24, mad24  */
    {
      a = str (e, "LOW24%c (%s)", t.kind, a);
      b = str (e, "LOW24%c (%s)", t.kind, b);
      value = str (e, "(%s) ((s64) %s * %s%s)", c_type (e, t), a, b,
		   ptx_has (x, "hi") ? " >> 16" : "");
    }
  else if (ptx_has (x, "wide"))
    {
      if (wide.bits > 64)
	return cannot (e, "a product of more than 64 bits");
      value = str (e, "(%s) %s * (%s) %s", c_type (e, wide), a, c_type (e, wide), b);
      t = wide;
    }
  else if (ptx_has (x, "hi"))
    {
      /* Twice as wide and no wider: GCC 12 at -O3 makes of a product of s64 that is cut to
	 s16 one without signs.  */
      const char *w = t.bits < 64 ? c_type (e, wide)
		      : t.kind == 's' ? "__int128" : "unsigned __int128";
      value = str (e, "(%s) (((%s) %s * (%s) %s) >> %d)", c_type (e, t), w, a, w, b, t.bits);
    }
  else
    value = str (e, "(u%d) %s * (u%d) %s", t.bits < 32 ? 32 : t.bits, a,
		 t.bits < 32 ? 32 : t.bits, b);
  if (adds && ptx_has (x, "sat"))
    value = str (e, "CLAMP32 ((s64) (%s) + (s64) %s)", value, arg (e, 3, t));
  else if (adds)
    value = str (e, "(%s) + (u%d) %s", value, t.bits < 32 ? 32 : t.bits, arg (e, 3, t));
  return result (e, t, value);
}

static const char *
divide (struct emit *e, const char *name)
{
  const struct ptx_insn *x = e->x;
  struct ptx_type t = x->source;
  if (is_float (t))
    return binary (e, "/");
  return result (e, t, str (e, "%s_%c (%s, %s, %s)", name, t.kind, c_type (e, t),
			    arg (e, 1, t), arg (e, 2, t)));
}

/* NAME for floats, with the width behind it; NULL: FOR_INTEGERS, with the type.  */
static const char *
two (struct emit *e, const char *name)
{
  struct ptx_type t = e->x->source;
  if (is_float (t))
    return result (e, t, finished (e, t, str (e, "%s%d (%s, %s, %d)", name, t.bits,
					      arg (e, 1, t), arg (e, 2, t),
					      ptx_has (e->x, "NaN"))));
  return result (e, t, str (e, "%s_I (%s, %s, %s)", name, c_type (e, t), arg (e, 1, t),
			    arg (e, 2, t)));
}

static const char *
one (struct emit *e, const char *name)
{
  struct ptx_type t = e->x->source;
  return result (e, t, is_float (t)
		 ? finished (e, t, str (e, "%s%d (%s)", name, t.bits, arg (e, 1, t)))
		 : str (e, "%s_I (%s, %s)", name, c_type (e, t), arg (e, 1, t)));
}

static const char *
function_of (struct emit *e, const char *name)
{
  struct ptx_type t = e->x->source;
  const char *a = arg (e, 1, t);
  const char *value = rounding (e->x) ? str (e, "ROUNDED_%s%d (%s, %s)", name, t.bits,
					     rounding (e->x), a)
		      : str (e, "%s%d (%s)", name, t.bits, a);
  return result (e, t, finished (e, t, value));
}

static const char *
logic (struct emit *e, const char *op)
{
  struct ptx_type t = e->x->source;
  return result (e, t, str (e, "%s %s %s", arg (e, 1, t), op, arg (e, 2, t)));
}

static const char *
shift (struct emit *e, const char *name)
{
  struct ptx_type t = e->x->source;
  return result (e, t, str (e, "%s (%s, %s, %s)", name, c_type (e, t), arg (e, 1, t),
			    arg (e, 2, U32)));
}

static const char *
funnel (struct emit *e)
{
  struct ptx_type t = { 'b', 32 };
  const char *n = arg (e, 3, U32);
  n = ptx_has (e->x, "clamp") ? str (e, "(%s > 32 ? 32 : %s)", n, n) : str (e, "(%s & 31)", n);
  const char *both = str (e, "((u64) %s << 32 | %s)", arg (e, 2, t), arg (e, 1, t));
  return result (e, t, ptx_has (e->x, "l") ? str (e, "(u32) (%s << %s >> 32)", both, n)
					   : str (e, "(u32) (%s >> %s)", both, n));
}

static const char *
bit_field (struct emit *e, bool inserts)
{
  struct ptx_type t = e->x->source;
  if (inserts)
    return result (e, t, str (e, "BFI%d (%s, %s, %s, %s)", t.bits, arg (e, 1, t),
			      arg (e, 2, t), arg (e, 3, U32), arg (e, 4, U32)));
  return result (e, t, str (e, "BFE_%c%d (%s, %s, %s)", t.kind, t.bits, arg (e, 1, t),
			    arg (e, 2, U32), arg (e, 3, U32)));
}

static const char *
count_bits (struct emit *e, const char *name)
{
  struct ptx_type t = e->x->source;
  t.kind = t.kind == 's' ? 's' : 'u';
  return result (e, U32, str (e, "%s%d (%s)", name, t.bits, arg (e, 1, t)));
}

static const char *
find_bit (struct emit *e)
{
  struct ptx_type t = e->x->source;
  return result (e, U32, str (e, "BFIND_%c%d (%s, %d)", t.kind, t.bits, arg (e, 1, t),
			      ptx_has (e->x, "shiftamt")));
}

static const char *
convert (struct emit *e)
{
  const struct ptx_insn *x = e->x;
  struct ptx_type d = x->type, s = x->source;
  static const char *const whole[][2] = { { "rzi", "trunc" }, { "rni", "rint" },
					  { "rmi", "floor" }, { "rpi", "ceil" } };
  if (d.kind == 'f' && d.bits == 16)
    return cannot (e, "half precision");
  const char *v = rd (e, &x->arg[1], s);
  bool ftz = ptx_has (x, "ftz");
  if (is_float (s))
    {
      if (ftz && s.bits == 32)
	v = str (e, "FTZ32 (%s)", v);
      for (int i = 0; i < 4; i++)
	if (ptx_has (x, whole[i][0]))
	  v = str (e, "__builtin_%s%s (%s)", whole[i][1], s.bits == 32 ? "f" : "", v);
      if (!is_float (d))
	return result (e, d, str (e, "F%d_%c%d (%s)", s.bits, d.kind == 'b' ? 'u' : d.kind,
				  d.bits, v));
    }
  if (is_float (d))
    {
      if (rounding (x))
	v = str (e, "CONVERTED%d (%s, %s, %s)", d.bits, rounding (x), c_type (e, s), v);
      v = str (e, "(%s) (%s)", c_type (e, d), v);
      if (ftz && d.bits == 32)
	v = str (e, "FTZ32 (%s)", v);
      return result (e, d, ptx_has (x, "sat") ? str (e, "SAT%d (%s)", d.bits, v) : v);
    }
  if (ptx_has (x, "sat"))
    v = str (e, "INTO_%c%d ((__int128) %s)", d.kind, d.bits, v);
  return result (e, d, v);
}

/* A comparison as an expression.  */
static const char *
compare (struct emit *e, struct ptx_type t)
{
  static const struct { const char *name, *op; bool unordered; } known[] = {
    { "eq", "==", false }, { "ne", "!=", false }, { "lt", "<", false },
    { "le", "<=", false }, { "gt", ">", false }, { "ge", ">=", false },
    { "lo", "<", false }, { "ls", "<=", false }, { "hi", ">", false },
    { "hs", ">=", false }, { "equ", "==", true }, { "neu", "!=", true },
    { "ltu", "<", true }, { "leu", "<=", true }, { "gtu", ">", true },
    { "geu", ">=", true }
  };
  const struct ptx_insn *x = e->x;
  const char *a = arg (e, 1, t), *b = arg (e, 2, t);
  if (!is_float (t) && (ptx_has (x, "num") || ptx_has (x, "nan")))
    return cannot (e, "a comparison of another kind");
  if (ptx_has (x, "num"))
    return str (e, "!__builtin_isunordered (%s, %s)", a, b);
  if (ptx_has (x, "nan"))
    return str (e, "__builtin_isunordered (%s, %s)", a, b);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (ptx_has (x, known[i].name))
      {
	const char *text = str (e, "(%s) %s (%s)", a, known[i].op, b);
	if (!is_float (t))
	  return text;
	if (known[i].unordered)
	  return str (e, "(__builtin_isunordered (%s, %s) || %s)", a, b, text);
	return str (e, "(!__builtin_isunordered (%s, %s) && %s)", a, b, text);
      }
  return cannot (e, "a comparison of another kind");
}

static const char *
set_predicate (struct emit *e, bool value)
{
  const struct ptx_insn *x = e->x;
  const struct ptx_operand *d = &x->arg[0];
  struct ptx_type t = x->source;
  const char *c = compare (e, t), *with = "";
  const char *op = ptx_has (x, "and") ? "&" : ptx_has (x, "or") ? "|"
		   : ptx_has (x, "xor") ? "^" : NULL;
  if (op && x->args == 4)
    with = str (e, " %s (%s)", op, rd (e, &x->arg[3], PRED));
  if (value)
    return result (e, x->type, str (e, "((%s)%s) ? %s : 0", c, with,
				    is_float (x->type) ? "1.0f" : "-1"));
  if (d->kind == PTX_TUPLE && d->count != 2)
    return cannot (e, "parts that don't fit");
  if (d->kind != PTX_TUPLE)
    return result (e, PRED, str (e, "(%s)%s", c, with));
  /* The source may be the first result.  */
  const char *text = str (e, "const u8 c_ = %s, p_ = c_%s, q_ = !c_%s; %s %s", c, with, with,
			  wr (e, &d->part[0], PRED, "p_"), wr (e, &d->part[1], PRED, "q_"));
  return str (e, "{ %s%s }", in_lanes (e, any_varies (e, 1), e->dest_varies, text),
	      spread_out (e, d));
}

static const char *
move (struct emit *e)
{
  const struct ptx_insn *x = e->x;
  const struct ptx_operand *d = &x->arg[0], *s = &x->arg[1];
  struct ptx_type t = x->source;
  const char *text = "";
  if (d->kind != PTX_TUPLE)
    return result (e, t, rd (e, s, t));
  bool vector = ptx_has (x, "v2") || ptx_has (x, "v4");
  struct ptx_type part = vector ? (struct ptx_type) { 'b', t.bits } : part_type (t, d->count);
  if (!part.bits || (vector && (s->kind != PTX_TUPLE || s->count != d->count)))
    return cannot (e, "parts that don't fit");
  /* All are read before one is set.  */
  if (vector)
    for (int i = 0; i < d->count; i++)
      text = str (e, "%sconst u%d x%d_ = %s; ", text, part.bits, i,
		  rd (e, &s->part[i], part));
  else
    text = str (e, "const u%d x_ = %s; ", t.bits,
		rd (e, s, (struct ptx_type) { 'b', t.bits }));
  for (int i = 0; i < d->count; i++)
    text = str (e, "%s%s ", text,
		wr (e, &d->part[i], part, vector ? str (e, "x%d_", i)
		    : str (e, "(u%d) (x_ >> %d)", part.bits, i * part.bits)));
  return str (e, "{ %s%s }", in_lanes (e, varies (e, s), e->dest_varies, text),
	      spread_out (e, d));
}

static const char *
select_value (struct emit *e)
{
  struct ptx_type t = e->x->source;
  return result (e, t, str (e, "%s ? %s : %s", arg (e, 3, PRED), arg (e, 1, t),
			    arg (e, 2, t)));
}

static const char *
select_by_sign (struct emit *e)
{
  struct ptx_type t = e->x->type, by = e->x->source;
  return result (e, t, str (e, "%s >= 0 ? %s : %s", arg (e, 3, by), rd (e, &e->x->arg[1], t),
			    rd (e, &e->x->arg[2], t)));
}

static const char *
test_property (struct emit *e)
{
  static const char *const known[][2] = {
    { "finite", "__builtin_isfinite (%s)" }, { "infinite", "__builtin_isinf (%s)" },
    { "number", "!__builtin_isnan (%s)" }, { "notanumber", "__builtin_isnan (%s)" },
    /* "Positive and negative zero are considered normal numbers."  */
    { "normal", "({ const int c__ = __builtin_fpclassify (0, 1, 2, 3, 4, %s);"
		" c__ == 2 || c__ == 4; })" },
    { "subnormal", "(__builtin_fpclassify (0, 1, 2, 3, 4, %s) == 3)" }
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (ptx_has (e->x, known[i][0]))
      {
	const char *t = known[i][1], *at = strstr (t, "%s");
	return result (e, PRED, str (e, "%.*s%s%s", (int) (at - t), t,
				     arg (e, 1, e->x->source), at + 2));
      }
  return cannot (e, "testp of another kind");
}

/* vadd.u32.u32.u32.add d, a, b, c and vsub: the forms that GCC writes.  */
static const char *
video (struct emit *e, const char *op)
{
  const struct ptx_insn *x = e->x;
  if (x->words != 4 || strcmp (x->word[3], "add") || x->source.bits != 32 || x->args != 4)
    return cannot (e, "a video instruction of another kind");
  return result (e, U32, str (e, "%s %s %s + %s", arg (e, 1, U32), op, arg (e, 2, U32),
			      arg (e, 3, U32)));
}

static const char *
permute (struct emit *e)
{
  static const struct { const char *name, *digits; } modes[] = {
    { "f4e", "0x6543543243213210" }, { "b4e", "0x0123701267015670" },
    { "rc8", "0x3333222211110000" }, { "ecl", "0x3333322232113210" },
    { "ecr", "0x3210221011100000" }, { "rc16", "0x3232101032321010" }
  };
  const char *digits = "0";
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
    if (ptx_has (e->x, modes[i].name))
      digits = modes[i].digits;
  return result (e, U32, str (e, "PRMT (%s, %s, %s, %sull)", arg (e, 1, U32), arg (e, 2, U32),
			      arg (e, 3, U32), digits));
}

static const char *
lookup3 (struct emit *e)
{
  if (e->x->args != 5)
    return cannot (e, "lop3 of another kind");
  return result (e, U32, str (e, "LOP3 (%s, %s, %s, %s)", arg (e, 1, U32), arg (e, 2, U32),
			      arg (e, 3, U32), arg (e, 4, U32)));
}

static const char *
in_space (struct emit *e)
{
  return result (e, PRED, str (e, "IN_%s (%s)", ptx_has (e->x, "shared") ? "SHARED"
			       : ptx_has (e->x, "local") ? "LOCAL" : "GLOBAL",
			       arg (e, 1, U64)));
}

static const char *
absolute_difference (struct emit *e)
{
  struct ptx_type t = e->x->source;
  const char *a = arg (e, 1, t), *b = arg (e, 2, t);
  return result (e, t, str (e, "((%s) < (%s) ? (%s) - (%s) : (%s) - (%s)) + (%s)", a, b, b,
			    a, a, b, arg (e, 3, t)));
}

static const char *
copy_sign (struct emit *e)
{
  struct ptx_type t = e->x->source;
  return result (e, t, str (e, "__builtin_copysign%s (%s, %s)", t.bits == 32 ? "f" : "",
			    arg (e, 2, t), arg (e, 1, t)));
}

static const char *
barrier (struct emit *e)
{
  const struct ptx_insn *x = e->x;
  if (ptx_has (x, "warp"))
    return "";
  if (ptx_has (x, "red"))
    return reducing_barrier (e);
  return str (e, "BARRIER (%s, %s, %d);", x->args ? arg (e, 0, U32) : "0",
	      x->args > 1 ? arg (e, 1, U32) : "0", !ptx_has (x, "arrive"));
}

/* --- calls and branches ---------------------------------------------------- */

/* Does F take the registers that X gives it, and return one for that it sets?  */
static bool
takes (const struct emit *e, const struct ptx_function *f, const struct ptx_insn *x)
{
  struct ptx_type t;
  if (f->parameters != x->args || (x->result >= 0 && f->result < 0))
    return false;
  for (int i = 0; i < x->args; i++)
    {
      t = e->f->reg[x->arg[i].reg].type;
      if (t.bits != f->parameter_type[i].bits || is_float (t) != is_float (f->parameter_type[i]))
	return false;
    }
  t = x->result >= 0 ? e->f->reg[x->result].type : f->result_type;
  return x->result < 0
	 || (t.bits == f->result_type.bits && is_float (t) == is_float (f->result_type));
}

static const char *
call (struct emit *e)
{
  const struct ptx_insn *x = e->x;
  bool each = e->v.any && e->before[e->f->regs], reads = varies (e, x->callee);
  const char *args = "w", *types = "struct ptx_warp *";
  for (int i = 0; i < x->args; i++)
    {
      if (x->arg[i].kind != PTX_REGISTER)
	return cannot (e, "an argument that is no parameter");
      struct ptx_type t = e->f->reg[x->arg[i].reg].type;
      args = str (e, "%s, %s", args, reg_name (e, x->arg[i].reg, e->before));
      types = str (e, "%s, %s", types, reg_type (e, t));
      reads |= varies (e, &x->arg[i]);
    }
  struct ptx_type t = { 0, 0 };
  if (x->result >= 0)
    t = e->f->reg[x->result].type;
  const char *type = x->result >= 0 ? reg_type (e, t) : "void", *callee;
  struct symbol *s = x->callee->kind == PTX_SYMBOL ? find_symbol (e, x->callee->name) : NULL;
  if (x->callee->kind == PTX_SYMBOL && (!s || !s->function))
    return cannot (e, str (e, "%s is called and not declared", x->callee->name));
  if (s && !takes (e, s->function, x))
    return cannot (e, str (e, "%s takes other arguments", x->callee->name));
  if (s && s->kind == FUNCTION)
    callee = function_name (e, s);
  else
    callee = str (e, "((%s (*) (%s)) %s)",
		  s && s->function->result >= 0 && x->result < 0
		  ? reg_type (e, s->function->result_type) : type, types,
		  s ? str (e, "x%d", s->number)
		    : str (e, "CALLEE (%s)", rd (e, x->callee, U64)));
  const char *value = str (e, "%s (%s)", callee, args);
  if (x->result < 0)
    value = in_lanes (e, reads, each, str (e, "%s%s;", each ? "LANE (i); " : "", value));
  else
    {
      struct ptx_operand d = { PTX_REGISTER, .reg = x->result };
      const char *set = wr (e, &d, t, value);
      if (each)
	value = in_lanes (e, true, true, str (e, "LANE (i); %s", set));
      else if (e->after[x->result])
	value = str (e, "{ const %s x_ = ({ ONE_I; %s; }); %s }", type, value,
		     in_lanes (e, false, true, wr (e, &d, t, "x_")));
      else
	value = str (e, "%s%s", in_lanes (e, reads, false, set), spread_out (e, &d));
    }
  return each ? str (e, "{ LANES_BEGIN; %s LANES_END; }", value) : value;
}

/* The end of the function.  LANES_DIFFER: each has a result, and by then the same.  */
static const char *
go_back (struct emit *e, bool lanes_differ)
{
  const struct ptx_function *f = e->f;
  const char *local = f->local ? "LOCAL_END; " : "";
  if (f->entry || f->result < 0)
    return str (e, "%sreturn;", local);
  return str (e, lanes_differ ? "%sreturn V%d[0];" : "%sreturn R%d;", local, f->result);
}

static const char *
leave (struct emit *e)
{
  const struct ptx_function *f = e->f;
  return e->meets ? "goto out_;" : go_back (e, f->result >= 0 && e->before[f->result]);
}

static const char *
branch_to (struct emit *e, int target)
{
  static const char *const pause[] = { "", "SPIN (); ", "YIELD (); " };
  return str (e, "%sgoto B%d;", target <= e->b ? pause[e->v.waits[e->b]] : "", target);
}

/* X's guard, as an expression.  */
static const char *
guard (struct emit *e)
{
  const struct ptx_insn *x = e->x;
  return str (e, "%s%s", x->guard_not ? "!" : "", reg_name (e, x->guard, e->before));
}

/* The warp parts: K_ go to TAKEN, the others on.  */
static const char *
part_warp (struct emit *e)
{
  const struct ptx_insn *x = e->x;
  bool back = ptx_is (x, "ret");
  int meet = e->v.meet[e->b], taken = back ? e->f->blocks : x->target;
  int on = e->f->block[e->b].next[1];
  const char *go = back ? "goto out_;" : branch_to (e, taken);
  const char *m = e->masked ? "m" : "~0u";
  const char *text = str (e, "{ %s if (k_ == %s) { %s } if (k_) { PUSH (%s, %d, %d);",
			  mask_of (e, guard (e)), m, go, m, meet, meet);
  if (taken == meet)
    text = str (e, "%s m = %s & ~k_; goto B%d;", text, m, on);
  else
    {
      if (on != meet)
	text = str (e, "%s PUSH (%s & ~k_, %d, %d);", text, m, on, meet);
      text = str (e, "%s m = k_; %s", text, go);
    }
  return str (e, "%s } }", text);
}

/* --- one instruction ------------------------------------------------------- */

struct rule
{
  const char *op;
  const char *(*plain) (struct emit *);
  const char *(*with) (struct emit *, const char *);
  const char *what;
};

static const char *
nothing (struct emit *e)
{
  return "";
}

static const char *
fence (struct emit *e)
{
  return "FENCE ();";
}

static const char *
pause_warp (struct emit *e)
{
  return "YIELD ();";
}

static const char *
not_value (struct emit *e)
{
  struct ptx_type t = e->x->source;
  return result (e, t, str (e, "%s%s", t.kind == 'p' ? "!" : "~", arg (e, 1, t)));
}

static const char *
logical_not (struct emit *e)
{
  struct ptx_type t = e->x->source;
  return result (e, t, str (e, "!%s", arg (e, 1, t)));
}

static const char *
negate (struct emit *e)
{
  struct ptx_type t = e->x->source;
  const char *v = str (e, "-%s%s", is_float (t) ? "" : str (e, "(u%d) ", t.bits),
		       arg (e, 1, t));
  return result (e, t, is_float (t) ? finished (e, t, v) : v);
}

static const char *mul (struct emit *e) { return multiply (e, false); }
static const char *mad (struct emit *e) { return multiply (e, true); }
static const char *bfe (struct emit *e) { return bit_field (e, false); }
static const char *bfi (struct emit *e) { return bit_field (e, true); }
static const char *setp (struct emit *e) { return set_predicate (e, false); }
static const char *set_value (struct emit *e) { return set_predicate (e, true); }

static const char *
end_warp (struct emit *e)
{
  if (e->masked)
    return cannot (e, "exit by some lanes");
  return "EXIT ();";
}

/* "" where no line is known.  */
static const char *
file_name (const struct emit *e, int file)
{
  const struct ptx_module *m = e->module;
  return file > 0 && file < m->files && m->file[file] ? m->file[file] : "";
}

static const char *
quoted (struct emit *e, const char *s)
{
  obstack_1grow (&e->text, '"');
  for (; *s; s++)
    {
      if (*s == '"' || *s == '\\')
	obstack_1grow (&e->text, '\\');
      obstack_1grow (&e->text, *s);
    }
  obstack_1grow (&e->text, '"');
  obstack_1grow (&e->text, 0);
  return obstack_finish (&e->text);
}

static const char *
trap (struct emit *e)
{
  return str (e, "TRAP (\"%s\", %s, %d);", e->f->name,
	      quoted (e, file_name (e, e->x->file)), e->x->line);
}

static const struct rule rules[] = {
  { "abs", .with = one, .what = "ABS" },
  { "activemask", .plain = active_mask },
  { "add", .with = binary, .what = "+" },
  { "and", .with = logic, .what = "&" },
  { "atom", .plain = atomic }, { "red", .plain = atomic },
  { "bar", .plain = barrier }, { "barrier", .plain = barrier },
  { "bfe", .plain = bfe }, { "bfi", .plain = bfi }, { "bfind", .plain = find_bit },
  { "brev", .with = one, .what = "BREV" },
  { "call", .plain = call },
  { "clz", .with = count_bits, .what = "CLZ" },
  { "cnot", .plain = logical_not },
  { "copysign", .plain = copy_sign },
  { "cos", .with = function_of, .what = "COS" },
  { "cvt", .plain = convert }, { "cvta", .plain = move },
  { "discard", .plain = nothing }, { "prefetch", .plain = nothing }, { "prefetchu", .plain = nothing },
  { "div", .with = divide, .what = "DIV" },
  { "ex2", .with = function_of, .what = "EX2" },
  { "exit", .plain = end_warp },
  { "fence", .plain = fence }, { "membar", .plain = fence },
  { "fma", .plain = mad },
  { "isspacep", .plain = in_space },
  { "ld", .plain = load }, { "ldu", .plain = load },
  { "lg2", .with = function_of, .what = "LG2" },
  { "lop3", .plain = lookup3 },
  { "mad", .plain = mad }, { "mad24", .plain = mad },
  { "max", .with = two, .what = "MAX" },
  { "min", .with = two, .what = "MIN" },
  { "mov", .plain = move },
  { "mul", .plain = mul }, { "mul24", .plain = mul },
  { "nanosleep", .plain = pause_warp },
  { "neg", .plain = negate }, { "not", .plain = not_value },
  { "or", .with = logic, .what = "|" },
  { "popc", .with = count_bits, .what = "POPC" },
  { "prmt", .plain = permute },
  { "rcp", .with = function_of, .what = "RCP" },
  { "rem", .with = divide, .what = "REM" },
  { "ret", .plain = leave },
  { "rsqrt", .with = function_of, .what = "RSQRT" },
  { "sad", .plain = absolute_difference },
  { "selp", .plain = select_value },
  { "set", .plain = set_value }, { "setp", .plain = setp },
  { "shf", .plain = funnel }, { "shfl", .plain = shuffle },
  { "shl", .with = shift, .what = "SHL" },
  { "shr", .with = shift, .what = "SHR" },
  { "sin", .with = function_of, .what = "SIN" },
  { "slct", .plain = select_by_sign },
  { "sqrt", .with = function_of, .what = "SQRT" },
  { "st", .plain = store },
  { "sub", .with = binary, .what = "-" },
  { "tanh", .with = function_of, .what = "TANH" },
  { "testp", .plain = test_property },
  { "trap", .plain = trap }, { "brkpt", .plain = trap },
  { "vadd", .with = video, .what = "+" }, { "vsub", .with = video, .what = "-" },
  { "vote", .plain = vote },
  { "xor", .with = logic, .what = "^" }
};

static const char *
translate (struct emit *e)
{
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (ptx_is (e->x, rules[i].op))
      return rules[i].plain ? rules[i].plain (e) : rules[i].with (e, rules[i].what);
  return cannot (e, str (e, "instruction %s", e->x->op));
}

/* st.param [p], v is mov p, v.  */
static void
parameters_moved (struct ptx_function *f)
{
  for (int i = 0; i < f->insns; i++)
    {
      struct ptx_insn *x = &f->insn[i];
      if (ptx_is (x, "st") && ptx_has (x, "param") && x->args == 2
	  && x->arg[0].kind == PTX_MEMORY && x->arg[0].base->kind == PTX_REGISTER
	  && !x->arg[0].offset)
	{
	  x->op = "mov";
	  x->sets = true;
	  x->arg[0] = *x->arg[0].base;
	  x->words = 0;
	}
    }
}

static void
instruction (struct emit *e)
{
  const struct ptx_insn *x = e->x;
  bool guarded = x->guard >= 0, parted = guarded && e->before[x->guard];
  bool was = e->masked;
  e->dest_varies = x->sets && set_varies (e, &x->arg[0]);
  if (ptx_is (x, "bra") || (ptx_is (x, "ret") && parted))
    {
      if (parted)
	fprintf (e->out, "  %s\n", part_warp (e));
      else if (guarded)
	fprintf (e->out, "  if (%s) { %s }\n", guard (e), branch_to (e, x->target));
      else
	fprintf (e->out, "  %s\n", branch_to (e, x->target));
      return;
    }
  if (parted)
    {
      fprintf (e->out, "  { %s if (k_) { const u32 m = k_;", mask_of (e, guard (e)));
      e->masked = true;
    }
  else if (guarded)
    fprintf (e->out, "  if (%s) {", guard (e));
  fprintf (e->out, "  %s", translate (e));
  fprintf (e->out, "%s\n", parted ? " } }" : guarded ? " }" : "");
  e->masked = was;
}

/* --- functions ------------------------------------------------------------- */

/* What kind of work X is; -1: none.  */
static int
work_of (const struct ptx_insn *x)
{
  static const char *const special_ops[] = { "div", "sqrt", "rsqrt", "rcp", "ex2", "lg2",
					     "sin", "cos", "tanh", "rem" };
  if (ptx_accesses (x))
    return UMMGR_WORK_MEMORY;
  if (ptx_is (x, "ld") || ptx_is (x, "st"))
    return -1;
  if (ptx_is (x, "bra") || ptx_is (x, "ret") || ptx_is (x, "call") || ptx_is (x, "bar"))
    return UMMGR_WORK_CONTROL;
  for (size_t i = 0; i < sizeof special_ops / sizeof *special_ops; i++)
    if (ptx_is (x, special_ops[i]))
      return UMMGR_WORK_SPECIAL;
  return x->source.kind != 'f' ? UMMGR_WORK_INTEGER
	 : x->source.bits == 64 ? UMMGR_WORK_F64 : UMMGR_WORK_F32;
}

static void
count_work (struct emit *e, const struct ptx_block *b)
{
  int n[UMMGR_WORKS] = { 0 };
  for (int i = b->first; i < b->end; i++)
    {
      int k = work_of (&e->f->insn[i]);
      if (k >= 0)
	n[k]++;
    }
  fprintf (e->out, "  WORK (%d, %d, %d, %d, %d, %d);\n", n[0], n[1], n[2], n[3], n[4], n[5]);
}

static void
signature (struct emit *e, const struct symbol *s)
{
  const struct ptx_function *f = s->function;
  fprintf (e->out, "static %s %s (struct ptx_warp *w",
	   f->entry || f->result < 0 ? "void" : reg_type (e, f->result_type),
	   function_name (e, s));
  if (f->entry)
    fputs (", const char *p_", e->out);
  else
    for (int i = 0; i < f->parameters; i++)
      {
	const char *type = reg_type (e, f->parameter_type[i]);
	if (f->body)
	  fprintf (e->out, ", %s R%d", type, f->parameter[i]);
	else
	  fprintf (e->out, ", %s", type);
      }
  fputc (')', e->out);
}

static bool
is_parameter (const struct ptx_function *f, int reg)
{
  for (int i = 0; i < f->parameters; i++)
    if (f->parameter[i] == reg)
      return true;
  return false;
}

static void
declare_registers (struct emit *e)
{
  const struct ptx_function *f = e->f;
  for (int r = 0; r < f->regs; r++)
    {
      const char *type = reg_type (e, f->reg[r].type);
      if (f->entry || !is_parameter (f, r))
	fprintf (e->out, "  %s R%d = 0;", type, r);
      if (e->v.any && e->v.ever[r])
	fprintf (e->out, " %s V%d[32]; ALL V%d[i] = R%d;", type, r, r, r);
      fprintf (e->out, "\t/* %s */\n", f->reg[r].name);
    }
  for (size_t i = 0, at = 0; f->entry && i < (size_t) f->parameters; i++)
    {
      size_t size = f->parameter_type[i].bits / 8;
      at = (at + size - 1) / size * size;
      fprintf (e->out, "  R%d = *(%s *) (p_ + %zu);\n", f->parameter[i],
	       reg_type (e, f->parameter_type[i]), at);
      at += size;
    }
}

/* Where ways meet again, and lanes that wait go on.  */
static void
write_meet (struct emit *e)
{
  const struct ptx_function *f = e->f;
  fprintf (e->out, " out_:\n  if (n_ && d_[n_ - 1].at == %d) goto meet_;\n", f->blocks);
  fprintf (e->out, "  %s\n", go_back (e, f->result >= 0 && e->v.ever[f->result]));
  fputs (" meet_:\n  n_--; m = d_[n_].mask;\n  switch (d_[n_].to)\n    {\n", e->out);
  for (int b = 0; b < f->blocks; b++)
    if (e->v.in[b])
      fprintf (e->out, "    case %d: goto B%d;\n", b, b);
  fputs ("    default: goto out_;\n    }\n", e->out);
}

static void
blocks (struct emit *e)
{
  const struct ptx_function *f = e->f;
  bool *is_meet = obstack_alloc (&e->text, f->blocks + 1);
  memset (is_meet, 0, f->blocks + 1);
  bool *waits = obstack_alloc (&e->text, f->insns + 1);
  ptx_waits (f, waits);
  for (int b = 0; b < f->blocks; b++)
    if (e->v.meet[b] >= 0)
      is_meet[e->v.meet[b]] = true;
  for (int b = 0; b < f->blocks; b++)
    {
      if (!e->v.in[b])
	continue;
      e->b = b;
      e->masked = e->v.control[b] != 0;
      fprintf (e->out, " B%d:;\n", b);
      if (is_meet[b])
	fprintf (e->out, "  if (n_ && d_[n_ - 1].at == %d) goto meet_;\n", b);
      count_work (e, &f->block[b]);
      memcpy (e->before, e->v.in[b], f->regs + 1);
      ptx_vary_begin (&e->v, f);
      for (int i = f->block[b].first; i < f->block[b].end; i++)
	{
	  e->x = &f->insn[i];
	  memcpy (e->after, e->before, f->regs + 1);
	  ptx_vary_step (&e->v, f, b, e->x, e->after);
	  if (waits[i])
	    fputs ("  WAITS ();\n", e->out);
	  instruction (e);
	  memcpy (e->before, e->after, f->regs + 1);
	}
      if (ptx_loads (e->x))
	fputs ("  WAITS ();\n", e->out);
    }
}

/* Write the body of S, or, where it can't be, one that says so.  */
static void
write_function (struct emit *e, const struct symbol *s)
{
  struct ptx_function *f = s->function;
  FILE *out = e->out;
  char *text = NULL;
  size_t size = 0;
  e->f = f;
  if ((f->entry && 8 * f->parameters > PTX_MOST_PARAMETERS) || (size_t) f->blocks * f->regs > MOST_STATES)
    f->why = "it has too many parameters, or blocks and registers";
  e->why = f->why;
  if (!e->why)
    {
      parameters_moved (f);
      ptx_vary (f, &e->v);
      e->meets = false;
      for (int b = 0; b < f->blocks; b++)
	e->meets |= e->v.meet[b] >= 0;
      e->before = obstack_alloc (&e->module->memory, 2 * (f->regs + 1));
      e->after = e->before + f->regs + 1;
      e->out = open_memstream (&text, &size);
      if (!e->out)
	abort ();
      void *mark = obstack_alloc (&e->text, 1);
      blocks (e);
      if (e->meets)
	write_meet (e);
      fclose (e->out);
      e->out = out;
      if (e->why)
	f->why = obstack_copy0 (&e->module->memory, e->why, strlen (e->why));
      obstack_free (&e->text, mark);
    }
  signature (e, s);
  fputs ("\n{\n", out);
  if (f->why)
    fprintf (out, "  UNKNOWN (\"%s\");\n}\n\n", f->name);
  else
    {
      declare_registers (e);
      if (f->local)
	fprintf (out, "  LOCAL_BEGIN (%u);\n", f->local);
      if (e->meets)
	fputs ("  u32 m = ~0u; int n_ = 0; struct ptx_part d_[72];\n", out);
      fwrite (text, 1, size, out);
      fputs ("}\n\n", out);
    }
  if (text)
    ptx_vary_free (&e->v);
  free (text);
}

/* --- tables ---------------------------------------------------------------- */

static void
write_functions (struct emit *e)
{
  fputs ("const struct ptx_export ptx_functions[] = {\n", e->out);
  for (struct symbol *s = e->symbols; s; s = s->next)
    {
      struct ptx_function *f = s->function;
      if (s->kind != FUNCTION)
	continue;
      fprintf (e->out, "  { %s, (void *) %s, %d, %d, %s, %u },\n", quoted (e, s->name),
	       function_name (e, s), f->entry,
	       f->entry ? 2 : f->weak ? 1 : f->visible ? 2 : 0,
	       quoted (e, f->why ? f->why : ""), f->why ? 0 : ptx_pressure (f));
    }
  for (struct ptx_alias *a = e->module->aliases; a; a = a->next)
    {
      struct symbol *s = find_symbol (e, a->of);
      if (!s || s->kind != FUNCTION)
	continue;
      fprintf (e->out, "  { %s, (void *) %s, 0, 2, \"\", 0 },\n", quoted (e, a->name),
	       function_name (e, s));
    }
  fputs ("  { 0 }\n};\n", e->out);
  fputs ("const struct ptx_import ptx_imports[] = {\n", e->out);
  for (struct symbol *s = e->symbols; s; s = s->next)
    if (s->kind == EXTERN_FUNCTION)
      fprintf (e->out, "  { %s, (void **) &x%d },\n", quoted (e, s->name), s->number);
  fputs ("  { 0 }\n};\n", e->out);
}

static void
write_values (struct emit *e, const struct symbol *s)
{
  const struct ptx_variable *v = s->variable;
  if (v->init)
    {
      fprintf (e->out, "static const unsigned char i%d[] = {", s->number);
      for (size_t i = 0; i < v->init_size; i++)
	fprintf (e->out, "%s%d,", i % 24 ? "" : "\n", v->init[i]);
      fputs ("};\n", e->out);
    }
  if (v->fixups)
    {
      fprintf (e->out, "static const struct ptx_fixup_entry k%d[] = {\n", s->number);
      for (const struct ptx_fixup *x = v->fixups; x; x = x->next)
	{
	  struct symbol *to = find_symbol (e, x->name);
	  fprintf (e->out, "  { %zu, %s", x->at, quoted (e, x->name));
	  /* What only this module knows goes by its address.  */
	  if (to && to->kind == FUNCTION)
	    fprintf (e->out, ", %lld, (void *) %s, 0 },\n", (long long) x->offset,
		     function_name (e, to));
	  else if (to && to->kind == VARIABLE)
	    fprintf (e->out, ", %lld, 0, (void **) &g%d },\n", (long long) x->offset,
		     to->number);
	  else
	    fprintf (e->out, ", %lld, 0, 0 },\n", (long long) x->offset);
	}
      fputs ("  { 0 }\n};\n", e->out);
    }
}

static void
write_variables (struct emit *e)
{
  for (struct symbol *s = e->symbols; s; s = s->next)
    if (s->variable)
      write_values (e, s);
  fputs ("const struct ptx_storage ptx_variables[] = {\n", e->out);
  for (struct symbol *s = e->symbols; s; s = s->next)
    {
      const struct ptx_variable *v = s->variable;
      if (!v)
	continue;
      fprintf (e->out, "  { %s, %d, %d, %zu, %zu, (void *) &%c%d, ", quoted (e, s->name),
	       v->space == PTX_SHARED,
	       v->external ? -1 : v->weak ? 1 : v->visible ? 2 : 0, v->size, v->align,
	       v->space == PTX_SHARED ? 'o' : 'g', s->number);
      if (v->init)
	fprintf (e->out, "i%d, ", s->number);
      else
	fputs ("0, ", e->out);
      fprintf (e->out, "%zu, ", v->init_size);
      fprintf (e->out, v->fixups ? "k%d },\n" : "0 },\n", s->number);
    }
  fputs ("  { 0 }\n};\n", e->out);
}

/* By number: the file and line of an access.  */
static void
write_sites (struct emit *e)
{
  fputs ("u32 ptx_first_site;\nconst struct ptx_site ptx_sites[] = {\n", e->out);
  for (size_t i = 0; i < e->site_count; i++)
    fprintf (e->out, "  { %s, %d },\n", quoted (e, file_name (e, e->site[i].file)),
	     e->site[i].line);
  fputs ("  { 0 }\n};\n", e->out);
}

void
ptx_emit (struct ptx_module *module, FILE *out)
{
  struct emit e = { .module = module, .out = out };
  obstack_init (&e.text);
  list_symbols (&e);
  for (struct symbol *s = e.symbols; s; s = s->next)
    switch (s->kind)
      {
      case FUNCTION:
	signature (&e, s);
	fputs (";\n", out);
	break;
      case EXTERN_FUNCTION:
	fprintf (out, "static void *x%d;\t/* %s */\n", s->number, s->name);
	break;
      case SHARED:
	fprintf (out, "static u32 o%d;\t/* %s */\n", s->number, s->name);
	break;
      default:
	fprintf (out, "static char *g%d;\t/* %s */\n", s->number, s->name);
      }
  fputc ('\n', out);
  for (struct symbol *s = e.symbols; s; s = s->next)
    if (s->kind == FUNCTION)
      write_function (&e, s);
  write_functions (&e);
  write_variables (&e);
  write_sites (&e);
  while (e.tree)
    tdelete (*(struct symbol **) e.tree, &e.tree, by_name);
  free (e.site);
  obstack_free (&e.text, NULL);
}
