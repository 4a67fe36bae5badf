/* Breaks if auto, over random sequences of constructs, maps, regions in loops, unmaps, pins, concurrent regions,
   pressure and changes of the budget, with hints of all kinds and none, and launches that take what was foreseen, less
   or more, exceeds the budget at any moment, where managed memory is charged to the end of its last granule; names what
   is pinned or runs; differs in what is on the device, in plain memory or not, and in how it comes, from a slow
   reference that has only lists; or if plans that are not carried out upset it.  Reasons, read-mostly copies, what goes
   home after a region, and slices are left to other tests.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "policy-steps.h"

int
main (void)
{
  for (int number = 0; number < 400; number++)
    round_of ("auto", number);
  free (plan.decisions);
  return 0;
}
