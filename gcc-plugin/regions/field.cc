/* What the source calls the numbers and pointers in a struct that is passed to a region.
   SPDX-License-Identifier: GPL-3.0-or-later

   Expressions load them, and regions follow them, by their place alone.  Holds no state.  */

#include "regions/regions.h"

/* A struct's numbers and pointers, an array's elements and structs in structs, at most.  */
enum { FIELDS_MOST = 256, ELEMENTS_MOST = 16, DEPTH_MOST = 8 };

static void fields_add (ummgr_arg *arg, tree type, const char *name, const char *separator,
			HOST_WIDE_INT at, unsigned depth);

/* Add what of ARG has TYPE, AT bytes from its address, and is called NAME.  */
static void
field_add (ummgr_arg *arg, tree type, const char *name, const char *separator,
	   HOST_WIDE_INT at, unsigned depth)
{
  if (TREE_CODE (type) == RECORD_TYPE)
    fields_add (arg, type, name, separator, at, depth + 1);
  else if (TREE_CODE (type) == ARRAY_TYPE)
    {
      HOST_WIDE_INT all = int_size_in_bytes (type), one = int_size_in_bytes (TREE_TYPE (type));
      for (HOST_WIDE_INT i = 0; one > 0 && i < all / one && i < ELEMENTS_MOST; i++)
	{
	  char *element = xasprintf ("%s[%d]", name, (int) i);
	  field_add (arg, TREE_TYPE (type), element, separator, at + i * one, depth);
	  free (element);
	}
    }
  else if ((INTEGRAL_TYPE_P (type) || POINTER_TYPE_P (type)) && arg->fields.length () < FIELDS_MOST)
    arg->fields.safe_push ({ at, xstrdup (name) });
}

/* Add the fields of TYPE, which is AT bytes from ARG's address and called NAME.  */
static void
fields_add (ummgr_arg *arg, tree type, const char *name, const char *separator,
	    HOST_WIDE_INT at, unsigned depth)
{
  if (depth > DEPTH_MOST || !COMPLETE_TYPE_P (type))
    return;
  if (ummgr_type_is_descriptor (type))
    separator = ".";
  const char *below = strcmp (separator, "->") == 0 ? "." : separator;
  for (tree f = TYPE_FIELDS (type); f; f = DECL_CHAIN (f))
    {
      if (TREE_CODE (f) != FIELD_DECL || DECL_BIT_FIELD (f) || !DECL_FIELD_OFFSET (f)
	  || !tree_fits_shwi_p (bit_position (f)))
	continue;
      /* A base class has none.  */
      bool named = DECL_NAME (f) && (lang_GNU_Fortran () || !DECL_ARTIFICIAL (f));
      char *whole = named ? concat (name, separator, IDENTIFIER_POINTER (DECL_NAME (f)), NULL)
		    : xstrdup (name);
      field_add (arg, TREE_TYPE (f), whole, named ? below : separator,
		 at + int_byte_position (f), depth);
      free (whole);
    }
}

void
ummgr_arg_fields_fill (ummgr_arg *arg, tree type, bool by_pointer)
{
  for (unsigned i = 0; i < arg->fields.length (); i++)
    free (const_cast<char *> (arg->fields[i].name));
  arg->fields.truncate (0);
  if (TREE_CODE (type) == RECORD_TYPE)
    fields_add (arg, type, "", lang_GNU_Fortran () ? "%" : by_pointer ? "->" : ".", 0, 0);
}
