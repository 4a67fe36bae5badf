/* In the child of a fork the device is the parent's: host OpenMP there works,
   its exit is clean, and it leaves the parent's data and statistics alone.  */
/* { dg-do run } */
/* { dg-ummgr-counter all launches == 2 } */

#include "check.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 8000 };

static int
child (void)
{
  int sum = 0;
#pragma omp parallel for reduction(+: sum) num_threads(1)
  for (int i = 0; i < 100; i++)
    sum += i;
  return sum == 4950 ? 0 : 1;
}

int
main (void)
{
  int *a = calloc (N, sizeof *a), status;
  CHECK (a);
#pragma omp target enter data map(to: a[:N])
#pragma omp target
  a[0] = 1;
  pid_t pid = fork ();
  CHECK (pid >= 0);
  if (pid == 0)
    /* Without libummgr libgomp's own exit handler fails here.  */
    (getenv ("UMMGR_STATS") ? exit : _exit) (child ());
  CHECK (waitpid (pid, &status, 0) == pid);
  CHECK (WIFEXITED (status) && WEXITSTATUS (status) == 0);
#pragma omp target map(tofrom: a[:N])
  a[1] = 2;
#pragma omp target exit data map(from: a[:N])
  CHECK_EQ (a[1], 2);
  free (a);
  return 0;
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */
