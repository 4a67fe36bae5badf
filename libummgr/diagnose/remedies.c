/* Diagnosis: remedies that a replay has tried.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   XPlacer tries advice for the domain of LULESH (section IV-A) and finds that it depends on
   the machine whether it helps.  So none is proposed here that wasn't tried.  No state.  */

#include "config.h"
#include "diagnose/traced.h"

#include <string.h>

#define TEXT(...) ummgr_arena_print (&g->arena, __VA_ARGS__)

/* Of the run; what is less may as well be that things came in another order.  */
static const double least_gain = 1e-3;
/* What a finding of its own must bring: it asks the user for work.  */
static const double least_gain_found = 1e-2;

bool
ummgr_diagnosis_may_advise (const struct ummgr_diagnosis *d,
			    const struct ummgr_traced_object *object)
{
  enum { IN_AND_OUT = 2 };
  const struct ummgr_diagnosing *g = (const struct ummgr_diagnosing *) d;
  const struct ummgr_traced *t = (const struct ummgr_traced *) object;
  return t->unified && t->device_used && *t->o.file && !t->read_mostly
	 && !t->mapped
	 && (t->handovers >= IN_AND_OUT || !ummgr_diagnose_fits (g));
}

struct ummgr_remedy
ummgr_diagnosis_remedy (const struct ummgr_traced_object *o, enum ummgr_remedy_kind kind)
{
  /* What stands for a name is none.  */
  return (struct ummgr_remedy) { kind, *o->name == '[' ? "" : o->name, o->file, o->line };
}

/* Are A and B called the same, and allocated at one place?  */
static bool
is_same (const struct ummgr_traced_object *a, const struct ummgr_traced_object *b)
{
  return a->line == b->line && strcmp (a->file, b->file) == 0
	 && (strcmp (a->name, b->name) == 0 || (*a->name == '[' && *b->name == '['));
}

/* The best of TRIED, if it brings enough, else NULL; of those that are as good, the first.  */
static const struct ummgr_tried *
best_of (const struct ummgr_diagnosing *g, const struct ummgr_tried *tried, size_t count,
	 double seconds)
{
  const struct ummgr_tried *best = NULL;
  for (size_t i = 0; i < count; i++)
    if (!best || tried[i].seconds < best->seconds - least_gain * seconds)
      best = &tried[i];
  double gain = best ? seconds - best->seconds : 0;
  return gain >= g->options.cost && gain >= least_gain * seconds ? best : NULL;
}

/* The others, the best first, and which of them don't help.  */
static const char *
others (struct ummgr_diagnosing *g, const struct ummgr_tried *tried, size_t count,
	const struct ummgr_tried *best, double seconds)
{
  char list[512];
  size_t used = 0;
  for (int gain = 1; gain >= 0; gain--)
    for (size_t i = 0; i < count; i++)
      {
	bool helps = tried[i].seconds < (1 - least_gain) * seconds;
	if (&tried[i] == best || helps != gain || used >= sizeof list)
	  continue;
	used += snprintf (list + used, sizeof list - used, "%s%s %s%s", used ? ", " : "",
			  ummgr_remedy_name[tried[i].kind],
			  ummgr_human_seconds (tried[i].seconds).text,
			  helps ? "" : " (no gain)");
      }
  return used ? TEXT ("%s", list) : NULL;
}

static const char *
call_of (enum ummgr_remedy_kind kind)
{
  static const char *const calls[UMMGR_REMEDY_KINDS] = {
    [UMMGR_REMEDY_READ_MOSTLY] = "cudaMemAdviseSetReadMostly",
    [UMMGR_REMEDY_PREFERRED_DEVICE] = "cudaMemAdviseSetPreferredLocation, the device",
    [UMMGR_REMEDY_PREFERRED_HOST] = "cudaMemAdviseSetPreferredLocation, the host, and "
				    "cudaMemAdviseSetAccessedBy the device",
    [UMMGR_REMEDY_ACCESSED_BY] = "cudaMemAdviseSetAccessedBy the device"
  };
  return calls[kind];
}

/* Does one line allocate T and others that are called otherwise?  A run may not know which is
   which then (gomp/hooks/launch-apply.c).  */
static bool
shares_place (const struct ummgr_diagnosing *g, const struct ummgr_traced *t)
{
  for (size_t i = 0; i < g->d.object_count; i++)
    {
      const struct ummgr_traced_object *o = g->d.objects[i];
      if (o->line == t->o.line && strcmp (o->file, t->o.file) == 0 && !is_same (o, &t->o))
	return true;
    }
  return false;
}

/* "advise ... for T, or run it with --apply=...".  */
static const char *
change_for (struct ummgr_diagnosing *g, const struct ummgr_traced *t,
	    enum ummgr_remedy_kind kind)
{
  const char *word = ummgr_remedy_name[kind];
  struct ummgr_remedy r = ummgr_diagnosis_remedy (&t->o, kind);
  if (shares_place (g, t))
    return TEXT ("advise %s (%s) for %s", word, call_of (kind),
		 ummgr_diagnose_section (g, &t->o, t->o.name));
  return TEXT ("advise %s (%s) for %s, or run it with --apply=%s:%s@%s:%u", word, call_of (kind),
	       ummgr_diagnose_section (g, &t->o, t->o.name), word, r.name, r.file, r.line);
}

/* What alternates: its change begins with what helps.  */
static void
change_alternating (struct ummgr_diagnosing *g, struct ummgr_traced *t, struct ummgr_finding *f,
		    const struct ummgr_tried *best)
{
  const char *other = t->alternating_states & UMMGR_SHADOW_GPU_WROTE
    ? f->change : ummgr_diagnose_own_copy (g, t);
  f->change = best ? TEXT ("%s; or %s", change_for (g, t, best->kind), other) : other;
}

/* What doesn't, and goes to and fro.  */
static struct ummgr_finding *
find_unadvised (struct ummgr_diagnosing *g, struct ummgr_traced *t,
		const struct ummgr_tried *best, double seconds, uint64_t bytes)
{
  if (seconds - best->seconds < least_gain_found * seconds)
    return NULL;
  struct ummgr_finding *f = ummgr_diagnose_add (g, t, UMMGR_FINDING_UNADVISED);
  if (!f)
    return NULL;
  f->times = t->handovers;
  f->bytes = bytes > best->bytes ? bytes - best->bytes : 0;
  f->seconds = seconds - best->seconds;
  f->what = t->handovers
    ? TEXT ("pages of it go from one side to the other up to %u times", t->handovers)
    : TEXT ("its pages have to leave the device, whose memory is too small for all");
  f->change = change_for (g, t, best->kind);
  t->cost += f->seconds;
  return f;
}

/* F says what was tried, of which BEST helps most, if any does.  */
static void
tell (struct ummgr_diagnosing *g, struct ummgr_finding *f, const struct ummgr_tried *tried,
      size_t count, const struct ummgr_tried *best, double seconds)
{
  struct ummgr_proposal *proposal
    = best ? ummgr_arena_get (&g->arena, sizeof *proposal) : NULL;
  f->tried = others (g, tried, count, best, seconds);
  if (!proposal)
    return;
  *proposal = (struct ummgr_proposal) { best->kind, best->seconds, seconds };
  f->remedy = proposal;
}

void
ummgr_diagnosis_tried (struct ummgr_diagnosis *d, const struct ummgr_traced_object *object,
		       const struct ummgr_tried *tried, size_t count, double seconds,
		       uint64_t bytes)
{
  struct ummgr_diagnosing *g = (struct ummgr_diagnosing *) d;
  struct ummgr_traced *t = (struct ummgr_traced *) object;
  const struct ummgr_tried *best = best_of (g, tried, count, seconds);
  bool found = false;
  for (size_t i = 0; i < d->finding_count; i++)
    {
      struct ummgr_finding *f = &d->findings[i];
      if (f->kind != UMMGR_FINDING_ALTERNATING || !is_same (f->object, object))
	continue;
      found = true;
      change_alternating (g, (struct ummgr_traced *) f->object, f, best);
      tell (g, f, tried, count, best, seconds);
    }
  struct ummgr_finding *f
    = found || !best ? NULL : find_unadvised (g, t, best, seconds, bytes);
  if (f)
    tell (g, f, tried, count, best, seconds);
}
