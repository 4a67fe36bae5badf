/* Iteration numbers of two loops as one, and the other way round.
   SPDX-License-Identifier: GPL-3.0-or-later

   Where threads get chunks of 1 of collapsed loops, GCC makes one loop of them, and each index
   of its number, by division: i = number / m, j = number % m.  The loop then counts as the two
   that it was made of.  And tiles of which the last one is smaller are a loop within a loop that
   go over what one loop would go over.  Owns nothing.  */

#include "use/use.h"

/* The outer of the two loops that go on as DIM does, where there are COUNT within each of its
   iterations; the inner is behind it.  -1: that is no whole number of them.  */
static int
dim_apart (use_region *region, unsigned number, const use_poly &count)
{
  for (unsigned i = 0; i < region->apart.length (); i++)
    if (region->apart[i].dim == number && use_equal (region->apart[i].count, count))
      return region->apart[i].outer;
  const use_dim *dim = region->dims[number];
  use_poly outer = use_div (dim->passes, count);
  if (!dim->known || !use_equal (use_mul (outer, count), dim->passes))
    return -1;
  unsigned first = region->dims.length ();
  for (unsigned i = 0; i < 2; i++)
    {
      use_dim *part = new use_dim ();
      part->loop = dim->loop;
      part->atom = use_simple (USE_IV, first + i, NULL_TREE);
      part->known = true;
      part->exact = dim->exact;
      part->shared = dim->shared;
      part->estimate = dim->estimate;
      part->passes = i ? count : outer;
      region->dims.safe_push (part);
    }
  region->apart.safe_push ({ number, count, first });
  return first;
}

/* In A the number of dimension N is that of its parts, COUNT to each of OUTER's.  */
static use_poly
number_apart (use_region *region, const use_poly &a, unsigned quotient, unsigned n, unsigned outer,
	      const use_poly &count)
{
  use_poly out = use_substitute (a, quotient, region->dims[outer]->atom);
  use_poly both = use_add (use_mul (region->dims[outer]->atom, count),
			   region->dims[outer + 1]->atom);
  return use_substitute (out, use_atom_number (region->dims[n]->atom), both);
}

/* A quotient in A of the number of a dimension, *N, or NULL.  */
static const use_atom *
quotient_find (use_region *region, const use_poly &a, unsigned *n)
{
  for (unsigned i = 0; i < a.n; i++)
    for (unsigned j = 0; j < a.terms[i].n; j++)
      {
	const use_atom *atom = &use_atoms[a.terms[i].atom[j]];
	if (atom->kind != USE_DIV)
	  continue;
	const use_atom *of = use_is_atom (atom->x);
	if (of && of->kind == USE_IV && of->a < region->dims.length ()
	    && !use_find (atom->y, USE_NOT_LAUNCH))
	  {
	    *n = of->a;
	    return atom;
	  }
	if (const use_atom *inside = quotient_find (region, atom->x, n))
	  return inside;
      }
  return NULL;
}

void
use_nest_apart (use_site *s, use_nest *n, use_poly *address)
{
  use_region *region = s->region;
  for (unsigned round = 0; round < 4; round++)
    {
      unsigned number, i;
      const use_atom *found = quotient_find (region, *address, &number);
      if (!found)
	return;
      unsigned quotient = found - use_atoms.address ();
      use_poly count = found->y;
      for (i = 0; i < n->dims.length () && n->dims[i] != number; i++)
	continue;
      int outer = i < n->dims.length () && !n->once_more[i]
		  ? dim_apart (region, number, count) : -1;
      if (outer < 0)
	return;
      n->dims[i] = outer + 1;
      n->dims.safe_insert (i, outer);
      n->once_more.safe_insert (i, false);
      *address = number_apart (region, *address, quotient, number, outer, count);
      for (unsigned j = 0; j < n->guards.length (); j++)
	n->guards[j].d = number_apart (region, n->guards[j].d, quotient, number, outer, count);
    }
}

bool
use_tiles_all (use_region *region, const use_poly &tiles, unsigned outer, const use_poly &count,
	       HOST_WIDE_INT *size, use_poly *all)
{
  const use_atom *atom = use_is_atom (tiles);
  if (!atom || atom->kind != USE_DIV || !use_is_const (atom->y, size) || *size < 2)
    return false;
  *all = use_add (atom->x, use_const (1 - *size));
  use_poly begin = use_mul (region->dims[outer]->atom, use_const (*size));
  use_poly one = use_add (use_min (use_whole (region, *all), use_add (begin, use_const (*size))),
			  begin, -1);
  return !use_find (*all, USE_NOT_LAUNCH) && use_equal (use_whole (region, count), one);
}

/* A dimension of COUNT iterations, none of which is any thread's, in place of N's I - 1 and I;
   returns its number.  */
static use_poly
dims_join (use_region *region, use_nest *n, unsigned i, const use_poly &count)
{
  use_dim *both = new use_dim ();
  unsigned number = region->dims.length ();
  both->loop = region->dims[n->dims[i]]->loop;
  both->atom = use_simple (USE_IV, number, NULL_TREE);
  both->known = true;
  both->passes = count;
  region->dims.safe_push (both);
  n->dims.ordered_remove (i - 1);
  n->once_more.ordered_remove (i - 1);
  n->lo.ordered_remove (i - 1);
  n->hi.ordered_remove (i - 1);
  n->dims[i - 1] = number;
  n->hi[i - 1] = count;
  return both->atom;
}

void
use_nest_join (use_site *s, use_nest *n, unsigned i, use_poly *address)
{
  HOST_WIDE_INT size;
  use_poly wide, narrow, rest, left, all;
  if (i == 0 || n->lo[i].n || n->lo[i - 1].n)
    return;
  unsigned outer = use_atom_number (s->region->dims[n->dims[i - 1]]->atom);
  unsigned inner = use_atom_number (s->region->dims[n->dims[i]]->atom);
  /* ADDRESS goes on by SIZE times as much in the outer loop.  */
  if (use_linear (*address, inner, &narrow, &rest) && narrow.n
      && use_linear (rest, outer, &wide, &left) && !use_find (narrow, USE_NOT_LAUNCH)
      && use_tiles_all (s->region, n->hi[i - 1], n->dims[i - 1], n->hi[i], &size, &all)
      && use_equal (use_mul (narrow, use_const (size)), wide))
    *address = use_add (left, use_mul (narrow, dims_join (s->region, n, i, all)));
}
