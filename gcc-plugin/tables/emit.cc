/* Emitting the unit's table as an ELF note.
   SPDX-License-Identifier: GPL-3.0-or-later

   The note (include/ummgr-table.h) is one static, read-only variable

     struct __attribute__ ((packed))
     {
       char bytes0[];	  note header, table header, directory,
       unsigned long f0;  first region: function less note,
       char bytes1[];	  the rest of it,
       unsigned long f1;
       ...		  variables of the devices' own,
       char bytesN[];	  the rest, arguments, strings
     } .ummgr_table = { "...", (unsigned long) &fn0
				- (unsigned long) &.ummgr_table, ... };

   in section .note.ummgr, for which the assembler chooses SHT_NOTE by its name.
   The bytes are the very structures of the header.  The difference of two
   symbols of the same object is constant at link time: no relocation is left
   for the loader, in a PIE and a shared object too.

   The variable is not offloadable, so it is not streamed to the offload
   compiler.  Holds no state.  */

#include "tables/tables.h"

/* A table under construction.  */
struct table
{
  tables_unit *unit;
  auto_vec<char> bytes;			/* With the note's header.  */
  auto_vec<char> regions, args;		/* Records.  */
  auto_vec<ummgr_table_section> sections;
  unsigned arg_count;
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
region_append (table *t, unsigned number)
{
  const ummgr_region *region = t->unit->regions[number];
  tree function = t->unit->functions[number];
  ummgr_region_record r = {};
  ummgr_strings *strings = &t->unit->strings;
  r.name = ummgr_string_add (strings, IDENTIFIER_POINTER
					(DECL_ASSEMBLER_NAME (function)));
  r.in_function = ummgr_string_add (strings, region->in_function);
  r.title = ummgr_string_add (strings, region->title);
  r.file = ummgr_string_add (strings, region->file);
  r.line = region->line;
  r.column = region->column;
  r.constructs = region->constructs;
  r.collapse = region->collapse;
  r.flags = region->flags
	    | (t->unit->flow.elsewhere[number] ? UMMGR_REGION_ELSEWHERE : 0);
  r.arg_first = t->arg_count;
  r.arg_count = region->args.length ();
  t->arg_count += r.arg_count;
  ummgr_bytes_append (&t->regions, &r, sizeof r);
}

static void
arg_append (table *t, const ummgr_arg *arg)
{
  ummgr_arg_record r = {};
  ummgr_strings *strings = &t->unit->strings;
  r.name = ummgr_string_add (strings, arg->name);
  r.type = ummgr_string_add (strings, arg->type);
  r.file = ummgr_string_add (strings, arg->file);
  r.line = arg->line;
  r.map_kind = arg->map_kind;
  r.arg_class = arg->arg_class;
  r.flags = (arg->hidden ? UMMGR_ARG_HIDDEN : 0) | (arg->flat ? UMMGR_ARG_FLAT : 0)
	    | (arg->file_scope ? UMMGR_ARG_FILE_SCOPE : 0)
	    | (arg->length_names ? UMMGR_ARG_LENGTH_KNOWN : 0);
  r.element_size = arg->element_size;
  r.size = arg->size;
  r.length_names = ummgr_string_add (strings, arg->length_names ? arg->length_names : "");
  ummgr_bytes_append (&t->args, &r, sizeof r);
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

/* The records of the section of KIND.  */
static vec<char> *
section_records (table *t, ummgr_table_section_kind kind)
{
  tables_unit *u = t->unit;
  switch (kind)
    {
    case UMMGR_TABLE_REGIONS: return &t->regions;
    case UMMGR_TABLE_ARGS: return &t->args;
    case UMMGR_TABLE_CODE: return &u->uses.code;
    case UMMGR_TABLE_REGION_USES: return &u->uses.regions;
    case UMMGR_TABLE_ARG_USES: return &u->uses.args;
    case UMMGR_TABLE_REFS: return &u->uses.refs;
    case UMMGR_TABLE_DIMS: return &u->uses.dims;
    case UMMGR_TABLE_SAMPLES: return &u->uses.samples;
    case UMMGR_TABLE_STEPS: return &u->uses.steps;
    case UMMGR_TABLE_OPS: return &u->uses.ops;
    case UMMGR_TABLE_FUNCTIONS: return &u->flow.functions;
    case UMMGR_TABLE_BLOCKS: return &u->flow.blocks;
    case UMMGR_TABLE_EDGES: return &u->flow.edges;
    case UMMGR_TABLE_EVENTS: return &u->flow.events;
    case UMMGR_TABLE_CALLS: return &u->flow.calls;
    case UMMGR_TABLE_TAKEN: return &u->flow.taken;
    case UMMGR_TABLE_AROUND: return &u->flow.around;
    case UMMGR_TABLE_SITES: return &u->sites.sites;
    case UMMGR_TABLE_SITE_FLOWS: return &u->sites.flows;
    case UMMGR_TABLE_LIVES: return &u->lives;
    case UMMGR_TABLE_CALL_LIVES: return &u->call_lives;
    case UMMGR_TABLE_SPLITS: return &u->uses.splits;
    case UMMGR_TABLE_SHARES: return &u->uses.shares;
    case UMMGR_TABLE_COUNTS: return &u->counts;
    case UMMGR_TABLE_REDUCTIONS: return &u->uses.reductions;
    case UMMGR_TABLE_MEMBERS: return &u->uses.members;
    case UMMGR_TABLE_STATICS: return &u->uses.statics;
    case UMMGR_TABLE_FIELDS: return &u->uses.fields;
    case UMMGR_TABLE_RANGE_REFS: return &u->uses.range_refs;
    case UMMGR_TABLE_RANGE_DIMS: return &u->uses.range_dims;
    case UMMGR_TABLE_STRINGS: return &u->strings.bytes;
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
  ummgr_bytes_append (&t->bytes, records->address (), records->length ());
}

/* The table and its sections are multiples of 4 bytes, as a note is.  */
static void
pad (vec<char> *bytes, char with)
{
  while (bytes->length () % 4)
    bytes->safe_push (with);
}

/* Lay T out in its bytes, with all addresses 0.  */
static void
table_serialise (table *t)
{
  tables_unit *u = t->unit;
  ummgr_strings *strings = &u->strings;
  char *compiler = concat (lang_hooks.name, " ", version_string, NULL);
  unsigned unit_name
    = ummgr_string_add (strings, main_input_filename
				 ? remap_debug_filename (main_input_filename)
				 : "");
  unsigned compiler_name = ummgr_string_add (strings, compiler);

  for (unsigned i = 0; i < u->regions.length (); i++)
    region_append (t, i);
  for (unsigned i = 0; i < u->regions.length (); i++)
    for (unsigned j = 0; j < u->regions[i]->args.length (); j++)
      arg_append (t, &u->regions[i]->args[j]);
  if (!u->uses.ranges)
    {
      u->uses.range_refs.truncate (0);
      u->uses.range_dims.truncate (0);
    }
  if (u->uses.code.is_empty ())
    u->uses.code.safe_push (UMMGR_CODE_END);
  pad (&u->uses.code, UMMGR_CODE_END);
  pad (&strings->bytes, '\0');
  t->bytes.safe_grow_cleared (REGIONS_AT);
#define UMMGR_SECTION(KIND, NUMBER, NAME, RECORD)                             \
  section_append (t, UMMGR_TABLE_##KIND, sizeof (RECORD));
#include "ummgr-table.def"
  headers_write (t, unit_name, compiler_name);
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

/* WHAT, a function or a variable, less the note.  Two symbols and no constant: i386's assembler output
   has no parentheses, and prints a - (b + 20) as a - b + 20.  build2 and not
   fold, since the difference is for the assembler.  */
static void
note_append_address (note *n, tree what)
{
  tree type = pointer_sized_int_node;
  note_append (n, type,
	       build2 (MINUS_EXPR, type,
		       build1 (NOP_EXPR, type, build_fold_addr_expr (what)),
		       build1 (NOP_EXPR, type,
			       build_fold_addr_expr (n->variable))));
}

/* BYTES from *AT on, with WHAT's address at WHERE; *AT is what follows.  */
static void
note_append_at (note *n, const char *bytes, unsigned *at, unsigned where, tree what)
{
  note_append_bytes (n, bytes + *at, where - *at);
  note_append_address (n, what);
  *at = where + sizeof (int64_t);
}

/* Where the section of KIND begins, from the start of the note.  */
static unsigned
section_at (const table *t, ummgr_table_section_kind kind)
{
  for (unsigned i = 0; i < t->sections.length (); i++)
    if (t->sections[i].kind == kind)
      return UMMGR_TABLE_NOTE_HEADER + t->sections[i].offset;
  gcc_unreachable ();
}

/* The variable, still without its type's layout and its value.  */
static tree
note_variable_new (tree type)
{
  tree var = ummgr_constant_variable (get_identifier (".ummgr_table"), type);
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
  const vec<tree> &functions = t->unit->functions, &variables = t->unit->uses.static_decls;
  for (unsigned i = 0; i < functions.length (); i++)
    note_append_at (&n, bytes, &at, REGIONS_AT + i * sizeof (ummgr_region_record)
				    + offsetof (ummgr_region_record, function), functions[i]);
  unsigned statics_at = section_at (t, UMMGR_TABLE_STATICS);
  for (unsigned i = 0; i < variables.length (); i++)
    if (variables[i])
      note_append_at (&n, bytes, &at, statics_at + i * sizeof (ummgr_static_record)
				      + offsetof (ummgr_static_record, address), variables[i]);
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

/* How many arguments the source's regions have.  */
static unsigned
args_shown (const tables_unit *u)
{
  unsigned count = 0;
  for (unsigned i = 0; i < u->regions.length (); i++)
    for (unsigned j = 0; j < u->regions[i]->args.length (); j++)
      count += !u->regions[i]->args[j].hidden;
  return count;
}

void
tables_emit (tables_unit *u)
{
  table t;
  t.unit = u;
  t.arg_count = 0;
  table_serialise (&t);
  note_emit (&t);
  if (dump_file)
    fprintf (dump_file, ";; ummgr: table regions %u args %u bytes %u section "
	     "%s\n", u->regions.length (), args_shown (u),
	     t.bytes.length () - UMMGR_TABLE_NOTE_HEADER,
	     UMMGR_TABLE_NOTE_SECTION);
}
