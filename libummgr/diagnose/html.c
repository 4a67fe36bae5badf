/* The diagnosis in HTML: findings, the legend, which objects have pictures.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   All text of the trace is escaped and cut.  No state; the page needs no
   script, no other file and no network.  */

#include "config.h"
#include "diagnose/html.h"
#include "diagnose/map.h"
#include "base/human.h"
#include "report/html.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_title[UMMGR_FINDING_KINDS] = {
  [UMMGR_FINDING_ALTERNATING] = "alternating accesses",
  [UMMGR_FINDING_LOW_DENSITY] = "low density",
  [UMMGR_FINDING_UNUSED_COPY] = "copied in, not used",
  [UMMGR_FINDING_OVERWRITTEN_COPY] = "copied in, overwritten first",
  [UMMGR_FINDING_UNCHANGED_COPY] = "copied back unchanged",
  [UMMGR_FINDING_DUPLICATE_COPY] = "duplicate copy",
  [UMMGR_FINDING_ROUND_TRIP] = "round trip",
  [UMMGR_FINDING_UNUSED_ALLOCATION] = "allocated, not used",
  [UMMGR_FINDING_EARLY_COPY] = "copied too early",
  [UMMGR_FINDING_UNADVISED] = "advice would help",
  [UMMGR_FINDING_OVERLAP] = "could overlap",
  [UMMGR_FINDING_REMAPPED] = "mapped again"
};

void
ummgr_diagnosis_anchor (FILE *out, const struct ummgr_diagnosis *d,
			const struct ummgr_traced_object *object)
{
  /* FNV-1a of the trace's name.  */
  uint32_t hash = 2166136261u;
  for (const char *p = d->path ? d->path : ""; *p; p++)
    hash = (hash ^ (unsigned char) *p) * 16777619u;
  fprintf (out, "o%08x-%" PRIu64, hash, object->id);
}

void
ummgr_diagnosis_clipped (FILE *out, const char *text, size_t limit)
{
  char part[1024];
  size_t at = 0, written = 0;
  if (limit > sizeof part - 1)
    limit = sizeof part - 1;
  while (text[at])
    {
      size_t length = ummgr_utf8_printable (text + at);
      bool plain = length > 0 && !strchr ("<>&\"'", text[at]);
      length = length ? length : 1;
      written += plain ? length : 8;
      if (written > limit)
	break;
      at += length;
    }
  memcpy (part, text, at);
  part[at] = 0;
  ummgr_report_escaped (out, part);
  if (text[at])
    fputs ("…", out);
}

void
ummgr_diagnosis_where (FILE *out, const char *file, uint32_t line)
{
  if (!file[0])
    {
      fputs ("<td class=\"w\">-</td>", out);
      return;
    }
  const char *slash = strrchr (file, '/');
  fputs ("<td class=\"w\" title=\"", out);
  ummgr_diagnosis_clipped (out, file, 300);
  fputs ("\">", out);
  ummgr_diagnosis_clipped (out, slash && slash[1] ? slash + 1 : file, 80);
  if (line)
    fprintf (out, ":%u", line);
  fputs ("</td>", out);
}

static void
put_finding (FILE *out, const struct ummgr_diagnosis *d,
	     const struct ummgr_finding *f, double most)
{
  struct ummgr_report_value cost = { .present = f->seconds > 0,
				     .kind = UMMGR_REPORT_SECONDS,
				     .seconds = f->seconds };
  fputs ("<tr>", out);
  ummgr_report_cell (out, &cost, most, NULL);
  ummgr_report_count_cell (out, UMMGR_REPORT_BYTES, f->bytes);
  fprintf (out, "<td class=\"w\">%s</td><td class=\"w name\">",
	   kind_title[f->kind]);
  if (f->object)
    {
      fputs ("<a href=\"#", out);
      ummgr_diagnosis_anchor (out, d, f->object);
      fputs ("\">", out);
      ummgr_diagnosis_clipped (out, f->object->name, 80);
      fputs ("</a>", out);
    }
  fputs ("</td>", out);
  ummgr_diagnosis_where (out, f->file, f->line);
  fputs ("<td class=\"w\">", out);
  ummgr_diagnosis_clipped (out, f->what, 800);
  if (f->elements[0])
    {
      fputs ("<div class=\"note\">", out);
      ummgr_diagnosis_clipped (out, f->elements, 400);
      fputs ("</div>", out);
    }
  fputs ("</td><td class=\"w\">", out);
  ummgr_diagnosis_clipped (out, f->change, 800);
  if (f->remedy)
    {
      fprintf (out, "<br>remedy: %s, modelled: %s", ummgr_remedy_name[f->remedy->kind],
	       ummgr_human_seconds (f->remedy->with).text);
      fprintf (out, " instead of %s", ummgr_human_seconds (f->remedy->without).text);
    }
  fputs ("</td></tr>\n", out);
}

static void
put_findings (FILE *out, const struct ummgr_diagnosis *d)
{
  size_t shown = d->finding_count < UMMGR_DIAGNOSIS_FINDINGS
    ? d->finding_count : UMMGR_DIAGNOSIS_FINDINGS;
  double most = 0;
  fputs ("<section><h3>Findings, the most expensive first</h3>\n", out);
  if (shown == 0)
    {
      fputs ("<p>Nothing found.</p></section>\n", out);
      return;
    }
  for (size_t i = 0; i < d->finding_count; i++)
    most = d->findings[i].seconds > most ? d->findings[i].seconds : most;
  fputs ("<div class=\"scroll\"><table class=\"sortable findings\"><thead><tr>"
	 "<th class=\"n\" title=\"modelled, with the rates of the profile\">"
	 "costs (modelled)</th>"
	 "<th class=\"n\" title=\"that need not move\">bytes</th>"
	 "<th class=\"w\">finding</th><th class=\"w\">object</th>"
	 "<th class=\"w\">where</th><th class=\"w\">what happens</th>"
	 "<th class=\"w\">change</th></tr></thead>\n<tbody>\n", out);
  for (size_t i = 0; i < shown; i++)
    put_finding (out, d, &d->findings[i], most);
  fputs ("</tbody></table></div>\n", out);
  if (shown < d->finding_count)
    fprintf (out, "<p class=\"note\">%zu more in JSON and CSV.</p>\n",
	     d->finding_count - shown);
  fputs ("</section>\n", out);
}

/* Notes on what the trace has and hasn't.  */
static void
put_notes (FILE *out, const struct ummgr_diagnosis *d)
{
  fprintf (out, "<p class=\"note\">%" PRIu64 " launch%s, %zu phase%s, %zu "
	   "object%s", d->launches, d->launches == 1 ? "" : "es",
	   d->phase_count, d->phase_count == 1 ? "" : "s", d->object_count,
	   d->object_count == 1 ? "" : "s");
  if (d->run.profile && d->run.profile[0])
    {
      fputs ("; seconds are modelled for ", out);
      ummgr_diagnosis_clipped (out, d->run.profile, 80);
    }
  fputs (".</p>\n", out);
  if (d->cut)
    fputs ("<p class=\"note\">The trace is damaged, was cut short or takes "
	   "more than a limit: this is what stands before.</p>\n", out);
  if (d->run.scope & UMMGR_TRACE_LIGHT)
    fputs ("<p class=\"note\">Accesses were not looked at (--trace-level=copies): only what "
	   "copies, launches and faults show is found.</p>\n", out);
  else if (!d->run.instrumented)
    fputs ("<p class=\"note\">The program was not compiled for tracing: only "
	   "copies are known, not accesses.</p>\n", out);
  if (d->lost)
    fprintf (out, "<p class=\"note\">%" PRIu64 " reports of accesses on a GPU are "
	     "missing: what was not seen there may have been used, and nothing is "
	     "said of it.</p>\n", d->lost);
  if (d->run.sample > 1)
    fprintf (out, "<p class=\"note\">One block of 256 bytes in %u was "
	     "traced: counts of words are of those.</p>\n", d->run.sample);
}

static void
put_legend (FILE *out)
{
  fputs ("<section><h3>Who accessed what</h3>\n"
	 "<p class=\"legend\">In “all accesses”: ", out);
  for (unsigned c = 0; c < UMMGR_MAP_COLOURS; c++)
    fprintf (out, "<span><i class=\"%s\"></i>%s</span>",
	     ummgr_map_paint[c].class, ummgr_map_paint[c].meaning);
  fputs ("</p>\n<p class=\"legend\">In the others, of the side that accesses: "
	 "<span><i class=\"mc\"></i>CPU</span>"
	 "<span><i class=\"mg\"></i>GPU</span>paler where it is a part of the "
	 "words. X&gt;Y: Y read a value that X wrote.</p></section>\n", out);
}

bool *
ummgr_diagnosis_named (const struct ummgr_diagnosis *d)
{
  /* Objects stand by the cost of their findings, so those with some are a
     prefix; but a finding without cost may stand anywhere.  */
  bool *named = calloc (d->object_count + 1, sizeof *named);
  size_t at = 0;
  for (size_t i = 0; named && i < d->finding_count; i++)
    {
      const struct ummgr_traced_object *o = d->findings[i].object;
      for (size_t n = 0; n < d->object_count && o; n++, at++)
	{
	  if (at >= d->object_count)
	    at = 0;
	  if (d->objects[at] == o)
	    {
	      named[at] = true;
	      break;
	    }
	}
    }
  return named;
}

bool
ummgr_diagnosis_pictured (const struct ummgr_diagnosis *d, size_t index,
			  const bool *named)
{
  return d->objects[index]->facts_count > 0
    && (named[index] || index < UMMGR_DIAGNOSIS_LARGEST);
}

/* A cell of the compact table: no title, no class.  */
static void
put_short (FILE *out, uint64_t number, enum ummgr_report_kind kind)
{
  struct ummgr_human h = kind == UMMGR_REPORT_BYTES
    ? ummgr_human_bytes (number) : ummgr_human_count (number);
  fprintf (out, "<td data-v=\"%" PRIu64 "\">%s</td>", number, h.text);
}

static void
put_line (FILE *out, const struct ummgr_diagnosis *d,
	  const struct ummgr_traced_object *o)
{
  const struct ummgr_facts *h = &o->host, *g = &o->device;
  const uint64_t bytes[] = { o->size, o->copied_in, o->copied_out };
  fputs ("<tr id=\"", out);
  ummgr_diagnosis_anchor (out, d, o);
  fputs ("\"><td class=\"w name\">", out);
  ummgr_diagnosis_clipped (out, o->name, 80);
  fputs ("</td>", out);
  ummgr_diagnosis_where (out, o->file, o->line);
  for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
    put_short (out, bytes[i], UMMGR_REPORT_BYTES);
  for (unsigned b = 0; b < UMMGR_MAP_FACTS; b++)
    put_short (out, ummgr_map_words (h, 2u << b) + ummgr_map_words (g, 2u << b),
	       UMMGR_REPORT_COUNT);
  put_short (out, h->alternating + g->alternating, UMMGR_REPORT_COUNT);
  fputs ("</tr>\n", out);
}

/* Objects without pictures.  */
static void
put_lines (FILE *out, const struct ummgr_diagnosis *d, const bool *drawn)
{
  size_t shown = 0, left = 0;
  for (size_t i = 0; i < d->object_count; i++)
    left += !drawn[i];
  if (left == 0)
    return;
  fprintf (out, "<section><h3>%s objects</h3>\n"
	   "<p class=\"note\">Words are summed over phases and over copies.</p>"
	   "<div class=\"scroll\"><table class=\"sortable lines\"><thead><tr>"
	   "<th class=\"w\">object</th><th class=\"w\">allocated at</th>"
	   "<th class=\"n\">size</th><th class=\"n\">copied in</th>"
	   "<th class=\"n\">copied out</th><th class=\"n\">CPU writes</th>"
	   "<th class=\"n\">GPU writes</th><th class=\"n\">C&gt;C</th>"
	   "<th class=\"n\">C&gt;G</th><th class=\"n\">G&gt;C</th>"
	   "<th class=\"n\">G&gt;G</th><th class=\"n\">alternating</th></tr>"
	   "</thead>\n<tbody>\n", left < d->object_count ? "Other" : "All");
  size_t size = 0, room = UMMGR_DIAGNOSIS_LINE_BYTES;
  for (size_t i = 0; i < d->object_count && size < room; i++)
    {
      char *text = NULL;
      size_t length = 0;
      FILE *line = drawn[i] ? NULL : open_memstream (&text, &length);
      if (!line)
	continue;
      put_line (line, d, d->objects[i]);
      if (fclose (line) == 0)
	fwrite (text, 1, length, out);
      free (text);
      size += length;
      shown++;
    }
  fputs ("</tbody></table></div>\n", out);
  if (shown < left)
    fprintf (out, "<p class=\"note\">%zu more in JSON and CSV.</p>\n",
	     left - shown);
  fputs ("</section>\n", out);
}

/* Write the sections of objects with pictures while there is room; forget in
   DRAWN those that were not.  */
static void
put_pictures (FILE *out, const struct ummgr_diagnosis *d, bool *drawn)
{
  size_t room = UMMGR_DIAGNOSIS_PICTURE_BYTES;
  bool legend = false;
  for (size_t i = 0; i < d->object_count; i++)
    {
      char *text = NULL;
      size_t size = 0;
      drawn[i] = ummgr_diagnosis_pictured (d, i, drawn);
      if (!drawn[i])
	continue;
      drawn[i] = false;
      FILE *part = room ? open_memstream (&text, &size) : NULL;
      if (!part)
	continue;
      ummgr_diagnosis_object_html (part, d, d->objects[i]);
      bool good = fclose (part) == 0;
      if (good && size <= room)
	{
	  if (!legend)
	    put_legend (out);
	  legend = true;
	  fwrite (text, 1, size, out);
	  drawn[i] = true;
	  room -= size;
	}
      else
	room = 0;
      free (text);
    }
}

void
ummgr_diagnosis_html_part (FILE *out, const struct ummgr_diagnosis *d)
{
  put_notes (out, d);
  put_findings (out, d);
  bool *drawn = ummgr_diagnosis_named (d);
  if (!drawn)
    return;
  put_pictures (out, d, drawn);
  put_lines (out, d, drawn);
  free (drawn);
}

void
ummgr_diagnosis_html (FILE *out, const struct ummgr_diagnosis *d)
{
  const char *program = d->run.program && d->run.program[0] ? d->run.program
    : d->path ? d->path : "trace";
  ummgr_report_page_begin (out, program);
  fputs ("<article>\n<h2>", out);
  ummgr_diagnosis_clipped (out, program, 300);
  fputs ("</h2>\n", out);
  ummgr_diagnosis_html_part (out, d);
  fputs ("</article>\n", out);
  ummgr_report_page_end (out);
}
