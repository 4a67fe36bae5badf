/* Where bounds of ranges hold: what 32 bits may cut is not divided, nor is the less of it taken.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-options "-O2 -fplugin-arg-ummgr-split=on" } */

/* Nothing is cut.  */
void
in_long (long n, int *x)
{
#pragma omp target teams distribute parallel for map(tofrom: x[:n])
  for (long i = 0; i < n / 4; i++)
    x[4 * i + 1] = i;
}

void
in_int (int n, int *x)
{
#pragma omp target teams distribute parallel for map(tofrom: x[:n])
  for (int i = 0; i < n / 4; i++)
    x[4 * i + 1] = i;
}

/* A data value may be divided, and so may be an index as it is.  */
void
data (int n, int m, int *x, int *y)
{
#pragma omp target teams distribute parallel for map(tofrom: x[:n]) map(to: y[:n])
  for (int i = 0; i < n; i++)
    x[i] = y[i] / 3 + y[i / 2];
}

/* A product of unsigned numbers is cut, and then divided.  */
void
product (unsigned n, int *x)
{
#pragma omp target teams distribute parallel for map(tofrom: x[:n])
  for (unsigned i = 0; i < n; i++)
    x[i * 6 / 4] = i;
}

/* So is what a conversion has cut.  */
void
converted (long n, int *x)
{
#pragma omp target teams distribute parallel for map(tofrom: x[:n])
  for (long i = 0; i < n; i++)
    x[(int) (i * 1000) / 1000] = i;
}

/* { dg-final { scan-ummgr-dump-times {flags 0 (all )?bounds trip} 3 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {flags 0 trip} 2 ummgr-tables } } */
