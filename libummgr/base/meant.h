/* "Did you mean ...?"
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include <stddef.h>

/* Fill OUT, of SIZE bytes, with "; did you mean 'BEFOREWORD'?" of the one of WORDS, with spaces
   between, that WORD is most like, or with nothing where it is like none; returns OUT.  Like: a
   letter in three may be wrong, missing, one too many, or in its neighbour's place (the
   restricted Damerau-Levenshtein distance).  Any thread.  */
const char *ummgr_meant (const char *word, const char *words, const char *before, char *out,
			 size_t size);
