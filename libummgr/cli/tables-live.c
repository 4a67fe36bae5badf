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

void
ummgr_cli_print_live (const struct ummgr_table_arg *arg)
{
  const struct ummgr_table_live *live = &arg->live;
  if (!(live->flags & UMMGR_LIVE_ANALYSED))
    return;
  printf ("          then: host reads %s, writes %s", reads (live),
	  writes (live));
  if (live->next > 0)
    printf (", goes over it next: probability %.2f%s", live->next,
	    live->flags & UMMGR_LIVE_NEXT ? ", surely" : "");
  puts (live->flags & UMMGR_LIVE_DEAD ? ", dead" : "");
}

json_t *
ummgr_cli_json_live (const struct ummgr_table_arg *arg)
{
  const struct ummgr_table_live *live = &arg->live;
  if (!(live->flags & UMMGR_LIVE_ANALYSED))
    return json_null ();
  return json_pack ("{s:s, s:s, s:f, s:b, s:b}", "host_reads", reads (live),
		    "host_writes", writes (live), "host_next", live->next,
		    "host_next_surely", !!(live->flags & UMMGR_LIVE_NEXT),
		    "dead", !!(live->flags & UMMGR_LIVE_DEAD));
}
