/* Having a program count how the conditions of its regions' code come out.
   SPDX-License-Identifier: GPL-3.0-or-later

   Before a condition that the analysis asked for,

     held = LHS CODE RHS;
     __ummgr_trace_decided (REGION, CODE << 32 | NUMBER, LINE, (unsigned) held);

   which ummgr-trace-abi.h declares.  All else stays as it was.  Owns what was asked for in
   a unit.  */

#include "count/count.h"
#include "ummgr-table.h"

struct asked
{
  uint64_t region;		/* ummgr_region_id.  */
  tree fndecl;
  gcond *cond;
  uint64_t place;
};

static bool enabled;
static vec<asked> asks;

void
count_enable (void)
{
  enabled = true;
}

bool
count_enabled (void)
{
  return enabled;
}

void
count_ask (const ummgr_region *region, function *fun, gcond *cond, unsigned code,
	   unsigned number)
{
  /* An exception would leave the condition's block.  */
  if (!enabled || stmt_could_throw_p (fun, cond))
    return;
  const char *unit = main_input_filename ? remap_debug_filename (main_input_filename) : "";
  uint64_t id = ummgr_region_id (unit, region->function, region->ordinal, region->checksum);
  for (unsigned i = asks.length (); i-- > 0;)
    if (asks[i].cond == cond && asks[i].region == id)
      return;
  asks.safe_push ({ id, fun->decl, cond, (uint64_t) code << 32 | number });
}

static tree
decided_decl (void)
{
  tree u64 = unsigned_intDI_type_node, u32 = unsigned_intSI_type_node;
  tree type = build_function_type_list (void_type_node, u64, u64, u32, u32, NULL_TREE);
  tree decl = build_fn_decl ("__ummgr_trace_decided", type);
  TREE_NOTHROW (decl) = 1;
  DECL_ARTIFICIAL (decl) = 1;
  DECL_ATTRIBUTES (decl)
    = tree_cons (get_identifier ("leaf"), NULL_TREE,
		 tree_cons (get_identifier ("omp declare target"), NULL_TREE, NULL_TREE));
  return decl;
}

static void
ask_insert (const asked *ask, tree decl)
{
  gcond *cond = ask->cond;
  location_t location = gimple_location (cond);
  gimple_stmt_iterator gsi = gsi_for_stmt (cond);
  tree u64 = unsigned_intDI_type_node, u32 = unsigned_intSI_type_node;
  unsigned line = location > BUILTINS_LOCATION ? expand_location (location).line : 0;
  tree held = make_ssa_name (boolean_type_node), number = make_ssa_name (u32);
  gassign *test = gimple_build_assign (held, gimple_cond_code (cond), gimple_cond_lhs (cond),
				       gimple_cond_rhs (cond));
  gassign *convert = gimple_build_assign (number, NOP_EXPR, held);
  gcall *call = gimple_build_call (decl, 4, build_int_cstu (u64, ask->region),
				   build_int_cstu (u64, ask->place),
				   build_int_cstu (u32, line), number);
  gimple_set_location (test, location);
  gimple_set_location (convert, location);
  gimple_set_location (call, location);
  gsi_insert_before (&gsi, test, GSI_SAME_STMT);
  gsi_insert_before (&gsi, convert, GSI_SAME_STMT);
  gsi_insert_before (&gsi, call, GSI_SAME_STMT);
}

/* Can calls be added to the unit's code?  GCC 12 stops with an error of its own where one is
   beside data that is "declare target link"; and in a transaction each is made again with
   each try.  */
static bool
unit_takes_calls (void)
{
  varpool_node *var;
  bool linked = false;
  FOR_EACH_VARIABLE (var)
    linked |= lookup_attribute ("omp declare target link", DECL_ATTRIBUTES (var->decl)) != NULL;
  if (linked)
    warning_at (UNKNOWN_LOCATION, 0,
		"%<-fcount%>: no condition in this unit is counted, as it has data that is "
		"%<declare target link%>");
  else if (flag_tm)
    warning_at (UNKNOWN_LOCATION, 0,
		"%<-fcount%>: no condition in this unit is counted, as it is compiled with "
		"%<-fgnu-tm%>");
  return !linked && !flag_tm;
}

static void
unit_insert (function *)
{
  hash_set<tree> done;
  if (!asks.is_empty () && !unit_takes_calls ())
    asks.truncate (0);
  tree decl = asks.is_empty () ? NULL_TREE : decided_decl ();
  for (unsigned i = 0; i < asks.length (); i++)
    {
      tree fndecl = asks[i].fndecl;
      if (done.add (fndecl))
	continue;
      push_cfun (DECL_STRUCT_FUNCTION (fndecl));
      unsigned count = 0;
      for (unsigned j = i; j < asks.length (); j++)
	if (asks[j].fndecl == fndecl)
	  {
	    ask_insert (&asks[j], decl);
	    count++;
	  }
      ummgr_function_changed ();
      pop_cfun ();
      if (dump_file)
	fprintf (dump_file, ";; ummgr: %u conditions of %s are counted\n", count,
		 IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (fndecl)));
    }
  asks.release ();
}

opt_pass *
ummgr_pass_count_new (void)
{
  static const ummgr_pass pass = {
    SIMPLE_IPA_PASS, UMMGR_PASS_COUNT, OPTGROUP_OMP, 0, ummgr_unit_offloads, unit_insert
  };
  return ummgr_pass_new (&pass);
}
