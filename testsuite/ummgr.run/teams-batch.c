/* Would break: teams that run side by side and take another's number, variables,
   loops, barriers or reductions; whose code between two parallel regions runs too
   early or never; regions of other sizes, of none, or of more threads than the host
   has, among them; calls that no such launch may have.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-env "OMP_NUM_THREADS=2" } */

#include "check.h"

#include <omp.h>
#include <string.h>

#define TEAMS 75		/* More than two batches.  */
#define N 240

#pragma omp declare target
static int __attribute__ ((noinline))
is_alone (void)
{
  return !omp_in_parallel () && omp_get_num_threads () == 1;
}
#pragma omp end declare target

static int sums[TEAMS], again[TEAMS], numbers[TEAMS], sizes[TEAMS], alone[TEAMS];

/* Each team: its own array, filled, read back by other threads behind a barrier,
   and summed in a second region by code that rests on the first.  */
static void
phases (void)
{
  int wrong = 0;
#pragma omp target teams num_teams (TEAMS) thread_limit (2) \
  map(tofrom: sums, again, numbers, sizes, alone, wrong)
  {
    int t = omp_get_team_num (), row[N], sum = 0, size = 0;
    numbers[t]++;
#pragma omp parallel
    {
#pragma omp for
      for (int i = 0; i < N; i++)
	row[i] = i + t;
#pragma omp for schedule (dynamic, 7) reduction (+: sum)
      for (int i = 0; i < N; i++)
	sum += row[N - 1 - i];
#pragma omp single
      size = omp_get_num_threads ();
      if (omp_get_team_num () != t || omp_get_num_teams () != TEAMS
	  || omp_get_level () != 1)
#pragma omp atomic
	wrong++;
#pragma omp critical
      numbers[t] += 10;
    }
    sums[t] = sum;
    sizes[t] = size;
    alone[t] = is_alone ();
    if (t % 3)
      {
	int twice = 0;
#pragma omp parallel for reduction (+: twice)
	for (int i = 0; i < sum; i++)
	  twice += 2;
	again[t] = twice;
      }
    else
      {
#pragma omp parallel num_threads (1)
	again[t] = 2 * sum;
      }
  }
  CHECK_EQ (wrong, 0);
  for (int t = 0; t < TEAMS; t++)
    {
      int sum = N * (N - 1) / 2 + N * t;
      CHECK_EQ (sums[t], sum);
      CHECK_EQ (again[t], 2 * sum);
      CHECK_EQ (numbers[t], 1 + 10 * sizes[t]);
      CHECK (alone[t]);
    }
}

/* Loops over all teams, one place each; a reduction over all.  */
static void
loops (void)
{
  static int hits[TEAMS * 100];
  long sum = 0;
  memset (hits, 0, sizeof hits);
#pragma omp target teams distribute parallel for num_teams (TEAMS) \
  map(tofrom: hits, sum) reduction (+: sum)
  for (int i = 0; i < TEAMS * 100; i++)
    {
      hits[i]++;
      sum += i;
    }
  CHECK_EQ (sum, (long) (TEAMS * 100 - 1) * (TEAMS * 100) / 2);
  for (int i = 0; i < TEAMS * 100; i++)
    CHECK_EQ (hits[i], 1);
#pragma omp target teams distribute num_teams (TEAMS) map(tofrom: hits)
  for (int i = 0; i < TEAMS; i++)
#pragma omp parallel for schedule (guided)
    for (int k = 0; k < 100; k++)
      hits[i * 100 + k] += k;
  for (int i = 0; i < TEAMS * 100; i++)
    CHECK_EQ (hits[i], 1 + i % 100);
}

/* Regions of more threads than the host has, between those of two.  */
static void
wide (void)
{
  int came = 0, two = 0;
#pragma omp target teams num_teams (TEAMS) map(tofrom: came, two)
  {
#pragma omp parallel num_threads (40)
#pragma omp atomic
    came++;
#pragma omp parallel num_threads (2)
#pragma omp atomic
    two++;
  }
  CHECK_EQ (came, 40 * TEAMS);
  CHECK_EQ (two, 2 * TEAMS);
}

/* Regions of one thread between those of two, and tasks.  */
static void
apart (void)
{
  int tasks = 0, threads[TEAMS] = { 0 };
#pragma omp target teams num_teams (TEAMS) map(tofrom: tasks, threads)
  {
    int t = omp_get_team_num ();
#pragma omp parallel num_threads (1 + t % 2)
    {
#pragma omp atomic
      threads[t]++;
#pragma omp task shared (tasks)
#pragma omp atomic
      tasks += omp_get_team_num () == t;
    }
  }
  int all = 0;
  for (int t = 0; t < TEAMS; t++)
    {
      CHECK_EQ (threads[t], 1 + t % 2);
      all += threads[t];
    }
  CHECK_EQ (tasks, all);
}

int
main (void)
{
  phases ();
  loops ();
  wide ();
  apart ();
  return 0;
}
