/* Access maps as SVG.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A picture of few runs says what each is when the mouse rests on it; one of
   many is a path for each colour and shade, which keeps the page small, and
   says it for each row.  Colours are attributes, which the page's style sheet
   overrides.  No state.  */

#include "config.h"
#include "diagnose/map.h"
#include "report/html.h"

#include <inttypes.h>

#define GRIDDED 6		/* Cells of this size are told apart by lines. */
#define SHADES 4
#define TITLES 40		/* Runs at most that have titles of their own. */

static const char *const opacity[SHADES + 1] = { "0", ".35", ".55", ".8", "1" };

/* What is drawn: the colour and shade of each cell, as one number; 0 for
   none.  */
struct drawing
{
  const struct ummgr_map_picture *picture;
  const struct ummgr_traced_object *object;
  unsigned bit;
  uint8_t ink[UMMGR_TRACE_CELLS_MAX];
  uint32_t runs;
};

/* The end of the run of one ink that begins at FIRST.  */
static uint32_t
run_end (const struct drawing *d, uint32_t first)
{
  uint32_t end = first + 1;
  while (end < d->picture->shape.count && d->ink[end] == d->ink[first])
    end++;
  return end;
}

static void
prepare (struct drawing *d)
{
  const struct ummgr_map_picture *p = d->picture;
  for (uint32_t i = 0; i < p->shape.count; i++)
    {
      unsigned shade;
      enum ummgr_map_colour colour = ummgr_map_colour (p, i, d->bit, &shade);
      d->ink[i] = colour == UMMGR_MAP_NONE ? 0
	: colour * (SHADES + 1) + shade;
    }
  for (uint32_t i = 0; i < p->shape.count; i = run_end (d, i))
    d->runs += d->ink[i] != 0;
}

/* As a path: cells [FIRST, END), which are a part of a row, whole rows, and
   another part.  */
static void
put_area (FILE *out, const struct ummgr_map_shape *s, uint32_t first,
	  uint32_t end)
{
  uint64_t from = (uint64_t) first * s->units, to = (uint64_t) end * s->units;
  uint32_t row = s->row;
  to = to < s->places ? to : s->places;
  while (from < to)
    {
      uint32_t x = from % row, y = from / row, high = (to - from) / row;
      uint32_t width = x + (to - from) < row ? to - from : row - x;
      high = x == 0 && high > 1 ? high : 1;
      fprintf (out, "M%u %uh%uv%uh-%uz", x, y, width, high, width);
      from += (uint64_t) high * width;
    }
}

/* All that is there.  */
static void
put_ground (FILE *out, const struct ummgr_map_shape *s)
{
  fprintf (out, "<path class=\"m0\" fill=\"%s\" d=\"",
	   ummgr_map_paint[UMMGR_MAP_NONE].fill);
  put_area (out, s, 0, s->count);
  fputs ("\"/>", out);
}

static void
put_title (FILE *out, const struct drawing *d, uint32_t first, uint32_t last)
{
  char text[400];
  ummgr_map_range (d->picture, d->object, first, last, text, sizeof text);
  fputs ("<title>", out);
  ummgr_report_escaped (out, text);
  if (d->bit == UMMGR_MAP_OVERVIEW && d->ink[first])
    fprintf (out, ": %s",
	     ummgr_map_paint[d->ink[first] / (SHADES + 1)].meaning);
  fputs ("</title>", out);
}

static void
put_ink (FILE *out, const struct drawing *d, unsigned ink)
{
  bool titles = d->runs <= TITLES, open = false;
  const struct ummgr_map_paint *paint = &ummgr_map_paint[ink / (SHADES + 1)];
  for (uint32_t i = 0, end; i < d->picture->shape.count; i = end)
    {
      end = run_end (d, i);
      if (d->ink[i] != ink)
	continue;
      if (!open)
	{
	  fprintf (out, "<%s class=\"%s\" fill=\"%s\"", titles ? "g" : "path",
		   paint->class, paint->fill);
	  if (ink % (SHADES + 1) < SHADES)
	    fprintf (out, " fill-opacity=\"%s\"", opacity[ink % (SHADES + 1)]);
	  fputs (titles ? ">" : " d=\"", out);
	}
      open = true;
      if (titles)
	{
	  fputs ("<path d=\"", out);
	  put_area (out, &d->picture->shape, i, end);
	  fputs ("\">", out);
	  put_title (out, d, i, end - 1);
	  fputs ("</path>", out);
	}
      else
	put_area (out, &d->picture->shape, i, end);
    }
  if (open)
    fputs (titles ? "</g>" : "\"/>", out);
}

/* Lines between cells, in the colour of the page.  */
static void
put_grid (FILE *out, const struct ummgr_map_shape *s, uint32_t size)
{
  uint32_t height = ummgr_map_height (s);
  fprintf (out, "<path class=\"mline\" stroke=\"#fff\" stroke-width=\"%.2g\" "
	   "fill=\"none\" d=\"", 1.0 / size);
  for (uint32_t x = 1; x < s->row; x++)
    fprintf (out, "M%u 0v%u", x, height);
  for (uint32_t y = 1; y < height; y++)
    fprintf (out, "M0 %uh%u", y, s->row);
  fputs ("\"/>", out);
}

/* Of a picture without titles for its runs: one for each row.  */
static void
put_row_titles (FILE *out, const struct drawing *d)
{
  const struct ummgr_map_shape *s = &d->picture->shape;
  fputs ("<g fill=\"none\" pointer-events=\"all\">", out);
  for (uint32_t y = 0; y < ummgr_map_height (s); y++)
    {
      char text[400];
      uint32_t last = (y + 1) * s->row;
      last = (last < s->count ? last : s->count) - 1;
      ummgr_map_range (d->picture, d->object, y * s->row, last, text,
		       sizeof text);
      fprintf (out, "<path d=\"M0 %uh%uv1H0z\"><title>", y, s->row);
      ummgr_report_escaped (out, text);
      fputs ("</title></path>", out);
    }
  fputs ("</g>", out);
}

void
ummgr_map_svg (FILE *out, const struct ummgr_map_picture *p,
	       const struct ummgr_traced_object *object, unsigned bit,
	       const char *label)
{
  struct drawing d = { .picture = p, .object = object, .bit = bit };
  if (p->shape.count == 0)
    return;
  uint32_t width, height, rows = ummgr_map_height (&p->shape);
  ummgr_map_pixels (&p->shape, &width, &height);
  prepare (&d);
  fprintf (out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" "
	   "height=\"%u\" viewBox=\"0 0 %u %u\" preserveAspectRatio=\"none\" "
	   "shape-rendering=\"crispEdges\" role=\"img\" aria-label=\"",
	   width, height, p->shape.row, rows);
  ummgr_report_escaped (out, label);
  fputs ("\">", out);
  put_ground (out, &p->shape);
  for (unsigned ink = 1; ink < UMMGR_MAP_COLOURS * (SHADES + 1); ink++)
    put_ink (out, &d, ink);
  if (p->shape.units == 1 && width / p->shape.row >= GRIDDED)
    put_grid (out, &p->shape, width / p->shape.row);
  if (d.runs > TITLES && p->shape.units == 1 && rows <= 64
      && bit == UMMGR_MAP_OVERVIEW)
    put_row_titles (out, &d);
  fputs ("</svg>", out);
}
