/* Where a launch goes: would break if one that an if clause keeps on the host were counted, or
   a device that need not be there were taken for certain.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

#include <omp.h>

double v[64];

void
on_condition (int n)
{
  for (int i = 0; i < 8; i++)
    {
#pragma omp target if (i % 2 && n)
      v[0] += 1;
#pragma omp target
      v[1] += 1;
    }
}

void
never (void)
{
#pragma omp target if (0)
  v[2] += 1;
#pragma omp target device (omp_get_initial_device ())
  v[3] += 1;
}

void
some_device (int d)
{
#pragma omp target device (d)
  v[4] += 1;
#pragma omp target device (1) if (d > 3)
  v[5] += 1;
#pragma omp target device (0)
  v[6] += 1;
}

/* { dg-final { scan-ummgr-dump-times {flow event on_condition \d launch} 2 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow of on_condition: blocks 3 edges \d events 2$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {flow edge on_condition \d -> \d probability 0\.[1-6]\d* estimated$} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {flow (of|event) never} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow event some_device \d launch} 3 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow some_device launches region \d+ perhaps on the host$} 2 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {perhaps on the host} 2 ummgr-tables } } */
