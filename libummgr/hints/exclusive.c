/* Which part of an array each iteration has for itself.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Holds no state.  */

#include "config.h"
#include "hints/exclusive.h"

#include "hints/data.h"
#include "ummgr-table.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* What fewer of an array's accesses do is not looked at.  */
#define FEW 0.05
#define DENSE 0.8
#define POINTS 16

struct dims
{
  double pace, span;		/* Of the shared loops as one; bytes that they go over.  */
  double iterations;
  double row;			/* The shortest step of inner loops that is longer.  */
};

static bool
value_of (const unsigned char *code, const struct ummgr_code_inputs *inputs, double *out)
{
  int64_t value = 0;
  if (code && !ummgr_code_evaluate (code, inputs, &value))
    return false;
  *out = (double) value;
  return true;
}

/* The shared loops of REF as one.  False where what they access is no sequence.  */
static bool
shared_fill (const struct ummgr_table_ref *ref, const struct ummgr_code_inputs *inputs,
	     struct dims *d)
{
  bool any = false;
  *d = (struct dims) { .iterations = 1 };
  for (unsigned i = ref->dim_count; i-- > 0;)
    {
      double stride, count;
      if (!ref->dims[i].shared)
	continue;
      if (!value_of (ref->dims[i].stride, inputs, &stride) || !ref->dims[i].count
	  || !value_of (ref->dims[i].count, inputs, &count) || count < 1)
	return false;
      any = true;
      if (count == 1)
	continue;
      /* What is within must stay within a step, and go the same way.  */
      if (d->iterations > 1 && (fabs (stride) < d->span || stride * d->pace < 0))
	return false;
      /* Where it leaves much of a step out, steps are taken for points.  */
      if (d->iterations > 1 && d->span < DENSE * fabs (stride) && count < POINTS)
	return false;
      d->span = fabs (stride) * (count - 1) + (d->span > 0 ? d->span : fabs (stride));
      d->pace = stride / d->iterations;
      d->iterations *= count;
    }
  return any && d->pace != 0;
}

/* Longer steps of REF's inner loops are rows.  */
static bool
rows_fill (const struct ummgr_table_ref *ref, const struct ummgr_code_inputs *inputs,
	   struct dims *d)
{
  double step[16];
  unsigned n = 0;
  for (unsigned i = 0; i < ref->dim_count; i++)
    {
      double stride, count;
      if (ref->dims[i].shared)
	continue;
      if (!value_of (ref->dims[i].stride, inputs, &stride))
	return false;
      if (ref->dims[i].count && value_of (ref->dims[i].count, inputs, &count) && count <= 1)
	continue;
      if (fabs (stride) >= d->span * (1 - 1e-9))
	{
	  if (n == sizeof step / sizeof *step)
	    return false;
	  step[n++] = fabs (stride);
	  d->row = d->row > 0 ? fmin (d->row, fabs (stride)) : fabs (stride);
	}
    }
  for (unsigned i = 0; i < n; i++)
    if (fmod (step[i], d->row) > 0)
      return false;
  return true;
}

static bool
affine (const struct ummgr_table_ref *ref, const struct ummgr_code_inputs *inputs,
	struct ummgr_exclusive *out)
{
  struct dims d;
  double base;
  if (!shared_fill (ref, inputs, &d) || !rows_fill (ref, inputs, &d)
      || !value_of (ref->base, inputs, &base))
    return false;
  out->pace = d.pace;
  out->first = base;
  out->row = d.row;
  out->iterations = (uint64_t) d.iterations;
  out->parts = 0;
  return true;
}

static bool
by_data (const struct ummgr_table_region *region, const struct ummgr_table_ref *ref,
	 const struct ummgr_code_inputs *inputs, const struct ummgr_code_memory *memory,
	 struct ummgr_exclusive *out)
{
  int64_t trip;
  out->parts = UMMGR_EXCLUSIVE_PARTS;
  out->row = 0;
  if (!memory || !ummgr_code_evaluate (region->trip, inputs, &trip) || trip < 1
      || !ummgr_data_places (ref, inputs, memory, out->parts, out->at))
    return false;
  for (unsigned i = 0; i < out->parts; i++)
    if (out->at[i + 1] < out->at[i])
      return false;
  out->iterations = (uint64_t) trip;
  out->first = (double) out->at[0];
  out->pace = ((double) out->at[out->parts] - out->first) / (double) trip;
  return out->pace > 0;
}

/* How often reference I of USE is executed, as far as that is known and there are others.  */
static double
weight_of (const struct ummgr_table_use *use, unsigned i, const struct ummgr_code_inputs *inputs)
{
  const struct ummgr_table_ref *ref = &use->refs[i];
  double weight = ref->frequency;
  if (use->ref_count == 1)
    return 1;
  for (unsigned d = 0; d < ref->dim_count; d++)
    {
      double count;
      if (ref->dims[d].count && value_of (ref->dims[d].count, inputs, &count) && count > 0)
	weight *= count;
    }
  return fmax (weight, 1e-9);
}

static bool
is_near (double a, double b)
{
  return fabs (a - b) <= 0.01 * fmax (fabs (a), fabs (b));
}

/* Do A and B say the same, but for where exactly?  */
static bool
agree (const struct ummgr_exclusive *a, const struct ummgr_exclusive *b)
{
  if (a->parts != b->parts || a->iterations != b->iterations || !is_near (a->pace, b->pace)
      || a->row != b->row)
    return false;
  for (unsigned i = 0; a->parts && i <= a->parts; i++)
    if (!is_near ((double) a->at[i], (double) b->at[i]))
      return false;
  return true;
}

/* FIRST within a row, from half a one before its begin on.  */
static double
in_row (double first, double row)
{
  return row > 0 ? first - row * floor (first / row + 0.5) : first;
}

/* How many iterations of REGION, not 0, teams take by turns, or 0: none.  False where which team
   runs an iteration isn't known.  */
static bool
chunk_get (const struct ummgr_table_region *region, const struct ummgr_code_inputs *inputs,
	   uint64_t *chunk)
{
  const struct ummgr_table_share *s = &region->share;
  int64_t value;
  *chunk = 0;
  /* A `for' alone, of which each team runs all.  */
  if ((region->constructs & UMMGR_CONSTRUCT_TEAMS)
      && !(region->constructs & UMMGR_CONSTRUCT_DISTRIBUTE))
    return false;
  if (s->distribute != UMMGR_SCHEDULE_MIXED && !(s->flags & UMMGR_SHARE_DISTRIBUTE_CHUNK))
    return true;
  /* Chunks are of the outer loop's iterations.  */
  if (s->distribute != UMMGR_SCHEDULE_STATIC || (s->flags & UMMGR_SHARE_NESTED)
      || !ummgr_code_evaluate (s->distribute_chunk, inputs, &value) || value < 1)
    return false;
  *chunk = (uint64_t) value;
  return true;
}

/* Are the ITERATIONS, of which chunks are made, all that REGION's loop has?  */
static bool
is_whole (const struct ummgr_table_region *region, const struct ummgr_code_inputs *inputs,
	  uint64_t iterations)
{
  int64_t trip;
  return ummgr_code_evaluate (region->trip, inputs, &trip) && trip >= 0
	 && (uint64_t) trip == iterations;
}

void
ummgr_hints_exclusive (const struct ummgr_table_region *region, unsigned arg,
		       const struct ummgr_code_inputs *inputs,
		       const struct ummgr_code_memory *memory, struct ummgr_exclusive *out)
{
  const struct ummgr_table_use *use = &region->args[arg].use;
  double all = 0, weight = 0, first = 0;
  uint64_t chunk;
  ummgr_exclusive_clear (out);
  if ((use->flags & UMMGR_USE_UNKNOWN) || !chunk_get (region, inputs, &chunk))
    return;
  for (unsigned i = 0; i < use->ref_count; i++)
    all += weight_of (use, i, inputs);
  for (unsigned i = 0; i < use->ref_count; i++)
    {
      const struct ummgr_table_ref *ref = &use->refs[i];
      struct ummgr_exclusive one;
      double mine = weight_of (use, i, inputs);
      if (mine < FEW * all)
	continue;
      bool known = ref->flags & UMMGR_REF_AFFINE ? affine (ref, inputs, &one)
		   : by_data (region, ref, inputs, memory, &one);
      if (!known || (weight > 0 && !agree (out, &one))
	  || (chunk && !is_whole (region, inputs, one.iterations)))
	{
	  ummgr_exclusive_clear (out);
	  return;
	}
      if (!(weight > 0))
	ummgr_exclusive_copy (out, &one);
      first += mine * in_row (one.first, one.row);
      weight += mine;
    }
  if (weight > 0)
    {
      out->first = first / weight;
      out->chunk = chunk;
    }
}

/* --- a launch to come ------------------------------------------------------------------ */

/* Can CODE, of REGION, be evaluated?  What isn't there is as unknown then as it will be.  */
static bool
can_tell (const struct ummgr_table_region *region, const unsigned char *code,
	  const struct ummgr_code_inputs *inputs)
{
  struct ummgr_code_inputs_used used = { .values = { { 0 } } };
  if (code)
    ummgr_code_inputs (code, &used);
  for (unsigned i = 0; i < region->arg_count; i++)
    if (!inputs->hostaddrs[i] && (ummgr_code_has (&used.values, i) || ummgr_code_has (&used.loads, i)
				  || ummgr_code_has (&used.sizes, i)))
      return false;
  return true;
}

static bool
can_tell_ref (const struct ummgr_table_region *region, const struct ummgr_table_ref *ref,
	      const struct ummgr_code_inputs *inputs)
{
  if (!(ref->flags & UMMGR_REF_AFFINE) || !can_tell (region, ref->base, inputs))
    return false;
  for (unsigned i = 0; i < ref->dim_count; i++)
    if (!can_tell (region, ref->dims[i].stride, inputs) || !can_tell (region, ref->dims[i].count, inputs))
      return false;
  return true;
}

bool
ummgr_hints_exclusive_ahead (const struct ummgr_table_region *region, unsigned arg,
			     const struct ummgr_code_inputs *inputs, struct ummgr_exclusive *out,
			     unsigned *teams)
{
  int64_t asked = 0;
  const struct ummgr_table_use *use = &region->args[arg].use;
  if (!(use->flags & UMMGR_USE_ANALYSED) || !can_tell (region, region->trip, inputs)
      || !can_tell (region, region->share.distribute_chunk, inputs))
    return false;
  for (unsigned i = 0; i < use->ref_count; i++)
    if (!can_tell_ref (region, &use->refs[i], inputs))
      return false;
  ummgr_hints_exclusive (region, arg, inputs, NULL, out);
  if (!can_tell (region, region->share.teams, inputs)
      || !ummgr_code_evaluate (region->share.teams, inputs, &asked) || asked < 0 || asked > INT_MAX)
    asked = 0;
  *teams = (unsigned) asked;
  return true;
}
