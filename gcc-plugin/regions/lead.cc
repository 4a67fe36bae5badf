/* Where the pointers lead that a region finds in what it is passed, and which arguments
   are parts of others.
   SPDX-License-Identifier: GPL-3.0-or-later

   Of `map(to: s.x[0:n])' GCC makes two arguments: the section, and the place s.x
   of a pointer, which libgomp makes lead to the device's section ("attach", or
   gfortran's "always_pointer").  A third has the place: s.  What is at that
   offset of s in the region is therefore the address of the section, less the
   place's bias.

   A struct that is mapped member by member is an argument, too, by which the region has
   the members' addresses; what is mapped are the arguments of the members.

   Clauses are matched by where what they name lies: so many bytes from a variable,
   or from what a pointer at such a place points to.  Subscripts that aren't
   constant are nowhere.  Holds no state; changes nothing.  */

#include "regions/regions.h"

/* Definitions of temporaries and members of members that are followed.  */
#define DEPTH_MOST 24

static char *place_text (tree expr, HOST_WIDE_INT *offset, int depth);

/* Add K, a constant, to *OFFSET; false if it is none.  */
static bool
offset_add (HOST_WIDE_INT *offset, tree k, HOST_WIDE_INT factor = 1)
{
  if (!k || !cst_and_fits_in_hwi (k))
    return false;
  *offset += int_cst_value (k) * factor;
  return true;
}

/* Where the pointer VALUE points to, as place_text says it.  With ANYWHERE: what is
   added to VALUE doesn't matter.  */
static char *
target_text (tree value, HOST_WIDE_INT *offset, int depth, bool anywhere)
{
  tree more = NULL_TREE;
  while (depth-- > 0)
    {
      tree_code code = TREE_CODE (value);
      const gassign *made = ummgr_names_made (value);
      if (CONVERT_EXPR_CODE_P (code) || code == NON_LVALUE_EXPR)
	value = TREE_OPERAND (value, 0);
      else if (code == ADDR_EXPR)
	return place_text (TREE_OPERAND (value, 0), offset, depth);
      else if (made || code == POINTER_PLUS_EXPR)
	{
	  if (made ? gimple_assign_rhs_code (made) == POINTER_PLUS_EXPR : true)
	    more = made ? gimple_assign_rhs2 (made) : TREE_OPERAND (value, 1);
	  else
	    more = NULL_TREE;
	  if (more && !offset_add (offset, more) && !anywhere)
	    return NULL;
	  value = made ? gimple_assign_rhs1 (made) : TREE_OPERAND (value, 0);
	}
      else
	break;
    }
  HOST_WIDE_INT at = 0;
  char *place = depth > 0 ? place_text (value, &at, depth) : NULL;
  char *text = place ? xasprintf ("*(%s+" HOST_WIDE_INT_PRINT_DEC ")", place, at) : NULL;
  free (place);
  return text;
}

/* What EXPR is *OFFSET bytes (what there is, and more) from, malloc'ed: the same for
   the same variable, or for what the same pointer points to.  NULL: not known.  */
static char *
place_text (tree expr, HOST_WIDE_INT *offset, int depth)
{
  for (; depth-- > 0; expr = TREE_OPERAND (expr, 0))
    switch (TREE_CODE (expr))
      {
      case COMPONENT_REF:
	{
	  tree field = TREE_OPERAND (expr, 1);
	  HOST_WIDE_INT bits = 0;
	  if (!offset_add (offset, component_ref_field_offset (expr))
	      || !offset_add (&bits, DECL_FIELD_BIT_OFFSET (field)))
	    return NULL;
	  *offset += bits / BITS_PER_UNIT;
	  break;
	}
      case ARRAY_REF:
	{
	  HOST_WIDE_INT size = 0, low = 0;
	  if (!offset_add (&size, array_ref_element_size (expr))
	      || !offset_add (&low, array_ref_low_bound (expr))
	      || !offset_add (offset, TREE_OPERAND (expr, 1), size))
	    return NULL;
	  *offset -= low * size;
	  break;
	}
      case VIEW_CONVERT_EXPR:
	break;
      case MEM_REF:
	if (!offset_add (offset, TREE_OPERAND (expr, 1)))
	  return NULL;
	/* FALLTHRU */
      case INDIRECT_REF:
	return target_text (TREE_OPERAND (expr, 0), offset, depth, false);
      default:
	return DECL_P (expr) ? xasprintf ("%u", DECL_UID (expr)) : NULL;
      }
  return NULL;
}

/* What a clause names: where it is, and of a section, where its pointer is.  */
struct named
{
  char *place, *source;
  HOST_WIDE_INT at, lo, hi;	/* LO to HI: what of the struct has the name.  */
};

/* The place of the pointer that the section EXPR is taken of, in NAMED.  */
static void
source_fill (named *n, tree expr)
{
  HOST_WIDE_INT ignored = 0;
  while (TREE_CODE (expr) == ARRAY_REF || TREE_CODE (expr) == COMPONENT_REF
	 || TREE_CODE (expr) == VIEW_CONVERT_EXPR)
    expr = TREE_OPERAND (expr, 0);
  if (TREE_CODE (expr) == MEM_REF || TREE_CODE (expr) == INDIRECT_REF)
    n->source = target_text (TREE_OPERAND (expr, 0), &ignored, DEPTH_MOST, true);
}

/* Fill what N has of the member that EXPR is, or is an element of.  */
static void
extent_fill (named *n, tree expr)
{
  while (TREE_CODE (expr) == ARRAY_REF)
    expr = TREE_OPERAND (expr, 0);
  char *place = place_text (expr, &n->lo, DEPTH_MOST);
  tree size = TYPE_SIZE_UNIT (TREE_TYPE (expr));
  n->hi = n->lo;
  if (place && TREE_CODE (expr) == COMPONENT_REF)
    offset_add (&n->hi, size);
  free (place);
}

/* Is KIND that of a pointer's place, which libgomp sets?  */
static bool
kind_leads (unsigned kind)
{
  return kind == GOMP_MAP_ATTACH || kind == GOMP_MAP_ATTACH_ZERO_LENGTH_ARRAY_SECTION
	 || kind == GOMP_MAP_ALWAYS_POINTER;
}

/* The argument that the pointer of argument I leads to, or -1.  */
static int
target_find (const ummgr_region *region, const vec<named> &names, unsigned i)
{
  int found = -1;
  if (region->args[i].map_kind == GOMP_MAP_ALWAYS_POINTER)
    return (int) i - 1;
  char *value = xasprintf ("*(%s+" HOST_WIDE_INT_PRINT_DEC ")", names[i].place, names[i].at);
  for (unsigned j = 0; j < names.length (); j++)
    if (region->args[j].arg_class == UMMGR_ARG_SECTION && names[j].source
	&& strcmp (names[j].source, value) == 0)
      /* Of several only libgomp knows.  */
      found = found < 0 ? (int) j : INT_MAX;
  free (value);
  return found == INT_MAX ? -1 : found;
}

/* Add LEAD, of which REGION has the holder.  Where two differ, neither is known.  */
static void
lead_add (ummgr_region *region, const ummgr_lead &lead)
{
  for (unsigned i = 0; i < region->leads.length (); i++)
    if (region->leads[i].holder == lead.holder && region->leads[i].offset == lead.offset)
      {
	region->leads[i].known &= region->leads[i].to == lead.to;
	return;
      }
  region->leads.safe_push (lead);
}

/* Has argument J of REGION, named so, what is at NAMED's place?  */
static bool
holds (const ummgr_region *region, unsigned j, const named &holder, const named &n)
{
  const ummgr_arg *arg = &region->args[j];
  return arg->arg_class != UMMGR_ARG_POINTER && arg->map_kind != GOMP_MAP_FIRSTPRIVATE
	 && arg->map_kind != GOMP_MAP_FIRSTPRIVATE_INT && holder.place && n.at >= holder.at
	 && strcmp (holder.place, n.place) == 0
	 && (!arg->size || (unsigned HOST_WIDE_INT) (n.at - holder.at) < arg->size);
}

static void
leads_of (ummgr_region *region, const vec<named> &names, unsigned i, tree clause)
{
  int to = names[i].place ? target_find (region, names, i) : -1;
  tree bias = OMP_CLAUSE_SIZE (clause);
  if (to < 0)
    return;
  for (unsigned j = 0; j < names.length (); j++)
    if (holds (region, j, names[j], names[i]))
      {
	ummgr_lead lead = {};
	lead.holder = j;
	lead.offset = names[i].at - names[j].at;
	lead.to = to;
	lead.pointer = i;
	lead.bias_known = offset_add (&lead.bias, bias);
	lead.always = region->args[i].map_kind == GOMP_MAP_ALWAYS_POINTER;
	lead.known = true;
	lead_add (region, lead);
      }
}

/* The members of REGION's struct I, which CLAUSE says is so many.  */
static void
parts_of (ummgr_region *region, const vec<named> &names, unsigned i, tree clause)
{
  HOST_WIDE_INT count = 0, from = names[i].at;
  if (!offset_add (&count, OMP_CLAUSE_SIZE (clause)))
    count = names.length ();
  for (unsigned j = i + 1; j < names.length () && j - i <= count; j++)
    {
      bool known = names[i].place && names[j].place && names[j].hi > names[j].lo
		   && names[j].lo >= from && strcmp (names[i].place, names[j].place) == 0;
      ummgr_part part = { i, j, 0, 0, 0 };
      if (known)
	part = { i, j, names[j].lo - from, names[j].hi - from, names[j].at - from };
      region->parts.safe_push (part);
    }
}

void
ummgr_region_leads_fill (ummgr_region *region, const vec<tree> &clauses)
{
  auto_vec<named> names;
  bool any = false;
  for (unsigned i = 0; i < clauses.length (); i++)
    {
      tree c = clauses[i];
      named n = {};
      if (c && OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP)
	{
	  n.place = place_text (OMP_CLAUSE_DECL (c), &n.at, DEPTH_MOST);
	  if (region->args[i].arg_class == UMMGR_ARG_SECTION)
	    source_fill (&n, OMP_CLAUSE_DECL (c));
	  extent_fill (&n, OMP_CLAUSE_DECL (c));
	  any |= kind_leads (OMP_CLAUSE_MAP_KIND (c));
	}
      names.safe_push (n);
    }
  for (unsigned i = 0; any && i < names.length (); i++)
    if (clauses[i] && kind_leads (region->args[i].map_kind))
      leads_of (region, names, i, clauses[i]);
  for (unsigned i = 0; i < names.length (); i++)
    if (region->args[i].map_kind == GOMP_MAP_STRUCT)
      parts_of (region, names, i, clauses[i]);
  for (unsigned i = 0; i < names.length (); i++)
    {
      free (names[i].place);
      free (names[i].source);
    }
}
