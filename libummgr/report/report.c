/* Reports: checking what is reported, and writing one to a file.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "report/value.h"
#include "base/log.h"
#include "base/output.h"

#include <stdint.h>
#include <string.h>

#define FORMAT_VERSION 1

/* All numbers of OBJECT are what a count can be, but for "device".  */
static bool
check_numbers (const char *name, const char *what, json_t *object)
{
  const char *key;
  json_t *value;
  json_object_foreach (object, key, value)
    if (json_is_number (value) && strcmp (key, "device") != 0
	&& !(json_number_value (value) >= 0
	     && (json_is_integer (value)
		 || json_number_value (value) < (double) INT64_MAX)))
      {
	ummgr_error ("%s: not ummgr's statistics: '%s' of %s is negative or "
		     "too large", name, key, what);
	return false;
      }
  return true;
}

static bool
check_array (const char *name, json_t *stats, const char *key, bool required)
{
  json_t *array = json_object_get (stats, key);
  if (!array && !required)
    return true;
  if (!json_is_array (array))
    {
      ummgr_error ("%s: not ummgr's statistics: no list '%s'", name, key);
      return false;
    }
  size_t i;
  json_t *item;
  json_array_foreach (array, i, item)
    {
      if (!json_is_object (item))
	{
	  ummgr_error ("%s: not ummgr's statistics: entry %zu of '%s' is no "
		       "object", name, i, key);
	  return false;
	}
      if (!check_numbers (name, key, item))
	return false;
    }
  return true;
}

/* Each entry of LIST ends after it begins.  */
static bool
check_times (const char *name, const json_t *stats, const char *list)
{
  static const char *const clocks[][2]
    = { { "t_model0", "t_model1" }, { "t_wall0", "t_wall1" },
	{ "t_elapsed0", "t_elapsed1" } };
  size_t i;
  const json_t *entry;
  json_array_foreach (json_object_get (stats, list), i, entry)
    for (int c = 0; c < 3; c++)
      if (ummgr_report_field (entry, clocks[c][0])
	  > ummgr_report_field (entry, clocks[c][1]))
	{
	  ummgr_error ("%s: not ummgr's statistics: entry %zu of '%s' "
		       "ends ('%s') before it begins ('%s')", name, i, list,
		       clocks[c][1], clocks[c][0]);
	  return false;
	}
  return true;
}

/* Older statistics have the first of them alone.  */
static bool
check_timelines (const char *name, json_t *stats)
{
  for (const char *const *list = ummgr_report_timelines; *list; list++)
    if (!check_array (name, stats, *list, false) || !check_times (name, stats, *list))
      return false;
  return true;
}

static bool
check_parts (const char *name, const json_t *stats)
{
  static const char *const parts[] = { "outside", "host_regions", "ended", "out_of_memory", "rank" };
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (!check_numbers (name, parts[i], json_object_get (stats, parts[i])))
      return false;
  return true;
}

enum ummgr_status
ummgr_report_check (const char *name, json_t *stats)
{
  const json_t *version = json_object_get (stats, "version");
  if (!json_is_integer (version))
    {
      ummgr_error ("%s: not ummgr's statistics: no 'version'", name);
      return UMMGR_ERR_INVALID;
    }
  if (json_integer_value (version) != FORMAT_VERSION)
    {
      ummgr_error ("%s: statistics of version %lld; this ummgr knows %d",
		   name, (long long) json_integer_value (version),
		   FORMAT_VERSION);
      return UMMGR_ERR_INVALID;
    }
  json_t *totals = json_object_get (stats, "totals");
  if (!json_is_object (totals))
    {
      ummgr_error ("%s: not ummgr's statistics: no 'totals'", name);
      return UMMGR_ERR_INVALID;
    }
  return check_numbers (name, "the run", stats)
    && check_numbers (name, "totals", totals)
    && check_parts (name, stats)
    && check_array (name, stats, "regions", true)
    && check_array (name, stats, "objects", true)
    && check_array (name, stats, "constructs", false)
    && check_timelines (name, stats)
    ? UMMGR_OK : UMMGR_ERR_INVALID;
}

static bool
is_html (const char *file)
{
  const char *dot = strrchr (file, '.');
  return dot && (strcmp (dot, ".html") == 0 || strcmp (dot, ".htm") == 0);
}

enum ummgr_status
ummgr_report_write (json_t *stats, const char *file)
{
  return ummgr_report_write_run (&(struct ummgr_report_run) { .stats = stats },
				 file);
}

static void
put_html (FILE *out, const void *run)
{
  ummgr_report_html (out, run, 1);
}

static void
put_text (FILE *out, const void *run)
{
  ummgr_report_text (out, run, 1);
}

enum ummgr_status
ummgr_report_write_run (const struct ummgr_report_run *given, const char *file)
{
  struct ummgr_report_run run = *given;
  enum ummgr_status status = ummgr_report_check (file, run.stats);
  if (status != UMMGR_OK)
    return status;
  if (!run.name)
    run.name = ummgr_report_string (run.stats, "program", "ummgr");
  return ummgr_output_write ("report", file,
			     is_html (file) ? put_html : put_text, &run);
}
