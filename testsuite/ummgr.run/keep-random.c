/* What a mapping finds on the device is what the host has, whatever the host has done in between: random regions and
   constructs on heap, static and stack arrays, written by stores, by the kernel, as new memory at an old address,
   during a data construct, and by regions whose writes are not copied back; beside a model that runs on the host.
   Would break if a copy were kept that is no longer the same.  keep-random SEED STEPS prints what it does.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target ummgr_plugin } */
/* { dg-additional-options "-fplugin=[ummgr_plugin]" } */
/* { dg-ummgr-policies "auto" } */
/* { dg-ummgr-env "UMMGR_PROFILE=rtx3090-pcie3" } */

#include "check.h"
#include "random.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef uint32_t u32;
enum { ARRAYS = 6, MOST = 70000 };

static uint64_t random_state;
static bool verbose;
static u32 fixed[MOST];
static int zeros;

static struct array
{
  u32 *a, *model;
  long n;
  bool heap;
} array[ARRAYS];

static long
below (long n)
{
  return (long) ((random64 (&random_state) >> 16) % (uint64_t) n);
}

static u32
sum_of (const u32 *a, long n)
{
  u32 sum = 0;
  for (long i = 0; i < n; i++)
    sum += a[i] * (u32) (2 * i + 1);
  return sum;
}

static void
is_right (const char *what, int line, u32 got, u32 wanted)
{
  if (got != wanted)
    {
      fprintf (stderr, "%d: %s: %u for %u\n", line, what, got, wanted);
      abort ();
    }
}
#define IS_RIGHT(WHAT, GOT, WANTED) is_right (WHAT, __LINE__, GOT, WANTED)

static void
say (const char *what, const struct array *x, long lo, long n)
{
  if (verbose)
    printf ("%s %d [%ld, +%ld)\n", what, (int) (x - array), lo, n);
}

/* --- regions ------------------------------------------------------------------- */

static u32
read_it (const u32 *a, long lo, long n)
{
  u32 sum = 0;
#pragma omp target teams distribute parallel for map(to: a[lo:n]) map(tofrom: sum) reduction(+: sum)
  for (long i = lo; i < lo + n; i++)
    sum += a[i] * (u32) (2 * (i - lo) + 1);
  return sum;
}

static void
change_it (u32 *a, long lo, long n, u32 by)
{
#pragma omp target teams distribute parallel for map(tofrom: a[lo:n])
  for (long i = lo; i < lo + n; i++)
    a[i] = a[i] * 3 + by;
}

static void
write_it (u32 *a, long lo, long n, u32 by)
{
#pragma omp target teams distribute parallel for map(from: a[lo:n])
  for (long i = lo; i < lo + n; i++)
    a[i] = (u32) i + by;
}

/* In vain: nothing comes back.  */
static u32
spoil_it (u32 *a, long lo, long n, u32 by)
{
  u32 sum = 0;
#pragma omp target teams distribute parallel for map(to: a[lo:n]) map(tofrom: sum) reduction(+: sum)
  for (long i = lo; i < lo + n; i++)
    {
      a[i] += by;
      sum += a[i];
    }
  return sum;
}

static u32
add_two (const u32 *a, const u32 *b, long n)
{
  u32 sum = 0;
#pragma omp target teams distribute parallel for map(to: a[:n], b[:n]) map(tofrom: sum) reduction(+: sum)
  for (long i = 0; i < n; i++)
    sum += a[i] ^ b[i];
  return sum;
}

/* --- steps --------------------------------------------------------------------- */

static void
pick_range (const struct array *x, long *lo, long *n)
{
  *lo = 0;
  *n = x->n;
  if (below (6))
    return;
  *lo = below (x->n / 2);
  *n = 1 + below (x->n - *lo);
}

static void
host_writes (struct array *x)
{
  long at = below (x->n), n = 1 + below (3000);
  if (n > x->n - at)
    n = x->n - at;
  say ("host writes", x, at, n);
  if (below (3))
    for (long i = at; i < at + n; i++)
      x->a[i] = x->model[i] = (u32) i * 5 + 1;
  else
    {
      CHECK_EQ (read (zeros, x->a + at, n * sizeof *x->a), n * (long) sizeof *x->a);
      memset (x->model + at, 0, n * sizeof *x->model);
    }
}

static void
fill (struct array *x, u32 by)
{
  for (long i = 0; i < x->n; i++)
    x->a[i] = x->model[i] = (u32) i + by;
}

/* The same address, as often as not, and other data.  */
static void
make_anew (struct array *x)
{
  if (!x->heap)
    return;
  say ("anew", x, 0, x->n);
  free (x->a);
  bool cleared = below (2);
  x->a = cleared ? calloc (x->n, sizeof *x->a) : malloc (x->n * sizeof *x->a);
  CHECK (x->a);
  if (cleared)
    memset (x->model, 0, x->n * sizeof *x->model);
  else
    fill (x, (u32) below (1000));
}

static void
construct (struct array *x)
{
  u32 *a = x->a, by = (u32) below (1000);
  long n = x->n, at = below (n);
  say ("construct", x, at, 0);
  if (below (3) == 0)
    {
      /* Twice what the device makes of it, and then the host's again.  */
#pragma omp target data map(to: a[:n])
      {
	u32 was = 0, spoilt = 0;
	for (long i = 0; i < n; i++)
	  was += x->model[i];
	spoilt = spoil_it (a, 0, n, by);
	IS_RIGHT ("spoilt in a construct", spoilt, was + by * (u32) n);
#pragma omp target data map(always, to: a[:n])
	IS_RIGHT ("always", read_it (a, 0, n), sum_of (x->model, n));
      }
    }
  else if (below (2))
    {
#pragma omp target data map(to: a[:n])
      {
	u32 old = sum_of (x->model, n);
	IS_RIGHT ("in a construct", read_it (a, 0, n), old);
	a[at] = x->model[at] = by;
	IS_RIGHT ("not updated", read_it (a, 0, n) - old, 0);
      }
    }
  else
    {
#pragma omp target enter data map(to: a[:n])
      change_it (a, 0, n, by);
      for (long i = 0; i < n; i++)
	x->model[i] = x->model[i] * 3 + by;
#pragma omp target update from(a[:n])
      a[at] = x->model[at] = by;
#pragma omp target update to(a[at:1])
      IS_RIGHT ("updated", read_it (a, 0, n), sum_of (x->model, n));
      if (below (2))
	{
#pragma omp target exit data map(from: a[:n])
	}
      else
	{
#pragma omp target exit data map(release: a[:n])
	}
    }
}

static void
step (void)
{
  struct array *x = &array[below (ARRAYS)], *y = &array[below (ARRAYS)];
  u32 by = (u32) below (1000), wanted = 0;
  long lo, n;
  pick_range (x, &lo, &n);
  switch (below (16))
    {
    case 0:
    case 1:
      host_writes (x);
      break;
    case 2:
      make_anew (x);
      break;
    case 3:
      construct (x);
      break;
    case 4:
    case 5:
      say ("change", x, lo, n);
      change_it (x->a, lo, n, by);
      for (long i = lo; i < lo + n; i++)
	x->model[i] = x->model[i] * 3 + by;
      break;
    case 6:
      say ("write", x, lo, n);
      write_it (x->a, lo, n, by);
      for (long i = lo; i < lo + n; i++)
	x->model[i] = (u32) i + by;
      break;
    case 7:
      say ("spoil", x, lo, n);
      for (long i = lo; i < lo + n; i++)
	wanted += x->model[i] + by;
      IS_RIGHT ("spoil", spoil_it (x->a, lo, n, by), wanted);
      break;
    case 8:
      if (x == y)
	break;
      n = x->n < y->n ? x->n : y->n;
      say ("add", x, 0, n);
      for (long i = 0; i < n; i++)
	wanted += x->model[i] ^ y->model[i];
      IS_RIGHT ("add", add_two (x->a, y->a, n), wanted);
      break;
    default:
      say ("read", x, lo, n);
      IS_RIGHT ("read", read_it (x->a, lo, n), sum_of (x->model + lo, n));
      break;
    }
  CHECK (memcmp (x->a, x->model, x->n * sizeof *x->a) == 0);
}

static void __attribute__ ((noinline))
run_seed (uint64_t seed, int steps)
{
  u32 local[20000];
  random_state = seed * 0x9e3779b97f4a7c15u + 1;
  for (int i = 0; i < ARRAYS; i++)
    {
      struct array *x = &array[i];
      x->heap = i > 1;
      x->n = i == 0 ? MOST : i == 1 ? 20000 : 500 + below (MOST - 500);
      x->a = i == 0 ? fixed : i == 1 ? local : malloc (x->n * sizeof *x->a);
      x->model = malloc (x->n * sizeof *x->model);
      CHECK (x->a && x->model);
      fill (x, (u32) i);
    }
  for (int i = 0; i < steps; i++)
    step ();
  for (int i = 0; i < ARRAYS; i++)
    {
      free (array[i].model);
      if (array[i].heap)
	free (array[i].a);
    }
}

int
main (int argc, char **argv)
{
  zeros = open ("/dev/zero", O_RDONLY);
  CHECK (zeros >= 0);
  verbose = argc > 1;
  if (argc > 2)
    run_seed (strtoull (argv[1], NULL, 0), atoi (argv[2]));
  else
    for (uint64_t seed = 1; seed <= 6; seed++)
      run_seed (seed, 60);
  return 0;
}
