/* Access maps: what cells are called: elements, rows, fields.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Names come from the program and are not escaped here.  No state.  */

#include "config.h"
#include "diagnose/map.h"
#include "base/human.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A field of a layout, "name:offset:size;...".  */
struct field
{
  const char *name;
  int length;
  uint64_t from, to;		/* Bytes, in the element.  */
};

/* The field at *LAYOUT, which moves on; false at its end or where it is
   damaged.  A name may have colons of its own.  */
static bool
next_field (const char **layout, struct field *f)
{
  const char *end = strchrnul (*layout, ';');
  const char *size = memrchr (*layout, ':', end - *layout);
  const char *offset = size ? memrchr (*layout, ':', size - *layout) : NULL;
  if (!offset || offset == *layout)
    return false;
  f->name = *layout;
  f->length = offset - *layout < 200 ? offset - *layout : 200;
  f->from = strtoull (offset + 1, NULL, 10);
  f->to = f->from + strtoull (size + 1, NULL, 10);
  *layout = *end ? end + 1 : end;
  return true;
}

static bool
has_layout (const struct ummgr_traced_object *object)
{
  return object->layout && object->layout[0];
}

/* Append to BUF, of which *AT are used; what doesn't fit is cut.  */
static void __attribute__ ((format (printf, 4, 5)))
append (char *buf, size_t size, size_t *at, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  int n = *at < size ? vsnprintf (buf + *at, size - *at, format, args) : 0;
  va_end (args);
  *at += n > 0 ? n : 0;
  if (*at >= size)
    *at = size - 1;
}

static uint64_t
element_bytes (const struct ummgr_traced_object *object)
{
  return object->element_size ? object->element_size : 4;
}

/* Bytes in OBJECT of cells [FIRST, LAST].  */
static void
bytes_of (const struct ummgr_map_shape *s, uint32_t first, uint32_t last,
	  uint64_t *from, uint64_t *to)
{
  uint64_t end = (last + 1) * s->cell_words;
  *from = s->offset + first * s->cell_words * 4;
  *to = s->offset + (end < s->words ? end : s->words) * 4;
}

/* The fields in bytes [FROM, TO) of an element.  */
static void
put_fields (const struct ummgr_traced_object *object, uint64_t from,
	    uint64_t to, char *buf, size_t size, size_t *at)
{
  struct field f;
  unsigned shown = 0, more = 0;
  for (const char *l = object->layout; next_field (&l, &f);)
    if (f.from < to && f.to > from)
      {
	if (shown < 8)
	  append (buf, size, at, "%s%.*s", shown++ ? ", " : "", f.length,
		  f.name);
	else
	  more++;
      }
  if (more)
    append (buf, size, at, " and %u more", more);
  if (!shown)
    append (buf, size, at, "padding");
}

static void
put_range (const char *what, uint64_t first, uint64_t last, char *buf,
	   size_t size, size_t *at)
{
  if (first == last)
    append (buf, size, at, "%s %" PRIu64, what, first);
  else
    append (buf, size, at, "%ss %" PRIu64 " to %" PRIu64, what, first, last);
}

void
ummgr_map_range (const struct ummgr_map_picture *p,
		 const struct ummgr_traced_object *object, uint32_t first,
		 uint32_t last, char *buf, size_t size)
{
  uint64_t from, to, element = element_bytes (object);
  size_t at = 0;
  buf[0] = 0;
  bytes_of (&p->shape, first, last, &from, &to);
  uint64_t low = from / element, high = to > from ? (to - 1) / element : low;
  if (has_layout (object) && low == high)
    {
      if (object->size > element)
	append (buf, size, &at, "[%" PRIu64 "].", low);
      put_fields (object, from - low * element, to - low * element, buf, size,
		  &at);
      return;
    }
  uint32_t row = p->shape.row;
  if (p->shape.rows == UMMGR_MAP_FOUND && p->shape.row == p->shape.period
      && p->shape.cell_words * 4 == element && first / row == last / row)
    {
      append (buf, size, &at, "row %u, ", first / row);
      put_range ("column", first % row, last % row, buf, size, &at);
      append (buf, size, &at, " (");
      put_range ("element", low, high, buf, size, &at);
      append (buf, size, &at, ")");
      return;
    }
  put_range ("element", low, high, buf, size, &at);
}

void
ummgr_map_fields (const struct ummgr_map_picture *p,
		  const struct ummgr_traced_object *object, unsigned bit,
		  size_t limit, char *buf, size_t size)
{
  struct field f;
  size_t at = 0, shown = 0, more = 0;
  uint64_t cell = p->shape.cell_words * 4, element = element_bytes (object);
  buf[0] = 0;
  if (!has_layout (object) || object->size > element)
    return;
  for (const char *l = object->layout; next_field (&l, &f);)
    {
      bool has = false;
      for (uint32_t i = 0; i < p->shape.count && !has; i++)
	{
	  uint64_t from = p->shape.offset + i * cell;
	  unsigned shade;
	  enum ummgr_map_colour c = ummgr_map_colour (p, i, bit, &shade);
	  has = from < f.to && from + cell > f.from
	    && (bit == UMMGR_MAP_OVERVIEW ? c == UMMGR_MAP_ALTERNATING
		: c != UMMGR_MAP_NONE);
	}
      if (has && shown < limit)
	append (buf, size, &at, "%s%.*s", shown++ ? ", " : "", f.length,
		f.name);
      else if (has)
	more++;
    }
  if (more)
    append (buf, size, &at, " and %zu more", more);
}

void
ummgr_map_caption (const struct ummgr_map_shape *s,
		   const struct ummgr_traced_object *object, char *buf,
		   size_t size)
{
  uint64_t cell = s->cell_words * 4, element = element_bytes (object);
  uint64_t row = s->units > 1 ? s->row * element : s->row * cell;
  size_t at = 0;
  buf[0] = 0;
  append (buf, size, &at, "A cell is ");
  if (cell == element && !has_layout (object))
    append (buf, size, &at, "an element of ");
  else if (cell == 4)
    append (buf, size, &at, "a word of ");
  append (buf, size, &at, "%s", ummgr_human_bytes (cell).text);
  if (cell > element)
    append (buf, size, &at, ", stronger where more of its words were");
  /* Cells of several elements need not divide a row.  */
  append (buf, size, &at, "; a row is %s",
	  s->rows == UMMGR_MAP_FOUND && cell > element && s->units == 1
	  ? "about " : "");
  if (s->row >= s->places)
    append (buf, size, &at, "everything");
  else if ((cell <= element || s->units > 1) && row % element == 0)
    append (buf, size, &at, "%" PRIu64 " element%s", row / element,
	    row / element == 1 ? "" : "s");
  else if (cell == 4)
    append (buf, size, &at, "%u words", s->row);
  else
    append (buf, size, &at, "%s", ummgr_human_bytes (row).text);
  if (s->rows == UMMGR_MAP_FOUND && s->row == s->period)
    append (buf, size, &at, ", a length found from the accesses");
  else if (s->rows == UMMGR_MAP_FOUND)
    append (buf, size, &at, ", %u times the period found from the accesses",
	    s->row / s->period);
}
