/* What the host does with data between regions: what the analysis' files share.
   SPDX-License-Identifier: GPL-3.0-or-later

   live/roots.cc says which memory a function's pointers may point into,
   live/scan.cc finds that out, and what gets out of its sight, live/apart.cc which of it
   has no other name, live/within.cc what the host does to it while it is mapped; live/calls.cc and
   live/launch.cc know calls and launches; live/effects.cc says what statements
   do to that memory; live.cc goes backwards over the blocks of functions, from
   callees to callers and back; live/emit.cc writes what came out.

   A root is a piece of memory as one function knows it.  Foreign ones (what a
   parameter that isn't apart, a global or a loaded pointer points to, and what escaped) may be
   one another.  What can't be followed may be read and written; what has no
   effect on a root is proved to have none.  In a unit's view: what may come from
   other units counts as any access.

   GCC 12's passes of this kind (gcc/tree-ssa-structalias.cc, gcc/ipa-modref.cc) don't
   run at -O0, nor before the tables are written.

   An example, which testsuite/ummgr.cli/examples/live.c has:

     float *a = malloc (n * sizeof *a), *t = malloc (n * sizeof *t), sum = 0;
     #pragma omp target map(from: a[0:n], t[0:n])
     for (long i = 0; i < n; i++)
       a[i] = t[i] = i;
     for (long i = 0; i < n; i++)
       sum += a[i];
     free (a);
     free (t);

   When the tables are made, the dump shows

     a_13 = malloc (_2);
     t_15 = malloc (_2);
     .omp_data_arr.7.D.2760 = t_15;
     .omp_data_arr.7.D.2762 = a_13;
     GOMP_target_ext (-1, total._omp_fn.0, 3, &.omp_data_arr.7,
     _6 = a_13 + _5;
     _7 = *_6;
     free (a_13);
     free (t_15);

   live/scan.cc finds two roots of kind LIVE_ALLOC, to which the names a_13 and
   t_15 point, and that neither escapes: the argument block is the launch's alone.
   live/run.cc goes backwards.  What is freed is not NEEDED, whatever comes later;
   the loop reads a, so that a is NEEDED before it, and as it launches nothing it
   goes over a, with the probability that it is entered at all (flow/chain.cc: it
   is), but n may be 0: it may READ, not must.  That is what comes after the
   launch, the record of each argument:

     ;; ummgr:   live t host reads no writes no next 0.00 dead
     ;; ummgr:   own t
     ;; ummgr:   live a host reads maybe writes no next 1.00 needed
     ;; ummgr:   own a
     ;; ummgr:   told of a

   The latter is ANALYSED | MAY_READ | OWN | APART | TOLD (live/tell.cc), no reason, 1.0:

     83 03 00 00 00 00 00 00 00 00 00 00 00 00 f0 3f

   `ummgr tables' shows of the object

     then: host reads no, writes no, dead
     then: host reads maybe, writes no, goes over it next: probability 1.00, tells before

   so that t need not come back, and a is best sent home at once, or once the host tells.  */

#pragma once

#include "regions/regions.h"

/* Sets of a function's roots, by number.  */
typedef uint64_t live_set;
#define LIVE_ROOTS 64
/* Root 0 stands for foreign memory of no other root.  */
#define LIVE_ANY ((live_set) 1)

enum live_root_kind
{
  LIVE_FOREIGN,
  LIVE_LOCAL,			/* The variable T.  */
  LIVE_GLOBAL,			/* The static variable T.  */
  LIVE_ALLOC,			/* Allocated by the call that defines T.  */
  LIVE_PARAM,			/* What parameter INDEX points to.  */
  LIVE_FIELD,			/* What the pointer at OFFSET of what
				   parameter INDEX points to does.  */
  LIVE_LOADED			/* What the pointer variable or name T does.  */
};

struct live_root
{
  live_root_kind kind;
  tree t;
  unsigned index;
  HOST_WIDE_INT offset;
  bool escaped;			/* Somebody else may use it by now.  */
  bool returned;
  bool several;			/* One name, but maybe more than one piece.  */
  bool named;			/* A static variable that is used by its name alone.  */
  bool apart;			/* Of a parameter: memory that F gets by no other name, in any call.  */
  live_set contents;		/* Where the pointers in it may point.  */
};

/* What comes after a point of the program, for one root.  */
enum live_bit
{
  LIVE_READ = 1,		/* The host reads it before the next region that
				   uses it.  */
  LIVE_WRITE = 2,		/* The host writes it before that region.  */
  LIVE_NEEDED = 4,		/* May be: read by anybody before it is gone.  */
  LIVE_NEXT = 8,		/* Must: the host goes over it before a region
				   uses it.  */
  /* May be, of the memory and the pointer to it: no calls can change that.  */
  LIVE_LENT = 16,		/* Its end is no call of free: a variable, or an allocator's of
				   its own.  */
  LIVE_SHARED = 32,		/* Others may get at it.  */
  LIVE_INNER = 64,		/* Others may not, and the pointer is not its address.  */
  LIVE_SILENT = 128		/* With LIVE_READ: some of it without telling libummgr before.  */
};
#define LIVE_READS (LIVE_READ | LIVE_SILENT)
#define LIVE_HOST (LIVE_READS | LIVE_WRITE)
#define LIVE_ORIGIN (LIVE_LENT | LIVE_SHARED | LIVE_INNER)

struct live_value
{
  unsigned char may, must;	/* enum live_bit.  */
  float next;			/* Probability of LIVE_NEXT.  */
};

/* What comes after a point of the program, for each root.  */
typedef live_value live_values[LIVE_ROOTS];

/* What comes after a point, for a return to nothing at all, and for one to all
   that there is: anything between follows from the two, since each bit and each
   probability depends on its own at the return alone.  */
struct live_pair
{
  live_values at[2];
};

/* A launch, or a call whose callee is seen, and what comes after it.  */
struct live_function;
struct live_site
{
  gcall *call;
  live_function *callee;	/* NULL: a launch.  */
  live_pair after;
};

/* An answer of live_stored_at.  */
struct live_stored
{
  unsigned root;
  HOST_WIDE_INT offset;
  live_set set;
};

struct live_function
{
  cgraph_node *node;
  function *fun;
  bool visiting, analysed;
  bool good;			/* Analysed, and not given up.  */
  bool ran;			/* ENTRY and SITES are there, too.  */
  bool called_unseen;		/* By code that is not followed.  */
  auto_vec<live_root> roots;
  hash_map<tree, live_set> points;	/* Of SSA names.  */
  auto_vec<gimple *> stores;	/* To variables of its own.  */
  hash_set<tree> addressed;	/* Variables to which a pointer may be, not counting argument blocks'.  */
  bool scanned;			/* Roots and POINTS are final.  */
  auto_vec<live_stored> stored;	/* If SCANNED.  */
  bool fresh;			/* Returns memory that nobody else has.  */
  bool jumps;			/* May leave by longjmp or an exception.  */
  bool launches;		/* Or calls what does.  */
  live_set touches, reads;	/* Roots that the host uses, and reads, in it and its callees.  */
  live_set writes;		/* Those that its, and their, regions may write.  */
  live_set held;		/* Those that are written in constructs that map them and don't bring them back.  */
  live_set within[LIVE_ROOTS];	/* Those that it uses while that root is mapped.  */
  live_set told;		/* Roots of which it tells before it reads them (live/tell.cc).  */
  live_pair entry;		/* What comes after a call of it begins.  */
  auto_vec<live_site *> sites;
  live_values exit;		/* What comes after its end, by its calls.  */
  unsigned exits[LIVE_ROOTS];	/* So many calls are in EXIT.  */
};

static inline live_set
live_bit_of (unsigned root)
{
  return (live_set) 1 << root;
}

/* Did GCC outline F of a construct?  Then it only reads its argument block.  */
bool live_is_outlined (const live_function *f);

/* live.cc: the function that a call reaches, analysed, or NULL; FIRST becomes
   the number of its argument that is the first parameter.  */
live_function *live_callee (const gcall *call, unsigned *first);

/* Is ROOT F's own, unless it escapes?  */
static inline bool
live_is_own (const live_root &root)
{
  return root.kind == LIVE_LOCAL || root.kind == LIVE_ALLOC;
}

/* live/scan.cc: find F's roots and where its names point.  */
void live_roots_find (live_function *f);

/* live/apart.cc: which roots of FUNCTIONS, scanned callees before their callers, are apart.  */
void live_apart_find (const vec<live_function *> &functions);
/* live/apart.cc: false if CALLEE's root I is nothing that CALL of F, whose argument FIRST is its first
   parameter, passes; else what that may be to F, and VALUE, which points there, or NULL_TREE.  */
bool live_passed (live_function *f, const gcall *call, const live_function *callee, unsigned first, unsigned i,
		  live_set *set, tree *value);

/* live/within.cc: the region FUNCTION doesn't write to what its argument I points to.  Before live_begin, until
   live_end.  */
void live_unwritten (tree function, unsigned i);
void live_within_end (void);
/* live/within.cc: fill what of F is about constructs that map; its callees' is there.  */
void live_within_find (live_function *f);
/* live/within.cc: what is known of the memory that CALL, of NODE, allocates, whoever uses it.  Between live_begin and
   live_end.  */
struct live_sharing
{
  bool quiet;			/* Nobody gets at it but by what was followed, and the host doesn't use it as long as a
				   construct maps it.  */
  bool held;			/* It may be written in a construct that maps it and doesn't bring it back.  */
  bool unread;			/* No host code reads it, and no construct copies it to a device.  */
};
live_sharing live_sharing_of (cgraph_node *node, gcall *call);
/* live.cc: NODE's function, if it was analysed, or NULL.  */
live_function *live_function_of (cgraph_node *node);

/* live/roots.cc.  */
/* F's root of KIND, made if there is none; 0 where there is no room.  */
unsigned live_root_get (live_function *f, live_root_kind kind, tree t,
			unsigned index, HOST_WIDE_INT offset);
/* All that pointers in SET point to.  */
live_set live_contents (const live_function *f, live_set set);
/* Where VALUE, an operand, may point.  */
live_set live_points_to (live_function *f, tree value);
/* What memory the reference REF is in.  */
live_set live_memory (live_function *f, tree ref);
/* F's root that is the static variable DECL, or -1.  */
int live_root_of_decl (const live_function *f, const_tree decl);
/* All that foreign code may get at.  */
live_set live_foreign (const live_function *f);
/* Of that, static variables that are used by their names alone: no pointer means them.  */
live_set live_named (const live_function *f);
/* Does the name of root I always mean the same memory?  */
bool live_root_is_steady (const live_function *f, unsigned i);
/* Where the pointer stored at OFFSET of root I, a local, may point.  */
live_set live_stored_at (live_function *f, unsigned i, HOST_WIDE_INT offset);
/* The roots that the field OFFSET of the argument block of CALL points to, that
   is argument BLOCK of it.  */
live_set live_block_field (live_function *f, const gcall *call, unsigned block,
			   HOST_WIDE_INT offset);

enum live_call_kind
{
  LIVE_CALL_SEEN,
  LIVE_CALL_LAUNCH,
  LIVE_CALL_DATA,		/* Of libgomp's, that moves data.  */
  LIVE_CALL_ALLOC,
  LIVE_CALL_FREE,
  LIVE_CALL_SET,		/* Overwrites what argument 0 points to.  */
  LIVE_CALL_COPY,		/* Overwrites what argument 0 points to with
				   what argument 1 does.  */
  LIVE_CALL_END,		/* Ends the program.  */
  LIVE_CALL_NONE,		/* Touches no memory that matters.  */
  LIVE_CALL_ARGS,		/* What its arguments point to.  */
  LIVE_CALL_UNSEEN
};
live_call_kind live_call_kind_of (const gcall *call);

/* live/launch.cc.  */
/* The host function of the region that CALL launches, or NULL_TREE.  */
tree live_launch_function (const gcall *call);
/* Where field I of the argument block is that CALL, of libgomp's, has for argument BLOCK; -1: nowhere.  */
HOST_WIDE_INT live_block_offset (const gcall *call, unsigned block, unsigned i);
/* Has the launch CALL an argument I?  */
bool live_launch_has_argument (const gcall *call, unsigned i);
/* What argument I of the launch CALL points to: nothing for a number.  */
live_set live_launch_argument (live_function *f, const gcall *call, unsigned i);
/* What the block of CALL has for argument I, stored once, or NULL_TREE.  */
tree live_launch_value (const live_function *f, const gcall *call, unsigned i);
/* Is the launch CALL left before the region is over?  */
bool live_launch_is_async (const gcall *call);
/* Does the region of CALL store pointers where others may find them?  */
bool live_launch_stores_pointers (const gcall *call);

/* live/run.cc: what comes after F's launches and calls, for a return to nothing or
   to ALL: into its sites, and its entry.  CHAIN has its ways.  */
struct flow_chain;
void live_run (live_function *f, const flow_chain *chain, unsigned all);

/* live/effects.cc: turn VALUES, what comes after STMT, into what comes before
   it.  EXIT is what comes after F.  */
void live_statement (live_function *f, gimple *stmt, live_value *values,
		     const live_value *exit);
/* The outermost loop around BLOCK that launches nothing, or NULL.  Between
   live_loops_begin and live_loops_end.  */
class loop *live_quiet_loop (basic_block block);
/* Has CALL the callee use one part after another of the same memory, turn by turn
   of a loop?  Between live_loops_begin and live_loops_end.  */
bool live_call_is_wide (gcall *call, const live_function *callee);
/* Is REF, of STMT, an access all over memory: in a loop that launches nothing,
   and at an address that varies there?  Between live_loops_begin and
   live_loops_end.  */
bool live_ref_is_wide (gimple *stmt, tree ref);
/* What comes after a point that goes on with A or with B, equally likely.  */
live_value live_join (const live_value &a, const live_value &b);
/* What comes after a point for a return to X, if for one to nothing it is NOTHING,
   and ALL for one to all that there is.  */
live_value live_apply (const live_value &nothing, const live_value &all,
		       const live_value &x);

/* What follows the launches of a region, for one argument; or unknown, and
   why: a literal.  */
struct live_fact
{
  bool known;
  live_value value;
  const char *why;
  bool apart;			/* Never LIVE_INNER.  */
};

/* live.cc: analyse all functions of the unit, if that is not done.  */
void live_begin (void);
/* live.cc: free what live_begin made.  */
void live_end (void);
/* live.cc: the functions that live_begin looked at, callees before their
   callers.  */
const vec<live_function *> &live_functions (void);
/* live.cc: make F's function cfun, with loops; AUX of those that launch is not
   NULL.  */
void live_loops_begin (live_function *f);
/* live.cc: end what live_loops_begin began.  */
void live_loops_end (live_function *f);
/* live.cc: what follows all launches of the region FUNCTION for argument I.  */
live_fact live_fact_get (tree function, unsigned i);

/* live/tell.cc: the only edge into L, if calls can be put on it, or NULL.  */
edge live_entry_edge (const class loop *l);
/* live/tell.cc: will what live_tellings says be there?  Before live_begin.  */
void live_will_tell (bool tells);
/* live/tell.cc: which of F's roots it can tell of before it reads them, into F; its roots are known, and it is
   cfun, with loops as live_loops_begin makes them.  */
void live_told_find (live_function *f);
/* A place to tell of ROOT: on the edge ON, or else before the statement BEFORE.  */
struct live_telling
{
  edge on;
  gimple *before;
  unsigned root;
};
/* live/tell.cc: where F, which is so, is to tell of its told roots.  */
void live_tellings (live_function *f, vec<live_telling> *out);
/* live.cc: F launches, may be analysed or not, and calls of libummgr can be put everywhere in it: control is left and
   entered by edges only that can be split.  */
bool live_takes_calls (const live_function *f);
/* live.cc: LIVE_ORIGIN of F's root I, to which VALUE (or NULL_TREE) points.  */
unsigned char live_origin (const live_function *f, unsigned i, tree value);

/* A launch, or a call of what launches, of CALLER, from where alone more may be known than of all of them.  */
struct live_call
{
  live_function *caller;
  const live_site *site;
  uint64_t id;			/* As the table has it.  */
  bool used;			/* The table has records of it.  */
};
/* live/from.cc: those of the region FUNCTION, made if they are new; and all that there are, between live_begin and
   live_end.  */
void live_calls_of (tree function, vec<live_call *> *out);
const vec<live_call *> &live_calls (void);
/* live/from.cc: what follows the launches of the region FUNCTION from CALL for argument I.  */
live_fact live_fact_from (tree function, unsigned i, const live_call *call);
/* live/from.cc: the line of CALL, as the source has it.  */
unsigned live_call_line (const live_call *call);
/* live/from.cc: free what it has; for live_end.  */
void live_calls_free (void);
/* live.cc, for it: add what comes after SITE of F, a launch, for argument I to FACT, which is complete after
   live_fact_end.  */
void live_fact_add (live_fact *fact, live_function *f, const live_site *site, unsigned i);
void live_fact_end (live_fact *fact);
/* live.cc, for it: EXIT becomes what comes after the end of SITE's callee if SITE of F is its one call.  */
void live_exit_of (live_function *f, const live_site *site, live_value *exit);
/* live.cc, for it: are all calls of F among the sites?  */
bool live_callers_are_known (const live_function *f);

/* live/emit.cc: analyse the unit (its live_end is the caller's), and fill OUT with
   the records of UMMGR_TABLE_LIVES for all arguments of REGIONS, whose functions
   are FUNCTIONS, and BY_CALL with those of UMMGR_TABLE_CALL_LIVES.  */
void live_emit (const vec<const ummgr_region *> &regions,
		const vec<tree> &functions, ummgr_strings *strings,
		vec<char> *out, vec<char> *by_call);
