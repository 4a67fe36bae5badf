/* What all rooms of the plugin share: GCC's headers, the table's records, and
   small things that several analyses and passes need of GCC.
   SPDX-License-Identifier: GPL-3.0-or-later

   Each room's README is its map, its header what others may use of it.
   plugin.cc puts the rooms' passes into GCC.  */

#pragma once

#include "ummgr-gcc.h"
#include "ummgr-table.h"

/* A pass of the plugin's.  GCC runs EXECUTE on each function (GIMPLE_PASS) or
   once for the unit, with NULL (SIMPLE_IPA_PASS), where GATE says so.  */
struct ummgr_pass
{
  opt_pass_type type;
  const char *name;		/* Of its dump as well.  */
  optgroup_flags_t group;	/* Of -fopt-info that its notes belong to.  */
  unsigned properties;		/* What of a function must be there.  */
  bool (*gate) (void);		/* NULL: always.  */
  void (*execute) (function *);
};
opt_pass *ummgr_pass_new (const ummgr_pass *pass);

/* The gate of passes over units that may offload.  libgomp offloads from 64-bit
   programs only, and a table has 64-bit differences.  */
bool ummgr_unit_offloads (void);

/* The texts that a table's records refer to, by their offset.  */
struct ummgr_strings
{
  auto_vec<char> bytes;
  hash_map<nofree_string_hash, unsigned> offsets; /* By copies of them.  */
  ~ummgr_strings ();
};
/* TEXT's offset among STRINGS, added if it is not there.  */
unsigned ummgr_string_add (ummgr_strings *strings, const char *text);
/* Append SIZE bytes at FROM, such as a record.  */
void ummgr_bytes_append (vec<char> *to, const void *from, size_t size);

/* A location as the table has it: FILE is "" where LOC is not known, else
   malloc'ed.  */
void ummgr_location_get (location_t loc, const char **file, unsigned *line,
			 unsigned *column);

/* LOCATION, which is STMT's, or, where that was inlined, of the call that brought it: the outermost one,
   or, with LIBRARY_ONLY, only past code of system headers.  */
location_t ummgr_location_of_user (location_t location, const gimple *stmt, bool library_only);

/* Is TYPE gfortran's for an array's descriptor?  */
bool ummgr_type_is_descriptor (tree type);
/* Is FIELD a member that the source doesn't name: a base class, what is inside Fortran's array
   descriptors and class containers, or how a library keeps what it holds (_M_start)?  */
bool ummgr_field_is_hidden (tree field);

/* The name of what STMT calls, without __builtin_; "" where not known.  */
const char *ummgr_call_name (const gimple *stmt);

/* A number, not 0, for what TEXTS name, that nothing else of the program has: FNV-1a of them and of the unit.  */
uint64_t ummgr_id (std::initializer_list<const char *> texts);

/* The function NAME of libummgr's, of TYPE, as a program calls it that may run
   without libummgr: its address may be null.  */
tree ummgr_weak_function (const char *name, tree type);
/* A variable of the unit's for the compiler's own data, read-only, still without
   a value and the layout of its type.  */
tree ummgr_constant_variable (tree name, tree type);
/* A block that BB goes to on condition NAME != 0, and else to OTHER, where BB
   only went to before.  */
basic_block ummgr_branch (basic_block bb, tree name, basic_block other,
			  location_t location);
/* Blocks and calls of cfun have changed: make the rest of GCC's data agree.  */
void ummgr_function_changed (void);
