/* The diagnosis in HTML: one object, its facts by phase, its access maps.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "diagnose/html.h"
#include "diagnose/map.h"
#include "base/human.h"
#include "report/html.h"

#include <inttypes.h>

#define TABLE_ROWS 400
#define SIDES 8			/* Of an object whose copies have many parts. */
#define TALL 16		/* Rows; more scroll.  */

static void
put_phase (FILE *out, const struct ummgr_map_side *s,
	   const struct ummgr_map_group *g)
{
  char text[120];
  ummgr_map_phase (s->d, g, text, sizeof text);
  ummgr_report_escaped (out, text);
}

/* Blocks in which the GPU accessed at most half of the words, of those that it
   touched.  */
static void
put_blocks (FILE *out, const struct ummgr_phase_facts *f)
{
  uint64_t touched = 0, sparse = 0;
  for (unsigned i = 1; i <= 10; i++)
    {
      touched += f->blocks[i];
      sparse += i <= 5 ? f->blocks[i] : 0;
    }
  fprintf (out, "<td class=\"n\" data-v=\"%" PRIu64 "\" title=\"blocks by the "
	   "part of their words that the GPU accessed: %" PRIu64 " none",
	   sparse, f->blocks[0]);
  for (unsigned i = 1; i <= 10; i++)
    if (f->blocks[i])
      fprintf (out, ", %" PRIu64 " up to %u %%", f->blocks[i], 10 * i);
  if (touched)
    fprintf (out, "\">%" PRIu64 " of %" PRIu64 "</td>", sparse, touched);
  else
    fputs ("\">-</td>", out);
}

static void
put_row (FILE *out, const struct ummgr_map_side *s,
	 const struct ummgr_map_group *g)
{
  const struct ummgr_facts *f = &g->first->facts;
  /* Of a copy: by the GPU.  To copy is no use.  */
  uint64_t used = g->first->device == UMMGR_TRACE_HOST ? f->accessed
    : f->gpu_accessed;
  double density = f->words ? (double) used / f->words : 0;
  fprintf (out, "<tr><td class=\"w\" data-v=\"%u\">", g->first->phase);
  put_phase (out, s, g);
  fputs ("</td>", out);
  for (unsigned b = 0; b < UMMGR_MAP_FACTS; b++)
    ummgr_report_count_cell (out, UMMGR_REPORT_COUNT,
			     ummgr_map_words (f, 2u << b));
  fprintf (out, "<td class=\"n\" title=\"%" PRIu64 " of %" PRIu64 " words\" "
	   "data-v=\"%.6f\">%.*f %%</td>", used, f->words, density,
	   density > 0 && density < 0.01 ? 2 : 0, 100 * density);
  put_blocks (out, g->first);
  /* Of a copy both sides always access the words that matter.  */
  if (g->first->device == UMMGR_TRACE_HOST)
    ummgr_report_count_cell (out, UMMGR_REPORT_COUNT, f->alternating);
  else
    fputs ("<td class=\"n\" data-v=\"0\">-</td>", out);
  fputs ("</tr>\n", out);
}

static void
put_table (FILE *out, const struct ummgr_map_side *s)
{
  fprintf (out, "<div class=\"scroll%s\"><table class=\"sortable\"><thead>"
	   "<tr><th class=\"w\">words, by phase</th>",
	   s->group_count > TALL ? " tall" : "");
  for (unsigned b = 0; b < UMMGR_MAP_FACTS; b++)
    {
      fprintf (out, "<th class=\"n\" title=\"%s\">", ummgr_map_fact_help[b]);
      ummgr_report_escaped (out, ummgr_map_fact_name[b]);
      fputs ("</th>", out);
    }
  fputs ("<th class=\"n\" title=\"words accessed, of all; of a copy, by the "
	 "GPU\">density</th>"
	 "<th class=\"n\" title=\"where the GPU accessed at most half of the "
	 "words, of the blocks that it touched\">sparse blocks</th>"
	 "<th class=\"n\" title=\"words that both sides access, and at least "
	 "one writes\">alternating</th></tr></thead>\n<tbody>\n", out);
  for (size_t g = 0; g < s->group_count && g < TABLE_ROWS; g++)
    put_row (out, s, &s->groups[g]);
  fputs ("</tbody></table></div>\n", out);
  if (s->group_count > TABLE_ROWS)
    fprintf (out, "<p class=\"note\">%zu more in JSON and CSV.</p>\n",
	     s->group_count - TABLE_ROWS);
}

static void
put_figure (FILE *out, const struct ummgr_map_side *s,
	    const struct ummgr_map_group *g,
	    const struct ummgr_map_picture *picture, unsigned bit)
{
  const char *name = bit == UMMGR_MAP_OVERVIEW ? "all accesses"
    : ummgr_map_fact_name[__builtin_ctz (bit) - 1];
  uint64_t words = ummgr_map_words (&g->first->facts, bit);
  char text[400];
  snprintf (text, sizeof text, "%.200s, phase %u, %s: %" PRIu64 " of %" PRIu64
	    " words", s->object->name, g->first->phase, name, words,
	    g->first->facts.words);
  fputs ("<figure>", out);
  ummgr_map_svg (out, picture, s->object, bit, text);
  fputs ("<figcaption><b>", out);
  ummgr_report_escaped (out, name);
  fprintf (out, "</b> %s word%s", ummgr_human_count (words).text,
	   words == 1 ? "" : "s");
  ummgr_map_fields (picture, s->object, bit, 8, text, sizeof text);
  if (text[0])
    {
      fprintf (out, "<div class=\"note\">%s",
	       bit == UMMGR_MAP_OVERVIEW ? "alternating: " : "");
      ummgr_report_escaped (out, text);
      fputs ("</div>", out);
    }
  fputs ("</figcaption></figure>\n", out);
}

static void
put_maps (FILE *out, const struct ummgr_map_side *s,
	  const struct ummgr_map_group *g)
{
  struct ummgr_map_picture picture;
  ummgr_map_draw (&picture, &s->shape, g->first);
  fputs ("<div><h4>", out);
  put_phase (out, s, g);
  fputs (g->count > 1 ? ", which look the same</h4>\n" : "</h4>\n", out);
  fputs ("<div class=\"maps\">\n", out);
  unsigned here = 0;
  for (unsigned b = 0; b < UMMGR_MAP_FACTS; b++)
    here |= ummgr_map_words (&g->first->facts, 2u << b) ? 2u << b : 0;
  /* With one fact the overview would show the same again.  */
  if (here & (here - 1))
    put_figure (out, s, g, &picture, UMMGR_MAP_OVERVIEW);
  for (unsigned b = 0; b < UMMGR_MAP_FACTS; b++)
    if (here & 2u << b)
      put_figure (out, s, g, &picture, 2u << b);
  fputs ("</div></div>\n", out);
}

/* The phases not shown at once, as many as there is room for.  */
static void
put_folded (FILE *out, const struct ummgr_map_side *s)
{
  size_t folded = 0, drawn = 0;
  for (size_t g = 0; g < s->group_count; g++)
    folded += !s->groups[g].shown;
  if (folded == 0)
    return;
  fprintf (out, "<details><summary>%zu more phase%s</summary>"
	   "<div class=\"phases\">\n", folded, folded == 1 ? "" : "s");
  long begin = ftell (out);
  for (size_t g = 0; g < s->group_count; g++)
    {
      if (s->groups[g].shown)
	continue;
      long now = ftell (out);
      if (begin < 0 || now - begin > (long) UMMGR_DIAGNOSIS_OBJECT_BYTES)
	break;
      put_maps (out, s, &s->groups[g]);
      drawn++;
    }
  fputs ("</div>\n", out);
  if (drawn < folded)
    fprintf (out, "<p class=\"note\">%zu later phases are not drawn; the table "
	     "has their facts.</p>\n", folded - drawn);
  fputs ("</details>\n", out);
}

/* Where the sides of an object go, and how many there were.  */
struct sides
{
  FILE *out;
  size_t count;
};

static bool
put_side (const struct ummgr_map_side *s, void *data)
{
  struct sides *sides = data;
  FILE *out = sides->out;
  const struct ummgr_phase_facts *f = s->facts[0];
  char text[300];
  if (sides->count++ == SIDES)
    {
      fputs ("<p class=\"note\">Copies of other parts are in JSON and CSV.</p>"
	     "\n", out);
      return false;
    }
  fputs ("<h4>", out);
  if (f->device != UMMGR_TRACE_HOST)
    fprintf (out, "Copy on device %d", f->device);
  else
    fputs (s->object->flags & UMMGR_TRACE_OBJECT_UNIFIED ? "Unified memory"
	   : "On the host", out);
  uint64_t bytes = ummgr_phase_words (f) * 4;
  if (f->offset || bytes < s->object->size)
    fprintf (out, ", bytes %" PRIu64 " to %" PRIu64, f->offset,
	     f->offset + bytes);
  fputs ("</h4>\n", out);
  if (f->device != UMMGR_TRACE_HOST)
    fputs ("<p class=\"note\">Here the CPU writes where it copies to the "
	   "device, and reads where it copies from it; in “all accesses” those "
	   "are “CPU only” where the GPU did not access them.</p>\n", out);
  put_table (out, s);
  if (s->shape.count > 0 && s->present)
    {
      ummgr_map_caption (&s->shape, s->object, text, sizeof text);
      fprintf (out, "<p class=\"note\">%s.</p>\n", text);
      fputs ("<div class=\"phases\">\n", out);
      for (size_t g = 0; g < s->group_count; g++)
	if (s->groups[g].shown)
	  put_maps (out, s, &s->groups[g]);
      fputs ("</div>\n", out);
      put_folded (out, s);
    }
  return true;
}

static void
put_head (FILE *out, const struct ummgr_diagnosis *d,
	  const struct ummgr_traced_object *o)
{
  fputs ("<section class=\"object\" id=\"", out);
  ummgr_diagnosis_anchor (out, d, o);
  fputs ("\"><h3>", out);
  ummgr_diagnosis_clipped (out, o->name, 120);
  fprintf (out, "</h3>\n<p class=\"note\">%s",
	   ummgr_human_bytes (o->size).text);
  if (o->file[0])
    {
      fputs (", allocated at ", out);
      ummgr_diagnosis_clipped (out, o->file, 200);
      fprintf (out, ":%u", o->line);
    }
  if (o->merged > 1)
    fprintf (out, ", %zu of this name and place, one after the other",
	     o->merged);
  if (o->copies)
    fprintf (out, "; %" PRIu64 " cop%s, %s in, %s out", o->copies,
	     o->copies == 1 ? "y" : "ies",
	     ummgr_human_bytes (o->copied_in).text,
	     ummgr_human_bytes (o->copied_out).text);
  fputs (".</p>\n", out);
}

void
ummgr_diagnosis_object_html (FILE *out, const struct ummgr_diagnosis *d,
			     const struct ummgr_traced_object *o)
{
  put_head (out, d, o);
  ummgr_map_each_side (d, o, put_side, &(struct sides) { .out = out });
  fputs ("</section>\n", out);
}
