/* What was found of a region, as records and in dumps.
   SPDX-License-Identifier: GPL-3.0-or-later

   Expressions become the table's postfix code.  What comes out is libummgr's to
   evaluate.  Owns nothing; atoms are those of the region at hand, so a region
   must be encoded before the next is analysed.  */

#include "use/use.h"

static void
put_byte (vec<char> *to, unsigned byte)
{
  to->safe_push (byte);
}

static void
code_constant (vec<char> *to, HOST_WIDE_INT k)
{
  int64_t value = k;
  if (k >= -128 && k <= 127)
    {
      put_byte (to, UMMGR_CODE_CONST8);
      put_byte (to, k & 0xff);
      return;
    }
  put_byte (to, UMMGR_CODE_CONST64);
  ummgr_bytes_append (to, &value, sizeof value);
}

static void code_poly (vec<char> *to, const use_poly &p);

/* The dimensions that a sample's iterations are numbered by; NULL outside.  */
static const vec<unsigned> *code_loops;

/* Note that what is OFFSET bytes from ARG's address is loaded.  */
static void
loaded_note (use_tables *tables, unsigned arg, HOST_WIDE_INT offset)
{
  for (unsigned i = 0; i < tables->loaded.length (); i++)
    if (tables->loaded[i].arg == arg && tables->loaded[i].offset == offset)
      return;
  tables->loaded.safe_push ({ arg, offset });
}

/* Note what P loads, however deep.  */
static void
loads_note (use_tables *tables, const use_poly &p)
{
  for (unsigned i = 0; i < p.n; i++)
    for (unsigned j = 0; j < p.terms[i].n; j++)
      {
	const use_atom atom = use_atoms[p.terms[i].atom[j]];
	if (atom.kind == USE_LOAD)
	  loaded_note (tables, atom.a, atom.offset);
	if (atom.kinds & USE_SET (USE_LOAD))
	  {
	    loads_note (tables, atom.x);
	    loads_note (tables, atom.y);
	  }
      }
}

static void
code_atom (vec<char> *to, const use_atom &atom)
{
  uint16_t arg = atom.a;
  uint32_t offset = atom.offset;
  switch (atom.kind)
    {
    case USE_ARG:
      put_byte (to, UMMGR_CODE_ARG);
      ummgr_bytes_append (to, &arg, sizeof arg);
      break;
    case USE_LOAD:
      put_byte (to, UMMGR_CODE_LOAD);
      ummgr_bytes_append (to, &arg, sizeof arg);
      ummgr_bytes_append (to, &offset, sizeof offset);
      put_byte (to, atom.size & 0xff);
      break;
    case USE_SIZE:
      put_byte (to, UMMGR_CODE_SIZE);
      ummgr_bytes_append (to, &arg, sizeof arg);
      break;
    case USE_DIV:
    case USE_MIN:
    case USE_MAX:
      code_poly (to, atom.x);
      code_poly (to, atom.y);
      put_byte (to, atom.kind == USE_DIV ? UMMGR_CODE_DIV
		    : atom.kind == USE_MIN ? UMMGR_CODE_MIN : UMMGR_CODE_MAX);
      break;
    case USE_IV:
      for (unsigned i = 0; i < code_loops->length (); i++)
	if ((*code_loops)[i] == atom.a)
	  {
	    put_byte (to, UMMGR_CODE_ITERATION);
	    put_byte (to, i);
	    return;
	  }
      gcc_unreachable ();
    case USE_DATA:
      code_poly (to, atom.x);
      put_byte (to, UMMGR_CODE_ELEMENT);
      ummgr_bytes_append (to, &arg, sizeof arg);
      put_byte (to, atom.size & 0xff);
      break;
    default:
      gcc_unreachable ();
    }
}

static void
code_term (vec<char> *to, const use_term &t)
{
  bool first = true;
  if (t.k != 1 || t.n == 0)
    {
      code_constant (to, t.k);
      first = false;
    }
  for (unsigned i = 0; i < t.n; i++)
    {
      code_atom (to, use_atom (use_atoms[t.atom[i]]));
      if (!first)
	put_byte (to, UMMGR_CODE_MUL);
      first = false;
    }
}

static void
code_poly (vec<char> *to, const use_poly &p)
{
  if (p.n == 0)
    code_constant (to, 0);
  for (unsigned i = 0; i < p.n; i++)
    {
      code_term (to, p.terms[i]);
      if (i)
	put_byte (to, UMMGR_CODE_ADD);
    }
}

/* P's code; returns its offset.  */
static unsigned
code_append (use_tables *tables, const use_poly &p)
{
  if (tables->code.is_empty ())
    put_byte (&tables->code, UMMGR_CODE_END);
  auto_vec<char> code;
  code_poly (&code, p);
  loads_note (tables, p);
  put_byte (&code, UMMGR_CODE_END);
  /* Many are the same.  Each begins after an end; 0 is not one of them.  */
  unsigned n = code.length (), all = tables->code.length ();
  for (unsigned i = all > 400 ? all - 400 : 1; i + n <= all; i++)
    if (tables->code[i - 1] == UMMGR_CODE_END
	&& memcmp (tables->code.address () + i, code.address (), n) == 0)
      return i;
  ummgr_bytes_append (&tables->code, code.address (), n);
  return all;
}

static unsigned
code_add (use_tables *tables, const use_poly &p)
{
  return use_find (p, USE_NOT_LAUNCH) ? 0 : code_append (tables, p);
}

/* The stack that P's code needs.  */
static unsigned
code_depth (const use_poly &p)
{
  unsigned depth = 1;
  for (unsigned i = 0; i < p.n; i++)
    for (unsigned j = 0; j < p.terms[i].n; j++)
      {
	const use_atom &atom = use_atoms[p.terms[i].atom[j]];
	unsigned below = (i > 0) + 1;
	if (atom.kind == USE_DATA)
	  below += code_depth (atom.x);
	else if (atom.kind == USE_DIV || atom.kind == USE_MIN
		 || atom.kind == USE_MAX)
	  below += MAX (code_depth (atom.x), 1 + code_depth (atom.y));
	else
	  below++;
	depth = MAX (depth, below);
      }
  return depth;
}

static bool
sample_fits (const use_ref *ref)
{
  bool fits = !ref->place_known || code_depth (ref->place) <= UMMGR_CODE_DEPTH;
  for (unsigned i = 0; i < ref->steps.length (); i++)
    if (ref->steps[i].known)
      fits &= code_depth (ref->steps[i].code) <= UMMGR_CODE_DEPTH;
  return fits;
}

/* REF's sample, or an empty one.  */
static void
sample_emit (use_tables *tables, const use_region *region, const use_ref *ref)
{
  ummgr_sample_record r = {};
  if (sample_fits (ref) && !ref->steps.is_empty ())
    {
      code_loops = &ref->loops;
      r.step_first = tables->step_count;
      r.step_count = ref->steps.length ();
      tables->step_count += r.step_count;
      r.address = ref->place_known
		  ? code_append (tables, use_whole (region, ref->place)) : 0;
      for (unsigned i = 0; i < ref->steps.length (); i++)
	{
	  ummgr_step_record step = {};
	  step.kind = ref->steps[i].kind;
	  step.code = ref->steps[i].known
		      ? code_append (tables, use_whole (region,
							ref->steps[i].code)) : 0;
	  step.value = ref->steps[i].value;
	  ummgr_bytes_append (&tables->steps, &step, sizeof step);
	}
      code_loops = NULL;
    }
  ummgr_bytes_append (&tables->samples, &r, sizeof r);
}

void
use_dims_emit (use_tables *tables, const use_region *region, const use_ref *ref,
	       uint32_t *first_p, uint32_t *count_p)
{
  *first_p = tables->dim_count;
  *count_p = ref->dims.length ();
  tables->dim_count += ref->dims.length ();
  for (unsigned i = 0; i < ref->dims.length (); i++)
    {
      const use_ref_dim *dim = &ref->dims[i];
      ummgr_dim_record d = {};
      ummgr_range_dim_record range = {};
      use_poly stride = use_whole (region, dim->stride);
      d.stride = stride.n ? code_add (tables, stride) : 0;
      d.count = code_add (tables, use_whole (region, dim->count));
      d.extent = code_add (tables, use_whole (region, dim->extent));
      d.flags = dim->shared ? UMMGR_DIM_SHARED : 0;
      d.of = ref->flags & UMMGR_REF_SLOPED ? dim->of : 0;
      if (d.of)
	{
	  d.first = code_add (tables, use_whole (region, dim->first));
	  d.slope = code_add (tables, use_whole (region, dim->slope));
	  d.skip = code_add (tables, use_whole (region, dim->skip));
	  d.skip_slope = code_add (tables, use_whole (region, dim->skip_slope));
	}
      ummgr_bytes_append (&tables->dims, &d, sizeof d);
      range.stride = dim->stride.n ? code_add (tables, dim->stride) : 0;
      range.count = code_add (tables, dim->count);
      range.extent = code_add (tables, dim->extent);
      ummgr_bytes_append (&tables->range_dims, &range, sizeof range);
    }
}

static void
ref_emit (use_tables *tables, const use_region *region, const use_ref *ref,
	  ummgr_strings *strings)
{
  ummgr_ref_record r = {};
  ummgr_range_ref_record range = {};
  bool affine = ref->flags & UMMGR_REF_AFFINE;
  r.flags = ref->flags;
  r.line = ref->line;
  r.base = affine ? code_add (tables, use_whole (region, ref->base)) : 0;
  r.element_size = ref->size;
  r.frequency = ref->frequency;
  r.why = ref->why ? ummgr_string_add (strings, ref->why) : 0;
  use_dims_emit (tables, region, ref, &r.dim_first, &r.dim_count);
  sample_emit (tables, region, ref);
  ummgr_bytes_append (&tables->refs, &r, sizeof r);
  range.base = affine ? code_add (tables, ref->base) : 0;
  ummgr_bytes_append (&tables->range_refs, &range, sizeof range);
}

/* What a run by ranges, or elsewhere, has to know of REGION's code: of that which it calls,
   too.  What was not seen may call anything.  */
static unsigned
split_flags (const use_region *region)
{
  unsigned flags = region->region->split_flags;
  if (!region->walked)
    return flags | UMMGR_SPLIT_CALLS;
  flags = (flags & ~UMMGR_SPLIT_CALLS) | region->met;
  if (!region->cuts)
    flags |= UMMGR_SPLIT_ALL_BOUNDS;
  return (region->cuts && region->divides) || (region->narrows && region->divides_any)
	 ? flags : flags | UMMGR_SPLIT_BOUNDS;
}

/* How REGION can be run by ranges.  */
static void
split_emit (use_tables *tables, const use_region *region,
	    ummgr_strings *strings)
{
  const ummgr_region *source = region->region;
  ummgr_split_record r = {};
  r.lo = source->split_lo;
  tables->ranges |= r.lo != 0;
  r.trip = region->outer_known ? code_add (tables, region->outer) : 0;
  r.flags = split_flags (region);
  r.why = source->split_why ? ummgr_string_add (strings, source->split_why) : 0;
  r.reduction_first = tables->reduction_count;
  r.reduction_count = source->reductions.length ();
  tables->reduction_count += r.reduction_count;
  for (unsigned i = 0; i < r.reduction_count; i++)
    {
      const ummgr_reduction *reduction = &source->reductions[i];
      ummgr_reduction_record one = {};
      one.arg = reduction->arg;
      one.operation = ummgr_string_add (strings, reduction->operation);
      one.type = ummgr_string_add (strings, reduction->type);
      ummgr_bytes_append (&tables->reductions, &one, sizeof one);
    }
  ummgr_bytes_append (&tables->splits, &r, sizeof r);
}

static unsigned
clause_code (use_tables *tables, const use_region *region, const use_clause *clause)
{
  return clause->given && clause->known
	 ? code_add (tables, use_whole (region, clause->value)) : 0;
}

/* The chunk that S has, if it is known; FOUND: in the code.  */
static use_clause
chunk_of (const ummgr_sharing *s, const use_clause *found)
{
  if (s->chunk)
    return { true, true, use_const (s->chunk) };
  use_clause chunk = *found;
  chunk.given = s->chunked;
  chunk.known &= s->kind == UMMGR_SCHEDULE_STATIC && s->loops == 1;
  return chunk;
}

/* How REGION's iterations are shared out.  */
static void
share_emit (use_tables *tables, const use_region *region)
{
  const ummgr_region *source = region->region;
  ummgr_share_record r = {};
  r.teams_least = clause_code (tables, region, &region->teams_least);
  r.teams = clause_code (tables, region, &region->teams);
  r.threads = clause_code (tables, region, &region->threads);
  r.distribute = source->distribute.kind;
  use_clause chunk = chunk_of (&source->distribute, &region->distribute_chunk);
  r.distribute_chunk = clause_code (tables, region, &chunk);
  r.loops = source->shared.kind;
  chunk = chunk_of (&source->shared, &region->shared_chunk);
  r.loops_chunk = clause_code (tables, region, &chunk);
  r.flags = (region->teams.given ? UMMGR_SHARE_TEAMS : 0)
	    | (region->threads.given ? UMMGR_SHARE_THREADS : 0)
	    | (source->distribute.chunked ? UMMGR_SHARE_DISTRIBUTE_CHUNK : 0)
	    | (source->shared.chunked ? UMMGR_SHARE_LOOPS_CHUNK : 0)
	    | (source->distribute.loops && source->nested ? UMMGR_SHARE_NESTED : 0);
  ummgr_bytes_append (&tables->shares, &r, sizeof r);
}

/* Those of REFS that are of ARG, behind those of others; returns how many.  */
static unsigned
refs_emit (use_tables *tables, const use_region *region, const vec<use_ref *> &refs,
	   unsigned arg, ummgr_strings *strings)
{
  unsigned count = 0;
  for (unsigned i = 0; i < refs.length (); i++)
    if (refs[i]->arg == arg)
      {
	ref_emit (tables, region, refs[i], strings);
	count++;
      }
  tables->ref_count += count;
  return count;
}

static void
members_emit (use_tables *tables, const use_region *region, ummgr_strings *strings)
{
  for (unsigned i = 0; i < region->members.length (); i++)
    {
      const use_member *member = &region->members[i];
      if (member->flags == UMMGR_USE_ANALYSED)
	continue;
      ummgr_member_record r = {};
      r.region = tables->region_count;
      r.arg = member->arg;
      r.offset = member->offset;
      r.flags = member->flags;
      r.ref_first = tables->ref_count;
      r.ref_count = refs_emit (tables, region, region->member_refs,
			       region->arg_flags.length () + i, strings);
      ummgr_bytes_append (&tables->members, &r, sizeof r);
    }
}

static void
statics_emit (use_tables *tables, const use_region *region, ummgr_strings *strings)
{
  for (unsigned i = 0; i < region->statics.length (); i++)
    {
      tree decl = region->statics[i].decl;
      const char *file;
      unsigned line, column;
      ummgr_static_record r = {};
      ummgr_location_get (DECL_SOURCE_LOCATION (decl), &file, &line, &column);
      r.region = tables->region_count;
      r.name = ummgr_string_add (strings, IDENTIFIER_POINTER (DECL_NAME (decl)));
      r.file = ummgr_string_add (strings, file);
      r.line = line;
      HOST_WIDE_INT size = int_size_in_bytes (TREE_TYPE (decl));
      r.size = size > 0 ? size : 0;
      r.flags = region->statics[i].flags;
      r.why = region->statics[i].why ? ummgr_string_add (strings, region->statics[i].why) : 0;
      /* In a shared object another's may take the place of what is public.  */
      bool own = !TREE_PUBLIC (decl) && !DECL_EXTERNAL (decl);
      tables->static_decls.safe_push (own ? decl : NULL_TREE);
      if (!own)
	r.symbol = ummgr_string_add (strings, IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (decl)));
      r.ref_first = tables->ref_count;
      r.ref_count = refs_emit (tables, region, region->static_refs, USE_STATICS + i, strings);
      ummgr_bytes_append (&tables->statics, &r, sizeof r);
      if (*file)
	free (const_cast <char *> (file));
    }
}

/* What the source calls the number at OFFSET of ARG, malloc'ed; NULL: it is no struct's.  */
static char *
field_name (const use_region *region, unsigned arg, HOST_WIDE_INT offset)
{
  const ummgr_arg *a = &region->region->args[arg];
  for (unsigned i = 0; i < a->fields.length (); i++)
    if (a->fields[i].offset == offset)
      return concat (*a->name ? a->name : "?", a->fields[i].name, NULL);
  return NULL;
}

/* The names of what the expressions of REGION, the last one, load from structs.  */
static void
fields_emit (use_tables *tables, const use_region *region, ummgr_strings *strings)
{
  for (unsigned i = 0; i < tables->loaded.length (); i++)
    {
      const use_loaded *loaded = &tables->loaded[i];
      char *name = field_name (region, loaded->arg, loaded->offset);
      if (!name)
	continue;
      ummgr_field_record r = {};
      r.region = tables->region_count - 1;
      r.arg = loaded->arg;
      r.offset = loaded->offset;
      r.name = ummgr_string_add (strings, name);
      ummgr_bytes_append (&tables->fields, &r, sizeof r);
      free (name);
    }
  tables->loaded.truncate (0);
}

void
use_emit (use_tables *tables, use_region *region, ummgr_strings *strings)
{
  split_emit (tables, region, strings);
  share_emit (tables, region);
  ummgr_region_use_record u = {};
  if (region->trip_known)
    {
      u.trip = code_add (tables, use_whole (region, region->trip));
      u.flags = region->trip_exact ? UMMGR_REGION_USE_EXACT
		: region->trip_counted ? UMMGR_REGION_USE_COUNTED : 0;
    }
  ummgr_bytes_append (&tables->regions, &u, sizeof u);
  for (unsigned i = 0; i < region->arg_flags.length (); i++)
    {
      ummgr_arg_use_record a = {};
      a.flags = region->arg_flags[i];
      a.ref_first = tables->ref_count;
      a.why = region->arg_why[i]
	      ? ummgr_string_add (strings, region->arg_why[i]) : 0;
      a.ref_count = refs_emit (tables, region, region->refs, i, strings);
      ummgr_bytes_append (&tables->args, &a, sizeof a);
    }
  members_emit (tables, region, strings);
  statics_emit (tables, region, strings);
  use_work_emit (tables, region);
  for (unsigned i = 0; i < region->members.length (); i++)
    loaded_note (tables, region->members[i].arg, region->members[i].offset);
  fields_emit (tables, region, strings);
}

static void dump_poly_as_is (FILE *file, const use_region *region,
			     const use_poly &p);

/* P, where all of REGION runs.  */
static void
dump_poly (FILE *file, const use_region *region, const use_poly &p)
{
  dump_poly_as_is (file, region, use_whole (region, p));
}

static void
dump_atom (FILE *file, const use_region *region, const use_atom &atom)
{
  static const char *const operators[] = { "/", "min", "max" };
  const char *name = atom.a < region->region->args.length ()
		     ? region->region->args[atom.a].name : "?";
  switch (atom.kind)
    {
    case USE_ARG:
      if (*name)
	fputs (name, file);
      else
	fprintf (file, "#%u", atom.a);
      break;
    case USE_LOAD:
      {
	char *field = field_name (region, atom.a, atom.offset);
	if (field)
	  fputs (field, file);
	else
	  fprintf (file, atom.offset ? "%s@%d" : "%s", name, (int) atom.offset);
	free (field);
      }
      break;
    case USE_SIZE:
      fprintf (file, "bias(%s)", name);
      break;
    case USE_IV:
      fprintf (file, "i%u", atom.a);
      break;
    case USE_DATA:
      fprintf (file, "%s[@", name);
      dump_poly_as_is (file, region, atom.x);
      fputc (']', file);
      break;
    case USE_DIV:
    case USE_MIN:
    case USE_MAX:
      fputs ("((", file);
      dump_poly_as_is (file, region, atom.x);
      fprintf (file, ") %s (", operators[atom.kind - USE_DIV]);
      dump_poly_as_is (file, region, atom.y);
      fputs ("))", file);
      break;
    default:
      fputc ('?', file);
    }
}

static void
dump_poly_as_is (FILE *file, const use_region *region, const use_poly &p)
{
  if (p.n == 0)
    fputc ('0', file);
  for (unsigned i = 0; i < p.n; i++)
    {
      const use_term &t = p.terms[i];
      HOST_WIDE_INT k = t.k;
      if (i)
	{
	  fputs (k < 0 ? " - " : " + ", file);
	  k = k < 0 ? -k : k;
	}
      if (k != 1 || t.n == 0)
	fprintf (file, HOST_WIDE_INT_PRINT_DEC "%s", k, t.n ? "*" : "");
      for (unsigned j = 0; j < t.n; j++)
	{
	  if (j)
	    fputc ('*', file);
	  dump_atom (file, region, use_atoms[t.atom[j]]);
	}
    }
}

/* Iterations stand there by their dimensions' numbers.  */
static void
dump_sample (FILE *file, const use_region *region, const use_ref *ref)
{
  static const char *const kinds[]
    = { "", "shared", "loop", "positive", "zero", "nonzero", "part" };
  fputs (" sample", file);
  for (unsigned i = 0; i < ref->steps.length (); i++)
    {
      const use_step *step = &ref->steps[i];
      fprintf (file, " %s", kinds[step->kind]);
      if (step->known)
	{
	  fputs (" {", file);
	  dump_poly (file, region, step->code);
	  fputc ('}', file);
	}
      else
	fprintf (file, " %.4g", step->value);
    }
  fputs (" at ", file);
  if (ref->place_known)
    dump_poly (file, region, ref->place);
  else
    fputc ('?', file);
}

char *
use_poly_text (const use_region *region, const use_poly &p)
{
  char *text = NULL;
  size_t size;
  FILE *file = open_memstream (&text, &size);
  if (!file)
    return xstrdup ("?");
  dump_poly (file, region, p);
  fclose (file);
  return text;
}

/* REF in terms of LO and HI.  */
static void
dump_range (FILE *file, const use_region *region, const use_ref *ref)
{
  if (!region->region->split_lo || !(ref->flags & UMMGR_REF_AFFINE))
    return;
  fprintf (file, ";; ummgr:     range line %u base ", ref->line);
  dump_poly_as_is (file, region, ref->base);
  for (unsigned i = 0; i < ref->dims.length (); i++)
    {
      fputs (" [", file);
      dump_poly_as_is (file, region, ref->dims[i].stride);
      fputs (" x ", file);
      dump_poly_as_is (file, region, ref->dims[i].extent);
      fputc (']', file);
    }
  fputc ('\n', file);
}

static void
dump_ref (FILE *file, const use_region *region, const use_ref *ref)
{
  fprintf (file, ";; ummgr:     ref line %u %s%s size %u frequency %.4g %s",
	   ref->line, ref->flags & UMMGR_REF_READ ? "r" : "",
	   ref->flags & UMMGR_REF_WRITE ? "w" : "", ref->size, ref->frequency,
	   ref->flags & (UMMGR_REF_EXACT | UMMGR_REF_SLOPED) ? "exact"
	   : ref->flags & UMMGR_REF_AFFINE ? "affine"
	   : ref->flags & UMMGR_REF_DATA ? "data-dependent" : "unknown");
  if (ref->flags & UMMGR_REF_COUNTED)
    fputs (" counted", file);
  if (ref->flags & UMMGR_REF_AFFINE)
    {
      fputs (" base ", file);
      dump_poly (file, region, ref->base);
    }
  for (unsigned i = 0; i < ref->dims.length (); i++)
    {
      const use_ref_dim *dim = &ref->dims[i];
      fprintf (file, dim->shared ? " shared [" : " inner [");
      dump_poly (file, region, dim->stride);
      fputs (" x ", file);
      dump_poly (file, region, dim->count);
      if (!use_equal (use_whole (region, dim->count),
		      use_whole (region, dim->extent)))
	{
	  fputs (" most ", file);
	  dump_poly (file, region, dim->extent);
	}
      if (ref->flags & UMMGR_REF_SLOPED && dim->of)
	{
	  fputs (" by row ", file);
	  dump_poly (file, region, dim->first);
	  fputs (" + X * ", file);
	  dump_poly (file, region, dim->slope);
	  fputs (" from ", file);
	  dump_poly (file, region, dim->skip);
	  fputs (" + X * ", file);
	  dump_poly (file, region, dim->skip_slope);
	}
      fputc (']', file);
    }
  if (!ref->steps.is_empty ())
    dump_sample (file, region, ref);
  fprintf (file, "%s%s\n", ref->why ? " why " : "", ref->why ? ref->why : "");
  if (ref->flags & UMMGR_REF_CERTAIN)
    fprintf (file, ";; ummgr:     certain line %u %s\n", ref->line,
	     ref->flags & UMMGR_REF_WRITE ? "w" : "r");
  dump_range (file, region, ref);
}

/* How REGION can be run by ranges, and what that gives for references.  */
static void
dump_split (FILE *file, const use_region *region)
{
  const ummgr_region *source = region->region;
  if (!source->split_lo)
    return;
  fprintf (file, ";; ummgr:   ranges in arguments %u and %u of ",
	   source->split_lo - 1, source->split_lo);
  if (region->outer_known)
    dump_poly (file, region, region->outer);
  else
    fputc ('?', file);
  const unsigned flags = split_flags (region), bounds = UMMGR_SPLIT_BOUNDS | UMMGR_SPLIT_ALL_BOUNDS;
  fprintf (file, " flags %#x %strip ", flags & ~bounds,
	   flags & UMMGR_SPLIT_ALL_BOUNDS ? "all bounds " : flags & UMMGR_SPLIT_BOUNDS ? "bounds " : "");
  if (region->trip_known)
    dump_poly_as_is (file, region, region->trip);
  else
    fputc ('?', file);
  fputc ('\n', file);
  for (unsigned i = 0; i < source->reductions.length (); i++)
    fprintf (file, ";; ummgr:   reduction %s %s of argument %d\n",
	     source->reductions[i].operation, source->reductions[i].type,
	     (int) source->reductions[i].arg - 1);
}

static void
dump_clause (FILE *file, const use_region *region, const char *name, const use_clause *clause)
{
  if (!clause->given)
    return;
  fprintf (file, " %s ", name);
  if (clause->known)
    dump_poly (file, region, clause->value);
  else
    fputc ('?', file);
}

static void
dump_sharing (FILE *file, const use_region *region, const char *name,
	      const ummgr_sharing *s, const use_clause *found)
{
  static const char *const kinds[] = UMMGR_SCHEDULE_NAMES;
  if (s->kind == UMMGR_SCHEDULE_NONE)
    return;
  fprintf (file, " %s %s", name, kinds[s->kind]);
  use_clause chunk = chunk_of (s, found);
  dump_clause (file, region, "by", &chunk);
}

/* How REGION's iterations are shared out, where clauses say so.  */
static void
dump_share (FILE *file, const use_region *region)
{
  const ummgr_region *source = region->region;
  if (!region->teams.given && !region->threads.given
      && source->distribute.kind == UMMGR_SCHEDULE_NONE
      && source->shared.kind == UMMGR_SCHEDULE_NONE)
    return;
  fputs (";; ummgr:   share", file);
  dump_clause (file, region, "num_teams", &region->teams);
  dump_clause (file, region, "thread_limit", &region->threads);
  dump_sharing (file, region, "dist_schedule", &source->distribute, &region->distribute_chunk);
  dump_sharing (file, region, "schedule", &source->shared, &region->shared_chunk);
  fputc ('\n', file);
}

/* The end of a line: what FLAGS, enum ummgr_use_flag, say, and WHY, or NULL.  */
static void
dump_use (FILE *file, unsigned flags, const char *why)
{
  fprintf (file, "%s%s%s%s%s\n", flags & UMMGR_USE_READ ? " read" : "",
	   flags & UMMGR_USE_WRITE ? " written" : "", flags & UMMGR_USE_UNKNOWN ? " unknown" : "",
	   why ? " why " : "", why ? why : "");
}

void
use_dump (FILE *file, use_region *region)
{
  fprintf (file, ";; ummgr: use of region %s trip ", region->region->name);
  if (region->trip_known)
    dump_poly (file, region, region->trip);
  else
    fputc ('?', file);
  fprintf (file, "%s\n", !region->trip_known ? ""
			 : region->trip_exact ? " exact"
			 : region->trip_counted ? " counted" : " estimated");
  dump_split (file, region);
  dump_share (file, region);
  use_work_dump (file, region);
  for (unsigned i = 0; i < region->arg_flags.length (); i++)
    {
      if (region->region->args[i].hidden)
	continue;
      fprintf (file, ";; ummgr:   use %s", region->region->args[i].name);
      dump_use (file, region->arg_flags[i], region->arg_why[i]);
      for (unsigned j = 0; j < region->refs.length (); j++)
	if (region->refs[j]->arg == i)
	  dump_ref (file, region, region->refs[j]);
    }
  for (unsigned i = 0; i < region->statics.length (); i++)
    {
      fprintf (file, ";; ummgr:   static %s", use_arg_name (region, USE_STATICS + i));
      dump_use (file, region->statics[i].flags, region->statics[i].why);
      for (unsigned j = 0; j < region->static_refs.length (); j++)
	if (region->static_refs[j]->arg == USE_STATICS + i)
	  dump_ref (file, region, region->static_refs[j]);
    }
  for (unsigned i = 0; i < region->members.length (); i++)
    {
      const use_member *member = &region->members[i];
      unsigned base = region->arg_flags.length () + i;
      fprintf (file, ";; ummgr:   behind %s@%d", use_arg_name (region, member->arg),
	       (int) member->offset);
      dump_use (file, member->flags, NULL);
      for (unsigned j = 0; j < region->member_refs.length (); j++)
	if (region->member_refs[j]->arg == base)
	  dump_ref (file, region, region->member_refs[j]);
    }
}
