/* Access maps: pictures of who wrote and read which words of an object.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   After XPlacer's Figs 5, 7, 8 and 10: memory runs from left to right and from
   top to bottom, a cell is one or more words.  The shape is chosen once for an
   object (or for its copy on a device), so that its phases can be compared;
   then each phase is drawn.  Nothing here allocates; one thread.  */

#pragma once

#include "diagnose/diagnose.h"
#include "record/shadow.h"

#define UMMGR_MAP_FACTS 6	/* CPU_WROTE ... G_G of enum ummgr_shadow_bit. */
#define UMMGR_MAP_OVERVIEW 0u	/* Instead of a bit: who accessed at all.  */

/* How long a row is, and why.  */
enum ummgr_map_rows
{
  UMMGR_MAP_RECTANGLE,		/* About four times as wide as high.  */
  UMMGR_MAP_LAYOUT,		/* A row holds whole elements.  */
  UMMGR_MAP_FOUND		/* The accesses line up in such rows.  */
};

struct ummgr_map_shape
{
  uint32_t count;		/* Cells; at most UMMGR_TRACE_CELLS_MAX.  */
  uint32_t merge;		/* Cells of the trace in one of ours.  */
  uint64_t cell_words;		/* Words in a cell.  */
  uint64_t words;		/* In all; the last cell may be shorter.  */
  uint64_t offset;		/* Of the first cell in the object, bytes.  */
  /* A place in the picture is a cell; but where a matrix has more elements than
     there are cells, it is an element, and a cell has UNITS places.  */
  uint32_t units;
  uint64_t places;
  uint32_t row;			/* Places in a row.  */
  uint32_t period;		/* Where found: ROW is a multiple of this.  */
  enum ummgr_map_rows rows;
};

struct ummgr_map_cell
{
  uint8_t state;		/* All words' states, or-ed.  */
  uint8_t part[UMMGR_MAP_FACTS]; /* As in struct ummgr_trace_cells.  */
};

struct ummgr_map_picture
{
  struct ummgr_map_shape shape;
  bool copy;			/* On a device: the CPU's accesses are copies
				   to it and from it.  */
  bool mixed;			/* No word alternates: a cell that both sides
				   access has words of each.  */
  struct ummgr_map_cell cells[UMMGR_TRACE_CELLS_MAX];
};

/* The colours of the overview, and of the facts: reads have the reader's.  */
enum ummgr_map_colour
{
  UMMGR_MAP_NONE,		/* Untouched.  */
  UMMGR_MAP_CPU,
  UMMGR_MAP_GPU,
  UMMGR_MAP_BOTH_READ,
  UMMGR_MAP_ALTERNATING,
  UMMGR_MAP_MIXED,		/* Both, but not the same words.  */
  UMMGR_MAP_COLOURS
};

struct ummgr_map_paint
{
  const char *class;		/* In report/style.c, where it has shades for
				   dark screens.  */
  const char *fill;		/* For pictures without a style sheet.  */
  const char *meaning;
};
extern const struct ummgr_map_paint ummgr_map_paint[UMMGR_MAP_COLOURS];

/* "CPU writes", "C>G" ..., and a sentence for each.  */
extern const char *const ummgr_map_fact_name[UMMGR_MAP_FACTS];
extern const char *const ummgr_map_fact_help[UMMGR_MAP_FACTS];

/* The shape for FACTS[0..COUNT), all of one side of OBJECT: those that differ
   from the first in their cells are ignored.  */
void ummgr_map_choose (struct ummgr_map_shape *shape,
		       const struct ummgr_traced_object *object,
		       const struct ummgr_phase_facts *const *facts,
		       size_t count);

/* diagnose/map-rows.c: the row length, in cells, in which the cells of FACTS line
   up, with WHOLE a divisor of SHAPE's count, else any; 0 if they don't.  */
uint32_t ummgr_map_period (const struct ummgr_map_shape *shape,
			   const struct ummgr_phase_facts *const *facts,
			   size_t count, bool whole);

/* Do two phases of one side look alike, facts and pictures?  */
bool ummgr_map_same (const struct ummgr_phase_facts *a,
		     const struct ummgr_phase_facts *b);

void ummgr_map_draw (struct ummgr_map_picture *picture,
		     const struct ummgr_map_shape *shape,
		     const struct ummgr_phase_facts *facts);

/* Rows of SHAPE; and the picture's size in pixels, a multiple of its rows and
   columns where a place is a cell.  */
uint32_t ummgr_map_height (const struct ummgr_map_shape *shape);
void ummgr_map_pixels (const struct ummgr_map_shape *shape, uint32_t *width,
		       uint32_t *height);

/* The colour of CELL in the map of BIT, and how strong, 0 (none) to 4.  */
enum ummgr_map_colour ummgr_map_colour (const struct ummgr_map_picture *picture,
					uint32_t cell, unsigned bit,
					unsigned *shade);

/* The words of FACTS that have BIT (0: that were accessed).  */
uint64_t ummgr_map_words (const struct ummgr_facts *facts, unsigned bit);

/* What a person calls cells [FIRST, LAST] of PICTURE: element numbers, rows
   and columns, fields.  Cut to fit, always terminated.  */
void ummgr_map_range (const struct ummgr_map_picture *picture,
		      const struct ummgr_traced_object *object, uint32_t first,
		      uint32_t last, char *buf, size_t size);

/* The fields of OBJECT's layout in which a cell has BIT (overview: alternates),
   up to LIMIT names and "and N more"; "" where there is no layout or no such
   cell.  */
void ummgr_map_fields (const struct ummgr_map_picture *picture,
		       const struct ummgr_traced_object *object, unsigned bit,
		       size_t limit, char *buf, size_t size);

/* "rows of 21 elements, found from the accesses"; what a cell is.  */
void ummgr_map_caption (const struct ummgr_map_shape *shape,
			const struct ummgr_traced_object *object, char *buf,
			size_t size);

/* diagnose/map-svg.c: PICTURE of BIT or UMMGR_MAP_OVERVIEW.  LABEL is what a
   screen reader says.  */
void ummgr_map_svg (FILE *out, const struct ummgr_map_picture *picture,
		    const struct ummgr_traced_object *object, unsigned bit,
		    const char *label);

/* diagnose/map-sides.c: a side is the object itself, or its copy on a device.
   Phases of it that look alike, one after the other, are one group.  */
struct ummgr_map_group
{
  const struct ummgr_phase_facts *first, *last;
  size_t count;
  bool shown;			/* The first, the second, one in the middle, the
				   last, and some in which findings show.  */
};

struct ummgr_map_side
{
  const struct ummgr_diagnosis *d;
  const struct ummgr_traced_object *object;
  const struct ummgr_phase_facts **facts;
  size_t count;
  struct ummgr_map_group *groups;
  size_t group_count;
  struct ummgr_map_shape shape;
  unsigned present;		/* Bits that occur in any phase.  */
};

/* Call SEE for each side of OBJECT, the one that appeared first first, until it
   returns false; nothing of a side stays.  Without memory sides are left out. */
void ummgr_map_each_side (const struct ummgr_diagnosis *d,
			  const struct ummgr_traced_object *object,
			  bool (*see) (const struct ummgr_map_side *, void *),
			  void *data);

/* "phase 3: step", "phases 3 to 17, until region f", "phase 3, 5 copies".  */
void ummgr_map_phase (const struct ummgr_diagnosis *d,
		      const struct ummgr_map_group *group, char *buf,
		      size_t size);

/* diagnose/map-png.c, in an archive of its own, for the command only: a PNG for
   each object with findings, or else for the 50 largest, into DIR (made if it
   isn't there), with index.txt.  One message on failure.  */
enum ummgr_status ummgr_access_map_png_all (const char *dir,
					    const struct ummgr_diagnosis *d);
