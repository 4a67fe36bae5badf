/* Which memory a function's pointers may point into.
   SPDX-License-Identifier: GPL-3.0-or-later

   Asks what live/scan.cc has found so far.  Owns nothing but the roots of the
   function handed in.  */

#include "live/live.h"

/* The parameter DECL of F, or -1.  */
static int
parameter_index (const live_function *f, tree decl)
{
  int i = 0;
  for (tree p = DECL_ARGUMENTS (f->node->decl); p; p = DECL_CHAIN (p), i++)
    if (p == decl)
      return i;
  return -1;
}

/* Is the static variable DECL never reached but by its name: its address taken nowhere in the unit, neither in the
   source nor by what GCC made of it (mapped data), and unknown to others?  */
static bool
only_named (tree decl)
{
  varpool_node *node = varpool_node::get (decl);
  ipa_ref *ref;
  if (!node || TREE_PUBLIC (decl) || DECL_EXTERNAL (decl) || TREE_ADDRESSABLE (decl) || DECL_PRESERVE_P (decl))
    return false;
  for (unsigned i = 0; node->iterate_referring (i, ref); i++)
    if (ref->use == IPA_REF_ADDR || ref->use == IPA_REF_ALIAS)
      return false;
  return true;
}

unsigned
live_root_get (live_function *f, live_root_kind kind, tree t, unsigned index,
	       HOST_WIDE_INT offset)
{
  for (unsigned i = 1; i < f->roots.length (); i++)
    if (f->roots[i].kind == kind && f->roots[i].t == t
	&& f->roots[i].index == index && f->roots[i].offset == offset)
      return i;
  if (f->roots.length () == LIVE_ROOTS)
    return 0;
  live_root root = {};
  root.kind = kind;
  root.t = t;
  root.index = index;
  root.offset = offset;
  root.named = kind == LIVE_GLOBAL && only_named (t);
  f->roots.safe_push (root);
  unsigned i = f->roots.length () - 1;
  /* What is in a parameter that lies in memory the caller put there.  */
  if (kind == LIVE_LOCAL && TREE_CODE (t) == PARM_DECL)
    {
      int p = parameter_index (f, t);
      live_set contents
	= p >= 0 && POINTER_TYPE_P (TREE_TYPE (t))
	  ? live_bit_of (live_root_get (f, LIVE_PARAM, NULL_TREE, p, 0)) : LIVE_ANY;
      f->roots[i].contents = contents;
    }
  return i;
}

int
live_root_of_decl (const live_function *f, const_tree decl)
{
  for (unsigned i = 1; i < f->roots.length (); i++)
    if (f->roots[i].kind == LIVE_GLOBAL && f->roots[i].t == decl)
      return i;
  return -1;
}

live_set
live_foreign (const live_function *f)
{
  live_set all = LIVE_ANY;
  for (unsigned i = 1; i < f->roots.length (); i++)
    if (!(live_is_own (f->roots[i]) || f->roots[i].apart) || f->roots[i].escaped)
      all |= live_bit_of (i);
  return all;
}

live_set
live_named (const live_function *f)
{
  live_set all = 0;
  for (unsigned i = 1; i < f->roots.length (); i++)
    if (f->roots[i].named)
      all |= live_bit_of (i);
  return all;
}

bool
live_is_outlined (const live_function *f)
{
  tree name = DECL_NAME (f->node->decl);
  return name && strstr (IDENTIFIER_POINTER (name), "._omp_fn")
	 && DECL_ARTIFICIAL (f->node->decl);
}

bool
live_root_is_steady (const live_function *f, unsigned i)
{
  const live_root &root = f->roots[i];
  switch (root.kind)
    {
    case LIVE_LOCAL:
    case LIVE_GLOBAL:
    case LIVE_PARAM:
      return true;
    case LIVE_ALLOC:
      return !root.several;
    case LIVE_FIELD:
      return live_is_outlined (f);
    default:
      return false;
    }
}

static live_set
name_points_to (live_function *f, tree name)
{
  tree variable = SSA_NAME_VAR (name);
  if (!SSA_NAME_IS_DEFAULT_DEF (name))
    {
      live_set *known = f->points.get (name);
      return known ? *known : 0;
    }
  if (!variable || TREE_CODE (variable) != PARM_DECL)
    return 0;
  int i = parameter_index (f, variable);
  if (i < 0)
    return LIVE_ANY;
  return POINTER_TYPE_P (TREE_TYPE (name))
	 ? live_bit_of (live_root_get (f, LIVE_PARAM, NULL_TREE, i, 0)) : 0;
}

/* Is the local DECL worth a root?  */
static bool
local_matters (tree decl)
{
  tree type = strip_array_types (TREE_TYPE (decl));
  return TREE_ADDRESSABLE (decl) || POINTER_TYPE_P (type)
	 || RECORD_OR_UNION_TYPE_P (type)
	 || TREE_CODE (TREE_TYPE (decl)) == ARRAY_TYPE;
}

live_set
live_memory (live_function *f, tree ref)
{
  tree base = get_base_address (ref);
  if (!base)
    return LIVE_ANY;
  switch (TREE_CODE (base))
    {
    case VAR_DECL:
    case PARM_DECL:
    case RESULT_DECL:
      if (is_global_var (base))
	return live_bit_of (live_root_get (f, LIVE_GLOBAL, base, 0, 0));
      /* A function nested in another names that one's variables.  */
      if (decl_function_context (base) != f->node->decl
	  && !DECL_ARTIFICIAL (base))
	return LIVE_ANY;
      return local_matters (base)
	     ? live_bit_of (live_root_get (f, LIVE_LOCAL, base, 0, 0)) : 0;
    case MEM_REF:
    case TARGET_MEM_REF:
      {
	live_set set = live_points_to (f, TREE_OPERAND (base, 0));
	return set ? set : LIVE_ANY;
      }
    case SSA_NAME:
    case STRING_CST:
    case CONSTRUCTOR:
    case FUNCTION_DECL:
    case LABEL_DECL:
    case CONST_DECL:
      return 0;
    default:
      return CONSTANT_CLASS_P (base) ? 0 : LIVE_ANY;
    }
}

/* The field of what a pointer points to that REF is, by the pointer's root.  */
static live_set
field_points_to (live_function *f, tree ref, unsigned root)
{
  poly_int64 offset, size, most;
  bool reverse;
  tree base = get_ref_base_and_extent (ref, &offset, &size, &most, &reverse);
  HOST_WIDE_INT at, more;
  if (TREE_CODE (base) != MEM_REF || !offset.is_constant (&at)
      || !known_eq (size, most) || at % BITS_PER_UNIT
      || !tree_fits_shwi_p (TREE_OPERAND (base, 1))
      || TREE_CODE (TREE_OPERAND (base, 0)) != SSA_NAME
      || !SSA_NAME_IS_DEFAULT_DEF (TREE_OPERAND (base, 0)))
    return LIVE_ANY;
  more = tree_to_shwi (TREE_OPERAND (base, 1));
  return live_bit_of (live_root_get (f, LIVE_FIELD, NULL_TREE,
				f->roots[root].index,
				at / BITS_PER_UNIT + more));
}

/* Where what is loaded from REF may point.  Numbers from foreign memory point
   nowhere until they are made pointers.  */
static live_set
load_points_to (live_function *f, tree ref)
{
  tree type = TREE_TYPE (ref);
  if (SCALAR_FLOAT_TYPE_P (type) || COMPLEX_FLOAT_TYPE_P (type))
    return 0;
  bool pointer = POINTER_TYPE_P (type);
  bool number = INTEGRAL_TYPE_P (type);
  live_set memory = live_memory (f, ref), out = 0;
  for (unsigned i = 0; i < f->roots.length (); i++)
    {
      if (!(memory >> i & 1))
	continue;
      if (live_is_own (f->roots[i]))
	out |= f->roots[i].contents
	       | (f->roots[i].escaped && !number ? LIVE_ANY : 0);
      else if (number)
	continue;
      else if (pointer && f->roots[i].kind == LIVE_PARAM)
	out |= field_points_to (f, ref, i);
      else if (pointer && f->roots[i].kind == LIVE_GLOBAL && DECL_P (ref))
	out |= live_bit_of (live_root_get (f, LIVE_LOADED, ref, 0, 0));
      else
	out |= LIVE_ANY;
    }
  return out;
}

live_set
live_points_to (live_function *f, tree value)
{
  if (!value)
    return 0;
  switch (TREE_CODE (value))
    {
    case SSA_NAME:
      return name_points_to (f, value);
    case ADDR_EXPR:
      return live_memory (f, TREE_OPERAND (value, 0));
    case CONSTRUCTOR:
      {
	unsigned i;
	tree element;
	live_set out = 0;
	FOR_EACH_CONSTRUCTOR_VALUE (CONSTRUCTOR_ELTS (value), i, element)
	  out |= live_points_to (f, element);
	return out;
      }
    default:
      if (!DECL_P (value) && !REFERENCE_CLASS_P (value))
	return 0;
      /* A part of a name is no memory.  */
      tree base = get_base_address (value);
      return base && TREE_CODE (base) == SSA_NAME ? name_points_to (f, base)
						  : load_points_to (f, value);
    }
}

live_set
live_contents (const live_function *f, live_set set)
{
  live_set out = 0;
  for (unsigned i = 1; i < f->roots.length (); i++)
    if (set >> i & 1)
      out |= f->roots[i].contents;
  return out;
}

static live_set
stored_at (live_function *f, unsigned i, HOST_WIDE_INT offset)
{
  const live_root root = f->roots[i];
  live_set out = 0;
  if (root.kind != LIVE_LOCAL || root.escaped)
    return root.contents | LIVE_ANY;
  for (unsigned s = 0; s < f->stores.length (); s++)
    {
      gimple *stmt = f->stores[s];
      tree lhs = gimple_get_lhs (stmt);
      if (get_base_address (lhs) != root.t)
	continue;
      poly_int64 at, size, most;
      bool reverse;
      get_ref_base_and_extent (lhs, &at, &size, &most, &reverse);
      if (known_eq (size, most) && known_size_p (size)
	  && (known_ge (at, (offset + 1) * BITS_PER_UNIT)
	      || known_le (at + size, offset * BITS_PER_UNIT)))
	continue;
      if (!gimple_assign_single_p (stmt) || !known_eq (size, most)
	  || !known_eq (at, offset * BITS_PER_UNIT))
	return root.contents | LIVE_ANY;
      out |= live_points_to (f, gimple_assign_rhs1 (stmt));
    }
  return out;
}

live_set
live_stored_at (live_function *f, unsigned i, HOST_WIDE_INT offset)
{
  for (unsigned j = 0; j < f->stored.length (); j++)
    if (f->stored[j].root == i && f->stored[j].offset == offset)
      return f->stored[j].set;
  live_set set = stored_at (f, i, offset);
  if (f->scanned)
    f->stored.safe_push ({ i, offset, set });
  return set;
}

live_set
live_block_field (live_function *f, const gcall *call, unsigned block,
		  HOST_WIDE_INT offset)
{
  live_set set = live_points_to (f, gimple_call_arg (call, block));
  if (pow2p_hwi (set) && set != LIVE_ANY)
    return live_stored_at (f, exact_log2 (set), offset);
  return live_contents (f, set) | LIVE_ANY;
}
