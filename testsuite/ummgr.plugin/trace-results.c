/* Whose results move to memory: would break if a function did not return a struct
   where the offload compiler expects it, or if one did of which calls are
   unknown, or which is the host's alone.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-options "-fopenmp -O1 -fplugin-arg-ummgr-trace" } */

struct pair { int low, high; };
struct five { long x[5]; };

#pragma omp declare target
__attribute__ ((noinline)) static struct pair
known (const int *x, long i)
{
  return (struct pair) { x[i], x[i + 1] };
}

/* Its traced version alone.  */
__attribute__ ((noinline)) struct pair
visible (const int *x, long i)
{
  return (struct pair) { x[i + 1], x[i] };
}

/* There anyhow.  */
__attribute__ ((noinline)) static struct five
large (const int *x, long i)
{
  return (struct five) { { x[i] } };
}
#pragma omp end declare target

__attribute__ ((noinline)) static struct pair
host (const int *x, long i)
{
  return (struct pair) { x[i], i };
}

int
caller (int *x, long n)
{
#pragma omp target map(tofrom: x[:n + 1])
  for (long i = 0; i < n; i++)
    x[i] = known (x, i).high + visible (x, i).low + large (x, i).x[0];
  return host (x, n).low;
}

/* { dg-final { scan-ummgr-dump {trace result of known in memory} ummgr-trace } } */
/* { dg-final { scan-ummgr-dump {trace result of visible\.ummgr_traced(\.0)? in memory} ummgr-trace } } */
/* { dg-final { scan-ummgr-dump-times {in memory} 2 ummgr-trace } } */
