/* The recorder: what libummgr tells it of constructs, copies and objects.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The recorder writes one trace (trace/format.h) of the run.  Instrumented code
   reports its accesses through ummgr-trace-abi.h; what is below are the events that
   libummgr itself sees, which a program without instrumentation has too.

   It keeps shadow memory (shadow.h) of every object it knows and of every
   device copy, and at the end of each phase writes what the shadow says
   (UMMGR_TRACE_FACTS).

   With --trace-level=copies instrumented code stays plain, and what is below is all.

   Every function does nothing while no trace is being written, and may be
   called from any thread, with the manager's lock held or not: none calls back
   into libummgr but for the log.  */

#pragma once

#include "base/options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Is a trace being written?  One relaxed load.  */
extern bool ummgr_record_is_on;
static inline bool
ummgr_record_on (void)
{
  return __builtin_expect (__atomic_load_n (&ummgr_record_is_on,
					    __ATOMIC_RELAXED), 0);
}

/* Begin, if OPTIONS ask for a trace (or for a report, which needs one: then in
   an unnamed file).  From libummgr's constructor.  */
void ummgr_record_start (const struct ummgr_options *options);

/* OPENED is called when the trace's file has been opened.  */
void ummgr_record_when_open (void (*opened) (void));

/* There are COUNT devices, and the driver is open: DEVICE records.  Once, before the
   first launch.  */
void ummgr_record_devices (int count);

/* DEVICE is about to be used for the first time: program objects may want to
   tell it.  Without any lock of ours; may run constructs of its own.  */
void ummgr_record_device (int device);

/* End the last phase and the trace.  The file stays readable through
   ummgr_record_path () until the process ends.  The first error that opening or
   writing it met, which was logged.  */
enum ummgr_status ummgr_record_finish (void);

/* The trace's file name (or that of its descriptor below /proc), or NULL if
   there is none.  */
const char *ummgr_record_path (void);

/* In the child of a fork.  The trace is the parent's; unless OWN is NULL, as
   where the parent has used a device, the child gets one of its own, named there,
   when it first uses one.  */
void ummgr_record_after_fork (const struct ummgr_options *own);

/* A region is launched; returns the launch's number (0 if not recorded), which
   goes to the end.  FUNCTION identifies the region; TITLE and FILE may be NULL.
   ummgr_record_launch_end also cuts a phase where the options say so.  */
uint64_t ummgr_record_launch_begin (const void *function, const char *name, const char *title,
				    const char *file, unsigned line, int device);
void ummgr_record_launch_end (uint64_t launch, int device);

/* The calling thread is at a construct, until it says that it is at another: the one that
   calls libgomp at ADDRESS, of FILE and LINE if the tables have them (else FILE is NULL).
   Instrumented programs say it themselves.  */
void ummgr_record_place (const void *address, const char *file, unsigned line);

/* A clause calls the memory from HOST on NAME, of elements of so many bytes (0: not
   known).  For objects that nothing else has named, or a library's header; these are then where
   the construct stands.  */
void ummgr_record_called (const void *host, const char *name, unsigned element);

/* The program has got an address of DEVICE's, by which it may use the memory there
   otherwise than by launches.  */
void ummgr_record_handed (int device);

/* The calling thread is about to run a kernel on DEVICE, and it has run, while what it
   used is still mapped: there a real GPU's own record of its accesses is fetched.  In
   between no other thread's kernel runs on a real GPU, which the driver would not let
   run at the same time either.  Without any lock of ours or of libgomp's; the second
   calls libgomp.  */
void ummgr_record_run_begin (int device);
void ummgr_record_run_end (int device);

/* With --team-threads: is it in effect?  Then FUNCTION, a region's, is about to be
   launched for a work-shared loop of so many ITERATIONS: as many threads as
   that run it.  */
bool ummgr_record_expects (void);
void ummgr_record_expect (const void *function, uint64_t iterations);

/* Is the calling thread in a construct of the recorder's own?  It is libgomp's alone.  */
bool ummgr_record_quiet (void);
/* Shall what that takes and copies not be counted?  On a simulated GPU it is: the
   driver there counts it, and a replay is to count the same.  */
bool ummgr_record_uncounted (void);

/* Something may have come to DEVICE besides managed memory, or gone.  */
void ummgr_record_taken (int device);

/* How LAUNCH (0: none that is recorded), which has begun, uses the object that
   holds HOST.  */
struct ummgr_hint;
void ummgr_record_use (uint64_t launch, const void *host,
		       const struct ummgr_hint *hint);

/* Device memory [ADDRESS, ADDRESS + SIZE) of DEVICE now is the copy of host
   memory from HOST on, or no longer is.  ADDRESS == HOST: unified memory, for
   which the host's own shadow serves both sides.  An object that the recorder
   doesn't know appears.  LIBGOMP: it made the copy, by no policy's decision.  */
void ummgr_record_present (const void *host, uint64_t address, size_t size,
			   int device, bool libgomp);
void ummgr_record_absent (uint64_t address, size_t size, int device);

/* The same of a variable of DEVICE's own, which no policy places: NAME is declared at FILE and LINE.
   NAME NULL: only what the recorder knows of already is said to be there.  */
void ummgr_record_variable (const void *host, uint64_t address, size_t size, int device,
			    const char *name, const char *file, unsigned line);

/* A variable of SIZE bytes at HOST, which host versions of regions name, will stand there for the
   device's copy wherever there is one.  */
void ummgr_record_linked (uint64_t host, size_t size);

/* The device copy from OLD on is at ADDRESS now, with its contents.  */
void ummgr_record_moved (uint64_t old, uint64_t address, int device);

/* Managed memory came or goes (ummgr_malloc, omp_target_alloc of libummgr).  */
void ummgr_record_managed (void *ptr, size_t size);
void ummgr_record_managed_free (void *ptr);

/* SIZE bytes are about to be copied (in) or were (out), by libummgr or by
   libgomp's plugin; called where the host's side holds the bytes.  */
void ummgr_record_copy_in (const void *host, uint64_t address, size_t size,
			   int device);
/* They were with others, in a copy that each launch needs.  */
void ummgr_record_copy_gathered (const void *host, uint64_t address, size_t size, int device);
void ummgr_record_copy_out (const void *host, uint64_t address, size_t size,
			    int device);

/* Managed memory is sent to DEVICE (or UMMGR_TRACE_HOST), or advised about with
   enum ummgr_trace_advice.  */
void ummgr_record_prefetch (uint64_t address, size_t size, int device);
void ummgr_record_advice (uint64_t address, size_t size, int device,
			  unsigned advice);

/* End the phase, and begin one that is called NAME.  */
void ummgr_record_mark (const char *name);

/* Have all that is known so far in the trace's file, at ummgr_record_path (): the phase ends, if
   anything has happened in it, and goes on by its name.  How many bytes that takes there; 0: there is
   no trace.  */
uint64_t ummgr_record_flush (void);

/* ENDED is called, without any lock, by the thread that ends a phase by a mark or a launch, of which
   PHASE, from 1, is the last part if ummgr_record_flush has cut it.  NULL: nobody is.  */
void ummgr_record_when_phase (void (*ended) (unsigned phase));
