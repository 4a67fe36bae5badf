/* The pass that makes a program report its memory accesses.
   SPDX-License-Identifier: GPL-3.0-or-later

   Goes through the unit's functions: finds those that have something to
   report, has a traced version of each made, writes the reports into that, and
   puts the choice between the two into the plain one.  Holds no state from one
   unit to the next.  */

#include "trace/trace.h"

static void
location_string (char *to, size_t size, tree decl)
{
  const char *file;
  unsigned line, column;
  ummgr_location_get (DECL_SOURCE_LOCATION (decl), &file, &line, &column);
  snprintf (to, size, "%s:%u", file, line);
}

static void
function_dump (FILE *file, const trace_function *f)
{
  static const char *const modes[] = { "left alone", "cloned", "in place" };
  char place[1024];
  location_string (place, sizeof place, f->node->decl);
  fprintf (file, ";; ummgr: trace %s at %s: %s",
	   IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (f->node->decl)), place,
	   modes[f->mode]);
  if (f->why)
    fprintf (file, " (%s)", f->why);
  fprintf (file, ", %u single, %u hoisted, %u elided, %u sites\n",
	   f->counts.singles, f->counts.hoisted, f->counts.elided,
	   f->counts.sites);
}

/* Note the variables with static storage whose address is stored into an
   argument block of cfun's.  */
static void
mapped_note (void)
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi);
	 gsi_next (&gsi))
      {
	gimple *stmt = gsi_stmt (gsi);
	if (!gimple_assign_single_p (stmt)
	    || TREE_CODE (gimple_assign_rhs1 (stmt)) != ADDR_EXPR)
	  continue;
	tree block = get_base_address (gimple_assign_lhs (stmt));
	tree var = get_base_address (TREE_OPERAND (gimple_assign_rhs1 (stmt),
						   0));
	if (block && VAR_P (block) && DECL_NAME (block)
	    && strncmp (IDENTIFIER_POINTER (DECL_NAME (block)), ".omp_data_arr",
			13) == 0
	    && var && VAR_P (var) && TREE_STATIC (var))
	  trace_statics_mapped (var);
      }
}

/* Does F's function have anything to report?  */
static bool
function_reports (trace_function *f)
{
  cgraph_node *node = f->node;
  auto_vec<trace_ref> refs;
  auto_vec<trace_site> sites;
  push_cfun (DECL_STRUCT_FUNCTION (node->decl));
  trace_refs_collect (&refs, &f->counts.elided);
  if (!node->offloadable)
    {
      trace_sites_collect (&sites);
      mapped_note ();
    }
  pop_cfun ();
  f->has_sites = !sites.is_empty ();
  return !refs.is_empty () || f->has_sites;
}

/* Calls in a traced version go straight to the traced versions of this
   unit.  */
static void
calls_redirect (const hash_map<tree, tree> *versions)
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi);
	 gsi_next (&gsi))
      {
	gcall *call = dyn_cast <gcall *> (gsi_stmt (gsi));
	tree fndecl = call ? gimple_call_fndecl (call) : NULL_TREE;
	cgraph_node *callee = fndecl ? cgraph_node::get (fndecl) : NULL;
	if (!callee)
	  continue;
	enum availability avail;
	callee = callee->function_symbol (&avail);
	tree *traced
	  = const_cast <hash_map<tree, tree> *> (versions)->get (callee->decl);
	if (!traced || avail <= AVAIL_INTERPOSABLE
	    || gimple_call_flags (call) & (ECF_CONST | ECF_PURE))
	  continue;
	gimple_call_set_fndecl (call, *traced);
	if (TREE_ADDRESSABLE (TREE_TYPE (*traced)))
	  gimple_call_set_fntype (call, TREE_TYPE (*traced));
	update_stmt (call);
      }
}

/* Whether each access is reported where it is made.  */
static bool exact;

/* Write the reports of cfun, which is F's traced version or, in place, F.  */
static void
function_instrument (trace_function *f, const hash_map<tree, tree> *versions)
{
  auto_vec<trace_ref> refs;
  auto_vec<trace_site> sites;
  trace_context context = {};
  bool hoists = !exact && f->mode == TRACE_CLONE
		&& opt_for_fn (cfun->decl, optimize);
  context.may_be_off = f->mode == TRACE_IN_PLACE;
  context.host = !f->node->offloadable;
  context.counts = &f->counts;
  if (hoists)
    trace_loops_begin ();
  trace_refs_collect (&refs, &f->counts.elided);
  if (hoists)
    trace_refs_loops (&refs);
  if (context.host)
    trace_sites_collect (&sites);
  bool counts = !context.host && f->mode == TRACE_CLONE && !refs.is_empty ();
  if (counts)
    {
      trace_refs_join (&refs);
      trace_work_begin (hoists);
    }
  if (!refs.is_empty () || (context.may_be_off && !sites.is_empty ()))
    trace_emit_thread (&context);
  if (hoists)
    {
      trace_loops_hoist (&context, &refs);
      trace_loops_end ();
    }
  if (counts)
    trace_work_emit (&context);
  if (f->mode == TRACE_CLONE)
    calls_redirect (versions);
  free_dominance_info (CDI_DOMINATORS);
  free_dominance_info (CDI_POST_DOMINATORS);
  for (unsigned i = 0; i < refs.length (); i++)
    if (!refs[i].hoisted)
      {
	trace_emit_ref (&context, &refs[i]);
	f->counts.singles++;
      }
  for (unsigned i = 0; i < sites.length (); i++)
    trace_site_emit (&context, &sites[i]);
  f->counts.sites = sites.length ();
  if (context.memos)
    {
      mark_virtual_operands_for_renaming (cfun);
      update_ssa (TODO_update_ssa);
    }
  ummgr_function_changed ();
}

/* Does NODE's function name data that is "declare target link"?  */
static bool
names_linked_data (cgraph_node *node)
{
  ipa_ref *ref;
  for (unsigned i = 0; node->iterate_reference (i, ref); i++)
    if (lookup_attribute ("omp declare target link",
			  DECL_ATTRIBUTES (ref->referred->decl)))
      return true;
  return false;
}

/* Fill ALONE with the functions for the device that name "declare target link"
   data, and with what they call.  Such data stands for what a pointer points to
   there, and GCC 12 stops with an error of its own where a call is beside it,
   as a report would be; a callee that was to be inlined would bring one, and so
   would the caller that such a function is inlined into.  */
static void
linked_data_find (hash_set<cgraph_node *> *alone)
{
  cgraph_node *node;
  auto_vec<cgraph_node *> todo;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    if (node->offloadable && names_linked_data (node))
      {
	DECL_UNINLINABLE (node->decl) = 1;
	todo.safe_push (node);
      }
  while (!todo.is_empty ())
    {
      node = todo.pop ();
      if (alone->add (node))
	continue;
      for (cgraph_edge *e = node->callees; e; e = e->next_callee)
	todo.safe_push (e->callee->function_symbol ());
    }
}

/* The unit's functions that report, with their traced versions.  */
static void
functions_find (vec<trace_function> *functions)
{
  cgraph_node *node;
  hash_set<cgraph_node *> alone;
  linked_data_find (&alone);
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    {
      trace_function f = {};
      f.node = node;
      if (node->inlined_to || !DECL_STRUCT_FUNCTION (node->decl)->cfg
	  || !function_reports (&f))
	continue;
      if (alone.contains (node))
	f.why = "\"declare target link\" data, or called beside it";
      else
	f.mode = trace_version_mode (node, &f.why);
      functions->safe_push (f);
    }
}

static void
result_in_memory (cgraph_node *node)
{
  if (trace_result_in_memory (node) && dump_file)
    fprintf (dump_file, ";; ummgr: trace result of %s in memory\n",
	     IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (node->decl)));
}

/* Those of the functions that allow it: before they are copied, as what holds
   for their types does for the copies' calls.  */
static void
results_in_memory (void)
{
  cgraph_node *node;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    if (!node->inlined_to && DECL_STRUCT_FUNCTION (node->decl)->cfg)
      result_in_memory (node);
}

/* Is this the unit that defines what the reports call?  */
static bool
unit_is_runtime (void)
{
  cgraph_node *node;
  FOR_EACH_DEFINED_FUNCTION (node)
    if (strcmp (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (node->decl)),
		"__ummgr_trace_access") == 0)
      return true;
  return false;
}

/* Have the traced versions bring small functions with them, but for those that are left alone,
   and for those that allocate or hold constructs: what names an object is the call that yields
   it.  */
static void
small_functions_inline (const vec<trace_function> &functions)
{
  cgraph_node *node;
  auto_vec<ipa_fn_summary *> kept;
  /* The plugin's other passes may have changed them since GCC did so.  */
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    if (!node->inlined_to && DECL_STRUCT_FUNCTION (node->decl)->cfg)
      {
	push_cfun (DECL_STRUCT_FUNCTION (node->decl));
	compute_fn_summary (node, true);
	pop_cfun ();
      }
  for (unsigned i = 0; i < functions.length (); i++)
    {
      ipa_fn_summary *summary = ipa_fn_summaries->get (functions[i].node);
      if (summary->inlinable
	  && (functions[i].has_sites || functions[i].mode == TRACE_NONE))
	{
	  summary->inlinable = false;
	  kept.safe_push (summary);
	}
    }
  for (unsigned i = 0; i < functions.length (); i++)
    if (functions[i].traced)
      trace_version_inline (functions[i].traced);
  while (!kept.is_empty ())
    kept.pop ()->inlinable = true;
}

static void
unit_instrument (void)
{
  if (unit_is_runtime ())
    return;
  /* A report in a transaction, or in what is called there, is an unsafe call
     to GCC, and would be made again with each try.  */
  if (flag_tm)
    {
      warning_at (UNKNOWN_LOCATION, 0,
		  "%<-ftrace%>: no access in this unit is reported, as it is "
		  "compiled with %<-fgnu-tm%>");
      return;
    }
  auto_vec<trace_function> functions;
  hash_map<tree, tree> versions;
  results_in_memory ();
  functions_find (&functions);
  trace_places_begin (functions);
  for (unsigned i = 0; i < functions.length (); i++)
    {
      trace_function *f = &functions[i];
      if (f->mode != TRACE_CLONE)
	continue;
      f->traced = trace_version_new (f->node);
      if (f->traced)
	{
	  result_in_memory (f->traced);
	  versions.put (f->node->decl, f->traced->decl);
	}
      else
	{
	  f->mode = TRACE_IN_PLACE;
	  f->why = "GCC cannot copy it";
	}
    }
  if (!exact)
    small_functions_inline (functions);
  for (unsigned i = 0; i < functions.length (); i++)
    {
      trace_function *f = &functions[i];
      if (f->mode != TRACE_NONE)
	{
	  cgraph_node *node = f->traced ? f->traced : f->node;
	  push_cfun (DECL_STRUCT_FUNCTION (node->decl));
	  function_instrument (f, &versions);
	  pop_cfun ();
	}
      if (f->traced)
	trace_version_dispatch (f->node, f->traced);
      if (dump_file)
	function_dump (dump_file, f);
    }
  unsigned statics = trace_statics_emit ();
  if (dump_file)
    fprintf (dump_file, ";; ummgr: trace statics %u\n", statics);
}

/* The reports carry 64-bit addresses.  */
static bool
trace_gate (void)
{
  return !seen_error () && POINTER_SIZE == 64;
}

static void
trace_pass (function *)
{
  unit_instrument ();
  trace_emit_end ();
}

opt_pass *
ummgr_pass_trace_new (bool each)
{
  exact = each;
  static const ummgr_pass pass = {
    SIMPLE_IPA_PASS, UMMGR_PASS_TRACE, OPTGROUP_OTHER, 0,
    trace_gate, trace_pass
  };
  return ummgr_pass_new (&pass);
}
