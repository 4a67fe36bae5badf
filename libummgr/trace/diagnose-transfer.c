/* Diagnosis: the words of findings about copies.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "diagnose-internal.h"

#define TEXT(...) ummgr_arena_print (&g->arena, __VA_ARGS__)

/* "all 4.00 MiB", "1.00 MiB of 4.00 MiB", of one copy or of several.  */
static const char *
amount (struct ummgr_diagnosing *g, const struct ummgr_waste *w)
{
  const char *of = w->times > 1
    ? TEXT (" in %llu copies", (unsigned long long) w->times) : "";
  if (w->bytes >= w->of_bytes)
    return TEXT ("all %s%s", ummgr_human_bytes (w->bytes).text, of);
  return TEXT ("%s of %s%s", ummgr_human_bytes (w->bytes).text,
	       ummgr_human_bytes (w->of_bytes).text, of);
}

static void
unused (struct ummgr_diagnosing *g, struct ummgr_traced *t,
	const struct ummgr_waste *w, struct ummgr_finding *f)
{
  const char *section = ummgr_diagnose_section (g, &t->o);
  f->what = TEXT ("%s copied to the device: never accessed there%s",
		  amount (g, w), ummgr_diagnose_estimated (g));
  if (w->bytes < w->of_bytes)
    {
      const struct ummgr_cells_seen *cells = t->device_cells;
      f->elements = ummgr_diagnose_elements (g, t, cells,
					     cells ? cells->gpu : NULL, false);
      f->change = TEXT ("map only the section that regions use, "
			"map(to: %s[first:length])",
			*t->o.name == '[' ? "array" : t->o.name);
    }
  else if (t->device_used || t->o.copied_out)
    f->change = TEXT ("do not copy what regions do not use yet: "
		      "map(alloc: %s)", section);
  else
    f->change = TEXT ("remove %s from the map clause: no region uses it",
		      section);
}

static void
overwritten (struct ummgr_diagnosing *g, struct ummgr_traced *t,
	     const struct ummgr_waste *w, struct ummgr_finding *f)
{
  const char *section = ummgr_diagnose_section (g, &t->o);
  f->what = TEXT ("%s copied to the device: overwritten there before "
		  "any read%s", amount (g, w), ummgr_diagnose_estimated (g));
  if (w->bytes < w->of_bytes)
    f->change = TEXT ("map(alloc: %s), and copy only what is read first, "
		      "with target update to", section);
  else if (t->o.copied_out)
    f->change = TEXT ("map(from: %s) instead of map(tofrom:)", section);
  else
    f->change = TEXT ("map(alloc: %s) instead of map(to:)", section);
}

static void
unchanged (struct ummgr_diagnosing *g, struct ummgr_traced *t,
	   const struct ummgr_waste *w, struct ummgr_finding *f)
{
  const char *section = ummgr_diagnose_section (g, &t->o);
  f->what = TEXT ("%s copied back: %s%s", amount (g, w),
		  g->d.run.instrumented
		  ? "not written on the device since they were copied in"
		  : "the bytes are those that were copied in",
		  ummgr_diagnose_estimated (g));
  if (w->bytes >= w->of_bytes)
    {
      f->change = TEXT ("map(to: %s) instead of map(tofrom:)", section);
      return;
    }
  const struct ummgr_cells_seen *cells = t->device_cells;
  f->elements = ummgr_diagnose_elements (g, t, cells,
					 cells ? cells->gpu_wrote : NULL,
					 false);
  f->change = TEXT ("map(to: %s), and copy back only the section that is "
		    "written, with target update from", section);
}

static void
duplicate (struct ummgr_diagnosing *g, struct ummgr_traced *t,
	   const struct ummgr_waste *w, struct ummgr_finding *f)
{
  const char *section = ummgr_diagnose_section (g, &t->o);
  const char *proviso = g->d.run.instrumented ? ""
    : ", if no region writes it";
  f->what = TEXT ("%s copied to the device again, with the bytes that the "
		  "copy before brought%s", amount (g, w),
		  ummgr_diagnose_estimated (g));
  if (w->reused)
    f->change = TEXT ("remove the target update (or always) of %s where the "
		      "host has not changed it%s", section, proviso);
  else
    f->change = TEXT ("hoist it out of the loop: enclose the regions in "
		      "#pragma omp target data map(to: %s)%s", section,
		      proviso);
}

static void
round_trip (struct ummgr_diagnosing *g, struct ummgr_traced *t,
	    const struct ummgr_waste *w, struct ummgr_finding *f)
{
  f->what = TEXT ("%s copied to the device just as it came from there",
		  amount (g, w));
  f->change = TEXT ("keep it on the device between the constructs: enclose "
		    "them in #pragma omp target data map(tofrom: %s)",
		    ummgr_diagnose_section (g, &t->o));
}

static void
early (struct ummgr_diagnosing *g, struct ummgr_traced *t,
       const struct ummgr_waste *w, struct ummgr_finding *f)
{
  const char *section = ummgr_diagnose_section (g, &t->o);
  if (w->reused)
    f->what = TEXT ("%s copied %llu launches before the first that uses it",
		    amount (g, w), (unsigned long long) w->detail);
  else
    f->what = TEXT ("%s first used launches after the first that uses any",
		    amount (g, w));
  f->change = TEXT ("copy it while the launches before run: #pragma omp target "
		    "update to(%s) nowait", section);
}

static void
overlap (struct ummgr_diagnosing *g, struct ummgr_traced *t,
	 const struct ummgr_waste *w, struct ummgr_finding *f)
{
  const char *name = *t->o.name == '[' ? "array" : t->o.name;
  if (w->out)
    {
      f->what = TEXT ("launches use fewer and fewer pages (%u, at last %u); "
		      "%s: final before the last launches", w->first_pages,
		      w->last_pages, amount (g, w));
      f->change = TEXT ("copy out early what is final, while later launches "
			"run: #pragma omp target update from(%s[first:length]) "
			"nowait", name);
      return;
    }
  f->what = TEXT ("copied at once, and each of %llu launches uses another "
		  "part; %s: first used in later launches",
		  (unsigned long long) w->detail, amount (g, w));
  f->change = TEXT ("copy the section that a launch needs while the launch "
		    "before runs: #pragma omp target update "
		    "to(%s[first:length]) nowait", name);
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
	  [UMMGR_FINDING_OVERLAP] = overlap
	};
  if (say[w->kind])
    say[w->kind] (g, t, w, f);
}
