/* table: one table and one JSON file out of the demo's runs.
   SPDX-License-Identifier: GPL-3.0-or-later

   Reads DIRECTORY/runs.txt (lines of JOB, POLICY and OUTCOME) and beside it
   stats-JOB-POLICY.json of `ummgr run`, prints the table, and writes
   DIRECTORY/demo.json.  A figure that a run doesn't have is shown as "-", and
   is absent from the JSON.  It judges nothing: demo.sh names the outcomes.  */

#include "common.h"

#include <jansson.h>

static const char *directory = ".";

struct column
{
  const char *head[2];
  const char *field;	/* In "totals", or NULL.  */
  int width;
};

static const struct column columns[] = {
  { { "modelled", "seconds" }, "model_seconds", 9 },
  { { "bytes to", "device" }, "h2d_bytes", 14 },
  { { "bytes", "back" }, "d2h_bytes", 14 },
  { { "bytes read", "remotely" }, "remote_bytes", 15 },
  { { "GPU", "faults" }, "gpu_faults", 9 },
  { { "CPU", "faults" }, "cpu_faults", 7 },
  { { "", "evictions" }, "evictions", 9 },
};
#define COLUMNS (sizeof columns / sizeof *columns)

/* 1234567 as "1,234,567".  */
static void
group (char *out, size_t size, json_int_t n)
{
  char digits[32];
  int len = snprintf (digits, sizeof digits, "%lld", (long long) n);
  size_t at = 0;
  for (int i = 0; i < len && at + 2 < size; i++)
    {
      if (i && (len - i) % 3 == 0)
	out[at++] = ',';
      out[at++] = digits[i];
    }
  out[at] = 0;
}

static json_t *
stats_read (const char *job, const char *policy)
{
  char file[4096];
  json_error_t error;
  snprintf (file, sizeof file, "%s/stats-%s-%s.json", directory, job, policy);
  return json_load_file (file, 0, &error);
}

static void
print_value (const struct column *column, json_t *value)
{
  char text[40] = "-";
  if (json_is_integer (value))
    group (text, sizeof text, json_integer_value (value));
  else if (json_is_real (value))
    snprintf (text, sizeof text, "%.6f", json_real_value (value));
  printf (" %*s", column->width, text);
}

/* One run: a line of the table, a row of the JSON.  A program that stopped
   for want of memory has no figures: what it did till then means nothing.  */
static void
row_print (json_t *rows, const char *job, const char *policy,
	   const char *outcome)
{
  bool stopped = strcmp (outcome, "out-of-memory") == 0;
  json_t *stats = stopped ? NULL : stats_read (job, policy);
  json_t *totals = json_object_get (stats, "totals");
  json_t *row = json_pack ("{ss ss ss}", "job", job, "policy", policy,
			   "outcome", outcome);
  if (!row)
    bench_fatal ("out of memory");
  json_t *wall = json_object_get (stats, "wall_seconds");
  if (wall)
    json_object_set (row, "wall_seconds", wall);
  printf ("%-8s %-9s", job, policy);
  for (size_t c = 0; c < COLUMNS; c++)
    {
      json_t *value = json_object_get (totals, columns[c].field);
      print_value (&columns[c], value);
      if (value && !json_is_null (value))
	json_object_set (row, columns[c].field, value);
    }
  char words[64];
  snprintf (words, sizeof words, "%s", outcome);
  for (char *p = words; *p; p++)
    if (*p == '-')
      *p = ' ';
  printf ("  %s\n", words);
  json_array_append_new (rows, row);
  json_decref (stats);
}

static void
head_print (void)
{
  for (int line = 0; line < 2; line++)
    {
      printf ("%-8s %-9s", line ? "job" : "", line ? "policy" : "");
      for (size_t c = 0; c < COLUMNS; c++)
	printf (" %*s", columns[c].width, columns[c].head[line]);
      puts (line ? "  result" : "");
    }
}

int
main (int argc, char **argv)
{
  const struct bench_option options[] = {
    { "directory", BENCH_TEXT, &directory, "where runs.txt is" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Print the table of the demo's runs.");
  char file[4096], last[32] = "";
  snprintf (file, sizeof file, "%s/runs.txt", directory);
  FILE *f = fopen (file, "r");
  if (!f)
    bench_fatal ("%s: %s", file, strerror (errno));
  json_t *rows = json_array ();
  char job[32], policy[32], outcome[32];
  head_print ();
  while (fscanf (f, "%31s %31s %31s", job, policy, outcome) == 3)
    {
      if (strcmp (job, last) != 0)
	putchar ('\n');
      strcpy (last, job);
      row_print (rows, job, policy, outcome);
    }
  fclose (f);
  json_t *all = json_pack ("{ss so}", "name", "demo", "rows", rows);
  snprintf (file, sizeof file, "%s/demo.json", directory);
  if (!all || json_dump_file (all, file, JSON_INDENT (1)) != 0)
    bench_fatal ("can't write %s", file);
  json_decref (all);
  return 0;
}
