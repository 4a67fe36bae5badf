/* `ummgr replay --policy`: a recorded run under other policies of objects, on
   other machines.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Every combination of --policy and --device-mem, in one pass.  No state.  */

#include "config.h"
#include "cli/replay.h"

#include "cli/cli.h"
#include "base/human.h"
#include "base/log.h"
#include "base/table.h"
#include "paging/paging.h"
#include "replay/policies.h"
#include "device/profile.h"
#include "trace/read.h"
#include "base/utf8.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- machines ---------------------------------------------------------------- */

/* The profile of the run that FILE is of; false after a message.  */
static bool
recorded_profile (const char *file, char *name, size_t size)
{
  struct ummgr_trace_reader *reader;
  struct ummgr_trace_record record;
  struct stat st;
  /* It is read again.  */
  if (!stat (file, &st) && (S_ISFIFO (st.st_mode) || S_ISSOCK (st.st_mode)))
    {
      ummgr_error ("%s: a pipe can be read but once; say which machine with "
		   "--profile", file);
      return false;
    }
  if (ummgr_trace_reader_open (file, &reader))
    return false;
  bool good = !ummgr_trace_reader_next (reader, &record);
  *name = 0;
  if (good && record.kind == UMMGR_TRACE_RUN)
    snprintf (name, size, "%s", record.u.run.profile);
  ummgr_trace_reader_close (reader);
  if (good && !*name)
    ummgr_error ("%s: %s; say which machine with --profile", file,
		 record.kind == UMMGR_TRACE_RUN ? "recorded on a real GPU"
		 : "it doesn't say of which run it is");
  return good && *name;
}

/* A card of 16G has less for programs: more than there is means all of it.  SAY
   so.  */
static bool
machine_for (const struct ummgr_replay_wish *w, const char *profile,
	     uint64_t memory, bool say, struct ummgr_figures *out)
{
  struct ummgr_profile p;
  struct ummgr_options o = { .scale = w->scale, .device_mem = memory,
			     .access_counters = w->access_counters };
  if (!ummgr_profile_find (profile, &p))
    return false;
  for (int i = 0; i < p.device_count; i++)
    if (o.device_mem > p.device[i].memory_bytes)
      o.device_mem = p.device[i].memory_bytes;
  if (say && o.device_mem < memory)
    ummgr_warn ("replay: --device-mem: %s has no %s, but %s, which is what it "
		"gets", profile, ummgr_human_bytes (memory).text,
		ummgr_human_bytes (o.device_mem).text);
  if (!ummgr_profile_adjust (&p, &o))
    return false;
  *out = p.device[0];
  return true;
}

/* --- output -------------------------------------------------------------------- */

/* The best possible where R was replayed, of COUNT RUNS, if that was asked for; else NULL.  */
static const struct ummgr_replay_run *
best_of (const struct ummgr_replay_run *r, const struct ummgr_replay_run *runs, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (ummgr_replay_is_best (&runs[i])
	&& runs[i].device.memory_bytes == r->device.memory_bytes)
      return &runs[i];
  return NULL;
}

/* How many times what is possible R takes; 0 where that is not known.  */
static double
over_best (const struct ummgr_replay_run *r, const struct ummgr_replay_run *runs, size_t count)
{
  const struct ummgr_replay_run *best = best_of (r, runs, count);
  return best && best->counters.model_seconds > 0
	 ? r->counters.model_seconds / best->counters.model_seconds : 0;
}

static void
print_text (const char *file, const char *profile,
	    const struct ummgr_page_totals *t,
	    const struct ummgr_replay_run *runs, size_t count)
{
  char path[PATH_MAX], machine[256];
  printf ("%s on %s: %" PRIu32 " pages, %" PRIu64 " launches\n",
	  ummgr_utf8_print (path, sizeof path, file),
	  ummgr_utf8_print (machine, sizeof machine, profile), t->footprint,
	  t->launches);
  struct ummgr_table lines = { .columns = "lrrrrrrrrrl", .head = true };
  ummgr_table_add (&lines, "policy\tdevice bytes\tGPU faults\tCPU faults\t"
		   "evictions\tto the device\tback\tlocal\tremote\t"
		   "modelled s\n");
  for (size_t i = 0; i < count; i++)
    {
      const struct ummgr_counters *c = &runs[i].counters;
      double times = over_best (&runs[i], runs, count);
      if (ummgr_replay_is_best (&runs[i]))
	{
	  ummgr_table_add (&lines, "%s\t%" PRIu64 "\t-\t-\t-\t-\t-\t-\t-\t%.6f\tbest possible\n",
			   runs[i].policy, runs[i].device.memory_bytes, c->model_seconds);
	  continue;
	}
      ummgr_table_add (&lines, "%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%"
		       PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%"
		       PRIu64 "\t%.6f", runs[i].policy,
		       runs[i].device.memory_bytes, c->gpu_faults,
		       c->cpu_faults, c->evictions, c->h2d_bytes,
		       c->d2h_bytes, c->local_bytes, c->remote_bytes,
		       c->model_seconds);
      if (times > 0)
	ummgr_table_add (&lines, "\t%.2f times the best possible", times);
      ummgr_table_add (&lines, "\n");
    }
  ummgr_table_end (&lines, stdout);
}

static json_t *
run_json (const struct ummgr_replay_run *r, double times)
{
  const struct ummgr_counters *c = &r->counters;
  if (ummgr_replay_is_best (r))
    return json_pack ("{s:s, s:I, s:f}", "policy", r->policy, "device_mem",
		      (json_int_t) r->device.memory_bytes, "model_seconds", c->model_seconds);
  json_t *j = json_pack (
    "{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f}",
    "policy", r->policy, "evict", r->evict, "device_mem",
    (json_int_t) r->device.memory_bytes, "launches", (json_int_t) c->launches,
    "h2d_bytes", (json_int_t) c->h2d_bytes, "d2h_bytes",
    (json_int_t) c->d2h_bytes, "gpu_faults", (json_int_t) c->gpu_faults,
    "cpu_faults", (json_int_t) c->cpu_faults, "evictions",
    (json_int_t) c->evictions, "local_bytes", (json_int_t) c->local_bytes,
    "remote_bytes", (json_int_t) c->remote_bytes, "decisions",
    (json_int_t) r->decisions, "fault_batches",
    (json_int_t) c->fault_batches, "model_seconds", c->model_seconds);
  if (times > 0)
    json_object_set_new (j, "over_best", json_real (times));
  return j;
}

static bool
replay_file (const struct ummgr_replay_wish *w, const char *evict,
	     const char *file, json_t *all)
{
  char profile[256];
  size_t memories = w->memory.count ? w->memory.count : 1;
  size_t count = w->policy.count * memories;
  if (w->profile)
    snprintf (profile, sizeof profile, "%s", w->profile);
  else if (!recorded_profile (file, profile, sizeof profile))
    return false;
  struct ummgr_replay_run *runs = calloc (count, sizeof *runs);
  bool good = runs;
  for (size_t i = 0; good && i < count; i++)
    {
      runs[i] = (struct ummgr_replay_run) {
	.policy = w->policy.word[i / memories], .evict = evict,
	.transfer = w->transfer, .partial = w->partial
      };
      uint64_t memory = 0;
      if (w->memory.count)
	ummgr_parse_size (w->memory.word[i % memories], &memory);
      good = machine_for (w, profile, memory, i < memories, &runs[i].device);
    }
  struct ummgr_page_options options = { .device = -1, .unify = w->unify ? UMMGR_UNIFY_LEAST : 0 };
  struct ummgr_page_totals totals;
  good = good
	 && !ummgr_replay_policies (file, &options, runs, count, &totals);
  if (good && all)
    {
      json_t *rows = json_array ();
      for (size_t i = 0; i < count; i++)
	json_array_append_new (rows, run_json (&runs[i], over_best (&runs[i], runs, count)));
      json_t *j = json_pack ("{s:o, s:o, s:o}", "trace",
			     ummgr_json_text (file), "profile",
			     ummgr_json_text (profile), "runs", rows);
      good = !json_array_append_new (all, j);
    }
  else if (good)
    print_text (file, profile, &totals, runs, count);
  free (runs);
  return good;
}

int
ummgr_replay_wish_run (const struct ummgr_replay_wish *w, char **files,
		       int count)
{
  int status = 0;
  const char *evict = w->evict.count ? w->evict.word[0] : "lru";
  if (!ummgr_paging_find (evict))
    {
      ummgr_error ("replay: --evict=%s: not with --policy", evict);
      return UMMGR_EXIT_FAILURE;
    }
  json_t *all = w->json ? json_array () : NULL;
  for (int i = 0; i < count; i++)
    if (!replay_file (w, evict, files[i], all))
      status = UMMGR_EXIT_FAILURE;
  return ummgr_replay_put (all, status);
}
