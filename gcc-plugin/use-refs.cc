/* The references of a region, in all functions that it reaches.
   SPDX-License-Identifier: GPL-3.0-or-later

   What accesses an argument's memory through a value that is followed becomes a
   reference; what may access any of it marks the region.  Owns nothing.  */

#include "use.h"

/* Beyond these a region is too large to follow.  */
#define FRAMES_MAX 48
#define DEPTH_MAX 10
#define REFS_MAX 400

/* A place in a frame.  */
struct site
{
  use_region *region;
  use_frame *frame;
  gimple *stmt;
  basic_block block;
};

static void
why_set (const char **why, const char *text)
{
  if (!*why)
    *why = xstrdup (text);
}

static void
wild (site *s, bool read, bool write, const char *why)
{
  s->region->wild_read |= read;
  s->region->wild_write |= write;
  why_set (&s->region->wild_why, why);
}

static void
arg_unknown (site *s, unsigned arg, unsigned flags, const char *why)
{
  s->region->arg_flags[arg] |= flags | UMMGR_USE_UNKNOWN;
  why_set (&s->region->arg_why[arg], why);
}

static const char *
arg_name (use_region *region, unsigned i)
{
  const char *name = region->region->args[i].name;
  return *name ? name : "an argument";
}

/* A reference being made: its dimensions, outermost first.  */
struct nest
{
  auto_vec<unsigned> dims;
  auto_vec<bool> once_more;
  auto_vec<use_guard> guards;
  auto_vec<use_poly> lo, hi;
  double frequency;
  bool exact;
};

static void
nest_fill (site *s, nest *n)
{
  use_frame *frame = s->frame;
  use_place *place = frame->places[s->block->index];
  n->frequency = frame->frequency * place->frequency;
  n->exact = n->frequency == 1;
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
nest_find (const nest *n, unsigned dim)
{
  for (unsigned i = 0; i < n->dims.length (); i++)
    if (n->dims[i] == dim)
      return i;
  return -1;
}

/* The bounds of each dimension, without guards; unknown counts go into the
   frequency.  */
static void
nest_bounds (site *s, nest *n)
{
  for (unsigned i = 0; i < n->dims.length (); i++)
    {
      use_dim *dim = s->region->dims[n->dims[i]];
      bool more = n->once_more[i];
      use_poly count = use_const (1);
      n->exact &= dim->exact;
      if (dim->known)
	count = use_add (dim->passes, use_const (more ? 1 : 0));
      if (!dim->known
	  || use_find (count, USE_NOT_LAUNCH & ~USE_SET (USE_IV)))
	{
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

/* Is a guard that D > 0 what makes one of the loops run at all?  */
static bool
guard_is_loop (site *s, nest *n, const use_guard &g)
{
  /* A collapsed nest counts as one.  */
  for (unsigned i = 0; i < n->dims.length () && !g.equal; i++)
    {
      use_poly all = use_const (1);
      for (unsigned j = i; j < n->dims.length (); j++)
	if (s->region->dims[n->dims[j]]->loop
	    == s->region->dims[n->dims[i]]->loop)
	  all = use_mul (all, s->region->dims[n->dims[j]]->passes);
      if (use_equal (all, g.d))
	return true;
    }
  for (unsigned i = 0; i < n->dims.length (); i++)
    {
      use_dim *dim = s->region->dims[n->dims[i]];
      HOST_WIDE_INT k;
      if (!g.equal && dim->known)
	{
	  use_poly count = use_add (dim->passes,
				    use_const (n->once_more[i] ? 1 : 0));
	  if (use_is_const (use_add (count, g.d, -1), &k) && (k == 0 || k == 1))
	    return true;
	  /* Rounded up: (d + step - 1) / step.  */
	  const use_atom *atom = use_is_atom (dim->passes);
	  if (atom && atom->kind == USE_DIV
	      && use_is_const (use_add (atom->x, g.d, -1), &k)
	      && k >= -1)
	    return true;
	}
    }
  return false;
}

/* Restrict N by G; false if it can't be.  A guard that is on or off for the
   whole launch becomes a dimension of 0 or 1, in SWITCHES.  */
static bool
guard_apply (site *s, nest *n, const use_guard &g, vec<use_poly> *switches)
{
  if (!use_find (g.d, USE_SET (USE_IV)))
    {
      HOST_WIDE_INT k;
      if (use_is_const (g.d, &k) || guard_is_loop (s, n, g))
	return true;
      use_poly on = use_min (use_const (1), use_max (use_const (0), g.d));
      for (unsigned i = 0; i < switches->length (); i++)
	if (use_equal ((*switches)[i], on))
	  return true;
      if (g.equal || switches->length () >= 2)
	return false;
      switches->safe_push (on);
      return true;
    }
  unsigned dim = use_find (g.d, USE_SET (USE_IV))->a;
  int i = nest_find (n, dim);
  if (i < 0 || is_unknown (n->hi[i]))
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
      use_poly at = use_div (use_mul (rest, use_const (-1)), step);
      n->lo[i] = use_max (n->lo[i], at);
      n->hi[i] = use_min (n->hi[i], use_add (at, use_const (1)));
    }
  else if (k > 0)
    n->lo[i] = use_max (n->lo[i],
			use_add (use_div (use_mul (rest, use_const (-1)), size),
				 use_const (1)));
  else
    n->hi[i] = use_min (n->hi[i],
			use_div (use_add (use_add (rest, size), use_const (-1)),
				 size));
  return true;
}

/* COUNT, which may depend on the dimensions 0 .. I - 1: on average, or at
   most.  */
static use_poly
count_without (site *s, nest *n, const vec<use_poly> &counts, use_poly count,
	       unsigned i, bool most)
{
  while (i-- > 0)
    {
      unsigned iv = use_atom_number (s->region->dims[n->dims[i]]->atom);
      if (is_unknown (n->hi[i]))
	continue;
      use_poly last = use_add (counts[i], use_const (-1));
      if (!most)
	count = use_substitute (count, iv, use_div (last, use_const (2)));
      else
	{
	  use_poly first = use_substitute (count, iv, use_const (0));
	  use_poly end = use_substitute (count, iv, last);
	  count = use_equal (first, end) ? first : use_max (first, end);
	}
    }
  return count;
}

/* Count dimension I of N by its index, where that starts at a place that depends
   on the dimensions around it, instead of by its iterations: what a triangular
   nest accesses then fits its box.  COUNT is its count; ADDRESS is changed.
   Returns how many there are at most, of which some are not accessed.  */
static use_poly
index_count (site *s, nest *n, unsigned i, const vec<use_poly> &counts,
	     use_poly count, use_poly *address)
{
  use_dim *dim = s->region->dims[n->dims[i]];
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
      first = k * dim->step >= 0 ? rest
	      : use_add (rest, use_mul (step, use_add (counts[j],
						       use_const (-1))));
    }
  if (use_find (first, USE_SET (USE_IV)))
    return count;
  use_poly shift = use_mul (use_add (dim->init, first, -1),
			    use_const (dim->step));
  *address = use_substitute (*address, use_atom_number (dim->atom),
			     use_add (dim->atom, shift, -1));
  return use_add (count, shift);
}

/* Fill REF's dimensions from N; ADDRESS is affine in them, or REF is not. */
static void
ref_dims (site *s, nest *n, use_ref *ref, use_poly address,
	  const vec<use_poly> &switches)
{
  auto_vec<use_poly> counts, extents, strides;
  bool affine = ref->flags & UMMGR_REF_AFFINE;
  for (unsigned i = 0; i < n->dims.length (); i++)
    {
      use_poly count = use_add (n->hi[i], n->lo[i], -1);
      counts.safe_push (count_without (s, n, counts, count, i, false));
      extents.safe_push (count_without (s, n, extents, count, i, true));
      strides.safe_push (use_const (0));
    }
  for (unsigned i = n->dims.length (); affine && i-- > 0;)
    {
      use_poly count = use_add (n->hi[i], n->lo[i], -1);
      use_poly most = index_count (s, n, i, extents, count, &address);
      extents[i] = count_without (s, n, extents, most, i, true);
      unsigned iv = use_atom_number (s->region->dims[n->dims[i]]->atom);
      use_poly rest;
      affine = use_linear (address, iv, &strides[i], &rest)
	       && !use_find (strides[i], USE_NOT_LAUNCH)
	       && (!is_unknown (n->hi[i]) || strides[i].n == 0);
      address = use_add (rest, use_mul (strides[i], n->lo[i]));
    }
  if (affine && use_find (address, USE_NOT_LAUNCH))
    affine = false;
  if (!affine && (ref->flags & UMMGR_REF_AFFINE))
    {
      ref->flags &= ~UMMGR_REF_AFFINE;
      if (!ref->why)
	ref->why = concat (arg_name (s->region, ref->arg),
			   "[...]: index not affine", NULL);
    }
  if (affine)
    ref->base = address;
  for (unsigned i = 0; i < n->dims.length (); i++)
    {
      if (is_unknown (n->hi[i]))
	continue;
      use_ref_dim dim = { affine ? strides[i] : use_const (0), counts[i],
			  extents[i], s->region->dims[n->dims[i]]->shared };
      if (use_find (dim.count, USE_NOT_LAUNCH)
	  || use_find (dim.extent, USE_NOT_LAUNCH))
	{
	  ref->frequency *= s->region->dims[n->dims[i]]->estimate;
	  n->exact = false;
	  if (affine && dim.stride.n)
	    ref->flags &= ~UMMGR_REF_AFFINE;
	  continue;
	}
      n->exact &= use_equal (dim.count, dim.extent);
      ref->dims.safe_push (dim);
    }
  for (unsigned i = 0; i < switches.length (); i++)
    {
      use_ref_dim dim = { use_const (0), switches[i], switches[i], false };
      ref->dims.safe_push (dim);
    }
}

/* The trip count, from the first reference in a work-shared loop.  */
static void
trip_note (use_region *region, nest *n, use_frame *)
{
  use_poly trip = use_const (1);
  bool any = false, exact = true;
  if (region->trip_known)
    return;
  for (unsigned i = 0; i < n->dims.length (); i++)
    {
      use_dim *dim = region->dims[n->dims[i]];
      if (!dim->shared)
	continue;
      if (!dim->known)
	return;
      trip = use_mul (trip, use_add (dim->passes,
				     use_const (n->once_more[i] ? 1 : 0)));
      exact &= dim->exact;
      any = true;
    }
  if (!any || use_find (trip, USE_NOT_LAUNCH))
    return;
  region->trip_known = true;
  region->trip_exact = exact;
  region->trip = trip;
}

/* ADDRESS less its one base argument, or false.  */
static bool
base_split (const use_poly &address, unsigned *arg, use_poly *rest)
{
  *rest = address;
  unsigned found = 0;
  for (unsigned i = 0; i < address.n; i++)
    {
      const use_term &t = address.terms[i];
      if (t.n == 1 && t.k == 1 && use_atoms[t.atom[0]].kind == USE_BASE)
	{
	  use_poly base = {};
	  base.n = 1;
	  base.terms[0] = t;
	  *arg = use_atoms[t.atom[0]].a;
	  *rest = use_add (*rest, base, -1);
	  found++;
	}
    }
  return found == 1;
}

static char *
data_why (use_region *region, unsigned arg, const use_poly &rest)
{
  const use_atom *data = use_find (rest, USE_SET (USE_DATA));
  if (data)
    return concat (arg_name (region, arg), "[...]: index loaded from memory (",
		   arg_name (region, data->a), "[...])", NULL);
  const use_atom *o = use_find (rest, USE_SET (USE_OPAQUE));
  if (o && o->a == USE_WHY_MEMORY)
    return concat (arg_name (region, arg), "[...]: index loaded from memory",
		   NULL);
  if (o && o->a == USE_WHY_CALL)
    return concat (arg_name (region, arg), "[...]: index from a call", NULL);
  return concat (arg_name (region, arg), "[...]: index not affine", NULL);
}

/* One way of the reference.  */
static void
ref_add (site *s, const use_way &way, unsigned size, unsigned flags)
{
  use_region *region = s->region;
  unsigned arg;
  use_poly rest;
  bool read = flags & UMMGR_REF_READ, write = flags & UMMGR_REF_WRITE;
  const unsigned elsewhere = USE_SET (USE_BLOCK) | USE_SET (USE_LOCAL)
			     | USE_SET (USE_GLOBAL);
  if (!base_split (way.value, &arg, &rest))
    {
      if (use_find (way.value, elsewhere))
	return;
      const use_atom *data = use_find (way.value, USE_SET (USE_DATA)
						  | USE_SET (USE_LOAD));
      char *why = data ? concat (arg_name (region, data->a),
				 "->...: pointer loaded from memory", NULL)
		       : xstrdup ("a pointer of unknown origin");
      wild (s, read, write, why);
      free (why);
      return;
    }
  region->arg_flags[arg] |= (read ? UMMGR_USE_READ : 0)
			    | (write ? UMMGR_USE_WRITE : 0);
  if (region->refs.length () >= REFS_MAX)
    {
      arg_unknown (s, arg, 0, "too many references");
      return;
    }
  nest n;
  nest_fill (s, &n);
  nest_bounds (s, &n);
  auto_vec<use_poly> switches;
  for (unsigned i = 0; i < n.guards.length (); i++)
    if (!guard_apply (s, &n, n.guards[i], &switches))
      {
	n.frequency *= n.guards[i].probability;
	n.exact = false;
      }
  n.exact &= way.weight == 1;
  use_ref *ref = new use_ref ();
  ref->arg = arg;
  ref->flags = flags;
  ref->size = size;
  ref->line = gimple_location (s->stmt) > BUILTINS_LOCATION
	      ? expand_location (gimple_location (s->stmt)).line : 0;
  ref->frequency = n.frequency * way.weight;
  if (!use_find (rest, USE_NOT_LAUNCH & ~USE_SET (USE_IV)))
    ref->flags |= UMMGR_REF_AFFINE;
  else
    {
      if (use_find (rest, USE_SET (USE_DATA)))
	ref->flags |= UMMGR_REF_DATA;
      ref->why = data_why (region, arg, rest);
    }
  ref_dims (s, &n, ref, rest, switches);
  if (n.exact && (ref->flags & UMMGR_REF_AFFINE))
    ref->flags |= UMMGR_REF_EXACT;
  trip_note (region, &n, s->frame);
  region->refs.safe_push (ref);
}

static void
address_add (site *s, const use_poly &address, HOST_WIDE_INT size,
	     unsigned flags)
{
  auto_vec<use_way> ways;
  use_expand (s->region, address, &ways);
  for (unsigned i = 0; i < ways.length (); i++)
    ref_add (s, ways[i], size > 0 && size < 0x7fffffff ? size : 0, flags);
}

static void
memory_add (site *s, tree ref, unsigned flags)
{
  /* A part of an SSA name is no memory.  */
  tree base = get_base_address (ref);
  if (!REFERENCE_CLASS_P (ref) || (base && TREE_CODE (base) == SSA_NAME))
    return;
  address_add (s, use_eval_address (s->region, s->frame, ref),
	       int_size_in_bytes (TREE_TYPE (ref)), flags);
}

/* VALUE gets where it is not followed.  */
static void
escape (site *s, tree value, unsigned flags, const char *why)
{
  if (!POINTER_TYPE_P (TREE_TYPE (value)))
    return;
  auto_vec<use_way> ways;
  use_expand (s->region, use_eval (s->region, s->frame, value), &ways);
  for (unsigned i = 0; i < ways.length (); i++)
    if (const use_atom *base = use_find (ways[i].value, USE_SET (USE_BASE)))
      arg_unknown (s, base->a, flags, why);
    else if (use_find (ways[i].value, USE_SET (USE_DATA)))
      wild (s, flags & UMMGR_USE_READ, flags & UMMGR_USE_WRITE, why);
}

static void
assign_walk (site *s, gimple *stmt)
{
  if (!gimple_assign_single_p (stmt) || gimple_clobber_p (stmt))
    return;
  tree lhs = gimple_assign_lhs (stmt), rhs = gimple_assign_rhs1 (stmt);
  memory_add (s, rhs, UMMGR_REF_READ);
  if (!REFERENCE_CLASS_P (lhs))
    return;
  memory_add (s, lhs, UMMGR_REF_WRITE);
  use_poly to = use_eval_address (s->region, s->frame, lhs);
  if (!use_find (to, USE_SET (USE_LOCAL)))
    escape (s, rhs, UMMGR_USE_READ | UMMGR_USE_WRITE,
	    "its address is stored to memory");
}

/* An atomic built-in, by its name's end the size.  */
static bool
atomic_walk (site *s, gcall *call, const char *name)
{
  if (!startswith (name, "__atomic_") && !startswith (name, "__sync_"))
    return false;
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
internal_walk (site *s, gcall *call)
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

/* Analyse CALLEE as called at S.  FIRST: number of the call's argument that is
   its first parameter.  */
static bool
callee_walk (site *s, gcall *call, tree callee, unsigned first)
{
  function *fun = DECL_STRUCT_FUNCTION (callee);
  cgraph_node *node = cgraph_node::get (callee);
  if (!node || !node->has_gimple_body_p () || !fun || !fun->cfg || !fun->gimple_df
      || !gimple_in_ssa_p (fun) || s->region->frames.length () >= FRAMES_MAX
      || fun->cfg->x_n_basic_blocks > 4000)
    return false;
  unsigned depth = 0;
  for (use_frame *f = s->frame; f; f = f->caller, depth++)
    if (f->fun == fun || depth > DEPTH_MAX)
      return false;
  use_frame *frame = use_frame_new (s->region, fun, s->frame);
  for (unsigned i = first; i < gimple_call_num_args (call); i++)
    {
      frame->params.safe_push (use_eval (s->region, s->frame,
					 gimple_call_arg (call, i)));
      if (first)
	break;
    }
  nest n;
  nest_fill (s, &n);
  frame->frequency = n.frequency;
  frame->dims.safe_splice (n.dims);
  frame->once_more.safe_splice (n.once_more);
  frame->guards.safe_splice (n.guards);
  use_walk (s->region, frame);
  return true;
}

/* A call into code that is not seen.  */
static void
unseen_walk (site *s, gcall *call, tree callee)
{
  int ecf = gimple_call_flags (call);
  if (ecf & ECF_CONST)
    return;
  const char *name = use_call_name (call);
  /* libgomp's own take no user data but what is handled elsewhere.  */
  if ((startswith (name, "omp_") || startswith (name, "GOMP_"))
      && !startswith (name, "GOMP_task") && !startswith (name, "GOMP_para")
      && !startswith (name, "GOMP_teams_reg"))
    return;
  char *why = concat ("passed to ", *name ? name : "an unknown function",
		      ", whose code is not seen", NULL);
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
    wild (s, true, true, "a call through a pointer");
  if (startswith (name, "GOMP_task") || startswith (name, "GOMP_para"))
    wild (s, true, true, why);
  free (why);
}

static void
call_walk (site *s, gcall *call)
{
  tree callee = gimple_call_fndecl (call);
  const char *name = use_call_name (call);
  for (unsigned i = 0; i < gimple_call_num_args (call); i++)
    if (REFERENCE_CLASS_P (gimple_call_arg (call, i)))
      memory_add (s, gimple_call_arg (call, i), UMMGR_REF_READ);
  if (gimple_call_lhs (call) && REFERENCE_CLASS_P (gimple_call_lhs (call)))
    memory_add (s, gimple_call_lhs (call), UMMGR_REF_WRITE);
  if (atomic_walk (s, call, name))
    return;
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
	  && callee_walk (s, call, child, 1))
	return;
    }
  else if (callee && !ummgr_decl_is_replaceable (callee)
	   && callee_walk (s, call, callee, 0))
    return;
  unseen_walk (s, call, callee);
}

use_frame *
use_frame_new (use_region *region, function *fun, use_frame *caller)
{
  use_frame *frame = new use_frame ();
  frame->number = region->frames.length ();
  frame->fun = fun;
  frame->caller = caller;
  frame->frequency = 1;
  region->frames.safe_push (frame);
  return frame;
}

void
use_walk (use_region *region, use_frame *frame)
{
  push_cfun (frame->fun);
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
	  site s = { region, frame, gsi_stmt (gsi), block };
	  if (is_gimple_assign (s.stmt))
	    assign_walk (&s, s.stmt);
	  else if (gcall *call = dyn_cast <gcall *> (s.stmt))
	    call_walk (&s, call);
	  else if (gasm *code = dyn_cast <gasm *> (s.stmt))
	    if (gimple_vuse (code))
	      wild (&s, true, true, "an asm statement");
	}
    }
  loop_optimizer_finalize ();
  pop_cfun ();
}
