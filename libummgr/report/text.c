/* Reports as text.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "report/value.h"
#include "base/color.h"
#include "base/table.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

/* Rows of a table, and columns of a word.  */
#define ROWS 40
#define WIDEST 44

/* Text from a file must not drive the terminal: control characters become
   '?'.  What is longer than WIDEST keeps its end, which tells more.  */
static const char *
clean (char *text)
{
  size_t width = 0;
  ummgr_utf8_make_printable (text, strlen (text));
  for (char *p = text; *p;)
    {
      p += ummgr_utf8_length (p);
      width++;
    }
  if (width <= WIDEST)
    return text;
  char *keep = text;
  for (size_t skip = width - (WIDEST - 3); skip; skip--)
    keep += ummgr_utf8_length (keep);
  memmove (text + 3, keep, strlen (keep) + 1);
  memcpy (text, "...", 3);
  return text;
}

static const char *
cell (const json_t *row, const struct ummgr_report_column *c, char *buf,
      size_t size)
{
  struct ummgr_report_value v = ummgr_report_value (row, c);
  ummgr_report_human (&v, buf, size);
  return clean (buf);
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

static void
put_table (FILE *out, const struct ummgr_report_table *t)
{
  char text[400], columns[17] = "";
  struct ummgr_table table = { .columns = columns, .indent = "  ", .head = true };
  for (size_t c = 0; c < t->column_count; c++)
    {
      columns[c] = t->columns[c]->kind == UMMGR_REPORT_TEXT ? 'l' : 'r';
      ummgr_table_add (&table, "%s%s", c ? "\t" : "", t->columns[c]->title);
    }
  for (size_t r = 0; r < t->shown; r++)
    for (size_t c = 0; c < t->column_count; c++)
      ummgr_table_add (&table, "%c%s", c ? '\t' : '\n',
		       cell (t->rows[r], t->columns[c], text, sizeof text));
  ummgr_table_add (&table, "\n");
  put_title (out, t->title);
  ummgr_table_end (&table, out);
  if (t->shown < t->count)
    fprintf (out, "  (%zu more in the statistics)\n", t->count - t->shown);
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
  put_title (out, "Totals");
  ummgr_table_end (&table, out);
}

static void
put_matrix (FILE *out, const struct ummgr_report_matrix *m)
{
  static const char columns[2 + UMMGR_FIGURES_GPUS + 1] = "lrrrrrrrrrrrrrrrrr";
  struct ummgr_table table = { .columns = columns, .indent = "  ", .head = true };
  char text[64];
  if (!m->gpus)
    return;
  for (size_t j = 0; j < ummgr_report_owners (m); j++)
    {
      ummgr_report_owner (m, j, text, sizeof text);
      ummgr_table_add (&table, "\t%s", text);
    }
  for (size_t i = 0; i < m->gpus; i++)
    {
      ummgr_table_add (&table, "\nGPU %zu", i);
      for (size_t j = 0; j < ummgr_report_owners (m); j++)
	{
	  struct ummgr_report_value v = ummgr_report_between (m, i, j);
	  ummgr_report_human (&v, text, sizeof text);
	  ummgr_table_add (&table, "\t%s", text);
	}
    }
  ummgr_table_add (&table, "\n");
  put_title (out, m->title);
  ummgr_table_end (&table, out);
}

static void
put_line (FILE *out, const char *label, const char *text)
{
  char line[400];
  fprintf (out, "%s%s\n", label, ummgr_utf8_print (line, sizeof line, text));
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
  if (ummgr_report_host (run->stats, line, sizeof line))
    put_line (out, "  ", line);
  put_totals (out, run->stats);
  struct ummgr_report_table table;
  if (ummgr_report_regions (run->stats, ROWS, &table) && table.count)
    put_table (out, &table);
  free (table.rows);
  if (ummgr_report_objects (run->stats, ROWS, &table) && table.count)
    put_table (out, &table);
  free (table.rows);
  struct ummgr_report_matrix matrix;
  for (size_t n = 0; ummgr_report_matrix (run->stats, n, &matrix); n++)
    put_matrix (out, &matrix);
  if (run->diagnosis && run->diagnosis_text)
    {
      fputc ('\n', out);
      run->diagnosis_text (out, run->diagnosis);
    }
}

static void
put_comparison (FILE *out, const struct ummgr_report_run *runs, size_t count)
{
  struct ummgr_table table = { .columns = "llrrrrrrr", .indent = "  ", .head = true };
  char text[400];
  ummgr_table_add (&table, "run\tpolicy");
  for (const struct ummgr_report_column *c = ummgr_report_compared; c->key;
       c++)
    if (ummgr_report_compares (runs, count, c))
      ummgr_table_add (&table, "\t%s", c->title);
  for (size_t i = 0; i < count; i++)
    {
      const json_t *stats = runs[i].stats;
      snprintf (text, sizeof text, "%s", runs[i].name);
      ummgr_table_add (&table, "\n%s", clean (text));
      snprintf (text, sizeof text, "%s",
		ummgr_report_string (stats, "policy", "-"));
      ummgr_table_add (&table, "\t%s", clean (text));
      for (const struct ummgr_report_column *c = ummgr_report_compared;
	   c->key; c++)
	if (ummgr_report_compares (runs, count, c))
	  ummgr_table_add (&table, "\t%s",
			   cell (json_object_get (stats, "totals"), c, text, sizeof text));
    }
  ummgr_table_add (&table, "\n");
  fputs ("Comparison\n", out);
  ummgr_table_end (&table, out);
  fputc ('\n', out);
}

void
ummgr_report_text (FILE *out, const struct ummgr_report_run *runs,
		   size_t count)
{
  if (count > 1)
    put_comparison (out, runs, count);
  for (size_t i = 0; i < count; i++)
    {
      if (i)
	fputc ('\n', out);
      put_run (out, &runs[i]);
    }
}
