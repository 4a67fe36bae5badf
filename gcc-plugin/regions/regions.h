/* The target regions of a unit, and what they are passed.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include "ummgr-plugin.h"

#define UMMGR_PASS_REGIONS "ummgr-regions"

/* A number or pointer OFFSET bytes into a struct, and what the source has behind the struct's name:
   ".n", "->in.n", "%n".  */
struct ummgr_field
{
  HOST_WIDE_INT offset;
  const char *name;
};

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
  const char *length_names;	/* The function's variables that the length of a section from the
				   variable's beginning is made of, or NULL: not known.  */
  bool file_scope;		/* Its variable is no function's.  */
  bool hidden;			/* The plugin's, not the source's.  */
  bool of_records;		/* Its elements are structs.  */
  bool flat;			/* No pointers are in what is mapped, or pointed to.  */
  bool unbiased;		/* A pointer to the first byte of a section.  */
  unsigned points_to;		/* Its first word points to that argument's first
				   byte, of a biased pointer less the bias; plus 1,
				   0 where not known.  */
  vec<ummgr_field> fields;	/* Of a struct.  */
};

enum { UMMGR_LEAD_TERMS = 3 };

/* What a region finds OFFSET bytes, and TERMS, from argument HOLDER's address: a pointer to
   argument TO's, less a bias.  */
struct ummgr_lead
{
  unsigned holder;
  HOST_WIDE_INT offset;
  unsigned term_count;
  struct
  {
    unsigned arg;		/* Its value,  */
    HOST_WIDE_INT factor;	/* so many times.  */
  } terms[UMMGR_LEAD_TERMS];
  unsigned to;
  unsigned pointer;		/* The argument of its place; its size is the bias. */
  HOST_WIDE_INT bias;
  bool bias_known;		/* BIAS is it.  */
  bool always;			/* Else one that was set before stays as it is.  */
  bool known;			/* TO is.  */
};

/* Bytes LO to HI from argument WHOLE's address, a struct that is mapped member by member,
   are argument PART's, whose address is AT.  HI is 0 where they are not known.  */
struct ummgr_part
{
  unsigned whole, part;
  HOST_WIDE_INT lo, hi, at;
};

/* A reduction of a region.  */
struct ummgr_reduction
{
  unsigned arg;			/* Plus 1; 0: not known which.  */
  const char *operation;	/* A literal.  */
  const char *type;		/* malloc'ed.  */
};

/* What the clauses of a region's distribute loops, or of its others, say.  */
struct ummgr_sharing
{
  unsigned loops;
  unsigned kind;		/* enum ummgr_schedule.  */
  bool chunked;
  HOST_WIDE_INT chunk;		/* 0: no constant.  */
};

struct ummgr_region
{
  unsigned function_uid;	/* DECL_UID of the host function.  */
  const char *name;
  const char *in_function;
  const char *title;		/* The same in short.  */
  /* The same when the program is compiled again: the function around it, its assembler
     name, what that was made of (regions/checksum.cc), and its regions before this.  */
  const char *function;
  unsigned checksum;
  unsigned ordinal;
  const char *file;
  location_t location;
  unsigned line;
  unsigned column;
  unsigned constructs;
  unsigned collapse;
  unsigned flags;
  vec<ummgr_arg> args;
  vec<ummgr_lead> leads;
  vec<ummgr_part> parts;
  /* How it can be run by ranges (split/split.h).  */
  unsigned split_lo;		/* Argument, plus 1; 0: it can't.  */
  unsigned split_flags;		/* enum ummgr_split_flag.  */
  const char *split_why;	/* A literal, or NULL.  */
  vec<ummgr_reduction> reductions;
  ummgr_sharing distribute, shared; /* Of distribute, and of `for'.  */
  bool nested;			/* A `for' that is not combined with distribute.  */
};

/* The regions of the unit so far, function by function in the order in which GCC
   lowers them.  */
extern vec<ummgr_region> ummgr_regions;
opt_pass *ummgr_pass_regions_new (void);
/* A callback for the beginning of IPA passes: functions for the GPU have no stack guard (regions/guards.cc).  */
void ummgr_regions_unguard (void *, void *);
/* The region whose host function is FUNCTION, or NULL.  */
const ummgr_region *ummgr_region_of (const_tree function);

/* regions/names.cc: EXPR as the source would name it, without subscripts and
   dereferences ("a", "s.x", "p->q.r"), malloc'ed, or NULL where its base is a
   temporary; and the variable at its base, or NULL_TREE.  Between begin and end
   a pointer temporary whose assignment was noted stands for what it was
   assigned.  */
void ummgr_names_begin (void);
void ummgr_names_note (gassign *stmt);
void ummgr_names_end (void);
/* What assigned to the pointer temporary EXPR, or NULL.  */
gassign *ummgr_names_made (tree expr);
/* The one statement that assigned to EXPR, a temporary that is an integer, or NULL.  */
const gassign *ummgr_names_number (tree expr);
char *ummgr_expr_name (tree expr);
tree ummgr_expr_variable (tree expr);

/* regions/args.cc: fill REGION's args from the clauses of its statement.  */
void ummgr_region_args_fill (ummgr_region *region, gomp_target *stmt);

/* regions/field.cc: fill ARG's fields, of TYPE, to which the source has a pointer or not.  */
void ummgr_arg_fields_fill (ummgr_arg *arg, tree type, bool by_pointer);

/* regions/words.cc: is DECL a variable of no function?  And what the length of the section of clause C
   is made of: names, malloc'ed, or NULL where that is not known, or it begins elsewhere than EXPR's
   variable.  */
bool ummgr_decl_is_file_scope (const_tree decl);
char *ummgr_section_names (tree c);

/* regions/lead.cc: fill REGION's leads and parts; CLAUSES: of each argument, or NULL_TREE.  */
void ummgr_region_leads_fill (ummgr_region *region, const vec<tree> &clauses);

/* regions/reduction.cc: add what CLAUSES, of a construct in it, reduce to REGION's,
   whose args are there.  */
void ummgr_region_reductions_add (ummgr_region *region, tree clauses);

/* regions/checksum.cc: a number that tells BODY, a function's before it is optimised, from what
   it may become when its source is changed.  Never 0.  Comments, lines and options don't matter
   to it.  */
unsigned ummgr_region_checksum (gimple_seq body);

/* regions/title.cc: FUNCTION as a person would say it, without its type and parameters, malloc'ed:
   "Domain::step", "forall<lambda at FILE:7>".  */
char *ummgr_function_title (tree function);

/* regions/dump.cc: write REGION into a dump.  */
void ummgr_region_dump (FILE *file, const ummgr_region *region);
