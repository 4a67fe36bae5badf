/* What the data of a launch says of references that depend on it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The compiler's counts of such references are guesses: SC'19 section 5.2 calls
   bfs's edges its miss.  They are corrected here in two ways.

   From the index arrays: the table says how to tell for one iteration what is
   accessed (ummgr_table_sample), and that is done for a sample of iterations
   where the arrays can be read and reading moves nothing.

   From what came: under implicit transfer the part of an object that is on the
   device after a launch is what launches have accessed so far.

   Which number decides.  Explicit transfer sends what is not there yet, implicit
   transfer what is accessed, and what is there stays.  So what counts is the share
   of the object that launches will have accessed in the end: not that of the
   launch at hand, which is next to nothing in the first step of a search and small
   in many later ones, though page by page all of it comes; and not that of all
   iterations without their conditions, which is all of it, whatever can be
   reached.  In the first launch nothing tells one from the other; its own share
   is taken, since waiting costs no more than what it accesses.  What comes then
   shows whether coverage grows, how fast, and where (ummgr_data_growth).  Each
   launch decides anew, about what is not there yet: the density is then the part
   of that.

   A sample that shows no access shows that few iterations have any, not that none
   has.  How many pages one goes to is known from the index arrays; policies may
   find that it costs less to send a small object than to wait for that.

   Conditions on data that regions write (a frontier) hold for the launch at hand
   only; index arrays hold on.  So the first launch goes by both, later ones by
   what came or else by the index arrays and the compiler's probabilities, and
   locality, by which objects are ranked over all launches, by the latter.

   Places count by what the driver moves, 64K, as a scattered access brings all
   of that; a density in bytes is kept beside it.  For what stays on the host they
   count by the host's pages; and as policies leave it there only if that can't cost
   much, the most that it can be is kept, too: what a sample may have missed, and
   conditions that can't be told.

   A place that is no sum of strides, as a quotient, is sampled in the same way.

   An example, which testsuite/ummgr.cli/examples/data.c has, with n = 1000 and
   m = 1000000:

     index[i] = 64 * i;
     #pragma omp target teams distribute parallel for reduction(+: sum) \
     map(to: a[0:m], index[0:n])
     for (long i = 0; i < n; i++)
       sum += a[index[i]];

   Where a is read depends on index.  The compiler knows how often, n times, and
   says that 4 bytes an iteration are read; and it has a sample for that reference,
   which is how to tell for iteration i3 of the shared loop of n what is read:

     ref line 16 r size 4 frequency 1 data-dependent shared [0 x n] sample shared {n} at 4*index[@4*i3]

   In the table the place is this code: CONST8 4, CONST8 4, ITERATION 0, MUL,
   ELEMENT of argument 2 with its size and sign, MUL, END:

     01 04 01 04 0d 00 08 0e 02 00 fc 08 00

   `ummgr tables' shows

     line 16: reads 4 bytes; n times (shared); data-dependent
     a[...]: index loaded from memory (index[...])

   By the compiler's count a launch accesses 4,000 bytes of 4,000,000.  Here, 256
   of the 1,000 iterations are evaluated against index, which lies in the host's
   memory.  The places are 256 bytes apart, and a page of 64K that has one comes as
   a whole.  With UMMGR_LOG=debug a run says

     ummgr: hints: data.c:13: a: density 0.0638 instead of the compiler's 0.001: sampled 256 of 1000 iterations

   and a policy decides by the former.  */

#pragma once

#include "hints/hints.h"
#include "tables/code.h"

/* What executions are counted.  */
enum ummgr_data_variant
{
  UMMGR_DATA_ANY,		/* As if all conditions on data were true.  */
  UMMGR_DATA_LASTING,		/* Those on data that regions write as the
				   compiler expects them.  */
  UMMGR_DATA_NOW,		/* As the data is now.  */
  UMMGR_DATA_MOST,		/* The same; what can't be told is true.  */
  UMMGR_DATA_VARIANTS
};

enum ummgr_data_granule
{
  UMMGR_DATA_BYTES,
  UMMGR_DATA_PAGES,		/* Of UMMGR_DATA_PAGE.  */
  UMMGR_DATA_LINK,		/* Of what an access over the link brings.  */
  UMMGR_DATA_GRANULES
};

/* What a fault brings (UVM's fault granularity; SC'19's POWER9 has such
   pages).  */
#define UMMGR_DATA_PAGE 65536

/* What an access over the link is taken to bring where nobody says what it does
   (struct ummgr_hint_extent): the host's page.  */
#define UMMGR_DATA_LINK_PAGE 4096

/* What a sample says of one reference.  */
struct ummgr_data_ref
{
  bool known;
  bool complete;		/* All conditions could be told.  */
  bool guessed;			/* A loop's passes could not be told.  */
  bool each;			/* All those on data are asked for each of an
				   iteration's accesses.  */
  uint64_t sampled, iterations;	/* So many of so many.  */
  double accesses[UMMGR_DATA_VARIANTS];
  double scatter;		/* Pages that an iteration goes to if all
				   conditions on data are true, on average.  */
  double brings;		/* Bytes that an access brings over the link, on average:
				   a page of it, which those of the next iterations
				   that go there share.  */
  double far;			/* Of those that share no page with the next iteration's, the part
				   from which that is so far that the cache doesn't have what is
				   between; negative: not known.  */
  /* Of the object.  */
  double share[UMMGR_DATA_VARIANTS][UMMGR_DATA_GRANULES];
  /* What stays out of a sample may be so many times what is in it, or what
     iterations do of which none was found: bytes of pages of the link, and
     accesses.  */
  double most_link, most_accesses;
};

/* Iterations of a sample.  */
enum { UMMGR_DATA_SAMPLE = 256 };

/* Sample up to SAMPLE iterations of REF, the same ones each time.  MEMORY, one
   for each argument, is what may be read; TRANSIENT the arguments (bits) that
   regions write.  EXTENT is where REF's argument is in its object.  OUT->known
   is false where it can't be told.  No state.  */
void ummgr_data_sample (const struct ummgr_table_ref *ref,
			const struct ummgr_code_inputs *inputs,
			const struct ummgr_code_memory *memory,
			uint64_t transient, struct ummgr_hint_extent extent,
			unsigned sample, struct ummgr_data_ref *out);

/* Where REF goes first in iterations 0, 1 / PARTS, 2 / PARTS of all and so on, and in the
   last one: OUT[0] to OUT[PARTS], bytes from the argument.  Conditions are taken to be true.
   False where it can't be told.  No state.  */
bool ummgr_data_places (const struct ummgr_table_ref *ref, const struct ummgr_code_inputs *inputs,
			const struct ummgr_code_memory *memory, unsigned parts, int64_t *out);

/* ARG's hint, with REFS, one for each of its references, in the place of what
   the compiler says of those that are known.  */
void ummgr_hints_with_data (const struct ummgr_table_arg *arg,
			    const struct ummgr_code_inputs *inputs,
			    struct ummgr_hint_extent extent,
			    const struct ummgr_data_ref *refs,
			    enum ummgr_data_variant variant,
			    enum ummgr_data_granule granule,
			    struct ummgr_hint *out);

/* What the runtime knows of one argument.  */
struct ummgr_data_input
{
  struct ummgr_code_memory memory;	/* What may be read now.  */
  bool transient;		/* Regions have written it.  */
  uint64_t object;		/* Tells the objects at its address apart.  */
};

/* The launch that ummgr_data_hints was called for.  */
struct ummgr_data_launch
{
  struct ummgr_data_state *state;	/* NULL: of no interest.  */
  uint64_t life;
};

/* Correct HINTS, what ummgr_hints_evaluate says of a launch of REGION, which has
   samples, with the same arguments.  Sampling is done at the launches 1, 2, 4, 8,
   ... of the same region with the same objects, so its cost goes to nothing.  Any
   thread; takes a lock of its own.  */
void ummgr_data_hints (const struct ummgr_table_region *region,
		       const struct ummgr_code_inputs *inputs,
		       const struct ummgr_hint_extent *extents,
		       const struct ummgr_data_input *args,
		       struct ummgr_hint *hints,
		       struct ummgr_data_launch *launch);

/* Does what comes for argument ARG matter?  */
bool ummgr_data_wants (const struct ummgr_data_launch *launch, unsigned arg);

/* After LAUNCH, AFTER of ARG's object (0 to 1) was on the device, within EXTENT of
   it, of which BEFORE was there when it began; nothing of it was sent.  */
void ummgr_data_came (const struct ummgr_data_launch *launch, unsigned arg,
		      double before, double after, double extent);

/* What is to be expected of an object of which the more comes the more launches
   there are.  What came grows by a factor from one launch to the next, which is
   taken to change as it did last, but not to rise: accesses that spread at random
   cover their range as a logistic curve does.  After the first launch the factor
   is as many pages as an iteration goes to: each may be where an iteration of the
   next launch is.  As many launches are expected as there were, or as the flow
   graph says; and no accesses outside the range that they have had so far.  */
struct ummgr_data_growth
{
  unsigned launches;		/* Since something has left.  */
  double share;			/* There after the last one,  */
  double extent;		/* from the first to the last byte.  */
  double came, factor;		/* In the last launch.  */
  double slows;			/* What the factor changes by; at most 1.  */
  double spread;		/* The factor as long as none was seen.  */
};
void ummgr_data_growth_add (struct ummgr_data_growth *growth, double before,
			    double after, double extent);
/* The part that LAUNCHES launches in all will have accessed, of what is not there
   yet.  */
double ummgr_data_growth_expect (const struct ummgr_data_growth *growth,
				 double launches);
