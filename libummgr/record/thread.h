/* A thread of the traced program, as the recorder sees it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Belongs to its thread, but for the list.  */

#pragma once

#include "record/recorder.h"

#include <string.h>

enum
{
  UMMGR_RECORD_CELLS = 256,	/* Power of two.  */
  UMMGR_RECORD_SMALL = 64,
  UMMGR_RECORD_SPANS = 8
};

/* A page or sector of an object that was reported lately, or a range that is
   in no object.  */
struct ummgr_record_cell
{
  uint64_t lo;
  uint32_t size;		/* 0: empty.  */
  uint32_t kinds;		/* Of access, or-ed; UMMGR_RECORD_HEAP.  */
};

/* The cell is of an allocation: what follows it up to a multiple of 16 bytes is
   in no object.  */
#define UMMGR_RECORD_HEAP 8u

struct ummgr_record_known
{
  uint64_t lo, hi;		/* Addresses.  */
  uint64_t object, offset;	/* Of LO; 0: no object.  */
  uint64_t size;		/* Of the object.  */
  bool heap;
};

/* Of a variable that host versions of regions name: the device's is DELTA on.  */
struct ummgr_record_here
{
  uint64_t lo, size, delta;
};

struct ummgr_record_thread
{
  struct ummgr_trace_thread base; /* First.  */
  bool live;
  bool gpu;
  bool device;			/* It is the device, which tells of what is counted.  */
  bool alone;			/* No other thread of its side reports, and no
				   launch is under way.  */
  bool has_seen;		/* BASE.seen is not empty.  */
  uint32_t seen_parts[3];	/* Which 32nds of it aren't.  */
  bool busy;			/* Reporting: a signal handler's reports on top
				   of that are dropped.  */
  uint64_t epoch;
  const uint8_t (*kinds)[256];	/* What accesses of its side do.  */
  /* Where they go with access fidelity, or NULL.  */
  void (*forward) (uintptr_t, int64_t, uint64_t, uint32_t, unsigned);
  const struct ummgr_device_place *place;
  const struct ummgr_device_place *(*place_from) (void);
  uint64_t accesses;
  uint64_t worked;		/* Of BASE.work, what was reported.  */
  struct ummgr_trace_stream *stream;
  struct ummgr_device_place own;	/* On the CPU: its number.  */
  struct ummgr_record_thread *next, **link;
  unsigned next_known, next_here;
  struct ummgr_record_known known[UMMGR_RECORD_SPANS];
  struct ummgr_record_here here[UMMGR_RECORD_SPANS];
  /* Direct-mapped.  A cell found here is not reported again until another has
     taken its place, or a new launch or phase begins: as a TLB does, this
     hides hits.  Which cells a launch touches is in the trace, how often is
     not.  */
  struct ummgr_record_cell cells[UMMGR_RECORD_CELLS];
  /* Small objects in one page drive each other out of there; here they are by
     where they begin.  */
  struct ummgr_record_cell small[UMMGR_RECORD_SMALL];
  /* What was in CELLS at the same place before, so that two arrays that go
     along together do not drive each other out; and ends of cells that began
     in the page before, as objects don't begin where pages do.  */
  struct ummgr_record_cell ends[UMMGR_RECORD_CELLS];
  /* Without a filter, no object is in the cells; only what was written last is
     not written again.  */
  struct ummgr_record_cell last;
};

/* T reports N accesses.  Others may ask how many there were (ummgr_record_accesses). */
static inline void
ummgr_record_count (struct ummgr_record_thread *t, uint64_t n)
{
  __atomic_store_n (&t->accesses, t->accesses + n, __ATOMIC_RELAXED);
}

/* What T has done since this was asked, besides accesses.  */
static inline uint64_t
ummgr_record_work (struct ummgr_record_thread *t)
{
  uint64_t work = t->base.work - t->worked;
  t->worked = t->base.work;
  return work;
}

/* The epoch has changed.  False: there is nothing to report to.  */
bool ummgr_record_refresh (struct ummgr_record_thread *t);

static inline bool
ummgr_record_ready (struct ummgr_record_thread *t)
{
  return __builtin_expect (
	   t->epoch == __atomic_load_n (&ummgr_record.epoch, __ATOMIC_RELAXED),
	   1)
	 || ummgr_record_refresh (t);
}

static inline struct ummgr_record_cell *
ummgr_record_cell_of (struct ummgr_record_thread *t, uint64_t address)
{
  /* Folded, not multiplied: the distance of two arrays must not decide for all
     of their pages that they meet.  */
  uint64_t number = address >> ummgr_record.grain_shift;
  number ^= number >> 8 ^ number >> 16;
  return &t->cells[number % UMMGR_RECORD_CELLS];
}

static inline struct ummgr_record_cell *
ummgr_record_small_cell_of (struct ummgr_record_thread *t, uint64_t lo)
{
  return &t->small[(lo >> 2) * 0x9e3779b97f4a7c15ull >> 58];
}

static inline bool
ummgr_record_cell_has (const struct ummgr_record_cell *cell, uint64_t address,
		       unsigned kind)
{
  return address - cell->lo < cell->size && (kind & ~cell->kinds) == 0;
}

/* T marks words by other ways than single accesses: any (others may write there
   meanwhile, the same 0),  */
static inline void
ummgr_record_forget_seen (struct ummgr_record_thread *t)
{
  if (__builtin_expect (t->has_seen, 0))
    {
      enum { PART = UMMGR_TRACE_SEEN / 32 };
      for (int i = 0; i < 3; i++)
	{
	  for (uint32_t parts = t->seen_parts[i]; parts; parts &= parts - 1)
	    memset (&t->base.seen[i][__builtin_ctz (parts) * PART], 0,
		    PART * sizeof t->base.seen[i][0]);
	  t->seen_parts[i] = 0;
	}
      __atomic_store_n (&t->has_seen, false, __ATOMIC_RELAXED);
    }
}

/* or lines of [AT, END): those of blocks that sampling leaves out aren't there,  */
static inline void
ummgr_record_forget_lines_of (struct ummgr_record_thread *t, uint64_t at, uint64_t end)
{
  const uint64_t line = 1 << UMMGR_TRACE_LINE_SHIFT, block = 1 << UMMGR_TRACE_SAMPLE_SHIFT;
  for (at &= -line; at < end; at += line)
    if (!ummgr_trace_sampled (at, t->base.mask))
      at |= block - line;
    else
      for (int i = 0; i < 3; i++)
	__atomic_store_n (&t->base.seen[i][(at >> UMMGR_TRACE_LINE_SHIFT)
					   % UMMGR_TRACE_SEEN],
			  0, __ATOMIC_RELAXED);
}

/* or COUNT elements of SIZE bytes, STRIDE apart.  */
static inline void
ummgr_record_forget_elements (struct ummgr_record_thread *t, uint64_t address,
			      int64_t stride, uint64_t count, uint64_t size)
{
  enum { FEW = 64 };		/* Lines; more are cleared with all others.  */
  const uint64_t line = 1 << UMMGR_TRACE_LINE_SHIFT;
  if (__builtin_expect (!t->has_seen, 1) || !count)
    return;
  uint64_t span = (count - 1) * (stride < 0 ? -(uint64_t) stride
				 : (uint64_t) stride);
  if (span + size <= FEW * line)
    {
      address -= stride < 0 ? span : 0;
      size += span;
      count = 1;
    }
  if (count * (size / line + 2) > FEW)
    {
      ummgr_record_forget_seen (t);
      return;
    }
  for (; count; count--, address += (uint64_t) stride)
    ummgr_record_forget_lines_of (t, address, address + size);
}

/* What T's launch has at ADDRESS, by which host versions of regions name a variable of the
   device's own.  */
uint64_t ummgr_record_there_slowly (struct ummgr_record_thread *t, uint64_t address);

static inline uint64_t
ummgr_record_there (struct ummgr_record_thread *t, uint64_t address)
{
  uint64_t lo = __atomic_load_n (&ummgr_record.variables_lo, __ATOMIC_RELAXED);
  uint64_t hi = __atomic_load_n (&ummgr_record.variables_hi, __ATOMIC_RELAXED);
  return __builtin_expect (address - lo < hi - lo && t->gpu && !t->device, 0)
    ? ummgr_record_there_slowly (t, address) : address;
}

/* ADDRESS, in a chunk, is in no cell of T with KIND: report it, and remember.
   The end of what needs no more report.  */
uint64_t ummgr_record_miss (struct ummgr_record_thread *t, uint64_t address,
			    unsigned kind);

/* The trace's part of accesses of KIND to all of [LO, HI).  */
static inline void
ummgr_record_touch (struct ummgr_record_thread *t, uint64_t lo, uint64_t hi,
		    unsigned kind)
{
  while (lo < hi)
    {
      const struct ummgr_record_cell *cell = ummgr_record_cell_of (t, lo);
      if (__builtin_expect (ummgr_record_cell_has (cell, lo, kind), 1))
	lo = cell->lo + cell->size;
      else
	lo = ummgr_record_miss (t, lo, kind);
    }
}

/* Does the device model the launch that T is in?  */
static inline bool
ummgr_record_modelled (const struct ummgr_record_thread *t)
{
  return __builtin_expect (ummgr_record.report != NULL, 0) && t->gpu && t->place->step;
}

/* record/modelled.c.  Then.  */
void ummgr_record_modelled_access (struct ummgr_record_thread *t, uint64_t address,
				   uint32_t how);
void ummgr_record_modelled_range (struct ummgr_record_thread *t, uint64_t address,
				  uint64_t size, unsigned kind);
void ummgr_record_modelled_loop (struct ummgr_record_thread *t,
				 const struct ummgr_trace_ref *refs, uint32_t n);
void ummgr_record_modelled_nest (struct ummgr_record_thread *t,
				 const struct ummgr_trace_nest_ref *refs, uint32_t n);

/* record/loop.c.  */
void ummgr_record_loop (struct ummgr_trace_thread *base,
			const struct ummgr_trace_ref *refs, uint32_t n);

/* record/nest.c.  */
void ummgr_record_nest (struct ummgr_trace_thread *base,
			const struct ummgr_trace_nest_ref *refs, uint32_t n);

/* record/alloc.c.  */
void ummgr_record_allocated (void *ptr, uint64_t size,
			     const struct ummgr_trace_site *site);
void ummgr_record_resized (void *old, void *ptr, uint64_t size,
			   const struct ummgr_trace_site *site);
void ummgr_record_freed (void *ptr);
void ummgr_record_named (void *ptr, const struct ummgr_trace_site *site);
void ummgr_record_construct (const struct ummgr_trace_site *site);
void ummgr_record_statics (const struct ummgr_trace_static *list,
			   uint64_t count);
/* A trace has no use for them.  */
void ummgr_record_places (uint32_t unit, const struct ummgr_trace_place *list, uint64_t count);
