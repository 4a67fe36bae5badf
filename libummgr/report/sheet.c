/* A table of a report, written as text or into a page.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state but the sheet's.  */

#include "config.h"
#include "report/sheet.h"
#include "report/html.h"
#include "base/color.h"
#include "base/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Text from a file must not drive the terminal: control characters become '?'.  What is longer than
   WIDEST, which is not 0, keeps its end, which tells more.  A copy; NULL without memory.  */
static char *
printable (const char *given, size_t widest)
{
  size_t width = 0;
  char *text = strdup (given);
  if (!text)
    return NULL;
  ummgr_utf8_make_printable (text, strlen (text));
  for (char *p = text; *p; width++)
    p += ummgr_utf8_length (p);
  if (!widest || width <= widest)
    return text;
  char *keep = text;
  for (size_t skip = width - (widest - 3); skip; skip--)
    keep += ummgr_utf8_length (keep);
  memmove (text + 3, keep, strlen (keep) + 1);
  memcpy (text, "...", 3);
  return text;
}

static const char *
class_of (bool word)
{
  return word ? "w" : "n";
}

void
ummgr_sheet_begin (struct ummgr_sheet *s, const char *title)
{
  s->heads = s->cells = 0;
  s->body = s->wide = false;
  if (!s->html)
    {
      memset (s->columns, 0, sizeof s->columns);
      s->table = (struct ummgr_table) { .columns = s->columns, .indent = "  ", .head = true };
      char *text = printable (title, 0);
      if (!s->top)
	fputc ('\n', s->out);
      ummgr_color_put (s->out, UMMGR_COLOR_HEAD);
      fputs (text ? text : "", s->out);
      ummgr_color_put (s->out, UMMGR_COLOR_NONE);
      fputc ('\n', s->out);
      free (text);
      return;
    }
  fputs ("<section><h3>", s->out);
  ummgr_report_escaped (s->out, title);
  fprintf (s->out, "</h3>\n<div class=\"scroll\"><table class=\"%s\"><thead><tr>",
	   s->classes ? s->classes : "");
}

void
ummgr_sheet_head (struct ummgr_sheet *s, bool word, const char *title, const char *help)
{
  if (s->heads == UMMGR_TABLE_COLUMNS)
    return;
  s->columns[s->heads] = word ? 'l' : 'r';
  if (!s->html)
    ummgr_table_add (&s->table, "%s%s", s->heads ? "\t" : "", title);
  else if (help)
    fprintf (s->out, "<th class=\"%s\" title=\"%s\">%s</th>", class_of (word), help, title);
  else
    fprintf (s->out, "<th class=\"%s\">%s</th>", class_of (word), title);
  s->heads++;
}

void
ummgr_sheet_column (struct ummgr_sheet *s, const struct ummgr_report_column *c)
{
  ummgr_sheet_head (s, c->kind == UMMGR_REPORT_TEXT, c->title, c->help);
}

static void
leave_row (struct ummgr_sheet *s)
{
  if (!s->html)
    ummgr_table_add (&s->table, "\n");
  else
    fputs (s->body ? "</tr>\n" : "</tr></thead>\n<tbody>\n", s->out);
}

static void
enter_row (struct ummgr_sheet *s, const char *tags)
{
  leave_row (s);
  if (s->html)
    fputs (tags, s->out);
  s->body = true;
  s->cells = s->tabs = 0;
}

void
ummgr_sheet_row (struct ummgr_sheet *s)
{
  enter_row (s, "<tr>");
}

void
ummgr_sheet_last (struct ummgr_sheet *s)
{
  enter_row (s, "</tbody><tbody>\n<tr>");
}

void
ummgr_sheet_apart (struct ummgr_sheet *s)
{
  ummgr_sheet_last (s);
  if (!s->html)
    ummgr_table_end (&s->table, s->out);
  s->wide = !s->html;
}

/* Is there a column left?  */
static bool
next_cell (struct ummgr_sheet *s)
{
  if (s->cells == s->heads)
    return false;
  s->tabs += s->cells > 0;
  s->cells++;
  return true;
}

/* Nothing ends a row that nothing follows: no spaces at a line's end.  */
static void
add_text (struct ummgr_sheet *s, const char *text, size_t widest)
{
  if (!*text)
    return;
  for (; s->tabs; s->tabs--)
    ummgr_table_add (&s->table, "\t");
  char *copy = printable (text, widest);
  ummgr_table_add (&s->table, "%s", copy ? copy : "?");
  free (copy);
}

void
ummgr_sheet_text (struct ummgr_sheet *s, bool word, const char *text)
{
  if (!next_cell (s))
    return;
  if (!s->html)
    {
      add_text (s, text, s->widest);
      return;
    }
  fprintf (s->out, "<td class=\"%s\">", class_of (word));
  ummgr_report_escaped (s->out, text);
  fputs ("</td>", s->out);
}

void
ummgr_sheet_value (struct ummgr_sheet *s, const struct ummgr_report_value *v, double most)
{
  char text[400];
  if (!next_cell (s))
    return;
  if (s->html)
    {
      ummgr_report_cell (s->out, v, most, NULL);
      return;
    }
  ummgr_report_human (v, text, sizeof text);
  add_text (s, text, s->widest);
}

void
ummgr_sheet_against_column (struct ummgr_sheet *s, const struct ummgr_report_column *c)
{
  ummgr_sheet_column (s, c);
  if (!s->html)
    ummgr_sheet_head (s, false, "ratio", NULL);
}

void
ummgr_sheet_against (struct ummgr_sheet *s, const struct ummgr_report_value *v,
		     const struct ummgr_report_value *base, double most)
{
  const struct ummgr_ratio_text ratio = ummgr_report_ratio_text (base, v);
  if (!s->html)
    {
      ummgr_sheet_value (s, v, most);
      ummgr_sheet_text (s, false, ratio.text);
    }
  else if (next_cell (s))
    ummgr_report_cell (s->out, v, most, ratio.text);
}

void
ummgr_sheet_alarm (struct ummgr_sheet *s, const char *text)
{
  size_t rest = s->heads - s->cells;
  if (!s->html)
    {
      s->tabs += s->wide ? 1 : rest + 1;
      add_text (s, text, 0);
      return;
    }
  fprintf (s->out, "<td class=\"w bad\" colspan=\"%zu\">", rest ? rest : 1);
  ummgr_report_escaped (s->out, text);
  fputs ("</td>", s->out);
}

void
ummgr_sheet_end (struct ummgr_sheet *s, const char *note)
{
  bool any = note && *note;
  leave_row (s);
  if (!s->html)
    {
      ummgr_table_end (&s->table, s->out);
      if (any)
	fprintf (s->out, "  (%s)\n", note);
      return;
    }
  fputs ("</tbody></table></div>\n", s->out);
  if (any)
    {
      fputs ("<p class=\"note\">", s->out);
      ummgr_report_escaped (s->out, note);
      fputs (".</p>\n", s->out);
    }
  fputs ("</section>\n", s->out);
}

char **
ummgr_sheet_names (const struct ummgr_sheet *s, char **names, size_t count)
{
  enum { WIDEST = 40 };
  bool good = names && !s->html;
  for (size_t i = 0; good && i < count; i++)
    {
      char *text = names[i] ? printable (names[i], 0) : NULL;
      free (names[i]);
      names[i] = text;
      good = text != NULL;
    }
  if (good && ummgr_report_fit (names, count, s->widest ? s->widest : WIDEST))
    return names;
  ummgr_report_names_free (names, count);
  return NULL;
}

/* What the rows of TABLE are called in S; NULL: as they are.  */
static char **
row_names (const struct ummgr_sheet *s, const struct ummgr_report_table *table)
{
  bool named = !s->html && table->column_count && table->columns[0]->kind == UMMGR_REPORT_TEXT;
  char **names = named ? calloc (table->shown + 1, sizeof *names) : NULL;
  for (size_t r = 0; names && r < table->shown; r++)
    names[r] = strdup (ummgr_report_value (table->rows[r], table->columns[0]).text);
  return ummgr_sheet_names (s, names, table->shown);
}

static void
put_table (struct ummgr_sheet *s, const struct ummgr_report_table *table)
{
  char note[64] = "", **names = row_names (s, table);
  s->classes = "sortable";
  ummgr_sheet_begin (s, table->title);
  for (size_t c = 0; c < table->column_count; c++)
    ummgr_sheet_column (s, table->columns[c]);
  for (size_t r = 0; r < table->shown; r++)
    {
      ummgr_sheet_row (s);
      for (size_t c = 0; c < table->column_count; c++)
	{
	  struct ummgr_report_value v = ummgr_report_value (table->rows[r], table->columns[c]);
	  if (!c && names)
	    ummgr_sheet_text (s, true, names[r]);
	  else
	    ummgr_sheet_value (s, &v, 0);
	}
    }
  ummgr_report_names_free (names, table->shown);
  if (table->shown < table->count)
    snprintf (note, sizeof note, "%zu more in the statistics", table->count - table->shown);
  ummgr_sheet_end (s, note);
}

static double
greatest (const struct ummgr_report_matrix *matrix)
{
  double most = 0;
  for (size_t i = 0; i < matrix->gpus; i++)
    for (size_t j = 0; j < ummgr_report_owners (matrix); j++)
      {
	struct ummgr_report_value v = ummgr_report_between (matrix, i, j);
	most = fmax (most, ummgr_report_number (&v));
      }
  return most;
}

static void
put_matrix (struct ummgr_sheet *s, const struct ummgr_report_matrix *matrix)
{
  char name[64];
  double most = greatest (matrix);
  s->classes = NULL;
  ummgr_sheet_begin (s, matrix->title);
  ummgr_sheet_head (s, true, "", NULL);
  for (size_t j = 0; j < ummgr_report_owners (matrix); j++)
    {
      ummgr_report_owner (matrix, j, name, sizeof name);
      ummgr_sheet_head (s, false, name, NULL);
    }
  for (size_t i = 0; i < matrix->gpus; i++)
    {
      ummgr_sheet_row (s);
      snprintf (name, sizeof name, "GPU %zu", i);
      ummgr_sheet_text (s, true, name);
      for (size_t j = 0; j < ummgr_report_owners (matrix); j++)
	{
	  struct ummgr_report_value v = ummgr_report_between (matrix, i, j);
	  ummgr_sheet_value (s, &v, most);
	}
    }
  ummgr_sheet_end (s, NULL);
}

void
ummgr_sheet_tables (struct ummgr_sheet *s, const json_t *stats, size_t limit)
{
  struct ummgr_report_table table;
  if (ummgr_report_regions (stats, limit, &table) && table.count)
    put_table (s, &table);
  free (table.rows);
  if (ummgr_report_constructs (stats, limit, &table) && table.count)
    put_table (s, &table);
  free (table.rows);
  if (ummgr_report_objects (stats, limit, &table) && table.count)
    put_table (s, &table);
  free (table.rows);
  struct ummgr_report_matrix matrix;
  for (size_t n = 0; ummgr_report_matrix (stats, n, &matrix); n++)
    if (matrix.gpus)
      put_matrix (s, &matrix);
}
