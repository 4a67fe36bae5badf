/* Copied in and overwritten before it is read: would break if a branch, an
   earlier read or a read through a pointer were passed over.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

struct pair { int x, y; };
struct gap { char x; int y; };
extern void see (int *p);

int
has (int n)
{
  int e = 1, g = 1;
  struct pair s = { 1, 2 }, t = { 3, 4 };
#pragma omp target map(tofrom: e) /* { dg-warning ".e. is copied to" } */
  {
    e = n;
    for (int i = 0; i < n; i++)
      e += i;
  }
#pragma omp target map(tofrom: s) map(tofrom: t) /* { dg-warning ".s. is copied to" } */
  {
    s = t;
    t.x = s.y;
  }
#pragma omp target map(to: s) map(from: g) /* { dg-warning ".s. is copied to" } */
  {
    s.x = n;
    s.y = 2;
    g = s.x;
  }
  return e + g + s.x + t.x;
}

int
nearly (int n)
{
  int e = 1, g = 1, *p = &g;
  struct pair s = { 1, 2 };
  struct gap w = { 1, 2 };
#pragma omp target map(tofrom: e)
  {
    if (n)
      e = n;
    e++;
  }
#pragma omp target map(tofrom: e)
  e = e + 1;
#pragma omp target map(tofrom: e, s)
  {
    int k = s.x;
    s.x = n;
    e += k + s.y++;
  }
#pragma omp target map(tofrom: e, g)
  {
    int k = *p + e;
    g = k;
    e += g;
  }
#pragma omp target teams map(tofrom: e)
  {
    e = n;
    e++;
  }
  /* The bytes in between stay.  */
#pragma omp target map(tofrom: w)
  {
    w.x = n;
    w.y = n + 1;
  }
  e += __builtin_memcmp (&w, &(struct gap) { 1, 2 }, sizeof w);
  see (p);
  return e + g + s.x;
}

int
not (int n)
{
  int e = 1;
#pragma omp target map(from: e)
  {
    e = n;
    e++;
  }
  return e;
}

/* { dg-final { scan-ummgr-output {.-fplugin-arg-ummgr-warn overwritten.$} } } */
