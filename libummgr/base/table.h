/* Text in columns, each as wide as its widest cell.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Used as
     struct ummgr_table t = { .columns = "lrr" };
     ummgr_table_add (&t, "name\tsize\tuses\n");
     ummgr_table_add (&t, "%s\t%zu\t%u\n", name, size, uses);
     ummgr_table_end (&t, stdout);

   What comes from a file is made printable (utf8.h) before it is added.  */

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { UMMGR_TABLE_COLUMNS = 24 };

struct ummgr_table
{
  const char *columns;		/* 'l': begins at the left, 'r': ends at the
				   right.  At most UMMGR_TABLE_COLUMNS.  */
  const char *indent;		/* Before each row; or NULL.  */
  bool head;			/* The first row has the columns' titles.  */
  FILE *rows;			/* The formatter's from here on.  */
  char *text;
  size_t size;
};

/* Parts of cells: a tab ends a cell, a newline the row, which may have fewer
   cells than there are columns.  */
__attribute__ ((format (printf, 2, 3))) void
ummgr_table_add (struct ummgr_table *t, const char *format, ...);

/* Write all rows, or a line that says that there was no memory for them.  */
void ummgr_table_end (struct ummgr_table *t, FILE *out);
