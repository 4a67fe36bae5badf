/* Access maps: the sides of an object, and which of their phases to show.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "diagnose/map.h"

#include <stdlib.h>
#include <string.h>

#define SHOWN_FOR_FINDINGS 4

static bool
same_side (const struct ummgr_phase_facts *a,
	   const struct ummgr_phase_facts *b)
{
  return a->device == b->device && a->offset == b->offset
    && a->cells == b->cells && a->cell_words == b->cell_words
    && ummgr_phase_words (a) == ummgr_phase_words (b);
}

static void
make_groups (struct ummgr_map_side *s)
{
  for (size_t i = 0; i < s->count; i++)
    {
      const struct ummgr_phase_facts *f = s->facts[i];
      struct ummgr_map_group *g = s->groups + s->group_count;
      if (s->group_count > 0 && ummgr_map_same (g[-1].last, f))
	{
	  g[-1].last = f;
	  g[-1].count++;
	}
      else
	{
	  *g = (struct ummgr_map_group) { .first = f, .last = f, .count = 1 };
	  s->group_count++;
	}
      for (unsigned b = 0; b < UMMGR_MAP_FACTS; b++)
	if (ummgr_map_words (&f->facts, 2u << b))
	  s->present |= 2u << b;
    }
}

static void
choose_shown (struct ummgr_map_side *s)
{
  size_t more = 0;
  s->groups[0].shown = s->groups[s->group_count - 1].shown = true;
  s->groups[s->group_count > 1].shown = true;
  s->groups[s->group_count / 2].shown = true;
  for (size_t i = 0; i < s->d->finding_count; i++)
    {
      const struct ummgr_finding *f = &s->d->findings[i];
      if (f->object != s->object || f->phase == 0)
	continue;
      for (size_t g = 0; g < s->group_count; g++)
	if (!s->groups[g].shown && more < SHOWN_FOR_FINDINGS
	    && s->groups[g].first->phase <= f->phase
	    && f->phase <= s->groups[g].last->phase)
	  {
	    s->groups[g].shown = true;
	    more++;
	  }
    }
}

void
ummgr_map_each_side (const struct ummgr_diagnosis *d,
		     const struct ummgr_traced_object *o,
		     bool (*see) (const struct ummgr_map_side *, void *),
		     void *data)
{
  bool *taken = calloc (o->facts_count + 1, sizeof *taken);
  const struct ummgr_phase_facts **facts
    = calloc (o->facts_count + 1, sizeof *facts);
  struct ummgr_map_group *groups = calloc (o->facts_count + 1, sizeof *groups);
  bool more = taken && facts && groups;
  for (size_t i = 0; more && i < o->facts_count; i++)
    {
      struct ummgr_map_side s
	= { .d = d, .object = o, .facts = facts, .groups = groups };
      if (taken[i])
	continue;
      for (size_t k = i; k < o->facts_count; k++)
	if (!taken[k] && same_side (&o->facts[i], &o->facts[k]))
	  {
	    taken[k] = true;
	    facts[s.count++] = &o->facts[k];
	  }
      make_groups (&s);
      choose_shown (&s);
      ummgr_map_choose (&s.shape, o, facts, s.count);
      more = see (&s, data);
    }
  free (taken);
  free (facts);
  free (groups);
}

/* What a person calls PHASE: BETWEEN and then NAME, or "" twice.  */
static void
phase_name (const struct ummgr_diagnosis *d, uint32_t phase,
	    const char **between, const char **name)
{
  *between = *name = "";
  if (phase == 0 || phase > d->phase_count)
    return;
  const struct ummgr_trace_phase *p = &d->phases[phase - 1];
  const char *cause = p->cause ? p->cause : "";
  if (p->name && p->name[0])
    {
      *between = ": ";
      *name = p->name;
    }
  else if (cause[0])
    {
      *between = ", until ";
      *name = strcmp (cause, "end") == 0 ? "the end"
	: strcmp (cause, "mark") == 0 ? "the next mark" : cause;
    }
}

void
ummgr_map_phase (const struct ummgr_diagnosis *d,
		 const struct ummgr_map_group *g, char *buf, size_t size)
{
  uint32_t first = g->first->phase, last = g->last->phase;
  const char *between, *name, *last_between, *last_name;
  char times[32] = "", to[80] = "";
  phase_name (d, first, &between, &name);
  phase_name (d, last, &last_between, &last_name);
  if (strcmp (between, last_between) != 0)
    between = name = "";
  else if (strcmp (name, last_name) != 0)
    snprintf (to, sizeof to, " to %.60s", last_name);
  /* A copy may come and go more than once in a phase.  */
  if (g->count > last - first + 1)
    snprintf (times, sizeof times, ", %zu times", g->count);
  else if (g->first->copies > 1)
    snprintf (times, sizeof times, ", %u %s%s", g->first->copies,
	      g->first->device == UMMGR_TRACE_HOST ? "in turn" : "copies",
	      first == last ? "" : " each");
  if (first == last)
    snprintf (buf, size, "phase %u%s%s%.60s", first, times, between, name);
  else if (g->count >= last - first + 1)
    snprintf (buf, size, "phases %u to %u%s%s%.60s%s", first, last, times,
	      between, name, to);
  else
    snprintf (buf, size, "%zu phases from %u to %u%s%.60s%s", g->count, first,
	      last, between, name, to);
}
