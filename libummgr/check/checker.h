/* Between the checker's files.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   One lock, CHECKER.LOCK, guards what lies where and what was found; accesses take it where they
   meet something for the first time since that changed, and where they find something.  */

#pragma once

#include "check/check.h"
#include "check/shadow.h"
#include "check/things.h"

#include "device/device.h"
#include "ummgr-trace-abi.h"

#include <pthread.h>

#pragma GCC visibility push(hidden)

enum { UMMGR_CHECK_KNOWN = 32 };

/* As enum ummgr_trace_access_kind (trace/format.h).  */
enum { UMMGR_CHECK_READ = 1, UMMGR_CHECK_WRITE = 2, UMMGR_CHECK_ATOMIC = 4 };

/* Addresses of which a thread knows what they are.  */
struct ummgr_check_known
{
  uint64_t lo, hi;
  uint64_t delta;		/* An address's home is so much further.  */
  struct ummgr_check_section *section; /* Or NULL: memory of the device's alone.  */
  bool plain;			/* Nothing is known of it.  */
};

struct ummgr_check_thread
{
  struct ummgr_trace_thread base; /* First.  */
  bool live;
  bool busy;			/* A signal handler's reports on top are dropped.  */
  bool looking;			/* Nothing is found: what is looked at is yet to be reported.  */
  const struct ummgr_device_place *place;
  const struct ummgr_device_place *(*place_from) (void);
  uint64_t epoch;
  unsigned next, last;		/* Of KNOWN.  */
  struct ummgr_check_known known[UMMGR_CHECK_KNOWN];
  uint32_t unit, unit_first;	/* Whose places begin at which number.  */
  uint32_t at;			/* The number of the place of the access at hand,  */
  uint64_t element;		/* and the bytes of one, of which it may be many.  */
};

struct ummgr_checker
{
  pthread_mutex_t lock;
  struct ummgr_options options;
  uint64_t epoch;		/* Changes with what lies where.  Atomic.  */
  const struct ummgr_device_place *(*place) (void); /* NULL before devices are known.  */
  const struct ummgr_check_region *region; /* That runs, or ran last.  */
  uint32_t launch;		/* 1 to 65535; atomic.  */
};

extern struct ummgr_checker ummgr_checker;

static inline void
ummgr_check_new_epoch (void)
{
  __atomic_add_fetch (&ummgr_checker.epoch, 1, __ATOMIC_RELEASE);
}

/* --- findings.c ------------------------------------------------------------- */

enum ummgr_check_fault
{
  UMMGR_CHECK_NOT_MAPPED,	/* Host memory, from a region.  */
  UMMGR_CHECK_NULL,		/* A pointer of which nothing is mapped.  */
  UMMGR_CHECK_BEYOND,		/* What is mapped.  */
  UMMGR_CHECK_FREED,
  UMMGR_CHECK_STALE_HOST,
  UMMGR_CHECK_STALE_DEVICE,
  UMMGR_CHECK_UNSET_HOST,	/* Nobody has written it.  */
  UMMGR_CHECK_UNSET_DEVICE,
  UMMGR_CHECK_RACE
};

struct ummgr_check_finding
{
  enum ummgr_check_fault fault;
  uint32_t place, other;	/* Numbers of places; OTHER 0: none.  */
  unsigned kind;
  /* What it is of: its name and where that is; the first access's offset and bytes; and what is
     mapped, if MAPPED_HI.  */
  const char *name, *file;
  unsigned line;
  uint64_t offset, size, mapped_lo, mapped_hi;
  const struct ummgr_check_region *region; /* That does it, or has written; or NULL.  */
  unsigned teams[2];
  uint64_t times;		/* Elements; 0: one.  */
};

/* One more access.  The lock is held.  */
void ummgr_check_found (const struct ummgr_check_finding *finding);
/* UNIT's places; *FIRST_P is the number of the first one, of COUNT, or 0 if none is known.  */
void ummgr_check_places (uint32_t unit, const struct ummgr_trace_place *list, uint64_t count);
uint32_t ummgr_check_places_first (uint32_t unit);
/* Does place number PLACE stand at REGION's directive?  */
bool ummgr_check_is_directive (uint32_t place, const struct ummgr_check_region *region);
/* Fill what FINDING says of the object at HOST, which is OFFSET into SECTION or in none.  */
void ummgr_check_name (struct ummgr_check_finding *finding,
		       const struct ummgr_check_section *section, uint64_t host);
/* Write all; how many there are.  */
unsigned ummgr_check_findings_write (enum ummgr_status *status_p);
/* The program is about to crash: have them written now.  */
void ummgr_check_findings_rescue (void);

/* --- access.c --------------------------------------------------------------- */

const struct ummgr_trace_runtime *ummgr_check_runtime (void);

/* --- race.c ----------------------------------------------------------------- */

/* T's team accesses bytes that have a chunk, SIZE at HOME, of SECTION (or NULL).  */
void ummgr_check_race (struct ummgr_check_thread *t, struct ummgr_check_section *section,
		       uint64_t home, uint64_t size, unsigned kind);
/* What T's team did before is seen by who makes such an operation later.  */
void ummgr_check_race_order (const struct ummgr_check_thread *t);
void ummgr_check_race_launch (void);

#pragma GCC visibility pop
