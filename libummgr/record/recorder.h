/* Between the recorder's files.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Locks, in this order: ummgr_record.lock (objects, spans, copies, phases,
   regions), then the writer's.  Reports of accesses take it only where a
   thread meets a page or an object for the first time since the epoch.  */

#pragma once

#include "record/record.h"
#include "record/shadow-map.h"
#include "trace/write.h"

#include "device/device.h"

#include <pthread.h>

#pragma GCC visibility push(hidden)

struct ummgr_record_object;

/* A place in the source; strings live to the end.  */
struct ummgr_record_site
{
  const char *name, *file, *layout;
  uint32_t line, element_size;
};

/* A copy into a device: its outcome, as far as it is known.  */
struct ummgr_record_copy
{
  uint64_t number;
  uint64_t left;		/* Pieces.  */
  uint64_t words, unused, overwritten;
};

/* Words that COPY was the last to bring.  */
struct ummgr_record_piece
{
  uint64_t first, end;		/* Words by address.  */
  struct ummgr_record_copy *copy;
};

/* What pages have done.  */
struct ummgr_record_paging
{
  uint64_t gpu_faults, cpu_faults, in, out, evictions;
};

/* Addresses that are a part of an object: its own, or a device copy's.  */
struct ummgr_record_span
{
  uint64_t lo, hi;
  struct ummgr_record_object *object;
  uint64_t offset;		/* Of LO in the object.  */
  int device;			/* UMMGR_TRACE_HOST: the object itself.  */
  struct ummgr_record_span *next; /* Another copy of the object.  */
  struct ummgr_record_piece *pieces; /* By address, disjoint.  */
  size_t piece_count, piece_room;
  /* Of those whose pages are counted (record/faults.c): neighbours in their list, or
     NULL, and what was told.  */
  struct ummgr_record_span **pages_link, *pages_next;
  struct ummgr_record_paging pages;
};

struct ummgr_record_object
{
  struct ummgr_record_span host;
  struct ummgr_record_span *copies;
  uint64_t id;
  uint32_t flags;		/* enum ummgr_trace_object_flag.  */
  bool announced;		/* Its OBJECT record was written.  */
  bool mapped_only;		/* Known by a mapping only.  */
  bool called;			/* SITE is what a clause calls it.  */
  bool guessed;			/* SITE's name is made of a symbol that says more or less.  */
  const struct ummgr_record_site *site;
};

struct ummgr_record
{
  pthread_mutex_t lock;
  struct ummgr_options options;
  struct ummgr_trace_writer *writer; /* NULL: accesses go to the simulator. */
  /* NULL until devices are known, and on a GPU.  */
  const struct ummgr_device_place *(*place) (void);
  /* Access fidelity: where accesses on the GPU's side go.  */
  void (*forward) (uintptr_t, int64_t, uint64_t, uint32_t, unsigned);
  /* And those of a launch that the device models by them; or NULL.  */
  void (*report) (const struct ummgr_trace_nest_ref *, uint32_t, uint64_t);
  /* Changes with all that makes what threads remember wrong: phases, launches,
     objects.  Atomic.  */
  uint64_t epoch;
  uint64_t mask;		/* Of sampling.  */
  uint32_t grain, grain_shift;
  bool filter;			/* What cells hide stays out of the trace.  */
  bool light;			/* No accesses are asked for.  */
  bool instrumented;		/* The host's accesses are reported.  */
  bool watched;			/* The devices' are, by the device itself.  */
  bool shadowed;		/* One of the two: there is shadow memory.  */
  /* Of DEVICE: the launch begun last; are its accesses seen?  Atomic.  */
  uint64_t launch[UMMGR_DEVICES_MAX];
  bool seen[UMMGR_DEVICES_MAX];
  /* All variables lie between these that host versions of regions name, where a GPU has a copy of
     its own; they only ever grow apart.  Atomic.  */
  uint64_t variables_lo, variables_hi;
  uint64_t objects;		/* That are there now.  Atomic.  */
  uint64_t launches;		/* All.  */
  uint64_t under_way;		/* Of them; atomic.  */
  uint64_t phase_launches;	/* In this phase.  */
  uint32_t phase;
  bool untold;			/* One has ended, maybe by a question, since
				   somebody was told of one.  */
  uint64_t accesses;		/* Of threads that have ended.  */
};

extern struct ummgr_record ummgr_record;

/* What a thread is about.  */
struct ummgr_record_context
{
  const struct ummgr_record_site *construct;
  uint64_t launch;		/* Begun by this thread.  */
  bool quiet;			/* In the program object's own constructs.  */
  bool runs;			/* A kernel on a real GPU: holds its lock.  */
};
extern __thread struct ummgr_record_context ummgr_record_context
  __attribute__ ((tls_model ("initial-exec")));

/* Is a trace being written by this process, and this thread's part wanted?
   Opens it at the first call.  */
bool ummgr_record_tracing (void);

/* A device is about to be used: a child of a fork begins its trace.  */
void ummgr_record_resume (void);

/* Write RECORD with the time.  */
void ummgr_record_write (struct ummgr_trace_record *record);

/* record/thread.c.  What threads remember is wrong from now on.  */
void ummgr_record_new_epoch (void);
/* States of words were changed behind the threads' backs.  */
void ummgr_record_forget_lines (void);

static inline bool
ummgr_record_seen (int device)
{
  return ummgr_record.shadowed && device >= 0
    && device < UMMGR_DEVICES_MAX
    && __atomic_load_n (&ummgr_record.seen[device], __ATOMIC_RELAXED);
}

/* record/site.c.  Lock held.  A lasting copy; the same for the same place.  */
const struct ummgr_record_site *
ummgr_record_site_of (const struct ummgr_trace_site *site);
/* TEXT for good; "" for NULL.  */
const char *ummgr_record_text (const char *text);

/* record/object.c.  All with the lock held.  */

/* The span that holds ADDRESS, or NULL.  */
struct ummgr_record_span *ummgr_record_find (uint64_t address);
/* The span with the least address not below ADDRESS, or NULL.  */
struct ummgr_record_span *ummgr_record_next (uint64_t address);
/* [ADDRESS, ADDRESS + SIZE) is a new object; what was there is gone.  */
struct ummgr_record_object *
ummgr_record_appear (uint64_t address, uint64_t size, uint32_t flags,
		     const struct ummgr_record_site *site);
/* The object of host memory that is being mapped: made if it is not known.  */
struct ummgr_record_object *ummgr_record_mapped (uint64_t address,
						 uint64_t size);
/* A device copy of [OFFSET, OFFSET + SIZE) of OBJECT at ADDRESS.  */
struct ummgr_record_span *
ummgr_record_add_copy (struct ummgr_record_object *object, uint64_t offset,
		       uint64_t address, uint64_t size, int device);
/* OBJECT, a device copy, goes: outcomes, facts, then the record.  */
void ummgr_record_drop_copy (struct ummgr_record_span *span);
void ummgr_record_drop (struct ummgr_record_object *object);
/* Write OBJECT's record, if it was not.  */
void ummgr_record_announce (struct ummgr_record_object *object);
/* A better place than that of the allocation.  */
void ummgr_record_rename (struct ummgr_record_object *object,
			  const struct ummgr_record_site *site);

/* Are SPAN's accesses sampled by other addresses than its own?  Host versions of regions name
   variables by the host's; then nothing is said of what became of it.  */
static inline bool
ummgr_record_blind (const struct ummgr_record_span *span)
{
  const struct ummgr_record *r = &ummgr_record;
  uint64_t at = span->object->host.lo + span->offset;
  return r->mask && !r->watched && span->device != UMMGR_TRACE_HOST
	 && at - r->variables_lo < r->variables_hi - r->variables_lo;
}

/* record/faults.c.  Lock held.  SPAN, which the device knows by its address, came or
   goes; what all pages did is LAUNCH's (0: the host's, behind the construct before).  */
void ummgr_record_pages_come (struct ummgr_record_span *span);
void ummgr_record_pages_go (struct ummgr_record_span *span);
void ummgr_record_pages_count (uint64_t launch, int device);

/* record/copy.c.  Lock held.  What devices have of the variable at HOST is there.  */
void ummgr_record_variable_there (uint64_t host);

/* record/copy.c.  Lock held.  The words [FIRST, END) of SPAN get other
   contents: say what became of those that copies brought.  */
void ummgr_record_outcomes (struct ummgr_record_span *span, uint64_t first,
			    uint64_t end);

/* record/phase.c.  Lock held.  Write what SPAN's shadow says, if it says
   anything, and begin anew.  True if it did.  */
bool ummgr_record_facts (struct ummgr_record_span *span);
/* End the phase because of CAUSE; the next one is called NAME.  An empty one
   goes on, but for a last one (NAME is NULL), and takes the name.  */
void ummgr_record_end_phase (const char *cause, const char *name);
/* A phase shall have ended: the one to tell of, or 0.  Then, without the lock, do so.  */
uint32_t ummgr_record_untold (void);
void ummgr_record_tell_phase (uint32_t phase);

/* record/launch.c.  Without the lock.  */
void ummgr_record_programs_add (const struct ummgr_trace_program *program);

/* record/thread.c.  */
/* For programs of version ABI.  */
const struct ummgr_trace_runtime *ummgr_record_runtime_for (uint32_t abi);
/* Operations of the calling thread, in a launch that the device models, since it was
   asked or reported.  */
uint64_t ummgr_record_worked (void);
/* Accesses that all threads have reported.  */
uint64_t ummgr_record_accesses (void);
/* In the child of a fork only the calling thread is left.  */
void ummgr_record_threads_after_fork (void);
/* The trace was opened: the calling thread's accesses go there from now on.  */
void ummgr_record_thread_resume (void);
/* Is the calling thread the only one that may report, until the epoch changes or,
   if it holds the lock, until that is free?  */
bool ummgr_record_alone (void);
/* An access at PLACE, of a GPU's own code.  One thread at a time.  */
void ummgr_record_gpu_access (const struct ummgr_device_place *place,
			      uint64_t address, uint32_t how);

/* record/steps.c.  As in struct ummgr_device_watch (device/device.h).  */
void ummgr_record_shape (int device, const struct ummgr_device_shape *shape);
void ummgr_record_area (int device, const struct ummgr_device_area *area);
void ummgr_record_steps (int device, uint32_t team, const void *bytes, size_t size);

#pragma GCC visibility pop

/* What is on each device that was used: record/launch.c.  */
void ummgr_record_taken_last (void);
