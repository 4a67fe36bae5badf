/* Would break: data that a library's header allocates, said again by each clause that maps it, in
   the trace and in memory; or a name that the program gave, taken away.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target zstd } */

#include "record-test.h"

#include <stdlib.h>

static int said[2];
static char last[2][16];
static uint64_t base[2];

static void
take (const struct ummgr_trace_record *r, void *data)
{
  (void) data;
  for (int i = 0; i < 2; i++)
    if (r->kind == UMMGR_TRACE_OBJECT && r->u.object.base == base[i])
      {
	said[i]++;
	snprintf (last[i], sizeof last[i], "%s", r->u.object.name);
      }
}

static void
test (void)
{
  static const struct ummgr_trace_site sites[2]
    = { { "_M_start", "/usr/include/c++/12/bits/vector.tcc", "", 650, 8 },
	{ "mine", "mine.c", "", 3, 8 } };
  test_begin (1, "page", NULL);
  void *data[2];
  for (int i = 0; i < 2; i++)
    {
      CHECK ((data[i] = malloc (4096)));
      base[i] = (uintptr_t) data[i];
      rt->allocated (data[i], 4096, &sites[i]);
      rt->range (test_enter (false), base[i], 4096, 2);
    }
  for (int turn = 0; turn < 10; turn++)
    for (int i = 0; i < 2; i++)
      ummgr_record_called (data[i], turn % 2 ? "q" : "e", 8);
  test_read (take, NULL);
  CHECK_EQ (said[0], 2);
  CHECK (strcmp (last[0], "e") == 0);
  CHECK_EQ (said[1], 1);
  CHECK (strcmp (last[1], "mine") == 0);
}

int
main (void)
{
  test_run (test);
  return 0;
}
