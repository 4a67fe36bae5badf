/* Findings about copies: one that isn't found, one found where there is none,
   wrong bytes, wrong costs, the same bytes blamed twice; one left out for its
   size that costs as much as large ones.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target zstd } */

#include "config.h"
#include "diagnose-test.h"

enum { SIZE = 1 << 20, WORDS = SIZE / 4 };

/* As long as its object lives, with one copy in and its outcome.  */
static void
copied (uint64_t id, const char *name, uint64_t unused, uint64_t overwritten)
{
  add_object (id, name, SIZE, UMMGR_TRACE_OBJECT_HEAP);
  add_present (id, SIZE, false);
  uint64_t copy = add_in (id, 0, SIZE, 0);
  add_launch (1);
  add_access (id, 0, 4, UMMGR_TRACE_READ, false);
  add_outcome (copy, WORDS, unused, overwritten);
  add_present (id, SIZE, true);
}

static void
test_outcomes (void)
{
  trace_begin ("diagnose-copies", 1, 1);
  copied (1, "all_unused", WORDS, 0);
  copied (2, "part_unused", WORDS / 4, 0);
  copied (3, "few_unused", WORDS / 11, 0); /* Below a tenth.  */
  copied (4, "none_unused", 0, 0);
  copied (5, "all_overwritten", 0, WORDS);
  copied (6, "both", WORDS / 2, WORDS / 2);
  /* What counts is the cost, not the size: a copy that need not be made takes
     10 us, however small it is; 4 KiB of one, 4 us.  */
  add_object (7, "small", 8, 0);
  add_outcome (add_in (7, 0, 8, 0), 2, 2, 0);
  add_object (8, "part", 4000, 0);
  add_outcome (add_in (8, 0, 4000, 0), 1000, 250, 0);
  add_object (10, "less", 4000, 0);
  add_outcome (add_in (10, 0, 4000, 0), 1000, 249, 0);
  add_object (9, "twice", SIZE, 0);
  for (int i = 0; i < 2; i++)
    add_outcome (add_in (9, 0, SIZE, 0), WORDS, WORDS, 0);
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  const enum ummgr_finding_kind unused = UMMGR_FINDING_UNUSED_COPY;
  const enum ummgr_finding_kind over = UMMGR_FINDING_OVERWRITTEN_COPY;
  check_cost (finding (d, unused, "all_unused"), SIZE, SIZE + 10000);
  CHECK (strcmp (finding (d, unused, "all_unused")->file, "copy.c") == 0);
  CHECK_EQ (finding (d, unused, "all_unused")->line, 1);
  check_cost (finding (d, unused, "part_unused"), SIZE / 4, SIZE / 4);
  CHECK (!finding (d, unused, "few_unused"));
  CHECK (!finding (d, unused, "none_unused"));
  check_cost (finding (d, over, "all_overwritten"), SIZE, SIZE + 10000);
  check_cost (finding (d, unused, "both"), SIZE / 2, SIZE / 2);
  check_cost (finding (d, over, "both"), SIZE / 2, SIZE / 2);
  check_cost (finding (d, unused, "small"), 8, 8 + 10000);
  check_cost (finding (d, unused, "part"), 1000, 1000);
  CHECK (!finding (d, unused, "less"));
  check_cost (finding (d, unused, "twice"), 2 * SIZE, 2 * SIZE + 20000);
  CHECK_EQ (finding (d, unused, "twice")->times, 2);
  CHECK_EQ (d->finding_count, 8);
  /* The most expensive first.  */
  for (size_t i = 1; i < d->finding_count; i++)
    CHECK (d->findings[i - 1].seconds >= d->findings[i].seconds);
  CHECK (strcmp (d->findings[0].object->name, "twice") == 0);
  CHECK (strcmp (d->objects[0]->name, "twice") == 0);
  CHECK_EQ (d->objects[0]->copied_in, 2 * SIZE);
  ummgr_diagnosis_free (d);

  /* The same trace, with other limits.  */
  const struct ummgr_diagnose_options all = { 0.5, 0, 0, 0 };
  trace_begin ("diagnose-copies", 1, 1);
  copied (3, "few_unused", WORDS / 16, 0);
  d = trace_diagnose (&all);
  check_cost (finding (d, unused, "few_unused"), SIZE / 16, SIZE / 16);
  ummgr_diagnosis_free (d);
}

/* A small struct that is mapped again and again, as it was, and hardly used: what
   each copy takes at all is the second copy's fault, whatever is used of it.  A
   part that is a tenth as small in each of many copies costs something, too.  */
static void
test_small_again (void)
{
  enum { TIMES = 10, STRUCT = 176 };
  trace_begin ("diagnose-copies", 1, 1);
  add_object (1, "parameters", STRUCT, 0);
  add_object (2, "often", 4000, 0);
  for (int i = 0; i < TIMES; i++)
    {
      add_outcome (add_in (1, 0, STRUCT, 5), STRUCT / 4, STRUCT / 4 - 1, 0);
      add_outcome (add_in (2, 0, 4000, 20 + i), 1000, 101, 0);
    }
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  check_cost (finding (d, UMMGR_FINDING_DUPLICATE_COPY, "parameters"),
	      4 * (TIMES - 1), (10000 + 4) * (TIMES - 1));
  check_cost (finding (d, UMMGR_FINDING_UNUSED_COPY, "parameters"),
	      (STRUCT - 4) * TIMES, (STRUCT - 4) * TIMES);
  check_cost (finding (d, UMMGR_FINDING_UNUSED_COPY, "often"), 404 * TIMES,
	      404 * TIMES);
  CHECK_EQ (d->finding_count, 3);
  ummgr_diagnosis_free (d);
}

/* A machine of which no rates are known: bytes have to do.  */
static void
test_no_rates (void)
{
  trace_begin ("diagnose-copies", 1, 1);
  struct ummgr_trace_record r = { .kind = UMMGR_TRACE_DEVICE };
  r.u.device = (struct ummgr_trace_device) { .device = 0, .name = "gpu" };
  put (&r);
  add_object (1, "small", 4092, 0);
  add_outcome (add_in (1, 0, 4092, 0), 1023, 1023, 0);
  add_object (2, "enough", 4096, 0);
  add_outcome (add_in (2, 0, 4096, 0), 1024, 1024, 0);
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  check_cost (finding (d, UMMGR_FINDING_UNUSED_COPY, "enough"), 4096, 0);
  CHECK_EQ (d->finding_count, 1);
  ummgr_diagnosis_free (d);
}

/* Backprop's input_cuda, and LUD's first row.  */
static void
test_unchanged (void)
{
  const enum ummgr_finding_kind kind = UMMGR_FINDING_UNCHANGED_COPY;
  trace_begin ("diagnose-copies", 1, 1);
  add_object (1, "input", SIZE, 0);
  add_outcome (add_in (1, 0, SIZE, 7), WORDS, 0, 0);
  add_out (1, 0, SIZE, 7, WORDS);
  add_object (2, "result", SIZE, 0);
  add_out (2, 0, SIZE, 8, 0);
  add_object (3, "matrix", 4096 * 4, 0);
  add_out (3, 0, 4096 * 4, 9, 1024);
  FACTS (3, 0, { CG, 1024 }, { G | GG | LG, 3072 });
  add_object (4, "nearly", SIZE, 0);
  add_out (4, 0, SIZE, 9, WORDS / 11);
  end_phase ("");
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  check_cost (finding (d, kind, "input"), SIZE, SIZE + 10000);
  CHECK (strstr (finding (d, kind, "input")->change,
		 "map(to: input[0:262144]) instead of map(tofrom:)"));
  CHECK (!finding (d, kind, "result") && !finding (d, kind, "nearly"));
  check_cost (finding (d, kind, "matrix"), 4096, 4096);
  CHECK (strcmp (finding (d, kind, "matrix")->elements,
		 "elements 0 to 1023") == 0);
  /* What was copied in and out is not a round trip too.  */
  CHECK_EQ (d->finding_count, 2);
  ummgr_diagnosis_free (d);
}

static void
map_to (uint64_t id, uint64_t hash, bool write)
{
  add_present (id, SIZE, false);
  uint64_t copy = add_in (id, 0, SIZE, hash);
  add_launch (1);
  add_access (id, 0, SIZE, UMMGR_TRACE_READ | (write ? UMMGR_TRACE_WRITE : 0),
	      false);
  add_outcome (copy, WORDS, 0, 0);
  add_present (id, SIZE, true);
}

static void
test_again (uint32_t instrumented)
{
  const enum ummgr_finding_kind again = UMMGR_FINDING_DUPLICATE_COPY;
  const enum ummgr_finding_kind trip = UMMGR_FINDING_ROUND_TRIP;
  trace_begin ("diagnose-copies", instrumented, 1);
  for (uint64_t id = 1; id <= 6; id++)
    {
      static const char *const names[]
	  = { "same", "other", "restored", "trip", "parts", "changed" };
      add_object (id, names[id - 1], SIZE, 0);
    }
  for (int i = 0; i < 3; i++)
    {
      map_to (1, 77, false);
      map_to (2, 80 + i, false);
    }
  if (instrumented)
    {
      /* The device wrote it, and the host wants the old bytes back.  */
      map_to (3, 77, true);
      map_to (3, 77, true);
    }
  /* Out of the device, and in again.  */
  map_to (4, 5, true);
  add_out (4, 0, SIZE, 6, 0);
  map_to (4, 6, true);
  add_out (4, 0, SIZE, 7, 0);
  /* A part of it was changed in between.  */
  map_to (5, 5, false);
  add_in (5, 4096, 4096, 9);
  map_to (5, 5, false);
  /* The host changed it.  */
  map_to (6, 5, true);
  add_out (6, 0, SIZE, 6, 0);
  map_to (6, 8, true);
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  check_cost (finding (d, again, "same"), 2 * SIZE, 2 * SIZE + 20000);
  CHECK_EQ (finding (d, again, "same")->times, 2);
  CHECK (strstr (finding (d, again, "same")->change, "target data map(to: "));
  check_cost (finding (d, trip, "trip"), SIZE, SIZE + 10000);
  CHECK_EQ (d->finding_count, 2);
  ummgr_diagnosis_free (d);
}

/* What stays on the device from one copy to the next is copied by an update, not
   by a map: what to change is another clause, also where only some of the copies
   are so.  */
static void
test_updated (void)
{
  const enum ummgr_finding_kind again = UMMGR_FINDING_DUPLICATE_COPY;
  trace_begin ("diagnose-copies", 1, 1);
  add_object (1, "updated", SIZE, 0);
  add_object (2, "both", SIZE, 0);
  add_present (1, SIZE, false);
  for (int i = 0; i < 3; i++)
    add_outcome (add_in (1, 0, SIZE, 77), WORDS, 0, 0);
  add_present (1, SIZE, true);
  map_to (2, 78, false);
  add_present (2, SIZE, false);
  for (int i = 0; i < 2; i++)
    add_outcome (add_in (2, 0, SIZE, 78), WORDS, 0, 0);
  add_present (2, SIZE, true);
  map_to (2, 78, false);
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  CHECK (strstr (finding (d, again, "updated")->change,
		 "remove the target update"));
  CHECK_EQ (finding (d, again, "both")->times, 3);
  CHECK (strstr (finding (d, again, "both")->change,
		 "remove the target update"));
  ummgr_diagnosis_free (d);
}

static void
add_section (uint64_t id, uint64_t offset, uint64_t hash)
{
  add_outcome (add_in (id, offset, SIZE / 4, hash), WORDS / 4, 0, 0);
}

/* Sections that touch are two; those that share a byte are not what they were once
   the other was copied.  */
static void
test_sections (void)
{
  const enum ummgr_finding_kind again = UMMGR_FINDING_DUPLICATE_COPY;
  trace_begin ("diagnose-copies", 1, 1);
  add_object (1, "touching", SIZE, 0);
  add_object (2, "sharing", SIZE, 0);
  for (int i = 0; i < 2; i++)
    {
      for (int part = 0; part < 3; part++)
	add_section (1, part * (SIZE / 4), 50 + part);
      add_section (2, SIZE / 4, 60);
      add_section (2, SIZE / 2 - 1, 61);
      add_section (2, 1, 62);
    }
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  check_cost (finding (d, again, "touching"), 3 * (SIZE / 4),
	      3 * (SIZE / 4 + 10000));
  CHECK (!finding (d, again, "sharing"));
  CHECK_EQ (d->finding_count, 1);
  ummgr_diagnosis_free (d);
}

/* What came out of the device comes back only once: other bytes were put there in
   between, or the device's own may have changed.  */
static void
test_no_trip (void)
{
  trace_begin ("diagnose-copies", 1, 1);
  add_object (1, "other_between", SIZE, 0);
  add_out (1, 0, SIZE, 7, 0);
  map_to (1, 8, true);
  map_to (1, 7, true);
  add_object (2, "out_twice", SIZE, 0);
  add_out (2, 0, SIZE, 7, 0);
  add_out (2, 0, SIZE, 8, 0);
  map_to (2, 7, true);
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  CHECK_EQ (d->finding_count, 0);
  ummgr_diagnosis_free (d);
}

/* Without accesses only hashes prove anything.  */
static void
test_plain (void)
{
  trace_begin ("diagnose-copies", 0, 0);
  add_object (1, "input", SIZE, 0);
  add_present (1, SIZE, false);
  add_outcome (add_in (1, 0, SIZE, 7), WORDS, WORDS, 0);
  add_out (1, 0, SIZE, 7, WORDS);
  add_object (2, "changed", SIZE, 0);
  add_in (2, 0, SIZE, 7);
  add_out (2, 0, SIZE, 8, WORDS);
  add_object (3, "never", SIZE, 0);
  add_present (3, SIZE, false);
  add_object (4, "no_hash", SIZE, 0);
  for (int i = 0; i < 2; i++)
    add_in (4, 0, SIZE, 0);
  add_out (4, 0, SIZE, 0, 0);
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  check_cost (finding (d, UMMGR_FINDING_UNCHANGED_COPY, "input"), SIZE,
	      SIZE + 10000);
  CHECK_EQ (d->finding_count, 1);
  ummgr_diagnosis_free (d);
}

/* One block in 64 was seen: a part of what was seen is the same part of
   all, and of what is too small nothing is said.  */
static void
test_sampled (void)
{
  trace_begin ("diagnose-copies", 1, 64);
  add_object (1, "half", SIZE, 0);
  add_outcome (add_in (1, 0, SIZE, 0), WORDS / 64, WORDS / 128, 0);
  add_object (2, "unseen", 64 * KIB, 0);
  add_outcome (add_in (2, 0, 64 * KIB, 0), 256, 256, 0);
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  check_cost (finding (d, UMMGR_FINDING_UNUSED_COPY, "half"), SIZE / 2,
	      SIZE / 2);
  CHECK (strstr (d->findings[0].what, "estimated from 1/64"));
  CHECK_EQ (d->finding_count, 1);
  ummgr_diagnosis_free (d);
}

int
main (void)
{
  test_outcomes ();
  test_small_again ();
  test_no_rates ();
  test_unchanged ();
  test_again (1);
  test_again (0);
  test_updated ();
  test_sections ();
  test_no_trip ();
  test_plain ();
  test_sampled ();
  return 0;
}
