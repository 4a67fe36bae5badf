/* Reports as text: the timeline, a line for each row.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The rows and sums are those of the page.  No state.  */

#include "config.h"
#include "report/tracks.h"
#include "base/table.h"

#include <stdio.h>

enum { BINS = 60 };

/* The greater, the darker.  */
static const char levels[] = " .:-=+*#@";

static void
put_bins (struct ummgr_table *table, const double *bins, double most)
{
  char text[BINS + 1] = "";
  for (int i = 0; i < BINS; i++)
    {
      double part = most > 0 ? bins[i] / most : 0;
      int level = part > 0 ? 1 + (int) (part * (sizeof levels - 2) * 0.999) : 0;
      text[i] = levels[level < (int) sizeof levels - 1 ? level : (int) sizeof levels - 2];
    }
  ummgr_table_add (table, "|%s|", text);
}

/* How much of each bin LIST's entries take.  */
static void
put_busy (struct ummgr_table *table, const struct ummgr_report_axis *axis, const char *list,
	  const char *title, int device)
{
  double bins[BINS] = { 0 };
  char text[64];
  double sum = ummgr_report_spread (axis, list, device, NULL, bins, BINS);
  if (sum <= 0)
    return;
  ummgr_table_add (table, "%s\t", title);
  put_bins (table, bins, (axis->last - axis->first) / BINS);
  ummgr_table_add (table, "\t%s\n", ummgr_report_amount (sum, UMMGR_REPORT_SECONDS, text, sizeof text));
}

static void
put_lane (struct ummgr_table *table, const struct ummgr_report_axis *axis, int device,
	  const struct ummgr_report_lane *lane)
{
  double bins[BINS] = { 0 }, most = 0;
  char all[64], part[64];
  double in = ummgr_report_spread (axis, "timeline", device, lane->key, bins, BINS);
  double out = ummgr_report_spread (axis, "outside_timeline", device, lane->key, bins, BINS);
  if (in + out <= 0)
    return;
  for (int i = 0; i < BINS; i++)
    most = bins[i] > most ? bins[i] : most;
  ummgr_table_add (table, "%s\t", lane->title);
  put_bins (table, bins, most);
  ummgr_table_add (table, "\t%s", ummgr_report_amount (in + out, lane->kind, all, sizeof all));
  if (!json_object_get (axis->stats, "outside_timeline"))
    ummgr_table_add (table, "\tin regions alone");
  else if (out > 0)
    ummgr_table_add (table, "\t%s outside of regions",
		     ummgr_report_amount (out, lane->kind, part, sizeof part));
  ummgr_table_add (table, "\n");
}

/* The most that the device held in each bin.  */
static void
put_held (struct ummgr_table *table, const struct ummgr_report_axis *axis, int device)
{
  struct ummgr_report_held held;
  double bins[BINS] = { 0 };
  char most[64], budget[64];
  if (!ummgr_report_held (axis, device, &held))
    return;
  for (size_t i = 0; i < held.count; i++)
    {
      double sum = ummgr_report_held_sum (&held, i);
      int from = BINS * ummgr_report_part (axis, held.time[i]);
      int to = i + 1 < held.count ? BINS * ummgr_report_part (axis, held.time[i + 1]) : BINS;
      for (int b = from < BINS ? from : BINS - 1; b < BINS && (b == from || b < to); b++)
	bins[b] = sum > bins[b] ? sum : bins[b];
    }
  ummgr_table_add (table, "memory in use\t");
  put_bins (table, bins, held.most);
  ummgr_table_add (table, "\t%s\tat most", ummgr_report_amount (held.top, UMMGR_REPORT_BYTES, most,
						  sizeof most));
  if (held.budget)
    ummgr_table_add (table, "; the device has %s",
		     ummgr_report_amount (held.budget, UMMGR_REPORT_BYTES, budget, sizeof budget));
  ummgr_table_add (table, "\n");
  ummgr_report_held_free (&held);
}

static void
put_host (struct ummgr_table *table, const json_t *stats)
{
  struct ummgr_report_axis axis;
  double bins[BINS] = { 0 };
  char text[64], before[64];
  if (!json_object_get (stats, "host_timeline") || !ummgr_report_axis (stats, true, &axis))
    return;
  ummgr_report_spread (&axis, "host_timeline", -1, "seconds", bins, BINS);
  ummgr_table_add (table, "host, outside of regions\t");
  put_bins (table, bins, (axis.last - axis.first) / BINS);
  ummgr_table_add (table, "\t%s\tof %s, wall clock",
		   ummgr_report_amount (ummgr_report_field (stats, "host_seconds"), UMMGR_REPORT_SECONDS,
			  text, sizeof text),
		   ummgr_report_amount (axis.last - axis.first, UMMGR_REPORT_SECONDS, before, sizeof before));
  if (json_object_get (stats, "host_before_seconds"))
    ummgr_table_add (table, ", and %s before the first device",
		     ummgr_report_amount (ummgr_report_field (stats, "host_before_seconds"),
			    UMMGR_REPORT_SECONDS, before, sizeof before));
  ummgr_table_add (table, "\n");
}

void
ummgr_report_timeline_text (FILE *out, const json_t *stats)
{
  struct ummgr_report_axis axis;
  char first[64], last[64];
  if (!ummgr_report_axis (stats, false, &axis))
    return;
  fprintf (out, "\nTimeline, %s: from %s to %s\n", axis.clock,
	   ummgr_report_amount (axis.first, UMMGR_REPORT_SECONDS, first, sizeof first),
	   ummgr_report_amount (axis.last, UMMGR_REPORT_SECONDS, last, sizeof last));
  struct ummgr_table table = { .columns = "llrl", .indent = "  " };
  for (int device = -1; (device = ummgr_report_next_device (stats, device)) >= 0;)
    {
      if (ummgr_report_several (stats))
	ummgr_table_add (&table, "device %d\n", device);
      put_busy (&table, &axis, "construct_timeline", "target data", device);
      put_busy (&table, &axis, "timeline", "regions", device);
      for (const struct ummgr_report_lane *l = ummgr_report_lanes; l->key; l++)
	put_lane (&table, &axis, device, l);
      put_held (&table, &axis, device);
    }
  put_host (&table, stats);
  ummgr_table_end (&table, out);
}
