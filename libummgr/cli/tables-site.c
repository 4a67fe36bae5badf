/* Where the data of regions is allocated, for `ummgr tables'.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The tables of one object are composed as if they were the program: what other
   objects pass to this one has the name of where it comes in.  No state.  */

#include "config.h"
#include "cli/tables.h"

#include "cli/cli.h"
#include "ummgr-table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ummgr_sites *
ummgr_cli_sites_new (const struct ummgr_cli_object *object)
{
  return ummgr_sites_new ((const struct ummgr_table_unit *const *)
			  object->units, object->unit_count);
}

/* END, which is no site, for people: "parameter 1 of f".  */
static void
end_write (FILE *out, const struct ummgr_table_flow_end *end)
{
  switch (end->kind)
    {
    case UMMGR_FLOW_PARAMETER:
      fprintf (out, "parameter %u of %s", end->index + 1, end->name);
      break;
    case UMMGR_FLOW_RETURN:
      fprintf (out, "the result of %s", end->name);
      break;
    case UMMGR_FLOW_GLOBAL:
      fprintf (out, "the variable %s", end->name);
      break;
    default:
      fputs ("unknown", out);
    }
}

static bool
is_redirected (const struct ummgr_table_site *site)
{
  return site->flags & (UMMGR_SITE_REDIRECTED | UMMGR_SITE_REDIRECTED_IF);
}

/* Is SITE a variable, and no call?  */
static bool
is_variable (const struct ummgr_table_site *site)
{
  return strcmp (site->kind, "static") == 0
    || strcmp (site->kind, "automatic") == 0;
}

/* ummgr_sites_each's callback; DATA counts the sites.  */
static void
print_end (const struct ummgr_table_flow_end *end, void *data)
{
  int *sites = data;
  const struct ummgr_table_site *site = end->site;
  if (!site)
    {
      printf ("          data: %s", *sites ? "or from elsewhere, by " : "from ");
      end_write (stdout, end);
      putchar ('\n');
      return;
    }
  ++*sites;
  if (is_variable (site))
    printf ("          data: the %s variable %s at ", site->kind,
	    *site->variable ? site->variable : "-");
  else
    printf ("          data: allocated by %s at ", site->kind);
  printf ("%s:%u", *site->file ? site->file : "-", site->line);
  if (*site->function)
    printf (" in %s", site->function);
  if (*site->variable && !is_variable (site))
    printf (" for %s", site->variable);
  puts (is_redirected (site) ? ", redirected to managed memory"
	: site->flags & UMMGR_SITE_SHARED ? ", which host and devices may share" : "");
}

void
ummgr_cli_print_data (const struct ummgr_sites *sites,
		      const struct ummgr_table_arg *arg)
{
  int count = 0;
  if (sites)
    ummgr_sites_each (sites, arg, print_end, &count);
}

static json_t *
json_site (const struct ummgr_table_site *site)
{
  return json_pack (
    "{s:o, s:o, s:I, s:o, s:o, s:b, s:b, s:b, s:b, s:o}", "kind",
    ummgr_json_text (site->kind), "file", ummgr_json_text (site->file),
    "line", (json_int_t) site->line, "function", ummgr_json_text (site->function),
    "variable", ummgr_json_text (site->variable), "reaches",
    (site->flags & UMMGR_SITE_REACHES) != 0, "leaves",
    (site->flags & UMMGR_SITE_LEAVES) != 0, "redirected", is_redirected (site),
    "shared", (site->flags & UMMGR_SITE_SHARED) != 0, "why", ummgr_json_text (site->why));
}

/* ummgr_sites_each's callback; DATA is an object with two arrays.  */
static void
json_end (const struct ummgr_table_flow_end *end, void *data)
{
  char *text = NULL;
  size_t size;
  if (end->site)
    {
      json_array_append_new (json_object_get (data, "sites"),
			     json_site (end->site));
      return;
    }
  FILE *out = open_memstream (&text, &size);
  if (!out)
    return;
  end_write (out, end);
  fclose (out);
  json_array_append_new (json_object_get (data, "open"),
			 ummgr_json_text (text));
  free (text);
}

json_t *
ummgr_cli_json_data (const struct ummgr_sites *sites,
		     const struct ummgr_table_arg *arg)
{
  json_t *out = json_pack ("{s:[], s:[]}", "sites", "open");
  if (sites && out)
    ummgr_sites_each (sites, arg, json_end, out);
  return out;
}

json_t *
ummgr_cli_json_sites (const struct ummgr_table_unit *unit)
{
  json_t *out = json_array ();
  for (size_t i = 0; i < unit->site_count; i++)
    json_array_append_new (out, json_site (&unit->sites[i]));
  return out;
}
