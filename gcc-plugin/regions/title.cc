/* What a person would call a function, and tell it from others by.
   SPDX-License-Identifier: GPL-3.0-or-later

   The C++ front end's name of a function without its parameters still has the arguments of its
   template.  Lambdas among them are all called alike, "main()::<lambda(double)>"; where they stand
   tells them apart.  Holds no state.  */

#include "regions/regions.h"

static const char lambda[] = "<lambda(";

/* Does C open or close a list, of parameters or of a template's arguments?  */
static int
nesting (char c)
{
  return c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
}

/* Where the argument that AT is in begins, in TEXT: behind '<' or ", ".  */
static const char *
argument_begin (const char *text, const char *at)
{
  int depth = 0;
  for (; at > text; at--)
    {
      char c = at[-1];
      depth -= nesting (c);
      if (depth < 0 || (c == ',' && depth == 0))
	break;
    }
  return at + strspn (at, " ");
}

/* Behind the list that begins at AT.  */
static const char *
list_end (const char *at)
{
  int depth = 0;
  do
    depth += nesting (*at);
  while (*at++ && depth > 0);
  return at;
}

/* Has TYPE no name, as that of a lambda?  */
static bool
is_nameless (tree type)
{
  tree decl = TREE_CODE (type) == RECORD_TYPE ? TYPE_NAME (type) : NULL_TREE;
  tree name = decl && TREE_CODE (decl) == TYPE_DECL ? DECL_NAME (decl) : NULL_TREE;
  return name && IDENTIFIER_ANON_P (name);
}

/* The types of lambdas among FUNCTION's parameters.  */
static void
lambdas_find (tree function, vec<tree> *types)
{
  for (tree p = DECL_ARGUMENTS (function); p; p = DECL_CHAIN (p))
    {
      tree type = TREE_TYPE (p);
      if (POINTER_TYPE_P (type))
	type = TREE_TYPE (type);
      type = TYPE_MAIN_VARIANT (type);
      if (is_nameless (type) && !types->contains (type))
	types->safe_push (type);
    }
}

/* Where TYPE's lambda stands, malloc'ed; NULL: nobody knows.  */
static char *
lambda_place (tree type)
{
  expanded_location at = expand_location (DECL_SOURCE_LOCATION (TYPE_NAME (type)));
  return at.file && at.line ? xasprintf ("lambda at %s:%d", lbasename (at.file), at.line) : NULL;
}

/* Leave out of TEXT what C++ had to have before 2011, a blank between two '>'.  */
static void
blanks_remove (char *text)
{
  char *to = text;
  for (const char *p = text; *p; p++)
    if (*p != ' ' || p[1] != '>')
      *to++ = *p;
  *to = 0;
}

char *
ummgr_function_title (tree function)
{
  const char *name = lang_hooks.decl_printable_name (function, 1);
  if (lang_GNU_Fortran () && strcmp (name, "MAIN__") == 0)
    return xstrdup ("main program");
  char *title = xstrdup (name);
  auto_vec<tree> types;
  lambdas_find (function, &types);
  const char *from = title;
  for (unsigned i = 0; i < types.length (); i++)
    {
      const char *at = strstr (from, lambda);
      const char *begin = at ? argument_begin (title, at) : NULL;
      char *place = at && begin > title ? lambda_place (types[i]) : NULL;
      if (!place)
	break;
      char *head = xstrndup (title, begin - title);
      size_t done = begin - title + strlen (place);
      char *whole = concat (head, place, list_end (at), NULL);
      free (head);
      free (place);
      free (title);
      title = whole;
      from = title + done;
    }
  blanks_remove (title);
  return title;
}
