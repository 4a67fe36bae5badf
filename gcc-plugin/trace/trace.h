/* What the files of the trace pass share.
   SPDX-License-Identifier: GPL-3.0-or-later

   ummgr-trace-abi.h says what code is made.  trace.cc is the pass and
   goes through the unit; trace/version.cc makes the traced versions, with
   trace/result.cc for what the offload compiler returns otherwise;
   trace/refs.cc finds what a function accesses and leaves out what cannot
   matter, trace/lib.cc knows what library functions access; trace/loop.cc
   hoists what affine loops access, with trace/nest.cc for nests of them and
   trace/skip.cc for what sampling leaves out;
   trace/emit.cc writes the reports; trace/work.cc counts what lies between them, trace/join.cc
   says which of them need no other;
   trace/sites.cc writes those of allocations and constructs, with trace/names.cc
   for their names and trace/statics.cc for their constants and for the unit's
   variables; trace/places.cc has where accesses are.  */

#pragma once

#include "ummgr-plugin.h"

#define UMMGR_PASS_TRACE "ummgr-trace"
#define UMMGR_PASS_TRACE_NAMES "ummgr-trace-names"

/* As enum ummgr_trace_access_kind (trace/format.h, which C++ cannot read).  */
enum trace_kind
{
  TRACE_READ = 1,
  TRACE_WRITE = 2,
  TRACE_ATOMIC = 4,
  TRACE_ORDERS = 16		/* UMMGR_TRACE_ORDERS.  */
};

/* An access to report.  */
struct trace_ref
{
  gimple *stmt;
  tree ref;		/* The memory reference, or NULL_TREE.  */
  tree pointer;		/* The address, where REF is NULL_TREE.  */
  tree size;		/* The bytes, where not known from REF.  */
  unsigned kind;
  bool after;		/* Reported after STMT, a call that stores there.  */
  bool hoisted;		/* Reported by its loop.  */
  bool joins;		/* Needs nothing of what those before it bring.  */
  bool loops;		/* Is in a loop.  */
};

/* What the pass does to a function, and what it found there.  */
enum trace_mode
{
  TRACE_NONE,		/* Left alone.  */
  TRACE_CLONE,
  TRACE_IN_PLACE
};

struct trace_counts
{
  unsigned singles, hoisted, elided, sites;
};

struct trace_function
{
  cgraph_node *node;
  cgraph_node *traced;	/* NULL if not cloned.  */
  trace_mode mode;
  const char *why;	/* Of a mode that is not TRACE_CLONE.  */
  bool has_sites;
  trace_counts counts;
};

/* Where the reports of the function at hand get their thread.  */
struct trace_context
{
  tree thread;		/* An SSA name.  */
  bool may_be_off;	/* THREAD is NULL when tracing is off.  */
  bool host;		/* Not for the offload compiler as well.  */
  basic_block entry;	/* The function's first, once THREAD is there.  */
  unsigned memos;	/* Variables that emit.cc has made.  */
  trace_counts *counts;
};

/* trace/refs.cc: append to REFS what cfun accesses, in order of execution in
   each block, less what need not be reported; that is counted in *ELIDED.  */
void trace_refs_collect (vec<trace_ref> *refs, unsigned *elided);
/* The bytes of REF, or NULL_TREE.  */
tree trace_ref_size (const trace_ref *ref);
/* The address of REF, as a GENERIC expression.  */
tree trace_ref_address (const trace_ref *ref);

/* trace/refs.cc: find those of REFS that are in loops, while cfun's are known.  */
void trace_refs_loops (vec<trace_ref> *refs);

/* trace/join.cc: find those of REFS that join others.  */
void trace_refs_join (vec<trace_ref> *refs);

/* trace/lib.cc: what CALL does to memory through its pointer arguments.  At
   most TRACE_LIB_MAX are written to REFS; returns how many.  */
#define TRACE_LIB_MAX 4
#define TRACE_LIB_NAME 64
const char *trace_lib_name (tree fndecl, char buffer[TRACE_LIB_NAME]);
unsigned trace_lib_refs (gcall *call, trace_ref *refs);

/* trace/version.cc.  */
trace_mode trace_version_mode (cgraph_node *node, const char **why);
/* Is the function DECL a traced version, or a clone of one?  */
bool trace_version_p (tree decl);
/* PLUGIN_OVERRIDE_GATE, before each pass over each function, and
   PLUGIN_FINISH_UNIT: what GCC warns of, it warns of in the plain version.  */
void trace_version_hush (void *event, void *user);
/* NODE's traced version, still without reports.  */
cgraph_node *trace_version_new (cgraph_node *node);
/* Inline small functions into TRACED, while they report nothing themselves.  */
void trace_version_inline (cgraph_node *traced);
/* Make NODE's function begin with the choice of version.  */
void trace_version_dispatch (cgraph_node *node, cgraph_node *traced);

/* trace/result.cc: have NODE's function, and all its calls, return its result
   in memory, if the offload compiler must have it there and no call is
   unknown.  */
bool trace_result_in_memory (cgraph_node *node);

/* trace/emit.cc.  */
/* The declarations of ummgr-trace-abi.h's names.  */
tree trace_decl_on (void);
tree trace_decl_function (const char *name, tree result, bool device, ...);
void trace_emit_end (void);
/* Open "if (LHS CODE RHS)" before GSI; GSI is then at the end of its block,
   whose code joins that of the former place.  */
void trace_emit_if (gimple_stmt_iterator *gsi, tree_code code, tree lhs,
		    tree rhs, location_t location);
/* OP1 CODE OP2 before GSI, in 64 bits, or as a truth value; returns it.  */
tree trace_emit_binary (gimple_stmt_iterator *gsi, tree_code code, tree op1, tree op2,
			location_t location);
/* ADDRESS's block, of those that are sampled or not; and what is 0 if BLOCK is sampled.  */
tree trace_emit_block (gimple_stmt_iterator *gsi, tree address, location_t location);
tree trace_emit_sample_bits (const trace_context *context, gimple_stmt_iterator *gsi, tree block,
			     location_t location);
/* Fetch the thread at cfun's start.  */
void trace_emit_thread (trace_context *context);
void trace_emit_ref (trace_context *context, const trace_ref *ref);
/* GSI to where what happens after STMT is reported; false where STMT does not
   return.  */
bool trace_emit_after (gimple *stmt, gimple_stmt_iterator *gsi);
/* Report through THREAD, which is null with tracing off if the context says
   so: open that condition.  */
void trace_emit_guard (const trace_context *context, gimple_stmt_iterator *gsi,
		       location_t location);

/* An allocation, free or construct; which arguments of its call say what (as
   in trace/sites.cc).  */
enum trace_site_kind
{
  TRACE_SITE_ALLOCATED,
  TRACE_SITE_RESIZED,
  TRACE_SITE_NAMED,
  TRACE_SITE_FREED,
  TRACE_SITE_CONSTRUCT
};

struct trace_site
{
  gcall *call;
  trace_site_kind kind;
  int size, times, old, out;
  const char *construct;
};

/* trace/sites.cc: append the allocations, frees and constructs of cfun to SITES.  */
void trace_sites_collect (vec<trace_site> *sites);
/* trace/sites.cc: report SITE.  */
void trace_site_emit (const trace_context *context, const trace_site *site);

/* trace/names.cc: what the pointer, which an allocation yields or is stored to,
   is called, malloc'ed or NULL, and the type it points to, or NULL_TREE.  */
void trace_place_find (tree pointer, char **name, tree *type);
/* TYPE's layout as ummgr-trace-abi.h has it, malloc'ed, and its element's size.  */
char *trace_layout (tree type, unsigned *element_size);

/* Replace an empty NAME and an unknown ELEMENT_SIZE, with LAYOUT, by what was
   noted early of the call at AT; false if nothing was.  */
bool trace_early_note (location_t at, const char **name, const char **layout,
		       unsigned *element_size);

/* trace/statics.cc: the address of a new struct ummgr_trace_site, for STMT at
   LOCATION and an object of type OBJECT (or NULL_TREE).  */
tree trace_site_new (const char *name, location_t location, gimple *stmt,
		     tree object);
/* A struct with fields of TYPES[0..N), a value of it, whose fields have VALUES, and a read-only
   variable of this unit's with such a VALUE: its address.  */
tree trace_struct_new (const tree *types, unsigned n);
tree trace_struct_value (tree type, const tree *values);
tree trace_constant_new (const char *name, tree value);
/* The N values of TYPE in LIST, as such a variable: its address.  */
tree trace_constants_new (const char *name, tree type, vec<constructor_elt, va_gc> *list);

/* trace/places.cc: where the unit's accesses are.  Begin, for FUNCTIONS.  */
void trace_places_begin (const vec<trace_function> &functions);
/* What the thread is told of an access by STMT.  */
tree trace_place_of (gimple *stmt);
/* The same of N at once, by STMTS.  */
tree trace_places_of (gimple *const *stmts, unsigned n);
/* The statement that tells THREAD, an SSA name, of PLACE.  */
gimple *trace_place_store (tree thread, tree place);
/* End, and hand the table over: append the call to BODY, if there are any.  */
void trace_places_emit (tree *body);

/* VAR, with static storage, is mapped by a construct of the unit.  */
void trace_statics_mapped (tree var);
/* Write the unit's tables of variables and places; returns how many variables there are.  */
unsigned trace_statics_emit (void);

/* trace/loop.cc: prepare cfun, before its references are collected.  */
void trace_loops_begin (void);
/* trace/loop.cc: report before their loops what of REFS can be, and mark it; before
   a single report of the others is written.  */
void trace_loops_hoist (const trace_context *context, vec<trace_ref> *refs);
/* trace/loop.cc: end what trace_loops_begin began.  */
void trace_loops_end (void);
/* trace/latch.cc: make nests of cfun's collapsed loops, by giving them two latches;
   their structures then need a fix-up.  */
void trace_latches_divide (void);

/* trace/work.cc: count the operations of cfun's blocks, before it is changed.  LOOPS: between
   trace_loops_begin and trace_loops_end.  */
void trace_work_begin (bool loops);
/* Write the counting of those that no hoisted reference took, before single reports
   are written; ends what trace_work_begin began.  */
void trace_work_emit (const trace_context *context);

/* A reference to hoist out of a loop, or out of a loop around its own; what
   follows are invariants of that loop, as GENERIC.  */
struct trace_candidate
{
  unsigned ref;			/* Its index.  */
  tree base, offset;		/* Its address: a pointer, and a sizetype.  */
  tree stride, count;
  /* Of the inner loop, if INNER, which numbers it, is not 0.  */
  unsigned inner;
  tree inner_stride, inner_count;
  tree root;			/* The pointer or variable it is based on.  */
};

/* An exit of the loop, and how often its test lets the loop go on.  */
struct trace_exit
{
  basic_block test;
  tree passes;
};

struct trace_hoister
{
  const trace_context *context;
  vec<trace_ref> *refs;
  class loop *loop;
  unsigned inner_loops;		/* Hoisted from as well.  */
  auto_vec<trace_exit> exits;
  auto_vec<trace_candidate> candidates;
};

/* trace/loop.cc: fill H->exits; false if one is not known.  */
bool trace_exits_find (trace_hoister *h);
bool trace_invariant_p (const trace_hoister *h, tree expr);
/* How often BB, which dominates the latch, runs in the loop.  */
tree trace_block_count (const trace_hoister *h, basic_block bb);
/* Fill H->candidates.  */
void trace_candidates_find (trace_hoister *h);

/* C's address as one expression.  */
tree trace_candidate_address (const trace_candidate *c);

/* trace/skip.cc: before GSI, open the condition that sampling lets one of H->candidates through;
   false, and nothing, where that can't be asked in a few instructions.  */
bool trace_skip_emit (const trace_hoister *h, gimple_stmt_iterator *gsi, location_t location);

/* trace/work.cc: what an iteration of the loop of H->candidates[I] does up to that
   reference, or if it is the loop's last one, in all that is left: that is then not
   counted where it is done.  At most MOST.  */
unsigned trace_work_take (const trace_hoister *h, unsigned i, unsigned most);

/* trace/nest.cc: add what the loop INNER, which each iteration of H->loop runs,
   accesses.  */
void trace_nest_candidates_find (trace_hoister *h, class loop *inner);

/* trace.cc and trace/names.cc.  */
opt_pass *ummgr_pass_trace_new (bool each);
opt_pass *ummgr_pass_trace_names_new (void);
