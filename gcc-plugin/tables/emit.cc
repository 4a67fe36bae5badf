/* Emitting the unit's table as an ELF note.
   SPDX-License-Identifier: GPL-3.0-or-later

   The note (include/ummgr-table.h) is one static, read-only variable

     struct __attribute__ ((packed))
     {
       char bytes0[];	  note header, table header, directory,
       unsigned long f0;  first region: function less note,
       char bytes1[];	  the rest of it,
       unsigned long f1;
       ...
       char bytesN[];	  the rest, arguments, strings
     } .ummgr_table = { "...", (unsigned long) &fn0
				- (unsigned long) &.ummgr_table, ... };

   in section .note.ummgr, for which the assembler chooses SHT_NOTE by its name.
   The bytes are the very structures of the header.  The difference of two
   symbols of the same object is constant at link time: no relocation is left
   for the loader, in a PIE and a shared object too.

   The variable is not offloadable, so it is not streamed to the offload
   compiler.  Holds no state.  */

#include "flow/flow.h"
#include "live/live.h"
#include "site/site.h"
#include "use/use.h"

/* A table under construction.  */
struct table
{
  auto_vec<char> bytes;			/* With the note's header.  */
  auto_vec<char> strings, region_records, arg_records;
  hash_map<nofree_string_hash, unsigned> string_offsets;
  auto_vec<const ummgr_region *> regions;
  auto_vec<tree> functions;		/* Of the regions.  */
  auto_vec<ummgr_table_section> sections;
  auto_vec<use_region *> uses;		/* Of the regions.  */
  use_tables records;			/* Made of them.  */
  flow_tables flow;
  site_tables sites;
  auto_vec<char> lives;			/* Of the arguments.  */
  unsigned args;
};

/* Where the records begin, from the start of the note.  */
enum
{
  TABLE_SECTIONS = 0
#define UMMGR_SECTION(KIND, NUMBER, NAME, RECORD) + 1
#include "ummgr-table.def"
};
#define REGIONS_AT                                                            \
  (UMMGR_TABLE_NOTE_HEADER + sizeof (ummgr_table_header)                      \
   + TABLE_SECTIONS * sizeof (ummgr_table_section))

static void
bytes_append (vec<char> *to, const void *from, size_t size)
{
  unsigned at = to->length ();
  to->safe_grow (at + size);
  memcpy (to->address () + at, from, size);
}

/* TEXT's offset among the strings; TEXT must live as long as T.  */
static unsigned
string_add (table *t, const char *text)
{
  bool known;
  unsigned &at = t->string_offsets.get_or_insert (text, &known);
  if (!known)
    {
      at = t->strings.length ();
      bytes_append (&t->strings, text, strlen (text) + 1);
    }
  return at;
}

static void
region_append (table *t, const ummgr_region *region, tree function)
{
  ummgr_region_record r = {};
  r.name = string_add (t, IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (function)));
  r.in_function = string_add (t, region->in_function);
  r.file = string_add (t, region->file);
  r.line = region->line;
  r.column = region->column;
  r.constructs = region->constructs;
  r.collapse = region->collapse;
  r.flags = region->flags;
  r.arg_first = t->args;
  r.arg_count = region->args.length ();
  t->args += r.arg_count;
  bytes_append (&t->region_records, &r, sizeof r);
}

static void
arg_append (table *t, const ummgr_arg *arg)
{
  ummgr_arg_record r = {};
  r.name = string_add (t, arg->name);
  r.type = string_add (t, arg->type);
  r.file = string_add (t, arg->file);
  r.line = arg->line;
  r.map_kind = arg->map_kind;
  r.arg_class = arg->arg_class;
  r.element_size = arg->element_size;
  r.size = arg->size;
  bytes_append (&t->arg_records, &r, sizeof r);
}

/* Write the note's header, the table's and the directory over the place kept
   for them.  */
static void
headers_write (table *t, unsigned unit, unsigned compiler)
{
  unsigned size = t->bytes.length () - UMMGR_TABLE_NOTE_HEADER;
  uint32_t note[3] = { sizeof UMMGR_TABLE_NOTE_OWNER, size,
		       UMMGR_TABLE_NOTE_TYPE };
  char *p = t->bytes.address ();
  memcpy (p, note, sizeof note);
  memcpy (p + sizeof note, UMMGR_TABLE_NOTE_OWNER,
	  sizeof UMMGR_TABLE_NOTE_OWNER);
  p += UMMGR_TABLE_NOTE_HEADER;

  ummgr_table_header h = {};
  h.magic = UMMGR_TABLE_MAGIC;
  h.version = UMMGR_TABLE_VERSION;
  h.header_size = sizeof h;
  h.table_size = size;
  h.section_offset = sizeof h;
  h.section_count = TABLE_SECTIONS;
  h.section_size = sizeof (ummgr_table_section);
  h.unit = unit;
  h.compiler = compiler;
  memcpy (p, &h, sizeof h);

  gcc_assert (t->sections.length () == TABLE_SECTIONS);
  memcpy (p + sizeof h, t->sections.address (),
	  TABLE_SECTIONS * sizeof (ummgr_table_section));
}

static unsigned
use_string (void *data, const char *text)
{
  return string_add ((table *) data, text);
}

/* The records of the section of KIND.  */
static vec<char> *
section_records (table *t, ummgr_table_section_kind kind)
{
  switch (kind)
    {
    case UMMGR_TABLE_REGIONS: return &t->region_records;
    case UMMGR_TABLE_ARGS: return &t->arg_records;
    case UMMGR_TABLE_CODE: return &t->records.code;
    case UMMGR_TABLE_REGION_USES: return &t->records.regions;
    case UMMGR_TABLE_ARG_USES: return &t->records.args;
    case UMMGR_TABLE_REFS: return &t->records.refs;
    case UMMGR_TABLE_DIMS: return &t->records.dims;
    case UMMGR_TABLE_SAMPLES: return &t->records.samples;
    case UMMGR_TABLE_STEPS: return &t->records.steps;
    case UMMGR_TABLE_FUNCTIONS: return &t->flow.functions;
    case UMMGR_TABLE_BLOCKS: return &t->flow.blocks;
    case UMMGR_TABLE_EDGES: return &t->flow.edges;
    case UMMGR_TABLE_EVENTS: return &t->flow.events;
    case UMMGR_TABLE_SITES: return &t->sites.sites;
    case UMMGR_TABLE_SITE_FLOWS: return &t->sites.flows;
    case UMMGR_TABLE_LIVES: return &t->lives;
    case UMMGR_TABLE_STRINGS: return &t->strings;
    }
  gcc_unreachable ();
}

static void
section_append (table *t, ummgr_table_section_kind kind, unsigned size)
{
  vec<char> *records = section_records (t, kind);
  const ummgr_table_section section
    = { kind, t->bytes.length () - UMMGR_TABLE_NOTE_HEADER,
	records->length () / size, size };
  t->sections.safe_push (section);
  bytes_append (&t->bytes, records->address (), records->length ());
}

/* The table and its sections are multiples of 4 bytes, as a note is.  */
static void
pad (vec<char> *bytes, char with)
{
  while (bytes->length () % 4)
    bytes->safe_push (with);
}

/* Lay T out in its bytes, with the functions' addresses 0.  */
static void
table_serialise (table *t)
{
  char *compiler = concat (lang_hooks.name, " ", version_string, NULL);
  unsigned unit_name
    = string_add (t, main_input_filename
		     ? remap_debug_filename (main_input_filename) : "");
  unsigned compiler_name = string_add (t, compiler);

  for (unsigned i = 0; i < t->regions.length (); i++)
    region_append (t, t->regions[i], t->functions[i]);
  for (unsigned i = 0; i < t->regions.length (); i++)
    for (unsigned j = 0; j < t->regions[i]->args.length (); j++)
      arg_append (t, &t->regions[i]->args[j]);
  if (t->records.code.is_empty ())
    t->records.code.safe_push (UMMGR_CODE_END);
  pad (&t->records.code, UMMGR_CODE_END);
  pad (&t->strings, '\0');
  t->bytes.safe_grow_cleared (REGIONS_AT);
#define UMMGR_SECTION(KIND, NUMBER, NAME, RECORD)                             \
  section_append (t, UMMGR_TABLE_##KIND, sizeof (RECORD));
#include "ummgr-table.def"
  headers_write (t, unit_name, compiler_name);
  t->string_offsets.empty ();
  free (compiler);
}

/* The note's type and value, piece by piece.  */
struct note
{
  tree type;
  tree variable;
  tree *last_field;
  vec<constructor_elt, va_gc> *values;
};

static void
note_append (note *n, tree type, tree value)
{
  tree field = build_decl (UNKNOWN_LOCATION, FIELD_DECL, NULL_TREE, type);
  DECL_PACKED (field) = 1;
  DECL_CONTEXT (field) = n->type;
  *n->last_field = field;
  n->last_field = &DECL_CHAIN (field);
  CONSTRUCTOR_APPEND_ELT (n->values, field, value);
}

static void
note_append_bytes (note *n, const char *bytes, unsigned size)
{
  tree type = build_array_type_nelts (char_type_node, size);
  tree value = build_string (size, bytes);
  TREE_TYPE (value) = type;
  note_append (n, type, value);
}

/* FUNCTION less the note.  Two symbols and no constant: i386's assembler output
   has no parentheses, and prints a - (b + 20) as a - b + 20.  build2 and not
   fold, since the difference is for the assembler.  */
static void
note_append_function (note *n, tree function)
{
  tree type = pointer_sized_int_node;
  note_append (n, type,
	       build2 (MINUS_EXPR, type,
		       build1 (NOP_EXPR, type, build_fold_addr_expr (function)),
		       build1 (NOP_EXPR, type,
			       build_fold_addr_expr (n->variable))));
}

/* The variable, still without its type's layout and its value.  */
static tree
note_variable_new (tree type)
{
  tree var = build_decl (UNKNOWN_LOCATION, VAR_DECL,
			 get_identifier (".ummgr_table"), type);
  TREE_STATIC (var) = 1;
  TREE_READONLY (var) = 1;
  TREE_ADDRESSABLE (var) = 1;
  TREE_USED (var) = 1;
  DECL_ARTIFICIAL (var) = 1;
  DECL_IGNORED_P (var) = 1;
  /* Nothing refers to it: kept through LTO as well.  */
  DECL_PRESERVE_P (var) = 1;
  return var;
}

static void
note_emit (const table *t)
{
  note n = {};
  n.type = make_node (RECORD_TYPE);
  TYPE_PACKED (n.type) = 1;
  n.variable = note_variable_new (n.type);
  n.last_field = &TYPE_FIELDS (n.type);

  const char *bytes = t->bytes.address ();
  unsigned at = 0;
  for (unsigned i = 0; i < t->functions.length (); i++)
    {
      unsigned function_at = REGIONS_AT + i * sizeof (ummgr_region_record)
			     + offsetof (ummgr_region_record, function);
      note_append_bytes (&n, bytes + at, function_at - at);
      note_append_function (&n, t->functions[i]);
      at = function_at + sizeof (int64_t);
    }
  note_append_bytes (&n, bytes + at, t->bytes.length () - at);
  layout_type (n.type);

  tree value = build_constructor (n.type, n.values);
  TREE_CONSTANT (value) = TREE_STATIC (value) = 1;
  DECL_INITIAL (n.variable) = value;
  layout_decl (n.variable, 0);
  /* Four bytes exactly: more would leave gaps between the notes of several
     units, and readers take a segment of 8-byte alignment by other rules.  */
  SET_DECL_ALIGN (n.variable, 32);
  DECL_USER_ALIGN (n.variable) = 1;
  set_decl_section_name (n.variable, UMMGR_TABLE_NOTE_SECTION);
  varpool_node::finalize_decl (n.variable);
}

typedef hash_map<int_hash<unsigned, 0, UINT_MAX>, tree> uid_map;

/* The unit's outlined target regions that have a body now, by DECL_UID.  A
   region in code that was never reached has none.  */
static void
functions_find (uid_map *functions)
{
  cgraph_node *node;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    if (lookup_attribute ("omp target entrypoint",
			  DECL_ATTRIBUTES (node->decl)))
      functions->put (DECL_UID (node->decl), node->decl);
}

static void
table_emit (void)
{
  uid_map functions;
  functions_find (&functions);
  table t;
  t.args = 0;
  t.records.ref_count = t.records.dim_count = t.records.step_count = 0;
  string_add (&t, "");
  for (unsigned i = 0; i < ummgr_regions.length (); i++)
    if (tree *function = functions.get (ummgr_regions[i].function_uid))
      {
	t.regions.safe_push (&ummgr_regions[i]);
	t.functions.safe_push (*function);
	t.uses.safe_push (use_analyse (&ummgr_regions[i], *function));
	use_emit (&t.records, t.uses.last (), use_string, &t);
	if (dump_file)
	  use_dump (dump_file, t.uses.last ());
	if (dump_enabled_p ())
	  ummgr_notes_write (t.uses.last ());
      }
  flow_region_map numbers;
  for (unsigned i = 0; i < t.functions.length (); i++)
    numbers.put (DECL_UID (t.functions[i]), i);
  flow_analyse (&numbers, use_string, &t, &t.flow);
  live_emit (t.regions, t.functions, use_string, &t, &t.lives);
  /* A unit without regions may be on the way to those of others.  */
  if (t.regions.is_empty () && t.flow.functions.is_empty () && !site_any ())
    return;
  site_emit (&t.sites, t.regions, use_string, &t);
  table_serialise (&t);
  note_emit (&t);
  for (unsigned i = 0; i < t.uses.length (); i++)
    use_region_free (t.uses[i]);
  if (dump_file)
    ummgr_dump_table (dump_file, t.regions.length (), t.args,
		      t.bytes.length () - UMMGR_TABLE_NOTE_HEADER);
}

static const pass_data tables_pass_data = {
  SIMPLE_IPA_PASS,
  UMMGR_PASS_TABLES,
  OPTGROUP_OMP,
  TV_NONE,
  0, 0, 0, 0, 0
};

class pass_ummgr_tables : public simple_ipa_opt_pass
{
public:
  pass_ummgr_tables (gcc::context *context)
    : simple_ipa_opt_pass (tables_pass_data, context)
  {
  }
  /* libgomp offloads from 64-bit programs only, and a table has 64-bit
     differences.  */
  bool gate (function *) final override
  {
    return flag_openmp && !seen_error () && POINTER_SIZE == 64;
  }
  unsigned execute (function *) final override
  {
    table_emit ();
    return 0;
  }
};

opt_pass *
ummgr_pass_tables_new (void)
{
  return new pass_ummgr_tables (g);
}
