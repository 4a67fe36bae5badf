/* Text in columns.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "base/table.h"
#include "base/color.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void
ummgr_table_add (struct ummgr_table *t, const char *format, ...)
{
  va_list args;
  if (!t->rows)
    t->rows = open_memstream (&t->text, &t->size);
  if (!t->rows)
    return;
  va_start (args, format);
  vfprintf (t->rows, format, args);
  va_end (args);
}

/* How many places CELL takes, which has LENGTH bytes.  */
static size_t
width_of (const char *cell, size_t length)
{
  size_t width = 0;
  for (size_t at = 0; at < length; width++)
    {
      size_t n = ummgr_utf8_length (cell + at);
      at += n ? n : 1;
    }
  return width;
}

/* Go through all cells; write them if OUT isn't NULL, and otherwise find the
   WIDEST of each column.  */
static void
go (const struct ummgr_table *t, size_t *widest, FILE *out)
{
  size_t column = 0, length;
  bool head = out && t->head;
  if (head)
    ummgr_color_put (out, UMMGR_COLOR_HEAD);
  for (const char *at = t->text; *at; at += length + 1)
    {
      length = strcspn (at, "\t\n");
      size_t width = width_of (at, length);
      bool last = at[length] == '\n', right = t->columns[column] == 'r';
      if (widest[column] < width)
	widest[column] = width;
      int space = widest[column] - width;
      if (out)
	fprintf (out, "%s%*s%.*s%*s", column ? "  " : t->indent ? t->indent : "",
		 right ? space : 0, "", (int) length, at,
		 right || last ? 0 : space, "");
      if (out && last)
	{
	  if (head)
	    ummgr_color_put (out, UMMGR_COLOR_NONE);
	  head = false;
	  fputc ('\n', out);
	}
      column = last ? 0 : column + 1;
    }
}

void
ummgr_table_end (struct ummgr_table *t, FILE *out)
{
  size_t widest[UMMGR_TABLE_COLUMNS] = { 0 };
  if (!t->rows || fclose (t->rows) != 0)
    fputs ("(no memory for a table)\n", out);
  else
    {
      go (t, widest, NULL);
      go (t, widest, out);
    }
  free (t->text);
  *t = (struct ummgr_table) { .columns = t->columns, .indent = t->indent, .head = t->head };
}
