/* The arguments of a target region: names, types, sizes, map kinds.
   SPDX-License-Identifier: GPL-3.0-or-later

   Argument I of a launch is field I of the block that omplower made for the
   region, and its fields follow the clauses in order.  A field made for a
   variable has its name and declaration; one made for an array section (or an
   attachment) has no name.  So clauses are matched with fields in step: a
   clause without a field, as that of a `declare target' variable, finds that
   the next field is not its own.  If some day they do not match, the fields
   alone are described.  Holds no state; changes nothing.  */

#include "regions/regions.h"

/* What a variable or expression is, without references (C++, Fortran).  */
static tree
type_plain (tree type)
{
  return TREE_CODE (type) == REFERENCE_TYPE ? TREE_TYPE (type) : type;
}

/* The type of the elements of an array of any rank.  */
static tree
type_element (tree type)
{
  while (TREE_CODE (type) == ARRAY_TYPE)
    type = TREE_TYPE (type);
  return type;
}

/* TYPE's size in bytes where it is constant and fits, else 0.  */
static unsigned HOST_WIDE_INT
type_bytes (tree type)
{
  tree size = COMPLETE_TYPE_P (type) ? TYPE_SIZE_UNIT (type) : NULL_TREE;
  return size && tree_fits_uhwi_p (size) ? tree_to_uhwi (size) : 0;
}

/* TYPE as the source has it, malloc'ed.  The bound of a variable-sized array
   is a temporary with a number that differs from run to run: "double[]".  */
static char *
type_text (tree type)
{
  const char *suffix;
  if (TREE_CODE (type) == ARRAY_TYPE && !type_bytes (type))
    suffix = "[]";
  else if (TREE_CODE (type) == POINTER_TYPE
	   && TREE_CODE (TREE_TYPE (type)) == ARRAY_TYPE
	   && !type_bytes (TREE_TYPE (type)))
    suffix = " *";
  else
    return print_generic_expr_to_str (type);
  char *inner = type_text (TREE_TYPE (type));
  char *text = concat (inner, suffix, NULL);
  free (inner);
  return text;
}

static ummgr_arg_class
type_class (tree type)
{
  switch (TREE_CODE (type))
    {
    case ARRAY_TYPE:
      return UMMGR_ARG_ARRAY;
    case POINTER_TYPE:
    case OFFSET_TYPE:
      return UMMGR_ARG_POINTER;
    case RECORD_TYPE:
    case UNION_TYPE:
    case QUAL_UNION_TYPE:
      return UMMGR_ARG_RECORD;
    case INTEGER_TYPE:
    case BOOLEAN_TYPE:
    case ENUMERAL_TYPE:
    case REAL_TYPE:
    case COMPLEX_TYPE:
    case VECTOR_TYPE:
      return UMMGR_ARG_SCALAR;
    default:
      return UMMGR_ARG_UNKNOWN;
    }
}

/* Does a clause of this map kind pass a pointer's place rather than data?  */
static bool
map_kind_is_pointer (unsigned kind)
{
  switch (kind)
    {
    case GOMP_MAP_POINTER:
    case GOMP_MAP_ALWAYS_POINTER:
    case GOMP_MAP_POINTER_TO_ZERO_LENGTH_ARRAY_SECTION:
    case GOMP_MAP_ATTACH:
    case GOMP_MAP_DETACH:
    case GOMP_MAP_ATTACH_ZERO_LENGTH_ARRAY_SECTION:
    case GOMP_MAP_FIRSTPRIVATE_POINTER:
    case GOMP_MAP_FIRSTPRIVATE_REFERENCE:
      return true;
    default:
      return false;
    }
}

/* Clauses that only say which pointer the section before them belongs to: they
   have no argument.  */
static bool
clause_has_no_argument (tree c)
{
  return OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	 && (OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_FIRSTPRIVATE_POINTER
	     || OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_FIRSTPRIVATE_REFERENCE);
}

/* The clause after C if it tells which pointer or descriptor C's data belongs
   to, else NULL_TREE.  */
static tree
clause_pointer (tree c)
{
  tree next = OMP_CLAUSE_CHAIN (c);
  if (next && OMP_CLAUSE_CODE (next) == OMP_CLAUSE_MAP
      && (map_kind_is_pointer (OMP_CLAUSE_MAP_KIND (next))
	  || OMP_CLAUSE_MAP_KIND (next) == GOMP_MAP_TO_PSET))
    return next;
  return NULL_TREE;
}

/* Does C attach a pointer?  GCC 13 puts attachments after all sections, so they
   may be another section's.  */
static bool
clause_attaches (tree c)
{
  if (OMP_CLAUSE_CODE (c) != OMP_CLAUSE_MAP)
    return false;
  unsigned kind = OMP_CLAUSE_MAP_KIND (c);
  return kind == GOMP_MAP_ATTACH
	 || kind == GOMP_MAP_ATTACH_ZERO_LENGTH_ARRAY_SECTION;
}

/* Have A and B the same name in the source?  */
static bool
same_name (tree a, tree b)
{
  char *name_a = ummgr_expr_name (a), *name_b = ummgr_expr_name (b);
  bool same = name_a && name_b && strcmp (name_a, name_b) == 0;
  free (name_a);
  free (name_b);
  return same;
}

/* The pointer, array or descriptor that the section of clause C is taken of, or
   NULL_TREE.  */
static tree
section_pointer (tree c)
{
  tree next = clause_pointer (c);
  if (next && !clause_attaches (next))
    return OMP_CLAUSE_DECL (next);
  for (tree other = OMP_CLAUSE_CHAIN (c); other;
       other = OMP_CLAUSE_CHAIN (other))
    if (clause_attaches (other)
	&& same_name (OMP_CLAUSE_DECL (other), OMP_CLAUSE_DECL (c)))
      return OMP_CLAUSE_DECL (other);
  return NULL_TREE;
}

/* What one element of a section of TYPE is.  */
static tree
section_element (tree type)
{
  if (POINTER_TYPE_P (type) && !VOID_TYPE_P (TREE_TYPE (type)))
    type = TREE_TYPE (type);
  return type_element (type);
}

/* The kind that lower_omp_target gives a firstprivate variable.  */
static unsigned
firstprivate_kind (tree type)
{
  if ((INTEGRAL_TYPE_P (type) && TYPE_PRECISION (type) <= POINTER_SIZE)
      || TREE_CODE (type) == POINTER_TYPE)
    return GOMP_MAP_FIRSTPRIVATE_INT;
  return GOMP_MAP_FIRSTPRIVATE;
}

static unsigned
clause_map_kind (tree c, tree type)
{
  switch (OMP_CLAUSE_CODE (c))
    {
    case OMP_CLAUSE_MAP:
      return OMP_CLAUSE_MAP_KIND (c);
    case OMP_CLAUSE_FIRSTPRIVATE:
      return firstprivate_kind (type);
    default:
      /* is_device_ptr and has_device_addr pass the address itself.  */
      return GOMP_MAP_FIRSTPRIVATE_INT;
    }
}

/* Has nothing in TYPE a pointer?  */
static bool
type_is_flat (tree type)
{
  type = strip_array_types (type);
  if (!RECORD_OR_UNION_TYPE_P (type))
    return INTEGRAL_TYPE_P (type) || SCALAR_FLOAT_TYPE_P (type)
	   || TREE_CODE (type) == COMPLEX_TYPE || VECTOR_TYPE_P (type);
  if (!COMPLETE_TYPE_P (type))
    return false;
  for (tree field = TYPE_FIELDS (type); field; field = DECL_CHAIN (field))
    if (TREE_CODE (field) == FIELD_DECL && !type_is_flat (TREE_TYPE (field)))
      return false;
  return true;
}

/* ARG's type, sizes and class.  */
static void
arg_type_set (ummgr_arg *arg, tree type, tree element,
	      ummgr_arg_class arg_class)
{
  free (const_cast<char *> (arg->type));
  arg->type = type_text (type);
  arg->arg_class = arg_class;
  unsigned HOST_WIDE_INT bytes = type_bytes (element);
  arg->element_size = bytes <= UINT_MAX ? bytes : 0;
  arg->flat = type_is_flat (element);
  arg->of_records = TREE_CODE (element) == RECORD_TYPE;
  ummgr_arg_fields_fill (arg, element, TREE_CODE (type) == POINTER_TYPE);
}

static void
arg_declaration_set (ummgr_arg *arg, location_t loc)
{
  unsigned column;
  free (const_cast<char *> (arg->file));
  ummgr_location_get (loc, &arg->file, &arg->line, &column);
}

/* Name ARG after EXPR, and say where its variable is declared.  */
static void
arg_name_set (ummgr_arg *arg, tree expr)
{
  char *name = ummgr_expr_name (expr);
  tree variable = ummgr_expr_variable (expr);
  free (const_cast<char *> (arg->name));
  arg->name = name ? name : xstrdup ("");
  if (name && variable)
    arg_declaration_set (arg, DECL_SOURCE_LOCATION (variable));
  arg->file_scope = name && variable && ummgr_decl_is_file_scope (variable);
}

/* The argument of a clause on a whole variable, or a member.  */
static void
arg_variable_fill (ummgr_arg *arg, tree c, tree expr)
{
  tree type = TREE_TYPE (expr);
  /* A variable stands for what it refers to; a member that is a reference,
     for the place that holds it.  */
  if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE
      && lang_hooks.decls.omp_privatize_by_reference (expr))
    type = TREE_TYPE (type);
  else if (DECL_P (expr))
    type = type_plain (type);
  else if (TREE_CODE (type) == REFERENCE_TYPE)
    type = build_pointer_type (TREE_TYPE (type));
  arg_name_set (arg, expr);
  arg_type_set (arg, type, type_element (type), type_class (type));
  arg->map_kind = clause_map_kind (c, type);
  arg->size = type_bytes (type);
  if (arg->map_kind == GOMP_MAP_FIRSTPRIVATE_INT && POINTER_TYPE_P (type))
    arg->flat = type_is_flat (TREE_TYPE (type));
}

/* The argument of a map clause on an array section.  */
static void
arg_section_fill (ummgr_arg *arg, tree c, tree expr)
{
  tree pointer = section_pointer (c);
  arg_name_set (arg, expr);
  /* A descriptor says less than the expression of its data.  */
  if (pointer && TREE_CODE (type_plain (TREE_TYPE (pointer))) == RECORD_TYPE)
    pointer = NULL_TREE;
  tree type = type_plain (TREE_TYPE (pointer ? pointer : expr));
  /* What a reference refers to is a variable, unless that is a pointer.  */
  bool section = !pointer || TREE_CODE (TREE_TYPE (pointer)) != REFERENCE_TYPE
		 || POINTER_TYPE_P (type);
  arg_type_set (arg, type,
		pointer ? section_element (type) : type_element (type),
		section ? UMMGR_ARG_SECTION : type_class (type));
  arg->map_kind = OMP_CLAUSE_MAP_KIND (c);
  tree size = OMP_CLAUSE_SIZE (c);
  arg->size = size && tree_fits_uhwi_p (size) ? tree_to_uhwi (size) : 0;
  arg->length_names = section && !lang_GNU_Fortran () ? ummgr_section_names (c) : NULL;
}

/* Is C's argument an array section, rather than a variable or a member?  */
static bool
clause_is_section (tree c, tree expr)
{
  if (OMP_CLAUSE_CODE (c) != OMP_CLAUSE_MAP || DECL_P (expr)
      || map_kind_is_pointer (OMP_CLAUSE_MAP_KIND (c)))
    return false;
  if (TREE_CODE (expr) != COMPONENT_REF)
    return true;
  /* A descriptor's data; but a member that is attached later is itself.  */
  tree next = clause_pointer (c);
  return next && !clause_attaches (next);
}

static void
arg_clause_fill (ummgr_arg *arg, tree c)
{
  tree expr = OMP_CLAUSE_DECL (c);
  if (!TREE_TYPE (expr))
    return;
  if (clause_is_section (c, expr))
    arg_section_fill (arg, c, expr);
  else
    arg_variable_fill (arg, c, expr);
  if (OMP_CLAUSE_CODE (c) != OMP_CLAUSE_MAP)
    return;
  arg->location = OMP_CLAUSE_LOCATION (c);
  /* gfortran has up to three: the pointer, the descriptor, the argument that
     refers to it.  */
  for (tree next = clause_pointer (c);
       next && !*arg->name && !clause_attaches (next);
       next = clause_pointer (next))
    arg_name_set (arg, OMP_CLAUSE_DECL (next));
  /* The clause's size is the number of members that follow.  */
  if (ummgr_map_is_struct (OMP_CLAUSE_MAP_KIND (c)))
    {
      arg->arg_class = UMMGR_ARG_RECORD;
      arg->size = 0;
    }
  /* A descriptor, which may be a member, as GCC 14 has it; or, what is first in it.  */
  else if (OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_TO_PSET)
    {
      bool first = TREE_CODE (expr) == COMPONENT_REF && TREE_CODE (type_plain (TREE_TYPE (expr))) != RECORD_TYPE;
      tree descriptor = first ? TREE_OPERAND (expr, 0) : expr;
      arg->arg_class = UMMGR_ARG_RECORD;
      ummgr_arg_fields_fill (arg, type_plain (TREE_TYPE (descriptor)), false);
    }
  else if (map_kind_is_pointer (OMP_CLAUSE_MAP_KIND (c)))
    {
      arg->arg_class = UMMGR_ARG_POINTER;
      arg->element_size = arg->size = GET_MODE_SIZE (ptr_mode);
      arg->unbiased = OMP_CLAUSE_SIZE (c) && integer_zerop (OMP_CLAUSE_SIZE (c));
    }
}

/* What FIELD alone says: the name and the declaration of its variable.  */
static ummgr_arg
arg_of_field (tree field)
{
  ummgr_arg arg = {};
  const char *name = DECL_NAME (field) ? IDENTIFIER_POINTER (DECL_NAME (field))
				       : "";
  arg.name = xstrdup (name);
  arg.type = xstrdup ("");
  arg.file = xstrdup ("");
  arg.map_kind = UMMGR_ARG_NO_KIND;
  if (*name)
    arg_declaration_set (&arg, DECL_SOURCE_LOCATION (field));
  return arg;
}

/* The variable that omplower made a field for, given that EXPR refers to it. */
static tree
expr_field_variable (tree expr)
{
  while (TREE_CODE (expr) == INDIRECT_REF || TREE_CODE (expr) == MEM_REF
	 || TREE_CODE (expr) == ARRAY_REF)
    expr = TREE_OPERAND (expr, 0);
  return DECL_P (expr) ? expr : NULL_TREE;
}

/* Can FIELD have been made for clause C?  A variable-sized array's may be named
   after the pointer to it.  */
static bool
clause_fits_field (tree c, tree field)
{
  tree expr = OMP_CLAUSE_DECL (c);
  if (ummgr_clause_is_has_device_addr (c))
    expr = expr_field_variable (expr);
  bool nameless
    = OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
      && (!DECL_P (expr) || OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_ATTACH
	  || OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_DETACH);
  if (nameless)
    return !DECL_NAME (field)
	   || OMP_CLAUSE_MAP_ZERO_BIAS_ARRAY_SECTION (c);
  if (!expr || !DECL_P (expr))
    return false;
  if (DECL_NAME (field) == DECL_NAME (expr))
    return true;
  tree pointer = DECL_SIZE (expr) && TREE_CODE (DECL_SIZE (expr)) != INTEGER_CST
		 && DECL_HAS_VALUE_EXPR_P (expr)
		 ? expr_field_variable (DECL_VALUE_EXPR (expr)) : NULL_TREE;
  return pointer && DECL_NAME (field) == DECL_NAME (pointer);
}

static bool
clause_may_have_field (tree c)
{
  switch (OMP_CLAUSE_CODE (c))
    {
    case OMP_CLAUSE_MAP:
      return !clause_has_no_argument (c);
    case OMP_CLAUSE_FIRSTPRIVATE:
    case OMP_CLAUSE_IS_DEVICE_PTR:
      return true;
    default:
      return ummgr_clause_is_has_device_addr (c);
    }
}

/* Describe ARGS, one for each field from FIELD on, by the CLAUSES, into *OF in the
   order of the fields.  False if a field is left without its clause.  */
static bool
clauses_match (vec<ummgr_arg> args, tree field, tree clauses, vec<tree> *of)
{
  unsigned i = 0;
  for (tree c = clauses; c && field; c = OMP_CLAUSE_CHAIN (c))
    {
      if (!clause_may_have_field (c) || !clause_fits_field (c, field))
	continue;
      arg_clause_fill (&args[i++], c);
      of->safe_push (c);
      field = DECL_CHAIN (field);
      /* One field for the section and its pointer.  */
      if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	  && !DECL_P (OMP_CLAUSE_DECL (c)) && OMP_CLAUSE_CHAIN (c)
	  && OMP_CLAUSE_MAP_ZERO_BIAS_ARRAY_SECTION (c))
	c = OMP_CLAUSE_CHAIN (c);
    }
  return !field;
}

static vec<ummgr_arg>
args_of_fields (tree fields)
{
  vec<ummgr_arg> args = vNULL;
  for (tree field = fields; field; field = DECL_CHAIN (field))
    args.safe_push (arg_of_field (field));
  return args;
}

/* libgomp sets the device's copies of pointers right.  gfortran passes the data,
   the descriptor if there is one, the pointer to the data (which with one is its
   first word), and the argument that refers to the descriptor.  */
static void
args_point (vec<ummgr_arg> args)
{
  for (unsigned i = 1; i < args.length (); i++)
    {
      const ummgr_arg *before = &args[i - 1];
      if (strcmp (args[i].name, before->name) != 0)
	continue;
      /* A section of an array, and the pointer from which its subscripts count: its bias is
	 its size at the launch.  */
      if (!args[i].unbiased)
	{
	  if (args[i].map_kind == GOMP_MAP_POINTER && before->arg_class == UMMGR_ARG_SECTION)
	    args[i].points_to = i - 1 + 1;
	  continue;
	}
      if (before->map_kind == GOMP_MAP_TO_PSET)
	{
	  if (i >= 2 && strcmp (args[i - 2].name, before->name) == 0)
	    args[i - 1].points_to = i - 2 + 1;
	}
      else if (before->arg_class == UMMGR_ARG_SECTION || before->arg_class == UMMGR_ARG_SCALAR
	       || before->arg_class == UMMGR_ARG_ARRAY || before->arg_class == UMMGR_ARG_RECORD)
	args[i].points_to = i - 1 + 1;
      else if (before->unbiased && i >= 2
	       && args[i - 2].map_kind == GOMP_MAP_TO_PSET)
	args[i].points_to = i - 2 + 1;
    }
}

void
ummgr_region_args_fill (ummgr_region *region, gomp_target *stmt)
{
  tree block = gimple_omp_target_data_arg (stmt);
  if (!block)
    return;
  tree fields = TYPE_FIELDS (TREE_TYPE (TREE_VEC_ELT (block, 0)));
  auto_vec<tree> clauses;
  region->args = args_of_fields (fields);
  if (clauses_match (region->args, fields, gimple_omp_target_clauses (stmt), &clauses))
    ummgr_region_leads_fill (region, clauses);
  else
    {
      if (dump_file)
	fprintf (dump_file, ";; ummgr: region %s: clauses and fields differ\n",
		 region->name);
      region->args.release ();
      region->args = args_of_fields (fields);
    }
  args_point (region->args);
}
