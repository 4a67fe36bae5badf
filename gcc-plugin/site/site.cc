/* Where the data of regions is allocated: the analysis as a whole.
   SPDX-License-Identifier: GPL-3.0-or-later

   Runs at the position of the tables, before them.  Owns what it found until
   the compiler ends; the graph lives for the analysis only.  Changes no code. */

#include "site/site.h"

vec<site_found> site_results;
vec<site_flow> site_flows;

/* Which result an object became, by object; UINT_MAX: none.  */
static vec<unsigned> object_results;

static const char *
symbol_kind_text (unsigned kind)
{
  static const char *const texts[] = UMMGR_FLOW_END_NAMES;
  return texts[kind];
}

/* SYMBOL for people, malloc'ed.  */
static char *
symbol_text (unsigned number)
{
  const site_symbol &s = site_symbols[number];
  char index[16] = "";
  if (number == SITE_UNKNOWN)
    return xstrdup ("what is not known");
  if (s.kind == UMMGR_FLOW_PARAMETER)
    snprintf (index, sizeof index, " %u", s.index + 1);
  return concat (symbol_kind_text (s.kind), index,
		 s.kind == UMMGR_FLOW_GLOBAL ? " " : " of ", s.name, NULL);
}

/* The variable that VALUE is put into first, malloc'ed; "": none that has a
   name.  */
static char *
variable_of (tree value, int depth)
{
  if (depth == 0 || !value)
    return xstrdup ("");
  if (TREE_CODE (value) != SSA_NAME)
    {
      char *name = ummgr_expr_name (value);
      return name ? name : xstrdup ("");
    }
  tree var = SSA_NAME_VAR (value);
  if (var && VAR_P (var) && DECL_NAME (var) && !DECL_ARTIFICIAL (var))
    return xstrdup (IDENTIFIER_POINTER (DECL_NAME (var)));
  use_operand_p use;
  imm_use_iterator iter;
  FOR_EACH_IMM_USE_FAST (use, iter, value)
    {
      gassign *stmt = dyn_cast <gassign *> (USE_STMT (use));
      if (!stmt || gimple_assign_rhs1 (stmt) != value
	  || (!gimple_assign_single_p (stmt) && !gimple_assign_cast_p (stmt)))
	continue;
      char *name = variable_of (gimple_assign_lhs (stmt), depth - 1);
      if (*name)
	return name;
      free (name);
    }
  return xstrdup ("");
}

static char *
function_text (tree decl)
{
  return xstrdup (lang_hooks.decl_printable_name (decl, 2));
}

static site_found
found_of_call (unsigned number)
{
  const site_call &call = site_calls[number];
  site_found found = {};
  unsigned column;
  found.call = number;
  found.kind = call.allocator ? call.allocator->kind
	       : IDENTIFIER_POINTER (DECL_NAME (call.wrapper->decl));
  /* What is inlined counts for who called.  */
  location_t location = ummgr_location_of_user (gimple_location (call.call), call.call, false);
  ummgr_location_get (location, &found.file, &found.line, &column);
  found.function = function_text (call.node->decl);
  if (call.allocator && call.allocator->out >= 0)
    {
      tree out = gimple_call_arg (call.call, call.allocator->out);
      found.variable = TREE_CODE (out) == ADDR_EXPR
		       ? variable_of (TREE_OPERAND (out, 0), 4) : xstrdup ("");
    }
  else
    found.variable = variable_of (gimple_call_lhs (call.call), 4);
  return found;
}

static site_found
found_of_variable (tree decl)
{
  site_found found = {};
  unsigned column;
  found.call = UINT_MAX;
  found.kind = is_global_var (decl) ? "static" : "automatic";
  ummgr_location_get (DECL_SOURCE_LOCATION (decl), &found.file, &found.line,
		      &column);
  tree context = decl_function_context (decl);
  found.function = context ? function_text (context) : xstrdup ("");
  char *name = ummgr_expr_name (decl);
  found.variable = name ? name : xstrdup ("");
  found.why = xstrdup (is_global_var (decl) ? "its place is static"
					    : "it is on the stack");
  return found;
}

/* The number of OBJECT's result, or UINT_MAX: no data object.  */
static unsigned
result_of (unsigned number)
{
  const site_object &o = site_objects[number];
  unsigned &result = object_results[number];
  if (result != UINT_MAX)
    return result;
  if (o.kind == SITE_OBJECT_HEAP)
    site_results.safe_push (found_of_call (o.number));
  else if (o.kind == SITE_OBJECT_VARIABLE && VAR_P (o.decl)
	   && AGGREGATE_TYPE_P (TREE_TYPE (o.decl))
	   && !DECL_ARTIFICIAL (o.decl))
    site_results.safe_push (found_of_variable (o.decl));
  else
    return UINT_MAX;
  return result = site_results.length () - 1;
}

/* OBJECT flows to TO.  False if it is neither a site nor a symbol.  */
static bool
flow_add (unsigned number, unsigned to_kind, unsigned to, unsigned argument)
{
  const site_object &o = site_objects[number];
  site_flow flow = { UMMGR_FLOW_SITE, 0, to_kind, to, argument };
  if (o.kind == SITE_OBJECT_SYMBOL)
    {
      flow.from_kind = site_symbols[o.number].kind;
      flow.from = o.number;
    }
  else if ((flow.from = result_of (number)) == UINT_MAX)
    return false;
  else
    site_results[flow.from].flags |= to_kind == UMMGR_FLOW_ARGUMENT
				     ? UMMGR_SITE_REACHES : UMMGR_SITE_LEAVES;
  site_flows.safe_push (flow);
  return true;
}

/* What argument I of region NUMBER gets: from the cells that hostaddrs has for
   it at each launch.  */
static void
argument_flows (unsigned number, unsigned i)
{
  const ummgr_region &region = ummgr_regions[number];
  auto_vec<site_pointee> data;
  if (region.args[i].arg_class == UMMGR_ARG_SCALAR)
    return;
  bool any = false;
  for (unsigned j = 0; j < site_launches.length (); j++)
    {
      if (DECL_UID (site_launches[j].function) != region.function_uid)
	continue;
      /* Reading a cell makes nodes: the sets may move.  */
      unsigned addresses = site_launches[j].addresses;
      for (unsigned k = 0; k < site_set (addresses).length (); k++)
	{
	  site_pointee p = site_set (addresses)[k];
	  site_cell_set (p.object, p.offset == SITE_ANY ? SITE_ANY
			 : p.offset + i * (POINTER_SIZE / BITS_PER_UNIT),
			 &data);
	}
    }
  hash_set<int_hash<unsigned, UINT_MAX, UINT_MAX - 1> > seen;
  for (unsigned j = 0; j < data.length (); j++)
    if (!seen.add (data[j].object))
      any |= flow_add (data[j].object, UMMGR_FLOW_ARGUMENT, number, i);
  if (!any && data.is_empty ())
    flow_add (site_symbols[SITE_UNKNOWN].object, UMMGR_FLOW_ARGUMENT, number,
	      i);
}

/* Why what O allocates must be the C library's, malloc'ed, or NULL.  */
static char *
unsafe_sink (const site_object *o)
{
  for (unsigned i = 0; i < o->sinks.length (); i++)
    if (site_is_page_function (site_symbols[o->sinks[i]].name))
      return concat ("escapes to `", site_symbols[o->sinks[i]].name, "'",
		     NULL);
  return NULL;
}

static void
flows_find (void)
{
  for (unsigned i = 0; i < site_objects.length (); i++)
    object_results.safe_push (UINT_MAX);
  for (unsigned i = 0; i < ummgr_regions.length (); i++)
    for (unsigned j = 0; j < ummgr_regions[i].args.length (); j++)
      argument_flows (i, j);
  for (unsigned i = 0; i < site_objects.length (); i++)
    {
      const site_object *o = &site_objects[i];
      if (o->kind == SITE_OBJECT_VARIABLE)
	continue;
      for (unsigned j = 0; j < o->sinks.length (); j++)
	if (o->sinks[j] != SITE_UNKNOWN
	    && !site_is_page_function (site_symbols[o->sinks[j]].name))
	  flow_add (i, site_symbols[o->sinks[j]].kind, o->sinks[j], 0);
      if (o->kind == SITE_OBJECT_HEAP && object_results[i] != UINT_MAX
	  && !site_calls[o->number].why)
	site_calls[o->number].why = unsafe_sink (o);
    }
}

/* A number for FOUND that no other site of the program has: of the function, and how many came before.  */
static uint64_t
site_id (const site_found *found, unsigned number)
{
  char count[16];
  snprintf (count, sizeof count, "%u", number);
  return ummgr_id ({ found->file, found->function, count });
}

/* What is put into a symbol, and not said.  */
static void
lossy_flows (void)
{
  for (unsigned i = 1; i < site_symbols.length (); i++)
    if (site_symbols[i].lossy)
      flow_add (site_symbols[SITE_UNKNOWN].object, site_symbols[i].kind, i, 0);
}

/* Which sites are redirected, and why the others are not.  */
static void
redirections_find (bool unify)
{
  for (unsigned i = 0; i < site_results.length (); i++)
    {
      site_found *found = &site_results[i];
      found->id = site_id (found, i);
      if (found->call == UINT_MAX)
	continue;
      const site_call *call = &site_calls[found->call];
      found->why = call->why ? xstrdup (call->why)
			     : site_unify_why_not (call);
      if (unify && !found->why)
	found->flags |= found->flags & UMMGR_SITE_REACHES
			? UMMGR_SITE_REDIRECTED : UMMGR_SITE_REDIRECTED_IF;
    }
}

static void
dump_site (const site_found *found, bool unify)
{
  fprintf (dump_file, ";; ummgr: site %s at %s:%u in \"%s\" for %s",
	   found->kind, lbasename (found->file), found->line, found->function,
	   *found->variable ? found->variable : "?");
  if (found->flags & UMMGR_SITE_REACHES)
    fputs (" reaches", dump_file);
  if (found->flags & UMMGR_SITE_LEAVES)
    fputs (" leaves", dump_file);
  if (found->flags & UMMGR_SITE_REDIRECTED)
    fputs (" redirected", dump_file);
  else if (found->flags & UMMGR_SITE_REDIRECTED_IF)
    fputs (" redirected if it reaches a region of another unit", dump_file);
  else if (unify)
    fprintf (dump_file, " not redirected: %s", found->why);
  fputc ('\n', dump_file);
}

static void
dump_flow (const site_flow *flow)
{
  char *from;
  if (flow->from_kind == UMMGR_FLOW_SITE)
    {
      const site_found *found = &site_results[flow->from];
      char line[16];
      snprintf (line, sizeof line, "%u", found->line);
      from = concat (found->kind, " at line ", line, NULL);
    }
  else
    from = symbol_text (flow->from);
  if (flow->to_kind == UMMGR_FLOW_ARGUMENT)
    {
      const ummgr_region &region = ummgr_regions[flow->to];
      fprintf (dump_file, ";; ummgr: data of %s argument %s: %s\n",
	       region.name, region.args[flow->argument].name, from);
    }
  else
    {
      char *to = symbol_text (flow->to);
      fprintf (dump_file, ";; ummgr: flow to %s: %s\n", to, from);
      free (to);
    }
  free (from);
}

/* Sites that reach nothing.  */
static void
dump_others (void)
{
  for (unsigned i = 0; i < site_objects.length (); i++)
    if (site_objects[i].kind == SITE_OBJECT_HEAP
	&& object_results[i] == UINT_MAX)
      {
	site_found found = found_of_call (site_objects[i].number);
	found.why = xstrdup ("it reaches no region");
	dump_site (&found, true);
	free (const_cast<char *> (found.file));
	free (const_cast<char *> (found.function));
	free (const_cast<char *> (found.variable));
	free (found.why);
      }
}

/* Every region's data is unknown.  */
static void
give_up (void)
{
  for (unsigned i = 0; i < ummgr_regions.length (); i++)
    for (unsigned j = 0; j < ummgr_regions[i].args.length (); j++)
      flow_add (site_symbols[SITE_UNKNOWN].object, UMMGR_FLOW_ARGUMENT, i, j);
  if (dump_file)
    fputs (";; ummgr: sites: too much code to follow\n", dump_file);
}

static void
sites_find (bool unify)
{
  cgraph_node *node;
  varpool_node *variable;
  site_graph_begin ();
  site_walk_begin ();
  FOR_EACH_VARIABLE (variable)
    if (!variable->alias)
      site_walk_variable (variable);
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    {
      function *fun = DECL_STRUCT_FUNCTION (node->decl);
      if (fun && fun->cfg && gimple_in_ssa_p (fun))
	site_walk_function (node);
    }
  if (site_calls_solve ())
    {
      flows_find ();
      lossy_flows ();
    }
  else
    {
      for (unsigned i = 0; i < site_objects.length (); i++)
	object_results.safe_push (UINT_MAX);
      give_up ();
    }
  redirections_find (unify);
  if (dump_file)
    {
      for (unsigned i = 0; i < site_results.length (); i++)
	dump_site (&site_results[i], unify);
      dump_others ();
      for (unsigned i = 0; i < site_flows.length (); i++)
	dump_flow (&site_flows[i]);
    }
  site_walk_end ();
  site_alloc_end ();
  site_graph_end ();
  site_launches.release ();
  object_results.release ();
}

static bool redirects;

static void
sites_pass (function *)
{
  sites_find (redirects);
}

opt_pass *
ummgr_pass_sites_new (bool unify)
{
  redirects = unify;
  static const ummgr_pass pass = {
    SIMPLE_IPA_PASS, UMMGR_PASS_SITES, OPTGROUP_OMP, 0,
    ummgr_unit_offloads, sites_pass
  };
  return ummgr_pass_new (&pass);
}
