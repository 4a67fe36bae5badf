/* References in nests whose inner loops are longer or shorter from one iteration to the next.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Holds no state.  */

#include "config.h"
#include "hints/slope.h"

#include "ummgr-table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
  DIMS_MAX = 8,
  SHAPES_MAX = 16,		/* References that touch different bytes.  */
  RUNS_MAX = 4096		/* Bytes without a gap that are looked at one by one.  */
};

/* Numbers beyond this are no array's.  */
#define FAR (INT64_C (1) << 40)

/* A dimension.  OF: of which dimension's number the rest is in terms, plus 1; 0: of none's.  */
struct side
{
  int64_t stride, count;	/* COUNT at most.  */
  int64_t first, slope, skip, skip_slope;
  unsigned of;
  unsigned row;			/* The number of that which depends on it, plus 1.  */
};

struct shape
{
  int64_t base, size;
  unsigned dims;
  struct side sides[DIMS_MAX];
};

static bool
is_far (int64_t a)
{
  return a > FAR || a < -FAR;
}

static bool
side_fill (struct side *s, const struct ummgr_table_dim *dim,
	   const struct ummgr_code_inputs *inputs)
{
  if ((dim->stride && !ummgr_code_evaluate (dim->stride, inputs, &s->stride))
      || !ummgr_code_evaluate (dim->extent, inputs, &s->count))
    return false;
  s->of = dim->of;
  if (s->of
      && (!ummgr_code_evaluate (dim->first, inputs, &s->first)
	  || !ummgr_code_evaluate (dim->slope, inputs, &s->slope)
	  || !ummgr_code_evaluate (dim->skip, inputs, &s->skip)
	  || !ummgr_code_evaluate (dim->skip_slope, inputs, &s->skip_slope)))
    return false;
  s->count = s->count > 0 ? s->count : 0;
  return !is_far (s->stride) && !is_far (s->count) && !is_far (s->first) && !is_far (s->slope)
	 && !is_far (s->skip) && !is_far (s->skip_slope);
}

/* REF, but for dimensions in which it stays where it is.  Nothing that depends on another has
   one that depends on it, and each has one at most.  */
static bool
shape_fill (struct shape *out, const struct ummgr_table_ref *ref,
	    const struct ummgr_code_inputs *inputs, uint64_t offset)
{
  memset (out, 0, sizeof *out);
  out->size = ref->element_size;
  out->dims = ref->dim_count;
  if (ref->dim_count > DIMS_MAX || !ummgr_code_evaluate (ref->base, inputs, &out->base)
      || is_far (out->base) || offset > (uint64_t) FAR)
    return false;
  out->base += (int64_t) offset;
  for (unsigned i = 0; i < ref->dim_count; i++)
    {
      struct side *s = &out->sides[i];
      if (!side_fill (s, &ref->dims[i], inputs) || s->of > i)
	return false;
      if (!s->of)
	continue;
      struct side *around = &out->sides[s->of - 1];
      if (around->of || around->row)
	return false;
      around->row = i + 1;
    }
  return true;
}

static int64_t
row_count (const struct side *s, int64_t x)
{
  int64_t count = s->first + s->slope * x;
  return count > 0 ? count : 0;
}

/* The first and last of COUNT iterations in which a row of S has any; false if there is none.  */
static bool
row_ends (const struct side *s, int64_t count, int64_t *lo, int64_t *hi)
{
  *lo = 0;
  *hi = count - 1;
  if (s->slope > 0 && s->first < 1)
    *lo = (1 - s->first + s->slope - 1) / s->slope;
  if (s->slope < 0 && s->first > 0 && (s->first - 1) / -s->slope < *hi)
    *hi = (s->first - 1) / -s->slope;
  return *lo <= *hi && row_count (s, *lo) > 0;
}

static double
shape_accesses (const struct shape *shape)
{
  double all = 1;
  for (unsigned i = 0; i < shape->dims; i++)
    {
      const struct side *s = &shape->sides[i];
      int64_t lo, hi;
      if (s->of)
	continue;
      const struct side *row = s->row ? &shape->sides[s->row - 1] : NULL;
      if (!row)
	all *= (double) s->count;
      else if (!row_ends (row, s->count, &lo, &hi))
	return 0;
      else
	all *= (double) (hi - lo + 1)
	       * ((double) row_count (row, lo) + (double) row_count (row, hi)) / 2;
    }
  return all;
}

bool
ummgr_slope_accesses (const struct ummgr_table_ref *ref,
		      const struct ummgr_code_inputs *inputs, double *accesses)
{
  struct shape shape;
  if (!shape_fill (&shape, ref, inputs, 0))
    return false;
  *accesses = shape_accesses (&shape) * ref->frequency;
  return true;
}

/* Does no byte of SHAPE come twice?  Each stride leads behind all that lesser ones reach.  */
static bool
shape_is_apart (const struct shape *shape)
{
  double span = (double) shape->size;
  bool done[DIMS_MAX] = { false };
  for (unsigned n = 0; n < shape->dims; n++)
    {
      int least = -1;
      for (unsigned i = 0; i < shape->dims; i++)
	if (!done[i] && (least < 0 || llabs (shape->sides[i].stride)
				      < llabs (shape->sides[least].stride)))
	  least = (int) i;
      const struct side *s = &shape->sides[least];
      done[least] = true;
      if (s->count <= 1)
	continue;
      if ((double) llabs (s->stride) < span)
	return false;
      span += (double) llabs (s->stride) * (double) (s->count - 1);
    }
  return true;
}

static void
reach (struct ummgr_slope_cover *out, int64_t lo, int64_t hi)
{
  out->lo = lo < out->lo ? lo : out->lo;
  out->hi = hi > out->hi ? hi : out->hi;
}

/* The bytes that SHAPE, which accesses something, lies in.  */
static void
shape_reach (const struct shape *shape, struct ummgr_slope_cover *out)
{
  int64_t lo = shape->base, hi = shape->base;
  for (unsigned i = 0; i < shape->dims; i++)
    {
      const struct side *s = &shape->sides[i];
      int64_t ends[2] = { 0, s->count - 1 }, least = INT64_MAX, most = INT64_MIN;
      if (s->of)
	continue;
      const struct side *row = s->row ? &shape->sides[s->row - 1] : NULL;
      if (row)
	row_ends (row, s->count, &ends[0], &ends[1]);
      for (unsigned k = 0; k < 4; k++)
	{
	  int64_t x = ends[k & 1], at = s->stride * x;
	  if (row)
	    at += row->stride * (row->skip + row->skip_slope * x
				 + (k & 2 ? row_count (row, x) - 1 : 0));
	  least = at < least ? at : least;
	  most = at > most ? at : most;
	}
      lo += least;
      hi += most;
    }
  reach (out, lo, hi + shape->size);
}

struct run
{
  int64_t lo, hi;
};

struct runs
{
  unsigned count;
  struct run at[RUNS_MAX];
};

/* SHAPE's bytes from AT on in its dimensions from DIM on; X: the iterations of those around.  */
static bool
runs_add (struct runs *to, const struct shape *shape, unsigned dim, int64_t at, int64_t *x)
{
  if (dim == shape->dims)
    {
      if (to->count == RUNS_MAX)
	return false;
      to->at[to->count++] = (struct run) { at, at + shape->size };
      return true;
    }
  const struct side *s = &shape->sides[dim];
  int64_t count = s->of ? row_count (s, x[s->of - 1]) : s->count;
  int64_t first = s->of ? s->skip + s->skip_slope * x[s->of - 1] : 0;
  if (count == 0)
    return true;
  /* The same once more is no more.  */
  if (s->stride == 0 && !s->row)
    count = 1;
  if (dim + 1 == shape->dims && llabs (s->stride) <= shape->size)
    {
      int64_t a = at + s->stride * first, b = at + s->stride * (first + count - 1);
      if (to->count == RUNS_MAX)
	return false;
      to->at[to->count++] = (struct run) { a < b ? a : b, (a < b ? b : a) + shape->size };
      return true;
    }
  for (x[dim] = 0; x[dim] < count; x[dim]++)
    if (x[dim] >= RUNS_MAX || !runs_add (to, shape, dim + 1, at + s->stride * (first + x[dim]), x))
      return false;
  return true;
}

static int
run_compare (const void *a, const void *b)
{
  const struct run *x = a, *y = b;
  return (x->lo > y->lo) - (x->lo < y->lo);
}

/* How many bytes RUNS have, those that several have once.  */
static double
runs_bytes (struct runs *runs)
{
  int64_t end = INT64_MIN;
  double bytes = 0;
  qsort (runs->at, runs->count, sizeof *runs->at, run_compare);
  for (unsigned i = 0; i < runs->count; i++)
    {
      const struct run *r = &runs->at[i];
      if (r->hi <= end)
	continue;
      bytes += (double) (r->hi - (r->lo > end ? r->lo : end));
      end = r->hi;
    }
  return bytes;
}

/* The bytes of SHAPES, one by one.  */
static bool
shapes_run (const struct shape *shapes, unsigned count, double *bytes)
{
  struct runs *runs = malloc (sizeof *runs);
  int64_t x[DIMS_MAX];
  bool known = runs != NULL;
  if (known)
    runs->count = 0;
  for (unsigned i = 0; known && i < count; i++)
    known = runs_add (runs, &shapes[i], 0, shapes[i].base, x);
  if (known)
    *bytes = runs_bytes (runs);
  free (runs);
  return known;
}

bool
ummgr_slope_cover (const struct ummgr_table_use *use, const struct ummgr_code_inputs *inputs,
		   uint64_t offset, uint64_t size, struct ummgr_slope_cover *out)
{
  struct shape shapes[SHAPES_MAX];
  unsigned count = 0;
  *out = (struct ummgr_slope_cover) { 0, INT64_MAX, INT64_MIN };
  for (unsigned i = 0; i < use->ref_count; i++)
    {
      const struct ummgr_table_ref *ref = &use->refs[i];
      bool again = false;
      if (count == SHAPES_MAX || !(ref->flags & (UMMGR_REF_EXACT | UMMGR_REF_SLOPED))
	  || !shape_fill (&shapes[count], ref, inputs, offset))
	return false;
      if (shape_accesses (&shapes[count]) <= 0)
	continue;
      for (unsigned j = 0; j < count && !again; j++)
	again = memcmp (&shapes[j], &shapes[count], sizeof shapes[j]) == 0;
      if (again)
	continue;
      shape_reach (&shapes[count], out);
      count++;
    }
  if (!count || out->lo < 0 || out->hi > (int64_t) size)
    return count == 0;
  if (count == 1 && shape_is_apart (&shapes[0]))
    out->bytes = shape_accesses (&shapes[0]) * (double) shapes[0].size;
  else
    return shapes_run (shapes, count, &out->bytes);
  return true;
}
