/* `ummgr classify`: which access patterns a trace shows, with a picture.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "cli/replay.h"

#include "cli/cli.h"
#include "cli/options.h"
#include "base/log.h"
#include "base/table.h"
#include "replay/classify.h"
#include "report/html.h"
#include "base/utf8.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arguments
{
  bool json;
  const char *svg;
};

const struct ummgr_option ummgr_classify_rows[] = {
  UMMGR_OPTION ("svg", TEXT, struct arguments, svg, "also draw page against time, as SVG",
		.means = UMMGR_OPTION_FILE),
  UMMGR_OPTION ("json", FLAG, struct arguments, json, "one JSON object"),
  { .name = NULL }
};

static const char doc[]
  = "Tell which of HPE's six access patterns each object of a trace shows, and "
    "the whole run, with HPE's ratio1 and ratio2.\vratio1 and ratio2 are taken "
    "when a GPU with memory for 75% of the pages is first full.";

/* --- text and JSON --------------------------------------------------------- */

static void
add_facts (struct ummgr_table *lines, const char *name,
	   const struct ummgr_pattern_facts *f)
{
  char ratios[64] = "-";
  if (f->category)
    snprintf (ratios, sizeof ratios, "%.2f\t%.2f\t%s", f->ratio1, f->ratio2,
	      f->category);
  ummgr_table_add (lines, "%s\t%s\t%s\t%" PRIu64
		   "\t%.2f\t%.0f%%\t%.0f%%\t%.2f\t%.2f\t%s\n", name,
		   ummgr_pattern_number[f->pattern],
		   ummgr_pattern_name[f->pattern], f->pages,
		   f->pages ? (double) f->visits / f->pages : 0.0,
		   100 * f->repeated, 100 * f->far, f->spread, f->life, ratios);
}

/* What a terminal, SVG and JSON can take of it.  */
static void
object_name (const struct ummgr_classified_object *o, char *buf, size_t size)
{
  const char *slash = strrchr (o->file, '/');
  if (*o->name)
    snprintf (buf, size, "%s", o->name);
  else if (*o->file)
    snprintf (buf, size, "%s:%" PRIu32, slash ? slash + 1 : o->file, o->line);
  else
    snprintf (buf, size, "%" PRIu64 " bytes", o->size);
  ummgr_utf8_make_printable (buf, strlen (buf));
}

static void
print_text (const char *file, const struct ummgr_classified *c)
{
  char name[64], path[PATH_MAX];
  printf ("%s: %" PRIu64 " launches, %" PRIu64 " page accesses by the GPU\n",
	  ummgr_utf8_print (path, sizeof path, file), c->totals.launches, c->totals.device_events);
  struct ummgr_table lines = { .columns = "lllrrrrrrrrl", .head = true };
  ummgr_table_add (&lines, "object\ttype\tpattern\tpages\tvisits\trepeated\t"
		   "far\tspread\tlife\tratio1\tratio2\n");
  for (size_t i = 0; i < c->object_count; i++)
    {
      object_name (&c->objects[i], name, sizeof name);
      add_facts (&lines, name, &c->objects[i].facts);
    }
  add_facts (&lines, "all", &c->facts);
  ummgr_table_end (&lines, stdout);
}

static json_t *
facts_json (const struct ummgr_pattern_facts *f)
{
  json_t *j = json_pack (
    "{s:s, s:s, s:I, s:I, s:f, s:f, s:f, s:f}", "type",
    ummgr_pattern_number[f->pattern], "pattern",
    ummgr_pattern_name[f->pattern], "pages", (json_int_t) f->pages, "visits",
    (json_int_t) f->visits, "repeated", f->repeated, "far", f->far, "spread",
    f->spread, "life", f->life);
  if (j && f->category)
    {
      json_object_set_new (j, "category", json_string (f->category));
      /* JSON has no infinity.  */
      json_object_set_new (j, "ratio1", json_real (fmin (f->ratio1, 1e9)));
      json_object_set_new (j, "ratio2", json_real (fmin (f->ratio2, 1e9)));
    }
  return j;
}

static bool
print_json (const char *file, const struct ummgr_classified *c)
{
  char name[4096];
  json_t *objects = json_array ();
  for (size_t i = 0; i < c->object_count; i++)
    {
      object_name (&c->objects[i], name, sizeof name);
      json_t *o = facts_json (&c->objects[i].facts);
      json_object_set_new (o, "name", json_string (name));
      json_object_set_new (o, "bytes",
			   json_integer (c->objects[i].size));
      json_array_append_new (objects, o);
    }
  return ummgr_json_put (json_pack ("{s:o, s:o, s:o}", "trace",
				    ummgr_json_text (file), "run",
				    facts_json (&c->facts), "objects",
				    objects), 9);
}

/* --- picture --------------------------------------------------------------- */

enum { CELL = 4, LEFT = 170, TOP = 34, BOTTOM = 40 };

/* Cells of one row that are as dark, as one rectangle.  */
static void
put_row (FILE *out, const struct ummgr_classified *c, unsigned row,
	 uint64_t most)
{
  static const char *const inks[] = { NULL, "#c6dbef", "#6baed6", "#2171b5",
				      "#08306b" };
  const uint64_t *cells = c->picture[row];
  unsigned begin = 0, shade = 0;
  for (unsigned i = 0; i <= UMMGR_PICTURE_COLUMNS; i++)
    {
      unsigned next = 0;
      if (i < UMMGR_PICTURE_COLUMNS && cells[i])
	next = cells[i] * 4 >= most * 3 ? 4 : cells[i] * 4 >= most * 2 ? 3
	       : cells[i] * 4 >= most ? 2 : 1;
      if (next == shade && i < UMMGR_PICTURE_COLUMNS)
	continue;
      if (shade)
	fprintf (out, "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%d\" "
		 "fill=\"%s\"/>\n", LEFT + begin * CELL, TOP + row * CELL,
		 (i - begin) * CELL, CELL, inks[shade]);
      begin = i;
      shade = next;
    }
}

/* Names at the left, where the objects' pages begin, if there is room.  */
static void
put_objects (FILE *out, const struct ummgr_classified *c)
{
  uint64_t before = 0;
  double last = -100;
  char name[23];
  for (size_t i = 0; i < c->object_count; i++)
    {
      const struct ummgr_classified_object *o = &c->objects[i];
      double y = TOP + (double) before / c->facts.pages * UMMGR_PICTURE_ROWS
			 * CELL;
      before += o->facts.pages;
      if (!o->facts.pages)
	continue;
      fprintf (out, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" "
	       "stroke=\"#999\" stroke-width=\"0.5\"/>\n", LEFT - 6, y,
	       LEFT + UMMGR_PICTURE_COLUMNS * CELL, y);
      if (y < last + 13)
	continue;
      last = y;
      object_name (o, name, sizeof name);
      fprintf (out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">",
	       LEFT - 10, y + 11);
      ummgr_report_escaped (out, name);
      fprintf (out, " (%s)</text>\n", ummgr_pattern_number[o->facts.pattern]);
    }
}

static void
put_launches (FILE *out, const struct ummgr_classified *c)
{
  int y = TOP + UMMGR_PICTURE_ROWS * CELL;
  for (unsigned i = 0; i < UMMGR_PICTURE_COLUMNS; i++)
    if (c->launches_at[i])
      fprintf (out, "<line x1=\"%u\" y1=\"%d\" x2=\"%u\" y2=\"%d\" "
	       "stroke=\"#b00\"/>\n", LEFT + i * CELL, y, LEFT + i * CELL,
	       y + 6);
}

static bool
put_svg (const char *path, const char *trace,
	 const struct ummgr_classified *c)
{
  FILE *out = fopen (path, "we");
  if (!out)
    {
      ummgr_error ("classify: %s: %s", path, strerror (errno));
      return false;
    }
  int width = LEFT + UMMGR_PICTURE_COLUMNS * CELL + 20;
  int height = TOP + UMMGR_PICTURE_ROWS * CELL + BOTTOM;
  uint64_t most = 1;
  for (unsigned r = 0; r < UMMGR_PICTURE_ROWS; r++)
    for (unsigned i = 0; i < UMMGR_PICTURE_COLUMNS; i++)
      if (c->picture[r][i] > most)
	most = c->picture[r][i];
  fprintf (out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
	   "height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n"
	   "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
	   "<text x=\"%d\" y=\"20\" font-size=\"14\">", width, height, LEFT);
  ummgr_report_escaped (out, trace);
  fprintf (out, ": %s, %s; %" PRIu64 " pages</text>\n",
	   ummgr_pattern_number[c->facts.pattern],
	   ummgr_pattern_name[c->facts.pattern], c->facts.pages);
  for (unsigned r = 0; r < UMMGR_PICTURE_ROWS; r++)
    put_row (out, c, r, most);
  put_objects (out, c);
  put_launches (out, c);
  fprintf (out, "<text x=\"%d\" y=\"%d\">page accesses by the GPU, from left "
	   "to right: %" PRIu64 "; launches begin at the red marks; darker: more "
	   "accesses</text>\n</svg>\n", LEFT, height - 12,
	   c->totals.device_events);
  if (!fclose (out))
    return true;
  ummgr_error ("classify: %s: %s", path, strerror (errno));
  return false;
}

int
ummgr_cli_classify (int argc, char **argv)
{
  struct arguments a = { 0 };
  struct ummgr_cli_files files
    = { .what = "trace", .usage = "[TRACE]", .most = 1, .fallback = ummgr_last_trace };
  if (!ummgr_cli_parse (ummgr_classify_rows, &a, &files, doc, argc, argv))
    return UMMGR_EXIT_FAILURE;
  const char *file = files.name[0];
  /* HPE's machine.  */
  const struct ummgr_page_options pages
    = { .tlb = { { 512, 16 }, { 128, 128 }, 15 }, .device = -1 };
  struct ummgr_classified *c;
  if (ummgr_classify (file, &pages, &c))
    return UMMGR_EXIT_FAILURE;
  const char *slash = strrchr (file, '/');
  bool good = !a.svg || put_svg (a.svg, slash ? slash + 1 : file, c);
  if (a.json)
    good &= print_json (file, c);
  else
    print_text (file, c);
  ummgr_classified_free (c);
  return good ? 0 : UMMGR_EXIT_FAILURE;
}
