/* What a statement does to what comes after: from behind it to before it.
   SPDX-License-Identifier: GPL-3.0-or-later

   "May" bits are kept unless the statement is sure to end them, "must" bits are
   set only by what is sure to happen.  An access inside of a loop that launches
   nothing counts as going over the memory; one element does not.  Holds no
   state.  */

#include "live/live.h"

live_value
live_join (const live_value &a, const live_value &b)
{
  live_value out;
  out.may = a.may | b.may;
  out.must = a.must & b.must;
  out.next = (a.next + b.next) / 2;
  return out;
}

live_value
live_apply (const live_value &nothing, const live_value &all,
	    const live_value &x)
{
  live_value out;
  out.may = nothing.may | (all.may & x.may);
  out.must = nothing.must | (all.must & x.must);
  out.next = nothing.next + (all.next - nothing.next) * x.next;
  return out;
}

/* One access, or several by one call.  */
struct touch
{
  live_set memory;
  unsigned char bits;		/* LIVE_READS, LIVE_WRITE.  */
  bool sure;			/* That it happens.  */
  bool wide;			/* All over the memory.  */
};

/* The only root that SET can be, or 0.  */
static unsigned
single (live_set set)
{
  return pow2p_hwi (set) ? exact_log2 (set) : 0;
}

static void
touch_apply (const live_function *f, live_value *values, const touch &t)
{
  live_set foreign = live_foreign (f) & ~live_named (f), all = t.memory;
  unsigned one = single (t.memory);
  if (t.memory & foreign)
    all |= foreign;
  for (unsigned i = 0; i < f->roots.length (); i++)
    if (all >> i & 1)
      values[i].may |= t.bits | (t.bits & LIVE_READ ? LIVE_NEEDED : 0);
  if (!one || !t.sure)
    return;
  if (live_root_is_steady (f, one))
    values[one].must |= t.bits | (t.wide ? LIVE_NEXT : 0);
  if (t.wide)
    values[one].next = 1;
}

/* All of root I, a variable, is new.  */
static void
kill (live_value *values, unsigned i)
{
  if (i)
    values[i].may &= ~LIVE_NEEDED;
}

/* Root I goes, and nobody can touch it after.  */
static void
end (const live_function *f, live_value *values, unsigned i)
{
  if (!i || !live_root_is_steady (f, i))
    return;
  values[i].may = values[i].must = 0;
  values[i].next = 0;
}

/* --- plain accesses ------------------------------------------------------ */

/* Does ADDRESS depend on what LOOP computes?  */
static bool
varies (tree value, class loop *l)
{
  if (!value || TREE_CODE (value) != SSA_NAME)
    return false;
  basic_block block = gimple_bb (SSA_NAME_DEF_STMT (value));
  return block && flow_bb_inside_loop_p (l, block);
}

class loop *
live_quiet_loop (basic_block block)
{
  class loop *l = block->loop_father;
  if (!l || !loop_outer (l) || l->aux)
    return NULL;
  while (loop_outer (loop_outer (l)) && !loop_outer (l)->aux)
    l = loop_outer (l);
  return l;
}

bool
live_call_is_wide (gcall *call, const live_function *callee)
{
  class loop *l = live_quiet_loop (gimple_bb (call));
  bool pointers = false, others = false;
  for (unsigned i = 0; l && i < gimple_call_num_args (call); i++)
    {
      tree arg = gimple_call_arg (call, i);
      bool pointer = POINTER_TYPE_P (TREE_TYPE (arg));
      pointers |= pointer && varies (arg, l);
      others |= !pointer && varies (arg, l);
    }
  return others && !pointers && !callee->launches;
}

bool
live_ref_is_wide (gimple *stmt, tree ref)
{
  class loop *l = live_quiet_loop (gimple_bb (stmt));
  if (!l)
    return false;
  for (; handled_component_p (ref); ref = TREE_OPERAND (ref, 0))
    if (TREE_CODE (ref) == ARRAY_REF && varies (TREE_OPERAND (ref, 1), l))
      return true;
  return (TREE_CODE (ref) == MEM_REF || TREE_CODE (ref) == TARGET_MEM_REF)
	 && varies (TREE_OPERAND (ref, 0), l);
}

struct access_walk
{
  const live_function *f;
  live_function *roots;
  live_value *values;
};

static void
ref_touch (access_walk *w, gimple *stmt, tree ref, unsigned char bits)
{
  tree base = get_base_address (ref);
  if (base && TREE_CODE (base) == SSA_NAME)
    return;
  live_set memory = live_memory (w->roots, ref);
  touch t = { memory, bits, true, live_ref_is_wide (stmt, ref) };
  if (memory)
    touch_apply (w->f, w->values, t);
}

/* walk_stmt_load_store_ops' callbacks.  */
static bool
on_load (gimple *stmt, tree, tree ref, void *data)
{
  ref_touch ((access_walk *) data, stmt, ref, LIVE_READS);
  return false;
}

static bool
on_store (gimple *stmt, tree, tree ref, void *data)
{
  access_walk *w = (access_walk *) data;
  /* A store to all of a variable ends what was in it.  It goes before the
     loads of the same statement, which come first.  */
  if (DECL_P (ref) && !TREE_THIS_VOLATILE (ref))
    kill (w->values, single (live_memory (w->roots, ref)));
  ref_touch (w, stmt, ref, LIVE_WRITE);
  return false;
}

/* Other threads, handlers and what is not seen may do anything to what they can
   get at.  */
static void
foreign_touch (const live_function *f, live_value *values)
{
  touch t = { live_foreign (f), LIVE_HOST, false, false };
  touch_apply (f, values, t);
}

/* --- calls --------------------------------------------------------------- */

/* The region may use any of SET, and if that is one root, surely does.  */
static void
launch_touch (const live_function *f, live_value *values, live_set set)
{
  unsigned one = single (set);
  live_set all = set & live_foreign (f) ? set | live_foreign (f) : set;
  unsigned count = MAX (popcount_hwi (set), 1);
  for (unsigned i = 0; i < f->roots.length (); i++)
    if (all >> i & 1)
      {
	values[i].must = 0;
	values[i].may |= LIVE_NEEDED;
	if (set >> i & 1)
	  values[i].next *= 1 - 1.0f / count;
      }
  if (one && live_root_is_steady (f, one))
    values[one].may &= ~LIVE_HOST;
}

/* What a region only writes it may leave as it was in part, so it ends nothing;
   all that it gets counts as read.  */
static void
launch_apply (live_function *f, gcall *call, live_value *values)
{
  for (unsigned i = 0; live_launch_has_argument (call, i); i++)
    launch_touch (f, values, live_launch_argument (f, call, i));
  /* And what is in pointers that it follows.  */
  live_set foreign = live_foreign (f);
  live_set block = live_points_to (f, gimple_call_arg (call, 3));
  for (unsigned i = 0; i < f->roots.length (); i++)
    if ((foreign | block) >> i & 1)
      values[i].may |= LIVE_NEEDED;
}

/* libgomp copies what the block of CALL names.  */
static void
data_apply (live_function *f, gcall *call, live_value *values)
{
  live_set all = 0;
  for (unsigned i = 0; i < gimple_call_num_args (call); i++)
    {
      live_set set = live_points_to (f, gimple_call_arg (call, i));
      all |= set;
      for (unsigned r = 0; r < f->roots.length (); r++)
	if (set >> r & 1)
	  all |= f->roots[r].contents;
    }
  touch t = { all, LIVE_HOST, false, false };
  touch_apply (f, values, t);
}

/* The memory of the call's arguments, and what is in it.  */
static void
args_apply (live_function *f, gcall *call, live_value *values)
{
  for (unsigned i = 0; i < gimple_call_num_args (call); i++)
    {
      live_set set = live_points_to (f, gimple_call_arg (call, i));
      for (unsigned r = 0; r < f->roots.length (); r++)
	if (set >> r & 1)
	  set |= f->roots[r].contents;
      touch t = { set, LIVE_HOST, false, false };
      if (set)
	touch_apply (f, values, t);
    }
}

/* memset and memcpy, and whether they fill all of the memory.  */
static void
copy_apply (live_function *f, gcall *call, live_value *values, bool from)
{
  tree to = gimple_call_arg (call, 0), size = gimple_call_arg (call, 2);
  live_set memory = live_points_to (f, to);
  unsigned one = single (memory);
  bool some = TREE_CODE (size) == INTEGER_CST && !integer_zerop (size);
  if (one && f->roots[one].kind <= LIVE_GLOBAL
      && TREE_CODE (to) == ADDR_EXPR && TREE_OPERAND (to, 0) == f->roots[one].t
      && operand_equal_p (TYPE_SIZE_UNIT (TREE_TYPE (f->roots[one].t)), size, 0))
    kill (values, one);
  touch t = { memory ? memory : LIVE_ANY, LIVE_WRITE, some, true };
  touch_apply (f, values, t);
  if (!from)
    return;
  memory = live_points_to (f, gimple_call_arg (call, 1));
  touch source = { memory, LIVE_READS, some, true };
  if (memory)
    touch_apply (f, values, source);
}

/* The roots of CALLEE that stand for root I of F at CALL; EXACT: each for
   nothing else.  */
static live_set
callee_roots (live_function *f, const gcall *call, const live_function *callee,
	      unsigned first, unsigned i, bool *exact)
{
  live_set out = 0;
  *exact = true;
  for (unsigned r = 1; r < callee->roots.length (); r++)
    {
      const live_root &root = callee->roots[r];
      live_set set = 0;
      unsigned arg = first + root.index;
      if (root.kind == LIVE_GLOBAL)
	set = f->roots[i].kind == LIVE_GLOBAL && f->roots[i].t == root.t
	      ? live_bit_of (i) : 0;
      else if (root.kind == LIVE_PARAM || root.kind == LIVE_FIELD)
	set = arg >= gimple_call_num_args (call) ? LIVE_ANY
	      : root.kind == LIVE_FIELD
		? live_block_field (f, call, arg, root.offset)
		: live_points_to (f, gimple_call_arg (call, arg));
      if (!(set >> i & 1))
	continue;
      out |= live_bit_of (r);
      *exact &= pow2p_hwi (set) && (root.kind != LIVE_FIELD
				    || live_root_is_steady (callee, r));
    }
  return out;
}

/* What comes before the call for a root of the caller that is OLD after it.  */
static live_value
seen_value (const live_function *callee, live_set roots, bool exact,
	    bool foreign, const live_value &old)
{
  live_value out = old;
  bool any = false;
  for (unsigned r = 1; r < callee->roots.length (); r++)
    if (roots >> r & 1)
      {
	live_value v = live_apply (callee->entry.at[0][r],
				   callee->entry.at[1][r], old);
	if (any)
	  {
	    unsigned char may = out.may;
	    out = live_join (out, v);
	    out.may = may | v.may;
	  }
	else
	  out = v;
	any = true;
      }
  if (any && !exact)
    out = live_join (out, old);
  if (foreign)
    out.may |= callee->entry.at[0][0].may;
  return out;
}

static void
seen_apply (live_function *f, gcall *call, live_value *values,
	    const live_value *exit)
{
  unsigned first;
  const live_function *callee = live_callee (call, &first);
  live_set foreign = live_foreign (f);
  bool wide = live_call_is_wide (call, callee);
  for (unsigned i = 0; i < f->roots.length (); i++)
    {
      bool exact = true;
      live_set roots = i ? callee_roots (f, call, callee, first, i, &exact) : 0;
      live_value v = seen_value (callee, roots, exact, foreign >> i & 1,
				 values[i]);
      if (wide && exact && pow2p_hwi (roots)
	  && callee->entry.at[0][exact_log2 (roots)].must & LIVE_HOST)
	v.next = 1;
      if (callee->jumps)
	{
	  v.may |= exit[i].may;
	  v.must &= exit[i].must;
	}
      values[i] = v;
    }
}

/* The program ends; what runs at its exit reads what it can get at.  */
static void
end_apply (const live_function *f, live_value *values)
{
  live_set foreign = live_foreign (f);
  for (unsigned i = 0; i < f->roots.length (); i++)
    {
      values[i].may = foreign >> i & 1 ? LIVE_HOST | LIVE_NEEDED : 0;
      values[i].must = LIVE_HOST | LIVE_NEXT;
      values[i].next = 0;
    }
}

/* What comes after F may come after CALL.  */
static void
leave_apply (const live_function *f, live_value *values,
	     const live_value *exit)
{
  for (unsigned i = 0; i < f->roots.length (); i++)
    {
      values[i].may |= exit[i].may;
      values[i].must &= exit[i].must;
    }
}

static void
call_apply (live_function *f, gcall *call, live_value *values,
	    const live_value *exit)
{
  switch (live_call_kind_of (call))
    {
    case LIVE_CALL_SEEN:
      seen_apply (f, call, values, exit);
      break;
    case LIVE_CALL_LAUNCH:
      launch_apply (f, call, values);
      break;
    case LIVE_CALL_DATA:
      data_apply (f, call, values);
      break;
    case LIVE_CALL_ALLOC:
    case LIVE_CALL_NONE:
      break;
    case LIVE_CALL_FREE:
      end (f, values, single (live_points_to (f, gimple_call_arg (call, 0))));
      break;
    case LIVE_CALL_SET:
      copy_apply (f, call, values, false);
      break;
    case LIVE_CALL_COPY:
      copy_apply (f, call, values, true);
      break;
    case LIVE_CALL_END:
      end_apply (f, values);
      break;
    case LIVE_CALL_ARGS:
      args_apply (f, call, values);
      break;
    case LIVE_CALL_UNSEEN:
      foreign_touch (f, values);
      args_apply (f, call, values);
      leave_apply (f, values, exit);
      break;
    }
}

static void
statement_apply (live_function *f, gimple *stmt, live_value *values,
		 const live_value *exit)
{
  access_walk w = { f, f, values };
  switch (gimple_code (stmt))
    {
    case GIMPLE_DEBUG:
    case GIMPLE_LABEL:
    case GIMPLE_NOP:
    case GIMPLE_PREDICT:
      return;
    case GIMPLE_ASSIGN:
      if (gimple_clobber_p (stmt))
	{
	  tree lhs = gimple_assign_lhs (stmt);
	  if (VAR_P (lhs))
	    end (f, values, single (live_memory (f, lhs)));
	  return;
	}
      break;
    case GIMPLE_CALL:
      walk_stmt_load_store_ops (stmt, &w, NULL, on_store);
      call_apply (f, as_a <gcall *> (stmt), values, exit);
      walk_stmt_load_store_ops (stmt, &w, on_load, NULL);
      return;
    case GIMPLE_COND:
    case GIMPLE_SWITCH:
    case GIMPLE_GOTO:
    case GIMPLE_RETURN:
    case GIMPLE_RESX:
    case GIMPLE_EH_DISPATCH:
      break;
    default:
      /* asm and what else there may be.  */
      foreign_touch (f, values);
    }
  if (gimple_has_volatile_ops (stmt))
    foreign_touch (f, values);
  walk_stmt_load_store_ops (stmt, &w, NULL, on_store);
  walk_stmt_load_store_ops (stmt, &w, on_load, NULL);
  if (stmt_can_throw_external (f->fun, stmt))
    leave_apply (f, values, exit);
}

void
live_statement (live_function *f, gimple *stmt, live_value *values,
		const live_value *exit)
{
  statement_apply (f, stmt, values, exit);
  /* All that reads them here has told before.  */
  for (unsigned i = 1; i < f->roots.length () && f->told; i++)
    if (f->told >> i & 1)
      values[i].may &= ~LIVE_SILENT;
}
