/* Breaks if a child after fork writes into its parent's trace, or the parent's
   is not whole afterwards.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-policies "explicit um" } */
/* { dg-ummgr-facts mine host 10 "cpu_wrote=6" } */
/* { dg-ummgr-trace-not {^(object|facts) theirs} } */
/* { dg-ummgr-trace {^end$} } */

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int
main (void)
{
  int *mine = malloc (10 * sizeof *mine);
  int x = 1, status;
  for (int i = 0; i < 5; i++)
    mine[i] = i;
#pragma omp target map(tofrom: x)
  x++;
  pid_t child = fork ();
  if (child == 0)
    {
      int *theirs = calloc (1000, sizeof *theirs);
      for (int i = 0; i < 10; i++)
	mine[i] = theirs[i] = i + 1;
      int status = theirs[9] + mine[9] == 20 ? 0 : 1;
      /* GCC 16's libgomp alone would close its parent's device at exit, and fail.  */
      if (!getenv ("UMMGR_POLICY"))
	_exit (status);
      exit (status);
    }
  if (child < 0 || waitpid (child, &status, 0) != child || status)
    return 1;
  mine[9] = 9;
  __asm__ volatile ("" :: "r" (mine) : "memory");
  free (mine);
  return x == 2 ? 0 : 1;
}
