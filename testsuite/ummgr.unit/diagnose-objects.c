/* Objects in a diagnosis: two that are not the same shown as one, or one as two;
   what becomes known of one later, forgotten; advice on one that is gone, taken for
   advice on the next; costs of other memory, or another way, than the machine's.
   And the words for a part of one, where a picture says less than it seems.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target zstd } */

#include "config.h"
#include "diagnose-test.h"
#include "diagnose/traced.h"

enum { UNIFIED = UMMGR_TRACE_OBJECT_UNIFIED, SIZE = 1 << 20 };

static void
put_object (uint64_t id, const char *name, const char *file, uint32_t line,
	    uint64_t base, uint32_t flags)
{
  struct ummgr_trace_record r = { .kind = UMMGR_TRACE_OBJECT };
  r.u.object = (struct ummgr_trace_object) {
    .object = id, .name = name, .file = file, .line = line, .base = base,
    .size = SIZE, .flags = flags, .element_size = 4
  };
  put (&r);
}

/* One after the other; MERGED of them are shown as one.  */
static void
test_same (void)
{
  static const struct
  {
    const char *name, *file;
    uint32_t line;
    uint64_t base;
  } objects[] = {
    { "x", "f.c", 1, 1 << 20 }, { "x", "f.c", 1, 2 << 20 },
    { "x", "f.c", 2, 1 << 20 }, { "x", "g.c", 1, 1 << 20 },
    { "y", "f.c", 1, 1 << 20 }, { "", "f.c", 1, 1 << 20 },
    { "", "f.c", 1, 2 << 20 }, { "", "", 0, 1 << 20 },
    { "", "", 0, 2 << 20 }, { "", "", 0, 2 << 20 }
  };
  static const size_t merged[] = { 2, 1, 1, 1, 2, 1, 2 };
  enum { OBJECTS = sizeof objects / sizeof *objects,
	 SHOWN = sizeof merged / sizeof *merged };
  trace_begin ("diagnose-objects", 1, 1);
  for (int i = 0; i < OBJECTS; i++)
    {
      put_object (i + 1, objects[i].name, objects[i].file, objects[i].line,
		  objects[i].base, 0);
      add_gone (i + 1);
    }
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  CHECK_EQ (d->object_count, SHOWN);
  /* Nothing costs anything: in the order in which they came.  */
  for (int i = 0; i < SHOWN; i++)
    CHECK_EQ (d->objects[i]->merged, merged[i]);
  ummgr_diagnosis_free (d);
}

/* Two that are there at once are two.  */
static void
test_at_once (void)
{
  trace_begin ("diagnose-objects", 1, 1);
  for (uint64_t id = 1; id <= 2; id++)
    put_object (id, "x", "f.c", 1, id << 20, 0);
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  CHECK_EQ (d->object_count, 2);
  ummgr_diagnosis_free (d);
}

/* A name, a place and that it is unified become known after the object.  */
static void
test_known_later (void)
{
  trace_begin ("diagnose-objects", 1, 1);
  put_object (1, "", "", 0, 1 << 20, 0);
  put_object (1, "later", "f.c", 9, 1 << 20, UNIFIED);
  put_object (1, "", "", 0, 1 << 20, 0);
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  const struct ummgr_finding *f
    = finding (d, UMMGR_FINDING_UNUSED_ALLOCATION, "later");
  CHECK (f && f->line == 9 && strcmp (f->file, "f.c") == 0);
  CHECK (strstr (f->what, "1.00 MiB allocated in unified memory"));
  CHECK_EQ (d->object_count, 1);
  CHECK_EQ (d->objects[0]->flags, UNIFIED);
  ummgr_diagnosis_free (d);
}

/* Advice is for the object that is there, and not for the next of its kind.  */
static void
test_advice (void)
{
  trace_begin ("diagnose-objects", 1, 1);
  for (uint64_t id = 1; id <= 2; id++)
    {
      put_object (id, "x", "f.c", 1, id << 20, UNIFIED);
      struct ummgr_trace_record r = { .kind = UMMGR_TRACE_ADVICE };
      r.u.move = (struct ummgr_trace_move) {
	.object = 1, .size = SIZE, .advice = UMMGR_TRACE_READ_MOSTLY
      };
      if (id == 1)
	put (&r);
      FACTS (id, UMMGR_TRACE_HOST, { C | CG, 100 }, { 0, SIZE / 4 - 100 });
      add_gone (id);
      end_phase ("");
    }
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  const struct ummgr_finding *f = finding (d, UMMGR_FINDING_ALTERNATING, "x");
  CHECK (f && f->phases == 1 && f->phase == 2);
  ummgr_diagnosis_free (d);
}

static void
put_device (uint32_t device, uint64_t memory)
{
  struct ummgr_trace_record r = { .kind = UMMGR_TRACE_DEVICE };
  r.u.device = (struct ummgr_trace_device) {
    .device = device, .memory = memory, .name = "gpu", .in_rate = 1000000000,
    .out_rate = 500000000, .latency = 1000, .fault_size = 65536
  };
  put (&r);
}

/* To the device and back are two rates; and what fits the memory of all devices
   goes there once, what does not in each phase.  */
static void
test_machine (void)
{
  enum { WORDS = SIZE / 4, BLOCKS = SIZE / 4096, PHASES = 3 };
  uint64_t sparse[11] = { [1] = BLOCKS };
  const struct state_words few[4]
    = { { G | GG | LG, BLOCKS }, { 0, WORDS - BLOCKS } };
  for (int fits = 0; fits < 2; fits++)
    {
      trace_begin ("diagnose-objects", 1, 1);
      put_device (0, SIZE / 2);
      put_device (1, fits ? SIZE / 2 : SIZE / 2 - 1);
      put_object (1, "sparse", "f.c", 1, 1 << 20, UNIFIED);
      put_object (2, "mapped", "f.c", 2, 2 << 20, 0);
      add_outcome (add_in (2, 0, SIZE, 0), WORDS, WORDS, 0);
      add_out (2, 0, SIZE, 0, WORDS);
      for (int i = 0; i < PHASES; i++)
	{
	  add_facts (1, UMMGR_TRACE_HOST, few, sparse);
	  end_phase ("");
	}
      struct ummgr_diagnosis *d = trace_diagnose (NULL);
      uint64_t bytes = 4 * (WORDS - BLOCKS) * (fits ? 1 : PHASES);
      check_cost (finding (d, UMMGR_FINDING_LOW_DENSITY, "sparse"), bytes,
		  bytes);
      check_cost (finding (d, UMMGR_FINDING_UNUSED_COPY, "mapped"), SIZE,
		  SIZE + 1000);
      check_cost (finding (d, UMMGR_FINDING_UNCHANGED_COPY, "mapped"), SIZE,
		  2 * SIZE + 1000);
      ummgr_diagnosis_free (d);
    }
}

/* From one device to another is neither in nor out.  */
static void
test_peers (void)
{
  trace_begin ("diagnose-objects", 1, 1);
  put_object (1, "x", "f.c", 1, 1 << 20, 0);
  struct ummgr_trace_record r = { .kind = UMMGR_TRACE_COPY };
  r.u.move = (struct ummgr_trace_move) {
    .object = 1, .size = SIZE, .from = 0, .to = 1, .copy = 1,
    .unchanged = SIZE / 4, .file = "f.c", .line = 2
  };
  put (&r);
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  CHECK (!d->objects[0]->copied_in && !d->objects[0]->copied_out);
  CHECK_EQ (d->finding_count, 0);
  ummgr_diagnosis_free (d);
}

/* A picture of object 1 that has COUNT cells of WORDS words; in turn, as many
   alternate and as many don't as LENGTH has.  */
static void
put_picture (uint64_t words, uint32_t count, const uint32_t length[4])
{
  struct ummgr_trace_state state = { C | CG, 100 };
  struct ummgr_trace_cells runs[4] = { 0 };
  struct ummgr_trace_record r = { .kind = UMMGR_TRACE_FACTS };
  for (int i = 0; i < 4; i++)
    runs[i] = (struct ummgr_trace_cells) { .length = length[i],
					   .state = i % 2 ? C : C | CG };
  r.u.facts = (struct ummgr_trace_facts) {
    .object = 1, .device = UMMGR_TRACE_HOST, .phase = phase,
    .words = count * words, .states = &state, .state_count = 1, .runs = runs,
    .run_count = 4, .cells = count, .cell_words = words
  };
  put (&r);
  end_phase ("");
}

/* A picture says which words; two of different divisions say nothing, nor does one
   whose cells have no words.  */
static void
test_pictures (void)
{
  static const uint32_t half[4] = { 20, 30, 30, 20 };
  for (uint64_t second = 0; second <= 2; second++)
    {
      trace_begin ("diagnose-objects", 1, 1);
      put_object (1, "x", "f.c", 1, 1 << 20, UNIFIED);
      put_picture (1, 100, half);
      put_picture (second, 100, half);
      struct ummgr_diagnosis *d = trace_diagnose (NULL);
      const struct ummgr_finding *f
	= finding (d, UMMGR_FINDING_ALTERNATING, "x");
      CHECK (f);
      CHECK (strcmp (f->elements,
		     second == 2 ? "" : "elements 0 to 19, 50 to 79") == 0);
      ummgr_diagnosis_free (d);
    }
}

/* What alternates costs by the page of 64 KiB, 256 cells: each once, however many
   of its words.  */
static void
test_pages (void)
{
  static const struct { uint32_t length[4]; uint64_t pages; } pictures[]
    = { { { 1, 255, 1, 767 }, 2 }, { { 1, 254, 1, 768 }, 1 },
	{ { 1, 600, 1, 422 }, 2 }, { { 257, 254, 1, 512 }, 2 },
	{ { 1024, 0, 0, 0 }, 4 } };
  for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++)
    {
      trace_begin ("diagnose-objects", 1, 1);
      put_object (1, "x", "f.c", 1, 1 << 20, UNIFIED);
      put_picture (64, 1024, pictures[i].length);
      struct ummgr_diagnosis *d = trace_diagnose (NULL);
      check_cost (finding (d, UMMGR_FINDING_ALTERNATING, "x"),
		  2 * 64 * KIB * pictures[i].pages,
		  (30000 + 2 * 64 * KIB) * pictures[i].pages);
      ummgr_diagnosis_free (d);
    }
}

/* A member of the second of two structs; and none.  */
static void
test_members (void)
{
  for (int any = 0; any < 2; any++)
    {
      trace_begin ("diagnose-objects", 1, 1);
      struct ummgr_trace_record r = { .kind = UMMGR_TRACE_OBJECT };
      r.u.object = (struct ummgr_trace_object) {
	.object = 1, .name = "two", .file = "f.c", .line = 1, .base = 1 << 20,
	.size = 32, .flags = UNIFIED, .element_size = 16,
	.layout = any ? "a:0:4;b:4:8;c:12:4" : "c:12:4"
      };
      put (&r);
      FACTS (1, UMMGR_TRACE_HOST, { C, 5 }, { C | CG, 1 }, { C, 2 });
      end_phase ("");
      struct ummgr_diagnosis *d = trace_diagnose (NULL);
      const struct ummgr_finding *f
	= finding (d, UMMGR_FINDING_ALTERNATING, "two");
      CHECK (f && strcmp (f->elements, any ? "b" : "") == 0);
      ummgr_diagnosis_free (d);
    }
}

static void
test_figures (void)
{
  static const struct { uint64_t bytes; const char *text; } sizes[]
    = { { 0, "0 B" }, { 1023, "1023 B" }, { 1024, "1.00 KiB" },
	{ 10230, "9.99 KiB" }, { 102400, "100 KiB" },
	{ 1047551, "1023 KiB" }, { 1048064, "1.00 MiB" },
	{ UINT64_C (3) << 40, "3.00 TiB" }, { UINT64_MAX, "16.0 EiB" } };
  static const struct { double seconds; const char *text; } times[]
    = { { 0, "0 s" }, { 1e-9, "1.00 ns" }, { 1e-6, "1.00 us" },
	{ 9.99e-6, "9.99 us" }, { 99.9e-6, "99.9 us" }, { 1e-3, "1.00 ms" },
	{ 1, "1.00 s" }, { 1234, "1234 s" } };
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    CHECK (strcmp (ummgr_human_bytes (sizes[i].bytes).text, sizes[i].text)
	   == 0);
  for (size_t i = 0; i < sizeof times / sizeof *times; i++)
    CHECK (strcmp (ummgr_human_seconds (times[i].seconds).text, times[i].text)
	   == 0);
}

int
main (void)
{
  test_same ();
  test_at_once ();
  test_known_later ();
  test_advice ();
  test_machine ();
  test_peers ();
  test_pictures ();
  test_pages ();
  test_members ();
  test_figures ();
  return 0;
}
