/* Which part of an object each of several GPUs is to have.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Holds no state.  */

#include "config.h"
#include "placement/parts.h"

#include <string.h>

/* Of what GPUs call their own, the part that two may both do: beyond, it is shared.  */
#define OVERLAP 0.25
/* Bytes between two parts that go to either: a border that nobody writes.  */
#define NEAR 4096
/* Bytes of a row that a GPU has at least, and rows at most.  */
#define LEAST_ROW 65536
#define MOST_ROWS 256

static int64_t
length (struct ummgr_interval i)
{
  return i.hi > i.lo ? i.hi - i.lo : 0;
}

static struct ummgr_interval
within (struct ummgr_interval i, struct ummgr_interval bounds)
{
  struct ummgr_interval out = { i.lo > bounds.lo ? i.lo : bounds.lo,
				i.hi < bounds.hi ? i.hi : bounds.hi };
  return out.lo < out.hi ? out : (struct ummgr_interval) { 0, 0 };
}

static struct ummgr_interval
longest (const struct ummgr_intervals *s, struct ummgr_interval bounds)
{
  struct ummgr_interval best = { 0, 0 };
  for (unsigned i = 0; i < s->count; i++)
    {
      struct ummgr_interval one = within (s->at[i], bounds);
      if (length (one) > length (best))
	best = one;
    }
  return best;
}

static void
add_beyond (struct ummgr_intervals *to, const struct ummgr_intervals *used,
	    struct ummgr_interval own, struct ummgr_interval bounds)
{
  for (unsigned i = 0; i < used->count; i++)
    {
      struct ummgr_interval one = within (used->at[i], bounds);
      if (!length (own))
	ummgr_intervals_add (to, one.lo, one.hi);
      else
	{
	  ummgr_intervals_add (to, one.lo, one.hi < own.lo ? one.hi : own.lo);
	  ummgr_intervals_add (to, one.lo > own.hi ? one.lo : own.hi, one.hi);
	}
    }
}

/* Cut what follow one another in ORDER where they overlap; false if that is much.  */
static bool
cut (struct ummgr_parts *p, const unsigned *order, unsigned count)
{
  int64_t all = 0, overlap = 0;
  for (unsigned k = 0; k < count; k++)
    all += length (p->gpu[order[k]].own);
  for (unsigned k = 0; k + 1 < count; k++)
    {
      const struct ummgr_interval *a = &p->gpu[order[k]].own, *b = &p->gpu[order[k + 1]].own;
      if (b->hi < a->hi)
	return false;
      overlap += a->hi > b->lo ? a->hi - b->lo : 0;
    }
  if ((double) overlap > OVERLAP * (double) all)
    return false;
  for (unsigned k = 0; k + 1 < count; k++)
    {
      struct ummgr_interval *a = &p->gpu[order[k]].own, *b = &p->gpu[order[k + 1]].own;
      if (a->hi > b->lo - NEAR)
	a->hi = b->lo = b->lo + (a->hi - b->lo) / 2;
    }
  return true;
}

/* What GPUs use, of all or of a row.  */
struct uses
{
  const struct ummgr_intervals *reads[UMMGR_PARTS_GPUS], *writes[UMMGR_PARTS_GPUS];
};

/* Give each its own part; false if these are no parts.  */
static bool
own (const struct uses *use, unsigned count, bool written, struct ummgr_interval bounds,
     struct ummgr_parts *p)
{
  unsigned order[UMMGR_PARTS_GPUS], n = 0;
  for (unsigned g = 0; g < count; g++)
    {
      p->gpu[g].own = longest (written ? use->writes[g] : use->reads[g], bounds);
      if (!length (p->gpu[g].own))
	continue;
      unsigned k = n++;
      for (; k > 0 && p->gpu[order[k - 1]].own.lo > p->gpu[g].own.lo; k--)
	order[k] = order[k - 1];
      order[k] = g;
    }
  return n > 0 && cut (p, order, n);
}

/* The same of rows: what is shorter costs more calls than it is worth.  */
static bool
rows (const struct ummgr_footprint *footprint, unsigned count, bool written, uint64_t size,
      struct uses *use, struct ummgr_parts *p)
{
  int64_t row = 0;
  p->first = INT64_MAX;
  p->last = 0;
  for (unsigned g = 0; g < count; g++)
    {
      const struct ummgr_rows *r = &footprint[g].rows;
      if (!footprint[g].read && !footprint[g].written)
	continue;
      if (!r->row || (row && r->row != row))
	return false;
      row = r->row;
      p->first = r->first < p->first ? r->first : p->first;
      p->last = r->last > p->last ? r->last : p->last;
      use->reads[g] = &r->reads;
      use->writes[g] = &r->writes;
    }
  if (row < LEAST_ROW || p->last - p->first > MOST_ROWS)
    return false;
  if (p->last > (int64_t) size / row)
    p->last = (int64_t) size / row;
  if (!own (use, count, written, (struct ummgr_interval) { 0, row }, p))
    return false;
  p->row = row;
  for (unsigned g = 0; g < count; g++)
    if (length (p->gpu[g].own) && length (p->gpu[g].own) < LEAST_ROW)
      return false;
  return p->first < p->last;
}

/* Would copies be longer than what is read of them?  Then each has an equal part.  */
static bool
share (const struct ummgr_footprint *use, unsigned count, uint64_t size, struct ummgr_parts *p)
{
  double copied = 0, bytes = 0;
  for (unsigned g = 0; g < count; g++)
    {
      const struct ummgr_intervals *s = &use[g].reads;
      for (unsigned i = 0; use[g].known && i < s->count; i++)
	copied += (double) length (within (s->at[i], (struct ummgr_interval) { 0, (int64_t) size }));
      copied += use[g].known || !use[g].read ? 0 : (double) size;
      bytes += use[g].bytes;
    }
  if (!(bytes < copied) || size / count < LEAST_ROW)
    return false;
  for (unsigned g = 0; g < count; g++)
    p->gpu[g].own = (struct ummgr_interval) { (int64_t) (size / count * g),
					      (int64_t) (g + 1 == count ? size
							 : size / count * (g + 1)) };
  return true;
}

void
ummgr_parts_decide (const struct ummgr_footprint *use, unsigned count, uint64_t size,
		    struct ummgr_parts *out)
{
  struct ummgr_interval bounds = { 0, (int64_t) size };
  bool known = true, read = false, written = false;
  memset (out, 0, sizeof *out);
  for (unsigned g = 0; g < count; g++)
    {
      known &= use[g].known;
      read |= use[g].read;
      written |= use[g].written;
    }
  if (!read && !written)
    return;
  struct uses uses;
  for (unsigned g = 0; g < count; g++)
    {
      uses.reads[g] = &use[g].reads;
      uses.writes[g] = &use[g].writes;
    }
  out->last = 1;
  if (known && own (&uses, count, written, bounds, out))
    out->way = UMMGR_PARTS_OWN;
  else if (known && rows (use, count, written, size, &uses, out))
    {
      out->way = UMMGR_PARTS_OWN;
      bounds.hi = out->row;
    }
  else
    {
      for (unsigned g = 0; g < count; g++)
	{
	  uses.reads[g] = &use[g].reads;
	  uses.writes[g] = &use[g].writes;
	}
      out->row = out->first = 0;
      out->last = 1;
      out->way = written ? UMMGR_PARTS_HOME : UMMGR_PARTS_COPIES;
      for (unsigned g = 0; g < count; g++)
	out->gpu[g].own = (struct ummgr_interval) { 0, 0 };
      if (count > 1 && !written && share (use, count, size, out))
	out->way = UMMGR_PARTS_OWN;
    }
  for (unsigned g = 0; g < count; g++)
    if (!use[g].known && (use[g].read || use[g].written))
      {
	struct ummgr_intervals all = { .count = 1, .at = { { 0, (int64_t) size } } };
	add_beyond (&out->gpu[g].far, &all, out->gpu[g].own, bounds);
      }
    else
      {
	add_beyond (&out->gpu[g].far, uses.reads[g], out->gpu[g].own, bounds);
	add_beyond (&out->gpu[g].far, uses.writes[g], out->gpu[g].own, bounds);
      }
}
