/* PTX text into memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"
#include "simcuda/ptx/ptx.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

/* A name, number, string or single character.  */
struct token
{
  const char *text;
  size_t length;
};

/* A name in force: a register or several, an array of the function's .local; or a
   label, of a function's labels.  */
struct name
{
  const char *text;
  size_t length;
  int kind;
  struct ptx_type type;
  int reg, count;		/* COUNT > 1: parts of a vector.  */
  uint64_t most;		/* RANGE: TEXT and any number below this.  Such a register
				   is made where it is first used; most never are.  */
  int64_t offset;		/* LOCAL_ARRAY.  */
  int insn;			/* LABEL.  */
  int scope;
  struct name *next;		/* In its bucket.  */
};

enum { REGISTER, RANGE, LOCAL_ARRAY, LABEL };

#define BUCKETS 1024
#define DEPTH 64
/* Of a function's .local: more than a lane has (abi.h).  */
#define MOST_LOCAL (1 << 20)

struct parser
{
  struct ptx_module *module;
  const char *p, *end;
  int line;
  struct token token;
  jmp_buf failed;
  /* Of the function that is read.  */
  struct ptx_function *f;
  struct name *bucket[BUCKETS];
  int scope;			/* Pair of braces, by number.  */
  int *outer;			/* By scope: the one around it, -1: none.  */
  int scopes, room_scopes;
  int room_regs, room_insns;
  int loc_line, loc_file;
};

static _Noreturn void __attribute__ ((format (printf, 2, 3)))
fail (struct parser *s, const char *format, ...)
{
  char what[160];
  va_list args;
  va_start (args, format);
  vsnprintf (what, sizeof what, format, args);
  va_end (args);
  snprintf (s->module->error, sizeof s->module->error, "line %d: %s", s->line, what);
  longjmp (s->failed, 1);
}

/* The function that is read can't be translated, and the module can.  */
static void __attribute__ ((format (printf, 2, 3)))
cannot (struct parser *s, const char *format, ...)
{
  char what[160];
  if (s->f->why)
    return;
  va_list args;
  va_start (args, format);
  vsnprintf (what, sizeof what - 20, format, args);
  va_end (args);
  snprintf (what + strlen (what), 20, ", line %d", s->line);
  s->f->why = obstack_copy0 (&s->module->memory, what, strlen (what));
}

/* What obstack calls without memory can't return, so chunks come from malloc, whose
   failure ends the process as libgomp's own do.  */
static void *
get (struct parser *s, size_t size)
{
  void *p = obstack_alloc (&s->module->memory, size ? size : 1);
  return memset (p, 0, size);
}

static void *
copy (struct parser *s, const void *from, size_t size)
{
  return size ? obstack_copy (&s->module->memory, from, size) : NULL;
}

/* ARRAY, of elements of SIZE bytes, that has *ROOM for them; or a larger copy, with room
   for number AT.  */
static void *
with_room (struct parser *s, const void *array, int *room, int at, size_t size)
{
  int had = *room;
  if (at < had)
    return (void *) array;
  *room = 2 * at + 16;
  void *more = get (s, *room * size);
  return had ? memcpy (more, array, had * size) : more;
}

static const char *
text_of (struct parser *s, struct token t)
{
  return obstack_copy0 (&s->module->memory, t.text, t.length);
}

/* --- tokens --------------------------------------------------------------- */

static bool
is_word (char c)
{
  return isalnum ((unsigned char) c) || strchr ("_$%.", c);
}

static void
advance (struct parser *s)
{
  for (;;)
    {
      while (s->p < s->end && *s->p && isspace ((unsigned char) *s->p))
	s->line += *s->p++ == '\n';
      if (s->end - s->p >= 2 && s->p[0] == '/' && s->p[1] == '/')
	while (s->p < s->end && *s->p && *s->p != '\n')
	  s->p++;
      else if (s->end - s->p >= 2 && s->p[0] == '/' && s->p[1] == '*')
	{
	  s->p += 2;
	  while (s->p < s->end && *s->p && !(s->p[-1] == '*' && *s->p == '/'))
	    s->line += *s->p++ == '\n';
	  if (s->p < s->end && *s->p)
	    s->p++;
	}
      else
	break;
    }
  const char *b = s->p;
  if (s->p >= s->end || !*s->p)
    ;
  else if (*s->p == '"')
    {
      do
	s->p++;
      while (s->p < s->end && *s->p && *s->p != '"' && *s->p != '\n');
      if (s->p >= s->end || *s->p != '"')
	fail (s, "a string without an end");
      s->p++;
    }
  else if (is_word (*s->p))
    while (s->p < s->end && *s->p && is_word (*s->p))
      s->p++;
  else
    s->p++;
  s->token = (struct token) { b, s->p - b };
}

/* Does the token begin with C?  */
static bool
first_is (const struct parser *s, char c)
{
  return s->token.length && *s->token.text == c;
}

static bool
same (struct token t, const char *what)
{
  return strlen (what) == t.length && memcmp (t.text, what, t.length) == 0;
}

static bool
accept (struct parser *s, const char *what)
{
  if (!same (s->token, what))
    return false;
  advance (s);
  return true;
}

static void
expect (struct parser *s, const char *what)
{
  if (!accept (s, what))
    fail (s, "\"%.*s\" where %s was expected", (int) s->token.length, s->token.text, what);
}

static struct token
word (struct parser *s, const char *what)
{
  struct token t = s->token;
  if (!t.length || !is_word (*t.text))
    fail (s, "\"%.*s\" where %s was expected", (int) t.length, t.text, what);
  advance (s);
  return t;
}

/* The name before a '<', ':', ' ' or at a token: tokens hold dots, and a directive may
   follow another without a space (".global.align").  Cut the first ".xyz" off T.  */
static struct token
cut (struct token *t)
{
  size_t n = 1;
  while (n < t->length && t->text[n] != '.')
    n++;
  struct token first = { t->text, n };
  t->text += n;
  t->length -= n;
  return first;
}

/* The first N characters of the token are read: mkoffload writes ".version 6.0.target sm_35.file 1", with no line's end
   between directives (gcc/config/nvptx/mkoffload.cc of GCC 13 and later).  */
static void
take (struct parser *s, size_t n)
{
  if (n < s->token.length)
    s->token = (struct token) { s->token.text + n, s->token.length - n };
  else
    advance (s);
}

static void
read_version (struct parser *s)
{
  size_t n = strspn (s->token.text, "0123456789");
  if (!s->token.length || !n)
    fail (s, "\"%.*s\" where a version was expected", (int) s->token.length, s->token.text);
  n += s->token.text[n] == '.' ? 1 : 0;
  take (s, n + strspn (s->token.text + n, "0123456789"));
}

static void
read_target (struct parser *s)
{
  do
    {
      size_t n = 0;
      while (n < s->token.length && s->token.text[n] != '.' && is_word (s->token.text[n]))
	n++;
      if (!n)
	fail (s, "\"%.*s\" where a target was expected", (int) s->token.length, s->token.text);
      take (s, n);
    }
  while (accept (s, ","));
}

static uint64_t
number (struct parser *s)
{
  bool minus = accept (s, "-");
  struct token t = word (s, "a number");
  char buffer[48], *end;
  if (!isdigit ((unsigned char) *t.text) || t.length >= sizeof buffer)
    fail (s, "\"%.*s\" is no number", (int) t.length, t.text);
  memcpy (buffer, t.text, t.length);
  buffer[t.length] = 0;
  uint64_t v = buffer[0] == '0' && (buffer[1] == 'b' || buffer[1] == 'B')
	       ? strtoull (buffer + 2, &end, 2) : strtoull (buffer, &end, 0);
  if (*end == 'U')
    end++;
  if (*end)
    fail (s, "\"%s\" is no number", buffer);
  return minus ? -v : v;
}

static struct ptx_type
type_of (struct token t)
{
  static const char *const names[] = { ".u8", ".u16", ".u32", ".u64", ".s8", ".s16",
    ".s32", ".s64", ".b8", ".b16", ".b32", ".b64", ".f32", ".f64" };
  if (same (t, ".pred"))
    return (struct ptx_type) { 'p', 8 };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (same (t, names[i]))
      return (struct ptx_type) { names[i][1], atoi (names[i] + 2) };
  return (struct ptx_type) { 0, 0 };
}

/* --- names ---------------------------------------------------------------- */

static struct name **
bucket_of (struct parser *s, struct token t)
{
  unsigned h = 0;
  for (size_t i = 0; i < t.length; i++)
    h = h * 31 + (unsigned char) t.text[i];
  return &s->bucket[h % BUCKETS];
}

/* A name of the scope that is read.  */
static struct name *
add_name (struct parser *s, struct token t, int kind)
{
  struct name *n = get (s, sizeof *n), **b = bucket_of (s, t);
  *n = (struct name) { t.text, t.length, kind, .scope = s->scope, .next = *b };
  return *b = n;
}

/* What T is in SCOPE, of those that are a range, a label, or neither.  */
static struct name *
find_in_scope (struct parser *s, struct token t, int kind, int scope)
{
  for (struct name *n = *bucket_of (s, t); n; n = n->next)
    if (n->scope == scope && n->length == t.length && memcmp (n->text, t.text, t.length) == 0
	&& (n->kind == kind || (kind == REGISTER && n->kind == LOCAL_ARRAY)))
      return n;
  return NULL;
}

static int new_reg (struct parser *s, struct token t, struct ptx_type type);

/* T as one of a range of registers in SCOPE, which is then a name of its own.  */
static struct name *
find_in_range (struct parser *s, struct token t, int scope)
{
  uint64_t number = 0, digit = 1;
  for (size_t n = t.length; n > 1 && isdigit ((unsigned char) t.text[n - 1])
			    && t.length - n < 9; n--, digit *= 10)
    {
      number += digit * (t.text[n - 1] - '0');
      struct name *r = find_in_scope (s, (struct token) { t.text, n - 1 }, RANGE, scope);
      if (!r || number >= r->most || (t.text[n - 1] == '0' && n < t.length))
	continue;
      struct name *one = add_name (s, t, REGISTER);
      one->scope = scope;
      one->count = r->count;
      one->reg = s->f->regs;
      for (int i = 0; i < r->count; i++)
	new_reg (s, t, r->type);
      return one;
    }
  return NULL;
}

static struct name *
find_name (struct parser *s, struct token t)
{
  for (int scope = s->scope; scope >= 0; scope = s->outer[scope])
    {
      struct name *n = find_in_scope (s, t, REGISTER, scope);
      if (n || (n = find_in_range (s, t, scope)))
	return n;
    }
  return NULL;
}

static void
begin_scope (struct parser *s)
{
  int depth = 0;
  for (int scope = s->scope; scope >= 0; scope = s->outer[scope])
    depth++;
  if (depth == DEPTH)
    fail (s, "braces deeper than %d", DEPTH);
  s->outer = with_room (s, s->outer, &s->room_scopes, s->scopes, sizeof *s->outer);
  s->outer[s->scopes] = s->scope;
  s->scope = s->scopes++;
}

static int
new_reg (struct parser *s, struct token t, struct ptx_type type)
{
  struct ptx_function *f = s->f;
  f->reg = with_room (s, f->reg, &s->room_regs, f->regs, sizeof *f->reg);
  f->reg[f->regs] = (struct ptx_register) { text_of (s, t), type };
  return f->regs++;
}

/* Declare T as COUNT registers of TYPE, parts of one vector if more than one.  */
static void
declare (struct parser *s, struct token t, struct ptx_type type, int count)
{
  if (find_in_scope (s, t, REGISTER, s->scope))
    fail (s, "%.*s is declared twice", (int) t.length, t.text);
  struct name *n = add_name (s, t, REGISTER);
  n->count = count;
  n->reg = s->f->regs;
  for (int i = 0; i < count; i++)
    new_reg (s, t, type);
}

/* How something is declared: [.align n] [.v2] .type, in any order.  */
struct shape
{
  struct ptx_type type;
  size_t align;
  int vector;
  struct token odd;		/* The first word that is none of these, or empty.  */
};

/* REST is what the directive's own word has of it.  */
static struct shape
read_shape (struct parser *s, struct token rest, bool vectors)
{
  struct shape shape = { .vector = 1, .align = 1 };
  for (;; rest = word (s, "a type"))
    {
      while (rest.length)
	{
	  struct token t = cut (&rest);
	  if (same (t, ".align"))
	    shape.align = number (s);
	  else if (vectors && (same (t, ".v2") || same (t, ".v4")))
	    shape.vector = t.text[2] - '0';
	  else if (!(shape.type = type_of (t)).kind && !shape.odd.length)
	    shape.odd = t;
	}
      if (!first_is (s, '.'))
	return shape;
    }
}

/* Behind ".reg" or ".param": [.v2] .type name [<count>], ...  */
static void
read_registers (struct parser *s, struct token rest)
{
  struct shape shape = read_shape (s, rest, true);
  if (!shape.type.kind)
    {
      cannot (s, "registers of a type that is not known");
      shape.type = (struct ptx_type) { 'b', 64 };
    }
  do
    {
      struct token t = word (s, "a register");
      if (accept (s, "<"))
	{
	  struct name *n = add_name (s, t, RANGE);
	  n->type = shape.type;
	  n->count = shape.vector;
	  n->most = number (s);
	  expect (s, ">");
	}
      else
	declare (s, t, shape.type, shape.vector);
      if (first_is (s, '['))
	cannot (s, "a parameter passed as an array");
      while (accept (s, "["))
	{
	  number (s);
	  expect (s, "]");
	}
    }
  while (accept (s, ","));
  expect (s, ";");
}

/* Behind ".local": [.align n] .type name[n];  */
static void
read_local (struct parser *s, struct token rest)
{
  struct shape shape = read_shape (s, rest, false);
  size_t align = shape.align;
  if (shape.odd.length)
    fail (s, "\"%.*s\" in .local", (int) shape.odd.length, shape.odd.text);
  struct token t = word (s, "a name");
  uint64_t count = 1;
  while (accept (s, "["))
    {
      uint64_t more = number (s);
      count = count > MOST_LOCAL || more > MOST_LOCAL ? (uint64_t) MOST_LOCAL + 1 : count * more;
      expect (s, "]");
    }
  expect (s, ";");
  if (!align || align & (align - 1))
    fail (s, ".local %.*s aligned to %zu", (int) t.length, t.text, align);
  struct name *n = add_name (s, t, LOCAL_ARRAY);
  unsigned at = (s->f->local + 15) & ~15u;
  if (count > MOST_LOCAL || align > MOST_LOCAL
      || (at = (at + align - 1) / align * align) + count * shape.type.bits / 8 > MOST_LOCAL)
    {
      cannot (s, ".local memory of more than %d bytes", MOST_LOCAL);
      return;
    }
  n->offset = at;
  s->f->local = at + count * shape.type.bits / 8;
}

/* --- operands ------------------------------------------------------------- */

static struct ptx_operand
register_operand (struct parser *s, const struct name *n)
{
  struct ptx_operand o = { PTX_REGISTER, .reg = n->reg };
  if (n->kind == LOCAL_ARRAY)
    return (struct ptx_operand) { PTX_LOCAL, .offset = n->offset };
  if (n->count == 1)
    return o;
  struct ptx_operand *part = get (s, n->count * sizeof *part);
  for (int i = 0; i < n->count; i++)
    part[i] = (struct ptx_operand) { PTX_REGISTER, .reg = n->reg + i };
  return (struct ptx_operand) { PTX_TUPLE, .part = part, .count = n->count };
}

static bool
is_special (struct token t)
{
  static const char *const names[] = { "%tid", "%ntid", "%ctaid", "%nctaid", "%laneid",
    "%warpid", "%nwarpid", "%smid", "%nsmid", "%gridid", "%clock", "%clock64",
    "%globaltimer", "%lanemask_eq", "%lanemask_le", "%lanemask_lt", "%lanemask_ge",
    "%lanemask_gt", "%clock_hi", "%globaltimer_lo", "%globaltimer_hi", "%dynamic_smem_size",
    "%total_smem_size", "WARP_SZ" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    {
      size_t n = strlen (names[i]);
      if (t.length >= n && memcmp (t.text, names[i], n) == 0
	  && (t.length == n || (t.length == n + 2 && t.text[n] == '.' && i < 4)))
	return true;
    }
  return false;
}

/* A register, one part of a vector register, or a special register.  */
static struct ptx_operand
named_operand (struct parser *s, struct token t)
{
  struct name *n = find_name (s, t);
  if (n)
    return register_operand (s, n);
  if (t.length > 2 && t.text[t.length - 2] == '.')
    {
      n = find_name (s, (struct token) { t.text, t.length - 2 });
      const char *which = strchr ("xyzw", t.text[t.length - 1]);
      if (n && n->count > 1 && which && which - "xyzw" < n->count)
	return (struct ptx_operand) { PTX_REGISTER, .reg = n->reg + (int) (which - "xyzw") };
    }
  if (is_special (t))
    return (struct ptx_operand) { PTX_SPECIAL, .name = text_of (s, t) };
  if (*t.text == '%')
    fail (s, "register %.*s is not declared", (int) t.length, t.text);
  return (struct ptx_operand) { PTX_SYMBOL, .name = text_of (s, t) };
}

static uint64_t
read_offset (struct parser *s)
{
  return accept (s, "+") || same (s->token, "-") ? number (s) : 0;
}

/* A constant, as O; false: it is none.  */
static bool
read_constant (struct parser *s, struct ptx_operand *o)
{
  struct token t = s->token;
  if (!t.length || (*t.text != '-' && !isdigit ((unsigned char) *t.text)))
    return false;
  if (t.length < 3 || *t.text != '0' || !strchr ("fFdD", t.text[1]))
    {
      *o = (struct ptx_operand) { PTX_INTEGER, .bits = number (s) };
      return true;
    }
  advance (s);
  unsigned width = t.text[1] == 'f' || t.text[1] == 'F' ? 32 : 64;
  char digits[20], *end;
  if (t.length != 2 + width / 4)
    fail (s, "\"%.*s\" is no number", (int) t.length, t.text);
  memcpy (digits, t.text + 2, t.length - 2);
  digits[t.length - 2] = 0;
  uint64_t bits = strtoull (digits, &end, 16);
  if (*end)
    fail (s, "\"%.*s\" is no number", (int) t.length, t.text);
  *o = (struct ptx_operand) { PTX_FLOAT, .bits = bits, .width = width };
  return true;
}

static struct ptx_operand
read_scalar (struct parser *s)
{
  struct ptx_operand o;
  if (accept (s, "!"))
    {
      o = named_operand (s, word (s, "a predicate"));
      if (o.kind != PTX_REGISTER || s->f->reg[o.reg].type.kind != 'p')
	fail (s, "'!' before what is no predicate");
      o.negated = true;
      return o;
    }
  if (accept (s, "_"))
    return (struct ptx_operand) { .kind = PTX_SINK };
  if (read_constant (s, &o))
    return o;
  o = named_operand (s, word (s, "an operand"));
  if (o.kind == PTX_SYMBOL || o.kind == PTX_LOCAL)
    o.offset = o.offset + read_offset (s);
  return o;
}

static struct ptx_operand
list (struct parser *s, const char *end)
{
  struct ptx_operand part[8];
  int count = 0;
  do
    {
      if (count == 8)
	fail (s, "more than 8 parts");
      part[count++] = read_scalar (s);
    }
  while (accept (s, ","));
  expect (s, end);
  return (struct ptx_operand) { PTX_TUPLE, .count = count,
				.part = copy (s, part, count * sizeof *part) };
}

static struct ptx_operand
read_operand (struct parser *s)
{
  if (accept (s, "{"))
    return list (s, "}");
  if (!accept (s, "["))
    return read_scalar (s);
  struct ptx_operand base = read_scalar (s);
  struct ptx_operand o = { PTX_MEMORY, .offset = base.offset };
  base.offset = 0;
  o.offset = o.offset + read_offset (s);
  o.base = copy (s, &base, sizeof base);
  expect (s, "]");
  return o;
}

/* --- instructions --------------------------------------------------------- */

#define INTEGERS " u8 u16 u32 u64 s8 s16 s32 s64 "
#define BITS " b8 b16 b32 b64 "
#define FLOATS " f32 f64 "
#define ROUNDS " rn rz rm rp "
#define WHERE " global shared local relaxed acquire release acq_rel cta gpu sys "
#define MOVES " const param weak volatile ca cg cs cv lu nc wb wt v2 v4 "
#define COMPARES " eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan "	\
  "and or xor ftz "
#define ATOMICS WHERE " add exch cas and or xor min max inc dec " INTEGERS BITS FLOATS

/* What is translated: is the first operand set, how many operands are there, and what may
   stand behind the name; "*": anything.  */
static const struct known
{
  const char *op;
  int sets, least, most;
  const char *words;
} known[] = {
  { "abs", 1, 2, 2, "ftz" INTEGERS FLOATS },
  { "activemask", 1, 1, 1, "b32" },
  { "add", 1, 3, 3, "ftz sat" ROUNDS INTEGERS FLOATS },
  { "and", 1, 3, 3, "pred" BITS },
  { "atom", 1, 3, 4, ATOMICS },
  { "bar", 0, 0, 2, "sync arrive warp cta aligned" },
  { "bar.red", 1, 3, 4, "red popc and or pred u32 cta aligned" },
  { "barrier", 0, 0, 2, "sync arrive cta aligned" },
  { "bfe", 1, 4, 4, "u32 u64 s32 s64" },
  { "bfi", 1, 5, 5, "b32 b64" },
  { "bfind", 1, 2, 2, "shiftamt u32 u64 s32 s64" },
  { "bra", 0, 0, 0, "uni" },
  { "brev", 1, 2, 2, "b32 b64" },
  { "brkpt", 0, 0, 0, "" },
  { "call", 0, 0, 256, "uni" },
  { "clz", 1, 2, 2, "b32 b64" },
  { "cnot", 1, 2, 2, BITS },
  { "copysign", 1, 3, 3, FLOATS },
  { "cos", 1, 2, 2, "approx ftz f32" },
  { "cvt", 1, 2, 2, "rni rzi rmi rpi ftz sat" ROUNDS INTEGERS FLOATS },
  { "cvta", 1, 2, 2, "to global shared local const u64" },
  { "discard", 0, 2, 2, "*" },
  { "div", 1, 3, 3, "approx full ftz" ROUNDS INTEGERS FLOATS },
  { "ex2", 1, 2, 2, "approx ftz f32" },
  { "exit", 0, 0, 0, "" },
  { "fence", 0, 0, 0, "*" },
  { "fma", 1, 4, 4, "ftz sat" ROUNDS FLOATS },
  { "isspacep", 1, 2, 2, "global shared local" },
  { "ld", 1, 2, 2, WHERE MOVES INTEGERS BITS FLOATS },
  { "ldu", 1, 2, 2, WHERE MOVES INTEGERS BITS FLOATS },
  { "lg2", 1, 2, 2, "approx ftz f32" },
  { "lop3", 1, 5, 5, "b32" },
  { "mad", 1, 4, 4, "lo hi wide ftz sat" ROUNDS INTEGERS FLOATS },
  { "mad24", 1, 4, 4, "lo hi sat u32 s32" },
  { "max", 1, 3, 3, "ftz NaN" INTEGERS FLOATS },
  { "membar", 0, 0, 0, "*" },
  { "min", 1, 3, 3, "ftz NaN" INTEGERS FLOATS },
  { "mov", 1, 2, 2, "v2 v4 pred" INTEGERS BITS FLOATS },
  { "mul", 1, 3, 3, "lo hi wide ftz sat" ROUNDS INTEGERS FLOATS },
  { "mul24", 1, 3, 3, "lo hi u32 s32" },
  { "nanosleep", 0, 1, 1, "u32" },
  { "neg", 1, 2, 2, "ftz" INTEGERS FLOATS },
  { "not", 1, 2, 2, "pred" BITS },
  { "or", 1, 3, 3, "pred" BITS },
  { "popc", 1, 2, 2, "b32 b64" },
  { "prefetch", 0, 1, 1, "*" },
  { "prefetchu", 0, 1, 1, "*" },
  { "prmt", 1, 4, 4, "b32 f4e b4e rc8 ecl ecr rc16" },
  { "rcp", 1, 2, 2, "approx ftz" ROUNDS FLOATS },
  { "red", 0, 2, 2, ATOMICS },
  { "rem", 1, 3, 3, INTEGERS },
  { "ret", 0, 0, 0, "uni" },
  { "rsqrt", 1, 2, 2, "approx ftz" FLOATS },
  { "sad", 1, 4, 4, INTEGERS },
  { "selp", 1, 4, 4, INTEGERS BITS FLOATS },
  { "set", 1, 3, 4, COMPARES INTEGERS BITS FLOATS },
  { "setp", 1, 3, 4, COMPARES INTEGERS BITS FLOATS },
  { "shf", 1, 4, 4, "l r wrap clamp b32" },
  { "shfl", 1, 4, 5, "sync up down bfly idx b32" },
  { "shl", 1, 3, 3, BITS },
  { "shr", 1, 3, 3, INTEGERS BITS },
  { "sin", 1, 2, 2, "approx ftz f32" },
  { "slct", 1, 4, 4, "ftz" INTEGERS BITS FLOATS },
  { "sqrt", 1, 2, 2, "approx ftz" ROUNDS FLOATS },
  { "st", 0, 2, 2, WHERE MOVES INTEGERS BITS FLOATS },
  { "sub", 1, 3, 3, "ftz sat" ROUNDS INTEGERS FLOATS },
  { "tanh", 1, 2, 2, "approx f32" },
  { "testp", 1, 2, 2, "finite infinite number notanumber normal subnormal" FLOATS },
  { "trap", 0, 0, 0, "" },
  { "vadd", 1, 4, 4, "add u32 s32" },
  { "vote", 1, 2, 3, "sync all any uni ballot pred b32" },
  { "vsub", 1, 4, 4, "add u32 s32" },
  { "xor", 1, 3, 3, "pred" BITS }
};

static const struct known *
find_known (const char *op)
{
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp (known[i].op, op) == 0)
      return &known[i];
  return NULL;
}

/* What is known of X: a barrier that reduces is another instruction.  */
static const struct known *
known_of (const struct ptx_insn *x)
{
  bool reduces = (ptx_is (x, "bar") || ptx_is (x, "barrier")) && ptx_has (x, "red");
  return find_known (reduces ? "bar.red" : x->op);
}

int
ptx_set_by (const struct ptx_insn *x, int reg[8])
{
  int n = 0;
  if (x->result >= 0)
    reg[n++] = x->result;
  if (!x->sets)
    return n;
  const struct ptx_operand *d = &x->arg[0];
  if (d->kind == PTX_REGISTER)
    reg[n++] = d->reg;
  for (int i = 0; d->kind == PTX_TUPLE && i < d->count; i++)
    if (d->part[i].kind == PTX_REGISTER)
      reg[n++] = d->part[i].reg;
  return n;
}

/* Is W one of WORDS?  */
static bool
is_among (const char *w, const char *words)
{
  size_t n = strlen (w);
  for (const char *p = words; n && (p = strstr (p, w)); p += n)
    if ((p == words || p[-1] == ' ') && (!p[n] || p[n] == ' '))
      return true;
  return false;
}

/* Can X, whose name is written as T, be translated?  If not, the function that it is in
   can't.  */
static void
check_insn (struct parser *s, const struct ptx_insn *x, struct token t)
{
  const struct known *k = known_of (x);
  bool good = k != NULL, typed = k && strpbrk (k->words, "0123456789");
  for (int i = 0; good && i < x->words && *k->words != '*'; i++)
    good = is_among (x->word[i], k->words);
  if (s->f->why || (good && (x->source.kind || !typed)
		    && x->args >= k->least && x->args <= k->most))
    return;
  char operands[40] = "";
  if (good && !typed == !x->source.kind)
    snprintf (operands, sizeof operands, " with %d operands", x->args);
  cannot (s, "%.*s%s", (int) t.length, t.text, operands);
}

bool
ptx_has (const struct ptx_insn *insn, const char *w)
{
  for (int i = 0; i < insn->words; i++)
    if (strcmp (insn->word[i], w) == 0)
      return true;
  return false;
}

bool
ptx_is (const struct ptx_insn *insn, const char *op)
{
  return strcmp (insn->op, op) == 0;
}

static void
split_opcode (struct parser *s, struct ptx_insn *x, struct token t)
{
  size_t n = 0;
  while (n < t.length && t.text[n] != '.')
    n++;
  x->op = text_of (s, (struct token) { t.text, n });
  t.text += n;
  t.length -= n;
  while (t.length)
    {
      struct token w = cut (&t);
      struct ptx_type type = type_of (w);
      if (type.kind)
	{
	  x->type = x->source.kind ? x->source : type;
	  x->source = type;
	}
      if (x->words == (int) (sizeof x->word / sizeof *x->word))
	{
	  cannot (s, "%s with many parts", x->op);
	  return;
	}
      x->word[x->words++] = text_of (s, (struct token) { w.text + 1, w.length - 1 });
    }
}

static void
add_insn (struct parser *s, const struct ptx_insn *x)
{
  struct ptx_function *f = s->f;
  f->insn = with_room (s, f->insn, &s->room_insns, f->insns, sizeof *f->insn);
  f->insn[f->insns++] = *x;
}

/* call [(result),] callee [, (arguments)] [, prototype];  */
static void
read_call (struct parser *s, struct ptx_insn *x)
{
  x->result = -1;
  if (accept (s, "("))
    {
      struct ptx_operand r = list (s, ")");
      if (r.count > 1 || r.part[0].kind != PTX_REGISTER)
	fail (s, "a call with %d results", r.count);
      x->result = r.part[0].reg;
      expect (s, ",");
    }
  struct ptx_operand callee = read_operand (s);
  x->callee = copy (s, &callee, sizeof callee);
  if (!accept (s, ","))
    return;
  if (accept (s, "("))
    {
      /* More than eight arguments are common.  */
      struct ptx_operand arg[256];
      if (!accept (s, ")"))
	{
	  do
	    {
	      if (x->args == 256)
		fail (s, "a call with more than 256 arguments");
	      arg[x->args++] = read_scalar (s);
	    }
	  while (accept (s, ","));
	  expect (s, ")");
	}
      x->arg = copy (s, arg, x->args * sizeof *arg);
      if (!accept (s, ","))
	return;
    }
  word (s, "a prototype");
}

/* Behind the name of an instruction.  */
static void
read_operands (struct parser *s, struct ptx_insn *x)
{
  struct ptx_operand arg[8];
  do
    {
      if (x->args == 8)
	fail (s, "%s with more than 8 operands", x->op);
      arg[x->args++] = read_operand (s);
      if (accept (s, "|"))
	{
	  /* d|p  */
	  struct ptx_operand pair[2] = { arg[x->args - 1], read_scalar (s) };
	  arg[x->args - 1] = (struct ptx_operand)
	    { PTX_TUPLE, .count = 2, .part = copy (s, pair, sizeof pair) };
	}
    }
  while (accept (s, ","));
  x->arg = copy (s, arg, x->args * sizeof *arg);
}

static void
skip_statement (struct parser *s)
{
  while (s->token.length && !same (s->token, ";"))
    advance (s);
  expect (s, ";");
}

static void
read_insn (struct parser *s)
{
  struct ptx_insn x = { .guard = -1, .result = -1, .target = -1, .line = s->loc_line,
			.file = s->loc_file, .at = s->line };
  if (accept (s, "@"))
    {
      x.guard_not = accept (s, "!");
      struct ptx_operand g = read_scalar (s);
      if (g.kind != PTX_REGISTER || g.negated || s->f->reg[g.reg].type.kind != 'p')
	fail (s, "a guard that is no predicate");
      x.guard = g.reg;
    }
  struct token t = word (s, "an instruction");
  split_opcode (s, &x, t);
  if (same (s->token, ":") || !find_known (x.op))
    {
      /* Operands are of forms of their own.  */
      cannot (s, "%.*s", (int) t.length, t.text);
      skip_statement (s);
      return;
    }
  if (ptx_is (&x, "call"))
    read_call (s, &x);
  else if (ptx_is (&x, "bra"))
    {
      x.label = text_of (s, word (s, "a label"));
      x.target = s->scope;
    }
  else if (!same (s->token, ";"))
    read_operands (s, &x);
  expect (s, ";");
  x.sets = x.args && known_of (&x)->sets;
  check_insn (s, &x, t);
  add_insn (s, &x);
}

static void
read_loc (struct parser *s)
{
  s->loc_file = number (s);
  s->loc_line = number (s);
  number (s);
  /* , function_name ..., inlined_at ...: all on this line.  */
  while (accept (s, ","))
    while (s->token.length && !same (s->token, ",") && *s->token.text != '.'
	   && !same (s->token, "@") && !same (s->token, "{") && !same (s->token, "}")
	   && *s->token.text != '$')
      advance (s);
}

/* A directive within a body; false if it is none.  */
static bool
read_directive (struct parser *s)
{
  if (s->token.length < 2 || *s->token.text != '.')
    return false;
  struct token rest = s->token, t = cut (&rest);
  advance (s);
  if (same (t, ".reg") || same (t, ".param"))
    read_registers (s, rest);
  else if (same (t, ".local"))
    read_local (s, rest);
  else if (same (t, ".loc"))
    read_loc (s);
  else if (same (t, ".pragma") || same (t, ".callprototype"))
    skip_statement (s);
  else
    fail (s, "directive %.*s", (int) t.length, t.text);
  return true;
}

/* A label is a word that a colon follows.  */
static bool
read_label (struct parser *s)
{
  const char *p = s->p;
  while (p < s->end && (*p == ' ' || *p == '\t'))
    p++;
  /* "ld.shared::cta" begins with no label.  */
  if (p >= s->end || *p != ':' || (s->end - p > 1 && p[1] == ':') || !s->token.length
      || !is_word (*s->token.text))
    return false;
  if (find_in_scope (s, s->token, LABEL, s->scope))
    fail (s, "label %.*s stands twice", (int) s->token.length, s->token.text);
  add_name (s, s->token, LABEL)->insn = s->f->insns;
  advance (s);
  expect (s, ":");
  return true;
}

static void
read_body (struct parser *s)
{
  expect (s, "{");
  const int all = s->scope;
  for (;;)
    {
      if (accept (s, "{"))
	begin_scope (s);
      else if (same (s->token, "}"))
	{
	  advance (s);
	  if (s->scope == all)
	    return;
	  s->scope = s->outer[s->scope];
	}
      else if (!s->token.length)
	fail (s, "function %s has no end", s->f->name);
      else if (!accept (s, ";") && !read_label (s) && !read_directive (s))
	read_insn (s);
    }
}

/* --- blocks --------------------------------------------------------------- */

/* What X, in the scope that ->target has, goes to.  */
static int
label_insn (struct parser *s, const struct ptx_insn *x)
{
  for (int scope = x->target; scope >= 0; scope = s->outer[scope])
    {
      struct token t = { x->label, strlen (x->label) };
      struct name *l = find_in_scope (s, t, LABEL, scope);
      if (l)
	return l->insn;
    }
  s->line = x->at;
  fail (s, "no label %s", x->label);
}

static bool
ends_block (const struct ptx_insn *x)
{
  return ptx_is (x, "bra") || ptx_is (x, "ret") || ptx_is (x, "exit") || ptx_is (x, "trap");
}

static void
make_blocks (struct parser *s)
{
  struct ptx_function *f = s->f;
  /* A body without an end returns.  */
  struct ptx_insn ret = { .op = "ret", .guard = -1, .result = -1, .target = -1,
			  .at = s->line };
  add_insn (s, &ret);
  bool *begins = get (s, f->insns + 1);
  int *of = get (s, (f->insns + 1) * sizeof *of);
  begins[0] = true;
  for (int i = 0; i < BUCKETS; i++)
    for (struct name *n = s->bucket[i]; n; n = n->next)
      if (n->kind == LABEL)
	begins[n->insn] = true;
  for (int i = 0; i < f->insns; i++)
    if (ends_block (&f->insn[i]))
      begins[i + 1] = true;
  for (int i = 0; i < f->insns; i++)
    {
      f->blocks += begins[i];
      of[i] = f->blocks - 1;
    }
  f->block = get (s, f->blocks * sizeof *f->block);
  for (int i = 0; i < f->insns; i++)
    {
      struct ptx_block *b = &f->block[of[i]];
      if (begins[i])
	b->first = i;
      b->end = i + 1;
    }
  for (int k = 0; k < f->blocks; k++)
    {
      struct ptx_block *b = &f->block[k];
      struct ptx_insn *x = &f->insn[b->end - 1];
      bool leaves = ends_block (x) && x->guard < 0;
      b->next[0] = b->next[1] = -1;
      if (ptx_is (x, "bra"))
	b->next[0] = x->target = of[label_insn (s, x)];
      if (!leaves && k + 1 < f->blocks)
	b->next[1] = k + 1;
    }
}

/* --- functions and variables ---------------------------------------------- */

/* (.param .type name, ...); registers if the body follows.  */
static void
read_parameters (struct parser *s, int **regs, struct ptx_type **types, int *count)
{
  int reg[256];
  struct ptx_type type[256];
  int n = 0;
  expect (s, "(");
  while (!accept (s, ")"))
    {
      struct token rest = { "", 0 };
      if (first_is (s, '.'))
	rest = word (s, "a parameter");
      struct token d = rest, space = rest.length ? cut (&d) : rest;
      if (same (space, ".param") || same (space, ".reg"))
	rest = d;
      struct ptx_type t = read_shape (s, rest, false).type;
      struct token name = word (s, "a parameter's name");
      if (same (s->token, "["))
	{
	  cannot (s, "a parameter passed as an array");
	  while (!same (s->token, ",") && !same (s->token, ")") && s->token.length)
	    advance (s);
	}
      if (!t.kind || t.kind == 'p')
	{
	  cannot (s, "a parameter of a type that is not known");
	  t = (struct ptx_type) { 'b', 64 };
	}
      if (n == 256)
	fail (s, "more than 256 parameters");
      type[n] = t;
      reg[n++] = s->f->regs;
      declare (s, name, t, 1);
      if (!same (s->token, ")"))
	expect (s, ",");
    }
  *regs = copy (s, reg, n * sizeof *reg);
  *types = copy (s, type, n * sizeof *type);
  *count = n;
}

struct linkage
{
  bool external, weak, visible;
};

static void
read_function (struct parser *s, struct linkage linkage, bool entry)
{
  struct ptx_function *f = get (s, sizeof *f);
  s->f = f;
  memset (s->bucket, 0, sizeof s->bucket);
  s->scopes = 0;
  s->scope = -1;
  begin_scope (s);
  s->room_regs = s->room_insns = s->loc_line = s->loc_file = 0;
  f->entry = entry;
  f->external = linkage.external;
  f->weak = linkage.weak;
  f->visible = linkage.visible || linkage.weak || linkage.external;
  f->result = -1;
  if (same (s->token, "("))
    {
      int *reg, n;
      struct ptx_type *type;
      read_parameters (s, &reg, &type, &n);
      if (n > 1)
	fail (s, "a function with %d results", n);
      if (n)
	{
	  f->result = reg[0];
	  f->result_type = type[0];
	}
    }
  f->name = text_of (s, word (s, "a function's name"));
  if (same (s->token, "("))
    read_parameters (s, &f->parameter, &f->parameter_type, &f->parameters);
  /* .noreturn, .maxntid 1, 2 and the like.  */
  while (s->token.length && !same (s->token, "{") && !same (s->token, ";"))
    advance (s);
  if (!accept (s, ";"))
    {
      f->body = true;
      read_body (s);
      make_blocks (s);
    }
  s->f = NULL;
  f->next = s->module->functions;
  s->module->functions = f;
}

static void
set_initial (struct parser *s, struct ptx_variable *v, size_t at, size_t size)
{
  if (at + size > v->size)
    fail (s, "%s has more initial values than elements", v->name);
  if (at + size > v->init_size)
    {
      v->init_size = 2 * (at + size) < v->size ? 2 * (at + size) : v->size;
      unsigned char *more = get (s, v->init_size);
      if (v->init)
	memcpy (more, v->init, at);
      v->init = more;
    }
  struct ptx_operand constant;
  if (read_constant (s, &constant))
    {
      memcpy (v->init + at, &constant.bits, size);
      return;
    }
  bool generic = accept (s, "generic");
  if (generic)
    expect (s, "(");
  struct ptx_fixup *x = get (s, sizeof *x);
  x->at = at;
  x->name = text_of (s, word (s, "an initial value"));
  x->offset = read_offset (s);
  if (generic)
    expect (s, ")");
  x->offset = x->offset + read_offset (s);
  if (size != 8)
    fail (s, "%s: an address in %zu bytes", v->name, size);
  x->next = v->fixups;
  v->fixups = x;
}

/* In the braces that follow, "= { 1, { 2, 3 } };": 2.  */
static uint64_t
count_values (struct parser *s)
{
  const char *p = s->p;
  const struct token token = s->token;
  int line = s->line, deep = 0;
  uint64_t n = 0;
  for (; s->token.length && !same (s->token, ";"); advance (s))
    if (same (s->token, "{"))
      n += deep++ == 0;
    else if (same (s->token, "}"))
      deep--;
    else
      n += deep == 1 && same (s->token, ",");
  s->p = p;
  s->line = line;
  s->token = token;
  return n;
}

static void
read_variable (struct parser *s, struct linkage linkage, enum ptx_space space,
	       struct token rest)
{
  struct ptx_variable *v = get (s, sizeof *v);
  struct shape shape = read_shape (s, rest, true);
  struct ptx_type type = shape.type;
  if (shape.odd.length)
    fail (s, "\"%.*s\" is no variable's type", (int) shape.odd.length, shape.odd.text);
  v->space = space;
  v->align = shape.align;
  v->external = linkage.external;
  v->weak = linkage.weak;
  v->visible = linkage.visible || linkage.weak || linkage.external;
  v->name = text_of (s, word (s, "a variable's name"));
  size_t one = type.bits / 8 * shape.vector;
  v->size = one;
  while (accept (s, "["))
    {
      bool open = same (s->token, "]");
      uint64_t n = open ? 0 : number (s);
      expect (s, "]");
      if (open)
	n = count_values (s);
      if (n && v->size > SIZE_MAX / 2 / n)
	fail (s, "%s is too large", v->name);
      v->size *= n;
    }
  if (!type.bits || (v->align & (v->align - 1)) || v->align > 1 << 16)
    fail (s, "variable %s has no type, or is aligned to %zu", v->name, v->align);
  if (v->align < one)
    v->align = one;
  if (accept (s, "="))
    {
      if (accept (s, "{"))
	{
	  size_t at = 0, deep = 1;
	  while (deep)
	    if (accept (s, "{"))
	      deep++;
	    else if (accept (s, "}"))
	      deep--;
	    else if (!accept (s, ","))
	      {
		set_initial (s, v, at, type.bits / 8);
		at += type.bits / 8;
	      }
	}
      else
	set_initial (s, v, 0, type.bits / 8);
    }
  expect (s, ";");
  v->next = s->module->variables;
  s->module->variables = v;
}

static void
read_file (struct parser *s)
{
  uint64_t n = number (s);
  struct token t = s->token;
  if (!t.length || *t.text != '"' || n > 1 << 16)
    fail (s, ".file without a name");
  s->module->file = with_room (s, s->module->file, &s->module->files, n,
			       sizeof *s->module->file);
  s->module->file[n] = text_of (s, (struct token) { t.text + 1, t.length - 2 });
  advance (s);
  while (accept (s, ","))
    number (s);
}

static void
read_alias (struct parser *s)
{
  struct ptx_alias *a = get (s, sizeof *a);
  a->name = text_of (s, word (s, "a name"));
  expect (s, ",");
  a->of = text_of (s, word (s, "a name"));
  expect (s, ";");
  a->next = s->module->aliases;
  s->module->aliases = a;
}

/* By itself: what it keeps in registers is gone after longjmp.  */
static void __attribute__ ((noinline))
read_top (struct parser *s)
{
  struct linkage linkage = { false, false, false };
  for (;;)
    {
      struct token rest = word (s, "a directive");
      if (*rest.text != '.')
	fail (s, "\"%.*s\" outside of a function", (int) rest.length, rest.text);
      while (rest.length)
	{
	  struct token t = cut (&rest);
	  if (same (t, ".version"))
	    return read_version (s);
	  if (same (t, ".target"))
	    return read_target (s);
	  if (same (t, ".address_size"))
	    {
	      if (number (s) != 64)
		fail (s, "addresses are not of 64 bits");
	      return;
	    }
	  if (same (t, ".file"))
	    return read_file (s);
	  if (same (t, ".alias"))
	    return read_alias (s);
	  if (same (t, ".pragma"))
	    return skip_statement (s);
	  if (same (t, ".extern"))
	    linkage.external = true;
	  else if (same (t, ".weak") || same (t, ".common"))
	    linkage.weak = true;
	  else if (same (t, ".visible"))
	    linkage.visible = true;
	  else if (same (t, ".func") || same (t, ".entry"))
	    return read_function (s, linkage, t.text[1] == 'e');
	  else if (same (t, ".global"))
	    return read_variable (s, linkage, PTX_GLOBAL, rest);
	  else if (same (t, ".const"))
	    return read_variable (s, linkage, PTX_CONST, rest);
	  else if (same (t, ".shared"))
	    return read_variable (s, linkage, PTX_SHARED, rest);
	  else
	    fail (s, "directive %.*s", (int) t.length, t.text);
	}
    }
}

struct ptx_module *
ptx_parse (const char *text, size_t size)
{
  struct ptx_module *module = calloc (1, sizeof *module);
  if (!module)
    return NULL;
  obstack_init (&module->memory);
  struct parser s = { .module = module, .p = text, .end = text + size, .line = 1 };
  if (setjmp (s.failed) == 0)
    {
      advance (&s);
      while (s.token.length)
	read_top (&s);
    }
  return module;
}

void
ptx_free (struct ptx_module *module)
{
  if (!module)
    return;
  obstack_free (&module->memory, NULL);
  free (module);
}
