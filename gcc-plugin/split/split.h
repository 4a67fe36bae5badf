/* Running a target region by ranges of its outermost work-shared loop.
   SPDX-License-Identifier: GPL-3.0-or-later

   Each region that may gets two firstprivate variables, LO and HI, and runs the
   iterations [LO, HI) of its loop.  The program itself says 0 and as many as the
   loop's type can have, so that the region is what it was; libummgr launches it
   with others.  An example: of

     #pragma omp target teams distribute parallel for map(from: a[0:n])
     for (int i = n - 1; i >= 0; i -= 3)
       a[i] = i;

   it becomes

     lo = 0; hi = 4294967295;
     #pragma omp target map(from: a[0:n]) firstprivate(lo, hi)
     #pragma omp teams shared(lo, hi)
     first = n - 1 - lo * 3;
     last = n - 1 - min (n - 1 - -1, hi * 3);
     #pragma omp distribute parallel for
     for (int i = first; i > last; i -= 3)
       a[i] = i;

   in 64 bits, with no branch: use/ would take a value that comes two ways for one
   that it doesn't know.

   HI begins with 2^32 - 1 where the loop's type has up to 32 bits: no such loop has
   more iterations, and times a step of 31 bits it still fits.  Else the step is a
   constant up to 2^20, and HI begins with 2^62 over it: no loop gets there whose
   indices lie within 2^62, and of others none in less than 2^42 iterations.  A
   single smaller number, as 2^42, would cut a long loop of short steps, in a program
   that never heard of ranges.

   The two come at the end of the clauses, so that the numbers of the other
   arguments stay what they are.  Before omplower, because the offload tables then
   know of nothing new, and the GPU's version and the host's both have it.

   Holds what was found of the function at hand until the next one's turn.  */

#pragma once

#include "ummgr-plugin.h"

#define UMMGR_PASS_SPLIT "ummgr-split"
#define UMMGR_SPLIT_LO "split_lo"
#define UMMGR_SPLIT_HI "split_hi"

/* What was found of a region.  */
struct ummgr_split
{
  const char *why;		/* A literal: why it can't; NULL: it can.  */
  unsigned flags;		/* enum ummgr_split_flag.  */
};

opt_pass *ummgr_pass_split_new (void);
/* What was found of STMT, of the current function; NULL: nobody looked.  */
const ummgr_split *ummgr_split_of (gomp_target *stmt);

/* What a region is made of, as far as it matters.  */
struct split_form
{
  const char *why;
  unsigned flags;
  /* The loop; and those that it combines, outermost first, as far as they have to
     be clipped, too.  */
  auto_vec<gomp_for *, 4> loops;
  gimple_seq body;		/* Of the innermost of them all.  */
  auto_vec<gimple *, 4> taskregs;	/* Teams, parallel around it; and in
					   it, where those need its bounds.  */
  hash_set<tree> indices;	/* Of it and all that it combines.  */
  auto_vec<tree, 4> lasts;	/* Clauses of theirs that give a variable the
				   last iteration's value.  */
  auto_vec<tree, 4> loads;	/* What is read of memory beside it.  */
  hash_set<tree> own;		/* Variables of the region's own ...  */
  hash_set<tree> privatised;	/* ... and those of them that each thread sets
				   before it uses them.  */
};

/* split/form.cc: fill FORM for STMT; WHY stays NULL where it can be split.  */
void split_form_find (split_form *form, gomp_target *stmt);
/* split/body.cc: the same for the body of its loop, once FORM has the rest.  */
void split_body_look (split_form *form);

/* split/clip.cc: the constant that HI begins with for LOOP.  */
tree split_all (gomp_for *loop);
/* Has each step of LOOP a size that is known well enough?  */
bool split_step_is_good (gomp_for *loop);
/* The statements that work out where LOOP, which *GSI is at, begins and ends for
   [LO, HI) go before it; both stand in a bind of their own.  */
void split_clip (gimple_stmt_iterator *gsi, tree lo, tree hi);
/* A variable of the current function's, still in no bind.  */
tree split_variable (const char *name, tree type);
