/* compare: what the model says beside what was measured.
   SPDX-License-Identifier: GPL-3.0-or-later

   Reads --measured (measured.txt says how) and, from standard input, the runs:

     run NAME COLUMN FILE scale=D steps=S of=N launches=L power=P
     ratio NAME SCALE VALUE
     scaled PROGRAM POLICY SCALE UM SECONDS

   FILE are a run's statistics.  It made S of N steps, of L launches each, after which
   all are like the last; its order was the measured one's by D, its data that by D
   squared.  Where the work grows with the power P = 3 of the order, and not with the
   data, the last step of the run that fits is of work alone.  UM and SECONDS are modelled
   on a machine 1/SCALE the size, times SCALE, under um and under POLICY.

   Prints the tables, writes WORK/plot-NAME.dat, and appends lines for collect.  */

#include "json.h"

#include <math.h>
#include <unistd.h>

enum { WORD = 32, MOST = 256 };

/* Further off, either way, is a miss, and a step by CLIFF between two columns a
   cliff.  */
#define MISS 1.5
#define CLIFF 10

struct totals
{
  double seconds, faults, groups; /* NaN: not known.  */
};

struct run
{
  char name[WORD], column[WORD];
  unsigned scale, steps, of, launches, power;
  struct totals all, last;	/* Extrapolated to N steps; the last step's.  */
};

struct row
{
  char group[WORD], name[WORD], column[WORD], quantity[WORD];
  double measured, modelled;	/* NaN: no run.  */
  bool calibrates;
};

static struct run runs[MOST];
static struct row rows[MOST];
static struct { char name[WORD]; unsigned scale; double value; } ratios[MOST];
static struct scaled
{
  char program[WORD], policy[WORD];
  unsigned scale;
  double um, seconds;
} scaled[MOST];
static size_t run_count, row_count, ratio_count, scaled_count;
static FILE *lines;

/* --- reading ------------------------------------------------------------------ */

static double
number (const json_t *object, const char *key)
{
  const json_t *value = json_object_get (object, key);
  return value ? json_number_value (value) : NAN;
}

static void
add (struct totals *to, const struct totals *t, double times)
{
  to->seconds += t->seconds * times;
  to->faults += t->faults * times;
  to->groups += t->groups * times;
}

/* Launches from FIRST to END.  */
static struct totals
launches_sum (const json_t *timeline, unsigned first, unsigned end)
{
  struct totals sum = { 0, 0, 0 };
  for (unsigned i = first; i < end; i++)
    {
      const json_t *l = json_array_get (timeline, i);
      struct totals t = { number (l, "t_model1") - number (l, "t_model0"),
			  number (l, "gpu_faults"), number (l, "fault_batches") };
      add (&sum, &t, 1);
    }
  return sum;
}

static void
run_read (char *words)
{
  struct run *r = &runs[run_count++];
  char path[4096];
  if (run_count == MOST
      || sscanf (words, "%31s %31s %4095s scale=%u steps=%u of=%u launches=%u "
		 "power=%u", r->name, r->column, path, &r->scale, &r->steps,
		 &r->of, &r->launches, &r->power) != 8)
    bench_fatal ("not a run: %s", words);
  json_t *stats = bench_json_load (path);
  const json_t *timeline = json_object_get (stats, "timeline");
  if (json_array_size (timeline) != r->steps * r->launches)
    bench_fatal ("%s: %zu launches, not %u", path, json_array_size (timeline),
		 r->steps * r->launches);
  unsigned counted = r->steps < r->of ? r->steps : r->of;
  r->all = launches_sum (timeline, 0, counted * r->launches);
  r->last = launches_sum (timeline, (r->steps - 1) * r->launches,
			  r->steps * r->launches);
  add (&r->all, &r->last, r->of - counted);
  json_decref (stats);
}

static bool
scaled_read (const char *line)
{
  struct scaled *s = &scaled[scaled_count];
  return ++scaled_count < MOST
	 && sscanf (line, "scaled %31s %31s %u %lf %lf", s->program, s->policy, &s->scale,
		    &s->um, &s->seconds) == 5;
}

static void
runs_read (void)
{
  char line[8192];
  while (fgets (line, sizeof line, stdin))
    if (strncmp (line, "run ", 4) == 0)
      run_read (line + 4);
    else if (ratio_count < MOST
	     && sscanf (line, "ratio %31s %u %lf", ratios[ratio_count].name,
			&ratios[ratio_count].scale,
			&ratios[ratio_count].value) == 3)
      ratio_count++;
    else if (!scaled_read (line))
      bench_fatal ("expected run, ratio or scaled: %s", line);
}

static void
measured_read (const char *path)
{
  FILE *in = fopen (path, "r");
  if (!in)
    bench_fatal ("can't read %s: %s", path, strerror (errno));
  char line[256], flag[WORD];
  while (fgets (line, sizeof line, in))
    {
      struct row *r = &rows[row_count];
      if (*line == '#' || *line == '\n')
	continue;
      int n = sscanf (line, "%31s %31s %31s %31s %lf %31s", r->group, r->name,
		      r->column, r->quantity, &r->measured, flag);
      r->calibrates = n == 6 && strcmp (flag, "calibrates") == 0;
      if (n != 5 + r->calibrates || !(r->measured > 0) || ++row_count == MOST)
	bench_fatal ("%s: not a row: %s", path, line);
    }
  fclose (in);
}

/* --- what the model says --------------------------------------------------------- */

static const struct run *
run_find (const char *name, const char *column)
{
  for (size_t i = 0; i < run_count; i++)
    if (strcmp (runs[i].name, name) == 0
	&& strcmp (runs[i].column, column) == 0)
      return &runs[i];
  return NULL;
}

static double
seconds_of (const struct run *r)
{
  double area = (double) r->scale * r->scale, work = 0;
  if (r->power == 3)
    {
      const struct run *fits = run_find (r->name, "fits");
      work = fits ? fits->last.seconds : NAN;
    }
  return area * (r->scale * work + r->all.seconds - work);
}

/* Of the run at the larger scale, if there are two.  */
static double
ratio_of (const char *name)
{
  double value = NAN;
  unsigned least = 0;
  for (size_t i = 0; i < ratio_count; i++)
    if (strcmp (ratios[i].name, name) == 0 && (!least || ratios[i].scale < least))
      {
	least = ratios[i].scale;
	value = ratios[i].value;
      }
  return value;
}

static double
modelled (const struct row *row)
{
  const char *q = row->quantity;
  if (strcmp (q, "ratio") == 0)
    return ratio_of (row->name);
  const struct run *r = run_find (row->name, row->column);
  if (!r)
    return NAN;
  double area = (double) r->scale * r->scale;
  if (strcmp (q, "seconds") == 0)
    return seconds_of (r);
  if (strcmp (q, "faults") == 0)
    return area * r->all.faults;
  if (strcmp (q, "groups") == 0)
    return area * r->all.groups;
  if (strcmp (q, "fault") == 0)
    return r->all.seconds / r->all.faults;
  if (strcmp (q, "group") == 0)
    return r->all.seconds / r->all.groups;
  bench_fatal ("no such quantity: %s", q);
}

/* How many times too much or too little, at least 1.  */
static double
off (double a, double b)
{
  return a > b ? a / b : b / a;
}

static double
row_off (const struct row *r)
{
  return off (r->modelled, r->measured);
}

/* --- tables ------------------------------------------------------------------------ */

/* MODELLED and by how much it misses MEASURED, WIDTH columns each, in bold if it
   does: on a terminal, and as Markdown has it.  */
static void
print_pair (double measured, double modelled, int width)
{
  char text[64];
  bool miss = off (modelled, measured) > MISS, terminal = isatty (1);
  snprintf (text, sizeof text, "%s%.2f%s", miss && !terminal ? "**" : "",
	    modelled / measured, miss && !terminal ? "**" : "");
  if (isnan (modelled))
    printf (" | %*s | %8s", width, "-", "");
  else
    printf (" | %*.*g | %s%8s%s", width, modelled < 1e5 ? 5 : 9, modelled,
	    miss && terminal ? "\033[1m" : "", text,
	    miss && terminal ? "\033[0m" : "");
}

static const struct row *
row_find (const char *name, const char *column, const char *quantity)
{
  for (size_t i = 0; i < row_count; i++)
    if (strcmp (rows[i].name, name) == 0 && strcmp (rows[i].column, column) == 0
	&& strcmp (rows[i].quantity, quantity) == 0)
      return &rows[i];
  return NULL;
}

static void
print_programs (void)
{
  printf ("\n| %-14s | %-4s | %10s | %10s | %8s | %10s | %10s | %8s | %-12s | "
	  "%-14s |\n|---|---|---|---|---|---|---|---|---|---|\n", "program",
	  "over", "seconds", "modelled", "factor", "faults", "modelled", "factor",
	  "order", "steps");
  for (size_t i = 0; i < row_count; i++)
    {
      const struct row *r = &rows[i];
      const struct run *run = run_find (r->name, r->column);
      if (strcmp (r->group, "rtx3090") != 0 || !run
	  || strcmp (r->quantity, "seconds") != 0)
	continue;
      printf ("| %-14s | %-4s | %10.5g", r->name, r->column, r->measured);
      print_pair (r->measured, r->modelled, 10);
      const struct row *f = row_find (r->name, r->column, "faults");
      if (f)
	{
	  printf (" | %10.9g", f->measured);
	  print_pair (f->measured, f->modelled, 10);
	}
      else
	printf (" | %10s | %10.9g | %8s", "",
		(double) run->scale * run->scale * run->all.faults, "");
      printf (" | 1/%-10u | %5u of %-5u |\n", run->scale,
	      run->steps < run->of ? run->steps : run->of, run->of);
    }
}

static void
print_others (const char *group, const char *head)
{
  printf ("\n%s\n\n| %-16s | %-4s | %-8s | %10s | %10s | %8s |\n"
	  "|---|---|---|---|---|---|\n", head, "what", "over", "quantity",
	  "measured", "modelled", "factor");
  for (size_t i = 0; i < row_count; i++)
    {
      const struct row *r = &rows[i];
      if (strcmp (r->group, group) != 0)
	continue;
      printf ("| %-16s | %-4s | %-8s | %10.6g", r->name, r->column, r->quantity,
	      r->measured);
      print_pair (r->measured, r->modelled, 10);
      printf (" |%s\n", r->calibrates ? " may calibrate" : "");
    }
}

/* --- results ------------------------------------------------------------------------- */

/* The greatest factor off of the rows of GROUP and QUANTITY (NULL: any), or of those
   that calibrate.  */
static void
say_worst (const char *field, const char *group, const char *quantity,
	   bool calibrates)
{
  double worst = 0;
  for (size_t i = 0; i < row_count; i++)
    {
      const struct row *r = &rows[i];
      if (!isnan (r->modelled) && (!group || strcmp (r->group, group) == 0)
	  && (!quantity || strcmp (r->quantity, quantity) == 0)
	  && (!calibrates || r->calibrates) && row_off (r) > worst)
	worst = row_off (r);
    }
  if (worst > 0)
    fprintf (lines, "summary %s=%.4g\n", field, worst);
}

/* Neighbouring columns of a program follow each other in the rows.  */
static void
say_cliffs (void)
{
  int wrong = 0, seen = 0;
  for (size_t i = 1; i < row_count; i++)
    {
      const struct row *a = &rows[i - 1], *b = &rows[i];
      if (strcmp (a->name, b->name) != 0 || strcmp (a->group, "rtx3090") != 0
	  || strcmp (a->quantity, "seconds") != 0
	  || strcmp (b->quantity, "seconds") != 0 || isnan (a->modelled)
	  || isnan (b->modelled))
	continue;
      bool measured = b->measured >= CLIFF * a->measured;
      bool here = b->modelled >= CLIFF * a->modelled;
      seen++;
      if (measured != here)
	{
	  printf ("%s: %s between %s and %s\n", b->name,
		  here ? "a cliff that is not measured" : "no cliff", a->column,
		  b->column);
	  wrong++;
	}
    }
  if (seen)
    fprintf (lines, "summary cliffs_wrong=%d\n", wrong);
}

static bool
scaled_same (const struct scaled *a, const struct scaled *b)
{
  return strcmp (a->program, b->program) == 0 && strcmp (a->policy, b->policy) == 0;
}

/* The row of A's program and policy: speedups at all scales, and by how much they, and the
   seconds that they are of, differ between two scales at most.  */
static double
scaled_row (const struct scaled *a)
{
  double um = 1, seconds = 1, speedup = 1;
  printf ("| %-10s | %-6s", a->program, a->policy);
  for (size_t i = 0; i < scaled_count; i++)
    {
      const struct scaled *x = &scaled[i];
      if (!scaled_same (a, x))
	continue;
      printf (" | %8.2f", x->um / x->seconds);
      for (size_t k = 0; k < i; k++)
	if (scaled_same (a, &scaled[k]))
	  {
	    um = fmax (um, off (x->um, scaled[k].um));
	    seconds = fmax (seconds, off (x->seconds, scaled[k].seconds));
	    speedup = fmax (speedup, off (x->um / x->seconds,
					  scaled[k].um / scaled[k].seconds));
	  }
    }
  printf (" | %8.2f | %8.2f | %8.2f |\n", speedup, um, seconds);
  return speedup;
}

/* The same program at several scales.  All have the first one's.  */
static void
print_scales (void)
{
  double worst = 0;
  if (!scaled_count)
    return;
  printf ("\nSpeedups over um on machines of several scales, and the greatest factor between "
	  "two of each row\n\n| %-10s | %-6s", "program", "policy");
  for (size_t i = 0; i < scaled_count; i++)
    if (scaled_same (&scaled[i], &scaled[0]))
      printf (" | 1/%-6u", scaled[i].scale);
  printf (" | %8s | %8s | %8s |\n|---|---", "speedups", "um", "policy");
  for (size_t i = 0; i < scaled_count; i++)
    if (scaled_same (&scaled[i], &scaled[0]))
      printf ("|---");
  puts ("|---|---|---|");
  for (size_t i = 0; i < scaled_count; i++)
    {
      size_t k = 0;
      while (!scaled_same (&scaled[k], &scaled[i]))
	k++;
      if (k == i)
	worst = fmax (worst, scaled_row (&scaled[i]));
    }
  if (worst > 1)
    fprintf (lines, "summary scale_worst=%.4g\n", worst);
}

static void
say_row (const struct row *r)
{
  fprintf (lines, "row group=%s name=%s column=%s quantity=%s measured=%.9g "
	   "modelled=%.9g factor=%.4f calibrates=%d", r->group, r->name,
	   r->column, r->quantity, r->measured, r->modelled,
	   r->modelled / r->measured, r->calibrates);
  const struct run *run = run_find (r->name, r->column);
  if (run)
    fprintf (lines, " scale=%u steps=%u of=%u", run->scale, run->steps, run->of);
  putc ('\n', lines);
  char name[WORD];
  strcpy (name, r->name);
  for (char *c = name; (c = strchr (c, '-'));)
    *c = '_';
  if (strcmp (r->group, "rtx3090") == 0 && strcmp (r->quantity, "seconds") == 0)
    fprintf (lines, "summary %s_%s=%.6g\n", name, r->column, r->modelled);
  else if (strcmp (r->quantity, "ratio") == 0)
    fprintf (lines, "summary %s=%.4g\n", name, r->modelled);
}

/* WORK/plot-NAME.dat: column, seconds measured and modelled, faults the same.  */
static void
plot_write (const char *work, const struct row *r)
{
  const struct run *run = run_find (r->name, r->column);
  if (strcmp (r->group, "rtx3090") != 0 || strcmp (r->quantity, "seconds") != 0
      || !run)
    return;
  char path[4096];
  snprintf (path, sizeof path, "%s/plot-%s.dat", work, r->name);
  FILE *out = fopen (path, "a");
  if (!out)
    bench_fatal ("can't write %s: %s", path, strerror (errno));
  const struct row *f = row_find (r->name, r->column, "faults");
  fprintf (out, "%s %.9g %.9g %.9g %.9g\n", r->column, r->measured, r->modelled,
	   f ? f->measured : NAN,
	   (double) run->scale * run->scale * run->all.faults);
  fclose (out);
}

int
main (int argc, char **argv)
{
  const char *work = NULL, *output = NULL, *measured = NULL;
  const struct bench_option options[] = {
    { "measured", BENCH_TEXT, &measured, "file of measurements" },
    { "work", BENCH_TEXT, &work, "directory of the plots' data" },
    { "output", BENCH_TEXT, &output, "append result lines there" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Compare the model with measurements.");
  if (!work || !output || !measured)
    bench_fatal ("--measured, --work and --output are needed");
  lines = fopen (output, "a");
  if (!lines)
    bench_fatal ("can't write %s: %s", output, strerror (errno));
  measured_read (measured);
  runs_read ();
  for (size_t i = 0; i < row_count; i++)
    {
      rows[i].modelled = modelled (&rows[i]);
      plot_write (work, &rows[i]);
      if (!isnan (rows[i].modelled))
	say_row (&rows[i]);
    }
  printf ("Seconds and faults on an RTX 3090, measured and modelled (data `over' %% "
	  "more than the memory; in bold: off by more than %g)\n", MISS);
  print_programs ();
  print_others ("cards", "Other cards, and programs of one kind of fault");
  print_others ("papers", "Papers' speedups over unified memory, modelled");
  say_cliffs ();
  print_scales ();
  say_worst ("seconds_worst", "rtx3090", "seconds", false);
  say_worst ("faults_worst", "rtx3090", "faults", false);
  say_worst ("ratios_worst", "papers", NULL, false);
  say_worst ("calibrate_worst", NULL, NULL, true);
  if (fclose (lines) != 0)
    bench_fatal ("can't write %s", output);
  return 0;
}
