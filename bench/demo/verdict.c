/* Which policy won, and why, by what the runs counted.
   SPDX-License-Identifier: GPL-3.0-or-later

   What another run has more of than the winner is weighed by what it costs on the device that the
   runs had (the figures in their statistics), and the dearest two are named.  So the reason is the
   counters', whichever policy won.  */

#include "verdict.h"

#include "common.h"

/* A second cause is named if it costs this part of the first.  */
static const double minor = 0.1;

/* Runs that are nearer than this to the fastest won, too.  */
static const double close_enough = 1.01;

/* A counter, or two together, and the figure of the device that says what one of it costs: seconds,
   or a RATE in bytes a second.  TYPICAL where the statistics don't have it.  */
static const struct cause
{
  const char *fields[2];
  const char *figure;
  bool rate;
  double typical;
  const char *words;
} causes[] = {
  { { "h2d_bytes", "d2h_bytes" }, "h2d_rate", true, 1e10, "moved" },
  { { "remote_bytes", NULL }, "remote_rate", true, 1e10, "read or written remotely" },
  { { "gpu_faults", NULL }, "gpu_fault_cost", false, 1e-5, "GPU faults" },
  { { "cpu_faults", NULL }, "cpu_fault_cost", false, 1e-5, "CPU faults" }
};
enum { CAUSES = sizeof causes / sizeof *causes };

bool
demo_is_good (const struct demo_run *run)
{
  return run->stats && strcmp (run->outcome, "correct") == 0;
}

double
demo_seconds (const struct demo_run *run)
{
  json_t *modelled = json_object_get (json_object_get (run->stats, "totals"), "elapsed_seconds");
  return json_number_value (modelled ? modelled : json_object_get (run->stats, "wall_seconds"));
}

void
demo_outcome (const struct demo_run *run, char *buf, size_t size)
{
  snprintf (buf, size, "%s", run->outcome);
  for (char *p = buf; *p; p++)
    if (*p == '-')
      *p = ' ';
}

void
demo_group (char *out, size_t size, json_int_t n)
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

static double
counted (const struct demo_run *run, const struct cause *cause)
{
  json_t *totals = json_object_get (run->stats, "totals");
  double sum = 0;
  for (int i = 0; i < 2; i++)
    sum += cause->fields[i] ? json_number_value (json_object_get (totals, cause->fields[i])) : 0;
  return sum;
}

/* Seconds that the device takes for so much more of CAUSE.  */
static double
cost (const struct demo_run *run, const struct cause *cause, double more)
{
  json_t *device = json_array_get (json_object_get (run->stats, "per_device"), 0);
  json_t *figure = json_object_get (json_object_get (device, "figures"), cause->figure);
  double value = json_number_value (json_object_get (figure, "value"));
  value = value > 0 ? value : cause->typical;
  return cause->rate ? more / value : more * value;
}

static void
print_bytes (double bytes)
{
  static const char *const units[] = { "bytes", "KiB", "MiB", "GiB", "TiB" };
  int u = 0;
  for (; bytes >= 1024 && u < 4; u++)
    bytes /= 1024;
  printf (u ? "%.3g %s" : "%.0f %s", bytes, units[u]);
}

static void
print_amount (const struct cause *cause, double amount)
{
  if (cause->rate)
    print_bytes (amount);
  else
    {
      char text[40];
      demo_group (text, sizeof text, (json_int_t) amount);
      fputs (text, stdout);
    }
}

static void
print_seconds (double seconds)
{
  printf (seconds < 1e-3 ? "%.3g us" : seconds < 1 ? "%.3g ms" : "%.3g s",
	  seconds < 1e-3 ? seconds * 1e6 : seconds < 1 ? seconds * 1e3 : seconds);
}

/* The cause but NAMED that costs OTHER most, and more than LEAST seconds, by what it has more of than
   BEST; -1: none.  *SECONDS_P is what that costs.  */
static int
dearest (const struct demo_run *best, const struct demo_run *other, int named, double least,
	 double *seconds_p)
{
  int found = -1;
  double most = least;
  for (int i = 0; i < CAUSES; i++)
    {
      double more = counted (other, &causes[i]) - counted (best, &causes[i]);
      double seconds = cost (best, &causes[i], more);
      if (i == named || more <= 0 || seconds <= most)
	continue;
      most = seconds;
      found = i;
    }
  *seconds_p = most;
  return found;
}

static void
print_cause (const struct demo_run *best, const struct demo_run *other, const struct cause *cause)
{
  print_amount (cause, counted (other, cause));
  printf (" %s (%s: ", cause->words, best->policy);
  print_amount (cause, counted (best, cause));
  putchar (')');
}

/* "host took 2.0 times as long, with 10.0 MiB read or written remotely (lru: 3.5 MiB)".  */
static void
print_other (const struct demo_run *best, const struct demo_run *other)
{
  double seconds;
  int first = dearest (best, other, -1, 0, &seconds);
  int second = first < 0 ? -1 : dearest (best, other, first, minor * seconds, &seconds);
  printf ("%s took %.3g times as long, with ", other->policy, demo_seconds (other) / demo_seconds (best));
  if (first < 0)
    printf ("no more of anything that is counted, but waiting for it longer");
  else
    print_cause (best, other, &causes[first]);
  if (second >= 0)
    {
      fputs (" and ", stdout);
      print_cause (best, other, &causes[second]);
    }
}

/* The fastest that takes longer than FLOOR; NULL: none does.  */
static const struct demo_run *
fastest_above (const struct demo_run *runs, size_t count, double floor)
{
  const struct demo_run *best = NULL;
  for (size_t i = 0; i < count; i++)
    if (demo_is_good (&runs[i]) && demo_seconds (&runs[i]) > floor
	&& (!best || demo_seconds (&runs[i]) < demo_seconds (best)))
      best = &runs[i];
  return best;
}

static const struct demo_run *
slowest (const struct demo_run *runs, size_t count)
{
  const struct demo_run *worst = NULL;
  for (size_t i = 0; i < count; i++)
    if (demo_is_good (&runs[i]) && (!worst || demo_seconds (&runs[i]) > demo_seconds (worst)))
      worst = &runs[i];
  return worst;
}

/* All that are as fast as BEST, which comes first.  */
static void
print_winners (const struct demo_run *runs, size_t count, const struct demo_run *best)
{
  printf ("%s: %s", best->job, best->policy);
  for (size_t i = 0; i < count; i++)
    if (&runs[i] != best && demo_is_good (&runs[i])
	&& demo_seconds (&runs[i]) <= close_enough * demo_seconds (best))
      printf (", %s", runs[i].policy);
  fputs (" won with ", stdout);
  print_seconds (demo_seconds (best));
}

static void
print_rest (const struct demo_run *runs, size_t count, const struct demo_run *best,
	    const struct demo_run *next, const struct demo_run *last)
{
  char words[64];
  for (size_t i = 0; i < count; i++)
    if (!demo_is_good (&runs[i]))
      {
	demo_outcome (&runs[i], words, sizeof words);
	printf ("; %s failed: %s", runs[i].policy, words);
      }
    else if (strcmp (runs[i].policy, "auto") == 0 && &runs[i] != next && &runs[i] != last
	     && demo_seconds (&runs[i]) > close_enough * demo_seconds (best))
      printf ("; auto, the default, took %.3g times as long", demo_seconds (&runs[i]) / demo_seconds (best));
}

void
demo_verdict (const struct demo_run *runs, size_t count)
{
  const struct demo_run *best = fastest_above (runs, count, 0);
  if (!best)
    {
      printf ("%s: no run went well.\n", runs[0].job);
      return;
    }
  const struct demo_run *next = fastest_above (runs, count, close_enough * demo_seconds (best));
  const struct demo_run *last = next ? slowest (runs, count) : NULL;
  print_winners (runs, count, best);
  if (next)
    {
      fputs (": ", stdout);
      print_other (best, next);
    }
  if (last && last != next)
    {
      fputs ("; ", stdout);
      print_other (best, last);
    }
  print_rest (runs, count, best, next, last);
  puts (".");
}
