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
/* Rows at most: each is a call.  */
#define MOST_ROWS 256

static struct ummgr_interval
longest (const struct ummgr_intervals *s, struct ummgr_interval bounds)
{
  struct ummgr_interval best = { 0, 0 };
  for (unsigned i = 0; i < s->count; i++)
    {
      struct ummgr_interval one = ummgr_interval_common (s->at[i], bounds);
      if (ummgr_interval_length (one) > ummgr_interval_length (best))
	best = one;
    }
  return best;
}

/* TO and what of USED is within BOUNDS, and not in OWN.  */
static void
add_beyond (struct ummgr_intervals *to, const struct ummgr_intervals *used,
	    struct ummgr_interval own, struct ummgr_interval bounds)
{
  for (unsigned i = 0; i < used->count; i++)
    ummgr_intervals_add_beyond (to, ummgr_interval_common (used->at[i], bounds), own);
}

/* Cut what follow one another in ORDER where they overlap; false if that is much.  */
static bool
cut (struct ummgr_parts *p, const unsigned *order, unsigned count)
{
  int64_t all = 0, overlap = 0;
  for (unsigned k = 0; k < count; k++)
    all += ummgr_interval_length (p->gpu[order[k]].own);
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
      if (!ummgr_interval_length (p->gpu[g].own))
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
  if (row < UMMGR_PARTS_LEAST || p->last - p->first > MOST_ROWS)
    return false;
  if (p->last > (int64_t) size / row)
    p->last = (int64_t) size / row;
  if (!own (use, count, written, (struct ummgr_interval) { 0, row }, p))
    return false;
  p->row = row;
  for (unsigned g = 0; g < count; g++)
    {
      int64_t its = ummgr_interval_length (p->gpu[g].own);
      if (its && its < UMMGR_PARTS_LEAST)
	return false;
    }
  return p->first < p->last;
}

/* Would copies be longer than what is read of them?  Then each has an equal part.  */
static bool
share (const struct ummgr_footprint *use, unsigned count, uint64_t size, struct ummgr_parts *p)
{
  const struct ummgr_interval all = { 0, (int64_t) size };
  double copied = 0, bytes = 0;
  for (unsigned g = 0; g < count; g++)
    {
      const struct ummgr_intervals *s = &use[g].reads;
      for (unsigned i = 0; use[g].known && i < s->count; i++)
	copied += (double) ummgr_interval_length (ummgr_interval_common (s->at[i], all));
      copied += use[g].known || !use[g].read ? 0 : (double) size;
      bytes += use[g].bytes;
    }
  return bytes < copied && ummgr_parts_even (p, count, size, 1, UMMGR_PARTS_LEAST);
}

uint64_t
ummgr_parts_far (const struct ummgr_parts *parts, unsigned g, uint64_t bytes)
{
  const struct ummgr_parts_gpu *its = &parts->gpu[g];
  double all = (double) ummgr_interval_length (its->own);
  for (unsigned i = 0; i < its->far.count; i++)
    all += (double) ummgr_interval_length (its->far.at[i]);
  all *= (double) (parts->last - parts->first);
  return its->bytes < all ? (uint64_t) ((double) bytes * (its->bytes / all)) : bytes;
}

bool
ummgr_parts_even (struct ummgr_parts *parts, unsigned count, uint64_t size, uint64_t grain,
		  uint64_t least)
{
  int64_t each = (int64_t) (size / count & -grain);
  if (size / count < least)
    return false;
  for (unsigned g = 0; g < count; g++)
    parts->gpu[g].own = (struct ummgr_interval) {
      g * each, g + 1 == count ? (int64_t) size : (g + 1) * each
    };
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
  struct uses whole, of_row, *uses = &whole;
  for (unsigned g = 0; g < count; g++)
    {
      whole.reads[g] = &use[g].reads;
      whole.writes[g] = &use[g].writes;
    }
  of_row = whole;
  out->last = 1;
  if (known && own (&whole, count, written, bounds, out))
    out->way = UMMGR_PARTS_OWN;
  else if (known && rows (use, count, written, size, &of_row, out))
    {
      out->way = UMMGR_PARTS_OWN;
      bounds.hi = out->row;
      uses = &of_row;
    }
  else
    {
      memset (out, 0, sizeof *out);
      out->last = 1;
      out->way = written ? UMMGR_PARTS_HOME
	: count > 1 && share (use, count, size, out) ? UMMGR_PARTS_OWN : UMMGR_PARTS_COPIES;
    }
  for (unsigned g = 0; g < count; g++)
    out->gpu[g].bytes = use[g].guessed ? (double) size : use[g].bytes;
  for (unsigned g = 0; g < count; g++)
    if (!use[g].known && (use[g].read || use[g].written))
      {
	struct ummgr_intervals all = { .count = 1, .at = { { 0, (int64_t) size } } };
	add_beyond (&out->gpu[g].far, &all, out->gpu[g].own, bounds);
      }
    else
      {
	add_beyond (&out->gpu[g].far, uses->reads[g], out->gpu[g].own, bounds);
	add_beyond (&out->gpu[g].far, uses->writes[g], out->gpu[g].own, bounds);
      }
}
