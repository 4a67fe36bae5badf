/* What pieces share: data is mapped once around them, and goes on from one to the
   next.  Each of these comes out wrong if every piece maps for itself, or begins
   anew.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { split-pieces scratch 7 } { split-pieces from 7 } { split-pieces always 7 } */
/* { split-pieces present 7 } { split-pieces sums 7 } { split-pieces most 7 } { split-pieces bits 7 } */
/* { split-pieces tickets 7 } */
/* { split-pieces histogram 7 } { split-pieces statics 7 } { split-pieces own 7 } */
/* { split-pieces member 7 } { split-pieces pointer 7 } { split-pieces released 7 } */
/* { split-pieces waits 7 } { split-pieces section 7 } { split-pieces struct_map 7 } */
/* { split-pieces element 7 } */

#include "check.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1003 };

/* Memory of the device's alone, and a counter in it.  */
static void
scratch (void)
{
  int *seen = malloc (N * sizeof *seen), sum = 0;
  memset (seen, 1, N * sizeof *seen);
#pragma omp target enter data map(alloc: seen[0:N])
#pragma omp target map(alloc: seen[0:N])
  for (int i = 0; i < N; i++)
    seen[i] = 0;
#pragma omp target teams distribute parallel for map(alloc: seen[0:N])
  for (int i = 0; i < N; i++)
    for (int j = 0; j < 3; j++)
      {
#pragma omp atomic
	seen[(i + j) % N]++;
      }
#pragma omp target map(alloc: seen[0:N]) map(tofrom: sum)
  for (int i = 0; i < N; i++)
    sum += seen[i] == 3;
#pragma omp target exit data map(delete: seen[0:N])
  CHECK_EQ (sum, N);
  free (seen);
}

/* All of it comes back at once: what no piece had written yet must not.  */
static void
from (int *x)
{
  memset (x, -1, N * sizeof *x);
#pragma omp target teams distribute parallel for map(from: x[0:N])
  for (int i = 0; i < N; i++)
    x[i] = i;
  for (int i = 0; i < N; i++)
    CHECK_EQ (x[i], i);
}

/* Copied in once, and out once.  */
static void
always (int *x)
{
  int done = 0;
  for (int i = 0; i < N; i++)
    x[i] = 0;
#pragma omp target data map(to: x[0:N], done)
  {
    for (int i = 0; i < N; i++)
      x[i] = 1;
#pragma omp target teams distribute parallel for map(always, tofrom: x[0:N], done)
    for (int i = 0; i < N; i++)
      {
	x[(i * 7) % N]++;
#pragma omp atomic
	done++;
      }
    CHECK_EQ (done, N);
    for (int i = 0; i < N; i++)
      CHECK_EQ (x[i], 2);
  }
}

/* What the device has is what counts.  */
static void
present (int *x, int *y)
{
  for (int i = 0; i < N; i++)
    x[i] = i;
#pragma omp target enter data map(to: x[0:N])
  for (int i = 0; i < N; i++)
    x[i] = -1;
#pragma omp target teams distribute parallel for map(to: x[0:N]) map(from: y[0:N])
  for (int i = 0; i < N; i++)
    y[i] = x[i]++;
#pragma omp target exit data map(from: x[0:N])
  for (int i = 0; i < N; i++)
    CHECK (y[i] == i && x[i] == i + 1);
}

/* One reduction each: GCC 12 can't link several for nvptx.  */
#define DO(PRAGMA) _Pragma (#PRAGMA)
#define REDUCE(NAME, TYPE, BEGIN, OPERATION, STEP)				\
  static TYPE NAME (const int *x)						\
  {										\
    TYPE s = BEGIN;								\
    DO (omp target teams distribute parallel for map (to: x[0:N])		\
	reduction (OPERATION: s))						\
    for (int i = 0; i < N; i++)							\
      STEP;									\
    return s;									\
  }
REDUCE (sums, long, 5, +, s += x[i])
REDUCE (reals, double, 0.5, +, s += x[i])
REDUCE (most, int, -1, max, s = s > x[i] ? s : x[i])
REDUCE (product, long, 1, *, s *= i % 100 == 7 ? 3 : 1)
REDUCE (bits, long, 0, ^, s ^= 1L << x[i] % 61)

static void
reductions (const int *x)
{
  long sum = 5, greatest = -1, times = 1, set = 0;
  for (int i = 0; i < N; i++)
    {
      sum += x[i];
      greatest = greatest > x[i] ? greatest : x[i];
      times *= i % 100 == 7 ? 3 : 1;
      set ^= 1L << x[i] % 61;
    }
  CHECK_EQ (sums (x), sum);
  CHECK (reals (x) == sum - 5 + 0.5);
  CHECK_EQ (most (x), greatest);
  CHECK_EQ (product (x), times);
  CHECK_EQ (bits (x), set);
}

/* The result of an atomic operation says where to.  */
static void
tickets (int *x)
{
  int next = 0;
  memset (x, 0, N * sizeof *x);
#pragma omp target teams distribute parallel for map(tofrom: next, x[0:N])
  for (int i = 0; i < N; i++)
    {
      int mine;
#pragma omp atomic capture
      mine = next++;
      x[mine] += 1;
    }
  CHECK_EQ (next, N);
  for (int i = 0; i < N; i++)
    CHECK_EQ (x[i], 1);
}

static void
histogram (const int *x)
{
  int h[16] = { 0 }, g[16] = { 0 };
#pragma omp target teams distribute parallel for map(to: x[0:N]) map(tofrom: h)
  for (int i = 0; i < N; i++)
    {
#pragma omp atomic
      h[x[i] & 15]++;
    }
  for (int i = 0; i < N; i++)
    g[x[i] & 15]++;
  CHECK (memcmp (h, g, sizeof h) == 0);
}

#pragma omp declare target
int table[N], calls;
void
count (int i)
{
  table[i] = i;
#pragma omp atomic
  calls++;
}
#pragma omp end declare target

static void
statics (void)
{
#pragma omp target update to(calls)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    count (i);
#pragma omp target update from(table, calls)
  CHECK_EQ (calls, N);
  for (int i = 0; i < N; i++)
    CHECK_EQ (table[i], i);
}

/* What each launch gets of its own.  */
static void
own (int *x)
{
  struct { int by, more[3]; } own = { 3, { 1, 2, 3 } };
  int t;
#pragma omp target teams distribute parallel for map(tofrom: x[0:N]) firstprivate(own) private(t)
  for (int i = 0; i < N; i++)
    {
      t = own.by * i + own.more[i % 3];
      x[i] = t;
    }
  for (int i = 0; i < N; i++)
    CHECK_EQ (x[i], 3 * i + i % 3 + 1);
}

struct box { int n; int *p; };

/* A pointer within a struct, attached.  */
static void
member (int *x)
{
  struct box box = { N, x };
  memset (x, 0, N * sizeof *x);
#pragma omp target teams distribute parallel for map(tofrom: box.p[0:N])
  for (int i = 0; i < N; i++)
    box.p[i] += i;
  CHECK (box.p == x);
  for (int i = 0; i < N; i++)
    CHECK_EQ (x[i], i);
}

static void
struct_map (int *x)
{
  struct box box = { N, x };
  memset (x, 0, N * sizeof *x);
#pragma omp target data map(to: box) map(tofrom: box.p[0:N])
  {
#pragma omp target teams distribute parallel for map(to: box) map(tofrom: box.p[0:N])
    for (int i = 0; i < N; i++)
      box.p[i] += i;
  }
  for (int i = 0; i < N; i++)
    CHECK_EQ (x[i], i);
}

static struct box boxes[3];

/* Of an array of structs, one that only the program knows: GCC 14 has a kind of map for it.  */
static void
element (int *x, int which)
{
  boxes[which] = (struct box) { N, x };
  memset (x, 0, N * sizeof *x);
#pragma omp target teams distribute parallel for map(tofrom: boxes[which].p[0:N])
  for (int i = 0; i < N; i++)
    boxes[which].p[i] += i;
  CHECK (boxes[which].p == x);
  for (int i = 0; i < N; i++)
    CHECK_EQ (x[i], i);
}

static void
pointer (void)
{
  int device = omp_get_default_device (), sum = 0;
  int *p = omp_target_alloc (N * sizeof *p, device);
  CHECK (p);
#pragma omp target teams distribute parallel for is_device_ptr(p)
  for (int i = 0; i < N; i++)
    p[i] = i;
#pragma omp target teams distribute parallel for is_device_ptr(p) reduction(+: sum)
  for (int i = 0; i < N; i++)
    sum += p[i];
  CHECK_EQ (sum, N * (N - 1) / 2);
  omp_target_free (p, device);
}

/* The counts of references are what they were.  */
static void
released (int *x)
{
  int device = omp_get_default_device ();
#pragma omp target teams distribute parallel for map(tofrom: x[0:N])
  for (int i = 0; i < N; i++)
    x[i] = i;
  CHECK (!omp_target_is_present (x, device));
#pragma omp target enter data map(to: x[0:N])
#pragma omp target teams distribute parallel for map(tofrom: x[0:N])
  for (int i = 0; i < N; i++)
    x[i]++;
  CHECK (omp_target_is_present (x, device));
#pragma omp target exit data map(from: x[0:N])
  CHECK (!omp_target_is_present (x, device));
  for (int i = 0; i < N; i++)
    CHECK_EQ (x[i], i + 1);
}

/* Tasks before and after, and values from when the construct was met.  */
static void
waits (int *x)
{
  int add = 1;
  memset (x, 0, N * sizeof *x);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(out: x[0]) shared(x)
    for (int i = 0; i < N; i++)
      x[i] = i;
#pragma omp target teams distribute parallel for map(tofrom: x[0:N]) depend(inout: x[0]) nowait \
    firstprivate(add)
    for (int i = 0; i < N; i++)
      x[i] += add;
#pragma omp task depend(in: x[0]) shared(x)
    for (int i = 0; i < N; i++)
      CHECK_EQ (x[i], i + 1);
#pragma omp taskwait
  }
}

/* Pointers without a size, in a data region.  */
static void
section (int *x)
{
  memset (x, 0, N * sizeof *x);
#pragma omp target data map(tofrom: x[0:N])
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
      x[i] += i;
  }
  for (int i = 0; i < N; i++)
    CHECK_EQ (x[i], i);
}

int
main (void)
{
  int *x = malloc (N * sizeof *x), *y = malloc (N * sizeof *y);
  CHECK (x && y);
  scratch ();
  from (x);
  always (x);
  present (x, y);
  for (int i = 0; i < N; i++)
    x[i] = i * 7919 % 1013;
  reductions (x);
  histogram (x);
  tickets (x);
  statics ();
  own (x);
  member (x);
  struct_map (x);
  element (x, 1);
  pointer ();
  released (x);
  waits (x);
  section (x);
  free (x);
  free (y);
  return 0;
}
