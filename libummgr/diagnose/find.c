/* Diagnosis: findings, from what was kept of each object.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   XPlacer's anti-patterns of unified memory and of allocations are judged
   here; copies were judged as they were made, and only get their words.  */

#include "config.h"
#include "diagnose/traced.h"

#include <stdlib.h>

#define TEXT(...) ummgr_arena_print (&g->arena, __VA_ARGS__)

struct ummgr_finding *
ummgr_diagnose_add (struct ummgr_diagnosing *g, struct ummgr_traced *t,
		    enum ummgr_finding_kind kind)
{
  if (!ummgr_arena_grow (&g->arena, &g->d.findings, g->d.finding_count,
			 &g->finding_room, sizeof *g->d.findings))
    return NULL;
  struct ummgr_finding *f = &g->d.findings[g->d.finding_count++];
  *f = (struct ummgr_finding) {
    .kind = kind, .object = &t->o, .file = t->o.file, .line = t->o.line,
    .what = "", .change = "", .elements = "", .section = "",
    .out_file = ""
  };
  if (!*f->file)
    {
      f->file = t->file;
      f->line = t->line;
    }
  return f;
}

/* WORDS of a sampled trace stand for so many of T's.  */
static uint64_t
scaled (const struct ummgr_diagnosing *g, const struct ummgr_traced *t,
	uint64_t words)
{
  uint64_t most = (t->o.size + 3) / 4;
  if (g->d.run.sample > 1)
    words = words > most / g->d.run.sample ? most : words * g->d.run.sample;
  return words;
}

/* One hand-over is what a result or an input takes; more alternate.  */
static bool
takes_turns (const struct ummgr_traced *t)
{
  enum { IN_AND_OUT = 2 };
  return !t->handovers || t->handovers > IN_AND_OUT;
}

const char *
ummgr_diagnose_own_copy (struct ummgr_diagnosing *g, const struct ummgr_traced *t)
{
  return TEXT ("give the device a copy of its own: map(to: %s) of memory that is not unified",
	       ummgr_diagnose_section (g, &t->o, t->o.name));
}

static void
find_alternating (struct ummgr_diagnosing *g, struct ummgr_traced *t)
{
  if (!t->alternating_words || !takes_turns (t))
    return;
  struct ummgr_finding *f = ummgr_diagnose_add (g, t, UMMGR_FINDING_ALTERNATING);
  if (!f)
    return;
  const struct ummgr_trace_device *d = ummgr_diagnose_device (g, t->device);
  uint64_t page = d && d->fault_size ? d->fault_size : 65536;
  bool gpu_writes = t->alternating_states & UMMGR_SHADOW_GPU_WROTE;
  const char *section = ummgr_diagnose_section (g, &t->o, t->o.name);
  f->phase = t->alternating_phase;
  f->phases = t->alternating_phases;
  f->times = scaled (g, t, t->alternating_words);
  f->bytes = 2 * page * t->alternating_cost;
  if (d && d->in_rate)
    f->seconds = t->alternating_cost
		 * ((d->gpu_fault + d->cpu_fault) * 1e-9
		    + 2.0 * page / d->in_rate);
  if (t->host_cells)
    f->elements = ummgr_diagnose_elements (g, t, t->host_cells,
					   t->host_cells->alternating, true, 0);
  f->what = TEXT ("%llu words that host and device both access, written by "
		  "the %s, in %u of %zu phases%s",
		  (unsigned long long) f->times,
		  !gpu_writes ? "host" : t->alternating_cpu
		  ? "host and the device" : "device", f->phases,
		  g->d.phase_count, ummgr_diagnose_estimated (g));
  if (!gpu_writes)
    f->change = TEXT ("advise read-mostly (cudaMemAdviseSetReadMostly, not tried) for %s, or %s", section,
		      ummgr_diagnose_own_copy (g, t));
  else
    f->change = TEXT ("split %s into a part of the host's and a part of the "
		      "device's, or keep a duplicate for each", section);
}

/* Does something say already that bytes of T moved in vain?  */
static bool
has_waste (const struct ummgr_traced *t, bool unused_only)
{
  for (size_t i = 0; i < t->waste_count; i++)
    if (t->waste[i].kind == UMMGR_FINDING_UNUSED_COPY
	|| (!unused_only && !t->waste[i].out
	    && (t->waste[i].kind == UMMGR_FINDING_OVERLAP
		|| t->waste[i].kind == UMMGR_FINDING_EARLY_COPY)))
      return true;
  return false;
}

bool
ummgr_diagnose_fits (const struct ummgr_diagnosing *g)
{
  uint64_t bytes = 0, memory = 0;
  for (size_t i = 0; i < g->d.object_count; i++)
    if (g->all[i]->unified)
      bytes += g->all[i]->o.size;
  for (size_t i = 0; i < g->d.device_count; i++)
    memory += g->d.devices[i].memory;
  return !memory || bytes <= memory;
}

static void
say_density (struct ummgr_diagnosing *g, struct ummgr_traced *t,
	     struct ummgr_finding *f)
{
  double percent = t->low_touched
    ? 100.0 * t->low_accessed / t->low_touched : 0;
  f->phase = t->low_phase;
  f->phases = t->low_phases;
  f->times = t->low_phases;
  f->what = t->low_blocks
    ? TEXT ("the device accesses %.3g %% of the blocks of %s that it touches, "
	    "in %u of %u phases%s", percent,
	    ummgr_human_bytes (g->d.run.block).text, t->low_phases,
	    t->used_phases, ummgr_diagnose_estimated (g))
    : TEXT ("the device accesses %.3g %% of it, in %u of %u phases%s", percent,
	    t->low_phases, t->used_phases, ummgr_diagnose_estimated (g));
}

static void
find_density (struct ummgr_diagnosing *g, struct ummgr_traced *t, bool fits)
{
  uint64_t bytes = fits ? t->low_most : t->low_sum;
  struct ummgr_finding *f;
  if (!t->low_phases || !ummgr_diagnose_seen (g, t->o.size))
    return;
  if (t->unified)
    {
      if (2 * t->low_phases < t->used_phases
	  || !(f = ummgr_diagnose_add (g, t, UMMGR_FINDING_LOW_DENSITY)))
	return;
      say_density (g, t, f);
      f->change = TEXT ("lay %s out in the order in which the device uses it, "
			"so that a phase uses whole pages (rotate the matrix, "
			"split hot fields off)", t->o.name);
    }
  else
    {
      /* Copied as a whole, and no phase uses much of it.  */
      bytes = t->o.size * (1 - t->densest);
      if (t->used_phases < 2 || t->low_phases < t->used_phases
	  || t->o.copied_in < t->o.size || has_waste (t, false)
	  || !ummgr_diagnose_matters (g, bytes, t->o.size)
	  || !(f = ummgr_diagnose_add (g, t, UMMGR_FINDING_LOW_DENSITY)))
	return;
      say_density (g, t, f);
      f->change = TEXT ("copy the section that a phase needs, %s "
			"target update to(%s) nowait, while the phase before runs%s",
			ummgr_diagnose_directive (*f->file ? f->file : t->o.file),
			ummgr_diagnose_some (g, &t->o, t->o.name, NULL), UMMGR_DIAGNOSE_DEPEND);
    }
  f->bytes = bytes;
  f->seconds = ummgr_diagnose_copy_cost (g, t->device, bytes, false, false);
}

/* Unified memory: initial values that nobody reads.  */
static void
find_overwritten (struct ummgr_diagnosing *g, struct ummgr_traced *t)
{
  uint64_t words = scaled (g, t, t->overwritten);
  uint64_t of = scaled (g, t, t->written);
  /* Those that were written anew and overwritten again.  */
  if (words > of)
    words = of;
  if (!ummgr_diagnose_seen (g, t->o.size)
      || !ummgr_diagnose_matters (g, 4 * words, 4 * of))
    return;
  struct ummgr_finding *f = ummgr_diagnose_add (g, t, UMMGR_FINDING_OVERWRITTEN_COPY);
  if (!f)
    return;
  f->phase = t->overwritten_phase;
  f->phases = 1;
  f->times = words;
  f->bytes = 4 * words;
  f->seconds = ummgr_diagnose_copy_cost (g, t->device, f->bytes, false, false);
  f->what = TEXT ("only %llu of the %llu initial values that the host writes "
		  "are used: the device overwrites the others before any "
		  "read%s", (unsigned long long) (of - words),
		  (unsigned long long) of, ummgr_diagnose_estimated (g));
  f->change = TEXT ("initialise %s on the device, or the used values on the "
		    "fly in the region that reads them", t->o.name);
}

static void
find_unused (struct ummgr_diagnosing *g, struct ummgr_traced *t)
{
  bool launches = ummgr_diagnose_by_launches (g);
  if (!(g->d.run.instrumented || (launches && !t->unified))
      || !(t->on_device || t->unified)
      || t->device_used || has_waste (t, true)
      /* Which of its accesses were sampled is not known.  */
      || (t->variable && g->d.run.sample > 1)
      || !ummgr_diagnose_seen (g, t->o.size))
    return;
  struct ummgr_finding *f = ummgr_diagnose_add (g, t, UMMGR_FINDING_UNUSED_ALLOCATION);
  if (!f)
    return;
  f->times = t->o.merged;
  f->bytes = t->o.size;
  f->what = TEXT ("%s allocated %s%s%s",
		  ummgr_human_bytes (t->o.size).text,
		  t->unified ? "in unified memory" : "on the device",
		  launches ? ": no region ran while it was there"
		  : " and never accessed by the device",
		  ummgr_diagnose_estimated (g));
  if (t->unified)
    f->change = TEXT ("allocate %s with malloc: no region used it in this run", t->o.name);
  else if (t->variable)
    f->change = TEXT ("take %s out of the declare target directive, unless another run uses it",
		      t->o.name);
  else
    f->change = TEXT ("remove %s from the map clauses: no region used it in this run",
		      ummgr_diagnose_section (g, &t->o, t->o.name));
  if (!t->unified && *t->file)
    {
      f->file = t->file;
      f->line = t->line;
    }
}

/* When a copy is made matters little if most of it need not be made.  */
static bool
is_needless (const struct ummgr_traced *t, const struct ummgr_waste *w)
{
  uint64_t bytes = 0;
  if (w->out || (w->kind != UMMGR_FINDING_EARLY_COPY
		 && w->kind != UMMGR_FINDING_OVERLAP))
    return false;
  for (size_t i = 0; i < t->waste_count; i++)
    {
      const struct ummgr_waste *x = &t->waste[i];
      if (!x->out && x->kind != UMMGR_FINDING_EARLY_COPY
	  && x->kind != UMMGR_FINDING_OVERLAP)
	bytes += x->bytes;
    }
  return 2 * bytes > w->bytes;
}

/* Is it said already that T should stay on the device, or not go there?  */
static bool
has_again (const struct ummgr_traced *t)
{
  for (size_t i = 0; i < t->waste_count; i++)
    if (t->waste[i].kind == UMMGR_FINDING_DUPLICATE_COPY
	|| t->waste[i].kind == UMMGR_FINDING_ROUND_TRIP
	|| t->waste[i].kind == UMMGR_FINDING_UNUSED_COPY)
      return true;
  return !t->device_used;
}

static void
find_copies (struct ummgr_diagnosing *g, struct ummgr_traced *t)
{
  for (size_t i = 0; i < t->waste_count; i++)
    {
      const struct ummgr_waste *w = &t->waste[i];
      if (is_needless (t, w) || (w->kind == UMMGR_FINDING_REMAPPED && has_again (t)))
	continue;
      struct ummgr_finding *f = ummgr_diagnose_add (g, t, w->kind);
      if (!f)
	return;
      if (*w->file)
	{
	  f->file = w->file;
	  f->line = w->line;
	}
      f->phase = w->phase;
      f->phases = w->phases;
      f->times = w->times;
      f->bytes = w->bytes;
      f->seconds = w->seconds;
      f->whole = w->bytes >= w->of_bytes;
      f->out_file = w->out_file ? w->out_file : "";
      f->out_line = w->out_line;
      f->kept_bytes = w->kept_bytes;
      f->kept_seconds = w->kept_seconds;
      ummgr_diagnose_transfer (g, t, w, f);
    }
}

static int
by_cost (const void *a_p, const void *b_p)
{
  const struct ummgr_finding *a = a_p, *b = b_p;
  if (a->seconds != b->seconds)
    return a->seconds > b->seconds ? -1 : 1;
  if (a->bytes != b->bytes)
    return a->bytes > b->bytes ? -1 : 1;
  if (a->object->id != b->object->id)
    return a->object->id < b->object->id ? -1 : 1;
  return (a->kind > b->kind) - (a->kind < b->kind);
}

static int
by_object_cost (const void *a_p, const void *b_p)
{
  const struct ummgr_traced *a = *(struct ummgr_traced *const *) a_p;
  const struct ummgr_traced *b = *(struct ummgr_traced *const *) b_p;
  if (a->cost != b->cost)
    return a->cost > b->cost ? -1 : 1;
  if (a->o.size != b->o.size)
    return a->o.size > b->o.size ? -1 : 1;
  return (a->order > b->order) - (a->order < b->order);
}

/* Of what costs are known, they decide.  */
bool
ummgr_diagnose_worth (const struct ummgr_diagnosing *g, const struct ummgr_finding *f)
{
  return f->seconds > 0 ? f->seconds >= g->options.cost
	 : f->bytes >= g->options.smallest;
}

static void
find_all (struct ummgr_diagnosing *g, struct ummgr_traced *t, bool fits)
{
  size_t first = g->d.finding_count;
  if (!*t->o.name)
    t->o.name = TEXT ("[%llu bytes]", (unsigned long long) t->o.size);
  find_copies (g, t);
  find_alternating (g, t);
  find_density (g, t, fits);
  if (t->unified)
    find_overwritten (g, t);
  find_unused (g, t);
  size_t end = g->d.finding_count;
  g->d.finding_count = first;
  for (size_t i = first; i < end; i++)
    if (ummgr_diagnose_worth (g, &g->d.findings[i]))
      {
	const struct ummgr_finding *f = &g->d.findings[i];
	t->cost += f->seconds + 1e-15 * f->bytes;
	g->d.findings[g->d.finding_count++] = *f;
      }
}

void
ummgr_diagnose_findings (struct ummgr_diagnosing *g)
{
  struct ummgr_diagnosis *d = &g->d;
  for (size_t i = 0; i < d->object_count; i++)
    {
      ummgr_diagnose_pages_end (g, g->all[i]);
      ummgr_diagnose_here_end (g, g->all[i]);
    }
  bool fits = ummgr_diagnose_fits (g);
  for (size_t i = 0; i < d->object_count; i++)
    find_all (g, g->all[i], fits);
  ummgr_diagnose_moved_end (g);
  d->objects = ummgr_arena_get (&g->arena,
				(d->object_count + 1) * sizeof *d->objects);
  if (d->objects && !g->arena.failed)
    ummgr_diagnosis_sort (d);
}

void
ummgr_diagnosis_sort (struct ummgr_diagnosis *d)
{
  struct ummgr_diagnosing *g = (struct ummgr_diagnosing *) d;
  if (d->object_count)
    qsort (g->all, d->object_count, sizeof *g->all, by_object_cost);
  for (size_t i = 0; i < d->object_count; i++)
    d->objects[i] = &g->all[i]->o;
  if (d->finding_count)
    qsort (d->findings, d->finding_count, sizeof *d->findings, by_cost);
}
