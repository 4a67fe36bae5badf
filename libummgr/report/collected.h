/* Inside the statistics: what stats.c collects and stats-json.c writes.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Everything here is guarded by the one lock, ummgr_stats.lock.  */

#pragma once

#include "report/stats.h"

#include <pthread.h>
#include <sys/types.h>
#include <time.h>

/* Bounds that keep a long run's statistics small.  */
#define UMMGR_STATS_TIMELINE 4096	/* Entries, over all devices.  */
#define UMMGR_STATS_OBJECTS 10000
#define UMMGR_STATS_DEVICES 64

/* Iterations of a region's work-shared loops, of those launches whose arguments say it.  */
struct ummgr_stats_trips
{
  uint64_t count, min, max;
  double sum;
};

struct ummgr_stats_region
{
  const void *function;		/* The host's.  */
  char *name, *file, *title;
  int line;
  uint32_t index;		/* In the order of first calls.  */
  uint64_t calls;
  uint64_t pieces;		/* Of one call, at most; 0: nobody asked.  */
  char *whole;			/* Why one ran in no pieces, or NULL.  */
  struct ummgr_stats_trips trips;
  double wall_seconds, elapsed_seconds;
  struct ummgr_counters counters;
  struct ummgr_stats_region *next;	/* In that order.  */
};

/* One running invocation.  */
struct ummgr_stats_call
{
  struct ummgr_stats_region *region;
  int device;
  bool further;			/* One that has begun on another.  */
  uint64_t sequence;
  uint64_t wall_start;		/* Nanoseconds.  */
  double model_start, elapsed_start;
  struct ummgr_counters counters;
  struct ummgr_stats_call *newer, *older;	/* On its device, or free.  */
};

/* Invocations in a row on one device, merged when there are too many.  */
struct ummgr_timeline_entry
{
  uint64_t sequence;		/* Of the first.  */
  uint32_t region;		/* The one that took longest among them,  */
  double region_seconds;	/* and how long.  */
  uint64_t calls;
  double model_start, model_end;	/* How long its device was busy.  */
  double elapsed_start, elapsed_end;	/* The thread's modelled time.  */
  double wall_start, wall_end;	/* Seconds since the run's start.  */
  struct ummgr_counters counters;
};

struct ummgr_timeline
{
  struct ummgr_timeline_entry *entries;
  size_t count, capacity, limit;
  uint64_t stride;		/* Invocations to an entry.  */
};

struct ummgr_stats_device
{
  struct ummgr_counters last;	/* As last read.  */
  bool read;			/* The reader knows it.  */
  bool told;			/* What it costs.  */
  struct ummgr_figures figures;
  struct ummgr_stats_call *newest;
  struct ummgr_timeline timeline;
};

/* An object, or all those of one allocation site.  */
struct ummgr_stats_record
{
  struct ummgr_stats_object object;	/* Owns its strings.  */
  uint64_t merged;
};

struct ummgr_stats_objects
{
  struct ummgr_stats_record *records;
  size_t count, capacity;
  uint64_t seen;
  void *sites;			/* JudySL: site to index, once merging.  */
  bool merging;
  size_t other;			/* Number plus 1 of what takes the rest.  */
};

struct ummgr_stats
{
  pthread_mutex_t lock;
  bool started;
  struct timespec began;	/* The process, as file systems tell time. */
  pid_t pid;
  unsigned unwritten;		/* Of enum ummgr_stats_file.  */
  uint64_t start;		/* Nanoseconds.  */
  struct ummgr_options options;	/* Owns its strings.  */
  struct ummgr_stats_run run;	/* Likewise.  */
  ummgr_stats_reader reader;
  ummgr_stats_lister lister;
  struct ummgr_stats_device devices[UMMGR_STATS_DEVICES];
  void *by_function;		/* JudyL: host function to region.  */
  void *on_host;		/* JudyL: host function to launches on the host.  */
  struct ummgr_stats_region *regions, *last_region;
  uint32_t region_count;
  struct ummgr_counters outside;
  struct ummgr_stats_call *free_calls;
  uint64_t sequence;
  uint64_t decisions, decision_ns;
  uint64_t layouts, layout_ns;
  uint64_t host_regions[UMMGR_STATS_HOSTS];	/* Atomic.  */
  struct ummgr_stats_objects objects;
};

extern struct ummgr_stats ummgr_stats;

/* Read all devices and account their growth.  */
void ummgr_stats_settle_all (void);

void ummgr_timeline_add (struct ummgr_timeline *timeline,
			 const struct ummgr_timeline_entry *entry);

void ummgr_stats_objects_add (struct ummgr_stats_objects *objects,
			      const struct ummgr_stats_object *object,
			      size_t limit);
void ummgr_stats_objects_free (struct ummgr_stats_objects *objects);

/* stats-decided.c: how the conditions of the region with ID came out, as a new array; NULL:
   nobody counted any.  */
struct json_t *ummgr_stats_decided (uint64_t id);
/* Forget them.  */
void ummgr_stats_decided_free (void);
