/* The reductions of a target region.
   SPDX-License-Identifier: GPL-3.0-or-later

   Combined constructs name each several times.  Holds no state.  */

#include "regions/regions.h"

static const char *
operation_name (tree c)
{
  if (OMP_CLAUSE_REDUCTION_PLACEHOLDER (c))
    return "user";
  switch (OMP_CLAUSE_REDUCTION_CODE (c))
    {
    case PLUS_EXPR:
    case MINUS_EXPR:
      return "+";
    case MULT_EXPR:
      return "*";
    case MIN_EXPR:
      return "min";
    case MAX_EXPR:
      return "max";
    case BIT_AND_EXPR:
      return "&";
    case BIT_IOR_EXPR:
      return "|";
    case BIT_XOR_EXPR:
      return "^";
    case TRUTH_AND_EXPR:
    case TRUTH_ANDIF_EXPR:
      return "&&";
    case TRUTH_OR_EXPR:
    case TRUTH_ORIF_EXPR:
      return "||";
    case EQ_EXPR:
      return "==";
    case NE_EXPR:
      return "!=";
    default:
      return "user";
    }
}

/* The argument of REGION that is called NAME, plus 1.  */
static unsigned
arg_find (const ummgr_region *region, const char *name)
{
  for (unsigned i = 0; i < region->args.length (); i++)
    if (*name && strcmp (region->args[i].name, name) == 0)
      return i + 1;
  return 0;
}

static void
reduction_add (ummgr_region *region, tree c)
{
  char *name = ummgr_expr_name (OMP_CLAUSE_DECL (c));
  tree type = TREE_TYPE (OMP_CLAUSE_DECL (c));
  if (TREE_CODE (type) == REFERENCE_TYPE)
    type = TREE_TYPE (type);
  ummgr_reduction r = { name ? arg_find (region, name) : 0, operation_name (c),
			NULL };
  free (name);
  for (unsigned i = 0; i < region->reductions.length (); i++)
    if (r.arg && region->reductions[i].arg == r.arg)
      return;
  /* Of an array its elements'; not as some typedef calls it.  */
  while (TREE_CODE (type) == ARRAY_TYPE)
    type = TREE_TYPE (type);
  r.type = print_generic_expr_to_str (TYPE_MAIN_VARIANT (type));
  region->reductions.safe_push (r);
}

void
ummgr_region_reductions_add (ummgr_region *region, tree clauses)
{
  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_REDUCTION)
      reduction_add (region, c);
}
