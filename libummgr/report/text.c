/* Reports as text.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "report/compare.h"
#include "report/ranks.h"
#include "report/tracks.h"
#include "base/color.h"
#include "base/table.h"
#include "base/human.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

/* Rows of a table, and columns of a word.  */
#define ROWS 40
#define REASONS 10
#define WIDEST 44

static const char *
cell (const json_t *row, const struct ummgr_report_column *c, char *buf,
      size_t size)
{
  struct ummgr_report_value v = ummgr_report_value (row, c);
  ummgr_report_human (&v, buf, size);
  return buf;
}

static void
put_title (FILE *out, const char *title)
{
  fputc ('\n', out);
  ummgr_color_put (out, UMMGR_COLOR_HEAD);
  fputs (title, out);
  ummgr_color_put (out, UMMGR_COLOR_NONE);
  fputc ('\n', out);
}

/* What other processes had of each device.  */
static void
put_others (struct ummgr_table *table, const json_t *stats)
{
  size_t i;
  json_t *device;
  json_array_foreach (json_object_get (stats, "per_device"), i, device)
    {
      const json_t *others = json_object_get (device, "others");
      double processes = ummgr_report_field (others, "processes");
      if (processes > 0)
	ummgr_table_add (table, "memory of other processes, GPU %.0f\t%s\t(at most, of %.0f; %s were this one's)\n",
			 ummgr_report_field (device, "device"),
			 ummgr_human_bytes (ummgr_report_whole (ummgr_report_field (others, "bytes"))).text, processes,
			 ummgr_human_bytes (ummgr_report_whole (ummgr_report_field (others, "room"))).text);
    }
}

static void
put_totals (FILE *out, const json_t *stats)
{
  static const struct ummgr_report_column measured[] = {
    { "wall_seconds", "wall clock", UMMGR_REPORT_SECONDS, NULL },
    { "decisions", "decisions", UMMGR_REPORT_COUNT, NULL }
  };
  const json_t *totals = json_object_get (stats, "totals");
  struct ummgr_table table = { .columns = "lrl", .indent = "  " };
  char human[64], exact[64];
  for (const struct ummgr_report_column *c = ummgr_report_totals; c->key; c++)
    {
      struct ummgr_report_value v = ummgr_report_value (totals, c);
      if (!v.present || !ummgr_report_shows (stats, c))
	continue;
      ummgr_report_human (&v, human, sizeof human);
      ummgr_report_exact (&v, exact, sizeof exact);
      ummgr_table_add (&table, "%s\t%s", c->title, human);
      if (strcmp (human, exact) != 0)
	ummgr_table_add (&table, "\t(%s)", exact);
      ummgr_table_add (&table, "\n");
    }
  ummgr_table_add (&table, "%s\t%s\t(measured)\n", measured[0].title,
		   cell (stats, &measured[0], human, sizeof human));
  ummgr_table_add (&table, "%s\t%s", measured[1].title,
		   cell (stats, &measured[1], human, sizeof human));
  double decisions = ummgr_report_field (stats, "decisions");
  if (decisions)
    ummgr_table_add (&table, "\t(%.0f ns each)",
		     ummgr_report_field (stats, "decision_ns") / decisions);
  ummgr_table_add (&table, "\n");
  double layouts = ummgr_report_field (stats, "layouts");
  if (layouts > 0)
    ummgr_table_add (&table, "launches laid out\t%.0f\t(%.1f us each)\n", layouts,
		     ummgr_report_field (stats, "layout_ns") / layouts / 1000);
  double kept = ummgr_report_field (stats, "kept");
  if (kept > 0)
    ummgr_table_add (&table, "mappings that found their data\t%.0f\t(%s not copied)\n", kept,
		     ummgr_human_bytes (ummgr_report_field (stats, "kept_bytes")).text);
  double discarded = ummgr_report_field (stats, "discarded_bytes");
  if (discarded > 0)
    ummgr_table_add (&table, "of no use any more, not moved\t%s\n", ummgr_human_bytes (discarded).text);
  put_others (&table, stats);
  put_title (out, "Totals");
  ummgr_table_end (&table, out);
}

static void
put_line (FILE *out, const char *label, const char *text)
{
  char line[400];
  fprintf (out, "%s%s\n", label, ummgr_utf8_print (line, sizeof line, text));
}

/* Reasons that the table of objects has no room for.  */
static void
put_reasons (FILE *out, const json_t *stats)
{
  struct ummgr_report_table table;
  struct ummgr_table lines = { .columns = "ll", .indent = "  " };
  bool any = false;
  if (!ummgr_report_objects (stats, REASONS, &table))
    return;
  for (size_t i = 0; i < table.shown; i++)
    {
      const char *reason = ummgr_report_string (table.rows[i], "reason", "");
      char name[128];
      if (strlen (reason) <= WIDEST)
	continue;
      any = true;
      ummgr_table_add (&lines, "%s\t%s: %s\n", cell (table.rows[i], &ummgr_report_object_columns[0], name, sizeof name),
		       ummgr_report_string (table.rows[i], "place", "?"), reason);
    }
  if (any)
    {
      put_title (out, "Where objects are, and why");
      ummgr_table_end (&lines, out);
    }
  free (table.rows);
}

static void
put_run (FILE *out, const struct ummgr_report_run *run)
{
  char line[400];
  put_line (out, "", run->name);
  ummgr_report_headline (run->stats, line, sizeof line);
  put_line (out, "  ", line);
  const char *scaling = ummgr_report_string (run->stats, "scaling", NULL);
  if (scaling)
    put_line (out, "  scaling: ", scaling);
  const char *fidelity = ummgr_report_string (run->stats, "fidelity", NULL);
  if (fidelity)
    put_line (out, "  local and remote bytes found by: ", fidelity);
  const char *order = ummgr_report_string (run->stats, "order", NULL);
  if (order)
    put_line (out, "  order of accesses: ", order);
  if (ummgr_compare_failed (run->stats, line, sizeof line))
    put_line (out, "  ", line);
  if (ummgr_report_host (run->stats, line, sizeof line))
    put_line (out, "  ", line);
  put_totals (out, run->stats);
  ummgr_report_timeline_text (out, run->stats);
  struct ummgr_sheet sheet = { .out = out, .widest = WIDEST };
  ummgr_ranks_put (&sheet, run->stats, ROWS);
  ummgr_sheet_tables (&sheet, run->stats, ROWS);
  put_reasons (out, run->stats);
  if (run->diagnosis && run->diagnosis_text)
    {
      fputc ('\n', out);
      run->diagnosis_text (out, run->diagnosis);
    }
}

void
ummgr_report_text (FILE *out, const struct ummgr_report_run *runs,
		   size_t count)
{
  if (count > 1)
    {
      ummgr_compare_put (&(struct ummgr_sheet) { .out = out, .top = true, .widest = WIDEST }, runs, count);
      fputc ('\n', out);
    }
  for (size_t i = 0; i < count; i++)
    {
      if (i)
	fputc ('\n', out);
      put_run (out, &runs[i]);
    }
}
