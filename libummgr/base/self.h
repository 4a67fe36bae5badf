/* The file of the running program.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include <stddef.h>
#include <sys/auxv.h>
#include <unistd.h>

/* A name by which it can be opened.  Without /proc, as in a bare chroot, that is the
   one it was started by: wrong once the program has left a directory from which
   that was relative.  */
static inline const char *
ummgr_self_file (void)
{
  static const char link[] = "/proc/self/exe";
  const char *name = (const char *) getauxval (AT_EXECFN);
  return access (link, R_OK) == 0 || !name ? link : name;
}

/* The loaded file NAME (dli_fname), to be read, *SIZE_P bytes; NULL: it can't be.  The program's
   own name may be relative to a directory it has left.  Mapped until munmap.  */
const void *ummgr_self_map (const char *name, size_t *size_p);
