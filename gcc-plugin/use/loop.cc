/* Loops: iteration numbers, and how many there are.
   SPDX-License-Identifier: GPL-3.0-or-later

   A header PHI that grows by the same step each time is linear in its loop's
   iteration number.  GCC makes one loop of a collapsed nest: the inner index
   grows or is reset, the outer one grows when the inner is reset.  Its indices
   are linear in numbers of their own, whose counts' product is the loop's.

   Scalar evolution is not used: it needs each function optimised and each loop
   in canonical form, and the code must stay as it is here.  */

#include "use/use.h"

/* What leaves a loop after nobody knows how many iterations at -O0.  */
#define GUESSED_PASSES 8.0

static const char *const teams_calls[] = { "GOMP_teams4", NULL };

/* Could the value be told before the loop starts, from outside it?  */
static bool
is_invariant (const use_poly &a)
{
  return !use_find (a, USE_SET (USE_OPAQUE) | USE_SET (USE_DATA)
		       | USE_SET (USE_PHI) | USE_SET (USE_BASE)
		       | USE_SET (USE_LOCAL) | USE_SET (USE_BLOCK)
		       | USE_SET (USE_GLOBAL));
}

/* How often a test of D in iterations 0, 1, ... of IV succeeds at first.  */
static bool
passes_count (const use_poly &d, tree_code code, unsigned iv, use_poly *passes)
{
  use_poly step, start;
  HOST_WIDE_INT k;
  if (!use_linear (d, iv, &step, &start) || step.n == 0 || code == EQ_EXPR
      || !is_invariant (step) || !is_invariant (start)
      || use_find (step, USE_SET (USE_IV)))
    return false;
  if (code == NE_EXPR)
    {
      *passes = use_div (use_mul (start, use_const (-1)), step);
      return true;
    }
  use_poly down = use_mul (step, use_const (-1));
  if (use_is_const (down, &k) ? k <= 0 : down.n != 1 || down.terms[0].k <= 0)
    return false;
  *passes = use_div_up (start, down);
  return true;
}

/* The loop's value on entry.  */
static use_poly
header_init (use_region *region, use_frame *frame, gphi *phi)
{
  class loop *loop = gimple_bb (phi)->loop_father;
  use_poly value = {};
  unsigned found = 0;
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    {
      edge e = gimple_phi_arg_edge (phi, i);
      if (flow_bb_inside_loop_p (loop, e->src) || frame->dead.contains (e))
	continue;
      use_poly v = use_eval (region, frame, gimple_phi_arg_def (phi, i));
      if (found++ && !use_equal (v, value))
	return use_simple (USE_OPAQUE, USE_WHY_COMPUTED, NULL_TREE);
      value = v;
    }
  return value;
}

/* A as it is when the loop CARRY is entered.  */
static use_poly
value_entered (use_region *region, use_frame *frame, class loop *carry, use_poly a)
{
  for (gphi_iterator gsi = gsi_start_phis (carry->header); !gsi_end_p (gsi); gsi_next (&gsi))
    {
      use_poly self = use_simple (USE_PHI, frame->number, gimple_phi_result (gsi.phi ()));
      if (INTEGRAL_TYPE_P (TREE_TYPE (gimple_phi_result (gsi.phi ()))))
	a = use_substitute (a, use_atom_number (self), header_init (region, frame, gsi.phi ()));
    }
  return a;
}

static void
leaf_add (vec<use_poly> *leaves, const use_poly &value)
{
  for (unsigned i = 0; i < leaves->length (); i++)
    if (use_equal ((*leaves)[i], value))
      return;
  leaves->safe_push (value);
}

/* What PHI has of E.  A variable that has been found equal to a constant is that constant, in GCC 14 where an
   index has two values; the variable says more.  */
static tree
phi_value (gphi *phi, edge e)
{
  tree value = PHI_ARG_DEF_FROM_EDGE (phi, e);
  while (empty_block_p (e->src) && single_pred_p (e->src) && single_succ_p (e->src))
    e = single_pred_edge (e->src);
  gcond *cond = safe_dyn_cast <gcond *> (gsi_stmt (gsi_last_bb (e->src)));
  bool equal = cond && gimple_cond_code (cond) == (e->flags & EDGE_TRUE_VALUE ? EQ_EXPR : NE_EXPR);
  return equal && TREE_CODE (value) == INTEGER_CST && operand_equal_p (gimple_cond_rhs (cond), value)
	 ? gimple_cond_lhs (cond) : value;
}

/* The values that NAME takes within LOOP, joins undone.  */
static void
leaves_find (use_region *region, use_frame *frame, class loop *loop, tree name,
	     hash_set<tree> *seen, vec<use_poly> *leaves)
{
  gphi *phi = TREE_CODE (name) == SSA_NAME
	      ? dyn_cast <gphi *> (SSA_NAME_DEF_STMT (name)) : NULL;
  if (phi && !use_is_header_phi (phi)
      && flow_bb_inside_loop_p (loop, gimple_bb (phi)))
    {
      if (!seen->add (name))
	for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
	  if (!frame->dead.contains (gimple_phi_arg_edge (phi, i)))
	    leaves_find (region, frame, loop, phi_value (phi, gimple_phi_arg_edge (phi, i)), seen, leaves);
      return;
    }
  if (phi && use_loop_carries (gimple_bb (phi)->loop_father, loop))
    for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
      leaf_add (leaves, value_entered (region, frame, gimple_bb (phi)->loop_father,
				       use_eval (region, frame, gimple_phi_arg_def (phi, i))));
  else
    leaf_add (leaves, use_eval (region, frame, name));
}

/* How a header PHI goes on.  */
struct progress
{
  gphi *phi;
  use_poly init, step;
  bool steps, stays, resets, other;
};

static progress
progress_find (use_region *region, use_frame *frame, gphi *phi)
{
  progress p = {};
  p.phi = phi;
  p.init = header_init (region, frame, phi);
  class loop *loop = gimple_bb (phi)->loop_father;
  auto_vec<use_poly> leaves;
  hash_set<tree> seen;
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    {
      edge e = gimple_phi_arg_edge (phi, i);
      if (flow_bb_inside_loop_p (loop, e->src) && !frame->dead.contains (e))
	leaves_find (region, frame, loop, phi_value (phi, e), &seen, &leaves);
    }
  use_poly self = use_simple (USE_PHI, frame->number, gimple_phi_result (phi));
  for (unsigned i = 0; i < leaves.length (); i++)
    {
      use_poly step = use_add (leaves[i], self, -1);
      if (step.n == 0)
	p.stays = true;
      else if (use_equal (leaves[i], p.init))
	p.resets = true;
      else if (is_invariant (step) && !p.steps)
	{
	  p.steps = true;
	  p.step = step;
	}
      else
	p.other = true;
    }
  return p;
}

static unsigned
dim_new (use_region *region, class loop *loop)
{
  use_dim *dim = new use_dim ();
  unsigned i = region->dims.length ();
  dim->loop = loop;
  dim->atom = use_simple (USE_IV, i, NULL_TREE);
  region->dims.safe_push (dim);
  return i;
}

/* Does a condition rest on NAME, through at most DEPTH assignments?  */
static bool
is_tested (tree name, unsigned depth)
{
  imm_use_iterator iter;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST (use, iter, name)
    {
      gimple *stmt = USE_STMT (use);
      tree lhs = is_gimple_assign (stmt) ? gimple_assign_lhs (stmt) : NULL_TREE;
      if (is_a <gcond *> (stmt)
	  || (depth && lhs && TREE_CODE (lhs) == SSA_NAME && is_tested (lhs, depth - 1)))
	return true;
    }
  return false;
}

/* A chunk's size where SUM is chunk number * size + size, of chunks of 1 folded; or
   NULL_TREE.  Tiles, of which chunks of 1 are given out, look like that, but nobody asks whether
   their first index is there.  */
static tree
chunk_size (use_frame *frame, gimple *sum)
{
  if (!sum || !is_gimple_assign (sum) || gimple_assign_rhs_code (sum) != PLUS_EXPR)
    return NULL_TREE;
  if (integer_onep (gimple_assign_rhs2 (sum)) && frame->shared.contains (gimple_assign_rhs1 (sum)))
    return gimple_assign_rhs2 (sum);
  /* GCC orders what commutes, and a constant comes last.  */
  for (unsigned j = 1; j <= 2; j++)
    {
      tree name = gimple_op (sum, j), size = gimple_op (sum, 3 - j);
      gimple *start = TREE_CODE (name) == SSA_NAME ? SSA_NAME_DEF_STMT (name) : NULL;
      if (start && is_gimple_assign (start) && gimple_assign_rhs_code (start) == MULT_EXPR
	  && (operand_equal_p (gimple_assign_rhs1 (start), size)
	      || operand_equal_p (gimple_assign_rhs2 (start), size))
	  && is_tested (name, 1))
	return size;
    }
  return NULL_TREE;
}

/* The size where STMT is the end of a chunk, min (chunk number * size + size, n).  */
static tree
chunk_end_size (use_frame *frame, gimple *stmt)
{
  tree size = NULL_TREE;
  if (!is_gimple_assign (stmt) || gimple_assign_rhs_code (stmt) != MIN_EXPR)
    return NULL_TREE;
  for (unsigned j = 1; j <= 2 && !size; j++)
    if (TREE_CODE (gimple_op (stmt, j)) == SSA_NAME)
      size = chunk_size (frame, SSA_NAME_DEF_STMT (gimple_op (stmt, j)));
  /* Unoptimised, it is there where no loop goes up to it, too.  */
  if (size && integer_onep (size) && !is_tested (gimple_assign_lhs (stmt), 4))
    return NULL_TREE;
  return size;
}

/* Is LOOP one over a thread's chunks (its number is multiplied by that of the
   threads), or one that a call of libgomp's ends?  Chunks of 1 have no loop of
   their own: that over them is the work-shared one.  */
static bool
loop_is_transparent (use_region *region, use_frame *frame, class loop *loop)
{
  static const char *const team_count[] = { "omp_get_num_teams", NULL };
  basic_block *body = get_loop_body (loop);
  bool found = false, chunks = false, teams = false;
  tree size = NULL_TREE;
  for (unsigned i = 0; i < loop->num_nodes && !found; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi);
	 gsi_next (&gsi))
      {
	gimple *stmt = gsi_stmt (gsi);
	if (!size)
	  size = chunk_end_size (frame, stmt);
	/* Nothing is around the loop over teams.  */
	if (use_is_call (stmt, teams_calls)
	    || (body[i]->loop_father == loop && use_is_next (stmt)))
	  found = true;
	if (!is_gimple_assign (stmt)
	    || gimple_assign_rhs_code (stmt) != MULT_EXPR)
	  continue;
	bool count = false, number = false;
	for (unsigned j = 1; j <= 2; j++)
	  {
	    tree name = gimple_op (stmt, j);
	    while (TREE_CODE (name) == SSA_NAME
		   && (gimple_assign_cast_p (SSA_NAME_DEF_STMT (name))
		       || gimple_assign_ssa_name_copy_p
			    (SSA_NAME_DEF_STMT (name))))
	      name = gimple_assign_rhs1 (SSA_NAME_DEF_STMT (name));
	    if (TREE_CODE (name) != SSA_NAME)
	      continue;
	    gimple *def = SSA_NAME_DEF_STMT (name);
	    count |= use_is_call (def, use_count_calls);
	    teams |= use_is_call (def, team_count);
	    number |= gimple_code (def) == GIMPLE_PHI
		      && gimple_bb (def) == loop->header;
	  }
	chunks |= count && number;
      }
  free (body);
  if (found || !chunks || !size)
    return found;
  use_clause_note (teams ? &region->distribute_chunk : &region->shared_chunk,
		   use_eval (region, frame, size));
  return true;
}

use_poly
use_first_chunk (use_region *region, use_poly a)
{
  const use_atom *atom;
  while ((atom = use_find (a, USE_SET (USE_PHI))))
    {
      unsigned number = atom - use_atoms.address ();
      use_frame *frame = region->frames[atom->a];
      gphi *phi = dyn_cast <gphi *> (SSA_NAME_DEF_STMT (atom->t));
      if (!phi || !use_is_header_phi (phi)
	  || !loop_is_transparent (region, frame, gimple_bb (phi)->loop_father))
	break;
      a = use_substitute (a, number, header_init (region, frame, phi));
    }
  return a;
}

/* Is NAME how many threads or teams there are?  */
static bool
is_count (tree name)
{
  while (TREE_CODE (name) == SSA_NAME && gimple_assign_cast_p (SSA_NAME_DEF_STMT (name)))
    name = gimple_assign_rhs1 (SSA_NAME_DEF_STMT (name));
  return TREE_CODE (name) == SSA_NAME && use_is_call (SSA_NAME_DEF_STMT (name), use_count_calls);
}

/* Does LOOP go over the threads, as what puts reductions together does?  */
static bool
loop_is_over_threads (class loop *loop)
{
  auto_vec<edge> exits = get_loop_exit_edges (loop);
  for (unsigned i = 0; i < exits.length (); i++)
    if (gcond *cond = safe_dyn_cast <gcond *> (gsi_stmt (gsi_last_bb (exits[i]->src))))
      if (is_count (gimple_cond_lhs (cond)) || is_count (gimple_cond_rhs (cond)))
	return true;
  return false;
}

/* Does anything that decides how often LOOP runs derive from the share of a
   thread or team?  */
static bool
loop_is_shared (use_frame *frame, class loop *loop)
{
  for (gphi_iterator gsi = gsi_start_phis (loop->header); !gsi_end_p (gsi);
       gsi_next (&gsi))
    for (unsigned i = 0; i < gimple_phi_num_args (gsi.phi ()); i++)
      {
	tree arg = gimple_phi_arg_def (gsi.phi (), i);
	if (!flow_bb_inside_loop_p (loop,
				    gimple_phi_arg_edge (gsi.phi (), i)->src)
	    && TREE_CODE (arg) == SSA_NAME && frame->shared.contains (arg))
	  return true;
      }
  auto_vec<edge> exits = get_loop_exit_edges (loop);
  for (unsigned i = 0; i < exits.length (); i++)
    if (gcond *cond
	= safe_dyn_cast <gcond *> (gsi_stmt (gsi_last_bb (exits[i]->src))))
      for (unsigned j = 0; j < 2; j++)
	if (frame->shared.contains (gimple_op (cond, j)))
	  return true;
  return false;
}

bool
use_is_within_shared (use_region *region, use_frame *frame, class loop *loop)
{
  for (class loop *l = loop; l && loop_outer (l); l = loop_outer (l))
    {
      use_loop *known = use_loop_get (region, frame, l);
      if (!known->transparent && region->dims[known->main]->shared)
	return true;
    }
  return false;
}

/* Is there anything in LOOP behind its header?  */
static bool
loop_has_more (class loop *loop)
{
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, loop->header->succs)
    if (e->dest != loop->header && flow_bb_inside_loop_p (loop, e->dest)
	&& !(empty_block_p (e->dest) && single_succ_p (e->dest)
	     && single_succ (e->dest) == loop->header))
      return true;
  return false;
}

/* Is DIM's test made once in each iteration?  */
static bool
test_is_regular (const use_dim *dim)
{
  const class loop *loop = dim->loop;
  if (!dim->test || dim->test->loop_father != loop)
    return false;
  basic_block block = loop->latch;
  while (block && block != dim->test && block != loop->header && single_pred_p (block))
    block = single_pred (block);
  return dim->test == loop->header || block == dim->test;
}

/* Fill DIM's estimate by what runs counted, if they did: as many as its test lets go on for
   each time that the loop is left.  A work-shared loop's threads leave it each, and together
   have it once in a launch, in which the iteration before a test below the body is one; but
   collapsed loops' rows are cut by threads' shares.  */
static void
exits_counted (use_region *region, use_frame *frame, use_dim *dim, const vec<edge> &exits)
{
  double left = 0, stays = 0, tests = 0;
  if (!test_is_regular (dim))
    return;
  for (unsigned i = 0; i < exits.length (); i++)
    {
      count_share share;
      gcond *cond = safe_dyn_cast <gcond *> (gsi_stmt (gsi_last_bb (exits[i]->src)));
      if (frame->dead.contains (exits[i]))
	continue;
      if (!cond || !count_share_find (region->region, frame->fun, cond, &share))
	return;
      double out = exits[i]->flags & EDGE_TRUE_VALUE ? share.held : share.times - share.held;
      left += out;
      dim->several |= exits[i]->src != dim->test;
      if (exits[i]->src == dim->test)
	{
	  stays = share.times - out;
	  tests = share.times;
	}
    }
  /* What the host runs by an if or device clause is counted there, and no launch.  */
  double launches = region->region->flags & (UMMGR_REGION_IF | UMMGR_REGION_DEVICE) ? 0
    : count_share_launches (region->region);
  if (left <= 0 || (dim->shared && (!frame->dims.is_empty () || launches <= 0
				    || region->region->collapse > 1
				    || loop_outer (loop_outer (dim->loop)))))
    return;
  dim->counted = true;
  dim->estimate = !dim->shared ? stays / left
		  : dim->test_above ? stays / launches : MAX (tests / launches - 1, 0);
}

/* Fill DIM's count from the loop's exits.  */
static void
exits_count (use_region *region, use_frame *frame, use_dim *dim)
{
  auto_vec<edge> exits = get_loop_exit_edges (dim->loop);
  unsigned live = 0;
  unsigned iv = use_atom_number (dim->atom);
  dim->estimate = GUESSED_PASSES;
  for (unsigned i = 0; i < exits.length (); i++)
    {
      edge out = exits[i], stay = NULL, e;
      edge_iterator ei;
      if (frame->dead.contains (out))
	continue;
      live++;
      FOR_EACH_EDGE (e, ei, out->src->succs)
	if (e != out)
	  stay = e;
      use_poly d, passes;
      tree_code code;
      if (!stay)
	continue;
      if (!dim->test)
	{
	  dim->test = out->src;
	  if (stay->probability.initialized_p ()
	      && stay->probability.to_reg_br_prob_base () < REG_BR_PROB_BASE)
	    {
	      double p = stay->probability.to_reg_br_prob_base ()
			 / (double) REG_BR_PROB_BASE;
	      dim->estimate = p / (1 - p);
	    }
	}
      if (!dim->known && use_edge_condition (region, frame, stay, &d, &code))
	{
	  d = use_expand_one (region, d);
	  if (passes_count (d, code, iv, &passes))
	    {
	      dim->known = true;
	      dim->passes = passes;
	      dim->test = out->src;
	    }
	  else if (!dim->has_data)
	    use_data_passes (region, dim, d, code);
	}
    }
  dim->exact = dim->known && live == 1;
  dim->test_above = dim->test == dim->loop->header
		    && loop_has_more (dim->loop);
  if (!dim->exact && !(dim->known && dim->shared))
    exits_counted (region, frame, dim, exits);
}

/* Does some variable get the value NEXT by going along E?  */
static bool
edge_gives (use_region *region, use_frame *frame, edge e, const use_poly &next)
{
  for (unsigned i = 0; i < 4; i++)
    {
      for (gphi_iterator gsi = gsi_start_phis (e->dest); !gsi_end_p (gsi);
	   gsi_next (&gsi))
	if (use_equal (use_eval (region, frame, phi_value (gsi.phi (), e)), next))
	  return true;
      if (!single_succ_p (e->dest) || !empty_block_p (e->dest))
	break;
      e = single_succ_edge (e->dest);
    }
  return false;
}

/* In the loop CARRY of LOOP, BB's edge along which what BB tests has not got to its bound: to the
   next row, or, where the other leads out of LOOP, on.  */
static edge
carry_edge (class loop *carry, class loop *loop, basic_block bb)
{
  edge on = NULL, e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, bb->succs)
    {
      bool stays = flow_bb_inside_loop_p (carry, e->dest);
      if (!stays && flow_bb_inside_loop_p (loop, e->dest))
	return e;
      if (stays)
	on = e;
    }
  return on;
}

/* The count of the index P of a collapsed nest: it is reset when it gets to
   its bound.  */
static bool
collapsed_count (use_region *region, use_frame *frame, const progress &p,
		 use_poly *count)
{
  class loop *loop = gimple_bb (p.phi)->loop_father;
  use_poly self = use_simple (USE_PHI, frame->number,
			      gimple_phi_result (p.phi));
  use_poly next = use_add (self, p.step);
  unsigned atom = use_atom_number (self);
  basic_block *body = get_loop_body (loop);
  bool found = false;
  for (unsigned i = 0; i < loop->num_nodes && !found; i++)
    {
      edge e;
      edge_iterator ei;
      use_poly d, step, rest;
      tree_code code;
      gcond *cond = safe_dyn_cast <gcond *> (gsi_stmt (gsi_last_bb (body[i])));
      if (!cond)
	continue;
      use_poly a = use_eval (region, frame, gimple_cond_lhs (cond));
      use_poly b = use_eval (region, frame, gimple_cond_rhs (cond));
      class loop *carry = body[i]->loop_father;
      bool carries = use_loop_carries (carry, loop);
      if (carries)
	{
	  a = value_entered (region, frame, carry, a);
	  b = value_entered (region, frame, carry, b);
	}
      /* Optimised, the test may be of the index before it grows.  */
      if (!use_equal (a, next) && !use_equal (b, next)
	  && !use_equal (a, self) && !use_equal (b, self))
	continue;
      FOR_EACH_EDGE (e, ei, body[i]->succs)
	if (!found
	    && (carries ? e == carry_edge (carry, loop, body[i]) : edge_gives (region, frame, e, next))
	    && use_edge_condition (region, frame, e, &d, &code))
	  {
	    if (carries)
	      d = value_entered (region, frame, carry, d);
	    if (!use_linear (d, atom, &step, &rest))
	      continue;
	    /* As a function of the number K of the index that is tested, the next one: it is
	       INIT + K STEP.  */
	    use_poly k = use_simple (USE_IV, INT_MAX, NULL_TREE);
	    use_poly before = use_add (k, use_const (-1));
	    d = use_substitute (d, atom, use_add (p.init, use_mul (before, p.step)));
	    d = use_expand_one (region, d);
	    /* Only the second index goes on.  */
	    HOST_WIDE_INT second;
	    bool equal = code == EQ_EXPR;
	    found = passes_count (d, equal ? NE_EXPR : code, use_atom_number (k), count)
		    && (!equal || (use_is_const (*count, &second) && second == 1));
	    if (found && equal)
	      *count = use_const (2);
	  }
    }
  free (body);
  return found;
}

/* Give each index of a collapsed nest, in PARTS, a dimension.  */
static void
collapse (use_region *region, use_frame *frame, use_loop *l,
	  vec<progress> &parts)
{
  int outermost = -1;
  bool inner = false;
  for (unsigned i = 0; i < parts.length (); i++)
    if (parts[i].other || !parts[i].steps || use_find (parts[i].init,
						 USE_SET (USE_OPAQUE)))
      continue;
    else if (parts[i].stays && !parts[i].resets)
      outermost = outermost < 0 ? (int) i : INT_MAX;
    else if (parts[i].resets)
      inner = true;
  use_dim *main = region->dims[l->main];
  bool rows = use_loop_has_rows (l->loop);
  if (!inner || outermost < 0 || outermost == INT_MAX || main->known == rows)
    return;
  unsigned first = dim_new (region, l->loop);
  use_poly left = use_add (main->passes, use_const (1)), all = use_const (1);
  if (rows && !collapsed_count (region, frame, parts[outermost], &left))
    return;
  auto_vec<unsigned> dims;
  auto_vec<unsigned> which;
  dims.safe_push (first);
  which.safe_push (outermost);
  /* Those that also stay lie around those that don't.  */
  for (unsigned round = 0; round < 2; round++)
    for (unsigned i = 0; i < parts.length (); i++)
      if (!parts[i].other && parts[i].steps && parts[i].resets
	  && parts[i].stays == !round)
	{
	  use_poly count;
	  if (!collapsed_count (region, frame, parts[i], &count))
	    return;
	  unsigned d = dim_new (region, l->loop);
	  region->dims[d]->passes = count;
	  all = use_mul (all, count);
	  if (!rows)
	    left = use_div (left, count);
	  dims.safe_push (d);
	  which.safe_push (i);
	}
  region->dims[first]->passes = left;
  /* There are as many rows.  */
  if (rows)
    {
      main->known = main->exact = true;
      main->passes = use_add (use_mul (left, all), use_const (-1));
    }
  for (unsigned i = 0; i < dims.length (); i++)
    {
      use_dim *dim = region->dims[dims[i]];
      const progress &p = parts[which[i]];
      dim->known = true;
      dim->exact = main->exact;
      dim->shared = main->shared;
      l->collapsed.safe_push (dims[i]);
      frame->headers.put (gimple_phi_result (p.phi),
			  use_add (p.init, use_mul (p.step, dim->atom)));
    }
}

/* Note DIM's first index, if it is linear.  */
static void
index_note (use_region *region, use_frame *frame, use_dim *dim)
{
  for (gphi_iterator gsi = gsi_start_phis (dim->loop->header); !gsi_end_p (gsi);
       gsi_next (&gsi))
    {
      use_poly *value = frame->headers.get (gimple_phi_result (gsi.phi ()));
      use_poly step, init;
      if (!INTEGRAL_TYPE_P (TREE_TYPE (gimple_phi_result (gsi.phi ())))
	  || !value || dim->has_index)
	continue;
      dim->has_index
	= use_linear (*value, use_atom_number (dim->atom), &step, &init)
	  && use_is_const (step, &dim->step)
	  && (dim->step == 1 || dim->step == -1);
      if (dim->has_index)
	dim->init = use_expand_one (region, init);
    }
}

use_loop *
use_loop_get (use_region *region, use_frame *frame, class loop *loop)
{
  use_loop *l = frame->loops[loop->num];
  if (l)
    return l;
  l = frame->loops[loop->num] = new use_loop ();
  l->loop = loop;
  l->main = dim_new (region, loop);
  l->transparent = loop_is_transparent (region, frame, loop);
  auto_vec<progress> parts;
  for (gphi_iterator gsi = gsi_start_phis (loop->header); !gsi_end_p (gsi);
       gsi_next (&gsi))
    {
      tree result = gimple_phi_result (gsi.phi ());
      if (!INTEGRAL_TYPE_P (TREE_TYPE (result))
	  && !POINTER_TYPE_P (TREE_TYPE (result)))
	continue;
      if (l->transparent)
	{
	  frame->headers.put (result, header_init (region, frame, gsi.phi ()));
	  continue;
	}
      progress p = progress_find (region, frame, gsi.phi ());
      /* A PHI that stays the same, or always gets what it had at first, is no
	 loop's matter.  */
      if (!p.other && p.steps && !p.stays && !p.resets)
	frame->headers.put (result,
			    use_add (p.init, use_mul (p.step,
						      region->dims[l->main]
							->atom)));
      else if (!p.other && !p.steps)
	frame->headers.put (result, p.init);
      else
	parts.safe_push (p);
    }
  if (l->transparent)
    return l;
  use_dim *main = region->dims[l->main];
  bool over_threads = loop_is_over_threads (loop);
  main->shared = !over_threads
		 && ((loop_is_shared (frame, loop)
		      && !use_is_within_shared (region, frame, loop_outer (loop)))
		     || use_loop_is_row (loop));
  index_note (region, frame, main);
  exits_count (region, frame, main);
  /* There are as many as the launch gets.  */
  main->exact &= !over_threads;
  /* Each test of a work-shared loop is the same one after the other of the same
     index; it has no breaks.  */
  l->mixed = parts.length () && !use_loop_has_rows (loop);
  if (main->shared && parts.length ())
    collapse (region, frame, l, parts);
  l->prepared = true;
  return l;
}

/* The PHI atom's value, if it has one.  */
static use_poly
header_value (use_region *region, use_frame *frame, gimple *phi)
{
  use_loop_get (region, frame, gimple_bb (phi)->loop_father);
  if (use_poly *known = frame->headers.get (gimple_phi_result (phi)))
    return *known;
  return use_simple (USE_OPAQUE, USE_WHY_COMPUTED, NULL_TREE);
}

/* WAY's join PHI taken apart, into WAYS.  */
static bool
join_split (use_region *region, use_frame *frame, gphi *phi, unsigned atom,
	    const use_way &way, vec<use_way> *ways)
{
  double total = 0;
  auto_vec<double> weights;
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    {
      edge e = gimple_phi_arg_edge (phi, i);
      double w = frame->dead.contains (e) ? 0 : 1;
      if (w && e->count ().initialized_p ())
	w = e->count ().to_gcov_type () + 1.0;
      weights.safe_push (w);
      total += w;
    }
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    if (weights[i] > 0)
      {
	if (ways->length () >= 8)
	  return false;
	use_poly v = use_eval (region, frame, gimple_phi_arg_def (phi, i));
	use_way one = { use_substitute (way.value, atom, v),
			way.weight * weights[i] / total };
	ways->safe_push (one);
      }
  return true;
}

void
use_expand (use_region *region, const use_poly &a, vec<use_way> *ways)
{
  use_way all = { a, 1.0 };
  ways->safe_push (all);
  for (unsigned round = 0; round < 40; round++)
    {
      unsigned i = 0;
      const use_atom *found = NULL;
      for (; i < ways->length (); i++)
	if ((found = use_find ((*ways)[i].value, USE_SET (USE_PHI))))
	  break;
      if (!found)
	return;
      use_frame *frame = region->frames[found->a];
      tree name = found->t;
      gimple *phi = SSA_NAME_DEF_STMT (name);
      unsigned atom = found - use_atoms.address ();
      use_way way = (*ways)[i];
      if (use_is_header_phi (phi))
	{
	  use_poly value = header_value (region, frame, phi);
	  (*ways)[i].value = use_substitute (way.value, atom, value);
	  continue;
	}
      ways->unordered_remove (i);
      if (!join_split (region, frame, as_a <gphi *> (phi), atom, way, ways))
	break;
    }
  ways->truncate (0);
  use_way none = { use_simple (USE_OPAQUE, USE_WHY_COMPUTED, NULL_TREE), 1.0 };
  ways->safe_push (none);
}

use_poly
use_expand_one (use_region *region, const use_poly &a)
{
  auto_vec<use_way> ways;
  use_expand (region, a, &ways);
  for (unsigned i = 1; i < ways.length (); i++)
    if (!use_equal (ways[i].value, ways[0].value))
      return use_simple (USE_OPAQUE, USE_WHY_COMPUTED, NULL_TREE);
  return ways[0].value;
}
