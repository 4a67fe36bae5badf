/* The references of a region, in all functions that it reaches.
   SPDX-License-Identifier: GPL-3.0-or-later

   What accesses an argument's memory through a value that is followed becomes a
   reference; what may access any of it marks the region.  Owns nothing.  */

#include "use/use.h"

/* Beyond these a region is too large to follow.  */
#define REFS_MAX 400

static void
why_set (const char **why, const char *text)
{
  if (!*why)
    *why = xstrdup (text);
}

/* Memory that may be any argument's is accessed.  */
static void
anywhere (use_site *s, bool read, bool write, const char *why)
{
  s->region->wild_read |= read;
  s->region->wild_write |= write;
  why_set (&s->region->wild_why, why);
}

/* The same, and nobody knows by which pointer.  */
static void
wild (use_site *s, bool read, bool write, const char *why)
{
  anywhere (s, read, write, why);
  s->region->met |= UMMGR_SPLIT_POINTERS;
}

/* What the member behind the arguments, BASE, points to is accessed; or NULL: BASE is an
   argument.  */
static use_member *
member_note (use_site *s, unsigned base, unsigned flags)
{
  unsigned count = s->region->region->args.length ();
  if (base < count)
    return NULL;
  use_member *member = &s->region->members[base - count];
  char *why = concat (use_arg_name (s->region, base),
		      "->...: pointer loaded from memory", NULL);
  member->flags |= flags;
  anywhere (s, flags & UMMGR_USE_READ, flags & UMMGR_USE_WRITE, why);
  free (why);
  return member;
}

/* Of a struct that is mapped member by member, each may be meant.  */
static void
arg_unknown (use_site *s, unsigned arg, unsigned flags, const char *why)
{
  const vec<ummgr_part> &parts = s->region->region->parts;
  if (member_note (s, arg, flags | UMMGR_USE_UNKNOWN))
    return;
  s->region->arg_flags[arg] |= flags | UMMGR_USE_UNKNOWN;
  why_set (&s->region->arg_why[arg], why);
  for (unsigned i = 0; i < parts.length (); i++)
    if (parts[i].whole == arg)
      arg_unknown (s, parts[i].part, flags, why);
}

static bool
has_parts (const use_region *region, unsigned arg)
{
  const vec<ummgr_part> &parts = region->region->parts;
  for (unsigned i = 0; i < parts.length (); i++)
    if (parts[i].whole == arg)
      return true;
  return false;
}

/* Is A at least 0 where COUNT is above 0: a multiple of it, not too much less?  */
static bool
is_not_negative (const use_poly &a, const use_poly &count)
{
  HOST_WIDE_INT k;
  use_poly rest = a;
  for (unsigned i = 0; i < 4; i++, rest = use_add (rest, count, -1))
    if (use_is_const (rest, &k) && k >= -(HOST_WIDE_INT) i)
      return true;
  return false;
}

/* The sum of COUNT over the iterations of dimension DIM, OUTER of them: tiles, or rows that get
   evenly longer or shorter, and never shorter than 0.  */
static bool
rows_sum (use_region *region, const use_poly &outer, unsigned dim, const use_poly &count,
	  use_poly *sum)
{
  use_poly slope, first;
  HOST_WIDE_INT k;
  if (use_tiles_all (region, outer, dim, count, &k, sum))
    return true;
  if (!use_linear (count, use_atom_number (region->dims[dim]->atom), &slope, &first) || use_find (slope, USE_NOT_LAUNCH)
      || use_find (first, USE_NOT_LAUNCH) || use_find (outer, USE_NOT_LAUNCH))
    return false;
  use_poly all = use_is_const (outer, &k) && k >= 0 ? outer : use_max (outer, use_const (0));
  use_poly last = use_add (first, use_mul (slope, use_add (all, use_const (-1))));
  use_poly truly = use_add (first, use_mul (slope, use_add (outer, use_const (-1))));
  *sum = use_div (use_mul (all, use_add (first, last)), use_const (2));
  return is_not_negative (use_whole (region, first), use_whole (region, outer))
	 && is_not_negative (use_whole (region, truly), use_whole (region, outer));
}

/* The trip count, from the first reference in a work-shared loop and those that are in others
   within that.  */
static void
trip_note (use_region *region, const use_nest *n)
{
  use_poly trip = use_const (1);
  bool exact = true;
  auto_vec<unsigned> dims, where;
  for (unsigned i = 0; i < n->dims.length (); i++)
    if (region->dims[n->dims[i]]->shared)
      {
	dims.safe_push (n->dims[i]);
	where.safe_push (i);
      }
  bool within = dims.length () > region->trip_dims.length ();
  for (unsigned i = 0; within && i < region->trip_dims.length (); i++)
    within = dims[i] == region->trip_dims[i];
  if (!within)
    return;
  region->trip_dims.truncate (0);
  region->trip_dims.safe_splice (dims);
  bool known = true, summed = false, counted = false;
  use_poly last = trip;
  for (unsigned i = 0; known && i < dims.length (); i++)
    {
      use_dim *dim = region->dims[dims[i]];
      bool more = n->once_more[where[i]];
      use_poly count = dim->known ? use_dim_count (dim, more)
	: use_const ((HOST_WIDE_INT) (dim->estimate + more + 0.5)), sum;
      known = dim->known || dim->counted;
      counted |= !dim->known;
      /* The first time it runs where it is reached at all, which this doesn't say.  */
      exact &= dim->exact && !(more && dim->test_above);
      /* A row's rows are too much to know.  */
      summed = i && !summed && !counted && use_find (count, USE_SET (USE_IV))
	       && rows_sum (region, last, dims[i - 1], count, &sum);
      if (!summed)
	trip = use_mul (trip, last);
      last = summed ? sum : count;
    }
  trip = use_mul (trip, last);
  region->trip_known = known && !use_find (trip, USE_NOT_LAUNCH);
  region->trip_exact = exact && !counted;
  region->trip_counted = counted;
  region->trip = trip;
}

/* Does ADDRESS rest on a pointer that may lead to something else?  */
static bool
may_lead_elsewhere (const use_poly &address)
{
  for (unsigned i = 0; i < address.n; i++)
    if (address.terms[i].n == 1 && use_atoms[address.terms[i].atom[0]].kind == USE_BASE
	&& use_atoms[address.terms[i].atom[0]].size)
      return true;
  return false;
}

/* The bytes that SIZE bytes at REST of *ARG are within into *LO and *HI, if they are known,
   with *ARG and *REST as of the member that has them, where that is mapped by itself.  */
static void
ref_bound (const use_site *s, unsigned *arg, use_poly *rest, unsigned size, HOST_WIDE_INT *lo,
	   HOST_WIDE_INT *hi)
{
  HOST_WIDE_INT k;
  *lo = *hi = 0;
  if (use_is_const (*rest, &k))
    {
      *lo = k;
      *hi = k + size;
    }
  else if (s->within_arg == *arg)
    {
      *lo = s->lo;
      *hi = s->hi;
    }
  if (const ummgr_part *part = use_part_find (s->region, *arg, *lo, *hi))
    {
      *arg = part->part;
      *rest = use_add (*rest, use_const (part->at), -1);
      *lo -= part->at;
      *hi -= part->at;
    }
}

/* Term I of A.  */
static use_poly
term_of (const use_poly &a, unsigned i)
{
  use_poly term = {};
  term.n = 1;
  term.terms[0] = a.terms[i];
  return term;
}

/* The one address of a kind in the set KINDS that ADDRESS has, or NULL: there is none, or as many
   as in a difference; *REST: what is added to it.  */
static const use_atom *
address_in (const use_poly &address, unsigned kinds, use_poly *rest)
{
  unsigned found = 0, at = 0;
  for (unsigned i = 0; i < address.n; i++)
    if (address.terms[i].n == 1
	&& (USE_SET (use_atoms[address.terms[i].atom[0]].kind) & kinds))
      {
	found++;
	at = i;
      }
  if (found != 1 || address.terms[at].k != 1)
    return NULL;
  *rest = use_add (address, term_of (address, at), -1);
  return &use_atoms[address.terms[at].atom[0]];
}

bool
use_base_split (const use_poly &address, unsigned *arg, use_poly *rest)
{
  const use_atom *atom = address_in (address, USE_SET (USE_BASE) | USE_SET (USE_GLOBAL), rest);
  if (!atom || atom->kind != USE_BASE)
    return false;
  *arg = atom->a;
  return true;
}

static char *
data_why (use_region *region, unsigned arg, const use_poly &rest)
{
  const use_atom *data = use_find (rest, USE_SET (USE_DATA));
  if (data)
    return concat (use_arg_name (region, arg), "[...]: index loaded from memory (",
		   use_arg_name (region, data->a), "[...])", NULL);
  const use_atom *o = use_find (rest, USE_SET (USE_OPAQUE));
  if (o && o->a == USE_WHY_MEMORY)
    return concat (use_arg_name (region, arg), "[...]: index loaded from memory",
		   NULL);
  if (o && o->a == USE_WHY_AGAIN)
    return concat (use_arg_name (region, arg), "[...]: another place in each call of a recursion",
		   NULL);
  if (o && o->a == USE_WHY_CALL)
    return concat (use_arg_name (region, arg), "[...]: index from a call", NULL);
  return concat (use_arg_name (region, arg), "[...]: index not affine", NULL);
}

/* Is ADDRESS in memory that the region got for itself?  */
static bool
is_own (const use_poly &address)
{
  unsigned own = 0;
  for (unsigned i = 0; i < address.n; i++)
    {
      const use_poly term = term_of (address, i);
      const use_atom *atom = use_is_atom (term);
      if (atom && atom->kind == USE_OPAQUE && atom->a == USE_WHY_OWN)
	own++;
      else if (use_find (term, USE_SET (USE_BASE) | USE_SET (USE_OPAQUE) | USE_SET (USE_PHI)
			       | USE_SET (USE_DATA) | USE_SET (USE_LOAD)))
	return false;
    }
  return own == 1;
}

/* Memory at ADDRESS, which is not an argument's for all that is known, is accessed: HOW, or, if
   NULL, in a statement.  */
static void
elsewhere_add (use_site *s, const use_poly &address, bool read, bool write,
	       const char *how = NULL)
{
  use_poly rest;
  if (is_own (address)
      || address_in (address, USE_SET (USE_BLOCK) | USE_SET (USE_LOCAL) | USE_SET (USE_GLOBAL), &rest))
    return;
  const use_atom *data = use_find (address, USE_SET (USE_DATA) | USE_SET (USE_LOAD));
  char *why = data ? concat (use_arg_name (s->region, data->a),
			     "->...: pointer loaded from memory", NULL)
		   : concat ("a pointer of unknown origin", how ? " " : NULL, how, NULL);
  wild (s, read, write, why);
  free (why);
}

/* Restrict N by its guards.  Returns whether nothing but loops says that it runs.  */
static bool
guards_apply (use_site *s, use_nest *n, vec<use_poly> *switches)
{
  bool certain = s->frame->certain && s->frame->places[s->block->index]->certain;
  for (unsigned i = 0; i < n->guards.length (); i++)
    certain &= use_guard_is_loop (s, n, n->guards[i]);
  for (unsigned i = 0; i < n->guards.length (); i++)
    if (!use_guard_apply (s, n, n->guards[i], switches))
      {
	use_source_add (&n->source, n->frequency, n->guards[i].counted);
	n->frequency *= n->guards[i].probability;
	n->exact = false;
      }
  return certain;
}

/* A reference at REST of REGION's argument ARG, in STMT.  */
static use_ref *
ref_new (use_region *region, gimple *stmt, unsigned arg, const use_poly &rest, unsigned flags)
{
  use_ref *ref = new use_ref ();
  ref->arg = arg;
  ref->flags = flags;
  ref->location = gimple_location (stmt);
  ref->line = gimple_location (stmt) > BUILTINS_LOCATION
	      ? expand_location (gimple_location (stmt)).line : 0;
  if (!use_find (rest, USE_NOT_LAUNCH & ~USE_SET (USE_IV)))
    ref->flags |= UMMGR_REF_AFFINE;
  else
    {
      if (use_find (rest, USE_SET (USE_DATA)))
	ref->flags |= UMMGR_REF_DATA;
      ref->why = data_why (region, arg, rest);
    }
  return ref;
}

/* A reference at REST of ARG, SIZE bytes, as often as S's block and WEIGHT of its executions
   say.  CERTAIN: where it leads is.  */
static use_ref *
ref_make (use_site *s, unsigned arg, use_poly rest, double weight, unsigned size,
	  unsigned flags, bool certain)
{
  use_nest n;
  use_nest_fill (s, &n);
  use_nest_apart (s, &n, &rest);
  use_nest_bounds (s, &n);
  trip_note (s->region, &n);
  auto_vec<use_poly> switches;
  certain &= guards_apply (s, &n, &switches);
  n.exact &= weight == 1;
  use_ref *ref = ref_new (s->region, s->stmt, arg, rest, flags);
  ref->size = size;
  ref->frequency = n.frequency * weight;
  use_ref_dims (s, &n, ref, rest, switches);
  if (n.exact && (ref->flags & UMMGR_REF_AFFINE))
    ref->flags |= UMMGR_REF_EXACT | (certain ? UMMGR_REF_CERTAIN : 0);
  else if (!(ref->flags & UMMGR_REF_SLOPED))
    {
      if (n.source.counted && !n.source.guessed && weight == 1)
	ref->flags |= UMMGR_REF_COUNTED;
      use_data_describe (s, &n, ref, rest, weight);
    }
  return ref;
}

/* The number among REGION's variables of its own of DECL, an array or struct that each
   device has one of, or -1.  */
static int
static_find (use_region *region, tree decl)
{
  if (!decl || !VAR_P (decl) || TREE_READONLY (decl) || !DECL_NAME (decl)
      || (TREE_CODE (TREE_TYPE (decl)) != ARRAY_TYPE
	  && !RECORD_OR_UNION_TYPE_P (TREE_TYPE (decl)))
      || !lookup_attribute ("omp declare target", DECL_ATTRIBUTES (decl)))
    return -1;
  for (unsigned i = 0; i < region->statics.length (); i++)
    if (region->statics[i].decl == decl)
      return i;
  region->statics.safe_push ({ decl, UMMGR_USE_ANALYSED, NULL });
  return region->statics.length () - 1;
}

/* Is DECL a variable that the device has a link to, which a launch sets?  */
static bool
is_link (tree decl)
{
  return decl && VAR_P (decl)
	 && lookup_attribute ("omp declare target link", DECL_ATTRIBUTES (decl));
}

/* The argument that maps all of DECL, of which the device has a link, or -1.  */
static int
link_find (const use_region *region, tree decl)
{
  const vec<ummgr_arg> &args = region->region->args;
  const char *name = IDENTIFIER_POINTER (DECL_NAME (decl));
  expanded_location at = expand_location (DECL_SOURCE_LOCATION (decl));
  for (unsigned i = 0; i < args.length (); i++)
    if (strcmp (args[i].name, name) == 0 && args[i].line == (unsigned) at.line
	&& (args[i].arg_class == UMMGR_ARG_ARRAY || args[i].arg_class == UMMGR_ARG_RECORD
	    || args[i].arg_class == UMMGR_ARG_SCALAR)
	&& args[i].map_kind != GOMP_MAP_POINTER && args[i].map_kind != GOMP_MAP_FIRSTPRIVATE
	&& args[i].size == tree_to_uhwi (DECL_SIZE_UNIT (decl)))
      return i;
  return -1;
}

/* ADDRESS, where it is of a variable that the device has a link to, as that of the argument
   that maps it.  False: it is such, but some argument may have it, or none.  */
static bool
link_follow (use_site *s, use_poly *address)
{
  const use_atom *atom = use_find (*address, USE_SET (USE_GLOBAL));
  if (!atom || !is_link (atom->t))
    return true;
  int arg = DECL_SIZE_UNIT (atom->t) && tree_fits_uhwi_p (DECL_SIZE_UNIT (atom->t))
	    ? link_find (s->region, atom->t) : -1;
  if (arg < 0)
    return false;
  *address = use_add (use_add (*address, use_simple (USE_GLOBAL, 0, atom->t), -1),
		      use_simple (USE_BASE, arg, NULL_TREE));
  return !use_find (*address, USE_SET (USE_GLOBAL));
}

/* The number of the variable of the region's own that ADDRESS is in, or -1; *REST: from its
   beginning.  */
static int
static_of (use_region *region, const use_poly &address, use_poly *rest)
{
  const use_atom *atom = address_in (address, USE_SET (USE_GLOBAL), rest);
  return atom ? static_find (region, atom->t) : -1;
}

void
use_static_unknown (use_static *variable, unsigned flags, const char *why)
{
  variable->flags |= flags | UMMGR_USE_UNKNOWN;
  why_set (&variable->why, why);
}

/* Note the reference WAY, if it is of a `declare target' variable.  */
static bool
static_add (use_site *s, const use_way &way, unsigned size, unsigned flags)
{
  use_region *region = s->region;
  use_poly rest;
  int number = static_of (region, way.value, &rest);
  if (number < 0)
    return false;
  use_static *variable = &region->statics[number];
  variable->flags |= (flags & UMMGR_REF_READ ? UMMGR_USE_READ : 0)
		     | (flags & UMMGR_REF_WRITE ? UMMGR_USE_WRITE : 0);
  if (region->static_refs.length () >= REFS_MAX)
    use_static_unknown (variable, 0, "too many references");
  else
    region->static_refs.safe_push (ref_make (s, USE_STATICS + number, rest, way.weight,
					     size, flags, true));
  return true;
}

/* Fill the bytes that REF, whose subscripts say nothing of them, is within by its dimensions,
   and make it one of the member that has them, where that is mapped by itself.  What is exact
   begins there, and no subscript leads out of its member.  */
static void
part_find (const use_region *region, use_ref *ref)
{
  HOST_WIDE_INT lo, hi, stride, extent;
  bool known = true;
  if (!(ref->flags & UMMGR_REF_AFFINE) || !use_is_const (use_whole (region, ref->base), &lo))
    return;
  HOST_WIDE_INT first = lo;
  hi = lo + ref->size;
  for (unsigned i = 0; i < ref->dims.length () && known; i++)
    {
      known = use_is_const (use_whole (region, ref->dims[i].stride), &stride)
	      && use_is_const (use_whole (region, ref->dims[i].extent), &extent)
	      && extent > 0 && extent < INT_MAX && abs_hwi (stride) < INT_MAX;
      if (known)
	(stride < 0 ? lo : hi) += stride * (extent - 1);
    }
  const ummgr_part *part = known ? use_part_find (region, ref->arg, lo, hi)
			   : ref->flags & UMMGR_REF_EXACT
			   ? use_part_find (region, ref->arg, first, first + ref->size) : NULL;
  if (!part)
    return;
  if (!known)
    ref->flags &= ~UMMGR_REF_CERTAIN;
  ref->lo = part->lo - part->at;
  ref->hi = part->hi - part->at;
  ref->arg = part->part;
  ref->base = use_add (ref->base, use_const (part->at), -1);
  if (ref->place_known)
    ref->place = use_add (ref->place, use_const (part->at), -1);
}

/* One way of the reference.  */
static void
ref_add (use_site *s, use_way way, unsigned size, unsigned flags)
{
  use_region *region = s->region;
  unsigned arg = 0;
  use_poly rest;
  bool read = flags & UMMGR_REF_READ, write = flags & UMMGR_REF_WRITE;
  if (!link_follow (s, &way.value))
    {
      wild (s, read, write, "a variable that is linked to");
      return;
    }
  if (!use_base_split (way.value, &arg, &rest))
    {
      if (!static_add (s, way, size, flags))
	elsewhere_add (s, way.value, read, write);
      return;
    }
  unsigned used = (read ? UMMGR_USE_READ : 0) | (write ? UMMGR_USE_WRITE : 0);
  bool behind = member_note (s, arg, used);
  HOST_WIDE_INT lo, hi;
  ref_bound (s, &arg, &rest, size, &lo, &hi);
  if (region->refs.length () + region->member_refs.length () >= REFS_MAX)
    {
      if (!behind)
	region->arg_flags[arg] |= used;
      arg_unknown (s, arg, 0, "too many references");
      return;
    }
  use_ref *ref = ref_make (s, arg, rest, way.weight, size, flags,
			   !may_lead_elsewhere (way.value));
  ref->lo = lo;
  ref->hi = hi;
  if (!behind && lo == hi)
    part_find (region, ref);
  if (!behind)
    region->arg_flags[ref->arg] |= used;
  if (!behind && ref->lo == ref->hi && has_parts (region, ref->arg))
    arg_unknown (s, ref->arg, used, "a member that its subscripts don't tell");
  (behind ? &region->member_refs : &region->refs)->safe_push (ref);
}

static void
address_add (use_site *s, const use_poly &address, HOST_WIDE_INT size,
	     unsigned flags)
{
  auto_vec<use_way> ways;
  use_expand (s->region, address, &ways);
  for (unsigned i = 0; i < ways.length (); i++)
    ref_add (s, ways[i], size > 0 && size < 0x7fffffff ? size : 0, flags);
}

/* Fill the bytes of an argument that REF is within, whatever its subscripts: those of the
   member that it is in.  */
static void
within_fill (use_site *s, tree ref)
{
  HOST_WIDE_INT at, size, most, k;
  use_poly rest;
  unsigned arg;
  bool reverse;
  poly_int64 at_poly, size_poly, most_poly;
  tree base = get_ref_base_and_extent (ref, &at_poly, &size_poly, &most_poly, &reverse);
  s->lo = s->hi = 0;
  if (!at_poly.is_constant (&at) || !size_poly.is_constant (&size)
      || !most_poly.is_constant (&most) || most <= 0
      || !use_base_split (use_eval_address (s->region, s->frame, base), &arg, &rest)
      || !use_is_const (rest, &k))
    return;
  s->within_arg = arg;
  s->lo = k + at / BITS_PER_UNIT;
  s->hi = k + (at + most + BITS_PER_UNIT - 1) / BITS_PER_UNIT;
}

static void
memory_add (use_site *s, tree ref, unsigned flags)
{
  /* A part of an SSA name is no memory; a local that is no more than named is the region's own.  */
  tree base = get_base_address (ref);
  if (!(REFERENCE_CLASS_P (ref) || (VAR_P (ref) && is_global_var (ref)))
      || (base && TREE_CODE (base) == SSA_NAME))
    return;
  within_fill (s, ref);
  address_add (s, use_eval_address (s->region, s->frame, ref),
	       int_size_in_bytes (TREE_TYPE (ref)), flags);
  s->lo = s->hi = 0;
}

/* Is ADDRESS that of a local that may hold pointers?  */
static bool
local_may_point (const use_poly &address)
{
  const use_atom *local = use_find (address, USE_SET (USE_LOCAL));
  if (!local || !local->t)
    return false;
  tree type = strip_array_types (TREE_TYPE (local->t));
  return POINTER_TYPE_P (type) || RECORD_OR_UNION_TYPE_P (type);
}

/* VALUE gets where it is not followed: STORED, or to code that uses it as FLAGS say.  */
static void
escape (use_site *s, tree value, unsigned flags, const char *why, bool stored = false)
{
  if (!POINTER_TYPE_P (TREE_TYPE (value)))
    return;
  bool read = flags & UMMGR_USE_READ, write = flags & UMMGR_USE_WRITE;
  auto_vec<use_way> ways;
  use_expand (s->region, use_eval (s->region, s->frame, value), &ways);
  for (unsigned i = 0; i < ways.length (); i++)
    {
      use_poly *way = &ways[i].value, rest;
      unsigned arg;
      int number;
      if (!link_follow (s, way))
	wild (s, read, write, why);
      else if (use_base_split (*way, &arg, &rest))
	arg_unknown (s, arg, flags, why);
      else if ((number = static_of (s->region, *way, &rest)) >= 0)
	use_static_unknown (&s->region->statics[number], flags, why);
      else if (use_find (*way, USE_SET (USE_BASE) | USE_SET (USE_DATA)) || local_may_point (*way))
	wild (s, read, write, why);
      else if (!stored && way->n)
	elsewhere_add (s, *way, read, write, why);
      /* What is loaded again is a pointer of which nothing is known.  */
      else if (use_find (*way, USE_SET (USE_OPAQUE) | USE_SET (USE_LOAD)))
	s->region->met |= UMMGR_SPLIT_POINTERS;
    }
}

/* A variable of the region's code: has each device its own?  */
static bool
static_met (gimple *, tree base, tree, void *data)
{
  if (VAR_P (base) && is_global_var (base) && !TREE_READONLY (base))
    ((use_site *) data)->region->met |= UMMGR_SPLIT_STATICS;
  return false;
}

static void
assign_walk (use_site *s, gimple *stmt)
{
  if (!gimple_assign_single_p (stmt) || gimple_clobber_p (stmt))
    return;
  tree lhs = gimple_assign_lhs (stmt), rhs = gimple_assign_rhs1 (stmt);
  memory_add (s, rhs, UMMGR_REF_READ);
  if (!REFERENCE_CLASS_P (lhs) && !DECL_P (lhs))
    return;
  memory_add (s, lhs, UMMGR_REF_WRITE);
  use_poly to = use_eval_address (s->region, s->frame, lhs);
  if (!use_find (to, USE_SET (USE_LOCAL)))
    escape (s, rhs, UMMGR_USE_READ | UMMGR_USE_WRITE,
	    "its address is stored to memory", true);
}

/* An atomic built-in, by its name's end the size.  */
static bool
atomic_walk (use_site *s, gcall *call, const char *name)
{
  if (!startswith (name, "__atomic_") && !startswith (name, "__sync_"))
    return false;
  /* Those of the region's own code split/ knows, less what reduces.  */
  for (use_frame *f = s->frame; f; f = f->caller)
    if (f->called)
      s->region->met |= UMMGR_SPLIT_ATOMIC;
  const char *end = strrchr (name, '_');
  unsigned size = end ? atoi (end + 1) : 0;
  if (!gimple_call_num_args (call))
    return true;
  unsigned flags = strstr (name, "_store") ? UMMGR_REF_WRITE
		   : strstr (name, "_load")
		     ? UMMGR_REF_READ : UMMGR_REF_READ | UMMGR_REF_WRITE;
  if (POINTER_TYPE_P (TREE_TYPE (gimple_call_arg (call, 0))))
    address_add (s, use_eval (s->region, s->frame, gimple_call_arg (call, 0)),
		 size, flags);
  return true;
}

/* GCC's own operations: of those that take pointers here, the atomic ones.  */
static void
internal_walk (use_site *s, gcall *call)
{
  if (!gimple_vuse (call) || !gimple_call_num_args (call)
      || !POINTER_TYPE_P (TREE_TYPE (gimple_call_arg (call, 0))))
    return;
  tree type = gimple_call_num_args (call) > 1
	      ? TREE_TYPE (gimple_call_arg (call, 1)) : char_type_node;
  const char *name = internal_fn_name (gimple_call_internal_fn (call));
  if (startswith (name, "ATOMIC_"))
    address_add (s, use_eval (s->region, s->frame, gimple_call_arg (call, 0)),
		 int_size_in_bytes (type), UMMGR_REF_READ | UMMGR_REF_WRITE);
  else if (!startswith (name, "GOMP_") && !startswith (name, "UNIQUE"))
    escape (s, gimple_call_arg (call, 0), UMMGR_USE_READ | UMMGR_USE_WRITE,
	    "accessed by an operation that is not followed");
}

/* Code is met that is not seen, A B.  */
static void
unseen_met (use_site *s, const char *a, const char *b)
{
  char *why = concat (a, b, NULL);
  s->region->met |= UMMGR_SPLIT_CALLS;
  why_set (&s->region->unseen_why, why);
  free (why);
}

/* A call into code that is not seen.  */
static void
unseen_walk (use_site *s, gcall *call, tree callee)
{
  int ecf = gimple_call_flags (call);
  /* What can be freed in a region is its own.  */
  if ((ecf & ECF_CONST) || gimple_call_builtin_p (call, BUILT_IN_STACK_RESTORE)
      || gimple_call_builtin_p (call, BUILT_IN_PREFETCH) || gimple_call_builtin_p (call, BUILT_IN_FREE))
    return;
  const char *name = ummgr_call_name (call);
  if (startswith (name, "GOMP_target"))
    wild (s, true, true, "a target construct within the region");
  /* libgomp's own take no user data but what is handled elsewhere.  */
  if ((startswith (name, "omp_") || startswith (name, "GOMP_"))
      && !startswith (name, "GOMP_task") && !startswith (name, "GOMP_para")
      && !startswith (name, "GOMP_teams_reg"))
    {
      /* A lock is the user's.  */
      for (unsigned i = 0; i < gimple_call_num_args (call) && startswith (name, "omp_"); i++)
	escape (s, gimple_call_arg (call, i), UMMGR_USE_READ | UMMGR_USE_WRITE,
		"passed to libgomp");
      return;
    }
  char *to = concat (*name ? name : "an unknown function",
		     callee && gimple_has_body_p (callee) ? ", which is too much to follow"
		     : ", whose code is not seen", NULL);
  char *why = concat ("passed to ", to, NULL);
  if (!callee || !fndecl_built_in_p (callee))
    unseen_met (s, "a call of ", to);
  free (to);
  unsigned flags = UMMGR_USE_READ | (ecf & ECF_PURE ? 0 : UMMGR_USE_WRITE);
  for (unsigned i = 0; i < gimple_call_num_args (call); i++)
    {
      tree arg = gimple_call_arg (call, i);
      unsigned mine = flags;
      if (gimple_call_builtin_p (call, BUILT_IN_MEMCPY)
	  || gimple_call_builtin_p (call, BUILT_IN_MEMMOVE)
	  || gimple_call_builtin_p (call, BUILT_IN_MEMSET))
	mine = i == 0 ? UMMGR_USE_WRITE : UMMGR_USE_READ;
      escape (s, arg, mine, why);
    }
  if (!callee && !gimple_call_internal_p (call))
    wild (s, true, true, callee_way_of (call) == CALLEE_VIRTUAL
			 ? "a virtual call that may reach unknown functions"
			 : "a call through a pointer that may lead to unknown functions");
  if (startswith (name, "GOMP_task") || startswith (name, "GOMP_para"))
    wild (s, true, true, why);
  free (why);
}

void
use_clause_note (use_clause *clause, const use_poly &value)
{
  bool same = !clause->given || (clause->known && use_equal (clause->value, value));
  *clause = { true, same && !use_find (value, USE_NOT_LAUNCH), value };
}

/* ARG, of a call that makes teams, is what CLAUSE says; 0: there is none.  */
static void
clause_note (use_site *s, use_clause *clause, tree arg)
{
  HOST_WIDE_INT k;
  use_poly value = use_eval (s->region, s->frame, arg);
  if (!use_is_const (value, &k) || k != 0)
    use_clause_note (clause, value);
}

/* What GCC makes of `teams' has the clauses' values.  */
static void
teams_note (use_site *s, gcall *call, const char *name)
{
  use_region *region = s->region;
  unsigned n = gimple_call_num_args (call);
  bool bounds = strcmp (name, "GOMP_teams4") == 0 && n == 4;
  if (!bounds && (strcmp (name, "GOMP_teams") != 0 || n != 2))
    return;
  clause_note (s, &region->teams_least, gimple_call_arg (call, 0));
  clause_note (s, &region->teams, gimple_call_arg (call, bounds));
  clause_note (s, &region->threads, gimple_call_arg (call, 1 + bounds));
}

static void
call_walk (use_site *s, gcall *call)
{
  tree callee = gimple_call_fndecl (call);
  const char *name = ummgr_call_name (call);
  for (unsigned i = 0; i < gimple_call_num_args (call); i++)
    memory_add (s, gimple_call_arg (call, i), UMMGR_REF_READ);
  if (gimple_call_lhs (call))
    memory_add (s, gimple_call_lhs (call), UMMGR_REF_WRITE);
  if (atomic_walk (s, call, name))
    return;
  teams_note (s, call, name);
  if (gimple_call_internal_p (call))
    {
      internal_walk (s, call);
      return;
    }
  if (startswith (name, "GOMP_parallel") && gimple_call_num_args (call) >= 2
      && TREE_CODE (gimple_call_arg (call, 0)) == ADDR_EXPR)
    {
      tree child = TREE_OPERAND (gimple_call_arg (call, 0), 0);
      if (TREE_CODE (child) == FUNCTION_DECL
	  && use_callee_walk (s, call, child, 1, 1))
	return;
    }
  else if (callee ? !ummgr_decl_is_replaceable (callee)
		    && use_callee_walk (s, call, callee, 0, 1)
	   : use_nameless_walk (s, call))
    return;
  unseen_walk (s, call, callee);
}

void
use_walk (use_region *region, use_frame *frame)
{
  push_cfun (frame->fun);
  /* A recursion's loops are those of the call around.  */
  if (!frame->again)
    loop_optimizer_init (AVOID_CFG_MODIFICATIONS);
  use_frame_prepare (region, frame);
  use_places_fill (region, frame);
  basic_block block;
  FOR_EACH_BB_FN (block, frame->fun)
    {
      if (!frame->places[block->index]->live)
	continue;
      for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi);
	   gsi_next (&gsi))
	{
	  use_site s = { region, frame, gsi_stmt (gsi), block };
	  walk_stmt_load_store_addr_ops (s.stmt, &s, static_met, static_met, static_met);
	  if (is_gimple_assign (s.stmt))
	    assign_walk (&s, s.stmt);
	  else if (gcall *call = dyn_cast <gcall *> (s.stmt))
	    call_walk (&s, call);
	  else if (gasm *code = dyn_cast <gasm *> (s.stmt))
	    {
	      unseen_met (&s, "an asm statement", "");
	      if (gimple_vuse (code))
		wild (&s, true, true, "an asm statement");
	    }
	}
    }
  use_work_add (region, frame);
  if (!frame->again)
    loop_optimizer_finalize ();
  pop_cfun ();
}
