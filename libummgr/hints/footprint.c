/* Which bytes of an argument a range of iterations may use.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Holds no state.  */

#include "config.h"
#include "hints/footprint.h"

#include "ummgr-table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* With more references than that, rows aren't looked for.  */
enum { ROWS_BOXES = 32 };

/* No sum of a box's wraps within this.  */
#define REACH 0x1p60

bool
ummgr_ref_box (const struct ummgr_table_ref *ref, const struct ummgr_code_inputs *inputs,
	       uint64_t offset, bool range, struct ummgr_box *box)
{
  bool nothing = false;
  *box = (struct ummgr_box) { .run = ref->element_size };
  if (!ummgr_code_evaluate (range ? ref->range_base : ref->base, inputs, &box->base)
      || __builtin_add_overflow (box->base, (int64_t) offset, &box->base))
    return false;
  for (unsigned i = 0; i < ref->dim_count; i++)
    {
      const struct ummgr_table_dim *dim = &ref->dims[i];
      const unsigned char *step = range ? dim->range_stride : dim->stride;
      int64_t stride = 0, extent;
      if ((step && !ummgr_code_evaluate (step, inputs, &stride))
	  || !ummgr_code_evaluate (range ? dim->range_extent : dim->extent, inputs, &extent)
	  || !ummgr_box_add (box, stride, extent > 0 ? extent : 1))
	return false;
      nothing |= extent < 1;
    }
  ummgr_box_end (box);
  double reach = fabs ((double) box->base) + (double) box->run;
  for (unsigned i = 0; i < box->dims; i++)
    reach += (double) box->stride[i] * (double) box->count[i];
  if (nothing && range)
    *box = (struct ummgr_box) { .base = box->base };
  return reach < REACH;
}

void
ummgr_intervals_add (struct ummgr_intervals *to, int64_t lo, int64_t hi)
{
  struct ummgr_intervals more;
  /* One more than there is room for, for a while.  */
  struct ummgr_interval at[UMMGR_FOOTPRINT_MOST + 1];
  unsigned n = 0, shortest = 0;
  if (lo >= hi)
    return;
  /* Most often the first, or what is there.  */
  if (to->count == 0)
    {
      to->at[to->count++] = (struct ummgr_interval) { lo, hi };
      return;
    }
  if (to->at[0].lo <= lo && hi <= to->at[0].hi)
    return;
  memset (&more, 0, sizeof more);	/* Two are compared by their bytes.  */
  for (unsigned i = 0; i < to->count; i++)
    if (to->at[i].hi < lo)
      at[n++] = to->at[i];
    else if (to->at[i].lo <= hi)
      {
	lo = to->at[i].lo < lo ? to->at[i].lo : lo;
	hi = to->at[i].hi > hi ? to->at[i].hi : hi;
      }
  at[n++] = (struct ummgr_interval) { lo, hi };
  for (unsigned i = 0; i < to->count; i++)
    if (to->at[i].lo > hi)
      at[n++] = to->at[i];
  for (unsigned i = 1; i + 1 < n; i++)
    if (at[i + 1].lo - at[i].hi < at[shortest + 1].lo - at[shortest].hi)
      shortest = i;
  for (unsigned i = 0; i < n; i++)
    if (n > UMMGR_FOOTPRINT_MOST && i == shortest + 1)
      more.at[more.count - 1].hi = at[i].hi;
    else
      more.at[more.count++] = at[i];
  *to = more;
}

void
ummgr_intervals_add_beyond (struct ummgr_intervals *to, struct ummgr_interval one,
			    struct ummgr_interval own)
{
  if (!ummgr_interval_length (own))
    ummgr_intervals_add (to, one.lo, one.hi);
  else
    {
      ummgr_intervals_add (to, one.lo, one.hi < own.lo ? one.hi : own.lo);
      ummgr_intervals_add (to, one.lo > own.hi ? one.lo : own.hi, one.hi);
    }
}

static int64_t
common_divisor (int64_t a, int64_t b)
{
  while (b)
    {
      int64_t rest = a % b;
      a = b;
      b = rest;
    }
  return a < 0 ? -a : a;
}

/* The bytes from the first to the last that BOX has of one row, if rows are its longest
   steps.  */
static int64_t
width_of (const struct ummgr_box *box)
{
  int64_t steps = box->dims
    ? (int64_t) (box->stride[box->dims - 1] * (box->count[box->dims - 1] - 1)) : 0;
  return ummgr_box_limit (box) - box->base - steps;
}

/* The rows that COUNT boxes have in common, or 0.  Boxes may begin some rows apart (a
   constant first index), or, within a row, some elements.  */
static int64_t
row_find (const struct ummgr_box *box, unsigned count)
{
  int64_t row = 0, widest = 0;
  for (unsigned i = 0; i < count; i++)
    widest = width_of (&box[i]) > widest ? width_of (&box[i]) : widest;
  for (unsigned i = 0; i < count; i++)
    if (box[i].dims)
      row = common_divisor (row, (int64_t) box[i].stride[box[i].dims - 1]);
  for (unsigned i = 1; row && i < count; i++)
    {
      int64_t apart = llabs (box[i].base - box[0].base);
      if (apart >= widest && common_divisor (row, apart) >= widest)
	row = common_divisor (row, apart);
    }
  return row >= widest ? row : 0;
}

static int64_t
floor_of (int64_t a, int64_t b)
{
  return a / b - (a % b < 0);
}

/* TO and BOX, of which FLAGS say what is done with it.  */
static void
rows_add (struct ummgr_rows *to, const struct ummgr_box *box, uint32_t flags)
{
  int64_t steps = 1, width = width_of (box);
  if (box->dims)
    steps = (int64_t) (box->stride[box->dims - 1] / (uint64_t) to->row
		       * (box->count[box->dims - 1] - 1)) + 1;
  int64_t first = floor_of (box->base, to->row), lo = box->base - first * to->row;
  /* What leaves a row comes back at its other end.  */
  int64_t over = lo + width > to->row ? lo + width - to->row : 0;
  /* What is before the argument is not accessed.  */
  if (first < 0)
    {
      steps += first;
      first = 0;
    }
  if (steps + (over > 0) < 1)
    return;
  if (to->last == 0 || first < to->first)
    to->first = first;
  if (first + steps + (over > 0) > to->last)
    to->last = first + steps + (over > 0);
  for (unsigned k = 0; k < 2; k++)
    if (flags & (k ? UMMGR_REF_WRITE : UMMGR_REF_READ))
      {
	struct ummgr_intervals *s = k ? &to->writes : &to->reads;
	ummgr_intervals_add (s, lo, lo + width - over);
	ummgr_intervals_add (s, 0, over);
      }
}

static void
rows_fill (const struct ummgr_box *box, const uint32_t *flags, unsigned count,
	   struct ummgr_rows *out)
{
  out->row = row_find (box, count);
  for (unsigned i = 0; out->row && i < count; i++)
    rows_add (out, &box[i], flags[i]);
}

double
ummgr_dims_passes (const struct ummgr_table_dim *dims, unsigned count,
		   const struct ummgr_code_inputs *inputs, bool range)
{
  double all = 1;
  int64_t one;
  for (unsigned i = 0; i < count; i++)
    if (!ummgr_code_evaluate (range ? dims[i].range_count : dims[i].count, inputs, &one))
      return INFINITY;
    else
      all *= one > 0 ? (double) one : 0;
  return all;
}

void
ummgr_footprint_fill (const struct ummgr_table_arg *arg,
		      const struct ummgr_code_inputs *inputs, struct ummgr_footprint *out)
{
  const struct ummgr_table_use *use = &arg->use;
  bool analysed = use->flags & UMMGR_USE_ANALYSED;
  *out = (struct ummgr_footprint) {
    .known = analysed && !(use->flags & UMMGR_USE_UNKNOWN),
    .bytes = !analysed || use->flags & UMMGR_USE_UNKNOWN ? INFINITY : 0,
    .read = !analysed || use->flags & UMMGR_USE_READ,
    .written = !analysed || use->flags & UMMGR_USE_WRITE
  };
  struct ummgr_box boxes[ROWS_BOXES];
  uint32_t flags[ROWS_BOXES];
  unsigned count = 0;
  for (unsigned i = 0; isfinite (out->bytes) && i < use->ref_count; i++)
    {
      const struct ummgr_table_ref *ref = &use->refs[i];
      struct ummgr_box box;
      bool known = ref->flags & UMMGR_REF_AFFINE && ref->range_base
		   && ummgr_ref_box (ref, inputs, 0, true, &box);
      out->known &= known;
      out->guessed |= !known;
      out->bytes += known ? ummgr_box_bytes (&box) * (box.run > 0)
		    : ummgr_dims_passes (ref->dims, ref->dim_count, inputs, true)
		      * ref->frequency * ref->element_size;
      if (!known || !box.run)
	continue;
      int64_t end = ummgr_box_limit (&box);
      if (ref->flags & UMMGR_REF_READ)
	ummgr_intervals_add (&out->reads, box.base, end);
      if (ref->flags & UMMGR_REF_WRITE)
	ummgr_intervals_add (&out->writes, box.base, end);
      flags[count % ROWS_BOXES] = ref->flags;
      boxes[count++ % ROWS_BOXES] = box;
    }
  if (out->known && count <= ROWS_BOXES)
    rows_fill (boxes, flags, count, &out->rows);
}

void
ummgr_footprint_merge (struct ummgr_footprint *to, const struct ummgr_footprint *from,
		       int64_t offset)
{
  bool first = !to->read && !to->written;
  to->known &= from->known;
  to->read |= from->read;
  to->written |= from->written;
  to->bytes += from->bytes;
  to->guessed |= from->guessed;
  for (unsigned i = 0; i < from->reads.count; i++)
    ummgr_intervals_add (&to->reads, from->reads.at[i].lo + offset,
			 from->reads.at[i].hi + offset);
  for (unsigned i = 0; i < from->writes.count; i++)
    ummgr_intervals_add (&to->writes, from->writes.at[i].lo + offset,
			 from->writes.at[i].hi + offset);
  /* Of two arguments rows are not looked for.  */
  if (first && offset == 0)
    to->rows = from->rows;
  else
    to->rows.row = 0;
}
