/* Regions that can't be run by ranges, and loops that nearly are such: each would
   compute something else in pieces, if it were not refused, or were refused in vain.  */
/* { dg-do compile } */
/* { dg-options "-fplugin-arg-ummgr-split=on" } */

struct box { long n; double *a; };

void
refused (double *a, struct box *box, int n, long step, int *at)
{
#pragma omp target map(from: a[0:1])
  a[0] = 1;
#pragma omp target map(tofrom: a[0:n])
  {
    a[0] = 1;
#pragma omp teams distribute parallel for
    for (int i = 1; i < n; i++)
      a[i] = 1;
  }
#pragma omp target parallel map(tofrom: a[0:n])
  for (int j = 0; j < 2; j++)
    {
#pragma omp for
      for (int i = 0; i < n; i++)
	a[i] += j;
    }
#pragma omp target parallel map(tofrom: a[0:n])
  {
#pragma omp for
    for (int i = 0; i < n; i++)
      a[i] = 1;
#pragma omp for
    for (int i = 0; i < n; i++)
      a[i]++;
  }
  int last;
#pragma omp target teams distribute parallel for lastprivate(last) map(tofrom: a[0:n]) map(from: last)
  for (int i = 0; i < n; i++)
    a[i] = last = i;
  *at = last;
#pragma omp target parallel for ordered map(tofrom: a[0:n])
  for (int i = 0; i < n; i++)
    {
#pragma omp ordered
      a[i] = i;
    }
  int k = 0;
#pragma omp target parallel for simd linear(k) map(tofrom: a[0:n], k)
  for (int i = 0; i < n; i++)
    a[i] = k++;
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
  for (long i = 0; i < n; i += step)
    a[i] = 1;
  /* In 16 steps beyond what the whole loop's end would be taken for.  */
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
  for (unsigned long i = 0; i < -(1ul << 58); i += 1ul << 58)
    a[i >> 58] = 1;
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
  for (double *p = a; p < a + n; p++)
    *p = 1;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: a[0:n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      a[j] = 1;
#pragma omp target teams distribute parallel for map(tofrom: box[0:1])
  for (long i = 0; i < box->n; i++)
    box->n--;
  int next = 0;
#pragma omp target parallel for firstprivate(next) map(tofrom: a[0:n])
  for (int i = 0; i < n; i++)
    {
      int mine;
#pragma omp atomic capture
      mine = next++;
      a[mine] = i;
    }
#pragma omp target parallel map(tofrom: a[0:n])
#pragma omp for
  for (int i = 0; i < n; i++)
    {
#pragma omp cancel for if (a[i] > 5)
      a[i] = 1;
    }
}

void
accepted (double *a, struct box *box, int n)
{
#pragma omp target teams map(tofrom: a[0:n])
  {
    int most = n - 1;
#pragma omp distribute parallel for
    for (int i = 0; i < most; i++)
      a[i] = 1;
  }
#pragma omp target teams distribute parallel for map(tofrom: box[0:1], a[0:n])
  for (long i = 0; i < box->n; i++)
    a[i]++;
  double t;
#pragma omp target teams distribute parallel for private(t) map(tofrom: a[0:n])
  for (int i = 0; i < n; i++)
    {
      t = a[i];
      a[i] = t * t;
    }
  int i;
#pragma omp target teams distribute parallel for simd map(tofrom: a[0:n])
  for (i = 0; i < n; i++)
    a[i] = 1;
}

/* { dg-ummgr-without-gcc "11" "stops at a mapped variable that is linear in a simd loop" } */
/* { dg-final { scan-ummgr-dump-times {: no: no work-shared loop$} 1 ummgr-split } } */
/* { dg-final { scan-ummgr-dump-times {: no: statements beside its loop$} 2 ummgr-split } } */
/* { dg-final { scan-ummgr-dump-times {: no: more than one work-shared loop$} 1 ummgr-split } } */
/* { dg-final { scan-ummgr-dump-times {: no: lastprivate$} 1 ummgr-split } } */
/* { dg-final { scan-ummgr-dump-times {: no: an ordered loop$} 1 ummgr-split } } */
/* { dg-final { scan-ummgr-dump-times {: no: a linear variable beside its index$} 1 ummgr-split } } */
/* { dg-final { scan-ummgr-dump-times {: no: a loop in 64 bits whose step is no constant up to 2.20$} 2 ummgr-split } } */
/* { dg-final { scan-ummgr-dump-times {: no: a loop whose index is a pointer$} 1 ummgr-split } } */
/* { dg-final { scan-ummgr-dump-times {: no: collapsed loops whose bounds depend on each other$} 1 ummgr-split } } */
/* { dg-final { scan-ummgr-dump-times {: no: bounds that its iterations may write$} 1 ummgr-split } } */
/* { dg-final { scan-ummgr-dump-times {: no: a variable of the region's own that its iterations write$} 1 ummgr-split } } */
/* { dg-final { scan-ummgr-dump-times {: no: a loop that may be cancelled$} 1 ummgr-split } } */
/* { dg-final { scan-ummgr-dump-times {: by ranges$} 4 ummgr-split } } */
/* SPDX-License-Identifier: GPL-3.0-or-later  */
