/* table: one table and one JSON file out of the demo's runs.
   SPDX-License-Identifier: GPL-3.0-or-later

   Reads DIRECTORY/runs.txt (lines of JOB, POLICY and OUTCOME) and beside it
   stats-JOB-POLICY.json of `ummgr run`, prints the table and for each job which
   policy won and why (verdict.h), and writes DIRECTORY/demo.json.  A figure that
   a run doesn't have is shown as "-", and is absent from the JSON.  What is
   right, and what failed, demo.sh says; what failed is a job's last.  */

#include "common.h"
#include "verdict.h"

static const char *directory = ".";

struct column
{
  const char *head[2];
  const char *field;	/* In "totals", or NULL.  */
  int width;
};

static const struct column columns[] = {
  { { "modelled", "seconds" }, "elapsed_seconds", 9 },
  { { "bytes to", "device" }, "h2d_bytes", 14 },
  { { "bytes", "back" }, "d2h_bytes", 14 },
  { { "bytes read", "remotely" }, "remote_bytes", 15 },
  { { "GPU", "faults" }, "gpu_faults", 9 },
  { { "CPU", "faults" }, "cpu_faults", 7 },
  { { "", "evictions" }, "evictions", 9 },
};
#define COLUMNS (sizeof columns / sizeof *columns)

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
    demo_group (text, sizeof text, json_integer_value (value));
  else if (json_is_real (value))
    snprintf (text, sizeof text, "%.6f", json_real_value (value));
  printf (" %*s", column->width, text);
}

/* One run: a line of the table, a row of the JSON.  A program that stopped
   for want of memory has no figures: what it did till then means nothing.  */
static void
row_print (json_t *rows, const struct demo_run *run)
{
  char words[64];
  bool stopped = strcmp (run->outcome, "out-of-memory") == 0;
  json_t *totals = stopped ? NULL : json_object_get (run->stats, "totals");
  json_t *row = json_pack ("{ss ss ss}", "job", run->job, "policy", run->policy,
			   "outcome", run->outcome);
  if (!row)
    bench_fatal ("out of memory");
  json_t *wall = stopped ? NULL : json_object_get (run->stats, "wall_seconds");
  json_t *busy = json_object_get (totals, "model_seconds");
  if (wall)
    json_object_set (row, "wall_seconds", wall);
  if (busy)
    json_object_set (row, "model_seconds", busy);
  printf ("%-8s %-9s", run->job, run->policy);
  for (size_t c = 0; c < COLUMNS; c++)
    {
      json_t *value = json_object_get (totals, columns[c].field);
      print_value (&columns[c], value);
      if (value && !json_is_null (value))
	json_object_set (row, columns[c].field, value);
    }
  bool plain = strcmp (run->outcome, "correct") == 0 || strcmp (run->outcome, "FAILED") == 0;
  demo_outcome (run, words, sizeof words);
  printf ("  %s%s\n", plain ? "" : "FAILED: ", words);
  json_array_append_new (rows, row);
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

/* All lines of runs.txt; *RUNS_P is the caller's to free.  */
static size_t
runs_read (struct demo_run **runs_p)
{
  char file[4096];
  size_t count = 0, room = 0;
  struct demo_run run = { "", "", "", NULL }, *runs = NULL;
  snprintf (file, sizeof file, "%s/runs.txt", directory);
  FILE *f = fopen (file, "r");
  if (!f)
    bench_fatal ("%s: %s", file, strerror (errno));
  while (fscanf (f, "%31s %31s %31s", run.job, run.policy, run.outcome) == 3)
    {
      if (count == room)
	runs = realloc (runs, (room = 2 * room + 16) * sizeof *runs);
      if (!runs)
	bench_fatal ("out of memory");
      run.stats = stats_read (run.job, run.policy);
      runs[count++] = run;
    }
  fclose (f);
  *runs_p = runs;
  return count;
}

/* How many from RUNS[0] on are of its job.  */
static size_t
job_length (const struct demo_run *runs, size_t count)
{
  size_t n = 0;
  while (n < count && strcmp (runs[n].job, runs[0].job) == 0)
    n++;
  return n;
}

int
main (int argc, char **argv)
{
  const struct bench_option options[] = {
    { "directory", BENCH_TEXT, &directory, "where runs.txt is" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Print the table of the demo's runs.");
  char file[4096];
  struct demo_run *runs;
  size_t count = runs_read (&runs), length;
  json_t *rows = json_array ();
  head_print ();
  for (size_t at = 0; at < count; at += length)
    {
      length = job_length (&runs[at], count - at);
      putchar ('\n');
      for (int failed = 0; failed < 2; failed++)
	for (size_t i = at; i < at + length; i++)
	  if (demo_is_good (&runs[i]) == !failed)
	    row_print (rows, &runs[i]);
    }
  putchar ('\n');
  for (size_t at = 0; at < count; at += length)
    {
      length = job_length (&runs[at], count - at);
      demo_verdict (&runs[at], length);
    }
  json_t *all = json_pack ("{ss so}", "name", "demo", "rows", rows);
  snprintf (file, sizeof file, "%s/demo.json", directory);
  if (!all || json_dump_file (all, file, JSON_INDENT (1)) != 0)
    bench_fatal ("can't write %s", file);
  json_decref (all);
  for (size_t i = 0; i < count; i++)
    json_decref (runs[i].stats);
  free (runs);
  return 0;
}
