/* Trace files (.ummt): what is in them, and how it is laid out.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A trace is a sequence of records: what a run did to its data, in order.
   trace/write.h makes one, trace/read.h reads one; both hold one block in
   memory, however long the trace is.

   The file (all numbers little-endian):

     header   8 bytes UMMGR_TRACE_MAGIC, u32 version, u32 size of the header
     block*   u32 UMMGR_TRACE_BLOCK_MAGIC, u32 sequence from 0, u32 bytes
	      stored, u32 bytes raw; then one zstd frame with a checksum

   Blocks are independent: nothing in one is needed to decode the next.  The
   raw bytes are operations.  One below 0x80 is an access (see trace/code.h);
   the others are 0x80 + tag, the length of the payload, the payload.  Numbers
   there are LEB128, signed ones zigzag; strings are a length, the bytes and
   a 0.  The last record is the end, UMMGR_TRACE_TAG_END: a file without it
   was cut short.

   Growth: a new kind is a new tag, which an old reader skips by its length; a
   new field stands at the end of its payload, and is 0 where it is absent.
   VERSION rises only when an old reader would misread; it then refuses.  */

#pragma once

#include "base/hint.h"

#include <stdint.h>

/* As PNG's: a transfer that changes line ends is seen at once.  */
#define UMMGR_TRACE_MAGIC "UMMT\r\n\032\n"
#define UMMGR_TRACE_VERSION 1
#define UMMGR_TRACE_HEADER_SIZE 16
#define UMMGR_TRACE_BLOCK_MAGIC 0x4b424d55u /* "UMBK".  */
#define UMMGR_TRACE_BLOCK_HEADER_SIZE 16

/* Raw bytes of a block at most; a longer block is corrupt.  */
#define UMMGR_TRACE_BLOCK_MAX (1u << 20)
/* Longer strings are cut when written.  */
#define UMMGR_TRACE_STRING_MAX 16383u

/* The host, where a device is asked for.  */
#define UMMGR_TRACE_HOST (-1)

/* Tags in the file: numbers are never used again for another thing.  */
enum ummgr_trace_kind
{
  UMMGR_TRACE_END = 0,		/* The last record: the trace is whole.  */
  UMMGR_TRACE_RUN = 1,		/* u.run: the first record.  */
  UMMGR_TRACE_DEVICE = 2,	/* u.device.  */
  UMMGR_TRACE_REGION = 3,	/* u.region: a definition, before its use.  */
  UMMGR_TRACE_BEGIN = 4,	/* u.launch: a region begins.  */
  UMMGR_TRACE_FINISH = 5,	/* u.launch: it has ended.  */
  UMMGR_TRACE_OBJECT = 6,	/* u.object: an object appears.  */
  UMMGR_TRACE_GONE = 7,		/* u.object: only its id.  */
  UMMGR_TRACE_MARK = 8,		/* u.mark: a phase begins.  */
  UMMGR_TRACE_COPY = 9,		/* u.move.  */
  UMMGR_TRACE_PREFETCH = 10,	/* u.move.  */
  UMMGR_TRACE_ADVICE = 11,	/* u.move.  */
  UMMGR_TRACE_ACCESS = 12,	/* u.access.  */
  UMMGR_TRACE_PRESENT = 13,	/* u.present: a device copy appears.  */
  UMMGR_TRACE_ABSENT = 14,	/* u.present: it goes.  */
  UMMGR_TRACE_OUTCOME = 15,	/* u.outcome: what became of a copy.  */
  UMMGR_TRACE_FACTS = 16,	/* u.facts: an object in a phase.  */
  UMMGR_TRACE_PHASE = 17,	/* u.phase: a phase has ended; its facts stand
				   before this.  */
  UMMGR_TRACE_USE = 18,		/* u.use: what the compiler says of an object in
				   a launch; right after its BEGIN.  */
  UMMGR_TRACE_TAKEN = 19,	/* u.taken: what else is on a device; before the
				   BEGIN and the FINISH of a launch and the first
				   access in it, where it has changed.  */
  UMMGR_TRACE_LOST = 20,	/* u.lost: accesses that are not in the trace, nor
				   in outcomes and facts that follow.  */
  UMMGR_TRACE_RAN = 21,		/* u.ran: how a launch went whose accesses are in a
				   GPU's order; before its FINISH.  */
  /* Of such a launch, what makes it another order on another device; before its
     FINISH.  */
  UMMGR_TRACE_SHAPE = 22,	/* u.shape: it, or a part of it, begins.  */
  UMMGR_TRACE_AREA = 23,	/* u.area: what it finds where.  */
  UMMGR_TRACE_STEPS = 24,	/* u.steps: what its warps do.  */
  UMMGR_TRACE_HANDED = 25,	/* u.handed: the program was handed an address of a
				   device's; what it does with it is not seen.  */
  UMMGR_TRACE_FAULTS = 26	/* u.faults: what an object's pages did in a launch,
				   before its FINISH, or outside of one.  */
};

struct ummgr_trace_run
{
  const char *program;		/* The command line.  */
  const char *profile;		/* Of the simulated machine; "" on a GPU.  */
  const char *policy;
  const char *writer;		/* The ummgr that wrote the trace.  */
  uint64_t page_size;		/* Bytes.  */
  uint64_t granularity;		/* Bytes to which the offsets and sizes of
				   accesses are rounded: 1, a sector, a page. */
  uint32_t devices;		/* As many DEVICE records follow; 0: they come
				   when they are known.  */
  uint32_t sample;		/* One block in SAMPLE was seen; 0, 1: all.  */
  uint64_t block;		/* Bytes of the blocks of facts' densities.  */
  /* 1: the host's code reports its accesses, and regions'; 2: regions' are seen
     where the simulated driver runs them.  Or-ed.  */
  uint32_t instrumented;
  /* 1: accesses were not asked for; 2: HANDED records stand where they belong, so that
     data which no launch ran beside was not used.  Or-ed.  */
  uint32_t scope;
  /* Of an MPI program: 1 + the rank's number, 0 for none; how many there are, 0 if that isn't known;
     where it ran; the launcher's name for the run, "" if it has none.  */
  uint32_t rank, ranks;
  const char *host, *job;
};

enum ummgr_trace_scope
{
  UMMGR_TRACE_LIGHT = 1 << 0,
  UMMGR_TRACE_HANDS = 1 << 1
};

struct ummgr_trace_device
{
  uint32_t device;
  uint64_t memory;		/* Bytes.  */
  const char *name;
  /* What the machine's profile says, for costs; 0 if not known.  Rates in
     bytes per second, costs in nanoseconds.  */
  uint64_t in_rate, out_rate;	/* Host to device and back, bulk.  */
  uint64_t latency;		/* Of a copy or a migration.  */
  uint64_t gpu_fault, cpu_fault; /* Of one fault (of a batch, shared out).  */
  uint64_t fault_size;		/* Bytes that a fault moves at least.  */
};

struct ummgr_trace_region
{
  uint64_t region;
  const char *name;
  const char *file;		/* "" if not known.  */
  uint32_t line;		/* 0 if not known.  */
  const char *title;		/* The function around it as a person would say it; "" if not
				   known.  */
};

struct ummgr_trace_launch
{
  uint64_t launch;		/* Sequence number from 1; names the launch in
				   the accesses.  */
  uint64_t region;
  int32_t device;
};

struct ummgr_trace_object
{
  uint64_t object;		/* From 1; never used twice in a trace.  */
  const char *name;		/* The variable; "" if not known.  */
  const char *file;		/* Where it was allocated.  */
  uint32_t line;
  uint64_t base;		/* Host address.  */
  uint64_t size;		/* Bytes.  */
  uint32_t flags;		/* enum ummgr_trace_object_flag.  */
  uint32_t element_size;	/* Bytes; 0 if not known.  */
  const char *layout;		/* Of an element: ummgr-trace-abi.h's site.  */
};

enum ummgr_trace_object_flag
{
  UMMGR_TRACE_OBJECT_UNIFIED = 1 << 0,	/* Managed memory.  */
  UMMGR_TRACE_OBJECT_STATIC = 1 << 1,	/* A variable.  */
  UMMGR_TRACE_OBJECT_HEAP = 1 << 2	/* An allocation that was reported.  */
};

struct ummgr_trace_mark
{
  const char *name;
};

enum ummgr_trace_advice
{
  UMMGR_TRACE_READ_MOSTLY = 1,
  UMMGR_TRACE_NOT_READ_MOSTLY = 2,
  UMMGR_TRACE_PREFERRED = 3,
  UMMGR_TRACE_NOT_PREFERRED = 4,
  UMMGR_TRACE_ACCESSED_BY = 5,
  UMMGR_TRACE_NOT_ACCESSED_BY = 6,
  UMMGR_TRACE_DISCARDED = 7	/* What is there is of no use any more.  */
};

/* A copy, a prefetch or advice, of a range of an object.  */
struct ummgr_trace_move
{
  uint64_t object;
  uint64_t offset, size;	/* Bytes.  */
  int32_t from, to;		/* Devices or UMMGR_TRACE_HOST.  A prefetch has
				   only TO; so has advice, which it is for.  */
  uint32_t advice;		/* enum ummgr_trace_advice, or 0.  */
  uint64_t launch;		/* For which it was made, or 0.  */
  /* Copies: a number from 1, for its outcome; a hash of the bytes (equal bytes,
     equal hash), or 0; out of the device: how many 4-byte words the device had
     not written since they were copied in (only where accesses are seen);
     where the construct that asked for it stands.  */
  uint64_t copy;
  uint64_t hash;
  uint64_t unchanged;
  const char *file;
  uint32_t line;
  uint32_t gathered;		/* A copy: libgomp made it together with others, in one that each launch
				   needs.  */
};

/* A device's copy of [OFFSET, OFFSET + SIZE) of OBJECT.  */
struct ummgr_trace_present
{
  uint64_t object;
  uint64_t offset, size;	/* Bytes.  */
  int32_t device;
  uint64_t address;		/* Device address.  */
  const char *file;		/* Of the construct.  */
  uint32_t line;
  uint32_t flags;		/* enum ummgr_trace_present_flag.  */
};

/* No policy has a say in what has one of these.  */
enum ummgr_trace_present_flag
{
  UMMGR_TRACE_PRESENT_SMALL = 1 << 0, /* libgomp's, of what is below --min-size.  */
  UMMGR_TRACE_PRESENT_VARIABLE = 1 << 1 /* A variable of the device's own, in its image.  */
};

/* What became of the words that COPY brought to the device, when the next copy
   replaced them, the device's copy went, or the run ended.  */
struct ummgr_trace_outcome
{
  uint64_t copy;
  uint64_t words;		/* Of 4 bytes; as many as were copied.  */
  uint64_t unused;		/* Neither read nor written on the device.  */
  uint64_t overwritten;		/* Written there before any read.  */
};

/* The shadow of an object, or of its copy on DEVICE, at the end of a phase, if
   anything happened to it.  */
struct ummgr_trace_facts
{
  uint64_t object;
  int32_t device;		/* UMMGR_TRACE_HOST: the object itself.  */
  uint32_t phase;		/* From 1.  */
  uint64_t words;		/* Of 4 bytes, in the object or copy.  */
  uint64_t offset;		/* Of the copy in the object, bytes.  */
  /* How many words have each state (record/shadow.h), only those that occur.  */
  uint32_t state_count;
  const struct ummgr_trace_state *states;
  /* Blocks (run.block bytes) by the part of their words accessed by the GPU:
     [0] none, [I] up to I tenths.  */
  uint64_t blocks[11];
  /* The picture: CELLS cells of CELL_WORDS words each (the last may be
     shorter), run-length coded.  */
  uint32_t cells;
  uint64_t cell_words;
  uint32_t run_count;
  const struct ummgr_trace_cells *runs;
};

struct ummgr_trace_state
{
  uint8_t state;
  uint64_t words;
};

/* LENGTH cells that look alike.  */
struct ummgr_trace_cells
{
  uint32_t length;
  uint8_t state;		/* All words' states, or-ed.  */
  /* Part of the words that have bit I+1 of enum ummgr_shadow_bit, 0 to 255;
     not 0 if any has.  */
  uint8_t part[6];
};

struct ummgr_trace_phase
{
  uint32_t phase;		/* From 1.  */
  const char *name;		/* The mark that began it, or "".  */
  const char *cause;		/* What ended it: "mark", "region NAME",
				   "end".  */
  uint64_t launches;		/* In it.  */
};

/* How LAUNCH uses OBJECT, from the compiler's tables and from what the run has shown.
   HINT has no reason.  */
struct ummgr_trace_use
{
  uint64_t launch;
  uint64_t object;
  struct ummgr_hint hint;
};

/* What is on DEVICE besides managed memory, and what libgomp's plugin has done there
   since the run began.  */
struct ummgr_trace_taken
{
  int32_t device;
  uint64_t bytes;		/* Of its memory.  */
  uint64_t libgomp;		/* Of those, libgomp's, as it asked for them.  */
  uint64_t copied_in, copied_out; /* Bytes.  */
  uint64_t copies;		/* How often it copied.  */
  double seconds;		/* That DEVICE was busy until now, modelled, with all that it did; 0:
				   not known.  */
};

struct ummgr_trace_lost
{
  uint64_t launch;		/* Whose; 0: not known.  */
  int32_t device;
  uint64_t reports;		/* Of an access or a loop's each.  */
};

/* Of LAUNCH, as it was modelled: what it took besides its batches of faults, and how many
   faults came in how many of these.  */
struct ummgr_trace_ran
{
  uint64_t launch;
  int32_t device;
  double seconds;
  uint64_t faults, batches;
};

/* LAUNCH has TEAMS of so many WARPS, of which LIE (0: as many) take room where they run, each
   thread REGISTERS and each team SHARED bytes (0: not known).  */
struct ummgr_trace_shape
{
  uint64_t launch;
  int32_t device;
  uint32_t teams, warps, lie, registers;
  uint64_t shared;
};

/* What is at the addresses [BASE, END): KIND is enum ummgr_gpu_kind (gpu/gpu.h); KEY is
   what the last-level cache adds to them.  */
struct ummgr_trace_area
{
  uint64_t launch;
  int32_t device;
  uint64_t base, end, key;
  uint32_t kind;
};

/* What the warps of TEAM do in LAUNCH, or the next part of that (gpu/steps.h).  New parts are
   numbered from 1, and may come in pieces, in a row; LEFT bytes are still to follow.  Else it is
   what part SAME was.  Of parts only those may be named that are among the last
   UMMGR_TRACE_PARTS_MAX bytes of parts.  */
struct ummgr_trace_steps
{
  uint64_t launch;
  int32_t device;
  uint32_t team;
  uint64_t same;		/* 0: a new one.  */
  uint64_t left;
  uint32_t size;
  const unsigned char *bytes;
};

/* From here on there may be uses of DEVICE's memory that are no launch.  */
struct ummgr_trace_handed
{
  int32_t device;
};

/* What the pages of OBJECT, in managed memory, did for DEVICE since the record before:
   in LAUNCH, or (0) since the construct at FILE and LINE began: by its own copies, and by
   the host.  */
struct ummgr_trace_faults
{
  uint64_t launch;
  uint64_t object;
  int32_t device;
  uint64_t gpu_faults, cpu_faults;
  uint64_t in, out;		/* Bytes to the device and from it, by faults,
				   prefetches and evictions.  */
  uint64_t evictions;
  const char *file;
  uint32_t line;
};

/* Bytes of a piece at most; more are cut when written.  */
#define UMMGR_TRACE_PIECE_MAX (1u << 15)
#define UMMGR_TRACE_PARTS_MAX (UINT64_C (128) << 20)

/* Cells of a picture at most.  */
#define UMMGR_TRACE_CELLS_MAX 1024u

enum ummgr_trace_access_kind
{
  UMMGR_TRACE_READ = 1 << 0,
  UMMGR_TRACE_WRITE = 1 << 1,	/* With READ: an update.  */
  UMMGR_TRACE_ATOMIC = 1 << 2
};

/* One access, or COUNT of them: the I-th at OFFSET + I * STRIDE.  A reader
   that was handed a damaged file may see ranges outside the object.  */
struct ummgr_trace_access
{
  uint64_t object;		/* 0: not an object we know; OFFSET is the
				   address.  */
  uint64_t offset;		/* Bytes.  */
  int64_t stride;		/* Bytes; 0 if COUNT is 1.  */
  uint64_t count;		/* At least 1.  */
  uint64_t launch;		/* Who: 0 is host code.  */
  uint32_t size;		/* Bytes of each; at least 1.  */
  uint32_t team, thread;	/* On the host: 0 and the thread's number.  */
  uint8_t access;		/* enum ummgr_trace_access_kind.  */
};

struct ummgr_trace_record
{
  enum ummgr_trace_kind kind;
  uint64_t time;		/* Nanoseconds since the run began; 0 if not
				   known.  Always 0 for accesses.  */
  union
  {
    struct ummgr_trace_run run;
    struct ummgr_trace_device device;
    struct ummgr_trace_region region;
    struct ummgr_trace_launch launch;
    struct ummgr_trace_object object;
    struct ummgr_trace_mark mark;
    struct ummgr_trace_move move;
    struct ummgr_trace_access access;
    struct ummgr_trace_present present;
    struct ummgr_trace_outcome outcome;
    struct ummgr_trace_facts facts;
    struct ummgr_trace_phase phase;
    struct ummgr_trace_use use;
    struct ummgr_trace_taken taken;
    struct ummgr_trace_lost lost;
    struct ummgr_trace_ran ran;
    struct ummgr_trace_shape shape;
    struct ummgr_trace_area area;
    struct ummgr_trace_steps steps;
    struct ummgr_trace_handed handed;
    struct ummgr_trace_faults faults;
  } u;
};
