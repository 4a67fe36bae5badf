/* What is different between two runs, from their statistics.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Regions are the same by their function, objects by their variable, findings by kind and object.
   Where several are alike, those at the same line belong together, then those in the same file,
   since lines move when a program is changed, then the first that are left.

   Rows in which nothing differs are only counted.  Seconds within a part in a thousand are the
   same; wall clock, which never is, counts only where nothing is modelled.  */

#pragma once

#include "report/report.h"

/* From A to B, both checked; either may be made of a trace, and then lacks what that doesn't
   have.  The caller looks at ferror (OUT).  */
void ummgr_report_diff_text (FILE *out, const struct ummgr_report_run *a,
			     const struct ummgr_report_run *b);
void ummgr_report_diff_html (FILE *out, const struct ummgr_report_run *a,
			     const struct ummgr_report_run *b);
/* A new reference; NULL without memory.  */
struct json_t *ummgr_report_diff_json (const struct ummgr_report_run *a,
				       const struct ummgr_report_run *b);
