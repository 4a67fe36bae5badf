/* Are the tables of a program in several files those of the same in one?
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: random-use-same [-f] ONE.json OTHER.json, as `ummgr tables --json'
   writes them.  A region is known by its function and the place in the source
   that it says it is from.  Its arguments and uses must be the same, and of its
   flow all numbers, but for rounding; with -f these only.  Complaints go to
   standard error; exits 1 if there are any.

   A table's order and the numbers in regions' names differ between files.  */

#include <jansson.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COMPLAINTS = 20, KEY = 256 };

static unsigned wrong;

static void
complain (const char *where, const char *what, const json_t *a, const json_t *b)
{
  if (wrong++ >= COMPLAINTS)
    return;
  char *x = a ? json_dumps (a, JSON_ENCODE_ANY | JSON_SORT_KEYS) : NULL;
  char *y = b ? json_dumps (b, JSON_ENCODE_ANY | JSON_SORT_KEYS) : NULL;
  fprintf (stderr, "%s: %s: %s, but %s\n", where, what, x ? x : "none",
	   y ? y : "none");
  free (x);
  free (y);
}

static const char *
text_of (const json_t *object, const char *name)
{
  const char *text = json_string_value (json_object_get (object, name));
  return text ? text : "";
}

/* What REGION is in either program.  */
static void
key_make (const json_t *region, char key[KEY])
{
  snprintf (key, KEY, "%s %s:%" JSON_INTEGER_FORMAT ":%" JSON_INTEGER_FORMAT,
	    text_of (region, "in_function"), text_of (region, "file"),
	    json_integer_value (json_object_get (region, "line")),
	    json_integer_value (json_object_get (region, "column")));
}

/* The regions of FILE by key; NAMES gets the keys by name.  */
static json_t *
regions_read (const char *file, json_t *names)
{
  json_error_t error;
  json_t *root = json_load_file (file, 0, &error), *out = json_object ();
  size_t i, j, k;
  json_t *object, *table, *region;
  if (!root)
    {
      fprintf (stderr, "%s: %s\n", file, error.text);
      exit (2);
    }
  json_array_foreach (json_object_get (root, "objects"), i, object)
    json_array_foreach (json_object_get (object, "tables"), j, table)
      json_array_foreach (json_object_get (table, "regions"), k, region)
	{
	  char key[KEY];
	  key_make (region, key);
	  if (json_object_get (out, key))
	    complain (key, "twice", region, NULL);
	  json_object_set (out, key, region);
	  json_object_set_new (names, text_of (region, "name"),
			       json_string (key));
	}
  json_decref (root);
  return out;
}

static bool
numbers_equal (const json_t *a, const json_t *b)
{
  double x = json_number_value (a), y = json_number_value (b);
  return json_is_number (a) && json_is_number (b)
	 && fabs (x - y) <= 1e-6 * fmax (fabs (x), fabs (y));
}

static bool
same (const json_t *a, const json_t *b)
{
  return numbers_equal (a, b) || json_equal (a, b);
}

static void
fields_compare (const char *where, const json_t *a, const json_t *b,
		const char *const *names)
{
  for (; *names; names++)
    if (!same (json_object_get (a, *names), json_object_get (b, *names)))
      complain (where, *names, json_object_get (a, *names),
		json_object_get (b, *names));
}

/* What follows a region, by key.  */
static json_t *
next_of (const json_t *flow, const json_t *names)
{
  json_t *out = json_object (), *next;
  size_t i;
  json_array_foreach (json_object_get (flow, "next"), i, next)
    json_object_set (out,
		     text_of (names, text_of (next, "region")), next);
  return out;
}

static void
flow_compare (const char *where, const json_t *a, const json_t *b,
	      const json_t *names_a, const json_t *names_b)
{
  static const char *const fields[]
    = { "frequency", "exact", "recursive", "clamped", "assumed", NULL };
  static const char *const numbers[] = { "distance", "probability", NULL };
  json_t *x = next_of (a, names_a), *y = next_of (b, names_b), *value;
  const char *key;
  fields_compare (where, a, b, fields);
  json_object_foreach (x, key, value)
    {
      char both[2 * KEY + 8];
      snprintf (both, sizeof both, "%s then %s", where, key);
      if (json_object_get (y, key))
	fields_compare (both, value, json_object_get (y, key), numbers);
      else
	complain (both, "next", value, NULL);
    }
  json_object_foreach (y, key, value)
    if (!json_object_get (x, key))
      complain (where, "next", NULL, value);
  json_decref (x);
  json_decref (y);
}

static void
region_compare (const char *where, const json_t *a, const json_t *b)
{
  static const char *const fields[]
    = { "constructs", "collapse", "flags", "trip", NULL };
  static const char *const arg_fields[]
    = { "name", "type", "map", "class", "element_size", "use", NULL };
  const json_t *x = json_object_get (a, "arguments");
  const json_t *y = json_object_get (b, "arguments");
  fields_compare (where, a, b, fields);
  if (json_array_size (x) != json_array_size (y))
    complain (where, "arguments", x, y);
  else
    for (size_t i = 0; i < json_array_size (x); i++)
      fields_compare (where, json_array_get (x, i), json_array_get (y, i),
		      arg_fields);
}

int
main (int argc, char **argv)
{
  bool flow_only = argc > 1 && strcmp (argv[1], "-f") == 0;
  if (argc != 3 + flow_only)
    return 2;
  json_t *names_a = json_object (), *names_b = json_object (), *value;
  json_t *a = regions_read (argv[1 + flow_only], names_a);
  json_t *b = regions_read (argv[2 + flow_only], names_b);
  const char *key;
  unsigned compared = 0;
  json_object_foreach (a, key, value)
    {
      const json_t *other = json_object_get (b, key);
      if (!other)
	{
	  complain (key, "region", value, NULL);
	  continue;
	}
      if (!flow_only)
	region_compare (key, value, other);
      flow_compare (key, json_object_get (value, "flow"),
		    json_object_get (other, "flow"), names_a, names_b);
      compared++;
    }
  if (json_object_size (b) != json_object_size (a))
    complain ("all", "numbers of regions", NULL, NULL);
  printf ("%u regions compared, %u differences\n", compared, wrong);
  json_decref (a);
  json_decref (b);
  json_decref (names_a);
  json_decref (names_b);
  return wrong || !compared;
}
