/* Traces without accesses: a copy called unused though a region ran beside it, or though the
   program or libgomp may have used it otherwise; one that isn't, though none ran; a mapping
   that comes again, told twice or not at all; a duplicate of what the device has written over;
   places where data moved that are wrong or thrown together; older traces, which don't say
   enough, taken for such.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target zstd } */

#include "config.h"
#include "diagnose-test.h"

enum { SIZE = 1 << 20 };

static const enum ummgr_finding_kind unused = UMMGR_FINDING_UNUSED_COPY;

static void
begin (void)
{
  trace_scope = UMMGR_TRACE_HANDS | UMMGR_TRACE_LIGHT;
  trace_begin ("diagnose-light", 0, 1);
  trace_scope = 0;
}

static void
add_finish (uint64_t launch)
{
  struct ummgr_trace_record r = { .kind = UMMGR_TRACE_FINISH };
  r.u.launch = (struct ummgr_trace_launch) { launch, 1, 0 };
  put (&r);
}

static void
run (void)
{
  add_finish (add_launch (1));
}

static void
come (uint64_t id, const char *name)
{
  add_object (id, name, SIZE, 0);
  add_present (id, SIZE, false);
}

static void
test_unused (void)
{
  begin ();
  /* Taken away, replaced, or there at the end.  */
  come (1, "gone");
  add_in (1, 0, SIZE, 11);
  add_present (1, SIZE, true);
  come (2, "replaced");
  add_in (2, 0, SIZE, 21);
  add_in (2, 0, SIZE, 22);
  run ();
  add_present (2, SIZE, true);
  come (3, "last");
  run ();
  add_in (3, 0, SIZE, 31);
  /* A region ran: before the copy, it was not for it; after it, it may be.  */
  come (4, "used");
  add_in (4, 0, SIZE, 41);
  run ();
  add_present (4, SIZE, true);
  /* One was under way all the time.  */
  uint64_t launch = add_launch (1);
  come (5, "beside");
  add_in (5, 0, SIZE, 51);
  add_present (5, SIZE, true);
  add_finish (launch);
  /* Only a part was replaced.  */
  come (6, "part");
  add_in (6, 0, SIZE, 61);
  add_in (6, SIZE / 2, SIZE / 2, 62);
  run ();
  add_present (6, SIZE, true);
  add_in (3, 0, SIZE, 32);
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  const struct ummgr_finding *f = finding (d, unused, "gone");
  check_cost (f, SIZE, SIZE + 10000);
  CHECK (strcmp (f->file, "copy.c") == 0 && f->line == 1);
  CHECK (strstr (f->what, "no region ran before it was replaced or taken away"));
  check_cost (finding (d, unused, "replaced"), SIZE, SIZE + 10000);
  check_cost (finding (d, unused, "last"), SIZE, SIZE + 10000);
  CHECK (!finding (d, unused, "used") && !finding (d, unused, "beside"));
  CHECK (!finding (d, unused, "part"));
  CHECK_EQ (d->finding_count, 3);
  ummgr_diagnosis_free (d);
}

/* A device address was handed out, or the trace is of a writer that doesn't say when.  */
static void
test_handed (void)
{
  begin ();
  come (1, "before");
  add_in (1, 0, SIZE, 11);
  add_present (1, SIZE, true);
  come (2, "then");
  add_in (2, 0, SIZE, 21);
  struct ummgr_trace_record r = { .kind = UMMGR_TRACE_HANDED, .u.handed.device = 0 };
  put (&r);
  add_present (2, SIZE, true);
  come (3, "after");
  add_in (3, 0, SIZE, 31);
  add_present (3, SIZE, true);
  come (4, "empty");
  add_present (4, SIZE, true);
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  check_cost (finding (d, unused, "before"), SIZE, SIZE + 10000);
  CHECK_EQ (d->finding_count, 1);
  ummgr_diagnosis_free (d);

  trace_begin ("diagnose-light", 0, 1);
  come (1, "old");
  add_in (1, 0, SIZE, 11);
  add_present (1, SIZE, true);
  d = trace_diagnose (NULL);
  CHECK_EQ (d->finding_count, 0);
  ummgr_diagnosis_free (d);
}

static void
test_allocations (void)
{
  const enum ummgr_finding_kind again = UMMGR_FINDING_REMAPPED;
  const enum ummgr_finding_kind empty = UMMGR_FINDING_UNUSED_ALLOCATION;
  begin ();
  come (1, "empty");
  add_present (1, SIZE, true);
  run ();
  /* Only that it is allocated again is in vain; or the copies, too.  */
  for (int i = 0; i < 3; i++)
    {
      if (i)
	add_present (2, SIZE, false), add_present (3, SIZE, false);
      else
	come (2, "result"), come (3, "input");
      add_in (3, 0, SIZE, 5);
      run ();
      add_out (2, 0, SIZE, 70 + i, 0);
      add_present (2, SIZE, true);
      add_present (3, SIZE, true);
    }
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  check_cost (finding (d, empty, "empty"), SIZE, 0);
  CHECK (strstr (finding (d, empty, "empty")->what, "no region ran while it was there"));
  check_cost (finding (d, again, "result"), 2 * SIZE, 0);
  CHECK_EQ (finding (d, again, "result")->times, 2);
  CHECK (strstr (finding (d, again, "result")->change, "map(alloc: result[0:262144])"));
  CHECK (!finding (d, again, "input"));
  check_cost (finding (d, UMMGR_FINDING_DUPLICATE_COPY, "input"), 2 * SIZE, 2 * SIZE + 20000);
  CHECK_EQ (d->finding_count, 3);
  ummgr_diagnosis_free (d);
}

/* The host sets it back each time: that the bytes are old ones is no use.  */
static void
test_written (void)
{
  begin ();
  come (1, "reset");
  for (int i = 0; i < 3; i++)
    {
      add_in (1, 0, SIZE, 5);
      run ();
      add_out (1, 0, SIZE, 6, 0);
    }
  come (2, "round");
  for (int i = 0; i < 3; i++)
    {
      add_in (2, 0, SIZE, 7 + i);
      run ();
      add_out (2, 0, SIZE, 8 + i, 0);
    }
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  CHECK (!finding (d, UMMGR_FINDING_DUPLICATE_COPY, "reset"));
  check_cost (finding (d, UMMGR_FINDING_ROUND_TRIP, "round"), 2 * SIZE, 2 * SIZE + 20000);
  CHECK_EQ (d->finding_count, 1);
  ummgr_diagnosis_free (d);
}

static void
add_faults (uint64_t launch, uint64_t id, uint64_t n, uint32_t line)
{
  struct ummgr_trace_record r = { .kind = UMMGR_TRACE_FAULTS };
  r.u.faults = (struct ummgr_trace_faults) {
    .launch = launch, .object = id, .gpu_faults = n, .cpu_faults = 2 * n, .in = 3 * n,
    .out = 4 * n, .evictions = 5 * n, .file = "copy.c", .line = line
  };
  put (&r);
}

static void
test_moved (void)
{
  begin ();
  come (1, "first");
  come (2, "second");
  add_in (1, 0, SIZE, 11);
  uint64_t launch = add_launch (1);
  add_faults (launch, 1, 7, 1);
  add_faults (launch, 1, 1, 1);
  add_faults (launch, 2, 1, 9);
  add_finish (launch);
  add_faults (0, 1, 10, 1);
  add_out (1, 0, SIZE / 2, 12, 0);
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  CHECK_EQ (d->moved_count, 3);
  const struct ummgr_moved *m = d->moved;
  CHECK (strcmp (m[0].object->name, "first") == 0 && strcmp (m[0].file, "copy.c") == 0);
  CHECK_EQ (m[0].line, 1);
  CHECK_EQ (m[0].behind, false);
  CHECK_EQ (m[0].copies, 2);
  CHECK_EQ (m[0].copied_in, SIZE);
  CHECK_EQ (m[0].copied_out, SIZE / 2);
  CHECK_EQ (m[0].gpu_faults, 8);
  CHECK_EQ (m[0].cpu_faults, 16);
  CHECK_EQ (m[0].in, 24);
  CHECK_EQ (m[0].out, 32);
  CHECK_EQ (m[0].evictions, 40);
  CHECK_EQ (m[1].behind, true);
  CHECK_EQ (m[1].gpu_faults, 10);
  CHECK_EQ (m[2].line, 9);
  CHECK (strcmp (m[2].object->name, "second") == 0);
  char text[8192];
  FILE *out = fmemopen (text, sizeof text, "w");
  ummgr_diagnosis_text (out, d);
  fclose (out);
  CHECK (strstr (text, "Accesses were not looked at (--trace-level=copies)"));
  CHECK (strstr (text, "Where data moved, most bytes first"));
  CHECK (strstr (text, "after copy.c:1  first "));
  ummgr_diagnosis_free (d);
}

int
main (void)
{
  test_unused ();
  test_handed ();
  test_allocations ();
  test_written ();
  test_moved ();
  return 0;
}
