/* The loops and conditions around a reference, as its dimensions.
   SPDX-License-Identifier: GPL-3.0-or-later

   A condition on an index restricts its dimension; the count of a loop in a
   triangular nest is taken on average and at most.  Owns nothing.  */

#include "use/use.h"

const char *
use_arg_name (use_region *region, unsigned i)
{
  if (i >= USE_STATICS)
    return IDENTIFIER_POINTER (DECL_NAME (region->statics[i - USE_STATICS].decl));
  unsigned count = region->region->args.length ();
  const char *name
    = region->region->args[i < count ? i : region->members[i - count].arg].name;
  return *name ? name : "an argument";
}

void
use_nest_fill (use_site *s, use_nest *n)
{
  use_frame *frame = s->frame;
  use_place *place = frame->places[s->block->index];
  n->frequency = frame->frequency * place->frequency;
  n->exact = n->frequency == 1 && frame->certain && place->certain;
  n->residue = frame->residue * place->residue;
  n->source = { frame->source.guessed || place->source.guessed,
		frame->source.counted || place->source.counted };
  n->data_guards.safe_splice (frame->data_guards);
  n->data_guards.safe_splice (place->data_guards);
  n->dims.safe_splice (frame->dims);
  n->once_more.safe_splice (frame->once_more);
  n->guards.safe_splice (frame->guards);
  n->guards.safe_splice (place->guards);
  auto_vec<class loop *> loops;
  for (class loop *l = s->block->loop_father; l && loop_outer (l);
       l = loop_outer (l))
    loops.safe_push (l);
  for (unsigned i = loops.length (); i-- > 0;)
    {
      use_loop *l = use_loop_get (s->region, frame, loops[i]);
      if (l->transparent)
	continue;
      for (unsigned j = 0; j < l->collapsed.length (); j++)
	{
	  n->dims.safe_push (l->collapsed[j]);
	  n->once_more.safe_push (false);
	}
      if (l->collapsed.is_empty ())
	{
	  n->dims.safe_push (l->main);
	  n->once_more.safe_push (place->once_more[i]);
	}
    }
}

static int
nest_find (const use_nest *n, unsigned dim)
{
  for (unsigned i = 0; i < n->dims.length (); i++)
    if (n->dims[i] == dim)
      return i;
  return -1;
}

use_poly
use_dim_count (const use_dim *dim, bool more)
{
  use_poly passes = dim->passes;
  HOST_WIDE_INT k;
  if (more && dim->test_above)
    passes = use_max (passes, use_const (0));
  /* x / y + 1, where x is below 0 if the loop is never reached.  */
  const use_atom *atom = use_is_atom (passes);
  if (more && atom && atom->kind == USE_DIV)
    passes = use_div (use_add (atom->x, atom->y), use_poly (atom->y));
  else if (more)
    passes = use_add (passes, use_const (1));
  return use_is_const (passes, &k) && k < 0 ? use_const (0) : passes;
}

/* COUNT is that of DIM, which ends early: the part of it that runs had goes into N's
   frequency.  */
static void
early_count (use_nest *n, const use_dim *dim, bool more, const use_poly &count)
{
  HOST_WIDE_INT k;
  bool counted = dim->counted && !more && use_is_const (count, &k) && k > 0;
  use_source_add (&n->source, n->frequency, counted);
  if (counted)
    n->frequency *= MIN (dim->estimate / k, 1.0);
}

/* The bounds of each dimension, without guards; unknown counts go into the
   frequency.  */
void
use_nest_bounds (use_site *s, use_nest *n)
{
  for (unsigned i = 0; i < n->dims.length (); i++)
    {
      use_dim *dim = s->region->dims[n->dims[i]];
      bool more = n->once_more[i];
      use_poly count = use_const (1);
      n->exact &= dim->exact;
      if (dim->known)
	count = use_dim_count (dim, more);
      if (dim->known && !dim->exact)
	early_count (n, dim, more, count);
      if (!dim->known
	  || use_find (count, USE_NOT_LAUNCH & ~USE_SET (USE_IV)))
	{
	  use_source_add (&n->source, n->frequency, dim->counted && !(dim->several && more));
	  n->frequency *= dim->estimate + more;
	  n->exact = false;
	  count = use_const (-1);
	}
      n->lo.safe_push (use_const (0));
      n->hi.safe_push (count);
    }
}

static bool
is_unknown (const use_poly &hi)
{
  HOST_WIDE_INT k;
  return use_is_const (hi, &k) && k == -1;
}

/* Is a guard that D > 0 what makes one of the loops run at all?  Then it says
   nothing that the loop's count does not.  */
static bool
is_entry (use_site *s, const use_nest *n, const use_poly &d)
{
  use_poly all = use_const (1);
  for (unsigned i = 0; i < n->dims.length (); i++)
    {
      use_dim *dim = s->region->dims[n->dims[i]];
      /* A collapsed nest counts as one.  */
      if (i && s->region->dims[n->dims[i - 1]]->loop != dim->loop
	  && !use_loop_is_row (dim->loop))
	all = use_const (1);
      if (!dim->known)
	continue;
      use_poly count = use_dim_count (dim, n->once_more[i]);
      all = use_mul (all, count);
      const use_atom *atom = use_is_atom (count);
      HOST_WIDE_INT k, step;
      /* Rounded up, (d + k) / step: none where d is 0 or less.  */
      if (use_equal (count, d) || use_equal (all, d)
	  || (atom && atom->kind == USE_DIV
	      && use_is_const (use_add (atom->x, d, -1), &k)
	      && use_is_const (atom->y, &step) && k >= 0 && k < step))
	return true;
    }
  return false;
}

bool
use_guard_is_loop (use_site *s, const use_nest *n, const use_guard &g)
{
  HOST_WIDE_INT k;
  if (use_is_const (g.d, &k))
    return g.equal ? k == 0 : g.differs ? k != 0 : k > 0;
  if (g.differs)
    return is_entry (s, n, g.d)
	   || is_entry (s, n, use_mul (g.d, use_const (-1)));
  return !g.equal && is_entry (s, n, g.d);
}

/* A bound that is known to be below 0, as 0: -1 stands for one not known.  */
static use_poly
not_negative (const use_poly &hi)
{
  HOST_WIDE_INT k;
  return use_is_const (hi, &k) && k < 0 ? use_const (0) : hi;
}

/* Restrict N by G; false if it can't be.  */
static bool
guard_restrict (use_site *s, use_nest *n, const use_guard &g, vec<use_poly> *switches)
{
  if (!use_find (g.d, USE_SET (USE_IV)))
    {
      if (use_guard_is_loop (s, n, g))
	return true;
      use_poly on = use_min (use_const (1), use_max (use_const (0), g.d));
      if (g.differs)
	on = use_min (use_const (1), use_max (g.d, use_mul (g.d, use_const (-1))));
      for (unsigned i = 0; i < switches->length (); i++)
	if (use_equal ((*switches)[i], on))
	  return true;
      if (g.equal || switches->length () >= 4)
	return false;
      switches->safe_push (on);
      return true;
    }
  unsigned dim = use_find (g.d, USE_SET (USE_IV))->a;
  int i = nest_find (n, dim);
  if (i < 0 || is_unknown (n->hi[i]) || g.differs)
    return false;
  use_poly step, rest;
  HOST_WIDE_INT k;
  if (!use_linear (g.d, use_atom_number (s->region->dims[dim]->atom), &step,
		   &rest)
      || use_find (rest, USE_SET (USE_IV)) || !use_is_const (step, &k)
      || k == 0)
    return false;
  use_poly size = use_const (k < 0 ? -k : k);
  if (g.equal)
    {
      /* Else it may hold between two iterations.  */
      if (k != 1 && k != -1)
	return false;
      use_poly at = use_div (use_mul (rest, use_const (-1)), step);
      n->lo[i] = use_max (n->lo[i], at);
      n->hi[i] = not_negative (use_min (n->hi[i], use_add (at, use_const (1))));
    }
  else if (k > 0)
    {
      /* From the first iteration that is not below (1 - REST) / K.  */
      use_poly first = use_add (use_const (1), rest, -1);
      if (k > 1)
	first = use_div_up (use_max (first, use_const (0)), size);
      n->lo[i] = use_max (n->lo[i], first);
    }
  else
    n->hi[i]
      = not_negative (use_min (n->hi[i],
			       use_div (use_add (use_add (rest, size),
						 use_const (-1)), size)));
  return true;
}

bool
use_guard_apply (use_site *s, use_nest *n, const use_guard &g, vec<use_poly> *switches)
{
  return guard_restrict (s, n, g, switches) || use_guard_is_loop (s, n, g);
}

/* COUNT, which may depend on the dimensions 0 .. I - 1: on average, or at
   most.  */
static use_poly
count_without (use_site *s, use_nest *n, const vec<use_poly> &counts, use_poly count,
	       unsigned i, bool most)
{
  while (i-- > 0)
    {
      unsigned iv = use_atom_number (s->region->dims[n->dims[i]]->atom);
      if (is_unknown (n->hi[i]))
	continue;
      use_poly last = use_add (counts[i], use_const (-1));
      if (!most)
	count = use_substitute (count, iv,
				use_add (n->lo[i],
					 use_div (last, use_const (2))));
      else
	{
	  use_poly first = use_substitute (count, iv, n->lo[i]);
	  use_poly end = use_substitute (count, iv, use_add (n->lo[i], last));
	  count = use_equal (first, end) ? first : use_max (first, end);
	}
    }
  return count;
}

/* Count dimension I of N by its index, where that starts at a place that depends
   on the dimensions around it, instead of by its iterations: what a triangular
   nest accesses then fits its box.  COUNT is its count; ADDRESS is changed.
   Returns how many there are at most, of which some are not accessed: *SHIFT before the
   first that is.  */
static use_poly
index_count (use_site *s, use_nest *n, unsigned i, const vec<use_poly> &counts,
	     use_poly count, use_poly *address, use_poly *shift_p)
{
  use_dim *dim = s->region->dims[n->dims[i]];
  *shift_p = use_const (0);
  if (!dim->has_index || !use_find (dim->init, USE_SET (USE_IV))
      || use_find (dim->init, USE_NOT_LAUNCH & ~USE_SET (USE_IV))
      || is_unknown (n->hi[i]) || n->lo[i].n)
    return count;
  /* Where the index starts, less where it does in the first iterations.  */
  use_poly first = dim->init;
  for (unsigned j = 0; j < i; j++)
    {
      use_poly step, rest;
      HOST_WIDE_INT k;
      unsigned iv = use_atom_number (s->region->dims[n->dims[j]]->atom);
      if (!use_linear (first, iv, &step, &rest) || !use_is_const (step, &k)
	  || is_unknown (n->hi[j]))
	return count;
      /* The least that it is, in the direction in which it goes.  */
      use_poly end = n->lo[j];
      if (k * dim->step < 0)
	end = use_add (end, use_add (counts[j], use_const (-1)));
      first = use_add (rest, use_mul (step, end));
    }
  if (use_find (first, USE_SET (USE_IV)))
    return count;
  use_poly shift = use_mul (use_add (dim->init, first, -1),
			    use_const (dim->step));
  *address = use_substitute (*address, use_atom_number (dim->atom),
			     use_add (dim->atom, shift, -1));
  *shift_p = shift;
  return use_add (count, shift);
}

/* A as CONSTANT + SLOPE * X, X the number from 0 on of N's dimension J.  */
static bool
linear_in (use_site *s, use_nest *n, unsigned j, const use_poly &a, use_poly *constant,
	   use_poly *slope)
{
  unsigned iv = use_atom_number (s->region->dims[n->dims[j]]->atom);
  if (!use_linear (a, iv, slope, constant) || use_find (*slope, USE_NOT_LAUNCH)
      || use_find (*constant, USE_NOT_LAUNCH) || use_find (n->lo[j], USE_NOT_LAUNCH))
    return false;
  *constant = use_add (*constant, use_mul (*slope, n->lo[j]));
  return true;
}

/* Does dimension I of N have as many iterations as that of one around it says, evenly more or
   less?  If so fill DIM.  SHIFT: iterations that it leaves out at first.  */
static bool
slope_fill (use_site *s, use_nest *n, unsigned i, const use_poly &shift, use_ref_dim *dim)
{
  use_poly count = use_add (n->hi[i], n->lo[i], -1);
  const use_atom *iv = use_find (count, USE_SET (USE_IV));
  int j = iv ? nest_find (n, iv->a) : -1;
  if (j < 0 || j >= (int) i || n->lo[i].n || is_unknown (n->hi[i]) || is_unknown (n->hi[j])
      || use_find (use_add (n->hi[j], n->lo[j], -1), USE_SET (USE_IV))
      || !linear_in (s, n, j, count, &dim->first, &dim->slope)
      || !linear_in (s, n, j, shift, &dim->skip, &dim->skip_slope))
    return false;
  dim->of = j + 1;
  return true;
}

/* REF's place has no base and strides; LENGTH: for want of a loop's length alone.  */
static void
not_affine (use_site *s, use_ref *ref, bool length)
{
  ref->flags &= ~UMMGR_REF_AFFINE;
  if (!ref->why)
    ref->why = concat (use_arg_name (s->region, ref->arg),
		       length ? "[...]: a loop of unknown length" : "[...]: index not affine",
		       NULL);
}

/* Give REF N's dimensions, which have STRIDES, COUNTS on average and EXTENTS at most, and leave out
   SHIFTS at first.  Returns whether they would be exact but that some depend on others.  */
static bool
dims_push (use_site *s, use_nest *n, use_ref *ref, const vec<use_poly> &strides,
	   const vec<use_poly> &counts, const vec<use_poly> &extents, const vec<use_poly> &shifts)
{
  bool affine = ref->flags & UMMGR_REF_AFFINE, sloped = affine;
  for (unsigned i = 0; i < n->dims.length (); i++)
    {
      if (is_unknown (n->hi[i]))
	{
	  sloped = false;
	  continue;
	}
      use_ref_dim dim = { affine ? strides[i] : use_const (0), counts[i],
			  extents[i], s->region->dims[n->dims[i]]->shared };
      if (use_find (dim.count, USE_NOT_LAUNCH)
	  || use_find (dim.extent, USE_NOT_LAUNCH))
	{
	  use_source_add (&n->source, ref->frequency, s->region->dims[n->dims[i]]->counted);
	  ref->frequency *= s->region->dims[n->dims[i]]->estimate;
	  n->exact = sloped = false;
	  if (affine && dim.stride.n)
	    not_affine (s, ref, true);
	  continue;
	}
      n->exact &= use_equal (dim.count, dim.extent);
      n->source.guessed |= !use_equal (dim.count, dim.extent);
      if (use_find (use_add (n->hi[i], n->lo[i], -1), USE_SET (USE_IV)))
	sloped &= slope_fill (s, n, i, shifts[i], &dim);
      else
	sloped &= use_equal (dim.count, dim.extent);
      ref->dims.safe_push (dim);
    }
  return sloped;
}

/* Fill REF's dimensions from N; ADDRESS is affine in them, or REF is not. */
void
use_ref_dims (use_site *s, use_nest *n, use_ref *ref, use_poly address,
	  const vec<use_poly> &switches)
{
  auto_vec<use_poly> counts, extents, strides;
  bool affine = ref->flags & UMMGR_REF_AFFINE, length = false, sloped = n->exact;
  auto_vec<use_poly> shifts;
  for (unsigned i = n->dims.length (); affine && i-- > 0;)
    use_nest_join (s, n, i, &address);
  for (unsigned i = 0; i < n->dims.length (); i++)
    {
      use_poly count = use_add (n->hi[i], n->lo[i], -1);
      n->exact &= !use_find (count, USE_SET (USE_IV));
      counts.safe_push (count_without (s, n, counts, count, i, false));
      extents.safe_push (count_without (s, n, extents, count, i, true));
      strides.safe_push (use_const (0));
      shifts.safe_push (use_const (0));
    }
  for (unsigned i = n->dims.length (); affine && i-- > 0;)
    {
      use_poly count = use_add (n->hi[i], n->lo[i], -1);
      use_poly most = index_count (s, n, i, extents, count, &address, &shifts[i]);
      extents[i] = count_without (s, n, extents, most, i, true);
      unsigned iv = use_atom_number (s->region->dims[n->dims[i]]->atom);
      use_poly rest;
      affine = use_linear (address, iv, &strides[i], &rest)
	       && !use_find (strides[i], USE_NOT_LAUNCH);
      length = affine && is_unknown (n->hi[i]) && strides[i].n != 0;
      affine &= !length;
      address = use_add (rest, use_mul (strides[i], n->lo[i]));
    }
  if (affine && use_find (address, USE_NOT_LAUNCH))
    affine = false;
  if (!affine && (ref->flags & UMMGR_REF_AFFINE))
    not_affine (s, ref, length);
  if (affine)
    ref->base = address;
  sloped &= dims_push (s, n, ref, strides, counts, extents, shifts);
  for (unsigned i = 0; i < switches.length (); i++)
    {
      use_ref_dim dim = { use_const (0), switches[i], switches[i], false };
      ref->dims.safe_push (dim);
    }
  if (sloped && !n->exact)
    ref->flags |= UMMGR_REF_SLOPED;
}
