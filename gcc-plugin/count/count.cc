/* Reading the statistics of a run, and finding regions in them.
   SPDX-License-Identifier: GPL-3.0-or-later

   Owns what was read, until GCC ends.  */

/* Before GCC's headers, which forbid names that this one uses.  */
#include <jansson.h>
#include "count/count.h"

static const char *stats_file;
static const json_t *stats_regions;

static bool
count_refuse (const char *file, const char *why)
{
  error ("ummgr plugin: cannot take launches from %qs: %s; give it what "
	 "%<ummgr run --stats=%> wrote", file, why);
  return false;
}

bool
count_open (const char *file)
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
      const json_t *r = json_array_get (regions, i), *count = json_object_get (r, "times");
      if (!json_is_string (json_object_get (r, "unit"))
	  || !json_is_string (json_object_get (r, "function"))
	  || !json_is_integer (json_object_get (r, "ordinal"))
	  || !json_is_integer (json_object_get (r, "checksum"))
	  || !json_is_integer (count) || json_integer_value (count) < 0)
	return count_refuse (file, "an entry of \"launched\" is not one");
      launches |= json_integer_value (count);
    }
  if (!launches)
    return count_refuse (file, "no region was launched in that run");
  stats_file = xstrdup (file);
  stats_regions = regions;
  return true;
}

/* How well R, an entry of the statistics, fits REGION of this unit: 0: not at all, 1: in a
   unit of the same name elsewhere, 2: in this one.  */
static int
entry_fits (const json_t *r, const ummgr_region *region)
{
  const char *unit = json_string_value (json_object_get (r, "unit"));
  const char *own = main_input_filename ? remap_debug_filename (main_input_filename) : "";
  if (strcmp (json_string_value (json_object_get (r, "function")), region->function) != 0
      || json_integer_value (json_object_get (r, "ordinal")) != region->ordinal
      || strcmp (lbasename (unit), lbasename (own)) != 0)
    return 0;
  return strcmp (unit, own) == 0 ? 2 : 1;
}

/* The entry that is REGION's, or NULL: of several from elsewhere nobody knows which.  */
static const json_t *
entry_find (const ummgr_region *region)
{
  const json_t *found = NULL;
  int best = 0;
  for (size_t i = 0; i < json_array_size (stats_regions); i++)
    {
      const json_t *r = json_array_get (stats_regions, i);
      int fits = entry_fits (r, region);
      if (fits > best)
	found = r;
      else if (fits == best && fits == 1)
	found = NULL;
      best = MAX (fits, best);
    }
  return found;
}

/* REGION's launches by the statistics; negative where they don't say.  */
static double
region_counted (const ummgr_region *region)
{
  const json_t *r = entry_find (region);
  if (r && json_integer_value (json_object_get (r, "checksum")) == region->checksum)
    return (double) json_integer_value (json_object_get (r, "times"));
  if (r)
    warning_at (region->location, 0, "%qs has changed since the run that %qs is of: how often "
		"this region is launched stays a guess; run the program again for new "
		"statistics", region->in_function, stats_file);
  else
    warning_at (region->location, 0, "the program whose run %qs is of did not have this "
		"region: how often it is launched stays a guess; run the program again for new "
		"statistics", stats_file);
  return -1;
}

void
count_emit (const ummgr_region *region, double profiled, ummgr_strings *strings,
	    vec<char> *records)
{
  ummgr_count_record r = {};
  r.function = ummgr_string_add (strings, region->function);
  r.ordinal = region->ordinal;
  r.checksum = region->checksum;
  double launches = stats_file ? region_counted (region) : -1;
  r.source = launches >= 0 ? UMMGR_COUNT_STATISTICS
	     : profiled >= 0 ? UMMGR_COUNT_PROFILE : UMMGR_COUNT_NONE;
  r.launches = launches >= 0 ? launches : MAX (profiled, 0);
  ummgr_bytes_append (records, &r, sizeof r);
  if (dump_file && r.source != UMMGR_COUNT_NONE)
    fprintf (dump_file, ";; ummgr: region %s counted %g launches in %s\n", region->name,
	     r.launches, r.source == UMMGR_COUNT_PROFILE ? "GCC's profile" : stats_file);
}
