/* Source lines for addresses of code, from the line tables (DWARF 2 to 5) of the loaded
   files.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What was built without -g, is stripped or has its tables compressed or in another
   file has none.  Any thread.  */

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Is FILE one of a library's headers, which no user of it wrote?  */
bool ummgr_is_library_file (const char *file);

/* The line of the instruction at ADDRESS, and its file as the compiler has it, its
   directory left out where it is that of the compilation.  */
bool ummgr_line_of (uintptr_t address, char *file, size_t size, unsigned *line_p);
