/* Would break: a nest of loops reported as a whole that leaves other states than
   its accesses one by one, or touches other pages, for any strides, counts,
   sizes, kinds, overlaps and inner loops; with either grain; that counts other
   accesses; sampling that sees other blocks.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target zstd } */

#include "record-test.h"
#include "record/recorder.h"

#include <stdlib.h>

#define SIZE 65536
#define CELLS (SIZE / 32)
#define REFS 8

static char *whole, *single;	/* By nests; by single accesses.  */
static unsigned grain;
static uint64_t rate;

static uint64_t
pick_stride (uint32_t size)
{
  static const int64_t strides[]
    = { 0, 4, 8, 4, 8, 16, 24, 64, 100, 256, 1024, 4096, 5000, 1, 2 };
  int64_t stride = strides[test_random () % 15];
  return test_random () % 3 == 0 ? size
    : test_random () % 8 == 0 ? stride : stride & -(int64_t) size;
}

/* One reference within SIZE bytes.  */
static struct ummgr_trace_nest_ref
random_ref (uint32_t inner)
{
  static const uint32_t sizes[] = { 1, 2, 4, 8, 4, 8 };
  struct ummgr_trace_nest_ref ref = { .inner = inner };
  uint32_t size = sizes[test_random () % 6];
  uint64_t at = test_random () % 4096, span = size;
  if (test_random () % 8)
    at &= -(uint64_t) size;
  for (int i = 1; i >= 0; i--)
    {
      uint64_t stride = pick_stride (size);
      /* Rows one after the other are the most frequent.  */
      if (i == 0 && test_random () % 3 == 0)
	stride = (uint64_t) llabs (ref.stride[1]) * ref.count[1];
      ref.count[i] = test_random () % (test_random () % 8 ? 14 : 60);
      if (ref.count[i] && test_random () % 2)
	ref.count[i] = 1 + test_random () % 2 * 7;
      if (i == 1 && !inner)
	{
	  stride = 0;
	  ref.count[1] = 1;
	}
      while (ref.count[i] && at + span + stride * ref.count[i] > SIZE - 64)
	ref.count[i] /= 2;
      span += ref.count[i] ? stride * (ref.count[i] - 1) : 0;
      ref.stride[i] = (int64_t) stride;
      if (ref.count[i] && test_random () % 4 == 0)
	{
	  at += stride * (ref.count[i] - 1);
	  ref.stride[i] = -ref.stride[i];
	  span -= stride * (ref.count[i] - 1);
	}
    }
  ref.address = at;
  ref.how = UMMGR_TRACE_HOW (size, 1 + test_random () % 3);
  return ref;
}

static void
random_nest (struct ummgr_trace_nest_ref *refs, uint32_t n)
{
  uint32_t inner = 0, loops = 0;
  for (uint32_t i = 0; i < n; i++)
    {
      if (test_random () % 2)
	inner = test_random () % 3 ? ++loops : 0;
      refs[i] = random_ref (inner);
      if (i && test_random () % 2)
	{
	  uint32_t from = test_random () % i;
	  if (!refs[from].inner == !inner)
	    {
	      refs[i] = refs[from];
	      refs[i].inner = inner;
	      refs[i].how = UMMGR_TRACE_HOW (UMMGR_TRACE_HOW_SIZE (refs[i].how),
					     1 + test_random () % 3);
	      if (test_random () % 4 == 0)
		refs[i].address += test_random () % 5 * 4;
	    }
	}
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

static uint64_t
one_by_one (struct ummgr_trace_thread *t,
	    const struct ummgr_trace_nest_ref *refs, uint32_t n)
{
  uint64_t made = 0;
  for (uint64_t i = 0; i < 64; i++)
    for (uint32_t k = 0, end; k < n; k = end)
      {
	for (end = k; end < n && refs[end].inner == refs[k].inner; end++)
	  ;
	for (uint64_t j = 0; j < 64; j++)
	  for (uint32_t l = k; l < end; l++)
	    if (i < refs[l].count[0] && j < refs[l].count[1])
	      {
		uint64_t at = (uintptr_t) single + refs[l].address
			      + i * refs[l].stride[0] + j * refs[l].stride[1];
		made++;
		if (is_sampled (at))
		  rt->access (t, at, refs[l].how);
	      }
      }
  return made;
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
  if (r->kind == UMMGR_TRACE_OBJECT)
    touched->id[r->u.object.base == (uintptr_t) single] = r->u.object.object;
  if (r->kind != UMMGR_TRACE_ACCESS)
    return;
  const struct ummgr_trace_access *a = &r->u.access;
  int which = a->object == touched->id[1];
  CHECK_EQ (a->object, touched->id[which]);
  touched->cells[which][a->offset / grain] |= a->access;
}

static void
compare (void)
{
  test_begin (rate, grain == 32 ? "sector" : "page", "mark");
  static char memory[3 * SIZE] __attribute__ ((aligned (4096)));
  whole = memory;
  single = memory + SIZE;
  rt->allocated (whole, SIZE, NULL);
  rt->allocated (single, SIZE, NULL);
  static struct touched touched;
  for (int i = 0; i < 6000; i++)
    {
      struct ummgr_trace_nest_ref refs[REFS];
      uint32_t n = 1 + test_random () % REFS;
      struct ummgr_trace_thread *t = test_enter (test_random () % 2);
      random_nest (refs, n);
      uint64_t made = one_by_one (t, refs, n);
      for (uint32_t j = 0; j < n; j++)
	refs[j].address += (uintptr_t) whole;
      uint64_t before = ummgr_record_accesses ();
      rt->nest (t, refs, n);
      CHECK_EQ (ummgr_record_accesses () - before, made);
      if (rate == 1 && i % 20 == 0)
	for (size_t w = 0; w < SIZE; w += 4)
	  CHECK_EQ (test_state (whole + w), test_state (single + w));
      else if (rate > 1 && i % 20 == 0)
	for (size_t w = 0; w < SIZE; w += 4)
	  CHECK (!test_state (whole + w)
		 || is_sampled ((uintptr_t) whole + w - 8)
		 || is_sampled ((uintptr_t) whole + w));
    }
  test_read (take, &touched);
  if (rate == 1)
    for (size_t i = 0; i < SIZE / grain; i++)
      CHECK_EQ (touched.cells[0][i], touched.cells[1][i]);
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
  return 0;
}
