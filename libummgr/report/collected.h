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
#define UMMGR_STATS_OUTSIDE 2048	/* Outside of regions, likewise; */
#define UMMGR_STATS_SPANS 1024	/* `target data', likewise; */
#define UMMGR_STATS_SAMPLES 512	/* what devices held, likewise; */
#define UMMGR_STATS_HOST_SPANS 1024	/* the host alone; */
#define UMMGR_STATS_PLACES 4096	/* places of data constructs.  */
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

/* Data constructs that call libgomp from one address.  */
struct ummgr_stats_place
{
  const void *address;
  enum ummgr_stats_construct kind;
  uint32_t index;		/* In the order of first calls.  */
  uint64_t calls;
  double wall_seconds, elapsed_seconds;
  struct ummgr_counters counters;
  struct ummgr_stats_place *next;	/* In that order.  */
  struct ummgr_stats_place *twin;	/* Of another kind at that address.  */
};

/* How far it is by each clock, in seconds.  */
struct ummgr_stats_moment
{
  double wall;			/* Since the run's start.  */
  double model;			/* How long the device was busy.  */
  double elapsed;		/* The thread's modelled time.  */
};

/* One running invocation of a region, or one data construct: either REGION or PLACE.  */
struct ummgr_stats_call
{
  struct ummgr_stats_region *region;
  struct ummgr_stats_place *place;
  int device;
  bool further;			/* One that has begun on another.  */
  uint64_t sequence;
  struct ummgr_stats_moment from;
  struct ummgr_stats_moment opened;	/* A `target data': when it began.  */
  struct ummgr_counters counters;
  /* On its device; or among open `target data', while the program is inside of it; or
     free.  */
  struct ummgr_stats_call *newer, *older;
};

/* Invocations in a row on one device, merged when there are too many.  Likewise what
   was outside of regions, `target data' from begin to end, and the host alone.  */
struct ummgr_timeline_entry
{
  uint64_t sequence;		/* Of the first.  */
  /* The one that took longest among them; outside of regions a construct's place plus 1,
     or 0; of `target data' its place.  */
  uint32_t region;
  double region_seconds;	/* How long.  */
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

/* What a device held.  */
struct ummgr_stats_sample
{
  struct ummgr_stats_moment from, to;
  struct ummgr_stats_holdings holdings;
};

/* Samples, thinned when there are too many: of two the one with more stays.  */
struct ummgr_stats_memory
{
  struct ummgr_stats_sample *samples;
  size_t count, capacity, limit;
  uint64_t stride, skipped;	/* Occasions to a sample, and since the last.  */
  uint64_t credit;		/* Objects that may be looked at.  */
};

struct ummgr_stats_device
{
  struct ummgr_counters last;	/* As last read.  */
  bool read;			/* The reader knows it.  */
  bool told;			/* What it costs.  */
  struct ummgr_figures figures;
  struct ummgr_stats_call *newest;
  struct ummgr_timeline timeline, outside, spans;
  struct ummgr_stats_moment since;	/* The last that ended there, or was noticed.  */
  struct ummgr_stats_memory memory;
  uint64_t others_bytes, others, room;	/* When other processes had most of it.  */
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
  bool ended;			/* By EXIT_STATUS, or by SIGNAL.  */
  int exit_status, signal;
  int refused_device;		/* Both atomic; 0 bytes: none was.  */
  uint64_t refused_bytes;
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
  void *by_address;		/* JudyL: code address to place.  */
  struct ummgr_stats_place *places, *last_place;
  uint32_t place_count;
  unsigned inside;		/* Calls that run, in all threads.  */
  uint64_t loaded;		/* The process began; nanoseconds as START.  */
  double idle_since;		/* Seconds: no call runs.  */
  double host_seconds;		/* How long none did.  */
  struct ummgr_timeline host;
  struct ummgr_stats_call *open_data;	/* `target data' that the program is in.  */
  struct ummgr_stats_call *free_calls;
  uint64_t sequence;
  uint64_t decisions, decision_ns;
  uint64_t layouts, layout_ns;
  uint64_t kept, kept_bytes, discarded_bytes;
  uint64_t host_regions[UMMGR_STATS_HOSTS];	/* Atomic.  */
  struct ummgr_stats_objects objects;
};

extern struct ummgr_stats ummgr_stats;

/* Read all devices and account their growth.  */
void ummgr_stats_settle_all (void);
/* The same of one: NULL if there is none such.  */
struct ummgr_stats_device *ummgr_stats_settle (int device);

void ummgr_timeline_add (struct ummgr_timeline *timeline,
			 const struct ummgr_timeline_entry *entry);

/* Now, as the calling thread sees DEVICE, which may be NULL.  */
struct ummgr_stats_moment ummgr_stats_now (const struct ummgr_stats_device *device);
/* An entry from FROM to TO, of one call; no region.  */
struct ummgr_timeline_entry
ummgr_timeline_between (const struct ummgr_stats_moment *from,
			const struct ummgr_stats_moment *to,
			const struct ummgr_counters *counters);

/* stats-place.c: the place of constructs of KIND at ADDRESS; NULL without memory.  Lock
   held, as below.  */
struct ummgr_stats_place *ummgr_stats_place_get (enum ummgr_stats_construct kind,
						 const void *address);
void ummgr_stats_places_free (void);

/* stats-memory.c.  */
void ummgr_stats_memory_add (struct ummgr_stats_memory *memory,
			     const struct ummgr_stats_sample *sample);
void ummgr_stats_memory_free (struct ummgr_stats_memory *memory);

void ummgr_stats_objects_add (struct ummgr_stats_objects *objects,
			      const struct ummgr_stats_object *object,
			      size_t limit);
void ummgr_stats_objects_free (struct ummgr_stats_objects *objects);

/* stats-decided.c: how the conditions of the region with ID came out, as a new array; NULL:
   nobody counted any.  */
struct json_t *ummgr_stats_decided (uint64_t id);
/* Forget them.  */
void ummgr_stats_decided_free (void);
