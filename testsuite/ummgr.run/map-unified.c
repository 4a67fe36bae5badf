/* Managed memory that is mapped as ordinary memory gets a second copy; a
   pointer that is not passed on is NULL on the device.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-without-gcc "11" "refuses members that are reached through pointers in map clauses" } */

#include "check.h"
#include "ummgr.h"

#include <dlfcn.h>
#include <stdlib.h>

enum { N = 10000 };

struct pair
{
  int *p;
  int n;
};

int
main (void)
{
  /* Not linked with libummgr: the test also runs without it.  */
  void *(*get) (size_t) = (void *(*) (size_t)) dlsym (RTLD_DEFAULT,
						      "ummgr_malloc");
  void (*put) (void *) = (void (*) (void *)) dlsym (RTLD_DEFAULT, "ummgr_free");
  if (!get || !put)
    return 0;
  int *a = get (N * sizeof *a), bad = 0;
  CHECK (a);
  for (int i = 0; i < N; i++)
    a[i] = i;
  /* No map clause at all.  */
#pragma omp target
  for (int i = 0; i < N; i++)
    a[i]++;
  CHECK_EQ (a[N - 1], N);
  /* Map clauses are no-ops, and so are updates.  */
#pragma omp target data map(to: a[:N])
  {
#pragma omp target map(tofrom: a[:N])
    a[0] = 42;
    CHECK_EQ (a[0], 42);
#pragma omp target update to(a[:N])
#pragma omp target update from(a[:N])
    CHECK_EQ (a[0], 42);
  }
#pragma omp target map(always, tofrom: a[:10])
  a[1] = 43;
  CHECK_EQ (a[1], 43);
  /* A pointer inside of mapped memory, and one inside of managed memory.  */
  struct pair s = { a, N };
#pragma omp target map(to: s) map(tofrom: bad)
  bad = s.p[1] != 43;
  CHECK (!bad);
  struct pair *m = get (sizeof *m);
  CHECK (m);
  *m = s;
#pragma omp target map(tofrom: m[:1], m->p[:N])
  m->p[2] = 44;
  CHECK (m->p == a);
  CHECK_EQ (a[2], 44);
  /* Ordinary memory behind a pointer in managed memory.  */
  int *plain = malloc (N * sizeof *plain);
  CHECK (plain);
  plain[3] = 1;
  m->p = plain;
#pragma omp target map(tofrom: m[:1], m->p[:N])
  m->p[3] += m->n;
  CHECK (m->p == plain);
  CHECK_EQ (plain[3], N + 1);
  free (plain);
  put (m);
  put (a);
  put (NULL);
  return 0;
}
