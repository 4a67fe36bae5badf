/* Access maps: the shape of a picture, its cells, and what they are called.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  Knows no file format; diagnose/map-svg.c and diagnose/map-png.c do.  */

#include "config.h"
#include "diagnose/map.h"

#include <inttypes.h>
#include <string.h>

const struct ummgr_map_paint ummgr_map_paint[UMMGR_MAP_COLOURS] = {
  [UMMGR_MAP_NONE] = { "m0", "#e3e7eb", "not accessed" },
  [UMMGR_MAP_CPU] = { "mc", "#0072b2", "CPU only" },
  [UMMGR_MAP_GPU] = { "mg", "#009e73", "GPU only" },
  [UMMGR_MAP_BOTH_READ] = { "mr", "#56b4e9", "both, reading only" },
  [UMMGR_MAP_ALTERNATING] = { "ma", "#d55e00",
			      "both, and one writes: alternating" },
  [UMMGR_MAP_MIXED] = { "mm", "#b39ddb", "both, but other words of the cell" }
};

const char *const ummgr_map_fact_name[UMMGR_MAP_FACTS]
  = { "CPU writes", "GPU writes", "C>C", "C>G", "G>C", "G>G" };

const char *const ummgr_map_fact_help[UMMGR_MAP_FACTS] = {
  "written by the CPU", "written by the GPU",
  "the CPU read a value of the CPU", "the GPU read a value of the CPU",
  "the CPU read a value of the GPU", "the GPU read a value of the GPU"
};

#define WIDTH 256		/* Of a picture, in pixels, about.  */
#define HEIGHT 512		/* At most, where cells are large enough.  */
#define LARGEST 16		/* A cell.  */
#define ROWS_MAX 1024		/* Of a matrix with more elements than cells. */

static uint64_t
element_bytes (const struct ummgr_traced_object *object)
{
  return object->element_size ? object->element_size : 4;
}

/* A power of two that makes COUNT cells about four times as wide as high.  */
static uint32_t
rectangle (uint32_t count)
{
  uint32_t row = 4;
  while ((uint64_t) row * row * 2 < (uint64_t) count * 4)
    row *= 2;
  return row < count ? row : count ? count : 1;
}

/* Multiples of PERIOD or parts of it, so that the picture is not a thin
   strip.  */
static uint32_t
widen (uint32_t period, uint32_t count)
{
  uint32_t row = period;
  if (count / period > 8 * period)
    {
      uint32_t times = rectangle (count) / period;
      return period * (times ? times : 1);
    }
  if (row > 16 * (count / row))
    while (row % 2 == 0 && row > 4 * (count / row))
      row /= 2;
  return row;
}

uint32_t
ummgr_map_height (const struct ummgr_map_shape *s)
{
  return (s->places + s->row - 1) / s->row;
}

void
ummgr_map_pixels (const struct ummgr_map_shape *s, uint32_t *width,
		  uint32_t *height)
{
  uint32_t rows = ummgr_map_height (s);
  if (s->units > 1)
    {
      uint64_t high = (uint64_t) WIDTH * rows / s->row;
      *width = WIDTH;
      *height = high > HEIGHT ? HEIGHT : high < LARGEST ? LARGEST : high;
      return;
    }
  uint32_t wide = WIDTH / s->row, high = HEIGHT / rows;
  uint32_t size = wide < high ? wide : high;
  /* Rather a large picture than cells too small to see.  */
  if (size < 3)
    size = 3 * s->row <= 640 ? 3 : s->row <= 640 ? 640 / s->row : 1;
  size = size > LARGEST ? LARGEST : size;
  *width = s->row * size;
  *height = rows * size;
}

/* An element of two or more words without fields is one cell, where the cells
   of the trace are words.  */
static uint32_t
words_in_element (const struct ummgr_traced_object *object,
		  const struct ummgr_phase_facts *f)
{
  uint64_t words = element_bytes (object) / 4;
  if (f->cell_words != 1 || (object->layout && object->layout[0])
      || element_bytes (object) % 4 || words < 2 || words > 16
      || f->cells % words || f->cells <= words)
    return 1;
  return words;
}

/* The cells line up every PERIOD cells, each of several elements: a row is
   the divisor of the number of elements that comes nearest, within a cell.
   Whoever allocates a matrix asks for whole rows.  */
static void
set_element_rows (struct ummgr_map_shape *s, uint32_t period, uint64_t element)
{
  uint64_t units = s->cell_words * 4 / element;
  uint64_t elements = s->words * 4 / element, near = period * units, row = 0;
  if (s->cell_words * 4 % element || units > UINT32_MAX / 2 / period
      || elements / near > ROWS_MAX || near > 16 * (elements / near))
    return;
  for (uint64_t off = 0; off <= units && !row; off++)
    row = elements % (near + off) == 0 ? near + off
      : elements % (near - off) == 0 ? near - off : 0;
  if (!row)
    return;
  s->units = units;
  s->places = elements;
  s->row = s->period = row;
  s->rows = UMMGR_MAP_FOUND;
}

static void
find_rows (struct ummgr_map_shape *s, uint64_t element,
	   const struct ummgr_phase_facts *const *facts, size_t count)
{
  size_t alike = 0;
  while (alike < count && facts[alike]->cells == facts[0]->cells
	 && facts[alike]->cell_words == facts[0]->cell_words)
    alike++;
  bool whole = s->cell_words * 4 == element;
  uint32_t period = ummgr_map_period (s, facts, alike, whole);
  if (period && s->cell_words * 4 > element)
    set_element_rows (s, period, element);
  if (!period || s->units > 1)
    return;
  uint32_t row = widen (period, s->count);
  if (row == s->row || row > 16 * (s->count / row))
    return;
  s->row = row;
  if (row % period)
    return;
  s->rows = UMMGR_MAP_FOUND;
  s->period = period;
}

void
ummgr_map_choose (struct ummgr_map_shape *shape,
		  const struct ummgr_traced_object *object,
		  const struct ummgr_phase_facts *const *facts, size_t count)
{
  const struct ummgr_phase_facts *f = facts[0];
  uint32_t cells = f->cells < UMMGR_TRACE_CELLS_MAX ? f->cells
    : UMMGR_TRACE_CELLS_MAX;
  uint64_t element = element_bytes (object);
  *shape = (struct ummgr_map_shape) {
    .merge = words_in_element (object, f), .words = ummgr_phase_words (f),
    .offset = f->offset
  };
  shape->count = cells / shape->merge;
  shape->cell_words = (f->cell_words ? f->cell_words : 1) * shape->merge;
  shape->units = 1;
  shape->places = shape->count;
  shape->row = rectangle (shape->count);
  if (shape->cell_words == 1 && object->layout && object->layout[0])
    {
      /* Fields stand below each other where elements fit a row.  */
      uint64_t words = element / 4;
      if (element % 4 == 0 && words >= 2 && words < shape->count
	  && words <= 2 * shape->row)
	{
	  shape->rows = UMMGR_MAP_LAYOUT;
	  shape->row = widen (words, shape->count);
	}
      return;
    }
  find_rows (shape, element, facts, count);
}

bool
ummgr_map_same (const struct ummgr_phase_facts *a,
		const struct ummgr_phase_facts *b)
{
  if (a->run_count != b->run_count || a->copies != b->copies
      || memcmp (&a->facts, &b->facts, sizeof a->facts) != 0)
    return false;
  for (uint32_t i = 0; i < a->run_count; i++)
    if (a->runs[i].length != b->runs[i].length
	|| a->runs[i].state != b->runs[i].state
	|| memcmp (a->runs[i].part, b->runs[i].part, UMMGR_MAP_FACTS) != 0)
      return false;
  return true;
}

/* Cells [AT, AT + LENGTH) of the trace look like RUN.  */
static void
put_run (struct ummgr_map_picture *p, uint16_t (*sums)[UMMGR_MAP_FACTS],
	 const struct ummgr_trace_cells *run, uint32_t at, uint32_t length)
{
  for (uint32_t i = at; i < at + length; i++)
    {
      uint32_t cell = i / p->shape.merge;
      if (cell >= p->shape.count)
	return;
      p->cells[cell].state |= run->state;
      for (unsigned b = 0; b < UMMGR_MAP_FACTS; b++)
	sums[cell][b] += run->part[b];
    }
}

void
ummgr_map_draw (struct ummgr_map_picture *p,
		const struct ummgr_map_shape *shape,
		const struct ummgr_phase_facts *facts)
{
  uint16_t sums[UMMGR_TRACE_CELLS_MAX][UMMGR_MAP_FACTS];
  uint32_t at = 0, most = shape->count * shape->merge;
  memset (sums, 0, shape->count * sizeof *sums);
  memset (p->cells, 0, shape->count * sizeof *p->cells);
  p->shape = *shape;
  p->copy = facts->device != UMMGR_TRACE_HOST;
  p->mixed = shape->cell_words > 1 && facts->facts.alternating == 0;
  for (uint32_t r = 0; r < facts->run_count && at < most; r++)
    {
      const struct ummgr_trace_cells *run = &facts->runs[r];
      uint32_t length = run->length < most - at ? run->length : most - at;
      put_run (p, sums, run, at, length);
      at += length;
    }
  for (uint32_t i = 0; i < shape->count; i++)
    for (unsigned b = 0; b < UMMGR_MAP_FACTS; b++)
      p->cells[i].part[b] = (sums[i][b] + shape->merge - 1) / shape->merge;
}

static enum ummgr_map_colour
overview (const struct ummgr_map_picture *p, uint8_t state)
{
  bool cpu = state & UMMGR_SHADOW_CPU, gpu = state & UMMGR_SHADOW_GPU;
  if (!cpu || !gpu)
    return cpu ? UMMGR_MAP_CPU : gpu ? UMMGR_MAP_GPU : UMMGR_MAP_NONE;
  /* What was copied was meant to be accessed by both.  */
  if (p->copy)
    return UMMGR_MAP_GPU;
  if (!ummgr_shadow_alternates (state))
    return UMMGR_MAP_BOTH_READ;
  return p->mixed ? UMMGR_MAP_MIXED : UMMGR_MAP_ALTERNATING;
}

enum ummgr_map_colour
ummgr_map_colour (const struct ummgr_map_picture *p, uint32_t cell,
		  unsigned bit, unsigned *shade)
{
  const struct ummgr_map_cell *c = &p->cells[cell];
  enum ummgr_map_colour colour;
  unsigned part = 0;
  if (bit == UMMGR_MAP_OVERVIEW)
    {
      colour = overview (p, c->state);
      /* The words of the busiest fact: how many at least were accessed; of a
	 copy, by the GPU.  */
      for (unsigned b = 0; b < UMMGR_MAP_FACTS; b++)
	if (c->part[b] > part
	    && (colour != UMMGR_MAP_GPU || 2u << b & UMMGR_SHADOW_GPU))
	  part = c->part[b];
    }
  else
    {
      unsigned fact = __builtin_ctz (bit) - 1;
      part = fact < UMMGR_MAP_FACTS ? c->part[fact] : 0;
      colour = bit & UMMGR_SHADOW_CPU ? UMMGR_MAP_CPU : UMMGR_MAP_GPU;
    }
  if (part == 0)
    colour = UMMGR_MAP_NONE;
  *shade = part == 0 ? 0 : part < 64 ? 1 : part < 128 ? 2 : part < 255 ? 3 : 4;
  return colour;
}

uint64_t
ummgr_map_words (const struct ummgr_facts *facts, unsigned bit)
{
  switch (bit)
    {
    case UMMGR_SHADOW_CPU_WROTE:
      return facts->cpu_wrote;
    case UMMGR_SHADOW_GPU_WROTE:
      return facts->gpu_wrote;
    case UMMGR_SHADOW_C_C:
      return facts->c_c;
    case UMMGR_SHADOW_C_G:
      return facts->c_g;
    case UMMGR_SHADOW_G_C:
      return facts->g_c;
    case UMMGR_SHADOW_G_G:
      return facts->g_g;
    default:
      return facts->accessed;
    }
}
