/* Where the data of regions is allocated: what the analysis' files share.
   SPDX-License-Identifier: GPL-3.0-or-later

   site/graph.cc keeps what may point to what, site/walk.cc and site/call.cc
   read it off the code, site/alloc.cc knows what allocates, site.cc drives it
   and says what came out, site/emit.cc makes it records, and site/unify.cc
   redirects allocations.

   The analysis is that of Andersen (Program Analysis and Specialization for the
   C Programming Language, 1994) over one unit: it knows neither the order of
   statements nor who called, keeps the fields of objects apart by their offset,
   and may find too much but, within the unit, not too little.  What other units
   do has a name, a symbol: what comes out of one that is not known stands for
   whatever they put there.  libummgr joins the units by these names.

   An example, which testsuite/ummgr.cli/examples/site.c has:

     twice (struct field *f)
       float *v = f->v;
     #pragma omp target map(tofrom: v[0:f->n])

     main (void)
       struct field f = { 8, calloc (8, sizeof (float)) };
       twice (&f);

   When the tables are made, the dump shows

     v_6 = f_5(D)->v;
     .omp_data_arr.2.D.2757 = f_5(D);
     .omp_data_arr.2.D.2759 = v_6;
     GOMP_target_ext (-1, twice._omp_fn.0, 2, &.omp_data_arr.2,

     _1 = calloc (8, 4);
     f.v = _1;
     twice (&f);

   site/alloc.cc knows that the call of calloc makes an object, H; the variable f
   is another one, F.  The constraints of site/walk.cc and site/call.cc are: f.v
   points to H (site_store), twice's parameter to F (site_copy, and, as others may
   call twice, to what the symbol "parameter 1 of twice" holds), v_6 to what F has
   at offset 8 (site_load), and the cells of hostaddrs to what f_5 and v_6 do.
   Solved, the second cell points to H, and to what the symbol leads to:

     ;; ummgr: site calloc at site.c:23 in "main" for f.v reaches
     ;; ummgr: data of twice._omp_fn.0 argument v: calloc at line 23
     ;; ummgr: data of twice._omp_fn.0 argument v: parameter 1 of twice

   site/emit.cc makes a record of each: from SITE 1 (of two) to ARGUMENT 1 is

     01 00 00 00 01 00 00 00 00 00 00 00 05 00 00 00 01 00 00 00 00 00 00 00

   `ummgr tables' shows of the object

     data: allocated by calloc at site.c:23 in main for f.v
     data: or from elsewhere, by parameter 1 of twice

   of which the latter would not be there if twice were static.  */

#pragma once

#include "regions/regions.h"

#define UMMGR_PASS_SITES "ummgr-sites"
#define UMMGR_PASS_UNIFY "ummgr-unify"

/* An offset that is not known.  */
#define SITE_ANY HOST_WIDE_INT_MIN

/* Node 0: what points to nothing.  */
#define SITE_NOTHING 0

/* Symbol 0: nobody can tell.  */
#define SITE_UNKNOWN 0

enum site_object_kind
{
  SITE_OBJECT_HEAP,		/* What call NUMBER of the sites allocates.  */
  SITE_OBJECT_VARIABLE,		/* DECL, also a function.  */
  SITE_OBJECT_SYMBOL		/* What symbol NUMBER holds.  */
};

struct site_cell
{
  HOST_WIDE_INT offset;
  unsigned node;
};

struct site_object
{
  site_object_kind kind;
  unsigned number;
  tree decl;
  unsigned address;		/* A node that points to it, and to nothing
				   else.  */
  vec<site_cell> cells;
  vec<unsigned> sinks;		/* Symbols that it is put into.  */
  uint64_t version;		/* Grows with what it holds and its sinks.  */
  uint64_t spread;		/* The version of which others know.  */
  bool escaped;			/* A function of which that was told.  */
  bool everywhere;		/* Too many sinks for a list.  */
};

/* A name that several units share.  */
struct site_symbol
{
  unsigned kind;		/* enum ummgr_flow_end.  */
  const char *name;		/* An identifier's.  */
  unsigned index;
  unsigned object;
  bool lossy;			/* More is put into it than its flows say.  */
};

/* A call that allocates.  */
struct site_call
{
  gcall *call;
  cgraph_node *node;		/* The function it is in.  */
  const struct site_allocator *allocator;	/* NULL: WRAPPER.  */
  cgraph_node *wrapper;		/* A function of the unit's that returns what
				   it allocates.  */
  unsigned object;
  char *why;			/* It is not redirected, malloc'ed; NULL: it
				   may be.  */
};

struct site_pointee
{
  unsigned object;
  HOST_WIDE_INT offset;
};

/* site/graph.cc.  All of it is one unit's, until the next begin.  */
void site_graph_begin (void);
void site_graph_end (void);
unsigned site_node_new (void);
unsigned site_object_new (site_object_kind kind, unsigned number, tree decl);
unsigned site_object_of (tree decl);
unsigned site_symbol_get (unsigned kind, const char *name, unsigned index);
/* The node of what SYMBOL holds.  */
unsigned site_symbol_node (unsigned symbol);
/* Constraint: TO points OFFSET bytes behind what FROM points to.  */
void site_copy (unsigned to, unsigned from, HOST_WIDE_INT offset);
/* Constraint: TO points to what the pointer at FROM + OFFSET does.  */
void site_load (unsigned to, unsigned from, HOST_WIDE_INT offset);
/* Constraint: the pointer at TO + OFFSET points to what FROM does.  */
void site_store (unsigned to, HOST_WIDE_INT offset, unsigned from);
/* Constraint: SIZE bytes at TO are those at FROM; negative: not known how many.  */
void site_move (unsigned to, HOST_WIDE_INT to_offset, unsigned from,
		HOST_WIDE_INT from_offset, HOST_WIDE_INT size);
/* Constraint: SYMBOL holds what FROM points to.  */
void site_sink (unsigned from, unsigned symbol);
/* SYMBOL holds OBJECT.  */
void site_object_sink (unsigned object, unsigned symbol);
/* Call FUNCTION whenever N may point to more; DATA is NULL once.  */
void site_watch (unsigned n, gcall *call);
/* Until nothing changes; False: given up.  WATCHER is told of calls by pointer,
   ESCAPED of functions that what is not seen may call; both may add
   constraints.  */
bool site_solve (void (*watcher) (gcall *call, tree function),
		 void (*escaped) (tree function));
const vec<site_pointee> &site_set (unsigned node);
/* What the cell at OFFSET of OBJECT may hold, into OUT.  */
void site_cell_set (unsigned object, HOST_WIDE_INT offset,
		    vec<site_pointee> *out);
extern vec<site_object> site_objects;
extern vec<site_symbol> site_symbols;

/* site/walk.cc: the code's constraints.  */
void site_walk_function (cgraph_node *node);
/* FNDECL may be called by whom nobody sees.  */
void site_walk_escaped (tree fndecl);
void site_walk_variable (varpool_node *node);
void site_walk_begin (void);
void site_walk_end (void);
/* The node of what OPERAND's value points to.  */
unsigned site_value (tree operand);
/* The node of what FNDECL returns.  */
unsigned site_returned (tree fndecl);
/* The node of a pointer to the place REF, and the offset from it.  */
unsigned site_place (tree ref, HOST_WIDE_INT *offset);
bool site_type_may_point (tree type);

/* site/call.cc.  */
void site_walk_call (cgraph_node *node, gcall *call);
/* Join CALL's arguments and result with those of FNDECL, of this unit.  */
void site_call_bind (gcall *call, tree fndecl);
cgraph_node *site_definition (tree fndecl);
bool site_is_visible (cgraph_node *node);

/* Does the system's function NAME do with its first argument's pages what only
   some memory allows?  */
bool site_is_page_function (const char *name);
/* Solve, following calls by pointer as their callees become known.  False: given
   up, since there is too much.  */
bool site_calls_solve (void);

/* A launch: hostaddrs as CALL passes it.  */
struct site_launch
{
  tree function;
  unsigned addresses;		/* Node.  */
};
extern vec<site_launch> site_launches;

/* site/alloc.cc.  */
enum site_redirect
{
  SITE_REDIRECT_NO,
  SITE_REDIRECT_YES,
  SITE_REDIRECT_OPENMP		/* If its OpenMP allocator is an ordinary one. */
};

struct site_allocator
{
  const char *name;		/* Assembler name.  */
  const char *kind;		/* For people.  */
  /* Arguments: bytes, their factor, alignment, the old pointer, where the
     result goes if it is not returned, OpenMP's allocator; or -1.  */
  signed char size, times, align, old, out, traits;
  bool zero;			/* It clears what it returns.  */
  enum site_redirect redirect;
  const char *why;		/* It can't be.  */
};

/* The allocator that CALL calls, or NULL.  */
const site_allocator *site_allocator_of (gcall *call);
/* The function of this unit that CALL calls and that returns what it allocates,
   and nothing else; or NULL.  */
cgraph_node *site_wrapper_of (gcall *call);
/* The calls whose results FUN returns, into CALLS; false where it may return
   something else.  */
bool site_returned_calls (function *fun, vec<gcall *> *calls);
extern vec<site_call> site_calls;
/* Forget which functions are wrappers: code changes.  */
void site_alloc_end (void);

/* site.cc.  What is known after the analysis: a flow from a site or a symbol to
   a symbol or an argument.  */
struct site_flow
{
  unsigned from_kind, from;	/* enum ummgr_flow_end; site or symbol.  */
  unsigned to_kind, to;		/* Symbol, or region in ummgr_regions.  */
  unsigned argument;
};

struct site_found
{
  const char *kind;
  const char *file, *function, *variable;	/* Malloc'ed.  */
  unsigned line;
  unsigned flags;		/* enum ummgr_site_flag.  */
  unsigned call;		/* Of site_calls, or UINT_MAX.  */
  char *why;			/* It is not redirected, malloc'ed, or NULL.  */
  uint64_t id;
};

extern vec<site_found> site_results;
extern vec<site_flow> site_flows;
opt_pass *ummgr_pass_sites_new (bool unify);

/* site/shared.cc: mark the sites whose memory may be shared.  Between live_begin and live_end.  */
void site_shared_find (void);

/* site/ahead.cc: before each of these, tell what of them comes later.  Changes code, and before it is redirected.  */
void site_ahead_tell (void);

/* site/unify.cc: redirect what site_results says; ALL: what reaches regions, not only what may be shared.  */
opt_pass *ummgr_pass_unify_new (bool all);
/* Why the call of site CALL can't be redirected, malloc'ed, or NULL.  */
char *site_unify_why_not (const site_call *call);

/* site/emit.cc.  */
struct site_tables
{
  auto_vec<char> sites, flows;
};
void site_emit (site_tables *out, const vec<const ummgr_region *> &regions,
		ummgr_strings *strings);
/* Anything that another unit may want to know?  */
bool site_any (void);
