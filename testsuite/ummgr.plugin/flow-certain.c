/* What is certain though something on the way is guessed: would break if a
   branch around work of the host, or the host's own loop, made the launches
   after it estimates, or a loop of one turn, whose test is for equality, were
   taken for one of unknown length.  And what is not certain stays estimated.  */
/* { dg-do compile } */

double v[64];

void
between (int m)
{
  for (int i = 0; i < 4; i++)
    {
      for (int k = 3; k < m - 1; k++)
	if (v[k] > 1)
	  v[k] -= 1;
#pragma omp target
      v[0] += 1;
    }
}

void
once (void)
{
  for (int i = 0; i < 1; i++)
    {
#pragma omp target
      v[1] += 1;
    }
#pragma omp target
  v[2] += 1;
}

void
either (int m)
{
  for (int i = 0; i < 4; i++)
    {
      if (v[i] > m)
	{
#pragma omp target
	  v[3] += 1;
	}
    }
}

/* { dg-final { scan-ummgr-dump-times {flow edge between 0 -> 1 probability 1 exact$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow edge between 1 -> 1 probability 0\.75 exact$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow edge between 1 -> return probability 0\.25 exact$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow edge once 0 -> 1 probability 1 exact$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flow edge once 1 -> 2 probability 1 exact$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {flow edge once 1 -> 1} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {flow edge either 0 -> return probability 0\.\d* estimated$} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {flow edge either .* exact$} ummgr-tables } } */
/* SPDX-License-Identifier: GPL-3.0-or-later  */
