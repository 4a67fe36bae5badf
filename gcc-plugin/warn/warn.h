/* Warnings about map clauses, where waste can be proved at compile time.
   SPDX-License-Identifier: GPL-3.0-or-later

   All of it works on what every -O level has alike: the clauses and bodies of
   constructs before omplower (warn.cc, warn/flow.cc, warn/cover.cc), where a
   region's body is in place and names the variables of its clauses, and the
   host's loops as soon as they are in SSA form (warn/loop.cc).  A function's
   effects through its parameters are summarised when it is lowered; verdicts
   that depend on calls wait until all functions have been (warn/report.cc).

   What can't be proved is not warned of: to do as a warning says must never
   change what a program computes, on whichever device each region runs and
   whoever has mapped the data before.  "Proved" takes OpenMP's word that map
   clauses of one construct don't overlap, and supposes that no region maps the
   same data meanwhile but those that the unit shows to be concurrent.  C and C++
   only.  */

#pragma once

#include "regions/regions.h"

/* The warnings; ummgr_warn_names has -fplugin-arg-ummgr-no-NAME.  */
enum ummgr_warning
{
  UMMGR_WARN_UNREAD,
  UMMGR_WARN_UNWRITTEN,
  UMMGR_WARN_OVERWRITTEN,
  UMMGR_WARN_UNUSED,
  UMMGR_WARN_REMAPPED,
  UMMGR_WARNINGS
};

/* Sets of what a pointer may point into: one bit for each item, and one for
   memory that is not followed, which may be any item's.  */
typedef uint64_t ummgr_roots;
#define UMMGR_ROOTS_ITEMS 62
#define UMMGR_ROOTS_ANY ((ummgr_roots) 1 << 63)

/* Bytes up to which an implicit map is not worth a clause.  */
#define UMMGR_WARN_SMALL 64

/* A piece of memory whose accesses are looked for: the variable DECL itself,
   or, where POINTED, what it points or refers to.  */
struct ummgr_item
{
  tree decl;
  bool pointed;
};

/* A direct call: what it may do is known once its callee is.  */
struct ummgr_call
{
  unsigned callee_uid;			/* 0: not to be followed.  */
  bool host;				/* By host code: may it use the device? */
  auto_vec<ummgr_roots, 6> args;
};

/* What a piece of code does to the items.  */
struct ummgr_effects
{
  ummgr_roots read, written;
  ummgr_roots host_written;		/* By host code around the regions.  */
  ummgr_roots named;			/* Whose pointer is used as such.  */
  bool device;				/* Has device constructs.  */
  vec<ummgr_call *> calls;
};

/* warn/flow.cc: what BODY does to ITEMS; in a FUNCTION, they are its
   parameters and no other pointer comes from outside.  On the HOST, accesses
   count only in the target regions within.  ASSIGNED gets the variables that
   BODY assigns to.  */
struct ummgr_flow_body
{
  gimple_seq body;
  bool function, host;
};
void ummgr_flow_effects (const ummgr_flow_body *code,
			 const vec<ummgr_item> &items,
			 ummgr_effects *effects, hash_set<tree> *assigned);

/* Does FNDECL do no more than say something of OpenMP's state, which no map
   clause changes?  */
bool ummgr_call_queries_openmp (tree fndecl);
/* May a call of BUILTIN wait for another thread, or let one go on, other than at
   the end of a data construct?  */
bool ummgr_call_meets_threads (tree builtin);

/* warn/summary.cc: keep what the current function does, for calls to it.  */
void ummgr_summary_make (void);
/* EFFECTS with those of its calls, all the way down, in place.  */
void ummgr_summary_resolve (ummgr_effects *effects);

/* warn/cover.cc: does region STMT write all of the variable that CLAUSE maps,
   whatever happens, and before the region's first read of it?  A pointer may lead
   to a variable that is ALIASED.  */
bool ummgr_cover_variable (gomp_target *stmt, tree clause, bool aliased);
/* warn/cover.cc: does region STMT, which reads nothing of the section at BASE that
   CLAUSE maps, write all of it, whatever happens?  ASSIGNED is what the region
   assigns to.  */
bool ummgr_cover_section (gomp_target *stmt, tree clause, tree base,
			  hash_set<tree> *assigned);

/* A clause in doubt.  No trees: this outlives them.  */
struct ummgr_suspect
{
  location_t location;			/* Of the clause or the construct.  */
  const char *name;
  bool section, implicit, data;
  bool unaliased;			/* No pointer can point to it.  */
  unsigned map_kind;
  bool covered;				/* All overwritten, if it is never read.  */
  bool covered_read;			/* All overwritten, and before any read.  */
  bool concurrent;			/* Other regions may map it meanwhile.  */
  bool left;				/* A loop around the construct may be
					   left elsewhere than at its test.  */
  unsigned item;			/* In EFFECTS.  */
  ummgr_effects *effects;
};

/* warn/report.cc.  */
extern const char *const ummgr_warn_names[UMMGR_WARNINGS];
extern bool ummgr_warn_enabled[UMMGR_WARNINGS];
/* Is KEY "no-NAME" of a warning?  Then switch it off.  */
bool ummgr_warn_disable (const char *key);
void ummgr_warn_suspect (const ummgr_suspect *suspect);
/* A clause of a construct, equal locations where none was written.  */
struct ummgr_clause
{
  location_t location, construct;
  const char *name;
};
/* What CLAUSE maps is copied in each time around a loop, in vain if no region
   writes what READ_ONLY maps and, where it is COPIED_BACK, the loop is left only
   at its test.  READ_ONLY is taken over.  All is on one device, which the
   construct names if NAMED.  It is THERE even if the loop has no iteration.
   IN_VAIN: or not so at all, which goes for all instances of a template.  */
struct ummgr_remapped
{
  ummgr_clause clause;
  bool in_vain, copied_back, named, there;
  vec<ummgr_clause> read_only;
};
void ummgr_warn_remapped (const ummgr_remapped *remapped);
/* PLUGIN_ALL_IPA_PASSES_START: every function has been lowered.  */
void ummgr_warn_finish (void *event, void *user);
/* PLUGIN_ALL_IPA_PASSES_END: every function has been in SSA form.  */
void ummgr_warn_remapped_finish (void *event, void *user);

/* warn.cc: what the unit has, known once all of it is lowered.  */
struct ummgr_warn_unit_facts
{
  bool data;			/* A target data construct.  */
  bool enter_data;		/* A data construct that outlasts a function.  */
  bool nowait;			/* A region that nobody waits for at once.  */
};
extern ummgr_warn_unit_facts ummgr_warn_unit;

/* warn/lexical.cc: where the function's constructs stand in the source, whose
   order the statements still have.  */
struct ummgr_lexical;
ummgr_lexical *ummgr_lexical_new (gimple_seq body);
void ummgr_lexical_free (ummgr_lexical *lexical);
/* May the innermost loop around STMT be left elsewhere than at the test that it
   ends with?  Also true where it isn't clear which loop that is.  */
bool ummgr_lexical_left (ummgr_lexical *lexical, gomp_target *stmt);

/* warn.cc and warn/loop.cc.  */
#define UMMGR_PASS_WARN "ummgr-warn"
#define UMMGR_PASS_WARN_LOOP "ummgr-loop-warn"
opt_pass *ummgr_pass_warn_new (void);
opt_pass *ummgr_pass_warn_loop_new (void);
