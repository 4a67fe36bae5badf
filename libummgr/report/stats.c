/* Statistics of a run: accounting.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns ummgr_stats, the one record of the process, and its lock.  Beginning
   and ending a region costs two reads of the device's counters, two of the
   clock and a few list operations; nothing is formatted before the run ends.
   Reads no device by itself: see ummgr_stats_set_reader.  */

#include "config.h"
#include "report/collected.h"
#include "base/clock.h"
#include "base/log.h"
#include "device/device.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <Judy.h>

struct ummgr_stats ummgr_stats = { .lock = PTHREAD_MUTEX_INITIALIZER };

static char *
copy (const char *text)
{
  return text ? strdup (text) : NULL;
}

/* Fork: the child gets a consistent record, which it then leaves alone.  */
static void
lock_for_fork (void)
{
  pthread_mutex_lock (&ummgr_stats.lock);
}

static void
unlock_after_fork (void)
{
  pthread_mutex_unlock (&ummgr_stats.lock);
}

static void
copy_options (const struct ummgr_options *options)
{
  struct ummgr_options *own = &ummgr_stats.options;
  *own = *options;
  for (const struct ummgr_option *o = ummgr_option_table; o->name; o++)
    if (o->type == UMMGR_OPTION_NAME || o->type == UMMGR_OPTION_TEXT)
      {
	char **text = (char **) ((char *) own + o->offset);
	*text = copy (*text);
      }
}

/* Before main, as a process that uses no device starts no statistics until
   its end, when it must tell what was written meanwhile (stats-json.c).  */
__attribute__ ((constructor)) static void
remember_beginning (void)
{
  clock_gettime (CLOCK_REALTIME_COARSE, &ummgr_stats.began);
  ummgr_stats.loaded = ummgr_nanoseconds (CLOCK_MONOTONIC);
}

struct ummgr_stats_run
ummgr_stats_run_on (const struct ummgr_device_ops *ops, int devices)
{
  return (struct ummgr_stats_run) {
    .gpu = ops->name ? ops->name : "cuda",
    .profile = ops->profile ? ops->profile () : NULL,
    .scaling = ops->scaling ? ops->scaling () : NULL,
    .fidelity = ops->fidelity ? ops->fidelity () : NULL,
    .order = ops->order ? ops->order () : NULL,
    .devices = devices,
    .time = ops->time, .elapsed = ops->elapsed
  };
}

/* What timelines may hold of each of COUNT devices.  */
static void
set_limits (int count)
{
  struct ummgr_stats *s = &ummgr_stats;
  size_t sharers = count < 1 ? 1 : count < UMMGR_STATS_DEVICES ? count : UMMGR_STATS_DEVICES;
  for (int i = 0; i < UMMGR_STATS_DEVICES; i++)
    {
      struct ummgr_stats_device *d = &s->devices[i];
      d->timeline.limit = UMMGR_STATS_TIMELINE / sharers;
      d->outside.limit = UMMGR_STATS_OUTSIDE / sharers;
      d->spans.limit = UMMGR_STATS_SPANS / sharers;
      d->memory.limit = UMMGR_STATS_SAMPLES / sharers;
    }
  s->host.limit = UMMGR_STATS_HOST_SPANS;
}

void
ummgr_stats_start (const struct ummgr_options *options,
		   const struct ummgr_stats_run *run)
{
  static bool hooked;
  struct ummgr_stats *s = &ummgr_stats;
  pthread_mutex_lock (&s->lock);
  bool hook = !hooked;
  hooked = true;
  if (!s->started)
    {
      s->started = true;
      s->pid = getpid ();
      s->start = ummgr_nanoseconds (CLOCK_MONOTONIC);
      copy_options (options);
      s->run = *run;
      s->run.gpu = copy (run->gpu);
      s->run.profile = copy (run->profile);
      s->run.scaling = copy (run->scaling);
      s->run.fidelity = copy (run->fidelity);
      s->run.order = copy (run->order);
      set_limits (run->devices);
    }
  pthread_mutex_unlock (&s->lock);
  if (hook)
    pthread_atfork (lock_for_fork, unlock_after_fork, unlock_after_fork);
}

void
ummgr_stats_set_figures (int device, const struct ummgr_figures *figures)
{
  struct ummgr_stats *s = &ummgr_stats;
  if (device < 0 || device >= UMMGR_STATS_DEVICES)
    return;
  pthread_mutex_lock (&s->lock);
  s->devices[device].figures = *figures;
  s->devices[device].told = true;
  pthread_mutex_unlock (&s->lock);
}

void
ummgr_stats_set_reader (ummgr_stats_reader reader)
{
  pthread_mutex_lock (&ummgr_stats.lock);
  ummgr_stats.reader = reader;
  pthread_mutex_unlock (&ummgr_stats.lock);
}

void
ummgr_stats_set_lister (ummgr_stats_lister lister)
{
  pthread_mutex_lock (&ummgr_stats.lock);
  ummgr_stats.lister = lister;
  pthread_mutex_unlock (&ummgr_stats.lock);
}

static bool
same (const char *a, const char *b)
{
  return a && b ? strcmp (a, b) == 0 : a == b;
}

struct ummgr_stats_region *
ummgr_stats_region_get (const void *fn, const char *name, const char *file,
			int line)
{
  struct ummgr_stats *s = &ummgr_stats;
  struct ummgr_stats_region *region = NULL;
  pthread_mutex_lock (&s->lock);
  PPvoid_t slot = JudyLIns (&s->by_function, (Word_t) fn, PJE0);
  if (slot == PPJERR)
    goto out;
  region = *slot;
  /* Another name at the same address: a library left and another came.  */
  if (region && same (region->name, name) && same (region->file, file)
      && region->line == line)
    goto out;
  region = calloc (1, sizeof *region);
  if (!region)
    goto out;
  region->function = fn;
  region->name = copy (name);
  region->file = copy (file);
  region->line = line;
  region->index = s->region_count++;
  *(s->last_region ? &s->last_region->next : &s->regions) = region;
  s->last_region = region;
  *slot = region;
 out:
  pthread_mutex_unlock (&s->lock);
  return region;
}

void
ummgr_stats_region_title (struct ummgr_stats_region *region, const char *title)
{
  pthread_mutex_lock (&ummgr_stats.lock);
  if (region && !region->title && *title)
    region->title = copy (title);
  pthread_mutex_unlock (&ummgr_stats.lock);
}

bool
ummgr_stats_region_pieces (struct ummgr_stats_call *call, uint64_t pieces,
			   const char *why)
{
  if (!call)
    return false;
  pthread_mutex_lock (&ummgr_stats.lock);
  struct ummgr_stats_region *region = call->region;
  if (pieces > region->pieces)
    region->pieces = pieces;
  bool fresh = why && !same (region->whole, why);
  if (fresh)
    {
      free (region->whole);
      region->whole = copy (why);
    }
  pthread_mutex_unlock (&ummgr_stats.lock);
  return fresh;
}

void
ummgr_stats_region_trip (struct ummgr_stats_call *call, uint64_t iterations)
{
  if (!call)
    return;
  pthread_mutex_lock (&ummgr_stats.lock);
  struct ummgr_stats_trips *trips = &call->region->trips;
  if (!trips->count || iterations < trips->min)
    trips->min = iterations;
  if (iterations > trips->max)
    trips->max = iterations;
  trips->sum += (double) iterations;
  trips->count++;
  pthread_mutex_unlock (&ummgr_stats.lock);
}

uint64_t
ummgr_stats_host_region (enum ummgr_stats_host why)
{
  return __atomic_fetch_add (&ummgr_stats.host_regions[why], 1,
			     __ATOMIC_RELAXED);
}

void
ummgr_stats_decisions (uint64_t count, uint64_t nanoseconds)
{
  __atomic_fetch_add (&ummgr_stats.decisions, count, __ATOMIC_RELAXED);
  __atomic_fetch_add (&ummgr_stats.decision_ns, nanoseconds,
		      __ATOMIC_RELAXED);
}

void
ummgr_stats_layouts (uint64_t launches, uint64_t nanoseconds)
{
  __atomic_fetch_add (&ummgr_stats.layouts, launches, __ATOMIC_RELAXED);
  __atomic_fetch_add (&ummgr_stats.layout_ns, nanoseconds, __ATOMIC_RELAXED);
}

void
ummgr_stats_shared (int device, unsigned processes, uint64_t bytes, uint64_t room)
{
  if (device < 0 || device >= UMMGR_STATS_DEVICES || !bytes)
    return;
  pthread_mutex_lock (&ummgr_stats.lock);
  struct ummgr_stats_device *d = &ummgr_stats.devices[device];
  if (bytes >= d->others_bytes)
    {
      d->others = processes;
      d->others_bytes = bytes;
      d->room = room;
    }
  pthread_mutex_unlock (&ummgr_stats.lock);
}

void
ummgr_stats_discarded (uint64_t bytes)
{
  __atomic_fetch_add (&ummgr_stats.discarded_bytes, bytes, __ATOMIC_RELAXED);
}

void
ummgr_stats_kept (uint64_t bytes)
{
  __atomic_fetch_add (&ummgr_stats.kept, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add (&ummgr_stats.kept_bytes, bytes, __ATOMIC_RELAXED);
}

void
ummgr_stats_object_done (const struct ummgr_stats_object *object)
{
  pthread_mutex_lock (&ummgr_stats.lock);
  ummgr_stats_objects_add (&ummgr_stats.objects, object, UMMGR_STATS_OBJECTS);
  pthread_mutex_unlock (&ummgr_stats.lock);
}

void
ummgr_stats_host_launch (const void *fn)
{
  pthread_mutex_lock (&ummgr_stats.lock);
  PPvoid_t slot = JudyLIns (&ummgr_stats.on_host, (Word_t) fn, PJE0);
  if (slot != PPJERR)
    ++*(Word_t *) slot;
  pthread_mutex_unlock (&ummgr_stats.lock);
}

static void
free_options (struct ummgr_options *own)
{
  for (const struct ummgr_option *o = ummgr_option_table; o->name; o++)
    if (o->type == UMMGR_OPTION_NAME || o->type == UMMGR_OPTION_TEXT)
      free (*(char **) ((char *) own + o->offset));
}

void
ummgr_stats_finish (void)
{
  struct ummgr_stats *s = &ummgr_stats;
  pthread_mutex_lock (&s->lock);
  for (struct ummgr_stats_region *r = s->regions, *next; r; r = next)
    {
      next = r->next;
      free (r->name);
      free (r->file);
      free (r->title);
      free (r->whole);
      free (r);
    }
  for (int i = 0; i < UMMGR_STATS_DEVICES; i++)
    {
      struct ummgr_stats_device *d = &s->devices[i];
      for (struct ummgr_stats_call *c = d->newest, *older; c; c = older)
	{
	  older = c->older;
	  free (c);
	}
      free (d->timeline.entries);
      free (d->outside.entries);
      free (d->spans.entries);
      ummgr_stats_memory_free (&d->memory);
    }
  for (struct ummgr_stats_call *c = s->open_data, *older; c; c = older)
    {
      older = c->older;
      free (c);
    }
  for (struct ummgr_stats_call *c = s->free_calls, *older; c; c = older)
    {
      older = c->older;
      free (c);
    }
  JudyLFreeArray (&s->by_function, PJE0);
  JudyLFreeArray (&s->on_host, PJE0);
  free (s->host.entries);
  ummgr_stats_places_free ();
  ummgr_stats_objects_free (&s->objects);
  ummgr_stats_decided_free ();
  if (s->started)
    free_options (&s->options);
  free ((char *) s->run.gpu);
  free ((char *) s->run.profile);
  free ((char *) s->run.scaling);
  free ((char *) s->run.fidelity);
  free ((char *) s->run.order);
  size_t kept = offsetof (struct ummgr_stats, lock) + sizeof s->lock;
  memset ((char *) s + kept, 0, sizeof *s - kept);
  pthread_mutex_unlock (&s->lock);
}
