/* Arrays come and go on a device that has room for some of them, in random order: what was copied
   to plain memory while all fitted has to become managed memory later, with what regions wrote
   in it; not while its address is held.  Would break if data were lost on the way.  */
/* { dg-do run } */
/* { dg-ummgr-policies "explicit lru rdm auto" } */
/* { dg-ummgr-counter auto device_peak_bytes <= 6291456 } */
/* { dg-ummgr-env "UMMGR_LOG=debug" } */
/* { dg-ummgr-output auto "becomes managed memory" } */

#include "check.h"
#include "random.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ARRAYS = 8, MOST = 1 << 19, STEPS = 400 };

static struct array
{
  int *host, *expected;		/* What regions see.  */
  long n;
  int *held;			/* Its address on the device, or NULL.  */
  bool mapped;
} array[ARRAYS];

static uint64_t state = 88172645463325252u;

static long
below (long n)
{
  return (long) (random64 (&state) >> 11) % n;
}

static int *
device_address (int *p)
{
  int *d;
#pragma omp target data use_device_ptr(p)
  d = p;
  return d;
}

static void
enter (struct array *a)
{
  int *p = a->host;
  long n = a->n;
#pragma omp target enter data map(to: p[:n])
  memcpy (a->expected, p, n * sizeof *p);
  a->mapped = true;
}

static void
leave (struct array *a)
{
  int *p = a->host;
  long n = a->n;
#pragma omp target exit data map(from: p[:n])
  CHECK (!memcmp (p, a->expected, n * sizeof *p));
  a->mapped = false;
  a->held = NULL;
}

/* A, which is mapped, from B, which need not be.  */
static void
use (struct array *a, struct array *b, int c)
{
  int *p = a->host, *q = b->host;
  long np = a->n, nq = b->n, n = np < nq ? np : nq;
#pragma omp target teams distribute parallel for map(tofrom: p[:np]) map(to: q[:nq])
  for (long i = 0; i < n; i++)
    p[i] = p[i] * 3u + q[i] + c;
  const int *other = b->mapped ? b->expected : q;
  for (long i = 0; i < n; i++)
    a->expected[i] = a->expected[i] * 3u + other[i] + c;
}

/* By its address on the device.  */
static void
use_held (struct array *a, int c)
{
  int *p = a->held;
  long n = a->n;
#pragma omp target teams distribute parallel for is_device_ptr(p)
  for (long i = 0; i < n; i++)
    p[i] += c;
  for (long i = 0; i < n; i++)
    a->expected[i] += c;
}

static void
update (struct array *a)
{
  int *p = a->host;
  long lo = below (a->n), n = 1 + below (a->n - lo);
  if (below (2))
    {
      for (long i = lo; i < lo + n; i++)
	a->expected[i] = p[i] = (int) i ^ 5;
#pragma omp target update to(p[lo:n])
    }
  else
    {
#pragma omp target update from(p[lo:n])
      CHECK (!memcmp (p + lo, a->expected + lo, n * sizeof *p));
    }
}

int
main (int argc, char **argv)
{
  const char *policy = getenv ("UMMGR_POLICY");
  /* Libgomp has no answer to too little memory.  */
  if (policy && strcmp (policy, "explicit") != 0 && !getenv ("UMMGR_DEVICE_MEM"))
    {
      CHECK (setenv ("UMMGR_DEVICE_MEM", "6M", 1) == 0);
      execv ("/proc/self/exe", argv);
      return 1;
    }
  for (int i = 0; i < ARRAYS; i++)
    {
      struct array *a = &array[i];
      a->n = 20000 + below (MOST - 20000);
      a->host = malloc (a->n * sizeof *a->host);
      a->expected = malloc (a->n * sizeof *a->expected);
      CHECK (a->host && a->expected);
      for (long k = 0; k < a->n; k++)
	a->host[k] = (int) k * (i + 1);
    }
  for (int step = 0; step < STEPS; step++)
    {
      struct array *a = &array[below (ARRAYS)], *b = &array[below (ARRAYS)];
      switch (below (8))
	{
	case 0:
	case 1:
	  (a->mapped ? leave : enter) (a);
	  break;
	case 2:
	  if (a->mapped)
	    update (a);
	  break;
	case 3:
	  if (a->mapped && !a->held && below (8) == 0)
	    a->held = device_address (a->host);
	  break;
	case 4:
	  if (a->held)
	    use_held (a, step);
	  break;
	default:
	  if (a != b && a->mapped)
	    use (a, b, step);
	}
    }
  for (int i = 0; i < ARRAYS; i++)
    if (array[i].mapped)
      leave (&array[i]);
  return 0;
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */
