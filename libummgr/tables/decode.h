/* Decoding the plugin's tables (include/ummgr-table.h).
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Bytes in, structures out: no global state, no messages, nothing read
   outside the bytes given.  The runtime (tables.c) and `ummgr tables' both
   read through this.  Any thread.  */

#pragma once

#include "base/status.h"
#include "tables/code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a region uses an argument.  Expressions (tables/code.h) were checked; NULL
   means not known.  */
struct ummgr_table_dim
{
  const unsigned char *stride;	/* NULL: 0.  */
  const unsigned char *count;
  const unsigned char *extent;
  bool shared;
  /* What it is in terms of another dimension's iteration: what stands in
     include/ummgr-table.h; OF is at most the number of those around it.  */
  unsigned of;
  const unsigned char *first, *slope, *skip, *skip_slope;
  /* The same of a range, in terms of LO and HI; NULL where the table has none.  */
  const unsigned char *range_stride, *range_count, *range_extent;
};

/* How to tell for one iteration where a reference goes.  */
struct ummgr_table_step
{
  uint32_t kind;		/* enum ummgr_step_kind.  */
  const unsigned char *code;
  double value;			/* Not negative, finite.  */
};

struct ummgr_table_sample
{
  const unsigned char *address;
  unsigned loops;		/* At most UMMGR_SAMPLE_LOOPS.  */
  unsigned step_count;		/* 0: there is none.  */
  const struct ummgr_table_step *steps;
};

struct ummgr_table_ref
{
  uint32_t flags;		/* enum ummgr_ref_flag.  */
  unsigned line;
  const unsigned char *base;
  const unsigned char *range_base;	/* Of a range.  */
  uint32_t element_size;
  const char *why;
  double frequency;		/* Not negative, finite.  */
  unsigned dim_count;
  const struct ummgr_table_dim *dims;
  struct ummgr_table_sample sample;
};

struct ummgr_table_use
{
  uint32_t flags;		/* enum ummgr_use_flag.  */
  const char *why;
  unsigned ref_count;
  const struct ummgr_table_ref *refs;
};

/* What follows launches: what stands in include/ummgr-table.h.  */
struct ummgr_table_live
{
  uint32_t flags;		/* enum ummgr_live_flag.  */
  const char *why;		/* Nothing is known.  */
  double next;			/* 0 to 1.  */
};

/* The same for one call.  */
struct ummgr_table_call_live
{
  uint64_t call;
  unsigned line;		/* 0: not known.  */
  struct ummgr_table_live live;
};

/* What a loop nest of a region computes: what stands in include/ummgr-table.h.  */
struct ummgr_table_ops
{
  double flops, integers, loads, stores; /* Not negative, finite.  */
  unsigned dim_count;
  const struct ummgr_table_dim *dims;
};

/* Strings are never NULL; "" means not known.  */
struct ummgr_table_arg
{
  const char *name;
  const char *type;
  const char *file;		/* Of the declaration.  */
  unsigned line;
  uint32_t map_kind;
  uint32_t arg_class;		/* enum ummgr_arg_class.  */
  uint32_t element_size;
  uint64_t size;
  bool hidden;			/* Not the source's.  */
  bool flat;			/* No pointers are in it, or in what it points to.  */
  bool file_scope;		/* Its variable is no function's.  */
  const char *length_names;	/* What the section's length is made of, of the function's
				   variables; NULL: not known.  */
  struct ummgr_table_use use;
  struct ummgr_table_live live;
  unsigned call_live_count;
  const struct ummgr_table_call_live *call_lives;
};

/* A pointer that a region finds in memory and follows.  */
struct ummgr_table_member
{
  unsigned arg;			/* OFFSET bytes from its address.  */
  uint32_t offset;
  struct ummgr_table_use use;	/* Of what it points to.  */
};

/* A `declare target' variable that a region uses: what stands in include/ummgr-table.h.  */
struct ummgr_table_static
{
  const char *name;
  const char *file;
  unsigned line;
  uint64_t size;
  const void *address;		/* NULL: not known, or that of SYMBOL.  */
  const char *symbol;
  struct ummgr_table_use use;
};

struct ummgr_table_reduction
{
  int arg;			/* -1: not known.  */
  const char *operation;
  const char *type;
};

/* How a region can be run by ranges.  */
struct ummgr_table_split
{
  int lo;			/* Argument, and HI is the next; -1: it can't.  */
  const unsigned char *trip;	/* Iterations of that loop; NULL: not known.  */
  uint32_t flags;		/* enum ummgr_split_flag.  */
  const char *why;		/* It can't; "": not known.  */
  unsigned reduction_count;
  const struct ummgr_table_reduction *reductions;
};

/* How a region's iterations are shared out: what stands in include/ummgr-table.h, NULL for
   what is not known or not there.  */
struct ummgr_table_share
{
  const unsigned char *teams_least, *teams, *threads;
  uint32_t distribute, loops;	/* enum ummgr_schedule.  */
  const unsigned char *distribute_chunk, *loops_chunk;
  uint32_t flags;		/* enum ummgr_share_flag.  */
};

/* How often a region was launched when somebody counted: what stands in
   include/ummgr-table.h.  */
struct ummgr_table_count
{
  const char *function;
  unsigned ordinal;
  uint32_t checksum;
  uint32_t source;		/* enum ummgr_count_source.  */
  double launches;		/* Not negative, finite.  */
};

struct ummgr_table_region
{
  const void *host_function;	/* NULL in an object not yet linked.  */
  const char *name;		/* Assembler name of the host function.  */
  const char *in_function;	/* The source function around it.  */
  const char *title;		/* The same in short; "": not known.  */
  const char *file;
  unsigned line;
  unsigned column;
  uint32_t constructs;		/* enum ummgr_construct, ored.  */
  uint32_t collapse;
  uint32_t flags;		/* enum ummgr_region_flag, ored.  */
  unsigned arg_count;
  const struct ummgr_table_arg *args;
  const struct ummgr_table_unit *unit;
  const unsigned char *trip;	/* Expression: iterations of its work-shared
				   loops; NULL: not known.  */
  bool trip_exact, trip_counted;
  unsigned ops_count;		/* 0: not known.  */
  const struct ummgr_table_ops *ops;
  struct ummgr_code_inputs_used inputs;	/* Of all its expressions, samples'
					   left out.  */
  bool sampled;			/* Some reference has a sample.  */
  struct ummgr_table_split split;
  struct ummgr_table_share share;
  struct ummgr_table_count count;
  unsigned member_count;
  const struct ummgr_table_member *members;
  unsigned static_count;
  const struct ummgr_table_static *statics;
  unsigned field_count;
  const struct ummgr_code_field *fields;	/* That its expressions load.  */
};

/* The flow of control: what stands in include/ummgr-table.h, with names and
   regions for numbers.  */
struct ummgr_table_event
{
  uint32_t kind;		/* enum ummgr_event_kind.  */
  const struct ummgr_table_region *region;	/* Launched; NULL: unknown.  */
  const char *function;		/* Called, or "".  */
  const char *in_function;	/* As the source names it; "": not known.  */
  const char *loop_file;	/* The outermost loop around it there; "": none, or not
				   known.  */
  uint32_t loop_line;
  const char *loop_names;	/* The function's variables that can be named there.  */
};

struct ummgr_table_edge
{
  unsigned to;			/* Block of the function, or
				   UMMGR_EDGE_RETURN.  */
  uint32_t flags;		/* enum ummgr_edge_flag.  */
  double probability;		/* 0 to 1.  */
};

struct ummgr_table_block
{
  const struct ummgr_table_event *events;
  unsigned event_count;
  const struct ummgr_table_edge *edges;
  unsigned edge_count;
};

struct ummgr_table_function
{
  const char *name;
  uint32_t flags;		/* enum ummgr_function_flag.  */
  const struct ummgr_table_block *blocks;
  unsigned block_count;
};

/* A call of which not all that it may reach is known, and functions that such calls may reach:
   what stands in include/ummgr-table.h.  */
struct ummgr_table_call
{
  const char *function;
  const char *file;
  unsigned line;
  uint32_t kind;		/* enum ummgr_call_kind.  */
  const char *signature;
  const char *target;		/* That is counted nevertheless, or "".  */
};

struct ummgr_table_taken
{
  const char *function;
  const char *signature;
  uint32_t flags;		/* enum ummgr_taken_flag.  */
};

/* Data objects in the source and where their memory goes: what stands in
   include/ummgr-table.h.  */
struct ummgr_table_site
{
  uint64_t id;
  const char *kind;
  const char *file;
  unsigned line;
  const char *function;
  const char *variable;
  uint32_t flags;		/* enum ummgr_site_flag, ored.  */
  const char *why;		/* It is not redirected; "": it may be.  */
};

struct ummgr_table_flow_end
{
  uint32_t kind;		/* enum ummgr_flow_end.  */
  const struct ummgr_table_site *site;		/* Or NULL.  */
  const struct ummgr_table_arg *arg;		/* Or NULL.  */
  const char *name;
  unsigned index;
};

struct ummgr_table_site_flow
{
  struct ummgr_table_flow_end from, to;
};

/* One table, decoded; a single block, to be freed with free.  */
struct ummgr_table_unit
{
  const char *name;		/* The source file.  */
  const char *compiler;
  unsigned version;
  unsigned unknown_sections;	/* Left out: of a later version.  */
  size_t size;			/* Of the table, bytes.  */
  size_t region_count;
  struct ummgr_table_region *regions;
  size_t arg_count;
  struct ummgr_table_arg *args;
  size_t function_count;
  struct ummgr_table_function *functions;
  size_t call_count;
  const struct ummgr_table_call *calls;
  size_t taken_count;
  const struct ummgr_table_taken *taken;
  size_t site_count;
  const struct ummgr_table_site *sites;
  size_t site_flow_count;
  const struct ummgr_table_site_flow *site_flows;
};

/* Decode the SIZE bytes at BYTES, a table that lies at ADDRESS in its
   program (0: not linked, so regions get no address).  *OUT is the caller's.
   Otherwise *REASON is a literal that says what is wrong: UMMGR_ERR_UNSUPPORTED
   for a table of another version or byte order, UMMGR_ERR_INVALID for a corrupt
   one, UMMGR_ERR_NOMEM.  */
enum ummgr_status ummgr_table_decode (const void *bytes, size_t size,
				      uintptr_t address,
				      struct ummgr_table_unit **out,
				      const char **reason);

/* Call FUNCTION for each ummgr table among the notes in the SIZE bytes at
   BYTES, aligned to ALIGN (4 or 8).  Stops at the first malformed note, which
   need not be ours.  */
typedef void (*ummgr_table_note_function) (const void *table, size_t size,
					   void *data);
void ummgr_table_notes (const void *bytes, size_t size, size_t align,
			ummgr_table_note_function function, void *data);

/* Names for people: "target teams distribute" into TEXT, and a map kind
   ("tofrom"), or NULL where the number is not known.  */
void ummgr_table_construct_names (uint32_t constructs, char *text,
				  size_t size);
const char *ummgr_table_map_name (uint32_t map_kind);
const char *ummgr_table_class_name (uint32_t arg_class);
/* Who counted launches: "statistics".  */
const char *ummgr_table_source_name (uint32_t source);
