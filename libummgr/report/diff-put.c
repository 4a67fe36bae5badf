/* Differences between two runs, as text, HTML and JSON.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "report/diff-rows.h"
#include "report/html.h"
#include "report/sheet.h"

#include "base/json-text.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 40, HTML_ROWS = 1000 };

static const char *
only_in (const struct ummgr_diff_row *row)
{
  return !row->a ? "new" : !row->b ? "gone" : "";
}

/* So many LINES, of totals where they have a RATIO, else of settings.  */
static void
put_lines (struct ummgr_sheet *s, const char *title, const struct ummgr_diff_line *lines,
	   size_t count, bool ratio)
{
  if (!count)
    return;
  ummgr_sheet_begin (s, title);
  ummgr_sheet_head (s, true, "", NULL);
  ummgr_sheet_head (s, !ratio, "before", NULL);
  ummgr_sheet_head (s, !ratio, "after", NULL);
  if (ratio)
    ummgr_sheet_head (s, false, "after/before", NULL);
  for (const struct ummgr_diff_line *l = lines; l < lines + count; l++)
    {
      ummgr_sheet_row (s);
      ummgr_sheet_text (s, true, l->name);
      ummgr_sheet_value (s, &l->a, 0);
      ummgr_sheet_value (s, &l->b, 0);
      if (ratio)
	ummgr_sheet_text (s, false, ummgr_report_ratio_text (&l->a, &l->b).text);
    }
  ummgr_sheet_end (s, NULL);
}

/* NAME: what ROW is called in place of its first column, or NULL.  */
static void
put_row (struct ummgr_sheet *s, const struct ummgr_diff_table *t, const struct ummgr_diff_row *row,
	 const char *name)
{
  char text[700];
  ummgr_sheet_row (s);
  for (size_t c = 0; c < t->name_count; c++)
    {
      ummgr_diff_human (row, t->names[c], text, sizeof text);
      ummgr_sheet_text (s, true, !c && name ? name : text);
    }
  ummgr_sheet_text (s, true, only_in (row));
  for (size_t c = 0; c < t->column_count; c++)
    {
      ummgr_diff_human (row, t->columns[c], text, sizeof text);
      ummgr_sheet_text (s, t->columns[c]->kind == UMMGR_REPORT_TEXT, text);
    }
}

/* "3 more differ; 1 more is as before".  */
static void
note_of (const struct ummgr_diff_table *t, size_t shown, char *buf, size_t size)
{
  size_t at = 0;
  *buf = 0;
  if (shown < t->count)
    at = (size_t) snprintf (buf, size, "%zu more differ%s", t->count - shown, t->same ? "; " : "");
  if (t->same)
    snprintf (buf + at, size - at, "%zu more %s as before", t->same, t->same == 1 ? "is" : "are");
}

/* What the first SHOWN rows of T are called in S; NULL: as they are.  */
static char **
row_names (const struct ummgr_sheet *s, const struct ummgr_diff_table *t, size_t shown)
{
  char **names = t->name_count && !s->html ? calloc (shown + 1, sizeof *names) : NULL, text[700];
  for (size_t r = 0; names && r < shown; r++)
    {
      ummgr_diff_human (&t->rows[r], t->names[0], text, sizeof text);
      names[r] = strdup (text);
    }
  return ummgr_sheet_names (s, names, shown);
}

static void
put_table (struct ummgr_sheet *s, const struct ummgr_diff_table *t)
{
  char note[120];
  size_t most = s->html ? HTML_ROWS : ROWS, shown = t->count < most ? t->count : most;
  if (!t->count)
    return;
  ummgr_sheet_begin (s, t->title);
  for (size_t c = 0; c < t->name_count; c++)
    ummgr_sheet_column (s, t->names[c]);
  ummgr_sheet_head (s, true, "", NULL);
  for (size_t c = 0; c < t->column_count; c++)
    ummgr_sheet_column (s, t->columns[c]);
  char **names = row_names (s, t, shown);
  for (size_t r = 0; r < shown; r++)
    put_row (s, t, &t->rows[r], names ? names[r] : NULL);
  ummgr_report_names_free (names, shown);
  note_of (t, shown, note, sizeof note);
  ummgr_sheet_end (s, note);
}

static void
put_all (struct ummgr_sheet *s, const struct ummgr_report_run *a, const struct ummgr_report_run *b)
{
  struct ummgr_diff d;
  const char *nothing = ummgr_diff_make (a, b, &d) ? "Nothing differs." : "No memory to compare them.";
  bool any = d.totals > 0;
  put_lines (s, "Set differently", d.lines, d.settings, false);
  put_lines (s, "Totals that differ", d.lines + d.settings, d.totals, true);
  for (size_t n = 0; n < UMMGR_DIFF_TABLES; n++)
    {
      put_table (s, &d.tables[n]);
      any |= d.tables[n].count > 0;
    }
  if (!any)
    fprintf (s->out, s->html ? "<p>%s</p>\n" : "\n%s\n", nothing);
  ummgr_diff_free (&d);
}

void
ummgr_report_diff_text (FILE *out, const struct ummgr_report_run *a, const struct ummgr_report_run *b)
{
  char from[400], to[400];
  fprintf (out, "%s -> %s\n", ummgr_utf8_print (from, sizeof from, a->name),
	   ummgr_utf8_print (to, sizeof to, b->name));
  put_all (&(struct ummgr_sheet) { .out = out }, a, b);
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
  put_all (&(struct ummgr_sheet) { .out = out, .html = true }, a, b);
  ummgr_report_page_end (out);
}

static json_t *
value_json (const struct ummgr_report_value *v)
{
  return ummgr_json_string (v->present ? v->text : NULL);
}

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
  struct ummgr_diff d;
  json_t *settings = json_object (), *out = NULL;
  if (ummgr_diff_make (a, b, &d))
    out = json_pack ("{s:o, s:o, s:O, s:O?, s:O?}", "before", ummgr_json_string (a->name), "after",
		     ummgr_json_string (b->name), "settings", settings, "totals_before",
		     json_object_get (a->stats, "totals"), "totals_after",
		     json_object_get (b->stats, "totals"));
  for (size_t i = 0; i < d.settings; i++)
    json_object_set_new (settings, d.lines[i].name, json_pack (
      "{s:o, s:o}", "before", value_json (&d.lines[i].a), "after", value_json (&d.lines[i].b)));
  for (size_t n = 0; out && n < UMMGR_DIFF_TABLES; n++)
    json_object_set_new (out, d.tables[n].key, json_rows (&d.tables[n]));
  ummgr_diff_free (&d);
  json_decref (settings);
  return out;
}
