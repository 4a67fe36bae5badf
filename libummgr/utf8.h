/* Text that must be valid UTF-8: JSON and HTML refuse anything else.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef UMMGR_UTF8_H
#define UMMGR_UTF8_H

#include <stddef.h>

/* Length in bytes of the valid UTF-8 character at TEXT (ended by a 0 byte),
   or 0 if what stands there is none.  */
size_t ummgr_utf8_length (const char *text);

/* A copy of TEXT with U+FFFD for each byte that is not part of a valid
   character; the caller frees it.  NULL without memory.  */
char *ummgr_utf8_copy (const char *text);

#endif
