/* Reports in HTML: the timeline, as SVG between words of HTML.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   For each device rows of data constructs, regions and, on the same axis, each kind of
   traffic and what the device holds; then the wall clock, where time is modelled.  What is
   drawn is as wide as the page lets it be; text keeps its size.  No state.  */

#include "config.h"
#include "report/html.h"
#include "report/tracks.h"

#include <stdlib.h>
#include <string.h>

#define PLOT 1000		/* Of drawings, in their own units; pages stretch them.  */
#define LANE 36
#define HELD 84			/* Of what devices hold.  */
#define BINS 300
#define COLOURS 8		/* c0 … c7 of the style; others are grey.  */
#define DEPTH 8			/* `target data' in each other, at most.  */
#define LEAST 0.5		/* Narrower entries would not be seen.  */
#define NAMED 0.05		/* Of the axis: where a name has room.  */

struct timeline
{
  struct ummgr_report_axis axis;
  const json_t *stats;
  int *colours;			/* By region.  */
  size_t region_count;
};

static double
position (const struct timeline *t, double time)
{
  return PLOT * ummgr_report_part (&t->axis, time);
}

/* The regions that take longest get colours, in that order.  */
static bool
set_colours (struct timeline *t)
{
  struct ummgr_report_table table;
  const json_t *regions = json_object_get (t->stats, "regions");
  t->region_count = json_array_size (regions);
  t->colours = malloc ((t->region_count + 1) * sizeof *t->colours);
  if (!t->colours)
    return false;
  if (!ummgr_report_regions (t->stats, COLOURS, &table))
    {
      free (t->colours);
      return false;
    }
  for (size_t r = 0; r < t->region_count; r++)
    {
      t->colours[r] = COLOURS;
      for (size_t i = 0; i < table.shown; i++)
	if (table.rows[i] == json_array_get (regions, r))
	  t->colours[r] = i;
    }
  free (table.rows);
  return true;
}

static int
colour (const struct timeline *t, const json_t *entry)
{
  double region = ummgr_report_field (entry, "region");
  return region < t->region_count ? t->colours[(size_t) region] : COLOURS;
}

/* --- rows -------------------------------------------------------------------- */

static void
row_begin (FILE *out, const char *title, const char *detail, const char *more)
{
  fputs ("<div class=\"track\"><div class=\"lab\"><b>", out);
  ummgr_report_escaped (out, title);
  fputs ("</b>", out);
  if (*detail)
    fprintf (out, "<span>%s</span>", detail);
  if (*more)
    fprintf (out, "<span>%s</span>", more);
  fputs ("</div>", out);
}

static void
plot_begin (FILE *out, int height, const char *class)
{
  fprintf (out, "<svg class=\"plot %s\" viewBox=\"0 0 %d %d\" "
	   "style=\"height:%dpx\" preserveAspectRatio=\"none\" role=\"img\">\n", class, PLOT, height, height);
}

static void
plot_end (FILE *out)
{
  fputs ("</svg></div>\n", out);
}

static void
put_rect (FILE *out, const struct timeline *t, const json_t *e, const char *class)
{
  double x = position (t, ummgr_report_field (e, t->axis.from));
  double width = position (t, ummgr_report_field (e, t->axis.to)) - x;
  if (width < LEAST)
    width = LEAST;
  if (x > PLOT - width)
    x = PLOT - width;
  fprintf (out, "<rect class=\"r %s\" x=\"%.2f\" y=\"0\" width=\"%.2f\" height=\"%d\">",
	   class, x, width, LANE);
}

/* How long E takes, how many it is, and its traffic.  */
static void
put_details (FILE *out, const struct timeline *t, const json_t *e)
{
  char text[64];
  double calls = ummgr_report_field (e, "calls");
  ummgr_report_amount (ummgr_report_field (e, t->axis.to) - ummgr_report_field (e, t->axis.from),
	 UMMGR_REPORT_SECONDS, text, sizeof text);
  if (calls > 1)
    fprintf (out, " and neighbours, %.0f calls", calls);
  fprintf (out, "\n%s%s", text, t->axis.modelled ? " modelled" : "");
  for (const struct ummgr_report_lane *l = ummgr_report_lanes; l->key; l++)
    if (ummgr_report_field (e, l->key) > 0)
      {
	ummgr_report_amount (ummgr_report_field (e, l->key), l->kind, text, sizeof text);
	fprintf (out, "\n%s %s", text, l->title);
      }
}

static void
put_regions (FILE *out, const struct timeline *t, int device)
{
  const json_t *entries = json_object_get (t->stats, "timeline");
  const json_t *regions = json_object_get (t->stats, "regions");
  char label[32], class[16], name[512];
  snprintf (label, sizeof label, "device %d", device);
  row_begin (out, label, "regions", "");
  plot_begin (out, LANE, "back");
  for (size_t i = 0; i < json_array_size (entries); i++)
    {
      const json_t *e = json_array_get (entries, i);
      if (!ummgr_report_is_on (e, device))
	continue;
      snprintf (class, sizeof class, "c%d", colour (t, e));
      put_rect (out, t, e, class);
      fputs ("<title>", out);
      ummgr_report_region (json_array_get (regions, ummgr_report_field (e, "region")), name, sizeof name);
      ummgr_report_escaped (out, name);
      put_details (out, t, e);
      fputs ("</title></rect>\n", out);
    }
  plot_end (out);
}

/* --- data constructs ----------------------------------------------------------- */

/* The row of SPAN among DEPTH, whose last spans end at END: the first that is free.  */
static int
row_of (const struct timeline *t, const json_t *span, double end[DEPTH], int rows)
{
  double from = ummgr_report_field (span, t->axis.from);
  for (int r = 0; r < rows; r++)
    if (end[r] <= from)
      return r;
  return rows < DEPTH ? rows : DEPTH - 1;
}

/* Those that begin first, and of these the longest, first.  */
static int
by_begin (const void *a, const void *b, void *of)
{
  const json_t *x = *(json_t *const *) a, *y = *(json_t *const *) b;
  const struct ummgr_report_axis *axis = of;
  double from = ummgr_report_field (x, axis->from) - ummgr_report_field (y, axis->from);
  double to = ummgr_report_field (y, axis->to) - ummgr_report_field (x, axis->to);
  return from < 0 ? -1 : from > 0 ? 1 : to < 0 ? -1 : to > 0;
}

static void
put_span (FILE *out, const struct timeline *t, const json_t *span)
{
  char name[400], text[64];
  double from = ummgr_report_field (span, t->axis.from);
  double to = ummgr_report_field (span, t->axis.to);
  double calls = ummgr_report_field (span, "calls");
  ummgr_report_construct (t->stats, ummgr_report_field (span, "construct"), name,
			  sizeof name);
  ummgr_report_amount (to - from, UMMGR_REPORT_SECONDS, text, sizeof text);
  fprintf (out, "<div class=\"span\" style=\"left:%.3f%%;width:%.3f%%\" title=\"",
	   100 * ummgr_report_part (&t->axis, from),
	   100 * (ummgr_report_part (&t->axis, to) - ummgr_report_part (&t->axis, from)));
  ummgr_report_escaped (out, name);
  if (calls > 1)
    fprintf (out, " and neighbours, %.0f in all", calls);
  fprintf (out, "\n%s%s\">", text, t->axis.modelled ? " modelled" : "");
  if (to - from > NAMED * (t->axis.last - t->axis.first))
    ummgr_report_escaped (out, name);
  fputs ("</div>", out);
}

/* `target data' from begin to end, those within others below.  */
static void
put_spans (FILE *out, const struct timeline *t, int device)
{
  const json_t *all = json_object_get (t->stats, "construct_timeline");
  size_t n = 0, size = json_array_size (all);
  json_t **span = calloc (size + 1, sizeof *span);
  int *row = calloc (size + 1, sizeof *row), rows = 0;
  double end[DEPTH] = { 0 };
  for (size_t i = 0; span && i < size; i++)
    if (ummgr_report_is_on (json_array_get (all, i), device))
      span[n++] = json_array_get (all, i);
  if (n && row)
    qsort_r (span, n, sizeof *span, by_begin, (void *) &t->axis);
  for (size_t i = 0; row && i < n; i++)
    {
      row[i] = row_of (t, span[i], end, rows);
      end[row[i]] = ummgr_report_field (span[i], t->axis.to);
      rows = row[i] >= rows ? row[i] + 1 : rows;
    }
  for (int r = 0; r < rows; r++)
    {
      row_begin (out, r ? "" : "target data", r ? "" : "from begin to end", "");
      fputs ("<div class=\"spans\">", out);
      for (size_t i = 0; i < n; i++)
	if (row[i] == r)
	  put_span (out, t, span[i]);
      fputs ("</div></div>\n", out);
    }
  free (span);
  free (row);
}

/* What data constructs take themselves.  */
static void
put_constructs (FILE *out, const struct timeline *t, int device)
{
  const json_t *all = json_object_get (t->stats, "outside_timeline"), *e;
  char name[400];
  size_t i, n = 0;
  json_array_foreach (all, i, e)
    n += ummgr_report_is_on (e, device) && json_object_get (e, "construct");
  if (!n)
    return;
  row_begin (out, "data constructs", "begin, end, enter,", "exit, update");
  plot_begin (out, LANE, "back");
  json_array_foreach (all, i, e)
    if (ummgr_report_is_on (e, device) && json_object_get (e, "construct"))
      {
	ummgr_report_construct (t->stats, ummgr_report_field (e, "construct"), name,
				sizeof name);
	put_rect (out, t, e, "kd");
	fputs ("<title>", out);
	ummgr_report_escaped (out, name);
	put_details (out, t, e);
	fputs ("</title></rect>\n", out);
      }
  plot_end (out);
}

/* --- traffic ------------------------------------------------------------------- */

/* A path from FROM up to UPTO, bin by bin; MOST is the height.  */
static void
put_path (FILE *out, const char *class, const double *from, const double *upto, double most)
{
  fprintf (out, "<path class=\"t %s\" d=\"M0 %.1f", class, LANE - LANE * from[0] / most);
  for (int i = 0; i < BINS; i++)
    fprintf (out, "V%.1fH%.1f", LANE - LANE * upto[i] / most, PLOT * (i + 1.0) / BINS);
  for (int i = BINS; i--;)
    fprintf (out, "V%.1fH%.1f", LANE - LANE * from[i] / most, PLOT * (double) i / BINS);
  fputs ("Z\">", out);
}

/* The traffic of LANE on DEVICE, in regions below, outside of them above; nothing if there
   was none.  */
static void
put_lane (FILE *out, const struct timeline *t, int device,
	  const struct ummgr_report_lane *lane)
{
  double none[BINS] = { 0 }, in[BINS] = { 0 }, both[BINS] = { 0 }, most = 0;
  char all[64], inside[64], outside[64], more[128] = "", of[64];
  double a = ummgr_report_spread (&t->axis, "timeline", device, lane->key, in, BINS);
  double b = ummgr_report_spread (&t->axis, "outside_timeline", device, lane->key, both, BINS);
  if (a + b == 0)
    return;
  for (int i = 0; i < BINS; i++)
    {
      both[i] += in[i];
      most = both[i] > most ? both[i] : most;
    }
  ummgr_report_amount (a + b, lane->kind, all, sizeof all);
  ummgr_report_amount (a, lane->kind, inside, sizeof inside);
  ummgr_report_amount (b, lane->kind, outside, sizeof outside);
  ummgr_report_amount (ummgr_report_of_constructs (&t->axis, device, lane->key), lane->kind, of, sizeof of);
  if (!json_object_get (t->stats, "outside_timeline"))
    snprintf (more, sizeof more, "in regions alone");
  else if (b > 0)
    snprintf (more, sizeof more, "%s outside of regions", outside);
  row_begin (out, lane->title, all, more);
  plot_begin (out, LANE, "line");
  put_path (out, lane->key, none, in, most);
  fprintf (out, "<title>%s in regions: %s (%s)</title></path>\n", lane->title, inside,
	   lane->help);
  if (b > 0)
    {
      char class[32];
      snprintf (class, sizeof class, "%s out", lane->key);
      put_path (out, class, in, both, most);
      fprintf (out, "<title>%s outside of regions: %s, of data constructs %s (%s)</title>"
	       "</path>\n", lane->title, outside, of, lane->help);
    }
  plot_end (out);
}

/* --- what a device holds --------------------------------------------------------- */

/* Object O over those below it; each sample until the next one.  */
static void
put_layer (FILE *out, const struct timeline *t, const struct ummgr_report_held *held,
	   size_t o, double *below, double scale)
{
  fprintf (out, "<path class=\"h c%zu\" d=\"M%.2f %.2f", o < held->objects ? o : COLOURS,
	   position (t, held->time[0]), HELD - HELD * below[0] / scale);
  for (size_t i = 0; i < held->count; i++)
    fprintf (out, "V%.2fH%.2f", HELD - HELD * (below[i] + held->bytes[o][i]) / scale,
	     i + 1 < held->count ? position (t, held->time[i + 1]) : (double) PLOT);
  for (size_t i = held->count; i--;)
    {
      fprintf (out, "V%.2fH%.2f", HELD - HELD * below[i] / scale,
	       position (t, held->time[i]));
      below[i] += held->bytes[o][i];
    }
  fputs ("Z\"><title>", out);
  ummgr_report_escaped (out, held->name[o]);
  char peak[64];
  ummgr_report_amount (held->peak[o], UMMGR_REPORT_BYTES, peak, sizeof peak);
  fprintf (out, ": at most %s at a time</title></path>\n", peak);
}

static void
put_held_legend (FILE *out, const struct ummgr_report_held *held)
{
  char peak[64];
  fputs ("<div class=\"track\"><div></div><p class=\"legend\">", out);
  for (size_t o = 0; o <= held->objects; o++)
    if (held->peak[o] > 0)
      {
	ummgr_report_amount (held->peak[o], UMMGR_REPORT_BYTES, peak, sizeof peak);
	fprintf (out, "<span><i class=\"c%zu\"></i>", o < held->objects ? o : COLOURS);
	ummgr_report_escaped (out, held->name[o]);
	fprintf (out, " <small>%s</small></span> ", peak);
      }
  fputs ("</p></div>\n", out);
}

static void
put_held (FILE *out, const struct timeline *t, int device)
{
  struct ummgr_report_held held;
  char peak[64], budget[64], detail[140], more[140] = "";
  if (!ummgr_report_held (&t->axis, device, &held))
    return;
  /* Where nearly all is used the budget is the height.  */
  double scale = held.budget && held.most > held.budget / 2 && held.most <= held.budget
		 ? held.budget : held.most;
  double *below = calloc (held.count, sizeof *below);
  ummgr_report_amount (held.top, UMMGR_REPORT_BYTES, peak, sizeof peak);
  ummgr_report_amount (held.budget, UMMGR_REPORT_BYTES, budget, sizeof budget);
  snprintf (detail, sizeof detail, "at most %s", peak);
  if (held.budget)
    snprintf (more, sizeof more, "the device has %s", budget);
  if (below && scale > 0)
    {
      row_begin (out, "memory in use", detail, more);
      plot_begin (out, HELD, "line held");
      for (size_t o = 0; o <= held.objects; o++)
	if (held.peak[o] > 0)
	  put_layer (out, t, &held, o, below, scale);
      if (scale == held.budget)
	fprintf (out, "<path class=\"budget\" d=\"M0 0H%d\"><title>the device's memory: %s"
		 "</title></path>\n", PLOT, budget);
      plot_end (out);
      put_held_legend (out, &held);
    }
  free (below);
  ummgr_report_held_free (&held);
}

/* --- the host ------------------------------------------------------------------ */

static void
put_host (FILE *out, const struct timeline *t)
{
  const json_t *all = json_object_get (t->stats, "host_timeline"), *e;
  char sum[64], before[64], more[140] = "", text[64];
  size_t i;
  if (!json_array_size (all))
    return;
  ummgr_report_amount (ummgr_report_field (t->stats, "host_seconds"), UMMGR_REPORT_SECONDS, sum,
	 sizeof sum);
  ummgr_report_amount (ummgr_report_field (t->stats, "host_before_seconds"), UMMGR_REPORT_SECONDS, before,
	 sizeof before);
  if (json_object_get (t->stats, "host_before_seconds"))
    snprintf (more, sizeof more, "and %s before", before);
  row_begin (out, "host, outside of regions", sum, more);
  plot_begin (out, LANE, "back");
  json_array_foreach (all, i, e)
    {
      double seconds = ummgr_report_field (e, "seconds"), calls = ummgr_report_field (e, "calls");
      double took = ummgr_report_field (e, "t_wall1") - ummgr_report_field (e, "t_wall0");
      put_rect (out, t, e, took > 0 && seconds < took / 2 ? "host few" : "host");
      ummgr_report_amount (seconds, UMMGR_REPORT_SECONDS, text, sizeof text);
      fprintf (out, "<title>no region or data construct ran: %s, wall clock", text);
      if (calls > 1)
	fprintf (out, ", in %.0f parts", calls);
      fputs ("</title></rect>\n", out);
    }
  plot_end (out);
}

/* --- all of it ------------------------------------------------------------------- */

static void
put_axis (FILE *out, const struct timeline *t)
{
  fputs ("<div class=\"track axis\"><div></div><div class=\"ticks\">", out);
  for (int i = 0; i <= 5; i++)
    {
      char text[64];
      ummgr_report_amount (t->axis.first + (t->axis.last - t->axis.first) * i / 5, UMMGR_REPORT_SECONDS,
	     text, sizeof text);
      fprintf (out, "<span style=\"left:%d%%\">%s</span>", 20 * i, text);
    }
  fputs ("</div></div>\n", out);
}

static void
put_legend (FILE *out, const struct timeline *t)
{
  const json_t *regions = json_object_get (t->stats, "regions");
  bool others = false;
  fputs ("<p class=\"legend\">", out);
  for (int c = 0; c < COLOURS; c++)
    for (size_t r = 0; r < t->region_count; r++)
      if (t->colours[r] == c)
	{
	  char text[512];
	  ummgr_report_region (json_array_get (regions, r), text, sizeof text);
	  fprintf (out, "<span><i class=\"c%d\"></i>", c);
	  ummgr_report_escaped (out, text);
	  fputs ("</span> ", out);
	}
      else
	others |= t->colours[r] == COLOURS;
  if (others)
    fprintf (out, "<span><i class=\"c%d\"></i>others</span>", COLOURS);
  fputs ("</p>\n", out);
}

/* Regions and the host by the wall clock, where all else is by modelled time.  */
static void
put_wall (FILE *out, struct timeline *t)
{
  if (!t->axis.modelled || !json_object_get (t->stats, "host_timeline")
      || !ummgr_report_axis (t->stats, true, &t->axis))
    return;
  fputs ("<h4>The same by the wall clock, measured; the simulation of regions takes time, too"
	 "</h4>\n<div class=\"tracks\">\n", out);
  put_host (out, t);
  for (int device = -1; (device = ummgr_report_next_device (t->stats, device)) >= 0;)
    {
      put_constructs (out, t, device);
      put_regions (out, t, device);
    }
  put_axis (out, t);
  fputs ("</div>\n", out);
}

void
ummgr_report_timeline (FILE *out, const json_t *stats)
{
  struct timeline t = { .stats = stats };
  if (!ummgr_report_axis (stats, false, &t.axis) || !set_colours (&t))
    return;
  fprintf (out, "<section class=\"time\"><h3>Timeline, %s</h3>\n", t.axis.clock);
  put_legend (out, &t);
  fputs ("<div class=\"tracks\">\n", out);
  if (!t.axis.modelled)
    put_host (out, &t);
  for (int device = -1; (device = ummgr_report_next_device (stats, device)) >= 0;)
    {
      put_spans (out, &t, device);
      put_constructs (out, &t, device);
      put_regions (out, &t, device);
      for (const struct ummgr_report_lane *l = ummgr_report_lanes; l->key; l++)
	put_lane (out, &t, device, l);
      put_held (out, &t, device);
    }
  put_axis (out, &t);
  fputs ("</div>\n", out);
  put_wall (out, &t);
  fputs ("</section>\n", out);
  free (t.colours);
}
