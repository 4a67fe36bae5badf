/* The loop around all launches of several regions.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "flow/around.h"
#include "ummgr-table.h"

#include <stdlib.h>
#include <string.h>

/* A function of the program, and which of the regions that are asked for a call of it may
   launch.  */
struct reaching
{
  const struct ummgr_table_unit *unit;
  const struct ummgr_table_function *function;
  uint64_t regions;
  bool seen;			/* On the way down.  */
};

struct search
{
  struct reaching *functions;
  size_t count;
  const struct ummgr_table_region *const *regions;
  unsigned region_count;
};

/* What a call of NAME in UNIT reaches: a function of the unit, else of another that has it for
   all; NULL: none that launches.  */
static struct reaching *
find (const struct search *s, const struct ummgr_table_unit *unit, const char *name)
{
  struct reaching *found = NULL;
  for (size_t i = 0; i < s->count; i++)
    {
      struct reaching *f = &s->functions[i];
      if (strcmp (f->function->name, name) != 0)
	continue;
      if (f->unit == unit)
	return f;
      if (!found && !(f->function->flags & UMMGR_FUNCTION_LOCAL))
	found = f;
    }
  return found;
}

static uint64_t
event_regions (const struct search *s, const struct reaching *f, const struct ummgr_table_event *event)
{
  if (event->kind == UMMGR_EVENT_CALL)
    {
      const struct reaching *callee = find (s, f->unit, event->function);
      return callee ? callee->regions : 0;
    }
  for (unsigned i = 0; i < s->region_count && event->kind == UMMGR_EVENT_LAUNCH; i++)
    if (event->region == s->regions[i])
      return UINT64_C (1) << i;
  return 0;
}

/* The next of F's events behind *BLOCK and *I, or NULL.  */
static const struct ummgr_table_event *
event_next (const struct reaching *f, unsigned *block, unsigned *i)
{
  for (; *block < f->function->block_count; ++*block, *i = 0)
    if (*i < f->function->blocks[*block].event_count)
      return &f->function->blocks[*block].events[(*i)++];
  return NULL;
}

#define FOR_EACH_EVENT(EVENT, F)                                              \
  for (unsigned block_ = 0, i_ = 0; ((EVENT) = event_next (F, &block_, &i_));)

/* Each function's regions, until no more come.  */
static void
reach_find (struct search *s)
{
  bool changed = true;
  while (changed)
    {
      changed = false;
      for (size_t i = 0; i < s->count; i++)
	{
	  struct reaching *f = &s->functions[i];
	  const struct ummgr_table_event *event;
	  uint64_t before = f->regions;
	  FOR_EACH_EVENT (event, f)
	    f->regions |= event_regions (s, f, event);
	  changed |= f->regions != before;
	}
    }
}

/* Is F called by another function that launches as much?  */
static bool
is_called (const struct search *s, const struct reaching *f)
{
  for (size_t i = 0; i < s->count; i++)
    {
      const struct reaching *g = &s->functions[i];
      const struct ummgr_table_event *event;
      if (g != f && g->regions == f->regions)
	FOR_EACH_EVENT (event, g)
	  if (event->kind == UMMGR_EVENT_CALL && find (s, g->unit, event->function) == f)
	    return true;
    }
  return false;
}

/* Where all begins: main, or the one function that nobody calls.  */
static struct reaching *
outermost (const struct search *s, uint64_t all)
{
  struct reaching *found = NULL;
  for (size_t i = 0; i < s->count; i++)
    {
      struct reaching *f = &s->functions[i];
      if (f->regions != all)
	continue;
      if (strcmp (f->function->name, "main") == 0)
	return f;
      if (is_called (s, f))
	continue;
      if (found)
	return NULL;
      found = f;
    }
  return found;
}

/* Does the loop that EVENT, of F, is in launch ALL?  */
static bool
loop_covers (const struct search *s, const struct reaching *f, const struct ummgr_table_event *event,
	     uint64_t all)
{
  const struct ummgr_table_event *other;
  uint64_t regions = 0;
  if (!*event->loop_file)
    return false;
  FOR_EACH_EVENT (other, f)
    if (other->loop_line == event->loop_line && strcmp (other->loop_file, event->loop_file) == 0)
      regions |= event_regions (s, f, other);
  return regions == all;
}

/* From F, whose calls launch ALL, down to the first loop that does.  */
static bool
descend (const struct search *s, struct reaching *f, uint64_t all, struct ummgr_around *out)
{
  while (!f->seen)
    {
      struct reaching *next = NULL;
      const struct ummgr_table_event *event;
      f->seen = true;
      *out = (struct ummgr_around) { .function = "", .file = "", .names = "" };
      FOR_EACH_EVENT (event, f)
	{
	  out->function = event->in_function;
	  if (!loop_covers (s, f, event, all))
	    continue;
	  out->file = event->loop_file;
	  out->line = event->loop_line;
	  out->names = event->loop_names;
	  return true;
	}
      FOR_EACH_EVENT (event, f)
	if (!next && event->kind == UMMGR_EVENT_CALL && event_regions (s, f, event) == all)
	  next = find (s, f->unit, event->function);
      if (!next)
	return *out->function != '\0';
      f = next;
    }
  return false;
}

bool
ummgr_flow_around (const struct ummgr_table_unit *const *units, size_t count,
		   const struct ummgr_table_region *const *regions, unsigned region_count,
		   struct ummgr_around *out)
{
  struct search s = { .regions = regions, .region_count = region_count };
  size_t functions = 0;
  for (size_t i = 0; i < count; i++)
    functions += units[i]->function_count;
  if (!region_count || region_count > UMMGR_AROUND_REGIONS
      || !(s.functions = calloc (functions + 1, sizeof *s.functions)))
    return false;
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < units[i]->function_count; j++)
      s.functions[s.count++] = (struct reaching) { units[i], &units[i]->functions[j], 0, false };
  reach_find (&s);
  uint64_t all = ~UINT64_C (0) >> (64 - region_count);
  struct reaching *first = outermost (&s, all);
  bool good = first && descend (&s, first, all, out);
  free (s.functions);
  return good;
}
