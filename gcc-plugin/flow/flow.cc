/* Which functions may reach a target region, and what they do on the way.
   SPDX-License-Identifier: GPL-3.0-or-later

   An event is a launch on a device (GOMP_target_ext), a call, or a call whose callee is
   not known.  What libgomp calls back on the host (GOMP_parallel, GOMP_task ...)
   counts as one call where it is handed over, however many threads run it.

   A function matters if it launches a region, or calls one that matters, or one
   that is defined elsewhere, which is known only when the program is composed;
   builtins and what system headers declare is taken not to matter.  Holds no
   state, changes no code.  */

#include "flow/flow.h"

struct flow_function : flow_events
{
  cgraph_node *node;
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

static void
events_find (analysis *a, flow_function *f)
{
  basic_block block;
  function *fun = DECL_STRUCT_FUNCTION (f->node->decl);
  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi);
	 gsi_next (&gsi))
      if (gcall *call = dyn_cast <gcall *> (gsi_stmt (gsi)))
	flow_events_add (a->regions, fun, call, f, a->strings, a->out);
}

/* May a call of DECL launch a region?  */
static bool
callee_matters (analysis *a, tree decl)
{
  cgraph_node *node = flow_definition_get (decl);
  flow_function **callee = node ? a->by_node.get (node) : NULL;
  return node ? callee && (*callee)->matters : !flow_is_foreign (decl);
}

/* Does EVENT make F matter?  */
static bool
event_matters (analysis *a, const flow_function *f, const flow_event *event)
{
  if (event->kind != UMMGR_EVENT_CALL)
    return event->kind == UMMGR_EVENT_LAUNCH;
  if (event->callee)
    return callee_matters (a, event->callee);
  for (unsigned i = 0; i < event->target_count; i++)
    if (callee_matters (a, f->targets[event->target_first + i]))
      return true;
  return false;
}

/* Leave out the targets of EVENT that don't matter.  */
static void
targets_reduce (analysis *a, flow_function *f, flow_event *event)
{
  unsigned kept = 0;
  for (unsigned i = 0; i < event->target_count; i++)
    {
      tree target = f->targets[event->target_first + i];
      if (callee_matters (a, target))
	f->targets[event->target_first + kept++] = target;
      else
	event->idle++;
    }
  event->target_count = kept;
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
	    if (event_matters (a, f, &f->events[j]))
	      changed = f->matters = true;
	}
    }
  for (unsigned i = 0; i < a->functions.length (); i++)
    {
      flow_function *f = a->functions[i];
      unsigned kept = 0;
      for (unsigned j = 0; j < f->events.length (); j++)
	if (f->events[j].kind == UMMGR_EVENT_UNKNOWN || event_matters (a, f, &f->events[j]))
	  {
	    targets_reduce (a, f, &f->events[j]);
	    f->events[kept++] = f->events[j];
	  }
      f->events.truncate (kept);
    }
}

static unsigned
name_add (analysis *a, tree decl)
{
  cgraph_node *node = flow_definition_get (decl);
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
  if (flow_is_taken (node))
    flags |= UMMGR_FUNCTION_ADDRESS_TAKEN;
  return flags;
}

static void
around_write (analysis *a, const flow_function *f, const flow_event &event)
{
  const char *file;
  unsigned line, column;
  ummgr_location_get (event.around, &file, &line, &column);
  ummgr_around_record r = {};
  r.function = ummgr_string_add (a->strings, lang_hooks.decl_printable_name (f->node->decl, 1));
  r.file = ummgr_string_add (a->strings, file);
  r.line = line;
  r.names = ummgr_string_add (a->strings, event.names ? event.names : "");
  ummgr_bytes_append (&a->out->around, &r, sizeof r);
  if (dump_file && line)
    fprintf (dump_file, ";; ummgr: flow around of %s: the loop at line %u\n",
	     lang_hooks.decl_printable_name (f->node->decl, 1), line);
  free (const_cast <char *> (file));
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
	around_write (a, f, event);
      }
}

/* Where the next record of RECORDS, of SIZE bytes, will be.  */
static unsigned
next_of (const vec<char> &records, unsigned size)
{
  return records.length () / size;
}

/* How many events F has in its chain.  */
static unsigned
events_count (const flow_function *f)
{
  unsigned count = 0;
  for (unsigned i = 0; i < f->events.length (); i++)
    count += f->events[i].block >= 0;
  return count;
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
      if (event.block < 0)
	continue;
      fprintf (dump_file, ";; ummgr: flow event %s %d ", name,
	       number[event.block]);
      if (event.kind == UMMGR_EVENT_UNKNOWN)
	fputs ("unknown\n", dump_file);
      else if (event.kind == UMMGR_EVENT_LAUNCH)
	fprintf (dump_file, "launch %d\n", (int) event.region);
      else
	fprintf (dump_file, "call %s\n",
		 IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (event.callee)));
      if (event.anywhere)
	fprintf (dump_file, ";; ummgr: flow %s launches region %u perhaps on the host\n",
		 name, event.region);
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

/* Which regions F may launch on the host.  */
static void
elsewhere_note (analysis *a, const flow_function *f)
{
  for (unsigned i = 0; i < f->events.length (); i++)
    if (f->events[i].anywhere)
      a->out->elsewhere[f->events[i].region] = true;
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
      double more = event.via ? ummgr_edge_counted (event.via)
		    : ummgr_block_counted (gimple_bb (event.call));
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
  if (flow_chain_make (DECL_STRUCT_FUNCTION (f->node->decl), f, &chain))
    {
      r.block_count = chain_write (a, f, &chain);
      if (dump_file)
	function_dump (name, f, &chain);
    }
  else
    r.flags |= UMMGR_FUNCTION_TOO_LARGE;
  elsewhere_note (a, f);
  flow_chain_free (&chain);
  ummgr_bytes_append (&a->out->functions, &r, sizeof r);
  if (dump_file)
    fprintf (dump_file, ";; ummgr: flow of %s: blocks %u edges %u events %u%s\n",
	     name, r.block_count,
	     next_of (a->out->edges, sizeof (ummgr_edge_record)) - edges,
	     events_count (f),
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
    {
      out->counted.safe_push (-1);
      out->elsewhere.safe_push (false);
    }
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
  flow_taken_write (strings, out);
}
