/* Breaks if rlm, glm, rdm or otm, over random sequences of maps, regions,
   unmaps, pins, concurrent regions, pressure and changes of the budget, with
   hints of all kinds and none, exceed the budget at any moment, name what is
   pinned or runs, or differ in what is on the device, and in how it comes, from
   a slow reference that has only lists; or if plans that are not carried out
   upset them.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "policy-steps.h"

int
main (void)
{
  static const char *const names[] = { "rlm", "glm", "rdm", "otm" };
  for (int number = 0; number < 105; number++)
    for (int i = 0; i < 4; i++)
      round_of (names[i], number);
  free (plan.decisions);
  return 0;
}
