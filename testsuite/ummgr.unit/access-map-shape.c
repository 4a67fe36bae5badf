/* Breaks if the row length of a matrix is not found from what was accessed, if
   one is invented where there is none, if cells show the wrong words, or if
   they get wrong names.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "diagnosis-sample.h"
#include "diagnose/map.h"

static struct ummgr_map_shape
choose (const struct ummgr_traced_object *o)
{
  const struct ummgr_phase_facts *facts[64];
  struct ummgr_map_shape shape;
  for (size_t i = 0; i < o->facts_count; i++)
    facts[i] = &o->facts[i];
  ummgr_map_choose (&shape, o, facts, o->facts_count);
  CHECK (shape.row > 0 && shape.row <= shape.places);
  return shape;
}

static void
check_diagonals (unsigned rows, unsigned columns)
{
  static struct ummgr_map_picture p;
  struct ummgr_traced_object *o = sample_smith_waterman (1, rows, columns);
  struct ummgr_map_shape shape = choose (o);
  unsigned shade;
  char text[200];
  CHECK_EQ (shape.row, columns);
  CHECK_EQ (shape.rows, UMMGR_MAP_FOUND);
  CHECK_EQ (shape.count, rows * columns);
  /* Launch 8, the seventh set of facts: from (1, 7) down to (7, 1).  */
  ummgr_map_draw (&p, &shape, &o->facts[7]);
  CHECK_EQ (ummgr_map_height (&shape), rows);
  for (unsigned i = 0; i < p.shape.count; i++)
    {
      unsigned r = i / columns, c = i % columns;
      bool written = r > 0 && c > 0 && r + c == o->facts[7].phase;
      CHECK_EQ (ummgr_map_colour (&p, i, UMMGR_SHADOW_GPU_WROTE, &shade)
		== UMMGR_MAP_GPU, written);
      CHECK_EQ (shade, written ? 4 : 0);
      CHECK (ummgr_map_colour (&p, i, UMMGR_SHADOW_CPU_WROTE, &shade)
	     == UMMGR_MAP_NONE);
    }
  ummgr_map_range (&p, o, columns + 3, columns + 4, text, sizeof text);
  CHECK (strstr (text, "row 1, columns 3 to 4 (element"));
  ummgr_map_caption (&shape, o, text, sizeof text);
  CHECK (strstr (text, "found from the accesses"));
  sample_object_free (o);
}

/* Blocks of a matrix of doubles, as LU decomposition works on them.  */
static void
check_blocks (void)
{
  static uint8_t state[20 * 24 * 2];
  struct ummgr_traced_object *o
    = sample_object (1, "m", sizeof state * 4, 8, 20);
  for (unsigned k = 1; k < 19; k++)
    {
      for (unsigned i = 0; i < sizeof state; i++)
	state[i] = i / 48 >= k && i / 2 % 24 >= k ? UMMGR_SHADOW_G_G : 0;
      sample_add (o, sample_facts (k, 0, state, sizeof state, 1));
    }
  struct ummgr_map_shape shape = choose (o);
  CHECK_EQ (shape.row, 24);
  CHECK_EQ (shape.cell_words, 2);
  CHECK_EQ (shape.count, 20 * 24);
  sample_object_free (o);
}

/* A matrix of more elements than cells: 20 in a cell, which don't divide a
   row.  */
static void
check_large (void)
{
  enum { ROWS = 101, COLUMNS = 201, CELLS = (ROWS * COLUMNS + 19) / 20 };
  static uint8_t state[CELLS];
  struct ummgr_traced_object *o
    = sample_object (1, "H", ROWS * COLUMNS * 4, 4, 6);
  for (unsigned k = 1; k <= 6; k++)
    {
      memset (state, 0, sizeof state);
      for (unsigned r = 1; r < ROWS; r++)
	if (40 * k > r && 40 * k - r < COLUMNS)
	  state[(r * COLUMNS + 40 * k - r) / 20] = UMMGR_SHADOW_GPU_WROTE;
      sample_add (o, sample_facts (k, -1, state, CELLS, 20));
      o->facts[k - 1].facts.words = ROWS * COLUMNS;
    }
  struct ummgr_map_shape shape = choose (o);
  CHECK_EQ (shape.row, COLUMNS);
  CHECK_EQ (shape.units, 20);
  CHECK_EQ (ummgr_map_height (&shape), ROWS);
  sample_object_free (o);
}

/* Noise of any density, and contiguous parts, have no rows.  */
static void
check_nothing (void)
{
  static const uint32_t counts[] = { 231, 360, 1000, 1024 };
  static uint8_t state[1024];
  srand (7);
  for (unsigned round = 0; round < 160; round++)
    {
      uint32_t count = counts[round % 4];
      unsigned part = 1 + round / 4 % 10;
      struct ummgr_traced_object *o = sample_object (1, "n", count * 4, 4, 4);
      for (unsigned k = 1; k <= 4; k++)
	{
	  for (uint32_t i = 0; i < count; i++)
	    state[i] = (unsigned) rand () / 16 % 20 < part
	      ? UMMGR_SHADOW_C_G : 0;
	  sample_add (o, sample_facts (k, 0, state, count, 1));
	}
      CHECK_EQ (choose (o).rows, UMMGR_MAP_RECTANGLE);
      sample_object_free (o);
    }
  struct ummgr_traced_object *o = sample_object (1, "wall", 1 << 30, 4, 5);
  for (unsigned k = 0; k < 5; k++)
    {
      memset (state, 0, sizeof state);
      memset (state + k * 204, UMMGR_SHADOW_C_G, 204);
      sample_add (o, sample_facts (k + 1, 0, state, 1024, 1 << 18));
    }
  struct ummgr_map_shape shape = choose (o);
  CHECK_EQ (shape.rows, UMMGR_MAP_RECTANGLE);
  CHECK_EQ (shape.row, 64);
  sample_object_free (o);
}

static void
check_struct (void)
{
  static struct ummgr_map_picture p;
  char *layout, text[200];
  unsigned shade;
  struct ummgr_traced_object *o = sample_domain (1, 100, 3, &layout);
  struct ummgr_map_shape shape = choose (o);
  CHECK_EQ (shape.cell_words, 1);
  CHECK_EQ (shape.row, 16);
  ummgr_map_draw (&p, &shape, &o->facts[1]);
  ummgr_map_range (&p, o, 16, 17, text, sizeof text);
  CHECK (strcmp (text, "m_field8") == 0);
  ummgr_map_range (&p, o, 0, 3, text, sizeof text);
  CHECK (strcmp (text, "m_field0, m_field1") == 0);
  CHECK (ummgr_map_colour (&p, 16, UMMGR_MAP_OVERVIEW, &shade)
	 == UMMGR_MAP_ALTERNATING);
  CHECK (ummgr_map_colour (&p, 0, UMMGR_MAP_OVERVIEW, &shade)
	 == UMMGR_MAP_GPU);
  CHECK (ummgr_map_colour (&p, 99, UMMGR_MAP_OVERVIEW, &shade)
	 == UMMGR_MAP_CPU);
  ummgr_map_fields (&p, o, UMMGR_MAP_OVERVIEW, 2, text, sizeof text);
  CHECK (strcmp (text, "m_field8, m_field9 and 4 more") == 0);
  /* What is damaged says nothing, and doesn't hang.  */
  static const char *const damaged[]
    = { ";", ":::", "a", "a:b", "a:1:2:;;", "std::x:0:4;y", "a:9:99999999999" };
  for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++)
    {
      o->layout = damaged[i];
      ummgr_map_range (&p, o, 0, 99, text, 12);
      ummgr_map_fields (&p, o, UMMGR_MAP_OVERVIEW, 2, text, 12);
      CHECK (strlen (text) < 12);
    }
  sample_object_free (o);
  free (layout);
}

/* Elements of a struct stand below each other; cells of many words have shades
   and are not called alternating where no word is.  */
static void
check_others (void)
{
  static struct ummgr_map_picture p;
  static uint8_t state[1020];
  unsigned shade;
  char text[100];
  struct ummgr_traced_object *o = sample_object (1, "p", 1020 * 4, 24, 2);
  o->layout = "x:0:4;y:4:4;z:8:4;vx:12:4;vy:16:4;vz:20:4";
  for (unsigned i = 0; i < 1020; i++)
    state[i] = i % 6 < 3 ? UMMGR_SHADOW_C_G : 0;
  sample_add (o, sample_facts (1, 0, state, 1020, 1));
  struct ummgr_map_shape shape = choose (o);
  CHECK_EQ (shape.rows, UMMGR_MAP_LAYOUT);
  CHECK_EQ (shape.row % 6, 0);
  ummgr_map_draw (&p, &shape, &o->facts[0]);
  ummgr_map_range (&p, o, 7, 7, text, sizeof text);
  CHECK (strcmp (text, "[1].y") == 0);
  sample_object_free (o);

  o = sample_object (1, "huge", 10ull << 30, 8, 1);
  memset (state, UMMGR_SHADOW_C_G, sizeof state);
  state[5] = UMMGR_SHADOW_CPU_WROTE | UMMGR_SHADOW_C_G;
  sample_add (o, sample_facts (1, -1, state, 1000, 2684355));
  struct ummgr_trace_cells *runs = (void *) o->facts[0].runs;
  for (unsigned r = 0; r < o->facts[0].run_count; r++)
    runs[r].part[2] = runs[r].part[2] ? 1 : 0;
  o->facts[0].facts.alternating = 0;
  shape = choose (o);
  CHECK_EQ (shape.row, 64);
  ummgr_map_draw (&p, &shape, &o->facts[0]);
  CHECK (ummgr_map_colour (&p, 5, 0, &shade) == UMMGR_MAP_MIXED);
  CHECK (ummgr_map_colour (&p, 6, 0, &shade) == UMMGR_MAP_GPU);
  sample_object_free (o);
}

int
main (void)
{
  check_diagonals (11, 21);
  check_diagonals (21, 11);
  check_diagonals (17, 17);
  check_blocks ();
  check_large ();
  check_nothing ();
  check_struct ();
  check_others ();
  return 0;
}
