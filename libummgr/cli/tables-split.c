/* How regions can be run by ranges of their iterations, for `ummgr tables'.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "cli/tables.h"

#include "cli/cli.h"
#include "ummgr-table.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const flag_names[] = UMMGR_SPLIT_FLAG_NAMES;
enum { FLAGS = sizeof flag_names / sizeof *flag_names };

/* What reduction R of REGION is into.  */
static const char *
reduction_name (const struct ummgr_table_region *region,
		const struct ummgr_table_reduction *r)
{
  return r->arg >= 0 && *region->args[r->arg].name ? region->args[r->arg].name
						   : "-";
}

void
ummgr_cli_print_split (const struct ummgr_table_region *region)
{
  const struct ummgr_table_split *split = &region->split;
  if (*split->why)
    printf ("      not by ranges: %s\n", split->why);
  if (split->lo < 0)
    return;
  char *trip = ummgr_cli_code_text (region, split->trip, false);
  printf ("      by ranges of %s iterations", trip ? trip : "-");
  free (trip);
  for (unsigned i = 0; i < split->reduction_count; i++)
    printf ("%s%s into %s", i ? ", " : "; reduces ",
	    split->reductions[i].operation,
	    reduction_name (region, &split->reductions[i]));
  const char *separator = "; ";
  for (unsigned i = 0; i < FLAGS; i++)
    if (split->flags & (1u << i))
      {
	printf ("%s%s", separator, flag_names[i]);
	separator = ", ";
      }
  putchar ('\n');
}

json_t *
ummgr_cli_json_split (const struct ummgr_table_region *region)
{
  const struct ummgr_table_split *split = &region->split;
  if (split->lo < 0 && !*split->why)
    return json_null ();
  json_t *reductions = json_array (), *flags = json_array ();
  for (unsigned i = 0; i < split->reduction_count; i++)
    {
      const struct ummgr_table_reduction *r = &split->reductions[i];
      json_array_append_new (
	reductions, json_pack ("{s:i, s:s, s:o, s:o}", "argument", r->arg,
			       "operation", r->operation, "name",
			       ummgr_json_text (reduction_name (region, r)),
			       "type", ummgr_json_text (r->type)));
    }
  for (unsigned i = 0; i < FLAGS; i++)
    if (split->flags & (1u << i))
      json_array_append_new (flags, json_string (flag_names[i]));
  return json_pack (
    "{s:o, s:o, s:o, s:o, s:o}", "argument",
    split->lo < 0 ? json_null () : json_integer (split->lo), "trip",
    split->trip ? ummgr_cli_json_text (ummgr_cli_code_text (region, split->trip, false))
		: json_null (),
    "why", *split->why ? ummgr_json_text (split->why) : json_null (),
    "reductions", reductions, "flags", flags);
}
