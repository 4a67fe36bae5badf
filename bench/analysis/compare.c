/* compare: what the compiler found out, against what was counted.
   SPDX-License-Identifier: GPL-3.0-or-later

   Reads `PROGRAM' lines, and of each WORK/PROGRAM.log.  Prints tables, worst
   first, appends result lines for collect, and writes the points of the plot to
   WORK/points.dat.  A row is a region and an object in it, over all launches.
   README.md says what the figures of the summary are.  */

#include "analysis.h"

enum { RUNS = 64, ROWS = 2048 };

#define ERROR_MAX 0.10

struct share
{
  unsigned right, all;
};

struct row
{
  const struct run *run;
  const char *region, *name;
  unsigned launches;
  bool place, exact;		/* In all launches.  */
  double density, true_density;	/* Where the error was largest.  */
  double error;			/* The largest, relative.  */
  double locality, true_locality; /* Sums.  */
  struct share rank, expected, likely, corrected;
};

static struct run runs[RUNS];
static unsigned run_count;
static struct row rows[ROWS];
static unsigned row_count;

static struct row *
row_of (const struct run *run, const struct launch *launch,
	const struct use *use)
{
  for (unsigned i = 0; i < row_count; i++)
    if (rows[i].run == run && strcmp (rows[i].region, launch->region) == 0
	&& strcmp (rows[i].name, use->name) == 0)
      return &rows[i];
  if (row_count == ROWS)
    bench_fatal ("more than %d rows", ROWS);
  rows[row_count] = (struct row) { .run = run, .region = launch->region,
				   .name = use->name, .place = true,
				   .exact = true, .error = -1 };
  return &rows[row_count++];
}

/* Where nothing is accessed any prediction of something is infinitely
   wrong.  */
static double
relative_error (double value, double truth)
{
  return value == truth ? 0 : value < 0 ? INFINITY
	 : fabs (value - truth) / truth;
}

static void
share_add (struct share *share, bool right)
{
  share->right += right;
  share->all++;
}

static double
share_get (struct share share)
{
  return share.all ? (double) share.right / share.all : NAN;
}

static void
use_add (const struct run *run, const struct launch *launch,
	 const struct use *use)
{
  struct row *row = row_of (run, launch, use);
  double error = relative_error (use->density, use->true_density);
  row->launches++;
  row->place &= use->place;
  row->exact &= use->exact;
  if (error > row->error)
    {
      row->error = error;
      row->density = use->density;
      row->true_density = use->true_density;
    }
  row->locality += use->locality;
  row->true_locality += use->true_locality;
  share_add (&row->rank, rank_agrees (launch, use));
  share_add (&row->expected, rint (use->expected) == use->next);
  share_add (&row->likely, use->likely == use->next);
  if (use->round)
    share_add (&row->corrected, use->corrected == use->next);
}

static void
runs_read (const char *work)
{
  char path[4096], line[WORD + 2];
  while (fgets (line, sizeof line, stdin))
    {
      struct run *run = &runs[run_count];
      if (run_count == RUNS || sscanf (line, "%63s", run->program) != 1)
	bench_fatal ("expected PROGRAM, at most %d times: %s", RUNS, line);
      snprintf (path, sizeof path, "%s/%s.log", work, run->program);
      log_read (path, run);
      run_count++;
      for (size_t i = 0; i < run->count; i++)
	for (size_t j = 0; j < run->launches[i].count; j++)
	  use_add (run, &run->launches[i], &run->launches[i].uses[j]);
    }
}

/* --- orders: worst first, then as they came ------------------------------------ */

static int
by_value (double a, double b, const struct row *x, const struct row *y)
{
  return a < b ? 1 : a > b ? -1 : x < y ? -1 : x > y;
}

static int
by_error (const void *a, const void *b)
{
  const struct row *x = *(struct row *const *) a, *y = *(struct row *const *) b;
  return by_value (x->error, y->error, x, y);
}

static int
by_rank (const void *a, const void *b)
{
  const struct row *x = *(struct row *const *) a, *y = *(struct row *const *) b;
  return by_value (-share_get (x->rank), -share_get (y->rank), x, y);
}

/* Launches that were predicted wrong, by flow or by what was learned.  */
static int
by_next (const void *a, const void *b)
{
  const struct row *x = *(struct row *const *) a, *y = *(struct row *const *) b;
  return by_value (2 - share_get (x->likely)
		   - (x->corrected.all ? share_get (x->corrected) : 1),
		   2 - share_get (y->likely)
		   - (y->corrected.all ? share_get (y->corrected) : 1), x, y);
}

static void
sorted (struct row **list, int (*order) (const void *, const void *))
{
  for (unsigned i = 0; i < row_count; i++)
    list[i] = &rows[i];
  qsort (list, row_count, sizeof *list, order);
}

/* --- tables ----------------------------------------------------------------- */

static void
print_who (const struct row *row)
{
  printf ("%-11s %-18s %-20.20s %8u", row->run->program, row->region,
	  row->name, row->launches);
}

static void
density_print (bool exact)
{
  struct row *list[ROWS];
  sorted (list, by_error);
  printf ("\n%s\n%-11s %-18s %-20s %8s %10s %10s %9s  %s\n",
	  exact ? "Density of affine objects, at the launch where it is most wrong"
	  : "Density of other objects, the same: estimated",
	  "program", "region", "object", "launches", "predicted", "measured",
	  "error", "");
  for (unsigned i = 0; i < row_count; i++)
    if (list[i]->exact == exact)
      {
	print_who (list[i]);
	printf (" %10.6f %10.6f %8.3f%%  %s\n", list[i]->density,
		list[i]->true_density, 100 * list[i]->error,
		exact ? "exact" : list[i]->place ? "estimated, place known"
		: "estimated");
      }
}

static void
rank_print (void)
{
  struct row *list[ROWS];
  sorted (list, by_rank);
  printf ("\nRank by locality: share of launches where it is the measured one\n"
	  "%-11s %-18s %-20s %8s %12s %12s %8s\n", "program", "region", "object",
	  "launches", "RL", "measured", "equal");
  for (unsigned i = 0; i < row_count; i++)
    {
      print_who (list[i]);
      printf (" %12.6g %12.6g %7.2f%%\n",
	      list[i]->locality / list[i]->launches,
	      list[i]->true_locality / list[i]->launches,
	      100 * share_get (list[i]->rank));
    }
}

static void
share_print (struct share share)
{
  if (share.all)
    printf (" %8.2f%%", 100 * share_get (share));
  else
    printf (" %9s", "-");
}

static void
next_print (void)
{
  struct row *list[ROWS];
  sorted (list, by_next);
  printf ("\nNext use: share of launches that predict it exactly\n"
	  "%-11s %-18s %-20s %8s %9s %9s %9s\n", "program", "region", "object",
	  "launches", "expected", "static", "learned");
  for (unsigned i = 0; i < row_count; i++)
    {
      print_who (list[i]);
      share_print (list[i]->expected);
      share_print (list[i]->likely);
      share_print (list[i]->corrected);
      putchar ('\n');
    }
}

/* --- figures --------------------------------------------------------------- */

/* Of one program, or of all where RUN is NULL.  */
struct figures
{
  unsigned rows;
  double error, error_other;	/* The largest, of affine and other objects. */
  struct share near;		/* Of the others, those within ERROR_MAX.  */
  double rank;			/* Mean over rows.  */
  struct share expected, likely, corrected;
};

static void
add (struct share *to, struct share share)
{
  to->right += share.right;
  to->all += share.all;
}

static struct figures
figures_get (const struct run *run)
{
  struct figures f = { 0 };
  for (unsigned i = 0; i < row_count; i++)
    {
      const struct row *row = &rows[i];
      if (run && row->run != run)
	continue;
      f.rows++;
      double *error = row->exact ? &f.error : &f.error_other;
      *error = fmax (*error, row->error);
      if (!row->exact)
	share_add (&f.near, row->error <= ERROR_MAX);
      f.rank += share_get (row->rank);
      add (&f.expected, row->expected);
      add (&f.likely, row->likely);
      add (&f.corrected, row->corrected);
    }
  f.rank /= f.rows;
  return f;
}

static void
programs_print (void)
{
  printf ("\n%-11s %8s %6s %10s %10s %9s %9s %9s %9s\n", "program", "launches",
	  "pairs", "affine err", "other err", "rank", "expected", "static",
	  "learned");
  for (unsigned i = 0; i < run_count; i++)
    {
      struct figures f = figures_get (&runs[i]);
      printf ("%-11s %8zu %6u %9.3f%% %9.3f%% %8.2f%%", runs[i].program,
	      runs[i].count, f.rows, 100 * f.error, 100 * f.error_other,
	      100 * f.rank);
      share_print (f.expected);
      share_print (f.likely);
      share_print (f.corrected);
      putchar ('\n');
    }
}

/* Means over programs, so that none counts for more because it runs longer.  */
static double
mean_get (size_t offset)
{
  double sum = 0;
  unsigned n = 0;
  for (unsigned i = 0; i < run_count; i++)
    {
      struct figures f = figures_get (&runs[i]);
      struct share share = *(struct share *) ((char *) &f + offset);
      if (share.all)
	{
	  sum += share_get (share);
	  n++;
	}
    }
  return n ? sum / n : 0;
}

static void
summary_line (const char *name, double reached, const char *sign, double wanted)
{
  bool good = *sign == '<' ? reached <= wanted : reached >= wanted;
  printf ("%-20s %8.4f   to reach: %s %.2f   %s\n", name, reached, sign, wanted,
	  good ? "reached" : "NOT REACHED");
}

static void
summary_print (FILE *out)
{
  struct figures f = figures_get (NULL);
  double expected = mean_get (offsetof (struct figures, expected));
  double likely = mean_get (offsetof (struct figures, likely));
  double learned = mean_get (offsetof (struct figures, corrected));
  putchar ('\n');
  summary_line ("density_error_max", f.error, "<=", ERROR_MAX);
  summary_line ("rank_agreement", f.rank, ">=", 0.90);
  summary_line ("next_use_static", likely, ">=", 0.80);
  summary_line ("next_use_learned", learned, ">=", 0.95);
  printf ("%-20s %8.4f   for comparison: the expectation, rounded\n",
	  "next_use_expected", expected);
  printf ("%-20s %8.4f   for comparison: of %u pairs that are estimated\n",
	  "density_estimated", share_get (f.near), f.near.all);
  fprintf (out, "summary density_error_max=%.6f rank_agreement=%.6f "
	   "next_use_static=%.6f next_use_learned=%.6f "
	   "next_use_expected=%.6f density_estimated=%.6f\n", f.error, f.rank,
	   likely, learned, expected, share_get (f.near));
}

static void
rows_write (FILE *out, const char *work)
{
  char path[4096];
  snprintf (path, sizeof path, "%s/points.dat", work);
  FILE *points = fopen (path, "w");
  if (!points)
    bench_fatal ("%s: %s", path, strerror (errno));
  for (unsigned i = 0; i < row_count; i++)
    {
      const struct row *r = &rows[i];
      fprintf (out, "row program=%s region=%s object=%s launches=%u exact=%d "
	       "place=%d density=%.6f density_measured=%.6f "
	       "locality=%.6g locality_measured=%.6g rank=%.4f "
	       "next_expected=%.4f next_static=%.4f", r->run->program,
	       r->region, r->name, r->launches, r->exact, r->place, r->density,
	       r->true_density, r->locality / r->launches,
	       r->true_locality / r->launches, share_get (r->rank),
	       share_get (r->expected), share_get (r->likely));
      if (r->corrected.all)
	fprintf (out, " next_learned=%.4f", share_get (r->corrected));
      fputc ('\n', out);
      fprintf (points, "%d %g %g %g %g\n", r->exact, r->true_density,
	       r->density, r->true_locality / r->launches,
	       r->locality / r->launches);
    }
  if (fclose (points) != 0)
    bench_fatal ("can't write %s", path);
}

int
main (int argc, char **argv)
{
  const char *work = NULL, *output = NULL;
  const struct bench_option options[] = {
    { "work", BENCH_TEXT, &work, "directory of the logs" },
    { "output", BENCH_TEXT, &output, "file to append result lines to" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Compare the analysis with what happens.");
  if (!work || !output)
    bench_fatal ("--work=DIRECTORY or --output=FILE is missing");
  FILE *out = fopen (output, "a");
  if (!out)
    bench_fatal ("%s: %s", output, strerror (errno));
  runs_read (work);
  density_print (true);
  density_print (false);
  rank_print ();
  next_print ();
  programs_print ();
  rows_write (out, work);
  summary_print (out);
  if (fclose (out) != 0)
    bench_fatal ("can't write %s", output);
  return 0;
}
