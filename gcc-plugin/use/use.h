/* How regions use their arguments: what the analysis' files share.
   SPDX-License-Identifier: GPL-3.0-or-later

   use/poly.cc does the arithmetic, use/eval.cc gives SSA names values,
   use/frame.cc prepares a function, use/loop.cc (with use/row.cc) counts its
   loops, use/tiles.cc takes one for two and two for one, use/guard.cc says when and how often
   its blocks run, use/refs.cc walks a region and, with use/call.cc, the functions it reaches,
   use/nest.cc makes what it finds references, use/data.cc says what of them depends on data,
   use/work.cc what is computed, use.cc drives it, and
   use/emit.cc writes what came out as records.

   A region is analysed as if it ran with one team of one thread: then what GCC
   makes of work-shared loops (share = n / num_teams, start = share * team_num)
   is the whole loop again, whatever the schedule, and each iteration is counted
   once, which is what the union over all teams and threads is.

   Values are polynomials over atoms: the arguments' own values, loads from
   scalars mapped by reference, iteration numbers of loops, addresses.  Integer
   conversions count as exact, as in code free of overflow they are; those to
   less than 32 bits don't.  All of it lives for one region.

   An example, which testsuite/ummgr.cli/examples/use.c has:

     #pragma omp target teams distribute parallel for map(from: a[0:n * m])
     for (long i = 0; i < n; i++)
       for (long j = 0; j < m; j++)
	 a[i * m + j] = i;

   When the tables are made, GCC has put the loops into a function that
   GOMP_parallel runs, and i's bounds are those of one thread's share there.
   Of the inner loop the dump shows

     # j_4 = PHI <0(5), j_35(8)>
     if (j_4 < m_12)
     _28 = i_3 * m_12;
     _29 = j_4 + _28;
     _30 = (long unsigned int) _29;
     _31 = _30 * 4;
     _32 = a_13 + _31;
     *_32 = _33;

   use/eval.cc says that _32 is A + 4*m*I + 4*J: A is the USE_BASE of argument a,
   m is a USE_ARG, and I and J are the USE_IV of the two loops.  use/loop.cc says
   that J's goes on m times and I's, which is shared, n times, since one thread of
   one team runs all of it.  use/nest.cc makes dimensions of the strides and the
   counts; nothing is conditional, so the reference is exact and even certain:

     ;; ummgr:   use a written
     ;; ummgr:     ref line 9 w size 4 frequency 1 exact base 0 shared [4*m x n] inner [4 x m]
     ;; ummgr:     certain line 9 w

   Of what is computed besides, ops/ops.h says: a pointer for the inner loop, which one
   addition moves on, a comparison and a branch are three operations of each of its
   iterations; the address where it begins and where it ends, the conversion of i, and i's
   own addition, comparison and branch are i's.

     ;; ummgr:   ops flops 1 integers 5 loads 0 stores 0 shared [n]
     ;; ummgr:   ops flops 0 integers 3 loads 0 stores 1 shared [n] inner [m]

   use/emit.cc makes records of that.  Argument 0 is m, and the stride 4*m is the
   code CONST8 4, ARG 0, MUL, END:

     01 04 03 00 00 08 00

   `ummgr tables' shows of the object

     trip count n, exact
     operations per iteration: flops 1, integers 5 + 3*m, loads 0, stores m
     written, exact
     locality n*m; bytes per iteration 4*m
     line 9: writes 4 bytes at 0; stride 4*m, n times (shared); stride 4, m times; exact

   and at a launch libummgr evaluates it with the launch's n and m.  */

#pragma once

#include "callee/callee.h"
#include "count/count.h"
#include "ops/ops.h"
#include "regions/regions.h"

enum use_atom_kind
{
  USE_ARG,			/* By-value argument A.  */
  USE_LOAD,			/* SIZE bytes at OFFSET of argument A.  */
  USE_SIZE,			/* The size of argument A: of a pointer's place,
				   its bias.  */
  USE_BASE,			/* The address of argument A, or, behind these,
				   what a member points to.  SIZE: not 0 where
				   the pointer, found in memory, may have been
				   attached before to something else.  */
  USE_BLOCK,			/* The region's argument block.  */
  USE_LOCAL,			/* The address of local T of frame A.  */
  USE_GLOBAL,			/* The address of static T.  */
  USE_IV,			/* Iteration number of dimension A.  */
  USE_PHI,			/* PHI result T of frame A, yet to expand.  */
  USE_DATA,			/* Loaded from argument A's memory; SIZE bytes at
				   X from its address, where SIZE is not 0;
				   use_find and the like don't look there.  */
  USE_OPAQUE,			/* Anything else; T: what; A: why.  */
  USE_DIV, USE_MIN, USE_MAX	/* Of X and Y.  */
};

/* Why a value is opaque.  */
enum use_why
{
  USE_WHY_COMPUTED,		/* Not a polynomial.  */
  USE_WHY_CALL,			/* A call's result.  */
  USE_WHY_AGAIN,		/* Another in each call of a recursion.  */
  USE_WHY_MEMORY,		/* Memory that is not followed.  */
  USE_WHY_OWN			/* The address of memory that the region gets
				   for itself: no argument's.  */
};

#define USE_TERMS 14
#define USE_FACTORS 4

struct use_term
{
  HOST_WIDE_INT k;
  unsigned char n;
  unsigned short atom[USE_FACTORS];	/* Ascending.  */
};

/* A sum of terms, in order; 0 has none.  */
struct use_poly
{
  unsigned n;
  use_term terms[USE_TERMS];
};

struct use_atom
{
  use_atom_kind kind;
  unsigned a;
  HOST_WIDE_INT offset;
  int size;			/* Negative: signed.  */
  tree t;
  use_poly x, y;
  /* Filled by use_atom_new.  */
  unsigned kinds;		/* The set of its kind and those inside it.  */
  unsigned weight;		/* Atoms in it, counted as often as they
				   occur.  */
  unsigned short next;		/* In its chain, plus 1.  */
};

extern vec<use_atom> use_atoms;
/* There were too many: values may be wrong.  */
extern bool use_atoms_full;

/* use/poly.cc.  */
void use_atoms_reset (void);
use_poly use_const (HOST_WIDE_INT k);
use_poly use_atom_new (const use_atom &atom);
use_poly use_simple (use_atom_kind kind, unsigned a, tree t);
use_poly use_add (const use_poly &a, const use_poly &b, HOST_WIDE_INT k = 1);
use_poly use_mul (const use_poly &a, const use_poly &b);
use_poly use_div (const use_poly &a, const use_poly &b);
use_poly use_div_up (const use_poly &a, const use_poly &b);
use_poly use_min (const use_poly &a, const use_poly &b);
use_poly use_max (const use_poly &a, const use_poly &b);
bool use_equal (const use_poly &a, const use_poly &b);
bool use_is_const (const use_poly &a, HOST_WIDE_INT *k);
/* A's one atom, coefficient 1, or NULL.  */
const use_atom *use_is_atom (const use_poly &a);
/* Does A have an atom of a kind in the set KINDS (1 << kind), however deep?
   Returns the first.  */
const use_atom *use_find (const use_poly &a, unsigned kinds);
/* A with atom number ATOM replaced by BY.  */
use_poly use_substitute (const use_poly &a, unsigned atom, const use_poly &by);
/* A = COEFFICIENT * atom + REST; false if A is not linear in ATOM.  */
bool use_linear (const use_poly &a, unsigned atom, use_poly *coefficient,
		 use_poly *rest);
/* The number of the one atom of A.  */
unsigned use_atom_number (const use_poly &a);

#define USE_SET(KIND) (1u << (KIND))
/* What libummgr can evaluate at a launch has none of these.  */
#define USE_NOT_LAUNCH                                                        \
  (USE_SET (USE_BASE) | USE_SET (USE_BLOCK) | USE_SET (USE_LOCAL)             \
   | USE_SET (USE_GLOBAL) | USE_SET (USE_IV) | USE_SET (USE_PHI)              \
   | USE_SET (USE_DATA) | USE_SET (USE_OPAQUE))

/* One dimension of a loop nest.  */
struct use_dim
{
  class loop *loop;
  use_poly atom;		/* Its USE_IV.  */
  bool known;			/* PASSES is, else ESTIMATE is.  */
  bool exact;			/* No other way out of the loop.  */
  bool has_index;		/* Its first index starts at INIT and goes by
				   STEP, a constant.  */
  use_poly init;
  HOST_WIDE_INT step;
  bool shared;			/* Work-shared.  */
  use_poly passes;		/* How often the test lets it go on.  */
  double estimate;
  bool counted;			/* That was, in runs; */
  bool several;			/* of a loop that is also left elsewhere than
				   where TEST is.  */
  basic_block test;		/* What it dominates runs PASSES times, the rest
				   once more.  NULL: all runs PASSES times.  */
  bool test_above;		/* TEST stands above the body.  */
  bool has_data;		/* DATA_PASSES, with what is loaded in it, are
				   the passes.  */
  use_poly data_passes;
};

/* A condition under which a block runs: D > 0, or D == 0, or D != 0.  */
struct use_guard
{
  use_poly d;
  bool equal, differs;
  double probability;
  bool counted;			/* That was, in runs.  */
};

/* Where a frequency is from, if it isn't known: from the compiler's guesses, or from
   runs.  */
struct use_source
{
  bool guessed, counted;
};

/* FREQUENCY, from *SOURCE, is to be multiplied by what was COUNTED, or by a guess.  Where
   nothing is executed that makes no difference.  */
static inline void
use_source_add (use_source *source, double frequency, bool counted)
{
  source->counted |= counted;
  source->guessed |= !counted && frequency > 0;
}

/* A condition on data: D > 0, D == 0 or D != 0.  */
struct use_data_guard
{
  use_poly d;
  ummgr_step_kind kind;
  double probability;
};

/* A loop of a frame.  */
struct use_loop
{
  class loop *loop;
  bool transparent;		/* Counts once: the loop over a thread's chunks,
				   or over a machine's teams.  */
  bool prepared;
  bool mixed;			/* Not all indices go on by a step each time.  */
  unsigned main;		/* Its dimension.  */
  auto_vec<unsigned, 3> collapsed; /* Or these, outermost first.  */
};

/* What holds for all of a block.  */
struct use_place
{
  bool live;
  bool certain;			/* Only loops and GUARDS say when it runs.  */
  double frequency;		/* For each iteration of its loop.  */
  auto_vec<use_guard, 2> guards;
  auto_vec<use_data_guard, 2> data_guards;
  double residue;		/* FREQUENCY without their probabilities.  */
  use_source source;		/* Of FREQUENCY.  */
  /* For its loops, innermost first: it runs once more than the test lets the
     loop go on.  */
  auto_vec<bool, 4> once_more;
};

/* A function being walked, as CALLER calls it.  */
struct use_frame
{
  unsigned number;
  function *fun;
  use_frame *caller;
  bool called;			/* By the source, not by GCC's outlining.  */
  gcall *loop_call;		/* GOMP_parallel_loop_*, which has its loop's bounds, or NULL.  */
  auto_vec<use_poly> params;
  hash_map<tree, use_poly> values;
  hash_map<tree, use_poly> headers; /* Of header PHIs, expanded.  */
  hash_set<tree> shared;	/* Names that derive from the number of a thread
				   or of threads.  */
  hash_set<tree> busy;
  hash_set<edge> dead;
  vec<use_place *> places;	/* By block index.  */
  vec<use_loop *> loops;	/* By loop number.  */
  /* What encloses the call.  */
  auto_vec<unsigned> dims;
  auto_vec<bool> once_more;	/* Runs PASSES + 1 times in that dimension.  */
  auto_vec<use_guard> guards;
  auto_vec<use_data_guard> data_guards;
  double frequency, residue;
  use_source source;
  bool certain;
  use_frame *again;		/* All further calls of a recursion, of which this
				   is the first; or NULL.  */
};

/* One dimension of a reference.  */
struct use_ref_dim
{
  use_poly stride;		/* Bytes.  */
  use_poly count;		/* On average.  */
  use_poly extent;		/* At most; equal to COUNT where known.  */
  bool shared;
  /* What stands in include/ummgr-table.h.  */
  unsigned of = 0;
  use_poly first = {}, slope = {}, skip = {}, skip_slope = {};
};

/* One step of a reference's sample.  */
struct use_step
{
  ummgr_step_kind kind;
  use_poly code;
  bool known;			/* CODE is.  */
  double value;
};

struct use_ref
{
  unsigned arg;
  unsigned flags;		/* enum ummgr_ref_flag.  */
  unsigned line;
  location_t location;
  use_poly base;		/* Bytes from the argument's address.  */
  HOST_WIDE_INT lo, hi;		/* It is within these bytes, if HI is above LO.  */
  unsigned size;
  double frequency;
  auto_vec<use_ref_dim> dims;
  const char *why;		/* malloc'ed, or NULL.  */
  auto_vec<use_step> steps;	/* Its sample, or none.  */
  auto_vec<unsigned> loops;	/* Dimensions of the steps' loops.  */
  bool place_known;		/* PLACE is.  */
  use_poly place;		/* As BASE, in the loops' iterations.  */
};

/* A pointer in memory that is followed.  */
struct use_member
{
  unsigned arg;			/* OFFSET bytes from its address.  */
  HOST_WIDE_INT offset;
  unsigned flags;		/* enum ummgr_use_flag.  */
};

/* Numbers of variables of a region's own, as of arguments, begin here.  */
enum { USE_STATICS = 0x10000 };

/* A `declare target' variable that is used.  */
struct use_static
{
  tree decl;
  unsigned flags;		/* enum ummgr_use_flag.  */
  const char *why;		/* It is not known; malloc'ed, or NULL.  */
};

/* Where a pointer's offset may be any.  */
#define USE_ANYWHERE HOST_WIDE_INT_MIN

/* A pointer OFFSET bytes from argument ARG's address.  */
struct use_pointer
{
  unsigned arg;
  HOST_WIDE_INT offset;
};

/* What a loop nest computes: in each combination of the iterations of NEST's dimensions,
   whose strides are 0.  */
struct use_work
{
  use_ref nest;
  bool shared;			/* Some loop of it is, known or not.  */
  double flops, integers, loads, stores;
};

/* What a clause of its `teams' says.  */
struct use_clause
{
  bool given, known;
  use_poly value;
};

/* A dimension that counts as two: OUTER, and, behind it, one with COUNT iterations.  */
struct use_apart
{
  unsigned dim;
  use_poly count;
  unsigned outer;
};

/* What is found of one region.  */
struct use_region
{
  const ummgr_region *region;
  tree fields;			/* Of its argument block.  */
  auto_vec<use_frame *> frames;	/* All, in the order of their numbers.  */
  auto_vec<use_dim *> dims;
  auto_vec<use_apart> apart;
  auto_vec<use_ref *> refs;	/* Of arguments, ...  */
  auto_vec<use_ref *> member_refs; /* ... and of members, behind these.  */
  auto_vec<use_member> members;
  auto_vec<use_ref *> static_refs; /* Of STATICS, from USE_STATICS on.  */
  auto_vec<use_static> statics;
  auto_vec<use_work *> work;
  auto_vec<unsigned> arg_flags;	/* enum ummgr_use_flag.  */
  auto_vec<const char *> arg_why;
  bool trip_known, trip_exact, trip_counted;
  use_poly trip;		/* Of the first work-shared nest.  */
  auto_vec<unsigned> trip_dims;	/* Its dimensions.  */
  bool outer_known;
  use_poly outer;		/* Iterations of the loop that can be run by
				   ranges, all of them.  */
  use_clause teams_least, teams, threads; /* num_teams and thread_limit.  */
  use_clause distribute_chunk, shared_chunk; /* Of loops over chunks.  */
  auto_vec<use_pointer> pointers; /* Those that were followed to arguments.  */
  bool wild_read, wild_write;	/* Through pointers of unknown origin.  */
  const char *wild_why;		/* malloc'ed, or NULL.  */
  bool walked;			/* All code that is there was.  */
  bool cuts;			/* 32 bits may cut a value,  */
  bool narrows;			/* by a conversion.  */
  bool divides_any;		/* Values are divided, or the less of two taken;  */
  bool divides;			/* and such that may be cut.  */
  unsigned met;			/* enum ummgr_split_flag, in functions called, too.  */
  const char *unseen_why;	/* Of UMMGR_SPLIT_CALLS there; malloc'ed, or NULL.  */
};

/* use/eval.cc.  */
use_poly use_eval (use_region *region, use_frame *frame, tree expr);
use_poly use_eval_address (use_region *region, use_frame *frame, tree ref);
/* Is NAME, an SSA name, one of a compiler's variable whose name begins with PREFIX?  */
bool use_is_named (tree name, const char *prefix);
/* Does CALL get a thread the next part of what libgomp deals out: of a loop, or a section?  */
bool use_is_next (gimple *call);
/* A loop of which libgomp deals out the iterations.  */
struct use_dealt
{
  use_poly start, end, step;
};
bool use_dealt_bounds (use_region *region, use_frame *frame, gcall *call, use_dealt *out);
/* The argument that has bytes LO to HI of ARG, a struct mapped member by member, or
   NULL.  */
const ummgr_part *use_part_find (const use_region *region, unsigned arg, HOST_WIDE_INT lo,
				 HOST_WIDE_INT hi);
bool use_is_header_phi (gimple *phi);
/* Is STMT a call that GCC made, of one of NAMES?  */
bool use_is_call (gimple *stmt, const char *const *names);
/* Names of what tells a thread's or a team's number.  */
extern const char *const use_thread_calls[];
/* Names of what tells how many threads or teams there are.  */
extern const char *const use_count_calls[];

/* use/frame.cc.  */
void use_frame_prepare (use_region *region, use_frame *frame);
void use_frame_free (use_frame *frame);
/* The condition under which E is taken, which leaves a GIMPLE_COND: D > 0, or,
   with *CODE EQ_EXPR or NE_EXPR, D == 0 or D != 0.  False for others.  */
bool use_edge_condition (use_region *region, use_frame *frame, edge e,
			 use_poly *d, tree_code *code);
/* What is made of "A <= x && x < B": "x - A < B - A", unsigned.  */
enum use_range
{
  USE_RANGE_NONE,		/* It is no such.  */
  USE_RANGE_IN,			/* It also takes D > 0.  */
  USE_RANGE_OUT			/* It holds on both sides of a range.  */
};
/* Which the condition of E is, that use_edge_condition knows.  */
use_range use_edge_range (use_region *region, use_frame *frame, edge e,
			  use_poly *d);

/* use/loop.cc.  */
/* Value and weight of each way A may come out, PHIs expanded.  */
struct use_way
{
  use_poly value;
  double weight;
};
void use_expand (use_region *region, const use_poly &a, vec<use_way> *ways);
/* A with its PHIs expanded, if it comes out one way; else an opaque value.  */
use_poly use_expand_one (use_region *region, const use_poly &a);
/* A, a number of iterations that a thread's chunk begins at, for the first one.  */
use_poly use_first_chunk (use_region *region, use_poly a);
use_loop *use_loop_get (use_region *region, use_frame *frame, class loop *l);
/* Is LOOP one that is shared, or in one?  Then what is in it is all one thread's, though how much
   there is may derive from which.  */
bool use_is_within_shared (use_region *region, use_frame *frame, class loop *loop);

/* use/row.cc.  */
/* Is NAME what is left of a thread's share, where a row of a collapsed nest
   starts?  */
bool use_is_share_rest (tree name);
/* Is LOOP over such a row?  */
bool use_loop_is_row (class loop *loop);
/* Is one of the loops in LOOP such?  */
bool use_loop_has_rows (class loop *loop);
/* Is LOOP the one in AROUND, beside its rows, that finds the next row?  */
bool use_loop_carries (class loop *loop, class loop *around);

/* use/guard.cc.  */
/* How often E is taken when its source is executed; *COUNTED: that is no guess.  */
double use_edge_taken (use_region *region, use_frame *frame, edge e, bool *counted);
void use_places_fill (use_region *region, use_frame *frame);

/* use/refs.cc.  */
/* CLAUSE says VALUE, too.  */
void use_clause_note (use_clause *clause, const use_poly &value);
/* VARIABLE may be used as FLAGS say, nobody knows where, for the reason WHY.  */
void use_static_unknown (use_static *variable, unsigned flags, const char *why);
/* ADDRESS less its one base argument, or false.  */
bool use_base_split (const use_poly &address, unsigned *arg, use_poly *rest);
void use_walk (use_region *region, use_frame *frame);

/* use/data.cc.  */
/* A with all that is loaded in it, as a sample can be evaluated; false if it
   can't.  */
bool use_data_resolve (use_region *region, const use_poly &a, use_poly *out);
bool use_data_any (const use_poly &a);
/* Note DIM's passes where D, which is above 0 (CODE GT_EXPR) or not 0 while it
   goes on, depends on data.  */
void use_data_passes (use_region *region, use_dim *dim, const use_poly &d,
		      tree_code code);
/* Is D, as use_edge_condition has it, a condition on data?  */
bool use_data_condition (use_region *region, const use_poly &d, tree_code code,
			 double probability, use_data_guard *out);

/* A place in a frame.  */
struct use_site
{
  use_region *region;
  use_frame *frame;
  gimple *stmt;
  basic_block block;
  /* What of argument WITHIN_ARG the reference at hand is within, if HI is above LO.  */
  unsigned within_arg = 0;
  HOST_WIDE_INT lo = 0, hi = 0;
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
  use_source source;
  bool exact;
};

/* Fill N for what S's block executes, but for bounds; the guards are the block's,
   as they are.  */
void use_nest_fill (use_site *s, use_nest *n);
/* Fill the bounds of N's dimensions; unknown counts go into its frequency.  */
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

/* use/call.cc.  */
use_frame *use_frame_new (use_region *region, function *fun, use_frame *caller);
/* Walk CALLEE as CALL at S runs it, in SHARE of all cases; FIRST: number of the call's
   argument that is its first parameter.  False where that can't be done.  */
bool use_callee_walk (use_site *s, gcall *call, tree callee, unsigned first, double share);
/* Walk all that CALL, which names no function, may reach; false where not all that is
   known, or can be walked.  */
bool use_nameless_walk (use_site *s, gcall *call);

/* use/tiles.cc.  */
/* Make two of N's dimensions of each whose number ADDRESS has divided.  */
void use_nest_apart (use_site *s, use_nest *n, use_poly *address);
/* Make one of N's dimensions I - 1 and I where they are tiles, and what is in one, that ADDRESS
   goes over as over one.  */
void use_nest_join (use_site *s, use_nest *n, unsigned i, use_poly *address);
/* Is COUNT how many iterations a tile has, where dimension OUTER goes over TILES of them, of *SIZE
   each but for the last, and all have *ALL?  */
bool use_tiles_all (use_region *region, const use_poly &tiles, unsigned outer,
		    const use_poly &count, HOST_WIDE_INT *size, use_poly *all);

/* use/data.cc: give REF a sample where N or its place, REST, depend on data.
   WEIGHT: the part of its executions that REF stands for.  */
void use_data_describe (use_site *s, const use_nest *n, use_ref *ref,
			const use_poly &rest, double weight);

/* What dumps and reasons call argument I of REGION.  */
const char *use_arg_name (use_region *region, unsigned i);

/* use.cc: analyse the region of FUNCTION.  */
use_region *use_analyse (const ummgr_region *region, tree function);
void use_region_free (use_region *region);

/* use/whole.cc.  */
/* Is A in terms of REGION's HI, NESTED within other operations or not?  */
bool use_has_hi (const use_region *region, const use_poly &a, bool nested);
/* A as it is where REGION runs as a whole, without its LO and HI.  */
use_poly use_whole (const use_region *region, const use_poly &a);
/* Fill REGION's OUTER, once it has been walked.  */
void use_outer_find (use_region *region);

/* use/emit.cc.  */
/* A number in a struct that some expression of the region at hand loads, or a pointer that it
   follows.  */
struct use_loaded
{
  unsigned arg;
  HOST_WIDE_INT offset;
};

struct use_tables
{
  auto_vec<char> code, regions, args, refs, dims, samples, steps, ops;
  auto_vec<char> splits, shares, reductions, range_refs, range_dims, members;
  auto_vec<char> fields, statics;
  auto_vec<tree> static_decls;	/* Of STATICS' records; NULL: has no address there.  */
  auto_vec<use_loaded> loaded;
  bool ranges = false;		/* Some region can be run by ranges.  */
  unsigned region_count = 0, ref_count = 0, dim_count = 0, step_count = 0;
  unsigned reduction_count = 0;
};
void use_emit (use_tables *tables, use_region *region, ummgr_strings *strings);
/* REF's dimensions.  */
void use_dims_emit (use_tables *tables, const use_region *region, const use_ref *ref,
		    uint32_t *first_p, uint32_t *count_p);
void use_dump (FILE *file, use_region *region);
/* P in the names of REGION's arguments, malloc'ed.  */
char *use_poly_text (const use_region *region, const use_poly &p);

/* use/work.cc.  */
void use_work_add (use_region *region, use_frame *frame);
/* Once for each region.  */
void use_work_emit (use_tables *tables, const use_region *region);
void use_work_dump (FILE *file, const use_region *region);

/* use/notes.cc: what was found of REGION, for -fopt-info and the dump; call it
   where dump_enabled_p.  */
void use_notes_write (const use_region *region);
