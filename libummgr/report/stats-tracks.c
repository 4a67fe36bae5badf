/* Statistics of a run: what is drawn over time, as JSON.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing; reads ummgr_stats under its lock.  What has not ended is written as if
   it ended now.  Names of places are looked for here, once for each place.  */

#include "config.h"
#include "report/collected.h"
#include "report/put.h"
#include "base/lines.h"
#include "base/symbols.h"

#include <stdio.h>
#include <string.h>

static void
put_times (json_t *to, const struct ummgr_timeline_entry *e, unsigned known)
{
  put_real (to, "t_wall0", e->wall_start);
  put_real (to, "t_wall1", e->wall_end);
  if (ummgr_stats.run.time)
    {
      put_real (to, "t_elapsed0", e->elapsed_start);
      put_real (to, "t_elapsed1", e->elapsed_end);
    }
  if (known & HAS_MODEL)
    {
      put_real (to, "t_model0", e->model_start);
      put_real (to, "t_model1", e->model_end);
    }
}

static void
put_traffic (json_t *to, const struct ummgr_counters *c, unsigned known)
{
  if (known & HAS_MODEL)
    put_count (to, "remote", c->remote_bytes);
  if (known & HAS_BYTES)
    {
      put_count (to, "h2d", c->h2d_bytes);
      put_count (to, "d2h", c->d2h_bytes);
    }
  if (known & HAS_PAGING)
    {
      put_count (to, "gpu_faults", c->gpu_faults);
      put_count (to, "fault_batches", c->fault_batches);
      put_count (to, "cpu_faults", c->cpu_faults);
      put_count (to, "evictions", c->evictions);
    }
  if (known & HAS_MODEL)
    put_count (to, "refetched", c->refetched_bytes);
}

/* Entries of regions, or of what was outside of them.  */
static void
add_entry (json_t *to, const struct ummgr_timeline_entry *e, int device, bool region,
	   unsigned known)
{
  json_t *out = json_object ();
  put_count (out, "seq", e->sequence);
  if (region)
    put_count (out, "region", e->region);
  else if (e->region)
    put_count (out, "construct", e->region - 1);
  put_count (out, "calls", e->calls);
  put_count (out, "device", device);
  put_times (out, e, known);
  put_traffic (out, &e->counters, known);
  json_array_append_new (to, out);
}

static struct ummgr_timeline_entry
entry_now (const struct ummgr_stats_device *d, const struct ummgr_stats_call *call)
{
  struct ummgr_stats_moment now = ummgr_stats_now (d);
  struct ummgr_timeline_entry e = ummgr_timeline_between (&call->from, &now, &call->counters);
  e.sequence = call->sequence;
  e.region = call->region ? call->region->index : call->place->index + 1;
  return e;
}

static json_t *
json_calls (bool regions, unsigned known)
{
  json_t *out = json_array ();
  for (int i = 0; i < UMMGR_STATS_DEVICES; i++)
    {
      const struct ummgr_stats_device *d = &ummgr_stats.devices[i];
      const struct ummgr_timeline *t = regions ? &d->timeline : &d->outside;
      for (size_t k = 0; k < t->count; k++)
	add_entry (out, &t->entries[k], i, regions, known);
      for (const struct ummgr_stats_call *c = d->newest; c; c = c->older)
	if (regions == (c->region != NULL))
	  {
	    struct ummgr_timeline_entry e = entry_now (d, c);
	    add_entry (out, &e, i, regions, known);
	  }
    }
  return out;
}

static void
put_place (json_t *to, const struct ummgr_stats_place *p)
{
  char text[4096];
  unsigned line = 0;
  /* A call returns to what may be the next line.  */
  uintptr_t call = (uintptr_t) p->address - 1;
  if (p->address && ummgr_line_of (call, text, sizeof text, &line))
    {
      put_text (to, "file", text);
      put_count (to, "line", line);
    }
  else if (p->address && ummgr_symbol_code (call, text, sizeof text))
    put_text (to, "where", text);
}

static json_t *
json_places (unsigned known)
{
  static const char *const kinds[] = UMMGR_STATS_CONSTRUCT_NAMES;
  json_t *out = json_array ();
  for (const struct ummgr_stats_place *p = ummgr_stats.places; p; p = p->next)
    {
      json_t *place = json_object ();
      put_text (place, "kind", kinds[p->kind]);
      put_place (place, p);
      put_count (place, "calls", p->calls);
      put_real (place, "wall_seconds", p->wall_seconds);
      if (ummgr_stats.run.time)
	put_real (place, "elapsed_seconds", p->elapsed_seconds);
      ummgr_stats_put_counters (place, &p->counters, known);
      json_object_del (place, "device_peak_bytes");
      json_object_del (place, "launches");
      json_array_append_new (out, place);
    }
  return out;
}

static void
add_span (json_t *to, const struct ummgr_timeline_entry *e, int device, unsigned known)
{
  json_t *out = json_object ();
  put_count (out, "construct", e->region);
  put_count (out, "calls", e->calls);
  put_count (out, "device", device);
  put_times (out, e, known);
  json_array_append_new (to, out);
}

/* `target data', from begin to end.  */
static json_t *
json_spans (unsigned known)
{
  static const struct ummgr_counters none;
  json_t *out = json_array ();
  for (int i = 0; i < UMMGR_STATS_DEVICES; i++)
    {
      const struct ummgr_timeline *t = &ummgr_stats.devices[i].spans;
      for (size_t k = 0; k < t->count; k++)
	add_span (out, &t->entries[k], i, known);
    }
  for (const struct ummgr_stats_call *c = ummgr_stats.open_data; c; c = c->older)
    if (c->device >= 0 && c->device < UMMGR_STATS_DEVICES)
      {
	struct ummgr_stats_moment now = ummgr_stats_now (&ummgr_stats.devices[c->device]);
	struct ummgr_timeline_entry e = ummgr_timeline_between (&c->opened, &now, &none);
	e.region = c->place->index;
	add_span (out, &e, c->device, known);
      }
  return out;
}

static void
add_host (json_t *to, double from, double end, double seconds, uint64_t calls)
{
  json_t *out = json_object ();
  put_real (out, "t_wall0", from);
  put_real (out, "t_wall1", end);
  put_real (out, "seconds", seconds);
  put_count (out, "calls", calls);
  json_array_append_new (to, out);
}

/* When no call ran, by the wall clock.  */
static void
put_host (json_t *to)
{
  const struct ummgr_stats *s = &ummgr_stats;
  double seconds = s->host_seconds;
  json_t *out = json_array ();
  for (size_t i = 0; i < s->host.count; i++)
    {
      const struct ummgr_timeline_entry *e = &s->host.entries[i];
      add_host (out, e->wall_start, e->wall_end, e->region_seconds, e->calls);
    }
  if (!s->inside && s->started)
    {
      double now = json_number_value (json_object_get (to, "wall_seconds"));
      add_host (out, s->idle_since, now, now - s->idle_since, 1);
      seconds += now - s->idle_since;
    }
  put_real (to, "host_seconds", seconds);
  if (s->started && s->loaded && s->loaded <= s->start)
    put_real (to, "host_before_seconds", (s->start - s->loaded) * 1e-9);
  json_object_set_new (to, "host_timeline", out);
}

static json_t *
json_sample (const struct ummgr_stats_sample *sample, int device, unsigned known)
{
  static const struct ummgr_counters none;
  struct ummgr_timeline_entry e
    = ummgr_timeline_between (&sample->from, &sample->to, &none);
  json_t *out = json_object (), *held = json_array ();
  put_count (out, "device", device);
  put_times (out, &e, known);
  put_count (out, "used", sample->holdings.used);
  for (size_t i = 0; i < sample->holdings.count; i++)
    {
      const struct ummgr_stats_held *h = &sample->holdings.held[i];
      json_t *one = json_object ();
      put_count (one, "object", h->object);
      put_count (one, "bytes", h->bytes);
      json_array_append_new (held, one);
    }
  json_object_set_new (out, "held", held);
  return out;
}

static json_t *
json_memory (unsigned known)
{
  json_t *out = json_array ();
  for (int i = 0; i < UMMGR_STATS_DEVICES; i++)
    {
      const struct ummgr_stats_memory *m = &ummgr_stats.devices[i].memory;
      for (size_t k = 0; k < m->count; k++)
	json_array_append_new (out, json_sample (&m->samples[k], i, known));
    }
  return out;
}

void
ummgr_stats_put_tracks (json_t *to, unsigned known)
{
  json_object_set_new (to, "timeline", json_calls (true, known));
  json_object_set_new (to, "outside_timeline", json_calls (false, known));
  json_object_set_new (to, "constructs", json_places (known));
  json_object_set_new (to, "construct_timeline", json_spans (known));
  put_host (to);
  json_object_set_new (to, "memory_timeline", json_memory (known));
}
