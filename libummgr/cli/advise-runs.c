/* `ummgr advise': which policy, option and card would help, tried by replay.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Three passes over the trace at most: policies; options of the best; other cards, where the data
   doesn't fit.  What the program maps of its heap counts as managed memory, as `ummgr cc --unify' has
   it; what else it maps stays libgomp's.  No state.  */

#include "config.h"
#include "cli/advise.h"

#include "advise/runs.h"
#include "cli/cli.h"
#include "cli/recorded.h"
#include "policy/policy.h"
#include "replay/policies.h"

#include <stdlib.h>
#include <string.h>

enum
{
  ACCESSES_MOST = 20000000	/* In a trace: each pass takes seconds.  */
};

/* Copies of this part of all are as good as none.  */
static const double little = 0.05;

struct search
{
  const struct ummgr_diagnosis *d;
  struct ummgr_runs *runs;
  struct ummgr_recorded as;
  bool passive;			/* It ran under a policy that lets libgomp have all.  */
  struct ummgr_page_totals totals;
};

static const struct ummgr_options plain, counting = { .access_counters = true };

/* In the order of preference.  */
static const char *const policies[] = { "lru", "rdm", "auto", "prefetch", "um", "host" };

static const struct
{
  const char *text, *transfer, *partial;
  const struct ummgr_options *options;
} options[] = {
  { "--partial=on", "hybrid", "on", &plain },
  { "--partial=off", "hybrid", "off", &plain },
  { "--transfer=explicit", "explicit", NULL, &plain },
  { "--transfer=implicit", "implicit", NULL, &plain },
  { "--access-counters=on", "hybrid", NULL, &counting }
};

/* Single devices with a driver that pages, the smallest first.  */
static const char *const cards[] = { "p100-nvlink1", "v100-nvlink2", "rtx3090-pcie3", "h200-pcie5" };

/* --- what there is to try -------------------------------------------------------------- */

/* What map clauses copied: of the heap, which --unify spares, and of what else is large.  */
struct mapped
{
  uint64_t heap, other;
  bool managed;			/* There is managed memory, too.  */
};

static struct mapped
mapped_of (const struct ummgr_diagnosis *d)
{
  struct mapped m = { 0 };
  for (size_t i = 0; i < d->object_count; i++)
    {
      const struct ummgr_traced_object *o = d->objects[i];
      m.managed |= (o->flags & UMMGR_TRACE_OBJECT_UNIFIED) != 0;
      if (o->flags & UMMGR_TRACE_OBJECT_UNIFIED || o->size < UMMGR_UNIFY_LEAST)
	continue;
      *(o->flags & UMMGR_TRACE_OBJECT_HEAP ? &m.heap : &m.other) += o->copied_in + o->copied_out;
    }
  return m;
}

/* Was D's program built by ummgr cc --unify?  */
static bool
is_unified (const struct ummgr_diagnosis *d)
{
  struct ummgr_cli_program program;
  char *path = strndup (d->run.program, strcspn (d->run.program, " "));
  bool is = path && ummgr_cli_inspect (path, &program) && program.unified;
  free (path);
  return is;
}

/* Why nothing is tried; NULL: it is.  */
static const char *
refused (const struct search *s, const struct mapped *m, bool anyway)
{
  const struct ummgr_diagnosis *d = s->d;
  const char *why = ummgr_recorded_refused (d);
  if (why)
    return why;
  if (!anyway && d->stepped)
    return "its launches are in a GPU's order, and a replay runs each anew; --replay does so";
  if (!anyway && d->accesses > ACCESSES_MOST)
    return "the trace is long, and a replay takes minutes; --replay does so";
  if (!m->heap && !m->managed)
    return "what map clauses copy is no heap memory of 64K or more, which --unify would place";
  if ((double) m->other > little * (double) (d->copied_in + d->copied_out) && d->copied_in)
    return "large variables that are not on the heap are mapped, too, and a replay can't tell how other "
	   "policies copy these";
  if (!d->busy_seconds)
    return "the trace doesn't say how long the run took; record it anew";
  return NULL;
}

/* --- passes ----------------------------------------------------------------------------- */

static struct ummgr_replay_run
run_with (const struct search *s, const char *policy)
{
  return (struct ummgr_replay_run) {
    .policy = policy, .evict = "lru", .transfer = "hybrid", .device = s->as.machine
  };
}

static bool
replay (struct search *s, struct ummgr_replay_run *runs, size_t count)
{
  const struct ummgr_page_options o = { .device = -1, .unify = UMMGR_UNIFY_LEAST };
  return ummgr_replay_policies (s->d->path, &o, runs, count, &s->totals) == UMMGR_OK;
}

static uint64_t
moved (const struct ummgr_replay_run *r)
{
  return r->counters.h2d_bytes + r->counters.d2h_bytes;
}

static void
note (struct ummgr_runs *runs, enum ummgr_run_kind kind, const struct ummgr_replay_run *r,
      const char *option, const char *card)
{
  struct ummgr_run_tried *t = &runs->tried[runs->count++];
  *t = (struct ummgr_run_tried) {
    .kind = kind, .policy = r->policy, .option = option, .memory = r->device.memory_bytes,
    .seconds = r->counters.model_seconds, .bytes = moved (r), .evictions = r->counters.evictions
  };
  strncpy (t->card, card, sizeof t->card - 1);
}

/* All policies, and the one of the recorded run again.  */
static bool
try_policies (struct search *s)
{
  enum { COUNT = sizeof policies / sizeof *policies };
  struct ummgr_replay_run r[COUNT + 1];
  for (size_t i = 0; i < COUNT; i++)
    r[i] = run_with (s, policies[i]);
  r[COUNT] = run_with (s, s->as.policy);
  if (!replay (s, r, s->passive ? COUNT : COUNT + 1))
    return false;
  if (!s->passive && !s->runs->unify)
    {
      s->runs->again = r[COUNT].counters.model_seconds;
      s->runs->bytes = moved (&r[COUNT]);
    }
  /* What it ran under is nothing else.  */
  for (size_t i = 0; i < COUNT; i++)
    if (s->runs->unify || s->passive || strcmp (policies[i], s->as.policy) != 0)
      note (s->runs, UMMGR_RUN_POLICY, &r[i], "", "");
  return true;
}

/* Options beside POLICY; *OPTION becomes the index of the one that pays, if one does.  */
static bool
try_options (struct search *s, const char *policy, double *best, int *option)
{
  enum { COUNT = sizeof options / sizeof *options };
  struct ummgr_replay_run r[COUNT];
  for (size_t i = 0; i < COUNT; i++)
    {
      r[i] = run_with (s, policy);
      r[i].transfer = options[i].transfer;
      r[i].partial = options[i].partial;
      if (!ummgr_recorded_machine (s->as.profile, s->as.scale, s->as.machine.memory_bytes,
				   options[i].options, &r[i].device))
	return false;
    }
  if (!replay (s, r, COUNT))
    return false;
  for (size_t i = 0; i < COUNT; i++)
    note (s->runs, UMMGR_RUN_OPTION, &r[i], options[i].text, "");
  const struct ummgr_run_tried *t = ummgr_runs_best (s->runs, UMMGR_RUN_OPTION, *best);
  for (size_t i = 0; t && i < COUNT; i++)
    if (options[i].text == t->option)
      *option = (int) i;
  *best = t ? t->seconds : *best;
  return true;
}

/* Cards that have room for all.  */
static bool
try_cards (struct search *s, const char *policy, int option)
{
  enum { COUNT = sizeof cards / sizeof *cards };
  struct ummgr_replay_run r[COUNT];
  const char *name[COUNT];
  size_t count = 0;
  for (size_t i = 0; i < COUNT; i++)
    {
      r[count] = run_with (s, policy);
      if (option >= 0)
	{
	  r[count].transfer = options[option].transfer;
	  r[count].partial = options[option].partial;
	}
      name[count] = cards[i];
      count += ummgr_recorded_machine (cards[i], s->as.scale, 0, option >= 0 ? options[option].options : &plain,
				       &r[count].device)
	       && r[count].device.memory_bytes > s->as.machine.memory_bytes
	       && r[count].device.memory_bytes > s->runs->data;
    }
  if (!count)
    return true;
  if (!replay (s, r, count))
    return false;
  for (size_t i = 0; i < count; i++)
    note (s->runs, UMMGR_RUN_CARD, &r[i], option >= 0 ? options[option].text : "", name[i]);
  return true;
}

static const char *
try_all (struct search *s)
{
  struct ummgr_runs *runs = s->runs;
  if (!try_policies (s))
    return "the replay failed";
  runs->data = s->totals.footprint * s->totals.page_size;
  const struct ummgr_run_tried *t = ummgr_runs_best (runs, UMMGR_RUN_POLICY, runs->seconds);
  double best = t ? t->seconds : runs->seconds;
  int option = -1;
  const char *policy = t ? t->policy : s->passive || runs->unify ? NULL : s->as.policy;
  /* Libgomp's own way has no options.  */
  if (!policy)
    return NULL;
  if (!try_options (s, policy, &best, &option))
    return "the replay failed";
  if (runs->data > runs->memory && !try_cards (s, policy, option))
    return "the replay failed";
  return NULL;
}

void
ummgr_cli_runs_try (const struct ummgr_diagnosis *d, bool anyway, struct ummgr_runs *runs)
{
  struct search s = { .d = d, .runs = runs };
  const struct ummgr_policy_ops *policy = ummgr_policy_find (d->run.policy);
  const struct mapped m = mapped_of (d);
  s.passive = !policy || policy->passive;
  *runs = (struct ummgr_runs) {
    .seconds = d->busy_seconds, .bytes = d->copied_in + d->copied_out, .policy = d->run.policy
  };
  runs->untried = refused (&s, &m, anyway);
  if (!runs->untried)
    runs->untried = ummgr_recorded_find (&s.as, d, &plain);
  if (runs->untried)
    return;
  runs->unify = m.heap > 0 && !is_unified (d);
  runs->scale = s.as.scale;
  runs->memory = s.as.machine.memory_bytes;
  runs->untried = try_all (&s);
}
