/* Names for addresses, from the symbol tables of the loaded files.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Used at the end of a run, and by the recorder.  Any thread.  */

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The variable that holds ADDRESS, as "name" or "name+0x10".  False if no
   static variable does.  */
bool ummgr_symbol_data (uintptr_t address, char *buf, size_t size);

/* SYMBOL as the source has it, as far as it can be told from it: without its module, its parameters, what
   compilers append, and the language's mangling where the program has a demangler.  */
void ummgr_symbol_plain (const char *symbol, char *buf, size_t size);

/* The code at ADDRESS as "function+0x10", or "file+0x10" where the file is
   stripped.  False if no file holds it.  */
bool ummgr_symbol_code (uintptr_t address, char *buf, size_t size);
