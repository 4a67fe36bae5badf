/* Reports: what is drawn over time.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   An entry's traffic is spread evenly over its time: the statistics don't say when
   within it something happened.  No state.  */

#include "config.h"
#include "report/tracks.h"

#include <stdio.h>
#include <string.h>

const struct ummgr_report_lane ummgr_report_lanes[] = {
  { "h2d", "h2d_bytes", "to device", UMMGR_REPORT_BYTES, "into device memory" },
  { "d2h", "d2h_bytes", "from device", UMMGR_REPORT_BYTES, "out of device memory" },
  { "gpu_faults", "gpu_faults", "GPU faults", UMMGR_REPORT_COUNT, "kernels' faults" },
  { "cpu_faults", "cpu_faults", "CPU faults", UMMGR_REPORT_COUNT, "the host's faults" },
  { "evictions", "evictions", "evictions", UMMGR_REPORT_COUNT,
    "blocks that left for want of room" },
  { "refetched", "refetched_bytes", "brought back", UMMGR_REPORT_BYTES,
    "to the device, of what had been evicted from it" },
  { "remote", "remote_bytes", "remote access", UMMGR_REPORT_BYTES,
    "over the link, without moving" },
  { NULL, NULL, NULL, 0, NULL }
};

double
ummgr_report_part (const struct ummgr_report_axis *axis, double time)
{
  double part = (time - axis->first) / (axis->last - axis->first);
  return part < 0 ? 0 : part > 1 ? 1 : part;
}

/* Let the axis reach over the entries of LIST.  */
static void
reach (struct ummgr_report_axis *axis, const char *list, bool *any)
{
  size_t i;
  const json_t *e;
  json_array_foreach (json_object_get (axis->stats, list), i, e)
    {
      double from = ummgr_report_field (e, axis->from);
      double to = ummgr_report_field (e, axis->to);
      if (!*any || from < axis->first)
	axis->first = from;
      if (!*any || to > axis->last)
	axis->last = to;
      *any = true;
    }
}

bool
ummgr_report_axis (const json_t *stats, bool wall, struct ummgr_report_axis *out)
{
  const json_t *head = json_array_get (json_object_get (stats, "timeline"), 0);
  if (!head)
    head = json_array_get (json_object_get (stats, "outside_timeline"), 0);
  /* Devices' own clocks say nothing of what was side by side.  */
  bool together = ummgr_report_several (stats) && json_object_get (head, "t_elapsed1");
  bool modelled = json_object_get (head, "t_model1") && !wall;
  together &= !wall;
  *out = (struct ummgr_report_axis) {
    .stats = stats, .modelled = modelled,
    .from = together ? "t_elapsed0" : modelled ? "t_model0" : "t_wall0",
    .to = together ? "t_elapsed1" : modelled ? "t_model1" : "t_wall1",
    .clock = modelled ? "modelled seconds" : "wall clock"
  };
  bool any = false;
  reach (out, "timeline", &any);
  reach (out, "outside_timeline", &any);
  reach (out, "construct_timeline", &any);
  if (!modelled && !together)
    reach (out, "host_timeline", &any);
  return any && out->last > out->first;
}

/* Spread AMOUNT of [FROM, TO) over the bins it covers.  */
static void
spread_one (const struct ummgr_report_axis *axis, double from, double to, double amount,
	    double *bins, size_t count)
{
  double a = ummgr_report_part (axis, from) * count, b = ummgr_report_part (axis, to) * count;
  size_t i = a, end = b;
  if (i >= count)
    i = count - 1;
  if (end >= count)
    end = count - 1;
  if (end <= i || b <= a)
    {
      bins[i] += amount;
      return;
    }
  for (size_t k = i; k <= end; k++)
    {
      double lo = k > a ? k : a, hi = k + 1 < b ? k + 1 : b;
      bins[k] += hi > lo ? amount * (hi - lo) / (b - a) : 0;
    }
}

bool
ummgr_report_is_on (const json_t *entry, int device)
{
  return device < 0 || ummgr_report_field (entry, "device") == device;
}

double
ummgr_report_spread (const struct ummgr_report_axis *axis, const char *list, int device,
		     const char *key, double *bins, size_t count)
{
  double sum = 0;
  size_t i;
  const json_t *e;
  json_array_foreach (json_object_get (axis->stats, list), i, e)
    {
      double from = ummgr_report_field (e, axis->from), to = ummgr_report_field (e, axis->to);
      double amount = key ? ummgr_report_field (e, key) : to - from;
      if (!(amount > 0) || !ummgr_report_is_on (e, device))
	continue;
      spread_one (axis, from, to, amount, bins, count);
      sum += amount;
    }
  return sum;
}

double
ummgr_report_of_constructs (const struct ummgr_report_axis *axis, int device, const char *key)
{
  double sum = 0;
  size_t i;
  const json_t *e;
  json_array_foreach (json_object_get (axis->stats, "outside_timeline"), i, e)
    if (ummgr_report_is_on (e, device) && json_object_get (e, "construct"))
      sum += ummgr_report_field (e, key);
  return sum;
}

static bool
has_entry (const json_t *stats, const char *list, int device)
{
  size_t i;
  const json_t *e;
  json_array_foreach (json_object_get (stats, list), i, e)
    if (ummgr_report_is_on (e, device))
      return true;
  return false;
}

int
ummgr_report_next_device (const json_t *stats, int device)
{
  enum { DEVICES = 64 };
  while (++device < DEVICES)
    if (has_entry (stats, "timeline", device) || has_entry (stats, "outside_timeline", device))
      return device;
  return -1;
}

void
ummgr_report_construct (const json_t *stats, double number, char *buf, size_t size)
{
  static const struct ummgr_report_column place = { "@place", "", UMMGR_REPORT_TEXT, "" };
  const json_t *all = json_object_get (stats, "constructs");
  const json_t *one = number < (double) json_array_size (all)
		      ? json_array_get (all, (size_t) number) : NULL;
  struct ummgr_report_value at = ummgr_report_value (one, &place);
  const char *file = strrchr (at.text, '/');
  snprintf (buf, size, "%s%s%s", ummgr_report_string (one, "kind", "data construct"),
	    at.present ? " " : "", file && file[1] ? file + 1 : at.text);
}
