/* Breaks if the regions and "outside" no longer add up to the totals, with
   regions that nest or overlap, several devices and several threads; if
   counters nobody read are written as numbers; or if odd names break the
   JSON.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"
#include "report/stats.h"
#include "ummgr-table.h"
#include "ummgr-trace-abi.h"

#include <jansson.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct ummgr_counters device[3];
static bool deaf;

static bool
reader (int d, struct ummgr_counters *out)
{
  if (deaf || d < 0 || d > 2)
    return false;
  *out = device[d];
  return true;
}

/* Device D does something.  */
static void
work (int d, uint64_t n)
{
  device[d].h2d_bytes += 3 * n;
  device[d].d2h_bytes += n;
  device[d].gpu_faults += n / 2;
  device[d].cpu_faults += 1;
  device[d].fault_batches += n % 5;
  device[d].evictions += n % 3;
  device[d].notifications += n % 7;
  device[d].notified_pages += 13 * n;
  device[d].remote_bytes += 7 * n;
  device[d].local_bytes += 11 * n;
  device[d].launches += 1;
  device[d].model_seconds += n * 1e-7;
  device[d].kernel_seconds += n * 3e-8;
  if (device[d].device_peak_bytes < n)
    device[d].device_peak_bytes = n;
}

static void
start (const char *gpu)
{
  struct ummgr_options options;
  CHECK (ummgr_options_from_environment (&options) == UMMGR_OK);
  options.policy = "lru";
  struct ummgr_stats_run run
    = { .gpu = gpu, .profile = "p", .devices = 3 };
  memset (device, 0, sizeof device);
  ummgr_stats_start (&options, &run);
  ummgr_stats_set_reader (reader);
}

static double
get (json_t *of, const char *key)
{
  json_t *v = json_object_get (of, key);
  CHECK (json_is_number (v));
  return json_number_value (v);
}

static json_t *
region (json_t *stats, const char *name)
{
  json_t *regions = json_object_get (stats, "regions"), *r;
  size_t i;
  json_array_foreach (regions, i, r)
    if (strcmp (json_string_value (json_object_get (r, "name")), name) == 0)
      return r;
  CHECK (!"no such region");
  return NULL;
}

static void
check_sums (json_t *stats)
{
  static const char *const keys[]
    = { "h2d_bytes", "d2h_bytes", "d2d_bytes", "gpu_faults", "cpu_faults",
	"evictions", "local_bytes", "remote_bytes", "launches",
	"model_seconds", "kernel_seconds",
	"fault_batches", "notifications", "notified_pages" };
  json_t *regions = json_object_get (stats, "regions"), *r;
  json_t *devices = json_object_get (stats, "per_device");
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
    {
      double sum = get (json_object_get (stats, "outside"), keys[k]);
      double by_device = 0, total;
      size_t i;
      json_array_foreach (regions, i, r)
	sum += get (r, keys[k]);
      json_array_foreach (devices, i, r)
	by_device += get (r, keys[k]);
      total = get (json_object_get (stats, "totals"), keys[k]);
      CHECK (fabs (sum - total) <= 1e-9 * total);
      CHECK (fabs (by_device - total) <= 1e-9 * total);
    }
}

static void
attribution (void)
{
  start ("sim");
  struct ummgr_stats_region *a = ummgr_stats_region_get (&device[0], "a",
							 "x.c", 7);
  struct ummgr_stats_region *b = ummgr_stats_region_get (&device[1], "b",
							 NULL, 0);
  CHECK (a && b && a != b);
  CHECK (ummgr_stats_region_get (&device[0], "a", "x.c", 7) == a);
  work (0, 100);		/* Outside.  */
  struct ummgr_stats_call *ca = ummgr_stats_region_begin (a, 0);
  work (0, 10);			/* a */
  struct ummgr_stats_call *cb = ummgr_stats_region_begin (b, 0);
  work (0, 20);			/* b, begun last */
  struct ummgr_stats_call *other = ummgr_stats_region_begin (b, 1);
  work (1, 1000);		/* b, on another device */
  ummgr_stats_region_end (ca);	/* Not the last begun.  */
  work (0, 40);			/* b */
  ummgr_stats_region_end (cb);
  work (0, 200);		/* Outside.  */
  ummgr_stats_region_end (other);
  work (2, 5);			/* Outside, a device without regions.  */
  json_t *stats = ummgr_stats_json ();
  check_sums (stats);
  CHECK_EQ (get (region (stats, "a"), "h2d_bytes"), 30);
  CHECK_EQ (get (region (stats, "a"), "line"), 7);
  CHECK_EQ (get (region (stats, "b"), "h2d_bytes"), 3180);
  CHECK_EQ (get (region (stats, "b"), "calls"), 2);
  json_t *outside = json_object_get (stats, "outside");
  CHECK_EQ (get (outside, "h2d_bytes"), 915);
  CHECK_EQ (get (json_object_get (stats, "totals"), "device_peak_bytes"),
	    1000);
  CHECK_EQ (json_array_size (json_object_get (stats, "timeline")), 3);
  CHECK (strcmp (json_string_value (json_object_get (stats, "policy")),
		 "lru") == 0);
  json_decref (stats);

  /* The same address, another region: a library was exchanged.  */
  struct ummgr_stats_region *c = ummgr_stats_region_get (&device[0], "c",
							 "y.c", 1);
  CHECK (c != a);
  ummgr_stats_finish ();
}

static void *
worker (void *arg)
{
  struct ummgr_stats_region *r
    = ummgr_stats_region_get (arg, "thread", NULL, 0);
  for (int i = 0; i < 5000; i++)
    {
      struct ummgr_stats_call *call = ummgr_stats_region_begin (r, i % 3);
      ummgr_stats_decisions (2, 10);
      ummgr_stats_layouts (0, 5);
      ummgr_stats_layouts (1, 7);
      ummgr_stats_region_end (call);
    }
  return NULL;
}

static void
threads (void)
{
  start ("sim");
  work (0, 12345);
  work (1, 54321);
  pthread_t t[4];
  for (int i = 0; i < 4; i++)
    CHECK (pthread_create (&t[i], NULL, worker, &device[i % 2]) == 0);
  for (int i = 0; i < 4; i++)
    pthread_join (t[i], NULL);
  json_t *stats = ummgr_stats_json ();
  check_sums (stats);
  CHECK_EQ (get (stats, "decisions"), 40000);
  CHECK_EQ (get (stats, "decision_ns"), 200000);
  CHECK_EQ (get (stats, "layouts"), 20000);
  CHECK_EQ (get (stats, "layout_ns"), 240000);
  json_t *timeline = json_object_get (stats, "timeline"), *e;
  size_t i;
  double calls = 0;
  json_array_foreach (timeline, i, e)
    calls += get (e, "calls");
  CHECK_EQ (calls, 20000);
  CHECK (json_array_size (timeline) <= 4096);
  json_decref (stats);
  ummgr_stats_finish ();
}

static json_t *
figure (json_t *stats, int device, const char *key)
{
  return json_object_get (json_object_get (json_array_get
    (json_object_get (stats, "per_device"), device), "figures"), key);
}

/* With where each is from; of devices that are not used, none.  */
static void
figures (void)
{
  start ("cuda");
  struct ummgr_figures f = UMMGR_FIGURES_UNTOLD;
  f.sm_count = 7;
  f.source[UMMGR_FIGURE_sm_count] = UMMGR_FIGURE_ATTRIBUTE;
  f.source[UMMGR_FIGURE_name] = UMMGR_FIGURE_PROFILE;
  ummgr_stats_set_figures (1, &f);
  ummgr_stats_set_figures (-1, &f);
  ummgr_stats_set_figures (64, &f);
  json_t *stats = ummgr_stats_json ();
  static const struct { const char *key, *from; double value; } told[]
    = { { "sm_count", "attribute", 7 }, { "h2d_rate", "estimate", 25e9 },
	{ "gpu_fault_cost", "estimate", 37e-6 },
	{ "block_bytes", "estimate", 2 << 20 }, { "name", "profile", 0 } };
  for (size_t i = 0; i < sizeof told / sizeof *told; i++)
    {
      json_t *is = figure (stats, 1, told[i].key);
      CHECK (strcmp (json_string_value (json_object_get (is, "from")),
		     told[i].from) == 0);
      CHECK (json_number_value (json_object_get (is, "value"))
	     == told[i].value);
    }
  CHECK (!figure (stats, 0, "sm_count") && !figure (stats, 2, "sm_count"));
  json_decref (stats);
  ummgr_stats_finish ();
}

static void
absent (void)
{
  /* Nobody counts anything.  */
  start ("cuda");
  deaf = true;
  struct ummgr_stats_region *a = ummgr_stats_region_get (&deaf, "a", NULL,
							 0);
  ummgr_stats_region_end (ummgr_stats_region_begin (a, 0));
  json_t *stats = ummgr_stats_json ();
  CHECK (!json_object_get (json_object_get (stats, "totals"), "h2d_bytes"));
  CHECK (!json_object_get (region (stats, "a"), "gpu_faults"));
  CHECK_EQ (get (region (stats, "a"), "calls"), 1);
  json_decref (stats);
  ummgr_stats_finish ();
  deaf = false;

  /* A real GPU without CUPTI: bytes, but neither faults nor a model.  */
  start ("cuda");
  work (0, 10);
  stats = ummgr_stats_json ();
  json_t *totals = json_object_get (stats, "totals");
  CHECK_EQ (get (totals, "h2d_bytes"), 30);
  CHECK (!json_object_get (totals, "gpu_faults"));
  CHECK (!json_object_get (totals, "model_seconds"));
  json_decref (stats);
  ummgr_stats_finish ();
}

static double now;

static double
time_now (void)
{
  return now;
}

/* Calls take what their thread's time goes on by, never less than nothing; the end of all is
   another figure.  */
static void
elapsed (void)
{
  start ("sim");
  json_t *stats = ummgr_stats_json ();
  CHECK (!json_object_get (json_object_get (stats, "totals"), "elapsed_seconds"));
  json_decref (stats);
  ummgr_stats_finish ();

  struct ummgr_options options;
  CHECK (ummgr_options_from_environment (&options) == UMMGR_OK);
  ummgr_stats_start (&options, &(struct ummgr_stats_run) {
    .gpu = "sim", .devices = 2, .time = time_now, .elapsed = time_now });
  struct ummgr_stats_region *a = ummgr_stats_region_get (&device[0], "a", NULL, 0);
  static const double times[][2] = { { 1, 3 }, { 3, 3.5 }, { 2, 1 } };
  for (int i = 0; i < 3; i++)
    {
      now = times[i][0];
      struct ummgr_stats_call *call = ummgr_stats_region_begin (a, i % 2);
      now = times[i][1];
      ummgr_stats_region_end (call);
    }
  now = 7;
  stats = ummgr_stats_json ();
  CHECK (get (region (stats, "a"), "elapsed_seconds") == 2.5);
  CHECK (get (json_object_get (stats, "totals"), "elapsed_seconds") == 7);
  json_t *timeline = json_object_get (stats, "timeline"), *e;
  size_t i;
  double sum = 0;
  json_array_foreach (timeline, i, e)
    sum += get (e, "t_elapsed1") - get (e, "t_elapsed0");
  CHECK (sum == 2.5);
  json_decref (stats);
  ummgr_stats_finish ();
}

/* The one region of a program.  */
static void
list_one (ummgr_stats_tell tell, void *data)
{
  tell (&(struct ummgr_stats_launched) { &device[0], "u.c", "f", 2, 77 }, data);
}

static json_t *
launched_one (json_t *stats)
{
  return json_array_get (json_object_get (stats, "launched"), 0);
}

/* Trip counts of some launches, and conditions of this region, from several threads' reports
   and not those of others.  */
static void
counted (void)
{
  uint64_t id = ummgr_region_id ("u.c", "f", 2, 77), place = (uint64_t) 0xfedcba98 << 32 | 5;
  start ("sim");
  ummgr_stats_set_lister (list_one);
  struct ummgr_stats_region *a = ummgr_stats_region_get (&device[0], "a", NULL, 0);
  json_t *stats = ummgr_stats_json ();
  CHECK (launched_one (stats) && !json_object_get (launched_one (stats), "trips")
	 && !json_object_get (launched_one (stats), "decided"));
  json_decref (stats);
  static const uint64_t trips[] = { 10, 4, 7 };
  for (int i = 0; i < 4; i++)
    {
      struct ummgr_stats_call *call = ummgr_stats_region_begin (a, 0);
      if (i < 3)
	ummgr_stats_region_trip (call, trips[i]);
      ummgr_stats_region_end (call);
    }
  for (int i = 0; i < 12; i++)
    {
      ummgr_trace_decided (id, place, 9, i % 4 == 0);
      ummgr_trace_decided (id + 1, place, 9, 1);
    }
  stats = ummgr_stats_json ();
  json_t *trip = json_object_get (launched_one (stats), "trips");
  CHECK_EQ (get (trip, "count"), 3);
  CHECK_EQ (get (trip, "min"), 4);
  CHECK_EQ (get (trip, "max"), 10);
  CHECK_EQ (get (trip, "mean"), 7);
  CHECK_EQ (get (launched_one (stats), "times"), 4);
  json_t *decided = json_object_get (launched_one (stats), "decided");
  json_t *one = json_array_get (decided, 0);
  CHECK_EQ (json_array_size (decided), 1);
  CHECK_EQ (get (one, "code"), 0xfedcba98);
  CHECK_EQ (get (one, "number"), 5);
  CHECK_EQ (get (one, "line"), 9);
  CHECK_EQ (get (one, "times"), 12);
  CHECK_EQ (get (one, "held"), 3);
  json_decref (stats);
  /* Of more places than there is room for nothing is said, rather than of some.  */
  for (uint64_t i = 0; i < 20000; i++)
    ummgr_trace_decided (id, i << 32, 1, 1);
  stats = ummgr_stats_json ();
  CHECK (!json_object_get (launched_one (stats), "decided"));
  json_decref (stats);
  ummgr_stats_finish ();
}

static void
odd_names (void)
{
  start ("sim");
  ummgr_stats_region_get (&deaf, "caf\xc3\xa9 \xff\xfe \xed\xa0\x80\xc0\xaf",
			  "a\"b\\c\n\x01.c", -5);
  ummgr_stats_region_get (&device[2], NULL, NULL, 0);
  struct ummgr_stats_object o
    = { .id = 1, .name = "\x80", .where_allocated = "</script>\xe2\x82",
	.size = UINT64_MAX, .device = -1 };
  o.counters.model_seconds = NAN;
  ummgr_stats_object_done (&o);
  json_t *stats = ummgr_stats_json ();
  char *text = json_dumps (stats, 0);
  CHECK (text);
  CHECK (strstr (text, "caf\xc3\xa9 \xef\xbf\xbd\xef\xbf\xbd "));
  json_t *again = json_loads (text, 0, NULL);
  CHECK (json_equal (stats, again));
  json_decref (again);
  json_decref (stats);
  free (text);
  ummgr_stats_finish ();
}

/* A child that exits must leave the parent's file alone.  */
static void
fork_child (void)
{
  char file[] = "/tmp/ummgr-stats-XXXXXX";
  int fd = mkstemp (file);
  CHECK (fd >= 0);
  start ("sim");
  pid_t child = fork ();
  if (child == 0)
    _exit (ummgr_stats_write (file) == UMMGR_OK ? 0 : 1);
  int status;
  CHECK (waitpid (child, &status, 0) == child && status == 0);
  CHECK_EQ (lseek (fd, 0, SEEK_END), 0);
  CHECK (ummgr_stats_write (file) == UMMGR_OK);
  CHECK (lseek (fd, 0, SEEK_END) > 100);
  CHECK (ummgr_stats_write ("/nonexistent/s.json") == UMMGR_ERR_IO);
  unlink (file);
  close (fd);
  ummgr_stats_finish ();
}

int
main (void)
{
  attribution ();
  threads ();
  figures ();
  absent ();
  elapsed ();
  counted ();
  odd_names ();
  fork_child ();
  return 0;
}
