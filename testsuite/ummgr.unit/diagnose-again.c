/* A device copy that comes and goes in one phase: a line for each copy, or
   lines of different parts or phases thrown together, wrong sums or numbers, a
   picture of one copy only.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target zstd } */

#include "config.h"
#include "diagnose-test.h"

#include <jansson.h>

/* The facts of "array": three copies and the host in phase 1, one copy of two
   in phase 2.  */
static struct ummgr_diagnosis *
make (void)
{
  trace_begin ("diagnose-again", 1, 1);
  add_object (1, "array", 400, 0);
  FACTS (1, 0, { CG, 40 }, { 0, 60 });
  FACTS (1, 1, { CG, 100 });
  FACTS (1, 0, { 0, 60 }, { G | LG, 40 });
  FACTS (1, UMMGR_TRACE_HOST, { C | CC, 100 });
  FACTS (1, 0, { CG, 40 }, { 0, 60 });
  FACTS (1, 0, { CG, 50 });
  end_phase ("first");
  FACTS (1, 0, { CG, 100 });
  FACTS (1, 0, { CG, 100 });
  end_phase ("second");
  return trace_diagnose (NULL);
}

static void
check_facts (const struct ummgr_traced_object *o)
{
  static const struct { int device; uint32_t phase, copies; uint64_t words; }
  want[] = { { 0, 1, 3, 300 }, { 1, 1, 1, 100 }, { UMMGR_TRACE_HOST, 1, 1, 100 },
	     { 0, 1, 1, 50 }, { 0, 2, 2, 200 } };
  CHECK_EQ (o->facts_count, sizeof want / sizeof *want);
  for (size_t i = 0; i < o->facts_count; i++)
    {
      const struct ummgr_phase_facts *p = &o->facts[i];
      CHECK_EQ (p->device, want[i].device);
      CHECK_EQ (p->phase, want[i].phase);
      CHECK_EQ (p->copies, want[i].copies);
      CHECK_EQ (p->facts.words, want[i].words);
    }
  const struct ummgr_phase_facts *p = &o->facts[0];
  CHECK_EQ (p->facts.c_g, 80);
  CHECK_EQ (p->facts.gpu_wrote, 40);
  CHECK_EQ (p->facts.gpu_accessed, 120);
  /* The picture is of all three.  */
  CHECK_EQ (p->run_count, 3);
  CHECK (p->runs[0].length == 40 && p->runs[0].state == CG);
  CHECK (p->runs[1].length == 20 && p->runs[1].state == 0);
  CHECK (p->runs[2].length == 40 && p->runs[2].state == (G | LG));
  CHECK (p->runs[0].part[0] == 255);
}

static char *
written (void (*write) (FILE *, const struct ummgr_diagnosis *),
	 const struct ummgr_diagnosis *d)
{
  char *text;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  CHECK (out);
  write (out, d);
  CHECK (fclose (out) == 0);
  return text;
}

static void
check_outputs (const struct ummgr_diagnosis *d)
{
  char *text = written (ummgr_diagnosis_text, d);
  CHECK (strstr (text, "\n  1 first GPU 0 x3 "));
  CHECK (strstr (text, "\n  1 first GPU 1 "));
  CHECK (strstr (text, "\n  2 second GPU 0 x2 "));
  CHECK (!strstr (text, " x1"));
  free (text);
  text = written (ummgr_diagnosis_csv, d);
  CHECK (strstr (text, ",offset,copies,words,"));
  CHECK (strstr (text, ",1,first,0,0,3,300,"));
  CHECK (strstr (text, ",1,first,host,0,1,100,"));
  free (text);
  text = written (ummgr_diagnosis_html_part, d);
  CHECK (strstr (text, "phase 1, 3 copies: first"));
  CHECK (strstr (text, "phase 2, 2 copies: second"));
  /* Of a copy's words, not of all copies'.  */
  CHECK (strstr (text, ", bytes 0 to 200"));
  CHECK (!strstr (text, "bytes 0 to 1200"));
  free (text);
  json_t *json = ummgr_diagnosis_json (d);
  json_t *facts = json_object_get (
    json_array_get (json_object_get (json, "objects"), 0), "facts");
  json_t *first = json_array_get (facts, 0);
  CHECK_EQ (json_integer_value (json_object_get (first, "copies")), 3);
  CHECK_EQ (json_integer_value (json_object_get (first, "words")), 300);
  json_decref (json);
}

int
main (void)
{
  struct ummgr_diagnosis *d = make ();
  CHECK_EQ (d->object_count, 1);
  check_facts (d->objects[0]);
  CHECK_EQ (d->objects[0]->device.words, 650);
  check_outputs (d);
  ummgr_diagnosis_free (d);
  return 0;
}
