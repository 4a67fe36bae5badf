/* What instrumented code calls, and how it gets from there to libummgr.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Three parties meet here:
   - the plugin (-fplugin-arg-ummgr-trace) makes code that calls __ummgr_trace_*;
   - the program object (record/program.c, linked into every instrumented program
     or shared library by `ummgr cc -ftrace') defines those names, for host and
     device alike.  On the host it passes them to libummgr where that is loaded,
     on a GPU it writes them to a buffer that is emptied at region end;
   - libummgr's recorder (record/record.h) is behind ummgr_trace_attach.
   Without libummgr in the process __ummgr_trace_on stays 0 and the program runs
   its plain code.

   The plugin makes two versions of each function: the plain one, which begins
   with "if (__ummgr_trace_on) return traced (...)", and the traced one.  In a
   traced function the result T of __ummgr_trace_enter is fetched once, at its
   start, and every report of a single access stands behind the inline check
     if (((ADDRESS >> UMMGR_TRACE_SAMPLE_SHIFT) * UMMGR_TRACE_SAMPLE_FACTOR
	  & T->mask) == 0)
   which with --sample=N lets through every N-th block of 256 bytes, chosen by a
   hash; what is let through is seen completely, so its facts are exact.  MASK
   is 0 in a full trace.  Before it, for accesses of KIND 1 to 3 that are aligned
   to their size, stands the check whether the recorder has anything to learn:
     L = ADDRESS >> UMMGR_TRACE_LINE_SHIFT;
     if (T->seen[KIND - 1][L % UMMGR_TRACE_SEEN] != L)
   and in a loop, around both, the check that its block is not the one that was found
   last not to be sampled, which a variable of the function remembers.

   A report stands before the access (a hoisted one before the loop), and after
   the check that the access is made at all.  Any thread; no call takes a lock
   on its usual path.  This header is read by the plugin too: plain C types
   only.  */

#ifndef UMMGR_TRACE_ABI_H
#define UMMGR_TRACE_ABI_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* 1: nothing was counted between accesses.  2: device_start knows two of enum
   ummgr_trace_runs.  3: nothing says where an access is, nor what orders others.
   Programs of those versions are still understood.  */
#define UMMGR_TRACE_ABI 4
#define UMMGR_TRACE_ABI_PLACES 4
#define UMMGR_TRACE_ABI_OLDEST 1

#define UMMGR_TRACE_SAMPLE_SHIFT 8
#define UMMGR_TRACE_SAMPLE_FACTOR 0x9e3779b97f4a7c15ull

/* Does MASK let the block of ADDRESS through?  */
static inline bool
ummgr_trace_sampled (uint64_t address, uint64_t mask)
{
  return ((address >> UMMGR_TRACE_SAMPLE_SHIFT) * UMMGR_TRACE_SAMPLE_FACTOR
	  & mask) == 0;
}

/* HOW of an access: its size in bytes in the low 24 bits, above them enum
   ummgr_trace_access_kind of trace/format.h (1 read, 2 write, 4 atomic).  */
#define UMMGR_TRACE_HOW(SIZE, KIND) ((uint32_t) (SIZE) | (uint32_t) (KIND) << 24)
#define UMMGR_TRACE_HOW_SIZE(HOW) ((HOW) & 0xffffffu)
#define UMMGR_TRACE_HOW_KIND(HOW) ((HOW) >> 24)
/* In the kind of a single access of code for the device, from version 2 on: the
   thread need not wait for what the access before it brings.  */
#define UMMGR_TRACE_JOINS 8u
/* In the kind of a single access or a range, from version 4 on: what threads did before such
   an operation others see that make one later (an atomic one that isn't relaxed, a lock, a
   fence).  A range of no bytes: it is that alone.  */
#define UMMGR_TRACE_ORDERS 16u

/* Of 16 bytes, as malloc aligns: no two objects share one.  */
#define UMMGR_TRACE_LINE_SHIFT 4
#define UMMGR_TRACE_SEEN 512

/* Opaque but for these.  Belongs to the recorder; one for each thread of the
   host, or of the device.  SEEN: lines of which an access of that kind by this
   thread changes nothing and would not be written; all 0: none.  To WORK code for
   the device adds the operations that it does and that access no memory, as a
   GPU does them, but for those that the references of hoisted loops say.  */
struct ummgr_trace_thread
{
  uint64_t mask;
  uint64_t seen[3][UMMGR_TRACE_SEEN];
  uint64_t work;
  /* From version 4 on, where the access is that is reported next: UMMGR_TRACE_PLACE.  Of loops
     and nests the first reference's; those of the others follow it.  */
  uint64_t place;
};

/* The INDEX-th place of the unit that calls itself UNIT.  */
#define UMMGR_TRACE_PLACE(UNIT, INDEX) ((uint64_t) (UNIT) << 32 | (uint32_t) (INDEX))

/* A place in the source where something is accessed.  Static data; FILE is never NULL.  */
struct ummgr_trace_place
{
  const char *file;
  uint32_t line, column;	/* 0 if not known.  */
};

/* One reference of a loop that was hoisted: COUNT accesses, the I-th, in the
   loop's I-th iteration, at ADDRESS + I * STRIDE.  */
struct ummgr_trace_ref
{
  uint64_t address;
  int64_t stride;		/* Bytes; may be 0.  */
  uint64_t count;		/* May be 0.  */
  uint32_t how;
  uint32_t work;		/* Other operations before it in an iteration.  */
};

/* The same of a loop around others: in the I-th iteration of that loop (I <
   COUNT[0]), and the J-th of the inner loop (J < COUNT[1]), at
   ADDRESS + I * STRIDE[0] + J * STRIDE[1].  */
struct ummgr_trace_nest_ref
{
  uint64_t address;
  int64_t stride[2];
  uint64_t count[2];
  uint32_t how;
  /* 0: the outer loop's own access, with COUNT[1] 1 and STRIDE[1] 0.  Else the
     inner loop's number: neighbours of the same are interleaved.  */
  uint16_t inner;
  uint16_t work;		/* Other operations before it in an iteration of
				   its loop.  */
};

/* A place in the source: where an object was allocated and for which variable,
   or where a construct stands.  Static data; strings never NULL.  */
struct ummgr_trace_site
{
  const char *name;		/* "domain", "p->left"; "" if none.  */
  const char *file;
  /* What the object's elements look like, "field:offset:size;..." in order of
     offset, where they are structs; else "".  */
  const char *layout;
  uint32_t line;		/* 0 if not known.  */
  uint32_t element_size;	/* Of the variable's pointed-to type; 0 if not
				   known.  */
};

/* A variable with static storage.  */
struct ummgr_trace_static
{
  void *address;
  uint64_t size;
  struct ummgr_trace_site site;
};

/* --- called by generated code, in host and device versions ---------------- */

extern int __ummgr_trace_on;
struct ummgr_trace_thread *__ummgr_trace_enter (void);
void __ummgr_trace_access (struct ummgr_trace_thread *t, uint64_t address,
			   uint32_t how);
/* SIZE contiguous bytes, read or written by one operation (struct assignment,
   memcpy, memset): KIND as above.  */
void __ummgr_trace_range (struct ummgr_trace_thread *t, uint64_t address,
			  uint64_t size, uint32_t kind);
/* All hoisted references of one loop, in the order in which an iteration makes
   them.  The recorder orders them as the loop would.  */
void __ummgr_trace_loop (struct ummgr_trace_thread *t,
			 const struct ummgr_trace_ref *refs, uint32_t n);
/* Those of a nest of loops, in the order in which an iteration of the outer
   loop makes them.  */
void __ummgr_trace_nest (struct ummgr_trace_thread *t,
			 const struct ummgr_trace_nest_ref *refs, uint32_t n);

/* With -fcount: a condition of the code that REGION (ummgr_region_id) runs, PLACE, at LINE,
   came out true (HELD is 1) or not.  On a GPU nobody counts.  Tracing on or not.  */
void __ummgr_trace_decided (uint64_t region, uint64_t place, uint32_t line, uint32_t held);

/* --- called by generated code on the host only ---------------------------- */

/* PTR (NULL is ignored) now has SIZE bytes, from the allocation at SITE.  */
void __ummgr_trace_allocated (void *ptr, uint64_t size,
			      const struct ummgr_trace_site *site);
/* OLD (may be NULL) became NEW (NULL: it failed, OLD stays).  After the call
   to realloc.  */
void __ummgr_trace_resized (void *old, void *ptr, uint64_t size,
			    const struct ummgr_trace_site *site);
/* Before PTR (NULL is ignored) is freed.  */
void __ummgr_trace_freed (void *ptr);
/* PTR came from a function that allocates (attribute malloc): if it is the
   start of an object, SITE says it better than the place in that function.  */
void __ummgr_trace_named (void *ptr, const struct ummgr_trace_site *site);
/* Before a target construct (region, data, update): the calling thread's
   current construct, until the next.  */
void __ummgr_trace_construct (const struct ummgr_trace_site *site);
/* From a constructor of the unit, tracing on or not.  */
void __ummgr_trace_statics (const struct ummgr_trace_static *list,
			    uint64_t count);
/* From a constructor as well: the places of UNIT, which tells it from other units.  */
void __ummgr_trace_places (uint32_t unit, const struct ummgr_trace_place *list,
			   uint64_t count);

/* --- between the program object and libummgr ------------------------------ */

/* What a device runs: host versions, in the simulated driver; code of its own, which reports to
   the buffer; or such code whose reports nobody wants.  */
enum ummgr_trace_runs
{
  UMMGR_TRACE_RUNS_HOST, UMMGR_TRACE_RUNS_REPORTING, UMMGR_TRACE_RUNS_SILENT
};

/* What the program object offers.  Static storage.  */
struct ummgr_trace_program
{
  uint32_t abi;			/* UMMGR_TRACE_ABI.  */
  uint32_t size;		/* Of this struct.  */
  /* Switch the device's copy of the program's tracing on, and give it a buffer
     for accesses if its code reports.  Before the first launch on DEVICE; false:
     it cannot, and regions there run their plain versions.  RUNS: enum
     ummgr_trace_runs.  */
  int (*device_start) (int device, int runs);
  /* After a launch on a real GPU: hand what the buffer holds to SINK, in order,
     and empty it.  Returns how many reports did not fit.  */
  uint64_t (*device_flush) (int device,
			    void (*sink) (void *data, uint64_t address,
					  uint32_t how, uint32_t team,
					  uint32_t thread),
			    void *data);
};

/* What libummgr offers: the functions above, with the same meaning.  */
struct ummgr_trace_runtime
{
  uint32_t abi;
  uint32_t size;
  struct ummgr_trace_thread *(*enter) (void);
  void (*access) (struct ummgr_trace_thread *, uint64_t, uint32_t);
  void (*range) (struct ummgr_trace_thread *, uint64_t, uint64_t, uint32_t);
  void (*loop) (struct ummgr_trace_thread *, const struct ummgr_trace_ref *,
		uint32_t);
  void (*allocated) (void *, uint64_t, const struct ummgr_trace_site *);
  void (*resized) (void *, void *, uint64_t, const struct ummgr_trace_site *);
  void (*freed) (void *);
  void (*named) (void *, const struct ummgr_trace_site *);
  void (*construct) (const struct ummgr_trace_site *);
  void (*statics) (const struct ummgr_trace_static *, uint64_t);
  void (*nest) (struct ummgr_trace_thread *,
		const struct ummgr_trace_nest_ref *, uint32_t);
  /* From version 4 on.  */
  void (*places) (uint32_t, const struct ummgr_trace_place *, uint64_t);
};

/* Exported by libummgr; the program object refers to it weakly and calls it
   once, from a constructor of priority 101.  NULL: nothing is to be traced (or
   another abi, after one warning).  PROGRAM stays valid.  */
const struct ummgr_trace_runtime *
ummgr_trace_attach (const struct ummgr_trace_program *program);

/* Exported by libummgr as well, for __ummgr_trace_decided.  Any thread; takes no lock but
   when it meets a PLACE for the first time.  */
void ummgr_trace_decided (uint64_t region, uint64_t place, uint32_t line, uint32_t held);

#ifdef __cplusplus
}
#endif

#endif
