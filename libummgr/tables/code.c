/* The expressions of the plugin's tables: check, evaluate, print.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Arithmetic wraps, as the code that it stands for would.  Holds no state; reads
   host memory only where an argument's mapped bytes are, or where a sample may. */

#include "config.h"
#include "tables/code.h"

#include "ummgr-table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes after each operation, or -1.  */
static int
operand_size (unsigned char op)
{
  switch (op)
    {
    case UMMGR_CODE_CONST8:
      return 1;
    case UMMGR_CODE_CONST64:
      return 8;
    case UMMGR_CODE_ARG:
    case UMMGR_CODE_SIZE:
      return 2;
    case UMMGR_CODE_LOAD:
      return 7;
    case UMMGR_CODE_ITERATION:
      return 1;
    case UMMGR_CODE_ELEMENT:
      return 3;
    default:
      return op <= UMMGR_CODE_NEG ? 0 : -1;
    }
}

/* An operation, its operands decoded.  */
struct step
{
  unsigned char op;
  int64_t number;		/* A constant, a load's offset, or a loop.  */
  unsigned arg;
  int size;			/* Of what is loaded.  */
};

static struct step
step_get (const unsigned char *code)
{
  struct step s = { .op = code[0] };
  uint16_t arg;
  uint32_t offset;
  switch (s.op)
    {
    case UMMGR_CODE_CONST8:
      s.number = (int8_t) code[1];
      break;
    case UMMGR_CODE_CONST64:
      memcpy (&s.number, code + 1, sizeof s.number);
      break;
    case UMMGR_CODE_LOAD:
      memcpy (&offset, code + 3, sizeof offset);
      s.number = offset;
      s.size = (int8_t) code[7];
      memcpy (&arg, code + 1, sizeof arg);
      s.arg = arg;
      break;
    case UMMGR_CODE_ITERATION:
      s.number = code[1];
      break;
    case UMMGR_CODE_ELEMENT:
      s.size = (int8_t) code[3];
      /* Fall through.  */
    case UMMGR_CODE_ARG:
    case UMMGR_CODE_SIZE:
      memcpy (&arg, code + 1, sizeof arg);
      s.arg = arg;
      break;
    default:
      break;
    }
  return s;
}

static bool
load_size_is_good (int size)
{
  size = size < 0 ? -size : size;
  return size == 1 || size == 2 || size == 4 || size == 8;
}

/* Are the operands of S good?  */
static bool
step_is_good (const struct step *s, unsigned arg_count, unsigned loops)
{
  bool loads = s->op == UMMGR_CODE_LOAD || s->op == UMMGR_CODE_ELEMENT;
  bool names = loads || s->op == UMMGR_CODE_ARG || s->op == UMMGR_CODE_SIZE;
  if (names && s->arg >= arg_count)
    return false;
  if (loads && !load_size_is_good (s->size))
    return false;
  return s->op != UMMGR_CODE_ITERATION || s->number < (int64_t) loops;
}

/* How many numbers OP takes; all leave one, but the end.  */
static unsigned
takes (unsigned char op)
{
  return op <= UMMGR_CODE_SIZE || op == UMMGR_CODE_ITERATION ? 0
	 : op == UMMGR_CODE_NEG || op == UMMGR_CODE_ELEMENT ? 1 : 2;
}

/* LAST: the last operation that there is.  */
static bool
check (const unsigned char *code, size_t size, unsigned arg_count,
       unsigned loops, unsigned char last)
{
  unsigned depth = 0;
  for (size_t at = 0; at < size;)
    {
      int operands = operand_size (code[at]);
      if (operands < 0 || code[at] > last || (size_t) operands >= size - at)
	return false;
      struct step s = step_get (code + at);
      at += 1 + operands;
      if (s.op == UMMGR_CODE_END)
	return depth == 1;
      if (!step_is_good (&s, arg_count, loops) || depth < takes (s.op))
	return false;
      depth += 1 - takes (s.op);
      if (depth > UMMGR_CODE_DEPTH)
	return false;
    }
  return false;
}

bool
ummgr_code_check (const unsigned char *code, size_t size, unsigned arg_count)
{
  return check (code, size, arg_count, 0, UMMGR_CODE_NEG);
}

bool
ummgr_code_check_sample (const unsigned char *code, size_t size,
			 unsigned arg_count, unsigned loops)
{
  return check (code, size, arg_count, loops, UMMGR_CODE_ELEMENT);
}

/* The number of SIZE bytes (negative: signed) at FROM.  */
static int64_t
number_get (const char *from, int size)
{
  unsigned bytes = size < 0 ? -size : size;
  uint64_t bits = 0;
  memcpy (&bits, from, bytes);
  /* In the low bytes on any machine.  */
  if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
    bits >>= 64 - 8 * bytes;
  unsigned unused = 64 - 8 * bytes;
  return size < 0 ? (int64_t) (bits << unused) >> unused : (int64_t) bits;
}

static unsigned
arg_get (const unsigned char *code)
{
  uint16_t arg;
  memcpy (&arg, code, sizeof arg);
  return arg;
}

/* What UMMGR_CODE_LOAD's operands at CODE name.  */
static bool
load (const struct ummgr_code_inputs *inputs, const unsigned char *code,
      int64_t *value)
{
  unsigned arg = arg_get (code);
  int size = (int8_t) code[6];
  uint32_t offset;
  memcpy (&offset, code + 2, sizeof offset);
  const char *from = inputs->hostaddrs[arg];
  if (!from || inputs->sizes[arg] < (uint64_t) offset + abs (size))
    return false;
  *value = number_get (from + offset, size);
  return true;
}

/* What lies *VALUE bytes from the address of the argument that CODE, the operands
   of UMMGR_CODE_ELEMENT, name, in its place.  */
static bool
element (const struct ummgr_code_sample *sample, const unsigned char *code,
	 int64_t *value)
{
  if (!sample)
    return false;
  const struct ummgr_code_memory *m = &sample->memory[arg_get (code)];
  int signed_size = (int8_t) code[2];
  /* Unsigned: the least number has no negative.  */
  uint64_t size = abs (signed_size), at = *value;
  if (!m->at)
    {
      const char *kept
	= m->glimpses ? ummgr_glimpse_find (m->glimpses, m->offset + at, size) : NULL;
      if (kept)
	*value = number_get (kept, signed_size);
      return kept;
    }
  if (*value < 0 ? -at > m->before || (-at < size && size + at > m->after)
		 : at > m->after || m->after - at < size)
    return false;
  if (m->readable && !m->readable ((uintptr_t) m->at + at, size))
    return false;
  *value = number_get (m->at + *value, signed_size);
  return true;
}

/* A OP B, in place of A.  */
static bool
combine (unsigned char op, int64_t *a, int64_t b)
{
  switch (op)
    {
    case UMMGR_CODE_ADD:
      return !__builtin_add_overflow (*a, b, a) || true;
    case UMMGR_CODE_SUB:
      return !__builtin_sub_overflow (*a, b, a) || true;
    case UMMGR_CODE_MUL:
      return !__builtin_mul_overflow (*a, b, a) || true;
    case UMMGR_CODE_DIV:
      if (b == 0 || b == -1)
	return b && !__builtin_sub_overflow (0, *a, a);
      *a /= b;
      return true;
    case UMMGR_CODE_MIN:
      *a = *a < b ? *a : b;
      return true;
    default:
      *a = *a > b ? *a : b;
      return true;
    }
}

/* Many of these are evaluated for a sample: operands are decoded where they are
   needed.  */
bool
ummgr_code_evaluate_sample (const unsigned char *code,
			    const struct ummgr_code_inputs *inputs,
			    const struct ummgr_code_sample *sample,
			    int64_t *value)
{
  int64_t stack[UMMGR_CODE_DEPTH + 1];
  unsigned n = 0;
  if (!code)
    return false;
  for (;;)
    {
      unsigned char op = *code++;
      switch (op)
	{
	case UMMGR_CODE_END:
	  *value = stack[0];
	  return true;
	case UMMGR_CODE_CONST8:
	  stack[n++] = (int8_t) *code++;
	  break;
	case UMMGR_CODE_CONST64:
	  memcpy (&stack[n++], code, 8);
	  code += 8;
	  break;
	case UMMGR_CODE_ARG:
	  stack[n++] = (intptr_t) inputs->hostaddrs[arg_get (code)];
	  code += 2;
	  break;
	case UMMGR_CODE_SIZE:
	  stack[n++] = inputs->sizes[arg_get (code)];
	  code += 2;
	  break;
	case UMMGR_CODE_LOAD:
	  if (!load (inputs, code, &stack[n++]))
	    return false;
	  code += 7;
	  break;
	case UMMGR_CODE_ITERATION:
	  if (!sample)
	    return false;
	  stack[n++] = sample->iterations[*code++];
	  break;
	case UMMGR_CODE_ELEMENT:
	  if (!element (sample, code, &stack[n - 1]))
	    return false;
	  code += 3;
	  break;
	case UMMGR_CODE_NEG:
	  stack[n - 1] = -(uint64_t) stack[n - 1];
	  break;
	default:
	  n--;
	  if (!combine (op, &stack[n - 1], stack[n]))
	    return false;
	}
    }
}

bool
ummgr_code_evaluate (const unsigned char *code,
		     const struct ummgr_code_inputs *inputs, int64_t *value)
{
  struct ummgr_code_memo *memo = inputs->memo;
  unsigned place = (uintptr_t) code * UINT64_C (0x9e3779b97f4a7c15) >> 58;
  if (memo && code && memo->code[place] == code)
    {
      *value = memo->value[place];
      return true;
    }
  if (!ummgr_code_evaluate_sample (code, inputs, NULL, value))
    return false;
  if (memo)
    {
      memo->code[place] = code;
      memo->value[place] = *value;
    }
  return true;
}

bool
ummgr_code_gathers (const unsigned char *code, unsigned loop)
{
  bool depends[UMMGR_CODE_DEPTH + 1], gathers = false;
  unsigned n = 0;
  for (; code && *code != UMMGR_CODE_END; code += 1 + operand_size (*code))
    {
      struct step s = step_get (code);
      bool any = s.op == UMMGR_CODE_ITERATION && s.number == (int64_t) loop;
      for (unsigned i = takes (s.op); i > 0; i--)
	any |= depends[--n];
      gathers |= any && s.op == UMMGR_CODE_ELEMENT;
      depends[n++] = any;
    }
  return gathers;
}

bool
ummgr_code_equal (const unsigned char *a, const unsigned char *b)
{
  size_t size = 0;
  if (!a || !b)
    return false;
  while (a[size] != UMMGR_CODE_END)
    size += 1 + operand_size (a[size]);
  /* Of two that differ, the first different byte is an operation's, or one of
     the operands of the same operation.  */
  for (size_t i = 0; i <= size; i++)
    if (a[i] != b[i])
      return false;
  return true;
}

uint64_t
ummgr_code_elements (const unsigned char *code)
{
  uint64_t args = 0;
  for (; code && *code != UMMGR_CODE_END; code += 1 + operand_size (*code))
    {
      struct step s = step_get (code);
      if (s.op == UMMGR_CODE_ELEMENT && s.arg < 64)
	args |= (uint64_t) 1 << s.arg;
    }
  return args;
}

static void
args_add (struct ummgr_code_args *set, unsigned arg)
{
  arg = arg < UMMGR_CODE_ARGS ? arg : UMMGR_CODE_ARGS - 1;
  set->bits[arg / 64] |= UINT64_C (1) << arg % 64;
}

void
ummgr_code_inputs (const unsigned char *code,
		   struct ummgr_code_inputs_used *used)
{
  for (; code && *code != UMMGR_CODE_END; code += 1 + operand_size (*code))
    {
      struct step s = step_get (code);
      if (s.op == UMMGR_CODE_ARG)
	args_add (&used->values, s.arg);
      else if (s.op == UMMGR_CODE_LOAD)
	args_add (&used->loads, s.arg);
      else if (s.op == UMMGR_CODE_SIZE)
	args_add (&used->sizes, s.arg);
    }
}

/* A piece of text, and how strongly its outermost operator binds: 1 sum,
   2 product, 3 atom.  */
struct piece
{
  char *text;
  int binds;
};

static bool
piece_put (struct piece *p, int binds, const char *format, const char *a,
	   const char *b)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream (&text, &size);
  if (!out)
    return false;
  fprintf (out, format, a, b);
  if (fclose (out) != 0)
    {
      free (text);
      return false;
    }
  free (p->text);
  *p = (struct piece) { text, binds };
  return true;
}

/* The operation S of A and B, in place of A.  */
static bool
piece_combine (const struct step *s, struct piece *a, struct piece *b)
{
  bool tight = a->binds >= 2, tight_b = b->binds >= 2;
  bool negative = b->text[0] == '-';
  switch (s->op)
    {
    case UMMGR_CODE_ADD:
      return negative ? piece_put (a, 1, "%s - %s", a->text, b->text + 1)
		      : piece_put (a, 1, "%s + %s", a->text, b->text);
    case UMMGR_CODE_SUB:
      return piece_put (a, 1, tight_b && !negative ? "%s - %s" : "%s - (%s)",
			a->text, b->text);
    case UMMGR_CODE_MUL:
      if (strcmp (a->text, "-1") == 0 && tight_b && !negative)
	return piece_put (a, 2, "-%s", b->text, "");
      return piece_put (a, 2, tight ? tight_b ? "%s*%s" : "%s*(%s)"
				    : tight_b ? "(%s)*%s" : "(%s)*(%s)",
			a->text, b->text);
    case UMMGR_CODE_DIV:
      return piece_put (a, 2, tight ? b->binds == 3 ? "%s/%s" : "%s/(%s)"
				    : b->binds == 3 ? "(%s)/%s" : "(%s)/(%s)",
			a->text, b->text);
    case UMMGR_CODE_MIN:
      return piece_put (a, 3, "min(%s, %s)", a->text, b->text);
    default:
      return piece_put (a, 3, "max(%s, %s)", a->text, b->text);
    }
}

/* What S loads, P: as one of COUNT FIELDS has it, or so many bytes from what NAMES have.  */
static bool
piece_load (const struct step *s, const char *const *names,
	    const struct ummgr_code_field *fields, unsigned count, struct piece *p)
{
  char number[32];
  snprintf (number, sizeof number, "%lld", (long long) s->number);
  for (unsigned i = 0; i < count; i++)
    if (fields[i].arg == s->arg && (int64_t) fields[i].offset == s->number)
      return piece_put (p, 3, "%s", fields[i].name, "");
  return s->number ? piece_put (p, 3, "%s@%s", names[s->arg], number)
		   : piece_put (p, 3, "%s", names[s->arg], "");
}

static bool
piece_leaf (const struct step *s, const char *const *names, struct piece *p)
{
  char number[32];
  snprintf (number, sizeof number, "%lld", (long long) s->number);
  switch (s->op)
    {
    case UMMGR_CODE_ARG:
      return piece_put (p, 3, "%s", names[s->arg], "");
    case UMMGR_CODE_SIZE:
      return piece_put (p, 3, "bias(%s)", names[s->arg], "");
    case UMMGR_CODE_ITERATION:
      return piece_put (p, 3, "i%s", number, "");
    default:
      return piece_put (p, 3, "%s", number, "");
    }
}

char *
ummgr_code_text (const unsigned char *code, const char *const *names,
		 const struct ummgr_code_field *fields, unsigned count)
{
  struct piece stack[UMMGR_CODE_DEPTH + 1] = { { NULL, 0 } };
  unsigned n = 0;
  bool good = true;
  if (!code)
    return strdup ("?");
  for (; good && *code != UMMGR_CODE_END; code += 1 + operand_size (*code))
    {
      struct step s = step_get (code);
      if (s.op == UMMGR_CODE_LOAD)
	good = piece_load (&s, names, fields, count, &stack[n++]);
      else if (takes (s.op) == 0)
	good = piece_leaf (&s, names, &stack[n++]);
      else if (s.op == UMMGR_CODE_ELEMENT)
	good = piece_put (&stack[n - 1], 3, "%2$s[@%1$s]", stack[n - 1].text,
			  names[s.arg]);
      else if (s.op == UMMGR_CODE_NEG)
	good = piece_put (&stack[n - 1], 2, "-(%s)", stack[n - 1].text, "");
      else
	{
	  n--;
	  good = piece_combine (&s, &stack[n - 1], &stack[n]);
	  free (stack[n].text);
	  stack[n].text = NULL;
	}
    }
  for (unsigned i = good ? 1 : 0; i < n; i++)
    free (stack[i].text);
  return good ? stack[0].text : NULL;
}
