/* Which variables of a function can be named at a place in it.
   SPDX-License-Identifier: GPL-3.0-or-later

   By GCC's blocks of scopes, from the inside to the function's own, or to that of the function which
   was inlined there: its text is where the place is.  Variables of the file are not among them.
   Holds no state.  */

#include "flow/flow.h"

/* A list that is longer helps nobody.  */
#define NAMES_MOST 200

static void
name_add (auto_vec<const char *> *names, tree decl)
{
  if ((VAR_P (decl) || TREE_CODE (decl) == PARM_DECL) && DECL_NAME (decl)
      && (!DECL_ARTIFICIAL (decl) || id_equal (DECL_NAME (decl), "this"))
      && names->length () < NAMES_MOST)
    names->safe_push (IDENTIFIER_POINTER (DECL_NAME (decl)));
}

char *
ummgr_flow_names (tree block, tree function)
{
  auto_vec<const char *> names;
  bool inlined = false;
  for (; block && TREE_CODE (block) == BLOCK && !inlined; block = BLOCK_SUPERCONTEXT (block))
    {
      for (tree decl = BLOCK_VARS (block); decl; decl = DECL_CHAIN (decl))
	name_add (&names, decl);
      for (unsigned i = 0; i < BLOCK_NUM_NONLOCALIZED_VARS (block); i++)
	name_add (&names, BLOCK_NONLOCALIZED_VAR (block, i));
      inlined = inlined_function_outer_scope_p (block);
    }
  for (tree decl = inlined ? NULL_TREE : DECL_ARGUMENTS (function); decl; decl = DECL_CHAIN (decl))
    name_add (&names, decl);
  char *text = xstrdup ("");
  for (unsigned i = 0; i < names.length (); i++)
    {
      char *more = concat (text, *text ? " " : "", names[i], NULL);
      free (text);
      text = more;
    }
  return text;
}
