/* The diagnosis of the run that ends.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns it until the process is gone.  */

#include "config.h"
#include "diagnose/run.h"

#include "report/stats.h"
#include "diagnose/diagnose.h"

void
ummgr_diagnose_run (const char *path)
{
  static struct ummgr_diagnosis *diagnosis;
  if (!path || diagnosis)
    return;
  diagnosis = ummgr_diagnose (path, NULL);
  if (!diagnosis)
    return;
  const struct ummgr_stats_trace trace = {
    .diagnosis = diagnosis, .head = ummgr_diagnosis_json_head,
    .findings = ummgr_diagnosis_json_findings,
    .html = ummgr_diagnosis_html_part, .text = ummgr_diagnosis_text
  };
  ummgr_stats_set_trace (&trace);
}
