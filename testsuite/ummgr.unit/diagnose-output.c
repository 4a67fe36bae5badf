/* A diagnosis written as text, JSON and CSV: names that break out of their
   field, drive the terminal or make JSON invalid; findings or objects that are
   missing; lines that are too long.  And one of a damaged trace: a crash, a
   hang, or good records that are lost.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target zstd } */

#include "config.h"
#include "diagnose-test.h"
#include "trace-test.h"
#include "base/utf8.h"

#include <jansson.h>

static const char nasty[] = "a,\"b\"\r\n\033[1m\xff<x>";

static struct ummgr_diagnosis *
sample (int objects)
{
  trace_begin ("diagnose-output", 1, 1);
  for (int id = 1; id <= objects; id++)
    {
      add_object (id, id == 1 ? nasty : "plain", 1 << 20, id % 2);
      if (id % 2 == 0)
	add_outcome (add_in (id, 0, 1 << 20, 0), 1 << 18, 1 << 18, 0);
      FACTS (id, UMMGR_TRACE_HOST, { C | CG, 1 << 10 },
	     { CC, (1 << 18) - (1 << 10) });
    }
  end_phase (nasty);
  return trace_diagnose (NULL);
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
  CHECK_EQ (strlen (text), size);
  for (const char *p = text; *p; p += ummgr_utf8_length (p))
    CHECK (ummgr_utf8_length (p));
  return text;
}

static void
check_text (const struct ummgr_diagnosis *d)
{
  char *text = written (ummgr_diagnosis_text, d);
  size_t width = 0;
  for (const char *p = text; *p; p += ummgr_utf8_length (p))
    {
      CHECK (*p == '\n' || (unsigned char) *p >= 0x20);
      width = *p == '\n' ? 0 : width + 1;
      CHECK (width <= 100);
    }
  CHECK (strstr (text, "unused-copy: plain (copy.c:2)"));
  CHECK (strstr (text, "a,\"b\"??"));
  CHECK (strstr (text, "modelled"));
  free (text);
}

/* Lines of a table, with as many fields each as in its head.  */
static size_t
csv_lines (const char *text)
{
  size_t lines = 0, fields = 1, head = 0;
  bool quoted = false;
  for (const char *p = text; *p; p++)
    if (*p == '"')
      quoted = !quoted;
    else if (!quoted && *p == ',')
      fields++;
    else if (!quoted && *p == '\n')
      {
	CHECK (p > text && p[-1] == '\r');
	head = lines++ ? head : fields;
	CHECK_EQ (fields, head);
	fields = 1;
      }
  CHECK (!quoted);
  return lines;
}

static void
check_csv (const struct ummgr_diagnosis *d, int objects)
{
  char *text = written (ummgr_diagnosis_csv, d);
  CHECK_EQ (csv_lines (text), objects + 1);
  CHECK (strstr (text, "\"a,\"\"b\"\"\r\n"));
  free (text);
  text = written (ummgr_diagnosis_findings_csv, d);
  CHECK_EQ (csv_lines (text), d->finding_count + 1);
  free (text);
}

static void
check_json (const struct ummgr_diagnosis *d, int objects)
{
  json_t *json = ummgr_diagnosis_json (d);
  char *text = json_dumps (json, 0);
  CHECK (text);
  free (text);
  CHECK_EQ (json_array_size (json_object_get (json, "objects")), objects);
  json_t *findings = json_object_get (json, "findings");
  CHECK_EQ (json_array_size (findings), d->finding_count);
  json_t *first = json_array_get (findings, 0);
  CHECK (strcmp (json_string_value (json_object_get (first, "kind")),
		 ummgr_finding_name[d->findings[0].kind]) == 0);
  CHECK_EQ (json_integer_value (json_object_get (first, "bytes")),
	    d->findings[0].bytes);
  json_decref (json);
}

static void
test_damaged (void)
{
  /* What random records say must not matter.  */
  uint64_t seed = 99;
  for (int round = 0; round < 20; round++)
    {
      trace_begin ("diagnose-output", 1, round % 3);
      for (uint64_t id = 1; id < 30; id++)
	add_object (id, "x", random_number (&seed), random_next (&seed) % 8);
      for (int i = 0; i < 3000; i++)
	{
	  struct ummgr_trace_record r = random_record (&seed);
	  if (r.kind == UMMGR_TRACE_FACTS && i % 2)
	    {
	      r.u.facts.object = 1 + i % 30;
	      r.u.facts.phase = 1 + i % 3;
	      r.u.facts.device = i % 3 - 1;
	    }
	  else if (r.kind == UMMGR_TRACE_COPY && i % 2)
	    {
	      r.u.move.object = 1 + i % 30;
	      r.u.move.from = -(i & 2) / 2;
	      r.u.move.to = -1 - r.u.move.from;
	    }
	  put (&r);
	  if (r.kind == UMMGR_TRACE_BEGIN)
	    launches = r.u.launch.launch;
	  struct ummgr_trace_access a = random_access (&seed);
	  a.object = 1 + i % 30;
	  a.launch = i % 2 ? launches : 0;
	  if (i % 3)
	    a.count = 1 + a.count % 100000;
	  ummgr_trace_stream_write (stream, &a, 1);
	}
      struct ummgr_diagnosis *d = trace_diagnose (NULL);
      free (written (ummgr_diagnosis_text, d));
      free (written (ummgr_diagnosis_csv, d));
      free (written (ummgr_diagnosis_findings_csv, d));
      json_decref (ummgr_diagnosis_json (d));
      ummgr_diagnosis_free (d);
    }
}

/* What stands before the damage is there.  */
static void
test_cut (void)
{
  size_t size;
  trace_begin ("diagnose-output", 1, 1);
  add_object (1, "copied", 1 << 20, 0);
  add_outcome (add_in (1, 0, 1 << 20, 0), 1 << 18, 1 << 18, 0);
  CHECK (ummgr_trace_flush (writer) == UMMGR_OK);
  struct ummgr_trace_record mark = mark_record ("later");
  put (&mark);
  CHECK (ummgr_trace_writer_close (writer) == UMMGR_OK);
  unsigned char *bytes = file_load (trace_path, &size);
  file_store (trace_path, bytes, size - 1);
  free (bytes);
  struct ummgr_diagnosis *d = ummgr_diagnose (trace_path, NULL);
  CHECK (d && d->cut);
  CHECK (finding (d, UMMGR_FINDING_UNUSED_COPY, "copied"));
  ummgr_diagnosis_free (d);
  unlink (trace_path);
  CHECK (!ummgr_diagnose ("no-such-file.ummt", NULL));
}

int
main (void)
{
  log_discard ();
  struct ummgr_diagnosis *d = sample (10);
  check_text (d);
  check_csv (d, 10);
  check_json (d, 10);
  ummgr_diagnosis_free (d);
  /* More than a terminal wants.  */
  d = sample (100);
  char *text = written (ummgr_diagnosis_text, d);
  CHECK (strstr (text, "more objects, see --csv"));
  CHECK (strstr (text, "more, see --findings-csv"));
  free (text);
  check_csv (d, 100);
  ummgr_diagnosis_free (d);
  test_damaged ();
  test_cut ();
  return 0;
}
