/* Three arrays of a MiB that only regions and, before and after, the host use; others come and go before them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 1 << 18 };

static __attribute__ ((noinline)) void
step (int *to, const int *from, const int *with, int n)
{
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    to[i] = from[i] + with[i];
}

static __attribute__ ((noinline)) unsigned
sum (const int *x, int n)
{
  unsigned s = 0;
  for (int i = 0; i < n; i++)
    s = 31 * s + x[i];
  return s;
}

/* Gone before the next one comes: it counts no more.  */
static __attribute__ ((noinline)) unsigned
brief (int n)
{
  int *x = calloc (n, sizeof *x);
  for (int i = 0; i < n; i += 3)
    x[i] += i;
#pragma omp target data map(tofrom: x[0:n])
  step (x, x, x, n);
  unsigned s = sum (x, n);
  free (x);
  return s;
}

/* What a child finds, and changes for itself.  */
static __attribute__ ((noinline)) int
child (int *x, int n)
{
  unsigned before = sum (x, n);
  pid_t pid = fork ();
  if (pid == 0)
    {
      int wrong = sum (x, n) != before;
      memset (x, 0, n * sizeof *x);
      _exit (wrong || x[n - 1]);
    }
  int status = 1;
  waitpid (pid, &status, 0);
  return status == 0 && sum (x, n) == before;
}

int
main (int argc, char **argv)
{
  int n = N, forked = 1;
  unsigned s = 0;
  for (int k = 0; k < 8; k++)
    s += brief (n / 2);
  int *a = malloc (n * sizeof *a), *b = calloc (n, sizeof *b), *c = malloc (n * sizeof *c);
  for (int i = 0; i < n; i++)
    {
      a[i] = i;
      c[i] = 3 * i;
    }
#pragma omp target data map(tofrom: a[0:n], b[0:n]) map(to: c[0:n])
  for (int k = 0; k < 4; k++)
    {
      step (b, a, c, n);
      step (a, b, c, n);
    }
  if (argc > 1)
    forked = child (a, n) && child (b, n);
  printf ("%u %u %u %u %s\n", s, sum (a, n), sum (b, n), sum (c, n), forked ? "right" : "wrong");
  free (a);
  free (b);
  free (c);
  return 0;
}
