/* Loops as the source has them, before lowering.
   SPDX-License-Identifier: GPL-3.0-or-later

   What follows a break is no part of the loop to GCC once there is a graph of
   blocks, though it stands in the loop's body, and so in a construct around the
   loop.  Before omplower a loop's body lies between a label and the last jump
   back to it, and what leaves it by other ways jumps past that, returns, or ends
   the program.

   Owns nothing beyond a function's walk.  */

#include "warn/warn.h"

/* A jump; TO is NULL_TREE where it isn't known, or leads out of the function.  */
struct lexical_jump
{
  unsigned from;
  tree to;
};

/* Places are numbers of statements, in order.  */
struct ummgr_lexical
{
  unsigned place;
  hash_map<tree, unsigned> labels;
  hash_map<gimple *, unsigned> constructs;
  auto_vec<lexical_jump> jumps;
};

static void
jump_add (ummgr_lexical *l, tree to)
{
  lexical_jump jump = { l->place, to };
  l->jumps.safe_push (jump);
}

/* walk_gimple_seq's callback.  */
static tree
lexical_statement (gimple_stmt_iterator *gsi, bool *, walk_stmt_info *wi)
{
  ummgr_lexical *l = (ummgr_lexical *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  l->place++;
  switch (gimple_code (stmt))
    {
    case GIMPLE_LABEL:
      l->labels.put (gimple_label_label (as_a <glabel *> (stmt)), l->place);
      break;
    case GIMPLE_GOTO:
      {
	tree to = gimple_goto_dest (stmt);
	jump_add (l, TREE_CODE (to) == LABEL_DECL ? to : NULL_TREE);
	break;
      }
    case GIMPLE_COND:
      jump_add (l, gimple_cond_true_label (as_a <gcond *> (stmt)));
      jump_add (l, gimple_cond_false_label (as_a <gcond *> (stmt)));
      break;
    case GIMPLE_SWITCH:
      for (unsigned i = 0;
	   i < gimple_switch_num_labels (as_a <gswitch *> (stmt)); i++)
	jump_add (l, CASE_LABEL (gimple_switch_label (as_a <gswitch *> (stmt),
						      i)));
      break;
    case GIMPLE_RETURN:
      jump_add (l, NULL_TREE);
      break;
    case GIMPLE_CALL:
      if (gimple_call_flags (stmt) & ECF_NORETURN)
	jump_add (l, NULL_TREE);
      break;
    case GIMPLE_ASM:
      for (unsigned i = 0; i < gimple_asm_nlabels (as_a <gasm *> (stmt)); i++)
	jump_add (l, TREE_VALUE (gimple_asm_label_op (as_a <gasm *> (stmt),
						      i)));
      break;
    case GIMPLE_OMP_TARGET:
      l->constructs.put (stmt, l->place);
      break;
    default:
      break;
    }
  return NULL_TREE;
}

ummgr_lexical *
ummgr_lexical_new (gimple_seq body)
{
  ummgr_lexical *l = new ummgr_lexical;
  walk_stmt_info wi = {};
  wi.info = l;
  l->place = 0;
  walk_gimple_seq (body, lexical_statement, NULL, &wi);
  return l;
}

void
ummgr_lexical_free (ummgr_lexical *lexical)
{
  delete lexical;
}

/* Where JUMP leads to, or 0 for out of the function.  */
static unsigned
jump_target (ummgr_lexical *l, const lexical_jump *jump)
{
  unsigned *place = jump->to ? l->labels.get (jump->to) : NULL;
  return place ? *place : 0;
}

bool
ummgr_lexical_left (ummgr_lexical *l, gomp_target *stmt)
{
  unsigned *at = l->constructs.get (stmt), first = 0, last = 0;
  if (!at)
    return true;
  for (unsigned i = 0; i < l->jumps.length (); i++)
    {
      unsigned from = l->jumps[i].from, to = jump_target (l, &l->jumps[i]);
      if (to && to < *at && from > *at
	  && (to > first || (to == first && from > last)))
	{
	  first = to;
	  last = from;
	}
    }
  if (!first)
    return true;
  for (unsigned i = 0; i < l->jumps.length (); i++)
    {
      unsigned from = l->jumps[i].from, to = jump_target (l, &l->jumps[i]);
      if (from > first && from < last && (to < first || to > last))
	return true;
    }
  return false;
}
