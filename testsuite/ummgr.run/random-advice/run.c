/* Runs a random program: the host's part.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "machine.h"

#include <stdlib.h>
#include <string.h>

void
broken (struct machine *m, const char *why)
{
  if (!m->broken)
    m->broken = why;
}

static int
block_new (struct machine *m, int length)
{
  if (m->block_count == BLOCKS)
    {
      broken (m, "too many variables");
      return 0;
    }
  m->blocks[m->block_count] = (struct block) { .length = length };
  return m->block_count++;
}

struct value *
host_element (struct machine *m, struct pointer p, int k)
{
  static struct value none;
  struct block *b = &m->blocks[p.block];
  if (b->dead || p.at + k < 0 || p.at + k >= b->length)
    {
      broken (m, "outside of an array");
      return &none;
    }
  return &b->data[p.at + k];
}

struct pointer
base_pointer (struct machine *m, const struct frame *f, enum base b)
{
  if (b < GP)
    return f->pointers[b];
  if (b == GP)
    return m->gp;
  return (struct pointer) { b == GA ? BLOCK_GA : b == DT ? BLOCK_DT : f->block[base_memory (b)], 0 };
}

/* As an argument: an int pointer, which goes to h.v.  */
static struct pointer
argument_pointer (struct machine *m, const struct frame *f, enum base b)
{
  struct pointer p = base_pointer (m, f, b);
  p.at += b == H;
  return p;
}

/* --- values --- */

static struct value *
element (struct context *c, const struct place *x)
{
  int k = x->k;
  if (x->form == AT_I)
    k += c->i;
  else if (x->form == AT_T)
    k += c->f->t[c->f->depth - 1];
  if (x->form != AT && x->base == H)
    k++;
  return c->r ? region_element (c, x->base, k)
	      : host_element (c->m, base_pointer (c->m, c->f, x->base), k);
}

static struct value
operate (char op, struct value a, struct value b)
{
  uint32_t v = op == '+' ? a.v + b.v : op == '-' ? a.v - b.v : op == '*' ? a.v * b.v : a.v ^ b.v;
  return (struct value) { v, a.unknown || b.unknown };
}

static struct value
evaluate (struct context *c, const struct expr *e)
{
  switch (e->op)
    {
    case 'k':
      return (struct value) { e->k, false };
    case 'n':
      return (struct value) { N, false };
    case 't':
      return (struct value) { c->f->t[c->f->depth - 1], false };
    case 'i':
      return (struct value) { c->i, false };
    case 'x':
      return *element (c, &e->at);
    default:
      return operate (e->op, evaluate (c, e->l), evaluate (c, e->r));
    }
}

int
cond_holds (struct context *c, const struct cond *cond)
{
  int t = c->f->depth ? c->f->t[c->f->depth - 1] : 0;
  switch (cond->form)
    {
    case ALWAYS:
      return 1;
    case NEVER:
      return 0;
    case SURELY:
      return N > cond->k % N;
    case FLAG:
      return cond->k % 2;
    case T_IS:
      return t == cond->k;
    case T_ODD:
      return t % 2;
    case I_ODD:
      return c->i % 2;
    default:
      {
	struct value v = *element (c, &cond->at);
	if (v.unknown)
	  broken (c->m, "a condition is unknown");
	return (int32_t) v.v > cond->k;
      }
    }
}

static void
store (struct value *x, struct value v, bool adds)
{
  *x = adds ? operate ('+', *x, v) : v;
}

static void
sum_add (struct context *c, struct value v)
{
  struct value three = { 3, false };
  if (v.unknown)
    broken (c->m, "a value is unknown");
  c->f->sum = operate ('+', operate ('*', c->f->sum, three), v);
}

/* --- calls --- */

/* Variables of F as a function begins.  */
static void
frame_begin (struct machine *m, struct frame *f)
{
  static const uint32_t first[BASES][LENGTH]
    = { [L] = { 4, 5 }, [G] = { 1, 2 }, [H] = { 3, 4, 5 }, [S] = { 6 }, [U] = { 7 } };
  for (int b = L; b <= U; b++)
    if (b != GA && b != DT)
      {
	f->block[b] = block_new (m, base_length (b));
	for (int k = 0; k < base_length (b); k++)
	  m->blocks[f->block[b]].data[k].v = first[b][k];
      }
  f->pointers[P] = argument_pointer (m, f, f->f->points.base);
  f->pointers[P].at += f->f->points.k;
  f->sum.v = f->f - m->p->f;
}

/* What is known at its end.  */
static void
frame_sum (struct context *c)
{
  static const enum base order[] = { S, U, G, H, L };
  for (int o = 0; o < 5; o++)
    for (int k = 0; k < base_length (order[o]); k++)
      {
	struct value v = c->m->blocks[c->f->block[order[o]]].data[k];
	unsigned *mask = &c->f->f->mask[order[o]];
	if (c->m->marking && v.unknown)
	  *mask &= ~(1u << k);
	else if (*mask >> k & 1)
	  sum_add (c, v);
      }
}

static enum flow
function_run (struct machine *m, struct function *f, const struct pointer *args, struct value *sum)
{
  struct frame frame = { .f = f };
  struct context c = { .m = m, .f = &frame };
  int mark = m->later_count;
  memcpy (frame.pointers, args, 3 * sizeof *args);
  frame_begin (m, &frame);
  enum flow how = statements_run (&c, f->body);
  *sum = frame.sum;
  if (how == ENDS || m->broken)
    return how;
  if (m->later_count > mark)
    broken (m, "a task outlives its function");
  if (how != RETURNS)
    frame_sum (&c);
  if (frame_is_mapped (m, &frame))
    broken (m, "a variable goes while it is mapped");
  for (int b = L; b <= U; b++)
    if (b != GA && b != DT)
      m->blocks[frame.block[b]].dead = true;
  *sum = frame.sum;
  return GOES_ON;
}

static enum flow
call (struct context *c, struct stmt *s)
{
  struct pointer args[3];
  struct value sum;
  for (int i = 0; i < 3; i++)
    args[i] = argument_pointer (c->m, c->f, s->args[i]);
  enum flow how = function_run (c->m, &c->m->p->f[s->k], args, &sum);
  if (how == ENDS)
    c->f->sum = sum;
  else
    sum_add (c, sum);
  return how;
}

/* The functions of outside.c.  */
static void
outside (struct context *c, struct stmt *s)
{
  enum base b = s->args[0];
  int length = base_is_pointer (b) || b < G ? 8 : 1;
  struct frame inner = *c->f;
  struct context other = { .m = c->m, .f = &inner };
  struct item item = { .base = A, .form = SECTION, .length = length };
  struct expr x = { .op = 'x', .at = { A, AT_I, 0 } }, two = { .op = 'k', .k = 2 }, one = { .op = 'k', .k = 1 };
  struct expr product = { .op = '*', .l = &x, .r = &two }, value = { .op = '+', .l = &product, .r = &one };
  struct stmt set = { .kind = SET, .to = x.at, .value = &value };
  struct stmt loop = { .kind = ELEMENTS, .k = length, .body = &set };
  static const enum kind kinds[OUTSIDES] = { [REGION] = TARGET, ENTER, EXIT, UPDATE, UPDATE };
  static const enum map_type types[OUTSIDES] = { TO, TO, TOFROM, TO, FROM, TO, FROM };
  struct stmt construct = { .kind = kinds[s->k], .item_count = 1, .firstprivate = -1 };
  inner.pointers[A] = argument_pointer (c->m, c->f, b);
  inner.depth = 0;
  item.type = types[s->k];
  construct.items[0] = item;
  if (s->k == REGION)
    construct.body = &loop;
  if (s->k == SEE)
    sum_add (c, operate ('+', *host_element (c->m, inner.pointers[A], 0), (struct value) { 5, false }));
  else if (s->k == CHANGE)
    store (host_element (c->m, inner.pointers[A], length - 1), (struct value) { 100, false }, true);
  else
    construct_run (&other, &construct);
}

/* touch and peek, of the host's or a device's memory.  */
static void
touch (struct context *c, struct stmt *s)
{
  struct place x = s->to, u = { U, AT, 0 };
  x.k += x.base == H;
  struct value *at = element (c, &x);
  struct value two = { 2, false }, one = { 1, false };
  if (s->adds)
    *at = operate ('+', operate ('*', *at, two), one);
  else
    {
      struct value sum = operate ('+', *at, one), *to = element (c, &u);
      *to = operate ('+', *to, sum);
    }
}

/* --- statements --- */

static enum flow
loop_run (struct context *c, struct stmt *s)
{
  enum flow how = GOES_ON;
  int depth = c->f->depth++;
  for (int t = 0; t < s->k && !c->m->broken; t++)
    {
      c->f->t[depth] = t;
      how = statements_run (c, s->body);
      if (how == BREAKS || how > CONTINUES)
	break;
    }
  c->f->depth = depth;
  return how == BREAKS || how == CONTINUES ? GOES_ON : how;
}

static void
elements_run (struct context *c, struct stmt *s)
{
  int count = s->k ? s->k : N, before = c->i;
  bool backwards = s->parallel && c->m->backwards;
  for (int k = 0; k < count && !c->m->broken; k++)
    {
      c->i = backwards ? count - 1 - k : k;
      statements_run (c, s->body);
    }
  c->i = before;
}

static enum flow
simple_run (struct context *c, struct stmt *s)
{
  struct machine *m = c->m;
  switch (s->kind)
    {
    case SET:
    case ATOMIC:
      if (cond_holds (c, &s->cond))
	{
	  struct value v = evaluate (c, s->value);
	  store (element (c, &s->to), v, s->adds);
	}
      break;
    case FILL:
      for (int k = 0; k < s->k; k++)
	*host_element (m, argument_pointer (m, c->f, s->to.base), k) = (struct value) { 0, false };
      break;
    case SUM:
      sum_add (c, evaluate (c, s->value));
      break;
    case POINT:
      {
	struct pointer to = argument_pointer (m, c->f, s->args[0]);
	to.at += s->k;
	if (m->blocks[to.block].dead || to.at < 0 || to.at > LENGTH)
	  broken (m, "a pointer to nothing");
	*(s->to.base == GP ? &m->gp : &c->f->pointers[s->to.base]) = to;
	break;
      }
    case TOUCH:
      touch (c, s);
      break;
    case CALL:
      return call (c, s);
    case OUTSIDE:
      outside (c, s);
      break;
    case END_PROGRAM:
      return cond_holds (c, &s->cond) ? ENDS : GOES_ON;
    default:
      abort ();
    }
  return GOES_ON;
}

static enum flow
statement_run (struct context *c, struct stmt *s)
{
  int mark = c->m->later_count;
  enum flow how = GOES_ON;
  switch (s->kind)
    {
    case ELEMENTS:
      elements_run (c, s);
      return GOES_ON;
    case LOOP:
      return loop_run (c, s);
    case IF:
      return cond_holds (c, &s->cond) ? statements_run (c, s->body) : GOES_ON;
    case BREAK:
      return BREAKS;
    case CONTINUE:
      return CONTINUES;
    case RETURN:
      return RETURNS;
    case LEAVE_BLOCK:
      return TO_END;
    case DATA:
      {
	struct region *r = data_begin (c, s);
	how = statements_run (c, s->body);
	if (how != ENDS)
	  data_end (c->m, r);
	return how;
      }
    case TARGET:
    case ENTER:
    case EXIT:
    case UPDATE:
      construct_run (c, s);
      return GOES_ON;
    case TASKWAIT:
      later_run (c->m, 0);
      return GOES_ON;
    case TASKGROUP:
    case PARALLEL:
      how = statements_run (c, s->body);
      if (how != ENDS)
	later_run (c->m, mark);
      return how;
    case CRITICAL:
      return statements_run (c, s->body);
    case TASK:
      task_run (c, s);
      return GOES_ON;
    default:
      return simple_run (c, s);
    }
}

enum flow
statements_run (struct context *c, struct stmt *s)
{
  for (; s && !c->m->broken; s = s->next)
    {
      if (++c->m->steps > 20000)
	broken (c->m, "too long");
      enum flow how = statement_run (c, s);
      if (how != GOES_ON)
	return how;
    }
  return GOES_ON;
}

/* --- programs --- */

static void
machine_begin (struct machine *m, struct program *p)
{
  static const int factor[5] = { 1, 3, 7, 5, 0 }, offset[5] = { 1, 2, 0, 1, 0 };
  m->p = p;
  for (int a = 0; a < FIXED_BLOCKS; a++)
    {
      int b = block_new (m, LENGTH);
      for (int k = 0; k < LENGTH; k++)
	m->blocks[b].data[k].v = factor[a] * k + offset[a];
    }
  for (int d = 0; d < DEVICES; d++)
    m->dt[d] = block_new (m, LENGTH);
  m->gp = (struct pointer) { 1, 0 };
}

static struct outcome
machine_run (struct machine *m, struct program *p)
{
  struct pointer args[3] = { { 0, 0 }, { 1, 0 }, { p->third, p->third_at } };
  struct value sum;
  machine_begin (m, p);
  function_run (m, &p->f[p->function_count - 1], args, &sum);
  uint32_t all = sum.v;
  for (int a = 0; a < FIXED_BLOCKS && !m->broken; a++)
    for (int k = 0; k < LENGTH; k++)
      {
	struct value v = m->blocks[a].data[k];
	if (m->marking && v.unknown)
	  p->mask[a] &= ~(1u << k);
	else if (p->mask[a] >> k & 1)
	  {
	    if (v.unknown)
	      broken (m, "a value is unknown");
	    all = all * 3 + v.v;
	  }
      }
  return (struct outcome) { m->broken, all };
}

/* In each order.  */
static struct outcome
orders_run (struct program *p, bool disabled, bool marking)
{
  struct outcome first = { NULL, 0 };
  static struct machine machine;
  struct machine *m = &machine;
  for (int order = 0; order < 2 * WHENS; order++)
    {
      memset (m, 0, sizeof *m);
      m->disabled = disabled;
      m->marking = marking;
      m->backwards = order / WHENS;
      m->when = order % WHENS;
      struct outcome o = machine_run (m, p);
      if (!o.broken && order && o.sum != first.sum && !marking)
	o.broken = "it depends on the order";
      first = o;
      if (o.broken)
	break;
    }
  return first;
}

struct outcome
program_run (struct program *p, bool disabled)
{
  return orders_run (p, disabled, false);
}

void
program_mark (struct program *p)
{
  memset (p->mask, 0xff, sizeof p->mask);
  for (int i = 0; i < p->function_count; i++)
    memset (p->f[i].mask, 0xff, sizeof p->f[i].mask);
  for (int disabled = 0; disabled < 2; disabled++)
    orders_run (p, disabled, true);
  static const int length[BASES] = { [L] = LENGTH, [G] = 2, [H] = 8, [S] = 1, [U] = 1 };
  for (int a = 0; a < 5; a++)
    p->mask[a] &= (1u << LENGTH) - 1;
  for (int i = 0; i < p->function_count; i++)
    for (int b = 0; b < BASES; b++)
      p->f[i].mask[b] &= (1u << length[b]) - 1;
}
