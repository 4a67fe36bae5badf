/* Which names the length of an array section is made of.
   SPDX-License-Identifier: GPL-3.0-or-later

   So that who proposes a directive elsewhere knows whether the clause's words hold there.  By now the
   length is gimplified: what temporaries stand for is names.cc's.

   Worked example: `map(to: v[0:2*n+m])', of a parameter n and a static m: "n".  Of
   `map(to: v[0:f (n)])', where f is called: not known.  Holds no state.  */

#include "regions/regions.h"

/* Operations followed: more are no length that a person writes.  */
#define WORDS_DEPTH 24

bool
ummgr_decl_is_file_scope (const_tree decl)
{
  return VAR_P (decl) && (TREE_STATIC (decl) || DECL_EXTERNAL (decl))
	 && !decl_function_context (decl);
}

/* NAME in the list *NAMES, once.  */
static void
name_add (char **names, const char *name)
{
  size_t length = strlen (name);
  for (const char *at = *names; (at = strstr (at, name)); at += length)
    if ((at == *names || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
      return;
  char *more = concat (*names, **names ? " " : "", name, NULL);
  free (*names);
  *names = more;
}

/* The variable at EXPR's base.  */
static bool
variable_add (tree expr, char **names)
{
  tree variable = ummgr_expr_variable (expr);
  if (!variable || (!VAR_P (variable) && TREE_CODE (variable) != PARM_DECL)
      || !DECL_NAME (variable))
    return false;
  if (!ummgr_decl_is_file_scope (variable))
    name_add (names, IDENTIFIER_POINTER (DECL_NAME (variable)));
  return true;
}

/* All that EXPR is made of.  False: it isn't known.  */
static bool
names_add (tree expr, char **names, int depth)
{
  if (CONSTANT_CLASS_P (expr))
    return true;
  if (depth <= 0)
    return false;
  if (const gassign *made = ummgr_names_number (expr))
    {
      for (unsigned i = 1; i < gimple_num_ops (made); i++)
	if (!names_add (gimple_op (made, i), names, depth - 1))
	  return false;
      return true;
    }
  if (DECL_P (expr) || REFERENCE_CLASS_P (expr))
    return variable_add (expr, names);
  if (!UNARY_CLASS_P (expr) && !BINARY_CLASS_P (expr))
    return false;
  for (int i = 0; i < TREE_OPERAND_LENGTH (expr); i++)
    if (!names_add (TREE_OPERAND (expr, i), names, depth - 1))
      return false;
  return true;
}

char *
ummgr_section_names (tree c)
{
  tree size = OMP_CLAUSE_SIZE (c), pointer = OMP_CLAUSE_CHAIN (c);
  /* The pointer's clause has for its size how far behind it the section begins.  */
  bool begins = pointer && OMP_CLAUSE_CODE (pointer) == OMP_CLAUSE_MAP
		&& OMP_CLAUSE_SIZE (pointer) && integer_zerop (OMP_CLAUSE_SIZE (pointer));
  char *names = xstrdup ("");
  if (size && begins && names_add (size, &names, WORDS_DEPTH))
    return names;
  free (names);
  return NULL;
}
