/* Text that must be valid UTF-8: JSON and HTML refuse anything else.  And text
   that must not drive a terminal: names come from files, whoever wrote them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include <stddef.h>

/* Length in bytes of the valid UTF-8 character at TEXT (ended by a 0 byte),
   or 0 if what stands there is none.  */
size_t ummgr_utf8_length (const char *text);

/* The same, but 0 also for what moves a terminal or that XML has no place for:
   control characters, and U+FFFE and U+FFFF.  */
size_t ummgr_utf8_printable (const char *text);

/* Every byte of TEXT[0..SIZE), after which a 0 byte stands, becomes '?' that is
   not part of a printable character; 0 bytes stay.  */
void ummgr_utf8_make_printable (char *text, size_t size);

/* As much of TEXT as BUF[0..SIZE) has room for, printable; returns BUF.  */
char *ummgr_utf8_print (char *buf, size_t size, const char *text);

/* A copy of TEXT with U+FFFD for each byte that is not part of a valid
   character; the caller frees it.  NULL without memory.  */
char *ummgr_utf8_copy (const char *text);
