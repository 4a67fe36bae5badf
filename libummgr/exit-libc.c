/* _exit of libummgr.so comes before the C library's.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   It skips what exit does, and so the statistics: worker processes end by it.  Not
   in the convenience library, as unify-libc.c.  Owns the address of the next
   one.  */

#include "config.h"
#include "ending.h"

#include <dlfcn.h>
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
  ummgr_ending_leave ();
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
