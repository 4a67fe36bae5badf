/* What all of the library knows of the process that it is in.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"
#include "base/process.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

struct ummgr_process ummgr_process;

void
ummgr_process_die (int signal)
{
  struct sigaction by_default = { .sa_handler = SIG_DFL };
  sigset_t one;
  sigaction (signal, &by_default, NULL);
  kill (getpid (), signal);
  sigemptyset (&one);
  sigaddset (&one, signal);
  pthread_sigmask (SIG_UNBLOCK, &one, NULL);
}
