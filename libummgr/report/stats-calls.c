/* Statistics of a run: calls, and what devices do meanwhile and in between.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the calls that run, and `target data' that the program is in.  Each growth of a
   device's counters goes to one entry of one timeline, so these add up to the totals.  */

#include "config.h"
#include "report/collected.h"
#include "base/clock.h"
#include "base/live.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double
thread_time (void)
{
  return ummgr_stats.run.time ? ummgr_stats.run.time () : 0;
}

struct ummgr_stats_moment
ummgr_stats_now (const struct ummgr_stats_device *d)
{
  return (struct ummgr_stats_moment) {
    .wall = (ummgr_nanoseconds (CLOCK_MONOTONIC) - ummgr_stats.start) * 1e-9,
    .model = d ? d->last.model_seconds : 0, .elapsed = thread_time ()
  };
}

struct ummgr_timeline_entry
ummgr_timeline_between (const struct ummgr_stats_moment *from,
			const struct ummgr_stats_moment *to,
			const struct ummgr_counters *counters)
{
  return (struct ummgr_timeline_entry) {
    .sequence = ummgr_stats.sequence, .calls = 1,
    .region_seconds = to->model - from->model,
    .model_start = from->model, .model_end = to->model,
    /* What another thread began may be later by this one's time.  */
    .elapsed_start = from->elapsed < to->elapsed ? from->elapsed : to->elapsed,
    .elapsed_end = to->elapsed,
    .wall_start = from->wall, .wall_end = to->wall,
    .counters = *counters
  };
}

/* What a timeline shows.  */
static bool
is_shown (const struct ummgr_counters *c)
{
  return c->h2d_bytes || c->d2h_bytes || c->d2d_bytes || c->gpu_faults || c->cpu_faults
	 || c->evictions || c->refetched_bytes || c->remote_bytes;
}

/* D did what NOW says since the last time, while no call ran: the host used managed memory,
   or the program copied by itself.  */
static void
account_loose (struct ummgr_stats_device *d, const struct ummgr_counters *now)
{
  struct ummgr_counters grown = { 0 };
  ummgr_counters_add_delta (&ummgr_stats.outside, now, &d->last);
  ummgr_counters_add_delta (&grown, now, &d->last);
  d->last = *now;
  if (!is_shown (&grown))
    return;
  struct ummgr_stats_moment at = ummgr_stats_now (d);
  struct ummgr_timeline_entry entry = ummgr_timeline_between (&d->since, &at, &grown);
  ummgr_timeline_add (&d->outside, &entry);
  d->since = at;
}

/* The same, for CALL.  */
static void
account_call (struct ummgr_stats_device *d, struct ummgr_stats_call *call,
	      const struct ummgr_counters *now)
{
  ummgr_counters_add_delta (&call->counters, now, &d->last);
  ummgr_counters_add_delta (call->region ? &call->region->counters : &ummgr_stats.outside,
			    now, &d->last);
  if (call->place)
    ummgr_counters_add_delta (&call->place->counters, now, &d->last);
  d->last = *now;
}

/* What DEVICE did since the last time is the newest call's.  */
struct ummgr_stats_device *
ummgr_stats_settle (int device)
{
  struct ummgr_stats *s = &ummgr_stats;
  if (device < 0 || device >= UMMGR_STATS_DEVICES)
    return NULL;
  struct ummgr_stats_device *d = &s->devices[device];
  struct ummgr_counters now;
  if (!s->reader || !s->reader (device, &now))
    return d;
  d->read = true;
  if (d->newest)
    account_call (d, d->newest, &now);
  else
    account_loose (d, &now);
  return d;
}

void
ummgr_stats_settle_all (void)
{
  int n = ummgr_stats.run.devices;
  for (int i = 0; i < UMMGR_STATS_DEVICES; i++)
    if (i < n || ummgr_stats.devices[i].read)
      ummgr_stats_settle (i);
}

/* Until now no call ran.  */
static void
host_ends (double wall)
{
  static const struct ummgr_counters none;
  struct ummgr_stats *s = &ummgr_stats;
  struct ummgr_stats_moment from = { .wall = s->idle_since }, to = { .wall = wall };
  struct ummgr_timeline_entry entry = ummgr_timeline_between (&from, &to, &none);
  entry.region_seconds = wall - s->idle_since;
  ummgr_timeline_add (&s->host, &entry);
  s->host_seconds += entry.region_seconds;
}

/* CALL runs on its device from now on.  */
static void
push (struct ummgr_stats_call *call)
{
  struct ummgr_stats *s = &ummgr_stats;
  struct ummgr_stats_device *d = ummgr_stats_settle (call->device);
  call->from = ummgr_stats_now (d);
  call->newer = NULL;
  call->older = d ? d->newest : NULL;
  if (d && d->newest)
    d->newest->newer = call;
  if (d)
    d->newest = call;
  if (!call->further && s->inside++ == 0)
    host_ends (call->from.wall);
}

/* It doesn't any more: now.  */
static struct ummgr_stats_moment
pop (struct ummgr_stats_call *call)
{
  struct ummgr_stats *s = &ummgr_stats;
  struct ummgr_stats_device *d = ummgr_stats_settle (call->device);
  struct ummgr_stats_moment to = ummgr_stats_now (d);
  /* Another thread may end it.  */
  if (to.elapsed < call->from.elapsed)
    to.elapsed = call->from.elapsed;
  if (!call->further && --s->inside == 0)
    s->idle_since = to.wall;
  if (!d)
    return to;
  if (call->newer)
    call->newer->older = call->older;
  else
    d->newest = call->older;
  if (call->older)
    call->older->newer = call->newer;
  struct ummgr_timeline_entry entry
    = ummgr_timeline_between (&call->from, &to, &call->counters);
  entry.sequence = call->sequence;
  entry.region = call->region ? call->region->index : call->place->index + 1;
  ummgr_timeline_add (call->region ? &d->timeline : &d->outside, &entry);
  d->since = to;
  return to;
}

/* A call like THAT, or NULL.  */
static struct ummgr_stats_call *
begin (const struct ummgr_stats_call *that)
{
  struct ummgr_stats *s = &ummgr_stats;
  struct ummgr_stats_call *call = s->free_calls;
  if (call)
    s->free_calls = call->older;
  else
    call = malloc (sizeof *call);
  if (!call)
    return NULL;
  *call = *that;
  push (call);
  call->sequence = call->further || call->place ? s->sequence : ++s->sequence;
  call->opened = call->from;
  return call;
}

static void
release (struct ummgr_stats_call *call)
{
  call->older = ummgr_stats.free_calls;
  ummgr_stats.free_calls = call;
}

/* Tell who looks on; with the lock.  STARTED: REGION begins.  */
static void
show (const struct ummgr_stats_region *region, bool started)
{
  static const struct ummgr_counters nothing;
  struct ummgr_counters all = nothing;
  const char *called = region->title ? region->title : region->name ? region->name : "?";
  char name[192];
  if (!ummgr_live_is_on ())
    return;
  for (int i = 0; i < UMMGR_STATS_DEVICES; i++)
    if (ummgr_stats.devices[i].read)
      ummgr_counters_add_delta (&all, &ummgr_stats.devices[i].last, &nothing);
  if (region->file)
    snprintf (name, sizeof name, "%s (%s:%d)", called, region->file, region->line);
  else
    snprintf (name, sizeof name, "%s", called);
  ummgr_live_tell (&all, name, started);
}

static struct ummgr_stats_call *
begin_region (struct ummgr_stats_region *region, int device, bool further)
{
  if (!region)
    return NULL;
  pthread_mutex_lock (&ummgr_stats.lock);
  struct ummgr_stats_call that = { .region = region, .device = device, .further = further };
  struct ummgr_stats_call *call = begin (&that);
  if (call)
    region->calls += !further;
  if (call && !further)
    show (region, true);
  pthread_mutex_unlock (&ummgr_stats.lock);
  return call;
}

struct ummgr_stats_call *
ummgr_stats_region_begin (struct ummgr_stats_region *region, int device)
{
  return begin_region (region, device, false);
}

struct ummgr_stats_call *
ummgr_stats_region_further (struct ummgr_stats_region *region, int device)
{
  return begin_region (region, device, true);
}

void
ummgr_stats_region_end (struct ummgr_stats_call *call)
{
  if (!call)
    return;
  pthread_mutex_lock (&ummgr_stats.lock);
  struct ummgr_stats_moment to = pop (call);
  if (!call->further)
    {
      call->region->wall_seconds += to.wall - call->from.wall;
      call->region->elapsed_seconds += to.elapsed - call->from.elapsed;
      show (call->region, false);
    }
  release (call);
  pthread_mutex_unlock (&ummgr_stats.lock);
}

struct ummgr_stats_call *
ummgr_stats_construct_begin (enum ummgr_stats_construct kind, const void *site, int device)
{
  pthread_mutex_lock (&ummgr_stats.lock);
  struct ummgr_stats_call that
    = { .place = ummgr_stats_place_get (kind, site), .device = device };
  struct ummgr_stats_call *call = that.place ? begin (&that) : NULL;
  if (call)
    call->place->calls++;
  pthread_mutex_unlock (&ummgr_stats.lock);
  return call;
}

static struct ummgr_stats_moment
pop_construct (struct ummgr_stats_call *call)
{
  static const struct ummgr_counters none;
  struct ummgr_stats_moment to = pop (call);
  call->place->wall_seconds += to.wall - call->from.wall;
  call->place->elapsed_seconds += to.elapsed - call->from.elapsed;
  call->counters = none;
  return to;
}

void
ummgr_stats_construct_entered (struct ummgr_stats_call *call)
{
  struct ummgr_stats *s = &ummgr_stats;
  if (!call)
    return;
  pthread_mutex_lock (&s->lock);
  pop_construct (call);
  call->newer = NULL;
  call->older = s->open_data;
  if (s->open_data)
    s->open_data->newer = call;
  s->open_data = call;
  pthread_mutex_unlock (&s->lock);
}

void
ummgr_stats_construct_leaves (struct ummgr_stats_call *call)
{
  struct ummgr_stats *s = &ummgr_stats;
  if (!call)
    return;
  pthread_mutex_lock (&s->lock);
  if (call->newer)
    call->newer->older = call->older;
  else
    s->open_data = call->older;
  if (call->older)
    call->older->newer = call->newer;
  push (call);
  pthread_mutex_unlock (&s->lock);
}

void
ummgr_stats_construct_end (struct ummgr_stats_call *call)
{
  static const struct ummgr_counters none;
  if (!call)
    return;
  pthread_mutex_lock (&ummgr_stats.lock);
  struct ummgr_stats_moment to = pop_construct (call);
  int device = call->device;
  if (call->place->kind == UMMGR_STATS_DATA && device >= 0 && device < UMMGR_STATS_DEVICES)
    {
      struct ummgr_timeline_entry entry
	= ummgr_timeline_between (&call->opened, &to, &none);
      entry.region = call->place->index;
      ummgr_timeline_add (&ummgr_stats.devices[device].spans, &entry);
    }
  release (call);
  pthread_mutex_unlock (&ummgr_stats.lock);
}
