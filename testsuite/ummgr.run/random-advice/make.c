/* Makes random programs for the warnings of map clauses.
   SPDX-License-Identifier: GPL-3.0-or-later

   Most clauses are what people write, with more copies than are needed: that is what warnings are
   about.  The rest is what makes an advice wrong.  What has no result is thrown away.  */

#include "program.h"
#include "random.h"

#include <stdlib.h>
#include <string.h>

enum { ATTEMPTS = 400, PROGRAMS = 10 };

static uint64_t state;

static int
below (int n)
{
  return random64 (&state) / 65536 % n;
}

static bool
chance (int percent)
{
  return below (100) < percent;
}

/* What is being made.  */
static struct program *program;
static int number;		/* Of the function.  */
static int depth;		/* Of loops.  */
static int nested;		/* In so many constructs of the host.  */
static bool jumps;		/* May a jump leave the innermost loop?  */
static bool leaves;		/* May one leave the function?  */
static bool in_task, in_critical;
static enum base favourite;	/* Most of a function is about one.  */

struct ways
ways_of (uint64_t seed)
{
  uint64_t s = (seed / PROGRAMS + 1) * 0x9e3779b97f4a7c15u | 1;
  for (int i = 0; i < 4; i++)
    random64 (&s);
  unsigned bits = random64 (&s) >> 32;
  bool plain = bits / 10000 % 10 < 4;
  return (struct ways) { .enter = !plain && bits % 10 < 4, .data = !plain && bits / 10 % 10 < 7,
			 .async = !plain && bits / 100 % 10 < 4, .cxx = bits / 1000 % 10 < 4 };
}

static struct stmt *
stmt_new (enum kind kind)
{
  struct stmt *s = calloc (1, sizeof *s);
  s->kind = kind;
  s->firstprivate = -1;
  return s;
}

/* --- elements and values --- */

static enum base
pick_base (void)
{
  static const enum base often[] = { A, A, A, B, B, C, P, GP, L, L, GA, G, G, H, S, S, S, U, U, DT };
  if (chance (45))
    return favourite;
  enum base b = often[below (sizeof often / sizeof *often)];
  return b == S && program->ways.cxx && chance (30) ? R : b;
}

/* An element of B.  IN_LOOP: by the index, if it has as many.  */
static struct place
pick_place (enum base b, bool in_loop)
{
  if (b >= S)
    return (struct place) { b, AT, 0 };
  if (b == G)
    return (struct place) { b, AT, below (2) };
  if (b == H && !in_loop)
    return (struct place) { b, AT, below (8) };
  if (in_loop)
    return (struct place) { b, AT_I, chance (90) ? 0 : below (3) };
  if (depth && chance (20))
    return (struct place) { b, AT_T, below (3) };
  return (struct place) { b, AT, below (8) };
}

static struct expr *
expr_new (char op, int k)
{
  struct expr *e = calloc (1, sizeof *e);
  e->op = op;
  e->k = k;
  return e;
}

/* A value; PURE: no element is read.  */
static struct expr *
pick_expr (bool in_loop, bool pure, int size)
{
  if (size && chance (60))
    {
      struct expr *e = expr_new ("+-*^+"[below (5)], 0);
      e->l = pick_expr (in_loop, pure, size - 1);
      /* GCC makes 0 of x - x, so that nothing is read.  */
      e->r = pick_expr (in_loop, pure || e->l->op == 'x', size - 1);
      return e;
    }
  if (in_loop && chance (30))
    return expr_new ('i', 0);
  if (depth && chance (30))
    return expr_new ('t', 0);
  if (pure || chance (25))
    return expr_new (chance (20) ? 'n' : 'k', 1 + below (50));
  struct expr *e = expr_new ('x', 0);
  e->at = pick_place (pick_base (), in_loop && chance (90));
  return e;
}

static struct cond
pick_cond (void)
{
  struct cond c = { .form = NEVER + below (DATA_ABOVE + 1 - NEVER), .k = below (12) };
  if ((c.form == T_IS || c.form == T_ODD) && !depth)
    c.form = FLAG;
  if (c.form == T_IS)
    c.k = below (4);
  if (c.form == DATA_ABOVE)
    {
      c.at = pick_place (pick_base (), false);
      c.k = below (60);
    }
  return c;
}

static struct stmt *
make_set (enum base b, bool in_loop)
{
  struct stmt *s = stmt_new (SET);
  s->to = pick_place (b, in_loop);
  s->adds = chance (35);
  /* GCC makes x = k of x += k - x, so that nothing is read.  */
  s->value = pick_expr (in_loop, chance (40) || s->adds, 1);
  if (in_loop && chance (15))
    s->cond.form = I_ODD;
  return s;
}

/* --- regions --- */

/* G as a whole.  */
static struct stmt *
make_fields (void)
{
  struct stmt *x = make_set (G, false), *y = make_set (G, false);
  x->to.k = 0;
  y->to.k = 1;
  x->adds = y->adds = false;
  x->value = pick_expr (false, true, 1);
  x->next = y;
  return x;
}

static struct stmt *
make_elements (enum base b, bool parallel)
{
  struct stmt *s = stmt_new (ELEMENTS);
  s->parallel = parallel;
  s->k = b == H ? 7 : b == G ? 2 : chance (70) ? 0 : chance (50) ? 8 : 5;
  s->body = make_set (b >= S || b == G ? L : b, true);
  if (chance (30))
    s->body->next = make_set (chance (50) ? pick_base () : b, !parallel && chance (20) ? false : true);
  return s;
}

static struct stmt *
make_touch (enum base b)
{
  struct stmt *s = stmt_new (TOUCH);
  s->to = (struct place) { b, AT, b >= S ? 0 : b == G ? below (2) : below (7) };
  s->adds = chance (50);
  return s;
}

/* What a region does to B.  */
static struct stmt *
make_work (enum base b)
{
  struct stmt *s;
  if (b == G && chance (50))
    return make_fields ();
  if (b < S && b != G && chance (60))
    return make_elements (b, false);
  if (chance (12))
    return make_touch (b);
  if (b >= S && chance (25))
    {
      /* B is read by what is told to others.  */
      s = make_set (pick_base (), false);
      s->value = expr_new ('+', 0);
      s->value->l = expr_new ('x', 0);
      s->value->l->at = pick_place (b, false);
      s->value->r = pick_expr (false, true, 0);
      return s;
    }
  s = make_set (b, false);
  if (chance (40))
    s->adds = false;
  return s;
}

static unsigned
expr_uses (const struct expr *e)
{
  if (!e)
    return 0;
  return (e->op == 'x' ? 1u << e->at.base : 0) | expr_uses (e->l) | expr_uses (e->r);
}

static unsigned
uses (const struct stmt *s)
{
  unsigned all = 0;
  for (; s; s = s->next)
    {
      if (s->kind == SET || s->kind == TOUCH)
	all |= 1u << s->to.base;
      if (s->kind == TOUCH && !s->adds)
	all |= 1u << U;
      all |= expr_uses (s->value) | uses (s->body);
    }
  return all;
}

/* --- clauses --- */

static struct item
pick_item (enum base b, enum kind kind)
{
  struct item x = { .base = b, .form = WHOLE };
  if (base_is_pointer (b) || ((b == L || b == GA) && chance (35)))
    {
      x.form = SECTION;
      if (chance (20))
	{
	  x.lo = below (4);
	  x.length = chance (50) ? 8 : 1 + below (8);
	  x.from_t = depth && chance (30);
	}
      if (b == P && chance (40))
	x.length = 1;
    }
  else if (b == G && chance (25))
    x = (struct item) { .base = b, .form = FIELD, .lo = below (2) };
  else if (b == H && chance (40))
    x = chance (60) ? (struct item) { .base = b, .form = FIELD, .lo = below (2) }
		    : (struct item) { .base = b, .form = SECTION, .lo = 0, .length = 7 };
  x.type = chance (50) ? TOFROM : chance (50) ? TO : chance (70) ? FROM : ALLOC;
  if (kind == ENTER)
    x.type = chance (75) ? TO : ALLOC;
  else if (kind == EXIT)
    x.type = chance (70) ? FROM : chance (60) ? RELEASE : DELETE;
  else if (kind == UPDATE)
    x.type = chance (50) ? TO : FROM;
  x.always = kind != UPDATE && x.type <= TOFROM && chance (7);
  return x;
}

static void
add_item (struct stmt *s, enum base b)
{
  if (s->item_count == ITEMS)
    return;
  struct item x = pick_item (b, s->kind), *last = &s->items[s->item_count - 1];
  if (s->item_count && chance (15))
    {
      x.joined = true;
      x.type = last->type;
      x.always = last->always;
    }
  s->items[s->item_count++] = x;
}

static void
pick_conditions (struct stmt *s)
{
  if (chance (8))
    s->cond = pick_cond ();
  if (!chance (10))
    return;
  s->device.form = NUMBER + below (4);
  s->device.k = s->device.form == NUMBER ? below (DEVICES) : below (8);
  if (s->device.form == T_PARITY && !depth)
    s->device.form = FLAG_OF;
}

static struct stmt *
make_target (void)
{
  struct stmt *s = stmt_new (TARGET);
  enum base b = pick_base ();
  s->parallel = b < S && b != G && b != DT && chance (40);
  if (s->parallel)
    s->body = make_elements (b, false);
  else
    {
      struct stmt **end = &s->body;
      for (int i = 1 + below (3); i-- > 0; )
	{
	  *end = make_work (i || chance (50) ? b : pick_base ());
	  if (end == &s->body && b >= S && s->body->kind == SET && chance (50))
	    {
	      s->body->adds = false;
	      s->body->value = pick_expr (false, true, 1);
	    }
	  while (*end)
	    end = &(*end)->next;
	}
    }
  unsigned used = uses (s->body);
  for (int x = 0; x < BASES; x++)
    if ((used >> x & 1) && x != DT && chance (x >= S ? 60 : x <= GP ? 88 : 65))
      add_item (s, x);
  enum base unused = pick_base ();
  if (!(used >> unused & 1) && unused != DT && chance (20))
    add_item (s, unused);
  if ((used >> L & 1) && chance (8))
    {
      s->firstprivate = L;
      for (int i = 0; i < s->item_count; i++)
	if (s->items[i].base == L)
	  s->firstprivate = -1;
    }
  pick_conditions (s);
  s->nowait = program->ways.async && !in_task && chance (25);
  s->depend = program->ways.async && chance (s->nowait ? 40 : 20);
  return s;
}

static struct stmt *make_list (int size);

/* A construct of KIND with clauses alone, and a body.  */
static struct stmt *
make_data (enum kind kind)
{
  struct stmt *s = stmt_new (kind);
  for (int i = chance (70) ? 1 : 2; i-- > 0; )
    {
      enum base b = pick_base ();
      unsigned there = 0;
      for (int k = 0; k < s->item_count; k++)
	there |= 1u << base_memory (s->items[k].base);
      if (!(there >> base_memory (b) & 1) && (b != DT || kind == UPDATE))
	add_item (s, b);
    }
  if (!s->item_count)
    add_item (s, A);
  for (int i = 0; i < s->item_count; i++)
    if (s->items[i].base == DT)
      s->items[i].form = WHOLE;
  if (chance (40))
    pick_conditions (s);
  return s;
}

/* The host looks at B.  */
static struct stmt *
make_sum (enum base b)
{
  struct stmt *s = stmt_new (SUM);
  s->value = expr_new ('x', 0);
  s->value->at = pick_place (b, false);
  return s;
}

/* A region of B, which does something with the element at K.  */
static struct stmt *
make_share (enum base b, int k)
{
  struct stmt *s = stmt_new (TARGET);
  bool reads = chance (50);
  add_item (s, b);
  s->body = make_set (reads ? U : b, false);
  s->body->value = pick_expr (false, true, 0);
  s->body->to = (struct place) { reads ? U : b, AT, reads ? 0 : k };
  if (reads)
    {
      s->body->value->op = 'x';
      s->body->value->at = (struct place) { b, AT, k };
      add_item (s, U);
      s->items[1].type = TOFROM;
    }
  return s;
}

/* A task with a region, before or in a data construct in which it may as well run.  */
static struct stmt *
make_task_beside (void)
{
  enum base b = chance (50) ? L : GA;
  struct stmt *task = stmt_new (TASK), *data = stmt_new (DATA);
  task->depend = true;
  task->body = make_share (b, 1);
  add_item (data, b);
  data->items[0].form = WHOLE;
  data->body = make_share (b, chance (50) ? 1 : 3);
  data->body->depend = true;
  data->body->item_count -= chance (60);
  task->next = data;
  data->next = stmt_new (TASKWAIT);
  return task;
}

/* One that nobody waits for at once, and others meanwhile, which use another part of the same.  */
static struct stmt *
make_shares (void)
{
  enum base b = chance (50) ? L : chance (50) ? A : GA;
  struct stmt *first = make_share (b, 1), *last = first;
  first->nowait = true;
  for (int i = 0; i < 2; i++)
    {
      last->next = i || chance (50) ? make_share (b, 3 + i) : make_sum (S);
      last = last->next;
    }
  last->next = stmt_new (TASKWAIT);
  return first;
}

/* BODY of a construct of the host, which no jump may leave.  */
static struct stmt *
make_inside (int size)
{
  bool before = jumps, out = leaves;
  jumps = leaves = false;
  nested++;
  struct stmt *body = make_list (size);
  nested--;
  jumps = before;
  leaves = out;
  return body;
}

/* --- the host --- */

static struct stmt *make_jump (void);

static struct stmt *
make_loop (int size)
{
  struct stmt *s = stmt_new (LOOP);
  bool before = jumps;
  s->k = chance (8) ? 0 : 2 + below (3);
  s->depth = depth++;
  jumps = true;
  s->body = make_list (size);
  /* What is mapped again and again stands by itself.  */
  if (chance (65))
    {
      struct stmt *first = make_target ();
      first->next = chance (60) ? NULL : s->body;
      if (!first->next && chance (30))
	first->next = make_target ();
      if (!first->next && chance (35))
	{
	  first->next = make_jump ();
	  if (first->next->kind == IF && first->item_count && chance (50))
	    {
	      /* The host looks at what the region wrote, and leaves.  */
	      first->items[0].type = TOFROM;
	      first->items[0].always = first->nowait = false;
	      first->cond.form = ALWAYS;
	      first->device.form = NO_DEVICE;
	      struct stmt *look = make_sum (first->items[0].base);
	      look->next = first->next->body;
	      first->next->body = look;
	    }
	}
      s->body = first;
    }
  jumps = before;
  depth--;
  return s;
}

static struct stmt *
make_jump (void)
{
  struct stmt *s = stmt_new (IF), *jump;
  s->cond = pick_cond ();
  if (s->cond.form == ALWAYS || s->cond.form == I_ODD || (depth && chance (50)))
    s->cond = (struct cond) { .form = depth ? T_IS : FLAG, .k = below (4) };
  int which = below (6);
  if (jumps && which < 4)
    jump = stmt_new (which < 2 ? BREAK : CONTINUE);
  else if (leaves)
    jump = stmt_new (which % 2 ? RETURN : LEAVE_BLOCK);
  else
    {
      s->kind = END_PROGRAM;
      return s;
    }
  s->body = jump;
  if (chance (50))
    {
      s->body = chance (50) ? make_set (pick_base (), false) : make_sum (favourite);
      s->body->next = jump;
    }
  return s;
}

static struct stmt *
make_call (void)
{
  struct stmt *s = stmt_new (number && chance (60) ? CALL : OUTSIDE);
  for (int i = 0; i < 3; i++)
    do
      s->args[i] = chance (60) ? (enum base) below (P + 1) : pick_base ();
    while (s->kind == CALL && !base_is_pointer (s->args[i]) && s->args[i] != L && s->args[i] != GA);
  s->k = s->kind == CALL ? below (number) : below (program->ways.enter ? OUTSIDES : REGION + 1);
  return s;
}

/* Statements that only the host has.  */
static struct stmt *
make_host (void)
{
  struct stmt *s;
  enum base b = pick_base ();
  switch (below (12))
    {
    case 0:
    case 1:
    case 2:
      return make_set (b, false);
    case 3:
    case 4:
    case 5:
      return make_sum (b);
    case 6:
      return make_elements (b, chance (40));
    case 7:
      s = stmt_new (ATOMIC);
      s->to = pick_place (b, false);
      s->adds = true;
      s->value = pick_expr (false, true, 0);
      return s;
    case 8:
      s = stmt_new (FILL);
      s->to.base = b;
      s->k = b >= S ? 1 : b == G ? 2 : 1 + below (7);
      return s;
    case 9:
      s = stmt_new (POINT);
      s->to.base = chance (50) ? P : below (GP + 1);
      s->args[0] = b;
      s->k = b < S && b != G && chance (30) ? below (3) : 0;
      return s;
    default:
      return make_call ();
    }
}

/* A construct of OpenMP's that is for the host, or a task.  */
static struct stmt *
make_thread (int size)
{
  struct stmt *s = stmt_new (chance (50) || nested ? IF : PARALLEL);
  s->cond = (struct cond) { .form = FLAG, .k = 1 };
  if (s->kind == IF && !in_critical)
    s->kind = CRITICAL;
  if (program->ways.async && !in_task && chance (60))
    s->kind = chance (40) ? TASKGROUP : TASK;
  s->depend = s->kind == TASK && chance (60);
  bool task = in_task, critical = in_critical, async = program->ways.async;
  int functions = number;
  in_task |= s->kind == TASK;
  in_critical |= s->kind == CRITICAL;
  /* Who waits within would wait for himself.  */
  if (in_critical)
    {
      program->ways.async = false;
      number = 0;
    }
  s->body = make_inside (size);
  in_task = task;
  in_critical = critical;
  program->ways.async = async;
  number = functions;
  return s;
}

static struct stmt *
make_one (int size)
{
  int which = below (100);
  struct stmt *s;
  if (program->ways.async && !in_task && chance (12))
    return program->ways.data && chance (40) ? make_task_beside () : make_shares ();
  if (which < 42 || !size)
    return which % 21 < 15 ? make_target () : make_host ();
  if (which < 54)
    return make_host ();
  if (which < 72)
    return depth < 2 ? make_loop (size - 1) : make_target ();
  if (which < 78)
    return depth || nested ? make_jump () : make_host ();
  if (which < 83)
    {
      s = stmt_new (IF);
      s->cond = pick_cond ();
      s->body = make_list (size - 1);
      return s;
    }
  if (which < 90 && program->ways.data)
    {
      s = make_data (DATA);
      s->body = make_inside (size);
      /* The host changes what is copied back.  */
      if (chance (30))
	{
	  struct stmt *change = make_set (s->items[0].base, false);
	  change->next = s->body;
	  s->body = change;
	}
      return s;
    }
  if (which < 93)
    return make_data (UPDATE);
  if (which < 96 && program->ways.enter)
    return make_data (chance (50) ? ENTER : EXIT);
  if (which < 98 && program->ways.async)
    return in_task ? make_host () : stmt_new (TASKWAIT);
  return which < 98 ? make_target () : make_thread (size - 1);
}

/* What must be waited for is, mostly.  */
static bool
is_pending (const struct stmt *s)
{
  return s->kind == TASK || (s->kind == TARGET && s->nowait);
}

static struct stmt *
make_list (int size)
{
  struct stmt *first = NULL, **end = &first;
  bool pending = false;
  for (int i = 1 + below (3); i-- > 0; )
    {
      *end = make_one (size);
      for (; *end; end = &(*end)->next)
	pending |= is_pending (*end);
    }
  if (pending && !in_task && chance (70))
    {
      *end = stmt_new (TASKWAIT);
      end = &(*end)->next;
    }
  /* Enter data has its exit.  */
  if (program->ways.enter && first->kind == ENTER && chance (60))
    {
      struct stmt *s = stmt_new (EXIT);
      s->item_count = first->item_count;
      s->cond = first->cond;
      s->device = first->device;
      for (int i = 0; i < s->item_count; i++)
	{
	  s->items[i] = first->items[i];
	  s->items[i].joined = s->items[i].always = false;
	  s->items[i].type = chance (70) ? FROM : chance (50) ? RELEASE : DELETE;
	}
      *end = s;
    }
  return first;
}

static void
make_function (struct function *f)
{
  static const struct place targets[] = {
    { S, AT, 0 }, { L, AT, 0 }, { L, AT, 4 }, { A, AT, 0 }, { A, AT, 2 }, { B, AT, 0 }, { GA, AT, 0 },
    { G, AT, 0 }, { H, AT, 0 }, { GP, AT, 0 }
  };
  static const enum base favourites[] = { A, B, L, GA, G, H, S, U, P, C };
  depth = nested = 0;
  jumps = in_task = in_critical = false;
  leaves = true;
  f->points = targets[below (sizeof targets / sizeof *targets)];
  favourite = favourites[below (sizeof favourites / sizeof *favourites)];
  struct stmt **end = &f->body;
  for (int i = 2 + below (4); i-- > 0; )
    {
      *end = make_list (2);
      while (*end)
	end = &(*end)->next;
    }
}

static bool
has_result (struct program *p)
{
  program_mark (p);
  return !program_run (p, false).broken && !program_run (p, true).broken;
}

static struct program *
make_attempt (uint64_t seed, int attempt)
{
  state = (seed * ATTEMPTS + attempt + 1) * 0x9e3779b97f4a7c15u | 1;
  for (int i = 0; i < 4; i++)
    random64 (&state);
  program = calloc (1, sizeof *program);
  program->seed = seed;
  program->attempt = attempt;
  program->ways = ways_of (seed);
  program->function_count = 1 + below (3);
  program->third = below (3);
  program->third_at = program->third < 2 && chance (50) ? below (4) : 0;
  for (number = 0; number < program->function_count; number++)
    make_function (&program->f[number]);
  return program;
}

struct program *
program_make (uint64_t seed)
{
  for (int attempt = 0; attempt < ATTEMPTS; attempt++)
    {
      struct program *p = make_attempt (seed, attempt);
      if (has_result (p))
	return p;
    }
  return NULL;
}

struct program *
program_again (const struct program *p)
{
  struct program *again = make_attempt (p->seed, p->attempt);
  memcpy (again->mask, p->mask, sizeof p->mask);
  for (int i = 0; i < p->function_count; i++)
    memcpy (again->f[i].mask, p->f[i].mask, sizeof p->f[i].mask);
  return again;
}
