/* Diagnosis: names of parts of objects, and figures for people.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "diagnose/traced.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names that one list tells.  */
enum { NAMES = 8, RANGES = 3, LIST = 400 };

bool
ummgr_diagnosis_fortran (const char *file)
{
  const char *dot = strrchr (file, '.');
  return dot && (dot[1] == 'f' || dot[1] == 'F');
}

const char *
ummgr_diagnose_directive (const char *file)
{
  return ummgr_diagnosis_fortran (file) ? "!$omp" : "#pragma omp";
}

/* Is O Fortran's?  Of what nobody says where it is from, the first region tells.  */
static bool
is_fortran (const struct ummgr_diagnosing *g, const struct ummgr_traced_object *o)
{
  return ummgr_diagnosis_fortran (*o->file ? o->file : g->d.region_count ? g->d.regions[0].file : "");
}

const char *
ummgr_diagnose_some (struct ummgr_diagnosing *g, const struct ummgr_traced_object *o, const char *name,
		     const struct ummgr_stretch *known)
{
  uint64_t unit = o->element_size;
  bool fortran = is_fortran (g, o);
  if (*name == '[')
    name = "array";
  if (!known || !unit)
    return ummgr_arena_print (&g->arena, fortran ? "%s(first:last)" : "%s[first:length]", name);
  unsigned long long first = known->lo / unit, end = (known->hi + unit - 1) / unit;
  return fortran ? ummgr_arena_print (&g->arena, "%s(%llu:%llu)", name, first + 1, end)
	 : ummgr_arena_print (&g->arena, "%s[%llu:%llu]", name, first, end - first);
}

const char *
ummgr_diagnose_section (struct ummgr_diagnosing *g,
			const struct ummgr_traced_object *o, const char *name)
{
  uint32_t size = o->element_size;
  if (*name == '[')
    return "the array";
  if ((o->flags & UMMGR_TRACE_OBJECT_STATIC) || !size || is_fortran (g, o))
    return name;
  return ummgr_arena_print (&g->arena, "%s[0:%llu]", name,
			    (unsigned long long) (o->size / size));
}

const char *
ummgr_diagnosis_section (struct ummgr_diagnosis *d, const struct ummgr_traced_object *object)
{
  struct ummgr_diagnosing *g = (struct ummgr_diagnosing *) d;
  uint64_t unit = object->element_size;
  uint64_t begin = unit ? object->copied_begin / unit : 0;
  uint64_t end = unit ? (object->copied_end + unit - 1) / unit : 0;
  bool part = end > begin && (begin > 0 || end < object->size / unit);
  if (!part || *object->name == '[')
    return ummgr_diagnose_section (g, object, object->name);
  return ummgr_arena_print (&g->arena, "%s[%llu:%llu]", object->name, (unsigned long long) begin,
			    (unsigned long long) (end - begin));
}

const char *
ummgr_diagnose_estimated (struct ummgr_diagnosing *g)
{
  if (g->d.run.sample <= 1)
    return "";
  return ummgr_arena_print (&g->arena, " (estimated from 1/%u of the memory)",
			    g->d.run.sample);
}

/* A field of a layout, "name:offset:size;"; where the next begins.  NULL: no
   more.  */
static const char *
next_field (const char *layout, int *length, uint64_t *offset, uint64_t *size)
{
  const char *end = strchr (layout, ';');
  if (!end)
    end = layout + strlen (layout);
  const char *colon = memchr (layout, ':', end - layout);
  if (!colon || colon == layout)
    return NULL;
  char *rest;
  *length = colon - layout;
  *offset = strtoull (colon + 1, &rest, 10);
  if (*rest != ':')
    return NULL;
  *size = strtoull (rest + 1, &rest, 10);
  return rest == end ? *end ? end + 1 : end : NULL;
}

static bool
has (const uint64_t *bits, uint32_t i)
{
  return bits[i / 64] >> i % 64 & 1;
}

/* Does any word of the field, in any element, lie in a cell that has its bit?
   Only for objects whose cells are words, or nearly.  */
static bool
field_has (const struct ummgr_traced *t, const struct ummgr_cells_seen *cells,
	   const uint64_t *bits, uint64_t offset, uint64_t size)
{
  uint64_t element = t->o.element_size, cell = 4 * cells->cell_words;
  uint64_t limit = cells->offset + cells->cells * cell;
  if (!element || offset > element || size > element - offset)
    return false;
  for (uint64_t base = 0; base + element <= t->o.size && base < limit;
       base += element)
    for (uint64_t at = base + offset; at < base + offset + size; at += cell)
      {
	uint64_t i = at < cells->offset ? UINT64_MAX
	  : (at - cells->offset) / cell;
	if (i >= cells->cells)
	  break;
	if (has (bits, i))
	  return true;
      }
  return false;
}

static const char *
field_names (struct ummgr_diagnosing *g, const struct ummgr_traced *t,
	     const struct ummgr_cells_seen *cells, const uint64_t *bits,
	     bool wanted)
{
  char list[LIST];
  size_t used = 0, more = 0, names = 0;
  int length;
  uint64_t offset, size;
  const char *at = t->o.layout, *next;
  for (; *at && (next = next_field (at, &length, &offset, &size)); at = next)
    {
      if (field_has (t, cells, bits, offset, size) != wanted)
	continue;
      if (names >= NAMES || used + length + 3 > sizeof list)
	more++;
      else
	used += snprintf (list + used, sizeof list - used, "%s%.*s",
			  used ? ", " : "", length, at);
      names++;
    }
  if (!names)
    return "";
  if (more)
    return ummgr_arena_print (&g->arena, "%.*s and %zu more", (int) used,
			      list, more);
  return ummgr_arena_print (&g->arena, "%.*s", (int) used, list);
}

/* Where the cells that are WANTED or not are ranges of T.  What is between cells
   of several words is shorter, and nobody knows where.  */
static const char *
ranges (struct ummgr_diagnosing *g, const struct ummgr_traced *t,
	const struct ummgr_cells_seen *cells, const uint64_t *bits, bool wanted,
	uint64_t bytes)
{
  char list[LIST];
  size_t used = 0, found = 0;
  uint64_t unit = t->o.element_size && !*t->o.layout ? t->o.element_size : 0;
  uint64_t cell = 4 * cells->cell_words, whole = 0;
  const char *what = unit ? "elements" : "bytes";
  unit = unit ? unit : 1;
  bool exact = cell <= 4 || cell <= unit;
  for (uint32_t i = 0; i < cells->cells; i++)
    {
      uint32_t begin = i;
      while (i < cells->cells && has (bits, i) == wanted)
	i++;
      if (i == begin)
	continue;
      uint64_t first = cells->offset + begin * cell;
      uint64_t end = cells->offset + i * cell;
      if (end > t->o.size)
	end = t->o.size;
      if (first >= end)
	break;
      if (begin == 0 && i == cells->cells)
	return "";
      whole += end - first;
      if (found++ < RANGES)
	used += snprintf (list + used, sizeof list - used, "%s%llu to %llu",
			  used ? ", " : "",
			  (unsigned long long) ((first + unit - 1) / unit),
			  (unsigned long long) ((end + unit - 1) / unit - 1));
    }
  const char *rest = exact || bytes <= whole ? ""
    : ummgr_arena_print (&g->arena, "%s%s in ranges of fewer than %llu %s",
			 found ? ", and " : "",
			 ummgr_human_bytes (bytes - whole).text,
			 (unsigned long long) (2 * cell / unit), what);
  if (!found)
    return rest;
  if (found > RANGES)
    return ummgr_arena_print (&g->arena, "%s %.*s and %zu more ranges%s", what,
			      (int) used, list, found - RANGES, rest);
  return ummgr_arena_print (&g->arena, "%s %.*s%s", what, (int) used, list,
			    rest);
}

const char *
ummgr_diagnose_elements (struct ummgr_diagnosing *g,
			 const struct ummgr_traced *t,
			 const struct ummgr_cells_seen *cells,
			 const uint64_t *bits, bool wanted, uint64_t bytes)
{
  if (!cells || cells->mixed || t->o.merged > 1)
    return "";
  /* In a large array of structs a cell holds all fields.  */
  if (*t->o.layout && 4 * cells->cell_words <= t->o.element_size / 2)
    return field_names (g, t, cells, bits, wanted);
  return ranges (g, t, cells, bits, wanted, bytes);
}

bool
ummgr_diagnose_stretch (const struct ummgr_traced *t,
			const struct ummgr_cells_seen *cells,
			const uint64_t *bits, struct ummgr_stretch *out)
{
  uint32_t first = 0, end;
  if (!cells || cells->mixed || t->o.merged > 1)
    return false;
  end = cells->cells;
  while (end && !has (bits, end - 1))
    end--;
  while (first < end && !has (bits, first))
    first++;
  uint64_t cell = 4 * cells->cell_words, size = t->o.size - cells->offset;
  uint64_t all = cells->cells * cell;
  if (cells->offset >= t->o.size)
    return false;
  *out = (struct ummgr_stretch) {
    cells->offset + first * cell, cells->offset + end * cell,
    all < size ? all : size
  };
  if (out->hi > t->o.size)
    out->hi = t->o.size;
  return first < end;
}
