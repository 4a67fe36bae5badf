/* How often loops of the host's that launch regions go round.
   SPDX-License-Identifier: GPL-3.0-or-later

     for (k = 0; k < n; k++)
       smooth (patch[p], next[p]);

   tells, where both pointers are the same in each turn,

     __ummgr_turns (id + 1, n);
     while (k < n)
       {
	 smooth (patch[p], next[p]);
	 __ummgr_turn (id + 1, 1);
       }
     __ummgr_turn (id + 1, 0);

   so that libummgr knows in the first turn what the loop is going to use again (hints/turns.h).  The id is even, and 1
   is added where turns use the same memory.  Pointers that are loaded count as the same where they are loaded from the
   same place: this is for estimates.  Of loops with several ways out, and others whose turns aren't known before they
   begin, the number is ~0.

   And where the host surely goes over memory next when all turns are over (announce.cc), before any region,

     __ummgr_host_after (id + 1, p);

   right after the first call, so that it can come back beside the loop's last launch.  Holds the functions'
   declarations.  */

#include "announce/announce.h"

static tree turns_decl, turn_decl, after_decl;

#define BLOCKS_MAX 200
#define VALUES_MAX 200
#define DEPTH_MAX 8

/* --- what turns use ------------------------------------------------------------ */

/* What a value may differ by from turn to turn of L, as far as it was looked at.  */
struct turn_values
{
  class loop *const l;
  hash_set<tree> seen;

  explicit turn_values (class loop *of) : l (of) {}
};

static bool varies (turn_values *s, tree value, bool exact);

/* Does a name that STMT uses?  */
static bool
any_varies (turn_values *s, gimple *stmt)
{
  ssa_op_iter iter;
  tree name;
  FOR_EACH_SSA_TREE_OPERAND (name, stmt, iter, SSA_OP_USE)
    if (varies (s, name, true))
      return true;
  return false;
}

/* May VALUE be another in another turn; or, unless that is to be EXACT, point into other memory?  Of pointers that
   change places none is new.  */
static bool
varies (turn_values *s, tree value, bool exact)
{
  if (TREE_CODE (value) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF (value))
    return false;
  gimple *def = SSA_NAME_DEF_STMT (value);
  if (!gimple_bb (def) || !flow_bb_inside_loop_p (s->l, gimple_bb (def)))
    return false;
  if (gimple_code (def) == GIMPLE_PHI && gimple_bb (def) == s->l->header && exact)
    return true;
  if (s->seen.add (value))
    return false;
  if (s->seen.elements () - 1 > VALUES_MAX)
    return true;
  if (gphi *phi = dyn_cast <gphi *> (def))
    {
      for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
	if (varies (s, gimple_phi_arg_def (phi, i), exact))
	  return true;
      return false;
    }
  if (!is_gimple_assign (def))
    return true;
  if (!exact && gimple_assign_rhs_code (def) == POINTER_PLUS_EXPR)
    return varies (s, gimple_assign_rhs1 (def), false);
  if (!exact && gimple_assign_ssa_name_copy_p (def))
    return varies (s, gimple_assign_rhs1 (def), false);
  return any_varies (s, def);
}

/* VALUE, which CALL in L passes.  */
static bool
argument_varies (class loop *l, tree value)
{
  while (value && TREE_CODE (value) == SSA_NAME && !SSA_NAME_IS_DEFAULT_DEF (value)
	 && is_gimple_assign (SSA_NAME_DEF_STMT (value))
	 && CONVERT_EXPR_CODE_P (gimple_assign_rhs_code (SSA_NAME_DEF_STMT (value))))
    value = gimple_assign_rhs1 (SSA_NAME_DEF_STMT (value));
  if (!value || !POINTER_TYPE_P (TREE_TYPE (value)))
    return false;
  turn_values s (l);
  return varies (&s, value, false);
}

/* Does CALL in L, that launches, use other memory in another turn?  */
static bool
call_varies (live_function *f, class loop *l, gcall *call)
{
  if (live_call_kind_of (call) == LIVE_CALL_LAUNCH)
    {
      for (unsigned i = 0; live_launch_has_argument (call, i); i++)
	if (argument_varies (l, live_launch_value (f, call, i)))
	  return true;
      return false;
    }
  for (unsigned i = 0; i < gimple_call_num_args (call); i++)
    if (argument_varies (l, gimple_call_arg (call, i)))
      return true;
  return false;
}

/* --- how often ----------------------------------------------------------------- */

/* Does CALL launch, itself or by what it calls?  */
static bool
launches (gcall *call)
{
  unsigned first;
  live_call_kind kind = live_call_kind_of (call);
  return kind == LIVE_CALL_LAUNCH || (kind == LIVE_CALL_SEEN && live_callee (call, &first)->launches);
}

/* VALUE, an integer, of what is there before L; NULL_TREE: it isn't computed of that alone, or might trap.  GCC moves
   such computations out of loops only later.  */
static tree
value_outside (class loop *l, tree value, unsigned depth)
{
  if (TREE_CODE (value) == INTEGER_CST)
    return value;
  if (TREE_CODE (value) != SSA_NAME || !INTEGRAL_TYPE_P (TREE_TYPE (value))
      || SSA_NAME_OCCURS_IN_ABNORMAL_PHI (value) || depth > DEPTH_MAX)
    return NULL_TREE;
  gimple *def = SSA_NAME_DEF_STMT (value);
  if (SSA_NAME_IS_DEFAULT_DEF (value) || !gimple_bb (def) || !flow_bb_inside_loop_p (l, gimple_bb (def)))
    return value;
  if (!is_gimple_assign (def))
    return NULL_TREE;
  tree_code code = gimple_assign_rhs_code (def);
  tree a = value_outside (l, gimple_assign_rhs1 (def), depth + 1), b;
  switch (code)
    {
    case SSA_NAME:
    CASE_CONVERT:
      return a ? fold_convert (TREE_TYPE (value), a) : NULL_TREE;
    case TRUNC_DIV_EXPR:
    case TRUNC_MOD_EXPR:
      if (TREE_CODE (gimple_assign_rhs2 (def)) != INTEGER_CST || integer_zerop (gimple_assign_rhs2 (def)))
	return NULL_TREE;
      /* Fall through.  */
    case PLUS_EXPR:
    case MINUS_EXPR:
    case MULT_EXPR:
    case LSHIFT_EXPR:
    case RSHIFT_EXPR:
    case BIT_AND_EXPR:
    case MIN_EXPR:
    case MAX_EXPR:
      b = value_outside (l, gimple_assign_rhs2 (def), depth + 1);
      return a && b ? fold_build2 (code, TREE_TYPE (value), a, b) : NULL_TREE;
    default:
      return NULL_TREE;
    }
}

/* How often the test at EXIT has L go on, if it compares a number that goes by one with another that is computed in
   each turn, the same; or NULL_TREE.  */
static tree
turns_to (class loop *l, edge exit)
{
  gcond *cond = safe_dyn_cast <gcond *> (gsi_stmt (gsi_last_nondebug_bb (exit->src)));
  affine_iv iv;
  if (!cond)
    return NULL_TREE;
  tree counts = gimple_cond_lhs (cond), with = gimple_cond_rhs (cond);
  tree_code code = gimple_cond_code (cond);
  if (value_outside (l, counts, 0))
    {
      std::swap (counts, with);
      code = swap_tree_comparison (code);
    }
  if (TREE_CODE (counts) != SSA_NAME || !INTEGRAL_TYPE_P (TREE_TYPE (counts))
      || !simple_iv (l, l, counts, &iv, false))
    return NULL_TREE;
  if (exit->flags & EDGE_TRUE_VALUE)
    code = invert_tree_comparison (code, false);
  bool up = code == LT_EXPR || code == LE_EXPR, down = code == GT_EXPR || code == GE_EXPR;
  tree bound = value_outside (l, with, 0);
  if (!bound || !(up ? integer_onep (iv.step) : down && integer_minus_onep (iv.step)))
    return NULL_TREE;
  /* Numbers that wrap: an overflow here must be nobody's.  */
  tree type = long_long_unsigned_type_node, number = long_long_integer_type_node;
  tree from = fold_convert (type, iv.base), to = fold_convert (type, bound);
  tree turns = up ? fold_build2 (MINUS_EXPR, type, to, from) : fold_build2 (MINUS_EXPR, type, from, to);
  if (code == LE_EXPR || code == GE_EXPR)
    turns = fold_build2 (PLUS_EXPR, type, turns, build_one_cst (type));
  return fold_build2 (MAX_EXPR, number, fold_convert (number, turns), build_zero_cst (number));
}

/* The turns of L, whose one way out is EXIT and which launches at BLOCKS; NULL_TREE: not known before it begins.  */
static tree
turns_of (class loop *l, edge exit, const vec<basic_block> &blocks)
{
  class tree_niter_desc desc;
  bool counted = number_of_iterations_exit (l, exit, &desc, false) && desc.niter
		 && !chrec_contains_undetermined (desc.niter);
  tree goes_on = counted ? desc.niter : turns_to (l, exit);
  if (!goes_on)
    return NULL_TREE;
  /* What is behind the test is run as often as that says goes on.  */
  bool ahead = true;
  for (basic_block block : blocks)
    ahead &= block != exit->src && dominated_by_p (CDI_DOMINATORS, block, exit->src);
  tree turns = fold_convert (long_long_unsigned_type_node, goes_on);
  return ahead ? turns : fold_build2 (PLUS_EXPR, long_long_unsigned_type_node, turns,
				      build_int_cst (long_long_unsigned_type_node, 1));
}

/* Can E, which is no exception, be split here?  Not where it leaves a switch: GCC 12's
   switchlower breaks on that.  */
static bool
takes_calls (edge e)
{
  gimple *last = gsi_stmt (gsi_last_nondebug_bb (e->src));
  return !last || gimple_code (last) == GIMPLE_COND || !stmt_ends_bb_p (last);
}

/* The ways out of L that are no exceptions.  */
static void
exits_find (class loop *l, vec<edge> *out)
{
  basic_block *body = get_loop_body (l);
  for (unsigned i = 0; i < l->num_nodes; i++)
    {
      edge e;
      edge_iterator ei;
      FOR_EACH_EDGE (e, ei, body[i]->succs)
	if (!flow_bb_inside_loop_p (l, e->dest) && !(e->flags & EDGE_COMPLEX))
	  out->safe_push (e);
    }
  free (body);
}

/* Does F, in which loops are known, tell of L?  Then where, and what.  */
static void
loop_look (live_function *f, class loop *l, announce_turns *out)
{
  auto_vec<basic_block> blocks;
  bool same = true;
  basic_block *body = get_loop_body (l);
  for (unsigned i = 0; i < l->num_nodes; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi); gsi_next (&gsi))
      if (gcall *call = dyn_cast <gcall *> (gsi_stmt (gsi)))
	if (launches (call))
	  {
	    blocks.safe_push (body[i]);
	    same &= !call_varies (f, l, call);
	  }
  free (body);
  edge entry = live_entry_edge (l);
  if (!blocks.length () || !entry || !l->latch)
    return;
  auto_vec<edge> exits;
  exits_find (l, &exits);
  bool takes = takes_calls (entry);
  for (edge e : exits)
    takes &= takes_calls (e);
  if (!takes)
    return;
  edge latch = single_succ_p (l->latch) ? single_succ_edge (l->latch) : NULL;
  bool counts = latch && !(latch->flags & EDGE_COMPLEX) && takes_calls (latch) && exits.length () == 1;
  tree turns = counts ? turns_of (l, exits[0], blocks) : NULL_TREE;
  char number[16];
  snprintf (number, sizeof number, "%d", l->num);
  const char *name = IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (f->node->decl));
  uint64_t id = (ummgr_id ({ "turns", name, number }) & ~UINT64_C (1)) | same;
  tree type = long_long_unsigned_type_node, of = build_int_cst (type, id);
  if (dump_file)
    {
      gimple *last = gsi_stmt (gsi_last_nondebug_bb (l->header));
      fprintf (dump_file, ";; ummgr: tells of the turns of a loop at line %d: ",
	       last ? expand_location (gimple_location (last)).line : 0);
      if (turns)
	print_generic_expr (dump_file, turns, TDF_SLIM);
      fprintf (dump_file, "%s, %s memory\n", turns ? "" : "not known", same ? "the same" : "other");
    }
  out->begins.safe_push ({ entry, NULL, of, UNKNOWN_LOCATION, turns ? turns : build_all_ones_cst (type) });
  if (turns)
    {
      out->goes_on.safe_push ({ latch, NULL, of, UNKNOWN_LOCATION, build_one_cst (type) });
      out->counted.safe_push ({ of, entry, exits[0] });
    }
  for (edge e : exits)
    out->goes_on.safe_push ({ e, NULL, of, UNKNOWN_LOCATION, build_zero_cst (type) });
}

void
announce_turns_find (live_function *f, announce_turns *out)
{
  push_cfun (f->fun);
  loop_optimizer_init (LOOPS_NORMAL);
  scev_initialize ();
  calculate_dominance_info (CDI_DOMINATORS);
  for (unsigned i = 1; i < number_of_loops (f->fun); i++)
    if (class loop *l = get_loop (f->fun, i))
      loop_look (f, l, out);
  scev_finalize ();
  loop_optimizer_finalize ();
  pop_cfun ();
}

/* --- what comes after ---------------------------------------------------------- */

/* May a region run on a way from BLOCK to PLACE?  AT is its block, which all ways come to.  */
static bool
launches_before (basic_block block, basic_block at, const announce_place &place)
{
  auto_vec<basic_block> work;
  hash_set<basic_block> seen;
  work.safe_push (block);
  seen.add (block);
  while (work.length ())
    {
      basic_block b = work.pop ();
      edge e;
      edge_iterator ei;
      for (gimple_stmt_iterator gsi = gsi_start_bb (b); !gsi_end_p (gsi) && gsi_stmt (gsi) != place.before;
	   gsi_next (&gsi))
	if (gcall *call = dyn_cast <gcall *> (gsi_stmt (gsi)))
	  if (launches (call))
	    return true;
      if (b == at)
	continue;
      FOR_EACH_EDGE (e, ei, b->succs)
	if (!seen.add (e->dest))
	  work.safe_push (e->dest);
      if (seen.elements () > BLOCKS_MAX)
	return true;
    }
  return false;
}

/* Is VALUE, a pointer or where one is, there at the end of BLOCK?  What a variable has by then may be another: this is
   for estimates.  */
static bool
is_there (tree value, basic_block block)
{
  if (TREE_CODE (value) != SSA_NAME)
    return DECL_P (get_base_address (value));
  basic_block def = SSA_NAME_IS_DEFAULT_DEF (value) ? NULL : gimple_bb (SSA_NAME_DEF_STMT (value));
  return !def || dominated_by_p (CDI_DOMINATORS, block, def);
}

void
announce_turns_after (const vec<announce_place> &places, announce_turns *turns)
{
  if (!places.length () || !turns->counted.length ())
    return;
  calculate_dominance_info (CDI_POST_DOMINATORS);
  for (const announce_loop &l : turns->counted)
    for (const announce_place &place : places)
      {
	basic_block at = place.on ? place.on->src : gimple_bb (place.before), over = l.exit->dest;
	if (dominated_by_p (CDI_DOMINATORS, at, over) && dominated_by_p (CDI_POST_DOMINATORS, over, at)
	    && is_there (place.value, l.entry->src) && !launches_before (over, at, place))
	  turns->after.safe_push ({ l.entry, NULL, l.id, UNKNOWN_LOCATION, place.value });
      }
  free_dominance_info (CDI_POST_DOMINATORS);
  if (dump_file)
    for (const announce_place &place : turns->after)
      {
	fputs (";; ummgr: tells before a loop what the host goes over after it: ", dump_file);
	print_generic_expr (dump_file, place.more, TDF_SLIM);
	fputc ('\n', dump_file);
      }
}

void
announce_turns_insert (const announce_turns &turns)
{
  tree type = long_long_unsigned_type_node;
  /* What is put on an edge later comes before it.  */
  announce_insert (announce_decl (&after_decl, "__ummgr_host_after", type, const_ptr_type_node), turns.after);
  announce_insert (announce_decl (&turns_decl, "__ummgr_turns", type, type), turns.begins);
  announce_insert (announce_decl (&turn_decl, "__ummgr_turn", type, type), turns.goes_on);
}
