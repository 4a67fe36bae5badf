/* Breaks if a rank of an MPI program is taken for another, or a process that is none for one: then ranks
   write to one file, or their statistics are put together wrongly.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "base/world.h"

#include <stdlib.h>
#include <string.h>

/* These variables and no others, by pairs; ended by NULL.  */
static bool
find (struct ummgr_world *out, const char *const *variables)
{
  clearenv ();
  for (; *variables; variables += 2)
    setenv (variables[0], variables[1], 1);
  return ummgr_world_find (out);
}

#define FIND(...) find (&world, (const char *const[]) { __VA_ARGS__, NULL })

static bool
is (const struct ummgr_world *world, unsigned number, unsigned count, const char *job)
{
  return world->number == number && world->count == count && strcmp (world->job, job) == 0;
}

int
main (void)
{
  struct ummgr_world world;
  CHECK (!FIND (NULL));
  CHECK (FIND ("OMPI_COMM_WORLD_RANK", "2", "OMPI_COMM_WORLD_SIZE", "4", "OMPI_MCA_ess_base_jobid", "77"));
  CHECK (is (&world, 2, 4, "77"));
  /* mpirun was started by Slurm.  */
  CHECK (FIND ("OMPI_COMM_WORLD_RANK", "2", "OMPI_COMM_WORLD_SIZE", "4", "PMIX_NAMESPACE", "a@1", "SLURM_PROCID", "0",
	       "SLURM_STEP_NUM_TASKS", "1", "SLURM_STEP_ID", "3", "SLURM_JOB_ID", "9"));
  CHECK (is (&world, 2, 4, "a@1"));
  CHECK (FIND ("PMI_RANK", "1", "PMI_SIZE", "3"));
  CHECK (is (&world, 1, 3, ""));
  CHECK (FIND ("MV2_COMM_WORLD_RANK", "0", "MV2_COMM_WORLD_SIZE", "2") && is (&world, 0, 2, ""));
  CHECK (FIND ("JSM_NAMESPACE_RANK", "5", "JSM_NAMESPACE_SIZE", "6") && is (&world, 5, 6, ""));
  CHECK (FIND ("SLURM_PROCID", "7", "SLURM_STEP_NUM_TASKS", "8", "SLURM_STEP_ID", "0", "SLURM_JOB_ID", "9"));
  CHECK (is (&world, 7, 8, "9.0"));
  CHECK (FIND ("PMIX_RANK", "1", "PMIX_NAMESPACE", "n") && is (&world, 1, 0, "n"));
  /* A batch script is no rank.  */
  CHECK (!FIND ("SLURM_PROCID", "0", "SLURM_NTASKS", "8", "SLURM_JOB_ID", "9"));
  /* What makes no sense says nothing.  */
  CHECK (!FIND ("OMPI_COMM_WORLD_RANK", "x", "OMPI_COMM_WORLD_SIZE", "4"));
  CHECK (!FIND ("OMPI_COMM_WORLD_RANK", "99999999999999999999", "OMPI_COMM_WORLD_SIZE", "4"));
  CHECK (!FIND ("OMPI_COMM_WORLD_RANK", "-1", "OMPI_COMM_WORLD_SIZE", "4"));
  CHECK (FIND ("OMPI_COMM_WORLD_RANK", "4", "OMPI_COMM_WORLD_SIZE", "4") && is (&world, 4, 0, ""));
  return 0;
}
