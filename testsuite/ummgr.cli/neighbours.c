/* A program that shares a GPU with others: says its number, and does what its lines ask it for, with an answer to
   each.  "keep N": N more arrays of 1 MiB are on the device from now on.  "run": a region of each.  "read": a
   region of 48 MiB that are mapped for it alone, and that nobody writes.  "fork": a child comes, and ends.  At the end
   all must be right.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARRAYS = 256, N = (1 << 20) / sizeof (double), BIG = 48 << 18 };

static double *kept[ARRAYS];
static int kept_count, born[ARRAYS], runs;

static double *
make (int number)
{
  double *a = malloc (N * sizeof *a);
  CHECK (a);
  for (int i = 0; i < N; i++)
    a[i] = number + i;
  return a;
}

static void
keep (int count)
{
  for (int k = 0; k < count; k++)
    {
      CHECK (kept_count < ARRAYS);
      double *a = kept[kept_count] = make (kept_count);
      born[kept_count++] = runs;
#pragma omp target enter data map(to: a[:N])
    }
}

static void
run (void)
{
  runs++;
  for (int k = 0; k < kept_count; k++)
    {
      double *a = kept[k];
#pragma omp target teams distribute parallel for map(tofrom: a[:N])
      for (int i = 0; i < N; i++)
	a[i] += 1;
    }
}

/* The compiler proves, if it is ummgr's, that nobody writes to it between two regions.  */
static __attribute__ ((noinline)) long
read_all (const int *x, int n)
{
  long sum = 0;
#pragma omp target teams distribute parallel for map(to: x[:n]) map(tofrom: sum) reduction(+: sum)
  for (int i = 0; i < n; i++)
    sum += x[i];
  return sum;
}

static void
have_child (void)
{
  int status;
  pid_t pid = fork ();
  if (pid == 0)
    exit (0);
  CHECK (pid > 0 && waitpid (pid, &status, 0) == pid && status == 0);
}

static void
end (void)
{
  for (int k = 0; k < kept_count; k++)
    {
      double *a = kept[k];
#pragma omp target exit data map(from: a[:N])
      for (int i = 0; i < N; i++)
	CHECK (a[i] == k + i + runs - born[k]);
    }
}

int
main (void)
{
  char line[80];
  int *big = malloc (BIG * sizeof *big);
  CHECK (big);
  for (int i = 0; i < BIG; i++)
    big[i] = i % 3;
  printf ("%d\n", (int) getpid ());
  fflush (stdout);
  while (fgets (line, sizeof line, stdin))
    {
      if (strncmp (line, "keep ", 5) == 0)
	keep (atoi (line + 5));
      else if (strncmp (line, "read", 4) == 0)
	CHECK_EQ (read_all (big, BIG), BIG);
      else if (strncmp (line, "fork", 4) == 0)
	have_child ();
      else
	run ();
      printf ("done\n");
      fflush (stdout);
    }
  end ();
  free (big);
  return 0;
}
