/* Launches that depend on an if clause: would break if one that doesn't change were taken for
   tossing a coin, so that nothing could be said of what comes next, if it were called exact, or if
   one that changes each time were said to hold nearly always.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

void
constant (int *a, int n, int offload)
{
  for (int k = 0; k < 10; k++)
    {
#pragma omp target if(target: offload) map(tofrom: a[0:n])
      a[k]++;
    }
}

void
turns (int *a, int n)
{
  for (int k = 0; k < 10; k++)
    {
#pragma omp target if(target: k % 2) map(tofrom: a[0:n])
      a[k]++;
    }
}

/* { dg-final { scan-ummgr-dump {flow edge constant \d+ -> \d+ probability 0.9995 estimated} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {flow edge constant \d+ -> \d+ probability 0.5 } ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {flow edge turns \d+ -> \d+ probability 0.5 estimated} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {flow edge turns \d+ -> \d+ probability 0.9995} ummgr-tables } } */
