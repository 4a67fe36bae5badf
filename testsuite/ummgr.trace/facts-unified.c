/* Breaks if the two sides' accesses to unified memory, which has one shadow for
   both, are told apart wrongly.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-policies "explicit um prefetch host lru" } */
/* { dg-ummgr-trace {^object data size=40 .*unified} } */
/* Written here: 0 to 9.  Read there: 0 to 4.  Written there: 3 to 6, of which 3
   and 4 after the read.  Read here: 4 to 9.  */
/* { dg-ummgr-facts data host 10 "last_gpu=4 cpu_wrote=10 gpu_wrote=4 c>c=3 c>g=5 g>c=3" } */
/* { dg-ummgr-trace {^facts data .* unread=2 alternating=7 overwritten=2$} } */
/* { dg-ummgr-trace-not {^copy data} } */
/* { dg-ummgr-trace-not {^facts data .*on=gpu} } */

#include "ummgr.h"

#include <stdio.h>
#include <stdlib.h>

#pragma weak ummgr_malloc
#pragma weak ummgr_free

int
main (void)
{
  /* Without libummgr there is none.  */
  if (!ummgr_malloc)
    return 0;
  int *data = ummgr_malloc (10 * sizeof *data);
  int sum = 0, there = 0;
  for (int i = 0; i < 10; i++)
    data[i] = i;
#pragma omp target map(tofrom: there) is_device_ptr (data)
  {
    for (int i = 0; i < 5; i++)
      there += data[i];
    for (int i = 3; i < 7; i++)
      data[i] = 10 * i;
  }
  for (int i = 4; i < 10; i++)
    sum += data[i];
  ummgr_free (data);
  return there == 10 && sum == 40 + 50 + 60 + 7 + 8 + 9 ? 0 : 1;
}
