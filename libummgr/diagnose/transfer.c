/* Diagnosis: the words of findings about copies.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A trace shows one run: what a change takes for granted of others is said, and what the host
   must do for the result to stay what it is.  No state.  */

#include "config.h"
#include "diagnose/traced.h"

#include <string.h>

#define TEXT(...) ummgr_arena_print (&g->arena, __VA_ARGS__)

/* "all 4.00 MiB", "1.00 MiB of 4.00 MiB", of one copy or of several.  */
static const char *
amount (struct ummgr_diagnosing *g, const struct ummgr_waste *w)
{
  const char *of = w->times > 1
    ? TEXT (" in %llu %s", (unsigned long long) w->times,
	    w->kind == UMMGR_FINDING_REMAPPED ? "mappings" : "copies") : "";
  if (w->bytes >= w->of_bytes)
    return TEXT ("all %s%s", ummgr_human_bytes (w->bytes).text, of);
  return TEXT ("%s of %s%s", ummgr_human_bytes (w->bytes).text,
	       ummgr_human_bytes (w->of_bytes).text, of);
}

/* What F's place calls T, if that is known; else what allocates it does.  */
static const char *
name_at (const struct ummgr_traced *t, const struct ummgr_finding *f)
{
  const char *name = ummgr_diagnose_called (t, f->file, f->line);
  return name ? name : t->o.name;
}

static const char *
all_at (struct ummgr_diagnosing *g, const struct ummgr_traced *t, struct ummgr_finding *f)
{
  return f->section = ummgr_diagnose_section (g, &t->o, name_at (t, f));
}

static const char *
part_at (struct ummgr_diagnosing *g, const struct ummgr_traced *t,
	 const struct ummgr_finding *f, const struct ummgr_stretch *known)
{
  return ummgr_diagnose_some (g, &t->o, name_at (t, f), known);
}

/* The part of an object for which its copies are made.  */
struct part
{
  const struct ummgr_cells_seen *cells;
  const uint64_t *bits;		/* Of CELLS: what they do it with.  */
  const char *used;		/* "regions use".  */
  const char *only;		/* "map only".  */
  const char *clause;		/* "map(to: ".  */
};

/* Say of W's copies, in which all of T but P's part of it is in vain, where the
   rest is, and how to copy that part alone, if one section has it.  A sampled
   trace has not seen all of it.  */
static void
say_part (struct ummgr_diagnosing *g, const struct ummgr_traced *t,
	  const struct ummgr_waste *w, const struct part *p,
	  struct ummgr_finding *f)
{
  struct ummgr_stretch s;
  bool known = g->d.run.sample <= 1
	       && ummgr_diagnose_stretch (t, p->cells, p->bits, &s)
	       && s.all == w->of_bytes / w->times;
  uint64_t rest = w->bytes / w->times;
  f->elements = ummgr_diagnose_elements (g, t, p->cells, p->bits, false,
					 known ? rest : 0);
  if (*t->o.layout && t->o.size < 2 * (uint64_t) t->o.element_size)
    f->change = TEXT ("%s the members of %s that %s", p->only, name_at (t, f),
		      p->used);
  else if (!known)
    f->change = TEXT ("%s the section that %s, if there is one: %s%s)",
		      p->only, p->used, p->clause, part_at (g, t, f, NULL));
  else if (2 * (s.all - (s.hi - s.lo)) >= rest)
    f->change = TEXT ("%s the section that %s: %s%s)", p->only, p->used,
		      p->clause, part_at (g, t, f, &s));
  else
    f->change = TEXT ("what %s is scattered over %s, and no section leaves the "
		      "rest out: gather it into an array of its own, or let "
		      "pages come and go on demand (unified memory, or "
		      "--policy=um)", p->used, name_at (t, f));
}

/* A variable of the device's own is copied by target update alone (and by `always').  */
static void
say_update (struct ummgr_diagnosing *g, const struct ummgr_traced *t, struct ummgr_finding *f,
	    const char *way, const char *why)
{
  f->change = TEXT ("remove the target update %s(%s): %s", way, all_at (g, t, f), why);
}

/* Where there are several devices.  */
static const char *
same_device (const struct ummgr_diagnosing *g)
{
  return g->d.device_count > 1 ? " with their device clause" : "";
}

static void
unused (struct ummgr_diagnosing *g, struct ummgr_traced *t,
	const struct ummgr_waste *w, struct ummgr_finding *f)
{
  const char *section = all_at (g, t, f);
  f->what = TEXT ("%s copied to the device: %s%s",
		  amount (g, w), ummgr_diagnose_by_launches (g)
		  ? "no region ran before it was replaced or taken away"
		  : "never accessed there", ummgr_diagnose_estimated (g));
  if (w->bytes < w->of_bytes)
    {
      const struct ummgr_cells_seen *cells = t->device_cells;
      const struct part part = {
	cells, cells ? cells->gpu : NULL, "regions used in this run",
	t->variable ? "copy only" : "map only",
	t->variable ? "target update to(" : t->o.copied_out ? "map(tofrom: " : "map(to: "
      };
      say_part (g, t, w, &part, f);
    }
  else if (t->variable)
    say_update (g, t, f, "to", "no region used in this run what it brings");
  else if (w->reused)
    f->change = TEXT ("remove the target update (or always) of %s: no region "
		      "used in this run what it brings", section);
  else if (t->device_used)
    {
      f->spare = t->o.copied_out ? UMMGR_SPARE_NOTHING : UMMGR_SPARE_IN;
      f->change = TEXT ("do not copy what no region used in this run until it was "
			"copied again: map(alloc: %s)%s", section,
			!t->o.copied_out ? ""
			: ", and map(release:) where it goes back without that");
    }
  else
    {
      f->spare = t->o.copied_out ? UMMGR_SPARE_NOTHING : UMMGR_SPARE_ALL;
      f->change = TEXT ("remove %s from the map clause%s: no region used it in "
			"this run", section, !t->o.copied_out ? ""
			: ", and from those that copy it back");
    }
}

static void
overwritten (struct ummgr_diagnosing *g, struct ummgr_traced *t,
	     const struct ummgr_waste *w, struct ummgr_finding *f)
{
  const char *section = all_at (g, t, f);
  f->what = TEXT ("%s copied to the device: overwritten there before "
		  "any read%s", amount (g, w), ummgr_diagnose_estimated (g));
  if (w->bytes < w->of_bytes && t->variable)
    f->change = TEXT ("copy only what was read first in this run: target update to(%s)",
		      part_at (g, t, f, NULL));
  else if (t->variable)
    say_update (g, t, f, "to", "regions overwrote in this run all that it brings");
  else if (w->reused && w->bytes >= w->of_bytes)
    f->change = TEXT ("remove the target update (or always) of %s: regions "
		      "overwrote in this run all that it brings", section);
  else if (w->bytes < w->of_bytes && t->o.copied_out)
    /* What is neither read nor written goes back, too.  */
    f->change = TEXT ("target data map(from: %s) around the construct, and there copy in, "
		      "with target update to, what was not overwritten in "
		      "this run", section);
  else if (w->bytes < w->of_bytes)
    f->change = TEXT ("target data map(alloc: %s) around the construct, and there copy only "
		      "what was read first in this run, with target update to", section);
  else
    {
      f->spare = UMMGR_SPARE_IN;
      f->change = t->o.copied_out
	? TEXT ("map(from: %s) instead of map(tofrom:), or map(alloc:) "
		"instead of map(to:): all of it was overwritten in this "
		"run", section)
	: TEXT ("map(alloc: %s) instead of map(to:): all of it was "
		"overwritten in this run", section);
    }
}

static void
unchanged (struct ummgr_diagnosing *g, struct ummgr_traced *t,
	   const struct ummgr_waste *w, struct ummgr_finding *f)
{
  const char *section = all_at (g, t, f);
  f->what = TEXT ("%s copied back: %s%s", amount (g, w),
		  g->d.run.instrumented
		  ? "not written on the device since they were copied in"
		  : "the bytes are those that were copied in",
		  ummgr_diagnose_estimated (g));
  if (w->bytes >= w->of_bytes)
    {
      if (t->variable)
	say_update (g, t, f, "from", "no region wrote it in this run, and the host must not "
		    "meanwhile");
      else
	{
	  f->spare = UMMGR_SPARE_OUT;
	  /* What the host wrote in between the copy undoes.  */
	  f->change = TEXT ("map(to: %s) instead of map(tofrom:), map(release:) "
			    "instead of map(from:), or no target update: no region "
			    "wrote it in this run, and the host must not meanwhile",
			    section);
	}
      return;
    }
  const struct ummgr_cells_seen *cells = t->device_cells;
  const struct part part = {
    cells, cells ? cells->gpu_wrote : NULL, "regions wrote in this run",
    t->variable ? "copy back only" : TEXT ("map(to: %s), and copy back only", section),
    "target update from("
  };
  say_part (g, t, w, &part, f);
}

static void
duplicate (struct ummgr_diagnosing *g, struct ummgr_traced *t,
	   const struct ummgr_waste *w, struct ummgr_finding *f)
{
  const char *section = all_at (g, t, f);
  f->what = TEXT ("%s copied to the device again, with the bytes that the "
		  "copy before brought%s", amount (g, w),
		  ummgr_diagnose_estimated (g));
  if (w->reused || t->variable)
    f->change = TEXT ("remove the target update (or always) of %s where the "
		      "host has not changed it since the copy before, if no "
		      "region writes it", section);
  else
    {
      f->enclose = true;
      f->change = TEXT ("hoist it out of the loop, if no region writes it: enclose "
			"the regions in %s target data map(to: %s)%s, "
			"with target update to where the host changes it",
			ummgr_diagnose_directive (f->file), section, same_device (g));
    }
}

static void
remapped (struct ummgr_diagnosing *g, struct ummgr_traced *t,
	  const struct ummgr_waste *w, struct ummgr_finding *f)
{
  f->what = TEXT ("%s taken from the device and then allocated there again",
		  amount (g, w));
  f->enclose = true;
  f->change = TEXT ("allocate it once: enclose the regions in %s target data "
		    "map(alloc: %s), with target update for what the host needs between "
		    "them%s", ummgr_diagnose_directive (f->file), all_at (g, t, f),
		    t->o.flags & (UMMGR_TRACE_OBJECT_STATIC | UMMGR_TRACE_OBJECT_HEAP)
		    ? "" : ", if it is the same memory each time");
}

static void
round_trip (struct ummgr_diagnosing *g, struct ummgr_traced *t,
	    const struct ummgr_waste *w, struct ummgr_finding *f)
{
  f->what = TEXT ("%s copied to the device just as it came from there",
		  amount (g, w));
  if (t->variable)
    say_update (g, t, f, "to", "the device had these values in this run");
  else
    {
      f->enclose = true;
      f->change = TEXT ("keep it on the device between the constructs: enclose "
			"them in %s target data map(tofrom: %s)%s, with "
			"target update from before the host reads it, and to after "
			"it writes it", ummgr_diagnose_directive (f->file), all_at (g, t, f),
			same_device (g));
    }
}

static void
early (struct ummgr_diagnosing *g, struct ummgr_traced *t,
       const struct ummgr_waste *w, struct ummgr_finding *f)
{
  const char *section = all_at (g, t, f);
  if (w->reused)
    f->what = TEXT ("%s copied %llu launches before the first that uses it",
		    amount (g, w), (unsigned long long) w->detail);
  else
    f->what = TEXT ("%s first used launches after the first that uses any",
		    amount (g, w));
  f->change = TEXT ("copy it while the launches before run: map(alloc:), and "
		    "%s target update to(%s) nowait%s", ummgr_diagnose_directive (f->file), section,
		    UMMGR_DIAGNOSE_DEPEND);
}

static void
overlap (struct ummgr_diagnosing *g, struct ummgr_traced *t,
	 const struct ummgr_waste *w, struct ummgr_finding *f)
{
  const char *part = part_at (g, t, f, NULL);
  if (w->out)
    {
      f->what = TEXT ("launches use fewer and fewer pages (%u, at last %u); "
		      "%s: final before the last launches", w->first_pages,
		      w->last_pages, amount (g, w));
      f->change = TEXT ("copy out early what is final, while later launches "
			"run: %s target update from(%s) nowait, and wait "
			"for it before the host reads it", ummgr_diagnose_directive (f->file), part);
      return;
    }
  f->what = TEXT ("copied at once, and each of %llu launches uses another "
		  "part; %s: first used in later launches",
		  (unsigned long long) w->detail, amount (g, w));
  f->change = TEXT ("copy the section that a launch needs while the launch "
		    "before runs: map(alloc:), and %s target update "
		    "to(%s) nowait%s", ummgr_diagnose_directive (f->file), part, UMMGR_DIAGNOSE_DEPEND);
}

/* The clause at F's place may call T otherwise than what allocates it.  */
static void
say_what_it_is (struct ummgr_diagnosing *g, const struct ummgr_traced *t,
		struct ummgr_finding *f)
{
  const struct ummgr_traced_object *o = &t->o;
  if (*o->name == '[' || !*o->file || (o->flags & UMMGR_TRACE_OBJECT_STATIC)
      || (f->file == o->file && f->line == o->line)
      || ummgr_diagnose_called (t, f->file, f->line))
    return;
  const char *slash = strrchr (o->file, '/');
  f->change = TEXT ("%s; %s is what %s:%u allocates", f->change, o->name,
		    slash ? slash + 1 : o->file, o->line);
}

void
ummgr_diagnose_transfer (struct ummgr_diagnosing *g, struct ummgr_traced *t,
			 const struct ummgr_waste *w, struct ummgr_finding *f)
{
  static void (*const say[UMMGR_FINDING_KINDS]) (
      struct ummgr_diagnosing *, struct ummgr_traced *,
      const struct ummgr_waste *, struct ummgr_finding *)
      = {
	  [UMMGR_FINDING_UNUSED_COPY] = unused,
	  [UMMGR_FINDING_OVERWRITTEN_COPY] = overwritten,
	  [UMMGR_FINDING_UNCHANGED_COPY] = unchanged,
	  [UMMGR_FINDING_DUPLICATE_COPY] = duplicate,
	  [UMMGR_FINDING_ROUND_TRIP] = round_trip,
	  [UMMGR_FINDING_EARLY_COPY] = early,
	  [UMMGR_FINDING_OVERLAP] = overlap,
	  [UMMGR_FINDING_REMAPPED] = remapped
	};
  if (!say[w->kind])
    return;
  say[w->kind] (g, t, w, f);
  say_what_it_is (g, t, f);
}
