/* Reading the statistics of runs, and finding regions in them.
   SPDX-License-Identifier: GPL-3.0-or-later

   Owns what was read, until GCC ends, and the numbers of the unit's conditions.  */

/* Before GCC's headers, which forbid names that this one uses.  */
#include <jansson.h>
#include "count/count.h"
#include "ummgr-table.h"

struct stats_file
{
  const char *name;
  const json_t *regions;
};

static vec<stats_file> files;

static bool
count_refuse (const char *file, const char *why)
{
  error ("ummgr plugin: cannot take launches from %qs: %s; give it what "
	 "%<ummgr run --stats=%> wrote", file, why);
  return false;
}

/* The number NAME of OBJECT; negative if it is not there, or none.  */
static json_int_t
number_of (const json_t *object, const char *name)
{
  const json_t *n = json_object_get (object, name);
  return json_is_integer (n) ? json_integer_value (n) : -1;
}

/* Are the conditions that R, an entry, has, ones?  */
static bool
decided_are_good (const json_t *r)
{
  const json_t *all = json_object_get (r, "decided");
  bool good = !all || json_is_array (all);
  for (size_t i = 0; good && i < json_array_size (all); i++)
    {
      const json_t *one = json_array_get (all, i);
      json_int_t times = number_of (one, "times"), held = number_of (one, "held");
      good = number_of (one, "code") >= 0 && number_of (one, "number") >= 0
	     && held >= 0 && held <= times;
    }
  return good;
}

static bool
entry_is_good (const json_t *r)
{
  return json_is_string (json_object_get (r, "unit"))
	 && json_is_string (json_object_get (r, "function"))
	 && json_is_integer (json_object_get (r, "ordinal"))
	 && json_is_integer (json_object_get (r, "checksum"))
	 && number_of (r, "times") >= 0 && decided_are_good (r);
}

static bool
file_open (const char *file)
{
  json_error_t wrong;
  json_t *stats = json_load_file (file, 0, &wrong);
  if (!stats)
    {
      char *why = wrong.line > 0 ? xasprintf ("line %d: %s", wrong.line, wrong.text)
		  : xstrdup (wrong.text);
      count_refuse (file, why);
      free (why);
      return false;
    }
  const json_t *regions = json_object_get (stats, "launched");
  if (!json_is_array (regions))
    return count_refuse (file, "it has no array \"launched\"");
  json_int_t launches = 0;
  for (size_t i = 0; i < json_array_size (regions); i++)
    {
      const json_t *r = json_array_get (regions, i);
      if (!entry_is_good (r))
	return count_refuse (file, "an entry of \"launched\" is not one");
      launches |= number_of (r, "times");
    }
  if (!launches)
    return count_refuse (file, "no region was launched in that run");
  files.safe_push ({ xstrdup (file), regions });
  return true;
}

bool
count_open (const char *list)
{
  bool good = true;
  char *names = xstrdup (list), *save;
  for (char *name = strtok_r (names, ",", &save); name && good;
       name = strtok_r (NULL, ",", &save))
    good = file_open (name);
  free (names);
  return good;
}

/* How well R, an entry of the statistics, fits REGION of this unit: 0: not at all, 1: in a
   unit of the same name elsewhere, 2: in this one.  */
static int
entry_fits (const json_t *r, const ummgr_region *region)
{
  const char *unit = json_string_value (json_object_get (r, "unit"));
  const char *own = main_input_filename ? remap_debug_filename (main_input_filename) : "";
  if (strcmp (json_string_value (json_object_get (r, "function")), region->function) != 0
      || number_of (r, "ordinal") != region->ordinal
      || strcmp (lbasename (unit), lbasename (own)) != 0)
    return 0;
  return strcmp (unit, own) == 0 ? 2 : 1;
}

/* The entry that is REGION's in FILE, or NULL: of several from elsewhere nobody knows
   which.  */
static const json_t *
entry_find (const stats_file *file, const ummgr_region *region)
{
  const json_t *found = NULL;
  int best = 0;
  for (size_t i = 0; i < json_array_size (file->regions); i++)
    {
      const json_t *r = json_array_get (file->regions, i);
      int fits = entry_fits (r, region);
      if (fits > best)
	found = r;
      else if (fits == best && fits == 1)
	found = NULL;
      best = MAX (fits, best);
    }
  return found;
}

/* Is R, if it is one, what was counted of REGION as it is now?  */
static bool
entry_is_fresh (const json_t *r, const ummgr_region *region)
{
  return r && number_of (r, "checksum") == region->checksum;
}

/* --- conditions -------------------------------------------------------------- */

/* What the statistics say of one region's conditions.  */
struct shares
{
  auto_vec<const json_t *> decided;	/* Arrays, one for each run.  */
  const char *file;		/* The first one's.  */
  double launches;		/* In these runs.  */
  bool asked, met;		/* For conditions, and of code that was counted.  */
};

static hash_map<const ummgr_region *, shares *> *shares_of;

static shares *
shares_get (const ummgr_region *region)
{
  if (!shares_of)
    shares_of = new hash_map<const ummgr_region *, shares *>;
  bool known;
  shares *&s = shares_of->get_or_insert (region, &known);
  if (known)
    return s;
  s = new shares ();
  for (unsigned i = 0; i < files.length (); i++)
    {
      const json_t *r = entry_find (&files[i], region);
      const json_t *decided = r ? json_object_get (r, "decided") : NULL;
      if (!entry_is_fresh (r, region) || json_array_size (decided) == 0)
	continue;
      s->file = s->file ? s->file : files[i].name;
      s->decided.safe_push (decided);
      s->launches += (double) number_of (r, "times");
    }
  return s;
}

/* What tells a function's code from other code, and its conditions from each other.  */
struct numbered
{
  unsigned code;
  hash_map<gimple *, unsigned> numbers;
};

static hash_map<function *, numbered *> *numbered_functions;

/* Debugging information doesn't count: ummgr_region_checksum leaves it out.  */
static numbered *
numbered_get (function *fun)
{
  if (!numbered_functions)
    numbered_functions = new hash_map<function *, numbered *>;
  bool known;
  numbered *&n = numbered_functions->get_or_insert (fun, &known);
  if (known)
    return n;
  n = new numbered ();
  basic_block block;
  unsigned count = 0;
  FOR_EACH_BB_FN (block, fun)
    {
      n->code = n->code * 31 + ummgr_region_checksum (bb_seq (block));
      if (gcond *cond = safe_dyn_cast <gcond *> (gsi_stmt (gsi_last_bb (block))))
	n->numbers.put (cond, count++);
    }
  return n;
}

bool
count_share_find (const ummgr_region *region, function *fun, gcond *cond, count_share *out)
{
  if (files.is_empty () && !count_enabled ())
    return false;
  numbered *n = numbered_get (fun);
  unsigned *number = n->numbers.get (cond);
  if (!number)
    return false;
  count_ask (region, fun, cond, n->code, *number);
  shares *s = shares_get (region);
  bool found = false;
  *out = { 0, 0 };
  s->asked = true;
  for (unsigned i = 0; i < s->decided.length (); i++)
    for (size_t j = 0; j < json_array_size (s->decided[i]); j++)
      {
	const json_t *one = json_array_get (s->decided[i], j);
	if (number_of (one, "code") != n->code)
	  continue;
	/* A condition that nobody came to is not there.  */
	found = true;
	if (number_of (one, "number") != *number)
	  continue;
	out->times += (double) number_of (one, "times");
	out->held += (double) number_of (one, "held");
      }
  s->met |= found;
  return found;
}

double
count_share_launches (const ummgr_region *region)
{
  return shares_get (region)->launches;
}

/* Say so where none of REGION's conditions was found, though some were counted.  */
static void
shares_check (const ummgr_region *region)
{
  const shares *s = shares_get (region);
  if (s->file && s->asked && !s->met)
    warning_at (region->location, 0, "the program whose run %qs is of was compiled with other "
		"options: how conditions in this region come out stays a guess; compile with "
		"the same, or run the program again as it is compiled now", s->file);
}

/* --- launches ---------------------------------------------------------------- */

/* Say that FILE, of another source, can't be used for REGION; ALONE: no other can.  */
static void
stale_warn (const ummgr_region *region, const char *file, bool alone)
{
  if (alone)
    warning_at (region->location, 0, "%qs has changed since the run that %qs is of: how often "
		"this region is launched stays a guess; run the program again for new "
		"statistics", region->in_function, file);
  else
    warning_at (region->location, 0, "%qs has changed since the run that %qs is of, or the "
		"runs are of different programs: of this region the other runs alone count; "
		"run the program again for new statistics", region->in_function, file);
}

/* REGION's launches in a run, on average of those of the statistics; negative where they
   don't say.  */
static double
region_counted (const ummgr_region *region)
{
  double launches = 0;
  unsigned runs = 0;
  const char *stale = NULL;
  for (unsigned i = 0; i < files.length (); i++)
    {
      const json_t *r = entry_find (&files[i], region);
      if (entry_is_fresh (r, region))
	{
	  launches += (double) number_of (r, "times");
	  runs++;
	}
      else if (r && !stale)
	stale = files[i].name;
    }
  if (stale)
    stale_warn (region, stale, runs == 0);
  else if (!runs)
    warning_at (region->location, 0, "the program whose run %qs is of did not have this "
		"region: how often it is launched stays a guess; run the program again for new "
		"statistics", files[0].name);
  else
    shares_check (region);
  return runs ? launches / runs : -1;
}

void
count_emit (const ummgr_region *region, double profiled, ummgr_strings *strings,
	    vec<char> *records)
{
  ummgr_count_record r = {};
  r.function = ummgr_string_add (strings, region->function);
  r.ordinal = region->ordinal;
  r.checksum = region->checksum;
  double launches = files.is_empty () ? -1 : region_counted (region);
  r.source = launches >= 0 ? UMMGR_COUNT_STATISTICS
	     : profiled >= 0 ? UMMGR_COUNT_PROFILE : UMMGR_COUNT_NONE;
  r.launches = launches >= 0 ? launches : MAX (profiled, 0);
  ummgr_bytes_append (records, &r, sizeof r);
  if (dump_file && r.source != UMMGR_COUNT_NONE)
    fprintf (dump_file, ";; ummgr: region %s counted %g launches in %s\n", region->name,
	     r.launches, r.source == UMMGR_COUNT_PROFILE ? "GCC's profile" : "statistics");
}
