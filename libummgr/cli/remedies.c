/* Remedies of a trace's objects, tried by replay.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Each of the largest objects that advice could help gets each remedy, alone, in a run of
   its own; those of a few objects are one pass over the trace.  Another pass tries those that
   help together.  No state.  */

#include "config.h"
#include "cli/remedies.h"

#include "base/log.h"
#include "cli/recorded.h"
#include "cli/report-trace.h"
#include "replay/policies.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum
{
  OBJECTS = 12,			/* Whose remedies are tried.  */
  RUNS = 1 + OBJECTS * UMMGR_REMEDY_KINDS,
  AT_ONCE = 3			/* Objects, in one pass: memory grows with them.  */
};

/* What is tried, and on what.  */
struct trial
{
  struct ummgr_diagnosis *d;
  const struct ummgr_options *options;
  struct ummgr_recorded as;	/* Where.  */
  const struct ummgr_traced_object *object[OBJECTS];
  size_t objects;
  struct ummgr_remedy remedy[RUNS];
  struct ummgr_replay_run run[RUNS];
};

/* --- runs ------------------------------------------------------------------------ */

static bool
is_same (const struct ummgr_remedy *a, const struct ummgr_remedy *b)
{
  return a->kind == b->kind && a->line == b->line && strcmp (a->name, b->name) == 0
	 && strcmp (a->file, b->file) == 0;
}

/* Is it in LIST?  */
static bool
has (const struct ummgr_remedy *list, size_t count, const struct ummgr_remedy *r)
{
  for (size_t i = 0; i < count; i++)
    if (is_same (&list[i], r))
      return true;
  return false;
}

static int
by_size (const void *a_p, const void *b_p)
{
  const struct ummgr_traced_object *a = *(const struct ummgr_traced_object *const *) a_p;
  const struct ummgr_traced_object *b = *(const struct ummgr_traced_object *const *) b_p;
  return a->size != b->size ? (a->size > b->size ? -1 : 1) : (a->id > b->id) - (a->id < b->id);
}

/* The largest that advice could help, one of each name and place.  */
static void
choose_objects (struct trial *t)
{
  const struct ummgr_traced_object **all
    = calloc (t->d->object_count + 1, sizeof *all);
  size_t count = 0;
  for (size_t i = 0; all && i < t->d->object_count; i++)
    if (ummgr_diagnosis_may_advise (t->d, t->d->objects[i]))
      all[count++] = t->d->objects[i];
  if (count)
    qsort (all, count, sizeof *all, by_size);
  struct ummgr_remedy first[OBJECTS];
  for (size_t i = 0; i < count && t->objects < OBJECTS; i++)
    {
      first[t->objects] = ummgr_diagnosis_remedy (all[i], 0);
      if (!has (first, t->objects, &first[t->objects]))
	t->object[t->objects++] = all[i];
    }
  free (all);
}

static struct ummgr_replay_run
run_with (const struct trial *t, const struct ummgr_remedy *remedies, size_t count)
{
  const struct ummgr_options *o = t->options;
  return (struct ummgr_replay_run) {
    .policy = t->as.policy, .evict = o->evict ? o->evict : "lru",
    .transfer = o->transfer ? o->transfer : "hybrid", .partial = o->partial,
    .device = t->as.machine, .remedies = remedies, .remedy_count = count
  };
}

static bool
replay (const struct trial *t, struct ummgr_replay_run *runs, size_t count)
{
  const struct ummgr_page_options options = { .device = -1 };
  return ummgr_replay_policies (t->d->path, &options, runs, count, NULL) == UMMGR_OK;
}

static uint64_t
moved (const struct ummgr_replay_run *run)
{
  return run->counters.h2d_bytes + run->counters.d2h_bytes;
}

/* What came of the remedies of object I, and of all that share its name and place, which had
   them, too.  */
static void
tell (const struct trial *t, size_t i)
{
  const struct ummgr_traced_object *object = t->object[i];
  struct ummgr_tried tried[UMMGR_REMEDY_KINDS];
  for (unsigned k = 0; k < UMMGR_REMEDY_KINDS; k++)
    {
      const struct ummgr_replay_run *r = &t->run[1 + i * UMMGR_REMEDY_KINDS + k];
      tried[k] = (struct ummgr_tried) { k, r->counters.model_seconds, moved (r) };
    }
  ummgr_diagnosis_tried (t->d, object, tried, UMMGR_REMEDY_KINDS,
			 t->run[0].counters.model_seconds, moved (&t->run[0]));
}

/* Run 0 is without any remedy.  */
static bool
try_each (struct trial *t)
{
  size_t n = 1, done = 0;
  t->run[0] = run_with (t, NULL, 0);
  for (size_t i = 0; i < t->objects; i++)
    {
      for (unsigned k = 0; k < UMMGR_REMEDY_KINDS; k++, n++)
	{
	  t->remedy[n] = ummgr_diagnosis_remedy (t->object[i], k);
	  t->run[n] = run_with (t, &t->remedy[n], 1);
	}
      if ((i + 1) % AT_ONCE && i + 1 < t->objects)
	continue;
      if (!replay (t, &t->run[done], n - done))
	return false;
      done = n;
    }
  for (size_t i = 0; i < t->objects; i++)
    tell (t, i);
  return true;
}

/* What D's findings propose, into OUT; how many.  */
static size_t
proposals (const struct ummgr_diagnosis *d, struct ummgr_remedy *out, size_t room)
{
  size_t count = 0;
  for (size_t i = 0; i < d->finding_count && count < room; i++)
    {
      const struct ummgr_finding *f = &d->findings[i];
      if (!f->remedy)
	continue;
      out[count] = ummgr_diagnosis_remedy (f->object, f->remedy->kind);
      count += !has (out, count, &out[count]);
    }
  return count;
}

static void
try_together (struct trial *t)
{
  struct ummgr_remedy all[OBJECTS];
  size_t count = proposals (t->d, all, OBJECTS);
  t->d->together.count = count;
  t->d->together.without = t->run[0].counters.model_seconds;
  if (!count)
    return;
  struct ummgr_replay_run run = run_with (t, all, count);
  if (replay (t, &run, 1))
    t->d->together.with = run.counters.model_seconds;
}

void
ummgr_remedies_try (struct ummgr_diagnosis *d, const struct ummgr_options *options,
		    bool anyway)
{
  struct trial *t = calloc (1, sizeof *t);
  if (!t)
    return;
  t->d = d;
  t->options = options;
  choose_objects (t);
  if (t->objects)
    {
      const char *why = ummgr_recorded_refused (d);
      if (!why && d->stepped && !anyway)
	why = "its launches are in a GPU's order, and a replay runs each anew; --replay does so";
      if (!why)
	why = ummgr_recorded_find (&t->as, d, options);
      d->together.untried = why;
      if (!why && !try_each (t))
	d->together.untried = "the replay failed";
      else if (!why)
	{
	  ummgr_diagnosis_sort (d);
	  try_together (t);
	  snprintf (d->together.machine, sizeof d->together.machine, "policy %s on %s, scale 1/%" PRIu64,
		    t->as.policy, t->as.profile, t->as.scale);
	}
    }
  free (t);
}

/* --- what a file proposes -------------------------------------------------------- */

/* A list that grows.  */
struct list
{
  char *text;
  size_t size;
  FILE *out;
  size_t count;
};

static void
list_add (struct list *l, const struct ummgr_remedies *only, const char *kind, const char *name,
	  const char *file, uint64_t line)
{
  bool wanted = !only->count;
  for (size_t i = 0; i < only->count; i++)
    wanted |= strcmp (ummgr_remedy_name[only->remedy[i].kind], kind) == 0;
  if (!wanted || strpbrk (name, ",@") || strpbrk (file, ",@") || l->count == UMMGR_REMEDIES_MAX)
    return;
  fprintf (l->out, "%s%s:%s@%s:%" PRIu64, l->count++ ? "," : "", kind, name, file, line);
}

static bool
list_trace (struct list *l, const char *path, const struct ummgr_options *options,
	    const struct ummgr_remedies *only)
{
  struct ummgr_diagnosis *d = ummgr_diagnose (path, NULL);
  if (!d)
    return false;
  ummgr_remedies_try (d, options, true);
  if (d->together.untried)
    ummgr_warn ("apply: %s: no remedy was tried: %s", path, d->together.untried);
  struct ummgr_remedy all[OBJECTS];
  size_t count = proposals (d, all, OBJECTS);
  /* The first is the best one alone.  */
  if (count > 1 && d->together.with >= d->findings[0].remedy->with)
    count = 1;
  for (size_t i = 0; i < count; i++)
    list_add (l, only, ummgr_remedy_name[all[i].kind], all[i].name, all[i].file, all[i].line);
  ummgr_diagnosis_free (d);
  return true;
}

static bool
list_json (struct list *l, const char *path, const struct ummgr_remedies *only)
{
  json_error_t error;
  json_t *json = json_load_file (path, 0, &error), *findings = json_object_get (json, "findings");
  if (!json_is_array (findings))
    {
      ummgr_error ("run: --apply=%s: %s (a trace, or what ummgr report --json writes of one, is "
		   "needed, or remedies: read-mostly:NAME@FILE:LINE,...)", path,
		   json ? "it has no findings" : error.text);
      json_decref (json);
      return false;
    }
  size_t i;
  json_t *finding;
  json_array_foreach (findings, i, finding)
    {
      const char *kind, *name, *file;
      json_int_t line;
      if (json_unpack (json_object_get (finding, "remedy"), "{s:s, s:s, s:s, s:I}", "name", &kind,
		       "object", &name, "file", &file, "line", &line) == 0)
	list_add (l, only, kind, name, file, line);
    }
  json_decref (json);
  return true;
}

char *
ummgr_remedies_of_file (const char *path, const struct ummgr_options *options,
			const struct ummgr_remedies *only)
{
  struct list l = { .text = NULL };
  struct stat st;
  if (stat (path, &st))
    {
      ummgr_error ("run: --apply=%s: %s, and no remedy is called so (known: read-mostly, "
		   "preferred-device, preferred-host, accessed-by)", path, strerror (errno));
      return NULL;
    }
  l.out = open_memstream (&l.text, &l.size);
  if (!l.out)
    return NULL;
  bool good = ummgr_report_is_trace (path) ? list_trace (&l, path, options, only)
    : list_json (&l, path, only);
  if (fclose (l.out) || !good)
    {
      free (l.text);
      return NULL;
    }
  return l.text;
}
