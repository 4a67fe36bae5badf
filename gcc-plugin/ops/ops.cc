/* Counting operations.
   SPDX-License-Identifier: GPL-3.0-or-later

   What addresses take is told by their shape: a value is of a loop's index if it is made
   of it by additions, shifts and products with what doesn't vary; such values that only
   addresses and the loop's own test use cost nothing but one pointer for each array.
   Changes no code, and holds no state.  */

#include "ops/ops.h"

/* How far values are followed.  */
#define DEPTH_MAX 8

/* Library functions: the instructions of newlib's for nvptx, roughly.  */
struct library
{
  const char *name;
  unsigned flops;
};

static const library functions[] = {
  { "sqrt", 1 }, { "fabs", 1 }, { "fmin", 1 }, { "fmax", 1 }, { "fma", 1 },
  { "floor", 1 }, { "ceil", 1 }, { "trunc", 1 }, { "rint", 1 }, { "copysign", 2 },
  { "round", 3 }, { "exp", 40 }, { "exp2", 40 }, { "log", 50 }, { "log2", 50 },
  { "log10", 60 }, { "sin", 50 }, { "cos", 50 }, { "tan", 60 }, { "tanh", 50 },
  { "atan", 40 }, { "atan2", 60 }, { "asin", 40 }, { "acos", 40 }, { "pow", 150 },
  { "cbrt", 30 }, { "hypot", 30 }, { "erf", 60 }, { "fmod", 40 }
};

/* What references at constant distances have in common.  */
struct pointer
{
  tree base;
  tree index;			/* NULL_TREE: the loop's own.  */
};

/* Is there a pointer in LIST as P?  Else it is added.  */
static bool
is_known (vec<pointer> *list, const pointer &p)
{
  for (unsigned i = 0; i < list->length (); i++)
    if ((*list)[i].base == p.base && (*list)[i].index == p.index)
      return true;
  list->safe_push (p);
  return false;
}

/* The pointers of a loop, and whether its index needs an addition of its own.  */
struct loop_pointers
{
  auto_vec<pointer> pointers;
  unsigned count;		/* With those that the source has.  */
  int index_block;		/* Whose index may go; -1: none.  */
};

struct counter
{
  vec<ops_counts> *blocks;
  auto_vec<loop_pointers *> loops;	/* By number; NULL: none yet.  */
  auto_vec<pointer> others;		/* Of the block at hand, that no loop moves on.  */
  bool optimised;
};

static bool
is_float (tree type)
{
  return SCALAR_FLOAT_TYPE_P (type) || COMPLEX_FLOAT_TYPE_P (type)
	 || VECTOR_FLOAT_TYPE_P (type);
}

/* The loop around STMT; NULL: none.  */
static class loop *
loop_of (const gimple *stmt)
{
  class loop *l = current_loops ? gimple_bb (stmt)->loop_father : NULL;
  return l && loop_outer (l) ? l : NULL;
}

static bool
is_inside (const class loop *loop, tree name)
{
  gimple *def = SSA_NAME_DEF_STMT (name);
  return gimple_bb (def) && flow_bb_inside_loop_p (loop, gimple_bb (def));
}

/* A block from where LOOP is entered.  */
static basic_block
entered_from (const class loop *loop)
{
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, loop->header->preds)
    if (!flow_bb_inside_loop_p (loop, e->src))
      return e->src;
  gcc_unreachable ();
}

/* NAME without the conversions and the constants that are added to it, or that it is
   multiplied by.  */
static tree
stripped (tree name)
{
  for (unsigned i = 0; i < DEPTH_MAX && TREE_CODE (name) == SSA_NAME; i++)
    {
      gimple *def = SSA_NAME_DEF_STMT (name);
      if (!is_gimple_assign (def))
	break;
      tree_code code = gimple_assign_rhs_code (def);
      bool by_constant
	= (code == PLUS_EXPR || code == MINUS_EXPR || code == MULT_EXPR
	   || code == LSHIFT_EXPR || code == POINTER_PLUS_EXPR)
	  && TREE_CODE (gimple_assign_rhs2 (def)) == INTEGER_CST;
      if (!by_constant && !gimple_assign_cast_p (def) && code != SSA_NAME)
	break;
      name = gimple_assign_rhs1 (def);
    }
  return name;
}

/* Does PHI, of LOOP's header, grow by what doesn't vary?  */
static bool
is_index (class loop *loop, gphi *phi)
{
  if (gimple_bb (phi) != loop->header || !loop->latch)
    return false;
  tree next = PHI_ARG_DEF_FROM_EDGE (phi, loop_latch_edge (loop));
  for (unsigned i = 0; i < DEPTH_MAX && TREE_CODE (next) == SSA_NAME; i++)
    {
      if (next == gimple_phi_result (phi))
	return i > 0;
      gimple *def = SSA_NAME_DEF_STMT (next);
      if (!is_gimple_assign (def))
	return false;
      tree_code code = gimple_assign_rhs_code (def);
      if (code == PLUS_EXPR || code == MINUS_EXPR || code == POINTER_PLUS_EXPR)
	{
	  tree step = gimple_assign_rhs2 (def);
	  if (TREE_CODE (step) == SSA_NAME && is_inside (loop, step))
	    return false;
	}
      else if (!gimple_assign_cast_p (def) && code != SSA_NAME)
	return false;
      next = gimple_assign_rhs1 (def);
    }
  return false;
}

/* May what REF has change while LOOP runs?  */
static bool
is_changed (class loop *loop, tree ref)
{
  basic_block *body = get_loop_body (loop);
  bool changed = false;
  for (unsigned i = 0; i < loop->num_nodes && !changed; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !changed && !gsi_end_p (gsi);
	 gsi_next (&gsi))
      changed = gimple_vdef (gsi_stmt (gsi)) && stmt_may_clobber_ref_p (gsi_stmt (gsi), ref);
  free (body);
  return changed;
}

/* Does STMT load the same each time in LOOP, so that it is moved out of it?  */
static bool
is_moved (class loop *loop, gimple *stmt, unsigned depth = 0)
{
  tree name;
  ssa_op_iter iter;
  if (!gimple_assign_load_p (stmt) || gimple_has_volatile_ops (stmt) || depth > 3)
    return false;
  FOR_EACH_SSA_TREE_OPERAND (name, stmt, iter, SSA_OP_USE)
    if (is_inside (loop, name) && !is_moved (loop, SSA_NAME_DEF_STMT (name), depth + 1))
      return false;
  return !is_changed (loop, gimple_assign_rhs1 (stmt));
}

/* Is VALUE a sum of LOOP's index and of what doesn't vary in LOOP?  */
static bool
is_affine (class loop *loop, tree value, unsigned depth = 0)
{
  if (TREE_CODE (value) != SSA_NAME || !is_inside (loop, value))
    return true;
  gimple *def = SSA_NAME_DEF_STMT (value);
  if (gphi *phi = dyn_cast <gphi *> (def))
    return is_index (loop, phi);
  if (!is_gimple_assign (def) || depth > DEPTH_MAX)
    return false;
  if (gimple_assign_load_p (def))
    return is_moved (loop, def);
  switch (gimple_assign_rhs_code (def))
    {
    case MULT_EXPR:
    case LSHIFT_EXPR:
      if (TREE_CODE (gimple_assign_rhs2 (def)) == SSA_NAME
	  && is_inside (loop, gimple_assign_rhs2 (def))
	  && TREE_CODE (gimple_assign_rhs1 (def)) == SSA_NAME
	  && is_inside (loop, gimple_assign_rhs1 (def)))
	return false;
      /* FALLTHRU */
    case PLUS_EXPR:
    case MINUS_EXPR:
    case POINTER_PLUS_EXPR:
      return is_affine (loop, gimple_assign_rhs1 (def), depth + 1)
	     && is_affine (loop, gimple_assign_rhs2 (def), depth + 1);
    CASE_CONVERT:
    case NEGATE_EXPR:
    case SSA_NAME:
      return is_affine (loop, gimple_assign_rhs1 (def), depth + 1);
    default:
      return false;
    }
}

/* Does nothing use VALUE but addresses, itself, and, with TESTS, conditions?  */
static bool
only_addresses (tree value, bool tests, hash_set<tree> *seen)
{
  imm_use_iterator iter;
  use_operand_p use;
  if (seen->add (value))
    return true;
  if (seen->elements () > 64)
    return false;
  FOR_EACH_IMM_USE_FAST (use, iter, value)
    {
      gimple *stmt = USE_STMT (use);
      if (is_gimple_debug (stmt)
	  || (tests && gimple_code (stmt) == GIMPLE_COND))
	continue;
      if (gphi *phi = dyn_cast <gphi *> (stmt))
	{
	  if (!only_addresses (gimple_phi_result (phi), tests, seen))
	    return false;
	  continue;
	}
      if (!is_gimple_assign (stmt))
	return false;
      if (gimple_assign_single_p (stmt))
	{
	  /* An index or a pointer; not what is stored.  */
	  if (gimple_assign_rhs1 (stmt) == value)
	    return false;
	  continue;
	}
      switch (gimple_assign_rhs_code (stmt))
	{
	CASE_CONVERT:
	case PLUS_EXPR:
	case MINUS_EXPR:
	case MULT_EXPR:
	case LSHIFT_EXPR:
	case NEGATE_EXPR:
	case POINTER_PLUS_EXPR:
	  if (!only_addresses (gimple_assign_lhs (stmt), tests, seen))
	    return false;
	  break;
	default:
	  return false;
	}
    }
  return true;
}

static bool
is_address_part (tree value, bool tests = false)
{
  hash_set<tree> seen;
  return only_addresses (value, tests, &seen);
}

static loop_pointers *
pointers_of (counter *c, class loop *loop)
{
  while (c->loops.length () <= (unsigned) loop->num)
    c->loops.safe_push (NULL);
  loop_pointers *&p = c->loops[loop->num];
  if (!p)
    {
      p = new loop_pointers ();
      p->index_block = -1;
    }
  return p;
}

/* In LOOP's BLOCK, BASE is accessed at INDEX: one pointer does for all that are a
   constant apart.  */
static void
pointer_note (counter *c, class loop *loop, ops_counts *block, tree base, tree index)
{
  loop_pointers *p = pointers_of (c, loop);
  pointer added = { base, stripped (index) };
  if (TREE_CODE (added.index) != SSA_NAME || !is_inside (loop, added.index)
      || gimple_code (SSA_NAME_DEF_STMT (added.index)) == GIMPLE_PHI)
    added.index = NULL_TREE;
  if (is_known (&p->pointers, added))
    return;
  p->count++;
  block->integers++;
  (*c->blocks)[entered_from (loop)->index].integers += 2;
}

/* BLOCK accesses BASE at INDEX, which is computed there: a shift and an addition, and a
   conversion where the index is narrower and not loaded, as a load converts by itself.  */
static void
other_note (counter *c, ops_counts *block, tree base, tree index)
{
  pointer added = { base, stripped (index) };
  if (c->optimised && is_known (&c->others, added))
    return;
  bool converts = TREE_CODE (added.index) == SSA_NAME
		  && TYPE_PRECISION (TREE_TYPE (added.index)) < POINTER_SIZE
		  && !gimple_assign_load_p (SSA_NAME_DEF_STMT (added.index));
  block->integers += 2 + converts;
}

/* What an address of its own takes within REF, besides the pointer it is based on.  */
static void
reference_count (counter *c, gimple *stmt, tree ref, ops_counts *block)
{
  class loop *loop = loop_of (stmt);
  tree base = get_base_address (ref);
  if (!base)
    return;
  for (; handled_component_p (ref); ref = TREE_OPERAND (ref, 0))
    {
      tree index = TREE_CODE (ref) == ARRAY_REF ? TREE_OPERAND (ref, 1) : NULL_TREE;
      if (!index || TREE_CODE (index) != SSA_NAME)
	continue;
      tree of = TREE_CODE (base) == MEM_REF ? TREE_OPERAND (base, 0) : base;
      if (!c->optimised || !loop || !is_affine (loop, index))
	other_note (c, block, of, index);
      else if (is_inside (loop, index))
	pointer_note (c, loop, block, of, index);
    }
}

/* Is REF memory that the GPU accesses as such, and not a register of its own?  */
static bool
is_memory (tree ref)
{
  if (TREE_CODE (ref) == SSA_NAME || is_gimple_min_invariant (ref)
      || (!DECL_P (ref) && !REFERENCE_CLASS_P (ref)))
    return false;
  tree base = get_base_address (ref);
  if (!base || TREE_CODE (base) == SSA_NAME)
    return false;
  return TREE_CODE (base) == MEM_REF || TREE_CODE (base) == TARGET_MEM_REF
	 || (DECL_P (base) && is_global_var (base));
}

/* Is REF an element of a thread's own array, which no register is?  */
static bool
is_private_element (tree ref)
{
  bool varies = false;
  for (; handled_component_p (ref); ref = TREE_OPERAND (ref, 0))
    varies |= TREE_CODE (ref) == ARRAY_REF && TREE_CODE (TREE_OPERAND (ref, 1)) == SSA_NAME;
  return varies && DECL_P (ref) && !is_global_var (ref);
}

/* Instructions of an access of TYPE.  */
static unsigned
parts_of (tree type)
{
  HOST_WIDE_INT size = int_size_in_bytes (type);
  return size > 8 && size < 1024 ? (size + 7) / 8 : 1;
}

static void
access_count (counter *c, gassign *stmt, ops_counts *block)
{
  tree lhs = gimple_assign_lhs (stmt), rhs = gimple_assign_rhs1 (stmt);
  class loop *loop = c->optimised ? loop_of (stmt) : NULL;
  if (is_memory (rhs) && !(loop && is_moved (loop, stmt)))
    {
      block->loads += parts_of (TREE_TYPE (rhs));
      reference_count (c, stmt, rhs, block);
    }
  if (is_memory (lhs))
    {
      block->stores += parts_of (TREE_TYPE (lhs));
      reference_count (c, stmt, lhs, block);
    }
  for (tree ref : { rhs, lhs })
    if (is_private_element (ref))
      {
	block->integers += parts_of (TREE_TYPE (ref));
	reference_count (c, stmt, ref, block);
      }
}

/* The sum that alone takes VALUE, if that is a product; else NULL.  */
static gimple *
sum_of (tree value)
{
  use_operand_p use;
  gimple *stmt;
  if (TREE_CODE (value) != SSA_NAME || !is_gimple_assign (SSA_NAME_DEF_STMT (value))
      || gimple_assign_rhs_code (SSA_NAME_DEF_STMT (value)) != MULT_EXPR
      || !single_imm_use (value, &use, &stmt) || !is_gimple_assign (stmt))
    return NULL;
  tree_code code = gimple_assign_rhs_code (stmt);
  return code == PLUS_EXPR || code == MINUS_EXPR ? stmt : NULL;
}

/* Is the product part of a sum?  Of two products, one is.  */
static bool
is_contracted (tree product)
{
  gimple *sum = flag_fp_contract_mode == FP_CONTRACT_FAST ? sum_of (product) : NULL;
  return sum && (gimple_assign_rhs2 (sum) == product || !sum_of (gimple_assign_rhs2 (sum)));
}

static unsigned
float_operations (const counter *c, gassign *stmt)
{
  tree lhs = gimple_assign_lhs (stmt);
  bool complex = COMPLEX_FLOAT_TYPE_P (TREE_TYPE (lhs));
  switch (gimple_assign_rhs_code (stmt))
    {
    case MULT_EXPR:
      return complex ? 4 : c->optimised && is_contracted (lhs) ? 0 : 1;
    case RDIV_EXPR:
      return complex ? 12 : 1;
    case SSA_NAME:
    case VIEW_CONVERT_EXPR:
    case REALPART_EXPR:
    case IMAGPART_EXPR:
    case COMPLEX_EXPR:
    case PAREN_EXPR:
      return 0;
    case NOP_EXPR:
      return TYPE_MODE (TREE_TYPE (lhs))
	     != TYPE_MODE (TREE_TYPE (gimple_assign_rhs1 (stmt)));
    case COND_EXPR:
      return 2;
    default:
      return complex ? 2 : 1;
    }
}

/* Does no operand of STMT vary in LOOP?  */
static bool
is_invariant (class loop *loop, gimple *stmt)
{
  tree name;
  ssa_op_iter iter;
  FOR_EACH_SSA_TREE_OPERAND (name, stmt, iter, SSA_OP_USE)
    if (is_inside (loop, name))
      return false;
  return true;
}

/* The block where STMT is left: before the loops in which it doesn't vary.  */
static ops_counts *
where_done (counter *c, gimple *stmt)
{
  basic_block bb = gimple_bb (stmt);
  class loop *loop = c->optimised ? loop_of (stmt) : NULL;
  for (; loop && loop_outer (loop) && is_invariant (loop, stmt); loop = loop_outer (loop))
    bb = entered_from (loop);
  return &(*c->blocks)[bb->index];
}

/* Does STMT, NAME = index + step, move LOOP's index on?  */
static bool
moves_index (class loop *loop, gassign *stmt)
{
  tree lhs = gimple_assign_lhs (stmt);
  imm_use_iterator iter;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST (use, iter, lhs)
    if (gphi *phi = dyn_cast <gphi *> (USE_STMT (use)))
      if (is_index (loop, phi))
	return true;
  return false;
}

/* STMT moves LOOP's index on: by an addition, unless the pointers do for it.  */
static void
index_count (counter *c, class loop *loop, gassign *stmt, ops_counts *block)
{
  tree lhs = gimple_assign_lhs (stmt);
  loop_pointers *p = pointers_of (c, loop);
  if (POINTER_TYPE_P (TREE_TYPE (lhs)))
    p->count++;
  else if (p->index_block < 0 && is_address_part (lhs, true))
    {
      p->index_block = gimple_bb (stmt)->index;
      return;
    }
  block->integers++;
}

static void
conversion_count (gassign *stmt, ops_counts *block)
{
  tree from = TREE_TYPE (gimple_assign_rhs1 (stmt));
  tree to = TREE_TYPE (gimple_assign_lhs (stmt));
  if (INTEGRAL_TYPE_P (from) && INTEGRAL_TYPE_P (to)
      && TYPE_PRECISION (to) != TYPE_PRECISION (from)
      && (TYPE_PRECISION (to) > TYPE_PRECISION (from) || TYPE_PRECISION (to) < 32))
    block->integers++;
}

static void
integer_count (counter *c, gassign *stmt, ops_counts *block)
{
  tree lhs = gimple_assign_lhs (stmt);
  tree_code code = gimple_assign_rhs_code (stmt);
  class loop *loop = c->optimised ? loop_of (stmt) : NULL;
  if (loop && is_invariant (loop, stmt))
    return;
  if (loop && (code == PLUS_EXPR || code == MINUS_EXPR || code == POINTER_PLUS_EXPR)
      && moves_index (loop, stmt))
    {
      index_count (c, loop, stmt, block);
      return;
    }
  if (loop && is_affine (loop, lhs) && is_address_part (lhs))
    {
      if (code == POINTER_PLUS_EXPR
	  && TREE_CODE (gimple_assign_rhs2 (stmt)) == SSA_NAME)
	pointer_note (c, loop, block, gimple_assign_rhs1 (stmt),
		      gimple_assign_rhs2 (stmt));
      return;
    }
  bool constant = gimple_num_ops (stmt) > 2
		  && TREE_CODE (gimple_assign_rhs2 (stmt)) == INTEGER_CST;
  if (code == POINTER_PLUS_EXPR)
    {
      if (!constant)
	other_note (c, block, gimple_assign_rhs1 (stmt), gimple_assign_rhs2 (stmt));
      return;
    }
  /* Part of what its pointer takes.  */
  if (c->optimised && is_address_part (lhs)
      && (gimple_assign_cast_p (stmt)
	  || (constant && (code == PLUS_EXPR || code == MINUS_EXPR || code == MULT_EXPR
			   || code == LSHIFT_EXPR))))
    return;
  switch (code)
    {
    CASE_CONVERT:
      conversion_count (stmt, block);
      return;
    case VIEW_CONVERT_EXPR:
    case PAREN_EXPR:
      return;
    case COND_EXPR:
      block->integers += 2;
      return;
    case TRUNC_DIV_EXPR:
    case TRUNC_MOD_EXPR:
    case EXACT_DIV_EXPR:
      block->integers += constant ? 3 : 1;
      return;
    default:
      /* A comparison's may be a branch's.  */
      block->integers++;
      return;
    }
}

/* NAME less the suffix of its type.  */
static bool
is_function (const char *name, const char *function)
{
  size_t n = strlen (function);
  return strncmp (name, function, n) == 0
	 && (!name[n] || ((name[n] == 'f' || name[n] == 'l') && !name[n + 1]));
}

static void
call_count (gcall *call, ops_counts *block)
{
  const char *name = ummgr_call_name (call);
  if (gimple_call_internal_p (call))
    {
      block->integers += gimple_vuse (call) != NULL_TREE;
      return;
    }
  for (const library &f : functions)
    if (is_function (name, f.name))
      {
	block->flops += f.flops;
	return;
      }
  if (startswith (name, "__atomic_") || startswith (name, "__sync_"))
    {
      block->loads++;
      block->stores++;
    }
  else if (!startswith (name, "unreachable") && !startswith (name, "expect")
	   && !startswith (name, "assume"))
    block->integers += 2 + gimple_call_num_args (call);
}

static void
assign_count (counter *c, gassign *stmt, ops_counts *block)
{
  if (gimple_clobber_p (stmt))
    return;
  if (gimple_assign_single_p (stmt))
    {
      access_count (c, stmt, block);
      return;
    }
  tree lhs = gimple_assign_lhs (stmt);
  if (TREE_CODE (lhs) != SSA_NAME)
    return;
  if (is_float (TREE_TYPE (lhs)))
    where_done (c, stmt)->flops += float_operations (c, stmt);
  else if (is_float (TREE_TYPE (gimple_assign_rhs1 (stmt)))
	   && gimple_assign_cast_p (stmt))
    block->flops++;
  else
    integer_count (c, stmt, block);
}

static void
block_count (counter *c, basic_block bb)
{
  ops_counts *block = &(*c->blocks)[bb->index];
  c->others.truncate (0);
  for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
    {
      gimple *stmt = gsi_stmt (gsi);
      switch (gimple_code (stmt))
	{
	case GIMPLE_ASSIGN:
	  assign_count (c, as_a <gassign *> (stmt), block);
	  break;
	case GIMPLE_CALL:
	  call_count (as_a <gcall *> (stmt), block);
	  break;
	case GIMPLE_COND:
	  block->integers += 2;
	  break;
	case GIMPLE_SWITCH:
	  block->integers += 4;
	  break;
	default:
	  break;
	}
    }
}

void
ops_count (vec<ops_counts> *blocks)
{
  counter c;
  c.blocks = blocks;
  c.optimised = opt_for_fn (cfun->decl, optimize);
  blocks->safe_grow_cleared (last_basic_block_for_fn (cfun));
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    block_count (&c, bb);
  for (unsigned i = 0; i < c.loops.length (); i++)
    if (loop_pointers *p = c.loops[i])
      {
	/* Nothing else counts the loop's turns.  */
	if (p->index_block >= 0 && !p->count)
	  (*blocks)[p->index_block].integers++;
	delete p;
      }
}
