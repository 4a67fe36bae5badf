/* Runs a random program: devices' data environments, regions and tasks.
   SPDX-License-Identifier: GPL-3.0-or-later

   From OpenMP 5.0, 2.19.7 (data-mapping), 2.12 (device directives) and 2.10 (tasks); where libgomp
   ends the program, or the text leaves open what is mapped, there is no result.  */

#include "machine.h"

#include <stdlib.h>
#include <string.h>

/* Elements LO to HI of a block.  */
struct range
{
  int block, lo, hi;
};

static struct range
item_range (struct machine *m, const struct frame *f, const struct item *x)
{
  struct pointer p = base_pointer (m, f, x->base);
  int lo = x->lo, length = x->length ? x->length : N;
  if (x->form == WHOLE)
    {
      lo = 0;
      length = base_length (x->base);
    }
  else if (x->form == FIELD)
    length = x->base == H && x->lo ? 7 : 1;
  else
    lo += (x->base == H) + (x->from_t ? f->t[f->depth - 1] : 0);
  struct range r = { p.block, p.at + lo, p.at + lo + length };
  struct block *b = &m->blocks[p.block];
  if (b->dead || r.lo < 0 || r.hi > b->length)
    broken (m, "a section outside of an array");
  return r;
}

static bool
overlaps (const struct mapping *x, struct range r)
{
  return !x->dead && x->block == r.block && x->lo < r.hi && r.lo < x->hi;
}

static bool
contains (const struct mapping *x, struct range r)
{
  return !x->dead && x->block == r.block && x->lo <= r.lo && r.hi <= x->hi;
}

/* What R is a part of on DEVICE, or NULL; that it is partly there breaks the program.  */
static struct mapping *
mapping_find (struct machine *m, int device, struct range r)
{
  for (int i = 0; i < m->map_count[device]; i++)
    {
      struct mapping *x = &m->maps[device][i];
      if (contains (x, r))
	return x;
      if (overlaps (x, r))
	broken (m, "partly mapped");
    }
  return NULL;
}

static void
copy_in (struct machine *m, struct mapping *x, struct range r)
{
  for (int k = r.lo; k < r.hi; k++)
    x->data[k - x->lo] = m->blocks[r.block].data[k];
}

static void
copy_out (struct machine *m, const struct mapping *x, struct range r)
{
  for (int k = r.lo; k < r.hi; k++)
    m->blocks[r.block].data[k] = x->data[k - x->lo];
}

static struct mapping *
mapping_new (struct machine *m, int device, struct range r)
{
  if (m->map_count[device] == MAPPINGS)
    {
      broken (m, "too many mappings");
      return NULL;
    }
  struct mapping *x = &m->maps[device][m->map_count[device]++];
  *x = (struct mapping) { .block = r.block, .lo = r.lo, .hi = r.hi };
  for (int k = 0; k < LENGTH; k++)
    x->data[k].unknown = true;
  return x;
}

/* Is other of R's structure mapped, not by those after FIRST?  libgomp wants all of it together.  */
static bool
structure_is_torn (struct machine *m, int device, struct range r, int first)
{
  for (int i = 0; i < first; i++)
    if (!m->maps[device][i].dead && m->maps[device][i].block == r.block)
      return true;
  return false;
}

/* FIRST: how many mappings there were when the construct began.  */
static struct mapping *
map_enter (struct machine *m, int device, const struct frame *f, const struct item *x, int first)
{
  struct range r = item_range (m, f, x);
  if (m->broken)
    return NULL;
  /* The device's own variable is always there.  */
  if (x->base == DT)
    broken (m, "a device's own variable");
  struct mapping *there = mapping_find (m, device, r);
  if (m->broken)
    return NULL;
  bool copies = (x->type == TO || x->type == TOFROM) && (!there || x->always);
  if (!there)
    {
      if (x->form != WHOLE && (x->base == G || x->base == H) && structure_is_torn (m, device, r, first))
	broken (m, "a structure in parts");
      there = mapping_new (m, device, r);
    }
  else if (there - m->maps[device] >= first)
    broken (m, "mapped twice in one construct");
  if (!there)
    return NULL;
  there->count++;
  if (copies)
    copy_in (m, there, r);
  return there;
}

static void
map_exit (struct machine *m, const struct frame *f, const struct item *x, struct mapping *there)
{
  struct range r = item_range (m, f, x);
  if (m->broken)
    return;
  if (there->dead || there->count < 1)
    {
      broken (m, "unmapped within a construct that maps it");
      return;
    }
  there->count = x->type == DELETE ? 0 : there->count - 1;
  if (!there->count && x->type != RELEASE && x->type != DELETE && (there->lo != r.lo || there->hi != r.hi))
    if (x->type == FROM || x->type == TOFROM)
      broken (m, "a part is unmapped");
  if ((x->type == FROM || x->type == TOFROM) && (x->always || !there->count))
    copy_out (m, there, r);
  there->dead = !there->count;
}

bool
frame_is_mapped (const struct machine *m, const struct frame *f)
{
  for (int d = 0; d < DEVICES; d++)
    for (int i = 0; i < m->map_count[d]; i++)
      for (int b = L; b <= U; b++)
	if (b != GA && b != DT && !m->maps[d][i].dead && m->maps[d][i].block == f->block[b])
	  return true;
  return false;
}

/* --- regions --- */

struct value *
region_element (struct context *c, enum base b, int k)
{
  static struct value none;
  struct view *v = &c->r->views[b];
  int at = v->pointer.at + k;
  if (v->how == DIRECT)
    return host_element (c->m, v->pointer, k);
  if (v->how == PRIVATE && at >= 0 && at < base_length (base_memory (b)))
    return &v->own[at];
  for (int i = 0; i < 3 && v->how == COPY; i++)
    if (v->held[i] && at >= v->held[i]->lo && at < v->held[i]->hi)
      return &v->held[i]->data[at - v->held[i]->lo];
  broken (c->m, "not mapped");
  return &none;
}

static unsigned expr_bases (const struct expr *e);

/* Which bases S and what follows use.  */
static unsigned
bases_used (const struct stmt *s)
{
  unsigned used = 0;
  for (; s; s = s->next)
    {
      if (s->kind == SET || s->kind == TOUCH)
	used |= 1u << s->to.base;
      if (s->kind == TOUCH && !s->adds)
	used |= 1u << U;
      if (s->value)
	used |= expr_bases (s->value);
      if (s->cond.form == DATA_ABOVE)
	used |= 1u << s->cond.at.base;
      used |= bases_used (s->body);
    }
  return used;
}

static unsigned
expr_bases (const struct expr *e)
{
  if (!e)
    return 0;
  return (e->op == 'x' ? 1u << e->at.base : 0) | expr_bases (e->l) | expr_bases (e->r);
}

static void
hold (struct machine *m, struct region *r, const struct item *x, int first)
{
  if (r->held_count == HELD)
    {
      broken (m, "too many clauses");
      return;
    }
  struct mapping *there = map_enter (m, r->device, &r->frame, x, first);
  if (m->broken)
    return;
  r->items[r->held_count] = *x;
  r->held[r->held_count++] = there;
  struct view *v = &r->views[x->base];
  v->how = COPY;
  for (int i = 0; i < 3; i++)
    if (!v->held[i])
      {
	v->held[i] = there;
	break;
      }
}

/* What no clause says of base B, which R uses.  */
static void
view_implicit (struct machine *m, struct region *r, enum base b, int first)
{
  struct view *v = &r->views[b];
  bool scalar = b >= S;
  if (r->device < 0)
    v->how = DIRECT;
  if (scalar || r->s->firstprivate == (int) b)
    {
      v->how = PRIVATE;
      for (int k = 0; k < base_length (base_memory (b)); k++)
	v->own[k] = *host_element (m, v->pointer, k);
    }
  else if (r->device < 0)
    return;
  else if (b == DT)
    {
      v->how = DIRECT;
      v->pointer = (struct pointer) { m->dt[r->device], 0 };
    }
  else if (base_is_pointer (b))
    {
      struct range at = { v->pointer.block, v->pointer.at, v->pointer.at + 1 };
      v->held[0] = mapping_find (m, r->device, at);
      /* Which of the two comes first is not said.  */
      if (v->held[0] && v->held[0] - m->maps[r->device] >= first)
	broken (m, "a pointer to what the construct maps");
      v->how = v->held[0] ? COPY : ABSENT;
    }
  else
    {
      struct item all = { .base = b, .form = WHOLE, .type = TOFROM };
      hold (m, r, &all, first);
    }
}

/* Has R a clause that maps B?  */
static bool
is_mapped (const struct region *r, enum base b)
{
  for (int i = 0; i < r->s->item_count; i++)
    if (r->s->items[i].base == b)
      return true;
  return false;
}

/* Values are captured when the construct is met.  */
static void
region_capture (struct machine *m, struct region *r)
{
  unsigned used = bases_used (r->s->body);
  for (int b = 0; b < BASES; b++)
    {
      r->views[b].pointer = base_pointer (m, &r->frame, b);
      if ((used >> b & 1) && !is_mapped (r, b) && (b >= S || r->s->firstprivate == b))
	view_implicit (m, r, b, 0);
    }
}

static void
region_start (struct machine *m, struct region *r)
{
  unsigned used = bases_used (r->s->body);
  int first = r->device < 0 ? 0 : m->map_count[r->device];
  for (int i = 0; i < r->s->item_count && r->device >= 0 && !m->broken; i++)
    hold (m, r, &r->s->items[i], first);
  for (int b = 0; b < BASES && !m->broken; b++)
    if ((used >> b & 1) && r->views[b].how == ABSENT)
      {
	if (r->device < 0 && is_mapped (r, b))
	  r->views[b].how = DIRECT;
	else
	  view_implicit (m, r, b, first);
      }
  r->state = STARTED;
}

static void
region_run (struct machine *m, struct region *r)
{
  struct context inner = { .m = m, .f = &r->frame, .r = r };
  struct stmt loop = *r->s->body;
  loop.parallel = r->s->parallel;
  loop.next = r->s->parallel ? NULL : loop.next;
  statements_run (&inner, r->s->kind == TARGET && r->s->parallel ? &loop : r->s->body);
  r->state = RUN;
}

static void
region_end (struct machine *m, struct region *r)
{
  for (int i = 0; i < r->held_count && !m->broken; i++)
    map_exit (m, &r->frame, &r->items[i], r->held[i]);
  r->state = ENDED;
}

/* As far as STATE.  */
static void
region_advance (struct machine *m, struct region *r, int state)
{
  if (r->s->kind == TASK)
    {
      /* Variables are shared but the loops', which are its own.  */
      struct context inner = { .m = m, .f = r->shared };
      struct frame now = *r->shared;
      if (state < RUN || r->state == ENDED)
	return;
      r->state = ENDED;
      memcpy (r->shared->t, r->frame.t, sizeof now.t);
      r->shared->depth = r->frame.depth;
      statements_run (&inner, r->s->body);
      memcpy (r->shared->t, now.t, sizeof now.t);
      r->shared->depth = now.depth;
      return;
    }
  if (r->state < STARTED && state >= STARTED)
    region_start (m, r);
  if (r->state < RUN && state >= RUN && !m->broken)
    region_run (m, r);
  if (r->state < ENDED && state >= ENDED && !m->broken)
    region_end (m, r);
}

/* --- later --- */

void
later_run (struct machine *m, int mark)
{
  /* Those that depend on one another in their order.  */
  for (int i = mark; i < m->later_count; i++)
    if (m->when != LATE_BACKWARDS || m->later[i]->s->depend)
      region_advance (m, m->later[i], ENDED);
  for (int i = m->later_count; i-- > mark; )
    region_advance (m, m->later[i], ENDED);
  m->later_count = mark;
}

static void
later_add (struct machine *m, struct region *r)
{
  static const int states[WHENS] = { ENDED, READY, READY, STARTED, RUN };
  if (m->later_count == LATER)
    {
      broken (m, "too many tasks");
      return;
    }
  /* It can't start before what it depends on has ended.  */
  if (r->s->depend)
    for (int i = 0; i < m->later_count; i++)
      if (m->later[i]->s->depend && states[m->when] > READY)
	region_advance (m, m->later[i], ENDED);
  m->later[m->later_count++] = r;
  region_advance (m, r, states[m->when]);
}

static struct region *
region_new (struct context *c, struct stmt *s)
{
  struct region *r = calloc (1, sizeof *r);
  r->s = s;
  r->frame = *c->f;
  r->shared = c->f;
  r->device = 0;
  return r;
}

void
task_run (struct context *c, struct stmt *s)
{
  later_add (c->m, region_new (c, s));
}

/* --- constructs --- */

/* Where S runs, or -1.  */
static int
device_of (struct context *c, const struct stmt *s)
{
  int t = c->f->depth ? c->f->t[c->f->depth - 1] : 0, device = 0;
  if (!cond_holds (c, &s->cond) || c->m->disabled)
    return -1;
  if (s->device.form == NUMBER)
    device = s->device.k;
  else if (s->device.form == HOST)
    return -1;
  else if (s->device.form == T_PARITY)
    device = t % 2;
  else if (s->device.form == FLAG_OF)
    device = s->device.k % 2;
  return device;
}

struct region *
data_begin (struct context *c, struct stmt *s)
{
  struct region *r = region_new (c, s);
  r->device = device_of (c, s);
  int first = r->device < 0 ? 0 : c->m->map_count[r->device];
  for (int i = 0; i < s->item_count && r->device >= 0 && !c->m->broken; i++)
    hold (c->m, r, &s->items[i], first);
  return r;
}

void
data_end (struct machine *m, struct region *r)
{
  region_end (m, r);
}

static void
target_run (struct context *c, struct stmt *s)
{
  struct region *r = region_new (c, s);
  r->device = device_of (c, s);
  region_capture (c->m, r);
  if (s->nowait)
    {
      later_add (c->m, r);
      return;
    }
  for (int i = 0; i < c->m->later_count && s->depend; i++)
    if (c->m->later[i]->s->depend)
      region_advance (c->m, c->m->later[i], ENDED);
  region_advance (c->m, r, ENDED);
}

/* Enter and exit data, and update.  */
void
construct_run (struct context *c, struct stmt *s)
{
  struct machine *m = c->m;
  if (s->kind == TARGET)
    {
      target_run (c, s);
      return;
    }
  int device = device_of (c, s), first = device < 0 ? 0 : m->map_count[device];
  for (int i = 0; i < s->item_count && device >= 0 && !m->broken; i++)
    {
      const struct item *x = &s->items[i];
      struct range r = item_range (m, c->f, x);
      if (m->broken)
	return;
      if (s->kind == ENTER)
	map_enter (m, device, c->f, x, first);
      else if (x->base == DT && s->kind == UPDATE)
	for (int k = r.lo; k < r.hi; k++)
	  {
	    struct value *host = &m->blocks[BLOCK_DT].data[k], *own = &m->blocks[m->dt[device]].data[k];
	    *(x->type == TO ? own : host) = *(x->type == TO ? host : own);
	  }
      else
	{
	  struct mapping *there = mapping_find (m, device, r);
	  if (m->broken || !there)
	    continue;
	  if (s->kind == EXIT)
	    map_exit (m, c->f, x, there);
	  else if (x->type == TO)
	    copy_in (m, there, r);
	  else
	    copy_out (m, there, r);
	}
    }
}
