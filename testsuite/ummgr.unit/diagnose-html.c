/* Breaks if the page of a diagnosis is not well-formed, needs anything from
   outside, lets text of a trace act as markup, repeats phases that look the
   same, or grows without bound.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "diagnosis-sample.h"
#include "markup-check.h"
#include "report/report.h"

#include <jansson.h>

#define HOSTILE "\"'><script>alert(1)</script><!-- & \x01\xff"

static struct ummgr_trace_phase phases[40];

static struct ummgr_diagnosis
diagnosis (struct ummgr_traced_object **objects, size_t object_count,
	   struct ummgr_finding *findings, size_t finding_count)
{
  for (unsigned i = 0; i < 40; i++)
    phases[i] = (struct ummgr_trace_phase) { i + 1, "", "region step", 2 };
  return (struct ummgr_diagnosis) {
    .run = { .program = "./proxy -n 8", .profile = "p100-nvlink1",
	     .policy = "um", .writer = "", .instrumented = 1 },
    .path = "t.ummt", .phase_count = 40, .phases = phases,
    .objects = objects, .object_count = object_count, .findings = findings,
    .finding_count = finding_count, .launches = 5
  };
}

static char *
page (const struct ummgr_diagnosis *d)
{
  char *text;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  ummgr_diagnosis_html (out, d);
  CHECK (fclose (out) == 0);
  CHECK (size < 10u << 20);
  markup_check (text);
  CHECK (!strstr (text, "<link") && !strstr (text, "src="));
  for (const char *p = text; (p = strstr (p, "http")); p++)
    CHECK (strncmp (p, "http://www.w3.org/2000/svg\"", 27) == 0);
  return text;
}

static size_t
count (const char *text, const char *what)
{
  size_t n = 0;
  for (; (text = strstr (text, what)); text++)
    n++;
  return n;
}

static void
check_contents (void)
{
  char *layout;
  struct ummgr_traced_object *objects[]
    = { sample_domain (7, 100, 20, &layout), sample_smith_waterman (9, 11, 21) };
  struct ummgr_finding findings[] = {
    { .kind = UMMGR_FINDING_ALTERNATING, .object = objects[0],
      .file = "lulesh.c", .line = 120, .phase = 2, .phases = 19, .bytes = 4096,
      .seconds = 0.0125, .what = "The first thing.", .change = "Move it.",
      .elements = "m_field8" },
    { .kind = UMMGR_FINDING_LOW_DENSITY, .object = objects[1],
      .file = "sw.c", .line = 7, .phase = 9, .phases = 20, .bytes = 100,
      .what = "The second thing.", .change = "Rotate it.", .elements = "" }
  };
  struct ummgr_diagnosis d = diagnosis (objects, 2, findings, 2);
  char *text = page (&d);
  CHECK (strstr (text, "modelled for p100-nvlink1"));
  CHECK (strstr (text, "12.5 ms") && strstr (text, "width:100.0%"));
  CHECK (strstr (text, "The first thing.") < strstr (text, "The second thing."));
  CHECK (strstr (text, "lulesh.c:120") && strstr (text, "href=\"#o18885140-7\""));
  CHECK (strstr (text, "id=\"o18885140-7\""));
  /* Phases 2 to 20 of the struct: one row and one set of maps.  */
  CHECK_EQ (count (text, "phases 2 to 20, until region step"), 2);
  CHECK (strstr (text, "which look the same"));
  CHECK (strstr (text, "alternating: m_field8, m_field9"));
  /* The matrix: phases 1, 2, 9, 16 and 30 at once, 25 folded.  */
  const char *matrix = strstr (text, "<section class=\"object\" id=\"o18885140-9\"");
  const char *folded = strstr (matrix, "<details>");
  CHECK (matrix && folded && strstr (folded, "25 more phases"));
  CHECK (strstr (matrix, "<h4>phase 9,") < folded);
  CHECK (strstr (matrix, "<h4>phase 8,") > folded);
  CHECK (strstr (matrix, "a row is 21 elements, a length found"));
  CHECK (!strstr (text, "Other objects") && !strstr (text, "cut short"));
  free (text);
  d.cut = true;
  d.run.sample = 64;
  d.finding_count = 0;
  text = page (&d);
  CHECK (strstr (text, "cut short") && strstr (text, "in 64 was"));
  CHECK (strstr (text, "Nothing found."));
  free (text);
  sample_object_free (objects[0]);
  sample_object_free (objects[1]);
  free (layout);
}

static void
check_hostile (void)
{
  char *layout;
  struct ummgr_traced_object *object = sample_domain (1, 100, 3, &layout);
  struct ummgr_finding f = { .kind = UMMGR_FINDING_OVERLAP, .object = object,
			     .file = HOSTILE, .line = 1, .phase = 77,
			     .what = HOSTILE, .change = HOSTILE,
			     .elements = HOSTILE };
  struct ummgr_diagnosis d = diagnosis (&object, 1, &f, 1);
  object->name = object->file = object->layout = HOSTILE;
  d.run.program = d.run.profile = d.path = HOSTILE;
  phases[0].name = phases[1].cause = HOSTILE;
  char *text = page (&d);
  CHECK_EQ (count (text, "<script"), 1);
  CHECK (!strstr (text, "<!--"));
  free (text);
  sample_object_free (object);
  free (layout);
}

/* 10,000 objects of noise, with names as long as they get.  */
static void
check_size (void)
{
  enum { OBJECTS = 10000 };
  static struct ummgr_traced_object *objects[OBJECTS];
  static struct ummgr_finding findings[OBJECTS];
  static uint8_t state[1024];
  static char name[16000];
  struct ummgr_phase_facts facts[8];
  memset (name, '"', sizeof name - 1);
  for (unsigned k = 0; k < 8; k++)
    {
      for (unsigned i = 0; i < 1024; i++)
	state[i] = (unsigned) rand () / 16 & 0x7e;
      facts[k] = sample_facts (k + 1, -1, state, 1024, 256);
    }
  for (size_t i = 0; i < OBJECTS; i++)
    {
      struct ummgr_traced_object *o
	= sample_object (i + 1, name, 1 << 20, 4, 8);
      for (unsigned k = 0; k < 8; k++)
	sample_add (o, facts[k]);
      o->file = name;
      objects[i] = o;
      findings[i] = (struct ummgr_finding) {
	.kind = i % UMMGR_FINDING_KINDS, .object = o, .file = name, .line = 1,
	.seconds = 1.0 / (i + 1), .what = name, .change = name, .elements = name
      };
    }
  struct ummgr_diagnosis d = diagnosis (objects, OBJECTS, findings, OBJECTS);
  char *text = page (&d);
  CHECK (strstr (text, "more in JSON and CSV"));
  CHECK (count (text, "<section class=\"object\"") > 5);
  CHECK (count (text, "<tr id=\"o") > 1000);
  free (text);
  for (size_t i = 0; i < OBJECTS; i++)
    {
      objects[i]->facts_count = 0;
      sample_object_free (objects[i]);
    }
  for (unsigned k = 0; k < 8; k++)
    free ((void *) facts[k].runs);
}

/* A copy on a device: what was copied and used by the GPU is not "alternating",
   and several of one phase are not several phases.  */
static void
check_copies (void)
{
  static uint8_t state[64];
  struct ummgr_traced_object *object = sample_object (3, "a", 256, 4, 5);
  struct ummgr_diagnosis d = diagnosis (&object, 1, NULL, 0);
  memset (state, UMMGR_SHADOW_CPU_WROTE, sizeof state);
  memset (state, UMMGR_SHADOW_CPU_WROTE | UMMGR_SHADOW_C_G, 40);
  for (unsigned i = 0; i < 3; i++)
    sample_add (object, sample_facts (1, 0, state, 64, 1));
  phases[0].cause = "end";
  char *text = page (&d);
  CHECK (strstr (text, "<h4>phase 1, 3 times, until the end, which look"));
  CHECK (!strstr (text, ": both, and one writes: alternating</title>"));
  CHECK (strstr (text, ": GPU only</title>"));
  /* The GPU used 40 of 64 words.  */
  CHECK (strstr (text, "title=\"40 of 64 words\""));
  CHECK (strstr (text, "the GPU did not access them"));
  free (text);
  sample_object_free (object);
}

/* Each launch's copy is of another part.  */
static void
check_parts (void)
{
  static uint8_t state[64];
  struct ummgr_traced_object *object = sample_object (3, "a", 1 << 20, 4, 2000);
  struct ummgr_diagnosis d = diagnosis (&object, 1, NULL, 0);
  memset (state, UMMGR_SHADOW_C_G, sizeof state);
  for (unsigned i = 0; i < 2000; i++)
    {
      sample_add (object, sample_facts (i + 1, 0, state, 64, 1));
      object->facts[i].offset = i * 256;
    }
  char *text = page (&d);
  CHECK (strstr (text, "Copy on device 0, bytes 256 to 512<"));
  CHECK (strstr (text, "Copies of other parts are in JSON"));
  CHECK (strlen (text) < 60000);
  free (text);
  sample_object_free (object);
}

/* As a part of a run's page.  */
static void
check_embedded (void)
{
  struct ummgr_traced_object *object = sample_smith_waterman (3, 5, 5);
  struct ummgr_diagnosis d = diagnosis (&object, 1, NULL, 0);
  json_t *stats = json_loads (
    "{\"version\":1,\"policy\":\"um\",\"totals\":{},\"regions\":[],"
    "\"objects\":[]}", 0, NULL);
  struct ummgr_report_run run = {
    .name = "one.json", .stats = stats, .diagnosis = &d,
    .diagnosis_html = ummgr_diagnosis_html_part
  };
  char *text;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  ummgr_report_html (out, &run, 1);
  CHECK (fclose (out) == 0);
  markup_check (text);
  CHECK_EQ (count (text, "<style"), 1);
  CHECK (strstr (text, "id=\"o18885140-3\""));
  free (text);
  json_decref (stats);
  sample_object_free (object);
}

int
main (void)
{
  check_contents ();
  check_hostile ();
  check_copies ();
  check_parts ();
  check_size ();
  check_embedded ();
  return 0;
}
