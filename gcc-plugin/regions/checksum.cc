/* What tells a function from what it was when a run was counted.
   SPDX-License-Identifier: GPL-3.0-or-later

   Statements and what they compute, the names of variables and functions, and
   constants go into a number, in their order.  Temporaries have no names, and what
   is there for the debugger or to end a variable's life differs from level to level:
   they are left out.  Holds no state.  */

#include "regions/regions.h"
#include "inchash.h"

static void
name_add (inchash::hash *sum, const_tree decl)
{
  if (DECL_NAME (decl) && !DECL_ARTIFICIAL (decl))
    sum->add (IDENTIFIER_POINTER (DECL_NAME (decl)), IDENTIFIER_LENGTH (DECL_NAME (decl)));
}

/* walk_gimple_seq's callback on operands.  */
static tree
operand_add (tree *operand, int *, void *data)
{
  inchash::hash *sum = (inchash::hash *) ((walk_stmt_info *) data)->info;
  switch (TREE_CODE (*operand))
    {
    case INTEGER_CST:
    case REAL_CST:
      inchash::add_expr (*operand, *sum);
      break;
    case VAR_DECL:
    case PARM_DECL:
    case FIELD_DECL:
    case FUNCTION_DECL:
      name_add (sum, *operand);
      break;
    default:
      break;
    }
  return NULL_TREE;
}

/* walk_gimple_seq's callback on statements.  */
static tree
statement_add (gimple_stmt_iterator *gsi, bool *handled, walk_stmt_info *wi)
{
  inchash::hash *sum = (inchash::hash *) wi->info;
  const gimple *stmt = gsi_stmt (*gsi);
  if (is_gimple_debug (stmt) || gimple_clobber_p (stmt) || gimple_code (stmt) == GIMPLE_PREDICT
      || gimple_code (stmt) == GIMPLE_NOP)
    {
      *handled = true;
      return NULL_TREE;
    }
  sum->add_int (gimple_code (stmt));
  if (is_gimple_assign (stmt) || gimple_code (stmt) == GIMPLE_COND)
    sum->add_int (gimple_expr_code (stmt));
  return NULL_TREE;
}

unsigned
ummgr_region_checksum (gimple_seq body)
{
  inchash::hash sum;
  walk_stmt_info wi = {};
  wi.info = &sum;
  walk_gimple_seq (body, statement_add, operand_add, &wi);
  return MAX (sum.end (), 1);
}
