/* The rows of a difference, for those that write it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "report/diff.h"
#include "report/value.h"

/* One thing in both runs; NULL: it is in one only.  */
struct ummgr_diff_row
{
  const json_t *a, *b;
  double weight;		/* Of the change; 0: there is none.  */
};

struct ummgr_diff_table
{
  const char *key;		/* In the statistics.  */
  const char *title;
  const struct ummgr_report_column *names[3]; /* What the rows are called.  */
  size_t name_count;
  const struct ummgr_report_column *columns[20]; /* Those in which some row differs.  */
  size_t column_count;
  struct ummgr_diff_row *rows;	/* Those that differ, the most first.  */
  size_t count;
  size_t same;			/* So many more do not.  */
};

enum { UMMGR_DIFF_TABLES = 3 };

/* The N-th table: regions, objects, findings.  False without memory; free its ROWS after use.  */
bool ummgr_diff_table (size_t n, const struct ummgr_report_run *a, const struct ummgr_report_run *b,
		       struct ummgr_diff_table *out);

/* Do A and B differ?  One that is not there differs from one that is.  */
bool ummgr_diff_differs (const struct ummgr_report_value *a, const struct ummgr_report_value *b);

/* Does C tell anything of one of the runs that others don't?  */
bool ummgr_diff_shows (const struct ummgr_report_run *a, const struct ummgr_report_run *b,
		       const struct ummgr_report_column *c);

/* Do the totals C of A and B, *A_P and *B_P, differ?  */
bool ummgr_diff_total (const struct ummgr_report_run *a, const struct ummgr_report_run *b,
		       const struct ummgr_report_column *c, struct ummgr_report_value *a_p,
		       struct ummgr_report_value *b_p);

/* "1.50 ms -> 900 us", or one value if they don't differ; "-" is not counted.  */
void ummgr_diff_human (const struct ummgr_diff_row *row, const struct ummgr_report_column *c,
		       char *buf, size_t size);

/* B's part of A; 0: there is none.  */
double ummgr_diff_ratio (const struct ummgr_report_value *a, const struct ummgr_report_value *b);

/* What was set differently, the I-th of it; false: no more.  Texts are the caller's to free.  */
bool ummgr_diff_setting (const struct ummgr_report_run *a, const struct ummgr_report_run *b, size_t i,
			 const char **name_p, char **a_p, char **b_p);
