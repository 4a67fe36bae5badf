/* What the host does with memory while a construct maps it, and what such constructs bring back.
   SPDX-License-Identifier: GPL-3.0-or-later

   While `target data' maps an array the host and the device each have their own of it, as far as a program
   may tell.  It can't tell where the host doesn't touch the array until the construct ends, and where
   what regions write comes back, or nobody on the host reads the array at all: then the two may as well
   share it.  In

     double *x = malloc (size), *t = malloc (size), *s = malloc (size);
     fill (x, n);
     #pragma omp target data map(tofrom: x[0:n], s[0:n]) map(alloc: t[0:n])
       for (int k = 0; k < steps; k++)
	 {
	   step (x, t, s, n);		// a region
	   #pragma omp target update from(s[0:1])
	   printf ("%g\n", s[0]);
	 }
     print (x, n);

   x and t can be shared: x comes back, and t is nobody's but the regions'.  s the host reads while it is
   mapped: what it finds there is of the last `target update', unless the two share it.  Had t been mapped `to',
   the next such construct would find what the host has, and not what regions left: so that counts as reading.

   Memory is told apart by where its owner knows it: WITHIN has, for a root, all that is touched while that is
   mapped, and whether that is the same memory is asked of roots that a function owns.  Whatever `enter data'
   maps counts as touched.  Holds what regions don't write, until live_end.  */

#include "live/live.h"

/* By regions' functions, the arguments that they don't write to.  */
static hash_map<tree, vec<bool>> *unwritten;

void
live_unwritten (tree function, unsigned argument)
{
  if (!unwritten)
    unwritten = new hash_map<tree, vec<bool>>;
  vec<bool> &all = unwritten->get_or_insert (function);
  if (all.length () <= argument)
    all.safe_grow_cleared (argument + 1);
  all[argument] = true;
}

void
live_within_end (void)
{
  if (!unwritten)
    return;
  for (auto it = unwritten->begin (); it != unwritten->end (); ++it)
    (*it).second.release ();
  delete unwritten;
  unwritten = NULL;
}

/* May the region FUNCTION write to what argument I points to?  */
static bool
is_written (tree function, unsigned i)
{
  vec<bool> *all = unwritten && function ? unwritten->get (function) : NULL;
  return !all || i >= all->length () || !(*all)[i];
}

/* What the host touches in a statement, and of that what it reads; and what regions may write.  */
struct seen
{
  live_function *f;
  live_set touches, reads, writes;
};

static bool
on_load (gimple *, tree, tree ref, void *data)
{
  seen *s = (seen *) data;
  live_set set = live_memory (s->f, ref);
  s->touches |= set;
  s->reads |= set;
  return false;
}

static bool
on_store (gimple *, tree, tree ref, void *data)
{
  seen *s = (seen *) data;
  s->touches |= live_memory (s->f, ref);
  return false;
}

/* F's roots that CALLEE's SET are at CALL.  */
static live_set
passed (live_function *f, const gcall *call, const live_function *callee, unsigned first, live_set set)
{
  live_set out = 0, one;
  tree value;
  for (unsigned i = 1; i < callee->roots.length (); i++)
    if (set >> i & 1 && live_passed (f, call, callee, first, i, &one, &value))
      out |= one;
  return out;
}

/* Does the region of the launch CALL run on a device in any case?  */
static bool
runs_there (const gcall *call)
{
  tree function = live_launch_function (call);
  const ummgr_region *region = function ? ummgr_region_of (function) : NULL;
  return region && !(region->flags & (UMMGR_REGION_IF | UMMGR_REGION_DEVICE | UMMGR_REGION_ELSEWHERE));
}

static void
call_touches (seen *s, gcall *call)
{
  unsigned first;
  live_set all = 0;
  const live_function *callee;
  switch (live_call_kind_of (call))
    {
    case LIVE_CALL_SEEN:
      callee = live_callee (call, &first);
      s->touches |= passed (s->f, call, callee, first, callee->touches);
      s->reads |= passed (s->f, call, callee, first, callee->reads);
      s->writes |= passed (s->f, call, callee, first, callee->writes);
      break;
    case LIVE_CALL_LAUNCH:
      for (unsigned i = 0; live_launch_has_argument (call, i); i++)
	{
	  live_set set = live_launch_argument (s->f, call, i);
	  all |= set;
	  s->writes |= is_written (live_launch_function (call), i) ? set : 0;
	}
      /* On the host, maybe.  */
      if (!runs_there (call))
	{
	  s->touches |= all;
	  s->reads |= all;
	}
      break;
    case LIVE_CALL_COPY:
      s->reads |= live_points_to (s->f, gimple_call_arg (call, 1));
      s->touches |= s->reads;
      /* FALLTHRU */
    case LIVE_CALL_SET:
      s->touches |= live_points_to (s->f, gimple_call_arg (call, 0));
      break;
    case LIVE_CALL_ARGS:
    case LIVE_CALL_UNSEEN:
      for (unsigned i = 0; i < gimple_call_num_args (call); i++)
	all |= live_points_to (s->f, gimple_call_arg (call, i));
      all |= live_contents (s->f, all);
      s->touches |= all;
      s->reads |= all;
      break;
    default:
      break;
    }
}

static void
statement_touches (seen *s, gimple *stmt)
{
  if (is_gimple_debug (stmt) || gimple_clobber_p (stmt))
    return;
  /* An asm's operands have escaped, and what escaped isn't asked about.  */
  walk_stmt_load_store_ops (stmt, s, on_load, on_store);
  if (gcall *call = dyn_cast <gcall *> (stmt))
    call_touches (s, call);
}

/* All that statements of F touch, read and have written.  */
static void
touches_find (live_function *f)
{
  basic_block block;
  seen s = { f, 0, 0, 0 };
  FOR_EACH_BB_FN (block, f->fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi); gsi_next (&gsi))
      statement_touches (&s, gsi_stmt (gsi));
  f->touches = s.touches;
  f->reads = s.reads;
  f->writes = s.writes;
}

/* --- constructs ------------------------------------------------------------- */

/* What a clause's kind is if its section isn't empty, of VALUE, as the kinds have it; -1: not known.  Where a section
   may be empty the kind is chosen as the program runs.  */
static int
kind_of (tree value, unsigned depth)
{
  if (!value || depth == 0)
    return -1;
  if (tree_fits_uhwi_p (value))
    return tree_to_uhwi (value) & 0xff;
  if (TREE_CODE (value) != SSA_NAME)
    return -1;
  gimple *def = SSA_NAME_DEF_STMT (value);
  auto_vec<tree> values;
  if (gphi *phi = dyn_cast <gphi *> (def))
    for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
      values.safe_push (gimple_phi_arg_def (phi, i));
  else if (is_gimple_assign (def) && gimple_assign_rhs_code (def) == COND_EXPR)
    {
      values.safe_push (gimple_assign_rhs2 (def));
      values.safe_push (gimple_assign_rhs3 (def));
    }
  else if (is_gimple_assign (def) && (gimple_assign_single_p (def) || gimple_assign_cast_p (def)))
    values.safe_push (gimple_assign_rhs1 (def));
  int kind = -1;
  for (tree one : values)
    {
      int its = kind_of (one, depth - 1);
      if (its == -1 || (kind != -1 && kind != GOMP_MAP_ZERO_LEN_ARRAY_SECTION && its != GOMP_MAP_ZERO_LEN_ARRAY_SECTION
			&& its != kind))
	return -1;
      if (kind == -1 || kind == GOMP_MAP_ZERO_LEN_ARRAY_SECTION)
	kind = its;
    }
  return kind;
}

/* The kind of clause I of a construct whose kinds are KINDS, of F; -1: not known.  */
static int
clause_kind (const live_function *f, tree kinds, unsigned i)
{
  tree array = TREE_CODE (kinds) == ADDR_EXPR ? TREE_OPERAND (kinds, 0) : NULL_TREE, value = NULL_TREE;
  if (!array || !VAR_P (array))
    return -1;
  if (is_global_var (array))
    {
      tree index;
      unsigned HOST_WIDE_INT n;
      if (DECL_INITIAL (array) && TREE_CODE (DECL_INITIAL (array)) == CONSTRUCTOR)
	FOR_EACH_CONSTRUCTOR_ELT (CONSTRUCTOR_ELTS (DECL_INITIAL (array)), n, index, value)
	  if (index && tree_fits_uhwi_p (index) && tree_to_uhwi (index) == i)
	    return kind_of (value, 1);
      return -1;
    }
  for (gimple *stmt : f->stores)
    {
      tree lhs = gimple_get_lhs (stmt);
      if (get_base_address (lhs) != array)
	continue;
      if (TREE_CODE (lhs) != ARRAY_REF || !tree_fits_uhwi_p (TREE_OPERAND (lhs, 1)) || !gimple_assign_single_p (stmt))
	return -1;
      if (tree_to_uhwi (TREE_OPERAND (lhs, 1)) != i)
	continue;
      if (value)
	return -1;
      value = gimple_assign_rhs1 (stmt);
    }
  return kind_of (value, 4);
}

/* Does a clause of KIND map data; and does that come, into *IN, and come back, into *BACK?  What isn't known comes, and
   doesn't come back.  */
static bool
maps_data (int kind, bool *in, bool *back)
{
  switch (kind)
    {
    case -1:
      *in = true;
      *back = false;
      return true;
    case GOMP_MAP_ALLOC:
    case GOMP_MAP_TO:
    case GOMP_MAP_FROM:
    case GOMP_MAP_TOFROM:
    case GOMP_MAP_ALWAYS_TO:
    case GOMP_MAP_ALWAYS_FROM:
    case GOMP_MAP_ALWAYS_TOFROM:
      *in = kind & GOMP_MAP_TO;
      *back = kind & GOMP_MAP_FROM;
      return true;
    default:
      return false;
    }
}

/* F's roots that CALL maps, by its arguments BLOCK and, two behind, their kinds; into *HELD those that don't
   come back.  What it copies to the device is read.  */
static live_set
mapped (live_function *f, gcall *call, unsigned block, live_set *held)
{
  live_set out = 0;
  for (unsigned i = 0;; i++)
    {
      bool in, back;
      HOST_WIDE_INT offset = live_block_offset (call, block, i);
      if (offset < 0)
	return out;
      if (!maps_data (clause_kind (f, gimple_call_arg (call, block + 2), i), &in, &back))
	continue;
      live_set set = live_block_field (f, call, block, offset);
      out |= set;
      f->reads |= in ? set : 0;
      *held |= back ? 0 : set;
    }
}

/* WITHIN of each of F's roots MAPPED has SET, too.  */
static void
within_add (live_function *f, live_set mapped, live_set set)
{
  for (unsigned i = 1; i < f->roots.length (); i++)
    if (mapped >> i & 1)
      f->within[i] |= set;
}

static bool
is_call_of (const gimple *stmt, const char *name)
{
  return is_gimple_call (stmt) && strcmp (ummgr_call_name (stmt), name) == 0;
}

/* Blocks to be gone through, each from its beginning, so many constructs deep.  */
struct point
{
  basic_block block;
  unsigned depth;
};

/* Go on from GSI, DEPTH constructs within the one that is asked about; where that hasn't ended in the block, what
   follows goes to LEFT.  */
static void
body_walk (seen *s, gimple_stmt_iterator gsi, unsigned depth, vec<point> *left)
{
  basic_block block = gsi_bb (gsi);
  for (; !gsi_end_p (gsi); gsi_next (&gsi))
    {
      gimple *stmt = gsi_stmt (gsi);
      if (is_call_of (stmt, "GOMP_target_data_ext"))
	depth++;
      else if (is_call_of (stmt, "GOMP_target_end_data") && --depth == 0)
	return;
      else
	statement_touches (s, stmt);
    }
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, block->succs)
    if (e->dest != EXIT_BLOCK_PTR_FOR_FN (s->f->fun))
      left->safe_push ({ e->dest, depth });
}

/* What is done while the `target data' that GSI, at its beginning, begins is open in F.  */
static seen
body_look (live_function *f, gimple_stmt_iterator gsi)
{
  seen s = { f, 0, 0, 0 };
  auto_vec<point> left;
  auto_sbitmap done (last_basic_block_for_fn (f->fun));
  bitmap_clear (done);
  gsi_next (&gsi);
  body_walk (&s, gsi, 1, &left);
  while (!left.is_empty ())
    {
      point p = left.pop ();
      if (bitmap_set_bit (done, p.block->index))
	body_walk (&s, gsi_start_bb (p.block), p.depth, &left);
    }
  return s;
}

static void
call_within (live_function *f, gimple_stmt_iterator gsi)
{
  gcall *call = as_a <gcall *> (gsi_stmt (gsi));
  live_set set, held = 0;
  unsigned first;
  seen body = { f, 0, 0, 0 };
  switch (live_call_kind_of (call))
    {
    case LIVE_CALL_LAUNCH:
      mapped (f, call, 3, &held);
      call_touches (&body, call);
      held &= body.writes;
      /* It may run on while the host does.  */
      if (live_launch_is_async (call))
	for (unsigned i = 0; live_launch_has_argument (call, i); i++)
	  {
	    set = live_launch_argument (f, call, i);
	    within_add (f, set, set);
	  }
      break;
    case LIVE_CALL_DATA:
      set = mapped (f, call, 2, &held);
      /* What `target update' sends takes the place of what regions wrote.  */
      if (is_call_of (call, "GOMP_target_update_ext"))
	break;
      body.touches = set;
      body.writes = set;
      if (is_call_of (call, "GOMP_target_data_ext"))
	body = body_look (f, gsi);
      within_add (f, set, body.touches);
      held &= body.writes;
      break;
    case LIVE_CALL_SEEN:
      {
	const live_function *callee = live_callee (call, &first);
	held = passed (f, call, callee, first, callee->held);
	for (unsigned i = 1; i < callee->roots.length (); i++)
	  if (callee->within[i])
	    within_add (f, passed (f, call, callee, first, live_bit_of (i)),
			passed (f, call, callee, first, callee->within[i]));
      }
      break;
    default:
      break;
    }
  f->held |= held;
}

void
live_within_find (live_function *f)
{
  basic_block block;
  touches_find (f);
  FOR_EACH_BB_FN (block, f->fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi); gsi_next (&gsi))
      if (is_gimple_call (gsi_stmt (gsi)))
	call_within (f, gsi);
}

live_sharing
live_sharing_of (cgraph_node *node, gcall *call)
{
  const live_function *f = live_function_of (node);
  tree value = gimple_call_lhs (call);
  for (unsigned i = 1; f && i < f->roots.length (); i++)
    {
      const live_root &root = f->roots[i];
      if (root.kind == LIVE_ALLOC && root.t == value)
	return { !root.escaped && !root.returned && !(f->within[i] >> i & 1), (f->held >> i & 1) != 0,
		 !(f->reads >> i & 1) };
    }
  return { false, true, false };
}
