/* `ummgr report` of traces.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "cli/report-trace.h"
#include "base/log.h"
#include "base/options.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool
ummgr_report_is_trace (const char *file)
{
  char begin[8];
  if (strcmp (file, "-") == 0)
    return false;
  FILE *in = fopen (file, "re");
  if (!in)
    return false;
  bool is = fread (begin, 1, sizeof begin, in) == sizeof begin
	    && memcmp (begin, UMMGR_TRACE_MAGIC, sizeof begin) == 0;
  fclose (in);
  return is;
}

static bool
put_json (FILE *out, const struct ummgr_diagnosis *d)
{
  json_t *json = ummgr_diagnosis_json (d);
  bool good = json
    && json_dumpf (json, out, JSON_INDENT (1) | JSON_REAL_PRECISION (15)) == 0
    && fputc ('\n', out) != EOF;
  if (!json)
    ummgr_error ("report: no memory for the JSON of '%s'", d->path);
  json_decref (json);
  return good;
}

bool
ummgr_report_trace (FILE *out, const struct ummgr_diagnosis *d,
		    const struct ummgr_report_arguments *a)
{
  switch (a->form)
    {
    case UMMGR_REPORT_FORM_TEXT:
      ummgr_diagnosis_text (out, d);
      break;
    case UMMGR_REPORT_FORM_HTML:
      ummgr_diagnosis_html (out, d);
      break;
    case UMMGR_REPORT_FORM_JSON:
      return put_json (out, d);
    case UMMGR_REPORT_FORM_CSV:
      ummgr_diagnosis_csv (out, d);
      break;
    case UMMGR_REPORT_FORM_FINDINGS_CSV:
      ummgr_diagnosis_findings_csv (out, d);
      break;
    }
  return true;
}

