/* ummgr's public interface.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A program needs none of this: ummgr works on unchanged OpenMP code.  These
   calls are for programs that want managed memory without a map clause, or
   that want to know which library they run with.  */

#ifndef UMMGR_H
#define UMMGR_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define UMMGR_VERSION_MAJOR 0
#define UMMGR_VERSION_MINOR 1

/* Allocate SIZE bytes that host code and target regions share by address
   (CUDA managed memory where a device is there, malloc otherwise).  The
   memory is uninitialised and aligned for any type; free it with ummgr_free
   only.  NULL and errno ENOMEM on failure.  Any thread.  */
void *ummgr_malloc (size_t size);

/* Free memory from ummgr_malloc; NULL is ignored.  No target region may be
   using it.  Any thread.  */
void ummgr_free (void *ptr);

/* End a phase of the trace, and begin one that is called NAME (NULL: it has no
   name): at this point, what has happened to each object since the last mark is
   written down, and counting begins anew.  So a program is cut into the parts
   that its programmer thinks in, as XPlacer's diagnostic pragma does: after
   initialisation, in each time step, before output.  The first phase begins
   with the program and has no name, the last one ends with it.

   Does nothing, at the cost of a call, while no trace is made (ummgr run
   --trace or --report).  Host code only, outside target regions; any thread,
   but what others do meanwhile may fall into either phase.  Looks at one byte
   for each 4 bytes of every object that was used.  Cannot fail: NAME is copied
   and cut at 16383 bytes, and an empty phase is not written.  */
void ummgr_mark (const char *name);

/* "MAJOR.MINOR.PATCH" of the library in use; static storage.  */
const char *ummgr_version (void);

#ifdef __cplusplus
}
#endif

#endif
