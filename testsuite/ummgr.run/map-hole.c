/* A map clause that names more memory than there is ends the program, as without
   ummgr; which map it was must be said before.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-output none "copy of 1048576 bytes from the program's memory at 0x\[0-9a-f\]+: there is no memory to read at 0x" } */
/* { dg-ummgr-output all "of 1048576 bytes \[a-z' \]*at 0x\[0-9a-f\]+: there is no memory .*name more than is allocated" } */

#include "check.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 1 << 20 };

static void
child (void)
{
  struct rlimit none = { 0, 0 };
  setrlimit (RLIMIT_CORE, &none);
  char *p = mmap (NULL, N, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		  -1, 0);
  CHECK (p != MAP_FAILED);
  /* What the driver takes for itself must not come to lie in the hole.  */
#pragma omp target map(p[:N])
  p[0] = 1;
  CHECK (munmap (p + N / 2, N / 4) == 0);
#pragma omp target map(p[:N])
  p[0] = 1;
}

int
main (void)
{
  int status;
  pid_t pid = fork ();
  CHECK (pid >= 0);
  if (pid == 0)
    {
      child ();
      _exit (0);
    }
  CHECK (waitpid (pid, &status, 0) == pid);
  CHECK (WIFSIGNALED (status) && WTERMSIG (status) == SIGSEGV);
  return 0;
}
