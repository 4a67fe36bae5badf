/* The chain of regions in loops, as in SC'19 Fig. 3: would break if blocks
   without events stayed, or a loop with a constant number of turns were
   guessed.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

double v[64], n[64], f[64], o[64];

void
cfd (void)
{
  for (int i = 0; i < 10; i++)
    {
#pragma omp target
      o[0] = v[0];
      for (int k = 0; k < 3; k++)
	{
#pragma omp target
	  f[0] += v[0] * n[0];
#pragma omp target
	  v[0] += o[0] + f[0];
	}
    }
}

void
turns (int *p, int m)
{
  for (int i = 0; i < m; i++)
    {
#pragma omp target map(tofrom: p[0:m])
      p[0]++;
    }
}

/* Nothing here reaches a region.  */
int
host (int *p, int m)
{
  int s = 0;
  for (int i = 0; i < m; i++)
    s += p[i];
  return __builtin_abs (s);
}

/* { dg-final { scan-ummgr-dump-times {flow of cfd: blocks 3 edges 5 events 3$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow edge cfd 0 -> 1 probability 1 exact$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow edge cfd 2 -> 2 probability 0\.66\d* exact$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow edge cfd 2 -> 1 probability 0\.3 exact$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow edge cfd 2 -> return probability 0\.03\d* exact$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow of turns: blocks 2 edges 3 events 1$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {flow edge turns 1 -> return probability 0\.\d* estimated$} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {flow of host} ummgr-tables } } */
