/* Would break: a loop reported as a whole that leaves other states than its
   accesses one by one, or touches other pages, for any strides, counts, sizes,
   kinds and overlaps; with either grain; sampling that sees other blocks than
   those that the hash names.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target zstd } */

#include "record-test.h"

#include <stdlib.h>

#define SIZE 65536
#define CELLS (SIZE / 32)

static char *whole, *single;	/* By loops; by single accesses.  */
static unsigned grain;
static uint64_t rate;

static void
random_refs (struct ummgr_trace_ref *refs, uint32_t n)
{
  static const uint32_t sizes[] = { 1, 2, 4, 8, 4, 8 };
  static const int64_t strides[]
    = { 0, 1, 2, 4, 8, 12, 16, 24, 64, 100, 4096, 5000 };
  for (uint32_t i = 0; i < n; i++)
    {
      uint32_t size = sizes[test_random () % 6];
      int64_t stride = strides[test_random () % 12];
      uint64_t count = test_random () % (test_random () % 4 ? 20 : 300);
      uint64_t at = test_random () % 4096;
      if (test_random () % 4)
	{
	  at &= -(uint64_t) size;
	  if (stride % size)
	    stride = size;
	}
      if (i && test_random () % 3 == 0)
	{
	  refs[i] = refs[i - 1];
	  refs[i].how = UMMGR_TRACE_HOW (UMMGR_TRACE_HOW_SIZE (refs[i].how),
					 1 + test_random () % 3);
	  if (test_random () % 2)
	    refs[i].address += test_random () % 5 * 4;
	  continue;
	}
      if (stride && (count + 2) * stride + at + 64 > SIZE)
	count = (SIZE - at - 64) / stride - 2;
      if (count && test_random () % 4 == 0)
	{
	  at += stride * (count - 1);
	  stride = -stride;
	}
      refs[i] = (struct ummgr_trace_ref) {
	at, stride, count, UMMGR_TRACE_HOW (size, 1 + test_random () % 3), 0
      };
    }
}

static bool
is_sampled (uint64_t address)
{
  unsigned bits = 0;
  for (uint64_t n = rate; n > 1; n /= 2)
    bits++;
  return bits == 0 || (address >> UMMGR_TRACE_SAMPLE_SHIFT)
    * UMMGR_TRACE_SAMPLE_FACTOR >> (64 - bits) == 0;
}

static void
one_by_one (struct ummgr_trace_thread *t, const struct ummgr_trace_ref *refs,
	    uint32_t n)
{
  uint64_t most = 0;
  for (uint32_t i = 0; i < n; i++)
    most = refs[i].count > most ? refs[i].count : most;
  for (uint64_t turn = 0; turn < most; turn++)
    for (uint32_t i = 0; i < n; i++)
      if (turn < refs[i].count)
	{
	  uint64_t at = (uintptr_t) single + refs[i].address
			+ turn * refs[i].stride;
	  /* As instrumented code does.  */
	  if (is_sampled (at))
	    rt->access (t, at, refs[i].how);
	}
}

/* Which cells of which object were touched how.  */
struct touched
{
  uint64_t id[2];
  uint8_t cells[2][CELLS];
};

static void
take (const struct ummgr_trace_record *r, void *data)
{
  struct touched *touched = data;
  if (r->kind == UMMGR_TRACE_RUN)
    {
      CHECK_EQ (r->u.run.granularity, grain);
      CHECK_EQ (r->u.run.sample, rate);
      CHECK (r->u.run.instrumented);
    }
  if (r->kind == UMMGR_TRACE_OBJECT)
    touched->id[r->u.object.base == (uintptr_t) single] = r->u.object.object;
  if (r->kind != UMMGR_TRACE_ACCESS)
    return;
  const struct ummgr_trace_access *a = &r->u.access;
  int which = a->object == touched->id[1];
  CHECK_EQ (a->object, touched->id[which]);
  CHECK_EQ (a->offset % grain, 0);
  CHECK_EQ (a->size, SIZE - a->offset < grain ? SIZE - a->offset : grain);
  touched->cells[which][a->offset / grain] |= a->access;
}

static void
compare (void)
{
  test_begin (rate, grain == 32 ? "sector" : "page", "mark");
  /* Both at the same place in their sample blocks, chunks apart.  */
  static char memory[3 * SIZE] __attribute__ ((aligned (4096)));
  whole = memory;
  single = memory + SIZE;
  rt->allocated (whole, SIZE, NULL);
  rt->allocated (single, SIZE, NULL);
  static struct touched touched;
  for (int i = 0; i < 4000; i++)
    {
      struct ummgr_trace_ref refs[6];
      uint32_t n = 1 + test_random () % 6;
      struct ummgr_trace_thread *t = test_enter (test_random () % 2);
      random_refs (refs, n);
      one_by_one (t, refs, n);
      for (uint32_t j = 0; j < n; j++)
	refs[j].address += (uintptr_t) whole;
      rt->loop (t, refs, n);
      if (rate == 1 && i % 50 == 0)
	for (size_t w = 0; w < SIZE; w += 4)
	  CHECK_EQ (test_state (whole + w), test_state (single + w));
    }
  test_read (take, &touched);
  if (rate == 1)
    for (size_t i = 0; i < SIZE / grain; i++)
      CHECK_EQ (touched.cells[0][i], touched.cells[1][i]);
}

/* Everything is accessed; only the named blocks have states.  */
static void
sample (void)
{
  test_begin (rate, "page", "mark");
  static char memory[1 << 20] __attribute__ ((aligned (4096)));
  struct ummgr_trace_thread *t = test_enter (true);
  rt->allocated (memory, sizeof memory, NULL);
  struct ummgr_trace_ref refs[] = {
    { (uintptr_t) memory, 8, sizeof memory / 16, UMMGR_TRACE_HOW (8, 2), 0 },
    { (uintptr_t) memory, 8, sizeof memory / 16, UMMGR_TRACE_HOW (8, 1), 0 },
    { (uintptr_t) memory + sizeof memory / 2, 512, sizeof memory / 1024,
      UMMGR_TRACE_HOW (4, 1), 0 }
  };
  rt->loop (t, refs, 3);
  rt->range (t, (uintptr_t) memory + sizeof memory / 4 * 3,
	     sizeof memory / 4, 2);
  size_t seen = 0;
  for (size_t at = 0; at < sizeof memory; at += 4)
    {
      bool hit = at < sizeof memory / 2 || at % 512 == 0
	|| at >= sizeof memory / 4 * 3;
      uint8_t state = test_state (memory + at);
      CHECK_EQ (state != 0, hit && is_sampled ((uintptr_t) memory + at));
      seen += state != 0;
    }
  CHECK (seen > sizeof memory / 4 / rate / 4);
}

int
main (void)
{
  static const unsigned grains[] = { 4096, 32 };
  for (int i = 0; i < 2; i++)
    {
      grain = grains[i];
      rate = 1;
      test_run (compare);
      rate = 4;
      test_run (compare);
    }
  rate = 16;
  test_run (sample);
  return 0;
}
