/* ummgr's public interface.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A program needs none of this: ummgr works on unchanged OpenMP code.  These
   calls are for programs that want managed memory without a map clause, that
   want to know what their run's trace says before it is over, or which library they
   run with.  */

#ifndef UMMGR_H
#define UMMGR_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define UMMGR_VERSION_MAJOR 0
#define UMMGR_VERSION_MINOR 1

/* Allocate SIZE bytes that host code and target regions share by address
   (CUDA managed memory where a device is there, malloc otherwise).  The
   memory is uninitialised and aligned for any type; free it with ummgr_free
   only.  NULL and errno ENOMEM on failure.  Any thread.  */
void *ummgr_malloc (size_t size);

/* Free memory from ummgr_malloc; NULL is ignored.  No target region may be
   using it.  Any thread.  */
void ummgr_free (void *ptr);

/* End a phase of the trace, and begin one that is called NAME (NULL: it has no
   name): at this point, what has happened to each object since the last mark is
   written down, and counting begins anew.  So a program is cut into the parts
   that its programmer thinks in, as XPlacer's diagnostic pragma does: after
   initialisation, in each time step, before output.  The first phase begins
   with the program and has no name, the last one ends with it.

   Does nothing, at the cost of a call, while no trace is made (ummgr run
   --trace or --report).  Host code only, outside target regions; any thread,
   but what others do meanwhile may fall into either phase.  Looks at one byte
   for each 4 bytes of every object that was used.  Cannot fail: NAME is copied
   and cut at 16383 bytes, and an empty phase is not written.  */
void ummgr_mark (const char *name);

/* The three calls that follow are XPlacer's interface for a running program (section III-C): what
   its run's trace says so far.  They do nothing, and return 0, while no trace is made (ummgr
   run --trace or --report), and then cost a call.  Else each reads the trace from its begin, in which
   the accesses of the last launches and of the host are only once a phase has ended: the
   first two end it, as ummgr_mark does, unless nothing has happened in it, and it goes on by
   its name.  Host code only, outside target regions; any thread, one at a time, the others wait;
   what other threads do meanwhile may be in it or not.  */

/* Write the report so far to OUT, as text: findings, objects, their facts.  1: it is written; 0: there
   is no trace, and nothing was; -1 and errno: OUT or the trace failed, after a message where it
   was the trace.  OUT stays the caller's, and is not flushed.  */
int ummgr_report_now (FILE *out);

/* What is known of an object so far.  Words are of 4 bytes, and are counted once for each phase in
   which it happens to them; bytes are those of copies for map clauses and updates.  */
struct ummgr_object_facts
{
  char name[64];		/* The variable, cut; "" if it is not known.  */
  uint64_t size;		/* Bytes.  */
  int host_known;		/* The host's accesses are in the trace: else what is the
				   host's below is 0, and unknown.  */
  int device_known;		/* The same of devices'.  */
  int unified;			/* Host and device share its words; else these are the host's
				   own, and those of the devices' copies.  */
  uint64_t host_wrote, device_wrote;
  /* Read by the second, as written by the first.  */
  uint64_t host_to_host, host_to_device, device_to_host, device_to_device;
  uint64_t alternating;		/* Of unified memory: accessed by both, and written.  */
  double density;		/* Of the words, how many devices accessed, 0 to 1, on average
				   over the phases in which anybody used it; -1: none did.  */
  uint64_t copied_in, copied_out; /* Bytes.  */
  uint64_t copies;
};

/* What is known of the object that holds PTR, a host address, into OUT.  1: it is there; 0: there
   is no trace, or nothing of such an object in it; -1 and errno: the trace failed, after a
   message.  OUT is all zero then.  */
int ummgr_object_facts (const void *ptr, struct ummgr_object_facts *out);

/* A finding: what of the program moves data in vain, as reports have it.  */
struct ummgr_phase_finding
{
  const char *kind;		/* "alternating" ...  */
  const char *object;		/* The variable.  */
  const char *file;		/* Where to change something; "" and 0: not known.  */
  unsigned line;
  uint64_t bytes;		/* That need not move.  */
  double seconds;		/* What that takes, modelled; 0: not known.  */
  const char *what, *change;	/* A sentence each.  */
};

/* A phase that has ended.  */
struct ummgr_phase_end
{
  unsigned phase;		/* From 1.  */
  const char *name;		/* "" if it has none.  */
  size_t count;			/* Findings of the run so far, the most expensive first.  */
  const struct ummgr_phase_finding *findings;
};

/* Have FUNCTION called with DATA at each phase's end but the last, which ends with the program, by the
   thread that ends it: by ummgr_mark, or after a region (ummgr run --phase); of one that the two
   calls above have cut, at the end of its last part.  All that it is given
   holds until it returns.  It may call the two above, but launches no regions, and phases that end
   meanwhile are not told.  NULL: no more calls.  The last call counts.  1: so it will be; 0: there
   is no trace.  */
typedef void ummgr_phase_function (const struct ummgr_phase_end *end, void *data);
int ummgr_on_phase (ummgr_phase_function *function, void *data);

/* "MAJOR.MINOR.PATCH" of the library in use; static storage.  */
const char *ummgr_version (void);

#ifdef __cplusplus
}
#endif

#endif
