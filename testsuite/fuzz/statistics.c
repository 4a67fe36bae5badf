/* `ummgr report' of statistics, one run and compared with itself.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"
#include "fuzz.h"
#include "report/report.h"

#include <jansson.h>

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
    for (size_t count = 1; count <= 2; count++)
      {
	ummgr_report_text (fuzz_null, runs, count);
	ummgr_report_html (fuzz_null, runs, count);
      }
  json_decref (stats);
}
