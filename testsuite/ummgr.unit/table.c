/* Columns stand under each other whatever is in them, and the widest cell
   decides, be it a title or not ASCII.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"
#include "base/table.h"

#include <stdlib.h>
#include <string.h>

static void
is (struct ummgr_table *t, const char *wanted)
{
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  CHECK (out);
  ummgr_table_end (t, out);
  CHECK (fclose (out) == 0);
  CHECK (strcmp (text, wanted) == 0);
  free (text);
}

int
main (void)
{
  struct ummgr_table t = { .columns = "lrl" };
  ummgr_table_add (&t, "object\tbytes\twhere\n");
  ummgr_table_add (&t, "%s\t%d\t%s\n", "a", 1000000, "a.c:1");
  is (&t, "object    bytes  where\n"
      "a       1000000  a.c:1\n");

  /* A cell in parts; two bytes that are one character; a row that ends early;
     an empty cell.  The table can be used again.  */
  t.indent = "> ";
  ummgr_table_add (&t, "%s", "gr");
  ummgr_table_add (&t, "%s\t1\n", "\xc3\xb6\xc3\x9f" "e");
  ummgr_table_add (&t, "x\t\t-\n");
  ummgr_table_add (&t, "longer\n");
  is (&t, "> gr\xc3\xb6\xc3\x9f" "e   1\n"
      "> x          -\n"
      "> longer\n");
  return 0;
}
