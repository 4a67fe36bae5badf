/* Differences between two runs, as text, HTML and JSON.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "report/diff-rows.h"
#include "report/html.h"

#include "base/json-text.h"
#include "base/table.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 40, HTML_ROWS = 1000 };

static const char *
only_in (const struct ummgr_diff_row *row)
{
  return !row->a ? "new" : !row->b ? "gone" : "";
}

static void
ratio_text (double ratio, char *buf, size_t size)
{
  snprintf (buf, size, ratio > 0 ? "%.3g" : "-", ratio);
}

/* --- text ----------------------------------------------------------------------------- */

static void
add_cell (struct ummgr_table *table, char *text)
{
  ummgr_utf8_make_printable (text, strlen (text));
  ummgr_table_add (table, "\t%s", text);
}

static void
text_settings (FILE *out, const struct ummgr_report_run *a, const struct ummgr_report_run *b)
{
  struct ummgr_table table = { .columns = "llll", .indent = "  ", .head = true };
  const char *name;
  char *from, *to, text[330];
  for (size_t i = 0; ummgr_diff_setting (a, b, i, &name, &from, &to); i++)
    {
      ummgr_table_add (&table, "%s", name);
      snprintf (text, sizeof text, "%s", from ? from : "-");
      add_cell (&table, text);
      ummgr_table_add (&table, "\t->");
      snprintf (text, sizeof text, "%s", to ? to : "-");
      add_cell (&table, text);
      ummgr_table_add (&table, "\n");
      free (from);
      free (to);
    }
  if (table.rows)
    ummgr_table_end (&table, out);
}

static void
text_totals (FILE *out, const struct ummgr_report_run *a, const struct ummgr_report_run *b)
{
  struct ummgr_table table = { .columns = "lrrr", .indent = "  ", .head = true };
  char from[330], to[330], ratio[32];
  ummgr_table_add (&table, "\tbefore\tafter\tafter/before\n");
  for (const struct ummgr_report_column *c = ummgr_report_totals; c->key; c++)
    {
      struct ummgr_report_value x, y;
      if (!ummgr_diff_total (a, b, c, &x, &y))
	continue;
      ummgr_report_human (&x, from, sizeof from);
      ummgr_report_human (&y, to, sizeof to);
      ratio_text (ummgr_diff_ratio (&x, &y), ratio, sizeof ratio);
      ummgr_table_add (&table, "%s\t%s\t%s\t%s\n", c->title, from, to, ratio);
    }
  fputs ("\nTotals that differ\n", out);
  ummgr_table_end (&table, out);
}

static void
text_table (FILE *out, const struct ummgr_diff_table *t)
{
  char columns[UMMGR_TABLE_COLUMNS + 1] = "", text[700];
  struct ummgr_table table = { .columns = columns, .indent = "  ", .head = true };
  size_t shown = t->count < ROWS ? t->count : ROWS, n = 0;
  for (size_t c = 0; c < t->name_count; c++)
    {
      columns[n++] = 'l';
      ummgr_table_add (&table, "%s%s", c ? "\t" : "", t->names[c]->title);
    }
  columns[n++] = 'l';
  ummgr_table_add (&table, "\t");
  for (size_t c = 0; c < t->column_count && n < UMMGR_TABLE_COLUMNS; c++)
    {
      columns[n++] = t->columns[c]->kind == UMMGR_REPORT_TEXT ? 'l' : 'r';
      ummgr_table_add (&table, "\t%s", t->columns[c]->title);
    }
  ummgr_table_add (&table, "\n");
  for (size_t r = 0; r < shown; r++)
    {
      const struct ummgr_diff_row *row = &t->rows[r];
      for (size_t c = 0; c < t->name_count; c++)
	{
	  ummgr_diff_human (row, t->names[c], text, sizeof text);
	  ummgr_utf8_make_printable (text, strlen (text));
	  ummgr_table_add (&table, "%s%s", c ? "\t" : "", text);
	}
      ummgr_table_add (&table, "\t%s", only_in (row));
      for (size_t c = 0; c < t->column_count; c++)
	{
	  ummgr_diff_human (row, t->columns[c], text, sizeof text);
	  add_cell (&table, text);
	}
      ummgr_table_add (&table, "\n");
    }
  fprintf (out, "\n%s\n", t->title);
  ummgr_table_end (&table, out);
  if (shown < t->count)
    fprintf (out, "  (%zu more differ)\n", t->count - shown);
  if (t->same)
    fprintf (out, "  (%zu more %s as before)\n", t->same, t->same == 1 ? "is" : "are");
}

static bool
totals_differ (const struct ummgr_report_run *a, const struct ummgr_report_run *b)
{
  for (const struct ummgr_report_column *c = ummgr_report_totals; c->key; c++)
    {
      struct ummgr_report_value x, y;
      if (ummgr_diff_total (a, b, c, &x, &y))
	return true;
    }
  return false;
}

void
ummgr_report_diff_text (FILE *out, const struct ummgr_report_run *a, const struct ummgr_report_run *b)
{
  char from[400], to[400];
  fprintf (out, "%s -> %s\n", ummgr_utf8_print (from, sizeof from, a->name),
	   ummgr_utf8_print (to, sizeof to, b->name));
  text_settings (out, a, b);
  bool any = totals_differ (a, b);
  if (any)
    text_totals (out, a, b);
  for (size_t n = 0; n < UMMGR_DIFF_TABLES; n++)
    {
      struct ummgr_diff_table table;
      if (ummgr_diff_table (n, a, b, &table) && table.count)
	text_table (out, &table);
      any |= table.count > 0;
      free (table.rows);
    }
  if (!any)
    fputs ("\nNothing differs.\n", out);
}

/* --- HTML ----------------------------------------------------------------------------- */

static void
html_cell (FILE *out, bool word, const char *text)
{
  fprintf (out, "<td class=\"%s\">", word ? "w" : "n");
  ummgr_report_escaped (out, text);
  fputs ("</td>", out);
}

static void
html_head (FILE *out, const char *title)
{
  fputs ("<section><h3>", out);
  ummgr_report_escaped (out, title);
  fputs ("</h3>\n<div class=\"scroll\"><table><thead><tr>", out);
}

static void
html_settings (FILE *out, const struct ummgr_report_run *a, const struct ummgr_report_run *b)
{
  const char *name;
  char *from, *to;
  for (size_t i = 0; ummgr_diff_setting (a, b, i, &name, &from, &to); i++)
    {
      if (!i)
	{
	  html_head (out, "Set differently");
	  fputs ("<th class=\"w\"></th><th class=\"w\">before</th><th class=\"w\">after</th></tr></thead>\n<tbody>\n", out);
	}
      fputs ("<tr>", out);
      html_cell (out, true, name);
      html_cell (out, true, from ? from : "-");
      html_cell (out, true, to ? to : "-");
      fputs ("</tr>\n", out);
      free (from);
      free (to);
    }
  if (ummgr_diff_setting (a, b, 0, &name, &from, &to))
    {
      free (from);
      free (to);
      fputs ("</tbody></table></div></section>\n", out);
    }
}

static void
html_totals (FILE *out, const struct ummgr_report_run *a, const struct ummgr_report_run *b)
{
  char ratio[32];
  html_head (out, "Totals that differ");
  fputs ("<th class=\"w\"></th><th class=\"n\">before</th><th class=\"n\">after</th>"
	 "<th class=\"n\">after/before</th></tr></thead>\n<tbody>\n", out);
  for (const struct ummgr_report_column *c = ummgr_report_totals; c->key; c++)
    {
      struct ummgr_report_value x, y;
      if (!ummgr_diff_total (a, b, c, &x, &y))
	continue;
      fputs ("<tr>", out);
      html_cell (out, true, c->title);
      ummgr_report_cell (out, &x, 0);
      ummgr_report_cell (out, &y, 0);
      ratio_text (ummgr_diff_ratio (&x, &y), ratio, sizeof ratio);
      html_cell (out, false, ratio);
      fputs ("</tr>\n", out);
    }
  fputs ("</tbody></table></div></section>\n", out);
}

static void
html_table (FILE *out, const struct ummgr_diff_table *t)
{
  char text[700];
  size_t shown = t->count < HTML_ROWS ? t->count : HTML_ROWS;
  html_head (out, t->title);
  for (size_t c = 0; c < t->name_count; c++)
    fprintf (out, "<th class=\"w\" title=\"%s\">%s</th>", t->names[c]->help, t->names[c]->title);
  fputs ("<th class=\"w\"></th>", out);
  for (size_t c = 0; c < t->column_count; c++)
    fprintf (out, "<th class=\"%s\" title=\"%s\">%s</th>",
	     t->columns[c]->kind == UMMGR_REPORT_TEXT ? "w" : "n", t->columns[c]->help,
	     t->columns[c]->title);
  fputs ("</tr></thead>\n<tbody>\n", out);
  for (size_t r = 0; r < shown; r++)
    {
      const struct ummgr_diff_row *row = &t->rows[r];
      fputs ("<tr>", out);
      for (size_t c = 0; c < t->name_count; c++)
	{
	  ummgr_diff_human (row, t->names[c], text, sizeof text);
	  html_cell (out, true, text);
	}
      html_cell (out, true, only_in (row));
      for (size_t c = 0; c < t->column_count; c++)
	{
	  ummgr_diff_human (row, t->columns[c], text, sizeof text);
	  html_cell (out, t->columns[c]->kind == UMMGR_REPORT_TEXT, text);
	}
      fputs ("</tr>\n", out);
    }
  fputs ("</tbody></table></div>\n", out);
  if (shown < t->count || t->same)
    fprintf (out, "<p class=\"note\">%zu more differ, %zu are as before.</p>\n", t->count - shown,
	     t->same);
  fputs ("</section>\n", out);
}

void
ummgr_report_diff_html (FILE *out, const struct ummgr_report_run *a, const struct ummgr_report_run *b)
{
  char title[400];
  snprintf (title, sizeof title, "%s -> %s", a->name, b->name);
  ummgr_report_page_begin (out, title);
  fputs ("<h2>", out);
  ummgr_report_escaped (out, title);
  fputs ("</h2>\n", out);
  html_settings (out, a, b);
  bool any = totals_differ (a, b);
  if (any)
    html_totals (out, a, b);
  for (size_t n = 0; n < UMMGR_DIFF_TABLES; n++)
    {
      struct ummgr_diff_table table;
      if (ummgr_diff_table (n, a, b, &table) && table.count)
	html_table (out, &table);
      any |= table.count > 0;
      free (table.rows);
    }
  if (!any)
    fputs ("<p>Nothing differs.</p>\n", out);
  ummgr_report_page_end (out);
}

/* --- JSON ----------------------------------------------------------------------------- */

/* The rows as the statistics have them: null where one has not.  */
static json_t *
json_rows (const struct ummgr_diff_table *t)
{
  json_t *rows = json_array ();
  for (size_t r = 0; r < t->count; r++)
    json_array_append_new (rows, json_pack ("{s:O?, s:O?}", "before", (json_t *) t->rows[r].a, "after",
					    (json_t *) t->rows[r].b));
  return json_pack ("{s:o, s:I}", "differ", rows, "same", (json_int_t) t->same);
}

json_t *
ummgr_report_diff_json (const struct ummgr_report_run *a, const struct ummgr_report_run *b)
{
  json_t *settings = json_object ();
  const char *name;
  char *from, *to;
  for (size_t i = 0; ummgr_diff_setting (a, b, i, &name, &from, &to); i++)
    {
      json_object_set_new (settings, name, json_pack ("{s:o, s:o}", "before", ummgr_json_string (from), "after",
						      ummgr_json_string (to)));
      free (from);
      free (to);
    }
  json_t *out = json_pack ("{s:o, s:o, s:o, s:O?, s:O?}", "before", ummgr_json_string (a->name), "after",
			   ummgr_json_string (b->name), "settings", settings, "totals_before",
			   json_object_get (a->stats, "totals"), "totals_after",
			   json_object_get (b->stats, "totals"));
  for (size_t n = 0; out && n < UMMGR_DIFF_TABLES; n++)
    {
      struct ummgr_diff_table table;
      if (ummgr_diff_table (n, a, b, &table))
	json_object_set_new (out, table.key, json_rows (&table));
      free (table.rows);
    }
  return out;
}
