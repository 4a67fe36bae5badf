/* A finding's advice names a variable that is not there, or a section where no
   section helps; or it says where the words are that it is about, and leaves most
   of them out.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target zstd } */

#include "config.h"
#include "diagnose-test.h"

/* Of the device's copy: a cell has WORDS words of 4 bytes.  */
enum { CELLS = 1000, WORDS = 100, SIZE = CELLS * WORDS * 4 };

/* A copy of object ID to the device, of which UNUSED words are not used; USED says
   whether any of CELL is.  */
static void
add_used (uint64_t id, uint64_t unused, bool (*used) (uint32_t cell))
{
  struct ummgr_trace_cells runs[CELLS];
  struct ummgr_trace_state states[]
    = { { C | CG, CELLS * WORDS - unused }, { C, unused } };
  struct ummgr_trace_record r = { .kind = UMMGR_TRACE_FACTS };
  for (uint32_t i = 0; i < CELLS; i++)
    runs[i] = (struct ummgr_trace_cells) {
      .length = 1, .state = used (i) ? C | CG : C,
      .part = { 255, 255, 255, 255, 255, 255 }
    };
  r.u.facts = (struct ummgr_trace_facts) {
    .object = id, .device = 0, .phase = phase, .words = CELLS * WORDS,
    .states = states, .state_count = 2, .runs = runs, .run_count = CELLS,
    .cells = CELLS, .cell_words = WORDS
  };
  add_object (id, "R", SIZE, UMMGR_TRACE_OBJECT_HEAP);
  add_outcome (add_in (id, 0, SIZE, 0), CELLS * WORDS, unused, 0);
  put (&r);
}

/* What the region at copy.c, in the line of the object's number, calls it.  */
static void
add_called (uint64_t id, const char *name)
{
  struct ummgr_trace_record r = { .kind = UMMGR_TRACE_REGION };
  r.u.region = (struct ummgr_trace_region) { 100 + id, "kernel", "copy.c", id };
  put (&r);
  r = (struct ummgr_trace_record) { .kind = UMMGR_TRACE_USE };
  r.u.use = (struct ummgr_trace_use) {
    .launch = add_launch (100 + id), .object = id, .hint = { .name = name }
  };
  put (&r);
}

static bool
middle (uint32_t cell)
{
  return cell >= 250 && cell < 500;
}

static bool
every_third (uint32_t cell)
{
  return cell % 3 == 0;
}

/* Some of the first 600, and the last of these.  */
static bool
three_fifths (uint32_t cell)
{
  return cell < 600 && (cell % 3 == 0 || cell == 599);
}

static bool
every (uint32_t cell)
{
  (void) cell;
  return true;
}

static void
check_words (const struct ummgr_finding *f, const char *change,
	     const char *elements)
{
  CHECK (f);
  if (strcmp (f->change, change) || strcmp (f->elements, elements))
    fprintf (stderr, "%s\n%s\n", f->change, f->elements);
  CHECK (strcmp (f->change, change) == 0);
  CHECK (strcmp (f->elements, elements) == 0);
}

#define SCATTERED                                                             \
  "what regions used in this run is scattered over %s, and no section "       \
  "leaves the rest out: gather it into an array of its own, or let pages "    \
  "come and go on demand (unified memory, or --policy=um)"

static void
one (uint64_t unused, bool (*used) (uint32_t), const char *called,
     const char *change, const char *elements)
{
  char expect[400];
  trace_begin ("diagnose-words", 1, 1);
  add_used (1, unused, used);
  if (called)
    add_called (1, called);
  end_phase ("");
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  snprintf (expect, sizeof expect, change, called ? called : "R");
  if (!called)
    strcat (expect, "; R is what prog.c:11 allocates");
  check_words (finding (d, UMMGR_FINDING_UNUSED_COPY, "R"), expect, elements);
  ummgr_diagnosis_free (d);
}

/* Three quarters of each: one section is used; others all over it; some of each
   cell.  */
static void
sections (const char *called)
{
  static const char section[]
    = "map only the section that regions used in this run: map(to: %s[25000:25000])";
  one (75 * CELLS, middle, called, section,
       "elements 0 to 24999, 50000 to 99999");
  one (75 * CELLS + 10000, middle, called, section,
       "elements 0 to 24999, 50000 to 99999, and 39.1 KiB in ranges of fewer "
       "than 200 elements");
  one (75 * CELLS, every_third, called, SCATTERED,
       "elements 100 to 299, 400 to 599, 700 to 899 and 330 more ranges, and "
       "32.8 KiB in ranges of fewer than 200 elements");
  /* A section that leaves out half of what is in vain is worth it.  */
  one (80 * CELLS, three_fifths, called,
       "map only the section that regions used in this run: map(to: %s[0:60000])",
       "elements 100 to 299, 400 to 599, 700 to 899 and 198 more ranges, and "
       "400 B in ranges of fewer than 200 elements");
  one (80 * CELLS + 1, three_fifths, called, SCATTERED,
       "elements 100 to 299, 400 to 599, 700 to 899 and 198 more ranges, and "
       "404 B in ranges of fewer than 200 elements");
  one (75 * CELLS, every, called, SCATTERED,
       "293 KiB in ranges of fewer than 200 elements");
}

static const struct ummgr_finding *
finding_at (const struct ummgr_diagnosis *d, enum ummgr_finding_kind kind,
	    uint32_t line)
{
  for (size_t i = 0; i < d->finding_count; i++)
    if (d->findings[i].kind == kind && d->findings[i].line == line)
      return &d->findings[i];
  return NULL;
}

/* Which object is meant is said where another line allocates it, and it is known
   which.  */
static void
places (void)
{
  static const struct { const char *file; uint32_t line; const char *rest; }
    places[] = { { "copy.c", 1, "" },
		 { "copy.c", 9, "; R is what copy.c:9 allocates" },
		 { "dir/other.c", 1, "; R is what other.c:1 allocates" },
		 { "", 0, "" } };
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    {
      trace_begin ("diagnose-words", 1, 1);
      struct ummgr_trace_record r = { .kind = UMMGR_TRACE_OBJECT };
      r.u.object = (struct ummgr_trace_object) {
	.object = 1, .name = "R", .file = places[i].file,
	.line = places[i].line, .base = 1 << 20, .size = SIZE,
	.element_size = 4
      };
      put (&r);
      add_outcome (add_in (1, 0, SIZE, 0), SIZE / 4, SIZE / 4, 0);
      struct ummgr_diagnosis *d = trace_diagnose (NULL);
      char expect[400] = "remove R[0:100000] from the map clause: no region "
			 "used it in this run";
      strcat (expect, places[i].rest);
      check_words (finding_at (d, UMMGR_FINDING_UNUSED_COPY, 1), expect, "");
      ummgr_diagnosis_free (d);
    }
}

/* A sampled trace has seen a part of what is used.  */
static void
sampled (void)
{
  trace_begin ("diagnose-words", 1, 2);
  add_used (1, 75 * CELLS / 2, every_third);
  end_phase ("");
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  const struct ummgr_finding *f
    = finding_at (d, UMMGR_FINDING_UNUSED_COPY, 1);
  CHECK (f && strstr (f->change, "if there is one"));
  ummgr_diagnosis_free (d);
}

/* Nobody knows where: there may be a section.  */
static void
unknown (void)
{
  trace_begin ("diagnose-words", 1, 1);
  add_object (1, "R", SIZE, UMMGR_TRACE_OBJECT_HEAP);
  add_outcome (add_in (1, 0, SIZE, 0), CELLS * WORDS, 50 * CELLS, 0);
  /* The picture is of more than was copied.  */
  add_used (4, 0, middle);
  add_outcome (add_in (4, 0, SIZE / 2, 0), CELLS * WORDS / 2, 25 * CELLS, 0);
  end_phase ("");
  /* Two of which nothing but their places says that they are not one.  */
  for (int id = 2; id <= 3; id++)
    {
      add_object (id, "m", SIZE, UMMGR_TRACE_OBJECT_HEAP);
      add_outcome (add_in (id, 0, SIZE / 2, 0), CELLS * WORDS / 2, 50, 0);
      add_out (id, 0, SIZE, 0, CELLS * WORDS / 2);
    }
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  check_words (finding_at (d, UMMGR_FINDING_UNUSED_COPY, 1),
	       "map only the section that regions used in this run, if there is one: "
	       "map(to: R[first:length]); R is what prog.c:11 allocates", "");
  check_words (finding_at (d, UMMGR_FINDING_UNUSED_COPY, 4),
	       "map only the section that regions used in this run, if there is one: "
	       "map(to: R[first:length]); R is what prog.c:14 allocates",
	       "elements 0 to 24999, 50000 to 99999");
  const struct ummgr_finding *out
    = finding_at (d, UMMGR_FINDING_UNCHANGED_COPY, 2);
  CHECK (out && strstr (out->change, "map(to: m[0:100000]), and copy back only the "
		 "section that regions wrote in this run, if there is one: target update "
		 "from(m[first:length]); m is what prog.c:1"));
  ummgr_diagnosis_free (d);
}

/* A single struct has members, and no sections.  */
static void
members (void)
{
  trace_begin ("diagnose-words", 1, 1);
  struct ummgr_trace_record r = { .kind = UMMGR_TRACE_OBJECT };
  r.u.object = (struct ummgr_trace_object) {
    .object = 1, .name = "s", .file = "copy.c", .line = 1, .base = 1 << 20,
    .size = 4096, .element_size = 4096, .layout = "a:0:2048;b:2048:2048;"
  };
  put (&r);
  add_outcome (add_in (1, 0, 4096, 0), 1024, 512, 0);
  FACTS (1, 0, { CG, 512 }, { C, 512 });
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  check_words (finding (d, UMMGR_FINDING_UNUSED_COPY, "s"),
	       "map only the members of s that regions used in this run", "b");
  ummgr_diagnosis_free (d);
}

int
main (void)
{
  sections (NULL);
  sections ("a");
  unknown ();
  sampled ();
  places ();
  members ();
  return 0;
}
