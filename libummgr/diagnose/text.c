/* Diagnosis as text, for a terminal of 100 columns.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The table of each object is XPlacer's Figure 4.  No state.  */

#include "config.h"
#include "diagnose/traced.h"

#include "base/color.h"
#include "base/table.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <string.h>

enum { WIDTH = 100, FINDINGS = 40, OBJECTS = 40, PHASES = 12 };

/* At most MOST characters of TEXT; how many.  */
static size_t
put_some (FILE *out, const char *text, size_t most)
{
  size_t width = 0;
  for (; *text && width < most; width++)
    {
      size_t length = ummgr_utf8_printable (text);
      if (length)
	fwrite (text, 1, length, out);
      else
	fputc ('?', out);
      text += length ? length : 1;
    }
  return width;
}

static void
put (FILE *out, const char *text)
{
  put_some (out, text, SIZE_MAX);
}

void
ummgr_diagnosis_wrapped (FILE *out, const char *label, const char *text)
{
  size_t indent = strlen (label), column = indent;
  fputs (label, out);
  while (*text)
    {
      size_t length = strcspn (text, " "), width = 0;
      for (const char *p = text; p < text + length; width++)
	p += ummgr_utf8_printable (p) ? ummgr_utf8_printable (p) : 1;
      if (column > indent && column + 1 + width > WIDTH)
	{
	  fprintf (out, "\n%*s", (int) indent, "");
	  column = indent;
	}
      else if (column > indent)
	{
	  fputc (' ', out);
	  column++;
	}
      column += put_some (out, text, width);
      text += length;
      text += *text == ' ';
    }
  fputc ('\n', out);
}

static void
put_place (FILE *out, const char *file, uint32_t line)
{
  if (!*file)
    return;
  fputs (" (", out);
  put (out, file);
  if (line)
    fprintf (out, ":%" PRIu32, line);
  fputc (')', out);
}

static void
put_finding (FILE *out, size_t number, const struct ummgr_finding *f)
{
  char label[16];
  fprintf (out, "%3zu. ", number);
  ummgr_color_put (out, UMMGR_COLOR_WARNING);
  fputs (ummgr_finding_name[f->kind], out);
  ummgr_color_put (out, UMMGR_COLOR_NONE);
  fputs (": ", out);
  put (out, f->object->name);
  put_place (out, f->file, f->line);
  fprintf (out, ", %s", ummgr_human_bytes (f->bytes).text);
  if (f->seconds > 0)
    fprintf (out, ", %s modelled", ummgr_human_seconds (f->seconds).text);
  fputc ('\n', out);
  snprintf (label, sizeof label, "     ");
  ummgr_diagnosis_wrapped (out, label, f->what);
  if (*f->elements)
    ummgr_diagnosis_wrapped (out, "     where:  ", f->elements);
  ummgr_diagnosis_wrapped (out, "     change: ", f->change);
  if (f->remedy)
    {
      fprintf (out, "     remedy: %s, modelled: %s", ummgr_remedy_name[f->remedy->kind],
	       ummgr_human_seconds (f->remedy->with).text);
      fprintf (out, " instead of %s\n", ummgr_human_seconds (f->remedy->without).text);
    }
  if (f->tried)
    ummgr_diagnosis_wrapped (out, "     tried:  ", f->tried);
}

/* How remedies were tried.  */
static void
put_together (FILE *out, const struct ummgr_diagnosis *d)
{
  const struct ummgr_together *t = &d->together;
  if (t->untried)
    fprintf (out, "\nNo advice was tried by replay: %s.\n", t->untried);
  if (!*t->machine)
    return;
  fputs ("\nAdvice was tried by replay, ", out);
  put (out, t->machine);
  fputs (".\n", out);
  if (t->with > 0 && t->count > 1)
    {
      fprintf (out, "All %zu remedies together, modelled: %s", t->count,
	       ummgr_human_seconds (t->with).text);
      fprintf (out, " instead of %s\n", ummgr_human_seconds (t->without).text);
    }
}

static void
put_findings (FILE *out, const struct ummgr_diagnosis *d)
{
  if (!d->finding_count)
    {
      fputs ("\nNo findings.\n", out);
      put_together (out, d);
      return;
    }
  fputc ('\n', out);
  ummgr_color_put (out, UMMGR_COLOR_HEAD);
  fprintf (out, "Findings (%zu), the most expensive first", d->finding_count);
  ummgr_color_put (out, UMMGR_COLOR_NONE);
  fputc ('\n', out);
  size_t shown = d->finding_count < FINDINGS ? d->finding_count : FINDINGS;
  for (size_t i = 0; i < shown; i++)
    put_finding (out, i + 1, &d->findings[i]);
  if (shown < d->finding_count)
    fprintf (out, "     %zu more, see --findings-csv\n",
	     d->finding_count - shown);
  put_together (out, d);
}

/* Only words of unified memory alternate: a copy is each side's own.  */
static void
add_phase (struct ummgr_table *table, const struct ummgr_diagnosis *d,
	   const struct ummgr_phase_facts *p)
{
  const struct ummgr_facts *f = &p->facts;
  char name[20] = "", density[8] = "-";
  if (p->phase && p->phase <= d->phase_count)
    ummgr_utf8_print (name, sizeof name, d->phases[p->phase - 1].name);
  if (f->words)
    snprintf (density, sizeof density, "%.0f%%",
	      100.0 * f->gpu_accessed / f->words);
  ummgr_table_add (table, "%" PRIu32 "%s%s", p->phase, *name ? " " : "", name);
  if (p->device != UMMGR_TRACE_HOST)
    ummgr_table_add (table, " GPU %" PRId32, p->device);
  if (p->copies > 1)
    ummgr_table_add (table, " x%" PRIu32, p->copies);
  ummgr_table_add (table, "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
		   "\t%" PRIu64 "\t%" PRIu64 "\t%s\t", f->cpu_wrote,
		   f->gpu_wrote, f->c_c, f->c_g, f->g_c, f->g_g, density);
  if (p->device == UMMGR_TRACE_HOST)
    ummgr_table_add (table, "%" PRIu64 "\n", f->alternating);
  else
    ummgr_table_add (table, "-\n");
}

static void
put_object (FILE *out, const struct ummgr_diagnosis *d,
	    const struct ummgr_traced_object *o)
{
  fputc ('\n', out);
  put (out, o->name);
  put_place (out, o->file, o->line);
  fprintf (out, ", %s%s", ummgr_human_bytes (o->size).text,
	   o->flags & UMMGR_TRACE_OBJECT_UNIFIED ? ", unified" : "");
  if (o->merged > 1)
    fprintf (out, ", %zu of these in turn", o->merged);
  if (o->copies)
    fprintf (out, ", copied in %s, out %s",
	     ummgr_human_bytes (o->copied_in).text,
	     ummgr_human_bytes (o->copied_out).text);
  fputc ('\n', out);
  if (!o->facts_count)
    return;
  struct ummgr_table table = { .columns = "lrrrrrrrr", .indent = "  ", .head = true };
  ummgr_table_add (&table,
		   "phase\tC\tG\tC>C\tC>G\tG>C\tG>G\tdensity\taltern.\n");
  size_t shown = o->facts_count < PHASES ? o->facts_count : PHASES;
  for (size_t i = 0; i < shown; i++)
    add_phase (&table, d, &o->facts[i]);
  ummgr_table_end (&table, out);
  if (shown < o->facts_count)
    fprintf (out, "  %zu more, see --csv\n", o->facts_count - shown);
}

static void
put_head (FILE *out, const struct ummgr_diagnosis *d)
{
  fputs ("Trace ", out);
  put (out, d->path);
  if (*d->run.program)
    {
      fputs (" of ", out);
      put (out, d->run.program);
    }
  fprintf (out, "\n%" PRIu64 " launches of %zu regions, %zu phases, %zu "
	   "objects, %" PRIu64 " accesses recorded\n", d->launches,
	   d->region_count, d->phase_count, d->object_count, d->accesses);
  if (d->cut)
    fputs ("The trace is damaged, has no end or takes more than a limit: this is "
	   "what stands before.\n", out);
  if (d->run.scope & UMMGR_TRACE_LIGHT)
    ummgr_diagnosis_wrapped (out, "", "Accesses were not looked at (--trace-level=copies): only what copies, "
		 "launches and faults show is found.");
  else if (!d->run.instrumented)
    ummgr_diagnosis_wrapped (out, "", "The program was not built with ummgr cc -ftrace: "
		 "only what copies show is found.");
  if (d->lost)
    {
      char text[160];
      snprintf (text, sizeof text, "%" PRIu64 " reports of accesses on a GPU are "
		"missing: what was not seen there may have been used, and nothing "
		"is said of it.", d->lost);
      ummgr_diagnosis_wrapped (out, "", text);
    }
  if (d->run.sample > 1)
    fprintf (out, "One block of memory in %" PRIu32 " was seen: words are "
	     "counted there, findings are estimated.\n", d->run.sample);
}

void
ummgr_diagnosis_text (FILE *out, const struct ummgr_diagnosis *d)
{
  put_head (out, d);
  put_findings (out, d);
  ummgr_diagnosis_moved (out, d);
  if (!d->object_count)
    return;
  fputs (d->run.instrumented
	 ? "\nObjects, in words of 4 bytes: C, G: written by the CPU, the GPU; "
	 "A>B: read by B, written by A;\ndensity: accessed by the GPU; altern.: "
	 "accessed by both and written; xN: N copies, summed\n" : "\nObjects\n", out);
  size_t shown = d->object_count < OBJECTS ? d->object_count : OBJECTS;
  for (size_t i = 0; i < shown; i++)
    put_object (out, d, d->objects[i]);
  if (shown < d->object_count)
    fprintf (out, "\n%zu more objects, see --csv\n", d->object_count - shown);
}
