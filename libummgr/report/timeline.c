/* Reports in HTML: the timeline of regions, as SVG.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   For each device a lane of regions and, on the same axis, a lane for each
   kind of traffic.  An entry's traffic is spread evenly over its time: the
   statistics don't say when within a region it happened.  No state.  */

#include "config.h"
#include "report/html.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LEFT 170		/* Room for labels.  */
#define PLOT 900
#define LANE 40
#define GAP 12
#define AXIS 26
#define BINS 300
#define COLOURS 8		/* c0 … c7 of the style; others are grey.  */

static const struct ummgr_report_column lanes[] = {
  { "h2d", "to device", UMMGR_REPORT_BYTES, "into device memory" },
  { "d2h", "from device", UMMGR_REPORT_BYTES, "out of device memory" },
  { "gpu_faults", "GPU faults", UMMGR_REPORT_COUNT, "kernels' faults" },
  { "cpu_faults", "CPU faults", UMMGR_REPORT_COUNT, "the host's faults" },
  { "evictions", "evictions", UMMGR_REPORT_COUNT,
    "blocks that left for want of room" },
  { "remote", "remote access", UMMGR_REPORT_BYTES,
    "over the link, without moving" }
};
#define LANES (sizeof lanes / sizeof *lanes)

struct timeline
{
  const json_t *stats, *entries;
  const char *from, *to;	/* Keys of the times shown.  */
  bool modelled;
  double first, last;		/* Of the axis.  */
  int *colours;			/* By region.  */
  size_t region_count;
};

/* TIME's part of the axis, 0 to 1.  */
static double
part_of (const struct timeline *t, double time)
{
  return (time - t->first) / (t->last - t->first);
}

static double
position (const struct timeline *t, double time)
{
  return LEFT + PLOT * part_of (t, time);
}

static void
human (double value, enum ummgr_report_kind kind, char *buf, size_t size)
{
  struct ummgr_report_value v
    = { .present = true, .kind = kind, .seconds = value,
	.count = ummgr_report_whole (value) };
  ummgr_report_human (&v, buf, size);
}

/* The axis, and whether there is anything to show.  */
static bool
set_axis (struct timeline *t)
{
  const json_t *head = json_array_get (t->entries, 0);
  /* Devices' own clocks say nothing of what was side by side.  */
  bool together = ummgr_report_several (t->stats) && json_object_get (head, "t_elapsed1");
  t->modelled = json_object_get (head, "t_model1") != NULL;
  t->from = together ? "t_elapsed0" : t->modelled ? "t_model0" : "t_wall0";
  t->to = together ? "t_elapsed1" : t->modelled ? "t_model1" : "t_wall1";
  for (size_t i = 0; i < json_array_size (t->entries); i++)
    {
      const json_t *e = json_array_get (t->entries, i);
      double from = ummgr_report_field (e, t->from);
      double to = ummgr_report_field (e, t->to);
      if (i == 0 || from < t->first)
	t->first = from;
      if (i == 0 || to > t->last)
	t->last = to;
    }
  return head && t->last > t->first;
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

static bool
is_on (const json_t *entry, int device)
{
  return ummgr_report_field (entry, "device") == device;
}

static void
put_tip (FILE *out, const struct timeline *t, const json_t *e)
{
  char text[512];
  const json_t *region
    = json_array_get (json_object_get (t->stats, "regions"),
		      ummgr_report_field (e, "region"));
  double calls = ummgr_report_field (e, "calls");
  fputs ("<title>", out);
  ummgr_report_region (region, text, sizeof text);
  ummgr_report_escaped (out, text);
  human (ummgr_report_field (e, t->to) - ummgr_report_field (e, t->from),
	 UMMGR_REPORT_SECONDS, text, sizeof text);
  if (calls > 1)
    fprintf (out, " and neighbours, %.0f calls", calls);
  fprintf (out, "\n%s%s", text, t->modelled ? " modelled" : "");
  for (size_t i = 0; i < LANES; i++)
    if (ummgr_report_field (e, lanes[i].key) > 0)
      {
	human (ummgr_report_field (e, lanes[i].key), lanes[i].kind, text,
	       sizeof text);
	fprintf (out, "\n%s %s", text, lanes[i].title);
      }
  fputs ("</title>", out);
}

static void
put_label (FILE *out, const char *title, const char *detail, double y)
{
  fprintf (out, "<text class=\"lane\" x=\"%d\" y=\"%.0f\">%s</text>"
	   "<text class=\"sum\" x=\"%d\" y=\"%.0f\">%s</text>\n",
	   LEFT - 10, y + LANE / 2 - 2, title, LEFT - 10, y + LANE / 2 + 13,
	   detail);
}

static void
put_regions (FILE *out, const struct timeline *t, int device, double y)
{
  char label[32];
  snprintf (label, sizeof label, "device %d", device);
  put_label (out, label, "regions", y);
  fprintf (out, "<rect class=\"back\" x=\"%d\" y=\"%.0f\" width=\"%d\" "
	   "height=\"%d\"/>\n", LEFT, y, PLOT, LANE);
  for (size_t i = 0; i < json_array_size (t->entries); i++)
    {
      const json_t *e = json_array_get (t->entries, i);
      if (!is_on (e, device))
	continue;
      double x = position (t, ummgr_report_field (e, t->from));
      double width = position (t, ummgr_report_field (e, t->to)) - x;
      fprintf (out, "<rect class=\"r c%d\" x=\"%.2f\" y=\"%.0f\" "
	       "width=\"%.2f\" height=\"%d\">", colour (t, e), x, y,
	       width < 0.4 ? 0.4 : width, LANE);
      put_tip (out, t, e);
      fputs ("</rect>\n", out);
    }
}

/* Spread the AMOUNT of an entry over the bins it covers.  */
static void
spread (const struct timeline *t, const json_t *e, double amount, double *bins)
{
  double a = part_of (t, ummgr_report_field (e, t->from)) * BINS;
  double b = part_of (t, ummgr_report_field (e, t->to)) * BINS;
  int i = a, end = b;
  if (i >= BINS)
    i = BINS - 1;
  if (end >= BINS)
    end = BINS - 1;
  if (end <= i || b <= a)
    {
      bins[i] += amount;
      return;
    }
  for (int k = i; k <= end; k++)
    {
      double lo = k > a ? k : a, hi = k + 1 < b ? k + 1 : b;
      bins[k] += amount * (hi - lo) / (b - a);
    }
}

/* The traffic of LANE on DEVICE; false if there was none.  */
static bool
put_lane (FILE *out, const struct timeline *t, int device,
	  const struct ummgr_report_column *lane, double y)
{
  double bins[BINS] = { 0 }, sum = 0, most = 0;
  for (size_t i = 0; i < json_array_size (t->entries); i++)
    {
      const json_t *e = json_array_get (t->entries, i);
      double amount = ummgr_report_field (e, lane->key);
      if (amount > 0 && is_on (e, device))
	{
	  spread (t, e, amount, bins);
	  sum += amount;
	}
    }
  if (sum == 0)
    return false;
  for (int i = 0; i < BINS; i++)
    if (bins[i] > most)
      most = bins[i];
  char text[64];
  human (sum, lane->kind, text, sizeof text);
  put_label (out, lane->title, text, y);
  fprintf (out, "<path class=\"t %s\" d=\"M%d %.0f", lane->key, LEFT,
	   y + LANE);
  for (int i = 0; i < BINS; i++)
    fprintf (out, "V%.1fH%.1f", y + LANE - LANE * bins[i] / most,
	     LEFT + PLOT * (i + 1.0) / BINS);
  fprintf (out, "V%.0fZ\"><title>%s in regions: %s (%s)</title></path>\n"
	   "<line class=\"base\" x1=\"%d\" y1=\"%.0f\" x2=\"%d\" y2=\"%.0f\"/>"
	   "\n", y + LANE, lane->title, text, lane->help, LEFT, y + LANE,
	   LEFT + PLOT, y + LANE);
  return true;
}

static void
put_axis (FILE *out, const struct timeline *t, double y)
{
  for (int i = 0; i <= 5; i++)
    {
      char text[64];
      double time = t->first + (t->last - t->first) * i / 5;
      human (time, UMMGR_REPORT_SECONDS, text, sizeof text);
      double x = position (t, time);
      fprintf (out, "<line class=\"tick\" x1=\"%.0f\" y1=\"0\" x2=\"%.0f\" "
	       "y2=\"%.0f\"/><text class=\"time\" x=\"%.0f\" y=\"%.0f\" "
	       "text-anchor=\"%s\">%s</text>\n", x, x, y, x, y + 16,
	       i == 5 ? "end" : i ? "middle" : "start", text);
    }
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

/* The lanes of DEVICE from Y down; returns where the next device's start.  */
static double
put_device (FILE *out, const struct timeline *t, int device, double y)
{
  put_regions (out, t, device, y);
  y += LANE + GAP;
  for (size_t i = 0; i < LANES; i++)
    if (put_lane (out, t, device, &lanes[i], y))
      y += LANE + GAP;
  return y + GAP;
}

void
ummgr_report_timeline (FILE *out, const json_t *stats)
{
  struct timeline t
    = { .stats = stats, .entries = json_object_get (stats, "timeline") };
  if (!set_axis (&t) || !set_colours (&t))
    return;
  fprintf (out, "<section><h3>Timeline, %s</h3>\n",
	   t.modelled ? "modelled seconds" : "wall clock");
  put_legend (out, &t);

  /* The height is known only after the lanes.  */
  char *lanes_text = NULL;
  size_t size = 0;
  FILE *body = open_memstream (&lanes_text, &size);
  if (body)
    {
      double y = 0;
      for (int device = 0; device < 64; device++)
	for (size_t i = 0; i < json_array_size (t.entries); i++)
	  if (is_on (json_array_get (t.entries, i), device))
	    {
	      y = put_device (body, &t, device, y);
	      break;
	    }
      if (fclose (body) == 0)
	{
	  fprintf (out, "<svg viewBox=\"0 0 %d %.0f\" role=\"img\" "
		   "aria-label=\"Timeline of regions and traffic\">\n",
		   LEFT + PLOT + 10, y + AXIS);
	  put_axis (out, &t, y);
	  fwrite (lanes_text, 1, size, out);
	  fputs ("</svg>\n", out);
	}
      free (lanes_text);
    }
  fputs ("</section>\n", out);
  free (t.colours);
}
