/* Several runs side by side: those of a program are a group, with a baseline of its own.

   Programs are the same that have the same file name, wherever they are: so a change of a program
   can be compared with what it was.  A run that failed has figures of what it did until then, which
   compare with nothing.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "report/sheet.h"

struct ummgr_compare_row
{
  const struct ummgr_report_run *run;
  const char *name;		/* The run's, without what all have in common.  */
  char unfit[240];		/* Why it compares with nothing, or "".  */
};

struct ummgr_compare_group
{
  const char *program;
  const struct ummgr_compare_row *baseline; /* NULL: all of them are unfit.  */
  struct ummgr_compare_row *rows; /* The baseline; the others in order; the unfit.  */
  size_t count, fit;
};

struct ummgr_compare
{
  struct ummgr_compare_group *groups;
  size_t count;
  struct ummgr_compare_row *rows; /* Of all.  */
};

/* Why a run, or one of its ranks, failed; why its figures are not to be compared with others': that, or
   nothing ran on a device.  False where all went well, as far as the statistics know.  */
bool ummgr_compare_failed (const json_t *stats, char *buf, size_t size);
bool ummgr_compare_unfit (const json_t *stats, char *buf, size_t size);

/* Compare RUNS[0..COUNT), which were checked and stay.  False without memory; give it back in any
   case.  */
bool ummgr_compare_make (const struct ummgr_report_run *runs, size_t count,
			 struct ummgr_compare *out);
void ummgr_compare_free (struct ummgr_compare *compare);

/* As tables of S, one for each group.  */
void ummgr_compare_put (struct ummgr_sheet *s, const struct ummgr_report_run *runs, size_t count);
