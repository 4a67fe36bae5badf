// Arguments of C++ programs: would break if a lambda's or a template's region,
// a reference, or an array of a struct were not followed, or if an atomic update
// or a reduction were taken for a read only.  SPDX-License-Identifier: GPL-3.0-or-later
// { dg-do compile }

template <typename T>
void
scale (T *p, int n, T by)
{
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
  for (int i = 0; i < n; i++)
    p[i] *= by;
}

struct pair { double first, second[2]; };

double
f (double *a, pair *s, int n)
{
  scale (a, n, 2.0);
  double total = 0;
  auto sum = [&] {
#pragma omp target teams distribute parallel for map(to: s[0:n]) reduction(+: total) map(tofrom: total)
    for (int i = 0; i < n; i++)
      total += s[i].second[1];
  };
  sum ();
  int hits[4] = {};
#pragma omp target teams distribute parallel for map(tofrom: hits)
  for (int i = 0; i < n; i++)
#pragma omp atomic
    hits[i & 3]++;
  double more = 0;
#pragma omp target teams distribute parallel for map(to: s[0:n]) reduction(+: more) map(tofrom: more)
  for (int i = 0; i < n; i++)
    more += s[i].second[1];
  return total + hits[0] + more;
}

// { dg-ummgr-without-gcc "14 15 16" "stops at a region in a lambda that maps a section" }
// { dg-final { scan-ummgr-dump-times {ref line 12 [rw] size 8 frequency 1 exact base 0 shared \[8 x n\]$} 2 ummgr-tables } }
// The pointer is the closure's, which GCC 13 takes for s itself.
// { dg-final { scan-ummgr-dump {use s read unknown why (__closure|s)->\.\.\.: pointer loaded from memory} ummgr-tables } }
// { dg-final { scan-ummgr-dump-times {ref line 36 r size 8 frequency 1 exact base 16 shared \[24 x n\]$} 1 ummgr-tables } }
// GCC 12 maps the closure and what its members point to, GCC 11 nothing of it: then they may point to total, too.
// { dg-final { scan-ummgr-dump-times {use total read written$} {0 12:1} ummgr-tables } }
// { dg-final { scan-ummgr-dump-times {use total read written unknown why __closure->\.\.\.} {1 12:0} ummgr-tables } }
// { dg-final { scan-ummgr-dump-times {use hits read written$} 1 ummgr-tables } }
// { dg-final { scan-ummgr-dump-not {use s .*written} ummgr-tables } }
