/* `ummgr replay`: a recorded run with other replacement policies and sizes.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Every combination of --evict and --capacity is tried on each trace, in one
   pass.  No state.  */

#include "config.h"
#include "cli/replay.h"

#include "cli/cli.h"
#include "base/log.h"
#include "paging/paging.h"
#include "replay/evict.h"
#include "device/profile.h"
#include "base/utf8.h"

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_JSON = 256, KEY_HITS, KEY_TLB };

struct arguments
{
  struct ummgr_replay_wish wish;
  const char *evict[LIST_MOST];
  size_t evict_count;
  struct { double part; uint64_t bytes; const char *text; }
    capacity[LIST_MOST];
  size_t capacity_count;
  struct ummgr_replay_options options;
  char **files;
  int file_count;
};

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

static const char evict_known[] = ""
#define UMMGR_PAGING(NAME) #NAME " "
#define UMMGR_PAGING_VARIANT(NAME, WORD) WORD " "
#include "paging/paging.def"
  "ideal";

static void
add_evict (struct argp_state *state, struct arguments *a, char *list)
{
  char *rest;
  for (char *name = strtok_r (list, ",", &rest); name;
       name = strtok_r (NULL, ",", &rest))
    {
      if (strcmp (name, "ideal") != 0 && !ummgr_paging_find (name))
	argp_error (state, "--evict=%s: unknown policy (known: %s)", name,
		    evict_known);
      else if (a->evict_count == LIST_MOST)
	argp_error (state, "--evict: more than %d policies", LIST_MOST);
      else
	a->evict[a->evict_count++] = name;
    }
  if (!a->evict_count)
    argp_error (state, "--evict: no policy given");
}

static void
add_capacity (struct argp_state *state, struct arguments *a, char *list)
{
  char *rest;
  for (char *text = strtok_r (list, ",", &rest); text;
       text = strtok_r (NULL, ",", &rest))
    {
      double part;
      uint64_t bytes;
      if (!parse_capacity (text, &part, &bytes))
	argp_error (state, "--capacity=%s: a part of the footprint is needed, "
		    "such as 75%%, or a size, such as 64M", text);
      else if (a->capacity_count == LIST_MOST)
	argp_error (state, "--capacity: more than %d", LIST_MOST);
      else
	{
	  a->capacity[a->capacity_count].part = part;
	  a->capacity[a->capacity_count].bytes = bytes;
	  a->capacity[a->capacity_count++].text = text;
	}
    }
  if (!a->capacity_count)
    argp_error (state, "--capacity: none given");
}

static void
set_tlb (struct argp_state *state, struct arguments *a, const char *text)
{
  unsigned entries, ways;
  char more;
  struct ummgr_page_options *p = &a->options.pages;
  if (strcmp (text, "none") == 0)
    p->tlb_entries = p->tlb_ways = 0;
  else if (sscanf (text, "%u:%u%c", &entries, &ways, &more) == 2 && ways
	   && ways <= 64 && entries && entries <= 1 << 20
	   && entries % ways == 0)
    {
      p->tlb_entries = entries;
      p->tlb_ways = ways;
    }
  else
    argp_error (state, "--tlb=%s: none, or ENTRIES:WAYS is needed, such as "
		"512:16", text);
}

static error_t
parse_one (int key, char *argument, struct argp_state *state)
{
  struct arguments *a = state->input;
  error_t handled = ummgr_replay_wish_parse (&a->wish, key, argument, state);
  if (handled != ARGP_ERR_UNKNOWN)
    return handled;
  switch (key)
    {
    case 'e':
      add_evict (state, a, argument);
      return 0;
    case 'c':
      add_capacity (state, a, argument);
      return 0;
    case KEY_JSON:
      a->wish.json = true;
      return 0;
    case KEY_TLB:
      set_tlb (state, a, argument);
      return 0;
    case KEY_HITS:
      if (strcmp (argument, "none") && strcmp (argument, "walks"))
	argp_error (state, "--hits=%s: none or walks", argument);
      a->options.hits = *argument == 'n' ? UMMGR_REPLAY_HITS_NONE
			: UMMGR_REPLAY_HITS_WALKS;
      return 0;
    case ARGP_KEY_ARGS:
      a->files = state->argv + state->next;
      a->file_count = state->argc - state->next;
      return 0;
    case ARGP_KEY_NO_ARGS:
      argp_error (state, "no trace given");
      return EINVAL;
    default:
      return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
  { "evict", 'e', "NAME,...", 0, "replacement policies (lru,hpe,ideal)", 0 },
  { "capacity", 'c', "PART,...", 0,
    "memory of the GPU: parts of the footprint or sizes (75%,50%)", 0 },
  { "profile", 'p', "NAME", 0, "machine that is modelled (fermi-hpe; with "
    "--policy that of the recorded run)", 0 },
  { "hits", KEY_HITS, "WHAT", 0, "what policies see of accesses to pages that "
    "are there: walks (what the TLB does not serve) or none, as on today's "
    "GPUs (walks)", 0 },
  { "tlb", KEY_TLB, "ENTRIES:WAYS", 0,
    "TLB of the GPU, whose hits nobody sees; or none (512:16)", 0 },
  { "json", KEY_JSON, NULL, 0, "one JSON object", 0 },
  { NULL, 0, NULL, 0, "Policies of objects, on unified memory as a driver "
    "manages it, instead of single pages:", 1 },
  { "policy", UMMGR_REPLAY_POLICY, "NAME,...", 0,
    "policies, as of ummgr run; --evict then chooses how the driver evicts "
    "(lru)", 1 },
  { "device-mem", UMMGR_REPLAY_MEMORY, "SIZE,...", 0,
    "memory of the GPU (the profile's)", 1 },
  { "scale", UMMGR_REPLAY_SCALE, "1/N", 0, "shrink the machine", 1 },
  { "transfer", UMMGR_REPLAY_TRANSFER, "HOW", 0,
    "hybrid, explicit or implicit (hybrid)", 1 },
  { "partial", UMMGR_REPLAY_PARTIAL, "HOW", 0, "off, on or paper (off)", 1 },
  { 0 }
};

static const struct argp argp = {
  .options = options, .parser = parse_one, .args_doc = "TRACE...",
  .doc = "Replay traces under page replacement policies and count what a GPU "
    "with demand paging of single pages would; or, with --policy, under "
    "policies of objects.\videal is Belady's MIN. Faults, "
    "evictions and bytes are counts; seconds are modelled."
};

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
print_case (const struct arguments *a, const struct outcome *o, size_t i)
{
  const struct ummgr_replay_case *c = &o->cases[i];
  const struct ummgr_replay_case *best = ideal_of (o, c);
  char gap[32] = "-", ratios[32] = "";
  if (best && best->counts.evictions)
    snprintf (gap, sizeof gap, "%+.1f%%",
	      100.0 * c->counts.evictions / best->counts.evictions - 100);
  if (c->has_ratios)
    snprintf (ratios, sizeof ratios, "  %.2f %.2f %s", c->ratio1, c->ratio2,
	      c->category);
  printf ("%-14s %8s %12" PRIu64 " %12" PRIu64 " %9s %14" PRIu64 " %14" PRIu64
	  " %12.6f%s\n", c->policy, a->capacity[i % a->capacity_count].text,
	  c->counts.faults, c->counts.evictions, gap,
	  c->counts.pages_in * o->totals->page_size,
	  c->counts.pages_out * o->totals->page_size,
	  ummgr_replay_seconds (o->machine, &c->counts, o->totals), ratios);
}

static void
print_text (const struct arguments *a, const struct outcome *o)
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
  printf ("%-14s %8s %12s %12s %9s %14s %14s %12s\n", "policy", "capacity",
	  "faults", "evictions", "to ideal", "bytes in", "bytes out",
	  "modelled s");
  for (size_t i = 0; i < o->count; i++)
    print_case (a, o, i);
}

static json_t *
case_json (const struct arguments *a, const struct outcome *o, size_t i)
{
  const struct ummgr_replay_case *c = &o->cases[i];
  const struct ummgr_replay_counts *n = &c->counts;
  json_t *j = json_pack (
    "{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:b}",
    "policy", c->policy, "capacity",
    a->capacity[i % a->capacity_count].text, "pages", (json_int_t) c->capacity,
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
      json_object_set_new (j, "ratio1",
			   json_real (c->ratio1 < 1e9 ? c->ratio1 : 1e9));
      json_object_set_new (j, "ratio2",
			   json_real (c->ratio2 < 1e9 ? c->ratio2 : 1e9));
      json_object_set_new (j, "category", json_string (c->category));
      json_object_set_new (j, "switches", json_integer (c->switches));
    }
  return j;
}

static json_t *
outcome_json (const struct arguments *a, const struct outcome *o)
{
  const struct ummgr_page_totals *t = o->totals;
  json_t *j = json_pack (
    "{s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "trace",
    ummgr_json_text (o->file), "profile", ummgr_json_text (a->wish.profile), "page_size", (json_int_t) t->page_size,
    "footprint_pages", (json_int_t) t->footprint, "launches",
    (json_int_t) t->launches, "gpu_events", (json_int_t) t->device_events,
    "cpu_events", (json_int_t) t->host_events, "tlb_hits",
    (json_int_t) t->filtered, "unknown_accesses", (json_int_t) t->strange);
  json_t *rows = json_array ();
  for (size_t i = 0; i < o->count; i++)
    json_array_append_new (rows, case_json (a, o, i));
  json_object_set_new (j, "cases", rows);
  return j;
}

/* --- all ----------------------------------------------------------------- */

static bool
machine_of (const char *profile, struct ummgr_replay_machine *out)
{
  struct ummgr_profile p;
  if (!ummgr_profile_find (profile, &p))
    return false;
  const struct ummgr_figures *d = &p.device[0];
  *out = (struct ummgr_replay_machine) {
    d->memory_rate, d->h2d_rate, d->d2h_rate, d->launch_cost,
    d->gpu_fault_cost, d->cpu_fault_cost, d->fault_batch
  };
  return true;
}

static bool
replay_file (const struct arguments *a, const char *file,
	     const struct ummgr_replay_machine *machine, json_t *all)
{
  struct ummgr_page_totals totals;
  size_t count = a->evict_count * a->capacity_count;
  struct ummgr_replay_case *cases = calloc (count, sizeof *cases);
  if (!cases)
    return false;
  for (size_t i = 0; i < count; i++)
    {
      size_t c = i % a->capacity_count;
      cases[i].policy = a->evict[i / a->capacity_count];
      cases[i].part = a->capacity[c].part;
      cases[i].bytes = a->capacity[c].bytes;
    }
  bool good
    = !ummgr_replay_evict (file, &a->options, cases, count, &totals);
  struct outcome o = { file, &totals, machine, cases, count };
  if (good && all)
    good = !json_array_append_new (all, outcome_json (a, &o));
  else if (good)
    print_text (a, &o);
  free (cases);
  return good;
}

int
ummgr_cli_replay (int argc, char **argv)
{
  static char evict[] = "lru,hpe,ideal", capacity[] = "75%,50%";
  struct arguments a = {
    .options = {
      .pages = { .tlb_entries = 512, .tlb_ways = 16, .device = -1,
		 .progress = true },
      .hits = UMMGR_REPLAY_HITS_WALKS
    }
  };
  argp_err_exit_status = UMMGR_EXIT_FAILURE;
  if (argp_parse (&argp, argc, argv, 0, NULL, &a))
    return UMMGR_EXIT_FAILURE;
  struct ummgr_cli_paths paths;
  ummgr_cli_find_paths (&paths);
  if (*paths.profiles)
    setenv ("UMMGR_PROFILE_PATH", paths.profiles, 0);
  if (a.wish.policy_count)
    {
      a.wish.evict = a.evict_count ? a.evict[0] : "lru";
      return ummgr_replay_wish_run (&a.wish, a.files, a.file_count);
    }
  if (!a.wish.profile)
    a.wish.profile = "fermi-hpe";
  if (!a.evict_count)
    add_evict (NULL, &a, evict);
  if (!a.capacity_count)
    add_capacity (NULL, &a, capacity);
  struct ummgr_replay_machine machine;
  if (!machine_of (a.wish.profile, &machine))
    return UMMGR_EXIT_FAILURE;
  json_t *all = a.wish.json ? json_array () : NULL;
  int status = 0;
  for (int i = 0; i < a.file_count; i++)
    if (!replay_file (&a, a.files[i], &machine, all))
      status = UMMGR_EXIT_FAILURE;
  if (all)
    {
      json_t *j = json_pack ("{s:s, s:o}", "name", "replay", "traces", all);
      if (!ummgr_json_put (j, 15))
	status = UMMGR_EXIT_FAILURE;
    }
  return status;
}
