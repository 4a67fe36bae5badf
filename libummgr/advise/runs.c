/* How else a traced program could be run, of what was tried by replay: what pays.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "advise/runs.h"

#include "base/human.h"
#include "base/json-text.h"
#include "diagnose/diagnose.h"

#include <inttypes.h>
#include <stdlib.h>

/* Those that take up to this part longer than the best take nearly the same.  */
static const double nearly = 0.01;

const struct ummgr_run_tried *
ummgr_runs_best (const struct ummgr_runs *runs, enum ummgr_run_kind kind, double seconds)
{
  double least = seconds * (1 - UMMGR_RUN_PAYS);
  const struct ummgr_run_tried *best = NULL;
  for (size_t i = 0; i < runs->count; i++)
    if (runs->tried[i].kind == kind && runs->tried[i].seconds > 0 && runs->tried[i].seconds <= least)
      {
	best = &runs->tried[i];
	least = best->seconds;
      }
  for (size_t i = 0; best && i < runs->count; i++)
    if (runs->tried[i].kind == kind && runs->tried[i].seconds > 0
	&& runs->tried[i].seconds <= best->seconds * (1 + nearly))
      return &runs->tried[i];
  return best;
}

/* "3.1 s -> 1.2 s, 275 MiB -> 3.4 MiB"  */
static void
put_gain (FILE *out, const struct ummgr_runs *runs, const struct ummgr_run_tried *t)
{
  fprintf (out, "%s -> %s", ummgr_human_seconds (runs->seconds).text, ummgr_human_seconds (t->seconds).text);
  fprintf (out, ", %s -> ", ummgr_human_bytes ((double) runs->bytes).text);
  fprintf (out, "%s (modelled)", ummgr_human_bytes ((double) t->bytes).text);
}

static void
put_line (FILE *out, const struct ummgr_runs *runs, const struct ummgr_run_tried *t)
{
  char *text = NULL;
  size_t size;
  FILE *memory = open_memstream (&text, &size);
  if (!memory)
    return;
  if (t->kind == UMMGR_RUN_CARD)
    {
      fprintf (memory, "a card of %s (profile %s", ummgr_human_bytes ((double) t->memory).text, t->card);
      if (runs->scale > 1)
	fprintf (memory, ", scale 1/%" PRIu64, runs->scale);
      fprintf (memory, "), where all %s fit, with ", ummgr_human_bytes ((double) runs->data).text);
    }
  if (runs->unify)
    fputs ("ummgr cc --unify and ", memory);
  fprintf (memory, "--policy=%s", t->policy);
  if (*t->option)
    fprintf (memory, " %s", t->option);
  if (!runs->unify && t->kind == UMMGR_RUN_POLICY)
    fprintf (memory, " instead of %s", runs->policy);
  fputs (": ", memory);
  put_gain (memory, runs, t);
  if (fclose (memory) == 0)
    ummgr_diagnosis_wrapped (out, "   ", text);
  free (text);
}

/* A replay that goes otherwise than the run did says less of others.  */
static bool
is_off (const struct ummgr_runs *runs)
{
  enum { OFF = 10 };		/* Per cent.  */
  double by = runs->again / runs->seconds * 100 - 100;
  return runs->again > 0 && (by > OFF || by < -OFF);
}

void
ummgr_runs_text (FILE *out, const struct ummgr_runs *runs)
{
  double best = runs ? runs->seconds : 0;
  bool any = false;
  if (runs && runs->untried)
    fprintf (out, "\nNo other policy, option or card was tried: %s.\n", runs->untried);
  if (!runs || runs->untried)
    return;
  for (unsigned k = 0; k < UMMGR_RUN_KINDS; k++)
    {
      const struct ummgr_run_tried *t = ummgr_runs_best (runs, k, best);
      if (!t)
	continue;
      if (!any)
	fputs ("\nWithout a change of the source:\n", out);
      any = true;
      put_line (out, runs, t);
      best = t->seconds;
    }
  if (any && is_off (runs))
    fprintf (out, "   A replay of the run as it was takes %s.\n", ummgr_human_seconds (runs->again).text);
}

static json_t *
tried_json (const struct ummgr_runs *runs, const struct ummgr_run_tried *t, double before)
{
  static const char *const kinds[] = { "policy", "option", "card" };
  return json_pack ("{s:s, s:s, s:s, s:s, s:I, s:f, s:I, s:I, s:b}", "kind", kinds[t->kind], "policy",
		    t->policy, "option", t->option, "card", t->card, "memory", (json_int_t) t->memory,
		    "model_seconds", t->seconds, "bytes", (json_int_t) t->bytes, "evictions",
		    (json_int_t) t->evictions, "proposed", ummgr_runs_best (runs, t->kind, before) == t);
}

json_t *
ummgr_runs_json (const struct ummgr_runs *runs)
{
  if (!runs)
    return json_null ();
  json_t *all = json_array ();
  double best = runs->seconds;
  for (unsigned k = 0; k < UMMGR_RUN_KINDS && !runs->untried; k++)
    {
      for (size_t i = 0; i < runs->count; i++)
	if (runs->tried[i].kind == k)
	  json_array_append_new (all, tried_json (runs, &runs->tried[i], best));
      const struct ummgr_run_tried *t = ummgr_runs_best (runs, k, best);
      best = t ? t->seconds : best;
    }
  return json_pack ("{s:s?, s:f, s:f, s:I, s:b, s:I, s:I, s:o}", "untried", runs->untried, "model_seconds",
		    runs->seconds, "replayed_seconds", runs->again, "bytes", (json_int_t) runs->bytes, "unify",
		    runs->unify, "data", (json_int_t) runs->data, "memory", (json_int_t) runs->memory, "tried", all);
}
