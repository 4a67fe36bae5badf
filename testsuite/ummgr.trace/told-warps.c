/* Would break: a modelled launch of a host version that is not the one of the GPU's own code,
   of whose threads each is a warp: as many teams and threads as libgomp launches, and no
   more, whatever a region asks for.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-policies "um" } */
/* { dg-ummgr-env "UMMGR_FIDELITY=access UMMGR_PROFILE=v100-nvlink2" } */
/* { dg-ummgr-facts data gpu0 1000 "last_gpu=1000 gpu_wrote=1000 g>c=1000" } */
/* Each of the threads is told for itself.  */
/* { dg-ummgr-trace {^access data \+0 size=4000 w launch=[0-9]+ team=0 thread=0$} } */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define N 1000

int
main (void)
{
  int any[2] = { 0, 0 }, asked[2] = { 0, 0 }, limited[3] = { 0, 0, 0 };
  int *data = malloc (N * sizeof *data);
#pragma omp target teams distribute parallel for map(tofrom: any) map(from: data[:N])
  for (int i = 0; i < N; i++)
    {
      data[i] = i;
      if (i == 0)
	{
	  any[0] = omp_get_num_teams ();
	  any[1] = omp_get_num_threads ();
	}
    }
#pragma omp target parallel num_threads (100) map(tofrom: asked)
  {
#pragma omp atomic
    asked[0]++;
    asked[1] = omp_get_num_threads ();
  }
#pragma omp target teams num_teams (3) thread_limit (5) map(tofrom: limited)
  {
#pragma omp parallel
    limited[1] = omp_get_num_threads ();
#pragma omp parallel num_threads (3)
    {
      limited[2] = omp_get_num_threads ();
      if (omp_get_thread_num () == 0)
#pragma omp atomic
	limited[0]++;
    }
  }
  int sum = 0;
  for (int i = 0; i < N; i++)
    sum += data[i];
  free (data);
  /* Without a simulated GPU's counts it is as it is.  */
  if (!getenv ("UMMGR_STATS"))
    return 0;
  printf ("%d %d, %d %d, %d %d %d\n", any[0], any[1], asked[0], asked[1], limited[0],
	  limited[1], limited[2]);
  return any[0] != 320 || any[1] != 8 || asked[0] != 8 || asked[1] != 8 || limited[0] != 3
	 || limited[1] != 5 || limited[2] != 3 || sum != N * (N - 1) / 2;
}
