/* What the plugin's files share.
   SPDX-License-Identifier: GPL-3.0-or-later

   regions.cc finds the target regions while their clauses are still there,
   args.cc and names.cc say what they are passed; emit.cc writes the table once
   it is known which of them stay; dump.cc writes both into GCC's dumps;
   plugin.cc puts them into GCC.  The reports of memory accesses are the matter
   of trace*.cc, which share trace.h.  */

#ifndef UMMGR_PLUGIN_H
#define UMMGR_PLUGIN_H

#include "ummgr-gcc.h"
#include "ummgr-table.h"

/* The names of the passes and so of their dumps.  */
#define UMMGR_PASS_REGIONS "ummgr-regions"
#define UMMGR_PASS_TABLES "ummgr-tables"
#define UMMGR_PASS_ANNOUNCE "ummgr-announce"
#define UMMGR_PASS_TRACE "ummgr-trace"
#define UMMGR_PASS_TRACE_NAMES "ummgr-trace-names"

/* An argument of a region, hostaddrs[I] of its launch.  No trees are kept:
   what is stored here outlives garbage collections and the front end's data.
   Strings are malloc'ed and never NULL.  */
struct ummgr_arg
{
  const char *name;
  const char *type;
  const char *file;
  unsigned line;
  unsigned map_kind;
  enum ummgr_arg_class arg_class;
  unsigned element_size;
  unsigned HOST_WIDE_INT size;
  location_t location;		/* Of its map clause, or UNKNOWN_LOCATION.  */
  bool unbiased;		/* A pointer to the first byte of a section.  */
  unsigned points_to;		/* Its first word points to that argument's first
				   byte; plus 1, 0 where not known.  */
};

struct ummgr_region
{
  unsigned function_uid;	/* DECL_UID of the host function.  */
  const char *name;
  const char *in_function;
  const char *file;
  location_t location;
  unsigned line;
  unsigned column;
  unsigned constructs;
  unsigned collapse;
  unsigned flags;
  vec<ummgr_arg> args;
};

/* regions.cc: the regions of the unit so far, function by function in the order
   in which GCC lowers them.  */
extern vec<ummgr_region> ummgr_regions;
opt_pass *ummgr_pass_regions_new (void);

/* names.cc: EXPR as the source would name it, without subscripts and
   dereferences ("a", "s.x", "p->q.r"), malloc'ed, or NULL where its base is a
   temporary; and the variable at its base, or NULL_TREE.  Between begin and end
   a pointer temporary whose assignment was noted stands for what it was
   assigned.  */
void ummgr_names_begin (void);
void ummgr_names_note (gassign *stmt);
void ummgr_names_end (void);
char *ummgr_expr_name (tree expr);
tree ummgr_expr_variable (tree expr);

/* args.cc: fill REGION's args from the clauses of its statement.  */
void ummgr_region_args_fill (ummgr_region *region, gomp_target *stmt);

/* A location as the table has it: FILE is "" where LOC is not known.  */
void ummgr_location_get (location_t loc, const char **file, unsigned *line,
			 unsigned *column);

/* emit.cc.  */
opt_pass *ummgr_pass_tables_new (void);

/* announce.cc.  */
opt_pass *ummgr_pass_announce_new (void);
/* Does that pass run, right after the tables'?  */
bool ummgr_announce_follows (void);

/* trace.cc.  */
opt_pass *ummgr_pass_trace_new (void);
opt_pass *ummgr_pass_trace_names_new (void);

/* dump.cc.  */
/* Switch on the dump of PASS, which is registered, as an option would.  */
void ummgr_dump_enable (const opt_pass *pass);
void ummgr_dump_region (FILE *file, const ummgr_region *region);
void ummgr_dump_table (FILE *file, unsigned regions, unsigned args,
		       unsigned size);

/* notes.cc: let -fopt-info know the plugin's passes, once all are
   registered.  */
void ummgr_notes_enable (void);

#endif
