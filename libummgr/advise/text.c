/* Advice as text, for a terminal of 100 columns.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "advise/advise.h"
#include "advise/runs.h"
#include "base/color.h"
#include "base/human.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES_MOST = 8 };

/* Of each file, by the last part of its path, the lines.  */
static void
put_places (FILE *out, const struct ummgr_change *c)
{
  size_t shown = c->place_count > PLACES_MOST + 1 ? PLACES_MOST : c->place_count;
  for (size_t i = 0; i < shown; i++)
    {
      const struct ummgr_change_place *p = &c->places[i];
      const char *slash = strrchr (p->file, '/');
      const char *before = !i ? "" : i + 1 == c->place_count ? " and " : ", ";
      fputs (before, out);
      if (!i || strcmp (p->file, p[-1].file) != 0)
	fprintf (out, "%s:", slash ? slash + 1 : p->file);
      fprintf (out, "%" PRIu32, p->line);
    }
  if (shown < c->place_count)
    fprintf (out, " and %zu more", c->place_count - shown);
}

/* What C brings, of what there is.  */
static void
put_gain (FILE *out, const struct ummgr_advice *a, const struct ummgr_change *c)
{
  const struct ummgr_diagnosis *d = a->diagnosis;
  double all = (double) (d->copied_in + d->copied_out);
  bool of_run = c->kind == UMMGR_CHANGE_ADVICE;
  if (c->bytes)
    {
      fprintf (out, "%s less to copy", ummgr_human_bytes ((double) c->bytes).text);
      if (all > 0 && (double) c->bytes <= all)
	fprintf (out, " (of %s)", ummgr_human_bytes (all).text);
    }
  if (c->seconds > 0)
    {
      fprintf (out, "%s%s less", c->bytes ? ", " : of_run ? "" : "up to ",
	       ummgr_human_seconds (c->seconds).text);
      double whole = of_run ? d->together.without : d->copy_seconds;
      if (whole > 0 && c->seconds <= whole)
	fprintf (out, " (of %s that %s)", ummgr_human_seconds (whole).text,
		 of_run ? "the run takes" : "all copies take");
      fputs (", modelled", out);
    }
}

/* WHAT, with the places of a data construct; malloc'ed, or NULL.  */
static char *
what_text (const struct ummgr_change *c)
{
  char *text = NULL;
  size_t size;
  FILE *memory = open_memstream (&text, &size);
  if (!memory)
    return NULL;
  fputs (c->what, memory);
  if (c->place_count && c->kind != UMMGR_CHANGE_ADVICE)
    {
      fputs (c->kind == UMMGR_CHANGE_DATA ? " at " : " (", memory);
      put_places (memory, c);
      fputs (c->kind == UMMGR_CHANGE_DATA ? "" : ")", memory);
    }
  if (fclose (memory) == 0)
    return text;
  free (text);
  return NULL;
}

static void
put_change (FILE *out, const struct ummgr_advice *a, size_t number, const struct ummgr_change *c)
{
  char label[24], *what = what_text (c);
  snprintf (label, sizeof label, "%zu. ", number);
  ummgr_color_put (out, UMMGR_COLOR_HEAD);
  ummgr_diagnosis_wrapped (out, label, what ? what : c->what);
  ummgr_color_put (out, UMMGR_COLOR_NONE);
  free (what);
  if (c->directive)
    ummgr_diagnosis_wrapped (out, "     ", c->directive);
  if (c->note)
    ummgr_diagnosis_wrapped (out, "   ", c->note);
  fputs ("   brings ", out);
  ummgr_color_put (out, UMMGR_COLOR_GAIN);
  put_gain (out, a, c);
  ummgr_color_put (out, UMMGR_COLOR_NONE);
  fputc ('\n', out);
  if (c->patch)
    fprintf (out, "   as a patch: ummgr advise --patch=%zu %s | git apply\n", number, a->diagnosis->path);
  else if (c->unpatched)
    ummgr_diagnosis_wrapped (out, "   no patch: ", c->unpatched);
}

void
ummgr_advice_first (FILE *out, const struct ummgr_advice *a)
{
  char *what = what_text (a->changes), *text = NULL;
  size_t size;
  FILE *memory = open_memstream (&text, &size);
  if (memory)
    {
      fprintf (memory, "%s: ", what ? what : a->changes->what);
      put_gain (memory, a, a->changes);
      fputs ("; `ummgr advise' of the trace has the directive", memory);
      if (fclose (memory) == 0)
	ummgr_diagnosis_wrapped (out, "ummgr: what brings most: ", text);
    }
  free (text);
  free (what);
}

/* What there is, as it is now.  */
static void
put_head (FILE *out, const struct ummgr_diagnosis *d)
{
  char *text = NULL;
  size_t size;
  FILE *memory = open_memstream (&text, &size);
  if (!memory)
    return;
  fprintf (memory, "%s: %s under policy %s, ", d->path, d->run.program,
	   *d->run.policy ? d->run.policy : "explicit");
  fprintf (memory, "%s launches, ", ummgr_human_count ((int64_t) d->launches).text);
  fprintf (memory, "%s copied", ummgr_human_bytes ((double) (d->copied_in + d->copied_out)).text);
  if (d->copy_seconds > 0)
    fprintf (memory, " in %s, modelled", ummgr_human_seconds (d->copy_seconds).text);
  if (d->busy_seconds > 0)
    fprintf (memory, "; the device was busy for %s, modelled", ummgr_human_seconds (d->busy_seconds).text);
  if (d->run.sample > 1)
    fprintf (memory, "; what was accessed is estimated from 1/%" PRIu32 " of the memory", d->run.sample);
  if (fclose (memory) == 0)
    ummgr_diagnosis_wrapped (out, "", text);
  free (text);
}

/* How many of A's changes, at most MOST, bring a hundredth of what the first does.  */
static size_t
worth_telling (const struct ummgr_advice *a, size_t most)
{
  size_t n = a->count < most ? a->count : most;
  while (n > 1 && a->changes[n - 1].seconds < a->changes[0].seconds / 100
	 && a->changes[n - 1].bytes <= a->changes[0].bytes / 100)
    n--;
  return n;
}

void
ummgr_advice_text (FILE *out, const struct ummgr_advice *a, size_t most)
{
  const struct ummgr_diagnosis *d = a->diagnosis;
  bool any = false;
  put_head (out, d);
  if (d->cut)
    fputs ("The trace is not whole: this is of what stands before the damage.\n", out);
  if (!a->count)
    fputs ("\nNothing to change was found.\n", out);
  size_t shown = most && a->count ? worth_telling (a, most) : a->count;
  for (size_t i = 0; i < shown; i++)
    {
      fputc ('\n', out);
      put_change (out, a, i + 1, &a->changes[i]);
      any |= a->changes[i].kind == UMMGR_CHANGE_DATA;
    }
  if (shown < a->count)
    fprintf (out, "\n%zu more bring less: `ummgr advise --all'.\n", a->count - shown);
  ummgr_runs_text (out, a->runs);
  if (any && (!a->runs || a->runs->untried))
    ummgr_diagnosis_wrapped (out, "\nWithout a change of the source: ",
			     "`ummgr cc --unify' builds the program so that what map clauses copy may "
			     "stay where it is used.");
  if (d->together.untried)
    fprintf (out, "\nNo advice to the driver was tried: %s.\n", d->together.untried);
  if (a->count)
    fputs ("\n`ummgr report' shows what each finding rests on.\n", out);
}
