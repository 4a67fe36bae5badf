/* Announce what the host goes over next.
   SPDX-License-Identifier: GPL-3.0-or-later

   Where regions run in a loop, most likely another region comes after each; so
   the tables can't say that the host comes after the last.  The code can: before
   the host goes over what a region may have used, libummgr is told, and sends
   home at once what would come page by page.

   The place is where the host's way over the memory begins, as late as can be:
   there the pointer is known, and no region can come in between.  It is never in
   a loop without launches, but before it.  live/live.h says what "goes over" means,
   and what callees do.  The pointers are looked up only, so that they needn't be
   valid; what is loaded for it is what the program loads right there anyway, or
   a variable.  Holds nothing between passes.  */

#include "announce/announce.h"
#include "flow/flow.h"

/* Larger functions are left alone after so many references.  */
#define REFS_MAX 2000
#define CHAIN_MAX 40
#define SWEEPS_MAX 100

/* A search through one function.  */
struct announce_search
{
  live_function *f;
  flow_chain chain;
  vec<live_set> used;		/* By block: what regions may have used when it
				   begins.  */
  vec<announce_place> places;
  unsigned refs;
};

/* --- what regions may have used ------------------------------------------- */

/* SET, and all that may be the same.  */
static live_set
widened (const live_function *f, live_set set)
{
  live_set foreign = live_foreign (f);
  return !set || (set & foreign) ? set | foreign : set;
}

/* What regions that CALL runs may use.  */
static live_set
call_uses (live_function *f, gcall *call)
{
  unsigned first;
  live_set set = 0;
  switch (live_call_kind_of (call))
    {
    case LIVE_CALL_LAUNCH:
      for (unsigned i = 0; live_launch_has_argument (call, i); i++)
	set |= live_launch_argument (f, call, i);
      return set ? widened (f, set) : 0;
    case LIVE_CALL_SEEN:
      if (!live_callee (call, &first)->launches)
	return 0;
      for (unsigned i = 0; i < gimple_call_num_args (call); i++)
	set |= live_points_to (f, gimple_call_arg (call, i));
      set |= live_contents (f, set);
      set |= live_contents (f, set);
      return set | live_foreign (f);
    default:
      return 0;
    }
}

/* What regions may have used at STMT, or at the end of BLOCK if that is NULL. */
static live_set
used_before (announce_search *s, basic_block block, const gimple *stmt)
{
  live_set used = s->used[block->index];
  for (gimple_stmt_iterator gsi = gsi_start_bb (block);
       !gsi_end_p (gsi) && gsi_stmt (gsi) != stmt; gsi_next (&gsi))
    if (gcall *call = dyn_cast <gcall *> (gsi_stmt (gsi)))
      used |= call_uses (s->f, call);
  return used;
}

static void
used_find (announce_search *s)
{
  const unsigned n = last_basic_block_for_fn (s->f->fun);
  s->used.safe_grow_cleared (n);
  auto_vec<live_set> adds;
  adds.safe_grow_cleared (n);
  basic_block block;
  FOR_EACH_BB_FN (block, s->f->fun)
    adds[block->index] = used_before (s, block, NULL);
  bool changed = true;
  while (changed)
    {
      changed = false;
      FOR_EACH_BB_FN (block, s->f->fun)
	{
	  edge e;
	  edge_iterator ei;
	  live_set in = s->used[block->index];
	  FOR_EACH_EDGE (e, ei, block->preds)
	    in |= s->used[e->src->index] | adds[e->src->index];
	  changed |= in != s->used[block->index];
	  s->used[block->index] = in;
	}
    }
}

/* --- where to announce ---------------------------------------------------- */

/* How probable it is that a way into L comes by BLOCK before it leaves L.  */
static double
reach (const announce_search *s, const class loop *l, basic_block block)
{
  edge entry = live_entry_edge (l);
  if (block == l->header || !entry)
    return entry != NULL;
  auto_vec<double> p;
  p.safe_grow_cleared (last_basic_block_for_fn (s->f->fun));
  p[block->index] = 1;
  basic_block *body = get_loop_body_in_dom_order (l);
  bool changed = true;
  for (unsigned sweep = 0; changed && sweep < SWEEPS_MAX; sweep++)
    {
      changed = false;
      for (unsigned i = l->num_nodes; i-- > 0;)
	{
	  int at = body[i]->index;
	  double sum = 0;
	  if (body[i] == block)
	    continue;
	  const vec<flow_edge> &ways = s->chain.out[at];
	  for (unsigned j = 0; j < ways.length (); j++)
	    if (ways[j].to >= 0)
	      sum += ways[j].p * p[ways[j].to];
	  changed |= sum > p[at] + 1e-4;
	  p[at] = sum;
	}
    }
  free (body);
  /* The chain's ways into L leave out the test before its first turn.  */
  const vec<flow_edge> &in = s->chain.out[entry->src->index];
  double sum = 0, all = 0;
  for (unsigned j = 0; j < in.length (); j++)
    if (in[j].to >= 0
	&& flow_bb_inside_loop_p (l, BASIC_BLOCK_FOR_FN (s->f->fun, in[j].to)))
      {
	sum += in[j].p * p[in[j].to];
	all += in[j].p;
      }
  return all > 0 ? sum / all : p[l->header->index];
}

/* Is STMT run whenever L is entered, with nothing before it that may not
   return?  */
static bool
is_run_first (const gimple *stmt, const class loop *l)
{
  if (gimple_bb (stmt) != l->header)
    return false;
  for (gimple_stmt_iterator gsi = gsi_start_bb (l->header);
       gsi_stmt (gsi) != stmt; gsi_next (&gsi))
    if (is_gimple_call (gsi_stmt (gsi)))
      return false;
  return true;
}

/* The reference REF, that STMT of L loads, where it may be read before L as
   well; or NULL_TREE.  STMT may be NULL.  Without L it is read where it may be.  */
static tree
load_before (tree ref, const gimple *stmt, const class loop *l)
{
  poly_int64 offset, size, most;
  bool reverse;
  if (TREE_THIS_VOLATILE (ref) || TREE_SIDE_EFFECTS (ref))
    return NULL_TREE;
  for (tree t = ref; handled_component_p (t); t = TREE_OPERAND (t, 0))
    if (TREE_CODE (t) == ARRAY_REF
	&& TREE_CODE (TREE_OPERAND (t, 1)) != INTEGER_CST)
      return NULL_TREE;
  tree base = get_ref_base_and_extent (ref, &offset, &size, &most, &reverse);
  if (!base || !known_eq (size, most) || !known_size_p (size))
    return NULL_TREE;
  if (TREE_CODE (base) == MEM_REF
      && TREE_CODE (TREE_OPERAND (base, 0)) == SSA_NAME)
    {
      gimple *def = SSA_NAME_DEF_STMT (TREE_OPERAND (base, 0));
      if (!l)
	return ref;
      return stmt && is_run_first (stmt, l)
	     && !(gimple_bb (def) && flow_bb_inside_loop_p (l, gimple_bb (def)))
	     ? ref : NULL_TREE;
    }
  /* All of it must be in the variable.  */
  HOST_WIDE_INT at, bits;
  return DECL_P (base) && (VAR_P (base) || TREE_CODE (base) == PARM_DECL)
	 && !TREE_THIS_VOLATILE (base) && !DECL_HAS_VALUE_EXPR_P (base)
	 && (!VAR_P (base) || !DECL_THREAD_LOCAL_P (base))
	 && DECL_SIZE (base) && tree_fits_shwi_p (DECL_SIZE (base))
	 && offset.is_constant (&at) && size.is_constant (&bits) && at >= 0
	 && at + bits <= tree_to_shwi (DECL_SIZE (base))
	 ? ref : NULL_TREE;
}

/* VALUE, a pointer that is used in L, as it is when L begins; or what it is
   computed from.  NULL_TREE: not known there.  */
static tree
value_before (tree value, class loop *l)
{
  for (unsigned i = 0; i < CHAIN_MAX; i++)
    {
      if (TREE_CODE (value) != SSA_NAME || !POINTER_TYPE_P (TREE_TYPE (value))
	  || SSA_NAME_OCCURS_IN_ABNORMAL_PHI (value))
	return NULL_TREE;
      gimple *def = SSA_NAME_DEF_STMT (value);
      if (SSA_NAME_IS_DEFAULT_DEF (value))
	return SSA_NAME_VAR (value)
	       && TREE_CODE (SSA_NAME_VAR (value)) == PARM_DECL ? value
								: NULL_TREE;
      basic_block block = gimple_bb (def);
      if (!block || !l || !flow_bb_inside_loop_p (l, block))
	return block ? value : NULL_TREE;
      if (gphi *phi = dyn_cast <gphi *> (def))
	{
	  class loop *inner = block->loop_father;
	  edge e = inner->header == block ? live_entry_edge (inner) : NULL;
	  if (!e)
	    return NULL_TREE;
	  value = PHI_ARG_DEF_FROM_EDGE (phi, e);
	}
      else if (gimple_assign_load_p (def))
	return load_before (gimple_assign_rhs1 (def), def, l);
      else if (is_gimple_assign (def)
	       && (gimple_assign_rhs_code (def) == POINTER_PLUS_EXPR
		   || gimple_assign_ssa_name_copy_p (def)
		   || CONVERT_EXPR_CODE_P (gimple_assign_rhs_code (def))))
	value = gimple_assign_rhs1 (def);
      else
	return NULL_TREE;
    }
  return NULL_TREE;
}

static bool
is_known_place (const announce_search *s, const announce_place &place)
{
  for (unsigned i = 0; i < s->places.length (); i++)
    if (s->places[i].on == place.on && s->places[i].before == place.before
	&& operand_equal_p (s->places[i].value, place.value, 0))
      return true;
  return false;
}

/* STMT makes the host go over what VALUE points to, with probability P: a name,
   or a variable's part.  */
static void
place_add (announce_search *s, gimple *stmt, tree value, double p)
{
  class loop *l = live_quiet_loop (gimple_bb (stmt));
  live_set set = live_points_to (s->f, value);
  live_set used = l ? s->used[l->header->index]
		    : used_before (s, gimple_bb (stmt), stmt);
  if (!(widened (s->f, set) & used))
    return;
  announce_place place = {};
  place.value = TREE_CODE (value) == SSA_NAME ? value_before (value, l)
					      : load_before (value, NULL, l);
  if (l)
    place.on = live_entry_edge (l);
  else
    place.before = stmt;
  place.location = gimple_location (stmt);
  if (!place.value || (l && !place.on)
      || !ADDR_SPACE_GENERIC_P (TYPE_ADDR_SPACE (TREE_TYPE
						 (TREE_TYPE (place.value))))
      || is_known_place (s, place) || (l && p * reach (s, l, gimple_bb (stmt))
					    <= 0.5))
    return;
  s->places.safe_push (place);
}

/* --- what the host goes over ---------------------------------------------- */

/* Where memory is that REF, of STMT, goes over.  */
static bool
on_reference (gimple *stmt, tree, tree ref, void *data)
{
  announce_search *s = (announce_search *) data;
  tree base = get_base_address (ref);
  if (base && TREE_CODE (base) == MEM_REF && live_ref_is_wide (stmt, ref)
      && TREE_CODE (TREE_OPERAND (base, 0)) == SSA_NAME
      && s->refs++ < REFS_MAX)
    place_add (s, stmt, TREE_OPERAND (base, 0), 1);
  return false;
}

/* Does CALLEE surely read what its parameter I points to, and has that room for
   a pointer at OFFSET?  */
static bool
reads_surely (const live_function *callee, unsigned i, HOST_WIDE_INT offset)
{
  tree p = DECL_ARGUMENTS (callee->node->decl);
  for (unsigned j = 0; p && j < i; j++)
    p = DECL_CHAIN (p);
  if (!p || !POINTER_TYPE_P (TREE_TYPE (p)))
    return false;
  tree size = TYPE_SIZE_UNIT (TREE_TYPE (TREE_TYPE (p)));
  if (!size || !tree_fits_shwi_p (size) || offset < 0
      || offset + POINTER_SIZE / BITS_PER_UNIT > tree_to_shwi (size))
    return false;
  for (unsigned r = 1; r < callee->roots.length (); r++)
    if (callee->roots[r].kind == LIVE_PARAM && callee->roots[r].index == i)
      return callee->entry.at[0][r].must & LIVE_READ;
  return false;
}

/* The pointer that CALL's callee finds at OFFSET of what argument I points to;
   or NULL_TREE where it can't be read before the call.  FIRST: live_callee's.  */
static tree
field_value (gcall *call, const live_function *callee, unsigned first,
	     unsigned i, HOST_WIDE_INT offset)
{
  tree arg = gimple_call_arg (call, first + i);
  bool own = TREE_CODE (arg) == ADDR_EXPR && VAR_P (TREE_OPERAND (arg, 0));
  if (!own && (TREE_CODE (arg) != SSA_NAME
	       || !POINTER_TYPE_P (TREE_TYPE (arg))
	       || SSA_NAME_OCCURS_IN_ABNORMAL_PHI (arg)
	       || live_quiet_loop (gimple_bb (call)) || first
	       || !reads_surely (callee, i, offset)))
    return NULL_TREE;
  tree type = build_pointer_type_for_mode (ptr_type_node, ptr_mode, true);
  return build2 (MEM_REF, ptr_type_node, unshare_expr (arg),
		 build_int_cst (type, offset));
}

/* What CALL's callee goes over, before it launches anything.  */
static void
seen_call (announce_search *s, gcall *call)
{
  unsigned first;
  const live_function *callee = live_callee (call, &first);
  bool wide = live_call_is_wide (call, callee);
  for (unsigned r = 1; r < callee->roots.length (); r++)
    {
      const live_root &root = callee->roots[r];
      const live_value &v = callee->entry.at[0][r];
      double p = wide && v.must & LIVE_HOST ? 1 : v.next;
      /* Threads divide a loop: one that has a part is enough.  */
      if (first && live_is_outlined (callee))
	p = 1 - (1 - p) * (1 - p) * (1 - p) * (1 - p);
      unsigned arg = first + root.index;
      tree value = NULL_TREE;
      if (p <= 0.5)
	continue;
      if (root.kind == LIVE_LOADED && VAR_P (root.t) && is_global_var (root.t))
	value = root.t;
      else if (arg >= gimple_call_num_args (call))
	continue;
      else if (root.kind == LIVE_PARAM)
	value = gimple_call_arg (call, arg);
      else if (root.kind == LIVE_FIELD)
	value = field_value (call, callee, first, root.index, root.offset);
      if (value && POINTER_TYPE_P (TREE_TYPE (value)))
	place_add (s, call, value, p);
    }
}

static void
statement_look (announce_search *s, gimple *stmt)
{
  gcall *call = dyn_cast <gcall *> (stmt);
  live_call_kind kind = call ? live_call_kind_of (call) : LIVE_CALL_NONE;
  if (kind == LIVE_CALL_SEEN)
    seen_call (s, call);
  else if (kind == LIVE_CALL_SET || kind == LIVE_CALL_COPY)
    for (unsigned i = 0; i <= (kind == LIVE_CALL_COPY); i++)
      place_add (s, stmt, gimple_call_arg (call, i), 1);
  if (is_gimple_assign (stmt) || call)
    walk_stmt_load_store_ops (stmt, s, on_reference, on_reference);
}

/* --- the unit ------------------------------------------------------------- */

/* VALUE as the source would name it, as far as possible.  */
static tree
value_source (tree value)
{
  if (TREE_CODE (value) == SSA_NAME)
    {
      if (!SSA_NAME_VAR (value)
	  && gimple_assign_load_p (SSA_NAME_DEF_STMT (value)))
	return gimple_assign_rhs1 (SSA_NAME_DEF_STMT (value));
      return SSA_NAME_VAR (value) && !DECL_IGNORED_P (SSA_NAME_VAR (value))
	     ? SSA_NAME_VAR (value) : value;
    }
  if (TREE_CODE (value) != MEM_REF
      || TREE_CODE (TREE_OPERAND (value, 0)) != ADDR_EXPR
      || !DECL_P (TREE_OPERAND (TREE_OPERAND (value, 0), 0)))
    return value;
  /* field_value's.  */
  tree variable = TREE_OPERAND (TREE_OPERAND (value, 0), 0);
  if (TREE_CODE (TREE_TYPE (variable)) == RECORD_TYPE)
    for (tree field = TYPE_FIELDS (TREE_TYPE (variable)); field;
	 field = DECL_CHAIN (field))
      if (TREE_CODE (field) == FIELD_DECL
	  && POINTER_TYPE_P (TREE_TYPE (field))
	  && int_byte_position (field) == tree_to_shwi (TREE_OPERAND (value, 1)))
	return build3 (COMPONENT_REF, TREE_TYPE (field), variable, field,
		       NULL_TREE);
  return value;
}

static void
place_dump (const announce_place &place)
{
  tree value = value_source (place.value);
  char *name = ummgr_expr_name (value);
  fputs (";; ummgr: announced: ", dump_file);
  if (name)
    fputs (name, dump_file);
  else
    print_generic_expr (dump_file, value, TDF_SLIM);
  free (name);
  expanded_location at = expand_location (place.location);
  fprintf (dump_file, " at %s:%d\n", at.file ? lbasename (at.file) : "?",
	   at.line);
}

static tree next_decl;

static void
function_announce (live_function *f)
{
  announce_search s = {};
  announce_turns turns;
  s.f = f;
  announce_turns_find (f, &turns);
  flow_chain_edges (f->fun, &s.chain);
  live_loops_begin (f);
  calculate_dominance_info (CDI_DOMINATORS);
  used_find (&s);
  basic_block block;
  FOR_EACH_BB_FN (block, f->fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi);
	 gsi_next (&gsi))
      if (!is_gimple_debug (gsi_stmt (gsi)))
	statement_look (&s, gsi_stmt (gsi));
  auto_vec<live_telling> tellings;
  live_tellings (f, &tellings);
  announce_turns_after (s.places, &turns);
  live_loops_end (f);
  flow_chain_free (&s.chain);
  if (dump_file)
    for (unsigned i = 0; i < s.places.length (); i++)
      place_dump (s.places[i]);
  push_cfun (f->fun);
  announce_insert (announce_decl (&next_decl, "__ummgr_host_next", const_ptr_type_node), s.places);
  announce_calls (f);
  announce_tellings (f, tellings);
  announce_turns_insert (turns);
  pop_cfun ();
  s.places.release ();
  s.used.release ();
}

static void
unit_announce (function *)
{
  live_begin ();
  for (unsigned i = 0; i < live_functions ().length (); i++)
    if (live_functions ()[i]->good && live_takes_calls (live_functions ()[i]))
      function_announce (live_functions ()[i]);
  live_end ();
}

static bool is_made;

bool
ummgr_announce_follows (void)
{
  return is_made;
}

opt_pass *
ummgr_pass_announce_new (void)
{
  is_made = true;
  static const ummgr_pass pass = {
    SIMPLE_IPA_PASS, UMMGR_PASS_ANNOUNCE, OPTGROUP_OMP, 0,
    ummgr_unit_offloads, unit_announce
  };
  return ummgr_pass_new (&pass);
}
