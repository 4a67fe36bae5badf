/* `ummgr report' of statistics, one run and compared with itself.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"
#include "fuzz.h"
#include "report/report.h"

#include <jansson.h>

/* Two ranks, of which the second is STATS with another number.  */
static void
join (json_t *stats)
{
  struct ummgr_report_run runs[2] = {
    { .name = "r.0", .stats = json_incref (stats) }, { .name = "r.1", .stats = json_deep_copy (stats) }
  };
  size_t count = 2;
  json_object_set_new (json_object_get (runs[1].stats, "rank"), "number", json_integer (1));
  if (ummgr_report_join (runs, &count))
    {
      ummgr_report_text (fuzz_null, runs, count);
      ummgr_report_html (fuzz_null, runs, count);
      json_decref (ummgr_report_json (runs, count));
    }
  for (size_t i = 0; i < count; i++)
    json_decref (runs[i].stats);
}

static void
fuzz_one (const unsigned char *bytes, size_t size)
{
  json_t *stats = json_loadb ((const char *) bytes, size, 0, NULL);
  if (!stats)
    return;
  struct ummgr_report_run runs[2] = {
    { .name = "one", .stats = stats }, { .name = "two", .stats = stats }
  };
  if (ummgr_report_check ("fuzz", stats) == UMMGR_OK)
    {
      for (size_t count = 1; count <= 2; count++)
	{
	  ummgr_report_text (fuzz_null, runs, count);
	  ummgr_report_html (fuzz_null, runs, count);
	}
      join (stats);
    }
  json_decref (stats);
}
