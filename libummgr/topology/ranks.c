/* Processes of one MPI program on one node, and the GPUs that are each one's.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"
#include "topology/ranks.h"
#include "base/log.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

/* MPI's own launchers come first: where one was started by Slurm, Slurm's variables are
   about the launcher.  */
static const struct launcher { const char *number, *count; } launchers[] = {
  { "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE" }, /* Open MPI.  */
  { "MV2_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_SIZE" },	/* MVAPICH2.  */
  { "MPI_LOCALRANKID", "MPI_LOCALNRANKS" },	/* MPICH, Intel MPI (Hydra).  */
  { "PMI_LOCAL_RANK", "PMI_LOCAL_SIZE" },	/* Cray.  */
  { "JSM_NAMESPACE_LOCAL_RANK", "JSM_NAMESPACE_LOCAL_SIZE" } /* IBM's jsrun.  */
};

/* A number at TEXT, and what follows it.  */
static bool
take_number (const char *text, unsigned *out, const char **end_p)
{
  char *end;
  errno = 0;
  unsigned long value = isdigit ((unsigned char) *text) ? strtoul (text, &end, 10) : 0;
  if (!isdigit ((unsigned char) *text) || errno || value > 1u << 20)
    return false;
  *out = (unsigned) value;
  *end_p = end;
  return true;
}

static bool
is_number (const char *text, unsigned *out)
{
  const char *end;
  return take_number (text, out, &end) && !*end;
}

/* The NODE-th of Slurm's "4(x2),3": 4, 4 and 3.  */
static bool
tasks_of_node (const char *text, unsigned node, unsigned *out)
{
  unsigned nodes;
  while (take_number (text, out, &text))
    {
      nodes = 1;
      if (text[0] == '(' && text[1] == 'x'
	  && (!take_number (text + 2, &nodes, &text) || *text++ != ')'))
	return false;
      if (node < nodes)
	return true;
      node -= nodes;
      if (*text++ != ',')
	return false;
    }
  return false;
}

/* How many tasks of a step of Slurm's are on this node; 0: not said.  */
static unsigned
slurm_count (void)
{
  const char *all = getenv ("SLURM_STEP_TASKS_PER_NODE"), *node = getenv ("SLURM_NODEID");
  const char *each = getenv ("SLURM_NTASKS_PER_NODE");
  unsigned number, count;
  if (all && is_number (node ? node : "0", &number) && tasks_of_node (all, number, &count))
    return count;
  return each && is_number (each, &count) ? count : 0;
}

static enum ummgr_status
check (const char *name, const char *value, unsigned count, struct ummgr_rank *out)
{
  if (is_number (value, &out->number) && (!count || out->number < count))
    {
      out->count = count;
      out->seat = out->number;
      return UMMGR_OK;
    }
  if (count)
    ummgr_warn ("--ranks: %s is '%s': expected a number below %u, how many ranks this node "
		"has; no GPUs are shared out (--ranks=off asks for that)", name, value,
		count);
  else
    ummgr_warn ("--ranks: %s is '%s': expected this rank's number on its node; no GPUs are "
		"shared out (--ranks=off asks for that)", name, value);
  return UMMGR_ERR_INVALID;
}

static enum ummgr_status
check_launcher (const struct launcher *launcher, const char *value, struct ummgr_rank *out)
{
  const char *all = getenv (launcher->count);
  unsigned count = 0;
  if (!all || (is_number (all, &count) && count))
    return check (launcher->number, value, count, out);
  ummgr_warn ("--ranks: %s is '%s': expected how many ranks this node has; no GPUs are "
	      "shared out (--ranks=off asks for that)", launcher->count, all);
  return UMMGR_ERR_INVALID;
}

enum ummgr_status
ummgr_rank_find (struct ummgr_rank *out)
{
  for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
    {
      const char *value = getenv (launchers[i].number);
      if (value)
	return check_launcher (&launchers[i], value, out);
    }
  /* A batch script has SLURM_LOCALID, too, and is in no step.  */
  const char *task = getenv ("SLURM_LOCALID");
  bool step = getenv ("SLURM_STEP_ID") || getenv ("SLURM_STEPID");
  return task && step ? check ("SLURM_LOCALID", task, slurm_count (), out)
	 : UMMGR_ERR_UNSUPPORTED;
}

/* Is the rank NUMBER bound to NODE in blocks of EACH; in turn?  */
static bool
in_block (unsigned number, unsigned each, unsigned node)
{
  return number / each == node;
}

static bool
in_turn (unsigned number, unsigned nodes, unsigned node)
{
  return number % nodes == node;
}

void
ummgr_rank_sit (struct ummgr_rank *rank, unsigned nodes, unsigned node)
{
  unsigned each = nodes ? rank->count / nodes : 0, number = rank->number;
  if (nodes < 2 || !each || rank->count % nodes || in_block (number, each, node)
      || !in_turn (number, nodes, node))
    return;
  /* In turn.  The ranks of this node that could be there by blocks, too, have taken the seats
     of their numbers: the others take what is left, in order.  */
  unsigned before = 0, seat = node * each;
  for (unsigned r = node; r < number; r += nodes)
    before += !in_block (r, each, node);
  while (in_turn (seat, nodes, node) || before-- > 0)
    seat++;
  rank->seat = seat;
}

/* How many of T's GPUs are at its node N.  */
static unsigned
gpus_at (const struct ummgr_topology *t, unsigned n)
{
  unsigned count = 0;
  for (unsigned g = 0; g < t->gpus; g++)
    count += t->gpu[g].node == (int) n;
  return count;
}

bool
ummgr_rank_node (const struct ummgr_topology *t, int launcher, unsigned *nodes_p,
		 unsigned *node_p)
{
  cpu_set_t own, all, common;
  unsigned nodes = 0, found = 0, gpus = 0;
  if (sched_getaffinity (0, sizeof own, &own) != 0
      || sched_getaffinity (launcher, sizeof all, &all) != 0)
    return false;
  for (unsigned n = 0; n < t->nodes; n++)
    {
      if (CPU_COUNT (&t->node[n].cpus) == 0)
	continue;
      CPU_AND (&common, &t->node[n].cpus, &all);
      if (CPU_COUNT (&common) == 0 || (nodes > 0 && gpus_at (t, n) != gpus))
	return false;
      gpus = gpus_at (t, n);
      CPU_AND (&common, &t->node[n].cpus, &own);
      if (CPU_COUNT (&common) > 0)
	{
	  found++;
	  *node_p = nodes;
	}
      nodes++;
    }
  *nodes_p = nodes;
  return found == 1 && gpus > 0 && gpus * nodes == t->gpus;
}

struct ummgr_rank_share
ummgr_rank_share (const struct ummgr_rank *rank, unsigned gpus)
{
  uint64_t r = rank->seat, n = rank->count;
  if (!n)
    return (struct ummgr_rank_share) { (unsigned) (r % gpus), 1 };
  unsigned first = (unsigned) (r * gpus / n), end = (unsigned) ((r + 1) * gpus / n);
  return (struct ummgr_rank_share) { first, end > first ? end - first : 1 };
}

bool
ummgr_rank_has (unsigned device)
{
  const char *at = getenv (UMMGR_RANK_GPUS);
  unsigned one;
  bool found = false;
  while (at && take_number (at, &one, &at))
    {
      found |= one == device;
      if (!*at)
	return found;
      if (*at++ != ',')
	break;
    }
  return true;
}

void
ummgr_rank_order (const struct ummgr_topology *t, unsigned *order)
{
  unsigned n = 0;
  for (int node = 0; node <= (int) t->nodes; node++)
    for (unsigned g = 0; g < t->gpus; g++)
      if (t->gpu[g].node == (node < (int) t->nodes ? node : -1))
	order[n++] = g;
}
