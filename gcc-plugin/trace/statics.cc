/* The constants that tell the recorder of places in the source, and the table
   of the unit's variables with static storage.
   SPDX-License-Identifier: GPL-3.0-or-later

   Owns the types of ummgr-trace-abi.h's structs, for one run of the pass.  */

#include "trace/trace.h"

/* Smaller variables are in the table only where a region can see them.  */
#define STATIC_BYTES_MIN 64

static tree site_type;
static hash_set<tree> *mapped;

static tree
field_new (tree type, tree last, tree field_type)
{
  tree field = build_decl (UNKNOWN_LOCATION, FIELD_DECL, NULL_TREE,
			   field_type);
  DECL_CONTEXT (field) = type;
  if (last)
    DECL_CHAIN (last) = field;
  else
    TYPE_FIELDS (type) = field;
  return field;
}

tree
trace_struct_new (const tree *types, unsigned n)
{
  tree type = make_node (RECORD_TYPE), last = NULL_TREE;
  for (unsigned i = 0; i < n; i++)
    last = field_new (type, last, types[i]);
  layout_type (type);
  return type;
}

tree
trace_struct_value (tree type, const tree *values)
{
  vec<constructor_elt, va_gc> *elements = NULL;
  for (tree f = TYPE_FIELDS (type); f; f = DECL_CHAIN (f), values++)
    CONSTRUCTOR_APPEND_ELT (elements, f,
			    fold_convert (TREE_TYPE (f), *values));
  tree value = build_constructor (type, elements);
  TREE_CONSTANT (value) = TREE_STATIC (value) = 1;
  return value;
}

/* struct ummgr_trace_site.  */
static tree
site_value (const char *name, const char *file, unsigned line,
	    const char *layout, unsigned element_size)
{
  if (!site_type)
    {
      tree string = build_pointer_type
	(build_qualified_type (char_type_node, TYPE_QUAL_CONST));
      tree u32 = unsigned_intSI_type_node;
      const tree types[] = { string, string, string, u32, u32 };
      site_type = trace_struct_new (types, 5);
    }
  tree u32 = unsigned_intSI_type_node;
  const tree values[] = {
    build_string_literal (strlen (name) + 1, name),
    build_string_literal (strlen (file) + 1, file),
    build_string_literal (strlen (layout) + 1, layout),
    build_int_cst (u32, line), build_int_cst (u32, element_size)
  };
  tree t = TREE_TYPE (TYPE_FIELDS (site_type));
  tree converted[] = { fold_convert (t, values[0]),
		       fold_convert (t, values[1]),
		       fold_convert (t, values[2]), values[3], values[4] };
  return trace_struct_value (site_type, converted);
}

tree
trace_constant_new (const char *name, tree value)
{
  tree var = ummgr_constant_variable (create_tmp_var_name (name),
				      TREE_TYPE (value));
  DECL_INITIAL (var) = value;
  layout_decl (var, 0);
  varpool_node::finalize_decl (var);
  return build_fold_addr_expr (var);
}

tree
trace_constants_new (const char *name, tree type, vec<constructor_elt, va_gc> *list)
{
  tree value = build_constructor (build_array_type_nelts (type, vec_safe_length (list)), list);
  TREE_CONSTANT (value) = TREE_STATIC (value) = 1;
  return trace_constant_new (name, value);
}

tree
trace_site_new (const char *name, location_t location, gimple *stmt,
		tree object)
{
  const char *file;
  unsigned line, column, element_size;
  location = ummgr_location_of_user (location, stmt, false);
  ummgr_location_get (location, &file, &line, &column);
  char *own = trace_layout (object, &element_size);
  const char *layout = own;
  trace_early_note (location, &name, &layout, &element_size);
  tree value = site_value (name, file, line, layout, element_size);
  free (own);
  return trace_constant_new ("ummgr_site", value);
}

void
trace_statics_mapped (tree var)
{
  if (!mapped)
    mapped = new hash_set<tree>;
  mapped->add (var);
}

/* Does the table hold VAR?  */
static bool
static_is_listed (tree var)
{
  if (!TREE_STATIC (var) || DECL_EXTERNAL (var) || TREE_READONLY (var)
      || DECL_ARTIFICIAL (var) || DECL_THREAD_LOCAL_P (var)
      || !DECL_NAME (var) || DECL_HARD_REGISTER (var)
      || DECL_HAS_VALUE_EXPR_P (var) || !DECL_SIZE_UNIT (var)
      || !tree_fits_uhwi_p (DECL_SIZE_UNIT (var))
      || !ADDR_SPACE_GENERIC_P (TYPE_ADDR_SPACE (TREE_TYPE (var))))
    return false;
  return tree_to_uhwi (DECL_SIZE_UNIT (var)) >= STATIC_BYTES_MIN
	 || lookup_attribute ("omp declare target", DECL_ATTRIBUTES (var))
	 || (mapped && mapped->contains (var));
}

/* struct ummgr_trace_static.  */
static tree
static_value (tree type, tree var)
{
  const char *file;
  unsigned line, column, element_size;
  ummgr_location_get (DECL_SOURCE_LOCATION (var), &file, &line, &column);
  char *layout = trace_layout (TREE_TYPE (var), &element_size);
  TREE_ADDRESSABLE (var) = 1;
  const tree values[] = {
    build_fold_addr_expr (var), DECL_SIZE_UNIT (var),
    site_value (IDENTIFIER_POINTER (DECL_NAME (var)), file, line, layout,
		element_size)
  };
  free (layout);
  vec<constructor_elt, va_gc> *elements = NULL;
  tree f = TYPE_FIELDS (type);
  CONSTRUCTOR_APPEND_ELT (elements, f, fold_convert (TREE_TYPE (f), values[0]));
  f = DECL_CHAIN (f);
  CONSTRUCTOR_APPEND_ELT (elements, f, fold_convert (TREE_TYPE (f), values[1]));
  CONSTRUCTOR_APPEND_ELT (elements, DECL_CHAIN (f), values[2]);
  tree value = build_constructor (type, elements);
  TREE_CONSTANT (value) = TREE_STATIC (value) = 1;
  return value;
}

/* Append to BODY the call that hands LIST, of TYPE, over.  */
static void
statics_register (vec<constructor_elt, va_gc> *list, tree type, tree *body)
{
  tree decl = trace_decl_function ("__ummgr_trace_statics", void_type_node,
				   false, ptr_type_node,
				   unsigned_intDI_type_node, NULL_TREE);
  unsigned n = vec_safe_length (list);
  append_to_statement_list
    (build_call_expr (decl, 2, trace_constants_new ("ummgr_statics", type, list),
		      build_int_cst (unsigned_intDI_type_node, n)), body);
}

unsigned
trace_statics_emit (void)
{
  tree body = NULL_TREE;
  vec<constructor_elt, va_gc> *list = NULL;
  auto_vec<tree> variables;
  varpool_node *node;
  FOR_EACH_DEFINED_VARIABLE (node)
    if (!node->alias && static_is_listed (node->decl))
      variables.safe_push (node->decl);
  if (!variables.is_empty ())
    {
      site_value ("", "", 0, "", 0);
      const tree types[] = { ptr_type_node, unsigned_intDI_type_node,
			     site_type };
      tree type = trace_struct_new (types, 3);
      for (unsigned i = 0; i < variables.length (); i++)
	CONSTRUCTOR_APPEND_ELT (list, size_int (i),
				static_value (type, variables[i]));
      statics_register (list, type, &body);
    }
  trace_places_emit (&body);
  if (body)
    cgraph_build_static_cdtor ('I', body, DEFAULT_INIT_PRIORITY);
  site_type = NULL_TREE;
  delete mapped;
  mapped = NULL;
  return variables.length ();
}
