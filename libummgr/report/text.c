/* Reports as text.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "report/value.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

/* Rows of a table, and columns of a word.  */
#define ROWS 40
#define WIDEST 44

/* Text from a file must not drive the terminal: control characters become
   '?'.  What is longer than WIDEST keeps its end, which tells more.  */
static size_t
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
    return width;
  char *keep = text;
  for (size_t skip = width - (WIDEST - 3); skip; skip--)
    keep += ummgr_utf8_length (keep);
  memmove (text + 3, keep, strlen (keep) + 1);
  memcpy (text, "...", 3);
  return WIDEST;
}

static size_t
cell (const json_t *row, const struct ummgr_report_column *c, char *buf,
      size_t size)
{
  struct ummgr_report_value v = ummgr_report_value (row, c);
  ummgr_report_human (&v, buf, size);
  return clean (buf);
}

/* TEXT, WIDTH wide, in a column of PLACES; words to the left, figures to the
   right.  */
static void
put (FILE *out, const char *text, size_t width, size_t places, bool word,
     bool last)
{
  int space = places > width ? places - width : 0;
  if (word)
    fprintf (out, "%s%*s", text, last ? 0 : space, "");
  else
    fprintf (out, "%*s%s", space, "", text);
  fputs (last ? "\n" : "  ", out);
}

static void
put_table (FILE *out, const struct ummgr_report_table *t)
{
  size_t places[16];
  char text[400];
  for (size_t c = 0; c < t->column_count; c++)
    {
      places[c] = strlen (t->columns[c]->title);
      for (size_t r = 0; r < t->shown; r++)
	{
	  size_t w = cell (t->rows[r], t->columns[c], text, sizeof text);
	  if (places[c] < w)
	    places[c] = w;
	}
    }
  fprintf (out, "\n%s\n", t->title);
  for (size_t r = 0; r <= t->shown; r++)
    {
      fputs ("  ", out);
      for (size_t c = 0; c < t->column_count; c++)
	{
	  const struct ummgr_report_column *column = t->columns[c];
	  size_t w;
	  if (r == 0)
	    w = snprintf (text, sizeof text, "%s", column->title);
	  else
	    w = cell (t->rows[r - 1], column, text, sizeof text);
	  put (out, text, w, places[c], column->kind == UMMGR_REPORT_TEXT,
	       c + 1 == t->column_count);
	}
    }
  if (t->shown < t->count)
    fprintf (out, "  (%zu more in the statistics)\n", t->count - t->shown);
}

static void
put_totals (FILE *out, const json_t *stats)
{
  const json_t *totals = json_object_get (stats, "totals");
  fputs ("\nTotals\n", out);
  for (const struct ummgr_report_column *c = ummgr_report_totals; c->key; c++)
    {
      struct ummgr_report_value v = ummgr_report_value (totals, c);
      if (!v.present)
	continue;
      char human[64], exact[64];
      ummgr_report_human (&v, human, sizeof human);
      ummgr_report_exact (&v, exact, sizeof exact);
      if (strcmp (human, exact) == 0)
	fprintf (out, "  %-20s %12s\n", c->title, human);
      else
	fprintf (out, "  %-20s %12s  (%s)\n", c->title, human, exact);
    }
  static const struct ummgr_report_column extra[] = {
    { "wall_seconds", "wall clock", UMMGR_REPORT_SECONDS, NULL },
    { "decisions", "decisions", UMMGR_REPORT_COUNT, NULL }
  };
  char human[64];
  struct ummgr_report_value v = ummgr_report_value (stats, &extra[0]);
  ummgr_report_human (&v, human, sizeof human);
  fprintf (out, "  %-20s %12s  (measured)\n", extra[0].title, human);
  v = ummgr_report_value (stats, &extra[1]);
  ummgr_report_human (&v, human, sizeof human);
  fprintf (out, "  %-20s %12s", extra[1].title, human);
  if (v.count)
    fprintf (out, "  (%.0f ns each)",
	     ummgr_report_field (stats, "decision_ns") / v.count);
  fputc ('\n', out);
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
  if (run->diagnosis && run->diagnosis_text)
    {
      fputc ('\n', out);
      run->diagnosis_text (out, run->diagnosis);
    }
}

static void
put_comparison (FILE *out, const struct ummgr_report_run *runs, size_t count)
{
  fprintf (out, "Comparison\n  %-24s %-10s", "run", "policy");
  for (const struct ummgr_report_column *c = ummgr_report_compared; c->key;
       c++)
    fprintf (out, " %16s", c->title);
  fputc ('\n', out);
  for (size_t i = 0; i < count; i++)
    {
      char text[400];
      const json_t *stats = runs[i].stats;
      snprintf (text, sizeof text, "%s", runs[i].name);
      size_t w = clean (text);
      fprintf (out, "  %s%*s", text, w < 24 ? (int) (24 - w) : 0, "");
      snprintf (text, sizeof text, "%s",
		ummgr_report_string (stats, "policy", "-"));
      clean (text);
      fprintf (out, " %-10s", text);
      for (const struct ummgr_report_column *c = ummgr_report_compared;
	   c->key; c++)
	{
	  cell (json_object_get (stats, "totals"), c, text, sizeof text);
	  fprintf (out, " %16s", text);
	}
      fputc ('\n', out);
    }
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
