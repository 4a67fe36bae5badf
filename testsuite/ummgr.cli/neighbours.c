/* A program that shares a GPU with others: says its number, and does what its lines ask it for, with an answer to
   each.  "keep N": N more arrays of 1 MiB are on the device from now on.  "run": a region of each.  "read N": a
   region for each of N others that are mapped for it alone, and that nobody writes.  "fork": a child comes, and
   ends.  At the end all must be right.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARRAYS = 256, N = (1 << 20) / sizeof (double) };

static double *kept[ARRAYS], *read_only[ARRAYS];
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

static void
read_some (int count)
{
  CHECK (count <= ARRAYS);
  for (int k = 0; k < count; k++)
    {
      double *a = read_only[k] ? read_only[k] : (read_only[k] = make (k)), sum = 0;
#pragma omp target teams distribute parallel for map(to: a[:N]) map(tofrom: sum) reduction(+: sum)
      for (int i = 0; i < N; i++)
	sum += a[i];
      CHECK (sum == (double) k * N + (double) N * (N - 1) / 2);
    }
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
  printf ("%d\n", (int) getpid ());
  fflush (stdout);
  while (fgets (line, sizeof line, stdin))
    {
      if (strncmp (line, "keep ", 5) == 0)
	keep (atoi (line + 5));
      else if (strncmp (line, "read ", 5) == 0)
	read_some (atoi (line + 5));
      else if (strncmp (line, "fork", 4) == 0)
	have_child ();
      else
	run ();
      printf ("done\n");
      fflush (stdout);
    }
  end ();
  return 0;
}
