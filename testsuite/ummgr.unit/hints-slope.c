/* Nests whose inner loops are longer or shorter from one iteration to the next, against what they
   access one by one: an access that is not counted, counted twice, or where none is.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "hints/slope.h"
#include "check.h"
#include "random.h"
#include "ummgr-table.h"

#include <stdlib.h>
#include <string.h>

enum { SIZE = 6000, CODES = 64, REFS = 3 };

static uint64_t state = 88172645463325252ull;
static unsigned char code[CODES][16];
static unsigned codes;
static unsigned char touched[SIZE];
static const struct ummgr_code_inputs inputs;

static int64_t
between (int64_t lo, int64_t hi)
{
  return lo + (int64_t) (random64 (&state) % (uint64_t) (hi - lo + 1));
}

static const unsigned char *
number (int64_t n)
{
  unsigned char *at = code[codes++ % CODES];
  at[0] = UMMGR_CODE_CONST64;
  memcpy (at + 1, &n, sizeof n);
  at[1 + sizeof n] = UMMGR_CODE_END;
  return at;
}

/* for (x < count) for (y = skip + skip_slope * x, and first + slope * x of them).  */
struct nest
{
  int64_t base, size, stride[2], count, extent, first, slope, skip, skip_slope;
};

static void
reference_fill (const struct nest *n, struct ummgr_table_ref *ref, struct ummgr_table_dim *dims)
{
  dims[0] = (struct ummgr_table_dim) { .stride = number (n->stride[0]), .count = number (n->count),
				       .extent = number (n->count) };
  dims[1] = (struct ummgr_table_dim) {
    .stride = number (n->stride[1]), .count = number (n->extent), .extent = number (n->extent),
    .of = 1, .first = number (n->first), .slope = number (n->slope), .skip = number (n->skip),
    .skip_slope = number (n->skip_slope)
  };
  *ref = (struct ummgr_table_ref) {
    .flags = UMMGR_REF_READ | UMMGR_REF_AFFINE | UMMGR_REF_SLOPED, .base = number (n->base),
    .element_size = (uint32_t) n->size, .why = "", .frequency = 1, .dim_count = 2, .dims = dims
  };
}

/* Mark what N accesses; returns how often, or -1 where that is not all in the object.  */
static int64_t
nest_run (const struct nest *n, int64_t *lo, int64_t *hi)
{
  int64_t all = 0;
  for (int64_t x = 0; x < n->count; x++)
    for (int64_t y = n->skip + n->skip_slope * x, k = n->first + n->slope * x; k > 0; y++, k--)
      {
	int64_t at = n->base + x * n->stride[0] + y * n->stride[1];
	if (at < 0 || at + n->size > SIZE)
	  return -1;
	memset (touched + at, 1, (size_t) n->size);
	*lo = at < *lo ? at : *lo;
	*hi = at + n->size > *hi ? at + n->size : *hi;
	all++;
      }
  return all;
}

static struct nest
nest_random (void)
{
  struct nest n = { .size = 1 << between (0, 3), .count = between (0, 12),
		    .first = between (-6, 14), .slope = between (-3, 3), .skip = between (0, 3),
		    .skip_slope = between (0, 2), .base = between (0, 3000) };
  for (unsigned k = 0; k < 2; k++)
    n.stride[k] = between (-30, 30) * (k || between (0, 1) ? n.size : 5);
  int64_t last = n.count > 0 ? n.count - 1 : 0, rows[2] = { 0, last };
  for (unsigned k = 0; k < 2; k++)
    {
      int64_t end = n.skip + n.skip_slope * rows[k] + n.first + n.slope * rows[k];
      n.extent = end > n.extent ? end : n.extent;
    }
  return n;
}

static void
compare (const struct nest *nests, unsigned count)
{
  struct ummgr_table_dim dims[REFS][2];
  struct ummgr_table_ref refs[REFS];
  struct ummgr_slope_cover cover;
  int64_t lo = INT64_MAX, hi = INT64_MIN, all[REFS];
  memset (touched, 0, sizeof touched);
  for (unsigned i = 0; i < count; i++)
    {
      reference_fill (&nests[i], &refs[i], dims[i]);
      all[i] = nest_run (&nests[i], &lo, &hi);
      if (all[i] < 0)
	return;
    }
  double bytes = 0, accesses;
  for (unsigned i = 0; i < SIZE; i++)
    bytes += touched[i];
  for (unsigned i = 0; i < count; i++)
    {
      CHECK (ummgr_slope_accesses (&refs[i], &inputs, &accesses));
      CHECK (accesses == (double) all[i]);
    }
  const struct ummgr_table_use use = { .flags = UMMGR_USE_ANALYSED, .why = "", .ref_count = count,
				       .refs = refs };
  CHECK (ummgr_slope_cover (&use, &inputs, 0, SIZE, &cover));
  CHECK (cover.bytes == bytes);
  CHECK (bytes == 0 || (cover.lo == lo && cover.hi == hi));
}

/* Of a matrix, 5000 by 5000: what no one looks at one by one.  */
static void
large (void)
{
  struct nest n = { .size = 8, .stride = { 40000, 8 }, .count = 5000, .extent = 5000, .first = 1,
		    .slope = 1 };
  struct ummgr_table_dim dims[2][2];
  struct ummgr_table_ref refs[2];
  struct ummgr_slope_cover cover;
  double accesses;
  reference_fill (&n, &refs[0], dims[0]);
  const struct ummgr_table_use one = { .why = "", .ref_count = 1, .refs = refs };
  CHECK (ummgr_slope_accesses (&refs[0], &inputs, &accesses) && accesses == 12502500);
  CHECK (ummgr_slope_cover (&one, &inputs, 0, 200000000, &cover) && cover.bytes == 12502500 * 8.0);
  CHECK (cover.lo == 0 && cover.hi == 200000000);
  /* With a second one beside it that would take too long.  */
  n.base = 16;
  reference_fill (&n, &refs[1], dims[1]);
  const struct ummgr_table_use two = { .why = "", .ref_count = 2, .refs = refs };
  CHECK (!ummgr_slope_cover (&two, &inputs, 0, 300000000, &cover));
}

int
main (void)
{
  for (unsigned i = 0; i < 20000; i++)
    {
      struct nest nests[REFS];
      unsigned count = (unsigned) between (1, REFS);
      for (unsigned k = 0; k < count; k++)
	{
	  nests[k] = nest_random ();
	  /* The same once more, or some elements on.  */
	  if (k && between (0, 1))
	    {
	      nests[k] = nests[k - 1];
	      nests[k].base += between (0, 2) * nests[k].size;
	    }
	}
      compare (nests, count);
    }
  large ();
  return 0;
}
