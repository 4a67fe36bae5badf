/* Tables of applications under replacement policies, and data for gnuplot.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "common.h"
#include "eviction/tables.h"

#include <math.h>

/* A ratio in a column of WIDTH; "-" where there is none.  */
static void
print_ratio (int width, double value)
{
  if (isfinite (value))
    printf (" %*.2f", width, value);
  else
    printf (" %*s", width, "-");
}

/* Of the policy P's column.  */
static int
print_width (int p)
{
  int width = strlen (policy_names[p]);
  return width < 8 ? 8 : width;
}

/* --- applications -------------------------------------------------------------- */

static void
print_case (const struct app *a, int c)
{
  const struct outcome *lru = &a->of[POLICY_lru][c];
  const struct outcome *hpe = &a->of[POLICY_hpe][c];
  printf ("%-11s%c %-4s %-3s %3d%% %6.0f %9.0f", a->program,
	  a->half == HALF_RULES ? '*' : ' ', a->abbreviation, type_names[a->type], capacity_percents[c], a->pages,
	  a->of[POLICY_ideal][c].evictions);
  for (int p = 0; p < POLICY_ideal; p++)
    print_ratio (print_width (p), app_to_ideal (a, p, c));
  printf (" | %9.0f %9.0f %9.0f %9.0f | %9.3f %9.3f |", lru->faults,
	  hpe->faults, a->of[POLICY_hint][c].faults,
	  a->of[POLICY_ideal][c].faults, lru->seconds * 1e3,
	  hpe->seconds * 1e3);
  print_ratio (6, app_speedup (a, POLICY_hpe, c));
  print_ratio (6, app_speedup (a, POLICY_hpe_nohits, c));
  print_ratio (6, app_speedup (a, POLICY_hint, c));
  putchar ('\n');
}

void
table_apps (void)
{
  int wide = -27;		/* Of the title in the middle.  */
  for (int p = 0; p < POLICY_ideal; p++)
    wide += 1 + print_width (p);
  printf ("\n*: hint's rules were chosen on these\n%40s| evictions by those "
	  "of ideal%*s| faults%33s | GPU ms, modelled%3s | speedup over lru\n",
	  "", wide, "", "", "");
  printf ("%-12s %-4s %-3s %4s %6s %9s", "program", "", "", "cap.", "pages",
	  "ideal");
  for (int p = 0; p < POLICY_ideal; p++)
    printf (" %*s", print_width (p), policy_names[p]);
  printf (" | %9s %9s %9s %9s | %9s %9s | %6s %6s %6s\n", "lru", "hpe", "hint",
	  "ideal", "lru", "hpe", "hpe", "nohits", "hint");
  for (size_t i = 0; i < app_count; i++)
    for (int c = 0; apps[i].there && c < CAPACITIES; c++)
      print_case (&apps[i], c);
}

void
table_missing (void)
{
  const char *join = "\nMissing, and in no average: ";
  for (size_t i = 0; i < app_count; i++)
    if (!apps[i].there)
      {
	printf ("%s%s", join, apps[i].program);
	join = ", ";
      }
  if (*join == ',')
    putchar ('\n');
}

/* --- means --------------------------------------------------------------------- */

static void
print_means (const char *title, app_measure *measure, int first)
{
  printf ("\n%-30s", title);
  for (int p = first; p < POLICIES; p++)
    printf (" %*s", print_width (p), policy_names[p]);
  putchar ('\n');
  for (int c = 0; c < CAPACITIES; c++)
    for (int t = 1; t <= TYPES + 1; t++)
      {
	int type = t > TYPES ? 0 : t;
	printf ("%d%%  %-25s", capacity_percents[c], type_names[type]);
	for (int p = first; p < POLICIES; p++)
	  print_ratio (print_width (p), apps_mean (measure, p, c, type, HALF_ALL));
	putchar ('\n');
      }
}

void
table_means (void)
{
  printf ("\nAverages by type are arithmetic means of the programs' ratios; the "
	  "paper does not say what its are.\n");
  print_means ("Evictions by those of ideal", app_to_ideal, 0);
  print_means ("Evictions by those of lru", app_to_lru, 1);
  print_means ("Speedup over lru", app_speedup, 1);
}

/* --- what HPE saw ---------------------------------------------------------------- */

static bool
is_regular (const char *category)
{
  return strcmp (category, "regular") == 0;
}

static bool
is_as_paper (const struct app *a)
{
  const char *ours = a->of[POLICY_hpe][0].category;
  return *ours && is_regular (ours) == is_regular (a->category);
}

double
table_classified (void)
{
  size_t there = 0, same = 0;
  for (size_t i = 0; i < app_count; i++)
    {
      there += apps[i].there;
      same += apps[i].there && is_as_paper (&apps[i]);
    }
  return there ? (double) same / there : NAN;
}

void
table_categories (void)
{
  printf ("\nWhat HPE takes the programs for at %d %% (ratio1 <= 0.3 is regular "
	  "or, with ratio2 >= 2, irregular#1),\nhow often it changes its "
	  "strategy, the page sets that a search of MRU-C compares (the paper: "
	  "mostly below 50)\nand the entries of its hit record cache in use at a "
	  "transfer (mostly below 10, MVT 139), at both capacities; type: as "
	  "classify finds it\n", capacity_percents[0]);
  printf ("%-11s %-4s %-3s %-6s %8s %8s  %-12s %-12s %-6s %8s %8s %8s %8s %8s "
	  "%8s\n", "program", "", "", "type", "ratio1", "ratio2", "ours",
	  "the paper's", "agree", "switches", "at 50%", "compared", "at 50%",
	  "entries", "at 50%");
  for (size_t i = 0; i < app_count; i++)
    {
      const struct app *a = &apps[i];
      const struct outcome *o = &a->of[POLICY_hpe][0];
      if (!a->there)
	continue;
      printf ("%-11s %-4s %-3s %-6s %8.2f %8.2f  %-12s %-12s %-6s %8.0f %8.0f",
	      a->program, a->abbreviation, type_names[a->type], a->pattern,
	      o->ratio1, o->ratio2, *o->category ? o->category : "none",
	      a->category, is_as_paper (a) ? "yes" : "NO", o->switches,
	      a->of[POLICY_hpe][1].switches);
      for (int c = 0; c < CAPACITIES; c++)
	print_ratio (8, a->of[POLICY_hpe][c].compared);
      for (int c = 0; c < CAPACITIES; c++)
	print_ratio (8, a->of[POLICY_hpe][c].entries);
      putchar ('\n');
    }
  printf ("regular or not, as in the paper: %.0f %%\n",
	  100 * table_classified ());
}

/* --- data ------------------------------------------------------------------------ */

static void
write_value (FILE *out, double value)
{
  if (isfinite (value))
    fprintf (out, " %.4f", value);
  else
    fprintf (out, " ?");
}

/* NAME: a line for each program and one for all, each with MEASURE of policies
   ONE and OTHER, at both capacities.  */
static void
write_apps (const char *work, const char *name, app_measure *measure,
	    enum policy one, enum policy other)
{
  const enum policy both[] = { one, other };
  FILE *out = apps_open (work, name);
  for (size_t i = 0; i <= app_count; i++)
    {
      const struct app *a = &apps[i];
      if (i < app_count && !a->there)
	continue;
      fprintf (out, "%s %d", i < app_count ? a->abbreviation : "MEAN",
	       i < app_count ? a->type : TYPES + 1);
      for (int c = 0; c < CAPACITIES; c++)
	for (int p = 0; p < 2; p++)
	  write_value (out, i < app_count ? measure (a, both[p], c)
			    : apps_mean (measure, both[p], c, 0, HALF_ALL));
      fputc ('\n', out);
    }
  apps_close (out, name);
}

/* NAME: a line for each type and one for all, with means of all policies at
   capacity C.  */
static void
write_types (const char *work, const char *name, app_measure *measure, int c)
{
  FILE *out = apps_open (work, name);
  for (int t = 1; t <= TYPES + 1; t++)
    {
      int type = t > TYPES ? 0 : t;
      fprintf (out, "%s", type_names[type]);
      for (int p = 0; p < POLICIES; p++)
	write_value (out, apps_mean (measure, p, c, type, HALF_ALL));
      fputc ('\n', out);
    }
  apps_close (out, name);
}

void
table_data (const char *work)
{
  write_apps (work, "fig3.dat", app_to_ideal, POLICY_lru, POLICY_rrip);
  write_apps (work, "fig10.dat", app_speedup, POLICY_hpe, POLICY_hpe_nohits);
  write_apps (work, "fig11.dat", app_to_lru, POLICY_hpe, POLICY_hpe_nohits);
  write_types (work, "fig12-performance-75.dat", app_performance, 0);
  write_types (work, "fig12-performance-50.dat", app_performance, 1);
  write_types (work, "fig12-evictions-75.dat", app_to_ideal, 0);
  write_types (work, "fig12-evictions-50.dat", app_to_ideal, 1);
}

static void
row_write (FILE *lines, const struct app *a, int p, int c)
{
  const struct outcome *o = &a->of[p][c];
  fprintf (lines, "row table=eviction program=%s name=%s type=%s capacity=%d "
	   "policy=%s half=%s pages=%.0f events=%.0f launches=%.0f faults=%.0f "
	   "evictions=%.0f model_seconds=%.9g", a->program, a->abbreviation,
	   type_names[a->type], capacity_percents[c], policy_names[p],
	   a->half == HALF_RULES ? "rules" : "other", a->pages, a->events, a->launches, o->faults, o->evictions, o->seconds);
  if (isfinite (app_to_ideal (a, p, c)))
    fprintf (lines, " to_ideal=%.4f", app_to_ideal (a, p, c));
  fprintf (lines, " speedup_over_lru=%.4f", app_speedup (a, p, c));
  if (*o->category)
    fprintf (lines, " ratio1=%.4f ratio2=%.4f category=%s switches=%.0f",
	     o->ratio1, o->ratio2, o->category, o->switches);
  if (*o->category && isfinite (o->compared))
    fprintf (lines, " compared=%.3f", o->compared);
  if (*o->category && isfinite (o->entries))
    fprintf (lines, " entries=%.3f", o->entries);
  if (*o->category && p == POLICY_hpe && c == 0)
    fprintf (lines, " paper_category=%s agrees=%s pattern=%s", a->category,
	     is_as_paper (a) ? "yes" : "no", a->pattern);
  fputc ('\n', lines);
}

void
table_rows (FILE *lines)
{
  for (size_t i = 0; i < app_count; i++)
    for (int c = 0; apps[i].there && c < CAPACITIES; c++)
      for (int p = 0; p < POLICIES; p++)
	row_write (lines, &apps[i], p, c);
}
