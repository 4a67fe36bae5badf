/* A table of a report, written as text or into a page, by the same calls.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Used as
     struct ummgr_sheet s = { .out = out, .html = html };
     ummgr_sheet_begin (&s, "Ranks");
     ummgr_sheet_head (&s, true, "rank", "its number");
     ...
     ummgr_sheet_row (&s);
     ummgr_sheet_text (&s, true, "0");
     ummgr_sheet_value (&s, &value, 0);
     ...
     ummgr_sheet_end (&s, NULL);
   Titles and cells may come from a file: they are made printable, or escaped, here; what heads a
   column is the caller's own.  */

#pragma once

#include "base/table.h"
#include "report/value.h"

#include <stdio.h>

struct ummgr_sheet
{
  FILE *out;
  bool html;
  bool top;			/* Text: no line before it is left empty.  */
  const char *classes;		/* Of the page's table; or NULL.  */
  size_t widest;		/* Text: what is longer keeps its end; 0: all of it.  */

  /* The functions' own.  */
  struct ummgr_table table;
  char columns[UMMGR_TABLE_COLUMNS + 1];
  size_t heads, cells, tabs;	/* TABS: that stand before the next text.  */
  bool body, wide;
};

/* TITLE, then the columns' titles: a WORD begins at the left, a number ends at the right.  HELP is
   shown where a page's reader points; or NULL.  At most UMMGR_TABLE_COLUMNS.  */
void ummgr_sheet_begin (struct ummgr_sheet *s, const char *title);
void ummgr_sheet_head (struct ummgr_sheet *s, bool word, const char *title, const char *help);
void ummgr_sheet_column (struct ummgr_sheet *s, const struct ummgr_report_column *c);

/* The next row.  LAST: this row and those that follow stay behind the others however a page's
   reader sorts them; APART: as text, too, they are as wide as they need to be, and not as the columns
   above are.  */
void ummgr_sheet_row (struct ummgr_sheet *s);
void ummgr_sheet_last (struct ummgr_sheet *s);
void ummgr_sheet_apart (struct ummgr_sheet *s);

/* The row's next cell.  A value has a bar in a page if MOST, the greatest of its column, is not 0.  */
void ummgr_sheet_text (struct ummgr_sheet *s, bool word, const char *text);
void ummgr_sheet_value (struct ummgr_sheet *s, const struct ummgr_report_value *v, double most);

/* A value with what part of BASE it is: as text two cells, which the second function heads.  */
void ummgr_sheet_against (struct ummgr_sheet *s, const struct ummgr_report_value *v,
			  const struct ummgr_report_value *base, double most);
void ummgr_sheet_against_column (struct ummgr_sheet *s, const struct ummgr_report_column *c);

/* NAMES, malloc'ed, of a column's COUNT rows, cut for S so that they stay apart; freed with
   ummgr_report_names_free.  NULL, and they are freed: they do as they are (a page, or no memory).  */
char **ummgr_sheet_names (const struct ummgr_sheet *s, char **names, size_t count);

/* What went wrong, in place of all cells that the row doesn't have yet.  */
void ummgr_sheet_alarm (struct ummgr_sheet *s, const char *text);

/* The table's end; below it NOTE, if it is not NULL or "".  */
void ummgr_sheet_end (struct ummgr_sheet *s, const char *note);

/* A run's tables: its regions and objects, of each LIMIT at most, and what passed between devices.  */
void ummgr_sheet_tables (struct ummgr_sheet *s, const json_t *stats, size_t limit);
