/* check: findings of the traced programs against those of the paper.
   SPDX-License-Identifier: GPL-3.0-or-later

   Reads `PROGRAM RUN' lines, and of each WORK/PROGRAM-RUN.json, as
   `ummgr report --json' writes it, and .stats.json.  Prints two tables, and
   appends result lines for collect.  Exit status 1 if a finding is missing or
   false.  A remedy that a replay proposes by itself is right if a run with it,
   of WORK/PROGRAM-RUN.applied, brings what the replay said, or half of it.  */

#include "common.h"
#include "json.h"

enum { RUNS = 64, EXPECTATIONS = 128, WORD = 64 };

struct run
{
  char program[WORD], name[WORD];
  json_t *report, *stats;
};

struct expectation
{
  char program[WORD], name[WORD], verdict[WORD], kind[WORD], object[WORD];
  char times[WORD], reason[256];
  json_t *found;		/* Borrowed; NULL: none yet.  */
};

static struct run runs[RUNS];
static struct expectation expectations[EXPECTATIONS];
static size_t run_count, expectation_count;

static json_t *
load (const char *work, const struct run *run, const char *suffix)
{
  char path[4096];
  snprintf (path, sizeof path, "%s/%s-%s%s", work, run->program, run->name,
	    suffix);
  return bench_json_load (path);
}

static void
runs_read (const char *work)
{
  char line[256];
  while (fgets (line, sizeof line, stdin))
    {
      struct run *r = &runs[run_count];
      if (run_count == RUNS
	  || sscanf (line, "%63s %63s", r->program, r->name) != 2)
	bench_fatal ("expected PROGRAM RUN, at most %d times: %s", RUNS,
		     line);
      r->report = load (work, r, ".json");
      r->stats = load (work, r, ".stats.json");
      run_count++;
    }
}

static struct run *
run_find (const char *program, const char *name)
{
  for (size_t i = 0; i < run_count; i++)
    if (strcmp (runs[i].program, program) == 0
	&& strcmp (runs[i].name, name) == 0)
      return &runs[i];
  return NULL;
}

static void
expectations_read (const char *path)
{
  FILE *in = fopen (path, "r");
  if (!in)
    bench_fatal ("can't read %s: %s", path, strerror (errno));
  char line[512];
  while (fgets (line, sizeof line, in))
    {
      struct expectation *e = &expectations[expectation_count];
      if (*line == '#' || *line == '\n')
	continue;
      if (expectation_count == EXPECTATIONS
	  || sscanf (line, "%63s %63s %63s %63s %63s %63s %255[^\n]",
		     e->program, e->name, e->verdict, e->kind, e->object,
		     e->times, e->reason) != 7)
	bench_fatal ("%s: can't use this line: %s", path, line);
      expectation_count++;
    }
  fclose (in);
}

/* NAME among the names in KINDS, which | separates.  */
static bool
kind_matches (const char *kinds, const char *name)
{
  size_t n = strlen (name);
  for (const char *p = kinds; *p; p += strcspn (p, "|"), p += *p == '|')
    if (strcspn (p, "|") == n && strncmp (p, name, n) == 0)
      return true;
  return false;
}

/* NAME is OBJECT, or a member of that name.  */
static bool
object_matches (const char *object, const char *name)
{
  size_t n = strlen (name), m = strlen (object);
  if (n < m || strcmp (name + n - m, object) != 0)
    return false;
  return n == m || name[n - m - 1] == '.' || name[n - m - 1] == '>';
}

static const char *
text_of (const json_t *finding, const char *key)
{
  const char *text = json_string_value (json_object_get (finding, key));
  return text ? text : "";
}

static double
number_of (const json_t *object, const char *key)
{
  return json_number_value (json_object_get (object, key));
}

/* TIMES is -, a number, or NUMBER:TEXT with a part of the elements' text.  */
static bool
times_match (const char *times, const json_t *finding)
{
  char *rest;
  if (strcmp (times, "-") == 0)
    return true;
  return strtod (times, &rest) == number_of (finding, "times")
	 && (*rest != ':' || strstr (text_of (finding, "elements"), rest + 1));
}

static bool
matches (const struct expectation *e, const struct run *run,
	 const json_t *finding)
{
  return strcmp (e->program, run->program) == 0
	 && strcmp (e->name, run->name) == 0
	 && kind_matches (e->kind, text_of (finding, "kind"))
	 && object_matches (e->object, text_of (finding, "object"))
	 && times_match (e->times, finding);
}

/* Of one kind and object in one run; NULL if there is none.  */
static json_t *
finding_find (const struct run *run, const char *kind, const char *object)
{
  size_t i;
  json_t *f;
  json_array_foreach (json_object_get (run->report, "findings"), i, f)
    if (kind_matches (kind, text_of (f, "kind"))
	&& object_matches (object, text_of (f, "object")))
      return f;
  return NULL;
}

/* The seconds of RUN with the remedy that FINDING proposes; negative: there was none.  */
static double
applied_seconds (const char *work, const struct run *run, const json_t *finding)
{
  char path[4096], line[1024], remedy[1024];
  double seconds;
  const char *proposed = strstr (text_of (finding, "change"), "--apply=");
  snprintf (path, sizeof path, "%s/%s-%s.applied", work, run->program, run->name);
  FILE *in = proposed ? fopen (path, "r") : NULL;
  bool found = false;
  while (in && !found && fgets (line, sizeof line, in))
    found = sscanf (line, "%1023s %lf", remedy, &seconds) == 2
	    && strcmp (proposed + strlen ("--apply="), remedy) == 0;
  if (in)
    fclose (in);
  return found ? seconds : -1;
}

static double
total (const struct run *run, const char *key)
{
  return number_of (json_object_get (run->stats, "totals"), key);
}

/* Does FINDING propose what a replay has tried, and does it bring half of that at least?  What a
   replay says and what a run takes differ by themselves: the run takes all that a launch can
   reach for used, and its threads' pages come in an order of their own.  */
static bool
is_proven (const char *work, const struct run *run, const json_t *finding)
{
  const json_t *remedy = json_object_get (finding, "remedy");
  double live = applied_seconds (work, run, finding);
  if (strcmp (text_of (finding, "kind"), "unadvised") != 0 || live < 0)
    return false;
  double said = number_of (remedy, "instead_of") - number_of (remedy, "modelled_seconds");
  double brought = total (run, "model_seconds") - live;
  printf ("%-8s %-14s %-14s %-18s %s: said to save %.6f s, saves %.6f of %.6f\n",
	  brought >= said / 2 ? "proven" : "FALSE", run->program, run->name,
	  text_of (remedy, "name"), text_of (finding, "object"), said, brought,
	  total (run, "model_seconds"));
  return brought >= said / 2;
}

/* Pair findings with expectations; what has none, and isn't proven, is false.  */
static int
pair (const char *work, const struct run *run)
{
  size_t i;
  int wrong = 0;
  json_t *f;
  json_array_foreach (json_object_get (run->report, "findings"), i, f)
    {
      struct expectation *e = NULL;
      for (size_t k = 0; k < expectation_count && !e; k++)
	if (matches (&expectations[k], run, f))
	  e = &expectations[k];
      if (e)
	{
	  e->found = e->found ? e->found : f;
	  continue;
	}
      if (is_proven (work, run, f))
	continue;
      printf ("FALSE    %-14s %-14s %-18s %s: %s [%s, %.0f times]\n",
	      run->program, run->name, text_of (f, "kind"),
	      text_of (f, "object"), text_of (f, "what"),
	      text_of (f, "elements"), number_of (f, "times"));
      wrong++;
    }
  return wrong;
}

/* Bytes that the finding is about, after the remedy: 0 where it is gone.  */
static double
bytes_after (const struct expectation *e)
{
  static const char *const remedies[] = { "remedied", "split" };
  const char *part = strchr (e->name, '-');
  for (int i = 0; i < 2; i++)
    {
      char name[WORD];
      snprintf (name, sizeof name, "%s%s", remedies[i], part ? part : "");
      const struct run *r = run_find (e->program, name);
      if (r)
	{
	  json_t *f = finding_find (r, e->kind, e->object);
	  return f ? number_of (f, "bytes") : 0;
	}
    }
  return -1;
}

static int
report_expectation (const struct expectation *e, FILE *lines)
{
  bool needed = strcmp (e->verdict, "expect") == 0;
  if (!needed && !e->found)
    return 0;
  const char *state = e->found ? needed ? "found" : "also" : "MISSING";
  double before = e->found ? number_of (e->found, "bytes") : 0;
  double after = bytes_after (e);
  printf ("%-8s %-14s %-14s %-18s %-18s %10.0f -> ", state, e->program,
	  e->name, e->found ? text_of (e->found, "kind") : e->kind,
	  e->object, before);
  if (after < 0)
    printf ("%10s", "-");
  else
    printf ("%10.0f", after);
  printf ("  %s\n", e->reason);
  fprintf (lines, "row table=findings program=%s run=%s object=%s "
	   "state=%s kind=%s bytes=%.0f", e->program, e->name, e->object,
	   state, e->found ? text_of (e->found, "kind") : e->kind, before);
  if (after >= 0)
    fprintf (lines, " bytes_remedied=%.0f", after);
  fputc ('\n', lines);
  return needed && !e->found;
}

static void
report_counters (FILE *lines)
{
  static const char *const keys[] = { "h2d_bytes", "d2h_bytes", "gpu_faults",
				      "cpu_faults" };
  printf ("\n%-14s %-14s %12s %12s %10s %10s %13s\n", "program", "run",
	  "h2d bytes", "d2h bytes", "GPU faults", "CPU faults",
	  "modelled s");
  for (size_t i = 0; i < run_count; i++)
    {
      const struct run *r = &runs[i];
      printf ("%-14s %-14s", r->program, r->name);
      fprintf (lines, "row table=counters program=%s run=%s", r->program,
	       r->name);
      for (int k = 0; k < 4; k++)
	{
	  printf (" %*.0f", k < 2 ? 12 : 10, total (r, keys[k]));
	  fprintf (lines, " %s=%.0f", keys[k], total (r, keys[k]));
	}
      printf (" %13.6f\n", total (r, "model_seconds"));
      fprintf (lines, " model_seconds=%.9f\n", total (r, "model_seconds"));
    }
}

int
main (int argc, char **argv)
{
  const char *expected = NULL, *work = NULL, *output = NULL;
  const struct bench_option options[] = {
    { "expected", BENCH_TEXT, &expected, "file of expectations" },
    { "work", BENCH_TEXT, &work, "directory of the runs' files" },
    { "output", BENCH_TEXT, &output, "append result lines there" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Compare findings with the paper's.");
  if (!expected || !work || !output)
    bench_fatal ("--expected, --work and --output are needed");
  FILE *lines = fopen (output, "a");
  if (!lines)
    bench_fatal ("can't write %s: %s", output, strerror (errno));
  expectations_read (expected);
  runs_read (work);

  int missing = 0, wrong = 0, needed = 0;
  printf ("%-8s %-14s %-14s %-18s %-18s %10s    %10s  %s\n", "", "program",
	  "run", "finding", "object", "bytes", "remedied",
	  "source or reason");
  for (size_t i = 0; i < expectation_count; i++)
    if (!run_find (expectations[i].program, expectations[i].name))
      bench_fatal ("%s: %s has no run %s", expected,
		   expectations[i].program, expectations[i].name);
  for (size_t i = 0; i < run_count; i++)
    wrong += pair (work, &runs[i]);
  for (size_t i = 0; i < expectation_count; i++)
    {
      needed += strcmp (expectations[i].verdict, "expect") == 0;
      missing += report_expectation (&expectations[i], lines);
    }
  report_counters (lines);
  printf ("\nfindings of the paper: %d, missing: %d, false: %d\n", needed,
	  missing, wrong);
  fprintf (lines, "summary findings_expected=%d findings_missing=%d "
	   "findings_false=%d\n", needed, missing, wrong);
  if (fclose (lines) != 0)
    bench_fatal ("can't write %s", output);
  return missing || wrong;
}
