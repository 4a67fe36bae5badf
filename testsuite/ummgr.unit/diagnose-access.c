/* Findings about accesses: alternating ones, low density, unused allocations,
   unused initial values, copies that could overlap.  Each: an object that has
   it, one that nearly has it, one that hasn't; wrong counts or costs.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target zstd } */

#include "config.h"
#include "diagnose-test.h"

enum { UNIFIED = UMMGR_TRACE_OBJECT_UNIFIED, PAGE = 4096 };

static void
put_domain (const char *layout, uint64_t size)
{
  struct ummgr_trace_record r = { .kind = UMMGR_TRACE_OBJECT };
  r.u.object = (struct ummgr_trace_object) {
    .object = 1, .name = "domain", .file = "hydro.c", .line = 7,
    .base = 1 << 20, .size = size, .flags = UNIFIED, .element_size = size,
    .layout = layout
  };
  put (&r);
}

/* LULESH's domain: the host sets two pointers in each step.  */
static void
test_alternating (void)
{
  const enum ummgr_finding_kind kind = UMMGR_FINDING_ALTERNATING;
  trace_begin ("diagnose-access", 1, 1);
  put_domain ("m_p:0:8;m_q:8:8;m_rest:16:84", 100);
  add_object (2, "both_read", 400, UNIFIED);
  add_object (3, "apart", 400, UNIFIED);
  add_object (4, "result", 400, UNIFIED);
  add_object (5, "mapped", 400, 0);
  for (int i = 0; i < 3; i++)
    {
      FACTS (1, UMMGR_TRACE_HOST, { C | CG, 4 }, { CC, 21 });
      FACTS (2, UMMGR_TRACE_HOST, { CC | CG, 100 });
      FACTS (3, UMMGR_TRACE_HOST, { C | CC, 50 }, { G | GG | LG, 50 });
      FACTS (5, UMMGR_TRACE_HOST, { C | CC, 100 });
      if (i == 1)
	FACTS (4, UMMGR_TRACE_HOST, { G | GC | LG, 100 });
      FACTS (5, 0, { G | CG | LG, 100 });
      end_phase ("step");
    }
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  const struct ummgr_finding *f = finding (d, kind, "domain");
  CHECK (f && f->times == 4 && f->phases == 3 && f->phase == 1);
  CHECK (strcmp (f->elements, "m_p, m_q") == 0);
  CHECK (strstr (f->change, "cudaMemAdviseSetReadMostly"));
  check_cost (f, 3 * 2 * 64 * KIB, 3 * (30000 + 2 * 64 * KIB));
  f = finding (d, kind, "result");
  CHECK (f && f->times == 100 && f->phases == 1 && f->phase == 2);
  CHECK (strstr (f->change, "split"));
  CHECK_EQ (d->finding_count, 2);
  CHECK (strcmp (d->objects[0]->name, "domain") == 0);
  CHECK_EQ (d->objects[0]->facts_count, 3);
  CHECK_EQ (d->objects[0]->host.c_c, 63);
  CHECK_EQ (d->objects[0]->host.alternating, 12);
  ummgr_diagnosis_free (d);
}

/* What was advised, or handed over once, does not alternate.  */
static void
test_remedied (void)
{
  trace_begin ("diagnose-access", 1, 1);
  put_domain ("", 100);
  add_object (2, "input", 400, UNIFIED);
  add_object (3, "turns", 400, UNIFIED);
  struct ummgr_trace_record r = { .kind = UMMGR_TRACE_ADVICE };
  r.u.move = (struct ummgr_trace_move) {
    .object = 1, .size = 100, .advice = UMMGR_TRACE_READ_MOSTLY
  };
  put (&r);
  for (int i = 0; i < 2; i++)
    {
      if (i == 0)
	add_access (2, 0, 400, UMMGR_TRACE_WRITE, true);
      add_access (3, 0, 400, UMMGR_TRACE_WRITE, true);
      add_launch (1);
      add_access (2, 0, 400, UMMGR_TRACE_READ, false);
      add_access (3, 0, 400, UMMGR_TRACE_READ, false);
    }
  FACTS (1, UMMGR_TRACE_HOST, { C | CG, 25 });
  FACTS (2, UMMGR_TRACE_HOST, { C | CG, 100 });
  FACTS (3, UMMGR_TRACE_HOST, { C | CG, 100 });
  end_phase ("");
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  CHECK (finding (d, UMMGR_FINDING_ALTERNATING, "turns"));
  CHECK_EQ (d->finding_count, 1);
  ummgr_diagnosis_free (d);
}

/* Smith-Waterman: 3 words of each page in each iteration; boundaries only of
   what the host initialised.  */
static void
test_matrix (void)
{
  enum { BLOCKS = 64, WORDS = BLOCKS * 1024 };
  uint64_t sparse[11] = { [1] = BLOCKS }, dense[11] = { [5] = BLOCKS };
  trace_begin ("diagnose-access", 1, 1);
  add_object (1, "matrix", 4 * WORDS, UNIFIED);
  add_object (2, "rotated", 4 * WORDS, UNIFIED);
  add_object (3, "initial", 4 * WORDS, UNIFIED);
  add_object (4, "tiny", 400, UNIFIED);
  const struct state_words few[4] = { { G | GG | LG, 3 * BLOCKS },
				      { 0, WORDS - 3 * BLOCKS } };
  const struct state_words half[4] = { { G | GG | LG, WORDS / 2 },
				       { 0, WORDS / 2 } };
  for (int i = 0; i < 2; i++)
    {
      add_facts (1, UMMGR_TRACE_HOST, few, sparse);
      add_facts (2, UMMGR_TRACE_HOST, half, dense);
      if (i == 0)
	FACTS (3, UMMGR_TRACE_HOST, { C | CG, 1024 },
	       { C | UR, WORDS - 1024 });
      else
	FACTS (3, UMMGR_TRACE_HOST, { CG, 1024 },
	       { G | LG | UR, WORDS - 1024 });
      FACTS (4, UMMGR_TRACE_HOST, { CG, 1 }, { 0, 99 });
      end_phase ("");
    }
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  const struct ummgr_finding *f
      = finding (d, UMMGR_FINDING_LOW_DENSITY, "matrix");
  /* It fits the device, so that each page goes there once.  */
  check_cost (f, 4 * (WORDS - 3 * BLOCKS), 4 * (WORDS - 3 * BLOCKS));
  CHECK_EQ (f->phases, 2);
  CHECK (strstr (f->what, "0.293 %"));
  CHECK (!finding (d, UMMGR_FINDING_LOW_DENSITY, "rotated"));
  CHECK (!finding (d, UMMGR_FINDING_LOW_DENSITY, "tiny"));
  f = finding (d, UMMGR_FINDING_OVERWRITTEN_COPY, "initial");
  check_cost (f, 4 * (WORDS - 1024), 4 * (WORDS - 1024));
  CHECK (f->phase == 2 && f->phases == 1);
  CHECK (strstr (f->what, "only 1024 of the 65536 initial values"));
  ummgr_diagnosis_free (d);
}

static void
test_unused (void)
{
  const enum ummgr_finding_kind kind = UMMGR_FINDING_UNUSED_ALLOCATION;
  trace_begin ("diagnose-access", 1, 1);
  add_object (1, "never", 8192, 0);
  add_present (1, 8192, false);
  add_object (2, "used", 8192, 0);
  add_present (2, 8192, false);
  add_launch (1);
  add_access (2, 0, 4, UMMGR_TRACE_READ, false);
  add_object (3, "host_only", 8192, 0);
  add_access (3, 0, 8192, UMMGR_TRACE_WRITE, true);
  add_object (4, "managed", 8192, UNIFIED);
  add_object (5, "by_facts", 8192, 0);
  add_present (5, 8192, false);
  FACTS (5, 0, { G | LG, 2048 });
  add_object (6, "small", 4092, 0);
  add_present (6, 4092, false);
  add_object (7, "copied", 8192, 0);
  add_outcome (add_in (7, 0, 8192, 0), 2048, 2048, 0);
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  CHECK (finding (d, kind, "never") && finding (d, kind, "managed"));
  CHECK_EQ (finding (d, kind, "never")->bytes, 8192);
  CHECK (strcmp (finding (d, kind, "never")->file, "map.c") == 0);
  CHECK (finding (d, UMMGR_FINDING_UNUSED_COPY, "copied"));
  CHECK_EQ (d->finding_count, 3);
  ummgr_diagnosis_free (d);
}

/* Pathfinder's wall: each launch uses a fifth.  Others are used as a whole,
   half at once, or by a kernel whose turn comes late.  */
static void
test_overlap (void)
{
  enum { PART = 16 * PAGE, SIZE = 5 * PART };
  trace_begin ("diagnose-access", 1, 1);
  static const char *const names[]
      = { "wall", "whole", "halves", "late", "next", "growing" };
  for (uint64_t id = 1; id <= 6; id++)
    {
      add_object (id, names[id - 1], SIZE, 0);
      add_present (id, SIZE, false);
      add_in (id, 0, SIZE, 0);
    }
  for (int i = 0; i < 5; i++)
    {
      add_launch (1 + (i == 2));
      add_access (1, i * PART, PART, UMMGR_TRACE_READ, false);
      add_access (2, 0, SIZE, UMMGR_TRACE_READ, false);
      if (i < 2)
	add_access (3, i * SIZE / 2, SIZE / 2, UMMGR_TRACE_READ, false);
      if (i >= 2)
	add_access (4, 0, SIZE, UMMGR_TRACE_READ, false);
      if (i >= 1)
	add_access (5, 0, SIZE, UMMGR_TRACE_READ, false);
      add_access (6, 0, (i + 1) * PART, UMMGR_TRACE_READ, false);
    }
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  /* The third launch is another region's first, so that only two of five parts
     are late.  */
  CHECK (!finding (d, UMMGR_FINDING_OVERLAP, "wall"));
  ummgr_diagnosis_free (d);

  trace_begin ("diagnose-access", 1, 1);
  for (uint64_t id = 1; id <= 6; id++)
    {
      add_object (id, names[id - 1], SIZE, 0);
      add_in (id, 0, SIZE, 0);
    }
  for (int i = 0; i < 5; i++)
    {
      add_launch (1);
      add_access (1, i * PART, PART, UMMGR_TRACE_READ, false);
      add_access (2, 0, SIZE, UMMGR_TRACE_READ, false);
      if (i < 2)
	add_access (3, i * SIZE / 2, SIZE / 2, UMMGR_TRACE_READ, false);
      if (i >= 2)
	add_access (4, 0, SIZE, UMMGR_TRACE_READ, false);
      if (i >= 1)
	add_access (5, 0, SIZE, UMMGR_TRACE_READ, false);
      add_access (6, 0, (i + 1) * PART, UMMGR_TRACE_READ, false);
    }
  d = trace_diagnose (NULL);
  check_cost (finding (d, UMMGR_FINDING_OVERLAP, "wall"), 3 * PART, 3 * PART);
  CHECK (strstr (finding (d, UMMGR_FINDING_OVERLAP, "wall")->what,
		 "each of 5 launches"));
  check_cost (finding (d, UMMGR_FINDING_EARLY_COPY, "late"), SIZE, SIZE);
  CHECK (strstr (finding (d, UMMGR_FINDING_EARLY_COPY, "late")->what,
		 "2 launches before"));
  check_cost (finding (d, UMMGR_FINDING_EARLY_COPY, "growing"), 3 * PART,
	      3 * PART);
  CHECK_EQ (d->finding_count, 3);
  ummgr_diagnosis_free (d);
}

/* LUD: fewer and fewer pages; but not where they come out in parts, as they are
   done.  */
static void
test_shrinking (void)
{
  enum { PAGES = 64, SIZE = PAGES * PAGE };
  trace_begin ("diagnose-access", 1, 1);
  add_object (1, "matrix", SIZE, 0);
  add_object (2, "stays", SIZE, 0);
  add_object (3, "few", 8 * PAGE, 0);
  add_object (4, "in_parts", SIZE, 0);
  for (uint64_t id = 1; id <= 4; id++)
    add_in (id, 0, id == 3 ? 8 * PAGE : SIZE, 0);
  for (int i = 0; i < 8; i++)
    {
      add_launch (1);
      add_access (1, i * 8 * PAGE, SIZE - i * 8 * PAGE,
		  UMMGR_TRACE_READ | UMMGR_TRACE_WRITE, false);
      add_access (2, 0, SIZE, UMMGR_TRACE_WRITE, false);
      add_access (3, i * PAGE, (8 - i) * PAGE, UMMGR_TRACE_WRITE, false);
      add_access (4, i * 8 * PAGE, SIZE - i * 8 * PAGE, UMMGR_TRACE_WRITE,
		  false);
      add_out (4, i * 8 * PAGE, 8 * PAGE, 0, 0);
    }
  for (uint64_t id = 1; id <= 3; id++)
    add_out (id, 0, id == 3 ? 8 * PAGE : SIZE, 0, 0);
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  const struct ummgr_finding *f = finding (d, UMMGR_FINDING_OVERLAP, "matrix");
  /* The last two eighths are used until the end, or nearly.  */
  check_cost (f, 48 * PAGE, 48 * PAGE);
  CHECK (strstr (f->what, "(64, at last 8)"));
  CHECK (strstr (f->change, "update from(matrix"));
  CHECK_EQ (d->finding_count, 1);
  ummgr_diagnosis_free (d);
}

/* A temporary of each step is one entry; objects at the same time are not. */
static void
test_merged (void)
{
  trace_begin ("diagnose-access", 1, 1);
  struct ummgr_trace_record r = { .kind = UMMGR_TRACE_OBJECT };
  for (uint64_t id = 1; id <= 10; id++)
    {
      r.u.object = (struct ummgr_trace_object) {
	.object = id, .name = "temporary", .file = "t.c", .line = 3,
	.base = id << 20, .size = 8192, .flags = UNIFIED
      };
      put (&r);
      FACTS (id, UMMGR_TRACE_HOST, { G | GG | LG, 2048 });
      if (id <= 8)
	{
	  add_gone (id);
	  end_phase ("");
	}
    }
  end_phase ("");
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  CHECK_EQ (d->object_count, 2);
  CHECK_EQ (d->objects[0]->merged + d->objects[1]->merged, 10);
  CHECK_EQ (d->phase_count, 9);
  CHECK_EQ (d->finding_count, 0);
  ummgr_diagnosis_free (d);
}

/* A file may say that the device accessed more words than there are in the blocks
   that it touched.  */
static void
test_beyond (void)
{
  enum { WORDS = 16384 };
  uint64_t one[11] = { [10] = 1 }, all[11] = { [1] = 16 };
  const struct state_words much[4] = { { G | GG | LG, 4096 },
				       { 0, WORDS - 4096 } };
  const struct state_words few[4] = { { G | GG | LG, 64 },
				      { 0, WORDS - 64 } };
  trace_begin ("diagnose-access", 1, 1);
  add_object (1, "beyond", 4 * WORDS, 0);
  add_present (1, 4 * WORDS, false);
  add_outcome (add_in (1, 0, 4 * WORDS, 0), WORDS, 0, 0);
  add_facts (1, 0, much, one);
  add_facts (1, 0, few, all);
  end_phase ("");
  add_facts (1, 0, few, all);
  end_phase ("");
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  CHECK (!finding (d, UMMGR_FINDING_LOW_DENSITY, "beyond"));
  ummgr_diagnosis_free (d);
}

int
main (void)
{
  test_alternating ();
  test_remedied ();
  test_matrix ();
  test_beyond ();
  test_unused ();
  test_overlap ();
  test_shrinking ();
  test_merged ();
  return 0;
}
