/* _exit of libummgr.so comes before the C library's, and so does daemon.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   _exit skips what exit does, and so the statistics: worker processes end by it.
   The C library's daemon ends the parent by an _exit of its own.  Not in the
   convenience library, as memory/unify-libc.c.  Owns the address of the next
   one.  */

#include "config.h"
#include "process/ending.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void (*next) (int);

__attribute__ ((constructor)) static void
find_next (void)
{
  *(void **) &next = dlsym (RTLD_NEXT, "_exit");
}

__attribute__ ((visibility ("default"))) void
_exit (int status)
{
  ummgr_ending_leave (status);
  if (next)
    next (status);
  for (;;)
    syscall (SYS_exit_group, status);
}

__attribute__ ((visibility ("default"))) void
_Exit (int status)
{
  _exit (status);
}

/* As the C library's.  */
__attribute__ ((visibility ("default"))) int
daemon (int nochdir, int noclose)
{
  pid_t child = fork ();
  if (child > 0)
    _exit (0);
  if (child < 0 || setsid () < 0 || (!nochdir && chdir ("/") != 0))
    return -1;
  if (noclose)
    return 0;
  int fd = open ("/dev/null", O_RDWR);
  if (fd < 0 || dup2 (fd, 0) < 0 || dup2 (fd, 1) < 0 || dup2 (fd, 2) < 0)
    return -1;
  if (fd > 2)
    close (fd);
  return 0;
}
