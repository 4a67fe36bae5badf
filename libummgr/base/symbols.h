/* Names for addresses, from the symbol tables of the loaded files.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Used at the end of a run only.  One thread.  */

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The variable that holds ADDRESS, as "name" or "name+0x10".  False if no
   static variable does.  */
bool ummgr_symbol_data (uintptr_t address, char *buf, size_t size);

/* The code at ADDRESS as "function+0x10", or "file+0x10" where the file is
   stripped.  False if no file holds it.  */
bool ummgr_symbol_code (uintptr_t address, char *buf, size_t size);
