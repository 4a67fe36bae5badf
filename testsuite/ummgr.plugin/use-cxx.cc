// Templates, lambdas and function objects, each with what it must not be taken
// for: would break if an instance's type were another's, if what lies in a
// lambda's closure were said to be known, or if a function object hid an access.
// { dg-do compile }
// { dg-additional-options "-std=c++14" }

template <typename T, int N>
struct vec
{
  T e[N];
};

template <typename T>
void
fill (T *p, long n)
{
#pragma omp target teams distribute parallel for map(from: p[0:n])
  for (long i = 0; i < n; i++)
    p[i] = T ();
}

#pragma omp declare target
struct twice
{
  template <typename T> T operator() (T x) const { return x + x; }
};
#pragma omp end declare target

template <typename T, typename F>
void
apply (T *p, long n, F f)
{
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
  for (long i = 0; i < n; i++)
    p[i] = f (p[i]);
}

template <int N>
void
rows (float (*p)[N], long n)
{
#pragma omp target teams distribute parallel for collapse(2) map(from: p[0:n])
  for (long i = 0; i < n; i++)
    for (int j = 0; j < N; j++)
      p[i][j] = 1;
}

namespace deep {
void
f (char *c, double *d, short *s, vec<float, 5> *v, float (*r)[17], long n)
{
  fill (c, n);
  fill (d, n);
  apply (s, n, twice ());
  auto loop = [=] {
#pragma omp target teams distribute parallel for map(from: v[0:n])
    for (long i = 0; i < n; i++)
      v[i].e[4] = 1;
  };
  loop ();
  rows (r, n);
  long &count = n;
#pragma omp target teams distribute parallel for map(from: d[0:count])
  for (long i = 0; i < count; i++)
    d[i] = 2;
}
}

// { dg-final { scan-ummgr-dump-times {ref line 19 w size 1 frequency 1 exact base 0 shared \[1 x n\]$} 1 ummgr-tables } }
// { dg-final { scan-ummgr-dump-times {ref line 19 w size 8 frequency 1 exact base 0 shared \[8 x n\]$} 1 ummgr-tables } }
// { dg-final { scan-ummgr-dump-times {ref line 35 [rw] size 2 frequency 1 exact base 0 shared \[2 x n\]$} 2 ummgr-tables } }
// { dg-final { scan-ummgr-dump-times {ref line 45 w size 4 frequency 1 exact base 0 shared \[68 x n\] shared \[4 x 17\]$} 1 ummgr-tables } }
// What a lambda gets lies in its closure, behind a pointer.
// { dg-final { scan-ummgr-dump {use v written unknown why __closure->\.\.\.: pointer loaded from memory} ummgr-tables } }
// { dg-final { scan-ummgr-dump-times {ref line 65 w size 8 frequency 1 exact base 0 shared \[8 x count\]$} 1 ummgr-tables } }
// { dg-final { scan-ummgr-dump-not {ref line 19 w size 2} ummgr-tables } }
/* SPDX-License-Identifier: GPL-3.0-or-later  */
