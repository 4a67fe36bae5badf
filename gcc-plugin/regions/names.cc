/* What the source calls the variables and members in clauses.
   SPDX-License-Identifier: GPL-3.0-or-later

   By now a clause's expression is gimplified, and front ends have names of
   their own for what they add: temporaries, a lambda's captures, Fortran's
   array descriptors.

   Owns what the pointer temporaries of the function being walked stand for;
   its trees live as long as that function's pass, during which GCC collects no
   garbage.  */

#include "regions/regions.h"

/* From a temporary to what assigned to it last; and of integers to what alone did, or NULL.  */
static hash_map<tree, gassign *> *temporaries, *numbers;

/* Temporaries of temporaries followed, at most: they may form a circle.  */
#define TEMPORARIES_DEPTH 16

void
ummgr_names_begin (void)
{
  temporaries = new hash_map<tree, gassign *>;
  numbers = new hash_map<tree, gassign *>;
}

void
ummgr_names_end (void)
{
  delete temporaries;
  delete numbers;
  temporaries = numbers = NULL;
}

static bool
is_temporary (tree decl)
{
  return VAR_P (decl) && DECL_ARTIFICIAL (decl) && (!DECL_NAME (decl) || DECL_NAMELESS (decl));
}

static bool
is_pointer_temporary (tree decl)
{
  return is_temporary (decl) && POINTER_TYPE_P (TREE_TYPE (decl));
}

/* Does STMT copy, convert or offset a pointer?  */
static bool
passes_pointer_on (const gassign *stmt)
{
  return gimple_assign_single_p (stmt) || gimple_assign_cast_p (stmt)
	 || gimple_assign_rhs_code (stmt) == POINTER_PLUS_EXPR;
}

void
ummgr_names_note (gassign *stmt)
{
  tree lhs = gimple_assign_lhs (stmt);
  if (is_pointer_temporary (lhs) && passes_pointer_on (stmt))
    temporaries->put (lhs, stmt);
  if (is_temporary (lhs) && INTEGRAL_TYPE_P (TREE_TYPE (lhs)))
    numbers->put (lhs, numbers->get (lhs) ? NULL : stmt);
}

gassign *
ummgr_names_made (tree expr)
{
  if (TREE_CODE (expr) == SSA_NAME)
    {
      gimple *def = SSA_NAME_DEF_STMT (expr);
      gassign *assign = def ? dyn_cast <gassign *> (def) : NULL;
      return assign && POINTER_TYPE_P (TREE_TYPE (expr))
	     && passes_pointer_on (assign) ? assign : NULL;
    }
  if (!temporaries || !DECL_P (expr) || !is_pointer_temporary (expr))
    return NULL;
  gassign **assign = temporaries->get (expr);
  return assign ? *assign : NULL;
}

const gassign *
ummgr_names_number (tree expr)
{
  if (TREE_CODE (expr) == SSA_NAME)
    {
      gimple *def = SSA_NAME_DEF_STMT (expr);
      return def ? dyn_cast <gassign *> (def) : NULL;
    }
  gassign **assign = numbers && DECL_P (expr) ? numbers->get (expr) : NULL;
  return assign ? *assign : NULL;
}

/* What the pointer temporary EXPR stands for, or NULL_TREE.  */
static tree
expr_definition (tree expr)
{
  gassign *assign = ummgr_names_made (expr);
  return assign ? gimple_assign_rhs1 (assign) : NULL_TREE;
}

/* The operand that EXPR is a part of or is pointed to by, or NULL_TREE at its
   base.  */
static tree
expr_inner (tree expr)
{
  switch (TREE_CODE (expr))
    {
    case MEM_REF:
    case INDIRECT_REF:
    case ARRAY_REF:
    case ARRAY_RANGE_REF:
    case COMPONENT_REF:
    case POINTER_PLUS_EXPR:
    case ADDR_EXPR:
    case VIEW_CONVERT_EXPR:
    case NON_LVALUE_EXPR:
    case REALPART_EXPR:
    case IMAGPART_EXPR:
    CASE_CONVERT:
      return TREE_OPERAND (expr, 0);
    default:
      return NULL_TREE;
    }
}

tree
ummgr_expr_variable (tree expr)
{
  for (int depth = 0; depth < TEMPORARIES_DEPTH; depth++)
    {
      while (tree inner = expr_inner (expr))
	expr = inner;
      tree definition = expr_definition (expr);
      if (!definition)
	break;
      expr = definition;
    }
  return DECL_P (expr) ? expr : NULL_TREE;
}

/* DECL's name in the source, malloc'ed; NULL for a temporary of the
   compiler's.  */
static char *
decl_source_name (tree decl)
{
  if (!DECL_NAME (decl))
    return NULL;
  const char *name = IDENTIFIER_POINTER (DECL_NAME (decl));
  if (!DECL_NAMELESS (decl))
    return xstrdup (name);
  /* gfortran's "x.0" for the data of an array argument x.  */
  const char *dot = strchr (name, '.');
  if (!lang_GNU_Fortran () || !dot || dot == name)
    return NULL;
  return xstrndup (name, dot - name);
}

/* Is EXPR, of which a component is taken, reached through a pointer that the
   source names (p->x, not a reference's x)?  */
static bool
expr_is_arrow (tree expr)
{
  if (TREE_CODE (expr) != INDIRECT_REF && TREE_CODE (expr) != MEM_REF)
    return false;
  return TREE_CODE (TREE_TYPE (TREE_OPERAND (expr, 0))) != REFERENCE_TYPE;
}

static char *expr_name (tree expr, int depth);

/* OBJECT's member MEMBER.  */
static char *
member_name (tree object, tree member, int depth)
{
  char *base = expr_name (object, depth);
  const char *field = DECL_NAME (member)
		      ? IDENTIFIER_POINTER (DECL_NAME (member)) : NULL;
  bool capture = field && !lang_GNU_Fortran () && strncmp (field, "__", 2) == 0
		 && !in_system_header_at (DECL_SOURCE_LOCATION (member));
  if (!base || (ummgr_field_is_hidden (member) && !capture))
    return base;
  char *name;
  /* A lambda's capture __x of the variable x.  */
  if (capture && strcmp (base, "__closure") == 0)
    name = xstrdup (field + 2);
  else
    name = concat (base, lang_GNU_Fortran () ? "%"
		   : expr_is_arrow (object) ? "->" : ".", field, NULL);
  free (base);
  return name;
}

static char *
expr_name (tree expr, int depth)
{
  while (TREE_CODE (expr) != COMPONENT_REF)
    {
      tree inner = expr_inner (expr);
      if (!inner)
	{
	  char *name = DECL_P (expr) ? decl_source_name (expr) : NULL;
	  inner = name || depth-- <= 0 ? NULL_TREE : expr_definition (expr);
	  if (!inner)
	    return name;
	}
      expr = inner;
    }
  return member_name (TREE_OPERAND (expr, 0), TREE_OPERAND (expr, 1), depth);
}

char *
ummgr_expr_name (tree expr)
{
  return expr_name (expr, TEMPORARIES_DEPTH);
}
