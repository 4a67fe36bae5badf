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

/* What was set differently, or a total that differs.  */
struct ummgr_diff_line
{
  const char *name;
  struct ummgr_report_value a, b;
};

struct ummgr_diff
{
  struct ummgr_diff_line *lines;	/* First the settings, then the totals.  */
  size_t settings, totals;
  struct ummgr_diff_table tables[UMMGR_DIFF_TABLES]; /* Regions, objects, findings.  */
};

/* Everything in which A and B differ; give it back after use, also where this is false: there was
   no memory.  */
bool ummgr_diff_make (const struct ummgr_report_run *a, const struct ummgr_report_run *b,
		      struct ummgr_diff *out);
void ummgr_diff_free (struct ummgr_diff *diff);

/* "1.50 ms -> 900 us", or one value if they don't differ; "-" is not counted.  */
void ummgr_diff_human (const struct ummgr_diff_row *row, const struct ummgr_report_column *c,
		       char *buf, size_t size);
