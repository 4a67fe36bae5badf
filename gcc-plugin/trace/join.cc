/* Which accesses need not wait for those before them.
   SPDX-License-Identifier: GPL-3.0-or-later

   A thread of a GPU goes on behind a load until an instruction needs what that brings.  So
   an access of a block goes out beside the one before if nothing since the first that is
   still under way, the access's own address and what it stores included, uses what one of
   these loads.  In which order the GPU's compiler puts a block's instructions nobody knows
   here; it is taken to be the source's.  Holds no state.  */

#include "trace/trace.h"

/* Does STMT use one of NAMES?  */
static bool
uses (gimple *stmt, const vec<tree> &names)
{
  tree name;
  ssa_op_iter iter;
  FOR_EACH_SSA_TREE_OPERAND (name, stmt, iter, SSA_OP_USE)
    if (names.contains (name))
      return true;
  return false;
}

void
trace_refs_join (vec<trace_ref> *refs)
{
  auto_vec<tree> loaded;	/* Under way.  */
  bool any = false;
  basic_block bb = NULL;
  gimple_stmt_iterator gsi = gsi_none ();
  for (unsigned i = 0; i < refs->length (); i++)
    {
      trace_ref *r = &(*refs)[i];
      if (gimple_bb (r->stmt) != bb)
	{
	  bb = gimple_bb (r->stmt);
	  gsi = gsi_start_bb (bb);
	  loaded.truncate (0);
	  any = false;
	}
      bool waits = !any;
      for (; !gsi_end_p (gsi); gsi_next (&gsi))
	{
	  gimple *stmt = gsi_stmt (gsi);
	  if (!is_gimple_debug (stmt))
	    waits |= is_gimple_call (stmt) || uses (stmt, loaded);
	  if (stmt == r->stmt)
	    break;
	}
      r->joins = !waits && r->kind != TRACE_ATOMIC;
      if (waits)
	loaded.truncate (0);
      tree lhs = gimple_get_lhs (r->stmt);
      if (lhs && TREE_CODE (lhs) == SSA_NAME)
	loaded.safe_push (lhs);
      any = true;
    }
}
