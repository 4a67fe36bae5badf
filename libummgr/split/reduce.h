/* Reductions of several launches, put together on the host.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Operations and types by their names in the tables: those of C, C++ and Fortran on numbers
   up to 8 bytes.  No state.  */

#pragma once

#include "tables/decode.h"

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(hidden)

/* Can it be done here?  */
bool ummgr_reduce_known (const struct ummgr_table_reduction *r);

/* Fill SIZE bytes with what changes nothing.  */
void ummgr_reduce_begin (const struct ummgr_table_reduction *r, void *to, size_t size);

/* TO = TO operation FROM, element by element.  */
void ummgr_reduce_merge (const struct ummgr_table_reduction *r, void *to, const void *from,
			 size_t size);

#pragma GCC visibility pop
