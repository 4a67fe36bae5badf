/* One target region, for a library.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#ifdef __cplusplus
extern "C"
#endif
void scale (double *a, int n, double by);

void
scale (double *a, int n, double by)
{
#pragma omp target teams distribute parallel for map(tofrom: a[:n])
  for (int i = 0; i < n; i++)
    a[i] *= by;
}
