/* Reports: values and how they are written.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "report/value.h"
#include "report/stats.h"
#include "base/human.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

const char *const ummgr_report_timelines[] = {
  "timeline", "outside_timeline", "construct_timeline", "host_timeline", "memory_timeline", NULL
};

void
ummgr_report_region (const json_t *region, char *buf, size_t size)
{
  const char *name = ummgr_report_string (region, "name", "region");
  const char *file = ummgr_report_string (region, "file", NULL);
  const char *slash = file ? strrchr (file, '/') : NULL;
  int n = snprintf (buf, size, "%s", ummgr_report_string (region, "title", name));
  if (file && n > 0 && (size_t) n < size)
    snprintf (buf + n, size - n, " (%s:%.0f)", slash ? slash + 1 : file,
	      ummgr_report_field (region, "line"));
}

double
ummgr_report_field (const json_t *object, const char *key)
{
  return json_number_value (json_object_get (object, key));
}

const char *
ummgr_report_string (const json_t *object, const char *key,
		     const char *fallback)
{
  const char *text = json_string_value (json_object_get (object, key));
  return text && *text ? text : fallback;
}

/* Columns made of several fields.  */
static void
compose (const json_t *of, const char *key, struct ummgr_report_value *v)
{
  v->present = true;
  if (strcmp (key, "@source") == 0)
    {
      const char *file = ummgr_report_string (of, "file", NULL);
      v->present = file != NULL;
      if (file)
	snprintf (v->text, sizeof v->text, "%s:%lld", file,
		  (long long) ummgr_report_field (of, "line"));
    }
  else if (strcmp (key, "@place") == 0)
    {
      const char *file = ummgr_report_string (of, "file", NULL);
      const char *where = ummgr_report_string (of, "where", NULL);
      v->present = file || where;
      if (file)
	snprintf (v->text, sizeof v->text, "%s:%lld", file,
		  (long long) ummgr_report_field (of, "line"));
      else if (where)
	snprintf (v->text, sizeof v->text, "%s", where);
    }
  else if (strcmp (key, "@region") == 0)
    snprintf (v->text, sizeof v->text, "%s",
	      json_object_get (of, "name")
	      ? ummgr_report_string (of, "title", ummgr_report_string (of, "name", "unnamed"))
	      : "(outside regions)");
  else if (strcmp (key, "@object") == 0)
    {
      long long merged = ummgr_report_field (of, "merged");
      const char *name = ummgr_report_string (of, "name", NULL);
      if (merged > 1)
	snprintf (v->text, sizeof v->text, "%lld of %s", merged,
		  name ? name : "one site");
      else if (name)
	snprintf (v->text, sizeof v->text, "%s", name);
      else
	snprintf (v->text, sizeof v->text, "#%lld",
		  (long long) ummgr_report_field (of, "id"));
    }
}

json_int_t
ummgr_report_whole (double number)
{
  return number >= 0x1p63 ? INT64_MAX : number < -0x1p63 ? INT64_MIN
	 : (json_int_t) number;
}

struct ummgr_report_value
ummgr_report_computed (double number, enum ummgr_report_kind kind)
{
  return (struct ummgr_report_value) { .present = true, .kind = kind, .seconds = number,
				       .count = ummgr_report_whole (number) };
}

const char *
ummgr_report_amount (double number, enum ummgr_report_kind kind, char *buf, size_t size)
{
  struct ummgr_report_value v = ummgr_report_computed (number, kind);
  ummgr_report_human (&v, buf, size);
  return buf;
}

struct ummgr_report_value
ummgr_report_value (const json_t *of, const struct ummgr_report_column *c)
{
  struct ummgr_report_value v = { .kind = c->kind };
  if (*c->key == '@')
    {
      compose (of, c->key, &v);
      return v;
    }
  const json_t *field = json_object_get (of, c->key);
  if (c->kind == UMMGR_REPORT_TEXT)
    {
      v.present = json_is_string (field);
      if (v.present)
	snprintf (v.text, sizeof v.text, "%s", json_string_value (field));
    }
  else
    {
      v.present = json_is_number (field);
      v.seconds = json_number_value (field);
      v.count = json_is_integer (field) ? json_integer_value (field)
	: ummgr_report_whole (v.seconds);
    }
  return v;
}

double
ummgr_report_number (const struct ummgr_report_value *v)
{
  return !v->present ? 0
    : v->kind == UMMGR_REPORT_SECONDS ? v->seconds : (double) v->count;
}

void
ummgr_report_human (const struct ummgr_report_value *v, char *buf,
		    size_t size)
{
  if (!v->present)
    snprintf (buf, size, "-");
  else if (v->kind == UMMGR_REPORT_TEXT)
    snprintf (buf, size, "%s", v->text);
  else
    snprintf (buf, size, "%s",
	      v->kind == UMMGR_REPORT_COUNT ? ummgr_human_count (v->count).text
	      : v->kind == UMMGR_REPORT_BYTES
	      ? ummgr_human_bytes (v->count).text
	      : ummgr_human_seconds (v->seconds).text);
}

void
ummgr_report_exact (const struct ummgr_report_value *v, char *buf,
		    size_t size)
{
  if (!v->present)
    snprintf (buf, size, "not counted");
  else if (v->kind == UMMGR_REPORT_TEXT)
    snprintf (buf, size, "%s", v->text);
  else if (v->kind == UMMGR_REPORT_SECONDS)
    snprintf (buf, size, "%.15g s", v->seconds);
  else
    snprintf (buf, size, "%s%s", ummgr_human_count (v->count).text,
	      v->kind == UMMGR_REPORT_BYTES ? " bytes" : "");
}

double
ummgr_report_ratio (const struct ummgr_report_value *from, const struct ummgr_report_value *to)
{
  double base = ummgr_report_number (from);
  return from->present && to->present && base > 0 ? ummgr_report_number (to) / base : 0;
}

struct ummgr_ratio_text
ummgr_report_ratio_text (const struct ummgr_report_value *from, const struct ummgr_report_value *to)
{
  struct ummgr_ratio_text out = { "-" };
  double ratio = ummgr_report_ratio (from, to);
  if (ratio > 0)
    snprintf (out.text, sizeof out.text, ratio < 1000 || ratio > 1e9 ? "%.3g" : "%.0f", ratio);
  return out;
}

const char *
ummgr_report_base_name (const char *name)
{
  const char *slash = strrchr (name, '/');
  return slash && slash[1] ? slash + 1 : name;
}

void
ummgr_report_headline (const json_t *stats, char *buf, size_t size)
{
  const char *gpu = ummgr_report_string (stats, "gpu", "");
  const char *profile = ummgr_report_string (stats, "profile", NULL);
  long long devices = ummgr_report_field (stats, "devices");
  const char *policy = ummgr_report_string (stats, "policy", "unknown");
  if (strcmp (gpu, "sim") == 0)
    snprintf (buf, size, "policy %s, simulated %s, %lld device%s; GPU seconds "
	      "are modelled", policy, profile ? profile : "GPU", devices,
	      devices == 1 ? "" : "s");
  else if (strcmp (gpu, "cuda") == 0)
    snprintf (buf, size, "policy %s, %lld real GPU%s%s", policy, devices,
	      devices == 1 ? "" : "s",
	      json_object_get (json_object_get (stats, "totals"), "gpu_faults")
	      ? "" : "; bytes are those of copies, what pages moved is not known");
  else
    snprintf (buf, size, "policy %s, no GPU", policy);
}

double
ummgr_report_launches (const json_t *stats)
{
  double count = 0;
  const json_t *region;
  size_t i;
  json_array_foreach (json_object_get (stats, "regions"), i, region)
    count += ummgr_report_field (region, "calls");
  return count;
}

bool
ummgr_report_host (const json_t *stats, char *buf, size_t size)
{
  static const char *const keys[] = UMMGR_STATS_HOST_KEYS;
  static const char *const reasons[UMMGR_STATS_HOSTS] = {
    [UMMGR_STATS_NO_DEVICE] = "no GPU was found",
    [UMMGR_STATS_NO_CODE] = "the program has no code for the GPU",
    [UMMGR_STATS_HOST_ASKED] = "the program asked for it"
  };
  const json_t *host = json_object_get (stats, "host_regions");
  double count = 0, device = ummgr_report_launches (stats);
  const char *why = NULL;
  for (size_t i = 0; i < UMMGR_STATS_HOSTS; i++)
    {
      double n = ummgr_report_field (host, keys[i]);
      count += n;
      why = n > 0 && !why ? reasons[i] : why;
    }
  if (!host || (!why && device > 0))
    return false;
  if (!why)
    snprintf (buf, size, "No target region ran");
  else
    snprintf (buf, size, "%.0f of %.0f launches of target regions ran on the "
	      "host: %s", count, count + device, why);
  return true;
}

bool
ummgr_report_ended_badly (const json_t *stats, char *buf, size_t size)
{
  const json_t *ended = json_object_get (stats, "ended"), *refused = json_object_get (stats, "out_of_memory");
  double signal = ummgr_report_field (ended, "signal");
  double status = ummgr_report_field (ended, "status");
  char memory[80] = "";
  if (signal > 0)
    snprintf (buf, size, "failed: killed by signal %.0f (%s)", signal,
	      signal < NSIG ? strsignal ((int) signal) : "none that there is");
  else if (status > 0)
    {
      if (refused)
	snprintf (memory, sizeof memory, "out of device memory (%s more), ",
		  ummgr_human_bytes (ummgr_report_whole (ummgr_report_field (refused, "bytes"))).text);
      snprintf (buf, size, "failed: %sexit status %.0f", memory, status);
    }
  return signal > 0 || status > 0;
}
