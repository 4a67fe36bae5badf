/* A deep nest, each of whose loops starts where the one around it is: would
   break (or not end) if the count of a loop were written out as often as it
   occurs in those inside it.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

void
f (float *a, float *b, int n)
{
#pragma omp target map(tofrom: a[0:n], b[0:n])
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      a[i + j] = 1;
#pragma omp target map(tofrom: a[0:n], b[0:n])
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      for (int k = j; k < n; k++)
	for (int l = k; l < n; l++)
	  for (int m = l; m < n; m++)
	    for (int o = m; o < n; o++)
	      for (int p = o; p < n; p++)
		for (int q = p; q < n; q++)
		  for (int r = q; r < n; r++)
		    for (int s = r; s < n; s++)
		      for (int t = s; t < n; t++)
			for (int u = t; u < n; u++)
			  b[u] += a[i + j];
}

/* { dg-final { scan-ummgr-dump-times {ref line 12 w size 4 .*exact base 0 inner \[4 x n\] inner \[4 x .* by row n \+ X \* -1 from 0 \+ X \* 1\]} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 26 [rw]+ size 4 } 3 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {ref line 26 .* exact} ummgr-tables } } */
