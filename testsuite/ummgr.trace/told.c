/* Would break: a region that gives other results where its threads run one after
   another: barriers, loops of each schedule, sections, what one thread runs and
   tells the others, nested parallel regions, critical sections, tasks and
   reductions; threads that lose their private variables at a barrier; regions
   that go another way than they say (teams and threads as asked for, and with
   none asked for, as many as a GPU would have); facts that change;
   accesses that get lost.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-policies "explicit um" } */
/* { dg-ummgr-env "UMMGR_FIDELITY=access UMMGR_TEAM_THREADS=128" } */
/* { dg-ummgr-facts crossed gpu0 1000 "last_gpu=1000 gpu_wrote=1000 g>c=1000 g>g=1000" } */
/* All threads of a warp come at once, told with the first.  */
/* { dg-ummgr-trace {^access crossed \+0 size=4000 w launch=[0-9]+ team=0 thread=0$} } */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define N 1000
#define TEAMS 3

static int failed;

static void
expect (const char *what, long got, long wanted)
{
  if (got != wanted)
    {
      printf ("%s: %ld, not %ld\n", what, got, wanted);
      failed = 1;
    }
}

/* Each thread's own WORD lives on its stack.  */
static void
barriers (int *crossed)
{
  int wrong = 0;
#pragma omp target parallel num_threads (100) map(from: crossed[:N])          \
  map(tofrom: wrong)
  {
    int me = omp_get_thread_num (), n = omp_get_num_threads ();
    int word = 3 * me;
    for (int i = me; i < N; i += n)
      crossed[i] = i;
#pragma omp barrier
    for (int i = me; i < N; i += n)
      if (crossed[N - 1 - i] != N - 1 - i)
	wrong |= 1;
#pragma omp barrier
    word += me;
#pragma omp barrier
    if (word != 4 * me)
      wrong |= 2;
  }
  expect ("barriers", wrong, 0);
}

static void
schedules (void)
{
  int count[5][N];
  for (int s = 0; s < 5; s++)
    for (int i = 0; i < N; i++)
      count[s][i] = 0;
#pragma omp target parallel map(tofrom: count)
  {
#pragma omp for schedule (dynamic, 7)
    for (int i = 0; i < N; i++)
      count[0][i]++;
#pragma omp for schedule (guided) nowait
    for (int i = N - 1; i >= 0; i--)
      count[1][i]++;
#pragma omp for schedule (static, 3)
    for (int i = 0; i < N; i += 2)
      count[2][i]++;
#pragma omp for schedule (runtime)
    for (int i = 0; i < N; i++)
      count[3][i]++;
#pragma omp for schedule (dynamic) collapse (2)
    for (int i = 0; i < 10; i++)
      for (int j = 0; j < N / 10; j++)
	count[4][10 * j + i]++;
  }
  for (int i = 0; i < N; i++)
    {
      expect ("dynamic", count[0][i], 1);
      expect ("guided", count[1][i], 1);
      expect ("static", count[2][i], i % 2 == 0);
      expect ("runtime", count[3][i], 1);
      expect ("collapsed", count[4][i], 1);
    }
  long sum = 0;
#pragma omp target teams distribute parallel for schedule (dynamic, 5)        \
  reduction (+: sum) map(tofrom: sum)
  for (int i = 0; i < N; i++)
    sum += i;
  expect ("a sum", sum, N * (N - 1L) / 2);
}

static void
one_for_all (void)
{
  int singles = 0, copied = 0, order = 0, sections[3] = { 0, 0, 0 };
#pragma omp target parallel num_threads (20)                                  \
  map(tofrom: singles, copied, order, sections)
  {
    int word = -1;
#pragma omp single
    singles++;
#pragma omp single copyprivate (word)
    word = 42;
    if (word == 42)
#pragma omp atomic
      copied++;
#pragma omp critical
    order += omp_get_thread_num ();
#pragma omp sections
    {
#pragma omp section
      sections[0]++;
#pragma omp section
      sections[1]++;
#pragma omp section
      sections[2]++;
    }
#pragma omp master
    singles += 10;
  }
  expect ("singles", singles, 11);
  expect ("copied", copied, 20);
  expect ("critical", order, 190);
  for (int i = 0; i < 3; i++)
    expect ("a section", sections[i], 1);
}

static void
nested (void)
{
  int inner = 0, tasks = 0;
#pragma omp target teams num_teams (TEAMS) map(tofrom: inner, tasks)
#pragma omp parallel num_threads (10)
  {
#pragma omp parallel num_threads (1)
    {
#pragma omp barrier
#pragma omp atomic
      inner += 1 + omp_get_thread_num ();
    }
#pragma omp single
    for (int i = 0; i < 4; i++)
#pragma omp task
      {
#pragma omp atomic
	tasks++;
      }
#pragma omp taskwait
  }
  expect ("nested", inner, 10 * TEAMS);
  expect ("tasks", tasks, 4 * TEAMS);
}

/* Team and thread of each iteration.  */
static void
geometry (void)
{
  int place[N], teams = 0, threads = 0;
#pragma omp target teams distribute parallel for map(from: place)             \
  map(tofrom: teams, threads)
  for (int i = 0; i < N; i++)
    {
      place[i] = 1000 * omp_get_team_num () + omp_get_thread_num ();
      if (i == 0)
	{
	  teams = omp_get_num_teams ();
	  threads = omp_get_num_threads ();
	}
    }
  if (getenv ("UMMGR_STATS"))
    {
      expect ("teams", teams, (N + 127) / 128);
      expect ("threads", threads, 128);
      for (int i = 1; i < N; i++)
	expect ("a neighbour", place[i] == place[i - 1] + 1
		|| place[i] % 1000 == 0, 1);
    }
#pragma omp target teams num_teams (TEAMS) thread_limit (16)                  \
  map(tofrom: teams, threads)
  {
    if (omp_get_team_num () == 0)
      teams = omp_get_num_teams ();
#pragma omp parallel
    if (omp_get_team_num () == 0 && omp_get_thread_num () == 0)
      threads = omp_get_num_threads ();
  }
  if (getenv ("UMMGR_STATS"))
    {
      expect ("teams as asked for", teams, TEAMS);
      expect ("threads as asked for", threads, 16);
    }
}

int
main (void)
{
  int *crossed = malloc (N * sizeof *crossed);
  barriers (crossed);
  for (int i = 0; i < N; i++)
    expect ("crossed", crossed[i], i);
  schedules ();
  one_for_all ();
  nested ();
  geometry ();
  free (crossed);
  return failed;
}
