/* A target construct that a region meets: OpenMP leaves open what it does, and
   the launch within the launch waited for ever.  It is done where it stands.
   GCC 15 makes omp_is_initial_device a constant: the host's, in host versions.  */
/* { dg-do run } */
/* { dg-additional-options "-fno-builtin-omp_is_initial_device" } */
/* { dg-ummgr-without-gcc "11" "can't link target update in a region" } */
/* { dg-ummgr-output all "simcuda: region \[a-z_.0-9\$]+ meets a target construct, which a GPU can't do" } */

#include "check.h"

#include <omp.h>

enum { N = 100, TEAMS = 3 };

#pragma omp declare target
static int total;

static void
step (int *a, int n, int by)
{
#pragma omp target teams distribute parallel for map(a[:n]) firstprivate(by)
  for (int i = 0; i < n; i++)
    a[i] += by;
}

/* With data constructs, without waiting, and by a thread of an inner team.  */
static void
all_kinds (int *a, int n)
{
#pragma omp target data map(a[:n])
  {
#pragma omp target nowait map(a[:n])
    for (int i = 0; i < n; i++)
      a[i]++;
#pragma omp taskwait
#pragma omp target update from(a[:n])
  }
#pragma omp target enter data map(to: a[:n])
#pragma omp target parallel num_threads(2) map(a[:n])
  if (omp_get_thread_num () == omp_get_num_threads () - 1)
    step (a, n, 10);
#pragma omp target exit data map(from: a[:n])
}

static void
in_team (int *a, int *number, int team)
{
  step (a, N, team + 1);
  *number = omp_get_num_teams () + 10 * omp_is_initial_device ();
#pragma omp atomic
  total += omp_get_team_num ();
}
#pragma omp end declare target

static void
simple (void)
{
  int a[N] = { 0 };
#pragma omp target map(a)
  step (a, N, 1);
  for (int i = 0; i < N; i++)
    CHECK_EQ (a[i], 1);
#pragma omp target map(a)
  all_kinds (a, N);
  for (int i = 0; i < N; i++)
    CHECK_EQ (a[i], 12);
}

/* The teams around it go on as before, as does what the device has.  */
static void
teams (void)
{
  int a[TEAMS][N] = { { 0 } }, numbers[TEAMS] = { 0 };
#pragma omp target teams num_teams(TEAMS) map(a, numbers)
  {
    int team = omp_get_team_num ();
    in_team (a[team], &numbers[team], team);
  }
  for (int t = 0; t < TEAMS; t++)
    {
      CHECK_EQ (numbers[t], TEAMS);
      for (int i = 0; i < N; i++)
	CHECK_EQ (a[t][i], t + 1);
    }
  CHECK_EQ (total, 0);
#pragma omp target update from(total)
  CHECK_EQ (total, 3);
}

/* Met by all threads of a team at once.  */
static void
threads (void)
{
  int a[8][N] = { { 0 } }, count = 0;
#pragma omp target parallel num_threads(8) map(a, count)
  {
#pragma omp single
    count = omp_get_num_threads ();
    for (int k = omp_get_thread_num (); k < 8; k += omp_get_num_threads ())
      step (a[k], N, k + 1);
  }
  CHECK (count > 0);
  for (int k = 0; k < 8; k++)
    for (int i = 0; i < N; i++)
      CHECK_EQ (a[k][i], k + 1);
}

int
main (void)
{
  simple ();
  teams ();
  threads ();
  return 0;
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */
