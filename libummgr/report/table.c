/* Reports: which figures are shown, and in which order.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "report/value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TEXT UMMGR_REPORT_TEXT
#define COUNT UMMGR_REPORT_COUNT
#define BYTES UMMGR_REPORT_BYTES
#define SECONDS UMMGR_REPORT_SECONDS

/* What says as much as another column if there is one device.  */
static const char elapsed[] = "elapsed_seconds";

const struct ummgr_report_column ummgr_report_totals[] = {
  { elapsed, "elapsed", SECONDS,
    "modelled, from the beginning to the end of what threads and devices did, side by side"
    " or one after another" },
  { "model_seconds", "modelled seconds", SECONDS,
    "GPU time, modelled from the counts below" },
  { "h2d_bytes", "to device", BYTES,
    "copied, prefetched or migrated into device memory" },
  { "d2h_bytes", "from device", BYTES,
    "copied, migrated or evicted out of device memory" },
  { "d2d_bytes", "between devices", BYTES, "copied from device to device" },
  { "gpu_faults", "GPU faults", COUNT,
    "pages that a kernel touched and the device did not hold" },
  { "cpu_faults", "CPU faults", COUNT,
    "pages that the host touched and did not hold" },
  { "evictions", "evictions", COUNT, "blocks that left for want of room" },
  { "refetched_bytes", "brought back", BYTES,
    "to the device, of what had been evicted from it" },
  { "remote_bytes", "remote access", BYTES,
    "read or written by kernels over the link, without moving" },
  { "peer_bytes", "peer access", BYTES,
    "read or written by kernels in another GPU's memory, without moving" },
  { "local_bytes", "local access", BYTES,
    "read or written by kernels in their own device's memory" },
  { "device_peak_bytes", "device memory, peak", BYTES,
    "most device memory in use at a time" },
  { "launches", "launches", COUNT, "kernels launched" },
  { NULL, NULL, 0, NULL }
};

const struct ummgr_report_column ummgr_report_compared[] = {
  { elapsed, "elapsed", SECONDS, "modelled, from begin to end" },
  { "model_seconds", "modelled seconds", SECONDS,
    "GPU time, modelled from the counts" },
  { "h2d_bytes", "to device", BYTES, "into device memory" },
  { "d2h_bytes", "from device", BYTES, "out of device memory" },
  { "gpu_faults", "GPU faults", COUNT, "kernels' faults" },
  { "evictions", "evictions", COUNT, "blocks that left for want of room" },
  { "remote_bytes", "remote access", BYTES, "over the link, without moving" },
  { NULL, NULL, 0, NULL }
};

const struct ummgr_report_column ummgr_report_region_columns[] = {
  { "@region", "region", TEXT, "the region's function" },
  { "@source", "source", TEXT, "file and line" },
  { "calls", "calls", COUNT, "times it ran" },
  { "pieces", "pieces", COUNT, "launches of one call, at most" },
  { "whole", "whole", TEXT, "why it ran as a whole" },
  { elapsed, "elapsed", SECONDS, "modelled, from begin to end" },
  { "model_seconds", "modelled", SECONDS, "GPU time, modelled" },
  { "wall_seconds", "wall", SECONDS,
    "measured on this machine's clock, simulation included" },
  { "h2d_bytes", "to device", BYTES, "into device memory" },
  { "d2h_bytes", "from device", BYTES, "out of device memory" },
  { "gpu_faults", "GPU faults", COUNT, "kernels' faults" },
  { "cpu_faults", "CPU faults", COUNT, "the host's faults meanwhile" },
  { "evictions", "evictions", COUNT, "blocks that left for want of room" },
  { "remote_bytes", "remote", BYTES, "over the link, without moving" },
  { NULL, NULL, 0, NULL }
};

const struct ummgr_report_column ummgr_report_construct_columns[] = {
  { "kind", "construct", TEXT, "what moves data, and is no region" },
  { "@place", "where", TEXT, "file and line, or the function" },
  { "calls", "calls", COUNT, "times it was met" },
  { elapsed, "elapsed", SECONDS, "modelled; of target data its begin and its end" },
  { "wall_seconds", "wall", SECONDS,
    "measured on this machine's clock, simulation included; of target data its begin and its"
    " end" },
  { "h2d_bytes", "to device", BYTES, "into device memory" },
  { "d2h_bytes", "from device", BYTES, "out of device memory" },
  { "evictions", "evictions", COUNT, "blocks that left for want of room" },
  { NULL, NULL, 0, NULL }
};

static const char object_local[] = "local_bytes", object_peer[] = "peer_bytes",
  object_far[] = "far_bytes";

const struct ummgr_report_column ummgr_report_object_columns[] = {
  { "@object", "object", TEXT, "its variable, or its number" },
  { "where_allocated", "from", TEXT, "the clause that maps it, or where it was allocated" },
  { "size", "size", BYTES, "its size; of several, their sum" },
  { "path", "data path", TEXT, "mapped, unified, or static: the device's own (declare target)" },
  { "place", "place", TEXT, "where it was last" },
  { "reason", "why", TEXT, "why it was there" },
  { "maps", "maps", COUNT, "times it was mapped" },
  { "regions", "uses", COUNT, "region invocations that used it" },
  { "h2d_bytes", "to device", BYTES, "into device memory" },
  { "d2h_bytes", "from device", BYTES, "out of device memory" },
  { "gpu_faults", "GPU faults", COUNT, "kernels' faults" },
  { "evictions", "evictions", COUNT, "blocks that left for want of room" },
  { "remote_bytes", "remote", BYTES, "over the link, without moving" },
  { object_far, "other GPUs'", BYTES, "of remote: in another GPU's memory" },
  { object_local, "own", BYTES, "used by the GPU that has it, of several" },
  { object_peer, "others'", BYTES, "used by other GPUs than that, behind one address space" },
  { NULL, NULL, 0, NULL }
};

bool
ummgr_report_several (const json_t *stats)
{
  return ummgr_report_field (stats, "devices") > 1;
}

bool
ummgr_report_matrix (const json_t *stats, size_t n, struct ummgr_report_matrix *out)
{
  const json_t *all = json_object_get (stats, "per_device");
  size_t devices = json_array_size (all);
  const json_t *pairs = json_object_get (json_array_get (all, n), "pairs");
  const bool used = n == devices;
  *out = (struct ummgr_report_matrix) {
    .title = n <= devices ? "Bytes that each GPU used, by whose memory they are in"
    : "Bytes copied to each GPU, by whose memory they come from",
    .gpus = n < devices ? json_array_size (pairs)
    : json_object_get (json_array_get (all, 0), "used") ? devices : 0
  };
  if (out->gpus > UMMGR_FIGURES_GPUS)
    out->gpus = UMMGR_FIGURES_GPUS;
  for (size_t i = 0; i < out->gpus; i++)
    {
      const json_t *device = json_array_get (all, i);
      out->of[i] = n < devices ? json_array_get (pairs, i)
	: json_object_get (device, used ? "used" : "copied");
      out->host[i] = used ? json_object_get (device, "used_on_host") : NULL;
    }
  return n < devices + 2;
}

size_t
ummgr_report_owners (const struct ummgr_report_matrix *matrix)
{
  return matrix->gpus + (matrix->gpus && matrix->host[0]);
}

struct ummgr_report_value
ummgr_report_between (const struct ummgr_report_matrix *matrix, size_t user, size_t owner)
{
  const json_t *bytes = owner < matrix->gpus ? json_array_get (matrix->of[user], owner)
    : matrix->host[user];
  return (struct ummgr_report_value) {
    .present = json_is_integer (bytes), .kind = BYTES, .count = json_integer_value (bytes)
  };
}

void
ummgr_report_owner (const struct ummgr_report_matrix *matrix, size_t owner, char *buf, size_t size)
{
  snprintf (buf, size, owner < matrix->gpus ? "GPU %zu's memory" : "the host's", owner);
}

/* Do GPUs use each other's memory: those that are one device, or several devices?  */
static bool
has_others (const json_t *stats, const char *key)
{
  return json_array_size (json_object_get (json_array_get (json_object_get (stats, "per_device"), 0),
					   key)) > 0;
}

/* Is what devices were busy not what the run took, since the host copied, or two things went
   side by side?  Not what rounding makes.  */
static bool
is_elsewhere (const json_t *stats)
{
  const json_t *totals = json_object_get (stats, "totals");
  double busy = ummgr_report_field (totals, "model_seconds");
  double took = ummgr_report_field (totals, elapsed);
  return took > 0 && fabs (took - busy) > 1e-3 * busy;
}

bool
ummgr_report_shows (const json_t *stats, const struct ummgr_report_column *c)
{
  if (c->key == object_local)
    return has_others (stats, "pairs") || has_others (stats, "used");
  if (c->key == object_peer || c->key == object_far)
    return has_others (stats, c->key == object_peer ? "pairs" : "used");
  return c->key != elapsed || ummgr_report_several (stats) || is_elsewhere (stats);
}

/* What orders a row; more comes first.  */
static double
region_weight (const json_t *row)
{
  const json_t *model = json_object_get (row, "model_seconds");
  return json_number_value (model ? model
			    : json_object_get (row, "wall_seconds"));
}

static double
object_weight (const json_t *row)
{
  return ummgr_report_field (row, "h2d_bytes")
    + ummgr_report_field (row, "d2h_bytes")
    + ummgr_report_field (row, "remote_bytes") + ummgr_report_field (row, "peer_bytes");
}

struct weighted
{
  const json_t *row;
  double weight;
  size_t index;
};

static int
heavier (const void *a, const void *b)
{
  const struct weighted *x = a, *y = b;
  if (x->weight != y->weight)
    return x->weight > y->weight ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

static void
choose_columns (struct ummgr_report_table *table, const json_t *stats,
		const struct ummgr_report_column *columns)
{
  for (const struct ummgr_report_column *c = columns; c->key; c++)
    for (size_t i = 0; i < table->count && ummgr_report_shows (stats, c); i++)
      {
	struct ummgr_report_value v = ummgr_report_value (table->rows[i], c);
	if (v.present)
	  {
	    table->columns[table->column_count++] = c;
	    break;
	  }
      }
}

/* A table of the array KEY of STATS and, if it is not NULL, EXTRA.  */
static bool
make_table (const json_t *stats, const char *key, const json_t *extra, const char *title,
	    size_t limit,
	    const struct ummgr_report_column *columns,
	    double (*weight) (const json_t *),
	    struct ummgr_report_table *table)
{
  const json_t *array = json_object_get (stats, key);
  size_t listed = json_array_size (array);
  size_t n = listed + (extra != NULL);
  *table = (struct ummgr_report_table) { .title = title, .count = n };
  struct weighted *order = calloc (n + 1, sizeof *order);
  table->rows = calloc (n + 1, sizeof *table->rows);
  if (!order || !table->rows)
    {
      free (order);
      free (table->rows);
      table->rows = NULL;
      return false;
    }
  for (size_t i = 0; i < n; i++)
    {
      const json_t *row = i < listed ? json_array_get (array, i) : extra;
      order[i] = (struct weighted) { row, weight (row), i };
    }
  qsort (order, n, sizeof *order, heavier);
  for (size_t i = 0; i < n; i++)
    table->rows[i] = order[i].row;
  free (order);
  table->shown = n < limit ? n : limit;
  choose_columns (table, stats, columns);
  return true;
}

/* What devices did while no region ran, if they did anything: with it the
   column adds up to the totals.  */
static const json_t *
outside_row (const json_t *stats)
{
  json_t *outside = json_object_get (stats, "outside"), *value;
  const char *key;
  json_object_foreach (outside, key, value)
    if (strcmp (key, "device_peak_bytes") != 0
	&& json_number_value (value) > 0)
      return outside;
  return NULL;
}

bool
ummgr_report_regions (const json_t *stats, size_t limit,
		      struct ummgr_report_table *table)
{
  bool modelled
    = json_object_get (json_object_get (stats, "totals"), "model_seconds");
  return make_table (stats, "regions", outside_row (stats),
		     modelled ? "Regions, by modelled seconds"
		     : "Regions, by wall clock", limit, ummgr_report_region_columns,
		     region_weight, table);
}

bool
ummgr_report_constructs (const json_t *stats, size_t limit, struct ummgr_report_table *table)
{
  return make_table (stats, "constructs", NULL, "Data constructs, by traffic", limit,
		     ummgr_report_construct_columns, object_weight, table);
}

bool
ummgr_report_objects (const json_t *stats, size_t limit,
		      struct ummgr_report_table *table)
{
  return make_table (stats, "objects", NULL,
		     "Objects, by traffic", limit, ummgr_report_object_columns,
		     object_weight, table);
}
