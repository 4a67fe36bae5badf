/* Small things that several analyses and passes need of GCC.
   SPDX-License-Identifier: GPL-3.0-or-later

   Holds no state.  */

#include "ummgr-plugin.h"

/* GCC's class of a pass, BASE, that does what its description says.  */
template <class base>
class described_pass : public base
{
public:
  described_pass (const pass_data &data, const ummgr_pass &pass_)
    : base (data, g), pass (pass_)
  {
  }
  bool gate (function *) final override
  {
    return !pass.gate || pass.gate ();
  }
  unsigned execute (function *fun) final override
  {
    pass.execute (fun);
    return 0;
  }

private:
  const ummgr_pass pass;
};

opt_pass *
ummgr_pass_new (const ummgr_pass *pass)
{
  const pass_data data = { pass->type, pass->name, pass->group, TV_NONE,
			   pass->properties, 0, 0, 0, 0 };
  if (pass->type == GIMPLE_PASS)
    return new described_pass<gimple_opt_pass> (data, *pass);
  return new described_pass<simple_ipa_opt_pass> (data, *pass);
}

bool
ummgr_unit_offloads (void)
{
  return flag_openmp && !seen_error () && POINTER_SIZE == 64;
}

void
ummgr_bytes_append (vec<char> *to, const void *from, size_t size)
{
  unsigned at = to->length ();
  to->safe_grow (at + size);
  memcpy (to->address () + at, from, size);
}

unsigned
ummgr_string_add (ummgr_strings *strings, const char *text)
{
  if (const unsigned *known = strings->offsets.get (text))
    return *known;
  unsigned at = strings->bytes.length ();
  ummgr_bytes_append (&strings->bytes, text, strlen (text) + 1);
  strings->offsets.put (xstrdup (text), at);
  return at;
}

ummgr_strings::~ummgr_strings ()
{
  for (hash_map<nofree_string_hash, unsigned>::iterator i = offsets.begin ();
       i != offsets.end (); ++i)
    free (const_cast <char *> ((*i).first));
}

void
ummgr_location_get (location_t loc, const char **file, unsigned *line,
		    unsigned *column)
{
  expanded_location x = expand_location (loc);
  if (loc <= BUILTINS_LOCATION || !x.file)
    {
      *file = xstrdup ("");
      *line = *column = 0;
      return;
    }
  /* As debug information has it, so that -ffile-prefix-map makes the table
     reproducible too.  */
  *file = xstrdup (remap_debug_filename (x.file));
  *line = x.line;
  *column = x.column;
}

location_t
ummgr_location_of_user (location_t location, const gimple *stmt, bool library_only)
{
  for (tree block = gimple_block (stmt); block && TREE_CODE (block) == BLOCK;
       block = BLOCK_SUPERCONTEXT (block))
    {
      if (library_only && LOCATION_LOCUS (location) > BUILTINS_LOCATION
	  && !in_system_header_at (location))
	break;
      if (inlined_function_outer_scope_p (block)
	  && LOCATION_LOCUS (BLOCK_SOURCE_LOCATION (block)) > BUILTINS_LOCATION)
	location = BLOCK_SOURCE_LOCATION (block);
    }
  return location;
}

bool
ummgr_type_is_descriptor (tree type)
{
  bool dtype = false, span = false;
  if (!lang_GNU_Fortran () || TREE_CODE (type) != RECORD_TYPE)
    return false;
  for (tree f = TYPE_FIELDS (type); f; f = DECL_CHAIN (f))
    if (TREE_CODE (f) == FIELD_DECL && DECL_NAME (f))
      {
	dtype |= strcmp (IDENTIFIER_POINTER (DECL_NAME (f)), "dtype") == 0;
	span |= strcmp (IDENTIFIER_POINTER (DECL_NAME (f)), "span") == 0;
      }
  return dtype && span;
}

/* The source's own names can't begin with an underscore in Fortran, and in C++ a library's members
   that do are none of its interface.  */
bool
ummgr_field_is_hidden (tree field)
{
  if (!DECL_NAME (field))
    return true;
  bool underscore = *IDENTIFIER_POINTER (DECL_NAME (field)) == '_';
  if (lang_GNU_Fortran ())
    return underscore || ummgr_type_is_descriptor (DECL_CONTEXT (field));
  return DECL_ARTIFICIAL (field)
	 || (underscore && in_system_header_at (DECL_SOURCE_LOCATION (field)));
}

const char *
ummgr_call_name (const gimple *stmt)
{
  tree callee = is_gimple_call (stmt) ? gimple_call_fndecl (stmt) : NULL_TREE;
  if (!callee || !DECL_NAME (callee))
    return "";
  const char *name = IDENTIFIER_POINTER (DECL_NAME (callee));
  return startswith (name, "__builtin_") ? name + strlen ("__builtin_") : name;
}

static uint64_t
id_add (uint64_t hash, const char *text)
{
  for (const char *c = text;; c++)
    {
      hash = (hash ^ (unsigned char) *c) * 0x100000001b3u;
      if (!*c)
	return hash;
    }
}

uint64_t
ummgr_id (std::initializer_list<const char *> texts)
{
  uint64_t hash = id_add (0xcbf29ce484222325u, main_input_filename ? main_input_filename : "");
  for (const char *text : texts)
    hash = id_add (hash, text);
  return hash ? hash : 1;
}

/* Not called through the PLT: only then a loader finds it in a preloaded library
   for a program that was linked without it.  */
tree
ummgr_weak_function (const char *name, tree type)
{
  tree decl = build_fn_decl (name, type);
  TREE_USED (decl) = 1;
  TREE_NOTHROW (decl) = 1;
  DECL_VISIBILITY (decl) = VISIBILITY_DEFAULT;
  DECL_VISIBILITY_SPECIFIED (decl) = 1;
  DECL_ATTRIBUTES (decl) = tree_cons (get_identifier ("noplt"), NULL_TREE,
				      DECL_ATTRIBUTES (decl));
  declare_weak (decl);
  return decl;
}

tree
ummgr_constant_variable (tree name, tree type)
{
  tree var = build_decl (UNKNOWN_LOCATION, VAR_DECL, name, type);
  TREE_STATIC (var) = 1;
  TREE_READONLY (var) = 1;
  TREE_ADDRESSABLE (var) = 1;
  TREE_USED (var) = 1;
  DECL_ARTIFICIAL (var) = 1;
  DECL_IGNORED_P (var) = 1;
  return var;
}

basic_block
ummgr_branch (basic_block bb, tree name, basic_block other, location_t location)
{
  gimple_stmt_iterator gsi = gsi_last_bb (bb);
  gcond *cond = gimple_build_cond (NE_EXPR, name,
				   build_zero_cst (TREE_TYPE (name)),
				   NULL_TREE, NULL_TREE);
  gimple_set_location (cond, location);
  gsi_insert_after (&gsi, cond, GSI_NEW_STMT);
  basic_block yes = create_empty_bb (bb);
  if (current_loops)
    add_bb_to_loop (yes, bb->loop_father);
  edge no = find_edge (bb, other);
  no->flags = (no->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
  no->probability = profile_probability::even ();
  edge to = make_edge (bb, yes, EDGE_TRUE_VALUE);
  to->probability = profile_probability::even ();
  yes->count = to->count ();
  return yes;
}

void
ummgr_function_changed (void)
{
  if (current_loops)
    loops_state_set (LOOPS_NEED_FIXUP);
  free_dominance_info (CDI_DOMINATORS);
  free_dominance_info (CDI_POST_DOMINATORS);
  mark_virtual_operands_for_renaming (cfun);
  update_ssa (TODO_update_ssa_only_virtuals);
  cgraph_edge::rebuild_edges ();
}
