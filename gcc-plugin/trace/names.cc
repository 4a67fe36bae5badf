/* What the source calls the place that a pointer is stored to, and what the
   objects there look like.
   SPDX-License-Identifier: GPL-3.0-or-later

   names.cc names clauses' expressions, in which objects are named without
   subscripts; here the code is in SSA form, and grid[i] is not grid.

   Optimisation forgets variables that hold nothing but a copy.  So a pass of
   this file's goes over each function as soon as it is in SSA form, and notes
   what calls' results are called; it owns these notes, until the unit ends.  */

#include "trace/trace.h"

/* Definitions followed, at most: phis form circles.  */
#define NAME_DEPTH 12
/* Fields of a layout, at most.  */
#define LAYOUT_FIELDS 400

static char *place_name (tree expr, int depth);

/* A variable that the user named, and not in an inlined function.  */
static bool
is_users_own (tree var)
{
  if (!var || !DECL_NAME (var) || DECL_ARTIFICIAL (var) || DECL_NAMELESS (var))
    return false;
  tree context = DECL_CONTEXT (DECL_ORIGIN (var));
  return is_global_var (var) || !context
	 || context == DECL_ORIGIN (current_function_decl)
	 || TREE_CODE (context) != FUNCTION_DECL;
}

/* BASE with the subscript INDEX, which is in units of SCALE bytes.  */
static char *
subscripted (char *base, tree index, unsigned HOST_WIDE_INT scale, int depth)
{
  if (!base)
    return NULL;
  char number[32], *inner = NULL;
  for (int i = 0; i < 4 && TREE_CODE (index) == SSA_NAME; i++)
    {
      gimple *def = SSA_NAME_DEF_STMT (index);
      if (is_users_own (SSA_NAME_VAR (index)) || !is_gimple_assign (def))
	break;
      index = gimple_assign_rhs1 (def);
    }
  if (tree_fits_shwi_p (index))
    {
      snprintf (number, sizeof number, HOST_WIDE_INT_PRINT_DEC,
		tree_to_shwi (index) / (HOST_WIDE_INT) MAX (scale, 1));
      inner = xstrdup (number);
    }
  else
    inner = place_name (index, depth);
  char *name = concat (base, "[", inner ? inner : "", "]", NULL);
  free (inner);
  free (base);
  return name;
}

static unsigned HOST_WIDE_INT
pointed_size (tree type)
{
  tree size = TYPE_SIZE_UNIT (TREE_TYPE (type));
  return size && tree_fits_uhwi_p (size) ? tree_to_uhwi (size) : 1;
}

/* The variable that NAME, a call's result, is stored to.  */
static char *
stored_name (tree name, int depth)
{
  imm_use_iterator iter;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST (use, iter, name)
    {
      gimple *stmt = USE_STMT (use);
      if (gimple_store_p (stmt) && gimple_assign_single_p (stmt)
	  && gimple_assign_rhs1 (stmt) == name)
	return place_name (gimple_assign_lhs (stmt), depth);
    }
  return NULL;
}

static char *
ssa_name_name (tree name, int depth)
{
  if (is_users_own (SSA_NAME_VAR (name)))
    return xstrdup (IDENTIFIER_POINTER (DECL_NAME (SSA_NAME_VAR (name))));
  gimple *def = SSA_NAME_DEF_STMT (name);
  if (is_gimple_call (def))
    return stored_name (name, depth);
  if (!is_gimple_assign (def))
    return NULL;
  tree from = gimple_assign_rhs1 (def);
  if (gimple_assign_rhs_code (def) == POINTER_PLUS_EXPR)
    return subscripted (place_name (from, depth), gimple_assign_rhs2 (def),
			pointed_size (TREE_TYPE (name)), depth);
  if (gimple_assign_single_p (def) || gimple_assign_cast_p (def))
    return place_name (from, depth);
  return NULL;
}

static char *
component_name (tree expr, int depth)
{
  tree object = TREE_OPERAND (expr, 0), field = TREE_OPERAND (expr, 1);
  bool arrow = TREE_CODE (object) == MEM_REF
	       && TREE_CODE (TREE_OPERAND (object, 0)) == SSA_NAME;
  char *base = place_name (arrow ? TREE_OPERAND (object, 0) : object, depth);
  if (ummgr_field_is_hidden (field))
    return base;
  const char *name = IDENTIFIER_POINTER (DECL_NAME (field));
  if (!base)
    return xstrdup (name);
  /* grid[i].left through a computed pointer has had its dereference.  */
  const char *dot = lang_GNU_Fortran () ? "%" : arrow && base[strlen (base) - 1] != ']' ? "->" : ".";
  char *whole = concat (base, dot, name, NULL);
  free (base);
  return whole;
}

static char *
place_name (tree expr, int depth)
{
  if (depth <= 0)
    return NULL;
  depth--;
  if (DECL_P (expr))
    return is_users_own (expr)
	   ? xstrdup (IDENTIFIER_POINTER (DECL_NAME (expr))) : NULL;
  switch (TREE_CODE (expr))
    {
    case SSA_NAME:
      return ssa_name_name (expr, depth);
    case COMPONENT_REF:
      return component_name (expr, depth);
    case ARRAY_REF:
      return subscripted (place_name (TREE_OPERAND (expr, 0), depth),
			  TREE_OPERAND (expr, 1), 1, depth);
    case MEM_REF:
      {
	char *base = place_name (TREE_OPERAND (expr, 0), depth);
	if (integer_zerop (TREE_OPERAND (expr, 1)))
	  return base;
	return subscripted (base, TREE_OPERAND (expr, 1),
			    tree_fits_uhwi_p (TYPE_SIZE_UNIT (TREE_TYPE (expr)))
			    ? tree_to_uhwi (TYPE_SIZE_UNIT (TREE_TYPE (expr)))
			    : 1, depth);
      }
    case ADDR_EXPR:
    case VIEW_CONVERT_EXPR:
    case REALPART_EXPR:
      return place_name (TREE_OPERAND (expr, 0), depth);
    default:
      return NULL;
    }
}

/* Improve the NAME and TYPE found so far by where the pointer goes: to EXPR.  */
static void
place_note (tree expr, char **name, tree *type)
{
  if (!*name)
    *name = place_name (expr, NAME_DEPTH);
  if (!*type && POINTER_TYPE_P (TREE_TYPE (expr))
      && COMPLETE_TYPE_P (TREE_TYPE (TREE_TYPE (expr))))
    *type = TREE_TYPE (TREE_TYPE (expr));
}

void
trace_place_find (tree pointer, char **name, tree *type)
{
  auto_vec<tree> queue;
  *name = NULL;
  *type = NULL_TREE;
  if (TREE_CODE (pointer) != SSA_NAME)
    {
      place_note (pointer, name, type);
      return;
    }
  queue.safe_push (pointer);
  for (unsigned i = 0; i < queue.length () && i < NAME_DEPTH; i++)
    {
      tree at = queue[i];
      if (is_users_own (SSA_NAME_VAR (at)))
	place_note (at, name, type);
      imm_use_iterator iter;
      use_operand_p use;
      FOR_EACH_IMM_USE_FAST (use, iter, at)
	{
	  gimple *stmt = USE_STMT (use);
	  if (gphi *phi = dyn_cast <gphi *> (stmt))
	    {
	      if (!queue.contains (gimple_phi_result (phi)))
		queue.safe_push (gimple_phi_result (phi));
	    }
	  else if ((gimple_assign_single_p (stmt)
		    || gimple_assign_cast_p (stmt))
		   && gimple_assign_rhs1 (stmt) == at)
	    {
	      tree lhs = gimple_assign_lhs (stmt);
	      if (TREE_CODE (lhs) != SSA_NAME)
		place_note (lhs, name, type);
	      else if (!queue.contains (lhs))
		queue.safe_push (lhs);
	    }
	}
    }
  /* A type without a name: how the pointer is used.  */
  for (unsigned i = 0; i < queue.length () && !*type; i++)
    place_note (queue[i], name, type);
}

/* What a call's result is called, as noted when all variables were there.  Its
   location is what inlining keeps of a call.  */
struct early_note
{
  char *name;
  char *layout;
  unsigned element_size;
};

static hash_map<int_hash<location_t, UNKNOWN_LOCATION, UINT_MAX>,
		early_note> *early_notes;

static void
early_note_take (gcall *call)
{
  location_t at = LOCATION_LOCUS (gimple_location (call));
  tree lhs = gimple_call_lhs (call);
  if (!lhs || !POINTER_TYPE_P (TREE_TYPE (lhs)) || at <= BUILTINS_LOCATION)
    return;
  early_note note;
  tree type;
  trace_place_find (lhs, &note.name, &type);
  note.layout = trace_layout (type, &note.element_size);
  if (!early_notes)
    early_notes = new hash_map<int_hash<location_t, UNKNOWN_LOCATION,
					UINT_MAX>, early_note>;
  bool known;
  early_note &slot = early_notes->get_or_insert (at, &known);
  if (known)
    {
      free (slot.name);
      free (slot.layout);
    }
  slot = note;
}

bool
trace_early_note (location_t at, const char **name, const char **layout,
		  unsigned *element_size)
{
  early_note *note
    = early_notes ? early_notes->get (LOCATION_LOCUS (at)) : NULL;
  if (!note)
    return false;
  if (note->name && !**name)
    *name = note->name;
  if (!*element_size)
    {
      *layout = note->layout;
      *element_size = note->element_size;
    }
  return true;
}

static void
early_notes_take (function *fun)
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi);
	 gsi_next (&gsi))
      if (gcall *call = dyn_cast <gcall *> (gsi_stmt (gsi)))
	early_note_take (call);
}

opt_pass *
ummgr_pass_trace_names_new (void)
{
  static const ummgr_pass pass = {
    GIMPLE_PASS, UMMGR_PASS_TRACE_NAMES, OPTGROUP_OTHER, PROP_cfg | PROP_ssa,
    NULL, early_notes_take
  };
  return ummgr_pass_new (&pass);
}

/* Append TYPE's fields, which begin at OFFSET, to *TEXT.  */
static void
layout_append (char **text, tree type, unsigned HOST_WIDE_INT offset,
	       unsigned *fields)
{
  for (tree f = TYPE_FIELDS (type); f; f = DECL_CHAIN (f))
    {
      if (TREE_CODE (f) != FIELD_DECL || *fields >= LAYOUT_FIELDS
	  || !DECL_SIZE (f) || !tree_fits_uhwi_p (DECL_SIZE (f))
	  || TREE_CODE (DECL_FIELD_OFFSET (f)) != INTEGER_CST)
	continue;
      unsigned HOST_WIDE_INT bit = tree_to_uhwi (bit_position (f));
      unsigned HOST_WIDE_INT at = offset + bit / BITS_PER_UNIT;
      unsigned HOST_WIDE_INT size
	= CEIL (bit % BITS_PER_UNIT + tree_to_uhwi (DECL_SIZE (f)),
		BITS_PER_UNIT);
      if (DECL_VIRTUAL_P (f) || size == 0)
	continue;
      /* A base class, or an anonymous member.  */
      if ((!DECL_NAME (f) || DECL_ARTIFICIAL (f))
	  && RECORD_OR_UNION_TYPE_P (TREE_TYPE (f)))
	layout_append (text, TREE_TYPE (f), at, fields);
      if (!DECL_NAME (f) || DECL_ARTIFICIAL (f))
	continue;
      char numbers[64];
      snprintf (numbers, sizeof numbers,
		":" HOST_WIDE_INT_PRINT_UNSIGNED ":"
		HOST_WIDE_INT_PRINT_UNSIGNED ";", at, size);
      char *longer = concat (*text, IDENTIFIER_POINTER (DECL_NAME (f)),
			     numbers, NULL);
      free (*text);
      *text = longer;
      ++*fields;
    }
}

char *
trace_layout (tree type, unsigned *element_size)
{
  char *text = xstrdup ("");
  unsigned fields = 0;
  *element_size = 0;
  while (type && TREE_CODE (type) == ARRAY_TYPE)
    type = TREE_TYPE (type);
  if (type && ummgr_type_is_descriptor (type))
    return text;
  if (!type || !TYPE_SIZE_UNIT (type)
      || !tree_fits_uhwi_p (TYPE_SIZE_UNIT (type)))
    return text;
  *element_size = tree_to_uhwi (TYPE_SIZE_UNIT (type));
  if (TREE_CODE (type) == RECORD_TYPE)
    layout_append (&text, type, 0, &fields);
  return text;
}
