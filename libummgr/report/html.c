/* Reports as one self-contained HTML page.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Each figure has its exact value in its title.  No state.  */

#include "config.h"
#include "report/compare.h"
#include "report/html.h"
#include "report/ranks.h"
#include "base/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 1000

void
ummgr_report_escaped (FILE *out, const char *text)
{
  while (*text)
    {
      size_t length = ummgr_utf8_printable (text);
      if (*text == '<')
	fputs ("&lt;", out);
      else if (*text == '>')
	fputs ("&gt;", out);
      else if (*text == '&')
	fputs ("&amp;", out);
      else if (*text == '"')
	fputs ("&quot;", out);
      else if (*text == '\'')
	fputs ("&#39;", out);
      else if (length == 0)
	fputs ("&#xfffd;", out);
      else
	fwrite (text, 1, length, out);
      text += length ? length : 1;
    }
}

void
ummgr_report_cell (FILE *out, const struct ummgr_report_value *v, double most, const char *ratio)
{
  char human[400], exact[400];
  ummgr_report_human (v, human, sizeof human);
  ummgr_report_exact (v, exact, sizeof exact);
  bool word = v->kind == UMMGR_REPORT_TEXT;
  fprintf (out, "<td class=\"%s\" title=\"", word ? "w" : "n");
  ummgr_report_escaped (out, exact);
  if (word)
    fputs ("\">", out);
  else
    fprintf (out, "\" data-v=\"%.17g\">", ummgr_report_number (v));
  ummgr_report_escaped (out, human);
  if (most > 0)
    fprintf (out, "<div class=\"bar\"><div style=\"width:%.1f%%\"></div></div>",
	     100 * ummgr_report_number (v) / most);
  if (ratio)
    fprintf (out, "<small>%s</small>", ratio);
  fputs ("</td>", out);
}

void
ummgr_report_count_cell (FILE *out, enum ummgr_report_kind kind,
			 uint64_t count)
{
  struct ummgr_report_value v
    = { .present = true, .kind = kind, .count = count };
  ummgr_report_cell (out, &v, 0, NULL);
}

static void
put_tile (FILE *out, const json_t *of, const struct ummgr_report_column *c)
{
  char human[64], exact[64];
  struct ummgr_report_value v = ummgr_report_value (of, c);
  if (!v.present)
    return;
  ummgr_report_human (&v, human, sizeof human);
  ummgr_report_exact (&v, exact, sizeof exact);
  fprintf (out, "<div class=\"tile\" title=\"%s: %s\"><b>%s</b>"
	   "<span>%s</span></div>\n", exact, c->help, human, c->title);
}

static void
put_note (FILE *out, const char *label, const char *text)
{
  if (!text)
    return;
  fprintf (out, "<p class=\"note\">%s", label);
  ummgr_report_escaped (out, text);
  fputs ("</p>\n", out);
}

static void
put_run (FILE *out, const struct ummgr_report_run *run)
{
  static const struct ummgr_report_column extra[] = {
    { "wall_seconds", "wall clock", UMMGR_REPORT_SECONDS,
      "measured on this machine, simulation included" },
    { "decisions", "decisions", UMMGR_REPORT_COUNT,
      "placements the policy decided" }
  };
  char line[400];
  fputs ("<article>\n<h2>", out);
  ummgr_report_escaped (out, ummgr_report_base_name (run->name));
  fputs ("</h2>\n", out);
  ummgr_report_headline (run->stats, line, sizeof line);
  fputs ("<p class=\"head\">", out);
  ummgr_report_escaped (out, line);
  fputs ("</p>\n", out);
  put_note (out, "Program: ",
	    ummgr_report_string (run->stats, "program", NULL));
  put_note (out, "Scaling: ",
	    ummgr_report_string (run->stats, "scaling", NULL));
  put_note (out, "Local and remote bytes found by: ",
	    ummgr_report_string (run->stats, "fidelity", NULL));
  put_note (out, "Order of accesses: ",
	    ummgr_report_string (run->stats, "order", NULL));
  if (ummgr_compare_failed (run->stats, line, sizeof line))
    {
      fputs ("<p class=\"bad\">", out);
      ummgr_report_escaped (out, line);
      fputs ("</p>\n", out);
    }
  if (ummgr_report_host (run->stats, line, sizeof line))
    put_note (out, "", line);
  fputs ("<div class=\"tiles\">\n", out);
  const json_t *totals = json_object_get (run->stats, "totals");
  for (const struct ummgr_report_column *c = ummgr_report_totals; c->key; c++)
    if (ummgr_report_shows (run->stats, c))
      put_tile (out, totals, c);
  put_tile (out, run->stats, &extra[0]);
  put_tile (out, run->stats, &extra[1]);
  fputs ("</div>\n", out);
  ummgr_report_timeline (out, run->stats);
  struct ummgr_sheet sheet = { .out = out, .html = true };
  ummgr_ranks_put (&sheet, run->stats, ROWS);
  ummgr_sheet_tables (&sheet, run->stats, ROWS);
  if (run->diagnosis)
    run->diagnosis_html (out, run->diagnosis);
  fputs ("</article>\n", out);
}

void
ummgr_report_page_begin (FILE *out, const char *title)
{
  fputs ("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
	 "<meta name=\"viewport\" content=\"width=device-width, "
	 "initial-scale=1\">\n<title>ummgr: ", out);
  ummgr_report_escaped (out, title);
  fprintf (out, "</title>\n<style>\n%s</style></head>\n<body>\n<header>"
	   "<h1>ummgr report</h1></header>\n<main>\n", ummgr_report_style);
}

void
ummgr_report_page_end (FILE *out)
{
  fprintf (out, "</main>\n<footer>ummgr " PACKAGE_VERSION
	   ".<span class=\"live\"> Hover over a figure for its exact value; click on a "
	   "column's title to sort.</span></footer>\n<script>\n%s</script>\n</body></html>\n",
	   ummgr_report_script);
}

void
ummgr_report_html (FILE *out, const struct ummgr_report_run *runs,
		   size_t count)
{
  ummgr_report_page_begin (out, count == 1 ? ummgr_report_base_name (runs[0].name)
			   : "comparison");
  if (count > 1)
    ummgr_compare_put (&(struct ummgr_sheet) { .out = out, .html = true }, runs, count);
  for (size_t i = 0; i < count; i++)
    put_run (out, &runs[i]);
  ummgr_report_page_end (out);
}
