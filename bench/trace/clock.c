/* clock: run a command, and say what it took.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: clock COMMAND [ARGUMENT]...
   Prints to standard error `clock seconds=S memory=BYTES cpu=S': wall time, the
   most memory that was resident, and the processors' time, of the command and of
   all that it waited for.  Exits as the command does, or 2.  */

#include "common.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

int
main (int argc, char **argv)
{
  bench_program = "clock";
  if (argc < 2)
    bench_fatal ("no command given");
  double start = now ();
  pid_t child = fork ();
  if (child < 0)
    bench_fatal ("can't fork: %s", strerror (errno));
  if (child == 0)
    {
      execv (argv[1], argv + 1);
      bench_message ("can't run %s: %s", argv[1], strerror (errno));
      _exit (2);
    }
  int status;
  struct rusage usage;
  if (wait4 (child, &status, 0, &usage) != child)
    bench_fatal ("can't wait for %s: %s", argv[1], strerror (errno));
  double seconds = now () - start;
  double cpu = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
	       + 1e-6 * (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  fprintf (stderr, "clock seconds=%.6f memory=%llu cpu=%.6f\n", seconds,
	   usage.ru_maxrss * 1024ull, cpu);
  return WIFEXITED (status) ? WEXITSTATUS (status) : 2;
}
