/* What the source calls the variables and members in clauses.
   SPDX-License-Identifier: GPL-3.0-or-later

   By now a clause's expression is gimplified, and front ends have names of
   their own for what they add: temporaries, a lambda's captures, Fortran's
   array descriptors.  Holds no state.  */

#include "ummgr-plugin.h"

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
  while (tree inner = expr_inner (expr))
    expr = inner;
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

/* Is a member that the source doesn't name: a base class, or what is inside
   Fortran's array descriptors and class containers?  */
static bool
field_is_implicit (tree field, const char *name)
{
  if (lang_GNU_Fortran ())
    return strcmp (name, "data") == 0 || strcmp (name, "_data") == 0;
  return DECL_ARTIFICIAL (field) && strncmp (name, "__", 2) != 0;
}

char *
ummgr_expr_name (tree expr)
{
  while (TREE_CODE (expr) != COMPONENT_REF)
    {
      tree inner = expr_inner (expr);
      if (!inner)
	return DECL_P (expr) ? decl_source_name (expr) : NULL;
      expr = inner;
    }
  tree object = TREE_OPERAND (expr, 0);
  tree member = TREE_OPERAND (expr, 1);
  char *base = ummgr_expr_name (object);
  const char *field = DECL_NAME (member)
		      ? IDENTIFIER_POINTER (DECL_NAME (member)) : NULL;
  if (!base || !field || field_is_implicit (member, field))
    return base;
  char *name;
  /* A lambda's capture __x of the variable x.  */
  if (strcmp (base, "__closure") == 0 && strncmp (field, "__", 2) == 0)
    name = xstrdup (field + 2);
  else
    name = concat (base, expr_is_arrow (object) ? "->" : ".", field, NULL);
  free (base);
  return name;
}
