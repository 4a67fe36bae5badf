/* Cases that each need a process as it begins: whatever a driver or the library
   keeps for good, the next one doesn't see.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include "check.h"

#include <stddef.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Each of COUNT CASES in a child, one after another; each has to exit with 0.  */
static inline void
run_apart (void (*const cases[]) (void), size_t count)
{
  for (size_t i = 0; i < count; i++)
    {
      int status;
      pid_t pid = fork ();
      if (pid == 0)
	{
	  cases[i]();
	  exit (0);
	}
      CHECK (waitpid (pid, &status, 0) == pid);
      CHECK_EQ (status, 0);
    }
}
