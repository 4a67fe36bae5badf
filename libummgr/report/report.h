/* Reports for people, from the JSON of one run or of several.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The same renderer serves UMMGR_REPORT, `ummgr run --report` and
   `ummgr report`.  All figures come from the JSON, whose text is never
   trusted: it is checked for its shape and escaped.  */

#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stdio.h>

struct json_t;
struct ummgr_diagnosis;

/* Write a report of STATS to FILE: HTML if its name ends in .html or .htm,
   else text; "-" is standard error.  */
enum ummgr_status ummgr_report_write (struct json_t *stats, const char *file);

/* One run to be reported.  NAME tells it from the others.  */
struct ummgr_report_run
{
  const char *name;
  struct json_t *stats;
  bool baseline;		/* Others of its program are compared with it.  */
  /* What the run's trace says, or NULL; and what writes it into a page or as
     text (ummgr_diagnosis_html_part, ummgr_diagnosis_text: pointers, so that a
     library without a diagnosis can report).  */
  const struct ummgr_diagnosis *diagnosis;
  void (*diagnosis_html) (FILE *out, const struct ummgr_diagnosis *diagnosis);
  void (*diagnosis_text) (FILE *out, const struct ummgr_diagnosis *diagnosis);
};

/* The same for RUN; without a name it is called after its program.  */
enum ummgr_status ummgr_report_write_run (const struct ummgr_report_run *run,
					  const char *file);

/* Is STATS what ummgr_stats_json makes?  If not, log one message that begins
   with NAME.  */
enum ummgr_status ummgr_report_check (const char *name, struct json_t *stats);

/* Those of RUNS[0..*COUNT_P) that are ranks of one run of an MPI program become one, with what all of
   them did.  The statistics are given up for those of the runs that are left.  False after a
   message, and nothing has changed.  */
bool ummgr_report_join (struct ummgr_report_run *runs, size_t *count_p);

/* Is each of RUNS[0..COUNT) that was named as a baseline fit for it?  If not, log one message.  */
enum ummgr_status ummgr_report_check_baselines (const struct ummgr_report_run *runs, size_t count);

/* Write a report of RUNS[0..COUNT), all checked, to OUT.  With several runs
   it begins with a comparison, of each program's with its baseline: the first that is fit, where
   none was named.  The caller looks at ferror (OUT).  */
void ummgr_report_text (FILE *out, const struct ummgr_report_run *runs,
			size_t count);
void ummgr_report_html (FILE *out, const struct ummgr_report_run *runs,
			size_t count);

/* The comparison alone, a new reference; NULL without memory.  */
struct json_t *ummgr_report_json (const struct ummgr_report_run *runs, size_t count);
