/* Applications under replacement policies: reading, ratios and means.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "common.h"
#include "eviction/apps.h"
#include "json.h"

#include <math.h>

const char *const policy_names[POLICIES] = {
#define UMMGR_PAGING(NAME) #NAME,
#define UMMGR_PAGING_VARIANT(NAME, WORD) WORD,
#include "paging/paging.def"
  "ideal"
};
const int capacity_percents[CAPACITIES] = { 75, 50 };
const char *const type_names[TYPES + 1] = {
  "all", "I", "II", "III", "IV", "V", "VI"
};

struct app apps[APP_MOST];
size_t app_count;
static double cpu_fault_seconds;

/* --- reading ----------------------------------------------------------------- */

static json_t *
load (const char *work, const char *program, const char *suffix)
{
  char path[4096];
  snprintf (path, sizeof path, "%s/%s%s", work, program, suffix);
  return bench_json_load (path);
}

/* The number KEY of OBJECT, which must be there.  */
static double
number (const json_t *object, const char *key, const char *program)
{
  const json_t *value = json_object_get (object, key);
  if (!json_is_number (value))
    bench_fatal ("%s: the replay has no number '%s'", program, key);
  return json_number_value (value);
}

static double
some_number (const json_t *object, const char *key)
{
  const json_t *value = json_object_get (object, key);
  return value ? json_number_value (value) : NAN;
}

/* The policy with the replay's NAME; POLICIES: none.  */
static enum policy
policy_of (const char *name)
{
  for (int p = 0; p < POLICIES; p++)
    if (strcmp (policy_names[p], name) == 0)
      return p;
  return POLICIES;
}

static void
outcome_read (struct outcome *o, const json_t *json, const char *program)
{
  o->evictions = number (json, "evictions", program);
  o->faults = number (json, "faults", program);
  o->seconds = number (json, "model_seconds", program)
	       - number (json, "cpu_faults", program) * cpu_fault_seconds;
  const char *category
    = json_string_value (json_object_get (json, "category"));
  if (!category)
    return;
  snprintf (o->category, sizeof o->category, "%s", category);
  o->ratio1 = number (json, "ratio1", program);
  o->ratio2 = number (json, "ratio2", program);
  o->switches = number (json, "switches", program);
  o->compared = some_number (json, "compared");
  o->entries = some_number (json, "entries");
}

static void
cases_read (struct app *app, const json_t *trace)
{
  bool seen[POLICIES][CAPACITIES] = { { false } };
  size_t i;
  json_t *json;
  app->pages = number (trace, "footprint_pages", app->program);
  app->events = number (trace, "gpu_events", app->program);
  app->launches = number (trace, "launches", app->program);
  json_array_foreach (json_object_get (trace, "cases"), i, json)
    {
      const char *name = json_string_value (json_object_get (json, "policy"));
      const char *part
	= json_string_value (json_object_get (json, "capacity"));
      enum policy p = policy_of (name ? name : "");
      for (int c = 0; p != POLICIES && part && c < CAPACITIES; c++)
	if (atoi (part) == capacity_percents[c])
	  {
	    outcome_read (&app->of[p][c], json, app->program);
	    seen[p][c] = true;
	  }
    }
  for (int p = 0; p < POLICIES; p++)
    for (int c = 0; c < CAPACITIES; c++)
      if (!seen[p][c])
	bench_fatal ("%s: no replay of %s at %d %%", app->program,
		     policy_names[p], capacity_percents[c]);
  if (app->type == 2)
    memcpy (app->of[POLICY_rrip], app->of[POLICY_rrip_thrashing],
	    sizeof app->of[POLICY_rrip]);
}

static void
app_read (struct app *app, const char *work)
{
  json_t *replay = load (work, app->program, ".replay.json");
  cases_read (app, json_array_get (json_object_get (replay, "traces"), 0));
  json_decref (replay);
  json_t *classes = load (work, app->program, ".classify.json");
  const char *type = json_string_value (
    json_object_get (json_object_get (classes, "run"), "type"));
  if (!type)
    bench_fatal ("%s: classify names no type", app->program);
  snprintf (app->pattern, sizeof app->pattern, "%s", type);
  json_decref (classes);
}

void
apps_read (FILE *in, const char *work, double cpu_fault)
{
  cpu_fault_seconds = cpu_fault;
  char line[256], type[APP_WORD], half[APP_WORD], there[APP_WORD];
  while (fgets (line, sizeof line, in))
    {
      struct app *app = &apps[app_count];
      if (app_count == APP_MOST
	  || sscanf (line, "%31s %31s %31s %31s %31s %31s", app->program,
		     app->abbreviation, type, app->category, half, there) != 6)
	bench_fatal ("expected PROGRAM ABBREVIATION TYPE CATEGORY HALF "
		     "there|missing, at most %d times: %s", APP_MOST, line);
      app->half = strcmp (half, "rules") == 0 ? HALF_RULES : HALF_OTHER;
      for (app->type = 1; strcmp (type_names[app->type], type) != 0;)
	if (app->type++ == TYPES)
	  bench_fatal ("%s: no type %s", app->program, type);
      app->there = strcmp (there, "there") == 0;
      if (app->there)
	app_read (app, work);
      app_count++;
    }
}

/* --- ratios ------------------------------------------------------------------ */

static double
ratio (double a, double b)
{
  return b > 0 ? a / b : NAN;
}

double
app_to_ideal (const struct app *a, enum policy p, int c)
{
  return ratio (a->of[p][c].evictions, a->of[POLICY_ideal][c].evictions);
}

double
app_to_lru (const struct app *a, enum policy p, int c)
{
  return ratio (a->of[p][c].evictions, a->of[POLICY_lru][c].evictions);
}

double
app_speedup (const struct app *a, enum policy p, int c)
{
  return ratio (a->of[POLICY_lru][c].seconds, a->of[p][c].seconds);
}

double
app_performance (const struct app *a, enum policy p, int c)
{
  return ratio (a->of[POLICY_ideal][c].seconds, a->of[p][c].seconds);
}

double
app_hpe_speedup (const struct app *a, enum policy p, int c)
{
  return ratio (a->of[p][c].seconds, a->of[POLICY_hpe][c].seconds);
}

double
apps_mean (app_measure *measure, enum policy policy, int capacity, int type,
	   enum half half)
{
  double sum = 0;
  size_t n = 0;
  for (const struct app *a = apps; a < apps + app_count; a++)
    if (a->there && (!type || a->type == type)
	&& (!half || a->half == half))
      {
	double value = measure (a, policy, capacity);
	if (isfinite (value))
	  {
	    sum += value;
	    n++;
	  }
      }
  return n ? sum / n : NAN;
}

/* --- files ------------------------------------------------------------------- */

FILE *
apps_open (const char *work, const char *name)
{
  char path[4096];
  snprintf (path, sizeof path, "%s/%s", work, name);
  FILE *out = fopen (path, "w");
  if (!out)
    bench_fatal ("can't write %s: %s", path, strerror (errno));
  return out;
}

void
apps_close (FILE *out, const char *name)
{
  if (fclose (out) != 0)
    bench_fatal ("can't write %s: %s", name, strerror (errno));
}
