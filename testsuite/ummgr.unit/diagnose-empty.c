/* A trace without a single object: would break if nothing, which has no address,
   were given to be sorted, which C leaves undefined.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target zstd } */

#include "config.h"
#include "diagnose-test.h"

#include <stdlib.h>

static unsigned sorted;

/* In place of libc's, which the compiler takes to be given an address.  */
void
qsort (void *base, size_t count, size_t size,
       int (*compare) (const void *, const void *))
{
  void *volatile given = base;
  (void) count, (void) size, (void) compare;
  CHECK (given);
  sorted++;
}

int
main (void)
{
  /* Two objects, to see that it is this function that is called.  */
  trace_begin ("diagnose-empty", 1, 1);
  add_object (1, "one", 400, 0);
  add_object (2, "two", 400, 0);
  end_phase ("end");
  struct ummgr_diagnosis *d = trace_diagnose (NULL);
  CHECK (d && d->object_count == 2);
  CHECK (sorted > 0);
  ummgr_diagnosis_free (d);
  trace_begin ("diagnose-empty", 1, 1);
  end_phase ("end");
  d = trace_diagnose (NULL);
  CHECK (d && d->object_count == 0 && d->finding_count == 0);
  ummgr_diagnosis_free (d);
  return 0;
}
