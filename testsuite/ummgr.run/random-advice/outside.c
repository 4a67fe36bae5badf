/* What random programs call and GCC doesn't see with them; runs each in a process of its own.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "outside.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int ga[LENGTH], *gp;
int dt[LENGTH];
static int arrays[3][LENGTH], flag[LENGTH];
static struct entry *now;

int
peek (int *x, int k)
{
  return x[k] + 1;
}

void
touch (int *x, int k)
{
  x[k] = x[k] * 2 + 1;
}

int
see (const int *x)
{
  return x[0] + 5;
}

void
change (int *x, int m)
{
  x[m - 1] += 100;
}

void
region (int *x, int m)
{
#pragma omp target map(tofrom: x[0:m])
  for (int i = 0; i < m; i++)
    x[i] = x[i] * 2 + 1;
}

void
enter_data (int *x, int m)
{
#pragma omp target enter data map(to: x[0:m])
}

void
exit_data (int *x, int m)
{
#pragma omp target exit data map(from: x[0:m])
}

void
update_to (int *x, int m)
{
#pragma omp target update to(x[0:m])
}

void
update_from (int *x, int m)
{
#pragma omp target update from(x[0:m])
}

static void
finish (int sum)
{
  const int *all[5] = { arrays[0], arrays[1], arrays[2], ga, dt };
  for (int a = 0; a < 5; a++)
    for (int k = 0; k < LENGTH; k++)
      if (now->mask[a] >> k & 1)
	sum = sum * 3 + all[a][k];
  printf ("%llu %u\n", now->seed, (unsigned) sum);
  fflush (stdout);
}

void
end_program (int yes, int sum)
{
  if (!yes)
    return;
  finish (sum);
  exit (0);
}

/* The memory that the device gets is never what a program can hope for.  */
static void
spoil (void)
{
  static int garbage[1024];
  int *places[16];
  memset (garbage, 0x5a, sizeof garbage);
  for (int d = 0; d < omp_get_num_devices (); d++)
    {
      for (int i = 0; i < 16; i++)
	{
	  places[i] = omp_target_alloc (sizeof garbage, d);
	  omp_target_memcpy (places[i], garbage, sizeof garbage, 0, 0, d, omp_get_initial_device ());
	}
      for (int i = 0; i < 16; i++)
	omp_target_free (places[i], d);
    }
}

static void
run (void)
{
  spoil ();
  for (int k = 0; k < LENGTH; k++)
    {
      arrays[0][k] = k + 1;
      arrays[1][k] = 3 * k + 2;
      arrays[2][k] = 7 * k;
      ga[k] = 5 * k + 1;
      flag[k] = k % 2;
    }
  gp = arrays[1];
  finish (now->run (arrays[0], arrays[1], arrays[now->third] + now->third_at, 12, flag));
}

int
main (void)
{
  for (now = entries; now->run; now++)
    {
      pid_t child = fork ();
      int status;
      if (child < 0)
	return 1;
      if (!child)
	{
	  run ();
	  exit (0);
	}
      if (waitpid (child, &status, 0) != child || status)
	printf ("%llu failed, status %#x\n", now->seed, status);
    }
  return 0;
}
