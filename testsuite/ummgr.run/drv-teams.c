/* Teams without their numbers, threads or tasks of a team that answer as the
   host's, and settings of a region that last into the next.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"

#include <omp.h>

#pragma omp declare target
static int
place (void)
{
  return omp_get_team_num ();
}

static int
limit (void)
{
  return omp_get_thread_limit ();
}
#pragma omp end declare target

static void
numbers (void)
{
  int seen[64] = { 0 }, threads[64] = { 0 }, nested[64] = { 0 }, wrong = 0;
  int thread_limit = 0;
#pragma omp target teams num_teams(7) thread_limit(2)                         \
  map(tofrom: seen, threads, nested, wrong, thread_limit)
  {
    int t = place ();
    seen[t]++;
    thread_limit = limit ();
#pragma omp parallel num_threads(2)
    {
      if (place () != t || omp_get_num_teams () != 7)
#pragma omp atomic
	wrong++;
#pragma omp atomic
      threads[t]++;
#pragma omp parallel num_threads(2)
      if (place () == t)
#pragma omp atomic
	nested[t]++;
    }
  }
  CHECK_EQ (wrong, 0);
  CHECK_EQ (thread_limit, 2);
  for (int i = 0; i < 64; i++)
    {
      CHECK_EQ (seen[i], i < 7);
      CHECK (i >= 7 ? threads[i] == 0 : threads[i] >= 1 && threads[i] <= 2);
      CHECK (i >= 7 || nested[i] >= 1);
    }
}

static void
defaults (void)
{
  int n = -1, t = -1, many = 0;
#pragma omp target map(from: n, t)
  {
    n = omp_get_num_teams ();
    t = omp_get_team_num ();
  }
  CHECK (n == 1 && t == 0);
#pragma omp target teams map(tofrom: many)
  if (omp_get_team_num () == 0)
    many = omp_get_num_teams ();
  /* As many as the GPU holds at once.  */
  CHECK (many >= 80);
  CHECK (omp_get_num_teams () == 1 && omp_get_team_num () == 0);
}

static void
loops (void)
{
  enum { N = 1000 };
  static int team[N];
  int n = 0;
  long sum = 0;
#pragma omp target teams distribute parallel for map(from: team)              \
  map(tofrom: n, sum) reduction(+: sum)
  for (int i = 0; i < N; i++)
    {
      team[i] = place ();
      sum += i;
      if (i == 0)
	n = omp_get_num_teams ();
    }
  CHECK_EQ (sum, N * (N - 1) / 2);
  int chunk = (N + n - 1) / n;
  CHECK (n > 1 && team[0] == 0 && team[N - 1] >= (N - 1) / chunk);
  for (int i = 1; i < N; i++)
    CHECK (team[i] >= team[i - 1] && team[i] < n);
  sum = 0;
#pragma omp target parallel for schedule(dynamic, 3) map(tofrom: sum) reduction(+: sum)
  for (int i = 0; i < N; i++)
    sum += i + place ();
  CHECK_EQ (sum, N * (N - 1) / 2);
  sum = 0;
#pragma omp target parallel for schedule(guided) map(tofrom: sum) reduction(task, +: sum)
  for (int i = 0; i < N; i++)
    sum += i;
  CHECK_EQ (sum, N * (N - 1) / 2);
  sum = 0;
#pragma omp target map(tofrom: sum)
#pragma omp parallel sections reduction(+: sum)
  {
#pragma omp section
    sum += 10;
#pragma omp section
    sum += 20;
  }
  CHECK_EQ (sum, 30);
}

static void
tasks (void)
{
  int done = 0, wrong = 0;
#pragma omp target teams num_teams(3) map(tofrom: done, wrong)
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 20; i++)
#pragma omp task shared(done, wrong)
    {
#pragma omp atomic
      done++;
      if (omp_get_num_teams () != 3)
#pragma omp atomic
	wrong++;
    }
  CHECK (done == 60 && wrong == 0);
}

static void
settings (void)
{
  int first, second;
#pragma omp target map(from: first)
  {
    first = omp_get_max_threads ();
    omp_set_num_threads (first + 5);
  }
#pragma omp target map(from: second)
  second = omp_get_max_threads ();
  CHECK_EQ (first, second);
}

int
main (void)
{
  numbers ();
  defaults ();
  loops ();
  tasks ();
  settings ();
  return 0;
}
