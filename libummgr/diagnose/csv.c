/* Diagnosis as comma-separated values (RFC 4180).
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Fields keep quotes, commas and line ends, in quotes; what is no UTF-8
   becomes U+FFFD.  What a spreadsheet would take for a formula gets an apostrophe
   before it.  No state.  */

#include "config.h"
#include "diagnose/traced.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <string.h>

static void
put (FILE *out, const char *text)
{
  bool quoted = text[strcspn (text, ",\"\r\n")] || *text == ' ';
  if (quoted)
    fputc ('"', out);
  if (*text && strchr ("=+-@\t\r", *text))
    fputc ('\'', out);
  while (*text)
    {
      size_t length = ummgr_utf8_length (text);
      if (*text == '"')
	fputs ("\"\"", out);
      else if (length)
	fwrite (text, 1, length, out);
      else
	fputs ("\xef\xbf\xbd", out);
      text += length ? length : 1;
    }
  if (quoted)
    fputc ('"', out);
}

static void
put_object (FILE *out, const struct ummgr_traced_object *o)
{
  fprintf (out, "%" PRIu64 ",", o->id);
  put (out, o->name);
  fputc (',', out);
  put (out, o->file);
  fprintf (out, ",%" PRIu32 ",%" PRIu64 ",%s,%zu,", o->line, o->size,
	   o->flags & UMMGR_TRACE_OBJECT_UNIFIED ? "unified" : "mapped",
	   o->merged);
}

static void
put_facts (FILE *out, const struct ummgr_facts *f)
{
  const uint64_t all[]
      = { f->words, f->cpu_wrote, f->gpu_wrote, f->c_c, f->c_g, f->g_c, f->g_g,
	  f->last_gpu, f->accessed, f->gpu_accessed, f->alternating,
	  f->overwritten };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    fprintf (out, ",%" PRIu64, all[i]);
  fprintf (out, ",%.6g", f->words ? (double) f->gpu_accessed / f->words : 0);
}

void
ummgr_diagnosis_csv (FILE *out, const struct ummgr_diagnosis *d)
{
  fputs ("object,name,file,line,size,memory,merged,phase,phase_name,device,"
	 "offset,copies,words,cpu_wrote,gpu_wrote,c_c,c_g,g_c,g_g,last_gpu,accessed,"
	 "gpu_accessed,alternating,overwritten,density", out);
  for (int i = 0; i < 11; i++)
    fprintf (out, ",blocks_%d", 10 * i);
  fputs ("\r\n", out);
  for (size_t i = 0; i < d->object_count; i++)
    for (size_t k = 0; k < d->objects[i]->facts_count; k++)
      {
	const struct ummgr_phase_facts *p = &d->objects[i]->facts[k];
	put_object (out, d->objects[i]);
	fprintf (out, "%" PRIu32 ",", p->phase);
	put (out, p->phase && p->phase <= d->phase_count
	     ? d->phases[p->phase - 1].name : "");
	if (p->device == UMMGR_TRACE_HOST)
	  fputs (",host", out);
	else
	  fprintf (out, ",%" PRId32, p->device);
	fprintf (out, ",%" PRIu64 ",%" PRIu32, p->offset,
		 p->copies ? p->copies : 1);
	put_facts (out, &p->facts);
	for (int b = 0; b < 11; b++)
	  fprintf (out, ",%" PRIu64, p->blocks[b]);
	fputs ("\r\n", out);
      }
}

void
ummgr_diagnosis_findings_csv (FILE *out, const struct ummgr_diagnosis *d)
{
  fputs ("kind,object,name,file,line,size,memory,merged,at_file,at_line,phase,"
	 "phases,times,bytes,modelled_seconds,what,change,elements,remedy,with_seconds,"
	 "without_seconds\r\n", out);
  for (size_t i = 0; i < d->finding_count; i++)
    {
      const struct ummgr_finding *f = &d->findings[i];
      fprintf (out, "%s,", ummgr_finding_name[f->kind]);
      put_object (out, f->object);
      put (out, f->file);
      fprintf (out, ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu64
	       ",%" PRIu64 ",%.9g,", f->line, f->phase, f->phases, f->times,
	       f->bytes, f->seconds);
      put (out, f->what);
      fputc (',', out);
      put (out, f->change);
      fputc (',', out);
      put (out, f->elements);
      if (f->remedy)
	fprintf (out, ",%s,%.9g,%.9g\r\n", ummgr_remedy_name[f->remedy->kind], f->remedy->with,
		 f->remedy->without);
      else
	fputs (",,,\r\n", out);
    }
}
