/* A simulated machine that processes share: two take the same memory, what one has is free to the other, or stays
   taken when the one that had it was killed; a child of fork counts, too.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#define _GNU_SOURCE

#include "config.h"
#include "machine.h"
#include "neighbour.h"

#include <string.h>
#include <sys/stat.h>

#define MIB (UINT64_C (1) << 20)

static char file[] = "/tmp/ummgr-shared-XXXXXX";
static struct sim_alloc *mine[2];

enum { START, TAKE, GIVE, FREE, BRING, EVICTIONS, NUMBER, FORK };

static int64_t
fork_child (void)
{
  uint64_t left, total;
  int status;
  pid_t pid = fork ();
  if (pid == 0)
    {
      sim_mem_after_fork ();
      sim_mem_info (0, &left, &total);
      _exit (0);
    }
  CHECK (waitpid (pid, &status, 0) == pid);
  return status;
}

static int64_t
serve (const struct neighbour_order *o)
{
  uint64_t left, total;
  struct ummgr_counters counters;
  switch (o->what)
    {
    case START:
      machine_start (NULL, "16M", "2");
      return 0;
    case TAKE:
      return sim_mem_alloc (o->a, o->c, o->b, false, &mine[o->a == SIM_MEM_MANAGED]);
    case GIVE:
      return sim_mem_free (mine[o->a == SIM_MEM_MANAGED]);
    case FREE:
      sim_mem_info (o->a, &left, &total);
      CHECK (sim_mem_check () && total == 16 * MIB);
      return left;
    case BRING:
      return sim_mem_prefetch (mine[1]->base, mine[1]->size, 0);
    case EVICTIONS:
      CHECK (sim_mem_device_counters (0, &counters));
      return counters.evictions;
    case NUMBER:
      return sim_shared_number ();
    case FORK:
      return fork_child ();
    }
  return -1;
}

static int64_t
do_it (const struct neighbour *n, int what, int64_t a, int64_t b, int64_t c)
{
  return neighbour_ask (n, what, a, b, c);
}

int
main (void)
{
  signal (SIGPIPE, SIG_IGN);
  int fd = mkstemp (file);
  CHECK (fd >= 0);
  close (fd);
  setenv ("UMMGR_SIM_SHARED", file, 1);
  struct neighbour a = neighbour_start (serve), b = neighbour_start (serve);
  do_it (&a, START, 0, 0, 0);
  do_it (&b, START, 0, 0, 0);
  CHECK (do_it (&a, NUMBER, 0, 0, 0) != 0);
  CHECK_EQ (do_it (&a, NUMBER, 0, 0, 0), do_it (&b, NUMBER, 0, 0, 0));

  /* Of each device's memory there is so much, whoever has it.  */
  CHECK_EQ (do_it (&a, TAKE, SIM_MEM_PLAIN, 10 * MIB, 0), CUDA_SUCCESS);
  CHECK_EQ (do_it (&a, FREE, 0, 0, 0), 6 * MIB);
  CHECK_EQ (do_it (&b, FREE, 0, 0, 0), 6 * MIB);
  CHECK_EQ (do_it (&b, FREE, 1, 0, 0), 16 * MIB);
  CHECK_EQ (do_it (&b, TAKE, SIM_MEM_PLAIN, 7 * MIB, 0), CUDA_ERROR_OUT_OF_MEMORY);
  CHECK_EQ (do_it (&b, TAKE, SIM_MEM_PLAIN, 6 * MIB, 0), CUDA_SUCCESS);
  CHECK_EQ (do_it (&a, FREE, 0, 0, 0), 0);
  CHECK_EQ (do_it (&b, GIVE, SIM_MEM_PLAIN, 0, 0), CUDA_SUCCESS);

  /* Managed memory: who needs room makes it of its own.  */
  CHECK_EQ (do_it (&b, TAKE, SIM_MEM_MANAGED, 6 * MIB, 0), CUDA_SUCCESS);
  CHECK_EQ (do_it (&b, BRING, 0, 0, 0), CUDA_SUCCESS);
  CHECK_EQ (do_it (&a, FREE, 0, 0, 0), 0);
  CHECK_EQ (do_it (&b, TAKE, SIM_MEM_PLAIN, 2 * MIB, 0), CUDA_SUCCESS);
  CHECK_EQ (do_it (&b, EVICTIONS, 0, 0, 0), 1);
  CHECK_EQ (do_it (&a, EVICTIONS, 0, 0, 0), 0);
  CHECK_EQ (do_it (&a, FREE, 0, 0, 0), 0);

  /* A child of fork has no part in it, and takes none away.  */
  CHECK_EQ (do_it (&b, FORK, 0, 0, 0), 0);
  CHECK_EQ (do_it (&a, FREE, 0, 0, 0), 0);

  neighbour_kill (&b);
  CHECK_EQ (do_it (&a, FREE, 0, 0, 0), 6 * MIB);
  neighbour_kill (&a);

  /* A machine of this process' own.  */
  unsetenv ("UMMGR_SIM_SHARED");
  a = neighbour_start (serve);
  do_it (&a, START, 0, 0, 0);
  CHECK_EQ (do_it (&a, NUMBER, 0, 0, 0), 0);
  neighbour_kill (&a);
  CHECK (unlink (file) == 0);
  return 0;
}
