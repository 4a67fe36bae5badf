/* Breaks if what timelines show doesn't add up to the totals: copies of data constructs, of
   the program outside of them, and of calls that never end; if a construct's place, order
   or length is wrong; if the host's time and that of calls overlap; if what devices hold
   is more than was there, or ends otherwise than it does; or if long runs are kept whole.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"
#include "report/report.h"
#include "report/stats.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICES = 2 };
static struct ummgr_counters device[DEVICES];
static double now;		/* Modelled, of the one thread.  */

static bool
reader (int d, struct ummgr_counters *out)
{
  if (d < 0 || d >= DEVICES)
    return false;
  *out = device[d];
  return true;
}

static double
thread_time (void)
{
  return now;
}

static void
start (int devices)
{
  struct ummgr_options options;
  CHECK (ummgr_options_from_environment (&options) == UMMGR_OK);
  options.policy = "lru";
  options.stats = "-";
  struct ummgr_stats_run run
    = { .gpu = "sim", .profile = "p", .devices = devices, .time = thread_time };
  memset (device, 0, sizeof device);
  now = 0;
  ummgr_stats_start (&options, &run);
  ummgr_stats_set_reader (reader);
}

/* Device D moves IN bytes in and OUT out, and takes as many microseconds.  */
static void
work (int d, unsigned in, unsigned out)
{
  device[d].h2d_bytes += in;
  device[d].d2h_bytes += out;
  device[d].cpu_faults += out % 3;
  device[d].gpu_faults += in % 5;
  device[d].evictions += in % 2;
  device[d].refetched_bytes += in / 2;
  device[d].remote_bytes += 7 * out;
  device[d].model_seconds += (in + out) * 1e-6;
  now += (in + out) * 1e-6;
}

static double
get (const json_t *of, const char *key)
{
  json_t *v = json_object_get (of, key);
  CHECK (json_is_number (v));
  return json_number_value (v);
}

/* The sum of KEY over LIST, of DEVICE or, with -1, of all; of construct CONSTRUCT, or all.  */
static double
sum (const json_t *stats, const char *list, const char *key, int of, int construct)
{
  size_t i;
  double all = 0;
  const json_t *e, *entries = json_object_get (stats, list), *which;
  CHECK (json_is_array (entries));
  json_array_foreach (entries, i, e)
    {
      which = json_object_get (e, "construct");
      if ((of < 0 || get (e, "device") == of)
	  && (construct < 0 || (which && json_integer_value (which) == construct)))
	all += get (e, key);
    }
  return all;
}

static const struct { const char *entry, *total; } keys[] = {
  { "h2d", "h2d_bytes" }, { "d2h", "d2h_bytes" }, { "gpu_faults", "gpu_faults" },
  { "cpu_faults", "cpu_faults" }, { "evictions", "evictions" },
  { "refetched", "refetched_bytes" }, { "remote", "remote_bytes" }
};

/* Rows add up: on each device, in all, outside of regions, and of each construct.  */
static void
check_sums (json_t *stats)
{
  json_t *devices = json_object_get (stats, "per_device"), *d, *c;
  json_t *constructs = json_object_get (stats, "constructs");
  size_t i;
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
    {
      const char *entry = keys[k].entry, *total = keys[k].total;
      double outside = sum (stats, "outside_timeline", entry, -1, -1);
      CHECK (sum (stats, "timeline", entry, -1, -1) + outside
	     == get (json_object_get (stats, "totals"), total));
      CHECK (outside == get (json_object_get (stats, "outside"), total));
      json_array_foreach (devices, i, d)
	CHECK (sum (stats, "timeline", entry, i, -1)
	       + sum (stats, "outside_timeline", entry, i, -1) == get (d, total));
      json_array_foreach (constructs, i, c)
	CHECK (json_array_size (constructs) > 100
	       || sum (stats, "outside_timeline", entry, -1, i) == get (c, total));
    }
  CHECK (ummgr_report_check ("tracks", stats) == UMMGR_OK);
}

/* The host's time and that of calls don't overlap, and are the run.  */
static void
check_host (json_t *stats)
{
  double host = get (stats, "host_seconds"), last = 0, alone = 0;
  size_t i;
  json_t *e, *all = json_object_get (stats, "host_timeline");
  json_array_foreach (all, i, e)
    {
      CHECK (get (e, "t_wall0") >= last);
      last = get (e, "t_wall1");
      alone += get (e, "seconds");
      CHECK (get (e, "seconds") <= last - get (e, "t_wall0") + 1e-9);
    }
  CHECK (fabs (alone - host) < 1e-9 + 1e-9 * host);
  CHECK (host <= get (stats, "wall_seconds") + 1e-9);
  CHECK (json_number_value (json_object_get (stats, "host_before_seconds")) >= 0);
}

static int sites[8];

static json_t *
element (json_t *stats, const char *list, size_t i)
{
  json_t *e = json_array_get (json_object_get (stats, list), i);
  CHECK (e);
  return e;
}

static bool
is (const json_t *of, const char *key, const char *text)
{
  const char *value = json_string_value (json_object_get (of, key));
  return value && strcmp (value, text) == 0;
}

static char *
report (json_t *stats, bool html)
{
  char *text;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  struct ummgr_report_run run = { "run", stats };
  (html ? ummgr_report_html : ummgr_report_text) (out, &run, 1);
  CHECK (fclose (out) == 0);
  return text;
}

/* What the line of the text's timeline that begins with TITLE has behind its bars.  */
static void
line_has (const char *text, const char *title, const char *what)
{
  const char *line = strstr (text, "\nTimeline");
  CHECK (line);
  CHECK (line = strstr (line, title));
  CHECK (line = strchr (line, '|'));
  const char *end = strchr (line, '\n'), *found = strstr (line, what);
  CHECK (found && found < end);
}

static void
by_hand (void)
{
  start (DEVICES);
  work (0, 4096, 0);		/* Before anything: nobody's.  */
  struct ummgr_stats_region *r = ummgr_stats_region_get (&device[0], "r", "x.c", 7);
  struct ummgr_stats_call *enter
    = ummgr_stats_construct_begin (UMMGR_STATS_ENTER, &sites[0], 0);
  work (0, 1000, 0);
  ummgr_stats_construct_end (enter);
  struct ummgr_stats_call *outer
    = ummgr_stats_construct_begin (UMMGR_STATS_DATA, &sites[1], 0);
  work (0, 50, 0);
  ummgr_stats_construct_entered (outer);
  struct ummgr_stats_call *inner
    = ummgr_stats_construct_begin (UMMGR_STATS_DATA, &sites[2], 0);
  ummgr_stats_construct_entered (inner);
  struct ummgr_stats_call *call = ummgr_stats_region_begin (r, 0);
  work (0, 300, 20);
  work (1, 11, 0);
  ummgr_stats_region_end (call);
  work (0, 0, 9);		/* The host looks at something.  */
  ummgr_stats_construct_leaves (inner);
  ummgr_stats_construct_end (inner);
  for (int i = 0; i < 3; i++)
    {
      struct ummgr_stats_call *update
	= ummgr_stats_construct_begin (UMMGR_STATS_UPDATE, &sites[3], 0);
      work (0, 0, 100);
      ummgr_stats_construct_end (update);
    }
  ummgr_stats_construct_leaves (outer);
  work (0, 0, 60);
  ummgr_stats_construct_end (outer);
  /* These are still under way.  */
  outer = ummgr_stats_construct_begin (UMMGR_STATS_DATA, &sites[4], 1);
  work (1, 7, 0);
  ummgr_stats_construct_entered (outer);
  call = ummgr_stats_region_begin (r, 1);
  work (1, 6, 5);

  json_t *stats = ummgr_stats_json ();
  check_sums (stats);
  check_host (stats);
  /* Device 1's first 11 are noticed when it is looked at next.  */
  CHECK (sum (stats, "timeline", "h2d", 0, -1) == 300);
  CHECK (sum (stats, "timeline", "h2d", 1, -1) == 6);
  CHECK (sum (stats, "outside_timeline", "h2d", 0, -1) == 4096 + 1000 + 50);
  CHECK (sum (stats, "outside_timeline", "d2h", 0, 3) == 300);
  CHECK (sum (stats, "outside_timeline", "d2h", -1, 1) == 60);
  static const char *const kinds[] = { "target enter data", "target data", "target data",
				       "target update", "target data" };
  static const int calls[] = { 1, 1, 1, 3, 1 };
  CHECK (json_array_size (json_object_get (stats, "constructs")) == 5);
  for (int i = 0; i < 5; i++)
    {
      CHECK (is (element (stats, "constructs", i), "kind", kinds[i]));
      CHECK (get (element (stats, "constructs", i), "calls") == calls[i]);
    }
  /* The inner one ends first; the last is open.  */
  json_t *in = element (stats, "construct_timeline", 0);
  json_t *out = element (stats, "construct_timeline", 1);
  CHECK (json_array_size (json_object_get (stats, "construct_timeline")) == 3);
  CHECK (get (in, "construct") == 2 && get (out, "construct") == 1);
  CHECK (get (element (stats, "construct_timeline", 2), "construct") == 4);
  CHECK (get (out, "t_model0") < get (in, "t_model0"));
  CHECK (get (in, "t_model1") < get (out, "t_model1"));
  CHECK (fabs (get (out, "t_model1") - get (out, "t_model0") - (50 + 320 + 9 + 300 + 60) * 1e-6)
	 < 1e-12);
  json_t *ran = element (stats, "timeline", 0);
  CHECK (get (ran, "t_model0") >= get (in, "t_model0"));
  CHECK (get (ran, "t_model1") <= get (in, "t_model1"));

  char *text = report (stats, false), *html = report (stats, true);
  line_has (text, "to device", "5.32 KiB");
  line_has (text, "to device", "5.03 KiB outside of regions");
  line_has (text, "from device", "389 B");
  line_has (text, "host, outside of regions", "wall clock");
  CHECK (strstr (html, "to device in regions: 300 B"));
  CHECK (strstr (html, "to device outside of regions: 5.03 KiB, of data constructs 1.03 KiB"));
  CHECK (strstr (html, "target update") && strstr (html, "class=\"span\""));
  CHECK (!strstr (html, "nan") && !strstr (html, "inf\""));
  free (text);
  free (html);
  json_decref (stats);
  ummgr_stats_region_end (call);
  ummgr_stats_construct_leaves (outer);
  ummgr_stats_construct_end (outer);
  ummgr_stats_finish ();
}

/* Many constructs, at many places: bounded, and nothing is lost.  */
static void
many (void)
{
  enum { TIMES = 30000, PLACES = 5000 };
  static char places[PLACES];
  start (1);
  struct ummgr_stats_region *r = ummgr_stats_region_get (&device[0], "r", NULL, 0);
  for (int i = 0; i < TIMES; i++)
    {
      struct ummgr_stats_call *data
	= ummgr_stats_construct_begin (UMMGR_STATS_DATA, &places[i % PLACES], 0);
      work (0, 3 + i % 7, 0);
      ummgr_stats_construct_entered (data);
      struct ummgr_stats_call *call = ummgr_stats_region_begin (r, 0);
      work (0, i % 11, i % 5);
      ummgr_stats_region_end (call);
      work (0, 0, i % 2);
      ummgr_stats_construct_leaves (data);
      work (0, 0, 2);
      ummgr_stats_construct_end (data);
    }
  json_t *stats = ummgr_stats_json ();
  check_sums (stats);
  check_host (stats);
  CHECK (json_array_size (json_object_get (stats, "timeline")) <= 4096);
  CHECK (json_array_size (json_object_get (stats, "outside_timeline")) <= 2048);
  CHECK (json_array_size (json_object_get (stats, "construct_timeline")) <= 1024);
  CHECK (json_array_size (json_object_get (stats, "host_timeline")) <= 1025);
  CHECK (json_array_size (json_object_get (stats, "constructs")) <= 4097);
  double calls = 0, spans = sum (stats, "construct_timeline", "calls", -1, -1);
  for (size_t i = 0; i < json_array_size (json_object_get (stats, "constructs")); i++)
    calls += get (element (stats, "constructs", i), "calls");
  CHECK (calls == TIMES && spans == TIMES);
  json_decref (stats);
  ummgr_stats_finish ();
}

static struct ummgr_stats_holdings
holdings (uint64_t objects, uint64_t bytes)
{
  struct ummgr_stats_holdings h = { .used = 512 };
  for (uint64_t i = 0; i < objects; i++)
    {
      ummgr_stats_holdings_add (&h, 1 + i, bytes + i);
      h.used += bytes + i;
    }
  return h;
}

/* Of many objects those that have most are kept.  */
static void
greatest (void)
{
  struct ummgr_stats_holdings h = holdings (100, 7);
  CHECK (h.count == UMMGR_STATS_HELD);
  for (size_t i = 0; i < h.count; i++)
    CHECK (h.held[i].object == 100 - i && h.held[i].bytes == 106 - i);
  ummgr_stats_holdings_add (&h, 200, 1);
  CHECK (h.held[UMMGR_STATS_HELD - 1].object == 100 - (UMMGR_STATS_HELD - 1));
}

static void
memory (void)
{
  enum { TIMES = 20000, MOST = 90 };
  double peak = 0;
  size_t i;
  json_t *e, *h;
  start (1);
  struct ummgr_figures figures = { .memory_bytes = 1 << 20 };
  ummgr_stats_set_figures (0, &figures);
  struct ummgr_stats_region *r = ummgr_stats_region_get (&device[0], "r", NULL, 0);
  for (int k = 0; k < TIMES; k++)
    {
      struct ummgr_stats_call *call = ummgr_stats_region_begin (r, 0);
      work (0, 1, 0);
      struct ummgr_stats_holdings full = holdings (3, 1000 + k % MOST);
      if (ummgr_stats_memory_due (0, 3))
	ummgr_stats_memory_note (0, &full, true);
      ummgr_stats_region_end (call);
      struct ummgr_stats_holdings empty = holdings (k % 2, 100);
      if (ummgr_stats_memory_due (0, 3))
	ummgr_stats_memory_note (0, &empty, false);
    }
  struct ummgr_stats_holdings end = holdings (2, 4000);
  ummgr_stats_memory_note (0, &end, false);
  json_t *stats = ummgr_stats_json (), *all = json_object_get (stats, "memory_timeline");
  CHECK (json_array_size (all) >= 200 && json_array_size (all) <= 512);
  double last = 0;
  json_array_foreach (all, i, e)
    {
      double held = 0;
      size_t k;
      json_array_foreach (json_object_get (e, "held"), k, h)
	held += get (h, "bytes");
      CHECK (held + 512 == get (e, "used") && get (e, "used") <= 1 << 20);
      CHECK (get (e, "t_model0") >= last && get (e, "t_model1") >= get (e, "t_model0"));
      last = get (e, "t_model0");
      if (i + 1 < json_array_size (all) && held > peak)
	peak = held;
    }
  /* What was seen is kept where it was most.  */
  CHECK (peak > 3 * 1000 && peak <= 3 * (1000 + MOST) + 3);
  CHECK (get (json_array_get (all, json_array_size (all) - 1), "used") == end.used);
  CHECK (ummgr_report_check ("memory", stats) == UMMGR_OK);
  char *html = report (stats, true), *text = report (stats, false);
  CHECK (strstr (html, "memory in use") && strstr (html, "class=\"h c2\""));
  line_has (text, "memory in use", "8.31 KiB");
  line_has (text, "memory in use", "the device has 1.00 MiB");
  free (html);
  free (text);
  json_decref (stats);
  ummgr_stats_finish ();
}

/* What stays the same is two samples, not thousands; looking at many objects is rare.  */
static void
cheap (void)
{
  enum { OBJECTS = 1000000, TIMES = 100000 };
  unsigned looked = 0;
  start (1);
  for (int i = 0; i < TIMES; i++)
    looked += ummgr_stats_memory_due (0, OBJECTS);
  CHECK (looked >= 1 && (uint64_t) looked * OBJECTS <= (uint64_t) 64 * TIMES);
  struct ummgr_stats_holdings same = holdings (2, 10);
  for (int i = 0; i < 1000; i++)
    ummgr_stats_memory_note (0, &same, false);
  json_t *stats = ummgr_stats_json ();
  CHECK (json_array_size (json_object_get (stats, "memory_timeline")) == 2);
  json_decref (stats);
  ummgr_stats_finish ();
}

/* Of older statistics, which know launches alone.  */
static void
old (void)
{
  json_t *stats = json_loads (
    "{\"version\":1,\"policy\":\"um\",\"gpu\":\"sim\",\"devices\":1,"
    "\"totals\":{\"h2d_bytes\":3000,\"model_seconds\":1.0},"
    "\"regions\":[{\"name\":\"r\",\"calls\":1}],\"objects\":[],"
    "\"timeline\":[{\"seq\":1,\"region\":0,\"calls\":1,\"device\":0,"
    "\"t_model0\":0,\"t_model1\":1.0,\"h2d\":1024}]}", 0, NULL);
  CHECK (stats && ummgr_report_check ("old", stats) == UMMGR_OK);
  char *html = report (stats, true), *text = report (stats, false);
  line_has (text, "to device", "1.00 KiB");
  line_has (text, "to device", "in regions alone");
  CHECK (strstr (html, "in regions alone") && !strstr (html, "memory in use"));
  CHECK (!strstr (text, "host, outside") && !strstr (html, "host, outside"));
  free (html);
  free (text);
  json_decref (stats);
}

/* What a file says is not believed.  */
static void
odd (void)
{
  static const char *const wrong[] = {
    "\"outside_timeline\":[{\"h2d\":-1}]", "\"memory_timeline\":[{\"t_wall0\":2,\"t_wall1\":1}]",
    "\"constructs\":3", "\"host_timeline\":{}", "\"construct_timeline\":[7]"
  };
  static const char *const right[] = {
    "\"outside_timeline\":[{\"construct\":1e17,\"h2d\":5,\"t_wall0\":0,\"t_wall1\":1}]",
    "\"construct_timeline\":[{\"construct\":3,\"t_wall0\":0,\"t_wall1\":1}]",
    "\"memory_timeline\":[{\"t_wall0\":1e18,\"t_wall1\":1e18,\"used\":1,"
    "\"held\":[3,{\"object\":1e17,\"bytes\":1e18}]}],"
    "\"timeline\":[{\"device\":0,\"t_wall0\":0,\"t_wall1\":1}]",
    "\"constructs\":[{\"kind\":\"<b>\",\"file\":\"/<i>\",\"line\":3}],"
    "\"outside_timeline\":[{\"construct\":0,\"h2d\":5,\"t_wall0\":0,\"t_wall1\":1}]"
  };
  char text[1000];
  for (size_t i = 0; i < 9; i++)
    {
      snprintf (text, sizeof text, "{\"version\":1,\"devices\":1,\"totals\":{},\"regions\":[],"
		"\"objects\":[],%s}", i < 5 ? wrong[i] : right[i - 5]);
      json_t *stats = json_loads (text, 0, NULL);
      CHECK (stats);
      CHECK ((ummgr_report_check ("odd", stats) == UMMGR_OK) == (i >= 5));
      if (i >= 5)
	{
	  char *html = report (stats, true), *words = report (stats, false);
	  CHECK (!strstr (html, "nan") && !strstr (html, "<b>\n") && !strstr (html, "<i>:"));
	  free (html);
	  free (words);
	}
      json_decref (stats);
    }
}

int
main (void)
{
  by_hand ();
  many ();
  greatest ();
  memory ();
  cheap ();
  old ();
  odd ();
  return 0;
}
