/* Copies of slices by way of staging memory, where the driver's own are slower than the link: some bits a thread, that
   begin and end anywhere.  Run by split_stage alone.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 6300007, EDGE = 5 };

static int *a, *b, *c, *expected;
static int bad;

static void
check (const char *what)
{
  for (int i = 0; i < N + 2 * EDGE; i++)
    if (c[i] != expected[i])
      {
	printf ("%s: element %d is %d, not %d\n", what, i, c[i], expected[i]);
	bad = 1;
	return;
      }
}

static void
begin (void)
{
  for (int i = 0; i < N + 2 * EDGE; i++)
    c[i] = expected[i] = i * 7;
}

static void
add (int *x, const int *y, const int *z)
{
#pragma omp target teams distribute parallel for map(to: y[:N], z[:N]) map(tofrom: x[:N])
  for (int i = 0; i < N; i++)
    x[i] += y[i] ^ z[i];
}

static void
blur (int *x, const int *y)
{
#pragma omp target teams distribute parallel for map(to: y[:N]) map(from: x[:N - 2])
  for (int i = 0; i < N - 2; i++)
    x[i] = y[i] + 2 * y[i + 1] + y[i + 2];
}

static void
down (int *x, const int *y)
{
#pragma omp target teams distribute parallel for map(to: y[:N]) map(tofrom: x[:N])
  for (int i = N - 1; i >= 0; i--)
    x[i] -= 3 * y[i];
}

int
main (void)
{
  size_t size = (N + 2 * EDGE) * sizeof (int);
  a = malloc (size);
  b = malloc (size);
  c = malloc (size);
  expected = malloc (size);
  for (int i = 0; i < N + 2 * EDGE; i++)
    {
      a[i] = i ^ 0x5a5a;
      b[i] = i * 3;
    }
  begin ();
  add (c + 1, a + 2, b + 3);
  for (int i = 0; i < N; i++)
    expected[i + 1] += a[i + 2] ^ b[i + 3];
  check ("add");
  begin ();
  blur (c + 3, a + 1);
  for (int i = 0; i < N - 2; i++)
    expected[i + 3] = a[i + 1] + 2 * a[i + 2] + a[i + 3];
  check ("blur");
  begin ();
  down (c + 4, b);
  for (int i = 0; i < N; i++)
    expected[i + 4] -= 3 * b[i];
  check ("down");
  return bad;
}
