/* Access maps as PNG files.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A file is a grid of panels with coloured frames: a row for each phase shown,
   and in it all accesses (grey), CPU writes, GPU writes, C>C, C>G, G>C, G>G
   (the colour of the side that accesses).  No text is drawn: index.txt and the
   files' own comments say what they show.  No state.  Only the command links
   this: libummgr must not need libpng.  */

#include "config.h"
#include "diagnose/map.h"
#include "diagnose/html.h"
#include "base/log.h"

#ifdef HAVE_PNG

#include <errno.h>
#include <inttypes.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PANELS (1 + UMMGR_MAP_FACTS)
#define ROWS_MAX 12u		/* Phases in one file.  */
#define FRAME 2u
#define GAP 8u
#define SHADES 4

/* Palette: the page, then the colours, each with its shades.  */
enum { PAGE, GREY, COLOURS };
#define INK(COLOUR, SHADE) (COLOURS + (COLOUR) * (SHADES + 1) + (SHADE))
#define INKS INK (UMMGR_MAP_COLOURS, 0)

/* A file in the making: its panels' rows, then its pixels.  */
struct sheet
{
  const struct ummgr_diagnosis *d;
  const struct ummgr_traced_object *object;
  FILE *index;			/* index.txt.  */
  uint32_t rows;
  uint32_t panel_width, width, height;
  uint8_t *pixels;		/* NULL: only measure.  */
  uint32_t y;
};

static void
fill (struct sheet *t, uint32_t x, uint32_t y, uint32_t width,
      uint32_t height, uint8_t ink)
{
  for (uint32_t i = 0; i < height; i++)
    memset (t->pixels + (size_t) (y + i) * t->width + x, ink, width);
}

/* One panel with its frame, at (X, t->y).  */
static void
draw_panel (struct sheet *t, const struct ummgr_map_picture *p, unsigned bit,
	    uint32_t x)
{
  const struct ummgr_map_shape *s = &p->shape;
  uint32_t width, height, rows = ummgr_map_height (s);
  uint8_t frame = bit == UMMGR_MAP_OVERVIEW ? GREY
    : bit & UMMGR_SHADOW_CPU ? INK (UMMGR_MAP_CPU, SHADES)
    : INK (UMMGR_MAP_GPU, SHADES);
  ummgr_map_pixels (s, &width, &height);
  fill (t, x, t->y, width + 2 * FRAME, height + 2 * FRAME, frame);
  /* One pixel between cells that are large enough.  */
  uint32_t size = s->units == 1 ? width / s->row : 1;
  for (uint32_t py = 0; py < height; py++)
    for (uint32_t px = 0; px < width; px++)
      {
	uint64_t place = (uint64_t) py * rows / height * s->row
	  + (uint64_t) px * s->row / width;
	bool line = size >= 6 && (px % size == size - 1
				  || py % size == size - 1);
	unsigned shade = 0;
	enum ummgr_map_colour colour = UMMGR_MAP_NONE;
	if (place < s->places && !line)
	  colour = ummgr_map_colour (p, place / s->units, bit, &shade);
	t->pixels[(size_t) (t->y + FRAME + py) * t->width + x + FRAME + px]
	  = place < s->places && !line ? INK (colour, shade) : PAGE;
      }
}

static void
draw_phase (struct sheet *t, const struct ummgr_map_side *s,
	    const struct ummgr_map_group *g)
{
  struct ummgr_map_picture picture;
  char text[120];
  ummgr_map_draw (&picture, &s->shape, g->first);
  for (unsigned panel = 0; panel < PANELS; panel++)
    draw_panel (t, &picture, panel ? 1u << panel : UMMGR_MAP_OVERVIEW,
		GAP + panel * (t->panel_width + GAP));
  ummgr_map_phase (s->d, g, text, sizeof text);
  if (g->first->device == UMMGR_TRACE_HOST)
    fprintf (t->index, "  row %u: %s\n", t->rows + 1, text);
  else
    fprintf (t->index, "  row %u: copy on device %d, %s\n", t->rows + 1,
	     g->first->device, text);
}

/* Measure, or draw, the phases of one side.  */
static bool
see_side (const struct ummgr_map_side *s, void *data)
{
  struct sheet *t = data;
  char text[300];
  if (s->shape.count == 0 || !s->present)
    return true;
  uint32_t wide, high;
  ummgr_map_pixels (&s->shape, &wide, &high);
  wide += 2 * FRAME;
  high += 2 * FRAME;
  if (t->pixels)
    {
      ummgr_map_caption (&s->shape, s->object, text, sizeof text);
      fprintf (t->index, "  %s.\n", text);
    }
  for (size_t g = 0; g < s->group_count && t->rows < ROWS_MAX; g++)
    {
      if (!s->groups[g].shown)
	continue;
      if (t->pixels)
	draw_phase (t, s, &s->groups[g]);
      t->rows++;
      t->y += high + GAP;
    }
  if (wide > t->panel_width)
    t->panel_width = wide;
  return t->rows < ROWS_MAX;
}

static void
set_palette (png_color *palette)
{
  palette[PAGE] = (png_color) { 255, 255, 255 };
  palette[GREY] = (png_color) { 0x5b, 0x65, 0x70 };
  for (unsigned c = 0; c < UMMGR_MAP_COLOURS; c++)
    for (unsigned shade = 0; shade <= SHADES; shade++)
      {
	/* As the SVG's opacities, over white.  */
	static const uint8_t part[SHADES + 1] = { 100, 35, 55, 80, 100 };
	unsigned long rgb
	  = strtoul (ummgr_map_paint[c].fill + 1, NULL, 16);
	unsigned w = c == UMMGR_MAP_NONE ? 100 : part[shade];
	unsigned r = rgb >> 16, g = rgb >> 8 & 255, b = rgb & 255;
	palette[INK (c, shade)] = (png_color) {
	  (r * w + 255 * (100 - w)) / 100, (g * w + 255 * (100 - w)) / 100,
	  (b * w + 255 * (100 - w)) / 100
	};
      }
}

/* Comments are Latin-1 there; we write ASCII.  */
static void
plain (const char *text, char *buf, size_t size)
{
  size_t at = 0;
  for (; text[at] && at + 1 < size; at++)
    buf[at] = text[at] >= 0x20 && text[at] < 0x7f ? text[at] : '?';
  buf[at] = 0;
}

static void
refuse (png_structp png, png_const_charp message)
{
  ummgr_error ("maps: libpng can't write '%s': %s",
	       (const char *) png_get_error_ptr (png), message);
  png_longjmp (png, 1);
}

static void
write_image (png_structp png, png_infop info, const struct sheet *t)
{
  static char panels[] = "In each row: all accesses, CPU writes, GPU writes, "
    "C>C, C>G, G>C, G>G.  X>Y: Y read what X wrote.";
  static char software[] = "ummgr " PACKAGE_VERSION;
  char name[200];
  png_color palette[INKS];
  plain (t->object->name, name, sizeof name);
  png_text text[] = {
    { .compression = PNG_TEXT_COMPRESSION_NONE, .key = (char *) "Title",
      .text = name },
    { .compression = PNG_TEXT_COMPRESSION_NONE, .key = (char *) "Description",
      .text = panels },
    { .compression = PNG_TEXT_COMPRESSION_NONE, .key = (char *) "Software",
      .text = software }
  };
  set_palette (palette);
  png_set_IHDR (png, info, t->width, t->height, 8, PNG_COLOR_TYPE_PALETTE,
		PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
		PNG_FILTER_TYPE_DEFAULT);
  png_set_PLTE (png, info, palette, INKS);
  png_set_text (png, info, text, sizeof text / sizeof *text);
  png_write_info (png, info);
  for (uint32_t y = 0; y < t->height; y++)
    png_write_row (png, t->pixels + (size_t) y * t->width);
  png_write_end (png, info);
}

static enum ummgr_status
write_png (FILE *out, const char *path, const struct sheet *t)
{
  png_structp png = png_create_write_struct (PNG_LIBPNG_VER_STRING,
					     (void *) path, refuse, NULL);
  png_infop info = png ? png_create_info_struct (png) : NULL;
  enum ummgr_status status = UMMGR_ERR_IO;
  if (!info)
    ummgr_error ("maps: no memory for '%s'", path);
  else if (setjmp (png_jmpbuf (png)) == 0)
    {
      png_init_io (png, out);
      write_image (png, info, t);
      status = UMMGR_OK;
    }
  png_destroy_write_struct (&png, &info);
  return status;
}

/* Open DIR/NAME; one message on failure.  */
static FILE *
create (const char *dir, const char *name, char *path, size_t size)
{
  if (snprintf (path, size, "%s/%s", dir, name) >= (int) size)
    {
      ummgr_error ("maps: the name of directory '%s' is too long", dir);
      return NULL;
    }
  FILE *out = fopen (path, "we");
  if (!out)
    ummgr_error ("maps: can't write '%s': %s", path, strerror (errno));
  return out;
}

static enum ummgr_status
finish (FILE *out, const char *path, enum ummgr_status status)
{
  bool bad = ferror (out) != 0;
  bad |= fclose (out) != 0;
  if (!bad || status != UMMGR_OK)
    return status;
  ummgr_error ("maps: can't write '%s': %s", path, strerror (errno));
  return UMMGR_ERR_IO;
}

/* "wall-12.png": letters and digits of the name, and the id, which no other
   object has.  */
static void
file_name (const struct ummgr_traced_object *o, char *buf, size_t size)
{
  char name[41];
  plain (o->name, name, sizeof name);
  for (char *p = name; *p; p++)
    if (!(*p >= 'a' && *p <= 'z') && !(*p >= 'A' && *p <= 'Z')
	&& !(*p >= '0' && *p <= '9') && *p != '_')
      *p = '_';
  snprintf (buf, size, "%s-%" PRIu64 ".png", name, o->id);
}

static enum ummgr_status
put_object (const char *dir, struct sheet *t)
{
  char path[4096], name[80], line[200];
  ummgr_map_each_side (t->d, t->object, see_side, t);
  if (t->rows == 0)
    return UMMGR_OK;
  t->width = GAP + PANELS * (t->panel_width + GAP);
  t->height = GAP + t->y;
  t->pixels = calloc (t->height, t->width);
  if (!t->pixels)
    {
      ummgr_error ("maps: no memory for the map of '%s'", t->object->name);
      return UMMGR_ERR_NOMEM;
    }
  file_name (t->object, name, sizeof name);
  plain (t->object->name, line, sizeof line);
  fprintf (t->index, "\n%s: %s, %" PRIu64 " bytes", name, line,
	   t->object->size);
  plain (t->object->file, line, sizeof line);
  if (line[0])
    fprintf (t->index, ", allocated at %s:%u", line, t->object->line);
  fputc ('\n', t->index);
  t->rows = 0;
  t->y = GAP;
  ummgr_map_each_side (t->d, t->object, see_side, t);
  FILE *out = create (dir, name, path, sizeof path);
  enum ummgr_status status = UMMGR_ERR_IO;
  if (out)
    status = finish (out, path, write_png (out, path, t));
  free (t->pixels);
  return status;
}

static void
put_legend (FILE *out)
{
  fputs ("Access maps.  In a file each row is a phase; its panels are, from "
	 "the left:\n  1 all accesses\n", out);
  for (unsigned b = 0; b < UMMGR_MAP_FACTS; b++)
    fprintf (out, "  %u %s: %s\n", b + 2, ummgr_map_fact_name[b],
	     ummgr_map_fact_help[b]);
  fputs ("Memory runs from left to right and from top to bottom.  Colours of "
	 "panel 1:\n", out);
  for (unsigned c = 0; c < UMMGR_MAP_COLOURS; c++)
    fprintf (out, "  %s %s\n", ummgr_map_paint[c].fill,
	     ummgr_map_paint[c].meaning);
  fputs ("Paler: only a part of a cell's words.\n", out);
}

enum ummgr_status
ummgr_access_map_png_all (const char *dir, const struct ummgr_diagnosis *d)
{
  char path[4096];
  bool *named = ummgr_diagnosis_named (d), any = false;
  enum ummgr_status status = UMMGR_OK;
  if (!named)
    {
      ummgr_error ("maps: no memory for %zu objects", d->object_count);
      return UMMGR_ERR_NOMEM;
    }
  for (size_t i = 0; i < d->object_count; i++)
    any |= named[i];
  FILE *index = NULL;
  if (mkdir (dir, 0777) != 0 && errno != EEXIST)
    ummgr_error ("maps: can't make directory '%s': %s", dir, strerror (errno));
  else
    index = create (dir, "index.txt", path, sizeof path);
  if (index)
    put_legend (index);
  for (size_t i = 0; index && i < d->object_count && status == UMMGR_OK; i++)
    if (any ? named[i] : i < UMMGR_DIAGNOSIS_LARGEST)
      {
	struct sheet t = { .d = d, .object = d->objects[i], .index = index };
	status = put_object (dir, &t);
      }
  free (named);
  return index ? finish (index, path, status) : UMMGR_ERR_IO;
}

#else

enum ummgr_status
ummgr_access_map_png_all (const char *dir,
			  const struct ummgr_diagnosis *d)
{
  (void) d;
  ummgr_error ("maps: can't write PNG files to '%s': this ummgr was built "
	       "without libpng; the HTML report has the same maps", dir);
  return UMMGR_ERR_UNSUPPORTED;
}

#endif
