/* The constraints of statements and of variables' initial values.
   SPDX-License-Identifier: GPL-3.0-or-later

   Pointers are followed through integers of their size as far as these are
   copied, added to and masked; what else is made a pointer may point anywhere.
   Owns which node an SSA name has.  Changes no code.  */

#include "site/site.h"

static hash_map<tree, unsigned> *ssa_nodes;
static hash_map<tree, unsigned> *return_nodes;	/* By function.  */

void
site_walk_begin (void)
{
  ssa_nodes = new hash_map<tree, unsigned>;
  return_nodes = new hash_map<tree, unsigned>;
}

void
site_walk_end (void)
{
  delete ssa_nodes;
  delete return_nodes;
  ssa_nodes = return_nodes = NULL;
}

static HOST_WIDE_INT
type_size (tree type)
{
  tree size = TYPE_SIZE_UNIT (type);
  return size && tree_fits_shwi_p (size) ? tree_to_shwi (size) : -1;
}

/* Of a register.  GCC copies small structs through wide ones.  */
bool
site_type_may_point (tree type)
{
  return POINTER_TYPE_P (type) || TREE_CODE (type) == NULLPTR_TYPE
	 || (INTEGRAL_TYPE_P (type) && TYPE_PRECISION (type) >= POINTER_SIZE)
	 || (VECTOR_TYPE_P (type)
	     && type_size (type) >= POINTER_SIZE / BITS_PER_UNIT);
}

/* TO is the register of TYPE that is loaded from FROM + OFFSET; all the words
   of a wide one are taken for one.  */
static void
walk_load (unsigned to, tree type, unsigned from, HOST_WIDE_INT offset)
{
  HOST_WIDE_INT word = POINTER_SIZE / BITS_PER_UNIT, size = type_size (type);
  site_load (to, from, offset);
  for (HOST_WIDE_INT at = word; offset != SITE_ANY && at < size; at += word)
    site_load (to, from, offset + at);
}

static void
walk_store (unsigned to, HOST_WIDE_INT offset, tree type, unsigned from)
{
  HOST_WIDE_INT word = POINTER_SIZE / BITS_PER_UNIT, size = type_size (type);
  site_store (to, offset, from);
  for (HOST_WIDE_INT at = word; offset != SITE_ANY && at < size; at += word)
    site_store (to, offset + at, from);
}

/* KEY's node in MAP.  */
static unsigned
node_of (hash_map<tree, unsigned> *map, tree key)
{
  if (unsigned *known = map->get (key))
    return *known;
  unsigned node = site_node_new ();
  map->put (key, node);
  return node;
}

unsigned
site_returned (tree fndecl)
{
  return node_of (return_nodes, fndecl);
}

static unsigned
unknown (void)
{
  return site_symbol_node (SITE_UNKNOWN);
}

unsigned
site_place (tree ref, HOST_WIDE_INT *offset)
{
  poly_int64 at, size, max_size;
  bool reverse;
  if (TREE_CODE (ref) == WITH_SIZE_EXPR)
    ref = TREE_OPERAND (ref, 0);
  tree base = get_ref_base_and_extent (ref, &at, &size, &max_size, &reverse);
  HOST_WIDE_INT bits;
  *offset = SITE_ANY;
  if (known_eq (size, max_size) && at.is_constant (&bits)
      && bits % BITS_PER_UNIT == 0)
    *offset = bits / BITS_PER_UNIT;
  if (!base)
    return unknown ();
  if (DECL_P (base))
    return site_objects[site_object_of (base)].address;
  if (TREE_CODE (base) != MEM_REF && TREE_CODE (base) != TARGET_MEM_REF)
    return CONSTANT_CLASS_P (base) || TREE_CODE (base) == SSA_NAME
	   ? SITE_NOTHING : unknown ();
  tree more = TREE_CODE (base) == MEM_REF ? TREE_OPERAND (base, 1) : NULL_TREE;
  if (!more || !tree_fits_shwi_p (more))
    *offset = SITE_ANY;
  else if (*offset != SITE_ANY)
    *offset += tree_to_shwi (more);
  return site_value (TREE_OPERAND (base, 0));
}

/* The address of REF.  */
static unsigned
address_value (tree ref)
{
  HOST_WIDE_INT offset;
  if (TREE_CODE (ref) == FUNCTION_DECL)
    return site_objects[site_object_of (ref)].address;
  if (TREE_CODE (ref) == LABEL_DECL || CONSTANT_CLASS_P (ref))
    return SITE_NOTHING;
  unsigned base = site_place (ref, &offset);
  if (base == SITE_NOTHING || offset == 0)
    return base;
  unsigned node = site_node_new ();
  site_copy (node, base, offset);
  return node;
}

unsigned
site_value (tree operand)
{
  if (TREE_CODE (operand) == SSA_NAME)
    return site_type_may_point (TREE_TYPE (operand))
	   ? node_of (ssa_nodes, operand) : SITE_NOTHING;
  if (TREE_CODE (operand) == ADDR_EXPR)
    return address_value (TREE_OPERAND (operand, 0));
  if (TREE_CODE (operand) == OBJ_TYPE_REF)
    return site_value (OBJ_TYPE_REF_EXPR (operand));
  return SITE_NOTHING;
}

/* Is the integer NAME computed by what is not followed?  */
static bool
is_computed (tree name)
{
  if (TREE_CODE (name) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF (name))
    return false;
  gassign *def = dyn_cast <gassign *> (SSA_NAME_DEF_STMT (name));
  if (!def)
    return false;
  switch (gimple_assign_rhs_code (def))
    {
    case PLUS_EXPR:
    case MINUS_EXPR:
    case BIT_AND_EXPR:
    case BIT_IOR_EXPR:
      return is_computed (gimple_assign_rhs1 (def));
    CASE_CONVERT:
      return !POINTER_TYPE_P (TREE_TYPE (gimple_assign_rhs1 (def)))
	     && is_computed (gimple_assign_rhs1 (def));
    default:
      return !gimple_assign_single_p (def);
    }
}

static HOST_WIDE_INT
constant_offset (tree operand)
{
  /* Offsets of pointers are unsigned and mean to be signed.  */
  if (TREE_CODE (operand) != INTEGER_CST
      || TYPE_PRECISION (TREE_TYPE (operand)) > HOST_BITS_PER_WIDE_INT)
    return SITE_ANY;
  return TREE_INT_CST_LOW (operand);
}

/* LHS = an operation, not a copy or load.  */
static void
walk_operation (unsigned lhs, gassign *stmt)
{
  tree a = gimple_assign_rhs1 (stmt), b = gimple_assign_rhs2 (stmt);
  switch (gimple_assign_rhs_code (stmt))
    {
    CASE_CONVERT:
      if (site_type_may_point (TREE_TYPE (a)))
	site_copy (lhs, site_value (a), 0);
      if (POINTER_TYPE_P (TREE_TYPE (gimple_assign_lhs (stmt)))
	  && !POINTER_TYPE_P (TREE_TYPE (a)) && is_computed (a))
	site_copy (lhs, unknown (), 0);
      break;
    case POINTER_PLUS_EXPR:
      site_copy (lhs, site_value (a), constant_offset (b));
      /* As some write (char *) 0 + integer.  */
      if (integer_zerop (a))
	site_copy (lhs, site_value (b), 0);
      break;
    case PLUS_EXPR:
      site_copy (lhs, site_value (a), constant_offset (b));
      site_copy (lhs, site_value (b), SITE_ANY);
      break;
    case MINUS_EXPR:
    case BIT_AND_EXPR:
    case BIT_IOR_EXPR:
      site_copy (lhs, site_value (a), SITE_ANY);
      break;
    case MIN_EXPR:
    case MAX_EXPR:
      site_copy (lhs, site_value (a), 0);
      site_copy (lhs, site_value (b), 0);
      break;
    case COND_EXPR:
      site_copy (lhs, site_value (b), 0);
      site_copy (lhs, site_value (gimple_assign_rhs3 (stmt)), 0);
      break;
    default:
      if (POINTER_TYPE_P (TREE_TYPE (gimple_assign_lhs (stmt))))
	site_copy (lhs, unknown (), 0);
    }
}

static void
walk_assign (gassign *stmt)
{
  tree lhs = gimple_assign_lhs (stmt), rhs = gimple_assign_rhs1 (stmt);
  HOST_WIDE_INT to_at, from_at;
  if (gimple_clobber_p (stmt))
    return;
  if (TREE_CODE (lhs) == SSA_NAME)
    {
      if (!site_type_may_point (TREE_TYPE (lhs)))
	return;
      unsigned to = site_value (lhs);
      if (!gimple_assign_single_p (stmt))
	walk_operation (to, stmt);
      else if (gimple_assign_load_p (stmt))
	{
	  unsigned from = site_place (rhs, &from_at);
	  walk_load (to, TREE_TYPE (lhs), from, from_at);
	}
      else
	site_copy (to, site_value (rhs), 0);
      return;
    }
  if (TREE_CODE (rhs) == CONSTRUCTOR)
    return;
  if (is_gimple_reg_type (TREE_TYPE (lhs)))
    {
      unsigned value = gimple_assign_single_p (stmt) ? site_value (rhs)
						     : SITE_NOTHING;
      if (value == SITE_NOTHING)
	return;
      unsigned to = site_place (lhs, &to_at);
      walk_store (to, to_at, TREE_TYPE (lhs), value);
      return;
    }
  unsigned to = site_place (lhs, &to_at);
  unsigned from = site_place (rhs, &from_at);
  site_move (to, to_at, from, from_at, type_size (TREE_TYPE (lhs)));
}

static void
walk_return (cgraph_node *node, greturn *stmt)
{
  tree value = gimple_return_retval (stmt);
  if (!value)
    return;
  if (is_gimple_reg_type (TREE_TYPE (value)))
    {
      HOST_WIDE_INT offset;
      if (TREE_CODE (value) == SSA_NAME || TREE_CODE (value) == ADDR_EXPR)
	site_copy (site_returned (node->decl), site_value (value), 0);
      else if (DECL_P (value) && site_type_may_point (TREE_TYPE (value)))
	{
	  unsigned from = site_place (value, &offset);
	  site_load (site_returned (node->decl), from, offset);
	}
    }
  else if (DECL_P (value))
    site_copy (site_returned (node->decl),
	       site_objects[site_object_of (value)].address, 0);
}

/* What assembler code writes is not known.  */
static void
walk_asm (gasm *stmt)
{
  HOST_WIDE_INT offset;
  for (unsigned i = 0; i < gimple_asm_noutputs (stmt); i++)
    {
      tree out = TREE_VALUE (gimple_asm_output_op (stmt, i));
      if (!site_type_may_point (TREE_TYPE (out)))
	continue;
      if (TREE_CODE (out) == SSA_NAME)
	site_copy (site_value (out), unknown (), 0);
      else
	{
	  unsigned to = site_place (out, &offset);
	  site_store (to, offset, unknown ());
	}
    }
  for (unsigned i = 0; i < gimple_asm_ninputs (stmt); i++)
    {
      tree in = TREE_VALUE (gimple_asm_input_op (stmt, i));
      if (TREE_CODE (in) == SSA_NAME || TREE_CODE (in) == ADDR_EXPR)
	site_sink (site_value (in), SITE_UNKNOWN);
    }
}

static void
walk_statement (cgraph_node *node, gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_ASSIGN:
      walk_assign (as_a <gassign *> (stmt));
      break;
    case GIMPLE_CALL:
      site_walk_call (node, as_a <gcall *> (stmt));
      break;
    case GIMPLE_RETURN:
      walk_return (node, as_a <greturn *> (stmt));
      break;
    case GIMPLE_ASM:
      walk_asm (as_a <gasm *> (stmt));
      break;
    default:
      break;
    }
}

/* Parameter PARM of FUN may be what SYMBOL holds.  */
static void
walk_parameter (function *fun, tree parm, unsigned symbol)
{
  if (!is_gimple_reg (parm))
    site_store (site_objects[site_object_of (parm)].address, SITE_ANY,
		site_symbol_node (symbol));
  else if (tree value = ssa_default_def (fun, parm))
    site_copy (site_value (value), site_symbol_node (symbol), 0);
}

/* What other units pass to NODE's function, and get from it.  */
static void
walk_boundary (cgraph_node *node, function *fun)
{
  const char *name = IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (node->decl));
  unsigned i = 0;
  if (!site_is_visible (node) || MAIN_NAME_P (DECL_NAME (node->decl)))
    return;
  for (tree parm = DECL_ARGUMENTS (node->decl); parm;
       parm = DECL_CHAIN (parm), i++)
    walk_parameter (fun, parm,
		    site_symbol_get (UMMGR_FLOW_PARAMETER, name, i));
  site_sink (site_returned (node->decl),
	     site_symbol_get (UMMGR_FLOW_RETURN, name, 0));
}

void
site_walk_escaped (tree fndecl)
{
  cgraph_node *node = site_definition (fndecl);
  if (!node)
    return;
  for (tree parm = DECL_ARGUMENTS (node->decl); parm; parm = DECL_CHAIN (parm))
    walk_parameter (DECL_STRUCT_FUNCTION (node->decl), parm, SITE_UNKNOWN);
  site_sink (site_returned (node->decl), SITE_UNKNOWN);
}

void
site_walk_function (cgraph_node *node)
{
  function *fun = DECL_STRUCT_FUNCTION (node->decl);
  walk_boundary (node, fun);
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    {
      for (gphi_iterator gsi = gsi_start_phis (bb); !gsi_end_p (gsi);
	   gsi_next (&gsi))
	{
	  gphi *phi = gsi.phi ();
	  tree result = gimple_phi_result (phi);
	  if (virtual_operand_p (result)
	      || !site_type_may_point (TREE_TYPE (result)))
	    continue;
	  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
	    site_copy (site_value (result),
		       site_value (gimple_phi_arg_def (phi, i)), 0);
	}
      for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi);
	   gsi_next (&gsi))
	walk_statement (node, gsi_stmt (gsi));
    }
}

/* The addresses in VALUE, which is at OFFSET of the object at ADDRESS.  */
static void
walk_initial (unsigned address, HOST_WIDE_INT offset, tree value)
{
  tree field, part;
  unsigned HOST_WIDE_INT i;
  STRIP_NOPS (value);
  if (TREE_CODE (value) == ADDR_EXPR)
    site_store (address, offset, site_value (value));
  else if (TREE_CODE (value) == POINTER_PLUS_EXPR)
    {
      tree base = TREE_OPERAND (value, 0);
      STRIP_NOPS (base);
      unsigned node = site_node_new ();
      site_copy (node, site_value (base),
		 constant_offset (TREE_OPERAND (value, 1)));
      site_store (address, offset, node);
    }
  else if (TREE_CODE (value) == CONSTRUCTOR)
    FOR_EACH_CONSTRUCTOR_ELT (CONSTRUCTOR_ELTS (value), i, field, part)
      {
	HOST_WIDE_INT at = SITE_ANY, size = type_size (TREE_TYPE (part));
	if (field && TREE_CODE (field) == FIELD_DECL && offset != SITE_ANY
	    && tree_fits_shwi_p (byte_position (field)))
	  at = offset + int_byte_position (field);
	else if (field && TREE_CODE (field) == INTEGER_CST && size >= 0
		 && tree_fits_shwi_p (field) && offset != SITE_ANY)
	  at = offset + tree_to_shwi (field) * size;
	walk_initial (address, at, part);
      }
}

void
site_walk_variable (varpool_node *node)
{
  tree decl = node->decl;
  unsigned object = site_object_of (decl);
  unsigned address = site_objects[object].address;
  tree initial = DECL_INITIAL (decl);
  if (initial && initial != error_mark_node)
    walk_initial (address, 0, initial);
  /* Hidden names are the program's, too.  */
  if ((TREE_PUBLIC (decl) || DECL_EXTERNAL (decl)) && !DECL_ARTIFICIAL (decl)
      && !TREE_READONLY (decl))
    site_object_sink (object,
		      site_symbol_get (UMMGR_FLOW_GLOBAL,
				       IDENTIFIER_POINTER
					 (DECL_ASSEMBLER_NAME (decl)), 0));
}
