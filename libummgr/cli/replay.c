/* `ummgr replay`: a recorded run with other replacement policies and sizes.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Every combination of --evict and --capacity is tried on each trace, in one
   pass.  No state.  */

#include "config.h"
#include "cli/replay.h"

#include "cli/cli.h"
#include "cli/options.h"
#include "base/log.h"
#include "base/table.h"
#include "policy/policy.h"
#include "replay/evict.h"
#include "device/profile.h"
#include "base/utf8.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- options ------------------------------------------------------------- */

/* "75%", "0.75" is no size: a part has its sign.  */
static bool
parse_capacity (const char *text, double *part, uint64_t *bytes)
{
  char *end;
  size_t n = strlen (text);
  *part = 0;
  *bytes = 0;
  if (!n || text[n - 1] != '%')
    return ummgr_parse_size (text, bytes) && *bytes;
  errno = 0;
  *part = strtod (text, &end) / 100;
  return end == text + n - 1 && !errno && *part > 0 && *part <= 1000;
}

static const char *
refuse_capacity (const char *text)
{
  double part;
  uint64_t bytes;
  return parse_capacity (text, &part, &bytes) ? NULL
    : "a part of the footprint, such as 75%, or a size, such as 64M";
}

static bool
parse_tlb (const char *text, struct ummgr_tlb_shape *t)
{
  char more;
  *t = (struct ummgr_tlb_shape) { 0, 0 };
  return strcmp (text, "none") == 0
    || (sscanf (text, "%" SCNu32 ":%" SCNu32 "%c", &t->entries, &t->ways,
		&more) == 2
	&& t->ways && t->ways <= UMMGR_TLB_WAYS_MOST && t->entries
	&& t->entries <= 1 << 20 && t->entries % t->ways == 0);
}

static const char *
refuse_tlb (const char *text)
{
  struct ummgr_tlb_shape t;
  return parse_tlb (text, &t) ? NULL
    : "none, or ENTRIES:WAYS, such as 512:16";
}

static const char *
refuse_policy (const char *name)
{
  if (strcmp (name, "best") == 0)
    return NULL;
  const struct ummgr_policy_ops *ops = ummgr_policy_find (name);
  return ops && ops->passive
    ? "a policy that moves data: libgomp's own way can't be replayed" : NULL;
}

static const char evict_words[] = ""
#define UMMGR_PAGING(NAME) #NAME " "
#define UMMGR_PAGING_VARIANT(NAME, WORD) WORD " "
#include "paging/paging.def"
  "ideal";

static const char policy_words[] = "best"
#define UMMGR_POLICY(NAME) " " #NAME
#include "policy/policies.def"
  ;

#define ROW(NAME, TYPE, FIELD, VALUES, FALLBACK, HELP, REFUSE, LETTER, ...) \
  { .name = NAME, .type = TYPE, .offset = offsetof (struct ummgr_replay_wish, FIELD), \
    .values = VALUES, .fallback = FALLBACK, .help = HELP, .refuse = REFUSE,	\
    .letter = LETTER, __VA_ARGS__ }
#define LIST(TYPE) (UMMGR_OPTION_##TYPE | UMMGR_OPTION_LIST)

const struct ummgr_option ummgr_replay_rows[] = {
  ROW ("evict", LIST (NAME), evict, evict_words, "lru,hpe,ideal",
       "replacement policies of pages; with --policy, how the driver evicts, "
       "by default lru", NULL, 'e'),
  ROW ("capacity", LIST (TEXT), capacity, NULL, "75%,50%",
       "memory of the GPU: parts of the footprint or sizes", refuse_capacity,
       'c'),
  ROW ("profile", UMMGR_OPTION_TEXT, profile, NULL, NULL,
       "machine that is modelled (default: fermi-hpe; with --policy that of "
       "the recorded run)", NULL, 'p', .means = UMMGR_OPTION_PROFILE),
  ROW ("hits", UMMGR_OPTION_NAME, hits, "walks none", "walks",
       "what policies see of accesses to pages that are there: what the TLB "
       "does not serve, or nothing, as on today's GPUs", NULL, 0),
  ROW ("tlb", UMMGR_OPTION_TEXT, tlb, NULL, "512:16",
       "TLB of the GPU, whose hits nobody sees, ENTRIES:WAYS; or none",
       refuse_tlb, 0),
  ROW ("sm-tlb", UMMGR_OPTION_TEXT, sm_tlb, NULL, "128:128",
       "TLB before it of each multiprocessor", refuse_tlb, 0),
  ROW ("json", UMMGR_OPTION_FLAG, json, NULL, NULL, "one JSON object", NULL,
       0),
  ROW ("policy", LIST (NAME), policy, policy_words, NULL,
       "policies of objects, as of ummgr run, on unified memory as a driver "
       "manages it, instead of single pages; best: what none of them can beat", refuse_policy, 0),
  ROW ("device-mem", LIST (SIZE), memory, NULL, NULL,
       "with --policy, memory of the GPU (default: the profile's)", NULL, 0),
  ROW ("scale", UMMGR_OPTION_SCALE, scale, NULL, NULL,
       "with --policy, shrink the machine", NULL, 0),
  ROW ("access-counters", UMMGR_OPTION_SWITCH, access_counters, NULL, "off",
       "with --policy, what the GPU uses over its link often comes to it", NULL, 0),
  ROW ("transfer", UMMGR_OPTION_NAME, transfer, "hybrid explicit implicit",
       "hybrid", "with --policy, how objects get to the device", NULL, 0),
  ROW ("partial", UMMGR_OPTION_NAME, partial, "off on paper policy",
       "policy", "with --policy, place parts of objects", NULL, 0),
  { .name = NULL }
};

static const char doc[]
  = "Replay traces under page replacement policies and count what a GPU with "
    "demand paging of single pages would; or, with --policy, under policies of "
    "objects.\videal is Belady's MIN. Faults, evictions and bytes are counts; "
    "seconds are modelled.";

/* --- output -------------------------------------------------------------- */

struct outcome
{
  const char *file;
  const struct ummgr_page_totals *totals;
  const struct ummgr_replay_machine *machine;
  struct ummgr_replay_case *cases;
  size_t count;
};

/* The case of MIN with the same capacity, or NULL.  */
static const struct ummgr_replay_case *
ideal_of (const struct outcome *o, const struct ummgr_replay_case *c)
{
  for (size_t i = 0; i < o->count; i++)
    if (strcmp (o->cases[i].policy, "ideal") == 0
	&& o->cases[i].capacity == c->capacity)
      return &o->cases[i];
  return NULL;
}

static void
add_case (struct ummgr_table *lines, const struct ummgr_replay_wish *w,
	  const struct outcome *o, size_t i)
{
  const struct ummgr_replay_case *c = &o->cases[i];
  const struct ummgr_replay_case *best = ideal_of (o, c);
  char gap[32] = "-", ratios[64] = "";
  if (best && best->counts.evictions)
    snprintf (gap, sizeof gap, "%+.1f%%",
	      100.0 * c->counts.evictions / best->counts.evictions - 100);
  if (c->has_ratios)
    snprintf (ratios, sizeof ratios, "\t%.2f\t%.2f\t%s", c->ratio1, c->ratio2,
	      c->category);
  ummgr_table_add (lines, "%s\t%s\t%" PRIu64 "\t%" PRIu64 "\t%s\t%" PRIu64
		   "\t%" PRIu64 "\t%.6f%s\n", c->policy,
		   w->capacity.word[i % w->capacity.count], c->counts.faults,
		   c->counts.evictions, gap,
		   c->counts.pages_in * o->totals->page_size,
		   c->counts.pages_out * o->totals->page_size,
		   ummgr_replay_seconds (o->machine, &c->counts, o->totals),
		   ratios);
}

static void
print_text (const struct ummgr_replay_wish *w, const struct outcome *o)
{
  const struct ummgr_page_totals *t = o->totals;
  char path[PATH_MAX];
  printf ("%s: %" PRIu32 " pages of %" PRIu64 " bytes, %" PRIu64 " launches, %"
	  PRIu64 " page accesses by the GPU (%" PRIu64 " more hit the TLB), %"
	  PRIu64 " by the CPU\n", ummgr_utf8_print (path, sizeof path, o->file),
	  t->footprint, t->page_size, t->launches, t->device_events, t->filtered, t->host_events);
  if (t->strange)
    printf ("%" PRIu64 " accesses are in no object that is known\n",
	    t->strange);
  struct ummgr_table lines = { .columns = "lrrrrrrrrrl", .head = true };
  ummgr_table_add (&lines, "policy\tcapacity\tfaults\tevictions\tto ideal\t"
		   "bytes in\tbytes out\tmodelled s\n");
  for (size_t i = 0; i < o->count; i++)
    add_case (&lines, w, o, i);
  ummgr_table_end (&lines, stdout);
}

static json_t *
case_json (const struct ummgr_replay_wish *w, const struct outcome *o, size_t i)
{
  const struct ummgr_replay_case *c = &o->cases[i];
  const struct ummgr_replay_counts *n = &c->counts;
  json_t *j = json_pack (
    "{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:b}",
    "policy", c->policy, "capacity",
    w->capacity.word[i % w->capacity.count], "pages", (json_int_t) c->capacity,
    "faults", (json_int_t) n->faults, "cpu_faults",
    (json_int_t) n->cpu_faults, "evictions", (json_int_t) n->evictions,
    "touches", (json_int_t) n->touches, "h2d_bytes",
    (json_int_t) (n->pages_in * o->totals->page_size), "d2h_bytes",
    (json_int_t) (n->pages_out * o->totals->page_size), "written_bytes",
    (json_int_t) (n->written_out * o->totals->page_size), "model_seconds",
    ummgr_replay_seconds (o->machine, n, o->totals), "full", c->was_full);
  if (j && c->has_ratios)
    {
      /* JSON has no infinity.  */
      json_object_set_new (j, "ratio1", json_real (fmin (c->ratio1, 1e9)));
      json_object_set_new (j, "ratio2", json_real (fmin (c->ratio2, 1e9)));
      json_object_set_new (j, "category", json_string (c->category));
      json_object_set_new (j, "switches", json_integer (c->switches));
      if (c->compared >= 0)
	json_object_set_new (j, "compared", json_real (c->compared));
      if (c->entries >= 0)
	json_object_set_new (j, "entries", json_real (c->entries));
    }
  return j;
}

static json_t *
outcome_json (const struct ummgr_replay_wish *w, const struct outcome *o)
{
  const struct ummgr_page_totals *t = o->totals;
  json_t *j = json_pack (
    "{s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "trace",
    ummgr_json_text (o->file), "profile", ummgr_json_text (w->profile), "page_size", (json_int_t) t->page_size,
    "footprint_pages", (json_int_t) t->footprint, "launches",
    (json_int_t) t->launches, "gpu_events", (json_int_t) t->device_events,
    "cpu_events", (json_int_t) t->host_events, "tlb_hits",
    (json_int_t) t->filtered, "unknown_accesses", (json_int_t) t->strange);
  json_t *rows = json_array ();
  for (size_t i = 0; i < o->count; i++)
    json_array_append_new (rows, case_json (w, o, i));
  json_object_set_new (j, "cases", rows);
  return j;
}

/* --- all ----------------------------------------------------------------- */

static bool
machine_of (const char *profile, struct ummgr_replay_machine *out,
	    uint32_t *sms)
{
  struct ummgr_profile p;
  if (!ummgr_profile_find (profile, &p))
    return false;
  const struct ummgr_figures *d = &p.device[0];
  *out = (struct ummgr_replay_machine) {
    d->memory_rate, d->h2d_rate, d->d2h_rate, d->launch_cost,
    d->gpu_fault_cost + d->gpu_block_cost, d->cpu_fault_cost,
    ummgr_figures_stream (d)
  };
  *sms = d->sm_count;
  return true;
}

static bool
replay_file (const struct ummgr_replay_wish *w, const char *file,
	     const struct ummgr_replay_machine *machine, uint32_t sms,
	     json_t *all)
{
  struct ummgr_page_totals totals;
  struct ummgr_replay_options options = {
    .pages = { .tlb.sms = sms, .device = -1 },
    .hits = *w->hits == 'n' ? UMMGR_REPLAY_HITS_NONE : UMMGR_REPLAY_HITS_WALKS
  };
  parse_tlb (w->tlb, &options.pages.tlb.shared);
  parse_tlb (w->sm_tlb, &options.pages.tlb.own);
  size_t count = w->evict.count * w->capacity.count;
  struct ummgr_replay_case *cases = calloc (count, sizeof *cases);
  if (!cases)
    return false;
  for (size_t i = 0; i < count; i++)
    {
      cases[i].policy = w->evict.word[i / w->capacity.count];
      parse_capacity (w->capacity.word[i % w->capacity.count],
		      &cases[i].part, &cases[i].bytes);
    }
  bool good
    = !ummgr_replay_evict (file, &options, cases, count, &totals);
  struct outcome o = { file, &totals, machine, cases, count };
  if (good && all)
    good = !json_array_append_new (all, outcome_json (w, &o));
  else if (good)
    print_text (w, &o);
  free (cases);
  return good;
}

int
ummgr_replay_put (struct json_t *all, int status)
{
  if (!all)
    return status;
  json_t *j = json_pack ("{s:s, s:o}", "name", "replay", "traces", all);
  return ummgr_json_put (j, 15) ? status : UMMGR_EXIT_FAILURE;
}

int
ummgr_cli_replay (int argc, char **argv)
{
  struct ummgr_replay_wish w = { .scale = 0 };
  struct ummgr_cli_files files = { .what = "trace", .usage = "[TRACE...]",
				    .fallback = ummgr_last_trace };
  if (!ummgr_cli_parse (ummgr_replay_rows, &w, &files, doc, argc, argv))
    return UMMGR_EXIT_FAILURE;
  struct ummgr_cli_paths paths;
  ummgr_cli_find_paths (&paths);
  if (*paths.profiles)
    setenv ("UMMGR_PROFILE_PATH", paths.profiles, 0);
  if (w.policy.count)
    return ummgr_replay_wish_run (&w, files.name, files.count);
  if (!w.profile)
    w.profile = "fermi-hpe";
  if (!w.evict.count)
    ummgr_cli_set (&ummgr_replay_rows[0], &w, ummgr_replay_rows[0].fallback);
  if (!w.capacity.count)
    ummgr_cli_set (&ummgr_replay_rows[1], &w, ummgr_replay_rows[1].fallback);
  struct ummgr_replay_machine machine;
  uint32_t sms;
  if (!machine_of (w.profile, &machine, &sms))
    return UMMGR_EXIT_FAILURE;
  json_t *all = w.json ? json_array () : NULL;
  int status = 0;
  for (int i = 0; i < files.count; i++)
    if (!replay_file (&w, files.name[i], &machine, sms, all))
      status = UMMGR_EXIT_FAILURE;
  return ummgr_replay_put (all, status);
}
