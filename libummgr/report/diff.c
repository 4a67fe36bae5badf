/* What is different between two runs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "report/diff-rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double close_enough = 1e-3;

static const struct ummgr_report_column finding_columns[] = {
  { "kind", "finding", UMMGR_REPORT_TEXT, "what is found" },
  { "object", "object", UMMGR_REPORT_TEXT, "its variable" },
  { "@source", "construct", UMMGR_REPORT_TEXT, "file and line" },
  { "times", "times", UMMGR_REPORT_COUNT, "copies, or words" },
  { "bytes", "bytes", UMMGR_REPORT_BYTES, "that need not move" },
  { "modelled_seconds", "modelled", UMMGR_REPORT_SECONDS, "that these take" },
  { NULL, NULL, 0, NULL }
};

/* KEYS make rows the same, PLACE tells those apart that are alike.  */
static const struct kind
{
  const char *key, *title;
  const struct ummgr_report_column *columns;
  const char *keys[3];
  const char *place;
  const char *weights[4];	/* The first that is there, or all of them.  */
  bool sum;
} kinds[UMMGR_DIFF_TABLES] = {
  { "regions", "Regions, by change of seconds", ummgr_report_region_columns,
    { "name" }, "@source", { "model_seconds", "wall_seconds" }, false },
  { "objects", "Objects, by change of traffic", ummgr_report_object_columns,
    { "@object" }, "where_allocated", { "h2d_bytes", "d2h_bytes", "remote_bytes", "peer_bytes" }, true },
  { "findings", "Findings, by change of seconds", finding_columns,
    { "kind", "object" }, "@source", { "modelled_seconds", "bytes" }, false }
};

static bool
differs (const struct ummgr_report_value *a, const struct ummgr_report_value *b)
{
  if (a->present != b->present)
    return true;
  if (!a->present)
    return false;
  if (a->kind == UMMGR_REPORT_TEXT)
    return strcmp (a->text, b->text) != 0;
  if (a->kind != UMMGR_REPORT_SECONDS)
    return a->count != b->count;
  return fabs (a->seconds - b->seconds) > close_enough * fmax (fabs (a->seconds), fabs (b->seconds));
}

/* Does C tell anything of one of the runs that others don't?  */
static bool
shows (const struct ummgr_report_run *a, const struct ummgr_report_run *b,
       const struct ummgr_report_column *c)
{
  return ummgr_report_shows (a->stats, c) || ummgr_report_shows (b->stats, c);
}

void
ummgr_diff_human (const struct ummgr_diff_row *row, const struct ummgr_report_column *c, char *buf,
		  size_t size)
{
  struct ummgr_report_value a = ummgr_report_value (row->a, c), b = ummgr_report_value (row->b, c);
  char from[330], to[330];
  ummgr_report_human (&a, from, sizeof from);
  ummgr_report_human (&b, to, sizeof to);
  if (!row->a || !row->b || !differs (&a, &b))
    snprintf (buf, size, "%s", row->a ? from : to);
  else
    snprintf (buf, size, "%s -> %s", from, to);
}

/* --- what belongs together ------------------------------------------------------------ */

static struct ummgr_report_value
text_of (const json_t *row, const char *key)
{
  const struct ummgr_report_column c = { key, NULL, UMMGR_REPORT_TEXT, NULL };
  return ummgr_report_value (row, &c);
}

static bool
is_equal (const json_t *a, const json_t *b, const char *key)
{
  struct ummgr_report_value x = text_of (a, key), y = text_of (b, key);
  return !differs (&x, &y);
}

/* Without the line at its end.  */
static bool
is_same_file (const json_t *a, const json_t *b, const char *key)
{
  struct ummgr_report_value x = text_of (a, key), y = text_of (b, key);
  char *end[] = { strrchr (x.text, ':'), strrchr (y.text, ':') };
  for (size_t i = 0; i < 2; i++)
    if (end[i])
      *end[i] = 0;
  return strcmp (x.text, y.text) == 0;
}

static bool
is_same (const struct kind *k, const json_t *a, const json_t *b)
{
  for (size_t i = 0; i < sizeof k->keys / sizeof *k->keys && k->keys[i]; i++)
    if (!is_equal (a, b, k->keys[i]))
      return false;
  return true;
}

/* How near the places of rows that are the same have to be.  */
enum nearness { SAME_LINE, SAME_FILE, ANYWHERE };

static bool
is_near (const struct kind *k, const json_t *a, const json_t *b, enum nearness nearness)
{
  return nearness == ANYWHERE || (nearness == SAME_FILE ? is_same_file (a, b, k->place)
				  : is_equal (a, b, k->place));
}

static double
weight_of (const struct kind *k, const json_t *row)
{
  double weight = 0;
  for (size_t i = 0; i < sizeof k->weights / sizeof *k->weights && k->weights[i]; i++)
    {
      const json_t *value = json_object_get (row, k->weights[i]);
      weight += json_number_value (value);
      if (value && !k->sum)
	break;
    }
  return weight;
}

/* Wall clock is no difference where time is modelled; nor is it one what is shared by all.  */
static bool
counts (const struct ummgr_diff_row *row, const struct ummgr_report_column *c)
{
  const json_t *any = row->a ? row->a : row->b;
  return strcmp (c->key, "wall_seconds") != 0 || !json_object_get (any, "model_seconds");
}

static bool
row_differs (const struct ummgr_diff_row *row, const struct ummgr_report_column *c)
{
  struct ummgr_report_value a = ummgr_report_value (row->a, c), b = ummgr_report_value (row->b, c);
  if (!counts (row, c))
    return false;
  /* Nothing where there was nothing.  */
  if (!row->a || !row->b)
    return ummgr_report_number (&a) > 0 || ummgr_report_number (&b) > 0;
  return differs (&a, &b);
}

static bool
is_name (const struct ummgr_diff_table *t, const struct ummgr_report_column *c)
{
  for (size_t i = 0; i < t->name_count; i++)
    if (t->names[i] == c)
      return true;
  return false;
}

/* Is there anything in which ROW differs?  What it is called and where it is are not.  */
static bool
changed (const struct kind *k, const struct ummgr_diff_table *t, const struct ummgr_diff_row *row)
{
  if (!row->a || !row->b)
    return true;
  for (const struct ummgr_report_column *c = k->columns; c->key; c++)
    if (!is_name (t, c) && row_differs (row, c))
      return true;
  return false;
}

static void
names_choose (const struct kind *k, struct ummgr_diff_table *t)
{
  static const char *const names[] = { "@region", "@object", "kind", "object", "@source",
				       "where_allocated" };
  for (const struct ummgr_report_column *c = k->columns; c->key; c++)
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      if (strcmp (names[i], c->key) == 0 && t->name_count < sizeof t->names / sizeof *t->names)
	t->names[t->name_count++] = c;
}

static void
columns_choose (const struct kind *k, const struct ummgr_report_run *a,
		const struct ummgr_report_run *b, struct ummgr_diff_table *t)
{
  for (const struct ummgr_report_column *c = k->columns; c->key; c++)
    for (size_t i = 0; i < t->count && !is_name (t, c) && shows (a, b, c); i++)
      if (row_differs (&t->rows[i], c)
	  && t->column_count < sizeof t->columns / sizeof *t->columns)
	{
	  t->columns[t->column_count++] = c;
	  break;
	}
}

static int
by_weight (const void *a_p, const void *b_p)
{
  const struct ummgr_diff_row *a = a_p, *b = b_p;
  return a->weight != b->weight ? (a->weight > b->weight ? -1 : 1) : 0;
}

static void
row_add (const struct kind *k, struct ummgr_diff_table *t, const json_t *a, const json_t *b)
{
  struct ummgr_diff_row row = { a, b, fabs (weight_of (k, b) - weight_of (k, a)) };
  if (changed (k, t, &row))
    t->rows[t->count++] = row;
  else
    t->same++;
}

/* The row of B, but those TAKEN, that ROW of A is.  */
static size_t
partner (const struct kind *k, const json_t *row, const json_t *b, const bool *taken,
	 enum nearness nearness)
{
  size_t count = json_array_size (b);
  for (size_t i = 0; i < count; i++)
    if (!taken[i] && is_same (k, row, json_array_get (b, i))
	&& is_near (k, row, json_array_get (b, i), nearness))
      return i;
  return count;
}

static void
rows_make (const struct kind *k, struct ummgr_diff_table *t, const json_t *a, const json_t *b,
	   bool *taken, bool *done)
{
  size_t in_a = json_array_size (a), in_b = json_array_size (b);
  for (int nearness = SAME_LINE; nearness <= ANYWHERE; nearness++)
    for (size_t i = 0; i < in_a; i++)
      {
	size_t j = done[i] ? in_b : partner (k, json_array_get (a, i), b, taken, nearness);
	if (j == in_b)
	  continue;
	taken[j] = done[i] = true;
	row_add (k, t, json_array_get (a, i), json_array_get (b, j));
      }
  for (size_t i = 0; i < in_a; i++)
    if (!done[i])
      row_add (k, t, json_array_get (a, i), NULL);
  for (size_t i = 0; i < in_b; i++)
    if (!taken[i])
      row_add (k, t, NULL, json_array_get (b, i));
}

static bool
table_make (const struct kind *k, const struct ummgr_report_run *a, const struct ummgr_report_run *b,
	    struct ummgr_diff_table *out)
{
  const json_t *in_a = json_object_get (a->stats, k->key), *in_b = json_object_get (b->stats, k->key);
  size_t most = json_array_size (in_a) + json_array_size (in_b) + 1;
  *out = (struct ummgr_diff_table) { .key = k->key, .title = k->title };
  out->rows = calloc (most, sizeof *out->rows);
  bool *taken = calloc (most, sizeof *taken), *done = calloc (most, sizeof *done);
  bool good = out->rows && taken && done;
  names_choose (k, out);
  /* Nobody looked for any there.  */
  bool looked = json_is_array (in_a) && json_is_array (in_b);
  if (good && looked)
    {
      rows_make (k, out, in_a, in_b, taken, done);
      qsort (out->rows, out->count, sizeof *out->rows, by_weight);
      columns_choose (k, a, b, out);
    }
  free (taken);
  free (done);
  return good;
}

/* --- settings and totals -------------------------------------------------------------- */

static void
line_add (struct ummgr_diff *d, const char *name, const struct ummgr_report_value *a,
	  const struct ummgr_report_value *b)
{
  d->lines[d->settings + d->totals] = (struct ummgr_diff_line) { name, *a, *b };
}

/* Nothing but a word or a number is a value.  */
static struct ummgr_report_value
setting_value (const json_t *of)
{
  struct ummgr_report_value v = { .kind = UMMGR_REPORT_TEXT };
  char *text = json_is_object (of) || json_is_array (of) ? NULL : json_dumps (of, JSON_ENCODE_ANY);
  v.present = text != NULL;
  snprintf (v.text, sizeof v.text, "%s", json_is_string (of) ? json_string_value (of) : text ? text : "");
  free (text);
  return v;
}

/* Where a run's files are is no setting; policy and profile are the run's, too.  */
static bool
is_setting (const char *key)
{
  static const char *const none[] = { "stats", "report", "trace", "nvptx-plugin", "read-steps",
				      "read-memory", "policy", "profile" };
  for (size_t i = 0; i < sizeof none / sizeof *none; i++)
    if (strcmp (none[i], key) == 0)
      return false;
  return true;
}

/* What isn't known of both differs in nothing.  */
static void
setting_add (struct ummgr_diff *d, const char *name, const json_t *a, const json_t *b)
{
  if (!a || !b || json_equal (a, b))
    return;
  struct ummgr_report_value x = setting_value (a), y = setting_value (b);
  line_add (d, name, &x, &y);
  d->settings++;
}

static void
lines_make (struct ummgr_diff *d, const struct ummgr_report_run *a, const struct ummgr_report_run *b)
{
  static const char *const first[] = { "program", "policy", "profile", "devices" };
  json_t *in_a = json_object_get (a->stats, "options"), *in_b = json_object_get (b->stats, "options");
  const char *key;
  json_t *value;
  size_t totals = 0, own = sizeof first / sizeof *first;
  while (ummgr_report_totals[totals].key)
    totals++;
  d->lines = calloc (own + json_object_size (in_a) + totals, sizeof *d->lines);
  for (size_t i = 0; d->lines && i < own; i++)
    setting_add (d, first[i], json_object_get (a->stats, first[i]), json_object_get (b->stats, first[i]));
  json_object_foreach (in_a, key, value)
    if (d->lines && is_setting (key))
      setting_add (d, key, value, json_object_get (in_b, key));
  for (const struct ummgr_report_column *c = ummgr_report_totals; d->lines && c->key; c++)
    {
      struct ummgr_report_value x = ummgr_report_value (json_object_get (a->stats, "totals"), c);
      struct ummgr_report_value y = ummgr_report_value (json_object_get (b->stats, "totals"), c);
      if (!shows (a, b, c) || !differs (&x, &y))
	continue;
      line_add (d, c->title, &x, &y);
      d->totals++;
    }
}

bool
ummgr_diff_make (const struct ummgr_report_run *a, const struct ummgr_report_run *b,
		 struct ummgr_diff *out)
{
  *out = (struct ummgr_diff) { 0 };
  lines_make (out, a, b);
  bool good = out->lines != NULL;
  for (size_t n = 0; n < UMMGR_DIFF_TABLES; n++)
    good &= table_make (&kinds[n], a, b, &out->tables[n]);
  return good;
}

void
ummgr_diff_free (struct ummgr_diff *diff)
{
  free (diff->lines);
  for (size_t n = 0; n < UMMGR_DIFF_TABLES; n++)
    free (diff->tables[n].rows);
}
