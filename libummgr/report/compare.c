/* Several runs side by side.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "report/compare.h"
#include "report/ranks.h"
#include "base/json-text.h"
#include "base/log.h"

#include <stdlib.h>
#include <string.h>

bool
ummgr_compare_failed (const json_t *stats, char *buf, size_t size)
{
  return ummgr_report_ended_badly (stats, buf, size) || ummgr_ranks_failed (stats, buf, size);
}

bool
ummgr_compare_unfit (const json_t *stats, char *buf, size_t size)
{
  return ummgr_compare_failed (stats, buf, size)
	 || (ummgr_report_launches (stats) <= 0 && ummgr_report_host (stats, buf, size));
}

static const char *
program_of (const struct ummgr_report_run *run)
{
  return ummgr_report_base_name (ummgr_report_string (run->stats, "program", "unknown program"));
}

static bool
is_of (const struct ummgr_report_run *a, const struct ummgr_report_run *b)
{
  return strcmp (program_of (a), program_of (b)) == 0;
}

/* The characters of directories in which all RUNS are.  */
static size_t
common_directory (const struct ummgr_report_run *runs, size_t count)
{
  size_t length = count ? strlen (runs[0].name) : 0;
  for (size_t i = 1; i < count; i++)
    {
      size_t same = 0;
      while (same < length && runs[i].name[same] == runs[0].name[same])
	same++;
      length = same;
    }
  while (length && runs[0].name[length - 1] != '/')
    length--;
  return length;
}

/* Those of GROUP's program, in three rounds: its baseline, what else is fit, and the rest.  */
enum round { BASELINE, FIT, UNFIT, ROUNDS };

static void
group_fill (struct ummgr_compare_group *group, const struct ummgr_compare_row *all, size_t count,
	    size_t first, size_t baseline)
{
  for (int round = BASELINE; round < ROUNDS; round++)
    for (size_t i = first; i < count; i++)
      {
	enum round own = *all[i].unfit ? UNFIT : i == baseline ? BASELINE : FIT;
	if ((int) own != round || !is_of (all[i].run, all[first].run))
	  continue;
	group->rows[group->count++] = all[i];
	group->fit += own != UNFIT;
      }
  group->baseline = group->fit ? group->rows : NULL;
}

/* The baseline of those that are of FIRST's program: the one that was named, or the first that is
   fit.  */
static size_t
find_baseline (const struct ummgr_compare_row *all, size_t count, size_t first)
{
  size_t found = count;
  for (size_t i = first; i < count; i++)
    if (is_of (all[i].run, all[first].run) && !*all[i].unfit)
      {
	if (all[i].run->baseline)
	  return i;
	if (found == count)
	  found = i;
      }
  return found;
}

static bool
is_first (const struct ummgr_compare_row *all, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (is_of (all[i].run, all[n].run))
      return false;
  return true;
}

bool
ummgr_compare_make (const struct ummgr_report_run *runs, size_t count, struct ummgr_compare *out)
{
  struct ummgr_compare_row *all = calloc (count + 1, sizeof *all);
  size_t common = common_directory (runs, count);
  *out = (struct ummgr_compare) { calloc (count + 1, sizeof *out->groups), 0,
				  calloc (count + 1, sizeof *out->rows) };
  struct ummgr_compare_row *next = out->rows;
  bool good = all && out->groups && out->rows;
  for (size_t i = 0; i < count && good; i++)
    {
      all[i] = (struct ummgr_compare_row) { .run = &runs[i], .name = runs[i].name + common };
      ummgr_compare_unfit (runs[i].stats, all[i].unfit, sizeof all[i].unfit);
    }
  for (size_t i = 0; i < count && good; i++)
    if (is_first (all, i))
      {
	struct ummgr_compare_group *group = &out->groups[out->count++];
	*group = (struct ummgr_compare_group) { .program = program_of (&runs[i]), .rows = next };
	group_fill (group, all, count, i, find_baseline (all, count, i));
	next += group->count;
      }
  free (all);
  return good;
}

void
ummgr_compare_free (struct ummgr_compare *compare)
{
  free (compare->groups);
  free (compare->rows);
}

/* RUN was named as a baseline: can it be one?  */
static bool
is_baseline (const struct ummgr_report_run *run, const struct ummgr_report_run *runs, size_t count)
{
  char why[240];
  if (ummgr_compare_unfit (run->stats, why, sizeof why))
    {
      ummgr_error ("report: --baseline=%s: %s; name a run that went well", run->name, why);
      return false;
    }
  for (size_t i = 0; i < count; i++)
    if (&runs[i] != run && runs[i].baseline && is_of (&runs[i], run))
      {
	ummgr_error ("report: --baseline=%s: '%s' has one already, %s; name one for each program",
		     run->name, program_of (run), runs[i].name);
	return false;
      }
  return true;
}

enum ummgr_status
ummgr_report_check_baselines (const struct ummgr_report_run *runs, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (runs[i].baseline && !is_baseline (&runs[i], runs, count))
      return UMMGR_ERR_INVALID;
  return UMMGR_OK;
}

/* --- tables --------------------------------------------------------------------------- */

static struct ummgr_report_value
total_of (const struct ummgr_compare_row *row, const struct ummgr_report_column *c)
{
  static const struct ummgr_report_value none;
  return *row->unfit ? none : ummgr_report_value (json_object_get (row->run->stats, "totals"), c);
}

/* The greatest of G's fit runs; 0 also where C tells nothing that others don't.  */
static double
greatest (const struct ummgr_compare_group *g, const struct ummgr_report_column *c)
{
  double most = 0;
  bool shows = false;
  for (size_t i = 0; i < g->fit; i++)
    {
      struct ummgr_report_value v = total_of (&g->rows[i], c);
      double number = ummgr_report_number (&v);
      shows |= ummgr_report_shows (g->rows[i].run->stats, c);
      most = number > most ? number : most;
    }
  return shows ? most : 0;
}

/* Is there another to compare the baseline with?  */
static bool
has_ratios (const struct ummgr_compare_group *g, const struct ummgr_report_column *c)
{
  return g->fit > 1 && c->kind != UMMGR_REPORT_COUNT;
}

static void
put_row (struct ummgr_sheet *s, const struct ummgr_compare_group *g, const struct ummgr_compare_row *row)
{
  ummgr_sheet_text (s, true, row->name);
  ummgr_sheet_text (s, true, ummgr_report_string (row->run->stats, "policy", "-"));
  for (const struct ummgr_report_column *c = ummgr_report_compared; c->key && !*row->unfit; c++)
    {
      double most = greatest (g, c);
      struct ummgr_report_value v = total_of (row, c);
      if (most > 0 && has_ratios (g, c))
	{
	  struct ummgr_report_value base = total_of (g->baseline, c);
	  ummgr_sheet_against (s, &v, &base, most);
	}
      else if (most > 0)
	ummgr_sheet_value (s, &v, most);
    }
  if (*row->unfit)
    ummgr_sheet_alarm (s, row->unfit);
}

static void
put_group (struct ummgr_sheet *s, const struct ummgr_compare_group *g)
{
  char title[400];
  snprintf (title, sizeof title, "Comparison: %s%s%s", g->program, g->fit > 1 ? ", ratios to " : "",
	    g->fit > 1 ? g->baseline->name : "");
  ummgr_sheet_begin (s, title);
  ummgr_sheet_head (s, true, "run", NULL);
  ummgr_sheet_head (s, true, "policy", "where objects live");
  for (const struct ummgr_report_column *c = ummgr_report_compared; c->key; c++)
    if (greatest (g, c) > 0)
      (has_ratios (g, c) ? ummgr_sheet_against_column : ummgr_sheet_column) (s, c);
  for (size_t i = 0; i < g->count; i++)
    {
      if (i && i == g->fit)
	ummgr_sheet_apart (s);
      else
	ummgr_sheet_row (s);
      put_row (s, g, &g->rows[i]);
    }
  ummgr_sheet_end (s, NULL);
}

void
ummgr_compare_put (struct ummgr_sheet *s, const struct ummgr_report_run *runs, size_t count)
{
  struct ummgr_compare compare;
  s->classes = "sortable compare";
  if (ummgr_compare_make (runs, count, &compare))
    for (size_t i = 0; i < compare.count; i++)
      {
	put_group (s, &compare.groups[i]);
	s->top = false;
      }
  ummgr_compare_free (&compare);
}

/* --- JSON ----------------------------------------------------------------------------- */

static json_t *
ratios_json (const struct ummgr_compare_group *g, const struct ummgr_compare_row *row)
{
  json_t *out = json_object ();
  for (const struct ummgr_report_column *c = ummgr_report_compared; c->key; c++)
    {
      struct ummgr_report_value base = total_of (g->baseline, c), v = total_of (row, c);
      double ratio = ummgr_report_ratio (&base, &v);
      if (base.present && v.present && ummgr_report_number (&base) > 0)
	json_object_set_new (out, c->key, json_real (ratio));
    }
  return out;
}

static json_t *
row_json (const struct ummgr_compare_group *g, const struct ummgr_compare_row *row)
{
  const char *policy = ummgr_report_string (row->run->stats, "policy", NULL);
  json_t *out = json_pack ("{s:o, s:o, s:o, s:O}", "run", ummgr_json_string (row->run->name), "policy",
			   ummgr_json_string (policy), "unfit",
			   ummgr_json_string (*row->unfit ? row->unfit : NULL), "totals",
			   json_object_get (row->run->stats, "totals"));
  if (!*row->unfit)
    json_object_set_new (out, "ratios", ratios_json (g, row));
  if (json_object_get (row->run->stats, "ranks"))
    {
      json_object_set (out, "ranks", json_object_get (row->run->stats, "ranks"));
      json_object_set_new (out, "imbalance", ummgr_ranks_imbalance (row->run->stats));
    }
  return out;
}

json_t *
ummgr_report_json (const struct ummgr_report_run *runs, size_t count)
{
  struct ummgr_compare compare;
  json_t *groups = ummgr_compare_make (runs, count, &compare) ? json_array () : NULL;
  for (size_t i = 0; groups && i < compare.count; i++)
    {
      const struct ummgr_compare_group *g = &compare.groups[i];
      json_t *rows = json_array ();
      for (size_t r = 0; r < g->count; r++)
	json_array_append_new (rows, row_json (g, &g->rows[r]));
      json_array_append_new (groups, json_pack ("{s:o, s:o, s:o}", "program", ummgr_json_string (g->program),
						"baseline", ummgr_json_string (g->baseline ? g->baseline->run->name : NULL),
						"runs", rows));
    }
  ummgr_compare_free (&compare);
  return groups ? json_pack ("{s:i, s:o}", "version", 1, "groups", groups) : NULL;
}
