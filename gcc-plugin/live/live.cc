/* What comes after the launches of a unit's regions.
   SPDX-License-Identifier: GPL-3.0-or-later

   Four turns over the functions.  From callees to callers: where their pointers
   point.  From callers to callees: which parameters always point to memory that
   the function has no other name for.  From callees to callers: for each function,
   what comes after its launches and calls as far as its end, for two returns
   (live_pair).  Then from callers to callees: what really comes after their
   ends.  A function that is called from outside of the unit, by pointer, or
   recursively, may be followed by anything.

   Owns the functions, between live_begin and live_end.  Changes no code but for
   the empty blocks that flow_chain_edges may add.  */

#include "flow/flow.h"
#include "live/live.h"

/* A larger function is not worth it.  */
#define BLOCKS_MAX 2000
#define DEPTH_MAX 100
/* Functions that return what others allocate are followed so far.  */
#define CALLS_MOST 4

static hash_map<cgraph_node *, live_function *> *functions;
/* Callees before their callers.  */
static vec<live_function *> finished;
static unsigned depth;
/* They are scanned, and not all of them have run.  */
static bool running;

/* Mark the loops that launch regions, and what F does by its calls.  */
static void
calls_note (live_function *f)
{
  basic_block block;
  FOR_EACH_BB_FN (block, f->fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi);
	 gsi_next (&gsi))
      {
	unsigned first;
	gcall *call = dyn_cast <gcall *> (gsi_stmt (gsi));
	live_call_kind kind = call ? live_call_kind_of (call) : LIVE_CALL_NONE;
	live_function *callee
	  = kind == LIVE_CALL_SEEN ? live_callee (call, &first) : NULL;
	f->jumps |= kind == LIVE_CALL_UNSEEN || (callee && callee->jumps);
	if (kind != LIVE_CALL_LAUNCH && !(callee && callee->launches))
	  continue;
	f->launches = true;
	for (class loop *l = block->loop_father; l && loop_outer (l);
	     l = loop_outer (l))
	  l->aux = f;
      }
}

static void
loops_unmark (function *fun)
{
  for (unsigned i = 0; i < number_of_loops (fun); i++)
    if (class loop *l = get_loop (fun, i))
      l->aux = NULL;
}

static void
loops_make (live_function *f)
{
  push_cfun (f->fun);
  loop_optimizer_init (AVOID_CFG_MODIFICATIONS);
  loops_unmark (f->fun);
}

void
live_loops_begin (live_function *f)
{
  loops_make (f);
  calls_note (f);
}

void
live_loops_end (live_function *f)
{
  loops_unmark (f->fun);
  loop_optimizer_finalize ();
  pop_cfun ();
}

live_function *
live_function_of (cgraph_node *node)
{
  live_function **known = functions ? functions->get (node) : NULL;
  return known && (*known)->ran ? *known : NULL;
}

const vec<live_function *> &
live_functions (void)
{
  return finished;
}

/* Does WAY lead out of loop L of FUN?  */
static bool
leaves_loop (function *fun, const class loop *l, const flow_edge &way)
{
  return way.to == FLOW_RETURN || way.to == FLOW_LOST
	 || !flow_bb_inside_loop_p (l, BASIC_BLOCK_FOR_FN (fun, way.to));
}

/* Have CHAIN leave loops of FUN in which nothing is launched soon.  How often such a loop turns doesn't matter to what
   comes first, and what goes over memory in it is known to; but what is found by turns would take as many.  */
static void
loops_shorten (function *fun, flow_chain *chain)
{
  const float soon = 0.5f;
  basic_block block;
  FOR_EACH_BB_FN (block, fun)
    {
      class loop *l = block->loop_father;
      float leaves = 0, stays = 0;
      if (!l || !loop_outer (l) || l->aux)
	continue;
      vec<flow_edge> &ways = chain->out[block->index];
      for (flow_edge &way : ways)
	(leaves_loop (fun, l, way) ? leaves : stays) += way.p;
      if (leaves <= 0 || leaves >= soon)
	continue;
      for (flow_edge &way : ways)
	way.p *= leaves_loop (fun, l, way) ? soon / leaves : (1 - soon) / stays;
    }
}

/* Where F's pointers point, and what they point to goes.  */
static void
function_scan (live_function *f)
{
  f->visiting = true;
  depth++;
  loops_make (f);
  live_roots_find (f);
  calls_note (f);
  f->good = true;
  live_loops_end (f);
  depth--;
  f->visiting = false;
  f->analysed = true;
  finished.safe_push (f);
}

/* What comes after F's launches and calls.  */
static void
function_run (live_function *f)
{
  flow_chain chain;
  flow_chain_edges (f->fun, &chain);
  live_loops_begin (f);
  live_within_find (f);
  live_told_find (f);
  loops_shorten (f->fun, &chain);
  live_run (f, &chain, 0);
  live_run (f, &chain, 1);
  live_loops_end (f);
  flow_chain_free (&chain);
  f->ran = true;
}

/* The function of NODE, analysed, or NULL.  */
static live_function *
function_get (cgraph_node *node)
{
  live_function **known = functions->get (node);
  if (!known)
    return NULL;
  live_function *f = *known;
  /* A recursion, or too deep to follow.  */
  if (f->visiting || (!f->analysed && depth > DEPTH_MAX))
    {
      f->called_unseen = true;
      return NULL;
    }
  if (!f->analysed)
    function_scan (f);
  return f->good && (!running || f->ran) ? f : NULL;
}

/* The function that CALL names, itself or for libgomp to run.  */
static cgraph_node *
callee_node (const gcall *call, unsigned *first)
{
  tree callee = gimple_call_fndecl (call);
  *first = 0;
  if (!callee || !DECL_NAME (callee))
    return NULL;
  const char *name = ummgr_call_name (call);
  if ((startswith (name, "GOMP_parallel") || startswith (name, "GOMP_teams_reg"))
      && gimple_call_num_args (call) > 1)
    {
      tree child = gimple_call_arg (call, 0);
      if (TREE_CODE (child) != ADDR_EXPR
	  || TREE_CODE (TREE_OPERAND (child, 0)) != FUNCTION_DECL)
	return NULL;
      *first = 1;
      callee = TREE_OPERAND (child, 0);
    }
  cgraph_node *node = cgraph_node::get (callee);
  node = node ? node->ultimate_alias_target () : NULL;
  return node;
}

live_function *
live_callee (const gcall *call, unsigned *first)
{
  cgraph_node *node = callee_node (call, first);
  return node && !ummgr_decl_is_replaceable (node->decl) ? function_get (node)
							  : NULL;
}

/* --- from callers to callees --------------------------------------------- */

bool
live_callers_are_known (const live_function *f)
{
  tree decl = f->node->decl;
  return !TREE_PUBLIC (decl) && !DECL_STATIC_CONSTRUCTOR (decl)
	 && !DECL_STATIC_DESTRUCTOR (decl) && !DECL_PRESERVE_P (decl)
	 && !f->node->has_aliases_p () && !f->called_unseen
	 && (!f->node->address_taken || live_is_outlined (f));
}

static bool returns_malloc (const live_function *f, unsigned more);
static bool is_address (const live_function *f, tree value, unsigned more);

/* Does STMT allocate what free ends, or what ummgr_free does, which libummgr knows of as well; or call what does, MORE
   calls deep at most?  */
static bool
is_malloc (gimple *stmt, unsigned more)
{
  gcall *call = dyn_cast <gcall *> (stmt);
  unsigned first;
  if (!call)
    return false;
  if (live_call_kind_of (call) == LIVE_CALL_SEEN)
    return more && returns_malloc (live_callee (call, &first), more - 1);
  return gimple_call_builtin_p (call, BUILT_IN_MALLOC) || gimple_call_builtin_p (call, BUILT_IN_CALLOC)
	 || gimple_call_builtin_p (call, BUILT_IN_ALIGNED_ALLOC)
	 || strcmp (ummgr_call_name (call), "ummgr_malloc") == 0;
}

/* Is each argument of PHI, of F, so?  */
static bool
all_addresses (const live_function *f, gphi *phi, unsigned more)
{
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    if (!is_address (f, gimple_phi_arg_def (phi, i), more))
      return false;
  return true;
}

/* Is the value of DECL, a variable of F that lies in memory, always so?  A parameter that a clause names is such a
   one.  */
static bool
holds_addresses (const live_function *f, tree decl, unsigned more)
{
  if (is_global_var (decl) || const_cast <hash_set<tree> &> (f->addressed).contains (decl))
    return false;
  for (gimple *stmt : f->stores)
    if (get_base_address (gimple_get_lhs (stmt)) == decl
	&& !(gimple_assign_single_p (stmt) && gimple_assign_lhs (stmt) == decl && more
	     && is_address (f, gimple_assign_rhs1 (stmt), more - 1)))
      return false;
  return true;
}

/* Is VALUE, of F, the address of memory, as a declaration, a parameter or malloc has it, MORE calls deep at most?  */
static bool
is_address (const live_function *f, tree value, unsigned more)
{
  for (unsigned i = 0; value && i < 8; i++)
    {
      if (TREE_CODE (value) == ADDR_EXPR)
	return DECL_P (TREE_OPERAND (value, 0));
      if (TREE_CODE (value) == PARM_DECL || TREE_CODE (value) == VAR_DECL)
	return holds_addresses (f, value, more);
      if (TREE_CODE (value) != SSA_NAME)
	return false;
      if (SSA_NAME_IS_DEFAULT_DEF (value))
	return true;
      gimple *def = SSA_NAME_DEF_STMT (value);
      if (gphi *phi = dyn_cast <gphi *> (def))
	return more && all_addresses (f, phi, more - 1);
      if (!gimple_assign_single_p (def) && !gimple_assign_cast_p (def))
	return is_malloc (def, more);
      value = gimple_assign_rhs1 (def);
    }
  return false;
}

/* Does F return nothing but addresses of what it allocates by malloc?  */
static bool
returns_malloc (const live_function *f, unsigned more)
{
  if (!f->good || !f->fresh)
    return false;
  for (unsigned i = 0; i < f->roots.length (); i++)
    if (f->roots[i].returned && !is_malloc (SSA_NAME_DEF_STMT (f->roots[i].t), more))
      return false;
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, EXIT_BLOCK_PTR_FOR_FN (f->fun)->preds)
    {
      greturn *leave = safe_dyn_cast <greturn *> (gsi_stmt (gsi_last_nondebug_bb (e->src)));
      if (leave && !is_address (f, gimple_return_retval (leave), more))
	return false;
    }
  return true;
}

unsigned char
live_origin (const live_function *f, unsigned i, tree value)
{
  const live_root &root = f->roots[i];
  unsigned char bits = is_address (f, value, CALLS_MOST) ? 0 : LIVE_INNER;
  switch (root.kind)
    {
    case LIVE_LOCAL:
      bits |= LIVE_LENT | (root.escaped ? LIVE_SHARED : 0);
      break;
    case LIVE_ALLOC:
      bits |= (is_malloc (SSA_NAME_DEF_STMT (root.t), CALLS_MOST) ? 0 : LIVE_LENT) | (root.escaped ? LIVE_SHARED : 0);
      break;
    case LIVE_PARAM:
    case LIVE_FIELD:
      return bits | (root.escaped ? LIVE_SHARED : 0) | (f->exit[i].may & LIVE_ORIGIN);
    default:
      bits = LIVE_SHARED;
    }
  return bits & LIVE_SHARED ? bits & ~LIVE_INNER : bits;
}

/* What comes after F's own end for its root I, where nothing better is known:
   locals are gone.  */
static live_value
exit_default (const live_function *f, unsigned i)
{
  const live_root &root = f->roots[i];
  bool own = live_is_own (root) && !root.escaped && !root.returned;
  live_value none = { 0, 0, 0 };
  live_value anything = { LIVE_HOST | LIVE_NEEDED | LIVE_ORIGIN, 0, 0 };
  return own ? none : anything;
}

/* What comes after the calls of a function, as a sum.  */
struct exit_sum
{
  live_value *values;
  unsigned *counts;		/* So many calls are in each.  */
};

static void
exit_add (const exit_sum *to, unsigned i, const live_value &value)
{
  live_value &sum = to->values[i];
  unsigned n = to->counts[i]++;
  sum.may |= value.may;
  sum.must = n ? sum.must & value.must : value.must;
  sum.next = (sum.next * n + value.next) / (n + 1);
}

/* What comes after SITE of F for its roots SET, to which VALUE points, goes to the callee's root I in TO.  */
static void
exit_pass (const live_function *f, const live_site *site, const exit_sum *to, unsigned i,
	   live_set set, tree value)
{
  const live_value anything = { LIVE_HOST | LIVE_NEEDED | LIVE_ORIGIN, 0, 0 };
  if (!set || (set & LIVE_ANY))
    {
      exit_add (to, i, anything);
      return;
    }
  for (unsigned r = 0; r < f->roots.length (); r++)
    if (set >> r & 1)
      {
	live_value v = live_apply (site->after.at[0][r], site->after.at[1][r], f->exit[r]);
	v.may = (v.may & ~LIVE_ORIGIN) | live_origin (f, r, value);
	exit_add (to, i, v);
      }
}

static void
site_pass (live_function *f, const live_site *site, const exit_sum *to)
{
  unsigned first;
  live_function *callee = live_callee (site->call, &first);
  for (unsigned i = 1; i < callee->roots.length (); i++)
    {
      tree value;
      live_set set;
      if (live_passed (f, site->call, callee, first, i, &set, &value))
	exit_pass (f, site, to, i, set, value);
    }
}

static void
exits_find (void)
{
  for (unsigned i = finished.length (); i-- > 0;)
    {
      live_function *f = finished[i];
      if (!f->good)
	continue;
      bool known = live_callers_are_known (f);
      for (unsigned r = 0; r < f->roots.length (); r++)
	if (!known || !f->exits[r])
	  f->exit[r] = exit_default (f, r);
      for (unsigned s = 0; s < f->sites.length (); s++)
	if (live_function *callee = f->sites[s]->callee)
	  {
	    const exit_sum all = { callee->exit, callee->exits };
	    site_pass (f, f->sites[s], &all);
	  }
    }
}

void
live_exit_of (live_function *f, const live_site *site, live_value *exit)
{
  unsigned counts[LIVE_ROOTS] = {};
  const exit_sum one = { exit, counts };
  memset (exit, 0, sizeof (live_values));
  site_pass (f, site, &one);
  for (unsigned r = 0; r < site->callee->roots.length (); r++)
    if (!counts[r])
      exit[r] = exit_default (site->callee, r);
}

bool
live_takes_calls (const live_function *f)
{
  if (!f->launches || f->fun->calls_setjmp || f->fun->has_nonlocal_label
      || lookup_attribute ("omp declare target", DECL_ATTRIBUTES (f->node->decl)))
    return false;
  basic_block block;
  edge e;
  edge_iterator ei;
  FOR_EACH_BB_FN (block, f->fun)
    FOR_EACH_EDGE (e, ei, block->preds)
      if (e->flags & EDGE_ABNORMAL)
	return false;
  return true;
}

/* --- the unit ------------------------------------------------------------ */

/* Is there a launch in FUN?  */
static bool
has_launch (function *fun)
{
  basic_block block;
  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi);
	 gsi_next (&gsi))
      if (is_gimple_call (gsi_stmt (gsi))
	  && strcmp (ummgr_call_name (gsi_stmt (gsi)), "GOMP_target_ext") == 0)
	return true;
  return false;
}

/* What NODE's code, which is not followed, calls may be followed by anything. */
static void
callees_give_up (cgraph_node *node)
{
  function *fun = DECL_STRUCT_FUNCTION (node->decl);
  basic_block block;
  if (!fun || !fun->cfg)
    return;
  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi);
	 gsi_next (&gsi))
      if (gcall *call = dyn_cast <gcall *> (gsi_stmt (gsi)))
	{
	  unsigned first;
	  cgraph_node *callee = callee_node (call, &first);
	  live_function **known = callee ? functions->get (callee) : NULL;
	  if (known)
	    (*known)->called_unseen = true;
	}
}

/* Can NODE be followed?  */
static bool
is_suitable (cgraph_node *node)
{
  function *fun = DECL_STRUCT_FUNCTION (node->decl);
  return fun && fun->cfg && gimple_in_ssa_p (fun)
	 && n_basic_blocks_for_fn (fun) <= BLOCKS_MAX
	 && !lookup_attribute ("omp target entrypoint",
			       DECL_ATTRIBUTES (node->decl));
}

void
live_begin (void)
{
  bool any = false;
  cgraph_node *node;
  if (functions)
    return;
  functions = new hash_map<cgraph_node *, live_function *>;
  depth = 0;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    if (is_suitable (node))
      {
	live_function *f = new live_function ();
	f->node = node;
	f->fun = DECL_STRUCT_FUNCTION (node->decl);
	functions->put (node, f);
	any |= has_launch (f->fun);
      }
  if (!any)
    return;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    if (functions->get (node))
      function_get (node);
    else
      callees_give_up (node);
  live_apart_find (finished);
  running = true;
  for (live_function *f : finished)
    function_run (f);
  running = false;
  exits_find ();
}

void
live_end (void)
{
  for (auto it = functions->begin (); it != functions->end (); ++it)
    {
      live_function *f = (*it).second;
      for (unsigned i = 0; i < f->sites.length (); i++)
	delete f->sites[i];
      delete f;
    }
  delete functions;
  functions = NULL;
  finished.release ();
  live_calls_free ();
  live_within_end ();
}

void
live_fact_add (live_fact *fact, live_function *f, const live_site *site, unsigned i)
{
  live_set set = live_launch_has_argument (site->call, i)
		 ? live_launch_argument (f, site->call, i) : 0;
  tree value = live_launch_value (f, site->call, i);
  for (unsigned r = 1; r < f->roots.length (); r++)
    if (set >> r & 1 && live_origin (f, r, value) & LIVE_INNER)
      fact->apart = false;
  fact->why = live_launch_is_async (site->call) ? "not waited for"
	      : set & LIVE_ANY ? "memory that is not followed"
	      : !set ? "not memory" : fact->why;
  for (unsigned r = 1; r < f->roots.length () && !fact->why; r++)
    if (set >> r & 1)
      {
	live_value v = live_apply (site->after.at[0][r], site->after.at[1][r],
				   f->exit[r]);
	v.may = (v.may & ~LIVE_ORIGIN) | live_origin (f, r, value);
	unsigned char may = fact->value.may | v.may;
	fact->value = fact->known ? live_join (fact->value, v) : v;
	fact->value.may = may;
	fact->known = true;
      }
}

void
live_fact_end (live_fact *fact)
{
  if (!fact->known && !fact->why)
    fact->why = "its launch is not followed";
  if (fact->why)
    fact->known = false;
}

live_fact
live_fact_get (tree function, unsigned i)
{
  live_fact fact = {};
  bool followed = false;
  fact.apart = true;
  for (unsigned j = 0; j < finished.length (); j++)
    for (unsigned s = 0; s < finished[j]->sites.length (); s++)
      {
	const live_site *site = finished[j]->sites[s];
	if (!site->callee && finished[j]->good
	    && live_launch_function (site->call) == function)
	  {
	    live_fact_add (&fact, finished[j], site, i);
	    followed = true;
	  }
      }
  fact.apart &= followed;
  live_fact_end (&fact);
  return fact;
}
