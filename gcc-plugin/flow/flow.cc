/* Which functions may reach a target region, and what they do on the way.
   SPDX-License-Identifier: GPL-3.0-or-later

   An event is a launch (GOMP_target_ext), a call, or a call whose callee is not
   known.  What libgomp calls back on the host (GOMP_parallel, GOMP_task ...)
   counts as one call where it is handed over, however many threads run it.

   A function matters if it launches a region, or calls one that matters, or one
   that is defined elsewhere, which is known only when the program is composed;
   builtins and what system headers declare is taken not to matter.  Holds no
   state, changes no code.  */

#include "flow/flow.h"

struct flow_function
{
  cgraph_node *node;
  auto_vec<flow_event> events;
  bool matters;
};

typedef hash_map<cgraph_node *, flow_function *> function_map;

struct analysis
{
  auto_vec<flow_function *> functions;
  function_map by_node;
  flow_region_map *regions;
  ummgr_strings *strings;
  flow_tables *out;
};

/* What libgomp's entry point NAME, which runs its first argument, is to us.  */
static bool
is_host_runner (const char *name)
{
  return startswith (name, "GOMP_parallel") || startswith (name, "GOMP_task")
	 || startswith (name, "GOMP_teams_reg");
}

static tree
function_argument (gcall *call, unsigned i)
{
  tree arg = i < gimple_call_num_args (call) ? gimple_call_arg (call, i)
					     : NULL_TREE;
  /* Without optimisation the address may be in a variable first.  */
  if (arg && TREE_CODE (arg) == SSA_NAME)
    {
      gimple *def = SSA_NAME_DEF_STMT (arg);
      if (gimple_assign_single_p (def))
	arg = gimple_assign_rhs1 (def);
    }
  if (arg && TREE_CODE (arg) == ADDR_EXPR
      && TREE_CODE (TREE_OPERAND (arg, 0)) == FUNCTION_DECL)
    return TREE_OPERAND (arg, 0);
  return NULL_TREE;
}

/* The definition in this unit that a call of DECL reaches, or NULL.  */
static cgraph_node *
definition_get (tree decl)
{
  cgraph_node *node = cgraph_node::get (decl);
  if (!node)
    return NULL;
  node = node->ultimate_alias_target ();
  return node && node->definition && gimple_has_body_p (node->decl) ? node
								     : NULL;
}

static bool
is_foreign (tree decl)
{
  return fndecl_built_in_p (decl)
	 || DECL_SOURCE_LOCATION (decl) <= BUILTINS_LOCATION
	 || in_system_header_at (DECL_SOURCE_LOCATION (decl));
}

/* Is a function handed to CALL, that it may call back?  */
static bool
takes_function (gcall *call)
{
  for (unsigned i = 0; i < gimple_call_num_args (call); i++)
    if (function_argument (call, i))
      return true;
  return false;
}

/* Make EVENT of CALL; false if it is none.  */
static bool
event_make (const analysis *a, gcall *call, flow_event *event)
{
  event->call = call;
  event->block = -1;
  event->region = UMMGR_EVENT_NO_REGION;
  event->callee = NULL_TREE;
  if (gimple_call_internal_p (call))
    return false;
  tree callee = gimple_call_fndecl (call);
  event->kind = UMMGR_EVENT_UNKNOWN;
  if (!callee)
    return true;
  const char *name = IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (callee));
  if (strcmp (name, "GOMP_target_ext") == 0)
    {
      tree fn = function_argument (call, 1);
      unsigned *region = fn ? a->regions->get (DECL_UID (fn)) : NULL;
      event->kind = UMMGR_EVENT_LAUNCH;
      if (region)
	event->region = *region;
      return true;
    }
  if (is_host_runner (name))
    {
      event->callee = function_argument (call, 0);
      event->kind = UMMGR_EVENT_CALL;
      return event->callee != NULL_TREE;
    }
  if (!definition_get (callee) && is_foreign (callee))
    return !startswith (name, "GOMP_") && takes_function (call);
  event->kind = UMMGR_EVENT_CALL;
  event->callee = callee;
  return true;
}

static void
events_find (analysis *a, flow_function *f)
{
  basic_block block;
  FOR_EACH_BB_FN (block, DECL_STRUCT_FUNCTION (f->node->decl))
    for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi);
	 gsi_next (&gsi))
      {
	flow_event event;
	gcall *call = dyn_cast <gcall *> (gsi_stmt (gsi));
	if (call && event_make (a, call, &event))
	  f->events.safe_push (event);
      }
}

/* Does EVENT make a function matter?  */
static bool
event_matters (analysis *a, const flow_event *event)
{
  if (event->kind != UMMGR_EVENT_CALL)
    return event->kind == UMMGR_EVENT_LAUNCH;
  cgraph_node *node = definition_get (event->callee);
  flow_function **callee = node ? a->by_node.get (node) : NULL;
  return node ? callee && (*callee)->matters : true;
}

/* Which functions matter, and which of their events.  */
static void
matters_find (analysis *a)
{
  bool changed = true;
  while (changed)
    {
      changed = false;
      for (unsigned i = 0; i < a->functions.length (); i++)
	{
	  flow_function *f = a->functions[i];
	  for (unsigned j = 0; !f->matters && j < f->events.length (); j++)
	    if (event_matters (a, &f->events[j]))
	      changed = f->matters = true;
	}
    }
  for (unsigned i = 0; i < a->functions.length (); i++)
    {
      vec<flow_event> &events = a->functions[i]->events;
      unsigned kept = 0;
      for (unsigned j = 0; j < events.length (); j++)
	if (events[j].kind == UMMGR_EVENT_UNKNOWN
	    || event_matters (a, &events[j]))
	  events[kept++] = events[j];
      events.truncate (kept);
    }
}

static unsigned
name_add (analysis *a, tree decl)
{
  cgraph_node *node = definition_get (decl);
  if (node)
    decl = node->decl;
  return ummgr_string_add (a->strings,
			   IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (decl)));
}

static unsigned
function_flags (cgraph_node *node)
{
  tree decl = node->decl;
  unsigned flags = 0;
  if (!TREE_PUBLIC (decl))
    flags |= UMMGR_FUNCTION_LOCAL;
  if (DECL_COMDAT (decl) || DECL_WEAK (decl))
    flags |= UMMGR_FUNCTION_COMDAT;
  if (DECL_STATIC_CONSTRUCTOR (decl))
    flags |= UMMGR_FUNCTION_CONSTRUCTOR;
  /* That libgomp takes the address of an outlined body is no secret.  */
  if (node->address_taken
      && !strstr (IDENTIFIER_POINTER (DECL_NAME (decl)), "._omp_fn"))
    flags |= UMMGR_FUNCTION_ADDRESS_TAKEN;
  return flags;
}

static void
events_write (analysis *a, const flow_function *f, int block)
{
  for (unsigned i = 0; i < f->events.length (); i++)
    if (f->events[i].block == block)
      {
	const flow_event &event = f->events[i];
	ummgr_event_record r = { event.kind, 0 };
	if (event.kind == UMMGR_EVENT_LAUNCH)
	  r.target = event.region;
	else if (event.kind == UMMGR_EVENT_CALL)
	  r.target = name_add (a, event.callee);
	ummgr_bytes_append (&a->out->events, &r, sizeof r);
      }
}

/* Where the next record of RECORDS, of SIZE bytes, will be.  */
static unsigned
next_of (const vec<char> &records, unsigned size)
{
  return records.length () / size;
}

static unsigned
chain_write (analysis *a, const flow_function *f, const flow_chain *chain)
{
  auto_vec<unsigned> number;
  unsigned count = 0;
  flow_tables *out = a->out;
  for (unsigned i = 0; i < chain->kept.length (); i++)
    number.safe_push (chain->kept[i] ? count++ : 0);
  for (unsigned i = 0; i < chain->kept.length (); i++)
    {
      if (!chain->kept[i])
	continue;
      ummgr_block_record b = {};
      b.event_first = next_of (out->events, sizeof (ummgr_event_record));
      events_write (a, f, i);
      b.event_count = next_of (out->events, sizeof (ummgr_event_record))
		      - b.event_first;
      b.edge_first = next_of (out->edges, sizeof (ummgr_edge_record));
      for (unsigned j = 0; j < chain->out[i].length (); j++)
	{
	  const flow_edge &way = chain->out[i][j];
	  if (way.to == FLOW_LOST)
	    continue;
	  ummgr_edge_record r = {};
	  r.to = way.to == FLOW_RETURN ? UMMGR_EDGE_RETURN : number[way.to];
	  r.flags = way.exact ? UMMGR_EDGE_EXACT : 0;
	  r.probability = MIN (way.p, 1);
	  ummgr_bytes_append (&out->edges, &r, sizeof r);
	  b.edge_count++;
	}
      ummgr_bytes_append (&out->blocks, &b, sizeof b);
    }
  return count;
}

/* The events and the edges of F, which the dump calls NAME.  */
static void
function_dump (const char *name, const flow_function *f,
	       const flow_chain *chain)
{
  auto_vec<int> number;
  int count = 0;
  for (unsigned i = 0; i < chain->kept.length (); i++)
    number.safe_push (chain->kept[i] ? count++ : -1);
  for (unsigned i = 0; i < f->events.length (); i++)
    {
      const flow_event &event = f->events[i];
      fprintf (dump_file, ";; ummgr: flow event %s %d ", name,
	       number[event.block]);
      if (event.kind == UMMGR_EVENT_UNKNOWN)
	fputs ("unknown\n", dump_file);
      else if (event.kind == UMMGR_EVENT_LAUNCH)
	fprintf (dump_file, "launch %d\n", (int) event.region);
      else
	fprintf (dump_file, "call %s\n",
		 IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (event.callee)));
    }
  for (unsigned i = 0; i < chain->kept.length (); i++)
    for (unsigned j = 0; chain->kept[i] && j < chain->out[i].length (); j++)
      {
	const flow_edge &way = chain->out[i][j];
	fprintf (dump_file, ";; ummgr: flow edge %s %d -> ", name, number[i]);
	if (way.to >= 0)
	  fprintf (dump_file, "%d", number[way.to]);
	else
	  fputs (way.to == FLOW_RETURN ? "return" : "lost", dump_file);
	fprintf (dump_file, " probability %g %s\n", way.p,
		 way.exact ? "exact" : "estimated");
      }
}

/* Add the launches in F to what GCC's profile counted of their regions.  */
static void
launches_count (analysis *a, const flow_function *f)
{
  for (unsigned i = 0; i < f->events.length (); i++)
    {
      const flow_event &event = f->events[i];
      if (event.kind != UMMGR_EVENT_LAUNCH || event.region == UMMGR_EVENT_NO_REGION)
	continue;
      double &counted = a->out->counted[event.region];
      double more = ummgr_block_counted (gimple_bb (event.call));
      counted = counted < 0 ? more : more < 0 ? counted : counted + more;
    }
}

static void
function_write (analysis *a, flow_function *f)
{
  launches_count (a, f);
  flow_chain chain;
  ummgr_function_record r = {};
  r.name = name_add (a, f->node->decl);
  r.flags = function_flags (f->node);
  r.block_first = next_of (a->out->blocks, sizeof (ummgr_block_record));
  unsigned edges = next_of (a->out->edges, sizeof (ummgr_edge_record));
  const char *name
    = IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (f->node->decl));
  if (flow_chain_make (DECL_STRUCT_FUNCTION (f->node->decl), &f->events,
		       &chain))
    {
      r.block_count = chain_write (a, f, &chain);
      if (dump_file)
	function_dump (name, f, &chain);
    }
  else
    r.flags |= UMMGR_FUNCTION_TOO_LARGE;
  flow_chain_free (&chain);
  ummgr_bytes_append (&a->out->functions, &r, sizeof r);
  if (dump_file)
    fprintf (dump_file, ";; ummgr: flow of %s: blocks %u edges %u events %u%s\n",
	     name, r.block_count,
	     next_of (a->out->edges, sizeof (ummgr_edge_record)) - edges,
	     f->events.length (),
	     r.flags & UMMGR_FUNCTION_TOO_LARGE ? " too large" : "");
}

void
flow_analyse (flow_region_map *regions, ummgr_strings *strings,
	      flow_tables *out)
{
  analysis a;
  a.regions = regions;
  a.strings = strings;
  a.out = out;
  for (unsigned i = 0; i < regions->elements (); i++)
    out->counted.safe_push (-1);
  cgraph_node *node;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    {
      function *fun = DECL_STRUCT_FUNCTION (node->decl);
      /* What runs on the device launches nothing.  */
      if (!fun || !fun->cfg || !gimple_in_ssa_p (fun)
	  || lookup_attribute ("omp target entrypoint",
			       DECL_ATTRIBUTES (node->decl)))
	continue;
      flow_function *f = new flow_function ();
      f->node = node;
      a.functions.safe_push (f);
      a.by_node.put (node, f);
      events_find (&a, f);
    }
  matters_find (&a);
  for (unsigned i = 0; i < a.functions.length (); i++)
    {
      if (a.functions[i]->matters)
	function_write (&a, a.functions[i]);
      delete a.functions[i];
    }
}
