/* Remedies that were asked for: which objects of a launch they are for.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the list of what was asked for, and what was found of each argument, which
   the tables say once: the variable, and the places where its data may be allocated.
   Where they don't, a static variable has its symbol's name.  What is said to be for all
   objects is for each in managed memory.  All but the list under a lock of its own.  */

#include "config.h"
#include "gomp/hooks/launch.h"

#include "base/log.h"
#include "base/process.h"
#include "base/symbols.h"
#include "memory/plan.h"
#include "tables/sites.h"
#include "tables/tables.h"
#include "ummgr-table.h"

#include <Judy.h>
#include <pthread.h>
#include <stdlib.h>

static struct ummgr_remedies asked;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* By argument: bit I for ASKED.remedy[I], and whether it is there at all.  */
static void *found;
static struct ummgr_sites *sites;
static size_t composed;		/* Tables that SITES is of.  */
static uint64_t given;		/* Those that an object has.  */
static uint64_t unclear;	/* Those that may be for one of several, which isn't known.  */

_Static_assert (UMMGR_REMEDIES_MAX <= 64, "bits of a number");

/* What could not be given shall be known; the program has ended by itself.  */
static void
say_missed (void)
{
  for (size_t i = 0; i < asked.count; i++)
    {
      const struct ummgr_remedy *r = &asked.remedy[i];
      if (given >> i & 1)
	continue;
      if (unclear >> i & 1)
	ummgr_warn ("apply: %s has no effect: %s:%u allocates several objects, and which of them "
		    "%s is isn't known in a run", ummgr_remedy_name[r->kind], r->file, r->line,
		    r->name);
      else
	ummgr_warn ("apply: %s has no effect: no region used %s%s%s in managed memory of its "
		    "own (ummgr_malloc, ummgr cc -funify, or a policy's copy of a page and more)",
		    ummgr_remedy_name[r->kind],
		    *r->name ? r->name : *r->file ? "what was allocated" : "anything",
		    *r->file ? " at " : "", r->file);
    }
}

static void
start (void)
{
  const char *text = ummgr_process.options.apply;
  if (!text || ummgr_remedies_parse (text, &asked))
    return;
  if (asked.path)
    ummgr_warn ("UMMGR_APPLY: '%s' is left out: a file is read by ummgr run --apply alone",
		asked.path);
  if (asked.count)
    atexit (say_missed);
}

bool
ummgr_launch_applies (void)
{
  if (!ummgr_process.options.apply)
    return false;
  pthread_once (&once, start);
  return asked.count != 0;
}

/* --- arguments ----------------------------------------------------------------- */

/* The units that are loaded now.  */
static void
compose (void)
{
  size_t tables = ummgr_tables_count ().tables;
  if (sites && composed == tables)
    return;
  JudyLFreeArray (&found, PJE0);
  ummgr_sites_free (sites);
  sites = NULL;
  size_t count;
  const struct ummgr_table_unit **units = ummgr_tables_units (&count);
  if (units)
    sites = ummgr_sites_new (units, count);
  composed = tables;
  free (units);
}

struct search
{
  const struct ummgr_table_arg *arg;
  uint64_t remedies;
  uint64_t by_place;		/* Of those that say a name, for want of one here.  */
  uint64_t unclear;		/* Of these, where several allocations stand there.  */
  bool any;			/* A site is known.  */
};

/* ARG's data may come from END.  */
static void
at_end (const struct ummgr_table_flow_end *end, void *data)
{
  struct search *s = data;
  if (end->kind != UMMGR_FLOW_SITE || !end->site)
    return;
  s->any = true;
  for (size_t i = 0; i < asked.count; i++)
    {
      const struct ummgr_remedy *r = &asked.remedy[i];
      uint64_t bit = UINT64_C (1) << i;
      if (*s->arg->name
	  && ummgr_remedy_is_for (r, s->arg->name, end->site->file, end->site->line))
	s->remedies |= bit;
      else if (ummgr_remedy_is_for (r, end->site->variable, end->site->file, end->site->line))
	{
	  bool named = !*r->name || *end->site->variable;
	  s->unclear |= named ? 0 : s->by_place & bit;
	  s->by_place |= named ? 0 : bit;
	  s->remedies |= bit;
	}
    }
}

/* Those for what NAME holds, of which no more is known.  */
static uint64_t
by_name (const char *name)
{
  uint64_t remedies = 0;
  for (size_t i = 0; i < asked.count; i++)
    if (ummgr_remedy_is_for (&asked.remedy[i], name, "", 0))
      remedies |= UINT64_C (1) << i;
  return remedies;
}

/* Those for ARG of KNOWN: of what a library's header allocates, a trace has the place of the
   clause.  */
static uint64_t
by_argument (const struct ummgr_table_region *known, const struct ummgr_table_arg *arg)
{
  PPvoid_t slot = JudyLGet (found, (Word_t) arg, PJE0);
  if (slot && slot != PPJERR)
    return (uintptr_t) *slot;
  struct search s = { .arg = arg };
  if (sites)
    ummgr_sites_each (sites, arg, at_end, &s);
  if (!s.any)
    s.remedies = by_name (arg->name);
  s.remedies &= ~s.unclear;
  for (size_t i = 0; i < asked.count; i++)
    if (*arg->name && ummgr_remedy_is_for (&asked.remedy[i], arg->name, known->file, known->line))
      s.remedies |= UINT64_C (1) << i;
  unclear |= s.unclear;
  slot = JudyLIns (&found, (Word_t) arg, PJE0);
  if (slot && slot != PPJERR)
    *slot = (void *) (uintptr_t) s.remedies;
  return s.remedies;
}

/* --- objects --------------------------------------------------------------------- */

/* What NAME is of objects that are variables: asked once for each.  */
static uint64_t
by_symbol (struct ummgr_object_view *view, char *name, size_t size)
{
  struct ummgr_object *object = (struct ummgr_object *) view;
  *name = 0;
  if (object->remedies_sought)
    return 0;
  object->remedies_sought = true;
  if (!ummgr_symbol_data (view->base, name, size))
    *name = 0;
  return by_name (name);
}

static void
give (struct ummgr_object_view *view, uint64_t remedies, const char *name)
{
  struct ummgr_object *object = (struct ummgr_object *) view;
  for (size_t i = 0; i < asked.count; i++)
    {
      enum ummgr_remedy_kind kind = asked.remedy[i].kind;
      bool has = object->remedies >> kind & 1;
      if (!(remedies >> i & 1))
	continue;
      if (!ummgr_plan_remedy (object, kind))
	continue;
      if (!has)
	ummgr_info ("apply: %s for %s, %zu bytes at %#zx", ummgr_remedy_name[kind],
		    *name ? name : "an object", view->size, (size_t) view->base);
      given |= UINT64_C (1) << i;
    }
}

void
ummgr_launch_apply (const struct ummgr_table_region *known, const struct ummgr_clauses *clauses,
		    struct ummgr_object_view *const *objects, size_t count)
{
  int object[UMMGR_LAUNCH_HINTS_MAX];
  char symbol[256];
  pthread_mutex_lock (&lock);
  for (size_t i = 0; i < count; i++)
    {
      uint64_t remedies = by_symbol (objects[i], symbol, sizeof symbol);
      give (objects[i], remedies, symbol);
    }
  if (known && known->arg_count == clauses->count && clauses->count <= UMMGR_LAUNCH_HINTS_MAX)
    {
      compose ();
      ummgr_launch_objects (known, clauses, objects, count, object);
      for (unsigned i = 0; i < known->arg_count; i++)
	if (object[i] >= 0)
	  give (objects[object[i]], by_argument (known, &known->args[i]), known->args[i].name);
    }
  pthread_mutex_unlock (&lock);
}
