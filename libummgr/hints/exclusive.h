/* Which part of an array each iteration of a region's work-shared loops has for itself: the
   stride of Kim et al., "CODA: enabling co-location of computation and data for multiple GPU
   systems", ACM TACO 15(3), 2018, Algorithm 1, by iterations instead of teams.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   References to an array, all but those that make a twentieth of its accesses, must agree,
   and each must be one of

   - affine, and go on with the iterations: a[i * m + j], i shared, 8 * m bytes an iteration.
     Of loops that are shared together (collapse) the outer one counts where the inner one
     stays within its step: a[i * k + l], i and j < n shared, is 8 * k / n bytes an iteration.
     References that are some elements apart (a stencil's) are taken in their middle;
   - affine in rows, within which it goes on: a[j * n + i], i shared, j within an iteration, is
     8 bytes an iteration in rows of 8 * n (CODA stops at two dimensions; all steps of inner
     loops that are longer than a row must be whole rows, and then there may be any number);
   - where data says where: the first place of iterations, one in so many, each not before
     the last (edges of a graph in compressed rows, which CODA leaves to a profile).

   Which team runs an iteration is known where each has an equal piece of all, and where they
   take chunks by turns (dist_schedule), if it is known how long these are.  Where all teams
   run all of a loop, nobody has anything for himself.

   An example: n = 1000 and m = 200, for (i < n) for (j < m) s[i] += a[i * m + j] * b[j]:
   s has 8 bytes an iteration, a 1,600, b is shared.  */

#pragma once

#include "base/exclusive.h"
#include "tables/code.h"
#include "tables/decode.h"

#pragma GCC visibility push(hidden)

/* Of argument ARG in a launch with INPUTS, of which MEMORY, one for each argument, may be
   read; NULL: nothing.  OUT->pace is 0 where iterations share what they use, or nobody can
   tell.  No state.  */
void ummgr_hints_exclusive (const struct ummgr_table_region *region, unsigned arg,
			    const struct ummgr_code_inputs *inputs,
			    const struct ummgr_code_memory *memory,
			    struct ummgr_exclusive *out);

/* The same of a launch to come, of whose INPUTS only those are known whose address is not NULL, and how many TEAMS it
   asks for; 0: none, or not known.  False where what iterations have depends on other inputs, or on data.  */
bool ummgr_hints_exclusive_ahead (const struct ummgr_table_region *region, unsigned arg,
				  const struct ummgr_code_inputs *inputs, struct ummgr_exclusive *out,
				  unsigned *teams);

#pragma GCC visibility pop
