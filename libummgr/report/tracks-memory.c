/* Reports: what a device held over time, by object.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "report/tracks.h"

#include <Judy.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Objects' peaks, by number; doubles in their slots.  */
_Static_assert (sizeof (double) <= sizeof (Word_t), "a slot holds a double");

static double
slot_get (PPvoid_t slot)
{
  double value = 0;
  if (slot && slot != PPJERR)
    memcpy (&value, slot, sizeof value);
  return value;
}

static void
note_peaks (const json_t *sample, void **peaks)
{
  size_t i;
  const json_t *h;
  json_array_foreach (json_object_get (sample, "held"), i, h)
    {
      double bytes = ummgr_report_field (h, "bytes");
      Word_t id = ummgr_report_whole (ummgr_report_field (h, "object"));
      PPvoid_t slot = JudyLIns (peaks, id, PJE0);
      if (slot && slot != PPJERR && slot_get (slot) < bytes)
	memcpy (slot, &bytes, sizeof bytes);
    }
}

/* The numbers of those with the greatest peaks into ID, the greatest first.  */
static size_t
choose (void *peaks, Word_t id[UMMGR_REPORT_HELD], double peak[UMMGR_REPORT_HELD + 1])
{
  size_t count = 0;
  Word_t at = 0;
  for (PPvoid_t slot = JudyLFirst (peaks, &at, PJE0); slot;
       slot = JudyLNext (peaks, &at, PJE0))
    {
      double bytes = slot_get (slot);
      size_t i = count < UMMGR_REPORT_HELD ? count++ : UMMGR_REPORT_HELD;
      if (i == UMMGR_REPORT_HELD && peak[--i] >= bytes)
	continue;
      for (; i && peak[i - 1] < bytes; i--)
	{
	  peak[i] = peak[i - 1];
	  id[i] = id[i - 1];
	}
      peak[i] = bytes;
      id[i] = at;
    }
  return count;
}

static void
name_of (const json_t *stats, Word_t id, char *buf, size_t size)
{
  static const struct ummgr_report_column object = { "@object", "", UMMGR_REPORT_TEXT, "" };
  size_t i;
  const json_t *o;
  snprintf (buf, size, "#%llu", (unsigned long long) id);
  json_array_foreach (json_object_get (stats, "objects"), i, o)
    if (ummgr_report_whole (ummgr_report_field (o, "id")) == (json_int_t) id)
      {
	struct ummgr_report_value v = ummgr_report_value (o, &object);
	snprintf (buf, size, "%s", v.text);
	return;
      }
}

/* SAMPLE becomes the I-th.  */
static void
fill (struct ummgr_report_held *out, const json_t *sample, size_t i,
      const Word_t id[UMMGR_REPORT_HELD])
{
  double used = ummgr_report_field (sample, "used"), sum = 0;
  size_t k;
  const json_t *h;
  json_array_foreach (json_object_get (sample, "held"), k, h)
    for (size_t o = 0; o < out->objects; o++)
      if ((Word_t) ummgr_report_whole (ummgr_report_field (h, "object")) == id[o])
	{
	  double bytes = ummgr_report_field (h, "bytes");
	  out->bytes[o][i] += bytes;
	  sum += bytes;
	}
  double *rest = &out->bytes[out->objects][i];
  *rest = used > sum ? used - sum : 0;
  if (*rest > out->peak[out->objects])
    out->peak[out->objects] = *rest;
  out->last = used > sum ? used : sum;
  if (out->last > out->most)
    out->most = out->last;
}

/* What else is known of DEVICE's memory.  */
static void
set_bounds (struct ummgr_report_held *out, const json_t *stats, int device)
{
  size_t i;
  const json_t *d;
  out->top = out->most;
  json_array_foreach (json_object_get (stats, "per_device"), i, d)
    if (ummgr_report_field (d, "device") == device)
      {
	double peak = ummgr_report_field (d, "device_peak_bytes");
	out->budget = ummgr_report_field (json_object_get (json_object_get (d, "figures"),
							   "memory_bytes"), "value");
	out->top = peak > out->most ? peak : out->most;
      }
}

bool
ummgr_report_held (const struct ummgr_report_axis *axis, int device,
		   struct ummgr_report_held *out)
{
  const json_t *list = json_object_get (axis->stats, "memory_timeline"), *sample;
  Word_t id[UMMGR_REPORT_HELD];
  void *peaks = NULL;
  size_t i, n = 0;
  memset (out, 0, sizeof *out);
  json_array_foreach (list, i, sample)
    if (ummgr_report_field (sample, "device") == device)
      {
	note_peaks (sample, &peaks);
	out->count++;
      }
  out->objects = choose (peaks, id, out->peak);
  JudyLFreeArray (&peaks, PJE0);
  out->time = calloc ((out->objects + 2) * (out->count + 1), sizeof *out->time);
  if (!out->count || !out->time)
    {
      ummgr_report_held_free (out);
      return false;
    }
  for (size_t o = 0; o <= out->objects; o++)
    out->bytes[o] = out->time + (o + 1) * (out->count + 1);
  for (size_t o = 0; o < out->objects; o++)
    name_of (axis->stats, id[o], out->name[o], sizeof out->name[o]);
  snprintf (out->name[out->objects], sizeof out->name[0], "the rest");
  json_array_foreach (list, i, sample)
    if (ummgr_report_field (sample, "device") == device)
      {
	out->time[n] = ummgr_report_field (sample, axis->from);
	fill (out, sample, n++, id);
      }
  set_bounds (out, axis->stats, device);
  return true;
}

void
ummgr_report_held_free (struct ummgr_report_held *held)
{
  free (held->time);
  held->time = NULL;
}

double
ummgr_report_held_sum (const struct ummgr_report_held *held, size_t i)
{
  double sum = 0;
  for (size_t o = 0; o <= held->objects; o++)
    sum += held->bytes[o][i];
  return sum;
}
