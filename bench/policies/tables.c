/* Tables of runs, as text and as data for gnuplot.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "common.h"
#include "policies/tables.h"

const char *const table_policies[] = {
#define UMMGR_POLICY(NAME) #NAME,
#include "policy/policies.def"
  NULL
};

const char *
table_program (const char *suite, const char *previous)
{
  size_t i = 0;
  if (previous)
    {
      /* Runs of one program follow each other.  */
      while (i < run_count && strcmp (runs[i].program, previous) != 0)
	i++;
      while (i < run_count && strcmp (runs[i].program, previous) == 0)
	i++;
    }
  for (; i < run_count; i++)
    if (strcmp (runs[i].suite, suite) == 0)
      return runs[i].program;
  return NULL;
}

double
table_size (const char *program, double previous)
{
  double next = 0;
  for (size_t i = 0; i < run_count; i++)
    if (strcmp (runs[i].program, program) == 0
	&& runs[i].gigabytes > previous
	&& (next == 0 || runs[i].gigabytes < next))
      next = runs[i].gigabytes;
  return next;
}

bool
table_fits (const struct run *run)
{
  return run->fits;
}

bool
table_exceeds (const struct run *run)
{
  return !run->fits;
}

bool
table_exceeds_little (const struct run *run)
{
  return !run->fits && run->footprint <= 2 * runs_memory;
}

double
table_over (const char *suite, const char *program, const char *config,
	    const char *base, bool (*accept) (const struct run *run))
{
  struct mean mean = { 0, 0 };
  for (size_t i = 0; i < run_count; i++)
    {
      const struct run *r = &runs[i];
      if (strcmp (r->suite, suite) == 0 && strcmp (r->config, config) == 0
	  && (!program || strcmp (r->program, program) == 0)
	  && (!accept || accept (r)))
	mean_add (&mean, run_over (r, base));
    }
  return mean_of (&mean);
}

/* Is there any run under POLICY?  */
static bool
policy_there (const char *suite, const char *policy)
{
  for (size_t i = 0; i < run_count; i++)
    if (strcmp (runs[i].suite, suite) == 0
	&& strcmp (runs[i].config, policy) == 0)
      return true;
  return false;
}

static void
print_head (const char *suite, const char *first)
{
  printf ("%s", first);
  for (const char *const *p = table_policies; *p; p++)
    if (policy_there (suite, *p))
      printf (" %9s", *p);
  putchar ('\n');
}

void
table_print_times (const char *suite)
{
  print_head (suite, "program          GB  of memory");
  for (const char *name = NULL; (name = table_program (suite, name));)
    for (double size = 0; (size = table_size (name, size)) > 0;)
      {
	const struct run *any = run_find (name, size, "um");
	printf ("%-12s %6g %10.2f%s", name, size,
		(double) any->footprint / runs_memory, any->fits ? " " : "!");
	for (const char *const *p = table_policies; *p; p++)
	  {
	    const struct run *r = run_find (name, size, *p);
	    if (r)
	      printf (" %9.3f", r->seconds * 1e3);
	    else if (policy_there (suite, *p))
	      printf (" %9s", "-");
	  }
	putchar ('\n');
      }
}

void
table_print_over (const char *suite)
{
  print_head (suite, "program                      ");
  for (const char *name = NULL; (name = table_program (suite, name));)
    {
      printf ("%-29s", name);
      for (const char *const *p = table_policies; *p; p++)
	{
	  double over = table_over (suite, name, *p, "um", table_exceeds);
	  if (over > 0)
	    printf (" %9.2f", over);
	  else if (policy_there (suite, *p))
	    printf (" %9s", "-");
	}
      putchar ('\n');
    }
}

/* --- why ---------------------------------------------------------------------- */

/* Sums over the oversubscribed runs of one program and policy, each run's in
   units of its own time or data, so that no size outweighs the others.  */
struct reasons
{
  int runs;
  double terms[TERMS];
  double h2d, d2h, remote, gpu_faults, cpu_faults;
};

static struct reasons
reasons_sum (const char *program, const char *config)
{
  struct reasons sum = { 0 };
  for (double size = 0; (size = table_size (program, size)) > 0;)
    {
      const struct run *r = run_find (program, size, config);
      if (!r || r->fits)
	continue;
      sum.runs++;
      for (int t = 0; t < TERMS; t++)
	sum.terms[t] += r->terms[t] / r->seconds;
      sum.h2d += r->h2d / r->footprint;
      sum.d2h += r->d2h / r->footprint;
      sum.remote += r->remote / r->footprint;
      sum.gpu_faults += r->gpu_faults;
      sum.cpu_faults += r->cpu_faults;
    }
  return sum;
}

/* The two terms that take most.  */
static void
print_main_terms (const struct reasons *sum)
{
  int first = 0, second = -1;
  for (int t = 1; t < TERMS; t++)
    if (sum->terms[t] > sum->terms[first])
      first = t;
  for (int t = 0; t < TERMS; t++)
    if (t != first && (second < 0 || sum->terms[t] > sum->terms[second]))
      second = t;
  printf ("  %s", term_names[first]);
  if (sum->terms[second] > 0.2 * sum->runs)
    printf (", %s", term_names[second]);
}

static void
print_reasons (const char *suite, const char *program, const char *policy)
{
  struct reasons sum = reasons_sum (program, policy);
  if (!sum.runs)
    return;
  double over = table_over (suite, program, policy, "um", table_exceeds);
  printf ("%-12s %-9s %7.2f |", program, policy, over);
  for (int t = 0; t < TERMS; t++)
    printf (" %4.0f", 100 * sum.terms[t] / sum.runs);
  printf (" | %6.2f %6.2f %7.2f %7.0f %7.0f |", sum.h2d / sum.runs,
	  sum.d2h / sum.runs, sum.remote / sum.runs,
	  sum.gpu_faults / sum.runs, sum.cpu_faults / sum.runs);
  print_main_terms (&sum);
  putchar ('\n');
}

void
table_print_why (const char *suite)
{
  printf ("%22s %7s | %39s | %38s |\n", "", "", "share of the modelled time, %",
	  "means of a run; bytes by footprint");
  printf ("%-12s %-9s %7s | locl remo  h2d  d2h gpuf cpuf lnch rest | "
	  "%6s %6s %7s %7s %7s |  why\n", "program", "policy", "over um",
	  "h2d", "d2h", "remote", "gpu f.", "cpu f.");
  for (const char *name = NULL; (name = table_program (suite, name));)
    for (const char *const *p = table_policies; *p; p++)
      print_reasons (suite, name, *p);
}

/* --- data for gnuplot ----------------------------------------------------------- */

FILE *
table_open (const char *work, const char *name)
{
  char path[4096];
  snprintf (path, sizeof path, "%s/%s", work, name);
  FILE *out = fopen (path, "w");
  if (!out)
    bench_fatal ("can't write %s: %s", path, strerror (errno));
  return out;
}

void
table_close (FILE *out, const char *name)
{
  if (fclose (out) != 0)
    bench_fatal ("can't write %s: %s", name, strerror (errno));
}

void
table_write_times (const char *suite, const char *work)
{
  for (const char *name = NULL; (name = table_program (suite, name));)
    {
      char file[64];
      snprintf (file, sizeof file, "fig4-%s.dat", name);
      FILE *out = table_open (work, file);
      fprintf (out, "# bytes by memory, modelled ms:");
      for (const char *const *p = table_policies; *p; p++)
	fprintf (out, " %s", *p);
      for (double size = 0; (size = table_size (name, size)) > 0;)
	{
	  const struct run *any = run_find (name, size, "um");
	  fprintf (out, "\n%.4f", (double) any->footprint / runs_memory);
	  for (const char *const *p = table_policies; *p; p++)
	    {
	      const struct run *r = run_find (name, size, *p);
	      if (r)
		fprintf (out, " %.6g", r->seconds * 1e3);
	      else
		fprintf (out, " ?");
	    }
	}
      fputc ('\n', out);
      table_close (out, file);
    }
}
