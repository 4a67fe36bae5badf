/* The values of SSA names and addresses, as polynomials.
   SPDX-License-Identifier: GPL-3.0-or-later

   Follows definitions, the fields of argument blocks and locals that are
   stored to once, into the callers' frames where a parameter or a field leads
   there.  A PHI becomes an atom; use/loop.cc says what it stands for.  Owns
   nothing.  */

#include "use/use.h"

const char *const use_thread_calls[]
  = { "omp_get_thread_num", "omp_get_team_num", NULL };
const char *const use_count_calls[]
  = { "omp_get_num_threads", "omp_get_num_teams", NULL };

bool
use_is_call (gimple *stmt, const char *const *names)
{
  const char *name = ummgr_call_name (stmt);
  /* GCC's own calls; what the program asks for itself is any number.  */
  if (*name && !startswith (IDENTIFIER_POINTER
			      (DECL_NAME (gimple_call_fndecl (stmt))),
			    "__builtin_"))
    return false;
  for (; *name && *names; names++)
    if (strcmp (name, *names) == 0)
      return true;
  return false;
}

bool
use_is_named (tree name, const char *prefix)
{
  tree var = SSA_NAME_VAR (name), id = SSA_NAME_IDENTIFIER (name);
  return (!var || DECL_ARTIFICIAL (var)) && id && startswith (IDENTIFIER_POINTER (id), prefix);
}

bool
use_is_next (gimple *call)
{
  const char *name = ummgr_call_name (call);
  return (startswith (name, "GOMP_loop_") && strstr (name, "_next"))
	 || strcmp (name, "GOMP_sections_next") == 0;
}

bool
use_is_header_phi (gimple *phi)
{
  basic_block block = gimple_bb (phi);
  return block->loop_father && block->loop_father->header == block
	 && loop_outer (block->loop_father);
}

static use_poly
opaque (use_why why, tree t)
{
  return use_simple (USE_OPAQUE, why, t);
}

/* A constant as signed: unsigned arithmetic subtracts by large constants.  */
static use_poly
eval_constant (tree t)
{
  if (TREE_CODE (t) != INTEGER_CST || TYPE_PRECISION (TREE_TYPE (t)) > 64)
    return opaque (USE_WHY_COMPUTED, NULL_TREE);
  return use_const (wi::to_wide (t).to_shwi ());
}

/* Whether a value of TO is what it is in FROM.  */
static bool
conversion_keeps (tree to, tree from)
{
  if ((!INTEGRAL_TYPE_P (to) && !POINTER_TYPE_P (to))
      || (!INTEGRAL_TYPE_P (from) && !POINTER_TYPE_P (from)))
    return false;
  return TYPE_PRECISION (to) >= MIN (32u, TYPE_PRECISION (from));
}

/* The value of REGION's field at bit position AT.  */
static use_poly
eval_field (use_region *region, HOST_WIDE_INT offset)
{
  unsigned i = 0;
  for (tree f = region->fields; f; f = DECL_CHAIN (f))
    {
      if (TREE_CODE (f) != FIELD_DECL)
	continue;
      if (int_byte_position (f) == offset)
	break;
      i++;
    }
  if (i >= region->region->args.length ())
    return opaque (USE_WHY_MEMORY, NULL_TREE);
  const ummgr_arg *arg = &region->region->args[i];
  if (arg->map_kind == GOMP_MAP_FIRSTPRIVATE_INT
      && arg->arg_class == UMMGR_ARG_SCALAR)
    return use_simple (USE_ARG, i, NULL_TREE);
  return use_simple (USE_BASE, i, NULL_TREE);
}

static use_poly eval_memory (use_region *region, use_frame *frame,
			     const use_poly &address, tree ref, tree type);

/* The one value, of TYPE, that is stored to SIZE bytes at OFFSET of DECL.  */
struct local_search
{
  use_region *region;
  use_frame *frame;
  tree decl, type;
  HOST_WIDE_INT offset, size;
  unsigned found;
  bool bad;
  use_poly value;
  gcall *next;			/* GOMP_loop_*_next, and is it the end that it puts there?  */
  bool next_last;
  bool own;			/* Libgomp puts the address of its own memory there.  */
};

static void
local_add (local_search *s, const use_poly &value)
{
  if (s->found++ && !use_equal (s->value, value))
    s->bad = true;
  s->value = value;
}

/* The bounds of a loop whose iterations wait for others: CALL has the number of its nest's
   counts, and where these are, all that is shared in the first.  */
static bool
doacross_bounds (use_region *region, use_frame *frame, gcall *call, use_dealt *out)
{
  if (gimple_call_num_args (call) < 5 || !strstr (ummgr_call_name (call), "_start"))
    return false;
  tree counts = gimple_call_arg (call, 1);
  if (TREE_CODE (counts) != ADDR_EXPR
      || TREE_CODE (TREE_TYPE (TREE_OPERAND (counts, 0))) != ARRAY_TYPE)
    return false;
  out->start = use_const (0);
  out->step = use_const (1);
  out->end = eval_memory (region, frame, use_eval (region, frame, counts), counts,
			  TREE_TYPE (TREE_TYPE (TREE_OPERAND (counts, 0))));
  return true;
}

/* The bounds that libgomp deals out by CALL, GOMP_loop_*: its own, or, of a loop that is all of
   a parallel region, those of GOMP_parallel_loop_*, after the function, its data and how many
   threads.  False if it has none.  */
bool
use_dealt_bounds (use_region *region, use_frame *frame, gcall *call, use_dealt *out)
{
  const char *name = ummgr_call_name (call);
  unsigned first = 0;
  if (!startswith (name, "GOMP_loop_"))
    return false;
  if (strstr (name, "doacross"))
    return doacross_bounds (region, frame, call, out);
  if (strstr (name, "_next"))
    {
      call = frame->loop_call;
      frame = frame->caller;
      first = 3;
    }
  else if (!strstr (name, "_start"))
    return false;
  /* ULL variants begin with the direction.  */
  else if (strstr (name, "_ull_"))
    first = 1;
  if (!call || gimple_call_num_args (call) < first + 3)
    return false;
  out->start = use_eval (region, frame, gimple_call_arg (call, first));
  out->end = use_eval (region, frame, gimple_call_arg (call, first + 1));
  out->step = use_eval (region, frame, gimple_call_arg (call, first + 2));
  return true;
}

/* The number of CALL's argument, of GOMP_loop_*, where the end of a thread's share is put; the
   start goes where the one before it says.  The forms for all schedules have two more behind it:
   what describes the reductions of tasks, and where the address of memory for them and for
   scans is put.  */
static unsigned
dealt_end (gcall *call)
{
  static const char *const all[]
    = { "GOMP_loop_start", "GOMP_loop_ull_start", "GOMP_loop_ordered_start",
	"GOMP_loop_ull_ordered_start", "GOMP_loop_doacross_start",
	"GOMP_loop_ull_doacross_start", NULL };
  return gimple_call_num_args (call) - (use_is_call (call, all) ? 3 : 1);
}

/* Does CALL put the address of memory of libgomp's own at OFFSET of what its argument I points
   to?  */
static bool
is_own_memory (gcall *call, unsigned i, HOST_WIDE_INT offset)
{
  HOST_WIDE_INT word = GET_MODE_SIZE (ptr_mode);
  unsigned last = strcmp (ummgr_call_name (call), "GOMP_sections2_start") == 0 ? 0
		  : dealt_end (call);
  /* In the third word of what describes reductions (omp_task_reductions in gcc/omp-low.cc).  */
  return (i == last + 1 && offset == 2 * word) || (i == last + 2 && offset == 0);
}

/* Has GOMP_loop_*_start been given the address of DECL, to put the start or
   the end of a thread's share there; or, where no such call is, GOMP_loop_*_next?  With one
   thread that is all.  */
static void
local_search_call (local_search *s, gcall *call)
{
  const char *name = ummgr_call_name (call);
  for (unsigned i = 0; i < gimple_call_num_args (call); i++)
    {
      tree arg = gimple_call_arg (call, i);
      if (TREE_CODE (arg) != ADDR_EXPR || TREE_OPERAND (arg, 0) != s->decl)
	continue;
      use_dealt dealt;
      bool loop = startswith (name, "GOMP_loop_");
      unsigned last = loop ? dealt_end (call) : 0;
      if (loop && use_is_next (call))
	{
	  s->next = call;
	  s->next_last = i == last;
	}
      else if (loop && (i == last || i + 1 == last))
	{
	  if (use_dealt_bounds (s->region, s->frame, call, &dealt))
	    local_add (s, i == last ? dealt.end : dealt.start);
	  else
	    s->bad = true;
	}
      else if ((loop || startswith (name, "GOMP_sections2"))
	       && is_own_memory (call, i, s->offset))
	s->own = true;
      /* A nest's counts are read.  */
      else if (loop && i == 1 && strstr (name, "doacross"))
	continue;
      else if (startswith (name, "GOMP_parallel")
	       || startswith (name, "GOMP_teams"))
	continue;
      else
	s->bad = true;
    }
}

static bool
is_copy (gimple *stmt)
{
  return gimple_assign_single_p (stmt)
	 && !is_gimple_reg_type (TREE_TYPE (gimple_assign_lhs (stmt)))
	 && (REFERENCE_CLASS_P (gimple_assign_rhs1 (stmt))
	     || DECL_P (gimple_assign_rhs1 (stmt)));
}

static void
local_search_assign (local_search *s, gimple *stmt)
{
  bool reverse;
  tree lhs = gimple_get_lhs (stmt);
  if (!lhs || get_base_address (lhs) != s->decl || gimple_clobber_p (stmt))
    return;
  HOST_WIDE_INT at, bits;
  if (!get_ref_base_and_extent_hwi (lhs, &at, &bits, &reverse))
    s->bad = true;
  else if (at == s->offset * BITS_PER_UNIT && bits == s->size * BITS_PER_UNIT
	   && gimple_assign_single_p (stmt))
    local_add (s, use_eval (s->region, s->frame, gimple_assign_rhs1 (stmt)));
  else if (at <= s->offset * BITS_PER_UNIT && POINTER_TYPE_P (s->type)
	   && (s->offset + s->size) * BITS_PER_UNIT <= at + bits && is_copy (stmt))
    /* Of a struct.  */
    local_add (s, eval_memory (s->region, s->frame,
			       use_add (use_eval_address (s->region, s->frame,
							  gimple_assign_rhs1 (stmt)),
					use_const (s->offset - at / BITS_PER_UNIT)),
			       gimple_assign_rhs1 (stmt), s->type));
  else if (at < (s->offset + s->size) * BITS_PER_UNIT
	   && s->offset * BITS_PER_UNIT < at + bits)
    s->bad = true;
}

static use_poly
eval_local (use_region *region, use_frame *frame, tree decl, tree type,
	    HOST_WIDE_INT offset, HOST_WIDE_INT size)
{
  local_search s = {};
  s.region = region;
  s.frame = frame;
  s.decl = decl;
  s.type = type;
  s.offset = offset;
  s.size = size;
  if (frame->busy.add (decl))
    return opaque (USE_WHY_MEMORY, NULL_TREE);
  basic_block block;
  FOR_EACH_BB_FN (block, frame->fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (block);
	 !gsi_end_p (gsi) && !s.bad; gsi_next (&gsi))
      {
	if (gcall *call = dyn_cast <gcall *> (gsi_stmt (gsi)))
	  local_search_call (&s, call);
	if (is_gimple_assign (gsi_stmt (gsi)) || is_gimple_call (gsi_stmt (gsi)))
	  local_search_assign (&s, gsi_stmt (gsi));
      }
  use_dealt dealt;
  if (!s.bad && !s.found && s.next && use_dealt_bounds (region, frame, s.next, &dealt))
    local_add (&s, s.next_last ? dealt.end : dealt.start);
  frame->busy.remove (decl);
  if (s.own)
    return opaque (USE_WHY_OWN, decl);
  return s.bad || !s.found ? opaque (USE_WHY_MEMORY, decl) : s.value;
}

/* ADDRESS as an atom and a constant.  */
static const use_atom *
address_split (const use_poly &address, HOST_WIDE_INT *offset)
{
  *offset = 0;
  const use_atom *atom = NULL;
  for (unsigned i = 0; i < address.n; i++)
    {
      const use_term &t = address.terms[i];
      if (t.n == 0)
	*offset = t.k;
      else if (t.n > 1 || t.k != 1 || atom)
	return NULL;
      else
	atom = &use_atoms[t.atom[0]];
    }
  return atom;
}

enum { MEMBERS_MAX = 64 };

/* What the pointer at OFFSET of ARG points to, into *OUT, if it can be a member.  */
static bool
eval_member (use_region *region, unsigned arg, HOST_WIDE_INT offset, use_poly *out)
{
  unsigned first = region->region->args.length (), i = 0;
  if (arg >= first || offset < 0 || offset > 0x7fffffff)
    return false;
  while (i < region->members.length ()
	 && (region->members[i].arg != arg || region->members[i].offset != offset))
    i++;
  if (i == MEMBERS_MAX)
    return false;
  if (i == region->members.length ())
    region->members.safe_push ({ arg, offset, UMMGR_USE_ANALYSED });
  *out = use_simple (USE_BASE, first + i, NULL_TREE);
  return true;
}

const ummgr_part *
use_part_find (const use_region *region, unsigned arg, HOST_WIDE_INT lo, HOST_WIDE_INT hi)
{
  const vec<ummgr_part> &parts = region->region->parts;
  for (unsigned i = 0; i < parts.length (); i++)
    if (parts[i].whole == arg && parts[i].lo <= lo && lo < hi && hi <= parts[i].hi)
      return &parts[i];
  return NULL;
}

/* ADDRESS, of SIZE bytes, as one from the argument that has them.  */
static use_poly
part_address (use_region *region, const use_poly &address, HOST_WIDE_INT size)
{
  HOST_WIDE_INT offset;
  const use_atom *atom = address_split (address, &offset);
  const ummgr_part *part = atom && atom->kind == USE_BASE
			   ? use_part_find (region, atom->a, offset, offset + size) : NULL;
  return part ? use_add (use_simple (USE_BASE, part->part, NULL_TREE),
			 use_const (offset - part->at)) : address;
}

/* Note that the pointer at OFFSET of ARG was followed.  */
static void
pointer_note (use_region *region, unsigned arg, HOST_WIDE_INT offset)
{
  for (unsigned i = 0; i < region->pointers.length (); i++)
    if (region->pointers[i].arg == arg && region->pointers[i].offset == offset)
      return;
  region->pointers.safe_push ({ arg, offset });
}

/* Where LEAD's pointer lies, from its holder's address.  */
static use_poly
lead_place (const ummgr_lead *lead)
{
  use_poly place = use_const (lead->offset);
  for (unsigned i = 0; i < lead->term_count; i++)
    place = use_add (place, use_simple (USE_ARG, lead->terms[i].arg, NULL_TREE),
		     lead->terms[i].factor);
  return place;
}

/* What the pointer at PLACE of ARG points to, into *OUT, if the launch's arguments
   say it.  */
static bool
eval_lead (use_region *region, unsigned arg, const use_poly &place, use_poly *out)
{
  const ummgr_region *source = region->region;
  HOST_WIDE_INT offset;
  if (use_is_const (place, &offset) && offset == 0 && source->args[arg].points_to)
    {
      pointer_note (region, arg, 0);
      *out = use_simple (USE_BASE, source->args[arg].points_to - 1, NULL_TREE);
      if (source->args[arg].map_kind == GOMP_MAP_POINTER && !source->args[arg].unbiased)
	*out = use_add (*out, use_simple (USE_SIZE, arg, NULL_TREE), -1);
      return true;
    }
  for (unsigned i = 0; i < source->leads.length (); i++)
    {
      const ummgr_lead *lead = &source->leads[i];
      if (lead->holder != arg || !lead->known || !use_equal (lead_place (lead), place))
	continue;
      use_atom base = {};
      base.kind = USE_BASE;
      base.a = lead->to;
      base.size = !lead->always;
      use_poly bias = lead->bias_known ? use_const (lead->bias)
		      : use_simple (USE_SIZE, lead->pointer, NULL_TREE);
      pointer_note (region, arg, lead->term_count ? USE_ANYWHERE : lead->offset);
      *out = use_add (use_atom_new (base), bias, -1);
      return true;
    }
  return false;
}

/* Is what lies at OFFSET of ARG, an integer of SIZE bytes, read at the launch?  Of an
   array of structs, the first one's: what a pointer to a struct is mapped by.  */
static bool
is_loaded (const ummgr_arg *arg, HOST_WIDE_INT offset, HOST_WIDE_INT size)
{
  if (size <= 0 || size > 8 || (size & (size - 1)) || offset < 0)
    return false;
  return arg->arg_class == UMMGR_ARG_SCALAR || arg->arg_class == UMMGR_ARG_RECORD
	 || (arg->arg_class == UMMGR_ARG_SECTION && arg->of_records
	     && offset + size <= (HOST_WIDE_INT) arg->element_size);
}

/* What of TYPE is loaded from ADDRESS, in REF: each load of each call is a value of its
   own.  */
static use_poly
data_at (use_region *region, use_frame *frame, const use_poly &address, tree ref, tree type)
{
  HOST_WIDE_INT size = int_size_in_bytes (type);
  const use_atom *base = use_find (address, USE_SET (USE_BASE) | USE_SET (USE_DATA));
  if (!base)
    return opaque (USE_WHY_MEMORY, NULL_TREE);
  use_atom data = {};
  data.kind = USE_DATA;
  data.a = base->a;
  data.offset = frame->number;
  data.t = ref;
  unsigned arg;
  use_poly place;
  if (use_base_split (address, &arg, &place)
      && arg < region->region->args.length () && INTEGRAL_TYPE_P (type)
      && size > 0 && size <= 8 && (size & (size - 1)) == 0)
    {
      data.a = arg;
      data.x = place;
      data.size = TYPE_UNSIGNED (type) ? size : -size;
    }
  return use_atom_new (data);
}

/* What of TYPE lies at WHERE, in REF.  */
static use_poly
eval_memory (use_region *region, use_frame *frame, const use_poly &where, tree ref, tree type)
{
  HOST_WIDE_INT offset, size = int_size_in_bytes (type);
  use_poly address = part_address (region, where, size);
  const use_atom *atom = address_split (address, &offset);
  if (atom && atom->kind == USE_BLOCK)
    return eval_field (region, offset);
  if (atom && atom->kind == USE_LOCAL && size > 0)
    {
      unsigned number = atom->a;
      return eval_local (region, region->frames[number], atom->t, type, offset, size);
    }
  bool of_arg = atom && atom->kind == USE_BASE
		&& atom->a < region->region->args.length ();
  unsigned arg;
  use_poly to, place;
  if (POINTER_TYPE_P (type) && use_base_split (address, &arg, &place)
      && arg < region->region->args.length () && eval_lead (region, arg, place, &to))
    return to;
  if (of_arg && POINTER_TYPE_P (type) && eval_member (region, atom->a, offset, &to))
    return to;
  if (of_arg && INTEGRAL_TYPE_P (type)
      && is_loaded (&region->region->args[atom->a], offset, size))
    {
      use_atom load = {};
      load.kind = USE_LOAD;
      load.a = atom->a;
      load.offset = offset;
      load.size = TYPE_UNSIGNED (type) ? size : -size;
      return use_atom_new (load);
    }
  return data_at (region, frame, address, ref, type);
}

static use_poly
eval_load (use_region *region, use_frame *frame, tree ref)
{
  return eval_memory (region, frame, use_eval_address (region, frame, ref), ref,
		      TREE_TYPE (ref));
}

static use_poly
eval_component (use_region *region, use_frame *frame, tree ref)
{
  tree field = TREE_OPERAND (ref, 1);
  tree offset = component_ref_field_offset (ref);
  use_poly p = use_eval_address (region, frame, TREE_OPERAND (ref, 0));
  p = use_add (p, use_eval (region, frame, offset));
  HOST_WIDE_INT bits = wi::to_wide (DECL_FIELD_BIT_OFFSET (field)).to_shwi ();
  return use_add (p, use_const (bits / BITS_PER_UNIT));
}

static use_poly
eval_element (use_region *region, use_frame *frame, tree ref)
{
  use_poly p = use_eval_address (region, frame, TREE_OPERAND (ref, 0));
  use_poly index = use_eval (region, frame, TREE_OPERAND (ref, 1));
  index = use_add (index,
		   use_eval (region, frame, array_ref_low_bound (ref)), -1);
  return use_add (p, use_mul (index, use_eval (region, frame,
					       array_ref_element_size (ref))));
}

use_poly
use_eval_address (use_region *region, use_frame *frame, tree ref)
{
  switch (TREE_CODE (ref))
    {
    case COMPONENT_REF:
      return eval_component (region, frame, ref);
    case ARRAY_REF:
    case ARRAY_RANGE_REF:
      return eval_element (region, frame, ref);
    case BIT_FIELD_REF:
      return use_add (use_eval_address (region, frame, TREE_OPERAND (ref, 0)),
		      use_const (wi::to_wide (TREE_OPERAND (ref, 2)).to_shwi ()
				 / BITS_PER_UNIT));
    case IMAGPART_EXPR:
      return use_add (use_eval_address (region, frame, TREE_OPERAND (ref, 0)),
		      use_const (int_size_in_bytes (TREE_TYPE (ref))));
    case REALPART_EXPR:
    case VIEW_CONVERT_EXPR:
      return use_eval_address (region, frame, TREE_OPERAND (ref, 0));
    case MEM_REF:
      return use_add (use_eval (region, frame, TREE_OPERAND (ref, 0)),
		      use_const (wi::to_wide (TREE_OPERAND (ref, 1)).to_shwi ()));
    case SSA_NAME:
      return opaque (USE_WHY_COMPUTED, NULL_TREE);
    default:
      if (!DECL_P (ref))
	return CONSTANT_CLASS_P (ref)
	       ? use_simple (USE_GLOBAL, 0, NULL_TREE)
	       : opaque (USE_WHY_COMPUTED, NULL_TREE);
      if (is_global_var (ref) || TREE_CODE (ref) == FUNCTION_DECL)
	return use_simple (USE_GLOBAL, 0, ref);
      return use_simple (USE_LOCAL, frame->number, ref);
    }
}

/* A op B where the operation has no polynomial.  */
static use_poly
eval_quotient (tree_code code, const use_poly &a, const use_poly &b)
{
  HOST_WIDE_INT x, y;
  if (code == TRUNC_MOD_EXPR)
    {
      bool ca = use_is_const (a, &x), cb = use_is_const (b, &y);
      if ((cb && y == 1) || (ca && x == 0))
	return use_const (0);
      if (ca && cb && y != 0 && y != -1)
	return use_const (x % y);
      return opaque (USE_WHY_COMPUTED, NULL_TREE);
    }
  use_poly p = use_div (a, b);
  return p;
}

/* VALUE in TYPE, where factors differ by multiples of what TYPE wraps at: GCC
   writes 8 * i - 16 as 8 * (i + 0x1ffffffe).  */
static use_poly
value_in (tree type, const use_poly &value)
{
  if (!INTEGRAL_TYPE_P (type) || !TYPE_UNSIGNED (type)
      || TYPE_PRECISION (type) >= HOST_BITS_PER_WIDE_INT)
    return value;
  use_poly out = {};
  for (unsigned i = 0; i < value.n; i++)
    {
      use_poly one = {};
      one.n = 1;
      one.terms[0] = value.terms[i];
      one.terms[0].k = sext_hwi (one.terms[0].k, TYPE_PRECISION (type));
      if (one.terms[0].k)
	out = use_add (out, one);
    }
  return out;
}

/* Is CODE how a collapsed nest's indices are made of its number?  */
static bool
is_quotient (tree_code code)
{
  return code == TRUNC_DIV_EXPR || code == TRUNC_MOD_EXPR || code == RSHIFT_EXPR
	 || code == BIT_AND_EXPR;
}

/* Is A op B, of a number of iterations that is no chunk's first, a remainder?  Then *VALUE is that
   with a quotient, of which use/tiles.cc knows what to do.  */
static bool
is_remainder (tree_code code, const use_poly &a, const use_poly &b, use_poly *value)
{
  HOST_WIDE_INT k;
  use_poly divisor = b;
  if (!use_find (a, USE_SET (USE_PHI)))
    return false;
  if (code == BIT_AND_EXPR && use_is_const (b, &k) && k > 0 && pow2p_hwi (k + 1))
    divisor = use_const (k + 1);
  else if (code != TRUNC_MOD_EXPR)
    return false;
  *value = use_add (a, use_mul (divisor, use_div (a, divisor)), -1);
  return true;
}

/* Is STMT's less of two GCC's own: of the share of one team of one thread, or of a range?  */
static bool
is_clip (const use_region *region, use_frame *frame, gimple *stmt, const use_poly &a, const use_poly &b)
{
  tree x = gimple_assign_rhs1 (stmt), y = gimple_assign_rhs2 (stmt);
  return use_is_share_rest (x) || use_is_share_rest (y)
	 || (TREE_CODE (x) == SSA_NAME && frame->shared.contains (x))
	 || (TREE_CODE (y) == SSA_NAME && frame->shared.contains (y))
	 || (region->region->split_lo && (use_has_hi (region, a, false) || use_has_hi (region, b, false)));
}

/* Is VALUE, of NAME, what it is as it stands there, and no result of what 32 bits may have cut: a constant, an
   argument, what was loaded, or a loop's index, which only if it is unsigned may get beyond what it holds?  */
static bool
is_uncut (tree name, const use_poly &value)
{
  HOST_WIDE_INT k;
  const use_atom *atom = use_is_atom (value);
  return use_is_const (value, &k)
	 || (atom && USE_SET (atom->kind) & (USE_SET (USE_ARG) | USE_SET (USE_LOAD) | USE_SET (USE_SIZE)
					     | USE_SET (USE_IV) | USE_SET (USE_DATA)))
	 || (TREE_CODE (name) == SSA_NAME && gimple_code (SSA_NAME_DEF_STMT (name)) == GIMPLE_PHI
	     && INTEGRAL_TYPE_P (TREE_TYPE (name)) && !TYPE_UNSIGNED (TREE_TYPE (name)));
}

/* Note whether bounds that are worked out as if nothing were cut hold.  A sum, or a product, that 32 bits cut is what
   it would be without, if that fits; but not its half, nor the less of it and something else.  An example: of
   unsigned i and x[i * 8] the place is that below 2^32, in an array that has less elements; of x[i * 8 / 4] it
   isn't where i is 2^29.  */
static void
note_cut (use_region *region, use_frame *frame, gimple *stmt, const use_poly &a, const use_poly &b)
{
  tree type = TREE_TYPE (gimple_assign_lhs (stmt));
  tree x = gimple_assign_rhs1 (stmt), y = gimple_assign_rhs2 (stmt);
  HOST_WIDE_INT k;
  switch (gimple_assign_rhs_code (stmt))
    {
    case PLUS_EXPR:
    case MINUS_EXPR:
    case MULT_EXPR:
    case LSHIFT_EXPR:
      region->cuts |= INTEGRAL_TYPE_P (type) && TYPE_UNSIGNED (type) && TYPE_PRECISION (type) <= 32;
      break;
    case BIT_AND_EXPR:
      /* A conversion to 32 bits and back.  */
      if (use_is_const (b, &k) && k == HOST_WIDE_INT_C (0xffffffff))
	{
	  region->cuts = region->narrows = true;
	  break;
	}
      /* FALLTHRU */
    case RSHIFT_EXPR:
    case TRUNC_DIV_EXPR:
    case FLOOR_DIV_EXPR:
    case EXACT_DIV_EXPR:
    case TRUNC_MOD_EXPR:
      if (use_is_const (b, &k) && k == 1)
	break;
      region->divides_any = true;
      region->divides |= !is_uncut (x, a) || !is_uncut (y, b);
      break;
    case MIN_EXPR:
    case MAX_EXPR:
      if (is_clip (region, frame, stmt, a, b))
	break;
      region->divides_any = true;
      region->divides |= !is_uncut (x, a) || !is_uncut (y, b);
      break;
    default:
      break;
    }
}

/* Note the conversion STMT of VALUE.  What has an argument of 32 bits by value is wider; and ranges are worked out in
   64 bits (split/clip.cc).  */
static void
note_conversion (use_region *region, gimple *stmt, const use_poly &value)
{
  tree name = gimple_assign_lhs (stmt);
  tree to = TREE_TYPE (name), from = TREE_TYPE (gimple_assign_rhs1 (stmt));
  const use_atom *atom = use_is_atom (value);
  HOST_WIDE_INT k;
  if (TYPE_PRECISION (to) >= TYPE_PRECISION (from) || use_is_const (value, &k) || use_is_named (name, "split_"))
    return;
  if (atom && atom->kind == USE_ARG && region->region->args[atom->a].size * BITS_PER_UNIT <= TYPE_PRECISION (to))
    return;
  region->cuts = region->narrows = true;
}

static use_poly
eval_operation (use_region *region, use_frame *frame, gimple *stmt)
{
  tree_code code = gimple_assign_rhs_code (stmt);
  use_poly a = use_eval (region, frame, gimple_assign_rhs1 (stmt));
  use_poly b = use_eval (region, frame, gimple_assign_rhs2 (stmt));
  HOST_WIDE_INT k;
  note_cut (region, frame, stmt, a, b);
  use_poly value;
  /* Where a chunk begins, in a collapsed nest: each index of the first one is its
     loop's first.  */
  bool shared = is_quotient (code) && frame->shared.contains (gimple_assign_rhs1 (stmt));
  if (shared)
    a = use_first_chunk (region, a);
  if (shared && is_remainder (code, a, b, &value))
    return value;
  switch (code)
    {
    case PLUS_EXPR:
    case POINTER_PLUS_EXPR:
      return use_add (a, b);
    case MINUS_EXPR:
    case POINTER_DIFF_EXPR:
      return use_add (a, b, -1);
    case MULT_EXPR:
      return use_mul (a, b);
    case LSHIFT_EXPR:
      if (use_is_const (b, &k) && k >= 0 && k < 62)
	return use_mul (a, use_const (HOST_WIDE_INT_1 << k));
      break;
    case BIT_AND_EXPR:
      /* A remainder.  */
      if (use_is_const (a, &k) && k == 0)
	return a;
      if (use_is_const (b, &k) && k == 0)
	return b;
      /* A conversion to 32 bits and back.  */
      if (use_is_const (b, &k) && k == HOST_WIDE_INT_C (0xffffffff))
	return a;
      break;
    case RSHIFT_EXPR:
      if (use_is_const (b, &k) && k >= 0 && k < 62)
	return use_div (a, use_const (HOST_WIDE_INT_1 << k));
      break;
    case TRUNC_DIV_EXPR:
    case FLOOR_DIV_EXPR:
    case EXACT_DIV_EXPR:
    case TRUNC_MOD_EXPR:
      return eval_quotient (code, a, b);
    case MIN_EXPR:
    case MAX_EXPR:
      {
	/* The end of a thread's chunk, or of all: it has the one chunk.  */
	tree x = gimple_assign_rhs1 (stmt), y = gimple_assign_rhs2 (stmt);
	/* Whole rows.  */
	bool ex = use_is_share_rest (x), ey = use_is_share_rest (y);
	if (code == MIN_EXPR && ex != ey)
	  return ex ? b : a;
	bool sx = TREE_CODE (x) == SSA_NAME && frame->shared.contains (x);
	bool sy = TREE_CODE (y) == SSA_NAME && frame->shared.contains (y);
	/* Of an index in a loop over chunks of 1, whatever the program wants.  */
	if (sx != sy
	    && !use_find (use_first_chunk (region, sx ? a : b), USE_SET (USE_PHI)))
	  return sx ? b : a;
	return code == MIN_EXPR ? use_min (a, b) : use_max (a, b);
      }
    default:
      break;
    }
  return opaque (USE_WHY_COMPUTED, NULL_TREE);
}

static use_poly
eval_binary (use_region *region, use_frame *frame, gimple *stmt)
{
  return value_in (TREE_TYPE (gimple_assign_lhs (stmt)),
		   eval_operation (region, frame, stmt));
}

static use_poly
eval_assign (use_region *region, use_frame *frame, gimple *stmt)
{
  tree rhs = gimple_assign_rhs1 (stmt);
  tree type = TREE_TYPE (gimple_assign_lhs (stmt));
  tree_code code = gimple_assign_rhs_code (stmt);
  if (!INTEGRAL_TYPE_P (type) && !POINTER_TYPE_P (type))
    return opaque (USE_WHY_COMPUTED, NULL_TREE);
  if (gimple_assign_load_p (stmt))
    return eval_load (region, frame, rhs);
  if (code == ADDR_EXPR)
    return use_eval_address (region, frame, TREE_OPERAND (rhs, 0));
  if (gimple_assign_cast_p (stmt))
    {
      if (!conversion_keeps (type, TREE_TYPE (rhs)))
	return opaque (USE_WHY_COMPUTED, NULL_TREE);
      use_poly value = use_eval (region, frame, rhs);
      note_conversion (region, stmt, value);
      return value;
    }
  if (gimple_assign_single_p (stmt))
    return use_eval (region, frame, rhs);
  if (code == NEGATE_EXPR)
    return use_mul (use_const (-1), use_eval (region, frame, rhs));
  if (gimple_num_ops (stmt) == 3 && TREE_CODE_CLASS (code) != tcc_comparison)
    return eval_binary (region, frame, stmt);
  return opaque (USE_WHY_COMPUTED, NULL_TREE);
}

static use_poly
eval_call (use_region *region, use_frame *frame, gimple *stmt)
{
  if (use_is_call (stmt, use_thread_calls))
    return use_const (0);
  if (use_is_call (stmt, use_count_calls))
    return use_const (1);
  if (gimple_call_internal_p (stmt))
    switch (gimple_call_internal_fn (stmt))
      {
      case IFN_GOMP_USE_SIMT:
      case IFN_GOMP_SIMT_LANE:
	return use_const (0);
      case IFN_GOMP_SIMT_VF:
	return use_const (1);
      default:
	return opaque (USE_WHY_CALL, NULL_TREE);
      }
  if (gimple_call_builtin_p (stmt, BUILT_IN_EXPECT))
    return use_eval (region, frame, gimple_call_arg (stmt, 0));
  if ((gimple_call_flags (stmt) & ECF_MALLOC)
      || gimple_call_builtin_p (stmt, BUILT_IN_ALLOCA)
      || gimple_call_builtin_p (stmt, BUILT_IN_ALLOCA_WITH_ALIGN))
    return opaque (USE_WHY_OWN, gimple_call_lhs (stmt));
  return opaque (USE_WHY_CALL, gimple_call_fndecl (stmt));
}

/* Has NAME no value there, as a variable that nothing was assigned to?  */
static bool
is_undefined (tree name)
{
  return TREE_CODE (name) == SSA_NAME && SSA_NAME_IS_DEFAULT_DEF (name) && SSA_NAME_VAR (name)
	 && VAR_P (SSA_NAME_VAR (name));
}

/* Is PHI how many iterations a nest has?  Before it makes a product of its loops' counts GCC
   asks whether any has none, and then takes 0: what the product is, too, or below.  */
static bool
is_nest_count (gphi *phi)
{
  tree result = gimple_phi_result (phi), user;
  use_operand_p operand;
  gimple *only;
  /* Of a signed type it is converted first.  */
  if (single_imm_use (result, &operand, &only) && gimple_assign_cast_p (only))
    {
      user = gimple_assign_lhs (only);
      if (TREE_CODE (user) == SSA_NAME && use_is_named (user, ".count"))
	return true;
    }
  return use_is_named (result, ".count");
}

/* A PHI that joins: its one value, or itself.  */
static use_poly
eval_join (use_region *region, use_frame *frame, gphi *phi)
{
  use_poly value = {};
  unsigned found = 0;
  bool count = is_nest_count (phi);
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    {
      tree arg = gimple_phi_arg_def (phi, i);
      if (frame->dead.contains (gimple_phi_arg_edge (phi, i)) || is_undefined (arg)
	  || (count && integer_zerop (arg)))
	continue;
      use_poly v = use_eval (region, frame, gimple_phi_arg_def (phi, i));
      if (found++ && !use_equal (v, value))
	return use_simple (USE_PHI, frame->number, gimple_phi_result (phi));
      value = v;
    }
  return found ? value : count ? use_const (0) : opaque (USE_WHY_COMPUTED, NULL_TREE);
}

/* The one value of PHI, a header's, where it is a reference: GCC copies a shared one into
   what a parallel region's threads get and back, but it refers to the same all the time.
   NULL_TREE: there are more.  */
static tree
reference_source (gphi *phi)
{
  auto_vec<gphi *> todo;
  hash_set<gphi *> seen;
  tree source = NULL_TREE;
  if (TREE_CODE (TREE_TYPE (gimple_phi_result (phi))) != REFERENCE_TYPE)
    return NULL_TREE;
  todo.safe_push (phi);
  while (!todo.is_empty ())
    {
      gphi *next = todo.pop ();
      if (seen.add (next))
	continue;
      for (unsigned i = 0; i < gimple_phi_num_args (next); i++)
	{
	  tree arg = gimple_phi_arg_def (next, i);
	  gimple *def = TREE_CODE (arg) == SSA_NAME ? SSA_NAME_DEF_STMT (arg) : NULL;
	  tree base = def && gimple_assign_load_p (def)
		      ? get_base_address (gimple_assign_rhs1 (def)) : NULL_TREE;
	  if (def && is_a <gphi *> (def))
	    todo.safe_push (as_a <gphi *> (def));
	  else if (base && VAR_P (base) && !is_global_var (base))
	    continue;
	  else if (source && source != arg)
	    return NULL_TREE;
	  else
	    source = arg;
	}
    }
  return source;
}

static use_poly
eval_name (use_region *region, use_frame *frame, tree name)
{
  gimple *def = SSA_NAME_DEF_STMT (name);
  if (SSA_NAME_IS_DEFAULT_DEF (name))
    {
      tree var = SSA_NAME_VAR (name);
      unsigned i = 0;
      if (var && TREE_CODE (var) == PARM_DECL)
	for (tree p = DECL_ARGUMENTS (frame->fun->decl); p; p = DECL_CHAIN (p))
	  {
	    if (p == var && i < frame->params.length ())
	      return frame->params[i];
	    i++;
	  }
      return opaque (USE_WHY_COMPUTED, NULL_TREE);
    }
  if (gphi *phi = dyn_cast <gphi *> (def))
    {
      if (!INTEGRAL_TYPE_P (TREE_TYPE (name))
	  && !POINTER_TYPE_P (TREE_TYPE (name)))
	return opaque (USE_WHY_COMPUTED, NULL_TREE);
      if (use_is_header_phi (phi))
	{
	  tree source = reference_source (phi);
	  return source ? use_eval (region, frame, source)
		 : use_simple (USE_PHI, frame->number, name);
	}
      return eval_join (region, frame, phi);
    }
  if (is_gimple_assign (def))
    return eval_assign (region, frame, def);
  if (is_gimple_call (def))
    return eval_call (region, frame, def);
  return opaque (USE_WHY_COMPUTED, NULL_TREE);
}

use_poly
use_eval (use_region *region, use_frame *frame, tree expr)
{
  if (TREE_CODE (expr) == ADDR_EXPR)
    return use_eval_address (region, frame, TREE_OPERAND (expr, 0));
  if (CONSTANT_CLASS_P (expr))
    return eval_constant (expr);
  if (TREE_CODE (expr) != SSA_NAME)
    return INTEGRAL_TYPE_P (TREE_TYPE (expr)) || POINTER_TYPE_P (TREE_TYPE (expr))
	   ? eval_load (region, frame, expr)
	   : opaque (USE_WHY_COMPUTED, NULL_TREE);
  if (use_poly *known = frame->values.get (expr))
    return *known;
  /* Of an irreducible loop, or deeper than anyone would write.  */
  if (frame->busy.elements () > 400 || frame->busy.add (expr))
    return opaque (USE_WHY_COMPUTED, NULL_TREE);
  use_poly value = eval_name (region, frame, expr);
  frame->busy.remove (expr);
  frame->values.put (expr, value);
  return value;
}
