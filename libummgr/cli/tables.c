/* `ummgr tables`: what the compiler plugin wrote into an object or program.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Prints what tables-read.c finds, as text or JSON.  No state.  */

#include "config.h"
#include "cli/tables.h"

#include "cli/cli.h"
#include "cli/options.h"
#include "base/log.h"
#include "ummgr-table.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

static const char *
or_dash (const char *text)
{
  return *text ? text : "-";
}

static void
print_arg (unsigned i, const struct ummgr_table_arg *arg)
{
  const char *map = ummgr_table_map_name (arg->map_kind);
  printf ("        %u %s: %s, %s, %s", i, or_dash (arg->name), map ? map : "-",
	  ummgr_table_class_name (arg->arg_class), or_dash (arg->type));
  if (arg->size)
    printf (", %" PRIu64 " bytes", arg->size);
  if (arg->element_size && arg->element_size != arg->size)
    printf (", elements of %" PRIu32, arg->element_size);
  if (*arg->file)
    printf (", declared at %s:%u", arg->file, arg->line);
  putchar ('\n');
}

static void
print_region (const struct ummgr_table_region *region,
	      const struct ummgr_sites *sites)
{
  char constructs[256];
  ummgr_table_construct_names (region->constructs, constructs,
			       sizeof constructs);
  printf ("    %s:%u:%u in %s\n      %s", or_dash (region->file), region->line,
	  region->column, or_dash (region->in_function), region->name);
  if (region->host_function)
    printf (" at 0x%" PRIxPTR, (uintptr_t) region->host_function);
  printf (": %s", constructs);
  if (region->collapse > 1)
    printf (", collapse %" PRIu32, region->collapse);
  unsigned shown = 0;
  for (unsigned i = 0; i < region->arg_count; i++)
    shown += !region->args[i].hidden;
  printf (", %u argument%s\n", shown, shown == 1 ? "" : "s");
  ummgr_cli_print_trip (region);
  ummgr_cli_print_split (region);
  ummgr_cli_print_share (region);
  ummgr_cli_print_ops (region);
  for (unsigned i = 0; i < region->arg_count; i++)
    {
      if (region->args[i].hidden)
	continue;
      print_arg (i, &region->args[i]);
      ummgr_cli_print_data (sites, &region->args[i]);
      ummgr_cli_print_use (region, i);
      ummgr_cli_print_live (&region->args[i]);
    }
  ummgr_cli_print_members (region);
  ummgr_cli_print_statics (region);
}

/* ummgr_cli_tables_read's callback.  */
static void
print_object (const struct ummgr_cli_object *object, void *data)
{
  (void) data;
  struct ummgr_flow *flow = ummgr_cli_flow_new (object);
  struct ummgr_sites *sites = ummgr_cli_sites_new (object);
  char file[PATH_MAX], member[256];
  printf ("%s%s%s%s:", ummgr_utf8_print (file, sizeof file, object->file),
	  object->member ? "(" : "",
	  ummgr_utf8_print (member, sizeof member,
			    object->member ? object->member : ""),
	  object->member ? ")" : "");
  if (object->unit_count == 0)
    puts (object->lto ? " no tables; this is LTO code, whose tables are made "
			"when it is linked"
		      : " no tables (no target region, or compiled without "
			"the plugin)");
  else
    putchar ('\n');
  for (size_t i = 0; i < object->unit_count; i++)
    {
      const struct ummgr_table_unit *unit = object->units[i];
      printf ("  %s (%s), %zu region%s\n", or_dash (unit->name),
	      or_dash (unit->compiler), unit->region_count,
	      unit->region_count == 1 ? "" : "s");
      for (size_t j = 0; j < unit->region_count; j++)
	{
	  print_region (&unit->regions[j], sites);
	  ummgr_cli_print_flow (flow, object, &unit->regions[j]);
	}
    }
  ummgr_flow_free (flow);
  ummgr_sites_free (sites);
}

static json_t *
json_bits (uint32_t bits, const char *const *names, size_t count)
{
  json_t *array = json_array ();
  for (size_t i = 0; i < count; i++)
    if (bits & (1u << i))
      json_array_append_new (array, json_string (names[i]));
  return array;
}

static json_t *
json_known (uint64_t number)
{
  return number ? json_integer ((json_int_t) number) : json_null ();
}

static json_t *
json_arg (const struct ummgr_table_arg *arg)
{
  const char *map = ummgr_table_map_name (arg->map_kind);
  json_t *out = json_object ();
  json_object_set_new (out, "name", ummgr_json_text (arg->name));
  json_object_set_new (out, "type", ummgr_json_text (arg->type));
  json_object_set_new (out, "map", map ? json_string (map) : json_null ());
  json_object_set_new (out, "class",
		       json_string (ummgr_table_class_name (arg->arg_class)));
  json_object_set_new (out, "size", json_known (arg->size));
  json_object_set_new (out, "element_size", json_known (arg->element_size));
  json_object_set_new (out, "file", ummgr_json_text (arg->file));
  json_object_set_new (out, "line", json_known (arg->line));
  return out;
}

static json_t *
json_region (const struct ummgr_table_region *region,
	     const struct ummgr_sites *sites)
{
  static const char *const constructs[] = UMMGR_CONSTRUCT_NAMES;
  static const char *const flags[] = UMMGR_REGION_FLAG_NAMES;
  json_t *out = json_object (), *args = json_array ();
  json_object_set_new (out, "name", ummgr_json_text (region->name));
  if (region->host_function)
    json_object_set_new (out, "address",
			 json_sprintf ("0x%" PRIxPTR,
				       (uintptr_t) region->host_function));
  json_object_set_new (out, "in_function",
		       ummgr_json_text (region->in_function));
  json_object_set_new (out, "title", ummgr_json_text (region->title));
  json_object_set_new (out, "file", ummgr_json_text (region->file));
  json_object_set_new (out, "line", json_known (region->line));
  json_object_set_new (out, "column", json_known (region->column));
  json_object_set_new (out, "constructs",
		       json_bits (region->constructs, constructs,
				  sizeof constructs / sizeof *constructs));
  json_object_set_new (out, "collapse", json_known (region->collapse));
  json_object_set_new (out, "flags",
		       json_bits (region->flags, flags,
				  sizeof flags / sizeof *flags));
  json_object_set_new (out, "trip", ummgr_cli_json_trip (region));
  json_object_set_new (out, "ranges", ummgr_cli_json_split (region));
  json_object_set_new (out, "share", ummgr_cli_json_share (region));
  json_object_set_new (out, "operations", ummgr_cli_json_ops (region));
  for (unsigned i = 0; i < region->arg_count; i++)
    {
      if (region->args[i].hidden)
	continue;
      json_t *arg = json_arg (&region->args[i]);
      json_object_set_new (arg, "use", ummgr_cli_json_use (region, i));
      json_object_set_new (arg, "then", ummgr_cli_json_live (&region->args[i]));
      json_object_set_new (arg, "data",
			   ummgr_cli_json_data (sites, &region->args[i]));
      json_array_append_new (args, arg);
    }
  json_object_set_new (out, "arguments", args);
  json_object_set_new (out, "statics", ummgr_cli_json_statics (region));
  return out;
}

static json_t *
json_unit (const struct ummgr_table_unit *unit,
	   const struct ummgr_cli_object *object, struct ummgr_flow *flow,
	   const struct ummgr_sites *sites)
{
  json_t *out = json_object (), *regions = json_array ();
  json_object_set_new (out, "unit", ummgr_json_text (unit->name));
  json_object_set_new (out, "compiler", ummgr_json_text (unit->compiler));
  json_object_set_new (out, "format", json_integer (unit->version));
  for (size_t i = 0; i < unit->region_count; i++)
    {
      json_t *region = json_region (&unit->regions[i], sites);
      json_object_set_new (region, "flow",
			   ummgr_cli_json_flow (flow, object,
						&unit->regions[i]));
      json_object_set_new (region, "not_counted",
			   ummgr_cli_json_uncounted (flow, &unit->regions[i]));
      json_array_append_new (regions, region);
    }
  json_object_set_new (out, "regions", regions);
  json_object_set_new (out, "sites", ummgr_cli_json_sites (unit));
  return out;
}

/* ummgr_cli_tables_read's callback; DATA is the array of objects.  */
static void
json_add_object (const struct ummgr_cli_object *object, void *data)
{
  json_t *out = json_object (), *units = json_array ();
  struct ummgr_flow *flow = ummgr_cli_flow_new (object);
  struct ummgr_sites *sites = ummgr_cli_sites_new (object);
  json_object_set_new (out, "file", ummgr_json_text (object->file));
  if (object->member)
    json_object_set_new (out, "member", ummgr_json_text (object->member));
  json_object_set_new (out, "linked", json_boolean (object->linked));
  json_object_set_new (out, "lto", json_boolean (object->lto));
  for (size_t i = 0; i < object->unit_count; i++)
    json_array_append_new (units, json_unit (object->units[i], object, flow,
					     sites));
  ummgr_flow_free (flow);
  ummgr_sites_free (sites);
  json_object_set_new (out, "tables", units);
  json_array_append_new (data, out);
}

const struct ummgr_option ummgr_tables_rows[] = {
  { .name = "json", .type = UMMGR_OPTION_FLAG, .help = "one JSON object", .letter = 'j' },
  { .name = NULL }
};

int
ummgr_cli_tables (int argc, char **argv)
{
  bool json = false;
  struct ummgr_cli_files files = { .what = "file", .usage = "FILE..." };
  if (!ummgr_cli_parse (ummgr_tables_rows, &json, &files,
			"Show the tables of target regions that the compiler "
			"plugin put into objects, archives, executables and "
			"shared objects.\vA size, type or name that the compiler "
			"did not know is shown as -.", argc, argv))
    return UMMGR_EXIT_FAILURE;
  bool good = true;
  json_t *objects = json_array ();
  for (int i = 0; i < files.count; i++)
    good &= ummgr_cli_tables_read (files.name[i],
				   json ? json_add_object : print_object,
				   objects);
  if (json)
    {
      json_t *out = json_pack ("{s:i, s:o}", "version", 1, "objects", objects);
      good &= ummgr_json_put (out, 17);
    }
  else
    json_decref (objects);
  return good ? 0 : UMMGR_EXIT_FAILURE;
}
