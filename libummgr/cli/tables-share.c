/* How regions' iterations are shared out, for `ummgr tables'.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "cli/tables.h"

#include "ummgr-table.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const kinds[] = UMMGR_SCHEDULE_NAMES;

static bool
is_given (const struct ummgr_table_share *s)
{
  return s->flags & (UMMGR_SHARE_TEAMS | UMMGR_SHARE_THREADS)
	 || s->distribute != UMMGR_SCHEDULE_NONE || s->loops != UMMGR_SCHEDULE_NONE;
}

/* BEFORE and what CODE of REGION is.  */
static void
print_code (const struct ummgr_table_region *region, const char *before,
	    const unsigned char *code)
{
  char *text = ummgr_cli_code_text (region, code, false);
  printf ("%s%s", before, text ? text : "?");
  free (text);
}

static const char *
print_schedule (const struct ummgr_table_region *region, const char *before, const char *name,
		uint32_t kind, bool chunked, const unsigned char *chunk)
{
  if (kind == UMMGR_SCHEDULE_NONE)
    return before;
  printf ("%s%s %s", before, name, kinds[kind]);
  if (chunked)
    print_code (region, " by ", chunk);
  return ", ";
}

void
ummgr_cli_print_share (const struct ummgr_table_region *region)
{
  const struct ummgr_table_share *s = &region->share;
  const char *before = "      ";
  if (!is_given (s))
    return;
  if (s->flags & UMMGR_SHARE_TEAMS)
    {
      bool one = !s->teams_least || ummgr_code_equal (s->teams_least, s->teams);
      printf ("%snum_teams ", before);
      if (!one)
	print_code (region, "", s->teams_least);
      print_code (region, one ? "" : ":", s->teams);
      before = ", ";
    }
  if (s->flags & UMMGR_SHARE_THREADS)
    {
      printf ("%sthread_limit ", before);
      print_code (region, "", s->threads);
      before = ", ";
    }
  before = print_schedule (region, before, "dist_schedule", s->distribute,
			   s->flags & UMMGR_SHARE_DISTRIBUTE_CHUNK, s->distribute_chunk);
  print_schedule (region, before, "schedule", s->loops, s->flags & UMMGR_SHARE_LOOPS_CHUNK,
		  s->loops_chunk);
  putchar ('\n');
}

static json_t *
json_code (const struct ummgr_table_region *region, const unsigned char *code)
{
  return code ? ummgr_cli_json_text (ummgr_cli_code_text (region, code, false)) : json_null ();
}

static json_t *
json_schedule (const struct ummgr_table_region *region, uint32_t kind, bool chunked,
	       const unsigned char *chunk)
{
  if (kind == UMMGR_SCHEDULE_NONE)
    return json_null ();
  return json_pack ("{s:s, s:b, s:o}", "kind", kinds[kind], "chunked", (int) chunked, "chunk",
		    json_code (region, chunk));
}

json_t *
ummgr_cli_json_share (const struct ummgr_table_region *region)
{
  const struct ummgr_table_share *s = &region->share;
  if (!is_given (s))
    return json_null ();
  return json_pack (
    "{s:o, s:o, s:o, s:o, s:o}", "num_teams_least", json_code (region, s->teams_least),
    "num_teams", json_code (region, s->teams), "thread_limit", json_code (region, s->threads),
    "dist_schedule", json_schedule (region, s->distribute,
				    s->flags & UMMGR_SHARE_DISTRIBUTE_CHUNK, s->distribute_chunk),
    "schedule", json_schedule (region, s->loops, s->flags & UMMGR_SHARE_LOOPS_CHUNK,
			       s->loops_chunk));
}
