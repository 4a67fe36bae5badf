/* The bytes that a range of iterations uses, against those that its loops access one by one:
   an access that the footprint lacks, or a footprint that is longer than what is accessed.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "hints/footprint.h"
#include "check.h"
#include "random.h"
#include "ummgr-table.h"

#include <stdlib.h>
#include <string.h>

static uint64_t state = 88172645463325252ull;

static int64_t
between (int64_t lo, int64_t hi)
{
  return lo + (int64_t) (random64 (&state) % (uint64_t) (hi - lo + 1));
}

/* --- expressions ---------------------------------------------------------------------- */

enum { CODES = 256, LO = 1, HI = 2 };
static unsigned char code[CODES][48];
static unsigned codes;

struct text
{
  unsigned char *at;
};

static void
put_number (struct text *t, int64_t n)
{
  *t->at++ = UMMGR_CODE_CONST64;
  memcpy (t->at, &n, sizeof n);
  t->at += sizeof n;
}

static void
put_argument (struct text *t, uint16_t i)
{
  *t->at++ = UMMGR_CODE_ARG;
  memcpy (t->at, &i, sizeof i);
  t->at += sizeof i;
}

static const unsigned char *
number (int64_t n)
{
  struct text t = { code[codes++ % CODES] };
  const unsigned char *all = t.at;
  put_number (&t, n);
  *t.at = UMMGR_CODE_END;
  return all;
}

/* BASE + LO * STEP.  */
static const unsigned char *
from_lo (int64_t base, int64_t step)
{
  struct text t = { code[codes++ % CODES] };
  const unsigned char *all = t.at;
  put_argument (&t, LO);
  put_number (&t, step);
  *t.at++ = UMMGR_CODE_MUL;
  put_number (&t, base);
  *t.at++ = UMMGR_CODE_ADD;
  *t.at = UMMGR_CODE_END;
  return all;
}

/* min (HI, TRIP) - LO.  */
static const unsigned char *
in_range (int64_t trip)
{
  struct text t = { code[codes++ % CODES] };
  const unsigned char *all = t.at;
  put_argument (&t, HI);
  put_number (&t, trip);
  *t.at++ = UMMGR_CODE_MIN;
  put_argument (&t, LO);
  *t.at++ = UMMGR_CODE_SUB;
  *t.at = UMMGR_CODE_END;
  return all;
}

/* --- loops ------------------------------------------------------------------------------ */

/* a[base + step * i + sum of stride[k] * j[k]], bytes, i < trip.  */
struct loop
{
  int64_t base, step, trip, size;
  unsigned dims;
  int64_t stride[3], count[3];
  uint32_t flags;
};

static struct loop
random_loop (int64_t trip)
{
  struct loop l = { .base = between (-300, 300), .step = between (-40, 40), .trip = trip,
		    .size = 1 << between (0, 3), .dims = (unsigned) between (0, 3),
		    .flags = (uint32_t) between (1, 3) };
  for (unsigned k = 0; k < l.dims; k++)
    {
      l.stride[k] = between (-60, 60);
      l.count[k] = between (0, 6);
    }
  return l;
}

static void
reference_fill (const struct loop *l, struct ummgr_table_ref *ref, struct ummgr_table_dim *dims)
{
  dims[0] = (struct ummgr_table_dim) { .range_stride = number (l->step), .shared = true,
				       .range_count = in_range (l->trip),
				       .range_extent = in_range (l->trip) };
  for (unsigned k = 0; k < l->dims; k++)
    dims[k + 1] = (struct ummgr_table_dim) { .range_stride = number (l->stride[k]),
					     .range_count = number (l->count[k]),
					     .range_extent = number (l->count[k]) };
  *ref = (struct ummgr_table_ref) { .flags = l->flags | UMMGR_REF_AFFINE,
				    .range_base = from_lo (l->base, l->step),
				    .element_size = (uint32_t) l->size, .why = "",
				    .frequency = 1, .dim_count = l->dims + 1, .dims = dims };
}

/* --- the slow way ------------------------------------------------------------------------- */

enum { ORIGIN = 20000, BYTES = 40000 };
static unsigned char used[BYTES];	/* UMMGR_REF_READ and WRITE.  */

static void
access_all (const struct loop *l, unsigned dim, int64_t at)
{
  if (dim == l->dims)
    for (int64_t b = 0; b < l->size; b++)
      used[ORIGIN + at + b] |= (unsigned char) l->flags;
  else
    for (int64_t j = 0; j < l->count[dim]; j++)
      access_all (l, dim + 1, at + j * l->stride[dim]);
}

static void
check_intervals (const struct ummgr_intervals *s, unsigned char flag)
{
  CHECK (s->count <= UMMGR_FOOTPRINT_MOST);
  for (unsigned i = 0; i < s->count; i++)
    {
      CHECK (s->at[i].lo < s->at[i].hi);
      CHECK (i == 0 || s->at[i - 1].hi < s->at[i].lo);
      CHECK (used[ORIGIN + s->at[i].lo] & flag);
      CHECK (used[ORIGIN + s->at[i].hi - 1] & flag);
    }
  for (int64_t b = -ORIGIN; b < BYTES - ORIGIN; b++)
    if (used[ORIGIN + b] & flag)
      {
	bool in = false;
	for (unsigned i = 0; i < s->count; i++)
	  in |= s->at[i].lo <= b && b < s->at[i].hi;
	CHECK (in);
      }
}

static bool
in_intervals (const struct ummgr_intervals *s, int64_t at)
{
  for (unsigned i = 0; i < s->count; i++)
    if (s->at[i].lo <= at && at < s->at[i].hi)
      return true;
  return false;
}

/* Rows, where there are any, leave nothing out that is behind the argument's begin.  */
static unsigned with_rows;

static void
check_rows (const struct ummgr_rows *r)
{
  with_rows += r->row > 0;
  for (int64_t b = 0; r->row && b < BYTES - ORIGIN; b++)
    if (used[ORIGIN + b])
      {
	CHECK (r->first <= b / r->row && b / r->row < r->last);
	CHECK (!(used[ORIGIN + b] & UMMGR_REF_READ) || in_intervals (&r->reads, b % r->row));
	CHECK (!(used[ORIGIN + b] & UMMGR_REF_WRITE) || in_intervals (&r->writes, b % r->row));
      }
}

/* x[k * 1000 + i], k < 5, and, in the second, also its second row alone, and a neighbour.  */
static struct ummgr_footprint footprint (const struct ummgr_table_ref *refs, unsigned count,
					 uint32_t flags, int64_t lo, int64_t hi);

static void
rows (void)
{
  struct loop l[] = { { .step = 8, .trip = 1000, .size = 8, .dims = 1, .stride = { 8000 },
			.count = { 5 }, .flags = UMMGR_REF_WRITE },
		      { .base = 8000, .step = 8, .trip = 1000, .size = 8,
			.flags = UMMGR_REF_READ },
		      { .base = -8, .step = 8, .trip = 1000, .size = 8, .dims = 1,
			.stride = { 8000 }, .count = { 5 }, .flags = UMMGR_REF_READ } };
  struct ummgr_table_ref refs[3];
  struct ummgr_table_dim dims[3][4];
  for (unsigned r = 0; r < 3; r++)
    reference_fill (&l[r], &refs[r], dims[r]);
  struct ummgr_rows r
    = footprint (refs, 1, UMMGR_USE_ANALYSED | UMMGR_USE_WRITE, 500, 1000).rows;
  CHECK (r.row == 8000 && r.first == 0 && r.last == 5 && r.writes.count == 1
	 && r.writes.at[0].lo == 4000 && r.writes.at[0].hi == 8000 && r.reads.count == 0);
  r = footprint (refs, 3, UMMGR_USE_ANALYSED | UMMGR_USE_READ | UMMGR_USE_WRITE, 250, 500).rows;
  CHECK (r.row == 8000 && r.first == 0 && r.last == 5);
  CHECK (r.reads.count == 1 && r.reads.at[0].lo == 1992 && r.reads.at[0].hi == 4000);
  /* Rows of three numbers: as many short ones.  */
  struct loop t[] = { { .step = 8, .trip = 1000, .size = 8, .dims = 1, .stride = { 24000 },
			.count = { 4 }, .flags = UMMGR_REF_READ },
		      { .base = 8000, .step = 8, .trip = 1000, .size = 8, .dims = 1,
			.stride = { 24000 }, .count = { 4 }, .flags = UMMGR_REF_READ } };
  for (unsigned i = 0; i < 2; i++)
    reference_fill (&t[i], &refs[i], dims[i]);
  r = footprint (refs, 2, UMMGR_USE_ANALYSED | UMMGR_USE_READ, 0, 500).rows;
  CHECK (r.row == 8000 && r.last == 11 && r.reads.count == 1 && r.reads.at[0].hi == 4000);
}

static struct ummgr_footprint
footprint (const struct ummgr_table_ref *refs, unsigned count, uint32_t flags, int64_t lo,
	   int64_t hi)
{
  struct ummgr_table_arg arg = { .name = "a", .type = "", .file = "" };
  void *values[] = { NULL, (void *) (intptr_t) lo, (void *) (intptr_t) hi };
  size_t sizes[3] = { 0 };
  const struct ummgr_code_inputs inputs = { .hostaddrs = values, .sizes = sizes };
  struct ummgr_footprint out;
  arg.use = (struct ummgr_table_use) { .flags = flags, .why = "", .ref_count = count,
				       .refs = refs };
  ummgr_footprint_fill (&arg, &inputs, &out);
  return out;
}

static void
random_case (void)
{
  enum { REFS = 5 };
  struct loop loops[REFS];
  struct ummgr_table_ref refs[REFS];
  struct ummgr_table_dim dims[REFS][4];
  unsigned count = (unsigned) between (1, REFS);
  int64_t trip = between (1, 60), lo = between (0, trip), hi = lo + between (0, 30);
  memset (used, 0, sizeof used);
  for (unsigned r = 0; r < count; r++)
    {
      loops[r] = random_loop (trip);
      reference_fill (&loops[r], &refs[r], dims[r]);
      for (int64_t i = lo; i < hi && i < trip; i++)
	access_all (&loops[r], 0, loops[r].base + i * loops[r].step);
    }
  struct ummgr_footprint f = footprint (refs, count, UMMGR_USE_ANALYSED | UMMGR_USE_READ
					| UMMGR_USE_WRITE, lo, hi);
  CHECK (f.known && f.read && f.written);
  check_intervals (&f.reads, UMMGR_REF_READ);
  check_intervals (&f.writes, UMMGR_REF_WRITE);
  check_rows (&f.rows);
}

/* The header's.  */
static void
example (void)
{
  struct loop a[] = { { .base = 0, .step = 1600, .trip = 998, .size = 8, .dims = 1,
			.stride = { 8 }, .count = { 200 }, .flags = UMMGR_REF_READ },
		      { .base = 3200, .step = 1600, .trip = 998, .size = 8, .dims = 1,
			.stride = { 8 }, .count = { 200 }, .flags = UMMGR_REF_READ },
		      { .base = 56, .step = 0, .trip = 998, .size = 8, .flags = UMMGR_REF_READ } };
  struct ummgr_table_ref refs[3];
  struct ummgr_table_dim dims[3][4];
  for (unsigned r = 0; r < 3; r++)
    reference_fill (&a[r], &refs[r], dims[r]);
  struct ummgr_footprint f = footprint (refs, 3, UMMGR_USE_ANALYSED | UMMGR_USE_READ, 499, 998);
  CHECK (f.known && f.read && !f.written);
  CHECK_EQ (f.reads.count, 2);
  CHECK (f.reads.at[0].lo == 56 && f.reads.at[0].hi == 64);
  CHECK (f.reads.at[1].lo == 798400 && f.reads.at[1].hi == 1600000);
  CHECK_EQ (f.writes.count, 0);
  /* Other arguments of the same object.  */
  struct ummgr_footprint all = { .known = true };
  ummgr_footprint_merge (&all, &f, 8);
  CHECK (all.known && all.read && !all.written && all.reads.at[0].lo == 64
	 && all.reads.at[1].hi == 1600008);
}

static void
unknown (void)
{
  struct loop l = { .step = 8, .trip = 10, .size = 8, .flags = UMMGR_REF_READ };
  struct ummgr_table_ref ref;
  struct ummgr_table_dim dims[4];
  reference_fill (&l, &ref, dims);
  CHECK (footprint (&ref, 1, UMMGR_USE_ANALYSED | UMMGR_USE_READ, 0, 5).known);
  CHECK (!footprint (&ref, 1, UMMGR_USE_ANALYSED | UMMGR_USE_UNKNOWN, 0, 5).known);
  struct ummgr_footprint f = footprint (&ref, 1, 0, 0, 5);
  CHECK (!f.known && f.read && f.written);
  ref.flags &= ~UMMGR_REF_AFFINE;
  CHECK (!footprint (&ref, 1, UMMGR_USE_ANALYSED | UMMGR_USE_READ, 0, 5).known);
  reference_fill (&l, &ref, dims);
  dims[0].range_extent = NULL;
  CHECK (!footprint (&ref, 1, UMMGR_USE_ANALYSED | UMMGR_USE_READ, 0, 5).known);
  reference_fill (&l, &ref, dims);
  ref.range_base = NULL;
  CHECK (!footprint (&ref, 1, UMMGR_USE_ANALYSED | UMMGR_USE_READ, 0, 5).known);
  /* Nothing is run.  */
  reference_fill (&l, &ref, dims);
  f = footprint (&ref, 1, UMMGR_USE_ANALYSED | UMMGR_USE_READ, 10, 20);
  CHECK (f.known && f.read && f.reads.count == 0);
}

/* More than there is room for: the shortest gaps go.  */
static void
many (void)
{
  struct ummgr_intervals s = { .count = 0 };
  for (int64_t i = 0; i < UMMGR_FOOTPRINT_MOST; i++)
    ummgr_intervals_add (&s, 100 * i, 100 * i + (i == 3 ? 95 : 10));
  CHECK_EQ (s.count, UMMGR_FOOTPRINT_MOST);
  ummgr_intervals_add (&s, 10000, 10010);
  CHECK_EQ (s.count, UMMGR_FOOTPRINT_MOST);
  CHECK (s.at[3].lo == 300 && s.at[3].hi == 410);
  CHECK (s.at[UMMGR_FOOTPRINT_MOST - 1].lo == 10000);
  ummgr_intervals_add (&s, -5, 20000);
  CHECK (s.count == 1 && s.at[0].lo == -5 && s.at[0].hi == 20000);
  ummgr_intervals_add (&s, 7, 7);
  CHECK_EQ (s.count, 1);
}

int
main (void)
{
  example ();
  unknown ();
  many ();
  rows ();
  for (int i = 0; i < 20000; i++)
    random_case ();
  CHECK (with_rows > 100);
  return 0;
}
