/* Breaks if the calls that ask of the trace do anything where there is none, don't link, or are
   no C++.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"
#include "ummgr.h"

#include <cstring>

#pragma weak ummgr_report_now
#pragma weak ummgr_object_facts
#pragma weak ummgr_on_phase
#pragma weak ummgr_mark

static int data[10000];

static void
on_phase (const struct ummgr_phase_end *, void *)
{
  abort ();
}

int
main ()
{
  struct ummgr_object_facts facts;
  char text[16] = "untouched";
  /* The test also runs without the library.  */
  if (!ummgr_report_now)
    return 0;
#pragma omp target map(tofrom: data)
  for (int i = 0; i < 10000; i++)
    data[i]++;
  CHECK_EQ (ummgr_on_phase (on_phase, nullptr), 0);
  ummgr_mark ("phase");
  FILE *out = fmemopen (text, sizeof text, "r+");
  CHECK (out);
  CHECK_EQ (ummgr_report_now (out), 0);
  CHECK_EQ (ftell (out), 0);
  fclose (out);
  CHECK (strcmp (text, "untouched") == 0);
  memset (&facts, 1, sizeof facts);
  CHECK_EQ (ummgr_object_facts (data, &facts), 0);
  CHECK_EQ (facts.size, 0);
  CHECK_EQ (data[9999], 1);
  return 0;
}
