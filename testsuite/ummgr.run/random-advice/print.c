/* Random programs for the warnings of map clauses, as C and C++.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "program.h"

#include <stdarg.h>
#include <stdlib.h>

const char *const base_name[BASES] = { "a", "b", "c", "p", "gp", "l", "ga", "dt", "g", "h", "s", "u", "r" };
const char *const map_name[MAP_TYPES] = { "to", "from", "tofrom", "alloc", "release", "delete" };

/* A function that is being printed.  */
struct printer
{
  FILE *out;
  struct program *p;
  int number, indent, depth;
  bool leaves;			/* There is a jump to its end.  */
};

/* One line.  */
static void __attribute__ ((format (printf, 2, 3)))
line (struct printer *w, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  fprintf (w->out, "%*s", 2 * w->indent, "");
  vfprintf (w->out, format, args);
  fputc ('\n', w->out);
  va_end (args);
  w->p->line++;
}

/* A text that is made of parts.  */
static char *
text (void (*print) (FILE *out, const void *what, int depth), const void *what, int depth)
{
  char *made = NULL;
  size_t size;
  FILE *f = open_memstream (&made, &size);
  print (f, what, depth);
  fclose (f);
  return made;
}

static void
print_place (FILE *out, const void *what, int depth)
{
  const struct place *x = what;
  const char *variable = x->form == AT_I ? "i" : "t";
  if (x->base >= S)
    fputs (base_name[x->base], out);
  else if ((x->base == G || x->base == H) && x->form == AT && x->k < (x->base == G ? 2 : 1))
    fprintf (out, "%s.%c", base_name[x->base], 'x' + x->k);
  else
    {
      fprintf (out, x->base == H ? "h.v[" : "%s[", base_name[x->base]);
      if (x->form == AT)
	fprintf (out, "%d]", x->k - (x->base == H));
      else
	{
	  fputs (variable, out);
	  if (x->form == AT_T)
	    fprintf (out, "%d", depth - 1);
	  fprintf (out, x->k ? " + %d]" : "]", x->k);
	}
    }
}

static void
print_expr (FILE *out, const void *what, int depth)
{
  const struct expr *e = what;
  switch (e->op)
    {
    case 'k':
      fprintf (out, "%d", e->k);
      break;
    case 't':
      fprintf (out, "t%d", depth - 1);
      break;
    case 'x':
      print_place (out, &e->at, depth);
      break;
    case 'n':
    case 'i':
      fputc (e->op, out);
      break;
    default:
      fputc ('(', out);
      print_expr (out, e->l, depth);
      fprintf (out, " %c ", e->op);
      print_expr (out, e->r, depth);
      fputc (')', out);
    }
}

static void
print_cond (FILE *out, const void *what, int depth)
{
  const struct cond *c = what;
  switch (c->form)
    {
    case ALWAYS:
      fputs ("1", out);
      break;
    case NEVER:
      fprintf (out, "n > %d", 100 + c->k);
      break;
    case SURELY:
      fprintf (out, "n > %d", c->k % N);
      break;
    case FLAG:
      fprintf (out, "flag[%d]", c->k);
      break;
    case T_IS:
      fprintf (out, "t%d == %d", depth - 1, c->k);
      break;
    case T_ODD:
      fprintf (out, "t%d %% 2", depth - 1);
      break;
    case I_ODD:
      fputs ("i % 2", out);
      break;
    case DATA_ABOVE:
      print_place (out, &c->at, depth);
      fprintf (out, " > %d", c->k);
    }
}

#define PLACE(X) text (print_place, X, w->depth)
#define EXPR(X) text (print_expr, X, w->depth)
#define COND(X) text (print_cond, X, w->depth)

void
print_item (FILE *out, const struct item *item, int depth)
{
  const char *name = base_name[item->base];
  if (item->form == WHOLE)
    fputs (name, out);
  else if (item->form == FIELD)
    fprintf (out, "%s.%s", name, item->base == G ? (item->lo ? "y" : "x") : item->lo ? "v" : "x");
  else
    {
      fprintf (out, item->base == H ? "%s.v[" : "%s[", name);
      if (item->from_t)
	fprintf (out, item->lo ? "t%d + %d:" : "t%d:", depth - 1, item->lo);
      else
	fprintf (out, "%d:", item->lo);
      fprintf (out, item->length ? "%d]" : "n]", item->length);
    }
}

/* Its map or motion clauses.  */
static void
print_items (FILE *out, const struct stmt *s, int depth)
{
  for (int i = 0; i < s->item_count; i++)
    {
      const struct item *x = &s->items[i];
      if (i && x->joined)
	fputs (", ", out);
      else if (s->kind == UPDATE)
	fprintf (out, "%s%s(", i ? ") " : " ", map_name[x->type]);
      else
	fprintf (out, "%smap(%s%s: ", i ? ") " : " ", x->always ? "always, " : "", map_name[x->type]);
      print_item (out, x, depth);
    }
  if (s->item_count)
    fputc (')', out);
}

static void
print_clauses (FILE *out, const void *what, int depth)
{
  const struct stmt *s = what;
  print_items (out, s, depth);
  if (s->cond.form != ALWAYS)
    {
      fputs (s->kind == TARGET ? " if(target: " : " if(", out);
      print_cond (out, &s->cond, depth);
      fputc (')', out);
    }
  if (s->device.form == NUMBER)
    fprintf (out, " device(%d)", s->device.k);
  else if (s->device.form == HOST)
    fputs (" device(first)", out);
  else if (s->device.form == T_PARITY)
    fprintf (out, " device(t%d %% 2)", depth - 1);
  else if (s->device.form == FLAG_OF)
    fprintf (out, " device(flag[%d])", s->device.k);
  if (s->firstprivate >= 0)
    fprintf (out, " firstprivate(%s)", base_name[s->firstprivate]);
  if (s->nowait)
    fputs (" nowait", out);
  if (s->depend)
    fputs (" depend(inout: order)", out);
}

static void print_list (struct printer *w, struct stmt *s);

static void
print_block (struct printer *w, struct stmt *body)
{
  line (w, "{");
  w->indent++;
  print_list (w, body);
  w->indent--;
  line (w, "}");
}

/* B as an argument, a pointer to int.  */
static const char *
argument (enum base b)
{
  static const char *const written[BASES] = { [G] = "&g.x", [H] = "h.v", [S] = "&s", [U] = "&u", [R] = "&r" };
  return written[b] ? written[b] : base_name[b];
}

static void
print_loop (struct printer *w, struct stmt *s)
{
  if (s->k % 2)
    line (w, "for (int t%d = 0; t%d < n - %d; t%d++)", w->depth, w->depth, N - s->k, w->depth);
  else
    line (w, "for (int t%d = 0; t%d < %d; t%d++)", w->depth, w->depth, s->k, w->depth);
  w->depth++;
  print_block (w, s->body);
  w->depth--;
}

static void
print_elements (struct printer *w, struct stmt *s)
{
  if (s->parallel)
    line (w, "#pragma omp parallel for");
  line (w, s->k ? "for (int i = 0; i < %d; i++)" : "for (int i = 0; i < n; i++)", s->k);
  print_block (w, s->body);
}

static void
print_construct (struct printer *w, struct stmt *s)
{
  static const char *const name[] = { [TARGET] = "target", [DATA] = "target data", [ENTER] = "target enter data",
				      [EXIT] = "target exit data", [UPDATE] = "target update" };
  const char *clauses = text (print_clauses, s, w->depth);
  /* A data construct without any is none.  */
  if (s->kind == DATA && !s->item_count)
    print_block (w, s->body);
  else if (s->kind == TARGET && s->parallel)
    {
      line (w, "#pragma omp target parallel for%s", clauses);
      line (w, s->body->k ? "for (int i = 0; i < %d; i++)" : "for (int i = 0; i < n; i++)", s->body->k);
      print_block (w, s->body->body);
    }
  else
    {
      line (w, "#pragma omp %s%s", name[s->kind], clauses);
      if (s->kind == TARGET || s->kind == DATA)
	print_block (w, s->body);
    }
}

static void
print_outside (struct printer *w, struct stmt *s)
{
  static const char *const name[OUTSIDES]
    = { "see", "change", "region", "enter_data", "exit_data", "update_to", "update_from" };
  const char *x = argument (s->args[0]);
  if (s->k == SEE)
    line (w, "sum = sum * 3 + see (%s);", x);
  else
    line (w, "%s (%s, %d);", name[s->k], x, base_is_pointer (s->args[0]) || s->args[0] < G ? 8 : 1);
}

/* An assignment, or what is as simple.  */
static void
print_simple (struct printer *w, struct stmt *s)
{
  const char *sign = s->adds ? "+=" : "=";
  switch (s->kind)
    {
    case SET:
    case ATOMIC:
      if (s->kind == ATOMIC)
	line (w, "#pragma omp atomic");
      if (s->cond.form != ALWAYS)
	line (w, "if (%s)", COND (&s->cond));
      line (w, "%s %s %s;", PLACE (&s->to), sign, EXPR (s->value));
      break;
    case FILL:
      line (w, "memset (%s, 0, %d);", argument (s->to.base), 4 * s->k);
      break;
    case SUM:
      line (w, "sum = sum * 3 + %s;", EXPR (s->value));
      break;
    case POINT:
      line (w, "%s = %s + %d;", base_name[s->to.base], argument (s->args[0]), s->k);
      break;
    case TOUCH:
      line (w, s->adds ? "touch (%s, %d);" : "u += peek (%s, %d);", argument (s->to.base), s->to.k);
      break;
    case CALL:
      line (w, "sum = sum * 3 + f%llu_%d (%s, %s, %s, n, flag);", (unsigned long long) w->p->seed, s->k,
	    argument (s->args[0]), argument (s->args[1]), argument (s->args[2]));
      break;
    case OUTSIDE:
      print_outside (w, s);
      break;
    case END_PROGRAM:
      line (w, "end_program (%s, sum);", COND (&s->cond));
      break;
    case BREAK:
      line (w, "break;");
      break;
    case CONTINUE:
      line (w, "continue;");
      break;
    case RETURN:
      line (w, "return sum;");
      break;
    case LEAVE_BLOCK:
      w->leaves = true;
      line (w, "goto out;");
      break;
    case TASKWAIT:
      line (w, "#pragma omp taskwait");
      break;
    default:
      abort ();
    }
}

static void
print_task (struct printer *w, struct stmt *s)
{
  static const char *const own[] = { "", " firstprivate(t0)", " firstprivate(t0, t1)" };
  line (w, "#pragma omp task default(shared)%s%s", own[w->depth], s->depend ? " depend(inout: order)" : "");
  print_block (w, s->body);
}

static void
print_list (struct printer *w, struct stmt *s)
{
  for (; s; s = s->next)
    {
      s->line = w->p->line;
      switch (s->kind)
	{
	case ELEMENTS:
	  print_elements (w, s);
	  break;
	case LOOP:
	  print_loop (w, s);
	  break;
	case IF:
	  line (w, "if (%s)", COND (&s->cond));
	  print_block (w, s->body);
	  break;
	case TARGET:
	case DATA:
	case ENTER:
	case EXIT:
	case UPDATE:
	  print_construct (w, s);
	  break;
	case TASKGROUP:
	  line (w, "#pragma omp taskgroup");
	  print_block (w, s->body);
	  break;
	case PARALLEL:
	  line (w, "#pragma omp parallel num_threads(2)");
	  line (w, "#pragma omp single");
	  print_block (w, s->body);
	  break;
	case CRITICAL:
	  line (w, "#pragma omp critical");
	  print_block (w, s->body);
	  break;
	case TASK:
	  print_task (w, s);
	  break;
	default:
	  print_simple (w, s);
	}
    }
}

/* What is known of the function's variables, at its end.  */
static void
print_end (struct printer *w, const struct function *f)
{
  if (f->mask[S])
    line (w, "sum = sum * 3 + s;");
  if (f->mask[U])
    line (w, "sum = sum * 3 + u;");
  for (int k = 0; k < 2; k++)
    if (f->mask[G] >> k & 1)
      line (w, "sum = sum * 3 + g.%c;", 'x' + k);
  if (f->mask[H] & 1)
    line (w, "sum = sum * 3 + h.x;");
  line (w, "for (int k = 0; k < 7; k++) if (%#x >> k & 1) sum = sum * 3 + h.v[k];", f->mask[H] >> 1);
  line (w, "for (int k = 0; k < %d; k++) if (%#x >> k & 1) sum = sum * 3 + l[k];", LENGTH, f->mask[L]);
}

static void
print_function (struct printer *w, const struct function *f, int number)
{
  unsigned long long seed = w->p->seed;
  struct place points = f->points;
  line (w, "%s int", number == w->p->function_count - 1 ? "static __attribute__ ((noipa))" : "static");
  line (w, "f%llu_%d (int *a, int *b, int *c, int n, int *flag)", seed, number);
  line (w, "{");
  w->indent++;
  line (w, "int sum = %d, s = 6, u = 7, l[%d] = { 4, 5 }, first = omp_get_initial_device (), order = 0;",
	number, LENGTH);
  line (w, "struct pair g = { 1, 2 };");
  line (w, "struct row h = { 3, { 4, 5 } };");
  if (w->p->ways.cxx)
    line (w, "int &r = s;");
  line (w, "int *p = %s + %d;", argument (points.base), points.k);
  print_list (w, f->body);
  if (w->leaves)
    line (w, "out:");
  line (w, "(void) first, (void) p, (void) order, (void) flag;");
  print_end (w, f);
  line (w, "return sum;");
  w->indent--;
  line (w, "}");
  w->leaves = false;
}

void
print_program (FILE *out, struct program *p)
{
  struct printer w = { .out = out, .p = p };
  for (int i = 0; i < p->function_count; i++)
    print_function (&w, &p->f[i], i);
}

void
print_head (FILE *out, struct program *p)
{
  struct printer w = { .out = out, .p = p };
  p->line = 1;
  line (&w, "#include \"outside.h\"");
}

void
print_table (FILE *out, struct program **p, int count)
{
  fputs ("struct entry entries[] = {\n", out);
  for (int i = 0; i < count; i++)
    {
      unsigned long long seed = p[i]->seed;
      fprintf (out, "  { %lluu, f%llu_%d, %d, %d, { %#x, %#x, %#x, %#x, %#x } },\n", seed, seed,
	       p[i]->function_count - 1, p[i]->third, p[i]->third_at, p[i]->mask[0], p[i]->mask[1],
	       p[i]->mask[2], p[i]->mask[3], p[i]->mask[4]);
    }
  fputs ("  { 0, 0, 0, 0, { 0 } }\n};\n", out);
}
