/* Regions that can be run by ranges, where they are not.
   SPDX-License-Identifier: GPL-3.0-or-later

   Such a region's expressions are in terms of LO and HI (split/split.h); people
   want to see what they are when all of it runs.  Holds no state.  */

#include "use/use.h"

bool
use_has_hi (const use_region *region, const use_poly &a, bool nested)
{
  for (unsigned i = 0; i < a.n; i++)
    for (unsigned j = 0; j < a.terms[i].n; j++)
      {
	const use_atom &atom = use_atoms[a.terms[i].atom[j]];
	if (atom.kind == USE_ARG && atom.a == region->region->split_lo)
	  return true;
	if (nested && (use_has_hi (region, atom.x, true)
		       || use_has_hi (region, atom.y, true)))
	  return true;
      }
  return false;
}

static use_poly
atom_whole (const use_region *region, unsigned number)
{
  use_atom atom = use_atoms[number];
  if (atom.kind == USE_ARG && atom.a == region->region->split_lo - 1)
    return use_const (0);
  if (atom.kind != USE_MIN && atom.kind != USE_MAX && atom.kind != USE_DIV)
    {
      if (atom.kind == USE_DATA)
	atom.x = use_whole (region, atom.x);
      return use_atom_new (atom);
    }
  /* More than there are is the greater of the two.  */
  bool hi_x = use_has_hi (region, atom.x, false);
  bool hi_y = use_has_hi (region, atom.y, false);
  use_poly x = use_whole (region, atom.x), y = use_whole (region, atom.y);
  if (atom.kind == USE_MIN && hi_x != hi_y)
    return hi_x ? y : x;
  return atom.kind == USE_DIV ? use_div (x, y)
	 : atom.kind == USE_MIN ? use_min (x, y) : use_max (x, y);
}

use_poly
use_whole (const use_region *region, const use_poly &a)
{
  if (!region->region->split_lo)
    return a;
  use_poly out = {};
  for (unsigned i = 0; i < a.n; i++)
    {
      use_poly product = use_const (a.terms[i].k);
      for (unsigned j = 0; j < a.terms[i].n; j++)
	product = use_mul (product,
			   atom_whole (region, a.terms[i].atom[j]));
      out = use_add (out, product);
    }
  return out;
}

void
use_outer_find (use_region *region)
{
  if (!region->region->split_lo)
    return;
  for (unsigned i = 0; i < region->frames.length (); i++)
    for (unsigned j = 0; j < region->frames[i]->loops.length (); j++)
      {
	const use_loop *l = region->frames[i]->loops[j];
	if (!l || l->transparent)
	  continue;
	const use_dim *dim = region->dims[l->collapsed.is_empty ()
					  ? l->main : l->collapsed[0]];
	if (!dim->known || !use_has_hi (region, dim->passes, true))
	  continue;
	/* One loop of several, and not known how many of the outermost.  */
	if (region->region->collapse > 1 && l->mixed && l->collapsed.is_empty ())
	  return;
	/* What a test below the body lets go on has run once before.  */
	bool more = l->collapsed.is_empty () && !dim->test_above;
	region->outer = use_whole (region, use_dim_count (dim, more));
	region->outer_known = !use_find (region->outer, USE_NOT_LAUNCH)
			      && !use_has_hi (region, region->outer, true);
	return;
      }
}
