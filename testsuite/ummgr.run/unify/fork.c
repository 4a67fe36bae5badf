/* The child of a fork finds what its parent had allocated, may change it without
   the parent's notice, resize it and free it.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* unify-objects: 2 */

#include "check.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 10000 };

static void
child (int *a, int *b)
{
  for (int i = 0; i < N; i++)
    {
      CHECK_EQ (a[i], i + 1);
      a[i] = -1;
    }
  a = realloc (a, 2 * N * sizeof *a);
  CHECK (a && a[N - 1] == -1);
  free (a);
  free (b);
  int *c = malloc (N * sizeof *c);
  CHECK (c);
  free (c);
  _exit (0);
}

int
main (void)
{
  int *a = malloc (N * sizeof *a), *b = malloc (N * sizeof *b), status;
  CHECK (a && b);
  for (int i = 0; i < N; i++)
    a[i] = b[i] = i;
#pragma omp target teams distribute parallel for map(tofrom: a[:N], b[:N])
  for (int i = 0; i < N; i++)
    {
      a[i]++;
      b[i]++;
    }
  for (int k = 0; k < 2; k++)
    {
      pid_t pid = fork ();
      CHECK (pid >= 0);
      if (pid == 0)
	child (a, b);
      CHECK_EQ (waitpid (pid, &status, 0), pid);
      CHECK (WIFEXITED (status) && WEXITSTATUS (status) == 0);
    }
#pragma omp target teams distribute parallel for map(tofrom: a[:N])
  for (int i = 0; i < N; i++)
    a[i]++;
  for (int i = 0; i < N; i++)
    CHECK_EQ (a[i], i + 2);
  free (a);
  free (b);
  return 0;
}
