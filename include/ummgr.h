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

/* "MAJOR.MINOR.PATCH" of the library in use; static storage.  */
const char *ummgr_version (void);

#ifdef __cplusplus
}
#endif

#endif
