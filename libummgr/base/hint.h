/* What is known of a use of an object in a launch: one structure, from the
   compiler's tables to policies, traces and the device.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include <stdbool.h>
#include <stdint.h>

/* What is known of one object's use in one launch, from the compiler's tables
   and from what was seen so far (hints/hints.h fills it).  SC'19 section 4; design
   section 4.  */
struct ummgr_hint
{
  /* Of the fields below; what is not known is 0 (or -1, where it says so).  */
  bool known;
  bool read, write;
  bool overwritten;		/* Fully, before it is read.  */
  bool only_read;		/* By all regions that are known to use the object: what policies
				   do for it would only be slower were it not so.  */
  bool estimated;		/* Locality and density are estimates.  */
  double locality;		/* RL: accesses in this launch.  */
  double density;		/* Accessed bytes by the object's size; each
				   byte counts once.  -1: not known.  */
  double density_most;		/* What it can be at most, where a guess at how
				   often something happens is in it that nothing
				   stands behind; else it is no more.  */
  double density_sc19;		/* As SC'19 section 4.2 has it: bytes per
				   iteration by trip count by size; may be above
				   1.  -1: not known.  */
  uint64_t lo, hi;		/* The range that is accessed, bytes; 0, 0: not
				   known, all of it.  */
  double global_locality;	/* GL: the sum of RF by RL over regions.  */
  double frequency;		/* RF: launches of the region in a run; 0: not known.  */
  bool first;			/* It is the region's first that uses the object.  */
  /* Region invocations until the next use of the object (1: the next region);
     INFINITY: never again; -1: not known.  */
  double reuse_static;		/* SC'19 section 4.3, from the flow graph: what
				   is expected on average.  */
  double reuse_likely;		/* From there, too: one whole number that is
				   right as often as can be (flow/flow.h).  0: not
				   known.  */
  double reuse_seen;		/* From the sequence of this run.  */
  const char *reason;		/* Why something is not known; or NULL.  */
  /* DENSITY is what the run has shown of data-dependent accesses: of what is not
     on the device yet, in what the driver moves (hints/data.h).  */
  bool corrected;
  double density_static;	/* The compiler's, if CORRECTED.  */
  const char *name;		/* The variable, as in the source; or NULL.  */
  double density_program;	/* As DENSITY, of all launches that use the
				   object together; -1: not known.  */
  double scatter;		/* Where only some iterations use the object:
				   the places of it, in what the driver moves,
				   that one such iteration goes to; or 0.  */
  /* Bytes that the device reads and writes over the link if the object stays on
     the host, each page of what is accessed once.  0: not known.  */
  double remote;
  double remote_most;		/* What it can be at most, where guesses are at
				   their worst, and no cache keeps what is accessed
				   again; INFINITY: nobody knows.  */
  double remote_program;	/* In all launches that use the object.  */
  /* What comes between this launch and the next that uses the object.  */
  bool host_known;		/* Else what follows is the worst.  */
  bool host_reads, host_writes;	/* The host may.  */
  bool host_silent;		/* It may read without telling before (__ummgr_host_reads).  */
  bool own;			/* UMMGR_LIVE_OWN, of all of it.  */
  bool dead;			/* Nobody reads what the region leaves there. */
  double host_next;		/* How probable it is that the host goes over
				   the object first.  */
  int64_t stride;		/* Bytes from what one iteration accesses to what
				   the next does; 0: not known, or the arguments of
				   the object differ, or nobody asked.  */
};

#define UMMGR_HINT_UNKNOWN						\
  { .density = -1, .density_sc19 = -1, .reuse_static = -1,		\
    .reuse_seen = -1, .density_program = -1 }

/* The bytes [*LO_P, *HI_P) of an object of SIZE that HINT is of; all of it where
   the range is not known or not in it.  */
static inline void
ummgr_hint_range (const struct ummgr_hint *hint, uint64_t size, uint64_t *lo_p,
		  uint64_t *hi_p)
{
  *hi_p = hint->hi && hint->hi <= size ? hint->hi : size;
  *lo_p = hint->lo < *hi_p ? hint->lo : 0;
}

/* Does nobody read what the launch leaves there, and nobody write there before it is used next?  */
static inline bool
ummgr_hint_is_dead (const struct ummgr_hint *hint)
{
  return hint->known && hint->dead && hint->host_known && !hint->host_writes;
}

/* Regions from it to the next use: INFINITY: none; -1: not known.  */
static inline double
ummgr_hint_next_use (const struct ummgr_hint *hint)
{
  return hint->reuse_likely > 0 ? hint->reuse_likely : hint->reuse_static;
}
