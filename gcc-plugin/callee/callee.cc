/* Which functions a call may reach that names none.
   SPDX-License-Identifier: GPL-3.0-or-later

   Values are followed backwards: through SSA names, into variables that the unit alone
   writes, by what is assigned to them and what they begin with, and into the arguments of
   all calls of a function that nobody else can call.  Whatever else a value may come from
   makes the answer one of perhaps several.  Of virtual functions GCC's own analysis of
   classes has the answer.  Holds no state, changes no code.  */

#include "callee/callee.h"

enum { STEPS_MAX = 1000 };

struct callee_search
{
  tree type = NULL_TREE;	/* Of the function that is called.  */
  vec<tree> *targets = NULL;
  hash_set<tree> seen;		/* SSA names and variables.  */
  unsigned steps = 0;
  bool complete = true;
};

callee_way
callee_way_of (gcall *call)
{
  tree fn = gimple_call_fn (call);
  return fn && virtual_method_call_p (fn) ? CALLEE_VIRTUAL : CALLEE_POINTER;
}

static void
target_add (callee_search *s, tree decl)
{
  cgraph_node *node = cgraph_node::get (decl);
  if (node)
    decl = node->ultimate_alias_target ()->decl;
  /* A function of another type is not called by such a pointer, but for casts.  */
  if (s->type && !types_compatible_p (s->type, TREE_TYPE (decl))
      && prototype_p (s->type) && prototype_p (TREE_TYPE (decl)))
    {
      s->complete = false;
      return;
    }
  for (unsigned i = 0; i < s->targets->length (); i++)
    if ((*s->targets)[i] == decl)
      return;
  s->targets->safe_push (decl);
}

static void value_add (callee_search *s, tree value);

/* The parts of a reference, from the variable on.  */
static void
path_fill (tree ref, vec<tree> *path)
{
  while (handled_component_p (ref))
    {
      path->safe_insert (0, ref);
      ref = TREE_OPERAND (ref, 0);
    }
}

/* May element INDEX of a constructor be what PART of a reference names?  */
static bool
element_may_be (tree index, tree part)
{
  if (TREE_CODE (part) == COMPONENT_REF)
    return index == TREE_OPERAND (part, 1);
  if (TREE_CODE (part) != ARRAY_REF || !index || TREE_CODE (index) != INTEGER_CST
      || TREE_CODE (TREE_OPERAND (part, 1)) != INTEGER_CST)
    return true;
  return tree_int_cst_equal (index, TREE_OPERAND (part, 1));
}

/* What INIT has at PATH, from its part AT on; all of it where PATH ends, or is NULL.  */
static void
initial_add (callee_search *s, tree init, const vec<tree> *path, unsigned at)
{
  if (!init || init == error_mark_node || ++s->steps > STEPS_MAX)
    {
      s->complete &= s->steps <= STEPS_MAX;
      return;
    }
  if (TREE_CODE (init) != CONSTRUCTOR)
    {
      STRIP_NOPS (init);
      if (POINTER_TYPE_P (TREE_TYPE (init)))
	value_add (s, init);
      return;
    }
  unsigned i;
  tree index, value;
  const bool narrow = path && at < path->length ();
  FOR_EACH_CONSTRUCTOR_ELT (CONSTRUCTOR_ELTS (init), i, index, value)
    if (!narrow || element_may_be (index, (*path)[at]))
      initial_add (s, value, narrow ? path : NULL, at + 1);
}

/* What is stored to VAR by STMT.  */
static void
store_add (callee_search *s, gimple *stmt)
{
  if (stmt && gimple_assign_single_p (stmt)
      && POINTER_TYPE_P (TREE_TYPE (gimple_assign_lhs (stmt))))
    value_add (s, gimple_assign_rhs1 (stmt));
  else if (!stmt || !gimple_clobber_p (stmt))
    s->complete = false;
}

/* What the automatic VAR of a function may hold.  */
static void
local_add (callee_search *s, tree var)
{
  function *fun = DECL_CONTEXT (var) && TREE_CODE (DECL_CONTEXT (var)) == FUNCTION_DECL
		  ? DECL_STRUCT_FUNCTION (DECL_CONTEXT (var)) : NULL;
  s->complete &= !TREE_ADDRESSABLE (var);
  if (!fun || !fun->cfg)
    {
      s->complete = false;
      return;
    }
  basic_block block;
  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi); gsi_next (&gsi))
      {
	tree lhs = gimple_get_lhs (gsi_stmt (gsi));
	if (lhs && get_base_address (lhs) == var)
	  store_add (s, gsi_stmt (gsi));
      }
}

/* What the variable VAR may hold at PATH; anywhere, where that is NULL.  */
static void
variable_add (callee_search *s, tree var, const vec<tree> *path)
{
  s->complete &= !TREE_THIS_VOLATILE (var);
  if (!is_global_var (var))
    {
      if (!s->seen.add (var))
	local_add (s, var);
      return;
    }
  varpool_node *node = varpool_node::get (var);
  if (!node)
    {
      s->complete = false;
      return;
    }
  initial_add (s, DECL_INITIAL (var), path, 0);
  if (TREE_READONLY (var) && DECL_INITIAL (var))
    return;
  s->complete &= !TREE_PUBLIC (var) && !DECL_EXTERNAL (var);
  if (s->seen.add (var))
    return;
  ipa_ref *ref;
  for (unsigned i = 0; node->iterate_referring (i, ref); i++)
    if (ref->use == IPA_REF_STORE)
      store_add (s, ref->stmt);
    else if (ref->use != IPA_REF_LOAD)
      s->complete = false;
}

/* What lies at the address ADDRESS.  */
static void
pointed_add (callee_search *s, tree address)
{
  while (TREE_CODE (address) == SSA_NAME && !s->seen.contains (address))
    {
      s->seen.add (address);
      gimple *def = SSA_NAME_DEF_STMT (address);
      if (gphi *phi = dyn_cast <gphi *> (def))
	{
	  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
	    pointed_add (s, gimple_phi_arg_def (phi, i));
	  return;
	}
      if (!gimple_assign_single_p (def) && !gimple_assign_cast_p (def)
	  && !(is_gimple_assign (def) && gimple_assign_rhs_code (def) == POINTER_PLUS_EXPR))
	break;
      address = gimple_assign_rhs1 (def);
    }
  if (TREE_CODE (address) == SSA_NAME && s->seen.contains (address))
    {
      /* Where a loop comes back to itself there is nothing new.  */
      gimple *def = SSA_NAME_DEF_STMT (address);
      s->complete &= gimple_code (def) == GIMPLE_PHI || is_gimple_assign (def);
      return;
    }
  tree base = TREE_CODE (address) == ADDR_EXPR
	      ? get_base_address (TREE_OPERAND (address, 0)) : NULL_TREE;
  if (base && VAR_P (base))
    variable_add (s, base, NULL);
  else
    s->complete = false;
}

static void
load_add (callee_search *s, tree ref)
{
  tree base = get_base_address (ref);
  auto_vec<tree> path;
  if (base && VAR_P (base))
    {
      path_fill (ref, &path);
      variable_add (s, base, &path);
    }
  else if (base && TREE_CODE (base) == MEM_REF)
    pointed_add (s, TREE_OPERAND (base, 0));
  else
    s->complete = false;
}

/* What callers hand over for PARAMETER.  */
static void
parameter_add (callee_search *s, tree parameter)
{
  tree function = DECL_CONTEXT (parameter);
  cgraph_node *node = cgraph_node::get (function);
  unsigned number = 0;
  for (tree p = DECL_ARGUMENTS (function); p && p != parameter; p = DECL_CHAIN (p))
    number++;
  if (!node)
    {
      s->complete = false;
      return;
    }
  s->complete &= !TREE_PUBLIC (function) && !node->address_taken && !node->has_aliases_p ()
		 && !node->externally_visible && !DECL_PRESERVE_P (function);
  for (cgraph_edge *e = node->callers; e; e = e->next_caller)
    if (e->call_stmt && gimple_call_num_args (e->call_stmt) > number)
      value_add (s, gimple_call_arg (e->call_stmt, number));
    else
      s->complete = false;
}

static void
name_add (callee_search *s, tree name)
{
  gimple *def = SSA_NAME_DEF_STMT (name);
  if (s->seen.add (name))
    return;
  if (SSA_NAME_IS_DEFAULT_DEF (name))
    {
      tree var = SSA_NAME_VAR (name);
      if (var && TREE_CODE (var) == PARM_DECL)
	parameter_add (s, var);
      else
	s->complete = false;
    }
  else if (gphi *phi = dyn_cast <gphi *> (def))
    for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
      value_add (s, gimple_phi_arg_def (phi, i));
  else if (is_gimple_assign (def) && gimple_assign_rhs_code (def) == COND_EXPR)
    {
      value_add (s, gimple_assign_rhs2 (def));
      value_add (s, gimple_assign_rhs3 (def));
    }
  else if (gimple_assign_single_p (def) || gimple_assign_cast_p (def))
    value_add (s, gimple_assign_rhs1 (def));
  else
    s->complete = false;
}

/* The functions that VALUE, a pointer, may point to.  */
static void
value_add (callee_search *s, tree value)
{
  if (++s->steps > STEPS_MAX)
    s->complete = false;
  else if (TREE_CODE (value) == SSA_NAME)
    name_add (s, value);
  else if (TREE_CODE (value) == ADDR_EXPR
	   && TREE_CODE (TREE_OPERAND (value, 0)) == FUNCTION_DECL)
    target_add (s, TREE_OPERAND (value, 0));
  /* What calls a null pointer goes no further.  */
  else if (integer_zerop (value))
    ;
  else if (REFERENCE_CLASS_P (value) || VAR_P (value))
    load_add (s, value);
  else
    s->complete = false;
}

/* The functions that the virtual CALL of FUN may reach.  */
static void
virtual_add (callee_search *s, function *fun, gcall *call)
{
  tree fn = gimple_call_fn (call);
  bool complete = false;
  s->complete = false;
  /* Where the object's pointer comes from GCC looks up in the current function, of which a pass
     over the unit has none.  */
  push_cfun (fun);
  ipa_polymorphic_call_context context (fun->decl, fn, call);
  pop_cfun ();
  vec<cgraph_node *> found
    = possible_polymorphic_call_targets (obj_type_ref_class (fn),
					 tree_to_uhwi (OBJ_TYPE_REF_TOKEN (fn)), context,
					 &complete);
  s->type = NULL_TREE;
  for (unsigned i = 0; i < found.length (); i++)
    {
      tree decl = found[i]->decl;
      const char *name = IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (decl));
      /* What stands for those that are never called.  */
      if (!fndecl_built_in_p (decl) && strcmp (name, "__cxa_pure_virtual") != 0)
	target_add (s, decl);
    }
  s->complete = complete;
}

bool
callee_find (function *fun, gcall *call, vec<tree> *targets)
{
  callee_search s;
  tree fn = gimple_call_fn (call);
  s.targets = targets;
  if (!fn)
    return false;
  if (callee_way_of (call) == CALLEE_VIRTUAL)
    virtual_add (&s, fun, call);
  else
    {
      s.type = gimple_call_fntype (call);
      value_add (&s, fn);
    }
  if (targets->length () <= CALLEE_MOST && s.steps <= STEPS_MAX)
    return s.complete && !targets->is_empty ();
  targets->truncate (0);
  return false;
}

static char
type_letter (tree type)
{
  return VOID_TYPE_P (type) ? 'v' : POINTER_TYPE_P (type) ? 'p'
	 : INTEGRAL_TYPE_P (type) ? 'i' : SCALAR_FLOAT_TYPE_P (type) ? 'f' : 'r';
}

/* What a function of TYPE takes and returns, malloc'ed.  */
static char *
type_text (tree type)
{
  if (!type || !FUNC_OR_METHOD_TYPE_P (type) || !prototype_p (type))
    return xstrdup ("?");
  auto_vec<char> text;
  text.safe_push (type_letter (TREE_TYPE (type)));
  for (tree arg = TYPE_ARG_TYPES (type); arg && arg != void_list_node; arg = TREE_CHAIN (arg))
    text.safe_push (type_letter (TREE_VALUE (arg)));
  if (stdarg_p (type))
    text.safe_push ('.');
  text.safe_push ('\0');
  return xstrdup (text.address ());
}

char *
callee_signature (tree function)
{
  char *type = type_text (TREE_TYPE (function));
  if (!DECL_VIRTUAL_P (function))
    return type;
  char *text = concat (IDENTIFIER_POINTER (DECL_NAME (function)), ":", type, NULL);
  free (type);
  return text;
}

char *
callee_call_signature (gcall *call, const vec<tree> &targets)
{
  if (callee_way_of (call) == CALLEE_POINTER)
    return type_text (gimple_call_fntype (call));
  return targets.is_empty () ? xstrdup ("?") : callee_signature (targets[0]);
}
