/* Would break: a program that asks for more threads than a GPU gives a team, or
   for more than the host has, so that thousands of host threads start for it;
   that gets another number than it is told; whose threads, which take turns in a
   few of the host's, wait for ever for what another will write, within a critical
   section or not; that lose their private variables at a barrier, or do another's
   share of loops, sections, tasks and reductions; regions that ask what only
   libgomp's own threads can answer.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"

#include <dirent.h>
#include <omp.h>

#define MANY 300
#define N 2000
#define GPU_MOST 1024

/* Threads of this process, those that libgomp keeps for the next region, too.  */
static int
host_threads (void)
{
  int n = 0;
  DIR *tasks = opendir ("/proc/self/task");
  while (tasks && readdir (tasks))
    n++;
  if (tasks)
    closedir (tasks);
  return n;
}

static void
limits (void)
{
  int threads = 0, came = 0, limit = 0, before = host_threads ();
#pragma omp target parallel num_threads (10000) map(tofrom: threads, came, limit)
  {
#pragma omp atomic
    came++;
    if (omp_get_thread_num () == GPU_MOST - 1)
      {
	threads = omp_get_num_threads ();
	limit = omp_get_thread_limit ();
      }
  }
  CHECK_EQ (threads, GPU_MOST);
  CHECK_EQ (came, GPU_MOST);
  CHECK_EQ (limit, GPU_MOST);
  CHECK_EQ (host_threads () - before > omp_get_num_procs () + MANY, 0);
  came = 0;
#pragma omp target teams num_teams (1) thread_limit (70) map(tofrom: came)
#pragma omp parallel num_threads (200)
#pragma omp atomic
  came++;
  CHECK_EQ (came, 70);
  came = 0;
#pragma omp target teams num_teams (1) thread_limit (5000) map(tofrom: came)
#pragma omp parallel num_threads (5000)
#pragma omp atomic
  came++;
  CHECK_EQ (came, GPU_MOST);
}

/* Each thread's own WORD lives on its stack.  */
static void
barriers (void)
{
  static int crossed[N];
  int wrong = 0;
#pragma omp target parallel num_threads (MANY) map(tofrom: crossed, wrong)
  {
    int me = omp_get_thread_num (), n = omp_get_num_threads ();
    int word = 3 * me;
    for (int round = 0; round < 10; round++)
      {
	for (int i = me; i < N; i += n)
	  crossed[i] = i + round;
#pragma omp barrier
	for (int i = me; i < N; i += n)
	  if (crossed[N - 1 - i] != N - 1 - i + round)
#pragma omp atomic
	    wrong++;
	word++;
#pragma omp barrier
      }
    if (word != 3 * me + 10)
#pragma omp atomic
      wrong++;
  }
  CHECK_EQ (wrong, 0);
}

static void
shares (void)
{
  static int count[4][N];
  int sections = 0, singles = 0, copied = 0, tasks = 0;
  long sum = 0;
#pragma omp target parallel num_threads (MANY)                                \
  map(tofrom: count, sections, singles, copied, tasks)
  {
    int word = -1;
#pragma omp for schedule (dynamic, 7)
    for (int i = 0; i < N; i++)
      count[0][i]++;
#pragma omp for schedule (guided) nowait
    for (int i = N - 1; i >= 0; i--)
      count[1][i]++;
#pragma omp for schedule (static, 3)
    for (int i = 0; i < N; i += 2)
      count[2][i]++;
#pragma omp sections
    {
#pragma omp section
#pragma omp atomic
      sections += 1;
#pragma omp section
#pragma omp atomic
      sections += 10;
    }
#pragma omp single copyprivate (word)
    {
      singles++;
      word = 42;
    }
#pragma omp atomic
    copied += word == 42;
    int mine = 0;
    for (int i = 0; i < 3; i++)
#pragma omp task firstprivate (i) shared (mine)
      {
#pragma omp atomic
	mine += i;
      }
#pragma omp taskwait
#pragma omp atomic
    tasks += mine;
  }
#pragma omp target teams distribute parallel for num_teams (3)                \
  num_threads (MANY) reduction (+: sum) map(tofrom: count, sum)
  for (int i = 0; i < N; i++)
    {
      count[3][i]++;
      sum += i;
    }
  for (int i = 0; i < N; i++)
    {
      CHECK_EQ (count[0][i], 1);
      CHECK_EQ (count[1][i], 1);
      CHECK_EQ (count[2][i], i % 2 == 0);
      CHECK_EQ (count[3][i], 1);
    }
  CHECK_EQ (sum, N * (N - 1L) / 2);
  CHECK_EQ (sections, 11);
  CHECK_EQ (singles, 1);
  CHECK_EQ (copied, MANY);
  CHECK_EQ (tasks, 3 * MANY);
}

static void
exclusive (void)
{
  int plain = 0, named = 0, inner = 0, level = 0;
  double real = 0;
#pragma omp target teams num_teams (3)                                        \
  map(tofrom: plain, named, inner, level, real)
#pragma omp parallel num_threads (MANY)
  {
#pragma omp critical
    plain++;
#pragma omp critical (one)
    {
#pragma omp critical (other)
      named++;
    }
#pragma omp atomic
    real += 1;
#pragma omp parallel num_threads (4)
    {
#pragma omp barrier
#pragma omp atomic
      inner += omp_get_num_threads () + omp_get_thread_num ();
      if (omp_get_level () != 2)
#pragma omp atomic
	level++;
    }
  }
  CHECK_EQ (plain, 3 * MANY);
  CHECK_EQ (named, 3 * MANY);
  CHECK_EQ ((long) real, 3 * MANY);
  CHECK_EQ (inner, 3 * MANY);
  CHECK_EQ (level, 0);
}

/* The first thread waits for the last, and keeps the others out meanwhile.  */
static void
waiting (void)
{
  int flag = 0, went = 0, inside = 0;
#pragma omp target parallel num_threads (24) map(tofrom: flag, went, inside)
  {
    int me = omp_get_thread_num (), seen = 0;
    if (me == 23)
      {
#pragma omp atomic write
	flag = 1;
      }
    else if (me % 2)
      {
	while (!seen)
	  {
#pragma omp atomic read
	    seen = flag;
	  }
      }
    else
#pragma omp critical
      {
	while (!seen)
	  {
#pragma omp atomic read
	    seen = flag;
	  }
	inside++;
      }
#pragma omp atomic
    went++;
  }
  CHECK_EQ (went, 24);
  CHECK_EQ (inside, 12);
}

/* What has an ancestor is not answered for threads that take turns.  */
static void
others (void)
{
  int wrong = 0, came = 0;
#pragma omp target parallel num_threads (64) map(tofrom: wrong, came)
  {
#pragma omp atomic
    wrong += omp_get_ancestor_thread_num (1) != omp_get_thread_num ();
#pragma omp atomic
    came++;
  }
  CHECK_EQ (wrong, 0);
  CHECK_EQ (came, 64);
}

int
main (void)
{
  limits ();
  barriers ();
  shares ();
  exclusive ();
  waiting ();
  others ();
  return 0;
}
