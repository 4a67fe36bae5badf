/* The texts, remedies and fix-its of the warnings.
   SPDX-License-Identifier: GPL-3.0-or-later

   Owns the suspects until the unit is complete: only then is known what the
   functions do that their regions call, and whether all instances of a template
   agree.  #pragma GCC diagnostic knows no plugin's options, so what is switched
   off is switched off for the unit, by -fplugin-arg-ummgr-no-NAME.  */

#include "warn/warn.h"
#include "gcc-rich-location.h"

const char *const ummgr_warn_names[UMMGR_WARNINGS]
  = { "unread", "unwritten", "overwritten", "unused", "remapped" };

bool ummgr_warn_enabled[UMMGR_WARNINGS] = { true, true, true, true, true };

/* What was found about a clause; WARNING is UMMGR_WARNINGS where nothing is
   wrong.  */
struct finding
{
  ummgr_suspect suspect;
  unsigned warning;
};

static vec<finding> findings;

bool
ummgr_warn_disable (const char *key)
{
  if (!startswith (key, "no-"))
    return false;
  for (unsigned i = 0; i < UMMGR_WARNINGS; i++)
    if (strcmp (key + strlen ("no-"), ummgr_warn_names[i]) == 0)
      {
	ummgr_warn_enabled[i] = false;
	return true;
      }
  return false;
}

void
ummgr_warn_suspect (const ummgr_suspect *suspect)
{
  finding f = { *suspect, UMMGR_WARNINGS };
  findings.safe_push (f);
}

/* --- verdicts --------------------------------------------------------------- */

static bool
kind_copies_in (unsigned kind)
{
  return kind == GOMP_MAP_TO || kind == GOMP_MAP_TOFROM;
}

static bool
kind_copies_out (unsigned kind)
{
  return kind == GOMP_MAP_FROM || kind == GOMP_MAP_TOFROM;
}

/* The roots that an access of S may have.  */
static ummgr_roots
suspect_roots (const ummgr_suspect *s)
{
  return (ummgr_roots) 1 << s->item | (s->unaliased ? 0 : UMMGR_ROOTS_ANY);
}

/* What to warn of, given what the region does.  A partial overwrite of
   something mapped tofrom needs the copy in for the rest.  */
static unsigned
suspect_judge (const ummgr_suspect *s)
{
  ummgr_roots mask = suspect_roots (s);
  bool read = s->effects->read & mask, written = s->effects->written & mask;
  bool covered = s->covered && (!read || s->covered_read);
  if (!read && !written)
    return s->effects->named >> s->item & 1 ? UMMGR_WARNINGS
					    : UMMGR_WARN_UNUSED;
  if (kind_copies_in (s->map_kind))
    {
      if (!read && (covered || s->map_kind == GOMP_MAP_TO)
	  && (ummgr_warn_enabled[UMMGR_WARN_UNREAD] || !covered))
	return UMMGR_WARN_UNREAD;
      if (covered)
	return UMMGR_WARN_OVERWRITTEN;
    }
  return kind_copies_out (s->map_kind) && !written ? UMMGR_WARN_UNWRITTEN
						   : UMMGR_WARNINGS;
}

/* May another region be there while S is mapped?  Who comes first copies for
   both, and who goes last copies back for both: then only what is overwritten
   whole, which would be a race with all others, and what a region doesn't use
   at all can do with less.  A data construct's body may wait for others that rely
   on it.  And what the host changes within a data construct is lost when it is
   copied back, which the program may show.  */
static bool
warning_is_safe (unsigned warning, const ummgr_suspect *s)
{
  if (s->data && kind_copies_out (s->map_kind)
      && s->effects->host_written & suspect_roots (s))
    return false;
  bool concurrent = s->concurrent || (ummgr_warn_unit.nowait && !s->unaliased);
  if (concurrent && s->data && warning == UMMGR_WARN_UNUSED)
    return false;
  return !concurrent || warning == UMMGR_WARN_UNUSED
	 || (warning != UMMGR_WARN_UNWRITTEN && s->map_kind == GOMP_MAP_TOFROM);
}

/* --- fix-its ---------------------------------------------------------------- */

/* TEXT from AT on without blanks.  */
static const char *
blanks_skip (const char *at)
{
  return at + strspn (at, " \t");
}

/* Does the clause whose first list item stands at ITEM end with it?  */
static bool
item_is_alone (const char *item)
{
  int depth = 0;
  for (; *item; item++)
    if (strchr ("([{", *item))
      depth++;
    else if (strchr (")]}", *item))
      {
	if (depth-- == 0)
	  return true;
      }
    else if (*item == ',' && !depth)
      return false;
  return false;
}

/* The map type of the clause of a single item whose parenthesis stands at
   CLAUSE, and its item; NULL where that isn't what stands there.  */
static const char *
map_type_parse (const char *clause, unsigned *length, const char **item)
{
  static const char *const types[] = { "tofrom", "from", "alloc", "to" };
  if (*clause != '(')
    return NULL;
  const char *type = blanks_skip (clause + 1);
  for (unsigned i = 0; i < ARRAY_SIZE (types); i++)
    {
      *length = strlen (types[i]);
      const char *colon = startswith (type, types[i])
			  ? blanks_skip (type + *length) : "";
      *item = *colon ? blanks_skip (colon + 1) : NULL;
      if (*colon == ':' && item_is_alone (*item))
	return type;
    }
  return NULL;
}

/* The map type in TEXT, a line, of the clause that a location at COLUMN, from
   1, stands for: that of the parenthesis in C, of the list item in C++.  NULL
   where there is none to be found with certainty.  */
static const char *
map_type_find (const char *text, unsigned column, unsigned *length)
{
  const char *at = text + column - 1, *item;
  if (*at == '(')
    return map_type_parse (at, length, &item);
  for (const char *p = at; p-- > text; )
    if (*p == '(')
      {
	const char *type = map_type_parse (p, length, &item);
	return type && item == at ? type : NULL;
      }
  return NULL;
}

/* Let LOCATION offer TYPE in place of what is written in the clause.  */
static void
fixit_add (rich_location *rich, location_t location, const char *type)
{
  expanded_location x = expand_location (location);
  if (!x.file || !x.column
      || linemap_location_from_macro_expansion_p (line_table, location))
    return;
  char_span line = ummgr_source_line_get (x.file, x.line);
  if (!line || (size_t) x.column > line.length ())
    return;
  char *text = xstrndup (line.get_buffer (), line.length ());
  unsigned length;
  const char *found = map_type_find (text, x.column, &length);
  int column = found ? found - text + 1 : 0;
  free (text);
  if (!column)
    return;
  /* The offsets of linemap_position_for_loc_and_offset are unsigned.  */
  const line_map *map = linemap_lookup (line_table, get_start (location));
  if (!map || linemap_macro_expansion_map_p (map))
    return;
  const line_map_ordinary *ordinary = linemap_check_ordinary (map);
  location_t start = linemap_position_for_line_and_column
    (line_table, ordinary, x.line, column);
  location_t finish = linemap_position_for_line_and_column
    (line_table, ordinary, x.line, column + length - 1);
  rich->add_fixit_replace (source_range::from_locations (start, finish), type);
}

/* --- texts ------------------------------------------------------------------ */

/* The map type that WARNING suggests for S, or NULL: no clause at all.  */
static const char *
warning_remedy (unsigned warning, const ummgr_suspect *s)
{
  switch (warning)
    {
    case UMMGR_WARN_UNREAD:
    case UMMGR_WARN_OVERWRITTEN:
      return s->map_kind == GOMP_MAP_TO ? "alloc" : "from";
    case UMMGR_WARN_UNWRITTEN:
      return "to";
    default:
      return NULL;
    }
}

/* How to ask for WARNING alone; owned here.  */
static const char *
warning_option (unsigned warning)
{
  static char text[64];
  snprintf (text, sizeof text, "-fplugin-arg-ummgr-warn %s",
	    ummgr_warn_names[warning]);
  return text;
}

/* WARNING about S at RICH.  */
static bool
warning_emit (rich_location *rich, unsigned warning, const ummgr_suspect *s)
{
  const char *how = s->implicit ? "implicitly mapped and " : "";
  const char *option = warning_option (warning);
  bool data = s->data;
  switch (warning)
    {
    case UMMGR_WARN_UNREAD:
      return warning_at (rich, 0, "%qs is %scopied to the device, but %s it "
			 "[%s]", s->name, how,
			 data ? "no region in the construct reads"
			      : "the region never reads", option);
    case UMMGR_WARN_UNWRITTEN:
      return warning_at (rich, 0, "%qs is %scopied back from the device, but "
			 "%s it [%s]", s->name, how,
			 data ? "no region in the construct writes"
			      : "the region never writes", option);
    case UMMGR_WARN_OVERWRITTEN:
      return warning_at (rich, 0, "%qs is %scopied to the device, but the "
			 "region overwrites all of it before reading it [%s]",
			 s->name, how, option);
    default:
      return warning_at (rich, 0, "%qs is mapped, but %s it [%s]", s->name,
			 data ? "no region in the construct uses"
			      : "the region never uses", option);
    }
}

/* The remedy in words.  */
static void
remedy_note (const ummgr_suspect *s, const char *type)
{
  const char *dots = s->section ? "[...]" : "";
  if (!type)
    inform (s->location, "remove %qs from the map clause", s->name);
  else if (s->implicit)
    inform (s->location, "add %<map(%s: %s%s)%> to the construct", type,
	    s->name, dots);
  else
    inform (s->location, "use %<map(%s: %s%s)%>", type, s->name, dots);
}

static void
finding_report (const finding *f)
{
  const ummgr_suspect *s = &f->suspect;
  const char *type = warning_remedy (f->warning, s);
  gcc_rich_location rich (s->location);
  if (type && !s->implicit)
    fixit_add (&rich, s->location, type);
  auto_diagnostic_group group;
  if (warning_emit (&rich, f->warning, s))
    remedy_note (s, type);
}

/* Are A and B about the same clause, in instances of a template?  */
static bool
finding_same (const finding *a, const finding *b)
{
  return a->suspect.location == b->suspect.location
	 && strcmp (a->suspect.name, b->suspect.name) == 0;
}

void
ummgr_warn_finish (void *, void *)
{
  for (unsigned i = 0; i < findings.length (); i++)
    {
      ummgr_summary_resolve (findings[i].suspect.effects);
      findings[i].warning = suspect_judge (&findings[i].suspect);
      if (!warning_is_safe (findings[i].warning, &findings[i].suspect))
	findings[i].warning = UMMGR_WARNINGS;
    }
  /* Instances of a template must agree.  Quadratic, but units have few.  */
  for (unsigned i = 0; i < findings.length (); i++)
    {
      finding *f = &findings[i];
      bool seen = false;
      for (unsigned k = 0; k < i && !seen; k++)
	seen = finding_same (&findings[k], f);
      for (unsigned k = i + 1; k < findings.length () && !seen; k++)
	if (finding_same (&findings[k], f) && findings[k].warning != f->warning)
	  f->warning = UMMGR_WARNINGS;
      if (!seen && f->warning < UMMGR_WARNINGS
	  && ummgr_warn_enabled[f->warning])
	finding_report (f);
    }
}

/* --- loops ------------------------------------------------------------------ */

static vec<ummgr_remapped> remapped_clauses;

void
ummgr_warn_remapped (const ummgr_remapped *remapped)
{
  remapped_clauses.safe_push (*remapped);
}

/* Was no clause written?  */
static bool
clause_is_implicit (const ummgr_clause *c)
{
  return c->location == UNKNOWN_LOCATION || c->location == c->construct;
}

/* Is all that was found about the clause C, in each instance of a template, as
   HOLDS says?  False where nothing was.  */
template<typename T>
static bool
clause_holds (const ummgr_clause *c, T holds)
{
  bool found = false;
  location_t location = clause_is_implicit (c) ? c->construct : c->location;
  for (unsigned i = 0; i < findings.length (); i++)
    {
      const ummgr_suspect *s = &findings[i].suspect;
      if (s->location != location || strcmp (s->name, c->name) != 0)
	continue;
      if (!holds (s))
	return false;
      found = true;
    }
  return found;
}

/* Does one map around the loop do as well?  Data that is only copied to the
   device must be the same there each time.  */
static bool
remapped_is_safe (const ummgr_remapped *r)
{
  if (!r->in_vain)
    return false;
  for (unsigned i = 0; i < r->read_only.length (); i++)
    if (!clause_holds (&r->read_only[i], [] (const ummgr_suspect *s)
		       {
			 return !(s->effects->written & suspect_roots (s));
		       }))
      return false;
  return clause_holds (&r->clause, [r] (const ummgr_suspect *s)
		       {
			 return !s->concurrent && !(r->copied_back && s->left);
		       });
}

/* What R's map around the loop is to be.  As the clause is: a copy in that its region
   overwrites is needed for a loop that has no iteration.  */
static void
remapped_note (const ummgr_remapped *r)
{
  const ummgr_clause *c = &r->clause;
  const char *dots = clause_holds (c, [] (const ummgr_suspect *s) { return s->section; })
		     ? "[...]" : "";
  const char *same = r->named ? " with the same device clause" : "";
  const char *proviso = r->there ? "" : ", if it has an iteration";
  /* No jump may lead out of a data construct.  */
  if (!clause_holds (c, [] (const ummgr_suspect *s) { return !s->left; }))
    inform (c->construct, "map %qs once, by %<target enter data map(to: %s%s)%>%s before "
	    "the loop that this construct is in, and %<target exit data map(%s: "
	    "%s%s)%> wherever it is left%s", c->name, c->name, dots, same,
	    r->copied_back ? "from" : "release", c->name, dots, proviso);
  else
    inform (c->construct, "map %qs once, by %<target data map(%s: %s%s)%>%s around the "
	    "loop that this construct is in%s", c->name,
	    r->copied_back ? "tofrom" : "to", c->name, dots, same, proviso);
}

static void
remapped_report (const ummgr_remapped *r)
{
  const ummgr_clause *c = &r->clause;
  bool implicit = clause_is_implicit (c);
  auto_diagnostic_group group;
  if (!warning_at (implicit ? c->construct : c->location, 0,
		   "%qs is %scopied to the device each time around the loop, but "
		   "the host does not change it in between [%s]", c->name,
		   implicit ? "implicitly mapped and " : "",
		   warning_option (UMMGR_WARN_REMAPPED)))
    return;
  remapped_note (r);
}

/* Each clause once: instances of a template have the same ones, which must all
   be safe.  */
void
ummgr_warn_remapped_finish (void *, void *)
{
  hash_map<nofree_string_hash, const ummgr_remapped *> reported;
  auto_vec<char *> keys;
  for (unsigned i = 0; i < remapped_clauses.length (); i++)
    {
      const ummgr_remapped *r = &remapped_clauses[i];
      keys.safe_push (xasprintf ("%u %s", (unsigned) r->clause.location,
				 r->clause.name));
      bool known;
      const ummgr_remapped *&verdict = reported.get_or_insert (keys[i], &known);
      if (!known || verdict)
	verdict = remapped_is_safe (r) ? r : NULL;
    }
  for (unsigned i = 0; i < remapped_clauses.length (); i++)
    if (*reported.get (keys[i]) == &remapped_clauses[i])
      remapped_report (&remapped_clauses[i]);
  for (unsigned i = 0; i < remapped_clauses.length (); i++)
    {
      free (keys[i]);
      remapped_clauses[i].read_only.release ();
    }
  remapped_clauses.release ();
  findings.release ();
}
