/* Breaks if text, HTML and JSON disagree about a figure, if names from a file
   reach a page or a terminal unescaped, or if statistics of a wrong shape are
   reported or bring the timeline to its knees.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"
#include "report/report.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNTERS(A)                                                           \
  "\"h2d_bytes\":" #A "610612736,\"d2h_bytes\":" #A "024,"                    \
  "\"d2d_bytes\":0,\"gpu_faults\":" #A "234567,\"cpu_faults\":" #A ","        \
  "\"evictions\":" #A "00,\"local_bytes\":5,\"remote_bytes\":" #A "023,"      \
  "\"launches\":3,\"model_seconds\":0.00" #A "234567,"                        \
  "\"device_peak_bytes\":9007199254740993"

static const char sound[] =
  "{\"version\":1,\"policy\":\"lru\",\"gpu\":\"sim\",\"profile\":\"v100\","
  "\"devices\":1,\"wall_seconds\":2.5,\"decisions\":4,\"decision_ns\":400,"
  "\"layouts\":3,\"layout_ns\":36300,"
  "\"program\":\"/x/<b>&\\\"prog'\",\"totals\":{" COUNTERS (1) "},"
  "\"outside\":{\"h2d_bytes\":77},"
  "\"regions\":[{\"name\":\"light\",\"file\":null,\"line\":0,\"calls\":1,"
  "\"model_seconds\":1e-9},"
  "{\"name\":\"</script><script>alert(1)</script>\","
  "\"file\":\"a\\u001b[31m.c\",\"line\":7,\"calls\":3,"
  "\"wall_seconds\":1.5," COUNTERS (1) "}],"
  "\"per_device\":[{\"device\":0,\"pairs\":[[5120,6144],[7168,\"x\"],[8192]]}],"
  "\"objects\":[{\"peer_bytes\":9216,\"local_bytes\":1024,\"id\":12,\"size\":1610612736,\"where_allocated\":\"m.c:9\","
  "\"path\":\"mapped\",\"place\":\"host\",\"merged\":1,\"maps\":2,"
  "\"regions\":3,\"h2d_bytes\":1}],"
  "\"timeline\":[{\"seq\":1,\"region\":1,\"calls\":3,\"device\":0,"
  "\"t_model0\":0,\"t_model1\":0.5,\"h2d\":10},"
  "{\"seq\":4,\"region\":99999999999,\"calls\":1,\"device\":0,"
  "\"t_model0\":0.5,\"t_model1\":0.5,\"gpu_faults\":3}]}";

typedef void (*renderer) (FILE *, const struct ummgr_report_run *, size_t);

static char *
render (renderer r, json_t *stats, size_t runs)
{
  char *text;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  struct ummgr_report_run run[2]
    = { { "one.json", stats }, { "two.json", stats } };
  CHECK (ummgr_report_check ("test", stats) == UMMGR_OK);
  r (out, run, runs);
  CHECK (fclose (out) == 0);
  return text;
}

static bool
has (const char *text, const char *what)
{
  return strstr (text, what) != NULL;
}

static void
figures (json_t *stats)
{
  char *text = render (ummgr_report_text, stats, 1);
  char *html = render (ummgr_report_html, stats, 1);
  /* Every figure of the totals, as people read it and exactly.  */
  static const char *const both[]
    = { "1.50 GiB", "1,610,612,736 bytes", "1.00 KiB", "1,234,567",
	"1.23 ms", "0.001234567 s", "1023 B", "9,007,199,254,740,993 bytes",
	"8.00 PiB", "modelled", "lru", "m.c:9", "2.50 s" };
  for (size_t i = 0; i < sizeof both / sizeof *both; i++)
    {
      CHECK (has (text, both[i]));
      CHECK (has (html, both[i]));
    }
  static const char *const pairs[] = { "GPU 2's memory", "5.00 KiB", "6.00 KiB", "7.00 KiB",
				       "8.00 KiB", "9.00 KiB", "others'" };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    CHECK (has (text, pairs[i]) && has (html, pairs[i]));
  CHECK (!has (text, "GPU 3") && !has (html, "GPU 3"));
  CHECK (has (text, "100 ns each") && has (text, "12.1 us each"));
  CHECK (has (text, "(outside regions)") && has (html, "(outside regions)"));
  CHECK (has (text, " 77 B") && has (html, ">77 B<"));
  /* The region that took longest comes first.  */
  CHECK (strstr (text, "alert(1)") < strstr (text, "light"));
  /* What is not there is not 0.  */
  CHECK (has (html, "title=\"not counted\""));
  free (text);
  free (html);
}

static void
escapes (json_t *stats)
{
  char *text = render (ummgr_report_text, stats, 1);
  char *html = render (ummgr_report_html, stats, 1);
  CHECK (!has (html, "<script>alert") && !has (html, "<b>&"));
  CHECK (has (html, "&lt;script&gt;alert(1)&lt;/script&gt;"));
  CHECK (has (html, "&lt;b&gt;&amp;&quot;prog&#39;"));
  CHECK (!strchr (text, 27) && !strchr (html, 27));
  CHECK (!has (html, "http://") && !has (html, "https://"));
  free (text);
  free (html);
}

static void
comparison (json_t *stats)
{
  char *text = render (ummgr_report_text, stats, 2);
  char *html = render (ummgr_report_html, stats, 2);
  CHECK (has (text, "Comparison") && has (html, "Comparison"));
  CHECK (has (text, "two.json") && has (html, "two.json"));
  CHECK (has (html, "width:100.0%"));
  free (text);
  free (html);
}

/* STATS with KEY of PART replaced must be refused.  */
static void
refused (const char *key, json_t *value)
{
  json_t *stats = json_loads (sound, 0, NULL);
  if (value)
    json_object_set_new (stats, key, value);
  else
    json_object_del (stats, key);
  CHECK (ummgr_report_check ("bad.json", stats) == UMMGR_ERR_INVALID);
  json_decref (stats);
}

/* A timeline that is as short as can be, or as long.  */
static void
extreme_time (double end)
{
  json_t *stats = json_loads (sound, 0, NULL);
  json_object_set_new (stats, "timeline", json_pack (
    "[{s:i, s:f, s:f, s:i}, {s:i, s:f, s:f, s:i}]", "device", 0, "t_model0",
    0.0, "t_model1", end, "h2d", 9, "device", 0, "t_model0", end, "t_model1",
    end, "h2d", 9));
  char *html = render (ummgr_report_html, stats, 1);
  CHECK (has (html, "18 B") && has (html, " x=\"999.50\""));
  CHECK (!has (html, "nan") && !has (html, "inf\""));
  free (html);
  json_decref (stats);
}

static void
files (json_t *stats)
{
  char name[] = "/tmp/ummgr-report-XXXXXX.html";
  int fd = mkstemps (name, 5);
  CHECK (fd >= 0);
  CHECK (ummgr_report_write (stats, name) == UMMGR_OK);
  char head[16] = "";
  CHECK (read (fd, head, 15) == 15);
  CHECK (strcmp (head, "<!DOCTYPE html>") == 0);
  close (fd);
  unlink (name);
  CHECK (ummgr_report_write (stats, "/nonexistent/r.html") == UMMGR_ERR_IO);
  CHECK (ummgr_report_write (stats, "/dev/full") == UMMGR_ERR_IO);
}

int
main (void)
{
  json_t *stats = json_loads (sound, 0, NULL);
  CHECK (stats);
  figures (stats);
  escapes (stats);
  comparison (stats);
  files (stats);
  json_decref (stats);
  refused ("version", NULL);
  refused ("version", json_integer (2));
  refused ("totals", NULL);
  refused ("totals", json_array ());
  refused ("regions", json_string ("none"));
  refused ("objects", json_pack ("[i]", 3));
  refused ("timeline", json_pack ("[{s:i}]", "calls", -1));
  refused ("timeline", json_pack ("[{s:f,s:f}]", "t_model0", 4.6e13,
				  "t_model1", 0.1));
  refused ("timeline", json_pack ("[{s:f,s:f,s:f,s:f}]", "t_model0", 0.1,
				  "t_model1", 0.2, "t_wall0", 0.2, "t_wall1",
				  0.1));
  refused ("timeline", json_pack ("[{s:f}]", "t_model0", 0.1));
  refused ("wall_seconds", json_integer (-2));
  refused ("wall_seconds", json_real (1e300));
  extreme_time (4.9e-324);
  extreme_time (1e18);
  json_t *array = json_array ();
  CHECK (ummgr_report_check ("array.json", array) == UMMGR_ERR_INVALID);
  json_decref (array);
  return 0;
}
