/* Where the unit's accesses are: what the thread is told before a report.
   SPDX-License-Identifier: GPL-3.0-or-later

   A place is a number: of the unit, and of an entry in the unit's table, which a constructor hands
   over (UMMGR_TRACE_PLACE).  Code for the device has numbers alone, as a GPU has no such table.
   The unit is told from others by what is in it and where; two that agree in that have the same
   table.

   Owns the table, for one run of the pass.  */

#include "trace/trace.h"
#include "ummgr-trace-abi.h"

struct place
{
  const char *file;
  unsigned line, column;
};

static vec<place> *places;
static hash_map<int_hash<uint64_t, 0>, unsigned> *known; /* By location.  */
static unsigned unit;

void
trace_places_begin (const vec<trace_function> &functions)
{
  places = new vec<place> ();
  known = new hash_map<int_hash<uint64_t, 0>, unsigned>;
  unit = crc32_string (0, main_input_filename ? main_input_filename : "");
  for (unsigned i = 0; i < functions.length (); i++)
    {
      tree decl = functions[i].node->decl;
      unit = crc32_string (unit, IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (decl)));
      expanded_location at = expand_location (DECL_SOURCE_LOCATION (decl));
      unit = crc32_string (unit, at.file ? at.file : "");
      unit = crc32_unsigned (unit, at.line);
    }
}

/* Where STMT stands, in the user's own code.  */
static location_t
users_location (gimple *stmt)
{
  return ummgr_location_of_user (gimple_location (stmt), stmt, true);
}

static unsigned
place_add (location_t location)
{
  place p;
  ummgr_location_get (location, &p.file, &p.line, &p.column);
  places->safe_push (p);
  return places->length () - 1;
}

static tree
number_of (unsigned index)
{
  return build_int_cstu (unsigned_intDI_type_node, UMMGR_TRACE_PLACE (unit, index));
}

tree
trace_place_of (gimple *stmt)
{
  location_t location = users_location (stmt);
  bool there;
  /* 0 stands for no entry.  */
  unsigned &index = known->get_or_insert ((uint64_t) LOCATION_LOCUS (location) + 1, &there);
  if (!there)
    index = place_add (location);
  return number_of (index);
}

tree
trace_places_of (gimple *const *stmts, unsigned n)
{
  unsigned first = places->length ();
  for (unsigned i = 0; i < n; i++)
    place_add (users_location (stmts[i]));
  return number_of (first);
}

gimple *
trace_place_store (tree thread, tree place)
{
  tree offset = build_int_cst (TREE_TYPE (thread), offsetof (struct ummgr_trace_thread, place));
  return gimple_build_assign (build2 (MEM_REF, unsigned_intDI_type_node, thread, offset), place);
}

/* struct ummgr_trace_place.  */
static tree
place_value (tree type, const place &p)
{
  tree u32 = unsigned_intSI_type_node, string = TREE_TYPE (TYPE_FIELDS (type));
  const tree values[] = {
    fold_convert (string, build_string_literal (strlen (p.file) + 1, p.file)),
    build_int_cst (u32, p.line), build_int_cst (u32, p.column)
  };
  return trace_struct_value (type, values);
}

void
trace_places_emit (tree *body)
{
  unsigned n = places->length ();
  if (n)
    {
      tree u32 = unsigned_intSI_type_node, u64 = unsigned_intDI_type_node;
      tree string = build_pointer_type (build_qualified_type (char_type_node, TYPE_QUAL_CONST));
      const tree types[] = { string, u32, u32 };
      tree type = trace_struct_new (types, 3);
      vec<constructor_elt, va_gc> *list = NULL;
      for (unsigned i = 0; i < n; i++)
	CONSTRUCTOR_APPEND_ELT (list, size_int (i), place_value (type, (*places)[i]));
      tree decl = trace_decl_function ("__ummgr_trace_places", void_type_node, false, u32,
				       ptr_type_node, u64, NULL_TREE);
      append_to_statement_list
	(build_call_expr (decl, 3, build_int_cstu (u32, unit),
			  trace_constants_new ("ummgr_places", type, list),
			  build_int_cst (u64, n)), body);
    }
  places->release ();
  delete places;
  places = NULL;
  delete known;
  known = NULL;
}
