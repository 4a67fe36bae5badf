/* GOMP_target_ext, interposed: a target region.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Puts a region's steps in order: begin, plan, apply, launch, end.  Owns no
   state.  */

#include "config.h"
#include "gomp/hooks/defer.h"
#include "gomp/abi.h"
#include "gomp/hooks/interpose.h"
#include "gomp/hooks/launch.h"
#include "gomp/real.h"
#include "device/device.h"
#include "hints/hints.h"
#include "hints/turns.h"
#include "base/live.h"
#include "base/process.h"
#include "process/lifecycle.h"
#include "base/log.h"
#include "check/check.h"
#include "memory/holdings.h"
#include "memory/kept.h"
#include "memory/mapping.h"
#include "memory/plan.h"
#include "memory/regions.h"
#include "memory/statics.h"
#include "report/stats.h"
#include "split/gpus.h"
#include "split/split.h"
#include "split/straight.h"
#include "split/stream.h"
#include "tables/tables.h"
#include "record/libgomp.h"
#include "record/record.h"

#include <string.h>

UMMGR_INTERPOSED void GOMP_target_ext (int, void (*) (void *), size_t, void **,
				       size_t *, unsigned short *, unsigned,
				       void **, void **);

struct launch
{
  struct ummgr_manager *manager;
  struct ummgr_region *region;
  const struct ummgr_clauses *clauses;
  struct ummgr_mapping mapping;
  uint64_t construct;		/* Its number.  */
  struct ummgr_region_view view;
  struct ummgr_hint hints[UMMGR_LAUNCH_HINTS_MAX];
  struct ummgr_launch_data data;
  struct ummgr_pieces pieces;	/* On its device; COUNT is at least 1.  */
  struct ummgr_gpus_launch over; /* Several GPUs, or another one: else it has none.  */
  struct ummgr_stream stream;	/* In these pieces; or it has no object.  */
  struct ummgr_straight straight; /* What of its data is not mapped; or it has none.  */
  struct ummgr_stats_call *further[UMMGR_PARTS_GPUS]; /* On these, for the statistics.  */
  bool spreads;			/* It may go over several, unless  */
  bool apart;			/* others may run beside it.  */
  bool streams;			/* Its data may come in slices.  */
  bool straights;		/* What it alone maps may, without being mapped.  */
  const char *why;		/* It runs as a whole; or NULL.  */
};

/* What the tables have of the region, if the policy asks for it; or NULL.  */
static const struct ummgr_table_region *
known_region (const struct launch *launch)
{
  return launch->manager->executor.policy->hints
    ? ummgr_tables_region (launch->region->function) : NULL;
}

static bool
stream_always (void)
{
  return ummgr_process.options.stream[0] == 'a';
}

/* LAUNCH of KNOWN with CLAUSES, as split/straight.h has it; in PIECES, as far as that is known; BYTES are mapped.  */
static struct ummgr_straight_launch
straight_launch (const struct launch *launch, const struct ummgr_table_region *known,
		 const struct ummgr_clauses *clauses, const struct ummgr_pieces *pieces, uint64_t bytes)
{
  return (struct ummgr_straight_launch) {
    .manager = launch->manager, .known = known, .clauses = clauses, .pieces = *pieces, .name = launch->region->name,
    .bytes = bytes, .always = stream_always ()
  };
}

/* Where the device has no room for what CLAUSES, LAUNCH's, map, some of that goes in slices straight from the program's
   memory: HOSTADDRS are then CLAUSES' without it.  */
static void
straight (struct launch *launch, const struct ummgr_table_region *known, struct ummgr_clauses *clauses,
	  void **hostaddrs)
{
  const struct ummgr_manager *manager = launch->manager;
  struct ummgr_pieces pieces;
  if (!launch->straights || !known || clauses->count > UMMGR_LAUNCH_HINTS_MAX)
    return;
  /* What is there already is no question of these clauses.  */
  uint64_t bytes = ummgr_mapping_new_bytes (launch->manager, clauses);
  if ((!bytes || manager->taken + bytes <= manager->budget) && !stream_always ())
    return;
  launch->why = ummgr_pieces_plan (known, clauses, manager->device, 2, &pieces);
  if (!launch->why)
    {
      const struct ummgr_straight_launch l = straight_launch (launch, known, clauses, &pieces, 0);
      launch->why = ummgr_straight_plan (&l, &launch->straight);
    }
  if (launch->why)
    {
      launch->straight.pieces.count = 1;
      return;
    }
  memcpy (hostaddrs, clauses->hostaddrs, clauses->count * sizeof *hostaddrs);
  for (size_t n = 0; n < launch->straight.count; n++)
    hostaddrs[launch->straight.object[n].argument] = NULL;
  clauses->hostaddrs = hostaddrs;
}

/* Map what the region needs, without the copies that it doesn't.  */
static void
map (struct launch *launch)
{
  const struct ummgr_table_region *known = known_region (launch);
  struct ummgr_clauses clauses = *launch->clauses;
  unsigned short kinds[UMMGR_LAUNCH_HINTS_MAX];
  void *hostaddrs[UMMGR_LAUNCH_HINTS_MAX];
  if (known && ummgr_launch_drop (known, &clauses, kinds))
    clauses.kinds = kinds;
  straight (launch, known, &clauses, hostaddrs);
  ummgr_mapping_begin (&launch->mapping, &clauses);
  launch->construct = launch->manager->construct;
  if (known)
    ummgr_launch_members_use (known, launch->clauses, &launch->mapping);
}

/* What the tables say, if the policy asks for it.  */
static void
hints_fill (struct launch *launch)
{
  const struct ummgr_mapping *mapping = &launch->mapping;
  const struct ummgr_table_region *known = known_region (launch);
  if (known
      && ummgr_launch_hints (known, launch->clauses, mapping->objects,
			     mapping->object_count, launch->hints,
			     &launch->data))
    {
      launch->view.hints = launch->hints;
      if (launch->manager->executor.policy->times)
	ummgr_hints_trip (known, launch->clauses->hostaddrs, launch->clauses->sizes, &launch->view.trip);
    }
}

/* Note what the region may write.  What the host was to get before, it gets first, if not all of it is copied when
   the region ends.  */
static void
written_note (struct launch *launch)
{
  const struct ummgr_hint *hints = launch->view.hints;
  for (size_t i = 0; i < launch->mapping.object_count; i++)
    if (!hints || !hints[i].known || hints[i].write)
      {
	struct ummgr_object *object = (struct ummgr_object *) launch->mapping.objects[i];
	if (ummgr_kept_owes (object) && (object->refcount > 1 || !ummgr_mapping_goes_out (&launch->mapping, object)))
	  ummgr_kept_makes_up (object);
	object->copy.state = UMMGR_COPY_WRITTEN;
      }
}

/* The region's number.  Those that use nothing of ours are counted as well:
   distances between regions are in all of them.  */
static uint64_t
count_region (struct ummgr_manager *manager)
{
  return __atomic_add_fetch (&manager->sequence, 1, __ATOMIC_RELAXED);
}

/* Where LAUNCH, whose objects are mapped, goes over several GPUs: what is sent for it is
   its own.  */
static void
spread (struct launch *launch)
{
  const struct ummgr_gpus *gpus = &launch->over.gpus;
  const struct ummgr_table_region *known
    = ummgr_tables_region (launch->region->function);
  if (!launch->spreads)
    return;
  if (!ummgr_mapping_always (&launch->mapping, launch->clauses))
    launch->why = "pointers within what is mapped";
  else
    ummgr_launch_spread (launch->manager, known, launch->clauses, &launch->pieces,
			 launch->apart, &launch->why, &launch->over);
  for (unsigned g = 0; g < gpus->count; g++)
    launch->further[g] = gpus->device[g] == launch->manager->device ? NULL
      : ummgr_stats_region_further (ummgr_region_stats (launch->region),
				    gpus->device[g]);
  ummgr_gpus_lay (&launch->over);
}

static bool
stream_plan (struct launch *launch)
{
  return launch->streams && !launch->straight.count && launch->pieces.trip > 1
	 && ummgr_stream_plan (launch->manager,
			       ummgr_tables_region (launch->region->function),
			       launch->clauses, &launch->pieces, stream_always (),
			       &launch->stream);
}

/* How LAUNCH can go in slices of what is mapped already; NULL: it can't, and why.  */
static const struct ummgr_table_region *
sliced (struct launch *launch, struct ummgr_pieces *pieces)
{
  const struct ummgr_table_region *known = known_region (launch);
  const char *why;
  if (launch->straight.count || !known || launch->clauses->count > UMMGR_LAUNCH_HINTS_MAX)
    return NULL;
  why = ummgr_pieces_plan (known, launch->clauses, launch->manager->device, 2, pieces);
  if (why)
    launch->why = why;
  return why ? NULL : known;
}

/* That LAUNCH has mapped.  */
static uint64_t
bytes_of (const struct launch *launch)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < launch->mapping.object_count; i++)
    sum += launch->mapping.objects[i]->size;
  return sum;
}

/* Is LAUNCH the first of KNOWN's that is in a loop of which it is known how often it goes on, and is none of its data
   on the device yet?  */
static bool
turns_foreseen (const struct launch *launch, const struct ummgr_table_region *known)
{
  struct ummgr_past_region *past = ummgr_past_of (known, launch->manager->device);
  const struct ummgr_region_view *v = &launch->view;
  if (!past || past->slices.foreseen || !v->loop_count || v->loops[v->loop_count - 1].turns < 2)
    return false;
  past->slices.foreseen = true;
  for (size_t i = 0; i < launch->mapping.object_count; i++)
    if (!launch->mapping.objects[i]->placed || launch->mapping.objects[i]->placed->place != UMMGR_PLACE_HOST)
      return false;
  return true;
}

/* LAUNCH's objects are about to get their places: slices of what is not to have one want some of the device, an
   eighth at most, from now on.  */
static void
slices_room (struct launch *launch)
{
  enum { PART = 8 };
  struct ummgr_manager *manager = launch->manager;
  struct ummgr_pieces pieces;
  if (!launch->straights || manager->room.slices)
    return;
  const uint64_t sum = bytes_of (launch), most = manager->budget / PART;
  if (sum <= manager->budget)
    return;
  const struct ummgr_table_region *known = sliced (launch, &pieces);
  if (!known)
    return;
  const struct ummgr_straight_launch l = straight_launch (launch, known, launch->clauses, &pieces, sum);
  uint64_t wants = 0;
  if (turns_foreseen (launch, known))
    wants = ummgr_straight_first (&l, launch->view.loops[launch->view.loop_count - 1].turns, most, &launch->view.first);
  if (!wants && ummgr_straight_wants (&l, (double) (manager->budget - most) / (double) sum, most))
    wants = most;
  if (wants)
    ummgr_plan_slices (manager, wants);
}

/* Where LAUNCH's objects have their places, and not all of them on the device, or not yet or any more, some go in
   slices.  */
static void
slices (struct launch *launch, const struct ummgr_arrivals *arrivals)
{
  const struct ummgr_manager *manager = launch->manager;
  struct ummgr_pieces pieces;
  bool away = arrivals->count, moves = away;
  if (!launch->straights)
    return;
  for (size_t i = 0; i < launch->mapping.object_count; i++)
    {
      const struct ummgr_placed *p = launch->mapping.objects[i]->placed;
      away |= p && (p->place == UMMGR_PLACE_HOST || (p->place == UMMGR_PLACE_DEVICE
						     && p->hi - p->lo < launch->mapping.objects[i]->size));
      moves |= ummgr_straight_brings (launch->mapping.objects[i]);
    }
  if (!moves && !(away && manager->room.slices))
    return;
  const struct ummgr_table_region *known = sliced (launch, &pieces);
  if (!known)
    return;
  const struct ummgr_straight_launch l = straight_launch (launch, known, launch->clauses, &pieces, bytes_of (launch));
  launch->why = ummgr_straight_plan_mapped (&l, arrivals, &launch->straight);
  if (launch->why)
    launch->straight.pieces.count = 1;
}

/* LAUNCH's objects are about to get their places: slices may want some of the device.  */
static void
stream_room (struct launch *launch)
{
  const struct ummgr_manager *manager = launch->manager;
  if (!manager->room.slices && bytes_of (launch) > manager->budget && stream_plan (launch))
    ummgr_stream_forget (&launch->stream);
}

/* Where LAUNCH, whose objects have their places, goes in pieces for whose data the device has
   room.  */
static void
stream (struct launch *launch)
{
  if (stream_plan (launch))
    launch->pieces = launch->stream.pieces;
}

/* Tell who looks on what MAPPING's region uses; with the manager's lock.  */
static void
show_objects (const struct ummgr_mapping *mapping)
{
  enum { MOST = 64 };
  struct ummgr_live_object shown[MOST];
  size_t count = mapping->object_count < MOST ? mapping->object_count : MOST;
  for (size_t i = 0; i < count; i++)
    {
      const struct ummgr_object_view *v = mapping->objects[i];
      const struct ummgr_placed *p = v->placed;
      shown[i] = (struct ummgr_live_object) { .id = v->id, .size = v->size };
      snprintf (shown[i].name, sizeof shown[i].name, "%s", v->name ? v->name : "");
      if (p && p->place == UMMGR_PLACE_DEVICE)
	shown[i].on_device = p->hi - p->lo;
    }
  ummgr_live_objects (shown, count);
}

/* The policy says where LAUNCH's objects are to be.  What is to come for that may come with its pieces.  */
static void
plan (struct launch *launch, struct ummgr_arrivals *arrivals)
{
  struct ummgr_manager *manager = launch->manager;
  hints_fill (launch);
  stream_room (launch);
  slices_room (launch);
  manager->executor.arrivals = launch->straights ? arrivals : NULL;
  ummgr_plan_region_begin (manager, &launch->view, launch->mapping.objects, launch->mapping.object_count);
  manager->executor.arrivals = NULL;
}

/* A trace says which launch made an access: of one that is many it can't.  Fidelity by access alone
   writes none.  */
static bool
is_traced (void)
{
  const struct ummgr_options *options = &ummgr_process.options;
  return ummgr_record_on () && (options->trace || options->report);
}

static void
begin (struct launch *launch)
{
  struct ummgr_arrivals arrivals = { .count = 0 };
  struct ummgr_manager *manager = launch->manager;
  struct ummgr_mapping *mapping = &launch->mapping;
  pthread_mutex_lock (&manager->lock);
  map (launch);
  launch->view = (struct ummgr_region_view) {
    .region = ummgr_region_number (launch->region),
    .name = launch->region->name,
    .invocation = __atomic_add_fetch (&launch->region->invocations, 1,
				      __ATOMIC_RELAXED),
    .sequence = count_region (manager),
    .device = manager->device,
    .apart = launch->apart
  };
  /* A trace doesn't have it, and is to be replayed as the run went.  */
  if (!is_traced ())
    launch->view.loop_count = ummgr_turns_loops (launch->view.loops, &launch->view.loop);
  if (mapping->object_count && ummgr_launch_applies ())
    ummgr_launch_apply (ummgr_tables_region (launch->region->function), launch->clauses,
			mapping->objects, mapping->object_count);
  if (mapping->object_count && !ummgr_manager_passive (manager))
    plan (launch, &arrivals);
  spread (launch);
  stream (launch);
  slices (launch, &arrivals);
  for (size_t i = 0; i < arrivals.count; i++)
    if (!ummgr_straight_sends (&launch->straight, arrivals.at[i].copy))
      ummgr_execute_arrive (&manager->executor, &arrivals.at[i]);
  written_note (launch);
  ummgr_mapping_run (mapping);
  ummgr_launch_data_begin (&launch->data);
  if (ummgr_live_is_on ())
    show_objects (mapping);
  pthread_mutex_unlock (&manager->lock);
}

/* Copies of data that is not mapped any more have to do with what LAUNCH is about to use.  */
static void
kept_meet (const struct launch *launch)
{
  if (launch->manager->kept)
    ummgr_kept_meets (launch->manager, known_region (launch), launch->clauses);
  if (launch->apart)
    ummgr_kept_settle ();
}

/* LAUNCH's objects are about to go, if they are its own.  */
static void
kept_ran (struct launch *launch)
{
  const struct ummgr_hint *hints = launch->view.hints;
  for (size_t i = 0; launch->manager->kept && i < launch->mapping.object_count; i++)
    ummgr_kept_ran ((struct ummgr_object *) launch->mapping.objects[i], hints ? &hints[i] : NULL, launch->construct,
		    !launch->apart);
}

static void
end (struct launch *launch)
{
  struct ummgr_manager *manager = launch->manager;
  struct ummgr_mapping *mapping = &launch->mapping;
  pthread_mutex_lock (&manager->lock);
  /* Before what it brought goes.  */
  ummgr_holdings_note (manager, true);
  /* While it counts as running.  */
  ummgr_launch_data_end (&launch->data);
  ummgr_gpus_learn (&launch->over);
  ummgr_stream_learn (manager, &launch->stream);
  const struct ummgr_table_region *known = launch->straights && launch->view.took > 0 ? known_region (launch) : NULL;
  if (known)
    ummgr_straight_whole (manager, known, launch->view.took, bytes_of (launch));
  ummgr_mapping_ran (mapping);
  if (mapping->object_count && !ummgr_manager_passive (manager))
    ummgr_execute_end (&manager->executor, &launch->view, mapping->objects,
		       mapping->object_count);
  kept_ran (launch);
  ummgr_mapping_end (mapping);
  ummgr_holdings_note (manager, false);
  pthread_mutex_unlock (&manager->lock);
}

/* The trace's number for the launch.  */
static uint64_t
record_begin (const struct ummgr_region *region,
	      const struct ummgr_clauses *clauses, int device)
{
  if (!ummgr_record_on ())
    return 0;
  const struct ummgr_table_region *known
    = ummgr_tables_region (region->function);
  uint64_t trip;
  if (known && ummgr_record_expects ()
      && known->arg_count == clauses->count
      && ummgr_hints_trip (known, clauses->hostaddrs, clauses->sizes, &trip))
    ummgr_record_expect (region->function, trip);
  return ummgr_record_launch_begin (region->function, region->name,
				    known ? known->title : NULL, known ? known->file : NULL,
				    known ? known->line : 0, device);
}

/* The construct at ADDRESS is about to launch REGION.  */
static void
record_place (const struct ummgr_region *region, const void *address)
{
  const struct ummgr_table_region *known
    = ummgr_record_on () ? ummgr_tables_region (region->function) : NULL;
  ummgr_record_place (address, known && *known->file ? known->file : NULL,
		      known ? known->line : 0);
}

/* The region FUNCTION isn't ours.  If it runs on the host, count it: why?  The tables take it
   for launched unless the program says that it shall be there.  */
static void
note_host (int device, const void *function, bool managed)
{
  if (!ummgr_is_active ())
    return;
  int count = ummgr_real (omp_get_num_devices) ();
  if (device == UMMGR_DEVICE_ICV)
    device = ummgr_real (omp_get_default_device) ();
  if (managed)
    ummgr_lifecycle_host_region (function, UMMGR_STATS_NO_CODE);
  else if (device >= 0 && count == 0)
    ummgr_lifecycle_host_region (function, UMMGR_STATS_NO_DEVICE);
  else
    {
      if (device < 0 || device >= count)
	ummgr_stats_host_region (UMMGR_STATS_HOST_ASKED);
      return;
    }
  /* Nobody else may ask for its table.  */
  ummgr_tables_scan ();
  ummgr_stats_host_launch (function);
}

/* Into how many launches LAUNCH went; where that is not as many as were asked for, why, once
   for each reason.  */
static void
note_pieces (const struct launch *launch, struct ummgr_stats_call *call)
{
  const struct ummgr_options *options = &ummgr_process.options;
  if (options->pieces < 2 && !ummgr_options_spread (options) && !ummgr_options_stream (options)
      && !launch->straight.pieces.count)
    return;
  const struct ummgr_table_region *known
    = ummgr_tables_region (launch->region->function);
  uint64_t count = launch->over.gpus.count ? launch->over.gpus.count
    : launch->straight.pieces.count > 1 ? launch->straight.pieces.count : launch->spreads ? 1 : launch->pieces.count;
  if (ummgr_stats_region_pieces (call, count, count > 1 ? NULL : launch->why))
    ummgr_info ("split: %s:%u: %s runs as a whole: %s",
		known ? known->file : "?", known ? known->line : 0,
		launch->region->name, launch->why);
}

/* May somebody replay the trace, under policies that ask what regions do?  One without accesses says
   nothing of that.  */
static bool
is_replayed (void)
{
  const struct ummgr_options *options = &ummgr_process.options;
  return options->trace && ummgr_options_accesses (options);
}

/* The iterations of LAUNCH, for the statistics, if somebody wants these.  */
static void
note_trip (const struct launch *launch, struct ummgr_stats_call *call)
{
  const struct ummgr_options *options = &ummgr_process.options;
  if (!options->stats && !options->report)
    return;
  const struct ummgr_clauses *clauses = launch->clauses;
  const struct ummgr_table_region *known = ummgr_tables_region (launch->region->function);
  uint64_t trip;
  if (known && known->arg_count == clauses->count
      && ummgr_hints_trip (known, clauses->hostaddrs, clauses->sizes, &trip))
    ummgr_stats_region_trip (call, trip);
}

/* Into how many pieces LAUNCH can go, as the program launches it on DEVICE with FLAGS.
   DEPENDS: it still has to wait.  */
static void
pieces_get (struct launch *launch, int device, unsigned flags, bool depends)
{
  struct ummgr_manager *manager = launch->manager;
  bool spreads = ummgr_launch_spreads (manager);
  /* A policy that has slices by copies needs none by prefetches.  */
  launch->streams = !spreads && ummgr_options_stream (&ummgr_process.options)
		    && !manager->executor.policy->slices && !ummgr_manager_passive (manager) && !is_traced ();
  launch->straights = !spreads && ummgr_options_stream_maps (&ummgr_process.options)
		      && manager->executor.policy->slices && !ummgr_manager_passive (manager) && !is_traced ()
		      && !(flags & UMMGR_TARGET_FLAG_NOWAIT) && !depends;
  uint64_t wanted = spreads || launch->streams ? UMMGR_PARTS_GPUS
    : ummgr_process.options.pieces;
  launch->pieces = (struct ummgr_pieces) { .count = 1 };
  launch->spreads = spreads && device == UMMGR_DEVICE_ICV && !is_traced ();
  launch->apart = flags & UMMGR_TARGET_FLAG_NOWAIT;
  if (wanted < 2)
    return;
  launch->why = depends ? "there is no memory"
    : spreads && !launch->spreads
      ? (is_traced () ? "it is traced" : "its device clause names a device")
    : ummgr_pieces_plan (ummgr_tables_region (launch->region->function),
			 launch->clauses, manager->device, wanted, &launch->pieces);
  /* Into how many, its data will say.  */
  if (launch->streams)
    launch->pieces.count = 1;
}

/* Have libgomp run the region.  */
static void
run (const struct ummgr_split_launch *asked, struct launch *launch, void **depend)
{
  const struct ummgr_clauses *clauses = asked->clauses;
  if (launch->straight.count)
    {
      struct ummgr_split_launch slices = *asked;
      slices.clauses = &launch->straight.clauses;
      if (ummgr_pieces_run (&slices, &launch->straight.pieces, ummgr_straight_next, &launch->straight))
	return;
      ummgr_straight_forget (&launch->straight);
    }
  if ((launch->over.gpus.count && ummgr_gpus_run (asked, &launch->over))
      || (!launch->spreads && launch->pieces.count > 1
	  && ummgr_pieces_run (asked, &launch->pieces,
			       launch->stream.count ? ummgr_stream_next : NULL,
			       &launch->stream)))
    return;
  ummgr_real (GOMP_target_ext) (asked->device, asked->function, clauses->count,
				clauses->hostaddrs, clauses->sizes, clauses->kinds,
				asked->flags, depend, asked->args);
}

/* Does somebody ask how long LAUNCH takes, and can that be told: of one kernel that nothing runs beside?  */
static bool
is_timed (const struct launch *launch)
{
  return launch->manager->executor.policy->times && !launch->apart && launch->pieces.count <= 1
	 && !launch->over.gpus.count && !launch->stream.count && !launch->straight.count;
}

/* Wait for what the region depends on, before anything is mapped.  False
   without memory: libgomp then does all of it.  */
static bool
wait (const struct ummgr_clauses *clauses, void **depend,
      struct ummgr_private *copy)
{
  if (!ummgr_private_copy (copy, clauses))
    return false;
  ummgr_real (GOMP_taskwait_depend) (depend);
  return true;
}

/* A launch of REGION is checked: its data is mapped then.  */
static bool
check_begin (struct ummgr_launch_check *check, const struct ummgr_region *region,
	     const struct ummgr_clauses *clauses, int device)
{
  const struct ummgr_table_region *known = ummgr_tables_region (region->function);
  if (!ummgr_launch_check_begin (check, device, clauses))
    return false;
  ummgr_check_launch (region->name, known ? known->file : NULL, known ? known->line : 0);
  ummgr_launch_check_map (check, known);
  ummgr_launch_check_tell (check);
  ummgr_check_construct (true);
  return true;
}

void
GOMP_target_ext (int device, void (*fn) (void *), size_t mapnum,
		 void **hostaddrs, size_t *sizes, unsigned short *kinds,
		 unsigned flags, void **depend, void **args)
{
  struct ummgr_manager *manager = ummgr_manager_for (device);
  struct ummgr_region *region
    = manager ? ummgr_regions_find ((const void *) fn) : NULL;
  /* A function that no image has is run on the host by libgomp, and then
     nothing is mapped.  */
  if (!region)
    {
      note_host (device, (const void *) fn, manager != NULL);
      ummgr_kept_host ();
      ummgr_real (GOMP_target_ext) (device, fn, mapnum, hostaddrs, sizes, kinds,
				    flags, depend, args);
      return;
    }
  int cancel = ummgr_cancel_hold ();
  record_place (region, __builtin_return_address (0));
  struct ummgr_clauses clauses = { mapnum, hostaddrs, sizes, kinds };
  struct ummgr_private copy = { hostaddrs, NULL };
  struct launch launch;
  launch.manager = manager;
  launch.region = region;
  launch.clauses = &clauses;
  launch.data.count = 0;
  launch.stream = (struct ummgr_stream) { .count = 0 };
  launch.straight.count = launch.straight.pieces.count = 0;
  launch.over = (struct ummgr_gpus_launch) { .argument = NULL };
  launch.why = NULL;
  struct ummgr_stats_call *call
    = ummgr_stats_region_begin (ummgr_region_stats (region), manager->device);
  bool checks = ummgr_check_watches ();
  struct ummgr_launch_check check;
  /* What runs meanwhile would have to be known, too.  */
  if (checks)
    flags &= ~UMMGR_TARGET_FLAG_NOWAIT;
  if (depend && (!ummgr_manager_passive (manager) || checks
		 || ummgr_process.options.pieces > 1)
      && wait (&clauses, depend, &copy))
    {
      depend = NULL;
      clauses.hostaddrs = copy.hostaddrs;
    }
  pieces_get (&launch, device, flags, depend != NULL);
  note_trip (&launch, call);
  kept_meet (&launch);
  bool concerned = ummgr_mapping_concerned (manager, &clauses);
  if (concerned)
    {
      ummgr_mapping_init (&launch.mapping, manager,
			  __builtin_return_address (0), true);
      begin (&launch);
    }
  else
    {
      ummgr_kept_settle ();
      count_region (manager);
    }
  /* The host's memory is read and written.  */
  if (launch.straight.count && !launch.straight.object[0].mapped)
    ummgr_kept_host ();
  checks = checks && check_begin (&check, region, &clauses, manager->device);
  uint64_t recorded = record_begin (region, &clauses, manager->device);
  if (concerned && (ummgr_manager_passive (manager) ? recorded && is_replayed ()
		    : recorded || ummgr_launch_told (manager->device)))
    ummgr_launch_trace (recorded, manager, region, &clauses,
			launch.mapping.objects, launch.mapping.object_count,
			launch.view.hints);
  if (recorded)
    ummgr_record_clauses_begin (&clauses);
  struct ummgr_device *on = ummgr_device_of (manager->device);
  bool timed = concerned && is_timed (&launch);
  double began = timed ? ummgr_device_now (on) : 0;
  run (&(struct ummgr_split_launch) { manager->device, fn, &clauses, flags, args },
       &launch, depend);
  if (timed)
    launch.view.took = ummgr_device_now (on) - began;
  if (checks)
    ummgr_launch_check_end (&check);
  if (launch.straight.count)
    ummgr_straight_end (&launch.straight, known_region (&launch), launch.mapping.site);
  if (launch.stream.count || launch.stream.whole)
    ummgr_stream_end (&launch.stream);
  if (recorded || (concerned && manager->explain))
    ummgr_launch_names (concerned ? manager : NULL, ummgr_tables_region (region->function), &clauses);
  if (recorded)
    ummgr_record_clauses_end ();
  ummgr_record_launch_end (recorded, manager->device);
  ummgr_statics_use (region, manager->device);
  if (concerned)
    {
      end (&launch);
      ummgr_mapping_fini (&launch.mapping);
    }
  for (unsigned g = 0; g < launch.over.gpus.count; g++)
    ummgr_stats_region_end (launch.further[g]);
  note_pieces (&launch, call);
  ummgr_gpus_free (&launch.over);
  ummgr_private_free (&copy);
  ummgr_stats_region_end (call);
  ummgr_cancel_restore (cancel);
}
