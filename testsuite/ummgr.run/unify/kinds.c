/* Each way to allocate in C yields managed memory with what the C library
   promises: zeros, alignment, errno, sizes; and may be resized and freed.  */
/* unify-objects: 8 */

#include "check.h"

#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Sizes differ, so that the statistics tell the objects apart.  */
enum { N = 5000, M = 6000 };

/* In all of the arrays.  */
static void
add (int *a, int n, int what)
{
#pragma omp target teams distribute parallel for map(tofrom: a[:n])
  for (int i = 0; i < n; i++)
    a[i] += what;
}

static void
check_and_free (int *a, int n, int what)
{
  for (int i = 0; i < n; i++)
    CHECK_EQ (a[i], what);
  free (a);
}

static void
resizing (void)
{
  int *a = malloc (M * sizeof *a);
  CHECK (a);
  for (int i = 0; i < M; i++)
    a[i] = 1;
  add (a, M, 1);
  a = realloc (a, 2 * M * sizeof *a);
  CHECK (a);
  for (int i = M; i < 2 * M; i++)
    a[i] = 2;
  add (a, 2 * M, 1);
  a = reallocarray (a, M / 2, sizeof *a);
  CHECK (a);
  add (a, M / 2, 1);
  check_and_free (a, M / 2, 4);
  a = realloc (NULL, (M + 1) * sizeof *a);
  CHECK (a);
  memset (a, 0, M * sizeof *a);
  add (a, M, 3);
  check_and_free (a, M, 3);
}

static void
failing (void)
{
  volatile size_t huge = PTRDIFF_MAX;
  /* Or GCC 16 leaves out what is only asked whether it failed, which it then doesn't.  */
  void *volatile seen;
  void *q = NULL;
  errno = 0;
  int *a = malloc (huge);
  seen = a;
  CHECK (!a);
  CHECK_EQ (errno, ENOMEM);
  add (a, 0, 1);
  errno = 0;
  a = calloc (huge, 16);
  seen = a;
  CHECK (!seen);
  CHECK_EQ (errno, ENOMEM);
  add (a, 0, 1);
  CHECK_EQ (posix_memalign (&q, 3, 64), EINVAL);
  CHECK (!q);
}

int
main (void)
{
  errno = 42;
  int *a = malloc (N * sizeof *a);
  CHECK (a);
  CHECK_EQ (errno, 42);
  CHECK (malloc_usable_size (a) >= N * sizeof *a);
  memset (a, 0, N * sizeof *a);
  int *b = calloc (N, sizeof *b);
  CHECK (b);
  int *c = aligned_alloc (4096, 8192 * sizeof *c);
  CHECK (c);
  CHECK_EQ ((uintptr_t) c % 4096, 0);
  memset (c, 0, N * sizeof *c);
  void *q;
  CHECK_EQ (posix_memalign (&q, 256, N * sizeof (int)), 0);
  int *d = q;
  CHECK_EQ ((uintptr_t) d % 256, 0);
  memset (d, 0, N * sizeof *d);
  add (a, N, 1);
  add (b, N, 2);
  add (c, N, 3);
  add (d, N, 4);
  errno = 42;
  check_and_free (a, N, 1);
  CHECK_EQ (errno, 42);
  check_and_free (b, N, 2);
  check_and_free (c, N, 3);
  check_and_free (d, N, 4);
  resizing ();
  failing ();
  free (NULL);
  return 0;
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */
