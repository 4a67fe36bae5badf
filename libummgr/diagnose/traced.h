/* Inside the diagnosis: what is kept of each object while a trace is read.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   diagnose.c reads the trace and hands each record on: objects to
   diagnose/objects.c, facts to diagnose/facts.c, copies to diagnose/copies.c,
   accesses to diagnose/pages.c.  Then diagnose/find.c makes the
   findings, diagnose/words.c and diagnose/transfer.c (of copies) their words.

   Everything comes from one arena.  When there is no memory, NO_MEMORY is set
   and the functions do nothing from then on.  */

#pragma once

#include "diagnose/diagnose.h"
#include "base/human.h"
#include "record/shadow.h"
#include "trace/read.h"

/* --- memory (diagnose/arena.c) -------------------------------------------- */

struct ummgr_arena
{
  struct ummgr_trace_limit *limit; /* Of the memory, or NULL.  */
  void *chunks;
  size_t used, room;		/* Of the last chunk.  */
  bool failed;
  size_t string_count, string_room;
  const char **strings;		/* Of the arena, each once; by hash.  */
};

/* Zeroed; NULL without memory.  */
void *ummgr_arena_get (struct ummgr_arena *arena, size_t size);
/* Like realloc, for an array that grows by doubling from 4 elements.  */
bool ummgr_arena_grow (struct ummgr_arena *arena, void *array_p, size_t count,
		       size_t *room, size_t element);
/* The one copy of TEXT (NULL is ""): equal strings have equal addresses.
   Never NULL.  */
const char *ummgr_arena_string (struct ummgr_arena *arena, const char *text);
__attribute__ ((format (printf, 2, 3))) const char *
ummgr_arena_print (struct ummgr_arena *arena, const char *format, ...);
void ummgr_arena_free (struct ummgr_arena *arena);

/* A table of numbers by number (not 0): open addressing.  */
struct ummgr_number_table
{
  size_t count, room;
  struct { uint64_t key; void *value; } *entries;
};

/* Where KEY's value is or goes (NULL: new); NULL without memory.  */
void **ummgr_number_slot (struct ummgr_number_table *table, uint64_t key);
void *ummgr_number_find (const struct ummgr_number_table *table, uint64_t key);
void ummgr_number_forget (struct ummgr_number_table *table, uint64_t key);

/* --- what is kept --------------------------------------------------------- */

/* Which cells of an object's picture had something, in any phase.  */
struct ummgr_cells_seen
{
  uint32_t cells;		/* 0: none yet; pictures of another division
				   are left out.  */
  bool mixed;			/* Some were.  */
  uint64_t cell_words;
  uint64_t offset;
  uint64_t gpu_wrote[UMMGR_TRACE_CELLS_MAX / 64];
  uint64_t gpu[UMMGR_TRACE_CELLS_MAX / 64];
  uint64_t alternating[UMMGR_TRACE_CELLS_MAX / 64];
};

/* What copies of one object, asked for at one place, waste in one way.  */
struct ummgr_waste
{
  enum ummgr_finding_kind kind;
  const char *file;
  uint32_t line;
  uint32_t phase, last_phase, phases;
  uint64_t times;
  uint64_t bytes, of_bytes;	/* Wasted, and of so many copied.  */
  double seconds;
  const char *out_file;		/* ROUND_TRIP: as of a finding; NULL: not one place.  */
  uint32_t out_line;
  uint64_t kept_bytes;		/* Likewise.  */
  double kept_seconds;
  uint64_t detail;		/* EARLY_COPY, OVERLAP: launches.  */
  uint32_t first_pages, last_pages; /* OVERLAP out.  */
  bool out;			/* Of the device.  */
  bool reused;			/* The device's copy had stayed; EARLY_COPY:
				   nothing uses it.  */
};

/* A range of an object that was copied, and what was in it.  */
struct ummgr_slot
{
  uint64_t copy;		/* The last one's number.  */
  int32_t device;
  uint64_t offset, size;
  uint64_t in_hash, out_hash;	/* Of the last copies; 0: not comparable.  */
  struct ummgr_pending *waiting; /* The last copy to the device, if launches alone say
				   whether it was used.  */
  bool held;			/* It was copied, and didn't go since.  */
  bool needed;			/* The last copy out may have been, or is blamed on something
				   else.  */
  uint64_t out_epoch;		/* When that was.  */
  const char *out_file;		/* And where; NULL: there was none.  */
  uint32_t out_line;
};

/* A copy to the device whose outcome is not known yet.  */
struct ummgr_pending
{
  struct ummgr_traced *object;
  uint64_t size;
  const char *file;
  uint32_t line, phase;
  int32_t device;
  int again;			/* enum ummgr_finding_kind, or -1.  */
  bool reused;
  bool gathered;		/* Without it there is the same number of copies.  */
  bool kept;			/* Nobody needed the copy to the host before it.  */
  const char *out_file;		/* Where that was made, if it is one again; or NULL.  */
  uint32_t out_line;
  uint64_t launches;		/* Of the device, before.  */
  uint64_t copy, before;	/* Numbers of copies; 0: none.  */
  struct ummgr_pending *next;	/* Unused ones.  */
};

/* Device copies of ranges of an object that were taken away, the last few.  */
enum { UMMGR_TAKEN_AWAY = 8 };
struct ummgr_away
{
  int32_t device;
  uint64_t offset, size;
};

/* Pages of an object: who used them (diagnose/pages.c).  */
struct ummgr_page
{
  uint32_t first;		/* Launch that used it first since the copy. */
  uint32_t last;		/* Launch that used it last.  */
  uint16_t handovers;		/* Between host and device.  */
  uint16_t turn;		/* FIRST's turn: launches of its region, from
				   the first that used the object.  */
  uint8_t side;
  bool written;			/* By the device, since the copy.  */
};

struct ummgr_region_use
{
  uint64_t region;
  uint32_t base;		/* Launch of the region, counted from 1, that
				   first used the object since the copy.  */
  uint32_t launches;		/* That used it, in all.  */
  uint32_t first, last;		/* Pages used by the first and the last.  */
  bool grew;
};

enum { UMMGR_REGIONS_USED = 6 };

struct ummgr_pages
{
  unsigned shift;
  size_t count;
  struct ummgr_page *pages;
  /* Of each page's last access: launches begun, side, and whether it wrote.
     Apart, so that what is looked at for every access stays in the cache.  */
  uint32_t *stamps;
  /* The launch that uses the object now.  */
  uint32_t launch, distinct;
  uint16_t turn;
  struct ummgr_region_use *region;
  struct ummgr_region_use regions[UMMGR_REGIONS_USED];
  unsigned region_count;
  /* The last bulk copy.  */
  bool copied;
  uint64_t offset, size;
  const char *file;
  uint32_t line, phase;
  int32_t device;
  uint32_t at;			/* Launches begun before it.  */
  uint64_t uses;		/* Pages used by each launch since, summed.  */
  uint32_t users;		/* Launches since that used it.  */
  uint32_t first_user, last_user;
};

/* What a region's map clause calls an object.  */
struct ummgr_called
{
  const char *file;		/* The region's.  */
  uint32_t line;
  const char *name;
};

struct ummgr_traced
{
  struct ummgr_traced_object o;
  size_t order;
  struct ummgr_traced *same;	/* While not live: the next of its kind.  */
  uint64_t kind;		/* A hash of name and place, as they were at
				   first.  */
  bool live;
  bool unified;
  bool on_device;
  bool variable;		/* Of the device's own: `declare target'.  */
  bool device_used;		/* By an access or a fact.  */
  bool read_mostly, mapped;	/* Advice in force.  */
  const char *file;		/* The first construct.  */
  uint32_t line;
  int32_t device;		/* The last that held it.  */

  size_t facts_room;
  struct ummgr_cells_seen *host_cells, *device_cells;
  /* Alternating accesses.  */
  uint32_t alternating_phase, alternating_last, alternating_phases;
  uint64_t alternating_words;	/* In the phase that has most.  */
  uint64_t alternating_cost;	/* Pages times phases.  */
  uint8_t alternating_states;	/* Or-ed.  */
  uint64_t alternating_cpu;	/* Words that the CPU wrote among them.  */
  /* Values of the CPU's that the GPU overwrote.  */
  uint64_t overwritten, written;
  uint32_t overwritten_phase;
  /* Density in the phases in which the device used it.  */
  uint32_t used_phases, used_last, low_phases, low_phase;
  uint64_t low_accessed, low_touched; /* Words, summed over low phases.  */
  uint64_t low_most, low_sum;	/* Untouched bytes: of one phase, of all.  */
  uint64_t low_blocks;		/* Touched, summed over low phases.  */
  double densest;

  size_t slot_count, slot_room, slot_next;
  struct ummgr_slot *slots;
  size_t here;			/* Of its copies on a device, and launches before.  */
  int32_t here_on;
  uint64_t here_since;
  struct ummgr_away away[UMMGR_TAKEN_AWAY];
  size_t away_next;
  size_t moved_count, moved_room; /* Places where it moved.  */
  struct ummgr_moved *moved;
  size_t called_count, called_room;
  struct ummgr_called *called;
  size_t waste_count, waste_room;
  struct ummgr_waste *waste;
  uint64_t useless;		/* The last copy that was not used at all.  */
  uint16_t handovers;		/* The most of a page.  */
  uint64_t largest_out;		/* Bytes of one copy to the host.  */
  uint64_t host_epoch;		/* When the host last accessed it.  */
  struct ummgr_pages *pages;
  double cost;			/* Of its findings.  */
};

/* A launch that is going on or was not long ago.  */
struct ummgr_recent
{
  uint64_t launch, region;
  uint32_t turn;		/* Launch of its region, from 1.  */
  uint32_t index;		/* Launch of all, from 1.  */
};

enum { UMMGR_RECENT = 256, UMMGR_DEVICES_TOLD = 64 };

/* What accesses of a slot have in common, for those that lie in the object's
   page in whole.  */
struct ummgr_slot_pages
{
  uint64_t epoch;		/* When it was made.  */
  uint64_t below;		/* First offset of those that don't fit; 0: none
				   fits.  */
  uint32_t *stamps;
  struct ummgr_traced *object;
  uint32_t reach;		/* Bytes to an access's last.  */
  uint32_t stamp;
  unsigned shift;
};

struct ummgr_diagnosing
{
  struct ummgr_diagnosis d;	/* First: what is handed out.  */
  struct ummgr_diagnose_options options;
  struct ummgr_arena arena;
  struct ummgr_trace_limit *limit; /* The reader's.  */
  struct ummgr_number_table ids; /* Objects, gone ones too.  */
  struct ummgr_traced **small_ids; /* Those below SMALL_IDS, of these.  */
  size_t small_room;
  struct ummgr_number_table copies; /* ummgr_pending by copy.  */
  struct ummgr_number_table kinds; /* ummgr_traced that are gone, by kind.  */
  struct ummgr_number_table region_index;
  struct ummgr_pending *free_pending;
  uint64_t last_id;		/* Of the access before.  */
  struct ummgr_traced *last;
  size_t object_room, device_room, region_room, phase_room, finding_room;
  struct ummgr_traced **all;
  uint32_t launch_index;
  struct ummgr_recent recent[UMMGR_RECENT];
  uint64_t last_launch;		/* Of the access before.  */
  struct ummgr_recent *launch;
  /* Slots of accesses, good as long as nothing but accesses of one launch
     comes and the slots mean the same.  */
  uint64_t epoch, batch_epoch, batch_launch;
  struct ummgr_slot_pages slots[UMMGR_TRACE_SLOTS];
  /* Launches of each device that have begun, and those under way.  */
  uint64_t begun[UMMGR_DEVICES_TOLD];
  struct ummgr_trace_taken taken[UMMGR_DEVICES_TOLD]; /* So far.  */
  uint32_t under_way[UMMGR_DEVICES_TOLD];
  bool handed[UMMGR_DEVICES_TOLD]; /* Others than launches may use its memory.  */
  uint64_t phase_launches;
  size_t facts_bytes;		/* Of what phases left behind.  */
  bool phase_open;		/* It has facts.  */
};

static inline uint32_t
ummgr_diagnose_phase (const struct ummgr_diagnosing *g)
{
  return g->d.phase_count + 1;
}

/* Costs; 0 if DEVICE's rates are not known.  WHOLE: the copy need not be made
   at all, and its latency goes too.  */
double ummgr_diagnose_copy_cost (const struct ummgr_diagnosing *g,
				 int32_t device, uint64_t bytes, bool out,
				 bool whole);
const struct ummgr_trace_device *
ummgr_diagnose_device (const struct ummgr_diagnosing *g, int32_t device);

/* Do BYTES of a copy of SIZE count?  */
bool ummgr_diagnose_matters (const struct ummgr_diagnosing *g, uint64_t bytes,
			     uint64_t size);

/* Has the trace, which may be sampled or lack accesses, seen enough of an object of SIZE
   to say what was not accessed?  */
bool ummgr_diagnose_seen (const struct ummgr_diagnosing *g, uint64_t size);

/* diagnose/objects.c  */
void ummgr_diagnose_object (struct ummgr_diagnosing *g,
			    const struct ummgr_trace_object *object);
void ummgr_diagnose_gone (struct ummgr_diagnosing *g, uint64_t id);
void ummgr_diagnose_present (struct ummgr_diagnosing *g,
			     const struct ummgr_trace_present *p, bool absent);
void ummgr_diagnose_advice (struct ummgr_diagnosing *g,
			    const struct ummgr_trace_move *move);
void ummgr_diagnose_use (struct ummgr_diagnosing *g,
			 const struct ummgr_trace_use *use);
struct ummgr_traced *ummgr_diagnose_find (struct ummgr_diagnosing *g,
					  uint64_t id);
/* What T is called at FILE:LINE; NULL if that is not known.  */
const char *ummgr_diagnose_called (const struct ummgr_traced *t,
				   const char *file, uint32_t line);

/* diagnose/facts.c  */
void ummgr_diagnose_facts (struct ummgr_diagnosing *g,
			   const struct ummgr_trace_facts *facts);

/* diagnose/light.c: traces without accesses.  */

/* Do launches alone say what was used?  */
bool ummgr_diagnose_by_launches (const struct ummgr_diagnosing *g);
/* Launches of DEVICE so far, for a question later on; and has one run since?  Yes also if
   it can't be told.  */
uint64_t ummgr_diagnose_launches (const struct ummgr_diagnosing *g, int32_t device);
bool ummgr_diagnose_launched (const struct ummgr_diagnosing *g, int32_t device,
			      uint64_t since);
void ummgr_diagnose_begun (struct ummgr_diagnosing *g, int32_t device, bool finished);
void ummgr_diagnose_handed (struct ummgr_diagnosing *g, int32_t device);
/* A device copy of T comes or goes.  */
void ummgr_diagnose_here (struct ummgr_diagnosing *g, struct ummgr_traced *t,
			  const struct ummgr_trace_present *p, bool absent);
/* The object goes, or the trace ends.  */
void ummgr_diagnose_here_end (struct ummgr_diagnosing *g, struct ummgr_traced *t);
void ummgr_diagnose_faults (struct ummgr_diagnosing *g,
			    const struct ummgr_trace_faults *faults);
/* T's place for what moves at FILE:LINE; NULL without memory.  */
struct ummgr_moved *ummgr_diagnose_moved (struct ummgr_diagnosing *g, struct ummgr_traced *t,
					  const char *file, uint32_t line, bool behind);
/* All of them, in order.  */
void ummgr_diagnose_moved_end (struct ummgr_diagnosing *g);

/* diagnose/copies.c  */
void ummgr_diagnose_copy (struct ummgr_diagnosing *g,
			  const struct ummgr_trace_move *move);
void ummgr_diagnose_outcome (struct ummgr_diagnosing *g,
			     const struct ummgr_trace_outcome *outcome);
/* Counts of all copies so far.  */
void ummgr_diagnose_taken (struct ummgr_diagnosing *g, const struct ummgr_trace_taken *taken);
void ummgr_diagnose_copies_end (struct ummgr_diagnosing *g);
/* The device's copy of the range went; NULL: the object goes, or the trace ends.  */
void ummgr_diagnose_copies_gone (struct ummgr_diagnosing *g, struct ummgr_traced *t,
				 const struct ummgr_trace_present *p);
struct ummgr_waste *
ummgr_diagnose_waste (struct ummgr_diagnosing *g, struct ummgr_traced *t,
		      enum ummgr_finding_kind kind, bool out,
		      const char *file, uint32_t line, uint32_t phase);

/* diagnose/pages.c  */
void ummgr_diagnose_accesses (struct ummgr_diagnosing *g,
			      const struct ummgr_trace_batch *batch);
void ummgr_diagnose_launch (struct ummgr_diagnosing *g,
			    const struct ummgr_trace_launch *launch);
/* The region of LAUNCH, while it runs; NULL if that is not known.  */
const struct ummgr_trace_region *
ummgr_diagnose_region (struct ummgr_diagnosing *g, uint64_t launch);
/* A copy to the device begins a new account of the range.  */
void ummgr_diagnose_pages_copied (struct ummgr_diagnosing *g,
				  struct ummgr_traced *t,
				  const struct ummgr_trace_move *move,
				  const char *file);
/* Did the device write in the range since it was copied in?  */
bool ummgr_diagnose_pages_written (struct ummgr_diagnosing *g,
				   const struct ummgr_traced *t,
				   uint64_t offset, uint64_t size);
/* The object goes, or the trace ends.  */
void ummgr_diagnose_pages_end (struct ummgr_diagnosing *g,
			       struct ummgr_traced *t);

/* diagnose/find.c, diagnose/words.c  */
void ummgr_diagnose_findings (struct ummgr_diagnosing *g);
/* A new finding about T; of where it was allocated, until told better.  NULL without
   memory.  */
struct ummgr_finding *ummgr_diagnose_add (struct ummgr_diagnosing *g, struct ummgr_traced *t,
					  enum ummgr_finding_kind kind);
/* How many costs F has: what is worth a word comes first.  */
bool ummgr_diagnose_worth (const struct ummgr_diagnosing *g, const struct ummgr_finding *f);
/* Does all unified memory fit the device?  Then a page goes there once, else
   again in each phase.  */
bool ummgr_diagnose_fits (const struct ummgr_diagnosing *g);
/* What else helps where words of T alternate that the host alone writes.  */
const char *ummgr_diagnose_own_copy (struct ummgr_diagnosing *g, const struct ummgr_traced *t);
void ummgr_diagnose_transfer (struct ummgr_diagnosing *g,
			      struct ummgr_traced *t,
			      const struct ummgr_waste *w,
			      struct ummgr_finding *finding);

struct ummgr_stretch;
/* "#pragma omp", or what begins a directive in FILE.  */
const char *ummgr_diagnose_directive (const char *file);
/* "a[first:length]" of O, called NAME there, with figures if it is KNOWN; in Fortran "a(first:last)".  */
const char *ummgr_diagnose_some (struct ummgr_diagnosing *g, const struct ummgr_traced_object *o,
				 const char *name, const struct ummgr_stretch *known);
/* "input_cuda[0:1024]", or what comes nearest: all of O, which is called NAME
   there.  In Fortran that is its name.  */
const char *ummgr_diagnose_section (struct ummgr_diagnosing *g,
				    const struct ummgr_traced_object *o,
				    const char *name);
/* What goes with an update that nobody waits for at once.  */
#define UMMGR_DIAGNOSE_DEPEND ", with depend clauses there and where it is used, and " \
  "before the host changes it"
/* " (estimated from 1/64 of the blocks)", or "".  */
const char *ummgr_diagnose_estimated (struct ummgr_diagnosing *g);

/* Names of the words in the cells that BITS has (or, if not WANTED, has not):
   fields, or elements.  "" if there is nothing to tell.  BYTES: how much there
   is of them, more than whole cells show; 0 if not known.  */
const char *ummgr_diagnose_elements (struct ummgr_diagnosing *g,
				     const struct ummgr_traced *t,
				     const struct ummgr_cells_seen *cells,
				     const uint64_t *bits, bool wanted,
				     uint64_t bytes);

/* The bytes of T from the first cell that BITS has to the end of the last, and
   those that CELLS are of; false if they are not known.  */
struct ummgr_stretch { uint64_t lo, hi, all; };
bool ummgr_diagnose_stretch (const struct ummgr_traced *t,
			     const struct ummgr_cells_seen *cells,
			     const uint64_t *bits, struct ummgr_stretch *out);
