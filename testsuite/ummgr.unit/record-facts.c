/* Would break: counts, densities or the picture of a phase that differ from a
   count of every word; bits that do not last, or last; a phase without end; an
   object that goes without its facts.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target zstd } */

#include "record-test.h"

#include <stdlib.h>

#define WORDS 50001		/* No multiple of anything.  */
#define PHASES 4

static uint64_t rate;
static char *memory;
static uint8_t model[PHASES][WORDS];
static uint64_t object;
static int phases, marks, facts, gone;

static bool
is_sampled (uint64_t address)
{
  return rate == 1 || (address >> UMMGR_TRACE_SAMPLE_SHIFT)
    * UMMGR_TRACE_SAMPLE_FACTOR >> 62 == 0;
}

static void
check_states (const struct ummgr_trace_facts *f, const uint8_t *states)
{
  uint64_t count[256] = { 0 }, words = 0;
  for (size_t w = 0; w < WORDS; w++)
    if (is_sampled ((uintptr_t) memory + 4 * w))
      count[states[w]]++, words++;
  CHECK_EQ (f->words, words);
  for (uint32_t i = 0; i < f->state_count; i++)
    {
      CHECK_EQ (f->states[i].words, count[f->states[i].state]);
      count[f->states[i].state] = 0;
    }
  for (int s = 0; s < 256; s++)
    CHECK_EQ (count[s], 0);
}

static void
check_blocks (const struct ummgr_trace_facts *f, const uint8_t *states)
{
  uint64_t blocks[11] = { 0 };
  for (size_t at = 0; at < WORDS; at += 1024)
    {
      size_t gpu = 0, all = 0;
      for (size_t w = at; w < at + 1024 && w < WORDS; w++)
	if (is_sampled ((uintptr_t) memory + 4 * w))
	  {
	    all++;
	    gpu += (states[w] & UMMGR_SHADOW_GPU) != 0;
	  }
      for (int tenth = 0; all && tenth <= 10; tenth++)
	if (gpu * 10 <= all * tenth)
	  {
	    blocks[tenth]++;
	    break;
	  }
    }
  for (int i = 0; i <= 10; i++)
    CHECK_EQ (f->blocks[i], blocks[i]);
}

static void
check_picture (const struct ummgr_trace_facts *f, const uint8_t *states)
{
  CHECK (f->cells <= UMMGR_TRACE_CELLS_MAX);
  CHECK_EQ (f->cells, (WORDS + f->cell_words - 1) / f->cell_words);
  uint32_t cell = 0;
  for (uint32_t r = 0; r < f->run_count; r++)
    for (uint32_t i = 0; i < f->runs[r].length; i++, cell++)
      {
	uint64_t with[6] = { 0 }, all = 0;
	uint8_t any = 0;
	for (size_t w = cell * f->cell_words;
	     w < (cell + 1) * f->cell_words && w < WORDS; w++)
	  if (is_sampled ((uintptr_t) memory + 4 * w))
	    {
	      all++;
	      any |= states[w];
	      for (int b = 0; b < 6; b++)
		with[b] += states[w] >> (b + 1) & 1;
	    }
	CHECK_EQ (f->runs[r].state, any);
	for (int b = 0; b < 6; b++)
	  {
	    double part = all ? 255.0 * with[b] / all : 0;
	    CHECK (f->runs[r].part[b] >= part && f->runs[r].part[b] < part + 1);
	  }
      }
  CHECK_EQ (cell, f->cells);
}

static void
take (const struct ummgr_trace_record *r, void *data)
{
  (void) data;
  if (r->kind == UMMGR_TRACE_OBJECT && r->u.object.base == (uintptr_t) memory)
    {
      object = r->u.object.object;
      CHECK (strcmp (r->u.object.name, "better") == 0);
      CHECK_EQ (r->u.object.size, 4 * WORDS);
      CHECK_EQ (r->u.object.element_size, 8);
    }
  else if (r->kind == UMMGR_TRACE_MARK)
    marks++;
  else if (r->kind == UMMGR_TRACE_GONE && r->u.object.object == object)
    gone++;
  else if (r->kind == UMMGR_TRACE_PHASE)
    {
      CHECK_EQ (r->u.phase.phase, ++phases);
      CHECK (strcmp (r->u.phase.cause, phases < PHASES ? "mark" : "end") == 0);
      CHECK (strcmp (r->u.phase.name, phases == 1 ? "" : "next") == 0);
    }
  else if (r->kind == UMMGR_TRACE_FACTS)
    {
      CHECK_EQ (r->u.facts.object, object);
      CHECK_EQ (r->u.facts.phase, phases + 1);
      CHECK_EQ (r->u.facts.device, UMMGR_TRACE_HOST);
      CHECK (!gone);
      check_states (&r->u.facts, model[phases]);
      check_blocks (&r->u.facts, model[phases]);
      check_picture (&r->u.facts, model[phases]);
      facts++;
    }
}

/* Some accesses of one phase, here and in the model.  */
static void
do_phase (int phase)
{
  for (int i = 0; i < 300; i++)
    {
      bool gpu = test_random () % 2;
      unsigned kind = 1 + test_random () % 3;
      struct ummgr_trace_thread *t = test_enter (gpu);
      size_t lo = test_random () % WORDS;
      size_t n = 1 + test_random () % (i % 10 ? 50 : 3000);
      if (lo + n > WORDS)
	n = WORDS - lo;
      rt->range (t, (uintptr_t) memory + 4 * lo, 4 * n, kind);
      for (size_t w = lo; w < lo + n; w++)
	if (is_sampled ((uintptr_t) memory + 4 * w))
	  model[phase][w] = test_model (model[phase][w], gpu, kind);
    }
  for (size_t w = 0; phase + 1 < PHASES && w < WORDS; w++)
    model[phase + 1][w] = model[phase][w] & UMMGR_SHADOW_LASTING;
}

static void
test (void)
{
  static const struct ummgr_trace_site first = { "p", "t.c", "", 1, 8 };
  static const struct ummgr_trace_site better = { "better", "t.c", "", 2, 8 };
  test_begin (rate, "page", "mark");
  memory = aligned_alloc (4096, 4096 * 60);
  /* Not at the start of a block of sampling.  */
  memory += 20;
  rt->allocated (memory, 4 * WORDS, &first);
  rt->named (memory, &better);
  for (int phase = 0; phase < PHASES; phase++)
    {
      do_phase (phase);
      if (phase < PHASES - 1)
	ummgr_record_mark ("next");
    }
  /* Nothing has happened in between: no phase.  */
  rt->freed (memory);
  test_read (take, NULL);
  CHECK_EQ (phases, PHASES);
  CHECK_EQ (facts, PHASES);
  CHECK_EQ (marks, PHASES - 1);
  CHECK_EQ (gone, 1);
}

/* 4 GiB of address space, of which little is used: neither memory nor time. */
static void
take_sparse (const struct ummgr_trace_record *r, void *data)
{
  if (r->kind != UMMGR_TRACE_FACTS)
    return;
  CHECK_EQ (r->u.facts.words, (uint64_t) 1 << 30);
  uint64_t touched = 0;
  for (uint32_t i = 0; i < r->u.facts.state_count; i++)
    if (r->u.facts.states[i].state)
      touched += r->u.facts.states[i].words;
  CHECK_EQ (touched, 3);
  ++*(int *) data;
}

static void
test_sparse (void)
{
  test_begin (1, "page", "mark");
  char *p = (char *) ((uint64_t) 1 << 44);
  int seen = 0;
  rt->allocated (p, (uint64_t) 1 << 32, NULL);
  struct ummgr_trace_thread *t = test_enter (true);
  rt->access (t, (uintptr_t) p + 12, UMMGR_TRACE_HOW (4, 2));
  rt->access (t, (uintptr_t) p + ((uint64_t) 1 << 31), UMMGR_TRACE_HOW (4, 1));
  rt->access (t, (uintptr_t) p + ((uint64_t) 1 << 32) - 4,
	      UMMGR_TRACE_HOW (4, 1));
  test_read (take_sparse, &seen);
  CHECK_EQ (seen, 1);
}

int
main (void)
{
  rate = 1;
  test_run (test);
  rate = 4;
  test_run (test);
  test_run (test_sparse);
  return 0;
}
