/* What ThreadSanitizer has to be told, since it can't see it: libgomp's threads
   wait for each other by system calls of their own, and fibers change stacks.
   Nothing in other builds.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#define UMMGR_TSAN(CALL) CALL
#else
#define UMMGR_TSAN(CALL) ((void) 0)
#endif

/* What came before release is known to who comes to acquire of the same address
   after it.  */
#define UMMGR_TSAN_RELEASE(ADDRESS) UMMGR_TSAN (__tsan_release (ADDRESS))
#define UMMGR_TSAN_ACQUIRE(ADDRESS) UMMGR_TSAN (__tsan_acquire (ADDRESS))
