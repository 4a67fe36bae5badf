/* Loops whose iterations libgomp deals out: would break if one thread's share were taken for what
   all do, if a loop that is all of a parallel region, whose bounds its caller has, had none, if
   an empty one counted, if waiting for other iterations were taken for bounds, or if the loop
   that puts the threads' sums together were taken for the shared one.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
void dyn (int n, double *a)
{
#pragma omp target teams distribute parallel for schedule(dynamic, 4) map(tofrom: a[0:n])
  for (int i = 0; i < n; i++)
    a[i] += 1;	/* line 10 */
}
void guided (long n, double *a)
{
#pragma omp target parallel for schedule(guided) map(tofrom: a[0:n])
  for (long i = n - 1; i >= 0; i -= 2)
    a[i] += 1;	/* line 16 */
}
void inside (unsigned long long n, double *a)
{
#pragma omp target map(tofrom: a[0:n])
#pragma omp parallel
#pragma omp for schedule(dynamic)
  for (unsigned long long i = 0; i < n; i++)
    a[i] += 1;	/* line 24 */
}
void runtime (int n, double *a)
{
#pragma omp target teams map(tofrom: a[0:n*n])
#pragma omp distribute
  for (int i = 0; i < n; i++)
#pragma omp parallel for schedule(runtime)
    for (int j = 0; j < n; j++)
      a[i * n + j] += 1;	/* line 33 */
}
void rows (int n, double *a)
{
#pragma omp target teams map(tofrom: a[0:n*n])
#pragma omp distribute
  for (int i = 0; i < n; i++)
#pragma omp parallel for schedule(dynamic)
    for (int j = 0; j < i; j++)
      a[i * n + j] += 1;	/* line 42 */
}
void twice (int n, double *a, double *b)
{
#pragma omp target map(tofrom: a[0:n], b[0:n])
#pragma omp parallel
  {
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < n; i++)
      a[i] += 1;	/* line 51 */
#pragma omp for schedule(guided, 8)
    for (int i = 0; i < n / 2; i++)
      b[i] += 1;	/* line 54 */
  }
}
void seldom (int n, double *a, int *k)
{
#pragma omp target parallel for schedule(dynamic) map(tofrom: a[0:n]) map(to: k[0:n])
  for (int i = 0; i < n; i++)
    if (k[i])
      a[i] += 1;	/* line 62 */
}
int reduced (int n, double *a)
{
  int s = 0;
#pragma omp target map(tofrom: a[0:n], s)
#pragma omp parallel
#pragma omp for schedule(dynamic) reduction(task, +: s)
  for (int i = 0; i < n; i++)
    {
      a[i] += 1;	/* line 72 */
      s++;	/* line 73 */
    }
  return s;
}
void across (int n, double *a)
{
#pragma omp target map(tofrom: a[0:n])
#pragma omp parallel
#pragma omp for schedule(dynamic) ordered(1)
  for (int i = 1; i < n; i++)
    {
#pragma omp ordered depend(sink: i - 1)
      a[i] += a[i - 1];	/* line 85 */
#pragma omp ordered depend(source)
    }
}

/* { dg-final { scan-ummgr-dump-times {ref line (10|24|51|72) [rw] size 8 frequency 1 exact base 0 shared \[8 x n\]} 8 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 16 [rw] size 8 frequency 1 exact base .* shared \[-16 x } 2 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 33 [rw] size 8 frequency 1 exact base 0 shared \[8\*n x n\] shared \[8 x n\]} 2 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 42 [rw] size 8 frequency 1 exact base 8\*n shared \[8\*n x n - 1\] shared \[8 x .* by row 1 \+ X \* 1 from 0 \+ X \* 0\]} 2 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 54 [rw] size 8 frequency 1 exact base 0 shared \[8 x \(\(n\) / \(2\)\)\]} 2 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 62 [rw] size 8 frequency 0.5 affine} 2 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 85 [rw] size 8 frequency 1 exact base [08] shared \[8 x n - 1\]} 3 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use of region (reduced|across)\._omp_fn.* trip n exact} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use of region across\._omp_fn.* trip n - 1 exact} 1 ummgr-tables } } */
