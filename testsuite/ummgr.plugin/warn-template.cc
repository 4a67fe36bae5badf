/* Templates, members, references, lambdas: would break if each instance said
   the same again, or one instance spoke for all.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-ummgr-without-gcc "11" "refuses members that are reached through pointers in map clauses" } */

template<typename T, bool writes>
void
g (T *a, T *b, int n)
{
#pragma omp target parallel for map(tofrom: a[0:n]) map(tofrom: b[0:n]) /* { dg-warning ".a. is copied back" } */
  for (int i = 0; i < n; i++)
    b[i] += a[i];
#pragma omp target map(tofrom: a[0:n])
  if (writes)
    a[0] = a[1] + 1;
#pragma omp target map(tofrom: n) map(from: b[0:n]) /* { dg-warning ".n. is copied back" } */
  b[0] = n;
}

template void g<float, true> (float *, float *, int);
template void g<double, true> (double *, double *, int);
template void g<float, false> (float *, float *, int);

struct V
{
  double *p;
  int n;
  void f (int &r, int &w, double (&q)[4]);
};

void
V::f (int &r, int &w, double (&q)[4])
{
#pragma omp target map(tofrom: p[0:n]) map(tofrom: r) map(tofrom: w, q) /* { dg-warning ".r. is copied back" } */
  {
    q[1] += r;
    w++;
  }
}

int
h (int n)
{
  int c[10], z = 2;
  auto fill = [&] (int k)
    {
#pragma omp target map(from: c) map(tofrom: z)
      c[k] = z;
    };
  for (int i = 0; i < n; i++)
    fill (i);
  return c[0];
}
/* { dg-ummgr-without-gcc "14 15 16" "stops at a region in a lambda that maps a section" } */
/* { dg-final { scan-ummgr-output-times {.a. is copied back} 1 } } */
/* { dg-final { scan-ummgr-output {fix-it:.*:.10:37-10:43.:"to"} } } */
/* { dg-final { scan-ummgr-output-times {fix-it:.*:.34:} 1 } } */
