/* The tables that the compiler plugin emits and libummgr reads.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The only file the two sides share.  Each translation unit with target
   regions carries one table, the descriptor of an ELF note:

     section ".note.ummgr" (SHT_NOTE, allocated, read-only, 4-byte aligned),
     owner "ummgr", type UMMGR_TABLE_NOTE_TYPE.

   A note, because it is found through PT_NOTE with dl_iterate_phdr: in a
   static program, after strip, in a dlopen'ed object; because the linker
   keeps it under --gc-sections; and because nothing has to run for it, so a
   program is the same where libummgr is absent.

   Layout: a header, then sections of records named by a directory.  Offsets
   count from the first byte of the table (of the header); strings are
   offsets into the section UMMGR_TABLE_STRINGS, and 0 is the empty string,
   "not known".  Numbers are in the byte order of the machine.

   Growth: what is new is a new section kind or fields at the end of a record
   or of the header; their sizes are in the table, so a reader skips what it
   does not know and takes fields that a table lacks as 0.  VERSION rises only
   when an old reader would misread a table; it then refuses it.

   The only address in a table is a difference (a region's function less the
   note), so that the table needs no dynamic relocation: it stays read-only
   and shared in a PIE or a shared object.  */

#ifndef UMMGR_TABLE_H
#define UMMGR_TABLE_H

#include <stdint.h>

#define UMMGR_TABLE_NOTE_SECTION ".note.ummgr"
#define UMMGR_TABLE_NOTE_OWNER "ummgr"
/* "UMGR": readelf gives low numbers names of its own.  */
#define UMMGR_TABLE_NOTE_TYPE 0x52474d55
/* The note's three words and its owner, padded.  */
#define UMMGR_TABLE_NOTE_HEADER 20

/* "UMTB" on a little-endian machine.  */
#define UMMGR_TABLE_MAGIC 0x42544d55u
#define UMMGR_TABLE_VERSION 1

/* A note is 4-byte aligned, so its 64-bit fields may be unaligned.  */
#define UMMGR_TABLE_RECORD __attribute__ ((packed, aligned (4)))

enum ummgr_table_section_kind
{
  UMMGR_TABLE_STRINGS = 1,	/* Record size 1; the last byte is 0.  */
  UMMGR_TABLE_REGIONS = 2,	/* struct ummgr_region_record.  */
  UMMGR_TABLE_ARGS = 3		/* struct ummgr_arg_record.  */
};

struct ummgr_table_header
{
  uint32_t magic;
  uint16_t version;
  uint16_t header_size;
  uint32_t table_size;		/* Of all of it, from the magic on.  */
  uint32_t section_offset;	/* Of the directory.  */
  uint32_t section_count;
  uint32_t section_size;	/* Of each entry of the directory.  */
  uint32_t unit;		/* String: the source file.  */
  uint32_t compiler;		/* String: language and GCC version.  */
  uint32_t flags;		/* None yet: 0.  */
} UMMGR_TABLE_RECORD;

struct ummgr_table_section
{
  uint32_t kind;
  uint32_t offset;
  uint32_t count;
  uint32_t record_size;
} UMMGR_TABLE_RECORD;

/* What a region is made of, nested or combined.  A `loop' construct shows as
   what GCC makes of it: distribute, for, simd.  Atomics are left out, since GCC
   makes them of reductions too.  */
enum ummgr_construct
{
  UMMGR_CONSTRUCT_TARGET = 1 << 0,
  UMMGR_CONSTRUCT_TEAMS = 1 << 1,
  UMMGR_CONSTRUCT_DISTRIBUTE = 1 << 2,
  UMMGR_CONSTRUCT_PARALLEL = 1 << 3,
  UMMGR_CONSTRUCT_FOR = 1 << 4,
  UMMGR_CONSTRUCT_SIMD = 1 << 5,
  UMMGR_CONSTRUCT_SECTIONS = 1 << 6,
  UMMGR_CONSTRUCT_SINGLE = 1 << 7,
  UMMGR_CONSTRUCT_TASK = 1 << 8,
  UMMGR_CONSTRUCT_TASKLOOP = 1 << 9,
  UMMGR_CONSTRUCT_CRITICAL = 1 << 10
};

/* Their names, in the order of the bits.  */
#define UMMGR_CONSTRUCT_NAMES                                                 \
  {                                                                           \
    "target", "teams", "distribute", "parallel", "for", "simd", "sections",   \
    "single", "task", "taskloop", "critical"                                  \
  }

enum ummgr_region_flag
{
  UMMGR_REGION_NOWAIT = 1 << 0,
  UMMGR_REGION_DEPEND = 1 << 1,
  UMMGR_REGION_IF = 1 << 2,
  UMMGR_REGION_DEVICE = 1 << 3,
  UMMGR_REGION_REDUCTION = 1 << 4
};

#define UMMGR_REGION_FLAG_NAMES                                               \
  { "nowait", "depend", "if", "device", "reduction" }

struct ummgr_region_record
{
  int64_t function;		/* The host function's address less the
				   note's, which begins
				   UMMGR_TABLE_NOTE_HEADER bytes before the
				   table.  */
  uint32_t name;		/* String: its assembler name.  */
  uint32_t in_function;		/* String: the function around it, as the
				   source names it.  */
  uint32_t file;		/* String, as given to the compiler.  */
  uint32_t line;
  uint32_t column;
  uint32_t constructs;		/* enum ummgr_construct.  */
  uint32_t collapse;		/* Loops of the deepest collapsed nest; 0
				   where the region has no loop construct.  */
  uint32_t flags;		/* enum ummgr_region_flag.  */
  uint32_t arg_first;		/* Into UMMGR_TABLE_ARGS.  */
  uint32_t arg_count;		/* Argument I is hostaddrs[I] of the launch. */
} UMMGR_TABLE_RECORD;

enum ummgr_arg_class
{
  UMMGR_ARG_UNKNOWN,
  UMMGR_ARG_SCALAR,		/* A number, by reference or by value.  */
  UMMGR_ARG_POINTER,		/* A pointer's own value.  */
  UMMGR_ARG_ARRAY,		/* A whole array variable.  */
  UMMGR_ARG_RECORD,		/* A struct, union or class.  */
  UMMGR_ARG_SECTION		/* An array section, or what a pointer or
				   a descriptor points to.  */
};

#define UMMGR_ARG_CLASS_NAMES                                                 \
  { "unknown", "scalar", "pointer", "array", "record", "section" }

/* The map kind of an argument that has none.  */
#define UMMGR_ARG_NO_KIND 0xffffffffu

/* libgomp's map kinds that a target region's argument can have: number and
   name (gomp-constants.h of GCC 11 to 14).  */
#define UMMGR_MAP_KIND_NAMES                                                  \
  {                                                                           \
    { 0, "alloc" }, { 1, "to" }, { 2, "from" }, { 3, "tofrom" },              \
    { 4, "pointer" }, { 5, "to_pset" }, { 6, "force_present" },               \
    { 7, "delete" }, { 8, "force_deviceptr" }, { 11, "if_present" },          \
    { 12, "firstprivate" }, { 13, "firstprivate_int" },                       \
    { 14, "use_device_ptr" }, { 15, "zero_len_section" },                     \
    { 17, "always_to" }, { 18, "always_from" }, { 19, "always_tofrom" },      \
    { 23, "release" }, { 28, "struct" }, { 29, "always_pointer" },            \
    { 30, "pointer_to_zero_len" }, { 31, "delete_zero_len" },                 \
    { 80, "attach" }, { 81, "detach" }, { 82, "attach_zero_len" }             \
  }

struct ummgr_arg_record
{
  uint32_t name;		/* String: the variable as in the source, "a",
				   "s.x", "p->q".  */
  uint32_t type;		/* String: its type.  */
  uint32_t file;		/* Where the variable is declared; "" where
				   that is not known.  */
  uint32_t line;
  uint32_t map_kind;		/* libgomp's number (gomp-constants.h).  A
				   launch may pass the zero-length variant.  */
  uint32_t arg_class;		/* enum ummgr_arg_class.  */
  uint32_t element_size;	/* Bytes of one element; 0: not known.  */
  uint32_t flags;		/* None yet: 0.  */
  uint64_t size;		/* Bytes in all, where constant; else 0.  */
} UMMGR_TABLE_RECORD;

#endif
