/* Statistics of a run: the JSON of design section 7.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing; reads ummgr_stats under its lock.  A figure that nobody
   counted is left out, never written as 0.  */

#include "config.h"
#include "report/collected.h"
#include "report/put.h"
#include "ummgr-table.h"
#include "base/clock.h"
#include "base/json-text.h"
#include "base/lines.h"
#include "base/log.h"
#include "base/output.h"
#include "report/report.h"
#include "base/self.h"
#include "base/symbols.h"
#include "base/world.h"

#include <Judy.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static unsigned
counters_known (void)
{
  const struct ummgr_stats *s = &ummgr_stats;
  bool read = false;
  for (int i = 0; i < UMMGR_STATS_DEVICES; i++)
    read |= s->devices[i].read;
  if (!read)
    return 0;
  if (s->run.gpu && strcmp (s->run.gpu, "sim") == 0)
    return HAS_BYTES | HAS_PAGING | HAS_MODEL;
  return HAS_BYTES | (s->run.paging_counters ? HAS_PAGING : 0);
}

/* Nothing where nobody counted.  */
static void
put_instructions (json_t *to, const uint64_t count[UMMGR_WORKS])
{
  static const char *const names[UMMGR_WORKS]
    = { "integer", "f32", "f64", "memory", "special", "control" };
  uint64_t sum = 0;
  for (int i = 0; i < UMMGR_WORKS; i++)
    sum += count[i];
  if (!sum)
    return;
  json_t *out = json_object ();
  for (int i = 0; i < UMMGR_WORKS; i++)
    put_count (out, names[i], count[i]);
  json_object_set_new (to, "warp_instructions", out);
}

void
ummgr_stats_put_counters (json_t *to, const struct ummgr_counters *c, unsigned known)
{
  put_count (to, "launches", c->launches);
  if (known & HAS_BYTES)
    {
      put_count (to, "h2d_bytes", c->h2d_bytes);
      put_count (to, "d2h_bytes", c->d2h_bytes);
      put_count (to, "d2d_bytes", c->d2d_bytes);
    }
  if (known & HAS_PAGING)
    {
      put_count (to, "gpu_faults", c->gpu_faults);
      put_count (to, "cpu_faults", c->cpu_faults);
      put_count (to, "evictions", c->evictions);
    }
  if (known & HAS_MODEL)
    {
      put_count (to, "device_peak_bytes", c->device_peak_bytes);
      put_count (to, "local_bytes", c->local_bytes);
      put_count (to, "remote_bytes", c->remote_bytes);
      put_count (to, "far_bytes", c->far_bytes);
      put_count (to, "peer_bytes", c->peer_bytes);
      put_count (to, "refetched_bytes", c->refetched_bytes);
      put_count (to, "notifications", c->notifications);
      put_count (to, "notified_pages", c->notified_pages);
      put_real (to, "model_seconds", c->model_seconds);
      put_real (to, "kernel_seconds", c->kernel_seconds);
      put_count (to, "fault_batches", c->fault_batches);
      put_instructions (to, c->instructions);
    }
}

static json_t *
json_options (void)
{
  json_t *out = json_object ();
  for (const struct ummgr_option *o = ummgr_option_table; o->name; o++)
    {
      const void *field = (const char *) &ummgr_stats.options + o->offset;
      if (o->type == UMMGR_OPTION_SWITCH)
	json_object_set_new (out, o->name, json_boolean (*(const bool *)
							 field));
      else if (o->type == UMMGR_OPTION_NAME || o->type == UMMGR_OPTION_TEXT)
	put_text (out, o->name, *(char *const *) field);
      else
	put_count (out, o->name, *(const uint64_t *) field);
    }
  return out;
}

/* What R is, and where: by the tables, or, of a program without them, by its symbols and what debuggers
   know.  */
static void
put_region (json_t *to, const struct ummgr_stats_region *r)
{
  char title[512], file[4096];
  unsigned line = r->line > 0 ? (unsigned) r->line : 0;
  bool found = !r->file && ummgr_line_of ((uintptr_t) r->function, file, sizeof file, &line);
  if (!r->title && r->name)
    {
      ummgr_symbol_plain (r->name, title, sizeof title);
      size_t length = strlen (title);
      const char *number = strstr (r->name, "._omp_fn.");
      /* Nothing else tells a function's regions apart.  */
      if (number && !found && !r->file)
	snprintf (title + length, sizeof title - length, ", region %s", number + strlen ("._omp_fn."));
    }
  put_text (to, "name", r->name);
  put_text (to, "title", r->title ? r->title : r->name ? title : NULL);
  put_text (to, "file", found ? file : r->file);
  put_count (to, "line", line);
}

static json_t *
json_regions (unsigned known)
{
  json_t *out = json_array ();
  for (const struct ummgr_stats_region *r = ummgr_stats.regions; r;
       r = r->next)
    {
      json_t *region = json_object ();
      put_region (region, r);
      put_count (region, "calls", r->calls);
      if (r->pieces)
	put_count (region, "pieces", r->pieces);
      if (r->whole)
	put_text (region, "whole", r->whole);
      put_real (region, "wall_seconds", r->wall_seconds);
      if (ummgr_stats.run.time)
	put_real (region, "elapsed_seconds", r->elapsed_seconds);
      ummgr_stats_put_counters (region, &r->counters, known);
      json_array_append_new (out, region);
    }
  return out;
}

/* The trip counts of launches, where some were known.  */
static void
put_trips (json_t *to, const struct ummgr_stats_trips *trips)
{
  if (!trips->count)
    return;
  json_t *out = json_object ();
  put_count (out, "count", trips->count);
  put_count (out, "min", trips->min);
  put_count (out, "max", trips->max);
  json_object_set_new (out, "mean", json_real (trips->sum / (double) trips->count));
  json_object_set_new (to, "trips", out);
}

/* A region of the tables, how often it was launched, and what else was counted of it.  */
static void
launched_add (const struct ummgr_stats_launched *known, void *to)
{
  PPvoid_t slot = JudyLGet (ummgr_stats.by_function, (Word_t) known->host_function, PJE0);
  PPvoid_t host = JudyLGet (ummgr_stats.on_host, (Word_t) known->host_function, PJE0);
  const struct ummgr_stats_region *region = slot ? *slot : NULL;
  json_t *out = json_object ();
  put_text (out, "unit", known->unit);
  put_text (out, "function", known->function);
  put_count (out, "ordinal", known->ordinal);
  put_count (out, "checksum", known->checksum);
  put_count (out, "times", (region ? region->calls : 0) + (host ? *(Word_t *) host : 0));
  if (region)
    put_trips (out, &region->trips);
  json_t *decided = ummgr_stats_decided (ummgr_region_id (known->unit, known->function,
							  known->ordinal, known->checksum));
  if (decided)
    json_object_set_new (out, "decided", decided);
  json_array_append_new (to, out);
}

/* For `ummgr cc --profile'.  */
static json_t *
json_launched (void)
{
  json_t *out = json_array ();
  if (ummgr_stats.lister)
    ummgr_stats.lister (launched_add, out);
  return out;
}

/* What was believed of data-dependent accesses, if anything was corrected.  */
static void
put_density (json_t *object, const struct ummgr_stats_object *o)
{
  if (!o->density_reason)
    return;
  json_t *density = json_object ();
  json_object_set_new (density, "used", json_real (o->density));
  json_object_set_new (density, "compiler", json_real (o->density_static));
  put_text (density, "reason", o->density_reason);
  json_object_set_new (object, "density", density);
}

static json_t *
json_objects (unsigned known)
{
  const struct ummgr_stats_objects *objects = &ummgr_stats.objects;
  json_t *out = json_array ();
  for (size_t i = 0; i < objects->count; i++)
    {
      const struct ummgr_stats_object *o = &objects->records[i].object;
      char base[24];
      snprintf (base, sizeof base, "0x%" PRIx64, o->base);
      json_t *object = json_object ();
      put_count (object, "id", o->id);
      put_text (object, "name", o->name);
      put_count (object, "size", o->size);
      put_text (object, "where_allocated", o->where_allocated);
      put_text (object, "path", o->path);
      put_text (object, "place", o->place);
      put_text (object, "reason", o->reason);
      put_density (object, o);
      put_text (object, "base", base);
      json_object_set_new (object, "device", json_integer (o->device));
      put_count (object, "merged", objects->records[i].merged);
      put_count (object, "maps", o->maps);
      put_count (object, "regions", o->regions);
      put_count (object, "on_device", o->on_device);
      ummgr_stats_put_counters (object, &o->counters, known);
      /* A peak, and seconds, belong to devices.  */
      json_object_del (object, "device_peak_bytes");
      json_object_del (object, "model_seconds");
      json_object_del (object, "launches");
      json_array_append_new (out, object);
    }
  return out;
}

/* The program, as the kernel names it.  */
static void
put_program (json_t *to)
{
  char path[PATH_MAX];
  put_text (to, "program", realpath (ummgr_self_file (), path));
}

static struct ummgr_stats_trace run_trace;

static uint64_t
host_regions (int why)
{
  return __atomic_load_n (&ummgr_stats.host_regions[why], __ATOMIC_RELAXED);
}

static json_t *
json_host_regions (void)
{
  static const char *const keys[] = UMMGR_STATS_HOST_KEYS;
  json_t *out = json_object ();
  for (int i = 0; i < UMMGR_STATS_HOSTS; i++)
    put_count (out, keys[i], host_regions (i));
  return out;
}

bool
ummgr_stats_brief (void)
{
  return getenv ("UMMGR_STATS_BRIEF") != NULL;
}

static json_t *
json_unwritten (void)
{
  json_t *out = json_array ();
  if (ummgr_stats.unwritten & UMMGR_STATS_TRACE)
    json_array_append_new (out, json_string ("trace"));
  if (ummgr_stats.unwritten & UMMGR_STATS_REPORT)
    json_array_append_new (out, json_string ("report"));
  return out;
}

/* Each with where it is from.  */
static json_t *
json_figures (const struct ummgr_figures *f)
{
  static const char *const sources[] = UMMGR_FIGURE_SOURCES;
  json_t *out = json_object ();
#define TEXT put_text
#define SIZE put_count
#define COUNT put_count
#define RATE put_real
#define TIME put_real
#define FIGURE(KEY, TYPE)                                                     \
  {                                                                           \
    json_t *figure = json_object ();                                          \
    TYPE (figure, "value", f->KEY);                                           \
    put_text (figure, "from", sources[f->source[UMMGR_FIGURE_##KEY]]);        \
    json_object_set_new (out, #KEY, figure);                                  \
  }
#include "device/figures.def"
  return out;
}

static json_t *
json_counts (const uint64_t *count, unsigned n)
{
  json_t *out = json_array ();
  for (unsigned i = 0; i < n; i++)
    json_array_append_new (out, json_integer ((json_int_t) count[i]));
  return out;
}

/* What GPUs that are one device used of each other's memory.  */
static void
put_pairs (json_t *to, int device)
{
  uint64_t bytes[UMMGR_FIGURES_GPUS][UMMGR_FIGURES_GPUS];
  unsigned gpus = ummgr_stats.run.pairs ? ummgr_stats.run.pairs (device, bytes) : 0;
  if (!gpus)
    return;
  json_t *users = json_array ();
  for (unsigned i = 0; i < gpus; i++)
    json_array_append_new (users, json_counts (bytes[i], gpus));
  json_object_set_new (to, "pairs", users);
}

/* What DEVICE, of several, used of each one's memory, and had copied from there.  */
static void
put_between (json_t *to, int device)
{
  const struct ummgr_stats_run *run = &ummgr_stats.run;
  unsigned devices = run->devices < UMMGR_BETWEEN_DEVICES ? (unsigned) run->devices
    : UMMGR_BETWEEN_DEVICES;
  struct ummgr_between between;
  if (devices < 2 || !run->between || !run->between (device, &between))
    return;
  json_object_set_new (to, "used", json_counts (between.used, devices));
  put_count (to, "used_on_host", between.host);
  json_object_set_new (to, "copied", json_counts (between.copied, devices));
}

/* What other processes had of it, if there were any.  */
static void
put_shared (json_t *to, const struct ummgr_stats_device *d)
{
  if (!d->others)
    return;
  json_t *shared = json_object ();
  put_count (shared, "processes", d->others);
  put_count (shared, "bytes", d->others_bytes);
  put_count (shared, "room", d->room);
  json_object_set_new (to, "others", shared);
}

/* How it ended, as far as that is known, and what for, perhaps.  */
static void
put_end (json_t *to)
{
  const struct ummgr_stats *s = &ummgr_stats;
  uint64_t refused = __atomic_load_n (&s->refused_bytes, __ATOMIC_RELAXED);
  if (s->ended)
    json_object_set_new (to, "ended", json_pack ("{s:i}", s->signal ? "signal" : "status",
						 s->signal ? s->signal : s->exit_status));
  if (refused)
    {
      json_t *memory = json_pack ("{s:i}", "device", __atomic_load_n (&s->refused_device, __ATOMIC_RELAXED));
      put_count (memory, "bytes", refused);
      json_object_set_new (to, "out_of_memory", memory);
    }
}

/* Where it ran, and as which rank.  */
static void
put_place (json_t *to)
{
  char host[HOST_NAME_MAX + 1] = "";
  struct ummgr_world world;
  gethostname (host, sizeof host - 1);
  put_text (to, "host", host);
  if (!ummgr_world_find (&world))
    return;
  json_t *rank = json_object ();
  put_count (rank, "number", world.number);
  put_count (rank, "count", world.count);
  put_text (rank, "job", *world.job ? world.job : NULL);
  json_object_set_new (to, "rank", rank);
}

static json_t *
json_all (void)
{
  static const struct ummgr_counters zero;
  const struct ummgr_stats *s = &ummgr_stats;
  ummgr_stats_settle_all ();
  unsigned known = counters_known ();
  struct ummgr_counters totals = zero;
  json_t *per_device = json_array ();
  for (int i = 0; i < UMMGR_STATS_DEVICES; i++)
    if (s->devices[i].read)
      {
	ummgr_counters_add_delta (&totals, &s->devices[i].last, &zero);
	json_t *device = json_object ();
	put_count (device, "device", i);
	ummgr_stats_put_counters (device, &s->devices[i].last, known);
	put_pairs (device, i);
	put_between (device, i);
	put_shared (device, &s->devices[i]);
	if (s->devices[i].told)
	  json_object_set_new (device, "figures",
			       json_figures (&s->devices[i].figures));
	json_array_append_new (per_device, device);
      }

  json_t *out = json_object (), *counters = json_object ();
  json_t *outside = json_object ();
  put_count (out, "version", 1);
  put_text (out, "ummgr", PACKAGE_VERSION);
  put_count (out, "pid", getpid ());
  put_place (out);
  put_end (out);
  json_object_set_new (out, "unwritten", json_unwritten ());
  put_program (out);
  put_text (out, "policy", s->options.policy);
  put_text (out, "gpu", s->run.gpu);
  put_text (out, "profile", s->run.profile);
  put_text (out, "scaling", s->run.scaling);
  put_text (out, "fidelity", s->run.fidelity);
  put_text (out, "order", s->run.order);
  put_count (out, "devices", s->run.devices > 0 ? s->run.devices : 0);
  put_real (out, "wall_seconds",
	    (ummgr_nanoseconds (CLOCK_MONOTONIC) - s->start) * 1e-9);
  put_count (out, "decision_ns", s->decision_ns);
  put_count (out, "decisions", s->decisions);
  put_count (out, "layouts", s->layouts);
  put_count (out, "layout_ns", s->layout_ns);
  put_count (out, "kept", s->kept);
  put_count (out, "kept_bytes", s->kept_bytes);
  put_count (out, "discarded_bytes", s->discarded_bytes);
  json_object_set_new (out, "options", json_options ());
  if (s->run.elapsed)
    put_real (counters, "elapsed_seconds", s->run.elapsed ());
  ummgr_stats_put_counters (counters, &totals, known);
  json_object_set_new (out, "totals", counters);
  ummgr_stats_put_counters (outside, &s->outside, known);
  json_object_set_new (out, "outside", outside);
  json_object_set_new (out, "per_device", per_device);
  json_object_set_new (out, "regions", json_regions (known));
  json_object_set_new (out, "launched", json_launched ());
  json_object_set_new (out, "host_regions", json_host_regions ());
  put_count (out, "object_count", s->objects.seen);
  json_object_set_new (out, "objects", json_objects (known));
  if (!ummgr_stats_brief ())
    ummgr_stats_put_tracks (out, known);
  if (run_trace.diagnosis)
    {
      json_object_set_new (out, "trace", run_trace.head (run_trace.diagnosis));
      json_object_set_new (out, "findings",
			   run_trace.findings (run_trace.diagnosis));
    }
  return out;
}

void
ummgr_stats_set_trace (const struct ummgr_stats_trace *trace)
{
  static const struct ummgr_stats_trace none;
  pthread_mutex_lock (&ummgr_stats.lock);
  run_trace = trace ? *trace : none;
  pthread_mutex_unlock (&ummgr_stats.lock);
}

struct json_t *
ummgr_stats_json (void)
{
  pthread_mutex_lock (&ummgr_stats.lock);
  json_t *out = json_all ();
  pthread_mutex_unlock (&ummgr_stats.lock);
  if (!out)
    ummgr_error ("statistics: out of memory");
  return out;
}

void
ummgr_stats_ended (int status, int signal)
{
  struct ummgr_stats *s = &ummgr_stats;
  pthread_mutex_lock (&s->lock);
  s->ended = true;
  s->exit_status = status;
  s->signal = signal;
  pthread_mutex_unlock (&s->lock);
}

void
ummgr_stats_refused (int device, uint64_t bytes)
{
  __atomic_store_n (&ummgr_stats.refused_device, device, __ATOMIC_RELAXED);
  __atomic_store_n (&ummgr_stats.refused_bytes, bytes, __ATOMIC_RELAXED);
}

void
ummgr_stats_unwritten (enum ummgr_stats_file file)
{
  ummgr_stats.unwritten |= file;
}

bool
ummgr_stats_any (void)
{
  return ummgr_stats.regions || ummgr_stats.objects.seen > 0
    || host_regions (UMMGR_STATS_NO_DEVICE)
    || host_regions (UMMGR_STATS_NO_CODE)
    || host_regions (UMMGR_STATS_HOST_ASKED);
}

/* Did this process do nothing, while another has written FILE since it
   began?  It may be a shell, or timeout(1), around the program that matters;
   a preloaded library is in all of them.  */
static bool
is_bystander (const char *file)
{
  const struct timespec *began = &ummgr_stats.began;
  struct stat st;
  return !ummgr_stats_any () && stat (file, &st) == 0 && S_ISREG (st.st_mode) && st.st_size > 0
    && (st.st_mtim.tv_sec > began->tv_sec
	|| (st.st_mtim.tv_sec == began->tv_sec
	    && st.st_mtim.tv_nsec >= began->tv_nsec));
}

void
ummgr_stats_dump (FILE *out, const void *json)
{
  json_dumpf (json, out, JSON_INDENT (1) | JSON_REAL_PRECISION (15));
  fputc ('\n', out);
}

char *
ummgr_stats_idle (const struct ummgr_options *options)
{
  struct ummgr_stats *s = &ummgr_stats;
  char *text = NULL;
  size_t size;
  pthread_mutex_lock (&s->lock);
  struct ummgr_options own = s->options;
  s->options = *options;
  json_t *json = json_all ();
  /* It will not have ended when this is said of it.  */
  json_object_del (json, "wall_seconds");
  s->options = own;
  pthread_mutex_unlock (&s->lock);
  FILE *out = json ? open_memstream (&text, &size) : NULL;
  if (out)
    {
      ummgr_stats_dump (out, json);
      fclose (out);
    }
  json_decref (json);
  return text;
}

/* Is this not the process that the statistics are of, or has it nothing to
   say?  */
static bool
is_silent (const char *file)
{
  return (ummgr_stats.pid && ummgr_stats.pid != getpid ())
    || is_bystander (file);
}

enum ummgr_status
ummgr_stats_write (const char *file)
{
  if (is_silent (file))
    return UMMGR_OK;
  json_t *json = ummgr_stats_json ();
  if (!json)
    return UMMGR_ERR_NOMEM;
  enum ummgr_status status
    = ummgr_output_write ("statistics", file, ummgr_stats_dump, json);
  json_decref (json);
  return status;
}

enum ummgr_status
ummgr_stats_report (const char *file)
{
  if (is_silent (file))
    return UMMGR_OK;
  json_t *json = ummgr_stats_json ();
  struct ummgr_report_run run = {
    .stats = json, .diagnosis = run_trace.diagnosis,
    .diagnosis_html = run_trace.html, .diagnosis_text = run_trace.text
  };
  enum ummgr_status status = json ? ummgr_report_write_run (&run, file)
    : UMMGR_ERR_NOMEM;
  json_decref (json);
  return status;
}
