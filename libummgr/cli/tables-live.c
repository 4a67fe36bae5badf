/* What follows launches, for `ummgr tables'.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "cli/tables.h"

#include "ummgr-table.h"

#include <stdio.h>

static const char *
answer (uint32_t flags, uint32_t may, uint32_t sure)
{
  return flags & sure ? "yes" : flags & may ? "maybe" : "no";
}

static const char *
reads (const struct ummgr_table_live *live)
{
  return answer (live->flags, UMMGR_LIVE_MAY_READ, UMMGR_LIVE_READ);
}

static const char *
writes (const struct ummgr_table_live *live)
{
  return answer (live->flags, UMMGR_LIVE_MAY_WRITE, UMMGR_LIVE_WRITE);
}

static void
print_live (const char *when, const struct ummgr_table_live *live)
{
  if (!(live->flags & UMMGR_LIVE_ANALYSED))
    return;
  printf ("          %s: host reads %s, writes %s", when, reads (live),
	  writes (live));
  if (live->next > 0)
    printf (", goes over it next: probability %.2f%s", live->next,
	    live->flags & UMMGR_LIVE_NEXT ? ", surely" : "");
  if (live->flags & UMMGR_LIVE_TOLD)
    printf (", tells before");
  puts (live->flags & UMMGR_LIVE_DEAD ? ", dead" : "");
}

void
ummgr_cli_print_live (const struct ummgr_table_arg *arg)
{
  print_live ("then", &arg->live);
  for (unsigned i = 0; i < arg->call_live_count; i++)
    {
      char when[40];
      snprintf (when, sizeof when, "called at line %u", arg->call_lives[i].line);
      print_live (when, &arg->call_lives[i].live);
    }
}

static json_t *
json_live (const struct ummgr_table_live *live)
{
  if (!(live->flags & UMMGR_LIVE_ANALYSED))
    return json_null ();
  return json_pack ("{s:s, s:s, s:f, s:b, s:b, s:b}", "host_reads", reads (live),
		    "host_writes", writes (live), "host_next", live->next,
		    "host_next_surely", !!(live->flags & UMMGR_LIVE_NEXT),
		    "host_tells", !!(live->flags & UMMGR_LIVE_TOLD),
		    "dead", !!(live->flags & UMMGR_LIVE_DEAD));
}

json_t *
ummgr_cli_json_live (const struct ummgr_table_arg *arg)
{
  json_t *json = json_live (&arg->live);
  if (!arg->call_live_count || !json_is_object (json))
    return json;
  json_t *calls = json_array ();
  for (unsigned i = 0; i < arg->call_live_count; i++)
    json_array_append_new (calls, json_pack ("{s:i, s:o}", "line", (int) arg->call_lives[i].line, "then",
					     json_live (&arg->call_lives[i].live)));
  json_object_set_new (json, "by_call", calls);
  return json;
}
