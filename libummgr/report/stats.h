/* Statistics of a run: collected by the runtime, written as the JSON of
   design section 7.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Counters of devices come from the simulated driver or CUPTI through
   cuda/; this module only accounts them.  Every byte is accounted once: at
   each region begin and end the growth of the device's counters since the
   last such moment goes to the region begun last and still running, or to
   "outside" where none runs.  So the regions and "outside" add up to the
   totals.  Thread-safe: one lock inside.  */

#pragma once

#include "base/counters.h"
#include "base/options.h"
#include "device/figures.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct ummgr_stats_region;	/* One target region, all its calls.  */
struct ummgr_stats_call;	/* One of them, or one data construct.  */

/* What is known when the run starts; strings are copied.  */
struct ummgr_stats_run
{
  const char *gpu;		/* "sim" or "cuda".  */
  const char *profile;		/* NULL on a real GPU.  */
  const char *scaling;
  const char *fidelity;
  const char *order;		/* Of accesses; NULL: a GPU has its own.  */
  int devices;

  /* On a real GPU: the reader counts faults and evictions too (CUPTI).
     Where it doesn't they are left out of the statistics, not given as 0;
     so are the figures that only the simulated driver has.  */
  bool paging_counters;

  /* As in device/device.h: modelled time, of the calling thread and of all that was done;
     NULL: of a GPU nobody models that.  */
  double (*time) (void), (*elapsed) (void);
  /* Of device NUMBER, as in device/device.h; or NULL.  */
  unsigned (*pairs) (int number, uint64_t bytes[][UMMGR_FIGURES_GPUS]);
  bool (*between) (int number, struct ummgr_between *out);
};

/* One on DEVICES of those behind OPS.  */
struct ummgr_device_ops;
struct ummgr_stats_run ummgr_stats_run_on (const struct ummgr_device_ops *ops,
					   int devices);

void ummgr_stats_start (const struct ummgr_options *options,
			const struct ummgr_stats_run *run);

/* What DEVICE is and costs.  */
void ummgr_stats_set_figures (int device, const struct ummgr_figures *figures);

/* How to read a device's counters (cuda/ or a test gives it).  Returns false
   where a device has none; SOFTWARE counters are those of the shim then.  */
typedef bool (*ummgr_stats_reader) (int device, struct ummgr_counters *out);
void ummgr_stats_set_reader (ummgr_stats_reader reader);

/* Find or make the entry of the region whose host function is FN.  FILE may
   be NULL.  Lives until ummgr_stats_finish.  */
struct ummgr_stats_region *ummgr_stats_region_get (const void *fn,
						   const char *name,
						   const char *file, int line);

/* TITLE, which is copied, is what a person calls REGION's function; until that is known its symbol says
   it.  */
void ummgr_stats_region_title (struct ummgr_stats_region *region, const char *title);

/* A region begins or ends on DEVICE, in that order on each thread; the
   returned handle is passed to the end.  Between them the calling thread's modelled
   time goes on by what the call took.  */
struct ummgr_stats_call *
ummgr_stats_region_begin (struct ummgr_stats_region *region, int device);
void ummgr_stats_region_end (struct ummgr_stats_call *call);

/* A call that has begun also runs on DEVICE: what that counts is the region's.  Ends with
   ummgr_stats_region_end.  */
struct ummgr_stats_call *
ummgr_stats_region_further (struct ummgr_stats_region *region, int device);

/* A construct that moves data, at the code address SITE, begins and ends on DEVICE: the
   handle is passed to the end.  What devices count meanwhile is "outside" of regions.  */
enum ummgr_stats_construct
{
  UMMGR_STATS_DATA,
  UMMGR_STATS_ENTER,
  UMMGR_STATS_EXIT,
  UMMGR_STATS_UPDATE,
  UMMGR_STATS_CONSTRUCTS
};
#define UMMGR_STATS_CONSTRUCT_NAMES                                           \
  { "target data", "target enter data", "target exit data", "target update" }

struct ummgr_stats_call *
ummgr_stats_construct_begin (enum ummgr_stats_construct kind, const void *site, int device);
void ummgr_stats_construct_end (struct ummgr_stats_call *call);
/* Of a `target data': its data is there, and the program goes on inside of it; it is about
   to leave.  The end follows.  */
void ummgr_stats_construct_entered (struct ummgr_stats_call *call);
void ummgr_stats_construct_leaves (struct ummgr_stats_call *call);

/* What a device holds: USED bytes in all, of which those objects have most that are in
   HELD.  */
enum { UMMGR_STATS_HELD = 32 };
struct ummgr_stats_held
{
  uint64_t object, bytes;
};
struct ummgr_stats_holdings
{
  uint64_t used;
  size_t count;
  struct ummgr_stats_held held[UMMGR_STATS_HELD];
};

/* Is it time to look what DEVICE holds of OBJECTS objects?  Looking at many is due less
   often, so that a launch costs as much on average whatever there is.  */
bool ummgr_stats_memory_due (int device, size_t objects);
/* At the end: does anybody want it at all?  */
bool ummgr_stats_memory_wanted (void);
/* DEVICE has HOLDINGS; DURING: since the newest call on it began.  */
void ummgr_stats_memory_note (int device, const struct ummgr_stats_holdings *holdings,
			      bool during);
/* One more object of BYTES: HELD keeps the greatest.  */
void ummgr_stats_holdings_add (struct ummgr_stats_holdings *holdings, uint64_t object,
			       uint64_t bytes);

/* CALL ran in PIECES launches, or, as WHY says, in one where more were asked for.
   True if the region has not said that yet: one reason is kept.  */
bool ummgr_stats_region_pieces (struct ummgr_stats_call *call, uint64_t pieces,
				const char *why);

/* The work-shared loops of CALL's region have so many ITERATIONS, as the tables have it.  */
void ummgr_stats_region_trip (struct ummgr_stats_call *call, uint64_t iterations);

/* A target region ran on the host, as there is no GPU, no code for one, or as the
   program asked for it.  Returns how often that was so before.  */
enum ummgr_stats_host
{
  UMMGR_STATS_NO_DEVICE,
  UMMGR_STATS_NO_CODE,
  UMMGR_STATS_HOST_ASKED,
  UMMGR_STATS_HOSTS
};
#define UMMGR_STATS_HOST_KEYS { "no_device", "no_code", "asked" }
uint64_t ummgr_stats_host_region (enum ummgr_stats_host why);

/* The same of its region, whose host function is FN: launches are those that the program asked
   for (ummgr_stats_launched).  */
void ummgr_stats_host_launch (const void *fn);

/* Decisions and the nanoseconds they took.  */
void ummgr_stats_decisions (uint64_t count, uint64_t nanoseconds);
/* Launches for which it was decided on which GPUs what they use lies, and what that took;
   what a launch took may be told in parts, without a launch.  */
void ummgr_stats_layouts (uint64_t launches, uint64_t nanoseconds);

/* The driver was told that what BYTES of managed memory have is of no use.  */
void ummgr_stats_discarded (uint64_t bytes);

/* A mapping found its data on the device, and didn't copy BYTES of it.  */
void ummgr_stats_kept (uint64_t bytes);

/* On DEVICE, PROCESSES others have BYTES of memory, and this one may have ROOM.  */
void ummgr_stats_shared (int device, unsigned processes, uint64_t bytes, uint64_t room);

/* An object that came, and its counters when it went (or at the end).  NAME
   is a variable, a symbol or NULL; WHERE_ALLOCATED is "file:line", a
   function+offset, or NULL.  */
struct ummgr_stats_object
{
  uint64_t id;
  const char *name;
  const char *where_allocated;
  const char *path;		/* "mapped" or "unified".  */
  const char *place;		/* Where it was last.  */
  const char *reason;		/* Why there: the last decision's; or NULL. */
  /* What its last launch went by where accesses depend on data, what the compiler
     expects, and why the first is believed; NULL: the compiler's alone.  */
  double density, density_static;
  const char *density_reason;
  uint64_t size;
  uint64_t base;
  int device;
  uint64_t maps;		/* Times it came into being, or was mapped. */
  uint64_t regions;		/* Region invocations that used it.  */
  uint64_t on_device;		/* Bytes that it had there at the end.  */
  struct ummgr_counters counters;
};
void ummgr_stats_object_done (const struct ummgr_stats_object *object);

/* The statistics so far, as a new reference; NULL without memory.  */
struct json_t *ummgr_stats_json (void);

/* As text, the caller's to free, those of a process with OPTIONS that has not begun; NULL
   without memory.  */
char *ummgr_stats_idle (const struct ummgr_options *options);

/* What the run's trace says, and the functions of diagnose/diagnose.h that say it (the
   statistics link none of them).  */
struct ummgr_diagnosis;
struct ummgr_stats_trace
{
  const struct ummgr_diagnosis *diagnosis;
  struct json_t *(*head) (const struct ummgr_diagnosis *diagnosis);
  struct json_t *(*findings) (const struct ummgr_diagnosis *diagnosis);
  void (*html) (FILE *out, const struct ummgr_diagnosis *diagnosis);
  void (*text) (FILE *out, const struct ummgr_diagnosis *diagnosis);
};

/* For all that is written from now on; TRACE is copied, the diagnosis stays
   the caller's.  NULL: none again.  */
void ummgr_stats_set_trace (const struct ummgr_stats_trace *trace);

/* A region as it will be known by when the program is compiled again
   (include/ummgr-table.h).  */
struct ummgr_stats_launched
{
  const void *host_function;
  const char *unit, *function;
  unsigned ordinal;
  uint32_t checksum;
};

/* How to have all regions of the loaded program told, launched or not (memory/regions.h or a test
   gives it).  */
typedef void (*ummgr_stats_tell) (const struct ummgr_stats_launched *region, void *data);
typedef void (*ummgr_stats_lister) (ummgr_stats_tell tell, void *data);
void ummgr_stats_set_lister (ummgr_stats_lister lister);

/* Has this process run a region, here or there, or had an object?  */
bool ummgr_stats_any (void);

/* Are the statistics for `ummgr run' alone, which wants to know whether all was written?  Then an
   entry for each launch, and findings, would take longer than a trace.  */
bool ummgr_stats_brief (void);

/* FILE was asked for and could not be written, which has been logged.  `ummgr run'
   reads that in the statistics.  */
enum ummgr_stats_file
{
  UMMGR_STATS_TRACE = 1,
  UMMGR_STATS_REPORT = 2
};
void ummgr_stats_unwritten (enum ummgr_stats_file file);

/* What ends the process: exit with STATUS, or SIGNAL.  Nothing is known until this is called.  */
void ummgr_stats_ended (int status, int signal);

/* DEVICE had no BYTES more, and libgomp is told so: a program that fails then may do so for that.
   Any thread, with any lock.  */
void ummgr_stats_refused (int device, uint64_t bytes);

/* Write the JSON to FILE ("-": standard error), or the report that
   report.h describes.  In a child after fork they do nothing: the run is the
   parent's.  Called at exit.  */
enum ummgr_status ummgr_stats_write (const char *file);
enum ummgr_status ummgr_stats_report (const char *file);

/* Put JSON, a json_t, to OUT as it is written to files.  */
void ummgr_stats_dump (FILE *out, const void *json);

/* Free everything; a new start may follow (for tests).  */
void ummgr_stats_finish (void);
