/* The events of a function: launches, calls, and calls of which nothing is known.
   SPDX-License-Identifier: GPL-3.0-or-later

   A launch that an `if' clause keeps on the host is none: where the device of a launch
   depends on the edge by which control came, so does the event.  Holds no state.  */

#include "flow/flow.h"

/* Which argument of libgomp's entry point NAME, or of others that call what they are handed
   once, is run; -1: none.  */
static int
runner_argument (const char *name)
{
  if (startswith (name, "GOMP_parallel") || startswith (name, "GOMP_task")
      || startswith (name, "GOMP_teams_reg") || strcmp (name, "atexit") == 0)
    return 0;
  return strcmp (name, "pthread_create") == 0 ? 2 : -1;
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

cgraph_node *
flow_definition_get (tree decl)
{
  cgraph_node *node = cgraph_node::get (decl);
  if (!node)
    return NULL;
  node = node->ultimate_alias_target ();
  return node && node->definition && gimple_has_body_p (node->decl) ? node
								     : NULL;
}

bool
flow_is_foreign (tree decl)
{
  return fndecl_built_in_p (decl)
	 || DECL_SOURCE_LOCATION (decl) <= BUILTINS_LOCATION
	 || in_system_header_at (DECL_SOURCE_LOCATION (decl));
}

/* An event of F.  */
static flow_event *
event_new (flow_events *f, gcall *call, ummgr_event_kind kind)
{
  flow_event event = {};
  event.call = call;
  event.block = -1;
  event.kind = kind;
  event.region = UMMGR_EVENT_NO_REGION;
  event.target_first = f->targets.length ();
  f->events.safe_push (event);
  return &f->events.last ();
}

/* Where a launch goes.  */
enum device_place
{
  DEVICE_GPU,
  DEVICE_HOST,
  DEVICE_ANY			/* Perhaps to the host.  */
};

static device_place
device_place_of (tree device)
{
  while (TREE_CODE (device = ummgr_launch_device (device)) == SSA_NAME)
    {
      gimple *def = SSA_NAME_DEF_STMT (device);
      const char *name = ummgr_call_name (def);
      if (strcmp (name, "omp_get_initial_device") == 0
	  || strcmp (name, "omp_get_num_devices") == 0)
	return DEVICE_HOST;
      if (!gimple_assign_single_p (def) && !gimple_assign_cast_p (def))
	return DEVICE_ANY;
      device = gimple_assign_rhs1 (def);
    }
  if (TREE_CODE (device) != INTEGER_CST)
    return DEVICE_ANY;
  HOST_WIDE_INT number = wi::to_wide (device).to_shwi ();
  /* Another than the first need not be there; the host's number is the one behind the
     last.  */
  return number == GOMP_DEVICE_HOST_FALLBACK ? DEVICE_HOST
	 : number > 0 ? DEVICE_ANY : DEVICE_GPU;
}

/* A launch of REGION by CALL on DEVICE, if control came by VIA.  */
static void
launch_add (flow_events *f, gcall *call, const unsigned *region, tree device, edge via)
{
  device_place place = device_place_of (device);
  if (place == DEVICE_HOST)
    return;
  flow_event *event = event_new (f, call, UMMGR_EVENT_LAUNCH);
  event->via = via;
  if (region)
    {
      event->region = *region;
      event->anywhere = place == DEVICE_ANY;
    }
}

/* The PHI of its own block, or of one from which control goes there only, that says on
   which device CALL launches; NULL: nothing does.  */
static gphi *
device_phi (gcall *call, tree device)
{
  gphi *phi = TREE_CODE (device) == SSA_NAME
	      ? dyn_cast <gphi *> (SSA_NAME_DEF_STMT (device)) : NULL;
  if (!phi)
    return NULL;
  basic_block block = gimple_bb (call);
  while (block != gimple_bb (phi) && single_pred_p (block) && single_succ_p (single_pred (block)))
    block = single_pred (block);
  return block == gimple_bb (phi) ? phi : NULL;
}

static void
launches_add (flow_region_map *regions, gcall *call, flow_events *f)
{
  tree fn = function_argument (call, 1), device = ummgr_launch_device (gimple_call_arg (call, 0));
  unsigned *region = fn ? regions->get (DECL_UID (fn)) : NULL;
  gphi *phi = device_phi (call, device);
  if (!phi)
    {
      launch_add (f, call, region, device, NULL);
      return;
    }
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    launch_add (f, call, region, gimple_phi_arg_def (phi, i), gimple_phi_arg_edge (phi, i));
}

/* CALL hands functions to others, which may call them.  */
static void
handed_add (gcall *call, flow_events *f)
{
  flow_event *event = NULL;
  for (unsigned i = 0; i < gimple_call_num_args (call); i++)
    if (tree handed = function_argument (call, i))
      {
	event = event ? event : event_new (f, call, UMMGR_EVENT_CALL);
	f->targets.safe_push (handed);
	event->target_count++;
      }
}

/* CALL names no function.  */
static void
nameless_add (function *fun, gcall *call, flow_events *f, ummgr_strings *strings,
	      flow_tables *out)
{
  auto_vec<tree> targets;
  bool sure = callee_find (fun, call, &targets);
  flow_event *event = event_new (f, call, targets.is_empty () ? UMMGR_EVENT_UNKNOWN
					   : UMMGR_EVENT_CALL);
  event->target_count = targets.length ();
  if (sure && targets.length () == 1)
    event->callee = targets[0];
  f->targets.safe_splice (targets);
  /* On the device it launches nothing.  */
  if (!sure && !lookup_attribute ("omp declare target", DECL_ATTRIBUTES (fun->decl)))
    flow_call_write (call, fun, targets, strings, out);
}

void
flow_events_add (flow_region_map *regions, function *fun, gcall *call, flow_events *f,
		 ummgr_strings *strings, flow_tables *out)
{
  if (gimple_call_internal_p (call))
    return;
  tree callee = gimple_call_fndecl (call);
  if (!callee)
    {
      nameless_add (fun, call, f, strings, out);
      return;
    }
  const char *name = IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (callee));
  int runner = runner_argument (name);
  tree run = runner >= 0 ? function_argument (call, runner) : NULL_TREE;
  if (strcmp (name, "GOMP_target_ext") == 0)
    launches_add (regions, call, f);
  else if (run)
    event_new (f, call, UMMGR_EVENT_CALL)->callee = run;
  else if (flow_definition_get (callee) || !flow_is_foreign (callee))
    event_new (f, call, UMMGR_EVENT_CALL)->callee = callee;
  else if (!startswith (name, "GOMP_"))
    handed_add (call, f);
}
