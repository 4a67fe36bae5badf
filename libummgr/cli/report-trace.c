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

bool
ummgr_report_part (const char *text, double *part_p)
{
  char *end;
  errno = 0;
  double value = strtod (text, &end);
  if (end != text && strcmp (end, "%") == 0)
    {
      value /= 100;
      end++;
    }
  if (end == text || *end || errno || !(value >= 0 && value <= 1))
    return false;
  *part_p = value;
  return true;
}

bool
ummgr_report_cost (const char *text, struct ummgr_diagnose_options *options)
{
  static const struct { const char *unit; double seconds; } units[]
    = { { "ns", 1e-9 }, { "us", 1e-6 }, { "ms", 1e-3 }, { "s", 1 },
	{ "", 1 } };
  char *end;
  errno = 0;
  double value = strtod (text, &end);
  if (end == text || errno || !(value >= 0) || isinf (value)
      || (!*end && value > 0))
    return false;
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (strcmp (end, units[i].unit) == 0)
      {
	options->cost = value * units[i].seconds;
	return true;
      }
  return false;
}

bool
ummgr_report_smallest (const char *text,
		       struct ummgr_diagnose_options *options)
{
  return ummgr_parse_size (text, &options->smallest);
}
