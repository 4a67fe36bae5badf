/* Ranks of an MPI program, as one run.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "report/ranks.h"
#include "base/json-text.h"
#include "base/log.h"

#include <stdlib.h>
#include <string.h>

/* --- which belong together ------------------------------------------------------------ */

static const json_t *
rank_of (const struct ummgr_report_run *run)
{
  return json_object_get (run->stats, "rank");
}

static double
number_of (const struct ummgr_report_run *run)
{
  return ummgr_report_field (rank_of (run), "number");
}

static bool
is_equal (const json_t *a, const json_t *b, const char *key)
{
  return strcmp (ummgr_report_string (a, key, ""), ummgr_report_string (b, key, "")) == 0;
}

/* Are they ranks of one job?  Where the launcher has no name for it, several jobs look the same if
   they do the same in the same way.  */
static bool
is_one_run (const struct ummgr_report_run *a, const struct ummgr_report_run *b)
{
  const json_t *x = rank_of (a), *y = rank_of (b);
  return is_equal (x, y, "job") && ummgr_report_field (x, "count") == ummgr_report_field (y, "count")
	 && is_equal (a->stats, b->stats, "policy")
	 && (*ummgr_report_string (x, "job", "") || is_equal (a->stats, b->stats, "program"));
}

/* Those of RUNS[0..COUNT) that are one run with RUNS[FIRST] come to GROUP, each rank once, and are
   TAKEN.  */
static size_t
collect (const struct ummgr_report_run *runs, size_t count, size_t first, bool *taken,
	 const struct ummgr_report_run **group)
{
  size_t found = 0;
  for (size_t i = first; i < count; i++)
    {
      bool again = taken[i] || (i != first && (!rank_of (&runs[first]) || !rank_of (&runs[i])
						|| !is_one_run (&runs[first], &runs[i])));
      for (size_t k = 0; k < found && !again; k++)
	again = number_of (group[k]) == number_of (&runs[i]);
      if (again)
	continue;
      taken[i] = true;
      group[found++] = &runs[i];
    }
  return found;
}

static int
by_number (const void *a, const void *b)
{
  double x = number_of (*(const struct ummgr_report_run *const *) a);
  double y = number_of (*(const struct ummgr_report_run *const *) b);
  return x < y ? -1 : x > y;
}

/* --- one run of them ------------------------------------------------------------------ */

/* Of what ranks do side by side the slowest counts; so does the most that one of them has.  */
static bool
is_greatest (const char *key)
{
  size_t length = strlen (key);
  return (length > 8 && strcmp (key + length - 8, "_seconds") == 0)
	 || strcmp (key, "device_peak_bytes") == 0 || strcmp (key, "pieces") == 0;
}

/* No count of anything.  */
static bool
is_label (const char *key)
{
  return strcmp (key, "id") == 0 || strcmp (key, "line") == 0 || strcmp (key, "device") == 0
	 || strcmp (key, "density") == 0;
}

static json_t *
number_and (const json_t *a, const json_t *b, bool greatest)
{
  double x = json_number_value (a), y = json_number_value (b);
  if (!json_is_integer (a) || !json_is_integer (b))
    return json_real (!greatest ? x + y : x > y ? x : y);
  json_int_t n = json_integer_value (a), more = json_integer_value (b), sum;
  if (greatest)
    return json_integer (n > more ? n : more);
  return json_integer (__builtin_add_overflow (n, more, &sum) ? INT64_MAX : sum);
}

/* What MORE counts comes to TO, which has the rest from the first.  */
static void
add (json_t *to, json_t *more)
{
  const char *key;
  json_t *value;
  json_object_foreach (more, key, value)
    {
      json_t *own = json_object_get (to, key);
      if (is_label (key))
	continue;
      if (!own)
	json_object_set_new (to, key, json_deep_copy (value));
      else if (json_is_object (own) && json_is_object (value))
	add (own, value);
      else if (json_is_number (own) && json_is_number (value))
	json_object_set_new (to, key, number_and (own, value, is_greatest (key)));
    }
}

/* What makes ROW the same as another: its KEYS, up to NULL, as text that the caller frees; NULL without memory.  */
static char *
row_key (const json_t *row, const char *const *keys)
{
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  for (size_t k = 0; keys[k] && out; k++)
    fprintf (out, "%s\n%.0f\n", ummgr_report_string (row, keys[k], ""), ummgr_report_field (row, keys[k]));
  if (out)
    fclose (out);
  return text;
}

/* The rows of MORE come to those of TO, by KEYS; INDEX has the latter by their text.  */
static void
add_rows (json_t *to, json_t *index, const json_t *more, const char *const *keys)
{
  size_t i;
  json_t *row;
  json_array_foreach (more, i, row)
    {
      char *key = row_key (row, keys);
      json_t *own = key ? json_object_get (index, key) : NULL;
      if (own)
	add (own, row);
      else if (key)
	{
	  own = json_deep_copy (row);
	  json_object_set (index, key, own);
	  json_array_append_new (to, own);
	}
      free (key);
    }
}

/* The rows KEY of all of GROUP.  */
static json_t *
join_rows (const struct ummgr_report_run **group, size_t count, const char *key,
	   const char *const *keys)
{
  json_t *rows = json_array (), *index = json_object ();
  for (size_t i = 0; i < count; i++)
    add_rows (rows, index, json_object_get (group[i]->stats, key), keys);
  json_decref (index);
  return rows;
}

/* What the run's statistics keep of RUN's.  */
static json_t *
rank_json (const struct ummgr_report_run *run)
{
  static const char *const keys[] = { "host", "totals", "ended", "out_of_memory", "wall_seconds", "host_regions" };
  json_t *out = json_pack ("{s:o, s:O}", "run", ummgr_json_string (run->name), "number",
			   json_object_get (rank_of (run), "number"));
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    {
      json_t *value = json_object_get (run->stats, keys[i]);
      if (value)
	json_object_set (out, keys[i], value);
    }
  return out;
}

/* "s.*.json" of s.0.json and s.1.json.  */
static json_t *
common_name (const struct ummgr_report_run **group, size_t count)
{
  const char *first = group[0]->name;
  size_t length = strlen (first), begin = length, end = length;
  char *text;
  for (size_t i = 1; i < count; i++)
    {
      const char *name = group[i]->name;
      size_t own = strlen (name), same = 0, tail = 0;
      while (same < begin && name[same] == first[same])
	same++;
      begin = same;
      while (tail < end && tail < own && name[own - 1 - tail] == first[length - 1 - tail])
	tail++;
      end = tail;
    }
  if (end > length - begin)
    end = length - begin;
  if (asprintf (&text, "%.*s*%s", (int) begin, first, first + length - end) < 0)
    return NULL;
  json_t *name = ummgr_json_string (text);
  free (text);
  return name;
}

/* What is one process's, and says nothing of the others.  */
static void
forget_own (json_t *stats)
{
  static const char *const own[] = { "pid", "rank", "host", "ended", "out_of_memory", "per_device", "host_seconds",
				     "host_before_seconds", "launched", "trace", "findings" };
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    json_object_del (stats, own[i]);
  for (const char *const *list = ummgr_report_timelines; *list; list++)
    json_object_del (stats, *list);
}

static json_t *
join (const struct ummgr_report_run **group, size_t count)
{
  static const char *const sums[] = { "totals", "outside", "host_regions" };
  static const char *const counts[] = { "wall_seconds", "decisions", "decision_ns", "layouts", "layout_ns",
					"kept", "kept_bytes", "discarded_bytes", "object_count" };
  static const char *const region[] = { "name", "file", "line", NULL };
  static const char *const construct[] = { "kind", "file", "line", "where", NULL };
  static const char *const object[] = { "name", "where_allocated", "path", NULL };
  json_t *out = json_deep_copy (group[0]->stats), *ranks = json_array ();
  forget_own (out);
  for (size_t i = 0; i < count; i++)
    {
      const json_t *own = group[i]->stats;
      json_array_append_new (ranks, rank_json (group[i]));
      for (size_t s = 0; s < sizeof sums / sizeof *sums && i; s++)
	add (json_object_get (out, sums[s]), json_object_get (own, sums[s]));
      for (size_t c = 0; c < sizeof counts / sizeof *counts && i; c++)
	if (json_object_get (own, counts[c]))
	  json_object_set_new (out, counts[c], number_and (json_object_get (out, counts[c]),
							   json_object_get (own, counts[c]),
							   is_greatest (counts[c])));
    }
  json_object_set_new (out, "regions", join_rows (group, count, "regions", region));
  if (json_object_get (out, "constructs"))
    json_object_set_new (out, "constructs", join_rows (group, count, "constructs", construct));
  json_object_set_new (out, "objects", join_rows (group, count, "objects", object));
  json_object_set_new (out, "ranks", ranks);
  json_object_set (out, "rank_count", json_object_get (rank_of (group[0]), "count"));
  json_object_set_new (out, "name", common_name (group, count));
  return out;
}

/* *RUN is now what GROUP is together.  */
static bool
make_run (const struct ummgr_report_run **group, size_t count, struct ummgr_report_run *run)
{
  *run = *group[0];
  if (count == 1)
    {
      json_incref (run->stats);
      return true;
    }
  qsort (group, count, sizeof *group, by_number);
  run->stats = join (group, count);
  run->name = ummgr_report_string (run->stats, "name", "ranks");
  run->baseline = false;
  for (size_t i = 0; i < count; i++)
    run->baseline |= group[i]->baseline;
  return run->stats != NULL;
}

bool
ummgr_report_join (struct ummgr_report_run *runs, size_t *count_p)
{
  size_t count = *count_p, made = 0;
  bool *taken = calloc (count + 1, sizeof *taken);
  const struct ummgr_report_run **group = calloc (count + 1, sizeof *group);
  struct ummgr_report_run *joined = calloc (count + 1, sizeof *joined);
  bool good = taken && group && joined;
  for (size_t i = 0; i < count && good; i++)
    {
      size_t found = taken[i] ? 0 : collect (runs, count, i, taken, group);
      if (found)
	good = make_run (group, found, &joined[made++]);
    }
  if (good)
    {
      for (size_t i = 0; i < count; i++)
	json_decref (runs[i].stats);
      memcpy (runs, joined, made * sizeof *runs);
      *count_p = made;
    }
  else
    ummgr_error ("report: out of memory");
  free (taken);
  free (group);
  free (joined);
  return good;
}

/* --- what is said of them ------------------------------------------------------------- */

bool
ummgr_ranks_failed (const json_t *stats, char *buf, size_t size)
{
  char why[200];
  size_t i;
  const json_t *rank;
  json_array_foreach (json_object_get (stats, "ranks"), i, rank)
    if (ummgr_report_ended_badly (rank, why, sizeof why))
      {
	snprintf (buf, size, "rank %.0f %s", ummgr_report_field (rank, "number"), why);
	return true;
      }
  return false;
}

/* Of the totals C of all ranks.  */
struct share
{
  size_t count;
  double sum, greatest;
};

static struct share
share_of (const json_t *ranks, const struct ummgr_report_column *c)
{
  struct share share = { 0 };
  size_t i;
  const json_t *rank;
  json_array_foreach (ranks, i, rank)
    {
      struct ummgr_report_value v = ummgr_report_value (json_object_get (rank, "totals"), c);
      double number = ummgr_report_number (&v);
      share.count++;
      share.sum += number;
      share.greatest = number > share.greatest ? number : share.greatest;
    }
  return share;
}

static double
imbalance (const struct share *share)
{
  return share->sum > 0 ? share->greatest / (share->sum / (double) share->count) : 0;
}

/* "Ranks: 3 of 4, on 2 hosts".  */
static void
title_of (const json_t *stats, char *buf, size_t size)
{
  const json_t *ranks = json_object_get (stats, "ranks"), *rank;
  size_t hosts = 0, i, k, count = json_array_size (ranks);
  double all = ummgr_report_field (stats, "rank_count");
  json_array_foreach (ranks, i, rank)
    {
      for (k = 0; k < i && !is_equal (json_array_get (ranks, k), rank, "host");)
	k++;
      hosts += k == i;
    }
  int at = snprintf (buf, size, "Ranks: %zu", count);
  if (all > (double) count)
    at += snprintf (buf + at, size - (size_t) at, " of %.0f, the others' statistics are not here", all);
  snprintf (buf + at, size - (size_t) at, "; on %zu host%s", hosts, hosts == 1 ? "" : "s");
}

static void
put_rank (struct ummgr_sheet *s, const json_t *rank, const struct share *shares)
{
  char text[240];
  snprintf (text, sizeof text, "%.0f", ummgr_report_field (rank, "number"));
  ummgr_sheet_row (s);
  ummgr_sheet_text (s, false, text);
  ummgr_sheet_text (s, true, ummgr_report_string (rank, "host", "-"));
  for (size_t c = 0; ummgr_report_compared[c].key; c++)
    if (shares[c].sum > 0)
      {
	struct ummgr_report_value v
	  = ummgr_report_value (json_object_get (rank, "totals"), &ummgr_report_compared[c]);
	ummgr_sheet_value (s, &v, shares[c].greatest);
      }
  if (ummgr_report_ended_badly (rank, text, sizeof text))
    ummgr_sheet_alarm (s, text);
}

static void
put_sums (struct ummgr_sheet *s, const struct share *shares)
{
  char text[32];
  ummgr_sheet_last (s);
  ummgr_sheet_text (s, false, "sum");
  ummgr_sheet_text (s, true, "");
  for (size_t c = 0; ummgr_report_compared[c].key; c++)
    if (shares[c].sum > 0)
      {
	struct ummgr_report_value v = ummgr_report_computed (shares[c].sum, ummgr_report_compared[c].kind);
	ummgr_sheet_value (s, &v, 0);
      }
  ummgr_sheet_row (s);
  ummgr_sheet_text (s, false, "greatest/mean");
  ummgr_sheet_text (s, true, "");
  for (size_t c = 0; ummgr_report_compared[c].key; c++)
    if (shares[c].sum > 0)
      {
	snprintf (text, sizeof text, "%.2f", imbalance (&shares[c]));
	ummgr_sheet_text (s, false, text);
      }
}

enum { COLUMNS = 16 };

static void
shares_make (const json_t *stats, const json_t *ranks, struct share shares[COLUMNS])
{
  for (size_t c = 0; ummgr_report_compared[c].key; c++)
    if (ummgr_report_shows (stats, &ummgr_report_compared[c]))
      shares[c] = share_of (ranks, &ummgr_report_compared[c]);
}

void
ummgr_ranks_put (struct ummgr_sheet *s, const json_t *stats, size_t limit)
{
  const json_t *ranks = json_object_get (stats, "ranks");
  size_t count = json_array_size (ranks);
  struct share shares[COLUMNS] = { { 0 } };
  char text[200] = "";
  if (!count)
    return;
  shares_make (stats, ranks, shares);
  title_of (stats, text, sizeof text);
  s->classes = "sortable compare";
  ummgr_sheet_begin (s, text);
  ummgr_sheet_head (s, false, "rank", NULL);
  ummgr_sheet_head (s, true, "host", NULL);
  for (size_t c = 0; ummgr_report_compared[c].key; c++)
    if (shares[c].sum > 0)
      ummgr_sheet_column (s, &ummgr_report_compared[c]);
  for (size_t i = 0; i < count && i < limit; i++)
    put_rank (s, json_array_get (ranks, i), shares);
  put_sums (s, shares);
  *text = 0;
  if (count > limit)
    snprintf (text, sizeof text, "%zu more ranks in the statistics", count - limit);
  ummgr_sheet_end (s, text);
}

json_t *
ummgr_ranks_imbalance (const json_t *stats)
{
  const json_t *ranks = json_object_get (stats, "ranks");
  struct share shares[COLUMNS] = { { 0 } };
  if (!json_array_size (ranks))
    return NULL;
  shares_make (stats, ranks, shares);
  json_t *out = json_object ();
  for (size_t c = 0; ummgr_report_compared[c].key; c++)
    if (shares[c].sum > 0)
      json_object_set_new (out, ummgr_report_compared[c].key, json_real (imbalance (&shares[c])));
  return out;
}
