/* What of a region depends on data, so that it can be told for one iteration.
   SPDX-License-Identifier: GPL-3.0-or-later

   Elsewhere what is loaded from an array is a value of which nothing is known.
   Here it is the element at an address, which is a polynomial again; so loop
   counts, conditions and places become expressions that libummgr evaluates for
   a sample of iterations, where it can read the arrays.  Memory is taken not to
   change while the region runs: all of this is for estimates.  Owns nothing.  */

#include "use/use.h"

/* Loads within loads, and steps of a sample.  */
#define LOADS_MAX 4
#define STEPS_MAX 24
/* New atoms must not make the analysis proper run out of them.  */
#define ATOMS_ENOUGH 3000

static bool resolve (use_region *region, const use_poly &a, use_poly *out,
		     unsigned loads);

/* ATOM, which is no copy in the vector, for it grows.  */
static bool
resolve_atom (use_region *region, use_atom atom, use_poly *out, unsigned loads)
{
  use_poly x, y;
  switch (atom.kind)
    {
    case USE_ARG:
    case USE_LOAD:
    case USE_SIZE:
    case USE_IV:
      *out = use_atom_new (atom);
      return true;
    case USE_DIV:
    case USE_MIN:
    case USE_MAX:
      if (!resolve (region, atom.x, &x, loads)
	  || !resolve (region, atom.y, &y, loads))
	return false;
      *out = atom.kind == USE_DIV ? use_div (x, y)
	     : atom.kind == USE_MIN ? use_min (x, y) : use_max (x, y);
      return true;
    case USE_DATA:
      if (!atom.size || loads >= LOADS_MAX
	  || !resolve (region, atom.x, &x, loads + 1))
	return false;
      atom.x = x;
      *out = use_atom_new (atom);
      return true;
    default:
      return false;
    }
}

static bool
resolve (use_region *region, const use_poly &a, use_poly *out, unsigned loads)
{
  if (use_atoms.length () > ATOMS_ENOUGH)
    return false;
  use_poly whole = use_expand_one (region, a);
  *out = use_const (0);
  for (unsigned i = 0; i < whole.n; i++)
    {
      use_poly product = use_const (whole.terms[i].k), factor;
      for (unsigned j = 0; j < whole.terms[i].n; j++)
	{
	  if (!resolve_atom (region, use_atom (use_atoms[whole.terms[i].atom[j]]),
			     &factor, loads))
	    return false;
	  product = use_mul (product, factor);
	}
      *out = use_add (*out, product);
    }
  return !use_find (*out, USE_SET (USE_OPAQUE));
}

bool
use_data_resolve (use_region *region, const use_poly &a, use_poly *out)
{
  return resolve (region, a, out, 0);
}

bool
use_data_any (const use_poly &a)
{
  return use_find (a, USE_SET (USE_DATA)) != NULL;
}

/* Add the dimensions on whose iterations A, or where what is loaded in it lies,
   depends to DIMS.  */
static void
dims_find (const use_poly &a, vec<unsigned> *dims)
{
  for (unsigned i = 0; i < a.n; i++)
    for (unsigned j = 0; j < a.terms[i].n; j++)
      {
	const use_atom &atom = use_atoms[a.terms[i].atom[j]];
	if (atom.kind == USE_IV)
	  dims->safe_push (atom.a);
	else if (atom.kind == USE_DATA || atom.kind == USE_DIV
		 || atom.kind == USE_MIN || atom.kind == USE_MAX)
	  {
	    dims_find (atom.x, dims);
	    if (atom.kind != USE_DATA)
	      dims_find (atom.y, dims);
	  }
      }
}

static bool
depends_on (const use_poly &a, unsigned dim)
{
  auto_vec<unsigned> dims;
  dims_find (a, &dims);
  return dims.contains (dim);
}

void
use_data_passes (use_region *region, use_dim *dim, const use_poly &d,
		 tree_code code)
{
  use_poly whole, step, start;
  unsigned iv = use_atom_number (dim->atom), number = use_atoms[iv].a;
  HOST_WIDE_INT k;
  if (code == EQ_EXPR || !use_data_resolve (region, d, &whole)
      || !use_data_any (whole) || !use_linear (whole, iv, &step, &start)
      || depends_on (start, number) || !use_is_const (step, &k) || k == 0
      || (code != NE_EXPR && k > 0))
    return;
  dim->has_data = true;
  dim->data_passes
    = code == NE_EXPR ? use_div (use_mul (start, use_const (-1)), step)
      : use_div_up (start, use_const (-k));
}

bool
use_data_condition (use_region *region, const use_poly &d, tree_code code,
		    double probability, use_data_guard *out)
{
  use_poly whole;
  if (!use_data_resolve (region, d, &whole) || !use_data_any (whole))
    return false;
  *out = { whole, code == EQ_EXPR ? UMMGR_STEP_ZERO
		  : code == NE_EXPR ? UMMGR_STEP_NONZERO : UMMGR_STEP_POSITIVE,
	   probability };
  return true;
}

/* How many of REF's loops must have been entered to evaluate A; -1: it is in
   one that is not around REF.  */
static int
loops_needed (const use_ref *ref, const use_poly &a)
{
  int most = 0;
  auto_vec<unsigned> dims;
  dims_find (a, &dims);
  for (unsigned i = 0; i < dims.length (); i++)
    {
      unsigned j = 0;
      while (j < ref->loops.length () && ref->loops[j] != dims[i])
	j++;
      if (j == ref->loops.length ())
	return -1;
      most = MAX (most, (int) j + 1);
    }
  return most;
}

/* The loop of N's dimension I as a step.  */
static use_step
loop_step (use_site *s, const use_nest *n, unsigned i, const use_ref *ref)
{
  use_dim *dim = s->region->dims[n->dims[i]];
  HOST_WIDE_INT more = n->once_more[i] ? 1 : 0;
  use_step step = {};
  use_poly passes = dim->known ? dim->passes : dim->data_passes;
  step.kind = dim->shared ? UMMGR_STEP_SHARED : UMMGR_STEP_LOOP;
  step.value = dim->estimate + more;
  step.known = (dim->known || dim->has_data)
	       && use_data_resolve (s->region, passes, &step.code)
	       && loops_needed (ref, step.code) >= 0;
  if (step.known)
    step.code = use_add (step.code, use_const (more));
  return step;
}

/* All conditions of N, those that can't be evaluated among REF's loops left
   out; *RESIDUE is multiplied by the probabilities of these.  */
static void
guards_gather (use_site *s, const use_nest *n, const use_ref *ref,
	       vec<use_data_guard> *guards, double *residue)
{
  for (unsigned i = 0; i < n->guards.length (); i++)
    {
      const use_guard &g = n->guards[i];
      use_data_guard guard = { use_const (0), g.equal ? UMMGR_STEP_ZERO
					     : g.differs ? UMMGR_STEP_NONZERO
					     : UMMGR_STEP_POSITIVE,
			       g.probability };
      if (use_guard_is_loop (s, n, g))
	continue;
      if (use_data_resolve (s->region, g.d, &guard.d)
	  && loops_needed (ref, guard.d) >= 0)
	guards->safe_push (guard);
      else
	*residue *= g.probability;
    }
  for (unsigned i = 0; i < n->data_guards.length (); i++)
    if (loops_needed (ref, n->data_guards[i].d) >= 0)
      guards->safe_push (n->data_guards[i]);
    else
      *residue *= n->data_guards[i].probability;
}

/* Add those of GUARDS that can be told after LOOPS loops, and not before.  */
static void
guards_add (use_ref *ref, const vec<use_data_guard> &guards, int loops)
{
  for (unsigned i = 0; i < guards.length (); i++)
    if (loops_needed (ref, guards[i].d) == loops)
      {
	use_step step = { guards[i].kind, guards[i].d, true,
			  guards[i].probability };
	ref->steps.safe_push (step);
      }
}

/* Does anything of REF's sample depend on data, or is its place one that dimensions
   don't say?  */
static bool
is_worth_it (const use_ref *ref)
{
  if (ref->place_known && !(ref->flags & UMMGR_REF_AFFINE))
    return true;
  for (unsigned i = 0; i < ref->steps.length (); i++)
    if (ref->steps[i].known && use_data_any (ref->steps[i].code))
      return true;
  return false;
}

void
use_data_describe (use_site *s, const use_nest *n, use_ref *ref,
		   const use_poly &rest, double weight)
{
  auto_vec<use_data_guard> guards;
  auto_vec<use_step> loops;
  double residue = n->residue * weight;
  if (n->dims.length () > UMMGR_SAMPLE_LOOPS)
    return;
  for (unsigned i = 0; i < n->dims.length (); i++)
    {
      loops.safe_push (loop_step (s, n, i, ref));
      ref->loops.safe_push (n->dims[i]);
    }
  guards_gather (s, n, ref, &guards, &residue);
  guards_add (ref, guards, 0);
  for (unsigned i = 0; i < loops.length (); i++)
    {
      ref->steps.safe_push (loops[i]);
      guards_add (ref, guards, i + 1);
    }
  if (residue < 1)
    {
      use_step part = { UMMGR_STEP_PART, use_const (0), false, residue };
      ref->steps.safe_push (part);
    }
  ref->place_known = use_data_resolve (s->region, rest, &ref->place)
		     && loops_needed (ref, ref->place) >= 0;
  if (ref->steps.length () > STEPS_MAX || !is_worth_it (ref))
    ref->steps.truncate (0);
}
