/* Does a region overwrite all of what a clause maps?
   SPDX-License-Identifier: GPL-3.0-or-later

   Clear cases only: a variable assigned as a whole before anything else can
   happen to it; a section [0:n) or an array stored to, element by element and
   unconditionally, by the loop of the construct that runs from 0 to n.  What
   stands in sequence is followed; the first branch ends the search.

   Holds no state.  */

#include "warn/warn.h"

/* A search along the statements that are executed whatever happens.  */
struct cover
{
  tree clause;
  tree base;			/* The pointer or array of a section.  */
  hash_set<tree> *assigned;
  bool aliased;			/* A pointer may lead to the variable.  */
  gomp_for *loop;		/* The innermost that was entered.  */
  bool within;			/* The loops around it are combined with it.  */
  hash_set<tree> fields;	/* Of the variable, assigned so far.  */
  /* Temporaries, by what was assigned to them last.  */
  hash_map<tree, gassign *> values;

  cover (tree clause_, tree base_, hash_set<tree> *assigned_, bool aliased_)
    : clause (clause_), base (base_), assigned (assigned_),
      aliased (aliased_), loop (NULL), within (false)
  {
  }
};

enum verdict { GOES_ON, COVERED, FAILED };

/* walk_tree's callback: is DATA mentioned?  */
static tree
mention_find (tree *tp, int *, void *data)
{
  return *tp == data ? *tp : NULL_TREE;
}

static bool
statement_mentions (gimple *stmt, tree decl, unsigned first)
{
  for (unsigned i = first; i < gimple_num_ops (stmt); i++)
    if (walk_tree_without_duplicates (gimple_op_ptr (stmt, i), mention_find,
				      decl))
      return true;
  return false;
}

/* walk_tree's callback.  */
static tree
dereference_find (tree *tp, int *, void *)
{
  return TREE_CODE (*tp) == MEM_REF || TREE_CODE (*tp) == INDIRECT_REF
	 ? *tp : NULL_TREE;
}

/* Does STMT read through a pointer?  */
static bool
statement_dereferences (gassign *stmt)
{
  for (unsigned i = 1; i < gimple_num_ops (stmt); i++)
    if (walk_tree_without_duplicates (gimple_op_ptr (stmt, i),
				      dereference_find, NULL))
      return true;
  return false;
}

/* --- values -------------------------------------------------------------- */

/* The assignment that EXPR, a temporary, has its value from, or NULL.  */
static gassign *
value_definition (const cover *c, tree expr)
{
  if (TREE_CODE (expr) == SSA_NAME)
    {
      gimple *def = SSA_NAME_DEF_STMT (expr);
      return def ? dyn_cast <gassign *> (def) : NULL;
    }
  gassign **known
    = DECL_P (expr)
      ? const_cast <cover *> (c)->values.get (expr) : NULL;
  return known ? *known : NULL;
}

/* EXPR without conversions that keep its value (as long as it is not
   negative), followed through temporaries.  A product or sum comes out as its
   assignment in *OPERATION.  */
static tree
value_strip (const cover *c, tree expr, gassign **operation)
{
  *operation = NULL;
  for (int depth = 0; depth < 16; depth++)
    {
      gassign *def = value_definition (c, expr);
      if (!def)
	return expr;
      tree from = gimple_assign_rhs1 (def);
      if (CONVERT_EXPR_CODE_P (gimple_assign_rhs_code (def)))
	{
	  if (!INTEGRAL_TYPE_P (TREE_TYPE (from))
	      || TYPE_PRECISION (TREE_TYPE (from))
		 > TYPE_PRECISION (TREE_TYPE (expr)))
	    return expr;
	}
      else if (!gimple_assign_single_p (def))
	{
	  *operation = def;
	  return expr;
	}
      else if (!DECL_P (from) && TREE_CODE (from) != SSA_NAME)
	return expr;
      expr = from;
    }
  return expr;
}

/* Is DECL's value the same wherever the region and the clause name it?  */
static bool
variable_is_steady (const cover *c, tree decl)
{
  return SSA_VAR_P (decl) && DECL_P (decl) && !is_global_var (decl)
	 && !TREE_ADDRESSABLE (decl) && !TREE_THIS_VOLATILE (decl)
	 && !c->assigned->contains (decl);
}

static bool
value_same (const cover *c, tree a, tree b, int depth)
{
  gassign *op_a, *op_b;
  a = value_strip (c, a, &op_a);
  b = value_strip (c, b, &op_b);
  if (op_a && op_b && depth)
    {
      tree_code code = gimple_assign_rhs_code (op_a);
      return code == gimple_assign_rhs_code (op_b)
	     && (code == MULT_EXPR || code == PLUS_EXPR || code == MINUS_EXPR)
	     && value_same (c, gimple_assign_rhs1 (op_a),
			    gimple_assign_rhs1 (op_b), depth - 1)
	     && value_same (c, gimple_assign_rhs2 (op_a),
			    gimple_assign_rhs2 (op_b), depth - 1);
    }
  if (TREE_CODE (a) == INTEGER_CST || TREE_CODE (b) == INTEGER_CST)
    return tree_fits_shwi_p (a) && tree_fits_shwi_p (b)
	   && tree_to_shwi (a) == tree_to_shwi (b);
  return a == b && variable_is_steady (c, a);
}

/* Is BYTES as much as COUNT elements of SIZE?  */
static bool
length_is (const cover *c, tree bytes, tree count, unsigned HOST_WIDE_INT size)
{
  if (!bytes || !size)
    return false;
  if (tree_fits_uhwi_p (bytes))
    return tree_fits_uhwi_p (count)
	   && tree_to_uhwi (bytes) / size == tree_to_uhwi (count)
	   && tree_to_uhwi (bytes) % size == 0;
  if (size == 1)
    return value_same (c, bytes, count, 4);
  gassign *product;
  value_strip (c, bytes, &product);
  return product && gimple_assign_rhs_code (product) == MULT_EXPR
	 && tree_fits_uhwi_p (gimple_assign_rhs2 (product))
	 && tree_to_uhwi (gimple_assign_rhs2 (product)) == size
	 && value_same (c, gimple_assign_rhs1 (product), count, 4);
}

/* --- the store ------------------------------------------------------------ */

/* Is EXPR the index of the loop?  */
static bool
is_index (const cover *c, tree expr)
{
  gassign *operation;
  return value_strip (c, expr, &operation)
	 == gimple_omp_for_index (c->loop, 0);
}

/* Is POINTER base + index * SIZE?  */
static bool
pointer_is_element (const cover *c, tree pointer, unsigned HOST_WIDE_INT size)
{
  gassign *sum = value_definition (c, pointer), *product;
  if (!sum || gimple_assign_rhs_code (sum) != POINTER_PLUS_EXPR)
    return false;
  tree base = gimple_assign_rhs1 (sum), offset = gimple_assign_rhs2 (sum);
  gassign *copy = base != c->base ? value_definition (c, base) : NULL;
  if (copy && gimple_assign_single_p (copy))
    base = gimple_assign_rhs1 (copy);
  if (base != c->base)
    return false;
  if (size == 1)
    return is_index (c, offset);
  value_strip (c, offset, &product);
  return product && gimple_assign_rhs_code (product) == MULT_EXPR
	 && tree_fits_uhwi_p (gimple_assign_rhs2 (product))
	 && tree_to_uhwi (gimple_assign_rhs2 (product)) == size
	 && is_index (c, gimple_assign_rhs1 (product));
}

/* Does STMT store to element [index] of the base, whole?  */
static bool
store_is_element (const cover *c, gassign *stmt, unsigned HOST_WIDE_INT *size)
{
  tree lhs = gimple_assign_lhs (stmt), type = TREE_TYPE (lhs);
  if (gimple_clobber_p (stmt) || !COMPLETE_TYPE_P (type)
      || !tree_fits_uhwi_p (TYPE_SIZE_UNIT (type)))
    return false;
  *size = tree_to_uhwi (TYPE_SIZE_UNIT (type));
  if (TREE_CODE (lhs) == MEM_REF)
    return integer_zerop (TREE_OPERAND (lhs, 1))
	   && pointer_is_element (c, TREE_OPERAND (lhs, 0), *size);
  if (TREE_CODE (lhs) == INDIRECT_REF)
    return pointer_is_element (c, TREE_OPERAND (lhs, 0), *size);
  return TREE_CODE (lhs) == ARRAY_REF && !TREE_OPERAND (lhs, 2)
	 && TREE_OPERAND (lhs, 0) == c->base
	 && is_index (c, TREE_OPERAND (lhs, 1));
}

/* Does the loop run from 0 up to what the clause maps of elements of SIZE?  */
static bool
loop_covers (const cover *c, unsigned HOST_WIDE_INT size)
{
  tree index = gimple_omp_for_index (c->loop, 0);
  tree incr = gimple_omp_for_incr (c->loop, 0);
  return INTEGRAL_TYPE_P (TREE_TYPE (index))
	 && integer_zerop (gimple_omp_for_initial (c->loop, 0))
	 && gimple_omp_for_cond (c->loop, 0) == LT_EXPR
	 && incr && TREE_CODE (incr) == PLUS_EXPR
	 && TREE_OPERAND (incr, 0) == index
	 && integer_onep (TREE_OPERAND (incr, 1))
	 && length_is (c, OMP_CLAUSE_SIZE (c->clause),
		       gimple_omp_for_final (c->loop, 0), size);
}

/* --- the search ------------------------------------------------------------ */

static verdict cover_sequence (cover *c, gimple_seq seq);

static verdict
cover_loop (cover *c, gomp_for *loop)
{
  int kind = gimple_omp_for_kind (loop);
  if ((kind != GF_OMP_FOR_KIND_FOR && kind != GF_OMP_FOR_KIND_DISTRIBUTE
       && kind != GF_OMP_FOR_KIND_SIMD)
      || gimple_omp_for_collapse (loop) != 1
      /* A loop around this one may have no iteration.  */
      || (c->loop && !c->within))
    return FAILED;
  cover_sequence (c, gimple_omp_for_pre_body (loop));
  c->loop = loop;
  c->within = gimple_omp_for_combined_p (loop);
  verdict v = cover_sequence (c, gimple_omp_body (loop));
  c->loop = NULL;
  return v == COVERED ? COVERED : FAILED;
}

/* Is REF a field of the structure VARIABLE?  */
static bool
is_field (tree ref, tree variable)
{
  return TREE_CODE (ref) == COMPONENT_REF && TREE_OPERAND (ref, 0) == variable
	 && TREE_CODE (TREE_TYPE (variable)) == RECORD_TYPE;
}

/* Is LHS, assigned to, the last field of VARIABLE that was left?  Never where
   there is padding, which would come back as it is on the device.  */
static bool
field_completes (cover *c, tree lhs, tree variable)
{
  if (!is_field (lhs, variable))
    return false;
  c->fields.add (TREE_OPERAND (lhs, 1));
  unsigned HOST_WIDE_INT bits = 0;
  for (tree f = TYPE_FIELDS (TREE_TYPE (variable)); f; f = DECL_CHAIN (f))
    if (TREE_CODE (f) == FIELD_DECL)
      {
	if (!DECL_SIZE (f) || !tree_fits_uhwi_p (DECL_SIZE (f))
	    || (!integer_zerop (DECL_SIZE (f)) && !c->fields.contains (f)))
	  return false;
	bits += tree_to_uhwi (DECL_SIZE (f));
      }
  tree all = TYPE_SIZE (TREE_TYPE (variable));
  return tree_fits_uhwi_p (all) && tree_to_uhwi (all) == bits;
}

static verdict
cover_assign (cover *c, gassign *stmt)
{
  tree lhs = gimple_assign_lhs (stmt);
  unsigned HOST_WIDE_INT size;
  if (c->base)
    {
      if (c->loop && store_is_element (c, stmt, &size) && loop_covers (c, size))
	return COVERED;
    }
  else if (!gimple_clobber_p (stmt))
    {
      tree variable = OMP_CLAUSE_DECL (c->clause);
      if (statement_mentions (stmt, variable, 1)
	  || (c->aliased && statement_dereferences (stmt)))
	return FAILED;
      if (lhs == variable || field_completes (c, lhs, variable))
	return COVERED;
      if (statement_mentions (stmt, variable, 0)
	  && !is_field (lhs, variable))
	return FAILED;
    }
  if (DECL_P (lhs) && DECL_ARTIFICIAL (lhs))
    c->values.put (lhs, stmt);
  return GOES_ON;
}

/* A call before a variable is assigned, or that assigns it.  */
static verdict
cover_call (cover *c, gcall *stmt)
{
  tree variable = OMP_CLAUSE_DECL (c->clause);
  if (c->aliased && !(gimple_call_flags (stmt) & ECF_CONST))
    return FAILED;
  if (gimple_call_lhs (stmt) != variable)
    return statement_mentions (stmt, variable, 0) ? FAILED : GOES_ON;
  for (unsigned i = 0; i < gimple_call_num_args (stmt); i++)
    if (walk_tree_without_duplicates (gimple_call_arg_ptr (stmt, i),
				      mention_find, variable))
      return FAILED;
  return COVERED;
}

/* A construct that is executed by one team or thread at least.  Several may
   race for a variable, but not for elements.  */
static verdict
cover_construct (cover *c, gimple *stmt)
{
  return c->base ? cover_sequence (c, gimple_omp_body (stmt)) : FAILED;
}

static verdict
cover_statement (cover *c, gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_BIND:
      return cover_sequence (c, gimple_bind_body (as_a <gbind *> (stmt)));
    case GIMPLE_TRY:
      return gimple_try_kind (stmt) == GIMPLE_TRY_FINALLY
	     ? cover_sequence (c, gimple_try_eval (stmt)) : FAILED;
    case GIMPLE_ASSIGN:
      return cover_assign (c, as_a <gassign *> (stmt));
    case GIMPLE_CALL:
      if (c->base)
	return GOES_ON;
      return cover_call (c, as_a <gcall *> (stmt));
    case GIMPLE_NOP:
    case GIMPLE_PREDICT:
    case GIMPLE_DEBUG:
    case GIMPLE_OMP_CONTINUE:
    case GIMPLE_OMP_RETURN:
      return GOES_ON;
    case GIMPLE_OMP_TEAMS:
    case GIMPLE_OMP_PARALLEL:
      return cover_construct (c, stmt);
    case GIMPLE_OMP_FOR:
      return c->base ? cover_loop (c, as_a <gomp_for *> (stmt)) : FAILED;
    default:
      return FAILED;
    }
}

static verdict
cover_sequence (cover *c, gimple_seq seq)
{
  for (gimple_stmt_iterator i = gsi_start (seq); !gsi_end_p (i); gsi_next (&i))
    {
      verdict v = cover_statement (c, gsi_stmt (i));
      if (v != GOES_ON)
	return v;
    }
  return GOES_ON;
}

/* walk_gimple_seq's callback: may a cancellation end the loop early?  */
static tree
cancel_find (gimple_stmt_iterator *gsi, bool *, walk_stmt_info *)
{
  gimple *stmt = gsi_stmt (*gsi);
  return gimple_call_builtin_p (stmt, BUILT_IN_GOMP_CANCEL)
	 || gimple_call_builtin_p (stmt, BUILT_IN_GOMP_CANCELLATION_POINT)
	 ? integer_one_node : NULL_TREE;
}

bool
ummgr_cover_variable (gomp_target *stmt, tree clause, bool aliased)
{
  cover c (clause, NULL_TREE, NULL, aliased);
  return cover_sequence (&c, gimple_omp_body (stmt)) == COVERED;
}

bool
ummgr_cover_section (gomp_target *stmt, tree clause, tree base,
		     hash_set<tree> *assigned)
{
  walk_stmt_info wi = {};
  if (assigned->contains (base)
      || walk_gimple_seq (gimple_omp_body (stmt), cancel_find, NULL, &wi))
    return false;
  cover c (clause, base, assigned, false);
  return cover_sequence (&c, gimple_omp_body (stmt)) == COVERED;
}
