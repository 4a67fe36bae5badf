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
   or from what a pointer at such a place points to.  Subscripts are sums of variables
   times constants, as in `block[2 * b + 1].u': the region has the same values of
   those that it gets by value, and what else there is lies nowhere.  Holds no state;
   changes nothing.  */

#include "regions/regions.h"

/* Definitions of temporaries and members of members that are followed.  */
#define DEPTH_MOST 24

/* Variables in subscripts.  */
struct spot_term
{
  tree decl;
  HOST_WIDE_INT factor;
};

/* AT bytes and TERMS from what BASE says, malloc'ed: the same for the same variable, or for
   what the same pointer points to.  NULL: not known.  */
struct spot
{
  char *base;
  HOST_WIDE_INT at;
  unsigned count;
  spot_term terms[UMMGR_LEAD_TERMS]; /* By number of DECL.  */
};

static bool place_find (tree expr, spot *s, int depth);

/* Add K, a constant, to *OFFSET; false if it is none.  */
static bool
offset_add (HOST_WIDE_INT *offset, tree k, HOST_WIDE_INT factor = 1)
{
  if (!k || !cst_and_fits_in_hwi (k))
    return false;
  *offset += int_cst_value (k) * factor;
  return true;
}

/* Add FACTOR times DECL to S; false if that is too much.  */
static bool
term_add (spot *s, tree decl, HOST_WIDE_INT factor)
{
  unsigned i = 0;
  while (i < s->count && DECL_UID (s->terms[i].decl) < DECL_UID (decl))
    i++;
  if (i < s->count && s->terms[i].decl == decl)
    {
      s->terms[i].factor += factor;
      if (!s->terms[i].factor)
	{
	  s->count--;
	  for (; i < s->count; i++)
	    s->terms[i] = s->terms[i + 1];
	}
      return true;
    }
  if (s->count == UMMGR_LEAD_TERMS)
    return false;
  for (unsigned k = s->count++; k > i; k--)
    s->terms[k] = s->terms[k - 1];
  s->terms[i] = { decl, factor };
  return true;
}

static bool number_add (tree expr, spot *s, HOST_WIDE_INT factor, int depth);

/* Add FACTOR times A CODE B to S, if that is a sum of variables times constants.  */
static bool
operation_add (tree_code code, tree a, tree b, spot *s, HOST_WIDE_INT factor, int depth)
{
  HOST_WIDE_INT k = 0;
  switch (code)
    {
    case PLUS_EXPR:
      return number_add (a, s, factor, depth) && number_add (b, s, factor, depth);
    case MINUS_EXPR:
      return number_add (a, s, factor, depth) && number_add (b, s, -factor, depth);
    case MULT_EXPR:
      return offset_add (&k, b) ? number_add (a, s, factor * k, depth)
	     : offset_add (&k, a) && number_add (b, s, factor * k, depth);
    default:
      return false;
    }
}

/* Add FACTOR times the number EXPR to S; false if it can't be told.  */
static bool
number_add (tree expr, spot *s, HOST_WIDE_INT factor, int depth)
{
  if (depth-- <= 0 || !INTEGRAL_TYPE_P (TREE_TYPE (expr)) || TREE_THIS_VOLATILE (expr))
    return false;
  const gassign *made = ummgr_names_number (expr);
  tree_code code = made ? gimple_assign_rhs_code (made) : TREE_CODE (expr);
  if (offset_add (&s->at, expr, factor))
    return true;
  if (CONVERT_EXPR_CODE_P (code) || code == NON_LVALUE_EXPR)
    {
      tree inner = made ? gimple_assign_rhs1 (made) : TREE_OPERAND (expr, 0);
      return INTEGRAL_TYPE_P (TREE_TYPE (inner))
	     && TYPE_PRECISION (TREE_TYPE (expr)) >= MIN (32u, TYPE_PRECISION (TREE_TYPE (inner)))
	     && number_add (inner, s, factor, depth);
    }
  if (made && gimple_assign_single_p (made))
    return number_add (gimple_assign_rhs1 (made), s, factor, depth);
  if (made)
    return operation_add (code, gimple_assign_rhs1 (made), gimple_assign_rhs2 (made), s, factor,
			  depth);
  if (BINARY_CLASS_P (expr))
    return operation_add (code, TREE_OPERAND (expr, 0), TREE_OPERAND (expr, 1), s, factor, depth);
  return DECL_P (expr) && term_add (s, expr, factor);
}

/* S as a base of others', malloc'ed: what the pointer there points to.  */
static char *
pointed_text (const spot *s)
{
  char *text = xasprintf ("*(%s+" HOST_WIDE_INT_PRINT_DEC, s->base, s->at);
  for (unsigned i = 0; i < s->count; i++)
    {
      char *more = xasprintf ("%s+" HOST_WIDE_INT_PRINT_DEC "*%u", text, s->terms[i].factor,
			      DECL_UID (s->terms[i].decl));
      free (text);
      text = more;
    }
  char *whole = concat (text, ")", NULL);
  free (text);
  return whole;
}

/* Fill S with where the pointer VALUE points to.  With ANYWHERE: what is added to VALUE doesn't
   matter.  */
static bool
target_find (tree value, spot *s, int depth, bool anywhere)
{
  tree more = NULL_TREE;
  while (depth-- > 0)
    {
      tree_code code = TREE_CODE (value);
      const gassign *made = ummgr_names_made (value);
      if (CONVERT_EXPR_CODE_P (code) || code == NON_LVALUE_EXPR)
	value = TREE_OPERAND (value, 0);
      else if (code == ADDR_EXPR)
	return place_find (TREE_OPERAND (value, 0), s, depth);
      else if (made || code == POINTER_PLUS_EXPR)
	{
	  if (made ? gimple_assign_rhs_code (made) == POINTER_PLUS_EXPR : true)
	    more = made ? gimple_assign_rhs2 (made) : TREE_OPERAND (value, 1);
	  else
	    more = NULL_TREE;
	  if (more && !anywhere && !number_add (more, s, 1, depth))
	    return false;
	  value = made ? gimple_assign_rhs1 (made) : TREE_OPERAND (value, 0);
	}
      else
	break;
    }
  spot pointer = {};
  if (depth > 0 && place_find (value, &pointer, depth))
    s->base = pointed_text (&pointer);
  free (pointer.base);
  return s->base;
}

/* Add to S where EXPR is, and fill its base.  */
static bool
place_find (tree expr, spot *s, int depth)
{
  for (; depth-- > 0; expr = TREE_OPERAND (expr, 0))
    switch (TREE_CODE (expr))
      {
      case COMPONENT_REF:
	{
	  tree field = TREE_OPERAND (expr, 1);
	  HOST_WIDE_INT bits = 0;
	  if (!offset_add (&s->at, component_ref_field_offset (expr))
	      || !offset_add (&bits, DECL_FIELD_BIT_OFFSET (field)))
	    return false;
	  s->at += bits / BITS_PER_UNIT;
	  break;
	}
      case ARRAY_REF:
	{
	  HOST_WIDE_INT size = 0, low = 0;
	  if (!offset_add (&size, array_ref_element_size (expr))
	      || !offset_add (&low, array_ref_low_bound (expr))
	      || !number_add (TREE_OPERAND (expr, 1), s, size, depth))
	    return false;
	  s->at -= low * size;
	  break;
	}
      case VIEW_CONVERT_EXPR:
	break;
      case MEM_REF:
	if (!offset_add (&s->at, TREE_OPERAND (expr, 1)))
	  return false;
	/* FALLTHRU */
      case INDIRECT_REF:
	return target_find (TREE_OPERAND (expr, 0), s, depth, false);
      default:
	s->base = DECL_P (expr) ? xasprintf ("%u", DECL_UID (expr)) : NULL;
	return s->base;
      }
  return false;
}

/* What a clause names: where it is, and of a section, what its pointer points to.  */
struct named
{
  spot place;
  char *source;
  HOST_WIDE_INT lo, hi;		/* LO to HI: what of the struct has the name.  */
};

/* The place of the pointer that the section EXPR is taken of, in NAMED.  */
static void
source_fill (named *n, tree expr)
{
  spot s = {};
  while (TREE_CODE (expr) == ARRAY_REF || TREE_CODE (expr) == COMPONENT_REF
	 || TREE_CODE (expr) == VIEW_CONVERT_EXPR)
    expr = TREE_OPERAND (expr, 0);
  if ((TREE_CODE (expr) == MEM_REF || TREE_CODE (expr) == INDIRECT_REF)
      && target_find (TREE_OPERAND (expr, 0), &s, DEPTH_MOST, true))
    n->source = s.base;
  else
    free (s.base);
}

/* Fill what N has of the member that EXPR is, or is an element of.  */
static void
extent_fill (named *n, tree expr)
{
  spot s = {};
  while (TREE_CODE (expr) == ARRAY_REF)
    expr = TREE_OPERAND (expr, 0);
  tree size = TYPE_SIZE_UNIT (TREE_TYPE (expr));
  bool known = place_find (expr, &s, DEPTH_MOST) && !s.count;
  n->lo = n->hi = s.at;
  if (known && TREE_CODE (expr) == COMPONENT_REF)
    offset_add (&n->hi, size);
  free (s.base);
}

/* Is KIND that of a pointer's place, which libgomp sets?  */
static bool
kind_leads (unsigned kind)
{
  return kind == GOMP_MAP_ATTACH || kind == GOMP_MAP_ATTACH_ZERO_LENGTH_ARRAY_SECTION
	 || kind == GOMP_MAP_ALWAYS_POINTER;
}

/* The argument that the pointer of argument I leads to, or -1.  For a member of `this' of which
   a section is mapped that doesn't begin where the pointer points to, G++ makes another, of no
   length, which has the pointer lead to what was mapped there before, if anything was: the rest
   of that section, for an access to it to be valid.  */
static int
target_arg (const ummgr_region *region, const vec<named> &names, unsigned i,
	    const vec<tree> &clauses)
{
  int found[2] = { -1, -1 };
  if (region->args[i].map_kind == GOMP_MAP_ALWAYS_POINTER)
    return (int) i - 1;
  char *value = pointed_text (&names[i].place);
  for (unsigned j = 0; j < names.length (); j++)
    if (region->args[j].arg_class == UMMGR_ARG_SECTION && names[j].source
	&& strcmp (names[j].source, value) == 0)
      {
	/* Of several only libgomp knows.  */
	int *to = &found[integer_zerop (OMP_CLAUSE_SIZE (clauses[j]))];
	*to = *to < 0 ? (int) j : INT_MAX;
      }
  free (value);
  bool empty = found[0] < 0;
  /* The place that is for the section of no length has no bias.  */
  if (!empty && region->args[i].map_kind == GOMP_MAP_ATTACH_ZERO_LENGTH_ARRAY_SECTION)
    return -1;
  return found[empty] == INT_MAX ? -1 : found[empty];
}

static bool
same_place (const ummgr_lead &a, const ummgr_lead &b)
{
  bool same = a.holder == b.holder && a.offset == b.offset && a.term_count == b.term_count;
  for (unsigned i = 0; same && i < a.term_count; i++)
    same = a.terms[i].arg == b.terms[i].arg && a.terms[i].factor == b.terms[i].factor;
  return same;
}

/* Add LEAD, of which REGION has the holder.  Where two differ, neither is known.  */
static void
lead_add (ummgr_region *region, const ummgr_lead &lead)
{
  for (unsigned i = 0; i < region->leads.length (); i++)
    if (same_place (region->leads[i], lead))
      {
	region->leads[i].known &= region->leads[i].to == lead.to;
	return;
      }
  region->leads.safe_push (lead);
}

/* The argument by which a region has the value of DECL, or -1.  */
static int
value_find (const ummgr_region *region, const vec<tree> &clauses, tree decl)
{
  for (unsigned i = 0; i < clauses.length (); i++)
    if (clauses[i] && OMP_CLAUSE_CODE (clauses[i]) == OMP_CLAUSE_FIRSTPRIVATE
	&& OMP_CLAUSE_DECL (clauses[i]) == decl
	&& region->args[i].map_kind == GOMP_MAP_FIRSTPRIVATE_INT)
      return i;
  return -1;
}

/* Fill LEAD's place: how far it is from HOLDER's to S.  */
static bool
lead_place (ummgr_lead *lead, const ummgr_region *region, const vec<tree> &clauses,
	    const spot &holder, spot s)
{
  for (unsigned i = 0; i < holder.count; i++)
    if (!term_add (&s, holder.terms[i].decl, -holder.terms[i].factor))
      return false;
  lead->offset = s.at - holder.at;
  for (unsigned i = 0; i < s.count; i++)
    {
      int arg = value_find (region, clauses, s.terms[i].decl);
      if (arg < 0)
	return false;
      lead->terms[lead->term_count++] = { (unsigned) arg, s.terms[i].factor };
    }
  return true;
}

/* Has argument J of REGION, named so, what is at N's place?  A pointer has, where the place is a
   member that is mapped for itself, as GCC 14 does with what it attaches.  */
static bool
holds (const ummgr_region *region, unsigned j, const named &holder, const named &n)
{
  const ummgr_arg *arg = &region->args[j];
  bool fixed = !holder.place.count && !n.place.count;
  return (arg->arg_class != UMMGR_ARG_POINTER || arg->map_kind <= GOMP_MAP_TOFROM)
	 && arg->map_kind != GOMP_MAP_FIRSTPRIVATE
	 && arg->map_kind != GOMP_MAP_FIRSTPRIVATE_INT && holder.place.base
	 && strcmp (holder.place.base, n.place.base) == 0
	 && (!fixed || n.place.at >= holder.place.at)
	 && (!fixed || !arg->size
	     || (unsigned HOST_WIDE_INT) (n.place.at - holder.place.at) < arg->size);
}

static void
leads_of (ummgr_region *region, const vec<named> &names, unsigned i, const vec<tree> &clauses)
{
  int to = names[i].place.base ? target_arg (region, names, i, clauses) : -1;
  tree bias = OMP_CLAUSE_SIZE (clauses[i]);
  if (to < 0)
    return;
  for (unsigned j = 0; j < names.length (); j++)
    {
      ummgr_lead lead = {};
      if (!holds (region, j, names[j], names[i])
	  || !lead_place (&lead, region, clauses, names[j].place, names[i].place))
	continue;
      lead.holder = j;
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
  HOST_WIDE_INT count = 0, from = names[i].place.at;
  const char *base = names[i].place.count ? NULL : names[i].place.base;
  if (!offset_add (&count, OMP_CLAUSE_SIZE (clause)))
    count = names.length ();
  for (unsigned j = i + 1; j < names.length () && j - i <= count; j++)
    {
      const spot &place = names[j].place;
      bool known = base && place.base && !place.count && names[j].hi > names[j].lo
		   && names[j].lo >= from && strcmp (base, place.base) == 0;
      ummgr_part part = { i, j, 0, 0, 0 };
      if (known)
	part = { i, j, names[j].lo - from, names[j].hi - from, place.at - from };
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
	  if (!place_find (OMP_CLAUSE_DECL (c), &n.place, DEPTH_MOST))
	    {
	      free (n.place.base);
	      n.place.base = NULL;
	    }
	  if (region->args[i].arg_class == UMMGR_ARG_SECTION)
	    source_fill (&n, OMP_CLAUSE_DECL (c));
	  extent_fill (&n, OMP_CLAUSE_DECL (c));
	  any |= kind_leads (OMP_CLAUSE_MAP_KIND (c));
	}
      names.safe_push (n);
    }
  for (unsigned i = 0; any && i < names.length (); i++)
    if (clauses[i] && kind_leads (region->args[i].map_kind))
      leads_of (region, names, i, clauses);
  for (unsigned i = 0; i < names.length (); i++)
    if (ummgr_map_is_struct (region->args[i].map_kind))
      parts_of (region, names, i, clauses[i]);
  for (unsigned i = 0; i < names.length (); i++)
    {
      free (names[i].place.base);
      free (names[i].source);
    }
}
