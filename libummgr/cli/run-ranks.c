/* `ummgr run' as one of several ranks of MPI on a node: which GPU is its program's.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The program gets a default device, as OpenMP has a variable for that: all GPUs stay
   visible, so that MPI reaches those of others, and a program that chooses for itself has
   its choice.  */

#include "config.h"
#include "cli/run.h"
#include "cli/info.h"
#include "base/log.h"
#include "base/output.h"
#include "base/world.h"
#include "topology/near.h"
#include "topology/ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GPUS = UMMGR_TOPOLOGY_GPUS };

struct sharing
{
  struct ummgr_rank rank;
  unsigned gpus;
  unsigned order[GPUS];
};

static unsigned
count_words (const char *list)
{
  unsigned n = *list != 0;
  for (; *list; list++)
    n += *list == ',';
  return n;
}

/* Slurm names a job's GPUs to each task.  That says which a task may use, and not which it
   shall, unless it names a part of them.  */
static bool
is_all_of_slurm (const char *visible)
{
  const char *all = getenv ("SLURM_GPUS_ON_NODE");
  return all && count_words (visible) > 1
	 && count_words (visible) == strtoul (all, NULL, 10);
}

/* Has the user, or the launcher, chosen already?  Then by what.  */
static const char *
chosen_by (void)
{
  const char *visible = getenv ("CUDA_VISIBLE_DEVICES");
  if (getenv ("OMP_DEFAULT_DEVICE"))
    return "OMP_DEFAULT_DEVICE";
  return visible && !is_all_of_slurm (visible) ? "CUDA_VISIBLE_DEVICES" : NULL;
}

/* This rank runs at one node, and its GPU is at another.  */
static void
say_far (const struct ummgr_topology *t, const struct sharing *s, unsigned gpu)
{
  cpu_set_t allowed, near;
  const struct ummgr_topology_gpu *g = &t->gpu[gpu];
  if (g->node < 0 || sched_getaffinity (0, sizeof allowed, &allowed) != 0)
    return;
  CPU_AND (&near, &allowed, &g->cpus);
  if (CPU_COUNT (&near) == 0)
    ummgr_warn ("run: --ranks: GPU %u is rank %u's, which runs on CPUs %s, while those near "
		"that GPU are %s: bind ranks to NUMA nodes in blocks or in turn, or set "
		"CUDA_VISIBLE_DEVICES", gpu, s->rank.number,
		ummgr_topology_cpus (&allowed).text, ummgr_topology_cpus (&g->cpus).text);
}

/* Simulated GPUs are nowhere, and in order.  Of others those of a node are side by side, and
   ranks that are bound sit in that order.  */
static void
choose_order (const struct ummgr_run *run, struct sharing *s)
{
  for (unsigned i = 0; i < s->gpus; i++)
    s->order[i] = i;
  struct ummgr_topology *t = run->simulated ? NULL : malloc (sizeof *t);
  if (t && s->gpus > 1 && ummgr_info_load_topology (t, false) == UMMGR_OK
      && ummgr_near_applies (t) && ummgr_info_real_gpus (t) && t->gpus == s->gpus)
    {
      unsigned nodes, node;
      ummgr_rank_order (t, s->order);
      if (ummgr_rank_node (t, getppid (), &nodes, &node))
	ummgr_rank_sit (&s->rank, nodes, node);
      say_far (t, s, s->order[ummgr_rank_share (&s->rank, s->gpus).first]);
    }
  free (t);
}

/* "2,3".  */
struct list { char text[GPUS * 4]; };

static struct list
list_of (const struct sharing *s)
{
  struct list out = { "" };
  struct ummgr_rank_share share = ummgr_rank_share (&s->rank, s->gpus);
  size_t at = 0;
  for (unsigned i = 0; i < share.count; i++)
    at += (size_t) snprintf (out.text + at, sizeof out.text - at, "%s%u", i ? "," : "",
			     s->order[share.first + i]);
  return out;
}

/* The lowest rank speaks for all of its node.  It doesn't know which GPUs others have who
   are bound elsewhere.  */
static void
say_shares (const struct ummgr_run *run, const struct sharing *s)
{
  unsigned ranks = s->rank.count, gpus = s->gpus, least = ranks ? gpus / ranks : 0;
  char who[16] = "the", each[32] = "one";
  ummgr_info ("run: --ranks: rank %u has GPU %s", s->rank.number, list_of (s).text);
  if (run->silent || s->rank.number != 0)
    return;
  if (ranks)
    snprintf (who, sizeof who, "%u", ranks);
  if (least)
    snprintf (each, sizeof each, "%u%s", least, gpus % ranks ? " or more" : "");
  fprintf (stderr, "ummgr: %s rank%s on this node have %s of its %u GPU%s each, this one %s "
	   "(default devices; --ranks=off leaves that to the program)\n", who,
	   ranks == 1 ? "" : "s", each, gpus, gpus == 1 ? "" : "s", list_of (s).text);
}

static void
say_crowded (const struct ummgr_run *run, const struct sharing *s)
{
  unsigned ranks = s->rank.count, most = (ranks + s->gpus - 1) / s->gpus;
  if (run->quiet || s->rank.number != 0 || ranks <= s->gpus)
    return;
  ummgr_warn ("run: --ranks: %u ranks on this node have %u GPU%s, up to %u each: they share "
	      "its memory and wait for each other%s; start as many ranks a node as it has "
	      "GPUs, or run NVIDIA's MPS and give each rank a part with --device-mem",
	      ranks, s->gpus, s->gpus == 1 ? "" : "s", most,
	      run->simulated ? " (each simulates GPUs of its own, though)" : "");
}

/* NAME's files, with %r for the rank's number, after WORDS; an asterisk for it if NAME is asked for
   by its PATTERN.  */
static void
put_name (FILE *out, const char *words, const char *name, bool pattern)
{
  char *ranked = name ? ummgr_output_for_rank (name) : NULL;
  const char *number = ranked ? strstr (ranked, "%r") : NULL;
  if (number && pattern)
    fprintf (out, "%s%.*s*%s", words, (int) (number - ranked), ranked, number + 2);
  else if (number)
    fprintf (out, "%s%s", words, ranked);
  free (ranked);
}

void
ummgr_run_say_ranks (const struct ummgr_run *run)
{
  const struct ummgr_options *o = &run->options;
  struct ummgr_world world;
  char *text = NULL, *names = NULL;
  size_t size;
  if (run->silent || !ummgr_world_find (&world) || world.count < 2)
    return;
  FILE *out = open_memstream (&names, &size);
  if (!out)
    return;
  put_name (out, ", ", o->stats, false);
  put_name (out, ", ", o->report, false);
  put_name (out, ", ", o->trace, false);
  fclose (out);
  out = open_memstream (&text, &size);
  if (out)
    {
      fprintf (out, "ummgr: %u ranks, policy %s; rank 0 speaks for all", world.count, o->policy);
      if (*names)
	fprintf (out, "; each has files of its own: %s (%%r is its number)", names + 2);
      put_name (out, "; all as one run: ummgr report ", o->stats, true);
      fclose (out);
      fprintf (stderr, "%s\n", text);
    }
  free (text);
  free (names);
}

/* For what divides work among a rank's GPUs, too.  */
static bool
set_default (const struct sharing *s)
{
  char first[16];
  snprintf (first, sizeof first, "%u",
	    s->order[ummgr_rank_share (&s->rank, s->gpus).first]);
  return setenv ("OMP_DEFAULT_DEVICE", first, 1) == 0
	 && setenv (UMMGR_RANK_GPUS, list_of (s).text, 1) == 0;
}

int
ummgr_run_share (struct ummgr_run *run, unsigned gpus)
{
  struct sharing s = { .gpus = gpus < GPUS ? gpus : GPUS };
  const char *chosen = chosen_by ();
  if (gpus == 0 || strcmp (run->options.ranks, "off") == 0
      || ummgr_rank_find (&s.rank) != UMMGR_OK)
    return 0;
  if (chosen)
    {
      ummgr_info ("run: --ranks: %s is set, and stands", chosen);
      return 0;
    }
  choose_order (run, &s);
  say_shares (run, &s);
  say_crowded (run, &s);
  if (set_default (&s))
    return 0;
  ummgr_error ("run: can't set up the environment: out of memory");
  return UMMGR_EXIT_FAILURE;
}
