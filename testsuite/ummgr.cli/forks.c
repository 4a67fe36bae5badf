/* A child after fork uses the host's memory only, and ends; the parent goes on.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int
main (void)
{
  int n = 1 << 16;
  int *a = calloc (n, sizeof *a);
#pragma omp target enter data map(to: a[:n])
  for (int round = 0; round < 3; round++)
    {
#pragma omp target teams distribute parallel for map(to: a[:n])
      for (int i = 0; i < n; i++)
	a[i]++;
      pid_t pid = fork ();
      if (pid == 0)
	{
	  int ok = 1;
	  for (int i = 0; i < n; i++)
	    ok &= a[i] == 0;
	  exit (ok ? 0 : 1);
	}
      int status;
      if (pid < 0 || waitpid (pid, &status, 0) != pid || status != 0)
	return puts ("child: wrong"), 1;
    }
#pragma omp target exit data map(from: a[:n])
  for (int i = 0; i < n; i++)
    if (a[i] != 3)
      return printf ("parent: wrong at %d: %d\n", i, a[i]), 1;
  puts ("parent: right");
  return 0;
}
