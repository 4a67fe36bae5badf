/* What OpenMP says of mappings, as plainly as it can be said: a present table
   for each device, with counts and contents.  For fuzz-map.c.
   SPDX-License-Identifier: GPL-3.0-or-later

   Where OpenMP leaves a choice this does as libgomp of GCC 12.  An array has
   one owner among the threads at any time, so no lock is needed.  */

#pragma once

#include "check.h"

#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint32_t u32;

enum { ALLOC = 0, TO = 1, FROM = 2, TOFROM = 3, ALWAYS = 4, RELEASE = 8,
       DELETE = 16 };
enum { READ = 1, WRITE = 2 };
enum { ARRAYS = 16, DEVICES = 2, FOREVER = 1 << 30 };

/* Values that are not known are never looked at.  */
struct contents
{
  u32 *value;
  bool *known;
};

struct array
{
  u32 *host;
  long size;
  struct contents model;	/* Of the host's side.  */
};

/* One for each mapping, or shared by the members of a struct.  */
struct count
{
  long references, structured;
  int members;
  bool by_structured;		/* Made by a construct that is open.  */
  bool always;			/* One that copies back whatever happens.  */
  long construct;		/* The last that counted it.  */
  bool zeroed;			/* By that one.  */
};

struct map
{
  int array;
  long lo, hi;
  struct count *count;
  struct contents model;	/* Of the device's side, from LO on.  */
  /* Pointers in it: how often attached, and to what.  */
  int attached[2];
  struct map *target[2];
  bool attachments;		/* Ever.  */
  char *address;		/* On the device, once asked for.  */
  char *own;			/* The program's own association.  */
  struct map *next;
};

struct clause
{
  int array;
  long lo, hi;
  int kind;
};

struct entry
{
  struct map *map;
  struct clause clause;
};

/* What a region does.  */
struct access
{
  long lo, hi;
  int mode;
  u32 c;
};

static struct array array[ARRAYS];
static struct map *present[DEVICES][ARRAYS];
static long constructs;
static bool verbose;
static uint64_t digest = 1469598103934665603u;
static uint64_t seed_now;
static long step_now;

static void
note (uint64_t value)
{
#pragma omp critical (digest)
  digest += (value ^ 0x9e3779b97f4a7c15u) * 1099511628211u;
}

static void
saw (uint64_t value, uint64_t expected)
{
  note (value);
  if (value != expected)
    {
      fprintf (stderr, "seed %llu step %ld: saw %llu, not %llu\n",
	       (unsigned long long) seed_now, step_now,
	       (unsigned long long) value, (unsigned long long) expected);
      abort ();
    }
}

/* What construct comes next, for who has a failure to look at.  */
static void
tell (const char *what, int d, const struct clause *k, int n)
{
  if (!verbose)
    return;
  for (int i = 0; i < n; i++)
    fprintf (stderr, "%ld: %s device %d array %d [%ld, %ld) kind %d\n",
	     step_now, what, d, k[i].array, k[i].lo, k[i].hi, k[i].kind);
}

static struct contents
contents_new (long size)
{
  struct contents c = { calloc (size, sizeof (u32)), calloc (size, 1) };
  CHECK (c.value && c.known);
  return c;
}

static void
contents_copy (struct contents to, long at, struct contents from, long lo,
	       long n)
{
  memcpy (to.value + at, from.value + lo, n * sizeof (u32));
  memcpy (to.known + at, from.known + lo, n);
}

static void
model_copy_in (struct map *m, long lo, long hi)
{
  contents_copy (m->model, lo - m->lo, array[m->array].model, lo, hi - lo);
}

static void
model_copy_out (struct map *m, long lo, long hi)
{
  contents_copy (array[m->array].model, lo, m->model, lo - m->lo, hi - lo);
}

/* The mappings of array A, any order; at most ROOM.  */
static int
model_maps (int d, int a, struct map **list, int room)
{
  int n = 0;
  for (struct map *m = present[d][a]; m; m = m->next)
    {
      CHECK (n < room);
      list[n++] = m;
    }
  return n;
}

/* The mapping that holds [LO, HI), of which no other has a part; one that
   holds LO, if that is empty.  */
static struct map *
model_find (int d, int a, long lo, long hi)
{
  for (struct map *m = present[d][a]; m; m = m->next)
    if (m->lo < (hi > lo ? hi : lo + 1) && lo < m->hi)
      {
	CHECK (m->lo <= lo && hi <= m->hi);
	return m;
      }
  return NULL;
}

static struct map *
model_new (int d, int a, long lo, long hi)
{
  struct map *m = calloc (1, sizeof *m);
  CHECK (m);
  m->count = calloc (1, sizeof *m->count);
  CHECK (m->count);
  m->count->members = 1;
  m->array = a;
  m->lo = lo;
  m->hi = hi;
  m->model = contents_new (hi - lo);
  m->next = present[d][a];
  present[d][a] = m;
  return m;
}

static void
model_remove (int d, struct map *m)
{
  struct map **at = &present[d][m->array];
  while (*at != m)
    at = &(*at)->next;
  *at = m->next;
}

static long
new_construct (void)
{
  return __atomic_add_fetch (&constructs, 1, __ATOMIC_RELAXED);
}

static void
model_increment (struct count *c, long id)
{
  if (c->construct != id && c->references != FOREVER)
    c->references++;
  c->construct = id;
  c->zeroed = false;
}

/* True if this construct has brought it to zero.  */
static bool
model_decrement (struct count *c, long id, bool all)
{
  if (c->construct == id || c->references == FOREVER)
    return c->construct == id && c->zeroed;
  c->construct = id;
  c->zeroed = c->references == 1 || (all && c->references);
  c->references = all || !c->references ? 0 : c->references - 1;
  return c->zeroed;
}

/* Map N clauses; E remembers them for model_unmap.  */
static void
model_map (int d, const struct clause *k, int n, struct entry *e)
{
  long id = new_construct ();
  for (int i = 0; i < n; i++)
    {
      struct map *m = model_find (d, k[i].array, k[i].lo, k[i].hi);
      bool new = !m;
      e[i] = (struct entry) { NULL, k[i] };
      if (k[i].lo == k[i].hi)
	e[i].clause.kind = ALLOC;
      if (!m && k[i].lo == k[i].hi)
	continue;
      if (!m)
	m = model_new (d, k[i].array, k[i].lo, k[i].hi);
      if ((e[i].clause.kind & TO) && (new || (k[i].kind & ALWAYS)))
	model_copy_in (m, k[i].lo, k[i].hi);
      model_increment (m->count, id);
      e[i].map = m;
    }
}

/* Remove from the table of D what construct ID has brought to zero.  */
static void
model_sweep (int d, int a, long id)
{
  struct map *list[128];
  int n = model_maps (d, a, list, 128);
  for (int i = 0; i < n; i++)
    if (list[i]->count->construct == id && list[i]->count->zeroed)
      model_remove (d, list[i]);
}

static void
model_unmap (struct entry *e, int n)
{
  long id = new_construct ();
  for (int i = 0; i < n; i++)
    {
      struct map *m = e[i].map;
      const struct clause *k = &e[i].clause;
      if (!m)
	continue;
      bool zero = model_decrement (m->count, id, false);
      if ((k->kind & FROM) && (zero || (k->kind & ALWAYS)))
	model_copy_out (m, k->lo, k->hi);
    }
  for (int d = 0; d < DEVICES; d++)
    for (int i = 0; i < n; i++)
      if (e[i].map)
	model_sweep (d, e[i].map->array, id);
}

static void
model_leave (int d, const struct clause *k, int n)
{
  long id = new_construct ();
  for (int i = 0; i < n; i++)
    {
      struct map *m = model_find (d, k[i].array, k[i].lo, k[i].hi);
      if (!m)
	continue;
      bool zero = model_decrement (m->count, id, k[i].kind == DELETE);
      if (k[i].lo == k[i].hi || !(k[i].kind & FROM)
	  || !(zero || (k[i].kind & ALWAYS)))
	continue;
      /* With attachments libgomp copies all but those.  */
      if (m->attachments)
	model_copy_out (m, m->lo, m->hi);
      else
	model_copy_out (m, k[i].lo, k[i].hi);
    }
  for (int i = 0; i < n; i++)
    model_sweep (d, k[i].array, id);
}

/* Is all of [LO, HI) known, on the device in M or on the host?  */
static bool
model_defined (int a, const struct map *m, long lo, long hi)
{
  const bool *known = m ? m->model.known - m->lo : array[a].model.known;
  return !memchr (known + lo, false, hi - lo);
}

/* As the kernel.  */
static u32
model_run (int a, const struct map *m, struct access g)
{
  struct contents c = m ? m->model : array[a].model;
  long base = m ? m->lo : 0;
  u32 sum = 0;
  for (long i = g.lo; i < g.hi; i++)
    {
      u32 *v = &c.value[i - base];
      if (g.mode & READ)
	sum = sum * 31 + *v;
      if (g.mode & WRITE)
	{
	  *v = (g.mode & READ ? *v * 3 : 0) + g.c * 7 + (u32) i;
	  c.known[i - base] = true;
	}
    }
  return sum;
}

/* Does the host's side of array A look as it must?  */
static void
model_check (int a)
{
  const struct array *b = &array[a];
  uint64_t sum = 0;
  for (long i = 0; i < b->size; i++)
    if (b->model.known[i])
      {
	if (b->host[i] != b->model.value[i])
	  {
	    fprintf (stderr, "seed %llu step %ld: array %d element %ld is %u, "
		     "not %u\n", (unsigned long long) seed_now, step_now, a, i,
		     b->host[i], b->model.value[i]);
	    abort ();
	  }
	sum = sum * 31 + b->host[i];
      }
  note (sum + (uint64_t) a);
}
