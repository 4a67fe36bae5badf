/* Variables declared with `link', which map clauses bring: a device's code has a pointer to each.
   Would break if policies did not see them, if they moved while that pointer leads there, or if
   counts of mappings, here and in libgomp, went apart.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-counter um gpu_faults > 0 } */
/* { dg-ummgr-counter host remote_bytes >= 262144 } */
/* { dg-ummgr-counter explicit gpu_faults == 0 } */

#include "check.h"

#include <omp.h>

enum { N = 65536 };

/* Host versions run: of several variables with `link' GCC 12's table of the device has another
   order than the host's, and a GPU's own code finds one for another.  */
static int sum;
#pragma omp declare target (sum)

int whole[N], part[N], twice[N], small[4];
#pragma omp declare target link(whole, part, twice, small)

static void
fill (int *p, int with)
{
  for (int i = 0; i < N; i++)
    p[i] = with + i;
}

/* In a region, in a data construct with regions in it, and from enter to exit.  */
static void
constructs (void)
{
  fill (whole, 1);
#pragma omp target teams distribute parallel for map(tofrom: whole)
  for (int i = 0; i < N; i++)
    whole[i] *= 2;
  CHECK (whole[0] == 2 && whole[N - 1] == 2 * N);
#pragma omp target data map(tofrom: whole)
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
      whole[i] += 1;
    CHECK_EQ (whole[7], 16);
    whole[7] = 100;
#pragma omp target update to(whole[7:1])
#pragma omp target map(tofrom: whole)
    whole[7] += 5;
    CHECK_EQ (whole[7], 100);
#pragma omp target update from(whole)
    CHECK (whole[7] == 105 && whole[8] == 19);
#pragma omp target
    whole[8] = -1;
  }
  CHECK (whole[7] == 105 && whole[8] == -1);
#pragma omp target enter data map(to: whole)
  for (int round = 0; round < 3; round++)
    {
#pragma omp target map(alloc: whole)
      whole[9] += 10;
    }
#pragma omp target enter data map(to: whole)
#pragma omp target exit data map(from: whole)
  CHECK_EQ (whole[9], 21);
#pragma omp target exit data map(from: whole)
  CHECK_EQ (whole[9], 51);
#pragma omp target enter data map(to: whole)
#pragma omp target
  whole[9] = 1;
#pragma omp target exit data map(delete: whole)
  CHECK_EQ (whole[9], 51);
  /* A place of its own again.  */
#pragma omp target map(tofrom: whole)
  whole[9]++;
  CHECK_EQ (whole[9], 52);
}

/* Copied always; and one that is too small for an object.  */
static void
kinds (void)
{
  fill (part, 0);
#pragma omp target data map(to: part)
  {
    part[3] = 70;
#pragma omp target map(always, tofrom: part)
    part[3]++;
    CHECK_EQ (part[3], 71);
  }
  for (int i = 0; i < 4; i++)
    small[i] = i;
#pragma omp target map(tofrom: small)
  small[3] += small[2];
  CHECK_EQ (small[3], 5);
}

/* Two at a time, often, with another array between, which takes the memory that they had.  */
static void
often (void)
{
  int *other = malloc (N * sizeof *other);
  CHECK (other != NULL);
  fill (twice, 0);
  fill (whole, 0);
  for (int round = 0; round < 20; round++)
    {
      other[0] = round;
#pragma omp target map(tofrom: twice, whole) map(tofrom: other[:N])
      {
	twice[1]++;
	whole[1] += twice[1];
	other[0]++;
	sum += other[0];
      }
      CHECK_EQ (other[0], round + 1);
    }
  CHECK (twice[1] == 21 && whole[1] == 1 + 230);
#pragma omp target update from(sum)
  CHECK_EQ (sum, 210);
  free (other);
}

int
main (void)
{
  constructs ();
  kinds ();
  often ();
  return 0;
}
