/* The checker: a region's mistakes, found where they are made (--check).
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   An instrumented program's accesses come to it instead of to the recorder; what is below are
   the events that libummgr itself sees.  It finds
   - a region that touches what is not mapped, beyond a section, or after it was freed;
   - a read, on either side, of what the other side has written since the last copy, or of device
     memory that nothing was written to;
   - teams of a launch that use the same bytes, one of them writing, and no atomic operation,
     lock or fence says in which order.
   What it doesn't know it doesn't report.

   All does nothing while ummgr_check_on () is false.  Any thread; none of these calls libgomp or
   the driver, so that any lock of theirs may be held.  */

#pragma once

#include "base/options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ummgr_trace_program;
struct ummgr_trace_runtime;

/* The exit status of a program that would have exited with 0, had nothing been found.  */
enum { UMMGR_CHECK_STATUS = 99 };

extern bool ummgr_check_is_on;
static inline bool
ummgr_check_on (void)
{
  return __builtin_expect (__atomic_load_n (&ummgr_check_is_on, __ATOMIC_RELAXED), 0);
}

/* Begin, if OPTIONS ask for it.  From libummgr's constructor.  */
void ummgr_check_start (const struct ummgr_options *options);

/* PROGRAM is instrumented: what it is to call, or NULL after a message.  */
const struct ummgr_trace_runtime *ummgr_check_attach (const struct ummgr_trace_program *program);

/* There are devices, and the driver is open.  Before the first launch.  */
void ummgr_check_devices (void);

/* DEVICE is about to be used: programs may have to tell it, by constructs of their own, for which
   ummgr_check_quiet () is true.  No lock is held.  */
void ummgr_check_device (int device);
bool ummgr_check_quiet (void);
static inline bool
ummgr_check_watches (void)
{
  return ummgr_check_on () && !ummgr_check_quiet ();
}

/* Write what was found; once.  */
enum ummgr_status ummgr_check_finish (void);

/* In the child of a fork nothing is checked.  */
void ummgr_check_after_fork (void);

/* --- memory of devices ------------------------------------------------------ */

/* A block of libgomp's: [ADDRESS, ADDRESS + SIZE), with BEFORE and AFTER bytes around it that are
   nobody's.  It was freed, and will not be another's; now it may be.  */
void ummgr_check_allocated (int device, uint64_t address, size_t size, size_t before, size_t after);
void ummgr_check_freed (int device, uint64_t address);
void ummgr_check_gone (int device, uint64_t address);

/* What the calling thread allocates now is the program's own (omp_target_alloc), or no longer.  */
void ummgr_check_own (bool own);

/* What such a block is filled with.  */
enum { UMMGR_CHECK_FILL = 0xa5 };

/* SIZE bytes are about to be copied from HOST to ADDRESS, were copied from there, or within the
   device.  */
void ummgr_check_copied_in (int device, uint64_t address, const void *host, size_t size);
void ummgr_check_copied_out (int device, uint64_t address, const void *host, size_t size);
void ummgr_check_copied_within (int device, uint64_t to, uint64_t from, size_t size);

/* --- constructs ------------------------------------------------------------- */

/* The calling thread is in a construct, whose copies are for its clauses, or no longer.  */
void ummgr_check_construct (bool in);

enum ummgr_check_map
{
  UMMGR_CHECK_FRESH = 1,	/* It was not there before,  */
  UMMGR_CHECK_COPIED = 2,	/* and has the host's bytes.  */
  UMMGR_CHECK_ALONE = 4		/* Nothing else is in its block.  */
};

/* Host memory [HOST, HOST + SIZE) is at ADDRESS of DEVICE.  HOW: enum ummgr_check_map.  NAME: what
   the clause calls it, or NULL.  */
void ummgr_check_mapped (const void *host, uint64_t address, size_t size, int device, unsigned how,
			 const char *name);
/* The sections that begin at HOST no longer are.  */
void ummgr_check_unmapped (const void *host, int device);
/* Is one known that begins at HOST, for the device?  */
bool ummgr_check_knows (const void *host, int device);
/* Is one known that has any of the SIZE bytes at HOST?  */
bool ummgr_check_knows_any (const void *host, size_t size, int device);

/* HOST, a variable of SIZE bytes, is one of the device's own as well.  */
void ummgr_check_variable (const void *host, size_t size);

/* The region NAME, of FILE (may be NULL) and LINE, is launched.  One runs at a time.  */
void ummgr_check_launch (const char *name, const char *file, unsigned line);
void ummgr_check_launched (void);
/* Of that launch: the pointer NAME (may be NULL) has HOST, of which nothing is mapped: the
   region sees a null pointer.  */
void ummgr_check_unset (const void *host, const char *name);
