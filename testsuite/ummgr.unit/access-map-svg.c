/* Breaks if a map is no well-formed SVG, shows a cell at a wrong place, lets a
   hostile name out of its attribute, or grows with what it shows.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "diagnosis-sample.h"
#include "markup-check.h"
#include "diagnose/map.h"

static char *
svg (const struct ummgr_traced_object *o, size_t phase, unsigned bit)
{
  char *text;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  const struct ummgr_phase_facts *facts = &o->facts[phase];
  struct ummgr_map_shape shape;
  struct ummgr_map_picture picture;
  char label[400];
  ummgr_map_choose (&shape, o, &facts, 1);
  ummgr_map_draw (&picture, &shape, facts);
  snprintf (label, sizeof label, "%s, phase %u", o->name, facts->phase);
  ummgr_map_svg (out, &picture, o, bit, label);
  CHECK (fclose (out) == 0);
  markup_check (text);
  CHECK (size < 12000);
  return text;
}

static void
check_place (void)
{
  struct ummgr_traced_object *o = sample_smith_waterman (1, 11, 21);
  char *text = svg (o, 7, UMMGR_SHADOW_GPU_WROTE);
  CHECK (strstr (text, "viewBox=\"0 0 21 11\""));
  CHECK (strstr (text, "aria-label=\"H, phase 8\""));
  /* The ground, 11 rows of 21; then (1, 7) to (7, 1), one cell each.  */
  CHECK (strstr (text, "M0 0h21v11h-21z"));
  for (unsigned r = 1; r < 8; r++)
    {
      char cell[32];
      snprintf (cell, sizeof cell, "\"M%u %uh1v1h-1z\"", 8 - r, r);
      CHECK (strstr (text, cell));
    }
  CHECK (!strstr (text, "\"M1 1h1v1h-1z\"") && !strstr (text, "M0 7h1v"));
  CHECK (strstr (text, "<title>row 1, column 7 (element 28)</title>"));
  free (text);
  text = svg (o, 7, UMMGR_SHADOW_CPU_WROTE);
  CHECK (!strstr (text, "class=\"mc\""));
  free (text);
  sample_object_free (o);
}

static void
check_hostile (void)
{
  char *layout;
  struct ummgr_traced_object *o = sample_domain (1, 100, 2, &layout);
  o->name = "\"><script>alert(1)</script>&'\x01\xff";
  o->layout = "<b>\"':0:8;&amp;]]>:8:8;\xc3:16:8";
  for (unsigned bit = 0; bit <= UMMGR_SHADOW_G_G; bit = bit ? bit * 2 : 2)
    {
      char *text = svg (o, 1, bit);
      CHECK (!strstr (text, "<script") && !strstr (text, "<b>"));
      free (text);
    }
  sample_object_free (o);
  free (layout);
}

static void
check_size (void)
{
  static uint8_t state[1024];
  struct ummgr_traced_object *o = sample_object (1, "noise", 1ull << 40, 4, 1);
  for (unsigned i = 0; i < 1024; i++)
    state[i] = (unsigned) rand () / 16 & 0x7e;
  sample_add (o, sample_facts (1, -1, state, 1024, 1ull << 28));
  for (unsigned bit = 0; bit <= UMMGR_SHADOW_G_G; bit = bit ? bit * 2 : 2)
    free (svg (o, 0, bit));
  /* No cell at all, and more runs than cells.  */
  ((struct ummgr_trace_cells *) o->facts[0].runs)[0].length = 4000000000u;
  free (svg (o, 0, UMMGR_MAP_OVERVIEW));
  o->facts[0].run_count = 0;
  free (svg (o, 0, UMMGR_MAP_OVERVIEW));
  o->facts[0].cells = 0;
  free (svg (o, 0, UMMGR_MAP_OVERVIEW));
  o->facts[0].cells = 1;
  free (svg (o, 0, UMMGR_MAP_OVERVIEW));
  o->facts[0].cells = 4000000000u;
  free (svg (o, 0, UMMGR_MAP_OVERVIEW));
  sample_object_free (o);
}

int
main (void)
{
  check_place ();
  check_hostile ();
  check_size ();
  return 0;
}
