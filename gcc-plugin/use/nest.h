/* Making references: what use/refs.cc and use/nest.cc share.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef UMMGR_USE_NEST_H
#define UMMGR_USE_NEST_H

#include "use/use.h"

/* A place in a frame.  */
struct use_site
{
  use_region *region;
  use_frame *frame;
  gimple *stmt;
  basic_block block;
};

/* A reference being made: its dimensions, outermost first.  */
struct use_nest
{
  auto_vec<unsigned> dims;
  auto_vec<bool> once_more;
  auto_vec<use_guard> guards;
  auto_vec<use_data_guard> data_guards;
  auto_vec<use_poly> lo, hi;
  double frequency, residue;
  bool exact;
};

/* Fill N for what S's block executes, the guards as they are; then the bounds of
   each dimension; unknown counts go into the frequency.  */
void use_nest_fill (use_site *s, use_nest *n);
void use_nest_bounds (use_site *s, use_nest *n);
/* How often what is in DIM runs; MORE: once more than its test succeeds.  A test
   above the body may fail at once; one below is reached where the loop is.  */
use_poly use_dim_count (const use_dim *dim, bool more);
/* Restrict N by G; false if it can't be.  A guard that is on or off for the
   whole launch becomes a dimension of 0 or 1, in SWITCHES.  */
bool use_guard_apply (use_site *s, use_nest *n, const use_guard &g,
		      vec<use_poly> *switches);
/* Does G say nothing but that a loop of N runs at all?  */
bool use_guard_is_loop (use_site *s, const use_nest *n, const use_guard &g);
/* Fill REF's dimensions from N; ADDRESS is affine in them, or REF is not.  */
void use_ref_dims (use_site *s, use_nest *n, use_ref *ref, use_poly address,
		   const vec<use_poly> &switches);

/* use/data.cc: give REF a sample where N or its place, REST, depend on data.
   WEIGHT: the part of its executions that REF stands for.  */
void use_data_describe (use_site *s, const use_nest *n, use_ref *ref,
			const use_poly &rest, double weight);

const char *use_arg_name (use_region *region, unsigned i);

#endif
