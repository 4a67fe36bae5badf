/* What depends on data is described for one iteration: would break if a loop's
   bounds, a condition or an index that is loaded from an argument were left to
   guesses, or one that is a quotient, or if one that is neither were described.  */
/* { dg-do compile } */

#include <stdint.h>

extern int g (int);

void
f (const int64_t *row, const int32_t *col, unsigned char *mask, float *x,
   const unsigned short *skip, int64_t n)
{
#pragma omp target teams distribute parallel for
  for (int64_t v = 0; v < n; v++)
    if (mask[v])
      for (int64_t e = row[v]; e < row[v + 1]; e++)
	x[col[e]] += 1;
#pragma omp target teams distribute parallel for
  for (int64_t v = 2; v < n; v += 2)
    if (skip[v] <= 3 && skip[v + 1] == 0)
      x[v] = 0;
#pragma omp target teams distribute parallel for
  for (int64_t v = 0; v < n; v++)
    x[col[col[v]]] = col[v] * n;
#pragma omp target teams distribute parallel for
  for (int64_t v = 0; v < n; v++)
    x[v ^ 5] = col[v];
#pragma omp target teams distribute parallel for
  for (int64_t v = 0; v < n; v++)
    x[v / 16 * 512] = col[v];
}

/* { dg-final { scan-ummgr-dump-times {ref line 18 r size 4 .* sample shared \{n\} nonzero \{mask\[@(i[0-9]+)\]\} loop \{(?:row\[@8\*\1 \+ 8\] - row\[@8\*\1\]|-1\*row\[@8\*\1\] \+ row\[@8\*\1 \+ 8\])\} at 4\*(i[0-9]+) \+ 4\*row\[@8\*\1\] why col} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 18 [rw]+ size 4 .* at 4\*col\[@4\*(i[0-9]+) \+ 4\*row\[@8\*i[0-9]+\]\] why x} 2 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 22 w size 4 .* positive \{-1?\*?skip\[@[^\]]*\] \+ 4\} zero \{skip\[@[^\]]*\]\} at 8\*i[0-9]+ \+ 8} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 25 w size 4 .* at 4\*col\[@4\*col\[@4\*i[0-9]+\]\] why} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {ref line 28 .*sample} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {ref line [0-9]+ \S+ size \S+ frequency \S+ exact .*sample} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 31 w size 4 .* sample shared \{n\} at 2048\*\(\(i[0-9]+\) / \(16\)\)} 1 ummgr-tables } } */
/* SPDX-License-Identifier: GPL-3.0-or-later  */
