/* The memory of a unit test (watch.c): what the library's and the test's own code
   asks malloc for.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

/* Blocks that were had, less those given back.  What libc takes by itself isn't
   counted.  */
extern long watch_blocks;

/* Bytes in blocks, as they were asked for.  */
extern long watch_bytes;

/* The allocation after so many others fails, and those after it don't; below 0:
   none does.  */
extern long watch_failing;
