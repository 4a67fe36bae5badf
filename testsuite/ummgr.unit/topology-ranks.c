/* Ranks that leave a GPU idle, crowd on one while another has fewer, take what is another's,
   or go to GPUs of another node than theirs; a launcher's variables that are overlooked, or believed where they make no
   sense.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "base/log.h"
#include "topology/ranks.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 40 };

/* What N ranks have of G GPUs, with each GPU's ranks and each rank's GPUs counted.  */
static void
check_shares (unsigned n, unsigned g)
{
  unsigned users[MOST] = { 0 }, least = MOST, greatest = 0, next = 0;
  unsigned fewest = MOST, most = 0;
  for (unsigned r = 0; r < n; r++)
    {
      const struct ummgr_rank rank = { r, n, r };
      struct ummgr_rank_share share = ummgr_rank_share (&rank, g);
      CHECK (share.count > 0 && share.first + share.count <= g);
      /* In order, and side by side.  */
      CHECK (share.first == next || (n > g && share.first + 1 == next));
      next = share.first + share.count;
      for (unsigned i = 0; i < share.count; i++)
	users[share.first + i]++;
      fewest = share.count < fewest ? share.count : fewest;
      most = share.count > most ? share.count : most;
    }
  for (unsigned i = 0; i < g; i++)
    {
      least = users[i] < least ? users[i] : least;
      greatest = users[i] > greatest ? users[i] : greatest;
    }
  CHECK (least > 0 && greatest - least <= 1 && most - fewest <= 1);
  CHECK (n > g || greatest == 1);
  CHECK (n < g || most == 1);
}

/* The same where nobody knows how many there are.  */
static void
check_turns (unsigned n, unsigned g)
{
  unsigned users[MOST] = { 0 };
  for (unsigned r = 0; r < n; r++)
    {
      const struct ummgr_rank rank = { r, 0, r };
      struct ummgr_rank_share share = ummgr_rank_share (&rank, g);
      CHECK (share.count == 1 && share.first < g);
      users[share.first]++;
    }
  for (unsigned i = 0; i < g; i++)
    CHECK (users[i] == n / g + (i < n % g));
}

/* Ranks EACH to a node, bound as TURN says: no seat is taken twice, and each has one of its
   node's.  */
static void
check_seats (unsigned nodes, unsigned each, bool turn)
{
  bool taken[MOST * MOST] = { false };
  for (unsigned r = 0; r < nodes * each; r++)
    {
      struct ummgr_rank rank = { r, nodes * each, r };
      unsigned node = turn ? r % nodes : r / each;
      ummgr_rank_sit (&rank, nodes, node);
      CHECK (rank.seat < nodes * each && rank.seat / each == node && !taken[rank.seat]);
      taken[rank.seat] = true;
    }
}

/* Ranks that are bound otherwise, or more to one node than to another, keep their numbers.  */
static void
check_seats_kept (void)
{
  struct ummgr_rank rank = { 1, 5, 1 };
  ummgr_rank_sit (&rank, 2, 1);
  CHECK_EQ (rank.seat, 1);
  rank = (struct ummgr_rank) { 1, 4, 1 };
  ummgr_rank_sit (&rank, 4, 2);
  CHECK_EQ (rank.seat, 1);
  rank = (struct ummgr_rank) { 3, 0, 3 };
  ummgr_rank_sit (&rank, 2, 1);
  CHECK_EQ (rank.seat, 3);
}

/* { variable, value }..., and what they say: UNSUPPORTED and INVALID have no rank.  */
static const struct
{
  const char *set[6][2];
  enum ummgr_status status;
  unsigned number, count;
} cases[] = {
  { { { NULL } }, UMMGR_ERR_UNSUPPORTED, 0, 0 },
  { { { "OMPI_COMM_WORLD_LOCAL_RANK", "2" }, { "OMPI_COMM_WORLD_LOCAL_SIZE", "4" } },
    UMMGR_OK, 2, 4 },
  { { { "MV2_COMM_WORLD_LOCAL_RANK", "0" }, { "MV2_COMM_WORLD_LOCAL_SIZE", "1" } },
    UMMGR_OK, 0, 1 },
  { { { "MPI_LOCALRANKID", "7" }, { "MPI_LOCALNRANKS", "8" } }, UMMGR_OK, 7, 8 },
  { { { "PMI_LOCAL_RANK", "3" } }, UMMGR_OK, 3, 0 },
  { { { "JSM_NAMESPACE_LOCAL_RANK", "1" }, { "JSM_NAMESPACE_LOCAL_SIZE", "2" } },
    UMMGR_OK, 1, 2 },
  { { { "SLURM_LOCALID", "1" }, { "SLURM_NTASKS_PER_NODE", "4" },
      { "SLURM_STEP_ID", "0" } }, UMMGR_OK, 1, 4 },
  /* The batch script itself.  */
  { { { "SLURM_LOCALID", "0" }, { "SLURM_NTASKS_PER_NODE", "4" } },
    UMMGR_ERR_UNSUPPORTED, 0, 0 },
  { { { "SLURM_LOCALID", "2" }, { "SLURM_STEP_TASKS_PER_NODE", "4(x2),3" },
      { "SLURM_NODEID", "2" }, { "SLURM_STEPID", "0" } }, UMMGR_OK, 2, 3 },
  { { { "SLURM_LOCALID", "3" }, { "SLURM_STEP_TASKS_PER_NODE", "4(x2),3" },
      { "SLURM_NODEID", "1" }, { "SLURM_STEP_ID", "0" } }, UMMGR_OK, 3, 4 },
  { { { "SLURM_LOCALID", "5" }, { "SLURM_STEP_TASKS_PER_NODE", "4(x" },
      { "SLURM_STEP_ID", "0" } }, UMMGR_OK, 5, 0 },
  { { { "SLURM_LOCALID", "5" }, { "SLURM_STEP_TASKS_PER_NODE", "4(x2)3" },
      { "SLURM_NODEID", "2" }, { "SLURM_STEP_ID", "0" } }, UMMGR_OK, 5, 0 },
  { { { "SLURM_LOCALID", "2" }, { "SLURM_STEP_TASKS_PER_NODE", "4(x2),5,3" },
      { "SLURM_NODEID", "3" }, { "SLURM_STEP_ID", "0" } }, UMMGR_OK, 2, 3 },
  { { { "MPI_LOCALRANKID", "10" }, { "MPI_LOCALNRANKS", "12" } }, UMMGR_OK, 10, 12 },
  /* Slurm started mpirun's daemons, and those this.  */
  { { { "SLURM_LOCALID", "0" }, { "SLURM_STEP_ID", "0" },
      { "OMPI_COMM_WORLD_LOCAL_RANK", "1" }, { "OMPI_COMM_WORLD_LOCAL_SIZE", "2" } },
    UMMGR_OK, 1, 2 },
  { { { "OMPI_COMM_WORLD_LOCAL_RANK", "4" }, { "OMPI_COMM_WORLD_LOCAL_SIZE", "4" } },
    UMMGR_ERR_INVALID, 0, 0 },
  { { { "OMPI_COMM_WORLD_LOCAL_RANK", "-1" }, { "OMPI_COMM_WORLD_LOCAL_SIZE", "4" } },
    UMMGR_ERR_INVALID, 0, 0 },
  { { { "MPI_LOCALRANKID", "1x" } }, UMMGR_ERR_INVALID, 0, 0 },
  { { { "MPI_LOCALRANKID", "" } }, UMMGR_ERR_INVALID, 0, 0 },
  { { { "MPI_LOCALRANKID", "99999999999999999999" } }, UMMGR_ERR_INVALID, 0, 0 },
  { { { "MPI_LOCALRANKID", "0" }, { "MPI_LOCALNRANKS", "0" } }, UMMGR_ERR_INVALID, 0, 0 },
  { { { "SLURM_LOCALID", "4" }, { "SLURM_NTASKS_PER_NODE", "4" },
      { "SLURM_STEP_ID", "0" } }, UMMGR_ERR_INVALID, 0, 0 }
};

static void
check_variables (void)
{
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      struct ummgr_rank rank = { 99, 99 };
      clearenv ();
      for (int j = 0; j < 6 && cases[i].set[j][0]; j++)
	CHECK (setenv (cases[i].set[j][0], cases[i].set[j][1], 1) == 0);
      CHECK_EQ (ummgr_rank_find (&rank), cases[i].status);
      if (cases[i].status == UMMGR_OK)
	{
	  CHECK_EQ (rank.number, cases[i].number);
	  CHECK_EQ (rank.count, cases[i].count);
	  CHECK_EQ (rank.seat, cases[i].number);
	}
    }
}

/* GPUs of one node side by side; those that are nowhere come last.  */
static void
check_order (void)
{
  static struct ummgr_topology t = { .nodes = 2, .gpus = 5 };
  static const int nodes[] = { 1, -1, 0, 1, 0 };
  static const unsigned expected[] = { 2, 4, 0, 3, 1 };
  unsigned order[UMMGR_TOPOLOGY_GPUS];
  for (unsigned i = 0; i < t.gpus; i++)
    t.gpu[i].node = nodes[i];
  ummgr_rank_order (&t, order);
  CHECK (memcmp (order, expected, sizeof expected) == 0);
}

/* Nodes of one processor each of those of this process, the first COUNT, with GPUs.  */
static void
make_nodes (struct ummgr_topology *t, const cpu_set_t *all, unsigned count, unsigned gpus)
{
  memset (t, 0, sizeof *t);
  for (int cpu = 0; cpu < CPU_SETSIZE && t->nodes < count; cpu++)
    if (CPU_ISSET (cpu, all))
      CPU_SET (cpu, &t->node[t->nodes++].cpus);
  for (t->gpus = 0; t->gpus < gpus; t->gpus++)
    t->gpu[t->gpus].node = (int) (t->gpus % count);
}

/* A launcher that may run anywhere, the first thread, has bound this one.  */
static void *
check_node (void *unused)
{
  static struct ummgr_topology t;
  cpu_set_t all;
  unsigned nodes, node;
  CHECK (sched_getaffinity (0, sizeof all, &all) == 0);
  if (CPU_COUNT (&all) < 2)
    return unused;
  make_nodes (&t, &all, 2, 4);
  CHECK (!ummgr_rank_node (&t, getpid (), &nodes, &node));
  CHECK (sched_setaffinity (0, sizeof all, &t.node[1].cpus) == 0);
  CHECK (ummgr_rank_node (&t, getpid (), &nodes, &node) && nodes == 2 && node == 1);
  CHECK (!ummgr_rank_node (&t, gettid (), &nodes, &node));
  /* GPUs of which one is nowhere; more at one node than at the other; none.  */
  t.gpu[0].node = -1;
  CHECK (!ummgr_rank_node (&t, getpid (), &nodes, &node));
  make_nodes (&t, &all, 2, 3);
  CHECK (!ummgr_rank_node (&t, getpid (), &nodes, &node));
  make_nodes (&t, &all, 2, 0);
  CHECK (!ummgr_rank_node (&t, getpid (), &nodes, &node));
  /* Memory alone between them counts for none.  */
  make_nodes (&t, &all, 2, 2);
  t.node[2] = t.node[1];
  CPU_ZERO (&t.node[1].cpus);
  t.nodes = 3;
  t.gpu[1].node = 2;
  CHECK (ummgr_rank_node (&t, getpid (), &nodes, &node) && nodes == 2 && node == 1);
  return unused;
}

/* What isn't a list allows all.  */
static void
check_share_given (void)
{
  static const struct { const char *list; bool has[4]; } given[] = {
    { NULL, { true, true, true, true } }, { "0", { true, false, false, false } },
    { "1,2", { false, true, true, false } }, { "3,0", { true, false, false, true } },
    { "", { true, true, true, true } }, { "1,", { true, true, true, true } },
    { "1;2", { true, true, true, true } }, { "all", { true, true, true, true } }
  };
  for (size_t i = 0; i < sizeof given / sizeof *given; i++)
    {
      clearenv ();
      CHECK (!given[i].list || setenv (UMMGR_RANK_GPUS, given[i].list, 1) == 0);
      for (unsigned d = 0; d < 4; d++)
	CHECK_EQ (ummgr_rank_has (d), given[i].has[d]);
    }
}

int
main (void)
{
  ummgr_log_level = UMMGR_LOG_ERROR;
  for (unsigned n = 1; n <= MOST; n++)
    for (unsigned g = 1; g <= MOST; g++)
      {
	check_shares (n, g);
	check_turns (n, g);
      }
  for (unsigned nodes = 1; nodes <= 12; nodes++)
    for (unsigned each = 1; each <= 12; each++)
      {
	check_seats (nodes, each, false);
	check_seats (nodes, each, true);
      }
  check_seats_kept ();
  check_variables ();
  check_share_given ();
  check_order ();
  pthread_t thread;
  CHECK (pthread_create (&thread, NULL, check_node, NULL) == 0
	 && pthread_join (thread, NULL) == 0);
  return 0;
}
