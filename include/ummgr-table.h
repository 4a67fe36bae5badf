/* The tables that the compiler plugin emits and libummgr reads.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   With ummgr-table.def all that the two sides share.  Each translation unit with target
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
#define UMMGR_SECTION(KIND, NUMBER, NAME, RECORD) UMMGR_TABLE_##KIND = NUMBER,
#include "ummgr-table.def"
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
  UMMGR_REGION_REDUCTION = 1 << 4,
  UMMGR_REGION_ELSEWHERE = 1 << 5	/* Its device clause may name the host, or a
					   device that isn't there: not all of its
					   launches need be launches.  */
};

#define UMMGR_REGION_FLAG_NAMES                                               \
  { "nowait", "depend", "if", "device", "reduction", "elsewhere" }

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
  uint32_t title;		/* String: IN_FUNCTION as a person would say it, without its
				   type and parameters; "" in older tables.  */
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
   name (include/gomp-constants.h of GCC 11 to 14).  */
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
    { 80, "attach" }, { 81, "detach" }, { 82, "attach_zero_len" },            \
    { 92, "struct_unord" }                                                    \
  }

struct ummgr_arg_record
{
  uint32_t name;		/* String: the variable as in the source, "a",
				   "s.x", "p->q".  */
  uint32_t type;		/* String: its type.  */
  uint32_t file;		/* Where the variable is declared; "" where
				   that is not known.  */
  uint32_t line;
  uint32_t map_kind;		/* libgomp's number (include/gomp-constants.h).  A
				   launch may pass the zero-length variant.  */
  uint32_t arg_class;		/* enum ummgr_arg_class.  */
  uint32_t element_size;	/* Bytes of one element; 0: not known.  */
  uint32_t flags;		/* enum ummgr_arg_flag.  */
  uint64_t size;		/* Bytes in all, where constant; else 0.  */
  uint32_t length_names;	/* String: the local variables, and the functions'
				   parameters, that the length of the section is made
				   of, "n m"; what others it is made of holds in all
				   of the file.  */
} UMMGR_TABLE_RECORD;

enum ummgr_arg_flag
{
  UMMGR_ARG_HIDDEN = 1 << 0,	/* The plugin's, and nobody's business.  */
  UMMGR_ARG_FLAT = 1 << 1,	/* Numbers alone: no pointers are in it, or, of
				   a pointer by value, in what that points to.  */
  UMMGR_ARG_FILE_SCOPE = 1 << 2, /* Its variable is no function's.  */
  UMMGR_ARG_LENGTH_KNOWN = 1 << 3 /* LENGTH_NAMES is all, and the section begins at
				   the variable's beginning.  */
};

/* A function that may reach a region, as a Markov chain: its blocks that hold
   events, the first of them the entry, and the probabilities of going from the
   end of one to the beginning of another.  Blocks without events are taken out
   by the compiler, which changes no probability.  What a function without a
   record does launches nothing.  */
enum ummgr_function_flag
{
  UMMGR_FUNCTION_LOCAL = 1 << 0,	/* Its name holds in this unit only.  */
  UMMGR_FUNCTION_COMDAT = 1 << 1,	/* Other units may have it too; the
					   linker keeps one.  */
  UMMGR_FUNCTION_CONSTRUCTOR = 1 << 2,	/* Runs once before main.  */
  UMMGR_FUNCTION_TOO_LARGE = 1 << 3,	/* Not analysed: it has no block.  */
  UMMGR_FUNCTION_ADDRESS_TAKEN = 1 << 4	/* May be called by pointer.  */
};

struct ummgr_function_record
{
  uint32_t name;		/* String: its assembler name.  */
  uint32_t flags;		/* enum ummgr_function_flag.  */
  uint32_t block_first;		/* Into UMMGR_TABLE_BLOCKS.  */
  uint32_t block_count;
} UMMGR_TABLE_RECORD;

struct ummgr_block_record
{
  uint32_t event_first;		/* Into UMMGR_TABLE_EVENTS, in order.  */
  uint32_t event_count;
  uint32_t edge_first;		/* Into UMMGR_TABLE_EDGES.  */
  uint32_t edge_count;		/* What the edges' probabilities lack of 1
				   does not return: exit, abort.  */
} UMMGR_TABLE_RECORD;

/* The function's return, as an edge's destination.  */
#define UMMGR_EDGE_RETURN 0xffffffffu

enum ummgr_edge_flag
{
  UMMGR_EDGE_EXACT = 1 << 0	/* Not guessed: there is no other way, or the
				   trip count is a constant.  */
};

struct ummgr_edge_record
{
  uint32_t to;			/* Block of the same function, or
				   UMMGR_EDGE_RETURN.  */
  uint32_t flags;		/* enum ummgr_edge_flag.  */
  double probability;
} UMMGR_TABLE_RECORD;

/* Who counted a region's launches.  */
enum ummgr_count_source
{
  UMMGR_COUNT_NONE,		/* Nobody counted: they are guessed, where they
				   are not exact.  */
  UMMGR_COUNT_PROFILE,		/* GCC's profile (-fprofile-use, -fauto-profile).  */
  UMMGR_COUNT_STATISTICS	/* Statistics of a run (ummgr cc --profile).  */
};

#define UMMGR_COUNT_SOURCE_NAMES { "none", "gcc profile", "statistics" }

/* A region by what stays the same when the program is compiled again, and how often
   it was launched then.  */
struct ummgr_count_record
{
  uint32_t function;		/* String: the function around it, its assembler
				   name.  */
  uint32_t ordinal;		/* Regions of that function before it.  */
  uint32_t checksum;		/* Of that function as it was written; 0: not
				   known.  */
  uint32_t source;		/* enum ummgr_count_source.  */
  double launches;		/* In a run.  */
} UMMGR_TABLE_RECORD;

/* What tells the region with these from all others of a program, in code that counts
   (ummgr-trace-abi.h).  UNIT is the table's.  */
static inline uint64_t
ummgr_region_id (const char *unit, const char *function, uint32_t ordinal, uint32_t checksum)
{
  uint64_t hash = UINT64_C (0xcbf29ce484222325);
  for (int i = 0; i < 2; i++)
    for (const char *p = i ? function : unit; ; p++)
      {
	hash = (hash ^ (unsigned char) *p) * UINT64_C (0x100000001b3);
	if (!*p)
	  break;
      }
  hash = (hash ^ ordinal) * UINT64_C (0x100000001b3);
  return (hash ^ checksum) * UINT64_C (0x100000001b3);
}

enum ummgr_event_kind
{
  UMMGR_EVENT_LAUNCH = 1,	/* Of the region TARGET of UMMGR_TABLE_REGIONS,
				   or of one that the table does not have.  */
  UMMGR_EVENT_CALL = 2,		/* Of the function named by string TARGET;
				   also what GOMP_parallel and its like run on
				   the host, counted once.  */
  UMMGR_EVENT_UNKNOWN = 3	/* A call of which nothing is known.  */
};

/* The TARGET of a launch of an unknown region.  */
#define UMMGR_EVENT_NO_REGION 0xffffffffu

struct ummgr_event_record
{
  uint32_t kind;		/* enum ummgr_event_kind.  */
  uint32_t target;
} UMMGR_TABLE_RECORD;

/* The outermost loop around an event in its function.  */
struct ummgr_around_record
{
  uint32_t function;		/* String: the function, as the source names it.  */
  uint32_t file;		/* String: the loop's; "": there is none, or its place
				   is not known.  */
  uint32_t line;
  uint32_t names;		/* String: the variables of the function that can be
				   named there, "a b n".  */
} UMMGR_TABLE_RECORD;

/* A call of which not all that it may reach is known, and behind it one record for each
   TARGET that is counted there nevertheless, as a guess.  */
enum ummgr_call_kind
{
  UMMGR_CALL_POINTER,		/* Through a pointer.  */
  UMMGR_CALL_VIRTUAL		/* Of a virtual function.  */
};

#define UMMGR_CALL_KIND_NAMES { "pointer", "virtual" }

struct ummgr_call_record
{
  uint32_t function;		/* String: it is in that function, as the source
				   names it.  */
  uint32_t file;		/* String.  */
  uint32_t line;
  uint32_t kind;		/* enum ummgr_call_kind.  */
  uint32_t signature;		/* String: a letter for what it returns, and one
				   for each argument (void, integer, floating,
				   pointer, record), behind the name and a colon
				   where it is virtual; "?": any.  */
  uint32_t target;		/* String: an assembler name; "": this is the
				   call itself.  */
} UMMGR_TABLE_RECORD;

enum ummgr_taken_flag
{
  UMMGR_TAKEN_LOCAL = 1 << 0,	/* As UMMGR_FUNCTION_LOCAL.  */
  UMMGR_TAKEN_VIRTUAL = 1 << 1	/* By virtual calls.  */
};

/* A function that may be called without being named: its address is taken here, or it is
   virtual.  */
struct ummgr_taken_record
{
  uint32_t function;		/* String: its assembler name.  */
  uint32_t signature;		/* String, as above.  */
  uint32_t flags;		/* enum ummgr_taken_flag.  */
} UMMGR_TABLE_RECORD;

/* How regions use their arguments.

   Numbers that are not known before a launch are expressions over the region's
   arguments: postfix code over a stack of 64-bit signed integers, which wrap.
   An expression is named by its offset into UMMGR_TABLE_CODE; offset 0 is
   "not known".  Operands are little-endian and unaligned.  */
enum ummgr_code
{
  UMMGR_CODE_END,		/* The result is the one number left.  */
  UMMGR_CODE_CONST8,		/* int8_t: push it.  */
  UMMGR_CODE_CONST64,		/* int64_t: push it.  */
  UMMGR_CODE_ARG,		/* uint16_t I: argument I's own value.  */
  UMMGR_CODE_LOAD,		/* uint16_t I, uint32_t offset, int8_t size:
				   what argument I points to, on the host; size
				   1, 2, 4 or 8, negative: signed.  */
  UMMGR_CODE_SIZE,		/* uint16_t I: the size that the launch passes
				   for argument I, a pointer's place: its
				   bias, the bytes from where it points to to
				   the section that it belongs to.  */
  UMMGR_CODE_ADD,		/* Of the two on top ...  */
  UMMGR_CODE_SUB,
  UMMGR_CODE_MUL,
  UMMGR_CODE_DIV,		/* Towards 0; by 0: not known.  */
  UMMGR_CODE_MIN,
  UMMGR_CODE_MAX,
  UMMGR_CODE_NEG,		/* Of the one on top.  */
  /* In samples only.  */
  UMMGR_CODE_ITERATION,		/* uint8_t K: push the iteration number of the
				   sample's loop K.  */
  UMMGR_CODE_ELEMENT		/* uint16_t I, int8_t size: replace the number
				   on top by what lies so many bytes from
				   argument I's address; size as of LOAD.  */
};

/* The deepest stack.  */
#define UMMGR_CODE_DEPTH 16

enum ummgr_region_use_flag
{
  UMMGR_REGION_USE_EXACT = 1 << 0,	/* The trip count is.  */
  UMMGR_REGION_USE_COUNTED = 1 << 1	/* It is that of runs, on average.  */
};

struct ummgr_region_use_record
{
  uint32_t trip;		/* Expression: iterations of the work-shared
				   loop nest; 0: it has none that is known.  */
  uint32_t flags;		/* enum ummgr_region_use_flag.  */
} UMMGR_TABLE_RECORD;

enum ummgr_use_flag
{
  UMMGR_USE_READ = 1 << 0,	/* It may be; else surely not.  */
  UMMGR_USE_WRITE = 1 << 1,
  UMMGR_USE_UNKNOWN = 1 << 2,	/* Some uses have no record below.  */
  UMMGR_USE_ANALYSED = 1 << 3,	/* Else nothing is known.  */
  UMMGR_USE_BEHIND = 1 << 4	/* It is unknown, and perhaps read or written,
				   only as pointers that the region finds in
				   memory may lead there.  */
};

struct ummgr_arg_use_record
{
  uint32_t flags;		/* enum ummgr_use_flag.  */
  uint32_t ref_first;		/* Into UMMGR_TABLE_REFS.  */
  uint32_t ref_count;
  uint32_t why;			/* String: why something is not known.  */
} UMMGR_TABLE_RECORD;

enum ummgr_ref_flag
{
  UMMGR_REF_READ = 1 << 0,
  UMMGR_REF_WRITE = 1 << 1,
  UMMGR_REF_AFFINE = 1 << 2,	/* BASE and the dimensions say where.  */
  UMMGR_REF_DATA = 1 << 3,	/* Where is loaded from memory.  */
  UMMGR_REF_EXACT = 1 << 4,	/* Affine; all counts are known, and it is
				   accessed each time.  */
  UMMGR_REF_CERTAIN = 1 << 5,	/* Exact, and proved: no condition is on the
				   way but those of its loops.  */
  UMMGR_REF_COUNTED = 1 << 6,	/* Not exact, and no guess: what of FREQUENCY is
				   not known is as runs were counted.  */
  UMMGR_REF_SLOPED = 1 << 7	/* It would be exact but for dimensions that
				   depend on others, which say how.  */
};

/* A reference: in each combination of its dimensions' iterations, FREQUENCY
   times, ELEMENT_SIZE bytes at BASE + the sum of STRIDE * iteration.  */
struct ummgr_ref_record
{
  uint32_t flags;		/* enum ummgr_ref_flag.  */
  uint32_t line;		/* 0: not known.  */
  uint32_t base;		/* Expression: bytes from the argument's
				   address.  */
  uint32_t element_size;	/* 0: not known.  */
  uint32_t dim_first;		/* Into UMMGR_TABLE_DIMS; outermost first.  */
  uint32_t dim_count;
  uint32_t why;			/* String: why it is not affine.  */
  double frequency;
} UMMGR_TABLE_RECORD;

enum ummgr_dim_flag
{
  UMMGR_DIM_SHARED = 1 << 0	/* Work-shared, else within an iteration.  */
};

struct ummgr_dim_record
{
  uint32_t stride;		/* Expressions: bytes; 0: 0.  */
  uint32_t count;		/* On average; negative: none.  */
  uint32_t extent;		/* At most.  */
  uint32_t flags;		/* enum ummgr_dim_flag.  */
  /* Not 0: in iteration X of the reference's dimension OF - 1, one of those around, the
     iterations are, of EXTENT ones, those from SKIP + SKIP_SLOPE * X on, FIRST + SLOPE * X
     of them; none where that is below 0.  */
  uint32_t of;
  uint32_t first, slope;	/* Expressions.  */
  uint32_t skip, skip_slope;
} UMMGR_TABLE_RECORD;

/* A reference whose place, or whether it is executed, depends on data, or whose
   place is no sum of strides: how to tell for one iteration.  The steps are the loops and conditions around it,
   outermost first; what a loop's step or a condition refers to stands before
   it.  Expressions of samples may use the iterations of the loops so far, and
   elements of the arguments' arrays, which libummgr reads only where that moves
   nothing (hints/data.h).  */
enum ummgr_step_kind
{
  UMMGR_STEP_SHARED = 1,	/* A work-shared loop of CODE iterations; where
				   CODE is 0, VALUE on average.  */
  UMMGR_STEP_LOOP = 2,		/* Another loop.  */
  UMMGR_STEP_POSITIVE = 3,	/* Only if CODE is above 0: expected VALUE of
				   the times.  */
  UMMGR_STEP_ZERO = 4,		/* Only if CODE is 0.  */
  UMMGR_STEP_NONZERO = 5,
  UMMGR_STEP_PART = 6		/* VALUE of the times; nobody knows which.  */
};

/* The most loops of a sample.  */
#define UMMGR_SAMPLE_LOOPS 8

struct ummgr_step_record
{
  uint32_t kind;		/* enum ummgr_step_kind.  */
  uint32_t code;		/* Expression.  */
  double value;
} UMMGR_TABLE_RECORD;

struct ummgr_sample_record
{
  uint32_t address;		/* Expression: bytes from the argument's
				   address; 0: not known.  */
  uint32_t step_first;		/* Into UMMGR_TABLE_STEPS.  */
  uint32_t step_count;		/* 0: the reference has no sample.  */
} UMMGR_TABLE_RECORD;

/* What a region computes, as it is left when the code gets to the GPU: operations for each
   combination of its dimensions' iterations, on average.  One for each loop nest, the
   regions' in their order.  What threads do outside of work-shared loops, such as finding
   their share, is left out, unless the region has none.  */
struct ummgr_ops_record
{
  uint32_t region;		/* Into UMMGR_TABLE_REGIONS.  */
  uint32_t dim_first;		/* Into UMMGR_TABLE_DIMS, with strides 0;
				   outermost first.  */
  uint32_t dim_count;
  uint32_t flags;		/* None yet: 0.  */
  double flops;			/* A multiplication and an addition that GCC
				   contracts are one.  */
  double integers;		/* Addresses, comparisons and branches, too.  */
  double loads;
  double stores;
} UMMGR_TABLE_RECORD;

/* What the host does with an argument's memory between a launch of the region
   and the next launch that uses the same memory; all of it as far as the source
   says, whatever else runs.  "Surely" leaves out ways on which the program ends.
   Without UMMGR_LIVE_ANALYSED nothing is known.  */
enum ummgr_live_flag
{
  UMMGR_LIVE_ANALYSED = 1 << 0,
  UMMGR_LIVE_MAY_READ = 1 << 1,	/* The host may read it; else surely not.  */
  UMMGR_LIVE_MAY_WRITE = 1 << 2,
  UMMGR_LIVE_READ = 1 << 3,	/* It surely does.  */
  UMMGR_LIVE_WRITE = 1 << 4,
  UMMGR_LIVE_NEXT = 1 << 5,	/* Surely the host goes over the memory before
				   a region uses it.  */
  UMMGR_LIVE_DEAD = 1 << 6,	/* Nobody reads what the region leaves there,
				   neither the host nor a region.  */
  /* The argument is what malloc, calloc or aligned_alloc returned, nobody gets at that memory but by what
     was followed, and only free or realloc end it.  */
  UMMGR_LIVE_OWN = 1 << 7,
  /* If anything of memory that is followed so, the argument is its address, not one within.  Also without
     UMMGR_LIVE_ANALYSED.  */
  UMMGR_LIVE_APART = 1 << 8,
  /* Before the host reads it, it tells libummgr (__ummgr_host_reads).  */
  UMMGR_LIVE_TOLD = 1 << 9
};

struct ummgr_live_record
{
  uint32_t flags;		/* enum ummgr_live_flag.  */
  uint32_t why;			/* String: why nothing is known.  */
  double next;			/* How probable UMMGR_LIVE_NEXT's case is.  */
} UMMGR_TABLE_RECORD;

/* The same of those launches alone between a call that tells libummgr CALL and one that tells it 0
   (__ummgr_called): of one call of the function that has the region, or of one of several launches of it.  */
struct ummgr_call_live_record
{
  uint64_t call;		/* Not 0; nobody else's.  */
  uint32_t arg;			/* Into UMMGR_TABLE_ARGS.  */
  uint32_t line;		/* Of the call, in its file; 0: not known.  */
  uint32_t flags;		/* enum ummgr_live_flag.  */
  uint32_t why;			/* String: why nothing is known.  */
  double next;
} UMMGR_TABLE_RECORD;

/* A region that can be run by ranges has two arguments more, passed by value: it
   runs the iterations [LO, HI) of the outermost of its work-shared loops, and as the
   program launches it, all: LO is 0 then, and HI more than there are.  All other
   sections are of that; what a range uses stands in RANGE_REFS and RANGE_DIMS, in
   terms of the two.  */
enum ummgr_split_flag
{
  UMMGR_SPLIT_STATICS = 1 << 0,	/* `declare target' variables are used in it, or in
				   what it calls.  */
  UMMGR_SPLIT_ATOMIC = 1 << 1,	/* It has atomic operations, those that reduce
				   left out.  */
  UMMGR_SPLIT_ATOMIC_VALUE = 1 << 2,	/* And uses what one of them returns.  */
  UMMGR_SPLIT_CALLS = 1 << 3,	/* It calls what is not known here.  */
  UMMGR_SPLIT_POINTERS = 1 << 4,	/* It may follow pointers that it finds in
				   memory, where there are any, beyond those of
				   UMMGR_TABLE_MEMBERS.  */
  /* What RANGE_REFS and RANGE_DIMS say of an object of less than 2^31 bytes are bounds that hold: no value
     that 32 bits may have cut is divided, shifted down or compared for the less before it is an index.  */
  UMMGR_SPLIT_BOUNDS = 1 << 5,
  UMMGR_SPLIT_ALL_BOUNDS = 1 << 6 /* And of any object: 32 bits cut nothing.  */
};

/* Of those that a region can do without.  */
#define UMMGR_SPLIT_FLAG_NAMES                                                \
  { "statics", "atomics", "their values", "unknown calls",                \
    "pointers in memory" }

struct ummgr_split_record
{
  uint32_t lo;			/* Argument number, plus 1; HI is the next.  0:
				   it can't be run by ranges.  */
  uint32_t trip;		/* Expression: iterations of that loop; 0: not
				   known.  */
  uint32_t flags;		/* enum ummgr_split_flag.  */
  uint32_t why;			/* String: why it can't; "" where nobody looked,
				   too.  */
  uint32_t reduction_first;	/* Into UMMGR_TABLE_REDUCTIONS.  */
  uint32_t reduction_count;
} UMMGR_TABLE_RECORD;

/* How a region's iterations are shared out, as its clauses have it.  */
enum ummgr_schedule
{
  UMMGR_SCHEDULE_NONE,		/* No clause: GCC gives each team, or thread, one
				   piece, and the pieces are equal.  */
  UMMGR_SCHEDULE_STATIC,	/* With a chunk: chunks go round.  */
  UMMGR_SCHEDULE_DYNAMIC,
  UMMGR_SCHEDULE_GUIDED,
  UMMGR_SCHEDULE_AUTO,
  UMMGR_SCHEDULE_RUNTIME,
  UMMGR_SCHEDULE_MIXED		/* Loops differ.  */
};

#define UMMGR_SCHEDULE_NAMES                                                  \
  { "none", "static", "dynamic", "guided", "auto", "runtime", "mixed" }

enum ummgr_share_flag
{
  UMMGR_SHARE_TEAMS = 1 << 0,	/* There is such a clause, or chunk, whether what it
				   says is known or not.  */
  UMMGR_SHARE_THREADS = 1 << 1,
  UMMGR_SHARE_DISTRIBUTE_CHUNK = 1 << 2,
  UMMGR_SHARE_LOOPS_CHUNK = 1 << 3,
  UMMGR_SHARE_NESTED = 1 << 4	/* An iteration that is distributed has a work-shared
				   loop in it.  */
};

struct ummgr_share_record
{
  uint32_t teams_least;		/* Expressions: num_teams' bounds, ...  */
  uint32_t teams;
  uint32_t threads;		/* ... and thread_limit.  */
  uint32_t distribute;		/* enum ummgr_schedule: dist_schedule.  */
  uint32_t distribute_chunk;	/* Expression: iterations.  */
  uint32_t loops;		/* enum ummgr_schedule: schedule, of `for'.  */
  uint32_t loops_chunk;
  uint32_t flags;		/* enum ummgr_share_flag.  */
} UMMGR_TABLE_RECORD;

/* A reduction of a region.  */
struct ummgr_reduction_record
{
  uint32_t arg;			/* Argument number, plus 1; 0: not known.  */
  uint32_t operation;		/* String: "+", "max", ... or "user".  */
  uint32_t type;		/* String: of the variable, or its elements.  */
} UMMGR_TABLE_RECORD;

/* A pointer that a region finds OFFSET bytes from argument ARG's address, in what is
   mapped or, of a pointer by value, in what that points to, and follows: how it uses
   what lies there.  A region's follow one another.  */
struct ummgr_member_record
{
  uint32_t region;		/* Into UMMGR_TABLE_REGIONS.  */
  uint32_t arg;			/* Argument number.  */
  uint32_t offset;
  uint32_t flags;		/* enum ummgr_use_flag.  */
  uint32_t ref_first;		/* Into UMMGR_TABLE_REFS.  */
  uint32_t ref_count;
} UMMGR_TABLE_RECORD;

/* What the source calls the number OFFSET bytes from argument ARG's address, which an
   expression of the region loads from a struct, or the pointer there, which it follows.  A
   region's follow one another.  */
struct ummgr_field_record
{
  uint32_t region;		/* Into UMMGR_TABLE_REGIONS.  */
  uint32_t arg;			/* Argument number.  */
  uint32_t offset;
  uint32_t name;		/* String: "s.n", "this->u", "f%n".  */
} UMMGR_TABLE_RECORD;

/* A `declare target' variable, an array or a struct, that a region's code names, and how it is
   used.  A region's follow one another.  Each device has its own, whose address the device's code
   has: it is never elsewhere.  Of others nothing is said: code that is not seen, and pointers of
   which nothing is known, may use these, too.  */
struct ummgr_static_record
{
  uint32_t region;		/* Into UMMGR_TABLE_REGIONS.  */
  uint32_t name;		/* String.  */
  uint32_t file;		/* Where it is declared.  */
  uint32_t line;
  uint32_t flags;		/* enum ummgr_use_flag.  */
  uint32_t ref_first;		/* Into UMMGR_TABLE_REFS.  */
  uint32_t ref_count;
  uint64_t size;		/* Bytes; 0: not known.  */
  int64_t address;		/* Of the unit's own variable, as a region's
				   function; else 0, and  */
  uint32_t symbol;		/* String: its assembler name.  */
  uint32_t why;			/* String: why its use is unknown.  */
} UMMGR_TABLE_RECORD;

/* Expressions for a reference, and for its dimensions, as those of struct
   ummgr_ref_record and struct ummgr_dim_record.  */
struct ummgr_range_ref_record
{
  uint32_t base;
} UMMGR_TABLE_RECORD;

struct ummgr_range_dim_record
{
  uint32_t stride;
  uint32_t count;
  uint32_t extent;
} UMMGR_TABLE_RECORD;

/* A data object in the source: a call that allocates, or an array or struct
   variable.  */
enum ummgr_site_flag
{
  UMMGR_SITE_REACHES = 1 << 0,	/* It reaches a region of its unit.  */
  UMMGR_SITE_LEAVES = 1 << 1,	/* It goes to other units.  */
  UMMGR_SITE_REDIRECTED = 1 << 2, /* Managed memory where libummgr has it.  */
  UMMGR_SITE_REDIRECTED_IF = 1 << 3, /* The same, if it reaches a region of any
				   unit.  */
  UMMGR_SITE_SHARED = 1 << 4	/* Managed memory under the policy auto, where not all
				   fits: nobody can tell.  */
};

struct ummgr_site_record
{
  uint64_t id;			/* Not 0; no other site of a program has it.  */
  uint32_t kind;		/* String: "malloc", "new[]", "static", or the
				   name of a function that returns what it
				   allocates.  */
  uint32_t file;		/* String.  */
  uint32_t line;		/* Of inlined code, where that was called.  */
  uint32_t function;		/* String: the function around it; "": none.  */
  uint32_t variable;		/* String: what it is for; "" not known.  */
  uint32_t flags;		/* enum ummgr_site_flag.  */
  uint32_t why;			/* String: why it is not redirected.  */
} UMMGR_TABLE_RECORD;

/* Memory goes from one end to another: from a site to the argument of a region,
   or to and from what other units know by a name.  What went to a name comes
   from it.  What comes from a name that nothing goes to is not known.  */
enum ummgr_flow_end
{
  UMMGR_FLOW_UNKNOWN,
  UMMGR_FLOW_SITE,		/* X: into UMMGR_TABLE_SITES.  */
  UMMGR_FLOW_PARAMETER,		/* Y, from 0, of the function called string X,
				   or what that points to.  */
  UMMGR_FLOW_RETURN,		/* What the function string X returns.  */
  UMMGR_FLOW_GLOBAL,		/* What the variable string X holds.  */
  UMMGR_FLOW_ARGUMENT		/* X: into UMMGR_TABLE_ARGS.  */
};

#define UMMGR_FLOW_END_NAMES                                                  \
  { "unknown", "site", "parameter", "result", "variable", "argument" }

struct ummgr_site_flow_record
{
  uint32_t from_kind;		/* enum ummgr_flow_end.  */
  uint32_t from_x;
  uint32_t from_y;
  uint32_t to_kind;
  uint32_t to_x;
  uint32_t to_y;
} UMMGR_TABLE_RECORD;

#endif
